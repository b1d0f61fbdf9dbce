//! Bodies of positions: what plays a position, a plan or the reference executor.

use std::borrow::Cow;
use std::sync::Arc;

use crate::board::{CellSet, Player};
use crate::game::node::Node;
use crate::game::shared::Shared;
use crate::model;
use crate::model::Captures;
use crate::notation::{MoveSource, WrittenMove};
use crate::position::{Fault, Mark, Position, Written};
use crate::reference::{Executor, PlayError, Ply};

/// A position as it is played.
#[derive(Clone, Debug)]
pub enum Body {
    Planned(Arc<Node>),
    /// Apart, as it is large: most positions are played by plans, and players copy positions all the time.
    Interpreted(Box<Interpreted>),
}

/// A position that the reference executor plays.
#[derive(Clone, Debug)]
pub struct Interpreted {
    pub state: Position,
    /// What takes back each ply played.
    pub marks: Vec<Mark>,
}

impl Body {
    /// By the plan, if there is one that has room for the position.
    pub fn new(shared: &Shared, state: Position) -> Body {
        match Node::root(shared, state) {
            Ok(node) => Body::Planned(node),
            Err(state) => Body::Interpreted(Box::new(Interpreted { state, marks: Vec::new() })),
        }
    }

    /// The position, from which nothing can be taken back.
    pub fn without_trail(&self) -> Body {
        match self {
            Body::Planned(node) => Body::Planned(node.clone()),
            Body::Interpreted(interpreted) => {
                Body::Interpreted(Box::new(Interpreted { state: interpreted.state.without_trail(), marks: Vec::new() }))
            }
        }
    }

    /// Who chooses next, or for whom chance does.
    pub fn choosing(&self) -> Player {
        match self {
            Body::Planned(node) => node.state.suspended.map_or(node.state.to_move, |suspended| suspended.chooser),
            Body::Interpreted(interpreted) => {
                let state = &interpreted.state;
                state.chooser().unwrap_or_else(|| state.to_move())
            }
        }
    }

    /// A part of the turn has been played, and another is to come.
    pub fn is_within_turn(&self) -> bool {
        match self {
            Body::Planned(node) => node.state.suspended.is_some(),
            Body::Interpreted(interpreted) => !interpreted.state.begun().is_empty(),
        }
    }

    /// The position with the men where they are now, also within a turn.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn now<'p>(&'p self, shared: &Shared) -> Result<Cow<'p, Position>, Fault> {
        match self {
            _ if !self.is_within_turn() => Ok(Cow::Borrowed(self.state(shared))),
            // Registers do not tell who waits to leave; and a turn is suspended right behind what chance has chosen, before
            // what is done then.
            Body::Planned(node) if shared.model.captures != Captures::LeaveAtEnd && !shared.model.asks.chance => {
                Ok(node.unpacked(shared).map_or_else(|| Cow::Borrowed(self.state(shared)), Cow::Owned))
            }
            _ => {
                let state = self.state(shared);
                let now = shared.scratch(|scratch| scratch.executor.position_now(&shared.model, state));
                now.map(Cow::Owned)
            }
        }
    }

    /// The position as the reference executor keeps it.
    pub fn state(&self, shared: &Shared) -> &Position {
        match self {
            Body::Planned(node) => node.full(shared),
            Body::Interpreted(interpreted) => &interpreted.state,
        }
    }
}

impl WrittenMove for Ply {
    fn written(&self) -> &[Written] {
        &self.written
    }

    fn caught(&self) -> CellSet {
        self.caught
    }

    fn ends_turn(&self) -> bool {
        self.ends_turn
    }
}

/// The executor as the notation sees it.
pub struct Stepper<'a> {
    pub game: &'a model::Game,
    pub executor: &'a mut Executor,
}

impl MoveSource for Stepper<'_> {
    type Ply = Ply;

    fn plies(&mut self, position: &Position) -> Result<Vec<Ply>, Fault> {
        self.executor.plies(self.game, &mut position.without_trail())
    }

    fn played(&mut self, position: &Position, ply: &Ply) -> Result<Position, Fault> {
        let mut after = position.without_trail();
        match self.executor.play(self.game, &mut after, ply) {
            Ok(_) | Err(PlayError::NotAMove) => Ok(after),
            Err(PlayError::Fault(fault)) => Err(fault),
        }
    }
}
