//! Parser: the text of a plan, with or without linear code behind it, goes in; both come out, or
//! the first line and column that cannot be right.

use crate::board::Player;
use crate::plan::code::FusedCode;
use crate::plan::regs::SpanId;
use crate::plan::text::names::Numbered;
use crate::plan::text::scanner::{Line, ParseError, scan};
use crate::plan::text::tables::{read_table, write_tables};
use crate::plan::text::template::{Row, row_text};
use crate::plan::text::tree::TreeWriter;
use crate::plan::tree::{Continuation, Plan, Routine, SeatPlan};

/// The head of the programs of a seat.
struct Seat {
    player: Player,
}

row_text!(Seat { player } "seat {player}");

/// The head of a continuation: where it begins, and whether chance chooses there.
struct ContinuationHead {
    place: SpanId,
    chance: bool,
    by: Option<Player>,
}

row_text!(ContinuationHead { place, chance, by } "continuation {place} [chance {chance}] [by {by}]");

/// The head of a routine: the define.
struct RoutineHead {
    place: SpanId,
}

row_text!(RoutineHead { place } "routine {place}");

/// The complete form of a plan.
pub fn print_plan(plan: &Plan) -> String {
    let mut writer = TreeWriter { names: &Numbered, text: String::new() };
    write_tables(plan).iter().for_each(|line| writer.line(0, line));
    for seat in &plan.seats {
        writer.line(0, &Seat { player: seat.player }.numbered());
        let openings = seat.opening.iter().map(|program| ("opening", program));
        let openings = openings.map(|(name, program)| (String::from(name), program));
        let continuations = seat.continuations.iter();
        let head =
            |one: &Continuation| ContinuationHead { place: one.place, chance: one.chance, by: one.by }.numbered();
        let continuations = continuations.map(|one| (head(one), &one.block));
        let turns = [(String::from("turn"), &seat.turn)].into_iter().chain(openings).chain(continuations);
        let routines = seat.routines.iter().map(|one| (RoutineHead { place: one.place }.numbered(), &one.block));
        let ends = [("after".into(), &seat.after), ("end".into(), &seat.end)];
        for (name, program) in turns.chain(ends).chain(routines) {
            writer.line(1, &name);
            writer.block(2, program);
        }
    }
    writer.text
}

/// Reads a plan.
///
/// # Errors
/// What a plan cannot have, and where.
pub fn parse_plan(text: &str) -> Result<Plan, ParseError> {
    let mut reader = Reader { lines: scan(text)?, at: 0 };
    let plan = reader.plan()?;
    reader.expect_end()?;
    Ok(plan)
}

/// Reads a plan and the linear code behind it.
///
/// # Errors
/// What they cannot have, and where.
pub fn parse_code(text: &str) -> Result<(Plan, FusedCode), ParseError> {
    let mut reader = Reader { lines: scan(text)?, at: 0 };
    let plan = reader.plan()?;
    let code = reader.code()?;
    reader.expect_end()?;
    Ok((plan, code))
}

/// The lines of a text, and which is next.
pub struct Reader<'t> {
    lines: Vec<Line<'t>>,
    at: usize,
}

impl<'t> Reader<'t> {
    /// The next line, if it stands at this depth.
    ///
    /// # Errors
    /// It is indented further.
    pub fn next_at(&mut self, depth: usize) -> Result<Option<Line<'t>>, ParseError> {
        match self.lines.get(self.at) {
            Some(line) if line.depth > depth => Err(line.error(0, "a line that no other line opens a block for")),
            Some(line) if line.depth == depth && !self.continues() => {
                self.at += 1;
                Ok(Some(line.clone()))
            }
            _ => Ok(None),
        }
    }

    /// The next line goes on with a node that stands before it.
    fn continues(&self) -> bool {
        self.lines.get(self.at).is_some_and(|line| matches!(line.words.as_slice(), ["else"] | ["or", "else"]))
    }

    /// Goes past the next line if it stands at this depth and says this.
    pub fn skip(&mut self, depth: usize, words: &[&str]) -> bool {
        let found = self.lines.get(self.at).is_some_and(|line| line.depth == depth && line.words == words);
        self.at += usize::from(found);
        found
    }

    /// The next line, if it stands at this depth and begins with this word.
    pub fn next_named(&mut self, depth: usize, name: &str) -> Option<Line<'t>> {
        let line = self.lines.get(self.at).filter(|line| line.depth == depth && line.words[0] == name)?.clone();
        self.at += 1;
        Some(line)
    }

    fn expect_end(&self) -> Result<(), ParseError> {
        self.lines.get(self.at).map_or(Ok(()), |line| Err(line.unexpected(0)))
    }

    fn plan(&mut self) -> Result<Plan, ParseError> {
        let mut plan = Plan::default();
        while let Some(line) = self.lines.get(self.at).filter(|line| line.depth == 0) {
            if !read_table(line, &mut plan)? {
                break;
            }
            self.at += 1;
        }
        while let Some(line) = self.next_named(0, "seat") {
            let Seat { player } = line.rest(0)?;
            let mut seat = SeatPlan { player, ..SeatPlan::default() };
            while let Some(line) = self.next_at(1)? {
                match line.words.as_slice() {
                    ["turn"] => seat.turn = self.block(2)?,
                    ["opening"] => seat.opening.push(self.block(2)?),
                    ["continuation", ..] => {
                        let ContinuationHead { place, chance, by } = line.rest(0)?;
                        seat.continuations.push(Continuation { place, chance, by, block: self.block(2)? });
                    }
                    ["routine", ..] => {
                        let RoutineHead { place } = line.rest(0)?;
                        seat.routines.push(Routine { place, block: self.block(2)? });
                    }
                    ["after"] => seat.after = self.block(2)?,
                    ["end"] => seat.end = self.block(2)?,
                    _ => {
                        let programs = "`turn`, `opening`, `continuation`, `after`, `end` or `routine`";
                        return Err(line.error(0, format!("a program: {programs} is expected")));
                    }
                }
            }
            plan.seats.push(seat);
        }
        Ok(plan)
    }
}
