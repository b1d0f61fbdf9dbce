//! Random edits: texts that are typed by chance go in; every question is answered, and nothing panics.

use cpu_time::ThreadTime;
use lusoria::editor::{Document, Format, Lines, Position, Range};
use lusoria::shipped::Shipped;
use rand::RngExt;

use crate::common::{lot, project};

/// What is typed.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "\"",
    "#",
    "^",
    ":",
    ",",
    "=",
    "..",
    "\n",
    " ",
    "move ",
    "pick p from ",
    "own",
    "enemy",
    "variant \"V\" extends \"V\" { ",
    "as usual ",
    "do part { ",
    "if ",
    "else ",
    "either { } or { }",
    "let x = ",
    "need ",
    "pattern q = ^ to empty ",
    "define f(x) = f(x) ",
    "piece man ",
    "players White, Black ",
    "board points ",
    "a1",
    "9",
    "\u{1f600}",
    "\u{e9}\r\n",
    "not ",
    "example \"E\" { position \"",
    "game \"A\" extends \"A\" { ",
    "remember n = 0 ",
];

fn texts() -> Vec<(String, String)> {
    let mut files: Vec<_> = std::fs::read_dir(project("rules")).unwrap().flatten().map(|file| file.path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "rules"));
    files.sort();
    files.into_iter().map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap())).collect()
}

/// All that an editor asks at a place.
fn ask_all(document: &Document, at: Position) {
    let whole = Lines::new(document.text()).whole();
    let lines = Lines::new(document.text());
    let within = |range: Range| assert!(range.start <= range.end && range.end <= whole.end, "{range:?}");
    document.diagnostics().iter().for_each(|found| within(found.range));
    document.hover(at).iter().for_each(|found| within(found.range));
    document.completion(at, &Shipped, Format::Snippets);
    document.definition(at);
    document.references(at, true);
    document.highlights(at).iter().for_each(|(range, _)| within(*range));
    if let Ok(edits) = document.rename(at, "other_name") {
        edits.iter().for_each(|edit| within(edit.range));
    }
    document.symbols();
    document.formatting();
    document.hints(whole).iter().for_each(|hint| assert!(hint.position <= whole.end));
    document.actions(whole).iter().flat_map(|action| &action.edits).for_each(|edit| within(edit.range));
    let mut line = 0;
    for token in document.semantic_tokens().chunks(5) {
        line += token[0];
        assert!(token[2] > 0 && token[3] < 14 && line <= whole.end.line, "{token:?}");
    }
    assert_eq!(lines.offset(whole.end), document.text().len());
}

fn edits(rounds: usize, seed: u64) {
    let mut lot = lot(seed);
    let texts = texts();
    let mut document = Document::new("test.rules", "", &Shipped);
    for round in 0..rounds {
        // Each text is worn down by some edits.
        if round % 25 == 0 {
            let (name, text) = &texts[lot.random_range(0..texts.len())];
            document = Document::new(name, text, &Shipped);
        }
        let bytes = document.text().len();
        let lines = Lines::new(document.text());
        let place = |at: usize| lines.position(at.min(bytes));
        let start = lot.random_range(0..=bytes);
        let length = if lot.random_bool(0.5) { 0 } else { lot.random_range(0..12) };
        let range = Range { start: place(start), end: place(start + length) };
        let piece = match lot.random_range(0..3) {
            0 => String::new(),
            1 => PIECES[lot.random_range(0..PIECES.len())].to_string(),
            _ => {
                let from = lot.random_range(0..=bytes);
                document.text().chars().skip(from).take(lot.random_range(0..20)).collect()
            }
        };
        document.edit(Some(range), &piece);
        document.refresh(&Shipped);
        let at = Lines::new(document.text()).position(start + piece.len());
        ask_all(&document, at);
    }
}

#[test]
fn random_edits_are_answered() {
    edits(100, 5);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_random_edits_are_answered() {
    edits(10_000, 6);
}

/// How long an editor waits, with all questions at once, of a build for release:
/// `cargo test --release --test all -- --ignored answers_come_in_time`.
#[test]
#[ignore = "measures"]
fn answers_come_in_time() {
    wait_at_most(50, texts());
}

/// The same of any build on a busy machine, for the largest file: it cannot miss an answer that takes seconds.
#[test]
fn answers_for_the_largest_file_take_no_seconds() {
    let largest = texts().into_iter().max_by_key(|(_, text)| text.len());
    wait_at_most(10_000, largest.into_iter().collect());
}

fn wait_at_most(milliseconds: u128, texts: Vec<(String, String)>) {
    for (name, text) in texts {
        let mut document = Document::new(&name, &text, &Shipped);
        let middle = Lines::new(&text).position(text.len() / 2);
        // Processor time: other programs do not count.
        let began = ThreadTime::now();
        document.edit(Some(Range { start: middle, end: middle }), " ");
        document.refresh(&Shipped);
        let read = began.elapsed();
        ask_all(&document, middle);
        let all = began.elapsed();
        assert!(all.as_millis() < milliseconds, "{name}: read in {read:?}, all answers in {all:?}");
    }
}
