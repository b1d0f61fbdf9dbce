//! Checker: trees go in; the model comes out, or the mistakes of meaning: names, types, board,
//! lints. Nothing else reports those.

mod assemble;
mod board;
mod call;
mod cascade;
mod constant;
mod declarations;
mod error;
mod examples;
mod expr;
mod infer;
mod layers;
mod lint;
mod load;
mod looks;
mod name;
mod notes;
mod pattern;
mod piece_statements;
mod scope;
mod statement;
mod stuck;
mod term;
mod traps;
mod wording;

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use crate::board::{Kind as KindId, Topology};
use crate::check::constant::Fold;
use crate::check::layers::{Declared, Layers};
use crate::check::scope::Scope;
use crate::model::{Asks, Branch, Define, DefineId, Expr, KindInfo, NotedPart, Notes, Remembered, Seat, StateId, Type};
use crate::source::{SourceId, Sources, Span};

pub use crate::check::constant::{arithmetic, compare};
pub use crate::check::declarations::{declarations, sections};
pub use crate::check::error::{Kind, LookFault, Problem, Problems, Severity, Within};
pub use crate::check::load::{
    Checked, Library, Loaded, Mistake, ParamValue, Settings, Texts, check, key, load, load_noted, read, variant_titles,
};

/// Most statements, operands and items of patterns of a file's game and variants, once actions,
/// defines and patterns stand in their places.
pub const MAX_PARTS: usize = 100_000;
/// Most of them within each other; programs over a model may go so deep.
pub const MAX_NEST: usize = 500;
/// Most games, and most variants, that extend each other.
pub const MAX_EXTENDS: usize = 32;
/// Room for a walk over what is nested as deep as it may be, in bytes.
pub const STACK: usize = 64 << 20;
/// Most defines, counted once for each list of types.
const MAX_DEFINES: usize = 5_000;
/// Most defines within each other while they are checked.
const MAX_DEFINE_NEST: usize = 100;

/// One game (with one variant, with one list of param values) while it is checked.
struct Checker<'a> {
    problems: &'a mut Problems,
    sources: &'a Sources,
    layers: Layers<'a>,
    title_span: Span,
    params: IndexMap<String, Expr>,
    topology: Topology,
    /// Cells of its longest line.
    longest: i64,
    stacks: bool,
    seats: Vec<Seat>,
    kinds: Vec<KindInfo>,
    states: Vec<Remembered>,
    defines: Vec<Option<Define>>,
    instances: HashMap<(Span, Vec<Type>), Instance>,
    /// Defines that are being checked, the outermost first.
    making: Vec<(Declared<'a>, Vec<Type>)>,
    constants: HashMap<DefineId, Expr>,
    blocks: Vec<Vec<crate::model::Statement>>,
    /// By block: the outermost call of an action around it.
    block_calls: Vec<Option<Span>>,
    branches: Vec<Branch>,
    labels: Vec<String>,
    scope: Scope,
    /// Within a test of a pattern: the `< >` sets found in it.
    catching: Option<Vec<crate::model::Cells>>,
    /// Calls on the way to what is being checked, the outermost first.
    calls: Vec<CallSite>,
    /// Patterns that are being expanded, and actions that are being put in place.
    expanding: Vec<Span>,
    doing: Vec<Span>,
    /// Named parts that stand in for what their programs say, the outermost first.
    parts_around: Vec<PartAround<'a>>,
    /// The names of the parts of programs.
    parts_seen: HashSet<String>,
    words: Words,
    asks: Asks,
    /// A `first` stands around what is checked.
    in_first: bool,
    /// Some outcome asks `stuck`.
    end_asks_stuck: bool,
    mosts: u16,
    /// The value that counts turns, if some part asks it.
    turns: Option<StateId>,
    /// Parts around the one at hand, and how deep they have gone.
    nest: usize,
    deepest: usize,
    /// Locals and remembered values whose type is unknown after a mistake.
    guessed: Vec<String>,
    /// The names of the declarations used, and of the values set.
    usage: &'a mut Usage,
    /// What is told beside the model, if it is asked for.
    notes: Option<Notes>,
    /// The expressions of the statements and defines that are being checked, the innermost last.
    parts_open: Vec<crate::check::notes::OpenNotes>,
    /// The tests of the path that is being checked.
    tests_noted: Vec<crate::model::NotedStatement>,
    /// The conditions around the ways that are being checked, the outermost first.
    conditions_noted: Vec<Vec<NotedPart>>,
}

/// What a game and its variants use of what their text declares.
#[derive(Debug, Default)]
pub struct Usage {
    used: HashSet<Span>,
    set: HashSet<Span>,
    /// Kinds that some game or variant brings on the board.
    on_board: HashSet<Span>,
    /// Statements, operands and items so far.
    parts: usize,
}

impl Usage {
    fn is_spent(&self) -> bool {
        self.parts > MAX_PARTS
    }
}

/// A define for one list of types.
#[derive(Debug)]
enum Instance {
    Making {
        id: DefineId,
        depth: usize,
    },
    Made {
        id: DefineId,
        ty: Type,
        words: Words,
        nest: usize,
    },
    /// The mistake, if it is that of the caller.
    Wrong(Option<Blame>),
}

/// Where a define, an action or a pattern is called, and with what.
#[derive(Clone, Debug)]
struct CallSite {
    span: Span,
    /// The parameters and where the arguments stand.
    arguments: Vec<(String, Span)>,
    blame: Option<Blame>,
}

impl CallSite {
    fn new(span: Span, arguments: Vec<(String, Span)>) -> CallSite {
        CallSite { span, arguments, blame: None }
    }
}

/// A mistake within what is called that its caller has made.
#[derive(Clone, Debug)]
struct Blame {
    kind: Kind,
    span: Span,
    /// The argument that is wrong, if it is one alone.
    argument: Option<usize>,
}

/// A named part of a program while its body, or what replaces it, is checked.
#[derive(Clone, Copy, Debug)]
struct PartAround<'a> {
    original: &'a crate::syntax::ast::Part,
    /// Where it stands.
    place: crate::check::statement::Part,
}

/// Words with a meaning in some places only, met since the last look.
#[derive(Clone, Debug, Default)]
struct Words {
    end_of_turn: Option<Asked>,
    not_in_ways: Option<Asked>,
    turn_only: Option<Asked>,
    /// `times`, `cycle`, or a value that is not compared.
    history: bool,
    /// Which parts of the last `or` asked that.
    history_in_or: Vec<bool>,
    /// `last` and the like, which tell of the turn at hand.
    turn: bool,
    stuck: bool,
}

/// A word that is asked somewhere, or the call of a define that asks it.
#[derive(Clone, Copy, Debug)]
struct Asked {
    word: &'static str,
    span: Span,
    /// Where the word itself stands, if it is asked by a call.
    within: Option<Span>,
}

impl Asked {
    fn new(word: &'static str, span: Span) -> Asked {
        Asked { word, span, within: None }
    }

    fn by(self, call: Span) -> Asked {
        Asked { span: call, within: self.within.or(Some(self.span)), ..self }
    }
}

impl<'a> Checker<'a> {
    fn problem(&mut self, kind: Kind, span: Span) {
        self.tell(Problem::new(kind, span, None));
    }

    fn problem_with(&mut self, kind: Kind, span: Span, other: Span) {
        self.tell(Problem::new(kind, span, Some(other)));
    }

    /// A word that may not be asked here.
    fn problem_asked(&mut self, kind: Kind, asked: Asked) {
        let within = asked.within.map(|span| Within { span, argument: false });
        self.tell(Problem { within, ..Problem::new(kind, asked.span, None) });
    }

    /// Tells a mistake to whoever made it: what stands in the prelude, or has the wrong type within a
    /// define or an action for what it is given, is a mistake of the call.
    fn tell(&mut self, mut problem: Problem) {
        for at in (0..self.calls.len()).rev() {
            let Some(argument) = self.blames(at, &problem) else { break };
            let call = &mut self.calls[at];
            call.blame = Some(Blame { kind: problem.kind.clone(), span: problem.span, argument });
            let within = problem.within.map_or(problem.span, |within| within.span);
            problem.within = Some(Within { span: within, argument: argument.is_some() });
            problem.span = argument.map_or(call.span, |argument| call.arguments[argument].1);
        }
        self.problems.push(problem);
    }

    /// The call is to blame for what stands within it; and which of its arguments, if it is one.
    fn blames(&self, at: usize, problem: &Problem) -> Option<Option<usize>> {
        let call = &self.calls[at];
        let text = self.sources.slice(problem.span);
        let argument = call.arguments.iter().position(|(name, _)| name == text);
        let by_types = problem.kind.comes_from_types();
        let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let innermost = at + 1 == self.calls.len();
        let given = |word: &str| {
            call.arguments.iter().any(|(name, _)| name == word) || innermost && self.scope.find(word).is_some()
        };
        let from_prelude =
            problem.span.source == SourceId::PRELUDE && !matches!(problem.kind, Kind::UnknownName { .. });
        let from_arguments = by_types && !call.arguments.is_empty() && words().any(given);
        (from_prelude || from_arguments).then_some(argument.filter(|_| by_types))
    }

    /// Checks what is called here.
    fn within_call<T>(&mut self, call: CallSite, check: impl FnOnce(&mut Self) -> T) -> (T, Option<Blame>) {
        self.calls.push(call);
        let result = check(self);
        let blame = self.calls.pop().and_then(|call| call.blame);
        (result, blame)
    }

    /// Checks a part within the one at hand, as long as there are not too many and they do not go too
    /// deep.
    fn part<T>(&mut self, span: Span, check: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.usage.parts += 1;
        if self.usage.is_spent() {
            let span = self.doing.first().or(self.expanding.first()).copied().unwrap_or(self.title_span);
            if !self.problems.knows("too-many-parts") {
                self.problem(Kind::TooManyParts, span);
            }
            return None;
        }
        self.goes(1, span)?;
        self.nest += 1;
        let result = check(self);
        self.nest -= 1;
        result
    }

    /// What stands here goes so deep.
    fn goes(&mut self, nest: usize, span: Span) -> Option<()> {
        self.deepest = self.deepest.max(self.nest + nest);
        if self.nest + nest > MAX_NEST {
            self.problem(Kind::TooDeep, span);
            return None;
        }
        Some(())
    }

    fn fold(&self) -> Fold<'_> {
        Fold::new(&self.topology, &self.defines)
    }

    fn uses(&mut self, declared: Declared<'a>) {
        // What only calls itself is not used.
        let itself = self.making.last().is_some_and(|(making, _)| making.name.span == declared.name.span);
        if !itself {
            self.usage.used.insert(declared.name.span);
        }
    }

    fn use_kind(&mut self, kind: KindId) {
        let name = self.kinds[kind.index()].name.clone();
        if let Some(declared) = self.layers.names.get(name.as_str()) {
            self.usage.used.insert(declared.name.span);
        }
    }

    fn kind_named(&self, name: &str) -> Option<KindId> {
        self.kinds.iter().position(|kind| kind.name == name).map(|at| KindId(at as u8))
    }

    fn state_named(&self, name: &str) -> Option<(StateId, &Remembered)> {
        self.states
            .iter()
            .enumerate()
            .find(|(_, state)| state.name == name)
            .map(|(at, state)| (StateId(at as u16), state))
    }

    /// Drops the defines made so far: they were worked out on another board.
    fn forget(&mut self) {
        self.instances.clear();
        self.constants.clear();
    }
}
