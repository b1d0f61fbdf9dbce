//! Reverse attack generation: the cells of `attacked(S)` go in; the men that could catch there come
//! out, found by walking every way that catches backwards.

use std::rc::Rc;

use crate::board::{Kind, Player};
use crate::model;
use crate::model::Times;

use crate::plan::lower::attack_rays::LineOfSight;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::line::{Run, Stage, Walk};
use crate::plan::lower::values::{Cells, Lowered, Num, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::tree::KindSet;

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
                let attackers = self.as_player(enemy, |lowering| lowering.attackers(enemy, targets, owner))?;
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
                if !self.facts(targets).occupied && self.way_asks_elsewhere(kind, way, owner)? {
                    // Those on which a man is thought to stand, each by itself, and those on which one does.
                    let (occupied, empty) = (self.occupied(), self.empty());
                    let (thought, there) = (self.and(targets, empty), self.and(targets, occupied));
                    let found = self.union_over(thought, |lowering, cell| {
                        lowering.imagine(cell, owner, |lowering| {
                            let men = lowering.men_on_way(enemy, kind, way)?;
                            lowering.catchers_by_way((kind, way), men, cell, owner)
                        })
                    })?;
                    all = self.or(all, found);
                    let men = self.men_on_way(enemy, kind, way)?;
                    let found = self.catchers_by_way((kind, way), men, there, owner)?;
                    all = self.or(all, found);
                    continue;
                }
                let men = self.men_on_way(enemy, kind, way)?;
                if self.asks_here(kind, way) {
                    let found = self.catchers_by_way((kind, way), men, targets, owner)?;
                    all = self.or(all, found);
                    continue;
                }
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
                    let anchors = lowering.catchers(&walk, men, targets, owner)?;
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

    /// The men of a player and a kind for whom the conditions of a way hold.
    fn men_on_way(&mut self, player: Player, kind: Kind, way: &'g model::Way) -> Lowered<Cells> {
        let mine = Cells::In(self.layout.of[player.index()]);
        let men = self.men_of_kind(mine, kind);
        self.way_anchors(kind, way, men)
    }

    /// The men whose way catches a man of `owner` on one of the targets.
    fn catchers_by_way(
        &mut self,
        (kind, way): (Kind, &'g model::Way),
        men: Cells,
        targets: Cells,
        owner: Player,
    ) -> Lowered<Cells> {
        let of_some = |lowering: &mut Self, men| {
            lowering.in_description(kind, |lowering| {
                let mut found = lowering.none();
                for (walk, open) in lowering.walks(&way.line)? {
                    let anchors = lowering.catchers(&walk, men, targets, owner)?;
                    let anchors = lowering.keep(anchors, open);
                    found = lowering.or(found, anchors);
                }
                Ok(lowering.and(found, men))
            })
        };
        match self.asks_here(kind, way) {
            true => self.union_over(men, |lowering, man| lowering.at(man, |lowering| of_some(lowering, man))),
            false => of_some(self, men),
        }
    }

    /// The anchors from which a walk catches a man of `owner` on one of the targets.
    fn catchers(&mut self, walk: &Walk<'g>, men: Cells, targets: Cells, owner: Player) -> Lowered<Cells> {
        let mut all = self.none();
        let catches_run = |stage: &Stage<'g>| !stage.item.caught.is_empty() && !matches!(stage.item.times, Times::One);
        let mut in_one_way = !walk.left.iter().chain(&walk.right).any(catches_run);
        for left in [false, true] {
            let landing = walk.landing().filter(|at| at.left == left).map(|at| at.stage);
            in_one_way = in_one_way && self.catches_in_one_way(walk.side(left), landing)?;
        }
        if !in_one_way {
            return self.catchers_one_by_one(walk, men, targets, owner);
        }
        for left in [false, true] {
            let stages = walk.side(left).to_vec();
            for (i, &stage) in stages.iter().enumerate().filter(|(_, stage)| !stage.item.caught.is_empty()) {
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

    /// The same, man by man; and cell by cell, where a man is thought to stand on an empty one.
    fn catchers_one_by_one(&mut self, walk: &Walk<'g>, men: Cells, targets: Cells, owner: Player) -> Lowered<Cells> {
        let hitting = |lowering: &mut Self, targets| {
            lowering.union_over(men, |lowering, man| {
                let caught = lowering.caught(walk, man, None)?;
                let hit = lowering.and(caught, targets);
                let hits = lowering.some_cells(hit);
                Ok(lowering.keep(man, hits))
            })
        };
        let (occupied, empty) = (self.occupied(), self.empty());
        let mut all = self.none();
        if !self.apart(targets, occupied) {
            let there = self.and(targets, occupied);
            all = hitting(self, there)?;
        }
        if !self.apart(targets, empty) {
            let thought = self.and(targets, empty);
            let found = self.union_over(thought, |lowering, cell| {
                lowering.imagine(cell, owner, |lowering| hitting(lowering, cell))
            })?;
            all = self.or(all, found);
        }
        Ok(all)
    }

    /// Lowers as if a man of no kind stood on an empty cell.
    fn imagine<T>(&mut self, cell: Cells, owner: Player, body: impl FnOnce(&mut Self) -> T) -> T {
        let owned = self.owned();
        let owned = self.reg(owned);
        let mut layout = self.layout.clone();
        for kind in layout.kinds.iter_mut().filter(|kind| matches!(kind, KindSet::AllOwned)) {
            *kind = KindSet::Register(owned);
        }
        let of = &mut layout.of[owner.index()];
        let (facts, known) = (self.facts(Cells::In(*of)), Rc::clone(self.known.facts()));
        // What is known to be empty may hold the cell.
        self.known.facts_mut().values_mut().for_each(|facts| facts.empty = false);
        let b = self.reg(cell);
        let d = self.set_op(|d| TreeOp::Or { d, a: *of, b });
        self.record_facts(Cells::In(d), facts);
        self.record_facts(cell, facts);
        *of = d;
        let standing = std::mem::replace(&mut self.layout, layout);
        let result = body(self);
        self.layout = standing;
        self.known.set_facts(known);
        result
    }

    /// Whether a man who is thought to stand on an empty cell changes more of a way than what the way finds on that cell:
    /// what it asks of other cells, or whether it is open.
    fn way_asks_elsewhere(&mut self, kind: Kind, way: &'g model::Way, owner: Player) -> Lowered<bool> {
        if !way.conditions.is_empty() {
            // Common subexpressions have one register: a condition that has another asks where men stand.
            let (spot, all, cell) = (self.spot(), self.all(), Cells::In(self.fresh.set()));
            let open = self.way_anchors(kind, way, all);
            let imagined = self.imagine(cell, owner, |lowering| lowering.way_anchors(kind, way, all));
            self.back_to(spot);
            if imagined? != open? {
                return Ok(true);
            }
        }
        if self.line_asks_men(kind, way, owner)? {
            return Ok(true);
        }
        let mut sets = Vec::new();
        for path in &way.line.paths {
            let items = path.before.iter().chain(&path.after).chain(path.turnings.iter().flat_map(|leg| &leg.items));
            for item in items {
                sets.extend(std::iter::once(&item.test).chain(&item.caught));
            }
        }
        self.in_description(kind, |lowering| {
            for set in sets {
                if lowering.asks_elsewhere(set)? {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Whether the directions of a way, or the lengths of its runs, rest on who stands where.
    fn line_asks_men(&mut self, kind: Kind, way: &'g model::Way, owner: Player) -> Lowered<bool> {
        let spot = self.spot();
        let (man, cell) = (Cells::In(self.fresh.set()), Cells::In(self.fresh.set()));
        let numbers = |lowering: &mut Self| {
            lowering.at(man, |lowering| lowering.in_description(kind, |lowering| lowering.numbers_of(&way.line)))
        };
        let standing = numbers(self);
        let is_fixed = |numbers: &Vec<Num>| numbers.iter().all(|number| matches!(number, Num::Fixed(_)));
        let imagined = match &standing {
            Ok(numbers) if is_fixed(numbers) => standing.clone(),
            _ => self.imagine(cell, owner, numbers),
        };
        self.back_to(spot);
        Ok(standing? != imagined?)
    }

    /// What of a line is known only at play: a number for each of its walks, and one for each length of a run.
    fn numbers_of(&mut self, line: &'g model::Line) -> Lowered<Vec<Num>> {
        let mut numbers = Vec::new();
        for (walk, open) in self.walks(line)? {
            numbers.push(open);
            for stage in walk.left.iter().chain(&walk.right) {
                if let Run::Exactly(length) = self.run(*stage)? {
                    numbers.push(length);
                }
            }
        }
        Ok(numbers)
    }

    /// Whether it rests on the men of other cells if a set holds a cell.
    fn asks_elsewhere(&mut self, cells: &'g model::Cells) -> Lowered<bool> {
        use model::Cells as C;
        Ok(match cells {
            C::Of(_) | C::Empty | C::Occupied | C::Neutral => false,
            C::Fixed(_) | C::Band { .. } | C::LastRow | C::Kind(_) | C::State(..) | C::Local(_) => false,
            C::Not(inner) => self.asks_elsewhere(inner)?,
            C::And(all) | C::Or(all) => {
                for set in all {
                    if self.asks_elsewhere(set)? {
                        return Ok(true);
                    }
                }
                false
            }
            C::If(choice) => match self.settled(choice)? {
                Some(branch) => self.asks_elsewhere(branch)?,
                None => true,
            },
            C::Call(call) => self.call(call, |lowering, body| match body {
                model::Expr::Cells(cells) => lowering.asks_elsewhere(cells),
                _ => Ok(true),
            })?,
            _ => true,
        })
    }

    /// What an `if` comes to, where board and seat decide its condition.
    fn settled(&mut self, choice: &'g model::If<model::Cells>) -> Lowered<Option<&'g model::Cells>> {
        let spot = self.spot();
        let truth = self.truth(&choice.condition)?;
        Ok(match truth {
            Num::Fixed(0) => Some(&choice.otherwise),
            Num::Fixed(_) => Some(&choice.then),
            Num::In(_) => {
                self.back_to(spot);
                None
            }
        })
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
                let sets = self.players_at_play(players)?;
                let meant = self.belongs(owner, &sets);
                self.keep(targets, meant)
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
            // Where a man stands on each, whatever is asked is so.
            _ if self.facts(targets).occupied => {
                let set = self.cells(cells)?;
                self.and(set, targets)
            }
            C::If(choice) => match self.settled(choice)? {
                Some(branch) => self.thought(branch, targets, owner)?,
                None => return unplanned("an attack on this set"),
            },
            _ => return unplanned("an attack on this set"),
        })
    }
}
