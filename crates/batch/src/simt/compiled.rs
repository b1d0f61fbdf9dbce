//! Code generation interface: a program in lock step goes in; functions of machine code come out.
//!
//! The executor only knows these types. Whoever builds a batch hands it a [`CodeGenerator`], so the
//! executor does not depend on the compiler. A call is dispatched once for all lanes of a warp.

use std::fmt::Debug;

use crate::interp::Roles;
use crate::plan::ChoicePoint;
use crate::simd::{Lane8, Simd};
use crate::simt::code::Program;
use crate::simt::kernels::arm_shifts::ArmTables;
use crate::simt::kernels::sets::Steps;
use crate::simt::registers::{LaneMask, LaneRegisters, MOST_WORDS};
use crate::simt::state::exit_report::ExitReport;
use crate::simt::state::sought::{Sought, SoughtOffsets};
use crate::simt::state::status::Status;

/// What a code generator reads beside the program.
pub struct CodeSource<'s> {
    /// Of as many words as sets can have, of which the first count.
    pub steps: &'s Steps<MOST_WORDS>,
    pub roles: &'s Roles,
    pub points: &'s [ChoicePoint],
    /// By merged arms.
    pub arm_tables: &'s [Option<ArmTables>],
    /// Words of a set, and chunks of a warp.
    pub words: usize,
    pub chunks: usize,
    pub sought: SoughtOffsets,
    /// Registers that last from turn to turn: sets and numbers.
    pub shared: (usize, usize),
    /// Numbers of the position.
    pub numbers: usize,
    /// The game asks whether a player can move.
    pub asks_stuck: bool,
    /// The game asks for earlier positions.
    pub asks_past: bool,
}

/// A compiler of programs.
pub trait CodeGenerator {
    /// Number registers that compiled code needs beside those of the program.
    const SPARE_NUMBERS: usize;

    /// Compiles what it can for warps of `K` chunks, and replaces operations that follow one another
    /// by [`SimtOp::Native`](crate::simt::code::SimtOp::Native). `None`: nothing was compiled.
    fn compile<V: Simd, const W: usize, const K: usize>(
        &self,
        v: V,
        program: &mut Program,
        source: &CodeSource<'_>,
    ) -> Option<Compiled<W, K>>;

    /// The machine code that [`CodeGenerator::compile`] makes, function by function. It is only
    /// made, whatever the processor can execute.
    fn emit(&self, program: &Program, source: &CodeSource<'_>) -> Vec<MachineFunction>;
}

/// A function of machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFunction {
    /// What it does: `turn of player 0`.
    pub name: String,
    pub code: Vec<u8>,
}

/// A generator that compiles nothing: programs are interpreted.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
pub struct NoCode;

#[cfg(not(target_arch = "x86_64"))]
impl CodeGenerator for NoCode {
    const SPARE_NUMBERS: usize = 0;

    fn compile<V: Simd, const W: usize, const K: usize>(
        &self,
        _: V,
        _: &mut Program,
        _: &CodeSource<'_>,
    ) -> Option<Compiled<W, K>> {
        None
    }

    fn emit(&self, _: &Program, _: &CodeSource<'_>) -> Vec<MachineFunction> {
        Vec::new()
    }
}

/// The machine code of a program.
#[derive(Debug)]
pub struct Compiled<const W: usize, const K: usize> {
    pub functions: Box<dyn Functions<W, K>>,
    /// By choice.
    pub choices: Vec<ChoiceCode>,
    /// By seat: plays a turn behind the opening.
    pub turns: Vec<Option<TurnCode>>,
}

/// The code of a turn.
#[derive(Clone, Copy, Debug)]
pub struct TurnCode {
    pub function: usize,
    /// It evaluates the end of the game, too.
    pub asks_end: bool,
}

/// The code of a choice.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChoiceCode {
    /// What finds the cells that ranks select, and what draws the ranks first. Behind each stands
    /// what writes the cells to registers.
    pub functions: [Option<usize>; 2],
    /// That does the step back behind the choice, too.
    pub goes_back: bool,
}

/// Functions that can be called. Threads share them: they keep nothing between calls.
pub trait Functions<const W: usize, const K: usize>: Debug + Send + Sync {
    /// Executes a function for the active lanes.
    fn call(&self, function: u32, file: &mut LaneRegisters<W, K>);

    /// Finds for the active lanes what their ranks select. Returns the chunks that are left as they
    /// were, a bit each, and the lanes of the others whose rank is that of no option.
    fn choose(&self, function: usize, file: &mut LaneRegisters<W, K>, drawing: Drawing<'_, W, K>) -> (u64, LaneMask);

    /// Plays a turn of the lanes whose turn it is; the report says what became of them.
    fn play(
        &self,
        turn: TurnCode,
        file: &mut LaneRegisters<W, K>,
        played: Played<'_, W, K>,
        mine: LaneMask,
        report: &mut ExitReport,
    );
}

/// What a choice works on beside registers.
pub struct Drawing<'d, const W: usize, const K: usize> {
    pub statuses: &'d mut [Status; K],
    pub selected_arm: &'d mut [Lane8; K],
    pub sought: &'d mut Sought<W, K>,
}

/// What a turn works on beside registers.
pub struct Played<'p, const W: usize, const K: usize> {
    pub statuses: &'p mut [Status; K],
    /// Sets and numbers as they were when the turn began.
    pub before: (&'p mut [Lane8], &'p mut [Lane8]),
}
