//! The loop that carries out operations, in one version for any machine and one for processors that count and select bits at once.

use multiversion::multiversion;

use super::fans;
use super::machine::{Code, Event, Machine};
use super::words;
use crate::ir::{LinkedArm, Op, REGISTERS, S};
use crate::model::MAX_ROUNDS;
use crate::position::{FaultKind, calculate};

/// Runs from a place of the code to the next event.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn run<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, from: u32) -> Event {
    let ops = code.linked.code.as_slice();
    let mut pc = from as usize;
    loop {
        let Some(op) = ops.get(pc) else { return Event::Fail };
        pc += 1;
        match *op {
            Op::Copy { d, a } => machine.put(d, *machine.set(a)),
            Op::And { d, a, b } => machine.put(d, words::and(machine.set(a), machine.set(b))),
            Op::Or { d, a, b } => machine.put(d, words::or(machine.set(a), machine.set(b))),
            Op::Without { d, a, b } => machine.put(d, words::without(machine.set(a), machine.set(b))),
            Op::Keep { d, a, n } => {
                let mask = if machine.number(n) != 0 { u64::MAX } else { 0 };
                machine.put(d, machine.set(a).map(|word| word & mask));
            }
            Op::Hop { d, a, hop } => machine.put(d, code.tables.hops[usize::from(hop)].of(machine.set(a))),
            Op::Around { d, a, along } => machine.put(d, code.tables.around(machine.set(a), along)),
            Op::Fill { d, a, through, dir } => machine.put(d, code.tables.fill(machine.set(a), machine.set(through), dir)),
            Op::Ray { d, a, until, dir } => machine.put(d, code.tables.ray(machine.set(a), machine.set(until), dir)),
            Op::Rows { d, a, list } => machine.put(d, code.tables.rows(machine.set(a), list)),
            Op::Flood { d, a, within, along } => machine.put(d, code.tables.flood(machine.set(a), machine.set(within), along)),
            Op::FanStep { d, a, fan, lanes, wide } => code.fans[usize::from(fan)].step(&mut machine.sets, (d, a), lanes, wide),
            Op::FanFill { d, a, through, fan, lanes, wide } => {
                code.fans[usize::from(fan)].fill(&mut machine.sets, (d, a, through), lanes, wide);
            }
            Op::FanPair { pairing, d, a, b, lanes, wide } => fans::pair(&mut machine.sets, pairing, (d, a, b), lanes, wide),
            Op::FanUnion { d, a, lanes } => machine.put(d, fans::union(&machine.sets, a, lanes)),
            Op::Number { d, k } => machine.put_number(d, k),
            Op::Move { d, a } => machine.put_number(d, machine.number(a)),
            Op::Compare { cmp, d, a, b } => {
                machine.put_number(d, i64::from(cmp.holds(machine.number(a).cmp(&machine.number(b)))));
            }
            Op::Choose { d, n, a, b } => {
                machine.put_number(d, if machine.number(n) != 0 { machine.number(a) } else { machine.number(b) })
            }
            Op::Not { d, a } => machine.put_number(d, i64::from(machine.number(a) == 0)),
            Op::Both { d, a, b } => machine.put_number(d, machine.number(a) & machine.number(b)),
            Op::Either { d, a, b } => machine.put_number(d, machine.number(a) | machine.number(b)),
            Op::Bit { d, a, bit } => machine.put_number(d, machine.number(a) >> bit & 1),
            Op::Some { d, a } => machine.put_number(d, i64::from(!words::is_empty(machine.set(a)))),
            Op::Count { d, a } => machine.put_number(d, i64::from(words::count(machine.set(a)))),
            Op::Meet { d, a, b } => machine.put_number(d, i64::from(words::meets(machine.set(a), machine.set(b)))),
            Op::Within { d, a, b } => {
                let (a, b) = (machine.set(a), machine.set(b));
                let inside = !words::is_empty(a) && words::is_empty(&words::without(a, b));
                machine.put_number(d, i64::from(inside));
            }
            Op::Clear { cells } => {
                let cells = *machine.set(cells);
                for &reg in &code.men {
                    machine.sets[reg % REGISTERS] = words::without(&machine.sets[reg % REGISTERS], &cells);
                }
            }
            Op::Carry { from, to } => {
                let (from, to) = (*machine.set(from), *machine.set(to));
                for &reg in &code.men {
                    let set = &mut machine.sets[reg % REGISTERS];
                    if words::meets(set, &from) {
                        *set = words::or(&words::without(set, &from), &to);
                    }
                }
            }
            Op::Tell { mark } => {
                if machine.telling {
                    let told = machine.telling_of(mark);
                    machine.told.push(told);
                }
            }
            Op::Decide { outcome, winners } => machine.decided = Some((outcome, machine.number(winners))),
            Op::Jump { to } => pc = to as usize,
            Op::Unless { n, to } => {
                if machine.number(n) == 0 {
                    pc = to as usize;
                }
            }
            Op::NextCell { of, cell, to } => {
                let set = *machine.set(of);
                if words::is_empty(&set) {
                    pc = to as usize;
                } else {
                    let one = words::bit(words::lowest(&set));
                    machine.put(of, words::without(&set, &one));
                    machine.put(cell, one);
                }
            }
            Op::NextGroup { of, group, along, to } => {
                let set = *machine.set(of);
                if words::is_empty(&set) {
                    pc = to as usize;
                } else {
                    let one = code.tables.flood(&words::bit(words::lowest(&set)), &set, along);
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
                    pc = to as usize;
                }
            }
            Op::Choice { index } => {
                if !machine.drawing || !code.linked.points[index as usize].sure {
                    return Event::Choice(index);
                }
                match machine.draw_option(code, index) {
                    Some(entry) => pc = entry as usize,
                    None => return Event::Fail,
                }
            }
            Op::First { index } => return Event::First(index),
            Op::Need { n } => {
                if machine.number(n) == 0 {
                    return Event::Fail;
                }
            }
            Op::Fail => return Event::Fail,
            Op::End => return Event::End,
            ref rare => {
                if let Some(event) = carry_out(machine, code, rare) {
                    return event;
                }
            }
        }
    }
}

/// The rarer operations, apart, so that the loop stays small; what stopped the run, if anything did.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn carry_out<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, op: &Op) -> Option<Event> {
    match *op {
        Op::Select { d, n, a, b } => machine.put(d, if machine.number(n) != 0 { *machine.set(a) } else { *machine.set(b) }),
        Op::Shift { d, a, dir } => machine.put(d, code.tables.step(machine.set(a), dir)),
        Op::AroundBits { d, a, dirs } => machine.put(d, code.tables.around_bits(machine.set(a), machine.number(dirs))),
        Op::Steps { d, a, through, n, dir } => {
            machine.put(d, code.tables.steps(machine.set(a), machine.set(through), machine.number(n), dir));
        }
        Op::Span { d, a, b, place } => match code.tables.span(machine.set(a), machine.set(b)) {
            Ok(line) => machine.put(d, line),
            Err(several) => return Some(machine.fail(FaultKind::NotOneCell(several), code.place(place))),
        },
        Op::Nth { d, a, n } => machine.put(d, code.tables.nth_cell(machine.set(a), machine.number(n))),
        Op::Band { d, fold, from, to, player } => {
            let forward = code.forwards[player.index()];
            machine.put(d, code.tables.band(fold, machine.number(from), machine.number(to), forward));
        }
        Op::Arithmetic { op, d, a, b, place } => match calculate(op, machine.number(a), machine.number(b)) {
            Ok(value) => machine.put_number(d, value),
            Err(kind) => return Some(machine.fail(kind, code.place(place))),
        },
        Op::Less { d, a, b } => machine.put_number(d, machine.number(a) & !machine.number(b)),
        Op::CountBits { d, a } => machine.put_number(d, i64::from(machine.number(a).count_ones())),
        Op::Opposites { d, a } => {
            let (mut left, mut all) = (machine.number(a) as u64, 0u64);
            while left != 0 {
                all |= 1 << code.tables.opposite[left.trailing_zeros() as usize % code.tables.opposite.len()];
                left &= left - 1;
            }
            machine.put_number(d, all as i64);
        }
        Op::Same { d, a, b } => machine.put_number(d, i64::from(machine.set(a) == machine.set(b))),
        Op::Coordinate { d, fold, a, player, place } => {
            let cells = code.tables.grid.cells(machine.set(a));
            match cells.single() {
                Some(cell) => {
                    machine.put_number(d, code.tables.coordinate(fold, cell, code.forwards[player.index()]));
                }
                None => return Some(machine.fail(FaultKind::NotOneCell(cells.len()), code.place(place))),
            }
        }
        Op::CountGroups { d, a, along } => machine.put_number(d, code.tables.count_groups(machine.set(a), along)),
        Op::TimesPieces { d, more } => {
            let hash = machine.pieces_hash(code);
            machine.put_number(d, machine.history.times_pieces(hash) + more);
        }
        Op::TimesPosition { d, more } => {
            let hash = machine.position_hash(code);
            machine.put_number(d, machine.history.times_position(hash) + more);
        }
        Op::Cycle { d } => {
            let hash = machine.position_hash(code);
            machine.put_number(d, machine.history.cycle(hash));
        }
        Op::Stuck { d, player } => match machine.is_stuck(code, player) {
            Ok(stuck) => machine.put_number(d, i64::from(stuck)),
            Err(fault) => {
                machine.fault = Some(fault);
                return Some(Event::Fail);
            }
        },
        Op::Flip { cells, player } => machine.flip(code, cells, player),
        Op::Free { cells, of, place } => {
            let both = words::and(machine.set(cells), machine.set(of));
            if !words::is_empty(&both)
                && let Some(cell) = code.tables.grid.cell(words::lowest(&both))
            {
                return Some(machine.fail(FaultKind::TwoMen(cell), code.place(place)));
            }
        }
        Op::Passed => machine.flags.passed = true,
        Op::Acted => machine.flags.acted = true,
        Op::PlayAgain => machine.flags.again = true,
        // The loop carries out all others itself.
        _ => {}
    }
    None
}

/// How many options all arms of a choice have.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn total<const W: usize>(machine: &Machine<W>, code: &Code<W>, point: u32) -> u64 {
    machine.options(code, point)
}

/// Takes the k-th option of a choice: where to go on; `None`: there are not so many.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn take<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, point: u32, k: u64) -> Option<u32> {
    machine.option(code, point, k)
}

/// Draws an option of a choice of which each completes the run: where to go on; `None`: there is none.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn draw_option<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, point: u32) -> Option<u32> {
    machine.draw_option(code, point)
}

/// How many runs there are at most behind one option of an arm.
#[inline(always)]
fn bound<const W: usize>(machine: &Machine<W>, arm: &LinkedArm) -> u64 {
    if let Some(known) = arm.known_bound {
        return known;
    }
    let size = |reg: &S| u64::from(words::count(machine.set(*reg)).max(1));
    let terms = arm.bound.terms.iter().map(|term| term.sizes.iter().map(size).fold(term.known, u64::saturating_mul));
    terms.fold(0, u64::saturating_add)
}

/// How many runs there are at most behind those arms of a choice that have a bound.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn most<const W: usize>(machine: &Machine<W>, code: &Code<W>, point: u32) -> u64 {
    let arms = &code.linked.points[point as usize].arms;
    let mut most: u64 = 0;
    for arm in arms.iter().filter(|arm| !arm.unbounded) {
        most = most.saturating_add(machine.weight(code, arm.options).saturating_mul(bound(machine, arm)));
    }
    most
}

/// Takes the option that the number of a run falls to, and tells where to go on; what is left of the number is that of the run behind it.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn take_number<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, point: u32, number: &mut u64) -> Option<u32> {
    for arm in code.linked.points[point as usize].arms.iter().filter(|arm| !arm.unbounded) {
        let bound = bound(machine, arm);
        let here = machine.weight(code, arm.options).saturating_mul(bound);
        if *number < here {
            machine.choose(code, arm.options, *number / bound);
            *number %= bound;
            return Some(arm.entry);
        }
        *number -= here;
    }
    None
}
