//! Perft numbers that take too long for every day: `cargo test --release deep -- --ignored`.
//! Sources as beside the shallower ones.

use crate::common::{fen, game};

/// Whole turns to one depth from the start.
fn perft(name: &str, depth: u32, count: u64) {
    assert_eq!(game(name).start(0).unwrap().perft(depth).unwrap(), count, "{name}");
}

#[test]
#[ignore = "minutes"]
fn deep_chess_like() {
    perft("chess", 4, 197_281);
    perft("xiangqi", 4, 3_290_240);
    perft("congo", 5, 9_404_326);
    let crowded = "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w";
    for (men, count) in [(crowded, 4_485_547), ("4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w", 92_741)] {
        assert_eq!(game("xiangqi").position(&fen::xiangqi(men)).unwrap().perft(4).unwrap(), count, "{men}");
    }
    let middle = fen::chess("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    assert_eq!(game("chess").position(&middle).unwrap().perft(3).unwrap(), 89_890);
    let kiwipete = fen::chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for name in ["chess960", "chess960:traditional castling"] {
        assert_eq!(game(name).position(&kiwipete).unwrap().perft(3).unwrap(), 97_862, "{name}");
    }
}

/// Reference; forced removal agrees with Ludii's Nine Men's Morris.
#[test]
#[ignore = "minutes"]
fn deep_mills() {
    perft("nine_mens_morris:forced removal", 5, 5_140_800);
    perft("nine_mens_morris", 5, 5_181_120);
}

#[test]
#[ignore = "minutes"]
fn deep_draughts() {
    perft("croda", 5, 3_624_616);
    perft("dameo", 4, 6_253_934);
}

#[test]
#[ignore = "minutes"]
fn deep_stacks() {
    perft("pilare", 4, 12_706_032);
    perft("pilare:8x8", 3, 678_224);
    perft("focus", 4, 19_521_582);
    perft("explocus", 4, 2_016_312);
    perft("explocus:checkered", 3, 203_912);
    perft("explocus:checkered", 4, 11_563_508);
    perft("explocus:8x8", 3, 139_048);
    perft("explocus:hexplocus", 3, 122_600);
}
