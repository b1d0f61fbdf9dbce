//! Stack table: the registers that hold the men of all cells as one list, and what their bits mean, go in; single men and
//! heights come out, both ways.
//!
//! The list begins with the lowest man of the first cell and goes up each stack before it comes to the next. A byte for
//! each cell tells how many men stand there, so equal stacks are equal registers. A man is a few bits: his owner and kind.

use std::ops::Range;

use smallvec::SmallVec;

use crate::board::Player;
use crate::plan::{KindSet, PositionLayout, REGISTERS, Stacks};
use crate::position::MAX_HEIGHT;

/// What a man of a stack is: his owner (`None`: nobody) and his kind's number.
pub type Standing = (Option<usize>, usize);

/// Where the registers of stacks stand, and what their bits mean.
#[derive(Clone, Debug)]
pub struct StackTable {
    pub stacks: Stacks,
    pub owners: Vec<usize>,
    pub neutral: Option<usize>,
    pub kinds: Vec<KindSet>,
    /// The registers that tell who stands on the top of cells, and by a man's bits those that have his cell.
    pub tops: Vec<usize>,
    pub shown: Vec<[usize; 2]>,
}

/// The men of a move, the lowest first.
pub type Men = SmallVec<[u8; 32]>;

impl StackTable {
    /// Stands where no register has the cell.
    pub const NO_REGISTER: usize = usize::MAX;

    /// `None`: men do not stand on each other.
    pub fn new(layout: &PositionLayout) -> Option<StackTable> {
        let stacks = layout.stacks?;
        let owners: Vec<usize> = layout.of.iter().map(|reg| usize::from(reg.0) % REGISTERS).collect();
        let neutral = layout.neutral.map(|reg| usize::from(reg.0) % REGISTERS);
        let of_kind = |kind: &KindSet| if let KindSet::Register(reg) = kind { Some(usize::from(reg.0)) } else { None };
        let of_kinds: Vec<Option<usize>> = layout.kinds.iter().map(of_kind).collect();
        let tops: Vec<usize> =
            owners.iter().copied().chain(neutral).chain(of_kinds.iter().flatten().copied()).collect();
        let mut table = StackTable { stacks, owners, neutral, kinds: layout.kinds.clone(), tops, shown: Vec::new() };
        let shown = |man: u8| {
            let (owner, kind) = table.standing(man);
            let of = owner.map_or(table.neutral, |owner| table.owners.get(owner).copied());
            [of, of_kinds.get(kind).copied().flatten()].map(|reg| reg.unwrap_or(StackTable::NO_REGISTER))
        };
        table.shown = (0..1_u16 << stacks.bits).map(|man| shown(man as u8)).collect();
        Some(table)
    }

    /// The bits of a man.
    pub fn man(&self, (owner, kind): Standing) -> u8 {
        let owners = self.owners.len() + 1;
        (kind * owners + owner.unwrap_or(owners - 1)) as u8
    }

    /// The man of these bits.
    pub fn standing(&self, man: u8) -> Standing {
        let owners = self.owners.len() + 1;
        let (kind, owner) = (usize::from(man) / owners, usize::from(man) % owners);
        ((owner + 1 < owners).then_some(owner), kind)
    }

    /// The heights that registers hold.
    pub fn heights<'r>(&self, words: &'r mut [u64]) -> Heights<'r> {
        Heights { words, are_many: usize::from(self.stacks.most_men) > MAX_HEIGHT }
    }

    /// The words of all registers, where these are the stacks of cells in the order of their bits.
    pub fn packed(&self, stacks: impl Iterator<Item = (usize, Vec<u8>)>, words: usize) -> (Vec<u64>, Vec<u64>) {
        let registers = usize::from(self.stacks.registers);
        let (mut all_heights, mut all_men, mut at) = (vec![0; 8 * words], vec![0; registers * words], 0);
        let mut packed = PackedMen { words: &mut all_men, bits: usize::from(self.stacks.bits) };
        for (cell, men) in stacks {
            self.heights(&mut all_heights).change(cell, men.len() as isize);
            for man in men {
                packed.set(at, man);
                at += 1;
            }
        }
        (all_heights, all_men)
    }

    /// The men of a cell, the lowest first.
    pub fn unpacked(&self, (heights, men): (&mut [u64], &mut [u64]), cell: usize) -> Men {
        let (heights, men) = (self.heights(heights), PackedMen { words: men, bits: usize::from(self.stacks.bits) });
        let from = heights.before(cell);
        (from..from + heights.of(cell)).map(|at| men.get(at)).collect()
    }

    /// A man who is the player's, of the same kind.
    pub fn turned(&self, man: u8, player: Player) -> u8 {
        self.man((Some(player.index()), self.standing(man).1))
    }
}

/// The heights of all cells, a byte each, eight cells a word.
pub struct Heights<'r> {
    pub words: &'r mut [u64],
    /// More men may stand on eight cells than a byte counts.
    pub are_many: bool,
}

impl Heights<'_> {
    pub fn of(&self, cell: usize) -> usize {
        (self.words[cell >> 3] >> (8 * (cell & 7)) & 0xff) as usize
    }

    /// Where so many men of a cell stand in the list, those on the top or at the bottom, or as many as there are.
    pub fn part(&self, cell: usize, (amount, bottom): (i64, bool)) -> Range<usize> {
        let (first, height) = (self.before(cell), self.of(cell));
        let amount = usize::try_from(amount).unwrap_or(0).min(height);
        if bottom { first..first + amount } else { first + height - amount..first + height }
    }

    pub fn change(&mut self, cell: usize, by: isize) {
        let one = 1_u64 << (8 * (cell & 7));
        let word = &mut self.words[cell >> 3];
        // No more men stand on a cell than a byte counts, so none runs over.
        *word = word.wrapping_add(one.wrapping_mul(by as u64));
    }

    /// How many men stand in the list before those of a cell.
    pub fn before(&self, cell: usize) -> usize {
        self.sum(cell >> 3) + self.sum_of(self.words[cell >> 3] & ((1 << (8 * (cell & 7))) - 1))
    }

    /// How many men stand on all cells.
    pub fn all(&self) -> usize {
        self.sum(self.words.len())
    }

    /// How many men stand on the cells of the first words.
    fn sum(&self, words: usize) -> usize {
        self.words[..words].iter().map(|word| self.sum_of(*word)).sum()
    }

    /// The sum of the bytes of a word.
    fn sum_of(&self, word: u64) -> usize {
        if !self.are_many {
            return (word.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize;
        }
        let pairs = (word & 0x00ff_00ff_00ff_00ff) + (word >> 8 & 0x00ff_00ff_00ff_00ff);
        (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize
    }
}

/// The men of all cells, so many bits each; a man lies in one word.
pub struct PackedMen<'r> {
    pub words: &'r mut [u64],
    pub bits: usize,
}

impl PackedMen<'_> {
    pub fn get(&self, at: usize) -> u8 {
        let bit = at * self.bits;
        (self.words[bit >> 6] >> (bit & 63) & ((1 << self.bits) - 1)) as u8
    }

    pub fn set(&mut self, at: usize, man: u8) {
        let bit = at * self.bits;
        let word = &mut self.words[bit >> 6];
        *word = *word & !(((1 << self.bits) - 1) << (bit & 63)) | u64::from(man) << (bit & 63);
    }

    /// 64 bits from one on; behind the last there is nothing.
    fn read(&self, bit: usize) -> u64 {
        let word = |at: usize| self.words.get(at).copied().unwrap_or(0);
        let (at, by) = (bit >> 6, bit & 63);
        if by == 0 { word(at) } else { word(at) >> by | word(at + 1) << (64 - by) }
    }

    /// The bits of a word that lie before a bit.
    fn lower(word: usize, bit: usize) -> u64 {
        match bit.saturating_sub(word << 6) {
            0 => 0,
            behind if behind >= 64 => u64::MAX,
            within => (1 << within) - 1,
        }
    }

    /// Takes out so many men; those behind them close up.
    pub fn close(&mut self, at: usize, men: usize) {
        let (from, gone) = (at * self.bits, men * self.bits);
        for word in from >> 6..self.words.len() {
            let kept = PackedMen::lower(word, from);
            self.words[word] = self.words[word] & kept | self.read((word << 6) + gone) & !kept;
        }
    }

    /// Makes room for so many men.
    fn open(&mut self, at: usize, men: usize) {
        let (from, room) = (at * self.bits, men * self.bits);
        for word in (from >> 6..self.words.len()).rev() {
            let (kept, moved) = (PackedMen::lower(word, from), !PackedMen::lower(word, from + room));
            let begin = word << 6;
            let shifted = match begin.checked_sub(room) {
                Some(bit) => self.read(bit),
                None if room - begin < 64 => self.read(0) << (room - begin),
                None => 0,
            };
            self.words[word] = self.words[word] & kept | shifted & moved;
        }
    }

    pub fn take(&mut self, at: usize, men: usize) -> Men {
        let taken = (at..at + men).map(|at| self.get(at)).collect();
        self.close(at, men);
        taken
    }

    /// So many men are moved in one word.
    pub fn fit_in_a_word(&self, men: usize) -> bool {
        (1..=64).contains(&(men * self.bits))
    }

    /// [`PackedMen::take`] of as many as fit in a word.
    pub fn take_word(&mut self, at: usize, men: usize) -> u64 {
        let taken = self.read(at * self.bits) & u64::MAX >> (64 - men * self.bits);
        self.close(at, men);
        taken
    }

    /// [`PackedMen::put`] of those.
    pub fn put_word(&mut self, at: usize, men: usize, word: u64) {
        self.open(at, men);
        let begin = at * self.bits;
        let (at, by) = (begin >> 6, begin & 63);
        self.words[at] |= word << by;
        if by + men * self.bits > 64 {
            self.words[at + 1] |= word >> (64 - by);
        }
    }

    pub fn put(&mut self, at: usize, men: &[u8]) {
        self.open(at, men.len());
        men.iter().zip(at..).for_each(|(man, at)| self.set(at, *man));
    }
}

#[cfg(test)]
mod tests {
    use crate::interp::state::stack_table::PackedMen;

    /// Men leave the list and come into it wherever words meet; those behind them close up and make room.
    #[test]
    fn men_leave_the_list_and_come_into_it_at_the_borders_of_words() {
        for bits in [1, 2, 4, 8] {
            let (words, width) = (255 * bits / 64 + 1, 64 / bits);
            for at in [0, 1, width - 1, width, width + 1, 2 * width - 1, 2 * width, 100] {
                for men in [0, 1, 2, width - 1, width, width + 1, 3 * width, 60] {
                    let told =
                        |list: &PackedMen<'_>, count: usize| (0..count).map(|at| list.get(at)).collect::<Vec<u8>>();
                    let most = (1_u32 << bits) - 1;
                    let all: Vec<u8> = (0..160).map(|at: u32| (at * 7 % (most + 1)) as u8).collect();
                    let mut words = vec![0; words];
                    let mut list = PackedMen { words: &mut words, bits };
                    list.put(0, &all);
                    assert_eq!(told(&list, 160), all);
                    let (at, men) = (at.min(160), men.min(160 - at.min(160)));
                    let taken = list.take(at, men);
                    assert_eq!(taken.as_slice(), &all[at..at + men]);
                    let rest: Vec<u8> = [&all[..at], &all[at + men..]].concat();
                    assert_eq!(told(&list, rest.len()), rest, "{men} of {bits} bits from {at}");
                    assert!((rest.len()..255).all(|at| list.get(at) == 0), "nothing is left behind the last man");
                    list.put(at, &taken);
                    assert_eq!(told(&list, 160), all, "{men} of {bits} bits at {at}");
                    if list.fit_in_a_word(men) {
                        let word = list.take_word(at, men);
                        assert_eq!(told(&list, rest.len()), rest, "{men} of {bits} bits from {at} in a word");
                        list.put_word(at, men, word);
                        assert_eq!(told(&list, 160), all, "{men} of {bits} bits at {at} in a word");
                    }
                }
            }
        }
    }
}
