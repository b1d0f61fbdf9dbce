//! Routines: a condition that calls itself and what it is asked of go in; its answer comes out.
//!
//! A routine changes nothing, so that the registers which it writes are put back behind it. Each call is a call of the
//! dispatch loop by itself.

use crate::interp::bitset::Bitset;
use crate::interp::state::program::Program;
use crate::interp::state::search::VmExit;
use crate::interp::state::vm::Vm;
use crate::interp::tuning::{CALL_STACK_RED_ZONE_BYTES, CALL_STACK_SEGMENT_BYTES, WORK_OF_AN_EVENT};
use crate::plan::{FusedOp, MAX_ARGUMENTS};
use crate::position::{FaultKind, MAX_WORK};

impl<const W: usize> Vm<W> {
    /// Asks a routine, and writes its answer. What stops the run, if anything does: a fault.
    pub fn call(&mut self, program: &Program<W>, op: &FusedOp) -> Option<VmExit> {
        let FusedOp::Call { d, a, b, c, routine, place } = *op else { return None };
        let table = program.routines.clone()?;
        let code = &table.routines[usize::from(routine)];
        let calls = &mut self.scratch.calls;
        calls.made = if calls.open.is_empty() { 1 } else { calls.made + 1 };
        let kind = match calls.open.iter().filter(|open| **open == code.define).count() {
            depth if depth > table.deepest => Some(FaultKind::Depth),
            _ if calls.made.saturating_mul(WORK_OF_AN_EVENT) > MAX_WORK => Some(FaultKind::Work),
            _ => None,
        };
        let site = program.place(place);
        if let Some(kind) = kind {
            calls.open.clear();
            return Some(self.fail(kind, site));
        }
        calls.open.push(code.define);
        let arguments: [Bitset<W>; MAX_ARGUMENTS] = [a, b, c].map(|reg| *self.set(reg));
        let sets: Vec<Bitset<W>> = code.sets.iter().map(|reg| *self.set(*reg)).collect();
        let numbers: Vec<i64> = code.numbers.iter().map(|reg| self.number(*reg)).collect();
        table.calls.arguments.into_iter().zip(arguments).for_each(|(reg, cells)| self.put(reg, cells));
        // The end of a routine is not the end of a turn, and its answer is wanted also where nothing of it can fail.
        let draws = std::mem::replace(&mut self.sampler.active, false);
        let unranks = std::mem::replace(&mut self.sampler.unranking, false);
        let completes = std::mem::replace(&mut self.search.completion_only, false);
        let event =
            stacker::maybe_grow(CALL_STACK_RED_ZONE_BYTES, CALL_STACK_SEGMENT_BYTES, || self.run(program, code.entry));
        (self.sampler.active, self.sampler.unranking) = (draws, unranks);
        self.search.completion_only = completes;
        if event != VmExit::End {
            self.scratch.calls.open.clear();
            let call = Some(site.call.unwrap_or(site.span));
            self.turn.fault = self.turn.fault.take().map(|fault| fault.called_at(call));
            return Some(VmExit::Fail);
        }
        self.scratch.calls.open.pop();
        let answer = self.number(table.calls.answer);
        code.sets.iter().zip(sets).for_each(|(reg, cells)| self.put(*reg, cells));
        code.numbers.iter().zip(numbers).for_each(|(reg, number)| self.put_number(*reg, number));
        self.put_number(d, answer);
        None
    }
}
