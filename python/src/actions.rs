//! Actions: a game goes in; its small, fixed space of actions comes out. An action is a choice of the
//! choice tree: a cell, a direction, a kind, a number, a branch. A move is a path of such choices; in a flat space it is one
//! action, behind those of single choices.

use lusoria::model;
use lusoria::position::Written;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use smallvec::SmallVec;

use crate::forms::{Class, Form, forms};

/// The choices of one move, as actions.
pub type Path = SmallVec<[u16; 8]>;

/// Numbers from 0 that are actions of their own. Greater ones share the last; negative ones, the first.
const NUMBERS: usize = 64;
/// Words of moves: to pass, to swap, to stop.
const MARKS: usize = 3;
/// Actions that tell moves apart which write the same.
const RANKS: usize = 16;

/// The space of actions of a game: blocks of numbers, one behind the other.
#[derive(Clone, Debug)]
pub struct Actions {
    cells: usize,
    dirs: usize,
    axes: usize,
    kinds: usize,
    labels: usize,
    names: Vec<String>,
    /// Of a flat space: moves of more than one choice, by their forms, and where those of each begin.
    flat: Vec<(Form, usize)>,
}

impl Actions {
    pub fn new(game: &model::Game) -> Actions {
        let board = &game.topology;
        let mut names: Vec<String> = board.cells().map(|cell| board.name(cell).to_string()).collect();
        let cells = names.len();
        let dirs = board.directions();
        let axes = dirs.div_ceil(2);
        let (kinds, labels) = (game.kinds.len(), game.labels.len());
        names.extend((0..dirs).map(|dir| board.direction_name(lusoria::board::Dir(dir as u16))));
        names.extend((0..axes).map(|axis| format!("axis {}", board.axis_name(lusoria::board::Axis(axis as u16)))));
        names.extend(game.kinds.iter().map(|kind| kind.name.clone()));
        names.extend(game.labels.iter().cloned());
        names.extend((0..NUMBERS).map(|number| number.to_string()));
        names.extend(["pass", "swap", "stop", "done"].map(String::from));
        names.extend((0..RANKS).map(|rank| format!("way {rank}")));
        Actions { cells, dirs, axes, kinds, labels, names, flat: Vec::new() }
    }

    /// The space in which a move is one action. `None`: the game has none, or one with too many actions.
    pub fn flat(game: &model::Game) -> Option<Actions> {
        let mut actions = Actions::new(game);
        for form in forms(game)?.into_iter().filter(|form| form.len() > 1) {
            let size = form.iter().map(|class| actions.block(*class).1).product::<usize>();
            if actions.names.len() + size > usize::from(u16::MAX) {
                return None;
            }
            let at = actions.names.len();
            for number in 0..size {
                let name = actions.flat_name(&form, number);
                actions.names.push(name);
            }
            actions.flat.push((form, at));
        }
        Some(actions)
    }

    /// Where the actions of a class begin, and how many there are.
    fn block(&self, class: Class) -> (usize, usize) {
        let kinds = self.cells + self.dirs + self.axes;
        match class {
            Class::Cell => (0, self.cells),
            Class::Dir => (self.cells, self.dirs),
            Class::Axis => (self.cells + self.dirs, self.axes),
            Class::Kind => (kinds, self.kinds),
            Class::Label => (kinds + self.kinds, self.labels),
            Class::Number => (self.numbers(), NUMBERS),
            Class::Mark => (self.marks(), MARKS),
        }
    }

    fn flat_name(&self, form: &Form, number: usize) -> String {
        let mut rest = number;
        let mut names = Vec::new();
        for class in form.iter().rev() {
            let (first, size) = self.block(*class);
            names.push(self.names[first + rest % size].as_str());
            rest /= size;
        }
        names.reverse();
        names.join("-")
    }

    /// The one action of a path, in a flat space that has its form.
    fn flat_action(&self, path: &Path) -> Option<u16> {
        let fits = |(form, _): &&(Form, usize)| {
            form.len() == path.len()
                && form.iter().zip(path).all(|(class, action)| {
                    let (first, size) = self.block(*class);
                    (first..first + size).contains(&usize::from(*action))
                })
        };
        let (form, at) = self.flat.iter().find(fits)?;
        let number = form.iter().zip(path).fold(0, |number, (class, action)| {
            let (first, size) = self.block(*class);
            number * size + usize::from(*action) - first
        });
        Some((at + number) as u16)
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn cells(&self) -> usize {
        self.cells
    }

    pub fn name(&self, action: usize) -> Option<&str> {
        self.names.get(action).map(String::as_str)
    }

    pub fn named(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    fn numbers(&self) -> usize {
        self.cells + self.dirs + self.axes + self.kinds + self.labels
    }

    fn marks(&self) -> usize {
        self.numbers() + NUMBERS
    }

    /// The choice that a move ends with which is the beginning of a longer one.
    fn done(&self) -> u16 {
        (self.marks() + 3) as u16
    }

    fn rank(&self, digit: usize) -> u16 {
        (self.marks() + 4 + digit) as u16
    }

    /// The action of a choice. Of groups it is the first cell.
    fn push(&self, path: &mut Path, written: &Written) {
        let kinds = self.cells + self.dirs + self.axes;
        let action = match written {
            Written::Cell(cell) | Written::Landing { cell, .. } => cell.index(),
            Written::Combination(cells) => {
                path.extend(cells.iter().map(|cell| cell.0));
                return;
            }
            Written::Group(cells) => match cells.min() {
                Some(cell) => cell.index(),
                None => usize::from(self.done()),
            },
            Written::Dir(dir) => self.cells + dir.index(),
            Written::Axis(axis) => self.cells + self.dirs + usize::from(axis.0),
            Written::Kind(kind) | Written::Promotion(kind) => kinds + kind.index(),
            Written::Label(label) => kinds + self.kinds + usize::from(*label),
            Written::Number(number) => self.numbers() + (*number).clamp(0, NUMBERS as i64 - 1) as usize,
            Written::Pass => self.marks(),
            Written::Swap => self.marks() + 1,
            Written::Stop => self.marks() + 2,
            Written::Chance(chosen) => return self.push(path, chosen),
        };
        path.push(action as u16);
    }
}

/// The legal moves of a position as paths of actions, sorted: none is the beginning of another.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Each with the place of its move in the order in which they came.
    sorted: Vec<(Path, u32)>,
}

impl Paths {
    pub fn clear(&mut self) {
        self.sorted.clear();
    }

    /// Adds a move by what it writes.
    pub fn push(&mut self, actions: &Actions, written: &[Written]) {
        let mut path = Path::new();
        written.iter().for_each(|written| actions.push(&mut path, written));
        if let Some(action) = actions.flat_action(&path) {
            path = Path::from_slice(&[action]);
        }
        self.sorted.push((path, self.sorted.len() as u32));
    }

    /// Sorts the moves that came.
    pub fn sort(&mut self) {
        self.sorted.sort_unstable();
    }

    /// Some moves have the same path, so that the order in which they came tells them apart.
    pub fn are_alike(&self) -> bool {
        self.sorted.windows(2).any(|both| both[0].0 == both[1].0)
    }

    /// Makes paths differ, and none the beginning of another. They are sorted.
    pub fn tell_apart(&mut self, actions: &Actions) {
        let is_empty = self.sorted.first().is_some_and(|(path, _)| path.is_empty());
        if is_empty || self.sorted.windows(2).any(|both| both[1].0.starts_with(&both[0].0)) {
            tell_apart(actions, &mut self.sorted);
        }
    }

    pub fn copy_from(&mut self, other: &Paths) {
        self.sorted.clone_from(&other.sorted);
    }

    pub fn path(&self, at: usize) -> &Path {
        &self.sorted[at].0
    }

    /// The place of a move in the order in which they came.
    pub fn place(&self, at: usize) -> usize {
        self.sorted[at].1 as usize
    }
}

/// Choices that have been made of a move: the paths `first..end` begin with them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Begun {
    pub first: usize,
    pub end: usize,
    depth: usize,
}

impl Begun {
    /// No choice has been made.
    pub fn all(paths: &Paths) -> Begun {
        Begun { first: 0, end: paths.sorted.len(), depth: 0 }
    }

    /// There is nothing to choose.
    pub fn is_empty(self) -> bool {
        self.first == self.end
    }

    /// The actions so far.
    pub fn chosen(self, paths: &Paths) -> &[u16] {
        if self.is_empty() { &[] } else { &paths.path(self.first)[..self.depth] }
    }

    /// The next action of each path, ascending.
    pub fn next(self, paths: &Paths) -> impl Iterator<Item = u16> + '_ {
        paths.sorted[self.first..self.end].iter().map(move |(path, _)| path[self.depth])
    }

    /// The actions that are legal, ascending, each with how many moves begin with it.
    pub fn legal(self, paths: &Paths) -> impl Iterator<Item = (u16, usize)> + '_ {
        let mut left = self.next(paths).peekable();
        std::iter::from_fn(move || {
            let action = left.next()?;
            let mut moves = 1;
            while left.next_if_eq(&action).is_some() {
                moves += 1;
            }
            Some((action, moves))
        })
    }

    /// With one choice more; `None`: it is not legal.
    pub fn with(self, paths: &Paths, action: u16) -> Option<Begun> {
        let all = &paths.sorted[self.first..self.end];
        let first = self.first + all.partition_point(|(path, _)| path[self.depth] < action);
        let end = self.first + all.partition_point(|(path, _)| path[self.depth] <= action);
        (first < end).then_some(Begun { first, end, depth: self.depth + 1 })
    }

    /// All choices of the move have been made.
    pub fn is_complete(self, paths: &Paths) -> bool {
        paths.path(self.first).len() == self.depth
    }

    /// The action that begins a move drawn uniformly; there must be one.
    pub fn drawn(self, paths: &Paths, rng: &mut Xoshiro256PlusPlus) -> u16 {
        paths.path(rng.random_range(self.first..self.end))[self.depth]
    }
}

/// Ends paths that others begin with, and gives equal ones ranks: digits of one length, in the order of the
/// moves.
fn tell_apart(actions: &Actions, paths: &mut [(Path, u32)]) {
    let mut first = 0;
    while first < paths.len() {
        let alike = paths[first..].iter().take_while(|(path, _)| *path == paths[first].0).count();
        let is_begun = paths.get(first + alike).is_some_and(|(next, _)| next.starts_with(&paths[first].0));
        let digits = std::iter::successors(Some(alike - 1), |rest| (*rest >= RANKS).then_some(rest / RANKS)).count();
        for (rank, (path, _)) in paths[first..first + alike].iter_mut().enumerate() {
            if is_begun || path.is_empty() {
                path.push(actions.done());
            }
            if alike > 1 {
                path.extend((0..digits as u32).rev().map(|digit| actions.rank(rank / RANKS.pow(digit) % RANKS)));
            }
        }
        first += alike;
    }
    paths.sort_unstable();
}
