//! Preserved conditions: operations that tell a truth go in; what must stay as it is on the board
//! so that the truth stays comes out.
//!
//! The operations are followed backwards. For each set it is known which of the cells that it does
//! not have it must not get, and which of those that it has it must not lose; from this follows the
//! same for what the set was made of. Where one of two things is enough, that one is taken that the
//! player to move cannot change: men of others, and sets made of the men whose moves are asked
//! about in any case.

use rustc_hash::FxHashMap as HashMap;

use crate::plan::passes::elide_checks::{NumReg, Preheader, SetReg, TreeOp, kind_of};

/// What a condition rests on.
pub struct Preserved {
    /// Not 0: the condition does not hold before the move.
    pub fails: NumReg,
    /// Nobody may leave these without another coming.
    pub occupied: Option<SetReg>,
    /// Nobody may come here.
    pub vacant: Option<SetReg>,
    /// Nobody may be caught here.
    pub uncaptured: Option<SetReg>,
    /// Kinds of one's own men whose moves may change the condition, a bit a kind.
    pub sensitive_kinds: u64,
}

/// Cells, or all.
#[derive(Clone, Copy, PartialEq)]
enum Region {
    All,
    In(SetReg),
}

/// What is known of the operations while they are followed.
struct BackwardAnalysis<'m, 'p> {
    preheader: &'m mut Preheader<'p>,
    own: SetReg,
    /// By what they make, before the move.
    defs: HashMap<SetReg, TreeOp>,
    /// Cells that a set must not get, or lose.
    forbidden_gains: HashMap<SetReg, Region>,
    forbidden_losses: HashMap<SetReg, Region>,
    preserved: Preserved,
}

impl Preserved {
    /// What the truth rests on if it holds before the move; `None`: that cannot be told.
    pub fn of(maker: &mut Preheader, own: SetReg, ops: &[TreeOp], holds: NumReg) -> Option<Preserved> {
        let (mut sets, mut numbers): (HashMap<SetReg, SetReg>, HashMap<NumReg, NumReg>) = Default::default();
        let mut before: Vec<TreeOp> = Vec::new();
        for op in ops {
            let (mut set, mut number) = (None, None);
            op.accesses(|access| match access {
                crate::plan::passes::elide_checks::Access::DefSet(d) => set = Some(d),
                crate::plan::passes::elide_checks::Access::DefNum(d) => number = Some(d),
                _ => {}
            });
            let renamed =
                op.renamed(|reg| sets.get(&reg).copied().unwrap_or(reg), |n| numbers.get(&n).copied().unwrap_or(n));
            match (set, number) {
                (Some(d), None) => {
                    let made = |home| renamed.renamed(|reg| if reg == d { home } else { reg }, |n| n);
                    let home = maker.set(made);
                    if !before.contains(&made(home)) {
                        before.push(made(home));
                    }
                    sets.insert(d, home);
                }
                (None, Some(d)) => {
                    let home = maker.vregs.number();
                    let made = renamed.renamed(|reg| reg, |n| if n == d { home } else { n });
                    maker.block.push(crate::plan::passes::elide_checks::Node::Op(made));
                    before.push(made);
                    numbers.insert(d, home);
                }
                _ => return None,
            }
        }
        let holds = *numbers.get(&holds)?;
        let inverse = before.iter().find_map(|op| match op {
            TreeOp::Not { d, a } if *d == holds => Some(*a),
            _ => None,
        });
        let fails = inverse.unwrap_or_else(|| {
            let d = maker.vregs.number();
            maker.block.push(crate::plan::passes::elide_checks::Node::Op(TreeOp::Not { d, a: holds }));
            d
        });
        let mut makers = HashMap::default();
        for op in &before {
            op.accesses(|access| {
                if let crate::plan::passes::elide_checks::Access::DefSet(d) = access {
                    makers.insert(d, *op);
                }
            });
        }
        let demand = Preserved { fails, occupied: None, vacant: None, uncaptured: None, sensitive_kinds: 0 };
        let mut trail = BackwardAnalysis {
            preheader: maker,
            own,
            defs: makers,
            forbidden_gains: HashMap::default(),
            forbidden_losses: HashMap::default(),
            preserved: demand,
        };
        trail.trace_condition(&before, holds)?;
        for op in before.iter().rev() {
            let mut made = None;
            op.accesses(|access| {
                if let crate::plan::passes::elide_checks::Access::DefSet(d) = access {
                    made = Some(d);
                }
            });
            if let Some(d) = made {
                trail.propagate(d, op)?;
            }
        }
        // Men whose moves are asked about in any case guard themselves.
        let mut touchy: Vec<SetReg> = trail.defs.keys().copied().filter(|reg| trail.own_kind(*reg).is_some()).collect();
        touchy.sort_unstable();
        for reg in touchy {
            trail.preserved.sensitive_kinds |= trail.own_kind(reg).map_or(0, |kind| 1 << kind);
            trail.preserved.occupied = trail.preheader.union(trail.preserved.occupied, Some(reg));
        }
        Some(trail.preserved)
    }
}

impl BackwardAnalysis<'_, '_> {
    /// Follows truths back to sets.
    fn trace_condition(&mut self, ops: &[TreeOp], holds: NumReg) -> Option<()> {
        let mut wanted = vec![(holds, true)];
        while let Some((n, truth)) = wanted.pop() {
            let made = ops.iter().find(|op| {
                let mut made = false;
                op.accesses(|access| made |= access == crate::plan::passes::elide_checks::Access::DefNum(n));
                made
            })?;
            match (*made, truth) {
                (TreeOp::Not { a, .. }, _) => wanted.push((a, !truth)),
                (TreeOp::CopyNum { a, .. }, _) => wanted.push((a, truth)),
                (TreeOp::BitOr { a, b, .. }, false) | (TreeOp::BitAnd { a, b, .. }, true) => {
                    wanted.extend([(a, truth), (b, truth)])
                }
                (TreeOp::NonEmpty { a, .. }, false) => self.forbid_gain(a, Region::All)?,
                (TreeOp::Intersects { a, b, .. }, false) => self.keep_disjoint(a, b, Region::All)?,
                _ => return None,
            }
        }
        Some(())
    }

    fn propagate(&mut self, d: SetReg, op: &TreeOp) -> Option<()> {
        if self.own_kind(d).is_some() || self.is_all_pieces(d) {
            // Of these it is told what is demanded where it is demanded.
            return Some(());
        }
        let (gets, loses) = (self.forbidden_gains.get(&d).copied(), self.forbidden_losses.get(&d).copied());
        if let Some(cells) = gets.filter(|_| !self.cannot_gain(d)) {
            self.propagate_gains(op, cells)?;
        }
        if let Some(cells) = loses {
            self.propagate_losses(op, cells)?;
        }
        Some(())
    }

    fn propagate_gains(&mut self, op: &TreeOp, cells: Region) -> Option<()> {
        match *op {
            TreeOp::Copy { a, .. } => self.forbid_gain(a, cells),
            TreeOp::Or { a, b, .. } => {
                self.forbid_gain(a, cells)?;
                self.forbid_gain(b, cells)
            }
            TreeOp::And { a, b, .. } => self.keep_disjoint(a, b, cells),
            TreeOp::AndNot { a, b, .. } => {
                let held = self.intersection(cells, a);
                if !self.cannot_gain(a) {
                    let rest = self.difference(cells, a);
                    self.forbid_gain(a, rest)?;
                }
                self.forbid_loss(b, held)
            }
            TreeOp::Shift { a, dir, .. } => {
                let dir = self.preheader.opposite(dir)?;
                let from = match cells {
                    Region::All => Region::All,
                    Region::In(a) => Region::In(self.preheader.set(|d| TreeOp::Shift { d, a, dir })),
                };
                self.forbid_gain(a, from)
            }
            TreeOp::Neighbors { a, along, .. } => {
                let from = match cells {
                    Region::All => Region::All,
                    Region::In(cells) => {
                        let along = self.reversed_along(along);
                        Region::In(self.preheader.set(|d| TreeOp::Neighbors { d, a: cells, along }))
                    }
                };
                self.forbid_gain(a, from)
            }
            TreeOp::SlidingReach { a, through, dirs, .. } => {
                let cells = self.as_set(cells);
                let back = self.preheader.opposites(dirs)?;
                if !self.cannot_gain(a) {
                    // Nobody may come to look from any cell of their lines.
                    let any = self.preheader.all_cells();
                    let lines = self.preheader.set(|d| TreeOp::SlidingReach { d, a: cells, through: any, dirs: back });
                    let rest = self.preheader.set(|d| TreeOp::AndNot { d, a: lines, b: a });
                    self.forbid_gain(a, Region::In(rest))?;
                }
                let firm = self.immobile_pieces();
                let guards = self.preheader.set(|d| TreeOp::Blockers { d, a, of: cells, through, firm, dirs });
                self.forbid_gain(through, Region::In(guards))
            }
            _ => None,
        }
    }

    fn propagate_losses(&mut self, op: &TreeOp, cells: Region) -> Option<()> {
        match *op {
            TreeOp::Copy { a, .. } => self.forbid_loss(a, cells),
            TreeOp::And { a, b, .. } => {
                self.forbid_loss(a, cells)?;
                self.forbid_loss(b, cells)
            }
            TreeOp::Or { a, b, .. } => {
                let (held, rest) = (self.intersection(cells, a), self.difference(cells, a));
                self.forbid_loss(a, held)?;
                self.forbid_loss(b, rest)
            }
            TreeOp::AndNot { a, b, .. } => {
                self.forbid_loss(a, cells)?;
                self.forbid_gain(b, cells)
            }
            _ => None,
        }
    }

    /// Two sets must stay apart on some cells.
    fn keep_disjoint(&mut self, a: SetReg, b: SetReg, cells: Region) -> Option<()> {
        match (self.cannot_gain(a), self.cannot_gain(b)) {
            (true, true) => Some(()),
            // On the other cells the settled one stays away.
            (true, false) => {
                let held = self.intersection(cells, a);
                self.forbid_gain(b, held)
            }
            (false, true) => {
                let held = self.intersection(cells, b);
                self.forbid_gain(a, held)
            }
            (false, false) => {
                let (held, rest) = (self.intersection(cells, a), self.difference(cells, a));
                self.forbid_gain(b, held)?;
                self.forbid_gain(a, rest)
            }
        }
    }

    fn forbid_gain(&mut self, reg: SetReg, cells: Region) -> Option<()> {
        if self.cannot_gain(reg) {
            return Some(());
        }
        let layout = &self.preheader.plan.layout;
        if self.is_all_pieces(reg) || reg.0 < layout.sets {
            let cells = self.as_set(cells);
            self.preserved.vacant = self.preheader.union(self.preserved.vacant, Some(cells));
            return Some(());
        }
        let known = self.forbidden_gains.get(&reg).copied();
        let all = self.union(known, cells);
        self.forbidden_gains.insert(reg, all);
        Some(())
    }

    fn forbid_loss(&mut self, reg: SetReg, cells: Region) -> Option<()> {
        let plan = &self.preheader.plan;
        if plan.consts.iter().any(|(known, _)| *known == reg) {
            return Some(());
        }
        if self.is_all_pieces(reg) || reg.0 < plan.layout.sets {
            let cells = self.as_set(cells);
            self.preserved.occupied = self.preheader.union(self.preserved.occupied, Some(cells));
            if !self.is_all_pieces(reg) {
                self.preserved.uncaptured = self.preheader.union(self.preserved.uncaptured, Some(cells));
            }
            return Some(());
        }
        if self.own_kind(reg).is_some() {
            return None;
        }
        let known = self.forbidden_losses.get(&reg).copied();
        let all = self.union(known, cells);
        self.forbidden_losses.insert(reg, all);
        Some(())
    }

    // Sets of cells.

    fn as_set(&mut self, cells: Region) -> SetReg {
        match cells {
            Region::All => self.preheader.all_cells(),
            Region::In(reg) => reg,
        }
    }

    fn intersection(&mut self, cells: Region, b: SetReg) -> Region {
        let any = self.preheader.all_cells();
        match cells {
            Region::All => Region::In(b),
            Region::In(_) if b == any => cells,
            Region::In(a) => Region::In(self.preheader.set(|d| TreeOp::And { d, a, b })),
        }
    }

    fn difference(&mut self, cells: Region, b: SetReg) -> Region {
        let a = self.as_set(cells);
        Region::In(self.preheader.set(|d| TreeOp::AndNot { d, a, b }))
    }

    fn union(&mut self, known: Option<Region>, cells: Region) -> Region {
        match (known, cells) {
            (None, cells) => cells,
            (Some(Region::In(a)), Region::In(b)) if a != b => {
                Region::In(self.preheader.set(|d| TreeOp::Or { d, a, b }))
            }
            (Some(Region::In(a)), Region::In(_)) => Region::In(a),
            _ => Region::All,
        }
    }

    fn immobile_pieces(&mut self) -> SetReg {
        let layout = &self.preheader.plan.layout;
        let others: Vec<SetReg> =
            layout.of.iter().copied().chain(layout.neutral).filter(|of| *of != self.own).collect();
        let all = others.into_iter().fold(None, |all, of| self.preheader.union(all, Some(of)));
        all.unwrap_or(self.own)
    }

    fn reversed_along(&mut self, along: u16) -> u16 {
        let grid = &mut self.preheader.plan.bitboard;
        let hops: smallvec::SmallVec<[u16; 2]> = self.preheader.plan.along[usize::from(along)]
            .iter()
            .map(|hop| {
                let back = grid.hops[usize::from(*hop)].back();
                grid.hop(back)
            })
            .collect();
        let known = &mut self.preheader.plan.along;
        let at = known.iter().position(|known| *known == hops).unwrap_or_else(|| {
            known.push(hops);
            known.len() - 1
        });
        at as u16
    }

    // What sets are.

    /// No move but of touchy men gives the set a cell.
    fn cannot_gain(&self, reg: SetReg) -> bool {
        let plan = &self.preheader.plan;
        if plan.consts.iter().any(|(known, _)| *known == reg) {
            return true;
        }
        if reg.0 < plan.layout.sets {
            let of = plan.layout.of.contains(&reg) || plan.layout.neutral == Some(reg);
            return of && reg != self.own;
        }
        match self.defs.get(&reg) {
            Some(TreeOp::And { a, b, .. }) => {
                // Others' men stay of their kind: a turn that changes kinds is asked.
                let of_kind = |of: SetReg, kind: SetReg| {
                    of.0 < plan.layout.sets && self.cannot_gain(of) && kind_of(plan, kind).is_some()
                };
                self.own_kind(reg).is_some()
                    || of_kind(*a, *b)
                    || of_kind(*b, *a)
                    || self.cannot_gain(*a) && self.cannot_gain(*b)
            }
            Some(TreeOp::Or { a, b, .. }) => self.cannot_gain(*a) && self.cannot_gain(*b),
            Some(TreeOp::Copy { a, .. } | TreeOp::Shift { a, .. } | TreeOp::Neighbors { a, .. }) => {
                self.cannot_gain(*a)
            }
            _ => false,
        }
    }

    /// The set is one's own men of a kind.
    fn own_kind(&self, reg: SetReg) -> Option<usize> {
        match self.defs.get(&reg) {
            Some(TreeOp::And { a, b, .. }) if *a == self.own => kind_of(self.preheader.plan, *b),
            Some(TreeOp::And { a, b, .. }) if *b == self.own => kind_of(self.preheader.plan, *a),
            _ => None,
        }
    }

    /// The set is all men.
    fn is_all_pieces(&self, reg: SetReg) -> bool {
        let layout = &self.preheader.plan.layout;
        let (mut open, mut found) = (vec![reg], Vec::new());
        while let Some(reg) = open.pop() {
            match self.defs.get(&reg) {
                Some(TreeOp::Or { a, b, .. }) => open.extend([*a, *b]),
                Some(_) => return false,
                None => found.push(reg),
            }
        }
        let all: Vec<SetReg> = layout.of.iter().copied().chain(layout.neutral).collect();
        found.iter().all(|reg| all.contains(reg)) && all.iter().all(|reg| found.contains(reg))
    }
}
