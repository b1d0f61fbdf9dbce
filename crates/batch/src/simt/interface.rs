//! Interface of the batch executor: starts of games go in; how each game went comes out.

use std::fmt;
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::interp::{GameState, Playout};
use crate::position::{Fault, Outcome, Position};
#[cfg(lusoria_avx2)]
use crate::simd::Avx2;
#[cfg(lusoria_avx512)]
use crate::simd::Avx512;
use crate::simt::context::WarpContext;

/// Most lanes of a batch.
pub const MOST_LANES: usize = 128;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Start {
    pub number: u64,
    /// The seed that its generator was made from.
    pub seed: u64,
    pub from: From,
}

/// What a game begins with.
#[derive(Clone, Debug)]
pub enum From {
    /// What the game before it began with; nothing is drawn yet.
    Last,
    /// A position, with the generator as it stands since that was drawn.
    Position(Box<(Position, Xoshiro256PlusPlus)>),
    /// A game in the middle; nothing is drawn yet.
    State(Box<GameState>),
}

/// Where games come from, and where they go when they are over.
pub trait Games {
    /// The next game; `None`: there are no more.
    fn next(&mut self) -> Option<Start>;
    /// How a game went. A fault comes with the position in which it was met.
    fn done(&mut self, number: u64, went: Result<Playout, (Fault, Box<Position>)>);
    /// The plan has no room for the position.
    fn refused(&mut self, number: u64);
}

/// Plays many games at a time, on one thread.
pub trait Batch: Send {
    /// Plays all games that are given, each until it is over or so many turns are played.
    fn play(&mut self, games: &mut dyn Games, max_turns: u64);
    /// How many games are played at a time.
    fn lanes(&self) -> usize;
}

/// What became of a game that was stepped.
#[derive(Clone, Debug)]
pub enum Stepped {
    /// Its turn is left to the scalar executor: the game before it.
    Left(Box<GameState>),
    /// A fault of the rules, with the position in which it was met.
    Fault(Fault, Box<Position>),
    Over(Outcome),
    /// It goes on from here, and the next turn is not the choice of a cell.
    Others(Box<GameState>),
}

/// Plays turns that are chosen, where each is the choice of one cell, on one thread.
pub trait LockStep: Send {
    /// A context without games, in which so many have room as are played at a time.
    fn context(&self) -> WarpContext;
    /// Plays one turn of each game for which a cell is chosen, and lists the cells of the next. Of each lane it is told which
    /// cell: its number among those that can be chosen, in the order of bits, and how many these are.
    /// What comes out are the games, by lane, that do not wait for the choice of a cell now. Their lanes are empty.
    fn step(&mut self, context: &mut WarpContext, chosen: &[Option<(u32, u32)>]) -> Vec<(usize, Stepped)>;
}

/// A game prepared for lock step. It does not change, and all threads share it.
pub trait Prepared: Send + Sync {
    /// A batch of so many lanes, from 1 to [`MOST_LANES`]. Where it is not said, these are
    /// [`DEFAULT_LANES`](crate::simt::DEFAULT_LANES), and games are played one after the other once few lanes go together.
    fn batch(self: Arc<Self>, lanes: Option<usize>) -> Box<dyn Batch>;
    /// What plays turns that are chosen. `None`: some turns are more than the choice of one cell, or may fail behind it; or the
    /// past matters.
    fn lock_step(&self) -> Option<Box<dyn LockStep>>;
    /// Each player's turn, behind the opening, is one function of machine code, with the evaluation
    /// of its end.
    fn compiles_turns(&self) -> bool;
}

/// How well a game fits lock step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// What of the game makes it likely that one game after the other is as fast.
    pub slow: Option<&'static str>,
}

/// What keeps a game from being played in lock step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbatched {
    /// The game has something that has no lock step.
    Has(&'static str),
    /// The processor has no vectors of 256 bits: one game after the other is as fast there.
    NoVectors,
}

impl fmt::Display for Unbatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unbatched::Has(what) => write!(f, "it has {what}"),
            Unbatched::NoVectors => write!(f, "this processor has no vectors of 256 bits (AVX2)"),
        }
    }
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
    /// Those that this processor has and the program is compiled for, the widest first.
    pub fn available() -> Vec<Instructions> {
        let wide: [Option<Instructions>; 2] = [
            #[cfg(lusoria_avx512)]
            Avx512::is_available().then_some(Instructions::Avx512),
            #[cfg(not(lusoria_avx512))]
            None,
            #[cfg(lusoria_avx2)]
            Avx2::is_available().then_some(Instructions::Avx2),
            #[cfg(not(lusoria_avx2))]
            None,
        ];
        wide.into_iter().flatten().collect()
    }
}
