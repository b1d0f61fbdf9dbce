//! Details of games: positions and choices go in, ply by ply; forced plies, captures, branching through the game and
//! changes of the lead come out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::board::{Player, PlayerSet};
use crate::measures::tally::{Bar, ratio};
use crate::model::{self, Result};
use crate::position::{Fault, Position};
use crate::reference::{Executor, Ply};

/// Turns of which the branching is counted one by one; later ones are left out of it.
const MOST_TURNS: usize = 1 << 14;
/// Lines of the table of branching, at most.
const MOST_BARS: usize = 12;

/// What is counted of one game as it is played.
#[derive(Clone, Debug, Default)]
pub struct Detail {
    plies: u64,
    forced: u64,
    capturing: u64,
    captured: u64,
    /// By turn: legal plies, and of how many plies.
    branching: Vec<(u64, u64)>,
    /// Who led last, and how often that changed.
    leader: Option<PlayerSet>,
    changes: u64,
}

impl Detail {
    /// A player has chosen one of so many plies, in the turn of a number from 0.
    pub fn add(&mut self, game: &model::Game, legal: u64, turn: u64, (before, after): (&Position, &Position)) {
        self.plies += 1;
        self.forced += u64::from(legal == 1);
        let captured = captured(game, before, after);
        self.capturing += u64::from(captured > 0);
        self.captured += captured;
        if let Some(at) = usize::try_from(turn).ok().filter(|at| *at < MOST_TURNS) {
            if self.branching.len() <= at {
                self.branching.resize(at + 1, (0, 0));
            }
            self.branching[at].0 += legal;
            self.branching[at].1 += 1;
        }
    }

    /// Looks at a ply that led from one position to another, in the turn of a number from 0.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn see(
        &mut self,
        game: &model::Game,
        executor: &mut Executor,
        (plies, chosen, turn): (&[Ply], usize, u64),
        (before, after): (&Position, &Position),
    ) -> std::result::Result<(), Fault> {
        let Some(ply) = plies.get(chosen) else { return Ok(()) };
        if ply.is_chosen {
            // In the middle of a turn the men stand as they will.
            let both = (executor.position_now(game, before)?, executor.position_now(game, after)?);
            self.add(game, plies.len() as u64, turn, (&both.0, &both.1));
        }
        if ply.ends_turn {
            self.look_at_score(game, executor, after);
        }
        Ok(())
    }

    /// Looks who leads by the score, where the game has one. Who is level takes the lead from nobody.
    pub fn look_at_score(&mut self, game: &model::Game, executor: &mut Executor, after: &Position) {
        let Some(leaders) = executor.leaders(game, &mut after.clone()).filter(|leaders| !leaders.is_empty()) else {
            return;
        };
        self.changes += u64::from(self.leader.is_some_and(|before| before != leaders));
        self.leader = Some(leaders);
    }
}

/// Men that the enemies of the mover have less than before: captured, turned over, or exchanged.
pub fn captured(game: &model::Game, before: &Position, after: &Position) -> u64 {
    let enemies = game.enemies(before.to_move());
    let count = |position: &Position, player: Player| -> u64 {
        if !game.stacks {
            return position.of(player).len() as u64;
        }
        let men = game.topology.cells().flat_map(|cell| position.men(cell).iter());
        men.filter(|man| man.owner == Some(player)).count() as u64
    };
    enemies.iter().map(|player| count(before, player).saturating_sub(count(after, player))).sum()
}

/// Whether the game has a score: an outcome that compares values of the players.
pub fn has_score(game: &model::Game) -> bool {
    game.end.iter().any(|outcome| matches!(outcome.result, Result::Highest(_)))
}

/// What was counted of many games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    games: u64,
    plies: u64,
    forced: u64,
    capturing: u64,
    captured: u64,
    branching: Vec<(u64, u64)>,
    changes: u64,
    /// By turns and by who won, each player a bit; no bits are a draw or no end.
    #[serde(with = "pairs")]
    results: BTreeMap<(u64, u64), u64>,
}

/// A map whose keys are no words, as a list.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    type Map = BTreeMap<(u64, u64), u64>;

    pub fn serialize<S: Serializer>(map: &Map, serializer: S) -> Result<S::Ok, S::Error> {
        map.iter().collect::<Vec<_>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map, D::Error> {
        Ok(Vec::<((u64, u64), u64)>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// The same in shares and means.
#[derive(Clone, Debug, Serialize)]
pub struct Details {
    /// Share of the plies of players that were the only legal one.
    pub forced: f64,
    /// Share of the plies by which the other side lost men, and the men that it lost in a game.
    pub capturing: f64,
    pub captures_a_game: f64,
    /// Changes of the lead in a game; `null` where no outcome compares scores.
    pub lead_changes: Option<f64>,
    /// Legal plies through the game.
    pub branching: Vec<Stretch>,
    /// Who won the games of each bar of the histogram of lengths.
    pub wins_by_length: Vec<Won>,
}

/// Games of `from` to `to` turns, and how many each player won.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Won {
    pub from: u64,
    pub to: u64,
    pub games: u64,
    pub wins: Vec<u64>,
}

/// Turns `from` to `to`, counted from 1, and the mean number of legal plies in them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stretch {
    pub from: u64,
    pub to: u64,
    pub plies: u64,
    pub legal: f64,
}

impl Counted {
    /// Counts a game of so many turns.
    pub fn add(&mut self, detail: &Detail, turns: u64, winners: u64) {
        self.merge(&Counted {
            games: 1,
            plies: detail.plies,
            forced: detail.forced,
            capturing: detail.capturing,
            captured: detail.captured,
            branching: Vec::new(),
            changes: detail.changes,
            results: BTreeMap::from([((turns, winners), 1)]),
        });
        self.add_branching(&detail.branching);
    }

    pub fn merge(&mut self, other: &Counted) {
        let counts = [
            (&mut self.games, other.games),
            (&mut self.plies, other.plies),
            (&mut self.forced, other.forced),
            (&mut self.capturing, other.capturing),
            (&mut self.captured, other.captured),
            (&mut self.changes, other.changes),
        ];
        counts.into_iter().for_each(|(own, other)| *own = own.saturating_add(other));
        for (key, games) in &other.results {
            let all = self.results.entry(*key).or_default();
            *all = all.saturating_add(*games);
        }
        self.add_branching(&other.branching);
    }

    fn add_branching(&mut self, other: &[(u64, u64)]) {
        let other = other.get(..MOST_TURNS).unwrap_or(other);
        if self.branching.len() < other.len() {
            self.branching.resize(other.len(), (0, 0));
        }
        for (own, (legal, plies)) in self.branching.iter_mut().zip(other) {
            own.0 = own.0.saturating_add(*legal);
            own.1 = own.1.saturating_add(*plies);
        }
    }

    /// With the bars of the histogram of lengths.
    pub fn details(&self, game: &model::Game, bars: &[Bar]) -> Details {
        Details {
            forced: ratio(self.forced, self.plies),
            capturing: ratio(self.capturing, self.plies),
            captures_a_game: ratio(self.captured, self.games),
            lead_changes: has_score(game).then(|| ratio(self.changes, self.games)),
            branching: self.stretches(),
            wins_by_length: bars.iter().map(|bar| self.won(game, *bar)).collect(),
        }
    }

    fn won(&self, game: &model::Game, bar: Bar) -> Won {
        let mut won = Won { from: bar.from, to: bar.to, games: bar.games, wins: vec![0; game.seats.len()] };
        for (&(_, winners), games) in self.results.range((bar.from, 0)..=(bar.to, u64::MAX)) {
            for (seat, wins) in won.wins.iter_mut().enumerate() {
                *wins = wins.saturating_add(if winners >> (seat % 64) & 1 == 1 { *games } else { 0 });
            }
        }
        won
    }

    /// Turns in stretches of one width, a round number.
    fn stretches(&self) -> Vec<Stretch> {
        let widths = (0..6).flat_map(|power| [1, 2, 5].map(|step| step * 10_usize.pow(power)));
        let width = widths.into_iter().find(|width| self.branching.len().div_ceil(*width) <= MOST_BARS);
        let stretch = |(at, part): (usize, &[(u64, u64)])| {
            let add = |sum: (u64, u64), one: &(u64, u64)| (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1));
            let (legal, plies) = part.iter().fold((0, 0), add);
            let from = (at * width.unwrap_or(1)) as u64 + 1;
            Stretch { from, to: from + part.len() as u64 - 1, plies, legal: ratio(legal, plies) }
        };
        self.branching.chunks(width.unwrap_or(1)).enumerate().map(stretch).filter(|one| one.plies > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::details::{Counted, Detail, Stretch};

    #[test]
    fn stretches_hold_each_turn_once() {
        let mut counted = Counted::default();
        let branching = (0..30).map(|turn| (turn, 1)).collect();
        counted.add(&Detail { branching, ..Detail::default() }, 30, 1);
        counted.add(&Detail { branching: vec![(10, 2)], ..Detail::default() }, 1, 0);
        let stretches = counted.stretches();
        assert_eq!(stretches.first(), Some(&Stretch { from: 1, to: 5, plies: 7, legal: 20.0 / 7.0 }));
        assert_eq!(stretches.last(), Some(&Stretch { from: 26, to: 30, plies: 5, legal: 27.0 }));
        assert_eq!(stretches.iter().map(|one| one.plies).sum::<u64>(), 32);
        assert!(Counted::default().stretches().is_empty());
    }
}
