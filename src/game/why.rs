//! Inquiry about a move: a position and the text of a move go in; why it is legal or not comes out,
//! by the lines of the rules.

use std::collections::HashMap;

use serde::Serialize;

use crate::board::Cell;
use crate::game::trace::is_choice;
use crate::game::wording::{
    Known, cells_text, condition, line_of, man_text, rule_text, standing, test, value_text, whole_text,
};
use crate::game::{Error, Move, Position};
use crate::model::{Game, Statement, StatementId};
use crate::notation;
use crate::notation::NotationErrorKind;
use crate::position;
use crate::position::{Value, Written};
use crate::reference::{Cause, Event, Observer, OpenFirst, Ranked, RunView, Stop, Valued};
use crate::sort;
use crate::source::Span;

/// Why a move is legal, or is not.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// The move, as it was asked about; of a legal one, as it is written.
    #[serde(rename = "move")]
    pub text: String,
    pub legal: bool,
    /// In a sentence.
    pub answer: String,
    /// The lines of the rules that decide; of a legal move, those that it came through.
    pub reasons: Vec<Reason>,
    /// Legal moves that are written much alike, and what they do.
    pub near: Vec<Near>,
}

/// A line of the rules, and what it has to do with the move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// `file.rules:12`.
    pub place: String,
    pub rule: String,
    pub says: String,
    /// What names and expressions in the line mean.
    pub values: Vec<Known>,
    /// The ways of a piece, and where each stops.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Reason>,
}

/// A legal move like the one that was asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Near {
    #[serde(rename = "move")]
    pub text: String,
    /// What it does.
    pub does: String,
}

/// Reasons and near moves that are told.
const MOST_TOLD: usize = 4;

/// How a run that goes along with the text comes to nothing, the best reason first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// It is complete, but a block of a `first` before its own can be completed, by this move.
    Forbidden { first: StatementId, mine: u32, earlier: u32, by: String },
    /// It is complete, but others have a greater value.
    Beaten { scope: u64, line: u16, value: i64 },
    /// It dies at this statement.
    Died(StatementId),
    /// This statement offers nothing that the text goes on with.
    Offers(StatementId),
}

struct Candidate {
    /// Bytes of the text up to which the run goes along.
    progress: usize,
    end: End,
    reason: Reason,
}

/// Follows all runs, and keeps those that go along with the text farthest.
struct Search<'g> {
    game: &'g Game,
    text: &'g str,
    begun: Vec<Written>,
    best: usize,
    candidates: Vec<Candidate>,
    /// Of each block of each `first`: the first run that completed it.
    completed: HashMap<(u64, u32), String>,
    /// The greatest value of each `most` line, and its move.
    greatest: HashMap<(u64, u16), (i64, String)>,
    /// What was asked last, and the answer.
    asked: (Vec<Written>, Option<usize>),
}

impl Observer for Search<'_> {
    fn observe(&mut self, event: Event, view: &mut dyn RunView) {
        let statement = |id: StatementId| self.game.block(id.block).get(id.at as usize);
        if let Event::Statement(id) = event
            && !statement(id).is_some_and(is_choice)
        {
            return;
        }
        let written: Vec<Written> = view.written().into_iter().filter(|choice| *choice != Written::Stop).collect();
        if event == Event::Completed {
            self.note_complete(&written, view);
        }
        let Some(progress) = self.progress(&written) else { return };
        if progress < self.best {
            return;
        }
        match event {
            Event::Completed => self.complete(progress, &written, view),
            Event::Died(id) => self.add(progress, End::Died(id), |search| search.died(id, view)),
            Event::Statement(id) => {
                self.add(progress, End::Offers(id), |search| search.offers(id, &written, progress, view));
            }
        }
    }
}

impl<'g> Search<'g> {
    /// How far the text goes along with what a run has written; `None`: it says something else.
    fn progress(&mut self, written: &[Written]) -> Option<usize> {
        if self.asked.0 != written {
            self.asked = (written.to_vec(), self.agreement(written));
        }
        self.asked.1
    }

    fn agreement(&self, written: &[Written]) -> Option<usize> {
        if written.len() < self.begun.len() {
            return self.begun.starts_with(written).then_some(0);
        }
        let mine = written.strip_prefix(self.begun.as_slice())?;
        if mine.is_empty() {
            return Some(0);
        }
        let whole = notation::agreement(self.game, mine, self.text);
        // A run may go on where the text is at its end.
        let beyond = || {
            (1..mine.len())
                .rev()
                .find(|&length| notation::agreement(self.game, &mine[..length], self.text) == Some(self.text.len()))
        };
        whole.or_else(|| beyond().map(|_| self.text.len()))
    }

    fn note_complete(&mut self, written: &[Written], view: &dyn RunView) {
        let text = || notation::turn_text(self.game, written.get(self.begun.len()..).unwrap_or_default());
        for first in view.firsts() {
            self.completed.entry((first.scope, first.block)).or_insert_with(text);
        }
        for Ranked { scope, line, value } in view.ranked() {
            let known = self.greatest.entry((scope, line)).or_insert_with(|| (value, text()));
            if value > known.0 {
                *known = (value, text());
            }
        }
    }

    fn add(&mut self, progress: usize, end: End, reason: impl FnOnce(&Self) -> Option<Reason>) {
        if progress > self.best {
            self.candidates.clear();
            self.best = progress;
        }
        if self.candidates.iter().any(|known| known.end == end) {
            return;
        }
        if let Some(reason) = reason(self) {
            self.candidates.push(Candidate { progress, end, reason });
        }
    }

    fn complete(&mut self, progress: usize, written: &[Written], view: &dyn RunView) {
        let mine = notation::turn_text(self.game, written.get(self.begun.len()..).unwrap_or_default());
        let earlier = |first: &OpenFirst| {
            let done = (0..first.block).find_map(|block| Some((block, self.completed.get(&(first.scope, block))?)));
            done.map(|(earlier, by)| (*first, earlier, by.clone()))
        };
        if let Some((first, earlier, by)) = view.firsts().iter().find_map(earlier) {
            // The same move is one of the earlier block too, and is looked at there.
            if by == mine {
                return;
            }
            let end = End::Forbidden { first: first.statement, mine: first.block, earlier, by: by.clone() };
            self.add(progress, end, |search| Some(search.forbidden(first, earlier, &by)));
            return;
        }
        for Ranked { scope, line, value } in view.ranked() {
            let end = End::Beaten { scope, line, value };
            let span = self.most_line(line);
            self.add(progress, end, |search| Some(search.reason(span?, String::new(), Vec::new())));
        }
    }

    fn most_line(&self, line: u16) -> Option<Span> {
        self.game.blocks.iter().flatten().find_map(|statement| match statement {
            Statement::Most { id, span, .. } if *id == line => Some(*span),
            _ => None,
        })
    }

    fn reason(&self, span: Span, says: String, values: Vec<Known>) -> Reason {
        Reason { place: line_of(self.game, span), rule: rule_text(self.game, span), says, values, ways: Vec::new() }
    }

    fn span(&self, id: StatementId) -> Option<Span> {
        self.game.notes.as_ref()?.statement(id).map(|note| note.span)
    }

    fn forbidden(&self, first: OpenFirst, earlier: u32, by: &str) -> Reason {
        let nth = |block: u32| match block {
            0 => String::from("the first block"),
            1 => String::from("the second block"),
            2 => String::from("the third block"),
            block => format!("block {}", block + 1),
        };
        let says = format!(
            "This move is one of {}. It counts only where {} allows no move at all, and `{by}` is one",
            nth(first.block),
            nth(earlier)
        );
        let span = self.span(first.statement).unwrap_or(Span::NOWHERE);
        self.reason(span, says, Vec::new())
    }

    fn died(&self, id: StatementId, view: &mut dyn RunView) -> Option<Reason> {
        let span = self.span(id)?;
        let parts = view.values(id);
        let position = view.position();
        Some(match self.game.block(id.block).get(id.at as usize)? {
            Statement::Need { .. } => {
                let values = condition(self.game, position, &parts);
                self.reason(span, String::from("This must hold there, and does not"), values)
            }
            // What it offers was told before.
            statement if is_choice(statement) => return None,
            Statement::Place { .. } => self.reason(
                span,
                String::from("There is no such man in the hand"),
                condition(self.game, position, &parts),
            ),
            _ => self.reason(span, String::from("This cannot be done there"), condition(self.game, position, &parts)),
        })
    }

    fn offers(&self, id: StatementId, written: &[Written], progress: usize, view: &mut dyn RunView) -> Option<Reason> {
        let span = self.span(id)?;
        let statement = self.game.block(id.block).get(id.at as usize)?;
        let rest = self.text.get(progress..).unwrap_or_default().trim_start_matches([' ', '-', 'x']).to_string();
        if rest.is_empty() {
            return Some(self.reason(
                span,
                String::from("The move is not at its end: more must be chosen here"),
                Vec::new(),
            ));
        }
        let target = self.target(written);
        Some(match (statement, target) {
            (Statement::Move { .. }, Some(target)) => self.cannot_go(id, span, target, view),
            (Statement::Pick { .. }, Some(target)) => {
                let cell = self.game.topology.name(target);
                let parts = view.values_for(id, target);
                let stands = standing(self.game, view.position(), target);
                let from = parts.last().map(|from| format!(" from `{}`", whole_text(self.game, from.span)));
                let is_offered =
                    matches!(parts.last(), Some(Valued { value: Value::Cells(all), .. }) if all.contains(target));
                let says = match is_offered {
                    true => format!("{cell} can be picked here, but then no move goes on as `{}` does", self.text),
                    false => format!("{cell} cannot be picked here{}: {stands}", from.unwrap_or_default()),
                };
                let values = condition(self.game, view.position(), &parts);
                self.reason(span, says, values.into_iter().filter(|known| !known.within.is_empty()).collect())
            }
            _ => {
                let parts = view.values(id);
                let says = format!("`{rest}` is none of what can be chosen here");
                self.reason(span, says, condition(self.game, view.position(), &parts))
            }
        })
    }

    /// The cell that the text names next.
    fn target(&self, written: &[Written]) -> Option<Cell> {
        let mine = written.get(self.begun.len()..)?;
        let reads = |cell: Cell| {
            let read = |captures| {
                let landing = Written::Landing { cell, captures, sign: None };
                let choices: Vec<Written> = mine.iter().cloned().chain([landing]).collect();
                notation::agreement(self.game, &choices, self.text)
            };
            read(false).max(read(true)).map(|end| (end, cell))
        };
        self.game.topology.cells().filter_map(reads).max_by_key(|(end, _)| *end).map(|(_, cell)| cell)
    }

    fn cannot_go(&self, id: StatementId, span: Span, target: Cell, view: &mut dyn RunView) -> Reason {
        let name = |cell: Cell| self.game.topology.name(cell).to_string();
        let from = view.mover(id);
        let man = from.and_then(|from| man_text(self.game, view.position(), from));
        let stops = view.stops(id, target);
        let says = match (from, man) {
            (Some(from), Some(man)) => {
                let man = man.split_once(' ').map_or(man.as_str(), |(_, man)| man).trim_end_matches(',').to_string();
                format!("The {man} on {} cannot go to {}", name(from), name(target))
            }
            _ => format!("{} is none of the cells to go to", name(target)),
        };
        let mut reason = self.reason(span, says, Vec::new());
        if stops.is_empty() {
            let parts = view.values_for(id, target);
            reason.values = condition(self.game, view.position(), &parts);
            return reason;
        }
        let told: Vec<&Stop> = stops.iter().filter(|stop| stop.cause != Cause::Elsewhere).collect();
        if told.is_empty() {
            reason.says += ": none of these leads there";
            reason.ways = stops.iter().map(|stop| self.way(stop, String::new(), Vec::new())).collect();
        } else {
            let position = view.position();
            let way =
                |stop: &Stop| self.way(stop, self.stopped(stop, position), test(self.game, position, &stop.values));
            reason.ways = told.into_iter().map(way).collect();
        }
        reason.ways.dedup();
        reason
    }

    fn way(&self, stop: &Stop, says: String, values: Vec<Known>) -> Reason {
        self.reason(stop.line, says, values)
    }

    /// Where a path stops, in words.
    fn stopped(&self, stop: &Stop, position: &position::Position) -> String {
        let board = &self.game.topology;
        let dirs: Vec<String> = stop.dirs.iter().map(|dir| board.direction_name(*dir)).collect();
        let item = |item: usize| {
            let notes = self.game.notes.as_ref();
            let span = notes.and_then(|notes| notes.item(stop.path, item));
            whole_text(self.game, span.map_or(stop.path, |item| item.span))
        };
        let whole = whole_text(self.game, stop.path);
        let line = whole_text(self.game, stop.line);
        let pattern = if line.contains(&whole) { String::new() } else { format!(" (`{whole}`)") };
        let why = match stop.cause {
            Cause::Fits => String::from("this leads there"),
            Cause::Elsewhere => String::from("this does not lead there"),
            Cause::Condition => String::from("this would lead there, but the `if` around it does not hold"),
            Cause::CatchesNothing => String::from("this leads there and catches nothing, and a capture must be made"),
            Cause::Cell { cell, item: at } => {
                format!(
                    "stops at {}, where it wants `{}`: {}",
                    board.name(cell),
                    item(at),
                    standing(self.game, position, cell)
                )
            }
            Cause::Edge { item: at } => format!("wants `{}` behind the edge of the board", item(at)),
        };
        format!("{}{pattern} {why}", dirs.join(", then "))
    }
}

impl Position {
    /// Why a move is legal, or is not, by the lines of the rules. The reference executor goes through
    /// all runs of the turn, also those that priority forbids.
    ///
    /// ```
    /// let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
    /// let why = game.start(0)?.why("a2-b2")?;
    /// assert_eq!(why.answer, "`a2-b2` is not legal.");
    /// assert_eq!(why.reasons[0].says, "The White man on a2 cannot go to b2: none of these leads there");
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn why(&self, text: &str) -> Result<Why, Error> {
        let text = text.trim();
        let plain = self.interpreted();
        let not = |answer: String, reasons: Vec<Reason>, near: Vec<Near>| Why {
            text: text.to_string(),
            legal: false,
            answer,
            reasons,
            near,
        };
        if let Some(how) = plain.outcome_text() {
            return Ok(not(format!("`{text}` is not legal: the game is over. {how}."), Vec::new(), Vec::new()));
        }
        match plain.find_move(text) {
            Ok(found) => plain.why_legal(&found),
            Err(Error::Notation(error)) => match error.kind {
                NotationErrorKind::NoMove => {
                    Ok(not(String::from("There is no move to look at."), Vec::new(), Vec::new()))
                }
                NotationErrorKind::AmbiguousMove { fitting, .. } => {
                    let near = plain.near(&fitting)?;
                    Ok(not(format!("`{text}` may be several legal moves, which differ:"), Vec::new(), near))
                }
                _ => plain.why_not(text),
            },
            Err(error) => Err(error),
        }
    }

    fn why_legal(&self, found: &Move) -> Result<Why, Error> {
        let trace = self.traced(found)?;
        let steps = trace.steps.into_iter().filter(|step| step.did.is_some());
        let reasons = steps.map(|step| {
            let says = step.did.unwrap_or_default();
            Reason { place: step.place, rule: step.rule, says, values: Vec::new(), ways: Vec::new() }
        });
        let text = found.to_string();
        Ok(Why {
            answer: format!("`{text}` is legal."),
            text,
            legal: true,
            reasons: reasons.collect(),
            near: Vec::new(),
        })
    }

    fn why_not(&self, text: &str) -> Result<Why, Error> {
        let shared = &self.game.shared;
        let model = shared.noted().ok_or(Error::NotAMove)?;
        let asked = self.spelt_out(text);
        let state = self.state();
        let begun = state.begun().iter().flat_map(|step| &step.written).filter(|choice| **choice != Written::Stop);
        let mut search = Search {
            game: model,
            text: &asked,
            begun: begun.cloned().collect(),
            best: 0,
            candidates: Vec::new(),
            completed: HashMap::new(),
            greatest: HashMap::new(),
            asked: (Vec::new(), Some(0)),
        };
        let explored = shared.scratch(|scratch| scratch.executor.observe_runs(model, &mut state.clone(), &mut search));
        let mut answer = format!("`{text}` is not legal.");
        if let Err(fault) = explored {
            answer += &format!(" Not all was looked at: {fault}.");
        }
        let reasons = search.reasons();
        let legal = self.legal_moves()?;
        let texts: Vec<String> = legal.iter().map(ToString::to_string).collect();
        let near = self.near(&notation::near_moves(&texts, text))?;
        Ok(Why { text: text.to_string(), legal: false, answer, reasons, near })
    }

    /// A text that an alias of the rules explains, by the cells that it stands for.
    fn spelt_out(&self, text: &str) -> String {
        let (shared, state) = (&self.game.shared, self.state());
        if shared.model.aliases.is_empty() || !state.begun().is_empty() {
            return text.to_string();
        }
        let aliases = shared.scratch(|scratch| scratch.executor.aliases(&shared.model, &mut state.clone()));
        let Some(sets) = notation::meant_cells(&shared.model, &aliases, text) else { return text.to_string() };
        let cells = sets.iter().filter_map(|set| set.min());
        cells.map(|cell| self.game.cell_name(cell)).collect::<Vec<_>>().join(" ")
    }

    /// What some legal moves do, by their texts.
    fn near(&self, texts: &[String]) -> Result<Vec<Near>, Error> {
        let legal = self.legal_moves()?;
        let mut near = Vec::new();
        for text in texts.iter().take(MOST_TOLD) {
            let Some(found) = legal.iter().find(|one| one.to_string() == *text) else { continue };
            near.push(Near { text: text.clone(), does: self.deed(found)? });
        }
        Ok(near)
    }

    /// What a move does: whom it takes, and which cells it changes.
    fn deed(&self, found: &Move) -> Result<String, Error> {
        let captures = found.captures()?;
        if !captures.is_empty() {
            let cells = captures.into_iter().collect();
            return Ok(format!("takes {}", cells_text(self.game.model(), &cells)));
        }
        let changed = found.changes()?.iter().map(|change| change.cell).collect();
        let cells = cells_text(self.game.model(), &changed);
        Ok(if changed.is_empty() {
            String::from("changes no man")
        } else {
            format!("takes nobody, and changes {cells}")
        })
    }
}

impl Search<'_> {
    /// What is told of the candidates, the best first.
    fn reasons(mut self) -> Vec<Reason> {
        let text = self.text.len();
        self.candidates.retain(|candidate| candidate.progress == self.best);
        let mut told: Vec<(End, Reason)> = Vec::new();
        for Candidate { end, mut reason, .. } in std::mem::take(&mut self.candidates) {
            if let End::Beaten { scope, line, value } = end {
                let Some((greatest, by)) = self.greatest.get(&(scope, line)).filter(|(most, _)| *most > value) else {
                    continue;
                };
                reason.says = format!("This move comes to {value} there, and `{by}` to {greatest}");
                let number = |number: i64| value_text(self.game, &Value::Number(number));
                reason.values = vec![Known {
                    name: reason.rule.replacen("most ", "", 1),
                    value: number(value),
                    within: Vec::new(),
                }];
            }
            told.push((end, reason));
        }
        // That a block must be chosen says little where something in the blocks says more.
        let is_either = |end: &End| match end {
            End::Offers(id) => matches!(self.game.block(id.block).get(id.at as usize), Some(Statement::Either { .. })),
            _ => false,
        };
        if told.iter().any(|(end, _)| !is_either(end)) {
            told.retain(|(end, _)| !is_either(end));
        }
        // Where the whole text was read, what offers no more is no reason if something else is one.
        let is_deed = |end: &End| !matches!(end, End::Offers(_));
        if self.best == text && told.iter().any(|(end, _)| is_deed(end)) {
            told.retain(|(end, _)| is_deed(end));
        }
        sort::by(&mut told, |(one, _), (other, _)| one.cmp(other));
        let mut reasons: Vec<Reason> = told.into_iter().map(|(_, reason)| reason).collect();
        reasons.dedup();
        reasons.truncate(MOST_TOLD);
        reasons
    }
}
