//! Repetition table: hashes of positions go in; how often and how long ago one stood comes out.

use crate::interp::tuning::{MAX_STALE_HASHES, REPETITION_FILTER_BUCKETS};

/// 128 bits that tell positions apart.
pub type Hash = u128;

/// What `times` and `cycle` ask: one entry for the first position and one for the end of each turn.
#[derive(Clone, Debug, Default)]
pub struct RepetitionTable {
    pieces: HashList,
    positions: HashList,
}

/// Hashes in order, with a filter: most that are asked for have never been recorded, or only just now.
#[derive(Clone, Debug, Default)]
struct HashList {
    hashes: Vec<Hash>,
    filter: Box<Filter>,
    /// How often the last one was recorded, if that is known.
    last: Option<i64>,
}

/// A Bloom filter (B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970) of two buckets for each
/// hash: those of a hash that was recorded are filled.
#[derive(Clone, Debug)]
struct Filter {
    filled: [u64; REPETITION_FILTER_BUCKETS / 64],
    /// Hashes that are forgotten since it was made, and may still fill buckets.
    stale: usize,
}

impl Filter {
    #[inline(always)]
    fn may_have(&self, hash: Hash) -> bool {
        buckets(hash).into_iter().all(|bucket| self.filled[bucket / 64] >> (bucket % 64) & 1 == 1)
    }

    #[inline(always)]
    fn add(&mut self, hash: Hash) {
        buckets(hash).into_iter().for_each(|bucket| self.filled[bucket / 64] |= 1 << (bucket % 64));
    }

    fn clear(&mut self) {
        self.filled.fill(0);
        self.stale = 0;
    }
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { filled: [0; REPETITION_FILTER_BUCKETS / 64], stale: 0 }
    }
}

/// The buckets of a hash in the filter.
#[inline(always)]
fn buckets(hash: Hash) -> [usize; 2] {
    [hash as usize % REPETITION_FILTER_BUCKETS, (hash >> 64) as usize % REPETITION_FILTER_BUCKETS]
}

impl HashList {
    fn record(&mut self, hash: Hash) {
        self.last = Some(self.times(hash) + 1);
        self.hashes.push(hash);
        self.filter.add(hash);
    }

    fn truncate(&mut self, length: usize) {
        let forgotten = self.hashes.len().saturating_sub(length);
        if forgotten == 0 {
            return;
        }
        self.last = None;
        self.hashes.truncate(length);
        self.filter.stale += forgotten;
        // To count what fills a bucket would empty it at once. But counts take eight times the memory, which lock step
        // touches at random for each turn of each lane.
        if self.filter.stale > MAX_STALE_HASHES {
            self.filter.clear();
            self.hashes.iter().for_each(|&hash| self.filter.add(hash));
        }
    }

    fn clear(&mut self) {
        // Most games note nothing.
        if !self.hashes.is_empty() || self.filter.stale > 0 {
            self.hashes.clear();
            self.filter.clear();
            self.last = None;
        }
    }

    /// How often the last one was recorded, if there is one.
    fn times_last(&self) -> Option<i64> {
        self.hashes.last().map(|&hash| self.times(hash))
    }

    fn times(&self, hash: Hash) -> i64 {
        if !self.filter.may_have(hash) {
            return 0;
        }
        let known = self.last.filter(|_| self.hashes.last() == Some(&hash));
        known.unwrap_or_else(|| self.hashes.iter().filter(|&&recorded| recorded == hash).count() as i64)
    }
}

impl RepetitionTable {
    /// Becomes equal to another, with what room there is.
    pub fn copy_from(&mut self, other: &RepetitionTable) {
        for (own, other) in [(&mut self.pieces, &other.pieces), (&mut self.positions, &other.positions)] {
            if !own.hashes.is_empty() || !other.hashes.is_empty() {
                own.hashes.clone_from(&other.hashes);
                own.filter.clone_from(&other.filter);
                own.last = other.last;
            }
        }
    }

    pub fn clear(&mut self) {
        self.pieces.clear();
        self.positions.clear();
    }

    /// How many entries there are.
    pub fn lengths(&self) -> (usize, usize) {
        (self.pieces.hashes.len(), self.positions.hashes.len())
    }

    /// Forgets later entries.
    pub fn truncate(&mut self, lengths: (usize, usize)) {
        self.pieces.truncate(lengths.0);
        self.positions.truncate(lengths.1);
    }

    pub fn record_pieces(&mut self, hash: Hash) {
        self.pieces.record(hash);
    }

    pub fn record_position(&mut self, hash: Hash) {
        self.positions.record(hash);
    }

    pub fn times_pieces(&self, hash: Hash) -> i64 {
        self.pieces.times(hash)
    }

    pub fn times_position(&self, hash: Hash) -> i64 {
        self.positions.times(hash)
    }

    /// How often the position recorded last has stood, if there is one.
    pub fn times_last_position(&self) -> Option<i64> {
        self.positions.times_last()
    }

    /// How often the men recorded last have stood so, if there are any.
    pub fn times_last_pieces(&self) -> Option<i64> {
        self.pieces.times_last()
    }

    /// Turns since the position recorded last first stood.
    pub fn cycle(&self, hash: Hash) -> i64 {
        let recorded = &self.positions.hashes;
        let first = recorded.iter().position(|&recorded| recorded == hash);
        first.map_or(0, |first| recorded.len().saturating_sub(first + 1) as i64)
    }
}

/// Sums of products of two words at a time, with a number of its own added to each, twice: the
/// universal hash NH (J. Black, S. Halevi, H. Krawczyk, T. Krovetz, P. Rogaway, "UMAC: Fast and
/// secure message authentication", 1999). No product waits for another.
#[derive(Clone, Copy)]
struct Mix {
    sums: [u128; 2],
    key: u64,
}

impl Mix {
    fn new() -> Mix {
        Mix { sums: [0; 2], key: 0x243f_6a88_85a3_08d3 }
    }

    #[inline(always)]
    fn add(&mut self, a: u64, b: u64) {
        let plus = |word: u64, key: u64| u128::from(word.wrapping_add(key));
        let key = self.key;
        self.key = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.sums[0] = self.sums[0].wrapping_add(plus(a, key) * plus(b, key ^ 0x1319_8a2e_0370_7344));
        let other = key ^ 0xd6e8_feb8_6659_fd93;
        self.sums[1] = self.sums[1].wrapping_add(plus(a, other) * plus(b, other ^ 0xa076_1d64_78bd_642f));
    }

    #[inline(always)]
    fn finish(self) -> Hash {
        let [upper, lower] = self.sums.map(|sum| {
            let wide =
                u128::from(sum as u64 ^ 0x2545_f491_4f6c_dd1d) * u128::from((sum >> 64) as u64 ^ 0x1319_8a2e_0370_7344);
            (wide >> 64) as u64 ^ wide as u64
        });
        u128::from(upper) << 64 | u128::from(lower)
    }
}

/// The hash of words in order.
pub fn hash_words(words: &[u64]) -> Hash {
    let mut mix = Mix::new();
    mix.add(words.len() as u64, 0);
    for two in words.chunks(2) {
        mix.add(two[0], two.get(1).copied().unwrap_or(0));
    }
    mix.finish()
}

/// The hash of so many words of some sets, of some numbers, and of one more.
#[inline(always)]
pub fn hash_of(
    words: usize,
    (sets, numbers, more): (&[usize], &[usize], u64),
    word: impl Fn(usize, usize) -> u64,
    number: impl Fn(usize) -> u64,
) -> Hash {
    let mut mix = Mix::new();
    mix.add(more, sets.len() as u64);
    if words == 1 {
        for two in sets.chunks(2) {
            mix.add(word(two[0], 0), two.get(1).map_or(0, |&set| word(set, 0)));
        }
    } else {
        for &set in sets {
            for at in (0..words).step_by(2) {
                mix.add(word(set, at), if at + 1 < words { word(set, at + 1) } else { 0 });
            }
        }
    }
    for two in numbers.chunks(2) {
        mix.add(number(two[0]), two.get(1).map_or(0, |&reg| number(reg)));
    }
    mix.finish()
}
