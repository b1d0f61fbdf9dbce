//! Contests: a game goes in; which lines `most` compare which runs comes out.
//!
//! Runs that come through a line from one start are a contest. The start is the nearest `first` around the line, or that of
//! the turn. All runs of a turn that have a value are in one contest if the `first` around the line, if there is one, stands
//! before all choices since chance has chosen, and there is one such line for the whole turn.

use rustc_hash::FxHashMap as HashMap;

use crate::model::{BlockId, Chooser, Game, Statement};

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    /// Something may have been chosen before.
    chosen: bool,
    /// It may be met several times.
    again: bool,
    /// All runs of the turn that meet a line here share the start of the nearest `first`.
    shared: bool,
}

/// Contests by where they begin and by who takes part. The contest of the whole turn has number 0.
#[derive(Clone, Debug, Default)]
pub struct Contests {
    /// By the first block of a `first`: the contest that it begins.
    pub begun: HashMap<BlockId, u32>,
    /// By the number of a line `most`.
    pub lines: HashMap<u16, u32>,
}

/// The programs of turns.
fn turns(game: &Game) -> impl Iterator<Item = &[Statement]> {
    std::iter::once(&game.turn).chain(&game.opening).map(|program| game.block(program.block))
}

/// Some runs of a turn that have a value do not compete with each other, or a run may have several values: each keeps a log of
/// them. The same of a turn that falls into plies and in which chance chooses, as a contest begins anew behind chance.
pub fn is_logged(game: &Game) -> bool {
    let start = Place { chosen: false, again: false, shared: true };
    let several = || turns(game).any(|program| lines(game, program, start).is_none_or(|lines| lines > 1));
    game.asks.most && (game.asks.plies && game.asks.chance || several())
}

/// Each contest is decided within one continuation: between its start and its lines the turn is not suspended for the sake of
/// plies. Behind chance the contest of the whole turn begins anew.
pub fn contests_are_local(game: &Game) -> bool {
    turns(game).all(|program| lines_are_local(game, program, &mut false))
}

/// `suspended`: the turn may have been suspended since the contest around began.
fn lines_are_local(game: &Game, program: &[Statement], suspended: &mut bool) -> bool {
    program.iter().all(|statement| {
        let is_by_chance = matches!(
            statement,
            Statement::Pick { chooser: Chooser::Chance, .. } | Statement::Either { chooser: Chooser::Chance, .. }
        );
        let before = match statement {
            Statement::Most { .. } if *suspended => return false,
            // A contest of its own begins. If the turn is suspended anywhere within, it may be so before any line.
            Statement::First { .. } => may_suspend(game, statement),
            Statement::Repeat { .. } | Statement::ForEach { .. } => *suspended || may_suspend(game, statement),
            statement => !is_by_chance && (*suspended || suspends(statement)),
        };
        let mut behind = before;
        for block in statement.blocks() {
            let mut within = before;
            if !lines_are_local(game, game.block(block), &mut within) {
                return false;
            }
            behind |= within;
        }
        *suspended = behind || *suspended && !is_by_chance;
        true
    })
}

/// A turn is suspended at the statement for the sake of plies.
fn suspends(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Pick { chooser: Chooser::By(_), .. }
            | Statement::Either { chooser: Chooser::By(_), .. }
            | Statement::Repeat { in_steps: true, .. }
    )
}

/// The same of the statement or one within it.
fn may_suspend(game: &Game, statement: &Statement) -> bool {
    let within = |block: &BlockId| game.block(*block).iter().any(|inner| may_suspend(game, inner));
    suspends(statement) || statement.blocks().iter().any(within)
}

/// How many `most` the runs of one turn may meet, at most: of a `first` they meet one block. `None`: a line has contests
/// beside that of the whole turn, or is met several times.
fn lines(game: &Game, program: &[Statement], mut place: Place) -> Option<u32> {
    let mut met = 0;
    for statement in program {
        let inner = |block, place| lines(game, game.block(block), place);
        match statement {
            Statement::Most { .. } if place.again || !place.shared => return None,
            Statement::Most { .. } => met += 1,
            Statement::First { blocks, .. } => {
                let within = Place { shared: !place.chosen && !place.again, ..place };
                let mut most = 0;
                for (block, _) in blocks {
                    most = most.max(inner(*block, within)?);
                }
                met += most;
            }
            Statement::Either { blocks, .. } => {
                for (block, _) in blocks {
                    met += inner(*block, Place { chosen: true, ..place })?;
                }
            }
            Statement::If { then, otherwise, .. } => {
                met += inner(then.0, place)?;
                if let Some((block, _)) = otherwise {
                    met += inner(*block, place)?;
                }
            }
            Statement::Repeat { body, .. } | Statement::ForEach { body, .. } => {
                met += inner(*body, Place { chosen: true, again: true, ..place })?;
            }
            Statement::Block(block) => met += inner(*block, place)?,
            _ => {}
        }
        place.chosen = match statement {
            // The turn is suspended there: what follows begins anew, with what chance has chosen.
            Statement::Pick { chooser: Chooser::Chance, .. } => false,
            Statement::Either { chooser: Chooser::Chance, .. } => !chooses_nothing(game, statement),
            _ => place.chosen || !chooses_nothing(game, statement),
        };
    }
    Some(met)
}

/// No player chooses in the statement, and nothing is done to a man.
fn chooses_nothing(game: &Game, statement: &Statement) -> bool {
    let inner = |block: &BlockId| game.block(*block).iter().all(|statement| chooses_nothing(game, statement));
    match statement {
        Statement::Assign { .. } | Statement::Remember { .. } | Statement::Need { .. } | Statement::Most { .. } => true,
        Statement::Pick { chooser: Chooser::Chance, .. } => true,
        Statement::Either { chooser: Chooser::Chance, .. } | Statement::If { .. } | Statement::Block(_) => {
            statement.blocks().iter().all(inner)
        }
        _ => false,
    }
}

/// The contests of a game's turns.
pub fn contests(game: &Game) -> Contests {
    let mut found = Contests::default();
    if game.asks.most {
        turns(game).for_each(|program| find_contests(game, program, 0, &mut found));
    }
    found
}

fn find_contests(game: &Game, program: &[Statement], around: u32, found: &mut Contests) {
    for statement in program {
        let mut within = around;
        match statement {
            Statement::Most { id, .. } => drop(found.lines.insert(*id, around)),
            Statement::First { blocks, .. } => {
                within = found.begun.len() as u32 + 1;
                found.begun.extend(blocks.first().map(|(block, _)| (*block, within)));
            }
            _ => {}
        }
        statement.blocks().into_iter().for_each(|block| find_contests(game, game.block(block), within, found));
    }
}
