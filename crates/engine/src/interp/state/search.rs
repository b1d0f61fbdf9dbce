//! State of a search: choice points to go back to, with the registers as they were there.

use crate::interp::bitset::Bitset;
use crate::interp::counted_writes::Clobbers;
use crate::interp::state::contests::Contests;
use crate::interp::state::program::Program;
use crate::interp::state::registers::Sets;
use crate::interp::state::turn::Flags;
use crate::interp::state::visited::VisitedStates;
use crate::plan::{ChoicePoint, NumReg, Quads, REGISTERS, SetReg};

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VmExit {
    Choice(u32),
    First(u32),
    Fail,
    End,
}

/// What choices are gone back to, and the places where draws can be made; reused.
#[derive(Debug)]
pub struct Search<const W: usize> {
    pub frames: Vec<ChoiceFrame>,
    pub kept: RegisterStack<W>,
    pub batches: Vec<Batch>,
    pub drawn: RegisterStack<W>,
    pub excluded: Vec<u64>,
    /// Options that were enumerated, by arm and index, with how many runs there were up to and with
    /// theirs.
    pub enumerated: Vec<(usize, u64, u64)>,
    /// Registers as they were at the choice whose runs are drawn by rank, and what the run had done.
    pub clobbered: Clobbered<W>,
    pub clobbered_flags: Flags,
    /// Where the turn stands that `end` began, to ask whether it can be completed.
    pub probed: Option<ProbedTurn>,
    /// Options of the next choice that were counted before it.
    pub bulk_counted: u64,
    /// The turn that `end` asks about is to be counted.
    pub counts_next: bool,
    /// A run that ends in a ply goes on with the next continuation, to the end of the turn.
    pub goes_on: bool,
    /// It is only asked whether runs are completed, not what they come to.
    pub completion_only: bool,
    /// Turns that are supposed to have ended, each while another was looked for, before this one.
    pub supposed: usize,
    /// Of the run at hand, and of the runs that may stay, where `most` compares them in several contests.
    pub contests: Contests,
    /// Where walks through rounds that are not written have been.
    pub visited: VisitedStates,
}

impl<const W: usize> Default for Search<W> {
    fn default() -> Search<W> {
        Search {
            frames: Vec::new(),
            kept: RegisterStack::default(),
            batches: Vec::new(),
            drawn: RegisterStack::default(),
            excluded: Vec::new(),
            enumerated: Vec::new(),
            clobbered: Clobbered::default(),
            clobbered_flags: Flags::default(),
            probed: None,
            bulk_counted: 0,
            counts_next: false,
            goes_on: false,
            completion_only: false,
            supposed: 0,
            contests: Contests::default(),
            visited: VisitedStates::default(),
        }
    }
}

impl<const W: usize> Search<W> {
    /// The options of the run that is complete, at each choice that had several.
    pub fn path(&self, base: usize) -> impl Iterator<Item = u32> {
        self.frames[base..].iter().map(|frame| frame.next as u32 - 1)
    }

    pub fn forget_drawn(&mut self) {
        self.batches.clear();
        self.drawn.sets.clear();
        self.drawn.numbers.clear();
    }
}

#[derive(Debug)]
pub struct RegisterStack<const W: usize> {
    pub sets: Vec<Bitset<W>>,
    pub numbers: Vec<i64>,
}

impl<const W: usize> Default for RegisterStack<W> {
    fn default() -> RegisterStack<W> {
        RegisterStack { sets: Vec::new(), numbers: Vec::new() }
    }
}

/// Registers as they were at one choice.
#[derive(Debug)]
pub struct Clobbered<const W: usize> {
    pub sets: Sets<W>,
    pub numbers: [i64; REGISTERS],
}

impl<const W: usize> Default for Clobbered<W> {
    fn default() -> Clobbered<W> {
        Clobbered { sets: Sets([[0; W]; REGISTERS]), numbers: [0; REGISTERS] }
    }
}

/// Copies what runs behind a choice can spoil from some registers to others. Of narrow sets whole
/// fours: what stands beside the spoilt ones is the same there.
#[inline(always)]
pub fn copy_clobbered<const W: usize>(
    from: (&Sets<W>, &[i64; REGISTERS]),
    to: (&mut Sets<W>, &mut [i64; REGISTERS]),
    point: &ChoicePoint,
) {
    let Quads { sets, numbers } = &point.clobbered_quads;
    if W > 2 {
        for reg in &point.clobbered_sets {
            to.0[usize::from(reg.0 as u8)] = from.0[usize::from(reg.0 as u8)];
        }
    } else {
        for &four in sets {
            for at in 0..4 {
                to.0[usize::from(four % 64) * 4 + at] = from.0[usize::from(four % 64) * 4 + at];
            }
        }
    }
    for &four in numbers {
        for at in 0..4 {
            to.1[usize::from(four % 64) * 4 + at] = from.1[usize::from(four % 64) * 4 + at];
        }
    }
}

/// Registers as they were, in a list of kept ones. A million of these may be kept, so places in the
/// lists take 32 bits: the bound on work is met long before.
#[derive(Clone, Copy, Debug)]
pub struct Saved {
    pub sets: u32,
    pub numbers: u32,
    pub logged: u32,
    pub flags: Flags,
    pub kept: Kept,
}

/// Which registers are kept at a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// All that are read behind it.
    All,
    /// Of these only what is written behind it: all that has run since stands there.
    Clobbered,
    /// Of these only what is written before last choices, whose options are not made.
    Counted,
}

#[derive(Clone, Copy, Debug)]
pub struct ChoiceFrame {
    pub what: VmExit,
    pub next: u64,
    pub total: u64,
    /// Runs completed when a `first` began.
    pub completed: u64,
    pub saved: Saved,
}

/// Options that each complete a run, or may: those of one last choice, or a run that is complete.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    pub point: Option<u32>,
    pub weight: u64,
    pub saved: Saved,
}

/// What a walk does with the runs that it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Each is made.
    Make,
    /// They are counted. Those of last choices are not made, unless one may come to what the rules forbid.
    Count,
    /// They are counted so that one can be drawn. Those of last choices are not made: what the rules forbid comes out
    /// when it is drawn.
    CountToDraw,
    /// Whether there is one, told as [`Purpose::CountToDraw`] counts.
    Find,
    /// The one with this number, as [`Purpose::CountToDraw`] counts, is made.
    MakeNth(u64),
}

impl Purpose {
    /// Options of a choice are counted, not made.
    #[inline(always)]
    pub fn only_counts(self, point: &ChoicePoint) -> bool {
        match self {
            Purpose::Make => false,
            Purpose::Count => point.counts(),
            Purpose::CountToDraw | Purpose::Find | Purpose::MakeNth(_) => point.infallible,
        }
    }

    /// What is kept at choices that are gone back to.
    fn keeps(self) -> Kept {
        match self {
            Purpose::Make => Kept::All,
            Purpose::Count => Kept::Clobbered,
            Purpose::CountToDraw | Purpose::Find | Purpose::MakeNth(_) => Kept::Counted,
        }
    }

    pub fn keeps_at(self, what: VmExit) -> Kept {
        match (self.keeps(), what) {
            (Kept::Clobbered, VmExit::First(_)) => Kept::All,
            (kept, _) => kept,
        }
    }
}

/// A way through all complete runs from an event on.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// Frames below are others'.
    pub base: usize,
    /// What comes next; `None`: the next option of the latest choice.
    pub event: Option<VmExit>,
    pub completed: u64,
    pub purpose: Purpose,
    pub stays: Stays,
    /// So many continuations of [`Contests::suspended`] are gone through by it: each has runs that stay of its own.
    pub continued: u32,
    /// Tells it from the other walks of the search.
    pub serial: u64,
}

/// Which of the complete runs of a walk stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stays {
    All,
    /// Those of this value, and those that have none.
    Value(i64),
    /// Those with the numbers that stand in [`Contests::survivors`], in this part of it.
    Listed {
        next: u32,
        end: u32,
    },
}

/// A turn that has been begun: it stands at its first event.
#[derive(Clone, Copy, Debug)]
pub struct ProbedTurn {
    pub entry: u32,
    pub event: VmExit,
    /// The registers have changed since, and how they are put back.
    pub changed: Changed,
    /// Its runs are only counted: so many are already.
    pub counted: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
pub enum Changed {
    No,
    /// By runs behind the choice at which the turn stands.
    Clobbered(u32),
    Saved(Saved),
}

impl<const W: usize> RegisterStack<W> {
    pub fn save(&mut self, vm: (&[Bitset<W>], &[i64]), kept: &Regs<'_>) -> (usize, usize) {
        let at = (self.sets.len(), self.numbers.len());
        self.sets.extend_from_slice(&vm.0[..kept.shared.0]);
        self.sets.extend(kept.sets.iter().map(|reg| vm.0[usize::from(reg.0 as u8)]));
        self.numbers.extend_from_slice(&vm.1[..kept.shared.1]);
        self.numbers.extend(kept.numbers.iter().map(|reg| vm.1[usize::from(reg.0 as u8)]));
        at
    }

    pub fn restore(&self, at: (usize, usize), vm: (&mut [Bitset<W>], &mut [i64]), kept: &Regs<'_>) {
        let (sets, numbers) = (&self.sets[at.0..], &self.numbers[at.1..]);
        vm.0[..kept.shared.0].copy_from_slice(&sets[..kept.shared.0]);
        kept.sets.iter().zip(&sets[kept.shared.0..]).for_each(|(reg, set)| vm.0[usize::from(reg.0 as u8)] = *set);
        vm.1[..kept.shared.1].copy_from_slice(&numbers[..kept.shared.1]);
        let rest = &numbers[kept.shared.1..];
        kept.numbers.iter().zip(rest).for_each(|(reg, number)| vm.1[usize::from(reg.0 as u8)] = *number);
    }
}

/// Registers that are kept: so many of the shared ones, and some others.
pub struct Regs<'c> {
    pub shared: (usize, usize),
    pub sets: &'c [SetReg],
    pub numbers: &'c [NumReg],
}

fn counted(clobbers: &Clobbers) -> Regs<'_> {
    Regs { shared: (0, 0), sets: &clobbers.sets, numbers: &clobbers.numbers }
}

pub fn regs<const W: usize>(program: &Program<W>, what: VmExit, kept: Kept) -> Regs<'_> {
    match what {
        VmExit::Choice(index) => {
            let point = &program.code.points[index as usize];
            match kept {
                Kept::All => Regs { shared: program.shared_regs, sets: &point.sets, numbers: &point.numbers },
                Kept::Clobbered => {
                    Regs { shared: (0, 0), sets: &point.clobbered_sets, numbers: &point.clobbered_numbers }
                }
                Kept::Counted => counted(&program.counted_writes.points[index as usize]),
            }
        }
        VmExit::First(index) if kept == Kept::Counted => counted(&program.counted_writes.alternatives[index as usize]),
        VmExit::First(index) => {
            let split = &program.code.alternatives[index as usize];
            Regs { shared: program.shared_regs, sets: &split.sets, numbers: &split.numbers }
        }
        VmExit::Fail | VmExit::End => Regs { shared: program.shared_regs, sets: &[], numbers: &[] },
    }
}
