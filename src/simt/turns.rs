//! Turn bookkeeping: lanes go in; their turns begin, are rolled back or are counted, for all lanes
//! at once.

use pulp::NullaryFnOnce;

use crate::simd::Simd;
use crate::simt::analysis::atomic::{Atomicity, FAR};
use crate::simt::analysis::write_set::WriteSet;
use crate::simt::registers::{LaneMask, gathered, put, put_set};
use crate::simt::sample::limit;
use crate::simt::state::exit_report::ExitReason;
use crate::simt::state::{Status, WarpState};
use crate::simt::turn_queue::Turn;

/// What is done with all lanes.
pub enum Part<'a> {
    /// These lanes begin their turn, which may change so much.
    Begin { mine: LaneMask, calm: Atomicity, changes: &'a WriteSet },
    /// Lanes that did not complete their turn go back; some of them are to be played alone.
    SortOut { changes: &'a WriteSet },
    /// These lanes stand again where the turn began.
    PutBack { lanes: LaneMask, changes: &'a WriteSet },
    /// The turn is counted, and the next one is another's.
    Count { same: Turn, next: Turn },
    /// The same where a function has counted it, and has asked which games are over.
    Told { same: Turn, next: Turn },
    /// The lanes whose game is over, or perhaps, or has had so many turns.
    Over { max_turns: u64 },
}

/// A part of a round, compiled for the processor. Tells lanes, where it looks for some.
pub struct Doing<'a, V, const W: usize, const K: usize> {
    pub lanes: &'a mut WarpState<V, W, K>,
    pub part: Part<'a>,
}

impl<V: Simd, const W: usize, const K: usize> NullaryFnOnce for Doing<'_, V, W, K> {
    type Output = LaneMask;

    #[inline(always)]
    fn call(self) -> LaneMask {
        match self.part {
            Part::Begin { mine, calm, changes } => begin(self.lanes, mine, (calm, changes)),
            Part::SortOut { changes } => sort_out(self.lanes, changes),
            Part::PutBack { lanes, changes } => put_back(self.lanes, lanes, changes),
            Part::Count { same, next } => count(self.lanes, same, next),
            Part::Told { same, next } => take_in(self.lanes, same, next),
            Part::Over { max_turns } => return over(self.lanes, max_turns),
        }
        LaneMask::NONE
    }
}

/// Lanes whose turn it is get ready, and what a turn in vain goes back to is kept.
#[inline(always)]
fn begin<V: Simd, const W: usize, const K: usize>(
    lanes: &mut WarpState<V, W, K>,
    mine: LaneMask,
    (calm, changes): (Atomicity, &WriteSet),
) {
    let v = lanes.v;
    lanes.masks.clear();
    (lanes.depth, lanes.kept, lanes.redone, lanes.turning) = (0, 0, false, true);
    let who = &mut lanes.who;
    (who.mine, who.alive, lanes.on) = (mine, mine, mine);
    (who.drawn, who.chose) = (LaneMask::NONE, LaneMask::NONE);
    (who.done, who.failed, who.alone) = (LaneMask::NONE, LaneMask::NONE, LaneMask::NONE);
    (who.passed, who.acted, who.again) = (LaneMask::NONE, LaneMask::NONE, LaneMask::NONE);
    let anew = mine.without(who.again_drawn);
    lanes.calm = calm != Atomicity::No;
    if calm == Atomicity::Near {
        let far = far(lanes);
        lanes.leave(far.and(mine));
    }
    if lanes.calm {
        return;
    }
    if lanes.who.again_drawn.is_empty() {
        // Where no lane goes on with a turn, what others keep does not matter.
        for i in 0..K {
            lanes.at[i].begun = lanes.at[i].lots;
        }
    } else {
        for i in 0..K {
            keep_lots(v, &mut lanes.at[i], anew.lanes(v, i));
        }
    }
    for &reg in &changes.sets {
        lanes.before.0[reg] = lanes.file.sets[reg];
    }
    for &reg in &changes.numbers {
        lanes.before.1[reg] = lanes.file.numbers[reg];
    }
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
fn keep_lots<V: Simd>(v: V, status: &mut Status, lanes: V::V8) {
    for part in 0..4 {
        put(v, &mut status.begun.0[part], v.load(&status.lots.0[part]), lanes);
    }
}

/// Lanes that did not complete their turn stand again where it began; some of them are to be played
/// alone.
#[inline(always)]
fn sort_out<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, changes: &WriteSet) {
    let (v, who) = (lanes.v, &mut lanes.who);
    who.done = who.done.without(who.alone);
    // A pass alone does not show that the player could move.
    who.doubted = who.passed.without(who.acted).and(who.done).and(who.asked);
    let back = who.mine.without(who.done);
    if back.is_empty() {
        return;
    }
    let failed = back.without(who.alone);
    who.in_vain(failed);
    for i in failed.chunks() {
        lanes.at[i].in_vain(v, failed.lanes(v, i));
    }
    let at = &lanes.at;
    let open = gathered!(v, i => v.less_signed(v.load(&at[i].tries), limit(v, v.load(&at[i].runs))));
    who.alone = who.alone.or(failed.without(open));
    put_back(lanes, back, changes);
}

/// Lanes stand again where the turn began.
#[inline(always)]
fn put_back<V: Simd, const W: usize, const K: usize>(
    lanes: &mut WarpState<V, W, K>,
    back: LaneMask,
    changes: &WriteSet,
) {
    let v = lanes.v;
    for i in back.chunks() {
        let mask = back.lanes(v, i);
        if lanes.calm {
            // They stand there still.
            keep_lots(v, &mut lanes.at[i], mask);
            continue;
        }
        for &reg in &changes.sets {
            put_set(v, &mut lanes.file.sets[reg][i], &lanes.before.0[reg][i], mask);
        }
        for &reg in &changes.numbers {
            put(v, &mut lanes.file.numbers[reg][i], v.load(&lanes.before.1[reg][i]), mask);
        }
    }
}

/// What a function for a round has told of the lanes that completed their turn.
#[inline(always)]
fn take_in<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, same: Turn, next: Turn) {
    let (v, who, report) = (lanes.v, &mut lanes.who, &lanes.report);
    let (done, again) = (report.lanes(ExitReason::Done), report.lanes(ExitReason::PlaysAgain));
    lanes.turns.go_on(done.and(again), same);
    lanes.turns.go_on(done.without(again), next);
    let drew_before = done.and(who.again_drawn);
    for i in drew_before.chunks() {
        lanes.at[i].tries = v.store(v.without(v.load(&lanes.at[i].tries), drew_before.lanes(v, i)));
    }
    let unsure = report.lanes(ExitReason::Unsure);
    who.done = done;
    who.again_drawn = who.again_drawn.without(done);
    who.estimated = who.estimated.or(done.and(report.lanes(ExitReason::Estimated)));
    who.decided = who.decided.or(report.lanes(ExitReason::Decided));
    who.asked = who.asked.without(done).or(report.lanes(ExitReason::AskedNow));
    who.unsure = who.unsure.without(done).or(unsure);
    lanes.name_mover(unsure);
}

/// Lanes that completed their turn: it is counted, and the next one is another's.
#[inline(always)]
fn count<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, same: Turn, next: Turn) {
    let (v, who) = (lanes.v, &mut lanes.who);
    let done = who.done;
    lanes.turns.go_on(done.and(who.again), same);
    lanes.turns.go_on(done.without(who.again), next);
    // A turn without a choice is the only one.
    let only = !done.without(who.drawn).is_empty();
    lanes.file.mean(v, done);
    for i in 0..K {
        let (status, done) = (&mut lanes.at[i], v.load(&lanes.file.masks[i]));
        let mut offered = v.load(&status.offered);
        if only {
            offered = v.blend(v.all(1), offered, who.drawn.lanes(v, i));
        }
        let choices = v.load(&status.choices);
        let sum = v.add(choices, v.and(offered, done));
        status.choices = v.store(v.or(sum, v.less(sum, choices)));
        status.turns = v.store(v.sub(v.load(&status.turns), done));
    }
    if !done.and(who.again_drawn).is_empty() {
        for i in 0..K {
            lanes.at[i].tries = v.store(v.without(v.load(&lanes.at[i].tries), done.lanes(v, i)));
        }
    }
    who.estimated = who.estimated.or(done.and(who.drawn).without(who.counted));
    who.again_drawn = who.again_drawn.without(done);
    (who.asked, who.unsure) = (who.asked.without(done), who.unsure.without(done));
    (who.drawn, who.chose) = (LaneMask::NONE, LaneMask::NONE);
}

/// Lanes whose game is over, or perhaps, or has had so many turns.
#[inline(always)]
fn over<V: Simd, const W: usize, const K: usize>(lanes: &mut WarpState<V, W, K>, max_turns: u64) -> LaneMask {
    let mut over = lanes.who.decided.or(lanes.who.unsure);
    // A game has one turn more than before, or is played alone in this round.
    lanes.unhurried = lanes.unhurried.saturating_sub(1);
    if lanes.unhurried == 0 {
        let (v, at) = (lanes.v, &lanes.at);
        over = over.or(gathered!(v, i => v.not(v.less(v.load(&at[i].turns), v.all(max_turns)))));
        let turns = at.iter().flat_map(|status| status.turns.0).filter(|turns| *turns < max_turns).max();
        lanes.unhurried = max_turns - turns.unwrap_or(0);
    }
    over.and(lanes.who.done)
}
