//! The examples of the documentation are right, and its reference leaves no word of the language out.
//!
//! The info string of a fenced block says how to read it. After `lusoria` there may stand, in any order:
//!
//! - one of `declarations piece move setup opening end`: the block is a part, put into a host game; without it a whole file;
//! - `host=NAME`: the host of a part (`square` if not said), or, at a whole game, the name by which it is a host;
//! - `wrong=CODE`, `warns=CODE`: the error, the warning that the block shows; any other block has no errors, a whole game no
//!   warnings either;
//! - `playouts=N`: the game is played to its end that many times.

use std::collections::HashSet;

use lusoria::check::{Checked, Settings, Severity};
use lusoria::shipped::Shipped;
use lusoria::source::Source;
use lusoria::{Error, Game};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common;

const REFERENCE: &str = "docs/language.md";
/// Games on small boards are over long before.
const MOST_TURNS: u32 = 300;

/// A fenced block that begins with `lusoria`.
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

    fn assert_known_words(&self) {
        const PARTS: [&str; 6] = ["declarations", "piece", "move", "setup", "opening", "end"];
        const KEYS: [&str; 4] = ["host", "wrong", "warns", "playouts"];
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

fn examples(path: &str, markdown: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let text: String = lines.by_ref().map_while(|(_, line)| (line != "```").then(|| format!("{line}\n"))).collect();
        let mut words = info.split_whitespace().map(String::from);
        if words.next().as_deref() == Some("lusoria") {
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
    (!good).then(|| format!("{} {:?}\n  errors {errors:#?}\n  warnings {warnings:#?}\n{file}", example.place, example.words))
}

/// Plays a whole game, and each of its variants, to its end as often as it wishes; a fault is a complaint.
fn play(example: &Example) -> Option<String> {
    let playouts: u64 = example.value("playouts")?.parse().expect("`playouts` is a number");
    assert!(example.part().is_none(), "{}: only whole games are played", example.place);
    let variants = common::check(&example.text).games.into_iter().map(|game| game.variant);
    for variant in variants {
        let settings = Settings { variant, params: Vec::new() };
        let game = Game::load(Source::new("example.rules", example.text.as_str()), &Shipped, &settings).expect("it was checked");
        for seed in 0..playouts {
            if let Err(error) = playout(&game, seed) {
                return Some(format!("{}: {}, seed {seed}: {error}", example.place, game.name()));
            }
        }
    }
    None
}

fn playout(game: &Game, seed: u64) -> Result<(), Error> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    game.start(seed)?.playout(&mut rng, MOST_TURNS).map(|_| ())
}

#[test]
fn the_examples_of_the_reference_are_right() {
    let markdown = std::fs::read_to_string(common::project(REFERENCE)).expect("the reference is there");
    let examples = examples(REFERENCE, &markdown);
    assert!(!examples.is_empty());
    let (hosts, _): (Vec<Example>, Vec<Example>) =
        self::examples(REFERENCE, &markdown).into_iter().partition(|one| one.part().is_none() && one.value("host").is_some());
    let mut complaints = Vec::new();
    for example in &examples {
        example.assert_known_words();
        complaints.extend(complaint(example, &hosts).or_else(|| play(example)));
    }
    assert!(complaints.is_empty(), "{}\n{} examples are wrong", complaints.join("\n"), complaints.len());
}

#[test]
fn the_examples_of_the_readme_are_right() {
    let Ok(markdown) = std::fs::read_to_string(common::project("README.md")) else { return };
    let examples = examples("README.md", &markdown);
    let complaint = |example| complaint(example, &[]).or_else(|| play(example));
    let complaints: Vec<String> = examples.iter().filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_reference_names_every_word_of_the_language() {
    let read = |path: &str| std::fs::read_to_string(common::project(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let written = words_in_code(&read(REFERENCE));
    let keywords = quoted_after(&read("grammar/lexical.pest"), "kw_");
    let builtin = quoted(&read("src/check/builtin.rs"));
    let prelude = declared(&read("rules/std.rules"));
    assert!(keywords.len() > 80 && builtin.len() > 50 && prelude.len() > 15, "the words of the language are found");
    let missing: Vec<&String> = keywords.iter().chain(&builtin).chain(&prelude).filter(|word| !written.contains(*word)).collect();
    assert!(missing.is_empty(), "{REFERENCE} never shows {missing:?}");
}

/// The words between backticks and in the examples.
fn words_in_code(markdown: &str) -> HashSet<String> {
    let mut code: String = examples(REFERENCE, markdown).into_iter().map(|example| without_comments(&example.text)).collect();
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
