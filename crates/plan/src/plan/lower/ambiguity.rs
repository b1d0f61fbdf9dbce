//! Ambiguity: two branches of an `either`, or a round and what follows the last one, go in; whether they can give the same
//! turn comes out: the same written choices, and so perhaps the same result.
//!
//! Such a turn counts once, however many runs give it. Most branches are told apart by one of the
//! choices that they begin with: by its sort, or by where it lies, on men of one's own or on empty
//! cells. Where none of them does, turns are gone through and compared.

use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;

use crate::board::Dir;
use crate::plan::annotation::Annotation;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Facts, Words};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{Access, NumReg, RegBits, RegSet, SetReg, SpanId};
use crate::plan::tree::{Arm, Block, Carry, Node, Options};
use crate::plan::tuning::{MAX_CHOICES_COMPARED, MAX_NODES_FOR_AMBIGUITY};

/// Rounds of a loop until nothing more is found: each adds a written choice at least.
const ROUNDS: usize = MAX_CHOICES_COMPARED + 1;

/// What was picked, so that two runs that write the same have picked the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Picked {
    /// What is written in this place.
    Written(u32),
    /// What a set was when the branches began, and still is.
    Before(SetReg),
    /// One of these groups of the position, behind so many written choices: the next is written, or it is the only one.
    Group(GroupsOf, u32),
}

/// Groups that a pick offers: of which set, along what, and how large.
pub type GroupsOf = (SetReg, u64, i64, i64);

/// In which directions landings lie from where their men stood, and how many steps away (63: or more), a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Displacement {
    pub dirs: u64,
    pub steps: u64,
}

impl Displacement {
    /// In one direction, between so many steps away and so many (`None`: as far as lines go).
    pub fn along(dir: Dir, least: i64, most: Option<i64>) -> Displacement {
        let bits = |steps: i64| u64::MAX >> (63 - steps.clamp(0, 63));
        let below = if least > 0 { bits(least.min(63) - 1) } else { 0 };
        Displacement { dirs: 1 << dir.0, steps: most.map_or(u64::MAX, bits) & !below }
    }

    pub fn or(self, other: Displacement) -> Displacement {
        Displacement { dirs: self.dirs | other.dirs, steps: self.steps | other.steps }
    }

    fn are_apart(self, other: Displacement) -> bool {
        self.dirs & other.dirs == 0 || self.steps & other.steps == 0
    }
}

/// What may be written in one place of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sort {
    /// The turn is over.
    Nothing,
    One(Annotation, Facts),
    /// A landing that lies straight ahead of what was picked.
    Ahead(Annotation, Facts, Picked, Displacement),
    /// So many cells picked together.
    Combination(u32),
}

impl Sort {
    /// Both are written by one operation. What is known of them may differ by the runs that are looked at.
    fn is_of(self, other: Sort) -> bool {
        match (self, other) {
            (Sort::One(mark, _) | Sort::Ahead(mark, ..), Sort::One(other, _) | Sort::Ahead(other, ..)) => mark == other,
            (one, other) => one == other,
        }
    }

    fn may_equal(self, other: Sort) -> bool {
        match (self, other) {
            (Sort::Nothing, Sort::Nothing) => true,
            (Sort::Combination(a), Sort::Combination(b)) => a == b,
            (Sort::Combination(_), Sort::One(one, _)) | (Sort::One(one, _), Sort::Combination(_)) => {
                matches!(one, Annotation::Combination(_))
            }
            // Both of one man or group, they lie on different lines from there, or not as far.
            (Sort::Ahead(.., from, a), Sort::Ahead(.., other, b)) if from == other && a.are_apart(b) => false,
            (Sort::Ahead(mark, facts, ..), other) => Sort::One(mark, facts).may_equal(other),
            (one, Sort::Ahead(mark, facts, ..)) => one.may_equal(Sort::One(mark, facts)),
            (Sort::One(a, in_a), Sort::One(b, in_b)) => match (a, b) {
                (Annotation::Landing { sign: a, .. }, Annotation::Landing { sign: b, .. }) if a != b => false,
                (Annotation::Cell(_), Annotation::Cell(_))
                | (Annotation::Landing { .. }, Annotation::Landing { .. }) => !in_a.apart(in_b),
                (Annotation::Kind(a), Annotation::Kind(b)) | (Annotation::Promotion(a), Annotation::Promotion(b)) => {
                    a == b
                }
                (Annotation::Label(a), Annotation::Label(b)) => a == b,
                (
                    Annotation::Combination(_) | Annotation::Group(_),
                    Annotation::Combination(_) | Annotation::Group(_),
                ) => true,
                _ => std::mem::discriminant(&a) == std::mem::discriminant(&b),
            },
            _ => false,
        }
    }
}

/// What is known on the way through a branch.
#[derive(Clone, Debug, Default)]
struct Way {
    /// How many choices may have been written, a bit each.
    written: u8,
    /// Men may have moved: what is known of a set is not of the position that the branches have in
    /// common.
    changed: bool,
    /// The turn may be suspended.
    suspended: bool,
    /// Its player may play again.
    again: bool,
    /// Sets that were given a value, and those whose only value is a written choice: its place.
    given: RegBits,
    told: HashMap<SetReg, u32>,
    numbers: HashMap<NumReg, i64>,
    sets: HashMap<SetReg, Facts>,
    /// Sets that are what was picked.
    picked: HashMap<SetReg, Picked>,
    /// Sets that may have been given a value since the branches began. Bits, as a way is copied at each branch.
    defined: RegBits,
}

impl Way {
    /// A set is given a value, which may be a written choice, if it has none yet.
    fn give(&mut self, reg: SetReg, place: Option<u32>) {
        if !self.given.has(reg.0) {
            self.told.extend(place.map(|place| (reg, place)));
            self.given.insert(reg.0);
        }
    }

    /// Either way.
    fn join(&mut self, other: &Way) {
        if other.written == 0 {
            return;
        }
        if self.written == 0 {
            self.clone_from(other);
            return;
        }
        self.written |= other.written;
        self.changed |= other.changed;
        self.suspended |= other.suspended;
        self.again |= other.again;
        // What one way alone gives a value is read nowhere behind the other.
        let given = &self.given;
        let new = other.picked.iter().filter(|(reg, _)| !given.has(reg.0));
        let new: Vec<_> = new.map(|(reg, picked)| (*reg, *picked)).collect();
        self.picked.retain(|reg, picked| match other.picked.get(reg) {
            Some(theirs) => theirs == picked,
            None => !other.given.has(reg.0),
        });
        new.into_iter().for_each(|(reg, picked)| {
            self.picked.entry(reg).or_insert(picked);
        });
        self.told.retain(|reg, place| other.told.get(reg) == Some(place));
        self.given.unite(&other.given);
        self.numbers.retain(|n, value| other.numbers.get(n) == Some(value));
        self.defined.unite(&other.defined);
        self.sets.retain(|reg, facts| {
            let theirs = other.sets.get(reg);
            theirs.into_iter().for_each(|theirs| *facts = facts.or(*theirs));
            theirs.is_some()
        });
    }
}

/// What stands behind a block.
struct Rest<'r> {
    nodes: &'r [Node],
    /// The block is the body of a loop.
    round: Option<Around<'r>>,
    next: Option<&'r Rest<'r>>,
}

/// A loop around a block.
#[derive(Clone, Copy)]
struct Around<'r> {
    body: &'r Block,
    /// Another round follows if this number is not 0. Without it, each member of a set has a round.
    again: Option<NumReg>,
}

/// Which runs are looked for.
#[derive(Clone, Copy)]
enum Runs<'r> {
    All,
    /// Those that end where a turn is suspended; of what goes along, these registers are read. With the numbers of the
    /// continuations in which a run may write nothing.
    Suspended(&'r RegSet, &'r [i64]),
}

/// By place: what may be written there.
type Written = [SmallVec<[Sort; 4]>; MAX_CHOICES_COMPARED];

impl Lowering<'_> {
    /// Notes what is known of the cells that arms offer.
    pub fn note_offers(&mut self, arms: &[Arm]) {
        for arm in arms {
            if let Options::Cells { of, .. } = arm.options {
                let facts = self.facts(Cells::In(of));
                self.known.offers.insert(of, facts);
            }
        }
    }

    /// An `either` of the program of which two branches may give the same turn.
    pub fn doubts(&mut self, program: &Block) -> Option<SpanId> {
        self.patience = MAX_NODES_FOR_AMBIGUITY;
        self.doubts_in(program, Runs::All, None, None)
    }

    /// The same, of branches that may both end in the same ply within the turn and go on in different ways. Two runs that
    /// write the same ply are one ply, whatever continuation each of them goes on with: a plan would have to keep both.
    ///
    /// Branches of which one ends the turn are told too, where both may write nothing to the end of the turn.
    pub fn doubts_in_plies(&mut self, program: &Block, read: &RegSet, unwritten: &[i64]) -> Option<SpanId> {
        self.patience = MAX_NODES_FOR_AMBIGUITY;
        self.doubts_in(program, Runs::Suspended(read, unwritten), None, None)
    }

    /// The registers of what goes along between the programs of a turn, that change something: liveness that does not look
    /// where in the programs an operation stands.
    pub fn carried_and_read(&self, blocks: &[&Block]) -> RegSet {
        let Some(carry) = self.continuations.carry() else { return RegSet::default() };
        let mut live = Live { carry, position: self.position_regs(), regs: RegSet::default() };
        if self.game.asks.words {
            let Words { last, origin, passed, heading, caught } = self.words;
            [last, origin, passed, caught].into_iter().for_each(|set| live.regs.insert(Access::DefSet(set)));
            live.regs.insert(Access::DefNum(heading));
        }
        loop {
            let known = live.regs.count();
            blocks.iter().for_each(|block| live.through(block));
            if live.regs.count() == known {
                let mut read = RegSet::default();
                let sets = (carry.sets.0.0..carry.sets.1.0).map(|reg| Access::DefSet(SetReg(reg)));
                let numbers = (carry.numbers.0.0..carry.numbers.1.0).map(|reg| Access::DefNum(NumReg(reg)));
                sets.chain(numbers).filter(|reg| live.regs.has(*reg)).for_each(|reg| read.insert(reg));
                read.insert(Access::DefNum(carry.next));
                return read;
            }
        }
    }

    fn position_regs(&self) -> PositionRegs {
        PositionRegs { sets: self.layout.sets, numbers: self.layout.numbers }
    }

    fn doubts_in(
        &mut self,
        nodes: &[Node],
        runs: Runs<'_>,
        round: Option<Around<'_>>,
        next: Option<&Rest<'_>>,
    ) -> Option<SpanId> {
        nodes.iter().enumerate().find_map(|(at, node)| {
            let behind = Rest { nodes: &nodes[at + 1..], round, next };
            if let Node::Choose(arms) = node
                && let Some((place, _)) = arms.first().and_then(|arm| arm.branch)
                && !stops_apart(arms, &behind)
                && self.alike(arms, runs, &behind)
            {
                return Some(place);
            }
            let round = match node {
                Node::Loop { body, again, .. } => Some(Around { body, again: Some(*again) }),
                Node::Each { body, .. } | Node::EachGroup { body, .. } => Some(Around { body, again: None }),
                _ => None,
            };
            node.blocks().into_iter().find_map(|block| self.doubts_in(block, runs, round, Some(&behind)))
        })
    }

    /// Two branches of a choice may write the same.
    fn alike(&mut self, arms: &[Arm], runs: Runs<'_>, behind: &Rest<'_>) -> bool {
        let branch_of = |arm: &Arm| arm.branch.map_or(0, |(_, branch)| branch);
        let branches = arms.iter().map(branch_of).max().unwrap_or(0);
        let (written, ways): (Vec<Written>, Vec<Way>) =
            (0..=branches).map(|branch| self.branch_written(arms, branch, behind, None)).unzip();
        let alike = |a: &Written, b: &Written| {
            a.iter()
                .zip(b)
                .all(|(a, b)| a.is_empty() && b.is_empty() || a.iter().any(|a| b.iter().any(|b| a.may_equal(*b))))
        };
        let place = arms.first().and_then(|arm| arm.branch).map(|(place, _)| place);
        let quiet = self.changes_nothing(behind);
        let may_stay_unwritten = |way: &Way| match (runs, self.continuations.next) {
            (Runs::Suspended(_, unwritten), Some(next)) if way.suspended => {
                way.numbers.get(&next).is_some_and(|next| unwritten.contains(next))
            }
            _ => false,
        };
        // One ends the turn, and both may write nothing to its end.
        let ends_alike = |a: usize, b: usize| {
            let (one, other) = (&ways[a], &ways[b]);
            let one_ends = !one.suspended && may_stay_unwritten(other) || !other.suspended && may_stay_unwritten(one);
            one_ends && [a, b].iter().all(|branch| written[*branch][0].contains(&Sort::Nothing))
        };
        // Of plies that write the same, one has to go on as both do.
        let goes_on_elsewhere = |one: &Way, other: &Way| match runs {
            Runs::All => self.go_on_elsewhere(one, other),
            Runs::Suspended(..) => one.suspended != other.suspended,
        };
        let differ = |a: usize, b: usize| {
            quiet && place.is_some_and(|place| self.never_alike.contains(&(place, a, b)))
                || !ends_alike(a, b) && goes_on_elsewhere(&ways[a], &ways[b])
        };
        let pairs = (0..written.len()).flat_map(|a| (a + 1..written.len()).map(move |b| (a, b)));
        let go_on_apart = |one: &Way, other: &Way| {
            let Runs::Suspended(read, _) = runs else { return true };
            one.suspended
                && other.suspended
                && (one.again || other.again || self.carries_apart(arms, behind, read, [one, other]))
        };
        let wanted = |a: usize, b: usize| ends_alike(a, b) || go_on_apart(&ways[a], &ways[b]);
        let doubtful: Vec<(usize, usize)> =
            pairs.filter(|(a, b)| wanted(*a, *b) && !differ(*a, *b) && alike(&written[*a], &written[*b])).collect();
        // Runs that begin with different choices may go on alike: those that begin alike are looked through by themselves.
        self.patience == 0
            || doubtful.into_iter().any(|(a, b)| {
                let begin = |branch: usize| written[branch][0].clone();
                begin(a).iter().any(|first| {
                    let (one, _) = self.branch_written(arms, a as u16, behind, Some(*first));
                    let others = begin(b).into_iter().filter(|other| first.may_equal(*other));
                    others.into_iter().any(|other| {
                        let (other, _) = self.branch_written(arms, b as u16, behind, Some(other));
                        self.patience == 0 || alike(&one, &other)
                    })
                })
            })
    }

    /// What runs of a branch may write, and how they end; of those alone that begin with one choice, if it is given.
    fn branch_written(&mut self, arms: &[Arm], branch: u16, behind: &Rest<'_>, first: Option<Sort>) -> (Written, Way) {
        self.first_written = first;
        let mut written = Written::default();
        let start = Way { written: 1, ..Way::default() };
        let mine = arms.iter().filter(|arm| arm.branch.map_or(0, |(_, branch)| branch) == branch);
        let mut way = self.through_arms(mine, &start, &mut written);
        let mut rest = Some(behind);
        while let Some(here) = rest {
            self.through(here.nodes, &mut way, &mut written);
            if let Some(Around { body, again }) = here.round {
                match again.and_then(|again| way.numbers.get(&again).copied()) {
                    // The player has stopped.
                    Some(0) => {}
                    Some(_) => {
                        self.through(body, &mut way, &mut written);
                        self.rounds(body, &mut way, &mut written);
                    }
                    None => self.rounds(body, &mut way, &mut written),
                }
            }
            rest = here.next;
        }
        if first.is_some_and(|first| first != Sort::Nothing) {
            way.written &= !1;
        }
        record(&mut written, &way, Sort::Nothing);
        self.first_written = None;
        (written, way)
    }

    /// One way ends the turn where the other suspends it, or they are suspended before different continuations: the position
    /// tells them apart.
    fn go_on_elsewhere(&self, one: &Way, other: &Way) -> bool {
        let Some(next) = self.continuations.next else { return false };
        let next = |way: &Way| if way.suspended { way.numbers.get(&next).copied() } else { Some(0) };
        next(one).zip(next(other)).is_some_and(|(one, other)| one != other)
    }

    /// What goes along where the turn is suspended may differ by the branch, though the position is the same.
    fn carries_apart(&self, arms: &[Arm], behind: &Rest<'_>, read: &RegSet, [one, other]: [&Way; 2]) -> bool {
        let Some(carry) = self.continuations.carry() else { return false };
        let mut alike = RegBits::default();
        let same = one.told.iter().filter(|(reg, place)| other.told.get(reg) == Some(place));
        same.for_each(|(reg, _)| alike.insert(reg.0));
        let position = self.position_regs();
        let mut tainted = Tainted { carry, position, alike, regs: RegSet::default() };
        tainted.through(&[Node::Choose(arms.to_vec())], true);
        loop {
            let known = tainted.regs.count();
            let mut rest = Some(behind);
            while let Some(here) = rest {
                tainted.through(here.nodes, false);
                rest = here.next;
            }
            if tainted.regs.count() == known {
                return tainted.regs.meets(read);
            }
        }
    }

    /// Nothing that stands behind the branches of a choice changes the position. They stand right behind it, in one `if`.
    fn changes_nothing(&self, behind: &Rest<'_>) -> bool {
        let [Node::Op(TreeOp::Compare { .. }), Node::If { .. }, ..] = behind.nodes else { return false };
        let (mut rest, mut branches) = (Some(behind), 2);
        while let Some(here) = rest {
            let behind = &here.nodes[std::mem::take(&mut branches)..];
            let keeps = |node: &Node| match node {
                Node::Op(op) => {
                    let mut keeps = true;
                    op.accesses(|access| match access {
                        Access::DefSet(reg) => keeps &= reg.0 >= self.layout.sets,
                        Access::DefNum(reg) => keeps &= reg.0 >= self.layout.numbers,
                        Access::Pieces => keeps = false,
                        _ => {}
                    });
                    keeps
                }
                Node::Need(_) | Node::Fail => true,
                _ => false,
            };
            if here.round.is_some() || !behind.iter().all(keeps) {
                return false;
            }
            rest = here.next;
        }
        true
    }

    fn through_arms<'r>(&mut self, arms: impl Iterator<Item = &'r Arm>, start: &Way, written: &mut Written) -> Way {
        let mut end = Way::default();
        for arm in arms {
            let mut way = start.clone();
            arm.options.accesses(&mut |access| {
                if let Access::DefSet(chosen) = access {
                    self.pass_pick(chosen, &mut way);
                }
            });
            if let Options::Cells { of, cell } = arm.options {
                way.sets.remove(&cell);
                // Chosen again, it is another choice than the one that was written.
                way.told.remove(&cell);
                if let (false, Some(facts)) = (way.changed, self.known.offers.get(&of)) {
                    way.sets.insert(cell, *facts);
                }
            }
            self.through(&arm.block, &mut way, written);
            if let (false, Some((man, kinds))) = (way.changed, arm.man) {
                let owners = if arm.own { 1 << self.scope.own.0 } else { u16::MAX };
                way.sets.insert(man, Facts { empty: false, occupied: true, owners, kinds });
            }
            end.join(&way);
        }
        end
    }

    /// A register is given a value, perhaps by a pick of groups.
    fn pass_pick(&self, reg: SetReg, way: &mut Way) {
        way.picked.remove(&reg);
        way.defined.insert(reg.0);
        let groups = self.group_picks.get(&reg).filter(|(of, ..)| !way.changed && of.0 < self.layout.sets);
        if let (Some(groups), 1) = (groups, way.written.count_ones()) {
            way.picked.insert(reg, Picked::Group(*groups, way.written.trailing_zeros()));
        }
    }

    /// What a landing lies straight ahead of, and where from there.
    fn ahead(&self, mark: Annotation, way: &Way) -> Option<(Picked, Displacement)> {
        let Annotation::Landing { cell, .. } = mark else { return None };
        let (from, displacement) = self.straight.get(&cell)?;
        let before = || Some(Picked::Before(*from)).filter(|_| !way.defined.has(from.0));
        let picked = way.picked.get(from).copied().or_else(before)?;
        // Nothing else is written between the pick and the landing.
        let follows = match picked {
            Picked::Written(_) | Picked::Before(_) => true,
            Picked::Group(_, before) => way.written & !(0b11 << before) == 0,
        };
        follows.then_some((picked, *displacement))
    }

    /// A body again and again, or not at all.
    fn rounds(&mut self, body: &Block, way: &mut Way, written: &mut Written) {
        forget(way, body);
        for _ in 0..ROUNDS {
            let mut round = way.clone();
            self.through(body, &mut round, written);
            way.join(&round);
        }
    }

    fn through(&mut self, nodes: &[Node], way: &mut Way, written: &mut Written) {
        for node in nodes {
            if way.written == 0 || self.patience == 0 {
                return;
            }
            self.patience -= 1;
            match node {
                Node::Op(op) => self.pass(op, way, written),
                Node::Need(n) if way.numbers.get(n) == Some(&0) => way.written = 0,
                Node::Need(_) => {}
                Node::Fail => way.written = 0,
                Node::If { condition, then, otherwise } => {
                    let mut other = way.clone();
                    let known = way.numbers.get(condition).map(|value| *value != 0);
                    match known {
                        Some(true) => self.through(then, way, written),
                        Some(false) => self.through(otherwise, way, written),
                        None => {
                            self.through(then, way, written);
                            self.through(otherwise, &mut other, written);
                            way.join(&other);
                        }
                    }
                }
                Node::Loop { body, .. } => {
                    self.through(body, way, written);
                    self.rounds(body, way, written);
                }
                Node::Each { body, .. } | Node::EachGroup { body, .. } => self.rounds(body, way, written),
                Node::First { blocks } => {
                    let start = std::mem::take(way);
                    for block in blocks {
                        let mut one = start.clone();
                        self.through(block, &mut one, written);
                        way.join(&one);
                    }
                }
                Node::Choose(arms) => *way = self.through_arms(arms.iter(), way, written),
            }
        }
    }

    fn pass(&self, op: &TreeOp, way: &mut Way, written: &mut Written) {
        if let TreeOp::Annotate { mark } = *op {
            let of = match mark {
                Annotation::Cell(reg) | Annotation::Landing { cell: reg, .. } => way.sets.get(&reg).copied(),
                _ => None,
            };
            let cells = if let Annotation::Combination(reg) = mark { self.known.sizes.get(&reg) } else { None };
            let facts = of.unwrap_or(Facts::NONE);
            let sort = match (cells, self.ahead(mark, way)) {
                (Some(cells), _) => Sort::Combination(*cells),
                (None, Some((from, displacement))) => Sort::Ahead(mark, facts, from, displacement),
                (None, None) => Sort::One(mark, facts),
            };
            if self.first_written.is_some_and(|first| !first.is_of(sort)) {
                way.written &= !1;
            }
            record(written, way, sort);
            if let (
                Annotation::Cell(reg)
                | Annotation::Landing { cell: reg, .. }
                | Annotation::Combination(reg)
                | Annotation::Group(reg),
                1,
            ) = (mark, way.written.count_ones())
            {
                way.picked.entry(reg).or_insert(Picked::Written(way.written.trailing_zeros()));
            }
            if let (Annotation::Cell(reg) | Annotation::Landing { cell: reg, .. }, 1) = (mark, way.written.count_ones())
            {
                way.give(reg, Some(way.written.trailing_zeros()));
            }
            way.written <<= 1;
            return;
        }
        way.again |= matches!(op, TreeOp::PlayAgain);
        let value = |way: &Way, n: NumReg| way.numbers.get(&n).copied();
        let number = match *op {
            TreeOp::Const { d, k } => Some((d, Some(k))),
            TreeOp::CopyNum { d, a } => Some((d, value(way, a))),
            TreeOp::Compare { cmp: Cmp::Equal, d, a, b } => {
                let constant = |n: NumReg| {
                    let known = self.tables.const_numbers.iter().find(|(reg, _)| *reg == n);
                    known.map(|(_, value)| *value).or_else(|| value(way, n))
                };
                Some((d, constant(a).zip(constant(b)).map(|(a, b)| i64::from(a == b))))
            }
            _ => None,
        };
        let mut place = if let TreeOp::Copy { a, .. } = *op { way.told.get(&a).copied() } else { None };
        let picked = match *op {
            TreeOp::Copy { d, a } => way.picked.get(&a).map(|picked| (d, *picked)),
            // One cell, or nothing that could move.
            TreeOp::And { d, a, .. } | TreeOp::AndNot { d, a, .. } | TreeOp::KeepIf { d, a, .. } => {
                let picked = way.picked.get(&a).filter(|_| self.known.single.contains(&a));
                picked.map(|picked| (d, *picked))
            }
            _ => None,
        };
        let copied = if let TreeOp::Copy { d, a } = *op { way.sets.get(&a).map(|facts| (d, *facts)) } else { None };
        op.accesses(|access| match access {
            Access::DefNum(n) => {
                way.suspended |= self.continuations.next == Some(n) && number.is_none_or(|(_, value)| value.is_none());
                way.numbers.remove(&n);
            }
            Access::DefSet(reg) => {
                way.sets.remove(&reg);
                self.pass_pick(reg, way);
                way.changed |= reg.0 < self.layout.sets;
                // Given another value, it is no longer the one that was written.
                way.told.remove(&reg);
                way.give(reg, place.take());
            }
            Access::Pieces => way.changed = true,
            _ => {}
        });
        if let Some((d, Some(value))) = number {
            way.suspended |= self.continuations.next == Some(d) && value > 0;
            way.numbers.insert(d, value);
        }
        way.sets.extend(copied);
        way.picked.extend(picked);
    }
}

/// To stop is told from going on by the round alone: each writes something, and behind the last nothing is written. That is
/// so of most chains, and quickly found.
fn stops_apart(arms: &[Arm], behind: &Rest<'_>) -> bool {
    let [stop, go_on] = arms else { return false };
    let ([Node::Op(TreeOp::Const { d: again, k: 0 })], [Node::Op(TreeOp::Const { d, k: 1 })]) =
        (stop.block.as_slice(), go_on.block.as_slice())
    else {
        return false;
    };
    let (round, rest) = match behind.nodes {
        [Node::If { condition, then, otherwise }, rest @ ..] if condition == again && otherwise.is_empty() => {
            (then, rest)
        }
        [] => match behind.round {
            Some(Around { body, again: Some(number) }) if number == *again => (body, &[][..]),
            _ => return false,
        },
        _ => return false,
    };
    if again != d || !surely_writes(round) || may_write(rest) {
        return false;
    }
    // Of the loop that the choice ends, another round is the other branch.
    let mut around = if behind.nodes.is_empty() { None } else { behind.round };
    let mut next = behind.next;
    loop {
        if around.is_some_and(|around| may_write(around.body)) {
            return false;
        }
        let Some(here) = next else { return true };
        if may_write(here.nodes) {
            return false;
        }
        (around, next) = (here.round, here.next);
    }
}

/// Something is written in each run through a block.
pub fn surely_writes(block: &[Node]) -> bool {
    block.iter().any(|node| match node {
        Node::Op(TreeOp::Annotate { mark }) => {
            !matches!(mark, Annotation::Silent | Annotation::Round | Annotation::Loud)
        }
        Node::Op(_) => false,
        Node::Fail => true,
        Node::If { then, otherwise, .. } => surely_writes(then) && surely_writes(otherwise),
        Node::Choose(arms) => arms.iter().all(|arm| surely_writes(&arm.block)),
        Node::First { blocks } => blocks.iter().all(|block| surely_writes(block)),
        Node::Loop { body, .. } => surely_writes(body),
        Node::Need(_) | Node::Each { .. } | Node::EachGroup { .. } => false,
    })
}

fn may_write(block: &[Node]) -> bool {
    block.iter().any(|node| match node {
        Node::Op(op) => matches!(op, TreeOp::Annotate { .. }),
        other => other.blocks().into_iter().any(|block| may_write(block)),
    })
}

/// A register of what goes along where a turn is suspended.
fn goes_along(carry: Carry, reg: Access) -> bool {
    match reg {
        Access::DefSet(reg) => reg >= carry.sets.0 && reg < carry.sets.1,
        Access::DefNum(reg) => reg >= carry.numbers.0 && reg < carry.numbers.1,
        _ => false,
    }
}

/// The first registers are the position, what goes along between programs aside: so many sets and numbers.
#[derive(Clone, Copy)]
struct PositionRegs {
    sets: u16,
    numbers: u16,
}

/// Liveness: registers whose values change something.
struct Live {
    carry: Carry,
    position: PositionRegs,
    regs: RegSet,
}

impl Live {
    fn through(&mut self, nodes: &[Node]) {
        for node in nodes.iter().rev() {
            let mut touched: SmallVec<[Access; 8]> = SmallVec::new();
            // An operation that defines nothing tells, ends the game or is a fault.
            let mut changes = true;
            node.accesses(&mut |access| touched.push(access));
            if let Node::Op(_) = node {
                let defined = |access: &Access| matches!(access, Access::DefSet(_) | Access::DefNum(_));
                let matters = |access: &Access| match *access {
                    Access::DefSet(reg) => {
                        self.regs.has(*access) || reg.0 < self.position.sets && !goes_along(self.carry, *access)
                    }
                    Access::DefNum(reg) => {
                        self.regs.has(*access) || reg.0 < self.position.numbers && !goes_along(self.carry, *access)
                    }
                    Access::Pieces => true,
                    _ => false,
                };
                changes = !touched.iter().any(defined) || touched.iter().any(matters);
            }
            if changes {
                let used = |access: &Access| matches!(access, Access::UseSet(_) | Access::UseNum(_));
                touched.into_iter().filter(used).for_each(|access| self.regs.insert(access));
            }
            node.blocks().into_iter().rev().for_each(|block| self.through(block));
        }
    }
}

/// Taint analysis: registers whose values may differ by what was chosen, though the position is the same.
struct Tainted {
    carry: Carry,
    position: PositionRegs,
    /// What is the same written choice, whatever was chosen.
    alike: RegBits,
    regs: RegSet,
}

impl Tainted {
    /// Adds what the nodes define by what differs; all that they define, where they are gone through by it.
    fn through(&mut self, nodes: &[Node], all: bool) {
        for node in nodes {
            let mut touched: SmallVec<[Access; 8]> = SmallVec::new();
            node.accesses(&mut |access| touched.push(access));
            let differs = |access: &Access| match *access {
                Access::UseSet(_) | Access::UseNum(_) => self.regs.has(*access),
                _ => false,
            };
            let all = all || touched.iter().any(differs);
            if all {
                let defined = touched.into_iter().filter(|access| match *access {
                    Access::DefSet(reg) if self.alike.has(reg.0) => false,
                    Access::DefSet(reg) => reg.0 >= self.position.sets || goes_along(self.carry, *access),
                    Access::DefNum(reg) => reg.0 >= self.position.numbers || goes_along(self.carry, *access),
                    _ => false,
                });
                defined.for_each(|access| self.regs.insert(access));
            }
            node.blocks().into_iter().for_each(|block| self.through(block, all));
        }
    }
}

/// Notes what may be written where the turn stands; behind its end stands nothing.
fn record(written: &mut Written, way: &Way, sort: Sort) {
    let over = sort == Sort::Nothing;
    for (place, known) in written.iter_mut().enumerate() {
        let here = way.written >> place & 1 == 1 || over && way.written & ((1 << place) - 1) != 0;
        if here && !known.contains(&sort) {
            known.push(sort);
        }
    }
}

/// Forgets what a block may write.
fn forget(way: &mut Way, block: &Block) {
    for node in block {
        if let Node::Op(op) = node {
            op.accesses(|access| match access {
                Access::DefNum(n) => drop(way.numbers.remove(&n)),
                Access::DefSet(reg) => {
                    way.sets.remove(&reg);
                    way.picked.remove(&reg);
                    way.defined.insert(reg.0);
                }
                _ => {}
            });
        }
        node.blocks().into_iter().for_each(|block| forget(way, block));
    }
}
