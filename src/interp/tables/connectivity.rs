//! Incremental flood fill: a flood and two sets that differ little from its own go in; the flood of
//! these comes out. Only components that lost a neighbour or a seed are searched again.

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::tables::Tables;
use crate::interp::tuning::MAX_SEARCHES_PER_FLOOD_UPDATE;
use crate::plan::FusedOp;

/// A flood, and what it came to. Nothing floods to nothing.
#[derive(Clone, Copy, Debug)]
pub struct IncrementalFlood<const W: usize> {
    seeds: Bitset<W>,
    within: Bitset<W>,
    all: Bitset<W>,
}

/// What each operation that goes on from what it came to last remembers.
#[derive(Clone, Debug)]
pub struct IncrementalFloods<const W: usize>(Vec<IncrementalFlood<W>>);

impl<const W: usize> IncrementalFloods<W> {
    /// As many as a program has.
    pub fn new(code: &[FusedOp]) -> IncrementalFloods<W> {
        let kept = |op: &FusedOp| match *op {
            FusedOp::FloodFill { kept, .. } | FusedOp::Reaches { kept, .. } => kept.map(|kept| usize::from(kept) + 1),
            _ => None,
        };
        let most = code.iter().filter_map(kept).max().unwrap_or(0);
        IncrementalFloods(vec![IncrementalFlood { seeds: [0; W], within: [0; W], all: [0; W] }; most])
    }

    /// What a set floods to: anew if nothing is kept, or from a single cell.
    #[inline(always)]
    pub fn flood(
        &mut self,
        tables: &Tables<W>,
        a: &Bitset<W>,
        within: &Bitset<W>,
        along: u16,
        kept: Option<u16>,
    ) -> Bitset<W> {
        match kept.and_then(|kept| self.0.get_mut(usize::from(kept))) {
            Some(flood) if bitset::count(a) > 1 => {
                flood.continue_run(tables, a, within, along);
                flood.all
            }
            _ => tables.flood(a, within, along),
        }
    }
}

impl<const W: usize> IncrementalFlood<W> {
    /// Turns it into the flood of other sets. Directions lead both ways.
    ///
    /// A cell that was come to and still is in the set stays, unless its group has none of the
    /// seeds any more. Such a group has a cell that was a seed, or one beside a cell that has left:
    /// else the way by which it was come to would still be there. So floods from those cells alone,
    /// until they meet a seed, tell all groups that go. What comes in addition lies beside what has
    /// stayed only where the set itself has grown, or is a new seed.
    #[inline(always)]
    fn continue_run(&mut self, tables: &Tables<W>, a: &Bitset<W>, within: &Bitset<W>, along: u16) {
        let seeds = bitset::and(a, within);
        let mut all = bitset::and(&self.all, within);
        let mut doubt = bitset::and(&self.seeds, &all);
        let left = bitset::without(&self.all, within);
        if !bitset::is_empty(&left) {
            doubt = bitset::or(&doubt, &bitset::and(&tables.around_few(&left, along), &all));
        }
        doubt = bitset::without(&doubt, &seeds);
        let mut grown = bitset::without(within, &self.within);
        if bitset::count(&doubt) > MAX_SEARCHES_PER_FLOOD_UPDATE {
            (all, doubt, grown) = ([0; W], [0; W], [0; W]);
        }
        while !bitset::is_empty(&doubt) {
            let (seen, met) = tables.search(&bitset::bit(bitset::lowest(&doubt)), &all, &seeds, along, false);
            doubt = bitset::without(&doubt, &seen);
            if !met {
                all = bitset::without(&all, &seen);
            }
        }
        let mut front = bitset::without(&seeds, &all);
        if !bitset::is_empty(&grown) {
            front = bitset::or(&front, &bitset::without(&tables.beside(&grown, &all, along), &all));
        }
        all = bitset::or(&all, &front);
        while !bitset::is_empty(&front) {
            front = bitset::without(&bitset::and(&tables.around_few(&front, along), within), &all);
            all = bitset::or(&all, &front);
        }
        *self = IncrementalFlood { seeds, within: *within, all };
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use crate::board::{Cell, CellSet, Dir, DirSet};
    use crate::interp::tables::connectivity::*;
    use crate::plan::{PassSet, plan};

    /// Goes on from sets that change by a few cells, or by all, and compares with what the
    /// reference executor floods.
    fn agrees<const W: usize>(board: &str, seed: u64) {
        let text = format!(
            "game \"Groups\" {{ players A, B  board {board}  piece stone
             move {{ pick c from empty  place stone on c  remove closed(enemy) }}
             end {{ win if connects(own, rank 1, rank 5) }} }}"
        );
        let game = crate::Game::from_source(&text).expect("rules of groups");
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
                let joined =
                    tables.search(&bitset::and(&seeds, &all), &all, &bitset::of(&grid.of(&to)), along, beside).1;
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
}
