//! Positions kept as data: which turns they have, and what some of them lead to.

use std::collections::BTreeMap;

use lusoria::{Game, Position};
use serde::Deserialize;

use super::{board, game, project};

/// A position; `men` as `at` takes them, `keys` as a position's text has them behind the player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    game: String,
    name: String,
    men: String,
    to_move: String,
    #[serde(default)]
    keys: String,
    /// All whole turns, in any order.
    moves: Vec<String>,
    #[serde(default)]
    after: BTreeMap<String, After>,
}

/// What a turn leads to. Without a winner the game goes on, the empty one is a draw.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    men: String,
    #[serde(default)]
    keys: String,
    winner: Option<String>,
}

/// Holds a game to all its cases in `tests/data/FILE.json`; one named `start` is the set-up too.
pub fn holds(file: &str, name: &str) {
    let text = std::fs::read_to_string(project(&format!("tests/data/{file}.json"))).unwrap();
    let cases: Vec<Case> = serde_json::from_str(&text).unwrap();
    let game = game(name);
    let mut met = 0;
    for case in cases.iter().filter(|case| case.game == name) {
        met += 1;
        case.holds(&game);
    }
    assert!(met > 0, "no cases of {name}");
}

impl Case {
    fn holds(&self, game: &Game) {
        let context = format!("{}, {}", self.game, self.name);
        let mut position = with_keys(game, &self.men, &self.to_move, &self.keys);
        if self.name == "start" {
            assert_eq!(position.to_string(), game.start(0).unwrap().to_string(), "{context}");
        }
        let mut expected = self.moves.clone();
        expected.sort();
        assert_eq!(turns(&mut position), expected, "{context}");
        for (text, after) in &self.after {
            let mut position = position.clone();
            play_turn(&mut position, text);
            let expected = with_keys(game, &after.men, position.to_move(), &after.keys);
            assert_eq!(position.to_string(), expected.to_string(), "{context}: {text}");
            let winner = position.outcome().map(|outcome| outcome.winners.join(" "));
            assert_eq!(winner, after.winner, "{context}: {text}");
        }
    }
}

/// A position from men and the words behind the player.
pub fn with_keys(game: &Game, men: &str, to_move: &str, keys: &str) -> Position {
    let text = format!("{} {to_move} {keys}", board(game, men));
    game.position(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The texts of the whole turns, sorted.
pub fn turns(position: &mut Position) -> Vec<String> {
    let mut texts: Vec<_> = position.legal_turns().unwrap().iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

/// Plays a whole turn, whatever its plies are.
pub fn play_turn(position: &mut Position, text: &str) {
    let turns = position.legal_turns().unwrap();
    let turn = turns.iter().find(|turn| turn.to_string() == text);
    let turn = turn.unwrap_or_else(|| panic!("{position}: no {text} among {turns:?}"));
    position.play(turn).unwrap_or_else(|error| panic!("{position}: {text}: {error}"));
}

/// Plays moves one by one; none but the last ends the game. Its winners, if it ended: none is a
/// draw.
pub fn play_all(position: &mut Position, moves: &str) -> Option<String> {
    for text in moves.split_whitespace() {
        assert!(position.outcome().is_none(), "over before {text}");
        position.play_text(text).unwrap_or_else(|error| panic!("{position}: {text}: {error}"));
    }
    position.outcome().map(|outcome| outcome.winners.join(" "))
}

/// Whole turns to each depth from the start.
pub fn perft(name: &str, counts: &[u64]) {
    let mut start = game(name).start(0).unwrap();
    counts_are(&mut start, counts);
}

/// Whole turns to each depth.
pub fn counts_are(position: &mut Position, counts: &[u64]) {
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(position.perft(depth).unwrap(), *count, "{}: {position}, depth {depth}", position.game().name());
    }
}
