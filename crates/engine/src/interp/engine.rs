//! Engine: a game goes in; its plan and programs come out, shared by threads, and sessions on them.

use std::sync::Arc;

use crate::board::Player;
use crate::interp::session::Session;
use crate::interp::state::program::Programs;
use crate::interp::state::session::ScalarSession;
use crate::interp::target;
use crate::interp::tuning::LEAST_LOOSE_BOUND;
use crate::model::Game;
use crate::plan;
use crate::plan::{ArmClass, Pass, PassSet, Plan, Unplanned};

const TOO_MANY_VALUES: Unplanned = Unplanned { why: "more values at a time than there are registers", span: None };

/// A game ready to be played by its plan. Shared by threads; each has a [`Session`] of its own.
#[derive(Clone)]
pub struct Engine {
    game: Arc<Game>,
    plan: Arc<Plan>,
    /// The linear code of all seats.
    code: Arc<plan::Code>,
    programs: AnyPrograms,
    passes: PassSet,
}

macro_rules! widths {
    ($($name:ident $width:literal),*) => {
        #[derive(Clone)]
        enum AnyPrograms { $($name(Arc<Programs<$width>>)),* }

        impl AnyPrograms {
            fn new(plan: &Arc<Plan>, code: &Arc<plan::Code>, from: (&Game, PassSet)) -> Option<AnyPrograms> {
                Some(match target::width(plan.bitboard.words)? {
                    $($width => AnyPrograms::$name(Arc::new(Programs::new(plan, code, from))),)*
                    // The grid has no other widths.
                    _ => AnyPrograms::W16(Arc::new(Programs::new(plan, code, from))),
                })
            }

            fn turns_ask_history(&self) -> bool {
                match self { $(AnyPrograms::$name(programs) => programs.optimized.asks_history,)* }
            }
        }

        impl Engine {
            /// What plays one game after the other.
            pub fn runner(&self) -> Box<dyn Session> {
                match &self.programs {
                    $(AnyPrograms::$name(programs) => Box::new(ScalarSession::new(&self.game, &self.plan, programs)),)*
                }
            }
        }
    };
}
#[cfg(not(test))]
widths!(W1 1, W2 2, W3 3, W4 4, W6 6, W16 16);
// Unit tests play no game, so that they need not wait for the code.
#[cfg(test)]
widths!(W16 16);

impl Engine {
    /// Plans a game.
    ///
    /// # Errors
    /// What has no plan.
    pub fn new(game: &Game) -> Result<Engine, Unplanned> {
        Engine::with(game, PassSet::ALL)
    }

    /// Plans a game with some passes left out.
    ///
    /// # Errors
    /// What has no plan.
    pub fn with(game: &Game, passes: PassSet) -> Result<Engine, Unplanned> {
        Engine::sharing(Arc::new(game.clone()), passes)
    }

    /// Plans a game that is shared, without a copy of it.
    ///
    /// # Errors
    /// What has no plan.
    pub fn sharing(game: Arc<Game>, passes: PassSet) -> Result<Engine, Unplanned> {
        stacker::maybe_grow(plan::PASS_STACK_BYTES / 2, plan::PASS_STACK_BYTES, || Engine::planned(game, passes))
    }

    fn planned(shared: Arc<Game>, passes: PassSet) -> Result<Engine, Unplanned> {
        let game = &*shared;
        let mut plan = plan::plan(game, passes)?;
        passes.apply(&mut plan);
        let mut linked = plan::linearize(&plan);
        if linked.is_err() && passes.has(Pass::Vectorize) {
            // Vector operations take more registers.
            plan = plan::plan(game, passes)?;
            passes.without(Pass::Vectorize).apply(&mut plan);
            linked = plan::linearize(&plan);
        }
        let linked = linked.map_err(|_| TOO_MANY_VALUES)?;
        Engine::of_code(shared, plan, linked, passes)
    }

    fn of_code(game: Arc<Game>, plan: Plan, code: plan::Code, passes: PassSet) -> Result<Engine, Unplanned> {
        let (plan, code) = (Arc::new(plan), Arc::new(code));
        let no_code =
            Unplanned { why: "sets of cells, for which this build has no code on this processor", span: None };
        let programs = AnyPrograms::new(&plan, &code, (&game, passes)).ok_or(no_code)?;
        Ok(Engine { game, plan, code, programs, passes })
    }

    /// The same game by a plan that was changed.
    ///
    /// # Errors
    /// More values at a time than there are registers.
    pub fn replanned(&self, plan: Plan) -> Result<Engine, Unplanned> {
        stacker::maybe_grow(plan::PASS_STACK_BYTES / 2, plan::PASS_STACK_BYTES, || {
            let code = plan::linearize(&plan).map_err(|_| TOO_MANY_VALUES)?;
            Engine::of_code(self.game.clone(), plan, code, self.passes)
        })
    }

    /// Some bound is so high that most ranks below it may be in vain.
    pub fn may_have_loose_bounds(&self) -> bool {
        let is_high = |class: &ArmClass| !class.unbounded && class.most().is_none_or(|most| most >= LEAST_LOOSE_BOUND);
        self.code.points.iter().any(|point| !point.infallible && point.classes.iter().any(is_high))
    }

    /// Turns are drawn by their rank, as bounds tell how many there are at most.
    pub fn draws_by_rank(&self) -> bool {
        self.code.points.iter().any(|point| !point.infallible && point.classes.iter().any(|class| !class.unbounded))
    }

    /// Chance chooses within turns, or they fall into plies: they are played in continuations.
    pub fn has_continuations(&self) -> bool {
        self.plan.carry.is_some()
    }

    /// Plies can be listed, and played one by one: it is known who chooses each. Of games that chance plays in, only where
    /// nothing else cuts turns into plies.
    pub fn lists_plies(&self) -> bool {
        let asks = &self.game.asks;
        if asks.chance { !asks.plies } else { self.plan.tells_choosers() }
    }

    /// Sequences of turns can be counted. Options of chance are no turns.
    pub fn has_perft(&self) -> bool {
        !self.has_continuations() || !self.game.asks.chance
    }

    /// Turns ask which positions came before, so they cannot be counted from a position alone.
    pub fn turns_ask_history(&self) -> bool {
        self.programs.turns_ask_history()
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn code(&self) -> &plan::Code {
        &self.code
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The programs of a seat as text, and how each choice is drawn.
    pub fn page(&self, player: Player) -> String {
        let linked = plan::linearize(&self.plan);
        linked.map_or_else(|_| String::new(), |linked| plan::print(&self.game, &self.plan, &linked, player))
    }
}
