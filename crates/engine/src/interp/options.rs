//! Options of a choice: a choice point and an index go in; the option is chosen, and the address
//! where the run goes on comes out.

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::sample::uniform::below;
use crate::interp::state::program::Program;
use crate::interp::state::sampler::TurnCount;
use crate::interp::state::vm::Vm;
use crate::interp::tuning::MAX_ARMS_SCANNED_WITHOUT_BRANCH;
use crate::plan::{Cells, ChoicePoint, Options, SetReg, binomial};

/// The k-th bit of a word, alone, by what the processor at hand has for it.
pub trait Select: Fn(u64, u32) -> u64 + Copy {}
impl<F: Fn(u64, u32) -> u64 + Copy> Select for F {}

impl<const W: usize> Vm<W> {
    /// How many options all arms of a choice have.
    #[inline(always)]
    pub fn options(&self, program: &Program<W>, point: u32) -> u64 {
        let point = &program.code.points[point as usize];
        // A loop: what is handed to an iterator is not compiled for the processor at hand.
        let mut total = 0;
        if point.cells.is_empty() {
            for arm in &point.arms {
                total = u64::saturating_add(total, self.weight(program, arm.options));
            }
        } else {
            for cells in &point.cells {
                total += u64::from(bitset::count(self.set(cells.of)));
            }
        }
        total
    }

    /// How many options an arm of a choice has, by its number.
    #[inline(always)]
    pub fn options_of(&self, program: &Program<W>, point: &ChoicePoint, arm: usize) -> u64 {
        match point.cells.get(arm) {
            Some(cells) => u64::from(bitset::count(self.set(cells.of))),
            None => self.weight(program, point.arms[arm].options),
        }
    }

    /// Makes the k-th option of an arm of a choice the one chosen, and tells where to go on.
    #[inline(always)]
    pub fn take_of(
        &mut self,
        program: &Program<W>,
        point: &ChoicePoint,
        arm: usize,
        k: u64,
        select: impl Select,
    ) -> u32 {
        match point.cells.get(arm) {
            Some(cells) => self.take_cell(program, cells, k as u32, select),
            None => {
                self.choose_by(program, point.arms[arm].options, k, select);
                point.arms[arm].entry
            }
        }
    }

    /// The same of an arm that offers cells.
    #[inline(always)]
    fn take_cell(&mut self, program: &Program<W>, cells: &Cells, k: u32, select: impl Select) -> u32 {
        let cell = bitset::nth(self.set(cells.of), k, select);
        self.go_to(program, cells, cell)
    }

    /// Makes the cell with the number at hand the one chosen, after which nothing is left of it;
    /// `None`: it is not offered.
    #[inline(always)]
    pub fn take_ray_target(&mut self, program: &Program<W>, point: &ChoicePoint) -> Option<u32> {
        let cells = point.cells.first()?;
        let cell = bitset::bit(std::mem::take(&mut self.sampler.rank) as usize);
        bitset::intersects(self.set(cells.of), &cell).then(|| self.go_to(program, cells, cell))
    }

    /// Puts the cell that was chosen where its arm has it, and tells where to go on.
    #[inline(always)]
    pub fn go_to(&mut self, program: &Program<W>, cells: &Cells, cell: Bitset<W>) -> u32 {
        self.put(cells.cell, cell);
        if let Some((d, hop)) = cells.back {
            self.put(d, program.tables.hops[usize::from(hop)].of(&cell));
        }
        cells.entry
    }

    /// Makes the k-th option of a choice the one chosen, and tells where to go on; `None`: there
    /// are not so many.
    #[inline(always)]
    pub fn option(&mut self, program: &Program<W>, point: u32, k: u64, select: impl Select) -> Option<u32> {
        let point = &program.code.points[point as usize];
        let mut left = k;
        let cells = point.cells.as_slice();
        if !cells.is_empty() && cells.len() <= MAX_ARMS_SCANNED_WITHOUT_BRANCH {
            // Which arm it is cannot be foreseen: no jump for each.
            let (mut at, mut begin, mut total) = (0, 0, 0);
            for (index, cells) in cells.iter().enumerate() {
                let begun = total <= k;
                at = if begun { index } else { at };
                begin = if begun { total } else { begin };
                total += u64::from(bitset::count(self.set(cells.of)));
            }
            let chosen = cells.get(at).filter(|_| k < total)?;
            return Some(self.take_cell(program, chosen, (k - begin) as u32, select));
        }
        for arm in 0..point.arms.len() {
            let here = self.options_of(program, point, arm);
            if left < here {
                return Some(self.take_of(program, point, arm, left, select));
            }
            left -= here;
        }
        None
    }

    /// The cells of a set that are in neither of two others.
    #[inline(always)]
    pub fn outside(&self, of: SetReg, a: SetReg, b: SetReg) -> Bitset<W> {
        bitset::without(self.set(of), &bitset::or(self.set(a), self.set(b)))
    }

    /// Draws a cell of a set of which each completes the run; `None`: there is none.
    #[inline(always)]
    pub fn draw_cell(&mut self, of: &Bitset<W>, select: impl Select) -> Option<Bitset<W>> {
        let upto = bitset::counts(of);
        let total = u64::from(upto[W - 1]);
        if total == 0 {
            return None;
        }
        self.sampler.turn_count = Some(TurnCount { count: total, estimated: false });
        let k = below(&mut self.sampler.rng, total);
        let (word, bit) = bitset::nth_counted(of, &upto, k as u32, select);
        self.sampler.last_cell = word * 64 + bit.trailing_zeros() as usize % 64;
        Some(bitset::alone(word, bit))
    }

    /// The cell of a set that has just one; `single`: it has no more. Mostly it is the one that was
    /// drawn.
    #[inline(always)]
    pub fn sole(&self, reg: SetReg, single: bool) -> Option<usize> {
        let (set, drawn) = (self.set(reg), self.sampler.last_cell.min(W * 64 - 1));
        let is_drawn = if single { set[drawn / 64] >> (drawn % 64) & 1 == 1 } else { *set == bitset::bit(drawn) };
        if is_drawn { Some(drawn) } else { bitset::sole(set) }
    }

    /// Draws an option of a choice of which each completes the run, and tells where to go on;
    /// `None`: there is none.
    #[inline(always)]
    pub fn draw_option(&mut self, program: &Program<W>, point: u32, select: impl Select) -> Option<u32> {
        let total = self.options(program, point);
        if total == 0 {
            return None;
        }
        self.sampler.turn_count = Some(TurnCount { count: total, estimated: false });
        let k = below(&mut self.sampler.rng, total);
        if let [cells] = program.code.points[point as usize].cells.as_slice() {
            return Some(self.take_cell(program, cells, k as u32, select));
        }
        self.option(program, point, k, select)
    }

    /// How many options an arm of a choice has.
    #[inline(always)]
    pub fn weight(&self, program: &Program<W>, options: Options) -> u64 {
        match options {
            Options::Cells { of, .. } => u64::from(bitset::count(self.set(of))),
            Options::One { open } => u64::from(self.number(open) != 0),
            Options::Range { from, to, .. } => {
                let (from, to) = (self.number(from), self.number(to));
                if from > to { 0 } else { to.abs_diff(from).saturating_add(1) }
            }
            Options::Bits { of, .. } => u64::from(self.number(of).count_ones()),
            Options::Combinations { of, size, .. } => binomial(u64::from(bitset::count(self.set(of))), size),
            Options::Groups { of, along, .. } => program.tables.count_groups(self.set(of), along, i64::MAX) as u64,
        }
    }

    /// Makes the k-th option of an arm the one chosen.
    pub fn choose(&mut self, program: &Program<W>, options: Options, k: u64) {
        self.choose_by(program, options, k, bitset::nth_bit);
    }

    #[inline(always)]
    pub fn choose_by(&mut self, program: &Program<W>, options: Options, k: u64, select: impl Select) {
        match options {
            Options::Cells { of, cell } => self.put(cell, bitset::nth(self.set(of), k as u32, select)),
            Options::One { .. } => {}
            Options::Range { from, number, .. } => self.put_number(number, self.number(from).wrapping_add(k as i64)),
            Options::Bits { of, bit } => self.put_number(bit, select(self.number(of) as u64, k as u32) as i64),
            Options::Combinations { of, size, cells } => {
                let set = *self.set(of);
                self.put(cells, bitset::nth_combination(&set, size, k));
            }
            Options::Groups { of, along, group } => {
                let mut left = *self.set(of);
                for _ in 0..k {
                    let one = program.tables.flood(&bitset::bit(bitset::lowest(&left)), &left, along);
                    left = bitset::without(&left, &one);
                }
                let one = program.tables.flood(&bitset::bit(bitset::lowest(&left)), &left, along);
                self.put(group, one);
            }
        }
    }
}
