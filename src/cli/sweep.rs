//! Sweep: arguments go in; the games that they name, one for each value of a param and each variant, come out, and their
//! results side by side.

use std::collections::BTreeSet;

use comfy_table::{CellAlignment, presets};
use serde::Serialize;

use crate::check::{self, ParamValue};
use crate::cli::Failure;
use crate::cli::args::SimulateArgs;
use crate::cli::select;
use crate::game::Game;
use crate::measures::statistics::{Moments, Test, holm, homogeneity, welch};
use crate::measures::tally::{Score, Share, Summary, Tally};

/// Games of a sweep, at most.
const MOST_GAMES: usize = 200;

/// One game of a sweep.
pub struct Entry {
    pub game: Game,
    /// What it differs in from the others: `size=5`, or the name of a variant.
    pub label: String,
    /// The params that are swept.
    pub set: Vec<(String, ParamValue)>,
}

/// The games that are asked for, in the order of the values; those of a variant stand together.
///
/// # Errors
/// Files that cannot be read, mistakes in rules, params that do not fit.
pub fn entries(args: &SimulateArgs) -> Result<Vec<Entry>, Failure> {
    let game = &args.game;
    let swept: Vec<&str> =
        game.params.iter().filter(|(_, values)| values.len() > 1).map(|(name, _)| name.as_str()).collect();
    let mut sets: Vec<Vec<(String, ParamValue)>> = vec![Vec::new()];
    for (name, values) in &game.params {
        let with = |set: &Vec<_>, value: &ParamValue| [set.as_slice(), &[(name.clone(), *value)]].concat();
        sets = sets.iter().flat_map(|set| values.iter().map(move |value| with(set, value))).collect();
    }
    let titles: Vec<Option<String>> = if args.variants {
        let (source, _, variant) = select::named(&game.game)?;
        if variant.is_some() || game.variant.is_some() {
            return Err(Failure::usage(String::from("`--variants` plays all variants: name none")));
        }
        std::iter::once(None).chain(check::variant_titles(&source).into_iter().map(Some)).collect()
    } else {
        vec![game.variant.clone()]
    };
    if titles.len() * sets.len() > MOST_GAMES {
        let count = titles.len() * sets.len();
        return Err(Failure::usage(format!("these are {count} games; at most {MOST_GAMES} are put side by side")));
    }
    let mut entries = Vec::new();
    for title in &titles {
        for set in &sets {
            let game = select::load_as(&game.game, title.clone(), set.clone())?;
            let set: Vec<(String, ParamValue)> =
                set.iter().filter(|(name, _)| swept.contains(&name.as_str())).cloned().collect();
            let values = set.iter().map(|(name, value)| format!("{name}={}", text(value)));
            let name = (args.variants || set.is_empty()).then(|| game.name().to_string());
            let label = name.into_iter().chain(values).collect::<Vec<_>>().join(", ");
            entries.push(Entry { game, label, set });
        }
    }
    Ok(entries)
}

fn text(value: &ParamValue) -> String {
    match value {
        ParamValue::Number(number) => number.to_string(),
        ParamValue::Truth(truth) => truth.to_string(),
    }
}

/// The results of one game of a sweep.
#[derive(Serialize)]
pub struct Line {
    pub label: String,
    pub game: String,
    pub set: serde_json::Map<String, serde_json::Value>,
    #[serde(flatten)]
    pub summary: Summary,
    /// Half of the 95 % interval of the mean number of turns.
    pub turns_half_interval: f64,
    /// Against the first game: who won, and how long games are.
    pub results_test: Option<Test>,
    pub turns_test: Option<Test>,
    /// The values of p, held against how many games are compared.
    pub results_p: Option<f64>,
    pub turns_p: Option<f64>,
}

/// All results, with a test of whether they differ at all.
#[derive(Serialize)]
pub struct Compared {
    pub partial: bool,
    pub seed: u64,
    pub max_turns: u32,
    pub lines: Vec<Line>,
    pub results_test: Test,
}

/// Results of some games, the first of which the others are held against.
pub fn compared(args: &SimulateArgs, played: &[(&Entry, Tally)], partial: bool) -> Compared {
    let keys: BTreeSet<u64> = played.iter().flat_map(|(_, tally)| tally.results().0.keys().copied()).collect();
    let row = |tally: &Tally| {
        let (results, unfinished) = tally.results();
        let counts = keys.iter().map(|key| results.get(key).copied().unwrap_or(0));
        counts.chain([unfinished]).collect::<Vec<u64>>()
    };
    let rows: Vec<Vec<u64>> = played.iter().map(|(_, tally)| row(tally)).collect();
    let moments: Vec<Moments> = played.iter().map(|(_, tally)| tally.moments()).collect();
    let others = 1..played.len();
    let results: Vec<Test> = others.clone().map(|at| homogeneity(&[rows[0].clone(), rows[at].clone()])).collect();
    let turns: Vec<Test> = others.map(|at| welch(&moments[0], &moments[at])).collect();
    let adjusted = |tests: &[Test]| holm(&tests.iter().map(|test| test.p).collect::<Vec<_>>());
    let (results_p, turns_p) = (adjusted(&results), adjusted(&turns));
    let line = |(at, (entry, tally)): (usize, &(&Entry, Tally))| {
        let other = at.checked_sub(1);
        Line {
            label: entry.label.clone(),
            game: entry.game.name().to_string(),
            set: entry.set.iter().map(|(name, value)| (name.clone(), data(value))).collect(),
            summary: tally.summary(entry.game.model()),
            turns_half_interval: moments[at].half_interval(),
            results_test: other.map(|other| results[other]),
            turns_test: other.map(|other| turns[other]),
            results_p: other.map(|other| results_p[other]),
            turns_p: other.map(|other| turns_p[other]),
        }
    };
    Compared {
        partial,
        seed: args.game.seed,
        max_turns: args.max_turns,
        lines: played.iter().enumerate().map(line).collect(),
        results_test: homogeneity(&rows),
    }
}

fn data(value: &ParamValue) -> serde_json::Value {
    match value {
        ParamValue::Number(number) => (*number).into(),
        ParamValue::Truth(truth) => (*truth).into(),
    }
}

/// The games side by side, one a line.
pub fn table(compared: &Compared, title: &str) -> String {
    let lines = &compared.lines;
    let Some(first) = lines.first() else { return String::new() };
    let names = players(lines);
    let details = lines.iter().any(|line| line.summary.details.is_some());
    let mut header = vec![String::new(), String::from("games")];
    header.extend(names.iter().map(|name| format!("{name} wins")));
    header.extend(["draw", "unfinished", "turns", "branching"].map(String::from));
    if details {
        header.extend(["forced", "captures", "lead changes"].map(String::from));
    }
    header.extend(["p (results)", "p (turns)"].map(String::from));
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for line in lines {
        let summary = &line.summary;
        let mut row = vec![line.label.clone(), summary.games.to_string()];
        let won =
            |seat: usize| summary.players.get(seat).map_or(String::from("-"), |one| share(one.share, one.interval));
        row.extend((0..names.len()).map(won));
        row.extend([&summary.draws, &summary.unfinished].map(|one| share(one.share, one.interval)));
        row.push(format!("{:.1} ± {:.1}", summary.turns.mean, line.turns_half_interval));
        row.push(summary.mean_branching.map_or(String::from("-"), |mean| format!("{mean:.1}")));
        if details {
            row.extend(details_row(summary));
        }
        let told =
            |p: Option<f64>, test: Option<Test>| p.zip(test).map_or(String::from("-"), |(p, test)| p_text(p, test));
        row.extend([told(line.results_p, line.results_test), told(line.turns_p, line.turns_test)]);
        table.add_row(row);
    }
    let all = &compared.results_test;
    let partial = if compared.partial { " (partial: interrupted)" } else { "" };
    let few = lines.iter().any(|line| line.results_test.is_some_and(|test| !test.reliable)) || !all.reliable;
    let note = if few { "? has too few games of some result for the test to be relied on\n" } else { "" };
    format!(
        "{title}: random games, seed {}{partial}\n\n{table}\n\nintervals are of 95 %; p tells how likely so great a \
         difference from `{}` is by chance\nall results: chi-square {:.1}, {} degrees of freedom, p {}\n{note}",
        compared.seed,
        first.label,
        all.statistic,
        all.degrees,
        p_text(all.p, *all),
    )
}

fn details_row(summary: &Summary) -> [String; 3] {
    let Some(details) = &summary.details else { return [(); 3].map(|()| String::from("-")) };
    let changes = details.lead_changes.map_or(String::from("-"), |changes| format!("{changes:.2}"));
    [format!("{:.1} %", 100.0 * details.forced), format!("{:.1}", details.captures_a_game), changes]
}

/// The players' names, or their seats where games name them otherwise.
fn players(lines: &[Line]) -> Vec<String> {
    let names = |line: &Line| line.summary.players.iter().map(|one| one.player.clone()).collect::<Vec<_>>();
    let first = lines.first().map(names).unwrap_or_default();
    if lines.iter().all(|line| names(line) == first) {
        return first;
    }
    let most = lines.iter().map(|line| line.summary.players.len()).max().unwrap_or(0);
    (1..=most).map(|seat| format!("seat {seat}")).collect()
}

fn share(share: f64, [low, high]: [f64; 2]) -> String {
    format!("{:.1} % ({:.1} - {:.1})", 100.0 * share, 100.0 * low, 100.0 * high)
}

/// A value of p with three decimals; `?`: too few games.
fn p_text(p: f64, test: Test) -> String {
    let doubt = if test.reliable { "" } else { "?" };
    if p < 0.001 { format!("< 0.001{doubt}") } else { format!("{p:.3}{doubt}") }
}

/// The results as CSV (RFC 4180), one line a game.
pub fn csv(compared: &Compared) -> String {
    let lines = &compared.lines;
    let set: Vec<&String> = lines.first().map(|line| line.set.keys().collect()).unwrap_or_default();
    let names = players(lines);
    let mut header: Vec<String> = vec![String::from("game")];
    header.extend(set.iter().map(|name| (*name).clone()));
    header.extend(["seed", "max_turns", "games"].map(String::from));
    let shares = names.iter().map(|name| format!("{name} wins")).chain(["draws", "unfinished"].map(String::from));
    for name in shares {
        header.extend(["", " share", " low", " high"].map(|what| format!("{name}{what}")));
    }
    let turns =
        ["turns_mean", "turns_half_interval", "turns_min", "turns_p5", "turns_p25", "turns_median", "turns_p75"];
    header.extend(turns.map(String::from));
    header.extend(["turns_p95", "turns_max", "plies_mean", "branching", "p_results", "p_turns"].map(String::from));
    header.extend(["forced", "capturing", "captures_a_game", "lead_changes"].map(String::from));
    let mut text = record(&header);
    for line in lines {
        let summary = &line.summary;
        let mut row = vec![line.game.clone()];
        row.extend(set.iter().map(|name| line.set.get(*name).map(ToString::to_string).unwrap_or_default()));
        row.extend([compared.seed, u64::from(compared.max_turns), summary.games].map(|number| number.to_string()));
        for seat in 0..names.len() {
            row.extend(summary.players.get(seat).map_or([(); 4].map(|()| String::new()), won));
        }
        row.extend(counted(&summary.draws).into_iter().chain(counted(&summary.unfinished)));
        let (turns, lengths) = (&summary.turns, &summary.lengths);
        row.extend([turns.mean.to_string(), line.turns_half_interval.to_string(), turns.min.to_string()]);
        row.extend([lengths.p5, lengths.p25, lengths.median, lengths.p75, lengths.p95].map(|turns| turns.to_string()));
        row.extend([
            turns.max.to_string(),
            summary.plies.mean.to_string(),
            summary.mean_branching.map_or(String::new(), |mean| mean.to_string()),
        ]);
        row.extend([line.results_p, line.turns_p].map(optional));
        let details = summary.details.as_ref();
        row.extend([details.map(|one| one.forced), details.map(|one| one.capturing)].map(optional));
        row.extend([details.map(|one| one.captures_a_game), details.and_then(|one| one.lead_changes)].map(optional));
        text += &record(&row);
    }
    text
}

fn optional(number: Option<f64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

fn won(one: &Score) -> [String; 4] {
    [one.wins.to_string(), one.share.to_string(), one.interval[0].to_string(), one.interval[1].to_string()]
}

fn counted(one: &Share) -> [String; 4] {
    [one.games.to_string(), one.share.to_string(), one.interval[0].to_string(), one.interval[1].to_string()]
}

/// One line of CSV. Quoting is one rule, too little for a crate.
fn record(fields: &[String]) -> String {
    let quoted = |field: &String| match field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.clone(),
    };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use crate::cli::sweep::record;

    #[test]
    fn fields_of_csv_are_quoted_where_they_have_to_be() {
        let fields = ["plain", "Nine, ten", "say \"x\"", ""].map(String::from);
        assert_eq!(record(&fields), "plain,\"Nine, ten\",\"say \"\"x\"\"\",\r\n");
    }
}
