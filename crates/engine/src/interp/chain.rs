//! Turn chaining: a complete run goes in; the run goes on with the outcomes and the next turn,
//! where nothing comes between, and so returns to the caller once for many turns.

use crate::board::Player;
use crate::interp::state::program::Program;
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::search::VmExit;
use crate::interp::state::turn::Flags;
use crate::interp::state::vm::Vm;

impl<const W: usize> Vm<W> {
    /// The run of a turn, or of the outcomes behind it, is over: where it goes on.
    #[inline(always)]
    pub fn continue_run(&mut self, program: &Program<W>) -> Result<u32, VmExit> {
        if !self.sampler.active {
            return Err(VmExit::End);
        }
        if self.sampler.unranking {
            if self.sampler.rank != 0 {
                return Err(VmExit::End);
            }
            self.record_first_draw(true);
            self.sampler.unranking = false;
        }
        if self.turn.end_entry != 0 {
            return self.leave_turn(program);
        }
        if !self.turn.end_evaluated {
            return Err(VmExit::End);
        }
        if self.turn.decided.is_some() {
            return if self.turn.speculation.taken { Ok(self.enter_end_again(program)) } else { Err(VmExit::End) };
        }
        if self.turn.chain.left == 0 || self.turn.flags.again {
            return Err(VmExit::End);
        }
        self.next_turn(program)
    }

    #[inline(always)]
    fn leave_turn(&mut self, program: &Program<W>) -> Result<u32, VmExit> {
        if program.asks_stuck && self.speculation_failed() { Err(VmExit::End) } else { Ok(self.enter_end(program)) }
    }

    /// The outcomes are asked without what was taken for granted.
    #[inline(always)]
    fn enter_end_again(&mut self, program: &Program<W>) -> u32 {
        self.turn.decided = None;
        self.turn.speculation.begin(None);
        program.code.entries[usize::from(self.turn.chain.seat)].end
    }

    /// Whose turn it is after that of the present seat, if that does not play again.
    #[inline(always)]
    fn next_seat(&self, program: &Program<W>) -> u8 {
        let next = self.turn.chain.seat + 1;
        if usize::from(next) < program.code.entries.len() { next } else { 0 }
    }

    /// The turn is complete: the outcomes are asked of the position as it is now. Where that is.
    #[inline(always)]
    fn enter_end(&mut self, program: &Program<W>) -> u32 {
        self.turn.end_evaluated = true;
        self.turn.decided = None;
        if program.asks_stuck {
            self.forget_probed();
            self.turn.stuck = [None; 8];
            let next = if self.turn.flags.again { self.turn.chain.seat } else { self.next_seat(program) };
            self.turn.speculation.begin(self.turn.chain.goes_on().then_some(Player(next)));
        }
        std::mem::take(&mut self.turn.end_entry)
    }

    #[inline(always)]
    fn next_turn(&mut self, program: &Program<W>) -> Result<u32, VmExit> {
        let next = self.next_seat(program);
        let entries = &program.code.entries[usize::from(next)];
        if !entries.no_cleanup {
            return Err(VmExit::End);
        }
        if program.asks_stuck {
            self.turn.speculation.rests =
                std::mem::take(&mut self.turn.speculation.taken).then_some(Player(self.turn.chain.seat));
        }
        self.save_checkpoint_if_needed(program, entries.may_fail_dirty);
        self.turn.chain.seat = next;
        self.turn.chain.turns += 1;
        self.turn.chain.left -= 1;
        self.turn.chain.choices += self.sampler.turn_count.take().unwrap_or(TurnCount::ONE);
        (self.turn.end_evaluated, self.turn.end_entry) = (false, entries.end);
        if program.asks_stuck
            && let Some(event) = self.import_state(program, entries.turn)
        {
            return match event {
                VmExit::Choice(point) if program.code.points[point as usize].draws() => {
                    Ok(program.code.points[point as usize].at)
                }
                event => Err(event),
            };
        }
        (self.turn.flags, self.turn.work) = (Flags::default(), 0);
        Ok(entries.turn)
    }
}
