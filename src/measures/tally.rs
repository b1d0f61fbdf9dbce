//! Tally: results of single games go in, in any grouping; counts, means and intervals come out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::board::{Player, PlayerSet};
use crate::interp::TurnCount;
use crate::measures::details::{Counted, Detail, Details};
use crate::measures::statistics::{Moments, wilson};
use crate::model;

/// How one game went.
#[derive(Clone, Debug)]
pub struct Played {
    /// `None`: unfinished.
    pub outcome: Option<Ended>,
    pub turns: u64,
    pub plies: u64,
    /// Legal plies, added up over all plies.
    pub choices: TurnCount,
    /// Where it was asked for.
    pub detail: Option<Box<Detail>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// Empty: a draw.
    pub winners: PlayerSet,
    /// The place of the outcome in the game's `end`.
    pub by: usize,
}

/// What many games came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    games: u64,
    wins: Vec<u64>,
    draws: u64,
    unfinished: u64,
    plies: Spread,
    #[serde(with = "WrittenCount")]
    choices: TurnCount,
    /// In turns.
    lengths: Lengths,
    ends: Vec<u64>,
    /// By the lines of `end`: the shortest and the longest game.
    extremes: Vec<Option<Extremes>>,
    /// Games by who won them, each player a bit: a draw has none.
    results: BTreeMap<u64, u64>,
    details: Option<Counted>,
}

/// A count of legal plies as data.
#[derive(Serialize, Deserialize)]
#[serde(remote = "TurnCount")]
struct WrittenCount {
    count: u64,
    estimated: bool,
}

/// The shortest and the longest of some games: turns, and the number of the game. Of equal ones the first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Extremes {
    shortest: (u64, u64),
    longest: (u64, u64),
}

impl Extremes {
    fn one(turns: u64, number: u64) -> Extremes {
        Extremes { shortest: (turns, number), longest: (turns, number) }
    }

    fn and(self, other: Extremes) -> Extremes {
        let least = |one: (u64, u64), other: (u64, u64)| one.min(other);
        let most = |one: (u64, u64), other: (u64, u64)| {
            if (one.0, std::cmp::Reverse(one.1)) > (other.0, std::cmp::Reverse(other.1)) { one } else { other }
        };
        Extremes { shortest: least(self.shortest, other.shortest), longest: most(self.longest, other.longest) }
    }
}

/// How many games have each length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Lengths {
    /// By turns, below [`COUNTED_SINGLY`]. A vector, as a map would cost a short game a part of its time.
    short: Vec<u64>,
    long: BTreeMap<u64, u64>,
}

/// Games of fewer turns are counted in a vector.
const COUNTED_SINGLY: u64 = 1 << 14;
/// Lines of a histogram, at most.
const MOST_BARS: u64 = 12;

impl Lengths {
    fn add(&mut self, turns: u64, games: u64) {
        match usize::try_from(turns).ok().filter(|_| turns < COUNTED_SINGLY) {
            Some(at) => {
                if self.short.len() <= at {
                    self.short.resize(at + 1, 0);
                }
                self.short[at] = self.short[at].saturating_add(games);
            }
            None => {
                let all = self.long.entry(turns).or_default();
                *all = all.saturating_add(games);
            }
        }
    }

    /// Each length that some games have, from the least on, and how many.
    fn counted(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let short = (0..).zip(&self.short).map(|(turns, games)| (turns, *games)).filter(|(_, games)| *games > 0);
        short.chain(self.long.iter().map(|(turns, games)| (*turns, *games)))
    }

    fn merge(&mut self, other: &Lengths) {
        other.counted().for_each(|(turns, games)| self.add(turns, games));
    }

    fn moments(&self) -> Moments {
        let counted: Vec<(f64, u64)> = self.counted().map(|(turns, games)| (turns as f64, games)).collect();
        Moments::of(counted.iter().copied())
    }

    fn spread(&self) -> Spread {
        let mut spread = Spread::NONE;
        for (turns, games) in self.counted() {
            spread.sum = spread.sum.saturating_add(turns.saturating_mul(games));
            spread.least = spread.least.min(turns);
            spread.most = spread.most.max(turns);
        }
        spread
    }

    /// The least length that so many hundredths of the games do not exceed: the nearest rank.
    fn percentile(&self, hundredths: u64) -> u64 {
        let games: u64 = self.counted().map(|(_, games)| games).sum();
        let rank = (u128::from(games) * u128::from(hundredths)).div_ceil(100).max(1);
        let mut before = 0;
        for (turns, games) in self.counted() {
            before += u128::from(games);
            if before >= rank {
                return turns;
            }
        }
        0
    }

    /// Bars of one width, a round number, from the shortest game to the longest.
    fn histogram(&self) -> Vec<Bar> {
        let Some((least, _)) = self.counted().next() else { return Vec::new() };
        let most = self.counted().last().map_or(least, |(turns, _)| turns);
        let widths = (0..18).flat_map(|power| [1, 2, 5].map(|step| step * 10_u64.pow(power)));
        let fits = |width: &u64| most / width - least / width < MOST_BARS;
        let width = widths.into_iter().find(fits).unwrap_or(u64::MAX);
        let mut bars: Vec<Bar> = (least / width..=most / width)
            .map(|at| Bar { from: at * width, to: (at * width).saturating_add(width - 1), games: 0 })
            .collect();
        for (turns, games) in self.counted() {
            if let Some(bar) = bars.get_mut((turns / width - least / width) as usize) {
                bar.games += games;
            }
        }
        bars
    }
}

/// Mean, least and most of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Spread {
    sum: u64,
    least: u64,
    most: u64,
}

impl Spread {
    const NONE: Spread = Spread { sum: 0, least: u64::MAX, most: 0 };

    fn add(&mut self, n: u64) {
        self.sum += n;
        self.least = self.least.min(n);
        self.most = self.most.max(n);
    }

    fn merge(&mut self, other: Spread) {
        self.sum = self.sum.saturating_add(other.sum);
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }

    fn of(self, games: u64) -> Length {
        Length { mean: ratio(self.sum, games), min: if games == 0 { 0 } else { self.least }, max: self.most }
    }
}

/// The result of a simulation, as it is printed.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub games: u64,
    pub players: Vec<Score>,
    pub draws: Share,
    /// Games that reached the bound of turns; never counted as draws.
    pub unfinished: Share,
    pub turns: Length,
    pub plies: Length,
    /// Legal plies a ply; none where no ply was counted.
    pub mean_branching: Option<f64>,
    /// Some plies were drawn without counting all; the mean is without bias, but not exact.
    pub branching_estimated: bool,
    pub lengths: Distribution,
    /// By the lines of `end`, in their order.
    pub ends: Vec<End>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
}

/// How turns of games are distributed. Percentiles are nearest ranks: so many hundredths of the games are no longer.
#[derive(Clone, Debug, Serialize)]
pub struct Distribution {
    pub p5: u64,
    pub p25: u64,
    pub median: u64,
    pub p75: u64,
    pub p95: u64,
    pub histogram: Vec<Bar>,
}

/// Games of `from` to `to` turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bar {
    pub from: u64,
    pub to: u64,
    pub games: u64,
}

/// A game of a run: its number, by which the seed plays it again.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Extreme {
    pub turns: u64,
    pub game: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Score {
    pub player: String,
    pub wins: u64,
    /// Share of all games.
    pub share: f64,
    /// 95 % Wilson score interval of the share.
    pub interval: [f64; 2],
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Share {
    pub games: u64,
    pub share: f64,
    pub interval: [f64; 2],
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Length {
    pub mean: f64,
    pub min: u64,
    pub max: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct End {
    /// `file:line` of the outcome.
    pub place: String,
    pub outcome: String,
    pub games: u64,
    /// The shortest and the longest game that ended so.
    pub shortest: Option<Extreme>,
    pub longest: Option<Extreme>,
}

impl Tally {
    pub fn new(game: &model::Game) -> Tally {
        Tally {
            games: 0,
            wins: vec![0; game.seats.len()],
            draws: 0,
            unfinished: 0,
            plies: Spread::NONE,
            choices: TurnCount::default(),
            lengths: Lengths::default(),
            ends: vec![0; game.end.len()],
            extremes: vec![None; game.end.len()],
            results: BTreeMap::new(),
            details: None,
        }
    }

    /// Counts the game of a number.
    pub fn add(&mut self, number: u64, played: &Played) {
        self.games += 1;
        self.lengths.add(played.turns, 1);
        self.plies.add(played.plies);
        self.choices += played.choices;
        let mut winners = 0;
        match played.outcome {
            None => self.unfinished += 1,
            Some(ended) => {
                self.ends[ended.by] += 1;
                let bits = ended.winners.iter().fold(0, |bits, player| bits | 1 << (player.index() % 64));
                *self.results.entry(bits).or_default() += 1;
                winners = bits;
                let extreme = Extremes::one(played.turns, number);
                let before = &mut self.extremes[ended.by];
                *before = Some(before.map_or(extreme, |before| before.and(extreme)));
                if ended.winners.is_empty() {
                    self.draws += 1;
                }
                for player in ended.winners.iter() {
                    self.wins[player.index()] += 1;
                }
            }
        }
        if let Some(detail) = &played.detail {
            self.details.get_or_insert_default().add(detail, played.turns, winners);
        }
    }

    /// Takes in other games. A part that was read may say anything, so nothing overflows.
    pub fn merge(&mut self, other: &Tally) {
        let counts = self.wins.iter_mut().zip(&other.wins).chain(self.ends.iter_mut().zip(&other.ends));
        let all = [
            (&mut self.games, &other.games),
            (&mut self.draws, &other.draws),
            (&mut self.unfinished, &other.unfinished),
        ];
        counts.chain(all).for_each(|(own, other)| *own = own.saturating_add(*other));
        self.plies.merge(other.plies);
        self.choices += other.choices;
        self.lengths.merge(&other.lengths);
        if let Some(details) = &other.details {
            self.details.get_or_insert_default().merge(details);
        }
        for (bits, games) in &other.results {
            let all = self.results.entry(*bits).or_default();
            *all = all.saturating_add(*games);
        }
        for (own, other) in self.extremes.iter_mut().zip(&other.extremes) {
            *own = match (*own, *other) {
                (Some(own), Some(other)) => Some(own.and(other)),
                (own, other) => own.or(other),
            };
        }
    }

    /// Whether it can be a tally of this game: as many players and outcomes, and each game counted once.
    pub fn fits(&self, game: &model::Game) -> bool {
        let sum = |counts: &mut dyn Iterator<Item = u64>| counts.map(u128::from).sum::<u128>();
        let ended = u128::from(self.games).checked_sub(u128::from(self.unfinished));
        self.wins.len() == game.seats.len()
            && self.ends.len() == game.end.len()
            && self.extremes.len() == game.end.len()
            && self.lengths.short.len() as u64 <= COUNTED_SINGLY
            && self.wins.iter().chain([&self.draws]).all(|games| *games <= self.games)
            && sum(&mut self.lengths.counted().map(|(_, games)| games)) == u128::from(self.games)
            && Some(sum(&mut self.ends.iter().copied())) == ended
            && Some(sum(&mut self.results.values().copied())) == ended
    }

    /// Games by who won them, each player a bit, and those that did not end.
    pub fn results(&self) -> (&BTreeMap<u64, u64>, u64) {
        (&self.results, self.unfinished)
    }

    /// Of the turns of a game.
    pub fn moments(&self) -> Moments {
        self.lengths.moments()
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    pub fn summary(&self, game: &model::Game) -> Summary {
        Summary {
            games: self.games,
            players: game.players().map(|player| self.score(game, player)).collect(),
            draws: self.share(self.draws),
            unfinished: self.share(self.unfinished),
            turns: self.lengths.spread().of(self.games),
            plies: self.plies.of(self.games),
            mean_branching: (self.choices.count > 0).then(|| ratio(self.choices.count, self.plies.sum)),
            branching_estimated: self.choices.estimated,
            lengths: self.distribution(),
            details: self.details.as_ref().map(|details| details.details(game, &self.lengths.histogram())),
            ends: game.end.iter().enumerate().map(|(by, outcome)| self.end(game, outcome, by)).collect(),
        }
    }

    fn distribution(&self) -> Distribution {
        let at = |hundredths| self.lengths.percentile(hundredths);
        let histogram = self.lengths.histogram();
        Distribution { p5: at(5), p25: at(25), median: at(50), p75: at(75), p95: at(95), histogram }
    }

    fn end(&self, game: &model::Game, outcome: &model::Outcome, by: usize) -> End {
        let text = game.sources.slice(outcome.span).split_whitespace().collect::<Vec<_>>().join(" ");
        let place = game.sources.place(outcome.span);
        let place = place.rsplit_once(':').map_or(place.clone(), |(line, _)| line.to_string());
        let extremes = self.extremes[by];
        let told = |(turns, game)| Extreme { turns, game };
        End {
            place,
            outcome: text,
            games: self.ends[by],
            shortest: extremes.map(|extremes| told(extremes.shortest)),
            longest: extremes.map(|extremes| told(extremes.longest)),
        }
    }

    fn score(&self, game: &model::Game, player: Player) -> Score {
        let wins = self.wins[player.index()];
        let share = self.share(wins);
        Score { player: game.player(player).name.clone(), wins, share: share.share, interval: share.interval }
    }

    fn share(&self, games: u64) -> Share {
        Share { games, share: ratio(games, self.games), interval: wilson(games, self.games) }
    }
}

pub fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

#[cfg(test)]
mod tests {
    use crate::measures::tally::{Bar, Extremes, Lengths};

    fn lengths(games: impl IntoIterator<Item = u64>) -> Lengths {
        let mut lengths = Lengths::default();
        games.into_iter().for_each(|turns| lengths.add(turns, 1));
        lengths
    }

    #[test]
    fn percentiles_are_nearest_ranks() {
        // The example of the nearest-rank method: five values, 15 20 35 40 50.
        let some = lengths([35, 20, 15, 50, 40]);
        assert_eq!([5, 30, 40, 50, 100].map(|at| some.percentile(at)), [15, 20, 20, 35, 50]);
        assert_eq!(lengths([]).percentile(50), 0);
        assert_eq!(lengths([1 << 20, 7]).percentile(95), 1 << 20);
    }

    #[test]
    fn a_histogram_has_each_game_in_one_bar() {
        let some = lengths((30..=120).chain([30, 30]));
        let bars = some.histogram();
        assert_eq!(bars.first(), Some(&Bar { from: 30, to: 39, games: 12 }));
        assert_eq!(bars.last(), Some(&Bar { from: 120, to: 129, games: 1 }));
        assert_eq!(bars.iter().map(|bar| bar.games).sum::<u64>(), 93);
        assert_eq!(lengths([0]).histogram(), [Bar { from: 0, to: 0, games: 1 }]);
        assert!(lengths([]).histogram().is_empty());
        assert_eq!(lengths([0, u64::MAX]).histogram().iter().map(|bar| bar.games).sum::<u64>(), 2);
    }

    #[test]
    fn tallies_do_not_depend_on_how_games_are_grouped() {
        let games = [(5, 3), (9, 1), (5, 0), (9, 2)].map(|(turns, number)| Extremes::one(turns, number));
        let [a, b, c, d] = games;
        for all in [a.and(b).and(c).and(d), a.and(b).and(c.and(d)), d.and(c).and(b).and(a)] {
            assert_eq!((all.shortest, all.longest), ((5, 0), (9, 1)));
        }
        let (mut one, other) = (lengths([1, 2, 40_000]), lengths([2, 40_000]));
        one.merge(&other);
        assert_eq!(one.counted().collect::<Vec<_>>(), [(1, 1), (2, 2), (40_000, 2)]);
    }
}
