//! Author's side: a text goes in; its mistakes, its layout, its plan come out.

use std::collections::BTreeMap;

use lusoria::check::{check as check_text, variant_titles};
use lusoria::interp::Engine;
use lusoria::model::{Expr, Number, Truth};
use lusoria::report::pages::pages;
use lusoria::report::{Entry, entries};
use lusoria::shipped::Shipped;
use lusoria::source::{SourceId, Sources, Span};
use lusoria::{Game, LoadError, Notice, ParamValue, Player, Settings, Severity, Source};
use serde_json::{Value, json};

use crate::desk::{Rules, Setting};

/// The name by which places of the text are told.
const NAME: &str = "game.rules";

/// Variants of which examples are asked, at most.
const MOST_VARIANTS: usize = 20;

fn source(text: &str) -> Source {
    Source::new(NAME, text)
}

pub fn load(rules: &Rules) -> Result<Game, String> {
    let value = |(name, value): (&String, &Setting)| {
        let value = match value {
            Setting::Truth(truth) => ParamValue::Truth(*truth),
            Setting::Number(number) => ParamValue::Number(*number),
        };
        (name.clone(), value)
    };
    let settings = Settings { variant: rules.variant.clone(), params: rules.params.iter().map(value).collect() };
    Game::load(source(&rules.text), &Shipped, &settings).map_err(|error: LoadError| error.to_string())
}

/// By file: its name, title, variants, text.
pub fn games() -> Value {
    let game = |game: lusoria::shipped::ShippedGame| {
        json!({
            "name": game.stem,
            "title": game.title,
            "variants": variant_titles(&game.source),
            "text": game.source.text(),
        })
    };
    json!({
        "games": Shipped.games().into_iter().map(game).collect::<Vec<_>>(),
        "prelude": lusoria::Library::prelude(&Shipped).text(),
    })
}

pub fn check(text: &str) -> Value {
    let checked = check_text(source(text), &Shipped);
    let notices: Vec<Notice> = checked.mistakes.iter().map(Notice::from).collect();
    let games: Vec<Value> = (checked.games.iter())
        .map(|game| {
            json!({
                "name": game.name(),
                "variant": game.variant,
                "players": game.seats.iter().map(|seat| &seat.name).collect::<Vec<_>>(),
                "has_examples": !game.examples.is_empty(),
                "params": game.params.iter().filter_map(|(name, value)| match value {
                    Expr::Number(Number::Fixed(number)) => Some(json!({ "name": name, "value": number })),
                    Expr::Truth(Truth::Fixed(truth)) => Some(json!({ "name": name, "value": truth })),
                    _ => None,
                }).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "title": lusoria::shipped::title(text),
        "games": games,
        "has_errors": checked.has_errors(),
        "diagnostics": diagnostics(&notices, &checked.sources, text),
    })
}

/// Notices as data, with places in the units of the page's strings where they are of this text.
fn diagnostics(notices: &[Notice], sources: &Sources, text: &str) -> Vec<Value> {
    let all = entries(notices, sources).into_iter().zip(notices);
    all.map(|(entry, notice)| diagnostic(&entry, notice, text)).collect()
}

fn diagnostic(entry: &Entry, notice: &Notice, text: &str) -> Value {
    let place = |span: Span| (span.source == SourceId(1)).then(|| [units(text, span.start), units(text, span.end)]);
    json!({
        "code": entry.code,
        "severity": entry.severity,
        "message": entry.message,
        "help": entry.help,
        "label": notice.label,
        "line": entry.place.line,
        "column": entry.place.column,
        "file": entry.place.file,
        "place": place(notice.span),
        "other": notice.other.as_ref().map(|(span, what)| json!({ "message": what, "place": place(*span) })),
        "more": entry.more,
    })
}

/// How many UTF-16 units stand before a byte.
fn units(text: &str, byte: u32) -> usize {
    let before = text.char_indices().take_while(|(at, _)| *at < byte as usize);
    before.map(|(_, c)| c.len_utf16()).sum()
}

pub fn examples(text: &str) -> Value {
    let titles = std::iter::once(None).chain(variant_titles(&source(text)).into_iter().map(Some));
    let mut told: Vec<Value> = Vec::new();
    let mut asked = 0;
    for variant in titles.take(MOST_VARIANTS) {
        let Ok(game) = load(&Rules { text: text.to_string(), variant, params: BTreeMap::new() }) else { continue };
        asked += game.model().examples.len();
        for failed in game.failed_examples() {
            let at = failed.position.as_ref().map(|position| format!(", position {position}")).unwrap_or_default();
            let notice = Notice {
                code: String::from("example-failed"),
                severity: Severity::Error,
                message: format!("{}{at}", failed.message),
                help: Some(format!("mend the rules, or what `{}` claims of them", failed.title)),
                span: failed.span,
                label: String::from("does not hold"),
                other: None,
                is_within_call: false,
                more: 0,
            };
            told.extend(diagnostics(&[notice], &game.model().sources, text));
        }
    }
    told.dedup();
    json!({ "examples": asked, "diagnostics": told })
}

/// The text laid out; `null` if it cannot be read as a whole.
pub fn format(text: &str) -> Value {
    json!({ "text": lusoria::syntax::format(SourceId(1), text).ok() })
}

pub fn explain(code: &str) -> Value {
    json!({ "text": pages().into_iter().find(|page| page.code == code).map(|page| page.text) })
}

pub fn picture(rules: &Rules) -> Result<Value, String> {
    let game = load(rules)?.without_plan();
    let position = game.start(1).map_err(|error| error.to_string())?;
    let picture = position.picture().map_err(|error| error.to_string())?;
    Ok(json!({ "svg": picture.svg() }))
}

pub fn plan(rules: &Rules, player: usize) -> Result<Value, String> {
    let game = load(rules)?;
    let model = game.model();
    let players = game.players();
    let player = Player(player.min(players.len().saturating_sub(1)) as u8);
    Ok(match Engine::new(model) {
        Ok(engine) => json!({
            "players": players,
            "bits": 64 * engine.plan().bitboard.words,
            "text": engine.page(player),
        }),
        Err(why) => json!({
            "players": players,
            "why": why.why.to_string(),
            "place": why.span.map(|span| model.sources.place(span)),
        }),
    })
}
