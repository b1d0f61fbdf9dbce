//! Rows of cells go in; which of them a set holds whole, or but for one cell, comes out for many games at once.
//!
//! Rows whose cells are equally far apart are looked at together: a set moved by that distance, and by twice as much, tells of all of them
//! whether the next cell is there, and the one behind it.

use std::collections::BTreeMap;

use super::lanes::{Cells, count, shift, words};
use super::sets::{and, or, within};
use super::vector::Vectors;

/// Longer rows are looked at one by one.
const MOST: usize = 6;

/// Rows, with the cells of each of which something is asked.
#[derive(Debug)]
pub struct Rows<const W: usize> {
    alike: Vec<Alike<W>>,
    others: Vec<[[u64; W]; 2]>,
}

/// Rows of as many cells, each as far from the one before.
#[derive(Debug)]
struct Alike<const W: usize> {
    by: i32,
    firsts: [u64; W],
    /// The first cells, the second ones and so on of which something is asked.
    asked: Vec<[u64; W]>,
}

impl<const W: usize> Rows<W> {
    /// Of each row all cells, and those of which something is asked.
    pub fn new(rows: impl Iterator<Item = [[u64; W]; 2]>) -> Rows<W> {
        let mut alike: BTreeMap<(usize, usize), Alike<W>> = BTreeMap::new();
        let mut others = Vec::new();
        for row @ [all, asked] in rows {
            let bits: Vec<usize> = (0..W * 64).filter(|bit| all[bit / 64] >> (bit % 64) & 1 == 1).collect();
            let [first, second, ..] = bits.as_slice() else {
                others.push(row);
                continue;
            };
            let by = second - first;
            if bits.len() > MOST || bits.windows(2).any(|pair| pair[1] - pair[0] != by) {
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
        Rows { alike, others }
    }

    /// The cells of those rows that lie whole in a set.
    #[inline(always)]
    pub fn whole<V: Vectors>(&self, v: V, a: &Cells<V, W>) -> Cells<V, W> {
        let mut found = [v.none(); W];
        for at in 0..self.alike.len() {
            let alike = &self.alike[at];
            let whole = match alike.asked.len() {
                2 => alike.whole::<V, 2>(v, a),
                3 => alike.whole::<V, 3>(v, a),
                4 => alike.whole::<V, 4>(v, a),
                5 => alike.whole::<V, 5>(v, a),
                6 => alike.whole::<V, 6>(v, a),
                _ => continue,
            };
            found = or(v, &found, &whole);
        }
        for at in 0..self.others.len() {
            let row = &self.others[at][0];
            let mut missing = v.none();
            words!(word => {
                missing = v.or(missing, v.without(v.all(row[word]), a[word]));
            });
            let whole = v.equal(missing, v.none());
            words!(word => {
                found[word] = v.or(found[word], v.and(v.all(row[word]), whole));
            });
        }
        found
    }

    /// The cells each of which makes with a set its row whole, of those that are asked of.
    #[inline(always)]
    pub fn complete<V: Vectors>(&self, v: V, a: &Cells<V, W>) -> Cells<V, W> {
        let mut found = [v.none(); W];
        for at in 0..self.alike.len() {
            let alike = &self.alike[at];
            let completing = match alike.asked.len() {
                2 => alike.complete::<V, 2>(v, a),
                3 => alike.complete::<V, 3>(v, a),
                4 => alike.complete::<V, 4>(v, a),
                5 => alike.complete::<V, 5>(v, a),
                6 => alike.complete::<V, 6>(v, a),
                _ => continue,
            };
            found = or(v, &found, &completing);
        }
        for at in 0..self.others.len() {
            let [row, may] = &self.others[at];
            let mut missing = [v.none(); W];
            words!(word => {
                missing[word] = v.without(v.all(row[word]), a[word]);
            });
            let (none, at_most_one) = if W == 1 {
                let others = v.and(missing[0], v.sub(missing[0], v.all(1)));
                (v.equal(missing[0], v.none()), v.equal(others, v.none()))
            } else {
                let count = count(v, &missing);
                (v.equal(count, v.none()), v.less_signed(count, v.all(2)))
            };
            words!(word => {
                let completing = v.and(v.and(v.or(missing[word], none), at_most_one), v.all(may[word]));
                found[word] = v.or(found[word], completing);
            });
        }
        found
    }
}

impl<const W: usize> Alike<W> {
    #[inline(always)]
    fn whole<V: Vectors, const N: usize>(&self, v: V, a: &Cells<V, W>) -> Cells<V, W> {
        let mut firsts = within(v, a, &self.firsts);
        for place in 1..N {
            firsts = and(v, &firsts, &shift(v, a, -self.by * place as i32));
        }
        let mut found = firsts;
        for place in 1..N {
            found = or(v, &found, &shift(v, &firsts, self.by * place as i32));
        }
        found
    }

    #[inline(always)]
    fn complete<V: Vectors, const N: usize>(&self, v: V, a: &Cells<V, W>) -> Cells<V, W> {
        let mut found = [v.none(); W];
        for place in 0..N {
            let asked = &self.asked[place];
            let mut completing = [v.all(u64::MAX); W];
            for other in 0..N {
                let steps = place as i32 - other as i32;
                if steps != 0 {
                    completing = and(v, &completing, &shift(v, a, self.by * steps));
                }
            }
            found = or(v, &found, &within(v, &completing, asked));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::vector::Plain;
    use super::*;

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
        let all = Rows::new(rows.iter().copied());
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
            let first = |cells: [[u64; 8]; W]| cells.map(|words| words[0]);
            assert_eq!((first(all.whole(Plain, &cells)), first(all.complete(Plain, &cells))), (whole, complete));
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
        assert_eq!(Rows::new(rows.iter().copied()).others.len(), 2);
        assert_eq!(Rows::new(rows.iter().copied()).alike.len(), 3);
        // Across words, and a row of one cell.
        let rows: Vec<[[u64; 2]; 2]> =
            [[62, 63, 64, 65], [4, 44, 84, 124], [63, 64, 65, 66]].iter().map(|bits| row(bits, &bits[..3])).collect();
        let rows = [rows, vec![row(&[70], &[70])]].concat();
        let sets = [[u64::MAX; 2], [0; 2], [3 << 62, 1], [1 << 63, 7], [1 << 4 | 1 << 44, 1 << 20], [1 << 44, 1 << 20 | 1 << 60]];
        expect_like_single_rows(&rows, &sets);
    }
}
