//! Carried values: registers of the position go in, in which the values that are read behind a choice by chance, or behind
//! a ply, go from one continuation of a turn to the next; what each continuation needs comes out.

use std::rc::Rc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::board::{Player, PlayerSet};
use crate::model;
use crate::model::{Slot, Statement};
use crate::plan::lower::values::{Facts, Num, Value, Words};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Argmax, Carry, Continuation, Options};
use crate::plan::vregs::VirtualRegs;

/// The continuations of the turns of one seat, and the registers in which values go from one to the next.
#[derive(Default)]
pub struct Continuations<'g> {
    pub next: Option<NumReg>,
    pub sets: Vec<SetReg>,
    pub numbers: Vec<NumReg>,
    /// Where turns fall into plies of which `most` keeps some: the value of the run, and the greatest of the turn.
    pub argmax: Option<Argmax>,
    /// The most that any choice by chance needs.
    pub used: (usize, usize),
    pub lowered: Vec<Continuation>,
    pub pending: Vec<Pending<'g>>,
    /// The continuation at hand has a `first` before its end.
    pub tries: bool,
    /// Who may make the first choice in the continuation at hand.
    pub choosers: PlayerSet,
    /// Forms that turn out to be needed when a turn is lowered; it is lowered anew then.
    pub forms: HashSet<Form>,
    /// The form for want of which lowering has failed.
    pub wanted: Option<Form>,
    /// Where runs stand that have come to the end of a round of a loop.
    pub round_ends: Vec<PlyState>,
    /// Where the run stands among the plies of its turn.
    pub ply: PlyState,
    /// The innermost rounds that are lowered, of those in which the turn may be suspended.
    pub round: Option<Rc<Round<'g>>>,
    /// Continuations to which other runs may come, too.
    pub joins: Vec<Join<'g>>,
    /// What is known of the choice that comes next.
    pub awaited: Awaited,
    /// Sets that are asked before they are picked from: they have a cell.
    pub some: HashSet<SetReg>,
    /// Numbers that tell whether the choice that follows has an option.
    pub decided: HashSet<NumReg>,
    /// Continuations before which there may be a `first`.
    pub tried: HashSet<usize>,
}

impl<'g> Continuations<'g> {
    /// With registers for so many sets and numbers, and perhaps for values that `most` compares.
    pub fn new((sets, numbers): (usize, usize), compares: bool, fresh: &mut VirtualRegs) -> Continuations<'g> {
        let next = Some(fresh.number());
        let argmax = compares.then(|| Argmax::InPlies { value: fresh.number(), best: fresh.number() });
        Continuations {
            next,
            sets: (0..sets).map(|_| fresh.set()).collect(),
            numbers: (0..numbers).map(|_| fresh.number()).collect(),
            argmax,
            ..Continuations::default()
        }
    }

    /// So many registers are needed, or more.
    pub fn use_up(&mut self, bag: &Bag<'g>) {
        self.used = (self.used.0.max(bag.sets), self.used.1.max(bag.numbers));
    }

    /// It needs more registers than there are.
    pub fn has_too_few_for(&self, bag: &Bag<'g>) -> bool {
        bag.sets > self.sets.len() || bag.numbers > self.numbers.len()
    }

    /// The registers, for whoever plays.
    pub fn carry(&self) -> Option<Carry> {
        let behind = |reg: Option<u16>| reg.map_or(0, |reg| reg + 1);
        let next = self.next?;
        let sets = (self.sets.first().map_or(0, |reg| reg.0), behind(self.sets.last().map(|reg| reg.0)));
        let last = match (self.numbers.last(), self.argmax) {
            (Some(last), _) => *last,
            (None, Some(Argmax::InPlies { best, .. })) => best,
            (None, _) => next,
        };
        let numbers = (next, NumReg(behind(Some(last.0))));
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
    /// The rounds that it stands in.
    pub round: Option<Rc<Round<'g>>>,
    pub follows_ply: bool,
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
    /// Where men stood when the turn began, if something has moved and that is asked.
    pub at_start: Vec<SetReg>,
    pub touched: Vec<NumReg>,
    pub slots: Vec<(Slot, Carried<'g>)>,
    /// The cells that rounds are left for, and where they go along.
    pub rests: Vec<(SetReg, SetReg)>,
}

/// A value in registers that go along, and what is known of it.
#[derive(Clone, Copy, PartialEq)]
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
    /// Nothing: a ply begins. What is known of its first choice; who may have chosen the ply before, which goes on if nothing is
    /// chosen.
    Nothing {
        awaited: Awaited,
        before: PlayerSet,
    },
    /// Another round begins.
    Round(Rc<Round<'g>>),
}

/// A form in which statements are lowered, where a simpler one will not do.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Each block of a `first` has in it what stands behind the `first`, up to where the turn is suspended: a run may fail
    /// there.
    EnclosedFirsts,
    /// The rounds that this statement makes are a loop, which ends where the turn is suspended: some round may not come to
    /// that.
    Loop(*const Statement),
    /// The first of these rounds is apart from the loop of the others: a player has chosen otherwise before it than before those.
    Peeled(*const Statement),
}

/// Where a run stands among the plies of its turn.
#[derive(Clone, Copy, Default, PartialEq)]
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
    /// A ply of this turn has ended before the turn was suspended, and chance has chosen nothing since.
    pub follows_ply: bool,
    /// So many of the rounds around had begun when the turn was suspended last.
    pub resumed: u32,
}

impl PlyState {
    /// A ply ends if the turn is suspended here, or one has before.
    pub fn ends_ply(self) -> bool {
        self.follows_ply || self.chooser.is_some()
    }

    /// Nobody has chosen anything since the turn was suspended last, or began.
    pub fn is_unchosen(self) -> bool {
        self.chooser.is_none() && self.before == PlayerSet::default()
    }

    /// The ply at hand is over before a choice of this player. A pass belongs to the ply that it follows.
    pub fn ends_before(self, player: Player) -> bool {
        match self.chooser {
            Some(chooser) => self.cut || chooser != player,
            None => self.told && self.follows_ply && !self.before.contains(player),
        }
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

/// Rounds that are lowered in which the turn may be suspended: what stands behind them, and the slots that had a value before
/// them.
#[derive(Clone)]
pub struct Round<'g> {
    /// A `repeat`, or a `for each` of cells.
    pub statement: &'g Statement,
    /// Of a `for each`: the cells that rounds are left for.
    pub rest: Option<SetReg>,
    pub behind: Vec<&'g Statement>,
    pub spine: Vec<Slot>,
    pub around: Option<Rc<Round<'g>>>,
    /// How many rounds it stands in, itself among them.
    pub depth: u32,
    /// The first of the rounds since the turn was suspended last is over, where it is apart.
    pub is_behind_first: bool,
}

/// A join point: a continuation to which several branches, or all rounds, come.
pub struct Join<'g> {
    pub number: usize,
    pub at: Resumed,
    pub carried: CarriedShape<'g>,
}

/// What is known of a choice before which the turn was suspended.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Awaited {
    /// Who makes it, where players are named.
    pub player: Option<Player>,
    /// It is a pick of which there are several options.
    pub several: bool,
}

/// Where a suspended turn goes on.
#[derive(PartialEq)]
pub struct Resumed {
    /// The statements that are left, of a round or of the turn, by their places in the game.
    pub list: Vec<*const Statement>,
    /// The statements that make the rounds, the innermost first.
    pub rounds: Vec<*const Statement>,
    pub awaited: Awaited,
    pub before: PlayerSet,
    pub follows_ply: bool,
    /// Nothing has moved yet.
    pub still: bool,
}

/// How what is read goes along.
#[derive(PartialEq)]
pub struct CarriedShape<'g> {
    pub sets: usize,
    pub numbers: usize,
    /// `last` and the like go along, and where men stood when the turn began.
    pub words: bool,
    pub at_start: bool,
    pub slots: Vec<(Slot, Carried<'g>)>,
    /// What chance chooses from, and up to which number each block is drawn.
    pub options: Vec<Options>,
    pub bounds: Vec<Num>,
}

impl<'g> Bag<'g> {
    pub fn shape(&self) -> CarriedShape<'g> {
        CarriedShape {
            sets: self.sets,
            numbers: self.numbers,
            words: self.words.is_some(),
            at_start: !self.at_start.is_empty(),
            slots: self.slots.clone(),
            options: Vec::new(),
            bounds: Vec::new(),
        }
    }
}

/// Adds a slot to those that have a value.
pub fn add_slot(spine: &mut Vec<Slot>, slot: Slot) {
    if !spine.contains(&slot) {
        spine.push(slot);
    }
}
