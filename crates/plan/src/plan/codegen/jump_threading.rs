//! Jump threading: linear code goes in; code comes out in which runs go past branches that the arm
//! they chose has decided.
//!
//! ```text
//! choose                                choose
//!   s8 from s10, or go to 7               s8 from s10, or go to 20      (no row)
//!   s8 from s11, or go to 7               s8 from s11, or go to 7
//! 7  White = White or s8          ->    7  White = White or s8
//! 8  s9 = rows of 3 in White            ...
//! 9  n4 = s8 in s9                      20 White = White or s8
//! 10 unless n4 go to 30                 21 s9 = rows of 3 in White
//!                                       22 n4 = s8 in s9
//!                                       23 go to 30
//! ```
//!
//! The code between a choice and such a question is laid out once more, for the arms that answer it
//! alike. What only the question read is computed for nobody there, and goes away with the rest.
//! The step by which a man came to the cell that was chosen is made with the choice.

use rustc_hash::FxHashMap as HashMap;

use crate::plan::code::Code;
use crate::plan::op::LinearOp;
use crate::plan::tuning::MAX_OPS_CLONED_PER_ARM;

/// Goes past questions in all programs.
pub fn thread(linked: &mut Code) {
    let mut threading = Threading { room: linked.code.len(), laid: HashMap::default(), linked };
    for point in 0..threading.linked.points.len() {
        threading.point(point);
    }
}

struct Threading<'l> {
    linked: &'l mut Code,
    /// So many operations may still be laid out.
    room: usize,
    /// What was laid out from a place on, by the questions that are gone past.
    laid: HashMap<(u32, Vec<(u32, bool)>), u32>,
}

/// A way without the questions that are answered on it.
struct Way {
    ops: Vec<LinearOp>,
    /// Where it leaves the code as it was.
    to: u32,
    answered: Vec<(u32, bool)>,
}

impl Threading<'_> {
    fn point(&mut self, point: usize) {
        for arm in 0..self.linked.points[point].arms.len() {
            let answers = std::mem::take(&mut self.linked.points[point].arms[arm].branch_facts);
            match self.linked.points[point].cells.get(arm).copied() {
                Some(mut cells) => {
                    if let LinearOp::MaskedShift { d, a, hop } = self.linked.code[cells.entry as usize]
                        && a == cells.cell
                        && d != a
                    {
                        (cells.back, cells.entry) = (Some((d, hop)), cells.entry + 1);
                    }
                    cells.entry = self.past(cells.entry, &answers);
                    self.linked.points[point].cells[arm] = cells;
                }
                None => {
                    let entry = self.linked.points[point].arms[arm].entry;
                    self.linked.points[point].arms[arm].entry = self.past(entry, &answers);
                }
            }
        }
    }

    /// Where a run goes on that would at a place, without being asked what is answered.
    fn past(&mut self, from: u32, answers: &[(u32, bool)]) -> u32 {
        let Some(way) = self.way(from, answers).filter(|way| way.ops.len() < self.room) else { return from };
        let from = landing(&self.linked.code, from);
        if let Some(&known) = self.laid.get(&(from, way.answered.clone())) {
            return known;
        }
        let laid = self.linked.code.len() as u32;
        self.room -= way.ops.len() + 1;
        self.linked.code.extend(way.ops);
        self.linked.code.push(LinearOp::Jump { to: way.to });
        self.laid.insert((from, way.answered), laid);
        laid
    }

    /// The way from a place past the last question that is answered, if there is one.
    fn way(&self, from: u32, answers: &[(u32, bool)]) -> Option<Way> {
        let (mut at, mut ops, mut answered, mut found) = (from, Vec::new(), Vec::new(), None);
        while !answers.is_empty() && ops.len() < MAX_OPS_CLONED_PER_ARM {
            let op = *self.linked.code.get(at as usize)?;
            let answer = answers.iter().find(|(place, _)| *place == at);
            at = match (op, answer) {
                (LinearOp::Jump { to }, _) if to > at => to,
                (LinearOp::BranchIfZero { to, .. }, Some(&(place, holds))) => {
                    answered.push((place, holds));
                    let to = if holds { at + 1 } else { to };
                    found = Some((ops.len(), to));
                    to
                }
                // Who goes another way from here goes on as before.
                (LinearOp::BranchIfZero { .. }, None) => {
                    ops.push(op);
                    at + 1
                }
                _ if op.goes_on() && op.target().is_none() => {
                    ops.push(op);
                    at + 1
                }
                _ => break,
            };
        }
        let (length, to) = found?;
        ops.truncate(length);
        Some(Way { ops, to, answered })
    }
}

/// Where jumps lead from a place.
fn landing(code: &[LinearOp], mut at: u32) -> u32 {
    while let Some(LinearOp::Jump { to }) = code.get(at as usize).filter(|op| op.target().is_some_and(|to| to > at)) {
        at = *to;
    }
    at
}
