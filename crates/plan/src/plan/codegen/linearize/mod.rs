//! Linearisation: a plan goes in; one list of operations on at most 256 registers of each class
//! comes out, with an entry for each program, and for each choice what must be kept to come back to
//! it.

mod regalloc;

use rustc_hash::FxHashMap as HashMap;

use crate::plan::analysis::effects::Effects;
use crate::plan::analysis::liveness::Life;
use crate::plan::code::{ArmClass, ArmTarget, Cells, Code, EntryPoints, Quads, TooManyRegisters};
use crate::plan::codegen::linearize::regalloc::linear_scan;
use crate::plan::flatten::Flattener;
use crate::plan::op::LinearOp;
use crate::plan::op::Stage;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Argmax, Block, Options, Plan};
use crate::plan::verify::verified;

/// Lays out all programs of a plan.
///
/// # Errors
/// Some program has more values at a time than there are registers.
pub fn linearize(plan: &Plan) -> Result<Code, TooManyRegisters> {
    let mut linker = Linker {
        flat: Flattener::new(plan),
        sets: HashMap::default(),
        numbers: HashMap::default(),
        shared: (plan.shared_sets, plan.shared_numbers),
        argmax: plan.argmax,
        position: (plan.layout.sets, plan.layout.numbers),
        men: plan.layout.men(),
        rows: plan.reg_vectors.clone(),
    };
    linker.pin(plan);
    for seat in &plan.seats {
        let turn = linker.program(&seat.turn)?;
        let opening = seat.opening.iter().map(|program| linker.program(program)).collect::<Result<Vec<u32>, _>>()?;
        let continuations = seat.continuations.iter().map(|continuation| linker.program(&continuation.block));
        let continuations = continuations.collect::<Result<Vec<u32>, _>>()?;
        let after = linker.program(&seat.after)?;
        let end = linker.program(&seat.end)?;
        let routines = seat.routines.iter().map(|routine| linker.program(&routine.block));
        let routines = routines.collect::<Result<Vec<u32>, _>>()?;
        let clobbers =
            opening.iter().chain(&continuations).chain([&turn]).any(|&entry| linker.effects().may_clobber(entry));
        let bare = linker.flat.code.code[after as usize] == LinearOp::End;
        linker.flat.code.entries.push(EntryPoints {
            turn,
            opening,
            continuations,
            after,
            end,
            routines,
            may_fail_dirty: clobbers,
            no_cleanup: bare,
        });
    }
    Ok(verified(linker.flat.code, (plan.shared_sets, plan.shared_numbers), Stage::Linear, "linearize"))
}

/// Where the registers of a program come to stand.
type Homes = (HashMap<SetReg, SetReg>, HashMap<NumReg, NumReg>);

struct Linker {
    flat: Flattener,
    /// Registers that are the same in all programs.
    sets: HashMap<SetReg, SetReg>,
    numbers: HashMap<NumReg, NumReg>,
    shared: (u16, u16),
    argmax: Option<Argmax>,
    position: (u16, u16),
    /// Registers that operations on men write.
    men: Vec<SetReg>,
    /// Registers that must follow one another, in the order of the first.
    rows: Vec<(SetReg, usize)>,
}

impl Linker {
    fn pin(&mut self, plan: &Plan) {
        self.sets.extend((0..plan.shared_sets).map(|reg| (SetReg(reg), SetReg(reg))));
        self.numbers.extend((0..plan.shared_numbers).map(|reg| (NumReg(reg), NumReg(reg))));
        for &(reg, bits) in &plan.consts {
            let home = SetReg(self.sets.len() as u16);
            self.sets.insert(reg, home);
            self.flat.code.consts.push((home, bits));
        }
        for &(reg, k) in &plan.const_numbers {
            let home = NumReg(self.numbers.len() as u16);
            self.numbers.insert(reg, home);
            self.flat.code.const_numbers.push((home, k));
        }
    }

    /// Lays out one program; gives its entry.
    fn program(&mut self, block: &Block) -> Result<u32, TooManyRegisters> {
        let (points, splits) = (self.flat.code.points.len(), self.flat.code.alternatives.len());
        let entry = self.flat.program(block) as usize;
        self.place_answers(entry, points);
        let life = Life::of(&self.flat.code, entry, self.shared);
        let (sets, numbers) = self.homes(&life)?;
        let set = |reg: SetReg| sets.get(&reg).or_else(|| self.sets.get(&reg)).copied().unwrap_or(reg);
        let number = |reg: NumReg| numbers.get(&reg).or_else(|| self.numbers.get(&reg)).copied().unwrap_or(reg);
        for op in &mut self.flat.code.code[entry..] {
            *op = op.renamed(set, number);
        }
        for point in &mut self.flat.code.points[points..] {
            for arm in &mut point.arms {
                arm.options = arm.options.renamed(set, number);
            }
            for class in &mut point.classes {
                *class = ArmClass::new((class.from, class.to), class.bound.renamed(set));
            }
            point.sets = point.sets.iter().map(|&reg| set(reg)).collect();
            point.numbers = point.numbers.iter().map(|&reg| number(reg)).collect();
            point.early_reject = point.early_reject.map(|cap| cap.renamed(set));
        }
        for split in &mut self.flat.code.alternatives[splits..] {
            split.sets = split.sets.iter().map(|&reg| set(reg)).collect();
            split.numbers = split.numbers.iter().map(|&reg| number(reg)).collect();
        }
        for index in points..self.flat.code.points.len() {
            let ahead = self.effects().behind(index);
            let point = &mut self.flat.code.points[index];
            let cells = |arm: &ArmTarget| match arm.options {
                Options::Cells { of, cell } => Some(Cells { of, cell, entry: arm.entry, back: None }),
                _ => None,
            };
            point.cells = point.arms.iter().map(cells).collect::<Option<_>>().unwrap_or_default();
            let compared = match self.argmax {
                Some(Argmax::Register(value)) => ahead.numbers.contains(&value),
                Some(Argmax::InPlies { .. } | Argmax::Logged) => true,
                None => false,
            };
            (point.last, point.infallible, point.may_pass) = (ahead.last, ahead.sure && !compared, ahead.may_pass);
            point.ranked = point.bounded && !point.infallible && !compared;
            point.faults = ahead.faults;
            let (sets, numbers) = (&point.sets, &point.numbers);
            let set = |reg: &SetReg| reg.0 < self.shared.0 || sets.contains(reg);
            point.clobbered_sets = ahead.sets.into_iter().filter(set).collect();
            let number = |reg: &NumReg| reg.0 < self.shared.1 || numbers.contains(reg);
            point.clobbered_numbers = ahead.numbers.into_iter().filter(number).collect();
            point.clobbered_quads = Quads::of(&point.clobbered_sets, &point.clobbered_numbers);
        }
        Ok(entry as u32)
    }

    /// Finds where the conditions are asked that arms answer, of those that are computed at one
    /// place.
    fn place_answers(&mut self, entry: usize, points: usize) {
        let Code { code, points: all, .. } = &mut self.flat.code;
        if all[points..].iter().all(|point| point.arms.iter().all(|arm| arm.branch_facts.is_empty())) {
            return;
        }
        let (mut written, mut asked) = (HashMap::<u32, u32>::default(), HashMap::<u32, Vec<u32>>::default());
        for (at, op) in code.iter().enumerate().skip(entry) {
            op.accesses(|access| {
                if let Access::DefNum(n) = access {
                    *written.entry(u32::from(n.0)).or_default() += 1;
                }
            });
            if let LinearOp::BranchIfZero { n, .. } = op {
                asked.entry(u32::from(n.0)).or_default().push(at as u32);
            }
        }
        let once = |n: u32| written.get(&n) == Some(&1) && n >= u32::from(self.shared.1);
        for arm in all[points..].iter_mut().flat_map(|point| &mut point.arms) {
            let answers = std::mem::take(&mut arm.branch_facts).into_iter().filter(|&(n, _)| once(n));
            let places = |(n, holds): (u32, bool)| asked.get(&n).into_iter().flatten().map(move |&at| (at, holds));
            arm.branch_facts = answers.flat_map(places).collect();
        }
    }

    fn effects(&self) -> Effects<'_> {
        let Code { code, points, alternatives: splits, .. } = &self.flat.code;
        Effects { code, points, splits, men: &self.men, position: self.position }
    }

    /// Homes of the registers of one program, and what its choices keep.
    fn homes(&mut self, life: &Life) -> Result<Homes, TooManyRegisters> {
        for (index, at) in &life.points {
            let point = &mut self.flat.code.points[*index];
            point.sets = life.live_sets(*at);
            point.numbers = life.live_numbers(*at);
        }
        for (index, at) in &life.splits {
            let split = &mut self.flat.code.alternatives[*index];
            split.sets = life.live_sets(*at);
            split.numbers = life.live_numbers(*at);
        }
        let [sets, numbers] = life.spans(|reg| self.sets.contains_key(&reg), |reg| self.numbers.contains_key(&reg));
        let (sets, numbers) =
            (linear_scan(&sets, self.sets.len(), &self.rows)?, linear_scan(&numbers, self.numbers.len(), &[])?);
        // What is pinned needs not be kept by a choice: the shared ones always are, constants never
        // change.
        for (index, _) in &life.points {
            let point = &mut self.flat.code.points[*index];
            point.sets.retain(|reg| !self.sets.contains_key(reg));
            point.numbers.retain(|reg| !self.numbers.contains_key(reg));
        }
        for (index, _) in &life.splits {
            let split = &mut self.flat.code.alternatives[*index];
            split.sets.retain(|reg| !self.sets.contains_key(reg));
            split.numbers.retain(|reg| !self.numbers.contains_key(reg));
        }
        Ok((
            sets.into_iter().map(|(reg, home)| (SetReg(reg), SetReg(home))).collect(),
            numbers.into_iter().map(|(reg, home)| (NumReg(reg), NumReg(home))).collect(),
        ))
    }
}
