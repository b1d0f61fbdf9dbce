//! Position building: an empty position of a game, and putting things on it by hand. Set-ups and
//! reading a position's text start from it.

use std::sync::Arc;

use crate::board::{Cell, CellSet, Kind, Player};
use crate::model::{Game, StateId};
use crate::position::{Man, Noted, Outcome, Position, Schema, Stack, StateShape, Value};

fn state_shapes(game: &Game) -> Vec<StateShape> {
    let mut start = 0;
    let mut shapes = Vec::with_capacity(game.states.len());
    for state in &game.states {
        let copies = if state.per_player { game.seats.len() } else { 1 };
        shapes.push(StateShape {
            start,
            copies,
            on_pieces: state.on_pieces,
            for_one_turn: state.for_one_turn,
            compared: state.compared,
        });
        start += copies;
    }
    shapes
}

impl Position {
    /// The empty board, the first player to move, nothing in hand, the opening before it, every
    /// value 0, `false` or empty.
    pub fn empty(game: &Game) -> Position {
        let states = state_shapes(game);
        let of_state = |(state, shape): (&crate::model::Remembered, &StateShape)| {
            vec![Value::empty(state.first.ty()); shape.copies]
        };
        let first: Vec<Value> = game.states.iter().zip(&states).flat_map(of_state).collect();
        let schema = Schema {
            cells: game.topology.len(),
            players: game.seats.len(),
            kinds: game.kinds.len(),
            stacks: game.stacks,
            opening: game.opening.len() as u32,
            states,
            first,
            times_pieces: game.asks.times_pieces,
            times_position: game.asks.times_position,
        };
        Position::of_schema(schema)
    }

    fn of_schema(schema: Schema) -> Position {
        Position {
            men: vec![Stack::new(); schema.cells],
            of: vec![CellSet::EMPTY; schema.players],
            kinds: vec![CellSet::EMPTY; schema.kinds],
            neutral: CellSet::EMPTY,
            occupied: CellSet::EMPTY,
            waiting: Vec::new(),
            waiting_cells: CellSet::EMPTY,
            hands: vec![0; schema.players * schema.kinds],
            values: schema.first.clone(),
            touched: vec![false; schema.first.len()],
            to_move: Player(0),
            opening: 0,
            turns: 0,
            plies: 0,
            begun: Vec::new(),
            history: Vec::new(),
            outcome: None,
            men_hash: 0,
            trail: Vec::new(),
            old_values: Vec::new(),
            schema: Arc::new(schema),
        }
    }

    /// The values that this position has become the first values of it and of what is made from it.
    pub fn fix_first_values(&mut self) {
        let old = &self.schema;
        self.schema = Arc::new(Schema {
            cells: old.cells,
            players: old.players,
            kinds: old.kinds,
            stacks: old.stacks,
            opening: old.opening,
            states: old.states.clone(),
            first: self.values.clone(),
            times_pieces: old.times_pieces,
            times_position: old.times_position,
        });
        self.touched.fill(false);
        self.forget();
    }

    /// Puts a man on top of a cell. `false`: a man stands there and men may not stand on each
    /// other.
    pub fn put_man(&mut self, cell: Cell, man: Man) -> bool {
        self.put(cell, man)
    }

    pub fn set_hand(&mut self, player: Player, kind: Kind, count: u32) {
        let index = self.hand_index(player, kind);
        self.change_hand(index, count);
    }

    /// Sets a value; of one that is not per player, `player` is not asked.
    pub fn set_value(&mut self, state: StateId, player: Player, value: Value) {
        let index = self.value_index(state, player);
        self.change_value(index, value);
    }

    pub fn set_to_move(&mut self, player: Player) {
        self.to_move = player;
    }

    /// How many turns of the opening count as played; more than it has: it is over.
    pub fn set_opening(&mut self, played: u32) {
        self.opening = played.min(self.schema.opening);
    }

    /// Makes this the position that history starts with; what came before cannot be taken back.
    pub fn settle(&mut self) {
        self.turns = 0;
        self.plies = 0;
        self.begun.clear();
        self.outcome = None;
        self.touched.fill(false);
        self.drop_marks_of_nobody();
        self.history.clear();
        self.note();
        self.forget();
    }

    /// Makes this a position in the middle of a game: what history holds, its own entry last, how
    /// many turns were played, and how the game came out.
    pub fn resume(&mut self, history: Vec<Noted>, turns: u32, outcome: Option<Outcome>) {
        self.history = history;
        (self.turns, self.plies, self.outcome) = (turns, turns, outcome);
        self.forget();
    }
}
