//! Turn bookkeeping: lanes go in; their turns begin, are rolled back or are counted, for all lanes
//! at once.

use pulp::NullaryFnOnce;

use crate::simd::{Lane8, Simd};
use crate::simt::code::{Atomicity, FAR, WriteSet};
use crate::simt::registers::{LaneMask, gathered, put, put_set};
use crate::simt::sample::limit;
use crate::simt::state::WarpState;
use crate::simt::state::exit_report::ExitReason;
use crate::simt::state::status::Status;
use crate::simt::turn_queue::Turn;

/// What is done with all lanes.
pub enum Part<'a> {
    /// These lanes begin their turn, which may change so much.
    Begin { mine: LaneMask, atomicity: Atomicity, changes: &'a WriteSet },
    /// Tells the lanes whose turn goes on with a continuation. `is_ply`: a player, and not chance, has chosen in what is
    /// over.
    Suspend { is_ply: bool },
    /// Lanes that did not complete their turn go back; some of them fall back to the scalar
    /// executor.
    RollBackFailed { changes: &'a WriteSet },
    /// These lanes stand again where the turn began.
    Restore { lanes: LaneMask, changes: &'a WriteSet },
    /// The turn is counted, and the next one is another's.
    Commit { same: Turn, next: Turn },
    /// The same where a function has counted it, and has asked which games are over.
    CommitCompiled { same: Turn, next: Turn },
    /// The lanes whose game is over, or perhaps, or has had so many turns.
    Over { max_turns: u64 },
}

/// A part of a turn, compiled for the processor. Tells lanes, where it looks for some.
pub struct TurnPart<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub part: Part<'a>,
}

impl<V: Simd, const W: usize, const K: usize> NullaryFnOnce for TurnPart<'_, V, W, K> {
    type Output = LaneMask;

    #[inline(always)]
    fn call(self) -> LaneMask {
        match self.part {
            Part::Begin { mine, atomicity, changes } => begin(self.lanes, mine, (atomicity, changes)),
            Part::Suspend { is_ply } => return suspend(self.lanes, is_ply),
            Part::RollBackFailed { changes } => roll_back_failed(self.lanes, changes),
            Part::Restore { lanes, changes } => restore(self.lanes, lanes, changes),
            Part::Commit { same, next } => commit(self.lanes, same, next),
            Part::CommitCompiled { same, next } => commit_compiled(self.lanes, same, next),
            Part::Over { max_turns } => return over(self.lanes, max_turns),
        }
        LaneMask::NONE
    }
}

/// Lanes whose turn it is get ready, and what a rejected turn goes back to is kept.
#[inline(always)]
fn begin<V: Simd, const W: usize, const K: usize>(
    lanes: &mut WarpState<V, W, K>,
    mine: LaneMask,
    (atomicity, changes): (Atomicity, &WriteSet),
) {
    let v = lanes.v;
    lanes.flow.masks.clear();
    (lanes.flow.depth, lanes.turn.kept, lanes.choice.has_weights, lanes.turn.turning) = (0, 0, false, true);
    let flags = &mut lanes.flags;
    (flags.mine, flags.alive, lanes.flow.on) = (mine, mine, mine);
    (flags.drawn, flags.chose) = (LaneMask::NONE, LaneMask::NONE);
    (flags.done, flags.failed, flags.fallback) = (LaneMask::NONE, LaneMask::NONE, LaneMask::NONE);
    (flags.passed, flags.acted, flags.again) = (LaneMask::NONE, LaneMask::NONE, LaneMask::NONE);
    let anew = mine.without(flags.again_drawn);
    if lanes.shared.carry.is_some() {
        keep_turn_start(lanes, mine);
    }
    lanes.turn.is_atomic = atomicity != Atomicity::No;
    if atomicity == Atomicity::Near {
        let far = far(lanes);
        lanes.side_exit(far.and(mine));
    }
    if lanes.turn.is_atomic {
        return;
    }
    if lanes.flags.again_drawn.is_empty() {
        // Where no lane goes on with a turn, what others keep does not matter.
        for i in 0..K {
            lanes.at[i].saved_rng = lanes.at[i].rng;
        }
    } else {
        for i in 0..K {
            save_rng(v, &mut lanes.at[i], anew.lanes(v, i));
        }
    }
    for &reg in &changes.sets {
        lanes.turn.before.0[reg] = lanes.file.sets[reg];
    }
    for &reg in &changes.numbers {
        lanes.turn.before.1[reg] = lanes.file.numbers[reg];
    }
}

/// Keeps the registers of lanes whose turn begins: a fault shows where it began.
#[inline(always)]
fn keep_turn_start<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, mine: LaneMask) {
    let v = lanes.v;
    let begun = mine.without(lanes.turns.suspended());
    for i in begun.chunks() {
        let mask = begun.lanes(v, i);
        for (kept, set) in lanes.turn.turn_start.0.iter_mut().zip(&lanes.file.sets) {
            put_set(v, &mut kept[i], &set[i], mask);
        }
        for (kept, number) in lanes.turn.turn_start.1.iter_mut().zip(&lanes.file.numbers) {
            put(v, &mut kept[i], v.load(&number[i]), mask);
        }
    }
}

/// Lanes whose turn goes on with a continuation keep what it has done, and are neither done nor to be rolled back. Where the
/// turn is over, the registers that go along are emptied. Counts a ply in each lane that chose something or passed.
#[inline(always)]
fn suspend<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, is_ply: bool) -> LaneMask {
    let (v, flags) = (lanes.v, &mut lanes.flags);
    flags.done = flags.done.without(flags.fallback);
    let Some(carry) = lanes.shared.carry else { return LaneMask::NONE };
    let next = &lanes.file.numbers[usize::from(carry.next.0)];
    let suspended = gathered!(v, i => v.less_signed(v.all(0), v.load(&next[i]))).and(flags.done);
    if is_ply {
        count_ply(lanes);
    }
    let flags = &mut lanes.flags;
    let over = flags.done.without(suspended);
    let done = flags.done;
    let now = [&mut flags.passed, &mut flags.acted, &mut flags.again];
    for (now, before) in now.into_iter().zip(flags.before.masks()) {
        *now = now.or(before.and(done));
        *before = before.without(done).or(now.and(suspended));
    }
    let drew_before = suspended.and(flags.again_drawn);
    (flags.done, flags.mine) = (over, flags.mine.without(suspended));
    (flags.asked, flags.unsure) = (flags.asked.without(suspended), flags.unsure.without(suspended));
    flags.again_drawn = flags.again_drawn.without(suspended);
    for i in drew_before.chunks() {
        lanes.at[i].tries = v.store(v.without(v.load(&lanes.at[i].tries), drew_before.lanes(v, i)));
    }
    for i in over.chunks() {
        let mask = over.lanes(v, i);
        for set in &mut lanes.file.sets[usize::from(carry.sets.0.0)..usize::from(carry.sets.1.0)] {
            put_set(v, &mut set[i], &[Lane8::NONE; W], mask);
        }
        for number in &mut lanes.file.numbers[usize::from(carry.numbers.0.0)..usize::from(carry.numbers.1.0)] {
            put(v, &mut number[i], v.none(), mask);
        }
    }
    suspended
}

/// Counts a ply, and of how many it was chosen, in lanes that chose something or passed.
#[inline(always)]
fn count_ply<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>) {
    let (v, flags) = (lanes.v, &mut lanes.flags);
    let plies = flags.done.and(flags.drawn.or(flags.passed));
    for i in plies.chunks() {
        let (status, ply) = (&mut lanes.at[i], plies.lanes(v, i));
        let offered = v.blend(v.all(1), v.load(&status.offered), flags.drawn.lanes(v, i));
        let choices = v.load(&status.choices);
        let sum = v.add(choices, v.and(offered, ply));
        status.choices = v.store(v.or(sum, v.less(sum, choices)));
        status.plies = v.store(v.sub(v.load(&status.plies), ply));
    }
    flags.estimated = flags.estimated.or(plies.and(flags.drawn).without(flags.counted));
}

/// The lanes in which some number of the position is far from 0.
#[inline(always)]
fn far<V: Simd, const W: usize, const K: usize>(lanes: &WarpState<V, W, K>) -> LaneMask {
    let v = lanes.v;
    let (least, most) = (v.all(-FAR as u64), v.all(FAR as u64));
    gathered!(v, i => {
        let mut far = v.none();
        for reg in 0..lanes.shared.position_numbers {
            let number = v.load(&lanes.file.numbers[reg][i]);
            far = v.or(far, v.or(v.less_signed(number, least), v.less_signed(most, number)));
        }
        far
    })
}

#[inline(always)]
fn save_rng<V: Simd>(v: V, status: &mut Status, lanes: V::V8) {
    for part in 0..4 {
        put(v, &mut status.saved_rng.0[part], v.load(&status.rng.0[part]), lanes);
    }
}

/// Lanes that did not complete their turn stand again where it began; some of them fall back to the
/// scalar executor.
#[inline(always)]
fn roll_back_failed<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, changes: &WriteSet) {
    let (v, flags) = (lanes.v, &mut lanes.flags);
    flags.done = flags.done.without(flags.fallback);
    // A pass alone does not show that the player could move.
    flags.unverified = flags.passed.without(flags.acted).and(flags.done).and(flags.asked);
    let back = flags.mine.without(flags.done);
    if back.is_empty() {
        return;
    }
    let failed = back.without(flags.fallback);
    flags.record_rejection(failed);
    for i in failed.chunks() {
        lanes.at[i].record_rejection(v, failed.lanes(v, i));
    }
    let at = &lanes.at;
    let open = gathered!(v, i => v.less_signed(v.load(&at[i].tries), limit(v, v.load(&at[i].runs))));
    flags.fallback = flags.fallback.or(failed.without(open));
    restore(lanes, back, changes);
}

/// Lanes stand again where the turn began.
#[inline(always)]
fn restore<V: Simd, const W: usize, const K: usize>(
    lanes: &mut WarpState<V, W, K>,
    back: LaneMask,
    changes: &WriteSet,
) {
    let v = lanes.v;
    for i in back.chunks() {
        let mask = back.lanes(v, i);
        if lanes.turn.is_atomic {
            // They stand there still.
            save_rng(v, &mut lanes.at[i], mask);
            continue;
        }
        for &reg in &changes.sets {
            put_set(v, &mut lanes.file.sets[reg][i], &lanes.turn.before.0[reg][i], mask);
        }
        for &reg in &changes.numbers {
            put(v, &mut lanes.file.numbers[reg][i], v.load(&lanes.turn.before.1[reg][i]), mask);
        }
    }
}

/// What machine code has reported of the lanes that completed their turn.
#[inline(always)]
fn commit_compiled<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, same: Turn, next: Turn) {
    let (v, flags, report) = (lanes.v, &mut lanes.flags, &lanes.turn.report);
    let (done, again) = (report.lanes(ExitReason::Done), report.lanes(ExitReason::PlaysAgain));
    lanes.turns.go_on(done.and(again), same);
    lanes.turns.go_on(done.without(again), next);
    let drew_before = done.and(flags.again_drawn);
    for i in drew_before.chunks() {
        lanes.at[i].tries = v.store(v.without(v.load(&lanes.at[i].tries), drew_before.lanes(v, i)));
    }
    let unsure = report.lanes(ExitReason::Unsure);
    flags.done = done;
    flags.again_drawn = flags.again_drawn.without(done);
    flags.estimated = flags.estimated.or(done.and(report.lanes(ExitReason::Estimated)));
    flags.decided = flags.decided.or(report.lanes(ExitReason::Decided));
    flags.asked = flags.asked.without(done).or(report.lanes(ExitReason::AskedNow));
    flags.unsure = flags.unsure.without(done).or(unsure);
    lanes.name_mover(unsure);
}

/// Lanes that completed their turn: it is counted, and the next one is another's.
#[inline(always)]
fn commit<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, same: Turn, next: Turn) {
    let (v, flags) = (lanes.v, &mut lanes.flags);
    let done = flags.done;
    lanes.turns.go_on(done.and(flags.again), same);
    lanes.turns.go_on(done.without(flags.again), next);
    // Where turns are suspended, their parts were counted.
    let is_counted = lanes.shared.carry.is_none();
    // A turn without a choice is the only one.
    let only = !done.without(flags.drawn).is_empty();
    lanes.file.set_active(v, done);
    for i in 0..K {
        let (status, done) = (&mut lanes.at[i], v.load(&lanes.file.masks[i]));
        if is_counted {
            let mut offered = v.load(&status.offered);
            if only {
                offered = v.blend(v.all(1), offered, flags.drawn.lanes(v, i));
            }
            let choices = v.load(&status.choices);
            let sum = v.add(choices, v.and(offered, done));
            status.choices = v.store(v.or(sum, v.less(sum, choices)));
        }
        status.turns = v.store(v.sub(v.load(&status.turns), done));
    }
    if !done.and(flags.again_drawn).is_empty() {
        for i in 0..K {
            lanes.at[i].tries = v.store(v.without(v.load(&lanes.at[i].tries), done.lanes(v, i)));
        }
    }
    if is_counted {
        flags.estimated = flags.estimated.or(done.and(flags.drawn).without(flags.counted));
    }
    flags.again_drawn = flags.again_drawn.without(done);
    (flags.asked, flags.unsure) = (flags.asked.without(done), flags.unsure.without(done));
    (flags.drawn, flags.chose) = (LaneMask::NONE, LaneMask::NONE);
}

/// Lanes whose game is over, or perhaps, or has had so many turns.
#[inline(always)]
fn over<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, max_turns: u64) -> LaneMask {
    let mut over = lanes.flags.decided.or(lanes.flags.unsure);
    // A game has one turn more than before, or falls back to the scalar executor in this round.
    lanes.turns_to_spare = lanes.turns_to_spare.saturating_sub(1);
    if lanes.turns_to_spare == 0 {
        let (v, at) = (lanes.v, &lanes.at);
        over = over.or(gathered!(v, i => v.not(v.less(v.load(&at[i].turns), v.all(max_turns)))));
        let turns = at.iter().flat_map(|status| status.turns.0).filter(|turns| *turns < max_turns).max();
        lanes.turns_to_spare = max_turns - turns.unwrap_or(0);
    }
    over.and(lanes.flags.done)
}
