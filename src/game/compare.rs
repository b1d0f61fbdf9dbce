//! Comparison of games: two games go in; the declarations in which they differ come out, and a
//! position in which they play differently.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::check;
use crate::check::Settings;
use crate::game::shared::Read;
use crate::game::{Error, Game, Position};
use crate::model;
use crate::source::SourceId;

/// A declaration that two games do not share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Declared {
    /// `piece man`, `end`.
    pub name: String,
    /// What the first game says, and what the second; `None`: nothing.
    pub first: Option<String>,
    pub second: Option<String>,
}

/// How two games that were played in step parted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// The moves up to there, from the start.
    pub moves: Vec<String>,
    /// The position in each.
    pub first: String,
    pub second: String,
    pub how: Split,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// The positions differ: of the start, or behind the last move.
    Positions,
    /// Moves that are legal in one alone.
    Moves { first: Vec<String>, second: Vec<String> },
    /// How each came out; `None`: it goes on.
    Outcomes { first: Option<String>, second: Option<String> },
}

/// What was tried to tell two games apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Compared {
    pub games: u64,
    pub positions: u64,
    /// Cells of one board alone; `None`: the boards have the same cells.
    pub boards: Option<Boards>,
    pub parting: Option<Parting>,
    /// Where the games begin differently on the same cells: a position of the first, set up in the second as well, from which
    /// they go on differently.
    pub set_up: Option<Parting>,
}

/// Cells that one of two boards has alone, by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Boards {
    pub first: Vec<String>,
    pub second: Vec<String>,
}

/// Moves in one game that are tried.
const MOST_MOVES: usize = 400;

impl Game {
    /// The declarations that this game and another do not share, in the order of their texts: first
    /// those that stand in this one. Examples and what `about` says are left out.
    pub fn differing_declarations(&self, other: &Game) -> Vec<Declared> {
        let (first, second) = (declarations(self.model()), declarations(other.model()));
        let names = first.keys().chain(second.keys().filter(|name| !first.contains_key(*name)));
        let differing = names.filter(|name| first.get(*name) != second.get(*name));
        let plays = differing.filter(|name| *name != "about" && !name.starts_with("example "));
        plays
            .map(|name| Declared {
                name: name.clone(),
                first: first.get(name).cloned(),
                second: second.get(name).cloned(),
            })
            .collect()
    }

    /// Plays both games at random in step, with the same moves, until they part or so many games are
    /// over. If they begin differently on the same cells, positions of this game are set up in the other as well. By one seed the
    /// same is tried.
    ///
    /// ```
    /// let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
    /// let compared = game.compare(&game.clone(), 3, 0)?;
    /// assert_eq!((compared.games, compared.parting), (3, None));
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules of one of them.
    pub fn compare(&self, other: &Game, games: u64, seed: u64) -> Result<Compared, Error> {
        let boards = boards(self.model(), other.model());
        let mut compared = Compared { games: 0, positions: 0, boards, parting: None, set_up: None };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for number in 0..games {
            let (one, two) = (self.start(seed.wrapping_add(number))?, other.start(seed.wrapping_add(number))?);
            compared.games += 1;
            compared.parting = in_step(one, two, &mut rng, &mut compared.positions)?;
            if compared.parting.is_some() {
                break;
            }
        }
        let begin_differently = compared
            .parting
            .as_ref()
            .is_some_and(|parting| parting.moves.is_empty() && parting.how == Split::Positions);
        if begin_differently && compared.boards.is_none() {
            for number in 0..games {
                let one = self.start(seed.wrapping_add(number))?;
                compared.set_up = set_up(one, other, &mut rng, &mut compared.positions)?;
                if compared.set_up.is_some() {
                    break;
                }
            }
        }
        Ok(compared)
    }
}

fn declarations(game: &model::Game) -> indexmap::IndexMap<String, String> {
    let Some(file) = game.sources.get(SourceId(1)) else { return Default::default() };
    let settings = Settings { variant: game.variant.clone(), params: Vec::new() };
    let mut all = check::declarations(file.clone(), &Read(&game.sources), &settings).unwrap_or_default();
    // A param may have another value than its text says.
    for (name, value) in &game.params {
        let value = match value {
            model::Expr::Number(model::Number::Fixed(number)) => number.to_string(),
            model::Expr::Truth(model::Truth::Fixed(truth)) => truth.to_string(),
            _ => continue,
        };
        if let Some(text) = all.get_mut(&format!("param {name}")) {
            *text = format!("param {name} = {value}");
        }
    }
    all
}

/// Cells of one board alone; `None` if there are none.
fn boards(first: &model::Game, second: &model::Game) -> Option<Boards> {
    let names = |game: &model::Game| -> Vec<String> {
        game.topology.cells().map(|cell| game.topology.name(cell).to_string()).collect()
    };
    let (first, second) = (names(first), names(second));
    let only = |of: &[String], other: &[String]| -> Vec<String> {
        let other: BTreeSet<&String> = other.iter().collect();
        of.iter().filter(|name| !other.contains(name)).cloned().collect()
    };
    let boards = Boards { first: only(&first, &second), second: only(&second, &first) };
    (!boards.first.is_empty() || !boards.second.is_empty()).then_some(boards)
}

/// How two positions of the same text go on: what differs in outcome or moves.
fn split(one: &Position, two: &Position) -> Result<Option<Split>, Error> {
    if one.outcome().map(|outcome| outcome.winners) != two.outcome().map(|outcome| outcome.winners) {
        return Ok(Some(Split::Outcomes { first: one.outcome_text(), second: two.outcome_text() }));
    }
    let texts = |position: &Position| -> Result<BTreeSet<String>, Error> {
        Ok(position.legal_moves()?.iter().map(ToString::to_string).collect())
    };
    let (mine, theirs) = (texts(one)?, texts(two)?);
    let only = |of: &BTreeSet<String>, other: &BTreeSet<String>| of.difference(other).cloned().collect();
    Ok((mine != theirs).then(|| Split::Moves { first: only(&mine, &theirs), second: only(&theirs, &mine) }))
}

/// Plays a game on at random, and sets each of its positions up in another game, until they differ.
fn set_up(
    mut one: Position,
    other: &Game,
    rng: &mut Xoshiro256PlusPlus,
    positions: &mut u64,
) -> Result<Option<Parting>, Error> {
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < MOST_MOVES {
        let first = one.to_string();
        if let Ok(two) = other.position(&first) {
            *positions += 1;
            // What came before may count, so both are read. Where the rules come to a fault, as play would not have led there,
            // nothing is told.
            if let (Ok(one), second) = (one.game().position(&first), two.to_string())
                && let Ok(Some(how)) = split(&one, &two)
            {
                return Ok(Some(Parting { moves, first, second, how }));
            }
        }
        let legal = one.legal_moves()?;
        if legal.is_empty() {
            break;
        }
        let chosen = &legal[rng.random_range(0..legal.len())];
        moves.push(chosen.to_string());
        one.play(chosen)?;
    }
    Ok(None)
}

/// Two positions that are played on with the same moves, as long as nothing differs.
fn in_step(
    mut one: Position,
    mut two: Position,
    rng: &mut Xoshiro256PlusPlus,
    positions: &mut u64,
) -> Result<Option<Parting>, Error> {
    let mut moves: Vec<String> = Vec::new();
    loop {
        *positions += 1;
        let (first, second) = (one.to_string(), two.to_string());
        let parting =
            |how: Split| Some(Parting { moves: moves.clone(), first: first.clone(), second: second.clone(), how });
        if first != second {
            return Ok(parting(Split::Positions));
        }
        if let Some(how) = split(&one, &two)? {
            return Ok(parting(how));
        }
        let legal = one.legal_moves()?;
        let texts: Vec<String> = legal.iter().map(ToString::to_string).collect();
        if texts.is_empty() || moves.len() == MOST_MOVES {
            return Ok(None);
        }
        let chosen = rng.random_range(0..texts.len());
        one.play(&legal[chosen])?;
        two.play(&two.find_move(&texts[chosen])?)?;
        moves.push(texts[chosen].clone());
    }
}
