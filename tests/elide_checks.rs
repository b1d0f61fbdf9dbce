//! Conditions that are asked only of moves that may change them: the same moves are counted whether
//! they are spared or not, and by the reference executor.

use lusoria::interp::Engine;
use lusoria::plan::{Pass, PassSet};

use crate::common::{fen, game};

/// Counts from each position to three turns, two of them by the reference executor too.
fn the_same(name: &str, positions: &[String]) {
    let game = game(name);
    let all = PassSet::ALL;
    let plain = all.without(Pass::Vectorize).without(Pass::CountBound);
    let passes = [all, all.without(Pass::ElideChecks), plain, all.without(Pass::AttackFilter)];
    let mut runners: Vec<_> = passes.iter().map(|it| Engine::with(game.model(), *it).unwrap().runner()).collect();
    for text in positions {
        let position = game.position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut counts: Vec<Vec<u64>> = Vec::new();
        for runner in &mut runners {
            assert!(runner.load(position.state()), "{text}");
            counts.push((1..=3).map(|depth| runner.perft(depth, false).unwrap()).collect());
        }
        assert_eq!(counts[0], counts[1], "spared or not: {text}");
        assert_eq!(counts[0], counts[2], "in rows or not: {text}");
        assert_eq!(counts[0], counts[3], "by cell or not: {text}");
        assert_eq!(counts[0][0], position.perft(1).unwrap(), "{text}");
        assert_eq!(counts[0][1], position.perft(2).unwrap(), "{text}");
    }
}

#[test]
fn chess() {
    let positions = [
        // Pinned along a file and a diagonal; each may move along its line.
        "4k3/8/8/b7/4r3/8/3PRP2/4K3 w - - 0 1",
        "4k3/8/8/8/1b6/2B5/8/4K2r w - - 0 1",
        // Two men between: either may leave.
        "4k3/8/4r3/8/4P3/4N3/8/4K3 w - - 0 1",
        // A pawn caught in passing uncovers the king along the rank, and along a diagonal.
        "7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
        "7k/b7/8/2pP4/8/4K3/8/8 w - c6 0 1",
        // In check from one man, and from two.
        "4k3/8/8/8/8/8/3P1P2/r3K2R w K - 0 1",
        "4k3/8/8/8/1b2r3/8/8/4K2R w K - 0 1",
        // Pawns that become other men, pinned and free.
        "1r2k3/P1P5/8/8/8/8/8/K7 w - - 0 1",
        "r6k/1P6/K7/8/8/8/p7/1N6 w - - 0 1",
        "3rk3/8/8/8/8/8/3p4/K1R5 b - - 0 1",
        // A knight near the king, and kings that face each other.
        "8/8/8/3k4/8/3K4/4n3/8 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        // No king, and two: neither may be left in check.
        "4k3/8/8/8/1n6/8/3P4/R6R w - - 0 1",
        "4k2k/8/8/3n4/8/6p1/3P4/K3K2R w - - 0 1",
    ];
    let positions: Vec<String> = positions.iter().map(|text| fen::chess(text)).collect();
    the_same("chess", &positions);
    the_same("chess960", &positions);
}

#[test]
fn xiangqi() {
    let positions = [
        // One man between the generals, and two.
        "4k4/9/9/9/4N4/9/9/9/9/4K4 w",
        "4k4/9/9/4p4/9/4P4/9/9/9/4K4 w",
        // A cannon with nothing, one man or two before it: nobody may come between, leave, or leave
        // alone.
        "3k5/9/9/4c4/9/9/9/9/R7R/4K4 w",
        "3k5/9/9/4c4/9/9/4R4/9/9/4K4 b",
        "3k5/9/9/4c4/9/4P4/9/4R4/9/4K4 w",
        "3k5/9/4c4/9/4N4/4P4/9/4R4/9/4K4 w",
        // The screen moves along the line, or is caught by the man behind it.
        "3k5/4c4/9/9/4R4/9/4p4/9/9/4K4 w",
        // Legs of horses, kept and given up.
        "3k5/9/9/9/9/9/9/3n5/3AR4/4K4 w",
        "3k5/9/9/9/9/9/9/5n3/4NA3/4K4 w",
        "3k1a3/4a4/9/9/9/2n6/9/1R2C4/4A4/2BAK1B2 w",
        // In check by two cannons in a row, and by a chariot.
        "3k5/4c4/9/9/4c4/9/9/9/4A4/4KA3 w",
        "3k5/9/9/9/9/9/9/4r4/9/3AKA3 w",
        // Generals far from home, where elephants, advisors and soldiers of the other side may
        // attack them; none at all, and two.
        "3a1b3/4K4/9/9/9/9/9/9/9/4k4 w",
        "9/9/9/2b3b2/4K4/3pp4/9/9/4k4/9 w",
        "4k4/9/9/9/9/4n4/9/9/4C4/3RA4 w",
        "3k1k3/9/4n4/9/4c4/9/9/3n5/4A4/3K1K3 w",
    ];
    let positions: Vec<String> = positions.iter().map(|text| fen::xiangqi(text)).collect();
    the_same("xiangqi", &positions);
}
