//! Neighbourhood window: a ray query of a few steps goes in; which bits around a cell it asks about
//! comes out, if they tell all.
//!
//! As [`Prefilter`](crate::interp::Prefilter), but it looks two words far, and only where what goes
//! on over an edge of the board meets no cell: then nothing is left to be looked at again.

use crate::plan::{BitboardLayout, RayQuery};
use crate::simd::WIDE;
use crate::simt::tuning::MAX_WINDOW_STEPS;

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
        let (words, bit) = if by > 0 {
            (far / u64::BITS, far % u64::BITS)
        } else {
            ((far - 1) / u64::BITS, far.wrapping_neg() % u64::BITS)
        };
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

/// What a ray query asks about around a cell: up to eight directions, those along which bits go up
/// first.
#[derive(Clone, Debug)]
pub struct Window {
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

impl Window {
    /// For runs along the directions of a ray query.
    pub fn along(trail: &RayQuery, grid: &BitboardLayout) -> Option<Window> {
        let ways = walled_ways(&trail.dirs, grid)?;
        let (up, down): (Vec<i32>, Vec<i32>) = ways.iter().partition(|by| **by > 0);
        let (least, most) = (trail.least as usize, trail.most as usize);
        let made = Window::new(&up, &down, (least, most), trail.ended).filter(|_| trail.single && least > 0)?;
        // What is found is put back by one word.
        let is_near = |place: &Place| matches!(place.beyond, Beyond::Ahead | Beyond::Behind);
        made.places[..most].iter().flatten().all(is_near).then_some(made)
    }

    /// For rows through a cell, along directions of which two that follow one another are an axis.
    pub fn across(trail: &RayQuery, grid: &BitboardLayout) -> Option<Window> {
        let ways = walled_ways(&trail.dirs, grid)?;
        let axis = |axis: &[i32]| if axis[0] > 0 { (axis[0], axis[1]) } else { (axis[1], axis[0]) };
        let (up, down): (Vec<i32>, Vec<i32>) = ways.chunks_exact(2).map(axis).unzip();
        let others = (trail.least as usize).checked_sub(1)?;
        Window::new(&up, &down, (others, others), false).filter(|_| trail.single && up.len() == down.len())
    }

    fn new(up: &[i32], down: &[i32], (least, most): (usize, usize), ended: bool) -> Option<Window> {
        let half = WIDE / 2;
        let fits =
            up.len() <= half && down.len() <= half && up.iter().all(|by| *by > 0) && down.iter().all(|by| *by < 0);
        let asked = most.checked_add(usize::from(ended))?;
        if !fits || least > most || !(1..=MAX_WINDOW_STEPS).contains(&asked) {
            return None;
        }
        let lanes = up.iter().enumerate().chain((half..).zip(down));
        let mut vicinity = Window { places: vec![[Place::default(); WIDE]; asked], used: 0, least, most, ended };
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

/// How far bits go along each direction; `None`: differently from cell to cell, or a cell stands
/// where a step over the edge would lead.
fn walled_ways(dirs: &[u16], grid: &BitboardLayout) -> Option<Vec<i32>> {
    let by = |dir: &u16| match grid.dirs[usize::from(*dir)].as_slice() {
        [hop] => {
            let hop = &grid.hops[usize::from(*hop)];
            let leads_nowhere =
                |bit: usize| bit.checked_add_signed(hop.by as isize).is_none_or(|to| grid.cell(to).is_none());
            grid.any.iter().filter(|&bit| !hop.from.contains(bit)).all(leads_nowhere).then_some(hop.by)
        }
        _ => None,
    };
    dirs.iter().map(by).collect()
}

#[cfg(test)]
mod tests {
    use crate::simt::window::*;

    #[test]
    fn places_are_told_by_word_and_bit() {
        let place = |by| Place::new(by).map(|place| (place.beyond, place.bit));
        assert_eq!([place(1), place(63)], [Some((Beyond::Ahead, 1)), Some((Beyond::Ahead, 63))]);
        assert_eq!([place(64), place(84)], [Some((Beyond::FarAhead, 0)), Some((Beyond::FarAhead, 20))]);
        // The bit before the cell is the highest of the word behind it.
        assert_eq!([place(-1), place(-64)], [Some((Beyond::Behind, 63)), Some((Beyond::Behind, 0))]);
        assert_eq!([place(-65), place(-84)], [Some((Beyond::FarBehind, 63)), Some((Beyond::FarBehind, 44))]);
        assert_eq!([place(128), place(-129)], [None, None]);
    }

    #[test]
    fn a_few_steps_along_up_to_eight_directions_are_told() {
        let (up, down) = ([1, 20, 21, 19], [-1, -20, -21, -19]);
        let runs = Window::new(&up, &down, (2, 2), true).expect("three steps");
        assert_eq!((runs.places.len(), runs.used, runs.is_far()), (3, 0x0101_0101_0101_0101, false));
        assert_eq!(runs.places[2][1], Place { beyond: Beyond::Ahead, bit: 60 });
        assert_eq!(runs.places[2][6], Place { beyond: Beyond::Behind, bit: 1 });
        let row = Window::new(&up, &down, (4, 4), false).expect("four steps");
        assert!(row.is_far());
        // Too many steps, none, too far, and more directions than there is room for.
        assert!(Window::new(&up, &down, (6, 6), true).is_none());
        assert!(Window::new(&up, &down, (0, 0), false).is_none());
        assert!(Window::new(&[33], &[-33], (4, 4), false).is_none());
        assert!(Window::new(&[1, 2, 3, 4, 5], &[], (1, 1), false).is_none());
    }
}
