//! Preparation: an engine goes in; a program for lock step that all threads share comes out, or
//! what keeps the game from lock step.

use std::sync::Arc;

use crate::interp::{Engine, Roles, Tables};
use crate::plan::{Code, LinearOp, RegLayout};
#[cfg(lusoria_avx2)]
use crate::simd::Avx2;
#[cfg(lusoria_avx512)]
use crate::simd::Avx512;
use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::code::Program;
use crate::simt::compiled::{CodeGenerator, CodeSource, MachineFunction};
use crate::simt::interface::{Batch, Fit, Instructions, LockStep, MOST_LANES, Prepared, Unbatched};
use crate::simt::kernels::arm_shifts::{ArmTables, MergedArms};
use crate::simt::kernels::sets::Steps;
use crate::simt::registers::{LaneRegisters, MOST_WORDS};
use crate::simt::scheduler::Scheduler;
use crate::simt::state::shared::Shared;
use crate::simt::state::sought::Sought;
use crate::simt::step::SteppedWarp;
use crate::simt::tuning::DEFAULT_LANES;

/// Asks whether a game fits lock step, and how well. Nothing is compiled for that.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn fits(engine: &Engine) -> Result<Fit, Unbatched> {
    if Instructions::available().is_empty() {
        return Err(Unbatched::NoVectors);
    }
    match engine.plan().bitboard.words {
        1 => Lowered::<1>::new(engine).map(Lowered::fit),
        2 => Lowered::<2>::new(engine).map(Lowered::fit),
        3 => Lowered::<3>::new(engine).map(Lowered::fit),
        4 | 6 => Lowered::<6>::new(engine).map(Lowered::fit),
        _ => Err(TOO_MANY_CELLS),
    }
}

const TOO_MANY_CELLS: Unbatched = Unbatched::Has("a board of more than 384 cells");

/// Prepares a game for these instructions, or for narrower ones where the processor lacks them. The
/// games go the same way. There is no lock step by single words: the scalar executor is as fast.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn prepare<G: CodeGenerator>(
    engine: &Engine,
    by: Instructions,
    generator: &G,
) -> Result<Arc<dyn Prepared>, Unbatched> {
    #[cfg(lusoria_avx512)]
    if let (Instructions::Avx512, Some(v)) = (by, Avx512::try_new()) {
        return prepare_for::<_, _, 8, 8>(v, engine, generator);
    }
    #[cfg(lusoria_avx2)]
    if let (Instructions::Avx512 | Instructions::Avx2, Some(v)) = (by, Avx2::try_new()) {
        return prepare_for::<_, _, 8, 4>(v, engine, generator);
    }
    let _ = (engine, by, generator);
    Err(Unbatched::NoVectors)
}

/// Warps of `NARROW` chunks where sets have one or two words, of `WIDE_SETS` where they have more.
#[cfg(target_arch = "x86_64")]
fn prepare_for<V: Simd, G: CodeGenerator, const NARROW: usize, const WIDE_SETS: usize>(
    v: V,
    engine: &Engine,
    generator: &G,
) -> Result<Arc<dyn Prepared>, Unbatched> {
    // Unit tests play no game, so that they need not wait for the code of each width.
    match engine.plan().bitboard.words {
        1 => Ok(Ready::<V, 1, NARROW>::prepared(v, Lowered::new(engine)?, engine, generator)),
        #[cfg(not(test))]
        2 => Ok(Ready::<V, 2, NARROW>::prepared(v, Lowered::new(engine)?, engine, generator)),
        #[cfg(not(test))]
        3 => Ok(Ready::<V, 3, WIDE_SETS>::prepared(v, Lowered::new(engine)?, engine, generator)),
        #[cfg(not(test))]
        4 | 6 => Ok(Ready::<V, 6, WIDE_SETS>::prepared(v, Lowered::new(engine)?, engine, generator)),
        _ => Err(TOO_MANY_CELLS),
    }
}

/// A program whatever the instructions.
struct Lowered<const W: usize> {
    linked: Code,
    steps: Steps<W>,
    roles: Roles,
    program: Program,
}

impl<const W: usize> Lowered<W> {
    fn new(engine: &Engine) -> Result<Lowered<W>, Unbatched> {
        if engine.game().asks.plies && engine.has_continuations() {
            return Err(Unbatched::Has("turns that fall into plies"));
        }
        let plan = engine.plan();
        if plan.has_cyclic_continuations() {
            return Err(Unbatched::Has("rounds in which chance chooses"));
        }
        if plan.layout.stacks.is_some() {
            return Err(Unbatched::Has("men that stand on each other"));
        }
        if plan.calls.is_some() {
            return Err(Unbatched::Has("conditions that call themselves"));
        }
        if let Some(ambiguity) = plan.ambiguity {
            return Err(Unbatched::Has(ambiguity.why));
        }
        if plan.argmax.is_some() {
            return Err(Unbatched::Has("`most`, so that all turns are gone through"));
        }
        let judging = [plan.terminal.history, plan.terminal.draws];
        let (shared, position) = ((plan.shared_sets, plan.shared_numbers), (plan.layout.sets, plan.layout.numbers));
        let linked = engine.code().optimized_structured(RegLayout { shared, position, terminal: judging, value: None });
        let steps = Steps::<W>::new(plan);
        let cut_sets = |op: &LinearOp| match *op {
            LinearOp::RayQuery { trail, .. } => steps.trails[usize::from(trail)].cuts_along(),
            LinearOp::InLine { trail, .. } => steps.trails[usize::from(trail)].cuts_across(),
            _ => 0,
        };
        let ways = |trail: u16, fan: u16| steps.ways_back(trail, fan);
        let roles = Roles::new(plan, engine.game());
        let program = Program::new(&linked, &plan.bitboard.hops, (shared, &roles.per_piece_sets), cut_sets, ways)?;
        Ok(Lowered { linked, steps, roles, program })
    }

    fn fit(self) -> Fit {
        Fit { slow: self.program.slow }
    }

    fn merged_arms(&self) -> Vec<MergedArms<W>> {
        self.program.along.iter().map(|along| MergedArms::new(along, &self.steps)).collect()
    }

    /// What a code generator reads beside the program.
    fn source<'s, const K: usize>(&'s self, engine: &Engine, tables: &'s CodeTables) -> CodeSource<'s> {
        let (plan, asks) = (engine.plan(), engine.game().asks);
        CodeSource {
            steps: &tables.steps,
            roles: &self.roles,
            points: &self.linked.points,
            arm_tables: &tables.arms,
            words: W,
            chunks: K,
            sought: Sought::<W, K>::OFFSETS,
            shared: (usize::from(plan.shared_sets), usize::from(plan.shared_numbers)),
            numbers: usize::from(plan.layout.numbers),
            asks_stuck: self.linked.code.iter().any(|op| matches!(op, LinearOp::Stuck { .. })),
            asks_past: asks.times_pieces || asks.times_position,
        }
    }

    fn emit<G: CodeGenerator, const K: usize>(
        engine: &Engine,
        generator: &G,
    ) -> Result<Vec<MachineFunction>, Unbatched> {
        let lowered = Lowered::<W>::new(engine)?;
        let tables = CodeTables::new(engine, &lowered.merged_arms());
        Ok(generator.emit(&lowered.program, &lowered.source::<K>(engine, &tables)))
    }
}

/// Tables for a code generator, which has one version for sets of any width.
struct CodeTables {
    steps: Steps<MOST_WORDS>,
    arms: Vec<Option<ArmTables>>,
}

impl CodeTables {
    fn new<const W: usize>(engine: &Engine, merged_arms: &[MergedArms<W>]) -> CodeTables {
        CodeTables { steps: Steps::new(engine.plan()), arms: merged_arms.iter().map(MergedArms::tables).collect() }
    }
}

/// The machine code of a game for warps of 64 lanes, whatever the processor can execute.
///
/// # Errors
/// What keeps the game from being played in lock step.
pub fn emit<G: CodeGenerator>(engine: &Engine, generator: &G) -> Result<Vec<MachineFunction>, Unbatched> {
    match engine.plan().bitboard.words {
        1 => Lowered::<1>::emit::<G, 8>(engine, generator),
        2 => Lowered::<2>::emit::<G, 8>(engine, generator),
        3 => Lowered::<3>::emit::<G, 8>(engine, generator),
        4 | 6 => Lowered::<6>::emit::<G, 8>(engine, generator),
        _ => Err(TOO_MANY_CELLS),
    }
}

/// A game that is ready, with the token of the processor that it is played by.
struct Ready<V, const W: usize, const K: usize> {
    v: V,
    shared: Arc<Shared<W, K>>,
}

impl<V: Simd, const W: usize, const K: usize> Ready<V, W, K> {
    fn prepared<G: CodeGenerator>(v: V, lowered: Lowered<W>, engine: &Engine, generator: &G) -> Arc<dyn Prepared> {
        // As many words as `words!` writes out, and lanes as a mask has bits.
        const { assert!(W <= MOST_WORDS && K * WIDE <= u64::BITS as usize) };
        let merged_arms = lowered.merged_arms();
        let mut program = lowered.program.clone();
        let tables = CodeTables::new(engine, &merged_arms);
        let compiled = generator.compile::<V, W, K>(v, &mut program, &lowered.source::<K>(engine, &tables));
        let Lowered { linked, steps, roles, .. } = lowered;
        let (plan, game) = (engine.plan(), engine.game());
        let mut registers = LaneRegisters::<W, K>::new(G::SPARE_NUMBERS);
        for (reg, bits) in &linked.consts {
            registers.sets[usize::from(reg.0)] = [std::array::from_fn(|word| Lane8::all(bits.0[word])); K];
        }
        for (reg, number) in &linked.const_numbers {
            registers.numbers[usize::from(reg.0)] = [Lane8::all(*number as u64); K];
        }
        let persistent = (usize::from(plan.shared_sets), usize::from(plan.shared_numbers));
        let position_numbers = usize::from(plan.layout.numbers);
        let shared = Shared {
            engine: engine.clone(),
            program,
            linked,
            compiled,
            steps,
            tables: Tables::new(plan, &game.topology),
            merged_arms,
            roles,
            forwards: game.seats.iter().map(|seat| seat.forward).collect(),
            persistent,
            set_words: plan.bitboard.words,
            position_numbers,
            carry: plan.carry,
            registers,
        };
        Arc::new(Ready { v, shared: Arc::new(shared) })
    }
}

impl<V: Simd, const W: usize, const K: usize> Prepared for Ready<V, W, K> {
    fn batch(self: Arc<Self>, lanes: Option<usize>) -> Box<dyn Batch> {
        let all = lanes.unwrap_or(DEFAULT_LANES).clamp(1, MOST_LANES);
        Box::new(Scheduler::new(self.v, &self.shared, all, lanes.is_none()))
    }

    fn lock_step(&self) -> Option<Box<dyn LockStep>> {
        SteppedWarp::new(self.v, &self.shared).map(|warp| Box::new(warp) as Box<dyn LockStep>)
    }

    fn compiles_turns(&self) -> bool {
        let asks_end = |turn: &Option<_>| matches!(turn, Some(crate::simt::compiled::TurnCode { asks_end: true, .. }));
        self.shared.compiled.as_ref().is_some_and(|compiled| compiled.turns.iter().all(asks_end))
    }
}
