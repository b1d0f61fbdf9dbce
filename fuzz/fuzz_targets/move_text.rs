//! Move text: a game's number and lines of moves go in; what is no move changes nothing.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use lusoria::Game;
use lusoria::shipped::Shipped;

static GAMES: LazyLock<Vec<Game>> =
    LazyLock::new(|| Shipped.games().iter().filter_map(|game| Game::shipped(game.stem)).collect());

fuzz_target!(|input: (u8, &str)| {
    let game = &GAMES[usize::from(input.0) % GAMES.len()];
    let mut position = game.start(0).expect("shipped games are set up");
    for line in input.1.lines().take(20) {
        let before = position.to_string();
        match position.play_text(line) {
            Ok(()) => {
                assert!(position.undo(), "{line}");
                assert_eq!(position.to_string(), before, "{line}");
                position.play_text(line).expect("it was played");
            }
            Err(_) => assert_eq!(position.to_string(), before, "{line}"),
        }
    }
});
