//! Manual: a word of the language goes in; what the page of the language says of it comes out.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The page, as it is in the documentation.
const LANGUAGE: &str = include_str!("../../docs/language.md");
/// Tables that say what words mean stand under these headings.
const TABLES: [&str; 6] =
    ["Built-in names", "Functions", "Choices and structure", "Actions on the board", "Items", "Bands"];
/// Words that begin a section, and the headings of what is said of them.
const SECTIONS: [(&str, &str); 19] = [
    ("about", "Looks"),
    ("players", "Players and teams"),
    ("teams", "Players and teams"),
    ("board", "Squares"),
    ("captures", "Captures"),
    ("piece", "Pieces"),
    ("remember", "Remembered values"),
    ("setup", "Set-ups"),
    ("opening", "Openings"),
    ("move", "A turn"),
    ("end", "The end"),
    ("notation", "Aliases"),
    ("variant", "Variants and extending games"),
    ("extends", "Variants and extending games"),
    ("example", "Examples"),
    ("param", "Params, defines, patterns and actions"),
    ("define", "Params, defines, patterns and actions"),
    ("pattern", "Patterns"),
    ("action", "Params, defines, patterns and actions"),
];
/// No more is shown of a part, in bytes.
const MOST: usize = 700;

/// The rows of all tables. They are read once: completion asks for the pages of many words.
static ROWS: LazyLock<Vec<(String, String)>> =
    LazyLock::new(|| TABLES.iter().flat_map(|heading| rows(part(heading).unwrap_or(""))).collect());
/// What is said of each word that begins a section.
static PAGES: LazyLock<HashMap<&str, String>> =
    LazyLock::new(|| SECTIONS.iter().filter_map(|(word, heading)| Some((*word, about(word, heading)?))).collect());

/// The forms of a word and what they mean.
fn forms(word: &str) -> impl Iterator<Item = &'static (String, String)> {
    ROWS.iter().filter(move |(form, _)| says(form, word))
}

/// The first paragraphs about the section that a word begins.
fn section(word: &str) -> Option<String> {
    PAGES.get(word).cloned()
}

fn about(word: &str, heading: &str) -> Option<String> {
    let text = part(heading)?;
    if let Some(item) = text.split("\n- ").find(|item| item.starts_with(&format!("**`{word} "))) {
        return Some(plain(item.split("\n\n").next().unwrap_or(item)));
    }
    let mut shown = String::new();
    for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
        if !shown.is_empty() && (shown.len() + paragraph.len() > MOST || paragraph.starts_with('#')) {
            break;
        }
        if paragraph.starts_with("```") || paragraph.starts_with('|') {
            continue;
        }
        shown += &format!("{}\n\n", plain(paragraph));
    }
    Some(shown.trim_end().to_string()).filter(|shown| !shown.is_empty())
}

/// What a built-in name, a function or a word that begins a statement means, as Markdown.
pub fn page(word: &str) -> Option<String> {
    let lines: Vec<String> = forms(word).map(|(form, meaning)| format!("{form} — {meaning}")).collect();
    if lines.is_empty() { section(word) } else { Some(lines.join("\n\n")) }
}

/// What stands under a heading, up to the next one of any level.
fn part(heading: &str) -> Option<&'static str> {
    let mut from = 0;
    for line in LANGUAGE.split_inclusive('\n') {
        from += line.len();
        if line.starts_with('#') && line.trim_start_matches('#').trim() == heading {
            let rest = &LANGUAGE[from..];
            return Some(rest.find("\n#").map_or(rest, |end| &rest[..end]));
        }
    }
    None
}

/// The rows of the tables of a part: the form in backticks, and what it means.
fn rows(text: &'static str) -> impl Iterator<Item = (String, String)> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    rows.filter_map(|row| {
        let (form, meaning) = row.split_once(" | ")?;
        Some((plain(&format!("`{form}")), plain(meaning)))
    })
}

/// A form of this word, as in `` `pick x from S` `` or `` `empty`, `occupied` ``.
fn says(form: &str, word: &str) -> bool {
    let quoted = form.split('`').skip(1).step_by(2);
    quoted.into_iter().any(|form| form.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next() == Some(word))
}

/// Links lead nowhere outside the page, so their words alone are kept.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at);
        let Some(open) = before.rfind('[') else { break };
        let Some(close) = link.find(')') else { break };
        plain += &before[..open];
        plain += &before[open + 1..];
        rest = &link[close + 1..];
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::builtin::{FUNCTIONS, NAMES};

    #[test]
    fn each_builtin_name_has_a_page() {
        for name in NAMES.iter().chain(FUNCTIONS) {
            let page = page(name).unwrap_or_default();
            assert!(page.contains(&format!("`{name}")), "{name}: {page}");
            assert!(!page.contains("]("), "{page}");
        }
    }

    #[test]
    fn each_section_has_a_page() {
        for (word, heading) in SECTIONS {
            assert!(section(word).is_some_and(|text| text.len() > 40), "{word}: {heading}");
        }
    }

    #[test]
    fn statements_have_their_forms() {
        assert_eq!(forms("pick").count(), 3);
        assert!(page("need").expect("a page").contains("the run dies unless C holds"));
        assert_eq!(page("nothing_such"), None);
    }
}
