//! Tests of graph embedding: a board of points goes in; what is asserted is where its points stand.

use lusoria_core::board::{Dir, Shape, Topology};
use lusoria_plan::plan::embed_graph::{places, steps};

#[test]
fn mills_lie_in_a_cube() {
    let lines = "a7 d7 g7, g7 g4 g1, g1 d1 a1, a1 a4 a7, b6 d6 f6, f6 f4 f2, f2 d2 b2, b2 b4 b6, c5 d5 e5, e5 e4 e3, e3 d3 c3, \
                 c3 c4 c5, a4 b4 c4, e4 f4 g4, d7 d6 d5, d1 d2 d3";
    let point = |name: &str| (name.as_bytes()[0] - b'a' + 1, name.as_bytes()[1] - b'0');
    let line = |line: &str| line.split_whitespace().map(point).collect();
    let board =
        Topology::new(Shape::Points { lines: lines.split(',').map(line).collect() }).expect("within the limits");
    let places = places(&board, 64).expect("a cube");
    let mut distances: Vec<i32> = (0..board.directions())
        .flat_map(|dir| steps(&board, Dir(dir as u16)))
        .map(|(from, to)| places[to.index()] as i32 - places[from.index()] as i32)
        .collect();
    distances.sort_unstable();
    distances.dedup();
    assert_eq!(distances, [-9, -3, -1, 1, 3, 9]);
    assert!(places.iter().all(|&place| place < 27));
}
