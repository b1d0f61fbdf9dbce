//! Assembly of the model: a game's layers go in; the model comes out, section by section, or
//! nothing if a mistake was found.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::board::{Shape, Topology};
use crate::check::call::reach_of;
use crate::check::error::{Kind, Problems};
use crate::check::layers::{Declared, Keyword, Layers, Whole, head};
use crate::check::load::{ParamValue, Tree};
use crate::check::notes::Noting;
use crate::check::pattern::Use;
use crate::check::scope::{Reach, Scope};
use crate::check::statement::Part;
use crate::check::{Asked, Checker, Usage, Words};
use crate::model;
use crate::model::{
    Alias, AliasText, Asks, BranchKind, Captures, Cells, Expr, Game, KindInfo, Notes, Number, Outcome, Program,
    Remembered, Truth, Way,
};
use crate::source::{Sources, Span};
use crate::syntax::ast;
use crate::syntax::ast::{AboutValue, OutcomeKind, SectionKind, WayKind};

/// The greatest number of a kind: a board full of such men adds up without overflow.
const MAX_VALUE: i64 = 1_000_000;

impl<'a> Checker<'a> {
    /// Checks one game. All mistakes go to `problems`; a game comes out only if there was no error.
    pub fn game(
        tree: &Tree<'a>,
        params: &[(String, ParamValue)],
        sources: &'a Sources,
        problems: &'a mut Problems,
        usage: &'a mut Usage,
        noting: Noting,
    ) -> Option<Game> {
        let layers = Layers::new(tree.prelude, &tree.layers, problems);
        usage.parts += tree.layers.iter().map(|sections| sections.len()).sum::<usize>();
        let topology = Topology::new(Shape::square(1, 1)).ok()?;
        let mut checker = Checker {
            problems,
            sources,
            layers,
            title_span: tree.title.span,
            params: IndexMap::new(),
            topology,
            longest: i64::MAX,
            stacks: false,
            seats: Vec::new(),
            kinds: Vec::new(),
            states: Vec::new(),
            defines: Vec::new(),
            instances: Default::default(),
            making: Vec::new(),
            constants: Default::default(),
            blocks: Vec::new(),
            block_calls: Vec::new(),
            branches: Vec::new(),
            labels: Vec::new(),
            scope: Scope::new(Reach::Game),
            catching: None,
            calls: Vec::new(),
            expanding: Vec::new(),
            doing: Vec::new(),
            parts_around: Vec::new(),
            parts_seen: HashSet::new(),
            words: Words::default(),
            asks: Asks::default(),
            in_first: false,
            end_asks_stuck: false,
            mosts: 0,
            turns: None,
            nest: 0,
            deepest: 0,
            guessed: Vec::new(),
            usage,
            notes: (noting == Noting::Parts).then(Notes::default),
            parts_open: Vec::new(),
            tests_noted: Vec::new(),
            conditions_noted: Vec::new(),
        };
        checker.assemble(tree, params, sources)
    }

    fn assemble(&mut self, tree: &Tree<'a>, params: &[(String, ParamValue)], sources: &Sources) -> Option<Game> {
        self.params(params);
        self.kinds();
        self.seats()?;
        self.board()?;
        // Each variant keeps a board of its own, about as large in memory as so many parts a cell.
        const PARTS_PER_CELL: usize = 8;
        self.usage.parts += PARTS_PER_CELL * self.topology.len();
        self.initials();
        self.values();
        self.states();
        self.ways();
        let captures = self.captures();
        let setup = self.setup();
        let opening = self.opening();
        let turn = self.turn();
        let end = self.end();
        let aliases = self.aliases();
        let examples = self.examples(&tree.layers);
        let looks = self.looks(tree.layers.len());
        self.unasked();
        self.parts_that_replace_nothing(tree.layers.len());
        self.lint_men(&setup, &turn);
        self.lint_game(&turn, &end);
        self.turns_are_counted(turn.iter().chain(opening.iter().flatten()));
        if self.problems.has_errors() {
            return None;
        }
        Some(Game {
            title: tree.title.node.clone(),
            variant: tree.variant.clone(),
            about: self.about(),
            looks,
            params: self.params.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            topology: self.topology.clone(),
            stacks: self.stacks,
            captures,
            seats: std::mem::take(&mut self.seats),
            kinds: std::mem::take(&mut self.kinds),
            states: std::mem::take(&mut self.states),
            defines: std::mem::take(&mut self.defines)
                .into_iter()
                .map(|define| define.unwrap_or_else(no_define))
                .collect(),
            setup: setup?,
            opening: opening?,
            turn: turn?,
            end: end?,
            aliases,
            examples,
            blocks: std::mem::take(&mut self.blocks),
            calls: std::mem::take(&mut self.block_calls),
            branches: std::mem::take(&mut self.branches),
            labels: std::mem::take(&mut self.labels),
            asks: self.asks,
            sources: sources.clone(),
            notes: self.notes.take(),
        })
    }

    /// Where a game asks the number of the turn, each turn begins by adding one to it.
    fn turns_are_counted<'p>(&mut self, programs: impl Iterator<Item = &'p Program>) {
        let Some(state) = self.turns else { return };
        for Program { block, span, .. } in programs {
            let sum = Box::new((Number::State(state, None), Number::Fixed(1)));
            let value = Expr::Number(Number::Arithmetic(model::Arithmetic::Add, sum, *span));
            let count = model::Statement::Remember { state, of: None, value, span: *span };
            self.blocks[block.0 as usize].insert(0, count);
            self.note_first(*block, *span);
        }
    }

    /// Declarations of one keyword, in the order of the text.
    fn declarations(&self, keyword: Keyword) -> Vec<Declared<'a>> {
        self.layers.names.values().filter(|declared| declared.keyword == keyword).copied().collect()
    }

    fn params(&mut self, given: &[(String, ParamValue)]) {
        for declared in self.declarations(Keyword::Param) {
            let SectionKind::Param(param) = &declared.section.node else { continue };
            let Some(declared_value) = self.param_value(&param.value) else { continue };
            let given = given.iter().rev().find(|(name, _)| *name == param.name.node);
            let (value, span) = match given {
                None => (declared_value, param.value.span),
                Some((_, ParamValue::Number(n))) if matches!(declared_value, Expr::Number(_)) => {
                    (Expr::Number(Number::Fixed(*n)), param.name.span)
                }
                Some((_, ParamValue::Truth(t))) if matches!(declared_value, Expr::Truth(_)) => {
                    (Expr::Truth(Truth::Fixed(*t)), param.name.span)
                }
                Some(_) => {
                    let wanted =
                        if matches!(declared_value, Expr::Number(_)) { "a number" } else { "`true` or `false`" };
                    self.problem(Kind::ParamType { name: param.name.node.clone(), wanted }, param.name.span);
                    (declared_value, param.value.span)
                }
            };
            self.check_range(param, &value, span);
            self.params.insert(param.name.node.clone(), value);
        }
        for (name, _) in given {
            if !self.layers.names.get(name.as_str()).is_some_and(|declared| declared.keyword == Keyword::Param) {
                let near = crate::syntax::near(name, self.params.keys().map(String::as_str));
                self.problem(Kind::NoSuchParam { name: name.clone(), near }, self.title_span);
            }
        }
    }

    fn param_value(&mut self, e: &'a ast::Expr) -> Option<Expr> {
        let term = self.in_frame(Reach::Game, |checker| checker.term(e)).0?;
        let expr = self.expect_expr(term);
        let folded = match expr {
            Expr::Number(_) | Expr::Truth(_) => self.fold().expr(&expr),
            _ => None,
        };
        if folded.is_none() {
            self.problem(Kind::NotConstant, e.span);
        }
        folded
    }

    fn check_range(&mut self, param: &'a ast::Param, value: &Expr, span: Span) {
        let Some(range) = &param.range else { return };
        let Expr::Number(Number::Fixed(n)) = value else {
            self.problem(
                Kind::ParamType { name: param.name.node.clone(), wanted: "a number, as it has a range" },
                param.value.span,
            );
            return;
        };
        let mut end = |e: &'a ast::Expr| match self.param_value(e) {
            Some(Expr::Number(Number::Fixed(n))) => Some(n),
            _ => None,
        };
        let low = end(&range.from);
        let high = range.to.as_ref().map_or(Some(i64::MAX), end);
        if let (Some(low), Some(high)) = (low, high)
            && !(low..=high).contains(n)
        {
            self.problem(Kind::ParamRange { name: param.name.node.clone(), value: *n, low, high }, span);
        }
    }

    /// The first letter of the name that no kind so far has; if they are all taken, of the alphabet.
    fn free_letter(&self, name: &str) -> Option<char> {
        let taken = |letter: &char| self.kinds.iter().any(|kind| kind.letter == *letter);
        let letters = name.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_uppercase());
        letters.chain('A'..='Z').find(|letter| !taken(letter))
    }

    /// Names, letters and origins; the ways come when everything that they may ask is known.
    fn kinds(&mut self) {
        for declared in self.declarations(Keyword::Piece) {
            let SectionKind::Piece(piece) = &declared.section.node else { continue };
            let own_letter = piece.letter.as_ref().and_then(|word| word.chars().next());
            let free = || self.free_letter(&piece.name).unwrap_or_else(|| first_letter(&piece.name));
            let letter = own_letter.unwrap_or_else(free);
            if let Some(twin) = self.kinds.iter().find(|kind| kind.letter == letter) {
                let other = twin.span;
                let span = piece.letter.as_ref().map_or(piece.name.span, |word| word.span);
                let name = piece.name.node.clone();
                let free = self.free_letter(&name);
                self.problem_with(Kind::DuplicateLetter { letter, name, free }, span, other);
            }
            self.kinds.push(KindInfo {
                name: piece.name.node.clone(),
                letter,
                own_letter: own_letter.is_some(),
                neutral: piece.neutral,
                value: 0,
                from: None,
                ways: Vec::new(),
                frame: 0,
                span: piece.name.span,
            });
        }
        for (i, declared) in self.declarations(Keyword::Piece).into_iter().enumerate() {
            if let SectionKind::Piece(ast::Piece { from: Some(from), .. }) = &declared.section.node {
                self.kinds[i].from = self.expect_kind(from);
            }
        }
    }

    /// The numbers of kinds, each known before play.
    fn values(&mut self) {
        for (i, declared) in self.declarations(Keyword::Piece).into_iter().enumerate() {
            let SectionKind::Piece(ast::Piece { name, value: Some(value), .. }) = &declared.section.node else {
                continue;
            };
            match self.param_value(value) {
                Some(Expr::Number(Number::Fixed(n))) if (-MAX_VALUE..=MAX_VALUE).contains(&n) => {
                    self.kinds[i].value = n;
                }
                Some(Expr::Number(Number::Fixed(n))) => {
                    let name = format!("value of {}", name.node);
                    let kind = Kind::ParamRange { name, value: n, low: -MAX_VALUE, high: MAX_VALUE };
                    self.problem(kind, value.span);
                }
                Some(other) => {
                    let found = crate::check::term::type_word(Some(other.ty()));
                    self.problem(Kind::WrongType { wanted: "a number", found }, value.span);
                }
                None => {}
            }
        }
    }

    /// The men of a game with one kind are written by their owners' initials.
    fn initials(&mut self) {
        if self.kinds.iter().filter(|kind| !kind.neutral).count() > 1 {
            return;
        }
        let Some((_, section)) = self.layers.top(Whole::Players) else { return };
        let SectionKind::Players(seats) = &section.node else { return };
        for (i, seat) in seats.iter().enumerate() {
            let initial = seat.player.chars().next();
            if let Some(letter) = initial
                && seats[..i].iter().any(|other| other.player.starts_with(letter))
            {
                self.problem(Kind::SameInitial { letter }, seat.player.span);
            }
        }
    }

    fn states(&mut self) {
        for declared in self.declarations(Keyword::Remember) {
            let SectionKind::Remember(remember) = &declared.section.node else { continue };
            let (term, frame) = self.in_frame(Reach::Game, |checker| checker.term(&remember.first));
            let Some(term) = term else {
                self.guessed.push(remember.name.node.clone());
                continue;
            };
            let first = match self.expect_expr(term) {
                expr @ (Expr::Number(_) | Expr::Truth(_) | Expr::Cells(_)) => expr,
                Expr::Players(players) => Expr::Cells(Cells::Of(players)),
                Expr::Groups(groups) => Expr::Cells(Cells::Union(Box::new(groups))),
                other => {
                    let found = crate::check::term::type_word(Some(other.ty()));
                    self.problem(Kind::StateType { found }, remember.first.span);
                    self.guessed.push(remember.name.node.clone());
                    continue;
                }
            };
            self.marks(remember, &first);
            self.states.push(Remembered {
                name: remember.name.node.clone(),
                first,
                frame,
                per_player: remember.per_player,
                on_pieces: remember.on_pieces,
                for_one_turn: remember.for_one_turn,
                compared: !remember.not_compared,
                span: remember.name.span,
            });
        }
        self.expect_words_in("remember");
    }

    fn marks(&mut self, remember: &ast::Remember, first: &Expr) {
        if remember.on_pieces && self.stacks {
            self.problem(Kind::MarksOnStacks, remember.name.span);
        }
        if remember.on_pieces && !matches!(first, Expr::Cells(_)) {
            self.problem(Kind::MarksNotCells, remember.first.span);
        }
    }

    fn ways(&mut self) {
        for (i, declared) in self.declarations(Keyword::Piece).into_iter().enumerate() {
            let SectionKind::Piece(piece) = &declared.section.node else { continue };
            let (ways, frame) = self.in_frame(Reach::Game, |checker| {
                checker.scope.here = true;
                checker.scope.here_value = Some(checker.kinds[i].value);
                let mut ways = Vec::new();
                checker.ways_of(&piece.ways, &mut Vec::new(), &mut ways);
                ways
            });
            self.kinds[i].ways = ways;
            self.kinds[i].frame = frame;
            let words = std::mem::take(&mut self.words);
            if let Some(asked) = words.not_in_ways {
                self.problem_asked(Kind::NotInWays { word: asked.word }, asked);
            }
            if let Some(asked) = words.end_of_turn {
                self.problem_asked(Kind::EndOfTurn { word: asked.word }, asked);
            }
            self.only_in_turns(words.turn_only);
        }
    }

    /// Words that have a meaning in turns alone.
    fn only_in_turns(&mut self, asked: Option<Asked>) {
        if let Some(asked) = asked {
            self.problem_asked(Kind::TurnOnly { word: asked.word }, asked);
        }
    }

    fn ways_of(&mut self, ways: &'a [ast::Way], conditions: &mut Vec<(Truth, bool)>, found: &mut Vec<Way>) {
        self.lint_same(ways.iter().map(|way| way.span), "way");
        for way in ways {
            match &way.node {
                WayKind::Move(line) => {
                    if let Some(line) = self.line(line, Use::Move, true) {
                        self.lint_landing(&line);
                        self.usage.parts += conditions.len();
                        found.push(Way { conditions: conditions.clone(), line, span: way.span });
                        self.note_way(way.span);
                    }
                }
                WayKind::If { condition, then, otherwise } => {
                    self.begin_notes();
                    let truth = self.truth(condition);
                    let note = self.end_notes(condition.span);
                    let Some(truth) = truth else { continue };
                    self.conditions_noted.push(note.parts);
                    conditions.push((truth.clone(), true));
                    self.ways_of(then, conditions, found);
                    conditions.pop();
                    if let Some(otherwise) = otherwise {
                        conditions.push((truth, false));
                        self.ways_of(otherwise, conditions, found);
                        conditions.pop();
                    }
                    self.conditions_noted.pop();
                }
            }
        }
    }

    fn captures(&mut self) -> Captures {
        match self.layers.top(Whole::Captures).map(|(_, section)| &section.node) {
            Some(SectionKind::Captures(ast::Captures::LeaveAtEndOfMove)) => Captures::LeaveAtEnd,
            Some(SectionKind::Captures(ast::Captures::GoToHand)) => Captures::ToHand,
            _ => Captures::Leave,
        }
    }

    fn setup(&mut self) -> Option<Program> {
        let Some((layer, section)) = self.layers.top(Whole::Setup) else {
            return Some(Program { block: self.add_block(Vec::new()), frame: 0, span: Span::NOWHERE });
        };
        let SectionKind::Setup(block) = &section.node else { return None };
        let program = self.program(block, Part { whole: Whole::Setup, layer, action: false, replaced: 0 });
        if let Some(program) = &program {
            self.lint_setup(program.block);
            self.lint_mirror(program.block);
        }
        self.expect_words_in("setup");
        program
    }

    fn opening(&mut self) -> Option<Vec<Program>> {
        let Some((layer, section)) = self.layers.top(Whole::Opening) else { return Some(Vec::new()) };
        let SectionKind::Opening(turns) = &section.node else { return None };
        let part = Part { whole: Whole::Opening, layer, action: false, replaced: 0 };
        let programs: Vec<_> = turns.iter().map(|turn| self.program(turn, part)).collect();
        self.expect_words_in("opening");
        programs.into_iter().collect()
    }

    fn turn(&mut self) -> Option<Program> {
        let Some((layer, section)) = self.layers.top(Whole::Move) else {
            self.problem(Kind::NoSection { word: "move" }, self.title_span);
            return None;
        };
        let SectionKind::Move(block) = &section.node else { return None };
        let program = self.program(block, Part { whole: Whole::Move, layer, action: false, replaced: 0 });
        self.expect_words_in("move");
        program
    }

    /// Words that have a meaning in turns alone, or at their end, met in another section since the last
    /// look.
    fn expect_words_in(&mut self, section: &'static str) {
        let words = std::mem::take(&mut self.words);
        if !matches!(section, "move" | "opening") {
            self.only_in_turns(words.turn_only);
        }
        if let Some(asked) = words.end_of_turn
            && !matches!(section, "move" | "opening")
        {
            self.problem_asked(Kind::EndOfTurn { word: asked.word }, asked);
        }
    }

    fn end(&mut self) -> Option<Vec<Outcome>> {
        let Some((layer, section)) = self.layers.top(Whole::End) else {
            self.problem(Kind::NoWayToEnd, self.title_span);
            return None;
        };
        let SectionKind::End(outcomes) = &section.node else { return None };
        let mut found = Some(Vec::new());
        self.outcomes(outcomes, layer, &mut found);
        if found.as_ref().is_some_and(Vec::is_empty) {
            self.problem(Kind::NoWayToEnd, head(section));
        }
        found
    }

    fn outcomes(&mut self, outcomes: &'a [ast::Outcome], layer: usize, found: &mut Option<Vec<Outcome>>) {
        for outcome in outcomes {
            if outcome.node == OutcomeKind::AsUsual {
                match self.layers.whole(Whole::End, layer) {
                    Some((below, section)) => {
                        if let SectionKind::End(usual) = &section.node {
                            self.outcomes(usual, below, found);
                        }
                    }
                    None => {
                        self.problem(Kind::NothingAsUsual, outcome.span);
                        *found = None;
                    }
                }
                continue;
            }
            match (self.outcome(outcome), found.as_mut()) {
                (Some(outcome), Some(found)) => found.push(outcome),
                _ => *found = None,
            }
        }
    }

    fn outcome(&mut self, outcome: &'a ast::Outcome) -> Option<Outcome> {
        self.words = Words::default();
        let (made, frame) = self.in_frame(Reach::Game, |checker| checker.outcome_parts(outcome));
        let (result, condition) = made?;
        let words = std::mem::take(&mut self.words);
        self.only_in_turns(words.turn_only);
        self.end_asks_stuck |= words.stuck;
        let (asks_history, asks_turn) = (words.history, words.turn);
        // The `or` of the condition itself is the last that was looked at.
        let parts = if asks_history && outcome.node.is_or() { words.history_in_or } else { Vec::new() };
        let parts_ask_history = if parts.contains(&false) { parts } else { Vec::new() };
        let branch = self.branch(BranchKind::Outcome, outcome.span);
        Some(Outcome {
            result,
            condition,
            frame,
            branch,
            asks_history,
            parts_ask_history,
            asks_turn,
            span: outcome.span,
        })
    }

    fn outcome_parts(&mut self, outcome: &'a ast::Outcome) -> Option<(model::Result, Truth)> {
        Some(match &outcome.node {
            OutcomeKind::AsUsual => return None,
            OutcomeKind::Win(condition) => (model::Result::Win, self.truth(condition)?),
            OutcomeKind::Lose(condition) => (model::Result::Lose, self.truth(condition)?),
            OutcomeKind::Draw(condition) => (model::Result::Draw, self.truth(condition)?),
            OutcomeKind::Wins(player, condition) => {
                let term = self.player_term(player, player.span);
                let condition = self.truth(condition);
                let players = self.expect_players(term?, player.span)?;
                let player = Self::literal_player(&players)?.min()?;
                (model::Result::Wins(player), condition?)
            }
            OutcomeKind::Highest(values, condition) => {
                let values: Vec<_> = values.iter().map(|value| self.rank_value(value)).collect();
                let condition = self.truth(condition);
                (model::Result::Highest(values.into_iter().collect::<Option<_>>()?), condition?)
            }
        })
    }

    fn rank_value(&mut self, e: &ast::Expr) -> Option<Expr> {
        let term = self.term(e)?;
        self.expect_list(term, e.span).map(Expr::List)
    }

    /// Other texts for moves. Those with mistakes are left out.
    fn aliases(&mut self) -> Vec<Alias<Cells>> {
        let Some((_, section)) = self.layers.top(Whole::Notation) else { return Vec::new() };
        let SectionKind::Notation(aliases) = &section.node else { return Vec::new() };
        let aliases = aliases.iter().filter_map(|alias| self.alias(alias)).collect();
        self.expect_words_in("notation");
        aliases
    }

    fn alias(&mut self, alias: &'a ast::Alias) -> Option<Alias<Cells>> {
        let (made, frame) = self.in_frame(Reach::Game, |checker| {
            let text = match &alias.text {
                ast::AliasText::Fixed(text) => Some(AliasText::Fixed(text.node.clone())),
                ast::AliasText::Cells(cells) => checker.each_cells(cells).map(AliasText::Cells),
            };
            let cells = checker.each_cells(&alias.cells);
            Some((text?, cells?))
        });
        let (text, cells) = made?;
        Some(Alias { text, cells, frame })
    }

    fn each_cells(&mut self, sets: &'a [ast::Expr]) -> Option<Vec<Cells>> {
        let sets: Vec<_> = sets.iter().map(|set| self.cells(set)).collect();
        sets.into_iter().collect()
    }

    fn about(&self) -> Vec<(String, String)> {
        let Some((_, section)) = self.layers.top(Whole::About) else { return Vec::new() };
        let SectionKind::About(entries) = &section.node else { return Vec::new() };
        let text = |value: &AboutValue| match value {
            AboutValue::Text(text) => text.node.clone(),
            AboutValue::Number(number) => number.node.to_string(),
        };
        entries.iter().map(|(key, value)| (key.node.clone(), text(value))).collect()
    }

    /// Parts of the uppermost text that no program has.
    fn parts_that_replace_nothing(&mut self, top: usize) {
        for part in self.layers.top_parts(top) {
            if !self.parts_seen.contains(&part.name.node) {
                let name = part.name.node.clone();
                let near = crate::syntax::near(&name, self.parts_seen.iter().map(String::as_str));
                self.problem(Kind::NoSuchPart { name, near }, part.name.span);
            }
        }
    }

    /// Declarations that nothing used are checked all the same, as far as they can be without
    /// knowing what they are given.
    fn unasked(&mut self) {
        for declared in self.declarations(Keyword::Pattern) {
            if let SectionKind::Pattern(pattern) = &declared.section.node {
                self.check_sign(pattern);
            }
        }
        let unused: Vec<Declared<'a>> = self
            .layers
            .names
            .values()
            .filter(|declared| !self.usage.used.contains(&declared.name.span))
            .copied()
            .collect();
        for declared in unused {
            if self.problems.is_full("too-deep") {
                break;
            }
            match &declared.section.node {
                SectionKind::Define(define) if define.parameters.is_empty() => {
                    self.call_define(declared, &[], declared.name.span);
                }
                SectionKind::Pattern(pattern) => self.pattern_declaration(declared, pattern),
                SectionKind::Action(action) if action.parameters.is_empty() => {
                    let part = Part { whole: Whole::Move, layer: declared.layer, action: true, replaced: 0 };
                    self.in_frame(reach_of(declared), |checker| checker.program(&action.body, part));
                }
                _ => {}
            }
        }
    }
}

fn first_letter(name: &str) -> char {
    name.chars().next().map_or('?', |c| c.to_ascii_uppercase())
}

/// Stands for a define that was made on another board and is called by nothing.
fn no_define() -> model::Define {
    model::Define {
        name: String::new(),
        parameters: 0,
        frame: 0,
        nest: 0,
        body: Expr::Truth(Truth::Fixed(false)),
        span: Span::default(),
    }
}
