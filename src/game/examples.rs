//! Examples: those of a game go in; what does not hold comes out.

use std::collections::BTreeSet;

use crate::game::{Error, Game, Move, Position};
use crate::model::{Claim, Example};
use crate::notation::NotationErrorKind;
use crate::source::Span;

/// A claim of an example that does not hold.
#[derive(Clone, Debug)]
pub struct FailedExample {
    /// The example's title.
    pub title: String,
    /// The place of the claim.
    pub span: Span,
    /// What was expected, and what came.
    pub message: String,
    /// Where it was asked; `None` if the game could not be set up.
    pub position: Option<Position>,
    /// The move that is legal and should not be, or is not and should be: [`Position::why`] tells why.
    pub asked: Option<String>,
}

/// Turns that the count of one claim may come to: with a plan they take about a second.
const MOST_TURNS: u64 = 1_000_000;

impl Game {
    /// Holds the game to the examples of its rules: what fails, at most one claim of each.
    ///
    /// ```
    /// let text = r#"game "Row" {
    ///   players A, B   board square 3 by 1   piece stone
    ///   move { pick c from empty   place stone on c }
    ///   end { win if stuck(enemy) }
    ///   example "the middle is free" { legal "b1"   perft 3 6 }
    ///   example "nobody takes a place twice" { play "b1"   legal "b1" }
    /// }"#;
    /// let failed = lusoria::Game::from_source(text)?.failed_examples();
    /// assert_eq!(failed.len(), 1);
    /// assert_eq!(failed[0].message, "`b1` is expected to be legal: it is not");
    /// # Ok::<(), lusoria::LoadError>(())
    /// ```
    pub fn failed_examples(&self) -> Vec<FailedExample> {
        (0..self.model().examples.len()).filter_map(|index| self.failed_example(index)).collect()
    }

    /// How the example with an index fails, if it does.
    pub(crate) fn failed_example(&self, index: usize) -> Option<FailedExample> {
        let example = self.model().examples.get(index)?;
        Attempt::new(self, example).run().err()
    }
}

/// An example as far as it has been followed.
struct Attempt<'g> {
    game: &'g Game,
    example: &'g Example,
    position: Option<Position>,
    /// What the last move caught.
    caught: Vec<String>,
    span: Span,
}

impl<'g> Attempt<'g> {
    fn new(game: &'g Game, example: &'g Example) -> Attempt<'g> {
        Attempt { game, example, position: None, caught: Vec::new(), span: example.span }
    }

    fn run(mut self) -> Result<(), FailedExample> {
        for (claim, span) in &self.example.claims {
            self.span = *span;
            self.hold(claim)?;
        }
        Ok(())
    }

    fn failed(&self, message: String) -> FailedExample {
        let title = self.example.title.clone();
        FailedExample { title, span: self.span, message, position: self.position.clone(), asked: None }
    }

    /// The same for a move whose reasons can be asked for.
    fn failed_move(&self, text: &str, message: String) -> FailedExample {
        FailedExample { asked: Some(text.to_string()), ..self.failed(message) }
    }

    fn told<T>(&self, what: &str, result: Result<T, Error>) -> Result<T, FailedExample> {
        result.map_err(|error| self.failed(format!("{what}: {error}")))
    }

    /// The position that the example has come to; first the set-up.
    fn here(&mut self) -> Result<Position, FailedExample> {
        if self.position.is_none() {
            self.position = Some(self.told("the game cannot be set up", self.game.start(0))?);
        }
        self.position.clone().ok_or_else(|| self.failed("the game cannot be set up".into()))
    }

    fn hold(&mut self, claim: &Claim) -> Result<(), FailedExample> {
        match claim {
            Claim::Position(text) => {
                self.position = Some(self.told("this is no position of the game", self.game.position(text))?);
                self.caught.clear();
                Ok(())
            }
            Claim::Play(moves) => moves.iter().try_for_each(|text| self.play(text)),
            Claim::Legal { only, moves } => self.legal(*only, moves),
            Claim::Illegal(moves) => {
                let here = self.here()?;
                for text in moves {
                    if self.meant(&here, text)?.is_some() {
                        let message = format!("`{text}` is expected to be illegal: it is a legal move");
                        return Err(self.failed_move(text, message));
                    }
                }
                Ok(())
            }
            Claim::Caught(cells) => {
                let sorted = |cells: &[String]| cells.iter().cloned().collect::<BTreeSet<String>>();
                let (wanted, found) = (sorted(cells), sorted(&self.caught));
                let message = format!("expected to be caught: {}; it was {}", list(&wanted), list(&found));
                if wanted == found { Ok(()) } else { Err(self.failed(message)) }
            }
            Claim::Gives(text) => {
                let here = self.here()?;
                let wanted = self.told("this is no position of the game", self.game.position(text))?;
                let (wanted, found) = (wanted.to_string(), here.to_string());
                let message = format!("the position is expected to be `{wanted}`: it is `{found}`");
                if wanted == found { Ok(()) } else { Err(self.failed(message)) }
            }
            Claim::Perft(counts) => self.perft(counts),
            Claim::Wins(players) => self.outcome(Some(players.iter().cloned().collect())),
            Claim::Draw => self.outcome(Some(BTreeSet::new())),
            Claim::GoesOn => self.outcome(None),
        }
    }

    /// The legal move that a text means; `None` if there is no such move.
    fn meant(&self, here: &Position, text: &str) -> Result<Option<Move>, FailedExample> {
        match here.find_move(text) {
            Ok(found) => Ok(Some(found)),
            Err(Error::NotAMove) => Ok(None),
            Err(Error::Notation(error))
                if matches!(error.kind, NotationErrorKind::UnknownMove { .. } | NotationErrorKind::NoMoves) =>
            {
                Ok(None)
            }
            Err(error) => self.told(&format!("whether `{text}` is legal cannot be told"), Err(error)),
        }
    }

    fn play(&mut self, text: &str) -> Result<(), FailedExample> {
        let mut here = self.here()?;
        let made: Move = match here.find_move(text) {
            Ok(made) => made,
            Err(_) if here.is_over() => {
                let how = here.outcome_text().unwrap_or_default();
                return Err(self.failed(format!("`{text}` is expected to be played: the game is over, {how}")));
            }
            Err(error) => {
                return Err(self.failed_move(text, format!("`{text}` is expected to be played: {error}")));
            }
        };
        let caught = self.told("the move goes wrong", made.captures())?;
        self.caught = caught.into_iter().map(|cell| self.game.cell_name(cell).to_string()).collect();
        self.told("the move goes wrong", here.play(&made))?;
        self.position = Some(here);
        Ok(())
    }

    fn legal(&mut self, only: bool, moves: &[String]) -> Result<(), FailedExample> {
        let here = self.here()?;
        let listed = self.told("the moves cannot be listed", here.legal_moves())?;
        let listed: BTreeSet<String> = listed.iter().map(ToString::to_string).collect();
        let mut expected = BTreeSet::new();
        for text in moves {
            // Most are written as the game writes them: then nothing need be read.
            if listed.contains(text) {
                expected.insert(text.clone());
                continue;
            }
            match self.meant(&here, text)? {
                Some(found) => expected.insert(found.to_string()),
                None => {
                    return Err(self.failed_move(text, format!("`{text}` is expected to be legal: it is not")));
                }
            };
        }
        if !only {
            return Ok(());
        }
        let others: BTreeSet<String> = listed.difference(&expected).cloned().collect();
        let Some(one) = others.first() else { return Ok(()) };
        let what = if moves.is_empty() { "no move" } else { "no other move" };
        Err(self.failed_move(one, format!("{what} is expected to be legal: there is {}", list(&others))))
    }

    fn perft(&mut self, counts: &[i64]) -> Result<(), FailedExample> {
        let here = self.here()?;
        for (depth, expected) in (1..).zip(counts) {
            let turns = if depth == 1 { "turn" } else { "turns" };
            let expected = u64::try_from(*expected).unwrap_or(0);
            if expected > MOST_TURNS {
                return Err(self.failed(format!(
                    "perft of {depth} {turns} is {expected}: an example counts up to {MOST_TURNS}; `lusoria perft` counts more"
                )));
            }
            let found = self.told("the turns cannot be counted", count(&here, depth, expected))?;
            if found != expected {
                let more = if found > expected && depth > 1 { " or more" } else { "" };
                return Err(
                    self.failed(format!("perft of {depth} {turns} is expected to be {expected}: it is {found}{more}"))
                );
            }
        }
        Ok(())
    }

    /// Who has won; nobody in a draw, `None` while the game goes on.
    fn outcome(&mut self, expected: Option<BTreeSet<String>>) -> Result<(), FailedExample> {
        let here = self.here()?;
        // A position without outcome may be one in which the player to move is stuck.
        self.told("the moves cannot be listed", here.legal_moves())?;
        let found = here.outcome().map(|outcome| outcome.winners.into_iter().collect::<BTreeSet<String>>());
        if found == expected {
            return Ok(());
        }
        let words = |outcome: &Option<BTreeSet<String>>| match outcome {
            None => String::from("the game goes on"),
            Some(winners) if winners.is_empty() => String::from("the game is drawn"),
            Some(winners) => format!("{} wins", winners.iter().cloned().collect::<Vec<_>>().join(" and ")),
        };
        let came = here.outcome_text().unwrap_or_else(|| words(&found));
        Err(self.failed(format!("it is expected that {}: {came}", words(&expected))))
    }
}

/// Perft, as far as it takes to know that there is more than `most`.
fn count(position: &Position, depth: u32, most: u64) -> Result<u64, Error> {
    if depth <= 1 {
        return position.perft(depth);
    }
    let mut found = 0;
    for made in position.legal_moves()? {
        let mut next = position.clone();
        next.play(&made)?;
        // Where the rules cut turns, a move may be a part of one.
        let left = depth - u32::from(made.ends_turn());
        found += count(&next, left, most.saturating_sub(found))?;
        if found > most {
            break;
        }
    }
    Ok(found)
}

/// Names in words; a long list is cut off.
fn list(names: &BTreeSet<String>) -> String {
    const MOST: usize = 12;
    let mut words: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => return String::from("nothing"),
        len if len > MOST => words.push(format!("and {} more", len - MOST)),
        _ => {}
    }
    words.join(", ")
}
