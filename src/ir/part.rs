//! A rewrite: options that complete a row are arms of their own, where what is chosen behind depends on that.
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
use super::{Arm, Block, Node, Op, Options, Plan, S};

/// More arms than this are not parted.
const MOST_ARMS: usize = 32;

/// Parts the arms of choices in all programs of a plan.
pub fn part(plan: &mut Plan) {
    let owners = plan.layout.of.clone();
    let mut parting = Parting { owners, fresh: plan.fresh() };
    let turns = plan.seats.iter_mut().flat_map(|seat| [&mut seat.turn].into_iter().chain(&mut seat.opening));
    turns.for_each(|program| parting.block(program, None));
}

struct Parting {
    owners: Vec<S>,
    fresh: Fresh,
}

/// Rows of a list, whole in the men of a player.
type Asked = (S, u16);

impl Parting {
    /// `behind`: the rows that are asked for behind the block before anything else is chosen.
    fn block(&mut self, block: &mut Block, behind: Option<Asked>) {
        let mut asked = behind;
        for at in (0..block.len()).rev() {
            let here = std::mem::replace(&mut block[at], Node::Fail);
            let (here, before) = self.node(here, asked);
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

    fn node(&mut self, mut node: Node, asked: Option<Asked>) -> (Node, Vec<Node>) {
        match &mut node {
            // What stands behind a round may be the next one.
            Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } => self.block(body, None),
            Node::Choose(arms) => {
                if let Some((men, list)) = asked
                    && arms.len() <= MOST_ARMS
                    && arms.iter().all(|arm| matches!(arm.options, Options::Cells { .. }) && !chooses(&arm.block))
                {
                    let before = self.parted(arms, men, list);
                    return (node, before);
                }
            }
            _ => node.blocks_mut().into_iter().for_each(|block| self.block(block, asked)),
        }
        (node, Vec::new())
    }

    fn parted(&mut self, arms: &mut Vec<Arm>, men: S, list: u16) -> Vec<Node> {
        let complete = self.fresh.set();
        let mut before = vec![Node::Op(Op::Complete { d: complete, a: men, list })];
        let mut parted = Vec::with_capacity(2 * arms.len());
        for completing in [false, true] {
            for arm in arms.iter() {
                let Options::Cells { of, cell } = arm.options else { continue };
                let d = self.fresh.set();
                let (a, b) = (of, complete);
                before.push(Node::Op(if completing { Op::And { d, a, b } } else { Op::Without { d, a, b } }));
                let word = if completing { "completing a row" } else { "no row" };
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
            Op::Rows { a, list, .. } if self.owners.contains(&a) => Some((a, list)),
            _ => None,
        })
    }
}

fn chooses(block: &Block) -> bool {
    let choice = |node: &Node| matches!(node, Node::First { .. } | Node::Choose(_));
    block.iter().any(|node| choice(node) || node.blocks().into_iter().any(chooses))
}
