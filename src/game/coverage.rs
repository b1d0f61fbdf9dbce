//! Coverage: a game goes in; random games and its examples are played, and how often they came
//! through each rule comes out.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::game::moves::Made;
use crate::game::wording::rule_text;
use crate::game::{Error, Game, Move, Position};
use crate::model;
use crate::model::{BlockId, BranchKind, Claim, StatementId};
use crate::reference::{Event, Executor, Observer, PlayError, Ply, RunView, Setup, draw_ply};
use crate::sort;
use crate::source::{SourceId, Span};

/// What is played to see which rules are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// The number of the first random game, which decides how it goes: many machines play some each.
    pub first: u64,
    /// Random games.
    pub games: u64,
    pub seed: u64,
    /// Turns after which a game is given up.
    pub max_turns: u32,
    /// The moves that the examples of the rules play, and those that they claim to be legal.
    pub examples: bool,
}

impl Default for Exercise {
    fn default() -> Exercise {
        Exercise { first: 0, games: 100, seed: 0, max_turns: 1000, examples: false }
    }
}

/// How often rules were used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The games and variants that were played.
    pub played: Vec<String>,
    pub games: u64,
    pub examples: u64,
    pub turns: u64,
    pub files: Vec<CoveredFile>,
}

/// A rules file, and its rules in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredFile {
    pub name: String,
    #[serde(skip)]
    pub text: String,
    pub rules: Vec<CoveredRule>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoveredRule {
    pub kind: RuleKind,
    /// From 1, as the column.
    pub line: usize,
    pub column: usize,
    /// How it begins.
    pub rule: String,
    /// Turns that came through it; of an outcome, games that ended by it.
    pub count: u64,
    /// Where it begins and ends in the text.
    #[serde(skip)]
    pub bytes: (u32, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    Statement,
    /// A block of `either`, `first` or `if`.
    Alternative,
    /// A way of a piece, or a path of a pattern by which men move.
    Way,
    Outcome,
}

impl RuleKind {
    /// What people call it.
    pub fn word(self) -> &'static str {
        match self {
            RuleKind::Statement => "statement",
            RuleKind::Alternative => "alternative",
            RuleKind::Way => "way",
            RuleKind::Outcome => "outcome",
        }
    }
}

impl Coverage {
    /// Adds what other games have shown: of a file that both know, rule by rule.
    pub fn add(&mut self, other: Coverage) {
        self.played.extend(other.played.iter().cloned());
        self.include(other);
    }

    /// Adds what further games of the same games and variants have shown.
    pub fn include(&mut self, other: Coverage) {
        // Counts that were read from a file may be any numbers.
        self.games = self.games.saturating_add(other.games);
        self.examples = self.examples.saturating_add(other.examples);
        self.turns = self.turns.saturating_add(other.turns);
        for file in other.files {
            let known = self.files.iter_mut().find(|known| known.name == file.name && known.text == file.text);
            match known {
                Some(known) => known.add(file.rules),
                None => self.files.push(file),
            }
        }
    }

    /// The rules that nothing has used, each with its file.
    pub fn unused(&self) -> impl Iterator<Item = (&CoveredFile, &CoveredRule)> {
        let rules = self.files.iter().flat_map(|file| file.rules.iter().map(move |rule| (file, rule)));
        rules.filter(|(_, rule)| rule.count == 0)
    }
}

impl CoveredFile {
    /// The rules that nothing has used, without those that are parts of another one of them.
    pub fn unused(&self) -> Vec<&CoveredRule> {
        let mut unused: Vec<&CoveredRule> = Vec::new();
        let never = || self.rules.iter().filter(|rule| rule.count == 0);
        for rule in never() {
            let (begin, end) = rule.bytes;
            let holds = |other: &CoveredRule| {
                let is_wider = other.bytes != rule.bytes || other.kind > rule.kind;
                is_wider && other.bytes.0 <= begin && end <= other.bytes.1
            };
            if !never().any(holds) {
                unused.push(rule);
            }
        }
        unused
    }

    fn add(&mut self, rules: Vec<CoveredRule>) {
        for rule in rules {
            let is_it = |known: &&mut CoveredRule| {
                // Of two rules that begin at one place, one holds the other.
                (known.bytes, known.kind) == (rule.bytes, rule.kind)
            };
            match self.rules.iter_mut().find(is_it) {
                Some(known) => known.count = known.count.saturating_add(rule.count),
                None => self.rules.push(rule),
            }
        }
        sort::by_key(&mut self.rules, |rule| (rule.bytes, rule.kind));
    }

    /// Of each line with rules that begin on it: how often the most used of them was used, and whether
    /// one of them never was.
    pub fn lines(&self) -> BTreeMap<usize, (u64, bool)> {
        let mut lines = BTreeMap::new();
        for rule in &self.rules {
            let line: &mut (u64, bool) = lines.entry(rule.line).or_default();
            line.0 = line.0.max(rule.count);
            line.1 |= rule.count == 0;
        }
        lines
    }
}

/// Counts statements of turns that are played.
struct Counter {
    /// By block and place in it.
    counts: Vec<Vec<u64>>,
}

impl Observer for Counter {
    fn observe(&mut self, event: Event, _: &mut dyn RunView) {
        if let Event::Statement(StatementId { block, at }) = event
            && let Some(count) = self.counts.get_mut(block.0 as usize).and_then(|block| block.get_mut(at as usize))
        {
            *count += 1;
        }
    }
}

/// Random games that are played and counted, as many turns at a time as one likes.
///
/// ```
/// use lusoria::{CoverageRun, Exercise, Game};
/// let game = Game::shipped("breakthrough:5x5").expect("it is shipped");
/// let mut run = CoverageRun::new(&game, Exercise::default(), None);
/// while run.games() < 3 {
///     run.play(10)?;
/// }
/// assert_eq!(run.coverage().games, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CoverageRun {
    game: Game,
    /// The same rules with notes, if they could be read again.
    model: Arc<model::Game>,
    exercise: Exercise,
    setup: Option<u64>,
    executor: Executor,
    counter: Counter,
    turns: u64,
    games: u64,
    examples: u64,
    running: Option<Running>,
}

/// A game that has not ended.
struct Running {
    state: crate::position::Position,
    rng: Xoshiro256PlusPlus,
}

impl Game {
    /// Plays random games and examples, and counts how often turns came through each rule, by the
    /// reference executor: plans do not tell which rules they follow. The same exercise gives the same
    /// counts. Set-ups are not counted, nor defines, and of a game whose texts cannot be read again no
    /// statements are.
    ///
    /// ```
    /// use lusoria::Exercise;
    /// let game = lusoria::Game::shipped("breakthrough:5x5").expect("it is shipped");
    /// let coverage = game.coverage(&Exercise { games: 3, ..Exercise::default() })?;
    /// let never: Vec<&str> = coverage.unused().map(|(_, rule)| rule.rule.as_str()).collect();
    /// assert_eq!(never, ["win if no enemy"]);
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// A set-up that cannot be completed, a fault of the rules, an example whose moves cannot be played.
    pub fn coverage(&self, exercise: &Exercise) -> Result<Coverage, Error> {
        let mut run = CoverageRun::new(self, *exercise, None);
        while run.games < exercise.games {
            run.play(u32::MAX)?;
        }
        if exercise.examples {
            run.follow_examples()?;
        }
        Ok(run.coverage())
    }
}

impl std::fmt::Debug for CoverageRun {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("CoverageRun").field("game", &self.game).field("games", &self.games).finish_non_exhaustive()
    }
}

impl CoverageRun {
    /// Nothing is played yet. The games of the exercise are played one after the other, as long as they
    /// are asked for: how many it names does not matter. All begin with the set-up of a number, if
    /// there is one.
    pub fn new(game: &Game, exercise: Exercise, setup: Option<u64>) -> CoverageRun {
        let model = game.shared.noted().unwrap_or(&game.shared.model).clone();
        let mut executor = Executor::new();
        executor.record_coverage(&model);
        let counts = model.blocks.iter().map(|block| vec![0; block.len()]).collect();
        CoverageRun {
            game: game.clone(),
            model,
            exercise,
            setup,
            executor,
            counter: Counter { counts },
            turns: 0,
            games: 0,
            examples: 0,
            running: None,
        }
    }

    /// Random games that have ended.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How often rules were used so far.
    pub fn coverage(&self) -> Coverage {
        let played = vec![self.game.name().to_string()];
        let files = self.files();
        Coverage { played, games: self.games, examples: self.examples, turns: self.turns, files }
    }

    /// Goes on with the game that has not ended, or begins the next one, for so many plies or until it ends.
    ///
    /// # Errors
    /// A set-up that cannot be completed, a fault of the rules.
    pub fn play(&mut self, plies: u32) -> Result<(), Error> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.begin()?,
        };
        for _ in 0..plies {
            if !self.play_one(&mut running)? {
                self.games += 1;
                return Ok(());
            }
        }
        self.running = Some(running);
        Ok(())
    }

    fn begin(&mut self) -> Result<Running, Error> {
        // Each game has numbers of its own.
        let number = self.exercise.first.wrapping_add(self.games);
        let seed = self.exercise.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let setup = self.setup.map_or(Setup::Random(&mut rng), Setup::Number);
        match self.executor.start(&self.model, setup) {
            Ok(state) => Ok(Running { state, rng }),
            Err(crate::reference::SetupError::Fault(fault)) => Err(self.game.fault(fault, String::from("none"))),
            Err(error) => Err(Error::Setup(error)),
        }
    }

    /// Plays a ply; whether the game goes on.
    fn play_one(&mut self, running: &mut Running) -> Result<bool, Error> {
        let Running { state, rng } = running;
        if state.is_over() || state.turns() >= self.exercise.max_turns {
            return Ok(false);
        }
        let before = state.clone();
        let told = |run: &Self, fault| run.game.fault(fault, crate::notation::position_text(&run.model, &before));
        let plies = self.executor.plies(&self.model, state).map_err(|fault| told(self, fault))?;
        if plies.is_empty() {
            return Ok(false);
        }
        let ply = &plies[draw_ply(&plies, rng)];
        match self.play_ply(state, ply) {
            Ok(()) => {}
            Err(PlayError::NotAMove) => return Ok(false),
            Err(PlayError::Fault(fault)) => return Err(told(self, fault)),
        }
        state.forget();
        Ok(true)
    }

    /// Plays a ply; the statements of a turn are counted when it ends.
    fn play_ply(&mut self, state: &mut crate::position::Position, ply: &Ply) -> Result<(), PlayError> {
        if !ply.ends_turn {
            return self.executor.play(&self.model, state, ply).map(|_| ());
        }
        self.turns += 1;
        self.executor.observe_ply(&self.model, state, ply, &mut self.counter)
    }

    /// Plays moves that somebody else chose, as far as they are found.
    pub fn replay<'t>(&mut self, start: &Position, moves: impl IntoIterator<Item = &'t str>) {
        let mut state = start.state().clone();
        for text in moves {
            let Ok(plies) = self.executor.plies(&self.model, &mut state) else { return };
            let texts = crate::notation::ply_texts(&self.model, &plies);
            let Some(found) = texts.iter().position(|one| one == text) else { return };
            if self.play_ply(&mut state, &plies[found]).is_err() {
                return;
            }
            state.forget();
        }
    }

    /// Plays what the examples play, and tries what they claim to be legal.
    ///
    /// # Errors
    /// An example whose moves cannot be played, a fault of the rules.
    pub fn follow_examples(&mut self) -> Result<(), Error> {
        let model = self.model.clone();
        for example in &model.examples {
            self.follow(example)?;
            self.examples += 1;
        }
        Ok(())
    }

    fn follow(&mut self, example: &model::Example) -> Result<(), Error> {
        let game = self.game.without_plan();
        let mut here = game.start(0)?;
        for (claim, _) in &example.claims {
            match claim {
                Claim::Position(text) => here = game.position(text)?,
                Claim::Play(moves) => {
                    for text in moves {
                        let made = here.find_move(text)?;
                        self.try_move(&here, &made)?;
                        here.play(&made)?;
                    }
                }
                Claim::Legal { moves, .. } => {
                    for text in moves {
                        let made = here.find_move(text)?;
                        self.try_move(&here, &made)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn try_move(&mut self, here: &Position, made: &Move) -> Result<(), Error> {
        let Made::Ply(ply) = &made.listing().by else { return Ok(()) };
        match self.play_ply(&mut here.state().clone(), ply) {
            Ok(()) | Err(PlayError::NotAMove) => Ok(()),
            Err(PlayError::Fault(fault)) => Err(self.game.fault(fault, here.to_string())),
        }
    }

    fn files(&self) -> Vec<CoveredFile> {
        let mut counts: BTreeMap<(Span, RuleKind), u64> = BTreeMap::new();
        for (kind, span, count) in self.statements().chain(self.branches()) {
            *counts.entry((span, kind)).or_default() += count;
        }
        let sources = &self.model.sources;
        let mut files: Vec<CoveredFile> = Vec::new();
        for id in (1..).map(SourceId) {
            let Some(source) = sources.get(id) else { break };
            let own = counts.iter().filter(|((span, _), _)| span.source == id);
            let rules = own.map(|((span, kind), count)| {
                let (line, column) = source.line_column(span.start);
                let rule = rule_text(&self.model, *span);
                CoveredRule { kind: *kind, line, column, rule, count: *count, bytes: (span.start, span.end) }
            });
            let rules: Vec<CoveredRule> = rules.collect();
            files.push(CoveredFile { name: source.name().to_string(), text: source.text().to_string(), rules });
        }
        files
    }

    /// The statements of turns with their counts; what expands to a block is counted there.
    fn statements(&self) -> impl Iterator<Item = (RuleKind, Span, u64)> {
        let in_turns = self.blocks_of_turns();
        let blocks = self.counter.counts.iter().enumerate();
        let blocks = blocks.filter(move |(block, _)| in_turns.get(*block).copied().unwrap_or(false));
        blocks.flat_map(move |(block, counts)| {
            let block = BlockId(block as u32);
            counts.iter().enumerate().filter_map(move |(at, count)| {
                let id = StatementId { block, at: at as u32 };
                let statement = self.model.block(block).get(at)?;
                if matches!(statement, model::Statement::Label(_)) {
                    return None;
                }
                let span = self.model.notes.as_ref()?.statement(id)?.span;
                Some((RuleKind::Statement, span, *count))
            })
        })
    }

    /// Outcomes, alternatives and ways.
    fn branches(&self) -> impl Iterator<Item = (RuleKind, Span, u64)> {
        let counts = self.executor.coverage().unwrap_or_default();
        self.model.branches.iter().zip(counts).map(|(branch, count)| {
            let kind = match branch.kind {
                BranchKind::Outcome => RuleKind::Outcome,
                BranchKind::Alternative => RuleKind::Alternative,
                BranchKind::Path => RuleKind::Way,
            };
            (kind, branch.span, *count)
        })
    }

    /// By block: whether it belongs to a turn, not to the set-up alone.
    fn blocks_of_turns(&self) -> Vec<bool> {
        let mut found = vec![false; self.model.blocks.len()];
        let mut waiting: Vec<BlockId> = self.model.opening.iter().map(|program| program.block).collect();
        waiting.push(self.model.turn.block);
        while let Some(block) = waiting.pop() {
            let Some(known) = found.get_mut(block.0 as usize) else { continue };
            if std::mem::replace(known, true) {
                continue;
            }
            for statement in self.model.block(block) {
                match statement {
                    model::Statement::Either { blocks, .. } | model::Statement::First { blocks, .. } => {
                        waiting.extend(blocks.iter().map(|(block, _)| *block));
                    }
                    model::Statement::Repeat { body, .. } | model::Statement::ForEach { body, .. } => {
                        waiting.push(*body)
                    }
                    model::Statement::If { then, otherwise, .. } => {
                        waiting.push(then.0);
                        waiting.extend(otherwise.iter().map(|(block, _)| *block));
                    }
                    model::Statement::Block(block) => waiting.push(*block),
                    _ => {}
                }
            }
        }
        found
    }
}
