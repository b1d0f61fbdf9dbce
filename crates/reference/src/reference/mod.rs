//! Reference executor: a game and a position go in; its legal moves, played moves and outcomes come
//! out. It follows the model statement by statement: it is the definition of what the language
//! means, and is written to be read beside `docs/language.md`.
//!
//! Moves come in a fixed order: that of the runs of the program, depth first, options in the order
//! of the language (board order, clockwise, alternatives as written, stopping before going on). No
//! move comes twice; of runs that are one move the first is kept.

mod action;
mod alias;
mod end;
mod lead;
mod observe;
mod pattern;
mod perft;
mod playout;
mod region;
mod run;
mod search;
mod set;
mod setup;
mod statement;
mod stop;
mod value;
mod visited;
mod ways;

use smallvec::SmallVec;

use crate::board::{Cell, CellSet, Player};
use crate::model::{BranchId, Game, Program};
use crate::position::{Fault, FaultKind, Mark, Position, Probability, Step, Written};
use crate::source::Span;

use crate::reference::end::Judging;
use crate::reference::run::{Goal, Keep, Run};

pub use crate::reference::observe::{Event, Joint, Observer, OpenFirst, Ranked, RunView, Valued};
pub use crate::reference::perft::{PerftOptions, Unit};
pub use crate::reference::playout::{Limits, Playout, draw_by, draw_ply};
pub use crate::reference::stop::{Cause, Stop};

/// A legal move: a ply, or a whole turn.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The written choices, in order.
    pub written: Vec<Written>,
    pub ends_turn: bool,
    /// What its moves catch.
    pub caught: CellSet,
    /// Of the position after it.
    pub fingerprint: u128,
    /// Who chooses after it; `None` is chance.
    pub next: Option<Player>,
    /// Of what chance chooses: how likely it is. `None`: a player's ply.
    pub probability: Option<Probability>,
    /// It is a player's: chance is none, and behind what chance has chosen there may be nothing to choose.
    pub is_chosen: bool,
    /// The number of the option taken at each choice since the turn's start; only of plies that end
    /// the turn, or before or behind which chance chooses.
    path: Option<Box<[u32]>>,
}

/// How the choices of a set-up are made.
pub enum Setup<'a> {
    /// Each uniformly among its options.
    Random(&'a mut dyn rand::Rng),
    /// By the index of each among its options, the first turning fastest.
    Number(u64),
}

/// Why there is no first position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The set-up has no complete run, or none with this number.
    #[error("the set-up cannot be completed")]
    Dies,
    /// `count` is how many there are, counted along the run of this number.
    #[error("there is no set-up {number}: they are numbered from 0 to {}", count.saturating_sub(1))]
    OutOfRange { number: u64, count: u64 },
}

impl SetupError {
    /// A stable name.
    pub fn code(&self) -> &'static str {
        match self {
            SetupError::Fault(fault) => fault.code(),
            SetupError::Dies => "setup-dies",
            SetupError::OutOfRange { .. } => "setup-number",
        }
    }

    /// How to mend it.
    pub fn help(&self) -> &'static str {
        match self {
            SetupError::Fault(fault) => fault.help(),
            SetupError::Dies => {
                "no way through `setup` meets all its conditions: look at what its `pick` and `need` ask"
            }
            SetupError::OutOfRange { .. } => "choose a lesser number, or leave out `--setup`: then the seed draws one",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The ply was not listed for this position, or the game is over.
    #[error("this is not a move of the position")]
    NotAMove,
}

/// Scratch for running games; one serves any number of games and positions, one at a time.
#[derive(Debug, Default)]
pub struct Executor {
    run: Run,
    spare: Vec<Run>,
    depths: Vec<u16>,
    stuck: SmallVec<[(Player, bool); 4]>,
    coverage: Option<Vec<u64>>,
}

/// A game, a position and the scratch, for one question.
struct Machine<'g, 's> {
    game: &'g Game,
    position: &'s mut Position,
    run: &'s mut Run,
    spare: &'s mut Vec<Run>,
    /// How often each define is being evaluated.
    depths: &'s mut Vec<u16>,
    /// Who is known to be stuck, or not.
    stuck: &'s mut SmallVec<[(Player, bool); 4]>,
    coverage: Option<&'s mut Vec<u64>>,
    rng: Option<&'s mut dyn rand::Rng>,
    /// Who is told of what happens in runs.
    observer: Option<&'s mut dyn Observer>,
    worked: u64,
    /// How deep the defines that are being evaluated go, each with all that it calls.
    nested: usize,
    /// How many turns are supposed to have ended, one within the other.
    supposed: usize,
    /// Where the run is, for faults that have no better place.
    place: Span,
}

/// The program of the position's turn.
fn program(game: &Game, position: &Position) -> Program {
    let opening = position.opening().and_then(|played| game.opening.get(played as usize));
    *opening.unwrap_or(&game.turn)
}

impl<'g> Machine<'g, '_> {
    fn cover(&mut self, branch: BranchId) {
        if self.run.goal == Goal::Replay
            && let Some(coverage) = &mut self.coverage
            && let Some(count) = coverage.get_mut(branch.0 as usize)
        {
            *count += 1;
        }
    }

    /// Explores the runs of the position's turn, and takes back what they did.
    fn explore_position(&mut self, goal: Goal, keep: Keep) -> Result<bool, Fault> {
        self.run.keep = keep;
        let mark = self.position.mark();
        let result = self.explore(program(self.game, self.position), self.position.to_move(), goal, 0);
        self.position.undo_to(mark);
        result
    }

    /// Nothing was listed: there must be a reason.
    fn expect_an_end(&mut self) -> Result<(), Fault> {
        match self.position.begun().last() {
            None => self.expect_outcome(),
            Some(step) if step.is_by_chance() => Err(self.nothing_behind_chance()),
            Some(_) => Ok(()),
        }
    }

    /// Chance has chosen, and no run goes on from there.
    fn nothing_behind_chance(&self) -> Fault {
        Fault::new(FaultKind::Chance(self.run.chance_at), self.place_of_author())
    }

    /// Plays the run of a path to the end of the turn. After an error the caller undoes.
    fn play_turn(&mut self, path: &[u32], judging: Judging) -> Result<(), PlayError> {
        self.run.replay.clear();
        self.run.replay.extend_from_slice(path);
        let opening = self.position.opening().is_some();
        let completed = self.explore(program(self.game, self.position), self.position.to_move(), Goal::Replay, 0)?;
        if !completed {
            return Err(PlayError::NotAMove);
        }
        self.pass_turn();
        self.position.note();
        if !opening {
            self.judge(judging)?;
        }
        Ok(())
    }
}

impl Executor {
    pub fn new() -> Executor {
        Executor::default()
    }

    fn machine<'g, 's>(&'s mut self, game: &'g Game, position: &'s mut Position) -> Machine<'g, 's> {
        self.depths.clear();
        self.depths.resize(game.defines.len(), 0);
        self.stuck.clear();
        Machine {
            game,
            position,
            run: &mut self.run,
            spare: &mut self.spare,
            depths: &mut self.depths,
            stuck: &mut self.stuck,
            coverage: self.coverage.as_mut(),
            rng: None,
            observer: None,
            worked: 0,
            nested: 0,
            supposed: 0,
            place: Span::NOWHERE,
        }
    }

    /// The legal plies of a position, also of one in the middle of a turn; none if the game is
    /// over. In games whose turns do not fall into plies they are the turns.
    pub fn plies(&mut self, game: &Game, position: &mut Position) -> Result<Vec<Ply>, Fault> {
        let goal = if game.asks.plies { Goal::Plies } else { Goal::Turns };
        self.listed(game, position, goal)
    }

    /// The legal turns of a position at the beginning of a turn (of one in the middle: of the
    /// turn's start).
    pub fn turns(&mut self, game: &Game, position: &mut Position) -> Result<Vec<Ply>, Fault> {
        self.listed(game, position, Goal::Turns)
    }

    fn listed(&mut self, game: &Game, position: &mut Position, goal: Goal) -> Result<Vec<Ply>, Fault> {
        if position.is_over() {
            return Ok(Vec::new());
        }
        let mut machine = self.machine(game, position);
        machine.explore_position(goal, Keep::Plies)?;
        if machine.run.found.is_empty() {
            machine.expect_an_end()?;
        }
        Ok(machine.run.found.drain(..).map(|found| found.ply).collect())
    }

    /// How many turns there are; the same as the length of [`Executor::turns`], with less work.
    pub fn count_turns(&mut self, game: &Game, position: &mut Position) -> Result<u64, Fault> {
        self.counted(game, position, Goal::Turns, Keep::Count)
    }

    fn counted(&mut self, game: &Game, position: &mut Position, goal: Goal, keep: Keep) -> Result<u64, Fault> {
        if position.is_over() {
            return Ok(0);
        }
        let mut machine = self.machine(game, position);
        machine.explore_position(goal, keep)?;
        if machine.run.count == 0 {
            machine.expect_an_end()?;
        }
        Ok(machine.run.count)
    }

    /// The player to move has a complete run. Asks nothing about outcomes.
    pub fn has_turn(&mut self, game: &Game, position: &mut Position) -> Result<bool, Fault> {
        self.machine(game, position).explore_position(Goal::Exists, Keep::Count)
    }

    /// The next choice is made by chance.
    pub fn is_chance_next(&mut self, game: &Game, position: &mut Position) -> Result<bool, Fault> {
        if !game.asks.chance || position.is_over() {
            return Ok(false);
        }
        if let Some(step) = position.begun().last() {
            return Ok(step.next.is_none());
        }
        let mut machine = self.machine(game, position);
        Ok(machine.explore_position(Goal::Exists, Keep::Count)? && machine.run.chance_first)
    }

    /// Plays a ply that was listed for this very position; the mark before it takes it back with
    /// [`Position::undo_to`]. A failed play leaves the position as it was. A ply of another
    /// position is found out only if the program ends without completing on it.
    pub fn play(&mut self, game: &Game, position: &mut Position, ply: &Ply) -> Result<Mark, PlayError> {
        self.play_judging(game, position, ply, Judging { history: true, draws: true })
    }

    /// Goes along the run of a ply that was listed for this very position, and tells an observer of
    /// it. If the ply ends the turn, it is played; otherwise the run goes on to some end of the turn,
    /// or to where chance chooses.
    ///
    /// # Errors
    /// As [`Executor::play`]; then the position is as before.
    pub fn observe_ply(
        &mut self,
        game: &Game,
        position: &mut Position,
        ply: &Ply,
        observer: &mut dyn Observer,
    ) -> Result<(), PlayError> {
        if position.is_over() {
            return Err(PlayError::NotAMove);
        }
        let mark = position.mark();
        let path = match &ply.path {
            Some(path) => path.clone(),
            None => self.turn_through(game, position, ply)?.ok_or(PlayError::NotAMove)?,
        };
        let mut machine = self.machine(game, position);
        machine.observer = Some(observer);
        let played = machine.play_turn(&path, Judging { history: true, draws: true });
        if played.is_err() || !ply.ends_turn {
            position.undo_to(mark);
        }
        match played {
            // Chance chooses next: the run has gone as far as it can.
            Err(PlayError::NotAMove) if !ply.ends_turn => Ok(()),
            played => played,
        }
    }

    /// The path of a turn that goes on from the plies begun with this one.
    fn turn_through(&mut self, game: &Game, position: &Position, ply: &Ply) -> Result<Option<Box<[u32]>>, Fault> {
        let begun = position.begun().iter().flat_map(|step| &step.written).chain(&ply.written);
        let begun: Vec<&Written> = begun.filter(|choice| **choice != Written::Stop).collect();
        let turns = self.turns(game, &mut position.clone())?;
        let goes_on =
            |turn: &Ply| turn.written.len() >= begun.len() && begun.iter().zip(&turn.written).all(|(a, b)| *a == b);
        Ok(turns.into_iter().find(goes_on).and_then(|turn| turn.path))
    }

    /// Tells an observer of every run of the position's turn, also of those that a `first` or a `most`
    /// forbids. The position is as before.
    ///
    /// # Errors
    /// A fault of the rules, or too much work; what was told until then holds.
    pub fn observe_runs(
        &mut self,
        game: &Game,
        position: &mut Position,
        observer: &mut dyn Observer,
    ) -> Result<(), Fault> {
        if position.is_over() {
            return Ok(());
        }
        let mark = position.mark();
        let mut machine = self.machine(game, position);
        machine.observer = Some(observer);
        let explored = machine.explore_position(Goal::Every, Keep::Count);
        position.undo_to(mark);
        explored.map(|_| ())
    }

    fn play_judging(
        &mut self,
        game: &Game,
        position: &mut Position,
        ply: &Ply,
        judging: Judging,
    ) -> Result<Mark, PlayError> {
        if position.is_over() {
            return Err(PlayError::NotAMove);
        }
        let mark = position.mark();
        if !ply.ends_turn {
            let (written, path) = (ply.written.clone(), ply.path.clone());
            position.step(Step { written, fingerprint: ply.fingerprint, next: ply.next, path });
            return Ok(mark);
        }
        let path = ply.path.as_deref().unwrap_or_default();
        let played = self.machine(game, position).play_turn(path, judging);
        if let Err(error) = played {
            position.undo_to(mark);
            return Err(error);
        }
        Ok(mark)
    }

    /// How the game came out, if it is over. A position without outcome whose player to move has no
    /// complete run is a fault.
    pub fn outcome(&mut self, game: &Game, position: &mut Position) -> Result<Option<crate::position::Outcome>, Fault> {
        if position.outcome().is_none() && position.begun().is_empty() && !self.has_turn(game, position)? {
            self.machine(game, position).expect_outcome()?;
        }
        Ok(position.outcome())
    }

    /// Asks `end` of a position that was read and whose last turn is not known, as if the player of
    /// the seat before had just moved. The position in which play begins is not asked, nor one
    /// within an opening or a turn.
    pub fn judge_read(&mut self, game: &Game, position: &mut Position) {
        if position.opening().is_some() || !position.begun().is_empty() || self.is_start(game, position) {
            return;
        }
        self.machine(game, position).judge_read(Judging { history: true, draws: true });
    }

    /// Whether play begins with this position, where that is not drawn by chance.
    fn is_start(&mut self, game: &Game, position: &Position) -> bool {
        game.has_one_setup()
            && self
                .start(game, Setup::Number(0))
                .is_ok_and(|start| start.opening().is_none() && start.fingerprint() == position.fingerprint())
    }

    /// Where the man on top of a cell can go by the ways of his kind, and what he can catch so.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn ways_from(&mut self, game: &Game, position: &mut Position, cell: Cell) -> Result<(CellSet, CellSet), Fault> {
        let mut machine = self.machine(game, position);
        let men = CellSet::one(cell);
        Ok((machine.reach_of_men(&men)?, machine.catches_of_men(&men)?))
    }

    /// From now on counts, for each branch of the game, how often a played turn has passed it.
    pub fn record_coverage(&mut self, game: &Game) {
        self.coverage = Some(vec![0; game.branches.len()]);
    }

    /// The counts since [`Executor::record_coverage`], by branch.
    pub fn coverage(&self) -> Option<&[u64]> {
        self.coverage.as_deref()
    }
}
