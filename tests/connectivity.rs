//! Sets of cells that are joined, kept up while the sets change, against floods from the start.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use lusoria_core::board::{Cell, CellSet, Dir, DirSet};
use lusoria_engine::interp::bitset;
use lusoria_engine::interp::tables::Tables;
use lusoria_engine::interp::tables::connectivity::IncrementalFlood;
use lusoria_plan::plan::{PassSet, plan};

/// Goes on from sets that change by a few cells, or by all, and compares with what the
/// reference executor floods.
fn agrees<const W: usize>(board: &str, seed: u64) {
    let text = format!(
        "game \"Groups\" {{ players A, B  board {board}  piece stone
         move {{ pick c from empty  place stone on c  remove closed(enemy) }}
         end {{ win if connects(own, rank 1, rank 5) }} }}"
    );
    let game = lusoria::Game::from_source(&text).expect("rules of groups");
    let mut plan = plan(game.model(), PassSet::ALL).expect("a plan");
    PassSet::ALL.apply(&mut plan);
    let topology = &game.model().topology;
    let (tables, grid) = (Tables::<W>::new(&plan, topology), &plan.bitboard);
    let along = plan.flooded[0];
    let dirs: DirSet = (0..topology.directions() as u16).map(Dir).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut flood = IncrementalFlood { seeds: [0; W], within: [0; W], all: [0; W] };
    let (mut a, mut within) = (CellSet::EMPTY, CellSet::EMPTY);
    let (mut fewer, mut met) = (0, [0; 2]);
    let rounds = 3000;
    for round in 0..rounds {
        let changes = if round % 100 == 0 { topology.len() } else { rng.random_range(0..4) };
        for _ in 0..changes {
            let cell = Cell(rng.random_range(0..topology.len() as u16));
            let (set, often) = if rng.random_range(0..2) == 0 { (&mut a, 4) } else { (&mut within, 2) };
            if rng.random_range(0..often) == 0 {
                set.insert(cell)
            } else {
                set.remove(cell)
            };
        }
        let expected = topology.flood(&(a & within), &within, &dirs);
        let [seeds, all] = [&a, &within].map(|set| bitset::of::<W>(&grid.of(set)));
        flood.continue_run(&tables, &seeds, &all, along);
        assert_eq!(grid.cells(&flood.all), expected, "{board}, round {round}: from {a:?} within {within:?}");
        fewer += u32::from(expected != within);
        let to: CellSet = (0..3).map(|_| Cell(rng.random_range(0..topology.len() as u16))).collect();
        for (beside, met) in [false, true].into_iter().zip(&mut met) {
            let near = topology.cells().filter(|cell| {
                dirs.iter().any(|dir| topology.step(*cell, dir).is_some_and(|to_cell| to.contains(to_cell)))
            });
            let goal = if beside { near.collect() } else { to };
            let joined = tables.search(&bitset::and(&seeds, &all), &all, &bitset::of(&grid.of(&to)), along, beside).1;
            assert_eq!(
                joined,
                !(expected & goal).is_empty(),
                "{board}, round {round}: {to:?} from {a:?} within {within:?}"
            );
            *met += u32::from(joined);
        }
    }
    assert!(fewer > 500 && met.iter().all(|&met| 300 < met && met < rounds), "{board}: {fewer} {met:?}");
}

#[test]
fn what_is_gone_on_from_comes_to_what_is_flooded_anew() {
    agrees::<1>("square 8 by 8, lines orthogonal", 1);
    agrees::<2>("hexagon side 6", 2);
    agrees::<3>("square 13 by 13, lines orthogonal", 3);
    agrees::<6>("square 19 by 19, lines orthogonal", 4);
    agrees::<16>("square 25 by 25", 5);
}
