//! Breakthrough, 8x8. The board is kept as the player to move sees it: its men go towards higher
//! bits.

use super::bits;
use super::game::{Game, Outcome, Play};
use core::hint::select_unpredictable as select;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

#[derive(Clone)]
pub struct Breakthrough {
    own: u64,
    opp: u64,
    side: u8,
}

#[derive(Clone, Copy)]
pub struct Turn {
    from: u64,
    to: u64,
}

impl Breakthrough {
    /// Arrival squares of the steps straight, to the left and to the right.
    #[inline(always)]
    fn arrivals(&self) -> (u64, u64, u64) {
        let f = (self.own << 8) & !(self.own | self.opp);
        let l = (self.own << 7) & !FILE_H & !self.own;
        let r = (self.own << 9) & !FILE_A & !self.own;
        (f, l, r)
    }
}

impl Game for Breakthrough {
    type Turn = Turn;

    fn start() -> Self {
        Breakthrough { own: 0xffff, opp: 0xffff << 48, side: 0 }
    }

    #[inline(always)]
    fn count(&mut self) -> Result<u32, Outcome> {
        let (f, l, r) = self.arrivals();
        Ok(f.count_ones() + l.count_ones() + r.count_ones())
    }

    #[inline(always)]
    fn nth(&mut self, k: u32) -> Turn {
        let (f, l, r) = self.arrivals();
        let nf = f.count_ones();
        let nl = nf + l.count_ones();
        let (first, second) = (k < nf, k < nl);
        let m = select(second, select(first, f, l), r);
        let b = select(second, select(first, 0, nf), nl);
        let s = select(second, select(first, 8, 7), 9);
        let to = bits::nth_bit(m, k - b);
        Turn { from: to >> s, to }
    }

    #[inline(always)]
    fn play(&mut self, t: Turn) -> Play {
        let own = self.own ^ t.from ^ t.to;
        let opp = self.opp & !t.to;
        self.own = opp.swap_bytes();
        self.opp = own.swap_bytes();
        self.side ^= 1;
        if t.to >> 56 != 0 || opp == 0 { Play::Over(Outcome::win(self.side ^ 1)) } else { Play::On }
    }
}
