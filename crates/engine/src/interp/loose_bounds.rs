//! Loose bounds: an engine and a position that play begins with go in; where many ranks are drawn in vain, the engine comes out
//! without these bounds.
//!
//! A turn is drawn by its rank below a bound of how many there are, and a rank that no turn has is drawn again. Where the bound
//! is far above that number, it takes less to go through all turns. How often ranks are drawn in vain shows in play alone. So
//! some turns are played with a seed of their own: by the same rules the same bounds are dropped, whoever plays and wherever.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use crate::interp::engine::Engine;
use crate::interp::session::{DrawCost, ProgramId, Session};
use crate::interp::state::session::ScalarSession;
use crate::interp::tuning::{
    MAX_RANKS_TO_MEASURE, MAX_WORK_TO_MEASURE, MIN_RANKS_OF_LOOSE_BOUND, TURNS_MEASURED, TURNS_MEASURED_FIRST,
};
use crate::plan::{Block, CountBound, Node, Plan, Unplanned};
use crate::position::Position;

impl ProgramId {
    fn block(self, plan: &mut Plan) -> Option<&mut Block> {
        match self {
            ProgramId::Turn(seat) => plan.seats.get_mut(seat).map(|seat| &mut seat.turn),
            ProgramId::Opening(seat, at) => plan.seats.get_mut(seat)?.opening.get_mut(at),
            ProgramId::Continuation(seat, at) => {
                plan.seats.get_mut(seat)?.continuations.get_mut(at).map(|continuation| &mut continuation.block)
            }
        }
    }
}

impl Engine {
    /// The engine with all turns gone through where it is faster so, if there are any such choices.
    ///
    /// # Errors
    /// What keeps the changed plan from being code.
    pub fn without_loose_bounds(&self, start: &Position) -> Result<Option<Engine>, Unplanned> {
        let loose = self.loose_bounds(start);
        if loose.is_empty() {
            return Ok(None);
        }
        let mut plan = self.plan().clone();
        for program in loose {
            program.block(&mut plan).into_iter().for_each(drop_bounds);
        }
        self.replanned(plan).map(Some)
    }

    /// Programs whose first choices have bounds that are mostly missed.
    fn loose_bounds(&self, start: &Position) -> Vec<ProgramId> {
        if !self.may_have_loose_bounds() {
            return Vec::new();
        }
        let (mut session, mut rng) = (self.runner(), Xoshiro256PlusPlus::seed_from_u64(0));
        if !session.load(start) {
            return Vec::new();
        }
        let mut costs = session.draw_costs(&mut rng, TURNS_MEASURED_FIRST, MAX_WORK_TO_MEASURE);
        if !costs.is_empty() {
            costs.extend(session.draw_costs(&mut rng, TURNS_MEASURED, MAX_WORK_TO_MEASURE));
        }
        let mut all: FxHashMap<ProgramId, (u64, u64, u64)> = FxHashMap::default();
        for cost in costs {
            let (draws, ranks, runs) = all.entry(cost.program).or_default();
            (*draws, *ranks, *runs) = (*draws + 1, *ranks + cost.ranks, runs.saturating_add(cost.runs));
        }
        let is_loose = |(draws, ranks, runs): (u64, u64, u64)| {
            ranks > MIN_RANKS_OF_LOOSE_BOUND * draws && ranks > runs.saturating_mul(2)
        };
        all.into_iter().filter(|(_, cost)| is_loose(*cost)).map(|(program, _)| program).collect()
    }
}

impl<const W: usize> ScalarSession<W> {
    /// Plays turns by their ranks, so many or until they take so much work or so many ranks; what each draw took.
    pub fn measured_draws(&mut self, rng: &mut Xoshiro256PlusPlus, turns: u32, most_work: u64) -> Vec<DrawCost> {
        self.vm.sampler.measured = Some(Vec::new());
        let mut work = 0;
        for _ in 0..turns {
            if self.outcome().is_some() {
                self.restart();
            }
            let stepped = self.step(rng);
            work += self.vm.turn.work;
            let measured = self.vm.sampler.measured.as_deref().unwrap_or_default();
            let ranks: u64 = measured.iter().map(|(_, ranks, _)| ranks).sum();
            if stepped.is_err() || work > most_work || ranks > MAX_RANKS_TO_MEASURE {
                break;
            }
        }
        let measured = self.vm.sampler.measured.take().unwrap_or_default();
        let entries = &self.program.code.entries;
        let program = |entry: u32| {
            let place = |all: &[u32]| all.iter().position(|of| *of == entry);
            entries.iter().enumerate().find_map(|(seat, of)| {
                let opening = || place(&of.opening).map(|at| ProgramId::Opening(seat, at));
                let continuation = || place(&of.continuations).map(|at| ProgramId::Continuation(seat, at));
                (of.turn == entry).then_some(ProgramId::Turn(seat)).or_else(opening).or_else(continuation)
            })
        };
        let cost = |(entry, ranks, runs)| Some(DrawCost { program: program(entry)?, ranks, runs });
        measured.into_iter().filter_map(cost).collect()
    }
}

/// The first choices of a block are without bounds.
fn drop_bounds(block: &mut Block) {
    for node in block {
        if let Node::Choose(arms) = node {
            arms.iter_mut().for_each(|arm| arm.bound = CountBound::unknown());
            return;
        }
        node.blocks_mut().into_iter().for_each(drop_bounds);
    }
}
