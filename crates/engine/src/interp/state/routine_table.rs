//! Routine table: code goes in; where each condition begins that calls itself, and which registers it writes, comes out.

use crate::plan::{Access, Calls, FusedCode, NumReg, SetReg, SpanId};

/// Where a routine begins, and the registers that it writes.
#[derive(Clone, Debug)]
pub struct RoutineCode {
    pub entry: u32,
    pub define: SpanId,
    pub sets: Vec<SetReg>,
    pub numbers: Vec<NumReg>,
}

/// The routines of a game, of all seats.
#[derive(Clone, Debug)]
pub struct RoutineTable {
    pub calls: Calls,
    pub routines: Vec<RoutineCode>,
    /// A define is not within itself deeper than the board has cells.
    pub deepest: usize,
}

/// Calls that are not over.
#[derive(Debug, Default)]
pub struct OpenCalls {
    /// The defines, the outermost first.
    pub open: Vec<SpanId>,
    /// Calls since the outermost one.
    pub made: u64,
}

impl RoutineTable {
    pub fn new(calls: Calls, code: &FusedCode, defines: &[SpanId], cells: usize) -> RoutineTable {
        let entries = code.entries.iter().flat_map(|seat| &seat.routines);
        let routine = |(&entry, &define): (&u32, &SpanId)| {
            let (sets, numbers) = written(code, entry, calls);
            RoutineCode { entry, define, sets, numbers }
        };
        RoutineTable { calls, routines: entries.zip(defines).map(routine).collect(), deepest: cells }
    }

    /// The same routines, where they stand in other code.
    pub fn of_code(&self, code: &FusedCode) -> RoutineTable {
        let defines: Vec<SpanId> = self.routines.iter().map(|routine| routine.define).collect();
        RoutineTable::new(self.calls, code, &defines, self.deepest)
    }
}

/// The registers that a program writes, with those of calls.
fn written(code: &FusedCode, entry: u32, calls: Calls) -> (Vec<SetReg>, Vec<NumReg>) {
    let (mut sets, mut numbers) = (calls.arguments.to_vec(), vec![calls.answer]);
    let (mut seen, mut open) = (vec![false; code.code.len()], vec![entry]);
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        code.code[at as usize].accesses(|access| match access {
            Access::DefSet(reg) => sets.push(reg),
            Access::DefNum(reg) => numbers.push(reg),
            _ => {}
        });
        code.next(at, |to| open.push(to));
    }
    sets.sort_unstable();
    sets.dedup();
    numbers.sort_unstable();
    numbers.dedup();
    (sets, numbers)
}
