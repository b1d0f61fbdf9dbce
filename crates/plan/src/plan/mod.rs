//! Plan: what a turn, the choices in it and the outcomes come to on sets of cells, as register
//! programs for one seat.
//!
//! A program is a tree of blocks with structured control flow only (`if`, bounded loops, choices),
//! so that the same program can be executed for one game or for many in lock step. Its operations
//! work on two kinds of registers: sets of cells, and numbers (also truths, as 0 and 1, and sets of
//! directions, as bits). The first registers are the position itself.

pub mod analysis;
pub mod annotation;
pub mod bitboard;
pub mod code;
pub mod codegen;
pub mod combine;
pub mod control_flow;
pub mod dir_vector;
pub mod disasm;
pub mod embed_graph;
pub mod flatten;
pub mod lower;
pub mod map_regs;
pub mod op;
pub mod operands;
pub mod opt;
pub mod passes;
pub mod ray_query;
pub mod regs;
pub mod text;
pub mod tree;
pub mod tuning;
pub mod verify;
pub mod vregs;
pub mod wording;

pub use crate::plan::analysis::count_bound::domain::{CountBound, Size, Term};
pub use crate::plan::annotation::Annotation;
pub use crate::plan::bitboard::{BitboardLayout, Bits, MAX_WORDS, MaskedShift, NOWHERE};
pub use crate::plan::code::{
    Alternatives, ArmClass, ArmTarget, AttackFilter, BoardFacts, Cells, ChoicePoint, Code, EarlyReject, EntryPoints,
    FusedCode, Quads, REGISTERS, RegLayout, TooManyRegisters,
};
pub use crate::plan::codegen::linearize::linearize;
pub use crate::plan::dir_vector::{DirVector, MAX_SLOTS, VecBinaryOp, row_size};
pub use crate::plan::disasm::print;
pub use crate::plan::lower::{Unplanned, plan};
pub use crate::plan::op::{Cmp, CodeOp, FusedOp, LinearOp, Stage, TreeOp};
pub use crate::plan::opt::{OptError, opt, pass_names};
pub use crate::plan::tuning::PASS_STACK_BYTES;
pub use crate::plan::verify::{Fault, Malformed, verify_code, verify_plan, verify_tables};

pub use crate::plan::passes::{Pass, PassSet};
pub use crate::plan::ray_query::RayQuery;
pub use crate::plan::regs::{Access, NumReg, SetReg, SpanId};
pub use crate::plan::text::code::print_code;
pub use crate::plan::text::parse::{parse_code, parse_plan, print_plan};
pub use crate::plan::text::scanner::ParseError;
pub use crate::plan::tree::{
    Ambiguity, Argmax, Arm, Away, Block, Calls, Carry, Completion, Continuation, KindSet, MAX_ARGUMENTS, Node, Options,
    Plan, PositionLayout, Routine, SeatPlan, Stacks, StateCell, TerminalRegs, binomial,
};
