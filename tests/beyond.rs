//! Games that are not shipped, each written from the language reference alone: they load, play, and
//! give their published perft numbers.

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
    assert!(files.len() >= 6);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("# source:"), "{}: where the counts are from", path.display());
        let game = Game::from_source(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (depth, count) in (1..).zip(counts(&text)) {
            let found = game.start(0).unwrap().perft(depth).unwrap();
            assert_eq!(found, count, "{} at depth {depth}", path.display());
        }
    }
}
