//! Count bounds: programs go in; at most how many complete runs there are behind each option of a
//! choice comes out. It is an abstract interpretation.
//!
//! A run can then be drawn without going through all of them. Options are weighted by their bounds,
//! one is drawn and made, and the number that was drawn tells which option of the next choice is
//! meant; a number that no run has is drawn again.
//!
//! The analysis follows each way through a program: what an arm settles (which alternative it is,
//! what kind of man moves) tells which choices come behind it.

pub mod domain;
pub mod lines;
pub mod state;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::plan::analysis::branch_facts::Answers;
use crate::plan::analysis::count_bound::domain::{CountBound, Size};
use crate::plan::analysis::count_bound::lines::{Idle, Rows};
use crate::plan::analysis::count_bound::state::{Guard, Known, Rays, State, Value};
use crate::plan::analysis::singleton::Several;
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{Access, NumReg, SetReg};
use crate::plan::tree::{Arm, Away, Block, KindSet, Node, Options, Plan, binomial};
use crate::plan::tuning::{MAX_BOUND_ITERATIONS, MAX_NODES_FOR_BOUNDS};
use crate::plan::vregs;

/// The nodes that are still to come.
struct Rest<'r> {
    nodes: &'r [Node],
    next: Option<&'r Rest<'r>>,
}

/// The registers that several arms of a choice write: those through which they tell what follows.
struct Joined {
    sets: Vec<SetReg>,
    numbers: Vec<NumReg>,
}

/// What is known of them after an arm, and of the man that moves.
#[derive(PartialEq)]
struct Settled {
    man: Option<(SetReg, u64)>,
    sets: Vec<Known>,
    numbers: Vec<Option<Value>>,
}

impl Joined {
    fn of(arms: &[Arm]) -> Joined {
        let (mut sets, mut numbers) = (HashMap::<SetReg, usize>::default(), HashMap::<NumReg, usize>::default());
        let mut touch = |access: Access| match access {
            Access::DefSet(reg) => *sets.entry(reg).or_insert(0) += 1,
            Access::DefNum(reg) => *numbers.entry(reg).or_insert(0) += 1,
            _ => {}
        };
        for arm in arms {
            arm.options.accesses(&mut touch);
            arm.block.iter().for_each(|node| {
                if let Node::Op(op) = node {
                    op.accesses(&mut touch)
                }
            });
        }
        let mut sets: Vec<SetReg> = sets.into_iter().filter(|(_, times)| *times > 1).map(|(reg, _)| reg).collect();
        let mut numbers: Vec<NumReg> =
            numbers.into_iter().filter(|(_, times)| *times > 1).map(|(reg, _)| reg).collect();
        sets.sort_unstable();
        numbers.sort_unstable();
        Joined { sets, numbers }
    }

    fn settled(&self, analysis: &Analysis<'_>, state: &State, man: Option<(SetReg, u64)>) -> Settled {
        let sets = self.sets.iter().map(|&reg| analysis.of(state, reg)).collect();
        Settled { man, sets, numbers: self.numbers.iter().map(|reg| state.numbers.get(reg).copied()).collect() }
    }
}

struct Analysis<'p> {
    plan: &'p Plan,
    cells: u32,
    budget: u32,
    found: HashMap<*const Arm, CountBound>,
    answers: Answers,
    /// What holds at most one cell, whichever way leads there, by the number of the program.
    several: &'p Several,
    program: usize,
    /// Sets that are found when the turn begins, and stay.
    early: HashSet<SetReg>,
    /// A bound that was used already has grown.
    grown: bool,
}

/// Finds the bounds of all choices of a plan; whether any is another than before. What arms tell for
/// that alone is used up.
pub fn bound(plan: &mut Plan) -> bool {
    if std::mem::take(&mut plan.is_bounded) {
        return true;
    }
    let mut changed = false;
    // A position may be one that no game leads to.
    let of_position: Vec<SetReg> = (0..plan.layout.sets).map(SetReg).collect();
    let several = Several::found(plan, &of_position);
    let mut first = 0;
    for seat in 0..plan.seats.len() {
        for index in 0..plan.seats[seat].turns_mut().count() {
            let mut block = plan.seats[seat].turns_mut().nth(index).map(std::mem::take).unwrap_or_default();
            let (cells, budget) = (plan.bitboard.any.len() as u32, MAX_NODES_FOR_BOUNDS);
            let (found, answers) = (HashMap::default(), Answers::default());
            let (early, program, several) = (early_sets(&block), first + index, &several);
            let mut analysis = Analysis { plan, cells, budget, found, answers, several, program, early, grown: false };
            // What stands behind several ways has one bound, the largest; those before it are found
            // anew by it.
            for _ in 0..MAX_BOUND_ITERATIONS {
                analysis.grown = false;
                let state = analysis.begun();
                analysis.runs(&Rest { nodes: &block, next: None }, state);
                if !analysis.grown {
                    break;
                }
            }
            let told = analysis.budget > 0 && !analysis.grown;
            let (found, answers) = if told { (analysis.found, analysis.answers) } else { Default::default() };
            changed |= write_bounds(&mut block, &found, &answers);
            plan.seats[seat]
                .turns_mut()
                .nth(index)
                .into_iter()
                .for_each(|program| *program = std::mem::take(&mut block));
        }
        first += plan.seats[seat].programs().count();
    }
    changed
}

fn write_bounds(block: &mut Block, found: &HashMap<*const Arm, CountBound>, answers: &Answers) -> bool {
    let mut changed = false;
    for node in block {
        if let Node::Choose(arms) = node {
            for arm in arms {
                let bound = found.get(&std::ptr::from_ref(arm)).cloned().unwrap_or_default();
                changed |= arm.bound != bound || arm.within.is_some() || arm.rest_of.is_some();
                (arm.bound, arm.branch_facts) = (bound, answers.of(arm));
                (arm.within, arm.rest_of) = (None, None);
            }
        }
        node.blocks_mut().into_iter().for_each(|block| changed |= write_bounds(block, found, answers));
    }
    changed
}

/// Sets that are found before anything is chosen, and that nobody writes again.
fn early_sets(block: &Block) -> HashSet<SetReg> {
    let (mut early, mut others) = (HashSet::default(), HashSet::default());
    let begin = block.iter().take_while(|node| matches!(node, Node::Op(_))).count();
    for (at, node) in block.iter().enumerate() {
        vregs::accesses(std::slice::from_ref(node), &mut |access| {
            if let Access::DefSet(d) = access
                && (at >= begin || !early.insert(d))
            {
                others.insert(d);
            }
        });
    }
    &early - &others
}

impl Analysis<'_> {
    fn begun(&self) -> State {
        let sets = self.plan.consts.iter();
        let sets = sets.map(|(reg, bits)| (*reg, Known { within: Some(*reg), ..Known::anything(bits.len() as u32) }));
        State {
            sets: sets.collect(),
            numbers: self.plan.const_numbers.iter().map(|(reg, k)| (*reg, Value::Is(*k))).collect(),
            guards: Default::default(),
            guarded: false,
            grown: Default::default(),
            moved: false,
            rows: Rows::default(),
            arm: None,
        }
    }

    /// At most how many runs there are from here on.
    fn runs(&mut self, rest: &Rest<'_>, mut state: State) -> CountBound {
        for (at, node) in rest.nodes.iter().enumerate() {
            self.budget = self.budget.saturating_sub(1 + state.sets.len() as u32 / 64);
            if self.budget == 0 {
                return CountBound::unknown();
            }
            let behind = Rest { nodes: &rest.nodes[at + 1..], next: rest.next };
            if let Node::If { condition, .. } = node {
                self.answers.record(&state, *condition);
            }
            let mut branch =
                |block: &Block, state: State| self.runs(&Rest { nodes: block, next: Some(&behind) }, state);
            match node {
                Node::Op(op) => self.op(&mut state, op),
                Node::Need(n) if state.number(*n) == Some(0) => return CountBound::known(0),
                Node::Need(_) => {}
                Node::Fail => return CountBound::known(0),
                Node::If { condition, then, otherwise } => match state.number(*condition) {
                    Some(0) => return branch(otherwise, state),
                    Some(_) => return branch(then, state),
                    None if node.chooses() => {
                        let bound = branch(then, state.clone());
                        return bound.or(&branch(otherwise, state));
                    }
                    None => {
                        self.forget_written(&mut state, then);
                        self.forget_written(&mut state, otherwise);
                    }
                },
                Node::Loop { body, .. } | Node::Each { body, .. } | Node::EachGroup { body, .. } => {
                    let chooses = node.chooses();
                    if chooses && !self.may_leave_one_way(body) {
                        return CountBound::unknown();
                    }
                    if let Node::Each { cell: d, .. } | Node::EachGroup { group: d, .. } = node {
                        self.put(&mut state, *d, self.anything());
                    }
                    let collected = self.collected(node, &state);
                    self.forget_written(&mut state, body);
                    for (d, of) in collected {
                        let known = self.of(&state, of);
                        self.put(&mut state, d, known);
                    }
                    if chooses {
                        return self.rounds(node, body, &behind, state);
                    }
                }
                Node::First { blocks } => {
                    return blocks
                        .iter()
                        .fold(CountBound::known(0), |most, block| most.or(&branch(block, state.clone())));
                }
                Node::Choose(arms) => return self.choose(arms, &behind, &state),
            }
        }
        rest.next.map_or(CountBound::known(1), |next| self.runs(&Rest { nodes: next.nodes, next: next.next }, state))
    }

    /// Sets that are empty and that a loop fills with some of the cells that it goes through, each with the set of these: what
    /// is known of all of them is known of some.
    fn collected(&self, node: &Node, state: &State) -> Vec<(SetReg, SetReg)> {
        let Node::Each { of, cell, body } = node else { return Vec::new() };
        let (mut parts, mut sums, mut others) = (vec![*cell], Vec::new(), Vec::new());
        for node in body {
            match node {
                Node::Op(TreeOp::Or { d, a, b }) if d == a && parts.contains(b) => sums.push(*d),
                Node::Op(
                    TreeOp::Copy { d, a }
                    | TreeOp::KeepIf { d, a, .. }
                    | TreeOp::And { d, a, .. }
                    | TreeOp::AndNot { d, a, .. },
                ) if parts.contains(a) => parts.push(*d),
                other => vregs::accesses(std::slice::from_ref(other), &mut |access| {
                    if let Access::DefSet(d) = access {
                        others.push(d);
                    }
                }),
            }
        }
        if parts.iter().any(|part| others.contains(part) || sums.contains(part)) {
            return Vec::new();
        }
        let was_empty = |d: &SetReg| self.of(state, *d).most == 0;
        let is_one = |d: &SetReg| d.0 >= self.plan.layout.sets && !others.contains(d) && was_empty(d);
        sums.into_iter().filter(is_one).map(|d| (d, *of)).collect()
    }

    /// At most how many runs there are through rounds that choose. If each leaves one way at most, however often it comes, there
    /// are no more than behind the last; else nothing bounds them.
    fn rounds(&mut self, node: &Node, body: &Block, behind: &Rest<'_>, state: State) -> CountBound {
        // One round by itself, whatever is known of runs behind it.
        let (found, grown) = (std::mem::take(&mut self.found), self.grown);
        let once = self.runs(&Rest { nodes: body, next: None }, state.clone());
        (self.found, self.grown) = (found, grown);
        if once.fixed().is_none_or(|runs| runs > 1) {
            return CountBound::unknown();
        }
        let bound = self.runs(&Rest { nodes: body, next: Some(behind) }, state.clone());
        match node {
            Node::Loop { .. } => bound,
            // There may be no round.
            _ => bound.or(&self.runs(&Rest { nodes: behind.nodes, next: behind.next }, state)),
        }
    }

    /// A quick test: no choice of a block is sure to have several options.
    fn may_leave_one_way(&self, block: &Block) -> bool {
        block.iter().all(|node| {
            let one = match node {
                Node::Choose(arms) => arms.iter().all(|arm| match arm.options {
                    Options::Cells { of, .. } => self.several.is_single(self.program, of),
                    Options::One { open } => arms.len() == 1 || !self.is_constant_number(open),
                    _ => false,
                }),
                _ => true,
            };
            one && node.blocks().into_iter().all(|block| self.may_leave_one_way(block))
        })
    }

    fn choose(&mut self, arms: &[Arm], behind: &Rest<'_>, state: &State) -> CountBound {
        let mut each = Vec::new();
        let joined = Joined::of(arms);
        let mut seen: Vec<(Settled, CountBound, *const Arm)> = Vec::new();
        let (after, looked_at) = state.for_those(|mut read| {
            arms.iter().for_each(|arm| vregs::accesses(&arm.block, &mut read));
            let mut behind = Some(behind);
            while let Some(rest) = behind {
                vregs::accesses(rest.nodes, &mut read);
                behind = rest.next;
            }
        });
        self.budget = self.budget.saturating_sub(looked_at / 64);
        for arm in arms {
            let mut here = State { arm: Some(arm), ..after.clone() };
            let most = |most| Known { most, ..self.anything() };
            match arm.options {
                Options::Cells { of, cell } => {
                    let Known { off, kinds, within, .. } = self.of(state, of);
                    let early = Some(of).filter(|of| !state.moved && self.early.contains(of));
                    self.put(&mut here, cell, Known { off, kinds, within: within.or(early), ..most(1) })
                }
                Options::Combinations { cells, size, .. } => self.put(&mut here, cells, most(u32::from(size))),
                Options::Groups { group, .. } => self.put(&mut here, group, self.anything()),
                Options::Range { number: d, .. } | Options::Bits { bit: d, .. } => {
                    here.numbers.remove(&d);
                    here.forget_guards(d);
                }
                Options::One { .. } => {}
            }
            if let Options::Cells { of, cell } = arm.options
                && let Some(complete) = self.of(state, of).outside
            {
                let idle = Idle { complete, cell };
                here.forget_idle(|known| known == idle);
                let chosen = self.of(&here, cell);
                self.put(&mut here, cell, Known { idle: Some(idle), ..chosen });
            }
            // What the arm does first is known; then of which kind the man is that moves.
            let ops = arm.block.iter().take_while(|node| matches!(node, Node::Op(_))).count();
            let (first, block) = arm.block.split_at(ops);
            for node in first {
                if let Node::Op(op) = node {
                    self.op(&mut here, op);
                }
            }
            if let Some((man, kinds)) = arm.man {
                let Known { stepped, within, .. } = self.of(&here, man);
                self.put(&mut here, man, Known { kinds, stepped, within, ..most(1) });
            }
            // Arms that settle the same have the same behind them.
            let settled = joined.settled(self, &here, arm.man);
            let known = seen.iter().find(|(known, ..)| block.is_empty() && *known == settled);
            let bound = match known {
                Some((_, bound, like)) => {
                    self.answers.record_like(arm, *like);
                    bound.clone()
                }
                None => self.runs(&Rest { nodes: block, next: Some(behind) }, here),
            };
            if block.is_empty() {
                seen.push((settled, bound.clone(), arm));
            }
            let bound = match self.found.get(&std::ptr::from_ref(arm)) {
                Some(known) => {
                    let merged = known.clone().or(&bound);
                    self.grown |= merged != *known;
                    merged
                }
                None => bound,
            };
            let is_early =
                |size: SetReg| size.0 < self.plan.layout.sets || self.early.contains(&size) || self.is_constant(size);
            each.push(bound.beforehand(is_early, self.cells));
            self.found.insert(arm, bound);
        }
        self.sum(state, arms, each)
    }

    /// At most how many runs a choice comes to, by the runs behind each option of its arms. What
    /// two arms offer that were parted is no more than both have together, and some of it has more
    /// runs behind it.
    fn sum(&self, state: &State, arms: &[Arm], mut each: Vec<CountBound>) -> CountBound {
        let mut sum = CountBound::known(0);
        let mut behind_guards: Vec<(Guard, CountBound)> = Vec::new();
        for (at, arm) in arms.iter().enumerate() {
            let mut options = self.options(state, arm);
            if let (Some((_, other)), Some(both)) = (arm.rest_of, arm.within)
                && let Some(more) = each.get(other).and_then(|other| other.minus(&each[at]))
            {
                each[other] = more;
                options = CountBound::size(Size::Cells(both));
            }
            let runs = options.times(&each[at]);
            // Of guards of several bits two may hold.
            let guard = match arm.options {
                Options::One { open } => state.guards.get(&open).copied(),
                Options::Cells { of, .. } | Options::Groups { of, .. } => self.of(state, of).guard,
                _ => None,
            };
            let guard = guard.filter(|guard| guard.bits.is_power_of_two());
            match (guard, behind_guards.iter_mut().find(|(known, _)| Some(*known) == guard)) {
                (None, _) => sum = sum.plus(&runs),
                (Some(_), Some((_, before))) => *before = std::mem::take(before).plus(&runs),
                (Some(guard), None) => behind_guards.push((guard, runs)),
            }
        }
        // Of the guards of one number, one at most holds.
        while let Some((guard, mut most)) = behind_guards.pop() {
            behind_guards.retain(|(other, runs)| {
                let same = other.of == guard.of;
                if same {
                    most = std::mem::take(&mut most).or(runs);
                }
                !same
            });
            sum = sum.plus(&most);
        }
        sum
    }

    /// How many options there are at most.
    fn options(&self, state: &State, arm: &Arm) -> CountBound {
        match arm.options {
            Options::One { open } if state.number(open) == Some(0) => CountBound::known(0),
            Options::One { .. } => CountBound::known(1),
            Options::Cells { of, .. } | Options::Groups { of, .. } => {
                let Known { by, most, .. } = self.of(state, of);
                let early = Some(of).filter(|of| self.early.contains(of));
                let size = early.or(by).or(arm.within).filter(|_| most >= self.cells);
                size.map_or_else(|| CountBound::known(u64::from(most)), |size| CountBound::size(Size::Cells(size)))
            }
            Options::Combinations { of, size, .. } => {
                CountBound::known(binomial(u64::from(self.of(state, of).most), size))
            }
            Options::Bits { of, .. } => {
                let directions = self.plan.bitboard.dirs.len().min(64) as u32;
                let bits = state.number(of).map_or(directions, |bits| bits.count_ones());
                CountBound::known(u64::from(bits))
            }
            Options::Range { from, to, .. } => match (state.number(from), state.numbers.get(&to)) {
                (Some(from), Some(Value::Is(to))) => {
                    CountBound::known(to.saturating_sub(from).saturating_add(1).max(0) as u64)
                }
                (Some(from), Some(Value::Height(of))) => {
                    let height = CountBound::size(Size::Height(*of));
                    let lower = 1_i64.saturating_sub(from);
                    if lower > 0 { height.plus(&CountBound::known(lower as u64)) } else { height }
                }
                _ => CountBound::unknown(),
            },
        }
    }

    /// The lines that a step or a run along a direction stays on.
    fn further(&self, state: &State, a: SetReg, dir: u16) -> Option<Rays> {
        let known = self.of(state, a);
        match known.rays {
            Some(rays) if rays.dirs == 1 << dir => Some(Rays { itself: false, ..rays }),
            None if known.most == 1 && dir < 64 => Some(Rays { from: a, dirs: 1 << dir, itself: false }),
            _ => None,
        }
    }

    /// The lines that the cells of either set lie on.
    fn both_rays(&self, state: &State, a: SetReg, b: SetReg) -> Option<Rays> {
        let (known_a, known_b) = (self.of(state, a).rays, self.of(state, b).rays);
        match (known_a, known_b) {
            (Some(one), Some(other)) if one.from == other.from => {
                Some(Rays { dirs: one.dirs | other.dirs, itself: one.itself || other.itself, ..one })
            }
            (Some(rays), None) if rays.from == b => Some(Rays { itself: true, ..rays }),
            (None, Some(rays)) if rays.from == a => Some(Rays { itself: true, ..rays }),
            _ => None,
        }
    }

    /// At most how many cells such lines have.
    fn reach(&self, rays: Rays) -> u32 {
        let grid = &self.plan.bitboard;
        let length = |start: usize, dir: usize| {
            let [hop] = grid.dirs[dir].as_slice() else { return grid.longest[dir] };
            let hop = &grid.hops[usize::from(*hop)];
            let (mut at, mut steps) = (start, 0);
            while hop.from.contains(at) && steps < grid.longest[dir] {
                at = at.wrapping_add_signed(hop.by as isize);
                steps += 1;
            }
            steps
        };
        let dirs: Vec<usize> = (0..grid.dirs.len().min(64)).filter(|dir| rays.dirs >> dir & 1 == 1).collect();
        let from = |start: usize| dirs.iter().map(|&dir| length(start, dir)).sum::<u32>();
        let most = (0..grid.size()).filter(|&bit| grid.any.contains(bit)).map(from).max().unwrap_or(0);
        most + u32::from(rays.itself)
    }

    /// The cells of a trail.
    fn followed(&self, (from, known): (SetReg, Known), of: Known, trail: u16) -> Known {
        let trail = &self.plan.ray_queries[usize::from(trail)];
        let near = trail.dirs.iter().all(|&dir| dir < 64);
        let dirs = trail.dirs.iter().filter(|&&dir| dir < 64).fold(0, |dirs, &dir| dirs | 1u64 << dir);
        let rays = (known.most == 1 && near).then_some(Rays { from, dirs, itself: false });
        Known { most: rays.map_or(of.most, |rays| of.most.min(self.reach(rays))), rays, within: None, ..of }
    }

    /// Of two sets of the position the one that is likely to be smaller: men of one kind are fewer
    /// than those of one player.
    fn smaller(&self, a: Option<SetReg>, b: Option<SetReg>) -> Option<SetReg> {
        let of_a_kind = |reg: SetReg| self.plan.layout.kinds.contains(&KindSet::Register(reg));
        if b.is_some_and(of_a_kind) { b } else { a.or(b) }
    }

    fn is_constant(&self, reg: SetReg) -> bool {
        self.plan.consts.iter().any(|(constant, _)| *constant == reg)
    }

    fn is_constant_number(&self, number: NumReg) -> bool {
        self.plan.const_numbers.iter().any(|(constant, _)| *constant == number)
    }

    fn anything(&self) -> Known {
        Known::anything(self.cells)
    }

    fn of(&self, state: &State, reg: SetReg) -> Known {
        let by = (reg.0 < self.plan.layout.sets && !state.grown.contains(&reg)).then_some(reg);
        let within = by.filter(|_| !state.moved);
        let kind = self.plan.layout.kinds.iter().position(|kind| *kind == KindSet::Register(reg));
        let kinds = kind.map_or(u64::MAX, |kind| 1 << kind);
        let known = state.sets.get(&reg).copied().unwrap_or(Known { by, within, kinds, ..self.anything() });
        let most = if self.several.is_single(self.program, reg) { known.most.min(1) } else { known.most };
        Known { most, ..known }
    }

    fn put(&self, state: &mut State, reg: SetReg, known: Known) {
        if reg.0 >= self.plan.layout.sets {
            let before = state.sets.insert(reg, Known { most: known.most.min(self.cells), ..known });
            // Lines from another cell than before.
            if before.is_some() {
                for known in state.sets.values_mut() {
                    known.rays = known.rays.filter(|rays| rays.from != reg);
                    known.stepped = known.stepped.filter(|(by, _)| *by != reg);
                }
            }
            return;
        }
        state.grown.insert(reg);
        state.sets.values_mut().filter(|known| known.by == Some(reg)).for_each(|known| known.by = None);
        if self.plan.layout.kinds.contains(&KindSet::Register(reg)) {
            state.forget_kinds();
        }
    }

    fn forget_written(&self, state: &mut State, block: &Block) {
        for node in block {
            match node {
                // What is known of a set is known of what is left of it.
                Node::Op(TreeOp::AndNot { d, a, .. } | TreeOp::And { d, a, .. }) if d == a => {
                    state.rows = Rows::default();
                    self.put(state, *d, self.of(state, *a));
                }
                Node::Op(op) => self.forget_op(state, op),
                Node::Each { cell: d, .. } | Node::EachGroup { group: d, .. } => self.put(state, *d, self.anything()),
                Node::Loop { counter, .. } => {
                    state.numbers.remove(counter);
                    state.forget_guards(*counter);
                }
                Node::Choose(arms) => arms.iter().for_each(|arm| {
                    arm.options.accesses(&mut |access| match access {
                        Access::DefSet(d) => self.put(state, d, self.anything()),
                        Access::DefNum(d) => {
                            state.numbers.remove(&d);
                            state.forget_guards(d);
                        }
                        _ => {}
                    });
                }),
                Node::If { .. } | Node::First { .. } | Node::Need(_) | Node::Fail => {}
            }
            node.blocks().into_iter().for_each(|block| self.forget_written(state, block));
        }
    }

    fn forget_op(&self, state: &mut State, op: &TreeOp) {
        state.rows = Rows::default();
        op.accesses(|access| match access {
            Access::DefSet(d) => self.put(state, d, self.anything()),
            Access::DefNum(d) => {
                state.numbers.remove(&d);
                state.forget_guards(d);
            }
            Access::Pieces => state.men_change(),
            _ => {}
        });
        match op {
            TreeOp::MovePiece { .. } => state.forget_kinds(),
            // Others than before stand on the top.
            TreeOp::MoveMen { .. } | TreeOp::PutMen { .. } | TreeOp::TakeMen { .. } | TreeOp::TurnMen { .. } => {
                state.forget_kinds();
                state.men_change();
                state.grown.extend((0..self.plan.layout.sets).map(SetReg));
            }
            // Sets that had less men than a player has now.
            TreeOp::FlipOwner { .. } => state.grown.extend((0..self.plan.layout.sets).map(SetReg)),
            _ => {}
        }
    }

    fn op(&self, state: &mut State, op: &TreeOp) {
        let mut rows = std::mem::take(&mut state.rows);
        if let TreeOp::LineCompletions { d, .. } = *op {
            state.forget_idle(|idle| idle.complete == d);
        }
        rows.pass(op, self.plan, &state.sets);
        let guard = self.guard_of(state, op);
        op.accesses(|access| {
            if let Access::DefNum(d) = access {
                state.forget_guards(d);
            }
        });
        let idle = rows.never(op, |reg| state.sets.get(&reg).and_then(|known| known.idle));
        match idle {
            Some(d) => drop(state.numbers.insert(d, Value::Is(0))),
            None => self.simple(state, op, &rows),
        }
        state.guarded |= guard.is_some();
        state.guards.extend(guard);
        state.rows = rows;
    }

    /// The number that an operation makes, if it is 0 unless a guard holds.
    fn guard_of(&self, state: &State, op: &TreeOp) -> Option<(NumReg, Guard)> {
        let known = |reg: NumReg| state.guards.get(&reg).copied();
        match *op {
            TreeOp::TestBit { d, a: of, bit } if d != of && bit < 64 && self.several.has_one_bit(self.program, of) => {
                Some((d, Guard { of, bits: 1 << bit }))
            }
            TreeOp::CopyNum { d, a } => known(a).filter(|guard| guard.of != d).map(|guard| (d, guard)),
            TreeOp::BitAnd { d, a, b } => known(a).or(known(b)).filter(|guard| guard.of != d).map(|guard| (d, guard)),
            _ => None,
        }
    }

    fn simple(&self, state: &mut State, op: &TreeOp, rows: &Rows) {
        let of = |reg: SetReg| self.of(state, reg);
        let both = |a: Known, b: Known| {
            let kinds = a.kinds & b.kinds;
            Known {
                most: if kinds == 0 { 0 } else { a.most.min(b.most) },
                by: self.smaller(a.by, b.by),
                within: a.within.or(b.within),
                kinds,
                rays: a.rays.or(b.rays),
                outside: a.outside.or(b.outside),
                guard: a.guard.or(b.guard),
                off: a.off.or(b.off),
                ..Known::anything(0)
            }
        };
        let either = |a: Known, b: Known| Known {
            most: a.most.max(b.most),
            by: if a.by == b.by { a.by } else { None },
            kinds: a.kinds | b.kinds,
            ..Known::anything(0)
        };
        let stepped = || {
            let (_, by, way) = Away::of(op).filter(|(_, by, _)| rows.ask_ways(self.plan) && of(*by).most == 1)?;
            Some((by, way))
        };
        let elsewhere = |a: Known| Known { most: a.most, by: a.by, guard: a.guard, ..Known::anything(0) };
        let set = match *op {
            TreeOp::AndNot { d, a, b } if self.is_constant(b) => Some((d, Known { off: Some(b), ..of(a) })),
            TreeOp::AndNot { d, a, b } if rows.tells(b) => Some((d, Known { outside: Some(b), ..of(a) })),
            TreeOp::KeepIf { d, a, n } => {
                Some((d, Known { guard: of(a).guard.or(state.guards.get(&n).copied()), ..of(a) }))
            }
            TreeOp::Copy { d, a } | TreeOp::AndNot { d, a, .. } => Some((d, of(a))),
            TreeOp::Shift { d, a, dir } => {
                let (rays, stepped) = (self.further(state, a, dir), stepped());
                Some((d, Known { rays, stepped, ..elsewhere(of(a)) }))
            }
            TreeOp::MaskedShift { d, a, .. } => Some((d, Known { stepped: stepped(), ..elsewhere(of(a)) })),
            TreeOp::ShiftTimes { d, a, .. } => Some((d, elsewhere(of(a)))),
            TreeOp::FirstOnRay { d, a, .. } => Some((d, Known { by: None, ..elsewhere(of(a)) })),
            TreeOp::And { d, a, b } => Some((d, both(of(a), of(b)))),
            TreeOp::Or { d, a, b } => {
                let (known_a, known_b) = (of(a), of(b));
                let both = known_a.most.saturating_add(known_b.most);
                let (guard, most) = match (known_a.guard, known_b.guard) {
                    (Some(one), Some(other)) if one.of == other.of => {
                        // One of the sets is empty, if no bit allows both.
                        let most = if one.bits & other.bits == 0 { known_a.most.max(known_b.most) } else { both };
                        (Some(Guard { bits: one.bits | other.bits, ..one }), most)
                    }
                    (Some(guard), _) if known_b.most == 0 => (Some(guard), both),
                    (_, Some(guard)) if known_a.most == 0 => (Some(guard), both),
                    _ => (None, both),
                };
                let rays = self.both_rays(state, a, b);
                let most = rays.map_or(most, |rays| most.min(self.reach(rays)));
                Some((d, Known { most, by: None, rays, guard, ..either(known_a, known_b) }))
            }
            TreeOp::Select { d, a, b, .. } => Some((d, either(of(a), of(b)))),
            TreeOp::Neighbors { d, a, along } => {
                let ways = self.plan.along[usize::from(along)].len() as u32;
                Some((d, Known::anything(of(a).most.saturating_mul(ways))))
            }
            TreeOp::RayFill { d, a, dir, .. } => {
                let longest = self.plan.bitboard.longest[usize::from(dir)];
                let most = of(a).most.saturating_mul(longest);
                Some((d, Known { rays: self.further(state, a, dir), guard: of(a).guard, ..Known::anything(most) }))
            }
            TreeOp::NthCell { d, a, .. } => Some((d, Known { most: 1, ..of(a) })),
            TreeOp::RayQuery { d, a, x, trail, .. } => Some((d, self.followed((a, of(a)), of(x), trail))),
            _ => None,
        };
        if let Some((d, known)) = set {
            return self.put(state, d, known);
        }
        if let TreeOp::MovePiece { from, to, .. } = *op {
            let (man, of_to) = (of(from), of(to));
            self.forget_op(state, op);
            let idle = of_to.idle;
            return self.put(state, to, Known { by: None, within: None, outside: None, off: of_to.off, idle, ..man });
        }
        let value = |n: NumReg| state.number(n);
        let number = match *op {
            TreeOp::CopyNum { d, a } => Some((d, state.numbers.get(&a).copied())),
            TreeOp::Heights { d, a } if of(a).most <= 1 => Some((d, of(a).within.map(Value::Height))),
            _ => None,
        };
        let constant = || match *op {
            TreeOp::Const { d, k } => Some((d, Some(k))),
            TreeOp::Not { d, a } => Some((d, value(a).map(|a| i64::from(a == 0)))),
            TreeOp::Compare { cmp: Cmp::Equal, d, a, b } => {
                Some((d, value(a).zip(value(b)).map(|(a, b)| i64::from(a == b))))
            }
            TreeOp::BitAnd { d, a, b } => Some((d, known_both(value(a), value(b)))),
            TreeOp::NonEmpty { d, a } => Some((d, (of(a).most == 0).then_some(0))),
            TreeOp::NonEmptySubset { d, a, b } | TreeOp::Intersects { d, a, b } if of(a).off == Some(b) => {
                Some((d, Some(0)))
            }
            TreeOp::Intersects { d, a, b } => Some((d, (both(of(a), of(b)).most == 0).then_some(0))),
            // Of a set that has a cell; an empty one lies in no set either.
            TreeOp::NonEmptySubset { d, a, b } => Some((d, (both(of(a), of(b)).most == 0).then_some(0))),
            _ => None,
        };
        match number.or_else(|| constant().map(|(d, k)| (d, k.map(Value::Is)))) {
            Some((d, Some(known))) => drop(state.numbers.insert(d, known)),
            Some((d, None)) => drop(state.numbers.remove(&d)),
            None => self.forget_op(state, op),
        }
    }
}

fn known_both(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        (Some(a), Some(b)) => Some(a & b),
        _ => None,
    }
}
