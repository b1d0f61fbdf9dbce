//! Lane state: what is known of many games beside their registers.

pub mod compaction;
pub mod exit_report;
pub mod flags;
pub mod mask_frame;
pub mod retry;
pub mod shared;
pub mod sought;
pub mod status;

use std::sync::Arc;

use crate::board::Player;
use crate::interp::{RepetitionTable, hash_of};
use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::registers::{LaneMask, LaneRegisters, Set, put};
use crate::simt::sample::weights::OptionWeights;
use crate::simt::sort_lanes::BranchHistory;
use crate::simt::state::compaction::Compaction;
use crate::simt::state::exit_report::ExitReport;
use crate::simt::state::flags::LaneFlags;
use crate::simt::state::mask_frame::MaskFrame;
use crate::simt::state::retry::{Retry, RetryStats};
use crate::simt::state::shared::Shared;
use crate::simt::state::sought::Sought;
use crate::simt::state::status::Status;
use crate::simt::turn_queue::{Turn, Turns};

/// Many games, a lane each. What lasts from turn to turn stands here; what begins anew with a turn,
/// is about the lanes that are active now, or is overwritten at each choice, has a part of its own.
pub struct WarpState<V, const W: usize, const K: usize> {
    pub v: V,
    pub shared: Arc<Shared<W, K>>,
    pub file: LaneRegisters<W, K>,
    pub histories: Vec<RepetitionTable>,
    /// By chunk.
    pub at: [Status; K],
    pub flags: LaneFlags,
    pub branch_history: BranchHistory,
    pub turns: Turns,
    /// So many turns of the warp are sure to pass before a game has as many as it may have.
    pub turns_to_spare: u64,
    pub turn: TurnState<W, K>,
    pub flow: FlowState<W, K>,
    pub choice: ChoiceState<W, K>,
}

/// What is known of the turn that is played.
pub struct TurnState<const W: usize, const K: usize> {
    /// What machine code reported last.
    pub report: ExitReport,
    /// The player whose turn it is, also while `end` is asked after it.
    pub mover: Player,
    /// A turn is played, not what follows it.
    pub turning: bool,
    /// All that ends a run comes before what it changes.
    pub is_atomic: bool,
    /// The shared registers as they were when the turn began.
    pub before: (Vec<[Set<W>; K]>, Vec<[Lane8; K]>),
    /// The same, where turns are suspended: `before` is then how the part of the turn began.
    pub turn_start: (Vec<[Set<W>; K]>, Vec<[Lane8; K]>),
    /// Where rejected lanes go back to, so many of them.
    pub retries: Vec<Retry<W, K>>,
    pub kept: usize,
    /// Words ahead of cells and behind them, as [`Cut`](crate::simt::code::Cut) numbers them.
    pub near: Vec<[[Lane8; 2]; K]>,
}

/// Which lanes are active.
pub struct FlowState<const W: usize, const K: usize> {
    /// Those that an operation is for.
    pub on: LaneMask,
    /// Those in which the last ray query may have found something.
    pub sparse: LaneMask,
    /// Those that wait for lanes to converge, by branch.
    pub masks: Vec<LaneMask>,
    /// Blocks of `first` that lanes are in, so many of them.
    pub splits: Vec<MaskFrame<W, K>>,
    pub depth: usize,
}

/// What is counted and drawn at choices.
pub struct ChoiceState<const W: usize, const K: usize> {
    /// By choice: its weights, and the arms that were selected.
    pub choices: Vec<OptionWeights<K>>,
    /// By chunk: the cell that each lane has drawn, where its arm offers cells.
    pub picks: [Set<W>; K],
    pub sought: Sought<W, K>,
    /// Lanes that draw until their rank is that of a ray target: those where targets are counted,
    /// and others.
    pub compactions: (Compaction<W>, Compaction<W>),
    /// By choice: whether it is worth keeping.
    pub retry_stats: Vec<RetryStats>,
    /// Lanes have gone back to a choice whose options are counted already.
    pub has_weights: bool,
    /// Choices are listed and not made: the lanes that came to one, and by chunk the cells that it offers.
    pub lists: bool,
    pub listed: LaneMask,
    pub offered: [Set<W>; K],
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    pub fn new(v: V, shared: Arc<Shared<W, K>>) -> WarpState<V, W, K> {
        let Shared { program, linked, persistent, registers, .. } = &*shared;
        let weights = linked.points.iter().zip(&program.needs_arm);
        let whole = if shared.carry.is_some() { *persistent } else { (0, 0) };
        let choices = weights.map(|(point, needs_arm)| OptionWeights::new(point, *needs_arm)).collect();
        WarpState {
            v,
            file: registers.clone(),
            histories: vec![RepetitionTable::default(); K * WIDE],
            at: std::array::from_fn(|_| Status::default()),
            flags: LaneFlags::default(),
            branch_history: BranchHistory::default(),
            turns: Turns::default(),
            turns_to_spare: 0,
            turn: TurnState {
                report: ExitReport::default(),
                mover: Player(0),
                turning: false,
                is_atomic: false,
                before: (vec![[[Lane8::NONE; W]; K]; persistent.0], vec![[Lane8::NONE; K]; persistent.1]),
                turn_start: (vec![[[Lane8::NONE; W]; K]; whole.0], vec![[Lane8::NONE; K]; whole.1]),
                retries: Vec::new(),
                kept: 0,
                near: vec![[[Lane8::NONE; 2]; K]; program.cuts],
            },
            flow: FlowState {
                on: LaneMask::NONE,
                sparse: LaneMask::NONE,
                masks: Vec::new(),
                splits: Vec::new(),
                depth: 0,
            },
            choice: ChoiceState {
                choices,
                picks: [[Lane8::NONE; W]; K],
                sought: Sought::NONE,
                compactions: Default::default(),
                retry_stats: vec![RetryStats::default(); linked.points.len()],
                has_weights: false,
                lists: false,
                listed: LaneMask::NONE,
                offered: [[Lane8::NONE; W]; K],
            },
            shared,
        }
    }

    /// That the next player can move is assumed, and found out when he does; of others it is asked
    /// alone.
    #[inline(always)]
    pub fn ask_stuck(&mut self, player: Player) {
        let next = self.turns.of_player(player).and(self.flow.on);
        self.flags.asked = self.flags.asked.or(next);
        let others = self.flow.on.without(next);
        self.name_mover(next);
        self.defer_terminal_test(others);
    }

    /// In these lanes `end` is to be asked alone.
    #[inline(always)]
    pub fn defer_terminal_test(&mut self, lanes: LaneMask) {
        self.flags.unsure = self.flags.unsure.or(lanes);
        self.name_mover(lanes);
    }

    #[inline(always)]
    pub fn name_mover(&mut self, lanes: LaneMask) {
        let v = self.v;
        if lanes.is_empty() {
            return;
        }
        for i in 0..K {
            put(v, &mut self.at[i].mover, v.all(u64::from(self.turn.mover.0)), lanes.lanes(v, i));
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
