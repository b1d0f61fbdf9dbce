//! Sample games: a game as it is played goes in; what measures are taken from comes out.

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Player};
use crate::game::{Error, Game, Move, Position};
use crate::position as state;

/// The cells on which an enemy's man was on top, and is not any more: captured, also by a man who came to stand there, or
/// turned over.
fn captured(position: &Position, before: &state::Position, after: &state::Position, mover: Player) -> Vec<usize> {
    let model = position.game().model();
    let enemies = model.enemies(mover);
    let owner = |at: &state::Position, cell| at.top(cell).and_then(|man| man.owner);
    let is_lost = |cell: &Cell| {
        let was = owner(before, *cell).filter(|owner| enemies.contains(*owner));
        was.is_some() && owner(after, *cell) != was
    };
    // A man of the enemy whom a move takes elsewhere is not lost.
    let count = |at: &state::Position| enemies.iter().map(|player| at.of(player).len()).sum::<usize>();
    if count(after) >= count(before) {
        return Vec::new();
    }
    model.topology.cells().filter(is_lost).map(|cell| cell.index()).collect()
}

/// A game that was played to be measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Sample {
    /// The position that it began with, as text.
    pub start: String,
    pub plies: Vec<Ply>,
    pub turns: u64,
    /// The seats of the winners, none for a draw; `None`: it was given up.
    pub winners: Option<Vec<usize>>,
}

/// A ply of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ply {
    pub text: String,
    /// The seat of who chose it; `None`: chance.
    pub chooser: Option<usize>,
    /// How many turns were over before it.
    pub turn: u64,
    /// How many plies were legal.
    pub legal: usize,
    /// How likely the first seat was thought to win before it, from 0 to 1, where that is known.
    #[serde(with = "exact")]
    pub value: Option<f64>,
    /// The cells where men came to stand, and those where men were captured or turned over.
    pub reached: Vec<usize>,
    pub captured: Vec<usize>,
}

/// A number by its bits: readers of JSON may round a fraction.
mod exact {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
        value.map(f64::to_bits).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(f64::from_bits))
    }
}

impl Sample {
    pub fn begin(position: &Position) -> Sample {
        Sample { start: position.to_string(), ..Sample::default() }
    }

    /// Plays a move, and notes it. `value` is what its chooser thinks of his prospects, from 0 to 1.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play(&mut self, position: &mut Position, played: &Move, value: Option<f64>) -> Result<(), Error> {
        let by_chance = played.probability().is_some();
        let chooser = position.choosing();
        let (legal, turn) = (position.legal_moves()?.len(), u64::from(position.state().turns()));
        let (before, mover) = (position.now()?, position.mover());
        position.play(played)?;
        let marks = position.marks_behind(&before, Some(played), mover)?;
        let captured = captured(position, &before, &position.now()?, mover);
        let is_duel = position.game().players().len() == 2;
        let of_first = |value: f64| if chooser == Player(0) { value } else { 1.0 - value };
        self.plies.push(Ply {
            text: played.to_string(),
            chooser: (!by_chance).then(|| chooser.index()),
            turn,
            legal,
            value: value.filter(|_| is_duel).map(of_first),
            reached: marks.last.iter().map(|cell| cell.index()).collect(),
            captured,
        });
        Ok(())
    }

    /// Notes how it ended.
    pub fn end(&mut self, position: &Position) {
        self.turns = u64::from(position.state().turns());
        let seats = position.game().players().len();
        let wins = |seat: &usize| position.payoff(Player(*seat as u8)) == Some(1.0);
        self.winners = position.is_over().then(|| (0..seats).filter(wins).collect());
    }

    /// What a seat got: 1 for a win, 0 for a loss, one half for a draw or a game that was given up.
    pub fn points(&self, seat: usize) -> f64 {
        match &self.winners {
            Some(winners) if winners.contains(&seat) => 1.0,
            Some(winners) if !winners.is_empty() => 0.0,
            _ => 0.5,
        }
    }

    /// How likely the first of two seats was thought to win before each ply, and what it got in the end. None where some
    /// ply was not thought about, or the game was given up.
    pub fn prospects(&self) -> Option<Vec<f64>> {
        self.winners.as_ref()?;
        let mut values = Vec::new();
        for (at, ply) in self.plies.iter().enumerate() {
            // What chance changes shows when the next player thinks.
            let by_chance = || values.last().copied().or_else(|| self.plies[at..].iter().find_map(|ply| ply.value));
            values.push(if ply.chooser.is_none() { by_chance()? } else { ply.value? });
        }
        values.push(self.points(0));
        (values.len() > 1).then_some(values)
    }

    /// The position behind so many plies, and the one before it with the move between them.
    pub fn position(&self, game: &Game, plies: usize) -> Option<(Position, Option<(Position, Move)>)> {
        let (mut position, mut last) = (game.position(&self.start).ok()?, None);
        for ply in self.plies.iter().take(plies) {
            let found = position.find_move(&ply.text).ok()?;
            let before = position.clone();
            position.play(&found).ok()?;
            last = Some((before, found));
        }
        Some((position, last))
    }
}
