//! Stuck analysis: a game's turn and its outcomes go in; whether a player may come to stand without
//! a turn and without an outcome comes out. He surely cannot where something is left to choose from
//! as long as no outcome has ended the game, and nothing behind that can fail.

use crate::board::{CellSet, Dir, DirSet};
use crate::check::Checker;
use crate::model::{
    BlockId, Call, Cells, Choice, Chooser, Dirs, Expr, Item, Landing, Man, Number, Outcome, Path, Place, Players,
    Program, Slot, Statement, Times, Truth,
};

/// Defines within each other that are looked through; a truth may ask itself.
const NEST: u32 = 4;

impl<'a> Checker<'a> {
    /// The turn can be completed whenever no outcome holds, as far as the rules themselves tell.
    pub fn never_stuck(&self, turn: &Program, end: &[Outcome]) -> bool {
        self.completes(turn.block, end)
    }

    /// The block begins with a choice that is never empty, and nothing behind it can die.
    fn completes(&self, block: BlockId, end: &[Outcome]) -> bool {
        let statements = &self.blocks[block.0 as usize];
        let binds = |one: &Statement| matches!(one, Statement::Assign { .. } | Statement::Remember { .. });
        let Some(at) = statements.iter().position(|one| !binds(one)) else { return false };
        let rest = &statements[at + 1..];
        match &statements[at] {
            // Nobody looks behind a choice by chance.
            Statement::Pick { chooser: Chooser::Chance, from: Choice::Range(from, to), .. } => {
                let ends = (self.fold().number(from), self.fold().number(to));
                matches!(ends, (Some(from), Some(to)) if from <= to)
            }
            Statement::Either { chooser: Chooser::Chance, weights, .. } => weights.is_empty(),
            Statement::Pick { slot, from: Choice::Cells(set), count: 1, .. } => {
                let set = self.meant(set);
                self.is_left(set, end) && self.none_dies(rest, has_men(set).then_some(*slot))
                    || self.foremost_moves(*slot, set, rest, end)
            }
            Statement::Either { blocks, .. } | Statement::First { blocks, .. } => {
                blocks.iter().any(|(block, _)| self.completes(*block, end)) && self.none_dies(rest, None)
            }
            Statement::If { then, otherwise: Some(otherwise), .. } => {
                [then.0, otherwise.0].into_iter().all(|block| self.completes(block, end)) && self.none_dies(rest, None)
            }
            Statement::Block(block) => self.completes(*block, end) && self.none_dies(rest, None),
            _ => false,
        }
    }

    /// `man`: the name of a cell on which men stand, as long as nothing changes on the board.
    fn none_dies(&self, statements: &[Statement], mut man: Option<Slot>) -> bool {
        statements.iter().all(|one| {
            let lives = self.cannot_die(one, man);
            man = man.filter(|_| {
                matches!(one, Statement::Assign { .. } | Statement::Remember { .. } | Statement::Pick { .. })
            });
            lives
        })
    }

    fn cannot_die(&self, statement: &Statement, man: Option<Slot>) -> bool {
        let within = |block: BlockId| self.none_dies(&self.blocks[block.0 as usize], man);
        match statement {
            Statement::Assign { slot, .. } => man != Some(*slot),
            Statement::Remember { .. } | Statement::Remove { .. } | Statement::Flip { .. } => true,
            Statement::Place { place: Place::On { from_hand, .. }, .. } => !from_hand,
            Statement::Pick { from: Choice::Range(from, to), .. } => {
                let is_man = |of: &Cells| matches!(of, Cells::Local(of) if Some(*of) == man);
                let men = matches!(to, Number::Height(of) if is_man(of)).then_some(1);
                let ends = (self.fold().number(from), self.fold().number(to).or(men));
                matches!(ends, (Some(from), Some(to)) if from <= to)
            }
            Statement::If { then, otherwise, .. } => {
                within(then.0) && otherwise.as_ref().is_none_or(|(block, _)| within(*block))
            }
            Statement::ForEach { body: block, .. } | Statement::Block(block) => within(*block),
            _ => false,
        }
    }

    /// The set has members, or an outcome has ended the game.
    fn is_left(&self, set: &Cells, end: &[Outcome]) -> bool {
        let left = |wanted: &Cells| end.iter().any(|outcome| self.ends_without(&outcome.condition, wanted, NEST));
        left(set) || self.lowest_empty(set) && left(&Cells::Empty)
    }

    /// The condition, asked when a turn is over, holds if the next player's set is empty.
    fn ends_without(&self, condition: &Truth, set: &Cells, nest: u32) -> bool {
        match condition {
            Truth::Call(call) if nest > 0 => match self.body(call) {
                Some(Expr::Truth(truth)) => self.ends_without(truth, set, nest - 1),
                _ => false,
            },
            Truth::Or(any) => any.iter().any(|one| self.ends_without(one, set, nest)),
            Truth::Not(some) => match &**some {
                Truth::Some(of) => match &**of {
                    Expr::Cells(asked) => self.asks_after(self.meant(asked), set),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    /// What a define without arguments stands for.
    fn body(&self, call: &Call) -> Option<&Expr> {
        let define = self.defines.get(call.define.0 as usize)?.as_ref()?;
        (define.parameters == 0).then_some(&define.body)
    }

    /// The set, or what its define says.
    fn meant<'s>(&'s self, set: &'s Cells) -> &'s Cells {
        let mut set = set;
        // Defines that go round in circles pass through a truth.
        while let Cells::Call(call) = set
            && let Some(Expr::Cells(body)) = self.body(call)
        {
            set = body;
        }
        set
    }

    /// What the player of a turn asks of the same men as the next player does.
    fn asks_after(&self, asked: &Cells, set: &Cells) -> bool {
        match (asked, set) {
            (Cells::Empty, Cells::Empty) | (Cells::Occupied, Cells::Occupied) | (Cells::Neutral, Cells::Neutral) => {
                true
            }
            (Cells::Kind(one), Cells::Kind(other)) => one == other,
            (Cells::Of(Players::Enemy), Cells::Of(Players::Own)) => self.seats.len() == 2,
            _ => false,
        }
    }

    /// `empty and (rank 1 or shift(occupied, north))`, `empty and not shift(empty, north)`: who
    /// goes back from any empty cell, over empty ones, comes to one of the set.
    fn lowest_empty(&self, set: &Cells) -> bool {
        let Cells::And(parts) = set else { return false };
        let ([Cells::Empty, support] | [support, Cells::Empty]) = parts.as_slice() else { return false };
        match support {
            Cells::Not(beyond) => {
                matches!(&**beyond, Cells::Shift(of, dirs) if is_empty(of) && self.one_dir(dirs).is_some())
            }
            Cells::Or(any) => {
                let ground =
                    any.iter().filter_map(|part| self.fold().cells(part)).fold(CellSet::EMPTY, |all, set| all | set);
                any.iter().any(|part| match part {
                    Cells::Shift(of, dirs) if matches!(**of, Cells::Occupied) => {
                        self.one_dir(dirs).is_some_and(|dir| {
                            let back = self.topology.opposite(dir);
                            self.topology
                                .cells()
                                .all(|cell| ground.contains(cell) || self.topology.step(cell, back).is_some())
                        })
                    }
                    _ => false,
                })
            }
            _ => false,
        }
    }

    fn one_dir(&self, dirs: &Dirs) -> Option<Dir> {
        self.fold().dirs(dirs)?.single()
    }

    /// `pick p from own   move p`, where every man enters some cell ahead of him unless one of his
    /// own side stands there: who has come farthest can move, as long as the last row and the last
    /// man end the game.
    fn foremost_moves(&self, slot: Slot, set: &Cells, rest: &[Statement], end: &[Outcome]) -> bool {
        let [
            Statement::Move { amount: None, who: Cells::Local(who), landing: Landing::Ways { capture: false }, .. },
            rest @ ..,
        ] = rest
        else {
            return false;
        };
        let races = end.iter().any(|outcome| is_own_in_last_row(&outcome.condition));
        let only_told = rest.iter().all(|one| matches!(one, Statement::Assign { .. } | Statement::Remember { .. }));
        *who == slot
            && matches!(set, Cells::Of(Players::Own))
            && races
            && only_told
            && self.is_left(set, end)
            && !self.stacks
            && !self.has_neutral_men()
            && self.seats.iter().all(|seat| seat.forward.is_some_and(|forward| self.all_go_ahead(forward)))
    }

    fn has_neutral_men(&self) -> bool {
        let neutral = |man: &Man| man.neutral;
        self.kinds.iter().any(|kind| kind.neutral)
            || self.blocks.iter().flatten().any(|statement| match statement {
                Statement::Place { place: Place::On { men, .. }, .. } => men.iter().any(neutral),
                Statement::Picture { picture, .. } => picture.men.iter().any(|(_, owner, _)| owner.is_none()),
                _ => false,
            })
    }

    /// Every man of the player has, wherever he stands but in the last row, a way to a cell ahead
    /// that only his own side can close.
    fn all_go_ahead(&self, forward: Dir) -> bool {
        let last = self.topology.last_row(forward);
        self.kinds.iter().all(|kind| {
            let ways = kind
                .ways
                .iter()
                .filter(|way| way.conditions.is_empty() && way.line.paths.iter().any(enters_all_but_own));
            let dirs: DirSet = ways.fold(DirSet::EMPTY, |all, way| all | self.dirs_of(&way.line.dirs, forward));
            let ahead = dirs & self.topology.ahead(forward);
            let goes = |cell| ahead.iter().any(|dir| self.topology.step(cell, dir).is_some());
            self.topology.cells().all(|cell| self.topology.row(cell, forward) == last || goes(cell))
        })
    }

    /// Directions for the player with this forward, as far as they are plain to see.
    fn dirs_of(&self, dirs: &Dirs, forward: Dir) -> DirSet {
        match dirs {
            Dirs::Forward => DirSet::one(forward),
            Dirs::Ahead => self.topology.ahead(forward),
            Dirs::And(all) => {
                all.iter().fold(self.topology.straight(), |kept, part| kept & self.dirs_of(part, forward))
            }
            Dirs::Or(any) => any.iter().fold(DirSet::EMPTY, |all, part| all | self.dirs_of(part, forward)),
            other => self.fold().dirs(other).unwrap_or(DirSet::EMPTY),
        }
    }
}

/// Only cells with men are in the set.
fn has_men(set: &Cells) -> bool {
    matches!(set, Cells::Occupied | Cells::Neutral | Cells::Of(_) | Cells::Kind(_))
}

fn is_empty(set: &Cells) -> bool {
    matches!(set, Cells::Empty)
}

/// `some own in last row`
fn is_own_in_last_row(condition: &Truth) -> bool {
    let Truth::Some(set) = condition else { return false };
    let Expr::Cells(Cells::And(parts)) = &**set else { return false };
    matches!(parts.as_slice(), [Cells::Of(Players::Own), Cells::LastRow] | [Cells::LastRow, Cells::Of(Players::Own)])
}

/// `^ to landing`: one step onto any cell but one's own men's, no neutral men being there.
fn enters_all_but_own(path: &Path) -> bool {
    let ([], [Item { test, times: Times::One, lands: true, .. }], []) =
        (path.before.as_slice(), path.after.as_slice(), path.turnings.as_slice())
    else {
        return false;
    };
    match test {
        Cells::Or(any) => any.iter().any(is_empty) && any.iter().any(|part| matches!(part, Cells::Of(Players::Enemy))),
        Cells::Not(own) => matches!(**own, Cells::Of(Players::Own)),
        _ => false,
    }
}
