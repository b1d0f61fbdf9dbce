//! Operations that tell a truth go in; what must stay as it is on the board so that the truth stays
//! comes out.
//!
//! The operations are followed backwards. For each set it is known which of the cells that it does
//! not have it must not get, and which of those that it has it must not lose; from this follows the
//! same for what the set was made of. Where one of two things is enough, that one is taken that the
//! player to move cannot change: men of others, and sets made of the men whose moves are asked
//! about in any case.

use rustc_hash::FxHashMap as HashMap;

use crate::plan::passes::elide_checks::{Maker, NumReg, Op, SetReg, kind_of};

/// What a condition rests on.
pub(crate) struct Demand {
    /// Not 0: the condition does not hold before the move.
    pub fails: NumReg,
    /// Nobody may leave these without another coming.
    pub guards: Option<SetReg>,
    /// Nobody may come here.
    pub closed: Option<SetReg>,
    /// Nobody may be caught here.
    pub stay: Option<SetReg>,
    /// Kinds of one's own men whose moves may change the condition, a bit a kind.
    pub touchy: u64,
}

/// Cells, or all.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    All,
    In(SetReg),
}

/// What is known of the operations while they are followed.
struct Trail<'m, 'p> {
    maker: &'m mut Maker<'p>,
    own: SetReg,
    /// By what they make, before the move.
    makers: HashMap<SetReg, Op>,
    /// Cells that a set must not get, or lose.
    gets: HashMap<SetReg, Where>,
    loses: HashMap<SetReg, Where>,
    demand: Demand,
}

impl Demand {
    /// What the truth rests on if it holds before the move; `None`: that cannot be told.
    pub fn of(maker: &mut Maker, own: SetReg, ops: &[Op], holds: NumReg) -> Option<Demand> {
        let (mut sets, mut numbers): (HashMap<SetReg, SetReg>, HashMap<NumReg, NumReg>) = Default::default();
        let mut before: Vec<Op> = Vec::new();
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
                    let home = maker.fresh.number();
                    let made = renamed.renamed(|reg| reg, |n| if n == d { home } else { n });
                    maker.out.push(crate::plan::passes::elide_checks::Node::Op(made));
                    before.push(made);
                    numbers.insert(d, home);
                }
                _ => return None,
            }
        }
        let holds = *numbers.get(&holds)?;
        let inverse = before.iter().find_map(|op| match op {
            Op::Not { d, a } if *d == holds => Some(*a),
            _ => None,
        });
        let fails = inverse.unwrap_or_else(|| {
            let d = maker.fresh.number();
            maker.out.push(crate::plan::passes::elide_checks::Node::Op(Op::Not { d, a: holds }));
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
        let demand = Demand { fails, guards: None, closed: None, stay: None, touchy: 0 };
        let mut trail = Trail { maker, own, makers, gets: HashMap::default(), loses: HashMap::default(), demand };
        trail.truths(&before, holds)?;
        for op in before.iter().rev() {
            let mut made = None;
            op.accesses(|access| {
                if let crate::plan::passes::elide_checks::Access::DefSet(d) = access {
                    made = Some(d);
                }
            });
            if let Some(d) = made {
                trail.follow(d, op)?;
            }
        }
        // Men whose moves are asked about in any case guard themselves.
        let mut touchy: Vec<SetReg> =
            trail.makers.keys().copied().filter(|reg| trail.own_kind(*reg).is_some()).collect();
        touchy.sort_unstable();
        for reg in touchy {
            trail.demand.touchy |= trail.own_kind(reg).map_or(0, |kind| 1 << kind);
            trail.demand.guards = trail.maker.or(trail.demand.guards, Some(reg));
        }
        Some(trail.demand)
    }
}

impl Trail<'_, '_> {
    /// Follows truths back to sets.
    fn truths(&mut self, ops: &[Op], holds: NumReg) -> Option<()> {
        let mut wanted = vec![(holds, true)];
        while let Some((n, truth)) = wanted.pop() {
            let made = ops.iter().find(|op| {
                let mut made = false;
                op.accesses(|access| made |= access == crate::plan::passes::elide_checks::Access::DefNum(n));
                made
            })?;
            match (*made, truth) {
                (Op::Not { a, .. }, _) => wanted.push((a, !truth)),
                (Op::CopyNum { a, .. }, _) => wanted.push((a, truth)),
                (Op::BitOr { a, b, .. }, false) | (Op::BitAnd { a, b, .. }, true) => {
                    wanted.extend([(a, truth), (b, truth)])
                }
                (Op::NonEmpty { a, .. }, false) => self.must_not_get(a, Where::All)?,
                (Op::Intersects { a, b, .. }, false) => self.apart(a, b, Where::All)?,
                _ => return None,
            }
        }
        Some(())
    }

    fn follow(&mut self, d: SetReg, op: &Op) -> Option<()> {
        if self.own_kind(d).is_some() || self.is_occupied(d) {
            // Of these it is told what is demanded where it is demanded.
            return Some(());
        }
        let (gets, loses) = (self.gets.get(&d).copied(), self.loses.get(&d).copied());
        if let Some(cells) = gets.filter(|_| !self.is_settled(d)) {
            self.follow_gets(op, cells)?;
        }
        if let Some(cells) = loses {
            self.follow_loses(op, cells)?;
        }
        Some(())
    }

    fn follow_gets(&mut self, op: &Op, cells: Where) -> Option<()> {
        match *op {
            Op::Copy { a, .. } => self.must_not_get(a, cells),
            Op::Or { a, b, .. } => {
                self.must_not_get(a, cells)?;
                self.must_not_get(b, cells)
            }
            Op::And { a, b, .. } => self.apart(a, b, cells),
            Op::AndNot { a, b, .. } => {
                let held = self.both(cells, a);
                if !self.is_settled(a) {
                    let rest = self.but(cells, a);
                    self.must_not_get(a, rest)?;
                }
                self.must_not_lose(b, held)
            }
            Op::Shift { a, dir, .. } => {
                let dir = self.maker.opposite(dir)?;
                let from = match cells {
                    Where::All => Where::All,
                    Where::In(a) => Where::In(self.maker.set(|d| Op::Shift { d, a, dir })),
                };
                self.must_not_get(a, from)
            }
            Op::Neighbors { a, along, .. } => {
                let from = match cells {
                    Where::All => Where::All,
                    Where::In(cells) => {
                        let along = self.back_along(along);
                        Where::In(self.maker.set(|d| Op::Neighbors { d, a: cells, along }))
                    }
                };
                self.must_not_get(a, from)
            }
            Op::SlidingReach { a, through, dirs, .. } => {
                let cells = self.cells(cells);
                let back = self.maker.opposites(dirs)?;
                if !self.is_settled(a) {
                    // Nobody may come to look from any cell of their lines.
                    let any = self.maker.any();
                    let lines = self.maker.set(|d| Op::SlidingReach { d, a: cells, through: any, dirs: back });
                    let rest = self.maker.set(|d| Op::AndNot { d, a: lines, b: a });
                    self.must_not_get(a, Where::In(rest))?;
                }
                let firm = self.firm();
                let guards = self.maker.set(|d| Op::Blockers { d, a, of: cells, through, firm, dirs });
                self.must_not_get(through, Where::In(guards))
            }
            _ => None,
        }
    }

    fn follow_loses(&mut self, op: &Op, cells: Where) -> Option<()> {
        match *op {
            Op::Copy { a, .. } => self.must_not_lose(a, cells),
            Op::And { a, b, .. } => {
                self.must_not_lose(a, cells)?;
                self.must_not_lose(b, cells)
            }
            Op::Or { a, b, .. } => {
                let (held, rest) = (self.both(cells, a), self.but(cells, a));
                self.must_not_lose(a, held)?;
                self.must_not_lose(b, rest)
            }
            Op::AndNot { a, b, .. } => {
                self.must_not_lose(a, cells)?;
                self.must_not_get(b, cells)
            }
            _ => None,
        }
    }

    /// Two sets must stay apart on some cells.
    fn apart(&mut self, a: SetReg, b: SetReg, cells: Where) -> Option<()> {
        match (self.is_settled(a), self.is_settled(b)) {
            (true, true) => Some(()),
            // On the other cells the settled one stays away.
            (true, false) => {
                let held = self.both(cells, a);
                self.must_not_get(b, held)
            }
            (false, true) => {
                let held = self.both(cells, b);
                self.must_not_get(a, held)
            }
            (false, false) => {
                let (held, rest) = (self.both(cells, a), self.but(cells, a));
                self.must_not_get(b, held)?;
                self.must_not_get(a, rest)
            }
        }
    }

    fn must_not_get(&mut self, reg: SetReg, cells: Where) -> Option<()> {
        if self.is_settled(reg) {
            return Some(());
        }
        let layout = &self.maker.plan.layout;
        if self.is_occupied(reg) || reg.0 < layout.sets {
            let cells = self.cells(cells);
            self.demand.closed = self.maker.or(self.demand.closed, Some(cells));
            return Some(());
        }
        let known = self.gets.get(&reg).copied();
        let all = self.either(known, cells);
        self.gets.insert(reg, all);
        Some(())
    }

    fn must_not_lose(&mut self, reg: SetReg, cells: Where) -> Option<()> {
        let plan = &self.maker.plan;
        if plan.consts.iter().any(|(known, _)| *known == reg) {
            return Some(());
        }
        if self.is_occupied(reg) || reg.0 < plan.layout.sets {
            let cells = self.cells(cells);
            self.demand.guards = self.maker.or(self.demand.guards, Some(cells));
            if !self.is_occupied(reg) {
                self.demand.stay = self.maker.or(self.demand.stay, Some(cells));
            }
            return Some(());
        }
        if self.own_kind(reg).is_some() {
            return None;
        }
        let known = self.loses.get(&reg).copied();
        let all = self.either(known, cells);
        self.loses.insert(reg, all);
        Some(())
    }

    // Sets of cells.

    fn cells(&mut self, cells: Where) -> SetReg {
        match cells {
            Where::All => self.maker.any(),
            Where::In(reg) => reg,
        }
    }

    fn both(&mut self, cells: Where, b: SetReg) -> Where {
        let any = self.maker.any();
        match cells {
            Where::All => Where::In(b),
            Where::In(_) if b == any => cells,
            Where::In(a) => Where::In(self.maker.set(|d| Op::And { d, a, b })),
        }
    }

    fn but(&mut self, cells: Where, b: SetReg) -> Where {
        let a = self.cells(cells);
        Where::In(self.maker.set(|d| Op::AndNot { d, a, b }))
    }

    fn either(&mut self, known: Option<Where>, cells: Where) -> Where {
        match (known, cells) {
            (None, cells) => cells,
            (Some(Where::In(a)), Where::In(b)) if a != b => Where::In(self.maker.set(|d| Op::Or { d, a, b })),
            (Some(Where::In(a)), Where::In(_)) => Where::In(a),
            _ => Where::All,
        }
    }

    fn firm(&mut self) -> SetReg {
        let layout = &self.maker.plan.layout;
        let others: Vec<SetReg> =
            layout.of.iter().copied().chain(layout.neutral).filter(|of| *of != self.own).collect();
        let all = others.into_iter().fold(None, |all, of| self.maker.or(all, Some(of)));
        all.unwrap_or(self.own)
    }

    fn back_along(&mut self, along: u16) -> u16 {
        let grid = &mut self.maker.plan.bitboard;
        let hops: smallvec::SmallVec<[u16; 2]> = self.maker.plan.along[usize::from(along)]
            .iter()
            .map(|hop| {
                let back = grid.hops[usize::from(*hop)].back();
                grid.hop(back)
            })
            .collect();
        let known = &mut self.maker.plan.along;
        let at = known.iter().position(|known| *known == hops).unwrap_or_else(|| {
            known.push(hops);
            known.len() - 1
        });
        at as u16
    }

    // What sets are.

    /// No move but of touchy men gives the set a cell.
    fn is_settled(&self, reg: SetReg) -> bool {
        let plan = &self.maker.plan;
        if plan.consts.iter().any(|(known, _)| *known == reg) {
            return true;
        }
        if reg.0 < plan.layout.sets {
            let of = plan.layout.of.contains(&reg) || plan.layout.neutral == Some(reg);
            return of && reg != self.own;
        }
        match self.makers.get(&reg) {
            Some(Op::And { a, b, .. }) => {
                // Others' men stay of their kind: a turn that changes kinds is asked.
                let of_kind = |of: SetReg, kind: SetReg| {
                    of.0 < plan.layout.sets && self.is_settled(of) && kind_of(plan, kind).is_some()
                };
                self.own_kind(reg).is_some()
                    || of_kind(*a, *b)
                    || of_kind(*b, *a)
                    || self.is_settled(*a) && self.is_settled(*b)
            }
            Some(Op::Or { a, b, .. }) => self.is_settled(*a) && self.is_settled(*b),
            Some(Op::Copy { a, .. } | Op::Shift { a, .. } | Op::Neighbors { a, .. }) => self.is_settled(*a),
            _ => false,
        }
    }

    /// The set is one's own men of a kind.
    fn own_kind(&self, reg: SetReg) -> Option<usize> {
        match self.makers.get(&reg) {
            Some(Op::And { a, b, .. }) if *a == self.own => kind_of(self.maker.plan, *b),
            Some(Op::And { a, b, .. }) if *b == self.own => kind_of(self.maker.plan, *a),
            _ => None,
        }
    }

    /// The set is all men.
    fn is_occupied(&self, reg: SetReg) -> bool {
        let layout = &self.maker.plan.layout;
        let (mut open, mut found) = (vec![reg], Vec::new());
        while let Some(reg) = open.pop() {
            match self.makers.get(&reg) {
                Some(Op::Or { a, b, .. }) => open.extend([*a, *b]),
                Some(_) => return false,
                None => found.push(reg),
            }
        }
        let all: Vec<SetReg> = layout.of.iter().copied().chain(layout.neutral).collect();
        found.iter().all(|reg| all.contains(reg)) && all.iter().all(|reg| found.contains(reg))
    }
}
