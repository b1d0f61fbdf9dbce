//! Loop codegen: loops of a program go in; code comes out that goes round for the lanes of a vector
//! until none is left.
//!
//! Each round begins with nothing in registers, as the one before may have ended with anything
//! there.

use crate::jit::asm::evex::{Binary, For, Pair, Source, Test};
use crate::jit::branches::Within;
use crate::jit::isel::{ASKED, ASKED_MORE, MEANT};
use crate::jit::regalloc::Value;
use crate::jit::turn_fn::Playing;
use crate::model::MAX_ROUNDS;
use crate::plan::{NumReg, SetReg};
use crate::simt::code::SimtOp;

impl Playing<'_, '_, '_> {
    /// Lanes are in rounds.
    pub fn goes_round(&self) -> bool {
        self.within.iter().any(|within| matches!(within, Within::Rounds { .. }))
    }

    /// Lanes part for rounds.
    pub fn begin_rounds(&mut self, at: usize) -> Option<()> {
        let steps = &self.turn_fn.program.steps;
        let goes_back = |step: &SimtOp| matches!(*step, SimtOp::Again { to, .. } if to as usize == at + 1);
        let behind = match steps.get(at + 1)? {
            SimtOp::Next { to, .. } => *to as usize,
            _ => at + 1 + steps[at..].iter().position(goes_back)?,
        };
        let all = self.park(MEANT);
        // What is asked in a round may have come about in the one before.
        (self.loses, self.decides) = (true, true);
        self.waits.push(behind);
        self.store(at + 1);
        self.code.hold_nothing();
        self.within.push(Within::Rounds { all, begin: self.code.code.0.len() });
        Some(())
    }

    /// Takes the first cell out of each lane's set; lanes without one leave the rounds.
    pub fn next_cell(&mut self, at: usize, (of, cell): (SetReg, SetReg), to: usize) {
        let any = self.code.any([of], |_, [of]| of);
        self.code.code.test(Test::Meet, MEANT, (any, any.into()), MEANT);
        self.code.done();
        self.jump_if_none(at + 1, to);
        let code = &mut *self.code;
        // The lanes whose cell is not in the words so far.
        code.code.copy_lanes(ASKED_MORE, MEANT);
        for word in 0..code.width() as u8 {
            let cells = code.word(of, word);
            code.code.test(Test::Meet, ASKED, (cells, cells.into()), ASKED_MORE);
            code.code.pair_lanes(Pair::AndNot, ASKED_MORE, (ASKED, ASKED_MORE));
            let lowest = code.nothing();
            code.code.binary(Binary::Sub, lowest, (lowest, cells.into()), For::merging(ASKED));
            code.code.binary(Binary::And, lowest, (lowest, cells.into()), For::merging(ASKED));
            code.code.binary(Binary::Xor, cells, (cells, lowest.into()), For::merging(ASKED));
            code.change(cells);
            let old = code.word(cell, word);
            code.code.copy(old, lowest, For::merging(MEANT));
            code.change(old);
            code.done();
        }
    }

    /// All lanes that are left go round.
    pub fn go_back(&mut self, to: usize) -> Option<()> {
        let Some(Within::Rounds { begin, .. }) = self.within.last().copied() else { return None };
        self.store(to);
        let jump = self.code.code.jump();
        self.code.code.land_at(jump, begin);
        self.code.hold_nothing();
        Some(())
    }

    /// Lanes whose number is not 0 go round once more; too many rounds are a fault, which the
    /// scalar executor reports.
    pub fn go_round(&mut self, (n, counter): (NumReg, NumReg), to: usize) -> Option<()> {
        let Some(Within::Rounds { all, begin }) = self.within.last().copied() else { return None };
        let code = &mut *self.code;
        let (n, counter) = (code.number(n), code.held(Value::Number(counter.0)));
        let one = Source::Word(code.constant(1));
        code.code.binary(Binary::Add, counter, (counter, one), For::merging(MEANT));
        code.change(counter);
        code.code.test(Test::Meet, MEANT, (n, n.into()), MEANT);
        let most = Source::Word(code.constant(u64::from(MAX_ROUNDS)));
        code.code.test(Test::AtLeast, ASKED, (counter, most), MEANT);
        code.done();
        self.side_exit();
        self.store(to);
        self.code.code.jump_back_if_any(MEANT, begin);
        self.within.pop();
        self.waits.pop();
        self.converge(all);
        Some(())
    }
}
