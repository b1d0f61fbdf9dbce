//! Answers for editors: texts with a place go in; meanings, completions, edits and mends come out as expected.

mod edits;
mod server;

use lusoria::check;
use lusoria::editor::{Completion, Document, Edit, Format, Lines, Position, Range};
use lusoria::shipped::Shipped;
use lusoria::source::{Source, SourceId};
use lusoria::syntax;

use crate::common::project;

/// A text with the place where `|` stands, if it stands anywhere.
fn marked(text: &str) -> (Document, Position) {
    let at = text.find('|').unwrap_or(0);
    let text = text.replace('|', "");
    let place = Lines::new(&text).position(at);
    (Document::new("test.rules", &text, &Shipped), place)
}

/// A whole game around declarations.
fn game(declarations: &str) -> String {
    format!(
        "game \"Test\" {{\n  players White north, Black south\n  board square 5 by 5\n  piece man {{ move straight: step }}\n  \
         setup {{ place man on row 1   mirror }}\n  {declarations}\n  end {{ win if stuck(enemy) }}\n}}\n"
    )
}

fn at(declarations: &str) -> (Document, Position) {
    marked(&game(declarations))
}

fn shipped(stem: &str) -> Document {
    let text = std::fs::read_to_string(project(&format!("rules/{stem}.rules"))).unwrap();
    Document::new(&format!("{stem}.rules"), &text, &Shipped)
}

fn hover(declarations: &str) -> String {
    let (document, place) = at(declarations);
    document.hover(place).unwrap_or_else(|| panic!("nothing at {place:?} in {}", document.text())).contents.value
}

fn labels(declarations: &str) -> Vec<String> {
    let (document, place) = at(declarations);
    let mut found = document.completion(place, &Shipped, Format::Snippets);
    found.sort_by(|one, other| one.sort_text.cmp(&other.sort_text));
    found.into_iter().map(|found| found.label).collect()
}

fn has(labels: &[String], wanted: &[&str]) {
    for wanted in wanted {
        assert!(labels.iter().any(|label| label == wanted), "{wanted} is missing in {labels:?}");
    }
}

fn has_none(labels: &[String], unwanted: &[&str]) {
    for unwanted in unwanted {
        assert!(!labels.iter().any(|label| label == unwanted), "{unwanted} stands in {labels:?}");
    }
}

/// A text behind edits that do not overlap.
fn edited(text: &str, edits: &[Edit]) -> String {
    let lines = Lines::new(text);
    let mut edits: Vec<_> = edits
        .iter()
        .map(|edit| (lines.offset(edit.range.start), lines.offset(edit.range.end), &edit.new_text))
        .collect();
    edits.sort();
    let mut text = text.to_string();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

const MOVE: &str = "move { pick p from own   move p }";

#[test]
fn mistakes_have_places_help_and_second_places() {
    let (document, _) = at("move { pick p from ownn   move p   let p = none }");
    let found = document.diagnostics();
    let codes: Vec<&str> = found.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, ["unknown-name", "bound-twice"]);
    assert_eq!(found[0].range.start, Position { line: 5, character: 21 });
    assert_eq!(found[0].range.end, Position { line: 5, character: 25 });
    assert!(found[0].message.contains("help: did you mean `own`?"), "{}", found[0].message);
    assert_eq!(found[0].severity, 1);
    let (target, what) = found[1].related.as_ref().expect("a second place");
    assert_eq!((target.range.start.character, what.as_str()), (14, "bound here"));
    let (document, _) = at(&format!("define idle = own   {MOVE}"));
    let found = document.diagnostics();
    assert_eq!((found.len(), found[0].code.as_str(), found[0].severity), (1, "unused", 2));
}

#[test]
fn names_mean_what_stands_nearest() {
    let text = hover(&format!("{MOVE}  define x = clo|sed(own)"));
    assert!(text.contains("define closed(s)") && text.contains("From `std.rules`"), "{text}");
    let text = hover(&format!("define closed(s) = s   {MOVE}  define x = clo|sed(own)"));
    assert!(text.contains("define closed(s) = s") && !text.contains("std.rules"), "{text}");
    let text = hover("move { pick p from own   move |p }");
    assert!(text.contains("pick p from own") && text.contains("Cells") && text.contains("follows"), "{text}");
    let text = hover("move { pick p from own   pick n from 1..3   need |n = 1   move p }");
    assert!(text.contains("A number"), "{text}");
    let text = hover("move { pick p from o|wn   move p }");
    assert!(text.contains("`own` — the player concerned") && text.contains("Players"), "{text}");
    let text = hover("move { pi|ck p from own   move p }");
    assert!(text.contains("choose one member of a set of cells"), "{text}");
    let text = hover(&format!("{MOVE}  remember seen = none|"));
    assert!(text.contains("the empty set"), "{text}");
}

#[test]
fn patterns_are_drawn() {
    let text = hover("move { pick p from own   move p straight: long_|leap }");
    assert!(text.contains("│ ^ │ empty * │ x enemy │ empty * │ > empty │"), "{text}");
    assert!(text.contains("the leap of a draughts king"), "its comment: {text}");
    let text = hover(&format!("pattern knig|ht = ^ any, outward: to landing or step   {MOVE}"));
    assert!(text.contains("then outward:") && text.contains("or\n"), "{text}");
}

#[test]
fn what_cannot_be_read_now_means_what_it_meant() {
    let (mut document, place) = at("define mine = own man   move { pick p from mi|ne   move p }");
    let whole = document.hover(place).expect("it is known").contents.value;
    let line = Range { start: Position { line: 5, character: 2 }, end: Position { line: 5, character: 2 } };
    document.edit(Some(line), "define broken = = ( ");
    document.refresh(&Shipped);
    assert!(document.diagnostics().iter().any(|found| found.code.starts_with("syntax")), "it is broken");
    let further = Position { character: place.character + 20, ..place };
    assert_eq!(document.hover(further).expect("it was known").contents.value, whole);
    let last = document.text().lines().count() as u32 - 2;
    let names = document.completion(Position { line: last, character: 0 }, &Shipped, Format::Plain);
    assert!(!names.is_empty());
    assert_eq!(document.definition(further).len(), 1);
}

#[test]
fn completions_fit_the_place() {
    let sections = labels("|");
    has(&sections, &["piece", "move", "variant", "example"]);
    has_none(&sections, &["pick", "own"]);
    let statements = labels("move { pick p from own  | }");
    has(&statements, &["move", "need", "either", "by"]);
    has_none(&statements, &["piece", "own"]);
    let tests = labels("move { pick p from own   move p straight: ^ | ");
    has(&tests, &["to", "empty", "landing"]);
    let outcomes = labels(&format!("{MOVE}   end {{ | }}"));
    has(&outcomes, &["win if", "draw if", "White"]);
    let men = labels("setup { place | ");
    has(&men, &["man", "White", "neutral"]);
    has_none(&men, &["step", "closed"]);
    assert_eq!(labels("move { pick | "), Vec::<String>::new(), "a new name");
    has(&labels("action hop(q) { move q }   move { pick p from own   do | "), &["hop", "keep_largest"]);
    has(&labels("remember seen = none   move { let x = 1   set | "), &["seen", "x"]);
}

#[test]
fn completions_of_the_wanted_type_come_first() {
    let declarations = "define ready = some own   define camp = own and row 1   ";
    let first = |text: &str, fits: &str, other: &str| {
        // The text is whole before the author goes on.
        let (mut document, _) = at(&format!("{declarations}{MOVE}"));
        let (broken, place) = at(&format!("{declarations}{text}"));
        document.edit(None, broken.text());
        document.refresh(&Shipped);
        let mut labels = document.completion(place, &Shipped, Format::Plain);
        labels.sort_by(|one, other| one.sort_text.cmp(&other.sort_text));
        let labels: Vec<String> = labels.into_iter().map(|found| found.label).collect();
        let place =
            |name: &str| labels.iter().position(|label| label == name).unwrap_or_else(|| panic!("{name}: {labels:?}"));
        assert!(place(fits) < place(other), "{text}: {labels:?}");
    };
    let rest = format!("{MOVE} variant \"B\" {{ move {{");
    first(&format!("{rest} pick p from |"), "camp", "ready");
    first(&format!("{rest} pick p from own   need |"), "ready", "north");
    first(&format!("{rest} pick p from own   move p |"), "north", "camp");
    first(&format!("{rest} pick p from own   move p to nth(|"), "camp", "ready");
}

#[test]
fn local_names_are_offered_in_their_blocks() {
    let found = labels("move { pick p from own   if some own { let inside = 1 }   need | ");
    has(&found, &["p"]);
    has_none(&found, &["inside"]);
    has(&labels("define f(s, t) = count(|"), &["s", "t"]);
    has(&labels("move { for each c in own { flip | "), &["c"]);
}

#[test]
fn titles_are_offered_behind_extends() {
    let (document, place) = marked("game \"A\" extends \"Oth|");
    let found: Vec<Completion> = document.completion(place, &Shipped, Format::Plain);
    assert!(found.iter().any(|found| found.label == "Othello"), "{found:?}");
    let (document, place) = marked("game \"A\" { # own |");
    assert_eq!(document.completion(place, &Shipped, Format::Plain), [], "comments are the author's");
}

#[test]
fn declarations_and_references_are_found_in_all_texts() {
    let text = "game \"A\" extends \"Othello\" {\n  setup { as us|ual   place White di|sc on a1 }\n}";
    let usual = text.find('|').unwrap();
    let (document, place) = marked(&text.replacen('|', "", 1));
    let found = document.definition(place);
    assert_eq!(found.len(), 1, "{:?}", document.diagnostics());
    assert_eq!(found[0].text, "othello.rules");
    let place = Lines::new(document.text()).position(usual);
    assert_eq!(document.definition(place)[0].text, "othello.rules");
    assert!(document.references(found_at(&document, "disc"), true).len() > 3);

    let (document, place) = at("move { pick p from own   move p straight: sl|ide }");
    assert_eq!(document.definition(place)[0].text, "std.rules");
    let (document, place) =
        at("move { either { let n| = 1 } or { let n = 2 }   pick p from own   need n = 2   move p }");
    assert_eq!(document.references(place, true).len(), 3, "one name that both branches bind");
    assert_eq!(document.references(place, false).len(), 1);
}

fn found_at(document: &Document, word: &str) -> Position {
    Lines::new(document.text()).position(document.text().find(word).expect("it stands there"))
}

#[test]
fn names_are_changed_everywhere_or_nowhere() {
    let text = game(
        "define camp = row 1   move { pick p from own and camp   let q = p   move p   need q in camp }   \
         variant \"B\" { define camp = row 2 }",
    );
    let document = Document::new("test.rules", &text, &Shipped);
    assert_eq!(document.diagnostics(), [], "it is right before");
    let edits = document.rename(found_at(&document, "camp"), "home").unwrap();
    assert_eq!(edits.len(), 4);
    assert_eq!(edited(&text, &edits), text.replace("camp", "home"));
    let edits = document.rename(found_at(&document, "q in"), "start").unwrap();
    let after = edited(&text, &edits);
    assert!(after.contains("let start = p") && after.contains("need start in camp"), "{after}");

    let refused = |word: &str, new: &str| document.rename(found_at(&document, word), new).unwrap_err();
    assert!(refused("own and", "mine").contains("built in"));
    assert!(refused("step", "pace").contains("std.rules"));
    assert!(refused("camp", "q").contains("declared already"));
    assert!(refused("camp", "a1").contains("cell"));
    assert!(refused("camp", "Camp").contains("no name"));
    assert!(refused("White", "white").contains("no name of a player"));
    assert!(refused("\"B\"", "C").contains("titles"));
    assert!(document.renamable(found_at(&document, "square")).is_err());
    assert_eq!(document.rename(found_at(&document, "White"), "Red").unwrap().len(), 1);
}

#[test]
fn each_name_of_the_shipped_games_can_be_changed() {
    let mut changed = 0;
    for stem in ["breakthrough", "pente", "fanorona"] {
        let document = shipped(stem);
        for token in syntax::tokens(document.text()).iter().step_by(4) {
            let place = Lines::new(document.text()).position(token.start);
            let Ok(edits) = document.rename(place, "quite_new") else { continue };
            let after = Document::new("after.rules", &edited(document.text(), &edits), &Shipped);
            let told =
                |document: &Document| document.diagnostics().into_iter().map(|found| found.code).collect::<Vec<_>>();
            assert_eq!(told(&after), told(&document), "{stem}: {}\n{}", token.text, after.text());
            changed += 1;
        }
    }
    assert!(changed > 10, "{changed} names");
}

#[test]
fn symbols_follow_the_sections() {
    let document = shipped("chess");
    let symbols = document.symbols();
    assert_eq!(symbols.len(), 1);
    let names: Vec<&str> = symbols[0].children.iter().map(|symbol| symbol.name.as_str()).collect();
    for wanted in ["players", "board", "king", "move", "end"] {
        assert!(names.contains(&wanted), "{names:?}");
    }
    let (document, _) = at(&format!("{MOVE} variant \"B\" {{ define x = own }} define y = = 1"));
    let symbols = document.symbols();
    let variant = symbols[0].children.iter().find(|symbol| symbol.name == "variant \"B\"").expect("the variant");
    assert_eq!(variant.children[0].name, "x");
}

/// Line, column, length, type, modifiers of each token.
fn decoded(document: &Document) -> Vec<(u32, u32, u32, u32, u32)> {
    let (mut line, mut column) = (0, 0);
    let tokens = document.semantic_tokens();
    assert_eq!(tokens.len() % 5, 0);
    tokens
        .chunks(5)
        .map(|token| {
            line += token[0];
            column = if token[0] == 0 { column + token[1] } else { token[1] };
            (line, column, token[2], token[3], token[4])
        })
        .collect()
}

#[test]
fn tokens_say_what_words_are() {
    let (document, _) = at("# a comment\n  move { pick p from own man   move p straight: slide }");
    let text = document.text();
    let tokens = decoded(&document);
    let word = |token: &(u32, u32, u32, u32, u32)| {
        let line: Vec<u16> = text.lines().nth(token.0 as usize).unwrap().encode_utf16().collect();
        String::from_utf16(&line[token.1 as usize..(token.1 + token.2) as usize]).unwrap()
    };
    let ty = |wanted: &str| {
        let all: Vec<_> = tokens.iter().filter(|token| word(token) == wanted).collect();
        let last = all.last().unwrap_or_else(|| panic!("{wanted}"));
        (lusoria::editor::TOKEN_TYPES[last.3 as usize], last.4)
    };
    assert_eq!(ty("# a comment").0, "comment");
    assert_eq!(ty("pick").0, "keyword");
    assert_eq!(ty("p").0, "variable");
    assert_eq!(ty("own"), ("variable", 6), "built in");
    assert_eq!(ty("man").0, "class");
    assert_eq!(ty("slide"), ("macro", 4), "of the prelude");
    assert_eq!(ty("\"Test\""), ("string", 1));
    let ends = tokens.windows(2).all(|two| (two[0].0, two[0].1 + two[0].2) <= (two[1].0, two[1].1));
    assert!(ends, "they do not overlap");
}

#[test]
fn the_layout_is_that_of_fmt() {
    let (document, _) = at(&format!("define   x=own {MOVE}"));
    let edit = document.formatting().expect("it is laid out otherwise");
    assert_eq!(
        edited(document.text(), std::slice::from_ref(&edit)),
        syntax::format(SourceId(1), document.text()).unwrap()
    );
    let after = Document::new("test.rules", &edit.new_text, &Shipped);
    assert_eq!(after.formatting(), None);
    let (document, _) = at("define = ");
    assert_eq!(document.formatting(), None, "it cannot be read");
}

#[test]
fn hints_say_what_as_usual_stands_for() {
    let text = "game \"A\" extends \"Breakthrough\" {\n  move { as usual   again }\n  variant \"B\" { end { as usual   draw if no own } }\n}";
    let document = Document::new("test.rules", text, &Shipped);
    let hints = document.hints(Lines::new(text).whole());
    let labels: Vec<&str> = hints.iter().map(|hint| hint.label.as_str()).collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(labels[0].starts_with("= pick p from own"), "{labels:?}");
    assert!(labels[1].starts_with("= win if"), "{labels:?}");
    assert!(hints[0].tooltip.value.contains("From `breakthrough.rules`"));
    assert_eq!(hints[0].position, Position { line: 1, character: 17 });
}

/// The mends of what is wrong in a text, by their titles, and the texts that they lead to.
fn mends(document: &Document) -> Vec<(String, String, String)> {
    let actions = document.actions(Lines::new(document.text()).whole());
    let texts = actions.into_iter().map(|action| {
        let text = edited(document.text(), &action.edits);
        (action.diagnostic.code, action.title, text)
    });
    texts.collect()
}

#[test]
fn mends_write_what_the_help_says() {
    let cases = [
        ("move { pick p from ownn   move p }", "write `own`", "pick p from own "),
        ("move { pick p from opponent   move p }", "write `enemy`", "from enemy "),
        ("move { pick p from own   need p == p   move p }", "write `=`", "need p = p"),
        ("move { pick p from own && man   move p }", "write `and`", "own and man"),
        ("move { pick p from own&&man   move p }", "write `and`", "own and man"),
        (
            "remember n = 0   move { n = n + 1   pick p from own   move p }",
            "write `set` before it",
            "set n = n + 1   pick",
        ),
        (
            "remember n = 0   move { pick p from own   set n = n + 1   n += 2 move p }",
            "write `set n = n + 2`",
            "set n = n + 2 move",
        ),
        ("move { pick p from own   if some own then { move p } }", "leave out `then`", "own { move"),
        (
            "move { pick p from own   need adjacent(p) in empty or own   move p }",
            "write `adjacent(p) in (empty or own)`",
            "need adjacent(p) in (empty or own)   move",
        ),
        ("move { pick p from own   need own   move p }", "write `some own`", "need some own "),
        ("move { pick p from own   need count(own) > enemy   move p }", "write `count(enemy)`", "> count(enemy)"),
        ("move { pick p from own; move p }", "leave out `;`", "own move p"),
        ("move { choose p from own   move p }", "write `pick`", "{ pick p"),
        ("move { pick p from own   move p   let p = none }", "", ""),
        ("piece King { }   move { pick p from own   move p }", "write `king`", "piece king"),
        ("define idle = own   move { pick p from own   move p }", "leave out `define idle = own`", "\n  move"),
        ("move { pick p from (own   move p }", "write `)` behind this", "(own) "),
        (
            "move { pick p from own where some it or no it   move p }",
            "write `own where (some it or no it)`",
            "where (some",
        ),
    ];
    for (declarations, title, part) in cases.into_iter().filter(|(_, title, _)| !title.is_empty()) {
        let (document, _) = at(declarations);
        let found = mends(&document);
        let mend = found.iter().find(|(_, other, _)| other == title);
        let (_, _, text) =
            mend.unwrap_or_else(|| panic!("{title} of {declarations}: {found:?} {:?}", document.diagnostics()));
        assert!(text.contains(part), "{title}: {text}");
    }
}

/// Each mend of the files with mistakes, one for each kind, takes its mistake away.
#[test]
fn mends_take_mistakes_away() {
    let mut mended = std::collections::BTreeSet::new();
    let mut files: Vec<_> =
        std::fs::read_dir(project("tests/games/fail")).unwrap().flatten().map(|file| file.path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let document = Document::new("test.rules", &text, &Shipped);
        for (code, title, after) in mends(&document) {
            let count = |text: &str| {
                let checked = check::check(Source::new("test.rules", text), &Shipped);
                checked.mistakes.iter().filter(|mistake| mistake.code() == code).count()
            };
            assert!(count(&after) < count(&text), "{}: {title} does not mend {code}:\n{after}", file.display());
            mended.insert(code);
        }
    }
    assert!(mended.len() > 30, "{} kinds: {mended:?}", mended.len());
}
