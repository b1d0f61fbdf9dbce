//! Tally: results of single games go in, in any grouping; counts, means and intervals come out.

use serde::Serialize;

use crate::board::{Player, PlayerSet};
use crate::interp::TurnCount;
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
}

#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// Empty: a draw.
    pub winners: PlayerSet,
    /// The place of the outcome in the game's `end`.
    pub by: usize,
}

/// What many games came to.
#[derive(Clone, Debug)]
pub struct Tally {
    games: u64,
    wins: Vec<u64>,
    draws: u64,
    unfinished: u64,
    turns: Spread,
    plies: Spread,
    choices: TurnCount,
    ends: Vec<u64>,
}

/// Mean, least and most of a number.
#[derive(Clone, Copy, Debug)]
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
        self.sum += other.sum;
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
    /// Legal plies a ply.
    pub mean_branching: f64,
    /// Some plies were drawn without counting all; the mean is without bias, but not exact.
    pub branching_estimated: bool,
    /// By the lines of `end`, in their order.
    pub ends: Vec<End>,
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
}

impl Tally {
    pub fn new(game: &model::Game) -> Tally {
        Tally {
            games: 0,
            wins: vec![0; game.seats.len()],
            draws: 0,
            unfinished: 0,
            turns: Spread::NONE,
            plies: Spread::NONE,
            choices: TurnCount::default(),
            ends: vec![0; game.end.len()],
        }
    }

    pub fn add(&mut self, played: &Played) {
        self.games += 1;
        self.turns.add(played.turns);
        self.plies.add(played.plies);
        self.choices += played.choices;
        match played.outcome {
            None => self.unfinished += 1,
            Some(ended) => {
                self.ends[ended.by] += 1;
                if ended.winners.is_empty() {
                    self.draws += 1;
                }
                for player in ended.winners.iter() {
                    self.wins[player.index()] += 1;
                }
            }
        }
    }

    /// Takes in other games.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.draws += other.draws;
        self.unfinished += other.unfinished;
        self.turns.merge(other.turns);
        self.plies.merge(other.plies);
        self.choices += other.choices;
        let counts = self.wins.iter_mut().zip(&other.wins).chain(self.ends.iter_mut().zip(&other.ends));
        counts.for_each(|(own, other)| *own += other);
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
            turns: self.turns.of(self.games),
            plies: self.plies.of(self.games),
            mean_branching: ratio(self.choices.count, self.plies.sum),
            branching_estimated: self.choices.estimated,
            ends: game.end.iter().zip(&self.ends).map(|(outcome, games)| end(game, outcome, *games)).collect(),
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

fn end(game: &model::Game, outcome: &model::Outcome, games: u64) -> End {
    let text = game.sources.slice(outcome.span).split_whitespace().collect::<Vec<_>>().join(" ");
    let place = game.sources.place(outcome.span);
    let place = place.rsplit_once(':').map_or(place.clone(), |(line, _)| line.to_string());
    End { place, outcome: text, games }
}

fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

/// The 95 % score interval of a share, by E. B. Wilson, "Probable inference, the law of succession,
/// and statistical inference", Journal of the American Statistical Association 22 (1927), 209-212.
pub fn wilson(successes: u64, trials: u64) -> [f64; 2] {
    if trials == 0 {
        return [0.0, 1.0];
    }
    // The 97.5 % quantile of the normal distribution.
    let z = 1.959_963_984_540_054_f64;
    let n = trials as f64;
    let p = successes as f64 / n;
    let centre = p + z * z / (2.0 * n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    [((centre - half) / scale).max(0.0), ((centre + half) / scale).min(1.0)]
}

#[cfg(test)]
mod tests {
    use crate::cli::tally::wilson;

    #[test]
    fn wilson_gives_the_published_intervals() {
        // 10 of 20, and 0 of 10: Newcombe, Statistics in Medicine 17 (1998), computed by the same
        // formula.
        let [low, high] = wilson(10, 20);
        assert!((low - 0.2993).abs() < 5e-5 && (high - 0.7007).abs() < 5e-5, "{low} {high}");
        let [low, high] = wilson(0, 10);
        assert!(low == 0.0 && (high - 0.2775).abs() < 5e-5, "{low} {high}");
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
    }
}
