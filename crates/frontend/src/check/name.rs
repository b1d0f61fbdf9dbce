//! Name resolution: a name goes in; what it stands for comes out: a local, a declaration of the
//! game, a built-in name, a declaration of the prelude.

use crate::board::DirSet;
use crate::check::error::Kind;
use crate::check::layers::{Declared, Keyword};
use crate::check::scope::Reach;
use crate::check::term::Term;
use crate::check::{Asked, Checker};
use crate::model::{Axes, Cells, Dirs, Expr, Groups, List, Number, Players, Remembered, Slot, StateId, Truth, Type};
use crate::source::Span;
use crate::syntax::{builtin, near};

/// Words that are no names, but stand where a name may.
const BANDS: [&str; 7] = ["file", "files", "last row", "rank", "ranks", "row", "rows"];

impl<'a> Checker<'a> {
    pub fn name(&mut self, name: &str, span: Span) -> Option<Term> {
        if let Some(local) = self.scope.find(name) {
            if self.is_guessed(name) {
                return None;
            }
            return Some(local_term(local.slot, local.ty));
        }
        if let Some(declared) = self.declared(name) {
            return self.declared_term(declared, span);
        }
        if builtin::NAMES.contains(&name) {
            return self.builtin_name(name, span);
        }
        if builtin::FUNCTIONS.contains(&name) {
            self.problem(Kind::FunctionWithoutArguments { name: name.to_string() }, span);
            return None;
        }
        // Only boards of several layers know `up` and its like, so that elsewhere they are free names.
        if let Some(dir) = self.topology.direction_named(name) {
            return Some(Dirs::Fixed(DirSet::one(dir)).into());
        }
        self.unknown(name, span);
        None
    }

    /// Its type is not known after a mistake that has been reported.
    pub fn is_guessed(&self, name: &str) -> bool {
        self.guessed.iter().any(|guessed| guessed == name)
    }

    /// The declaration that a name means in the text that is being checked.
    pub fn declared(&self, name: &str) -> Option<Declared<'a>> {
        let own = match self.scope.reach {
            Reach::Game => self.layers.names.get(name),
            Reach::Prelude => None,
        };
        own.or_else(|| self.layers.prelude.get(name)).copied()
    }

    pub fn unknown(&mut self, name: &str, span: Span) {
        if self.problems.is_full("unknown-name") {
            return self.problem(Kind::UnknownName { name: name.to_string(), near: None }, span);
        }
        if let Some(ended) = self.scope.ended(name) {
            let other = ended.span;
            return self.problem_with(Kind::OutOfScope { name: name.to_string() }, span, other);
        }
        let locals = self.scope.locals.iter().map(|local| local.name.as_str());
        let declared = self.layers.names.keys().chain(self.layers.prelude.keys()).copied();
        let builtin = builtin::NAMES.iter().chain(builtin::FUNCTIONS).copied();
        let seats = self.seats.iter().map(|seat| seat.name.as_str());
        let near = band(name).or_else(|| near(name, locals.chain(declared).chain(builtin).chain(BANDS).chain(seats)));
        self.problem(Kind::UnknownName { name: name.to_string(), near }, span);
    }

    fn declared_term(&mut self, declared: Declared<'a>, span: Span) -> Option<Term> {
        self.uses(declared);
        let name = declared.name.node.as_str();
        match declared.keyword {
            Keyword::Param => self.params.get(name).cloned().map(Term::Expr),
            Keyword::Piece => self.kind_named(name).map(|kind| Cells::Kind(kind).into()),
            Keyword::Remember => self.state_term(name, None, span),
            Keyword::Define => self.call_define(declared, &[], span),
            Keyword::Pattern if self.catching.is_some() => self.test_pattern(declared, span),
            Keyword::Pattern | Keyword::Action => {
                let kind = Kind::NotAValue { name: name.to_string(), keyword: declared.keyword.word() };
                self.problem_with(kind, span, declared.name.span);
                None
            }
        }
    }

    /// A remembered value: `own`'s copy, or that of the players given.
    pub fn state_term(&mut self, name: &str, of: Option<Players>, span: Span) -> Option<Term> {
        let known = self.state_named(name).map(|(id, state)| (id, state.per_player, state.compared, state.first.ty()));
        let Some((id, per_player, compared, ty)) = known else {
            if self.is_guessed(name) {
                return None;
            }
            // A remembered value's own first value, or one declared later, is asked before there is
            // any.
            self.problem(Kind::StateTooEarly { name: name.to_string() }, span);
            return None;
        };
        if of.is_some() && !per_player {
            self.problem(Kind::NotPerPlayer { name: name.to_string() }, span);
            return None;
        }
        if !compared {
            self.words.history = true;
        }
        let of = if per_player { Some(of.unwrap_or(Players::Own)) } else { None };
        Some(match ty {
            Type::Number => Number::State(id, of).into(),
            Type::Truth => Truth::State(id, of).into(),
            _ => Cells::State(id, of).into(),
        })
    }

    fn builtin_name(&mut self, name: &str, span: Span) -> Option<Term> {
        self.words.turn |= matches!(name, "last" | "origin" | "passed" | "heading" | "caught");
        Some(match name {
            "own" => Players::Own.into(),
            "enemy" => Players::Enemy.into(),
            "ally" => Players::Ally.into(),
            "true" => Truth::Fixed(true).into(),
            "false" => Truth::Fixed(false).into(),
            "none" => Term::Nothing,
            "any" => Cells::Fixed(self.topology.any()).into(),
            "neutral" => Cells::Neutral.into(),
            "empty" => Cells::Empty.into(),
            "occupied" => Cells::Occupied.into(),
            "last" => self.word_of_turn(Cells::Last),
            "origin" => self.word_of_turn(Cells::Origin),
            "passed" => {
                self.asks.path = true;
                self.word_of_turn(Cells::Passed)
            }
            "caught" => self.word_of_turn(Cells::Caught),
            "here" => self.here(span)?.into(),
            "it" => self.it(span)?,
            "turns" => {
                self.count_turns();
                return self.state_term("turns", None, span);
            }
            "changed" => {
                self.words.turn_only.get_or_insert(Asked::new("changed", span));
                self.asks.changed = true;
                Truth::Changed.into()
            }
            "cycle" => {
                self.words.end_of_turn.get_or_insert(Asked::new("cycle", span));
                self.words.history = true;
                self.asks.times_position = true;
                Number::Cycle.into()
            }
            "axes" => Axes::Fixed(self.topology.axes()).into(),
            _ => self.direction_word(name, span)?.into(),
        })
    }

    /// The number of the turn is a value that every turn adds to: see [`Checker::turns_are_counted`].
    fn count_turns(&mut self) {
        if self.turns.is_none() {
            self.turns = Some(StateId(self.states.len() as u16));
            self.states.push(Remembered {
                name: "turns".to_string(),
                first: Expr::Number(Number::Fixed(0)),
                frame: 0,
                per_player: false,
                on_pieces: false,
                for_one_turn: false,
                compared: false,
                span: Span::NOWHERE,
            });
        }
    }

    fn here(&mut self, span: Span) -> Option<Cells> {
        if !self.scope.here {
            self.problem(Kind::HereOutsidePiece, span);
            return None;
        }
        Some(Cells::Here)
    }

    fn it(&mut self, span: Span) -> Option<Term> {
        match self.scope.its.last() {
            Some((slot, ty)) => Some(local_term(*slot, *ty)),
            None => {
                self.problem(Kind::ItOutsideWhere, span);
                None
            }
        }
    }

    fn word_of_turn(&mut self, cells: Cells) -> Term {
        self.asks.words = true;
        cells.into()
    }

    fn direction_word(&mut self, name: &str, span: Span) -> Option<Dirs> {
        Some(match name {
            "straight" => Dirs::Fixed(self.topology.straight()),
            "orthogonal" => Dirs::Fixed(self.topology.orthogonal()),
            "diagonal" => Dirs::Fixed(self.topology.diagonal()),
            "heading" => {
                (self.asks.path, self.asks.words) = (true, true);
                Dirs::Heading
            }
            "outward" => {
                if !self.scope.turning {
                    self.problem(Kind::OutwardOutsideTurning, span);
                    return None;
                }
                Dirs::Outward
            }
            "forward" | "backward" | "ahead" | "behind" | "sideways" => return self.relative_direction(name, span),
            _ => return self.compass_direction(name, span),
        })
    }

    fn relative_direction(&mut self, name: &str, span: Span) -> Option<Dirs> {
        if self.seats.iter().any(|seat| seat.forward.is_none()) {
            self.problem(Kind::NoForward { name: name.to_string() }, span);
            return None;
        }
        Some(match name {
            "forward" => Dirs::Forward,
            "backward" => Dirs::Backward,
            "ahead" => Dirs::Ahead,
            "behind" => Dirs::Behind,
            _ => Dirs::Sideways,
        })
    }

    fn compass_direction(&mut self, name: &str, span: Span) -> Option<Dirs> {
        match self.topology.direction_named(name) {
            Some(dir) => Some(Dirs::Fixed(DirSet::one(dir))),
            None => {
                self.no_such_direction(name, span);
                None
            }
        }
    }

    /// The word is no direction of this board.
    pub fn no_such_direction(&mut self, word: &str, span: Span) {
        let words: Vec<String> = self.topology.direction_words().collect();
        let near = near(word, words.iter().map(String::as_str));
        self.problem(Kind::NoSuchDirection { name: word.to_string(), near }, span);
    }
}

/// `row1` is `row 1`.
fn band(name: &str) -> Option<String> {
    let at = name.find(|c: char| c.is_ascii_digit())?;
    let (word, number) = name.split_at(at);
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && matches!(word, "file" | "files" | "rank" | "ranks" | "row" | "rows"))
        .then(|| format!("{word} {number}"))
}

fn local_term(slot: Slot, ty: Type) -> Term {
    Term::Expr(local_expr(slot, ty))
}

/// What stands in a slot, as an expression.
pub fn local_expr(slot: Slot, ty: Type) -> Expr {
    match ty {
        Type::Number => Expr::Number(Number::Local(slot)),
        Type::Truth => Expr::Truth(Truth::Local(slot)),
        Type::Cells => Expr::Cells(Cells::Local(slot)),
        Type::Groups => Expr::Groups(Groups::Local(slot)),
        Type::Dirs => Expr::Dirs(Dirs::Local(slot)),
        Type::Axes => Expr::Axes(Axes::Local(slot)),
        Type::Players => Expr::Players(Players::Local(slot)),
        Type::List => Expr::List(List::Local(slot)),
    }
}
