//! Transposition table: keys of positions go in, with what a search found of them; it comes out where
//! the position is met again. Its size never changes.

/// Bytes of an entry.
const BYTES: usize = 16;
/// Entries at most: more are not worth their memory's traffic.
const MOST: usize = 1 << 24;
const FEWEST: usize = 1 << 10;

/// What a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub score: i32,
    pub depth: u8,
    pub bound: Bound,
    /// The number of the best move.
    pub made: u16,
}

impl Entry {
    /// The score, if it tells all that is asked between two bounds.
    pub fn decides(&self, score: i32, alpha: i32, beta: i32) -> Option<i32> {
        let is_enough = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= beta,
            Bound::AtMost => score <= alpha,
        };
        is_enough.then_some(score)
    }
}

/// Entries by key: half of the key, then score, move, depth and bound. All zero: empty.
#[derive(Debug)]
pub struct Table {
    entries: Vec<[u64; 2]>,
}

impl Table {
    /// A table of so many bytes at most, unless that is less than any table takes.
    pub fn new(memory: usize) -> Table {
        let count = (memory / BYTES).clamp(FEWEST, MOST);
        let count = 1usize << count.ilog2();
        // Zeros come from the system, which gives memory only for what is written.
        Table { entries: vec![[0; 2]; count] }
    }

    fn place(&self, key: u128) -> usize {
        (key >> 64) as usize & (self.entries.len() - 1)
    }

    pub fn get(&self, key: u128) -> Option<Entry> {
        let [mark, data] = self.entries[self.place(key)];
        let bound = match data & 3 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            3 => Bound::AtMost,
            _ => return None,
        };
        (mark == key as u64).then_some(Entry {
            score: (data >> 32) as u32 as i32,
            made: (data >> 16) as u16,
            depth: (data >> 8) as u8,
            bound,
        })
    }

    /// Keeps an entry in place of another: of the same position the later, else the deeper one, unless
    /// the old one is much deeper.
    pub fn keep(&mut self, key: u128, entry: Entry) {
        let place = self.place(key);
        let [mark, data] = self.entries[place];
        let depth = (data >> 8) as u8;
        if data & 3 != 0 && mark != key as u64 && depth > entry.depth.saturating_add(3) {
            // It gets older with each that it holds off, so that it does not stay for ever.
            self.entries[place][1] = data & !0xff00 | u64::from(depth - 1) << 8;
            return;
        }
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::AtLeast => 2,
            Bound::AtMost => 3,
        };
        let data = u64::from(entry.score as u32) << 32 | u64::from(entry.made) << 16 | u64::from(entry.depth) << 8;
        self.entries[place] = [key as u64, data | bound];
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Entry, Table};

    #[test]
    fn what_is_kept_comes_out_and_the_size_stays() {
        let mut table = Table::new(1 << 20);
        let count = table.entries.len();
        assert!(count * 16 <= 1 << 20);
        let entry = Entry { score: -12_345, depth: 7, bound: Bound::AtMost, made: 513 };
        table.keep(5, entry);
        assert_eq!((table.get(5), table.get(6)), (Some(entry), None));
        (0..10_000u128).for_each(|key| table.keep(key << 64 | key, Entry { score: key as i32, ..entry }));
        assert_eq!(table.entries.len(), count);
        assert_eq!(table.get(9_999u128 << 64 | 9_999).map(|entry| entry.score), Some(9_999));
        assert_eq!(entry.decides(3, 5, 9), Some(3));
        assert_eq!(Entry { bound: Bound::AtLeast, ..entry }.decides(3, 5, 9), None);
    }

    #[test]
    fn deeper_entries_stay_a_while() {
        let mut table = Table::new(0);
        let (deep, shallow) = (
            Entry { score: 1, depth: 9, bound: Bound::Exact, made: 0 },
            Entry { score: 2, depth: 1, bound: Bound::Exact, made: 0 },
        );
        table.keep(1, deep);
        table.keep(2, shallow);
        assert!(table.get(1).is_some() && table.get(2).is_none());
        (0..20).for_each(|_| table.keep(2, shallow));
        assert_eq!(table.get(2), Some(shallow));
    }
}
