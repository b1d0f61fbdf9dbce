//! Stopped walks: a line, an anchor and the cell that it should lead to go in; where each of its
//! paths stops on the way there comes out.

use smallvec::SmallVec;

use crate::board::{Cell, Dir};
use crate::model::{Line, Path, Way};
use crate::position::{Fault, NO_KIND, Value};
use crate::source::Span;

use crate::reference::Machine;
use crate::reference::observe::{Asked, Valued};
use crate::reference::pattern::Stage;

/// Why a path does not lead to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It does lead there.
    Fits,
    /// A condition around the way does not hold.
    Condition,
    /// No direction and length of it ends there.
    Elsewhere,
    /// This cell on the way is not what the item of this number asks: see [`crate::model::Notes::items`].
    Cell { cell: Cell, item: usize },
    /// The board ends where the item of this number wants a cell.
    Edge { item: usize },
    /// It leads there and catches nothing, and a capture is wanted.
    CatchesNothing,
}

/// A path of a way or line, and why it does not lead to a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The way, or the line of a `move`.
    pub line: Span,
    pub path: Span,
    /// The directions of its legs; none if it goes elsewhere.
    pub dirs: SmallVec<[Dir; 4]>,
    pub cause: Cause,
    /// The expressions in the test or the condition that stops it, with their values there.
    pub values: Vec<Valued>,
}

/// Steps that are tried for one path and direction: enough for five runs of cells on a large board.
const MOST_STEPS: u32 = 50_000;
/// Items of a path that are looked at.
const MOST_ITEMS: usize = 32;

/// One way to spread a path over the board.
#[derive(Clone, Copy)]
struct Spread {
    /// The last cell of each side of the anchor.
    left: Cell,
    right: Cell,
    /// Cells so far that match.
    matched: usize,
    cause: Cause,
    landed: bool,
}

/// What is the same for all ways to spread it.
struct Aim<'g, 'a> {
    stages: &'a [Stage<'g>],
    before: usize,
    target: Cell,
    steps: u32,
    /// The one that goes farthest.
    best: Option<(usize, Cause)>,
}

impl<'g> Machine<'g, '_> {
    /// Those of all ways of the man on a cell.
    pub fn stops_of_ways(&mut self, anchor: Cell, target: Cell, capture: bool) -> Result<Vec<Stop>, Fault> {
        let Some(man) = self.position.top(anchor).filter(|man| man.kind != NO_KIND) else { return Ok(Vec::new()) };
        let kind = self.game.kind(man.kind);
        let (outer, start) = (self.run.context, self.run.locals.len());
        self.run.locals.resize(start + kind.frame, Value::Truth(false));
        self.run.context.own = man.owner.unwrap_or(outer.own);
        (self.run.context.base, self.run.context.here, self.run.context.walking) = (start, Some(anchor), None);
        let mut all = Vec::new();
        let mut result = Ok(());
        for way in &kind.ways {
            let found = self.failing_condition(way).and_then(|failing| {
                let mut stops = self.stops_of_line(&way.line, way.span, anchor, target, capture)?;
                let Some(failing) = failing else { return Ok(stops) };
                for stop in stops.iter_mut().filter(|stop| stop.cause != Cause::Elsewhere) {
                    stop.cause = Cause::Condition;
                    let notes = self.game.notes.as_ref();
                    let parts = notes.map_or(&[][..], |notes| notes.condition(way.span, failing));
                    stop.values = self.valued(parts, Asked::Nothing, 0);
                }
                Ok(stops)
            });
            match found {
                Ok(stops) => all.extend(stops),
                Err(fault) => result = Err(fault),
            }
        }
        self.run.context = outer;
        self.run.locals.truncate(start);
        result.map(|()| all)
    }

    /// The first condition around a way that is not as it must be.
    fn failing_condition(&mut self, way: &'g Way) -> Result<Option<usize>, Fault> {
        for (at, (condition, wanted)) in way.conditions.iter().enumerate() {
            if self.truth(condition)? != *wanted {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// What stands in the test that a path stops at.
    fn values_of_test(&mut self, path: &'g Path, stop: &Stop) -> Vec<Valued> {
        let Cause::Cell { cell, item } = stop.cause else { return Vec::new() };
        let Some(heading) = self.stages(path, &stop.dirs).get(item).map(|stage| stage.heading) else {
            return Vec::new();
        };
        let noted = self.game.notes.as_ref().and_then(|notes| notes.item(path.span, item));
        self.run.context.walking = Some(heading);
        noted.map_or(Vec::new(), |item| self.valued(&item.parts, Asked::Test(cell), 0))
    }

    /// Those of the paths of a line.
    pub fn stops_of_line(
        &mut self,
        line: &'g Line,
        span: Span,
        anchor: Cell,
        target: Cell,
        capture: bool,
    ) -> Result<Vec<Stop>, Fault> {
        let dirs = self.dirs(&line.dirs)?;
        let outer = self.run.context.walking;
        let mut stops = Vec::new();
        for path in line.paths.iter().filter(|path| path.lands) {
            let mut best: Option<(usize, Stop)> = None;
            for dir in dirs.iter() {
                for turns in self.turnings(path, dir)? {
                    let found = self.spread(path, anchor, target, &turns)?;
                    self.run.context.walking = outer;
                    let Some((matched, cause)) = found else { continue };
                    if best.as_ref().is_none_or(|(most, _)| matched > *most) {
                        best = Some((
                            matched,
                            Stop { line: span, path: path.span, dirs: turns, cause, values: Vec::new() },
                        ));
                    }
                }
            }
            let elsewhere = || Stop {
                line: span,
                path: path.span,
                dirs: SmallVec::new(),
                cause: Cause::Elsewhere,
                values: Vec::new(),
            };
            let mut stop = best.map_or_else(elsewhere, |(_, stop)| stop);
            if stop.cause == Cause::Fits && capture && !path.catches {
                stop.cause = Cause::CatchesNothing;
            }
            stop.values = self.values_of_test(path, &stop);
            self.run.context.walking = outer;
            stops.push(stop);
        }
        self.run.context.walking = outer;
        Ok(stops)
    }

    /// Of all ways to spread a path so that it lands on the target, the one whose cells match
    /// farthest.
    fn spread(
        &mut self,
        path: &'g Path,
        anchor: Cell,
        target: Cell,
        turns: &[Dir],
    ) -> Result<Option<(usize, Cause)>, Fault> {
        let stages = self.stages(path, turns);
        if stages.len() > MOST_ITEMS {
            return Ok(None);
        }
        let mut aim = Aim { stages: &stages, before: path.before.len(), target, steps: 0, best: None };
        let start = Spread { left: anchor, right: anchor, matched: 0, cause: Cause::Fits, landed: false };
        self.spread_from(&mut aim, 0, start)?;
        Ok(aim.best)
    }

    fn spread_from(&mut self, aim: &mut Aim<'g, '_>, item: usize, from: Spread) -> Result<(), Fault> {
        let Some(stage) = aim.stages.get(item) else {
            if from.landed {
                aim.offer(from.matched, from.cause);
            }
            return Ok(());
        };
        let Some((least, most)) = self.bounds(&stage.item.times)? else { return Ok(()) };
        let (is_left, step, heading, test, lands) =
            (item < aim.before, stage.step, stage.heading, &stage.item.test, stage.item.lands);
        let mut spread = from;
        for taken in 0..=most {
            aim.steps += 1;
            if aim.steps > MOST_STEPS {
                return Ok(());
            }
            if taken >= least {
                self.spread_from(aim, item + 1, spread)?;
            }
            if taken == most {
                return Ok(());
            }
            let last = if is_left { &mut spread.left } else { &mut spread.right };
            let Some(next) = self.game.topology.step(*last, step) else {
                if taken < least && spread.landed && spread.cause == Cause::Fits {
                    aim.offer(spread.matched, Cause::Edge { item });
                }
                return Ok(());
            };
            *last = next;
            if lands && next != aim.target {
                return Ok(());
            }
            spread.landed |= lands;
            if spread.cause == Cause::Fits {
                self.run.context.walking = Some(heading);
                if self.holds(test, next)? {
                    spread.matched += 1;
                } else {
                    spread.cause = Cause::Cell { cell: next, item };
                }
            }
        }
        Ok(())
    }
}

impl Aim<'_, '_> {
    fn offer(&mut self, matched: usize, cause: Cause) {
        // What fits is best; else what matches farthest.
        let rank = |matched: usize, cause: Cause| if cause == Cause::Fits { usize::MAX } else { matched };
        if self.best.is_none_or(|(most, best)| rank(matched, cause) > rank(most, best)) {
            self.best = Some((rank(matched, cause), cause));
        }
    }
}
