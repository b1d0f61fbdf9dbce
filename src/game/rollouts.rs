//! Rollouts: positions go in; how random games from each went comes out. They are played in lock
//! step where the game has it.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::batch::{From, Games, Start};
use crate::board::Player;
use crate::game::body::Body;
use crate::game::node::Node;
use crate::game::shared::{Scratch, Shared};
use crate::game::{Error, Game, Position};
use crate::interp;
use crate::position;
use crate::position::{Fault, Outcome};

/// How rollouts are played.
#[derive(Clone, Copy, Debug)]
pub struct Rollouts {
    /// Random games from each position.
    pub games: u32,
    /// Decides the games, with the place of their position and their number.
    pub seed: u64,
    /// Turns of a game, at most.
    pub max_turns: u32,
}

impl Default for Rollouts {
    fn default() -> Rollouts {
        Rollouts { games: 1, seed: 0, max_turns: 1000 }
    }
}

/// How random games from one position went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub games: u64,
    /// Games that ended; the others reached the bound of turns.
    pub ended: u64,
    /// Turns of all games.
    pub turns: u64,
    /// By player: 1 for each win, one half for each draw.
    pub points: Vec<f64>,
}

impl Tally {
    fn new(players: usize) -> Tally {
        Tally { points: vec![0.0; players], ..Tally::default() }
    }

    fn add(&mut self, outcome: Option<Outcome>, turns: u64) {
        self.games += 1;
        self.turns += turns;
        let Some(outcome) = outcome else { return };
        self.ended += 1;
        for (index, points) in self.points.iter_mut().enumerate() {
            *points += outcome.payoff(Player(index as u8));
        }
    }

    /// The mean payoff of a player, from 0 to 1; a game without an outcome counts as a draw.
    pub fn mean(&self, player: Player) -> f64 {
        if self.games == 0 {
            return 0.5;
        }
        let unended = (self.games - self.ended) as f64;
        (self.points.get(player.index()).copied().unwrap_or(0.0) + 0.5 * unended) / self.games as f64
    }
}

impl Game {
    /// Plays random games from each of many positions of this game, on this thread; games are played
    /// in lock step where that is faster. The results are the same either way: each game has a
    /// generator of its own.
    ///
    /// ```
    /// use lusoria::{Game, Rollouts};
    ///
    /// let game = Game::shipped("breakthrough").expect("it is shipped");
    /// let mut position = game.start(0)?;
    /// let mut behind = Vec::new();
    /// for one in position.legal_moves()? {
    ///     position.play(&one)?;
    ///     behind.push(position.clone());
    ///     position.undo();
    /// }
    /// let tallies = game.rollouts(&behind, &Rollouts { games: 100, seed: 1, ..Rollouts::default() })?;
    /// assert_eq!(tallies.len(), 22);
    /// assert!(tallies.iter().all(|tally| tally.ended == 100));
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules in one of the games, the first by position and number.
    pub fn rollouts(&self, positions: &[Position], how: &Rollouts) -> Result<Vec<Tally>, Error> {
        let mut tallies = vec![Tally::new(self.model().seats.len()); positions.len()];
        let mut alone = Vec::new();
        let mut nodes = Vec::new();
        let prepared = self.shared.prepared();
        for (index, position) in positions.iter().enumerate() {
            match &position.body {
                Body::Planned(node) if prepared.is_some() && position.is_of(self) => nodes.push((index, node)),
                _ => alone.push(index),
            }
        }
        if let Some(prepared) = prepared.filter(|_| !nodes.is_empty()) {
            let mut queue =
                Queue { shared: &self.shared, how, nodes: &nodes, next: 0, failed: None, tallies: &mut tallies };
            // The scratch is lent for all games; a node asks for it to give its state.
            let batch = self.shared.scratch(|scratch: &mut Scratch| scratch.batch.take());
            let mut batch = batch.unwrap_or_else(|| prepared.clone().batch(None));
            batch.play(&mut queue, u64::from(how.max_turns));
            let failed = queue.failed;
            self.shared.scratch(|scratch: &mut Scratch| scratch.batch = Some(batch));
            if let Some((_, fault, at)) = failed {
                return Err(positions[0].fault_at(fault, &at));
            }
        }
        for index in alone {
            for number in 0..u64::from(how.games) {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed_of(how, index, number));
                let (outcome, turns) = positions[index].played_out(&mut rng, how.max_turns)?;
                tallies[index].add(outcome, turns);
            }
        }
        Ok(tallies)
    }
}

/// What the generator of a game is seeded from.
fn seed_of(how: &Rollouts, index: usize, number: u64) -> u64 {
    let place = (index as u64).wrapping_mul(0xd134_2543_de82_ef95);
    how.seed ^ place ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The games that a batch is given.
struct Queue<'a> {
    shared: &'a Shared,
    how: &'a Rollouts,
    /// The places of positions, and their nodes.
    nodes: &'a [(usize, &'a std::sync::Arc<Node>)],
    next: u64,
    failed: Option<(u64, Fault, Box<position::Position>)>,
    tallies: &'a mut [Tally],
}

impl Queue<'_> {
    /// The place of a game's position among all, and its number there.
    fn place(&self, game: u64) -> (usize, u64) {
        let games = u64::from(self.how.games).max(1);
        (self.nodes[(game / games) as usize].0, game % games)
    }
}

impl Games for Queue<'_> {
    fn next(&mut self) -> Option<Start> {
        let games = u64::from(self.how.games);
        if self.failed.is_some() || games == 0 || self.next / games >= self.nodes.len() as u64 {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let (index, of_position) = self.place(number);
        let from = match of_position {
            0 => {
                let (_, node) = self.nodes[(number / games) as usize];
                From::State(Box::new(node.exported(self.shared)?))
            }
            _ => From::Last,
        };
        Some(Start { number, seed: seed_of(self.how, index, of_position), from })
    }

    fn done(&mut self, number: u64, went: Result<interp::Playout, (Fault, Box<position::Position>)>) {
        let (index, _) = self.place(number);
        match went {
            Ok(playout) => self.tallies[index].add(playout.outcome, playout.turns),
            Err((fault, at)) => {
                if self.failed.as_ref().is_none_or(|(first, ..)| number < *first) {
                    self.failed = Some((number, fault, at));
                }
            }
        }
    }

    fn refused(&mut self, _: u64) {
        // The plan made the state, so it has room for it.
    }
}
