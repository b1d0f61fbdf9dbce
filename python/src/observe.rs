//! Observations: a position goes in; planes of the board and counters come out, seen by a player.

use lusoria::board::Player;
use lusoria::model;
use lusoria::model::{StateId, Type};
use lusoria::position::{Position as Board, Value};
use lusoria::{Error, Position};

/// What observations of a game look like.
#[derive(Clone, Debug)]
pub struct Layout {
    pub files: usize,
    pub ranks: usize,
    /// By cell: its place in a plane, rank by rank from the first.
    places: Vec<usize>,
    players: usize,
    /// Kinds of players' men, and of nobody's.
    owned: Vec<u8>,
    neutral: Vec<u8>,
    stacks: bool,
    /// Remembered values that are sets of cells, and those that are numbers or truths; whether they are per
    /// player.
    areas: Vec<(StateId, bool)>,
    values: Vec<(StateId, bool)>,
    pub planes: Vec<String>,
    pub counters: Vec<String>,
}

impl Layout {
    pub fn new(game: &model::Game) -> Layout {
        let board = &game.topology;
        let (files, ranks) = (usize::from(board.files()), usize::from(board.ranks()));
        let place =
            |cell| (usize::from(board.rank(cell)).max(1) - 1) * files + usize::from(board.file(cell)).max(1) - 1;
        let kinds = || 0..game.kinds.len() as u8;
        let (neutral, owned): (Vec<u8>, Vec<u8>) = kinds().partition(|kind| game.kinds[usize::from(*kind)].neutral);
        let remembered = |wanted: &[Type]| -> Vec<(StateId, bool)> {
            let ids = game.states.iter().enumerate().filter(|(_, state)| wanted.contains(&state.first.ty()));
            ids.map(|(id, state)| (StateId(id as _), state.per_player)).collect()
        };
        let (areas, values) = (remembered(&[Type::Cells]), remembered(&[Type::Number, Type::Truth]));
        let players = game.seats.len();
        let mut layout = Layout {
            files,
            ranks,
            places: board.cells().map(place).collect(),
            players,
            owned,
            neutral,
            stacks: game.stacks,
            areas,
            values,
            planes: Vec::new(),
            counters: Vec::new(),
        };
        layout.name(game);
        layout
    }

    fn name(&mut self, game: &model::Game) {
        let seat = |relative: usize| match relative {
            0 => String::from("own"),
            1 if self.players == 2 => String::from("other"),
            relative => format!("player +{relative}"),
        };
        let kind = |kind: &u8| game.kinds[usize::from(*kind)].name.clone();
        let mut men = Vec::new();
        for relative in 0..self.players {
            men.extend(self.owned.iter().map(|one| format!("{} {}", seat(relative), kind(one))));
        }
        men.extend(self.neutral.iter().map(kind));
        let mut planes = men.clone();
        if self.stacks {
            planes.extend(men.iter().map(|name| format!("top {name}")));
        }
        let copies = |state: &(StateId, bool)| -> Vec<String> {
            let name = &game.states[state.0.0 as usize].name;
            match state.1 {
                true => (0..self.players).map(|relative| format!("{} {name}", seat(relative))).collect(),
                false => vec![name.clone()],
            }
        };
        planes.extend(self.areas.iter().flat_map(copies));
        planes.push(String::from("chosen"));
        let mut counters: Vec<String> =
            (0..self.players).map(|at| format!("{} to choose", game.seats[at].name)).collect();
        for relative in 0..self.players {
            counters.extend(self.owned.iter().map(|one| format!("{} {} in hand", seat(relative), kind(one))));
        }
        counters.extend(self.values.iter().flat_map(copies));
        counters.extend(["choices made", "last choice"].map(String::from));
        (self.planes, self.counters) = (planes, counters);
    }

    /// Bytes of all planes.
    pub fn size(&self) -> usize {
        self.planes.len() * self.files * self.ranks
    }

    /// Writes what a player sees; `chosen` are the choices of the turn that have been made, of which those
    /// below `cells` are cells.
    ///
    /// # Errors
    /// A fault of the rules, in the middle of a turn.
    pub fn write(
        &self,
        position: &Position,
        viewer: Player,
        chosen: &[u16],
        planes: &mut [u8],
        counters: &mut [f32],
    ) -> Result<(), Error> {
        let state = position.state();
        match state.begun().is_empty() {
            true => self.write_board(state, viewer, planes, counters),
            false => self.write_board(&position.now()?, viewer, planes, counters),
        }
        counters[..self.players].fill(0.0);
        counters[position.choosing().index()] = 1.0;
        let last = planes.len() - self.files * self.ranks;
        for (number, choice) in chosen.iter().enumerate() {
            if let Some(place) = self.places.get(usize::from(*choice)) {
                planes[last + place] = (number + 1).min(255) as u8;
            }
        }
        let last = counters.len() - 2;
        counters[last] = chosen.len() as f32;
        counters[last + 1] = chosen.last().map_or(0.0, |choice| f32::from(*choice) + 1.0);
        Ok(())
    }

    fn write_board(&self, state: &Board, viewer: Player, planes: &mut [u8], counters: &mut [f32]) {
        planes.fill(0);
        let area = self.files * self.ranks;
        let seats = (0..self.players).map(|relative| Player(((viewer.index() + relative) % self.players) as u8));
        let kinds = self.owned.len();
        let men = self.players * kinds + self.neutral.len();
        let slot = |man: &lusoria::Man| match man.owner {
            Some(owner) => {
                let relative = (owner.index() + self.players - viewer.index()) % self.players;
                Some(relative * kinds + self.owned.iter().position(|kind| *kind == man.kind.0)?)
            }
            None => Some(self.players * kinds + self.neutral.iter().position(|kind| *kind == man.kind.0)?),
        };
        for cell in state.occupied().iter() {
            let (stack, place) = (state.men(cell), self.places[cell.index()]);
            for man in stack {
                if let Some(slot) = slot(man) {
                    planes[slot * area + place] = planes[slot * area + place].saturating_add(1);
                }
            }
            if let Some(slot) = stack.last().filter(|_| self.stacks).and_then(slot) {
                planes[(men + slot) * area + place] = 1;
            }
        }
        let mut plane = if self.stacks { 2 * men } else { men };
        for &(id, per_player) in &self.areas {
            for player in seats.clone().take(if per_player { self.players } else { 1 }) {
                if let Value::Cells(cells) = state.value(id, player) {
                    cells.iter().for_each(|cell| planes[plane * area + self.places[cell.index()]] = 1);
                }
                plane += 1;
            }
        }
        let mut counter = self.players;
        for player in seats.clone() {
            for kind in &self.owned {
                counters[counter] = state.hand(player, lusoria::board::Kind(*kind)) as f32;
                counter += 1;
            }
        }
        for &(id, per_player) in &self.values {
            for player in seats.clone().take(if per_player { self.players } else { 1 }) {
                counters[counter] = match state.value(id, player) {
                    Value::Number(number) => *number as f32,
                    Value::Truth(truth) => f32::from(u8::from(*truth)),
                    _ => 0.0,
                };
                counter += 1;
            }
        }
    }
}
