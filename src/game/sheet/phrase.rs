//! Phrases: conditions and numbers of the text go in; English clauses come out.

use crate::game::sheet::noun::{Noun, Whose};
use crate::game::sheet::words::{article, list, spaced};
use crate::game::sheet::{Sheet, Term};
use crate::syntax::ast;
use crate::syntax::ast::{ArgumentKind, Arithmetic, BandAxis, ExprKind, Relation};

impl<'a> Sheet<'a> {
    pub fn number(&self, e: &ast::Expr) -> String {
        if let Some(number) = self.constant(e)
            && !matches!(&*e.kind, ExprKind::FileLetter(_))
        {
            return number.to_string();
        }
        match &*e.kind {
            ExprKind::Brackets(inner) => match &*inner.kind {
                ExprKind::Arithmetic(..) => format!("({})", self.number(inner)),
                _ => self.number(inner),
            },
            ExprKind::Name(name) if name == "turns" => String::from("the number of this turn"),
            ExprKind::Name(name) if name == "cycle" => {
                String::from("the number of turns since this position first stood")
            }
            ExprKind::FileLetter(letter) => letter.clone(),
            ExprKind::Measure(axis, of) => {
                let word = match axis {
                    BandAxis::File => "file",
                    BandAxis::Rank => "rank",
                    BandAxis::Row => "row",
                };
                match self.noun(of).all().as_str() {
                    "it" => format!("its {word}"),
                    of => format!("the {word} of {of}"),
                }
            }
            ExprKind::Arithmetic(operation, a, b) => {
                if matches!(operation, Arithmetic::Add | Arithmetic::Subtract) && self.constant(b) == Some(0) {
                    return self.number(a);
                }
                let (a, b) = (self.number(a), self.number(b));
                match operation {
                    Arithmetic::Add => format!("{a} plus {b}"),
                    Arithmetic::Subtract => format!("{a} minus {b}"),
                    Arithmetic::Multiply => format!("{a} times {b}"),
                    Arithmetic::Divide => format!("{a} divided by {b}"),
                    Arithmetic::Modulo => format!("the remainder of {a} divided by {b}"),
                }
            }
            ExprKind::If { condition, then, otherwise } if !self.is_set(then) => match self.constant_truth(condition) {
                Some(true) => self.number(then),
                Some(false) => self.number(otherwise),
                None => {
                    format!("{} if {}, otherwise {}", self.number(then), self.truth(condition), self.number(otherwise))
                }
            },
            ExprKind::Quantified { .. } | ExprKind::Relation(..) => self.truth(e),
            ExprKind::Call(name, arguments) => self.number_of_call(&name.node, arguments),
            _ => self.noun(e).all(),
        }
    }

    pub fn number_of_call(&self, name: &str, arguments: &[ast::Argument]) -> String {
        let first = arguments.first().map(|argument| &argument.node);
        let noun = match first {
            Some(ArgumentKind::Expr(e)) => self.noun(e),
            _ => Noun::whole(self.argument(arguments, 0), false),
        };
        match name {
            "count" => match &noun.whole {
                Some(_) if noun.all() == "it" => String::from("its size"),
                Some(_) => format!("the size of {}", noun.all()),
                None => format!("the number of {}", noun.bare()),
            },
            "height" => format!("the height of {}", noun.one_of()),
            "value" => format!("the value of {}", noun.one_of()),
            "sizes" => format!("the sizes of {}, the largest first", noun.all()),
            "hand" => format!("the number of pieces in {}", self.whose_hand(first)),
            "times" => match noun.all().as_str() {
                "position" => String::from("how often this position has come up"),
                _ => String::from("how often this arrangement of pieces has come up"),
            },
            name => {
                if let Some(Term::Remember(_)) = self.known_term(name) {
                    self.mention(name);
                    return match &noun.whose {
                        Whose::You => format!("your *{}*", spaced(name)),
                        Whose::Them(whose, _) => format!("{whose} *{}*", spaced(name)),
                        Whose::Nobody => format!("the *{}* of {}", spaced(name), noun.all()),
                    };
                }
                if let Some(Term::Define(_)) = self.known_term(name) {
                    self.mention(name);
                    return format!("the *{}* of {}", spaced(name), list(&self.term_arguments(name, arguments), "and"));
                }
                match self.prelude_define(name) {
                    Some(define) => self.number(&super::substitute::filled(define, arguments)),
                    None => self.call_words(name, arguments),
                }
            }
        }
    }

    fn call_words(&self, name: &str, arguments: &[ast::Argument]) -> String {
        let said: Vec<String> = (0..arguments.len()).map(|at| self.argument(arguments, at)).collect();
        match name {
            "adjacent" | "shift" | "groups" | "group" | "segments" | "largest" | "span" | "nth" | "bottom"
            | "catches" | "reach" => said.first().cloned().unwrap_or_default(),
            _ => format!("{} of {}", spaced(name), list(&said, "and")),
        }
    }

    fn whose_hand(&self, of: Option<&ArgumentKind>) -> String {
        match of {
            Some(ArgumentKind::Expr(e)) => match self.noun(e).whose {
                Whose::You => String::from("your hand"),
                Whose::Them(whose, _) => format!("{whose} hand"),
                Whose::Nobody => format!("the hand of {}", self.noun(e).all()),
            },
            _ => String::from("the hand"),
        }
    }

    /// What a define or action of the game is given.
    pub fn term_arguments(&self, name: &str, arguments: &[ast::Argument]) -> Vec<String> {
        let players = self.player_parameters(name);
        let said = arguments.iter().enumerate().map(|(at, argument)| {
            let e = match &argument.node {
                ArgumentKind::Expr(e) if players.contains(&at) => e,
                ArgumentKind::Expr(e) if matches!(&*e.kind, ExprKind::Player(_)) => e,
                _ => {
                    let said = self.argument(arguments, at);
                    return said.strip_prefix("to the ").map(String::from).unwrap_or(said);
                }
            };
            match &*e.kind {
                ExprKind::Name(name) if name == "own" => String::from("you"),
                ExprKind::Name(name) if name == "enemy" => self.opponent().to_string(),
                ExprKind::Player(name) => name.clone(),
                ExprKind::Name(name) => spaced(name),
                _ => self.argument(arguments, at),
            }
        });
        said.collect()
    }

    fn stuck(&self, arguments: &[ast::Argument]) -> String {
        match arguments.first().map(|argument| &argument.node) {
            Some(ArgumentKind::Expr(e)) => match &*e.kind {
                ExprKind::Name(name) if name == "own" => String::from("you could not move if it were your turn"),
                ExprKind::Name(name) if name == "enemy" => format!("{} cannot move", self.opponent()),
                ExprKind::Player(name) => format!("{name} cannot move"),
                _ => format!("none of {} can move", self.noun(e).all()),
            },
            _ => String::from("nobody can move"),
        }
    }

    /// A condition, as a clause.
    pub fn truth(&self, e: &ast::Expr) -> String {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.truth(inner),
            ExprKind::And(parts) => self.both(parts, "and"),
            ExprKind::Or(parts) => self.both(parts, "or"),
            ExprKind::Not(inner) => self.negated(inner),
            ExprKind::Name(name) => match name.as_str() {
                "changed" => String::from("the pieces stand otherwise than before the turn"),
                "true" => String::from("true"),
                "false" => String::from("never"),
                _ => match self.constant_truth(e) {
                    Some(true) => String::from("always"),
                    Some(false) => String::from("never"),
                    None => self.truth_named(name, &[], true),
                },
            },
            ExprKind::Call(name, arguments) => match name.node.as_str() {
                "attacked" => {
                    self.builtin("attacked");
                    format!("{} is attacked", self.attacked(arguments).one_of())
                }
                "stuck" => self.stuck(arguments),
                name => match (self.known_term(name), self.prelude_define(name)) {
                    (None, Some(define)) => self.truth(&super::substitute::filled(define, arguments)),
                    _ => self.truth_named(name, arguments, true),
                },
            },
            ExprKind::Relation(relation, a, b) => self.relation(relation.node, a, b),
            ExprKind::Quantified { some, subject, within, filter } => {
                self.quantified(*some, subject, within.as_ref(), filter.as_ref())
            }
            ExprKind::If { condition, then, otherwise } => {
                format!("{} (if {}), or {} (if not)", self.truth(then), self.truth(condition), self.truth(otherwise))
            }
            _ => self.noun(e).all(),
        }
    }

    /// Clauses joined; a list of the other joint within them gets commas of its own.
    fn both(&self, parts: &[ast::Expr], joint: &str) -> String {
        let parts = parts.iter().filter(|part| {
            // What always holds need not be said of an `and`, nor what never does of an `or`.
            self.constant_truth(part).is_none_or(|truth| truth != (joint == "and"))
        });
        let said: Vec<(String, bool)> = parts
            .map(|part| {
                let mut inner = part;
                while let ExprKind::Brackets(next) = &*inner.kind {
                    inner = next;
                }
                let is_list = matches!(&*inner.kind, ExprKind::Or(_) | ExprKind::And(_));
                (self.truth(part), is_list)
            })
            .collect();
        if said.iter().any(|(_, is_list)| *is_list) {
            let said: Vec<String> = said.into_iter().map(|(text, _)| text).collect();
            return if joint == "or" { said.join(", or if ") } else { said.join(", and if ") };
        }
        list(&said.into_iter().map(|(text, _)| text).collect::<Vec<_>>(), joint)
    }

    /// `*foul* holds for c`.
    fn truth_named(&self, name: &str, arguments: &[ast::Argument], is_true: bool) -> String {
        let holds = if is_true { "holds" } else { "does not hold" };
        if self.known_term(name).is_none() {
            return format!("{} {holds}", spaced(name));
        }
        self.mention(name);
        let said = self.term_arguments(name, arguments);
        let of = if said.is_empty() { String::new() } else { format!(" for {}", list(&said, "and")) };
        format!("*{}* {holds}{of}", spaced(name))
    }

    fn attacked(&self, arguments: &[ast::Argument]) -> Noun {
        match arguments.first().map(|argument| &argument.node) {
            Some(ArgumentKind::Expr(e)) => self.noun(e),
            _ => Noun::whole(self.argument(arguments, 0), false),
        }
    }

    pub fn negated(&self, e: &ast::Expr) -> String {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.negated(inner),
            ExprKind::Not(inner) => self.truth(inner),
            ExprKind::Call(name, arguments) if name.node == "attacked" => {
                self.builtin("attacked");
                let noun = self.attacked(arguments);
                if noun.is_many() || noun.any_one.is_some() {
                    format!("none of {} is attacked", noun.all())
                } else {
                    format!("{} is not attacked", noun.all())
                }
            }
            ExprKind::Call(name, arguments) if name.node == "stuck" => {
                self.stuck(arguments).replace("cannot", "can").replace("could not", "could")
            }
            ExprKind::Quantified { some, subject, within, filter } => {
                self.quantified(!*some, subject, within.as_ref(), filter.as_ref())
            }
            ExprKind::Relation(relation, a, b) => {
                let other = match relation.node {
                    Relation::Equal => Relation::NotEqual,
                    Relation::NotEqual => Relation::Equal,
                    Relation::Less => Relation::AtLeast,
                    Relation::AtLeast => Relation::Less,
                    Relation::Greater => Relation::AtMost,
                    Relation::AtMost => Relation::Greater,
                    Relation::Is => Relation::IsNot,
                    Relation::IsNot => Relation::Is,
                    Relation::In => Relation::NotIn,
                    Relation::NotIn => Relation::In,
                };
                self.relation(other, a, b)
            }
            ExprKind::Or(parts) => list(&parts.iter().map(|part| self.negated(part)).collect::<Vec<_>>(), "and"),
            ExprKind::And(parts) => list(&parts.iter().map(|part| self.negated(part)).collect::<Vec<_>>(), "or"),
            ExprKind::Name(name) if self.constant_truth(e).is_none() && name != "changed" => {
                self.truth_named(name, &[], false)
            }
            ExprKind::Call(name, arguments) if self.known_term(&name.node).is_some() => {
                self.truth_named(&name.node, arguments, false)
            }
            ExprKind::Call(name, arguments) => match self.prelude_define(&name.node) {
                Some(define) => self.negated(&super::substitute::filled(define, arguments)),
                None => format!("it is not so that {}", self.truth(e)),
            },
            _ => format!("it is not so that {}", self.truth(e)),
        }
    }

    fn relation(&self, relation: Relation, a: &ast::Expr, b: &ast::Expr) -> String {
        let is_not = matches!(relation, Relation::IsNot | Relation::NotIn);
        if let (ExprKind::Name(name), ExprKind::Player(player)) = (&*a.kind, &*b.kind)
            && name == "own"
        {
            return format!("you {} {player}", if is_not { "are not" } else { "are" });
        }
        match relation {
            Relation::Is | Relation::In | Relation::IsNot | Relation::NotIn => {
                let noun = self.noun(a);
                let is_many = noun.is_many() && !self.is_single(a);
                let subject = if is_many && noun.whole.is_none() { format!("all {}", noun.all()) } else { noun.all() };
                let subject = subject.replacen("all the ", "all ", 1);
                let verb = if is_many { "are" } else { "is" };
                let place = self.place_of(b, is_many);
                match is_not {
                    true if matches!(&*b.kind, ExprKind::Name(name) if self.is_kind(name)) => {
                        format!("{subject} {verb} not {place}")
                    }
                    true => format!("{subject} {verb} {}", self.not_place(b).replacen("other than", "not on", 1)),
                    false => format!("{subject} {verb} {place}"),
                }
            }
            _ => self.compared(relation, a, b),
        }
    }

    /// Where or what several things are.
    fn place_of(&self, e: &ast::Expr, are_many: bool) -> String {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.place_of(inner, are_many),
            ExprKind::Or(parts) => {
                list(&parts.iter().map(|part| self.place_of(part, are_many)).collect::<Vec<_>>(), "or")
            }
            ExprKind::Name(name) if are_many && self.is_kind(name) => self.noun(e).bare(),
            ExprKind::Name(_) if self.is_single(e) => format!("on {}", self.noun(e).all()),
            ExprKind::Words(_) if are_many => self.noun(e).bare(),
            _ => self.place(e),
        }
    }

    fn compared(&self, relation: Relation, a: &ast::Expr, b: &ast::Expr) -> String {
        if let (ExprKind::Call(name, arguments), Relation::AtLeast | Relation::Equal) = (&*a.kind, relation)
            && name.node == "times"
        {
            let of = match self.argument(arguments, 0).as_str() {
                "position" => "position",
                _ => "arrangement of pieces",
            };
            let number = self.number(b);
            return match (relation, number.as_str()) {
                (Relation::Equal, "1") => format!("this {of} has never come up before"),
                _ => format!("the same {of} has come up {number} times"),
            };
        }
        // How many there are is said by a number before them.
        if let (ExprKind::Call(name, arguments), Some(number)) = (&*a.kind, self.constant(b))
            && name.node == "count"
            && let Some(ArgumentKind::Expr(e)) = arguments.first().map(|argument| &argument.node)
            && let Some(said) = self.counted(relation, &self.noun(e), number)
        {
            return said;
        }
        let how = match relation {
            Relation::Equal => "is",
            Relation::NotEqual => "is not",
            Relation::Less => "is less than",
            Relation::AtMost => "is at most",
            Relation::Greater => "is more than",
            _ => "is at least",
        };
        let (left, right) = (self.number(a), self.number(b));
        format!("{left} {how} {right}")
    }

    /// `you have at least 3 men`, `there is exactly 1 knight`.
    fn counted(&self, relation: Relation, noun: &Noun, number: i64) -> Option<String> {
        let how = match relation {
            Relation::Equal => "exactly",
            Relation::Less => "fewer than",
            Relation::AtMost => "at most",
            Relation::Greater => "more than",
            Relation::AtLeast => "at least",
            _ => return None,
        };
        if noun.whole.is_some() {
            return None;
        }
        let word = if number == 1 { &noun.one } else { &noun.many };
        let who = match &noun.whose {
            Whose::You => "you have",
            Whose::Them(_, has) if *has != "has" => has,
            Whose::Them(..) => return None,
            Whose::Nobody if number == 1 => "there is",
            Whose::Nobody => "there are",
        };
        Some(format!("{who} {how} {number} {word}{}", noun.tail))
    }

    pub fn quantified(
        &self,
        some: bool,
        subject: &ast::Expr,
        within: Option<&ast::Expr>,
        filter: Option<&ast::Expr>,
    ) -> String {
        let filter = filter.map(|filter| self.such_that(filter)).unwrap_or_default();
        if let (ExprKind::Call(name, arguments), None) = (&*subject.kind, within)
            && name.node == "reach"
            && let Some(ArgumentKind::Line(line)) = arguments.get(1).map(|argument| &argument.node)
        {
            let from = self.argument(arguments, 0);
            let is = if some { "there is a way" } else { "there is no way" };
            return format!("{is} from {from} {}{filter}", self.line(line));
        }
        let noun = self.noun(subject).with(&filter);
        if let Some(within) = within {
            if let ExprKind::Name(name) = &*within.kind
                && (name == "it" || self.is_local(name))
            {
                let container = spaced(name);
                let what = if some { noun.one_of() } else { noun.none_of() };
                return format!("{container} contains {what}");
            }
            if matches!(&*subject.kind, ExprKind::Name(name) if name == "it") {
                let part = if some { "some part of it" } else { "no part of it" };
                return format!("{part} is {}", self.place(within));
            }
            let who = match (some, noun.is_many() || noun.any_one.is_some()) {
                (true, _) => noun.one_of(),
                (false, true) => noun.none_of(),
                (false, false) => return format!("{} is {}", noun.all(), self.not_place(within)),
            };
            return format!("{who} is {}", self.place(within));
        }
        match (&noun.whole, &noun.whose) {
            (Some((name, _)), _) if name == "it" => format!("it {}", if some { "is not empty" } else { "is empty" }),
            (Some((name, _)), _) => {
                let none = if some { "is not empty" } else { "is empty" };
                format!("{name}{} {none}", noun.tail)
            }
            (None, Whose::Nobody) if some => format!("there is {}{}", article(&noun.one), noun.tail),
            (None, Whose::Nobody) => format!("there is no {}{}", noun.one, noun.tail),
            (None, Whose::You) if some => format!("you have {}{}", article(&noun.one), noun.tail),
            (None, Whose::You) => format!("you have no {}{}", noun.many, noun.tail),
            (None, Whose::Them(whose, has)) => {
                let has = if *has == "has" { format!("{} has", whose.trim_end_matches("'s")) } else { has.to_string() };
                match some {
                    true => format!("{has} {}{}", article(&noun.one), noun.tail),
                    false => format!("{has} no {}{}", noun.many, noun.tail),
                }
            }
        }
    }

    /// A name that a program has given.
    fn is_local(&self, name: &str) -> bool {
        !crate::syntax::builtin::is_builtin(name)
            && !self.is_kind(name)
            && !self.is_player(name)
            && self.known_term(name).is_none()
            && self.param(name).is_none()
            && self.prelude_define(name).is_none()
    }

    /// What is said of the members of a set, behind it.
    pub fn such_that(&self, condition: &ast::Expr) -> String {
        match &*condition.kind {
            ExprKind::Brackets(inner) => self.such_that(inner),
            ExprKind::Quantified { some, subject, within: None, filter } => {
                let filter = filter.as_ref().map(|filter| self.such_that(filter)).unwrap_or_default();
                let noun = self.noun(subject).with(&filter);
                match (&noun.whole, &noun.whose, *some) {
                    (None, Whose::Nobody, true) => {
                        format!(" with {}", noun.one_of()).replace("next to it", "next to them")
                    }
                    (None, Whose::Nobody, false) => {
                        format!(" with {}", noun.none_of()).replace("next to it", "next to them")
                    }
                    _ => format!(" for which {}", self.truth(condition)),
                }
            }
            ExprKind::Quantified { some, subject, within: Some(within), filter: None } if is_it(subject) => {
                format!(" of which {} part is {}", if *some { "some" } else { "no" }, self.place(within))
            }
            ExprKind::Quantified { some, subject, within: Some(within), filter: None } if is_it(within) => {
                let noun = self.noun(subject);
                format!(" containing {}", if *some { noun.one_of() } else { noun.none_of() })
            }
            ExprKind::Relation(relation, a, b)
                if is_it(a)
                    && matches!(relation.node, Relation::In | Relation::Is | Relation::NotIn | Relation::IsNot) =>
            {
                match relation.node {
                    Relation::In | Relation::Is => format!(" {}", self.place(b)),
                    _ => format!(" {}", self.not_place(b)),
                }
            }
            ExprKind::Relation(relation, a, b) => {
                let of_it = match &*a.kind {
                    ExprKind::Call(name, arguments) => {
                        let is_of_it =
                            matches!(arguments.first().map(|it| &it.node), Some(ArgumentKind::Expr(e)) if is_it(e));
                        match name.node.as_str() {
                            "count" if is_of_it => Some("size"),
                            "height" if is_of_it => Some("height"),
                            _ => None,
                        }
                    }
                    ExprKind::Measure(axis, of) if is_it(of) => Some(match axis {
                        BandAxis::File => "file",
                        BandAxis::Rank => "rank",
                        BandAxis::Row => "row",
                    }),
                    _ => None,
                };
                match of_it {
                    Some(what) => {
                        let compared = self.compared(relation.node, a, b);
                        let rest = compared.split_once(" is ").map(|(_, rest)| rest.to_string()).unwrap_or(compared);
                        format!(" whose {what} is {rest}")
                    }
                    None => format!(" for which {}", self.truth(condition)),
                }
            }
            ExprKind::And(parts) => {
                let mut said: Vec<String> = Vec::new();
                for part in parts {
                    let text = self.such_that(part).trim().to_string();
                    let again = ["containing ", "for which ", "with "].iter().find(|word| {
                        text.starts_with(**word) && said.first().is_some_and(|first| first.starts_with(**word))
                    });
                    said.push(again.map_or(text.clone(), |word| text[word.len()..].to_string()));
                }
                format!(" {}", list(&said, "and"))
            }
            _ => format!(" for which {}", self.truth(condition)),
        }
    }
}

fn is_it(e: &ast::Expr) -> bool {
    match &*e.kind {
        ExprKind::Brackets(inner) => is_it(inner),
        ExprKind::Name(name) => name == "it",
        _ => false,
    }
}
