//! Contest: players of some strengths go in; games between equals, and between unlike ones, come out, by a seed the same for
//! any number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::cli::opponent::{Opponent, Spec, drawn_by_chance};
use crate::game::{Error, Game};
use crate::measures::games::Sample;
use crate::player::Options;

/// Memory of the tree of one player, in bytes.
const MEMORY: usize = 1 << 26;
/// Plies of a game, at most.
const MOST_PLIES: usize = 20_000;

/// Who plays whom.
pub struct Contest<'a> {
    pub game: &'a Game,
    /// Each plays itself.
    pub levels: Vec<Spec>,
    /// The stronger and the weaker, and whether the stronger is the same with twice the search.
    pub pairs: Vec<(Spec, Spec, bool)>,
    pub seed: u64,
    pub setup: Option<u64>,
    pub max_turns: u32,
}

/// What is played in one go: a game of a level, or two games of a pair with exchanged seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Level(usize),
    Pair(usize),
}

/// The games of a task.
pub type Played = Vec<Sample>;

impl Contest<'_> {
    /// A pair plays in each second round, as its games are two.
    fn tasks(&self) -> Vec<Task> {
        let levels = || (0..self.levels.len()).map(Task::Level);
        levels().chain((0..self.pairs.len()).map(Task::Pair)).chain(levels()).collect()
    }

    /// The tasks of so many rounds.
    pub fn tasks_of(&self, rounds: u64) -> u64 {
        let (levels, pairs) = (self.levels.len() as u64, self.pairs.len() as u64);
        rounds.div_ceil(2) * (levels + pairs) + rounds / 2 * levels
    }

    fn task(&self, number: u64) -> Option<Task> {
        let tasks = self.tasks();
        tasks.get((number % tasks.len() as u64) as usize).copied()
    }

    /// The games of a task, in their order.
    pub fn of_task<'p>(&'p self, played: &'p [(u64, Played)], wanted: Task) -> impl Iterator<Item = &'p Played> + 'p {
        played.iter().filter(move |(number, _)| self.task(*number) == Some(wanted)).map(|(_, games)| games)
    }

    /// Plays the tasks of some numbers but those that are known, or until it is to stop. `over` is told each as it ends, in any
    /// order.
    ///
    /// # Errors
    /// A fault of the rules, the first by number that was met; what `over` says.
    pub fn play<E>(
        &self,
        numbers: Range<u64>,
        is_known: impl Fn(u64) -> bool + Sync,
        threads: usize,
        stop: &AtomicBool,
        failed: impl Fn(Error) -> E,
        mut over: impl FnMut(u64, Played) -> Result<(), E>,
    ) -> Result<(), E> {
        let (next, end) = (AtomicU64::new(numbers.start), numbers.end);
        let is_failed = AtomicBool::new(false);
        let (tell, told) = mpsc::channel::<(u64, Result<Played, Error>)>();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (tell, next, is_known, is_failed) = (tell.clone(), &next, &is_known, &is_failed);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let is_out = number >= end || stop.load(Ordering::Relaxed) || is_failed.load(Ordering::Relaxed);
                        let Some(task) = self.task(number).filter(|_| !is_out) else { return };
                        if is_known(number) {
                            continue;
                        }
                        let Some(went) = self.play_task(task, number, stop).transpose() else { return };
                        is_failed.fetch_or(went.is_err(), Ordering::Relaxed);
                        // Whoever listens goes on to the end, or has failed.
                        if tell.send((number, went)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(tell);
            let mut first: Option<(u64, Error)> = None;
            for (number, went) in told {
                match went {
                    Ok(games) => over(number, games).inspect_err(|_| is_failed.store(true, Ordering::Relaxed))?,
                    Err(error) if first.as_ref().is_none_or(|(first, _)| number < *first) => {
                        first = Some((number, error));
                    }
                    Err(_) => {}
                }
            }
            first.map_or(Ok(()), |(_, error)| Err(failed(error)))
        })
    }

    /// `None`: it was to stop.
    fn play_task(&self, task: Task, number: u64, stop: &AtomicBool) -> Result<Option<Played>, Error> {
        let seats = self.game.players().len();
        let tables = match task {
            Task::Level(at) => vec![vec![self.levels[at]; seats]],
            Task::Pair(at) => {
                let (stronger, weaker, _) = self.pairs[at];
                vec![vec![stronger, weaker], vec![weaker, stronger]]
            }
        };
        let mut games = Vec::new();
        for (at, specs) in tables.iter().enumerate() {
            match self.play_game(
                specs,
                self.seed ^ (2 * number + at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15),
                stop,
            )? {
                Some(game) => games.push(game),
                None => return Ok(None),
            }
        }
        Ok(Some(games))
    }

    fn play_game(&self, specs: &[Spec], seed: u64, stop: &AtomicBool) -> Result<Option<Sample>, Error> {
        let mut position = match self.setup {
            Some(number) => self.game.start_numbered(number)?,
            None => self.game.start(seed)?,
        };
        let player = |(seat, spec): (usize, &Spec)| {
            let seed = seed ^ (seat as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95);
            Opponent::new(*spec, Options { seed, memory: MEMORY, leaves: 8, games: 2, ..Options::default() })
        };
        let mut players: Vec<Opponent> = specs.iter().enumerate().map(player).collect();
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut sample = Sample::begin(&position);
        while !position.is_over() && position.state().turns() < self.max_turns && sample.plies.len() < MOST_PLIES {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let chosen = if position.is_chance_next() {
                Some((drawn_by_chance(&position, &mut dice)?, None))
            } else {
                match players.get_mut(position.choosing().index()) {
                    Some(player) => player.choose(&position, stop)?,
                    None => None,
                }
            };
            let Some((played, analysis)) = chosen else { break };
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let value = analysis.and_then(|analysis| analysis.lines.first().map(|line| line.value));
            sample.play(&mut position, &played, value)?;
        }
        sample.end(&position);
        Ok(Some(sample))
    }
}
