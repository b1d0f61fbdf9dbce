//! Retrograde analysis: a position of a small game of two players goes in; the exact value of every
//! position that can be reached from it comes out, with how long it takes.
//!
//! All positions are listed forward, then their values go backward from the ends (T. Ströhlein, 1970;
//! K. Thompson, 1986): a position is won if one move leads to a position that is won for its player,
//! and lost if all moves lead to such of the other. What is left when no more can be told is drawn:
//! nobody can force more. So games that go round in circles have values too. The history of a position
//! is not asked: what rules say of repetition may only be that it is a draw, as it is here anyway.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::board::Player;
use crate::game::{Error, Move, Position};
use crate::model;
use crate::player::expect_no_chance;
use crate::player::solver::{Solution, Value};

/// Bytes of a position while its moves have not been listed, with what led to it; of one whose moves
/// are known; of a move. Roughly.
const BYTES_OF_OPEN: usize = 2500;
const BYTES_OF_POSITION: usize = 100;
const BYTES_OF_MOVE: usize = 12;
/// Positions between two questions whether to go on.
const LOOK: usize = 64;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Open,
    /// The winner, and the plies to the end.
    Won(Player, u16),
    /// The game is over, or nobody can move, and nobody has won.
    Drawn,
}

/// A position among all.
#[derive(Clone, Copy, Debug)]
struct Spot {
    chooser: Player,
    known: Known,
    /// A drawn end can be reached by moves that give nothing away.
    ends: bool,
    /// Moves that do not lead to a win of the other, as far as that is known.
    left: u32,
    /// Where its moves begin.
    first: u32,
    moves: u32,
}

/// The values of all positions that can be reached from one.
#[derive(Debug)]
pub struct Retrograde {
    spots: Vec<Spot>,
    places: FxHashMap<u128, u32>,
    /// The places that moves lead to, position by position.
    behind: Vec<u32>,
}

impl Retrograde {
    /// Whether the values of positions do not depend on their history, but for draws.
    pub fn knows(position: &Position) -> bool {
        let model = position.game().model();
        let asks_past = model.asks.times_pieces || model.asks.times_position;
        let is_draw = |outcome: &model::Outcome| !outcome.asks_history || matches!(outcome.result, model::Result::Draw);
        model.seats.len() == 2 && !model.asks.chance && (!asks_past || model.end.iter().all(is_draw))
    }

    /// Lists all positions and finds their values. `None`: they do not fit into so many bytes, the
    /// game is none for it, or `go_on`, which is given the number of positions, has said no.
    ///
    /// # Errors
    /// A fault of the rules; a game that chance plays in.
    pub fn new(
        position: &Position,
        memory: usize,
        mut go_on: impl FnMut(usize) -> bool,
    ) -> Result<Option<Retrograde>, Error> {
        expect_no_chance(position)?;
        if !Retrograde::knows(position) {
            return Ok(None);
        }
        let mut all = Retrograde { spots: Vec::new(), places: FxHashMap::default(), behind: Vec::new() };
        let mut open = VecDeque::from([position.clone()]);
        all.add(position);
        let mut at = 0;
        while let Some(position) = open.pop_front() {
            let bytes =
                all.spots.len() * BYTES_OF_POSITION + all.behind.len() * BYTES_OF_MOVE + open.len() * BYTES_OF_OPEN;
            if bytes > memory || at % LOOK == 0 && !go_on(all.spots.len()) {
                return Ok(None);
            }
            all.spots[at].first = all.behind.len() as u32;
            if all.spots[at].known == Known::Open {
                for made in position.legal_moves()? {
                    let mut behind = position.clone();
                    behind.play(&made)?;
                    let place = match all.places.get(&behind.key()) {
                        Some(place) => *place,
                        None => {
                            let place = all.add(&behind);
                            open.push_back(behind);
                            place
                        }
                    };
                    all.behind.push(place);
                }
                let moves = all.behind.len() as u32 - all.spots[at].first;
                (all.spots[at].moves, all.spots[at].left) = (moves, moves);
                if moves == 0 {
                    all.spots[at].known = Known::Drawn;
                }
            }
            at += 1;
        }
        all.go_back();
        Ok(Some(all))
    }

    fn add(&mut self, position: &Position) -> u32 {
        let place = self.spots.len() as u32;
        let known = match (position.payoff(Player(0)), position.payoff(Player(1))) {
            (Some(one), Some(other)) if one > other => Known::Won(Player(0), 0),
            (Some(one), Some(other)) if one < other => Known::Won(Player(1), 0),
            (Some(_), _) => Known::Drawn,
            (None, _) => Known::Open,
        };
        self.spots.push(Spot { chooser: position.choosing(), known, ends: false, left: 0, first: 0, moves: 0 });
        self.places.insert(position.key(), place);
        place
    }

    /// The places that moves lead to from a place.
    fn moves(&self, place: usize) -> &[u32] {
        let spot = &self.spots[place];
        let first = spot.first as usize;
        &self.behind[first..first + spot.moves as usize]
    }

    /// The places from which a move leads to each place: where they begin in a list, and the list.
    fn before(&self) -> (Vec<u32>, Vec<u32>) {
        let mut begin = vec![0u32; self.spots.len() + 1];
        self.behind.iter().for_each(|to| begin[*to as usize + 1] += 1);
        for at in 1..begin.len() {
            begin[at] += begin[at - 1];
        }
        let mut next = begin.clone();
        let mut before = vec![0u32; self.behind.len()];
        for place in 0..self.spots.len() {
            for &to in self.moves(place) {
                before[next[to as usize] as usize] = place as u32;
                next[to as usize] += 1;
            }
        }
        (begin, before)
    }

    /// Draws the values of all positions from those of the ends, the nearest first.
    fn go_back(&mut self) {
        let (begin, before) = self.before();
        let list = |place: u32| &before[begin[place as usize] as usize..begin[place as usize + 1] as usize];
        let places = 0..self.spots.len() as u32;
        let is_won = |place: &u32| matches!(self.spots[*place as usize].known, Known::Won(..));
        let mut queue: VecDeque<u32> = places.clone().filter(is_won).collect();
        while let Some(place) = queue.pop_front() {
            let Known::Won(winner, plies) = self.spots[place as usize].known else { continue };
            for &earlier in list(place) {
                let spot = &mut self.spots[earlier as usize];
                if spot.known != Known::Open {
                    continue;
                }
                spot.left -= u32::from(spot.chooser != winner);
                if spot.chooser == winner || spot.left == 0 {
                    spot.known = Known::Won(winner, plies.saturating_add(1));
                    queue.push_back(earlier);
                }
            }
        }
        // Which draws come to an end.
        let is_drawn = |place: &u32| self.spots[*place as usize].known == Known::Drawn;
        let mut queue: VecDeque<u32> = places.filter(is_drawn).collect();
        queue.iter().for_each(|place| self.spots[*place as usize].ends = true);
        while let Some(place) = queue.pop_front() {
            for &earlier in list(place) {
                let spot = &mut self.spots[earlier as usize];
                if spot.known == Known::Open && !spot.ends {
                    spot.ends = true;
                    queue.push_back(earlier);
                }
            }
        }
    }

    /// How many positions can be reached.
    pub fn positions(&self) -> usize {
        self.spots.len()
    }

    /// The value of a position for the player who chooses; `None`: it cannot be reached.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let place = self.places.get(&position.key())?;
        let spot = &self.spots[*place as usize];
        Some(match spot.known {
            Known::Won(winner, plies) if winner == spot.chooser => Value::Win(plies),
            Known::Won(_, plies) => Value::Loss(plies),
            Known::Open if !spot.ends => Value::Endless,
            Known::Open | Known::Drawn => Value::Draw,
        })
    }

    /// The value of a position and of its moves, the best first; `None`: it cannot be reached.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn solution(&self, position: &Position) -> Result<Option<Solution>, Error> {
        let Some(value) = self.value(position) else { return Ok(None) };
        let mut moves = Vec::new();
        for made in position.legal_moves()? {
            let mut behind = position.clone();
            behind.play(&made)?;
            let changes = behind.choosing() != position.choosing();
            let Some(value) = self.value(&behind) else { return Ok(None) };
            moves.push((made, value.before(changes)));
        }
        moves.sort_by_key(|(made, value)| (-value.rank(), made.id()));
        let plies = |spot: &Spot| if let Known::Won(_, plies) = spot.known { plies } else { 0 };
        let depth = self.spots.iter().map(plies).max().unwrap_or(0);
        Ok(Some(Solution { value, moves, depth }))
    }

    /// The moves of best play: quick wins, slow losses, and draws until they end or go round.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn line(&self, position: &Position, plies: usize) -> Result<Vec<Move>, Error> {
        let (mut at, mut line, mut seen) = (position.clone(), Vec::new(), vec![position.key()]);
        while line.len() < plies && !at.is_over() {
            let Some(solution) = self.solution(&at)? else { break };
            let Some((best, _)) = solution.moves.into_iter().next() else { break };
            at.play(&best)?;
            line.push(best);
            if seen.contains(&at.key()) {
                break;
            }
            seen.push(at.key());
        }
        Ok(line)
    }
}
