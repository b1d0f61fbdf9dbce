//! JIT compiler: lane code goes in; machine code of whole turns, and of stretches that only
//! compute, comes out, where the processor has AVX-512.
//!
//! A step that is carried out by itself loads what it computes with and stores what it makes, for
//! each chunk. Code for several of them keeps sets in vector registers and stores only what is
//! wanted behind it.

pub mod asm;
pub mod branches;
pub mod choice;
pub mod choice_draw;
pub mod code_page;
pub mod exit;
pub mod exits;
pub mod isel;
pub mod kernels;
pub mod loops;
pub mod regalloc;
#[cfg(test)]
mod tests;
pub mod tuning;
pub mod turn_fn;

use crate::board::Player;
use crate::jit::choice::{Back, Chosen, SPARES};
use crate::jit::code_page::{Bounds, CodePage, File};
use crate::jit::isel::{Board, Isel};
use crate::jit::regalloc::Value;
use crate::jit::turn_fn::TurnFn;
use crate::plan::{ChoicePoint, NumReg, REGISTERS, SetReg};
use crate::simd::Simd;
use crate::simt::code::{ASIDE, Program, SimtOp};
use crate::simt::compiled::{
    ChoiceCode, CodeGenerator, CodeSource, Compiled, Drawing, Functions, MachineFunction, Played, TurnCode,
};
use crate::simt::kernels::arm_shifts::ArmTables;
use crate::simt::registers::{LaneMask, LaneRegisters};
use crate::simt::sample::weights::Kind;
use crate::simt::state::exit_report::ExitReport;

/// A code generator for processors with AVX-512.
#[derive(Clone, Copy, Debug)]
pub struct Jit;

impl CodeGenerator for Jit {
    const SPARE_NUMBERS: usize = SPARES;

    /// `None`: there is nothing to compile, no memory for code, or another processor than code is
    /// made for; whoever has a `V` with [`Simd::NATIVE`] has such a one.
    fn compile<V: Simd, const W: usize, const K: usize>(
        &self,
        _: V,
        program: &mut Program,
        source: &CodeSource<'_>,
    ) -> Option<Compiled<W, K>> {
        if !V::NATIVE {
            return None;
        }
        let Emitted { code, starts, constants, placed, choices, turns } = Emitted::new(program, source);
        if starts.is_empty() {
            return None;
        }
        let shared = source.shared;
        let bounds = Bounds {
            sets: (REGISTERS + ASIDE) * K * W,
            numbers: (REGISTERS + SPARES) * K,
            chunks: K,
            words: W,
            before: (shared.0 * K * W, shared.1 * K),
        };
        let page = CodePage::new(&code, starts, constants, bounds)?;
        // Only now it is sure that there is code.
        for (at, function, to) in placed {
            program.steps[at] = SimtOp::Native { function, to };
        }
        Some(Compiled { functions: Box::new(page), choices, turns })
    }

    fn emit(&self, program: &Program, source: &CodeSource<'_>) -> Vec<MachineFunction> {
        Emitted::new(program, source).functions()
    }
}

/// Machine code, not yet in memory that can be executed.
struct Emitted {
    code: Vec<u8>,
    /// Where each function begins.
    starts: Vec<usize>,
    constants: Vec<u64>,
    /// Stretches of operations: where they stand, their function, and what stands behind.
    placed: Vec<(usize, u32, u32)>,
    choices: Vec<ChoiceCode>,
    turns: Vec<Option<TurnCode>>,
}

impl Emitted {
    fn new(program: &Program, source: &CodeSource<'_>) -> Emitted {
        let &CodeSource { steps, roles, points, arm_tables, shared, words, chunks, sought, .. } = source;
        let board = Board { steps, roles, words, chunks, sought };
        let (mut lowering, mut starts) = (Isel::new(&board), Vec::new());
        let mut placed = Vec::new();
        for (from, until) in stretches(program, &mut lowering) {
            let live = &program.live[until];
            let wanted = |held| match held {
                Value::Word(reg, _) => usize::from(reg) < shared.0 || live.has_set(SetReg(reg)),
                Value::Number(reg) => usize::from(reg) < shared.1 || live.has_number(NumReg(reg)),
                Value::Spare(_) | Value::Status(_) => false,
            };
            if let Some(start) = lowering.function(&program.steps[from..until], wanted) {
                placed.push((from, starts.len() as u32, until as u32));
                starts.push(start);
            }
        }
        let choice =
            |(number, point)| compile_choice(&mut lowering, &mut starts, (program, arm_tables), (number, point));
        let choices = points.iter().enumerate().map(choice).collect();
        let turns =
            (0..program.entries.len()).map(|seat| compile_turn(&mut lowering, &mut starts, program, (source, seat)));
        let turns = turns.collect();
        Emitted { code: lowering.code.0, starts, constants: lowering.constants, placed, choices, turns }
    }

    /// The code of each function, with what it does.
    fn functions(&self) -> Vec<MachineFunction> {
        let mut names = vec![String::new(); self.starts.len()];
        for (at, function, to) in &self.placed {
            names[*function as usize] = format!("operations {at} to {to}");
        }
        for (index, choice) in self.choices.iter().enumerate() {
            for (function, what) in choice.functions.iter().zip(["find", "draw"]) {
                if let Some(function) = *function {
                    names[function] = format!("choice {index}, {what}");
                    names[function + 1] = format!("choice {index}, {what}, write");
                }
            }
        }
        for (seat, turn) in self.turns.iter().enumerate() {
            turn.iter().for_each(|turn| names[turn.function] = format!("turn of player {seat}"));
        }
        let ends = self.starts[1..].iter().copied().chain([self.code.len()]);
        let code = self.starts.iter().zip(ends).map(|(start, end)| self.code[*start..end].to_vec());
        names.into_iter().zip(code).map(|(name, code)| MachineFunction { name, code }).collect()
    }
}

impl<const W: usize, const K: usize> Functions<W, K> for CodePage {
    fn call(&self, function: u32, file: &mut LaneRegisters<W, K>) {
        let chunks = file.on.chunk_bits();
        CodePage::call(self, function as usize, registers(file), chunks);
    }

    fn choose(&self, function: usize, file: &mut LaneRegisters<W, K>, drawing: Drawing<'_, W, K>) -> (u64, LaneMask) {
        let chunks = file.on.chunk_bits();
        let (left, lost) = CodePage::choose(self, function, (registers(file), drawing), chunks);
        (left, LaneMask::of_chunks(lost))
    }

    fn play(
        &self,
        turn: TurnCode,
        file: &mut LaneRegisters<W, K>,
        played: Played<'_, W, K>,
        mine: LaneMask,
        report: &mut ExitReport,
    ) {
        CodePage::play(self, turn.function, (registers(file), played), report, mine.chunk_bits());
    }
}

/// What functions work on.
#[inline(always)]
fn registers<const W: usize, const K: usize>(file: &mut LaneRegisters<W, K>) -> File<'_> {
    let LaneRegisters { sets, numbers, masks, .. } = file;
    let (sets, numbers) = (sets.as_flattened_mut().as_flattened_mut(), numbers.as_flattened_mut());
    File { sets, numbers, meant: masks }
}

/// Steps that have code and follow one another, none but the first of them come to from elsewhere:
/// where they begin, and what stands behind.
fn stretches(program: &Program, lowering: &mut Isel<'_>) -> Vec<(usize, usize)> {
    let entered = entered(program);
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for (at, step) in program.steps.iter().enumerate() {
        if lowering.has_code(step) {
            match stretches.last_mut().filter(|(_, until)| *until == at && !entered[at]) {
                Some((_, until)) => *until += 1,
                None => stretches.push((at, at + 1)),
            }
        }
    }
    stretches
}

/// The code of a turn. What is asked at the end has none where it may ask what a position was
/// before: turns are noted first.
fn compile_turn(
    lowering: &mut Isel<'_>,
    starts: &mut Vec<usize>,
    program: &Program,
    (source, seat): (&CodeSource<'_>, usize),
) -> Option<TurnCode> {
    let entries = &program.entries[seat];
    // Whether a turn is over is found out behind each of its parts.
    if !entries.continuations.is_empty() {
        return None;
    }
    let next = if seat + 1 < program.entries.len() { seat + 1 } else { 0 };
    let mut turn_fn = TurnFn {
        program,
        points: source.points,
        arm_tables: source.arm_tables,
        shared: source.shared,
        numbers: source.numbers,
        entry: &entries.turn,
        after: entries.after,
        end: entries.end,
        asks_end: !source.asks_past,
        mover: Player(seat as u8),
        next: Player(next as u8),
        asks_stuck: source.asks_stuck,
    };
    let mut start = lowering.turn_fn(&turn_fn);
    if start.is_none() && turn_fn.asks_end {
        turn_fn.asks_end = false;
        start = lowering.turn_fn(&turn_fn);
    }
    starts.push(start?);
    Some(TurnCode { function: starts.len() - 1, asks_end: turn_fn.asks_end })
}

/// The code of a choice, whose functions join the others.
fn compile_choice(
    lowering: &mut Isel<'_>,
    starts: &mut Vec<usize>,
    (program, arm_tables): (&Program, &[Option<ArmTables>]),
    (number, point): (usize, &ChoicePoint),
) -> ChoiceCode {
    let Some(chosen) = chosen_at(program, number, arm_tables) else { return ChoiceCode::default() };
    let kind = Kind::new(point, program.needs_arm[number]);
    let functions = [false, true].map(|draws| {
        // Where all lanes draw that come to a choice behind which nothing fails, nobody else has a
        // cell.
        let blend = chosen.blend || !draws || !point.infallible;
        let choice = lowering.choice(point, (kind, draws))?;
        let landing = lowering.landing(Chosen { blend, ..chosen })?;
        starts.extend([choice, landing]);
        Some(starts.len() - 2)
    });
    ChoiceCode { functions, goes_back: chosen.back.is_some() }
}

/// Where the cells of a choice are put, if it is made in one place and all its arms put them in
/// one.
fn chosen_at(program: &Program, number: usize, arm_tables: &[Option<ArmTables>]) -> Option<Chosen> {
    let steps = program.steps.iter().enumerate();
    let mut choices =
        steps.filter(|(_, step)| matches!(**step, SimtOp::Choose { point, .. } if point as usize == number));
    let (at, &SimtOp::Choose { cell: Some(cell), blend, .. }) = choices.next()? else { return None };
    if choices.next().is_some() {
        return None;
    }
    let back = match program.steps.get(at + 1) {
        Some(&SimtOp::MergedShift { index }) => {
            let way = &program.along[index as usize];
            let tables = arm_tables[index as usize].filter(|_| way.until.is_none() && way.a == cell);
            tables.map(|tables| Back { d: way.d, first: way.first, tables })
        }
        _ => None,
    };
    Some(Chosen { cell, blend, back })
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
            SimtOp::If { to, .. }
            | SimtOp::Else { to }
            | SimtOp::Again { to, .. }
            | SimtOp::Next { to, .. }
            | SimtOp::Back { to } => enter(to),
            SimtOp::Way { to, .. } | SimtOp::Try { to, .. } => enter(to),
            _ => {}
        }
    }
    for entries in &program.entries {
        let turns = entries.opening.iter().chain(&entries.continuations).chain([&entries.turn]).map(|entry| entry.at);
        turns.chain(entries.after).chain([entries.end]).for_each(&mut enter);
    }
    entered
}
