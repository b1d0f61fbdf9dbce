//! Branch targets: an operation goes in; where a run goes on behind it comes out.

use crate::plan::op::{FusedOp, LinearOp, TreeOp, for_each_tier};

macro_rules! find_target {
    ($found:ident $field:ident target) => {
        $found = Some($field)
    };
    ($found:ident $field:ident $($other:tt)*) => {};
}

macro_rules! control_flow {
    ($type:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        impl $type {
            /// The operation has the flag in the table.
            pub fn has(&self, flag: Flag) -> bool {
                let flags: &[Flag] = match self {
                    $($type::$name { .. } => const { &[$(Flag::$flag),*] }),*
                };
                flags.contains(&flag)
            }

            /// It may come upon men where the rules forbid them, or upon a set that should be one
            /// cell. (Numbers out of range are found where a turn is made.)
            pub fn may_fault(&self) -> bool {
                self.has(Flag::may_fault)
            }

            control_flow! { branches $type: $(
                $name $({ $($field : $role $(($($arg)*))?),* })?;
            )* }
        }
    };
    // Trees have no branches.
    (branches TreeOp: $($rest:tt)*) => {};
    (branches $type:ident: $(
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })?;
    )*) => {
        /// Where it may go on but behind itself, to be aimed; choices lead elsewhere, too.
        #[allow(unused_variables, unused_assignments, unused_mut)]
        pub fn target_mut(&mut self) -> Option<&mut u32> {
            let mut found = None;
            match self {
                $($type::$name { $($($field),*)? } => { $($(find_target!(found $field $role $(($($arg)*))?);)*)? })*
            }
            found
        }

        /// [`Self::target_mut`], to be read.
        pub fn target(&self) -> Option<u32> {
            let mut op = *self;
            op.target_mut().copied()
        }

        /// It does nothing but tell where a run goes on.
        pub fn only_asks(&self) -> bool {
            self.has(Flag::test)
        }

        /// A run may go on with the next operation.
        pub fn goes_on(&self) -> bool {
            !self.has(Flag::stops)
        }
    };
}
for_each_tier!(control_flow);

/// The flag column of the table.
#[derive(Clone, Copy, PartialEq)]
#[allow(non_camel_case_types)]
pub enum Flag {
    pieces,
    position,
    may_fault,
    stops,
    test,
    vector,
    more,
    truth,
}
