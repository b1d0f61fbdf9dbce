//! Ray-fill kernels: origins of rays and what they may go through go in; the cells of the rays come
//! out, for many games at once.

use crate::plan::SetReg;
use crate::simd::Simd;
use crate::simt::code::Ways;
use crate::simt::kernels::algebra::{Step, and, masked, or, within};
use crate::simt::registers::{Cells, LaneRegisters, blend, load, shift, words};

/// Runs double: 1, 2, 4, ... steps at once, along cells that a step leads to.
#[inline(always)]
pub fn run<V: Simd, const W: usize>(
    v: V,
    step: &Step<W>,
    a: &Cells<V, W>,
    through: &Cells<V, W>,
    longest: u32,
) -> Cells<V, W> {
    let mut open = within(v, through, &step.to);
    let mut found = and(v, &open, &shift(v, a, step.by));
    let mut runs = Doubled::up_to(longest);
    while let Some(steps) = runs.grow() {
        found = or(v, &found, &and(v, &open, &shift(v, &found, step.by * steps)));
        if runs.doubles() {
            open = and(v, &open, &shift(v, &open, step.by * steps));
        }
    }
    found
}

/// As many steps as a lane's number says, all within a set: 1, 2, 4, ... at once, for each bit of the number, onto cells
/// before which so many are open. A lane whose number is below 0, or beyond the longest line, comes to nothing.
#[inline(always)]
pub fn walk<V: Simd, const W: usize>(
    v: V,
    step: &Step<W>,
    a: &Cells<V, W>,
    through: &Cells<V, W>,
    (n, longest): (V::V8, u32),
) -> Cells<V, W> {
    let is_outside = v.or(v.less_signed(n, v.none()), v.less_signed(v.all(u64::from(longest)), n));
    let mut at = masked(v, a, v.not(is_outside));
    let mut open = within(v, through, &step.to);
    for steps in powers_of_two(longest) {
        let goes = v.truth(v.and(n, v.all(steps as u64)));
        at = blend(v, &at, &and(v, &open, &shift(v, &at, step.by * steps)), goes);
        if 2 * steps <= longest as i32 {
            open = and(v, &open, &shift(v, &open, step.by * steps));
        }
    }
    at
}

/// The powers of two that numbers up to the longest line are made of.
pub fn powers_of_two(longest: u32) -> impl Iterator<Item = i32> {
    (0..u32::BITS - longest.leading_zeros()).map(|bit| 1 << bit)
}

/// [`run`] for the sets of one word of several chunks.
#[inline(always)]
fn run_words<V: Simd, const W: usize, const P: usize>(
    v: V,
    step: &Step<W>,
    from: &[V::V8; P],
    through: [V::V8; P],
    longest: u32,
) -> [V::V8; P] {
    // Which way is known within: it is not asked at each shift.
    if step.by >= 0 {
        run_words_one_way::<V, W, P, true>(v, step, from, through, longest)
    } else {
        run_words_one_way::<V, W, P, false>(v, step, from, through, longest)
    }
}

#[inline(always)]
fn run_words_one_way<V: Simd, const W: usize, const P: usize, const UP: bool>(
    v: V,
    step: &Step<W>,
    from: &[V::V8; P],
    through: [V::V8; P],
    longest: u32,
) -> [V::V8; P] {
    let (mut open, mut found) = (through, *from);
    let (to, by) = (v.all(step.to[0]), v.all(u64::from(step.by.unsigned_abs())));
    for i in 0..P {
        open[i] = v.and(open[i], to);
        found[i] = v.and(open[i], if UP { v.up_each(from[i], by) } else { v.down_each(from[i], by) });
    }
    let mut runs = Doubled::up_to(longest);
    while let Some(steps) = runs.grow() {
        let by = v.all(u64::from((step.by * steps).unsigned_abs() & 63));
        for i in 0..P {
            let next = if UP { v.up_each(found[i], by) } else { v.down_each(found[i], by) };
            found[i] = v.or(found[i], v.and(open[i], next));
        }
        if runs.doubles() {
            for i in 0..P {
                open[i] = v.and(open[i], if UP { v.up_each(open[i], by) } else { v.down_each(open[i], by) });
            }
        }
    }
    found
}

/// Runs of cells grow by as many as are known to be open: by 1, 2, 4 and so on, and in the end by
/// as many once more if that will do.
#[derive(Clone, Copy)]
pub struct Doubled {
    reach: i32,
    steps: i32,
    longest: i32,
}

impl Doubled {
    pub fn up_to(longest: u32) -> Doubled {
        Doubled { reach: 1, steps: 1, longest: longest as i32 }
    }

    /// By how many steps runs grow.
    #[inline(always)]
    pub fn grow(&mut self) -> Option<i32> {
        let steps = self.steps;
        if self.reach >= self.longest {
            return None;
        }
        self.reach += steps;
        Some(steps)
    }

    /// Whether it takes runs twice as long to go on.
    #[inline(always)]
    pub fn doubles(&mut self) -> bool {
        let doubles = self.reach + self.steps < self.longest;
        self.steps <<= u32::from(doubles);
        doubles
    }
}

impl<const W: usize, const K: usize> LaneRegisters<W, K> {
    /// Runs from cells along several directions, each through a set of its own.
    #[inline(always)]
    pub fn refill<V: Simd>(
        &mut self,
        v: V,
        blend: bool,
        (steps, longest): (&[Step<W>], u32),
        (d, a): (SetReg, SetReg),
        (runs, ways): (SetReg, &Ways),
    ) {
        if W == 1 {
            // Twice as many sets are computed with as in one run, for which the widest vectors have
            // room in half as many chunks.
            return match V::ABREAST {
                8 => self.refill_words::<V, 4>(v, blend, (steps, longest), (d, a), (runs, ways)),
                2 => self.refill_words::<V, 2>(v, blend, (steps, longest), (d, a), (runs, ways)),
                _ => self.refill_words::<V, 1>(v, blend, (steps, longest), (d, a), (runs, ways)),
            };
        }
        for i in self.on.chunks() {
            let (from, mut found) = (load(v, &self.sets[usize::from(a.0)][i]), [v.none(); W]);
            for at in 0..steps.len() {
                let through = load(v, &self.sets[usize::from(runs.0) + usize::from(ways[at])][i]);
                found = or(v, &found, &run(v, &steps[at], &from, &through, longest));
            }
            let to = &mut self.sets[usize::from(d.0)][i];
            words!(word => {
                let made = if blend { v.blend(v.load(&to[word]), found[word], v.load(&self.masks[i])) } else { found[word] };
                to[word] = v.store(made);
            });
        }
    }

    /// [`File::refill`] for sets of one word, for `P` chunks at once.
    #[inline(always)]
    fn refill_words<V: Simd, const P: usize>(
        &mut self,
        v: V,
        blend: bool,
        (steps, longest): (&[Step<W>], u32),
        (d, a): (SetReg, SetReg),
        (runs, ways): (SetReg, &Ways),
    ) {
        for first in (0..K).step_by(P) {
            let (mut from, mut all) = ([v.none(); P], [v.none(); P]);
            for i in 0..P {
                from[i] = v.load(&self.sets[usize::from(a.0)][first + i][0]);
            }
            for at in 0..steps.len() {
                let (through, mut open) = (&self.sets[usize::from(runs.0) + usize::from(ways[at])], [v.none(); P]);
                for i in 0..P {
                    open[i] = v.load(&through[first + i][0]);
                }
                let found = run_words(v, &steps[at], &from, open, longest);
                for i in 0..P {
                    all[i] = v.or(all[i], found[i]);
                }
            }
            let to = &mut self.sets[usize::from(d.0)];
            for i in 0..P {
                let to = &mut to[first + i][0];
                let made = if blend { v.blend(v.load(to), all[i], v.load(&self.masks[first + i])) } else { all[i] };
                *to = v.store(made);
            }
        }
    }

    /// [`run`] for sets of one word, for `P` chunks at once.
    #[inline(always)]
    pub fn fill_words<V: Simd, const P: usize>(
        &mut self,
        v: V,
        blend: bool,
        step: &Step<W>,
        (d, a, through): (SetReg, SetReg, SetReg),
        longest: u32,
    ) {
        let (d, a, through) = (usize::from(d.0), usize::from(a.0), usize::from(through.0));
        for first in (0..K).step_by(P) {
            let (mut from, mut open) = ([v.none(); P], [v.none(); P]);
            for i in 0..P {
                from[i] = v.load(&self.sets[a][first + i][0]);
                open[i] = v.load(&self.sets[through][first + i][0]);
            }
            let found = run_words(v, step, &from, open, longest);
            for i in 0..P {
                let to = &mut self.sets[d][first + i][0];
                let made = if blend { v.blend(v.load(to), found[i], v.load(&self.masks[first + i])) } else { found[i] };
                *to = v.store(made);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Shape, Topology};
    use crate::plan::BitboardLayout;
    use crate::simd::Plain;
    use crate::simt::kernels::ray_fill::*;

    #[test]
    fn lanes_walk_as_far_as_they_say() {
        let board = Topology::new(Shape::square(8, 7)).expect("within the limits");
        let grid = BitboardLayout::new(&board, true);
        let through = 0x00ff_f7e3_9dfe_7fdf_u64;
        for (hops, &longest) in grid.dirs.iter().zip(&grid.longest) {
            let step: Step<1> = Step::new(&grid.hops[usize::from(hops[0])]);
            let once = |at: u64| {
                let from = at & step.from[0];
                (if step.by < 0 { from >> step.by.unsigned_abs() } else { from << step.by }) & through
            };
            for from in [1, 1 << 27, 1 << 54, 0x0020_0000_8100_0410_u64] {
                for first in [-2, 3, 9] {
                    let n: [u64; 8] = std::array::from_fn(|lane| (first + lane as i64) as u64);
                    let at = walk(Plain, &step, &[[from; 8]], &[[through; 8]], (n, longest));
                    let expected = n.map(|n| match n as i64 {
                        n @ 0.. => (0..n).fold(from, |at, _| once(at)),
                        _ => 0,
                    });
                    assert_eq!(at, [expected], "by {} from {from:x}", step.by);
                }
            }
        }
    }

    #[test]
    fn runs_grow_until_they_are_long_enough() {
        for longest in 1..40 {
            // Open cells that lie together, and how far runs come: as a row of one direction has
            // them.
            let (mut runs, mut open, mut reach) = (Doubled::up_to(longest), 1, 1);
            while let Some(steps) = runs.grow() {
                assert_eq!(steps, open);
                assert!(reach >= steps, "nothing stands where runs of {longest} go on");
                reach += steps;
                open <<= u32::from(runs.doubles());
            }
            assert!(reach >= longest as i32 && reach < 2 * longest as i32, "{longest}: {reach}");
        }
    }
}
