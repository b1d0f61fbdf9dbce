//! Lowering: a game goes in; its plan comes out: a program of set operations for each seat, or the
//! construct that has no plan yet.
//!
//! Players, directions and everything else that a seat makes constant is folded while lowering;
//! defines are expanded in place.

pub mod ambiguity;
pub mod argmax;
pub mod attack_rays;
pub mod attackers;
pub mod block;
pub mod cardinality;
pub mod carried;
pub mod cell_classes;
pub mod chance;
pub mod choice;
pub mod closure;
pub mod condition;
pub mod constants;
pub mod contests;
pub mod context;
pub mod disjoint;
pub mod end;
pub mod game_facts;
pub mod group_sizes;
pub mod groups;
pub mod line;
pub mod lookup;
pub mod moves;
pub mod number;
pub mod path_overlap;
pub mod pieces;
mod players;
pub mod plies;
pub mod program;
pub mod ray_query;
pub mod repeat;
pub mod routine;
pub mod segments;
pub mod set;
pub mod set_ops;
pub mod specialize;
pub mod stacks;
pub mod statement;
pub mod suspended_rounds;
pub mod value_numbering;
pub mod values;
pub mod vectorize_predicate;

use rustc_hash::FxHashSet as HashSet;

use crate::model::Game;
use crate::plan::lower::cardinality::NameCardinalities;
use crate::plan::lower::contests::contests_are_local;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Lowered, unplanned};
use crate::plan::passes::PassSet;
use crate::plan::tree::{Block, Plan, SeatPlan};

pub use crate::plan::lower::values::Unplanned;

/// The plan of a game.
///
/// # Errors
/// The first construct met that has no plan; the game is then played by the reference executor.
pub fn plan(game: &Game, passes: PassSet) -> Result<Plan, Unplanned> {
    if game.asks.plies && crate::plan::lower::contests::is_logged(game) && !contests_are_local(game) {
        return unplanned(
            "several `most`, or one in rounds or beside chance, of which some compare several plies together",
        );
    }
    if game.topology.directions() > 64 {
        return unplanned("more than 32 lines");
    }
    let (mut carried, mut routines, mut forms) = ((0, 0), HashSet::default(), HashSet::default());
    let (mut cardinalities, mut specializes, mut is_guessed) = (NameCardinalities::default(), true, false);
    loop {
        let mut lowering = Lowering::new(game, passes, carried, &routines)?;
        lowering.continuations.forms.clone_from(&forms);
        lowering.cardinalities = cardinalities;
        lowering.specialization.allowed = specializes;
        let found = lowered(&mut lowering);
        cardinalities = std::mem::take(&mut lowering.cardinalities);
        let used = lowering.continuations.used;
        // An error that a form or a define calls for says nothing of specialization; any other may be due to it.
        let next_is_known = lowering.routines.found.is_some() || lowering.continuations.wanted.is_some();
        let is_in_vain = found.is_err() && lowering.specialization.tried && !next_is_known;
        if cardinalities.begins_anew() {
            specializes &= !is_in_vain;
            continue;
        }
        // Which defines call themselves is known when one is expanded.
        if let (Err(_), Some(define)) = (&found, lowering.routines.found)
            && routines.insert(define)
        {
            continue;
        }
        // Which forms are needed is known when the simpler ones have failed.
        if let (Err(_), Some(form)) = (&found, lowering.continuations.wanted)
            && forms.insert(form)
        {
            // Mostly as much goes along by all forms.
            (carried, is_guessed) = (used, true);
            continue;
        }
        if found.is_err() && lowering.specialization.tried {
            specializes = false;
            continue;
        }
        // How much goes along behind choices by chance is known when all turns are lowered.
        let (seats, shared) = found?;
        if used == carried || !is_guessed && used.0 <= carried.0 && used.1 <= carried.1 {
            return Ok(finished(lowering, seats, shared));
        }
        (carried, is_guessed) = (used, false);
    }
}

/// The programs of all seats; how many registers they share, of sets and of numbers.
fn lowered(lowering: &mut Lowering<'_>) -> Lowered<(Vec<SeatPlan>, (u16, u16))> {
    let game = lowering.game;
    let shared = (lowering.fresh.sets, lowering.fresh.numbers);
    let mut seats = Vec::new();
    for player in game.players() {
        lowering.continuations.lowered.clear();
        lowering.continuations.tried.clear();
        let mut turn = lowering.turn(player, game.turn)?;
        if lowering.cardinalities.has_grown() {
            return Ok((Vec::new(), shared));
        }
        let mut opening =
            game.opening.iter().map(|program| lowering.turn(player, *program)).collect::<Lowered<Vec<_>>>()?;
        let mut continuations = std::mem::take(&mut lowering.continuations.lowered);
        let mut programs: Vec<&mut Block> = std::iter::once(&mut turn).chain(&mut opening).collect();
        lowering.settle_completion(&mut programs, &mut continuations)?;
        let after = lowering.after(player)?;
        let end = lowering.end(player)?;
        let routines = lowering.routines_of(player)?;
        seats.push(SeatPlan { player, turn, opening, continuations, after, end, routines });
    }
    Ok((seats, shared))
}

/// The plan of programs that are lowered.
fn finished(lowering: Lowering<'_>, seats: Vec<SeatPlan>, (shared_sets, shared_numbers): (u16, u16)) -> Plan {
    Plan {
        bitboard: lowering.grid,
        layout: lowering.layout,
        consts: lowering.tables.fixed.into_consts(),
        const_numbers: lowering.tables.const_numbers,
        along: lowering.tables.along,
        flooded: Vec::new(),
        lists: lowering.tables.lists,
        completions: Vec::new(),
        is_bounded: false,
        ray_queries: lowering.tables.trails,
        terminal: lowering.judging,
        dir_vectors: Vec::new(),
        reg_vectors: Vec::new(),
        spans: lowering.tables.places,
        seats,
        shared_sets,
        shared_numbers,
        has_pass: lowering.has_pass,
        argmax: lowering.argmax,
        ambiguity: lowering.in_doubt,
        carry: lowering.continuations.carry(),
        calls: lowering.routines.registers,
    }
}
