//! Games that are not shipped, each written from the language reference alone: they load, play, and
//! give their published perft numbers.

use std::path::Path;

use lusoria::Game;

use crate::common::project;

/// The counts behind `# perft:` at the top of a file.
fn counts(text: &str) -> Vec<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("# perft:")).expect("a line of counts");
    line.split_whitespace().map(|count| count.parse().expect("a number")).collect()
}

#[test]
fn games_beyond_the_shipped_ones_give_their_published_perft_numbers() {
    let mut files: Vec<_> =
        std::fs::read_dir(project("tests/games/beyond")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5);
    for path in files {
        gives_its_counts(&path);
    }
}

#[test]
fn examples_give_the_perft_numbers_that_they_name() {
    let files = std::fs::read_dir(project("examples")).unwrap().map(|entry| entry.unwrap().path());
    let mut counted = 0;
    for path in files.filter(|path| std::fs::read_to_string(path).is_ok_and(|text| text.contains("# perft:"))) {
        gives_its_counts(&path);
        counted += 1;
    }
    assert!(counted >= 3);
}

fn gives_its_counts(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("# source:"), "{}: where the counts are from", path.display());
    let game = Game::from_source(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for (depth, count) in (1..).zip(counts(&text)) {
        let found = game.start(0).unwrap().perft(depth).unwrap();
        assert_eq!(found, count, "{} at depth {depth}", path.display());
    }
}

/// Counted by programs that know these games alone: files modulo eight, the lines of a cube; squares
/// with the ranks of animals, rivers and traps as lists; columns as words, whose first letter goes
/// behind the other column's when it is captured.
#[test]
fn positions_of_examples_give_independent_perft_numbers() {
    let cylinder = example("cylinder_chess");
    let all = "unmoved=a1+e1+h1+a8+e8+h8";
    let white = format!("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R White {all}");
    counts_are(&cylinder, &white, &[51, 2599]);
    // Pawns that pass each other over the seam, one after the other.
    counts_are(&cylinder, "4k3/7p/8/P6P/p6p/8/P6P/R3K2R Black unmoved=a1+e1+h1", &[8, 128, 1064]);
    let cube = "W1B1BBBWBW3BB1/W1WWB3B1WWW2B/3BWWW1B1BB1WWW/WW2WBBW1B2BBWB White";
    counts_are(&example("qubic"), cube, &[24, 414, 7612, 116172]);
    let jungle = example("jungle");
    // Leaps, swimming rats, an elephant before a rat, and men in traps.
    counts_are(&jungle, "2w4/1l1t3/4dce/7/7/7/1T4P/r1WpL1R/2C4 Blue", &[16, 314, 4624]);
    counts_are(&jungle, "7/l1pPc2/2d3t/1r5/7/7/E5R/2W1D2/CT5 Red", &[19, 391, 6832]);
    counts_are(&jungle, "2l4/1pdPet1/7/7/1r5/7/1EW1C2/5RL/1T4D Red", &[16, 284, 4449]);
    let lasca = example("lasca");
    // Officers in chains, and columns that change hands.
    counts_are(&lasca, "[sO]2O/2[sSOOO]/4/[Ssso]2/2[soo]1/3/1[SSo][Oo][Oo] Black", &[13, 52, 561, 2620]);
    counts_are(&lasca, "O2O/S1[SSO]/2[sO]1/[Ssosso]1s/2[Oo]s/1o1/2[SSo]1 Black", &[10, 42, 323, 1782]);
    counts_are(&lasca, "2O1/[SSO]1[sssssO]/2[sssO]S/[oO]2/4/1[So][SSo]/4 White", &[13, 97, 1035, 5039]);
}

#[test]
fn small_boards_of_y_give_independent_perft_numbers() {
    let text = std::fs::read_to_string(project("examples/y.rules")).unwrap();
    for (size, counts) in [(3, &[6, 36, 150, 480, 1080, 1080][..]), (4, &[10, 100, 810, 5760, 35280][..])] {
        let text = text.replace("param size = 11", &format!("param size = {size}"));
        let game = Game::from_source(&text).unwrap();
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(game.start(0).unwrap().perft(depth).unwrap(), *count, "side {size} at depth {depth}");
        }
    }
}

fn example(name: &str) -> Game {
    Game::from_source(&std::fs::read_to_string(project(&format!("examples/{name}.rules"))).unwrap()).unwrap()
}

fn counts_are(game: &Game, position: &str, counts: &[u64]) {
    for (depth, count) in (1..).zip(counts) {
        let found = game.position(position).unwrap().perft(depth).unwrap();
        assert_eq!(found, *count, "{position} at depth {depth}");
    }
}
