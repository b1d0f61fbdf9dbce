//! Program preparation: linear code goes in; the programs that list turns and that play come out.

use std::sync::{Arc, OnceLock};

use crate::interp::bitset;
use crate::interp::dispatch::run;
use crate::interp::state::program::{Program, Programs};
use crate::interp::state::vm::Vm;
use crate::interp::tables::attacks::AttackTable;
use crate::model::Game;
use crate::plan::{Argmax, BoardFacts, Code, FusedCode, FusedOp, Pass, PassSet, Plan, RegLayout, TerminalRegs};

impl<const W: usize> Programs<W> {
    pub fn new(plan: &Arc<Plan>, code: &Arc<Code>, (game, passes): (&Game, PassSet)) -> Programs<W> {
        let program = Program::new(plan, code.to_fused(), game);
        let optimized = Arc::new(program.optimized(plan, code, passes, false));
        Programs { optimized, annotated: OnceLock::new(), made_from: (plan.clone(), code.clone(), passes) }
    }

    /// The program that tells of choices. It is made when it is first asked for: who only plays does without.
    pub fn annotated(&self) -> &Arc<Program<W>> {
        self.annotated.get_or_init(|| {
            let (plan, code, passes) = &self.made_from;
            Arc::new(self.optimized.optimized(plan, code, *passes, true))
        })
    }
}

impl<const W: usize> Program<W> {
    /// The same with fewer operations. `tells`: those that only record choices are among them.
    fn optimized(&self, plan: &Plan, code: &Code, passes: PassSet, tells: bool) -> Program<W> {
        let short = |(sets, numbers): (usize, usize)| (sets as u16, numbers as u16);
        let TerminalRegs { history, draws, .. } = self.terminal;
        let layout = RegLayout {
            shared: short(self.shared_regs),
            position: short(self.position_regs),
            terminal: [history, draws],
            value: self.argmax.and_then(Argmax::register),
        };
        let board = BoardFacts { dir_vectors: &plan.dir_vectors, lone: &plan.layout.lone, words: W };
        let optimized = passes.has(Pass::Peephole).then(|| code.optimized(layout, tells));
        let code = optimized.as_ref().unwrap_or(code);
        let code = if passes.has(Pass::Fuse) { code.fused(layout, board) } else { code.to_fused() };
        let attacks = Arc::new(attack_table(&code, self));
        let routines = self.routines.as_ref().map(|table| Arc::new(table.of_code(&code)));
        Program { code: Arc::new(code), attacks, routines, ..self.clone() }
    }
}

/// Executes the program of each attack filter for each cell, with all that depends on the position
/// left open.
fn attack_table<const W: usize>(code: &FusedCode, program: &Program<W>) -> AttackTable<W> {
    if code.attack_filters.is_empty() {
        return AttackTable::default();
    }
    let (mut ops, mut begins) = (Vec::new(), Vec::new());
    for filter in &code.attack_filters {
        begins.push(ops.len() as u32);
        ops.extend(filter.ops.iter().copied().chain([FusedOp::Fail]));
    }
    let (consts, const_numbers) = (code.consts.clone(), code.const_numbers.clone());
    let filters = FusedCode { code: ops, consts, const_numbers, ..FusedCode::default() };
    let program = &Program { code: Arc::new(filters), ..program.clone() };
    let mut vm = Vm::new(program);
    let any = program.tables.grid_any();
    let mut cells = vec![[0; W]; code.attack_filters.len() * W * 64];
    for (table, filter) in code.attack_filters.iter().enumerate() {
        filter.assumed_full.iter().for_each(|reg| vm.put(*reg, any));
        filter.assumed_empty.iter().for_each(|reg| vm.put(*reg, [0; W]));
        let mut left = any;
        while !bitset::is_empty(&left) {
            let bit = bitset::lowest(&left);
            left = bitset::without(&left, &bitset::bit(bit));
            vm.put(filter.from, bitset::bit(bit));
            run(&mut vm, program, begins[table]);
            cells[table * W * 64 + bit] = *vm.set(filter.made);
        }
    }
    AttackTable::new(cells)
}
