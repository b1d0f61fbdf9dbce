//! Nouns: sets of the rules go in; what English calls their members comes out.

use crate::game::sheet::words::{article, list, plural, spaced};
use crate::game::sheet::{Sheet, Term};
use crate::sort;
use crate::syntax::ast;
use crate::syntax::ast::{ArgumentKind, BandAxis, ExprKind};

/// Whose something is, behind or before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    Nobody,
    You,
    /// `your opponent's`, and with which verb they have something.
    Them(String, &'static str),
}

/// What English calls the members of a set.
#[derive(Clone, Debug)]
pub struct Noun {
    pub whose: Whose,
    pub one: String,
    pub many: String,
    /// What is said behind it: `on file a`.
    pub tail: String,
    /// There is one at most.
    pub unique: bool,
    /// A name that stands for all of them, and whether it is more than one.
    pub whole: Option<(String, bool)>,
    /// `one of` them, where that is not made from the others.
    pub any_one: Option<String>,
}

impl Noun {
    pub fn new(whose: Whose, one: impl Into<String>, many: impl Into<String>) -> Noun {
        let (one, many) = (one.into(), many.into());
        Noun { whose, one, many, tail: String::new(), unique: false, whole: None, any_one: None }
    }

    pub fn whole(name: impl Into<String>, is_many: bool) -> Noun {
        Noun { whole: Some((name.into(), is_many)), ..Noun::new(Whose::Nobody, "", "") }
    }

    pub fn with(mut self, tail: &str) -> Noun {
        self.tail += tail;
        self.any_one = self.any_one.map(|one| one + tail);
        self
    }

    pub fn is_many(&self) -> bool {
        self.whole.as_ref().map_or(!self.unique, |(_, is_many)| *is_many)
    }

    /// `your men`, `the empty cells`.
    pub fn all(&self) -> String {
        if let Some((name, _)) = &self.whole {
            return format!("{name}{}", self.tail);
        }
        let word = if self.unique { &self.one } else { &self.many };
        match &self.whose {
            Whose::Nobody => format!("the {word}{}", self.tail),
            Whose::You => format!("your {word}{}", self.tail),
            Whose::Them(whose, _) => format!("{whose} {word}{}", self.tail),
        }
    }

    /// `your men`, `empty cells`: behind a number of them.
    pub fn bare(&self) -> String {
        match (&self.whole, &self.whose) {
            (None, Whose::Nobody) => format!("{}{}", self.many, self.tail),
            _ => self.all(),
        }
    }

    /// `one of your men`, `an empty cell`.
    pub fn one_of(&self) -> String {
        if let Some(one) = &self.any_one {
            return one.clone();
        }
        match (&self.whole, &self.whose) {
            (Some((_, false)), _) => self.all(),
            (None, Whose::Nobody) => format!("{}{}", article(&self.one), self.tail),
            (None, _) if self.unique => self.all(),
            _ => format!("one of {}", self.all()),
        }
    }

    /// `any of your men`, `any empty cell`: behind a `not`.
    pub fn any_of(&self) -> String {
        match (&self.whole, &self.whose) {
            (Some((_, false)), _) => self.all(),
            (None, Whose::Nobody) => format!("any {}{}", self.one, self.tail),
            (None, _) if self.unique => self.all(),
            _ => format!("any of {}", self.all()),
        }
    }

    /// `none of your men`, `no empty cell`.
    pub fn none_of(&self) -> String {
        match (&self.whole, &self.whose) {
            (None, Whose::Nobody) => format!("no {}{}", self.one, self.tail),
            _ => format!("none of {}", self.all()),
        }
    }
}

/// Of two or more alternatives: `a king or a rook`.
fn joined(nouns: &[Noun]) -> Noun {
    let ones: Vec<String> = nouns.iter().map(Noun::one_of).collect();
    let bare = |noun: &Noun| match (&noun.whole, &noun.whose) {
        (None, Whose::Nobody) => format!("{}{}", noun.many, noun.tail),
        _ => noun.all(),
    };
    let all: Vec<String> = nouns.iter().map(bare).collect();
    let plain = nouns.iter().all(|noun| noun.whole.is_none() && noun.whose == Whose::Nobody);
    let the = if plain { "the " } else { "" };
    Noun { any_one: Some(list(&ones, "or")), ..Noun::whole(format!("{the}{}", list(&all, "and")), true) }
}

impl<'a> Sheet<'a> {
    /// What pieces are called in general.
    pub fn man(&self) -> String {
        let kinds: Vec<_> = self.game.kinds.iter().filter(|kind| !kind.neutral).collect();
        match kinds.as_slice() {
            [one] => spaced(&one.name),
            _ => String::from("piece"),
        }
    }

    pub fn men(&self) -> String {
        plural(&self.man())
    }

    pub fn is_kind(&self, name: &str) -> bool {
        self.game.kinds.iter().any(|kind| kind.name == name)
    }

    pub fn opponent(&self) -> &'static str {
        if self.game.seats.len() == 2 { "your opponent" } else { "an opponent" }
    }

    fn them(&self) -> Whose {
        if self.game.seats.len() == 2 {
            Whose::Them(String::from("your opponent's"), "your opponent has")
        } else {
            Whose::Them(String::from("your opponents'"), "your opponents have")
        }
    }

    /// Whose the men of a player or of a parameter are.
    pub fn whose(&self, name: &str) -> Option<Whose> {
        Some(match name {
            "own" => Whose::You,
            "enemy" => self.them(),
            "ally" => Whose::Them(String::from("your partners'"), "your partners have"),
            name if self.is_player(name) => Whose::Them(format!("{}'s", spaced(name)), "has"),
            _ => return None,
        })
    }

    /// A player of the game, or a parameter that stands for one.
    pub fn is_player(&self, name: &str) -> bool {
        self.game.seats.iter().any(|seat| seat.name == name) || self.players.borrow().iter().any(|known| known == name)
    }

    fn kind_noun(&self, whose: Whose, name: &str) -> Noun {
        let unique = whose != Whose::Nobody && self.unique.iter().any(|known| known == name);
        Noun { unique, ..Noun::new(whose, spaced(name), plural(name)) }
    }

    /// What the members of a set are called.
    pub fn noun(&self, e: &ast::Expr) -> Noun {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.noun(inner),
            ExprKind::Caught(inner, _) => self.noun(inner),
            ExprKind::Name(name) => self.noun_of_name(name),
            ExprKind::Player(name) => match self.whose(name) {
                Some(whose) => Noun::new(whose, self.man(), self.men()),
                None => Noun::whole(name.clone(), false),
            },
            ExprKind::Words(words) => {
                self.noun_of_words(&words.iter().map(|word| word.node.as_str()).collect::<Vec<_>>())
            }
            ExprKind::Cells(ranges) => {
                let cells: Vec<String> = ranges
                    .iter()
                    .map(|(from, to)| match to {
                        Some(to) => format!("{} to {}", from.node, to.node),
                        None => from.node.clone(),
                    })
                    .collect();
                let is_many = ranges.len() > 1 || ranges.iter().any(|(_, to)| to.is_some());
                Noun::whole(list(&cells, "and"), is_many)
            }
            ExprKind::Band { .. } | ExprKind::LastRow => {
                let on = format!(" {}", self.place(e));
                Noun::new(Whose::Nobody, "cell", "cells").with(&on)
            }
            ExprKind::And(parts) => self.common(parts),
            ExprKind::Or(parts) => joined(&parts.iter().map(|part| self.noun(part)).collect::<Vec<_>>()),
            ExprKind::Not(inner) => {
                let but = format!(" {}", self.not_place(inner));
                Noun::new(Whose::Nobody, "cell", "cells").with(&but)
            }
            ExprKind::Where(set, condition) => {
                let noun = self.noun(set);
                let such = self.such_that(condition);
                let joint = if noun.tail.is_empty() || such.starts_with(" on ") { "" } else { " and" };
                noun.with(&format!("{joint}{such}"))
            }
            ExprKind::If { condition, then, otherwise } => match self.constant_truth(condition) {
                Some(true) => self.noun(then),
                Some(false) => self.noun(otherwise),
                None => {
                    let any = (self.pick_one(then), self.pick_one(otherwise));
                    let (then, otherwise) = (self.noun(then), self.noun(otherwise));
                    let condition = self.truth(condition);
                    let any = format!("{} if {condition}, otherwise {}", any.0, any.1);
                    let all = format!("{} if {condition}, otherwise {}", then.all(), otherwise.all());
                    Noun { any_one: Some(any), ..Noun::whole(all, true) }
                }
            },
            ExprKind::Call(name, arguments) => self.noun_of_call(&name.node, arguments),
            _ => Noun::whole(self.number(e), false),
        }
    }

    /// `one of your men`: of a set that has a name of its own too.
    pub fn pick_one(&self, e: &ast::Expr) -> String {
        let noun = self.noun(e);
        match &noun.whole {
            Some((_, false)) if matches!(&*e.kind, ExprKind::Name(_)) && !self.is_single(e) => {
                format!("one of {}", noun.all())
            }
            _ => noun.one_of(),
        }
    }

    fn noun_of_name(&self, name: &str) -> Noun {
        let plain = |one: &str, many: &str| Noun::new(Whose::Nobody, one, many);
        match name {
            "own" | "enemy" | "ally" => Noun::new(self.whose(name).unwrap_or(Whose::Nobody), self.man(), self.men()),
            "neutral" => plain("neutral piece", "neutral pieces"),
            "any" => plain("cell", "cells of the board"),
            "empty" => plain("empty cell", "empty cells"),
            "occupied" => Noun { any_one: Some(article(&self.man())), ..plain(&self.man(), &self.men()) },
            "last" => Noun::whole("the cell just played to", false),
            "origin" => Noun::whole("the cell that was left", false),
            "passed" => plain("cell passed over", "cells passed over"),
            "caught" => plain(&format!("captured {}", self.man()), &format!("captured {}", self.men())),
            "here" | "it" => Noun::whole("it", false),
            "none" => Noun::whole("none", false),
            "axes" => plain("line direction", "line directions"),
            name if self.is_direction(name) => Noun::whole(self.direction(name), false),
            name if self.is_kind(name) => self.kind_noun(Whose::Nobody, name),
            name if self.is_player(name) => {
                Noun::new(self.whose(name).unwrap_or(Whose::Nobody), self.man(), self.men())
            }
            name => match self.param(name) {
                Some(value) => Noun::whole(value, false),
                None => self.noun_of_term(name),
            },
        }
    }

    /// A define, a remembered value or a local name.
    fn noun_of_term(&self, name: &str) -> Noun {
        let Some(term) = self.known_term(name) else {
            return match self.prelude_define(name) {
                Some(define) => self.noun(&define.body),
                // A name of several words would run into the others.
                None if name.contains('_') => Noun::whole(format!("*{}*", spaced(name)), false),
                None => Noun::whole(spaced(name), false),
            };
        };
        self.mention(name);
        let called = format!("*{}*", spaced(name));
        match term {
            Term::Define(define) if self.is_truth(&define.body) => Noun::whole(called, false),
            Term::Define(define) => {
                let body = self.noun(&define.body);
                let is_plain = body.whole.is_none() && !body.one.contains(' ') && !body.one.is_empty();
                match (self.is_cells(&define.body), body.is_many()) {
                    (true, _) => Noun::new(Whose::Nobody, format!("{called} cell"), format!("{called} cells")),
                    (false, _) if is_plain => {
                        Noun::new(Whose::Nobody, format!("{called} {}", body.one), format!("{called} {}", body.many))
                    }
                    (false, true) => Noun::whole(format!("the {called}"), true),
                    (false, false) => Noun::whole(called, false),
                }
            }
            Term::Remember(remember) => {
                let is_set = self.is_set(&remember.first);
                match (is_set, remember.on_pieces) {
                    (true, true) => Noun::new(Whose::Nobody, format!("{called} piece"), format!("{called} pieces")),
                    (true, false) if remember.per_player => {
                        Noun::new(Whose::You, format!("{called} cell"), format!("{called} cells"))
                    }
                    (true, false) => Noun::new(Whose::Nobody, format!("{called} cell"), format!("{called} cells")),
                    (false, _) if remember.per_player => Noun::whole(format!("your {called}"), false),
                    (false, _) => Noun::whole(called, false),
                }
            }
        }
    }

    /// Words side by side: whose, what kind, and where.
    fn noun_of_words(&self, words: &[&str]) -> Noun {
        let mut whose = Whose::Nobody;
        let (mut kind, mut adjective) = (None, String::new());
        let mut places = Vec::new();
        for word in words {
            match *word {
                "empty" => kind = Some(("empty cell", "empty cells")),
                "neutral" => adjective = String::from("neutral "),
                name if self.is_kind(name) => {
                    let noun = self.kind_noun(whose.clone(), name);
                    let noun = if adjective.is_empty() {
                        noun
                    } else {
                        Noun::new(
                            Whose::Nobody,
                            format!("{adjective}{}", noun.one),
                            format!("{adjective}{}", noun.many),
                        )
                    };
                    return if places.is_empty() { noun } else { noun.with(&format!(" {}", places.join(" and "))) };
                }
                name => match self.whose(name) {
                    Some(known) => whose = known,
                    None => places.push(self.place_of_name(name, false)),
                },
            }
        }
        let noun = match kind {
            Some((one, many)) => Noun::new(whose, one, many),
            None => Noun::new(whose, format!("{adjective}{}", self.man()), format!("{adjective}{}", self.men())),
        };
        if places.is_empty() { noun } else { noun.with(&format!(" {}", places.join(" and "))) }
    }

    /// What is common to sets: the first names it, the others say where it is or is not.
    fn common(&self, parts: &[ast::Expr]) -> Noun {
        let rank = |part: &ast::Expr| -> usize {
            let mut part = part;
            while let ExprKind::Brackets(inner) = &*part.kind {
                part = inner;
            }
            match &*part.kind {
                ExprKind::Words(_) | ExprKind::Player(_) => 0,
                ExprKind::Name(name) if self.is_kind(name) => 0,
                ExprKind::Name(name) if matches!(name.as_str(), "own" | "enemy" | "ally" | "neutral") => 1,
                ExprKind::Name(name) if self.is_player(name) => 1,
                ExprKind::Name(name) if name == "occupied" => 2,
                ExprKind::Name(name) if name == "empty" => 3,
                ExprKind::Not(_) => 7,
                ExprKind::Band { .. } | ExprKind::LastRow | ExprKind::Cells(_) => 5,
                ExprKind::Or(_) | ExprKind::If { .. } => 6,
                _ => 4,
            }
        };
        let mut sorted: Vec<&ast::Expr> = parts.iter().collect();
        sort::by_key(&mut sorted, |part| rank(part));
        // What stands everywhere says nothing, and whose a kind is stands before it.
        let is_name = |part: &ast::Expr, names: &[&str]| matches!(&*part.kind, ExprKind::Name(name) if names.contains(&name.as_str()));
        if sorted.len() > 1 {
            sorted.retain(|part| !is_name(part, &["any"]));
        }
        let Some((head, rest)) = sorted.split_first() else { return Noun::whole("nothing", false) };
        let mut rest = rest.to_vec();
        let mut noun = self.noun(head);
        if let ExprKind::Name(kind) = &*head.kind
            && self.is_kind(kind)
            && let Some(at) = rest.iter().position(|part| is_name(part, &["own", "enemy", "ally"]))
            && let ExprKind::Name(owner) = &*rest.remove(at).kind
        {
            noun = self.kind_noun(self.whose(owner).unwrap_or(Whose::Nobody), kind);
        }
        let is_whole = noun.whole.is_some();
        let places = rest.iter().map(|part| match &*part.kind {
            ExprKind::Not(inner) if is_whole => format!("without {}", self.noun(inner).all()),
            _ => self.place(part),
        });
        let places: Vec<String> = places.collect();
        let joint = if noun.tail.is_empty() { " " } else { " and " };
        if places.is_empty() { noun } else { noun.with(&format!("{joint}{}", list(&places, "and"))) }
    }

    fn noun_of_call(&self, name: &str, arguments: &[ast::Argument]) -> Noun {
        let plain = |one: String, many: String| Noun::new(Whose::Nobody, one, many);
        let nouns: Vec<Option<Noun>> = arguments.iter().map(|argument| self.argument_noun(argument)).collect();
        let all = |at: usize| nouns.get(at).and_then(Option::as_ref).map_or(self.argument(arguments, at), Noun::all);
        let one = |at: usize| nouns.get(at).and_then(Option::as_ref).map_or(self.argument(arguments, at), Noun::one_of);
        let said = |at: usize| self.argument(arguments, at);
        match (name, arguments.len()) {
            ("adjacent", _) => {
                let near = format!(" {}", self.next_to(arguments, false));
                plain("cell".into(), "cells".into()).with(&near)
            }
            ("shift", _) => {
                let is_dirs =
                    matches!(arguments.get(1).map(|it| &it.node), Some(ArgumentKind::Expr(e)) if self.is_dirs(e));
                let towards = if is_dirs { said(1) } else { format!("in direction {}", said(1)) };
                Noun::whole(format!("the cell one step {towards} from {}", one(0)), false)
            }
            ("groups", 1) => plain(format!("connected group of {}", all(0)), format!("connected groups of {}", all(0))),
            ("groups", _) => plain(
                format!("group of {} connected {}", all(0), said(1)),
                format!("groups of {} connected {}", all(0), said(1)),
            ),
            ("group", 2) => Noun::whole(format!("the connected group of {} at {}", all(1), one(0)), false),
            ("group", _) => match all(1).as_str() {
                "the cells of the board" => {
                    Noun::whole(format!("the whole line through {} along {}", one(0), said(2)), false)
                }
                of => Noun::whole(format!("the unbroken line of {of} through {} along {}", one(0), said(2)), false),
            },
            ("segments", _) => plain(
                format!("unbroken row of {} of {} (in a line {})", said(2), all(0), said(1)),
                format!("unbroken rows of {} of {} (in a line {})", said(2), all(0), said(1)),
            ),
            ("largest", _) => Noun {
                any_one: Some(format!("one of the largest among {}", all(0))),
                ..Noun::whole(format!("the largest of {}", all(0)), true)
            },
            ("span", _) => plain("cell".into(), "cells".into()).with(&format!(" from {} to {}", one(0), one(1))),
            ("nth", _) => Noun::whole(format!("the cell that is number {} of {}", said(1), all(0)), false),
            ("bottom", _) => plain("stack".into(), "stacks".into()).with(&format!(" whose lowest piece is {}", one(0))),
            ("catches", 1) => plain("piece".into(), "pieces".into()).with(&format!(" that {} could capture", one(0))),
            ("reach", 1) => {
                plain("cell".into(), "cells".into()).with(&format!(" that the piece on {} could move to", one(0)))
            }
            ("catches", _) => match arguments.get(1).map(|argument| &argument.node) {
                Some(ArgumentKind::Line(line)) => self.enclosed(&one(0), line),
                _ => Noun::whole(said(1), true),
            },
            ("reach", _) => match arguments.get(1).map(|argument| &argument.node) {
                Some(ArgumentKind::Line(line)) => {
                    plain("cell".into(), "cells".into()).with(&format!(" reached from {} {}", one(0), self.line(line)))
                }
                _ => Noun::whole(said(1), true),
            },
            _ if self.known_term(name).is_some() => self.noun_of_term_with(name, arguments),
            _ => match self.prelude_define(name) {
                Some(define) => {
                    // What the prelude says, with the arguments in their places.
                    self.noun(&super::substitute::filled(define, arguments))
                }
                None => Noun::whole(self.number_of_call(name, arguments), false),
            },
        }
    }

    fn noun_of_term_with(&self, name: &str, arguments: &[ast::Argument]) -> Noun {
        let noun = self.noun_of_term(name);
        let said = self.term_arguments(name, arguments);
        match said.as_slice() {
            [] => noun,
            said => noun.with(&format!(" of {}", list(said, "and"))),
        }
    }

    fn argument_noun(&self, argument: &ast::Argument) -> Option<Noun> {
        match &argument.node {
            ArgumentKind::Expr(e) => Some(self.noun(e)),
            _ => None,
        }
    }

    /// An argument in words.
    pub fn argument(&self, arguments: &[ast::Argument], at: usize) -> String {
        match arguments.get(at).map(|argument| &argument.node) {
            Some(ArgumentKind::Expr(e)) if self.is_dirs(e) => self.dirs(e),
            Some(ArgumentKind::Expr(e)) if self.is_truth(e) => self.truth(e),
            Some(ArgumentKind::Expr(e)) => self.noun(e).all(),
            Some(ArgumentKind::Line(line)) => self.line(line),
            Some(ArgumentKind::Range(range)) => match &range.to {
                Some(to) => format!("{} to {}", self.number(&range.from), self.number(to)),
                None => format!("{} or more", self.number(&range.from)),
            },
            None => String::new(),
        }
    }

    /// `next to one of your men`, `next to c sideways`.
    fn next_to(&self, arguments: &[ast::Argument], negative: bool) -> String {
        let whom = match arguments.first().map(|argument| &argument.node) {
            Some(ArgumentKind::Expr(e)) => {
                let noun = self.noun(e);
                if negative { noun.any_of() } else { noun.one_of() }
            }
            _ => String::from("it"),
        };
        let along = match arguments.get(1).map(|argument| &argument.node) {
            None => String::new(),
            Some(ArgumentKind::Expr(e)) if !self.is_dirs(e) => format!(" along {}", self.argument(arguments, 1)),
            Some(_) => format!(" {}", self.argument(arguments, 1)),
        };
        format!("next to {whom}{along}")
    }

    fn place_of_name(&self, name: &str, negative: bool) -> String {
        match name {
            "own" => return String::from("yours"),
            "enemy" | "ally" => {
                return match self.whose(name) {
                    Some(Whose::Them(whose, _)) => whose,
                    _ => String::from("yours"),
                };
            }
            "empty" => return String::from("empty"),
            "occupied" => return String::from("occupied"),
            _ => {}
        }
        let noun = self.noun_of_name(name);
        let which = if negative { noun.any_of() } else { noun.one_of() };
        match &noun.whole {
            _ if self.is_kind(name) => noun.one_of(),
            None if noun.one.ends_with("* piece") => format!("among {}", noun.all()),
            Some((_, false)) if self.known_term(name).is_none() && !self.is_word(name) => format!("in {which}"),
            Some((_, false)) => which,
            _ => format!("on {which}"),
        }
    }

    /// A word of the language that stands for one cell.
    fn is_word(&self, name: &str) -> bool {
        matches!(name, "here" | "it" | "last" | "origin")
    }

    /// Where or what something is: behind `is`, or behind a noun.
    pub fn place(&self, e: &ast::Expr) -> String {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.place(inner),
            ExprKind::Band { axis, from, to, .. } => format!("on {}", self.band(*axis, from, to.as_ref())),
            ExprKind::LastRow => {
                self.builtin("row");
                String::from("on the last row")
            }
            ExprKind::Cells(_) => format!("on {}", self.noun(e).one_of()),
            ExprKind::Or(parts) => list(&parts.iter().map(|part| self.place(part)).collect::<Vec<_>>(), "or"),
            ExprKind::And(parts) => list(&parts.iter().map(|part| self.place(part)).collect::<Vec<_>>(), "and"),
            ExprKind::Not(inner) => self.not_place(inner),
            ExprKind::Player(name) => format!("{name}'s"),
            ExprKind::Name(name) => self.place_of_name(name, false),
            ExprKind::Call(name, arguments) if name.node == "adjacent" => self.next_to(arguments, false),
            ExprKind::Words(_) => self.noun(e).one_of(),
            _ => {
                if let ExprKind::If { condition, then, otherwise } = &*e.kind
                    && self.constant_truth(condition).is_none()
                {
                    let (then, otherwise) = (self.place(then), self.place(otherwise));
                    return format!("{then} if {}, otherwise {otherwise}", self.truth(condition));
                }
                let noun = self.noun(e);
                let is_cell = noun.whole.is_none() && noun.one.ends_with("cell");
                // `on a cell next to c` is `next to c`.
                if noun.one == "cell" && is_cell && !noun.tail.is_empty() && noun.tail.starts_with(" next") {
                    return noun.tail.trim().to_string();
                }
                match &noun.whole {
                    Some((_, true)) => format!("in {}", noun.all()),
                    Some((name, false)) if name.starts_with("the cell") => format!("on {}", noun.all()),
                    Some((_, false)) => format!("in {}", noun.all()),
                    None if noun.one == "stack" => noun.one_of(),
                    None if is_cell => format!("on {}", noun.one_of()),
                    None => format!("in {}", noun.one_of()),
                }
            }
        }
    }

    /// The same, with a `not`.
    pub fn not_place(&self, e: &ast::Expr) -> String {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.not_place(inner),
            ExprKind::Call(name, arguments) if name.node == "adjacent" => {
                format!("not {}", self.next_to(arguments, true))
            }
            ExprKind::Or(parts) => {
                format!("neither {}", list(&parts.iter().map(|part| self.place(part)).collect::<Vec<_>>(), "nor"))
            }
            ExprKind::Name(name) if self.is_kind(name) => format!("other than {}", self.noun_of_name(name).bare()),
            ExprKind::Name(name) if self.is_single(e) => format!("other than {}", self.noun_of_name(name).all()),
            ExprKind::Name(name) => format!("not {}", self.place_of_name(name, true)),
            _ => format!("not {}", self.place(e)),
        }
    }

    fn band(&self, axis: BandAxis, from: &ast::Expr, to: Option<&ast::Expr>) -> String {
        let (word, whose) = match axis {
            BandAxis::File => ("file", ""),
            BandAxis::Rank => ("rank", ""),
            BandAxis::Row => {
                self.builtin("row");
                ("row", "your ")
            }
        };
        let line = |e: &ast::Expr| match (axis, self.constant(e)) {
            (BandAxis::File, Some(number)) if (1..=26).contains(&number) => {
                char::from(b'a' + (number - 1) as u8).to_string()
            }
            _ => self.number(e),
        };
        match to.map(|to| (line(from), line(to))) {
            None if line(from).starts_with("the ") => line(from),
            None => format!("{whose}{word} {}", line(from)),
            Some((from, to)) if from == to => format!("{whose}{word} {from}"),
            Some((from, to)) => format!("{whose}{word}s {from} to {to}"),
        }
    }
}
