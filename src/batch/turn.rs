//! What a round does beside the programs, for all lanes at once: turns begin, are taken back or counted.

use multiversion::multiversion;

use super::lanes::{Chunk, lanewise};
use super::status::{Lanes, equal};

/// In how many lanes it is this turn.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn count_at<const W: usize>(lanes: &Lanes<W>, turn: u64) -> u64 {
    let mut sum = Chunk::NONE;
    for i in 0..lanes.at.len() {
        sum = lanewise!(sum = sum, mask = equal(&lanes.at[i].next_to_move, turn) => sum + (mask & 1));
    }
    let mut total = 0;
    for lane in 0..sum.0.len() {
        total += sum.0[lane];
    }
    total
}

/// Lanes whose turn it is get ready, and what a turn in vain goes back to is kept.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn begin<const W: usize>(lanes: &mut Lanes<W>, turn: u64) {
    let k = lanes.file.chunks;
    lanes.masks.clear();
    (lanes.depth, lanes.kept, lanes.redone, lanes.turning) = (0, 0, None, true);
    for i in 0..k {
        let status = &mut lanes.at[i];
        let mine = equal(&status.next_to_move, turn);
        let anew = mine.without(&status.again_drawn);
        for part in 0..4 {
            status.begun.0[part] = status.begun.0[part].blend(&status.lots.0[part], &anew);
        }
        lanes.on.mask[i] = mine;
        (status.mine, status.alive) = (mine, mine);
        (status.drawn, status.chose) = (Chunk::NONE, Chunk::NONE);
        (status.done, status.failed, status.alone) = (Chunk::NONE, Chunk::NONE, Chunk::NONE);
        (status.passed, status.acted, status.again) = (Chunk::NONE, Chunk::NONE, Chunk::NONE);
    }
    lanes.on.settle();
    lanes.before.0.copy_from_slice(&lanes.file.sets[..lanes.shared.0 * k]);
    lanes.before.1.copy_from_slice(&lanes.file.numbers[..lanes.shared.1 * k]);
}

/// Lanes that did not complete their turn stand again where it began; some of them are to be played alone.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn sort_out<const W: usize>(lanes: &mut Lanes<W>) {
    let k = lanes.file.chunks;
    for i in 0..k {
        let status = &mut lanes.at[i];
        // A pass alone does not show that the player could move.
        let passed = status.passed.without(&status.acted).and(&status.done).and(&status.asked);
        status.done = status.done.without(&status.alone).without(&passed);
        status.alone = status.alone.or(&passed);
        let back = status.mine.without(&status.done);
        if back.is_empty() {
            continue;
        }
        let failed = back.without(&status.alone);
        status.in_vain(&failed);
        let over = lanewise!(tries = status.tries, limit = status.limit => if tries >= limit { u64::MAX } else { 0 });
        status.alone = status.alone.or(&over.and(&failed));
        for reg in 0..lanes.shared.0 {
            let at = reg * k + i;
            for word in 0..W {
                lanes.file.sets[at][word] = lanes.file.sets[at][word].blend(&lanes.before.0[at][word], &back);
            }
        }
        for reg in 0..lanes.shared.1 {
            let at = reg * k + i;
            lanes.file.numbers[at] = lanes.file.numbers[at].blend(&lanes.before.1[at], &back);
        }
    }
}

/// Lanes that completed their turn: it is counted, and the next one is another's.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn count<const W: usize>(lanes: &mut Lanes<W>, mover: u64, same: u64, next: u64) {
    for i in 0..lanes.at.len() {
        let status = &mut lanes.at[i];
        let done = status.done;
        let to = Chunk::all(next).blend(&Chunk::all(same), &status.again);
        status.next_to_move = status.next_to_move.blend(&to, &done);
        status.mover = status.mover.blend(&Chunk::all(mover), &done);
        // A turn without a choice is the only one.
        let offered = Chunk::all(1).blend(&status.offered, &status.drawn).and(&done);
        status.choices = lanewise!(choices = status.choices, offered = offered => choices.saturating_add(offered));
        status.estimated = status.estimated.or(&done.and(&status.drawn).without(&status.counted));
        status.turns = lanewise!(turns = status.turns, done = done => turns + (done & 1));
        (status.again_drawn, status.tries) = (status.again_drawn.without(&done), status.tries.without(&done));
        (status.asked, status.unsure) = (status.asked.without(&done), status.unsure.without(&done));
        status.decided = status.decided.without(&done);
        (status.drawn, status.chose) = (Chunk::NONE, Chunk::NONE);
    }
}

/// Lanes whose game is over, or perhaps, or has had so many turns.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+avx2+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt"
))]
pub(super) fn over<const W: usize>(lanes: &mut Lanes<W>, max_turns: u64) {
    for i in 0..lanes.at.len() {
        let status = &mut lanes.at[i];
        let long = lanewise!(turns = status.turns => if turns >= max_turns { u64::MAX } else { 0 });
        status.over = status.decided.truth().or(&status.unsure).or(&long).and(&status.done);
    }
}
