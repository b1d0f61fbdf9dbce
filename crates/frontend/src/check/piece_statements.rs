//! Piece statements: trees of what is moved, placed or promoted go in; statements of the model come
//! out.

use crate::board::PlayerSet;
use crate::check::Checker;
use crate::check::error::Kind;
use crate::check::layers::Keyword;
use crate::check::pattern::Use;
use crate::model::{Cells, Landing, Man, Place, Players, Slot, Statement, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;

/// Most defines within each other that list kinds.
const MAX_LISTS: usize = 32;

/// The kinds that some words list.
#[derive(Debug, Default)]
struct KindList {
    kinds: Vec<crate::board::Kind>,
    /// Defines that are being looked into, and those that have been.
    open: Vec<Span>,
    done: Vec<Span>,
}

impl<'a> Checker<'a> {
    /// What `move` and `capture` move, and the slot that follows.
    pub fn mover(&mut self, who: &ast::Word) -> Option<(Cells, Option<Slot>)> {
        let follow =
            self.scope.find(who).filter(|local| local.follows && local.ty == Type::Cells).map(|local| local.slot);
        let term = self.name(who, who.span)?;
        let cells = self.expect_cells(term, who.span)?;
        Some((cells, follow))
    }

    pub fn move_(
        &mut self,
        amount: Option<&ast::Expr>,
        who: &ast::Word,
        how: &'a ast::How,
        span: Span,
    ) -> Option<Statement> {
        let amount = match amount {
            None => None,
            Some(amount) => Some(self.number(amount)?),
        };
        let mover = self.mover(who);
        let landing = match how {
            ast::How::Ways => Some(Landing::Ways { capture: false }),
            ast::How::Line(line) => {
                let line = self.line(line, Use::Move, true);
                if let Some(line) = &line {
                    self.lint_landing(line);
                }
                line.map(Landing::Line)
            }
            ast::How::To { cells, bottom } => {
                if *bottom && !self.stacks {
                    self.problem(Kind::NeedsStacks, span);
                }
                let (known, span) = (self.is_known(cells), cells.span);
                let cells = self.cells(cells);
                if let Some(cells) = cells.as_ref().filter(|_| !known) {
                    self.lint_landing_set(cells, span);
                }
                cells.map(|cells| Landing::To { cells, known, bottom: *bottom })
            }
        };
        let (who, follow) = mover?;
        Some(Statement::Move { amount, who, landing: landing?, follow, span })
    }

    /// The bare name of a local or a define.
    fn is_known(&self, cells: &ast::Expr) -> bool {
        match &*cells.kind {
            ast::ExprKind::Name(name) => {
                self.scope.find(name).is_some()
                    || self
                        .declared(name)
                        .is_some_and(|declared| matches!(declared.keyword, Keyword::Define | Keyword::Remember))
            }
            _ => false,
        }
    }

    pub fn place(&mut self, place: &ast::Place) -> Option<Place> {
        match place {
            ast::Place::InHand { amount, man } => {
                let amount = self.number(amount);
                let found = self.man(man)?;
                if found.neutral {
                    self.problem(Kind::NeutralInHand { name: man.kind.node.clone() }, man.span());
                    return None;
                }
                Some(Place::InHand { amount: amount?, man: found })
            }
            ast::Place::On { several, man, kinds, on, bottom, from_hand } => {
                let several = match several {
                    None => None,
                    Some(several) => Some(self.number(several)?),
                };
                if (several.is_some() || *bottom) && !self.stacks {
                    self.problem(Kind::NeedsStacks, man.span());
                }
                let listed = self.kinds_listed(std::iter::once(&man.kind).chain(kinds));
                let men: Option<Vec<Man>> =
                    listed.map(|kinds| kinds.into_iter().filter_map(|kind| self.man_of(man, kind)).collect());
                let cells = self.cells(on);
                let men = men.filter(|men| !men.is_empty())?;
                if *from_hand && men.iter().all(|man| man.neutral) {
                    self.problem(Kind::NeutralInHand { name: man.kind.node.clone() }, man.span());
                    return None;
                }
                Some(Place::On { several, men, cells: cells?, bottom: *bottom, from_hand: *from_hand })
            }
        }
    }

    pub fn man(&mut self, man: &ast::Man) -> Option<Man> {
        let kind = self.expect_kind(&man.kind)?;
        self.man_of(man, kind)
    }

    /// The man, but of this kind.
    fn man_of(&mut self, man: &ast::Man, kind: crate::board::Kind) -> Option<Man> {
        let mut neutral = self.kinds.get(kind.index()).is_some_and(|info| info.neutral);
        let owner = match &man.owner {
            None => None,
            Some(word) if word.node == "neutral" => {
                neutral = true;
                None
            }
            Some(word) if neutral => {
                self.problem(Kind::NeutralOwned { name: man.kind.node.clone() }, word.span);
                return None;
            }
            Some(word) if word.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let term = self.player_term(word, word.span)?;
                Some(self.expect_players(term, word.span)?)
            }
            Some(word) => {
                let term = self.name(word, word.span)?;
                Some(self.expect_players(term, word.span)?)
            }
        };
        Some(Man { owner, neutral, kind })
    }

    pub fn expect_kind(&mut self, word: &ast::Word) -> Option<crate::board::Kind> {
        if self.scope.find(word).is_none()
            && let Some(declared) = self.declared(word)
            && declared.keyword == Keyword::Piece
        {
            self.uses(declared);
            return self.kind_named(word);
        }
        let near = crate::syntax::near(word, self.kinds.iter().map(|kind| kind.name.as_str()));
        self.problem(Kind::NotAKind { name: word.node.clone(), near }, word.span);
        None
    }

    /// The kinds that words list, each once: names of kinds, and of defines that list kinds.
    fn kinds_listed<'w>(&mut self, words: impl Iterator<Item = &'w ast::Word>) -> Option<Vec<crate::board::Kind>> {
        let mut list = KindList::default();
        let mut good = true;
        for word in words {
            good &= self.list_kinds(word, &mut list).is_some();
        }
        good.then_some(list.kinds)
    }

    fn list_kinds(&mut self, word: &ast::Word, list: &mut KindList) -> Option<()> {
        if self.scope.find(word).is_none()
            && let Some(declared) = self.declared(word)
            && let SectionKind::Define(define) = &declared.section.node
            && define.parameters.is_empty()
        {
            self.uses(declared);
            let at = declared.name.span;
            if list.open.contains(&at) || list.open.len() == MAX_LISTS {
                self.problem_with(Kind::EndlessDefine { name: word.node.clone() }, word.span, at);
                return None;
            }
            // What is listed twice adds nothing, however often it is named.
            if list.done.contains(&at) {
                return Some(());
            }
            list.open.push(at);
            let listed = self.list_kinds_of(&define.body, word, list);
            list.open.pop();
            list.done.push(at);
            return listed;
        }
        let kind = self.expect_kind(word)?;
        if !list.kinds.contains(&kind) {
            list.kinds.push(kind);
        }
        Some(())
    }

    /// The kinds that the body of a define joins by `or`.
    fn list_kinds_of(&mut self, body: &ast::Expr, name: &ast::Word, list: &mut KindList) -> Option<()> {
        match &*body.kind {
            ast::ExprKind::Name(word) => {
                let word = ast::Word { node: word.clone(), span: body.span };
                self.list_kinds(&word, list)
            }
            ast::ExprKind::Brackets(inner) => self.list_kinds_of(inner, name, list),
            ast::ExprKind::Or(parts) => parts.iter().try_for_each(|part| self.list_kinds_of(part, name, list)),
            _ => {
                self.problem_with(Kind::NotAKind { name: name.node.clone(), near: None }, name.span, body.span);
                None
            }
        }
    }

    pub fn promote(&mut self, who: &ast::Word, kinds: &[ast::Word], span: Span) -> Option<Statement> {
        let mover = self.mover(who);
        let kinds = self.kinds_listed(kinds.iter())?;
        if kinds.is_empty() && self.kinds.iter().all(|kind| kind.from.is_none()) {
            self.problem(Kind::NoPromotedKind, span);
            return None;
        }
        if kinds.is_empty() {
            let promoted = (0..self.kinds.len()).filter(|at| self.kinds[*at].from.is_some());
            promoted.collect::<Vec<_>>().into_iter().for_each(|at| self.use_kind(crate::board::Kind(at as u8)));
        }
        Some(Statement::Promote { who: mover?.0, kinds, span })
    }

    /// The player of a literal, for pictures.
    pub fn literal_player(players: &Players) -> Option<PlayerSet> {
        match players {
            Players::Fixed(set) => Some(*set),
            _ => None,
        }
    }
}
