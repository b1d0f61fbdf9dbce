//! Positions with keys, walks and counts from them.

use lusoria::{Game, Position};

use super::{board, game};

/// A position from men and the words behind the player.
pub fn with_keys(game: &Game, men: &str, to_move: &str, keys: &str) -> Position {
    let text = format!("{} {to_move} {keys}", board(game, men));
    game.position(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
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
