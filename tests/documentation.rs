//! The examples of the documentation are right, and its reference leaves no word of the language
//! out.
//!
//! The info string of a fenced block says how to read it. After `lusoria` there may stand, in any
//! order:
//!
//! - one of `declarations piece move setup opening end`: the block is a part, put into a host game;
//!   without it a whole file;
//! - `host=NAME`: the host of a part (`square` if not said), or, at a whole game, the name by which
//!   it is a host;
//! - `wrong=CODE`, `warns=CODE`: the error, the warning that the block shows; any other block has
//!   no errors, a whole game no warnings either;
//! - `faults=CODE`: the fault that playing the block runs into;
//! - `playouts=N`: the whole game is played to its end that many times; a part is played a little
//!   in any case.
//!
//! A block `play of=TITLE` goes through a game of the reference or a shipped one: its first line is
//! a position, a line `: MOVE` plays that move, any other line is the position as it then is.

use std::collections::HashSet;

use lusoria::check::{Checked, Settings, Severity, key};
use lusoria::shipped::{Shipped, title};
use lusoria::source::Source;
use lusoria::{Error, Game};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common;

const REFERENCE: &str = "docs/language.md";
/// Games on small boards are over long before.
const MOST_TURNS: u32 = 300;
/// Enough to see that a part means something.
const TURNS_OF_A_PART: u32 = 12;

/// A fenced block whose info string begins with a word of ours.
#[derive(Debug)]
struct Example {
    /// `file:line` of the fence.
    place: String,
    words: Vec<String>,
    text: String,
}

impl Example {
    fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn part(&self) -> Option<&str> {
        self.words.iter().map(String::as_str).find(|word| !word.contains('='))
    }

    fn is_host(&self) -> bool {
        self.part().is_none() && self.value("host").is_some()
    }

    fn assert_known_words(&self) {
        const PARTS: [&str; 6] = ["declarations", "piece", "move", "setup", "opening", "end"];
        const KEYS: [&str; 5] = ["host", "wrong", "warns", "faults", "playouts"];
        for word in &self.words {
            let key = word.split_once('=').map(|(key, _)| key);
            let known = key.map_or(PARTS.contains(&word.as_str()), |key| KEYS.contains(&key));
            assert!(known, "{}: `{word}` is no word of an example's info string", self.place);
        }
    }

    /// The file that the example stands for.
    fn file(&self, hosts: &[Example]) -> String {
        let Some(part) = self.part() else { return self.text.clone() };
        let host = self.value("host").unwrap_or("square");
        let host = hosts.iter().find(|other| other.value("host") == Some(host));
        let host = host.unwrap_or_else(|| panic!("{}: there is no such host", self.place)).text.trim_end();
        let body = host.strip_suffix('}').expect("a game ends with a brace");
        let text = &self.text;
        let part = match part {
            "declarations" => text.clone(),
            "piece" => format!("piece man M {{\n{text}}}"),
            section => format!("{section} {{\n{text}}}"),
        };
        // In a variant the part replaces what the host has of its kind.
        format!("{body}\n  variant \"Example\" {{\n{part}\n  }}\n}}\n")
    }
}

/// The blocks of a language.
fn examples(language: &str, path: &str, markdown: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let text: String = lines.by_ref().map_while(|(_, line)| (line != "```").then(|| format!("{line}\n"))).collect();
        let mut words = info.split_whitespace().map(String::from);
        if words.next().as_deref() == Some(language) {
            found.push(Example { place: format!("{path}:{}", number + 1), words: words.collect(), text });
        }
    }
    found
}

fn said(checked: &Checked, severity: Severity) -> Vec<String> {
    let of_it = checked.mistakes.iter().filter(|mistake| mistake.severity() == severity);
    of_it.map(|mistake| format!("{}: {}", mistake.code(), mistake.message())).collect()
}

fn has_code(said: &[String], code: &str) -> bool {
    said.iter().any(|one| one.split(':').next() == Some(code))
}

/// What is wrong with the example, if anything is.
fn complaint(example: &Example, hosts: &[Example]) -> Option<String> {
    let file = example.file(hosts);
    let checked = common::check(&file);
    let (errors, warnings) = (said(&checked, Severity::Error), said(&checked, Severity::Warning));
    let good = match (example.value("wrong"), example.value("warns")) {
        (Some(code), _) => has_code(&errors, code),
        (None, Some(code)) => errors.is_empty() && has_code(&warnings, code),
        (None, None) => errors.is_empty() && (warnings.is_empty() || example.part().is_some()),
    };
    (!good).then(|| {
        format!("{} {:?}\n  errors {errors:#?}\n  warnings {warnings:#?}\n{file}", example.place, example.words)
    })
}

/// Plays a whole game, and each of its variants, to its end as often as it wishes, and each right
/// part for some turns; a fault is a complaint.
fn play(example: &Example, hosts: &[Example]) -> Option<String> {
    let wished = example.value("playouts").map(|n| n.parse().expect("`playouts` is a number"));
    let (playouts, turns) = match example.part() {
        None => (wished?, MOST_TURNS),
        Some(_) if example.value("wrong").or(example.value("warns")).is_some() => return None,
        Some(_) => (wished.unwrap_or(1), TURNS_OF_A_PART),
    };
    let file = example.file(hosts);
    for variant in common::check(&file).games.into_iter().map(|game| game.variant) {
        let settings = Settings { variant, params: Vec::new() };
        let game =
            Game::load(Source::new("example.rules", file.as_str()), &Shipped, &settings).expect("it was checked");
        // A part is the variant of its host.
        let wished_fault =
            example.value("faults").filter(|_| example.part().is_none() || game.model().variant.is_some());
        for seed in 0..playouts {
            let met = playout(&game, seed, turns).err();
            if met.as_ref().map(code) != wished_fault {
                return Some(format!("{}: {}, seed {seed}: {met:?}, not {wished_fault:?}", example.place, game.name()));
            }
        }
    }
    None
}

fn code(error: &Error) -> &'static str {
    match error {
        Error::Fault { fault, .. } => fault.code(),
        _ => "no fault",
    }
}

fn playout(game: &Game, seed: u64, turns: u32) -> Result<(), Error> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    game.start(seed)?.playout(&mut rng, turns).map(|_| ())
}

#[test]
fn the_examples_of_the_reference_are_right() {
    let markdown = std::fs::read_to_string(common::project(REFERENCE)).expect("the reference is there");
    let examples = examples("lusoria", REFERENCE, &markdown);
    assert!(!examples.is_empty());
    let hosts: Vec<Example> =
        self::examples("lusoria", REFERENCE, &markdown).into_iter().filter(Example::is_host).collect();
    let mut complaints = Vec::new();
    for example in &examples {
        example.assert_known_words();
        complaints.extend(complaint(example, &hosts).or_else(|| play(example, &hosts)));
    }
    assert!(complaints.is_empty(), "{}\n{} examples are wrong", complaints.join("\n"), complaints.len());
}

#[test]
fn the_positions_and_moves_of_the_reference_are_right() {
    let markdown = std::fs::read_to_string(common::project(REFERENCE)).expect("the reference is there");
    let games = examples("lusoria", REFERENCE, &markdown);
    let complaints: Vec<String> = examples("play", REFERENCE, &markdown)
        .iter()
        .filter_map(|example| played(example, &games).err().map(|error| format!("{}: {error}", example.place)))
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn played(example: &Example, games: &[Example]) -> Result<(), String> {
    let game =
        game_titled(example.value("of").ok_or("it says not of which game")?, games).ok_or("there is no such game")?;
    let mut lines = example.text.lines();
    let mut position = game.position(lines.next().unwrap_or_default()).map_err(|error| error.to_string())?;
    for line in lines {
        match line.strip_prefix(": ") {
            Some(text) => position.play_text(text).map_err(|error| format!("{text}: {error}"))?,
            None if position.to_string() == line => {}
            None => return Err(format!("now it is\n  {position}\nnot\n  {line}")),
        }
    }
    Ok(())
}

fn game_titled(wanted: &str, games: &[Example]) -> Option<Game> {
    let titled = |example: &&Example| title(&example.text).is_some_and(|title| key(&title) == key(wanted));
    match games.iter().find(titled) {
        Some(example) => Game::from_source(&example.text).ok(),
        None => Game::shipped(wanted),
    }
}

#[test]
fn the_examples_of_the_readme_are_right() {
    let Ok(markdown) = std::fs::read_to_string(common::project("README.md")) else { return };
    let examples = examples("lusoria", "README.md", &markdown);
    let complaint = |example| complaint(example, &[]).or_else(|| play(example, &[]));
    let complaints: Vec<String> = examples.iter().filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_reference_names_every_word_of_the_language() {
    let read =
        |path: &str| std::fs::read_to_string(common::project(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let written = words_in_code(&read(REFERENCE));
    let keywords = quoted_after(&read("grammar/lexical.pest"), "kw_");
    let builtin = quoted(&read("crates/frontend/src/syntax/builtin.rs"));
    let prelude = declared(&read("rules/std.rules"));
    assert!(keywords.len() > 80 && builtin.len() > 50 && prelude.len() > 15, "the words of the language are found");
    let missing: Vec<&String> =
        keywords.iter().chain(&builtin).chain(&prelude).filter(|word| !written.contains(*word)).collect();
    assert!(missing.is_empty(), "{REFERENCE} never shows {missing:?}");
}

#[test]
fn the_reference_lists_the_reserved_words() {
    let read =
        |path: &str| std::fs::read_to_string(common::project(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lexical = read("grammar/lexical.pest");
    let mut reserved = quoted(lexical.split("reserved = _{ (").nth(1).expect("the grammar has the rule"));
    reserved.sort_unstable();
    let markdown = read(REFERENCE);
    let block = markdown
        .split("```text\n")
        .find(|block| block.starts_with("about "))
        .expect("the reference has a block of them");
    let listed: Vec<&str> = block.split("```").next().unwrap_or_default().split_whitespace().collect();
    assert_eq!(listed, reserved);
}

/// The words between backticks and in the examples.
fn words_in_code(markdown: &str) -> HashSet<String> {
    let mut code: String =
        examples("lusoria", REFERENCE, markdown).into_iter().map(|example| without_comments(&example.text)).collect();
    let mut prose = String::new();
    let mut fenced = false;
    for line in markdown.lines() {
        fenced ^= line.starts_with("```");
        if !fenced && !line.starts_with("```") {
            prose.extend([line, "\n"]);
        }
    }
    // A stray backtick spoils its own paragraph only.
    for paragraph in prose.split("\n\n") {
        paragraph.split('`').skip(1).step_by(2).for_each(|span| code.extend([" ", span]));
    }
    code.split(|c: char| !c.is_alphanumeric() && c != '_').map(String::from).collect()
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split('#').next().unwrap_or_default().to_string() + "\n").collect()
}

/// Strings of the lines that begin with a prefix: one each.
fn quoted_after(text: &str, prefix: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.starts_with(prefix));
    lines.filter_map(|line| line.split('"').nth(1)).map(String::from).collect()
}

/// All strings that are plain words.
fn quoted(text: &str) -> Vec<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let strings = code.split('"').skip(1).step_by(2);
    strings.filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase())).map(String::from).collect()
}

/// The names that a prelude declares.
fn declared(text: &str) -> Vec<String> {
    let starts = ["pattern ", "define ", "action ", "param ", "piece ", "remember "];
    let rest = text.lines().filter_map(|line| starts.iter().find_map(|start| line.strip_prefix(start)));
    rest.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()).collect()
}
