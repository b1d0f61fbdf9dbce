//! Stacks: an operation on men who stand on each other goes in; the list of all men is changed, and the sets of top men
//! with it.

use crate::board::Player;
use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::state::program::Program;
use crate::interp::state::stack_table::{Heights, PackedMen, StackTable, Standing};
use crate::interp::state::vm::Vm;
use crate::plan::{FusedOp, REGISTERS, SetReg, Stacks};
use crate::position::MAX_HEIGHT;

/// The bits of all cells, the lowest first.
fn each_cell<const W: usize>(cells: Bitset<W>) -> impl Iterator<Item = usize> {
    cells.into_iter().enumerate().flat_map(|(number, mut left)| {
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(number << 6 | bit)
        })
    })
}

/// Carries out an operation on stacks.
pub fn execute<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, op: &FusedOp) {
    let Some(table) = &program.stacks else { return };
    match *op {
        FusedOp::Heights { d, a } => {
            let cells = *vm.set(a);
            let height = vm.heights(table, &cells);
            vm.put_number(d, height);
        }
        FusedOp::OfHeight { d, from, to } => {
            let found = vm.of_height(table, &program.tables.grid.any.0, (vm.number(from), vm.number(to)));
            vm.put(d, found);
        }
        FusedOp::CountMen { d, cells, n, man, bottom } => {
            let cells = *vm.set(cells);
            let count = vm.count_men(table, &cells, (vm.number(n), bottom), man as u8);
            vm.put_number(d, count);
        }
        FusedOp::Bottoms { d, of } => {
            let (of, players) = (usize::from(of), table.owners.len());
            let found = vm.bottoms(table, |(owner, kind)| match of.checked_sub(players + 1) {
                Some(wanted) => kind == wanted,
                None => owner.unwrap_or(players) == of,
            });
            vm.put(d, found);
        }
        FusedOp::MoveMen { from, to, n, bottom } => {
            let (from, to) = (*vm.set(from), *vm.set(to));
            if !bitset::is_empty(&from) && !bitset::is_empty(&to) {
                vm.move_men(table, (bitset::lowest(&from), bitset::lowest(&to)), vm.number(n), bottom);
            }
        }
        FusedOp::PutMen { cells, n, man, bottom } => {
            let (cells, n) = (*vm.set(cells), usize::try_from(vm.number(n)).unwrap_or(0));
            (0..n).for_each(|_| vm.put_men(table, &cells, man as u8, bottom));
        }
        FusedOp::TakeMen { cells, n, bottom } => {
            let cells = *vm.set(cells);
            vm.take_men(table, &cells, (vm.number(n), bottom));
        }
        FusedOp::TurnMen { cells, player } => {
            let cells = *vm.set(cells);
            vm.turn_men(table, &cells, player);
        }
        _ => debug_assert!(false, "{op:?} is none on stacks"),
    }
}

impl<const W: usize> Vm<W> {
    fn stacks(&mut self, table: &StackTable) -> (Heights<'_>, PackedMen<'_>) {
        let Stacks { heights, men, registers, bits, .. } = table.stacks;
        let (heights, men) = (usize::from(heights.0), usize::from(men.0));
        let (before, behind) = self.sets.split_at_mut(men);
        let words = behind[..usize::from(registers)].as_flattened_mut();
        (table.heights(before[heights..men].as_flattened_mut()), PackedMen { words, bits: usize::from(bits) })
    }

    /// How many men stand on some cells.
    fn heights(&mut self, table: &StackTable, cells: &Bitset<W>) -> i64 {
        let (heights, _) = self.stacks(table);
        each_cell(*cells).map(|cell| heights.of(cell) as i64).sum()
    }

    /// How many men stand on that cell of a set on which most do.
    pub fn greatest_height(&self, program: &Program<W>, cells: SetReg) -> u64 {
        let Some(table) = &program.stacks else { return 0 };
        let heights = self.sets[usize::from(table.stacks.heights.0)..].as_flattened();
        let of = |cell: usize| heights[cell >> 3] >> (8 * (cell & 7)) & 0xff;
        each_cell(*self.set(cells)).map(of).max().unwrap_or(0)
    }

    /// The cells of a board on which so many men stand, both numbers taken.
    fn of_height(&mut self, table: &StackTable, any: &[u64], (from, to): (i64, i64)) -> Bitset<W> {
        let Ok(to) = u8::try_from(to.min(MAX_HEIGHT as i64)) else { return [0; W] };
        let Ok(from) = u8::try_from(from.max(0)) else { return [0; W] };
        let (heights, _) = self.stacks(table);
        let mut found = [0; W];
        for (word, cells) in found.iter_mut().enumerate() {
            for (at, eight) in heights.words[8 * word..8 * word + 8].iter().enumerate() {
                let fits = |height: u8| u64::from(from <= height && height <= to);
                let bits = eight.to_le_bytes().map(fits);
                *cells |= bits.iter().enumerate().fold(0, |all, (bit, fits)| all | fits << bit) << (8 * at);
            }
            *cells &= any[word];
        }
        found
    }

    /// The cells whose lowest man is one of these.
    fn bottoms(&mut self, table: &StackTable, mut wanted: impl FnMut(Standing) -> bool) -> Bitset<W> {
        let occupied = self.occupied(table);
        let (heights, row) = self.stacks(table);
        let (mut at, mut found) = (0, [0; W]);
        for cell in each_cell(occupied) {
            if wanted(table.standing(row.get(at))) {
                found[cell >> 6] |= 1 << (cell & 63);
            }
            at += heights.of(cell);
        }
        found
    }

    fn occupied(&self, table: &StackTable) -> Bitset<W> {
        let all = table.owners.iter().chain(&table.neutral);
        all.fold([0; W], |cells, &reg| bitset::or(&cells, &self.sets[reg % REGISTERS]))
    }

    /// The sets of top men tell who stands on the top of a cell.
    fn show_top(&mut self, table: &StackTable, cell: usize) {
        let (heights, row) = self.stacks(table);
        let height = heights.of(cell);
        let man = (height > 0).then(|| row.get(heights.before(cell) + height - 1));
        let shown = man.and_then(|man| table.shown.get(usize::from(man)).copied());
        let [of, kind] = shown.unwrap_or([StackTable::NO_REGISTER; 2]);
        let (word, bit) = (cell >> 6, cell & 63);
        for &reg in &table.tops {
            let set = &mut self.sets[reg % REGISTERS][word];
            *set = *set & !(1 << bit) | u64::from(reg == of || reg == kind) << bit;
        }
    }

    /// The top `amount` men of a cell go onto another, or under those who stand there.
    fn move_men(&mut self, table: &StackTable, (from, to): (usize, usize), amount: i64, bottom: bool) {
        let (mut heights, mut row) = self.stacks(table);
        let part = heights.part(from, (amount, false));
        let men = part.len();
        if row.fit_in_a_word(men) {
            let word = row.take_word(part.start, men);
            heights.change(from, -(men as isize));
            let level = if bottom { 0 } else { heights.of(to) };
            row.put_word(heights.before(to) + level, men, word);
        } else {
            let all = row.take(part.start, men);
            heights.change(from, -(men as isize));
            let level = if bottom { 0 } else { heights.of(to) };
            row.put(heights.before(to) + level, &all);
        }
        heights.change(to, men as isize);
        self.show_top(table, from);
        self.show_top(table, to);
    }

    /// A man comes onto each of the cells, or under those who stand there.
    fn put_men(&mut self, table: &StackTable, cells: &Bitset<W>, man: u8, bottom: bool) {
        for cell in each_cell(*cells) {
            let (mut heights, mut row) = self.stacks(table);
            let level = if bottom { 0 } else { heights.of(cell) };
            row.put(heights.before(cell) + level, &[man]);
            heights.change(cell, 1);
            self.show_top(table, cell);
        }
    }

    /// So many more men fit on each of some cells, and on the board, if that holds `most` and not 0.
    pub fn has_room(&mut self, program: &Program<W>, cells: &Bitset<W>, more: i64, most: usize) -> bool {
        let Some(table) = &program.stacks else { return true };
        let more = usize::try_from(more).unwrap_or(0);
        let (heights, _) = self.stacks(table);
        if each_cell(*cells).any(|cell| heights.of(cell).saturating_add(more) > MAX_HEIGHT) {
            return false;
        }
        let all = heights.all() + each_cell(*cells).count() * more;
        most == 0 || all <= most
    }

    /// So many men leave each of the cells, from the top or from the bottom.
    fn take_men(&mut self, table: &StackTable, cells: &Bitset<W>, part: (i64, bool)) {
        for cell in each_cell(*cells) {
            let (mut heights, mut row) = self.stacks(table);
            let men = heights.part(cell, part);
            row.close(men.start, men.len());
            heights.change(cell, -(men.len() as isize));
            self.show_top(table, cell);
        }
    }

    /// How many of so many men of each of the cells, from the top or from the bottom, are these.
    fn count_men(&mut self, table: &StackTable, cells: &Bitset<W>, part: (i64, bool), man: u8) -> i64 {
        let (heights, row) = self.stacks(table);
        let of_cell = |cell| heights.part(cell, part).filter(|at| row.get(*at) == man).count() as i64;
        each_cell(*cells).map(of_cell).sum()
    }

    /// All men of the cells become the player's.
    fn turn_men(&mut self, table: &StackTable, cells: &Bitset<W>, player: Player) {
        for cell in each_cell(*cells) {
            let (heights, mut row) = self.stacks(table);
            let from = heights.before(cell);
            for at in from..from + heights.of(cell) {
                row.set(at, table.turned(row.get(at), player));
            }
            self.show_top(table, cell);
        }
    }
}
