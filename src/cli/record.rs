//! Game records: a played game goes in, turn by turn; one line of JSON comes out.

use serde::Serialize;

use crate::interp::{TracedPart, TracedTurn};
use crate::model::Game;
use crate::notation;
use crate::position::{Fault, Outcome, Position, Written};
use crate::reference::{Executor, PlayError, Ply};

/// A game as it was played: each move with the position after it.
#[derive(Debug, Serialize)]
pub struct Record {
    /// The number of the game in its run, from 0.
    game: u64,
    /// The seed of the run.
    seed: u64,
    start: String,
    moves: Vec<Move>,
    outcome: Option<Ended>,
    /// Moves have the positions behind them.
    #[serde(skip)]
    positions: bool,
    #[serde(skip)]
    replay: Replay,
}

#[derive(Debug, Serialize)]
struct Move {
    /// `null`: chance has chosen.
    player: Option<String>,
    #[serde(rename = "move")]
    text: String,
    /// How many legal moves there were.
    legal: usize,
    /// The position after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
}

#[derive(Debug, Serialize)]
struct Ended {
    /// Names; none is a draw.
    winners: Vec<String>,
    /// The place of the outcome in `end`, from 0.
    by: usize,
}

/// The same game, played by the reference executor. It is behind: it plays on only where turns are
/// written alike, as it alone tells them apart.
#[derive(Debug)]
struct Replay {
    position: Position,
    /// The turns that it is behind: what was written, and the fingerprint of where it led.
    behind: Vec<(Vec<Written>, u128)>,
}

impl Record {
    /// The game of a number and the seed of its run.
    pub fn new((number, seed): (u64, u64), game: &Game, start: &Position, positions: bool) -> Record {
        Record {
            game: number,
            seed,
            start: notation::position_text(game, start),
            moves: Vec::new(),
            outcome: None,
            positions,
            replay: Replay { position: start.clone(), behind: Vec::new() },
        }
    }

    /// `chosen` of the plies listed in `before` led to `after`.
    pub fn push(&mut self, game: &Game, before: &Position, plies: &[Ply], chosen: usize, after: &Position) {
        let text = notation::ply_texts(game, plies).swap_remove(chosen);
        let by_chance = plies[chosen].probability.is_some();
        let chooser = before.chooser().filter(|_| !by_chance);
        let player = chooser.map(|player| game.player(player).name.clone());
        let position = self.position(game, after);
        self.moves.push(Move { player, text, legal: plies.len(), position });
    }

    fn position(&self, game: &Game, after: &Position) -> Option<String> {
        self.positions.then(|| notation::position_text(game, after))
    }

    /// A turn led from one position to another.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn push_traced(
        &mut self,
        game: &Game,
        executor: &mut Executor,
        turn: &TracedTurn,
        (before, after): (&Position, &Position),
    ) -> Result<(), PlayError> {
        let written = turn.played.and_then(|played| turn.written.get(played)).ok_or(PlayError::NotAMove)?;
        let text = notation::choices_text(game, written);
        // Two groups may have the same ends.
        let has_group = |one: &[Written]| one.iter().any(|part| matches!(part, Written::Group(_)));
        let reads_alike =
            |other: &Vec<Written>| other == written || has_group(other) && notation::choices_text(game, other) == text;
        let is_alike = turn.written.iter().filter(|other| reads_alike(other)).count() > 1;
        self.replay.behind.push((written.clone(), after.fingerprint()));
        let text = if is_alike { self.replay.catch_up(game, executor)? } else { text };
        let player = Some(game.player(before.to_move()).name.clone());
        let position = self.position(game, after);
        self.moves.push(Move { player, text, legal: turn.written.len(), position });
        Ok(())
    }

    /// Adds the moves of a turn in which chance chooses, from what its parts wrote and the fingerprint that it came to; the
    /// position is behind it then. Each is shown, with the positions before and behind it.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn push_parts(
        &mut self,
        game: &Game,
        executor: &mut Executor,
        position: &mut Position,
        (parts, reached): (&[TracedPart], u128),
        mut see: impl FnMut(&mut Executor, &[Ply], usize, (&Position, &Position)) -> Result<(), Fault>,
    ) -> Result<(), PlayError> {
        let mut written = Vec::new();
        for part in parts {
            let played = part.played.and_then(|played| part.written.get(played)).ok_or(PlayError::NotAMove)?;
            written.extend(played.iter().cloned());
        }
        for Step { before, plies, chosen, .. } in find_plies(game, executor, position, (&written, reached))? {
            executor.play(game, position, &plies[chosen])?;
            self.push(game, &before, &plies, chosen, position);
            see(executor, &plies, chosen, (&before, position))?;
        }
        Ok(())
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

/// Positions within a turn that are looked at to find its plies: more are there only if many plies are written alike.
const MAX_POSITIONS_OF_TURN: usize = 20_000;

/// The plies of a position, of which one is tried after the other.
struct Step {
    before: Position,
    plies: Vec<Ply>,
    /// Those that are not tried yet, the next one last.
    left: Vec<usize>,
    chosen: usize,
    /// How much of the turn was written before.
    from: usize,
}

impl Step {
    fn new(
        game: &Game,
        executor: &mut Executor,
        mut before: Position,
        (written, from): (&[Written], usize),
    ) -> Result<Step, Fault> {
        let plies = executor.plies(game, &mut before)?;
        let rest = &written[from..];
        // Where nothing is left to choose, one ply ends the turn; it is written as chance chose before it.
        let only = rest.is_empty() && plies.len() == 1;
        let mut left: Vec<usize> =
            (0..plies.len()).filter(|&at| only || begins_with(rest, &plies[at].written)).collect();
        // Of plies of which one begins as another does, mostly the longest is meant: chance stops choosing only before a player.
        left.sort_by_key(|&at| plies[at].written.len());
        Ok(Step { before, plies, left, chosen: 0, from })
    }
}

/// The plies that are written so together, end the turn and lead to a position of this fingerprint. Plies that are written
/// alike may lead to different ones, so it goes back where one comes to nothing.
fn find_plies(
    game: &Game,
    executor: &mut Executor,
    position: &Position,
    (written, reached): (&[Written], u128),
) -> Result<Vec<Step>, PlayError> {
    let (mut steps, mut looked_at) = (vec![Step::new(game, executor, position.clone(), (written, 0))?], 0);
    while let Some(step) = steps.last_mut().filter(|_| looked_at < MAX_POSITIONS_OF_TURN) {
        let Some(chosen) = step.left.pop() else {
            steps.pop();
            continue;
        };
        step.chosen = chosen;
        let ply = &step.plies[chosen];
        let to = (step.from + ply.written.len()).min(written.len());
        if !ply.ends_turn {
            let mut after = step.before.clone();
            executor.play(game, &mut after, ply)?;
            steps.push(Step::new(game, executor, after, (written, to))?);
            looked_at += 1;
        } else if to == written.len() && ply.fingerprint == reached {
            return Ok(steps);
        }
    }
    Err(PlayError::NotAMove)
}

/// Whether choices that a plan has told begin with those of a ply: a plan does not tell who chose.
fn begins_with(told: &[Written], ply: &[Written]) -> bool {
    let alike = |(told, written): (&Written, &Written)| match written {
        Written::Chance(chosen) => told == &**chosen,
        written => told == written,
    };
    told.len() >= ply.len() && told.iter().zip(ply).all(alike)
}

impl Replay {
    /// Plays the turns that it is behind; the text of the last one.
    fn catch_up(&mut self, game: &Game, executor: &mut Executor) -> Result<String, PlayError> {
        let mut text = String::new();
        let (mut behind, position) = (std::mem::take(&mut self.behind).into_iter().peekable(), &mut self.position);
        while let Some((written, reached)) = behind.next() {
            let plies = executor.plies(game, position)?;
            let is_it = |ply: &Ply| ply.fingerprint == reached && ply.written == written;
            let chosen = plies.iter().position(is_it).ok_or(PlayError::NotAMove)?;
            if behind.peek().is_none() {
                text = notation::ply_texts(game, &plies).swap_remove(chosen);
            }
            executor.play(game, position, &plies[chosen])?;
            position.forget();
        }
        Ok(text)
    }
}
