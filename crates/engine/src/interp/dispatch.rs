//! Dispatch loop: an address of the code goes in; operations are executed up to the next event. It
//! is compiled for any processor and for those that count and select bits in one instruction.

use multiversion::multiversion;
use multiversion::target::match_target;

#[cfg(target_arch = "x86_64")]
use crate::interp::bitset::deposit;
use crate::interp::cold::execute;
use crate::interp::dir_vector;
use crate::interp::floods;
use crate::interp::sample::unrank::{unrank, unrank_first};
use crate::interp::state::program::Program;
use crate::interp::state::search::VmExit;
use crate::interp::state::vm::Vm;
use crate::interp::tables::ray_query;
use crate::interp::target::assert_has_code;
use crate::interp::{bitset, stacks, tables};
use crate::model::{Arithmetic, MAX_ROUNDS};
use crate::plan::{ChoicePoint, Cmp, FusedOp, REGISTERS};
use crate::position::FaultKind;

impl<const W: usize> Vm<W> {
    /// Runs from an address of the code to the next event.
    pub fn run(&mut self, program: &Program<W>, from: u32) -> VmExit {
        run(self, program, from)
    }
}

/// Runs from an address of the code to the next event.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn run<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, from: u32) -> VmExit {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => bitset::nth_bit,
    };
    let ops = program.code.code.as_slice();
    // What is to come: an end to compare with, and no place to multiply, for each operation.
    let mut ahead;
    macro_rules! go_to {
        ($to:expr) => {{
            let Some(rest) = ops.get($to as usize..) else { return VmExit::Fail };
            ahead = rest.iter();
        }};
    }
    go_to!(from);
    while let Some(op) = ahead.next() {
        match *op {
            FusedOp::Copy { d, a } => vm.put(d, *vm.set(a)),
            FusedOp::And { d, a, b } => vm.put(d, bitset::and(vm.set(a), vm.set(b))),
            FusedOp::Or { d, a, b } => vm.put(d, bitset::or(vm.set(a), vm.set(b))),
            FusedOp::AndNot { d, a, b } => vm.put(d, bitset::without(vm.set(a), vm.set(b))),
            FusedOp::AndNotBoth { d, of, a, b } => vm.put(d, vm.outside(of, a, b)),
            FusedOp::Replace { d, a, out, into } => {
                let kept = bitset::without(vm.set(a), vm.set(out));
                vm.put(d, bitset::or(&kept, vm.set(into)));
            }
            FusedOp::Partition { d, e, a, b } => {
                let (a, b) = (*vm.set(a), *vm.set(b));
                vm.put(d, bitset::without(&a, &b));
                vm.put(e, bitset::and(&a, &b));
            }
            FusedOp::PartitionTwo { d, e, a, f, g, c, b } => {
                let (a, c, b) = (*vm.set(a), *vm.set(c), *vm.set(b));
                vm.put(d, bitset::without(&a, &b));
                vm.put(e, bitset::and(&a, &b));
                vm.put(f, bitset::without(&c, &b));
                vm.put(g, bitset::and(&c, &b));
            }
            FusedOp::KeepIf { d, a, n } => {
                let mask = if vm.number(n) != 0 { u64::MAX } else { 0 };
                vm.put(d, bitset::and(vm.set(a), &[mask; W]));
            }
            FusedOp::Shift { d, a, dir } => vm.put(d, program.tables.step(vm.set(a), dir)),
            FusedOp::MaskedShift { d, a, hop } => vm.put(d, program.tables.hops[usize::from(hop)].of(vm.set(a))),
            FusedOp::Neighbors { d, a, along } => vm.put(d, program.tables.around(vm.set(a), along)),
            FusedOp::RayFill { d, a, through, dir } => {
                vm.put(d, tables::fill(&program.tables, vm.set(a), vm.set(through), dir))
            }
            FusedOp::FirstOnRay { d, a, until, dir } => vm.put(d, program.tables.ray(vm.set(a), vm.set(until), dir)),
            FusedOp::RayQuery { d, a, x, y, trail } => {
                let trail = &program.tables.trails[usize::from(trail)];
                vm.put(d, ray_query::follow(trail, vm.set(a), vm.set(x), vm.set(y)));
            }
            FusedOp::InLine { d, a, within, trail } => {
                vm.put_number(
                    d,
                    i64::from(program.tables.trails[usize::from(trail)].in_row(vm.set(a), vm.set(within))),
                );
            }
            FusedOp::SlidingReach { d, a, through, dirs } => {
                let seen = tables::sight(&program.tables, vm.set(a), vm.set(through), dirs);
                vm.put(d, seen);
            }
            FusedOp::FullLines { d, a, list } => vm.put(d, program.tables.rows(vm.set(a), list)),
            FusedOp::LineCompletions { d, a, how } => vm.put(d, program.tables.complete(vm.set(a), how)),
            // By reference: operands of each would take registers of the loop.
            ref flood @ (FusedOp::FloodFill { .. } | FusedOp::Reaches { .. }) => floods::flood(vm, program, flood),
            FusedOp::VecShift { d, a, onto, fan, lanes, wide } => {
                program.dir_vectors[usize::from(fan)].step(&mut vm.sets, (d, a, onto), lanes, wide);
            }
            FusedOp::VecKeepIf { d, a, n, lanes, bits } => {
                let n = vm.number(n);
                dir_vector::save_clobbered(&mut vm.sets, (d, a), n, bits, lanes);
            }
            FusedOp::VecRayFill { d, a, through, fan, lanes, wide } => {
                let lines = (d, a, through, None);
                program.dir_vectors[usize::from(fan)].lines::<false>(
                    &mut vm.sets,
                    &mut vm.scratch.both_ways,
                    lines,
                    lanes,
                    wide,
                );
            }
            FusedOp::VecSlidingReach { d, a, through, onto, fan, lanes, wide } => {
                let lines = (d, a, through, onto);
                program.dir_vectors[usize::from(fan)].lines::<true>(
                    &mut vm.sets,
                    &mut vm.scratch.both_ways,
                    lines,
                    lanes,
                    wide,
                );
            }
            FusedOp::VecBinary { pairing, d, a, b, lanes, wide } => {
                dir_vector::pair(&mut vm.sets, pairing, (d, a, b), lanes, wide)
            }
            FusedOp::VecPartition { d, e, a, b, lanes, wide } => {
                dir_vector::part(&mut vm.sets, (d, e, a, b), lanes, wide)
            }
            FusedOp::VecUnion { d, a, lanes, .. } => vm.put(d, dir_vector::union(&vm.sets, a, lanes)),
            FusedOp::Const { d, k } => vm.put_number(d, k),
            FusedOp::CopyNum { d, a } => vm.put_number(d, vm.number(a)),
            FusedOp::Arithmetic { op: Arithmetic::Add, d, a, b, place } => match vm.number(a).checked_add(vm.number(b))
            {
                Some(sum) => vm.put_number(d, sum),
                None => return vm.fail(FaultKind::Overflow, program.place(place)),
            },
            FusedOp::Compare { cmp, d, a, b } => {
                vm.put_number(d, i64::from(holds(cmp, vm.number(a), vm.number(b))));
            }
            FusedOp::SelectNum { d, n, a, b } => {
                vm.put_number(d, if vm.number(n) != 0 { vm.number(a) } else { vm.number(b) })
            }
            FusedOp::Not { d, a } => vm.put_number(d, i64::from(vm.number(a) == 0)),
            FusedOp::BitAnd { d, a, b } => vm.put_number(d, vm.number(a) & vm.number(b)),
            FusedOp::BitOr { d, a, b } => vm.put_number(d, vm.number(a) | vm.number(b)),
            FusedOp::TestBit { d, a, bit } => vm.put_number(d, vm.number(a) >> bit & 1),
            FusedOp::NonEmpty { d, a } => vm.put_number(d, i64::from(!bitset::is_empty(vm.set(a)))),
            FusedOp::NonEmptyAndNotBoth { d, of, a, b } => {
                let some = bitset::reaches_outside(vm.set(of), vm.set(a), vm.set(b));
                vm.put_number(d, i64::from(some));
            }
            FusedOp::Popcount { d, a } => vm.put_number(d, i64::from(bitset::count(vm.set(a)))),
            FusedOp::Intersects { d, a, b } => vm.put_number(d, i64::from(bitset::intersects(vm.set(a), vm.set(b)))),
            FusedOp::NonEmptySubset { d, a, b } => {
                let (a, b) = (vm.set(a), vm.set(b));
                let inside = !bitset::is_empty(a) && bitset::is_empty(&bitset::without(a, b));
                vm.put_number(d, i64::from(inside));
            }
            // Larger sets are worth a look before: mostly nothing is taken.
            FusedOp::RemovePieces { cells, .. } if W > 2 && bitset::is_empty(vm.set(cells)) => {}
            FusedOp::RemovePieces { cells, .. } => {
                let cells = *vm.set(cells);
                for &reg in &program.per_piece_sets {
                    vm.sets[reg % REGISTERS] = bitset::without(&vm.sets[reg % REGISTERS], &cells);
                }
            }
            FusedOp::MovePiece { from, to, .. } => {
                let (from, to) = (*vm.set(from), *vm.set(to));
                for &reg in &program.per_piece_sets {
                    let set = &mut vm.sets[reg % REGISTERS];
                    if W <= 2 {
                        // Which men it is cannot be foreseen: no jump for each.
                        let there = [u64::from(bitset::intersects(set, &from)).wrapping_neg(); W];
                        *set = bitset::or(&bitset::without(set, &from), &bitset::and(&to, &there));
                    } else if bitset::intersects(set, &from) {
                        *set = bitset::or(&bitset::without(set, &from), &to);
                    }
                }
            }
            FusedOp::Stuck { d, player } if vm.turn.speculation.take(player) => vm.put_number(d, 0),
            FusedOp::Stuck { d, player } => match vm.is_stuck(program, player) {
                Ok(stuck) => vm.put_number(d, i64::from(stuck)),
                Err(fault) => {
                    vm.turn.fault = Some(fault);
                    return VmExit::Fail;
                }
            },
            FusedOp::CanComplete { d, continuation, player } => match vm.can_complete(program, player, continuation) {
                Ok(can) => vm.put_number(d, i64::from(can)),
                Err(fault) => {
                    vm.turn.fault = Some(fault);
                    return VmExit::Fail;
                }
            },
            FusedOp::BestValue { d, continuation, player } => match vm.best_value(program, player, continuation) {
                Ok(value) => value.into_iter().for_each(|value| vm.put_number(d, value)),
                Err(fault) => {
                    vm.turn.fault = Some(fault);
                    return VmExit::Fail;
                }
            },
            ref question @ (FusedOp::StuckBehind { .. }
            | FusedOp::PositionRepetitionsBehind { .. }
            | FusedOp::CycleBehind { .. }) => {
                if let Some(event) = vm.ask_behind(program, question) {
                    return event;
                }
            }
            ref call @ FusedOp::Call { .. } => {
                if let Some(event) = vm.call(program, call) {
                    return event;
                }
            }
            FusedOp::FlipOwner { cells, player } => vm.flip(program, cells, player),
            FusedOp::Annotate { mark } => {
                if vm.choice_log.enabled {
                    let told = vm.choice_entry(mark);
                    vm.choice_log.entries.push(told);
                }
            }
            FusedOp::Acted => vm.turn.flags.acted = true,
            FusedOp::SetOutcome { outcome, winners } => vm.turn.decided = Some((outcome, vm.number(winners))),
            FusedOp::Jump { to } => go_to!(to),
            FusedOp::BranchIfZero { n, to } => {
                if vm.number(n) == 0 {
                    go_to!(to);
                }
            }
            FusedOp::BranchIfNonZero { n, to } => {
                if vm.number(n) != 0 {
                    go_to!(to);
                }
            }
            FusedOp::BranchIfEmpty { a, to } => {
                if bitset::is_empty(vm.set(a)) {
                    go_to!(to);
                }
            }
            FusedOp::BranchIfNonEmpty { a, to } => {
                if !bitset::is_empty(vm.set(a)) {
                    go_to!(to);
                }
            }
            FusedOp::BranchIfDisjoint { a, b, to } => {
                if !bitset::intersects(vm.set(a), vm.set(b)) {
                    go_to!(to);
                }
            }
            FusedOp::BranchUnlessCompare { cmp, a, b, to } => {
                if !holds(cmp, vm.number(a), vm.number(b)) {
                    go_to!(to);
                }
            }
            FusedOp::BranchIfEmptyAndNotBoth { of, a, b, to } => {
                if !bitset::reaches_outside(vm.set(of), vm.set(a), vm.set(b)) {
                    go_to!(to);
                }
            }
            FusedOp::BranchIfNonEmptyAndNotBoth { of, a, b, to } => {
                if bitset::reaches_outside(vm.set(of), vm.set(a), vm.set(b)) {
                    go_to!(to);
                }
            }
            FusedOp::BranchIfIntersects { a, b, to } => {
                if bitset::intersects(vm.set(a), vm.set(b)) {
                    go_to!(to);
                }
            }
            FusedOp::RequireZero { n } => {
                if vm.number(n) != 0 {
                    return VmExit::Fail;
                }
            }
            FusedOp::RequireEmpty { a } => {
                if !bitset::is_empty(vm.set(a)) {
                    return VmExit::Fail;
                }
            }
            FusedOp::RequireDisjoint { a, b } => {
                if bitset::intersects(vm.set(a), vm.set(b)) {
                    return VmExit::Fail;
                }
            }
            FusedOp::BranchByAttackFilter { a, b, near, some, to } => {
                if program.attacks.intersects(near, vm.set(a), vm.set(b)) == some {
                    go_to!(to);
                }
            }
            FusedOp::BranchUnlessInLine { a, within, trail, to } => {
                let trail = &program.tables.trails[usize::from(trail)];
                if !trail.in_row_through(vm.set(a), vm.sole(a, trail.single), vm.set(within)) {
                    go_to!(to);
                }
            }
            FusedOp::BranchUnlessRayQuery { d, a, x, y, trail, to } => {
                let trail = &program.tables.trails[usize::from(trail)];
                match trail.find(vm.set(a), vm.sole(a, trail.single), vm.set(x), vm.set(y)) {
                    Some(found) => vm.put(d, found),
                    None => go_to!(to),
                }
            }
            FusedOp::NextCell { of, cell, to } => {
                let set = *vm.set(of);
                if bitset::is_empty(&set) {
                    go_to!(to);
                } else {
                    let one = bitset::bit(bitset::lowest(&set));
                    vm.put(of, bitset::without(&set, &one));
                    vm.put(cell, one);
                }
            }
            FusedOp::NextGroup { of, group, along, to } => {
                let set = *vm.set(of);
                if bitset::is_empty(&set) {
                    go_to!(to);
                } else {
                    let one = program.tables.flood(&bitset::bit(bitset::lowest(&set)), &set, along);
                    vm.put(of, bitset::without(&set, &one));
                    vm.put(group, one);
                }
            }
            FusedOp::LoopBack { n, counter, place, to } => {
                let rounds = vm.number(counter) + 1;
                vm.put_number(counter, rounds);
                if vm.number(n) != 0 {
                    if rounds >= i64::from(MAX_ROUNDS) {
                        return vm.fail(FaultKind::Rounds, program.place(place));
                    }
                    go_to!(to);
                }
            }
            // The arm stands behind it.
            FusedOp::SampleCell { of, cell, .. } if vm.sampler.active && !vm.sampler.unranking => {
                let of = *vm.set(of);
                match vm.draw_cell(&of, select) {
                    Some(drawn) => vm.put(cell, drawn),
                    None => return VmExit::Fail,
                }
            }
            FusedOp::SampleAndNotBoth { d, of, a, b, cell, .. } if vm.sampler.active && !vm.sampler.unranking => {
                let left = vm.outside(of, a, b);
                vm.put(d, left);
                match vm.draw_cell(&left, select) {
                    Some(drawn) => vm.put(cell, drawn),
                    None => return VmExit::Fail,
                }
            }
            FusedOp::SampleOnto { onto, of, a, b, cell, .. } if vm.sampler.active && !vm.sampler.unranking => {
                let left = vm.outside(of, a, b);
                match vm.draw_cell(&left, select) {
                    Some(drawn) => {
                        vm.put(onto, bitset::or(vm.set(onto), &drawn));
                        vm.put(cell, drawn);
                        ahead.next();
                    }
                    None => return VmExit::Fail,
                }
            }
            FusedOp::Choice { index }
            | FusedOp::SampleCell { index, .. }
            | FusedOp::SampleAndNotBoth { index, .. }
            | FusedOp::SampleOnto { index, .. } => {
                if let FusedOp::SampleAndNotBoth { of, a, b, .. } | FusedOp::SampleOnto { of, a, b, .. } = *op
                    && let [cells] = *program.code.points[index as usize].cells
                {
                    vm.put(cells.of, vm.outside(of, a, b));
                }
                let ChoicePoint { infallible: sure, ranked: numbered, .. } = program.code.points[index as usize];
                let entry = if vm.sampler.unranking {
                    unrank(vm, program, index)
                } else if sure && vm.sampler.active {
                    vm.draw_option(program, index, select)
                } else if numbered
                    && vm.sampler.active
                    && let Some(entry) = unrank_first(vm, program, index)
                {
                    entry
                } else {
                    return VmExit::Choice(index);
                };
                match entry {
                    Some(entry) => go_to!(entry),
                    None => return VmExit::Fail,
                }
            }
            FusedOp::First { index } => return VmExit::First(index),
            FusedOp::NoMoreChoices => {
                if vm.sampler.unranking && vm.sampler.rank != 0 {
                    return VmExit::Fail;
                }
            }
            FusedOp::CannotFail => {
                if vm.search.completion_only {
                    return VmExit::End;
                }
            }
            FusedOp::AllTold => {
                if vm.choice_log.ends_runs {
                    return VmExit::End;
                }
            }
            FusedOp::Require { n } => {
                if vm.number(n) == 0 {
                    return VmExit::Fail;
                }
            }
            FusedOp::Fail => return VmExit::Fail,
            FusedOp::End => match vm.continue_run(program) {
                Ok(to) => go_to!(to),
                Err(event) => return event,
            },
            ref stacks @ (FusedOp::Heights { .. }
            | FusedOp::OfHeight { .. }
            | FusedOp::CountMen { .. }
            | FusedOp::Bottoms { .. }
            | FusedOp::MoveMen { .. }
            | FusedOp::PutMen { .. }
            | FusedOp::TakeMen { .. }
            | FusedOp::TurnMen { .. }) => stacks::execute(vm, program, stacks),
            ref rare @ (FusedOp::Select { .. }
            | FusedOp::NeighborsBy { .. }
            | FusedOp::ShiftTimes { .. }
            | FusedOp::Blockers { .. }
            | FusedOp::BulkCount { .. }
            | FusedOp::LineBetween { .. }
            | FusedOp::NthCell { .. }
            | FusedOp::Lookup { .. }
            | FusedOp::LookupNum { .. }
            | FusedOp::BitcastNum { .. }
            | FusedOp::BitcastSet { .. }
            | FusedOp::Band { .. }
            | FusedOp::Arithmetic { .. }
            | FusedOp::BitAndNot { .. }
            | FusedOp::CountBits { .. }
            | FusedOp::OppositeDirs { .. }
            | FusedOp::Equal { .. }
            | FusedOp::Coordinate { .. }
            | FusedOp::CountGroups { .. }
            | FusedOp::CompareGroupSizes { .. }
            | FusedOp::PieceRepetitions { .. }
            | FusedOp::PositionRepetitions { .. }
            | FusedOp::Cycle { .. }
            | FusedOp::FaultIfIntersects { .. }
            | FusedOp::FaultIfCrowded { .. }
            | FusedOp::Passed
            | FusedOp::PlayAgain
            | FusedOp::OpenContest { .. }
            | FusedOp::Contend { .. }) => {
                if let Some(event) = execute(vm, program, rare) {
                    return event;
                }
            }
        }
    }
    VmExit::Fail
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
pub fn total<const W: usize>(vm: &Vm<W>, program: &Program<W>, point: u32) -> u64 {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    vm.options(program, point)
}

/// The option in the middle of the arm that has most.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn middle<const W: usize>(vm: &Vm<W>, program: &Program<W>, point: u32) -> u64 {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let point = &program.code.points[point as usize];
    let (mut before, mut from, mut most) = (0, 0, 0);
    for (index, arm) in point.arms.iter().enumerate() {
        let here = match point.cells.get(index) {
            Some(cells) => u64::from(bitset::count(vm.set(cells.of))),
            None => vm.weight(program, arm.options),
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
pub fn take<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, point: u32, k: u64) -> Option<u32> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => bitset::nth_bit,
    };
    vm.option(program, point, k, select)
}
