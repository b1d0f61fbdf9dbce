//! Operand visitor: an operation goes in; which registers it reads and writes comes out.

use crate::plan::control_flow::Flag;
use crate::plan::dir_vector::row_size;
use crate::plan::op::{FusedOp, LinearOp, TreeOp, for_each_tier};
use crate::plan::regs::{Access, SetReg};

/// The registers of an operand.
fn vector(first: SetReg, lanes: u8, wide: u8) -> impl Iterator<Item = SetReg> {
    (0..if wide == 0 { 1 } else { u16::from(lanes) }).map(move |lane| SetReg(first.0 + lane))
}

/// The registers of a vector that is written: all that it takes, as an executor may write what
/// stands behind the lanes.
pub fn vector_regs(first: SetReg, lanes: u8) -> impl Iterator<Item = SetReg> {
    (0..row_size(usize::from(lanes)) as u16).map(move |lane| SetReg(first.0 + lane))
}

/// A vector can be written, lane by lane, while another one, or a set that all lanes share, is still
/// to be read.
pub fn may_overwrite(written: SetReg, lanes: u8, (read, wide): (SetReg, u8)) -> bool {
    if wide != 0 {
        read == written || usize::from(read.0.abs_diff(written.0)) >= row_size(usize::from(lanes))
    } else {
        vector_regs(written, lanes).all(|reg| reg != read)
    }
}

macro_rules! visit_use {
    ($f:ident $field:ident use_set) => {
        $f(Access::UseSet($field))
    };
    ($f:ident $field:ident use_def_set) => {
        $f(Access::UseSet($field))
    };
    ($f:ident $field:ident use_num) => {
        $f(Access::UseNum($field))
    };
    ($f:ident $field:ident use_def_num) => {
        $f(Access::UseNum($field))
    };
    ($f:ident $field:ident opt_set) => {
        $field.into_iter().for_each(|reg| $f(Access::UseSet(reg)))
    };
    ($f:ident $field:ident use_vec($lanes:ident)) => {
        vector($field, $lanes, 1).for_each(|reg| $f(Access::UseSet(reg)))
    };
    ($f:ident $field:ident use_vec($lanes:ident, $wide:ident & $bit:literal)) => {
        vector($field, $lanes, $wide & $bit).for_each(|reg| $f(Access::UseSet(reg)))
    };
    ($f:ident $field:ident mark) => {
        $field.accesses(&mut *$f)
    };
    ($f:ident $field:ident $($no_use:tt)*) => {};
}

macro_rules! visit_flag {
    ($f:ident pieces) => {
        $f(Access::Pieces)
    };
    ($f:ident position) => {
        $f(Access::Position)
    };
    ($f:ident $no_access:ident) => {};
}

macro_rules! visit_def {
    ($f:ident $field:ident def_set) => {
        $f(Access::DefSet($field))
    };
    ($f:ident $field:ident use_def_set) => {
        $f(Access::DefSet($field))
    };
    ($f:ident $field:ident def_num) => {
        $f(Access::DefNum($field))
    };
    ($f:ident $field:ident use_def_num) => {
        $f(Access::DefNum($field))
    };
    ($f:ident $field:ident def_vec($lanes:ident)) => {
        vector_regs($field, $lanes).for_each(|reg| $f(Access::DefSet(reg)))
    };
    ($f:ident $field:ident $($no_def:tt)*) => {};
}

macro_rules! operand_visitor {
    ($type:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        impl $type {
            /// One copy of the visitor in the binary: a generic one was a tenth of all code to
            /// compile.
            #[allow(unused_variables)]
            fn visit_operands(&self, f: &mut dyn FnMut(Access)) {
                match *self {
                    $($type::$name { $($($field),*)? } => {
                        $($(visit_use!(f $field $role $(($($arg)*))?);)*)?
                        $(visit_flag!(f $flag);)*
                        $($(visit_def!(f $field $role $(($($arg)*))?);)*)?
                    })*
                }
            }

            /// Calls back for each register, uses before definitions.
            pub fn accesses(&self, mut f: impl FnMut(Access)) {
                self.visit_operands(&mut f);
            }

            /// Its registers are operands of its own, not parts of a row or of a choice.
            pub fn is_plain(&self) -> bool {
                !self.has(Flag::vector)
            }

            /// The one register that an operation writes which does nothing else.
            pub fn made_alone(&self) -> Option<Access> {
                let (mut made, mut more) = (None, self.has(Flag::more));
                self.accesses(|access| match access {
                    Access::DefSet(_) | Access::DefNum(_) => more |= made.replace(access).is_some(),
                    Access::Pieces => more = true,
                    Access::UseSet(_) | Access::UseNum(_) | Access::Position => {}
                });
                made.filter(|_| !more)
            }

            /// What the operation makes is a truth.
            pub fn is_truth(&self) -> bool {
                self.has(Flag::truth)
            }
        }
    };
}
for_each_tier!(operand_visitor);
