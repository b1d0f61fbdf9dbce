//! What a round does beside the programs, for all lanes at once: turns begin, are taken back or counted.

use multiversion::multiversion;

use super::lanes::{Chunk, Mask, blend, gathered, holds, lanewise};
use super::status::Lanes;

/// The lanes in which it is this turn.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn lanes_at<const W: usize, const K: usize>(lanes: &Lanes<W, K>, turn: u64) -> Mask {
    let at = &lanes.at;
    gathered!(i => lanewise!(next = at[i].next_to_move => if next == turn { u64::MAX } else { 0 })).and(lanes.all)
}

/// Lanes whose turn it is get ready, and what a turn in vain goes back to is kept.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn begin<const W: usize, const K: usize>(lanes: &mut Lanes<W, K>, mine: Mask) {
    lanes.masks.clear();
    (lanes.depth, lanes.kept, lanes.redone, lanes.turning) = (0, 0, None, true);
    let anew = mine.without(lanes.who.again_drawn);
    for i in 0..K {
        let (status, anew) = (&mut lanes.at[i], Chunk::of(anew.chunk(i)));
        for part in 0..4 {
            status.begun.0[part] = status.begun.0[part].blend(&status.lots.0[part], &anew);
        }
    }
    let who = &mut lanes.who;
    (who.mine, who.alive, lanes.on) = (mine, mine, mine);
    (who.drawn, who.chose) = (Mask::NONE, Mask::NONE);
    (who.done, who.failed, who.alone) = (Mask::NONE, Mask::NONE, Mask::NONE);
    (who.passed, who.acted, who.again) = (Mask::NONE, Mask::NONE, Mask::NONE);
    lanes.before.0.copy_from_slice(&lanes.file.sets[..lanes.shared.0]);
    lanes.before.1.copy_from_slice(&lanes.file.numbers[..lanes.shared.1]);
}

/// Lanes that did not complete their turn stand again where it began; some of them are to be played alone.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn sort_out<const W: usize, const K: usize>(lanes: &mut Lanes<W, K>) {
    let who = &mut lanes.who;
    // A pass alone does not show that the player could move.
    let passed = who.passed.without(who.acted).and(who.done).and(who.asked);
    who.done = who.done.without(who.alone).without(passed);
    who.alone = who.alone.or(passed);
    let back = who.mine.without(who.done);
    if back.is_empty() {
        return;
    }
    let failed = back.without(who.alone);
    who.in_vain(failed);
    for i in 0..K {
        if back.chunk(i) == 0 {
            continue;
        }
        let (status, mask) = (&mut lanes.at[i], Chunk::of(back.chunk(i)));
        status.in_vain(&Chunk::of(failed.chunk(i)));
        who.alone.add(i, holds!(failed.chunk(i), tries = status.tries, limit = status.limit => tries >= limit));
        for reg in 0..lanes.shared.0 {
            lanes.file.sets[reg][i] = blend(&lanes.file.sets[reg][i], &lanes.before.0[reg][i], &mask);
        }
        for reg in 0..lanes.shared.1 {
            lanes.file.numbers[reg][i] = lanes.file.numbers[reg][i].blend(&lanes.before.1[reg][i], &mask);
        }
    }
}

/// Lanes that completed their turn: it is counted, and the next one is another's.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn count<const W: usize, const K: usize>(lanes: &mut Lanes<W, K>, mover: u64, same: u64, next: u64) {
    let who = &mut lanes.who;
    for i in 0..K {
        if who.done.chunk(i) == 0 {
            continue;
        }
        let (status, done) = (&mut lanes.at[i], Chunk::of(who.done.chunk(i)));
        let to = Chunk::all(next).blend(&Chunk::all(same), &Chunk::of(who.again.chunk(i)));
        status.next_to_move = status.next_to_move.blend(&to, &done);
        status.mover = status.mover.blend(&Chunk::all(mover), &done);
        // A turn without a choice is the only one.
        let offered = Chunk::all(1).blend(&status.offered, &Chunk::of(who.drawn.chunk(i))).and(&done);
        status.choices = lanewise!(choices = status.choices, offered = offered => choices.saturating_add(offered));
        status.turns = lanewise!(turns = status.turns, done = done => turns + (done & 1));
        (status.tries, status.decided) = (status.tries.without(&done), status.decided.without(&done));
    }
    let done = who.done;
    who.estimated = who.estimated.or(done.and(who.drawn).without(who.counted));
    who.again_drawn = who.again_drawn.without(done);
    (who.asked, who.unsure) = (who.asked.without(done), who.unsure.without(done));
    (who.drawn, who.chose) = (Mask::NONE, Mask::NONE);
}

/// Lanes whose game is over, or perhaps, or has had so many turns.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn over<const W: usize, const K: usize>(lanes: &mut Lanes<W, K>, max_turns: u64) {
    let done = lanes.who.done;
    let at = &lanes.at;
    let over = gathered!(i => lanewise!(turns = at[i].turns, decided = at[i].decided => {
        if (decided != 0) | (turns >= max_turns) { u64::MAX } else { 0 }
    }));
    lanes.who.over = over.or(lanes.who.unsure).and(done);
}
