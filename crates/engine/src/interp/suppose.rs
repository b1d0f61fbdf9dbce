//! Supposed ends of turns: a question about the position behind a turn goes in; its answer comes out, as if the turn
//! ended where it is asked. Another vm stands there, so that the run goes on as if nothing had been asked.

use crate::board::Player;
use crate::interp::state::program::Program;
use crate::interp::state::search::VmExit;
use crate::interp::state::vm::Vm;
use crate::plan::{FusedOp, SpanId};
use crate::position::{Fault, FaultKind, MAX_SUPPOSED};

/// A level of supposed turns takes that much of the stack, at most.
const STACK_OF_A_LEVEL: usize = 512 << 10;

impl<const W: usize> Vm<W> {
    /// Answers the question; what stopped the run, if anything did.
    #[cold]
    #[inline(never)]
    pub fn ask_behind(&mut self, program: &Program<W>, question: &FusedOp) -> Option<VmExit> {
        stacker::maybe_grow(STACK_OF_A_LEVEL, 2 * STACK_OF_A_LEVEL, || self.asked_behind(program, question))
    }

    fn asked_behind(&mut self, program: &Program<W>, question: &FusedOp) -> Option<VmExit> {
        let (d, answer) = match *question {
            FusedOp::StuckBehind { d, player, own, place } => {
                let stuck = |behind: &mut Vm<W>| Ok(i64::from(!behind.can_act(program, player)?));
                (d, self.behind_turn(program, (own, place), stuck))
            }
            FusedOp::PositionRepetitionsBehind { d, own, place } => {
                let times = |behind: &mut Vm<W>| Ok(behind.game.history.times_last_position().unwrap_or(0));
                (d, self.behind_turn(program, (own, place), times))
            }
            FusedOp::CycleBehind { d, own, place } => {
                let cycle = |behind: &mut Vm<W>| Ok(behind.game.history.cycle(behind.position_hash(program)));
                (d, self.behind_turn(program, (own, place), cycle))
            }
            _ => return None,
        };
        match answer {
            Ok(answer) => {
                self.put_number(d, answer);
                None
            }
            Err(fault) => {
                self.turn.fault = Some(fault);
                Some(VmExit::Fail)
            }
        }
    }

    /// Asks a vm that stands where the turn of the player has ended: caught men have left, values have aged, the next
    /// player is to move, and the position is noted.
    fn behind_turn<T>(
        &mut self,
        program: &Program<W>,
        (own, place): (Player, SpanId),
        ask: impl FnOnce(&mut Vm<W>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.search.supposed == MAX_SUPPOSED {
            return Err(Fault::new(FaultKind::Supposed, program.place(place)));
        }
        let mut behind = self.behind.take().unwrap_or_else(|| Box::new(Vm::new(program)));
        behind.clear();
        self.stand_like(program, &mut behind);
        // What is remembered for one turn ages by whether the turn has set it.
        let (sets, numbers) = program.shared_regs;
        behind.sets[..sets].copy_from_slice(&self.sets[..sets]);
        behind.numbers[..numbers].copy_from_slice(&self.numbers[..numbers]);
        behind.set_counting(program, false);
        behind.search.supposed += 1;
        behind.turn.work = self.turn.work;
        let entries = &program.code.entries[own.index()];
        if !entries.no_cleanup {
            behind.run(program, entries.after);
        }
        let seats = program.code.entries.len() as u64;
        let next = if self.turn.flags.again { u64::from(own.0) } else { (u64::from(own.0) + 1) % seats };
        let openings = entries.opening.len() as u64;
        behind.game.next_to_move = next | ((self.game.next_to_move >> 8) + 1).min(openings) << 8;
        self.lend_history(program, &mut behind);
        let noted = behind.game.history.lengths();
        if program.asks_history {
            behind.game.history.record_pieces(behind.pieces_hash(program));
            behind.game.history.record_position(behind.position_hash(program));
        }
        let answer = ask(&mut behind);
        behind.game.history.truncate(noted);
        self.lend_history(program, &mut behind);
        self.turn.work = behind.turn.work;
        self.behind = Some(behind);
        answer
    }
}
