//! Block layout: linear code goes in; the same code comes out in another order, or without
//! addresses that no run reaches.

use crate::plan::code::{Code, EntryPoints};
use crate::plan::op::{CodeOp, FusedOp};

impl<O: CodeOp> Code<O> {
    /// Other code for the same programs: everything that named a place names its new one.
    pub fn laid_out(mut self, code: Vec<O>, place: impl Fn(u32) -> u32) -> Code<O> {
        self.code = code;
        self.code.iter_mut().filter_map(O::target_mut).for_each(|to| *to = place(*to));
        for point in &mut self.points {
            for arm in &mut point.arms {
                arm.entry = place(arm.entry);
                // The branches that it decides may be others now: jumps are threaded before.
                arm.branch_facts.clear();
            }
            point.cells.iter_mut().for_each(|cells| cells.entry = place(cells.entry));
        }
        for (at, op) in self.code.iter().enumerate() {
            if let Some(index) = op.choice_index() {
                self.points[index].at = at as u32;
            }
        }
        self.alternatives.iter_mut().for_each(|split| split.blocks.iter_mut().for_each(|block| *block = place(*block)));
        self.entries.iter_mut().flat_map(EntryPoints::all_mut).for_each(|entry| *entry = place(*entry));
        self
    }

    /// The same without what no run comes to.
    pub fn reached(self) -> Code<O> {
        let seen = self.seen_from(self.begins());
        let mut places = Vec::with_capacity(seen.len());
        let mut next = 0;
        for seen in &seen {
            places.push(next);
            next += u32::from(*seen);
        }
        let code = self.code.iter().zip(&seen).filter(|(_, seen)| **seen).map(|(op, _)| *op).collect();
        self.laid_out(code, |at| places[at as usize])
    }

    /// Where programs begin.
    fn begins(&self) -> Vec<u32> {
        self.entries.iter().flat_map(EntryPoints::all).collect()
    }

    /// By place: whether a run may come to it from some places. What leads out of the code leads
    /// nowhere.
    pub fn seen_from(&self, mut open: Vec<u32>) -> Vec<bool> {
        let mut seen = vec![false; self.code.len()];
        while let Some(at) = open.pop() {
            if seen.get(at as usize) == Some(&false) {
                seen[at as usize] = true;
                self.next(at, |next| open.push(next));
            }
        }
        seen
    }

    /// Where a run may go on from a place.
    pub fn next(&self, at: u32, mut next: impl FnMut(u32)) {
        let op = self.code[at as usize];
        op.target().into_iter().for_each(&mut next);
        match op.into() {
            FusedOp::Choice { index } => {
                if let Some(point) = self.points.get(index as usize) {
                    point.arms.iter().for_each(|arm| next(arm.entry));
                    point.cells.iter().for_each(|cells| next(cells.entry));
                }
            }
            FusedOp::First { index } => {
                let alternatives = self.alternatives.get(index as usize);
                alternatives.into_iter().flat_map(|split| &split.blocks).for_each(|block| next(*block));
            }
            _ if op.goes_on() => next(at + 1),
            _ => {}
        }
    }
}
