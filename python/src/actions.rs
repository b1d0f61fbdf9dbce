//! Actions: a game goes in; its small, fixed space of actions comes out. An action is a choice of the
//! choice tree: a cell, a direction, a kind, a number, a branch. A move is a path of such choices.

use lusoria::Move;
use lusoria::model;
use lusoria::position::Written;
use smallvec::SmallVec;

/// The choices of one move, as actions.
pub type Path = SmallVec<[u16; 8]>;

/// Numbers from 0 that are actions of their own. Greater ones share the last; negative ones, the first.
const NUMBERS: usize = 64;
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
        Actions { cells, dirs, axes, kinds, labels, names }
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
            Written::Pair(cells) => {
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

/// The legal moves of a position as paths of actions: none is the beginning of another.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Sorted, each with the place of its move.
    paths: Vec<(Path, u32)>,
    pub moves: Vec<Move>,
}

impl Choices {
    pub fn new(actions: &Actions, moves: Vec<Move>) -> Choices {
        let mut paths: Vec<(Path, u32)> = (moves.iter().enumerate())
            .map(|(at, one)| {
                let mut path = Path::new();
                one.written().iter().for_each(|written| actions.push(&mut path, written));
                (path, at as u32)
            })
            .collect();
        paths.sort_unstable();
        let is_empty = paths.first().is_some_and(|(path, _)| path.is_empty());
        if is_empty || paths.windows(2).any(|both| both[1].0.starts_with(&both[0].0)) {
            tell_apart(actions, &mut paths);
        }
        Choices { paths, moves }
    }

    pub fn len(&self) -> usize {
        self.paths.len()
    }

    pub fn path(&self, at: usize) -> &Path {
        &self.paths[at].0
    }

    pub fn chosen(&self, at: usize) -> &Move {
        &self.moves[self.paths[at].1 as usize]
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
