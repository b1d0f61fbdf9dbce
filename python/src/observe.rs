//! Observations: a position goes in; planes of the board and counters come out, seen by a player.

use lusoria::board::{Cell, Kind, Player};
use lusoria::interp::Session;
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
        self.write_choices(position.choosing(), chosen, planes, counters);
        Ok(())
    }

    /// The same of the game that a session is in, of which it is the turn's player who chooses.
    pub fn write_session(&self, session: &dyn Session, chosen: &[u16], planes: &mut [u8], counters: &mut [f32]) {
        let viewer = session.to_move();
        if self.stacks {
            self.write_board(&session.position(), viewer, planes, counters);
        } else {
            planes.fill(0);
            let area = self.files * self.ranks;
            let owned = self.seats(viewer).flat_map(|seat| self.owned.iter().map(move |kind| (Some(seat), *kind)));
            let slots = owned.chain(self.neutral.iter().map(|kind| (None, *kind)));
            for ((owner, kind), plane) in slots.zip(planes.chunks_mut(area)) {
                session.each_man(owner, Kind(kind), &mut |cell| plane[self.places[cell.index()]] = 1);
            }
            self.write_values(&Lent(session), viewer, planes, counters);
        }
        self.write_choices(viewer, chosen, planes, counters);
    }

    fn write_choices(&self, chooser: Player, chosen: &[u16], planes: &mut [u8], counters: &mut [f32]) {
        counters[..self.players].fill(0.0);
        counters[chooser.index()] = 1.0;
        let last = planes.len() - self.files * self.ranks;
        for (number, choice) in chosen.iter().enumerate() {
            if let Some(place) = self.places.get(usize::from(*choice)) {
                planes[last + place] = (number + 1).min(255) as u8;
            }
        }
        let last = counters.len() - 2;
        counters[last] = chosen.len() as f32;
        counters[last + 1] = chosen.last().map_or(0.0, |choice| f32::from(*choice) + 1.0);
    }

    /// The players, who sees it first.
    fn seats(&self, viewer: Player) -> impl Iterator<Item = Player> + use<> {
        let players = self.players;
        (0..players).map(move |relative| Player(((viewer.index() + relative) % players) as u8))
    }

    /// Planes of men of all slots; where men stand on each other, twice as many.
    fn slots(&self) -> usize {
        self.players * self.owned.len() + self.neutral.len()
    }

    fn write_board(&self, state: &Board, viewer: Player, planes: &mut [u8], counters: &mut [f32]) {
        planes.fill(0);
        let area = self.files * self.ranks;
        let (kinds, men) = (self.owned.len(), self.slots());
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
        self.write_values(state, viewer, planes, counters);
    }

    fn write_values(&self, from: &impl Remembered, viewer: Player, planes: &mut [u8], counters: &mut [f32]) {
        let area = self.files * self.ranks;
        let copies = |per_player: bool| self.seats(viewer).take(if per_player { self.players } else { 1 });
        let areas = self.areas.iter().flat_map(|(id, per_player)| copies(*per_player).map(move |player| (*id, player)));
        let first = if self.stacks { 2 * self.slots() } else { self.slots() };
        for ((id, player), plane) in areas.zip(planes.chunks_mut(area).skip(first)) {
            from.each_cell(id, player, &mut |cell| plane[self.places[cell.index()]] = 1);
        }
        let hands = self.seats(viewer).flat_map(|player| self.owned.iter().map(move |kind| (player, Kind(*kind))));
        let hands = hands.map(|(player, kind)| from.in_hand(player, kind) as f32);
        let values =
            self.values.iter().flat_map(|(id, per_player)| copies(*per_player).map(move |player| (*id, player)));
        let values = values.map(|(id, player)| from.number(id, player) as f32);
        for (counter, value) in counters[self.players..].iter_mut().zip(hands.chain(values)) {
            *counter = value;
        }
    }
}

/// What is remembered, and in hand.
trait Remembered {
    fn each_cell(&self, id: StateId, player: Player, each: &mut dyn FnMut(Cell));
    /// 1 for what is true.
    fn number(&self, id: StateId, player: Player) -> i64;
    fn in_hand(&self, player: Player, kind: Kind) -> u32;
}

impl Remembered for Board {
    fn each_cell(&self, id: StateId, player: Player, each: &mut dyn FnMut(Cell)) {
        if let Value::Cells(cells) = self.value(id, player) {
            cells.iter().for_each(each);
        }
    }

    fn number(&self, id: StateId, player: Player) -> i64 {
        match self.value(id, player) {
            Value::Number(number) => *number,
            Value::Truth(truth) => i64::from(*truth),
            _ => 0,
        }
    }

    fn in_hand(&self, player: Player, kind: Kind) -> u32 {
        self.hand(player, kind)
    }
}

/// A session that is only looked at.
struct Lent<'s>(&'s dyn Session);

impl Remembered for Lent<'_> {
    fn each_cell(&self, id: StateId, player: Player, each: &mut dyn FnMut(Cell)) {
        self.0.each_remembered(id, player, each);
    }

    fn number(&self, id: StateId, player: Player) -> i64 {
        self.0.remembered(id, player)
    }

    fn in_hand(&self, player: Player, kind: Kind) -> u32 {
        self.0.in_hand(player, kind)
    }
}
