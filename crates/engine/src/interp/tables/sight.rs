//! Line of sight: cells to look from go in; what is seen along straight lines comes out, and
//! blockers.

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::tables::Tables;
use crate::interp::tuning::{MAX_SIGHT_TABLE_WORDS, MAX_SLIDERS_LOOKED_UP};
use crate::interp::unroll::unroll;
use crate::plan::Plan;

/// The lines from each cell, where they are so many bits from cell to cell.
#[derive(Debug)]
pub struct SightTable<const W: usize> {
    /// By direction, then bit: the cells ahead.
    rays: Vec<Bitset<W>>,
    size: usize,
    /// Directions that have such lines, and those of them along which bits go up.
    straight: u32,
    up: u32,
    /// Some direction has steps of several distances, as all have that come back to a cell.
    rings: bool,
}

impl<const W: usize> SightTable<W> {
    pub fn new(plan: &Plan) -> SightTable<W> {
        let grid = &plan.bitboard;
        let mut sights = SightTable {
            rays: Vec::new(),
            size: grid.size(),
            straight: 0,
            up: 0,
            rings: grid.dirs.iter().any(|hops| hops.len() > 1),
        };
        if W > MAX_SIGHT_TABLE_WORDS {
            return sights;
        }
        for (dir, hops) in grid.dirs.iter().enumerate().take(32) {
            let mut rays = vec![[0; W]; grid.size()];
            if let [hop] = hops.as_slice() {
                let hop = &grid.hops[usize::from(*hop)];
                sights.straight |= 1 << dir;
                sights.up |= u32::from(hop.by > 0) << dir;
                // A cell's line goes on where that of the next does, which is known if cells come
                // in the order of the line's end.
                let ahead = |rays: &mut Vec<Bitset<W>>, bit: usize| {
                    if hop.from.contains(bit) {
                        let next = bit.wrapping_add_signed(hop.by as isize);
                        rays[bit] = bitset::or(&rays[next], &bitset::bit(next));
                    }
                };
                if hop.by > 0 {
                    (0..grid.size()).rev().for_each(|bit| ahead(&mut rays, bit));
                } else {
                    (0..grid.size()).for_each(|bit| ahead(&mut rays, bit));
                }
            }
            sights.rays.extend(rays);
        }
        sights
    }

    /// The cells that lines from a set along some directions come to: through a set, and the first
    /// cell beyond.
    #[inline(always)]
    pub fn from(&self, tables: &Tables<W>, a: &Bitset<W>, through: &Bitset<W>, dirs: u32) -> Bitset<W> {
        let mut seen = [0; W];
        if dirs & !self.straight != 0 || bitset::count(a) > MAX_SLIDERS_LOOKED_UP {
            let mut left = dirs;
            while left != 0 {
                let dir = left.trailing_zeros() as u16;
                left &= left - 1;
                let near = tables.step(a, dir);
                let run = tables.fill(a, through, dir);
                seen = bitset::or(&seen, &bitset::or(&near, &tables.step(&run, dir)));
            }
            return seen;
        }
        for (word, &bits) in a.iter().enumerate() {
            let mut cells = bits;
            while cells != 0 {
                let bit = word * 64 + cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let mut left = dirs & self.up;
                while left != 0 {
                    let dir = left.trailing_zeros() as usize;
                    left &= left - 1;
                    see_up(&mut seen, self.ray(dir, bit), through);
                }
                let mut left = dirs & !self.up;
                while left != 0 {
                    let dir = left.trailing_zeros() as usize;
                    left &= left - 1;
                    see_down(&mut seen, self.ray(dir, bit), through);
                }
            }
        }
        seen
    }

    /// Lines from `a` come to cells of `of`, but for cells that they cannot go through: for each
    /// such line one of these, a firm one if it has one, else the first. As long as these stand,
    /// the cells are not seen.
    pub fn guards(&self, [a, of, through, firm]: [&Bitset<W>; 4], dirs: u32, tables: &Tables<W>) -> Bitset<W> {
        let mut guards = [0; W];
        if dirs & !self.straight != 0 {
            // All that stands on any line between.
            return bitset::without(&tables.grid_any(), through);
        }
        for (word, &bits) in a.iter().enumerate() {
            let mut cells = bits;
            while cells != 0 {
                let bit = word * 64 + cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let mut left = dirs;
                while left != 0 {
                    let dir = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let ray = self.ray(dir, bit);
                    let aims = bitset::and(ray, of);
                    if !bitset::is_empty(&aims) {
                        let up = self.up >> dir & 1 == 1;
                        // Between the cell and the nearest of those that it must not see.
                        let mut near = [0; W];
                        let beside = bitset::without(&[u64::MAX; W], &aims);
                        if up {
                            see_up(&mut near, ray, &beside)
                        } else {
                            see_down(&mut near, ray, &beside)
                        }
                        let between = bitset::without(&bitset::without(&near, &aims), through);
                        let firm = bitset::and(&between, firm);
                        let pick = if bitset::is_empty(&firm) { between } else { firm };
                        if !bitset::is_empty(&pick) {
                            let at = if up { bitset::lowest(&pick) } else { bitset::highest(&pick) };
                            guards = bitset::or(&guards, &bitset::bit(at));
                        }
                    }
                }
            }
        }
        guards
    }

    /// The cells of the line from one cell to another, with both; `None`: look it up elsewhere.
    /// Where lines can close to rings, several may join two cells.
    #[inline(always)]
    pub fn between(&self, a: &Bitset<W>, b: &Bitset<W>) -> Option<Bitset<W>> {
        if bitset::is_empty(a) || bitset::is_empty(b) || self.rays.is_empty() || self.rings {
            return None;
        }
        let (from, to) = (bitset::lowest(a), bitset::lowest(b));
        // Bits go up along a line to a higher one.
        let mut left = if to > from { self.up } else { self.straight & !self.up };
        while left != 0 {
            let dir = left.trailing_zeros() as usize;
            left &= left - 1;
            let ray = self.ray(dir, from);
            if bitset::intersects(ray, b) {
                return Some(bitset::or(&bitset::without(ray, self.ray(dir, to)), a));
            }
        }
        None
    }

    #[inline(always)]
    fn ray(&self, dir: usize, bit: usize) -> &Bitset<W> {
        self.rays.get(dir * self.size + bit).unwrap_or(&[0; W])
    }
}

/// Along a line on which bits go up.
#[inline(always)]
fn see_up<const W: usize>(seen: &mut Bitset<W>, ray: &Bitset<W>, through: &Bitset<W>) {
    let mut open = u64::MAX;
    unroll!(word < W => {
        let stop = ray[word] & !through[word];
        seen[word] |= ray[word] & (stop ^ stop.wrapping_sub(1)) & open;
        open = if stop == 0 { open } else { 0 };
    });
}

#[inline(always)]
fn see_down<const W: usize>(seen: &mut Bitset<W>, ray: &Bitset<W>, through: &Bitset<W>) {
    let mut open = u64::MAX;
    for word in (0..W).rev() {
        let stop = ray[word] & !through[word];
        seen[word] |= ray[word] & (u64::MAX << (63 - (stop | 1).leading_zeros())) & open;
        open = if stop == 0 { open } else { 0 };
    }
}
