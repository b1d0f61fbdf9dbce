//! Findings: the numbers of a study go in; what a designer should know first comes out, in words.

use serde::Serialize;

use crate::measures::study::{Level, Match, Study, Verdict};
use crate::sort;

/// Games from which on a share is spoken of without a doubt.
const MANY: u64 = 30;
/// With fewer games nothing is said of a share.
pub const FEW: u64 = 4;
/// Shares that are worth a word.
const MANY_DRAWS: f64 = 0.25;
const MANY_FORCED: f64 = 0.4;
/// An opening is spoken of from such a p on, and so many games.
const UNLIKELY: f64 = 0.05;
const OPENING_GAMES: u64 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Good,
    Note,
    Warning,
}

#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub kind: Kind,
    pub title: String,
    pub text: String,
}

fn finding(kind: Kind, title: &str, text: String) -> Finding {
    Finding { kind, title: title.to_string(), text }
}

pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

pub fn range([low, high]: [f64; 2]) -> String {
    format!("{:.0} to {:.0} %", 100.0 * low, 100.0 * high)
}

/// What stands out, the most weighty first.
pub fn findings(study: &Study) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(balance(study));
    found.extend(ends(study));
    found.extend(skill(study));
    found.extend(choices(study));
    if !study.coverage.unused.is_empty() {
        let count = study.coverage.unused.len();
        let rules = if count == 1 { "One rule was".to_string() } else { format!("{count} rules were") };
        let games = study.coverage.covered;
        let games = if games == 1 { String::from("one random game") } else { format!("{games} random games") };
        let text = format!("{rules} never used, in {games} or by players that search.");
        found.push(finding(Kind::Warning, "Idle rules", text));
    }
    sort::by_key(&mut found, |one| match one.kind {
        Kind::Warning => 0,
        Kind::Good => 1,
        Kind::Note => 2,
    });
    found
}

/// The strongest level that has games.
pub fn strongest(study: &Study) -> Option<&Level> {
    let named = study.levels.iter().find(|level| level.name == study.measured && level.games > 0);
    named.or_else(|| study.levels.iter().rfind(|level| level.games > 0))
}

fn balance(study: &Study) -> Option<Finding> {
    let level = strongest(study)?;
    let fair = 1.0 / study.players.len().max(1) as f64;
    let first = study.measures.iter().find(|one| one.key == "first_player");
    let (value, interval) = (first.and_then(|one| one.value)?, first.and_then(|one| one.interval)?);
    let name = study.players.first()?;
    let told = format!(
        "{name}, who moves first, gets {} of the points in {} between {} (95 %: {}).",
        percent(value),
        if study.samples == 1 { String::from("one game") } else { format!("{} games", study.samples) },
        level.name,
        range(interval)
    );
    Some(if interval[0] > fair {
        finding(Kind::Warning, "Moving first wins", told)
    } else if interval[1] < fair {
        finding(Kind::Warning, "Moving first loses", told)
    } else if interval[1] - interval[0] > 0.3 {
        finding(Kind::Note, "Balance is open", format!("{told} More games would tell."))
    } else {
        finding(Kind::Good, "No side has an edge that shows", told)
    })
}

fn ends(study: &Study) -> Vec<Finding> {
    let Some(level) = strongest(study) else { return Vec::new() };
    let mut found = Vec::new();
    let unfinished: u64 = study.levels.iter().map(|level| level.unfinished.games).sum();
    let games: u64 = study.levels.iter().map(|level| level.games).sum();
    if unfinished > 0 {
        let text = format!("{unfinished} of {games} games had no end within {} turns.", study.max_turns);
        found.push(finding(Kind::Warning, "Games without end", text));
    }
    if level.draws.share >= MANY_DRAWS && level.games >= FEW {
        let text = format!(
            "{} of {} games between {} are drawn (95 %: {}).",
            percent(level.draws.share),
            level.games,
            level.name,
            range(level.draws.interval)
        );
        // Few games may be drawn by chance.
        let kind = if level.draws.interval[0] >= MANY_DRAWS { Kind::Warning } else { Kind::Note };
        found.push(finding(kind, "Many draws", text));
    } else if level.draws.games == 0 && level.games >= MANY && unfinished == 0 {
        let text = format!("None of {} games between {} was drawn, and all came to an end.", level.games, level.name);
        found.push(finding(Kind::Good, "Decisive", text));
    }
    found
}

/// What a match came to, in words.
fn told(one: &Match) -> String {
    let points = one.points.map(percent).unwrap_or_default();
    let (stronger, weaker) = (&one.stronger, &one.weaker);
    let games = if one.games == 1 { String::from("one game") } else { format!("{} games", one.games) };
    format!("{stronger} gets {points} of the points against {weaker} in {games} (95 %: {}).", range(one.interval))
}

fn skill(study: &Study) -> Vec<Finding> {
    let mut found = Vec::new();
    for one in study.matches.iter().filter(|one| one.doubling) {
        let told = told(one);
        found.push(match one.verdict {
            _ if one.games == 0 => {
                finding(Kind::Note, "Depth is open", String::from("There was no time for games with twice the search."))
            }
            Verdict::StrongerWins => {
                let text = format!("{told} It searches twice as much, and finds more by it.");
                finding(Kind::Good, "Thinking pays", text)
            }
            Verdict::StrongerLoses => finding(Kind::Warning, "More search plays worse", told),
            Verdict::Alike => {
                let text = format!("{told} It searches twice as much, and finds next to nothing more by it.");
                finding(Kind::Note, "Twice the search changes little", text)
            }
            Verdict::Open => {
                let text = format!("{told} These are too few games to tell whether twice the search wins more.");
                finding(Kind::Note, "Depth is open", text)
            }
        });
    }
    let steps: Vec<&Match> = study.matches.iter().filter(|one| !one.doubling && one.games > 0).collect();
    let count = |verdict: Verdict| steps.iter().filter(|one| one.verdict == verdict).count();
    let (pays, all) = (count(Verdict::StrongerWins), steps.len());
    for one in steps.iter().filter(|one| one.verdict == Verdict::StrongerLoses) {
        let text = format!(
            "{} It was meant to be the stronger one: that may say more of the players than of the game.",
            told(one)
        );
        found.push(finding(Kind::Note, "A weaker player wins", text));
    }
    if all == 0 {
        return found;
    }
    let games: u64 = steps.iter().map(|one| one.games).sum();
    let levels = if all == 1 {
        String::from("the one pair of unlike players")
    } else {
        format!("{all} pairs of unlike players")
    };
    found.push(if pays > 0 {
        let kind = if pays == all { Kind::Good } else { Kind::Note };
        let rest = if count(Verdict::Open) > 0 { " Of the others there are too few games to tell." } else { "" };
        let text = format!("In {pays} of {levels} the stronger wins more than chance explains.{rest}");
        finding(kind, "Skill pays", text)
    } else if count(Verdict::Alike) == all {
        let text = format!("In none of {levels} the stronger wins more, in {games} games.");
        finding(Kind::Warning, "Skill does not show", text)
    } else {
        let text = format!("{games} games of {levels} are too few to tell whether the stronger wins more.");
        finding(Kind::Note, "Skill is open", text)
    });
    found
}

fn choices(study: &Study) -> Vec<Finding> {
    let mut found = Vec::new();
    let value = |key: &str| study.measures.iter().find(|one| one.key == key).and_then(|one| one.value);
    let enough = study.samples as u64 >= FEW;
    if let Some(forced) = value("forced").filter(|forced| enough && *forced >= MANY_FORCED) {
        let text = format!("In {} of the plies there was nothing to choose.", percent(forced));
        found.push(finding(Kind::Warning, "Few choices", text));
    }
    let mean = study.openings.iter().map(|one| one.points * one.games as f64).sum::<f64>()
        / study.openings.iter().map(|one| one.games as f64).sum::<f64>().max(1.0);
    for one in &study.openings {
        if one.p < UNLIKELY && one.games >= OPENING_GAMES && one.points > mean {
            let text =
                format!("The opening {} gets {} of the points in {} games.", one.text, percent(one.points), one.games);
            found.push(finding(Kind::Warning, "An opening wins too often", text));
        }
    }
    found
}
