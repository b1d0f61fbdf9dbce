//! Batch executor of Lusoria: an engine goes in; many games come out, played in lock step. It is a
//! part of the package `lusoria` and may change with each version.

use lusoria_core::{board, model, position};
use lusoria_engine::interp;
use lusoria_plan::plan;

pub mod batch;
#[cfg(target_arch = "x86_64")]
pub mod jit;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has vectors here"))]
pub mod simd;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has vectors here"))]
pub mod simt;
