//! Position hashing: a part of a position goes in; 128 bits come out, by mixing, without tables.

use crate::board::{Cell, CellSet, Id, Set};
use crate::position::{Man, Position, Value, Written};

fn splitmix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The share of one man in the hash of all men; shares are joined by exclusive or.
pub fn man_hash(cell: Cell, level: usize, man: Man) -> u128 {
    let owner = man.owner.map_or(u64::from(u8::MAX), |player| u64::from(player.0));
    let key = u64::from(cell.0) | owner << 16 | u64::from(man.kind.0) << 24 | (level as u64) << 32;
    let high = splitmix(key ^ 0x5851_f42d_4c95_7f2d);
    u128::from(high) << 64 | u128::from(splitmix(high ^ key.rotate_left(17)))
}

/// Words in order go in, 128 bits come out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixer(u64, u64);

impl Mixer {
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.0 = splitmix(self.0 ^ word);
        self.1 = splitmix(self.1.wrapping_add(word).rotate_left(23) ^ 0x2545_f491_4f6c_dd1d);
    }

    pub fn add_wide(&mut self, word: u128) {
        self.add(word as u64);
        self.add((word >> 64) as u64);
    }

    pub fn add_set<T: Id>(&mut self, set: &Set<T>) {
        for (i, &word) in set.words().iter().enumerate() {
            if word != 0 {
                self.add(i as u64);
                self.add(word);
            }
        }
        self.add(u64::MAX);
    }

    /// A written choice: its form and what it names.
    pub fn add_written(&mut self, written: &Written) {
        let (tag, word) = match written {
            Written::Cell(cell) => (1, u64::from(cell.0)),
            Written::Landing { cell, captures, sign } => {
                let sign = sign.map_or(0, |sign| u64::from(sign as u32));
                (2, u64::from(cell.0) | u64::from(*captures) << 16 | sign << 20)
            }
            Written::Combination(set) => {
                self.add_set(set);
                (3, 0)
            }
            Written::Number(number) => (4, *number as u64),
            Written::Dir(dir) => (5, u64::from(dir.0)),
            Written::Axis(axis) => (6, u64::from(axis.0)),
            Written::Kind(kind) => (7, u64::from(kind.0)),
            Written::Promotion(kind) => (8, u64::from(kind.0)),
            Written::Pass => (9, 0),
            Written::Swap => (10, 0),
            Written::Stop => (11, 0),
            Written::Chance(chosen) => {
                self.add_written(chosen);
                (12, 0)
            }
            Written::Label(label) => (13, u64::from(*label)),
            Written::Group(set) => {
                self.add_set(set);
                (14, 0)
            }
        };
        self.add(tag);
        self.add(word);
    }

    pub fn finish(self) -> u128 {
        u128::from(self.0) << 64 | u128::from(self.1)
    }

    pub fn add_value(&mut self, value: &Value) {
        match value {
            Value::Number(number) => self.add(*number as u64),
            Value::Truth(truth) => self.add(u64::from(*truth)),
            Value::Cells(cells) => self.add_set(cells),
            Value::Groups(groups) => groups.iter().for_each(|group| self.add_set(group)),
            Value::Dirs(dirs) => self.add_set(dirs),
            Value::Axes(axes) => self.add_set(axes),
            Value::Players(players) => self.add_set(players),
            Value::List(list) => list.iter().for_each(|&number| self.add(number as u64)),
        }
    }
}

impl Position {
    /// Of the arrangement of men on the board, without those that wait to leave.
    pub fn pieces_hash(&self) -> u128 {
        self.men_hash
    }

    /// [`Position::pieces_hash`] made anew from the men; for tests.
    pub fn full_pieces_hash(&self) -> u128 {
        let mut hash = 0;
        for (i, stack) in self.men.iter().enumerate() {
            for (level, &man) in stack.iter().enumerate() {
                hash ^= man_hash(Cell(i as u16), level, man);
            }
        }
        hash
    }

    /// Of all that `times(position)` compares. Costs a pass over hands and compared values.
    pub fn position_hash(&self) -> u128 {
        self.hash_with(self.men_hash, |state| state.compared)
    }

    /// Of everything that later turns can depend on but history: also values that are not compared,
    /// and men that wait.
    pub fn fingerprint(&self) -> u128 {
        self.fingerprint_with(self.men_hash)
    }

    /// The fingerprint of a position that has all else like this one, and men of this hash on the board.
    pub fn fingerprint_with(&self, men_hash: u128) -> u128 {
        let mut mixer = Mixer::default();
        mixer.add_wide(self.hash_with(men_hash, |_| true));
        if self.waiting_cells != CellSet::EMPTY {
            mixer.add_set(&self.waiting_cells);
        }
        mixer.finish()
    }

    fn hash_with(&self, men_hash: u128, wanted: impl Fn(&crate::position::StateShape) -> bool) -> u128 {
        let mut mixer = Mixer::default();
        mixer.add_wide(men_hash);
        mixer.add(u64::from(self.to_move.0) | u64::from(self.opening) << 8);
        for (i, &count) in self.hands.iter().enumerate().filter(|(_, count)| **count != 0) {
            mixer.add((i as u64) << 32 | u64::from(count));
        }
        for state in self.schema.states.iter().filter(|state| wanted(state)) {
            for value in &self.values[state.range()] {
                mixer.add_value(value);
            }
        }
        mixer.finish()
    }
}
