//! What every engine offers: count the legal turns, name the k-th, play it.

use super::rng::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    First,
    Second,
    Draw,
}

impl Outcome {
    #[inline(always)]
    pub fn win(side: u8) -> Outcome {
        if side == 0 { Outcome::First } else { Outcome::Second }
    }

    /// By score: the first player's against the second player's.
    #[inline(always)]
    pub fn score(first: u32, second: u32) -> Outcome {
        match first.cmp(&second) {
            core::cmp::Ordering::Greater => Outcome::First,
            core::cmp::Ordering::Less => Outcome::Second,
            core::cmp::Ordering::Equal => Outcome::Draw,
        }
    }
}

/// What playing a turn did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    On,
    Over(Outcome),
}

pub trait Game: Clone {
    type Turn: Copy;

    fn start() -> Self;

    /// How many legal turns there are (at least one; a forced pass is a turn),
    /// or how the game ended because there are none.
    fn count(&mut self) -> Result<u32, Outcome>;

    /// The k-th legal turn; only right after `count`, and `k` below what it gave.
    fn nth(&mut self, k: u32) -> Self::Turn;

    /// A legal turn, each as likely as any other.
    #[inline(always)]
    fn pick(&mut self, rng: &mut Rng) -> Result<Self::Turn, Outcome> {
        let n = self.count()?;
        Ok(self.nth(rng.below(n)))
    }

    fn play(&mut self, t: Self::Turn) -> Play;
}
