//! Attack rays: ways that catch and the cells they catch on go in; the men that could catch there
//! come out. All ways are walked backwards together: what several have in common is done once, and
//! along all directions by one operation.

use smallvec::SmallVec;

use crate::model::Times;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::line::{Stage, Walk};
use crate::plan::lower::values::{Cells, Lowered, Num};
use crate::plan::op::TreeOp;

/// Directions that [`TreeOp::Sight`] has room for.
const DIRECTIONS: usize = 32;

/// One leg of a way walked backwards: steps along a direction, through a run if there is one, to
/// cells of the stage before.
#[derive(Clone, Copy, PartialEq)]
pub struct Leg {
    dir: u16,
    through: Option<Cells>,
    /// `None`: the anchor.
    test: Option<Cells>,
}

/// A way from a cell where it catches back to its anchor, and the men who have it.
pub struct LineOfSight {
    legs: SmallVec<[Leg; 4]>,
    men: Cells,
}

/// Directions that the same men look along.
struct Looks {
    through: Option<Cells>,
    dirs: u64,
    men: Vec<Cells>,
}

impl<'g> Lowering<'g> {
    /// A walk backwards from its last stage; `None`: it does not end there, or its runs have
    /// bounds.
    pub fn line_of_sight(&mut self, walk: &Walk<'g>, men: Cells) -> Lowered<Option<LineOfSight>> {
        let [others @ .., last] = walk.right.as_slice() else { return Ok(None) };
        let catches_before = others.iter().any(|stage| !stage.item.caught.is_empty());
        if self.game.topology.directions() > DIRECTIONS || !walk.left.is_empty() || catches_before {
            return Ok(None);
        }
        let mut legs = SmallVec::new();
        let (mut stage, mut before) = (*last, others);
        loop {
            if !matches!(stage.item.times, Times::One) {
                return Ok(None);
            }
            let dir = self.game.topology.opposite(stage.step).0;
            let mut through = None;
            if let [farther @ .., run] = before
                && !matches!(run.item.times, Times::One)
            {
                if run.step != stage.step || !self.is_free_run(run)? {
                    return Ok(None);
                }
                through = Some(self.test(*run)?);
                before = farther;
            }
            let [farther @ .., next] = before else {
                legs.push(Leg { dir, through, test: None });
                return Ok(Some(LineOfSight { legs, men }));
            };
            legs.push(Leg { dir, through, test: Some(self.test(*next)?) });
            (stage, before) = (*next, farther);
        }
    }

    /// A run of any length.
    fn is_free_run(&mut self, stage: &Stage<'g>) -> Lowered<bool> {
        let (Times::Between(from, None), None) = (&stage.item.times, stage.length) else { return Ok(false) };
        Ok(self.number(from)? == Num::Fixed(0))
    }

    /// The men from whom one of the ways leads to a cell of the set.
    pub fn seen_from(&mut self, cells: Cells, sights: Vec<LineOfSight>) -> Cells {
        let mut all = self.none();
        if cells == all {
            return all;
        }
        let mut looks: Vec<Looks> = Vec::new();
        let mut leaps: Vec<(Cells, Vec<(u16, u16)>)> = Vec::new();
        let mut groups: Vec<(Leg, Vec<LineOfSight>)> = Vec::new();
        for mut sight in sights {
            match sight.legs.as_slice() {
                [] => {}
                [last] => note_look(&mut looks, *last, sight.men),
                [Leg { dir: a, through: None, test: Some(test) }, Leg { dir: b, through: None, test: None }]
                    if *test == self.all() && self.single_hop(*a).is_some() && self.single_hop(*b).is_some() =>
                {
                    match leaps.iter_mut().find(|(men, _)| *men == sight.men) {
                        Some((_, pairs)) => pairs.push((*a, *b)),
                        None => leaps.push((sight.men, vec![(*a, *b)])),
                    }
                }
                [..] => {
                    let first = sight.legs.remove(0);
                    match groups.iter_mut().find(|(known, _)| *known == first) {
                        Some((_, sights)) => sights.push(sight),
                        None => groups.push((first, vec![sight])),
                    }
                }
            }
        }
        for Looks { through, dirs, men } in looks {
            let seen = self.look(cells, through, dirs);
            all = self.or_of(all, seen, men);
        }
        for (men, pairs) in leaps {
            let seen = self.leapt(cells, &pairs);
            all = self.or_of(all, seen, vec![men]);
        }
        for (leg, sights) in groups {
            let seen = self.look(cells, leg.through, 1 << leg.dir);
            let ends = self.narrowed(seen, leg.test);
            let found = self.seen_from(ends, sights);
            all = self.or(all, found);
        }
        all
    }

    fn or_of(&mut self, all: Cells, seen: Cells, men: Vec<Cells>) -> Cells {
        let men = men.into_iter().fold(self.none(), |all, men| self.or(all, men));
        let found = self.and(seen, men);
        self.or(all, found)
    }

    /// The cells that lines along some directions come to.
    fn look(&mut self, from: Cells, through: Option<Cells>, dirs: u64) -> Cells {
        match through {
            None if dirs.is_power_of_two() => self.shift(from, dirs.trailing_zeros() as u16),
            None => self.around(from, Num::Fixed(dirs as i64)),
            Some(through) => {
                let (a, through, dirs) = (self.reg(from), self.reg(through), dirs as u32);
                Cells::In(self.set_op(|d| TreeOp::SlidingReach { d, a, through, dirs }))
            }
        }
    }

    /// The hop of a direction whose steps are all alike.
    fn single_hop(&self, dir: u16) -> Option<u16> {
        match self.grid.dirs[usize::from(dir)].as_slice() {
            [hop] => Some(*hop),
            _ => None,
        }
    }

    /// The cells that pairs of steps lead to.
    fn leapt(&mut self, from: Cells, pairs: &[(u16, u16)]) -> Cells {
        let mut hops: SmallVec<[u16; 2]> = SmallVec::new();
        for &(a, b) in pairs {
            if let (Some(a), Some(b)) = (self.single_hop(a), self.single_hop(b)) {
                let hop = self.grid.hops[usize::from(a)].then(&self.grid.hops[usize::from(b)]);
                let hop = self.grid.hop(hop);
                if !hops.contains(&hop) {
                    hops.push(hop);
                }
            }
        }
        let (a, along) = (self.reg(from), self.along_hops(hops));
        Cells::In(self.set_op(|d| TreeOp::Neighbors { d, a, along }))
    }
}

fn note_look(looks: &mut Vec<Looks>, Leg { dir, through, .. }: Leg, men: Cells) {
    let bit = 1 << dir;
    let known = looks.iter().position(|look| look.through == through && look.dirs & bit != 0);
    let mut all = match known {
        Some(at) => {
            looks[at].dirs &= !bit;
            looks[at].men.clone()
        }
        None => Vec::new(),
    };
    looks.retain(|look| look.dirs != 0);
    if !all.contains(&men) {
        all.push(men);
    }
    match looks.iter_mut().find(|look| look.through == through && look.men == all) {
        Some(look) => look.dirs |= bit,
        None => looks.push(Looks { through, dirs: bit, men: all }),
    }
}
