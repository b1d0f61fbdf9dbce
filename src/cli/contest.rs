//! Contest on several threads: its tasks go in; their games come out, by a seed the same for any number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use crate::game::Error;
use crate::measures::contest::{Contest, Played};

/// Plays the tasks of some numbers but those that are known, or until it is to stop. `over` is told each as it ends, in any
/// order.
///
/// # Errors
/// A fault of the rules, the first by number that was met; what `over` says.
pub fn play<E>(
    contest: &Contest,
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
                    if is_out {
                        return;
                    }
                    if is_known(number) {
                        continue;
                    }
                    let Some(went) = play_task(contest, number, stop).transpose() else { return };
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

/// `None`: it was to stop, or nobody plays.
fn play_task(contest: &Contest, number: u64, stop: &AtomicBool) -> Result<Option<Played>, Error> {
    match contest.begin(number) {
        Some(mut bout) => bout.play(contest, &mut || !stop.load(Ordering::Relaxed)),
        None => Ok(None),
    }
}
