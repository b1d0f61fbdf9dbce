//! Rule sheets: the rules of every game in plain English. A snapshot is accepted by reading it beside
//! the rules.

use lusoria::shipped::Shipped;
use lusoria::{Game, SheetLine};

use crate::cli::{USAGE, fails, fine, json};
use crate::common::{games_of, project, shipped_games};

const SNAPSHOTS: &str = "tests/snapshots/sheets";

#[test]
fn every_game_has_its_sheet() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(project(SNAPSHOTS));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for shipped in Shipped.games() {
            let game = Game::shipped(shipped.stem).expect("it is shipped");
            insta::assert_snapshot!(shipped.stem, game.rule_sheet().to_string());
        }
    });
}

/// Marks of the language that are no English, and forms that no sentence has.
const UNTOLD: [&str; 10] = ["_", "{", "}", "  ", " .", " ,", " the the ", " a a ", " is is ", " and and "];

#[test]
fn sheets_of_all_variants_and_examples_are_sentences() {
    let examples = std::fs::read_dir(project("examples")).expect("they are there");
    let files = examples.map(|entry| entry.expect("it is there").path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "rules"));
    let mut games = shipped_games();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("it is text");
        games.extend(games_of(&lusoria::Source::new(file.display().to_string(), text)));
    }
    assert!(games.len() > 80, "{}", games.len());
    for game in games {
        let sheet = game.rule_sheet();
        let headings: Vec<&str> = sheet.parts.iter().map(|part| part.heading.as_str()).collect();
        for needed in ["The game", "The board", "Your turn", "The end of the game"] {
            assert!(headings.contains(&needed), "{}: {headings:?}", game.name());
        }
        for line in sheet.parts.iter().flat_map(|part| &part.lines) {
            let (SheetLine::Paragraph { text } | SheetLine::Item { text, .. }) = line else { continue };
            for word in UNTOLD {
                assert!(!text.contains(word), "{}: `{word}` in: {text}", game.name());
            }
            assert!(text.ends_with(['.', ':', '!', '?']), "{}: {text}", game.name());
            assert_eq!(text.matches('*').count() % 2, 0, "{}: {text}", game.name());
        }
    }
}

#[test]
fn rules_are_explained_at_the_command_line() {
    let plain = fine(&["explain", "breakthrough:5x5"]);
    assert!(plain.starts_with("BREAKTHROUGH 5X5\n"), "{plain}");
    assert!(plain.contains("5 files and 5 ranks") && plain.contains("1. You win if"), "{plain}");
    let markdown = fine(&["explain", "breakthrough", "--markdown"]);
    assert!(markdown.starts_with("# Breakthrough\n\n## The game\n"), "{markdown}");
    assert!(markdown.contains("```text\n") && markdown.contains("\n1. You win if"), "{markdown}");
    let data = json(&["explain", "breakthrough", "--set", "size=6", "--json"]);
    assert_eq!(data["title"], "Breakthrough");
    assert_eq!(data["parts"][1]["heading"], "The board");
    assert_eq!(data["parts"][1]["lines"][0]["form"], "paragraph");
    assert!(data.to_string().contains("6 files and 6 ranks"), "{data}");
    assert_eq!(fine(&["explain", "breakthrough", "--variant", "Breakthrough 5x5"]), plain);
    assert!(fails(&["explain", "brakthrough"], USAGE).contains("there is no code and no game `brakthrough`"));
    assert!(fails(&["explain", "no_such.rules"], USAGE).contains("no such file"));
    fails(&["explain", "--markdown"], USAGE);
}

#[test]
fn sheets_follow_the_params_and_replaced_declarations() {
    let sheet = |name: &str| Game::shipped(name).expect("it is shipped").rule_sheet().to_string();
    let optional = sheet("nine_mens_morris");
    let forced = sheet("nine_mens_morris:forced removal");
    assert!(optional.contains("Pass.") && !forced.contains("Pass."), "{forced}");
    let free = sheet("gonnect:without swap");
    assert!(sheet("gonnect").contains("Change sides") && !free.contains("Change sides"), "{free}");
}
