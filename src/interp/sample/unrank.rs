//! Runs by number: where the runs behind each option are bounded, a number tells the option, and
//! what is left of it the run behind.
//!
//! Loops over indices: what is handed to an iterator of the library is not always compiled for the
//! processor at hand.

#![allow(clippy::needless_range_loop)]

use std::hint::select_unpredictable;

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::interp::bitset;
use crate::interp::sample::unrank_rays::{
    DIGITS, LINES, Line, RayTarget, RayTargets, Tally, count_aims, find_aim, tally,
};
use crate::interp::target::assert_has_code;
use crate::interp::vm::{Program, Select, Vm};
use crate::plan::{ArmClass, ChoicePoint, Op, SetReg};

/// Arms that are looked at together.
const EIGHT: usize = 8;
/// So many arms are as well looked at one by one.
const FEW: usize = 16;

/// What was counted at the choice whose runs are drawn by number.
#[derive(Debug)]
pub(crate) struct RankBounds {
    /// By class of its arms: at most how many runs there are behind these and those before, and
    /// behind each option.
    runs: Vec<(u64, u64)>,
    /// By arm, whole eights and one more: how many options those before it have; behind the last
    /// one the greatest number. Numbers with a sign: processors compare eight of these sooner.
    before: Vec<i64>,
    /// By line, where the cells that lines come to are counted: those of the lines up to this one.
    lines: [u64; LINES],
    /// Such cells are counted.
    counted: bool,
}

impl RankBounds {
    pub(crate) fn new(points: &[ChoicePoint]) -> RankBounds {
        let most = |of: fn(&ChoicePoint) -> usize| points.iter().map(of).max().unwrap_or(0);
        let (arms, classes) = (most(|point| point.arms.len()), most(|point| point.classes.len()));
        RankBounds {
            runs: vec![(0, 0); classes],
            before: vec![0; arms.next_multiple_of(EIGHT) + 1],
            lines: [0; LINES],
            counted: false,
        }
    }

    /// How many options the arms before one have.
    #[inline(always)]
    fn before(&self, arm: usize) -> u64 {
        self.before[arm] as u64
    }

    /// The arm that has an option, of few that were noted just now, one by one: a processor would
    /// wait to load them together.
    #[inline(always)]
    fn arm_of_few(&self, option: u64, arms: usize) -> usize {
        let (mut arm, before) = (0, &self.before[..=arms]);
        for at in 1..before.len() {
            arm = select_unpredictable(before[at] <= option as i64, at, arm);
        }
        arm
    }

    /// The arm that has an option, of so many.
    #[inline(always)]
    fn arm_of(&self, option: u64, arms: usize) -> usize {
        // Which one it is cannot be foreseen: no jump for each.
        let mut arm = 0;
        for eight in (0..arms).step_by(EIGHT) {
            let Some(&some) = self.before[eight + 1..].first_chunk::<EIGHT>() else { break };
            for upto in some {
                arm += usize::from(upto <= option as i64);
            }
        }
        arm
    }
}

/// How many runs there are at most behind one option of an arm of a class.
#[inline(always)]
fn bound<const W: usize>(machine: &Vm<W>, class: &ArmClass) -> u64 {
    let count = |reg: SetReg| u64::from(bitset::count(machine.set(reg)));
    if let [(known, sizes)] = class.sized.as_slice()
        && let &[reg] = sizes.as_slice()
    {
        return class.known.saturating_add(known.saturating_mul(count(reg)));
    }
    let (mut all, sized) = (class.known, class.sized.as_slice());
    for at in 0..sized.len() {
        let (mut product, sizes) = (sized[at].0, sized[at].1.as_slice());
        for reg in 0..sizes.len() {
            product = product.saturating_mul(count(sizes[reg]));
        }
        all = all.saturating_add(product);
    }
    all
}

/// How many runs there are at most behind the arms of a choice that have a bound; what was counted
/// is noted.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(crate) fn share_out<const W: usize>(machine: &mut Vm<W>, code: &Program<W>, point: u32) -> u64 {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    shared_out(machine, code, point)
}

/// Draws the number of a run behind a choice, all of which have one; `false`: there are none.
#[inline(always)]
pub(crate) fn begin_number<const W: usize>(machine: &mut Vm<W>, code: &Program<W>, point: u32) -> bool {
    let most = shared_out(machine, code, point);
    if most > 0 {
        machine.keep(code, point);
        machine.draw_first(point, most);
    }
    most > 0
}

#[inline(always)]
fn shared_out<const W: usize>(machine: &mut Vm<W>, code: &Program<W>, point: u32) -> u64 {
    let point = &code.linked.points[point as usize];
    machine.note_options(code, point);
    machine.shares.counted = false;
    if let Some((x, aims)) = aims_behind(code, point)
        && let Some(lines) = aims.lines(point.cells.len(), machine.shares.before(point.arms.len()))
    {
        machine.shares.counted = true;
        machine.shares.lines = count_aims(lines, &tallied(machine, point), machine.set(x));
        return machine.shares.lines[lines.len() - 1];
    }
    let (mut most, mut before, classes) = (0u64, 0, point.classes.as_slice());
    for at in 0..classes.len() {
        let (class, upto) = (&classes[at], machine.shares.before(classes[at].to));
        // Mostly classes whose bound takes long have no options, and the bound is not waited for.
        let each = if upto == before { 0 } else { bound(machine, class) };
        most = most.saturating_add((upto - before).saturating_mul(each));
        machine.shares.runs[at] = (most, each);
        before = upto;
    }
    most
}

impl<const W: usize> Vm<W> {
    /// Counts the options of a choice, arm by arm.
    #[inline(always)]
    fn note_options(&mut self, code: &Program<W>, point: &ChoicePoint) {
        let (mut upto, arms, cells) = (0u64, point.arms.len(), point.cells.as_slice());
        // What arms behind the last one had at another choice.
        if let Some(last) = self.shares.before[arms.saturating_sub(1) / EIGHT * EIGHT + 1..].first_chunk_mut::<EIGHT>()
        {
            *last = [i64::MAX; EIGHT];
        }
        if cells.is_empty() {
            for arm in 0..arms {
                upto = upto.saturating_add(self.weight(code, point.arms[arm].options)).min(i64::MAX as u64);
                self.shares.before[arm + 1] = upto as i64;
            }
            return;
        }
        let (noted, sets) = (&mut self.shares.before[1..=arms], &self.sets);
        for arm in 0..noted.len().min(cells.len()) {
            upto += u64::from(bitset::count(&sets[usize::from(cells[arm].of.0 as u8)]));
            noted[arm] = upto as i64;
        }
    }
}

/// Takes the option that the number of a run falls to, and tells where to go on; what is left of
/// the number is that of the run behind it.
#[inline(always)]
pub(crate) fn take_number<const W: usize>(
    machine: &mut Vm<W>,
    code: &Program<W>,
    point: u32,
    select: impl Select,
) -> Option<u32> {
    // What is known of the first choice of a run is not of those behind it, though they may be the
    // same one.
    let known = std::mem::replace(&mut machine.shared_out, u32::MAX) == point;
    let point = &code.linked.points[point as usize];
    if !known {
        return take_among(machine, code, point, select);
    }
    if let Some((x, aims)) = aims_behind(code, point) {
        if machine.shares.counted {
            return take_counted(machine, code, point, (x, &aims.lines), select);
        }
        return take_aim(machine, code, point, (x, aims), select);
    }
    loop {
        let (arm, option, left) = shared_option(machine, point)?;
        // Nothing is chosen before it may be: most numbers are those of no run.
        let Some(left) = left_behind(machine, code, point, (arm, option, left), select) else {
            machine.draw_again()?;
            continue;
        };
        machine.left = left;
        return Some(machine.take_of(code, point, arm, option, select));
    }
}

/// The same where what is left of a number is that of a cell that lines come to, which is chosen
/// behind. Often something lies before it, so that other numbers are drawn.
#[inline(always)]
fn take_aim<const W: usize>(
    machine: &mut Vm<W>,
    code: &Program<W>,
    point: &ChoicePoint,
    (x, aims): (SetReg, &RayTargets<W>),
    select: impl Select,
) -> Option<u32> {
    let x = *machine.set(x);
    let &(_, each) = machine.shares.runs.first()?;
    loop {
        let (option, left) = (machine.left.checked_div(each)?, machine.left % each);
        let arm = machine.shares.arm_of(option, point.cells.len());
        let cells = point.cells.get(arm)?;
        let cell = bitset::nth_number(machine.set(cells.of), (option - machine.shares.before(arm)) as u32, select);
        if let Some(aim) = aims.find(cell, left, &x) {
            machine.left = aim;
            return Some(machine.go_to(code, cells, bitset::bit(cell)));
        }
        machine.draw_again()?;
    }
}

/// The same where these cells were counted.
#[inline(always)]
fn take_counted<const W: usize>(
    machine: &mut Vm<W>,
    code: &Program<W>,
    point: &ChoicePoint,
    (x, lines): (SetReg, &[Line<W>]),
    select: impl Select,
) -> Option<u32> {
    let found = (&tallied(machine, point), machine.set(x));
    let RayTarget { cell, count, to } = find_aim(lines, found, &machine.shares.lines, machine.left, select)?;
    let (chosen, mut before) = (bitset::bit(cell), count);
    for cells in point.cells.as_slice() {
        if bitset::meets(machine.set(cells.of), &chosen) {
            if before == 0 {
                machine.left = to;
                return Some(machine.go_to(code, cells, chosen));
            }
            before -= 1;
        }
    }
    None
}

/// Where what is left of a number is that of a cell that lines come to: what they lead through, and
/// the cells.
#[inline(always)]
fn aims_behind<'a, const W: usize>(code: &'a Program<W>, point: &ChoicePoint) -> Option<(SetReg, &'a RayTargets<W>)> {
    let (Some(Op::EarlyReject { x, trail, aims: true, .. }), [_]) = (point.early_reject, point.classes.as_slice())
    else {
        return None;
    };
    let aims = code.tables.trails[usize::from(trail)].aims.as_ref()?;
    if point.cells.is_empty() { None } else { Some((x, aims)) }
}

/// How many arms of a choice offer each cell.
#[inline(always)]
fn tallied<const W: usize>(machine: &Vm<W>, point: &ChoicePoint) -> Tally<W> {
    let (mut made, cells) = ([[0; W]; DIGITS], point.cells.as_slice());
    for arm in 0..cells.len() {
        tally(&mut made, machine.set(cells[arm].of), arm);
    }
    made
}

/// What is left of a number behind an option of an arm: where the choice has a cap, `None` if it
/// shows that this is the number of no run.
#[inline(always)]
fn left_behind<const W: usize>(
    machine: &Vm<W>,
    code: &Program<W>,
    point: &ChoicePoint,
    (arm, option, left): (usize, u64, u64),
    select: impl Select,
) -> Option<u64> {
    let (Some(Op::EarlyReject { x, trail, aims, .. }), Some(cells)) = (point.early_reject, point.cells.get(arm)) else {
        return Some(left);
    };
    let (trail, x) = (&code.tables.trails[usize::from(trail)], machine.set(x));
    let cell = bitset::nth_number(machine.set(cells.of), option as u32, select);
    if aims {
        return trail.aims.as_ref()?.find(cell, left, x);
    }
    Some(left).filter(|_| trail.finds_more(cell, x, left))
}

/// The option that the number falls to among those that were counted: its arm, which one it is
/// there, and what is left of the number.
#[inline(always)]
fn shared_option<const W: usize>(machine: &Vm<W>, point: &ChoicePoint) -> Option<(usize, u64, u64)> {
    let mut before = 0;
    let classes = point.classes.as_slice();
    for class in 0..classes.len() {
        let (upto, each) = machine.shares.runs[class];
        if machine.left < upto {
            let ArmClass { from, to, .. } = classes[class];
            let number = machine.left - before;
            let option = machine.shares.before(from) + number.checked_div(each)?;
            let arm = if to <= FEW { machine.shares.arm_of_few(option, to) } else { machine.shares.arm_of(option, to) };
            return Some((arm, option - machine.shares.before(arm), number % each));
        }
        before = upto;
    }
    None
}

/// The same of a choice of which nothing is known yet.
#[inline(always)]
fn take_among<const W: usize>(
    machine: &mut Vm<W>,
    code: &Program<W>,
    point: &ChoicePoint,
    select: impl Select,
) -> Option<u32> {
    if point.aimed {
        return machine.take_aimed(code, point);
    }
    let mut each = 0;
    for (index, arm) in point.arms.iter().enumerate() {
        let class = &point.classes[arm.class];
        if index == class.from {
            each = bound(machine, class);
        }
        let here = machine.options_of(code, point, index).saturating_mul(each);
        if machine.left < here {
            let option = machine.left.checked_div(each)?;
            machine.left = left_behind(machine, code, point, (index, option, machine.left % each), select)?;
            return Some(machine.take_of(code, point, index, option, select));
        }
        machine.left -= here;
    }
    None
}
