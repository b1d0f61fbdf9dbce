//! Contests: what `most` compares, where there are several contests in a turn. The log of the run at hand, and the complete
//! runs that may stay.
//!
//! A contest is open for all runs that go on from where it was opened: those behind the choices that had been made by then.
//! As runs are gone through depth first, it is over when one of these choices takes its next option. Then those of its runs
//! stay that have the greatest value, so a contest within another is over before it.

use smallvec::SmallVec;

use crate::interp::state::search::Stays;

/// The contests of a search.
#[derive(Debug, Default)]
pub struct Contests {
    /// What the run at hand has come to.
    log: Vec<Entry>,
    /// Complete runs that no contest has put out so far.
    pub finalists: Vec<Finalist>,
    /// The numbers of runs that stay.
    pub survivors: Vec<u64>,
    /// The continuations that the walk at hand goes through: where it goes on behind each.
    pub suspended: Vec<Suspended>,
}

/// A walk behind a run that suspends the turn, as it was before it went through the continuation.
#[derive(Clone, Copy, Debug)]
pub struct Suspended {
    /// How many choices could be gone back to then.
    pub depth: usize,
    pub completed: u64,
    pub stays: Stays,
}

#[derive(Debug)]
struct Entry {
    /// How many choices could be gone back to when it was made.
    depth: usize,
    what: Logged,
}

#[derive(Debug)]
enum Logged {
    /// A contest was opened when there were so many finalists.
    Opened {
        contest: u32,
        finalists: usize,
    },
    Valued(Valued),
}

/// The value of a run.
#[derive(Clone, Copy, Debug)]
struct Valued {
    /// Where in the log its contest was opened.
    opened: usize,
    /// By which line.
    line: u16,
    value: i64,
}

/// A complete run that may stay.
#[derive(Debug)]
pub struct Finalist {
    /// It is the run of this number, from 1 on, in the order in which runs are gone through.
    pub number: u64,
    /// Its values in contests that are still open, one for each contest and line.
    values: SmallVec<[Valued; 2]>,
}

impl Contests {
    /// Opens a contest. That of the whole turn begins the log anew.
    pub fn open(&mut self, contest: u32, depth: usize) {
        if contest == 0 {
            self.log.clear();
            // A fault may have left some.
            self.finalists.clear();
        }
        self.log.push(Entry { depth, what: Logged::Opened { contest, finalists: self.finalists.len() } });
    }

    /// The run has a value, in the contest of this number that was opened last.
    pub fn contend(&mut self, contest: u32, line: u16, value: i64, depth: usize) {
        let is_it = |entry: &Entry| matches!(entry.what, Logged::Opened { contest: other, .. } if other == contest);
        if let Some(opened) = self.log.iter().rposition(is_it) {
            self.log.push(Entry { depth, what: Logged::Valued(Valued { opened, line, value }) });
        }
    }

    /// Adds what the run at hand has come to.
    pub fn add_log(&self, state: &mut Vec<u64>) {
        for Entry { depth, what } in &self.log {
            state.push(*depth as u64);
            state.extend(match *what {
                Logged::Opened { contest, finalists } => [u64::from(contest), finalists as u64, 0],
                Logged::Valued(Valued { opened, line, value }) => [opened as u64, 1 + u64::from(line), value as u64],
            });
        }
    }

    /// How much is logged.
    pub fn logged(&self) -> usize {
        self.log.len()
    }

    /// Forgets what was logged since.
    pub fn truncate(&mut self, length: usize) {
        self.log.truncate(length);
    }

    /// The search goes back to the last of so many choices: what was logged behind it is over.
    #[inline(always)]
    pub fn go_back_to(&mut self, choices: usize) {
        if !self.log.is_empty() {
            self.close(choices);
        }
    }

    #[cold]
    fn close(&mut self, choices: usize) {
        while let Some(last) = self.log.pop_if(|entry| entry.depth >= choices) {
            if let Logged::Opened { finalists, .. } = last.what {
                self.keep_greatest(self.log.len(), finalists);
            }
        }
    }

    /// The run of a number is complete, and may stay; how many values of it are kept.
    pub fn keep(&mut self, number: u64) -> usize {
        let mut values: SmallVec<[Valued; 2]> = SmallVec::new();
        for entry in &self.log {
            let Logged::Valued(valued) = entry.what else { continue };
            // The last one counts.
            match values.iter_mut().find(|other| (other.opened, other.line) == (valued.opened, valued.line)) {
                Some(other) => other.value = valued.value,
                None => values.push(valued),
            }
        }
        let kept = values.len();
        self.finalists.push(Finalist { number, values });
        kept
    }

    /// A contest is over, by where it was opened: of the finalists since then that a line has compared, those stay that have
    /// the greatest value.
    fn keep_greatest(&mut self, opened: usize, from: usize) {
        let values =
            |finalist: &Finalist| finalist.values.clone().into_iter().filter(move |valued| valued.opened == opened);
        let Some(runs) = self.finalists.get(from..) else { return };
        let mut lines: Vec<u16> = runs.iter().flat_map(values).map(|valued| valued.line).collect();
        lines.sort_unstable();
        lines.dedup();
        for line in lines {
            let value =
                |finalist: &Finalist| values(finalist).find(|valued| valued.line == line).map(|valued| valued.value);
            let greatest = self.finalists[from..].iter().filter_map(value).max();
            // Those before are not visited: a contest takes no longer than its runs are many.
            let runs =
                self.finalists.drain(from..).filter(|run| value(run).is_none_or(|value| Some(value) == greatest));
            let runs: Vec<Finalist> = runs.collect();
            self.finalists.extend(runs);
        }
        for finalist in &mut self.finalists[from..] {
            finalist.values.retain(|valued| valued.opened != opened);
        }
    }
}
