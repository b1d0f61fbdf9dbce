//! Unmasked-store elimination: lane code goes in; which operations need not keep what waiting lanes
//! hold comes out. It is liveness under divergence.
//!
//! An operation in a branch is meant for some lanes. What it writes must not change in the others
//! if they read it again before they write it:
//!
//! ```text
//! if n9
//!   s7 = White or Black          only where n9 holds, or in all lanes: nobody else reads s7 before he writes it
//!   ...
//! else
//!   s7 = any and not White
//! ```
//!
//! Where lanes go on that wait is known from how branches and rounds are nested, and what each of
//! them reads later is found backwards.

use crate::plan::{Access, Code, LinearOp, NumReg, Options, SetReg};
use crate::simt::code::{Live, MergedShift, SimtOp};
use crate::simt::kernels::ops::Test;

impl Live {
    fn union_with(&mut self, other: &Live) {
        self.sets.iter_mut().zip(&other.sets).for_each(|(mine, other)| *mine |= other);
        self.numbers.iter_mut().zip(&other.numbers).for_each(|(mine, other)| *mine |= other);
    }

    fn add_set(&mut self, SetReg(reg): SetReg) {
        self.sets[usize::from(reg) / 64] |= 1 << (reg % 64);
    }

    fn add_number(&mut self, NumReg(reg): NumReg) {
        self.numbers[usize::from(reg) / 64] |= 1 << (reg % 64);
    }

    fn drop_set(&mut self, SetReg(reg): SetReg) {
        self.sets[usize::from(reg) / 64] &= !(1 << (reg % 64));
    }

    fn drop_number(&mut self, NumReg(reg): NumReg) {
        self.numbers[usize::from(reg) / 64] &= !(1 << (reg % 64));
    }

    pub fn has_set(&self, SetReg(reg): SetReg) -> bool {
        self.sets[usize::from(reg) / 64] >> (reg % 64) & 1 == 1
    }

    pub fn has_number(&self, NumReg(reg): NumReg) -> bool {
        self.numbers[usize::from(reg) / 64] >> (reg % 64) & 1 == 1
    }

    /// Registers below these numbers, which all lanes keep.
    fn below((sets, numbers): (u16, u16)) -> Live {
        let mut live = Live::default();
        (0..sets).for_each(|reg| live.add_set(SetReg(reg)));
        (0..numbers).for_each(|reg| live.add_number(NumReg(reg)));
        live
    }

    /// Whether an operation writes one of them, or men.
    fn has_written(&self, op: &LinearOp) -> bool {
        let mut found = false;
        op.accesses(|access| match access {
            Access::DefSet(reg) => found |= self.has_set(reg),
            Access::DefNum(reg) => found |= self.has_number(reg),
            Access::Pieces => found = true,
            _ => {}
        });
        found
    }

    fn read(&mut self, op: &LinearOp) {
        op.accesses(|access| match access {
            Access::UseSet(reg) => self.add_set(reg),
            Access::UseNum(reg) => self.add_number(reg),
            _ => {}
        });
    }

    /// What is live before an operation, of what is behind it.
    fn pass(&mut self, op: &LinearOp) {
        op.accesses(|access| match access {
            Access::DefSet(reg) => self.drop_set(reg),
            Access::DefNum(reg) => self.drop_number(reg),
            _ => {}
        });
        self.read(op);
    }

    fn read_test(&mut self, test: Test) {
        match test {
            Test::True(n) | Test::False(n) => self.add_number(n),
            Test::Some(a) | Test::None(a) => self.add_set(a),
            Test::Meet(a, b) => [a, b].into_iter().for_each(|reg| self.add_set(reg)),
            Test::Compare(_, a, b) => [a, b].into_iter().for_each(|reg| self.add_number(reg)),
        }
    }

    fn read_options(&mut self, options: Options) {
        match options {
            Options::Cells { of, .. } | Options::Combinations { of, .. } | Options::Groups { of, .. } => {
                self.add_set(of)
            }
            Options::One { open } => self.add_number(open),
            Options::Bits { of, .. } => self.add_number(of),
            Options::Range { from, to, .. } => [from, to].into_iter().for_each(|reg| self.add_number(reg)),
        }
    }
}

/// Lets operations in branches change what the lanes that wait do not read, along programs that
/// follow one another. `others`: where the programs of the opening and continuations begin, each of which may
/// stand in place of the first one; `shared`: registers that all lanes keep. Tells for each step what is
/// read from there on.
pub fn change_for_all(
    steps: &mut [SimtOp],
    (others, programs): (&[u32], &[u32]),
    (linked, along): (&Code, &[MergedShift]),
    shared: (u16, u16),
) -> Vec<Live> {
    let (mut live, mut behind) = (vec![Live::default(); steps.len() + 1], Live::default());
    for (at, &from) in programs.iter().enumerate().rev() {
        let replaced = if at == 0 { others } else { &[] };
        for &from in replaced.iter().chain([&from]) {
            let until = end_of(steps, from as usize);
            find_live(&steps[..=until], from as usize, &mut live, &behind, (linked, along));
            let mut kept = read_again(steps, (from as usize, until), &live, linked);
            kept.union_with(&Live::below(shared));
            free_writes(steps, (from as usize, until), &live, &kept);
        }
        behind = live[from as usize];
    }
    live
}

fn end_of(steps: &[SimtOp], from: usize) -> usize {
    let end = steps[from..].iter().position(|step| matches!(step, SimtOp::End { .. }));
    end.map_or(steps.len() - 1, |end| from + end)
}

/// What is live before each step of a program; `behind`: after its end.
fn find_live(
    steps: &[SimtOp],
    from: usize,
    live: &mut [Live],
    behind: &Live,
    (linked, along): (&Code, &[MergedShift]),
) {
    loop {
        let mut changed = false;
        for at in (from..steps.len()).rev() {
            let next = if let SimtOp::End { .. } = steps[at] { *behind } else { live[at + 1] };
            let before = live_before(&steps[at], next, live, (linked, along));
            changed |= live[at] != before;
            live[at] = before;
        }
        // Rounds go back.
        if !changed {
            return;
        }
    }
}

fn live_before(step: &SimtOp, next: Live, live: &[Live], (linked, along): (&Code, &[MergedShift])) -> Live {
    let mut before = next;
    match step {
        SimtOp::Do { op, .. } | SimtOp::Look { op, .. } => before.pass(op),
        // Lanes that have found nothing keep what they have.
        SimtOp::Sparse { op } => before.read(&op.op()),
        SimtOp::Refill { d, a, runs, ways, .. } => {
            before.drop_set(*d);
            before.add_set(*a);
            (0..ways.len() as u16).for_each(|way| before.add_set(SetReg(runs.0 + way)));
        }
        SimtOp::If { test, to } => {
            before.union_with(&live[*to as usize + 1]);
            before.read_test(*test);
        }
        SimtOp::Else { to } | SimtOp::Back { to } => before = live[*to as usize],
        SimtOp::Again { n, counter, to } => {
            before.union_with(&live[*to as usize]);
            [n, counter].into_iter().for_each(|reg| before.add_number(*reg));
        }
        SimtOp::Next { of, to, .. } => {
            before.union_with(&live[*to as usize]);
            before.add_set(*of);
        }
        SimtOp::Way { to, .. } | SimtOp::Try { to, .. } => before.union_with(&live[*to as usize]),
        SimtOp::Choose { point, .. } => {
            let point = &linked.points[*point as usize];
            point.arms.iter().for_each(|arm| before.read_options(arm.options));
            let sizes = point.classes.iter().flat_map(|class| class.sized.iter().flat_map(|(_, sizes)| sizes));
            sizes.for_each(|size| before.add_set(size.of()));
            point.early_reject.iter().for_each(|cap| [cap.a, cap.x].into_iter().for_each(|reg| before.add_set(reg)));
        }
        SimtOp::Enter { point, arm } => {
            before.read_options(linked.points[*point as usize].arms[usize::from(*arm)].options)
        }
        SimtOp::MergedShift { index } => {
            let along = &along[*index as usize];
            before.drop_set(along.d);
            [Some(along.a), along.until].into_iter().flatten().for_each(|reg| before.add_set(reg));
        }
        SimtOp::Split { index } => {
            let kept = &linked.alternatives[*index as usize];
            kept.sets.iter().for_each(|reg| before.add_set(*reg));
            kept.numbers.iter().for_each(|reg| before.add_number(*reg));
        }
        SimtOp::Need { n } => before.add_number(*n),
        // Code is made when all this is known.
        SimtOp::Native { .. } => {}
        SimtOp::Fork { .. } | SimtOp::Join | SimtOp::Rounds | SimtOp::Chosen | SimtOp::Tried | SimtOp::Met => {}
        SimtOp::Last | SimtOp::Fail | SimtOp::End { .. } => {}
    }
    before
}

/// What lanes read that draw again, of what is not put back for them.
fn read_again(steps: &[SimtOp], (from, until): (usize, usize), live: &[Live], linked: &Code) -> Live {
    let mut all = Live::default();
    for at in from..until {
        if let SimtOp::Choose { point, .. } = steps[at]
            && !linked.points[point as usize].infallible
        {
            let (mut here, point) = (live[at], &linked.points[point as usize]);
            point.clobbered_sets.iter().for_each(|reg| here.drop_set(*reg));
            point.clobbered_numbers.iter().for_each(|reg| here.drop_number(*reg));
            all.union_with(&here);
        }
    }
    all
}

/// Of the operations of a program that are meant for some lanes, those are done for all that change
/// nothing which others read or that is kept.
fn free_writes(steps: &mut [SimtOp], (from, until): (usize, usize), live: &[Live], kept: &Live) {
    // Where lanes that wait go on, by what they wait in. Those that were in one of several branches
    // go on behind all, which can be seen from the next of these.
    let mut waits: Vec<Option<usize>> = Vec::new();
    for at in from..until {
        let wait = waits.last_mut();
        match steps[at] {
            SimtOp::If { to, .. } => waits.push(Some(to as usize + 1)),
            SimtOp::Else { to } | SimtOp::Way { to, .. } | SimtOp::Try { to, .. } => {
                wait.into_iter().for_each(|wait| *wait = Some(to as usize));
            }
            SimtOp::Rounds => {
                let leaves = |step: &SimtOp| matches!(*step, SimtOp::Again { to, .. } if to as usize == at + 1);
                waits.push(match steps[at + 1] {
                    SimtOp::Next { to, .. } => Some(to as usize),
                    _ => steps[at..until].iter().position(leaves).map(|rounds| at + rounds + 1),
                });
            }
            SimtOp::Choose { parts: true, .. } | SimtOp::Split { .. } => waits.push(None),
            SimtOp::Join | SimtOp::Chosen | SimtOp::Met | SimtOp::Again { .. } => {
                waits.pop();
            }
            SimtOp::Do { ref op, ref mut blend, .. } if *blend => {
                let mut read = *kept;
                waits.iter().flatten().for_each(|&wait| read.union_with(&live[wait]));
                *blend = read.has_written(op);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{ArmClass, ArmTarget, ChoicePoint};
    use crate::simt::analysis::unmasked::*;

    const SHARED: (u16, u16) = (2, 2);

    fn copy(d: u16, a: u16) -> SimtOp {
        SimtOp::Do { op: LinearOp::Copy { d: SetReg(d), a: SetReg(a) }, blend: true, loses: false }
    }

    fn branch(to: u32) -> SimtOp {
        SimtOp::If { test: Test::True(NumReg(0)), to }
    }

    /// Which copies of a program keep what other lanes have.
    fn kept(steps: &[SimtOp], linked: &Code) -> Vec<bool> {
        let mut steps = [steps, &[SimtOp::End { numbered: false }]].concat();
        change_for_all(&mut steps, (&[], &[0]), (linked, &[]), SHARED);
        steps.iter().filter_map(|step| if let SimtOp::Do { blend, .. } = step { Some(*blend) } else { None }).collect()
    }

    #[test]
    fn what_is_read_elsewhere_is_kept_in_lanes_that_wait() {
        let none = Code::default();
        // In one branch, then the other, then behind both.
        let both = |one: SimtOp, other: SimtOp, behind: SimtOp| {
            kept(&[branch(2), one, SimtOp::Else { to: 4 }, other, SimtOp::Join, behind], &none)
        };
        // Written in both branches anew, and read behind them: the first may spoil it, the second
        // not.
        assert_eq!(both(copy(8, 0), copy(8, 1), copy(1, 8)), [false, true, true]);
        // Nobody reads it.
        assert_eq!(both(copy(8, 0), copy(9, 0), copy(1, 0)), [false, false, true]);
        // The other branch reads it.
        assert_eq!(both(copy(8, 0), copy(9, 8), copy(1, 0)), [true, false, true]);
        // Read behind, where only one branch writes it.
        assert_eq!(both(copy(8, 0), copy(9, 0), copy(1, 8)), [true, false, true]);
        // What is shared is always kept.
        assert_eq!(both(copy(1, 8), copy(0, 8), copy(1, 0)), [true, true, true]);
    }

    #[test]
    fn what_a_later_way_reads_is_kept() {
        let way = |last: u16, to: u32| SimtOp::Way { point: 0, last, to };
        let choose = SimtOp::Choose { point: 0, cell: None, blend: true, parts: true };
        let linked =
            Code { points: vec![ChoicePoint { infallible: true, ..ChoicePoint::default() }], ..Code::default() };
        let ways = |other: SimtOp, behind: SimtOp| {
            kept(&[choose, way(0, 3), copy(8, 0), way(1, 5), other, SimtOp::Chosen, behind], &linked)
        };
        assert_eq!(ways(copy(9, 8), copy(1, 0)), [true, false, true]);
        assert_eq!(ways(copy(8, 0), copy(1, 9)), [false, false, true]);
        // What is read behind the choice may have been put there in any way.
        assert_eq!(ways(copy(8, 0), copy(1, 8)), [true, true, true]);
    }

    #[test]
    fn rounds_keep_what_is_read_behind_them_or_once_more() {
        let again = |op_reads: u16, behind: u16| {
            let round = SimtOp::Again { n: NumReg(5), counter: NumReg(6), to: 1 };
            let steps = [SimtOp::Rounds, copy(8, op_reads), copy(9, 8), round, copy(1, behind)];
            kept(&steps, &Code::default())
        };
        assert_eq!(again(0, 0), [false, false, true]);
        assert_eq!(again(0, 8), [true, false, true]);
        assert_eq!(again(9, 9), [false, true, true]);
    }

    #[test]
    fn what_lanes_read_that_draw_again_is_kept() {
        let cells = Options::Cells { of: SetReg(8), cell: SetReg(9) };
        let arm = ArmTarget { options: cells, entry: 0, class: 0, branch_facts: Vec::new() };
        let class =
            ArmClass { from: 0, to: 1, bound: Default::default(), unbounded: false, known: 2, sized: Vec::new() };
        let mut point = ChoicePoint { arms: vec![arm], classes: vec![class], ..ChoicePoint::default() };
        let choose = SimtOp::Choose { point: 0, cell: Some(SetReg(9)), blend: true, parts: false };
        // A choice in one branch, and in the other one what it is from is written.
        let steps = [branch(2), choose, SimtOp::Else { to: 4 }, copy(8, 0), SimtOp::Join];
        assert_eq!(kept(&steps, &Code { points: vec![point.clone()], ..Code::default() }), [true]);
        // It is put back for them, or no lane is rejected.
        point.clobbered_sets.push(SetReg(8));
        assert_eq!(kept(&steps, &Code { points: vec![point.clone()], ..Code::default() }), [false]);
        (point.clobbered_sets, point.infallible) = (Vec::new(), true);
        assert_eq!(kept(&steps, &Code { points: vec![point], ..Code::default() }), [false]);
    }
}
