//! Runs by number: where the runs behind each option are bounded, a number tells the option, and what is left of it the run behind.

use multiversion::multiversion;

use super::machine::{Code, Machine, Select};
use super::words;
use crate::ir::{LinkedArm, Op, Point, S};

/// Arms that are looked at together.
const EIGHT: usize = 8;

/// What was counted at the choice whose runs are drawn by number.
#[derive(Debug)]
pub(super) struct Shares {
    /// By class of its arms: at most how many runs there are behind these and those before, and behind each option.
    runs: Vec<(u64, u64)>,
    /// By arm: how many options it and those before it have; behind the last one the greatest number.
    options: Vec<[u64; EIGHT]>,
}

impl Shares {
    pub(super) fn new(points: &[Point]) -> Shares {
        let arms = points.iter().map(|point| point.arms.len()).max().unwrap_or(0);
        Shares { runs: Vec::new(), options: vec![[u64::MAX; EIGHT]; arms.div_ceil(EIGHT)] }
    }

    /// How many options the arms before one have.
    #[inline(always)]
    fn before(&self, arm: usize) -> u64 {
        let before = arm.wrapping_sub(1);
        self.options.get(before / EIGHT).map_or(0, |some| some[before % EIGHT])
    }

    /// The arm that has an option, of so many.
    #[inline(always)]
    fn arm_of(&self, option: u64, arms: usize) -> usize {
        // Which one it is cannot be foreseen: no jump for each.
        let (mut arm, some) = (0, arms.div_ceil(EIGHT).min(self.options.len()));
        for at in 0..some {
            for upto in &self.options[at] {
                arm += usize::from(*upto <= option);
            }
        }
        arm
    }
}

/// How many runs there are at most behind one option of an arm.
#[inline(always)]
fn bound<const W: usize>(machine: &Machine<W>, arm: &LinkedArm) -> u64 {
    if let Some(known) = arm.known_bound {
        return known;
    }
    let mut all: u64 = 0;
    for term in &arm.bound.terms {
        let mut product = term.known;
        for reg in &term.sizes {
            product = product.saturating_mul(u64::from(words::count(machine.set(*reg)).max(1)));
        }
        all = all.saturating_add(product);
    }
    all
}

/// How many runs there are at most behind the arms of a choice that have a bound; what was counted is noted.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn share_out<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, point: u32) -> u64 {
    shared_out(machine, code, point)
}

/// Draws the number of a run behind a choice, all of which have one; `false`: there are none.
#[inline(always)]
pub(super) fn begin_number<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, point: u32) -> bool {
    let most = shared_out(machine, code, point);
    if most > 0 {
        machine.keep(code, point);
        machine.draw_first(point, most);
    }
    most > 0
}

#[inline(always)]
fn shared_out<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, point: u32) -> u64 {
    let point = &code.linked.points[point as usize];
    let (mut most, mut upto) = (0u64, 0u64);
    machine.shares.runs.clear();
    for &(from, to) in &point.classes {
        let (each, before) = (each_behind(machine, &point.arms[from]), upto);
        if let Some(cells) = point.cells.get(from..to) {
            let noted = &mut machine.shares.options.as_flattened_mut()[from..to];
            // A loop over numbers: what is handed to an iterator is not compiled for the processor at hand.
            for arm in 0..noted.len().min(cells.len()) {
                upto += u64::from(words::count(&machine.sets[usize::from(cells[arm].of.0 as u8)]));
                noted[arm] = upto;
            }
        } else {
            for arm in from..to {
                upto = upto.saturating_add(machine.weight(code, point.arms[arm].options));
                machine.shares.options[arm / EIGHT][arm % EIGHT] = upto;
            }
        }
        most = most.saturating_add((upto - before).saturating_mul(each));
        machine.shares.runs.push((most, each));
    }
    // What an arm behind the last one had at another choice.
    let arms = point.arms.len();
    if let Some(some) = machine.shares.options.get_mut(arms / EIGHT) {
        some[arms % EIGHT..].fill(u64::MAX);
    }
    most
}

/// How many runs there are at most behind one option of an arm, if there is a bound.
#[inline(always)]
fn each_behind<const W: usize>(machine: &Machine<W>, arm: &LinkedArm) -> u64 {
    if arm.unbounded { 0 } else { bound(machine, arm) }
}

/// Takes the option that the number of a run falls to, and tells where to go on; what is left of the number is that of the run behind it.
#[inline(always)]
pub(super) fn take_number<const W: usize>(
    machine: &mut Machine<W>,
    code: &Code<W>,
    point: u32,
    select: impl Select,
) -> Option<u32> {
    // What is known of the first choice of a run is not of those behind it, though they may be the same one.
    let known = std::mem::replace(&mut machine.shared_out, u32::MAX) == point;
    let point = &code.linked.points[point as usize];
    if !known {
        return take_among(machine, code, point, select);
    }
    if let (Some(Op::Cap { x, trail, aims: true, .. }), [_]) = (point.cap, point.classes.as_slice()) {
        return take_aim(machine, code, point, (x, trail), select);
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

/// The same where what is left of a number is that of a cell that lines come to, which is chosen behind. Mostly something lies before it, so
/// that other numbers are drawn.
#[inline(always)]
fn take_aim<const W: usize>(
    machine: &mut Machine<W>,
    code: &Code<W>,
    point: &Point,
    (x, trail): (S, u16),
    select: impl Select,
) -> Option<u32> {
    let (aims, x) = (code.tables.trails[usize::from(trail)].aims.as_ref()?, *machine.set(x));
    let &(_, each) = machine.shares.runs.first()?;
    loop {
        let (option, left) = (machine.left.checked_div(each)?, machine.left % each);
        let arm = machine.shares.arm_of(option, point.cells.len());
        let cells = point.cells.get(arm)?;
        let cell = words::nth_number(machine.set(cells.of), (option - machine.shares.before(arm)) as u32, select);
        if let Some(aim) = aims.find(cell, left, &x) {
            machine.left = aim;
            return Some(machine.go_to(code, cells, words::bit(cell)));
        }
        machine.draw_again()?;
    }
}

/// What is left of a number behind an option of an arm: where the choice has a cap, `None` if it shows that this is the number of no run.
#[inline(always)]
fn left_behind<const W: usize>(
    machine: &Machine<W>,
    code: &Code<W>,
    point: &Point,
    (arm, option, left): (usize, u64, u64),
    select: impl Select,
) -> Option<u64> {
    let (Some(Op::Cap { x, trail, aims, .. }), Some(cells)) = (point.cap, point.cells.get(arm)) else { return Some(left) };
    let (trail, x) = (&code.tables.trails[usize::from(trail)], machine.set(x));
    let cell = words::nth_number(machine.set(cells.of), option as u32, select);
    if aims {
        return trail.aims.as_ref()?.find(cell, left, x);
    }
    Some(left).filter(|_| trail.finds_more(cell, x, left))
}

/// The option that the number falls to among those that were counted: its arm, which one it is there, and what is left of the number.
#[inline(always)]
fn shared_option<const W: usize>(machine: &Machine<W>, point: &Point) -> Option<(usize, u64, u64)> {
    let mut before = 0;
    for class in 0..point.classes.len().min(machine.shares.runs.len()) {
        let ((from, to), (upto, each)) = (point.classes[class], machine.shares.runs[class]);
        if machine.left < upto {
            let number = machine.left - before;
            let option = machine.shares.before(from) + number.checked_div(each)?;
            let arm = machine.shares.arm_of(option, to);
            return Some((arm, option - machine.shares.before(arm), number % each));
        }
        before = upto;
    }
    None
}

/// The same of a choice of which nothing is known yet.
#[inline(always)]
fn take_among<const W: usize>(machine: &mut Machine<W>, code: &Code<W>, point: &Point, select: impl Select) -> Option<u32> {
    if point.aimed {
        return machine.take_aimed(code, point);
    }
    let mut each = 0;
    for (index, arm) in point.arms.iter().enumerate() {
        if !arm.like_before {
            each = each_behind(machine, arm);
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
