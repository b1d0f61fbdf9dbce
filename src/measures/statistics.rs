//! Statistics: counts go in; intervals and tests of difference come out, each by a formula that is named.

use serde::Serialize;

use crate::sort;

/// The 97.5 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;
/// Expected counts from which on the chi-square distribution is a good approximation (W. G. Cochran, "Some methods
/// for strengthening the common chi-square tests", Biometrics 10, 1954).
const LEAST_EXPECTED: f64 = 5.0;
/// Games from which on a mean is taken as normal.
const MANY: u64 = 30;

/// A test of difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Test {
    pub statistic: f64,
    /// Degrees of freedom; 0 where nothing can differ, and for a normal distribution.
    pub degrees: usize,
    /// How likely so great a difference is by chance alone.
    pub p: f64,
    /// There are enough games for the approximation that the test rests on.
    pub reliable: bool,
}

/// Mean, variance and number of values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    pub count: u64,
    pub mean: f64,
    pub variance: f64,
}

impl Moments {
    /// Of numbers that stand so many times each.
    pub fn of(values: impl Iterator<Item = (f64, u64)> + Clone) -> Moments {
        let count: u64 = values.clone().map(|(_, times)| times).sum();
        if count == 0 {
            return Moments::default();
        }
        let mean = values.clone().map(|(value, times)| value * times as f64).sum::<f64>() / count as f64;
        let squares: f64 = values.map(|(value, times)| (value - mean).powi(2) * times as f64).sum();
        Moments { count, mean, variance: if count > 1 { squares / (count - 1) as f64 } else { 0.0 } }
    }

    /// The square of the standard error of the mean.
    fn error(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.variance / self.count as f64 }
    }

    /// Half of the 95 % interval of the mean, by the normal distribution.
    pub fn half_interval(&self) -> f64 {
        Z95 * self.error().sqrt()
    }
}

/// The 95 % score interval of a share, by E. B. Wilson, "Probable inference, the law of succession,
/// and statistical inference", Journal of the American Statistical Association 22 (1927), 209-212.
pub fn wilson(successes: u64, trials: u64) -> [f64; 2] {
    wilson_of(successes as f64, trials)
}

/// The same where a draw is half a success.
pub fn wilson_of(successes: f64, trials: u64) -> [f64; 2] {
    if trials == 0 {
        return [0.0, 1.0];
    }
    let n = trials as f64;
    let p = successes / n;
    let centre = p + Z95 * Z95 / (2.0 * n);
    let half = Z95 * (p * (1.0 - p) / n + Z95 * Z95 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z95 * Z95 / n;
    [((centre - half) / scale).max(0.0), ((centre + half) / scale).min(1.0)]
}

/// How likely so uneven a count of wins and losses is, if both are as likely: the two-sided sign test, which leaves draws out.
/// W. J. Dixon, A. M. Mood, "The statistical sign test", Journal of the American Statistical Association 41 (1946), 557-566.
pub fn sign_test(wins: u64, losses: u64) -> f64 {
    let all = (wins + losses) as f64;
    // Logarithms of the terms of the binomial distribution, which would be too small themselves.
    let mut term = -all * std::f64::consts::LN_2;
    let mut sum = term.exp();
    for k in 0..wins.min(losses) {
        term += ((all - k as f64) / (k + 1) as f64).ln();
        sum += term.exp();
    }
    (2.0 * sum).min(1.0)
}

/// The 97.5 % quantile of the distribution of a mean of so many values. Student (W. S. Gosset), "The probable error of a
/// mean", Biometrika 6 (1908), 1-25; beyond the table by the expansion of M. Abramowitz, I. A. Stegun, "Handbook of
/// Mathematical Functions" (1964), 26.7.5.
pub fn student(values: u64) -> f64 {
    const TABLE: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let degrees = values.saturating_sub(1);
    match TABLE.get(degrees.wrapping_sub(1) as usize) {
        Some(quantile) => *quantile,
        None if degrees == 0 => f64::INFINITY,
        None => {
            let first = (Z95.powi(3) + Z95) / 4.0;
            let second = (5.0 * Z95.powi(5) + 16.0 * Z95.powi(3) + 3.0 * Z95) / 96.0;
            Z95 + first / degrees as f64 + second / (degrees as f64).powi(2)
        }
    }
}

/// The difference in Elo of a share of points, from A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978), with the
/// logistic curve; `None` where it is without bound.
pub fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

/// Pearson's chi-square test of homogeneity: whether rows of counts come from one distribution. K. Pearson, "On the
/// criterion that a given system of deviations ...", Philosophical Magazine 50 (1900), 157-175.
pub fn homogeneity(rows: &[Vec<u64>]) -> Test {
    let sum = |row: &Vec<u64>| row.iter().sum::<u64>();
    let rows: Vec<&Vec<u64>> = rows.iter().filter(|row| sum(row) > 0).collect();
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let column = |at: usize| rows.iter().map(|row| row.get(at).copied().unwrap_or(0)).sum::<u64>();
    let columns: Vec<(usize, u64)> = (0..width).map(|at| (at, column(at))).filter(|(_, total)| *total > 0).collect();
    let all: u64 = columns.iter().map(|(_, total)| total).sum();
    let degrees = rows.len().saturating_sub(1) * columns.len().saturating_sub(1);
    if degrees == 0 {
        return Test { statistic: 0.0, degrees, p: 1.0, reliable: all > 0 };
    }
    let (mut statistic, mut least) = (0.0, f64::INFINITY);
    for row in &rows {
        for (at, total) in &columns {
            let expected = sum(row) as f64 * *total as f64 / all as f64;
            let found = row.get(*at).copied().unwrap_or(0) as f64;
            statistic += (found - expected).powi(2) / expected;
            least = least.min(expected);
        }
    }
    Test { statistic, degrees, p: chi_square_tail(statistic, degrees), reliable: least >= LEAST_EXPECTED }
}

/// Welch's test of two means, by the normal distribution. B. L. Welch, "The generalization of `Student's` problem when
/// several different population variances are involved", Biometrika 34 (1947), 28-35.
pub fn welch(one: &Moments, other: &Moments) -> Test {
    let (difference, error) = (one.mean - other.mean, (one.error() + other.error()).sqrt());
    let statistic = match (difference == 0.0, error > 0.0) {
        (true, _) => 0.0,
        (false, true) => difference / error,
        // All games of each are as long as each other.
        (false, false) => f64::MAX.copysign(difference),
    };
    Test { statistic, degrees: 0, p: two_sided(statistic), reliable: one.count.min(other.count) >= MANY }
}

/// How likely a normal value is at least so far from 0.
pub fn two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// The upper tail of the chi-square distribution, by its recurrence: M. Abramowitz, I. A. Stegun, "Handbook of
/// Mathematical Functions" (1964), 26.4.8.
pub fn chi_square_tail(statistic: f64, degrees: usize) -> f64 {
    if degrees == 0 || statistic <= 0.0 {
        return 1.0;
    }
    let half = statistic / 2.0;
    let density = (-half).exp();
    let (mut tail, mut term, mut at) = if degrees.is_multiple_of(2) {
        (density, density * half, 2)
    } else {
        // Γ(3/2) is half the root of π.
        let gamma = std::f64::consts::PI.sqrt() / 2.0;
        (libm::erfc(half.sqrt()), density * half.sqrt() / gamma, 1)
    };
    while at < degrees {
        tail += term;
        at += 2;
        term *= 2.0 * half / at as f64;
    }
    tail.min(1.0)
}

/// Values of p for several tests at once, such that a difference is found by chance alone as seldom as in one. S. Holm,
/// "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979), 65-70.
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    sort::by(&mut order, |one, other| ps[*one].total_cmp(&ps[*other]));
    let (mut adjusted, mut greatest) = (vec![1.0; ps.len()], 0.0_f64);
    for (rank, at) in order.into_iter().enumerate() {
        greatest = greatest.max((ps[at] * (ps.len() - rank) as f64).min(1.0));
        adjusted[at] = greatest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use crate::measures::statistics::{
        Moments, chi_square_tail, holm, homogeneity, sign_test, student, two_sided, welch, wilson,
    };

    #[test]
    fn few_games_tell_little() {
        let near = |one: f64, other: f64| (one - other).abs() < 5e-4;
        assert_eq!(sign_test(0, 0), 1.0);
        assert_eq!(sign_test(3, 3), 1.0);
        // 2 of 32, 2 of 1024 and twice 56 of 1024, counted by hand.
        assert!(near(sign_test(5, 0), 0.0625) && near(sign_test(0, 10), 0.00195) && near(sign_test(8, 2), 0.1094));
        assert!(sign_test(5000, 4000) < 1e-20 && sign_test(4000, 5000) > 0.0);
        // The tables of Student's distribution.
        assert!(near(student(2), 12.706) && near(student(11), 2.228));
        assert!((student(13) - 2.179).abs() < 0.01 && (student(31) - 2.042).abs() < 0.005);
        assert!(student(1).is_infinite() && (student(100_000) - 1.96).abs() < 1e-3);
    }

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

    #[test]
    fn tails_are_those_of_the_tables() {
        // Critical values of the usual tables.
        for (statistic, degrees, p) in [
            (3.841, 1, 0.05),
            (6.635, 1, 0.01),
            (5.991, 2, 0.05),
            (7.815, 3, 0.05),
            (13.277, 4, 0.01),
            (11.070, 5, 0.05),
            (18.307, 10, 0.05),
            (43.773, 30, 0.05),
        ] {
            let found = chi_square_tail(statistic, degrees);
            assert!((found - p).abs() < 5e-5, "{statistic} {degrees}: {found}");
        }
        assert_eq!(chi_square_tail(0.0, 3), 1.0);
        assert!((two_sided(1.959_964) - 0.05).abs() < 1e-6 && two_sided(0.0) == 1.0);
    }

    #[test]
    fn homogeneity_is_that_of_pearson() {
        // Two rows 20 30 and 30 20: each cell is 5 from 25, so 4 times 25 / 25.
        let test = homogeneity(&[vec![20, 30], vec![30, 20]]);
        assert!((test.statistic - 4.0).abs() < 1e-12 && test.degrees == 1 && test.reliable, "{test:?}");
        assert!((test.p - 0.0455).abs() < 1e-4);
        // What nobody has, and who has nothing, is left out.
        let wide = homogeneity(&[vec![20, 0, 30], vec![0, 0, 0], vec![30, 0, 20]]);
        assert_eq!((wide.statistic, wide.degrees), (test.statistic, 1));
        assert_eq!(homogeneity(&[vec![5], vec![9]]).p, 1.0);
        assert!(!homogeneity(&[vec![2, 1], vec![1, 2]]).reliable);
        assert!(!homogeneity(&[]).reliable);
    }

    #[test]
    fn means_are_told_apart() {
        let some = |values: &[(f64, u64)]| Moments::of(values.iter().copied());
        let (one, other) = (some(&[(1.0, 50), (3.0, 50)]), some(&[(2.0, 50), (4.0, 50)]));
        assert!((one.mean - 2.0).abs() < 1e-12 && (one.variance - 100.0 / 99.0).abs() < 1e-12);
        let test = welch(&one, &other);
        // 1 / root of 2 * 1.0101 / 100.
        assert!((test.statistic + 7.0356).abs() < 1e-3 && test.p < 1e-11 && test.reliable, "{test:?}");
        assert_eq!(welch(&one, &one).p, 1.0);
        assert_eq!(welch(&some(&[(1.0, 9)]), &some(&[(2.0, 9)])).p, 0.0);
    }

    #[test]
    fn several_tests_are_held_to_one() {
        // The example of the method: 0.01 0.04 0.03 0.005, of which two are left at 5 %.
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        let wanted = [0.03, 0.06, 0.06, 0.02];
        assert!(found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 1e-12), "{found:?}");
        assert!(holm(&[]).is_empty());
    }
}
