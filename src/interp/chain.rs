//! Turns that one run plays, one after the other: where nothing comes between a turn and its
//! outcomes, nor between these and the next turn, the run goes on with it.

use crate::board::Player;
use crate::interp::sample::TurnCount;
use crate::interp::vm::{Event, Flags, Program, Vm};

/// What the run of a turn goes on with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TurnChain {
    /// Who is to move.
    pub seat: u8,
    /// Turns that are over.
    pub turns: u64,
    /// So many may be played on.
    pub left: u64,
    /// The game goes on behind these.
    pub beyond: bool,
    /// How many runs those turns had to draw from.
    pub choices: TurnCount,
}

impl TurnChain {
    /// The present turn is not the last that is played.
    pub fn goes_on(&self) -> bool {
        self.left > 0 || self.beyond
    }
}

impl<const W: usize> Vm<W> {
    /// The run of a turn, or of the outcomes behind it, is over: where it goes on.
    #[inline(always)]
    pub(crate) fn go_on(&mut self, code: &Program<W>) -> Result<u32, Event> {
        if !self.drawing {
            return Err(Event::End);
        }
        if self.numbered {
            if self.left != 0 {
                return Err(Event::End);
            }
            self.tell_first(true);
            self.numbered = false;
        }
        if self.then != 0 {
            return self.turn_to_outcomes(code);
        }
        if !self.judged {
            return Err(Event::End);
        }
        if self.decided.is_some() {
            return if self.presumption.taken { Ok(self.ask_again(code)) } else { Err(Event::End) };
        }
        if self.streak.left == 0 || self.flags.again {
            return Err(Event::End);
        }
        self.next_turn(code)
    }

    #[inline(always)]
    fn turn_to_outcomes(&mut self, code: &Program<W>) -> Result<u32, Event> {
        if code.asks_stuck && self.is_doubtful() { Err(Event::End) } else { Ok(self.judge_now(code)) }
    }

    /// The outcomes are asked without what was taken for granted.
    #[inline(always)]
    fn ask_again(&mut self, code: &Program<W>) -> u32 {
        self.decided = None;
        self.presumption.begin(None);
        code.linked.entries[usize::from(self.streak.seat)].end
    }

    /// Whose turn it is after that of the present seat, if that does not play again.
    #[inline(always)]
    fn next_seat(&self, code: &Program<W>) -> u8 {
        let next = self.streak.seat + 1;
        if usize::from(next) < code.linked.entries.len() { next } else { 0 }
    }

    /// The turn is complete: the outcomes are asked of the position as it is now. Where that is.
    #[inline(always)]
    fn judge_now(&mut self, code: &Program<W>) -> u32 {
        self.judged = true;
        self.decided = None;
        if code.asks_stuck {
            self.forget_begun();
            self.stuck = [None; 8];
            let next = if self.flags.again { self.streak.seat } else { self.next_seat(code) };
            self.presumption.begin(self.streak.goes_on().then_some(Player(next)));
        }
        std::mem::take(&mut self.then)
    }

    #[inline(always)]
    fn next_turn(&mut self, code: &Program<W>) -> Result<u32, Event> {
        let next = self.next_seat(code);
        let entries = &code.linked.entries[usize::from(next)];
        if !entries.no_cleanup {
            return Err(Event::End);
        }
        if code.asks_stuck {
            self.presumption.rests = std::mem::take(&mut self.presumption.taken).then_some(Player(self.streak.seat));
        }
        self.keep_if_needed(code, entries.may_fail_dirty);
        self.streak.seat = next;
        self.streak.turns += 1;
        self.streak.left -= 1;
        self.streak.choices += self.offered.take().unwrap_or(TurnCount::ONE);
        (self.judged, self.then) = (false, entries.end);
        if code.asks_stuck
            && let Some(event) = self.take_over(code, entries.turn)
        {
            return match event {
                Event::Choice(point) if code.linked.points[point as usize].draws() => {
                    Ok(code.linked.points[point as usize].at)
                }
                event => Err(event),
            };
        }
        (self.flags, self.worked) = (Flags::default(), 0);
        Ok(entries.turn)
    }
}
