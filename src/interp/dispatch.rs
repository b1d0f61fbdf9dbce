//! The loop that carries out operations, in one version for any machine and one for processors that
//! count and select bits at once.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::interp::bitset::deposit;
use crate::interp::cold::carry_out;
use crate::interp::dir_vector;
use crate::interp::sample::unrank::{begin_number, take_number};
use crate::interp::tables::connectivity;
use crate::interp::tables::ray_query;
#[cfg(target_arch = "x86_64")]
use crate::interp::target::assert_has_code;
use crate::interp::vm::{Event, Program, Vm};
use crate::interp::{bitset, tables};
use crate::model::{Arithmetic, MAX_ROUNDS};
use crate::plan::{ChoicePoint, Cmp, Op, REGISTERS};
use crate::position::FaultKind;

/// Runs from a place of the code to the next event.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(crate) fn run<const W: usize>(machine: &mut Vm<W>, code: &Program<W>, from: u32) -> Event {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => bitset::nth_bit,
    };
    let ops = code.linked.code.as_slice();
    // What is to come: an end to compare with, and no place to multiply, for each operation.
    let mut ahead;
    macro_rules! go_to {
        ($to:expr) => {{
            let Some(rest) = ops.get($to as usize..) else { return Event::Fail };
            ahead = rest.iter();
        }};
    }
    go_to!(from);
    while let Some(op) = ahead.next() {
        match *op {
            Op::Copy { d, a } => machine.put(d, *machine.set(a)),
            Op::And { d, a, b } => machine.put(d, bitset::and(machine.set(a), machine.set(b))),
            Op::Or { d, a, b } => machine.put(d, bitset::or(machine.set(a), machine.set(b))),
            Op::AndNot { d, a, b } => machine.put(d, bitset::without(machine.set(a), machine.set(b))),
            Op::AndNotBoth { d, of, a, b } => machine.put(d, machine.outside(of, a, b)),
            Op::Replace { d, a, out, into } => {
                let kept = bitset::without(machine.set(a), machine.set(out));
                machine.put(d, bitset::or(&kept, machine.set(into)));
            }
            Op::Partition { d, e, a, b } => {
                let (a, b) = (*machine.set(a), *machine.set(b));
                machine.put(d, bitset::without(&a, &b));
                machine.put(e, bitset::and(&a, &b));
            }
            Op::PartitionTwo { d, e, a, f, g, c, b } => {
                let (a, c, b) = (*machine.set(a), *machine.set(c), *machine.set(b));
                machine.put(d, bitset::without(&a, &b));
                machine.put(e, bitset::and(&a, &b));
                machine.put(f, bitset::without(&c, &b));
                machine.put(g, bitset::and(&c, &b));
            }
            Op::KeepIf { d, a, n } => {
                let mask = if machine.number(n) != 0 { u64::MAX } else { 0 };
                machine.put(d, bitset::and(machine.set(a), &[mask; W]));
            }
            Op::Shift { d, a, dir } => machine.put(d, code.tables.step(machine.set(a), dir)),
            Op::MaskedShift { d, a, hop } => machine.put(d, code.tables.hops[usize::from(hop)].of(machine.set(a))),
            Op::Neighbors { d, a, along } => machine.put(d, code.tables.around(machine.set(a), along)),
            Op::RayFill { d, a, through, dir } => {
                machine.put(d, tables::fill(&code.tables, machine.set(a), machine.set(through), dir))
            }
            Op::FirstOnRay { d, a, until, dir } => {
                machine.put(d, code.tables.ray(machine.set(a), machine.set(until), dir))
            }
            Op::RayQuery { d, a, x, y, trail } => {
                let trail = &code.tables.trails[usize::from(trail)];
                machine.put(d, ray_query::follow(trail, machine.set(a), machine.set(x), machine.set(y)));
            }
            Op::InLine { d, a, within, trail } => {
                machine.put_number(
                    d,
                    i64::from(code.tables.trails[usize::from(trail)].in_row(machine.set(a), machine.set(within))),
                );
            }
            Op::SlidingReach { d, a, through, dirs } => {
                let seen = tables::sight(&code.tables, machine.set(a), machine.set(through), dirs);
                machine.put(d, seen);
            }
            Op::FullLines { d, a, list } => machine.put(d, code.tables.rows(machine.set(a), list)),
            Op::LineCompletions { d, a, how } => machine.put(d, code.tables.complete(machine.set(a), how)),
            ref flood @ (Op::FloodFill { .. } | Op::Reaches { .. }) => connectivity::flood(machine, code, flood),
            Op::VecShift { d, a, onto, fan, lanes, wide } => {
                code.fans[usize::from(fan)].step(&mut machine.sets, (d, a, onto), lanes, wide);
            }
            Op::VecKeepIf { d, a, n, lanes, bits } => {
                let n = machine.number(n);
                dir_vector::keep(&mut machine.sets, (d, a), n, bits, lanes);
            }
            Op::VecRayFill { d, a, through, fan, lanes, wide } => {
                let lines = (d, a, through, None);
                code.fans[usize::from(fan)].lines::<false>(&mut machine.sets, &mut machine.both, lines, lanes, wide);
            }
            Op::VecSlidingReach { d, a, through, onto, fan, lanes, wide } => {
                let lines = (d, a, through, onto);
                code.fans[usize::from(fan)].lines::<true>(&mut machine.sets, &mut machine.both, lines, lanes, wide);
            }
            Op::VecBinary { pairing, d, a, b, lanes, wide } => {
                dir_vector::pair(&mut machine.sets, pairing, (d, a, b), lanes, wide)
            }
            Op::VecPartition { d, e, a, b, lanes, wide } => {
                dir_vector::part(&mut machine.sets, (d, e, a, b), lanes, wide)
            }
            Op::VecUnion { d, a, lanes, .. } => machine.put(d, dir_vector::union(&machine.sets, a, lanes)),
            Op::Const { d, k } => machine.put_number(d, k),
            Op::CopyNum { d, a } => machine.put_number(d, machine.number(a)),
            Op::Arithmetic { op: Arithmetic::Add, d, a, b, place } => {
                match machine.number(a).checked_add(machine.number(b)) {
                    Some(sum) => machine.put_number(d, sum),
                    None => return machine.fail(FaultKind::Overflow, code.place(place)),
                }
            }
            Op::Compare { cmp, d, a, b } => {
                machine.put_number(d, i64::from(holds(cmp, machine.number(a), machine.number(b))));
            }
            Op::SelectNum { d, n, a, b } => {
                machine.put_number(d, if machine.number(n) != 0 { machine.number(a) } else { machine.number(b) })
            }
            Op::Not { d, a } => machine.put_number(d, i64::from(machine.number(a) == 0)),
            Op::BitAnd { d, a, b } => machine.put_number(d, machine.number(a) & machine.number(b)),
            Op::BitOr { d, a, b } => machine.put_number(d, machine.number(a) | machine.number(b)),
            Op::TestBit { d, a, bit } => machine.put_number(d, machine.number(a) >> bit & 1),
            Op::NonEmpty { d, a } => machine.put_number(d, i64::from(!bitset::is_empty(machine.set(a)))),
            Op::NonEmptyAndNotBoth { d, of, a, b } => {
                let some = bitset::reaches_outside(machine.set(of), machine.set(a), machine.set(b));
                machine.put_number(d, i64::from(some));
            }
            Op::Popcount { d, a } => machine.put_number(d, i64::from(bitset::count(machine.set(a)))),
            Op::Intersects { d, a, b } => {
                machine.put_number(d, i64::from(bitset::meets(machine.set(a), machine.set(b))))
            }
            Op::NonEmptySubset { d, a, b } => {
                let (a, b) = (machine.set(a), machine.set(b));
                let inside = !bitset::is_empty(a) && bitset::is_empty(&bitset::without(a, b));
                machine.put_number(d, i64::from(inside));
            }
            // Larger sets are worth a look before: mostly nothing is taken.
            Op::RemovePieces { cells, .. } if W > 2 && bitset::is_empty(machine.set(cells)) => {}
            Op::RemovePieces { cells, .. } => {
                let cells = *machine.set(cells);
                for &reg in &code.men {
                    machine.sets[reg % REGISTERS] = bitset::without(&machine.sets[reg % REGISTERS], &cells);
                }
            }
            Op::MovePiece { from, to, .. } => {
                let (from, to) = (*machine.set(from), *machine.set(to));
                for &reg in &code.men {
                    let set = &mut machine.sets[reg % REGISTERS];
                    if W <= 2 {
                        // Which men it is cannot be foreseen: no jump for each.
                        let there = [u64::from(bitset::meets(set, &from)).wrapping_neg(); W];
                        *set = bitset::or(&bitset::without(set, &from), &bitset::and(&to, &there));
                    } else if bitset::meets(set, &from) {
                        *set = bitset::or(&bitset::without(set, &from), &to);
                    }
                }
            }
            Op::Stuck { d, player } if machine.presumption.take(player) => machine.put_number(d, 0),
            Op::Stuck { d, player } => match machine.is_stuck(code, player) {
                Ok(stuck) => machine.put_number(d, i64::from(stuck)),
                Err(fault) => {
                    machine.fault = Some(fault);
                    return Event::Fail;
                }
            },
            Op::FlipOwner { cells, player } => machine.flip(code, cells, player),
            Op::Annotate { mark } => {
                if machine.telling {
                    let told = machine.telling_of(mark);
                    machine.told.push(told);
                }
            }
            Op::Acted => machine.flags.acted = true,
            Op::SetOutcome { outcome, winners } => machine.decided = Some((outcome, machine.number(winners))),
            Op::Jump { to } => go_to!(to),
            Op::BranchIfZero { n, to } => {
                if machine.number(n) == 0 {
                    go_to!(to);
                }
            }
            Op::BranchIfNonZero { n, to } => {
                if machine.number(n) != 0 {
                    go_to!(to);
                }
            }
            Op::BranchIfEmpty { a, to } => {
                if bitset::is_empty(machine.set(a)) {
                    go_to!(to);
                }
            }
            Op::BranchIfNonEmpty { a, to } => {
                if !bitset::is_empty(machine.set(a)) {
                    go_to!(to);
                }
            }
            Op::BranchIfDisjoint { a, b, to } => {
                if !bitset::meets(machine.set(a), machine.set(b)) {
                    go_to!(to);
                }
            }
            Op::BranchUnlessCompare { cmp, a, b, to } => {
                if !holds(cmp, machine.number(a), machine.number(b)) {
                    go_to!(to);
                }
            }
            Op::BranchIfEmptyAndNotBoth { of, a, b, to } => {
                if !bitset::reaches_outside(machine.set(of), machine.set(a), machine.set(b)) {
                    go_to!(to);
                }
            }
            Op::BranchIfNonEmptyAndNotBoth { of, a, b, to } => {
                if bitset::reaches_outside(machine.set(of), machine.set(a), machine.set(b)) {
                    go_to!(to);
                }
            }
            Op::BranchIfIntersects { a, b, to } => {
                if bitset::meets(machine.set(a), machine.set(b)) {
                    go_to!(to);
                }
            }
            Op::RequireZero { n } => {
                if machine.number(n) != 0 {
                    return Event::Fail;
                }
            }
            Op::RequireEmpty { a } => {
                if !bitset::is_empty(machine.set(a)) {
                    return Event::Fail;
                }
            }
            Op::RequireDisjoint { a, b } => {
                if bitset::meets(machine.set(a), machine.set(b)) {
                    return Event::Fail;
                }
            }
            Op::BranchByAttackFilter { a, b, near, some, to } => {
                if code.nears.meet(near, machine.set(a), machine.set(b)) == some {
                    go_to!(to);
                }
            }
            Op::BranchUnlessInLine { a, within, trail, to } => {
                let trail = &code.tables.trails[usize::from(trail)];
                if !trail.in_row_through(machine.set(a), machine.sole(a, trail.single), machine.set(within)) {
                    go_to!(to);
                }
            }
            Op::BranchUnlessRayQuery { d, a, x, y, trail, to } => {
                let trail = &code.tables.trails[usize::from(trail)];
                match trail.find(machine.set(a), machine.sole(a, trail.single), machine.set(x), machine.set(y)) {
                    Some(found) => machine.put(d, found),
                    None => go_to!(to),
                }
            }
            Op::NextCell { of, cell, to } => {
                let set = *machine.set(of);
                if bitset::is_empty(&set) {
                    go_to!(to);
                } else {
                    let one = bitset::bit(bitset::lowest(&set));
                    machine.put(of, bitset::without(&set, &one));
                    machine.put(cell, one);
                }
            }
            Op::NextGroup { of, group, along, to } => {
                let set = *machine.set(of);
                if bitset::is_empty(&set) {
                    go_to!(to);
                } else {
                    let one = tables::flood(&code.tables, &bitset::bit(bitset::lowest(&set)), &set, along);
                    machine.put(of, bitset::without(&set, &one));
                    machine.put(group, one);
                }
            }
            Op::LoopBack { n, counter, place, to } => {
                let rounds = machine.number(counter) + 1;
                machine.put_number(counter, rounds);
                if machine.number(n) != 0 {
                    if rounds >= i64::from(MAX_ROUNDS) {
                        return machine.fail(FaultKind::Rounds, code.place(place));
                    }
                    go_to!(to);
                }
            }
            // The arm stands behind it.
            Op::SampleCell { of, cell, .. } if machine.drawing && !machine.numbered => {
                let of = *machine.set(of);
                match machine.draw_cell(&of, select) {
                    Some(drawn) => machine.put(cell, drawn),
                    None => return Event::Fail,
                }
            }
            Op::SampleAndNotBoth { d, of, a, b, cell, .. } if machine.drawing && !machine.numbered => {
                let left = machine.outside(of, a, b);
                machine.put(d, left);
                match machine.draw_cell(&left, select) {
                    Some(drawn) => machine.put(cell, drawn),
                    None => return Event::Fail,
                }
            }
            Op::SampleOnto { onto, of, a, b, cell, .. } if machine.drawing && !machine.numbered => {
                let left = machine.outside(of, a, b);
                match machine.draw_cell(&left, select) {
                    Some(drawn) => {
                        machine.put(onto, bitset::or(machine.set(onto), &drawn));
                        machine.put(cell, drawn);
                        ahead.next();
                    }
                    None => return Event::Fail,
                }
            }
            Op::Choice { index }
            | Op::SampleCell { index, .. }
            | Op::SampleAndNotBoth { index, .. }
            | Op::SampleOnto { index, .. } => {
                if let Op::SampleAndNotBoth { of, a, b, .. } | Op::SampleOnto { of, a, b, .. } = *op
                    && let [cells] = *code.linked.points[index as usize].cells
                {
                    machine.put(cells.of, machine.outside(of, a, b));
                }
                let ChoicePoint { infallible: sure, ranked: numbered, .. } = code.linked.points[index as usize];
                let entry = if machine.numbered {
                    take_number(machine, code, index, select)
                } else if sure && machine.drawing {
                    machine.draw_option(code, index, select)
                } else if numbered && machine.drawing && begin_number(machine, code, index) {
                    take_number(machine, code, index, select)
                } else {
                    return Event::Choice(index);
                };
                match entry {
                    Some(entry) => go_to!(entry),
                    None => return Event::Fail,
                }
            }
            Op::First { index } => return Event::First(index),
            Op::NoMoreChoices => {
                if machine.numbered && machine.left != 0 {
                    return Event::Fail;
                }
            }
            Op::CannotFail => {
                if machine.asking {
                    return Event::End;
                }
            }
            Op::Require { n } => {
                if machine.number(n) == 0 {
                    return Event::Fail;
                }
            }
            Op::Fail => return Event::Fail,
            Op::End => match machine.go_on(code) {
                Ok(to) => go_to!(to),
                Err(event) => return event,
            },
            ref rare @ (Op::Select { .. }
            | Op::NeighborsBy { .. }
            | Op::ShiftTimes { .. }
            | Op::Blockers { .. }
            | Op::BulkCount { .. }
            | Op::LineBetween { .. }
            | Op::NthCell { .. }
            | Op::Band { .. }
            | Op::Arithmetic { .. }
            | Op::BitAndNot { .. }
            | Op::CountBits { .. }
            | Op::OppositeDirs { .. }
            | Op::Equal { .. }
            | Op::Coordinate { .. }
            | Op::CountGroups { .. }
            | Op::CompareGroupSizes { .. }
            | Op::PieceRepetitions { .. }
            | Op::PositionRepetitions { .. }
            | Op::Cycle { .. }
            | Op::FaultIfIntersects { .. }
            | Op::EarlyReject { .. }
            | Op::Passed
            | Op::PlayAgain) => {
                if let Some(event) = carry_out(machine, code, rare) {
                    return event;
                }
            }
        }
    }
    Event::Fail
}

#[inline(always)]
fn holds(cmp: Cmp, a: i64, b: i64) -> bool {
    match cmp {
        Cmp::Equal => a == b,
        Cmp::NotEqual => a != b,
        Cmp::Less => a < b,
        Cmp::AtMost => a <= b,
        Cmp::Greater => a > b,
        Cmp::AtLeast => a >= b,
    }
}

/// How many options all arms of a choice have.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(crate) fn total<const W: usize>(machine: &Vm<W>, code: &Program<W>, point: u32) -> u64 {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    machine.options(code, point)
}

/// The option in the middle of the arm that has most.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(crate) fn middle<const W: usize>(machine: &Vm<W>, code: &Program<W>, point: u32) -> u64 {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let point = &code.linked.points[point as usize];
    let (mut before, mut from, mut most) = (0, 0, 0);
    for (index, arm) in point.arms.iter().enumerate() {
        let here = match point.cells.get(index) {
            Some(cells) => u64::from(bitset::count(machine.set(cells.of))),
            None => machine.weight(code, arm.options),
        };
        if here > most {
            (from, most) = (before, here);
        }
        before += here;
    }
    from + most / 2
}

/// Takes the k-th option of a choice: where to go on; `None`: there are not so many.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(crate) fn take<const W: usize>(machine: &mut Vm<W>, code: &Program<W>, point: u32, k: u64) -> Option<u32> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => bitset::nth_bit,
    };
    machine.option(code, point, k, select)
}
