//! Pattern matching: a line pattern and an anchor go in; its matches come out, in the order of the
//! language.

use smallvec::{SmallVec, smallvec};

use crate::board::{Cell, CellSet, Dir};
use crate::model::{Item, Line, Path, Times};
use crate::position::Fault;

use crate::reference::Machine;
use crate::reference::run::Match;

/// One item with the direction it is walked in.
pub struct Stage<'g> {
    pub item: &'g Item,
    /// From cell to cell.
    pub step: Dir,
    /// What `heading` says meanwhile.
    pub heading: Dir,
    /// The stretch of the path it belongs to: 0 left of the anchor, 1 right of it, then the
    /// turnings.
    leg: usize,
}

/// The cells that an item has taken begin there among the walked; it takes at least so many.
struct Taken {
    start: usize,
    least: usize,
}

/// A walk along one path in given directions.
struct Walk<'g> {
    path: &'g Path,
    number: u32,
    anchor: Cell,
    stages: SmallVec<[Stage<'g>; 8]>,
    taken: SmallVec<[Taken; 8]>,
    /// Where the walked cells of this walk begin, and those right of the anchor.
    base: usize,
    side: usize,
    /// The stage after those left of the anchor.
    right: usize,
    entered_right: bool,
    landing: Option<usize>,
    seen: CellSet,
    turns: SmallVec<[Dir; 4]>,
    wanted: Option<Cell>,
}

impl<'g> Machine<'g, '_> {
    /// Adds the matches of a line anchored at a cell to the list of matches. `wanted`: only those
    /// that catch that cell.
    pub fn find_matches(&mut self, line: &'g Line, anchor: Cell, wanted: Option<Cell>) -> Result<(), Fault> {
        let dirs = self.dirs(&line.dirs)?;
        let outer = self.run.context.walking;
        for (number, path) in line.paths.iter().enumerate() {
            if wanted.is_some() && !path.catches {
                continue;
            }
            for dir in dirs.iter() {
                for turns in self.turnings(path, dir)? {
                    self.walk(path, number as u32, anchor, turns, wanted)?;
                }
                self.run.context.walking = outer;
            }
        }
        Ok(())
    }

    /// The directions of a path's legs that begin with `dir`, in order.
    pub fn turnings(&mut self, path: &'g Path, dir: Dir) -> Result<SmallVec<[SmallVec<[Dir; 4]>; 1]>, Fault> {
        let mut all: SmallVec<[SmallVec<[Dir; 4]>; 1]> = smallvec![smallvec![dir]];
        for leg in &path.turnings {
            let mut longer = SmallVec::new();
            for turns in all {
                self.run.context.walking = turns.last().copied();
                for next in self.dirs(&leg.dirs)?.iter() {
                    self.work(1)?;
                    let mut turns = turns.clone();
                    turns.push(next);
                    longer.push(turns);
                }
            }
            all = longer;
        }
        Ok(all)
    }

    fn walk(
        &mut self,
        path: &'g Path,
        number: u32,
        anchor: Cell,
        turns: SmallVec<[Dir; 4]>,
        wanted: Option<Cell>,
    ) -> Result<(), Fault> {
        let stages = self.stages(path, &turns);
        let base = self.run.walked.len();
        let mut walk = Walk {
            path,
            number,
            anchor,
            landing: stages.iter().position(|stage| stage.item.lands),
            stages,
            taken: SmallVec::new(),
            base,
            side: base,
            right: path.before.len(),
            entered_right: false,
            seen: CellSet::EMPTY,
            turns,
            wanted,
        };
        self.search_walk(&mut walk)?;
        self.run.walked.truncate(base);
        Ok(())
    }

    pub fn stages(&self, path: &'g Path, turns: &[Dir]) -> SmallVec<[Stage<'g>; 8]> {
        let heading = turns[0];
        let back = self.game.topology.opposite(heading);
        let before = path.before.iter().map(|item| Stage { item, step: back, heading, leg: 0 });
        let after = path.after.iter().map(|item| Stage { item, step: heading, heading, leg: 1 });
        let mut stages: SmallVec<[Stage<'g>; 8]> = before.chain(after).collect();
        for (i, (leg, &dir)) in path.turnings.iter().zip(&turns[1..]).enumerate() {
            stages.extend(leg.items.iter().map(|item| Stage { item, step: dir, heading: dir, leg: i + 2 }));
        }
        stages
    }

    /// Every item takes as many cells as it can, the nearest first, and gives back only if the rest
    /// fails.
    fn search_walk(&mut self, walk: &mut Walk<'g>) -> Result<(), Fault> {
        let mut failed = false;
        loop {
            self.work(1)?;
            if failed {
                failed = match self.give_back(walk) {
                    Some(still) => still,
                    None => return Ok(()),
                };
            } else if walk.taken.len() < walk.stages.len() {
                failed = !self.take_cells(walk)?;
            } else {
                self.record(walk)?;
                let Some(landing) = walk.landing else { return Ok(()) };
                // What lies behind the landing has been matched once: that is enough for this
                // landing.
                walk.taken.truncate(landing + 1);
                self.run.walked.truncate(walk.taken[landing].start + 1);
                walk.entered_right &= landing >= walk.right;
                failed = true;
            }
        }
    }

    /// Lets the last item that took cells give one back: whether it could not. `None`: nothing is
    /// left to try.
    fn give_back(&mut self, walk: &mut Walk<'g>) -> Option<bool> {
        // Both sides of the anchor are matched apart: what fails on the right cannot be mended on
        // the left.
        if walk.entered_right && walk.taken.len() <= walk.right {
            return None;
        }
        let last = walk.taken.last()?;
        if self.run.walked.len() - last.start > last.least {
            self.run.walked.pop();
            return Some(false);
        }
        self.run.walked.truncate(last.start);
        walk.taken.pop();
        Some(true)
    }

    /// Lets the next item take as many cells as it can: whether they are enough.
    fn take_cells(&mut self, walk: &mut Walk<'g>) -> Result<bool, Fault> {
        let index = walk.taken.len();
        let stage = &walk.stages[index];
        if index >= walk.right && !walk.entered_right {
            walk.entered_right = true;
            walk.side = self.run.walked.len();
        }
        self.run.context.walking = Some(stage.heading);
        let side = if index < walk.right { walk.base } else { walk.side };
        let Some((least, most)) = self.bounds(&stage.item.times)? else { return Ok(false) };
        let start = self.run.walked.len();
        let mut current = self.run.walked[side..].last().copied().unwrap_or(walk.anchor);
        while self.run.walked.len() - start < most {
            let Some(next) = self.game.topology.step(current, stage.step) else { break };
            if !self.holds(&stage.item.test, next)? {
                break;
            }
            self.run.walked.push(next);
            current = next;
        }
        if self.run.walked.len() - start < least {
            self.run.walked.truncate(start);
            return Ok(false);
        }
        walk.taken.push(Taken { start, least });
        Ok(true)
    }

    /// How many cells an item takes, at least and at most; `None`: it never matches.
    pub fn bounds(&mut self, times: &'g Times) -> Result<Option<(usize, usize)>, Fault> {
        let Times::Between(least, most) = times else { return Ok(Some((1, 1))) };
        let least = self.number(least)?;
        // A line that comes back to its start is walked once round.
        let whole = self.game.topology.len();
        let most = match most {
            Some(most) => self.number(most)?.min(whole as i64),
            None => whole as i64,
        };
        Ok((0 <= least && least <= most).then_some((least as usize, most as usize)))
    }

    /// The walk has come to its end: a match, unless its landing has one.
    fn record(&mut self, walk: &mut Walk<'g>) -> Result<(), Fault> {
        let landing = walk.landing.map(|stage| self.run.walked[walk.taken[stage].start]);
        if let Some(cell) = landing {
            if walk.seen.contains(cell) {
                return Ok(());
            }
            walk.seen.insert(cell);
        }
        if walk.wanted.is_some_and(|cell| !self.run.walked[walk.base..].contains(&cell)) {
            return Ok(());
        }
        let caught = if walk.path.catches { self.caught_on(walk)? } else { CellSet::EMPTY };
        if walk.wanted.is_some_and(|cell| !caught.contains(cell)) {
            return Ok(());
        }
        let (passed, distance) = self.way_to_landing(walk);
        let left = walk.landing.is_some_and(|stage| stage < walk.right) && walk.turns.len() == 1;
        let last = walk.turns.last().copied();
        let heading = if left { last.map(|dir| self.game.topology.opposite(dir)) } else { last };
        let moves = self.run.moves.len() as u32;
        self.run.moves.extend(landing.map(|cell| (walk.anchor, cell)));
        self.run.matches.push(Match {
            moves: (moves, self.run.moves.len() as u32),
            landing,
            caught,
            passed,
            heading,
            sign: walk.path.sign,
            branch: walk.path.branch,
            path: walk.number,
            turns: walk.turns.clone(),
            distance,
        });
        Ok(())
    }

    fn caught_on(&mut self, walk: &Walk<'g>) -> Result<CellSet, Fault> {
        let mut caught = CellSet::EMPTY;
        for (i, stage) in walk.stages.iter().enumerate().filter(|(_, stage)| !stage.item.caught.is_empty()) {
            self.run.context.walking = Some(stage.heading);
            let end = walk.taken.get(i + 1).map_or(self.run.walked.len(), |next| next.start);
            for at in walk.taken[i].start..end {
                let cell = self.run.walked[at];
                for set in &stage.item.caught {
                    if self.holds(set, cell)? {
                        caught.insert(cell);
                    }
                }
            }
        }
        Ok(caught)
    }

    /// The cells between anchor and landing, and a number that says how many steps each leg has up
    /// to the landing.
    fn way_to_landing(&self, walk: &Walk<'g>) -> (CellSet, u64) {
        let Some(landing) = walk.landing else { return (CellSet::EMPTY, 0) };
        let side = if landing < walk.right { walk.base } else { walk.side };
        let end = walk.taken[landing].start;
        let passed = self.run.walked[side..end].iter().copied().collect();
        let mut distance = 1u64;
        let first = if landing < walk.right { 0 } else { walk.right };
        for stage in first..=landing {
            let stop = if stage == landing { end + 1 } else { walk.taken[stage + 1].start };
            let turned = stage > first && walk.stages[stage].leg != walk.stages[stage - 1].leg;
            distance = distance
                .wrapping_mul(if turned { 2048 } else { 1 })
                .wrapping_add((stop - walk.taken[stage].start) as u64);
        }
        (passed, distance)
    }
}
