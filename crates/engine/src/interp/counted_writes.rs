//! Counted writes: code goes in; for each choice and each `first` the registers come out that are lost where runs behind
//! it are counted.
//!
//! Who only counts stops at a choice whose options are the complete runs. What is written behind that needs not be put
//! back. Mostly little is left: men move behind the last choice.

use crate::plan::{Access, CodeOp, FusedCode, FusedOp, NumReg, SetReg};

/// Registers that are read behind a place, and written between it and the last choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clobbers {
    pub sets: Vec<SetReg>,
    pub numbers: Vec<NumReg>,
    /// Another choice or a `first` comes before the last choices.
    pub chooses: bool,
}

impl Clobbers {
    /// Nothing needs to be put back, and the next choice is the last one.
    pub fn is_nothing(&self) -> bool {
        self.sets.is_empty() && self.numbers.is_empty() && !self.chooses
    }

    fn record(&mut self, access: Access, men: &[SetReg]) {
        match access {
            Access::DefSet(reg) if !self.sets.contains(&reg) => self.sets.push(reg),
            Access::DefNum(reg) if !self.numbers.contains(&reg) => self.numbers.push(reg),
            Access::Pieces => men.iter().for_each(|&reg| self.record(Access::DefSet(reg), &[])),
            _ => {}
        }
    }

    /// Without what nobody reads behind the place: neither is it shared, nor one of these.
    fn read(mut self, shared: (u16, u16), sets: &[SetReg], numbers: &[NumReg]) -> Clobbers {
        self.sets.retain(|reg| reg.0 < shared.0 || sets.contains(reg));
        self.numbers.retain(|reg| reg.0 < shared.1 || numbers.contains(reg));
        self
    }
}

/// The same of each choice point and each `first`.
#[derive(Clone, Debug, Default)]
pub struct CountedWrites {
    pub points: Vec<Clobbers>,
    pub alternatives: Vec<Clobbers>,
}

impl CountedWrites {
    /// `men`: what operations on men write; `shared`: registers below these are read by all programs.
    pub fn new(code: &FusedCode, men: &[SetReg], shared: (u16, u16)) -> CountedWrites {
        let of_point = |at: usize| {
            // Its options are counted.
            if code.points[at].infallible {
                return Clobbers::default();
            }
            let (mut written, mut open) = (Clobbers::default(), Vec::new());
            choose(code, at, &mut written, &mut open);
            let point = &code.points[at];
            written_behind(code, men, (written, open)).read(shared, &point.sets, &point.numbers)
        };
        let points = (0..code.points.len()).map(of_point).collect();
        let alternatives = code.alternatives.iter().map(|split| {
            let open = (Clobbers::default(), split.blocks.clone());
            written_behind(code, men, open).read(shared, &split.sets, &split.numbers)
        });
        CountedWrites { points, alternatives: alternatives.collect() }
    }
}

/// What choosing at a point writes, and where it goes on.
fn choose(code: &FusedCode, point: usize, written: &mut Clobbers, open: &mut Vec<u32>) {
    let point = &code.points[point];
    for arm in &point.arms {
        arm.options.accesses(&mut |access| written.record(access, &[]));
        open.push(arm.entry);
    }
    for cells in &point.cells {
        written.record(Access::DefSet(cells.cell), &[]);
        cells.back.iter().for_each(|&(reg, _)| written.record(Access::DefSet(reg), &[]));
        open.push(cells.entry);
    }
}

/// What is written from some places on, up to and with the last choices.
fn written_behind(code: &FusedCode, men: &[SetReg], (mut written, mut open): (Clobbers, Vec<u32>)) -> Clobbers {
    let mut seen = vec![false; code.code.len()];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        let op = &code.code[at as usize];
        op.accesses(|access| written.record(access, men));
        match op.choice_index() {
            Some(index) if code.points[index].infallible => {}
            Some(index) => {
                written.chooses = true;
                choose(code, index, &mut written, &mut open);
            }
            None => {
                written.chooses |= matches!(op, FusedOp::First { .. });
                code.next(at, |next| open.push(next));
            }
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use crate::interp::counted_writes::{Clobbers, CountedWrites};
    use crate::plan::{SetReg, parse_code};

    const CODE: &str = "\
plan sets 2 numbers 1
board words 1 cells 0..8
position
asks
code
  constant s3 = 0x1ff
  entries 0 after 7 end 7 no_cleanup true
  0 choose 0
  1 s1 = s3 and not s0
  2 s5 = s1 or s3
  3 choose 1
  4 s0 = s0 or s6
  5 n0 = count s0
  6 end
  7 end
  choice 0 at 0 clobbered_sets s0,s1 clobbered_numbers n0 bounded true
    class 0 to 1 runs 9
    arm s4 from s3 go to 1 class 0 facts -
  choice 1 at 3 sets s5 clobbered_sets s0 clobbered_numbers n0 bounded true last true infallible true
    class 0 to 1 runs 1
    arm s6 from s5 go to 4 class 0 facts -
    cell s6 from s5 go to 4
";

    /// A cell is chosen, then another one: what the way from one to the other writes is put back, the move behind is not.
    #[test]
    fn moves_behind_last_choices_are_left_out() {
        let (_, code) = parse_code(CODE).expect("the code is well formed");
        let writes = CountedWrites::new(&code, &[SetReg(0)], (2, 1));
        let first = Clobbers { sets: vec![SetReg(1)], ..Clobbers::default() };
        assert_eq!(writes.points, [first, Clobbers::default()]);
        assert_eq!([false, true], [0, 1].map(|point: usize| writes.points[point].is_nothing()));
    }
}
