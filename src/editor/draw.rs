//! Drawing of patterns: a pattern goes in; cells in a row, as the text of a picture, come out.

use crate::source::Sources;
use crate::syntax::ast;
use crate::syntax::ast::{ExprKind, ItemKind, Times};

/// Longer patterns say more as they are written.
const MOST_CELLS: usize = 8;
const MOST_PATHS: usize = 6;

/// The cells of each path, one below the other; nothing of what is too long, or has no items.
pub fn pattern(pattern: &ast::Pattern, sources: &Sources) -> Option<String> {
    if pattern.paths.len() > MOST_PATHS || pattern.paths.iter().any(|path| path.items.len() > MOST_CELLS) {
        return None;
    }
    let mut text = String::new();
    for path in &pattern.paths {
        if !text.is_empty() {
            text.push_str("or\n");
        }
        text.push_str(&row(&path.items, sources));
        for (directions, items) in &path.turnings {
            text.push_str(&format!("then {}:\n{}", sources.slice(directions.span), row(items, sources)));
        }
    }
    (!text.is_empty()).then(|| text + "^ the piece   x is caught   > landing   * any number of cells\n")
}

fn row(items: &[ast::Item], sources: &Sources) -> String {
    let cells: Vec<String> = items.iter().map(|item| format!(" {} ", cell(item, sources))).collect();
    let rule = |left: &str, middle: &str, right: &str| {
        let parts: Vec<String> = cells.iter().map(|cell| "─".repeat(cell.chars().count())).collect();
        format!("{left}{}{right}\n", parts.join(middle))
    };
    format!("{}│{}│\n{}", rule("┌", "┬", "┐"), cells.join("│"), rule("└", "┴", "┘"))
}

fn cell(item: &ast::Item, sources: &Sources) -> String {
    match &item.node {
        ItemKind::Anchor => "^".into(),
        ItemKind::Landing(test) => format!("> {}", tested(test, sources)),
        ItemKind::Test(test, times) => format!("{}{}", tested(test, sources), many(times.as_ref(), sources)),
    }
}

fn tested(test: &ast::Expr, sources: &Sources) -> String {
    match &*test.kind {
        ExprKind::Caught(set, times) => {
            format!("x {}{}", sources.slice(set.span), many(times.as_ref(), sources))
        }
        _ => sources.slice(test.span).split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

fn many(times: Option<&Times>, sources: &Sources) -> String {
    match times {
        None => String::new(),
        Some(Times::Star) => " *".into(),
        Some(Times::Plus) => " 1*".into(),
        Some(Times::Query) => " 0..1".into(),
        Some(Times::Exactly(count)) => format!(" {}", sources.slice(count.span)),
        Some(Times::Range(range)) => {
            let to = range.to.as_ref().map_or("*", |to| sources.slice(to.span));
            format!(" {}..{to}", sources.slice(range.from.span))
        }
    }
}
