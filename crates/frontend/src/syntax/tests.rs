//! Tests of syntax: texts go in; what is asserted is their tree, their printed form, or their
//! mistakes.

use std::path::{Path, PathBuf};

use crate::syntax::ast::{ExprKind, SectionKind};
use crate::syntax::*;

fn folders() -> Vec<PathBuf> {
    let more = std::env::var_os("LUSORIA_MORE_RULES").map(PathBuf::from);
    std::iter::once(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rules")).chain(more).collect()
}

/// All rules files, by name.
fn rules() -> Vec<(String, String)> {
    let mut files: Vec<PathBuf> = folders()
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("the folder is there"))
        .map(|entry| entry.expect("the entry can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rules"))
        .collect();
    files.sort();
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("the file can be read");
    files.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

fn whole(text: &str) -> ast::File {
    let (file, errors) = parse(SourceId(0), text);
    assert!(errors.is_empty(), "{errors:#?} in\n{text}");
    file
}

/// The code of each mistake and what its span covers.
fn mistakes(text: &str) -> Vec<(&'static str, String)> {
    let (_, errors) = parse(SourceId(0), text);
    let covered = |span: Span| text.get(span.start as usize..span.end as usize).expect("on boundaries").to_owned();
    errors
        .iter()
        .map(|error| {
            error.other.map(covered);
            assert!(!error.kind.message().ends_with('.'));
            (error.kind.code(), covered(error.span))
        })
        .collect()
}

/// The tree as text, without its spans.
fn without_spans(file: &ast::File) -> String {
    let tree = format!("{file:?}");
    let mut parts = tree.split("Span { source: ");
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        plain += part.split_once(" }").map_or(part, |(_, rest)| rest);
    }
    plain
}

#[test]
fn all_rules_are_read_whole() {
    assert!(rules().len() >= 10);
    for (name, text) in rules() {
        let (file, errors) = parse(SourceId(0), &text);
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert!(file.game.is_some() || !file.declarations.is_empty(), "{name}");
    }
}

#[test]
fn what_is_printed_reads_the_same() {
    for (name, text) in rules() {
        let tree = whole(&text);
        let printed = print(&tree);
        let again = whole(&printed);
        assert_eq!(without_spans(&tree), without_spans(&again), "{name}\n{printed}");
        assert_eq!(printed, print(&again), "{name}");
        assert!(printed.lines().all(|line| line.len() <= 120 || line.contains('"')), "{name}\n{printed}");
    }
}

/// Statements and the like that the rules files do not hold, to be read, printed and read again.
const RARE: &str = r#"game "Rare" extends "Other" {
  about { year 1900 note "x" }
  param n = 3 in 1..
  players White, Black, Red
  teams White and Black, Red and Green
  board hexagon side n + 1, lines straight where it in files a..c, orthogonal, without a1..b2 c3, stacks
  captures leave at end of move
  captures go to hand
  piece tokin T from pawn neutral { if here in row 2 { move forward: step } else if here in row 3 { } else { move north: step } }
  remember r = none per player on pieces for one turn, not compared
  define f(a, b) = if a then b else if b then a else not a where some it in b where no it
  define g = 2 * (3 + n) mod 2 - 1 / 2 = file of c + 1 and rank half..half + 1 and files a..c and last row
  define h = f(1..2, straight: ^ <a+> (White){2} b{1..} c{0..n}?, outward: to <enemy>, own, 3..)
  pattern p "+" = <enemy{2}>? ^ to (a and not b) or ^ b*
  setup { picture "W é" with W = White man, é = man, { = Black man
          place n of_hand in hand place (n) White man on a1 place a or b on c from hand rotate mirror }
  opening { turn { as usual } turn { swap again } }
  notation { alias "O-O" for own, a1 or b2 alias own, c3 where last = it for own }
  move {
    either by White { pick 2 p from own where it in enemy by enemy } or { } or { pass }
    first { capture p } else { move n of p to empty } else { move (n + 1) of p straight: step }
    repeat in steps while a { for each c in own and b { flip c } }
    repeat silently { remove 2 of p remove bottom of p to hand }
    if a { do x(1, own) } else if b { set y(enemy) = 1 } else { promote p promote p to a or b most count(a) }
    if a { } else { if b { } }
    pick k from 1..n by White
  }
  end { as usual win if a lose if b draw if c White wins if d highest count(a), b wins if c }
  variant "V" { } variant "W" extends "V" { param n = 2 }
}"#;

#[test]
fn rare_forms_are_printed_and_read_again() {
    let rare = RARE.replace("and rank half", "and ranks half").replace("c{0..n}?", "c{0..n}");
    let tree = whole(&rare);
    let again = whole(&print(&tree));
    assert_eq!(without_spans(&tree), without_spans(&again), "{}", print(&tree));
}

#[test]
fn a_line_among_arguments_takes_its_turnings() {
    let text = "define a = catches(p, a: ^ b, c: d or ^ e, f: g, h)\n";
    let file = whole(text);
    assert_eq!(print(&file), text);
    let SectionKind::Define(define) = &file.declarations[0].node else { panic!("it is a define") };
    let ExprKind::Call(_, arguments) = &*define.body.kind else { panic!("it is a call") };
    assert_eq!(arguments.len(), 3);
    assert_eq!(&text[arguments[1].span.start as usize..arguments[1].span.end as usize], "a: ^ b, c: d or ^ e, f: g");
}

#[test]
fn spans_cover_what_was_written() {
    let text = "game \"x\" {\n  define a = b or c   # said\n\n  define d = f( 1 )  \n}";
    let game = whole(text).game.expect("it is a game");
    let slice = |span: Span| &text[span.start as usize..span.end as usize];
    let spans: Vec<&str> = game.sections.iter().map(|section| slice(section.span)).collect();
    assert_eq!(spans, ["define a = b or c", "define d = f( 1 )"]);
    assert_eq!(slice(game.span), text);
}

/// A text with a wrong section in a game, the code, and what is pointed at.
const WRONG: &[(&str, &str, &str)] = &[
    ("move { pick from own }", "syntax-unexpected", "from"),
    ("move { pick p of own }", "syntax-unexpected", "of"),
    ("define a", "syntax-unexpected", "}"),
    ("define a = b +", "syntax-unexpected", "}"),
    ("define a = f(1..2", "syntax-unclosed-bracket", "("),
    ("define a = f(a and b..c)", "syntax-unexpected", ".."),
    ("define a = f(not a..c)", "syntax-unexpected", ".."),
    ("define a = -1", "syntax-unexpected", "-"),
    ("move { need (a and b pick c from own }", "syntax-unclosed-bracket", "("),
    ("move { need a) }", "syntax-stray-closing", ")"),
    ("move { move p straight: ^ <enemy own to empty }", "syntax-unclosed-bracket", "<"),
    ("about { note \"abc }\n", "syntax-unterminated-string", "\"abc }"),
    ("piece turn { }", "syntax-reserved-name", "turn"),
    ("define first = own", "syntax-reserved-name", "first"),
    ("define f(piece) = own", "syntax-reserved-name", "piece"),
    ("move { let move = own }", "syntax-reserved-name", "move"),
    ("define x = turn + 1", "syntax-reserved-name", "turn"),
    ("about { board \"8x8\" }", "syntax-reserved-name", "board"),
    ("define a1 = own", "syntax-cell-as-name", "a1"),
    ("move { pick c1 from own }", "syntax-cell-as-name", "c1"),
    ("define a = b == c", "syntax-double-equals", "=="),
    ("define a = b && c", "syntax-foreign-mark", "&&"),
    ("define a = b || c", "syntax-foreign-mark", "||"),
    ("define a = !b", "syntax-foreign-mark", "!"),
    ("move { n = n + 1 }", "syntax-assignment-without-set", "n"),
    ("move { pick p from own\n n = n + 1 }", "syntax-assignment-without-set", "n"),
    ("move { pick p from own   n = n + 1 }", "syntax-assignment-without-set", "n"),
    ("move { again   n = n + 1 }", "syntax-assignment-without-set", "n"),
    ("move { move p   n = 2\n move p }", "syntax-assignment-without-set", "n"),
    ("move { move p\n n = n + 1\n need a }", "syntax-assignment-without-set", "n"),
    ("move { move p straight: step\n n = n + 1\n need a }", "syntax-assignment-without-set", "n"),
    ("move { need a\n n(own) = n + 1\n need a }", "syntax-assignment-without-set", "n"),
    ("move { castle(p) }", "syntax-statement-begins-with-name", "castle"),
    ("move { need a\n castle\n need b }", "syntax-statement-begins-with-name", "castle"),
    ("move { if a pick p from own }", "syntax-missing-braces", "pick"),
    ("move { if a { pass } else pick p from own }", "syntax-missing-braces", "pick"),
    ("move { repeat pick p from own }", "syntax-missing-braces", "pick"),
    ("move { repeat while a pick p from own }", "syntax-missing-braces", "pick"),
    ("move { either pass or { } }", "syntax-missing-braces", "pass"),
    ("move pick p from own", "syntax-missing-braces", "pick"),
    ("piece man { if here in a move north: step }", "syntax-missing-braces", "move"),
    ("move { if a then { pass } }", "syntax-then-before-block", "then"),
    ("param x = 99999999999999999999", "syntax-number-too-large", "99999999999999999999"),
    ("board square 8x8", "syntax-malformed-number", "8x8"),
    ("piece King { }", "syntax-capital-name", "King"),
    ("move { pick P from own }", "syntax-capital-name", "P"),
    ("players white north, Black south", "syntax-small-player", "white"),
    ("players White north, black south", "syntax-small-player", "black"),
    ("end { white wins if a }", "syntax-small-player", "white"),
    ("piece king k { }", "syntax-piece-letter", "k"),
    ("piece king Kg { }", "syntax-piece-letter", "Kg"),
    ("move { need a; need b }", "syntax-unknown-character", ";"),
    ("define a = größe", "syntax-unknown-character", "öß"),
    ("define a = b[1]", "syntax-unknown-character", "["),
    ("define a = 1.5", "syntax-unknown-character", "."),
    ("players White", "syntax-unexpected", "}"),
    ("board square 8", "syntax-unexpected", "}"),
    ("board round 8", "syntax-unexpected", "round"),
    ("remember x", "syntax-unexpected", "}"),
    ("end { win when a }", "syntax-unexpected", "when"),
    ("end { lost if a }", "syntax-unexpected", "lost"),
    ("move { pick c from a = b }", "syntax-unexpected", "="),
    ("move { else { } }", "syntax-unexpected", "else"),
    ("frobnicate { }", "syntax-no-such-section", "frobnicate"),
    ("move { do f(a }", "syntax-unclosed-bracket", "("),
    ("define a = f(b c d", "syntax-unclosed-bracket", "("),
    ("action f(A) { }", "syntax-capital-name", "A"),
];

#[test]
fn a_mistake_is_named_and_shown() {
    let mut wrong = Vec::new();
    for (section, code, covered) in WRONG {
        let text = format!("game \"é\" {{\n  {section}\n}}\n");
        let found = mistakes(&text);
        let first = found.first().map(|(code, covered)| (*code, covered.as_str()));
        let at_first = first == Some((code, covered));
        if !at_first || (found.len() > 1 && !matches!(*covered, "[" | "(")) {
            wrong.push(format!("{section}\n   wanted {code} {covered:?}\n   found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_brace_that_is_never_closed_is_shown() {
    let text =
        "game \"x\" {\n  move {\n    pick p from own\n    if a {\n      move p\n  }\n\n  end {\n    win if a\n  }\n}\n";
    let (file, errors) = parse(SourceId(0), text);
    assert_eq!(errors.len(), 1, "{errors:#?}");
    let brace = text.find("if a {").expect("it is there") + 5;
    assert_eq!(errors[0].kind, SyntaxErrorKind::MissingClosingBrace);
    assert_eq!((errors[0].span.start as usize, errors[0].span.end as usize), (brace, brace + 1));
    assert_eq!(errors[0].other.map(|span| span.start as usize), text.find("end {"));
    assert_eq!(file.game.map(|game| game.sections.len()), Some(1));
}

#[test]
fn braces_that_are_missing_or_too_many() {
    let game = |body: &str| format!("game \"x\" {{\n{body}\n}}\n");
    let missing = "syntax-missing-closing-brace";
    let cases = [
        (game("  move { pick p from own  end { }"), missing, 18),
        (game("  move {\n    pick p from own\n  end { }"), missing, 18),
        (game("  variant \"v\" {\n    move { }\n"), missing, 25),
        ("game \"x\" {\n  move { }\n".into(), missing, 9),
        ("action f {\n  if a {\n}\ndefine g = own\n".into(), missing, 18),
        (game("  move { } }\n  end { }"), "syntax-stray-closing", 22),
        (game("  move {\n    if a { }\n    }\n    }\n    pass\n  }\n  end { }"), "syntax-stray-closing", 37),
        (game("  move { }\n}"), "syntax-stray-closing", 24),
    ];
    for (text, code, at) in cases {
        let (_, errors) = parse(SourceId(0), &text);
        let found: Vec<_> = errors.iter().map(|error| (error.kind.code(), error.span.start)).collect();
        assert!(found.contains(&(code, at)), "wanted {code} at {at}, found {found:?} in\n{text}");
    }
}

#[test]
fn one_run_tells_all_mistakes() {
    let text = "game \"x\" {
  players white, Black
  board square 8 by 8
  piece King K
  define f = a == b
  move { pick from own }
  variant \"v\" {
    end { win when a }
    param n = 3
  }
  action a { if b pass }
}
";
    let codes: Vec<_> = mistakes(text).into_iter().map(|(code, _)| code).collect();
    assert_eq!(
        codes,
        [
            "syntax-small-player",
            "syntax-capital-name",
            "syntax-double-equals",
            "syntax-unexpected",
            "syntax-unexpected",
            "syntax-missing-braces"
        ]
    );
    let game = parse(SourceId(0), text).0.game.expect("the head is sound");
    assert_eq!(game.sections.len(), 2);
}

#[test]
fn what_is_no_game_is_told() {
    let cases = [
        ("gmae \"x\" { move { } }", "gmae"),
        ("move { }", "move"),
        ("game { }", "{"),
        ("game \"x\" { } game \"y\" { }", "game"),
        ("hello", "hello"),
        ("game \"x\" extends { }", "{"),
        ("game \"x\"", ""),
    ];
    for (text, covered) in cases {
        let found = mistakes(text);
        assert_eq!(found, [("syntax-unexpected", covered.to_owned())], "{text}");
    }
    assert!(mistakes("").is_empty());
}

/// Deeply nested texts of about `count` levels.
fn towers(count: usize) -> Vec<String> {
    let expression = |open: &str, close: &str| format!("define a = {} b {}", open.repeat(count), close.repeat(count));
    let mut towers = vec![
        expression("(", ")"),
        expression("f(", ")"),
        expression("f(a: ^ b, ", ")"),
        expression("f(a: ^ b{", "})"),
        expression("f(a: ^ (", "))"),
        expression("f(rank 1..", ")"),
        expression("not ", ""),
        expression("file of ", ""),
        expression("rank ", ""),
        expression("rank 1..rank ", ""),
        expression("if a then b else ", ""),
        expression("some a where ", ""),
        expression("(some a where ", ")"),
        expression("(if a then ", " else b)"),
        expression("b + ", ""),
        expression("(b + b + ", ")"),
        expression("(b * b - ", ")"),
        format!("action a {{ {} }}", "if a { } else ".repeat(count) + "{ }"),
        format!("action a {} {}", "{ if a ".repeat(count), "}".repeat(count)),
        format!("action a {{ {} {} }}", "first { ".repeat(count), "} else { }".repeat(count)),
        format!("pattern p = ^ {}", "<".repeat(count)),
        format!("pattern p = ^ {} b {}", "< not ".repeat(count), ">".repeat(count)),
        format!("game \"x\" {{ {} {} }}", "variant \"x\" { ".repeat(count), "}".repeat(count)),
    ];
    let broken: Vec<String> =
        towers.iter().flat_map(|tower| [format!("{tower} )"), tower.replace(" b ", " ; ")]).collect();
    towers.extend(broken);
    towers.extend(
        ["(", "{", ")", "}", "<", "not ", "a ", "1..", "f(", "if ", "else ", "or ", "^", "\"", "é", "variant \"x\" {"]
            .map(|mark| mark.repeat(count)),
    );
    towers.extend(["f(", "f(a: ^ b, ", "f(rank 1..", "(some a where ", "f(a: ^ b{"].map(|open| expression(open, "")));
    towers
}

#[test]
fn deep_nesting_is_refused() {
    for tower in towers(5_000) {
        let (_, errors) = parse(SourceId(0), &tower);
        assert!(!errors.is_empty(), "{}", &tower.chars().take(60).collect::<String>());
    }
    let (_, errors) = parse(SourceId(0), &format!("define a = {}1{}", "(".repeat(201), ")".repeat(201)));
    assert_eq!(errors[0].kind, SyntaxErrorKind::NestedTooDeep);
    whole(&format!("define a = {}1{}", "(".repeat(199), ")".repeat(199)));
    assert_eq!(mistakes(&format!("define a = 1{}", " + 1".repeat(200)))[0].0, "syntax-nested-too-deep");
    whole(&format!("define a = 1{}", " + 1".repeat(199)));
}

#[test]
fn long_and_flat_is_no_depth() {
    whole(&format!("define a = b{}", " and not c or some d in e".repeat(4_000)));
    whole(&format!("action a {{ {} }}", "if a { pass } need b < c where d ".repeat(4_000)));
    whole(&format!("action a {{ {} }}", "let a = if b then c else d  pick p from own where a ".repeat(3_000)));
    whole(&format!("define a = f({}b)", "if b then c else d, rank 1 < 2 where x, a: ^ b, c: d, ".repeat(2_000)));
}

/// Nested as deep as may be, so that work that doubles with each level would never end.
#[test]
fn no_nesting_takes_exponential_time() {
    let begun = std::time::Instant::now();
    for count in [30, 95, 190] {
        for tower in towers(count) {
            print(&parse(SourceId(0), &tower).0);
        }
    }
    for count in [30, 95, 190] {
        let wide = towers(count).join("\n").replace("game", "");
        parse(SourceId(0), &wide);
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

/// A small generator of numbers that are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

fn mutate(text: &str, numbers: &mut Numbers) -> String {
    const BITS: [&str; 16] = [
        "{",
        "}",
        "(",
        ")",
        "<",
        "\"",
        "é",
        "=",
        "..",
        " where ",
        "1",
        " not ",
        "\n",
        "A",
        " variant \"x\" { ",
        " end { ",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len());
        match numbers.below(4) {
            0 => drop(bytes.splice(at..at, BITS[numbers.below(BITS.len())].bytes())),
            1 => drop(bytes.drain(at..(at + numbers.below(30)).min(bytes.len()))),
            2 => bytes[at] = numbers.below(256) as u8,
            _ => bytes.truncate(if numbers.below(4) == 0 { at.max(1) } else { bytes.len() }),
        }
        if bytes.is_empty() {
            bytes.push(b' ');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mutated_rules_never_panic() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let rules = rules();
    for round in 0..1_000 {
        let text = mutate(&rules[round % rules.len()].1, &mut numbers);
        let (file, errors) = parse(SourceId(0), &text);
        for error in &errors {
            for span in [Some(error.span), error.other].into_iter().flatten() {
                assert!(text.get(span.start as usize..span.end as usize).is_some(), "{error:?}");
            }
            let kind = &error.kind;
            assert!(!kind.message().is_empty() && !kind.label().is_empty() && !kind.other_label().is_empty());
            kind.help();
        }
        if errors.is_empty() {
            let again = whole(&print(&file));
            assert_eq!(without_spans(&file), without_spans(&again), "{text}");
        }
    }
}

#[test]
fn too_large_a_text_is_refused() {
    let text = " ".repeat(TEXT_LIMIT + 1);
    assert_eq!(mistakes(&text), [("syntax-text-too-large", String::new())]);
    let text = format!("define a = b{}\n", " ".repeat(80)).repeat(TEXT_LIMIT / 93);
    whole(&text);
}
