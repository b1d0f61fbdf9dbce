//! Observations: a position goes in; planes of the board and counters come out, seen by a player.

use lusoria::board::{Kind, Player};
use lusoria::interp::Places;
use lusoria::model;
use lusoria::model::{StateId, Type};
use lusoria::plan::{KindSet, StateCell};
use lusoria::position::{Position as Board, Value};
use lusoria::{Error, Position};

use crate::spread::Spread;

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
    #[inline]
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
        match position.is_within_turn() {
            false => self.write_board(position.state(), viewer, planes, counters),
            true => self.write_board(&position.now()?, viewer, planes, counters),
        }
        self.write_choices(position.choosing(), chosen, planes, counters);
        Ok(())
    }

    /// The same of a position at the beginning of a turn.
    pub fn write_turn(&self, position: &Board, chosen: &[u16], planes: &mut [u8], counters: &mut [f32]) {
        let viewer = position.to_move();
        self.write_board(position, viewer, planes, counters);
        self.write_choices(viewer, chosen, planes, counters);
    }

    /// Where what is seen stands among registers. `None`: nowhere as a set of cells.
    pub fn sources(&self, places: Places<'_>) -> Option<Sources> {
        if self.stacks {
            return None;
        }
        let bits = places.bitboard.bits().iter().map(|bit| usize::from(*bit));
        let spread = Spread::new(bits.zip(self.places.iter().copied()), self.files * self.ranks)?;
        let layout = places.position;
        let man = |owner: Option<usize>, kind: u8| {
            let of = match owner {
                Some(owner) => *layout.of.get(owner)?,
                None => layout.neutral?,
            };
            let with = match (*layout.kinds.get(usize::from(kind))?, owner) {
                (KindSet::Register(reg), _) => Some(usize::from(reg.0)),
                (KindSet::AllOwned, Some(_)) | (KindSet::AllNeutral, None) => None,
                _ => return None,
            };
            Some(Plane { of: usize::from(of.0), with })
        };
        let hand = |player: Player, kind: &u8| {
            let at = player.index() * layout.kinds.len() + usize::from(*kind);
            layout.hands.get(at).map(|reg| usize::from(reg.0))
        };
        let copies = |viewer: Player, (id, per_player): (StateId, bool)| {
            let of = layout.states.get(usize::from(id.0)).map(Vec::as_slice).unwrap_or_default();
            let copy = move |player: Player| of.get(if of.len() > 1 { player.index() } else { 0 });
            self.copies(viewer, per_player).map(move |player| {
                copy(player).map(|cell| match cell {
                    StateCell::Set(reg) => usize::from(reg.0),
                    StateCell::Number(reg) => usize::from(reg.0),
                })
            })
        };
        let mut planes: Vec<Plane> = Vec::new();
        let mut number_of = |plane: Plane| match planes.iter().position(|one| *one == plane) {
            Some(at) => at,
            None => {
                planes.push(plane);
                planes.len() - 1
            }
        };
        let mut seen_by = |viewer: Player| {
            let owned =
                self.seats(viewer).flat_map(|seat| self.owned.iter().map(move |kind| man(Some(seat.index()), *kind)));
            let neutral = self.neutral.iter().map(|kind| man(None, *kind));
            let areas = self.areas.iter().flat_map(|state| copies(viewer, *state));
            let areas = areas.map(|of| of.map(|of| Plane { of, with: None }));
            let hands = self.seats(viewer).flat_map(|player| self.owned.iter().map(move |kind| hand(player, kind)));
            let values = self.values.iter().flat_map(|state| copies(viewer, *state));
            Seen {
                planes: owned.chain(neutral).chain(areas).map(|plane| plane.map(&mut number_of)).collect(),
                hands: hands.collect(),
                values: values.collect(),
            }
        };
        let seen = (0..self.players).map(|viewer| seen_by(Player(viewer as u8))).collect();
        Some(Sources { words: places.words, planes, spread, seen })
    }

    /// The same of a game that is kept as its registers, beside the choices: by a player, with the packed words of the game's
    /// planes, and with each number register.
    #[inline(always)]
    pub fn write_registers(
        &self,
        from: &Sources,
        (viewer, packed, number): (Player, impl Fn(usize) -> u64, impl Fn(usize) -> i64),
        planes: &mut [u8],
        counters: &mut [f32],
    ) {
        // No chunks: a division for each game takes as long as a plane. What is written behind a plane is so before its own.
        let (area, mut left) = (self.files * self.ranks, &mut *planes);
        let (seen, words) = (&from.seen[viewer.index()], from.spread.words());
        for plane in &seen.planes {
            match *plane {
                Some(plane) => from.spread.write((plane * words..(plane + 1) * words).map(&packed), left),
                None => left[..area].fill(0),
            }
            left = &mut left[area..];
        }
        left.fill(0);
        let (hands, values) = counters[self.players..].split_at_mut(seen.hands.len());
        for (counter, reg) in hands.iter_mut().zip(&seen.hands) {
            *counter = reg.map_or(0.0, |reg| number(reg).max(0) as f32);
        }
        for (counter, reg) in values.iter_mut().zip(&seen.values) {
            *counter = reg.map_or(0.0, |reg| number(reg) as f32);
        }
    }

    /// Who chooses, and which choices of the turn have been made.
    #[inline(always)]
    pub fn write_choices(&self, chooser: Player, chosen: &[u16], planes: &mut [u8], counters: &mut [f32]) {
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
        // Those from the viewer on, then those before him: no remainder, which takes a division for each.
        (viewer.index()..players).chain(0..viewer.index()).map(|player| Player(player as u8))
    }

    /// Whose copies of a remembered value are seen, in order.
    fn copies(&self, viewer: Player, per_player: bool) -> impl Iterator<Item = Player> + use<> {
        self.seats(viewer).take(if per_player { self.players } else { 1 })
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

    fn write_values(&self, state: &Board, viewer: Player, planes: &mut [u8], counters: &mut [f32]) {
        let area = self.files * self.ranks;
        let all = |(id, per_player): &(StateId, bool)| {
            let id = *id;
            self.copies(viewer, *per_player).map(move |player| state.value(id, player))
        };
        let first = if self.stacks { 2 * self.slots() } else { self.slots() };
        for (value, plane) in self.areas.iter().flat_map(all).zip(planes.chunks_mut(area).skip(first)) {
            if let Value::Cells(cells) = value {
                cells.iter().for_each(|cell| plane[self.places[cell.index()]] = 1);
            }
        }
        let hands = self.seats(viewer).flat_map(|player| self.owned.iter().map(move |kind| (player, Kind(*kind))));
        let hands = hands.map(|(player, kind)| state.hand(player, kind) as f32);
        let values = self.values.iter().flat_map(all).map(|value| match value {
            Value::Number(number) => *number as f32,
            Value::Truth(truth) => f32::from(u8::from(*truth)),
            _ => 0.0,
        });
        for (counter, value) in counters[self.players..].iter_mut().zip(hands.chain(values)) {
            *counter = value;
        }
    }
}

/// Where what is seen stands among the registers of a game.
#[derive(Debug)]
pub struct Sources {
    /// Words of a set register.
    pub words: usize,
    /// From bits to places in a plane.
    spread: Spread,
    /// The planes that somebody sees, each once.
    planes: Vec<Plane>,
    /// By viewer.
    seen: Vec<Seen>,
}

impl Sources {
    /// The packed words of each plane of some games, of which a word of each set register is given.
    #[inline(always)]
    pub fn pack<const N: usize>(&self, set: impl Fn(usize, usize) -> [u64; N], to: &mut Vec<[u64; N]>) {
        to.clear();
        for Plane { of, with } in &self.planes {
            self.spread.pack(
                |word| {
                    let mut bits = set(*of, word);
                    if let Some(with) = with {
                        bits.iter_mut().zip(set(*with, word)).for_each(|(bits, with)| *bits &= with);
                    }
                    bits
                },
                to,
            );
        }
    }
}

/// Where stands what one player sees; `None`: nowhere, it is always empty.
#[derive(Debug)]
struct Seen {
    /// Numbers of planes.
    planes: Vec<Option<usize>>,
    /// Number registers.
    hands: Vec<Option<usize>>,
    values: Vec<Option<usize>>,
}

/// The set registers whose common cells a plane shows: one, or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plane {
    of: usize,
    with: Option<usize>,
}
