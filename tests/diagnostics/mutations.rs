//! Fifty mistakes that an author may make in a shipped file: each is told, and at its place.

use lusoria::check::{Checked, Library, Mistake, check};
use lusoria::shipped::Shipped;
use lusoria::source::{Source, SourceId, Span};

/// A file, what stands in it (the first time), and what it becomes.
const MUTATIONS: [(&str, &str, &str); 59] = [
    // Marks left out or doubled.
    ("breakthrough", "setup {", "setup"),
    ("breakthrough", "    move p\n  }", "    move p\n"),
    ("breakthrough", "ahead diagonal: ^", "ahead diagonal ^"),
    ("breakthrough", "White north, Black", "White north Black"),
    ("croda", "} else {", "else {"),
    ("croda", "count(caught)", "count(caught"),
    ("croda", "repeat { capture p }", "repeat capture p"),
    ("fanorona", "mod 2 = 0", "mod 2 == 0"),
    ("kitaran", "either {", "either {{"),
    ("kitaran", "adjacent(c) and", "adjacent(c)) and"),
    ("nine_mens_morris", "segments(who, straight, 3)", "segments(who, straight 3)"),
    ("othello", "game \"Othello\" {", "game \"Othello {"),
    ("othello", "catches(c, straight: custodian)", "catches(c, straight custodian)"),
    ("pente", "<enemy{2..longest}>", "<enemy{2..longest>"),
    ("pente", "<enemy{2..longest}>", "enemy{2..longest}>"),
    // Words left out.
    ("amazons", "pick p from own", "pick p own"),
    ("amazons", "place arrow on t", "place arrow t"),
    ("breakthrough", "size by size", "size size"),
    ("breakthrough", ": ^ to landing", ": ^ landing"),
    ("breakthrough", ": ^ to landing", ": to landing"),
    ("fanorona", "set seen = seen or p", "seen = seen or p"),
    ("kitaran", "need some near", "need near"),
    ("kitaran", "no fresh in near", "no fresh on near"),
    ("morabaraba", "set home = origin", "home = origin"),
    ("nine_mens_morris", "else             { do travel }", "else             { travel }"),
    ("othello", "highest count(own) wins if", "highest count(own) if"),
    ("pente", "win  if five", "win five"),
    // Names.
    ("amazons", "from reach(p)", "from reech(p)"),
    ("amazons", "piece amazon A {", "piece amazone A {"),
    ("breakthrough", "forward: step", "forward: stap"),
    ("breakthrough", "pick p from own", "pick p from Wite"),
    ("breakthrough", "pick p from own", "pick p1 from own"),
    ("croda", "promote p to king", "promote p to queen"),
    ("croda", "if p is man", "if p is mann"),
    ("fanorona", "let seen = p", "let turn = p"),
    ("fanorona", "with W = White man", "with W = white man"),
    ("kitaran", "param komi = 0", "param Komi = 0"),
    ("kitaran", "remember fresh = none", "remember empty = none"),
    ("nine_mens_morris", "piece man", "piece man m"),
    ("othello", "define centre =", "define center ="),
    ("pente", "remember taken = 0 per player", "remember token = 0 per player"),
    // Types and places.
    ("amazons", "win if stuck(enemy)", "win if stuck(last)"),
    ("breakthrough", "some own in last row", "own"),
    ("croda", "times(position) >= 3", "times(position)"),
    ("croda", "most count(caught)", "most caught"),
    ("fanorona", "need p not in seen", "need p not in orthogonal"),
    ("kitaran", "set fresh = c", "set fresh = 1"),
    ("nine_mens_morris", "hand(own) > 0", "hand(empty) > 0"),
    ("othello", "need some turned", "need some turned = 0"),
    ("pente", "set taken = taken + count(prey)", "set taken = prey"),
    ("pente", "pick c from empty", "pick c from empty = 1"),
    // Meaning.
    ("amazons", "a4 d1 g1 j4", "a4 d1 g1 j40"),
    ("amazons", "a4 d1 g1 j4", "a4 d1 g1 k4"),
    ("breakthrough", "White north, Black south", "White north, Black"),
    ("breakthrough", "forward: step", "forward diagonal: step"),
    ("breakthrough", "param size = 8 in", "param size = 80 in"),
    ("croda", "promote p to king }", "promote p to king mirror }"),
    ("fanorona", "      R W R W . R W R W\n", "      R W R W . R W R\n"),
    ("othello", "param size = 8", "param size = 8 param size = 8"),
];

#[test]
fn mistakes_in_shipped_files_are_told_at_their_places() {
    let mut missed = String::new();
    for (stem, find, replace) in MUTATIONS {
        let (text, at) = mutated(stem, find, replace);
        let checked = check(Source::new(stem, text.as_str()), &Shipped);
        let new: Vec<&Mistake> = new_mistakes(stem, &checked);
        if !new.iter().any(|mistake| is_near(mistake, &text, at, replace.len())) {
            let said: Vec<_> =
                new.iter().map(|m| format!("{} at {}", m.code(), checked.sources.place(m.span()))).collect();
            missed += &format!("{stem}: `{find}` -> `{replace}`: {said:?}\n");
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

fn mutated(stem: &str, find: &str, replace: &str) -> (String, usize) {
    let game = Shipped.named(stem).expect("the file is shipped");
    let at = game.source.text().find(find).unwrap_or_else(|| panic!("{stem} has no `{find}`"));
    (game.source.text().replacen(find, replace, 1), at)
}

/// What is said of the changed file and was not said of the file itself.
fn new_mistakes<'c>(stem: &str, checked: &'c Checked) -> Vec<&'c Mistake> {
    let game = Shipped.named(stem).expect("the file is shipped");
    let known: Vec<String> = check(game.source, &Shipped).mistakes.iter().map(Mistake::message).collect();
    checked.mistakes.iter().filter(|mistake| !known.contains(&mistake.message())).collect()
}

/// On a line of the change, on the next word after it, or at a bracket that is not closed. A name
/// that is declared otherwise than it is used may be told where it is used.
fn is_near(mistake: &Mistake, text: &str, at: usize, length: usize) -> bool {
    let renamed = matches!(mistake.code(), "unknown-name" | "not-a-kind" | "unused" | "unknown-player");
    let unclosed = matches!(mistake.code(), "syntax-missing-closing-brace" | "syntax-unclosed-bracket");
    renamed || unclosed || places(mistake).any(|span| touches(span, text, at, length))
}

fn places(mistake: &Mistake) -> impl Iterator<Item = Span> {
    std::iter::once(mistake.span())
        .chain(mistake.other().map(|(span, _)| span))
        .filter(|span| span.source == SourceId(1))
}

fn touches(span: Span, text: &str, at: usize, length: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let rest = &text[at + length..];
    let next_word = rest.len() - rest.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
    let end = at + length + next_word + rest[next_word..].find('\n').unwrap_or(rest.len() - next_word);
    (start..=end).contains(&(span.start as usize))
}

/// The prelude is a file like any other.
#[test]
fn a_mistake_in_a_prelude_is_told_there() {
    struct Broken;
    impl Library for Broken {
        fn prelude(&self) -> Source {
            Source::new("std.rules", "pattern step = ^ to empyt\n")
        }
        fn find(&self, title: &str) -> Option<Source> {
            Shipped.find(title)
        }
    }
    let game = Shipped.named("breakthrough").expect("the file is shipped");
    let checked = check(game.source, &Broken);
    let places: Vec<String> = checked.mistakes.iter().map(|mistake| checked.sources.place(mistake.span())).collect();
    assert!(places.contains(&String::from("std.rules:1:21")), "{places:?}");
}
