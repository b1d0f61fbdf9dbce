//! Turn queue: lanes and their players go in; the player whom most lanes wait for comes out, with
//! these lanes.

use smallvec::SmallVec;

use crate::board::Player;
use crate::simt::registers::LaneMask;

/// The first bit of a continuation, and the bits before it.
const CONTINUATION: u32 = 40;
const TURN: u64 = (1 << CONTINUATION) - 1;

/// A seat, how many turns of the opening are over, and how the turn goes on where it is suspended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn(u64);

impl Turn {
    pub fn new(player: Player, opening: u32) -> Turn {
        Turn(u64::from(player.0) | u64::from(opening) << 8)
    }

    pub fn player(self) -> Player {
        Player(self.0 as u8)
    }

    pub fn opening(self) -> u32 {
        (self.0 >> 8) as u32
    }

    /// The turn, to go on with a continuation, from 1 on; with 0 it begins.
    pub fn suspended(self, next: u64) -> Turn {
        Turn(self.0 & TURN | next << CONTINUATION)
    }

    /// The continuation that it goes on with. `None`: it begins.
    pub fn continuation(self) -> Option<usize> {
        (self.0 >> CONTINUATION).checked_sub(1).map(|next| next as usize)
    }

    pub fn word(self) -> u64 {
        self.0
    }
}

/// By turn, the lanes that it is next in. Those without a game are in none.
#[derive(Clone, Debug, Default)]
pub struct Turns(SmallVec<[(Turn, LaneMask); 4]>);

impl Turns {
    /// What most lanes wait for, and which these are; `None`: there are no games.
    pub fn commonest(&self) -> Option<(Turn, LaneMask)> {
        self.0.iter().copied().max_by_key(|(_, lanes)| lanes.count()).filter(|(_, lanes)| !lanes.is_empty())
    }

    pub fn of(&self, i: usize, lane: usize) -> Option<Turn> {
        self.0.iter().find(|(_, lanes)| lanes.has(i, lane)).map(|(turn, _)| *turn)
    }

    /// The lanes in which it is a player's.
    pub fn of_player(&self, player: Player) -> LaneMask {
        self.0.iter().filter(|(turn, _)| turn.player() == player).fold(LaneMask::NONE, |all, (_, lanes)| all.or(*lanes))
    }

    /// The lanes whose turn goes on with a continuation.
    pub fn suspended(&self) -> LaneMask {
        let suspended = self.0.iter().filter(|(turn, _)| turn.continuation().is_some());
        suspended.fold(LaneMask::NONE, |all, (_, lanes)| all.or(*lanes))
    }

    /// From now on it is this turn in these lanes.
    #[inline]
    pub fn go_on(&mut self, lanes: LaneMask, to: Turn) {
        if lanes.is_empty() {
            return;
        }
        self.end(lanes);
        match self.0.iter_mut().find(|(turn, _)| *turn == to) {
            Some((_, there)) => *there = there.or(lanes),
            None => {
                self.0.retain(|(_, lanes)| !lanes.is_empty());
                self.0.push((to, lanes));
            }
        }
    }

    /// These lanes have no game.
    pub fn end(&mut self, lanes: LaneMask) {
        self.0.iter_mut().for_each(|(_, there)| *there = there.without(lanes));
    }

    /// The turns that some lanes wait for, with these.
    pub fn iter(&self) -> impl Iterator<Item = (Turn, LaneMask)> {
        self.0.iter().copied().filter(|(_, lanes)| !lanes.is_empty())
    }

    /// By turn, its lanes.
    pub fn masks(&mut self) -> impl Iterator<Item = &mut LaneMask> {
        self.0.iter_mut().map(|(_, lanes)| lanes)
    }
}

#[cfg(test)]
mod tests {
    use crate::simt::turn_queue::*;

    #[test]
    fn each_lane_waits_for_one_turn() {
        let mut turns = Turns::default();
        assert_eq!(turns.commonest(), None);
        let (first, second) = (Turn::new(Player(0), 2), Turn::new(Player(1), 2));
        turns.go_on(LaneMask::first(20), first);
        turns.go_on(LaneMask::first(5), second);
        assert_eq!(turns.commonest(), Some((first, LaneMask::first(20).without(LaneMask::first(5)))));
        assert_eq!((turns.of(0, 4), turns.of(0, 5), turns.of(2, 4)), (Some(second), Some(first), None));
        assert_eq!(turns.of_player(Player(1)), LaneMask::first(5));
        turns.go_on(LaneMask::first(20), second);
        assert_eq!(
            (turns.commonest(), turns.of_player(Player(0))),
            (Some((second, LaneMask::first(20))), LaneMask::NONE)
        );
        turns.end(LaneMask::first(20));
        assert_eq!((turns.commonest(), turns.of(0, 4)), (None, None));
        assert_eq!((second.player(), second.opening(), second.continuation()), (Player(1), 2, None));
        let suspended = second.suspended(3);
        assert_eq!((suspended.player(), suspended.opening(), suspended.continuation()), (Player(1), 2, Some(2)));
        assert_eq!(suspended.suspended(0), second);
    }
}
