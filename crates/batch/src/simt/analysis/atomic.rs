//! Rollback-free analysis: lane code of a turn goes in; whether a lane that does not complete it
//! leaves all as it was comes out.

use crate::model::Arithmetic;
use crate::plan::{Code, LinearOp};
use crate::simt::code::{Atomicity, FAR, SimtOp};
use crate::simt::kernels::ops::keeps_all;

const MOST_SUMS: usize = 20;

/// Whether the steps of a turn are atomic. `writes_shared`: an operation changes registers that
/// last from turn to turn.
pub fn atomicity(steps: &[SimtOp], linked: &Code, writes_shared: impl Fn(&LinearOp) -> bool) -> Atomicity {
    let asks_stuck = linked.code.iter().any(|op| matches!(op, LinearOp::Stuck { .. }));
    let is_near = |k: i64| (-FAR..=FAR).contains(&k);
    let (mut changed, mut sums, mut near) = (false, 0, linked.const_numbers.iter().all(|(_, k)| is_near(*k)));
    for step in steps {
        match step {
            SimtOp::Look { op, .. } => changed |= writes_shared(op),
            SimtOp::Do { op: LinearOp::Passed, .. } if asks_stuck => return Atomicity::No,
            SimtOp::Do { op: op @ LinearOp::Arithmetic { op: Arithmetic::Add | Arithmetic::Subtract, .. }, .. } => {
                sums += 1;
                changed |= writes_shared(op);
            }
            SimtOp::Do { op, .. } if changed && !keeps_all(op) => return Atomicity::No,
            SimtOp::Do { op, .. } => {
                near &= match op {
                    LinearOp::Const { k, .. } => is_near(*k),
                    // A product may be as large as there is room for.
                    LinearOp::Arithmetic { .. } => false,
                    _ => true,
                };
                changed |= writes_shared(op);
            }
            SimtOp::Choose { point, .. } if changed || !linked.points[*point as usize].infallible => {
                return Atomicity::No;
            }
            SimtOp::Choose { .. } => changed = true,
            SimtOp::Need { .. } | SimtOp::Fail if changed => return Atomicity::No,
            SimtOp::Split { .. } | SimtOp::Again { .. } | SimtOp::Next { .. } => return Atomicity::No,
            _ => {}
        }
    }
    match sums {
        0 => Atomicity::Always,
        1..=MOST_SUMS if near => Atomicity::Near,
        _ => Atomicity::No,
    }
}
