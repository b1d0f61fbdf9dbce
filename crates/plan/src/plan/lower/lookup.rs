//! Lookup tables: a define of one cell goes in, which the board alone decides, as the next cell of a track; one operation comes
//! out that looks its cells up.
//!
//! The define is expanded for each cell of the board. If that comes to a constant each time, the constants are the table. So it is
//! with cells that a condition asks of each cell: the table of the converse relation tells all that fulfil it.

use crate::model;
use crate::model::{Call, Expr};
use crate::plan::bitboard::Bits;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Lowered, Num, Value};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::passes::Pass;
use crate::plan::regs::SetReg;
use crate::plan::tree::{Block, Node};
use crate::plan::tuning::{MAX_BRANCHES_FOLDED, MAX_DEPTH_OF_CALLS, MAX_WORDS_OF_TABLES, MIN_BRANCHES_OF_TABLES};

/// Arguments of a call, of which one is a set in a register.
struct Arguments<'g> {
    values: Vec<Value<'g>>,
    at: usize,
    of: SetReg,
}

/// A relation of cells: the cells that the board tells for each, by its bit.
pub struct Relation<'g> {
    cells: Vec<(usize, Bits)>,
    /// What they are taken from; all cells if it is not said.
    of: Option<&'g model::Cells>,
}

impl Relation<'_> {
    /// There is one for each cell, or none.
    pub fn is_function(&self) -> bool {
        self.cells.iter().all(|(_, cells)| cells.len() <= 1)
    }
}

impl<'g> Lowering<'g> {
    pub fn body_cells(&mut self, body: &'g Expr) -> Lowered<Cells> {
        let value = self.value(body)?;
        self.cells_value(value)
    }

    /// The cells of a call, if they can be looked up. Of several cells, or of none, the define may tell something else than
    /// of each: that is asked where it is not known.
    pub fn looked_up(&mut self, call: &'g Call) -> Lowered<Option<Cells>> {
        let branches = self.chain_of_ifs(call);
        if branches < MIN_BRANCHES_OF_TABLES || self.grid.words > MAX_WORDS_OF_TABLES {
            return Ok(None);
        }
        let (true, Some(before)) = (self.has(Pass::FoldPredicate), self.looked_up) else { return Ok(None) };
        if call.arguments.iter().any(|argument| self.depends(argument)) {
            return Ok(None);
        }
        let Some(arguments) = self.one_argument(call)? else { return Ok(None) };
        let folded = before + branches * self.game.topology.len();
        if folded > MAX_BRANCHES_FOLDED {
            return Ok(None);
        }
        self.looked_up = None;
        let steps = self.steps;
        let table = self.table(call, &arguments);
        (self.looked_up, self.steps) = (Some(folded), steps);
        let Some((rows, of_none)) = table else { return Ok(None) };
        let of = Cells::In(arguments.of);
        let to_one = rows.iter().all(|row| row.len() <= 1);
        let list = self.list_number(rows);
        let lookup = |d| TreeOp::Lookup { d, a: arguments.of, list };
        if self.is_exact(of) || self.is_single(of) && of_none {
            let found = self.set_op(lookup);
            if to_one {
                self.known.single.insert(found);
            }
            return Ok(Some(Cells::In(found)));
        }
        let count = self.count_cells(of);
        let Num::In(alone) = self.compare_nums(Cmp::Equal, count, Num::Fixed(1)) else { return Ok(None) };
        let d = self.fresh.set();
        let mut other = self.none();
        let mut otherwise: Block =
            self.block(|lowering| lowering.call(call, Lowering::body_cells).map(|cells| other = cells))?;
        let a = self.reg(other);
        otherwise.push(Node::Op(TreeOp::Copy { d, a }));
        self.when(alone, vec![Node::Op(lookup(d))], otherwise);
        Ok(Some(Cells::In(d)))
    }

    /// How many `if` stand one behind the other in a define, each in the `else` of the one before, or in a define called there.
    fn chain_of_ifs(&self, call: &'g Call) -> usize {
        let body = |call: &'g Call| match &self.game.defines[call.define.0 as usize].body {
            Expr::Cells(cells) if !self.routines.known.contains(&call.define.0) => Some(cells),
            _ => None,
        };
        let (mut next, mut calls, mut found) = (body(call), 0, 0);
        while let Some(cells) = next {
            next = match cells {
                model::Cells::If(choice) => {
                    found += 1;
                    Some(&choice.otherwise)
                }
                // One that calls itself is found out where it is expanded.
                model::Cells::Call(call) if found > 0 && calls < MAX_DEPTH_OF_CALLS => {
                    calls += 1;
                    body(call)
                }
                _ => None,
            };
        }
        found
    }

    /// The arguments of a call, if one of them is known only at play, and is a set.
    fn one_argument(&mut self, call: &'g Call) -> Lowered<Option<Arguments<'g>>> {
        let values = call.arguments.iter().map(|argument| self.argument(argument)).collect::<Lowered<Vec<_>>>()?;
        let is_fixed = |value: &Value<'g>| {
            matches!(value, Value::Cells(Cells::Fixed(_)) | Value::Num(Num::Fixed(_)) | Value::Players(Num::Fixed(_)))
        };
        let mut others = (0..values.len()).filter(|at| !is_fixed(&values[*at]));
        let (Some(at), None) = (others.next(), others.next()) else { return Ok(None) };
        let Value::Cells(Cells::In(of)) = values[at] else { return Ok(None) };
        Ok(Some(Arguments { values, at, of }))
    }

    /// What a define tells of each cell, by the bits of cells, and whether it tells nothing of none; `None`: that is known only
    /// at play.
    fn table(&mut self, call: &'g Call, arguments: &Arguments<'g>) -> Option<(Vec<Bits>, bool)> {
        let mut rows = vec![Bits::default(); 64 * self.grid.words];
        for cell in self.game.topology.cells() {
            let (bit, mut one) = (self.grid.bit(cell), Bits::default());
            one.insert(bit);
            rows[bit] = self.folded(call, arguments, one)?;
        }
        let of_none = self.folded(call, arguments, Bits::default()).is_some_and(|cells| cells == Bits::default());
        Some((rows, of_none))
    }

    /// What a define tells of a constant, if that is one.
    fn folded(&mut self, call: &'g Call, arguments: &Arguments<'g>, one: Bits) -> Option<Bits> {
        let (spot, frames) = (self.spot(), self.scope.frames.len());
        let mut values = arguments.values.clone();
        values[arguments.at] = Value::Cells(self.fixed(one));
        let found = self.call_with(call, values, Lowering::body_cells);
        let told = if let Ok(Cells::Fixed(fixed)) = found { Some(*self.bits(fixed)) } else { None };
        self.back_to(spot);
        // A constant refers to no frame.
        self.scope.frames.truncate(frames);
        self.scope.calls.truncate(frames);
        told
    }

    /// The cells that the board alone tells for each cell, such as those so many steps behind it on a track. What a filter
    /// takes them from may change at play.
    pub fn relation(&mut self, cells: &'g model::Cells) -> Option<Relation<'g>> {
        let of_board = self.game.topology.len();
        let (true, Some(before)) = (self.has(Pass::FoldPredicate), self.looked_up) else { return None };
        // For each cell, a filter asks all cells.
        if self.grid.words > MAX_WORDS_OF_TABLES || before + of_board * of_board > MAX_BRANCHES_FOLDED {
            return None;
        }
        let (spot, steps) = (self.spot(), self.steps);
        self.looked_up = None;
        let filter = match cells {
            model::Cells::Where(filter) if !self.cells_depend(&filter.set) => Some(&**filter),
            _ => None,
        };
        let cells = self.fold_each_cell(|lowering| {
            let of_cell = match filter {
                Some(filter) => lowering.lifted(filter.it, &filter.condition)?,
                None => Some(lowering.cells(cells)?),
            };
            Ok(match of_cell {
                Some(Cells::Fixed(fixed)) => Some(*lowering.bits(fixed)),
                _ => None,
            })
        });
        self.back_to(spot);
        // What changes at play shows at the first cell.
        let asked = if cells.is_some() { of_board * of_board } else { of_board };
        (self.looked_up, self.steps) = (Some(before + asked), steps);
        Some(Relation { cells: cells?, of: filter.map(|filter| &filter.set) })
    }

    /// The cells that are related to some cell of a set: the converse of the relation is a table.
    pub fn related(&mut self, relation: &Relation<'g>, with: Cells) -> Lowered<Cells> {
        let mut rows = vec![Bits::default(); 64 * self.grid.words];
        for (bit, of_cell) in &relation.cells {
            of_cell.iter().for_each(|to| rows[to].insert(*bit));
        }
        let with = match relation.of {
            Some(of) => {
                let of = self.cells(of)?;
                self.and(with, of)
            }
            None => with,
        };
        let (a, list) = (self.reg(with), self.list_number(rows));
        Ok(Cells::In(self.set_op(|d| TreeOp::Lookup { d, a, list })))
    }

    /// The number of a list of the plan.
    pub fn list_number(&mut self, rows: Vec<Bits>) -> u16 {
        let known = self.tables.lists.iter().position(|known| *known == rows);
        known.unwrap_or_else(|| {
            self.tables.lists.push(rows);
            self.tables.lists.len() - 1
        }) as u16
    }
}
