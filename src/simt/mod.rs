//! The batch executor: the programs of the planned one, carried out for many games in lock step, a
//! lane a game.
//!
//! One operation serves all lanes, and its inner loops compute with vectors. Every game is played
//! as the planned executor plays it with the same generator, for any number of lanes: each lane has
//! its own. What is not done in lock step is played by the planned executor, turn by turn, from
//! where the turn began.
// Loops by index: what is handed to an iterator is not always compiled for the processor at hand.
#![allow(clippy::needless_range_loop)]

pub(crate) mod analysis;
pub(crate) mod compact;
pub(crate) mod dispatch;
pub(crate) mod divergence;
pub(crate) mod fallback;
pub(crate) mod kernels;
pub(crate) mod lower;
pub(crate) mod merged_arms;
pub(crate) mod outline;
pub(crate) mod registers;
pub(crate) mod rng;
pub(crate) mod sample;
pub(crate) mod scheduler;
pub(crate) mod sort_lanes;
pub(crate) mod sparse;
pub(crate) mod state;
pub(crate) mod turn_queue;
pub(crate) mod turns;
pub(crate) mod window;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::interp::{Engine, Playout};
use crate::position::{Fault, Position};

#[cfg(target_arch = "x86_64")]
use crate::simd::Simd;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};

pub use crate::simt::lower::Unbatched;

/// Most lanes of a batch.
pub const MOST_LANES: usize = 128;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Start {
    pub number: u64,
    /// Its generator was made from this number.
    pub seed: u64,
    /// The position, with the generator as it stands since. `None`: the position that the last game
    /// with one began with, and nothing is drawn yet.
    pub position: Option<Box<(Position, Xoshiro256PlusPlus)>>,
}

/// Where games come from, and where they go when they are over.
pub trait Games {
    /// The next game; `None`: there are no more.
    fn next(&mut self) -> Option<Start>;
    /// How a game went. Of a fault the position in which it was met is told.
    fn done(&mut self, number: u64, went: Result<Playout, (Fault, Box<Position>)>);
    /// A position that the plan has no place for.
    fn refused(&mut self, number: u64);
}

/// Plays many games at a time.
pub trait Batch: Send {
    /// Plays all games that are given, each until it is over or so many turns are played.
    fn play(&mut self, games: &mut dyn Games, max_turns: u64);
    /// How many games are played at a time.
    fn lanes(&self) -> usize;
    /// What of the game makes it likely that one game after the other is as fast.
    fn slow(&self) -> Option<&'static str>;
    /// Each player's turn, behind the opening, is one function of machine code, with what is asked
    /// at its end.
    fn plays_rounds(&self) -> bool;
}

/// Vector instructions that processors have, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Vectors of eight words, with `vpopcntdq`.
    Avx512,
    /// Vectors of four words.
    Avx2,
}

impl Instructions {
    /// Those that this processor has, the widest first.
    pub fn available() -> Vec<Instructions> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx512::is_available().then_some(Instructions::Avx512));
            all.extend(Avx2::is_available().then_some(Instructions::Avx2));
        }
        all
    }
}

/// A batch of so many lanes, from 1 to [`MOST_LANES`]; 64 if it is not said.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn batch(engine: &Engine, lanes: Option<usize>) -> Result<Box<dyn Batch>, Unbatched> {
    batch_by(engine, lanes, Instructions::Avx512)
}

/// A [`batch`] by these instructions, or by narrower ones where the processor lacks them. The games
/// go the same way. There is no lock step by single words: the scalar executor is as fast there.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn batch_by(engine: &Engine, lanes: Option<usize>, by: Instructions) -> Result<Box<dyn Batch>, Unbatched> {
    if let Some(doubt) = engine.plan().ambiguity {
        return Err(Unbatched::Has(doubt.why));
    }
    if engine.plan().argmax.is_some() {
        return Err(Unbatched::Has("`most`, so that all turns are gone through"));
    }
    #[cfg(target_arch = "x86_64")]
    match (by, Avx512::try_new(), Avx2::try_new()) {
        (Instructions::Avx512, Some(v), _) => by_width::<_, 8, 8>(v, engine, lanes),
        (Instructions::Avx512 | Instructions::Avx2, _, Some(v)) => by_width::<_, 8, 4>(v, engine, lanes),
        _ => Err(Unbatched::NoVectors),
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (lanes, by);
        Err(Unbatched::NoVectors)
    }
}

/// `MANY` chunks a group where sets are narrow, `SOME` where they are wide.
#[cfg(target_arch = "x86_64")]
fn by_width<V: Simd, const MANY: usize, const SOME: usize>(
    v: V,
    engine: &Engine,
    lanes: Option<usize>,
) -> Result<Box<dyn Batch>, Unbatched> {
    let words = engine.plan().bitboard.words;
    // The same on every machine, in one group or several.
    let lanes = lanes.unwrap_or(64).clamp(1, MOST_LANES);
    match words {
        1 => crate::simt::scheduler::table::<V, 1, MANY>(v, engine, lanes),
        2 => crate::simt::scheduler::table::<V, 2, MANY>(v, engine, lanes),
        3 => crate::simt::scheduler::table::<V, 3, SOME>(v, engine, lanes),
        4 | 6 => crate::simt::scheduler::table::<V, 6, SOME>(v, engine, lanes),
        _ => Err(Unbatched::Has("a board of more than 384 cells")),
    }
}
