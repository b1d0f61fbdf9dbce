//! State of the scalar executor: registers, and named parts by how long they are valid.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::state::checkpoint::Checkpoint;
use crate::interp::state::program::Program;
use crate::interp::state::registers::Sets;
use crate::interp::state::repetition::{Hash, RepetitionTable, hash_of};
use crate::interp::state::routine_table::OpenCalls;
use crate::interp::state::sampler::Sampler;
use crate::interp::state::search::{Search, VmExit};
use crate::interp::state::turn::{ChoiceEntry, ChoiceLog, TurnState};
use crate::interp::tables::connectivity::IncrementalFloods;
use crate::interp::tables::rays::BothWays;
use crate::plan::{Annotation, NumReg, REGISTERS, SetReg};
use crate::position::{Fault, FaultKind};
use crate::source::Site;

/// Registers and what stands beside them. One serves any number of games of one program, one at a
/// time.
#[derive(Debug)]
pub struct Vm<const W: usize> {
    pub sets: Sets<W>,
    pub numbers: [i64; REGISTERS],
    pub game: PastState,
    pub turn: TurnState,
    pub choice_log: ChoiceLog<W>,
    /// The position as the turn began.
    pub checkpoint: Checkpoint<W>,
    pub sampler: Sampler,
    pub search: Search<W>,
    /// Plays turns that are only asked about: whether a player is stuck.
    pub probe: Option<Box<Vm<W>>>,
    /// Stands where a turn would be that is supposed to have ended.
    pub behind: Option<Box<Vm<W>>>,
    pub scratch: Scratch<W>,
}

/// What lasts for a game beside its registers.
#[derive(Debug, Default)]
pub struct PastState {
    pub history: RepetitionTable,
    /// Who is to move next, and how far the opening is: a part of the position.
    pub next_to_move: u64,
}

/// What single operations remember to answer the same question sooner; it has no meaning of its own.
#[derive(Debug)]
pub struct Scratch<const W: usize> {
    /// The last set that rays went through, also in reverse bit order.
    pub both_ways: BothWays<W>,
    pub floods: IncrementalFloods<W>,
    /// Calls of routines that are not over.
    pub calls: OpenCalls,
}

impl<const W: usize> Vm<W> {
    pub fn new(program: &Program<W>) -> Vm<W> {
        let rng = Xoshiro256PlusPlus::from_seed([0; 32]);
        let mut vm = Vm {
            sets: Sets([[0; W]; REGISTERS]),
            numbers: [0; REGISTERS],
            game: PastState::default(),
            turn: TurnState::default(),
            choice_log: ChoiceLog::default(),
            checkpoint: Checkpoint::new(rng.clone()),
            sampler: Sampler::new(rng, &program.code.points),
            search: Search::default(),
            probe: None,
            behind: None,
            scratch: Scratch {
                both_ways: BothWays::none(),
                floods: IncrementalFloods::new(&program.code.code),
                calls: OpenCalls::default(),
            },
        };
        for (reg, bits) in &program.code.consts {
            vm.sets[usize::from(reg.0) % REGISTERS] = bitset::of(bits);
        }
        for (reg, k) in &program.code.const_numbers {
            vm.numbers[usize::from(reg.0) % REGISTERS] = *k;
        }
        vm.ask_all_outcomes(program);
        vm
    }
    /// All outcomes are asked.
    pub fn ask_all_outcomes(&mut self, program: &Program<W>) {
        self.ask_outcomes(program, true, true);
    }

    /// Which outcomes are asked: those that ask the history, and draws.
    pub fn ask_outcomes(&mut self, program: &Program<W>, history: bool, draws: bool) {
        for (reg, asked) in [(program.terminal.history, history), (program.terminal.draws, draws)] {
            if let Some(reg) = reg {
                self.put_number(reg, i64::from(asked));
            }
        }
    }

    /// Whether runs are only counted.
    pub fn set_counting(&mut self, program: &Program<W>, counting: bool) {
        if let Some(reg) = program.terminal.counting {
            self.put_number(reg, i64::from(counting));
        }
        self.search.bulk_counted = 0;
    }

    pub fn counts(&self, program: &Program<W>) -> bool {
        program.terminal.counting.is_some_and(|reg| self.number(reg) != 0)
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
    pub fn fail(&mut self, kind: FaultKind, site: Site) -> VmExit {
        self.turn.fault = Some(Fault::new(kind, site));
        VmExit::Fail
    }

    pub fn flip(&mut self, program: &Program<W>, cells: SetReg, player: Player) {
        let cells = *self.set(cells);
        let mut turned = [0; W];
        for &reg in program.owners.iter().chain(&program.neutral) {
            let set = &mut self.sets[reg % REGISTERS];
            turned = bitset::or(&turned, &bitset::and(set, &cells));
            *set = bitset::without(set, &cells);
        }
        let own = &mut self.sets[program.owners[player.index()] % REGISTERS];
        *own = bitset::or(own, &turned);
    }

    pub fn choice_entry(&self, mark: Annotation) -> ChoiceEntry<W> {
        match mark {
            Annotation::Cell(reg) => ChoiceEntry::Cell(*self.set(reg)),
            Annotation::Landing { cell, caught, sign } => ChoiceEntry::Landing {
                cell: *self.set(cell),
                captures: caught.is_some_and(|reg| !bitset::is_empty(self.set(reg))),
                sign,
            },
            Annotation::Number(n) => ChoiceEntry::Number(self.number(n)),
            Annotation::Combination(reg) => ChoiceEntry::Combination(*self.set(reg)),
            Annotation::Group(reg) => ChoiceEntry::Group(*self.set(reg)),
            Annotation::Dir(n) => ChoiceEntry::Dir(self.number(n)),
            Annotation::Axis(n) => ChoiceEntry::Axis(self.number(n)),
            Annotation::Kind(kind) => ChoiceEntry::Kind(kind),
            Annotation::Promotion(kind) => ChoiceEntry::Promotion(kind),
            Annotation::Label(label) => ChoiceEntry::Label(label),
            Annotation::Pass => ChoiceEntry::Pass,
            Annotation::Swap => ChoiceEntry::Swap,
            Annotation::Stop => ChoiceEntry::Stop,
            Annotation::Silent => ChoiceEntry::Silent,
            Annotation::Round => ChoiceEntry::Round,
            Annotation::Loud => ChoiceEntry::Loud,
        }
    }

    pub fn pieces_hash(&self, program: &Program<W>) -> Hash {
        self.hash(&program.piece_sets, &[], 0)
    }

    pub fn position_hash(&self, program: &Program<W>) -> Hash {
        self.hash(&program.compared_sets, &program.compared_numbers, self.game.next_to_move)
    }

    fn hash(&self, sets: &[usize], numbers: &[usize], more: u64) -> Hash {
        hash_of(W, (sets, numbers, more), |set, at| self.sets[set][at], |reg| self.numbers[reg] as u64)
    }
}
