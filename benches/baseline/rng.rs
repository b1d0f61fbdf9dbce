//! A small fast generator (wyrand): one addition and one widening multiplication a draw.

#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut r = Rng(seed ^ 0x9e37_79b9_7f4a_7c15);
        r.draw();
        r
    }

    #[inline(always)]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let m = (self.0 as u128) * ((self.0 ^ 0xe703_7ed1_a0b4_28db) as u128);
        (m >> 64) as u64 ^ m as u64
    }

    /// Uniform in `0..n`, but for a bias of at most n / 2^64.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        ((self.draw() as u128 * n as u128) >> 64) as u32
    }
}
