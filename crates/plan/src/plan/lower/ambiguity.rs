//! Ambiguity: two branches of an `either` go in; whether they can give the same turn comes out: the
//! same written choices, and so perhaps the same result.
//!
//! Such a turn counts once, however many runs give it. Most branches are told apart by one of the
//! choices that they begin with: by its sort, or by where it lies, on men of one's own or on empty
//! cells. Where none of them does, turns are gone through and compared.

use rustc_hash::FxHashMap as HashMap;
use smallvec::SmallVec;

use crate::plan::annotation::Annotation;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Facts};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{Access, NumReg, SetReg, SpanId};
use crate::plan::tree::{Arm, Block, Node, Options};
use crate::plan::tuning::{MAX_CHOICES_COMPARED, MAX_NODES_FOR_AMBIGUITY};

/// Rounds of a loop until nothing more is found: each adds a written choice at least.
const ROUNDS: usize = MAX_CHOICES_COMPARED + 1;

/// What may be written in one place of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sort {
    /// The turn is over.
    Nothing,
    One(Annotation, Facts),
}

impl Sort {
    fn may_equal(self, other: Sort) -> bool {
        match (self, other) {
            (Sort::Nothing, Sort::Nothing) => true,
            (Sort::One(a, in_a), Sort::One(b, in_b)) => match (a, b) {
                (Annotation::Landing { sign: a, .. }, Annotation::Landing { sign: b, .. }) if a != b => false,
                (Annotation::Cell(_), Annotation::Cell(_))
                | (Annotation::Landing { .. }, Annotation::Landing { .. }) => !in_a.apart(in_b),
                (Annotation::Kind(a), Annotation::Kind(b)) | (Annotation::Promotion(a), Annotation::Promotion(b)) => {
                    a == b
                }
                (Annotation::Label(a), Annotation::Label(b)) => a == b,
                (Annotation::Pair(_) | Annotation::Group(_), Annotation::Pair(_) | Annotation::Group(_)) => true,
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
    numbers: HashMap<NumReg, i64>,
    sets: HashMap<SetReg, Facts>,
}

impl Way {
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
        self.numbers.retain(|n, value| other.numbers.get(n) == Some(value));
        let sets = std::mem::take(&mut self.sets);
        self.sets = sets.into_iter().filter_map(|(reg, facts)| Some((reg, facts.or(*other.sets.get(&reg)?)))).collect();
    }
}

/// What stands behind a block.
struct Rest<'r> {
    nodes: &'r [Node],
    /// The block is this body of a loop.
    round: Option<&'r Block>,
    next: Option<&'r Rest<'r>>,
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
        self.doubts_in(program, None, None)
    }

    fn doubts_in(&mut self, nodes: &[Node], round: Option<&Block>, next: Option<&Rest<'_>>) -> Option<SpanId> {
        nodes.iter().enumerate().find_map(|(at, node)| {
            let behind = Rest { nodes: &nodes[at + 1..], round, next };
            if let Node::Choose(arms) = node
                && let Some((place, _)) = arms.first().and_then(|arm| arm.branch)
                && self.alike(arms, &behind)
            {
                return Some(place);
            }
            let round = if let Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } = node {
                Some(body)
            } else {
                None
            };
            node.blocks().into_iter().find_map(|block| self.doubts_in(block, round, Some(&behind)))
        })
    }

    /// Two branches of a choice may write the same.
    fn alike(&mut self, arms: &[Arm], behind: &Rest<'_>) -> bool {
        let branch_of = |arm: &Arm| arm.branch.map_or(0, |(_, branch)| branch);
        let branches = arms.iter().map(branch_of).max().unwrap_or(0);
        let written: Vec<Written> = (0..=branches)
            .map(|branch| {
                let mut written = Written::default();
                let start = Way { written: 1, ..Way::default() };
                let mine = arms.iter().filter(|arm| branch_of(arm) == branch);
                let mut way = self.through_arms(mine, &start, &mut written);
                let mut rest = Some(behind);
                while let Some(here) = rest {
                    self.through(here.nodes, &mut way, &mut written);
                    if let Some(body) = here.round {
                        self.rounds(body, &mut way, &mut written);
                    }
                    rest = here.next;
                }
                record(&mut written, &way, Sort::Nothing);
                written
            })
            .collect();
        let alike = |a: &Written, b: &Written| {
            a.iter()
                .zip(b)
                .all(|(a, b)| a.is_empty() && b.is_empty() || a.iter().any(|a| b.iter().any(|b| a.may_equal(*b))))
        };
        let place = arms.first().and_then(|arm| arm.branch).map(|(place, _)| place);
        let quiet = self.changes_nothing(behind);
        let differ = |a: usize, b: usize| quiet && place.is_some_and(|place| self.never_alike.contains(&(place, a, b)));
        let mut pairs = (0..written.len()).flat_map(|a| (a + 1..written.len()).map(move |b| (a, b)));
        self.patience == 0 || pairs.any(|(a, b)| !differ(a, b) && alike(&written[a], &written[b]))
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
            if let Options::Cells { of, cell } = arm.options {
                way.sets.remove(&cell);
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
            record(written, way, Sort::One(mark, of.unwrap_or(Facts::NONE)));
            way.written <<= 1;
            return;
        }
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
        let copied = if let TreeOp::Copy { d, a } = *op { way.sets.get(&a).map(|facts| (d, *facts)) } else { None };
        op.accesses(|access| match access {
            Access::DefNum(n) => drop(way.numbers.remove(&n)),
            Access::DefSet(reg) => {
                way.sets.remove(&reg);
                way.changed |= reg.0 < self.layout.sets;
            }
            Access::Pieces => way.changed = true,
            _ => {}
        });
        if let Some((d, Some(value))) = number {
            way.numbers.insert(d, value);
        }
        way.sets.extend(copied);
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
                Access::DefSet(reg) => drop(way.sets.remove(&reg)),
                _ => {}
            });
        }
        node.blocks().into_iter().for_each(|block| forget(way, block));
    }
}
