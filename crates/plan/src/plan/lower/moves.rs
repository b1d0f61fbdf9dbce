//! Move lowering: a move goes in; the arms of its choice come out, one for each way and direction,
//! and what follows when one is taken.
//!
//! All men that can move go at once: an arm offers the landings of all of them, and tells from a
//! landing which man came there.

use crate::board::{Dir, Kind, Player};
use crate::model;
use crate::model::{Landing, Slot, Statement, Times};
use crate::plan::annotation::Annotation;
use crate::plan::op::TreeOp;
use crate::plan::passes::Pass;
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Ambiguity, Arm, Node, Options};
use crate::source::Span;

use crate::plan::lower::ambiguity::Displacement;
use crate::plan::lower::cardinality::Cardinality;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::line::{At, Run, Stage, Walk};
use crate::plan::lower::values::{Cells, Facts, Fixed, Lowered, NOBODY, Num, Value, unplanned};

pub struct Moved<'g> {
    /// The slot picked together with the landing, and what is bound between.
    pub picked: Option<(Slot, Vec<&'g Statement>)>,
    pub follow: Option<Slot>,
    pub from: SetReg,
    pub to: SetReg,
    /// What is known of the man.
    pub man: Facts,
    pub caught: Cells,
    /// Of these only what stands on the landing.
    pub on_landing: bool,
    /// Arms have signs of their own.
    pub told_by_arms: bool,
    pub passed: SetReg,
    pub heading: NumReg,
    pub sign: Option<char>,
    /// The landing is written only if this is not 0.
    pub told: Option<NumReg>,
    /// A man may stand on the landing.
    pub crowded: bool,
    /// How many men of a stack move; none are all.
    pub amount: Option<NumReg>,
    /// They come under those who stand on the landing.
    pub bottom: bool,
    pub span: Span,
}

/// Anchors and walks of a move, before they are arms.
struct Lane<'g> {
    walk: Walk<'g>,
    open: Num,
    anchors: Cells,
    /// The kind whose description has it, and whose men go by it.
    of: Option<(Kind, Player)>,
}

/// A way that an arm was made for.
struct ArmWay<'l, 'g> {
    reach: Reach,
    anchors: Cells,
    landings: Cells,
    /// It catches nothing but what stands on the landing.
    on_landing: bool,
    lane: &'l Lane<'g>,
}

/// What tells whether two arms can lead from one cell to the same other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Always so far, and in how many steps.
    Fixed(i32, usize),
    /// Along a direction.
    Line(u16),
    /// One step along a direction whose steps differ.
    Step(u16),
    Other,
}

impl<'g> Lowering<'g> {
    pub fn moves(
        &mut self,
        men: Cells,
        single: bool,
        landing: &'g Landing,
        span: Span,
    ) -> Lowered<(Vec<Arm>, Moved<'g>)> {
        let (from, to) = (if single { self.reg(men) } else { self.fresh.set() }, self.fresh.set());
        self.known.single.insert(from);
        self.known.single.insert(to);
        self.known.exact.extend((!single).then_some(from).into_iter().chain([to]));
        let mut moved = Moved {
            picked: None,
            follow: None,
            from,
            to,
            man: self.facts(men),
            caught: self.none(),
            on_landing: false,
            told_by_arms: false,
            passed: self.fresh.set(),
            heading: self.fresh.number(),
            sign: None,
            told: None,
            crowded: false,
            amount: None,
            bottom: matches!(landing, Landing::To { bottom: true, .. }),
            span,
        };
        let (lanes, capture) = match landing {
            Landing::To { cells, known, .. } => return self.move_to(men, cells, *known, moved),
            Landing::Line(line) => {
                // Only a man moves: a pattern may fit around an empty cell as well.
                let standing = self.standing_men();
                let anchors = if self.facts(men).occupied { men } else { self.and(men, standing) };
                let walks = self.walks(line)?;
                let lanes = walks.into_iter().map(|(walk, open)| Lane { walk, open, anchors, of: None }).collect();
                (lanes, false)
            }
            Landing::Ways { capture } if single && self.some_way_asks_here() => {
                let arms = self.at(men, |lowering| {
                    let lanes = lowering.ways_of_men(men)?;
                    lowering.arms(lanes, single, *capture, &mut moved)
                })?;
                return Ok((arms, moved));
            }
            Landing::Ways { capture } => (self.ways_of_men(men)?, *capture),
        };
        let arms = self.arms(lanes, single, capture, &mut moved)?;
        Ok((arms, moved))
    }

    fn move_to(
        &mut self,
        men: Cells,
        cells: &'g model::Cells,
        known: bool,
        mut moved: Moved<'g>,
    ) -> Lowered<(Vec<Arm>, Moved<'g>)> {
        let set = self.cells(cells)?;
        if known {
            let count = self.count_cells(set);
            let several = self.compare_nums(model::Comparison::NotEqual, count, Num::Fixed(1));
            moved.told = Some(self.num(several));
        }
        moved.crowded = !self.is_apart_from_men(set);
        let options = self.without(set, men);
        // A man must stand there to move.
        let there = self.some_cells(men);
        let options = self.keep(options, there);
        let (of, cell) = (self.reg(options), moved.to);
        let (none, zero) = (self.constant(Fixed::NONE), TreeOp::Const { d: moved.heading, k: 0 });
        let block = vec![Node::Op(TreeOp::Copy { d: moved.passed, a: none }), Node::Op(zero)];
        Ok((vec![Arm::new(Options::Cells { of, cell }, block, "to")], moved))
    }

    /// A move to a set that is one cell at most, so that nothing is chosen. `false`: it is none.
    pub fn known_move(&mut self, statement: &'g Statement) -> Lowered<bool> {
        let Statement::Move { amount, who, landing, follow, span } = statement else { return Ok(false) };
        let Landing::To { cells, known: true, bottom } = landing else { return Ok(false) };
        let spot = self.spot();
        let (men, to) = (self.cells(who)?, self.cells(cells)?);
        let cardinality = self.cardinality_of(to);
        if cardinality == Cardinality::Any {
            self.back_to(spot);
            return Ok(false);
        }
        if !self.game.stacks {
            self.expect_one_man(amount.as_ref())?;
        }
        let crowded = !self.game.stacks && !self.is_apart_from_men(to);
        let men = self.the_one_cell(men);
        let standing = self.standing_men();
        let man = self.facts(men);
        let men = if man.occupied { men } else { self.and(men, standing) };
        let men = self.without(men, to);
        let (men, amount) = match amount {
            Some(amount) if self.game.stacks => {
                let (men, amount) = self.part_of_stack(men, amount)?;
                (men, Some(amount))
            }
            _ => (men, None),
        };
        let needed: &[Cells] = if cardinality == Cardinality::One { &[men] } else { &[men, to] };
        for cells in needed {
            let some = self.some_cells(*cells);
            self.need(some);
        }
        let (from, to) = (self.copied(men), self.copied(to));
        self.known.single.extend([from, to]);
        self.known.exact.extend([from, to]);
        let (passed, heading, none) = (self.fresh.set(), self.fresh.number(), self.constant(Fixed::NONE));
        self.emit(TreeOp::Copy { d: passed, a: none });
        self.emit(TreeOp::Const { d: heading, k: 0 });
        let told = Some(self.constant_number(0));
        let moved = Moved {
            picked: None,
            follow: *follow,
            from,
            to,
            man,
            caught: self.none(),
            on_landing: false,
            told_by_arms: false,
            passed,
            heading,
            sign: None,
            told,
            crowded,
            amount,
            bottom: *bottom,
            span: *span,
        };
        self.moved(moved)?;
        Ok(true)
    }

    fn some_way_asks_here(&mut self) -> bool {
        let mut kinds = (0..self.game.kinds.len() as u8).map(Kind);
        kinds.any(|kind| self.game.kind(kind).ways.iter().any(|way| self.asks_here(kind, way)))
    }

    /// The ways of all kinds that can stand among some men, each once.
    fn ways_of_men(&mut self, men: Cells) -> Lowered<Vec<Lane<'g>>> {
        let mut ways: Vec<(usize, Player, Kind, &'g model::Way, Cells)> = Vec::new();
        for (owner, men) in self.by_owner(men) {
            for kind in (0..self.game.kinds.len() as u8).map(Kind) {
                let men = self.men_of_kind(men, kind);
                for (number, way) in self.game.kind(kind).ways.iter().enumerate() {
                    let anchors = self.as_player(owner, |lowering| lowering.way_anchors(kind, way, men))?;
                    let key = self.ways[kind.index()][number];
                    match ways.iter().position(|(known, whose, ..)| (*known, *whose) == (key, owner)) {
                        Some(at) => ways[at].4 = self.or(ways[at].4, anchors),
                        None => ways.push((key, owner, kind, way, anchors)),
                    }
                }
            }
        }
        let mut lanes = Vec::new();
        for (_, owner, kind, way, anchors) in ways {
            let of = Some((kind, owner));
            let walks =
                self.as_player(owner, |lowering| lowering.in_description(kind, |lowering| lowering.walks(&way.line)))?;
            lanes.extend(walks.into_iter().map(|(walk, open)| Lane { walk, open, anchors, of }));
        }
        Ok(lanes)
    }

    /// Men by who goes by the ways of their kinds: whose they are, and for men of nobody the player of the turn.
    fn by_owner(&mut self, men: Cells) -> Vec<(Player, Cells)> {
        let owners = self.facts(men).owners;
        let mut all = Vec::new();
        for player in self.game.players().filter(|player| owners & 1 << player.0 != 0) {
            let owned = Cells::In(self.layout.of[player.index()]);
            let theirs = if owners == 1 << player.0 { men } else { self.and(men, owned) };
            all.push((player, theirs));
        }
        if let Some(neutral) = self.layout.neutral.filter(|_| owners & NOBODY != 0) {
            let theirs = self.and(men, Cells::In(neutral));
            all.push((self.scope.own, theirs));
        }
        all
    }

    fn in_lane<T>(&mut self, lane: &Lane<'g>, body: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let Some((kind, owner)) = lane.of else { return body(self) };
        self.as_player(owner, |lowering| lowering.in_description(kind, body))
    }

    fn arms(&mut self, lanes: Vec<Lane<'g>>, single: bool, capture: bool, moved: &mut Moved<'g>) -> Lowered<Vec<Arm>> {
        let mut arms: Vec<Arm> = Vec::new();
        let mut told: Vec<ArmWay<'_, 'g>> = Vec::new();
        // Where everything caught is what stands on the landing, one test behind the choice serves
        // all arms.
        let mut common: Option<Cells> = None;
        let mut plain = true;
        for lane in &lanes {
            if let Some(cells) = self.in_lane(lane, |lowering| lowering.caught_on_landing(&lane.walk))? {
                plain &= common.is_none_or(|known| known == cells);
                common = Some(cells);
            } else if lane.walk.path.catches {
                plain = false;
            }
        }
        // That test is asked behind a way that catches nothing as well: it must find nothing there.
        for lane in lanes.iter().filter(|lane| !lane.walk.path.catches) {
            let (Some(common), Some(at)) = (common, lane.walk.landing()) else { continue };
            let landing = lane.walk.side(at.left)[at.stage];
            let test = self.in_lane(lane, |lowering| lowering.test(landing))?;
            plain &= self.apart(test, common) || self.in_lane(lane, |lowering| lowering.lands_clear(&lane.walk, at))?;
        }
        let caught = if plain { None } else { Some(self.fresh.set()) };
        let signs: Vec<Option<char>> = lanes.iter().map(|lane| lane.walk.path.sign).collect();
        if signs.windows(2).any(|pair| pair[0] != pair[1]) {
            moved.sign = None;
        } else {
            moved.sign = signs.first().copied().flatten();
        }
        let mixed = signs.windows(2).any(|pair| pair[0] != pair[1]);
        for lane in &lanes {
            let anchors = self.keep(lane.anchors, lane.open);
            if anchors == self.none() || !lane.walk.path.lands || (capture && !lane.walk.path.catches) {
                continue;
            }
            let Some(at) = lane.walk.landing().filter(|_| self.leads_on(&lane.walk)) else { continue };
            if self.may_catch_itself(lane, anchors)? {
                return unplanned("a way back on which a man may catch himself");
            }
            let landings = self.in_lane(lane, |lowering| lowering.landings(&lane.walk, anchors))?;
            let mut landings = landings.unwrap_or(self.none());
            let mut may_catch_nobody = false;
            if capture {
                let catching = self.in_lane(lane, |lowering| lowering.catching_landings(&lane.walk, landings))?;
                may_catch_nobody = catching.is_none();
                landings = catching.unwrap_or(landings);
            }
            let reach = self.reach_of(&lane.walk, at);
            for other in &told {
                let alike = self.lead_to_one_cell((&lane.walk, reach), (&other.lane.walk, other.reach));
                let sign = other.lane.walk.path.sign;
                if !alike
                    || sign != lane.walk.path.sign
                    || self.apart(landings, other.landings)
                    || self.apart(anchors, other.anchors)
                {
                    continue;
                }
                if self.never_meet(lane, other.lane, single)? {
                    continue;
                }
                if !single && self.is_farther_along_line(reach, other.reach) {
                    return unplanned("two ways along one line");
                }
                // What is left out is told by the landing alone: both ways must come there from one man.
                let is_one_man = reach == other.reach && reach != Reach::Other
                    || matches!((reach, other.reach), (Reach::Fixed(..), Reach::Fixed(..) | Reach::Line(_)))
                    || matches!((reach, other.reach), (Reach::Line(_), Reach::Fixed(..)))
                        && self.stops_at_own_men(lane, at)?;
                if !single && !is_one_man {
                    return unplanned("two ways that may lead to one cell");
                }
                let lands_only = !lane.walk.path.catches
                    || self.in_lane(lane, |lowering| lowering.caught_on_landing(&lane.walk))?.is_some();
                let same = other.on_landing && lands_only && self.catch_alike(lane, other.lane)?;
                if same && (!self.game.asks.path || lane.walk.goes_like(&other.lane.walk)) {
                    landings = self.without(landings, other.landings);
                } else if self.game.asks.plies && self.game.asks.path {
                    // They may begin with one ply, and go on differently.
                    return unplanned("two ways to one cell whose path is asked");
                } else {
                    // What comes of both is compared.
                    let (place, why) = (self.place(moved.span), Ambiguity::WAYS);
                    self.in_doubt = self.in_doubt.or(Some(Ambiguity { place, why }));
                }
            }
            if landings == self.none() {
                continue;
            }
            let on_landing = !lane.walk.path.catches
                || self.in_lane(lane, |lowering| lowering.caught_on_landing(&lane.walk))?.is_some();
            told.push(ArmWay { reach, anchors, landings, on_landing, lane });
            moved.crowded |= !self.in_lane(lane, |lowering| lowering.lands_clear(&lane.walk, at))?;
            let of = self.reg(landings);
            let block = self.block(|lowering| {
                lowering.in_lane(lane, |lowering| lowering.arm_taken(lane, at, anchors, single, caught, moved))
            })?;
            let mut block = block;
            if let Some(caught) = caught.filter(|_| may_catch_nobody) {
                let n = self.fresh.number();
                block.push(Node::Op(TreeOp::NonEmpty { d: n, a: caught }));
                block.push(Node::Need(n));
            }
            if mixed {
                if !single {
                    block.push(Node::Op(TreeOp::Annotate { mark: Annotation::Cell(moved.from) }));
                }
                let mark = Annotation::Landing { cell: moved.to, caught, sign: lane.walk.path.sign };
                block.push(Node::Op(TreeOp::Annotate { mark }));
            }
            let note = self.walk_name(&lane.walk);
            let facts = self.facts(anchors);
            let (man, own) = (Some((moved.from, facts.kinds)), facts.occupied && facts.owners == 1 << self.scope.own.0);
            arms.push(Arm { man, own, ..Arm::new(Options::Cells { of, cell: moved.to }, block, note) });
        }
        let displacements =
            told.iter().map(|way| self.displacement(&way.lane.walk)).collect::<Lowered<Option<Vec<_>>>>()?;
        self.note_straight(moved.from, moved.to, displacements);
        moved.caught = match (caught, common) {
            (Some(reg), _) => Cells::In(reg),
            (None, Some(cells)) => cells,
            (None, None) => self.none(),
        };
        moved.on_landing = plain;
        moved.told_by_arms = mixed;
        Ok(arms)
    }

    /// Where a landing lies from its anchor, if that is straight ahead.
    fn displacement(&mut self, walk: &Walk<'g>) -> Lowered<Option<Displacement>> {
        let Some(at) = walk.landing() else { return Ok(None) };
        let stages = &walk.side(at.left)[..=at.stage];
        let Some((first, others)) = stages.split_first() else { return Ok(None) };
        if others.iter().any(|stage| stage.step != first.step) {
            return Ok(None);
        }
        let (mut least, mut most) = (0_i64, Some(0_i64));
        for stage in stages {
            let (from, to) = match self.run(*stage)? {
                Run::One => (1, Some(1)),
                Run::Between(from, to) => (from, to),
                Run::Exactly(_) => (0, None),
            };
            least = least.saturating_add(from);
            most = most.zip(to).map(|(most, to)| most.saturating_add(to));
        }
        Ok(Some(Displacement::along(first.step, least, most)))
    }

    /// Men go from one set to another, which lies so from there.
    pub fn note_straight(&mut self, from: SetReg, to: SetReg, displacements: Option<Vec<Displacement>>) {
        if let (Some(displacements), true) = (displacements, self.is_plane) {
            self.straight.insert(to, (from, displacements.into_iter().fold(Displacement::default(), Displacement::or)));
        }
    }

    /// One man never comes to the same cell by both ways, nor do two men, as the ways go along one
    /// line and what they pass tells them apart.
    fn never_meet(&mut self, one: &Lane<'g>, other: &Lane<'g>, single: bool) -> Lowered<bool> {
        let stages = |lane: &Lane<'g>| lane.walk.landing().map(|at| lane.walk.side(at.left)[..=at.stage].to_vec());
        let (Some(a), Some(b)) = (stages(one), stages(other)) else { return Ok(false) };
        if a.iter().chain(&b).any(|stage| stage.step != a[0].step) {
            return Ok(false);
        }
        let a = self.in_lane(one, |lowering| lowering.steps(&a))?;
        let b = self.in_lane(other, |lowering| lowering.steps(&b))?;
        let (Some(a), Some(b)) = (a, b) else { return Ok(false) };
        let two_men = || self.never_over(&a, &b, other.anchors) && self.never_over(&b, &a, one.anchors);
        Ok(self.has(Pass::PathOverlap) && self.never_alike(&a, &b) && (single || two_men()))
    }

    /// The way catches where it may have come back to where it began, and what it catches may be the man who goes it.
    fn may_catch_itself(&mut self, lane: &Lane<'g>, anchors: Cells) -> Lowered<bool> {
        let turns = |side: &[Stage<'g>]| side.iter().any(|stage| stage.step != side[0].step);
        let sides = [&lane.walk.left, &lane.walk.right];
        for (stage, turns) in sides.into_iter().flat_map(|side| side.iter().map(|stage| (stage, turns(side)))) {
            if stage.item.caught.is_empty() || !turns && !self.game.topology.comes_back(stage.step) {
                continue;
            }
            for caught in &stage.item.caught {
                let caught = self.in_lane(lane, |lowering| lowering.cells(caught))?;
                if !self.apart(caught, anchors) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// All single steps of a walk go along directions in which cells have neighbours.
    fn leads_on(&self, walk: &Walk<'g>) -> bool {
        let mut stages = walk.side(false).iter().chain(walk.side(true));
        stages.all(|stage| {
            !matches!(stage.item.times, Times::One) || !self.grid.dirs[usize::from(stage.step.0)].is_empty()
        })
    }

    fn walk_name(&self, walk: &Walk<'g>) -> String {
        let names: Vec<String> = walk.turns.iter().map(|dir| self.game.topology.direction_name(*dir)).collect();
        names.join(", ")
    }

    /// What a step adds to the number of a bit, where that tells the direction.
    fn stride(&self, dir: u16) -> Option<i32> {
        let points = matches!(self.game.topology.shape(), crate::board::Shape::Points { .. });
        match self.grid.dirs[usize::from(dir)].as_slice() {
            [hop] if !points => Some(self.grid.hops[usize::from(*hop)].by),
            _ => None,
        }
    }

    /// No own man may stand on the line before its landing. So a line that lands just ahead of an own man begins with him:
    /// it cannot pass him.
    fn stops_at_own_men(&mut self, lane: &Lane<'g>, at: At) -> Lowered<bool> {
        let owner = lane.of.map_or(self.scope.own, |(_, owner)| owner);
        let own = Facts { occupied: true, owners: 1 << owner.0, ..Facts::NONE };
        let anchors = self.facts(lane.anchors);
        if !anchors.occupied || anchors.owners != own.owners {
            return Ok(false);
        }
        for stage in lane.walk.side(at.left)[..at.stage].iter().copied() {
            let test = self.in_lane(lane, |lowering| lowering.test(stage))?;
            if !self.facts(test).apart(own) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// From some cell both ways lead to the same one, as far as can be told.
    fn lead_to_one_cell(&self, (one, a): (&Walk<'g>, Reach), (two, b): (&Walk<'g>, Reach)) -> bool {
        let topology = &self.game.topology;
        match (a, b) {
            // As many bits farther may be another cell, beyond the border.
            (Reach::Fixed(a, _), Reach::Fixed(b, _)) => {
                let paths = one.single_steps().zip(two.single_steps());
                a == b && paths.is_none_or(|(one, two)| topology.paths_meet(&one, &two))
            }
            (Reach::Line(a), Reach::Line(b)) => a == b || topology.lines_meet(Dir(a), Dir(b)),
            (Reach::Fixed(by, _), Reach::Line(dir)) | (Reach::Line(dir), Reach::Fixed(by, _)) => {
                let path = if matches!(a, Reach::Fixed(..)) { one } else { two };
                // The path may turn, and come to the line all the same.
                self.stride(dir).is_none_or(|stride| by % stride == 0 && by / stride > 0)
                    && path.single_steps().is_none_or(|path| topology.path_meets_line(&path, Dir(dir)))
            }
            // A line that goes around comes to the cells behind its first as well.
            (Reach::Step(step), Reach::Line(line)) | (Reach::Line(line), Reach::Step(step)) => {
                topology.path_meets_line(&[Dir(step)], Dir(line))
            }
            _ => match (one.single_steps(), two.single_steps()) {
                (Some(one), Some(two)) => topology.paths_meet(&one, &two),
                _ => true,
            },
        }
    }

    /// One way ends farther along the line of the other than its first cell: another man may stand between.
    fn is_farther_along_line(&self, a: Reach, b: Reach) -> bool {
        match (a, b) {
            (Reach::Fixed(by, steps), Reach::Line(dir)) | (Reach::Line(dir), Reach::Fixed(by, steps)) => {
                self.stride(dir).map_or(steps > 1, |stride| by != stride)
            }
            _ => false,
        }
    }

    fn reach_of(&self, walk: &Walk<'g>, at: At) -> Reach {
        let stages = &walk.side(at.left)[..=at.stage];
        if stages.iter().all(|stage| matches!(stage.item.times, Times::One)) {
            let strides: Option<Vec<i32>> = stages.iter().map(|stage| self.stride(stage.step.0)).collect();
            return match (strides, stages) {
                (Some(strides), _) => Reach::Fixed(strides.iter().sum(), strides.len()),
                (None, [one]) => Reach::Step(one.step.0),
                (None, _) => Reach::Other,
            };
        }
        if stages.iter().all(|stage| stage.step == stages[0].step) {
            Reach::Line(stages[0].step.0)
        } else {
            Reach::Other
        }
    }

    /// If a walk catches nothing but what stands on its landing: the set that catches there.
    fn caught_on_landing(&mut self, walk: &Walk<'g>) -> Lowered<Option<Cells>> {
        let Some(at) = walk.landing() else { return Ok(None) };
        let mut set = None;
        for left in [false, true] {
            for (i, stage) in walk.side(left).to_vec().into_iter().enumerate() {
                if stage.item.caught.is_empty() {
                    continue;
                }
                if at != (At { left, stage: i }) || stage.item.caught.len() != 1 {
                    return Ok(None);
                }
                set = Some(self.cells(&stage.item.caught[0])?);
            }
        }
        Ok(set)
    }

    /// Both ways catch the same where they land on one cell: what of one set stands there, or any man.
    fn catch_alike(&mut self, one: &Lane<'g>, other: &Lane<'g>) -> Lowered<bool> {
        let caught = self.in_lane(one, |lowering| lowering.caught_on_landing(&one.walk))?;
        if caught == self.in_lane(other, |lowering| lowering.caught_on_landing(&other.walk))? {
            return Ok(true);
        }
        Ok(!self.game.stacks && self.leaves_nobody(one)? && self.leaves_nobody(other)?)
    }

    fn leaves_nobody(&mut self, lane: &Lane<'g>) -> Lowered<bool> {
        let Some(at) = lane.walk.landing() else { return Ok(false) };
        self.in_lane(lane, |lowering| lowering.lands_clear(&lane.walk, at))
    }

    /// The landings on which something is caught; `None`: that is known only when it is.
    fn catching_landings(&mut self, walk: &Walk<'g>, landings: Cells) -> Lowered<Option<Cells>> {
        if let Some(caught) = self.caught_on_landing(walk)? {
            return Ok(Some(self.and(landings, caught)));
        }
        for stage in walk.left.iter().chain(&walk.right).filter(|stage| !stage.item.caught.is_empty()) {
            let (test, caught) = (self.test(*stage)?, self.cells(&stage.item.caught[0])?);
            if test == caught && matches!(stage.item.times, Times::One) {
                return Ok(Some(landings));
            }
        }
        Ok(None)
    }

    /// No man stands on a landing that is not caught.
    pub fn lands_clear(&mut self, walk: &Walk<'g>, at: At) -> Lowered<bool> {
        let stage = walk.side(at.left)[at.stage];
        self.clear(&stage.item.test, &stage.item.caught)
    }

    fn clear(&mut self, test: &'g model::Cells, caught: &'g [model::Cells]) -> Lowered<bool> {
        let cells = self.cells(test)?;
        if self.facts(cells).empty {
            return Ok(true);
        }
        // Who waits to leave still stands there.
        let caught = if self.layout.waiting.is_some() { &[] } else { caught };
        for set in caught {
            if self.cells(set)? == cells {
                return Ok(true);
            }
        }
        match test {
            model::Cells::Or(any) => {
                for set in any {
                    if !self.clear(set, caught)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            model::Cells::And(all) => {
                for set in all {
                    if self.clear(set, caught)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// What the choice of an arm settles: where the man came from, what is caught, what he passed.
    fn arm_taken(
        &mut self,
        lane: &Lane<'g>,
        at: At,
        anchors: Cells,
        single: bool,
        caught: Option<SetReg>,
        moved: &Moved<'g>,
    ) -> Lowered<()> {
        let to = Cells::In(moved.to);
        if !single {
            let origin = self.origin(&lane.walk, at, to, anchors)?;
            self.put_cells(moved.from, origin);
        }
        let from = Cells::In(moved.from);
        if let Some(d) = caught {
            let cells = if lane.walk.path.catches { self.caught(&lane.walk, from, Some(to))? } else { self.none() };
            self.put_cells(d, cells);
        }
        let passed = self.passed(&lane.walk, at, from, to)?;
        self.put_cells(moved.passed, passed);
        let heading = lane.walk.heading(|dir| self.game.topology.opposite(dir));
        self.emit(TreeOp::Const { d: moved.heading, k: 1 << heading.0 });
        Ok(())
    }

    /// Puts a set into a register: the operation that has just computed it writes there.
    fn put_cells(&mut self, d: SetReg, cells: Cells) {
        let a = self.reg(cells);
        if let Some(Node::Op(op)) = self.out.last_mut() {
            let mut writes = false;
            op.accesses(|access| writes |= access == crate::plan::Access::DefSet(a));
            if writes && !matches!(op, TreeOp::Copy { .. }) {
                *op = op.renamed(|reg| if reg == a { d } else { reg }, |reg| reg);
                self.forget_results();
                return;
            }
        }
        self.emit(TreeOp::Copy { d, a });
    }

    /// The cells strictly between on the path.
    fn passed(&mut self, walk: &Walk<'g>, at: At, from: Cells, to: Cells) -> Lowered<Cells> {
        let stages = walk.side(at.left)[..at.stage].to_vec();
        if stages.iter().all(|stage| matches!(stage.item.times, Times::One)) {
            let (mut cell, mut all) = (from, self.none());
            for stage in stages {
                cell = self.shift(cell, stage.step.0);
                all = self.or(all, cell);
            }
            return Ok(all);
        }
        if walk.turns.len() > 1 {
            let stages = walk.side(at.left).to_vec();
            let runs = self.first_match(&stages, from, Some((at.stage, to)))?;
            return Ok(runs[..at.stage].iter().fold(self.none(), |all, run| self.or(all, *run)));
        }
        let dir = walk.side(at.left)[at.stage].step;
        if !self.game.topology.is_only_line(dir) {
            let all = self.all();
            let open = self.without(all, to);
            return Ok(self.fill(from, open, dir.0));
        }
        let (a, b, place) = (self.reg(from), self.reg(to), crate::plan::SpanId::NOWHERE);
        let line = Cells::In(self.set_op(|d| TreeOp::LineBetween { d, a, b, place }));
        let ends = self.or(from, to);
        Ok(self.without(line, ends))
    }

    /// The one anchor from which a walk leads to a landing.
    fn origin(&mut self, walk: &Walk<'g>, at: At, to: Cells, anchors: Cells) -> Lowered<Cells> {
        let stages = walk.side(at.left).to_vec();
        let (mut cell, mut i) = (to, at.stage);
        loop {
            let opposite = self.game.topology.opposite(stages[i].step).0;
            let Some(&before) = i.checked_sub(1).and_then(|before| stages.get(before)) else {
                return Ok(self.shift(cell, opposite));
            };
            match &before.item.times {
                Times::One => {
                    cell = self.shift(cell, opposite);
                    i -= 1;
                }
                Times::Between(..) => {
                    let test = self.test(before)?;
                    let ahead = if i == 1 { anchors } else { self.test(stages[i - 2])? };
                    let one = i == 1 || matches!(stages[i - 2].item.times, Times::One);
                    if before.step != stages[i].step || !one || !self.apart(test, ahead) {
                        return unplanned("a landing that may be reached from several men");
                    }
                    let until = self.without(self.all(), test);
                    let (a, until) = (self.reg(cell), self.reg(until));
                    cell = Cells::In(self.set_op(|d| TreeOp::FirstOnRay { d, a, until, dir: opposite }));
                    if i == 1 {
                        return Ok(cell);
                    }
                    i -= 2;
                }
            }
        }
    }

    pub fn moved(&mut self, moved: Moved<'g>) -> Lowered<()> {
        let (from, to) = (moved.from, moved.to);
        let man = moved.man;
        let only = self.only(man).filter(|_| man.occupied);
        if let Some((slot, assigns)) = &moved.picked {
            self.record_facts(Cells::In(from), man);
            if !moved.told_by_arms {
                self.annotate(Annotation::Cell(from), None);
            }
            self.assign(*slot, Value::Cells(Cells::In(from)))?;
            self.sequence(assigns)?;
        }
        let mut caught = moved.caught;
        if moved.on_landing {
            caught = self.and(caught, Cells::In(to));
        }
        let caught = match caught {
            Cells::In(reg) if !self.changes(reg) => Some(reg),
            caught if caught == self.none() => None,
            caught => {
                let (known, copy) = (self.facts(caught), self.copied(caught));
                self.record_facts(Cells::In(copy), known);
                Some(copy)
            }
        };
        if !moved.told_by_arms {
            self.annotate(Annotation::Landing { cell: to, caught, sign: moved.sign }, moved.told);
        }
        if let Some(caught) = caught {
            self.catch(Cells::In(caught))?;
        }
        self.forget();
        if self.game.stacks {
            self.move_stack(&moved);
        } else {
            if moved.crowded {
                self.expect_nobody_else(to, from, moved.span);
            }
            self.emit(TreeOp::MovePiece { from, to, only });
        }
        let words = self.words;
        self.scope.still = false;
        self.record_move([from, to, moved.passed], moved.heading);
        if let Some(caught) = caught {
            self.emit(TreeOp::Or { d: words.caught, a: words.caught, b: caught });
        }
        self.emit(TreeOp::Acted);
        self.forget();
        if let Some(slot) = moved.follow {
            self.assign_with(slot, Value::Cells(Cells::In(to)), Cardinality::One)?;
            if let Value::Cells(Cells::In(home)) = self.local(slot) {
                let owners = if moved.bottom { u16::MAX } else { man.owners };
                self.record_facts(Cells::In(home), Facts { occupied: true, owners, ..Facts::NONE });
            }
        }
        Ok(())
    }

    /// Nobody stands on the cells.
    pub fn is_apart_from_men(&mut self, cells: Cells) -> bool {
        let occupied = self.occupied();
        self.apart(cells, occupied)
    }

    /// Men who land where others than themselves stand are a fault.
    pub fn expect_nobody_else(&mut self, to: SetReg, from: SetReg, span: Span) {
        let occupied = self.occupied();
        let others = self.without(occupied, Cells::In(from));
        let (of, place) = (self.reg(others), self.place(span));
        self.emit(TreeOp::FaultIfIntersects { cells: to, of, place });
    }

    /// What `origin`, `last`, `passed` and `heading` are behind a move.
    pub fn record_move(&mut self, [from, to, passed]: [SetReg; 3], heading: NumReg) {
        let words = self.words;
        self.emit(TreeOp::Copy { d: words.last, a: to });
        self.emit(TreeOp::Copy { d: words.origin, a: from });
        self.emit(TreeOp::Copy { d: words.passed, a: passed });
        self.emit(TreeOp::CopyNum { d: words.heading, a: heading });
    }
}
