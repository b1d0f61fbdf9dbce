//! Ray-query lowering: patterns from one cell, and rows through one cell, go in; operations that
//! walk from it cell by cell come out.
//!
//! From all anchors at once a pattern is shifts and masks of whole sets. From one cell most lines
//! end at once, so it is less work to look at the cells one after the other.

use crate::board::Dir;
use crate::model;
use crate::model::{Axes, Expr, Line, Number, Times, Truth, Where};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::line::{Run, Stage, Walk};
use crate::plan::lower::set::each_bit;
use crate::plan::lower::values::{Cells, Lowered, Num, Value};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::passes::Pass;
use crate::plan::ray_query::RayQuery;
use crate::plan::tuning::MAX_ORIGIN_DEPTH;

/// What one path asks of the cells along a direction: a run of one set, and perhaps a cell of
/// another behind it.
#[derive(Clone, Copy, PartialEq)]
struct Asked {
    run: Cells,
    end: Option<Cells>,
    least: i64,
    most: Option<i64>,
}

/// A row through a cell that a condition asks for.
#[derive(Clone, Copy, PartialEq)]
struct Row {
    of: Cells,
    within: Cells,
    cells: i64,
    dirs: i64,
}

impl<'g> Lowering<'g> {
    /// What a line catches or reaches from one cell; `None`: it is not known that there is but one,
    /// or the line asks for more than runs.
    pub fn followed(&mut self, of: Cells, line: &'g Line, catches: bool) -> Lowered<Option<Cells>> {
        if !self.has(Pass::RayQuery) || !self.at_most_one(of, MAX_ORIGIN_DEPTH) {
            return Ok(None);
        }
        let spot = self.spot();
        let found = self.followed_walks(of, line, catches)?;
        if found.is_none() {
            self.back_to(spot);
        }
        Ok(found)
    }

    fn followed_walks(&mut self, of: Cells, line: &'g Line, catches: bool) -> Lowered<Option<Cells>> {
        let mut trails: Vec<(&model::Path, Asked, RayQuery)> = Vec::new();
        for (walk, open) in self.walks(line)? {
            if !(if catches { walk.path.catches } else { walk.path.lands }) {
                continue;
            }
            let plain =
                open == Num::Fixed(1) && walk.left.is_empty() && walk.turns.len() == 1 && self.goes_out(walk.turns[0]);
            let asked = if catches { self.catch_asked(&walk)? } else { self.reach_asked(&walk)? };
            let (true, Some(asked)) = (plain, asked) else { return Ok(None) };
            if asked.most.is_some_and(|most| most < asked.least) {
                return Ok(None);
            }
            let (Ok(least), Ok(most)) =
                (u32::try_from(asked.least), u32::try_from(asked.most.unwrap_or(i64::from(u32::MAX))))
            else {
                return Ok(None);
            };
            let dir = walk.turns[0].0;
            match trails.iter_mut().find(|(path, known, _)| std::ptr::eq(*path, walk.path) && *known == asked) {
                Some((_, _, trail)) => trail.dirs.push(dir),
                None => {
                    let trail = RayQuery {
                        dirs: smallvec::smallvec![dir],
                        least,
                        most,
                        ended: asked.end.is_some(),
                        numbered: false,
                        single: false,
                    };
                    trails.push((walk.path, asked, trail));
                }
            }
        }
        // Tests that differ from direction to direction are better asked of all cells.
        if trails.iter().any(|(_, _, trail)| trail.dirs.len() == 1) {
            return Ok(None);
        }
        let mut all = self.none();
        for (_, asked, trail) in trails {
            let facts = self.facts(asked.run);
            let trail = self.trail(trail);
            let (a, x, y) = (self.reg(of), self.reg(asked.run), self.reg(asked.end.unwrap_or(asked.run)));
            let found = Cells::In(self.set_op(|d| TreeOp::RayQuery { d, a, x, y, trail }));
            self.record_facts(found, facts);
            all = self.or(all, found);
        }
        Ok(Some(all))
    }

    fn trail(&mut self, trail: RayQuery) -> u16 {
        let at = self.tables.trails.iter().position(|known| *known == trail).unwrap_or_else(|| {
            self.tables.trails.push(trail);
            self.tables.trails.len() - 1
        });
        at as u16
    }

    /// `^ <X+> Y`, `^ <X>`: a run that is caught whole, and what must stand behind it.
    fn catch_asked(&mut self, walk: &Walk<'g>) -> Lowered<Option<Asked>> {
        let (stage, end) = match walk.right.as_slice() {
            [stage] => (*stage, None),
            [stage, end] if matches!(end.item.times, Times::One) && end.item.caught.is_empty() => (*stage, Some(*end)),
            _ => return Ok(None),
        };
        if walk.path.lands {
            return Ok(None);
        }
        let run = self.test(stage)?;
        if self.caught_by(stage)? != run {
            return Ok(None);
        }
        let end = end.map(|end| self.test(end)).transpose()?;
        let ended = |lowering: &Self| end.is_none_or(|end| lowering.apart(run, end));
        Ok(match self.run(stage)? {
            Run::One => Some(Asked { run, end, least: 1, most: Some(1) }),
            Run::Between(least, most) if ended(self) => Some(Asked { run, end, least: least.max(1), most }),
            _ => None,
        })
    }

    /// `^ X* to X`: as far as the run goes.
    fn reach_asked(&mut self, walk: &Walk<'g>) -> Lowered<Option<Asked>> {
        let [run, landing] = walk.right.as_slice() else { return Ok(None) };
        Ok(self.slides(*run, *landing)?.map(|(run, most)| Asked { run, end: None, least: 1, most }))
    }

    /// A run of any number of cells, none included, and one more of the same set, along the same
    /// direction: the set, and the most there can be of both.
    pub fn slides(&mut self, run: Stage<'g>, end: Stage<'g>) -> Lowered<Option<(Cells, Option<i64>)>> {
        if run.step != end.step || !matches!(end.item.times, Times::One) || matches!(run.item.times, Times::One) {
            return Ok(None);
        }
        let Run::Between(0, most) = self.run(run)? else { return Ok(None) };
        let (cells, last) = (self.test(run)?, self.test(end)?);
        Ok((cells == last).then_some((cells, most.map(|most| most.saturating_add(1)))))
    }

    /// No line in this direction comes back to where it began.
    pub fn goes_out(&self, dir: Dir) -> bool {
        let topology = &self.game.topology;
        topology.cells().all(|cell| {
            let mut at = Some(cell);
            for _ in 0..=self.grid.longest[dir.index()] {
                at = at.and_then(|at| topology.step(at, dir));
            }
            at.is_none()
        })
    }

    /// The set has one cell at most, as it was made.
    fn at_most_one(&self, cells: Cells, deep: u32) -> bool {
        let reg = match cells {
            Cells::Fixed(fixed) => return self.bits(fixed).len() <= 1,
            Cells::In(reg) => reg,
        };
        if self.known.single.contains(&reg) {
            return true;
        }
        match self.maker(reg) {
            Some(TreeOp::And { a, b, .. }) if deep > 0 => {
                self.at_most_one(Cells::In(a), deep - 1) || self.at_most_one(Cells::In(b), deep - 1)
            }
            Some(TreeOp::KeepIf { a, .. } | TreeOp::AndNot { a, .. }) if deep > 0 => {
                self.at_most_one(Cells::In(a), deep - 1)
            }
            _ => false,
        }
    }

    /// `some axes where count(group(C, S, it)) >= N`: whether there is such a row through the
    /// cells.
    pub fn row_on_some_axis(&mut self, filter: &'g Where<Axes>) -> Lowered<Option<Num>> {
        if !self.has(Pass::RayQuery) {
            return Ok(None);
        }
        let spot = self.spot();
        let found = self.row_on_axes(filter)?;
        if found.is_none() {
            self.back_to(spot);
        }
        Ok(found)
    }

    fn row_on_axes(&mut self, filter: &'g Where<Axes>) -> Lowered<Option<Num>> {
        let Num::Fixed(axes) = self.axes(&filter.set)? else { return Ok(None) };
        let mut known: Option<Row> = None;
        let mut trail = RayQuery {
            dirs: smallvec::SmallVec::new(),
            least: 0,
            most: u32::MAX,
            ended: false,
            numbered: false,
            single: false,
        };
        for axis in each_bit(axes) {
            self.bind(filter.it, Value::Num(Num::Fixed(1 << axis)));
            if self.truth_depends(&filter.condition) {
                return Ok(None);
            }
            let Some(row) = self.row_asked(&filter.condition)? else { return Ok(None) };
            let dirs: Vec<u32> = each_bit(row.dirs | self.opposite_bits(row.dirs)).collect();
            let &[one, other] = dirs.as_slice() else { return Ok(None) };
            let straight = self.goes_out(Dir(one as u16)) && self.leads_back(Dir(one as u16), Dir(other as u16));
            if !straight || known.is_some_and(|known| Row { dirs: 0, ..row } != known) {
                return Ok(None);
            }
            known = Some(Row { dirs: 0, ..row });
            trail.dirs.extend([one as u16, other as u16]);
        }
        let Some(row) = known.filter(|row| row.cells >= 1) else { return Ok(None) };
        let Ok(least) = u32::try_from(row.cells) else { return Ok(None) };
        trail.least = least;
        let trail = self.trail(trail);
        let (a, within) = (self.reg(row.of), self.reg(row.within));
        Ok(Some(Num::In(self.number_op(|d| TreeOp::InLine { d, a, within, trail }))))
    }

    /// A step one way and a step the other lead back, from every cell.
    fn leads_back(&self, one: Dir, other: Dir) -> bool {
        let topology = &self.game.topology;
        let back = |out: Dir, home: Dir| {
            topology.cells().all(|cell| topology.step(cell, out).is_none_or(|to| topology.step(to, home) == Some(cell)))
        };
        back(one, other) && back(other, one)
    }

    fn row_asked(&mut self, truth: &'g Truth) -> Lowered<Option<Row>> {
        match truth {
            Truth::Call(call) => self.call(call, |lowering, body| match body {
                Expr::Truth(truth) => lowering.row_asked(truth),
                _ => Ok(None),
            }),
            Truth::Compare(cmp @ (Cmp::AtLeast | Cmp::Greater), sides) => {
                let (Number::Count(set), Num::Fixed(cells)) = (&sides.0, self.number(&sides.1)?) else {
                    return Ok(None);
                };
                let cells = if *cmp == Cmp::Greater { cells.saturating_add(1) } else { cells };
                match &**set {
                    Expr::Cells(group) => Ok(self.group_asked(group)?.map(|row| Row { cells, ..row })),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn group_asked(&mut self, group: &'g model::Cells) -> Lowered<Option<Row>> {
        match group {
            model::Cells::Call(call) => self.call(call, |lowering, body| match body {
                Expr::Cells(group) => lowering.group_asked(group),
                _ => Ok(None),
            }),
            model::Cells::Group { of, within, dirs } => {
                let (of, within) = (self.cells(of)?, self.cells(within)?);
                let Num::Fixed(dirs) = self.dirs(dirs)? else { return Ok(None) };
                Ok(Some(Row { of, within, cells: 0, dirs }))
            }
            _ => Ok(None),
        }
    }
}
