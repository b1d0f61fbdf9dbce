//! Contest: players of some strengths go in; games between equals, and between unlike ones, come out, the same for a seed
//! however they are cut into slices.

use std::fmt;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Error, Game, Move, Position};
use crate::measures::games::Sample;
use crate::player::simple::{drawn_by_chance, greedy, random};
use crate::player::{Mcts, Options};

/// Memory of the tree of one player, in bytes.
const MEMORY: usize = 1 << 26;
/// Plies of a game, at most.
const MOST_PLIES: usize = 20_000;

/// How well a player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    Random,
    Greedy,
    /// Tree search, with so many playouts for a move.
    Search(u64),
}

impl fmt::Display for Strength {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Random => out.pad("random"),
            Strength::Greedy => out.pad("greedy"),
            Strength::Search(playouts) => out.pad(&format!("mcts:{playouts}")),
        }
    }
}

/// Who plays whom.
#[derive(Clone, Debug)]
pub struct Contest {
    pub game: Game,
    /// Each plays itself.
    pub levels: Vec<Strength>,
    /// The stronger and the weaker, and whether the stronger is the same with twice the search.
    pub pairs: Vec<(Strength, Strength, bool)>,
    pub seed: u64,
    pub setup: Option<u64>,
    pub max_turns: u32,
}

/// What is played in one go: a game of a level, or two games of a pair with exchanged seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Level(usize),
    Pair(usize),
}

/// The games of a task.
pub type Played = Vec<Sample>;

impl Contest {
    /// A pair plays in each second round, as its games are two.
    fn tasks(&self) -> Vec<Task> {
        let levels = || (0..self.levels.len()).map(Task::Level);
        levels().chain((0..self.pairs.len()).map(Task::Pair)).chain(levels()).collect()
    }

    /// The tasks of so many rounds.
    pub fn tasks_of(&self, rounds: u64) -> u64 {
        let (levels, pairs) = (self.levels.len() as u64, self.pairs.len() as u64);
        rounds.div_ceil(2) * (levels + pairs) + rounds / 2 * levels
    }

    fn task(&self, number: u64) -> Option<Task> {
        let tasks = self.tasks();
        tasks.get((number % tasks.len() as u64) as usize).copied()
    }

    /// The games of a task, in their order.
    pub fn of_task<'p>(&'p self, played: &'p [(u64, Played)], wanted: Task) -> impl Iterator<Item = &'p Played> + 'p {
        played.iter().filter(move |(number, _)| self.task(*number) == Some(wanted)).map(|(_, games)| games)
    }

    /// Begins the task of a number; `None`: nobody plays.
    pub fn begin(&self, number: u64) -> Option<Bout> {
        let seats = self.game.players().len();
        let tables = match self.task(number)? {
            Task::Level(at) => vec![vec![*self.levels.get(at)?; seats]],
            Task::Pair(at) => {
                let (stronger, weaker, _) = *self.pairs.get(at)?;
                vec![vec![stronger, weaker], vec![weaker, stronger]]
            }
        };
        Some(Bout { number, tables, over: Vec::new(), running: None })
    }

    fn start(&self, strengths: &[Strength], seed: u64) -> Result<Running, Error> {
        let position = match self.setup {
            Some(number) => self.game.start_numbered(number)?,
            None => self.game.start(seed)?,
        };
        let player = |(seat, strength): (usize, &Strength)| {
            Seated::new(*strength, seed ^ (seat as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95))
        };
        let seats = strengths.iter().enumerate().map(player).collect();
        let dice = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(Running { sample: Sample::begin(&position), position, seats, dice, max_turns: self.max_turns })
    }
}

/// A task that is being played.
pub struct Bout {
    number: u64,
    /// Who has which seat in each of its games.
    tables: Vec<Vec<Strength>>,
    over: Played,
    running: Option<Running>,
}

impl Bout {
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Plays on until `go_on` says no, which is asked before each ply and each round of a search; the games, once all are
    /// over.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play(&mut self, contest: &Contest, go_on: &mut dyn FnMut() -> bool) -> Result<Option<Played>, Error> {
        while let Some(strengths) = self.tables.get(self.over.len()) {
            let mut running = match self.running.take() {
                Some(running) => running,
                None => {
                    let number = 2 * self.number + self.over.len() as u64 + 1;
                    contest.start(strengths, contest.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))?
                }
            };
            if !running.play(go_on)? {
                self.running = Some(running);
                return Ok(None);
            }
            running.sample.end(&running.position);
            self.over.push(running.sample);
        }
        Ok(Some(std::mem::take(&mut self.over)))
    }
}

/// A game that has not ended.
struct Running {
    position: Position,
    sample: Sample,
    seats: Vec<Seated>,
    dice: Xoshiro256PlusPlus,
    max_turns: u32,
}

impl Running {
    /// Whether the game is over, or given up.
    fn play(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Error> {
        let is_open = |running: &Running| {
            let turns = running.position.state().turns();
            !running.position.is_over() && turns < running.max_turns && running.sample.plies.len() < MOST_PLIES
        };
        while is_open(self) {
            // A search that goes on asks by itself: a step of one unit would else come to nothing.
            let is_thinking = self.seats.iter().any(|seat| seat.thinking.is_some());
            if !is_thinking && !go_on() {
                return Ok(false);
            }
            let chosen = if self.position.is_chance_next() {
                Chosen::Made(drawn_by_chance(&self.position, &mut self.dice)?, None)
            } else {
                match self.seats.get_mut(self.position.choosing().index()) {
                    Some(player) => player.choose(&self.position, go_on)?,
                    None => Chosen::Nothing,
                }
            };
            match chosen {
                Chosen::Made(made, value) => self.sample.play(&mut self.position, &made, value)?,
                Chosen::Nothing => break,
                Chosen::NotYet => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// What a player answers.
enum Chosen {
    /// A move, and his prospects where he has thought about them.
    Made(Move, Option<f64>),
    Nothing,
    /// He thinks on when he is asked again.
    NotYet,
}

/// A player at the board.
struct Seated {
    strength: Strength,
    options: Options,
    rng: Xoshiro256PlusPlus,
    /// The tree of the move before.
    tree: Option<Mcts>,
    /// The tree that grows, and the playouts that it began with.
    thinking: Option<(Mcts, u64)>,
}

impl Seated {
    fn new(strength: Strength, seed: u64) -> Seated {
        let options = Options { seed, memory: MEMORY, leaves: 8, games: 2, ..Options::default() };
        Seated { strength, options, rng: Xoshiro256PlusPlus::seed_from_u64(seed), tree: None, thinking: None }
    }

    fn choose(&mut self, position: &Position, go_on: &mut dyn FnMut() -> bool) -> Result<Chosen, Error> {
        let plain = |made: Option<Move>| made.map_or(Chosen::Nothing, |made| Chosen::Made(made, None));
        match self.strength {
            Strength::Random => random(position, &mut self.rng).map(plain),
            Strength::Greedy => greedy(position, &mut self.rng).map(plain),
            Strength::Search(playouts) => self.search(position, playouts, go_on),
        }
    }

    fn search(&mut self, position: &Position, playouts: u64, go_on: &mut dyn FnMut() -> bool) -> Result<Chosen, Error> {
        let (mut tree, known) = self.thinking.take().unwrap_or_else(|| {
            let tree = Mcts::following(self.tree.take(), position, self.options);
            let known = tree.progress().playouts;
            (tree, known)
        });
        let mut is_halted = false;
        tree.search(|progress| {
            let is_open = progress.playouts - known < playouts;
            is_halted = is_open && !go_on();
            is_open && !is_halted
        })?;
        if is_halted {
            self.thinking = Some((tree, known));
            return Ok(Chosen::NotYet);
        }
        let best = tree.analysis().lines.into_iter().next();
        self.tree = Some(tree);
        Ok(best.map_or(Chosen::Nothing, |line| Chosen::Made(line.first, Some(line.value))))
    }
}
