//! Symmetry: rules go in; the ways to turn and mirror the board that no rule can tell come out, and one canonical key for all
//! positions that they make of each other.
//!
//! A symmetry is an automorphism of the board: it exchanges cells and directions so that every step stays a step. It counts where
//! all sets of cells, directions and axes that turns and outcomes ask stay what they are, the ranks, rows and forward directions
//! of all players among them, and nothing is asked that depends on order. So positions that it makes of each other have the
//! same value.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::board::{AxisSet, Cell, CellSet, Dir, DirSet, Topology};
use crate::game::{self, Position};
use crate::interp::Snapshot;
use crate::model::{
    Axes, BandAxis, BlockId, Call, Cells, Choice, Chooser, Dirs, Expr, Game, Groups, Item, Landing, Line, List, Number,
    Place, Players, Removal, Rounds, Statement, Times, Truth, Type, Way,
};
use crate::position::{Man, man_hash};

/// Symmetries at most, and steps of the search for them.
const MOST: usize = 64;
const MOST_STEPS: usize = 1 << 20;

/// The symmetries of a game: where each takes every cell. The first leaves all as it is.
#[derive(Clone, Debug)]
pub struct Symmetries {
    cells: Vec<Vec<Cell>>,
    /// `None`: the game has no plan, or its men stand on each other.
    images: Option<Images>,
}

/// The symmetries of registers: of each but the first, where each bit of a set goes.
#[derive(Clone, Debug)]
struct Images {
    words: usize,
    bits: Vec<Vec<u16>>,
}

impl Images {
    fn new(game: &game::Game, cells: &[Vec<Cell>]) -> Option<Images> {
        let session = game.session()?;
        let places = session.places();
        if places.position.stacks.is_some() {
            return None;
        }
        let bit_of = places.bitboard.bits();
        let image = |to: &Vec<Cell>| {
            let mut bits = vec![0; places.words * 64];
            for (cell, bit) in bit_of.iter().enumerate() {
                bits[usize::from(*bit)] = bit_of[to[cell].index()];
            }
            bits
        };
        Some(Images { words: places.words, bits: cells.iter().skip(1).map(image).collect() })
    }

    /// The least key of a position and all that symmetries make of it.
    fn key(&self, position: &Snapshot) -> u128 {
        let images = self.bits.iter().map(|bits| {
            let mut sets: SmallVec<[u64; 12]> = SmallVec::from_elem(0, position.sets.len());
            for (from, to) in position.sets.chunks_exact(self.words).zip(sets.chunks_exact_mut(self.words)) {
                for (at, word) in from.iter().enumerate() {
                    let mut left = *word;
                    while left != 0 {
                        let bit = usize::from(bits[at * 64 + left.trailing_zeros() as usize]);
                        to[bit / 64] |= 1 << (bit % 64);
                        left &= left - 1;
                    }
                }
            }
            position.key_with(&sets, self.words)
        });
        images.fold(position.key, u128::min)
    }
}

impl Symmetries {
    pub fn of(game: &game::Game) -> Symmetries {
        let model = game.model();
        let topology = &model.topology;
        let mut cells = vec![topology.cells().collect()];
        if let Some(asked) = Asked::of(model) {
            let found = Search::new(topology).all().into_iter().filter(|found| asked.is_kept_by(found, topology));
            cells.extend(found.map(|found| found.cells).filter(|found| *found != cells[0]).collect::<Vec<_>>());
        }
        let images = if cells.len() > 1 { Images::new(game, &cells) } else { None };
        Symmetries { cells, images }
    }

    /// How many there are, 1 at least.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// The canonical key, a hash of 128 bits: all positions that a symmetry makes of each other have the same.
    pub fn key(&self, position: &Position) -> u128 {
        // What a turn has chosen so far is not looked through.
        if self.cells.len() < 2 || position.is_within_turn() {
            return position.key();
        }
        if let (Some(images), Some(registers)) = (&self.images, position.registers()) {
            return images.key(registers);
        }
        position.with_board(|board| {
            let mut men: SmallVec<[(Cell, usize, Man); 32]> = SmallVec::new();
            for cell in board.occupied().iter() {
                men.extend(board.men(cell).iter().enumerate().map(|(level, man)| (cell, level, *man)));
            }
            let image = |to: &Vec<Cell>| {
                men.iter()
                    .map(|(cell, level, man)| man_hash(to[cell.index()], *level, *man))
                    .fold(0, |one, other| one ^ other)
            };
            board.fingerprint_with(self.cells.iter().map(image).min().unwrap_or(0))
        })
    }
}

/// An automorphism of a board: where each cell and each direction goes.
struct Automorphism {
    cells: Vec<Cell>,
    dirs: Vec<Dir>,
}

/// Backtracking search for all automorphisms of a board.
struct Search<'t> {
    topology: &'t Topology,
    /// All steps, those of a cell behind one that leads to it.
    steps: Vec<(Cell, Dir, Cell)>,
    cells: Vec<Option<Cell>>,
    dirs: Vec<Option<Dir>>,
    found: Vec<Automorphism>,
    left: usize,
}

impl<'t> Search<'t> {
    fn new(topology: &'t Topology) -> Search<'t> {
        let start = topology.cells().min_by_key(|cell| topology.exits(*cell).len());
        let mut seen: Vec<bool> = vec![false; topology.len()];
        let (mut open, mut steps) = (VecDeque::new(), Vec::new());
        if let Some(start) = start {
            seen[start.index()] = true;
            open.push_back(start);
        }
        while let Some(from) = open.pop_front() {
            for &(dir, to) in topology.exits(from) {
                steps.push((from, dir, to));
                if !std::mem::replace(&mut seen[to.index()], true) {
                    open.push_back(to);
                }
            }
        }
        // Parts of a board that no step connects would have to be exchanged one by one.
        if !seen.into_iter().all(|seen| seen) {
            steps.clear();
        }
        let (cells, dirs) = (vec![None; topology.len()], vec![None; topology.directions()]);
        Search { topology, steps, cells, dirs, found: Vec::new(), left: MOST_STEPS }
    }

    fn all(mut self) -> Vec<Automorphism> {
        let Some(&(start, ..)) = self.steps.first() else { return Vec::new() };
        for to in self.topology.cells() {
            if self.map_cell(start, to) {
                self.go_on(0);
                self.cells[start.index()] = None;
            }
        }
        // Some of them alone would be no mistake, but another selection with each order of the cells.
        if self.left == 0 || self.found.len() > MOST { Vec::new() } else { self.found }
    }

    /// Maps a cell to another; `false`: it cannot go there.
    fn map_cell(&mut self, from: Cell, to: Cell) -> bool {
        let is_free = !self.cells.contains(&Some(to));
        let fits = is_free && self.topology.exits(from).len() == self.topology.exits(to).len();
        if fits {
            self.cells[from.index()] = Some(to);
        }
        fits
    }

    fn go_on(&mut self, at: usize) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || self.found.len() > MOST {
            return;
        }
        let Some(&(from, dir, to)) = self.steps.get(at) else {
            let dirs = (0..).zip(&self.dirs).map(|(dir, to)| to.unwrap_or(Dir(dir))).collect();
            self.found.push(Automorphism { cells: self.cells.iter().flatten().copied().collect(), dirs });
            return;
        };
        let Some(image) = self.cells[from.index()] else { return };
        let topology = self.topology;
        for &(along, there) in topology.exits(image) {
            let (back, back_along) = (topology.opposite(dir), topology.opposite(along));
            match self.dirs[dir.index()] {
                Some(known) if known != along => continue,
                None if self.dirs.contains(&Some(along)) || self.dirs.contains(&Some(back_along)) => continue,
                _ => {}
            }
            let old_dirs = [(dir, self.dirs[dir.index()]), (back, self.dirs[back.index()])];
            let old_cell = self.cells[to.index()];
            if old_cell.map_or_else(|| self.map_cell(to, there), |known| known == there) {
                self.dirs[dir.index()] = Some(along);
                self.dirs[back.index()] = Some(back_along);
                self.go_on(at + 1);
                self.cells[to.index()] = old_cell;
                old_dirs.iter().for_each(|(dir, old)| self.dirs[dir.index()] = *old);
            }
        }
    }
}

/// What turns and outcomes ask of the board.
struct Asked<'g> {
    game: &'g Game,
    cells: Vec<CellSet>,
    dirs: Vec<DirSet>,
    axes: Vec<AxisSet>,
    /// The directions next to one are asked.
    outward: bool,
    /// Something is asked that depends on the order of cells or directions.
    asks_order: bool,
    seen: FxHashSet<(bool, usize)>,
}

impl<'g> Asked<'g> {
    /// `None`: something is asked that no symmetry keeps.
    fn of(game: &'g Game) -> Option<Asked<'g>> {
        let (cells, dirs, axes) = (Vec::new(), Vec::new(), Vec::new());
        let asks_order = game.asks.plies;
        let mut asked = Asked { game, cells, dirs, axes, outward: false, asks_order, seen: FxHashSet::default() };
        let is_plain = |ty: Type| matches!(ty, Type::Number | Type::Truth);
        asked.asks_order |= game.states.iter().any(|state| state.on_pieces || !is_plain(state.first.ty()));
        game.opening.iter().chain([&game.turn]).for_each(|program| asked.block(program.block));
        game.kinds.iter().flat_map(|kind| &kind.ways).for_each(|way| asked.way(way));
        for outcome in &game.end {
            asked.truth(&outcome.condition);
            if let crate::model::Result::Highest(scores) = &outcome.result {
                scores.iter().for_each(|score| asked.expr(score));
            }
        }
        (!asked.asks_order).then_some(asked)
    }

    fn is_kept_by(&self, found: &Automorphism, topology: &Topology) -> bool {
        let cell = |cell: Cell| found.cells[cell.index()];
        let dir = |dir: Dir| found.dirs[dir.index()];
        let axis = |axis| topology.axis(dir(topology.directions_of(axis)[0]));
        self.cells.iter().all(|set| set.iter().map(cell).collect::<CellSet>() == *set)
            && self.dirs.iter().all(|set| set.iter().map(dir).collect::<DirSet>() == *set)
            && self.axes.iter().all(|set| set.iter().map(axis).collect::<AxisSet>() == *set)
            && (!self.outward
                || (0..topology.directions() as u16).map(Dir).all(|along| {
                    topology.outward(along).iter().map(dir).collect::<DirSet>() == topology.outward(dir(along))
                }))
    }

    /// The forward directions of the players.
    fn forwards(&self) -> impl Iterator<Item = Dir> + use<'g> {
        self.game.seats.iter().filter_map(|seat| seat.forward)
    }

    /// Directions relative to each player.
    fn relative(&mut self, dirs: impl Fn(&Topology, Dir) -> DirSet) {
        let topology = &self.game.topology;
        self.dirs.extend(self.forwards().map(|forward| dirs(topology, forward)));
    }

    /// The files, ranks or rows of a range; each of them, if the range is not fixed.
    fn band(&mut self, fold: BandAxis, range: Option<(i64, i64)>) {
        let (topology, forwards) = (&self.game.topology, self.forwards());
        let mut add = |last: i64, band: &dyn Fn(i64, i64) -> CellSet| match range {
            Some((from, to)) => self.cells.push(band(from, to)),
            None => self.cells.extend((1..=last).map(|number| band(number, number))),
        };
        match fold {
            BandAxis::File => add(i64::from(topology.files()), &|from, to| topology.file_band(from, to)),
            BandAxis::Rank => add(i64::from(topology.ranks()), &|from, to| topology.rank_band(from, to)),
            BandAxis::Row => {
                for forward in forwards {
                    add(topology.last_row(forward), &|from, to| topology.row_band(forward, from, to));
                }
            }
        }
    }

    fn block(&mut self, block: BlockId) {
        if !self.seen.insert((false, block.0 as usize)) {
            return;
        }
        for statement in self.game.block(block) {
            self.statement(statement);
            statement.blocks().into_iter().for_each(|block| self.block(block));
        }
    }

    fn statement(&mut self, statement: &'g Statement) {
        match statement {
            Statement::Pick { from, chooser, .. } => {
                self.choice(from);
                if let Chooser::By(players) = chooser {
                    self.players(players);
                }
            }
            Statement::Either { chooser: Chooser::By(players), .. } => self.players(players),
            Statement::Most { value, .. } => self.number(value),
            Statement::Repeat { rounds: Rounds::While(condition), .. }
            | Statement::If { condition, .. }
            | Statement::Need { condition, .. } => self.truth(condition),
            Statement::Assign { value, .. } => self.expr(value),
            Statement::Remember { of, value, .. } => {
                of.iter().for_each(|of| self.players(of));
                self.expr(value);
            }
            Statement::Move { amount, who, landing, .. } => {
                amount.iter().for_each(|amount| self.number(amount));
                self.set(who);
                match landing {
                    Landing::Ways { .. } => {}
                    Landing::Line(line) => self.line(line),
                    Landing::To { cells, .. } => self.set(cells),
                }
            }
            Statement::Place { place: Place::InHand { amount, .. }, .. } => self.number(amount),
            Statement::Place { place: Place::On { several, cells, .. }, .. } => {
                several.iter().for_each(|several| self.number(several));
                self.set(cells);
            }
            Statement::Remove { what, from, .. } => {
                if let Removal::Top(count) = what {
                    self.number(count);
                }
                self.set(from);
            }
            Statement::Flip { cells, .. } | Statement::Promote { who: cells, .. } => self.set(cells),
            // One member after the other, in the order of the board; and what turns the board itself.
            Statement::ForEach { .. }
            | Statement::Swap
            | Statement::Mirror { .. }
            | Statement::Rotate { .. }
            | Statement::Picture { .. } => self.asks_order = true,
            Statement::Either { .. }
            | Statement::First { .. }
            | Statement::Repeat { .. }
            | Statement::Block(_)
            | Statement::Label(_)
            | Statement::Pass
            | Statement::Again => {}
        }
    }

    fn choice(&mut self, choice: &'g Choice) {
        match choice {
            Choice::Range(from, to) => {
                self.number(from);
                self.number(to);
            }
            Choice::Cells(of) => self.set(of),
            Choice::Groups(of) => self.groups(of),
            Choice::Dirs(of) => self.directions(of),
            Choice::Axes(of) => self.axis_set(of),
        }
    }

    fn way(&mut self, way: &'g Way) {
        way.conditions.iter().for_each(|(condition, _)| self.truth(condition));
        self.line(&way.line);
    }

    fn line(&mut self, line: &'g Line) {
        self.directions(&line.dirs);
        for path in &line.paths {
            path.before.iter().chain(&path.after).for_each(|item| self.item(item));
            for leg in &path.turnings {
                self.directions(&leg.dirs);
                leg.items.iter().for_each(|item| self.item(item));
            }
        }
    }

    fn item(&mut self, item: &'g Item) {
        self.set(&item.test);
        item.caught.iter().for_each(|caught| self.set(caught));
        if let Times::Between(from, to) = &item.times {
            self.number(from);
            to.iter().for_each(|to| self.number(to));
        }
    }

    fn call(&mut self, call: &'g Call) {
        call.arguments.iter().for_each(|argument| self.expr(argument));
        let at = usize::from(call.define.0);
        if self.seen.insert((true, at))
            && let Some(define) = self.game.defines.get(at)
        {
            self.expr(&define.body);
        }
    }

    fn expr(&mut self, expr: &'g Expr) {
        match expr {
            Expr::Number(of) => self.number(of),
            Expr::Truth(of) => self.truth(of),
            Expr::Cells(of) => self.set(of),
            Expr::Groups(of) => self.groups(of),
            Expr::Dirs(of) => self.directions(of),
            Expr::Axes(of) => self.axis_set(of),
            Expr::Players(of) => self.players(of),
            Expr::List(of) => self.list(of),
        }
    }

    fn number(&mut self, number: &'g Number) {
        match number {
            Number::Fixed(_) | Number::Local(_) => {}
            Number::State(_, of) => of.iter().for_each(|of| self.players(of)),
            Number::Call(call) => self.call(call),
            Number::If(both) => {
                self.truth(&both.condition);
                self.number(&both.then);
                self.number(&both.otherwise);
            }
            Number::Arithmetic(_, both, _) => {
                self.number(&both.0);
                self.number(&both.1);
            }
            Number::Count(of) => self.expr(of),
            Number::Height(of) | Number::Value(of) => self.set(of),
            Number::Hand(of) => self.players(of),
            // What history says of a position, all that it is exchanged with share.
            Number::TimesPieces | Number::TimesPosition | Number::Cycle => {}
            Number::Coordinate(coordinate, of, _) => {
                self.set(of);
                self.band(coordinate.fold(), None);
            }
        }
    }

    fn truth(&mut self, truth: &'g Truth) {
        match truth {
            Truth::Fixed(_) | Truth::Local(_) | Truth::Changed => {}
            Truth::State(_, of) => of.iter().for_each(|of| self.players(of)),
            Truth::Call(call) => self.call(call),
            Truth::If(both) => {
                self.truth(&both.condition);
                self.truth(&both.then);
                self.truth(&both.otherwise);
            }
            Truth::Not(of) => self.truth(of),
            Truth::And(all) | Truth::Or(all) => all.iter().for_each(|one| self.truth(one)),
            Truth::Compare(_, both) => {
                self.number(&both.0);
                self.number(&both.1);
            }
            Truth::CompareLists(_, both) => {
                self.list(&both.0);
                self.list(&both.1);
            }
            Truth::Equal(both) | Truth::Within(both) => {
                self.expr(&both.0);
                self.expr(&both.1);
            }
            Truth::Some(of) => self.expr(of),
            Truth::Stuck(of) => self.players(of),
            Truth::Attacked(of) => self.set(of),
        }
    }

    fn set(&mut self, cells: &'g Cells) {
        match cells {
            Cells::Fixed(set) => self.cells.push(*set),
            Cells::Local(_)
            | Cells::Kind(_)
            | Cells::Neutral
            | Cells::Empty
            | Cells::Occupied
            | Cells::Last
            | Cells::Origin
            | Cells::Passed
            | Cells::Caught
            | Cells::Here => {}
            Cells::State(_, of) => of.iter().for_each(|of| self.players(of)),
            Cells::Call(call) => self.call(call),
            Cells::If(both) => {
                self.truth(&both.condition);
                self.set(&both.then);
                self.set(&both.otherwise);
            }
            Cells::Not(of) | Cells::Bottom(of) | Cells::CatchesOf(of) | Cells::ReachOf(of) => self.set(of),
            Cells::And(all) | Cells::Or(all) => all.iter().for_each(|one| self.set(one)),
            Cells::Where(filter) => {
                self.set(&filter.set);
                self.truth(&filter.condition);
            }
            Cells::Of(of) => self.players(of),
            Cells::Union(of) => self.groups(of),
            Cells::Adjacent(of, dirs) | Cells::Shift(of, dirs) => {
                self.set(of);
                self.directions(dirs);
            }
            Cells::Group { of, within, dirs } => {
                self.set(of);
                self.set(within);
                self.directions(dirs);
            }
            Cells::Catches(of, line) | Cells::Reach(of, line) => {
                self.set(of);
                self.line(line);
            }
            Cells::Band { axis, from, to } => match (from, to) {
                (Number::Fixed(from), Number::Fixed(to)) => self.band(*axis, Some((*from, *to))),
                _ => {
                    self.number(from);
                    self.number(to);
                    self.band(*axis, None);
                }
            },
            Cells::LastRow => {
                let topology = &self.game.topology;
                for forward in self.forwards() {
                    let last = topology.last_row(forward);
                    self.cells.push(topology.row_band(forward, last, last));
                }
            }
            // Of several shortest lines, that of the first direction counts.
            Cells::Span(..) | Cells::Nth(..) => self.asks_order = true,
        }
    }

    fn groups(&mut self, groups: &'g Groups) {
        match groups {
            Groups::Empty | Groups::Local(_) => {}
            Groups::Call(call) => self.call(call),
            Groups::If(both) => {
                self.truth(&both.condition);
                self.groups(&both.then);
                self.groups(&both.otherwise);
            }
            Groups::Where(filter) => {
                self.groups(&filter.set);
                self.truth(&filter.condition);
            }
            Groups::Groups(of, dirs) => {
                self.set(of);
                self.directions(dirs);
            }
            Groups::Segments { of, dirs, from, to } => {
                self.set(of);
                self.directions(dirs);
                self.number(from);
                to.iter().for_each(|to| self.number(to));
            }
            Groups::Largest(of) => self.groups(of),
        }
    }

    fn directions(&mut self, dirs: &'g Dirs) {
        match dirs {
            Dirs::Fixed(set) => self.dirs.push(*set),
            Dirs::Local(_) | Dirs::Heading => {}
            Dirs::Call(call) => self.call(call),
            Dirs::If(both) => {
                self.truth(&both.condition);
                self.directions(&both.then);
                self.directions(&both.otherwise);
            }
            Dirs::Not(of) | Dirs::Opposite(of) => self.directions(of),
            Dirs::And(all) | Dirs::Or(all) => all.iter().for_each(|one| self.directions(one)),
            Dirs::Where(filter) => {
                self.directions(&filter.set);
                self.truth(&filter.condition);
            }
            Dirs::OfAxes(of) => self.axis_set(of),
            Dirs::Forward => self.relative(|_, forward| DirSet::one(forward)),
            Dirs::Backward => self.relative(|topology, forward| DirSet::one(topology.opposite(forward))),
            Dirs::Ahead => self.relative(Topology::ahead),
            Dirs::Behind => self.relative(Topology::behind),
            Dirs::Sideways => self.relative(Topology::sideways),
            Dirs::Outward => self.outward = true,
            Dirs::Turned(_) => self.asks_order = true,
        }
    }

    fn axis_set(&mut self, axes: &'g Axes) {
        match axes {
            Axes::Fixed(set) => self.axes.push(*set),
            Axes::Local(_) => {}
            Axes::Call(call) => self.call(call),
            Axes::If(both) => {
                self.truth(&both.condition);
                self.axis_set(&both.then);
                self.axis_set(&both.otherwise);
            }
            Axes::Not(of) => self.axis_set(of),
            Axes::And(all) | Axes::Or(all) => all.iter().for_each(|one| self.axis_set(one)),
            Axes::Where(filter) => {
                self.axis_set(&filter.set);
                self.truth(&filter.condition);
            }
        }
    }

    fn players(&mut self, players: &'g Players) {
        match players {
            Players::Call(call) => self.call(call),
            Players::If(both) => {
                self.truth(&both.condition);
                self.players(&both.then);
                self.players(&both.otherwise);
            }
            Players::Fixed(_) | Players::Own | Players::Enemy | Players::Ally | Players::Local(_) => {}
        }
    }

    fn list(&mut self, list: &'g List) {
        match list {
            List::Sizes(of) => self.groups(of),
            List::One(of) => self.number(of),
            List::Local(_) => {}
            List::Call(call) => self.call(call),
            List::If(both) => {
                self.truth(&both.condition);
                self.list(&both.then);
                self.list(&both.otherwise);
            }
        }
    }
}
