//! Revisits: a choice that a walk through all runs comes to goes in; whether the walk has come to it in the same state
//! before comes out.
//!
//! Rounds of a `repeat silently` come back to a state by many ways, and what follows is the same each time. The state is
//! what is read behind the choice, what the run has done, and what is written of it. How many rounds there were is left
//! out: so a loop ends that only goes round. This is the visited set of a search through a graph.

use smallvec::SmallVec;

use crate::interp::state::program::Program;
use crate::interp::state::search::{Kept, Purpose, VmExit, Walk, regs};
use crate::interp::state::turn::{ChoiceEntry, Flags};
use crate::interp::state::vm::Vm;
use crate::interp::tuning::WORK_OF_A_STATE;
use crate::plan::Argmax;

impl<const W: usize> Vm<W> {
    /// The walk has come to the choice in this state before: all runs behind it have been gone through, or will be.
    #[inline(never)]
    pub fn has_visited(&mut self, program: &Program<W>, walk: &Walk, point: u32) -> bool {
        let Some(counters) = program.counters.as_deref() else { return false };
        let counters = &counters[point as usize];
        // Runs that are counted count as often as they are come to. Behind a ply, those before it are counted anew.
        if counters.is_empty() || !matches!(walk.purpose, Purpose::Make | Purpose::Find) || walk.continued > 0 {
            return false;
        }
        let mut state = std::mem::take(&mut self.search.visited.words);
        state.clear();
        let kept = regs(program, VmExit::Choice(point), Kept::All);
        let sets = kept.sets.iter().map(|reg| self.set(*reg));
        self.sets[..kept.shared.0].iter().chain(sets).for_each(|set| state.extend(set));
        let value = program.argmax.and_then(Argmax::register);
        let numbers = kept.numbers.iter().filter(|reg| !counters.contains(reg)).copied().chain(value);
        state.extend(self.numbers[..kept.shared.1].iter().map(|number| *number as u64));
        state.extend(numbers.map(|reg| self.number(reg) as u64));
        let Flags { passed, acted, again, chose } = self.turn.flags;
        let flags = [passed, acted, again, chose].iter().fold(0, |bits, flag| bits << 1 | u64::from(*flag));
        state.extend([walk.serial, u64::from(point) << 4 | flags]);
        // Another block is tried where the first of a `first` completes nothing: what came of it elsewhere tells nothing here.
        let frames = &self.search.frames[walk.base..];
        let innermost = frames.iter().rposition(|frame| matches!(frame.what, VmExit::First(_)));
        if let Some(depth) = innermost {
            state.extend([depth as u64, frames[depth].next, frames[depth].completed]);
        }
        self.search.contests.add_log(&mut state);
        add_written(&self.choice_log.entries, &mut state);
        self.turn.work += WORK_OF_A_STATE;
        self.search.visited.words = state;
        !self.search.visited.add()
    }
}

/// Adds what is written so far, and where that would begin which another round writes anew.
fn add_written<const W: usize>(entries: &[ChoiceEntry<W>], state: &mut Vec<u64>) {
    let mut begun: SmallVec<[u64; 4]> = SmallVec::new();
    let from = state.len();
    for entry in entries {
        match entry {
            ChoiceEntry::Silent => begun.push((state.len() - from) as u64),
            ChoiceEntry::Round => state.truncate(begun.last().map_or(state.len(), |begin| from + *begin as usize)),
            ChoiceEntry::Loud => drop(begun.pop()),
            entry => add_entry(entry, state),
        }
    }
    state.extend(begun);
}

fn add_entry<const W: usize>(entry: &ChoiceEntry<W>, state: &mut Vec<u64>) {
    let (form, cells) = match entry {
        ChoiceEntry::Cell(cell) => (1, cell),
        ChoiceEntry::Landing { cell, captures, sign } => {
            let sign = sign.map_or(0, |sign| u64::from(u32::from(sign)));
            (2 | u64::from(*captures) << 4 | sign << 5, cell)
        }
        ChoiceEntry::Combination(cells) => (3, cells),
        ChoiceEntry::Group(cells) => (4, cells),
        ChoiceEntry::Number(number) => return state.extend([5, *number as u64]),
        ChoiceEntry::Dir(bit) => return state.extend([6, *bit as u64]),
        ChoiceEntry::Axis(bit) => return state.extend([7, *bit as u64]),
        ChoiceEntry::Kind(kind) => return state.extend([8, u64::from(kind.0)]),
        ChoiceEntry::Promotion(kind) => return state.extend([9, u64::from(kind.0)]),
        ChoiceEntry::Label(label) => return state.extend([10, u64::from(*label)]),
        ChoiceEntry::Pass => return state.push(11),
        ChoiceEntry::Swap => return state.push(12),
        ChoiceEntry::Stop => return state.push(13),
        ChoiceEntry::Silent | ChoiceEntry::Round | ChoiceEntry::Loud => return,
    };
    state.push(form);
    state.extend(cells);
}
