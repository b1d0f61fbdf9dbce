//! Queries near one cell: ray queries and rows of lanes that look from single cells go in; their
//! results come out, with the lanes that are left to be looked at one by one.

use crate::plan::{NumReg, SetReg};
use crate::simd::{Lane8, Simd};
use crate::simt::code::{Cut, Nearby};
use crate::simt::registers::{Cells, LaneMask, Set, load, put, store, words};
use crate::simt::state::WarpState;
use crate::simt::state::sought::Sought;

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Does what can be done for many games at once; the lanes that are left to be looked at one by
    /// one.
    #[inline(always)]
    pub fn follow(
        &mut self,
        (d, a, x, y): (SetReg, SetReg, SetReg, SetReg),
        trail: u16,
        (blend, nearby): (bool, Nearby),
    ) -> LaneMask {
        let (v, trail, on) = (self.v, &self.shared.steps.trails[usize::from(trail)], self.flow.on);
        let (d, a, x, y) = (usize::from(d.0), usize::from(a.0), usize::from(x.0), usize::from(y.0));
        if trail.steps.is_empty() && trail.near.is_none() {
            return on;
        }
        let mut left = v.none();
        for i in on.chunks() {
            let (sets, mask) = (&self.file.sets, on.lanes(v, i));
            let cells = load(v, &sets[a][i]);
            let mut several = if trail.single { v.none() } else { several(v, &cells) };
            let mut found = [v.none(); W];
            if let (Some(near), true) = (&trail.near, trail.steps.is_empty()) {
                let (spot, cuts) = (Spot::at(v, &cells, (nearby.chosen, &self.choice.sought), i), nearby.cuts);
                let x = spot.cut(v, &sets[x][i], (&mut self.turn.near, cuts[0]), (i, mask));
                let y =
                    if near.ended { spot.cut(v, &sets[y][i], (&mut self.turn.near, cuts[1]), (i, mask)) } else { x };
                several = v.or(several, near.may_follow(v, x, y));
            } else {
                found = trail.follow(v, &cells, &load(v, &sets[x][i]), &load(v, &sets[y][i]));
            }
            left = v.or(left, v.and(several, v.all(1 << i)));
            if !blend {
                self.file.sets[d][i] = store(v, &found);
                continue;
            }
            let mask = v.without(mask, several);
            words!(word => {
                put(v, &mut self.file.sets[d][i][word], found[word], mask);
            });
        }
        LaneMask::of_bytes(v.gathered(left)).and(on)
    }

    /// Lanes are told whether their cell stands in a row; those of which that is in doubt are left
    /// to be looked at one by one.
    #[inline(always)]
    pub fn in_row(&mut self, d: NumReg, (a, within): (SetReg, SetReg), trail: u16, nearby: Nearby) -> LaneMask {
        let (v, on, [cut, _]) = (self.v, self.flow.on, nearby.cuts);
        let trail = &self.shared.steps.trails[usize::from(trail)];
        let Some(row) = &trail.row else { return on };
        let (d, a, within) = (usize::from(d.0), usize::from(a.0), usize::from(within.0));
        let mut left = v.none();
        for i in on.chunks() {
            let (sets, mask) = (&self.file.sets, on.lanes(v, i));
            let mut doubtful = v.none();
            let within = if let Cut::Taken(number) = cut {
                taken(v, &self.turn.near, number, i)
            } else {
                let cells = load(v, &sets[a][i]);
                if !trail.single {
                    doubtful = several(v, &cells);
                }
                Spot::at(v, &cells, (nearby.chosen, &self.choice.sought), i).cut(
                    v,
                    &sets[within][i],
                    (&mut self.turn.near, cut),
                    (i, mask),
                )
            };
            let [sure, in_doubt] = row.in_row(v, within);
            doubtful = v.or(doubtful, in_doubt);
            left = v.or(left, v.and(doubtful, v.all(1 << i)));
            put(v, &mut self.file.numbers[d][i], v.one(sure), mask);
        }
        LaneMask::of_bytes(v.gathered(left)).and(on)
    }
}

/// What was kept of a chunk.
#[inline(always)]
fn taken<V: Simd, const K: usize>(v: V, kept: &[[[Lane8; 2]; K]], number: u8, i: usize) -> [V::V8; 2] {
    let [ahead, behind] = &kept[usize::from(number)][i];
    [v.load(ahead), v.load(behind)]
}

/// The mask of the lanes that have more cells than one.
#[inline(always)]
fn several<V: Simd, const W: usize>(v: V, a: &Cells<V, W>) -> V::V8 {
    let (mut any, mut more) = (v.none(), v.none());
    for word in 0..W {
        let lower = v.and(a[word], v.sub(a[word], v.all(1)));
        let here = v.truth(a[word]);
        more = v.or(v.or(more, lower), v.and(any, here));
        any = v.or(any, here);
    }
    v.truth(more)
}

/// The words ahead of each lane's one cell and behind it.
#[derive(Clone, Copy)]
struct Spot<V: Simd, const W: usize> {
    /// By word: the mask of the lanes whose cell is there.
    here: Cells<V, W>,
    bit: V::V8,
}

impl<V: Simd, const W: usize> Spot<V, W> {
    /// Where each lane's one cell is, which may be the one that was chosen last.
    #[inline(always)]
    fn at<const K: usize>(v: V, a: &Cells<V, W>, (chosen, sought): (bool, &Sought<W, K>), i: usize) -> Spot<V, W> {
        if W == 1 || !chosen {
            return Spot::of(v, a);
        }
        let below = v.ones(v.sub(v.load(&sought.bits[i]), v.all(1)));
        Spot { here: load(v, &sought.here[i]), bit: v.and(below, v.all(63)) }
    }

    #[inline(always)]
    fn of(v: V, a: &Cells<V, W>) -> Spot<V, W> {
        let (mut here, mut cell) = (*a, v.none());
        words!(word => {
            here[word] = v.truth(a[word]);
            cell = v.or(cell, a[word]);
        });
        Spot { here, bit: v.and(v.ones(v.sub(cell, v.all(1))), v.all(63)) }
    }

    /// The cells of a set near by, as an operation comes to them.
    #[inline(always)]
    fn cut<const K: usize>(
        &self,
        v: V,
        set: &Set<W>,
        (kept, cut): (&mut [[[Lane8; 2]; K]], Cut),
        (i, mask): (usize, V::V8),
    ) -> [V::V8; 2] {
        if let Cut::Taken(number) = cut {
            return taken(v, kept, number, i);
        }
        let near = self.near(v, &load(v, set));
        if let Cut::Kept(number) = cut {
            let [ahead, behind] = &mut kept[usize::from(number)][i];
            put(v, ahead, near[0], mask);
            put(v, behind, near[1], mask);
        }
        near
    }

    /// The cells of a set less than a word ahead and behind.
    #[inline(always)]
    fn near(&self, v: V, set: &Cells<V, W>) -> [V::V8; 2] {
        let (mut mine, mut next, mut before) = (v.none(), v.none(), v.none());
        words!(word => {
            mine = v.or(mine, v.and(self.here[word], set[word]));
            if word + 1 < W {
                next = v.or(next, v.and(self.here[word], set[word + 1]));
                before = v.or(before, v.and(self.here[word + 1], set[word]));
            }
        });
        let rest = v.sub(v.all(63), self.bit);
        [
            v.or(v.down_each(mine, self.bit), v.up_each(v.up(next, 1), rest)),
            v.or(v.down_each(before, self.bit), v.up_each(v.up(mine, 1), rest)),
        ]
    }
}
