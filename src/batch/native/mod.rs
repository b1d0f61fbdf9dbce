//! Steps of a program go in; those that follow one another and only compute come out as machine code, where the processor has AVX-512.
//!
//! A step that is carried out by itself loads what it computes with and stores what it makes, for each chunk. Code for several of them keeps
//! sets in vector registers and stores only what is wanted behind it.

mod choose;
mod encode;
mod lower;
mod page;
#[cfg(test)]
mod tests;

use super::lanes::{self, Mask};
use super::program::{ASIDE, Program, Step};
use super::sets::Steps;
use super::weigh::Kind;
use crate::engine::Roles;
use crate::ir::{N, Op, Point, REGISTERS, S};
pub use choose::SPARES;
use lower::{Board, Held, Lowering};
pub use page::Drawing;
use page::{Bounds, File, Page};

/// The machine code of a program.
#[derive(Debug)]
pub struct Native {
    page: Page,
    /// By choice: the function that finds what numbers fall to, and the one that draws them first.
    choices: Vec<[Option<usize>; 2]>,
}

impl Native {
    /// Lets steps of a program be carried out by machine code, for groups of so many chunks; the processor has AVX-512. `None`: there is nothing
    /// to compile, or no memory for code.
    pub fn compile<const W: usize, const K: usize>(
        program: &mut Program,
        (steps, roles, points): (&Steps<W>, &Roles, &[Point]),
        shared: (usize, usize),
    ) -> Option<Native> {
        let board = Board { steps, roles, chunks: K };
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
                Held::Spare(_) => false,
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
        let choices = points.iter().zip(&program.told).map(|(point, told)| {
            let kind = Kind::new(point, *told);
            [false, true].map(|draws| {
                let start = lowering.choice::<K>(point, kind, draws)?;
                starts.push(start);
                Some(starts.len() - 1)
            })
        });
        let choices = choices.collect();
        if starts.is_empty() {
            return None;
        }
        let bounds = Bounds { sets: (REGISTERS + ASIDE) * K * W, numbers: (REGISTERS + SPARES) * K, chunks: K, words: W };
        let page = Page::new(&lowering.code.0, starts, lowering.constants, bounds)?;
        Some(Native { page, choices })
    }

    /// Carries out a function for the lanes that are meant.
    #[inline(always)]
    pub fn call<const W: usize, const K: usize>(&self, function: u32, file: &mut lanes::File<W, K>) {
        let chunks = file.on.chunk_bits();
        self.page.call(function as usize, registers(file), chunks);
    }

    /// The function for a choice, where lanes draw numbers or not.
    #[inline(always)]
    pub fn choice(&self, point: u32, draws: bool) -> Option<usize> {
        self.choices[point as usize][usize::from(draws)]
    }

    /// Finds for the lanes that are meant what their numbers fall to. Tells which chunks are left as they were, and which lanes of the others have
    /// the number of no option.
    #[inline(always)]
    pub fn choose<const W: usize, const K: usize>(
        &self,
        function: usize,
        (file, drawing): (&mut lanes::File<W, K>, Drawing<'_, W, K>),
    ) -> (u64, Mask) {
        let chunks = file.on.chunk_bits();
        let (left, lost) = self.page.choose(function, (registers(file), drawing), chunks);
        (left, Mask::of_chunks(lost))
    }
}

#[inline(always)]
fn registers<const W: usize, const K: usize>(file: &mut lanes::File<W, K>) -> File<'_> {
    let lanes::File { sets, numbers, masks, .. } = file;
    let (sets, numbers) = (sets.as_flattened_mut().as_flattened_mut(), numbers.as_flattened_mut());
    File { sets, numbers, meant: masks }
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
