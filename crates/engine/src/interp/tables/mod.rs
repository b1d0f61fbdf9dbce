//! Board tables: sets of one width go in; shifts, fills, lines and groups of them come out.

pub mod attacks;
pub mod connectivity;
pub mod prefilter;
pub mod ray_query;
pub mod rays;
pub mod sight;

use multiversion::multiversion;
use multiversion::target::match_target;
use smallvec::SmallVec;

use crate::board::{Dir, Fold, Topology};
use crate::interp::bitset;
use crate::interp::bitset::{Bitset, Step};
use crate::interp::dir_shift::DirShift;
use crate::interp::tables::ray_query::RayQueryTable;
use crate::interp::tables::sight::SightTable;
use crate::interp::target::assert_has_code;
use crate::interp::tuning::MAX_CELLS_LOOKED_UP_SINGLY;
use crate::interp::unroll::unroll;
use crate::plan::{BitboardLayout, Bits, NOWHERE, Plan};

/// Steps of a set of directions.
#[derive(Debug)]
enum Along<const W: usize> {
    Rows(Vec<DirShift<W>>),
    Steps(Vec<Step<W>>),
}

impl<const W: usize> Along<W> {
    fn new(steps: Vec<Step<W>>) -> Along<W> {
        DirShift::rows(&steps).map_or(Along::Steps(steps), Along::Rows)
    }
}

/// Tables of a board. Immutable.
#[derive(Debug)]
pub struct Tables<const W: usize> {
    pub hops: Vec<Step<W>>,
    /// By direction.
    pub dirs: Vec<SmallVec<[Step<W>; 2]>>,
    pub longest: Vec<u32>,
    /// Lists of rows of cells, by words of one row each: all cells that may be found are its own.
    lists: Vec<Vec<Fours<W>>>,
    /// The rows of lists one by one.
    rows: Vec<Vec<Bitset<W>>>,
    /// By completion: rows, and which of their cells may complete them.
    completions: Vec<Vec<Fours<W>>>,
    /// By number of a fixed set of directions.
    along: Vec<Along<W>>,
    /// By number of a set of directions along which groups are looked for, then bit: the cells
    /// around it.
    beside: Vec<Vec<Bitset<W>>>,
    /// What is looked for from single cells.
    pub trails: Vec<RayQueryTable<W>>,
    /// By direction, then bit: the bit one step away, or [`NOWHERE`].
    pub next: Vec<Vec<u16>>,
    pub opposite: Vec<u16>,
    pub sights: SightTable<W>,
    pub grid: BitboardLayout,
    pub topology: Topology,
}

impl<const W: usize> Tables<W> {
    pub fn new(plan: &Plan, topology: &Topology) -> Tables<W> {
        let Plan { bitboard: grid, along, lists, completions, ray_queries: trails, .. } = plan;
        let hops: Vec<Step<W>> = grid.hops.iter().map(Step::new).collect();
        let pick = |numbers: &[u16]| numbers.iter().map(|&hop| hops[usize::from(hop)]).collect::<Vec<_>>();
        let next = (0..topology.directions()).map(|dir| {
            let mut row = vec![NOWHERE; W * 64];
            for cell in topology.cells() {
                if let Some(to) = topology.step(cell, Dir(dir as u16)) {
                    row[grid.bit(cell)] = grid.bit(to) as u16;
                }
            }
            row
        });
        let next = next.collect();
        let along = along.iter().map(|numbers| Along::new(pick(numbers))).collect();
        let mut tables = Tables {
            dirs: grid.dirs.iter().map(|numbers| pick(numbers).into_iter().collect()).collect(),
            longest: grid.longest.clone(),
            rows: lists
                .iter()
                .map(|rows| rows.iter().map(|row| std::array::from_fn(|word| row.0[word])).collect())
                .collect(),
            lists: lists.iter().map(|rows| fours(rows.iter().map(|row| (row, row)))).collect(),
            completions: completions.iter().map(|how| fours(how.rows.iter().map(|(row, may)| (row, may)))).collect(),
            beside: vec![Vec::new(); plan.along.len()],
            along,
            trails: trails.iter().map(|trail| RayQueryTable::new(trail, grid, topology)).collect(),
            next,
            opposite: (0..topology.directions()).map(|dir| topology.opposite(Dir(dir as u16)).0).collect(),
            sights: SightTable::new(plan),
            hops,
            grid: grid.clone(),
            topology: topology.clone(),
        };
        for &along in &plan.flooded {
            tables.beside[usize::from(along)] =
                (0..W * 64).map(|bit| tables.around(&bitset::bit(bit), along)).collect();
        }
        tables
    }

    #[inline(always)]
    pub fn step(&self, a: &Bitset<W>, dir: u16) -> Bitset<W> {
        match self.dirs[usize::from(dir)].as_slice() {
            [one] => one.of(a),
            several => {
                let mut all = [0; W];
                for step in several {
                    all = bitset::or(&all, &step.of(a));
                }
                all
            }
        }
    }

    #[inline(always)]
    pub fn around(&self, a: &Bitset<W>, along: u16) -> Bitset<W> {
        let mut all = [0; W];
        match &self.along[usize::from(along)] {
            Along::Rows(rows) => {
                for steps in rows {
                    all = bitset::or(&all, &steps.of_all(a));
                }
            }
            Along::Steps(steps) => {
                for step in steps {
                    all = bitset::or(&all, &step.of(a));
                }
            }
        }
        all
    }

    /// All cells of the board.
    pub fn grid_any(&self) -> Bitset<W> {
        bitset::of(&self.grid.any)
    }

    /// [`Tables::around`], of few cells mostly: one after the other then.
    #[inline(always)]
    fn around_few(&self, a: &Bitset<W>, along: u16) -> Bitset<W> {
        let beside = self.beside[usize::from(along)].as_slice();
        if beside.len() < W * 64 || bitset::count(a) > MAX_CELLS_LOOKED_UP_SINGLY {
            return self.around(a, along);
        }
        let mut all = [0; W];
        for word in 0..W {
            let mut left = a[word];
            while left != 0 {
                all = bitset::or(&all, &beside[word * 64 + left.trailing_zeros() as usize % 64]);
                left &= left - 1;
            }
        }
        all
    }

    pub fn around_bits(&self, a: &Bitset<W>, dirs: i64) -> Bitset<W> {
        let mut left = dirs as u64;
        let mut all = [0; W];
        while left != 0 {
            all = bitset::or(&all, &self.step(a, left.trailing_zeros() as u16));
            left &= left - 1;
        }
        all
    }

    /// What a list has for a number, where the first row is that of `base` and of all below.
    pub fn lookup_number(&self, n: i64, base: i64, list: u16) -> Bitset<W> {
        let rows = &self.rows[usize::from(list)];
        let row = usize::try_from(n.saturating_sub(base)).unwrap_or(0);
        rows.get(row).or(rows.last()).copied().unwrap_or([0; W])
    }

    /// What a list has for each cell of a set.
    pub fn lookup(&self, a: &Bitset<W>, list: u16) -> Bitset<W> {
        let rows = &self.rows[usize::from(list)];
        let mut found = [0; W];
        for (word, mut left) in a.iter().copied().enumerate() {
            while left != 0 {
                if let Some(row) = rows.get(word << 6 | left.trailing_zeros() as usize) {
                    found = bitset::or(&found, row);
                }
                left &= left - 1;
            }
        }
        found
    }

    /// The cells of those rows of a list that lie whole in a set.
    #[inline(always)]
    pub fn rows(&self, a: &Bitset<W>, list: u16) -> Bitset<W> {
        let mut found = [[0; 4]; W];
        for [rows, found_in] in &self.lists[usize::from(list)] {
            let mut missing = [0; 4];
            unroll!(word < W => {
                unroll!(row < 4 => {
                    missing[row] |= rows[word][row] & !a[word];
                });
            });
            unroll!(word < W => {
                unroll!(row < 4 => {
                    found[word][row] |= found_in[word][row] & mask(missing[row] == 0);
                });
            });
        }
        unions(&found)
    }

    /// The cells each of which makes with a set a row whole, as a completion tells.
    #[inline(always)]
    pub fn complete(&self, a: &Bitset<W>, how: u16) -> Bitset<W> {
        let mut found = [[0; 4]; W];
        // Without jumps: which rows are nearly whole cannot be foreseen.
        for [rows, may] in &self.completions[usize::from(how)] {
            // Which rows want a cell, and which more than one.
            let (mut some, mut several) = ([0; 4], [0; 4]);
            unroll!(word < W => {
                unroll!(row < 4 => {
                    let missing = rows[word][row] & !a[word];
                    let more = missing & missing.wrapping_sub(1);
                    several[row] |= more | if some[row] != 0 { missing } else { 0 };
                    some[row] |= missing;
                });
            });
            unroll!(word < W => {
                unroll!(row < 4 => {
                    let missing = rows[word][row] & !a[word];
                    found[word][row] |= (missing | mask(some[row] == 0)) & may[word][row] & mask(several[row] == 0);
                });
            });
        }
        unions(&found)
    }

    /// One or more steps along a direction, all within a set.
    #[inline(always)]
    pub fn fill(&self, a: &Bitset<W>, through: &Bitset<W>, dir: u16) -> Bitset<W> {
        if W == 1
            && let [one] = self.dirs[usize::from(dir)].as_slice()
        {
            // Runs double: 1, 2, 4, ... steps at once, along cells that a step leads to.
            let mut open = bitset::and(through, &one.to);
            let mut found = bitset::and(&open, &bitset::shift(a, one.by));
            let mut steps = 1;
            while steps < self.longest[usize::from(dir)] as i32 {
                found = bitset::or(&found, &bitset::and(&open, &bitset::shift(&found, one.by * steps)));
                open = bitset::and(&open, &bitset::shift(&open, one.by * steps));
                steps *= 2;
            }
            return found;
        }
        let mut front = bitset::and(&self.step(a, dir), through);
        let mut all = front;
        // A line that comes back to its start is walked once round.
        let mut left = self.longest[usize::from(dir)];
        while !bitset::is_empty(&front) && left > 0 {
            front = bitset::and(&self.step(&front, dir), through);
            all = bitset::or(&all, &front);
            left -= 1;
        }
        all
    }

    /// The first cell from a single one along a direction that is in a set.
    #[inline(always)]
    pub fn ray(&self, a: &Bitset<W>, until: &Bitset<W>, dir: u16) -> Bitset<W> {
        if bitset::is_empty(a) {
            return [0; W];
        }
        let row = &self.next[usize::from(dir)];
        let start = bitset::lowest(a);
        let mut at = start;
        loop {
            let to = row.get(at).copied().unwrap_or(NOWHERE);
            if to == NOWHERE || usize::from(to) == start {
                return [0; W];
            }
            at = usize::from(to);
            if until[(at / 64) % W] >> (at % 64) & 1 == 1 {
                return bitset::bit(at);
            }
        }
    }

    /// Exactly so many steps along a direction, all within a set.
    pub fn steps(&self, a: &Bitset<W>, through: &Bitset<W>, n: i64, dir: u16) -> Bitset<W> {
        if n < 0 {
            return [0; W];
        }
        let mut at = *a;
        for _ in 0..n.min(1 << 11) {
            at = bitset::and(&self.step(&at, dir), through);
        }
        at
    }

    pub fn flood(&self, a: &Bitset<W>, within: &Bitset<W>, along: u16) -> Bitset<W> {
        let front = bitset::and(a, within);
        flood_on(self, &front, &front, within, along)
    }

    /// What cells of a set flood to until that intersects others, or lies `beside` them, and whether it
    /// does.
    pub fn search(
        &self,
        from: &Bitset<W>,
        within: &Bitset<W>,
        to: &Bitset<W>,
        along: u16,
        beside: bool,
    ) -> (Bitset<W>, bool) {
        search(self, from, within, to, (along, beside))
    }

    /// The cells of a set, most often few, that lie beside one of another.
    pub fn beside(&self, a: &Bitset<W>, of: &Bitset<W>, along: u16) -> Bitset<W> {
        if let (Some(bit), beside) = (bitset::sole(a), &self.beside[usize::from(along)])
            && let Some(around) = beside.get(bit)
        {
            return if bitset::intersects(around, of) { *a } else { [0; W] };
        }
        bitset::and(&around_few(self, of, along), a)
    }

    /// How many groups a set has, if not more than so many.
    pub fn count_groups(&self, a: &Bitset<W>, along: u16, most: i64) -> i64 {
        let (mut left, mut groups) = (*a, 0);
        while !bitset::is_empty(&left) && groups < most {
            groups += 1;
            if groups < most {
                let seed = bitset::bit(bitset::lowest(&left));
                left = bitset::without(&left, &self.flood(&seed, &left, along));
            }
        }
        groups
    }

    /// How many cells each group has, the largest first.
    pub fn sizes(&self, a: &Bitset<W>, along: u16) -> SmallVec<[u32; 32]> {
        let (mut left, mut sizes) = (*a, SmallVec::new());
        while !bitset::is_empty(&left) {
            let group = self.flood(&bitset::bit(bitset::lowest(&left)), &left, along);
            left = bitset::without(&left, &group);
            sizes.push(bitset::count(&group));
        }
        sizes.sort_unstable_by(|a: &u32, b| b.cmp(a));
        sizes
    }

    /// The line from one cell to the other with both. An error: one of the sets has several cells,
    /// so many.
    pub fn span(&self, a: &Bitset<W>, b: &Bitset<W>) -> Result<Bitset<W>, usize> {
        if let Some(several) = [bitset::count(a), bitset::count(b)].into_iter().find(|&n| n > 1) {
            return Err(several as usize);
        }
        if let Some(line) = self.sights.between(a, b) {
            return Ok(line);
        }
        let (a, b) = (self.grid.cells(a).min(), self.grid.cells(b).min());
        let (Some(a), Some(b)) = (a, b) else { return Ok([0; W]) };
        Ok(self.topology.span(a, b).map_or([0; W], |line| bitset::of(&self.grid.of(&line))))
    }

    /// The k-th cell from 1 in board order.
    pub fn nth_cell(&self, a: &Bitset<W>, k: i64) -> Bitset<W> {
        let index = k.checked_sub(1).and_then(|k| usize::try_from(k).ok());
        let cell = index.and_then(|index| self.grid.cells(a).iter().nth(index));
        cell.map_or([0; W], |cell| bitset::bit(self.grid.bit(cell)))
    }

    pub fn coordinate(&self, fold: Fold, cell: crate::board::Cell, forward: Option<Dir>) -> i64 {
        match fold {
            Fold::File => i64::from(self.topology.file(cell)),
            Fold::Rank => i64::from(self.topology.rank(cell)),
            Fold::Row => forward.map_or(0, |forward| self.topology.row(cell, forward)),
        }
    }

    pub fn band(&self, fold: Fold, from: i64, to: i64, forward: Option<Dir>) -> Bitset<W> {
        let set = match fold {
            Fold::File => self.topology.file_band(from, to),
            Fold::Rank => self.topology.rank_band(from, to),
            Fold::Row => {
                forward.map_or(crate::board::CellSet::EMPTY, |forward| self.topology.row_band(forward, from, to))
            }
        };
        bitset::of(&self.grid.of(&set))
    }
}

/// Four rows abreast, word by word, and of each the cells that are asked for.
type Fours<const W: usize> = [[[u64; 4]; W]; 2];

/// Rows and cells of them, four and four. What is wanting to four is a row that no set has.
fn fours<'b, const W: usize>(rows: impl Iterator<Item = (&'b Bits, &'b Bits)>) -> Vec<Fours<W>> {
    let rows: Vec<[Bitset<W>; 2]> = rows.map(|(row, may)| [bitset::of(row), bitset::of(may)]).collect();
    let four = |rows: &[[Bitset<W>; 2]]| {
        let mut four = [[[u64::MAX; 4]; W], [[0; 4]; W]];
        for (at, row) in rows.iter().enumerate() {
            for part in 0..2 {
                (0..W).for_each(|word| four[part][word][at] = row[part][word]);
            }
        }
        four
    };
    rows.chunks(4).map(four).collect()
}

#[inline(always)]
fn unions<const W: usize>(four: &[[u64; 4]; W]) -> Bitset<W> {
    let mut all = [0; W];
    unroll!(word < W => {
        let [a, b, c, d] = four[word];
        all[word] = a | b | c | d;
    });
    all
}

/// All bits, if it holds.
#[inline(always)]
fn mask(holds: bool) -> u64 {
    u64::from(holds).wrapping_neg()
}

/// [`Tables::fill`], apart from the loop over all operations, which is faster the less there is in
/// it.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn fill<const W: usize>(tables: &Tables<W>, a: &Bitset<W>, through: &Bitset<W>, dir: u16) -> Bitset<W> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    tables.fill(a, through, dir)
}

/// What a flood comes to that has come so far, and whose last step was to `front`. It stands apart, as do
/// `search` and [`around_few`]: steps along all directions are much code, and it is there once.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn flood_on<const W: usize>(
    tables: &Tables<W>,
    all: &Bitset<W>,
    front: &Bitset<W>,
    within: &Bitset<W>,
    along: u16,
) -> Bitset<W> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let (mut all, mut front) = (*all, *front);
    while !bitset::is_empty(&front) {
        front = bitset::without(&bitset::and(&tables.around_few(&front, along), within), &all);
        all = bitset::or(&all, &front);
    }
    all
}

/// [`Tables::search`], apart.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn search<const W: usize>(
    tables: &Tables<W>,
    from: &Bitset<W>,
    within: &Bitset<W>,
    to: &Bitset<W>,
    (along, beside): (u16, bool),
) -> (Bitset<W>, bool) {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let (mut all, mut front) = (*from, *from);
    if !beside && bitset::intersects(&front, to) {
        return (all, true);
    }
    while !bitset::is_empty(&front) {
        let around = tables.around_few(&front, along);
        front = bitset::without(&bitset::and(&around, within), &all);
        all = bitset::or(&all, &front);
        if bitset::intersects(if beside { &around } else { &front }, to) {
            return (all, true);
        }
    }
    (all, false)
}

/// One step from a set, mostly of few cells, apart.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn around_few<const W: usize>(tables: &Tables<W>, a: &Bitset<W>, along: u16) -> Bitset<W> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    tables.around_few(a, along)
}

/// What is seen from a set, apart.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn sight<const W: usize>(tables: &Tables<W>, a: &Bitset<W>, through: &Bitset<W>, dirs: u32) -> Bitset<W> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    tables.sights.from(tables, a, through, dirs)
}
