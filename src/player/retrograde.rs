//! Retrograde analysis: a position of a small game of two players goes in; the exact value of every
//! position that can be reached from it comes out, with how long it takes.
//!
//! All positions are listed forward, then their values go backward from the ends (T. Ströhlein, 1970;
//! K. Thompson, 1986): a position is won if one move leads to a position that is won for its player,
//! and lost if all moves lead to such of the other. What is left when no more can be told is drawn:
//! nobody can force more. So games that go round in circles have values too. The history of a position
//! is not asked: what rules say of repetition may only be that it is a draw, as it is here anyway.
//!
//! Positions that a symmetry of the rules makes of each other count as one.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::board::Player;
use crate::game::{Error, Game, Move, Position};
use crate::model;
use crate::player::expect_no_chance;
use crate::player::solver::{Solution, Value};
use crate::player::symmetry::Symmetries;
use crate::sort;

/// Bytes of a position while its moves have not been listed, with what led to it; of its text; of one whose moves
/// are known; of a move. Roughly.
const BYTES_OF_OPEN: usize = 2500;
const BYTES_OF_TEXT: usize = 100;
const BYTES_OF_POSITION: usize = 100;
const BYTES_OF_MOVE: usize = 12;
/// Of more positions than so many, whose moves have not been listed, the text is kept.
const MOST_WHOLE: usize = 1000;
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

/// A position whose moves have not been listed.
enum Queued {
    Whole(Box<Position>),
    Text(Box<str>),
}

impl Queued {
    /// The position, or its text if there are many and it says all.
    fn of(position: Position, others: usize) -> Queued {
        if others >= MOST_WHOLE {
            let text = position.to_string();
            let is_read_back = |read: Position| read.key() == position.key() && read.is_over() == position.is_over();
            if position.game().position(&text).is_ok_and(is_read_back) {
                return Queued::Text(text.into_boxed_str());
            }
        }
        Queued::Whole(Box::new(position))
    }

    fn position(self, game: &Game) -> Result<Position, Error> {
        match self {
            Queued::Whole(position) => Ok(*position),
            Queued::Text(text) => game.position(&text),
        }
    }
}

/// The values of all positions that can be reached from one.
#[derive(Debug)]
pub struct Retrograde {
    symmetries: Symmetries,
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
        let game = position.game();
        let symmetries = Symmetries::of(game);
        let mut all = Retrograde { symmetries, spots: Vec::new(), places: FxHashMap::default(), behind: Vec::new() };
        all.add(all.symmetries.key(position), position);
        let (mut open, mut whole) = (VecDeque::from([Queued::of(position.clone(), 0)]), 1);
        let (mut at, mut behind) = (0, Vec::new());
        while let Some(next) = open.pop_front() {
            whole -= usize::from(matches!(next, Queued::Whole(_)));
            let bytes = all.spots.len() * BYTES_OF_POSITION
                + all.behind.len() * BYTES_OF_MOVE
                + whole * BYTES_OF_OPEN
                + (open.len() - whole) * BYTES_OF_TEXT;
            if bytes > memory || at % LOOK == 0 && !go_on(all.spots.len()) {
                return Ok(None);
            }
            all.spots[at].first = all.behind.len() as u32;
            if all.spots[at].known == Known::Open {
                let mut position = next.position(game)?;
                for made in position.legal_moves()? {
                    position.play(&made)?;
                    let key = all.symmetries.key(&position);
                    let place = match all.places.get(&key) {
                        Some(place) => *place,
                        None => {
                            let place = all.add(key, &position);
                            let next = Queued::of(position.clone(), whole);
                            whole += usize::from(matches!(next, Queued::Whole(_)));
                            open.push_back(next);
                            place
                        }
                    };
                    behind.push(place);
                    position.undo();
                }
                // Several moves may lead to one position, and to such as count as one.
                behind.sort_unstable();
                behind.dedup();
                let moves = behind.len() as u32;
                all.behind.append(&mut behind);
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

    fn add(&mut self, key: u128, position: &Position) -> u32 {
        let place = self.spots.len() as u32;
        let known = match (position.payoff(Player(0)), position.payoff(Player(1))) {
            (Some(one), Some(other)) if one > other => Known::Won(Player(0), 0),
            (Some(one), Some(other)) if one < other => Known::Won(Player(1), 0),
            (Some(_), _) => Known::Drawn,
            (None, _) => Known::Open,
        };
        self.spots.push(Spot { chooser: position.choosing(), known, ends: false, left: 0, first: 0, moves: 0 });
        self.places.insert(key, place);
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

    /// How many positions can be reached, of those that a symmetry makes of each other one.
    pub fn positions(&self) -> usize {
        self.spots.len()
    }

    /// How many positions the player to move wins, and loses, and how many nobody can win.
    pub fn tally(&self) -> [usize; 3] {
        let mut tally = [0; 3];
        for spot in &self.spots {
            tally[match spot.known {
                Known::Won(winner, _) => usize::from(winner != spot.chooser),
                Known::Open | Known::Drawn => 2,
            }] += 1;
        }
        tally
    }

    /// How many ways to turn and mirror the board no rule can tell, 1 at least.
    pub fn symmetries(&self) -> usize {
        self.symmetries.count()
    }

    /// The value of a position for the player who chooses; `None`: it cannot be reached.
    pub fn value(&self, position: &Position) -> Option<Value> {
        let place = self.places.get(&self.symmetries.key(position))?;
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
        sort::by_key(&mut moves, |(made, value)| (-value.rank(), made.id()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_positions_the_text_is_kept_if_it_says_all() {
        let game = Game::shipped("nine_mens_morris").expect("it is shipped");
        let mut position = game.position("W1B/3/3/1W4/3/3/BBW White").expect("it is one");
        assert!(matches!(Queued::of(position.clone(), 0), Queued::Whole(_)));
        let kept = Queued::of(position.clone(), MOST_WHOLE);
        assert!(matches!(kept, Queued::Text(_)));
        assert_eq!(kept.position(&game).expect("it is read").key(), position.key());
        // How long three men have flown is told too.
        let first = position.legal_moves().expect("no fault").remove(0);
        position.play(&first).expect("legal");
        let kept = Queued::of(position.clone(), MOST_WHOLE);
        assert_eq!(kept.position(&game).expect("it is read").key(), position.key());
    }
}
