//! Nodes: positions that were reached by a plan, also within a turn, each with the one before it. They do not change, so
//! positions that share a past share its nodes.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use crate::game::shared::Shared;
use crate::interp::{Engine, Extent, GameState, RepetitionTable, Session, Snapshot};
use crate::position::{Fault, Noted, Position, Step, Written};

/// A position, and how it was reached.
#[derive(Debug)]
pub struct Node {
    pub state: Snapshot,
    pub before: Option<Arc<Node>>,
    /// So many nodes are taken back together; 0: none.
    pub taken_back: u32,
    /// The ply that led to it, if the turn is suspended: what it writes.
    ply: Option<Box<[Written]>>,
    /// The position that the game began with.
    first: Arc<Position>,
    /// This position as the reference executor keeps it, once that was asked for.
    full: OnceLock<Box<Position>>,
}

impl Drop for Node {
    /// Drops a long past node by node: the stack has no room for one call each.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(node) = before {
            before = Arc::into_inner(node).and_then(|mut node| node.before.take());
        }
    }
}

impl Node {
    /// The first node of a position; nothing is taken back from there.
    ///
    /// # Errors
    /// The position itself, if there is no plan or the plan has no room for it.
    pub fn root(shared: &Shared, mut position: Position) -> Result<Arc<Node>, Position> {
        let begins = position.history().len() == 1;
        let Some(engine) = shared.engine().filter(|_| begins) else { return Err(position) };
        if !position.begun().is_empty() {
            return Node::root_within_turn(shared, position);
        }
        let state = shared.scratch(|scratch| {
            scratch.at = None;
            let session = scratch.session(engine);
            session.load(&position).then(|| session.snapshot())
        });
        let Some(mut state) = state else { return Err(position) };
        state.outcome = position.outcome();
        position.forget();
        let full = OnceLock::from(Box::new(position.clone()));
        Ok(Arc::new(Node { state, before: None, taken_back: 0, ply: None, first: Arc::new(position), full }))
    }

    /// The same of a position whose turn has begun: its plies are played from the beginning of the turn.
    fn root_within_turn(shared: &Shared, position: Position) -> Result<Arc<Node>, Position> {
        let mut start = position.clone();
        start.settle();
        let Ok(mut node) = Node::root(shared, start) else { return Err(position) };
        for step in position.begun() {
            let Some(after) = node.after_step(shared, step) else { return Err(position) };
            node = after.taking_back(0);
        }
        Ok(node)
    }

    /// The node behind a ply that does not end the turn. `None`: there is none, or it is not clear which.
    fn after_step(self: &Arc<Node>, shared: &Shared, step: &Step) -> Option<Arc<Node>> {
        let mut paths: Vec<SmallVec<[u32; 8]>> = Vec::new();
        let listed = self.play(shared, |session| {
            session.list(Extent::Ply, &mut |one| {
                if !one.ends_turn && *one.written == *step.written {
                    paths.push(SmallVec::from_slice(one.path));
                }
            })
        });
        listed?.ok()?;
        let mut reached = paths.iter().map_while(|path| self.after_path(shared, path).ok()?);
        if paths.len() == 1 {
            return reached.next();
        }
        reached.find(|node| node.unpacked(shared).is_some_and(|board| board.fingerprint() == step.fingerprint))
    }

    /// The node that a session has come to from this one, by what was written.
    pub fn after(self: &Arc<Node>, state: Snapshot, written: &[Written]) -> Arc<Node> {
        let (before, first) = (Some(self.clone()), self.first.clone());
        let ply = state.suspended.is_some().then(|| written.into());
        Arc::new(Node { state, before, taken_back: 1, ply, first, full: OnceLock::new() })
    }

    /// The node behind the ply or turn of a path; `None`: there is none.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn after_path(self: &Arc<Node>, shared: &Shared, path: &[u32]) -> Result<Option<Arc<Node>>, Fault> {
        let after = self.play(shared, |session| {
            let played = session.play_path(path)?;
            Ok(played.then(|| (session.snapshot(), session.written())))
        });
        Ok(after.unwrap_or(Ok(None))?.map(|(state, written)| self.after(state, &written)))
    }

    /// The same, with another number of nodes taken back together.
    pub fn taking_back(&self, nodes: u32) -> Arc<Node> {
        Arc::new(Node {
            state: self.state.clone(),
            before: self.before.clone(),
            taken_back: nodes,
            ply: self.ply.clone(),
            first: self.first.clone(),
            full: self.full.clone(),
        })
    }

    /// The same position, of a game that is not over unless its player is stuck; nothing before it
    /// is taken back.
    pub fn reopened(&self, shared: &Shared) -> Arc<Node> {
        let mut full = self.full(shared).clone();
        full.reopen();
        shared.ask_stuck(&mut full);
        full.forget();
        let state = Snapshot { outcome: full.outcome(), ..self.state.clone() };
        let (before, first) = (self.before.clone(), self.first.clone());
        Arc::new(Node { state, before, taken_back: 0, ply: None, first, full: OnceLock::from(Box::new(full)) })
    }

    /// The position before the last move, and before those that are taken back with it.
    pub fn undone(self: &Arc<Node>) -> Option<Arc<Node>> {
        let mut node = self;
        for _ in 0..self.taken_back {
            node = node.before.as_ref()?;
        }
        (self.taken_back > 0).then(|| node.clone())
    }

    /// The position at the beginning of the turn.
    pub fn turn_start(self: &Arc<Node>) -> &Arc<Node> {
        let mut node = self;
        while let (Some(_), Some(before)) = (&node.ply, &node.before) {
            node = before;
        }
        node
    }

    /// Lends a session that holds the position, with its history, which it may leave as it likes.
    /// `None`: there is no plan, which is so for no node.
    pub fn play<T>(self: &Arc<Node>, shared: &Shared, play: impl FnOnce(&mut dyn Session) -> T) -> Option<T> {
        let engine = shared.engine()?;
        Some(shared.scratch(|scratch| {
            let held = scratch.at.take();
            let session = scratch.session(engine);
            if asks_past(engine) {
                recall(session.history(), engine, held.as_ref(), self);
            }
            session.enter(&self.state);
            let lengths = session.history().lengths();
            let played = play(session);
            session.history().truncate(lengths);
            scratch.at = Some(self.clone());
            played
        }))
    }

    /// The game of the position, with its history.
    pub fn exported(self: &Arc<Node>, shared: &Shared) -> Option<GameState> {
        self.play(shared, |session| {
            let mut state = GameState::default();
            session.export_state(&mut state);
            // The session is given its history back: others go on with it.
            *session.history() = state.history.clone();
            state
        })
    }

    /// The position as the reference executor keeps it, with its history.
    pub fn full(&self, shared: &Shared) -> &Position {
        self.full.get_or_init(|| {
            if self.ply.is_some() {
                return Box::new(self.within_turn(shared));
            }
            let (mut way, mut node) = (Vec::new(), self);
            let mut history = loop {
                match (node.full.get(), node.before.as_deref()) {
                    (Some(full), _) => break full.history().to_vec(),
                    (None, None) => break Vec::new(),
                    (None, Some(before)) => {
                        way.push(node);
                        node = before;
                    }
                }
            };
            let asks_past = shared.engine().is_some_and(asks_past);
            let mut full = (*self.first).clone();
            for node in way.into_iter().rev().filter(|node| node.ply.is_none()) {
                if asks_past || std::ptr::eq(node, self) {
                    full = node.unpacked(shared).unwrap_or(full);
                    history.extend_from_slice(full.history());
                } else {
                    history.push(Noted { pieces: 0, position: 0 });
                }
            }
            full.resume(history, self.state.turns as u32, self.state.outcome);
            Box::new(full)
        })
    }

    /// The same where the turn has begun: the position before it, and the plies since.
    fn within_turn(&self, shared: &Shared) -> Position {
        let (mut plies, mut node) = (Vec::new(), self);
        while let (Some(_), Some(before)) = (&node.ply, node.before.as_deref()) {
            plies.push(node);
            node = before;
        }
        let mut full = node.full(shared).clone();
        for node in plies.into_iter().rev() {
            let reached = node.unpacked(shared).map(|reached| reached.fingerprint());
            let written = node.ply.as_deref().unwrap_or_default();
            shared.scratch(|scratch| {
                let listed = scratch.executor.plies(&shared.model, &mut full).unwrap_or_default();
                let alike = || listed.iter().filter(|ply| !ply.ends_turn && *ply.written == *written);
                let played = alike().find(|ply| Some(ply.fingerprint) == reached).or_else(|| alike().next());
                // A ply of the plan is one of the rules.
                played.map(|ply| scratch.executor.play(&shared.model, &mut full, ply))
            });
        }
        full
    }

    /// The position that the registers hold, with a history that begins with it.
    pub fn unpacked(&self, shared: &Shared) -> Option<Position> {
        let engine = shared.engine()?;
        // The history that the session holds stays as it is.
        Some(shared.scratch(|scratch| {
            let session = scratch.session(engine);
            session.enter(&self.state);
            session.position()
        }))
    }
}

fn asks_past(engine: &Engine) -> bool {
    let asks = &engine.game().asks;
    asks.times_pieces || asks.times_position
}

/// Makes the history of one position that of another: what they share stays.
fn recall(history: &mut RepetitionTable, engine: &Engine, held: Option<&Arc<Node>>, wanted: &Arc<Node>) {
    let (mut held, mut next, mut way) = (held, Some(wanted), Vec::new());
    let shared = loop {
        let Some(node) = next else { break 0 };
        match held {
            Some(other) if Arc::ptr_eq(other, node) => break node.state.turns as usize + 1,
            Some(other) if other.state.turns > node.state.turns => held = other.before.as_ref(),
            other => {
                held = match other {
                    Some(other) if other.state.turns == node.state.turns => other.before.as_ref(),
                    other => other,
                };
                way.push(node);
                next = node.before.as_ref();
            }
        }
    };
    history.truncate((shared, shared));
    let asks = &engine.game().asks;
    for node in way.into_iter().rev().filter(|node| node.ply.is_none()) {
        let [men, position] = node.state.recorded;
        if asks.times_pieces {
            history.record_pieces(men);
        }
        if asks.times_position {
            history.record_position(position);
        }
    }
}
