//! Index: the trees of a file and of what it extends go in; what each name means, and where it is declared, comes out.
//!
//! It looks at trees alone, so that it answers also where the checker stops. A name means the nearest local name, else
//! the declaration of the nearest layer: a variant, what it extends, the game, what that extends, the prelude.

mod walk;

use std::collections::HashMap;

use crate::check::{Texts, key};
use crate::sort;
use crate::source::{SourceId, Span};
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;

/// The sections of a game, or of one of its variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope {
    pub source: SourceId,
    /// Counted among the variants of its text.
    pub variant: Option<usize>,
}

/// What is declared by a word of its own, or a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Game,
    Variant,
    Example,
    Player,
    Param,
    Piece,
    Remember,
    Define,
    Pattern,
    Action,
    Part,
}

impl Sort {
    /// The word that declares it.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Game => "game",
            Sort::Variant => "variant",
            Sort::Example => "example",
            Sort::Player => "players",
            Sort::Param => "param",
            Sort::Piece => "piece",
            Sort::Remember => "remember",
            Sort::Define => "define",
            Sort::Pattern => "pattern",
            Sort::Action => "action",
            Sort::Part => "do",
        }
    }

    /// Names of one space are told apart by their letters alone.
    fn space(self) -> u8 {
        match self {
            Sort::Game | Sort::Variant => 0,
            Sort::Example => 1,
            Sort::Part => 2,
            _ => 3,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Declaration {
    pub sort: Sort,
    pub name: String,
    /// The name or title itself.
    pub span: Span,
    /// All that declares it.
    pub whole: Span,
    pub scope: Scope,
    pub parameters: Vec<String>,
}

/// How a local name is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    Parameter,
    Let,
    /// `pick n from 1..3`
    Number,
    /// A member of a set.
    Pick,
    /// Cells of a set, as `pick 2 c`, or `for each`.
    Cells,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub span: Span,
    pub binding: Binding,
    /// The value or the set that it comes from.
    pub value: Option<Span>,
    /// The statement or declaration that binds it.
    pub whole: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    Declared(usize),
    Local(usize),
    Builtin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Declares,
    Sets,
    Reads,
}

#[derive(Clone, Copy, Debug)]
pub struct Occurrence {
    pub span: Span,
    pub meaning: Meaning,
    pub role: Role,
}

/// `as usual`, and the sections or parts that it stands for.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    pub span: Span,
    pub stands_for: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Index {
    pub declarations: Vec<Declaration>,
    pub locals: Vec<Local>,
    /// Names in all texts, in their order.
    pub names: Vec<Occurrence>,
    pub usuals: Vec<Usual>,
    /// Patterns, so that they can be drawn.
    pub patterns: Vec<ast::Pattern>,
    /// `S where C or D`: the whole, and D.
    pub wheres: Vec<(Span, Span)>,
    /// What each scope looks through, the nearest first.
    chains: HashMap<Scope, Vec<Scope>>,
}

impl Index {
    pub fn of(texts: &Texts) -> Index {
        let mut index = Index::default();
        let prelude = Scope { source: SourceId::PRELUDE, variant: None };
        for section in &texts.prelude.declarations {
            index.declare(section, prelude);
        }
        let mut below: Vec<Scope> = vec![prelude];
        index.chains.insert(prelude, below.clone());
        for (at, game) in texts.games.iter().enumerate() {
            let own = Scope { source: game.title.span.source, variant: None };
            if let Some(variant) = game.extends.as_ref().and_then(|base| base.variant.as_ref())
                && let Some(base) = at.checked_sub(1).and_then(|at| texts.games.get(at))
                && let Some(scope) = index.variant_scope(base, &variant.node)
                && let Some(chain) = index.chains.get(&scope)
            {
                below = chain.clone();
            }
            let chain: Vec<Scope> = std::iter::once(own).chain(below.iter().copied()).collect();
            index.declare_game(game, own);
            index.chains.insert(own, chain.clone());
            index.chain_variants(game, own, &chain);
            below = chain;
        }
        let mut walk = walk::Walk::new(&mut index);
        walk.sections(&texts.prelude.declarations, prelude);
        for game in &texts.games {
            walk.game(game);
        }
        walk.finish();
        sort::by_key(&mut index.names, |name| (name.span.source, name.span.start, name.span.end));
        index.names.dedup_by_key(|name| name.span);
        index
    }

    fn declare_game(&mut self, game: &ast::Game, own: Scope) {
        let title = &game.title;
        self.declarations.push(Declaration {
            sort: Sort::Game,
            name: title.node.clone(),
            span: title.span,
            whole: game.span,
            scope: own,
            parameters: Vec::new(),
        });
        let mut variants = 0;
        for section in &game.sections {
            self.declare(section, own);
            if let SectionKind::Variant(variant) = &section.node {
                let scope = Scope { variant: Some(variants), ..own };
                variants += 1;
                variant.sections.iter().for_each(|section| self.declare(section, scope));
            }
        }
    }

    /// What the scopes of the variants of a game look through.
    fn chain_variants(&mut self, game: &ast::Game, own: Scope, below: &[Scope]) {
        let variants: Vec<&ast::Variant> = variants(game).collect();
        for at in 0..variants.len() {
            let mut chain = Vec::new();
            let mut next = Some(at);
            while let Some(at) = next {
                let scope = Scope { variant: Some(at), ..own };
                if chain.contains(&scope) {
                    break;
                }
                chain.push(scope);
                let base = variants[at].extends.as_ref();
                next = base.and_then(|base| variants.iter().position(|other| same_title(game, other, base)));
            }
            chain.extend(below);
            self.chains.insert(Scope { variant: Some(at), ..own }, chain);
        }
    }

    fn variant_scope(&self, game: &ast::Game, title: &str) -> Option<Scope> {
        let at = variants(game).position(|variant| same_title(game, variant, title))?;
        Some(Scope { source: game.title.span.source, variant: Some(at) })
    }

    fn declare(&mut self, section: &ast::Section, scope: Scope) {
        let mut add = |sort: Sort, name: &ast::Word, parameters: &[ast::Word]| {
            self.declarations.push(Declaration {
                sort,
                name: name.node.clone(),
                span: name.span,
                whole: section.span,
                scope,
                parameters: parameters.iter().map(|word| word.node.clone()).collect(),
            });
        };
        match &section.node {
            SectionKind::Players(seats) => seats.iter().for_each(|seat| add(Sort::Player, &seat.player, &[])),
            SectionKind::Piece(piece) => add(Sort::Piece, &piece.name, &[]),
            SectionKind::Remember(remember) => add(Sort::Remember, &remember.name, &[]),
            SectionKind::Param(param) => add(Sort::Param, &param.name, &[]),
            SectionKind::Define(define) => add(Sort::Define, &define.name, &define.parameters),
            SectionKind::Pattern(pattern) => add(Sort::Pattern, &pattern.name, &[]),
            SectionKind::Action(action) => add(Sort::Action, &action.name, &action.parameters),
            SectionKind::Part(part) => add(Sort::Part, &part.name, &[]),
            SectionKind::Example(example) => add(Sort::Example, &example.title, &[]),
            SectionKind::Variant(variant) => add(Sort::Variant, &variant.title, &[]),
            _ => {}
        }
    }

    /// The declaration that a name means in a scope.
    pub fn declared(&self, name: &str, scope: Scope, is_part: bool) -> Option<usize> {
        let chain = self.chains.get(&scope)?;
        let found = self.declarations.iter().enumerate().filter(|(_, declaration)| {
            let space = declaration.sort.space();
            declaration.name == name && (space == 2) == is_part && space >= 2
        });
        let near = found.filter_map(|(at, declaration)| {
            chain.iter().position(|scope| *scope == declaration.scope).map(|distance| (distance, at))
        });
        near.min().map(|(_, at)| at)
    }

    /// The declarations that can be named in a scope, each name once.
    pub fn visible(&self, scope: Scope) -> Vec<usize> {
        let Some(chain) = self.chains.get(&scope) else { return Vec::new() };
        let mut seen: HashMap<(&str, u8), ()> = HashMap::new();
        let mut found = Vec::new();
        for scope in chain {
            for (at, declaration) in self.declarations.iter().enumerate().filter(|(_, other)| other.scope == *scope) {
                if seen.insert((declaration.name.as_str(), declaration.sort.space()), ()).is_none() {
                    found.push(at);
                }
            }
        }
        found
    }

    /// The name that stands at a byte; at its end too.
    pub fn at(&self, source: SourceId, byte: usize) -> Option<&Occurrence> {
        let byte = byte as u32;
        let end = self.names.partition_point(|name| (name.span.source, name.span.start) <= (source, byte));
        let name = self.names[..end].last()?;
        (name.span.source == source && byte <= name.span.end).then_some(name)
    }

    /// The scope whose sections stand around a byte.
    pub fn scope(&self, source: SourceId, byte: usize) -> Scope {
        let variants = self.declarations.iter().filter(|declaration| {
            declaration.sort == Sort::Variant && declaration.scope == Scope { source, variant: None }
        });
        let byte = byte as u32;
        let variant =
            variants.enumerate().find(|(_, variant)| variant.whole.start <= byte && byte <= variant.whole.end);
        Scope { source, variant: variant.map(|(at, _)| at) }
    }

    /// Every place of the texts that means the same.
    pub fn same(&self, meaning: Meaning) -> Vec<Occurrence> {
        let is_same = |other: &&Occurrence| match (meaning, other.meaning) {
            (Meaning::Declared(one), Meaning::Declared(other)) => self.is_family(one, other),
            (one, other) => one == other && one != Meaning::Builtin,
        };
        self.names.iter().filter(is_same).copied().collect()
    }

    /// Both declare one thing, or one replaces the other.
    pub fn is_family(&self, one: usize, other: usize) -> bool {
        if one == other {
            return true;
        }
        let (Some(a), Some(b)) = (self.declarations.get(one), self.declarations.get(other)) else { return false };
        // What the prelude declares stays what it is for others when a game replaces it.
        let apart = [a, b].iter().any(|declaration| declaration.scope.source == SourceId::PRELUDE);
        a.name == b.name && a.sort == b.sort && a.sort.space() >= 2 && !apart
    }
}

fn variants(game: &ast::Game) -> impl Iterator<Item = &ast::Variant> {
    game.sections.iter().filter_map(|section| match &section.node {
        SectionKind::Variant(variant) => Some(variant),
        _ => None,
    })
}

/// Titles are compared with or without the game's name before them.
fn same_title(game: &ast::Game, variant: &ast::Variant, title: &str) -> bool {
    let (wanted, title, game) = (key(title), key(&variant.title), key(&game.title));
    wanted == title || format!("{game}{wanted}") == title || wanted == format!("{game}{title}")
}
