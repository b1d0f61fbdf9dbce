//! Every kind of mistake: found at its place, worded, rendered.

mod cases;
mod data;
mod files;
mod kinds;
mod messages;
mod mutations;
mod page;
mod tokens;
