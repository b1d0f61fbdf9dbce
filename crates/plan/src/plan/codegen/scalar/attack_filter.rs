//! Attack filter: tests of what attacks a unique piece, such as a king, go in; tests of a
//! precomputed table come out, with the exact ones behind them.
//!
//! ```text
//! s4 = s3 stepped any of 2 ways                  need nothing of s7 near s3
//! need that s4 and s7 share none
//!                                       ->
//! s8..11 = s3 stepped 4 ways, onto s5            unless something of s9 is near s3 go to 7
//! s12..15 = s8..11 stepped 4 ways, onto s9       s8..11 = s3 stepped 4 ways, onto s5
//! s16 = any of s12..15                           ...
//! need none s16                                  need none s16
//! ```
//!
//! Steps and looks lead from a set to what they lead to from each of its cells, and that is known
//! of each cell beforehand. Where it depends on the game what they go through, it is known where
//! they lead at most: mostly nothing that is asked for stands there.

use smallvec::{SmallVec, smallvec};

use crate::plan::code::{AttackFilter, BoardFacts, FusedCode, REGISTERS, RegLayout};
use crate::plan::codegen::scalar::{Fuser, Stretch, Touched, asks, lay_out};
use crate::plan::dir_vector::VecBinaryOp;
use crate::plan::op::FusedOp;
use crate::plan::regs::{Access, SetReg};
use crate::plan::tuning::{
    MAX_FILTER_TABLES, MAX_FILTER_WORDS, MAX_OPS_TO_UNIQUE_PIECE, MAX_UNIQUE_PIECES_TRIED, MIN_OPS_SAVED_BY_FILTER,
};

/// What an operation does with one that it reads, if what it makes comes from a set cell by cell.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// What is made comes from its cells.
    Source,
    /// More cells make more.
    Filter,
    /// Fewer cells make more.
    Hole,
    /// A source or a filter, as another one is not a source.
    Either,
}

/// By operation: the sets that it reads, and which operation before made each.
type Reads = Vec<SmallVec<[(SetReg, Option<usize>); 8]>>;

/// How what is asked comes from the cells of one set.
struct Chain {
    near: AttackFilter,
    /// The operations, in order.
    at: Vec<usize>,
    /// Where the set was made, and what is asked for near it.
    base: usize,
    sought: SetReg,
    /// Which operation reads that.
    reader: usize,
    /// It is all there is to the question.
    exact: bool,
}

/// Code as it is laid out.
struct Laid {
    stretches: Vec<Stretch>,
    nears: Vec<AttackFilter>,
    /// So many places there are, new ones among them.
    places: usize,
    /// A new place, where runs die.
    dies: usize,
}

impl Laid {
    /// The number of a table.
    fn number(&mut self, near: AttackFilter) -> Option<u16> {
        let known = self.nears.iter().position(|known| *known == near);
        if known.is_none() && self.nears.len() < MAX_FILTER_TABLES {
            self.nears.push(near);
            return Some(self.nears.len() as u16 - 1);
        }
        Some(known? as u16)
    }
}

/// The same code, in which questions that hang on a lone man are answered by cell where they can be.
pub fn filter_attacks(code: FusedCode, layout: RegLayout, board: BoardFacts<'_>) -> FusedCode {
    let fuser = Fuser::new(&code, layout, board);
    fuser.filter_attacks(fuser.stretches(), code.clone())
}

impl Fuser<'_> {
    /// Lays out stretches, with questions about lone men answered by cell where they can be.
    pub fn filter_attacks(&self, stretches: Vec<Stretch>, mut code: FusedCode) -> FusedCode {
        let (dies, nears) = (code.code.len() + 1, std::mem::take(&mut code.attack_filters));
        let mut laid = Laid { stretches: Vec::with_capacity(stretches.len()), nears, places: dies + 1, dies };
        stretches.into_iter().for_each(|stretch| self.ask_near(stretch, &mut laid));
        if !laid.nears.is_empty() {
            laid.stretches.push(Stretch { ops: vec![FusedOp::Fail], begin: dies, end: dies });
        }
        code.attack_filters = laid.nears;
        lay_out(laid.stretches, laid.places, code)
    }

    /// Asks what is known by cell. Places from the end of the code on are new ones.
    fn ask_near(&self, mut stretch: Stretch, laid: &mut Laid) {
        if !self.hangs_on_lone(&stretch) {
            laid.stretches.push(stretch);
            return;
        }
        self.ask_exactly(&mut stretch, laid);
        let mut reads = self.reads(&stretch);
        let mut cuts: Vec<(usize, usize)> = Vec::new();
        for asked in (0..stretch.ops.len()).rev() {
            if let Some(behind) = self.guard(&mut stretch, &reads, asked, laid) {
                reads = self.reads(&stretch);
                cuts.iter_mut().for_each(|(_, at)| *at += 1);
                if let Some(at) = behind {
                    cuts.push((laid.places, at));
                    laid.places += 1;
                }
            }
        }
        let mut parts = Vec::new();
        for (begin, at) in cuts {
            parts.push(Stretch { ops: stretch.ops.split_off(at), begin, end: stretch.end });
            stretch.end = begin;
        }
        laid.stretches.push(stretch);
        laid.stretches.extend(parts.into_iter().rev());
    }

    /// Something is asked where the cell of a lone man is known.
    pub fn hangs_on_lone(&self, stretch: &Stretch) -> bool {
        let mut behind = stretch.ops.iter().skip_while(|op| !self.is_lone(op));
        self.words <= MAX_FILTER_WORDS && behind.any(|op| asks(op).is_some())
    }

    fn is_lone(&self, op: &FusedOp) -> bool {
        matches!(*op, FusedOp::And { a, b, .. } if self.lone.contains(&(a, b)) || self.lone.contains(&(b, a)))
    }

    /// Which operation made each set that operations read.
    fn reads(&self, stretch: &Stretch) -> Reads {
        let mut made = [None; REGISTERS];
        let mut reads = Reads::new();
        for (at, op) in stretch.ops.iter().enumerate() {
            let mut all = SmallVec::new();
            op.accesses(|access| match access {
                Access::UseSet(reg) => all.push((reg, made[usize::from(reg.0) % REGISTERS])),
                Access::DefSet(reg) => made[usize::from(reg.0) % REGISTERS] = Some(at),
                Access::Pieces => made[..usize::from(self.bounds.shared.0)].fill(Some(at)),
                Access::UseNum(_) | Access::DefNum(_) | Access::Position => {}
            });
            reads.push(all);
        }
        reads
    }

    /// Questions of which all is known by cell are asked so.
    fn ask_exactly(&self, stretch: &mut Stretch, laid: &mut Laid) {
        let reads = self.reads(stretch);
        let mut idle: Vec<usize> = Vec::new();
        for asked in 0..stretch.ops.len() {
            let Some(chain) = self.chain(stretch, &reads, asked).filter(|chain| chain.exact) else { continue };
            let stands = |reg: SetReg, from: usize| !stretch.ops[from..asked].iter().any(|op| self.writes(op, reg));
            let works = chain.at.iter().any(|&at| weight(&stretch.ops[at]) > 1);
            if works && stands(chain.near.from, chain.base + 1) && stands(chain.sought, chain.reader) {
                let (a, b) = (chain.near.from, chain.sought);
                if let Some(near) = laid.number(chain.near) {
                    let (some, to) = match stretch.ops[asked] {
                        FusedOp::BranchIfNonEmpty { to, .. } | FusedOp::BranchIfIntersects { to, .. } => (true, to),
                        FusedOp::BranchIfEmpty { to, .. } | FusedOp::BranchIfDisjoint { to, .. } => (false, to),
                        _ => (true, laid.dies as u32),
                    };
                    stretch.ops[asked] = FusedOp::BranchByAttackFilter { a, b, near, some, to };
                    idle.extend(chain.at);
                }
            }
        }
        // What nobody reads any more goes away.
        idle.sort_unstable();
        idle.dedup();
        for at in idle.into_iter().rev() {
            let made = Touched::of(&stretch.ops[at]).made;
            if made.iter().all(|made| !self.wants(stretch, at + 1, *made)) {
                stretch.ops.remove(at);
            }
        }
    }

    /// Puts a question before what another one alone needs: whether anything can come of it. Where
    /// it stands then that a run goes on behind.
    fn guard(&self, stretch: &mut Stretch, reads: &Reads, asked: usize, laid: &mut Laid) -> Option<Option<usize>> {
        let chain = self.chain(stretch, reads, asked)?;
        let mine = self.alone(stretch, reads, &chain, asked);
        if mine.iter().map(|&at| weight(&stretch.ops[at])).sum::<usize>() < MIN_OPS_SAVED_BY_FILTER {
            return None;
        }
        let first = *mine.first()?;
        let (a, b) = (chain.near.from, chain.sought);
        let others: Vec<FusedOp> = (first..asked).filter(|at| !mine.contains(at)).map(|at| stretch.ops[at]).collect();
        if stretch.ops[chain.base + 1..first].iter().chain(&others).any(|op| self.writes(op, a)) {
            return None;
        }
        let near = laid.number(chain.near)?;
        let own: Vec<FusedOp> = mine.iter().map(|&at| stretch.ops[at]).collect();
        let (to, cut) = match stretch.ops[asked] {
            FusedOp::BranchIfEmpty { to, .. } | FusedOp::BranchIfDisjoint { to, .. } => (to, None),
            _ => (laid.places as u32, Some(asked + 2)),
        };
        stretch.ops.splice(
            first..asked,
            others.into_iter().chain([FusedOp::BranchByAttackFilter { a, b, near, some: false, to }]).chain(own),
        );
        Some(cut)
    }

    fn writes(&self, op: &FusedOp, reg: SetReg) -> bool {
        let mut writes = false;
        op.accesses(|access| {
            writes |= access == Access::DefSet(reg) || access == Access::Pieces && self.is_shared(Access::DefSet(reg))
        });
        writes
    }

    /// What is asked comes from a lone man.
    fn chain(&self, stretch: &Stretch, reads: &Reads, asked: usize) -> Option<Chain> {
        if !asks_cells(&stretch.ops[asked]) {
            return None;
        }
        let bases =
            (asked.saturating_sub(MAX_OPS_TO_UNIQUE_PIECE)..asked).rev().filter(|&at| self.is_lone(&stretch.ops[at]));
        bases.take(MAX_UNIQUE_PIECES_TRIED).find_map(|base| Follow::new(self, stretch, reads, base)?.chain(asked))
    }

    /// Operations of a chain that nothing but the question needs, and that can stand directly
    /// before it.
    fn alone(&self, stretch: &Stretch, reads: &Reads, chain: &Chain, asked: usize) -> Vec<usize> {
        let mut mine: Vec<usize> = Vec::new();
        for &at in chain.at.iter().rev() {
            let touched = Touched::of(&stretch.ops[at]);
            let serves = |reader: &usize| mine.contains(reader) || *reader == asked;
            let read = (at + 1..reads.len()).filter(|&reader| reads[reader].iter().any(|(_, made)| *made == Some(at)));
            let passes = |other: usize| {
                let op = &stretch.ops[other];
                let leaves =
                    op.target().is_some_and(|to| touched.made.iter().any(|made| self.wants_at(to as usize, *made)));
                mine.contains(&other) || touched.is_apart(op) && !leaves
            };
            let kept = |made: &Access| {
                let leaves = stretch.ops[asked].target().is_some_and(|to| self.wants_at(to as usize, *made));
                leaves || self.wants(stretch, asked + 1, *made)
            };
            let can = read.into_iter().all(|reader| serves(&reader))
                && (at + 1..asked).all(passes)
                && !touched.made.iter().any(kept)
                && stretch.ops[at..asked].iter().all(FusedOp::goes_on);
            if can {
                mine.insert(0, at);
            }
        }
        mine
    }
}

/// The operation is a question about cells.
fn asks_cells(op: &FusedOp) -> bool {
    matches!(
        op,
        FusedOp::RequireEmpty { .. }
            | FusedOp::BranchIfNonEmpty { .. }
            | FusedOp::BranchIfEmpty { .. }
            | FusedOp::RequireDisjoint { .. }
            | FusedOp::BranchIfIntersects { .. }
            | FusedOp::BranchIfDisjoint { .. }
    )
}

/// Goes back along what sets are made of.
struct Follow<'f> {
    fuser: &'f Fuser<'f>,
    stretch: &'f Stretch,
    reads: &'f Reads,
    base: usize,
    from: SetReg,
    /// By operation from the base on: it comes from the base, or not.
    known: SmallVec<[Option<bool>; 128]>,
    at: Vec<usize>,
    open: Vec<SetReg>,
    shut: Vec<SetReg>,
}

impl<'f> Follow<'f> {
    fn new(fuser: &'f Fuser<'f>, stretch: &'f Stretch, reads: &'f Reads, base: usize) -> Option<Follow<'f>> {
        let FusedOp::And { d: from, .. } = stretch.ops[base] else { return None };
        let (known, at) = (smallvec![None; stretch.ops.len() - base], Vec::new());
        Some(Follow { fuser, stretch, reads, base, from, known, at, open: Vec::new(), shut: Vec::new() })
    }

    fn chain(mut self, asked: usize) -> Option<Chain> {
        let reads = &self.reads[asked];
        let from_base = |follow: &mut Self, made: Option<usize>| follow.comes_from_base(made);
        let (root, sought) = match *reads.as_slice() {
            [(_, root)] => (root?, None),
            [(a, of_a), (b, of_b)] => match (from_base(&mut self, of_a)?, from_base(&mut self, of_b)?) {
                (true, false) => (of_a?, Some(b)),
                (false, true) => (of_b?, Some(a)),
                _ => return None,
            },
            _ => return None,
        };
        if root == self.base || !self.comes_from_base(Some(root))? {
            return None;
        }
        let made = reads.iter().find(|(_, made)| *made == Some(root))?.0;
        let (sought, reader) = match sought {
            Some(sought) => (sought, asked),
            None => self.sought(root)?,
        };
        self.at.sort_unstable();
        let Follow { stretch, at, open, shut, from, base, .. } = self;
        let ops: Vec<FusedOp> = at.iter().map(|&at| stretch.ops[at]).collect();
        let written = |reg: &SetReg| *reg == from || ops.iter().any(|op| self.fuser.writes(op, *reg));
        if open.iter().chain(&shut).any(written)
            || open.iter().any(|reg| shut.contains(reg))
            || ops.iter().any(|op| self.fuser.writes(op, from))
        {
            return None;
        }
        let reads_sought = |at: &&usize| self.reads[**at].iter().any(|(read, _)| *read == sought);
        let last = reader == asked || at.iter().filter(reads_sought).count() == 1;
        let exact = last && shut.is_empty() && open.iter().all(|reg| *reg == sought && reader != asked);
        Some(Chain {
            near: AttackFilter { from, made, ops, assumed_full: open, assumed_empty: shut },
            at,
            base,
            sought,
            reader,
            exact,
        })
    }

    /// A set in which all lies that an operation makes: what is sought, and by which operation.
    fn sought(&mut self, root: usize) -> Option<(SetReg, usize)> {
        let reads = &self.reads[root];
        match self.stretch.ops[root] {
            FusedOp::And { a, b, .. } => {
                let [(_, of_a), (_, of_b)] = *reads.as_slice() else { return None };
                let (of_a, of_b) = (self.comes_from_base(of_a)?, self.comes_from_base(of_b)?);
                (of_a != of_b).then_some((if of_a { b } else { a }, root))
            }
            FusedOp::VecShift { onto, .. } | FusedOp::VecSlidingReach { onto, .. } => Some((onto?, root)),
            FusedOp::VecBinary { pairing: VecBinaryOp::And, b, wide: 1, .. } => Some((b, root)),
            FusedOp::VecBinary { pairing: VecBinaryOp::And, a, wide: 2, .. } => Some((a, root)),
            FusedOp::VecUnion { .. } => {
                let (_, made) = reads.first()?;
                reads.iter().all(|(_, other)| other == made).then_some(())?;
                self.sought((*made)?)
            }
            _ => None,
        }
    }

    /// Whether what an operation makes comes from the base, cell by cell. `None`: it does in some
    /// other way.
    fn comes_from_base(&mut self, made: Option<usize>) -> Option<bool> {
        let Some(at) = made.filter(|&at| at >= self.base) else { return Some(false) };
        if at == self.base {
            return Some(true);
        }
        if let Some(known) = self.known[at - self.base] {
            return Some(known);
        }
        let reads = self.reads;
        let sources: SmallVec<[bool; 8]> =
            reads[at].iter().map(|(_, made)| self.comes_from_base(*made)).collect::<Option<_>>()?;
        let comes = sources.contains(&true);
        if comes {
            let sole = sources.iter().filter(|source| **source).count() == 1;
            for (((reg, made), role), source) in reads[at].iter().zip(roles(&self.stretch.ops[at])?).zip(&sources) {
                match (role, source) {
                    (Role::Source, true) => {}
                    (Role::Either, true) if sole => {}
                    (Role::Filter | Role::Either, false) => self.leave_open(*reg, *made, true),
                    (Role::Hole, false) => self.leave_open(*reg, *made, false),
                    _ => return None,
                }
            }
            self.at.push(at);
        }
        self.known[at - self.base] = Some(comes);
        Some(comes)
    }

    /// Any cell may be in a set, or none, unless it always holds the same ones.
    fn leave_open(&mut self, reg: SetReg, made: Option<usize>, open: bool) {
        let known = made.is_none() && self.fuser.linked.consts.iter().any(|(known, _)| *known == reg);
        let all = if open { &mut self.open } else { &mut self.shut };
        if !known && !all.contains(&reg) {
            all.push(reg);
        }
    }
}

/// What an operation does with each set that it reads. `None`: what it makes does not come from any
/// of them cell by cell.
fn roles(op: &FusedOp) -> Option<SmallVec<[Role; 16]>> {
    let rows =
        |lanes: u8, role: Role, wide: u8| std::iter::repeat_n(role, if wide == 0 { 1 } else { usize::from(lanes) });
    Some(match *op {
        FusedOp::Copy { .. } | FusedOp::MaskedShift { .. } | FusedOp::Shift { .. } | FusedOp::Neighbors { .. } => {
            smallvec![Role::Source]
        }
        FusedOp::And { .. } => smallvec![Role::Either, Role::Either],
        FusedOp::Or { .. } => smallvec![Role::Source, Role::Source],
        FusedOp::AndNot { .. } => smallvec![Role::Source, Role::Hole],
        FusedOp::AndNotBoth { .. } => smallvec![Role::Source, Role::Hole, Role::Hole],
        FusedOp::RayFill { .. } | FusedOp::SlidingReach { .. } => smallvec![Role::Source, Role::Filter],
        FusedOp::VecShift { onto, lanes, wide, .. } => {
            rows(lanes, Role::Source, wide).chain(onto.map(|_| Role::Filter)).collect()
        }
        FusedOp::VecRayFill { lanes, wide, .. } => {
            rows(lanes, Role::Source, wide & 1).chain(rows(lanes, Role::Filter, wide & 2)).collect()
        }
        FusedOp::VecSlidingReach { onto, lanes, wide, .. } => rows(lanes, Role::Source, wide & 1)
            .chain(rows(lanes, Role::Filter, wide & 2))
            .chain(onto.map(|_| Role::Filter))
            .collect(),
        FusedOp::VecBinary { pairing, lanes, wide, .. } => {
            let (a, b) = match pairing {
                // Of two rows it does not show which is the source.
                VecBinaryOp::And if wide == 1 => (Role::Source, Role::Filter),
                VecBinaryOp::And if wide == 2 => (Role::Filter, Role::Source),
                VecBinaryOp::And => return None,
                VecBinaryOp::Or => (Role::Source, Role::Source),
                VecBinaryOp::Without => (Role::Source, Role::Hole),
            };
            rows(lanes, a, wide & 1).chain(rows(lanes, b, wide & 2)).collect()
        }
        FusedOp::VecUnion { lanes, .. } => rows(lanes, Role::Source, 1).collect(),
        _ => return None,
    })
}

/// What an operation costs, a step of one set as one.
fn weight(op: &FusedOp) -> usize {
    match op {
        FusedOp::Neighbors { .. } | FusedOp::RayFill { .. } | FusedOp::VecBinary { .. } => 3,
        FusedOp::SlidingReach { .. } => 4,
        FusedOp::VecShift { .. } | FusedOp::VecRayFill { .. } | FusedOp::VecSlidingReach { .. } => 5,
        _ => 1,
    }
}
