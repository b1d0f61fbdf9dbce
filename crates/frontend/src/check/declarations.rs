//! Declarations of a game: a source and the settings go in; what the game consists of comes out, as
//! trees or text by text, once what its layers replace is gone.

use indexmap::IndexMap;

use crate::check::Library;
use crate::check::error::Problems;
use crate::check::layers::{declared, head};
use crate::check::load::{Settings, chosen, read, titles};
use crate::source::{Source, Sources};
use crate::syntax;
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;

/// What a game consists of.
pub struct Declarations {
    /// By what each declares, `piece man` or `end`: the declaration that stands, last, behind those
    /// that it goes on from by `as usual`.
    pub sections: IndexMap<String, Vec<ast::Section>>,
    /// The declarations of the prelude.
    pub prelude: Vec<ast::Section>,
    pub sources: Sources,
}

/// The declarations of a game as trees. Nothing comes out of a text with mistakes.
pub fn sections(source: Source, library: &dyn Library, settings: &Settings) -> Option<Declarations> {
    let texts = read(source, library);
    let own = texts.own()?;
    let tree = chosen(&texts, (own, &titles(own)), settings.variant.as_deref(), &mut Problems::default())?;
    let mut sections: IndexMap<String, Vec<ast::Section>> = IndexMap::new();
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
        let known = sections.entry(name).or_default();
        if !text(section).contains("as usual") {
            known.clear();
        }
        known.push(section.clone());
    }
    let prelude = tree.prelude.to_vec();
    Some(Declarations { sections, prelude, sources: texts.sources })
}

/// The declarations that a game consists of, by what they declare, `piece man` or `end`, as canonical
/// text without comments. Where one says `as usual`, what it goes on from stands before it. Nothing
/// comes out of a text with mistakes.
pub fn declarations(source: Source, library: &dyn Library, settings: &Settings) -> Option<IndexMap<String, String>> {
    let Declarations { sections, .. } = sections(source, library, settings)?;
    let joined = |all: Vec<ast::Section>| all.iter().map(text).collect::<Vec<_>>().join("\n");
    Some(sections.into_iter().map(|(name, all)| (name, joined(all))).collect())
}

fn text(section: &ast::Section) -> String {
    let text = syntax::print(&ast::File { game: None, declarations: vec![section.clone()] });
    text.trim_end().to_string()
}
