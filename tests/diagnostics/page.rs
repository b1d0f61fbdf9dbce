//! `docs/errors.md` is made from the files of `tests/games/fail`: every code, what it means, an
//! example, how to mend it. With `LUSORIA_BLESS` set the page is written anew.

use std::fmt::Write;

use lusoria::board::{Cell, Player};
use lusoria::check::Severity;
use lusoria::model::Type;
use lusoria::notation::{NotationError, NotationErrorKind};
use lusoria::position::{Fault, FaultKind};
use lusoria::report::pages::pages;
use lusoria::report::{Notice, severity_word};
use lusoria::source::Span;

use super::cases::{Case, all_codes, failing};
use crate::common::project;

const HEAD: &str = "\
# Errors and warnings

What `lusoria check` and the other commands may say, by code; `lusoria explain CODE` prints the same. Errors keep a game
from being played; warnings do not. A file's mistakes are all told in one run, except that a section whose syntax is wrong is
not looked at further. This page is made from the files in `tests/games/fail`.
";

#[test]
fn the_page_of_errors_is_complete() {
    let page = page();
    let path = project("docs/errors.md");
    if std::env::var_os("LUSORIA_BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/errors.md is not up to date: run the tests with LUSORIA_BLESS=1");
}

fn page() -> String {
    let cases = failing();
    let mut meaning = Vec::new();
    let mut syntax = Vec::new();
    for code in all_codes() {
        let Some(case) = cases.iter().find(|case| case.name == code) else { continue };
        let part = if code.starts_with("syntax-") { &mut syntax } else { &mut meaning };
        part.push(entry(case));
    }
    let faults: Vec<String> = FAULTS.into_iter().map(fault).collect();
    let others = |others: &[Other]| others.iter().map(Other::page).collect::<Vec<_>>().join("\n");
    let texts: Vec<String> = texts().into_iter().map(text_error).collect();
    format!(
        "{HEAD}\n## Mistakes of syntax\n\n{}\n## Mistakes of meaning\n\n{}\n{FAULTS_HEAD}\n{}\n{SETUPS_HEAD}\n{}\n{PLAYOUTS_HEAD}\n{}\n\
         {TEXTS_HEAD}\n{}",
        syntax.join("\n"),
        meaning.join("\n"),
        faults.join("\n"),
        others(&SETUPS),
        others(&PLAYOUTS),
        texts.join("\n"),
    )
}

/// A code that stands in the program alone.
struct Other {
    code: &'static str,
    meaning: &'static str,
    mend: &'static str,
}

impl Other {
    fn page(&self) -> String {
        format!("### `{}`\n\n{}\n\n- help: {}\n", self.code, self.meaning, self.mend)
    }
}

const SETUPS_HEAD: &str = "\
## Set-ups

What keeps a game from being set up, besides faults.
";

const SETUPS: [Other; 2] = [
    Other {
        code: "setup-dies",
        meaning: "No way through `setup` meets all its conditions, so the game cannot begin.",
        mend: "look at what its `pick` and `need` ask",
    },
    Other {
        code: "setup-number",
        meaning: "`--setup` asks for a number beyond the last of the set-ups that may be drawn.",
        mend: "choose a lesser number, or leave out `--setup`: then the seed draws one",
    },
];

const PLAYOUTS_HEAD: &str = "\
## Play

What `lusoria check` warns of when it sets up a game and, with `--playouts`, plays it at random. Random games cannot prove
it: more of them tell more.
The games and variants of a file are set up one after the other, for a second at most.
";

const PLAYOUTS: [Other; 7] = [
    Other {
        code: "example-failed",
        meaning: "A claim of an `example` does not hold. `lusoria test` draws the board too. Of a move it gives the call of `lusoria why` that \
                  tells which lines decide.",
        mend: "mend the rules, or what the example claims of them",
    },
    Other {
        code: "play-setup",
        meaning: "The set-up goes wrong however it is drawn, so no game can begin.",
        mend: "look at what its `place`, `pick` and `need` ask",
    },
    Other {
        code: "play-over-at-start",
        meaning: "The game is over before its first turn, or every first turn ends it.",
        mend: "look at the set-up with `lusoria show`; ask for what only play brings about",
    },
    Other {
        code: "play-unfinished",
        meaning: "Some random games did not end within `--max-turns`.",
        mend: "`draw if times(position) >= 3` ends games that come back to where they were",
    },
    Other {
        code: "play-outcome-unused",
        meaning: "No random game ended by this outcome.",
        mend: "it may be rare: more `--playouts` tell; or it cannot happen at all",
    },
    Other {
        code: "play-alternative-unused",
        meaning: "No random game went through this block.",
        mend: "it may be rare: more `--playouts` tell; or it cannot happen at all",
    },
    Other {
        code: "play-path-unused",
        meaning: "No move of the random games was made by this pattern.",
        mend: "it may be rare: more `--playouts` tell; or it cannot happen at all",
    },
];

const TEXTS_HEAD: &str = "\
## Positions and moves as text

What may be wrong with a position or a move that is given. The examples are of Chess unless they say otherwise.
";

/// What is wrong with a text, and such a text.
fn texts() -> Vec<(NotationErrorKind, &'static str)> {
    use NotationErrorKind as K;
    let text = |text: &str| String::from(text);
    let list = |words: &[&str]| words.iter().map(|word| String::from(*word)).collect::<Vec<String>>();
    let players = list(&["White", "Black"]);
    vec![
        (K::NoBoard, "(nothing)"),
        (K::Parts { part: "rank", found: 7, wanted: 8 }, "8/8/8/8/8/8/8 White"),
        (K::CellsOfPart { part: text("rank 7"), found: 9, wanted: 8 }, "8/ppppppppp/8/8/8/8/8/8 White"),
        (K::UnknownMan { found: 'x', known: text("BKNPQR") }, "8/8/3x4/8/8/8/8/8 White"),
        (K::NoSuchSeat { found: text("k'"), players: 2 }, "8/8/3k'4/8/8/8/8/8 White"),
        (K::NeutralOfNoKind { known: text("M*, B*") }, "5/5/2*2/5/5 White (a game with two neutral kinds)"),
        (K::ZeroRun, "8/8/p0p5/8/8/8/8/8 White"),
        (K::NoStacks, "8/8/[KQ]7/8/8/8/8/8 White"),
        (K::OpenStack, "5/5/[Mm4/5/5 White (a game with stacks)"),
        (K::EmptyStack, "5/5/[]4/5/5 White (a game with stacks)"),
        (K::BadCount { found: text("0"), most: 255 }, "5/5/[M0]4/5/5 White (a game with stacks)"),
        (K::TooManyMen { found: 765, most: 512 }, "[M255][M255][M255]5/8/8/8/8/8/8/8 White (a game with stacks)"),
        (K::UnknownPlayer { found: text("Green"), known: players.clone() }, "8/8/8/8/8/8/8/8 Green"),
        (
            K::AmbiguousPlayer { found: text("B"), fitting: list(&["Black", "Blue"]) },
            "5/5/5/5/5 B (a game of Black and Blue)",
        ),
        (
            K::NotAKey { found: text("KQkq"), known: list(&["unmoved", "skipped", "quiet"]) },
            "8/8/8/8/8/8/8/8 White KQkq",
        ),
        (
            K::UnknownKey { found: text("unmovd"), known: list(&["unmoved", "skipped", "quiet"]) },
            "8/8/8/8/8/8/8/8 White unmovd=a1",
        ),
        (K::KeyTwice { key: text("quiet") }, "8/8/8/8/8/8/8/8 White quiet=1 quiet=2"),
        (K::NeedsPlayer { key: text("hand"), player: text("White") }, "5/5/5/5/5 White hand=M2 (a game with hands)"),
        (K::NoPlayer { key: text("White.quiet") }, "8/8/8/8/8/8/8/8 White White.quiet=3"),
        (K::BadValue { found: text("many"), wanted: Type::Number }, "8/8/8/8/8/8/8/8 White quiet=many"),
        (K::UnknownCell { found: text("z9") }, "8/8/8/8/8/8/8/8 White unmoved=a1+z9"),
        (K::BadHand { found: text("2M"), known: text("M") }, "5/5/5/5/5 White White.hand=2M (a game with hands)"),
        (
            K::BadOpening { found: text("5"), turns: 3 },
            "5/5/5/5/5 White opening=5 (a game with three turns of opening)",
        ),
        (
            K::UnknownChoices { found: text("e2-e9"), near: list(&["e2-e3", "e2-e4"]) },
            "5/5/5/5/5 White : e2-e9 (a game that chooses in steps)",
        ),
        (
            K::Field { field: text("side to move"), found: text("x"), wanted: text("`w` or `b`") },
            "8/8/8/8/8/8/8/8 x - - 0 1",
        ),
        (K::Fault { message: text("division by zero") }, "5/5/5/5/5 White : a1-a2 (a game that faults there)"),
        (K::NoMove, "(nothing)"),
        (
            K::UnknownMove {
                found: text("e2-e5"),
                near: list(&["e2-e3", "e2-e4"]),
                parts: Vec::new(),
                rest: String::new(),
            },
            "e2-e5",
        ),
        (K::AmbiguousMove { found: text("e5 d6"), fitting: list(&["e5xd6", "e5-d6"]) }, "e5 d6"),
        (K::NoMoves, "e2-e4, in a position that is over"),
    ]
}

fn text_error((kind, example): (NotationErrorKind, &str)) -> String {
    let error = NotationError { kind, span: 0..0 };
    let help = error.help().map(|help| format!("- help: {help}\n")).unwrap_or_default();
    format!("### `{}`\n\n```\n{example}\n```\n\n- error: {}\n{help}", error.code(), error.message())
}

/// Every code that the program may tell has a page.
#[test]
fn every_code_can_be_explained() {
    let explained: Vec<&str> = pages().into_iter().map(|page| page.code).collect();
    let mut told = all_codes();
    let sources = [
        "crates/core/src/position/fault.rs",
        "src/notation/error.rs",
        "crates/reference/src/reference/mod.rs",
        "src/cli/check.rs",
    ]
    .map(|path| std::fs::read_to_string(project(path)).expect("the file is there"));
    let prefixes = ["fault-", "position-", "move-", "setup-", "play-"];
    for word in sources.iter().flat_map(|text| text.split('"').skip(1).step_by(2)) {
        if prefixes.iter().any(|prefix| word.starts_with(prefix)) && !word.contains([' ', '.']) {
            told.push(word);
        }
    }
    told.retain(|code| !explained.contains(code));
    assert!(told.is_empty(), "docs/errors.md has no page of {told:?}");
}

const FAULTS_HEAD: &str = "\
## Faults

What the checker cannot see stops a game while it is played, without a result, and is told with its place in the rules.
";

/// What triggers each fault.
const FAULTS: [(FaultKind, &str); 14] = [
    (FaultKind::Overflow, "set n = n * n"),
    (FaultKind::DivisionByZero, "let share = 8 / count(enemy)"),
    (FaultKind::TwoMen(Cell(0)), "place man on c   place man on c"),
    (FaultKind::Men(512), "place (300) man on c"),
    (FaultKind::NotOneCell(0), "need file of (own king) > 4"),
    (FaultKind::Rounds, "repeat while some enemy { move p straight: step }"),
    (FaultKind::Depth, "define safe(c) = no enemy and safe(adjacent(c))"),
    (FaultKind::Plies, "pick a from any   pick b from any   pick c from any"),
    (FaultKind::Work, "repeat silently { either { } or { } }"),
    (FaultKind::SetupPlies, "setup { pick 12 c from empty   place man on c }"),
    (FaultKind::SetupWork, "setup { pick a from 1..9999   pick b from 1..9999   need a + b < 2 }"),
    (FaultKind::Stuck(Player(1)), "end { win if no enemy }"),
    (FaultKind::Supposed, "pick p from own   move p straight: step   need not stuck(enemy)"),
    (FaultKind::Chance(Span::NOWHERE), "pick n from 1..6 by chance   need n > 1"),
];

fn fault((kind, example): (FaultKind, &str)) -> String {
    let fault = Fault::new(kind, Span::default());
    format!("### `{}`\n\n```\n{example}\n```\n\n- error: {}\n- help: {}\n", fault.code(), fault.message(), fault.help())
}

/// Faults cannot be listed by themselves; their codes stand in one place.
#[test]
fn the_page_has_all_faults() {
    let source = std::fs::read_to_string(project("crates/core/src/position/fault.rs")).expect("the file is there");
    assert_eq!(source.matches("=> \"fault-").count(), FAULTS.len());
}

fn entry(case: &Case) -> String {
    let outcome = case.run();
    let notices = outcome.notices();
    let notice = notices.iter().find(|notice| notice.code == case.name).expect("the file has its own mistake");
    let mut text = format!("### `{}`\n\n", case.name);
    if notice.severity == Severity::Warning {
        text += "A warning. ";
    }
    writeln!(text, "{}\n\n```\n{}\n```\n", case.meaning(), example(case, notice))
        .expect("writing to a string succeeds");
    writeln!(text, "- {}: {}", severity_word(notice.severity), notice.message).expect("writing to a string succeeds");
    if let Some(help) = &notice.help {
        writeln!(text, "- help: {help}").expect("writing to a string succeeds");
    }
    text
}

/// The line of the mistake and its neighbours, without their common indentation and the marks of
/// the tests.
fn example(case: &Case, notice: &Notice) -> String {
    let start = (notice.span.start as usize).min(case.text.len());
    let at = case.text[..start].matches('\n').count();
    let lines: Vec<&str> = case.text.lines().map(unmarked).collect();
    let first = at.saturating_sub(1);
    let around: Vec<&str> = lines[first..(at + 2).min(lines.len())].iter().copied().filter(|l| is_shown(l)).collect();
    let indent = around.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let cut = |line: &&str| line[indent..].chars().take(100).collect::<String>();
    around.iter().map(cut).collect::<Vec<_>>().join("\n")
}

fn unmarked(line: &str) -> &str {
    line.split("#! ").next().unwrap_or(line).trim_end()
}

fn is_shown(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}
