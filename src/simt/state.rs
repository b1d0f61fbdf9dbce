//! What is known of many games beside their registers.

use std::mem::offset_of;
use std::sync::Arc;

use crate::board::{Dir, Player};
use crate::interp::{History, Roles, Tables, hash_of};
use crate::jit::{Native, Report};
use crate::simd::{Chunk, Vectors};
use crate::simt::compact::Packs;
use crate::simt::divergence::Split;
use crate::simt::kernels::sets::Steps;
use crate::simt::merged_arms::AlongSteps;
use crate::simt::registers::{Cells, Chunks, File, Mask, Set, put, words};
use crate::simt::rng::Lots;
use crate::simt::sample::retry::{Again, Worth};
use crate::simt::sample::weights::Weighed;
use crate::simt::sort_lanes::Course;
use crate::simt::turn_queue::{Turn, Turns};

/// What stands beside the registers, for each of eight lanes.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// What is left of the number drawn.
    pub number: Chunk,
    /// The number of the option that was drawn.
    pub option: Chunk,
    pub lots: Lots,
    /// Where the lots stood when the turn began.
    pub begun: Lots,
    /// Of how many runs was drawn at first.
    pub offered: Chunk,
    /// How often a lane has drawn in vain in this turn, and of how many runs it drew: [`limit`](crate::simt::sample::limit) tells how often is enough.
    pub tries: Chunk,
    pub runs: Chunk,
    /// The outcome, and who wins, where it is decided.
    pub outcome: Chunk,
    pub winners: Chunk,
    /// Turns so far, what there was to choose from.
    pub turns: Chunk,
    pub choices: Chunk,
    /// Who made the last turn, where it is in doubt whether the game is over.
    pub mover: Chunk,
}

/// The cells that are sought, by their numbers in sets.
#[derive(Clone, Copy, Debug)]
pub struct Sought<const W: usize, const K: usize> {
    /// The word that each lane's cell is in, and its number among the bits of that.
    words: [Chunk; K],
    k: [Chunk; K],
    /// How many cells the sets have up to the end of each word.
    upto: [Set<W>; K],
    /// By word of a set, the mask of the lanes whose cell is there.
    pub here: [Set<W>; K],
    /// What was found: each lane's bit.
    pub bits: [Chunk; K],
}

impl<const W: usize, const K: usize> Sought<W, K> {
    /// Where machine code finds what a chunk seeks, in bytes: words and numbers by chunk, masks by set.
    pub const WORDS: usize = offset_of!(Self, words);
    pub const NUMBERS: usize = offset_of!(Self, k);
    pub const HERE: usize = offset_of!(Self, here);
    pub const BITS: usize = offset_of!(Self, bits);

    const NO: [Chunk; K] = [Chunk::NONE; K];
    const NO_SETS: [Set<W>; K] = [[Chunk::NONE; W]; K];
    pub const NONE: Sought<W, K> =
        Sought { words: Self::NO, k: Self::NO, upto: Self::NO_SETS, here: Self::NO_SETS, bits: Self::NO };

    #[inline(always)]
    pub fn find<V: Vectors>(&mut self, v: V, chunks: Chunks) {
        v.nth(&self.words, &self.k, &mut self.bits, chunks);
    }

    /// What is sought in a chunk. The sets must have more cells than the number.
    #[inline(always)]
    pub fn seek<V: Vectors>(&mut self, v: V, i: usize, a: &Cells<V, W>, k: V::Eight) {
        if W > 1 {
            self.count(v, i, a);
        }
        self.seek_counted(v, i, a, k);
    }

    /// How many cells the sets of a chunk have, which [`Sought::seek_counted`] goes on from.
    #[inline(always)]
    pub fn count<V: Vectors>(&mut self, v: V, i: usize, a: &Cells<V, W>) -> V::Eight {
        let (mut sum, upto) = (v.none(), &mut self.upto[i]);
        words!(word => {
            sum = v.add(sum, v.ones(a[word]));
            upto[word] = v.store(sum);
        });
        sum
    }

    /// [`Sought::seek`] where the cells of all words have been counted.
    #[inline(always)]
    pub fn seek_counted<V: Vectors>(&mut self, v: V, i: usize, a: &Cells<V, W>, k: V::Eight) {
        let (mut left, mut bits, mut before) = (k, a[0], v.none());
        let (upto, here) = (&self.upto[i], &mut self.here[i]);
        for word in 0..W - 1 {
            // Less than 0 where the cell is in this word or in one before it.
            let rest = v.sub(k, v.load(&upto[word]));
            let inside = v.negative(rest);
            here[word] = v.store(v.without(inside, before));
            bits = v.blend_negative(a[word + 1], bits, rest);
            left = v.blend_negative(rest, left, rest);
            before = inside;
        }
        if W > 1 {
            here[W - 1] = v.store(v.not(before));
        }
        (self.words[i], self.k[i]) = (v.store(bits), v.store(left));
    }
}

/// Where machine code finds parts, in bytes.
impl Status {
    pub const NUMBER: usize = offset_of!(Status, number);
    pub const OFFERED: usize = offset_of!(Status, offered);
    pub const RUNS: usize = offset_of!(Status, runs);
    pub const OUTCOME: usize = offset_of!(Status, outcome);
    pub const WINNERS: usize = offset_of!(Status, winners);
    pub const TURNS: usize = offset_of!(Status, turns);
    pub const CHOICES: usize = offset_of!(Status, choices);
    pub const MOVER: usize = offset_of!(Status, mover);
    pub const LOTS: [usize; 4] = Self::lots_at(offset_of!(Status, lots));
    pub const BEGUN: [usize; 4] = Self::lots_at(offset_of!(Status, begun));

    const fn lots_at(from: usize) -> [usize; 4] {
        let (first, chunk) = (from + offset_of!(Lots, 0), size_of::<Chunk>());
        [first, first + chunk, first + 2 * chunk, first + 3 * chunk]
    }
}

impl Status {
    /// Lanes have drawn in vain; their first draw hit no run.
    #[inline(always)]
    pub fn in_vain<V: Vectors>(&mut self, v: V, mask: V::Eight) {
        self.tries = v.store(v.sub(v.load(&self.tries), mask));
        self.offered = v.store(v.without(v.load(&self.offered), mask));
    }
}

/// Which lanes something is true of.
#[derive(Clone, Debug, Default)]
pub struct Who {
    /// Those whose turn this round plays.
    pub mine: Mask,
    /// Those of them that have neither failed nor left.
    pub alive: Mask,
    /// Those that have drawn a number, and those that have come upon a choice since the `first` that they are in began.
    pub drawn: Mask,
    pub chose: Mask,
    /// All runs were counted.
    pub counted: Mask,
    /// Those that drew in vain in this turn.
    pub again_drawn: Mask,
    /// What became of the turn.
    pub done: Mask,
    pub failed: Mask,
    pub alone: Mask,
    pub passed: Mask,
    pub acted: Mask,
    pub again: Mask,
    /// It was taken for granted that the next player can move.
    pub asked: Mask,
    /// Whether that was right is in doubt, as he passed.
    pub doubted: Mask,
    /// `end` asks what it takes one game to find out.
    pub unsure: Mask,
    /// An outcome holds.
    pub decided: Mask,
    /// What there was to choose from is an estimate.
    pub estimated: Mask,
}

impl Who {
    /// Lanes have drawn in vain; their first draw hit no run.
    #[inline(always)]
    pub fn in_vain(&mut self, lanes: Mask) {
        self.again_drawn = self.again_drawn.or(lanes);
        self.counted = self.counted.without(lanes);
    }
}

/// Many games, a lane each.
#[derive(Debug)]
pub struct Lanes<V, const W: usize, const K: usize> {
    pub v: V,
    pub steps: Arc<Steps<W>>,
    /// Machine code of the program.
    pub native: Option<Arc<Native>>,
    pub tables: Arc<Tables<W>>,
    /// By number of arms that are done together.
    pub along: Arc<Vec<AlongSteps<W>>>,
    pub roles: Roles,
    pub forwards: Vec<Option<Dir>>,
    pub shared: (usize, usize),
    /// Words of a set in the planned executor.
    pub words: usize,
    pub file: File<W, K>,
    /// What a function for a round told last.
    pub report: Report,
    pub histories: Vec<History>,
    /// By chunk.
    pub at: [Status; K],
    pub who: Who,
    pub course: Course,
    pub turns: Turns,
    /// No game gets as many turns as it may have in so many rounds.
    pub unhurried: u64,
    /// Those that an operation is for.
    pub on: Mask,
    /// Those that parted.
    pub masks: Vec<Mask>,
    pub splits: Vec<Split<W, K>>,
    pub depth: usize,
    /// By choice: what it weighs and draws.
    pub choices: Vec<Weighed<K>>,
    /// By chunk: the cell that each lane has drawn, where its arm offers cells.
    pub picks: [Set<W>; K],
    pub sought: Sought<W, K>,
    /// Those in which the last look along lines may have found something.
    pub seldom: Mask,
    /// Lanes that draw until they have the number of a cell on a line: those where such cells are counted, and others.
    pub packs: (Packs<W>, Packs<W>),
    /// Where lanes go back to that draw in vain, so many of them.
    pub agains: Vec<Again<W, K>>,
    pub kept: usize,
    /// By choice: whether it is worth keeping.
    pub worth: Vec<Worth>,
    /// They have gone back to a choice, which is weighed already.
    pub redone: bool,
    /// A turn is played, not what follows it.
    pub turning: bool,
    /// Who made the turn that `end` is asked after.
    pub mover: Player,
    /// Words ahead of cells and behind them, as [`Cut`](crate::simt::analysis::window_reuse::Cut) numbers them.
    pub near: Vec<[[Chunk; 2]; K]>,
    /// The turn's program is [`Entry::calm`](crate::simt::lower::Entry).
    pub calm: bool,
    /// Numbers of the position.
    pub numbers: usize,
    /// The shared registers as they were when the turn began.
    pub before: (Vec<[Set<W>; K]>, Vec<[Chunk; K]>),
}

impl<V: Vectors, const W: usize, const K: usize> Lanes<V, W, K> {
    /// That the next player can move is taken for granted, and found out when he does; of others it is asked alone.
    #[inline(always)]
    pub fn ask_stuck(&mut self, player: Player) {
        let next = self.turns.of_player(player).and(self.on);
        self.who.asked = self.who.asked.or(next);
        let others = self.on.without(next);
        self.name_mover(next);
        self.doubt(others);
    }

    /// In these lanes `end` is to be asked alone.
    #[inline(always)]
    pub fn doubt(&mut self, lanes: Mask) {
        self.who.unsure = self.who.unsure.or(lanes);
        self.name_mover(lanes);
    }

    #[inline(always)]
    pub fn name_mover(&mut self, lanes: Mask) {
        let v = self.v;
        if lanes.is_empty() {
            return;
        }
        for i in 0..K {
            put(v, &mut self.at[i].mover, v.all(u64::from(self.mover.0)), lanes.lanes(v, i));
        }
    }

    fn hash(&self, sets: &[usize], numbers: &[usize], more: u64, i: usize, lane: usize) -> u128 {
        let word = |set: usize, at: usize| self.file.sets[set][i][at].0[lane];
        // As many words as the planned executor has, which goes on with the history.
        hash_of(self.words, (sets, numbers, more), word, |reg| self.file.numbers[reg][i].0[lane])
    }

    pub fn pieces_hash(&self, i: usize, lane: usize) -> u128 {
        self.hash(&self.roles.piece_sets, &[], 0, i, lane)
    }

    pub fn position_hash(&self, i: usize, lane: usize) -> u128 {
        let turn = self.turns.of(i, lane).map_or(0, Turn::word);
        self.hash(&self.roles.noted_sets, &self.roles.noted_numbers, turn, i, lane)
    }
}
