//! Quality measures: sample games go in; what the literature measures games by comes out, each number with its interval.
//!
//! docs/measures.md has the definitions and the sources.

use serde::Serialize;

use crate::measures::games::Sample;
use crate::measures::statistics::{Moments, Z95, student, wilson, wilson_of};
use crate::sort;

/// A leader has to be ahead by so much, from level, before the lead counts as changed: less is noise of the search.
pub const LEAD: f64 = 0.05;
/// From such prospects on a game counts as decided.
pub const DECIDED: f64 = 0.8;
/// A gain of prospects by one ply that counts for permanence.
pub const GAIN: f64 = 0.05;

/// How a number is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// From 0 to 1.
    Share,
    Number,
}

/// A number that tells of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Measure {
    pub key: &'static str,
    pub name: &'static str,
    /// What it is, in words.
    pub meaning: &'static str,
    pub unit: Unit,
    /// `null`: the games do not tell.
    pub value: Option<f64>,
    /// Of 95 %.
    pub interval: Option<[f64; 2]>,
}

/// The measures of games between equals.
pub fn measures(samples: &[Sample], seats: usize, cells: usize) -> Vec<Measure> {
    let mut found = outcomes(samples, seats);
    found.extend(material(samples, cells));
    found.extend(prospects(samples));
    found
}

fn measure(key: &'static str, name: &'static str, meaning: &'static str, unit: Unit) -> Measure {
    Measure { key, name, meaning, unit, value: None, interval: None }
}

impl Measure {
    /// A share of some cases.
    fn share(mut self, successes: usize, cases: usize) -> Measure {
        if cases > 0 {
            self.value = Some(successes as f64 / cases as f64);
            self.interval = Some(wilson(successes as u64, cases as u64));
        }
        self
    }

    /// The mean of one value a game.
    fn mean(mut self, values: impl Iterator<Item = f64>) -> Measure {
        let values: Vec<f64> = values.collect();
        let moments = Moments::of(values.iter().map(|value| (*value, 1)));
        if moments.count > 0 {
            self.value = Some(moments.mean);
            // Few games have a wider interval than the normal distribution gives.
            let half = moments.half_interval() / Z95 * student(moments.count);
            let (low, high) = (moments.mean - half, moments.mean + half);
            let most = if self.unit == Unit::Share { 1.0 } else { f64::INFINITY };
            self.interval = (moments.count > 1).then(|| [low.max(0.0), high.min(most)]);
        }
        self
    }
}

fn outcomes(samples: &[Sample], seats: usize) -> Vec<Measure> {
    let over = samples.iter().filter(|one| one.winners.is_some()).count();
    let drawn = samples.iter().filter(|one| one.winners.as_ref().is_some_and(Vec::is_empty)).count();
    let completion = measure("completion", "Completion", "games that come to an end by the rules", Unit::Share);
    let draws = measure("draws", "Drawishness", "games that end that are drawn", Unit::Share);
    let duration = measure("duration", "Duration", "turns of a game", Unit::Number);
    vec![
        balance(samples, seats),
        advantage(samples, seats),
        completion.share(over, samples.len()),
        draws.share(drawn, over),
        duration.mean(samples.iter().map(|one| one.turns as f64)),
    ]
}

/// 1 minus the largest difference of points between seats.
fn balance(samples: &[Sample], seats: usize) -> Measure {
    let mut found = measure("balance", "Balance", "1 if all seats win alike, 0 if one seat wins always", Unit::Share);
    // The difference of two seats as a share: one half is none.
    let pair = |one: usize, other: usize| {
        let differences = samples.iter().map(|sample| (1.0 + sample.points(one) - sample.points(other)) / 2.0);
        differences.sum::<f64>()
    };
    let pairs = (0..seats).flat_map(|one| (0..one).map(move |other| (one, other)));
    let games = samples.len() as u64;
    let from_half = |sum: f64| (sum / games as f64 - 0.5).abs();
    let widest = pairs.map(|(one, other)| pair(one, other));
    let widest = widest.max_by(|one, other| from_half(*one).total_cmp(&from_half(*other)));
    if let Some(widest) = widest.filter(|_| games > 0) {
        found.value = Some(1.0 - 2.0 * from_half(widest));
        let [low, high] = wilson_of(widest, games);
        let greatest = (low - 0.5).abs().max((high - 0.5).abs());
        let least = if low <= 0.5 && high >= 0.5 { 0.0 } else { (low - 0.5).abs().min((high - 0.5).abs()) };
        found.interval = Some([1.0 - 2.0 * greatest, 1.0 - 2.0 * least]);
    }
    found
}

/// Points of the first seat.
fn advantage(samples: &[Sample], seats: usize) -> Measure {
    let meaning = if seats == 2 {
        "points of who moves first; one half is fair"
    } else {
        "points of who moves first; one part for each seat is fair"
    };
    let mut found = measure("first_player", "First player", meaning, Unit::Share);
    let (sum, games) = (samples.iter().map(|one| one.points(0)).sum::<f64>(), samples.len());
    if games > 0 {
        found.value = Some(sum / games as f64);
        found.interval = Some(wilson_of(sum, games as u64));
    }
    found
}

fn material(samples: &[Sample], cells: usize) -> Vec<Measure> {
    let chosen = |sample: &Sample| sample.plies.iter().filter(|ply| ply.chooser.is_some()).count();
    let plies: usize = samples.iter().map(chosen).sum();
    let legal = |sample: &Sample| {
        let all = sample.plies.iter().filter(|ply| ply.chooser.is_some());
        all.map(|ply| ply.legal).sum::<usize>() as f64 / chosen(sample).max(1) as f64
    };
    let of = |sample: &Sample, wanted: fn(&crate::measures::games::Ply) -> bool| {
        sample.plies.iter().filter(|ply| wanted(ply)).count()
    };
    let forced: usize = samples.iter().map(|one| of(one, |ply| ply.chooser.is_some() && ply.legal == 1)).sum();
    let taking: usize =
        samples.iter().map(|one| of(one, |ply| ply.chooser.is_some() && !ply.captured.is_empty())).sum();
    let coverage = |sample: &Sample| {
        let mut seen: Vec<usize> = sample.plies.iter().flat_map(|ply| ply.reached.iter().copied()).collect();
        sort::by(&mut seen, Ord::cmp);
        seen.dedup();
        seen.len() as f64 / cells.max(1) as f64
    };
    let played = || samples.iter().filter(|one| !one.plies.is_empty());
    vec![
        measure("branching", "Branching factor", "legal plies a ply", Unit::Number).mean(played().map(legal)),
        measure("forced", "Forced plies", "plies that were the only legal one", Unit::Share).share(forced, plies),
        measure("capturing", "Capturing plies", "plies that capture or turn over", Unit::Share).share(taking, plies),
        measure("coverage", "Board coverage", "cells that are entered in a game", Unit::Share)
            .mean(played().map(coverage)),
    ]
}

/// What is told by the prospects of the first of two seats.
fn prospects(samples: &[Sample]) -> Vec<Measure> {
    let all: Vec<(&Sample, Vec<f64>)> =
        samples.iter().filter_map(|sample| Some((sample, sample.prospects()?))).collect();
    let won: Vec<(&Sample, Vec<f64>)> = all
        .iter()
        .filter_map(|(sample, values)| match sample.points(0) {
            points if points > 0.5 => Some((*sample, values.clone())),
            points if points < 0.5 => Some((*sample, values.iter().map(|value| 1.0 - value).collect())),
            _ => None,
        })
        .collect();
    let values = || all.iter().map(|(_, values)| values.as_slice());
    let winners = || won.iter().map(|(_, values)| values.as_slice());
    let named = |key, name, meaning| measure(key, name, meaning, Unit::Share);
    vec![
        named("decisiveness", "Decisiveness", "part of a game that passes before it is decided")
            .mean(winners().map(decided)),
        named("drama", "Drama", "how far winners were behind while they were behind").mean(winners().map(drama)),
        measure("lead_changes", "Lead changes", "how often another takes the lead in a game", Unit::Number)
            .mean(values().map(lead_changes)),
        named("uncertainty", "Uncertainty", "how open games are thought to be, on average over their plies")
            .mean(values().map(|values| uncertainty(values, 0.0))),
        named("late_uncertainty", "Late uncertainty", "the same in the last quarter of games")
            .mean(values().map(|values| uncertainty(values, 0.75))),
        named("killer_moves", "Killer moves", "the largest gain of prospects by one ply of a game")
            .mean(all.iter().map(|(sample, values)| killer(sample, values))),
        named("permanence", "Permanence", "part of a gain that the answer does not take back")
            .mean(all.iter().filter_map(|(sample, values)| permanence(sample, values))),
    ]
}

/// The part of the plies before the winner's prospects are good for good.
fn decided(winner: &[f64]) -> f64 {
    let plies = winner.len().saturating_sub(1).max(1);
    let good = winner.iter().rev().take_while(|value| **value >= DECIDED).count();
    (winner.len().saturating_sub(good)).min(plies) as f64 / plies as f64
}

/// Mean root of how far the winner was behind, over the plies in which he was.
fn drama(winner: &[f64]) -> f64 {
    let behind: Vec<f64> =
        winner.iter().filter(|value| **value < 0.5).map(|value| (1.0 - 2.0 * value).sqrt()).collect();
    if behind.is_empty() { 0.0 } else { behind.iter().sum::<f64>() / behind.len() as f64 }
}

fn lead_changes(values: &[f64]) -> f64 {
    let leads = values.iter().filter(|value| (**value - 0.5).abs() > LEAD).map(|value| *value > 0.5);
    let mut changes = 0;
    let mut before = None;
    for lead in leads {
        changes += usize::from(before.is_some_and(|before| before != lead));
        before = Some(lead);
    }
    changes as f64
}

/// From a part of the game on; the end itself is certain, and left out.
fn uncertainty(values: &[f64], from: f64) -> f64 {
    let plies = values.len().saturating_sub(1);
    let first = ((plies as f64 * from) as usize).min(plies.saturating_sub(1));
    let open: Vec<f64> = values.iter().take(plies).skip(first).map(|value| 1.0 - (2.0 * value - 1.0).abs()).collect();
    if open.is_empty() { 0.0 } else { open.iter().sum::<f64>() / open.len() as f64 }
}

/// What each ply gained for its chooser.
fn gains<'a>(sample: &'a Sample, values: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + 'a {
    let signs = sample.plies.iter().map(|ply| match ply.chooser {
        Some(0) => 1.0,
        Some(_) => -1.0,
        None => 0.0,
    });
    values.windows(2).zip(signs).map(|(two, sign)| (two[1] - two[0]) * sign).enumerate()
}

fn killer(sample: &Sample, values: &[f64]) -> f64 {
    gains(sample, values).map(|(_, gain)| gain).fold(0.0, f64::max)
}

fn permanence(sample: &Sample, values: &[f64]) -> Option<f64> {
    let gains: Vec<(usize, f64)> = gains(sample, values).collect();
    let kept: Vec<f64> = gains
        .windows(2)
        .filter(|two| two[0].1 >= GAIN && sample.plies[two[0].0].chooser != sample.plies[two[1].0].chooser)
        // The answer gains for its own chooser what it takes from the other.
        .map(|two| 1.0 - (two[1].1 / two[0].1).clamp(0.0, 1.0))
        .collect();
    (!kept.is_empty()).then(|| kept.iter().sum::<f64>() / kept.len() as f64)
}

#[cfg(test)]
mod tests {
    use crate::measures::games::{Ply, Sample};
    use crate::measures::quality::{decided, drama, killer, lead_changes, measures, permanence, uncertainty};

    fn close(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-12, "{one}, not {other}");
    }

    /// A game of two seats in turn, with what was thought before each ply; the first wins.
    fn sample(values: &[f64]) -> Sample {
        let ply = |(at, value): (usize, &f64)| Ply {
            chooser: Some(at % 2),
            legal: 2,
            value: Some(*value),
            turn: at as u64,
            ..Ply::default()
        };
        let plies: Vec<Ply> = values.iter().enumerate().map(ply).collect();
        Sample { turns: plies.len() as u64, plies, winners: Some(vec![0]), start: String::new() }
    }

    #[test]
    fn each_measure_is_that_of_its_definition() {
        // The winner is behind twice, takes the lead, and is sure of it for the last two of five plies.
        let game = sample(&[0.5, 0.32, 0.42, 0.9, 0.95]);
        let values = game.prospects().unwrap();
        assert_eq!(values, [0.5, 0.32, 0.42, 0.9, 0.95, 1.0]);
        close(decided(&values), 0.6);
        close(drama(&values), (0.36_f64.sqrt() + 0.16_f64.sqrt()) / 2.0);
        close(lead_changes(&values), 1.0);
        close(uncertainty(&values, 0.0), (1.0 + 0.64 + 0.84 + 0.2 + 0.1) / 5.0);
        close(uncertainty(&values, 0.75), (0.2 + 0.1) / 2.0);
        // The third ply is the first seat's, and gains 0.48; the second seat gains 0 at most.
        close(killer(&game, &values), 0.48);
        // Nothing of it is taken back. The gain of the last ply has no answer.
        close(permanence(&game, &values).unwrap(), 1.0);
        let game = sample(&[0.5, 0.7, 0.6, 0.6]);
        close(permanence(&game, &game.prospects().unwrap()).unwrap(), (0.5 + 1.0) / 2.0);
    }

    #[test]
    fn measures_of_many_games_have_intervals() {
        let games = [sample(&[0.5, 0.5]), sample(&[0.5, 0.9, 0.9])];
        let found = measures(&games, 2, 9);
        let of = |key: &str| found.iter().find(|one| one.key == key).unwrap();
        assert_eq!((of("balance").value, of("completion").value), (Some(0.0), Some(1.0)));
        assert_eq!((of("duration").value, of("draws").value), (Some(2.5), Some(0.0)));
        assert_eq!((of("branching").value, of("forced").value), (Some(2.0), Some(0.0)));
        // One game alone has a gain that is answered.
        let is_told = |key: &str| key != "permanence" && of(key).value.is_some();
        assert!(found.iter().all(|one| one.interval.is_some() == is_told(one.key)), "{found:?}");
        // Nothing is told of no games.
        assert!(measures(&[], 2, 9).iter().all(|one| one.value.is_none() && one.interval.is_none()));
    }
}
