//! Stepped play: games go in, with the cell that is chosen in each; they come out one turn later, with the
//! cells that can be chosen then.
//!
//! All lanes play one turn together, as in playouts. What a lane draws is decided beforehand: it gets a
//! generator whose next word falls to the cell. So machine code and interpreter are those of playouts.

use std::sync::Arc;

use crate::interp::{CellTurns, GameState, Playout};
use crate::plan::{ChoicePoint, Options};
use crate::position::{Fault, Outcome, Position};
use crate::simd::{Simd, WIDE};
use crate::simt::code::{Atomicity, WriteSet};
use crate::simt::interface::{CellGame, Games, LockStep, Start, Stepped};
use crate::simt::registers::LaneMask;
use crate::simt::scheduler::{Common, Warp};
use crate::simt::state::flags::LaneFlags;
use crate::simt::state::shared::Shared;
use crate::simt::turn_queue::{Turn, Turns};
use crate::simt::turns::Part;

/// One warp, whose lanes are lent to games for a turn.
pub struct SteppedWarp<V, const W: usize, const K: usize> {
    warp: Warp<V, W, K>,
    /// Borrowed for a whole call: counting references each turn would make threads wait for each other.
    shared: Arc<Shared<W, K>>,
    common: Common,
    ended: Ended,
}

/// How a game ended. A fault comes with the position in which it was met.
type End = Result<Option<Outcome>, (Fault, Box<Position>)>;

/// By lane: how its game ended, where it did.
struct Ended(Vec<Option<End>>);

impl Games for Ended {
    fn next(&mut self) -> Option<Start> {
        None
    }

    fn done(&mut self, number: u64, went: Result<Playout, (Fault, Box<Position>)>) {
        self.0[number as usize] = Some(went.map(|playout| playout.outcome));
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
        Some(SteppedWarp { warp, shared: shared.clone(), common, ended: Ended(vec![None; K * WIDE]) })
    }

    /// Puts the games into the lanes, and forces the generators of those in which a cell is chosen: these lanes come out.
    fn enter(&mut self, games: &[CellGame<'_>]) -> LaneMask {
        let lanes = &mut self.warp.lanes;
        (lanes.turns, lanes.turns_to_spare, lanes.flags) = (Turns::default(), 0, LaneFlags::default());
        let mut mine = LaneMask::NONE;
        // Games that wait for the same turn often stand side by side.
        let (mut turn, mut waiting) = (None, LaneMask::NONE);
        for (at, game) in games.iter().enumerate() {
            let (i, lane) = (at / WIDE, at % WIDE);
            lanes.put_registers(i, lane, game.state);
            let next = Turn::new(game.state.to_move, game.state.opening);
            if let Some(turn) = turn.replace(next).filter(|turn| *turn != next) {
                lanes.turns.go_on(std::mem::take(&mut waiting), turn);
            }
            waiting.add(i, lane);
            let status = &mut lanes.at[i];
            (status.turns.0[lane], status.choices.0[lane], status.tries.0[lane]) = (game.state.turns, 0, 0);
            if let Some((chosen, of)) = game.chosen {
                status.rng.force(lane, chosen as u64, of as u64);
                mine.add(i, lane);
            }
        }
        if let Some(turn) = turn {
            lanes.turns.go_on(waiting, turn);
        }
        mine
    }

    /// The cells that can be chosen in lanes, kept by lane: the program of each turn is executed up to its choice.
    fn list(&mut self) {
        let lanes = &mut self.warp.lanes;
        (lanes.choice.lists, lanes.choice.listed) = (true, LaneMask::NONE);
        lanes.flags = LaneFlags::default();
        let nothing = WriteSet::default();
        for (turn, mine) in self.warp.lanes.turns.clone().iter() {
            let entry = self.shared.program.entries[turn.player().index()].entry(turn);
            // Nothing goes back: the games stand where they came from.
            self.warp.part(Part::Begin { mine, atomicity: Atomicity::Always, changes: &nothing });
            self.warp.run(&self.shared, entry.at);
        }
        self.warp.lanes.choice.lists = false;
    }

    /// Takes a game out of its lane, after its turn.
    fn export(&self, i: usize, lane: usize, state: &mut GameState) {
        let lanes = &self.warp.lanes;
        let words = lanes.shared.set_words;
        // No chunks: a division for each lane takes as long as its words.
        for (reg, set) in lanes.file.sets[..lanes.shared.persistent.0].iter().enumerate() {
            let to = &mut state.sets[reg * words..][..words];
            to.iter_mut().zip(&set[i]).for_each(|(to, word)| *to = word.0[lane]);
        }
        for (number, from) in state.numbers.iter_mut().zip(&lanes.file.numbers) {
            *number = from[i].0[lane] as i64;
        }
        if let Some(turn) = lanes.turns.of(i, lane) {
            (state.to_move, state.opening) = (turn.player(), turn.opening());
        }
        state.turns = lanes.at[i].turns.0[lane];
    }

    /// Asks `end` again where it was assumed that the next player can move, and he has no cell to choose.
    fn evaluate_end(&mut self, i: usize, lane: usize, state: &mut GameState) -> Stepped {
        let (mover, runner) = (self.warp.mover(i, lane), &mut self.common.runner);
        runner.import_state(state);
        let evaluated = runner.evaluate_end_after(mover, None).map_err(|fault| (fault, Box::new(runner.position())));
        runner.export_state(state);
        match evaluated {
            Err((fault, position)) => Stepped::Fault(fault, position),
            Ok(()) if state.outcome.is_some() => Stepped::Over,
            Ok(()) => Stepped::Others,
        }
    }

    /// Keeps the cells of a lane; `false`: its turn is not the choice of a cell.
    fn keep_cells(&self, i: usize, lane: usize, to: &mut CellTurns) -> bool {
        let choice = &self.warp.lanes.choice;
        if !choice.listed.has(i, lane) {
            return false;
        }
        to.choice = None;
        to.cells.clear();
        to.cells.extend((0..self.shared.set_words).map(|word| choice.offered[i][word].0[lane]));
        true
    }
}

impl<V: Simd, const W: usize, const K: usize> LockStep for SteppedWarp<V, W, K> {
    fn lanes(&self) -> usize {
        K * WIDE
    }

    fn step(&mut self, games: &mut [CellGame<'_>]) {
        debug_assert!(games.len() <= self.lanes(), "more games than lanes");
        self.ended.0.fill(None);
        let mine = self.enter(games);
        for (turn, waiting) in self.warp.lanes.turns.clone().iter() {
            let mine = waiting.and(mine);
            if !mine.is_empty() {
                self.warp.play_turn(&mut self.common, &self.shared, (turn, mine), &mut self.ended);
            }
        }
        let (asked, again) = (self.warp.lanes.flags.asked, self.warp.lanes.flags.again_drawn);
        for (at, game) in games.iter_mut().enumerate() {
            let (i, lane) = (at / WIDE, at % WIDE);
            if !mine.has(i, lane) || again.has(i, lane) {
                game.stepped = Stepped::Left;
                continue;
            }
            game.stepped = match self.ended.0[at].take() {
                Some(Err((fault, position))) => Stepped::Fault(fault, position),
                Some(Ok(outcome)) => {
                    game.state.turns += 1;
                    game.state.outcome = outcome;
                    Stepped::Over
                }
                None => {
                    self.export(i, lane, game.state);
                    Stepped::Others
                }
            };
        }
        self.list();
        for (at, game) in games.iter_mut().enumerate() {
            let (i, lane) = (at / WIDE, at % WIDE);
            if !matches!(game.stepped, Stepped::Others) {
                continue;
            }
            if self.keep_cells(i, lane, game.turns) {
                game.stepped = Stepped::Cells;
            } else if asked.has(i, lane) {
                game.stepped = self.evaluate_end(i, lane, game.state);
            }
        }
    }
}
