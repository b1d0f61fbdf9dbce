//! Unranking: a rank below the bound of a choice goes in; the option that it selects comes out, and
//! the rank that is left for the choices behind it.
//!
//! Loops over indices: what is handed to an iterator of the library is not always compiled for the
//! processor at hand.

#![allow(clippy::needless_range_loop)]

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::interp::bitset;
#[cfg(target_arch = "x86_64")]
use crate::interp::bitset::deposit;
use crate::interp::options::Select;
use crate::interp::sample::unrank_rays::{
    DIGITS, Line, RayTarget, RayTargets, Tally, count_ray_targets, find_ray_target, tally,
};
use crate::interp::state::program::Program;
use crate::interp::state::sampler::LANES;
use crate::interp::state::vm::Vm;
use crate::interp::target::assert_has_code;
use crate::interp::tuning::MAX_ARMS_SCANNED_SINGLY;
use crate::plan::{ArmClass, ChoicePoint, EarlyReject, SetReg, Size};

/// How many runs there are at most behind one option of an arm of a class.
#[inline(always)]
fn bound<const W: usize>(vm: &Vm<W>, program: &Program<W>, class: &ArmClass) -> u64 {
    let count = |reg: SetReg| u64::from(bitset::count(vm.set(reg)));
    if let [(known, sizes)] = class.sized.as_slice()
        && let &[Size::Cells(reg)] = sizes.as_slice()
    {
        return class.known.saturating_add(known.saturating_mul(count(reg)));
    }
    let (mut all, sized) = (class.known, class.sized.as_slice());
    for at in 0..sized.len() {
        let (mut product, sizes) = (sized[at].0, sized[at].1.as_slice());
        for factor in 0..sizes.len() {
            product = product.saturating_mul(match sizes[factor] {
                Size::Cells(reg) => count(reg),
                Size::Height(reg) => vm.greatest_height(program, reg),
            });
        }
        all = all.saturating_add(product);
    }
    all
}

/// How many runs there are at most behind the arms of a choice that have a bound; what was counted
/// is noted.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn count_weights<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, point: u32) -> u64 {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    weights(vm, program, point)
}

/// Draws the number of a run behind a choice, all of which have one; `false`: there are none.
#[inline(always)]
fn begin_unranking<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, point: u32) -> bool {
    let most = weights(vm, program, point);
    if most > 0 {
        vm.save_clobbered(program, point);
        vm.draw_first_rank(point, most);
    }
    most > 0
}

#[inline(always)]
fn weights<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, point: u32) -> u64 {
    let point = &program.code.points[point as usize];
    vm.count_options(program, point);
    vm.sampler.bounds.counted = false;
    if let Some((x, aims)) = ray_targets_behind(program, point)
        && let Some(lines) = aims.lines(point.cells.len(), vm.sampler.bounds.before(point.arms.len()))
    {
        vm.sampler.bounds.counted = true;
        vm.sampler.bounds.lines = count_ray_targets(lines, &tally_arms(vm, point), vm.set(x));
        return vm.sampler.bounds.lines[lines.len() - 1];
    }
    let (mut most, mut before, classes) = (0u64, 0, point.classes.as_slice());
    for at in 0..classes.len() {
        let (class, upto) = (&classes[at], vm.sampler.bounds.before(classes[at].to));
        // Mostly classes whose bound takes long have no options, and the bound is not waited for.
        let each = if upto == before { 0 } else { bound(vm, program, class) };
        most = most.saturating_add((upto - before).saturating_mul(each));
        vm.sampler.bounds.runs[at] = (most, each);
        before = upto;
    }
    most
}

impl<const W: usize> Vm<W> {
    /// Counts the options of a choice, arm by arm.
    #[inline(always)]
    fn count_options(&mut self, program: &Program<W>, point: &ChoicePoint) {
        let (mut upto, arms, cells) = (0u64, point.arms.len(), point.cells.as_slice());
        // What arms behind the last one had at another choice.
        if let Some(last) =
            self.sampler.bounds.before[arms.saturating_sub(1) / LANES * LANES + 1..].first_chunk_mut::<LANES>()
        {
            *last = [i64::MAX; LANES];
        }
        if cells.is_empty() {
            for arm in 0..arms {
                upto = upto.saturating_add(self.weight(program, point.arms[arm].options)).min(i64::MAX as u64);
                self.sampler.bounds.before[arm + 1] = upto as i64;
            }
            return;
        }
        let (noted, sets) = (&mut self.sampler.bounds.before[1..=arms], &self.sets);
        for arm in 0..noted.len().min(cells.len()) {
            upto += u64::from(bitset::count(&sets[usize::from(cells[arm].of.0 as u8)]));
            noted[arm] = upto as i64;
        }
    }
}

/// [`unrank`] at the first choice of a run, whose number is drawn first. `None`: no run is known of, and
/// nothing was drawn.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn unrank_first<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, point: u32) -> Option<Option<u32>> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    begin_unranking(vm, program, point).then(|| unrank(vm, program, point))
}

/// Takes the option that the number of a run falls to, and tells where to go on; what is left of
/// the number is that of the run behind it. Apart from the dispatch loop, as it has many loops.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn unrank<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, point: u32) -> Option<u32> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => bitset::nth_bit,
    };
    // What is known of the first choice of a run is not of those behind it, though they may be the
    // same one.
    let known = std::mem::replace(&mut vm.sampler.bounded_choice, u32::MAX) == point;
    let point = &program.code.points[point as usize];
    if !known {
        return unrank_later(vm, program, point, select);
    }
    if let Some((x, aims)) = ray_targets_behind(program, point) {
        if vm.sampler.bounds.counted {
            return unrank_counted_target(vm, program, point, (x, &aims.lines), select);
        }
        return unrank_ray_target(vm, program, point, (x, aims), select);
    }
    loop {
        let (arm, option, left) = select_by_rank(vm, point)?;
        // Nothing is chosen before it may be: most numbers are those of no run.
        let Some(left) = rank_behind(vm, program, point, (arm, option, left), select) else {
            vm.redraw_rank()?;
            continue;
        };
        vm.sampler.rank = left;
        return Some(vm.take_of(program, point, arm, option, select));
    }
}

/// The same where what is left of a number is that of a cell that lines come to, which is chosen
/// behind. Often something lies before it, so that other numbers are drawn.
#[inline(always)]
fn unrank_ray_target<const W: usize>(
    vm: &mut Vm<W>,
    program: &Program<W>,
    point: &ChoicePoint,
    (x, aims): (SetReg, &RayTargets<W>),
    select: impl Select,
) -> Option<u32> {
    let x = *vm.set(x);
    let &(_, each) = vm.sampler.bounds.runs.first()?;
    loop {
        let (option, left) = (vm.sampler.rank.checked_div(each)?, vm.sampler.rank % each);
        let arm = vm.sampler.bounds.arm_of(option, point.cells.len());
        let cells = point.cells.get(arm)?;
        let cell = bitset::nth_number(vm.set(cells.of), (option - vm.sampler.bounds.before(arm)) as u32, select);
        if let Some(aim) = aims.find(cell, left, &x) {
            vm.sampler.rank = aim;
            return Some(vm.go_to(program, cells, bitset::bit(cell)));
        }
        vm.redraw_rank()?;
    }
}

/// The same where these cells were counted.
#[inline(always)]
fn unrank_counted_target<const W: usize>(
    vm: &mut Vm<W>,
    program: &Program<W>,
    point: &ChoicePoint,
    (x, lines): (SetReg, &[Line<W>]),
    select: impl Select,
) -> Option<u32> {
    let found = (&tally_arms(vm, point), vm.set(x));
    let RayTarget { cell, count, to } =
        find_ray_target(lines, found, &vm.sampler.bounds.lines, vm.sampler.rank, select)?;
    let (chosen, mut before) = (bitset::bit(cell), count);
    for cells in point.cells.as_slice() {
        if bitset::intersects(vm.set(cells.of), &chosen) {
            if before == 0 {
                vm.sampler.rank = to;
                return Some(vm.go_to(program, cells, chosen));
            }
            before -= 1;
        }
    }
    None
}

/// Where what is left of a number is that of a cell that lines come to: what they lead through, and
/// the cells.
#[inline(always)]
fn ray_targets_behind<'a, const W: usize>(
    program: &'a Program<W>,
    point: &ChoicePoint,
) -> Option<(SetReg, &'a RayTargets<W>)> {
    let (Some(EarlyReject { x, trail, aims: true, .. }), [_]) = (point.early_reject, point.classes.as_slice()) else {
        return None;
    };
    let aims = program.tables.trails[usize::from(trail)].aims.as_ref()?;
    if point.cells.is_empty() { None } else { Some((x, aims)) }
}

/// How many arms of a choice offer each cell.
#[inline(always)]
fn tally_arms<const W: usize>(vm: &Vm<W>, point: &ChoicePoint) -> Tally<W> {
    let (mut made, cells) = ([[0; W]; DIGITS], point.cells.as_slice());
    for arm in 0..cells.len() {
        tally(&mut made, vm.set(cells[arm].of), arm);
    }
    made
}

/// What is left of a number behind an option of an arm: where the choice has a cap, `None` if it
/// shows that this is the number of no run.
#[inline(always)]
fn rank_behind<const W: usize>(
    vm: &Vm<W>,
    program: &Program<W>,
    point: &ChoicePoint,
    (arm, option, left): (usize, u64, u64),
    select: impl Select,
) -> Option<u64> {
    let (Some(EarlyReject { x, trail, aims, .. }), Some(cells)) = (point.early_reject, point.cells.get(arm)) else {
        return Some(left);
    };
    let (trail, x) = (&program.tables.trails[usize::from(trail)], vm.set(x));
    let cell = bitset::nth_number(vm.set(cells.of), option as u32, select);
    if aims {
        return trail.aims.as_ref()?.find(cell, left, x);
    }
    Some(left).filter(|_| trail.finds_more(cell, x, left))
}

/// The option that the number falls to among those that were counted: its arm, which one it is
/// there, and what is left of the number.
#[inline(always)]
fn select_by_rank<const W: usize>(vm: &Vm<W>, point: &ChoicePoint) -> Option<(usize, u64, u64)> {
    let mut before = 0;
    let classes = point.classes.as_slice();
    for class in 0..classes.len() {
        let (upto, each) = vm.sampler.bounds.runs[class];
        if vm.sampler.rank < upto {
            let ArmClass { from, to, .. } = classes[class];
            let number = vm.sampler.rank - before;
            let option = vm.sampler.bounds.before(from) + number.checked_div(each)?;
            let arm = if to <= MAX_ARMS_SCANNED_SINGLY {
                vm.sampler.bounds.arm_of_few(option, to)
            } else {
                vm.sampler.bounds.arm_of(option, to)
            };
            return Some((arm, option - vm.sampler.bounds.before(arm), number % each));
        }
        before = upto;
    }
    None
}

/// The same of a choice of which nothing is known yet.
#[inline(always)]
fn unrank_later<const W: usize>(
    vm: &mut Vm<W>,
    program: &Program<W>,
    point: &ChoicePoint,
    select: impl Select,
) -> Option<u32> {
    if point.aimed {
        return vm.take_ray_target(program, point);
    }
    let mut each = 0;
    for (index, arm) in point.arms.iter().enumerate() {
        let class = &point.classes[arm.class];
        if index == class.from {
            each = bound(vm, program, class);
        }
        let here = vm.options_of(program, point, index).saturating_mul(each);
        if vm.sampler.rank < here {
            let option = vm.sampler.rank.checked_div(each)?;
            vm.sampler.rank = rank_behind(vm, program, point, (index, option, vm.sampler.rank % each), select)?;
            return Some(vm.take_of(program, point, index, option, select));
        }
        vm.sampler.rank -= here;
    }
    None
}
