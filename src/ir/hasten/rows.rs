//! Operations on rows that one does together.

use super::{Hasten, Stretch};
use crate::ir::{Access, Op, Pairing, S, row_size};

impl Hasten<'_> {
    /// A run, the run with where it begins, and a step from these are a look along all directions.
    pub(super) fn look(&self, stretch: &mut Stretch) -> bool {
        let mut changed = false;
        for at in 0..stretch.ops.len() {
            let Some(&[fill, pair, step]) = stretch.ops.get(at..at + 3).and_then(|ops| ops.first_chunk()) else { break };
            let (
                Op::FanFill { d: run, a, through, fan, lanes, wide },
                Op::FanStep { d, a: from, onto: None, fan: steps, wide: 1, .. },
            ) = (fill, step)
            else {
                continue;
            };
            let Op::FanPair { pairing: Pairing::Or, d: begun, a: x, b: y, wide: both, .. } = pair else { continue };
            let begins = [((x, both & 1), (y, both >> 1)), ((y, both >> 1), (x, both & 1))].contains(&((run, 1), (a, wide & 1)));
            let alike = self.fans[usize::from(fan)].hops == self.fans[usize::from(steps)].hops;
            let mut made = row(run, lanes).chain(row(begun, lanes)).filter(|reg| !row(d, lanes).any(|kept| kept == *reg));
            let idle = made.all(|reg| !self.wants(stretch, at + 3, Access::WriteSet(reg)));
            let apart = are_apart(d, lanes, (a, wide & 1)) && are_apart(d, lanes, (through, wide & 2));
            if begins && alike && from == begun && idle && apart {
                stretch.ops[at] = Op::FanSight { d, a, through, onto: None, fan, lanes, wide };
                stretch.ops.drain(at + 1..at + 3);
                changed = true;
            }
        }
        changed
    }

    /// Steps, or a look, along all directions, of which what lies in one set is kept.
    pub(super) fn land(&self, stretch: &mut Stretch) -> bool {
        let mut changed = false;
        for at in 0..stretch.ops.len() {
            let Some(&[mut op, pair]) = stretch.ops.get(at..at + 2).and_then(|ops| ops.first_chunk()) else { break };
            let Op::FanPair { pairing: Pairing::And, d: to, a: x, b: y, lanes, wide: both } = pair else { continue };
            let (made, reads) = match op {
                Op::FanStep { d, a, onto: None, wide, .. } => (d, [(a, wide & 1); 2]),
                Op::FanSight { d, a, through, onto: None, wide, .. } => (d, [(a, wide & 1), (through, wide & 2)]),
                _ => continue,
            };
            let set = if (x, both) == (made, 1) { y } else { x };
            if ![(x, y, 1), (y, x, 2)].contains(&(made, set, both)) {
                continue;
            }
            let mut others = row(made, lanes).filter(|reg| !row(to, lanes).any(|kept| kept == *reg));
            let idle =
                row(made, lanes).all(|reg| reg != set) && others.all(|reg| !self.wants(stretch, at + 2, Access::WriteSet(reg)));
            if let (Op::FanStep { d, onto, .. } | Op::FanSight { d, onto, .. }, true) = (&mut op, idle)
                && reads.into_iter().all(|read| are_apart(to, lanes, read))
            {
                (*d, *onto) = (to, Some(set));
                stretch.ops[at] = op;
                stretch.ops.remove(at + 1);
                changed = true;
            }
        }
        changed
    }
}

/// The registers of a row.
pub(super) fn row(first: S, lanes: u8) -> impl Iterator<Item = S> {
    (0..row_size(usize::from(lanes)) as u16).map(move |lane| S(first.0 + lane))
}

/// A row can be written, lane by lane, while another one, or a set that all lanes share, is still to be read.
fn are_apart(written: S, lanes: u8, (read, wide): (S, u8)) -> bool {
    if wide != 0 {
        read == written || usize::from(read.0.abs_diff(written.0)) >= row_size(usize::from(lanes))
    } else {
        row(written, lanes).all(|reg| reg != read)
    }
}
