//! Carried values: registers of the position go in, in which the values that are read behind a choice by chance, or behind
//! a ply, go from one continuation of a turn to the next; what each continuation needs comes out.

use std::rc::Rc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::board::{Player, PlayerSet};
use crate::model;
use crate::model::{Slot, Statement};
use crate::plan::lower::values::{Facts, Num, Value, Words};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Carry, Continuation};
use crate::plan::vregs::VirtualRegs;

/// The continuations of the turns of one seat, and the registers in which values go from one to the next.
#[derive(Default)]
pub struct Continuations<'g> {
    pub next: Option<NumReg>,
    pub sets: Vec<SetReg>,
    pub numbers: Vec<NumReg>,
    /// The most that any choice by chance needs.
    pub used: (usize, usize),
    pub lowered: Vec<Continuation>,
    pub pending: Vec<Pending<'g>>,
    /// The continuation at hand has a `first` before its end.
    pub tries: bool,
    /// Where the run stands among the plies of its turn.
    pub ply: PlyState,
    /// The `repeat in steps` that is lowered.
    pub round: Option<Rc<Round<'g>>>,
    /// Continuations that another round begins with.
    pub rounds: Vec<NextRound<'g>>,
    /// The pick that comes next has several options.
    pub several: bool,
    /// Sets that are asked before they are picked from: they have a cell.
    pub some: HashSet<SetReg>,
    /// Numbers that tell whether the choice that follows has an option.
    pub decided: HashSet<NumReg>,
    /// Continuations before which there may be a `first`.
    pub tried: HashSet<usize>,
}

impl<'g> Continuations<'g> {
    /// With registers for so many sets and numbers.
    pub fn new((sets, numbers): (usize, usize), fresh: &mut VirtualRegs) -> Continuations<'g> {
        Continuations {
            next: Some(fresh.number()),
            sets: (0..sets).map(|_| fresh.set()).collect(),
            numbers: (0..numbers).map(|_| fresh.number()).collect(),
            ..Continuations::default()
        }
    }

    /// So many registers are needed, or more.
    pub fn use_up(&mut self, bag: &Bag<'g>) {
        self.used = (self.used.0.max(bag.sets), self.used.1.max(bag.numbers));
    }

    /// The registers, for whoever plays.
    pub fn carry(&self) -> Option<Carry> {
        let behind = |reg: Option<u16>| reg.map_or(0, |reg| reg + 1);
        let next = self.next?;
        let sets = (self.sets.first().map_or(0, |reg| reg.0), behind(self.sets.last().map(|reg| reg.0)));
        let numbers = (next, NumReg(behind(self.numbers.last().or(Some(&next)).map(|reg| reg.0))));
        Some(Carry { next, sets: (SetReg(sets.0), SetReg(sets.1)), numbers })
    }
}

/// A continuation that is lowered when the one before it is.
pub struct Pending<'g> {
    pub number: usize,
    pub bag: Bag<'g>,
    pub chosen: Chosen<'g>,
    pub list: Vec<&'g Statement>,
    pub spine: Vec<Slot>,
    pub values: Vec<Value<'g>>,
    pub mutable: HashMap<Slot, Option<Value<'g>>>,
    pub still: bool,
}

/// What goes along.
#[derive(Default)]
pub struct Bag<'g> {
    pub sets: usize,
    pub numbers: usize,
    /// The registers of `last` and the like, in which they are when something has moved.
    pub words: Option<Words>,
    pub touched: Vec<NumReg>,
    pub slots: Vec<(Slot, Carried<'g>)>,
}

/// A value in registers that go along, and what is known of it.
pub struct Carried<'g> {
    pub value: Value<'g>,
    pub facts: Facts,
    pub single: bool,
    pub exact: bool,
}

/// What the continuation before has chosen, as it goes along.
pub enum Chosen<'g> {
    Value(Slot, Carried<'g>),
    /// The number of the block, from 0 on.
    Block(Num, &'g [(model::BlockId, model::BranchId)]),
    /// Nothing: a ply begins. Whether it begins with a pick of which there are several options; the rounds that it is one of;
    /// who may have chosen the ply before, which goes on if nothing is chosen.
    Nothing {
        several: bool,
        round: Option<Rc<Round<'g>>>,
        before: PlayerSet,
    },
    /// Another round begins.
    Round(Rc<Round<'g>>),
}

/// Where a run stands among the plies of its turn.
#[derive(Clone, Copy, Default)]
pub struct PlyState {
    /// Something may have been chosen in the ply at hand, and who chooses it.
    pub chooser: Option<Player>,
    /// Something of that may be written, and something surely is.
    pub told: bool,
    pub surely_told: bool,
    /// The next choice begins a new ply, whoever makes it.
    pub cut: bool,
    /// Who may have chosen the ply before, which goes on if nothing has been chosen in the one at hand.
    pub before: PlayerSet,
}

impl PlyState {
    /// The ply at hand is over before a choice of this player.
    pub fn ends_before(self, player: Player) -> bool {
        self.chooser.is_some_and(|chooser| self.cut || chooser != player)
    }

    pub fn chosen_by(self, player: Player) -> PlyState {
        PlyState { chooser: Some(player), cut: false, before: PlayerSet::default(), ..self }
    }

    /// The player may have chosen.
    pub fn perhaps_chosen_by(self, player: Player) -> PlyState {
        PlyState { before: self.before, ..self.chosen_by(player) }
    }

    /// Who may have chosen the ply that the next choice could go on with, if a new one is begun here and nothing is chosen in it.
    pub fn behind(self) -> PlayerSet {
        let mut before = self.before;
        before.extend(self.chooser);
        if self.cut { PlayerSet::default() } else { before }
    }
}

/// A `repeat in steps` that is lowered: what stands behind it, and the slots that had a value before it.
pub struct Round<'g> {
    pub repeat: &'g Statement,
    pub behind: Vec<&'g Statement>,
    pub spine: Vec<Slot>,
}

/// The continuation that another round of a `repeat` begins with.
pub struct NextRound<'g> {
    pub repeat: &'g Statement,
    pub number: usize,
    /// How what it reads goes along: sets, numbers, whether `last` and the like do, and the registers of names.
    pub carried: (usize, usize, bool, Vec<(Slot, Value<'g>)>),
}

/// Adds a slot to those that have a value.
pub fn add_slot(spine: &mut Vec<Slot>, slot: Slot) {
    if !spine.contains(&slot) {
        spine.push(slot);
    }
}
