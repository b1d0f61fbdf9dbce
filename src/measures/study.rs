//! Study of a game: what was played and found goes in; the numbers of a report, as data, come out.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::{Coverage, CoveredRule, RuleKind};
use crate::measures::findings::Finding;
use crate::measures::games::Sample;
use crate::measures::quality::Measure;
use crate::measures::statistics::{elo, holm, homogeneity, sign_test, wilson, wilson_of};
use crate::measures::tally::Bar;
use crate::sort;

/// Games whose prospects are drawn.
const MOST_CURVES: usize = 12;
/// Turns of which the branching is drawn.
const MOST_TURNS: usize = 400;
/// Bars of a histogram, at most.
const MOST_BARS: u64 = 24;
/// Chance explains what is as likely as this, or likelier.
const UNLIKELY: f64 = 0.05;
/// Players whose points lie so, with their interval, are alike.
const ALIKE: [f64; 2] = [0.4, 0.6];
/// First moves that are told.
const MOST_OPENINGS: usize = 12;

/// All that a report shows.
#[derive(Clone, Debug, Serialize)]
pub struct Study {
    pub game: String,
    pub players: Vec<String>,
    pub seed: u64,
    pub max_turns: u32,
    /// Less was played than was asked for.
    pub partial: bool,
    pub findings: Vec<Finding>,
    /// From the weakest players to the strongest.
    pub levels: Vec<Level>,
    pub matches: Vec<Match>,
    /// The players of the games that are measured, and how many games these are.
    pub measured: String,
    pub samples: usize,
    pub measures: Vec<Measure>,
    pub lengths: Vec<Bar>,
    /// By turn.
    pub branching: Vec<Branching>,
    /// How likely the first of two seats was thought to win, ply by ply, in some games.
    pub prospects: Vec<Vec<f64>>,
    /// By cell, in board order: how often in a game men come to stand there, and are captured there.
    pub reached: Vec<f64>,
    pub captured: Vec<f64>,
    pub openings: Vec<Opening>,
    pub book: Vec<BookLine>,
    #[serde(flatten)]
    pub coverage: Covered,
}

/// Games of equals.
#[derive(Clone, Debug, Serialize)]
pub struct Level {
    pub name: String,
    pub games: u64,
    pub seats: Vec<Share>,
    pub draws: Share,
    pub unfinished: Share,
    pub mean_turns: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Share {
    pub games: u64,
    pub share: f64,
    /// Of 95 %.
    pub interval: [f64; 2],
}

impl Share {
    pub fn of(games: u64, all: u64) -> Share {
        let share = if all == 0 { 0.0 } else { games as f64 / all as f64 };
        Share { games, share, interval: wilson(games, all) }
    }
}

/// Games of two unlike players, each seat as often.
#[derive(Clone, Debug, Serialize)]
pub struct Match {
    pub stronger: String,
    pub weaker: String,
    pub games: u64,
    /// Of the stronger one; `null`: there are no games.
    pub points: Option<f64>,
    pub interval: [f64; 2],
    /// `null`: without bound, or without games.
    pub elo: Option<f64>,
    pub elo_interval: [Option<f64>; 2],
    /// How likely so great a difference is by chance, held against how many matches there are.
    pub p: f64,
    pub verdict: Verdict,
    /// The stronger one thinks twice as long.
    pub doubling: bool,
}

/// What a match tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// More often than chance explains.
    StrongerWins,
    StrongerLoses,
    /// There are games enough to see a difference that is worth a word, and there is none.
    Alike,
    /// There are too few games to tell.
    Open,
}

impl Match {
    pub fn of(names: (&str, &str), points: &[f64], doubling: bool) -> Match {
        let (games, sum) = (points.len() as u64, points.iter().sum::<f64>());
        let interval = wilson_of(sum, games);
        let share = (games > 0).then(|| sum / games as f64);
        let count = |wanted: fn(f64) -> bool| points.iter().filter(|one| wanted(**one)).count() as u64;
        Match {
            stronger: names.0.to_string(),
            weaker: names.1.to_string(),
            games,
            points: share,
            interval,
            // No zero has a sign.
            elo: share.and_then(elo).map(|elo| elo + 0.0),
            elo_interval: interval.map(elo),
            p: sign_test(count(|one| one > 0.5), count(|one| one < 0.5)),
            verdict: Verdict::Open,
            doubling,
        }
    }
}

/// Matches that are told together, each with what it tells: chance alone makes one of many stand out.
pub fn judged(mut matches: Vec<Match>) -> Vec<Match> {
    let ps: Vec<f64> = matches.iter().filter(|one| one.games > 0).map(|one| one.p).collect();
    for (one, p) in matches.iter_mut().filter(|one| one.games > 0).zip(holm(&ps)) {
        one.p = p;
        let [low, high] = one.interval;
        one.verdict = match one.points {
            Some(points) if p < UNLIKELY && points > 0.5 => Verdict::StrongerWins,
            Some(points) if p < UNLIKELY && points < 0.5 => Verdict::StrongerLoses,
            _ if low >= ALIKE[0] && high <= ALIKE[1] => Verdict::Alike,
            _ => Verdict::Open,
        };
    }
    matches
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Branching {
    /// From 1.
    pub turn: usize,
    pub plies: u64,
    pub legal: f64,
}

/// A first move, in games of players that search.
#[derive(Clone, Debug, Serialize)]
pub struct Opening {
    pub text: String,
    pub games: u64,
    /// Of its player.
    pub points: f64,
    pub interval: [f64; 2],
    /// How likely it is by chance to do so much better or worse than the others, held against how many there are.
    pub p: f64,
}

/// A first move as a long search sees it.
#[derive(Clone, Debug, Serialize)]
pub struct BookLine {
    pub moves: Vec<String>,
    /// Of its player, from 0 to 1.
    pub value: f64,
    pub proven: bool,
    pub playouts: u64,
}

/// Which rules of the file itself games used.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Covered {
    /// Random games that were played to see it.
    pub covered: u64,
    /// Turns of these, and of games of players that search.
    pub covered_turns: u64,
    pub unused: Vec<Unused>,
    /// Lines that rules begin on.
    pub lines: Vec<CoveredLine>,
}

/// A rule that no game used.
#[derive(Clone, Debug, Serialize)]
pub struct Unused {
    pub what: &'static str,
    pub text: String,
    pub place: String,
    pub line: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CoveredLine {
    /// From 1.
    pub line: usize,
    /// Turns that came through the most used rule of the line; of an outcome, games that it ended.
    pub count: u64,
    /// A rule of the line was never used.
    pub unused: bool,
}

impl Covered {
    pub fn of(coverage: &Coverage) -> Covered {
        let (covered, covered_turns) = (coverage.games, coverage.turns);
        let Some(file) = coverage.files.first() else {
            return Covered { covered, covered_turns, ..Covered::default() };
        };
        let unused = |rule: &CoveredRule| Unused {
            what: match rule.kind {
                RuleKind::Outcome => "an outcome that never applied",
                RuleKind::Alternative => "an alternative that was never taken",
                RuleKind::Way => "a pattern that made no move",
                RuleKind::Statement => "a statement that no turn came to",
            },
            text: rule.rule.clone(),
            place: format!("{}:{}:{}", file.name, rule.line, rule.column),
            line: rule.line,
        };
        let line = |(line, (count, unused)): (usize, (u64, bool))| CoveredLine { line, count, unused };
        Covered {
            covered,
            covered_turns,
            unused: file.unused().into_iter().map(unused).collect(),
            lines: file.lines().into_iter().map(line).collect(),
        }
    }
}

/// Bars of one width, a round number.
pub fn bars(turns: &[u64]) -> Vec<Bar> {
    let (Some(least), Some(most)) = (turns.iter().min(), turns.iter().max()) else { return Vec::new() };
    let widths = (0..18).flat_map(|power| [1, 2, 5].map(|step| step * 10_u64.pow(power)));
    let width = widths.into_iter().find(|width| most / width - least / width < MOST_BARS).unwrap_or(u64::MAX);
    let bar = |at: u64| Bar {
        from: at * width,
        to: (at * width).saturating_add(width - 1),
        games: turns.iter().filter(|turns| *turns / width == at).count() as u64,
    };
    (least / width..=most / width).map(bar).collect()
}

/// The mean number of legal plies in each turn.
pub fn branching(samples: &[Sample]) -> Vec<Branching> {
    let mut found: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for ply in samples.iter().flat_map(|sample| &sample.plies).filter(|ply| ply.chooser.is_some()) {
        let entry = found.entry(ply.turn).or_default();
        *entry = (entry.0 + 1, entry.1 + ply.legal as u64);
    }
    let branching = |(turn, (plies, legal)): (u64, (u64, u64))| Branching {
        turn: turn as usize + 1,
        plies,
        legal: legal as f64 / plies as f64,
    };
    found.into_iter().map(branching).take(MOST_TURNS).collect()
}

pub fn curves(samples: &[Sample]) -> Vec<Vec<f64>> {
    samples.iter().filter_map(Sample::prospects).take(MOST_CURVES).collect()
}

/// By cell: how often it is named in a game.
pub fn heat<'a>(
    samples: &'a [Sample],
    cells: usize,
    of: impl Fn(&'a crate::measures::games::Ply) -> &'a [usize],
) -> Vec<f64> {
    let mut counts = vec![0.0; cells];
    for cell in samples.iter().flat_map(|sample| &sample.plies).flat_map(of) {
        if let Some(count) = counts.get_mut(*cell) {
            *count += 1.0 / samples.len() as f64;
        }
    }
    counts
}

/// The first moves, the most frequent first, each held against all others.
pub fn openings(samples: &[Sample]) -> Vec<Opening> {
    let mut by: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let first = |sample: &'_ Sample| sample.plies.first().and_then(|ply| ply.chooser);
    for sample in samples {
        if let (Some(ply), Some(seat)) = (sample.plies.first(), first(sample)) {
            by.entry(&ply.text).or_default().push(sample.points(seat));
        }
    }
    let (games, points) = by.values().flatten().fold((0.0, 0.0), |sum, points| (sum.0 + 1.0, sum.1 + points));
    let half = |points: f64| (2.0 * points).round() as u64;
    // Half points are counted, so that draws count half.
    let test = |own: &Vec<f64>| {
        let (count, sum) = (own.len() as f64, own.iter().sum::<f64>());
        let others = [half(points - sum), half(games - count - points + sum)];
        homogeneity(&[vec![half(sum), half(count - sum)], others.to_vec()])
    };
    // Two half points of one game are not independent: the statistic is about twice that of games.
    let p = |own: &Vec<f64>| crate::measures::statistics::chi_square_tail(test(own).statistic / 2.0, test(own).degrees);
    let adjusted = holm(&by.values().map(p).collect::<Vec<_>>());
    let opening = |((text, points), p): ((&&str, &Vec<f64>), f64)| {
        let (games, sum) = (points.len() as u64, points.iter().sum::<f64>());
        Opening { text: (*text).to_string(), games, points: sum / games as f64, interval: wilson_of(sum, games), p }
    };
    let mut found: Vec<Opening> = by.iter().zip(adjusted).map(opening).collect();
    sort::by_key(&mut found, |one| std::cmp::Reverse(one.games));
    found.truncate(MOST_OPENINGS);
    found
}

#[cfg(test)]
mod tests {
    use crate::measures::games::{Ply, Sample};
    use crate::measures::study::{Match, Verdict, bars, branching, heat, judged, openings};
    use crate::measures::tally::Bar;

    fn game(text: &str, wins: bool) -> Sample {
        let ply = Ply { text: text.into(), chooser: Some(0), legal: 3, reached: vec![1], ..Ply::default() };
        Sample { plies: vec![ply], turns: 1, winners: Some(vec![usize::from(!wins)]), start: String::new() }
    }

    #[test]
    fn openings_that_win_too_often_stand_out() {
        let games: Vec<Sample> =
            (0..40).flat_map(|at| [game("a1", true), game("b1", at % 2 == 0), game("c1", at % 2 == 1)]).collect();
        let found = openings(&games);
        assert_eq!(found.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["a1", "b1", "c1"]);
        assert!(found[0].points == 1.0 && found[0].p < 1e-4 && found[1].p > 1e-4, "{found:?}");
        let fair: Vec<Sample> = games.iter().filter(|one| one.plies[0].text != "a1").cloned().collect();
        assert!(openings(&fair).iter().all(|one| one.p == 1.0));
        assert!(openings(&[]).is_empty());
    }

    #[test]
    fn games_are_counted_by_length_turn_and_cell() {
        assert_eq!(bars(&[3, 3, 5]).first(), Some(&Bar { from: 3, to: 3, games: 2 }));
        assert_eq!(bars(&[0, 1000]).iter().map(|bar| bar.games).sum::<u64>(), 2);
        assert!(bars(&[]).is_empty());
        let games = [game("a1", true), game("b1", false)];
        assert_eq!(heat(&games, 3, |ply| &ply.reached), [0.0, 1.0, 0.0]);
        let found = branching(&games);
        assert_eq!((found.len(), found[0].turn, found[0].plies, found[0].legal), (1, 1, 2, 3.0));
    }

    #[test]
    fn a_match_tells_elo_where_it_has_a_bound() {
        let even = Match::of(("a", "b"), &[1.0, 0.0, 0.5, 0.5], false);
        assert_eq!((even.points, even.elo), (Some(0.5), Some(0.0)));
        let all = Match::of(("a", "b"), &[1.0, 1.0], true);
        assert!(all.elo.is_none() && all.elo_interval[0].is_some() && all.elo_interval[1].is_none());
        let none = Match::of(("a", "b"), &[], true);
        assert_eq!((none.points, none.elo, none.interval), (None, None, [0.0, 1.0]));
    }

    #[test]
    fn few_games_leave_a_match_open() {
        let played = |wins: usize, losses: usize| {
            let points: Vec<f64> = [vec![1.0; wins], vec![0.0; losses]].concat();
            Match::of(("a", "b"), &points, false)
        };
        let verdicts = |matches: Vec<Match>| judged(matches).iter().map(|one| one.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(vec![played(4, 0)]), [Verdict::Open], "as likely as 1 in 8 by chance");
        assert_eq!(verdicts(vec![played(7, 0)]), [Verdict::StrongerWins]);
        assert_eq!(verdicts(vec![played(0, 7), played(0, 0)]), [Verdict::StrongerLoses, Verdict::Open]);
        assert_eq!(verdicts(vec![played(200, 200)]), [Verdict::Alike]);
        // One of many stands out by chance.
        let many = [vec![played(7, 0)], vec![played(3, 4); 4]].concat();
        assert_eq!(verdicts(many), [Verdict::Open; 5]);
    }
}
