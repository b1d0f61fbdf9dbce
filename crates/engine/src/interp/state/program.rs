//! Program: linear code and a plan go in; code with all tables that it runs on comes out.

use std::sync::{Arc, OnceLock};

use crate::board::Dir;
use crate::interp::cell_choices::{CellChoices, cell_choices};
use crate::interp::counted_writes::CountedWrites;
use crate::interp::dir_vector::DirVectorTable;
use crate::interp::state::routine_table::RoutineTable;
use crate::interp::state::stack_table::StackTable;
use crate::interp::state::visited::{LoopCounters, counters_around};
use crate::interp::tables::Tables;
use crate::interp::tables::attacks::AttackTable;
use crate::plan::{Carry, Code, FusedCode, FusedOp, NumReg, PassSet, Plan, SetReg, SpanId, Stacks, StateCell};
use crate::source::{Site, Span};

/// A program with the tables it runs on: shared by all threads.
#[derive(Clone, Debug)]
pub struct Program<const W: usize> {
    pub code: Arc<FusedCode>,
    pub tables: Arc<Tables<W>>,
    pub dir_vectors: Arc<Vec<DirVectorTable<W>>>,
    /// Registers of men that go with a man: owners, kinds, marks.
    pub per_piece_sets: Vec<usize>,
    pub owners: Vec<usize>,
    pub neutral: Option<usize>,
    pub shared_regs: (usize, usize),
    pub position_regs: (usize, usize),
    pub spans: Vec<Site>,
    /// The turn, as its author wrote it.
    pub turn: Span,
    pub forwards: Vec<Option<Dir>>,
    pub has_pass: bool,
    /// Turns fall into plies, and may be a pass: whether one is, its last ply tells.
    pub has_pass_in_plies: bool,
    /// Turns, or what ages behind them, depend on positions before.
    pub asks_history: bool,
    /// Outcomes ask whether players can move.
    pub asks_stuck: bool,
    /// Some ply asks whether its turn can be completed behind it.
    pub looks_ahead: bool,
    pub terminal: crate::plan::TerminalRegs,
    pub argmax: Option<crate::plan::Argmax>,
    /// Turns are suspended.
    pub carry: Option<Carry>,
    /// Of each seat: which continuations chance chooses.
    pub is_by_chance: Arc<[Box<[bool]>]>,
    /// Registers that `times` compares: men, and the compared rest of the position.
    pub compared_sets: Vec<usize>,
    pub compared_numbers: Vec<usize>,
    pub piece_sets: Vec<usize>,
    pub attacks: Arc<AttackTable<W>>,
    /// Conditions that call themselves.
    pub routines: Option<Arc<RoutineTable>>,
    /// Men that stand on each other.
    pub stacks: Option<Arc<StackTable>>,
    pub cell_choices: CellChoices,
    pub counted_writes: Arc<CountedWrites>,
    /// Of each choice: the counters of the loops around it, if some rounds are not written.
    pub counters: Option<Arc<[LoopCounters]>>,
}

/// A program, with what only records choices and without.
pub struct Programs<const W: usize> {
    pub optimized: Arc<Program<W>>,
    pub annotated: OnceLock<Arc<Program<W>>>,
    pub made_from: (Arc<Plan>, Arc<Code>, PassSet),
}

/// Which registers play which part, whatever their width.
#[derive(Clone, Debug)]
pub struct Roles {
    pub per_piece_sets: Vec<usize>,
    pub owners: Vec<usize>,
    pub neutral: Option<usize>,
    pub compared_sets: Vec<usize>,
    pub compared_numbers: Vec<usize>,
    pub piece_sets: Vec<usize>,
}

impl Roles {
    pub fn new(plan: &Plan, game: &crate::model::Game) -> Roles {
        let index = |reg: &SetReg| usize::from(reg.0);
        let owners: Vec<usize> = plan.layout.of.iter().map(index).collect();
        let neutral = plan.layout.neutral.as_ref().map(index);
        let stacks = plan.layout.stacks.into_iter().flat_map(Stacks::all).map(|reg| usize::from(reg.0));
        let pieces: Vec<usize> = plan.layout.owners_and_kinds().map(|reg| index(&reg)).collect();
        let compared_men: Vec<usize> = pieces.iter().copied().chain(stacks).collect();
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
            per_piece_sets: pieces.iter().copied().chain(marks).collect(),
            owners,
            neutral,
            compared_sets: compared_men.iter().copied().chain(compared.0).collect(),
            compared_numbers: hands.chain(compared.1).collect(),
            piece_sets: compared_men,
        }
    }
}

impl<const W: usize> Program<W> {
    pub fn new(plan: &Plan, code: FusedCode, game: &crate::model::Game) -> Program<W> {
        let roles = Roles::new(plan, game);
        let routines = plan.seats.iter().flat_map(|seat| &seat.routines);
        let defines: Vec<SpanId> = routines.map(|routine| routine.place).collect();
        Program {
            dir_vectors: Arc::new(
                plan.dir_vectors.iter().map(|fan| DirVectorTable::new(fan, &plan.bitboard)).collect(),
            ),
            tables: Arc::new(Tables::new(plan, &game.topology)),
            per_piece_sets: roles.per_piece_sets,
            owners: roles.owners,
            neutral: roles.neutral,
            shared_regs: (usize::from(plan.shared_sets), usize::from(plan.shared_numbers)),
            position_regs: (usize::from(plan.layout.sets), usize::from(plan.layout.numbers)),
            spans: plan.spans.clone(),
            turn: game.turn.span,
            forwards: game.seats.iter().map(|seat| seat.forward).collect(),
            has_pass: plan.has_pass,
            has_pass_in_plies: plan.has_pass && game.asks.plies,
            asks_history: asks_history(&code),
            asks_stuck: code.code.iter().any(|op| matches!(op, FusedOp::Stuck { .. })),
            looks_ahead: code.code.iter().any(|op| matches!(op, FusedOp::CanComplete { .. })),
            terminal: plan.terminal,
            argmax: plan.argmax,
            carry: plan.carry,
            is_by_chance: plan
                .seats
                .iter()
                .map(|seat| seat.continuations.iter().map(|one| one.chance).collect())
                .collect(),
            compared_sets: roles.compared_sets,
            compared_numbers: roles.compared_numbers,
            piece_sets: roles.piece_sets,
            routines: plan.calls.map(|calls| Arc::new(RoutineTable::new(calls, &code, &defines, game.topology.len()))),
            cell_choices: cell_choices(&code),
            counted_writes: Arc::new(CountedWrites::new(
                &code,
                &plan.layout.men(),
                (plan.shared_sets, plan.shared_numbers),
            )),
            counters: counters_around(&code).map(Arc::from),
            code: Arc::new(code),
            attacks: Arc::default(),
            stacks: StackTable::new(&plan.layout).map(Arc::new),
        }
    }

    /// Where the author wrote the innermost loop whose code holds this place.
    pub fn loop_around(&self, pc: u32) -> Option<Site> {
        self.code.code[pc as usize..].iter().find_map(|op| match op {
            FusedOp::LoopBack { place, to, .. } if *to <= pc => Some(self.place(*place)),
            _ => None,
        })
    }

    pub fn place(&self, place: SpanId) -> Site {
        self.spans.get(usize::from(place.0)).copied().unwrap_or_default()
    }
}

/// Turns, or what ages behind them, depend on positions before.
fn asks_history(code: &FusedCode) -> bool {
    let asks = |op: &FusedOp| {
        matches!(
            op,
            FusedOp::PieceRepetitions { .. }
                | FusedOp::PositionRepetitions { .. }
                | FusedOp::PositionRepetitionsBehind { .. }
                | FusedOp::Cycle { .. }
                | FusedOp::CycleBehind { .. }
        )
    };
    let program = |entry: u32| code.code[entry as usize..].iter().take_while(|op| **op != FusedOp::End).any(asks);
    code.entries.iter().any(|seat| seat.turns().chain([seat.after]).any(program))
}
