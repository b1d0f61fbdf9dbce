//! Positions that stood, by their hashes.

use super::machine::{Code, Machine};

/// 128 bits that tell positions apart.
pub type Hash = u128;

/// What `times` and `cycle` ask: one entry for the first position and one for the end of each turn.
#[derive(Clone, Debug, Default)]
pub struct History {
    pieces: Vec<Hash>,
    positions: Vec<Hash>,
}

impl History {
    pub fn clear(&mut self) {
        self.pieces.clear();
        self.positions.clear();
    }

    /// How many entries there are.
    pub fn lengths(&self) -> (usize, usize) {
        (self.pieces.len(), self.positions.len())
    }

    /// Forgets later entries.
    pub fn truncate(&mut self, lengths: (usize, usize)) {
        self.pieces.truncate(lengths.0);
        self.positions.truncate(lengths.1);
    }

    pub fn note_pieces(&mut self, hash: Hash) {
        self.pieces.push(hash);
    }

    pub fn note_position(&mut self, hash: Hash) {
        self.positions.push(hash);
    }

    pub fn times_pieces(&self, hash: Hash) -> i64 {
        self.pieces.iter().filter(|&&noted| noted == hash).count() as i64
    }

    pub fn times_position(&self, hash: Hash) -> i64 {
        self.positions.iter().filter(|&&noted| noted == hash).count() as i64
    }

    /// Turns since the position noted last first stood.
    pub fn cycle(&self, hash: Hash) -> i64 {
        let first = self.positions.iter().position(|&noted| noted == hash);
        first.map_or(0, |first| self.positions.len().saturating_sub(first + 1) as i64)
    }
}

/// Multiplies and folds, word by word.
#[derive(Clone, Copy)]
struct Mix(u64, u64);

impl Mix {
    #[inline(always)]
    fn add(&mut self, word: u64) {
        let fold = |a: u64, b: u64| {
            let wide = u128::from(a) * u128::from(b);
            (wide >> 64) as u64 ^ wide as u64
        };
        self.0 = fold(self.0 ^ word, 0x9e37_79b9_7f4a_7c15).wrapping_add(0x2545_f491_4f6c_dd1d);
        self.1 = fold(self.1.wrapping_add(word.rotate_left(29)), 0xd6e8_feb8_6659_fd93) ^ 0xa076_1d64_78bd_642f;
    }

    fn finish(self) -> Hash {
        u128::from(self.0) << 64 | u128::from(self.1)
    }
}

impl<const W: usize> Machine<W> {
    pub(super) fn pieces_hash(&self, code: &Code<W>) -> Hash {
        self.hash(&code.piece_sets, &[], 0)
    }

    pub(super) fn position_hash(&self, code: &Code<W>) -> Hash {
        self.hash(&code.noted_sets, &code.noted_numbers, self.next_to_move)
    }

    fn hash(&self, sets: &[usize], numbers: &[usize], start: u64) -> Hash {
        let mut mix = Mix(0x243f_6a88_85a3_08d3 ^ start, 0x1319_8a2e_0370_7344);
        for &reg in sets {
            self.sets[reg].iter().for_each(|&word| mix.add(word));
        }
        numbers.iter().for_each(|&reg| mix.add(self.numbers[reg] as u64));
        mix.finish()
    }
}
