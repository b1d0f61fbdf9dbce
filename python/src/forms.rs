//! Forms of moves: a game's programs go in; what their moves may write, choice by choice, comes out, where that is bounded.
//!
//! It may name forms that no move has. A form that it lacks does no harm: such a move is a path of choices as elsewhere.

use std::collections::BTreeSet;

use lusoria::model::{BlockId, Choice, Chooser, Game, Landing, Place, Statement};

/// What one choice is, as an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Cell,
    Dir,
    Axis,
    Kind,
    Label,
    Number,
    Mark,
}

/// The choices of a move.
pub type Form = Vec<Class>;

/// Longer moves make spaces that are too large.
const LONGEST: usize = 3;
/// Blocks within each other, at most.
const DEEPEST: u32 = 64;

/// Who makes the choices of a ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Turn,
    /// Perhaps the player whose turn it is.
    Named,
    Chance,
}

/// Plies as far as they have been written.
type Begun = BTreeSet<(Who, Form)>;

/// All forms of a game's moves; `None`: their length has no small bound.
pub fn forms(game: &Game) -> Option<BTreeSet<Form>> {
    let mut found = Found { game, forms: BTreeSet::new() };
    for program in game.opening.iter().chain([&game.turn]) {
        let begun = found.block(program.block, Begun::from([(Who::Turn, Form::new())]), 0)?;
        found.end(&begun);
    }
    Some(found.forms)
}

struct Found<'g> {
    game: &'g Game,
    forms: BTreeSet<Form>,
}

impl Found<'_> {
    /// Plies that end here.
    fn end(&mut self, begun: &Begun) {
        self.forms.extend(begun.iter().map(|(_, form)| form.clone()).filter(|form| !form.is_empty()));
    }

    fn block(&mut self, block: BlockId, begun: Begun, depth: u32) -> Option<Begun> {
        if depth > DEEPEST {
            return None;
        }
        let game = self.game;
        game.block(block).iter().try_fold(begun, |begun, statement| self.statement(statement, begun, depth))
    }

    fn any(&mut self, blocks: &[BlockId], begun: &Begun, depth: u32) -> Option<Begun> {
        let mut all = Begun::new();
        for block in blocks {
            all.extend(self.block(*block, begun.clone(), depth + 1)?);
        }
        Some(all)
    }

    fn statement(&mut self, statement: &Statement, begun: Begun, depth: u32) -> Option<Begun> {
        match statement {
            Statement::Pick { count, from, chooser, .. } => {
                let class = match from {
                    Choice::Range(..) => Class::Number,
                    Choice::Cells(_) => Class::Cell,
                    // A cell does not tell which of its groups is meant.
                    Choice::Groups(_) => return None,
                    Choice::Dirs(_) => Class::Dir,
                    Choice::Axes(_) => Class::Axis,
                };
                // What another player has one option for may be left unwritten.
                let is_sure = matches!(chooser, Chooser::Turn | Chooser::Chance);
                let mut picked = if is_sure { Begun::new() } else { begun.clone() };
                let mut written = begun;
                for _ in 0..*count {
                    written = self.write(written, who(chooser), class)?;
                }
                picked.extend(written);
                Some(picked)
            }
            Statement::Either { chooser, blocks, .. } => {
                let mut all = Begun::new();
                for (block, _) in blocks {
                    let begins = matches!(self.game.block(*block), [Statement::Label(_), ..]);
                    let by_number = matches!(chooser, Chooser::Chance) && !begins;
                    let begun = match by_number {
                        true => self.write(begun.clone(), Who::Chance, Class::Number)?,
                        false => begun.clone(),
                    };
                    all.extend(self.block(*block, begun, depth + 1)?);
                }
                Some(all)
            }
            Statement::First { blocks, .. } => {
                let blocks: Vec<BlockId> = blocks.iter().map(|(block, _)| *block).collect();
                self.any(&blocks, &begun, depth)
            }
            Statement::If { then, otherwise, .. } => {
                let mut all = self.block(then.0, begun.clone(), depth + 1)?;
                all.extend(match otherwise {
                    Some((block, _)) => self.block(*block, begun, depth + 1)?,
                    None => begun,
                });
                Some(all)
            }
            Statement::Repeat { in_steps, silently, body, .. } => {
                self.repeat((*in_steps, *silently), *body, begun, depth)
            }
            Statement::ForEach { body, .. } => {
                let nothing = Begun::from([(Who::Turn, Form::new())]);
                (self.block(*body, nothing.clone(), depth + 1)? == nothing).then_some(begun)
            }
            Statement::Block(block) => self.block(*block, begun, depth + 1),
            Statement::Move { landing: Landing::To { known: true, .. }, .. } => Some(begun),
            Statement::Move { .. } => self.write(begun, Who::Turn, Class::Cell),
            Statement::Place { place: Place::On { men, .. }, .. } if men.len() > 1 => {
                self.write(begun, Who::Turn, Class::Kind)
            }
            Statement::Promote { kinds, .. } if kinds.len() > 1 => self.write(begun, Who::Turn, Class::Kind),
            // It follows the choice of who chose among the alternatives.
            Statement::Label(_) => self.write(begun, Who::Named, Class::Label),
            Statement::Pass | Statement::Swap => self.write(begun, Who::Turn, Class::Mark),
            _ => Some(begun),
        }
    }

    fn repeat(&mut self, (in_steps, silently): (bool, bool), body: BlockId, begun: Begun, depth: u32) -> Option<Begun> {
        let nothing = Begun::from([(Who::Turn, Form::new())]);
        let mut all = begun.clone();
        if in_steps {
            // Each round is a ply of its own, and so is the end.
            self.end(&begun);
            all.extend(self.block(body, begun, depth + 1)?);
            let round = self.block(body, nothing.clone(), depth + 1)?;
            self.end(&round);
            self.end(&all);
            all.extend(self.write(nothing.clone(), Who::Turn, Class::Mark)?);
            all.extend(nothing);
            return Some(all);
        }
        let round = self.block(body, nothing.clone(), depth + 1)?;
        if silently {
            // The last round alone is written.
            all.extend(self.block(body, begun, depth + 1)?);
            return Some(all);
        }
        (round == nothing).then_some(begun)
    }

    /// Adds a choice; where somebody else has chosen before, that ply ends.
    fn write(&mut self, begun: Begun, by: Who, class: Class) -> Option<Begun> {
        let mut written = Begun::new();
        for (who, form) in begun {
            let is_one = who == by || form.is_empty() || who == Who::Named || by == Who::Named;
            let is_two = !form.is_empty() && (who != by || by == Who::Named);
            if is_two {
                self.forms.insert(form.clone());
                written.insert((by, vec![class]));
            }
            if is_one {
                if form.len() == LONGEST {
                    return None;
                }
                written.insert((by, form.into_iter().chain([class]).collect()));
            }
        }
        Some(written)
    }
}

fn who(chooser: &Chooser) -> Who {
    match chooser {
        Chooser::Turn => Who::Turn,
        Chooser::By(_) => Who::Named,
        Chooser::Chance => Who::Chance,
    }
}
