//! Grid: a game goes in; as what its board is drawn, and between which cells lines run, come out, for drawings of all kinds.

use crate::board::{Cell, CellSet, Dir, DirSet, Shape, Topology};
use crate::model::{CellStyle, Dirs, Game, Landing, Line, Place, RegionStyle, Statement};
use crate::position::Position;
use crate::reference::Executor;

/// Least files of a board on whose crossings stones are placed, unless the file says so.
const LEAST_GOBAN: u8 = 9;
/// Boards so large have their star points on the fourth lines, smaller ones on the third.
const LARGE_GOBAN: u8 = 13;
/// Boards larger than this have star points in the middle of their sides too.
const SIDE_STARS: u8 = 17;

/// As what a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grid {
    Squares {
        checkered: bool,
    },
    /// Points, where lines cross.
    Crossings,
    /// Long triangles, which men lie along.
    Points,
    Hexagons,
    Graph,
}

/// The cells of a region as each player sees them, none twice.
pub(crate) type Seen = Vec<(RegionStyle, Vec<CellSet>)>;

/// The regions that a file names, as each player sees them.
pub(crate) fn seen_regions(game: &Game, position: &Position) -> Seen {
    let (mut executor, mut empty) = (Executor::new(), position.clone());
    game.looks
        .regions
        .iter()
        .map(|region| {
            let mut seen: Vec<CellSet> = Vec::new();
            for player in game.players() {
                let cells = executor.region(game, &mut empty, region, player);
                if !cells.is_empty() && !seen.contains(&cells) {
                    seen.push(cells);
                }
            }
            (region.style, seen)
        })
        .collect()
}

/// As what its board is drawn: as the file says, else as it fits the rules.
pub(crate) fn grid(game: &Game) -> Grid {
    match game.topology.shape() {
        Shape::Hexagon { .. } => return Grid::Hexagons,
        Shape::Points { .. } => return Grid::Graph,
        Shape::Square { .. } => {}
    }
    match game.looks.layout {
        Some(CellStyle::Intersections) => Grid::Crossings,
        Some(CellStyle::Points) => Grid::Points,
        Some(CellStyle::Squares) => Grid::Squares { checkered: false },
        Some(CellStyle::Checkered) => Grid::Squares { checkered: true },
        None if is_uneven(&game.topology, game.topology.straight()) || places_stones(game) => Grid::Crossings,
        None => Grid::Squares { checkered: has_diagonal_movers(game) },
    }
}

/// Of some direction one step is drawn and another is not, though both ends are there.
pub(crate) fn is_uneven(board: &Topology, dirs: DirSet) -> bool {
    dirs.iter().any(|dir| {
        board.cells().any(|from| {
            let place = (board.file(from), board.rank(from));
            let to = board.shape().neighbour(place, dir.index()).and_then(|(file, rank)| board.at(file, rank));
            to.is_some() && board.step(from, dir).is_none()
        })
    })
}

/// Stones are placed, and never go anywhere or change sides, on a board large enough for it.
pub(crate) fn places_stones(game: &Game) -> bool {
    let board = &game.topology;
    let mut places = false;
    for statement in game.blocks.iter().flatten() {
        match statement {
            Statement::Move { .. } | Statement::Flip { .. } | Statement::Promote { .. } => return false,
            Statement::Place { place: Place::On { .. }, .. } => places = true,
            _ => {}
        }
    }
    let is_large = board.files() >= LEAST_GOBAN && board.ranks() >= LEAST_GOBAN;
    places && is_large && game.kinds.iter().all(|kind| kind.ways.is_empty())
}

/// Some way of a kind, or some move of a program, goes diagonally alone.
fn has_diagonal_movers(game: &Game) -> bool {
    let ways = game.kinds.iter().flat_map(|kind| kind.ways.iter().map(|way| &way.line));
    let moves = game.blocks.iter().flatten().filter_map(|statement| match statement {
        Statement::Move { landing: Landing::Line(line), .. } => Some(line),
        _ => None,
    });
    ways.chain(moves).any(|line| is_diagonal(game, line))
}

fn is_diagonal(game: &Game, line: &Line) -> bool {
    let diagonal = game.topology.diagonal();
    let dirs = known_dirs(game, &line.dirs);
    dirs.is_some_and(|dirs| !dirs.is_empty() && (dirs - diagonal).is_empty())
}

/// The directions as the first player sees them, where they are said in words for all.
fn known_dirs(game: &Game, dirs: &Dirs) -> Option<DirSet> {
    let board = &game.topology;
    let forward = || game.seats.first().and_then(|seat| seat.forward);
    let one = |dir: Dir| DirSet::one(dir);
    Some(match dirs {
        Dirs::Fixed(set) => *set,
        Dirs::Forward => one(forward()?),
        Dirs::Backward => one(board.opposite(forward()?)),
        Dirs::Ahead => board.ahead(forward()?),
        Dirs::Behind => board.behind(forward()?),
        Dirs::Sideways => board.sideways(forward()?),
        Dirs::Not(inner) => board.straight() - known_dirs(game, inner)?,
        Dirs::And(all) => {
            let sets: Option<Vec<DirSet>> = all.iter().map(|part| known_dirs(game, part)).collect();
            sets?.into_iter().reduce(|one, other| one & other)?
        }
        Dirs::Or(any) => {
            let sets: Option<Vec<DirSet>> = any.iter().map(|part| known_dirs(game, part)).collect();
            sets?.into_iter().fold(DirSet::EMPTY, |one, other| one | other)
        }
        Dirs::Opposite(inner) => board.opposites(&known_dirs(game, inner)?),
        _ => return None,
    })
}

/// The directions in which lines of a board of crossings run.
pub(crate) fn line_dirs(board: &Topology) -> DirSet {
    let (orthogonal, straight) = (board.orthogonal(), board.straight());
    // Where some diagonals are lines and others are none, those that are tell the neighbours of a cell.
    let is_slanted = !(board.diagonal() - straight).is_empty();
    let drawn = |dir: &Dir| is_slanted || orthogonal.contains(*dir) || is_uneven(board, DirSet::one(*dir));
    straight.iter().filter(drawn).fold(DirSet::EMPTY, |all, dir| all | DirSet::one(dir))
}

/// The crossing to which a line runs from another one: beside it, and not over a river.
pub(crate) fn link(board: &Topology, regions: &Seen, from: Cell, dir: Dir) -> Option<Cell> {
    let to = board.step(from, dir)?;
    let is_beside = board.file(from).abs_diff(board.file(to)) <= 1 && board.rank(from).abs_diff(board.rank(to)) <= 1;
    (is_beside && !leaves_bank(board, regions, from, to)).then_some(to)
}

/// The step crosses a river: it leaves a bank elsewhere than along the edge of the board.
fn leaves_bank(board: &Topology, regions: &Seen, from: Cell, to: Cell) -> bool {
    let both = |first: u8, last: u8, at: (u8, u8)| at.0 == at.1 && (at.0 == first || at.0 == last);
    let along_edge = both(1, board.files(), (board.file(from), board.file(to)))
        || both(1, board.ranks(), (board.rank(from), board.rank(to)));
    let banks = regions.iter().filter(|(style, _)| *style == RegionStyle::Bank);
    !along_edge && banks.flat_map(|(_, seen)| seen).any(|cells| cells.contains(from) != cells.contains(to))
}

/// The star points of a board on which stones are placed: an odd square.
pub(crate) fn stars(game: &Game) -> Vec<Cell> {
    let board = &game.topology;
    let side = board.files();
    let is_goban = side == board.ranks() && side % 2 == 1 && board.len() == usize::from(side) * usize::from(side);
    if !is_goban || !places_stones(game) {
        return Vec::new();
    }
    let (near, middle) = (if side >= LARGE_GOBAN { 4 } else { 3 }, side / 2 + 1);
    let lines = [near, middle, side + 1 - near];
    let mut stars = Vec::new();
    for file in lines {
        for rank in lines {
            let is_side = (file == middle) != (rank == middle);
            if !is_side || side > SIDE_STARS {
                stars.extend(board.at(file, rank));
            }
        }
    }
    stars
}
