//! Table: choices go in, one at a time; a position, its picture and what can be chosen next come out.

use lusoria::board::{Axis, Cell, Dir};
use lusoria::draw::{Marks, PictureOptions, cell_centres};
use lusoria::notation::choices_text;
use lusoria::position::Written;
use lusoria::{Error, Game, Man, Move, Position};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::author::load;
use crate::desk::Rules;

/// Choices that a view offers, at most: a page can show no more.
const MOST_OPTIONS: usize = 3000;
/// Choices that chance makes one after the other, at most.
const MOST_OF_CHANCE: usize = 1000;

/// A game as it is being played, and the move that is being made.
#[derive(Debug)]
pub struct Table {
    game: Game,
    start: Position,
    position: Position,
    steps: Vec<Step>,
    marks: Marks,
    /// Of the position; or why there are none.
    moves: Result<Vec<Move>, String>,
    /// The choices made of the next move.
    chosen: Vec<Written>,
    chance: Xoshiro256PlusPlus,
}

/// A move that was played.
#[derive(Debug)]
struct Step {
    before: Position,
    marks: Marks,
    text: String,
    /// Chance plays for nobody.
    player: Option<usize>,
}

/// What can be chosen next.
#[derive(Clone, Debug)]
enum Choice {
    Next(Written),
    /// The number of a move that is complete with what was chosen.
    Complete(usize),
}

impl Table {
    pub fn open(rules: &Rules, seed: u64, start: Option<&str>) -> Result<Table, String> {
        let game = load(rules)?;
        let start = match start {
            Some(text) => game.position(text).map_err(|error| told(&error))?,
            None => game.start(seed).map_err(|error| told(&error))?,
        };
        let mut table = Table {
            game,
            position: start.clone(),
            start,
            steps: Vec::new(),
            marks: Marks::default(),
            moves: Ok(Vec::new()),
            chosen: Vec::new(),
            chance: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        table.look();
        table.let_chance_choose()?;
        Ok(table)
    }

    pub fn start(&self) -> &Position {
        &self.start
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Lists what can be played now.
    fn look(&mut self) {
        self.chosen.clear();
        self.moves = if self.position.is_over() {
            Ok(Vec::new())
        } else {
            self.position.legal_moves().map_err(|error| told(&error))
        };
    }

    fn play(&mut self, played: &Move) -> Result<(), String> {
        let before = self.position.clone();
        let state = before.now().map_err(|error| told(&error))?;
        let (mover, player) = (before.choosing(), before.chooser().map(|_| before.choosing().index()));
        self.position.play(played).map_err(|error| told(&error))?;
        let marks = self.position.marks_behind(&state, Some(played), mover).unwrap_or_default();
        let marks = std::mem::replace(&mut self.marks, marks);
        self.steps.push(Step { before, marks, text: played.to_string(), player });
        self.look();
        Ok(())
    }

    /// Draws what chance is to choose, as likely as the rules say.
    fn let_chance_choose(&mut self) -> Result<(), String> {
        for _ in 0..MOST_OF_CHANCE {
            if self.position.is_over() || !self.position.is_chance_next() {
                break;
            }
            let moves = self.moves.clone()?;
            let weight = |one: &Move| one.probability().map_or(1.0, |(weight, of)| weight as f64 / of.max(1) as f64);
            let all: f64 = moves.iter().map(weight).sum();
            let mut left = (self.chance.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * all;
            let drawn = moves.iter().find(|one| {
                left -= weight(one);
                left < 0.0
            });
            let Some(drawn) = drawn.or(moves.last()) else { break };
            self.play(drawn)?;
        }
        Ok(())
    }

    /// The moves that go on as chosen.
    fn candidates(&self) -> impl Iterator<Item = (usize, &Move)> {
        let moves = self.moves.as_ref().map_or(&[][..], Vec::as_slice);
        moves.iter().enumerate().filter(|(_, one)| one.written().starts_with(&self.chosen))
    }

    /// What can be chosen next, and how many moves go on with it.
    fn choices(&self) -> Vec<(Choice, usize)> {
        let mut choices: Vec<(Choice, usize)> = Vec::new();
        for (at, one) in self.candidates() {
            match (one.written().get(self.chosen.len()), choices.last_mut()) {
                (None, _) => choices.push((Choice::Complete(at), 1)),
                // The moves are sorted choice by choice.
                (Some(next), Some((Choice::Next(last), count))) if next == last => *count += 1,
                (Some(next), _) => choices.push((Choice::Next(next.clone()), 1)),
            }
        }
        choices
    }

    pub fn choose(&mut self, option: usize) -> Result<(), String> {
        let choice = self.choices().into_iter().nth(option).ok_or("there is no such choice")?.0;
        match choice {
            Choice::Complete(at) => self.play_number(at)?,
            Choice::Next(next) => {
                self.chosen.push(next);
                self.go_on()?;
            }
        }
        Ok(())
    }

    /// Makes the choices that are none: of the only move, what names no cell, and its end.
    fn go_on(&mut self) -> Result<(), String> {
        loop {
            let next = {
                let mut candidates = self.candidates();
                match (candidates.next(), candidates.next()) {
                    (Some((at, only)), None) => (at, only.written().get(self.chosen.len()).cloned()),
                    _ => return Ok(()),
                }
            };
            match next {
                (at, None) => return self.play_number(at),
                (_, Some(next)) if cells(&next).is_empty() => self.chosen.push(next),
                (_, Some(_)) => return Ok(()),
            }
        }
    }

    fn play_number(&mut self, at: usize) -> Result<(), String> {
        let played = self.moves.as_ref().ok().and_then(|moves| moves.get(at)).cloned();
        self.play(&played.ok_or("there is no such move")?)?;
        self.let_chance_choose()
    }

    pub fn unchoose(&mut self) {
        self.chosen.clear();
    }

    pub fn play_text(&mut self, text: &str) -> Result<(), String> {
        self.play_found(text)?;
        self.let_chance_choose()
    }

    fn play_found(&mut self, text: &str) -> Result<(), String> {
        let found = self.position.find_move(text).map_err(|error| told(&error))?;
        self.play(&found)
    }

    pub fn undo(&mut self, count: usize) -> Result<(), String> {
        for _ in 0..count {
            // What chance has chosen goes with the move before it.
            while let Some(step) = self.steps.pop() {
                self.position = step.before;
                self.marks = step.marks;
                if step.player.is_some() {
                    break;
                }
            }
        }
        self.look();
        self.let_chance_choose()
    }

    pub fn seek(&mut self, moves: &[String]) -> Result<(), String> {
        let same = self.steps.iter().zip(moves).take_while(|(step, text)| step.text == **text).count();
        if let Some(step) = self.steps.drain(same..).next() {
            self.position = step.before;
            self.marks = step.marks;
        }
        self.look();
        for text in &moves[same..] {
            self.play_found(text)?;
        }
        self.let_chance_choose()
    }

    pub fn move_texts(&self, prefix: &str, most: usize) -> Value {
        let (mut count, mut texts) = (0, Vec::new());
        for (_, one) in self.candidates() {
            let text = one.to_string();
            if text.starts_with(prefix) {
                count += 1;
                if texts.len() < most {
                    texts.push(text);
                }
            }
        }
        json!({ "count": count, "texts": texts })
    }

    /// What stays the same in a game, and the first view.
    pub fn opened(&self) -> Value {
        let model = self.game.model();
        let centres = cell_centres(model);
        let cell = |cell: Cell| {
            let (x, y) = centres.get(cell.index()).copied().unwrap_or_default();
            json!({ "name": model.topology.name(cell), "x": x, "y": y })
        };
        let colour = |colour: &lusoria::model::Colour| format!("#{:02x}{:02x}{:02x}", colour.0, colour.1, colour.2);
        json!({
            "name": self.game.name(),
            "players": self.game.players(),
            "colours": model.colours().iter().map(colour).collect::<Vec<_>>(),
            "cells": model.topology.cells().map(cell).collect::<Vec<_>>(),
            "start": self.start.to_string(),
            "view": self.view(),
        })
    }

    pub fn view(&self) -> Value {
        let position = &self.position;
        let picture = position.marked_picture(&self.marks, &PictureOptions::default());
        let (svg, mut fault) = match picture {
            Ok(picture) => (Some(picture.svg()), None),
            Err(error) => (None, Some(told(&error))),
        };
        let choices = self.choices();
        let options: Vec<Value> =
            choices.iter().take(MOST_OPTIONS).map(|(choice, count)| self.option(choice, *count)).collect();
        if let Err(error) = &self.moves {
            fault = Some(error.clone());
        }
        let outcome = position
            .outcome()
            .map(|outcome| json!({ "winners": outcome.winners, "by": outcome.by, "text": position.outcome_text() }));
        json!({
            "svg": svg,
            "men": self.men(),
            "mover": position.mover().index(),
            "chooser": position.chooser().map(|_| position.choosing().index()),
            "chosen": self.chosen.iter().flat_map(cells).map(Cell::index).collect::<Vec<_>>(),
            "chosen_text": (!self.chosen.is_empty()).then(|| choices_text(self.game.model(), &self.chosen)),
            "options": options,
            "more_options": choices.len().saturating_sub(MOST_OPTIONS),
            "moves": self.moves.as_ref().map_or(0, Vec::len),
            "played": self.steps.iter().map(|step| json!([step.text, step.player])).collect::<Vec<_>>(),
            "position": position.to_string(),
            "hash": format!("{:032x}", position.key()),
            "outcome": outcome,
            "fault": fault,
        })
    }

    /// Cell by cell who stands there, in words, the lowest first.
    fn men(&self) -> Vec<String> {
        let model = self.game.model();
        let man = |man: &Man| {
            let kind = model.kinds.get(man.kind.index()).map_or("", |kind| kind.name.as_str());
            match man.owner {
                Some(owner) => format!("{} {kind}", self.game.player_name(owner)),
                None => kind.to_string(),
            }
        };
        let now = self.position.now();
        let state = now.as_ref().unwrap_or_else(|_| self.position.state());
        let of = |cell| state.men(cell).iter().map(man).collect::<Vec<_>>().join(", ");
        model.topology.cells().map(of).collect()
    }

    fn option(&self, choice: &Choice, count: usize) -> Value {
        let model = self.game.model();
        match choice {
            Choice::Complete(at) => {
                let text = self.moves.as_ref().ok().and_then(|moves| moves.get(*at)).map(ToString::to_string);
                json!({ "kind": "move", "text": text, "cells": [], "count": count })
            }
            Choice::Next(next) => {
                let mut at: Vec<Cell> = cells(next);
                if at.is_empty() {
                    at.extend(self.towards(next));
                }
                json!({
                    "kind": kind(next),
                    "text": choices_text(model, [next]),
                    "cells": at.into_iter().map(Cell::index).collect::<Vec<_>>(),
                    "captures": matches!(next, Written::Landing { captures: true, .. }),
                    "count": count,
                })
            }
        }
    }

    /// The cell beside the last one chosen to which a direction points.
    fn towards(&self, next: &Written) -> Option<Cell> {
        let Written::Dir(dir) = next else { return None };
        let from = self.chosen.iter().flat_map(cells).last()?;
        self.game.model().topology.step(from, *dir)
    }
}

/// The cells that a choice names.
fn cells(choice: &Written) -> Vec<Cell> {
    match choice {
        Written::Cell(cell) | Written::Landing { cell, .. } => vec![*cell],
        Written::Combination(cells) | Written::Group(cells) => cells.iter().collect(),
        Written::Chance(chosen) => cells(chosen),
        _ => Vec::new(),
    }
}

fn kind(choice: &Written) -> &'static str {
    match choice {
        Written::Cell(_) => "cell",
        Written::Landing { .. } => "landing",
        Written::Combination(_) | Written::Group(_) => "cells",
        Written::Number(_) => "number",
        Written::Dir(Dir(_)) => "direction",
        Written::Axis(Axis(_)) => "axis",
        Written::Kind(_) => "piece",
        Written::Promotion(_) => "promotion",
        Written::Label(_) => "label",
        Written::Pass => "pass",
        Written::Swap => "swap",
        Written::Stop => "stop",
        Written::Chance(chosen) => kind(chosen),
    }
}

/// An error in words, with what would help.
pub fn told(error: &Error) -> String {
    match error {
        Error::Notation(error) => match error.help() {
            Some(help) => format!("{}; {help}", error.message()),
            None => error.message(),
        },
        error => error.to_string(),
    }
}
