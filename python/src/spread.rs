//! Spread: words of a bitboard go in; a byte for each cell comes out, 1 where its bit is set.

/// Where the bytes of bits go.
#[derive(Clone, Debug)]
pub struct Spread {
    /// In the order of their bytes: each writes eight, of which those behind its own are written anew.
    runs: Vec<Run>,
}

/// Up to eight bits of a word that follow one another, as their bytes do.
#[derive(Clone, Copy, Debug)]
struct Run {
    word: usize,
    shift: u32,
    length: usize,
    to: usize,
}

impl Spread {
    /// `cells`: of each cell its bit, and the place of its byte. `None`: some have the same.
    pub fn new(cells: impl Iterator<Item = (usize, usize)>) -> Option<Spread> {
        let mut cells: Vec<(usize, usize)> = cells.map(|(bit, place)| (place, bit)).collect();
        cells.sort_unstable();
        if cells.windows(2).any(|both| both[0].0 == both[1].0) {
            return None;
        }
        let mut runs: Vec<Run> = Vec::new();
        for (to, bit) in cells {
            let (word, shift) = (bit / 64, (bit % 64) as u32);
            match runs.last_mut() {
                Some(run)
                    if run.length < 8
                        && (run.word, run.shift + run.length as u32, run.to + run.length) == (word, shift, to) =>
                {
                    run.length += 1;
                }
                _ => runs.push(Run { word, shift, length: 1, to }),
            }
        }
        Some(Spread { runs })
    }

    /// Writes the bytes of all cells; of those between them, some become 0.
    #[inline]
    pub fn write(&self, word: impl Fn(usize) -> u64, to: &mut [u8]) {
        for run in &self.runs {
            let bits = word(run.word) >> run.shift & (0xff >> (8 - run.length));
            let bytes = bytes_of(bits);
            match to[run.to..].first_chunk_mut() {
                Some(eight) => *eight = bytes,
                None => to[run.to..][..run.length].copy_from_slice(&bytes[..run.length]),
            }
        }
    }
}

/// A byte for each of eight bits.
#[inline]
fn bytes_of(bits: u64) -> [u8; 8] {
    // A copy for each byte, of which that byte keeps its own bit; then any bit becomes 1.
    let own = bits.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    ((own + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes()
}
