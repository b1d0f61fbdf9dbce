//! Command `coverage`: games go in; the rules that random games and examples used come out, with how
//! often, as annotated text, a page, LCOV or data.

use std::fmt::Write;
use std::process::ExitCode;

use crate::cli::args::{CoverageArgs, CoverageFormat, GameArgs};
use crate::cli::{Failure, Outcome, coverage_part};
use crate::game::{Coverage, CoveredFile, Exercise, RuleKind};

pub fn run(args: &CoverageArgs) -> Outcome {
    if let Some(path) = &args.at.out {
        return coverage_part::run(args, &args.at, path);
    }
    let exercise =
        Exercise { first: 0, games: args.games, seed: args.seed, max_turns: args.max_turns, examples: args.examples };
    let mut coverage = Coverage::default();
    for name in &args.games_named {
        let game = crate::cli::select::load(&GameArgs::plain(name))?;
        coverage.add(game.coverage(&exercise).map_err(|error| crate::cli::failure(&game, error, None))?);
    }
    print(&coverage, args.format, args.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what was counted, in one of the forms.
///
/// # Errors
/// A standard output that cannot be written.
pub fn print(coverage: &Coverage, format: CoverageFormat, as_data: bool) -> Result<(), Failure> {
    match format {
        _ if as_data => crate::cli::print_json(coverage),
        CoverageFormat::Json => crate::cli::print_json(coverage),
        CoverageFormat::Text => crate::cli::print(&text(coverage)),
        CoverageFormat::Html => crate::cli::print(&html(coverage)),
        CoverageFormat::Lcov => crate::cli::print(&lcov(coverage)),
    }
}

fn counted(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// What was played, in a line.
fn played(coverage: &Coverage) -> String {
    let mut text = format!("{}: {}", coverage.played.join(", "), counted(coverage.games, "random game"));
    if coverage.examples > 0 {
        text += &format!(", {}", counted(coverage.examples, "example"));
    }
    text + &format!(", {}", counted(coverage.turns, "turn"))
}

/// How many of the rules of each kind were used.
fn shares(coverage: &Coverage) -> String {
    let kinds = [RuleKind::Statement, RuleKind::Alternative, RuleKind::Way, RuleKind::Outcome];
    let shares = kinds.iter().filter_map(|kind| {
        let rules = coverage.files.iter().flat_map(|file| &file.rules).filter(|rule| rule.kind == *kind);
        let (used, all) = rules.fold((0_u64, 0_u64), |(used, all), rule| (used + u64::from(rule.count > 0), all + 1));
        (all > 0).then(|| format!("{used} of {}", counted(all, kind.word())))
    });
    shares.collect::<Vec<_>>().join(", ")
}

fn text(coverage: &Coverage) -> String {
    let mut text = format!("{}\nused: {}\n", played(coverage), shares(coverage));
    for file in coverage.files.iter().filter(|file| !file.rules.is_empty()) {
        let lines = file.lines();
        let width = lines.values().map(|(count, _)| count.to_string().len()).max().unwrap_or(1).max(5);
        text += &format!("\n{}\n", file.name);
        for (at, line) in file.text.lines().enumerate() {
            let (count, mark) = match lines.get(&(at + 1)) {
                Some((0, _)) => (String::from("never"), '!'),
                Some((count, some_unused)) => (count.to_string(), if *some_unused { '!' } else { ' ' }),
                None => (String::new(), ' '),
            };
            text += format!("{count:>width$} {mark}| {line}").trim_end();
            text.push('\n');
        }
    }
    let unused: Vec<String> = coverage
        .unused()
        .map(|(file, rule)| {
            format!("  {}:{}:{}: {} `{}`\n", file.name, rule.line, rule.column, rule.kind.word(), rule.rule)
        })
        .collect();
    match unused.as_slice() {
        [] => text + "\nEvery rule was used.\n",
        unused => text + &format!("\nNever used:\n{}", unused.concat()),
    }
}

/// As `geninfo` of LCOV writes it: lines, and alternatives, ways and outcomes as branches.
fn lcov(coverage: &Coverage) -> String {
    let mut text = String::new();
    for file in coverage.files.iter().filter(|file| !file.rules.is_empty()) {
        text += &format!("TN:\nSF:{}\n", file.name);
        let branches = file.rules.iter().filter(|rule| rule.kind != RuleKind::Statement);
        let (mut all, mut hit, mut number, mut line) = (0, 0, 0, 0);
        for rule in branches {
            number = if rule.line == line { number + 1 } else { 0 };
            line = rule.line;
            text += &format!("BRDA:{line},0,{number},{}\n", rule.count);
            all += 1;
            hit += u64::from(rule.count > 0);
        }
        text += &format!("BRF:{all}\nBRH:{hit}\n");
        let lines = file.lines();
        for (line, (count, _)) in &lines {
            text += &format!("DA:{line},{count}\n");
        }
        let hit = lines.values().filter(|(count, _)| *count > 0).count();
        text += &format!("LF:{}\nLH:{hit}\nend_of_record\n", lines.len());
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}\
td{font-family:monospace;white-space:pre;padding:0 .6em}td:first-child,td:nth-child(2){text-align:right;color:#666}\
.used{background:#e3f4e1}.part{background:#fdf3d0}.never{background:#fbdcd9}";

fn html(coverage: &Coverage) -> String {
    let title = escaped(&coverage.played.join(", "));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage: {title}</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>Coverage: {title}</h1>\n<p>{}</p>\n<p>Used: {}.</p>\n",
        escaped(&played(coverage)),
        shares(coverage)
    );
    for file in coverage.files.iter().filter(|file| !file.rules.is_empty()) {
        page += &table(file);
    }
    page += "<h2>Never used</h2>\n<ul>\n";
    for (file, rule) in coverage.unused() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "<li>{}:{}:{}: {} <code>{}</code></li>",
            escaped(&file.name),
            rule.line,
            rule.column,
            rule.kind.word(),
            escaped(&rule.rule)
        );
    }
    page + "</ul>\n</body></html>\n"
}

fn table(file: &CoveredFile) -> String {
    let lines = file.lines();
    let mut table = format!("<h2>{}</h2>\n<table>\n", escaped(&file.name));
    for (at, line) in file.text.lines().enumerate() {
        let (count, class) = match lines.get(&(at + 1)) {
            Some((0, _)) => (String::from("0"), "never"),
            Some((count, true)) => (count.to_string(), "part"),
            Some((count, false)) => (count.to_string(), "used"),
            None => (String::new(), "none"),
        };
        table += &format!("<tr class=\"{class}\"><td>{}</td><td>{count}</td><td>{}</td></tr>\n", at + 1, escaped(line));
    }
    table + "</table>\n"
}
