//! Stepped play: a context of games goes in, with the cell that is chosen in each; they come out one turn later, with the
//! cells that can be chosen then.
//!
//! All lanes play one turn together, as in playouts. What a lane draws is decided beforehand: it gets a
//! generator whose next word falls to the cell. So machine code and interpreter are those of playouts.

use std::sync::Arc;

use crate::interp::{GameState, Playout};
use crate::plan::{ChoicePoint, Options};
use crate::position::{Fault, Position};
use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::code::{Atomicity, WriteSet};
use crate::simt::context::WarpContext;
use crate::simt::interface::{Games, LockStep, Start, Stepped};
use crate::simt::registers::LaneMask;
use crate::simt::scheduler::{Common, Warp};
use crate::simt::state::flags::LaneFlags;
use crate::simt::state::shared::Shared;
use crate::simt::turns::Part;

/// One warp, whose lanes are lent to a context for a turn.
pub struct SteppedWarp<V, const W: usize, const K: usize> {
    warp: Warp<V, W, K>,
    /// Borrowed for a whole call: counting references each turn would make threads wait for each other.
    shared: Arc<Shared<W, K>>,
    common: Common,
    ended: Ended,
}

/// The games that ended, by lane. A fault comes with the position in which it was met.
struct Ended(Vec<(usize, Stepped)>);

impl Games for Ended {
    fn next(&mut self) -> Option<Start> {
        None
    }

    fn done(&mut self, number: u64, went: Result<Playout, (Fault, Box<Position>)>) {
        let stepped = match went {
            // Only too many turns end a game without an outcome, and here there is no bound.
            Ok(playout) => playout.outcome.map(Stepped::Over),
            Err((fault, position)) => Some(Stepped::Fault(fault, position)),
        };
        self.0.extend(stepped.map(|stepped| (number as usize, stepped)));
    }

    fn refused(&mut self, _: u64) {}
}

impl<V: Simd, const W: usize, const K: usize> SteppedWarp<V, W, K> {
    /// `None`: some turns are more than the choice of one cell, or may fail behind it; or the past matters.
    pub fn new(v: V, shared: &Arc<Shared<W, K>>) -> Option<SteppedWarp<V, W, K>> {
        let is_step = |point: &ChoicePoint| {
            let [arm] = point.arms.as_slice() else { return false };
            matches!(arm.options, Options::Cells { .. }) && point.infallible && !point.faults && !point.aimed
        };
        let has_steps = shared.carry.is_none() && !shared.asks_past() && shared.linked.points.iter().all(is_step);
        let common = has_steps.then(|| Common::new(shared)).filter(|common| common.runner.has_only_cell_turns())?;
        let warp = Warp::new(v, shared, K * WIDE);
        Some(SteppedWarp { warp, shared: shared.clone(), common, ended: Ended(Vec::new()) })
    }

    /// Puts the games into the lanes, and forces the generators of those in which a cell is chosen: these lanes come out.
    fn restore_context(&mut self, context: &WarpContext, chosen: &[Option<(u32, u32)>]) -> LaneMask {
        let lanes = &mut self.warp.lanes;
        let (sets, numbers) = lanes.shared.persistent;
        lanes.file.sets[..sets].as_flattened_mut().as_flattened_mut().copy_from_slice(&context.sets);
        lanes.file.numbers[..numbers].as_flattened_mut().copy_from_slice(&context.numbers);
        (lanes.turns, lanes.turns_to_spare, lanes.flags) = (context.waiting.clone(), 0, LaneFlags::default());
        for (status, turns) in lanes.at.iter_mut().zip(&context.turns) {
            (status.turns, status.choices, status.tries) = (*turns, Lane8::NONE, Lane8::NONE);
        }
        let mut mine = LaneMask::NONE;
        for (i, (status, chosen)) in lanes.at.iter_mut().zip(chosen.chunks(WIDE)).enumerate() {
            for (lane, chosen) in chosen.iter().enumerate() {
                if let Some((chosen, of)) = *chosen {
                    status.rng.force(lane, u64::from(chosen), u64::from(of));
                    mine.add(i, lane);
                }
            }
        }
        mine
    }

    /// Keeps the registers of all lanes, and what they wait for.
    fn save_context(&self, context: &mut WarpContext) {
        let lanes = &self.warp.lanes;
        let (sets, numbers) = lanes.shared.persistent;
        context.sets.copy_from_slice(lanes.file.sets[..sets].as_flattened().as_flattened());
        context.numbers.copy_from_slice(lanes.file.numbers[..numbers].as_flattened());
        context.waiting.clone_from(&lanes.turns);
        context.turns.iter_mut().zip(&lanes.at).for_each(|(turns, status)| *turns = status.turns);
    }

    /// The cells that can be chosen in lanes, kept by lane: the program of each turn is executed up to its choice. The lanes
    /// that came to one come out.
    fn list(&mut self, context: &mut WarpContext) -> LaneMask {
        let lanes = &mut self.warp.lanes;
        (lanes.choice.lists, lanes.choice.listed) = (true, LaneMask::NONE);
        lanes.flags = LaneFlags::default();
        let nothing = WriteSet::default();
        for (turn, mine) in context.waiting.iter() {
            let entry = self.shared.program.entries[turn.player().index()].entry(turn);
            // Nothing goes back: the context has the games as they stand.
            self.warp.part(Part::Begin { mine, atomicity: Atomicity::Always, changes: &nothing });
            self.warp.run(&self.shared, entry.at);
        }
        let choice = &mut self.warp.lanes.choice;
        choice.lists = false;
        context.cells.copy_from_slice(choice.offered.as_flattened());
        choice.listed
    }

    /// Asks `end` again where it was assumed that the next player can move, and he has no cell to choose.
    fn evaluate_end(&mut self, i: usize, lane: usize, mut state: Box<GameState>) -> Stepped {
        let (mover, runner) = (self.warp.mover(i, lane), &mut self.common.runner);
        runner.import_state(&mut state);
        let evaluated = runner.evaluate_end_after(mover, None).map_err(|fault| (fault, Box::new(runner.position())));
        runner.export_state(&mut state);
        match (evaluated, state.outcome) {
            (Err((fault, position)), _) => Stepped::Fault(fault, position),
            (Ok(()), Some(outcome)) => Stepped::Over(outcome),
            (Ok(()), None) => Stepped::Others(state),
        }
    }
}

impl<V: Simd, const W: usize, const K: usize> LockStep for SteppedWarp<V, W, K> {
    fn context(&self) -> WarpContext {
        WarpContext::new((W, self.shared.set_words), K, self.shared.persistent)
    }

    fn step(&mut self, context: &mut WarpContext, chosen: &[Option<(u32, u32)>]) -> Vec<(usize, Stepped)> {
        debug_assert!(chosen.len() <= context.lanes(), "more games than lanes");
        let mine = self.restore_context(context, chosen);
        for (turn, waiting) in context.waiting.iter() {
            let mine = waiting.and(mine);
            if !mine.is_empty() {
                self.warp.play_turn(&mut self.common, &self.shared, (turn, mine), &mut self.ended);
            }
        }
        let (asked, again) = (self.warp.lanes.flags.asked, self.warp.lanes.flags.again_drawn);
        self.save_context(context);
        let mut unusual = std::mem::take(&mut self.ended.0);
        for (i, lane) in mine.and(again).each() {
            unusual.push((i * WIDE + lane, Stepped::Left(take(context, i, lane))));
        }
        let listed = self.list(context);
        let waiting = context.waiting.iter().fold(LaneMask::NONE, |all, (_, lanes)| all.or(lanes));
        for (i, lane) in waiting.without(listed).each() {
            let state = take(context, i, lane);
            let stepped = if asked.has(i, lane) { self.evaluate_end(i, lane, state) } else { Stepped::Others(state) };
            unusual.push((i * WIDE + lane, stepped));
        }
        unusual
    }
}

/// Takes a game out of its lane.
fn take(context: &mut WarpContext, i: usize, lane: usize) -> Box<GameState> {
    let mut state = Box::new(GameState::default());
    context.get(i * WIDE + lane, &mut state);
    context.remove(i * WIDE + lane);
    state
}
