//! One playthrough of every shipped game, to be read beside its rules: a snapshot is accepted by
//! comparing it with them.

use std::fmt::Write;

use lusoria::Game;
use lusoria::shipped::Shipped;
use rand::RngExt;

use crate::common::{lot, project};

const SNAPSHOTS: &str = "tests/snapshots/playthroughs";
const MOST_TURNS: u32 = 600;
/// Long enough to see which moves there are.
const MOST_LISTED: usize = 60;

fn playthrough(game: &Game) -> String {
    let mut position = game.start(0).unwrap();
    let mut lot = lot(1);
    let listed = position.legal_moves().unwrap();
    let mut text =
        format!("{}\n\n{}\n{position}\n\n{} moves:", game.name(), position.drawing(false).unwrap(), listed.len());
    for one in listed.iter().take(MOST_LISTED) {
        write!(text, " {one},").unwrap();
    }
    text = text.trim_end_matches(',').to_string();
    text += if listed.len() > MOST_LISTED { ", ...\n\n" } else { "\n\n" };
    while position.outcome().is_none() && position.state().turns() < MOST_TURNS {
        let moves = position.legal_moves().unwrap();
        let one = &moves[lot.random_range(0..moves.len())];
        let (turn, who) = (position.state().turns() + 1, position.chooser().unwrap_or("chance").to_string());
        position.play(one).unwrap();
        writeln!(text, "{turn:>3}. {who} {one} ({})", moves.len()).unwrap();
    }
    writeln!(text, "\n{}\n{position}", position.drawing(false).unwrap()).unwrap();
    match position.outcome() {
        None => writeln!(text, "unfinished"),
        Some(outcome) => {
            let line = game.model().sources.slice(game.model().end[outcome.by].span);
            let who = if outcome.winners.is_empty() {
                "a draw".to_string()
            } else {
                format!("{} wins", outcome.winners.join(" and "))
            };
            writeln!(text, "{who}: {line}")
        }
    }
    .unwrap();
    text
}

#[test]
fn every_game_has_its_playthrough() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(project(SNAPSHOTS));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for shipped in Shipped.games() {
            let game = Game::shipped(shipped.stem).expect("it is shipped");
            insta::assert_snapshot!(shipped.stem, playthrough(&game));
        }
    });
}

#[test]
fn every_playthrough_has_its_game() {
    let mut kept: Vec<String> = std::fs::read_dir(project(SNAPSHOTS))
        .expect("the snapshots are there")
        .map(|entry| entry.expect("a snapshot").file_name().to_string_lossy().into_owned())
        .filter_map(|name| name.strip_suffix(".snap").map(str::to_string))
        .collect();
    kept.sort();
    let stems: Vec<&str> = Shipped.games().iter().map(|game| game.stem).collect();
    assert_eq!(kept, stems);
}

#[test]
fn every_game_has_perft_numbers() {
    let tests: Vec<String> = std::fs::read_dir(project("tests"))
        .expect("the tests are there")
        .map(|entry| entry.expect("a test").path())
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .map(|path| std::fs::read_to_string(path).expect("it is UTF-8"))
        .collect();
    for game in Shipped.games() {
        let name = format!("(\"{}\"", game.stem);
        let counted =
            tests.iter().flat_map(|text| text.lines()).any(|line| line.contains(&name) && line.contains("perft"));
        let examples = std::fs::read_to_string(project(&format!("rules/examples/{}.rules", game.stem)));
        let claimed = examples.is_ok_and(|text| text.contains("\n    perft "));
        assert!(counted || claimed, "no perft numbers of {} in tests/*.rs or in rules/examples", game.stem);
    }
}
