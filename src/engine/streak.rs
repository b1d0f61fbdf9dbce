//! Turns that one run plays, one after the other: where nothing comes between a turn and its outcomes, nor between these and the next turn,
//! the run goes on with it.

use super::draw::Runs;
use super::machine::{Code, Event, Flags, Machine};

/// What the run of a turn goes on with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Streak {
    /// Who is to move.
    pub seat: u8,
    /// Turns that are over.
    pub turns: u64,
    /// So many may be played on.
    pub left: u64,
    /// How many runs those turns had to draw from.
    pub choices: Runs,
}

impl<const W: usize> Machine<W> {
    /// The run of a turn, or of the outcomes behind it, is over: where it goes on.
    #[inline(always)]
    pub(super) fn go_on(&mut self, code: &Code<W>) -> Result<u32, Event> {
        if !self.drawing {
            return Err(Event::End);
        }
        if self.then != 0 {
            return Ok(self.judge_now());
        }
        if !self.judged || self.decided.is_some() || self.streak.left == 0 || self.flags.again {
            return Err(Event::End);
        }
        self.next_turn(code)
    }

    #[inline(never)]
    fn next_turn(&mut self, code: &Code<W>) -> Result<u32, Event> {
        let next = usize::from(self.streak.seat) + 1;
        let next = if next < code.linked.entries.len() { next } else { 0 };
        let entries = &code.linked.entries[next];
        if !entries.bare || entries.spoils {
            return Err(Event::End);
        }
        self.streak.seat = next as u8;
        self.streak.turns += 1;
        self.streak.left -= 1;
        self.streak.choices += self.offered.take().unwrap_or(Runs::ONE);
        (self.judged, self.then) = (false, entries.end);
        match self.take_over(code, entries.turn) {
            None => {
                (self.flags, self.worked) = (Flags::default(), 0);
                Ok(entries.turn)
            }
            Some(Event::Choice(point)) if code.linked.points[point as usize].sure => Ok(code.linked.points[point as usize].at),
            Some(event) => Err(event),
        }
    }
}
