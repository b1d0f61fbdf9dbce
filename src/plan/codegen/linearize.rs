//! Linearisation: a plan goes in; one list of operations on at most 256 registers of each class
//! comes out, with an entry for each program, and for each choice what must be kept to come back to
//! it.

use rustc_hash::FxHashMap as HashMap;

use crate::plan::analysis::effects::Course;
use crate::plan::analysis::liveness::Life;
use crate::plan::code::{
    Alternatives, ArmClass, ArmTarget, Cells, ChoicePoint, Code, EntryPoints, Quads, REGISTERS, TooManyRegisters,
};
use crate::plan::op::Op;
use crate::plan::op::Stage;
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Argmax, Arm, Block, Node, Options, Plan};
use crate::plan::verify::verified;

/// So few operations are as well carried out as left out.
const FEW: usize = 3;

/// Lays out all programs of a plan.
///
/// # Errors
/// Some program has more values at a time than there are registers.
pub fn linearize(plan: &Plan) -> Result<Code, TooManyRegisters> {
    let mut linker = Linker {
        linked: Code::default(),
        sets: HashMap::default(),
        numbers: HashMap::default(),
        shared: (plan.shared_sets, plan.shared_numbers),
        contest: plan.argmax,
        fate: Fate::default(),
        position: (plan.layout.sets, plan.layout.numbers),
        men: plan.layout.men(),
        dirs: plan.bitboard.dirs.clone(),
        rows: plan.reg_vectors.clone(),
    };
    linker.pin(plan);
    for seat in &plan.seats {
        let turn = linker.program(&seat.turn)?;
        let opening = seat.opening.iter().map(|program| linker.program(program)).collect::<Result<Vec<u32>, _>>()?;
        let after = linker.program(&seat.after)?;
        let end = linker.program(&seat.end)?;
        let spoils = opening.iter().chain([&turn]).any(|&entry| linker.course().may_spoil(entry));
        let bare = linker.linked.code[after as usize] == Op::End;
        linker.linked.entries.push(EntryPoints { turn, opening, after, end, may_fail_dirty: spoils, no_cleanup: bare });
    }
    Ok(verified(linker.linked, Stage::Linear))
}

/// Where the registers of a program come to stand.
type Homes = (HashMap<SetReg, SetReg>, HashMap<NumReg, NumReg>);

struct Linker {
    linked: Code,
    /// Registers that are the same in all programs.
    sets: HashMap<SetReg, SetReg>,
    numbers: HashMap<NumReg, NumReg>,
    shared: (u16, u16),
    contest: Option<Argmax>,
    /// What can come behind the block at hand.
    fate: Fate,
    position: (u16, u16),
    /// Registers that operations on men write.
    men: Vec<SetReg>,
    /// By direction: its hops.
    dirs: Vec<smallvec::SmallVec<[u16; 2]>>,
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
            self.linked.consts.push((home, bits));
        }
        for &(reg, k) in &plan.const_numbers {
            let home = NumReg(self.numbers.len() as u16);
            self.numbers.insert(reg, home);
            self.linked.const_numbers.push((home, k));
        }
    }

    /// Lays out one program; gives its entry.
    fn program(&mut self, block: &Block) -> Result<u32, TooManyRegisters> {
        let entry = self.linked.code.len();
        let (points, splits) = (self.linked.points.len(), self.linked.alternatives.len());
        self.block(block);
        self.linked.code.push(Op::End);
        self.place_answers(entry, points);
        let life = Life::of(&self.linked, entry, self.shared);
        let (sets, numbers) = self.homes(&life)?;
        let set = |reg: SetReg| sets.get(&reg).or_else(|| self.sets.get(&reg)).copied().unwrap_or(reg);
        let number = |reg: NumReg| numbers.get(&reg).or_else(|| self.numbers.get(&reg)).copied().unwrap_or(reg);
        for op in &mut self.linked.code[entry..] {
            *op = op.renamed(set, number);
        }
        for point in &mut self.linked.points[points..] {
            for arm in &mut point.arms {
                arm.options = rename(arm.options, set, number);
            }
            for class in &mut point.classes {
                *class = ArmClass::new((class.from, class.to), class.bound.renamed(set));
            }
            point.sets = point.sets.iter().map(|&reg| set(reg)).collect();
            point.numbers = point.numbers.iter().map(|&reg| number(reg)).collect();
            point.early_reject = point.early_reject.map(|cap| cap.renamed(set, number));
        }
        for split in &mut self.linked.alternatives[splits..] {
            split.sets = split.sets.iter().map(|&reg| set(reg)).collect();
            split.numbers = split.numbers.iter().map(|&reg| number(reg)).collect();
        }
        for index in points..self.linked.points.len() {
            let ahead = self.course().behind(index);
            let point = &mut self.linked.points[index];
            let cells = |arm: &ArmTarget| match arm.options {
                Options::Cells { of, cell } => Some(Cells { of, cell, entry: arm.entry, back: None }),
                _ => None,
            };
            point.cells = point.arms.iter().map(cells).collect::<Option<_>>().unwrap_or_default();
            let compared = self.contest.is_some_and(|Argmax { value }| ahead.numbers.contains(&value));
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
        let Code { code, points: all, .. } = &mut self.linked;
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
            if let Op::BranchIfZero { n, .. } = op {
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

    fn course(&self) -> Course<'_> {
        let Code { code, points, alternatives: splits, .. } = &self.linked;
        Course { code, points, splits, men: &self.men, position: self.position }
    }

    fn single_hop(&self, dir: u16) -> Option<u16> {
        match self.dirs.get(usize::from(dir)).map(|hops| hops.as_slice()) {
            Some([hop]) => Some(*hop),
            _ => None,
        }
    }

    fn at(&self) -> u32 {
        self.linked.code.len() as u32
    }

    fn push(&mut self, op: Op) -> usize {
        self.linked.code.push(op);
        self.linked.code.len() - 1
    }

    fn aim(&mut self, at: usize) {
        let here = self.at();
        self.linked.code[at].target_mut().into_iter().for_each(|to| *to = here);
    }

    fn block(&mut self, block: &Block) {
        let outer = self.fate;
        // What can come behind each node, found from the last on.
        let mut behind = vec![outer; block.len()];
        let mut within = vec![Fate::default(); block.len()];
        for (at, node) in block.iter().enumerate().rev() {
            within[at] = Fate::of(node);
            if let Some(before) = at.checked_sub(1) {
                behind[before] = behind[at].or(within[at]);
            }
        }
        let mut aimed = false;
        for (at, node) in block.iter().enumerate() {
            let again = matches!(node, Node::Loop { .. } | Node::Each { .. } | Node::EachGroup { .. });
            let (within, behind) = (within[at], behind[at]);
            // A round comes again.
            self.fate = if again { behind.or(within) } else { behind };
            if let Node::Op(Op::EarlyReject { aims, .. }) = node {
                aimed = *aims;
                continue;
            }
            let point = self.linked.points.len();
            self.node(node);
            if let Node::Choose(_) = node {
                let cap = block
                    .get(at + 1)
                    .and_then(|next| if let Node::Op(cap @ Op::EarlyReject { .. }) = next { Some(*cap) } else { None });
                let point = &mut self.linked.points[point];
                (point.early_reject, point.aimed) = (cap, std::mem::take(&mut aimed));
            }
            if within.chooses && !behind.chooses && behind.dies && matches!(node, Node::If { .. }) {
                self.push(Op::NoMoreChoices);
            }
            if within.dies && !behind.dies && block.len() - at > FEW {
                self.push(Op::CannotFail);
            }
        }
        self.fate = outer;
    }

    fn node(&mut self, node: &Node) {
        match node {
            // A direction whose steps are all alike is one hop.
            Node::Op(Op::Shift { d, a, dir }) if self.single_hop(*dir).is_some() => {
                let hop = self.single_hop(*dir).unwrap_or(0);
                self.push(Op::MaskedShift { d: *d, a: *a, hop });
            }
            Node::Op(Op::RemovePieces { cells, only: Some(men) }) => {
                self.push(Op::AndNot { d: *men, a: *men, b: *cells });
            }
            Node::Op(Op::MovePiece { from, to, only: Some(men) }) if from != men && to != men => {
                self.push(Op::AndNot { d: *men, a: *men, b: *from });
                self.push(Op::Or { d: *men, a: *men, b: *to });
            }
            Node::Op(op) => {
                self.push(*op);
            }
            Node::If { condition, then, otherwise } => {
                let skip = self.push(Op::BranchIfZero { n: *condition, to: 0 });
                self.block(then);
                if otherwise.is_empty() {
                    return self.aim(skip);
                }
                let leave = self.push(Op::Jump { to: 0 });
                self.aim(skip);
                self.block(otherwise);
                self.aim(leave);
            }
            Node::Loop { body, again, counter, begun, place } => {
                self.push(Op::Const { d: *counter, k: *begun });
                let to = self.at();
                self.block(body);
                self.push(Op::LoopBack { n: *again, counter: *counter, place: *place, to });
            }
            Node::Each { of, cell, body } => {
                let to = self.at();
                let head = self.push(Op::NextCell { of: *of, cell: *cell, to: 0 });
                self.block(body);
                self.push(Op::Jump { to });
                self.aim(head);
            }
            Node::EachGroup { of, along, group, body } => {
                let to = self.at();
                let head = self.push(Op::NextGroup { of: *of, group: *group, along: *along, to: 0 });
                self.block(body);
                self.push(Op::Jump { to });
                self.aim(head);
            }
            Node::Choose(arms) => self.choose(arms),
            Node::First { blocks } => {
                let index = self.linked.alternatives.len();
                self.linked.alternatives.push(Alternatives {
                    blocks: Vec::new(),
                    sets: Vec::new(),
                    numbers: Vec::new(),
                });
                self.push(Op::First { index: index as u32 });
                let mut leaves = Vec::new();
                let mut entries = Vec::new();
                for block in blocks {
                    entries.push(self.at());
                    self.block(block);
                    leaves.push(self.push(Op::Jump { to: 0 }));
                }
                leaves.into_iter().for_each(|leave| self.aim(leave));
                self.linked.alternatives[index].blocks = entries;
            }
            Node::Need(n) => {
                self.push(Op::Require { n: *n });
            }
            Node::Fail => {
                self.push(Op::Fail);
            }
        }
    }

    fn choose(&mut self, arms: &[Arm]) {
        let index = self.linked.points.len();
        let point = ChoicePoint {
            at: self.at(),
            arms: Vec::new(),
            cells: Vec::new(),
            classes: Vec::new(),
            sets: Vec::new(),
            numbers: Vec::new(),
            clobbered_sets: Vec::new(),
            clobbered_numbers: Vec::new(),
            clobbered_quads: Quads::default(),
            early_reject: None,
            aimed: false,
            bounded: false,
            last: false,
            infallible: false,
            ranked: false,
            may_pass: false,
            faults: false,
        };
        self.linked.points.push(point);
        self.push(Op::Choice { index: index as u32 });
        let mut leaves = Vec::new();
        let mut entries = Vec::new();
        let mut classes: Vec<ArmClass> = Vec::new();
        for (i, arm) in arms.iter().enumerate() {
            match classes.last_mut() {
                Some(class) if class.bound == arm.bound => class.to = i + 1,
                _ => classes.push(ArmClass::new((i, i + 1), arm.bound.clone())),
            }
            entries.push(ArmTarget {
                options: arm.options,
                entry: self.at(),
                class: classes.len() - 1,
                branch_facts: arm
                    .branch_facts
                    .iter()
                    .map(|&(condition, holds)| (u32::from(condition.0), holds))
                    .collect(),
            });
            self.block(&arm.block);
            if i + 1 < arms.len() {
                leaves.push(self.push(Op::Jump { to: 0 }));
            }
        }
        leaves.into_iter().for_each(|leave| self.aim(leave));
        let point = &mut self.linked.points[index];
        point.bounded = classes.iter().all(|class| !class.unbounded);
        (point.arms, point.classes) = (entries, classes);
    }

    /// Homes of the registers of one program, and what its choices keep.
    fn homes(&mut self, life: &Life) -> Result<Homes, TooManyRegisters> {
        for (index, at) in &life.points {
            let point = &mut self.linked.points[*index];
            point.sets = life.live_sets(*at);
            point.numbers = life.live_numbers(*at);
        }
        for (index, at) in &life.splits {
            let split = &mut self.linked.alternatives[*index];
            split.sets = life.live_sets(*at);
            split.numbers = life.live_numbers(*at);
        }
        let [sets, numbers] = life.spans(|reg| self.sets.contains_key(&reg), |reg| self.numbers.contains_key(&reg));
        let (sets, numbers) = (homes(&sets, self.sets.len(), &self.rows)?, homes(&numbers, self.numbers.len(), &[])?);
        // What is pinned needs not be kept by a choice: the shared ones always are, constants never
        // change.
        for (index, _) in &life.points {
            let point = &mut self.linked.points[*index];
            point.sets.retain(|reg| !self.sets.contains_key(reg));
            point.numbers.retain(|reg| !self.numbers.contains_key(reg));
        }
        for (index, _) in &life.splits {
            let split = &mut self.linked.alternatives[*index];
            split.sets.retain(|reg| !self.sets.contains_key(reg));
            split.numbers.retain(|reg| !self.numbers.contains_key(reg));
        }
        Ok((
            sets.into_iter().map(|(reg, home)| (SetReg(reg), SetReg(home))).collect(),
            numbers.into_iter().map(|(reg, home)| (NumReg(reg), NumReg(home))).collect(),
        ))
    }
}

pub(crate) fn rename(options: Options, set: impl Fn(SetReg) -> SetReg, number: impl Fn(NumReg) -> NumReg) -> Options {
    match options {
        Options::Cells { of, cell } => Options::Cells { of: set(of), cell: set(cell) },
        Options::One { open } => Options::One { open: number(open) },
        Options::Range { from, to, number: n } => {
            Options::Range { from: number(from), to: number(to), number: number(n) }
        }
        Options::Bits { of, bit } => Options::Bits { of: number(of), bit: number(bit) },
        Options::Pairs { of, pair } => Options::Pairs { of: set(of), pair: set(pair) },
        Options::Groups { of, along, group } => Options::Groups { of: set(of), along, group: set(group) },
    }
}

/// Finds homes for registers, of which each is told with where it is first and last wanted; the
/// same home serves one after another. Rows get homes that follow one another.
fn homes(
    spans: &[(u16, usize, usize)],
    from: usize,
    rows: &[(SetReg, usize)],
) -> Result<HashMap<u16, u16>, TooManyRegisters> {
    // By first register: how many, first and last place.
    let mut units: Vec<(u16, usize, usize, usize)> = Vec::new();
    let mut by_row: HashMap<u16, usize> = HashMap::default();
    for &(reg, begin, end) in spans {
        let after = rows.partition_point(|(base, _)| base.0 <= reg);
        match after.checked_sub(1).map(|at| rows[at]).filter(|(base, size)| usize::from(reg - base.0) < *size) {
            Some((base, size)) => {
                let at = *by_row.entry(base.0).or_insert_with(|| {
                    units.push((base.0, size, begin, end));
                    units.len() - 1
                });
                units[at].2 = units[at].2.min(begin);
                units[at].3 = units[at].3.max(end);
            }
            None => units.push((reg, 1, begin, end)),
        }
    }
    units.sort_by_key(|&(reg, _, begin, _)| (begin, reg));
    let mut free = vec![true; REGISTERS];
    free.iter_mut().take(from).for_each(|free| *free = false);
    let mut busy: Vec<(usize, usize, usize)> = Vec::new();
    let mut homes = HashMap::default();
    for (reg, size, begin, end) in units {
        busy.retain(|&(until, home, size)| {
            if until < begin {
                free[home..home + size].fill(true);
            }
            until >= begin
        });
        // Single registers from below, rows from above, so that rows find room.
        let mut places = (from.min(REGISTERS)..(REGISTERS + 1).saturating_sub(size))
            .filter(|&at| free[at..at + size].iter().all(|&free| free));
        let home = if size == 1 { places.next() } else { places.next_back() }.ok_or(TooManyRegisters)?;
        free[home..home + size].fill(false);
        busy.push((end, home, size));
        homes.extend((0..size).map(|lane| (reg + lane as u16, (home + lane) as u16)));
    }
    Ok(homes)
}

/// What a part of a program can do.
#[derive(Clone, Copy, Default)]
struct Fate {
    /// A choice can come.
    chooses: bool,
    /// The run can end before it is complete, or come to what the rules forbid, or a choice come.
    dies: bool,
}

impl Fate {
    fn of(node: &Node) -> Fate {
        match node {
            Node::Op(op) => Fate { chooses: false, dies: op.may_fault() },
            Node::Choose(_) | Node::First { .. } => Fate { chooses: true, dies: true },
            Node::Need(_) | Node::Fail => Fate { chooses: false, dies: true },
            _ => node.blocks().into_iter().flatten().fold(Fate::default(), |all, node| all.or(Fate::of(node))),
        }
    }

    fn or(self, other: Fate) -> Fate {
        Fate { chooses: self.chooses || other.chooses, dies: self.dies || other.dies }
    }
}
