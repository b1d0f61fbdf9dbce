//! Spread: words of a bitboard go in; a byte for each cell comes out, 1 where its bit is set.

/// Where the bytes of bits go.
#[derive(Clone, Debug)]
pub struct Spread {
    /// In the order of their bytes: each writes whole eights, of which bytes behind its own are written anew.
    runs: Vec<Run>,
}

/// Bits of a word that follow one another, as their bytes do.
#[derive(Clone, Copy, Debug)]
struct Run {
    word: u16,
    shift: u8,
    length: u8,
    to: u16,
}

impl Run {
    /// The word, its bit and the byte that follow.
    fn end(self) -> (u16, u8, u16) {
        (self.word, self.shift + self.length, self.to + u16::from(self.length))
    }
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
            let (word, shift, to) = ((bit / 64) as u16, (bit % 64) as u8, to as u16);
            match runs.last_mut() {
                Some(run) if run.end() == (word, shift, to) => run.length += 1,
                _ => runs.push(Run { word, shift, length: 1, to }),
            }
        }
        Some(Spread { runs })
    }

    /// It writes all of so many bytes.
    pub fn covers(&self, bytes: usize) -> bool {
        self.runs.iter().map(|run| usize::from(run.length)).sum::<usize>() == bytes
    }

    /// Writes the bytes of all cells; of those between them, some become 0.
    #[inline]
    pub fn write(&self, word: impl Fn(usize) -> u64, to: &mut [u8]) {
        for run in &self.runs {
            let (begin, length) = (usize::from(run.to), usize::from(run.length));
            let mut bits = word(usize::from(run.word)) >> run.shift;
            let (whole, rest) = to[begin..].split_at_mut(length / 8 * 8);
            for eight in whole.as_chunks_mut().0 {
                *eight = BYTES[usize::from(bits as u8)];
                bits >>= 8;
            }
            let length = length % 8;
            if length > 0 {
                let bytes = &BYTES[usize::from(bits as u8 & (0xff >> (8 - length)))];
                match rest.first_chunk_mut() {
                    Some(eight) => *eight = *bytes,
                    None => rest[..length].copy_from_slice(&bytes[..length]),
                }
            }
        }
    }
}

/// By eight bits: a byte for each of them.
static BYTES: [[u8; 8]; 256] = {
    let mut bytes = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        bytes[at / 8][at % 8] = (((at / 8) >> (at % 8)) & 1) as u8;
        at += 1;
    }
    bytes
};
