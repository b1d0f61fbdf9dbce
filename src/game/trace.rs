//! Trace of a move: a position and a move go in; the run of the move comes out, line by line, with
//! the names that change and the board where it does.

use serde::Serialize;

use crate::board::CellSet;
use crate::game::wording::{Known, condition, line_of, rule_text, value_text};
use crate::game::{Error, Move, Position};
use crate::model::{Game, Slot, Statement, StatementId};
use crate::notation;
use crate::position;
use crate::position::{Value, Written};
use crate::reference::{Event, Observer, PlayError, RunView};
use crate::render;
use crate::render::Paint;

/// The run of a move.
#[derive(Clone, Debug, Serialize)]
pub struct Trace {
    #[serde(rename = "move")]
    pub text: String,
    pub player: String,
    pub steps: Vec<TraceStep>,
    /// The position behind the move; of a ply within a turn, none.
    pub position: Option<String>,
    /// How the game has come out by it.
    pub outcome: Option<String>,
}

/// A line of the rules that the run came through.
#[derive(Clone, Debug, Serialize)]
pub struct TraceStep {
    /// `file.rules:12`.
    pub place: String,
    pub rule: String,
    /// What was chosen, or how a condition came out.
    pub did: Option<String>,
    /// Of a condition that does not hold: what it is made of, with the values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Known>,
    /// Names that have another value behind it.
    pub names: Vec<Known>,
    /// The board behind it, where it is another.
    pub board: Option<String>,
}

/// What can change, at one moment.
#[derive(Clone)]
struct Moment {
    position: position::Position,
    locals: Vec<Option<Value>>,
    written: Vec<Written>,
}

/// What a statement did, and of a condition that does not hold the values in it.
type Did = (Option<String>, Vec<Known>);

struct Recorder<'g> {
    game: &'g Game,
    names: &'g [(Slot, String)],
    /// Choices after which the move is over, if the turn goes on.
    until: Option<usize>,
    last: Option<(StatementId, Moment, Did)>,
    steps: Vec<TraceStep>,
    is_over: bool,
}

impl Observer for Recorder<'_> {
    fn observe(&mut self, event: Event, view: &mut dyn RunView) {
        if self.is_over {
            return;
        }
        let now = self.moment(view);
        let id = match event {
            Event::Statement(id) => id,
            Event::Completed => return self.finish(&now, None),
            Event::Died(_) => return,
        };
        let statement = self.statement(id);
        self.finish(&now, Some(id));
        if statement.is_some_and(is_choice) && self.until.is_some_and(|until| now.written.len() >= until) {
            self.is_over = true;
            return;
        }
        let told = match statement {
            Some(Statement::If { .. } | Statement::Need { .. }) => {
                let values = view.values(id);
                match values.last().map(|root| &root.value) {
                    Some(Value::Truth(true)) => (Some(String::from("holds")), Vec::new()),
                    Some(Value::Truth(false)) => {
                        (Some(String::from("does not hold")), condition(self.game, view.position(), &values))
                    }
                    _ => Did::default(),
                }
            }
            _ => Did::default(),
        };
        self.last = Some((id, now, told));
    }
}

impl<'g> Recorder<'g> {
    fn statement(&self, id: StatementId) -> Option<&'g Statement> {
        self.game.block(id.block).get(id.at as usize)
    }

    fn moment(&self, view: &dyn RunView) -> Moment {
        let locals = self.names.iter().map(|(slot, _)| view.local(*slot)).collect();
        let written = view.written().into_iter().filter(|choice| *choice != Written::Stop).collect();
        Moment { position: view.position().clone(), locals, written }
    }

    /// The statement before is done: what it has changed by now. `next` comes behind it.
    fn finish(&mut self, now: &Moment, next: Option<StatementId>) {
        let Some((id, before, (told, values))) = self.last.take() else { return };
        let Some(note) = self.game.notes.as_ref().and_then(|notes| notes.statement(id)) else { return };
        let Some(statement) = self.statement(id) else { return };
        if matches!(statement, Statement::Label(_)) {
            return;
        }
        let chosen = now.written.get(before.written.len()..).unwrap_or_default();
        let taken = || next.and_then(|next| taken_block(statement, next));
        let did = if chosen.is_empty() { told.or_else(taken) } else { Some(notation::turn_text(self.game, chosen)) };
        let is_changed = !same_men(self.game, &before.position, &now.position);
        let drawn = || render::board_drawing(self.game, &now.position, &CellSet::EMPTY, Paint::Plain);
        let board = is_changed.then(drawn);
        self.steps.push(TraceStep {
            place: line_of(self.game, note.span),
            rule: rule_text(self.game, note.span),
            did,
            values,
            names: self.changed(&before, now),
            board,
        });
    }

    fn changed(&self, before: &Moment, now: &Moment) -> Vec<Known> {
        let mut changed = Vec::new();
        let mut add = |name: String, value: &Value| {
            changed.push(Known { name, value: value_text(self.game, value), within: Vec::new() });
        };
        for (at, (_, name)) in self.names.iter().enumerate() {
            if let (old, Some(value)) = (&before.locals[at], &now.locals[at])
                && old.as_ref() != Some(value)
            {
                add(name.clone(), value);
            }
        }
        for (at, state) in self.game.states.iter().enumerate() {
            let id = crate::model::StateId(at as u16);
            for player in self.game.players().take(if state.per_player { usize::MAX } else { 1 }) {
                let value = now.position.value(id, player);
                if value != before.position.value(id, player) {
                    let whose =
                        if state.per_player { format!("({})", self.game.player(player).name) } else { String::new() };
                    add(format!("{}{whose}", state.name), value);
                }
            }
        }
        changed
    }
}

/// Which block of a statement comes next.
fn taken_block(statement: &Statement, next: StatementId) -> Option<String> {
    let (Statement::Either { blocks, .. } | Statement::First { blocks, .. }) = statement else { return None };
    let at = blocks.iter().position(|(block, _)| *block == next.block)?;
    Some(format!("block {} of {}", at + 1, blocks.len()))
}

fn same_men(game: &Game, one: &position::Position, other: &position::Position) -> bool {
    game.topology.cells().all(|cell| one.men(cell) == other.men(cell))
}

impl Position {
    /// The run of a legal move, line by line, by the reference executor.
    ///
    /// ```
    /// let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
    /// let trace = game.start(0)?.trace("a2-a3")?;
    /// let rules: Vec<&str> = trace.steps.iter().map(|step| step.rule.as_str()).collect();
    /// assert_eq!(rules, ["pick p from own", "move p"]);
    /// assert_eq!(trace.steps[0].names[0].value, "a2");
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// A text that means none of the legal moves, or several; a fault of the rules.
    pub fn trace(&self, text: &str) -> Result<Trace, Error> {
        let plain = self.interpreted();
        let found = plain.find_move(text)?;
        plain.traced(&found)
    }

    /// The same position, played by the reference executor.
    pub(super) fn interpreted(&self) -> Position {
        let game = self.game.without_plan();
        let state = self.state().clone();
        let body =
            crate::game::body::Body::Interpreted(Box::new(crate::game::body::Interpreted { state, marks: Vec::new() }));
        Position { game, body }
    }

    pub(super) fn traced(&self, found: &Move) -> Result<Trace, Error> {
        let shared = &self.game.shared;
        let model = shared.noted().ok_or(Error::NotAMove)?;
        let crate::game::moves::Made::Ply(ply) = &found.listing().by else { return Err(Error::NotAMove) };
        let mut state = self.state().clone();
        let program = state.opening().and_then(|turn| model.opening.get(turn as usize)).unwrap_or(&model.turn);
        let begun: usize = state.begun().iter().map(|step| step.written.len()).sum();
        let mut recorder = Recorder {
            game: model,
            names: model.notes.as_ref().map_or(&[], |notes| notes.names(program.block)),
            until: (!ply.ends_turn).then(|| begun + ply.written.len()),
            last: None,
            steps: Vec::new(),
            is_over: false,
        };
        let player = self.chooser().unwrap_or("chance").to_string();
        let played = shared.scratch(|scratch| scratch.executor.observe_ply(model, &mut state, ply, &mut recorder));
        played.map_err(|error| match error {
            PlayError::Fault(fault) => self.fault(fault),
            PlayError::NotAMove => Error::NotAMove,
        })?;
        let steps = recorder.steps;
        let (mut position, mut outcome) = (None, None);
        if ply.ends_turn {
            let mut after = self.clone();
            after.play(found)?;
            (position, outcome) = (Some(after.to_string()), after.outcome_text());
        }
        Ok(Trace { text: found.to_string(), player, steps, position, outcome })
    }
}

/// A statement at which something is chosen.
pub(super) fn is_choice(statement: &Statement) -> bool {
    match statement {
        Statement::Pick { .. } | Statement::Move { .. } | Statement::Promote { .. } | Statement::Either { .. } => true,
        Statement::Place { place: crate::model::Place::On { men, .. }, .. } => men.len() > 1,
        _ => false,
    }
}
