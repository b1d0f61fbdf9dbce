//! Tests of the core: boards, icons and orders.

mod board;
mod icons;
mod sort;
