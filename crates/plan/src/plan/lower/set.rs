//! Set lowering: expressions of cells and of directions go in; the registers that hold them, or
//! constants, come out.

use crate::board::{AxisSet, DirSet, Fold, Id, Set};
use crate::model;
use crate::model::{Axes, Dirs, If, Where};
use crate::plan::bitboard::Bits;
use crate::plan::lower::cardinality::Cardinality;
use crate::plan::lower::context::{Lowering, kind_set};
use crate::plan::lower::values::{Cells, Facts, Fixed, Lowered, Num, Value, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::passes::Pass;
use crate::plan::regs::{NumReg, SpanId};
use crate::plan::tree::{KindSet, Node, StateCell};

pub fn bits_of<T: Id>(set: &Set<T>) -> i64 {
    set.words()[0] as i64
}

impl<'g> Lowering<'g> {
    /// Cells with a man of one of the players.
    pub fn men_of(&mut self, players: u8) -> Cells {
        let mut all = self.none();
        for player in self.each_player(players) {
            let of = Cells::In(self.layout.of[player.index()]);
            all = self.or(all, of);
        }
        all
    }

    /// The same of sets of players, each with whether it is meant.
    fn men_of_sets(&mut self, sets: Vec<(Num, u8)>) -> Cells {
        let mut all = self.none();
        for (meant, players) in sets {
            let men = self.men_of(players);
            let men = self.keep(men, meant);
            all = self.or(all, men);
        }
        all
    }

    pub fn owned(&mut self) -> Cells {
        self.men_of((1u32 << self.game.seats.len()).wrapping_sub(1) as u8)
    }

    pub fn neutral(&mut self) -> Cells {
        self.layout.neutral.map_or(self.none(), Cells::In)
    }

    /// The cells on which men stand who do not wait to leave.
    pub fn standing_men(&mut self) -> Cells {
        let (owned, neutral) = (self.owned(), self.neutral());
        self.or(owned, neutral)
    }

    pub fn occupied(&mut self) -> Cells {
        let men = self.standing_men();
        match self.layout.waiting {
            Some(waiting) => self.or(men, Cells::In(waiting)),
            None => men,
        }
    }

    pub fn empty(&mut self) -> Cells {
        let occupied = self.occupied();
        let empty = self.without(self.all(), occupied);
        self.record_facts(empty, Facts { empty: true, ..Facts::NONE })
    }

    pub fn kind_cells(&mut self, kind: crate::board::Kind) -> Cells {
        match kind_set(&self.layout, kind) {
            KindSet::Register(reg) => Cells::In(reg),
            KindSet::AllOwned => self.owned(),
            KindSet::AllNeutral => self.neutral(),
        }
    }

    /// Of some men, those of a kind.
    pub fn men_of_kind(&mut self, men: Cells, kind: crate::board::Kind) -> Cells {
        let all_owned = kind_set(&self.layout, kind) == KindSet::AllOwned && self.layout.neutral.is_none();
        if all_owned && self.facts(men).occupied {
            return men;
        }
        let of_kind = self.kind_cells(kind);
        self.and(men, of_kind)
    }

    pub fn cells(&mut self, cells: &'g model::Cells) -> Lowered<Cells> {
        use model::Cells as C;
        Ok(match cells {
            C::Fixed(set) => {
                let bits = self.grid.of(set);
                self.fixed(bits)
            }
            C::Local(slot) => {
                let value = self.local(*slot);
                self.cells_value(value)?
            }
            C::State(state, of) => {
                let mut all = self.none();
                for (meant, copies) in self.copies(*state, of.as_ref())? {
                    for copy in copies {
                        if let StateCell::Set(reg) = copy {
                            let cells = self.keep(Cells::In(reg), meant);
                            all = self.or(all, cells);
                        }
                    }
                }
                all
            }
            C::Call(call) => match self.looked_up(call)? {
                Some(cells) => cells,
                None => self.call(call, Lowering::body_cells)?,
            },
            C::If(choice) => self.if_cells(choice)?,
            C::Not(inner) => {
                let inner = self.cells(inner)?;
                self.without(self.all(), inner)
            }
            C::And(all) => self.intersection(all)?,
            C::Or(any) => {
                let mut all = self.none();
                for set in any {
                    let set = self.cells(set)?;
                    all = self.or(all, set);
                }
                all
            }
            C::Where(filter) => self.cells_where(filter)?,
            C::Of(players) => {
                let sets = self.players_at_play(players)?;
                self.men_of_sets(sets)
            }
            C::Kind(kind) => self.kind_cells(*kind),
            C::Neutral => self.neutral(),
            C::Empty => self.empty(),
            C::Occupied => self.occupied(),
            C::Band { axis, from, to } => self.band(*axis, from, to)?,
            C::LastRow => self.last_row(),
            C::Last => self.word(|words| words.last),
            C::Origin => self.word(|words| words.origin),
            C::Passed => self.word(|words| words.passed),
            C::Caught => self.word(|words| words.caught),
            C::Here => match self.scope.here {
                Some(value) => self.cells_value(value)?,
                None => return unplanned("a way that asks where its man stands, of several men"),
            },
            C::Bottom(inner) => self.bottom(inner)?,
            _ => self.cells_of_the_board(cells)?,
        })
    }

    pub fn cells_value(&mut self, value: Value<'g>) -> Lowered<Cells> {
        match value {
            Value::Cells(cells) => Ok(cells),
            Value::Players(players) => {
                let sets = self.sets_of_players(players);
                Ok(self.men_of_sets(sets))
            }
            Value::Groups(groups) => self.union(groups),
            Value::Any | Value::Later(..) => unplanned("a condition that is not a set"),
            Value::Num(_) | Value::Unset => Ok(self.none()),
        }
    }

    fn cells_of_the_board(&mut self, cells: &'g model::Cells) -> Lowered<Cells> {
        use model::Cells as C;
        Ok(match cells {
            C::Union(groups) => {
                let groups = self.groups(groups)?;
                self.union(groups)?
            }
            C::Adjacent(of, dirs) => {
                let (of, dirs) = (self.cells(of)?, self.dirs(dirs)?);
                let around = self.around(of, dirs);
                self.without(around, of)
            }
            C::Shift(of, dirs) => {
                let (of, dirs) = (self.cells(of)?, self.dirs(dirs)?);
                self.around(of, dirs)
            }
            C::Group { of, within, dirs } => {
                let (of, within, dirs) = (self.cells(of)?, self.cells(within)?, self.dirs(dirs)?);
                self.flood(of, within, dirs)?
            }
            C::Span(ends, span) => {
                let (a, b) = (self.cells(&ends.0)?, self.cells(&ends.1)?);
                let (a, b, place) = (self.reg(a), self.reg(b), self.place(*span));
                Cells::In(self.set_op(|d| TreeOp::LineBetween { d, a, b, place }))
            }
            C::Nth(of, number) => {
                let (of, number) = (self.cells(of)?, self.number(number)?);
                let (a, n) = (self.reg(of), self.num(number));
                Cells::In(self.set_op(|d| TreeOp::NthCell { d, a, n }))
            }
            C::Catches(of, line) => {
                let of = self.cells(of)?;
                self.catches(of, line)?
            }
            C::Reach(of, line) => {
                let of = self.cells(of)?;
                self.reach(of, line)?
            }
            C::CatchesOf(of) => self.ways_of(of, true)?,
            C::ReachOf(of) => self.ways_of(of, false)?,
            _ => return unplanned("this set"),
        })
    }

    /// The cells one step from a set.
    pub fn around(&mut self, of: Cells, dirs: Num) -> Cells {
        match (of, dirs) {
            (Cells::Fixed(fixed), Num::Fixed(dirs)) => {
                let set = self.grid.cells(&self.bits(fixed).0);
                let dirs: DirSet = each_bit(dirs).map(|dir| crate::board::Dir(dir as u16)).collect();
                let bits = self.grid.of(&self.game.topology.shift(&set, &dirs));
                self.fixed(bits)
            }
            (of, Num::Fixed(dirs)) => {
                let (a, along) = (self.reg(of), self.along(dirs as u64));
                Cells::In(self.set_op(|d| TreeOp::Neighbors { d, a, along }))
            }
            (of, Num::In(dirs)) => {
                let a = self.reg(of);
                Cells::In(self.set_op(|d| TreeOp::NeighborsBy { d, a, dirs }))
            }
        }
    }

    pub fn flood(&mut self, of: Cells, within: Cells, dirs: Num) -> Lowered<Cells> {
        let seeds = self.and(of, within);
        let dirs = match dirs {
            Num::Fixed(dirs) => dirs,
            Num::In(dirs) => return self.flood_chosen(seeds, within, dirs),
        };
        let along = self.along(dirs as u64 | self.opposite_bits(dirs) as u64);
        let facts = self.facts(within);
        let (a, within) = (self.reg(seeds), self.reg(within));
        let flood = Cells::In(self.set_op(|d| TreeOp::FloodFill { d, a, within, along, kept: None }));
        Ok(self.record_facts(flood, facts))
    }

    /// A flood along directions that are known at play alone: dilation until nothing more is reached.
    fn flood_chosen(&mut self, seeds: Cells, within: Cells, dirs: NumReg) -> Lowered<Cells> {
        let facts = self.facts(within);
        let opposite = self.number_op(|d| TreeOp::OppositeDirs { d, a: dirs });
        let dirs = self.number_op(|d| TreeOp::BitOr { d, a: dirs, b: opposite });
        let (flood, more) = (self.copied(seeds), self.fresh.number());
        let body = self.block(|lowering| {
            lowering.forget_results();
            let around = lowering.around(Cells::In(flood), Num::In(dirs));
            let around = lowering.and(around, within);
            let next = lowering.without(around, Cells::In(flood));
            let some = lowering.some_cells(next);
            let (a, b) = (lowering.num(some), lowering.reg(next));
            lowering.emit(TreeOp::Or { d: flood, a: flood, b });
            lowering.emit(TreeOp::CopyNum { d: more, a });
            Ok(())
        })?;
        let counter = self.fresh.number();
        self.out.push(Node::Loop { body, again: more, counter, begun: 0, place: SpanId::NOWHERE });
        Ok(self.record_facts(Cells::In(flood), facts))
    }

    pub fn opposite_bits(&self, dirs: i64) -> i64 {
        each_bit(dirs).fold(0, |all, dir| all | 1 << self.game.topology.opposite(crate::board::Dir(dir as u16)).0)
    }

    fn intersection(&mut self, all: &'g [model::Cells]) -> Lowered<Cells> {
        let mut members = self.all();
        let (negative, positive): (Vec<_>, Vec<_>) = all.iter().partition(|set| matches!(set, model::Cells::Not(_)));
        for set in positive {
            let set = self.cells(set)?;
            members = self.and(members, set);
        }
        for set in negative {
            if let model::Cells::Not(inner) = set {
                let inner = self.cells(inner)?;
                members = self.without(members, inner);
            }
        }
        Ok(members)
    }

    fn if_cells(&mut self, choice: &'g If<model::Cells>) -> Lowered<Cells> {
        match self.truth(&choice.condition)? {
            Num::Fixed(0) => self.cells(&choice.otherwise),
            Num::Fixed(_) => self.cells(&choice.then),
            Num::In(n) => {
                let (mut a, mut b) = (self.none(), self.none());
                let then = self.block(|lowering| lowering.cells(&choice.then).map(|cells| a = cells))?;
                let otherwise = self.block(|lowering| lowering.cells(&choice.otherwise).map(|cells| b = cells))?;
                let facts = self.facts(a).or(self.facts(b));
                let (from, to, d) = (self.reg(a), self.reg(b), self.fresh.set());
                if self.cardinality_of(a) != Cardinality::Any && self.cardinality_of(b) != Cardinality::Any {
                    self.known.single.insert(d);
                }
                if crate::plan::lower::condition::never_stops(&then)
                    && crate::plan::lower::condition::never_stops(&otherwise)
                {
                    self.out.extend(then);
                    self.out.extend(otherwise);
                    self.emit(TreeOp::Select { d, n, a: from, b: to });
                    return Ok(self.record_facts(Cells::In(d), facts));
                }
                let copy = |mut block: crate::plan::Block, a| {
                    block.push(crate::plan::Node::Op(TreeOp::Copy { d, a }));
                    block
                };
                self.when(n, copy(then, from), copy(otherwise, to));
                Ok(self.record_facts(Cells::In(d), facts))
            }
        }
    }

    fn cells_where(&mut self, filter: &'g Where<model::Cells>) -> Lowered<Cells> {
        let set = self.cells(&filter.set)?;
        if self.has(Pass::VectorizePredicate)
            && let Some(holds) = self.lifted(filter.it, &filter.condition)?
        {
            return Ok(self.and(set, holds));
        }
        if let Cells::Fixed(fixed) = set
            && let Some(kept) = self.filter_now(*self.bits(fixed), filter)?
        {
            return Ok(self.fixed(kept));
        }
        self.union_over(set, |lowering, cell| {
            lowering.bind(filter.it, Value::Cells(cell));
            let n = lowering.truth(&filter.condition)?;
            Ok(lowering.keep(cell, n))
        })
    }

    /// The union of what comes of each cell of a set, gone through cell by cell.
    pub fn union_over(
        &mut self,
        cells: Cells,
        mut of_one: impl FnMut(&mut Self, Cells) -> Lowered<Cells>,
    ) -> Lowered<Cells> {
        let facts = self.facts(cells);
        let (of, all, cell) = (self.copied(cells), self.fresh.set(), self.fresh.set());
        self.known.single.insert(cell);
        let none = self.constant(Fixed::NONE);
        self.emit(TreeOp::Copy { d: all, a: none });
        let mut known = Facts::NONE;
        let body = self.block(|lowering| {
            lowering.forget_results();
            lowering.record_facts(Cells::In(cell), facts);
            let one = of_one(lowering, Cells::In(cell))?;
            known = lowering.facts(one);
            let b = lowering.reg(one);
            lowering.emit(TreeOp::Or { d: all, a: all, b });
            Ok(())
        })?;
        self.out.push(Node::Each { of, cell, body });
        Ok(self.record_facts(Cells::In(all), known))
    }

    /// Filters a fixed set whose condition depends on the board alone.
    fn filter_now(&mut self, bits: Bits, filter: &'g Where<model::Cells>) -> Lowered<Option<Bits>> {
        let mut kept = Bits::default();
        let spot = self.spot();
        for bit in bits.iter() {
            let mut one = Bits::default();
            one.insert(bit);
            let one = self.fixed(one);
            self.bind(filter.it, Value::Cells(one));
            match self.truth(&filter.condition)? {
                Num::Fixed(0) => {}
                Num::Fixed(_) => kept.insert(bit),
                Num::In(_) => {
                    self.back_to(spot);
                    return Ok(None);
                }
            }
        }
        Ok(Some(kept))
    }

    fn last_row(&mut self) -> Cells {
        let Some(forward) = self.game.player(self.scope.own).forward else { return self.none() };
        let last = self.game.topology.last_row(forward);
        let bits = self.grid.of(&self.game.topology.row_band(forward, last, last));
        self.fixed(bits)
    }

    fn band(&mut self, fold: Fold, from: &'g model::Number, to: &'g model::Number) -> Lowered<Cells> {
        let (from, to) = (self.number(from)?, self.number(to)?);
        let topology = &self.game.topology;
        if let (Num::Fixed(from), Num::Fixed(to)) = (from, to) {
            let set = match fold {
                Fold::File => topology.file_band(from, to),
                Fold::Rank => topology.rank_band(from, to),
                Fold::Row => match self.game.player(self.scope.own).forward {
                    Some(forward) => topology.row_band(forward, from, to),
                    None => crate::board::CellSet::EMPTY,
                },
            };
            let bits = self.grid.of(&set);
            return Ok(self.fixed(bits));
        }
        let (from, to, player) = (self.num(from), self.num(to), self.scope.own);
        Ok(Cells::In(self.set_op(|d| TreeOp::Band { d, fold, from, to, player })))
    }

    /// The registers of the copies of a remembered value that are meant, by the players among whom play decides.
    pub fn copies(
        &mut self,
        state: model::StateId,
        of: Option<&'g model::Players>,
    ) -> Lowered<Vec<(Num, Vec<StateCell>)>> {
        let copies = self.layout.states[state.0 as usize].clone();
        if copies.len() == 1 {
            return Ok(vec![(Num::Fixed(1), copies)]);
        }
        let players = match of {
            Some(players) => self.players_at_play(players)?,
            None => vec![(Num::Fixed(1), 1 << self.scope.own.0)],
        };
        let of_players =
            |players| self.each_player(players).filter_map(|player| copies.get(player.index()).copied()).collect();
        Ok(players.into_iter().map(|(meant, players)| (meant, of_players(players))).collect())
    }

    // Directions.

    pub fn dirs(&mut self, dirs: &'g Dirs) -> Lowered<Num> {
        let topology = &self.game.topology;
        let forward = self.game.player(self.scope.own).forward;
        let relative = |f: &dyn Fn(crate::board::Dir) -> DirSet| Num::Fixed(forward.map_or(0, |dir| bits_of(&f(dir))));
        Ok(match dirs {
            Dirs::Fixed(set) => Num::Fixed(bits_of(set)),
            Dirs::Forward => relative(&DirSet::one),
            Dirs::Backward => relative(&|dir| DirSet::one(topology.opposite(dir))),
            Dirs::Ahead => relative(&|dir| topology.ahead(dir)),
            Dirs::Behind => relative(&|dir| topology.behind(dir)),
            Dirs::Sideways => relative(&|dir| topology.sideways(dir)),
            Dirs::Outward => Num::Fixed(self.scope.walking.map_or(0, |dir| bits_of(&topology.outward(dir)))),
            Dirs::Heading => self.heading(),
            Dirs::Local(slot) => self.num_of(*slot)?,
            Dirs::Call(call) => self.call(call, |lowering, body| lowering.value_num(body))?,
            Dirs::If(choice) => {
                self.if_num(&choice.condition, |l| l.dirs(&choice.then), |l| l.dirs(&choice.otherwise))?
            }
            Dirs::Not(inner) => {
                let inner = self.dirs(inner)?;
                self.less(Num::Fixed(bits_of(&topology.straight())), inner)
            }
            Dirs::And(all) => {
                let mut members = Num::Fixed(-1);
                for set in all {
                    let set = self.dirs(set)?;
                    members = self.both(members, set);
                }
                members
            }
            Dirs::Or(any) => {
                let mut members = Num::Fixed(0);
                for set in any {
                    let set = self.dirs(set)?;
                    members = self.either(members, set);
                }
                members
            }
            Dirs::Where(filter) => {
                let set = self.dirs(&filter.set)?;
                self.bits_where(set, filter.it, &filter.condition)?
            }
            Dirs::Opposite(inner) => match self.dirs(inner)? {
                Num::Fixed(dirs) => Num::Fixed(self.opposite_bits(dirs)),
                Num::In(a) => Num::In(self.number_op(|d| TreeOp::OppositeDirs { d, a })),
            },
            Dirs::Turned(turned) => {
                let (dirs, by) = (self.dirs(&turned.0)?, self.number(&turned.1)?);
                let Num::Fixed(by) = by else { return self.turned_by(dirs, by) };
                let clockwise =
                    |dir: u32| bits_of(&topology.clockwise(&DirSet::one(crate::board::Dir(dir as u16)), by));
                match dirs {
                    Num::Fixed(dirs) => Num::Fixed(each_bit(dirs).fold(0, |all, dir| all | clockwise(dir))),
                    Num::In(_) => {
                        let mut all = Num::Fixed(0);
                        for dir in each_bit(bits_of(&topology.straight())) {
                            let there = self.both(dirs, Num::Fixed(1 << dir));
                            let turned = self.choose(there, Num::Fixed(clockwise(dir)), Num::Fixed(0));
                            all = self.either(all, turned);
                        }
                        all
                    }
                }
            }
            Dirs::OfAxes(axes) => match self.axes(axes)? {
                Num::Fixed(axes) => {
                    let axes: AxisSet = each_bit(axes).map(|axis| crate::board::Axis(axis as u16)).collect();
                    let dirs: DirSet = axes.iter().flat_map(|axis| topology.directions_of(axis)).collect();
                    Num::Fixed(bits_of(&dirs))
                }
                axes @ Num::In(_) => {
                    let mut all = Num::Fixed(0);
                    for axis in topology.axes().iter() {
                        let along: DirSet = topology.directions_of(axis).into_iter().collect();
                        let there = self.both(axes, Num::Fixed(1 << axis.0));
                        let dirs = self.choose(there, Num::Fixed(bits_of(&along)), Num::Fixed(0));
                        all = self.either(all, dirs);
                    }
                    all
                }
            },
        })
    }

    pub fn axes(&mut self, axes: &'g Axes) -> Lowered<Num> {
        Ok(match axes {
            Axes::Fixed(set) => Num::Fixed(bits_of(set)),
            Axes::Local(slot) => self.num_of(*slot)?,
            Axes::Call(call) => self.call(call, |lowering, body| lowering.value_num(body))?,
            Axes::If(choice) => {
                self.if_num(&choice.condition, |l| l.axes(&choice.then), |l| l.axes(&choice.otherwise))?
            }
            Axes::Not(inner) => {
                let inner = self.axes(inner)?;
                self.less(Num::Fixed(bits_of(&self.game.topology.axes())), inner)
            }
            Axes::And(all) => {
                let mut members = Num::Fixed(bits_of(&self.game.topology.axes()));
                for set in all {
                    let set = self.axes(set)?;
                    members = self.both(members, set);
                }
                members
            }
            Axes::Or(any) => {
                let mut members = Num::Fixed(0);
                for set in any {
                    let set = self.axes(set)?;
                    members = self.either(members, set);
                }
                members
            }
            Axes::Where(filter) => {
                let set = self.axes(&filter.set)?;
                self.bits_where(set, filter.it, &filter.condition)?
            }
        })
    }

    /// Directions turned clockwise by a number that is known only at play: for each number of steps those turned by it.
    fn turned_by(&mut self, dirs: Num, by: Num) -> Lowered<Num> {
        let topology = &self.game.topology;
        let (straight, mut all) = (bits_of(&topology.straight()), Num::Fixed(0));
        let whole = topology.straight().len() as i64;
        for steps in 0..whole {
            let clockwise = |dir: u32| bits_of(&topology.clockwise(&DirSet::one(crate::board::Dir(dir as u16)), steps));
            let mut turned = Num::Fixed(0);
            for dir in each_bit(straight) {
                let there = self.both(dirs, Num::Fixed(1 << dir));
                let one = self.choose(there, Num::Fixed(clockwise(dir)), Num::Fixed(0));
                turned = self.either(turned, one);
            }
            let part =
                self.arithmetic(model::Arithmetic::Modulo, by, Num::Fixed(whole), crate::source::Span::NOWHERE)?;
            let is_it = self.compare_nums(model::Comparison::Equal, part, Num::Fixed(steps));
            let part = self.choose(is_it, turned, Num::Fixed(0));
            all = self.either(all, part);
        }
        Ok(all)
    }

    /// The bits for which a condition holds, each tried with the bit as a constant.
    fn bits_where(&mut self, set: Num, it: model::Slot, condition: &'g model::Truth) -> Lowered<Num> {
        let most = match set {
            Num::Fixed(bits) => bits,
            Num::In(_) => bits_of(&self.game.topology.straight()) | bits_of(&self.game.topology.axes()),
        };
        let mut kept = Num::Fixed(0);
        for bit in each_bit(most) {
            self.bind(it, Value::Num(Num::Fixed(1 << bit)));
            let holds = self.truth(condition)?;
            let one = self.choose(holds, Num::Fixed(1 << bit), Num::Fixed(0));
            kept = self.either(kept, one);
        }
        Ok(self.both(kept, set))
    }
}

pub fn each_bit(bits: i64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| bits >> bit & 1 == 1)
}
