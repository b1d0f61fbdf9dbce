//! Pattern lowering: line patterns go in; for a set of anchors at once, the sets of landings and of
//! what is caught come out, direction by direction.
//!
//! A path is a list of stages, each a step direction and an item. Two passes answer everything:
//! `ends` forward from the anchors (the cells on which each stage can end) and `rests` backward
//! from the far end (the cells behind which the other stages match).

use smallvec::SmallVec;

use crate::board::Dir;
use crate::model;
use crate::model::{Arithmetic, Item, Line, Path, Times};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::set::each_bit;
use crate::plan::lower::values::{Cells, Fixed, Lowered, Num, Value, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{NumReg, SetReg, SpanId};

/// An item with the direction it is walked in.
#[derive(Clone, Copy)]
pub struct Stage<'g> {
    pub item: &'g Item,
    pub step: Dir,
    pub heading: Dir,
    /// The run has so many cells: one of the lengths that it may have by numbers that are known only at play.
    pub length: Option<i64>,
}

/// A path in fixed directions.
#[derive(Clone)]
pub struct Walk<'g> {
    pub path: &'g Path,
    pub left: Vec<Stage<'g>>,
    pub right: Vec<Stage<'g>>,
    /// All directions, the first that of the line.
    pub turns: SmallVec<[Dir; 4]>,
}

/// Where the landing stands: on the left of the anchor or on the right, and at which stage.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct At {
    pub left: bool,
    pub stage: usize,
}

/// A run has so many cells, at least and at most.
#[derive(Clone, Copy)]
pub enum Run {
    One,
    Between(i64, Option<i64>),
    Exactly(Num),
}

impl<'g> Walk<'g> {
    pub fn side(&self, left: bool) -> &[Stage<'g>] {
        if left { &self.left } else { &self.right }
    }

    pub fn landing(&self) -> Option<At> {
        [false, true]
            .into_iter()
            .find_map(|left| self.side(left).iter().position(|stage| stage.item.lands).map(|stage| At { left, stage }))
    }

    /// The directions from the anchor to the landing, if it takes a single step along each.
    pub fn single_steps(&self) -> Option<Vec<Dir>> {
        let at = self.landing()?;
        let single = |stage: &Stage<'g>| matches!(stage.item.times, Times::One).then_some(stage.step);
        self.side(at.left)[..=at.stage].iter().map(single).collect()
    }

    /// Where both lead to one landing, the same cells are passed, and the last step is the same.
    pub fn goes_like(&self, other: &Walk<'g>) -> bool {
        let stages =
            |walk: &Walk<'g>| walk.landing().map(|at| walk.side(at.left)[..=at.stage].to_vec()).unwrap_or_default();
        let (a, b) = (stages(self), stages(other));
        let one_line = a.iter().chain(&b).all(|stage| stage.step == a[0].step);
        let cell_by_cell = a.iter().chain(&b).all(|stage| matches!(stage.item.times, Times::One));
        one_line || cell_by_cell && a.iter().map(|stage| stage.step).eq(b.iter().map(|stage| stage.step))
    }

    /// The direction of the last leg; of a landing left of the anchor the opposite.
    pub fn heading(&self, opposite: impl Fn(Dir) -> Dir) -> Dir {
        let last = self.turns[self.turns.len() - 1];
        match self.landing() {
            Some(At { left: true, .. }) if self.turns.len() == 1 => opposite(last),
            _ => last,
        }
    }
}

impl<'g> Lowering<'g> {
    /// All walks of a line, each with what of a set of directions chosen at play it needs: the bit
    /// of its first direction.
    pub fn walks(&mut self, line: &'g Line) -> Lowered<Vec<(Walk<'g>, Num)>> {
        let dirs = self.dirs(&line.dirs)?;
        let most = match dirs {
            Num::Fixed(dirs) => dirs,
            Num::In(_) => crate::plan::lower::set::bits_of(&self.game.topology.straight()),
        };
        let mut walks = Vec::new();
        for path in &line.paths {
            for dir in each_bit(most) {
                let open = self.is_among(dirs, dir);
                for (turns, open) in self.turnings(path, Dir(dir as u16), open)? {
                    self.with_lengths(self.walk(path, turns), open, &mut walks)?;
                }
            }
        }
        Ok(walks)
    }

    /// A bit is one of those chosen.
    fn is_among(&mut self, bits: Num, bit: u32) -> Num {
        match bits {
            Num::Fixed(bits) => Num::Fixed(bits >> bit & 1),
            Num::In(a) => Num::In(self.number_op(|d| TreeOp::TestBit { d, a, bit: bit as u16 })),
        }
    }

    /// The directions of each walk along a path, and what of sets of directions chosen at play it needs.
    fn turnings(&mut self, path: &'g Path, dir: Dir, open: Num) -> Lowered<Vec<(SmallVec<[Dir; 4]>, Num)>> {
        let mut all: Vec<(SmallVec<[Dir; 4]>, Num)> = vec![(smallvec::smallvec![dir], open)];
        let outer = self.scope.walking;
        for leg in &path.turnings {
            let mut longer = Vec::new();
            for (turns, open) in all {
                self.scope.walking = turns.last().copied();
                let next = self.dirs(&leg.dirs)?;
                let most = match next {
                    Num::Fixed(dirs) => dirs,
                    Num::In(_) => crate::plan::lower::set::bits_of(&self.game.topology.straight()),
                };
                for dir in each_bit(most) {
                    let turned = self.is_among(next, dir);
                    let open = self.both(open, turned);
                    let mut turns = turns.clone();
                    turns.push(Dir(dir as u16));
                    longer.push((turns, open));
                }
            }
            all = longer;
        }
        self.scope.walking = outer;
        Ok(all)
    }

    /// A walk for each length of its first run that has one of several by numbers known only at play; each of them the same
    /// for what runs follow.
    fn with_lengths(&mut self, walk: Walk<'g>, open: Num, walks: &mut Vec<(Walk<'g>, Num)>) -> Lowered<()> {
        let places = [true, false].into_iter().flat_map(|left| (0..walk.side(left).len()).map(move |at| (left, at)));
        for (left, at) in places.collect::<Vec<_>>() {
            let stage = walk.side(left)[at];
            let Some((from, to)) = self.length_at_play(stage)? else { continue };
            for length in 0..=i64::from(self.grid.longest[usize::from(stage.step.0)]) {
                self.step()?;
                let (long, short) = (
                    self.compare_nums(Cmp::AtMost, from, Num::Fixed(length)),
                    to.map_or(Num::Fixed(1), |to| self.compare_nums(Cmp::AtLeast, to, Num::Fixed(length))),
                );
                let fits = self.both(long, short);
                let open = self.both(open, fits);
                let mut one = walk.clone();
                let side = if left { &mut one.left } else { &mut one.right };
                side[at].length = Some(length);
                self.with_lengths(one, open, walks)?;
            }
            return Ok(());
        }
        walks.push((walk, open));
        Ok(())
    }

    /// The least and the greatest length of a run, if it has one of several by numbers known only at play.
    fn length_at_play(&mut self, stage: Stage<'g>) -> Lowered<Option<(Num, Option<Num>)>> {
        let (Times::Between(from, to), None) = (&stage.item.times, stage.length) else { return Ok(None) };
        let spot = self.spot();
        self.scope.walking = Some(stage.heading);
        let from = self.number(from)?;
        let to = to.as_ref().map(|to| self.number(to)).transpose()?;
        self.scope.walking = None;
        let is_fixed = |number: Num| matches!(number, Num::Fixed(_));
        if is_fixed(from) && to.is_none_or(is_fixed) || to == Some(from) {
            // It is worked out where the run is.
            self.back_to(spot);
            return Ok(None);
        }
        Ok(Some((from, to)))
    }

    fn walk(&self, path: &'g Path, turns: SmallVec<[Dir; 4]>) -> Walk<'g> {
        let heading = turns[0];
        let back = self.game.topology.opposite(heading);
        let stage = |item, step, heading| Stage { item, step, heading, length: None };
        let left = path.before.iter().map(|item| stage(item, back, heading)).collect();
        let mut right: Vec<Stage<'g>> = path.after.iter().map(|item| stage(item, heading, heading)).collect();
        for (leg, &dir) in path.turnings.iter().zip(&turns[1..]) {
            right.extend(leg.items.iter().map(|item| stage(item, dir, dir)));
        }
        Walk { path, left, right, turns }
    }

    pub fn run(&mut self, stage: Stage<'g>) -> Lowered<Run> {
        let Times::Between(from, to) = &stage.item.times else { return Ok(Run::One) };
        if let Some(length) = stage.length {
            return Ok(Run::Between(length, Some(length)));
        }
        self.scope.walking = Some(stage.heading);
        let from = self.number(from)?;
        let to = to.as_ref().map(|to| self.number(to)).transpose()?;
        self.scope.walking = None;
        match (from, to) {
            (Num::Fixed(from), None) => Ok(Run::Between(from, None)),
            (Num::Fixed(from), Some(Num::Fixed(to))) => Ok(Run::Between(from, Some(to))),
            (from, Some(to)) if from == to => Ok(Run::Exactly(from)),
            // It would be one of the walks by their lengths.
            _ => unplanned("a run whose length is known only at play"),
        }
    }

    pub fn test(&mut self, stage: Stage<'g>) -> Lowered<Cells> {
        self.scope.walking = Some(stage.heading);
        let test = self.cells(&stage.item.test);
        self.scope.walking = None;
        test
    }

    pub fn caught_by(&mut self, stage: Stage<'g>) -> Lowered<Cells> {
        self.scope.walking = Some(stage.heading);
        let mut caught = self.none();
        for set in &stage.item.caught {
            let set = self.cells(set)?;
            caught = self.or(caught, set);
        }
        self.scope.walking = None;
        Ok(caught)
    }

    /// One step along a direction.
    pub fn shift(&mut self, cells: Cells, dir: u16) -> Cells {
        match cells {
            Cells::Fixed(_) => self.around(cells, Num::Fixed(1 << dir)),
            Cells::In(a) => match self.steps_before(a, dir) {
                Some((a, through, n)) => Cells::In(self.set_op(|d| TreeOp::ShiftTimes { d, a, through, n, dir })),
                None => Cells::In(self.set_op(|d| TreeOp::Shift { d, a, dir })),
            },
        }
    }

    /// Cells that lie one step less than a picked number along a direction from others, whatever stands between: those
    /// others, and the number of steps with one more.
    fn steps_before(&self, cells: SetReg, dir: u16) -> Option<(SetReg, SetReg, NumReg)> {
        let TreeOp::ShiftTimes { a, through, n, dir: same, .. } = self.maker(cells)? else { return None };
        let TreeOp::Arithmetic { op: Arithmetic::Subtract, a: picked, b: one, place: SpanId::NOWHERE, .. } =
            self.known.results.maker_of_number(n)?
        else {
            return None;
        };
        let is_one = self.tables.const_numbers.contains(&(one, 1));
        let &(least, _) = self.known.ranges.get(&picked)?;
        let fits = same == dir && is_one && least >= 1 && self.held(through) == Some(Fixed::ANY);
        fits.then_some((a, through, picked))
    }

    fn back(&mut self, cells: Cells, stage: Stage<'g>) -> Cells {
        let opposite = self.game.topology.opposite(stage.step).0;
        self.shift(cells, opposite)
    }

    pub fn fill(&mut self, from: Cells, through: Cells, dir: u16) -> Cells {
        let facts = self.facts(through);
        let (a, through) = (self.reg(from), self.reg(through));
        let filled = Cells::In(self.set_op(|d| TreeOp::RayFill { d, a, through, dir }));
        self.record_facts(filled, facts)
    }

    /// Cells of a set, and those that steps within it lead on to.
    fn go_on(&mut self, from: Cells, through: Cells, dir: u16) -> Cells {
        let (first, within) = (self.reg(from), self.reg(through));
        let stepped = match self.maker(first) {
            Some(TreeOp::And { a, b, .. }) if a == within => self.maker(b),
            Some(TreeOp::And { a, b, .. }) if b == within => self.maker(a),
            _ => None,
        };
        match stepped {
            // A step within the set, and those behind it.
            Some(TreeOp::Shift { a, dir: step, .. }) if step == dir => self.fill(Cells::In(a), through, dir),
            _ => {
                let more = self.fill(from, through, dir);
                self.or(from, more)
            }
        }
    }

    /// Steps that a run along a direction has at most: as many as the board has cells, if the line
    /// comes back.
    fn longest_run(&self, dir: Dir) -> i64 {
        let topology = &self.game.topology;
        if self.goes_out(dir) { i64::from(self.grid.longest[dir.index()]) } else { topology.len() as i64 }
    }

    /// The cells on which a stage can end that begins behind `from`.
    pub fn ends_of(&mut self, from: Cells, stage: Stage<'g>) -> Lowered<Cells> {
        let test = self.test(stage)?;
        let dir = stage.step.0;
        Ok(match self.run(stage)? {
            Run::One => {
                let next = self.shift(from, dir);
                self.and(next, test)
            }
            Run::Exactly(n) => {
                let (a, through, n) = (self.reg(from), self.reg(test), self.num(n));
                Cells::In(self.set_op(|d| TreeOp::ShiftTimes { d, a, through, n, dir }))
            }
            Run::Between(least, most) => {
                let mut at = from;
                let mut ends = if least == 0 { from } else { self.none() };
                let most = most.map(|most| most.min(self.longest_run(stage.step)));
                if least < 0 || most.is_some_and(|most| most < least) {
                    return Ok(self.none());
                }
                let steps = most.unwrap_or((least - 1).max(0));
                for step in 1..=steps {
                    let next = self.shift(at, dir);
                    at = self.and(next, test);
                    if step >= least && most.is_some() {
                        ends = self.or(ends, at);
                    }
                }
                if most.is_none() {
                    let rest = self.fill(at, test, dir);
                    ends = self.or(ends, rest);
                }
                ends
            }
        })
    }

    /// The cells behind which a stage matches and ends on a cell of `rest` (`None`: on any).
    fn rest(&mut self, rest: Option<Cells>, stage: Stage<'g>) -> Lowered<Option<Cells>> {
        let test = self.test(stage)?;
        let end = match rest {
            Some(rest) => self.and(test, rest),
            None => test,
        };
        match self.run(stage)? {
            Run::One => Ok(Some(self.back(end, stage))),
            Run::Exactly(n) => {
                // Walked back: the end, then n - 1 more of the test, then any cell before them.
                if !matches!(n, Num::Fixed(_)) && rest.is_some() {
                    return unplanned("a run of counted cells before something else, asked of many cells");
                }
                unplanned("a run of counted cells, asked of many cells")
            }
            Run::Between(least, most) => {
                if least == 0 && rest.is_none() {
                    return Ok(None);
                }
                let least_or_one = least.max(1);
                let opposite = self.game.topology.opposite(stage.step).0;
                let mut found = if least == 0 { rest.unwrap_or(self.all()) } else { self.none() };
                match most {
                    None => {
                        let mut at = self.go_on(end, test, opposite);
                        for _ in 1..least_or_one {
                            let next = self.back(at, stage);
                            at = self.and(next, test);
                        }
                        let before = self.back(at, stage);
                        found = self.or(found, before);
                    }
                    Some(most) => {
                        let most = most.min(self.longest_run(stage.step));
                        let mut at = end;
                        for step in 1..=most {
                            if step > 1 {
                                let next = self.back(at, stage);
                                at = self.and(next, test);
                            }
                            if step >= least_or_one {
                                let before = self.back(at, stage);
                                found = self.or(found, before);
                            }
                        }
                    }
                }
                Ok(Some(found))
            }
        }
    }

    /// The cells behind which a stage matches that ends before a cell of `rest`.
    pub fn rest_of(&mut self, rest: Cells, stage: Stage<'g>) -> Lowered<Cells> {
        let cells = self.rest(Some(rest), stage)?;
        Ok(cells.unwrap_or(self.all()))
    }

    /// The cells behind which the stages from `from` on match; `None`: all.
    pub fn rests(&mut self, stages: &[Stage<'g>], from: usize) -> Lowered<Option<Cells>> {
        let mut rest = None;
        for &stage in stages[from..].iter().rev() {
            rest = self.rest(rest, stage)?;
        }
        Ok(rest)
    }

    pub fn narrowed(&mut self, cells: Cells, by: Option<Cells>) -> Cells {
        by.map_or(cells, |by| self.and(cells, by))
    }

    /// The cells behind which the stage can begin, from anchors that match all of the other side.
    fn starts(&mut self, walk: &Walk<'g>, anchors: Cells, at: At) -> Lowered<Cells> {
        let other = self.rests(walk.side(!at.left), 0)?;
        let mut cells = self.narrowed(anchors, other);
        for &stage in &walk.side(at.left)[..at.stage] {
            cells = self.ends_of(cells, stage)?;
        }
        Ok(cells)
    }

    /// The cells on which the stage can end.
    pub fn ends(&mut self, walk: &Walk<'g>, anchors: Cells, at: At) -> Lowered<Cells> {
        let stages = walk.side(at.left);
        if let [.., run, end] = &stages[..=at.stage]
            && let Some((test, None)) = self.slides(*run, *end)?
        {
            // However far the run goes, the cell behind it is of the run.
            let start = self.starts(walk, anchors, At { stage: at.stage - 1, ..at })?;
            return Ok(self.fill(start, test, end.step.0));
        }
        let start = self.starts(walk, anchors, at)?;
        self.ends_of(start, stages[at.stage])
    }

    /// All landings from a set of anchors.
    pub fn landings(&mut self, walk: &Walk<'g>, anchors: Cells) -> Lowered<Option<Cells>> {
        let Some(at) = walk.landing() else { return Ok(None) };
        let ends = self.ends(walk, anchors, at)?;
        let rest = self.rests(walk.side(at.left), at.stage + 1)?;
        Ok(Some(self.narrowed(ends, rest)))
    }

    /// The anchors that have a match; `landing`: one that lands in a set.
    pub fn anchors(&mut self, walk: &Walk<'g>, landing: Option<Cells>) -> Lowered<Cells> {
        let mut sides = [None, None];
        for (side, left) in sides.iter_mut().zip([false, true]) {
            let stages = walk.side(left).to_vec();
            let mut rest = None;
            for (i, &stage) in stages.iter().enumerate().rev() {
                if let (Some(at), Some(landing)) = (walk.landing(), landing)
                    && at == (At { left, stage: i })
                {
                    rest = Some(self.narrowed(landing, rest));
                }
                rest = self.rest(rest, stage)?;
            }
            *side = rest;
        }
        let [right, left] = sides;
        let all = self.narrowed(self.all(), right);
        Ok(self.narrowed(all, left))
    }

    /// What is caught from a set of anchors. From several, every run must be ended by something that is not of the run, or
    /// end the pattern: only then has each one length.
    pub fn caught(&mut self, walk: &Walk<'g>, anchors: Cells, landing: Option<Cells>) -> Lowered<Cells> {
        let mut all = self.none();
        for left in [false, true] {
            let stages = walk.side(left).to_vec();
            let lands = walk.landing().filter(|at| at.left == left);
            if !self.catches_in_one_way(&stages, lands.map(|at| at.stage))? {
                if !self.is_single(anchors) {
                    return unplanned("a run that may end in several places before what is caught");
                }
                if lands.is_some() && landing.is_none() {
                    // Each landing has a first match of its own.
                    let landings = self.landings(walk, anchors)?.unwrap_or(self.none());
                    return self.union_over(landings, |lowering, to| lowering.caught(walk, anchors, Some(to)));
                }
                let other = self.rests(walk.side(!left), 0)?;
                let from = self.narrowed(anchors, other);
                let runs = self.first_match(&stages, from, lands.map(|at| at.stage).zip(landing))?;
                for (stage, run) in stages.iter().zip(runs).filter(|(stage, _)| !stage.item.caught.is_empty()) {
                    let caught = self.caught_by(*stage)?;
                    let caught = self.and(run, caught);
                    all = self.or(all, caught);
                }
                continue;
            }
            for (i, &stage) in stages.iter().enumerate().filter(|(_, stage)| !stage.item.caught.is_empty()) {
                // The cells behind which the stage begins.
                let start = match (lands, landing) {
                    (Some(at), Some(landing)) if at.stage < i => {
                        let mut cells = landing;
                        for &stage in &stages[at.stage + 1..i] {
                            cells = self.ends_of(cells, stage)?;
                        }
                        cells
                    }
                    _ => self.starts(walk, anchors, At { left, stage: i })?,
                };
                let ends = match (lands, landing) {
                    (Some(at), Some(landing)) if at.stage == i => landing,
                    _ => self.ends_of(start, stage)?,
                };
                let rest = self.rests(&stages, i + 1)?;
                let mut matched = self.narrowed(ends, rest);
                if !matches!(stage.item.times, Times::One) {
                    let test = self.test(stage)?;
                    // Where a run may be empty its end is where it begins, which a run of another man may come to.
                    if !matches!(self.run(stage)?, Run::Between(1.., _))
                        && !self.is_single(anchors)
                        && !self.apart(test, start)
                    {
                        return unplanned("a run that may be empty, of what several men catch");
                    }
                    // All cells of the run, not only its last.
                    matched = self.run_up_to(stage, start, matched)?;
                }
                let caught = self.caught_by(stage)?;
                let caught = self.and(matched, caught);
                all = self.or(all, caught);
            }
        }
        Ok(all)
    }

    /// All cells of the runs that begin behind a cell of `start` and end on one of `ends`.
    pub fn run_up_to(&mut self, stage: Stage<'g>, start: Cells, ends: Cells) -> Lowered<Cells> {
        let test = self.test(stage)?;
        let run = self.fill(start, test, stage.step.0);
        let opposite = self.game.topology.opposite(stage.step).0;
        let last = self.and(ends, run);
        let inner = self.fill(last, run, opposite);
        Ok(self.or(last, inner))
    }

    /// The cells that each stage takes in the first match from one cell, or in the first that lands on a given one. Each run
    /// takes as many cells as leave a match to the stages behind it: greedy matching, without going back, as those behind it
    /// are matched first, from the far end.
    pub fn first_match(
        &mut self,
        stages: &[Stage<'g>],
        from: Cells,
        landing: Option<(usize, Cells)>,
    ) -> Lowered<Vec<Cells>> {
        // By stage: the cells behind which it and those after it match.
        let mut rests = vec![None; stages.len() + 1];
        for (i, &stage) in stages.iter().enumerate().rev() {
            let mut ends = rests[i + 1];
            if let Some((_, landing)) = landing.filter(|(at, _)| *at == i) {
                ends = Some(self.narrowed(landing, ends));
            }
            rests[i] = self.rest(ends, stage)?;
        }
        let mut at = self.narrowed(from, rests[0]);
        let mut taken = Vec::new();
        for (i, &stage) in stages.iter().enumerate() {
            let ends = self.ends_of(at, stage)?;
            let ends = match landing.filter(|(at, _)| *at == i) {
                Some((_, landing)) => self.and(ends, landing),
                None => self.narrowed(ends, rests[i + 1]),
            };
            if matches!(stage.item.times, Times::One) {
                taken.push(ends);
                at = ends;
                continue;
            }
            if !self.goes_out(stage.step) {
                return unplanned("a run on a line that comes back, which may end in several places");
            }
            let (all, opposite) = (self.all(), self.game.topology.opposite(stage.step).0);
            let nearer = self.fill(ends, all, opposite);
            let farthest = self.without(ends, nearer);
            taken.push(self.run_up_to(stage, at, farthest)?);
            at = farthest;
        }
        Ok(taken)
    }

    /// Up to each stage that catches, each run is followed, along its line, by cells that cannot belong to it, so that it has
    /// one length only.
    pub fn catches_in_one_way(&mut self, stages: &[Stage<'g>], landing: Option<usize>) -> Lowered<bool> {
        for upto in (0..stages.len()).filter(|upto| !stages[*upto].item.caught.is_empty()) {
            let from = landing.filter(|&landing| landing <= upto).map_or(0, |landing| landing + 1);
            for i in from..=upto {
                let Some(&next) = stages.get(i + 1) else { continue };
                if matches!(stages[i].item.times, Times::One) {
                    continue;
                }
                let (test, following) = (self.test(stages[i])?, self.test(next)?);
                let goes_on = next.step == stages[i].step && matches!(next.item.times, Times::One);
                if !goes_on || !self.apart(test, following) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    // What expressions ask.

    pub fn catches(&mut self, of: Cells, line: &'g Line) -> Lowered<Cells> {
        if let Some(caught) = self.followed(of, line, true)? {
            return Ok(caught);
        }
        let spot = self.spot();
        match self.caught_from(of, line) {
            Err(_) if !self.is_single(of) => self.back_to(spot),
            caught => return caught,
        }
        // From one cell after the other, then.
        self.union_over(of, |lowering, cell| lowering.caught_from(cell, line))
    }

    fn caught_from(&mut self, of: Cells, line: &'g Line) -> Lowered<Cells> {
        let mut all = self.none();
        for (walk, open) in self.walks(line)? {
            // Nothing begins at a cell that is not there, so that one cell stays one.
            let anchors = self.keep(of, open);
            if self.is_single(of)
                && let Cells::In(reg) = anchors
            {
                self.known.single.insert(reg);
            }
            let caught = self.caught(&walk, anchors, None)?;
            all = self.or(all, caught);
        }
        Ok(all)
    }

    pub fn reach(&mut self, of: Cells, line: &'g Line) -> Lowered<Cells> {
        if let Some(reached) = self.followed(of, line, false)? {
            return Ok(reached);
        }
        let mut all = self.none();
        for (walk, open) in self.walks(line)? {
            let anchors = self.keep(of, open);
            if let Some(landings) = self.landings(&walk, anchors)? {
                all = self.or(all, landings);
            }
        }
        Ok(all)
    }

    /// The cells from which a line catches something.
    pub fn catching_cells(&mut self, line: &'g Line) -> Lowered<Option<Cells>> {
        if self.line_depends(line) {
            return Ok(None);
        }
        let mut all = self.none();
        for (walk, open) in self.walks(line)? {
            // Every cell that a catching item takes must be caught, or a match would not tell that
            // something is.
            for stage in walk.left.iter().chain(&walk.right).filter(|stage| !stage.item.caught.is_empty()) {
                let (test, caught) = (self.test(*stage)?, self.caught_by(*stage)?);
                if test != caught {
                    return Ok(None);
                }
                if let Run::Between(0, _) = self.run(*stage)? {
                    return Ok(None);
                }
            }
            if walk.path.catches {
                let anchors = self.anchors(&walk, None)?;
                let anchors = self.keep(anchors, open);
                all = self.or(all, anchors);
            }
        }
        Ok(Some(all))
    }

    /// The cells from which a line lands in a set.
    pub fn reaching_cells(&mut self, line: &'g Line, landing: Cells) -> Lowered<Option<Cells>> {
        if self.line_depends(line) {
            return Ok(None);
        }
        let mut all = self.none();
        for (walk, open) in self.walks(line)? {
            if walk.path.lands {
                let anchors = self.anchors(&walk, Some(landing))?;
                let anchors = self.keep(anchors, open);
                all = self.or(all, anchors);
            }
        }
        Ok(Some(all))
    }

    /// What the men on some cells catch or reach by their descriptions.
    pub fn ways_of(&mut self, of: &'g model::Cells, catches: bool) -> Lowered<Cells> {
        self.expect_tops()?;
        let men = self.cells(of)?;
        let mut all = self.none();
        let players = self.game.players().map(|player| (player, self.layout.of[player.index()]));
        // Men of nobody go as those of the player of the turn.
        let neutral = self.layout.neutral.map(|neutral| (self.scope.own, neutral));
        for (player, theirs) in players.chain(neutral).collect::<Vec<_>>() {
            let theirs = Cells::In(theirs);
            if self.apart(men, theirs) {
                continue;
            }
            let men = self.and(men, theirs);
            self.as_player(player, |lowering| {
                (0..lowering.game.kinds.len()).try_for_each(|kind| lowering.ways_of_kind(men, kind, catches, &mut all))
            })?;
        }
        Ok(all)
    }

    fn ways_of_kind(&mut self, men: Cells, kind: usize, catches: bool, all: &mut Cells) -> Lowered<()> {
        let kind = crate::board::Kind(kind as u8);
        let men = self.men_of_kind(men, kind);
        for way in &self.game.kind(kind).ways {
            let anchors = self.way_anchors(kind, way, men)?;
            let of_some = |lowering: &mut Self, men| {
                lowering.in_description(kind, |lowering| {
                    if catches { lowering.catches(men, &way.line) } else { lowering.reach(men, &way.line) }
                })
            };
            let found = match self.asks_here(kind, way) {
                true => self.union_over(anchors, |lowering, man| lowering.at(man, |l| of_some(l, man)))?,
                false => of_some(self, anchors)?,
            };
            *all = self.or(*all, found);
        }
        Ok(())
    }

    /// Lowers in the frame of a kind's description.
    pub fn in_description<T>(
        &mut self,
        kind: crate::board::Kind,
        body: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let frame = vec![Value::Unset; self.game.kind(kind).frame];
        self.in_frame(frame, body)
    }

    /// The men for whom the conditions of a way hold.
    pub fn way_anchors(&mut self, kind: crate::board::Kind, way: &'g model::Way, men: Cells) -> Lowered<Cells> {
        let mut anchors = men;
        for (condition, wanted) in &way.conditions {
            let holds = self.in_description(kind, |lowering| lowering.lifted_here(condition))?;
            let holds = match holds {
                Some(holds) => holds,
                None => self.union_over(anchors, |lowering, man| {
                    let holds = lowering.at(man, |l| l.in_description(kind, |l| l.truth(condition)))?;
                    Ok(lowering.keep(man, holds))
                })?,
            };
            anchors = if *wanted { self.and(anchors, holds) } else { self.without(anchors, holds) };
        }
        Ok(anchors)
    }
}
