//! Game snapshots: a game between two turns goes from one executor to another, or is kept to go on with later.

use smallvec::SmallVec;

use crate::board::Player;
use crate::interp::state::repetition::{Hash, RepetitionTable, hash_of};
use crate::interp::state::turn::Flags;
use crate::plan::REGISTERS;
use crate::position::Outcome;

/// A game between two turns, or between two continuations of one: the registers that all programs share, and what stands
/// beside them. On boards of one word it takes no memory of its own, as a step of many games visits each of them.
#[derive(Clone, Debug, Default)]
pub struct GameState {
    /// Shared set registers one after the other, as many words each as the board has.
    pub sets: SmallVec<[u64; 12]>,
    pub numbers: SmallVec<[i64; 6]>,
    pub to_move: Player,
    /// How many turns of the opening are over.
    pub opening: u32,
    pub turns: u64,
    /// Of games whose turns are suspended: parts of turns in which a player chose.
    pub plies: u64,
    /// What the turn has done so far, if it is suspended before a continuation.
    pub suspended: Flags,
    pub outcome: Option<Outcome>,
    pub history: RepetitionTable,
}

impl GameState {
    /// Becomes equal to another, with what room there is.
    pub fn copy_from(&mut self, other: &GameState) {
        self.sets.clone_from(&other.sets);
        self.numbers.clone_from(&other.numbers);
        (self.to_move, self.opening, self.turns) = (other.to_move, other.opening, other.turns);
        (self.plies, self.suspended, self.outcome) = (other.plies, other.suspended, other.outcome);
        self.history.copy_from(&other.history);
    }
}

/// The cells of which one is chosen in each turn from a position, where that is all that a turn chooses and
/// writes; and where the turns stand that choose it.
#[derive(Clone, Debug, Default)]
pub struct CellTurns {
    /// The cells, as bits of the board, as many words as a register has.
    pub cells: SmallVec<[u64; 2]>,
    /// The choice, if its turns go on from the registers below, beside the game's own.
    pub choice: Option<u32>,
    pub sets: Vec<u64>,
    pub numbers: Vec<i64>,
}

impl CellTurns {
    /// Becomes equal to another, with what room there is.
    pub fn copy_from(&mut self, other: &CellTurns) {
        self.cells.clone_from(&other.cells);
        self.choice = other.choice;
        self.sets.clone_from(&other.sets);
        self.numbers.clone_from(&other.numbers);
    }

    pub fn has(&self, bit: usize) -> bool {
        self.cells.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    pub fn count(&self) -> usize {
        self.cells.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// What stands beside the registers of a turn that is suspended before a ply, or before a choice by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspended {
    /// What the turn has done so far.
    pub done: Flags,
    /// Who chooses the ply, or for whom chance does.
    pub chooser: Player,
}

/// A game between two turns or plies, without the history before it. It is light: on boards of one word it
/// takes no memory of its own.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Set registers of the position one after the other, as many words each as the engine's sets
    /// have.
    pub sets: SmallVec<[u64; 12]>,
    pub numbers: SmallVec<[i64; 6]>,
    pub to_move: Player,
    /// How many turns of the opening are over.
    pub opening: u32,
    /// Turns since the position that was loaded.
    pub turns: u64,
    pub outcome: Option<Outcome>,
    /// `None`: the turn begins.
    pub suspended: Option<Suspended>,
    /// What history records of it, where the rules ask: the hash of the men, and of the position.
    pub recorded: [Hash; 2],
    /// Tells it from other positions of the game, whatever their history.
    pub key: Hash,
}

impl Suspended {
    /// What tells it from others that have the same registers.
    pub fn bits(self) -> u64 {
        let Flags { passed, acted, again, .. } = self.done;
        1 | u64::from(passed) << 1 | u64::from(acted) << 2 | u64::from(again) << 3
    }
}

impl Snapshot {
    /// The key of the position that has other sets, of so many words each, and all else like this one.
    pub fn key_with(&self, sets: &[u64], words: usize) -> Hash {
        let counts = (sets.len() / words, self.numbers.len());
        let number = |number: usize| self.numbers[number] as u64;
        key_of(words, counts, next_to_move(self.to_move, self.opening), |set, at| sets[set * words + at], number)
    }
}

/// The number of each register.
static EACH: [usize; REGISTERS] = {
    let mut each = [0; REGISTERS];
    let mut register = 0;
    while register < REGISTERS {
        each[register] = register;
        register += 1;
    }
    each
};

/// The key of a position of so many sets, of so many words each, and so many numbers.
#[inline(always)]
pub fn key_of(
    words: usize,
    (sets, numbers): (usize, usize),
    next: u64,
    word: impl Fn(usize, usize) -> u64,
    number: impl Fn(usize) -> u64,
) -> Hash {
    hash_of(words, (&EACH[..sets], &EACH[..numbers], next), word, number)
}

/// Whose turn is next, and which turn of the opening it is, as one word.
pub fn next_to_move(to_move: Player, opening: u32) -> u64 {
    u64::from(to_move.0) | u64::from(opening) << 8
}
