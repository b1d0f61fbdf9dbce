//! Line-pattern kernels: rows of cells go in; which of them a set holds whole, or but for one cell,
//! comes out for many games at once.
//!
//! Rows whose cells are equally far apart are looked at together: a set moved by that distance, and
//! by twice as much, tells of all of them whether the next cell is there, and the one behind it.

use std::collections::BTreeMap;

use crate::plan::SetReg;
use crate::simd::Simd;
use crate::simt::kernels::algebra::{and, or, within};
use crate::simt::registers;
use crate::simt::registers::{Cells, LaneRegisters, count, load, shift, store, words};
use crate::simt::tuning::MAX_ROW_CELLS_SHIFTED;

/// Rows, with the cells of each of which something is asked.
#[derive(Debug)]
pub struct LinePatterns<const W: usize> {
    alike: Vec<Alike<W>>,
    others: Vec<[[u64; W]; 2]>,
}

/// What is asked of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The cells of those that lie whole in a set.
    Whole,
    /// The cells each of which makes with a set its row whole.
    Complete,
}

/// Rows of as many cells, each as far from the one before.
#[derive(Debug)]
pub struct Alike<const W: usize> {
    pub by: i32,
    pub firsts: [u64; W],
    /// The first cells, the second ones and so on of which something is asked.
    pub asked: Vec<[u64; W]>,
}

impl<const W: usize> LinePatterns<W> {
    /// Of each row all cells, and those of which something is asked.
    pub fn new(rows: impl Iterator<Item = [[u64; W]; 2]>) -> LinePatterns<W> {
        let mut alike: BTreeMap<(usize, usize), Alike<W>> = BTreeMap::new();
        let mut others = Vec::new();
        for row @ [all, asked] in rows {
            let bits: Vec<usize> = (0..W * 64).filter(|bit| all[bit / 64] >> (bit % 64) & 1 == 1).collect();
            let [first, second, ..] = bits.as_slice() else {
                others.push(row);
                continue;
            };
            let by = second - first;
            if bits.len() > MAX_ROW_CELLS_SHIFTED || bits.windows(2).any(|pair| pair[1] - pair[0] != by) {
                others.push(row);
                continue;
            }
            let none = || Alike { by: by as i32, firsts: [0; W], asked: vec![[0; W]; bits.len()] };
            let same = alike.entry((by, bits.len())).or_insert_with(none);
            same.firsts[first / 64] |= 1 << (first % 64);
            for (cells, bit) in same.asked.iter_mut().zip(&bits) {
                cells[bit / 64] |= asked[bit / 64] & 1 << (bit % 64);
            }
        }
        let alike = alike.into_values().collect();
        LinePatterns { alike, others }
    }

    /// Rows that are alike together; `None`: not all rows are.
    pub fn all_alike(&self) -> Option<&[Alike<W>]> {
        self.others.is_empty().then_some(self.alike.as_slice())
    }

    /// What is asked of the rows of several sets.
    #[inline(always)]
    pub fn of<V: Simd, const P: usize>(&self, v: V, asked: Asked, a: &[Cells<V, W>; P]) -> [Cells<V, W>; P] {
        let mut found = [[v.none(); W]; P];
        for at in 0..self.alike.len() {
            let alike = &self.alike[at];
            match alike.asked.len() {
                2 => alike.of::<V, P, 2>(v, asked, a, &mut found),
                3 => alike.of::<V, P, 3>(v, asked, a, &mut found),
                4 => alike.of::<V, P, 4>(v, asked, a, &mut found),
                5 => alike.of::<V, P, 5>(v, asked, a, &mut found),
                6 => alike.of::<V, P, 6>(v, asked, a, &mut found),
                _ => {}
            }
        }
        for at in 0..self.others.len() {
            for i in 0..P {
                let made = single(v, asked, &self.others[at], &a[i]);
                found[i] = or(v, &found[i], &made);
            }
        }
        found
    }
}

/// What is asked of one row, by its cells and those that are asked of.
#[inline(always)]
fn single<V: Simd, const W: usize>(v: V, asked: Asked, [row, may]: &[[u64; W]; 2], a: &Cells<V, W>) -> Cells<V, W> {
    let (mut missing, mut any) = ([v.none(); W], v.none());
    words!(word => {
        missing[word] = v.without(v.all(row[word]), a[word]);
        any = v.or(any, missing[word]);
    });
    let (whole, mut made) = (v.equal(any, v.none()), [v.none(); W]);
    let at_most_one = if asked == Asked::Complete { v.less_signed(count(v, &missing), v.all(2)) } else { whole };
    words!(word => {
        made[word] = v.and(v.and(v.or(missing[word], whole), at_most_one), v.all(may[word]));
    });
    made
}

impl<const W: usize> Alike<W> {
    /// Takes in what is asked of the rows of several sets: those of one word are moved by distances
    /// that are told once for all.
    #[inline(always)]
    fn of<V: Simd, const P: usize, const N: usize>(
        &self,
        v: V,
        asked: Asked,
        a: &[Cells<V, W>; P],
        found: &mut [Cells<V, W>; P],
    ) {
        let mut by = [v.none(); N];
        for steps in 1..N {
            by[steps] = v.all((self.by * steps as i32) as u64);
        }
        for i in 0..P {
            let made = if asked == Asked::Whole { self.whole(v, &by, &a[i]) } else { self.complete(v, &by, &a[i]) };
            found[i] = or(v, &found[i], &made);
        }
    }

    /// So many steps on along each row, or back.
    #[inline(always)]
    fn moved<V: Simd, const N: usize>(&self, v: V, by: &[V::V8; N], a: &Cells<V, W>, steps: i32) -> Cells<V, W> {
        if W > 1 {
            return shift(v, a, self.by * steps);
        }
        let by = by[steps.unsigned_abs() as usize];
        let mut made = *a;
        made[0] = if steps > 0 { v.up_each(a[0], by) } else { v.down_each(a[0], by) };
        made
    }

    #[inline(always)]
    fn whole<V: Simd, const N: usize>(&self, v: V, by: &[V::V8; N], a: &Cells<V, W>) -> Cells<V, W> {
        let mut firsts = within(v, a, &self.firsts);
        for place in 1..N {
            firsts = and(v, &firsts, &self.moved(v, by, a, -(place as i32)));
        }
        let mut found = firsts;
        for place in 1..N {
            found = or(v, &found, &self.moved(v, by, &firsts, place as i32));
        }
        found
    }

    #[inline(always)]
    fn complete<V: Simd, const N: usize>(&self, v: V, by: &[V::V8; N], a: &Cells<V, W>) -> Cells<V, W> {
        let mut found = [v.none(); W];
        for place in 0..N {
            let mut completing = [v.all(u64::MAX); W];
            for other in 0..N {
                let steps = place as i32 - other as i32;
                if steps != 0 {
                    completing = and(v, &completing, &self.moved(v, by, a, steps));
                }
            }
            found = or(v, &found, &within(v, &completing, &self.asked[place]));
        }
        found
    }
}

impl<const W: usize, const K: usize> LaneRegisters<W, K> {
    /// A set register becomes what is asked of the rows of another.
    #[inline(always)]
    pub fn rows<V: Simd>(&mut self, v: V, blend: bool, (rows, asked): (&LinePatterns<W>, Asked), d: SetReg, a: SetReg) {
        if W == 1 && V::ABREAST == 8 && K.is_multiple_of(4) {
            self.rows_of::<V, 4>(v, blend, (rows, asked), d, a);
        } else {
            self.rows_of::<V, 1>(v, blend, (rows, asked), d, a);
        }
    }

    /// [`File::rows`] for `P` chunks at once, those without a lane that is meant left out.
    #[inline(always)]
    fn rows_of<V: Simd, const P: usize>(
        &mut self,
        v: V,
        blend: bool,
        (rows, asked): (&LinePatterns<W>, Asked),
        d: SetReg,
        a: SetReg,
    ) {
        let (d, a, meant) = (usize::from(d.0), usize::from(a.0), self.on.chunk_bits());
        for first in (0..K).step_by(P) {
            if meant >> first & ((1 << P) - 1) == 0 {
                continue;
            }
            let mut of = [[v.none(); W]; P];
            for i in 0..P {
                of[i] = load(v, &self.sets[a][first + i]);
            }
            let made = rows.of(v, asked, &of);
            for i in 0..P {
                let to = &mut self.sets[d][first + i];
                let mut made = made[i];
                if blend {
                    made = registers::blend(v, &load(v, to), &made, v.load(&self.masks[first + i]));
                }
                *to = store(v, &made);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::simd::Plain;
    use crate::simt::kernels::line_pattern::*;

    /// A row of some bits, and those of them that are asked of.
    fn row<const W: usize>(bits: &[usize], asked: &[usize]) -> [[u64; W]; 2] {
        [bits, asked].map(|bits| {
            let mut words = [0; W];
            bits.iter().for_each(|bit| words[bit / 64] |= 1 << (bit % 64));
            words
        })
    }

    /// Compares with each row looked at by itself.
    fn expect_like_single_rows<const W: usize>(rows: &[[[u64; W]; 2]], sets: &[[u64; W]]) {
        let all = LinePatterns::new(rows.iter().copied());
        for set in sets {
            let (mut whole, mut complete) = ([0; W], [0; W]);
            for [row, may] in rows {
                let missing: [u64; W] = std::array::from_fn(|word| row[word] & !set[word]);
                let count: u32 = missing.iter().map(|word| word.count_ones()).sum();
                for word in 0..W {
                    whole[word] |= if count == 0 { row[word] } else { 0 };
                    complete[word] |= may[word] & [row[word], missing[word], 0][count.min(2) as usize];
                }
            }
            let cells = set.map(|word| [word; 8]);
            let first = |[cells]: [[[u64; 8]; W]; 1]| cells.map(|words| words[0]);
            let [of_all, completing] =
                [Asked::Whole, Asked::Complete].map(|asked| first(all.of(Plain, asked, &[cells])));
            assert_eq!((of_all, completing), (whole, complete));
        }
    }

    #[test]
    fn rows_alike_are_looked_at_together_and_tell_the_same() {
        let bits = [[0, 1, 2], [61, 62, 63], [9, 18, 27], [45, 54, 63], [0, 9, 19], [5, 33, 61]];
        let rows: Vec<[[u64; 1]; 2]> = bits.iter().flat_map(|bits| [row(bits, bits), row(bits, &bits[1..])]).collect();
        let mut sets: Vec<[u64; 1]> = rows.iter().map(|row| row[0]).collect();
        sets.extend(rows.iter().map(|[row, _]| [row[0] & (row[0] - 1)]));
        sets.extend([[0], [u64::MAX], [1 << 63 | 3], [0x8421_1248_8421_1248], [0xe000_0000_0804_0207]]);
        expect_like_single_rows(&rows, &sets);
        assert_eq!(LinePatterns::new(rows.iter().copied()).others.len(), 2);
        assert_eq!(LinePatterns::new(rows.iter().copied()).alike.len(), 3);
        // Across words, and a row of one cell.
        let rows: Vec<[[u64; 2]; 2]> =
            [[62, 63, 64, 65], [4, 44, 84, 124], [63, 64, 65, 66]].iter().map(|bits| row(bits, &bits[..3])).collect();
        let rows = [rows, vec![row(&[70], &[70])]].concat();
        let sets = [
            [u64::MAX; 2],
            [0; 2],
            [3 << 62, 1],
            [1 << 63, 7],
            [1 << 4 | 1 << 44, 1 << 20],
            [1 << 44, 1 << 20 | 1 << 60],
        ];
        expect_like_single_rows(&rows, &sets);
    }
}
