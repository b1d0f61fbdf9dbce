//! Features: a position of two players goes in; numbers come out that tell how it stands, each what
//! the first player has more than the second.
//!
//! Which there are, the rules alone decide: kinds, board, directions and what `end` asks. No feature
//! knows a game.

use crate::board::{Cell, CellSet, Player};
use crate::game::Game;
use crate::player::evaluation::classes::Classes;
use crate::player::evaluation::goals::Goals;
use crate::position::{Man, Position, Value};

/// Pairs of a kind and a class of cells that are told apart, at most.
const MOST_PLACES: usize = 640;
/// Cells of a board whose distances are kept, at most.
const MOST_CELLS: usize = 400;
/// A distance that cannot be gone.
const FAR: u8 = u8::MAX;
const NOBODY: u8 = 2;
/// Of a man who is neither player's.
const OTHER: u8 = 3;

/// The features of a game.
#[derive(Clone, Debug)]
pub struct Features {
    names: Vec<String>,
    pub goals: Goals,
    kinds: usize,
    stacks: bool,
    /// Where each part begins among the features; `None`: the game has it not.
    material: usize,
    hand: usize,
    stacked: Option<usize>,
    advance: Option<usize>,
    place: Option<usize>,
    runs: Option<usize>,
    groups: Option<usize>,
    link: Option<usize>,
    region: Option<usize>,
    liberties: usize,
    territory: Option<usize>,
    counters: usize,
    mobility: usize,
    turn: usize,
    first: usize,
    classes: Vec<Vec<u16>>,
    class_count: usize,
    /// By player and cell, how far it lies from the own edge, from 0 to 1.
    rows: Vec<Vec<f32>>,
    /// Rows of cells that a run may fill.
    windows: Vec<u16>,
    neighbours: Vec<Vec<u16>>,
    distances: Vec<u8>,
    /// What stands on each cell, of the position that was looked at last: an owner, a kind.
    on: Vec<(u8, u8)>,
    /// How many cells of it are not empty.
    filled: usize,
    queue: Vec<u16>,
    steps: [Vec<u8>; 2],
}

impl Features {
    pub fn new(game: &Game) -> Features {
        let model = game.model();
        let (topology, goals) = (&model.topology, Goals::of(model));
        let (cells, kinds) = (topology.len(), model.kinds.len());
        let forwards: Vec<_> = model.seats.iter().take(2).map(|seat| seat.forward).collect();
        let classes = Classes::new(topology, &forwards);
        let class_count = classes.first.len();
        let rows: Vec<Vec<f32>> = forwards.iter().map(|forward| row_shares(game, *forward)).collect();
        let neighbours: Vec<Vec<u16>> = (topology.cells())
            .map(|cell| {
                let mut around: Vec<u16> = topology.exits(cell).iter().map(|(_, to)| to.0).collect();
                around.sort_unstable();
                around.dedup();
                around
            })
            .collect();
        let mut features = Features {
            names: Vec::new(),
            kinds,
            stacks: model.stacks,
            material: 0,
            hand: kinds,
            stacked: None,
            advance: None,
            place: None,
            runs: None,
            groups: None,
            link: None,
            region: None,
            liberties: 0,
            territory: None,
            counters: 0,
            mobility: 0,
            turn: 0,
            first: 0,
            class_count,
            rows,
            windows: goals.row_of.map_or(Vec::new(), |length| windows(game, length)),
            distances: if cells <= MOST_CELLS { distances(&neighbours) } else { Vec::new() },
            neighbours,
            on: vec![(NOBODY, 0); cells],
            filled: 0,
            queue: Vec::new(),
            steps: [vec![FAR; cells], vec![FAR; cells]],
            goals,
            classes: classes.of,
        };
        features.name(game, &classes.first);
        features
    }

    /// Gives every feature of the game its name and its place.
    fn name(&mut self, game: &Game, first_cells: &[Cell]) {
        let model = game.model();
        let kinds: Vec<&str> = model.kinds.iter().map(|kind| kind.name.as_str()).collect();
        let has_rows = self.rows.iter().all(|rows| !rows.is_empty()) && !self.rows.is_empty();
        let is_measured = !self.distances.is_empty();
        let goals = self.goals.clone();
        self.add_all(kinds.iter().map(|kind| format!("material {kind}")));
        self.add_all(kinds.iter().map(|kind| format!("hand {kind}")));
        self.stacked = self.stacks.then(|| self.add("stacked"));
        self.advance = has_rows.then(|| {
            let of = |kind: &&str| [format!("advance {kind}"), format!("far advance {kind}")];
            self.add_all(kinds.iter().flat_map(of))
        });
        let places = kinds.len() * self.class_count;
        self.place = (self.class_count > 1 && places <= MOST_PLACES).then(|| {
            let of = |kind: &&str| {
                let kind = kind.to_string();
                first_cells.iter().map(move |cell| format!("place {kind} {}", game.cell_name(*cell)))
            };
            self.add_all(kinds.iter().flat_map(of))
        });
        self.runs = goals.row_of.map(|length| self.add_all((1..length).map(|men| format!("run {men}"))));
        self.groups = goals.groups.then(|| self.add_all(["groups", "largest group", "spread"].map(String::from)));
        self.link = (!goals.links.is_empty()).then(|| self.add("steps to connect"));
        self.region = (!goals.regions.is_empty() && is_measured).then(|| self.add("steps to goal"));
        self.liberties = self.add("liberties");
        let asks_space = goals.stuck || goals.score || goals.groups;
        self.territory = (asks_space && is_measured).then(|| self.add("territory"));
        let counters = goals.counters.iter().filter_map(|state| model.states.get(state.0 as usize));
        self.counters = self.add_all(counters.map(|state| format!("remembered {}", state.name)));
        self.mobility = self.add("mobility");
        self.turn = self.add("turn");
        self.first = self.add("first");
    }

    fn add(&mut self, name: &str) -> usize {
        self.add_all([name.to_string()])
    }

    fn add_all(&mut self, names: impl IntoIterator<Item = String>) -> usize {
        let first = self.names.len();
        self.names.extend(names);
        first
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What stands on top of a cell, of the position that was looked at last: an owner, if it is one
    /// of the players, and a kind.
    pub fn on(&self, cell: Cell) -> Option<(Player, usize)> {
        let (owner, kind) = self.on.get(cell.index()).copied().unwrap_or((NOBODY, 0));
        (owner < NOBODY).then_some((Player(owner), usize::from(kind)))
    }

    /// Looks what stands where.
    pub fn look(&mut self, board: &Position) {
        self.on.fill((NOBODY, 0));
        self.filled = board.occupied().len();
        for cell in board.occupied().iter() {
            self.on[cell.index()] = match board.top(cell) {
                Some(Man { owner: Some(owner), kind }) if owner.index() < 2 => (owner.0, kind.0),
                _ => (OTHER, 0),
            };
        }
    }

    /// The features of a position. `chooser` is to choose; `mobility` is what the first player has
    /// more in moves, as far as it is known.
    pub fn of(&mut self, board: &Position, chooser: Player, mobility: f32, out: &mut Vec<f32>) {
        self.look(board);
        out.clear();
        out.resize(self.names.len(), 0.0);
        self.men(board, out);
        for at in 0..self.goals.counters.len() {
            let count = |player: u8| match board.value(self.goals.counters[at], Player(player)) {
                Value::Number(number) => *number as f32,
                _ => 0.0,
            };
            out[self.counters + at] = count(0) - count(1);
        }
        if let Some(runs) = self.runs {
            self.add_runs(&mut out[runs..]);
        }
        if let Some(groups) = self.groups {
            self.add_groups(board, &mut out[groups..]);
        }
        if let Some(link) = self.link {
            out[link] = self.steps_to_connect(1) - self.steps_to_connect(0);
        }
        if let Some(region) = self.region {
            out[region] = self.steps_to_goal(1) - self.steps_to_goal(0);
        }
        self.add_space(out);
        out[self.mobility] = mobility;
        out[self.turn] = if chooser.index() == 0 { 1.0 } else { -1.0 };
        out[self.first] = 1.0;
    }

    fn men(&self, board: &Position, out: &mut [f32]) {
        for cell in board.occupied().iter() {
            let men = board.men(cell);
            for man in men {
                if let Some(sign) = sign(man.owner) {
                    out[self.material + man.kind.index()] += sign;
                }
            }
            let Some((top, sign)) = men.last().and_then(|top| Some((top, sign(top.owner)?))) else { continue };
            let (player, kind) = (usize::from(sign < 0.0), top.kind.index());
            if let Some(stacked) = self.stacked {
                out[stacked] += sign * (men.len() - 1) as f32;
            }
            if let Some(advance) = self.advance {
                let row = self.rows[player][cell.index()];
                out[advance + 2 * kind] += sign * row;
                out[advance + 2 * kind + 1] += sign * row * row * row;
            }
            if let Some(place) = self.place {
                let class = usize::from(self.classes[player][cell.index()]);
                out[place + kind * self.class_count + class] += sign;
            }
        }
        for kind in 0..self.kinds {
            let hand = |player: u8| board.hand(Player(player), crate::board::Kind(kind as u8)) as f32;
            out[self.hand + kind] = hand(0) - hand(1);
        }
    }

    /// Rows that only one player has men in, by how many they are.
    fn add_runs(&self, out: &mut [f32]) {
        let Some(length) = self.goals.row_of else { return };
        for window in self.windows.chunks_exact(length) {
            let mut men = [0usize; 4];
            for &cell in window {
                men[usize::from(self.on[usize::from(cell)].0)] += 1;
            }
            match men {
                [own, 0, _, 0] if own > 0 && own < length => out[own - 1] += 1.0,
                [0, own, _, 0] if own > 0 && own < length => out[own - 1] -= 1.0,
                _ => {}
            }
        }
    }

    /// How many groups, the share of the greatest, and the mean distance between men.
    fn add_groups(&mut self, board: &Position, out: &mut [f32]) {
        for player in 0..2u8 {
            let sign = if player == 0 { 1.0 } else { -1.0 };
            let men = board.of(Player(player));
            let (mut left, mut groups, mut largest) = (*men, 0, 0);
            while let Some(start) = left.min() {
                groups += 1;
                left.remove(start);
                self.queue.clear();
                self.queue.push(start.0);
                let mut at = 0;
                while let Some(&cell) = self.queue.get(at) {
                    at += 1;
                    for &to in &self.neighbours[usize::from(cell)] {
                        if left.contains(Cell(to)) {
                            left.remove(Cell(to));
                            self.queue.push(to);
                        }
                    }
                }
                largest = largest.max(self.queue.len());
            }
            let all = men.len();
            if all == 0 {
                continue;
            }
            out[0] += sign * groups as f32;
            out[1] += sign * largest as f32 / all as f32;
            out[2] += sign * self.spread(men);
        }
    }

    fn spread(&self, men: &CellSet) -> f32 {
        let (cells, count) = (self.on.len(), men.len());
        if self.distances.is_empty() || count < 2 {
            return 0.0;
        }
        let mut sum = 0u32;
        for one in men.iter() {
            let from = &self.distances[one.index() * cells..(one.index() + 1) * cells];
            sum += men.iter().map(|other| u32::from(from[other.index()])).sum::<u32>();
        }
        sum as f32 / (count * (count - 1)) as f32
    }

    /// The fewest men that a player has to add to connect two regions.
    fn steps_to_connect(&mut self, player: u8) -> f32 {
        let mut least = self.on.len() as f32;
        for link in 0..self.goals.links.len() {
            let (from, to) = self.goals.links[link];
            let steps = &mut self.steps[0];
            steps.fill(FAR);
            self.queue.clear();
            // The cells of one number of steps after the other: 0 through own men, 1 onto an empty cell.
            let cost = |on: (u8, u8)| match on.0 {
                owner if owner == player => Some(0),
                NOBODY => Some(1),
                _ => None,
            };
            let mut next: Vec<u16> = Vec::new();
            for cell in from.iter() {
                if let Some(cost) = cost(self.on[cell.index()]) {
                    steps[cell.index()] = cost;
                    if cost == 0 { &mut self.queue } else { &mut next }.push(cell.0);
                }
            }
            let mut level = 0u8;
            loop {
                let mut at = 0;
                while let Some(&cell) = self.queue.get(at) {
                    at += 1;
                    if steps[usize::from(cell)] < level {
                        continue;
                    }
                    for &to in &self.neighbours[usize::from(cell)] {
                        let Some(cost) = cost(self.on[usize::from(to)]) else { continue };
                        if level + cost < steps[usize::from(to)] {
                            steps[usize::from(to)] = level + cost;
                            if cost == 0 { &mut self.queue } else { &mut next }.push(to);
                        }
                    }
                }
                self.queue.clear();
                std::mem::swap(&mut self.queue, &mut next);
                level += 1;
                if self.queue.is_empty() || level == FAR - 1 {
                    break;
                }
            }
            let reached = to.iter().map(|cell| steps[cell.index()]).min().unwrap_or(FAR);
            least = least.min(f32::from(reached));
        }
        least
    }

    /// The distance of a player's nearest man from a region that he has to reach.
    fn steps_to_goal(&self, player: u8) -> f32 {
        let cells = self.on.len();
        let mut least = FAR;
        for (cell, _) in self.on.iter().enumerate().filter(|(_, on)| on.0 == player) {
            for region in &self.goals.regions {
                let nearest = region.iter().map(|to| self.distances[cell * cells + to.index()]).min();
                least = least.min(nearest.unwrap_or(FAR));
            }
        }
        f32::from(least).min(cells as f32)
    }

    /// Empty cells beside own men, and empty cells nearer to own men than to the other's.
    fn add_space(&mut self, out: &mut [f32]) {
        for player in 0..2u8 {
            let steps = &mut self.steps[usize::from(player)];
            steps.fill(FAR);
            self.queue.clear();
            let own = (0..self.on.len()).filter(|cell| self.on[*cell].0 == player);
            self.queue.extend(own.map(|cell| cell as u16));
            self.queue.iter().for_each(|cell| steps[usize::from(*cell)] = 0);
            let (men, mut at, mut liberties) = (self.queue.len(), 0, 0.0);
            while let Some(&cell) = self.queue.get(at) {
                if self.territory.is_none() && at >= men {
                    break;
                }
                at += 1;
                let step = steps[usize::from(cell)].saturating_add(1);
                for &to in &self.neighbours[usize::from(cell)] {
                    if self.on[usize::from(to)].0 == NOBODY && steps[usize::from(to)] == FAR {
                        steps[usize::from(to)] = step;
                        liberties += if step == 1 { 1.0 } else { 0.0 };
                        self.queue.push(to);
                    }
                }
            }
            out[self.liberties] += if player == 0 { liberties } else { -liberties };
        }
        let Some(territory) = self.territory else { return };
        let [one, other] = &self.steps;
        let nearer = one.iter().zip(other).map(|(one, other)| match one.cmp(other) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Greater => -1.0,
            std::cmp::Ordering::Equal => 0.0,
        });
        // Own men are no steps away from themselves, and count as material.
        let nearer = nearer.zip(&self.on).filter(|(_, on)| on.0 == NOBODY).map(|(sign, _)| sign);
        out[territory] = nearer.sum();
    }

    /// Where the features of a kind begin: what is counted on the board, in hand.
    pub fn of_kind(&self, kind: usize) -> [usize; 2] {
        [self.material + kind, self.hand + kind]
    }

    pub fn cells(&self) -> usize {
        self.on.len()
    }

    /// How many cells are not empty, of the position that was looked at last.
    pub fn filled(&self) -> usize {
        self.filled
    }

    pub fn kinds(&self) -> usize {
        self.kinds
    }
}

/// The owner's side: 1 for the first player, -1 for the second.
fn sign(owner: Option<Player>) -> Option<f32> {
    match owner?.index() {
        0 => Some(1.0),
        1 => Some(-1.0),
        _ => None,
    }
}

/// For each cell, how far it lies from a player's own edge; none where rows have no meaning.
fn row_shares(game: &Game, forward: Option<crate::board::Dir>) -> Vec<f32> {
    let topology = &game.model().topology;
    let Some(forward) = forward else { return Vec::new() };
    let last = topology.last_row(forward);
    if last < 2 {
        return Vec::new();
    }
    topology.cells().map(|cell| (topology.row(cell, forward) - 1) as f32 / (last - 1) as f32).collect()
}

/// All straight rows of so many cells, one after the other.
fn windows(game: &Game, length: usize) -> Vec<u16> {
    let topology = &game.model().topology;
    let mut windows = Vec::new();
    for axis in topology.axes().iter() {
        let [forth, _] = topology.directions_of(axis);
        for cell in topology.cells() {
            let row: Vec<u16> = std::iter::successors(Some(cell), |cell| topology.step(*cell, forth))
                .take(length)
                .map(|cell| cell.0)
                .collect();
            if row.len() == length {
                windows.extend(row);
            }
        }
    }
    windows
}

/// How many steps lie between two cells, all pairs.
fn distances(neighbours: &[Vec<u16>]) -> Vec<u8> {
    let cells = neighbours.len();
    let mut distances = vec![FAR; cells * cells];
    for (from, distances) in distances.chunks_exact_mut(cells.max(1)).enumerate() {
        distances[from] = 0;
        let (mut queue, mut at) = (vec![from as u16], 0);
        while let Some(&cell) = queue.get(at) {
            at += 1;
            for &to in &neighbours[usize::from(cell)] {
                if distances[usize::from(to)] == FAR {
                    distances[usize::from(to)] = distances[usize::from(cell)].saturating_add(1).min(FAR - 1);
                    queue.push(to);
                }
            }
        }
    }
    distances
}
