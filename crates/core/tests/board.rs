//! Tests of boards: boards go in; what their tables say is compared with what one counts on paper.

use lusoria_core::board::*;

fn square(files: u8, ranks: u8) -> Topology {
    Topology::new(Shape::square(files, ranks)).expect("within the limits")
}

fn hexagon(side: u8) -> Topology {
    Topology::new(Shape::Hexagon { side }).expect("within the limits")
}

fn points(lines: &str) -> Result<Topology, TopologyError> {
    let line = |text: &str| text.split_whitespace().filter_map(parse_cell).collect();
    Topology::new(Shape::Points { lines: lines.split(',').map(line).collect() })
}

const MILLS: &str = "a7 d7 g7, g7 g4 g1, g1 d1 a1, a1 a4 a7, b6 d6 f6, f6 f4 f2, f2 d2 b2, b2 b4 b6, \
    c5 d5 e5, e5 e4 e3, e3 d3 c3, c3 c4 c5, a4 b4 c4, e4 f4 g4, d7 d6 d5, d1 d2 d3, \
    a7 b6 c5, g7 f6 e5, g1 f2 e3, a1 b2 c3";

fn cell(board: &Topology, name: &str) -> Cell {
    board.named(name).unwrap_or_else(|| panic!("no {name}"))
}

fn cells(board: &Topology, names: &str) -> CellSet {
    names.split_whitespace().map(|name| cell(board, name)).collect()
}

fn names(board: &Topology, cells: &CellSet) -> String {
    cells.iter().map(|cell| board.name(cell)).collect::<Vec<_>>().join(" ")
}

fn neighbours(board: &Topology, name: &str) -> String {
    names(board, &board.shift(&cells(board, name), &board.straight()))
}

fn dir(board: &Topology, compass: Compass) -> Dir {
    board.compass(compass).expect("a direction of the shape")
}

fn words(board: &Topology, dirs: DirSet) -> String {
    dirs.iter().map(|dir| board.direction_name(dir)).collect::<Vec<_>>().join(" ")
}

fn only(board: &Topology, compass: Compass) -> DirSet {
    DirSet::one(dir(board, compass))
}

#[test]
fn cells_are_named_by_file_and_rank() {
    for (file, rank, name) in
        [(1, 1, "a1"), (3, 12, "c12"), (26, 7, "z7"), (27, 3, "aa3"), (32, 99, "af99"), (99, 1, "cu1")]
    {
        assert_eq!(cell_name(file, rank), name);
        assert_eq!(parse_cell(name), Some((file, rank)));
    }
    for bad in ["", "a", "1", "a0", "a01", "A1", "cv1", "aaa1", "a1b", "a100", "a256", "é1", "1a", "a 1", "a-1", "a1é"]
    {
        assert_eq!(parse_cell(bad), None, "{bad}");
    }
}

#[test]
fn cells_are_numbered_rank_by_rank() {
    let board = square(3, 2);
    assert_eq!(names(&board, &board.any()), "a1 b1 c1 a2 b2 c2");
    let board = hexagon(2);
    assert_eq!(names(&board, &board.any()), "a1 b1 c1 a2 b2 c2 b3");
}

#[test]
fn squares_have_three_five_or_eight_neighbours() {
    let board = square(8, 8);
    let count = |name: &str| neighbours(&board, name).split(' ').count();
    assert_eq!((count("a1"), count("a4"), count("e5"), count("h8")), (3, 5, 8, 3));
    assert_eq!(neighbours(&board, "a1"), "b1 a2 b2");
    assert_eq!(words(&board, board.orthogonal()), "north east south west");
    assert_eq!(words(&board, board.diagonal()), "northeast southeast southwest northwest");
    assert_eq!(board.axes().len(), 4);
}

#[test]
fn hexagons_have_the_neighbours_of_their_definition() {
    let board = hexagon(7);
    assert_eq!((board.len(), board.files(), board.ranks()), (127, 13, 13));
    assert_eq!(neighbours(&board, "g7"), "f6 g6 h6 f7 h7 g8");
    for corner in ["a1", "a7", "g1", "g13", "m1", "m7"] {
        assert_eq!(neighbours(&board, corner).split(' ').count(), 3, "{corner}");
    }
    assert_eq!(neighbours(&board, "a4").split(' ').count(), 4);
    let step =
        |name: &str, compass| board.step(cell(&board, name), dir(&board, compass)).map(|to| board.name(to).to_string());
    assert_eq!(step("c3", Compass::Northeast).as_deref(), Some("d4"));
    assert_eq!(step("c3", Compass::Southeast).as_deref(), Some("d3"));
    assert_eq!(step("c3", Compass::Northwest).as_deref(), Some("b3"));
    assert_eq!(step("c3", Compass::Southwest).as_deref(), Some("b2"));
    assert_eq!(step("i3", Compass::Northeast).as_deref(), Some("j3"));
    assert_eq!(step("i3", Compass::Southwest).as_deref(), Some("h3"));
    assert_eq!(step("g13", Compass::Northeast), None);
    assert_eq!(board.compass(Compass::East), None);
    assert_eq!((board.orthogonal().len(), board.diagonal().len(), board.axes().len()), (6, 0, 3));
}

#[test]
fn every_step_has_its_way_back() {
    for board in [square(9, 5), hexagon(5), points(MILLS).expect("a board"), square(1, 4)] {
        for from in board.cells() {
            for &(dir, to) in board.exits(from) {
                assert_eq!(board.step(from, dir), Some(to));
                assert_eq!(board.step(to, board.opposite(dir)), Some(from));
                assert_eq!(board.axis(dir), board.axis(board.opposite(dir)));
                assert!(board.directions_of(board.axis(dir)).contains(&dir));
            }
        }
    }
}

fn wrapped(files: u8, ranks: u8, wrap: Wrap) -> Result<Topology, TopologyError> {
    Topology::new(Shape::Square { files, ranks, layers: 1, wrap })
}

#[test]
fn cylinders_and_tori_close_to_rings() {
    let cylinder = wrapped(8, 8, Wrap { files: true, ranks: false }).expect("a board");
    assert_eq!(neighbours(&cylinder, "a1"), "b1 h1 a2 b2 h2");
    assert_eq!(neighbours(&cylinder, "h8"), "a7 g7 h7 a8 g8");
    let torus = wrapped(5, 6, Wrap { files: true, ranks: true }).expect("a board");
    assert_eq!(neighbours(&torus, "a1"), "b1 e1 a2 b2 e2 a6 b6 e6");
    for board in [&cylinder, &torus] {
        for from in board.cells() {
            for &(dir, to) in board.exits(from) {
                assert_eq!(board.step(to, board.opposite(dir)), Some(from));
            }
        }
    }
    let span = |a, b| names(&cylinder, &cylinder.span(cell(&cylinder, a), cell(&cylinder, b)).expect("a line"));
    assert_eq!((span("e1", "c1").as_str(), span("b1", "g1").as_str()), ("c1 d1 e1", "a1 b1 g1 h1"));
    assert_eq!(cylinder.segments(&cylinder.rank_band(1, 1), &only(&cylinder, Compass::East), 3, 3).len(), 8);
    let alone = |board: &Topology| board.straight().iter().filter(|&dir| board.is_only_line(dir)).collect();
    assert_eq!(
        (words(&cylinder, alone(&cylinder)).as_str(), words(&torus, alone(&torus)).as_str()),
        ("north south", "")
    );
    assert_eq!(words(&square(8, 8), alone(&square(8, 8))).split(' ').count(), 8);
    assert_eq!(wrapped(8, 2, Wrap { files: true, ranks: true }).err(), Some(TopologyError::ShortRing(2)));
}

#[test]
fn layers_lie_side_by_side_and_stand_on_each_other() {
    let cube = Topology::new(Shape::Square { files: 3, ranks: 3, layers: 3, wrap: Wrap::default() }).expect("a board");
    assert_eq!((cube.len(), cube.files(), cube.ranks()), (27, 9, 3));
    assert_eq!(neighbours(&cube, "a1"), "b1 d1 e1 a2 b2 d2 e2");
    assert_eq!(neighbours(&cube, "e2").split(' ').count(), 26);
    let up = |name: &str, word: &str| {
        cube.step(cell(&cube, name), cube.direction_named(word).expect("a direction")).map(|to| cube.name(to))
    };
    assert_eq!((up("a1", "up"), up("i3", "down"), up("g1", "up")), (Some("d1"), Some("f3"), None));
    assert_eq!((up("c1", "east"), up("a1", "upnortheast"), up("i3", "downsouthwest")), (None, Some("e2"), Some("e2")));
    assert_eq!((cube.orthogonal().len(), cube.diagonal().len(), cube.axes().len()), (6, 12, 13));
    assert_eq!(cube.segments(&cube.any(), &cube.straight(), 3, 3).len(), 49);
    for from in cube.cells() {
        for &(dir, to) in cube.exits(from) {
            assert_eq!(cube.step(to, cube.opposite(dir)), Some(from));
            assert!(cube.directions_of(cube.axis(dir)).contains(&dir));
        }
    }
    let north = dir(&cube, Compass::North);
    let rise = cube.direction_named("up").expect("a direction");
    assert_eq!(cube.ahead(north).len(), 9);
    assert_eq!(words(&cube, cube.outward(north)), "northeast upnorth northwest downnorth");
    assert_eq!(words(&cube, cube.outward(rise)), "upnorth upeast upsouth upwest");
    assert_eq!((cube.row(cell(&cube, "e2"), rise), cube.last_row(rise), cube.last_row(north)), (2, 3, 3));
    let go = |to: Option<Cell>| to.map(|to| cube.name(to).to_string());
    let down = cube.opposite(rise);
    assert_eq!(go(cube.mirrored(cell(&cube, "a1"), rise, down)).as_deref(), Some("g1"));
    assert_eq!(go(cube.rotated(cell(&cube, "a1"), rise, down)).as_deref(), Some("i1"));
    assert_eq!(go(cube.rotated(cell(&cube, "a1"), north, cube.opposite(north))).as_deref(), Some("c3"));
}

#[test]
fn fanorona_draws_diagonals_at_strong_points() {
    let board = square(9, 5);
    let strong = board.cells().filter(|&cell| (board.file(cell) + board.rank(cell)).is_multiple_of(2)).collect();
    let lines =
        [LineSpec { dirs: board.orthogonal(), ends: board.any() }, LineSpec { dirs: board.diagonal(), ends: strong }];
    let board = board.redraw(&CellSet::EMPTY, &lines).expect("a board");
    assert_eq!(neighbours(&board, "e3"), "d2 e2 f2 d3 f3 d4 e4 f4");
    assert_eq!(neighbours(&board, "d3"), "d2 c3 e3 d4");
    assert_eq!(neighbours(&board, "a1"), "b1 a2 b2");
    assert_eq!(neighbours(&board, "b1"), "a1 c1 b2");
    assert_eq!(board.straight().len(), 8);
}

#[test]
fn missing_cells_are_renumbered_and_cut_lines() {
    let board = square(10, 10);
    let corners = cells(&board, "a1 j1 a10 j10");
    let board = board.redraw(&corners, &[]).expect("a board");
    assert_eq!(board.len(), 96);
    assert_eq!((board.name(Cell(0)), board.named("a1"), board.files()), ("b1", None, 10));
    assert_eq!(neighbours(&board, "b1"), "c1 a2 b2 c2");
    assert_eq!(board.row(cell(&board, "b1"), dir(&board, Compass::South)), 10);
    assert_eq!(board.redraw(&board.any(), &[]).err(), Some(TopologyError::NoCells));
}

#[test]
fn a_line_said_one_way_is_drawn_both_ways() {
    let board = square(3, 3);
    let lines = [LineSpec { dirs: only(&board, Compass::East), ends: board.any() }];
    let board = board.redraw(&CellSet::EMPTY, &lines).expect("a board");
    assert_eq!(words(&board, board.straight()), "east west");
    assert_eq!(neighbours(&board, "b2"), "a2 c2");
    assert_eq!(board.axes().len(), 1);
}

#[test]
fn points_follow_their_lines() {
    let board = points(MILLS).expect("a board");
    assert_eq!((board.len(), board.directions(), board.axes().len()), (24, 40, 20));
    assert_eq!(neighbours(&board, "d6"), "d5 b6 f6 d7");
    assert_eq!(neighbours(&board, "a7"), "a4 b6 d7");
    assert_eq!(board.direction_name(Dir(0)), "a7/d7");
    assert_eq!(board.direction_name(Dir(1)), "g7/d7");
    assert_eq!(board.axis_name(Axis(1)), "g7/g4");
    assert_eq!(board.segments(&board.any(), &board.straight(), 3, 3).len(), 20);
    assert!((board.orthogonal() | board.ahead(Dir(0)) | board.outward(Dir(0))).is_empty());
    let dirs = (0..32).map(Dir).collect();
    let plain = board.redraw(&CellSet::EMPTY, &[LineSpec { dirs, ends: board.any() }]).expect("a board");
    assert_eq!(neighbours(&plain, "a7"), "a4 d7");
    assert_eq!(plain.axes().len(), 16);
}

#[test]
fn a_ring_ends_where_it_began() {
    let board = points("a1 b1 b2 a2 a1").expect("a board");
    assert_eq!(neighbours(&board, "a1"), "b1 a2");
    assert_eq!(names(&board, &board.span(cell(&board, "a1"), cell(&board, "b2")).expect("a line")), "a1 b1 b2");
    assert_eq!(board.segments(&board.any(), &board.straight(), 2, 9).len(), 4 + 4 + 1);
}

#[test]
fn wrong_boards_are_refused() {
    assert_eq!(points("a1 b1, c1").err(), Some(TopologyError::ShortLine(1)));
    assert_eq!(points("a1 b1 b1").err(), Some(TopologyError::ShortLine(0)));
    assert_eq!(points("a1 b1 a1 c1").err(), Some(TopologyError::CrossedLine(0)));
    assert_eq!(points("a1 b1 a1").err(), Some(TopologyError::CrossedLine(0)));
    assert_eq!(Topology::new(Shape::square(0, 3)).err(), Some(TopologyError::NoCells));
    assert_eq!(Topology::new(Shape::Hexagon { side: 0 }).err(), Some(TopologyError::NoCells));
    assert_eq!(Topology::new(Shape::Points { lines: vec![] }).err(), Some(TopologyError::NoCells));
    assert_eq!(Topology::new(Shape::square(100, 3)).err(), Some(TopologyError::LongSide(100)));
    assert_eq!(Topology::new(Shape::Hexagon { side: 200 }).err(), Some(TopologyError::LongSide(200)));
    let lines = vec![vec![(1, 1), (2, 1)]; MAX_LINES + 1];
    assert_eq!(Topology::new(Shape::Points { lines }).err(), Some(TopologyError::TooManyLines(513)));
    let lines = (1..=32).map(|file| (1..=99).map(|rank| (file, rank)).collect()).collect();
    assert_eq!(Topology::new(Shape::Points { lines }).err(), Some(TopologyError::TooManyCells(3168)));
    assert_eq!(
        (square(32, 32).len(), square(99, 10).len(), hexagon(16).len(), hexagon(1).len(), square(1, 1).len()),
        (1024, 990, 721, 1, 1)
    );
}

#[test]
fn relative_directions_are_scalar_products() {
    let board = square(8, 8);
    let north = dir(&board, Compass::North);
    assert_eq!(words(&board, board.ahead(north)), "north northeast northwest");
    assert_eq!(words(&board, board.behind(north)), "southeast south southwest");
    assert_eq!(words(&board, board.sideways(north)), "east west");
    assert_eq!(words(&board, board.outward(north)), "northeast northwest");
    assert_eq!(words(&board, board.ahead(dir(&board, Compass::Southeast))), "east southeast south");
    let board = hexagon(4);
    let north = dir(&board, Compass::North);
    assert_eq!(words(&board, board.ahead(north)), "north northeast northwest");
    assert_eq!(words(&board, board.behind(dir(&board, Compass::Southeast))), "north southwest northwest");
    assert_eq!(words(&board, board.sideways(north)), "");
    assert_eq!(words(&board, board.outward(dir(&board, Compass::Northwest))), "north southwest");
}

#[test]
fn rows_count_from_the_side_of_the_player() {
    let board = square(8, 6);
    let row = |name: &str, compass| board.row(cell(&board, name), dir(&board, compass));
    assert_eq!(row("c2", Compass::North), 2);
    assert_eq!(row("c2", Compass::South), 5);
    assert_eq!(row("c2", Compass::East), 3);
    assert_eq!(row("c2", Compass::West), 6);
    assert_eq!(row("a1", Compass::Northeast), 1);
    assert_eq!(row("c2", Compass::Northeast), 4);
    assert_eq!(row("h1", Compass::Northwest), 1);
    assert_eq!(row("a6", Compass::Southeast), 1);
    assert_eq!(board.last_row(dir(&board, Compass::Southwest)), 13);
    assert_eq!(board.last_row(dir(&board, Compass::South)), 6);
    let band = |compass, from, to| names(&board, &board.row_band(dir(&board, compass), from, to));
    assert_eq!(band(Compass::South, 1, 1), "a6 b6 c6 d6 e6 f6 g6 h6");
    assert_eq!(band(Compass::Northeast, 1, 2), "a1 b1 a2");
    assert_eq!(band(Compass::West, 8, 99), "a1 a2 a3 a4 a5 a6");
    assert_eq!(hexagon(3).row(Cell(4), Dir(0)), 0);
    assert!(hexagon(3).row_band(Dir(0), 1, 9).is_empty());
}

#[test]
fn bands_leave_out_what_is_not_there() {
    let board = square(4, 3);
    assert_eq!(names(&board, &board.file_band(2, 2)), "b1 b2 b3");
    assert_eq!(names(&board, &board.rank_band(3, i64::MAX)), "a3 b3 c3 d3");
    assert_eq!(names(&board, &board.rank_band(i64::MIN, 1)), "a1 b1 c1 d1");
    assert!((board.file_band(3, 2) | board.file_band(5, 9) | board.file_band(-3, 0)).is_empty());
    let corners = |a, b| names(&board, &board.rectangle(cell(&board, a), cell(&board, b)));
    assert_eq!(corners("c3", "b2"), "b2 c2 b3 c3");
    assert_eq!(corners("c1", "b2"), "b1 c1 b2 c2");
    let board = hexagon(3);
    assert_eq!(names(&board, &board.file_band(1, 1)), "a1 a2 a3");
    assert_eq!(names(&board, &board.rank_band(5, 5)), "c5");
}

#[test]
fn shifts_agree_with_single_steps() {
    let fanorona = square(9, 5).redraw(&cells(&square(9, 5), "c3 e5"), &[]).expect("a board");
    for board in [square(8, 8), square(19, 19), square(32, 32), hexagon(7), fanorona, points(MILLS).expect("a board")] {
        let some: CellSet = board.cells().filter(|cell| cell.0 % 7 < 3 || cell.0 % 11 == 5).collect();
        for dirs in (0..board.directions() as u16).map(|dir| DirSet::one(Dir(dir))).chain([board.straight()]) {
            let each =
                some.iter().flat_map(|cell| dirs.iter().filter_map(|dir| board.step(cell, dir)).collect::<Vec<_>>());
            assert_eq!(board.shift(&some, &dirs), each.collect());
        }
    }
}

#[test]
fn groups_are_joined_along_dirs_either_way_and_ordered() {
    let board = square(5, 5);
    let set = cells(&board, "e1 d2 a1 b1 a3 b4 e5");
    let listed = |dirs| board.groups(&set, &dirs).iter().map(|group| names(&board, group)).collect::<Vec<_>>();
    assert_eq!(listed(board.straight()), ["a1 b1", "e1 d2", "a3 b4", "e5"]);
    assert_eq!(listed(only(&board, Compass::West)), ["a1 b1", "e1", "d2", "a3", "b4", "e5"]);
    let flood = board.flood(&cells(&board, "b1 d2 c3"), &set, &board.orthogonal());
    assert_eq!(names(&board, &flood), "a1 b1 d2");
    assert_eq!(board.flood(&board.any(), &board.any(), &board.orthogonal()), board.any());
}

#[test]
fn a_flood_from_one_cell_along_one_axis_is_its_row() {
    let board = square(6, 3);
    let set = cells(&board, "a2 b2 c2 e2 f2 b1 b3 c3");
    let row = |from, dirs| names(&board, &board.flood(&cells(&board, from), &set, &dirs));
    assert_eq!(row("b2", only(&board, Compass::East)), "a2 b2 c2");
    assert_eq!(row("b2", only(&board, Compass::West)), "a2 b2 c2");
    assert_eq!(row("b2", only(&board, Compass::North)), "b1 b2 b3");
    assert_eq!(row("b2", only(&board, Compass::Southwest)), "b2 c3");
    assert_eq!(row("d2", only(&board, Compass::East)), "");
    assert_eq!(row("f2 b1", only(&board, Compass::East)), "b1 e2 f2");
}

#[test]
fn spans_are_straight_lines() {
    let board = square(8, 8);
    let span = |a, b| board.span(cell(&board, a), cell(&board, b)).map(|line| names(&board, &line));
    assert_eq!(span("b2", "e5").as_deref(), Some("b2 c3 d4 e5"));
    assert_eq!(span("e1", "c1").as_deref(), Some("c1 d1 e1"));
    assert_eq!(span("e1", "e1").as_deref(), Some("e1"));
    assert_eq!(span("e1", "f3"), None);
    let board = hexagon(3);
    assert_eq!(board.span(cell(&board, "a1"), cell(&board, "d4")), None);
    let line = board.span(cell(&board, "a1"), cell(&board, "e3")).expect("a line");
    assert_eq!(names(&board, &line), "a1 b2 c3 d3 e3");
}

#[test]
fn segments_are_listed_once_with_parts_of_longer_rows() {
    let board = square(5, 5);
    let set = cells(&board, "a1 b1 c1 d1 b2 e5");
    let listed =
        |dirs, from, to| board.segments(&set, &dirs, from, to).iter().map(|row| names(&board, row)).collect::<Vec<_>>();
    assert_eq!(listed(board.orthogonal(), 3, 3), ["a1 b1 c1", "b1 c1 d1"]);
    assert_eq!(listed(only(&board, Compass::West), 3, i64::MAX), ["a1 b1 c1", "a1 b1 c1 d1", "b1 c1 d1"]);
    assert_eq!(listed(board.diagonal(), 2, 2), ["a1 b2", "c1 b2"]);
    assert_eq!(listed(board.straight(), -1, 1), ["a1", "b1", "c1", "d1", "b2", "e5"]);
    assert!(listed(board.straight(), 3, 2).is_empty());
}

#[test]
fn mirrors_and_turns_of_squares() {
    let board = square(8, 8);
    let go = |how: fn(&Topology, Cell, Dir, Dir) -> Option<Cell>, name, from, to| {
        how(&board, cell(&board, name), dir(&board, from), dir(&board, to)).map(|to| board.name(to).to_string())
    };
    use Compass::{East, North, Northeast, Northwest, South, Southwest, West};
    assert_eq!(go(Topology::mirrored, "b1", North, South).as_deref(), Some("b8"));
    assert_eq!(go(Topology::rotated, "b1", North, South).as_deref(), Some("g8"));
    assert_eq!(go(Topology::mirrored, "a2", East, West).as_deref(), Some("h2"));
    assert_eq!(go(Topology::mirrored, "b1", North, East).as_deref(), Some("a7"));
    assert_eq!(go(Topology::rotated, "b1", North, East).as_deref(), Some("a7"));
    assert_eq!(go(Topology::rotated, "b1", North, West).as_deref(), Some("h2"));
    assert_eq!(go(Topology::mirrored, "b1", North, North).as_deref(), Some("b1"));
    assert_eq!(go(Topology::mirrored, "b1", Northeast, Southwest).as_deref(), Some("h7"));
    assert_eq!(go(Topology::mirrored, "b1", Northeast, Northwest).as_deref(), Some("h2"));
    assert_eq!(go(Topology::mirrored, "b1", North, Northeast), None);
    let board = square(9, 5);
    let turned = |name| board.rotated(cell(&board, name), dir(&board, North), dir(&board, East));
    assert_eq!((turned("e3"), turned("a1")), (board.named("e3"), None));
}

#[test]
fn mirrors_and_turns_of_hexagons() {
    let board = hexagon(4);
    use Compass::{North, Northeast, South, Southeast, Southwest};
    let go = |how: fn(&Topology, Cell, Dir, Dir) -> Option<Cell>, name, from, to| {
        how(&board, cell(&board, name), dir(&board, from), dir(&board, to)).map_or("-", |to| board.name(to)).to_string()
    };
    assert_eq!(go(Topology::mirrored, "b1", North, South), "b5");
    assert_eq!(go(Topology::rotated, "b1", North, South), "f5");
    assert_eq!(go(Topology::mirrored, "a1", Northeast, Southwest), "g4");
    assert_eq!(go(Topology::rotated, "d7", North, Northeast), "g4");
    assert_eq!(go(Topology::rotated, "d7", North, Southeast), "g1");
    for (from, to) in [(North, South), (Northeast, Southwest), (North, Southeast)] {
        let image = |how: fn(&Topology, Cell, Dir, Dir) -> Option<Cell>| -> CellSet {
            board.cells().filter_map(|cell| how(&board, cell, dir(&board, from), dir(&board, to))).collect()
        };
        assert_eq!(image(Topology::mirrored), board.any());
        assert_eq!(image(Topology::rotated), board.any());
    }
}
