//! Set algebra with folding: two sets go in; what they have in common, together, or one alone comes
//! out, in as few operations as that takes.

use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Fixed, Num};
use crate::plan::op::TreeOp;
use crate::plan::regs::SetReg;
use crate::plan::tuning::MAX_FOLDED_OPERANDS_DEPTH;

impl Lowering<'_> {
    pub fn none(&self) -> Cells {
        Cells::Fixed(Fixed::NONE)
    }

    pub fn and(&mut self, a: Cells, b: Cells) -> Cells {
        match (a, b) {
            (Cells::Fixed(a), Cells::Fixed(b)) => Cells::Fixed(self.zipped(a, b, |a, b| a & b)),
            (Cells::Fixed(Fixed::NONE), _) | (_, Cells::Fixed(Fixed::NONE)) => self.none(),
            (Cells::Fixed(Fixed::ANY), other) | (other, Cells::Fixed(Fixed::ANY)) => other,
            (a, b) if a == b => a,
            (a, b) => {
                if let Some((of, within)) = self.within_both(a, b) {
                    return self.and(Cells::In(of), Cells::Fixed(within));
                }
                let facts = self.facts(a).and(self.facts(b));
                let (a, b) = (self.reg(a), self.reg(b));
                if let (Some(one), Some(other)) =
                    (self.within_fixed(a, MAX_FOLDED_OPERANDS_DEPTH), self.within_fixed(b, MAX_FOLDED_OPERANDS_DEPTH))
                    && self.are_apart(one, other)
                {
                    return self.none();
                }
                for (inner, outer) in [(a, b), (b, a)] {
                    if self.lies_in(inner, outer, MAX_FOLDED_OPERANDS_DEPTH) {
                        return self.record_facts(Cells::In(inner), facts);
                    }
                }
                let both = Cells::In(self.set_op(|d| TreeOp::And { d, a, b }));
                self.record_facts(both, facts)
            }
        }
    }

    /// Both are what lies of one set in a fixed one, or one is, and the other one is fixed: that
    /// set, and the fixed one that both come to.
    fn within_both(&mut self, a: Cells, b: Cells) -> Option<(SetReg, Fixed)> {
        let (of, one, other) = match (a, b) {
            (Cells::In(a), Cells::Fixed(other)) | (Cells::Fixed(other), Cells::In(a)) => {
                let (of, one) = self.parted(a)?;
                (of, one, other)
            }
            (Cells::In(a), Cells::In(b)) => {
                let ((of, one), (as_well, other)) = (self.parted(a)?, self.parted(b)?);
                (of == as_well).then_some((of, one, other))?
            }
            _ => return None,
        };
        let both = self.zipped(one, other, |a, b| a & b);
        // Where one lies in the other, it was made already.
        (both != one).then_some((of, both))
    }

    /// A set that was made of another by what of it lies in a fixed one.
    fn parted(&self, reg: SetReg) -> Option<(SetReg, Fixed)> {
        match self.maker(reg)? {
            TreeOp::And { a, b, .. } => {
                self.held(b).map(|fixed| (a, fixed)).or_else(|| self.held(a).map(|fixed| (b, fixed)))
            }
            _ => None,
        }
    }

    pub fn or(&mut self, a: Cells, b: Cells) -> Cells {
        match (a, b) {
            (Cells::Fixed(a), Cells::Fixed(b)) => Cells::Fixed(self.zipped(a, b, |a, b| a | b)),
            (Cells::Fixed(Fixed::NONE), other) | (other, Cells::Fixed(Fixed::NONE)) => other,
            (Cells::Fixed(Fixed::ANY), _) | (_, Cells::Fixed(Fixed::ANY)) => self.all(),
            (a, b) if a == b => a,
            (a, b) => {
                let facts = self.facts(a).or(self.facts(b));
                let (a, b) = (self.reg(a), self.reg(b));
                let all = Cells::In(self.set_op(|d| TreeOp::Or { d, a, b }));
                self.record_facts(all, facts)
            }
        }
    }

    pub fn without(&mut self, a: Cells, b: Cells) -> Cells {
        match (a, b) {
            (Cells::Fixed(a), Cells::Fixed(b)) => Cells::Fixed(self.zipped(a, b, |a, b| a & !b)),
            (_, Cells::Fixed(Fixed::NONE)) => a,
            (Cells::Fixed(Fixed::NONE), _) => a,
            (_, Cells::Fixed(Fixed::ANY)) => self.none(),
            (a, b) if a == b => self.none(),
            (a, b) => {
                if let (Cells::Fixed(Fixed::ANY), Cells::In(b)) = (a, b)
                    && let Some(inner) = self.complement_of(b)
                {
                    return Cells::In(inner);
                }
                let facts = self.facts(a);
                let (a, b) = (self.reg(a), self.reg(b));
                let rest = Cells::In(self.set_op(|d| TreeOp::AndNot { d, a, b }));
                self.record_facts(rest, facts)
            }
        }
    }

    /// Cells that a set lies in whatever the position, as far as that shows within a few steps.
    fn within_fixed(&mut self, reg: SetReg, depth: u32) -> Option<Fixed> {
        if let Some(fixed) = self.held(reg) {
            return Some(fixed);
        }
        match self.maker(reg).filter(|_| depth > 0)? {
            TreeOp::And { a, b, .. } => match (self.within_fixed(a, depth - 1), self.within_fixed(b, depth - 1)) {
                (Some(a), Some(b)) => Some(self.zipped(a, b, |a, b| a & b)),
                (a, b) => a.or(b),
            },
            TreeOp::AndNot { a, .. } | TreeOp::KeepIf { a, .. } => self.within_fixed(a, depth - 1),
            _ => None,
        }
    }

    /// One set is made so that it lies in the other, as far as that shows within a few steps.
    fn lies_in(&self, inner: SetReg, outer: SetReg, deep: u32) -> bool {
        if inner == outer {
            return true;
        }
        // The men of one player, as far as is known.
        let facts = self.facts(Cells::In(inner));
        if facts.occupied
            && self.layout.of.iter().position(|of| *of == outer).is_some_and(|player| facts.owners == 1 << player)
        {
            return true;
        }
        if deep > 0
            && let Some(TreeOp::Or { a, b, .. }) = self.maker(outer)
            && (self.lies_in(inner, a, deep - 1) || self.lies_in(inner, b, deep - 1))
        {
            return true;
        }
        match self.maker(inner) {
            _ if deep == 0 => false,
            Some(TreeOp::And { a, b, .. }) => self.lies_in(a, outer, deep - 1) || self.lies_in(b, outer, deep - 1),
            Some(TreeOp::AndNot { a, .. } | TreeOp::KeepIf { a, .. }) => self.lies_in(a, outer, deep - 1),
            _ => false,
        }
    }

    /// The set that a register has all cells but those of, if that still stands.
    fn complement_of(&mut self, reg: SetReg) -> Option<SetReg> {
        let all = self.reg(self.all());
        let found = match self.maker(reg) {
            Some(TreeOp::AndNot { a, b, .. }) if a == all => Some(b),
            _ => None,
        };
        found.filter(|inner| inner.0 >= self.layout.sets)
    }

    pub fn keep(&mut self, a: Cells, n: Num) -> Cells {
        match n {
            Num::Fixed(0) => self.none(),
            Num::Fixed(_) => a,
            Num::In(n) if a != self.none() => {
                let facts = self.facts(a);
                let a = self.reg(a);
                let kept = Cells::In(self.set_op(|d| TreeOp::KeepIf { d, a, n }));
                self.record_facts(kept, facts)
            }
            Num::In(_) => a,
        }
    }

    pub fn all(&self) -> Cells {
        Cells::Fixed(Fixed::ANY)
    }

    pub fn intersects(&mut self, a: Cells, b: Cells) -> Num {
        if let (Cells::Fixed(a), Cells::Fixed(b)) = (a, b) {
            return Num::Fixed(i64::from(!self.are_apart(a, b)));
        }
        if a == self.none() || b == self.none() {
            return Num::Fixed(0);
        }
        let (a, b): (SetReg, SetReg) = (self.reg(a), self.reg(b));
        Num::In(self.number_op(|d| TreeOp::Intersects { d, a, b }))
    }
}
