//! Tuning: games that a player plays against itself go in; weights of its evaluation come out, by
//! which positions of won games look good.
//!
//! Logistic regression of results on features (M. Buro, 1995): the weights that make the results of
//! the games likeliest, held near those that the rules suggest where the games say little. So it is a maximum a posteriori
//! estimate with a Gaussian prior. Adam (D. Kingma, J. Ba, 2015) finds it. The same games give the same weights.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::game::{Error, Game};
use crate::player::alphabeta::{AlphaBeta, AlphaBetaOptions};
use crate::player::evaluation::{Evaluation, Weights, phase};

/// Random plies that a game begins with, from and to.
const OPENING: std::ops::Range<u32> = 1..9;
/// Of the moves behind them, the share that is random: games and positions differ by it.
const RANDOM: f64 = 0.15;
/// Plies that a move of the games looks ahead.
const DEPTH: u16 = 1;
/// Bytes of the table of a player.
const MEMORY: usize = 1 << 20;
/// The precision of the prior, of weights of features that vary by 1, in games. Positions of one game have one result, so
/// a game counts once, however many positions it has. After 120 games of Breakthrough the new weights scored 10 % with 20
/// here, and 78 % with 400; around zero instead of the suggested weights they scored 7 %.
const PRIOR_GAMES: f64 = 400.0;
/// The steps and the learning rate of Adam.
const STEPS: u32 = 400;
const LEARNING_RATE: f64 = 0.03;
/// Weights less than this tell nothing.
const LEAST: f64 = 0.0005;

/// A position of a game: its features, and what the first player got at the end.
#[derive(Clone, Debug)]
pub struct Sample {
    features: Vec<f32>,
    /// How many cells are filled.
    filled: usize,
    payoff: f32,
}

/// Plays a game by an evaluation with these weights against itself, some moves at random: its
/// positions. Games that do not end within so many turns count as draws.
///
/// # Errors
/// A fault of the rules; a game that chance plays in.
pub fn self_play(game: &Game, weights: Option<&Weights>, seed: u64, max_turns: u32) -> Result<Vec<Sample>, Error> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let options = AlphaBetaOptions { seed, memory: MEMORY, lines: 1 };
    let mut player = AlphaBeta::new(game, weights, options)?;
    let mut evaluation = player.evaluation().clone();
    let mut position = game.start(seed)?;
    let opening = rng.random_range(OPENING);
    let (mut samples, mut before) = (Vec::new(), 0usize);
    while !position.is_over() && position.state().turns() < max_turns {
        let turns = position.state().turns();
        if turns < opening {
            if !position.play_random(&mut rng)? {
                break;
            }
            continue;
        }
        let moves = position.legal_moves()?;
        if moves.is_empty() {
            break;
        }
        let known = if before == 0 { moves.len() } else { before };
        let mobility = (1.0 + moves.len() as f32).ln() - (1.0 + known as f32).ln();
        before = moves.len();
        let features = evaluation.look_at(&position, mobility).to_vec();
        samples.push(Sample { features, filled: evaluation.filled(), payoff: 0.5 });
        let chosen = if rng.random_bool(RANDOM) {
            Some(moves[rng.random_range(0..moves.len())].clone())
        } else {
            let found = player.search(&position, DEPTH, |_| true, |_| ())?;
            found.lines.into_iter().next().map(|line| line.first)
        };
        let Some(chosen) = chosen else { break };
        position.play(&chosen)?;
    }
    let payoff = |player: u8| position.payoff(Player(player)).unwrap_or(0.5);
    let payoff = ((1.0 + payoff(0) - payoff(1)) / 2.0) as f32;
    samples.iter_mut().for_each(|sample| sample.payoff = payoff);
    Ok(samples)
}

/// The likeliest weights by the results of the samples, which come from so many games. Features that never told positions
/// apart have the weights that the rules suggest, in the same measure. Weights of several phases stand around those that
/// are likeliest for all phases alike.
///
/// # Errors
/// A fault of the rules.
pub fn fit(game: &Game, samples: &[Sample], games: u64, phases: usize) -> Result<Weights, Error> {
    let evaluation = Evaluation::new(game, None)?;
    let names = evaluation.names();
    // In which measure the suggested weights tell the odds: one weight for the whole evaluation.
    let suggested: Vec<f64> = evaluation.weights().iter().map(|weight| f64::from(*weight)).collect();
    let worth = |sample: &Sample| -> f64 {
        sample.features.iter().zip(&suggested).map(|(one, weight)| f64::from(*one) * weight).sum()
    };
    let sums: Vec<f32> = samples.iter().map(|sample| worth(sample) as f32).collect();
    let spread = root_mean_square(sums.iter().copied());
    let measure = if spread > 0.0 {
        let rows: Vec<f32> = sums.iter().map(|sum| (f64::from(*sum) / spread) as f32).collect();
        regress(&rows, &[0.0], samples, 0.0)[0] / spread
    } else {
        1.0
    };
    let cells = game.model().topology.len();
    let precision = PRIOR_GAMES / games.max(1) as f64;
    let prior: Vec<f64> = suggested.iter().map(|weight| measure * weight).collect();
    let mut weights = likeliest(samples, &prior, precision, |sample, at| sample.features[at]);
    if phases > 1 {
        let prior: Vec<f64> = weights.iter().flat_map(|weight| std::iter::repeat_n(*weight, phases)).collect();
        weights = likeliest(samples, &prior, precision, |sample, at| {
            let (before, share) = phase(sample.filled, cells, phases);
            let of_phase = match at % phases {
                same if same == before => 1.0 - share,
                next if next == before + 1 => share,
                _ => 0.0,
            };
            sample.features[at / phases] * of_phase
        });
    }
    let values = weights.chunks(phases.max(1)).map(<[f64]>::to_vec);
    let is_worth_it = |values: &[f64]| values.iter().any(|value| value.abs() >= LEAST);
    let values = names.iter().cloned().zip(values).filter(|(_, values)| is_worth_it(values)).collect();
    Ok(Weights { cells, phases: phases.max(1), values, ..Weights::of(game.name()) })
}

/// The likeliest weights around others, of what samples have in columns. Where a column is always 0, its weight stays.
fn likeliest(samples: &[Sample], prior: &[f64], precision: f64, column: impl Fn(&Sample, usize) -> f32) -> Vec<f64> {
    let scales: Vec<f64> =
        (0..prior.len()).map(|at| root_mean_square(samples.iter().map(|sample| column(sample, at)))).collect();
    let used: Vec<usize> = (0..prior.len()).filter(|at| scales[*at] > 0.0).collect();
    let rows: Vec<f32> = (samples.iter())
        .flat_map(|sample| used.iter().map(|at| (f64::from(column(sample, *at)) / scales[*at]) as f32))
        .collect();
    let around: Vec<f64> = used.iter().map(|at| prior[*at] * scales[*at]).collect();
    let found = regress(&rows, &around, samples, precision);
    let mut weights = prior.to_vec();
    used.iter().zip(found).for_each(|(at, found)| weights[*at] = found / scales[*at]);
    weights
}

/// How much a feature varies; 0: it tells no positions apart. What is always the same counts as it is,
/// for the first player's lead.
fn root_mean_square(values: impl ExactSizeIterator<Item = f32>) -> f64 {
    let count = values.len().max(1) as f64;
    (values.map(|value| f64::from(value).powi(2)).sum::<f64>() / count).sqrt()
}

/// Logistic regression of payoffs on rows of as many numbers as the prior has weights, which stand around these with a
/// precision in samples' weight.
fn regress(rows: &[f32], prior: &[f64], samples: &[Sample], precision: f64) -> Vec<f64> {
    let width = prior.len();
    let (mut weights, mut mean, mut square) = (prior.to_vec(), vec![0.0; width], vec![0.0; width]);
    if width == 0 {
        return weights;
    }
    for step in 1..=STEPS {
        let mut gradient = vec![0.0f64; width];
        for (row, sample) in rows.chunks_exact(width).zip(samples) {
            let sum: f64 = row.iter().zip(&weights).map(|(one, weight)| f64::from(*one) * weight).sum();
            let wrong = 1.0 / (1.0 + (-sum).exp()) - f64::from(sample.payoff);
            gradient.iter_mut().zip(row).for_each(|(gradient, one)| *gradient += wrong * f64::from(*one));
        }
        let count = samples.len().max(1) as f64;
        for at in 0..width {
            let gradient = gradient[at] / count + precision * (weights[at] - prior[at]);
            mean[at] = 0.9 * mean[at] + 0.1 * gradient;
            square[at] = 0.999 * square[at] + 0.001 * gradient * gradient;
            let (unbiased, spread) =
                (mean[at] / (1.0 - 0.9f64.powi(step as i32)), square[at] / (1.0 - 0.999f64.powi(step as i32)));
            weights[at] -= LEARNING_RATE * unbiased / (spread.sqrt() + 1e-8);
        }
    }
    weights
}
