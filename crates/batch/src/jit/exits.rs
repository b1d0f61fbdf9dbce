//! Side exits: what ends runs goes in; code comes out by which lanes fail, leave, or complete their
//! turn.

use crate::jit::asm::evex::{Binary, EACH, For, Lanes, Pair, Test};
use crate::jit::exit::{ExitReason, ExitReport};
use crate::jit::isel::{ASKED, ASKED_MORE, MEANT};
use crate::jit::regalloc::Value;
use crate::jit::turn_fn::{Drawn, Phase, Playing};
use crate::model::Arithmetic;
use crate::plan::{LinearOp, NumReg};
use crate::simt::state::status::Status;

/// Lanes that have neither failed nor left, where sets of one word leave a register for them.
const ALIVE: Lanes = Lanes(6);

impl Playing<'_, '_, '_> {
    /// Operations at which lanes may leave.
    pub fn losing(&mut self, op: &LinearOp) -> Option<()> {
        match *op {
            LinearOp::SetOutcome { outcome, winners } => {
                self.code.code.add_lanes(ExitReason::Decided.kept(), MEANT);
                // What was decided in an earlier round is over.
                self.code.blend = std::mem::replace(&mut self.decides, true);
                let (outcome, of) = (self.code.word_of(u64::from(outcome)), self.code.number(winners));
                let winners = self.code.copied(of);
                self.code.put(Value::Status(Status::OUTCOME as u16), outcome);
                self.code.put(Value::Status(Status::WINNERS as u16), winners);
            }
            LinearOp::Stuck { .. } if self.plays_again => return None,
            LinearOp::Stuck { d, player } => {
                let next = player == self.turn_fn.next;
                self.code.code.add_lanes(if next { ExitReason::AskedNow } else { ExitReason::Unsure }.kept(), MEANT);
                let (to, mover) = (
                    self.code.held(Value::Status(Status::MOVER as u16)),
                    self.code.constant(u64::from(self.turn_fn.mover.0)),
                );
                self.code.code.broadcast(to, mover, For::merging(MEANT));
                self.code.change(to);
                self.code.blend = true;
                return self.code.operation(&LinearOp::Const { d, k: 0 }).then_some(());
            }
            LinearOp::FaultIfIntersects { cells, of, .. } => {
                let both = self.code.any([cells, of], |code, [a, b]| code.binary(Binary::And, (a, b), EACH));
                self.code.code.test(Test::Meet, ASKED, (both, both.into()), MEANT);
                self.side_exit();
            }
            LinearOp::Arithmetic { op, d, a, b, .. } => return self.calculate(op, d, (a, b)),
            _ => return None,
        }
        Some(())
    }

    /// A sum or a difference; lanes leave for whose it takes more than 64 bits.
    fn calculate(&mut self, op: Arithmetic, d: NumReg, (a, b): (NumReg, NumReg)) -> Option<()> {
        let code = &mut *self.code;
        let (a, b) = (code.number(a), code.number(b));
        let (which, adds) = match op {
            Arithmetic::Add => (Binary::Add, true),
            Arithmetic::Subtract => (Binary::Sub, false),
            _ => return None,
        };
        let made = code.binary(which, (a, b), EACH);
        // Both summands have the sign that the sum has not; or what is subtracted from has another
        // one than both.
        let one = code.binary(Binary::Xor, (a, made), EACH);
        let other = code.binary(Binary::Xor, (b, if adds { made } else { a }), EACH);
        code.code.binary(Binary::And, one, (one, other.into()), EACH);
        code.code.highest(ASKED, one);
        code.code.pair_lanes(Pair::And, ASKED, (ASKED, MEANT));
        self.side_exit();
        self.code.put_number(d, made);
        Some(())
    }

    /// The lanes that were asked leave, if there are any.
    pub fn side_exit(&mut self) {
        self.lose(if self.phase == Phase::End { ExitReason::Unsure } else { ExitReason::Fallback });
    }

    /// Their runs end here. Those that have drawn are rejected.
    pub fn fail(&mut self) {
        match (self.phase, self.drawn) {
            (Phase::Turn, Drawn::All) => self.lose(ExitReason::Failed),
            (Phase::Turn, Drawn::Some) => {
                let code = &mut self.code.code;
                let over = code.jump_if_none(ASKED);
                code.load_lanes(ASKED_MORE, ExitReason::Drawn.kept());
                code.pair_lanes(Pair::And, ASKED_MORE, (ASKED_MORE, ASKED));
                code.add_lanes(ExitReason::Failed.kept(), ASKED_MORE);
                code.pair_lanes(Pair::AndNot, ASKED_MORE, (ASKED_MORE, ASKED));
                code.add_lanes(ExitReason::Fallback.kept(), ASKED_MORE);
                self.go();
                self.code.code.land(over);
            }
            _ => self.side_exit(),
        }
    }

    pub fn lose(&mut self, to: ExitReason) {
        let over = self.code.code.jump_if_none(ASKED);
        self.code.code.add_lanes(to.kept(), ASKED);
        self.go();
        self.code.code.land(over);
    }

    /// The lanes that were asked are not meant any more.
    fn go(&mut self) {
        let code = &mut self.code.code;
        code.pair_lanes(Pair::AndNot, MEANT, (ASKED, MEANT));
        let alive = self.alive(ASKED_MORE);
        self.code.code.pair_lanes(Pair::AndNot, alive, (ASKED, alive));
        self.set_alive(alive);
        self.loses = true;
    }

    /// Those that have neither failed nor left, in this register or another one.
    pub fn alive(&mut self, to: Lanes) -> Lanes {
        if self.code.width() == 1 {
            return ALIVE;
        }
        self.code.code.load_lanes(to, ExitReport::alive());
        to
    }

    pub fn set_alive(&mut self, from: Lanes) {
        if self.code.width() > 1 {
            self.code.code.store_lanes(ExitReport::alive(), from);
        } else if from != ALIVE {
            self.code.code.copy_lanes(ALIVE, from);
        }
    }

    /// No choice follows: lanes of whose number something is left are rejected.
    pub fn expect_no_number(&mut self) {
        if self.drawn == Drawn::None {
            return;
        }
        let number = self.code.held(Value::Status(Status::NUMBER as u16));
        self.code.code.test(Test::Meet, ASKED, (number, number.into()), MEANT);
        if self.drawn == Drawn::Some {
            self.code.code.load_lanes(ASKED_MORE, ExitReason::Drawn.kept());
            self.code.code.pair_lanes(Pair::And, ASKED, (ASKED, ASKED_MORE));
        }
        self.lose(ExitReason::Failed);
    }

    /// The runs are complete whose number is.
    pub fn complete(&mut self, numbered: bool) {
        if self.phase == Phase::Turn && numbered {
            self.expect_no_number();
        }
        let ends_turn = match self.phase {
            Phase::Turn => self.turn_fn.after.is_none(),
            Phase::After => true,
            Phase::End => return,
        };
        if ends_turn {
            self.mark_unverified();
        }
        self.code.code.store_lanes(ExitReason::Done.kept(), MEANT);
    }

    /// A pass alone does not show that the player could move.
    fn mark_unverified(&mut self) {
        if !self.turn_fn.may_be_unverified() {
            return;
        }
        let code = &mut self.code.code;
        code.load_lanes(ASKED, ExitReason::Passed.kept());
        code.load_lanes(ASKED_MORE, ExitReason::Acted.kept());
        code.pair_lanes(Pair::AndNot, ASKED, (ASKED_MORE, ASKED));
        code.load_lanes(ASKED_MORE, ExitReason::Asked.kept());
        code.pair_lanes(Pair::And, ASKED, (ASKED, ASKED_MORE));
        code.pair_lanes(Pair::And, ASKED, (ASKED, MEANT));
        self.lose(ExitReason::Unverified);
    }
}
