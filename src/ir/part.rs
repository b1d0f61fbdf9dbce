//! A rewrite: options that complete a row, or lie in a place, are arms of their own, where what is chosen behind depends on that.
//!
//! ```text
//! choose                              s30 = cells that complete a row of 3 in White
//!   s8 from s9                        s31 = s9 and not s30
//! White = White or s8                 s32 = s9 and s30
//! s20 = rows of 3 in White      ->    choose
//! n4 = s8 in s20                        s8 from s31
//! if n4                                 s8 from s32
//!   choose ...                        ...
//! ```
//!
//! A bound of the runs behind the first arm then knows that the condition does not hold, and fewer numbers are drawn in vain.

use super::fresh::Fresh;
use super::rows::{Away, Completion};
use super::{Access, Arm, Block, KindSet, Node, Op, Options, Plan, S};

/// More arms than this are not parted.
const MOST_ARMS: usize = 32;

/// Parts the arms of choices in all programs of a plan.
pub fn part(plan: &mut Plan) {
    let fresh = plan.fresh();
    let mut seats = std::mem::take(&mut plan.seats);
    let mut parting = Parting { plan, fresh };
    let turns = seats.iter_mut().flat_map(|seat| [&mut seat.turn].into_iter().chain(&mut seat.opening));
    turns.for_each(|program| {
        parting.block(program, None);
        parting.by_place(program);
    });
    plan.seats = seats;
}

struct Parting<'p> {
    plan: &'p mut Plan,
    fresh: Fresh,
}

/// Rows of a list, whole in the men of a player.
type Asked = (S, u16);

/// The man who is carried to the cell that was chosen: the register of where he stands, and of the cell.
type Carried = (S, S);

impl Parting<'_> {
    /// `behind`: the rows that are asked for behind the block before anything else is chosen.
    fn block(&mut self, block: &mut Block, behind: Option<Asked>) {
        let mut asked = behind;
        for at in (0..block.len()).rev() {
            let here = std::mem::replace(&mut block[at], Node::Fail);
            let (here, before) = self.node(here, asked, carried(&block[at + 1..]));
            asked = match &here {
                Node::If { condition, then, otherwise } if chooses(then) || chooses(otherwise) => {
                    self.asked_by(&block[..at], *condition)
                }
                node if node.blocks().into_iter().any(chooses) => None,
                Node::Choose(_) | Node::First { .. } => None,
                _ => asked,
            };
            block[at] = here;
            block.splice(at..at, before);
        }
    }

    fn node(&mut self, mut node: Node, asked: Option<Asked>, carried: Option<Carried>) -> (Node, Vec<Node>) {
        match &mut node {
            // What stands behind a round may be the next one.
            Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } => self.block(body, None),
            Node::Choose(arms) => {
                if let Some((men, list)) = asked
                    && arms.len() <= MOST_ARMS
                    && arms.iter().all(|arm| matches!(arm.options, Options::Cells { .. }) && !chooses(&arm.block))
                {
                    let before = self.parted(arms, (men, list), carried);
                    return (node, before);
                }
            }
            _ => node.blocks_mut().into_iter().for_each(|block| self.block(block, asked)),
        }
        (node, Vec::new())
    }

    fn parted(&mut self, arms: &mut Vec<Arm>, (men, list): Asked, carried: Option<Carried>) -> Vec<Node> {
        let mut before = Vec::new();
        // A man who was chosen before leaves his rows, whichever cell he comes to.
        let chosen = carried.filter(|(man, _)| !arms.iter().any(|arm| writes(&arm.block, *man)));
        let mut those = men;
        if let Some((man, _)) = chosen {
            those = self.fresh.set();
            before.push(Node::Op(Op::Without { d: those, a: men, b: man }));
        }
        let mut ways: Vec<(Completion, S)> = Vec::new();
        let mut completing = Vec::new();
        for arm in arms.iter() {
            let way = carried.and_then(|carried| way_of(arm, carried));
            let completion = Completion::new(self.plan, list, way);
            let known = ways.iter_mut().find_map(|(known, set)| known.take_in(&completion, &self.plan.grid).then_some(*set));
            completing.push(known.unwrap_or_else(|| {
                let set = self.fresh.set();
                ways.push((completion, set));
                set
            }));
        }
        for (mut completion, d) in ways {
            completion.settle();
            let how = self.plan.completions.iter().position(|known| *known == completion).unwrap_or_else(|| {
                self.plan.completions.push(completion);
                self.plan.completions.len() - 1
            });
            before.push(Node::Op(Op::Complete { d, a: those, how: how as u16 }));
        }
        let mut parted = Vec::with_capacity(2 * arms.len());
        for whole in [false, true] {
            for (arm, &b) in arms.iter().zip(&completing) {
                let Options::Cells { of: a, cell } = arm.options else { continue };
                let d = self.fresh.set();
                before.push(Node::Op(if whole { Op::And { d, a, b } } else { Op::Without { d, a, b } }));
                let word = if whole { "completing a row" } else { "no row" };
                let note = format!("{}, {word}", arm.note);
                parted.push(Arm { options: Options::Cells { of: d, cell }, note, ..arm.clone() });
            }
        }
        *arms = parted;
        before
    }

    /// The rows of a player's men that a condition asks for, if it asks whether a cell lies in one.
    fn asked_by(&self, before: &[Node], condition: super::N) -> Option<Asked> {
        let made = |wanted: &dyn Fn(&Op) -> bool| {
            before.iter().rev().find_map(|node| match node {
                Node::Op(op) if wanted(op) => Some(*op),
                _ => None,
            })
        };
        let rows = match made(&|op| matches!(op, Op::Within { d, .. } | Op::Meet { d, .. } if *d == condition))? {
            Op::Within { b, .. } => vec![b],
            Op::Meet { a, b, .. } => vec![a, b],
            _ => return None,
        };
        rows.into_iter().find_map(|reg| match made(&|op| matches!(op, Op::Rows { d, .. } if *d == reg))? {
            Op::Rows { a, list, .. } if self.plan.layout.of.contains(&a) => Some((a, list)),
            _ => None,
        })
    }
}

/// The man that the operations behind a choice carry.
fn carried(behind: &[Node]) -> Option<Carried> {
    let ops = behind.iter().map_while(|node| if let Node::Op(op) = node { Some(*op) } else { None });
    let mut written = Vec::new();
    for op in ops {
        if let Op::Carry { from, to } = op {
            return Some((from, to)).filter(|(from, to)| !written.contains(from) && !written.contains(to));
        }
        op.accesses(|access| {
            if let Access::WriteSet(d) = access {
                written.push(d);
            }
        });
    }
    None
}

fn writes(block: &[Node], reg: S) -> bool {
    let mut writes = false;
    for node in block {
        if let Node::Op(op) = node {
            op.accesses(|access| writes |= access == Access::WriteSet(reg));
        }
        writes |= node.blocks().into_iter().any(|block| self::writes(block, reg));
    }
    writes
}

/// The step by which the man comes to the option of an arm, if it is one.
fn way_of(arm: &Arm, (man, to): Carried) -> Option<Away> {
    let [Node::Op(op), others @ ..] = arm.block.as_slice() else { return None };
    let (d, a, way) = Away::of(op)?;
    let alone = !others.iter().any(|node| writes(std::slice::from_ref(node), man));
    (d == man && a == to && matches!(arm.options, Options::Cells { cell, .. } if cell == to) && alone).then_some(way)
}

/// What is asked of a cell behind the choice of it: whether it lies in a set that is always the same, if the man on it is of these kinds, a
/// bit a kind.
struct Place {
    cell: S,
    among: S,
    kinds: u64,
}

impl Parting<'_> {
    /// Parts the arms of choices behind which more is chosen only if the cell lies in such a set, as men are promoted in the last row.
    fn by_place(&mut self, block: &mut Block) {
        for at in (0..block.len()).rev() {
            let behind = block.split_off(at + 1);
            let mut before = Vec::new();
            if let Some(Node::Choose(arms)) = block.last_mut()
                && let Some(place) = self.asked_of_place(&behind, &mut Vec::new(), u64::MAX)
            {
                before = self.parted_by_place(arms, &place);
            } else if let Some(node) = block.last_mut() {
                node.blocks_mut().into_iter().for_each(|block| self.by_place(block));
            }
            block.splice(at..at, before);
            block.extend(behind);
        }
    }

    /// The question on which it depends whether more is chosen behind.
    fn asked_of_place(&self, behind: &[Node], ops: &mut Vec<Op>, kinds: u64) -> Option<Place> {
        for node in behind {
            match node {
                Node::Op(op) => ops.push(*op),
                Node::If { condition, then, otherwise } if chooses(then) || chooses(otherwise) => {
                    let asked = ops.iter().rev().find_map(|op| match op {
                        Op::Within { d, a, b } if d == condition => Some((first_name(ops, *a), *b)),
                        _ => None,
                    });
                    let mut kinds = kinds;
                    if let Some((cell, among)) = asked {
                        if self.plan.consts.iter().any(|(constant, _)| *constant == among) {
                            return Some(Place { cell, among, kinds });
                        }
                        let kind = self.plan.layout.kinds.iter().position(|kind| *kind == KindSet::Register(among));
                        kinds &= kind.map_or(u64::MAX, |kind| if chooses(otherwise) { u64::MAX } else { 1 << kind });
                    }
                    let within = |block| self.asked_of_place(block, &mut ops.clone(), kinds);
                    return within(then).or_else(|| within(otherwise));
                }
                node if node.blocks().into_iter().any(chooses) => return None,
                Node::Choose(_) | Node::First { .. } => return None,
                _ => {}
            }
        }
        None
    }

    fn parted_by_place(&mut self, arms: &mut Vec<Arm>, place: &Place) -> Vec<Node> {
        let depends = |arm: &Arm| {
            let chooses_it = matches!(arm.options, Options::Cells { cell, .. } if cell == place.cell);
            chooses_it && arm.man.is_none_or(|(_, kinds)| kinds & place.kinds != 0) && !chooses(&arm.block)
        };
        if arms.iter().filter(|arm| depends(arm)).count() > MOST_ARMS {
            return Vec::new();
        }
        let (mut before, mut within) = (Vec::new(), Vec::new());
        for arm in arms.iter_mut().filter(|arm| depends(arm)) {
            let Options::Cells { of, cell } = arm.options else { continue };
            let (inside, outside) = (self.fresh.set(), self.fresh.set());
            before.push(Node::Op(Op::And { d: inside, a: of, b: place.among }));
            before.push(Node::Op(Op::Without { d: outside, a: of, b: place.among }));
            within.push(Arm {
                options: Options::Cells { of: inside, cell },
                note: format!("{}, there", arm.note),
                ..arm.clone()
            });
            arm.options = Options::Cells { of: outside, cell };
        }
        arms.append(&mut within);
        before
    }
}

/// The register that a set was copied from first.
fn first_name(ops: &[Op], mut reg: S) -> S {
    for op in ops.iter().rev() {
        if let Op::Copy { d, a } = *op
            && d == reg
        {
            reg = a;
        }
    }
    reg
}

fn chooses(block: &Block) -> bool {
    let choice = |node: &Node| matches!(node, Node::First { .. } | Node::Choose(_));
    block.iter().any(|node| choice(node) || node.blocks().into_iter().any(chooses))
}
