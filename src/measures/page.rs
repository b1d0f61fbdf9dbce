//! Page of a report: a study, pictures and rules go in; one HTML page comes out that needs no script and no other file.

use std::fmt::Write;

use crate::game::{RuleSheet, SheetLine};
use crate::measures::findings::{FEW, Kind, percent, range, strongest};
use crate::measures::plots;
use crate::measures::quality::{Measure, Unit};
use crate::measures::study::{Covered, CoveredLine, Level, Study, Verdict};
use crate::measures::style::STYLE;
use crate::notation::FORMAT_NOTES;

/// What a page shows besides numbers.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// Pictures as SVG, each with its caption.
    pub boards: Vec<(String, String)>,
    pub heat: Vec<(String, String)>,
    /// What the file tells of the game: name and text.
    pub notes: Vec<(String, String)>,
    /// The rules in words, if they were put into words.
    pub sheet: Option<RuleSheet>,
    /// The rules file.
    pub source: String,
    /// The command that makes the report again.
    pub command: String,
    pub version: String,
}

/// Text as it may stand in HTML.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The whole page.
pub fn page(study: &Study, material: &Material) -> String {
    let title = escaped(&study.game);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}: report</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    page += &lead(study, material);
    page += "<nav><a href=\"#rules\">Rules</a><a href=\"#players\">Players</a><a href=\"#measures\">Measures</a>\
             <a href=\"#course\">Course of games</a><a href=\"#cells\">Cells</a><a href=\"#openings\">Openings</a>\
             <a href=\"#unused\">Idle rules</a></nav>\n";
    page += &tiles(study);
    page += &findings(study);
    page += &rules(material);
    page += &players(study);
    page += &measures(study);
    page += &course(study);
    page += &cells(material);
    page += &openings(study);
    page += &unused(study, &material.source);
    let _ = write!(
        page,
        "<footer><p>Made by Lusoria {}, again by <code>{}</code>. Intervals hold 95 %. Every number is defined, with its \
         source, in docs/measures.md of Lusoria.</p></footer>\n</main>\n</body>\n</html>\n",
        escaped(&material.version),
        escaped(&material.command)
    );
    page
}

fn lead(study: &Study, material: &Material) -> String {
    let games: u64 = study.levels.iter().map(|level| level.games).sum::<u64>()
        + study.matches.iter().map(|one| one.games).sum::<u64>();
    let names = study.players.iter().map(|name| escaped(name)).collect::<Vec<_>>().join(", ");
    let partial = if study.partial { " It was stopped early, and shows what was done by then." } else { "" };
    let note = material.notes.iter().find(|(name, _)| name == "description" || name == "summary");
    let about = note.map(|(_, text)| format!("<p>{}</p>\n", escaped(text))).unwrap_or_default();
    format!(
        "<p class=\"lead\">A game for {names}, held against {games} games between random, greedy and searching \
         players.{partial}</p>\n{about}"
    )
}

fn value_text(measure: &Measure) -> String {
    match (measure.value, measure.unit) {
        (None, _) => String::from("\u{2013}"),
        (Some(value), Unit::Share) => percent(value),
        (Some(value), Unit::Number) => format!("{value:.1}"),
    }
}

fn interval_text(measure: &Measure) -> String {
    match (measure.interval, measure.unit) {
        (None, _) => String::new(),
        (Some(interval), Unit::Share) => range(interval),
        (Some([low, high]), Unit::Number) => format!("{low:.1} to {high:.1}"),
    }
}

fn tiles(study: &Study) -> String {
    let tile = |value: &str, interval: &str, name: &str| {
        let interval = if interval.is_empty() { String::new() } else { format!("<small>{interval}</small>") };
        format!("<div class=\"tile\"><b>{value}</b>{interval}<span>{name}</span></div>\n")
    };
    let mut tiles = String::new();
    // What one or two games came to would be read as what the game is like.
    let is_told = |one: &&Measure| one.value.is_some() && study.samples as u64 >= FEW;
    for (key, name) in [
        ("first_player", "of the points for who moves first"),
        ("draws", "of the games drawn"),
        ("duration", "turns a game"),
        ("branching", "legal plies a ply"),
    ] {
        if let Some(one) = study.measures.iter().find(|one| one.key == key).filter(is_told) {
            tiles += &tile(&value_text(one), &interval_text(one), name);
        }
    }
    if let Some(one) = study.matches.iter().find(|one| one.doubling && one.games >= FEW)
        && let Some(points) = one.points
    {
        tiles += &tile(&percent(points), &range(one.interval), "of the points for twice the search");
    }
    if let Some(one) = study.measures.iter().find(|one| one.key == "drama").filter(is_told) {
        tiles += &tile(&value_text(one), &interval_text(one), "drama: how far winners were behind");
    }
    if tiles.is_empty() {
        return String::new();
    }
    format!("<div class=\"tiles\">\n{tiles}</div>\n")
}

fn findings(study: &Study) -> String {
    let item = |one: &crate::measures::findings::Finding| {
        let class = match one.kind {
            Kind::Good => "good",
            Kind::Note => "plain",
            Kind::Warning => "warning",
        };
        format!("<li class=\"{class}\"><strong>{}</strong>{}</li>\n", escaped(&one.title), escaped(&one.text))
    };
    let items: String = study.findings.iter().map(item).collect();
    if items.is_empty() {
        String::new()
    } else {
        format!("<h2>What stands out</h2>\n<ul class=\"findings\">\n{items}</ul>\n")
    }
}

fn figures(all: &[(String, String)]) -> String {
    let figure = |(svg, caption): &(String, String)| {
        format!(
            "<figure class=\"card\"><div class=\"board\">{svg}</div><figcaption>{}</figcaption></figure>\n",
            escaped(caption)
        )
    };
    format!("<div class=\"boards\">\n{}</div>\n", all.iter().map(figure).collect::<String>())
}

fn rules(material: &Material) -> String {
    let mut text = String::from("<h2 id=\"rules\">The game</h2>\n");
    text += &figures(&material.boards);
    if let Some(sheet) = &material.sheet {
        text += &sheet_text(sheet);
    }
    let notes = material.notes.iter().filter(|(name, _)| name != "description" && name != "summary" && name != "looks");
    let notes = notes.filter(|(name, _)| !FORMAT_NOTES.contains(&name.as_str()));
    let rows: String = notes
        .map(|(name, note)| format!("<tr><td class=\"m\">{}</td><td>{}</td></tr>\n", escaped(name), escaped(note)))
        .collect();
    if !rows.is_empty() {
        let _ = writeln!(text, "<div class=\"scroll\"><table>{rows}</table></div>");
    }
    if !material.source.is_empty() {
        let _ = writeln!(
            text,
            "<details><summary>The rules file</summary><pre>{}</pre></details>",
            escaped(&material.source)
        );
    }
    text
}

/// The rules in words.
fn sheet_text(sheet: &RuleSheet) -> String {
    let mut text = String::from("<div class=\"card sheet\">\n");
    for part in &sheet.parts {
        let _ = writeln!(text, "<h3>{}</h3>", words(&part.heading));
        for line in &part.lines {
            let _ = match line {
                SheetLine::Paragraph { text: line } => writeln!(text, "<p>{}</p>", words(line)),
                SheetLine::Item { level, mark, text: line } => {
                    let indent = 1.4 * (*level as f64 + 1.0);
                    let mark = if mark == "-" { "\u{2022}" } else { mark };
                    writeln!(
                        text,
                        "<p class=\"item\" style=\"margin-left:{indent:.1}rem\"><span>{}</span> {}</p>",
                        escaped(mark),
                        words(line)
                    )
                }
                SheetLine::Picture { text: line } => writeln!(text, "<pre>{}</pre>", escaped(line)),
            };
        }
    }
    text + "</div>\n"
}

/// A line of a rule sheet: what stands between asterisks is told apart.
fn words(line: &str) -> String {
    let parts: Vec<&str> = line.split('*').collect();
    // An asterisk that has no fellow is one.
    if parts.len().is_multiple_of(2) {
        return escaped(line);
    }
    let part = |(at, part): (usize, &&str)| match at % 2 {
        1 => format!("<em>{}</em>", escaped(part)),
        _ => escaped(part),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Games from which on nothing is said of how few they are.
const MANY: usize = 30;
/// How many seats have a colour of their own.
const SEAT_COLOURS: usize = 4;

fn stack(level: &Level) -> String {
    let part = |class: &str, share: f64| format!("<i class=\"{class}\" style=\"width:{:.2}%\"></i>", 100.0 * share);
    let seats = level.seats.iter().enumerate().map(|(seat, one)| part(&format!("s{}", seat % SEAT_COLOURS), one.share));
    let rest = [part("sd", level.draws.share), part("su", level.unfinished.share)];
    format!("<div class=\"stack\">{}</div>", seats.chain(rest).collect::<String>())
}

fn players(study: &Study) -> String {
    let mut text = String::from(
        "<h2 id=\"players\">Players of rising strength</h2>\n<p>Equals play each other: who wins, the stronger they get? \
         A game that only seems fair leans to one side as its players get better.</p>\n<div class=\"card scroll\"><table>\n<tr><th>players</th><th>results</th>",
    );
    for name in &study.players {
        let _ = write!(text, "<th class=\"n\">{} wins</th>", escaped(name));
    }
    text += "<th class=\"n\">drawn</th><th class=\"n\">turns</th><th class=\"n\">games</th></tr>\n";
    for level in study.levels.iter().filter(|level| level.games > 0) {
        let _ = write!(text, "<tr><td>{}</td><td class=\"b\">{}</td>", escaped(&level.name), stack(level));
        for one in &level.seats {
            let told = if level.games >= 2 {
                format!("{} <small>({})</small>", percent(one.share), range(one.interval))
            } else {
                percent(one.share)
            };
            let _ = write!(text, "<td class=\"n\">{told}</td>");
        }
        let drawn = percent(level.draws.share);
        let open = if level.unfinished.games > 0 {
            format!(", {} open", percent(level.unfinished.share))
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "<td class=\"n\">{drawn}{open}</td><td class=\"n\">{:.1}</td><td class=\"n\">{}</td></tr>",
            level.mean_turns, level.games
        );
    }
    text += "</table>\n";
    text += &key(study);
    text += "</div>\n";
    if study.matches.iter().any(|one| one.games > 0) {
        text += &ladder(study);
    }
    text
}

fn key(study: &Study) -> String {
    let seat = |(at, name): (usize, &String)| {
        format!("<span><i class=\"s{}\"></i>{} wins</span>", at % SEAT_COLOURS, escaped(name))
    };
    let seats: String = study.players.iter().enumerate().map(seat).collect();
    format!(
        "<div class=\"key\">{seats}<span><i class=\"sd\"></i>drawn</span><span><i class=\"su\"></i>without end</span></div>\n"
    )
}

fn ladder(study: &Study) -> String {
    let mut text = String::from(
        "<h2>How much skill matters</h2>\n<p>Unlike players, each seat as often. If a stronger player wins no more than half, \
         there may be nothing to be better at. If twice the search still wins more, there is depth left to find. A line that \
         is open says neither.</p>\n\
         <div class=\"card scroll\"><table>\n<tr><th>stronger</th><th>weaker</th><th class=\"n\">points</th><th></th>\
         <th class=\"n\">Elo</th><th class=\"n\">games</th><th>what it tells</th></tr>\n",
    );
    for one in study.matches.iter().filter(|one| one.games > 0) {
        let elo = |value: Option<f64>, without: &str| {
            value.map_or(without.to_string(), |value| format!("{:+.0}", value.round() + 0.0))
        };
        let points = one.points.unwrap_or(0.5);
        let (low, high) = (elo(one.elo_interval[0], "\u{2212}\u{221e}"), elo(one.elo_interval[1], "\u{221e}"));
        let without = if points > 0.5 { "\u{221e}" } else { "\u{2212}\u{221e}" };
        let strength = match one.games {
            // It could be anything.
            ..FEW => String::from("\u{2013}"),
            _ => format!("{} <small>({low} to {high})</small>", elo(one.elo, without)),
        };
        let twice = if one.doubling { " <small>(twice the search)</small>" } else { "" };
        let verdict = match one.verdict {
            Verdict::StrongerWins => "the stronger wins more",
            Verdict::StrongerLoses => "the weaker wins more",
            Verdict::Alike => "they are alike",
            Verdict::Open => "open: too few games",
        };
        let _ = writeln!(
            text,
            "<tr><td>{}{twice}</td><td>{}</td><td class=\"n\">{} <small>({})</small></td><td>{}</td><td class=\"n\">{strength}</td>\
             <td class=\"n\">{}</td><td class=\"m\">{verdict}</td></tr>",
            escaped(&one.stronger),
            escaped(&one.weaker),
            percent(points),
            range(one.interval),
            plots::whisker(points, one.interval, 0.5),
            one.games
        );
    }
    text + "</table>\n<p class=\"note\">Brackets hold 95 % intervals. A player wins more if chance makes so great a difference in fewer than \
            5 of 100 reports. Players are alike if the interval lies within 40 to 60 %.</p></div>\n"
}

fn measures(study: &Study) -> String {
    let mut text = format!(
        "<h2 id=\"measures\">Measures</h2>\n<p>What the literature measures games by, taken from {} between {}.{}</p>\n\
         <div class=\"card scroll\"><table>\n<tr><th>measure</th><th class=\"n\">value</th><th></th><th class=\"n\">95 %</th><th>what it is</th></tr>\n",
        counted(study.samples as u64, "game"),
        escaped(&study.measured),
        if study.samples < MANY {
            " These are few: a value holds for them, and its interval tells how far the rules may be from it."
        } else {
            ""
        }
    );
    for one in &study.measures {
        let plot = match (one.value, one.interval, one.unit) {
            (Some(value), Some(interval), Unit::Share) => {
                let fair = if one.key == "first_player" { 1.0 / study.players.len().max(1) as f64 } else { 0.5 };
                plots::whisker(value, interval, fair)
            }
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td class=\"n\">{}</td><td>{plot}</td><td class=\"n m\">{}</td><td class=\"m\">{}</td></tr>",
            one.name,
            value_text(one),
            interval_text(one),
            one.meaning
        );
    }
    text + "</table></div>\n"
}

fn course(study: &Study) -> String {
    let card = |plot: String, caption: &str| match plot.as_str() {
        "" => String::new(),
        plot => format!("<figure class=\"card\">{plot}<figcaption>{caption}</figcaption></figure>\n"),
    };
    let prospects = card(
        plots::prospects(&study.prospects, &study.players),
        "How likely the first player was thought to win, ply by ply, in sample games. One game is drawn strong; the colour tells \
         who won.",
    );
    let lengths = card(plots::histogram(&study.lengths), "How long games are.");
    let branching =
        card(plots::branching(&study.branching), "Legal plies, turn by turn, as long as a tenth of the games goes on.");
    if prospects.is_empty() && lengths.is_empty() && branching.is_empty() {
        return String::new();
    }
    format!(
        "<h2 id=\"course\">Course of games</h2>\n<p class=\"note\">Games between {}.</p>\n{prospects}<div class=\"pair\" style=\"margin-top:1rem\">\n{lengths}{branching}</div>\n",
        escaped(&study.measured)
    )
}

fn cells(material: &Material) -> String {
    if material.heat.is_empty() {
        return String::new();
    }
    format!("<h2 id=\"cells\">Where things happen</h2>\n{}", figures(&material.heat))
}

fn openings(study: &Study) -> String {
    if study.openings.is_empty() && study.book.is_empty() {
        return String::new();
    }
    let mut text = String::from("<h2 id=\"openings\">Openings</h2>\n<div class=\"pair\">\n");
    if !study.book.is_empty() {
        text +=
            "<div class=\"card scroll\"><table>\n<tr><th>a long search plays</th><th class=\"n\">prospects</th></tr>\n";
        for line in &study.book {
            let proven = if line.proven { " <small>proven</small>" } else { "" };
            let (first, rest) = line.moves.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
            let _ = writeln!(
                text,
                "<tr><td><strong>{}</strong> <small>{}</small></td><td class=\"n\">{}{proven}</td></tr>",
                escaped(first),
                escaped(&rest.join(" ")),
                percent(line.value)
            );
        }
        text += "</table></div>\n";
    }
    if !study.openings.is_empty() {
        text += "<div class=\"card scroll\"><table>\n<tr><th>first move of games</th><th class=\"n\">games</th><th class=\"n\">points</th><th></th></tr>\n";
        for one in &study.openings {
            let flag = if one.p < 0.05 && one.games >= 8 { " <span class=\"flag\">!</span>" } else { "" };
            let _ = writeln!(
                text,
                "<tr><td>{}{flag}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
                escaped(&one.text),
                one.games,
                percent(one.points),
                plots::whisker(one.points, one.interval, 0.5)
            );
        }
        text += "</table><p class=\"note\">Points are of who makes the move. ! marks an opening that does better or worse than the \
                 others by more than chance (p below 5 %, for all openings together).</p></div>\n";
    }
    text + "</div>\n"
}

fn unused(study: &Study, source: &str) -> String {
    let mut text = String::from("<h2 id=\"unused\">Idle rules</h2>\n");
    let coverage = &study.coverage;
    if coverage.covered_turns == 0 {
        return text + "<p>No games were looked at.</p>\n";
    }
    let games = counted(coverage.covered, "random game");
    if coverage.unused.is_empty() {
        let _ = writeln!(text, "<p>Every rule was used in {games} or in games of players that search.</p>");
    } else {
        let _ = writeln!(
            text,
            "<p>Never used, in {games} or in games of players that search:</p>\n<div class=\"card scroll\"><table>"
        );
        for one in &coverage.unused {
            let _ = writeln!(
                text,
                "<tr><td><code>{}</code></td><td class=\"m\">{}</td><td class=\"m\">{}</td></tr>",
                escaped(&one.text),
                one.what,
                escaped(&one.place)
            );
        }
        text += "</table></div>\n";
    }
    text + &line_by_line(coverage, source)
}

fn counted(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// The file with how often each line was used.
fn line_by_line(coverage: &Covered, source: &str) -> String {
    if source.is_empty() || coverage.lines.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "<details><summary>Line by line</summary>\n<p class=\"note\">How many of {} came through each line; of an \
         outcome, how many games ended by it.</p>\n<div class=\"card scroll\"><table class=\"counts\">\n\
         <tr><th class=\"n\">line</th><th class=\"n\">used</th><th>rules</th></tr>\n",
        counted(coverage.covered_turns, "turn")
    );
    for (at, line) in source.lines().enumerate() {
        let known = coverage.lines.iter().find(|one| one.line == at + 1);
        let (count, class) = match known {
            Some(CoveredLine { count: 0, .. }) => (String::from("never"), "never"),
            Some(CoveredLine { count, unused: true, .. }) => (format!("{count}, in part"), "part"),
            Some(CoveredLine { count, .. }) => (count.to_string(), "used"),
            None => (String::new(), "idle"),
        };
        let _ = writeln!(
            text,
            "<tr class=\"{class}\"><td class=\"n\">{}</td><td class=\"n\">{count}</td><td><code>{}</code></td></tr>",
            at + 1,
            escaped(line)
        );
    }
    text + "</table></div></details>\n"
}

/// Whether the games say anything at all.
pub fn is_empty(study: &Study) -> bool {
    strongest(study).is_none()
}

#[cfg(test)]
mod tests {
    use crate::measures::page::{escaped, words};

    #[test]
    fn words_that_are_explained_are_told_apart() {
        assert_eq!(words("a *camp* & <b>"), "a <em>camp</em> &amp; &lt;b&gt;");
        assert_eq!(words("2 * 3"), "2 * 3");
    }

    #[test]
    fn texts_cannot_leave_their_place() {
        assert_eq!(escaped("<b a=\"1\" c='2'>&\u{7}"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp; ");
    }
}
