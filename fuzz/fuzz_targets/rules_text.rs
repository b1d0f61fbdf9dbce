//! Rules text: any bytes go in; mistakes or a game that can be planned and set up come out.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lusoria::Game;
use lusoria::interp::Engine;

fuzz_target!(|text: &str| {
    match Game::from_source(text) {
        Ok(game) => {
            let _ = Engine::new(game.model());
            let _ = game.start(0).map(|position| position.to_string());
        }
        Err(mistakes) => {
            // What is told can be shown.
            let _ = mistakes.to_string();
        }
    }
});
