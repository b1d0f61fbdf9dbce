//! Bodies of positions: what plays a position, a plan or the reference executor.

use std::sync::Arc;

use crate::board::CellSet;
use crate::game::node::Node;
use crate::game::shared::Shared;
use crate::model;
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
        self.executor.plies(self.game, &mut position.clone())
    }

    fn played(&mut self, position: &Position, ply: &Ply) -> Result<Position, Fault> {
        let mut after = position.clone();
        match self.executor.play(self.game, &mut after, ply) {
            Ok(_) | Err(PlayError::NotAMove) => Ok(after),
            Err(PlayError::Fault(fault)) => Err(fault),
        }
    }
}
