//! Texts that nobody would write: the checker answers each, in time, with places that exist.

use std::time::{Duration, Instant};

use lusoria::check::check;
use lusoria::report::{Look, Notice, entries, render};
use lusoria::shipped::Shipped;
use lusoria::source::{Source, Sources, Span};

use super::cases::folder;
use crate::common::sampled;

const ROUNDS: u64 = 1_500;
/// For one text, with all the noise of a busy machine.
const LIMIT: Duration = Duration::from_secs(5);

const WORDS: [&str; 60] = [
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "^",
    ":",
    ",",
    "..",
    "=",
    "+",
    "*",
    "/",
    "not",
    "and",
    "or",
    "in",
    "is",
    "some",
    "no",
    "where",
    "if",
    "then",
    "else",
    "pick",
    "place",
    "move",
    "capture",
    "repeat",
    "first",
    "either",
    "let",
    "set",
    "do",
    "as usual",
    "own",
    "enemy",
    "empty",
    "last",
    "it",
    "here",
    "count(own)",
    "groups(own)",
    "stuck(enemy)",
    "catches(p)",
    "to",
    "from",
    "step",
    "forward",
    "axes",
    "0",
    "1",
    "99999999999",
    "a1",
    "z26",
    "file",
    "row",
    "none",
    "again",
];

/// A generator of numbers that is the same everywhere (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

#[test]
fn mutated_tokens_are_answered() {
    let texts: Vec<String> = Shipped.games().iter().map(|game| game.source.text().to_string()).collect();
    let passing = folder("tests/games/pass").into_iter().map(|case| case.text);
    let texts: Vec<String> = texts.into_iter().chain(passing).collect();
    let mut numbers = Numbers(7);
    for round in 0..sampled(ROUNDS) {
        let text = mutate(&texts[round as usize % texts.len()], &mut numbers);
        answer(&text);
    }
}

/// One to three tokens deleted, doubled, exchanged or put in.
fn mutate(text: &str, numbers: &mut Numbers) -> String {
    let mut tokens = tokens(text);
    for _ in 0..=numbers.below(3) {
        let at = numbers.below(tokens.len());
        let other = numbers.below(tokens.len());
        match numbers.below(4) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at]),
            2 => tokens.swap(at, other),
            _ => tokens.splice(at..at, [" ", WORDS[numbers.below(WORDS.len())], " "]).for_each(drop),
        }
    }
    tokens.concat()
}

/// Words, stretches of blanks, and single marks.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| if c.is_alphanumeric() || c == '_' { 1 } else { usize::from(c.is_whitespace()) * 2 };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        if before.is_some_and(|before| before != class(c) || before == 0) {
            tokens.push(&text[start..at]);
            start = at;
        }
        before = Some(class(c));
    }
    tokens.push(&text[start..]);
    tokens
}

fn answer(text: &str) {
    let begun = Instant::now();
    let checked = check(Source::new("mutated.rules", text), &Shipped);
    assert!(begun.elapsed() < LIMIT, "too slow:\n{text}");
    let notices: Vec<Notice> = checked.mistakes.iter().map(Notice::from).collect();
    for notice in &notices {
        is_within(notice.span, &checked.sources, text);
        notice.other.iter().for_each(|(span, _)| is_within(*span, &checked.sources, text));
    }
    if let Some(first) = notices.first() {
        assert!(!render([first], &checked.sources, Look::default()).is_empty());
        assert!(!entries([first], &checked.sources).is_empty());
    }
    if !checked.has_errors() {
        assert!(!checked.games.is_empty(), "neither a game nor a mistake:\n{text}");
    }
}

fn is_within(span: Span, sources: &Sources, text: &str) {
    let source = sources.get(span.source).expect("the source is known");
    let found = source.text().get(span.start as usize..span.end as usize);
    assert!(found.is_some() && span.start <= span.end, "{span:?} is not in the text:\n{text}");
}
