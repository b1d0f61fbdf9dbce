//! Lane state: what is known of many games beside their registers.

pub(crate) mod exit_report;
pub(crate) mod shared;

use std::mem::offset_of;
use std::sync::Arc;

use crate::board::Player;
use crate::interp::{RepetitionTable, hash_of};
use crate::simd::{Chunks, Lane8, Simd, WIDE};
use crate::simt::compact::Compaction;
use crate::simt::divergence::MaskFrame;
use crate::simt::registers::{Cells, LaneMask, LaneRegisters, Set, put, words};
use crate::simt::rng::LaneRng;
use crate::simt::sample::retry::{Retry, RetryStats};
use crate::simt::sample::weights::OptionWeights;
use crate::simt::sort_lanes::BranchHistory;
use crate::simt::state::exit_report::ExitReport;
use crate::simt::state::shared::Shared;
use crate::simt::turn_queue::{Turn, Turns};

/// What stands beside the registers, for each of eight lanes.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// What is left of the number drawn.
    pub number: Lane8,
    /// The number of the option that was drawn.
    pub option: Lane8,
    pub lots: LaneRng,
    /// Where the lots stood when the turn began.
    pub begun: LaneRng,
    /// Of how many runs was drawn at first.
    pub offered: Lane8,
    /// How often a lane has drawn in vain in this turn, and of how many runs it drew:
    /// [`limit`](crate::simt::sample::limit) tells how often is enough.
    pub tries: Lane8,
    pub runs: Lane8,
    /// The outcome, and who wins, where it is decided.
    pub outcome: Lane8,
    pub winners: Lane8,
    /// Turns so far, what there was to choose from.
    pub turns: Lane8,
    pub choices: Lane8,
    /// Who made the last turn, where it is in doubt whether the game is over.
    pub mover: Lane8,
}

/// The cells that are sought, by their numbers in sets.
#[derive(Clone, Copy, Debug)]
pub struct Sought<const W: usize, const K: usize> {
    /// The word that each lane's cell is in, and its number among the bits of that.
    words: [Lane8; K],
    k: [Lane8; K],
    /// How many cells the sets have up to the end of each word.
    upto: [Set<W>; K],
    /// By word of a set, the mask of the lanes whose cell is there.
    pub here: [Set<W>; K],
    /// What was found: each lane's bit.
    pub bits: [Lane8; K],
}

impl<const W: usize, const K: usize> Sought<W, K> {
    /// Where machine code finds what a chunk seeks, in bytes: words and numbers by chunk, masks by
    /// set.
    pub const WORDS: usize = offset_of!(Self, words);
    pub const NUMBERS: usize = offset_of!(Self, k);
    pub const HERE: usize = offset_of!(Self, here);
    pub const BITS: usize = offset_of!(Self, bits);

    const NO: [Lane8; K] = [Lane8::NONE; K];
    const NO_SETS: [Set<W>; K] = [[Lane8::NONE; W]; K];
    pub const NONE: Sought<W, K> =
        Sought { words: Self::NO, k: Self::NO, upto: Self::NO_SETS, here: Self::NO_SETS, bits: Self::NO };

    #[inline(always)]
    pub fn find<V: Simd>(&mut self, v: V, chunks: Chunks) {
        v.nth(&self.words, &self.k, &mut self.bits, chunks);
    }

    /// What is sought in a chunk. The sets must have more cells than the number.
    #[inline(always)]
    pub fn seek<V: Simd>(&mut self, v: V, i: usize, a: &Cells<V, W>, k: V::V8) {
        if W > 1 {
            self.count(v, i, a);
        }
        self.seek_counted(v, i, a, k);
    }

    /// How many cells the sets of a chunk have, which [`Sought::seek_counted`] goes on from.
    #[inline(always)]
    pub fn count<V: Simd>(&mut self, v: V, i: usize, a: &Cells<V, W>) -> V::V8 {
        let (mut sum, upto) = (v.none(), &mut self.upto[i]);
        words!(word => {
            sum = v.add(sum, v.ones(a[word]));
            upto[word] = v.store(sum);
        });
        sum
    }

    /// [`Sought::seek`] where the cells of all words have been counted.
    #[inline(always)]
    pub fn seek_counted<V: Simd>(&mut self, v: V, i: usize, a: &Cells<V, W>, k: V::V8) {
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
        let (first, chunk) = (from + offset_of!(LaneRng, 0), size_of::<Lane8>());
        [first, first + chunk, first + 2 * chunk, first + 3 * chunk]
    }
}

impl Status {
    /// Lanes have drawn in vain; their first draw hit no run.
    #[inline(always)]
    pub fn in_vain<V: Simd>(&mut self, v: V, mask: V::V8) {
        self.tries = v.store(v.sub(v.load(&self.tries), mask));
        self.offered = v.store(v.without(v.load(&self.offered), mask));
    }
}

/// Which lanes something is true of.
#[derive(Clone, Debug, Default)]
pub struct LaneFlags {
    /// Those whose turn this round plays.
    pub mine: LaneMask,
    /// Those of them that have neither failed nor left.
    pub alive: LaneMask,
    /// Those that have drawn a number, and those that have come upon a choice since the `first`
    /// that they are in began.
    pub drawn: LaneMask,
    pub chose: LaneMask,
    /// All runs were counted.
    pub counted: LaneMask,
    /// Those that drew in vain in this turn.
    pub again_drawn: LaneMask,
    /// What became of the turn.
    pub done: LaneMask,
    pub failed: LaneMask,
    pub alone: LaneMask,
    pub passed: LaneMask,
    pub acted: LaneMask,
    pub again: LaneMask,
    /// It was taken for granted that the next player can move.
    pub asked: LaneMask,
    /// Whether that was right is in doubt, as he passed.
    pub doubted: LaneMask,
    /// `end` asks what it takes one game to find out.
    pub unsure: LaneMask,
    /// An outcome holds.
    pub decided: LaneMask,
    /// What there was to choose from is an estimate.
    pub estimated: LaneMask,
}

impl LaneFlags {
    /// Lanes have drawn in vain; their first draw hit no run.
    #[inline(always)]
    pub fn in_vain(&mut self, lanes: LaneMask) {
        self.again_drawn = self.again_drawn.or(lanes);
        self.counted = self.counted.without(lanes);
    }
}

/// Many games, a lane each.
pub struct WarpState<V, const W: usize, const K: usize> {
    pub v: V,
    pub shared: Arc<Shared<W, K>>,
    pub file: LaneRegisters<W, K>,
    /// What a function for a round told last.
    pub report: ExitReport,
    pub histories: Vec<RepetitionTable>,
    /// By chunk.
    pub at: [Status; K],
    pub who: LaneFlags,
    pub course: BranchHistory,
    pub turns: Turns,
    /// No game gets as many turns as it may have in so many rounds.
    pub unhurried: u64,
    /// Those that an operation is for.
    pub on: LaneMask,
    /// Those that parted.
    pub masks: Vec<LaneMask>,
    pub splits: Vec<MaskFrame<W, K>>,
    pub depth: usize,
    /// By choice: what it weighs and draws.
    pub choices: Vec<OptionWeights<K>>,
    /// By chunk: the cell that each lane has drawn, where its arm offers cells.
    pub picks: [Set<W>; K],
    pub sought: Sought<W, K>,
    /// Those in which the last look along lines may have found something.
    pub seldom: LaneMask,
    /// Lanes that draw until they have the number of a cell on a line: those where such cells are
    /// counted, and others.
    pub packs: (Compaction<W>, Compaction<W>),
    /// Where lanes go back to that draw in vain, so many of them.
    pub agains: Vec<Retry<W, K>>,
    pub kept: usize,
    /// By choice: whether it is worth keeping.
    pub worth: Vec<RetryStats>,
    /// They have gone back to a choice, which is weighed already.
    pub redone: bool,
    /// A turn is played, not what follows it.
    pub turning: bool,
    /// Who made the turn that `end` is asked after.
    pub mover: Player,
    /// Words ahead of cells and behind them, as [`Cut`](crate::simt::analysis::window_reuse::Cut)
    /// numbers them.
    pub near: Vec<[[Lane8; 2]; K]>,
    /// The turn's program is [`Entry::calm`](crate::simt::lower::Entry).
    pub calm: bool,
    /// The shared registers as they were when the turn began.
    pub before: (Vec<[Set<W>; K]>, Vec<[Lane8; K]>),
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    pub fn new(v: V, shared: Arc<Shared<W, K>>) -> WarpState<V, W, K> {
        let Shared { program, linked, persistent, registers, .. } = &*shared;
        let weights = linked.points.iter().zip(&program.told).map(|(point, told)| OptionWeights::new(point, *told));
        WarpState {
            v,
            file: registers.clone(),
            report: ExitReport::default(),
            at: std::array::from_fn(|_| Status::default()),
            histories: vec![RepetitionTable::default(); K * WIDE],
            who: LaneFlags::default(),
            course: BranchHistory::default(),
            turns: Turns::default(),
            unhurried: 0,
            on: LaneMask::NONE,
            masks: Vec::new(),
            choices: weights.collect(),
            picks: [[Lane8::NONE; W]; K],
            sought: Sought::NONE,
            seldom: LaneMask::NONE,
            packs: Default::default(),
            splits: Vec::new(),
            depth: 0,
            agains: Vec::new(),
            kept: 0,
            worth: vec![RetryStats::default(); linked.points.len()],
            redone: false,
            turning: false,
            mover: Player(0),
            near: vec![[[Lane8::NONE; 2]; K]; program.cuts],
            calm: false,
            before: (vec![[[Lane8::NONE; W]; K]; persistent.0], vec![[Lane8::NONE; K]; persistent.1]),
            shared,
        }
    }

    /// That the next player can move is taken for granted, and found out when he does; of others it
    /// is asked alone.
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
    pub fn doubt(&mut self, lanes: LaneMask) {
        self.who.unsure = self.who.unsure.or(lanes);
        self.name_mover(lanes);
    }

    #[inline(always)]
    pub fn name_mover(&mut self, lanes: LaneMask) {
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
        // As many words as the scalar executor has, which goes on with the history.
        hash_of(self.shared.set_words, (sets, numbers, more), word, |reg| self.file.numbers[reg][i].0[lane])
    }

    pub fn pieces_hash(&self, i: usize, lane: usize) -> u128 {
        self.hash(&self.shared.roles.piece_sets, &[], 0, i, lane)
    }

    pub fn position_hash(&self, i: usize, lane: usize) -> u128 {
        let turn = self.turns.of(i, lane).map_or(0, Turn::word);
        self.hash(&self.shared.roles.compared_sets, &self.shared.roles.compared_numbers, turn, i, lane)
    }
}
