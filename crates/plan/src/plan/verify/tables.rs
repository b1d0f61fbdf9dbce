//! Table references: linear code and its plan go in; the first reference to an entry that no table
//! of the plan has comes out.

use crate::plan::code::FusedCode;
use crate::plan::op::{FusedOp, for_each_tier};
use crate::plan::regs::SpanId;
use crate::plan::tree::{Options, Plan};
use crate::plan::verify::Found;

use super::Fault;

/// Tables that operations refer to by number.
#[derive(Clone, Copy)]
enum Table {
    Hop,
    Direction,
    Along,
    Lines,
    Completion,
    Query,
    Fan,
    Place,
}

impl Table {
    /// Its name in the text of plans, and how many entries it has.
    fn of(self, plan: &Plan) -> (&'static str, usize) {
        match self {
            Table::Hop => ("hop", plan.bitboard.hops.len()),
            Table::Direction => ("direction", plan.bitboard.dirs.len()),
            Table::Along => ("along", plan.along.len()),
            Table::Lines => ("lines", plan.lists.len()),
            Table::Completion => ("completion", plan.completions.len()),
            Table::Query => ("query", plan.ray_queries.len()),
            Table::Fan => ("fan", plan.dir_vectors.len()),
            Table::Place => ("place", plan.spans.len()),
        }
    }
}

/// The table of a field, by its role, or by its name where the role is a plain number.
macro_rules! visit_entry {
    ($f:ident hop $field:ident imm(u16)) => {
        $f(Table::Hop, $field)
    };
    ($f:ident along $field:ident imm(u16)) => {
        $f(Table::Along, $field)
    };
    ($f:ident beside $field:ident imm(u16)) => {
        $f(Table::Along, $field)
    };
    ($f:ident list $field:ident imm(u16)) => {
        $f(Table::Lines, $field)
    };
    ($f:ident how $field:ident imm(u16)) => {
        $f(Table::Completion, $field)
    };
    ($f:ident trail $field:ident imm(u16)) => {
        $f(Table::Query, $field)
    };
    ($f:ident fan $field:ident imm(u16)) => {
        $f(Table::Fan, $field)
    };
    ($f:ident steps $field:ident imm(Option<u16>)) => {
        $field.into_iter().for_each(|entry| $f(Table::Fan, entry))
    };
    ($f:ident $name:ident $field:ident dir) => {
        $f(Table::Direction, $field)
    };
    ($f:ident $name:ident $field:ident span) => {
        if $field != SpanId::NOWHERE {
            $f(Table::Place, $field.0)
        }
    };
    ($f:ident $name:ident $field:ident $($other:tt)*) => {};
}

macro_rules! entry_visitor {
    // Code is checked as fused code, which has all operations that refer to tables.
    (TreeOp: $($rest:tt)*) => {};
    (LinearOp: $($rest:tt)*) => {};
    ($type:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        impl $type {
            /// Calls back for each entry of a table that the operation refers to.
            #[allow(unused_variables)]
            fn entries(&self, f: &mut dyn FnMut(Table, u16)) {
                match *self {
                    $($type::$name { $($($field),*)? } => {
                        $($(visit_entry!(f $field $field $role $(($($arg)*))?);)*)?
                    })*
                }
            }
        }
    };
}
for_each_tier!(entry_visitor);

/// # Errors
/// The first entry that is not there.
pub(super) fn entries(code: &FusedCode, plan: &Plan) -> Result<(), Found> {
    let missing = |table: Table, entry: u16| {
        let (name, count) = table.of(plan);
        (usize::from(entry) >= count).then_some(Fault::Entry(name))
    };
    for (at, op) in code.code.iter().enumerate() {
        let mut fault = None;
        op.entries(&mut |table, entry| fault = fault.take().or_else(|| missing(table, entry)));
        fault.map_or(Ok(()), |fault| Err((at, fault)))?;
    }
    for point in &code.points {
        for arm in &point.arms {
            if let Options::Groups { along, .. } = arm.options
                && let Some(fault) = missing(Table::Along, along)
            {
                return Err((point.at as usize, fault));
            }
        }
    }
    Ok(())
}
