//! Game records: a played game goes in; one line of JSON comes out.

use serde::Serialize;

use crate::model::Game;
use crate::notation;
use crate::position::{Outcome, Position};
use crate::reference::Ply;

/// A game as it was played: each move with the position after it.
#[derive(Debug, Serialize)]
pub struct Record {
    /// The number of the game in its run, from 0.
    game: u64,
    start: String,
    moves: Vec<Move>,
    outcome: Option<Ended>,
}

#[derive(Debug, Serialize)]
struct Move {
    player: String,
    #[serde(rename = "move")]
    text: String,
    /// How many legal moves there were.
    legal: usize,
    /// The position after it.
    position: String,
}

#[derive(Debug, Serialize)]
struct Ended {
    /// Names; none is a draw.
    winners: Vec<String>,
    /// The place of the outcome in `end`, from 0.
    by: usize,
}

impl Record {
    pub fn new(number: u64, game: &Game, start: &Position) -> Record {
        Record { game: number, start: notation::position_text(game, start), moves: Vec::new(), outcome: None }
    }

    /// `chosen` of the plies listed in `before` led to `after`.
    pub fn push(&mut self, game: &Game, before: &Position, plies: &[Ply], chosen: usize, after: &Position) {
        let text = notation::ply_texts(game, plies).swap_remove(chosen);
        let player = game.player(before.chooser()).name.clone();
        self.moves.push(Move { player, text, legal: plies.len(), position: notation::position_text(game, after) });
    }

    pub fn end(&mut self, game: &Game, outcome: Option<Outcome>) {
        self.outcome = outcome.map(|outcome| {
            let winners = outcome.winners.iter().map(|player| game.player(player).name.clone()).collect();
            Ended { winners, by: outcome.by }
        });
    }

    pub fn line(&self) -> String {
        // Strings and numbers always serialise.
        serde_json::to_string(self).unwrap_or_default()
    }
}
