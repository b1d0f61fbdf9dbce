//! Lane compaction: lanes that draw ray targets go in; each comes out with the target of its rank.
//! Eight of any vectors are packed into one, so that the last few of many fill few vectors.

use multiversion::multiversion;
use multiversion::target::match_target;

#[cfg(target_arch = "x86_64")]
use crate::interp::deposit;
use crate::interp::{RayTarget, RayTargets, bit, intersects};
use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::registers::{Cells, LaneMask, blend, load, of_lane, put};
use crate::simt::rng::LaneRng;
use crate::simt::sample::draw;
use crate::simt::state::compaction::{ARMS_PER_VECTOR, Compaction, Hit, Offer, Pack};
use crate::simt::tuning::{DRAWS_BETWEEN_COMPACTIONS, MAX_RAY_TARGET_ARMS};

impl<const W: usize> Pack<W> {
    pub const EMPTY: Pack<W> = Pack {
        places: Lane8::NONE,
        here: Lane8::NONE,
        drawing: Lane8::NONE,
        rng: LaneRng([Lane8::NONE; 4]),
        options: Lane8::NONE,
        each: Lane8::NONE,
        total: Lane8::NONE,
        tries: Lane8::NONE,
        limit: Lane8::NONE,
        x: [Lane8::NONE; W],
        offers: [Offer { cells: [Lane8::NONE; W], before: Lane8::NONE }; MAX_RAY_TARGET_ARMS],
        hit: Hit::NONE,
        word: Lane8::NONE,
        row: Lane8::NONE,
        k: Lane8::NONE,
        left: Lane8::NONE,
        last: Hit::NONE,
    };

    /// The chunk of a lane, and its number there.
    #[inline(always)]
    pub fn place(&self, lane: usize) -> (usize, usize) {
        let place = self.places.0[lane] as usize;
        (place / WIDE, place % WIDE)
    }

    /// The lanes that have done with drawing.
    #[inline(always)]
    pub fn done<V: Simd>(&self, v: V) -> LaneMask {
        LaneMask::of_bytes(v.gathered(v.one(v.without(v.load(&self.here), v.load(&self.drawing)))))
    }

    /// These lanes are to draw.
    #[inline(always)]
    pub fn begin<V: Simd>(&mut self, v: V, lanes: V::V8) {
        (self.here, self.drawing) = (v.store(lanes), v.store(lanes));
    }

    /// A lane's number is that of a cell that several arms may offer, one for each count.
    #[inline(always)]
    pub fn set_hit(&mut self, lane: usize, arms: usize, aim: Option<RayTarget>) {
        self.hit.to.0[lane] = RayTargets::<W>::NONE;
        let Some(RayTarget { cell, count, to }) = aim else { return };
        let (chosen, mut before) = (bit(cell), count);
        for arm in 0..arms.min(MAX_RAY_TARGET_ARMS) {
            if intersects(&of_lane(&self.offers[arm].cells, lane), &chosen) {
                if before == 0 {
                    (self.hit.arm.0[lane], self.hit.cell.0[lane], self.hit.to.0[lane]) = (arm as u64, cell as u64, to);
                    return;
                }
                before -= 1;
            }
        }
    }

    /// Each lane draws a number.
    #[inline(always)]
    fn draw<V: Simd>(&mut self, v: V, arms: usize) {
        let (option, left) = self.draw_option(v);
        self.left = v.store(left);
        let (cells, before, arm) = if arms <= ARMS_PER_VECTOR {
            self.arm_of::<V, ARMS_PER_VECTOR>(v, option)
        } else {
            self.arm_of::<V, MAX_RAY_TARGET_ARMS>(v, option)
        };
        self.last.arm = v.store(arm);
        let k = v.sub(option, before);
        let mut upto = [v.none(); W];
        for at in 1..W {
            upto[at] = v.add(upto[at - 1], v.ones(cells[at - 1]));
        }
        let (mut word, mut before, mut row) = (cells[W - 1], upto[W - 1], v.all(64 * (W as u64 - 1)));
        for at in (0..W - 1).rev() {
            let inside = v.less_signed(k, upto[at + 1]);
            word = v.blend(word, cells[at], inside);
            before = v.blend(before, upto[at], inside);
            row = v.blend(row, v.all(64 * at as u64), inside);
        }
        (self.word, self.row, self.k) = (v.store(word), v.store(row), v.store(v.sub(k, before)));
    }

    /// The cells of the arm that each lane's option is of, how many options there are before it,
    /// and its number.
    #[inline(always)]
    fn arm_of<V: Simd, const N: usize>(&self, v: V, option: V::V8) -> (Cells<V, W>, V::V8, V::V8) {
        let offer = &self.offers[N - 1];
        let (mut cells, mut before, mut arm) = (load(v, &offer.cells), v.load(&offer.before), v.all(N as u64 - 1));
        for at in (0..N - 1).rev() {
            let offer = &self.offers[at];
            let mine = v.less_signed(option, v.load(&self.offers[at + 1].before));
            cells = blend(v, &cells, &load(v, &offer.cells), mine);
            before = v.blend(before, v.load(&offer.before), mine);
            arm = v.blend(arm, v.all(at as u64), mine);
        }
        (cells, before, arm)
    }

    /// The option that each lane's rank selects, and the rank that is left.
    #[inline(always)]
    fn draw_option<V: Simd>(&mut self, v: V) -> (V::V8, V::V8) {
        let (drawing, each, total) = (v.load(&self.drawing), v.load(&self.each), v.load(&self.total));
        let word = v.down(self.rng.words(v), 32);
        let (wide, half) = (v.mul_halves(word, total), v.all(u64::from(u32::MAX)));
        let doubtful = v.less_signed(v.and(wide, half), total);
        if v.any(v.and(doubtful, drawing)) {
            return v.divided(draw(v, &mut self.rng, total, drawing), each);
        }
        self.rng.go_on(v, drawing);
        // What the word makes of all runs, divided by the runs behind each option, is what it makes
        // of the options.
        let option = v.down(v.mul_halves(word, v.load(&self.options)), 32);
        (option, v.sub(v.down(wide, 32), v.mul_halves(option, each)))
    }

    /// Lanes whose number is that of a cell have done, and so have those that would draw once too
    /// often.
    #[inline(always)]
    fn end_draw<V: Simd>(&mut self, v: V) {
        let (drawing, to, tries) = (v.load(&self.drawing), v.load(&self.last.to), v.load(&self.tries));
        put(v, &mut self.hit.arm, v.load(&self.last.arm), drawing);
        put(v, &mut self.hit.cell, v.load(&self.last.cell), drawing);
        put(v, &mut self.hit.to, to, drawing);
        let missed = v.and(drawing, v.equal(to, v.all(RayTargets::<W>::NONE)));
        let going = v.and(missed, v.less_signed(v.add(tries, v.all(1)), v.load(&self.limit)));
        self.tries = v.store(v.sub(tries, going));
        self.drawing = v.store(going);
    }

    /// A lane goes on here. Compiled by itself: where processors can gather words, compilers do,
    /// which is slower.
    #[inline(never)]
    fn take(&mut self, lane: usize, from: &Pack<W>, other: usize, arms: usize) {
        let copy = |to: &mut Lane8, from: &Lane8| to.0[lane] = from.0[other];
        copy(&mut self.places, &from.places);
        copy(&mut self.options, &from.options);
        copy(&mut self.each, &from.each);
        copy(&mut self.total, &from.total);
        copy(&mut self.tries, &from.tries);
        copy(&mut self.limit, &from.limit);
        self.rng.put(lane, &from.rng, other);
        for word in 0..W {
            copy(&mut self.x[word], &from.x[word]);
        }
        for at in 0..arms.next_multiple_of(ARMS_PER_VECTOR).min(MAX_RAY_TARGET_ARMS) {
            copy(&mut self.offers[at].before, &from.offers[at].before);
            for word in 0..W {
                copy(&mut self.offers[at].cells[word], &from.offers[at].cells[word]);
            }
        }
        (self.here.0[lane], self.drawing.0[lane]) = (u64::MAX, u64::MAX);
    }
}

impl<const W: usize> Compaction<W> {
    #[inline(always)]
    pub fn used(&mut self) -> &mut [Pack<W>] {
        &mut self.packs[..self.used]
    }

    /// One more, to be filled.
    #[inline(always)]
    pub fn add(&mut self) -> &mut Pack<W> {
        if self.packs.len() == self.used {
            self.packs.push(Pack::EMPTY);
        }
        self.used += 1;
        &mut self.packs[self.used - 1]
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        (self.used, self.filled) = (0, 0);
    }

    /// Takes in a lane of another pack.
    #[inline(always)]
    pub fn take(&mut self, from: &Pack<W>, lane: usize, arms: usize) {
        if self.filled.is_multiple_of(WIDE) {
            let pack = self.add();
            (pack.here, pack.drawing) = (Lane8::NONE, Lane8::NONE);
        }
        let last = self.used - 1;
        self.packs[last].take(self.filled % WIDE, from, lane, arms);
        self.filled += 1;
    }

    /// All lanes draw until they have done, or so many times.
    #[inline(always)]
    pub fn draw<V: Simd>(&mut self, v: V, arms: usize, aims: &RayTargets<W>) {
        let packs = &mut self.packs[..self.used];
        for _ in 0..DRAWS_BETWEEN_COMPACTIONS {
            for at in 0..packs.len() {
                packs[at].draw(v, arms);
            }
            look_up(packs, aims);
            let mut going = v.none();
            for at in 0..packs.len() {
                packs[at].end_draw(v);
                going = v.or(going, v.load(&packs[at].drawing));
            }
            if !v.any(going) {
                break;
            }
        }
    }

    /// Lanes that have not done yet move up; `false`: there are none.
    #[inline(always)]
    pub fn close_up<V: Simd>(&mut self, v: V, arms: usize) -> bool {
        let used = self.used;
        std::mem::swap(&mut self.packs, &mut self.others);
        self.clear();
        let others = std::mem::take(&mut self.others);
        for pack in &others[..used] {
            for (_, lane) in LaneMask::of_bytes(v.gathered(v.one(v.load(&pack.drawing)))).each() {
                self.take(pack, lane, arms);
            }
        }
        self.others = others;
        self.used > 0
    }
}

/// Looks up what the last numbers are those of.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn look_up<const W: usize>(packs: &mut [Pack<W>], aims: &RayTargets<W>) {
    let select = match_target! {
        "x86_64+bmi2" => |word: u64, k: u32| deposit!(word, k),
        _ => crate::interp::nth_bit,
    };
    for at in 0..packs.len() {
        let pack = &mut packs[at];
        for lane in 0..WIDE {
            let bit = select(pack.word.0[lane], pack.k.0[lane] as u32).trailing_zeros() as u64 & 63;
            let cell = pack.row.0[lane] + bit;
            pack.last.cell.0[lane] = cell;
            pack.last.to.0[lane] = aims.look_up(cell as usize, pack.left.0[lane], &of_lane(&pack.x, lane));
        }
    }
}
