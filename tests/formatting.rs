//! Formatter: whatever it is given stays the same game with the same comments, and it is laid out
//! once for all.

use std::collections::BTreeSet;

use lusoria::source::SourceId;
use lusoria::syntax;
use rand::{Rng, RngExt};

use crate::common::author::Author;
use crate::common::{lot, project, quick};

/// The texts of all rules files that can be read.
fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for folder in ["rules", "examples", "tests/games/pass", "tests/games/beyond", "tests/games/fail", "rules/examples"]
    {
        for entry in std::fs::read_dir(project(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if path.extension().is_some_and(|it| it == "rules") && syntax::parse(SourceId(0), &text).1.is_empty() {
                texts.push((path.display().to_string(), text));
            }
        }
    }
    assert!(texts.len() > 100, "{}", texts.len());
    texts
}

fn format(text: &str) -> String {
    syntax::format(SourceId(0), text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn tree(text: &str) -> String {
    let (tree, errors) = syntax::parse(SourceId(0), text);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    // Blanks of pictures are no part of the game.
    syntax::print(&tree).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The comments; a `#` in a string begins none.
fn comments(text: &str) -> Vec<&str> {
    let mut in_string = false;
    let comment = |line: &'_ str| {
        let mut start = None;
        for (at, c) in line.char_indices() {
            match c {
                '"' => in_string = !in_string,
                '#' if !in_string => {
                    start = Some(at);
                    break;
                }
                _ => {}
            }
        }
        start
    };
    let mut starts = comment;
    text.lines().filter_map(|line| starts(line).map(|at| line[at..].trim_end())).collect()
}

fn law(name: &str, text: &str) -> String {
    let formatted = format(text);
    assert_eq!(tree(text), tree(&formatted), "{name}:\n{text}\n---\n{formatted}");
    assert_eq!(comments(text), comments(&formatted), "{name}:\n{text}\n---\n{formatted}");
    assert_eq!(format(&formatted), formatted, "{name}, again:\n{text}");
    formatted
}

#[test]
fn formatted_texts_are_the_same_game_and_stay() {
    for (name, text) in texts() {
        law(&name, &text);
    }
}

#[test]
fn shipped_files_are_formatted() {
    for (name, text) in texts() {
        if !name.contains("/tests/") {
            assert_eq!(format(&text), text, "{name}: lusoria fmt lays it out");
        }
    }
}

#[test]
fn made_up_games_are_formatted() {
    for number in 0..60 {
        let text = Author::new(lot(number)).game();
        let formatted = law("made up", &text);
        let code = |line: &&str| !line.contains('"');
        let longest = formatted.lines().filter(code).map(|line| line.chars().count()).max();
        assert!(longest <= Some(114), "{longest:?} of\n{formatted}");
    }
}

/// Lines ended elsewhere, comments in strange places: where the text is still the same game.
#[test]
fn mangled_texts_are_formatted() {
    let mut lot = lot(7);
    let mut tried = BTreeSet::new();
    let times = if quick() { 2 } else { 4 };
    for (name, text) in texts() {
        for number in 0..times {
            let mangled = mangled(&text, &mut lot, number % 2 == 0);
            let (file, errors) = syntax::parse(SourceId(0), &mangled);
            drop(file);
            if errors.is_empty() && tree(&mangled) == tree(&text) {
                law(&format!("{name} mangled"), &mangled);
                tried.insert(name.clone());
            }
        }
    }
    assert!(tried.len() > 60, "{}", tried.len());
}

/// Some blanks become line ends, with comments or without; outside of strings and comments.
fn mangled(text: &str, lot: &mut impl Rng, with_comments: bool) -> String {
    let mut mangled = String::new();
    let (mut in_string, mut in_comment) = (false, false);
    for (number, c) in text.chars().enumerate() {
        match c {
            '"' if !in_comment => in_string = !in_string,
            '#' if !in_string => in_comment = true,
            '\n' => in_comment = false,
            _ => {}
        }
        let is_blank = c == ' ' && !in_string && !in_comment;
        match lot.random_range(0..30) {
            0 if is_blank && with_comments => mangled += &format!(" # c{number}\n   "),
            1 if is_blank => mangled += "\n \n\n  ",
            2 if is_blank => mangled += "     ",
            _ => mangled.push(c),
        }
    }
    mangled
}

#[test]
fn a_game_on_one_line_is_laid_out() {
    let text = "game \"One\" { players White north, Black south board square 4 by 4 piece man M { move forward: step \
                move ahead diagonal: ^ to <enemy> } piece rook R { move orthogonal: slide } setup { picture \"\n r . . r\n \
                . . . .\n . . . .\n R . . R\n\" place man on row 2 mirror } move { either { pick p from own move p } or { pass } } end { \
                win if some own in last row draw if times(position) >= 3 } variant \"Two\" { param a = 1 param bb = 2 } }";
    insta::assert_snapshot!(law("one line", text));
}

#[test]
fn comments_and_columns_are_laid_out() {
    let text = "#  first\ngame \"Columns\" {   # behind the head\n\n\n   # alone\n param a=1 in 1 .. 2 # one\n  param bcd = 22\n\n \
                define long = own and (empty or enemy)\n or own and not   enemy # the second\n  or none\nplayers A, B\n board square 3 by 3\n \
                piece x { # why\n move straight : ^ empty * to < enemy > }\n piece yy Y {\n move straight: slide\n # in the middle\n move north:step}\n \
                move { if a=1 { pass }\nelse if a = 2 {pass } # two\n else { swap again } first {\n pass } # behind\n else { pass } }\n \
                end { win if no own\n\n lose if some own # never\n # last of the end\n }\n # last\n}\n# behind it all\n";
    insta::assert_snapshot!(law("comments", text));
}

#[test]
fn deep_texts_are_formatted() {
    let text = format!("game \"Deep\" {{ define a = {}own{} }}", "(".repeat(90), ")".repeat(90));
    law("deep", &text);
    let blocks = format!("game \"Deep\" {{ move {{ {} pass {} }} }}", "first { ".repeat(60), "} else { } ".repeat(60));
    law("deep blocks", &blocks);
}
