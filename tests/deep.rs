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

/// The rows of Nine Men's Morris, its points numbered by ring and then around each ring from a corner.
fn rows_of_mills() -> Vec<u32> {
    let point = |ring: u32, at: u32| 1 << (8 * ring + at % 8);
    let along =
        (0..3).flat_map(|ring| [0, 2, 4, 6].map(|at| point(ring, at) | point(ring, at + 1) | point(ring, at + 2)));
    along.chain([1, 3, 5, 7].map(|at| point(0, at) | point(1, at) | point(2, at))).collect()
}

/// How many positions of three men each and none in hand the player to move wins, loses and draws: by rules of this game
/// alone, pass by pass over all positions. Who closes a mill has won.
fn three_men_each() -> [usize; 3] {
    let rows = rows_of_mills();
    let trios: Vec<u32> = (0u32..1 << 24).filter(|men| men.count_ones() == 3).collect();
    let place: std::collections::HashMap<u32, usize> = trios.iter().copied().zip(0..).collect();
    let moved = |men: u32, other: u32| {
        let ones = |set: u32| (0..24).map(|at| 1u32 << at).filter(move |one| set & one != 0);
        let free = !(men | other) & 0xff_ffff;
        ones(men).flat_map(move |from| ones(free).map(move |to| men ^ from ^ to))
    };
    // By the men of the player to move, and those of the other: 0 is open, odd is won, even is lost, in so many plies.
    let mut known = vec![vec![0u8; trios.len()]; trios.len()];
    let pairs = || (0..trios.len()).flat_map(|own| (0..trios.len()).map(move |other| (own, other)));
    let apart: Vec<(usize, usize)> = pairs().filter(|(own, other)| trios[*own] & trios[*other] == 0).collect();
    for plies in 1..=40u8 {
        let is_lost = |value: u8| value > 0 && value.is_multiple_of(2);
        let found: Vec<(usize, usize)> = (apart.iter().copied())
            .filter(|&(own, other)| known[own][other] == 0)
            .filter(|&(own, other)| {
                let mut behind = moved(trios[own], trios[other]);
                match plies {
                    1 => behind.any(|men| rows.contains(&men)),
                    _ if plies % 2 == 1 => behind.any(|men| is_lost(known[other][place[&men]])),
                    _ => behind.all(|men| known[other][place[&men]] % 2 == 1),
                }
            })
            .collect();
        found.into_iter().for_each(|(own, other)| known[own][other] = plies);
    }
    let mut tally = [0; 3];
    for (own, other) in apart {
        tally[match known[own][other] {
            0 => 2,
            plies => usize::from(plies % 2 == 0),
        }] += 1;
    }
    tally
}

/// R. Gasser, 1996: 83 % of the positions of three men each are won by the player to move.
#[test]
#[ignore = "minutes"]
fn deep_ending_of_mills() {
    let [won, lost, drawn] = three_men_each();
    assert_eq!((won, lost, drawn), (2_232_160, 455_648, 4_112));
    assert_eq!((100.0 * won as f64 / (won + lost + drawn) as f64).round(), 83.0);
    let rules = "game \"Ending\" extends \"Nine Men's Morris\" { param limit = 0 }";
    let game = lusoria::Game::from_source(rules).unwrap();
    let position = game.position("W1B/3/3/1W4/3/3/BBW White").unwrap();
    let all = lusoria::player::Retrograde::new(&position, 1 << 30, |_| true).unwrap().expect("it fits");
    assert_eq!(all.value(&position), Some(lusoria::player::Value::Win(11)));
    // Each player may be to move; positions that one of 16 symmetries makes of each other are one; besides, there are those
    // in which a man was taken, and the player to move has lost.
    let [won, lost, drawn] = all.tally();
    assert_eq!((won, drawn), (2 * 140_621, 2 * 269));
    assert_eq!(lost, 2 * 28_736 + all.positions() - 2 * 169_626);
}
