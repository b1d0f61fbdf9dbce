//! Spread: words of a bitboard go in; a byte for each cell comes out, 1 where its bit is set.

/// Where the bytes of bits go.
#[derive(Clone, Debug)]
pub struct Spread {
    /// Bytes that are written, some perhaps of no cell: these are 0.
    bytes: usize,
    /// How the bits come into the order of their bytes.
    moves: Vec<Moves>,
}

/// Bits of a word that move equally far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Moves {
    /// The word that they move to, and the one that they come from.
    to: u16,
    from: u16,
    /// By how much they are rotated, and which they are before.
    by: u32,
    bits: u64,
}

impl Spread {
    /// `cells`: of each cell its bit, and the place of its byte among so many. `None`: some have the same.
    pub fn new(cells: impl Iterator<Item = (usize, usize)>, bytes: usize) -> Option<Spread> {
        let mut is_taken = vec![false; bytes];
        let mut moves: Vec<Moves> = Vec::new();
        for (bit, place) in cells {
            if std::mem::replace(is_taken.get_mut(place)?, true) {
                return None;
            }
            let (to, from) = ((place / 64) as u16, (bit / 64) as u16);
            let by = (place % 64 + 64 - bit % 64) as u32 % 64;
            match moves.iter_mut().find(|one| (one.to, one.from, one.by) == (to, from, by)) {
                Some(one) => one.bits |= 1 << (bit % 64),
                None => moves.push(Moves { to, from, by, bits: 1 << (bit % 64) }),
            }
        }
        moves.sort_unstable();
        Some(Spread { bytes, moves })
    }

    /// Words of bits in the order of their bytes.
    pub fn words(&self) -> usize {
        self.bytes.div_ceil(64)
    }

    /// Brings the bits of some bitboards into the order of their bytes, and adds them to a list, word by word.
    #[inline(always)]
    pub fn pack<const N: usize>(&self, word: impl Fn(usize) -> [u64; N], to: &mut Vec<[u64; N]>) {
        let mut moves = self.moves.as_slice();
        for number in 0..self.words() {
            let mut bits = [0; N];
            while let Some((one, rest)) = moves.split_first().filter(|(one, _)| usize::from(one.to) == number) {
                let from = word(usize::from(one.from));
                for (to, from) in bits.iter_mut().zip(from) {
                    *to |= (from & one.bits).rotate_left(one.by);
                }
                moves = rest;
            }
            to.push(bits);
        }
    }

    /// Writes the bytes of packed bits, 64 at a time: those behind them become 0.
    #[inline(always)]
    pub fn write(&self, words: impl Iterator<Item = u64>, mut to: &mut [u8]) {
        for word in words {
            let bytes = bytes_of(word);
            if let Some(here) = to.first_chunk_mut() {
                *here = bytes;
                to = &mut to[bytes.len()..];
            } else {
                to.copy_from_slice(&bytes[..to.len()]);
                return;
            }
        }
    }
}

/// A byte for each bit, eight at a time.
#[inline(always)]
fn bytes_of(word: u64) -> [u8; 64] {
    let mut bytes = [[0; 8]; 8];
    for (at, to) in bytes.iter_mut().enumerate() {
        // Byte `k` has all eight bits, then its own alone; a carry into its highest bit tells whether that is set. A product
        // with ones would do for the first of these steps, but takes longer than three doublings.
        let mut eight = word >> (8 * at) & 0xff;
        eight |= eight << 32;
        eight |= eight << 16;
        eight |= eight << 8;
        let own = eight & 0x8040_2010_0804_0201;
        *to = ((own + 0x0040_6070_787c_7e7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes();
    }
    let mut all = [0; 64];
    all.copy_from_slice(bytes.as_flattened());
    all
}
