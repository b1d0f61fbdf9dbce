//! Batches: numbers of games go in; counts come out. Each thread plays many games at a time.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::batch::{From, Games, Prepared, Start};
use crate::cli::play::Plan;
use crate::game::{Error, Game};
use crate::interp::Playout;
use crate::measures::playouts;
use crate::measures::playouts::Unseen;
use crate::measures::tally::{Played, Tally};
use crate::position::{Fault, Position};
use crate::reference::Executor;

/// Games that a thread takes at a time.
const TAKEN: u64 = 16;
/// Games that a thread counts between looks at the clock, and how long it counts before it tells.
const LOOK: u64 = 16;
const TELL: Duration = Duration::from_millis(100);

/// What the threads share.
struct Shared<'a> {
    game: &'a Game,
    plan: &'a Plan,
    next: AtomicU64,
    /// What is over is enough.
    stop: &'a AtomicBool,
    /// The first game, by number, that failed.
    failed: Mutex<Option<(u64, Error)>>,
    /// Games with higher numbers are not begun.
    end: AtomicU64,
}

/// The games of one thread.
struct Queue<'a> {
    shared: &'a Shared<'a>,
    /// The games that were taken.
    taken: Range<u64>,
    executor: Executor,
    tally: Tally,
    tell: mpsc::SyncSender<Tally>,
    told: Instant,
    /// The batch holds the one position that all games begin with.
    set: bool,
}

/// Plays all games; `done` is told how many more are over. The first fault, by number, ends it; so
/// does `stop`, when the games that are begun are over: those given up would be the long ones.
pub fn simulate(
    game: &Game,
    plan: &Plan,
    prepared: &Arc<dyn Prepared>,
    stop: &AtomicBool,
    mut done: impl FnMut(u64),
) -> Result<Tally, Error> {
    let end = AtomicU64::new(plan.first.saturating_add(plan.games));
    let shared = Shared { game, plan, next: AtomicU64::new(plan.first), stop, failed: Mutex::new(None), end };
    let (tell, told) = mpsc::sync_channel::<Tally>(64);
    let mut tally = Tally::new(game.model());
    std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            let tell = tell.clone();
            let shared = &shared;
            scope.spawn(move || play_many(shared, prepared, tell));
        }
        drop(tell);
        for some in told {
            done(some.games());
            tally.merge(&some);
        }
    });
    match shared.failed.into_inner() {
        Ok(Some((_, error))) => Err(error),
        _ => Ok(tally),
    }
}

fn play_many(shared: &Shared<'_>, prepared: &Arc<dyn Prepared>, tell: mpsc::SyncSender<Tally>) {
    let mut batch = prepared.clone().batch(shared.plan.lanes);
    let tally = Tally::new(shared.game.model());
    let mut queue =
        Queue { shared, taken: 0..0, executor: Executor::new(), tally, tell, told: Instant::now(), set: false };
    batch.play(&mut queue, u64::from(shared.plan.terms.max_turns));
    queue.tell_all();
}

impl Queue<'_> {
    fn tell_all(&mut self) {
        let tally = std::mem::replace(&mut self.tally, Tally::new(self.shared.game.model()));
        // Whoever listens goes on to the end.
        let _ = self.tell.send(tally);
    }

    fn fail(&self, number: u64, error: Error) {
        self.shared.end.fetch_min(number, Ordering::Relaxed);
        if let Ok(mut failed) = self.shared.failed.lock()
            && failed.as_ref().is_none_or(|(first, _)| number < *first)
        {
            *failed = Some((number, error));
        }
    }

    fn count(&mut self, number: u64, played: &Played) {
        self.tally.add(number, played);
        if self.tally.games().is_multiple_of(LOOK) && self.told.elapsed() >= TELL {
            self.tell_all();
            self.told = Instant::now();
        }
    }
}

impl Games for Queue<'_> {
    fn next(&mut self) -> Option<Start> {
        loop {
            if self.taken.is_empty() {
                let first = self.shared.next.fetch_add(TAKEN, Ordering::Relaxed);
                self.taken = first..first.saturating_add(TAKEN);
            }
            let number = self.taken.next()?;
            if number >= self.shared.end.load(Ordering::Relaxed) || self.shared.stop.load(Ordering::Relaxed) {
                return None;
            }
            let (game, plan) = (self.shared.game, self.shared.plan);
            let mut from = From::Last;
            if !self.set {
                let mut rng = playouts::generator(plan.terms.seed, number);
                match playouts::start(game, &plan.terms, &mut self.executor, &mut rng) {
                    Ok(start) => from = From::Position(Box::new((start, rng))),
                    Err(error) => {
                        self.fail(number, error);
                        continue;
                    }
                }
                self.set = plan.terms.has_one_start(game);
            }
            return Some(Start { number, seed: playouts::seed_of(plan.terms.seed, number), from });
        }
    }

    fn done(&mut self, number: u64, went: Result<Playout, (Fault, Box<Position>)>) {
        match went {
            Ok(went) => {
                let Playout { outcome, turns, plies, choices } = went;
                self.count(
                    number,
                    &Played { outcome: outcome.map(playouts::ended), turns, plies, choices, detail: None },
                );
            }
            Err((fault, position)) => self.fail(number, playouts::faulty(self.shared.game, fault, &position)),
        }
    }

    fn refused(&mut self, number: u64) {
        // The next game brings its own position.
        self.set = false;
        let terms = &self.shared.plan.terms;
        match playouts::play_reference(self.shared.game, terms, number, &mut self.executor, &mut Unseen) {
            Ok(played) => self.count(number, &played),
            Err(error) => self.fail(number, error),
        }
    }
}
