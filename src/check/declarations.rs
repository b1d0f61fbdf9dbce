//! Declarations of a game: a source and the settings go in; what the game consists of comes out, text
//! by text, once what its layers replace is gone.

use indexmap::IndexMap;

use crate::check::Library;
use crate::check::error::Problems;
use crate::check::layers::{declared, head};
use crate::check::load::{Settings, chosen, read, titles};
use crate::syntax;
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;

/// The declarations that a game consists of, by what they declare, `piece man` or `end`, as canonical
/// text without comments. Where one says `as usual`, what it goes on from stands before it. Nothing
/// comes out of a text with mistakes.
pub fn declarations(
    source: crate::source::Source,
    library: &dyn Library,
    settings: &Settings,
) -> Option<IndexMap<String, String>> {
    let texts = read(source, library);
    let own = texts.own()?;
    let tree = chosen(&texts, (own, &titles(own)), settings.variant.as_deref(), &mut Problems::default())?;
    let mut all: IndexMap<String, String> = IndexMap::new();
    for section in tree.layers.iter().copied().flatten() {
        if matches!(section.node, SectionKind::Variant(_)) {
            continue;
        }
        let word = texts.sources.slice(head(section));
        let name = match (&section.node, declared(section)) {
            (_, Some((_, name))) => format!("{word} {}", name.node),
            (SectionKind::Example(example), _) => format!("{word} \"{}\"", example.title.node),
            (SectionKind::Part(part), _) => format!("{word} {}", part.name.node),
            _ => word.to_string(),
        };
        let text = syntax::print(&ast::File { game: None, declarations: vec![section.clone()] });
        let text = text.trim_end().to_string();
        match all.get_mut(&name) {
            Some(known) if text.contains("as usual") => *known = format!("{known}\n{text}"),
            Some(known) => *known = text,
            None => {
                all.insert(name, text);
            }
        }
    }
    Some(all)
}
