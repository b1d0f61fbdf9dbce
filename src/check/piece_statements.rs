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
            ast::How::To(cells) => {
                let (known, span) = (self.is_known(cells), cells.span);
                let cells = self.cells(cells);
                if let Some(cells) = cells.as_ref().filter(|_| !known) {
                    self.lint_landing_set(cells, span);
                }
                cells.map(|cells| Landing::To { cells, known })
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
                let man = self.man(man);
                Some(Place::InHand { amount: amount?, man: man? })
            }
            ast::Place::On { several, man, kinds, on, from_hand } => {
                let several = match several {
                    None => None,
                    Some(several) => Some(self.number(several)?),
                };
                if several.is_some() && !self.stacks {
                    self.problem(Kind::NeedsStacks, man.span());
                }
                let mut men = vec![self.man(man)];
                for kind in kinds {
                    let other = ast::Man { owner: man.owner.clone(), kind: kind.clone() };
                    men.push(self.man(&other));
                }
                let cells = self.cells(on);
                let men = men.into_iter().collect::<Option<Vec<_>>>()?;
                Some(Place::On { several, men, cells: cells?, from_hand: *from_hand })
            }
        }
    }

    pub fn man(&mut self, man: &ast::Man) -> Option<Man> {
        let kind = self.expect_kind(&man.kind)?;
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

    pub fn promote(&mut self, who: &ast::Word, kinds: &[ast::Word], span: Span) -> Option<Statement> {
        let mover = self.mover(who);
        let kinds: Vec<_> = kinds.iter().map(|kind| self.expect_kind(kind)).collect();
        let kinds = kinds.into_iter().collect::<Option<Vec<_>>>()?;
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
