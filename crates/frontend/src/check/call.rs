//! Calls: calls of built-in functions, remembered values and defines go in; typed calls come out,
//! each define once for each list of argument types.

use crate::check::error::{Kind, Problem, Within};
use crate::check::layers::{Declared, Keyword};
use crate::check::name::local_expr;
use crate::check::scope::{Reach, Scope};
use crate::check::term::Term;
use crate::check::{Asked, Blame, CallSite, Checker, Instance, Words};
use crate::model::{Axes, Call, Cells, DefineId, Dirs, Expr, Groups, List, Number, Players, Slot, Truth, Type};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::{Argument, ArgumentKind, ExprKind, SectionKind};

impl<'a> Checker<'a> {
    pub fn call(&mut self, name: &ast::Word, arguments: &[Argument], span: Span) -> Option<Term> {
        let word = name.node.as_str();
        if let Some(local) = self.scope.find(word) {
            let kind = Kind::NotAFunction { name: word.to_string(), argument: only_name(arguments) };
            let other = local.span;
            self.problem_with(kind, name.span, other);
            return None;
        }
        if let Some(declared) = self.declared(word) {
            return self.call_declared(declared, name, arguments, span);
        }
        if !crate::syntax::builtin::FUNCTIONS.contains(&word) {
            if crate::syntax::builtin::NAMES.contains(&word) {
                let kind = Kind::NotAFunction { name: word.to_string(), argument: only_name(arguments) };
                self.problem(kind, name.span);
            } else {
                self.unknown(word, name.span);
            }
            return None;
        }
        self.call_builtin(name, arguments, span)
    }

    fn call_declared(
        &mut self,
        declared: Declared<'a>,
        name: &ast::Word,
        arguments: &[Argument],
        span: Span,
    ) -> Option<Term> {
        self.uses(declared);
        match declared.keyword {
            Keyword::Define => {
                let terms = self.plain_arguments(arguments)?;
                self.call_define(declared, &terms, span)
            }
            Keyword::Remember => {
                let [argument] = self.arity(name, arguments)?;
                let of = self.argument_term(argument)?;
                let of = self.expect_players(of, argument.span)?;
                self.state_term(&name.node, Some(of), span)
            }
            _ => {
                let kind = Kind::NotAFunction { name: name.node.clone(), argument: only_name(arguments) };
                self.problem_with(kind, name.span, declared.name.span);
                None
            }
        }
    }

    /// Exactly N arguments.
    fn arity<'b, const N: usize>(&mut self, name: &ast::Word, arguments: &'b [Argument]) -> Option<[&'b Argument; N]> {
        let found = arguments.len();
        let exact: Result<[&Argument; N], _> = arguments.iter().collect::<Vec<_>>().try_into();
        if exact.is_err() {
            let kind = Kind::WrongArity { name: name.node.clone(), wanted: N.to_string(), found, form: None };
            self.problem(kind, name.span);
        }
        exact.ok()
    }

    /// Arguments that are expressions, not lines or ranges.
    fn plain_arguments(&mut self, arguments: &[Argument]) -> Option<Vec<(Term, Span)>> {
        let terms: Vec<_> = arguments.iter().map(|argument| (self.argument_term(argument), argument.span)).collect();
        terms.into_iter().map(|(term, span)| Some((term?, span))).collect()
    }

    pub fn argument_term(&mut self, argument: &Argument) -> Option<Term> {
        match &argument.node {
            ArgumentKind::Expr(e) => self.term(e),
            ArgumentKind::Line(_) | ArgumentKind::Range(_) => {
                self.problem(Kind::WrongArgument, argument.span);
                None
            }
        }
    }

    fn call_builtin(&mut self, name: &ast::Word, arguments: &[Argument], span: Span) -> Option<Term> {
        match name.node.as_str() {
            "count" => self.call_count(name, arguments),
            "adjacent" => self
                .cells_and_dirs(name, arguments)
                .map(|(cells, dirs)| Cells::Adjacent(Box::new(cells), dirs))
                .map(|c| self.tidy(c).into()),
            "shift" => {
                let [cells, dirs] = self.arity(name, arguments)?;
                let (cells, dirs) = (self.cells_argument(cells), self.dirs_argument(dirs));
                Some(self.tidy(Cells::Shift(Box::new(cells?), dirs?)).into())
            }
            "groups" => {
                self.cells_and_dirs(name, arguments).map(|(cells, dirs)| Groups::Groups(Box::new(cells), dirs).into())
            }
            "group" => self.call_group(name, arguments),
            "segments" => self.call_segments(name, arguments),
            "largest" => Some(Groups::Largest(Box::new(self.groups_argument(name, arguments)?)).into()),
            "sizes" => Some(List::Sizes(Box::new(self.groups_argument(name, arguments)?)).into()),
            "span" => {
                let [a, b] = self.arity(name, arguments)?;
                let (a, b) = (self.cells_argument(a), self.cells_argument(b));
                Some(Cells::Span(Box::new((a?, b?)), span).into())
            }
            "nth" => {
                let [set, k] = self.arity(name, arguments)?;
                let (set, k) = (self.cells_argument(set), self.number_argument(k));
                Some(self.tidy(Cells::Nth(Box::new(set?), Box::new(k?))).into())
            }
            "opposite" => {
                let [dirs] = self.arity(name, arguments)?;
                Some(Dirs::Opposite(Box::new(self.dirs_argument(dirs)?)).into())
            }
            "height" => {
                let [set] = self.arity(name, arguments)?;
                Some(Number::Height(Box::new(self.cells_argument(set)?)).into())
            }
            "bottom" => {
                let [set] = self.arity(name, arguments)?;
                Some(Cells::Bottom(Box::new(self.cells_argument(set)?)).into())
            }
            "value" => {
                let [set] = self.arity(name, arguments)?;
                let set = self.cells_argument(set)?;
                // A description is asked for men of its own kind alone.
                let known = self.scope.here_value.filter(|_| matches!(set, Cells::Here));
                Some(known.map_or_else(|| Number::Value(Box::new(set)), Number::Fixed).into())
            }
            "hand" => Some(Number::Hand(self.players_argument(name, arguments)?).into()),
            "stuck" => {
                self.words.end_of_turn.get_or_insert(Asked::new("stuck", span));
                self.words.stuck = true;
                Some(Truth::Stuck(self.players_argument(name, arguments)?).into())
            }
            "attacked" => {
                self.words.not_in_ways.get_or_insert(Asked::new("attacked", span));
                let [set] = self.arity(name, arguments)?;
                Some(Truth::Attacked(Box::new(self.cells_argument(set)?)).into())
            }
            "catches" | "reach" => self.call_catches(name, arguments, span),
            _ => self.call_times(name, arguments, span),
        }
    }

    fn cells_argument(&mut self, argument: &Argument) -> Option<Cells> {
        let term = self.argument_term(argument)?;
        self.expect_cells(term, argument.span)
    }

    fn dirs_argument(&mut self, argument: &Argument) -> Option<Dirs> {
        let term = self.argument_term(argument)?;
        self.expect_dirs(term, argument.span)
    }

    fn number_argument(&mut self, argument: &Argument) -> Option<Number> {
        let term = self.argument_term(argument)?;
        self.expect_number(term, argument.span)
    }

    fn players_argument(&mut self, name: &ast::Word, arguments: &[Argument]) -> Option<Players> {
        let [argument] = self.arity(name, arguments)?;
        let term = self.argument_term(argument)?;
        self.expect_players(term, argument.span)
    }

    fn groups_argument(&mut self, name: &ast::Word, arguments: &[Argument]) -> Option<Groups> {
        let [argument] = self.arity(name, arguments)?;
        let term = self.argument_term(argument)?;
        self.expect_groups(term, argument.span)
    }

    fn call_count(&mut self, name: &ast::Word, arguments: &[Argument]) -> Option<Term> {
        let [argument] = self.arity(name, arguments)?;
        let term = self.argument_term(argument)?;
        let set = match term.ty() {
            Some(Type::Groups | Type::Dirs | Type::Axes) => self.expect_expr(term),
            _ => Expr::Cells(self.expect_cells(term, argument.span)?),
        };
        let number = Number::Count(Box::new(set));
        Some(self.fold().number(&number).map_or(number, Number::Fixed).into())
    }

    /// `f(S)` or `f(S, dirs)`; directions are `straight` unless said.
    fn cells_and_dirs(&mut self, name: &ast::Word, arguments: &[Argument]) -> Option<(Cells, Dirs)> {
        match arguments {
            [set] => Some((self.cells_argument(set)?, Dirs::Fixed(self.topology.straight()))),
            [set, dirs] => {
                let (set, dirs) = (self.cells_argument(set), self.dirs_argument(dirs));
                Some((set?, dirs?))
            }
            _ => self.wrong_arity(name, "1 or 2", arguments.len()),
        }
    }

    fn wrong_arity<T>(&mut self, name: &ast::Word, wanted: &str, found: usize) -> Option<T> {
        let kind = Kind::WrongArity { name: name.node.clone(), wanted: wanted.to_string(), found, form: None };
        self.problem(kind, name.span);
        None
    }

    fn call_group(&mut self, name: &ast::Word, arguments: &[Argument]) -> Option<Term> {
        let (of, within, dirs) = match arguments {
            [of, within] => {
                (self.cells_argument(of), self.cells_argument(within), Some(Dirs::Fixed(self.topology.straight())))
            }
            [of, within, dirs] => (self.cells_argument(of), self.cells_argument(within), self.dirs_argument(dirs)),
            _ => return self.wrong_arity(name, "2 or 3", arguments.len()),
        };
        Some(self.tidy(Cells::Group { of: Box::new(of?), within: Box::new(within?), dirs: dirs? }).into())
    }

    fn call_segments(&mut self, name: &ast::Word, arguments: &[Argument]) -> Option<Term> {
        let (of, dirs, length) = match arguments {
            [of, length] => (self.cells_argument(of), Some(Dirs::Fixed(self.topology.straight())), length),
            [of, dirs, length] => (self.cells_argument(of), self.dirs_argument(dirs), length),
            _ => return self.wrong_arity(name, "3", arguments.len()),
        };
        let (from, to) = match &length.node {
            ArgumentKind::Range(range) => {
                let from = self.number(&range.from);
                let to = match &range.to {
                    Some(to) => Some(self.number(to)?),
                    None => None,
                };
                (from?, to)
            }
            _ => {
                let exact = self.number_argument(length)?;
                (exact.clone(), Some(exact))
            }
        };
        self.lint_length(&from, length.span);
        Some(Groups::Segments { of: Box::new(of?), dirs: dirs?, from, to }.into())
    }

    fn call_catches(&mut self, name: &ast::Word, arguments: &[Argument], span: Span) -> Option<Term> {
        let catches = name.node == "catches";
        match arguments {
            [set] => {
                let word = if catches { "catches" } else { "reach" };
                self.words.not_in_ways.get_or_insert(Asked::new(word, span));
                let set = Box::new(self.cells_argument(set)?);
                Some(if catches { Cells::CatchesOf(set) } else { Cells::ReachOf(set) }.into())
            }
            [set, Argument { node: ArgumentKind::Line(line), .. }] => {
                let set = self.cells_argument(set);
                let line = self.line(
                    line,
                    if catches { crate::check::pattern::Use::Catches } else { crate::check::pattern::Use::Reach },
                    false,
                );
                let (set, line) = (Box::new(set?), Box::new(line?));
                Some(if catches { Cells::Catches(set, line) } else { Cells::Reach(set, line) }.into())
            }
            [_, other] => {
                self.problem(Kind::LineWanted { name: name.node.clone() }, other.span);
                None
            }
            _ => self.wrong_arity(name, "1 or 2", arguments.len()),
        }
    }

    fn call_times(&mut self, name: &ast::Word, arguments: &[Argument], span: Span) -> Option<Term> {
        let [argument] = self.arity(name, arguments)?;
        let word = match &argument.node {
            ArgumentKind::Expr(e) => match &*e.kind {
                ExprKind::Name(word) => word.as_str(),
                _ => "",
            },
            _ => "",
        };
        self.words.history = true;
        match word {
            "pieces" => {
                self.asks.times_pieces = true;
                Some(Number::TimesPieces.into())
            }
            "position" => {
                self.words.end_of_turn.get_or_insert(Asked::new("times(position)", span));
                self.asks.times_position = true;
                Some(Number::TimesPosition.into())
            }
            _ => {
                self.problem(Kind::TimesOfWhat, argument.span);
                None
            }
        }
    }

    /// A call of a define; the arguments in their types.
    pub fn call_define(&mut self, declared: Declared<'a>, arguments: &[(Term, Span)], span: Span) -> Option<Term> {
        let SectionKind::Define(define) = &declared.section.node else { return None };
        if define.parameters.len() != arguments.len() {
            let kind = Kind::WrongArity {
                name: define.name.node.clone(),
                wanted: define.parameters.len().to_string(),
                found: arguments.len(),
                form: Some(form_of(&define.name, &define.parameters)),
            };
            self.problem_with(kind, span, declared.name.span);
            return None;
        }
        let named = define.parameters.iter().map(|parameter| parameter.node.clone());
        let call = CallSite::new(span, named.zip(arguments.iter().map(|(_, span)| *span)).collect());
        let arguments: Vec<Expr> = arguments.iter().map(|(term, _)| self.expect_expr(term.clone())).collect();
        let types: Vec<Type> = arguments.iter().map(Expr::ty).collect();
        let (id, ty) = self.instance(declared, define, &types, &arguments, call)?;
        if let Some(constant) = self.constants.get(&id)
            && arguments.is_empty()
        {
            return Some(Term::Expr(constant.clone()));
        }
        Some(Term::Expr(call_expr(Call { define: id, arguments, span }, ty)))
    }

    /// The define for these argument types: known, being made (then it calls itself), or made now.
    fn instance(
        &mut self,
        declared: Declared<'a>,
        define: &'a ast::Define,
        types: &[Type],
        arguments: &[Expr],
        call: CallSite,
    ) -> Option<(DefineId, Type)> {
        let span = call.span;
        let key = (declared.name.span, types.to_vec());
        match self.instances.get(&key) {
            Some(Instance::Made { id, ty, words, nest }) => {
                let (id, ty, nest) = (*id, *ty, *nest);
                let words = words.clone();
                self.words.join(&words, span);
                self.goes(nest, span)?;
                return Some((id, ty));
            }
            Some(Instance::Wrong(blame)) => {
                if let Some(Blame { kind, span: within, argument }) = blame.clone() {
                    let place = argument.map_or(span, |argument| call.arguments[argument].1);
                    let within = Within { span: within, argument: argument.is_some() };
                    self.tell(Problem { within: Some(within), ..Problem::new(kind, place, None) });
                }
                return None;
            }
            Some(Instance::Making { id, depth }) => {
                let (id, depth) = (*id, *depth);
                return self.recursive(declared, define, types, arguments, (id, depth), span);
            }
            None => {}
        }
        self.make_instance(key, declared, define, types, call)
    }

    fn make_instance(
        &mut self,
        key: (Span, Vec<Type>),
        declared: Declared<'a>,
        define: &'a ast::Define,
        types: &[Type],
        call: CallSite,
    ) -> Option<(DefineId, Type)> {
        let span = call.span;
        if self.making.len() > crate::check::MAX_DEFINE_NEST || self.defines.len() >= crate::check::MAX_DEFINES {
            self.problem(Kind::TooManyDefines, define.name.span);
            return None;
        }
        let id = DefineId(self.defines.len() as u16);
        self.defines.push(None);
        self.instances.insert(key.clone(), Instance::Making { id, depth: self.making.len() });
        self.making.push((declared, types.to_vec()));
        let outer_words = std::mem::take(&mut self.words);
        let outer_deepest = std::mem::replace(&mut self.deepest, self.nest);
        let (body, blame) = self.within_call(call, |checker| {
            checker.in_frame(reach_of(declared), |checker| {
                for (parameter, ty) in define.parameters.iter().zip(types) {
                    checker.bind(parameter, *ty, false);
                }
                checker.begin_notes();
                let body = checker.term(&define.body);
                let note = checker.end_notes(define.name.span);
                checker.note_define(id, note);
                body
            })
        });
        let words = std::mem::replace(&mut self.words, outer_words);
        let nest = self.deepest - self.nest;
        self.deepest = self.deepest.max(outer_deepest);
        self.making.pop();
        let (body, frame) = body;
        let Some(body) = body else {
            self.instances.insert(key, Instance::Wrong(blame));
            return None;
        };
        let body = self.expect_expr(body);
        let ty = body.ty();
        if define.parameters.is_empty()
            && let Some(constant) = self.fold().expr(&body)
        {
            self.constants.insert(id, constant);
        }
        self.words.join(&words, span);
        self.instances.insert(key, Instance::Made { id, ty, words, nest });
        self.defines[id.0 as usize] = Some(crate::model::Define {
            name: define.name.node.clone(),
            parameters: types.len(),
            frame,
            nest,
            body,
            span: define.name.span,
        });
        Some((id, ty))
    }

    /// A define that calls itself: its type must be known without this call, and a truth must lie
    /// on the way.
    fn recursive(
        &mut self,
        declared: Declared<'a>,
        define: &'a ast::Define,
        types: &[Type],
        arguments: &[Expr],
        (id, depth): (DefineId, usize),
        span: Span,
    ) -> Option<(DefineId, Type)> {
        let itself = self.making.len() == depth + 1;
        let same = itself && arguments.iter().enumerate().all(|(i, argument)| same_local(argument, Slot(i as u16)));
        if same {
            self.problem_with(Kind::EndlessDefine { name: define.name.node.clone() }, span, declared.name.span);
            return None;
        }
        let on_the_way: Vec<_> = self.making[depth..].to_vec();
        let truth = on_the_way.iter().any(|(declared, types)| self.infer_define(*declared, types) == Some(Type::Truth));
        let ty = self.infer_define(declared, types);
        match ty {
            Some(ty) if truth => Some((id, ty)),
            _ => {
                self.problem_with(Kind::RecursiveDefine { name: define.name.node.clone() }, span, declared.name.span);
                None
            }
        }
    }

    /// Runs a check in a frame of its own and tells how many slots it took.
    pub fn in_frame<T>(&mut self, reach: Reach, check: impl FnOnce(&mut Self) -> T) -> (T, usize) {
        let outer = std::mem::replace(&mut self.scope, Scope::new(reach));
        let catching = self.catching.take();
        let result = check(self);
        self.catching = catching;
        let inner = std::mem::replace(&mut self.scope, outer);
        (result, inner.frame())
    }
}

impl Words {
    /// What a define asks, its caller asks too.
    fn join(&mut self, other: &Words, call: Span) {
        self.end_of_turn = self.end_of_turn.or(other.end_of_turn.map(|asked| asked.by(call)));
        self.turn_only = self.turn_only.or(other.turn_only.map(|asked| asked.by(call)));
        self.not_in_ways = self.not_in_ways.or(other.not_in_ways.map(|asked| asked.by(call)));
        self.history |= other.history;
        self.turn |= other.turn;
        self.stuck |= other.stuck;
    }
}

/// `c`, if that is all that is given.
fn only_name(arguments: &[Argument]) -> Option<String> {
    match arguments {
        [Argument { node: ArgumentKind::Expr(e), .. }] => match &*e.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// `connects(s, a, b)`
pub fn form_of(name: &ast::Word, parameters: &[ast::Word]) -> String {
    if parameters.is_empty() {
        return name.node.clone();
    }
    let parameters: Vec<&str> = parameters.iter().map(|parameter| parameter.node.as_str()).collect();
    format!("{}({})", name.node, parameters.join(", "))
}

/// Layer 0 is the prelude.
pub fn reach_of(declared: Declared<'_>) -> Reach {
    if declared.layer == 0 { Reach::Prelude } else { Reach::Game }
}

fn same_local(argument: &Expr, slot: Slot) -> bool {
    format!("{argument:?}") == format!("{:?}", local_expr(slot, argument.ty()))
}

fn call_expr(call: Call, ty: Type) -> Expr {
    match ty {
        Type::Number => Expr::Number(Number::Call(call)),
        Type::Truth => Expr::Truth(Truth::Call(call)),
        Type::Cells => Expr::Cells(Cells::Call(call)),
        Type::Groups => Expr::Groups(Groups::Call(call)),
        Type::Dirs => Expr::Dirs(Dirs::Call(call)),
        Type::Axes => Expr::Axes(Axes::Call(call)),
        Type::Players => Expr::Players(Players::Call(call)),
        Type::List => Expr::List(List::Call(call)),
    }
}
