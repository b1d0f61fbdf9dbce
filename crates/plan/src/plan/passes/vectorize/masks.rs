//! Masks of direction vectors: sets that are kept or not by a bit of a number each go in; one
//! operation comes out, such as where a man may go on along some directions.

use crate::plan::op::TreeOp;
use crate::plan::passes::vectorize::pack::{PackOp, Packer, defined_set};
use crate::plan::regs::{NumReg, SetReg};

impl Packer<'_, '_> {
    /// The number that an operation keeps a set by a bit of, and which.
    pub fn mask_bit(&self, op: &TreeOp) -> Option<(NumReg, u8)> {
        let TreeOp::KeepIf { n, .. } = op else { return None };
        match self.ops[*self.number_defs.get(n)?] {
            TreeOp::TestBit { a, bit, .. } => Some((a, u8::try_from(bit).ok().filter(|bit| *bit < 64)?)),
            _ => None,
        }
    }

    /// Where what is kept of a set is joined with the lanes of another row, but in another order,
    /// it is kept in that order, too.
    pub fn duplicate_masks(&mut self, row: usize) {
        if !matches!(self.packs[row].pack_op, PackOp::KeepIf(..)) {
            return;
        }
        let ops = self.packs[row].ops.clone();
        let (mut with, mut order) = (None, vec![None; ops.len()]);
        for op in ops {
            let reg = defined_set(&self.ops[op]);
            let open = self.users_of(reg).into_iter().filter(|&user| self.slots[user].is_none());
            let joined =
                open.filter_map(|user| self.other_operand_slot(user, reg).map(|(other, lane)| (user, other, lane)));
            let fits = |&(_, other, lane): &(usize, usize, usize)| {
                with.is_none_or(|with| with == other) && order.get(lane).is_some_and(Option::is_none)
            };
            let Some((user, other, lane)) = joined.into_iter().find(fits) else { return };
            with = Some(other);
            order[lane] = Some((op, user));
        }
        let mut again = Vec::new();
        for (op, user) in order.into_iter().flatten() {
            let (reg, d) = (defined_set(&self.ops[op]), self.vregs.set());
            let name = |before: SetReg| if before == reg { d } else { before };
            again.push(self.ops.len());
            self.add(self.ops[op].renamed(name, |number| number));
            self.ops[user] = self.ops[user].renamed(name, |number| number);
            self.users.entry(d).or_default().push(user);
        }
        self.new_pack(self.packs[row].pack_op, again);
    }
}
