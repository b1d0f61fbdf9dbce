//! Nine Men's Morris. 24 points as three rings of eight (one byte a ring, inner to outer or the
//! other way: it does not matter), odd positions being the middles of the sides, where the rings
//! are joined.

use super::bits;
use super::game::{Game, Outcome, Play};
use core::hint::select_unpredictable as select;

const ALL: u32 = 0xff_ffff;
const ODD: u32 = 0xaa_aaaa;
const EVEN: u32 = 0x55_5555;

/// A mill lets its maker remove a man, or (`FORCED`) makes him.
#[derive(Clone)]
pub struct Mills<const FORCED: bool> {
    own: u32,
    opp: u32,
    /// Men in hand, of the player to move and of the other.
    hand: [u8; 2],
    side: u8,
    /// Turns since both were down to three men.
    quiet: u32,
    view: View,
}

/// What `count` found.
#[derive(Clone, Copy, Default)]
struct View {
    /// Moves that close no mill and moves that do; what they are depends on the stage.
    plain: u64,
    plain2: u64,
    mill: u64,
    mill2: u64,
    n_plain: u32,
    n_mill: u32,
    /// The men that may be removed after a mill.
    prey: u32,
    stage: u8,
}

/// Single bits, or none: from (none: from hand), to, removed (none: no mill).
#[derive(Clone, Copy)]
pub struct Turn {
    from: u32,
    to: u32,
    gone: u32,
}

/// Each ring turned by one: the man on p goes to p + 1 (`up`) or p - 1 (`down`).
#[inline(always)]
const fn up(x: u32) -> u32 {
    (x << 1) & 0xfe_fefe | (x >> 7) & 0x01_0101
}
#[inline(always)]
const fn down(x: u32) -> u32 {
    (x >> 1) & 0x7f_7f7f | (x << 7) & 0x80_8080
}

struct Near {
    up: u32,
    up2: u32,
    down: u32,
    down2: u32,
    /// Middles whose two fellows on the other rings are taken.
    cross: u32,
}

#[inline(always)]
fn near(x: u32) -> Near {
    let (u, d) = (up(x), down(x));
    let a = (x << 8 | x >> 16) & ALL;
    let b = (x << 16 | x >> 8) & ALL;
    Near { up: u, up2: up(u), down: d, down2: down(d), cross: a & b & ODD }
}

/// Points where a man would stand in a mill with two men of `x` (whether or not the point is in
/// `x`).
#[inline(always)]
fn completes(x: u32) -> u32 {
    let n = near(x);
    ODD & n.up & n.down | n.cross | EVEN & (n.up & n.up2 | n.down & n.down2)
}

const PLACE: u8 = 0;
const STEP: u8 = 1;
const FLY: u8 = 2;

/// For a step's direction << 5 | target: where it came from.
static FROM: [u32; 128] = {
    let mut t = [0; 128];
    let mut i = 0;
    while i < 24 {
        let to = 1 << i;
        t[i] = down(to);
        t[32 + i] = up(to);
        t[64 + i] = to >> 8;
        t[96 + i] = to << 8;
        i += 1;
    }
    t
};

/// Turns of both players together, both down to three men, that make a draw.
const CALM: u32 = 20;

pub type Morris = Mills<false>;
pub type MorrisForced = Mills<true>;

impl<const FORCED: bool> Mills<FORCED> {
    #[inline(always)]
    fn view(&self) -> View {
        let e = ALL & !(self.own | self.opp);
        let safe = self.opp & completes(self.opp);
        let prey = if safe == self.opp { self.opp } else { self.opp & !safe };
        let mut v = View { prey, ..View::default() };
        if self.hand[0] > 0 {
            let c = completes(self.own);
            v.stage = PLACE;
            v.plain = (e & !c) as u64;
            v.mill = (e & c) as u64;
        } else if self.own.count_ones() > 3 {
            let n = near(self.own);
            v.stage = STEP;
            let (a, am) = (n.up & e, n.cross | EVEN & n.down & n.down2);
            let (b, bm) = (n.down & e, n.cross | EVEN & n.up & n.up2);
            let side = n.up & n.down;
            let c = (self.own << 8) & ODD & e;
            let d = (self.own >> 8) & ODD & e;
            v.plain = (a & !am) as u64 | ((b & !bm) as u64) << 32;
            v.mill = (a & am) as u64 | ((b & bm) as u64) << 32;
            v.plain2 = (c & !side) as u64 | ((d & !side) as u64) << 32;
            v.mill2 = (c & side) as u64 | ((d & side) as u64) << 32;
        } else {
            // Three men: each to every empty point.
            v.stage = FLY;
            let mut left = self.own;
            let mut p = [0u32; 4];
            let mut m = [0u32; 4];
            for i in 0..3 {
                let f = left & left.wrapping_neg();
                left ^= f;
                let c = completes(self.own ^ f);
                p[i] = e & !c;
                m[i] = e & c;
            }
            v.plain = p[0] as u64 | (p[1] as u64) << 32;
            v.plain2 = p[2] as u64;
            v.mill = m[0] as u64 | (m[1] as u64) << 32;
            v.mill2 = m[2] as u64;
        }
        v.n_plain = v.plain.count_ones() + v.plain2.count_ones();
        v.n_mill = v.mill.count_ones() + v.mill2.count_ones();
        v
    }

    /// How many turns a move is that makes a mill: one a man to remove, and one without removal.
    #[inline(always)]
    fn removals(&self) -> u32 {
        // With nothing to remove (it does not happen) a mill would still be a turn.
        let n = self.view.prey.count_ones();
        if FORCED { n.max(1) } else { n + 1 }
    }

    /// The k-th of the moves in two words, as (from, to).
    #[inline(always)]
    fn step(&self, a: u64, b: u64, k: u32) -> (u32, u32) {
        let na = a.count_ones();
        let second = k >= na;
        let i = bits::nth(select(second, b, a), k - select(second, na, 0)) + select(second, 64, 0);
        let to = 1u32 << (i & 31);
        let from = match self.view.stage {
            PLACE => 0,
            STEP => bits::get(&FROM, i as usize & 127),
            _ => bits::nth_bit(self.own as u64, i >> 5) as u32,
        };
        (from, to)
    }
}

impl<const FORCED: bool> Game for Mills<FORCED> {
    type Turn = Turn;

    fn start() -> Self {
        Mills { own: 0, opp: 0, hand: [9; 2], side: 0, quiet: 0, view: View::default() }
    }

    #[inline(always)]
    fn count(&mut self) -> Result<u32, Outcome> {
        self.view = self.view();
        let v = &self.view;
        let n = v.n_plain + v.n_mill * self.removals();
        if n == 0 { Err(Outcome::win(self.side ^ 1)) } else { Ok(n) }
    }

    #[inline(always)]
    fn nth(&mut self, k: u32) -> Turn {
        let v = &self.view;
        if k < v.n_plain {
            let (from, to) = self.step(v.plain, v.plain2, k);
            Turn { from, to, gone: 0 }
        } else {
            let r = self.removals();
            let k = k - v.n_plain;
            let (from, to) = self.step(v.mill, v.mill2, k / r);
            // Beyond the last man there is none.
            let prey = v.prey as u64 | 1 << 32;
            Turn { from, to, gone: bits::nth_bit(prey, k % r) as u32 }
        }
    }

    #[inline(always)]
    fn play(&mut self, t: Turn) -> Play {
        let own = self.own ^ t.from ^ t.to;
        let opp = self.opp ^ t.gone;
        let hand = [self.hand[1], self.hand[0] - (t.from == 0) as u8];
        self.own = opp;
        self.opp = own;
        self.hand = hand;
        self.side ^= 1;
        if t.gone != 0 && opp.count_ones() + (hand[0] as u32) < 3 {
            return Play::Over(Outcome::win(self.side ^ 1));
        }
        // Men move only when no hand holds any; a capture from three ends the game, so the count
        // never restarts.
        if t.from != 0 && t.gone == 0 && own.count_ones() == 3 && opp.count_ones() == 3 {
            self.quiet += 1;
            if self.quiet >= CALM {
                return Play::Over(Outcome::Draw);
            }
        }
        Play::On
    }
}
