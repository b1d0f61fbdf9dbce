//! Cell choices: code that tells its choices goes in; the choices of one cell that are all of a turn come
//! out.

use crate::plan::{Annotation, Cells, ChoicePoint, FusedCode, FusedOp};

/// What choices of cells are turns.
#[derive(Clone, Debug, Default)]
pub struct CellChoices {
    /// By choice point: where turns come to it first, each of them is the choice of one of its cells, and writes that cell
    /// alone.
    pub are_turns: Vec<bool>,
    /// Turns come to no other choice first.
    pub are_all: bool,
}

/// The choices of cells that are turns, of code that tells its choices.
pub fn cell_choices(code: &FusedCode) -> CellChoices {
    let (first, is_any_block) = first_choices(code);
    let is_turn = |(point, first): (_, &Option<bool>)| *first != Some(true) && is_only_choice(code, point);
    let are_turns: Vec<bool> = code.points.iter().zip(&first).map(is_turn).collect();
    let are_all = !is_any_block && first.iter().zip(&are_turns).all(|(first, is_turn)| first.is_none() || *is_turn);
    CellChoices { are_turns, are_all }
}

/// By choice point that a turn may come to first: whether something may have been told before. Also, whether a turn may come
/// to the blocks of a `first` before any choice.
fn first_choices(code: &FusedCode) -> (Vec<Option<bool>>, bool) {
    let (mut found, mut is_any_block) = (vec![None; code.points.len()], false);
    let mut seen = [vec![false; code.code.len()], vec![false; code.code.len()]];
    let mut left: Vec<(u32, bool)> =
        code.entries.iter().flat_map(|entries| entries.turns()).map(|at| (at, false)).collect();
    while let Some((at, told)) = left.pop() {
        let Some(op) = code.code.get(at as usize) else { continue };
        if std::mem::replace(&mut seen[usize::from(told)][at as usize], true) {
            continue;
        }
        match op {
            FusedOp::Choice { index }
            | FusedOp::SampleCell { index, .. }
            | FusedOp::SampleAndNotBoth { index, .. }
            | FusedOp::SampleOnto { index, .. } => {
                let before = &mut found[*index as usize];
                *before = Some(told || before.unwrap_or(false));
            }
            FusedOp::First { .. } => is_any_block = true,
            op => {
                let told = told || matches!(op, FusedOp::Annotate { .. });
                left.extend(op.target().into_iter().chain(op.goes_on().then_some(at + 1)).map(|at| (at, told)));
            }
        }
    }
    (found, is_any_block)
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
