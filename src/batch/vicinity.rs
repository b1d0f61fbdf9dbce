//! A trail of a few steps goes in; where the bits stand around a cell that it asks about comes out, if they tell all.
//!
//! As [`Glance`](crate::engine::Glance), but it looks two words far, and only where what goes on over an edge of the board meets no cell: then nothing
//! is left to be looked at again.

use super::vector::WIDE;
use crate::ir::{Grid, Trail};

/// Steps at most.
const STEPS: usize = 4;

/// In which of four words something is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beyond {
    /// In that which begins with the cell, or in the one before the cell.
    #[default]
    Ahead,
    Behind,
    /// A word further.
    FarAhead,
    FarBehind,
}

impl Beyond {
    pub fn is_ahead(self) -> bool {
        matches!(self, Beyond::Ahead | Beyond::FarAhead)
    }
}

/// A word, and a bit of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub beyond: Beyond,
    pub bit: u8,
}

impl Place {
    fn new(by: i32) -> Option<Place> {
        let far = by.unsigned_abs();
        let (words, bit) =
            if by > 0 { (far / u64::BITS, far % u64::BITS) } else { ((far - 1) / u64::BITS, far.wrapping_neg() % u64::BITS) };
        let beyond = match (by > 0, words) {
            (true, 0) => Beyond::Ahead,
            (true, 1) => Beyond::FarAhead,
            (false, 0) => Beyond::Behind,
            (false, 1) => Beyond::FarBehind,
            _ => return None,
        };
        Some(Place { beyond, bit: bit as u8 })
    }
}

/// What a trail asks about around a cell: up to eight directions, those along which bits go up first.
#[derive(Clone, Debug)]
pub struct Vicinity {
    /// By step, then direction.
    pub places: Vec<[Place; WIDE]>,
    /// The lowest bit of a byte for each direction that there is.
    pub used: u64,
    /// Of how many cells runs are.
    pub least: usize,
    pub most: usize,
    /// And one of another set is asked behind them.
    pub ended: bool,
}

impl Vicinity {
    /// For runs along the directions of a trail.
    pub fn along(trail: &Trail, grid: &Grid) -> Option<Vicinity> {
        let ways = walled_ways(&trail.dirs, grid)?;
        let (up, down): (Vec<i32>, Vec<i32>) = ways.iter().partition(|by| **by > 0);
        let (least, most) = (trail.least as usize, trail.most as usize);
        let made = Vicinity::new(&up, &down, (least, most), trail.ended).filter(|_| trail.single && least > 0)?;
        // What is found is put back by one word.
        let is_near = |place: &Place| matches!(place.beyond, Beyond::Ahead | Beyond::Behind);
        made.places[..most].iter().flatten().all(is_near).then_some(made)
    }

    /// For rows through a cell, along directions of which two that follow one another are an axis.
    pub fn across(trail: &Trail, grid: &Grid) -> Option<Vicinity> {
        let ways = walled_ways(&trail.dirs, grid)?;
        let axis = |axis: &[i32]| if axis[0] > 0 { (axis[0], axis[1]) } else { (axis[1], axis[0]) };
        let (up, down): (Vec<i32>, Vec<i32>) = ways.chunks_exact(2).map(axis).unzip();
        let others = (trail.least as usize).checked_sub(1)?;
        Vicinity::new(&up, &down, (others, others), false).filter(|_| trail.single && up.len() == down.len())
    }

    fn new(up: &[i32], down: &[i32], (least, most): (usize, usize), ended: bool) -> Option<Vicinity> {
        let half = WIDE / 2;
        let fits = up.len() <= half && down.len() <= half && up.iter().all(|by| *by > 0) && down.iter().all(|by| *by < 0);
        let asked = most.checked_add(usize::from(ended))?;
        if !fits || least > most || !(1..=STEPS).contains(&asked) {
            return None;
        }
        let lanes = up.iter().enumerate().chain((half..).zip(down));
        let mut vicinity = Vicinity { places: vec![[Place::default(); WIDE]; asked], used: 0, least, most, ended };
        for (lane, by) in lanes {
            vicinity.used |= 1 << (8 * lane);
            for (step, places) in (1..).zip(&mut vicinity.places) {
                places[lane] = Place::new(by * step)?;
            }
        }
        Some(vicinity)
    }

    /// Something is a word further.
    pub fn is_far(&self) -> bool {
        self.places.iter().flatten().any(|place| matches!(place.beyond, Beyond::FarAhead | Beyond::FarBehind))
    }
}

/// How far bits go along each direction; `None`: differently from cell to cell, or a cell stands where a step over the edge would lead.
fn walled_ways(dirs: &[u16], grid: &Grid) -> Option<Vec<i32>> {
    let by = |dir: &u16| match grid.dirs[usize::from(*dir)].as_slice() {
        [hop] => {
            let hop = &grid.hops[usize::from(*hop)];
            let leads_nowhere = |bit: usize| bit.checked_add_signed(hop.by as isize).is_none_or(|to| grid.cell(to).is_none());
            grid.any.iter().filter(|&bit| !hop.from.contains(bit)).all(leads_nowhere).then_some(hop.by)
        }
        _ => None,
    };
    dirs.iter().map(by).collect()
}
