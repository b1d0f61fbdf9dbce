//! Uniform draw: a generator and a bound go in; a number below the bound comes out.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A number below `n`, each equally likely, by multiplication with rejection (Lemire); of 32 bits
/// where that is enough.
#[inline(always)]
pub fn below(rng: &mut Xoshiro256PlusPlus, n: u64) -> u64 {
    below_by(|| rng.random::<u64>(), n)
}

/// The same of a generator's words.
#[inline(always)]
pub fn below_by(mut word: impl FnMut() -> u64, n: u64) -> u64 {
    if n <= u64::from(u32::MAX) {
        loop {
            let wide = (word() >> 32) * n;
            let low = wide & u64::from(u32::MAX);
            if low >= n || low >= (u64::from(u32::MAX) + 1 - n) % n.max(1) {
                return wide >> 32;
            }
        }
    }
    loop {
        let wide = u128::from(word()) * u128::from(n);
        let low = wide as u64;
        if low >= n || low >= n.wrapping_neg() % n {
            return (wide >> 64) as u64;
        }
    }
}
