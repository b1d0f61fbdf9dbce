//! Branch targets: an operation goes in; where a run goes on behind it comes out.

use crate::plan::op::{Op, for_each_operation};

macro_rules! find_target {
    ($found:ident $field:ident target) => {
        $found = Some($field)
    };
    ($found:ident $field:ident $($other:tt)*) => {};
}

macro_rules! flag_sets {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? $stage:ident [$($flag:ident)*] $text:literal;
    )*) => {
        impl Op {
            fn flags(&self) -> &'static [Flag] {
                match self {
                    $(Op::$name { .. } => const { &[$(Flag::$flag),*] }),*
                }
            }

            /// [`Op::target`], to be aimed.
            #[allow(unused_variables, unused_assignments, unused_mut)]
            pub fn target_mut(&mut self) -> Option<&mut u32> {
                let mut found = None;
                match self {
                    $(Op::$name { $($($field),*)? } => { $($(find_target!(found $field $role $(($($arg)*))?);)*)? })*
                }
                found
            }
        }
    };
}
for_each_operation!(flag_sets);

/// The flag column of the table.
#[derive(Clone, Copy, PartialEq)]
#[allow(non_camel_case_types)]
enum Flag {
    pieces,
    position,
    may_fault,
    stops,
    test,
}

impl Op {
    /// Where it may go on but behind itself; choices lead elsewhere, too.
    pub fn target(&self) -> Option<u32> {
        let mut op = *self;
        op.target_mut().copied()
    }

    /// It does nothing but tell where a run goes on.
    pub fn only_asks(&self) -> bool {
        self.flags().contains(&Flag::test)
    }

    /// It may come upon men where the rules forbid them, or upon a set that should be one cell.
    /// (Numbers out of range are found where a turn is made.)
    pub fn may_fault(&self) -> bool {
        self.flags().contains(&Flag::may_fault)
    }

    /// A run may go on with the next operation.
    pub fn goes_on(&self) -> bool {
        !self.flags().contains(&Flag::stops)
    }
}
