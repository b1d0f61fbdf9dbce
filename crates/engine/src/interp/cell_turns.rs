//! Cell turns: a position goes in; if each of its turns is the choice of one cell and nothing else, these
//! cells come out, and the position behind one of them.
//!
//! Nothing is written down of such a turn: the options of its one choice are the turns. Where none of
//! them can fail, all come out at once.

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::state::program::Program;
use crate::interp::state::search::VmExit;
use crate::interp::state::session::ScalarSession;
use crate::position::Fault;

impl<const W: usize> ScalarSession<W> {
    /// The choice that a turn comes to first, if it is the only one; the registers stand there.
    fn cell_choice(&mut self, program: &Program<W>) -> Option<u32> {
        match self.vm.begin(program, self.entry(program)) {
            VmExit::Choice(point) if program.cell_choices.get(point as usize).is_some_and(|is_it| *is_it) => {
                Some(point)
            }
            _ => None,
        }
    }

    pub fn cell_turns(&mut self, to: &mut [u64]) -> Result<bool, Fault> {
        let to = to.first_chunk_mut::<W>();
        let (Some(to), true) = (to, self.has_cell_turns) else { return Ok(false) };
        *to = [0; W];
        if self.outcome.is_some() {
            return Ok(true);
        }
        let program = self.program.clone();
        let (sets, numbers) = program.position_regs;
        self.begun.sets.clear();
        self.begun.sets.extend_from_slice(&self.vm.sets[..sets]);
        self.begun.numbers.clear();
        self.begun.numbers.extend_from_slice(&self.vm.numbers[..numbers]);
        let point = self.cell_choice(&program);
        let found = point.map_or(Ok([0; W]), |point| self.complete_cells(&program, point));
        self.vm.sets[..sets].copy_from_slice(&self.begun.sets);
        self.vm.numbers[..numbers].copy_from_slice(&self.begun.numbers);
        // What stopped the run comes to light again where the turns are listed.
        if point.is_none() {
            self.vm.turn.fault = None;
            return Ok(false);
        }
        *to = found?;
        if bitset::is_empty(to) {
            let asked = self.expect_outcome();
            self.outcome = None;
            asked?;
        }
        Ok(true)
    }

    /// The cells of a choice behind which the run is completed.
    fn complete_cells(&mut self, program: &Program<W>, point: u32) -> Result<Bitset<W>, Fault> {
        let choice = &program.code.points[point as usize];
        let [cells] = choice.cells[..] else { return Ok([0; W]) };
        let offered = *self.vm.set(cells.of);
        if choice.counts() {
            return Ok(offered);
        }
        let (mut left, mut complete) = (offered, [0; W]);
        self.vm.save_clobbered(program, point);
        self.vm.search.completion_only = true;
        while !bitset::is_empty(&left) {
            let cell = bitset::bit(bitset::lowest(&left));
            left = bitset::without(&left, &cell);
            let entry = self.vm.go_to(program, &cells, cell);
            match self.vm.run(program, entry) {
                VmExit::End => complete = bitset::or(&complete, &cell),
                _ if self.vm.turn.fault.is_some() => break,
                _ => {}
            }
            self.vm.restore_clobbered(program, point);
        }
        self.vm.search.completion_only = false;
        self.vm.turn.fault.take().map_or(Ok(complete), Err)
    }

    pub fn play_cell(&mut self, bit: usize, path: &mut Vec<u32>) -> Result<bool, Fault> {
        if self.outcome.is_some() || bit >= W * 64 || !self.has_cell_turns {
            return Ok(false);
        }
        let program = self.program.clone();
        let Some(point) = self.cell_choice(&program) else { return Ok(false) };
        let [cells] = program.code.points[point as usize].cells[..] else { return Ok(false) };
        let (cell, offered) = (bitset::bit(bit), *self.vm.set(cells.of));
        if !bitset::intersects(&offered, &cell) {
            return Ok(false);
        }
        // A choice of one option alone is none.
        if bitset::sole(&offered).is_none() {
            path.push(bitset::rank(&offered, bit));
        }
        let entry = self.vm.go_to(&program, &cells, cell);
        match self.vm.run(&program, entry) {
            VmExit::End => self.end_turn().map(|()| true),
            _ => self.vm.turn.fault.take().map_or(Ok(false), Err),
        }
    }
}
