//! Registers and a program go in; the program runs to its next choice, its end, or where it dies.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{Dir, Player};
use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::dir_vector::DirVectorTable;
use crate::interp::sample::unrank::RankBounds;
use crate::interp::speculate::{Before, Speculation};
use crate::interp::tables::Tables;
use crate::interp::tables::attacks::AttackTable;
use crate::interp::tables::connectivity::IncrementalFloods;
use crate::interp::tables::rays::BothWays;
use crate::plan::{
    Annotation, BoardFacts, Cells, ChoicePoint, Code, KindSet, NumReg, Op, Options, Pass, PassSet, Plan, REGISTERS,
    RegLayout, SetReg, SpanId, StateCell, TerminalRegs,
};
use crate::position::{Fault, FaultKind};
use crate::source::Span;

/// So many arms are all looked at to find the one that a number falls to.
const FEW_ARMS: usize = 12;

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Choice(u32),
    First(u32),
    Fail,
    End,
}

/// What a run has done so far, beside its registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub passed: bool,
    pub acted: bool,
    pub again: bool,
}

/// A program with the tables it runs on: shared by all threads.
#[derive(Clone, Debug)]
pub struct Program<const W: usize> {
    pub linked: Arc<Code>,
    pub tables: Arc<Tables<W>>,
    pub fans: Arc<Vec<DirVectorTable<W>>>,
    /// Registers of men that go with a man: owners, kinds, marks.
    pub men: Vec<usize>,
    pub owners: Vec<usize>,
    pub neutral: Option<usize>,
    pub shared: (usize, usize),
    pub state: (usize, usize),
    pub places: Vec<Span>,
    pub forwards: Vec<Option<Dir>>,
    pub has_pass: bool,
    /// Turns, or what ages behind them, depend on positions before.
    pub asks_history: bool,
    /// Outcomes ask whether players can move.
    pub asks_stuck: bool,
    pub judging: crate::plan::TerminalRegs,
    pub contest: Option<crate::plan::Argmax>,
    /// Registers that `times` compares: men, and the compared rest of the position.
    pub noted_sets: Vec<usize>,
    pub noted_numbers: Vec<usize>,
    pub piece_sets: Vec<usize>,
    pub nears: Arc<AttackTable<W>>,
}

/// Which registers play which part, whatever their width.
#[derive(Clone, Debug)]
pub struct Roles {
    pub men: Vec<usize>,
    pub owners: Vec<usize>,
    pub neutral: Option<usize>,
    pub noted_sets: Vec<usize>,
    pub noted_numbers: Vec<usize>,
    pub piece_sets: Vec<usize>,
}

impl Roles {
    pub fn new(plan: &Plan, game: &crate::model::Game) -> Roles {
        let index = |reg: &SetReg| usize::from(reg.0);
        let owners: Vec<usize> = plan.layout.of.iter().map(index).collect();
        let neutral = plan.layout.neutral.as_ref().map(index);
        let kinds = plan.layout.kinds.iter().filter_map(|kind| match kind {
            KindSet::Register(reg) => Some(usize::from(reg.0)),
            _ => None,
        });
        let pieces: Vec<usize> = owners.iter().copied().chain(neutral).chain(kinds).collect();
        let cells = |wanted: &dyn Fn(&crate::model::Remembered) -> bool| {
            let all = game.states.iter().zip(&plan.layout.states);
            let cells: Vec<StateCell> =
                all.filter(|(state, _)| wanted(state)).flat_map(|(_, cells)| cells.clone()).collect();
            let sets =
                cells.iter().filter_map(|cell| if let StateCell::Set(reg) = cell { Some(index(reg)) } else { None });
            let numbers = cells
                .iter()
                .filter_map(|cell| if let StateCell::Number(NumReg(n)) = cell { Some(usize::from(*n)) } else { None });
            (sets.collect::<Vec<_>>(), numbers.collect::<Vec<_>>())
        };
        let marks = cells(&|state| state.on_pieces).0;
        let compared = cells(&|state| state.compared);
        let hands = plan.layout.hands.iter().map(|reg| usize::from(reg.0));
        Roles {
            men: pieces.iter().copied().chain(marks).collect(),
            owners,
            neutral,
            noted_sets: pieces.iter().copied().chain(compared.0).collect(),
            noted_numbers: hands.chain(compared.1).collect(),
            piece_sets: pieces,
        }
    }
}

impl<const W: usize> Program<W> {
    pub fn new(plan: &Plan, linked: Code, game: &crate::model::Game) -> Program<W> {
        let roles = Roles::new(plan, game);
        Program {
            fans: Arc::new(plan.dir_vectors.iter().map(|fan| DirVectorTable::new(fan, &plan.bitboard)).collect()),
            tables: Arc::new(Tables::new(plan, &game.topology)),
            men: roles.men,
            owners: roles.owners,
            neutral: roles.neutral,
            shared: (usize::from(plan.shared_sets), usize::from(plan.shared_numbers)),
            state: (usize::from(plan.layout.sets), usize::from(plan.layout.numbers)),
            places: plan.spans.clone(),
            forwards: game.seats.iter().map(|seat| seat.forward).collect(),
            has_pass: plan.has_pass,
            asks_history: asks_history(&linked),
            asks_stuck: linked.code.iter().any(|op| matches!(op, Op::Stuck { .. })),
            judging: plan.terminal,
            contest: plan.argmax,
            noted_sets: roles.noted_sets,
            noted_numbers: roles.noted_numbers,
            piece_sets: roles.piece_sets,
            linked: Arc::new(linked),
            nears: Arc::default(),
        }
    }

    /// The same with fewer operations, and without those that only tell of choices.
    pub fn silent(&self, plan: &Plan, rewrites: PassSet) -> Program<W> {
        let short = |(sets, numbers): (usize, usize)| (sets as u16, numbers as u16);
        let TerminalRegs { history, draws, .. } = self.judging;
        let value = self.contest.map(|contest| contest.value);
        let bounds =
            RegLayout { shared: short(self.shared), position: short(self.state), terminal: [history, draws], value };
        let board = BoardFacts { dir_vectors: &plan.dir_vectors, lone: &plan.layout.lone, words: W };
        let polished =
            if rewrites.has(Pass::Peephole) { self.linked.optimized(bounds) } else { (*self.linked).clone() };
        let linked = if rewrites.has(Pass::Fuse) { polished.fused(bounds, board) } else { polished };
        let nears = Arc::new(AttackTable::new(&linked, self));
        Program { linked: Arc::new(linked), nears, ..self.clone() }
    }

    pub fn place(&self, place: SpanId) -> Span {
        let nowhere = Span { source: crate::source::SourceId(0), start: 0, end: 0 };
        self.places.get(usize::from(place.0)).copied().unwrap_or(nowhere)
    }
}

/// Turns, or what ages behind them, depend on positions before.
fn asks_history(linked: &Code) -> bool {
    let asks = |op: &Op| matches!(op, Op::PieceRepetitions { .. } | Op::PositionRepetitions { .. } | Op::Cycle { .. });
    let program = |&entry: &u32| linked.code[entry as usize..].iter().take_while(|op| **op != Op::End).any(asks);
    linked.entries.iter().any(|seat| seat.opening.iter().chain([&seat.turn, &seat.after]).any(program))
}

/// The k-th bit of a word, alone, by what the processor at hand has for it.
pub trait Select: Fn(u64, u32) -> u64 + Copy {}
impl<F: Fn(u64, u32) -> u64 + Copy> Select for F {}

/// What was told of a choice.
#[derive(Clone, Copy, Debug)]
pub enum Told<const W: usize> {
    Cell(Bitset<W>),
    Landing { cell: Bitset<W>, captures: bool, sign: Option<char> },
    Number(i64),
    Pair(Bitset<W>),
    Group(Bitset<W>),
    Dir(i64),
    Axis(i64),
    Kind(crate::board::Kind),
    Promotion(crate::board::Kind),
    Pass,
    Swap,
    Silent,
    Round,
    Loud,
}

/// The set registers, none of which lies in two lines of a cache if it needs not.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Sets<const W: usize>(pub [Bitset<W>; REGISTERS]);

impl<const W: usize> Deref for Sets<W> {
    type Target = [Bitset<W>; REGISTERS];

    #[inline(always)]
    fn deref(&self) -> &[Bitset<W>; REGISTERS] {
        &self.0
    }
}

impl<const W: usize> DerefMut for Sets<W> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Bitset<W>; REGISTERS] {
        &mut self.0
    }
}

/// Registers of a run. One serves any number of games of one program, one at a time.
#[derive(Debug)]
pub struct Vm<const W: usize> {
    pub sets: Sets<W>,
    pub numbers: [i64; REGISTERS],
    pub flags: Flags,
    pub decided: Option<(u16, i64)>,
    /// Choices are told only where moves are listed.
    pub telling: bool,
    pub told: Vec<Told<W>>,
    /// Asked once for each player in `end`.
    pub stuck: [Option<bool>; 8],
    pub history: crate::interp::state::repetition::RepetitionTable,
    /// Set where the run came upon what the rules forbid.
    pub fault: Option<Fault>,
    /// Who is to move next, and how far the opening is: a part of the position.
    pub next_to_move: u64,
    pub(crate) stack: crate::interp::enumerate::Stack<W>,
    /// Where the turn stands that `end` began, to ask whether it can be completed.
    pub(crate) begun: Option<crate::interp::enumerate::Begun>,
    pub(crate) worked: u64,
    /// Options of the next choice that were counted before it.
    pub(crate) settled: u64,
    /// The turn that `end` asks about is to be counted.
    pub(crate) counts_next: bool,
    /// It is only asked whether runs are completed, not what they come to.
    pub(crate) asking: bool,
    /// The cell that was drawn last by an operation that draws, or any other.
    pub(crate) drawn: usize,
    /// What draws.
    pub(crate) lot: Xoshiro256PlusPlus,
    /// Where one option of a choice completes the run in any case, the run goes on with one that it
    /// draws itself.
    pub(crate) drawing: bool,
    /// Where a run goes on, if it draws what is left of a turn: with the outcomes. 0: nowhere.
    pub(crate) then: u32,
    /// It has gone on there.
    pub(crate) judged: bool,
    pub(crate) streak: crate::interp::chain::TurnChain,
    pub(crate) presumption: Speculation,
    /// The position before the present turn.
    pub(crate) before: Before<W>,
    /// A run goes on at choices with the option that its number tells; what is left of the number.
    pub(crate) numbered: bool,
    pub(crate) left: u64,
    pub(crate) tries: crate::interp::sample::Tries,
    /// The choice whose runs are drawn by number, until a run has met it.
    pub(crate) shared_out: u32,
    pub(crate) shares: RankBounds,
    /// What lines went through last.
    pub(crate) both: BothWays<W>,
    pub(crate) floods: IncrementalFloods<W>,
    /// How many runs there were to draw from.
    pub(crate) offered: Option<crate::interp::sample::TurnCount>,
}

impl<const W: usize> Vm<W> {
    pub fn new(code: &Program<W>) -> Vm<W> {
        let lot = Xoshiro256PlusPlus::from_seed([0; 32]);
        let mut machine = Vm {
            sets: Sets([[0; W]; REGISTERS]),
            numbers: [0; REGISTERS],
            flags: Flags::default(),
            decided: None,
            telling: false,
            told: Vec::new(),
            stuck: [None; 8],
            history: crate::interp::state::repetition::RepetitionTable::default(),
            fault: None,
            next_to_move: 0,
            stack: crate::interp::enumerate::Stack::default(),
            begun: None,
            worked: 0,
            settled: 0,
            counts_next: false,
            asking: false,
            drawn: 0,
            lot: lot.clone(),
            drawing: false,
            then: 0,
            judged: false,
            streak: crate::interp::chain::TurnChain::default(),
            presumption: Speculation::default(),
            before: Before::new(lot),
            numbered: false,
            left: 0,
            tries: crate::interp::sample::Tries::default(),
            shared_out: u32::MAX,
            both: BothWays::new(),
            floods: IncrementalFloods::new(&code.linked.code),
            shares: RankBounds::new(&code.linked.points),
            offered: None,
        };
        for (reg, bits) in &code.linked.consts {
            machine.sets[usize::from(reg.0) % REGISTERS] = bitset::of(bits);
        }
        for (reg, k) in &code.linked.const_numbers {
            machine.numbers[usize::from(reg.0) % REGISTERS] = *k;
        }
        machine.judge_all(code);
        machine
    }

    /// All outcomes are asked.
    pub(crate) fn judge_all(&mut self, code: &Program<W>) {
        self.judge_some(code, true, true);
    }

    /// Which outcomes are asked: those that ask the history, and draws.
    pub(crate) fn judge_some(&mut self, code: &Program<W>, history: bool, draws: bool) {
        for (reg, asked) in [(code.judging.history, history), (code.judging.draws, draws)] {
            if let Some(reg) = reg {
                self.put_number(reg, i64::from(asked));
            }
        }
    }

    /// Whether runs are only counted.
    pub(crate) fn count_only(&mut self, code: &Program<W>, counting: bool) {
        if let Some(reg) = code.judging.counting {
            self.put_number(reg, i64::from(counting));
        }
        self.settled = 0;
    }

    pub(crate) fn counts(&self, code: &Program<W>) -> bool {
        code.judging.counting.is_some_and(|reg| self.number(reg) != 0)
    }

    #[inline(always)]
    pub fn set(&self, reg: SetReg) -> &Bitset<W> {
        &self.sets[usize::from(reg.0 as u8)]
    }

    #[inline(always)]
    pub fn put(&mut self, reg: SetReg, value: Bitset<W>) {
        self.sets[usize::from(reg.0 as u8)] = value;
    }

    #[inline(always)]
    pub fn number(&self, reg: NumReg) -> i64 {
        self.numbers[usize::from(reg.0 as u8)]
    }

    #[inline(always)]
    pub fn put_number(&mut self, reg: NumReg, value: i64) {
        self.numbers[usize::from(reg.0 as u8)] = value;
    }

    #[cold]
    pub(crate) fn fail(&mut self, kind: FaultKind, span: Span) -> Event {
        self.fault = Some(Fault::new(kind, span));
        Event::Fail
    }

    /// Runs from a place of the code to the next event.
    pub fn run(&mut self, code: &Program<W>, from: u32) -> Event {
        crate::interp::dispatch::run(self, code, from)
    }

    pub(crate) fn flip(&mut self, code: &Program<W>, cells: SetReg, player: Player) {
        let cells = *self.set(cells);
        let mut turned = [0; W];
        for &reg in code.owners.iter().chain(&code.neutral) {
            let set = &mut self.sets[reg % REGISTERS];
            turned = bitset::or(&turned, &bitset::and(set, &cells));
            *set = bitset::without(set, &cells);
        }
        let own = &mut self.sets[code.owners[player.index()] % REGISTERS];
        *own = bitset::or(own, &turned);
    }

    pub(crate) fn telling_of(&self, mark: Annotation) -> Told<W> {
        match mark {
            Annotation::Cell(reg) => Told::Cell(*self.set(reg)),
            Annotation::Landing { cell, caught, sign } => Told::Landing {
                cell: *self.set(cell),
                captures: caught.is_some_and(|reg| !bitset::is_empty(self.set(reg))),
                sign,
            },
            Annotation::Number(n) => Told::Number(self.number(n)),
            Annotation::Pair(reg) => Told::Pair(*self.set(reg)),
            Annotation::Group(reg) => Told::Group(*self.set(reg)),
            Annotation::Dir(n) => Told::Dir(self.number(n)),
            Annotation::Axis(n) => Told::Axis(self.number(n)),
            Annotation::Kind(kind) => Told::Kind(kind),
            Annotation::Promotion(kind) => Told::Promotion(kind),
            Annotation::Pass => Told::Pass,
            Annotation::Swap => Told::Swap,
            Annotation::Silent => Told::Silent,
            Annotation::Round => Told::Round,
            Annotation::Loud => Told::Loud,
        }
    }

    /// How many options all arms of a choice have.
    #[inline(always)]
    pub(crate) fn options(&self, code: &Program<W>, point: u32) -> u64 {
        let point = &code.linked.points[point as usize];
        // A loop: what is handed to an iterator is not compiled for the processor at hand.
        let mut total = 0;
        if point.cells.is_empty() {
            for arm in &point.arms {
                total = u64::saturating_add(total, self.weight(code, arm.options));
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
    pub(crate) fn options_of(&self, code: &Program<W>, point: &ChoicePoint, arm: usize) -> u64 {
        match point.cells.get(arm) {
            Some(cells) => u64::from(bitset::count(self.set(cells.of))),
            None => self.weight(code, point.arms[arm].options),
        }
    }

    /// Makes the k-th option of an arm of a choice the one chosen, and tells where to go on.
    #[inline(always)]
    pub(crate) fn take_of(
        &mut self,
        code: &Program<W>,
        point: &ChoicePoint,
        arm: usize,
        k: u64,
        select: impl Select,
    ) -> u32 {
        match point.cells.get(arm) {
            Some(cells) => self.take_cell(code, cells, k as u32, select),
            None => {
                self.choose_by(code, point.arms[arm].options, k, select);
                point.arms[arm].entry
            }
        }
    }

    /// The same of an arm that offers cells.
    #[inline(always)]
    fn take_cell(&mut self, code: &Program<W>, cells: &Cells, k: u32, select: impl Select) -> u32 {
        let cell = bitset::nth(self.set(cells.of), k, select);
        self.go_to(code, cells, cell)
    }

    /// Makes the cell with the number at hand the one chosen, after which nothing is left of it;
    /// `None`: it is not offered.
    #[inline(always)]
    pub(crate) fn take_aimed(&mut self, code: &Program<W>, point: &ChoicePoint) -> Option<u32> {
        let cells = point.cells.first()?;
        let cell = bitset::bit(std::mem::take(&mut self.left) as usize);
        bitset::meets(self.set(cells.of), &cell).then(|| self.go_to(code, cells, cell))
    }

    /// Puts the cell that was chosen where its arm has it, and tells where to go on.
    #[inline(always)]
    pub(crate) fn go_to(&mut self, code: &Program<W>, cells: &Cells, cell: Bitset<W>) -> u32 {
        self.put(cells.cell, cell);
        if let Some((d, hop)) = cells.back {
            self.put(d, code.tables.hops[usize::from(hop)].of(&cell));
        }
        cells.entry
    }

    /// Makes the k-th option of a choice the one chosen, and tells where to go on; `None`: there
    /// are not so many.
    #[inline(always)]
    pub(crate) fn option(&mut self, code: &Program<W>, point: u32, k: u64, select: impl Select) -> Option<u32> {
        let point = &code.linked.points[point as usize];
        let mut left = k;
        let cells = point.cells.as_slice();
        if !cells.is_empty() && cells.len() <= FEW_ARMS {
            // Which arm it is cannot be foreseen: no jump for each.
            let (mut at, mut begin, mut total) = (0, 0, 0);
            for (index, cells) in cells.iter().enumerate() {
                let begun = total <= k;
                at = if begun { index } else { at };
                begin = if begun { total } else { begin };
                total += u64::from(bitset::count(self.set(cells.of)));
            }
            let chosen = cells.get(at).filter(|_| k < total)?;
            return Some(self.take_cell(code, chosen, (k - begin) as u32, select));
        }
        for arm in 0..point.arms.len() {
            let here = self.options_of(code, point, arm);
            if left < here {
                return Some(self.take_of(code, point, arm, left, select));
            }
            left -= here;
        }
        None
    }

    /// The cells of a set that are in neither of two others.
    #[inline(always)]
    pub(crate) fn outside(&self, of: SetReg, a: SetReg, b: SetReg) -> Bitset<W> {
        bitset::without(self.set(of), &bitset::or(self.set(a), self.set(b)))
    }

    /// Draws a cell of a set of which each completes the run; `None`: there is none.
    #[inline(always)]
    pub(crate) fn draw_cell(&mut self, of: &Bitset<W>, select: impl Select) -> Option<Bitset<W>> {
        let upto = bitset::counts(of);
        let total = u64::from(upto[W - 1]);
        if total == 0 {
            return None;
        }
        self.offered = Some(crate::interp::sample::TurnCount { count: total, estimated: false });
        let k = crate::interp::sample::below(&mut self.lot, total);
        let (word, bit) = bitset::nth_counted(of, &upto, k as u32, select);
        self.drawn = word * 64 + bit.trailing_zeros() as usize % 64;
        Some(bitset::alone(word, bit))
    }

    /// The cell of a set that has just one; `single`: it has no more. Mostly it is the one that was
    /// drawn.
    #[inline(always)]
    pub(crate) fn sole(&self, reg: SetReg, single: bool) -> Option<usize> {
        let (set, drawn) = (self.set(reg), self.drawn.min(W * 64 - 1));
        let is_drawn = if single { set[drawn / 64] >> (drawn % 64) & 1 == 1 } else { *set == bitset::bit(drawn) };
        if is_drawn { Some(drawn) } else { bitset::sole(set) }
    }

    /// Draws an option of a choice of which each completes the run, and tells where to go on;
    /// `None`: there is none.
    #[inline(always)]
    pub(crate) fn draw_option(&mut self, code: &Program<W>, point: u32, select: impl Select) -> Option<u32> {
        let total = self.options(code, point);
        if total == 0 {
            return None;
        }
        self.offered = Some(crate::interp::sample::TurnCount { count: total, estimated: false });
        let k = crate::interp::sample::below(&mut self.lot, total);
        if let [cells] = code.linked.points[point as usize].cells.as_slice() {
            return Some(self.take_cell(code, cells, k as u32, select));
        }
        self.option(code, point, k, select)
    }

    /// How many options an arm of a choice has.
    #[inline(always)]
    pub fn weight(&self, code: &Program<W>, options: Options) -> u64 {
        match options {
            Options::Cells { of, .. } => u64::from(bitset::count(self.set(of))),
            Options::One { open } => u64::from(self.number(open) != 0),
            Options::Range { from, to, .. } => {
                let (from, to) = (self.number(from), self.number(to));
                if from > to { 0 } else { to.abs_diff(from).saturating_add(1) }
            }
            Options::Bits { of, .. } => u64::from(self.number(of).count_ones()),
            Options::Pairs { of, .. } => {
                let n = u64::from(bitset::count(self.set(of)));
                n * n.saturating_sub(1) / 2
            }
            Options::Groups { of, along, .. } => code.tables.count_groups(self.set(of), along, i64::MAX) as u64,
        }
    }

    /// Makes the k-th option of an arm the one chosen.
    pub fn choose(&mut self, code: &Program<W>, options: Options, k: u64) {
        self.choose_by(code, options, k, bitset::nth_bit);
    }

    #[inline(always)]
    pub(crate) fn choose_by(&mut self, code: &Program<W>, options: Options, k: u64, select: impl Select) {
        match options {
            Options::Cells { of, cell } => self.put(cell, bitset::nth(self.set(of), k as u32, select)),
            Options::One { .. } => {}
            Options::Range { from, number, .. } => self.put_number(number, self.number(from).wrapping_add(k as i64)),
            Options::Bits { of, bit } => self.put_number(bit, select(self.number(of) as u64, k as u32) as i64),
            Options::Pairs { of, pair } => {
                let set = *self.set(of);
                self.put(pair, bitset::nth_pair(&set, k));
            }
            Options::Groups { of, along, group } => {
                let mut left = *self.set(of);
                for _ in 0..k {
                    let one = code.tables.flood(&bitset::bit(bitset::lowest(&left)), &left, along);
                    left = bitset::without(&left, &one);
                }
                let one = code.tables.flood(&bitset::bit(bitset::lowest(&left)), &left, along);
                self.put(group, one);
            }
        }
    }
}
