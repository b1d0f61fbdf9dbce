//! The scalar executor: programs of set operations, one game at a time.
//!
//! It plays by the same rules as the reference executor, which is the definition; random walks over
//! every shipped game hold them equal. What has no plan is played by the reference executor, and
//! the plan says why.

pub(crate) mod argmax;
pub(crate) mod bitset;
pub(crate) mod chain;
pub(crate) mod cold;
pub(crate) mod dedup;
pub(crate) mod dir_shift;
pub(crate) mod dir_vector;
pub(crate) mod dispatch;
pub(crate) mod enumerate;
pub(crate) mod perft;
pub(crate) mod sample;
pub(crate) mod speculate;
pub(crate) mod state;
pub(crate) mod tables;
pub(crate) mod target;
pub(crate) mod terminal;
pub(crate) mod vm;

use std::collections::HashSet;
use std::sync::Arc;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::model::Game;
use crate::plan;
use crate::plan::{Bits, NumReg, Pass, PassSet, Plan, SetReg, Unplanned};
use crate::position::{Fault, Outcome, Position, Written};

use crate::interp::chain::TurnChain;
use crate::interp::state::marshal::Registers;
use crate::interp::vm::{Program, Vm};

#[cfg(target_arch = "x86_64")]
pub(crate) use crate::interp::bitset::deposit;
#[cfg(target_feature = "bmi2")]
pub(crate) use crate::interp::bitset::nth_by_halves;
pub(crate) use crate::interp::bitset::{bit, lowest, meets, nth_bit, nth_pair};
pub(crate) use crate::interp::sample::unrank_rays::{
    DIGITS, FEW_OPTIONS, LINES, Line, RayTarget, RayTargets, Tally, find_aim,
};
pub use crate::interp::sample::{TurnCount, below};
pub(crate) use crate::interp::state::repetition::{RepetitionTable, hash_of};
pub use crate::interp::state::snapshot::GameState;
pub(crate) use crate::interp::tables::Tables;
pub(crate) use crate::interp::tables::prefilter::{DIRS, Prefilter, STEPS};
pub(crate) use crate::interp::vm::Roles;

/// A game ready to be played by its plan. Shared by threads; each has a [`Session`] of its own.
#[derive(Clone)]
pub struct Engine {
    game: Arc<Game>,
    plan: Arc<Plan>,
    code: AnyCode,
}

macro_rules! widths {
    ($($name:ident $width:literal),*) => {
        #[derive(Clone)]
        enum AnyCode { $($name(Arc<Programs<$width>>)),* }

        impl AnyCode {
            fn new(plan: &Plan, linked: plan::Code, from: (&Game, PassSet)) -> AnyCode {
                match target::width(plan.bitboard.words) {
                    $($width => AnyCode::$name(Arc::new(Programs::new(plan, linked, from))),)*
                    // The grid has no other widths.
                    _ => AnyCode::W16(Arc::new(Programs::new(plan, linked, from))),
                }
            }
        }

        impl Engine {
            /// The programs in a row.
            pub(crate) fn linked(&self) -> &Arc<plan::Code> {
                match &self.code {
                    $(AnyCode::$name(codes) => &codes.telling.linked,)*
                }
            }

            /// What plays one game after the other.
            pub fn runner(&self) -> Box<dyn Session> {
                match &self.code {
                    $(AnyCode::$name(codes) => Box::new(Board::new(self, codes)),)*
                }
            }
        }
    };
}
widths!(W1 1, W2 2, W3 3, W4 4, W6 6, W16 16);

impl Engine {
    /// Plans a game.
    ///
    /// # Errors
    /// What has no plan.
    pub fn new(game: &Game) -> Result<Engine, Unplanned> {
        Engine::with(game, PassSet::ALL)
    }

    /// Plans a game with some rewrites left out.
    ///
    /// # Errors
    /// What has no plan.
    pub fn with(game: &Game, rewrites: PassSet) -> Result<Engine, Unplanned> {
        let mut plan = plan::plan(game, rewrites)?;
        rewrites.apply(&mut plan);
        let mut linked = plan::linearize(&plan);
        if linked.is_err() && rewrites.has(Pass::Vectorize) {
            // Rows take more registers.
            plan = plan::plan(game, rewrites)?;
            rewrites.without(Pass::Vectorize).apply(&mut plan);
            linked = plan::linearize(&plan);
        }
        let linked =
            linked.map_err(|_| Unplanned { why: "more values at a time than there are registers", span: None })?;
        let code = AnyCode::new(&plan, linked, (game, rewrites));
        Ok(Engine { game: Arc::new(game.clone()), plan: Arc::new(plan), code })
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The programs of a seat as text, and how each choice is drawn.
    pub fn page(&self, player: Player) -> String {
        let linked = plan::linearize(&self.plan);
        linked.map_or_else(|_| String::new(), |linked| plan::print(&self.game, &self.plan, &linked, player))
    }
}

/// How a playout went.
#[derive(Clone, Copy, Debug)]
pub struct Playout {
    /// `None`: the bound of turns was reached.
    pub outcome: Option<Outcome>,
    pub turns: u64,
    /// Legal turns, added up over all turns.
    pub choices: TurnCount,
}

/// A legal turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The written choices, in order.
    pub written: Vec<Written>,
    /// The position that it leads to, with a history that begins there.
    pub after: Position,
    pub outcome: Option<Outcome>,
}

/// Plays games. The position is its own until the next is loaded.
pub trait Session: Send {
    /// Takes over a position at the beginning of a turn, with a history that begins there. `false`:
    /// the plan has no place for something in it.
    fn load(&mut self, position: &Position) -> bool;
    /// Goes back to the position that was loaded last.
    fn restart(&mut self);
    /// Plays turns drawn uniformly until the game is over or so many turns are played.
    ///
    /// # Errors
    /// A fault of the rules.
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus, max_turns: u64) -> Result<Playout, Fault>;
    /// Plays one turn, drawn uniformly.
    ///
    /// # Errors
    /// A fault of the rules.
    fn step(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<(), Fault>;
    /// All turns from here, in the order of the program.
    ///
    /// # Errors
    /// A fault of the rules.
    fn turns(&mut self) -> Result<Vec<Turn>, Fault>;
    /// The number of sequences of so many whole turns from here; a game that is over has none.
    /// Outcomes that ask the history are not asked; draws are, unless play is to go on past them.
    /// The position is as before.
    ///
    /// # Errors
    /// A fault of the rules.
    fn perft(&mut self, depth: u32, past_draws: bool) -> Result<u64, Fault>;
    fn position(&self) -> Position;
    fn outcome(&self) -> Option<Outcome>;
    /// Copies the game into a hand; the history goes with it.
    fn hand_out(&mut self, hand: &mut GameState);
    /// Goes on with the game of a hand; the history is taken out of it.
    fn take_over(&mut self, hand: &mut GameState);
    /// Asks `end` again, as after the turn of the player; `stuck`: one of whom his turn showed that
    /// he is.
    ///
    /// # Errors
    /// A fault of the rules.
    fn judge_after(&mut self, before: Player, stuck: Option<Player>) -> Result<(), Fault>;
    /// Plays one turn, drawn uniformly, and tells of how many; `None`: there was none, and the game
    /// is over.
    ///
    /// # Errors
    /// A fault of the rules.
    fn one_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TurnCount>, Fault>;
}

/// A program, once as it is and once without what only tells of choices.
struct Programs<const W: usize> {
    telling: Arc<Program<W>>,
    silent: Arc<Program<W>>,
}

impl<const W: usize> Programs<W> {
    fn new(plan: &Plan, linked: plan::Code, (game, rewrites): (&Game, PassSet)) -> Programs<W> {
        let telling = Program::new(plan, linked, game);
        Programs { silent: Arc::new(telling.silent(plan, rewrites)), telling: Arc::new(telling) }
    }
}

/// A game being played.
struct Board<const W: usize> {
    engine: Engine,
    code: Arc<Program<W>>,
    telling: Arc<Program<W>>,
    machine: Vm<W>,
    to_move: Player,
    opening: u32,
    turns: u64,
    outcome: Option<Outcome>,
    seats: u8,
    /// The positions of a game are noted; and also where `end` does not ask for them.
    notes: bool,
    notes_for_turns: bool,
    loaded: Loaded<W>,
    /// Turns are played again that were followed by others.
    replays: bool,
}

/// A position as it was loaded.
#[derive(Default)]
struct Loaded<const W: usize> {
    sets: Vec<crate::interp::bitset::Bitset<W>>,
    numbers: Vec<i64>,
    to_move: Player,
    opening: u32,
    outcome: Option<Outcome>,
}

impl<const W: usize> Registers for Vm<W> {
    fn get(&self, reg: SetReg) -> Bits {
        let mut bits = Bits::default();
        bits.0[..W].copy_from_slice(self.set(reg));
        bits
    }

    fn put(&mut self, reg: SetReg, bits: Bits) {
        self.put(reg, crate::interp::bitset::of(&bits));
    }

    fn get_number(&self, reg: NumReg) -> i64 {
        self.number(reg)
    }

    fn put_number(&mut self, reg: NumReg, number: i64) {
        self.put_number(reg, number);
    }
}

impl<const W: usize> Board<W> {
    fn new(engine: &Engine, codes: &Programs<W>) -> Board<W> {
        Board {
            engine: engine.clone(),
            code: codes.silent.clone(),
            telling: codes.telling.clone(),
            machine: Vm::new(&codes.silent),
            to_move: Player(0),
            opening: 0,
            turns: 0,
            outcome: None,
            seats: engine.game.seats.len() as u8,
            notes: engine.game.asks.times_pieces || engine.game.asks.times_position,
            notes_for_turns: codes.telling.asks_history,
            loaded: Loaded::default(),
            replays: false,
        }
    }

    fn entry(&self, code: &Program<W>) -> u32 {
        let entries = &code.linked.entries[self.to_move.index()];
        entries.opening.get(self.opening as usize).copied().unwrap_or(entries.turn)
    }

    /// The run of a turn is complete: what ages and leaves, who is next, whether the game is over.
    fn end_turn(&mut self) -> Result<(), Fault> {
        self.age(&self.code.clone());
        self.close_turn()
    }

    /// What leaves and ages when a turn is over.
    fn age(&mut self, code: &Program<W>) {
        let entries = &code.linked.entries[self.to_move.index()];
        if !entries.no_cleanup {
            self.machine.run(code, entries.after);
        }
    }

    /// Who is next, and whether the game is over.
    fn close_turn(&mut self) -> Result<(), Fault> {
        self.machine.forget_begun();
        let entries = &self.code.linked.entries[self.to_move.index()];
        let (end, openings) = (entries.end, entries.opening.len() as u32);
        let in_opening = self.opening < openings;
        self.hand_over(openings);
        self.note();
        if in_opening { Ok(()) } else { self.judge(end, None) }
    }

    /// The next player is to move, in an opening of so many turns.
    fn hand_over(&mut self, openings: u32) {
        if !self.machine.flags.again {
            let next = self.to_move.0 + 1;
            self.to_move = if next < self.seats { Player(next) } else { Player(0) };
        }
        self.opening = self.opening.saturating_add(1).min(openings);
        self.turns += 1;
    }

    fn next_to_move(&self) -> u64 {
        u64::from(self.to_move.0) | u64::from(self.opening) << 8
    }

    fn note(&mut self) {
        self.machine.next_to_move = self.next_to_move();
        let asks = &self.engine.game.asks;
        if !self.notes {
            return;
        }
        if asks.times_pieces {
            let hash = self.machine.pieces_hash(&self.code);
            self.machine.history.note_pieces(hash);
        }
        if asks.times_position {
            let hash = self.machine.position_hash(&self.code);
            self.machine.history.note_position(hash);
        }
    }

    /// Lends the machine what draws.
    fn with_lot<T>(
        &mut self,
        rng: &mut Xoshiro256PlusPlus,
        play: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        std::mem::swap(rng, &mut self.machine.lot);
        let played = play(self);
        std::mem::swap(rng, &mut self.machine.lot);
        played
    }

    /// Draws a turn and plays it; of how many runs it was drawn. If turns follow one another in one
    /// run, up to so many more are played, and `streak` tells of all but the last. `None`: the game
    /// is over.
    fn play_drawn(&mut self, more: u64) -> Result<Option<TurnCount>, Fault> {
        if self.engine.plan.ambiguity.is_some() {
            return self.play_distinct();
        }
        let entries = &self.code.linked.entries[self.to_move.index()];
        let openings = entries.opening.len() as u32;
        let (entry, in_opening) = match entries.opening.get(self.opening as usize) {
            Some(&entry) => (entry, true),
            None => (entries.turn, false),
        };
        // Where nothing comes between a turn and the outcomes, the run of the turn goes on with
        // them.
        let apart = !entries.no_cleanup || in_opening || self.notes;
        self.machine.then = if apart { 0 } else { entries.end };
        self.machine.keep_if_needed(&self.code, entries.may_fail_dirty);
        self.machine.streak =
            TurnChain { seat: self.to_move.0, left: more, beyond: self.replays, ..TurnChain::default() };
        let drawn = self.machine.draw(&self.code, entry);
        self.to_move = Player(self.machine.streak.seat);
        self.turns += self.machine.streak.turns;
        let drawn = drawn?;
        if drawn.is_none() || !self.machine.judged && self.machine.is_doubtful() {
            // A run without a choice is the only one.
            let only = drawn.is_none() || self.machine.offered.is_none();
            let stuck = (only && !in_opening).then_some(self.to_move);
            return self.draw_anew(drawn.is_some(), stuck, more - self.machine.streak.turns);
        }
        let mover = self.to_move;
        if self.machine.judged {
            self.hand_over(openings);
            self.machine.next_to_move = self.next_to_move();
            self.decide();
        } else {
            self.end_turn()?;
        }
        let presumption = &mut self.machine.presumption;
        presumption.rests = std::mem::take(&mut presumption.taken).then_some(mover);
        Ok(drawn)
    }

    /// Plays turns of a game again, so that the position is that in which the turn began that came
    /// to a fault: behind so many turns, or before the last of them, where that came to it at its
    /// end.
    #[cold]
    fn go_back_to(&mut self, turns: u64, begun: &Xoshiro256PlusPlus) {
        self.replays = true;
        for turns in [turns, turns.saturating_sub(1)] {
            self.restart();
            let played = self.with_lot(&mut begun.clone(), |board| {
                while board.outcome.is_none() && board.turns < turns {
                    board.play_drawn(turns - board.turns - 1)?;
                }
                Ok(())
            });
            self.machine.streak = TurnChain::default();
            if played.is_ok() {
                break;
            }
        }
        self.replays = false;
    }
}

impl<const W: usize> Session for Board<W> {
    fn load(&mut self, position: &Position) -> bool {
        let (game, plan) = (&self.engine.game, &self.engine.plan);
        self.machine.clear();
        self.machine.history.clear();
        if !crate::interp::state::marshal::load(game, &plan.bitboard, &plan.layout, position, &mut self.machine) {
            return false;
        }
        self.to_move = position.to_move();
        self.opening = position.opening().unwrap_or(game.opening.len() as u32);
        self.outcome = position.outcome();
        let (sets, numbers) = self.code.state;
        self.loaded = Loaded {
            sets: self.machine.sets[..sets].to_vec(),
            numbers: self.machine.numbers[..numbers].to_vec(),
            to_move: self.to_move,
            opening: self.opening,
            outcome: self.outcome,
        };
        self.turns = 0;
        self.note();
        true
    }

    fn restart(&mut self) {
        let (sets, numbers) = self.code.state;
        self.machine.clear();
        self.machine.history.clear();
        self.machine.sets[..sets].copy_from_slice(&self.loaded.sets);
        self.machine.numbers[..numbers].copy_from_slice(&self.loaded.numbers);
        (self.to_move, self.opening) = (self.loaded.to_move, self.loaded.opening);
        (self.turns, self.outcome) = (0, self.loaded.outcome);
        self.note();
    }

    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus, max_turns: u64) -> Result<Playout, Fault> {
        let (mut choices, begun) = (TurnCount::default(), rng.clone());
        let played = self.with_lot(rng, |board| {
            while board.outcome.is_none() && board.turns < max_turns {
                choices += board.play_drawn(max_turns - board.turns - 1)?.unwrap_or_default();
                choices += board.machine.streak.choices;
            }
            Ok(())
        });
        self.machine.streak = TurnChain::default();
        if let Err(fault) = played {
            self.go_back_to(self.turns, &begun);
            return Err(fault);
        }
        Ok(Playout { outcome: self.outcome, turns: self.turns, choices })
    }

    fn step(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<(), Fault> {
        self.with_lot(rng, |board| board.play_drawn(0).map(drop))
    }

    fn turns(&mut self) -> Result<Vec<Turn>, Fault> {
        let begun = (self.machine.sets.clone(), self.machine.numbers);
        let mut ends = Vec::new();
        let code = self.telling.clone();
        self.machine.flags = crate::interp::vm::Flags::default();
        self.machine.telling = true;
        self.machine.told.clear();
        self.machine.worked = 0;
        let event = self.machine.run(&code, self.entry(&code));
        let explored = self.machine.explore_kept(&code, event, |machine| {
            ends.push((machine.sets.clone(), machine.numbers, machine.flags, machine.told.clone()));
        });
        self.machine.telling = false;
        explored?;
        let (to_move, opening, turns, outcome) = (self.to_move, self.opening, self.turns, self.outcome);
        let history = self.machine.history.clone();
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for (sets, numbers, flags, told) in ends {
            (self.machine.sets, self.machine.numbers, self.machine.flags) = (sets, numbers, flags);
            let ended = self.end_turn();
            let written = crate::interp::state::marshal::written(&self.engine.plan.bitboard, &told);
            let after = self.position();
            if self.engine.plan.ambiguity.is_none() || seen.insert((written.clone(), after.fingerprint())) {
                found.push(Turn { written, after, outcome: self.outcome });
            }
            (self.to_move, self.opening, self.turns, self.outcome) = (to_move, opening, turns, outcome);
            self.machine.history = history.clone();
            ended?;
        }
        self.machine.forget_begun();
        (self.machine.sets, self.machine.numbers) = begun;
        self.machine.next_to_move = self.next_to_move();
        Ok(found)
    }

    fn perft(&mut self, depth: u32, past_draws: bool) -> Result<u64, Fault> {
        let code = self.code.clone();
        let (sets, numbers) = self.code.state;
        let begun = (self.machine.sets[..sets].to_vec(), self.machine.numbers[..numbers].to_vec());
        let (before, lengths) =
            ((self.to_move, self.opening, self.turns, self.outcome), self.machine.history.lengths());
        self.machine.judge_some(&code, false, !past_draws);
        let notes = std::mem::replace(&mut self.notes, self.notes_for_turns);
        let counted = self.sequences(&code, depth);
        self.notes = notes;
        self.machine.clear();
        self.machine.judge_all(&code);
        self.machine.sets[..sets].copy_from_slice(&begun.0);
        self.machine.numbers[..numbers].copy_from_slice(&begun.1);
        (self.to_move, self.opening, self.turns, self.outcome) = before;
        self.machine.history.truncate(lengths);
        self.machine.next_to_move = self.next_to_move();
        counted
    }

    fn position(&self) -> Position {
        let (game, plan) = (&self.engine.game, &self.engine.plan);
        crate::interp::state::marshal::position(
            game,
            &plan.bitboard,
            &plan.layout,
            &self.machine,
            (self.to_move, self.opening),
        )
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn hand_out(&mut self, hand: &mut GameState) {
        self.hand_out(hand);
    }

    fn take_over(&mut self, hand: &mut GameState) {
        self.take_over(hand);
    }

    fn judge_after(&mut self, before: Player, stuck: Option<Player>) -> Result<(), Fault> {
        self.judge_after(before, stuck)
    }

    fn one_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TurnCount>, Fault> {
        self.one_turn(rng)
    }
}
