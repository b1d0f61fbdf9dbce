//! `docs/errors.md` is made from the files of `tests/games/fail`: every code, what it means, an
//! example, how to mend it. With `LUSORIA_BLESS` set the page is written anew.

use std::fmt::Write;

use lusoria::board::{Cell, Player};
use lusoria::check::Severity;
use lusoria::position::{Fault, FaultKind};
use lusoria::report::{Notice, severity_word};
use lusoria::source::Span;

use super::cases::{Case, all_codes, failing};
use crate::common::project;

const HEAD: &str = "\
# Errors and warnings

What `lusoria check` may say, by code. Errors keep a game from being played; warnings do not. A file's mistakes are all
told in one run, except that a section whose syntax is wrong is not looked at further. This page is made from the files in
`tests/games/fail`.
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
    format!(
        "{HEAD}\n## Mistakes of syntax\n\n{}\n## Mistakes of meaning\n\n{}\n{FAULTS_HEAD}\n{}",
        syntax.join("\n"),
        meaning.join("\n"),
        faults.join("\n")
    )
}

const FAULTS_HEAD: &str = "\
## Faults

What the checker cannot see stops a game while it is played, without a result, and is told with its place in the rules.
";

/// What triggers each fault.
const FAULTS: [(FaultKind, &str); 9] = [
    (FaultKind::Overflow, "set n = n * n"),
    (FaultKind::DivisionByZero, "let share = 8 / count(enemy)"),
    (FaultKind::TwoMen(Cell(0)), "place man on c   place man on c"),
    (FaultKind::NotOneCell(0), "need file of (own king) > 4"),
    (FaultKind::Rounds, "repeat while some enemy { move p straight: step }"),
    (FaultKind::Depth, "define safe(c) = no enemy and safe(adjacent(c))"),
    (FaultKind::Plies, "pick a from any   pick b from any   pick c from any"),
    (FaultKind::Work, "repeat silently { either { } or { } }"),
    (FaultKind::Stuck(Player(1)), "end { win if no enemy }"),
];

fn fault((kind, example): (FaultKind, &str)) -> String {
    let fault = Fault::new(kind, Span::default());
    format!("### `{}`\n\n```\n{example}\n```\n\n- error: {}\n- help: {}\n", fault.code(), fault.message(), fault.help())
}

/// Faults cannot be listed by themselves; their codes stand in one place.
#[test]
fn the_page_has_all_faults() {
    let source = std::fs::read_to_string(project("src/position/fault.rs")).expect("the file is there");
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
