//! Solver: a position of two players goes in; its exact value, how long it takes, and the best line
//! come out.
//!
//! Two questions are asked, each by a depth-first search of AND and OR nodes that goes deeper and
//! deeper (iterative deepening): can the first player win, and can he draw at least. So the depth at
//! which a win is first proven is the length of the shortest forced win. Answers are kept in a
//! transposition table of bounded size, where deeper ones stay, unless the rules ask the history: then a position
//! alone does not decide. Moves are asked as they are listed: the history heuristic cost as much time as it saved.

use crate::board::Player;
use crate::game::{Error, Move, Position};
use crate::player::expect_no_chance;
use crate::sort;

/// Entries of a table, at least; and entries of a place in it.
const FEWEST: usize = 1 << 10;
const WAYS: usize = 2;
/// Deepest search, in plies.
const MOST_PLIES: u16 = 1000;
/// Nodes between two questions whether to go on.
const LOOK: u64 = 256;

/// What a position is worth, as far as it is known, to the player who chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// He wins in so many plies at most, however the other plays.
    Win(u16),
    /// He wins; how soon is not known.
    Won,
    Draw,
    /// Nobody can force an end, and no move that gives nothing away leads to one: play goes round.
    Endless,
    /// He loses, and can hold out for so many plies.
    Loss(u16),
    /// He loses; how soon is not known.
    Lost,
    Unknown,
}

impl Value {
    /// The payoff, if it is known.
    pub fn payoff(self) -> Option<f64> {
        match self {
            Value::Win(_) | Value::Won => Some(1.0),
            Value::Draw | Value::Endless => Some(0.5),
            Value::Loss(_) | Value::Lost => Some(0.0),
            Value::Unknown => None,
        }
    }

    /// Better values are greater: the quickest win first, the slowest loss last.
    pub(super) fn rank(self) -> i32 {
        match self {
            Value::Win(plies) => 100_000 - i32::from(plies),
            Value::Won => 10_000,
            Value::Draw | Value::Endless => 1,
            Value::Unknown => 0,
            Value::Lost => -10_000,
            Value::Loss(plies) => -100_000 + i32::from(plies),
        }
    }

    /// The same for the other player, or for the same one, a ply earlier.
    pub(super) fn before(self, changes: bool) -> Value {
        match (self, changes) {
            (Value::Win(plies), true) => Value::Loss(plies + 1),
            (Value::Loss(plies), true) => Value::Win(plies + 1),
            (Value::Win(plies), false) => Value::Win(plies + 1),
            (Value::Loss(plies), false) => Value::Loss(plies + 1),
            (Value::Won, true) => Value::Lost,
            (Value::Lost, true) => Value::Won,
            (same, _) => same,
        }
    }
}

/// A question: can the first player get so much?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Question {
    Win,
    Draw,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// Not within the depth.
    #[default]
    Open,
}

/// What is known of a question in a position: an answer with a depth that suffices, and the depth that
/// does not. An answer says nothing of less depth than its own: else plies would be counted wrong.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    answer: Answer,
    depth: u16,
    open: u16,
}

/// What is known of one question: marks of keys, and what is known of them. It is packed, so that a new table is zeros:
/// they come from the system, which gives memory only for what is written.
#[derive(Debug)]
struct Table {
    entries: Vec<[u64; 2]>,
}

impl Table {
    /// A table of so many bytes at most.
    fn new(memory: usize) -> Table {
        let count = (memory / size_of::<[u64; 2]>()).max(FEWEST);
        Table { entries: vec![[0; 2]; 1 << count.ilog2()] }
    }

    /// The entries where a key may stand.
    fn places(&self, key: u128) -> std::ops::Range<usize> {
        let first = (key >> 64) as usize & (self.entries.len() - 1) & !(WAYS - 1);
        first..first + WAYS
    }

    fn get(&self, key: u128) -> Option<Known> {
        let entries = &self.entries[self.places(key)];
        entries.iter().find(|[mark, _]| *mark == key as u64).map(|[_, packed]| Known::unpacked(*packed))
    }

    /// Keeps what a search to a depth has found, in place of what was found by the least depth.
    fn keep(&mut self, key: u128, answer: Answer, depth: u16) {
        let (mark, places) = (key as u64, self.places(key));
        let entries = &mut self.entries[places];
        let old = |at: usize| Known::unpacked(entries[at][1]);
        let same = entries.iter().position(|[other, _]| *other == mark);
        let known = same.map_or(Known::default(), old).with(answer, depth);
        let least = (0..WAYS).min_by_key(|&at| old(at).depth.max(old(at).open)).unwrap_or(0);
        entries[same.unwrap_or(least)] = [mark, known.packed()];
    }
}

impl Known {
    fn packed(self) -> u64 {
        let answer = match self.answer {
            Answer::Open => 0,
            Answer::Yes => 1,
            Answer::No => 2,
        };
        answer | u64::from(self.depth) << 16 | u64::from(self.open) << 32
    }

    fn unpacked(packed: u64) -> Known {
        let answer = match packed as u16 {
            1 => Answer::Yes,
            2 => Answer::No,
            _ => Answer::Open,
        };
        Known { answer, depth: (packed >> 16) as u16, open: (packed >> 32) as u16 }
    }

    /// What it says of a depth, if anything.
    fn at(self, depth: u16) -> Option<Answer> {
        if self.answer != Answer::Open && self.depth <= depth {
            Some(self.answer)
        } else {
            (self.open >= depth).then_some(Answer::Open)
        }
    }

    /// The same, with what a search to a depth has found.
    fn with(self, answer: Answer, depth: u16) -> Known {
        match answer {
            Answer::Open => Known { open: self.open.max(depth), ..self },
            _ if self.answer == Answer::Open || depth < self.depth => Known { answer, depth, ..self },
            _ => self,
        }
    }
}

/// Solves positions of one game for two players.
#[derive(Debug)]
pub struct Solver {
    tables: [Table; 2],
    uses_table: bool,
    nodes: u64,
    stopped: bool,
}

/// What is found of a position.
#[derive(Clone, Debug)]
pub struct Solution {
    pub value: Value,
    /// All moves with their values, the best first.
    pub moves: Vec<(Move, Value)>,
    /// Plies that were looked ahead.
    pub depth: u16,
}

impl Solver {
    /// A solver whose table takes so many bytes, about. `position` tells of which game.
    pub fn new(position: &Position, memory: usize) -> Solver {
        let asks = &position.game().model().asks;
        Solver {
            tables: [Table::new(memory / 2), Table::new(memory / 2)],
            uses_table: !(asks.times_pieces || asks.times_position),
            nodes: 0,
            stopped: false,
        }
    }

    /// Positions that were looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position and of its moves. `go_on` is asked now and then, with the number of
    /// positions and the depth.
    ///
    /// # Errors
    /// A fault of the rules; a game that chance plays in.
    pub fn solve(&mut self, position: &Position, mut go_on: impl FnMut(u64, u16) -> bool) -> Result<Solution, Error> {
        expect_no_chance(position)?;
        self.stopped = false;
        let (value, depth) = self.value(position, MOST_PLIES, &mut go_on)?;
        let mut moves = Vec::new();
        for made in position.legal_moves()? {
            let mut behind = position.clone();
            behind.play(&made)?;
            let changes = behind.choosing() != position.choosing();
            let (behind, _) = self.value(&behind, depth.max(1), &mut go_on)?;
            moves.push((made, behind.before(changes)));
        }
        sort::by_key(&mut moves, |(made, value)| (-value.rank(), made.id()));
        Ok(Solution { value, moves, depth })
    }

    /// The moves of best play from a solved position on: quick wins, slow losses.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn line(
        &mut self,
        position: &Position,
        plies: usize,
        mut go_on: impl FnMut(u64, u16) -> bool,
    ) -> Result<Vec<Move>, Error> {
        let (mut at, mut line) = (position.clone(), Vec::new());
        while line.len() < plies && !at.is_over() {
            let solution = self.solve(&at, &mut go_on)?;
            let Some((best, value)) = solution.moves.into_iter().next() else { break };
            if value == Value::Unknown {
                break;
            }
            at.play(&best)?;
            line.push(best);
        }
        Ok(line)
    }

    /// The value of a position, looking ahead so many plies at most; and how many it took.
    fn value(
        &mut self,
        position: &Position,
        most: u16,
        go_on: &mut impl FnMut(u64, u16) -> bool,
    ) -> Result<(Value, u16), Error> {
        let chooser = position.choosing();
        let (mut win, mut draw) = (Answer::Open, Answer::Open);
        for depth in 0..=most {
            if win == Answer::Open {
                win = self.ask(Question::Win, position, depth, go_on)?;
                if win == Answer::Yes {
                    return Ok((seen_by(chooser, Value::Win(depth)), depth));
                }
            }
            if draw == Answer::Open {
                draw = self.ask(Question::Draw, position, depth, go_on)?;
                if draw == Answer::No {
                    return Ok((seen_by(chooser, Value::Loss(depth)), depth));
                }
            }
            if win == Answer::No && draw == Answer::Yes {
                return Ok((Value::Draw, depth));
            }
            if self.stopped || !go_on(self.nodes, depth) {
                return Ok((Value::Unknown, depth));
            }
        }
        Ok((Value::Unknown, most))
    }

    fn ask(
        &mut self,
        question: Question,
        position: &Position,
        depth: u16,
        go_on: &mut impl FnMut(u64, u16) -> bool,
    ) -> Result<Answer, Error> {
        if let Some(payoff) = position.payoff(Player(0)) {
            let enough = match question {
                Question::Win => payoff >= 1.0,
                Question::Draw => payoff >= 0.5,
            };
            return Ok(if enough { Answer::Yes } else { Answer::No });
        }
        if depth == 0 || self.stopped {
            return Ok(Answer::Open);
        }
        let key = position.key();
        let known = self.tables[question as usize].get(key).filter(|_| self.uses_table);
        if let Some(answer) = known.and_then(|known| known.at(depth)) {
            return Ok(answer);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && !go_on(self.nodes, depth) {
            self.stopped = true;
            return Ok(Answer::Open);
        }
        let answer = stacker::maybe_grow(1 << 16, 1 << 20, || self.ask_moves(question, position, depth, go_on))?;
        if self.uses_table && !self.stopped {
            self.tables[question as usize].keep(key, answer, depth);
        }
        Ok(answer)
    }

    fn ask_moves(
        &mut self,
        question: Question,
        position: &Position,
        depth: u16,
        go_on: &mut impl FnMut(u64, u16) -> bool,
    ) -> Result<Answer, Error> {
        // What ends the question at once, for him who chooses.
        let best = if position.choosing() == Player(0) { Answer::Yes } else { Answer::No };
        let moves = position.legal_moves()?;
        let mut answer = if best == Answer::Yes { Answer::No } else { Answer::Yes };
        // Nobody can move, and no outcome says what that means.
        if moves.is_empty() {
            return Ok(Answer::Open);
        }
        let mut behind = position.clone();
        for made in &moves {
            behind.play(made)?;
            let found = self.ask(question, &behind, depth - 1, go_on)?;
            behind.undo();
            if found == best {
                return Ok(best);
            }
            if found == Answer::Open {
                answer = Answer::Open;
            }
        }
        Ok(answer)
    }
}

/// A value of the first player, seen by him who chooses.
pub(super) fn seen_by(chooser: Player, value: Value) -> Value {
    match value {
        same if chooser == Player(0) => same,
        Value::Win(plies) => Value::Loss(plies),
        Value::Loss(plies) => Value::Win(plies),
        Value::Won => Value::Lost,
        Value::Lost => Value::Won,
        same => same,
    }
}
