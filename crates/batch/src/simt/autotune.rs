//! Autotuning: times of games in lock step, and of some one after the other, go in; whether lock step is the slower way
//! comes out.
//!
//! Games go the same either way, and have the same numbers. So the clock decides when they are over, and nothing else.

use std::time::{Duration, Instant};

use crate::simt::tuning::{MIN_GAIN_OF_SCALAR, WINDOWS_OF_GAMES};

/// Compares the two ways to play once, as soon as enough games were over in lock step.
#[derive(Debug)]
pub struct Autotuner {
    /// Games of a window: one of each lane.
    games: u64,
    /// Games of the window at hand.
    over: u64,
    begun: Instant,
    /// The first window of a call fills the lanes, and is not timed.
    fills: bool,
    windows: Vec<Duration>,
    is_slow: bool,
}

impl Autotuner {
    /// Of a batch with so many lanes.
    pub fn new(lanes: usize) -> Autotuner {
        let begun = Instant::now();
        Autotuner { games: lanes as u64, over: 0, begun, fills: true, windows: Vec::new(), is_slow: false }
    }

    /// Lock step takes the longer time.
    pub fn is_slow(&self) -> bool {
        self.is_slow
    }

    /// A call begins, with empty lanes.
    pub fn go_on(&mut self) {
        (self.over, self.fills, self.begun) = (0, true, Instant::now());
    }

    /// Counts games that were over in lock step. How many are to be played one after the other now, if all windows are timed.
    pub fn record(&mut self, over: u64) -> Option<u64> {
        self.over += over;
        if self.over < self.games || self.windows.len() == WINDOWS_OF_GAMES {
            return None;
        }
        let now = Instant::now();
        if !std::mem::take(&mut self.fills) {
            self.windows.push(now - self.begun);
        }
        (self.over, self.begun) = (self.over - self.games, now);
        (self.windows.len() == WINDOWS_OF_GAMES).then_some(self.games)
    }

    /// Games of one window went one after the other.
    pub fn compare(&mut self, alone: Duration) {
        // A window in which the system let another program run is none that counts.
        self.windows.sort_unstable();
        self.is_slow = self.windows.get(self.windows.len() / 2).is_some_and(|&median| is_slower(median, alone));
    }
}

/// Lock step takes so much longer that the other way is taken.
fn is_slower(lock_step: Duration, alone: Duration) -> bool {
    lock_step.as_secs_f64() > alone.as_secs_f64() * MIN_GAIN_OF_SCALAR
}

#[cfg(test)]
mod tests {
    use crate::simt::autotune::*;

    #[test]
    fn windows_of_games_are_timed_once() {
        let mut tuner = Autotuner::new(4);
        // The first window fills the lanes, and three are timed.
        let ready = (0..20).map(|_| {
            while tuner.begun.elapsed().is_zero() {}
            tuner.record(1)
        });
        let ready: Vec<Option<u64>> = ready.collect();
        assert_eq!(ready.iter().position(Option::is_some), Some(4 * (1 + WINDOWS_OF_GAMES) - 1));
        assert_eq!(ready.into_iter().flatten().collect::<Vec<u64>>(), [4]);
        tuner.compare(Duration::from_secs(1));
        assert!(!tuner.is_slow(), "nothing was played meanwhile");
        tuner.compare(Duration::ZERO);
        assert!(tuner.is_slow());
    }

    #[test]
    fn lock_step_is_left_where_that_gains_something() {
        let ms = Duration::from_millis;
        assert!(!is_slower(ms(100), ms(100)) && !is_slower(ms(100), ms(95)) && !is_slower(ms(10), ms(100)));
        assert!(is_slower(ms(100), ms(80)));
    }
}
