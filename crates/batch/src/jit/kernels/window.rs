//! Window codegen: operations that look near one cell go in; code comes out that finds all they ask
//! about, or that there is nothing.
//!
//! The bits around the cell are cut out of a set: two words of those that come behind it and two of
//! those before it. Those at eight places, a step along each direction further, are told by a byte
//! each. What is mostly not there, and what is done with it, is left out where no lane of the chunk
//! has found it.

use crate::jit::asm::evex::{ALL, Binary, EACH, For, Source, Test, Zmm};
use crate::jit::choice::near_by;
use crate::jit::isel::{ASKED, ASKED_MORE, MEANT, Words};
use crate::jit::regalloc::Value;
use crate::jit::turn_fn::Playing;
use crate::plan::{LinearOp, NumReg, SetReg};
use crate::simd::{Lane8, WIDE};
use crate::simt::code::{Cut, SimtOp, SparseOp};
use crate::simt::tuning::MAX_WINDOWS_KEPT;
use crate::simt::window::{Beyond, Place, Window};

/// The words around a cell: ahead and behind, near and far.
pub type WindowRegs = [Zmm; 4];

/// Where each lane's cell is: its bit in its word, and how far that is from the highest.
#[derive(Clone, Copy)]
struct Spot {
    bit: Zmm,
    rest: Zmm,
}

impl Playing<'_, '_, '_> {
    /// `None`: it has no code.
    pub fn look(&mut self, at: usize, op: &LinearOp, blend: bool) -> Option<()> {
        let SimtOp::Look { near, .. } = self.turn_fn.program.steps[at] else { return None };
        let board = self.code.board;
        match *op {
            LinearOp::InLine { d, a, within, trail } => {
                let vicinity = board.steps.trails[usize::from(trail)].across.as_ref()?;
                self.in_row(d, (a, within), (vicinity, near.cuts[0]), blend);
                Some(())
            }
            LinearOp::RayQuery { d, a, x, y, trail } => {
                let vicinity = board.steps.trails[usize::from(trail)].along.as_ref()?;
                self.follow(at, (d, a), [x, y], (vicinity, near.cuts), blend)
            }
            _ => None,
        }
    }

    /// Lanes are told whether their cell stands in a row.
    fn in_row(&mut self, d: NumReg, (a, within): (SetReg, SetReg), (vicinity, cut): (&Window, Cut), blend: bool) {
        let others = vicinity.most;
        let window = self.window((a, None), within, cut, vicinity.is_far());
        let runs = self.runs(window, vicinity, others);
        let code = &mut *self.code;
        let found = code.nothing();
        for ahead in 0..=others {
            let behind = code.room();
            code.code.down(behind, runs[others - ahead], 32);
            // What stands, or goes on both ahead and behind.
            code.code.ternary(found, (behind, runs[ahead].into()), 0xf8);
            code.release([behind]);
        }
        code.code.test(Test::Meet, ASKED, (found, found.into()), ALL);
        let one = Source::Word(code.constant(1));
        // The cell itself is the first of those ahead.
        code.code.test(Test::Meet, ASKED_MORE, (window[0], one), ASKED);
        code.blend = blend;
        code.put_truth(d, ASKED_MORE);
        code.done();
    }

    /// By number of steps, by direction: the lowest bit of a byte, if all cells so far are there.
    fn runs(&mut self, window: WindowRegs, vicinity: &Window, most: usize) -> Vec<Zmm> {
        let mut runs = vec![self.code.word_of(vicinity.used)];
        for step in 0..most {
            let there = self.there(window, &vicinity.places[step]);
            self.code.code.binary(Binary::And, there, (there, runs[step].into()), EACH);
            runs.push(there);
        }
        runs
    }

    /// All bits in a byte for each direction whose cell is there.
    fn there(&mut self, window: WindowRegs, places: &[Place; WIDE]) -> Zmm {
        let code = &mut *self.code;
        let mut all: Option<Zmm> = None;
        for (which, &word) in (0..).zip(&window) {
            let Some(table) = shuffled(places, which) else { continue };
            let (made, by) = (code.room(), code.table(&table));
            code.code.shuffle_bytes(made, word, by);
            match all {
                None => all = Some(made),
                Some(all) => {
                    code.code.binary(Binary::Or, all, (all, made.into()), EACH);
                    code.release([made]);
                }
            }
        }
        let all = all.unwrap_or_else(|| code.nothing());
        let bits = code.table(&Lane8::all(u64::from_le_bytes(places.map(|place| 1 << (place.bit % 8)))));
        code.code.meeting_bytes(all, ASKED, (all, Source::Memory(bits)));
        all
    }

    /// The words of a set around each lane's one cell, as an operation comes to them; where the
    /// cell is, if that is known.
    fn window(&mut self, (a, spot): (SetReg, Option<Spot>), set: SetReg, cut: Cut, far: bool) -> WindowRegs {
        if let Cut::Taken(number) = cut {
            return std::array::from_fn(|which| self.code.held(near_by(usize::from(number), which)));
        }
        let far = far || matches!(cut, Cut::Kept(_));
        let spot = spot.unwrap_or_else(|| self.spot(a));
        let window = self.cut_out(a, spot, set, far);
        if let Cut::Kept(number) = cut {
            debug_assert!(usize::from(number) < MAX_WINDOWS_KEPT);
            self.code.blend = false;
            for (which, word) in window.into_iter().enumerate() {
                self.code.put(near_by(usize::from(number), which), word);
            }
        }
        window
    }

    fn spot(&mut self, a: SetReg) -> Spot {
        let code = &mut *self.code;
        let first = code.word(a, 0);
        let cell = code.copied(first);
        for word in 1..code.width() as u8 {
            let next = code.word(a, word);
            code.code.binary(Binary::Or, cell, (cell, next.into()), EACH);
            code.release([next]);
        }
        // As many bits as are below the cell's.
        let most = code.word_of(u64::MAX);
        code.code.binary(Binary::Add, cell, (cell, most.into()), EACH);
        code.code.ones(cell, cell);
        let low = Source::Word(code.constant(63));
        code.code.binary(Binary::And, cell, (cell, low), EACH);
        let rest = code.word_of(63);
        code.code.binary(Binary::Sub, rest, (rest, cell.into()), EACH);
        code.release([most, first]);
        Spot { bit: cell, rest }
    }

    fn cut_out(&mut self, a: SetReg, spot: Spot, set: SetReg, far: bool) -> WindowRegs {
        // By distance from the cell's word: -2, -1, 0, 1, 2.
        let (reach, width) = (if far { 2 } else { 1 }, self.code.width());
        let words: [Option<Zmm>; 5] =
            std::array::from_fn(|at| (at.abs_diff(2) <= reach && at.abs_diff(2) < width).then(|| self.code.nothing()));
        for word in 0..width {
            self.ask_word(a, word);
            for (at, to) in words.iter().enumerate() {
                let beside = (word + at).checked_sub(2).filter(|beside| *beside < width);
                if let (Some(to), Some(beside)) = (to, beside) {
                    let from = self.code.word(set, beside as u8);
                    self.code.code.copy(*to, from, For::merging(ASKED));
                    self.code.release([from]);
                }
            }
        }
        let window = [(2, 3), (3, 4), (1, 2), (0, 1)].map(|(low, high)| self.joined(words[low], words[high], spot));
        words.into_iter().flatten().for_each(|word| self.code.release([word]));
        window
    }

    /// The lanes whose cell is in a word.
    fn ask_word(&mut self, a: SetReg, word: usize) {
        let cell = self.code.word(a, word as u8);
        self.code.code.test(Test::Meet, ASKED, (cell, cell.into()), ALL);
        self.code.release([cell]);
    }

    /// 64 bits of two words, from the cell's on.
    fn joined(&mut self, low: Option<Zmm>, high: Option<Zmm>, spot: Spot) -> Zmm {
        let code = &mut *self.code;
        let made = match low {
            Some(low) => code.binary(Binary::DownEach, (low, spot.bit), EACH),
            None => code.nothing(),
        };
        if let Some(high) = high {
            let more = code.room();
            code.code.up(more, high, 1);
            code.code.binary(Binary::UpEach, more, (more, spot.rest.into()), EACH);
            code.code.binary(Binary::Or, made, (made, more.into()), EACH);
            code.release([more]);
        }
        made
    }

    /// The cells of short runs from each lane's one cell, and what is done with them.
    fn follow(
        &mut self,
        at: usize,
        (d, a): (SetReg, SetReg),
        [x, y]: [SetReg; 2],
        (vicinity, cuts): (&Window, [Cut; 2]),
        blend: bool,
    ) -> Option<()> {
        let spot = self.spot(a);
        let of_x = self.window((a, Some(spot)), x, cuts[0], vicinity.is_far());
        let ended = vicinity.ended;
        let of_y = if ended { self.window((a, Some(spot)), y, cuts[1], vicinity.is_far()) } else { of_x };
        let found = self.found(vicinity, of_x, of_y);
        let any = self.code.copied(found[0].1);
        found[1..].iter().for_each(|(_, more)| self.code.code.binary(Binary::Or, any, (any, (*more).into()), EACH));
        self.code.code.test(Test::Meet, ASKED_MORE, (any, any.into()), MEANT);
        self.code.release([any]);
        let keeps: Vec<Zmm> = found.iter().map(|(_, found)| *found).chain([spot.bit, spot.rest]).collect();
        self.code.done_but(|z| keeps.contains(&z));
        self.store(at);
        let over = self.code.code.jump_if_none(ASKED_MORE);
        let before = self.code.stored();
        let cells = self.cells(a, spot, vicinity, &found);
        self.code.blend = blend;
        self.code.put_words(d, cells);
        self.code.done();
        let until = self.sparse_from(at + 1);
        for step in at + 1..until {
            let SimtOp::Sparse { op } = self.turn_fn.program.steps[step] else { return None };
            self.sparse(op)?;
        }
        self.store(until);
        let end = self.code.code.jump();
        let found = self.code.stored();
        self.code.go_on_from(&before);
        self.code.done();
        self.code.code.land(over);
        self.nothing_found(d, (at + 1, until), blend)?;
        self.store(until);
        self.code.join(&found);
        self.code.code.land(end);
        self.seldom_done = until;
        Some(())
    }

    /// By length of runs, the directions along which there is one.
    fn found(&mut self, vicinity: &Window, of_x: WindowRegs, of_y: WindowRegs) -> Vec<(usize, Zmm)> {
        let mut found: Vec<(usize, Zmm)> = Vec::new();
        let mut all = self.code.word_of(vicinity.used);
        for length in 1..=vicinity.most {
            let there = self.there(of_x, &vicinity.places[length - 1]);
            // Shorter runs end where the next cell is not one of theirs.
            if let Some(&(_, shorter)) = found.last() {
                self.code.code.binary(Binary::AndNot, shorter, (there, shorter.into()), EACH);
            }
            self.code.code.binary(Binary::And, there, (there, all.into()), EACH);
            all = there;
            if length >= vicinity.least {
                let mut here = self.code.copied(all);
                if vicinity.ended {
                    let ends = self.there(of_y, &vicinity.places[length]);
                    self.code.code.binary(Binary::And, ends, (ends, here.into()), EACH);
                    self.code.release([here]);
                    here = ends;
                }
                found.push((length, here));
            }
        }
        found
    }

    /// The cells of the runs that were found.
    fn cells(&mut self, a: SetReg, spot: Spot, vicinity: &Window, found: &[(usize, Zmm)]) -> Words {
        let (ahead, behind) = (self.code.nothing(), self.code.nothing());
        for &(length, found) in found {
            for (way, direction) in (0..WIDE).zip(0u32..) {
                if vicinity.used >> (8 * direction) & 1 == 0 {
                    continue;
                }
                let bit = Source::Word(self.code.constant(1 << (8 * direction)));
                self.code.code.test(Test::Meet, ASKED, (found, bit), ALL);
                let places = &vicinity.places[..length];
                let bits = places.iter().fold(0u64, |bits, places| bits | 1 << places[way].bit);
                let (to, bits) =
                    (if places[0][way].beyond.is_ahead() { ahead } else { behind }, self.code.constant(bits));
                self.code.code.binary(Binary::Or, to, (to, Source::Word(bits)), For::merging(ASKED));
            }
        }
        self.spread(a, spot, ahead, behind)
    }

    /// What stands ahead of the cell and behind it, as a set.
    fn spread(&mut self, a: SetReg, spot: Spot, ahead: Zmm, behind: Zmm) -> Words {
        let code = &mut *self.code;
        let [mine, more, next, before] = [(); 4].map(|()| code.room());
        code.code.binary(Binary::UpEach, mine, (ahead, spot.bit.into()), EACH);
        code.code.down(more, behind, 1);
        code.code.binary(Binary::DownEach, more, (more, spot.rest.into()), EACH);
        code.code.binary(Binary::Or, mine, (mine, more.into()), EACH);
        code.code.down(next, ahead, 1);
        code.code.binary(Binary::DownEach, next, (next, spot.rest.into()), EACH);
        code.code.binary(Binary::UpEach, before, (behind, spot.bit.into()), EACH);
        code.release([more, ahead, behind]);
        let cells = self.code.made(|code, _| code.nothing());
        for word in 0..self.code.width() {
            self.ask_word(a, word);
            for (from, to) in [(before, word.checked_sub(1)), (mine, Some(word)), (next, Some(word + 1))] {
                if let Some(to) = to.filter(|to| *to < self.code.width()) {
                    self.code.code.binary(Binary::Or, cells[to], (cells[to], from.into()), For::merging(ASKED));
                }
            }
        }
        self.code.release([mine, next, before]);
        cells
    }

    /// The steps from one on that do something with what was found alone.
    fn sparse_from(&self, from: usize) -> usize {
        let steps = &self.turn_fn.program.steps;
        (from..).find(|at| !matches!(steps.get(*at), Some(SimtOp::Sparse { .. }))).unwrap_or(from)
    }

    /// What an operation does with what was found.
    pub fn sparse(&mut self, op: SparseOp) -> Option<()> {
        self.code.blend = match op {
            SparseOp::Count { d, .. } => self.is_parted() || usize::from(d.0) < self.turn_fn.shared.1,
            SparseOp::Remove { .. } => true,
        };
        let has_code = self.code.operation(&op.op());
        self.code.done();
        has_code.then_some(())
    }

    /// What becomes of it all where nothing was found.
    fn nothing_found(&mut self, d: SetReg, (from, until): (usize, usize), blend: bool) -> Option<()> {
        for step in from..until {
            if let SimtOp::Sparse { op: SparseOp::Count { d, .. } } = self.turn_fn.program.steps[step] {
                self.code.blend = self.is_parted() || usize::from(d.0) < self.turn_fn.shared.1;
                self.code.operation(&LinearOp::Const { d, k: 0 }).then_some(())?;
                self.code.done();
            }
        }
        self.code.forget(|held| matches!(held, Value::Word(reg, _) if reg == d.0));
        if self.is_read(until, d) {
            self.code.blend = blend;
            let none = self.code.made(|code, _| code.nothing());
            self.code.put_words(d, none);
            self.code.done();
        }
        Some(())
    }
}

/// How bytes of a word are put where the directions are whose cells it has; nothing if it has none.
fn shuffled(places: &[Place; WIDE], word: usize) -> Option<Lane8> {
    let is_here =
        |place: &Place| place.beyond == [Beyond::Ahead, Beyond::FarAhead, Beyond::Behind, Beyond::FarBehind][word];
    places.iter().any(is_here).then(|| {
        // Bytes are put within two words; one with its highest bit set is none.
        let byte =
            |lane: usize, place: &Place| if is_here(place) { place.bit / 8 + (lane % 2 * WIDE) as u8 } else { 128 };
        Lane8(std::array::from_fn(|lane| u64::from_le_bytes(std::array::from_fn(|at| byte(lane, &places[at])))))
    })
}
