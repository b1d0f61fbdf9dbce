//! Linear code: what is known of choice points, entry points and `first` when programs are laid
//! out: options, bounds, and what must be kept to come back.

use std::collections::BTreeSet;

use crate::plan::analysis::count_bound::domain::{CountBound, Size};
use crate::plan::dir_vector::DirVector;
use crate::plan::op::{CodeOp, FusedOp, LinearOp, TreeOp};
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::Options;

/// Registers that an executor has.
pub const REGISTERS: usize = 256;

/// All programs of a game in one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Code<O = LinearOp> {
    pub code: Vec<O>,
    pub points: Vec<ChoicePoint>,
    pub alternatives: Vec<Alternatives>,
    /// By seat.
    pub entries: Vec<EntryPoints>,
    pub consts: Vec<(SetReg, crate::plan::Bits)>,
    pub const_numbers: Vec<(NumReg, i64)>,
    /// What questions ask for that know it by cell.
    pub attack_filters: Vec<AttackFilter>,
}

/// Code for the scalar interpreter.
pub type FusedCode = Code<FusedOp>;

impl<O> Default for Code<O> {
    fn default() -> Code<O> {
        Code {
            code: Vec::new(),
            points: Vec::new(),
            alternatives: Vec::new(),
            entries: Vec::new(),
            consts: Vec::new(),
            const_numbers: Vec::new(),
            attack_filters: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct EntryPoints {
    pub turn: u32,
    pub opening: Vec<u32>,
    /// Where continuations of turns begin.
    pub continuations: Vec<u32>,
    pub after: u32,
    pub end: u32,
    /// Where conditions begin that call themselves.
    pub routines: Vec<u32>,
    /// A turn that has no complete run may leave another position than there was.
    pub may_fail_dirty: bool,
    /// Nothing leaves or ages when a turn has ended.
    pub no_cleanup: bool,
}

/// Registers below these belong together in all programs.
#[derive(Clone, Copy, Debug)]
pub struct RegLayout {
    /// The position and the words of the turn.
    pub shared: (u16, u16),
    /// The position alone.
    pub position: (u16, u16),
    /// Which outcomes are asked: truths.
    pub terminal: [Option<NumReg>; 2],
    /// What is compared of complete runs.
    pub value: Option<NumReg>,
}

/// What is known of the board and its men, for what asks of them by cell.
#[derive(Clone, Copy)]
pub struct BoardFacts<'b> {
    pub dir_vectors: &'b [DirVector],
    /// [`PositionLayout::lone`](crate::plan::PositionLayout::lone).
    pub lone: &'b [(SetReg, SetReg)],
    /// Words of a set.
    pub words: usize,
}

/// Too many registers are live at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyRegisters;

/// A choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChoicePoint {
    /// The place of the choice itself.
    pub at: u32,
    /// Options of each arm, and where it goes on.
    pub arms: Vec<ArmTarget>,
    /// Where arms choose cells from, if that is what all arms offer; else empty.
    pub cells: Vec<Cells>,
    /// Arms that follow one another and have the same bound.
    pub classes: Vec<ArmClass>,
    /// Registers beside the shared ones that are read behind the choice.
    pub sets: Vec<SetReg>,
    pub numbers: Vec<NumReg>,
    /// All registers that are read behind the choice or shared, and that a run behind it writes.
    pub clobbered_sets: Vec<SetReg>,
    pub clobbered_numbers: Vec<NumReg>,
    /// Where these stand among the fours of registers.
    pub clobbered_quads: Quads,
    /// What the cell that is chosen shows of a number.
    pub early_reject: Option<EarlyReject>,
    /// The number of a run is that of the cell that is chosen.
    pub aimed: bool,
    /// The runs behind each option are bounded.
    pub bounded: bool,
    /// No other choice follows.
    pub last: bool,
    /// Whatever is chosen, the run is completed without another choice, and none with which it is
    /// compared.
    pub infallible: bool,
    /// All runs behind it have numbers, by which one of them is drawn.
    pub ranked: bool,
    /// The run may pass behind the choice.
    pub may_pass: bool,
    /// What is chosen may come to what the rules forbid.
    pub faults: bool,
}

/// [`TreeOp::EarlyReject`] of the choice right before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlyReject {
    pub a: SetReg,
    pub x: SetReg,
    pub trail: u16,
    pub aims: bool,
}

impl EarlyReject {
    pub fn of(op: TreeOp) -> Option<EarlyReject> {
        match op {
            TreeOp::EarlyReject { a, x, trail, aims } => Some(EarlyReject { a, x, trail, aims }),
            _ => None,
        }
    }

    pub fn op(self) -> TreeOp {
        let EarlyReject { a, x, trail, aims } = self;
        TreeOp::EarlyReject { a, x, trail, aims }
    }

    pub fn accesses(self, f: impl FnMut(Access)) {
        self.op().accesses(f);
    }

    /// The same with its registers renamed.
    pub fn renamed(self, set: impl Fn(SetReg) -> SetReg) -> EarlyReject {
        EarlyReject { a: set(self.a), x: set(self.x), ..self }
    }
}

/// Fours of set and of number registers, by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quads {
    pub sets: Vec<u8>,
    pub numbers: Vec<u8>,
}

impl Quads {
    pub fn of(sets: &[SetReg], numbers: &[NumReg]) -> Quads {
        Quads { sets: fours(sets.iter().map(|reg| reg.0)), numbers: fours(numbers.iter().map(|reg| reg.0)) }
    }
}

/// The fours in which registers stand, each once and in order.
fn fours(regs: impl Iterator<Item = u16>) -> Vec<u8> {
    let all: BTreeSet<u8> = regs.map(|reg| (usize::from(reg) % REGISTERS / 4) as u8).collect();
    all.into_iter().collect()
}

impl ChoicePoint {
    /// Its options are the complete runs, and none of them comes to what the rules forbid.
    pub fn counts(&self) -> bool {
        self.infallible && !self.faults
    }

    /// A run that draws goes on at once with one of its options.
    pub fn draws(&self) -> bool {
        self.infallible || self.ranked
    }
}

/// Options of an arm that are cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cells {
    pub of: SetReg,
    /// Where the one goes that is chosen.
    pub cell: SetReg,
    /// Where the arm goes on.
    pub entry: u32,
    /// A step from that cell which is made with the choice: where what it leads to goes, and the
    /// hop.
    pub back: Option<(SetReg, u16)>,
}

/// Arms that follow one another, and a bound of the runs behind each of their options.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmClass {
    pub from: usize,
    /// The first arm behind them.
    pub to: usize,
    pub bound: CountBound,
    /// Nothing bounds the runs.
    pub unbounded: bool,
    /// What of the bound is always the same; 0 where nothing bounds the runs.
    pub known: u64,
    /// The rest of it: numbers, each multiplied by the sizes of sets.
    pub sized: Vec<(u64, Vec<Size>)>,
}

impl ArmClass {
    pub fn new((from, to): (usize, usize), bound: CountBound) -> ArmClass {
        let (mut known, mut sized, unbounded) = (0, Vec::new(), bound.is_unknown());
        for term in bound.terms.iter().filter(|_| !unbounded) {
            if term.sizes.is_empty() {
                known += term.known;
            } else {
                sized.push((term.known, term.sizes.to_vec()));
            }
        }
        ArmClass { from, to, bound, unbounded, known, sized }
    }

    /// One run stands behind each option.
    pub fn is_sole(&self) -> bool {
        self.known == 1 && self.sized.is_empty()
    }

    /// The bound is not more than this, whatever the sets. `None`: more than a word has room for.
    pub fn most(&self) -> Option<u64> {
        let cells = crate::board::MAX_CELLS as u64;
        let most = |(known, sizes): &(u64, Vec<Size>)| {
            sizes.iter().try_fold(*known, |product, size| product.checked_mul(size.most(cells)))
        };
        self.sized.iter().try_fold(self.known, |sum, term| sum.checked_add(most(term)?))
    }
}

/// One way of a choice: its options, and where it goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmTarget {
    pub options: Options,
    pub entry: u32,
    /// Which of the classes it is of.
    pub class: usize,
    /// Questions behind it that are answered before anything else is chosen: the place of the jump,
    /// and whether the number is not 0.
    pub branch_facts: Vec<(u32, bool)>,
}

/// What lies near each cell: what operations make of that cell alone, where others hold all cells
/// or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackFilter {
    /// Where the cell goes in, and where what lies near it comes out.
    pub from: SetReg,
    pub made: SetReg,
    pub ops: Vec<FusedOp>,
    /// Registers that hold all cells, and those that hold none.
    pub assumed_full: Vec<SetReg>,
    pub assumed_empty: Vec<SetReg>,
}

/// A `first`.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternatives {
    pub blocks: Vec<u32>,
    pub sets: Vec<SetReg>,
    pub numbers: Vec<NumReg>,
}

impl<O: CodeOp> Code<O> {
    /// Other operations for the same programs.
    fn with_ops<P>(self, ops: impl FnOnce(Vec<O>) -> Vec<P>) -> Code<P> {
        let Code { code, points, alternatives, entries, consts, const_numbers, attack_filters } = self;
        Code { code: ops(code), points, alternatives, entries, consts, const_numbers, attack_filters }
    }

    /// The same for the scalar interpreter, without any of its superinstructions.
    pub fn to_fused(&self) -> FusedCode {
        self.clone().with_ops(|ops| ops.into_iter().map(O::into).collect())
    }
}

impl FusedCode {
    /// The same as linear code, if it has no superinstructions.
    pub fn to_linear(&self) -> Option<Code> {
        let ops: Vec<LinearOp> = self.code.iter().map(|op| LinearOp::try_from(*op).ok()).collect::<Option<_>>()?;
        Some(self.clone().with_ops(|_| ops))
    }
}

impl<O> Code<O> {
    /// Where programs begin: the seat, the program, and its place.
    pub fn programs(&self) -> impl Iterator<Item = ((usize, &'static str), u32)> {
        self.entries.iter().enumerate().flat_map(|(seat, entries)| {
            let openings = entries.opening.iter().map(|entry| ("opening", *entry));
            let continuations = entries.continuations.iter().map(|entry| ("continuation", *entry));
            let turns = [("turn", entries.turn)].into_iter().chain(openings).chain(continuations);
            let routines = entries.routines.iter().map(|entry| ("routine", *entry));
            let programs = turns.chain([("after", entries.after), ("end", entries.end)]).chain(routines);
            programs.map(move |(name, entry)| ((seat, name), entry))
        })
    }
}

impl EntryPoints {
    /// Where turns, those of the opening, and continuations of turns begin.
    pub fn turns(&self) -> impl Iterator<Item = u32> {
        [self.turn].into_iter().chain(self.opening.iter().chain(&self.continuations).copied())
    }

    /// Where its programs begin.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        [self.after, self.end].into_iter().chain(self.turns()).chain(self.routines.iter().copied())
    }

    /// The same, to be changed.
    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        let others = self.opening.iter_mut().chain(&mut self.continuations).chain(&mut self.routines);
        [&mut self.turn, &mut self.after, &mut self.end].into_iter().chain(others)
    }
}
