//! Cell choices: code that tells its choices goes in; the choices of one cell that are all of a turn come
//! out.

use crate::plan::{Annotation, Cells, ChoicePoint, FusedCode, FusedOp};

/// By choice point of code that tells its choices: where turns come to it first, each of them is the
/// choice of one of its cells, and writes that cell alone.
pub fn cell_choices(code: &FusedCode) -> Vec<bool> {
    let told = told_before(code);
    code.points.iter().zip(told).map(|(point, told)| !told && is_only_choice(code, point)).collect()
}

/// By choice point: something may have been told where a turn comes to it first.
fn told_before(code: &FusedCode) -> Vec<bool> {
    let mut found = vec![false; code.points.len()];
    let mut seen = [vec![false; code.code.len()], vec![false; code.code.len()]];
    let mut left: Vec<(u32, bool)> =
        code.entries.iter().flat_map(|entries| entries.turns()).map(|at| (at, false)).collect();
    while let Some((at, told)) = left.pop() {
        let Some(op) = code.code.get(at as usize) else { continue };
        if std::mem::replace(&mut seen[usize::from(told)][at as usize], true) {
            continue;
        }
        match op {
            FusedOp::Choice { index } => found[*index as usize] |= told,
            FusedOp::First { .. } => {}
            op => {
                let told = told || matches!(op, FusedOp::Annotate { .. });
                left.extend(op.target().into_iter().chain(op.goes_on().then_some(at + 1)).map(|at| (at, told)));
            }
        }
    }
    found
}

/// The choice offers cells in one way; behind it the chosen cell is told, and no more is chosen or told.
fn is_only_choice(code: &FusedCode, point: &ChoicePoint) -> bool {
    let [Cells { cell, entry, back: None, .. }] = point.cells[..] else { return false };
    let op_at = |at: u32| code.code.get(at as usize).copied();
    let does_nothing = |at: &u32| matches!(op_at(*at), Some(FusedOp::CannotFail | FusedOp::NoMoreChoices));
    let Some(first) = (entry..).find(|at| !does_nothing(at)) else { return false };
    let Some(FusedOp::Annotate { mark: Annotation::Cell(told) | Annotation::Landing { cell: told, .. } }) =
        op_at(first)
    else {
        return false;
    };
    if told != cell {
        return false;
    }
    let (mut seen, mut left) = (vec![false; code.code.len()], vec![first + 1]);
    while let Some(at) = left.pop() {
        let Some(op) = op_at(at) else { return false };
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        if matches!(op, FusedOp::Annotate { .. } | FusedOp::Choice { .. } | FusedOp::First { .. }) {
            return false;
        }
        left.extend(op.target().into_iter().chain(op.goes_on().then_some(at + 1)));
    }
    true
}
