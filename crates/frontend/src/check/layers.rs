//! Layers: the trees of a game, of what it extends and of its variant go in; one list of
//! declarations, each name and section once, comes out.

use indexmap::IndexMap;

use crate::check::error::{Kind, Problems};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::{Section, SectionKind};

/// What a declaration declares, by its keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keyword {
    Param,
    Piece,
    Remember,
    Define,
    Pattern,
    Action,
}

impl Keyword {
    pub fn word(self) -> &'static str {
        match self {
            Keyword::Param => "param",
            Keyword::Piece => "piece",
            Keyword::Remember => "remember",
            Keyword::Define => "define",
            Keyword::Pattern => "pattern",
            Keyword::Action => "action",
        }
    }
}

/// A section that stands for a whole; a later layer's replaces an earlier one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whole {
    About,
    Players,
    Teams,
    Board,
    Captures,
    Setup,
    Opening,
    Move,
    End,
    Notation,
}

impl Whole {
    pub fn word(self) -> &'static str {
        match self {
            Whole::About => "about",
            Whole::Players => "players",
            Whole::Teams => "teams",
            Whole::Board => "board",
            Whole::Captures => "captures",
            Whole::Setup => "setup",
            Whole::Opening => "opening",
            Whole::Move => "move",
            Whole::End => "end",
            Whole::Notation => "notation",
        }
    }
}

/// A declaration and the layer whose text it stands in; layer 0 is the prelude.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    pub keyword: Keyword,
    pub section: &'a Section,
    pub name: &'a ast::Word,
    pub layer: usize,
}

/// All layers of a game, the lowest first.
#[derive(Debug, Default)]
pub struct Layers<'a> {
    /// The prelude's declarations by name.
    pub prelude: IndexMap<&'a str, Declared<'a>>,
    /// The game's by name; those of later layers in the place of what they replace.
    pub names: IndexMap<&'a str, Declared<'a>>,
    /// Whole sections, lowest layer first.
    wholes: Vec<(Whole, usize, &'a Section)>,
    /// What replaces named parts of programs, lowest layer first.
    parts: Vec<(usize, &'a ast::Part)>,
}

impl<'a> Layers<'a> {
    /// `prelude` and then the sections of each layer, the lowest first.
    pub fn new(prelude: &'a [Section], layers: &[&'a [Section]], problems: &mut Problems) -> Layers<'a> {
        let mut all = Layers::default();
        for section in prelude {
            if let Some((keyword, name)) = declared(section) {
                all.prelude.insert(name.node.as_str(), Declared { keyword, section, name, layer: 0 });
            }
        }
        for (i, sections) in layers.iter().enumerate() {
            for section in *sections {
                all.add(i + 1, section, problems);
            }
        }
        all
    }

    fn add(&mut self, layer: usize, section: &'a Section, problems: &mut Problems) {
        if let Some((keyword, name)) = declared(section) {
            self.declare(Declared { keyword, section, name, layer }, problems);
        } else if let Some(whole) = whole(section) {
            let twice = self.wholes.iter().find(|(w, l, _)| *w == whole && *l == layer);
            if let Some((.., first)) = twice {
                problems.add_with(Kind::DuplicateSection { word: whole.word() }, head(section), head(first));
            }
            self.wholes.push((whole, layer, section));
        } else if let SectionKind::Part(part) = &section.node {
            let name = &part.name;
            if let Some((_, first)) = self.parts.iter().find(|(l, p)| *l == layer && p.name.node == name.node) {
                let kind = Kind::DuplicateName { name: name.node.clone(), keyword: "part", set: None };
                problems.add_with(kind, name.span, first.name.span);
            }
            self.parts.push((layer, part));
        }
    }

    fn declare(&mut self, declared: Declared<'a>, problems: &mut Problems) {
        let name = declared.name.node.as_str();
        if crate::syntax::builtin::is_builtin(name) {
            problems.add(Kind::BuiltinName { name: name.to_string() }, declared.name.span);
            return;
        }
        if let Some(first) = self.names.get(name)
            && (first.layer == declared.layer || first.keyword != declared.keyword)
        {
            let kind = Kind::DuplicateName { name: name.to_string(), keyword: first.keyword.word(), set: None };
            problems.add_with(kind, declared.name.span, first.name.span);
            return;
        }
        self.names.insert(name, declared);
    }

    /// The section in the highest layer below `under`, with its layer.
    pub fn whole(&self, whole: Whole, under: usize) -> Option<(usize, &'a Section)> {
        self.wholes
            .iter()
            .rev()
            .find(|(w, layer, _)| *w == whole && *layer < under)
            .map(|(_, layer, section)| (*layer, *section))
    }

    /// The sections of all layers, the lowest first.
    pub fn every(&self, whole: Whole) -> impl Iterator<Item = (usize, &'a Section)> + '_ {
        self.wholes.iter().filter(move |(w, ..)| *w == whole).map(|(_, layer, section)| (*layer, *section))
    }

    /// What replaces a part in the highest layer between two.
    pub fn part(&self, name: &str, above: usize, under: usize) -> Option<(usize, &'a ast::Part)> {
        let parts =
            self.parts.iter().filter(|(layer, part)| (above + 1..under).contains(layer) && part.name.node == name);
        parts.max_by_key(|(layer, _)| *layer).copied()
    }

    /// What the highest layer of all replaces.
    pub fn top_parts(&self, top: usize) -> Vec<&'a ast::Part> {
        self.parts.iter().filter(|(layer, _)| *layer == top).map(|(_, part)| *part).collect()
    }

    /// The section in the highest layer.
    pub fn top(&self, whole: Whole) -> Option<(usize, &'a Section)> {
        self.whole(whole, usize::MAX)
    }
}

/// The first word of a section: what an error about the whole of it points at.
pub fn head(section: &Section) -> Span {
    let word = match &section.node {
        SectionKind::About(_) => "about",
        SectionKind::Players(_) => "players",
        SectionKind::Teams(_) => "teams",
        SectionKind::Board(_) => "board",
        SectionKind::Captures(_) => "captures",
        SectionKind::Setup(_) => "setup",
        SectionKind::Opening(_) => "opening",
        SectionKind::Move(_) => "move",
        SectionKind::End(_) => "end",
        SectionKind::Notation(_) => "notation",
        SectionKind::Variant(_) => "variant",
        SectionKind::Piece(_) => "piece",
        SectionKind::Remember(_) => "remember",
        SectionKind::Param(_) => "param",
        SectionKind::Define(_) => "define",
        SectionKind::Pattern(_) => "pattern",
        SectionKind::Action(_) => "action",
        SectionKind::Part(_) => "do",
        SectionKind::Example(_) => "example",
    };
    Span { end: section.span.start + word.len() as u32, ..section.span }
}

pub fn declared(section: &Section) -> Option<(Keyword, &ast::Word)> {
    Some(match &section.node {
        SectionKind::Param(param) => (Keyword::Param, &param.name),
        SectionKind::Piece(piece) => (Keyword::Piece, &piece.name),
        SectionKind::Remember(remember) => (Keyword::Remember, &remember.name),
        SectionKind::Define(define) => (Keyword::Define, &define.name),
        SectionKind::Pattern(pattern) => (Keyword::Pattern, &pattern.name),
        SectionKind::Action(action) => (Keyword::Action, &action.name),
        _ => return None,
    })
}

fn whole(section: &Section) -> Option<Whole> {
    Some(match &section.node {
        SectionKind::About(_) => Whole::About,
        SectionKind::Players(_) => Whole::Players,
        SectionKind::Teams(_) => Whole::Teams,
        SectionKind::Board(_) => Whole::Board,
        SectionKind::Captures(_) => Whole::Captures,
        SectionKind::Setup(_) => Whole::Setup,
        SectionKind::Opening(_) => Whole::Opening,
        SectionKind::Move(_) => Whole::Move,
        SectionKind::End(_) => Whole::End,
        SectionKind::Notation(_) => Whole::Notation,
        _ => return None,
    })
}
