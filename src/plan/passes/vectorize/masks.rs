//! Rows of what is kept of one set, each lane by a bit of a number: where a man may go on along
//! some directions, say.

use crate::plan::op::Op;
use crate::plan::passes::vectorize::pack::{Packing, Rule, written};
use crate::plan::regs::{NumReg, SetReg};

impl Packing<'_, '_> {
    /// The number that an operation keeps a set by a bit of, and which.
    pub(crate) fn bit(&self, op: &Op) -> Option<(NumReg, u8)> {
        let Op::KeepIf { n, .. } = op else { return None };
        match self.ops[*self.number_defs.get(n)?] {
            Op::TestBit { a, bit, .. } => Some((a, u8::try_from(bit).ok().filter(|bit| *bit < 64)?)),
            _ => None,
        }
    }

    /// Where what is kept of a set is joined with the lanes of another row, but in another order,
    /// it is kept in that order, too.
    pub(crate) fn keep_once_more(&mut self, row: usize) {
        if !matches!(self.rows[row].rule, Rule::Keep(..)) {
            return;
        }
        let ops = self.rows[row].ops.clone();
        let (mut with, mut order) = (None, vec![None; ops.len()]);
        for op in ops {
            let reg = written(&self.ops[op]);
            let open = self.users_of(reg).into_iter().filter(|&user| self.lanes[user].is_none());
            let joined = open.filter_map(|user| self.partner(user, reg).map(|(other, lane)| (user, other, lane)));
            let fits = |&(_, other, lane): &(usize, usize, usize)| {
                with.is_none_or(|with| with == other) && order.get(lane).is_some_and(Option::is_none)
            };
            let Some((user, other, lane)) = joined.into_iter().find(fits) else { return };
            with = Some(other);
            order[lane] = Some((op, user));
        }
        let mut again = Vec::new();
        for (op, user) in order.into_iter().flatten() {
            let (reg, d) = (written(&self.ops[op]), self.fresh.set());
            let name = |before: SetReg| if before == reg { d } else { before };
            again.push(self.ops.len());
            self.add(self.ops[op].renamed(name, |number| number));
            self.ops[user] = self.ops[user].renamed(name, |number| number);
            self.users.entry(d).or_default().push(user);
        }
        self.new_row(self.rows[row].rule, again);
    }
}
