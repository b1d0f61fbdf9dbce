//! Import: settings of variants, as Fairy-Stockfish has them in files of `variants.ini`, go in; rules files come out, or each
//! setting that has no words here.
//!
//! The words of that format stand here alone. What comes out is a rules file like any other, and needs none of them.

mod betza;
mod ini;
pub mod records;
mod start;
mod turns;
mod variant;
mod write;

pub use crate::import::ini::MOST_BYTES;

/// Variants that files inherit from.
const KNOWN: &str = include_str!("known.ini");

/// What became of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    pub name: String,
    /// The line of its section, from 1.
    pub line: usize,
    /// The text of its rules, or each setting that is not known, as it stands.
    pub rules: Result<String, Vec<String>>,
}

/// Imports the variants of a text: all, or the one of a name.
///
/// # Errors
/// A line that is no setting, or a name that the text has not.
pub fn import(text: &str, wanted: Option<&str>) -> Result<Vec<Imported>, String> {
    let file = ini::sections(text)?;
    let known = ini::sections(KNOWN)?;
    let chosen = file.iter().filter(|section| wanted.is_none_or(|wanted| section.name == wanted));
    let imported: Vec<Imported> = chosen
        .map(|section| {
            let settings = ini::inherited(&file, &known, &section.name).map_err(|why| vec![why]);
            let variant = settings.and_then(|settings| variant::Variant::new(&settings));
            let rules = variant.and_then(|variant| write::rules(&section.name, &variant));
            Imported { name: section.name.clone(), line: section.line, rules }
        })
        .collect();
    match (imported.is_empty(), wanted) {
        (true, Some(wanted)) => Err(format!("it has no variant `{wanted}`")),
        (true, None) => Err(String::from("it has no variants")),
        _ => Ok(imported),
    }
}
