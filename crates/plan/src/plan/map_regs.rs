//! Operand rewriter: an operation and new names for its registers go in; the same operation on
//! these comes out.

use crate::plan::annotation::Annotation;
use crate::plan::op::{FusedOp, LinearOp, TreeOp, for_each_tier};
use crate::plan::regs::{NumReg, SetReg};

macro_rules! map_field {
    ($set:ident $number:ident $field:ident use_num) => {
        *$field = $number(*$field)
    };
    ($set:ident $number:ident $field:ident def_num) => {
        *$field = $number(*$field)
    };
    ($set:ident $number:ident $field:ident use_def_num) => {
        *$field = $number(*$field)
    };
    ($set:ident $number:ident $field:ident opt_set) => {
        *$field = $field.map(&$set)
    };
    ($set:ident $number:ident $field:ident mark) => {
        *$field = $field.renamed(&$set, &$number)
    };
    ($set:ident $number:ident $field:ident imm($type:ty)) => {};
    ($set:ident $number:ident $field:ident dir) => {};
    ($set:ident $number:ident $field:ident span) => {};
    ($set:ident $number:ident $field:ident target) => {};
    // All other roles are those of set registers.
    ($set:ident $number:ident $field:ident $($role:tt)*) => {
        *$field = $set(*$field)
    };
}

macro_rules! operand_rewriter {
    ($type:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        impl $type {
            /// One copy of the rewriter in the binary.
            #[allow(unused_variables)]
            fn map_operands(&mut self, set: &dyn Fn(SetReg) -> SetReg, number: &dyn Fn(NumReg) -> NumReg) {
                match self {
                    $($type::$name { $($($field),*)? } => {
                        $($(map_field!(set number $field $role $(($($arg)*))?);)*)?
                    })*
                }
            }

            /// The same with its registers renamed.
            pub fn renamed(mut self, set: impl Fn(SetReg) -> SetReg, number: impl Fn(NumReg) -> NumReg) -> $type {
                self.map_operands(&set, &number);
                self
            }
        }
    };
}
for_each_tier!(operand_rewriter);

impl Annotation {
    fn renamed(self, set: impl Fn(SetReg) -> SetReg, number: impl Fn(NumReg) -> NumReg) -> Annotation {
        match self {
            Annotation::Cell(reg) => Annotation::Cell(set(reg)),
            Annotation::Combination(reg) => Annotation::Combination(set(reg)),
            Annotation::Group(reg) => Annotation::Group(set(reg)),
            Annotation::Landing { cell, caught, sign } => {
                Annotation::Landing { cell: set(cell), caught: caught.map(set), sign }
            }
            Annotation::Number(reg) => Annotation::Number(number(reg)),
            Annotation::Dir(reg) => Annotation::Dir(number(reg)),
            Annotation::Axis(reg) => Annotation::Axis(number(reg)),
            Annotation::Kind(_)
            | Annotation::Promotion(_)
            | Annotation::Label(_)
            | Annotation::Pass
            | Annotation::Swap
            | Annotation::Stop
            | Annotation::Silent
            | Annotation::Round
            | Annotation::Loud => self,
        }
    }
}
