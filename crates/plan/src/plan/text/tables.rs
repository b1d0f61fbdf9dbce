//! Text of tables: what programs refer to by number goes in and lines come out, or the other way
//! round.

use smallvec::SmallVec;

use crate::plan::bitboard::{BitboardLayout, Bits, MaskedShift};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::text::attributes::Attributes;
use crate::plan::text::names::{Names, Numbered};
use crate::plan::text::scanner::{Line, ParseError};
use crate::plan::text::template::{Row, row_text, rows_text};
use crate::plan::text::word::Word;
use crate::plan::tree::Plan;
use crate::source::{Site, Span};

/// Numbers that follow one another: `0..7`.
struct Range(u16, u16);

impl Word for Range {
    fn write(&self, _: &dyn Names) -> String {
        if self.0 == self.1 { self.0.to_string() } else { format!("{}..{}", self.0, self.1) }
    }

    fn read(word: &str) -> Option<Range> {
        let (from, to) = word.split_once("..").unwrap_or((word, word));
        Some(Range(from.parse().ok()?, to.parse().ok()?))
    }
}

/// The words of a set, and the bits of all cells in order.
struct Board {
    words: usize,
    cells: Vec<Range>,
}

/// The hops of a direction, and its longest line.
struct Direction {
    hops: SmallVec<[u16; 2]>,
    longest: u32,
}

struct Along {
    hops: SmallVec<[u16; 2]>,
}

struct Lines {
    rows: Vec<Bits>,
}

struct Place {
    span: Span,
    call: Option<Span>,
}

row_text!(Board { words, cells } "words {words} cells {cells}");
row_text!(MaskedShift { from, to, by } "from {from} to {to} by {by}");
row_text!(Direction { hops, longest } "hops {hops} longest {longest}");
row_text!(Along { hops } "hops {hops}");
row_text!(Lines { rows } "rows {rows}");
row_text!(Place { span, call } "span {span} [call {call}]");

/// A register that always holds the same.
pub enum Constant {
    Set { reg: SetReg, bits: Bits },
    Number { reg: NumReg, value: i64 },
}

rows_text! {
    Constant {
        Set { reg, bits } "constant {reg} = {bits}";
        Number { reg, value } "constant {reg} = {value}";
    }
}

/// The lines of constants.
pub fn write_constants(sets: &[(SetReg, Bits)], numbers: &[(NumReg, i64)]) -> Vec<String> {
    let sets = sets.iter().map(|&(reg, bits)| Constant::Set { reg, bits });
    let numbers = numbers.iter().map(|&(reg, value)| Constant::Number { reg, value });
    sets.chain(numbers).map(|constant| constant.numbered()).collect()
}

fn ranges(bits: &[u16]) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    for &bit in bits {
        match ranges.last_mut().filter(|range| range.1.checked_add(1) == Some(bit)) {
            Some(range) => range.1 = bit,
            None => ranges.push(Range(bit, bit)),
        }
    }
    ranges
}

/// The lines of all tables of a plan.
pub fn write_tables(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    let board = Board { words: plan.bitboard.words, cells: ranges(plan.bitboard.bits()) };
    lines.push(format!("plan {}", plan.write(&Numbered)));
    lines.push(format!("board {}", board.numbered()));
    let mut table = |name: &str, rows: &mut dyn Iterator<Item = String>| {
        lines.extend(rows.enumerate().map(|(at, row)| format!("{name} {at} {row}")));
    };
    let longest = plan.bitboard.longest.iter();
    let directions =
        plan.bitboard.dirs.iter().zip(longest).map(|(hops, &longest)| Direction { hops: hops.clone(), longest });
    table("hop", &mut plan.bitboard.hops.iter().map(Row::numbered));
    table("direction", &mut directions.map(|direction| direction.numbered()));
    table("along", &mut plan.along.iter().map(|hops| Along { hops: hops.clone() }.numbered()));
    table("lines", &mut plan.lists.iter().map(|rows| Lines { rows: rows.clone() }.numbered()));
    table("completion", &mut plan.completions.iter().map(|completion| completion.write(&Numbered)));
    table("query", &mut plan.ray_queries.iter().map(|query| query.write(&Numbered)));
    table("fan", &mut plan.dir_vectors.iter().map(|fan| fan.write(&Numbered)));
    table("place", &mut plan.spans.iter().map(|&Site { span, call }| Place { span, call }.numbered()));
    lines.push(format!("position {}", plan.layout.write(&Numbered)));
    lines.push(format!("asks {}", plan.terminal.write(&Numbered)));
    lines.extend(write_constants(&plan.consts, &plan.const_numbers));
    lines
}

/// Adds what a line says to the tables of a plan. `false`: it is no line of a table.
pub fn read_table(line: &Line<'_>, plan: &mut Plan) -> Result<bool, ParseError> {
    // Entries stand in the order of their numbers.
    let numbered = |count: usize| match line.words.get(1).and_then(|word| word.parse::<usize>().ok()) {
        Some(number) if number == count => Ok(()),
        _ => Err(line.error(1, format!("entry {count} of this table is expected here"))),
    };
    let grid = &mut plan.bitboard;
    match line.words[0] {
        "plan" => {
            let said: Plan = line.attributes(1)?;
            plan.shared_sets = said.shared_sets;
            plan.shared_numbers = said.shared_numbers;
            plan.has_pass = said.has_pass;
            plan.argmax = said.argmax;
            plan.ambiguity = said.ambiguity;
            plan.flooded = said.flooded;
            plan.reg_vectors = said.reg_vectors;
            plan.carry = said.carry;
            plan.calls = said.calls;
        }
        "board" => {
            let board: Board = line.rest(1)?;
            let bits = board.cells.iter().flat_map(|range| range.0..=range.1).collect();
            *grid = BitboardLayout::with_bits(board.words, bits)
                .ok_or_else(|| line.error(1, "the cells have no such places in so many words"))?;
        }
        "hop" => {
            numbered(grid.hops.len())?;
            grid.hops.push(line.rest(2)?);
        }
        "direction" => {
            numbered(grid.dirs.len())?;
            let Direction { hops, longest } = line.rest(2)?;
            grid.dirs.push(hops);
            grid.longest.push(longest);
        }
        "along" => {
            numbered(plan.along.len())?;
            plan.along.push(line.rest::<Along>(2)?.hops);
        }
        "lines" => {
            numbered(plan.lists.len())?;
            plan.lists.push(line.rest::<Lines>(2)?.rows);
        }
        "completion" => {
            numbered(plan.completions.len())?;
            plan.completions.push(line.attributes(2)?);
        }
        "query" => {
            numbered(plan.ray_queries.len())?;
            plan.ray_queries.push(line.attributes(2)?);
        }
        "fan" => {
            numbered(plan.dir_vectors.len())?;
            plan.dir_vectors.push(line.attributes(2)?);
        }
        "place" => {
            numbered(plan.spans.len())?;
            let Place { span, call } = line.rest(2)?;
            plan.spans.push(Site { span, call });
        }
        "position" => plan.layout = line.attributes(1)?,
        "asks" => plan.terminal = line.attributes(1)?,
        "constant" => match line.rest(0)? {
            Constant::Set { reg, bits } => plan.consts.push((reg, bits)),
            Constant::Number { reg, value } => plan.const_numbers.push((reg, value)),
        },
        _ => return Ok(false),
    }
    Ok(true)
}
