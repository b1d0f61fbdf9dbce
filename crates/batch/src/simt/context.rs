//! Warp context: games go in, a lane each; between turns their registers are kept lane by lane, as a
//! warp computes with them, and each game comes out.

use crate::board::Player;
use crate::interp::GameState;
use crate::simd::{Lane8, WIDE};
use crate::simt::registers::LaneMask;
use crate::simt::turn_queue::{Turn, Turns};

/// The games of a warp while it plays others. Each waits for a turn that is the choice of a cell; a
/// lane may have none.
#[derive(Clone, Debug)]
pub struct WarpContext {
    /// Words of a register, and those of a [`GameState`]'s: the scalar executor may do with fewer.
    words: usize,
    state_words: usize,
    chunks: usize,
    /// Set registers: by register, chunk and word.
    pub(crate) sets: Vec<Lane8>,
    /// Number registers: by register and chunk.
    pub(crate) numbers: Vec<Lane8>,
    /// The cells that can be chosen: by chunk and word.
    pub(crate) cells: Vec<Lane8>,
    /// By chunk: the turns so far.
    pub(crate) turns: Vec<Lane8>,
    pub(crate) waiting: Turns,
}

impl WarpContext {
    /// No games, of so many set and number registers.
    pub(crate) fn new(
        (words, state_words): (usize, usize),
        chunks: usize,
        (sets, numbers): (usize, usize),
    ) -> WarpContext {
        WarpContext {
            words,
            state_words,
            chunks,
            sets: vec![Lane8::NONE; sets * chunks * words],
            numbers: vec![Lane8::NONE; numbers * chunks],
            cells: vec![Lane8::NONE; chunks * words],
            turns: vec![Lane8::NONE; chunks],
            waiting: Turns::default(),
        }
    }

    /// The most games. Eight lanes are a chunk.
    pub fn lanes(&self) -> usize {
        self.chunks * WIDE
    }

    /// Puts a game into a lane, with the cells that can be chosen.
    pub fn put(&mut self, at: usize, state: &GameState, cells: &[u64]) {
        let (i, lane) = (at / WIDE, at % WIDE);
        let sets = self.sets.chunks_exact_mut(self.chunks * self.words);
        for (to, words) in sets.zip(state.sets.chunks_exact(self.state_words)) {
            to[i * self.words..].iter_mut().zip(words).for_each(|(to, word)| to.0[lane] = *word);
        }
        for (to, number) in self.numbers.chunks_exact_mut(self.chunks).zip(&state.numbers) {
            to[i].0[lane] = *number as u64;
        }
        for (to, cells) in self.cells[i * self.words..][..self.words].iter_mut().zip(cells) {
            to.0[lane] = *cells;
        }
        self.turns[i].0[lane] = state.turns;
        self.waiting.go_on(LaneMask::one(i, lane), Turn::new(state.to_move, state.opening));
    }

    /// Takes a copy of a lane's game, which has no past and no outcome.
    pub fn get(&self, at: usize, to: &mut GameState) {
        let (i, lane) = (at / WIDE, at % WIDE);
        to.sets.clear();
        for set in self.sets.chunks_exact(self.chunks * self.words) {
            to.sets.extend(set[i * self.words..][..self.state_words].iter().map(|word| word.0[lane]));
        }
        to.numbers.clear();
        to.numbers.extend(self.numbers.chunks_exact(self.chunks).map(|number| number[i].0[lane] as i64));
        if let Some(turn) = self.waiting.of(i, lane) {
            (to.to_move, to.opening) = (turn.player(), turn.opening());
        }
        (to.turns, to.outcome) = (self.turns[i].0[lane], None);
    }

    /// A lane has no game any more.
    pub fn remove(&mut self, at: usize) {
        self.waiting.end(LaneMask::one(at / WIDE, at % WIDE));
    }

    /// A word of a set register of each lane of a chunk.
    #[inline]
    pub fn set(&self, reg: usize, word: usize, chunk: usize) -> [u64; WIDE] {
        self.sets[(reg * self.chunks + chunk) * self.words + word].0
    }

    /// A number register of each lane of a chunk.
    #[inline]
    pub fn number(&self, reg: usize, chunk: usize) -> [u64; WIDE] {
        self.numbers[reg * self.chunks + chunk].0
    }

    /// A word of the cells that can be chosen in each lane of a chunk.
    #[inline]
    pub fn cells(&self, word: usize, chunk: usize) -> [u64; WIDE] {
        self.cells[chunk * self.words + word].0
    }

    /// The cells that can be chosen in a lane, word by word.
    #[inline]
    pub fn cells_of(&self, at: usize) -> impl Iterator<Item = u64> + Clone {
        self.cells[at / WIDE * self.words..][..self.state_words].iter().map(move |word| word.0[at % WIDE])
    }

    /// Turns of a lane's game since the position that was loaded.
    #[inline]
    pub fn turns(&self, at: usize) -> u64 {
        self.turns[at / WIDE].0[at % WIDE]
    }

    /// The lanes that have a game, each with the player who is next.
    pub fn waiting(&self) -> impl Iterator<Item = (usize, Player)> {
        let lanes =
            |(turn, lanes): (Turn, LaneMask)| lanes.each().map(move |(i, lane)| (i * WIDE + lane, turn.player()));
        self.waiting.iter().flat_map(lanes)
    }
}
