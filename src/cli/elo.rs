//! Elo: points of a match go in; a difference of strength with its interval, and when to stop, come
//! out.
//!
//! Games come in pairs with one opening and exchanged seats, so pairs are what is independent. The
//! sequential test is the generalised likelihood ratio for a normal mean (M. Van den Bergh,
//! "A practical introduction to the GSPRT").

use serde::Serialize;

use crate::measures::statistics::elo;

/// Two-sided 95 percent of a normal distribution.
const Z95: f64 = 1.959_964;

/// Scores of pairs: the mean points of one player in both games, from 0 to 1.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    count: u64,
    sum: f64,
    squares: f64,
}

/// A share of points, and the difference in Elo that it stands for, with a 95 percent interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    pub score: f64,
    pub score_low: f64,
    pub score_high: f64,
    pub elo: Option<f64>,
    pub elo_low: Option<f64>,
    pub elo_high: Option<f64>,
}

impl Pairs {
    pub fn add(&mut self, score: f64) {
        self.count += 1;
        self.sum += score;
        self.squares += score * score;
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn mean(&self) -> f64 {
        if self.count == 0 { 0.5 } else { self.sum / self.count as f64 }
    }

    /// Of the score of one pair. One half of a pair either way is added, so that it is never nothing.
    fn variance(&self) -> f64 {
        let count = self.count as f64 + 2.0;
        let (sum, squares) = (self.sum + 1.0, self.squares + 0.625);
        (squares / count - (sum / count).powi(2)).max(1e-6)
    }

    pub fn strength(&self) -> Strength {
        let score = self.mean();
        let half = if self.count == 0 { 0.5 } else { Z95 * (self.variance() / self.count as f64).sqrt() };
        let (low, high) = ((score - half).max(0.0), (score + half).min(1.0));
        Strength { score, score_low: low, score_high: high, elo: elo(score), elo_low: elo(low), elo_high: elo(high) }
    }

    /// The logarithm of how much likelier the scores are at the second difference in Elo than at the
    /// first.
    pub fn log_likelihood_ratio(&self, (least, most): (f64, f64)) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        let (least, most) = (score_of(least), score_of(most));
        self.count as f64 * (most - least) * (2.0 * self.mean() - least - most) / (2.0 * self.variance())
    }
}

/// The share of points that a difference in Elo stands for.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::{Pairs, elo, score_of};

    #[test]
    fn elo_and_score_are_inverse() {
        for points in [0.1, 0.5, 0.75, 0.909_090_9] {
            let there = elo(points).expect("it has a bound");
            assert!((score_of(there) - points).abs() < 1e-12, "{points}");
        }
        assert!((score_of(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!((elo(0.0), elo(1.0)), (None, None));
    }

    #[test]
    fn intervals_hold_the_score_and_narrow() {
        let mut pairs = Pairs::default();
        let mut widths = Vec::new();
        for _ in 0..4 {
            for score in [0.5, 1.0, 0.5, 0.0, 1.0] {
                pairs.add(score);
            }
            let strength = pairs.strength();
            assert!(strength.score_low < 0.6 && 0.6 < strength.score_high);
            widths.push(strength.score_high - strength.score_low);
        }
        assert!(widths.is_sorted_by(|one, other| one > other), "{widths:?}");
    }

    #[test]
    fn the_test_decides_for_what_is_likelier() {
        let (mut strong, mut even) = (Pairs::default(), Pairs::default());
        for _ in 0..100 {
            strong.add(1.0);
            even.add(0.5);
        }
        assert!(strong.log_likelihood_ratio((0.0, 50.0)) > 3.0);
        assert!(even.log_likelihood_ratio((0.0, 50.0)) < -3.0);
        assert_eq!(Pairs::default().log_likelihood_ratio((0.0, 50.0)), 0.0);
    }
}
