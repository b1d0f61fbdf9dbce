//! Incremental flood fill: a flood and two sets that differ little from its own go in; the flood of
//! these comes out. Only components that lost a neighbour or a seed are searched again.

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::tables::{Tables, around_few, flood_on};
use crate::interp::tuning::MAX_SEARCHES_PER_FLOOD_UPDATE;
use crate::plan::FusedOp;

/// A flood, and what it came to. Nothing floods to nothing.
#[derive(Clone, Copy, Debug)]
pub struct IncrementalFlood<const W: usize> {
    pub seeds: Bitset<W>,
    pub within: Bitset<W>,
    pub all: Bitset<W>,
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
    pub fn continue_run(&mut self, tables: &Tables<W>, a: &Bitset<W>, within: &Bitset<W>, along: u16) {
        let seeds = bitset::and(a, within);
        let mut all = bitset::and(&self.all, within);
        let mut doubt = bitset::and(&self.seeds, &all);
        let left = bitset::without(&self.all, within);
        if !bitset::is_empty(&left) {
            doubt = bitset::or(&doubt, &bitset::and(&around_few(tables, &left, along), &all));
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
        if !bitset::is_empty(&front) {
            all = flood_on(tables, &all, &front, within, along);
        }
        *self = IncrementalFlood { seeds, within: *within, all };
    }
}
