//! Block lowering: men that move together go in; an arm for each way and distance comes out, open if every man of the block
//! can go that way so far.
//!
//! A pattern is followed backward from its landing, for all cells at once: what is left are the cells from which it leads
//! so far. A block goes that way if it lies whole in them. Its men stand in nobody's way, as if they were lifted.

use std::rc::Rc;

use rustc_hash::FxHashMap as HashMap;

use crate::board::{Cell, Dir};
use crate::model;
use crate::model::{Choice, Dirs, Landing, Line, Slot, Statement};
use crate::plan::annotation::Annotation;
use crate::plan::lower::ambiguity::Displacement;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::line::{Run, Stage, Walk};
use crate::plan::lower::values::{Cells, Facts, Groups, Lowered, Num, Value, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Ambiguity, Arm, Block, KindSet, Node, Options, PositionLayout};
use crate::source::Span;

/// A block that moves, as the arms of its choice leave it.
pub struct MovedBlock {
    pub follow: Option<Slot>,
    from: SetReg,
    to: SetReg,
    men: Facts,
    passed: SetReg,
    heading: NumReg,
    /// The sign of all ways, if arms have none of their own.
    sign: Option<char>,
    /// Arms have signs of their own, and tell the landing.
    told_by_arms: bool,
    /// What is caught, where something can be.
    caught: Option<SetReg>,
    /// Where men will stand, if not on all cells that are moved to.
    men_to: Option<SetReg>,
    /// Registers that hold some of the men, or marks on them, each with one in which these are as they will stand.
    homes: Vec<(SetReg, SetReg)>,
    /// Other men may stand on the landings.
    crowded: bool,
    span: Span,
}

/// A walk of so many steps, in the direction of each.
struct BlockWay<'g> {
    walk: Walk<'g>,
    steps: Vec<Dir>,
    open: Num,
    caught: Cells,
}

impl<'g> Lowering<'g> {
    /// The arms of a move of what may be several men.
    pub fn block_moves(
        &mut self,
        men: Cells,
        line: &'g Line,
        follow: Option<Slot>,
        span: Span,
    ) -> Lowered<(Vec<Arm>, MovedBlock)> {
        let facts = self.facts(men);
        let from = self.copied(men);
        self.record_facts(Cells::In(from), facts);
        // A single man is no block: he stands where he stands.
        let count = self.count_cells(Cells::In(from));
        let several = self.compare_nums(Cmp::Greater, count, Num::Fixed(1));
        let lifted = self.keep(Cells::In(from), several);
        if !facts.occupied {
            // Of a single cell a man moves, or nobody does.
            let standing = self.standing_men();
            let men = self.and(Cells::In(from), standing);
            let some = self.some_cells(men);
            let good = self.either(several, some);
            let n = self.num(good);
            self.out.push(Node::Need(n));
        }
        let (mut ways, mut crowded) = (Vec::new(), false);
        let block = self.block(|lowering| {
            // Of the men that are known to stand somewhere, some may be lifted.
            let known = Rc::clone(lowering.known.facts());
            lowering.known.facts_mut().values_mut().for_each(|facts| facts.occupied = false);
            let lifted = lowering.without_block(lifted, &known);
            let standing = std::mem::replace(&mut lowering.layout, lifted);
            // Directions and numbers are those of a board without the block, too.
            let most = lowering.most_dirs(&line.dirs);
            let found = lowering.walks(line).and_then(|mut walks| {
                walks.retain(|(walk, _)| most >> walk.turns[0].0 & 1 == 1);
                lowering.block_ways(walks, Cells::In(from))
            });
            lowering.layout = standing;
            lowering.known.set_facts(known);
            (ways, crowded) = found?;
            Ok(())
        })?;
        self.out.extend(block);
        if self.ways_alike(&ways) {
            if self.game.asks.plies && self.game.asks.path {
                return unplanned("a block that moves by two ways to the same cells, whose path is asked");
            }
            // What comes of both is compared.
            let place = self.place(span);
            self.in_doubt = self.in_doubt.or(Some(Ambiguity { place, why: Ambiguity::WAYS }));
        }
        let signs = || ways.iter().map(|way| way.walk.path.sign);
        let sign = signs().next().flatten();
        let told_by_arms = signs().any(|other| other != sign);
        let homes = match self.only(facts).filter(|_| facts.occupied) {
            Some(_) => Vec::new(),
            None => {
                let layout = &self.layout;
                let kinds = layout.kinds.iter().filter_map(|kind| match kind {
                    KindSet::Register(reg) => Some(*reg),
                    KindSet::AllOwned | KindSet::AllNeutral => None,
                });
                let mut homes: Vec<SetReg> = layout.of.iter().copied().chain(layout.neutral).chain(kinds).collect();
                homes.extend(self.mark_sets());
                homes.into_iter().map(|home| (home, self.fresh.set())).collect()
            }
        };
        let (to, passed, heading) = (self.fresh.set(), self.fresh.set(), self.fresh.number());
        let straight = |way: &BlockWay<'g>| {
            let (first, others) = way.steps.split_first()?;
            let steps = way.steps.len() as i64;
            others.iter().all(|step| step == first).then(|| Displacement::along(*first, steps, Some(steps)))
        };
        let displacements = ways.iter().map(straight).collect::<Option<Vec<_>>>();
        self.note_straight(from, to, displacements);
        let catches = ways.iter().any(|way| way.caught != self.none());
        let caught = catches.then(|| self.fresh.set());
        let men_to = (crowded && !facts.occupied).then(|| self.fresh.set());
        let moved = MovedBlock {
            follow,
            from,
            to,
            men: facts,
            passed,
            heading,
            sign,
            told_by_arms,
            caught,
            men_to,
            homes,
            crowded,
            span,
        };
        let mut arms = Vec::new();
        for way in &ways {
            let open = self.num(way.open);
            let block = self.way_taken(way, &moved)?;
            let names: Vec<String> = way.walk.turns.iter().map(|dir| self.game.topology.direction_name(*dir)).collect();
            let note = format!("{} {}", way.steps.len(), names.join(", "));
            arms.push(Arm::new(Options::One { open }, block, note));
        }
        Ok((arms, moved))
    }

    /// Directions, a bit each, beside which there can be none in a set that is chosen at play.
    fn most_dirs(&mut self, dirs: &'g Dirs) -> i64 {
        match dirs {
            Dirs::And(all) => all.iter().fold(-1, |most, dirs| most & self.most_dirs(dirs)),
            other => match self.dirs(other) {
                Ok(Num::Fixed(dirs)) => dirs,
                _ => -1,
            },
        }
    }

    /// The axes of rows of two men or more, if a block does nothing but move such a row off its line.
    pub fn row_moved_abreast(&mut self, list: &[&'g Statement]) -> Option<u64> {
        let [
            Statement::Pick { slot, count: 1, from: Choice::Groups(groups), .. },
            Statement::Move { amount: None, who: model::Cells::Local(who), landing: Landing::Line(line), .. },
            rest @ ..,
        ] = list
        else {
            return None;
        };
        if who != slot || rest.iter().any(|statement| !matches!(statement, Statement::Need { .. })) {
            return None;
        }
        let spot = self.spot();
        let (rows, most) = (self.groups(groups), self.most_dirs(&line.dirs));
        self.back_to(spot);
        let Ok(Groups::Rows(rows)) = rows else { return None };
        let along = rows.dirs | self.opposite_bits(rows.dirs as i64) as u64;
        let only = line.paths.iter().all(|path| !path.catches && path.before.is_empty() && path.turnings.is_empty());
        (self.is_plane && rows.from >= 2 && only && most as u64 & along == 0).then_some(along)
    }

    /// The layout of a position in which the men of a block do not stand, in registers that hold it.
    pub fn without_block(&mut self, lifted: Cells, known: &HashMap<SetReg, Facts>) -> PositionLayout {
        let b = self.reg(lifted);
        let mut layout = self.layout.clone();
        let kinds = layout.kinds.iter_mut().filter_map(|kind| match kind {
            KindSet::Register(reg) => Some(reg),
            KindSet::AllOwned | KindSet::AllNeutral => None,
        });
        for reg in layout.of.iter_mut().chain(layout.neutral.as_mut()).chain(kinds) {
            let facts = known.get(reg).copied().unwrap_or(Facts::NONE);
            let a = *reg;
            *reg = self.set_op(|d| TreeOp::AndNot { d, a, b });
            self.record_facts(Cells::In(*reg), facts);
        }
        layout
    }

    /// Each walk by each number of steps, open if it can be gone from all cells of a block; and whether others may stand
    /// where it leads.
    fn block_ways(&mut self, walks: Vec<(Walk<'g>, Num)>, block: Cells) -> Lowered<(Vec<BlockWay<'g>>, bool)> {
        let (mut ways, mut crowded) = (Vec::new(), false);
        for (walk, open) in walks {
            if open == Num::Fixed(0) || !walk.path.lands {
                continue;
            }
            let Some(at) = walk.landing() else { continue };
            let stages = walk.side(at.left)[..=at.stage].to_vec();
            let test = self.test(stages[at.stage])?;
            crowded |= !self.facts(test).empty;
            // What has to lie behind the landing, and on the other side.
            let behind = self.rests(walk.side(at.left), at.stage + 1)?.unwrap_or(self.all());
            let other = self.rests(walk.side(!at.left), 0)?.unwrap_or(self.all());
            let (least, most, exactly) = self.lengths_of(&stages)?;
            // Each landing counts once, with the longest run that comes there: on a line that comes back, one that goes once
            // round more.
            let ring = stages.first().and_then(|stage| self.ring(stage.step));
            let mut lengths: Vec<usize> = (least..=most).collect();
            if ring.is_some() {
                lengths.reverse();
            }
            let mut starts: HashMap<usize, Cells> = HashMap::default();
            for length in lengths {
                let mut along: Vec<Stage<'g>> = Vec::new();
                for stage in &stages {
                    let times = if matches!(self.run(*stage)?, Run::One) { 1 } else { length };
                    along.extend(std::iter::repeat_n(*stage, times));
                }
                let mut from = behind;
                for stage in along.iter().rev() {
                    let test = self.test(*stage)?;
                    let good = self.and(from, test);
                    let back = self.game.topology.opposite(stage.step).0;
                    from = self.shift(good, back);
                }
                let mut from = self.and(from, other);
                if let (Some(ring), None) = (ring, exactly) {
                    starts.insert(length, from);
                    if let Some(&farther) = starts.get(&(length + ring)) {
                        from = self.without(from, farther);
                    }
                }
                let fits = self.cells_within(block, from);
                let open = self.both(open, fits);
                let is_it = exactly.map(|n| self.compare_nums(Cmp::Equal, n, Num::Fixed(length as i64)));
                let open = is_it.map_or(open, |is_it| self.both(open, is_it));
                if open != Num::Fixed(0) && !along.is_empty() {
                    let caught = self.caught_by_block(&walk, &along, block)?;
                    let steps = along.iter().map(|stage| stage.step).collect();
                    ways.push(BlockWay { walk: walk.clone(), steps, open, caught });
                }
            }
        }
        Ok((ways, crowded))
    }

    /// What a block catches by a walk on which each stage up to the landing takes one cell.
    fn caught_by_block(&mut self, walk: &Walk<'g>, along: &[Stage<'g>], block: Cells) -> Lowered<Cells> {
        let mut caught = self.none();
        let Some(at) = walk.landing().filter(|_| walk.path.catches) else { return Ok(caught) };
        let mut cells = block;
        for stage in along {
            cells = self.shift(cells, stage.step.0);
            let taken = self.caught_by(*stage)?;
            let taken = self.and(cells, taken);
            caught = self.or(caught, taken);
        }
        for (from, stages) in [(cells, &walk.side(at.left)[at.stage + 1..]), (block, walk.side(!at.left))] {
            if !self.catches_in_one_way(stages, None)? {
                return unplanned("a block that moves by a pattern whose runs may end in several places");
            }
            let mut cells = from;
            for (i, &stage) in stages.iter().enumerate() {
                let rest = self.rests(stages, i + 1)?;
                let ends = self.ends_of(cells, stage)?;
                let ends = self.narrowed(ends, rest);
                let taken = match stage.item.times {
                    model::Times::One => ends,
                    model::Times::Between(..) => self.run_up_to(stage, cells, ends)?,
                };
                let set = self.caught_by(stage)?;
                let taken = self.and(taken, set);
                caught = self.or(caught, taken);
                cells = ends;
            }
        }
        Ok(caught)
    }

    /// How many cells the one stage that has no fixed number takes, at least and at most, and the number where play alone tells
    /// it. Where there is no such stage, any number will do.
    fn lengths_of(&mut self, stages: &[Stage<'g>]) -> Lowered<(usize, usize, Option<Num>)> {
        let (mut lengths, mut exactly) = (None, None);
        for stage in stages {
            let (from, to) = match self.run(*stage)? {
                Run::One => continue,
                Run::Between(from, to) => (from, to),
                Run::Exactly(Num::Fixed(length)) => (length, Some(length)),
                Run::Exactly(number) => {
                    exactly = Some(number);
                    (0, None)
                }
            };
            if stage.length.is_some() && self.ring(stage.step).is_some() {
                return unplanned("a block that moves on lines that come back, as far as is known only at play");
            }
            if lengths.is_some() || stages.iter().any(|other| other.step != stage.step) {
                return unplanned("a block that moves by a pattern with two runs, or with a run and a turning");
            }
            // A run goes on round a ring until it has as many cells as the board. Behind the first round it goes on if it did.
            let from_round = |ring: usize| usize::try_from(from).unwrap_or(0).max(ring) + ring - 1;
            let longest = match self.ring(stage.step) {
                Some(ring) if exactly.is_none() => from_round(ring).min(self.game.topology.any().len()),
                Some(_) => self.game.topology.any().len(),
                None => self.longest_line(stage.step)?,
            };
            let most = to.map_or(longest, |to| usize::try_from(to).unwrap_or(0).min(longest));
            lengths = Some(match usize::try_from(from) {
                Ok(from) if to.is_none_or(|to| to >= 0) => (from, most),
                _ => (1, 0),
            });
        }
        let (least, most) = lengths.unwrap_or((0, 0));
        Ok((least, most, exactly))
    }

    /// After how many steps in a direction one comes back, if it is after as many from all cells from which one does.
    fn ring(&self, dir: Dir) -> Option<usize> {
        let topology = &self.game.topology;
        let cells = topology.any();
        let steps =
            |cell| std::iter::successors(topology.step(cell, dir), |&at| topology.step(at, dir)).take(cells.len());
        let mut rings = cells.iter().filter_map(|cell| steps(cell).position(|at| at == cell));
        let first = rings.next()?;
        rings.all(|other| other == first).then_some(first + 1)
    }

    /// The most steps that lead on in a direction from any cell.
    pub fn longest_line(&self, dir: Dir) -> Lowered<usize> {
        let topology = &self.game.topology;
        let cells = topology.any().len();
        let steps = |cell| std::iter::successors(topology.step(cell, dir), |&at| topology.step(at, dir)).take(cells);
        let longest = topology.any().iter().map(|cell| steps(cell).count()).max().unwrap_or(0);
        if longest < cells { Ok(longest) } else { unplanned("a block that moves on lines that come back") }
    }

    /// Two ways of one sign may lead a man to the same cell.
    fn ways_alike(&self, ways: &[BlockWay<'g>]) -> bool {
        let topology = &self.game.topology;
        let end = |way: &BlockWay<'g>, cell: Cell| way.steps.iter().try_fold(cell, |at, &dir| topology.step(at, dir));
        // Of runs along one line that come to one cell the longest alone is open.
        let is_one_line = |a: &BlockWay<'g>, b: &BlockWay<'g>| {
            std::ptr::eq(a.walk.path, b.walk.path)
                && a.walk.turns == b.walk.turns
                && a.steps.iter().all(|step| *step == a.steps[0])
        };
        let alike = |a: &BlockWay<'g>, b: &BlockWay<'g>| {
            a.walk.path.sign == b.walk.path.sign
                && !is_one_line(a, b)
                && topology.any().iter().any(|cell| end(a, cell).is_some_and(|to| end(b, cell) == Some(to)))
        };
        (0..ways.len()).any(|at| ways[at + 1..].iter().any(|other| alike(&ways[at], other)))
    }

    /// What an arm settles: where the men will stand, what they passed, and their heading.
    fn way_taken(&mut self, way: &BlockWay<'g>, moved: &MovedBlock) -> Lowered<Block> {
        self.block(|lowering| {
            let (mut at, mut passed) = (Cells::In(moved.from), lowering.none());
            for (step, dir) in way.steps.iter().enumerate() {
                if step > 0 {
                    passed = lowering.or(passed, at);
                }
                at = lowering.shift(at, dir.0);
            }
            let (to, passed) = (lowering.reg(at), lowering.reg(passed));
            lowering.emit(TreeOp::Copy { d: moved.to, a: to });
            lowering.emit(TreeOp::Copy { d: moved.passed, a: passed });
            if let Some(d) = moved.caught {
                let a = lowering.reg(way.caught);
                lowering.emit(TreeOp::Copy { d, a });
            }
            if let Some(d) = moved.men_to {
                let standing = lowering.standing_men();
                let men = lowering.and(Cells::In(moved.from), standing);
                let there = way.steps.iter().fold(men, |men, dir| lowering.shift(men, dir.0));
                let a = lowering.reg(there);
                lowering.emit(TreeOp::Copy { d, a });
            }
            for &(home, as_they_stand) in &moved.homes {
                let some = lowering.and(Cells::In(home), Cells::In(moved.from));
                let there = way.steps.iter().fold(some, |men, dir| lowering.shift(men, dir.0));
                let a = lowering.reg(there);
                lowering.emit(TreeOp::Copy { d: as_they_stand, a });
            }
            let heading = way.walk.heading(|dir| lowering.game.topology.opposite(dir));
            lowering.emit(TreeOp::Const { d: moved.heading, k: 1 << heading.0 });
            if moved.told_by_arms {
                let sign = way.walk.path.sign;
                lowering.annotate(Annotation::Landing { cell: moved.to, caught: moved.caught, sign }, None);
            }
            Ok(())
        })
    }

    /// A block goes where its arm has found.
    pub fn block_moved(&mut self, moved: MovedBlock) -> Lowered<()> {
        let MovedBlock { from, to, .. } = moved;
        if !moved.told_by_arms {
            self.annotate(Annotation::Landing { cell: to, caught: moved.caught, sign: moved.sign }, None);
        }
        if let Some(caught) = moved.caught {
            self.catch(Cells::In(caught))?;
        }
        self.forget();
        if moved.crowded {
            self.expect_nobody_else(moved.men_to.unwrap_or(to), from, moved.span);
        }
        let homes = match self.only(moved.men).filter(|_| moved.men.occupied) {
            Some(home) => vec![(home, to)],
            None => moved.homes,
        };
        for (home, men) in homes {
            self.emit(TreeOp::AndNot { d: home, a: home, b: from });
            self.emit(TreeOp::Or { d: home, a: home, b: men });
        }
        self.scope.still = false;
        self.record_move([from, to, moved.passed], moved.heading);
        if let Some(b) = moved.caught {
            let caught = self.words.caught;
            self.emit(TreeOp::Or { d: caught, a: caught, b });
        }
        self.emit(TreeOp::Acted);
        self.forget();
        if let Some(slot) = moved.follow {
            self.record_facts(Cells::In(to), Facts { empty: false, occupied: moved.men.occupied, ..moved.men });
            self.assign(slot, Value::Cells(Cells::In(to)))?;
        }
        Ok(())
    }
}
