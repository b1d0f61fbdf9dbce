//! Moves: a position goes in; its legal moves come out as data, and as text once that is asked for.

use std::fmt;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};
use smallvec::SmallVec;

use crate::board::{Cell, CellSet, Player};
use crate::game::body::Body;
use crate::game::shared::Shared;
use crate::game::{Error, Game};
use crate::interp::{Extent, LentMove};
use crate::notation;
use crate::notation::{NotationError, WrittenMove, order, order_key};
use crate::position;
use crate::position::{Fault, Man, Probability, Written};
use crate::reference::{PlayError, Ply};
use crate::sort;

/// A legal move: a ply, which is a whole turn unless the rules cut their turns into plies. It
/// prints as its notation. Cheap to clone.
///
/// ```
/// let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
/// let position = game.position("8/8/8/8/3B4/2W5/8/8 White")?;
/// let moves = position.legal_moves()?;
/// let takes = &moves[2];
/// assert_eq!(takes.to_string(), "c3xd4");
/// assert_eq!(takes.id(), 2);
/// let name = |cell| game.cell_name(cell).to_string();
/// assert_eq!((takes.from().map(name), takes.to().map(name)), (Some("c3".into()), Some("d4".into())));
/// assert_eq!(takes.captures()?.into_iter().map(name).collect::<Vec<_>>(), ["d4"]);
/// # Ok::<(), lusoria::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Move {
    pub(super) list: Arc<Listed>,
    pub(super) id: u32,
}

/// The moves of one position.
#[derive(Debug)]
pub(super) struct Listed {
    pub game: Game,
    /// The position that they are moves of.
    pub before: Body,
    pub moves: Vec<Listing>,
    texts: OnceLock<Vec<String>>,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Listing {
    /// Moves of up to three choices allocate nothing.
    pub written: SmallVec<[Written; 3]>,
    pub by: Made,
}

/// What makes a move.
#[derive(Debug)]
pub(super) enum Made {
    /// The choices of a plan, whether they end the turn, and how likely chance makes them.
    Path(SmallVec<[u32; 4]>, bool, Option<Box<Probability>>),
    Ply(Box<Ply>),
}

/// Room for so many moves is made at once.
const USUAL_MOVES: usize = 32;

/// A cell that a move changes: the men on it before and after, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub cell: Cell,
    pub before: Vec<Man>,
    pub after: Vec<Man>,
}

impl Listed {
    /// The moves of a position, in order. Moves that write the same keep the order of the rules.
    pub fn new(game: Game, before: Body, mut moves: Vec<Listing>) -> Listed {
        let mut keys: Vec<(u128, usize)> =
            moves.iter().enumerate().map(|(at, one)| (order_key(&one.written), at)).collect();
        if !keys.is_sorted() {
            keys.sort_unstable();
            for at in 0..keys.len() {
                // What was moved before stands where that was put which stood here.
                let mut from = keys[at].1;
                while from < at {
                    from = keys[from].1;
                }
                keys[at].1 = from;
                moves.swap(at, from);
            }
        }
        let may_be_alike = keys.windows(2).any(|both| both[0].0 == both[1].0);
        if may_be_alike {
            sort::by(&mut moves, |one, other| order(&one.written, &other.written));
        }
        let listed = Listed { game, before, moves, texts: OnceLock::new() };
        let alike = |both: &[Listing]| both[0].written == both[1].written;
        if may_be_alike && listed.moves.windows(2).any(alike) { listed.in_order_of_reference() } else { listed }
    }

    /// Moves that write the same, in the order of the reference executor, which alone tells what
    /// they catch.
    fn in_order_of_reference(mut self) -> Listed {
        let shared = &self.game.shared;
        let (Body::Planned(node), Some(plies)) = (&self.before, self.plies_of_reference()) else { return self };
        let mut of_reference: FxHashMap<(u128, bool), SmallVec<[usize; 2]>> = FxHashMap::default();
        for (at, ply) in plies.iter().enumerate() {
            of_reference.entry((ply.fingerprint, ply.ends_turn)).or_default().push(at);
        }
        let is_alike = |at: usize, other: Option<usize>| {
            let other = other.and_then(|other| self.moves.get(other));
            other.is_some_and(|other| other.written == self.moves[at].written)
        };
        let places: Vec<usize> = (0..self.moves.len())
            .map(|at| {
                let Made::Path(path, ends_turn, _) = &self.moves[at].by else { return 0 };
                if !is_alike(at, at.checked_sub(1)) && !is_alike(at, Some(at + 1)) {
                    return 0;
                }
                let reached = node.play(shared, |session| {
                    session.play_path(path).is_ok_and(|played| played).then(|| session.position().fingerprint())
                });
                let leads_there = reached.flatten().and_then(|reached| of_reference.get(&(reached, *ends_turn)));
                let is_it = |ply: &&usize| plies[**ply].written[..] == self.moves[at].written[..];
                leads_there.and_then(|plies| plies.iter().find(is_it)).copied().unwrap_or(usize::MAX)
            })
            .collect();
        let mut placed: Vec<(usize, Listing)> = places.into_iter().zip(std::mem::take(&mut self.moves)).collect();
        sort::by(&mut placed, |one, other| order(&one.1.written, &other.1.written).then(one.0.cmp(&other.0)));
        self.moves = placed.into_iter().map(|(_, one)| one).collect();
        self
    }

    /// What the reference executor lists, where the plan did. `None`: it did itself, or comes to a fault.
    fn plies_of_reference(&self) -> Option<Vec<Ply>> {
        let shared = &self.game.shared;
        let Body::Planned(node) = &self.before else { return None };
        let mut full = node.full(shared).clone();
        shared.scratch(|scratch| scratch.executor.plies(&shared.model, &mut full)).ok()
    }

    fn texts(&self) -> &[String] {
        self.texts.get_or_init(|| {
            let model = self.game.model();
            let texts = notation::ply_texts(model, &self.moves);
            // What is alike is told apart by what it catches. Groups that differ can have one name.
            if !texts.iter().any(|text| text.ends_with("'2")) {
                return texts;
            }
            self.plies_with_caught().map_or(texts, |plies| notation::ply_texts(model, &plies))
        })
    }

    /// The same moves in the same order, as the reference executor lists them: with what they catch.
    fn plies_with_caught(&self) -> Option<Vec<Ply>> {
        let mut plies = self.plies_of_reference().filter(|plies| plies.len() == self.moves.len())?;
        sort::by(&mut plies, |one, other| order(&one.written, &other.written));
        Some(plies)
    }

    /// The place of the move that a text means.
    ///
    /// # Errors
    /// A text that means none of the moves, or several.
    pub fn parsed(&self, text: &str) -> Result<usize, NotationError> {
        let (model, meant) = (self.game.model(), text.trim());
        if let Some(exact) = self.texts().iter().position(|one| one == meant) {
            return Ok(exact);
        }
        // Texts that tell what moves catch are read by it.
        let is_by_caught = self.texts() != notation::ply_texts(model, &self.moves);
        match is_by_caught.then(|| self.plies_with_caught()).flatten() {
            Some(plies) => notation::parse_ply(model, &plies, text),
            None => notation::parse_ply(model, &self.moves, text),
        }
    }
}

impl WrittenMove for Listing {
    fn written(&self) -> &[Written] {
        &self.written
    }

    fn caught(&self) -> CellSet {
        match &self.by {
            Made::Path(..) => CellSet::EMPTY,
            Made::Ply(ply) => ply.caught,
        }
    }

    fn ends_turn(&self) -> bool {
        match &self.by {
            Made::Path(_, ends_turn, _) => *ends_turn,
            Made::Ply(ply) => ply.ends_turn,
        }
    }
}

impl Move {
    pub(super) fn all(list: Listed) -> Vec<Move> {
        let list = Arc::new(list);
        (0..list.moves.len() as u32).map(|id| Move { list: list.clone(), id }).collect()
    }

    pub(super) fn listing(&self) -> &Listing {
        &self.list.moves[self.id as usize]
    }

    /// The number of the move among the position's, from 0. It is the same each time that the moves
    /// are listed.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// It completes the turn.
    pub fn ends_turn(&self) -> bool {
        self.listing().ends_turn()
    }

    /// How likely chance makes it: its weight, and out of how many. `None`: a player makes it.
    pub fn probability(&self) -> Option<(u64, u64)> {
        self.chance().map(|probability| (probability.weight, probability.of))
    }

    pub(crate) fn chance(&self) -> Option<Probability> {
        match &self.listing().by {
            Made::Path(.., probability) => probability.as_deref().copied(),
            Made::Ply(ply) => ply.probability,
        }
    }

    /// The choices that it writes, in order.
    #[doc(hidden)]
    pub fn written(&self) -> &[Written] {
        &self.listing().written
    }

    /// The ply of the reference executor, if it made the move.
    #[doc(hidden)]
    pub fn ply(&self) -> Option<&Ply> {
        match &self.listing().by {
            Made::Ply(ply) => Some(ply),
            Made::Path(..) => None,
        }
    }

    /// The cells that it names, in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.written().iter().filter_map(|written| match written {
            Written::Cell(cell) | Written::Landing { cell, .. } => Some(*cell),
            _ => None,
        })
    }

    /// The cell that a man goes from: the first that it names, if a man stands there.
    pub fn from(&self) -> Option<Cell> {
        let first = self.cells().next()?;
        let now = self.list.before.now(&self.list.game.shared).ok()?;
        now.occupied().contains(first).then_some(first)
    }

    /// The cell that a man goes to, or is placed on: the last that it names, but the one that he
    /// goes from.
    pub fn to(&self) -> Option<Cell> {
        let cells: SmallVec<[Cell; 4]> = self.cells().collect();
        let from = self.from().map_or(0, |_| 1);
        cells.get(from..).and_then(<[Cell]>::last).copied()
    }

    /// The cells whose men it changes, in board order. It costs as much as playing the move.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn changes(&self) -> Result<Vec<Change>, Error> {
        let list = &self.list;
        let shared = &list.game.shared;
        let fault =
            |fault| list.game.fault(fault, notation::position_text(list.game.model(), list.before.state(shared)));
        let before = list.before.now(shared).map_err(fault)?;
        let after = self.reached().map_err(|error| match error {
            PlayError::Fault(found) => fault(found),
            PlayError::NotAMove => Error::NotAMove,
        })?;
        let cells = list.game.model().topology.cells();
        let change = |cell: Cell| {
            let (before, after) = (before.men(cell), after.men(cell));
            (before != after).then(|| Change { cell, before: before.to_vec(), after: after.to_vec() })
        };
        Ok(cells.filter_map(change).collect())
    }

    /// The cells whose men it takes from others, in board order: another player's or nobody's man
    /// stood on top and has gone, was buried or changed hands. It costs as much as playing the move.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn captures(&self) -> Result<Vec<Cell>, Error> {
        let mover = self.player();
        let is_others = |men: &[Man]| men.last().is_some_and(|man| man.owner != Some(mover));
        let owner = |men: &[Man]| men.last().map(|man| man.owner);
        let mut changes = self.changes()?;
        changes.retain(|change| is_others(&change.before) && owner(&change.before) != owner(&change.after));
        Ok(changes.into_iter().map(|change| change.cell).collect())
    }

    /// The position behind it.
    fn reached(&self) -> Result<position::Position, PlayError> {
        let (list, shared) = (&self.list, &self.list.game.shared);
        match (&self.listing().by, &list.before) {
            (Made::Path(path, false, _), Body::Planned(node)) => {
                let after = node.after_path(shared, path).map_err(PlayError::Fault)?.ok_or(PlayError::NotAMove)?;
                Ok(Body::Planned(after).now(shared)?.into_owned())
            }
            (Made::Path(path, ..), Body::Planned(node)) => {
                let played = node
                    .play(shared, |session| session.play_path(path).map(|played| played.then(|| session.position())));
                played.unwrap_or(Ok(None)).map_err(PlayError::Fault)?.ok_or(PlayError::NotAMove)
            }
            (Made::Ply(ply), before) => {
                let mut state = before.state(shared).without_trail();
                shared.scratch(|scratch| {
                    scratch.executor.play(&shared.model, &mut state, ply)?;
                    Ok(scratch.executor.position_now(&shared.model, &state)?)
                })
            }
            (Made::Path(..), Body::Interpreted(_)) => Err(PlayError::NotAMove),
        }
    }

    /// Who makes it; of what chance chooses, whose turn it is.
    pub fn player(&self) -> Player {
        self.list.before.choosing()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.list.texts()[self.id as usize])
    }
}

/// A move as data.
#[derive(Serialize)]
struct MoveData<'m> {
    id: u32,
    #[serde(rename = "move")]
    text: String,
    from: Option<&'m str>,
    to: Option<&'m str>,
    ends_turn: bool,
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = |cell| self.list.game.cell_name(cell);
        MoveData {
            id: self.id,
            text: self.to_string(),
            from: self.from().map(name),
            to: self.to().map(name),
            ends_turn: self.ends_turn(),
        }
        .serialize(serializer)
    }
}

/// The moves of a position, by what plays it.
pub(super) fn listed(shared: &Shared, body: &Body, whole_turns: bool) -> Result<Vec<Listing>, Fault> {
    let of_ply = |ply: Ply| Listing { written: SmallVec::from(&ply.written[..]), by: Made::Ply(Box::new(ply)) };
    match body {
        Body::Planned(node) => {
            let extent = if whole_turns { Extent::Turn } else { Extent::Ply };
            let (mut moves, mut in_doubt) = (Vec::with_capacity(USUAL_MOVES), Vec::new());
            let listed = node.play(shared, |session| {
                session.list(extent, &mut |one| {
                    let LentMove { written, path, ends_turn, probability, .. } = one;
                    let (written, path) = (SmallVec::from(written), SmallVec::from_slice(path));
                    if one.in_doubt {
                        in_doubt.push(moves.len());
                    }
                    let probability = probability.map(Box::new);
                    moves.push(Listing { written, by: Made::Path(path, ends_turn, probability) });
                })
            });
            let listed = listed.unwrap_or(Ok(()));
            if shared.model.asks.chance && (listed.is_err() || !in_doubt.is_empty()) {
                // Where runs die behind what chance has chosen, the reference executor tells what is a move, and what the fault.
                let mut full = node.full(shared).clone();
                let plies = shared.scratch(|scratch| scratch.executor.plies(&shared.model, &mut full))?;
                let of_reference: FxHashSet<(&[Written], bool, bool)> =
                    plies.iter().map(|ply| (&ply.written[..], ply.ends_turn, ply.probability.is_some())).collect();
                let is_one = |one: &Listing| {
                    let is_by_chance = matches!(one.by, Made::Path(.., Some(_)));
                    of_reference.contains(&(&one.written[..], one.ends_turn(), is_by_chance))
                };
                let mut at = 0..;
                let is_sure = |at: usize| in_doubt.binary_search(&at).is_err();
                moves.retain(|one| at.next().is_some_and(is_sure) || is_one(one));
            }
            listed?;
            Ok(moves)
        }
        Body::Interpreted(interpreted) => {
            let mut state = interpreted.state.without_trail();
            let plies = shared.scratch(|scratch| {
                let executor = &mut scratch.executor;
                if whole_turns {
                    executor.turns(&shared.model, &mut state)
                } else {
                    executor.plies(&shared.model, &mut state)
                }
            });
            Ok(plies?.into_iter().map(of_ply).collect())
        }
    }
}
