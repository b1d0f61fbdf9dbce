//! Steps of a program go in; those that follow one another and only compute come out as machine code, where the processor has AVX-512.
//!
//! A step that is carried out by itself loads what it computes with and stores what it makes, for each chunk. Code for several of them keeps
//! sets in vector registers and stores only what is wanted behind it.

mod encode;
mod lower;
mod page;
#[cfg(test)]
mod tests;

use super::lanes;
use super::program::{ASIDE, Program, Step};
use super::sets::Steps;
use crate::engine::Roles;
use crate::ir::{N, Op, REGISTERS, S};
use lower::{Board, Held, Lowering};
use page::{Bounds, File, Page};

/// The machine code of a program.
#[derive(Debug)]
pub struct Native(Page);

impl Native {
    /// Lets steps of a program be carried out by machine code, for groups of so many chunks; the processor has AVX-512. `None`: there is nothing
    /// to compile, or no memory for code.
    pub fn compile<const W: usize>(
        program: &mut Program,
        (steps, roles, chunks): (&Steps<W>, &Roles, usize),
        shared: (usize, usize),
    ) -> Option<Native> {
        let board = Board { steps, roles, chunks };
        let (mut lowering, mut starts) = (Lowering::new(&board), Vec::new());
        let (entered, mut at) = (entered(program), 0);
        let ops: Vec<Option<(Op, bool)>> =
            program.steps.iter().map(|step| computed(step).filter(|op| lowering.has_code(op))).collect();
        while at < ops.len() {
            let more = (at + 1..ops.len()).take_while(|&next| ops[next].is_some() && !entered[next]).count();
            let (until, live) = (at + 1 + more, &program.live[at + 1 + more]);
            let wanted = |held| match held {
                Held::Word(reg, _) => usize::from(reg) < shared.0 || live.has_set(S(reg)),
                Held::Number(reg) => usize::from(reg) < shared.1 || live.has_number(N(reg)),
            };
            let stretch: Vec<(Op, bool)> = ops[at..until].iter().copied().map_while(|op| op).collect();
            if stretch.is_empty() {
                at += 1;
                continue;
            }
            if let Some(start) = lowering.function(&stretch, wanted) {
                program.steps[at] = Step::Native { function: starts.len() as u32, to: until as u32 };
                starts.push(start);
            }
            at = until;
        }
        if starts.is_empty() {
            return None;
        }
        let bounds = Bounds { sets: (REGISTERS + ASIDE) * chunks * W, numbers: REGISTERS * chunks, chunks };
        Page::new(&lowering.code.0, starts, lowering.constants, bounds).map(Native)
    }

    /// Carries out a function for the lanes that are meant.
    #[inline(always)]
    pub fn call<const W: usize, const K: usize>(&self, function: u32, file: &mut lanes::File<W, K>) {
        let chunks = file.on.chunk_bits();
        let lanes::File { sets, numbers, masks, .. } = file;
        let (sets, numbers) = (sets.as_flattened_mut().as_flattened_mut(), numbers.as_flattened_mut());
        self.0.call(function as usize, File { sets, numbers, meant: masks }, chunks);
    }
}

/// What a step does, if it only computes, and whether other lanes keep what they have.
fn computed(step: &Step) -> Option<(Op, bool)> {
    match *step {
        Step::Do { op, blend, loses: false } => Some((op, blend)),
        _ => None,
    }
}

/// The steps that are come to from elsewhere than the step before.
fn entered(program: &Program) -> Vec<bool> {
    let mut entered = vec![false; program.steps.len() + 2];
    let mut enter = |at: u32| {
        // Some go on behind the mark that they are led to.
        entered[at as usize] = true;
        entered[at as usize + 1] = true;
    };
    for step in &program.steps {
        match *step {
            Step::If { to, .. } | Step::Else { to } | Step::Again { to, .. } | Step::Next { to, .. } | Step::Back { to } => {
                enter(to)
            }
            Step::Way { to, .. } | Step::Try { to, .. } => enter(to),
            _ => {}
        }
    }
    for entries in &program.entries {
        let turns = entries.opening.iter().chain([&entries.turn]).map(|entry| entry.at);
        turns.chain(entries.after).chain([entries.end]).for_each(&mut enter);
    }
    entered
}
