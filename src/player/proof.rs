//! Proof-number search: a position of two players goes in; who wins it, or that nobody does, comes out, without how soon.
//!
//! It is depth first, with a table of bounded size (df-pn: A. Nagai, 2002), and goes where least is left to prove. What is
//! left of the moves that must all be proven is not their sum but the greatest and how many others there are (weak
//! proof-number search: T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida, 2008): else a position that several ways lead to would
//! count several times. A new position counts as much as it has moves (mobility).
//!
//! Each question is whether a player can get so much. Coming back to a position of the line gets him nothing. So what is
//! proven is true wherever it is met; what is disproven may not be where play went round, and is not believed then.
//!
//! Positions that a symmetry of the rules makes of each other count as one.

use rustc_hash::FxHashSet;

use crate::board::Player;
use crate::game::{Error, Game, Position};
use crate::player::retrograde::Retrograde;
use crate::player::solver::{Solution, Value, seen_by};
use crate::player::symmetry::Symmetries;
use crate::sort;

/// Bytes of an entry.
const BYTES_OF_AN_ENTRY: usize = size_of::<[u64; 3]>();
/// Entries of a table, at least; and entries of a place in it.
const FEWEST: usize = 1 << 10;
const WAYS: usize = 4;
/// Nodes between two questions whether to go on.
const LOOK: u64 = 64;
/// Nothing is left to be done, or no work suffices.
const NONE: u32 = 0;
const ENDLESS: u32 = u32::MAX;
/// A move is searched until it looks worse than the second best by a part of so many: fewer positions are left and come back to
/// (J. Pawlewicz, L. Lew, 2006).
const PATIENCE: u32 = 4;

/// How much is left to prove that a player gets so much, and to disprove it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Left {
    proof: u32,
    disproof: u32,
}

impl Left {
    const PROVEN: Left = Left { proof: NONE, disproof: ENDLESS };
    const DISPROVEN: Left = Left { proof: ENDLESS, disproof: NONE };

    fn is_known(self) -> bool {
        self.proof == NONE || self.disproof == NONE
    }
}

/// What is known of a position. It is kept where there is room, or less work went into another.
#[derive(Clone, Copy, Debug)]
struct Entry {
    mark: u64,
    left: Left,
    work: u32,
    question: u8,
}

impl Entry {
    fn packed(self) -> [u64; 3] {
        let left = u64::from(self.left.proof) << 32 | u64::from(self.left.disproof);
        [self.mark, left, u64::from(self.work) << 32 | u64::from(self.question)]
    }

    fn unpacked([mark, left, rest]: [u64; 3]) -> Entry {
        let left = Left { proof: (left >> 32) as u32, disproof: left as u32 };
        Entry { mark, left, work: (rest >> 32) as u32, question: rest as u8 }
    }
}

/// A question: can the player get so much?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Question {
    prover: Player,
    least: Least,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Least {
    Draw,
    Win,
}

impl Question {
    /// From 1, as 0 stands for an entry that is empty.
    fn number(self) -> u8 {
        1 + 2 * self.prover.0 + self.least as u8
    }

    fn is_reached(self, payoff: f64) -> bool {
        payoff >= if self.least == Least::Win { 1.0 } else { 0.5 }
    }
}

/// What was met since the search began.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    draw: bool,
    /// A position of the line came back, or nobody could move and no outcome said what that means.
    round: bool,
}

/// A move of a position that is looked at.
struct Behind {
    position: Position,
    /// The canonical key.
    key: u128,
    left: Left,
    /// The game is over, or has come back to a position of the line.
    is_end: bool,
}

/// Proves who wins positions of one game for two players.
#[derive(Debug)]
pub struct ProofSearch {
    /// Packed, so that a new table is zeros: they come from the system, which gives memory only for what is written.
    entries: Vec<[u64; 3]>,
    symmetries: Symmetries,
    path: FxHashSet<u128>,
    met: Met,
    nodes: u64,
    stopped: bool,
    /// Nothing is searched: only what stands in the table is told.
    is_lookup: bool,
}

impl ProofSearch {
    /// Whether what is proven of a position holds whatever led to it, but for draws by repetition.
    pub fn knows(position: &Position) -> bool {
        Retrograde::knows(position)
    }

    /// A search in one game, whose table takes so many bytes at most.
    pub fn new(game: &Game, memory: usize) -> ProofSearch {
        let entries = (memory / BYTES_OF_AN_ENTRY).max(FEWEST);
        let entries = vec![[0; 3]; 1 << entries.ilog2()];
        let (path, met, symmetries) = (FxHashSet::default(), Met::default(), Symmetries::of(game));
        ProofSearch { entries, symmetries, path, met, nodes: 0, stopped: false, is_lookup: false }
    }

    /// Positions whose moves were looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position, and those of its moves that are known by then. `go_on` is asked now and then, with the number
    /// of positions.
    ///
    /// # Errors
    /// A fault of the rules; a game that chance plays in.
    pub fn solve(&mut self, position: &Position, mut go_on: impl FnMut(u64) -> bool) -> Result<Solution, Error> {
        crate::player::expect_no_chance(position)?;
        (self.stopped, self.is_lookup) = (false, false);
        let value = self.value(position, &mut go_on)?;
        let mut moves = Vec::new();
        self.is_lookup = true;
        for made in position.legal_moves()? {
            let mut behind = position.clone();
            behind.play(&made)?;
            let changes = behind.choosing() != position.choosing();
            let known = self.value(&behind, &mut go_on)?;
            moves.push((made, known.before(changes)));
        }
        sort::by_key(&mut moves, |(made, value)| (-value.rank(), made.id()));
        Ok(Solution { value, moves, depth: 0 })
    }

    fn value(&mut self, position: &Position, go_on: &mut impl FnMut(u64) -> bool) -> Result<Value, Error> {
        let chooser = position.choosing();
        let [wins, loses, draws] = [Value::Won, Value::Lost, Value::Draw].map(|value| seen_by(chooser, value));
        let (first, second) = (Player(0), Player(1));
        let mut ask = |prover, least| self.ask(position, Question { prover, least }, go_on);
        let (win, has_drawn) = ask(first, Least::Win)?;
        if win == Some(true) {
            return Ok(wins);
        }
        // If no game was drawn, who does not win loses.
        if win == Some(false) && !has_drawn {
            return Ok(loses);
        }
        let (draw, _) = ask(first, Least::Draw)?;
        if draw == Some(false) {
            return Ok(loses);
        }
        if win == Some(false) && draw == Some(true) {
            return Ok(draws);
        }
        // Play went round, so only what is proven counts.
        if draw != Some(true) && ask(second, Least::Win)?.0 == Some(true) {
            return Ok(loses);
        }
        let is_draw = draw == Some(true) && ask(second, Least::Draw)?.0 == Some(true);
        Ok(if is_draw { draws } else { Value::Unknown })
    }

    /// The answer to a question, if it is found, and whether a drawn game was met.
    fn ask(
        &mut self,
        position: &Position,
        question: Question,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> Result<(Option<bool>, bool), Error> {
        self.path.clear();
        let mut behind = self.seen(position.clone(), question)?;
        if !behind.is_end && !behind.left.is_known() && !self.is_lookup {
            let most = Left { proof: ENDLESS, disproof: ENDLESS };
            behind.left = self.search((&behind.position, behind.key), question, most, go_on)?;
        }
        let answer = match behind.left {
            Left { proof: NONE, .. } => Some(true),
            Left { disproof: NONE, .. } if !self.met.round => Some(false),
            _ => None,
        };
        Ok((answer, self.met.draw))
    }

    /// What is known of a position before it is looked at.
    fn seen(&mut self, position: Position, question: Question) -> Result<Behind, Error> {
        let key = self.symmetries.key(&position);
        let end = self.at_end(&position, key, question);
        let left = match end.or_else(|| self.known(key, question)) {
            Some(left) => left,
            None => first_guess(&position, question)?,
        };
        Ok(Behind { position, key, left, is_end: end.is_some() })
    }

    /// What is left where the game is over or has come back to a position of the line: nothing.
    fn at_end(&mut self, position: &Position, key: u128, question: Question) -> Option<Left> {
        if let Some(payoff) = position.payoff(question.prover) {
            self.met.draw |= payoff > 0.0 && payoff < 1.0;
            return Some(if question.is_reached(payoff) { Left::PROVEN } else { Left::DISPROVEN });
        }
        if self.path.contains(&key) {
            self.met.round = true;
            return Some(Left::DISPROVEN);
        }
        None
    }

    /// The positions behind all moves, and what is known of each; where one decides, no others are needed.
    fn all_behind(&mut self, position: &Position, question: Question) -> Result<Vec<Behind>, Error> {
        let chooses = position.choosing() == question.prover;
        let decides = |left: Left| if chooses { left.proof == NONE } else { left.disproof == NONE };
        let mut moves = Vec::new();
        for made in position.legal_moves()? {
            let mut behind = position.clone();
            behind.play(&made)?;
            let key = self.symmetries.key(&behind);
            let end = self.at_end(&behind, key, question);
            // Another move that leads to the same position tells nothing more.
            if moves.iter().any(|other: &Behind| other.key == key) {
                continue;
            }
            moves.push(Behind { position: behind, key, left: end.unwrap_or_default(), is_end: end.is_some() });
            if end.is_some_and(decides) {
                return Ok(moves);
            }
        }
        // The table does not fit into caches: looked up together, positions do not wait for each other.
        let known: Vec<Option<Left>> =
            moves.iter().map(|behind| if behind.is_end { None } else { self.known(behind.key, question) }).collect();
        let is_decided = known.iter().any(|known| known.is_some_and(decides));
        for (behind, known) in moves.iter_mut().zip(known) {
            match known {
                Some(left) => behind.left = left,
                None if behind.is_end => {}
                // Nobody asks how much is left of it, but it is not known.
                None if is_decided => behind.left = Left { proof: 1, disproof: 1 },
                None => behind.left = first_guess(&behind.position, question)?,
            }
        }
        Ok(moves)
    }

    /// Searches a position until as much is left to prove or to disprove as `most` says.
    fn search(
        &mut self,
        (position, key): (&Position, u128),
        question: Question,
        most: Left,
        go_on: &mut impl FnMut(u64) -> bool,
    ) -> Result<Left, Error> {
        self.nodes += 1;
        let begun = self.nodes;
        if self.nodes.is_multiple_of(LOOK) && !go_on(self.nodes) {
            self.stopped = true;
        }
        self.path.insert(key);
        let chooses = position.choosing() == question.prover;
        let mut moves = self.all_behind(position, question)?;
        if moves.is_empty() {
            self.met.round = true;
            self.path.remove(&key);
            return Ok(Left::DISPROVEN);
        }
        let left = loop {
            let (left, at, second) = gathered(&moves, chooses);
            if left.is_known() || left.proof >= most.proof || left.disproof >= most.disproof || self.stopped {
                break left;
            }
            // Where all are to be looked at, others have their share of what may be left.
            let others = moves.iter().filter(|behind| !behind.left.is_known()).count() as u32 - 1;
            let patience = second.saturating_add(1 + second / PATIENCE);
            let below = |bound: u32| if bound == ENDLESS { ENDLESS } else { bound.saturating_sub(others).max(1) };
            let next = match chooses {
                true => Left { proof: most.proof.min(patience), disproof: below(most.disproof) },
                false => Left { proof: below(most.proof), disproof: most.disproof.min(patience) },
            };
            let behind = (&moves[at].position, moves[at].key);
            moves[at].left = stacker::maybe_grow(1 << 16, 1 << 20, || self.search(behind, question, next, go_on))?;
        };
        self.path.remove(&key);
        if !self.stopped {
            self.keep(key, question, left, self.nodes - begun);
        }
        Ok(left)
    }

    /// The places of a key in the table.
    fn places(&self, key: u128) -> std::ops::Range<usize> {
        let first = (key >> 64) as usize & (self.entries.len() - 1) & !(WAYS - 1);
        first..first + WAYS
    }

    fn known(&self, key: u128, question: Question) -> Option<Left> {
        let mut entries = self.entries[self.places(key)].iter().map(|packed| Entry::unpacked(*packed));
        let is_it = |entry: &Entry| entry.mark == key as u64 && entry.question == question.number();
        entries.find(is_it).map(|entry| entry.left)
    }

    fn keep(&mut self, key: u128, question: Question, left: Left, work: u64) {
        let new = Entry {
            mark: key as u64,
            left,
            work: u32::try_from(work).unwrap_or(u32::MAX),
            question: question.number(),
        };
        let places = self.places(key);
        let entries = &mut self.entries[places];
        let old = |at: usize| Entry::unpacked(entries[at]);
        let same = (0..WAYS).find(|&at| old(at).mark == new.mark && old(at).question == new.question);
        let work = same.map_or(new.work, |at| new.work.saturating_add(old(at).work));
        let least = (0..WAYS).min_by_key(|&at| old(at).work).unwrap_or(0);
        entries[same.unwrap_or(least)] = Entry { work, ..new }.packed();
    }
}

/// What is left of a position that was never looked at grows with the moves of him who has to look at all of them.
fn first_guess(position: &Position, question: Question) -> Result<Left, Error> {
    let moves = u32::try_from(position.perft(1)?).unwrap_or(1).clamp(1, 1 << 16);
    Ok(match position.choosing() == question.prover {
        true => Left { proof: 1, disproof: moves },
        false => Left { proof: moves, disproof: 1 },
    })
}

/// What is left of a position by what is left of its moves; the move to look at, and how much is left of the second best.
fn gathered(moves: &[Behind], chooses: bool) -> (Left, usize, u32) {
    // One move is enough for him who chooses; all have to be looked at where the other does.
    let one = |left: Left| if chooses { left.proof } else { left.disproof };
    let all = |left: Left| if chooses { left.disproof } else { left.proof };
    let (mut best, mut at, mut second, mut greatest, mut open) = (ENDLESS, 0, ENDLESS, NONE, 0u32);
    for (number, behind) in moves.iter().enumerate() {
        if one(behind.left) < best {
            (second, best, at) = (best, one(behind.left), number);
        } else {
            second = second.min(one(behind.left));
        }
        if all(behind.left) != NONE {
            (greatest, open) = (greatest.max(all(behind.left)), open + 1);
        }
    }
    let rest = if greatest == ENDLESS { ENDLESS } else { greatest.saturating_add(open.saturating_sub(1)) };
    // What is endless on one side is done on the other.
    let (best, rest) = match (best, rest) {
        (NONE, _) => (NONE, ENDLESS),
        (_, NONE) => (ENDLESS, NONE),
        (best, rest) => (best.min(ENDLESS - 1), rest.min(ENDLESS - 1)),
    };
    let left = if chooses { Left { proof: best, disproof: rest } } else { Left { proof: rest, disproof: best } };
    (left, at, second)
}
