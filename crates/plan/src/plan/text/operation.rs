//! Text of operations: an operation goes in and the line comes out that its template in the table
//! makes, or the other way round.

use crate::plan::op::{FusedOp, TreeOp, for_each_tier};
use crate::plan::regs::SetReg;
use crate::plan::text::names::{Names, Numbered};
use crate::plan::text::template::{build_from, first_difference, render};
use crate::plan::text::word::Word;

/// `s4..7`, the registers of a vector that an operation works on.
fn vector(names: &dyn Names, first: SetReg, lanes: u8) -> String {
    match first.0.saturating_add(u16::from(lanes)).saturating_sub(1) {
        last if last > first.0 => format!("{}..{last}", names.set(first)),
        _ => names.set(first),
    }
}

macro_rules! write_field {
    ($names:ident $field:ident def_vec($lanes:ident)) => {
        vector($names, *$field, *$lanes)
    };
    ($names:ident $field:ident use_vec($lanes:ident)) => {
        vector($names, *$field, *$lanes)
    };
    ($names:ident $field:ident use_vec($lanes:ident, $wide:ident & $bit:literal)) => {
        if *$wide & $bit == 0 { $names.set(*$field) } else { vector($names, *$field, *$lanes) }
    };
    ($names:ident $field:ident dir) => {
        $names.dir(*$field)
    };
    ($names:ident $field:ident $($role:tt)*) => {
        $field.write($names)
    };
}

macro_rules! operation_text {
    // Linear code is written and read as fused code, which has all its operations.
    (LinearOp: $($rest:tt)*) => {};
    ($type:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        impl $type {
            /// The name of the operation, as in the table.
            pub fn name(&self) -> &'static str {
                match self {
                    $($type::$name { .. } => stringify!($name)),*
                }
            }

            /// The operation as its template says it.
            #[allow(unused_variables)]
            pub fn write(&self, names: &dyn Names) -> String {
                match self {
                    $($type::$name { $($($field),*)? } => render($text, &|field| match field {
                        $($(stringify!($field) => {
                            (write_field!(names $field $role $(($($arg)*))?), $field.is_absent())
                        })*)?
                        _ => Default::default(),
                    })),*
                }
            }
        }

        impl OperationText for $type {
            const READERS: &[Reader<$type>] = &[
                $(|words| {
                    build_from!($text, words, { $($($field),*)? } $type::$name { $($($field),*)? })
                }),*
            ];

            fn line(&self) -> String {
                self.write(&Numbered)
            }
        }
    };
}
for_each_tier!(operation_text);

/// Reads the first words of a line as one operation; gives how many it took, or the place of the
/// first that is wrong.
type Reader<O> = fn(&[&str]) -> Result<(O, usize), usize>;

/// An operation that can be read back.
pub trait OperationText: Copy + 'static {
    /// By operation: reads a line of it.
    const READERS: &[Reader<Self>];

    /// The line as the complete form has it.
    fn line(&self) -> String;
}

/// Reads an operation from the words of a line.
///
/// # Errors
/// The place of the first word that fits no operation.
pub fn read_operation<O: OperationText>(words: &[&str]) -> Result<O, usize> {
    let mut furthest = 0;
    for read in O::READERS {
        match read(words) {
            Ok((op, used)) if used == words.len() => {
                return first_difference(words, &op.line()).map_or(Ok(op), Err);
            }
            Ok((_, at)) | Err(at) => furthest = furthest.max(at),
        }
    }
    Err(furthest)
}
