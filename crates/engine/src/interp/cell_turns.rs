//! Cell turns: a position goes in; if each of its turns is the choice of one cell and nothing else, these
//! cells come out, and the position behind one of them.
//!
//! Nothing is written down of such a turn: the options of its one choice are the turns. Where none of
//! them can fail, all come out at once.

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::state::program::Program;
use crate::interp::state::search::{RegisterStack, VmExit};
use crate::interp::state::session::ScalarSession;
use crate::interp::state::snapshot::CellTurns;
use crate::interp::state::turn::Flags;
use crate::interp::state::vm::Vm;
use crate::position::Fault;

impl<const W: usize> Vm<W> {
    /// The choice that a turn comes to first, if it is the only one; the registers stand there.
    fn cell_choice(&mut self, program: &Program<W>, entry: u32) -> Option<u32> {
        match self.begin(program, entry) {
            VmExit::Choice(point) if program.cell_choices.are_turns.get(point as usize).is_some_and(|is_it| *is_it) => {
                Some(point)
            }
            _ => None,
        }
    }

    /// Takes over the registers as they were at a choice. `false`: they are not of this choice.
    fn stand_at(&mut self, program: &Program<W>, choice: u32, turns: &CellTurns) -> bool {
        let Some(point) = program.code.points.get(choice as usize) else { return false };
        let (sets, []) = turns.sets.as_chunks::<W>() else { return false };
        if sets.len() != point.sets.len() || turns.numbers.len() != point.numbers.len() {
            return false;
        }
        point.sets.iter().zip(sets).for_each(|(reg, set)| self.put(*reg, *set));
        point.numbers.iter().zip(&turns.numbers).for_each(|(reg, number)| self.put_number(*reg, *number));
        (self.turn.flags, self.turn.work) = (Flags::default(), 0);
        true
    }

    /// The cells of a choice behind which the run is completed.
    fn complete_cells(&mut self, program: &Program<W>, point: u32) -> Result<Bitset<W>, Fault> {
        let choice = &program.code.points[point as usize];
        let [cells] = choice.cells[..] else { return Ok([0; W]) };
        let offered = *self.set(cells.of);
        if choice.counts() {
            return Ok(offered);
        }
        let (mut left, mut complete) = (offered, [0; W]);
        self.save_clobbered(program, point);
        self.search.completion_only = true;
        while !bitset::is_empty(&left) {
            let cell = bitset::bit(bitset::lowest(&left));
            left = bitset::without(&left, &cell);
            let entry = self.go_to(program, &cells, cell);
            match self.run(program, entry) {
                VmExit::End => complete = bitset::or(&complete, &cell),
                _ if self.turn.fault.is_some() => break,
                _ => {}
            }
            self.restore_clobbered(program, point);
        }
        self.search.completion_only = false;
        self.turn.fault.take().map_or(Ok(complete), Err)
    }

    /// The position of the registers goes into a list.
    fn keep_position(&self, program: &Program<W>, begun: &mut RegisterStack<W>) {
        let (sets, numbers) = program.position_regs;
        begun.sets.clear();
        begun.sets.extend(self.sets[..sets].iter().copied());
        begun.numbers.clear();
        begun.numbers.extend(self.numbers[..numbers].iter().copied());
    }

    /// The position of the registers is that of a list. Register by register: what was just written so
    /// cannot be read in larger parts at once.
    fn stands_as(&self, begun: &RegisterStack<W>) -> bool {
        let mut differs = [0; W];
        for (own, begun) in self.sets.iter().zip(&begun.sets) {
            differs = bitset::or(&differs, &bitset::zip(own, begun, |a, b| a ^ b));
        }
        bitset::is_empty(&differs) && self.numbers.iter().zip(&begun.numbers).all(|(own, begun)| own == begun)
    }

    fn put_back_position(&mut self, begun: &RegisterStack<W>) {
        self.sets.iter_mut().zip(&begun.sets).for_each(|(own, begun)| *own = *begun);
        self.numbers.iter_mut().zip(&begun.numbers).for_each(|(own, begun)| *own = *begun);
    }
}

impl<const W: usize> ScalarSession<W> {
    pub fn cell_turns(&mut self, to: &mut CellTurns) -> Result<bool, Fault> {
        to.cells.clear();
        to.cells.resize(W, 0);
        to.choice = None;
        if self.outcome.is_some() || !self.has_cell_turns {
            return Ok(self.has_cell_turns);
        }
        let entry = self.entry(&self.program);
        let (vm, program, begun) = (&mut self.vm, &*self.program, &mut self.begun);
        vm.keep_position(program, begun);
        // What stopped the run comes to light again where the turns are listed.
        let Some(choice) = vm.cell_choice(program, entry) else {
            vm.put_back_position(begun);
            vm.turn.fault = None;
            return Ok(false);
        };
        let point = &program.code.points[choice as usize];
        to.sets.clear();
        to.sets.extend(point.sets.iter().flat_map(|reg| vm.set(*reg)));
        to.numbers.clear();
        to.numbers.extend(point.numbers.iter().map(|reg| vm.number(*reg)));
        let is_begun = vm.stands_as(begun) && vm.turn.flags == Flags::default();
        to.choice = is_begun.then_some(choice);
        let found = vm.complete_cells(program, choice);
        vm.put_back_position(begun);
        let found = found?;
        to.cells.copy_from_slice(&found);
        if bitset::is_empty(&found) {
            let asked = self.expect_outcome();
            self.outcome = None;
            asked?;
        }
        Ok(true)
    }

    pub fn play_cell(&mut self, turns: &CellTurns, bit: usize, path: &mut Vec<u32>) -> Result<bool, Fault> {
        if self.outcome.is_some() || bit >= W * 64 || !self.has_cell_turns {
            return Ok(false);
        }
        let entry = self.entry(&self.program);
        let (vm, program) = (&mut self.vm, &*self.program);
        let known = turns.choice.filter(|choice| vm.stand_at(program, *choice, turns));
        let Some(point) = known.or_else(|| vm.cell_choice(program, entry)) else { return Ok(false) };
        let [cells] = program.code.points[point as usize].cells[..] else { return Ok(false) };
        let (cell, offered) = (bitset::bit(bit), *vm.set(cells.of));
        if !bitset::intersects(&offered, &cell) {
            return Ok(false);
        }
        // A choice of one option alone is none.
        if bitset::sole(&offered).is_none() {
            path.push(bitset::rank(&offered, bit));
        }
        let entry = vm.go_to(program, &cells, cell);
        match vm.run(program, entry) {
            VmExit::End => self.end_turn().map(|()| true),
            _ => vm.turn.fault.take().map_or(Ok(false), Err),
        }
    }
}
