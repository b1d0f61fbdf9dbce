//! Reverse attack generation: the cells of `attacked(S)` go in; the men that could catch there come
//! out, found by walking every way that catches backwards.

use crate::board::{Kind, Player};
use crate::model;
use crate::model::Times;

use crate::plan::lower::attack_rays::LineOfSight;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::line::{Stage, Walk};
use crate::plan::lower::values::{Cells, Lowered, Num, unplanned};

impl<'g> Lowering<'g> {
    /// Some cell of the set is attacked: a man there by the enemies of his owner, an empty cell by
    /// those of the player concerned.
    pub fn attacked(&mut self, cells: Cells) -> Lowered<Num> {
        self.expect_tops()?;
        let outer = self.scope.own;
        let mut any = Num::Fixed(0);
        for owner in self.game.players() {
            let owned = Cells::In(self.layout.of[owner.index()]);
            let mut targets = if self.apart(cells, owned) { self.none() } else { self.and(cells, owned) };
            if owner == outer {
                let empty = self.empty();
                if !self.apart(cells, empty) {
                    let thought = self.and(cells, empty);
                    targets = self.or(targets, thought);
                }
            }
            if targets == self.none() {
                continue;
            }
            for enemy in self.game.enemies(owner).iter() {
                self.scope.own = enemy;
                let attackers = self.attackers(enemy, targets, owner);
                self.scope.own = outer;
                let attackers = attackers?;
                let some = self.some_cells(attackers);
                any = self.either(any, some);
            }
        }
        Ok(any)
    }

    /// Men of a player that could catch a man on one of the targets. Ways that kinds have in common
    /// are walked once.
    fn attackers(&mut self, enemy: Player, targets: Cells, owner: Player) -> Lowered<Cells> {
        let mut all = self.none();
        let mut ways: Vec<(usize, Kind, &'g model::Way, Cells)> = Vec::new();
        for kind in (0..self.game.kinds.len() as u8).map(Kind) {
            for (number, way) in self.game.kind(kind).ways.iter().enumerate() {
                if !way.line.paths.iter().any(|path| path.catches) {
                    continue;
                }
                let mine = Cells::In(self.layout.of[enemy.index()]);
                let men = self.men_of_kind(mine, kind);
                let men = self.way_anchors(kind, way, men)?;
                let key = self.ways[kind.index()][number];
                match ways.iter().position(|(known, ..)| *known == key) {
                    Some(at) => ways[at].3 = self.or(ways[at].3, men),
                    None => ways.push((key, kind, way, men)),
                }
            }
        }
        let mut sights: Vec<(Cells, Vec<LineOfSight>)> = Vec::new();
        for (_, kind, way, men) in ways {
            let found = self.in_description(kind, |lowering| {
                let mut found = lowering.none();
                for (walk, open) in lowering.walks(&way.line)? {
                    if let (Num::Fixed(1), Some(sight)) = (open, lowering.line_of_sight(&walk, men)?)
                        && let [.., last] = walk.right.as_slice()
                    {
                        let from = lowering.takes(*last, targets, owner)?;
                        match sights.iter_mut().find(|(known, _)| *known == from) {
                            Some((_, sights)) => sights.push(sight),
                            None => sights.push((from, vec![sight])),
                        }
                        continue;
                    }
                    let anchors = lowering.catchers(&walk, targets, owner)?;
                    let anchors = lowering.keep(anchors, open);
                    found = lowering.or(found, anchors);
                }
                Ok(found)
            })?;
            let found = self.and(found, men);
            all = self.or(all, found);
        }
        for (from, sights) in sights {
            let found = self.seen_from(from, sights);
            all = self.or(all, found);
        }
        Ok(all)
    }

    /// The anchors from which a walk catches a man of `owner` on one of the targets.
    fn catchers(&mut self, walk: &Walk<'g>, targets: Cells, owner: Player) -> Lowered<Cells> {
        let mut all = self.none();
        for left in [false, true] {
            let stages = walk.side(left).to_vec();
            for (i, &stage) in stages.iter().enumerate().filter(|(_, stage)| !stage.item.caught.is_empty()) {
                if !matches!(stage.item.times, Times::One) {
                    return unplanned("an attack on one of a row");
                }
                let taken = self.takes(stage, targets, owner)?;
                let rest = self.rests(&stages, i + 1)?;
                let mut cells = self.narrowed(taken, rest);
                cells = self.before(cells, &stages, i)?;
                let other = self.rests(walk.side(!left), 0)?;
                let cells = self.narrowed(cells, other);
                all = self.or(all, cells);
            }
        }
        Ok(all)
    }

    /// The anchors whose stages before `i` match and lead to one of the cells at stage `i`.
    fn before(&mut self, cells: Cells, stages: &[Stage<'g>], i: usize) -> Lowered<Cells> {
        let back = |lowering: &mut Self, cells, stage: Stage<'g>| {
            let opposite = lowering.game.topology.opposite(stage.step).0;
            lowering.shift(cells, opposite)
        };
        let mut at = back(self, cells, stages[i]);
        for &stage in stages[..i].iter().rev() {
            at = self.rest_of(at, stage)?;
        }
        Ok(at)
    }

    /// Of the targets, those that the stage would catch if a man of `owner` stood there.
    fn takes(&mut self, stage: Stage<'g>, targets: Cells, owner: Player) -> Lowered<Cells> {
        let test = self.thought(&stage.item.test, targets, owner)?;
        let mut caught = self.none();
        for set in &stage.item.caught {
            let set = self.thought(set, targets, owner)?;
            caught = self.or(caught, set);
        }
        let both = self.and(test, caught);
        Ok(self.and(both, targets))
    }

    /// The targets that a set holds, each thought to have a man of `owner` (where it is empty: of
    /// no kind).
    fn thought(&mut self, cells: &'g model::Cells, targets: Cells, owner: Player) -> Lowered<Cells> {
        use model::Cells as C;
        Ok(match cells {
            C::Of(players) => {
                let players = self.players(players)?;
                if players >> owner.0 & 1 == 1 { targets } else { self.none() }
            }
            C::Empty => self.none(),
            C::Occupied => targets,
            C::Neutral => self.none(),
            C::Not(inner) => {
                let inner = self.thought(inner, targets, owner)?;
                self.without(targets, inner)
            }
            C::And(all) => {
                let mut held = targets;
                for set in all {
                    let set = self.thought(set, targets, owner)?;
                    held = self.and(held, set);
                }
                held
            }
            C::Or(any) => {
                let mut held = self.none();
                for set in any {
                    let set = self.thought(set, targets, owner)?;
                    held = self.or(held, set);
                }
                held
            }
            C::Call(call) => self.call(call, |lowering, body| match body {
                model::Expr::Cells(cells) => lowering.thought(cells, targets, owner),
                _ => unplanned("an attack on this set"),
            })?,
            // What does not ask whose men stand where is the same whoever is thought to stand
            // there.
            C::Fixed(_) | C::Band { .. } | C::LastRow | C::Kind(_) | C::State(..) | C::Local(_) => {
                let set = self.cells(cells)?;
                if self.apart(set, targets) { self.none() } else { self.and(set, targets) }
            }
            _ => return unplanned("an attack on this set"),
        })
    }
}
