//! Position text: a game's number and any text go in; what is read is written, and read again alike.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lusoria::Game;
use lusoria::shipped::Shipped;

static GAMES: LazyLock<Vec<Game>> =
    LazyLock::new(|| Shipped.games().iter().filter_map(|game| Game::shipped(game.stem)).collect());

fuzz_target!(|input: (u8, &str)| {
    let game = &GAMES[usize::from(input.0) % GAMES.len()];
    let Ok(mut position) = game.position(input.1) else { return };
    let text = position.to_string();
    let again = game.position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(again.to_string(), text);
    assert_eq!(again.outcome(), position.outcome(), "{text}");
    // Whoever reads a position goes on with it.
    if let Ok(moves) = position.legal_moves()
        && let Some(first) = moves.first()
    {
        let _ = position.play(first);
    }
});
