//! Material of a page: a game, and what was played of it, goes in; pictures and texts come out.

use crate::draw;
use crate::draw::{Marks, PictureOptions};
use crate::game::{Error, Game};
use crate::measures::games::Sample;
use crate::measures::gathered::{Asked, start};
use crate::measures::page::Material;
use crate::measures::study::Study;

/// Pictures and texts of the page.
///
/// # Errors
/// A fault of the rules.
pub fn material(
    game: &Game,
    (asked, command): (&Asked, String),
    study: &Study,
    samples: &[Sample],
) -> Result<Material, Error> {
    let begun = start(game, asked)?;
    let options = PictureOptions::default();
    let mut boards =
        vec![(begun.marked_picture(&Marks::default(), &options)?.svg_within("a"), String::from("The game begins."))];
    if let Some(sample) = samples.iter().max_by_key(|sample| sample.plies.len().min(60)) {
        let plies = sample.plies.len();
        for (name, at) in [("b", plies / 2), ("c", plies)] {
            let Some((position, Some((before, played)))) = sample.position(game, at) else { continue };
            let marks = position.marks_behind(&before.now()?, Some(&played), before.mover())?;
            let who = before.chooser().unwrap_or("chance").to_string();
            let how = position.outcome_text().map(|text| format!(" {text}.")).unwrap_or_default();
            let caption = format!("A game between {}: {who} plays {played}, ply {at} of {plies}.{how}", study.measured);
            boards.push((position.marked_picture(&marks, &options)?.svg_within(name), caption));
        }
    }
    let state = begun.now()?;
    let heat = |values: &[f64], caption: &str| {
        let is_any = values.iter().any(|value| *value > 0.0);
        is_any.then(|| (draw::heat_map(game.model(), &state, values).svg(), caption.to_string()))
    };
    let reached = heat(&study.reached, "Where men come to stand: how often in a game.");
    let captured = heat(&study.captured, "Where men are captured or turned over: how often in a game.");
    let source = game.model().sources.get(crate::source::SourceId(1)).map(|source| source.text().to_string());
    Ok(Material {
        boards,
        heat: reached.into_iter().chain(captured).collect(),
        notes: game.model().about.clone(),
        sheet: Some(game.rule_sheet()).filter(|sheet| !sheet.parts.is_empty()),
        source: source.unwrap_or_default(),
        command,
        version: env!("CARGO_PKG_VERSION").to_string(),
    })
}
