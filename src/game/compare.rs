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
    pub parting: Option<Parting>,
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
    /// over. By one seed the same is tried.
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
        let mut compared = Compared { games: 0, positions: 0, parting: None };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for number in 0..games {
            let (one, two) = (self.start(seed.wrapping_add(number))?, other.start(seed.wrapping_add(number))?);
            compared.games += 1;
            compared.parting = in_step(one, two, &mut rng, &mut compared.positions)?;
            if compared.parting.is_some() {
                break;
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
        if one.outcome().map(|outcome| outcome.winners) != two.outcome().map(|outcome| outcome.winners) {
            return Ok(parting(Split::Outcomes { first: one.outcome_text(), second: two.outcome_text() }));
        }
        let legal = one.legal_moves()?;
        let texts: Vec<String> = legal.iter().map(ToString::to_string).collect();
        let mine: BTreeSet<String> = texts.iter().cloned().collect();
        let theirs: BTreeSet<String> = two.legal_moves()?.iter().map(ToString::to_string).collect();
        if mine != theirs {
            let only = |of: &BTreeSet<String>, other: &BTreeSet<String>| of.difference(other).cloned().collect();
            return Ok(parting(Split::Moves { first: only(&mine, &theirs), second: only(&theirs, &mine) }));
        }
        if texts.is_empty() || moves.len() == MOST_MOVES {
            return Ok(None);
        }
        let chosen = rng.random_range(0..texts.len());
        one.play(&legal[chosen])?;
        two.play(&two.find_move(&texts[chosen])?)?;
        moves.push(texts[chosen].clone());
    }
}
