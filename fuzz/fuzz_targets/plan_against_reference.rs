//! Plan against reference: bytes choose the words of a game and the turns of a walk; both executors
//! list the same turns, with the same positions behind them.
#![no_main]

use std::convert::Infallible;

use libfuzzer_sys::fuzz_target;
use lusoria::Game;
use lusoria::interp::Engine;
use lusoria::notation;
use rand::TryRng;

#[path = "../../tests/common/author.rs"]
mod author;

/// Positions with more turns are not gone through.
const MOST_TURNS: usize = 200;
const MOST_PLIES: usize = 6;

/// The input as random numbers; where it ends, a counter goes on, so that whoever rejects what he
/// draws comes to an end.
struct Bytes<'a> {
    bytes: &'a [u8],
    beyond: u64,
}

impl TryRng for Bytes<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    /// One byte decides the highest bits, which say which of a few words it is.
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let Some((first, rest)) = self.bytes.split_first() else {
            self.beyond = self.beyond.wrapping_add(0x9e37_79b9_7f4a_7c15);
            return Ok(self.beyond);
        };
        self.bytes = rest;
        Ok(u64::from(*first) << 56 | u64::from(*first) << 24)
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        for byte in to {
            *byte = (self.try_next_u64()? >> 56) as u8;
        }
        Ok(())
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (walk, rules) = bytes.split_at(bytes.len().min(MOST_PLIES));
    let text = author::Author::new(Bytes { bytes: rules, beyond: 0 }).game();
    let Ok(game) = Game::from_source(&text).map(|game| game.without_plan()) else { return };
    let Ok(engine) = Engine::new(game.model()) else { return };
    let Ok(mut position) = game.start(0) else { return };
    for chosen in walk {
        let Some(moves) = compare(&game, &engine, &position, &text) else { return };
        if moves == 0 {
            return;
        }
        let Ok(turns) = position.legal_turns() else { return };
        if turns.is_empty() || position.play(&turns[usize::from(*chosen) % turns.len()]).is_err() {
            return;
        }
    }
});

/// How many turns there are; `None`: too many, or one of the executors meets a fault.
fn compare(game: &Game, engine: &Engine, position: &lusoria::Position, rules: &str) -> Option<usize> {
    let mut position = game.position(&position.to_string()).expect("it was written");
    let mut runner = engine.runner();
    assert!(runner.load(position.state()));
    let turns = position.legal_turns().ok()?;
    if turns.len() > MOST_TURNS {
        return None;
    }
    let mut expected = Vec::new();
    for turn in turns {
        position.play(&turn).ok()?;
        let text = notation::choices_text(game.model(), turn.written());
        expected.push(format!("{text}: {position} {:?}", position.state().outcome()));
        position.undo();
    }
    let tell = |turn: &lusoria::interp::Turn| {
        let text = notation::choices_text(game.model(), &turn.written);
        format!("{text}: {} {:?}", notation::position_text(game.model(), &turn.after), turn.outcome)
    };
    let mut found: Vec<String> = runner.turns().ok()?.iter().map(tell).collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{position}\n{rules}");
    Some(expected.len())
}
