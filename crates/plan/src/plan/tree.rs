//! Tree IR: structured control flow over set and number registers, and the plan that holds it.

use smallvec::{SmallVec, smallvec};

use crate::board::{Kind, Player};
use crate::plan::analysis::count_bound::domain::CountBound;
use crate::plan::bitboard::{BitboardLayout, Bits};
use crate::plan::dir_vector::DirVector;
use crate::plan::op::TreeOp;
use crate::plan::ray_query::RayQuery;
use crate::plan::regs::{Access, NumReg, SetReg, SpanId};
use crate::source::Site;

pub type Block = Vec<Node>;

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Op(TreeOp),
    If {
        condition: NumReg,
        then: Block,
        otherwise: Block,
    },
    /// The body again and again while the number that it leaves is not 0.
    Loop {
        body: Block,
        again: NumReg,
        counter: NumReg,
        /// Rounds that are over before.
        begun: i64,
        place: SpanId,
    },
    /// For each cell of the set, in the order of bits; the set is used up.
    Each {
        of: SetReg,
        cell: SetReg,
        body: Block,
    },
    /// For each group of the set; the set is used up.
    EachGroup {
        of: SetReg,
        along: u16,
        group: SetReg,
        body: Block,
    },
    /// A choice: one option of all options of all arms.
    Choose(Vec<Arm>),
    /// The first of the blocks from which the turn can be completed.
    First {
        blocks: Vec<Block>,
    },
    /// The run goes on only if this is not 0.
    Need(NumReg),
    Fail,
}

impl Node {
    /// The blocks within.
    pub fn blocks(&self) -> SmallVec<[&Block; 2]> {
        match self {
            Node::Op(_) | Node::Need(_) | Node::Fail => SmallVec::new(),
            Node::If { then, otherwise, .. } => smallvec![then, otherwise],
            Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } => smallvec![body],
            Node::First { blocks } => blocks.iter().collect(),
            Node::Choose(arms) => arms.iter().map(|arm| &arm.block).collect(),
        }
    }

    /// Calls back for each register that the node itself uses or defines, not for those of the blocks within.
    pub fn accesses(&self, f: &mut impl FnMut(Access)) {
        match self {
            Node::Op(op) => op.accesses(&mut *f),
            Node::If { condition: n, .. } | Node::Need(n) => f(Access::UseNum(*n)),
            Node::Loop { again, counter, .. } => {
                f(Access::UseNum(*again));
                [*again, *counter].into_iter().for_each(|n| f(Access::DefNum(n)));
            }
            Node::Each { of, cell: d, .. } | Node::EachGroup { of, group: d, .. } => {
                f(Access::UseSet(*of));
                f(Access::DefSet(*d));
            }
            Node::Choose(arms) => arms.iter().for_each(|arm| arm.accesses(&mut *f)),
            Node::First { .. } | Node::Fail => {}
        }
    }

    /// Something is chosen in it.
    pub fn chooses(&self) -> bool {
        matches!(self, Node::First { .. } | Node::Choose(_)) || self.blocks().into_iter().flatten().any(Node::chooses)
    }

    /// The blocks within, to be changed.
    pub fn blocks_mut(&mut self) -> SmallVec<[&mut Block; 2]> {
        match self {
            Node::Op(_) | Node::Need(_) | Node::Fail => SmallVec::new(),
            Node::If { then, otherwise, .. } => smallvec![then, otherwise],
            Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } => smallvec![body],
            Node::First { blocks } => blocks.iter_mut().collect(),
            Node::Choose(arms) => arms.iter_mut().map(|arm| &mut arm.block).collect(),
        }
    }
}

/// One way to choose, with options of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    pub options: Options,
    /// What the choice of this arm's option does; the register of the option holds what was chosen.
    pub block: Block,
    /// What kind of option it is, for people.
    pub note: String,
    /// At most how many complete runs there are behind each option.
    pub bound: CountBound,
    /// A set that is found before the choice in front of this one, and holds all that the arm
    /// offers; what it is the rest of, if it is.
    pub within: Option<SetReg>,
    /// It offers what the arm of this number leaves of this set: `Pass::SplitArms`.
    pub rest_of: Option<(SetReg, usize)>,
    /// A register in which the block puts a man, and of which kinds alone he can be, a bit a kind.
    pub man: Option<(SetReg, u64)>,
    /// The man belongs to the player to move.
    pub own: bool,
    /// The `either` of which it opens a branch, and which; or the `repeat`, of which it is the end (0) or another round (1).
    pub branch: Option<(SpanId, u16)>,
    /// Conditions that are asked behind it before anything else is chosen, and whether they hold
    /// then.
    pub branch_facts: Vec<(NumReg, bool)>,
}

impl Arm {
    /// An arm of which nothing is known yet.
    pub fn new(options: Options, block: Block, note: impl Into<String>) -> Arm {
        let (bound, branch_facts) = (CountBound::default(), Vec::new());
        Arm {
            options,
            block,
            note: note.into(),
            bound,
            within: None,
            rest_of: None,
            man: None,
            own: false,
            branch: None,
            branch_facts,
        }
    }

    /// Calls back for each register that bounding, counting and choosing its options uses or
    /// defines.
    pub fn accesses(&self, f: &mut impl FnMut(Access)) {
        let whole = self.rest_of.map(|(whole, _)| whole);
        let sizes = self.bound.sizes().chain(self.within).chain(whole);
        sizes.for_each(|size| f(Access::UseSet(size)));
        self.options.accesses(f);
    }

    /// Renames the set registers of all that is known of the arm, but not those of its block.
    pub fn rename_sets(&mut self, set: impl Fn(SetReg) -> SetReg + Copy) {
        self.options = self.options.renamed(set, |number| number);
        self.bound = self.bound.renamed(set);
        self.within = self.within.map(set);
        self.rest_of = self.rest_of.map(|(whole, arm)| (set(whole), arm));
        self.man = self.man.map(|(man, kinds)| (set(man), kinds));
    }
}

/// What an arm offers, and the register that holds what was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Options {
    /// One of the cells.
    Cells { of: SetReg, cell: SetReg },
    /// A single option if the number is not 0.
    One { open: NumReg },
    /// A number from one to the other.
    Range { from: NumReg, to: NumReg, number: NumReg },
    /// One bit of a set of directions or axes.
    Bits { of: NumReg, bit: NumReg },
    /// So many different cells, in no order.
    Combinations { of: SetReg, size: u16, cells: SetReg },
    /// One group of those in the set, whole.
    Groups { of: SetReg, along: u16, group: SetReg },
}

impl Options {
    /// Calls back for each register that making the choice uses or defines.
    pub fn accesses(self, f: &mut impl FnMut(Access)) {
        match self {
            Options::Cells { of, cell: d }
            | Options::Combinations { of, cells: d, .. }
            | Options::Groups { of, group: d, .. } => {
                f(Access::UseSet(of));
                f(Access::DefSet(d));
            }
            Options::One { open } => f(Access::UseNum(open)),
            Options::Range { from, to, number } => {
                f(Access::UseNum(from));
                f(Access::UseNum(to));
                f(Access::DefNum(number));
            }
            Options::Bits { of, bit } => {
                f(Access::UseNum(of));
                f(Access::DefNum(bit));
            }
        }
    }

    /// The same with its registers renamed.
    pub fn renamed(self, set: impl Fn(SetReg) -> SetReg, number: impl Fn(NumReg) -> NumReg) -> Options {
        match self {
            Options::Cells { of, cell } => Options::Cells { of: set(of), cell: set(cell) },
            Options::One { open } => Options::One { open: number(open) },
            Options::Range { from, to, number: n } => {
                Options::Range { from: number(from), to: number(to), number: number(n) }
            }
            Options::Bits { of, bit } => Options::Bits { of: number(of), bit: number(bit) },
            Options::Combinations { of, size, cells } => Options::Combinations { of: set(of), size, cells: set(cells) },
            Options::Groups { of, along, group } => Options::Groups { of: set(of), along, group: set(group) },
        }
    }
}

/// How many combinations of `size` of `n` there are: the binomial coefficient; `u64::MAX` where a product on the way there does
/// not fit into a word.
#[inline]
pub fn binomial(n: u64, size: u16) -> u64 {
    let Some(rest) = n.checked_sub(u64::from(size)) else { return 0 };
    let fewer = rest.min(u64::from(size));
    if fewer == 0 {
        return 1;
    }
    let mut combinations = n;
    for chosen in 1..fewer {
        let Some(product) = combinations.checked_mul(n - chosen) else { return u64::MAX };
        // It leaves no rest: this is the coefficient of one more.
        combinations = product / (chosen + 1);
    }
    combinations
}

/// Where the parts of a position stand among the registers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PositionLayout {
    /// Set registers that are the position.
    pub sets: u16,
    /// Number registers that are the position.
    pub numbers: u16,
    /// By player: his men.
    pub of: Vec<SetReg>,
    /// Men of nobody, if the game has any.
    pub neutral: Option<SetReg>,
    /// By kind: how its cells are known.
    pub kinds: Vec<KindSet>,
    /// By player, then kind: men in hand; empty if the game has no hands.
    pub hands: Vec<NumReg>,
    /// By remembered value, then copy.
    pub states: Vec<Vec<StateCell>>,
    /// Caught men that wait to leave.
    pub waiting: Option<SetReg>,
    /// Remembered sets that turns never give more than one cell: none has more in a position that
    /// the plan has a place for.
    pub single: Vec<SetReg>,
    /// Men of a player and a kind of which there is one alone when a game begins: the registers
    /// that share him.
    pub lone: Vec<(SetReg, SetReg)>,
    /// The men of all cells, if they stand on each other: the sets above tell of top men alone then.
    pub stacks: Option<Stacks>,
}

/// Where the registers of stacks stand, and what a man takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stacks {
    /// The first of those with a byte for each cell: how many men stand there.
    pub heights: SetReg,
    /// The first of those with the men, and how many these are.
    pub men: SetReg,
    pub registers: u16,
    /// Bits of a man.
    pub bits: u8,
    /// So many men have a place in the registers.
    pub most_men: u16,
    /// Whether they have one is asked of all who come onto the board: there may be more in hand.
    pub asks_room: bool,
}

impl Stacks {
    /// All its registers.
    pub fn all(self) -> impl Iterator<Item = SetReg> {
        (self.heights.0..self.men.0 + self.registers).map(SetReg)
    }
}

impl PositionLayout {
    /// Registers tell of a man of an owner, or of nobody, and of a kind.
    pub fn has_place_for(&self, owner: Option<Player>, kind: Kind) -> bool {
        match (self.kinds[kind.index()], owner) {
            (KindSet::Register(_), None) => self.neutral.is_some(),
            (KindSet::Register(_), Some(_)) => true,
            (KindSet::AllOwned, owner) => owner.is_some(),
            (KindSet::AllNeutral, owner) => owner.is_none(),
        }
    }

    /// Registers that tell whose men are, and of which kind.
    pub fn owners_and_kinds(&self) -> impl Iterator<Item = SetReg> {
        let kinds =
            self.kinds.iter().filter_map(|kind| if let KindSet::Register(reg) = kind { Some(*reg) } else { None });
        self.of.iter().copied().chain(self.neutral).chain(kinds)
    }

    /// Registers that operations on men write: whose they are, of which kind, and what is
    /// remembered of cells, which goes with them.
    pub fn men(&self) -> Vec<SetReg> {
        let states = self.states.iter().flatten();
        let marks = states.filter_map(|cell| if let StateCell::Set(reg) = cell { Some(*reg) } else { None });
        let stacks = self.stacks.into_iter().flat_map(Stacks::all);
        self.owners_and_kinds().chain(marks).chain(stacks).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindSet {
    Register(SetReg),
    /// The only kind of the players' men.
    AllOwned,
    /// The only kind of nobody's men.
    AllNeutral,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateCell {
    Set(SetReg),
    Number(NumReg),
}

/// Registers that tell which outcomes are asked, 1 or 0, where some can be left out, as perft does:
/// those that ask the history, and draws.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TerminalRegs {
    pub history: Option<NumReg>,
    pub draws: Option<NumReg>,
    /// 1 where the runs behind the next choice are only counted.
    pub counting: Option<NumReg>,
}

/// Of the complete runs of a turn that have a value only those stay whose value is the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argmax {
    /// There is one contest for the whole turn, and a run has one value in it: where it leaves that.
    Register(NumReg),
    /// The same of a turn that falls into plies. The value of a run that suspends the turn is the greatest that its
    /// continuations come to. The greatest of the turn goes along with it, once it is known.
    InPlies { value: NumReg, best: NumReg },
    /// There are several contests, or a run may have several values: each run keeps a log of them.
    Logged,
}

impl Argmax {
    /// What stands in the register of a run that has no value.
    pub const NONE: i64 = i64::MIN;

    pub fn register(self) -> Option<NumReg> {
        match self {
            Argmax::Register(value) | Argmax::InPlies { value, .. } => Some(value),
            Argmax::Logged => None,
        }
    }
}

/// Registers of the position that hold, while a turn is suspended, what its next continuation reads. Between turns they
/// are empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carry {
    /// The number of the continuation that comes next, from 1 on; 0: the turn is over.
    pub next: NumReg,
    /// The first set register, and the one behind the last.
    pub sets: (SetReg, SetReg),
    /// The same of number registers; `next` is the first.
    pub numbers: (NumReg, NumReg),
}

/// What a turn goes on with where it was suspended: before a choice by chance, behind it, or behind a ply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Continuation {
    /// The choice by chance, or that of the next ply, in the rules.
    pub place: SpanId,
    /// Chance chooses in it.
    pub chance: bool,
    /// Who makes the first choice in it. `None`: chance or nobody does, or one of several players.
    pub by: Option<Player>,
    pub block: Block,
}

/// Arguments that a call can have. Those that are numbers are bit casts.
pub const MAX_ARGUMENTS: usize = 3;

/// Registers of the position in which routines find what they are asked of, and leave the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calls {
    pub arguments: [SetReg; MAX_ARGUMENTS],
    pub answer: NumReg,
}

/// A condition that calls itself: a program that changes nothing, and leaves an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routine {
    /// The define, in the rules.
    pub place: SpanId,
    pub block: Block,
}

/// The programs of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    pub bitboard: BitboardLayout,
    pub layout: PositionLayout,
    /// Registers that always hold the same.
    pub consts: Vec<(SetReg, Bits)>,
    pub const_numbers: Vec<(NumReg, i64)>,
    /// Sets of directions by number, as the hops they consist of.
    pub along: Vec<SmallVec<[u16; 2]>>,
    /// Those of them along which groups are looked for, with what lies around each cell known: see
    /// `Pass::Reachability`.
    pub flooded: Vec<u16>,
    /// Lists of rows of cells.
    pub lists: Vec<Vec<Bits>>,
    /// How rows of these lists become whole.
    pub completions: Vec<Completion>,
    /// What is looked for from single cells.
    pub ray_queries: Vec<RayQuery>,
    pub terminal: TerminalRegs,
    /// What is done along several directions at once.
    pub dir_vectors: Vec<DirVector>,
    /// Registers that follow one another: the first, and how many.
    pub reg_vectors: Vec<(SetReg, usize)>,
    pub spans: Vec<Site>,
    pub seats: Vec<SeatPlan>,
    /// Registers below these numbers mean the same in all programs: the position, and the words of
    /// the turn.
    pub shared_sets: u16,
    pub shared_numbers: u16,
    /// Some turn may be a pass.
    pub has_pass: bool,
    /// Runs that `most` compares.
    pub argmax: Option<Argmax>,
    /// Two runs may give the same turn, which counts once.
    pub ambiguity: Option<Ambiguity>,
    /// Turns are suspended: chance chooses within them, or they fall into plies.
    pub carry: Option<Carry>,
    /// Some condition calls itself.
    pub calls: Option<Calls>,
    /// The pass before has found the bounds of all choices, as the tree is now.
    pub is_bounded: bool,
}

/// How one more cell makes a row whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// A list of rows of the plan.
    pub list: u16,
    /// Where the man comes from that is put there, if he comes by a step: he leaves the rows of
    /// that cell.
    pub ways: SmallVec<[Away; 2]>,
    /// The rows, and which of their cells may complete them.
    pub rows: Vec<(Bits, Bits)>,
}

/// From where a man comes to the cell that he is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Away {
    /// From the cell that this hop leads to from there.
    Hop(u16),
    /// From the next cell in this direction.
    Dir(u16),
}

/// What makes runs of which two may write the same and come to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    pub place: SpanId,
    /// One of `Ambiguity::REASONS`.
    pub why: &'static str,
}

impl Ambiguity {
    pub const ALTERNATIVES: &str = "alternatives that may give the same turn, so that all turns are gone through";
    pub const UNWRITTEN_ROUNDS: &str =
        "rounds that are not written, of which two may give the same turn, so that all turns are gone through";
    pub const WAYS: &str = "ways of a piece that may lead to one cell, so that all turns are gone through";
    pub const REASONS: [&str; 3] = [Ambiguity::ALTERNATIVES, Ambiguity::UNWRITTEN_ROUNDS, Ambiguity::WAYS];
}

/// The programs of one seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeatPlan {
    pub player: Player,
    pub turn: Block,
    /// The turns of the opening, in order.
    pub opening: Vec<Block>,
    /// What turns go on with where they were suspended. Where chance chooses they stand in twos: chance chooses in the
    /// first, and the turn goes on from it in the second.
    pub continuations: Vec<Continuation>,
    /// What leaves and ages when his turn has ended.
    pub after: Block,
    /// The outcomes, asked when his turn has ended.
    pub end: Block,
    /// Conditions that call themselves.
    pub routines: Vec<Routine>,
}

impl SeatPlan {
    /// Its programs by name.
    pub fn programs(&self) -> impl Iterator<Item = (&'static str, &Block)> {
        let openings = self.opening.iter().map(|program| ("opening", program));
        let continuations = self.continuations.iter().map(|continuation| ("continuation", &continuation.block));
        let turns = [("turn", &self.turn)].into_iter().chain(openings).chain(continuations);
        let routines = self.routines.iter().map(|routine| ("routine", &routine.block));
        turns.chain([("after", &self.after), ("end", &self.end)]).chain(routines)
    }

    /// The turns, those of the opening and continuations of turns among them.
    pub fn turns_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        let continuations = self.continuations.iter_mut().map(|continuation| &mut continuation.block);
        [&mut self.turn].into_iter().chain(&mut self.opening).chain(continuations)
    }

    /// All programs.
    pub fn programs_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        let continuations = self.continuations.iter_mut().map(|continuation| &mut continuation.block);
        let routines = self.routines.iter_mut().map(|routine| &mut routine.block);
        let programs = [&mut self.turn, &mut self.after, &mut self.end].into_iter().chain(&mut self.opening);
        programs.chain(continuations).chain(routines)
    }
}

impl Plan {
    /// All programs.
    pub fn programs_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        self.seats.iter_mut().flat_map(SeatPlan::programs_mut)
    }

    /// It is known of each continuation who chooses in it, and chance never does.
    pub fn tells_choosers(&self) -> bool {
        let tells = |one: &Continuation| !one.chance && (one.by.is_some() || !one.block.iter().any(Node::chooses));
        self.seats.iter().flat_map(|seat| &seat.continuations).all(tells)
    }

    /// A turn may come to the same continuation again, and only [`crate::model::MAX_ROUNDS`] ends it: each executor has to count.
    pub fn has_cyclic_continuations(&self) -> bool {
        let Some(Carry { next, .. }) = self.carry else { return false };
        self.seats.iter().any(|seat| {
            let behind: Vec<Vec<usize>> = seat.continuations.iter().map(|one| successors(&one.block, next)).collect();
            let mut left: Vec<usize> = (0..behind.len()).collect();
            // Those drop out behind which only such stand as have dropped out: what stays is on a cycle, or before one.
            loop {
                let before = left.len();
                let stays = |at: &usize| behind[*at].iter().any(|next| left.contains(next));
                left = left.iter().copied().filter(stays).collect();
                if left.len() == before {
                    return before > 0;
                }
            }
        })
    }
}

/// The continuations before which a block may suspend the turn.
fn successors(block: &Block, next: NumReg) -> Vec<usize> {
    let within = |node: &Node| match node {
        Node::Op(TreeOp::Const { d, k }) if *d == next => {
            k.checked_sub(1).and_then(|at| usize::try_from(at).ok()).into_iter().collect()
        }
        node => node.blocks().into_iter().flat_map(|block| successors(block, next)).collect::<Vec<_>>(),
    };
    block.iter().flat_map(within).collect()
}

/// Calls back for each node of a block, from the last on, those within first.
pub fn for_each_node_backwards(block: &mut Block, f: &mut impl FnMut(&mut Block, usize)) {
    for at in (0..block.len()).rev() {
        block[at].blocks_mut().into_iter().for_each(|block| for_each_node_backwards(block, f));
        f(block, at);
    }
}
