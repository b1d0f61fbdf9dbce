//! The loop that carries out operations, in one version for any machine and one for processors that count and select bits at once.

use multiversion::multiversion;
use multiversion::target::match_target;

use super::fans;
use super::groups;
use super::machine::{Code, Event, Machine};
use super::number::{begin_number, take_number};
use super::rare::carry_out;
#[cfg(target_arch = "x86_64")]
use super::words::deposit;
use super::{tables, trails, words};
use crate::ir::{Cmp, Op, Point, REGISTERS};
use crate::model::{Arithmetic, MAX_ROUNDS};
use crate::position::FaultKind;

/// Runs from a place of the code to the next event.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn run<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, from: u32) -> Event {
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => words::nth_bit,
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
            Op::And { d, a, b } => machine.put(d, words::and(machine.set(a), machine.set(b))),
            Op::Or { d, a, b } => machine.put(d, words::or(machine.set(a), machine.set(b))),
            Op::Without { d, a, b } => machine.put(d, words::without(machine.set(a), machine.set(b))),
            Op::Outside { d, of, a, b } => machine.put(d, machine.outside(of, a, b)),
            Op::Exchange { d, a, out, into } => {
                let kept = words::without(machine.set(a), machine.set(out));
                machine.put(d, words::or(&kept, machine.set(into)));
            }
            Op::Part { d, e, a, b } => {
                let (a, b) = (*machine.set(a), *machine.set(b));
                machine.put(d, words::without(&a, &b));
                machine.put(e, words::and(&a, &b));
            }
            Op::PartTwo { d, e, a, f, g, c, b } => {
                let (a, c, b) = (*machine.set(a), *machine.set(c), *machine.set(b));
                machine.put(d, words::without(&a, &b));
                machine.put(e, words::and(&a, &b));
                machine.put(f, words::without(&c, &b));
                machine.put(g, words::and(&c, &b));
            }
            Op::Keep { d, a, n } => {
                let mask = if machine.number(n) != 0 { u64::MAX } else { 0 };
                machine.put(d, words::and(machine.set(a), &[mask; W]));
            }
            Op::Shift { d, a, dir } => machine.put(d, code.tables.step(machine.set(a), dir)),
            Op::Hop { d, a, hop } => machine.put(d, code.tables.hops[usize::from(hop)].of(machine.set(a))),
            Op::Around { d, a, along } => machine.put(d, code.tables.around(machine.set(a), along)),
            Op::Fill { d, a, through, dir } => {
                machine.put(d, tables::fill(&code.tables, machine.set(a), machine.set(through), dir))
            }
            Op::Ray { d, a, until, dir } => machine.put(d, code.tables.ray(machine.set(a), machine.set(until), dir)),
            Op::Follow { d, a, x, y, trail } => {
                let trail = &code.tables.trails[usize::from(trail)];
                machine.put(d, trails::follow(trail, machine.set(a), machine.set(x), machine.set(y)));
            }
            Op::InRow { d, a, within, trail } => {
                machine
                    .put_number(d, i64::from(code.tables.trails[usize::from(trail)].in_row(machine.set(a), machine.set(within))));
            }
            Op::Sight { d, a, through, dirs } => {
                let seen = tables::sight(&code.tables, machine.set(a), machine.set(through), dirs);
                machine.put(d, seen);
            }
            Op::Rows { d, a, list } => machine.put(d, code.tables.rows(machine.set(a), list)),
            Op::Complete { d, a, how } => machine.put(d, code.tables.complete(machine.set(a), how)),
            ref flood @ (Op::Flood { .. } | Op::Joined { .. }) => groups::flood(machine, code, flood),
            Op::FanStep { d, a, onto, fan, lanes, wide } => {
                code.fans[usize::from(fan)].step(&mut machine.sets, (d, a, onto), lanes, wide);
            }
            Op::FanKeep { d, a, n, lanes, bits } => {
                let n = machine.number(n);
                fans::keep(&mut machine.sets, (d, a), n, bits, lanes);
            }
            Op::FanFill { d, a, through, fan, lanes, wide } => {
                let lines = (d, a, through, None);
                code.fans[usize::from(fan)].lines::<false>(&mut machine.sets, &mut machine.both, lines, lanes, wide);
            }
            Op::FanSight { d, a, through, onto, fan, lanes, wide } => {
                let lines = (d, a, through, onto);
                code.fans[usize::from(fan)].lines::<true>(&mut machine.sets, &mut machine.both, lines, lanes, wide);
            }
            Op::FanPair { pairing, d, a, b, lanes, wide } => fans::pair(&mut machine.sets, pairing, (d, a, b), lanes, wide),
            Op::FanPart { d, e, a, b, lanes, wide } => fans::part(&mut machine.sets, (d, e, a, b), lanes, wide),
            Op::FanUnion { d, a, lanes, .. } => machine.put(d, fans::union(&machine.sets, a, lanes)),
            Op::Number { d, k } => machine.put_number(d, k),
            Op::Move { d, a } => machine.put_number(d, machine.number(a)),
            Op::Arithmetic { op: Arithmetic::Add, d, a, b, place } => match machine.number(a).checked_add(machine.number(b)) {
                Some(sum) => machine.put_number(d, sum),
                None => return machine.fail(FaultKind::Overflow, code.place(place)),
            },
            Op::Compare { cmp, d, a, b } => {
                machine.put_number(d, i64::from(holds(cmp, machine.number(a), machine.number(b))));
            }
            Op::Choose { d, n, a, b } => {
                machine.put_number(d, if machine.number(n) != 0 { machine.number(a) } else { machine.number(b) })
            }
            Op::Not { d, a } => machine.put_number(d, i64::from(machine.number(a) == 0)),
            Op::Both { d, a, b } => machine.put_number(d, machine.number(a) & machine.number(b)),
            Op::Either { d, a, b } => machine.put_number(d, machine.number(a) | machine.number(b)),
            Op::Bit { d, a, bit } => machine.put_number(d, machine.number(a) >> bit & 1),
            Op::Some { d, a } => machine.put_number(d, i64::from(!words::is_empty(machine.set(a)))),
            Op::SomeOutside { d, of, a, b } => {
                let some = words::reaches_outside(machine.set(of), machine.set(a), machine.set(b));
                machine.put_number(d, i64::from(some));
            }
            Op::Count { d, a } => machine.put_number(d, i64::from(words::count(machine.set(a)))),
            Op::Meet { d, a, b } => machine.put_number(d, i64::from(words::meets(machine.set(a), machine.set(b)))),
            Op::Within { d, a, b } => {
                let (a, b) = (machine.set(a), machine.set(b));
                let inside = !words::is_empty(a) && words::is_empty(&words::without(a, b));
                machine.put_number(d, i64::from(inside));
            }
            // Larger sets are worth a look before: mostly nothing is taken.
            Op::Clear { cells, .. } if W > 2 && words::is_empty(machine.set(cells)) => {}
            Op::Clear { cells, .. } => {
                let cells = *machine.set(cells);
                for &reg in &code.men {
                    machine.sets[reg % REGISTERS] = words::without(&machine.sets[reg % REGISTERS], &cells);
                }
            }
            Op::Carry { from, to, .. } => {
                let (from, to) = (*machine.set(from), *machine.set(to));
                for &reg in &code.men {
                    let set = &mut machine.sets[reg % REGISTERS];
                    if W <= 2 {
                        // Which men it is cannot be foreseen: no jump for each.
                        let there = [u64::from(words::meets(set, &from)).wrapping_neg(); W];
                        *set = words::or(&words::without(set, &from), &words::and(&to, &there));
                    } else if words::meets(set, &from) {
                        *set = words::or(&words::without(set, &from), &to);
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
            Op::Flip { cells, player } => machine.flip(code, cells, player),
            Op::Tell { mark } => {
                if machine.telling {
                    let told = machine.telling_of(mark);
                    machine.told.push(told);
                }
            }
            Op::Acted => machine.flags.acted = true,
            Op::Decide { outcome, winners } => machine.decided = Some((outcome, machine.number(winners))),
            Op::Jump { to } => go_to!(to),
            Op::Unless { n, to } => {
                if machine.number(n) == 0 {
                    go_to!(to);
                }
            }
            Op::When { n, to } => {
                if machine.number(n) != 0 {
                    go_to!(to);
                }
            }
            Op::UnlessSome { a, to } => {
                if words::is_empty(machine.set(a)) {
                    go_to!(to);
                }
            }
            Op::WhenSome { a, to } => {
                if !words::is_empty(machine.set(a)) {
                    go_to!(to);
                }
            }
            Op::UnlessMeet { a, b, to } => {
                if !words::meets(machine.set(a), machine.set(b)) {
                    go_to!(to);
                }
            }
            Op::UnlessCompare { cmp, a, b, to } => {
                if !holds(cmp, machine.number(a), machine.number(b)) {
                    go_to!(to);
                }
            }
            Op::UnlessSomeOutside { of, a, b, to } => {
                if !words::reaches_outside(machine.set(of), machine.set(a), machine.set(b)) {
                    go_to!(to);
                }
            }
            Op::WhenSomeOutside { of, a, b, to } => {
                if words::reaches_outside(machine.set(of), machine.set(a), machine.set(b)) {
                    go_to!(to);
                }
            }
            Op::WhenMeet { a, b, to } => {
                if words::meets(machine.set(a), machine.set(b)) {
                    go_to!(to);
                }
            }
            Op::NeedNot { n } => {
                if machine.number(n) != 0 {
                    return Event::Fail;
                }
            }
            Op::NeedNone { a } => {
                if !words::is_empty(machine.set(a)) {
                    return Event::Fail;
                }
            }
            Op::NeedApart { a, b } => {
                if words::meets(machine.set(a), machine.set(b)) {
                    return Event::Fail;
                }
            }
            Op::JumpNear { a, b, near, some, to } => {
                if code.nears.meet(near, machine.set(a), machine.set(b)) == some {
                    go_to!(to);
                }
            }
            Op::UnlessInRow { a, within, trail, to } => {
                let trail = &code.tables.trails[usize::from(trail)];
                if !trail.in_row_through(machine.set(a), machine.sole(a, trail.single), machine.set(within)) {
                    go_to!(to);
                }
            }
            Op::UnlessFollow { d, a, x, y, trail, to } => {
                let trail = &code.tables.trails[usize::from(trail)];
                match trail.find(machine.set(a), machine.sole(a, trail.single), machine.set(x), machine.set(y)) {
                    Some(found) => machine.put(d, found),
                    None => go_to!(to),
                }
            }
            Op::NextCell { of, cell, to } => {
                let set = *machine.set(of);
                if words::is_empty(&set) {
                    go_to!(to);
                } else {
                    let one = words::bit(words::lowest(&set));
                    machine.put(of, words::without(&set, &one));
                    machine.put(cell, one);
                }
            }
            Op::NextGroup { of, group, along, to } => {
                let set = *machine.set(of);
                if words::is_empty(&set) {
                    go_to!(to);
                } else {
                    let one = tables::flood(&code.tables, &words::bit(words::lowest(&set)), &set, along);
                    machine.put(of, words::without(&set, &one));
                    machine.put(group, one);
                }
            }
            Op::Again { n, counter, place, to } => {
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
            Op::Draw { of, cell, .. } if machine.drawing && !machine.numbered => {
                let of = *machine.set(of);
                match machine.draw_cell(&of, select) {
                    Some(drawn) => machine.put(cell, drawn),
                    None => return Event::Fail,
                }
            }
            Op::DrawOutside { d, of, a, b, cell, .. } if machine.drawing && !machine.numbered => {
                let left = machine.outside(of, a, b);
                machine.put(d, left);
                match machine.draw_cell(&left, select) {
                    Some(drawn) => machine.put(cell, drawn),
                    None => return Event::Fail,
                }
            }
            Op::DrawOnto { onto, of, a, b, cell, .. } if machine.drawing && !machine.numbered => {
                let left = machine.outside(of, a, b);
                match machine.draw_cell(&left, select) {
                    Some(drawn) => {
                        machine.put(onto, words::or(machine.set(onto), &drawn));
                        machine.put(cell, drawn);
                        ahead.next();
                    }
                    None => return Event::Fail,
                }
            }
            Op::Choice { index } | Op::Draw { index, .. } | Op::DrawOutside { index, .. } | Op::DrawOnto { index, .. } => {
                if let Op::DrawOutside { of, a, b, .. } | Op::DrawOnto { of, a, b, .. } = *op
                    && let [cells] = *code.linked.points[index as usize].cells
                {
                    machine.put(cells.of, machine.outside(of, a, b));
                }
                let Point { sure, numbered, .. } = code.linked.points[index as usize];
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
            Op::Last => {
                if machine.numbered && machine.left != 0 {
                    return Event::Fail;
                }
            }
            Op::Safe => {
                if machine.asking {
                    return Event::End;
                }
            }
            Op::Need { n } => {
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
            | Op::AroundBits { .. }
            | Op::Steps { .. }
            | Op::Guard { .. }
            | Op::Settle { .. }
            | Op::Span { .. }
            | Op::Nth { .. }
            | Op::Band { .. }
            | Op::Arithmetic { .. }
            | Op::Less { .. }
            | Op::CountBits { .. }
            | Op::Opposites { .. }
            | Op::Same { .. }
            | Op::Coordinate { .. }
            | Op::CountGroups { .. }
            | Op::CompareSizes { .. }
            | Op::TimesPieces { .. }
            | Op::TimesPosition { .. }
            | Op::Cycle { .. }
            | Op::Free { .. }
            | Op::Cap { .. }
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
pub(super) fn total<const W: usize>(machine: &Machine<W>, code: &Code<W>, point: u32) -> u64 {
    machine.options(code, point)
}

/// The option in the middle of the arm that has most.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn middle<const W: usize>(machine: &Machine<W>, code: &Code<W>, point: u32) -> u64 {
    let point = &code.linked.points[point as usize];
    let (mut before, mut from, mut most) = (0, 0, 0);
    for (index, arm) in point.arms.iter().enumerate() {
        let here = match point.cells.get(index) {
            Some(cells) => u64::from(words::count(machine.set(cells.of))),
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
pub(super) fn take<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, point: u32, k: u64) -> Option<u32> {
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => words::nth_bit,
    };
    machine.option(code, point, k, select)
}
