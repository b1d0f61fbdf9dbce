//! Positions: a game as it is being played; moves go in, outcomes come out.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Serialize, Serializer};

use crate::board::{CellSet, Player};
use crate::game::body::{Body, Interpreted};
use crate::game::moves::{Listed, Made};
use crate::game::node::Node;
use crate::game::{Error, Game, Move, MovesError};
use crate::interp::{GameState, Snapshot};
use crate::notation;
use crate::notation::NotationError;
use crate::position;
use crate::position::{Fault, Mixer, Written};
use crate::reference::{Limits, PerftOptions, PlayError, draw_by};
use crate::render;
use crate::render::Paint;

/// A position of a game, with what led to it since it was set up or read. Cheap to clone where the
/// game has a plan: positions share their past.
///
/// ```
/// let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
/// let mut position = game.start(0)?;
/// position.play_text("a2-a3")?;
/// assert_eq!(position.to_string(), "BBBBBBBB/BBBBBBBB/8/8/8/W7/1WWWWWWW/WWWWWWWW Black");
/// position.undo();
/// assert_eq!(position.perft(3)?, 11_132);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) game: Game,
    pub(super) body: Body,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Names of players; none is a draw.
    pub winners: Vec<String>,
    /// Which outcome of the game's `end` decided, from 0.
    pub by: usize,
}

/// How a game went on that was played at random.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Playout {
    /// `None`: the bound of turns was reached, or nobody could move where the game began.
    pub outcome: Option<Outcome>,
    /// Turns played.
    pub turns: u64,
}

/// The outcome of a game that was played on, and how many turns were played.
type PlayedOut = Result<(Option<position::Outcome>, u64), Error>;

impl Position {
    /// The game that it is a position of.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// It is a position of this very game, not of one loaded again.
    pub(super) fn is_of(&self, game: &Game) -> bool {
        Arc::ptr_eq(&self.game.shared, &game.shared)
    }

    /// The state behind it, for the other stages.
    #[doc(hidden)]
    pub fn state(&self) -> &position::Position {
        self.body.state(&self.game.shared)
    }

    /// Lends what stands on the board and is remembered. Of a plan's position nothing is kept that
    /// [`Position::state`] would keep, the history least of all: for searches, which look at most
    /// positions once.
    pub(crate) fn with_board<T>(&self, look: impl FnOnce(&position::Position) -> T) -> T {
        match &self.body {
            Body::Planned(node) => match node.unpacked(&self.game.shared) {
                Some(board) => look(&board),
                None => look(self.state()),
            },
            Body::Interpreted(interpreted) => look(&interpreted.state),
        }
    }

    /// The registers that hold it. `None`: the reference executor keeps it.
    pub(crate) fn registers(&self) -> Option<&Snapshot> {
        match &self.body {
            Body::Planned(node) => Some(&node.state),
            Body::Interpreted(_) => None,
        }
    }

    /// The name of the player whose turn it is.
    pub fn to_move(&self) -> &str {
        self.game.player_name(self.mover())
    }

    /// The player whose turn it is.
    pub fn mover(&self) -> Player {
        match &self.body {
            Body::Planned(node) => node.state.to_move,
            Body::Interpreted(interpreted) => interpreted.state.to_move(),
        }
    }

    /// The player who chooses the next ply, or for whom chance does: see [`Position::chooser`].
    pub fn choosing(&self) -> Player {
        self.body.choosing()
    }

    /// A part of the turn has been played, and another is to come.
    #[doc(hidden)]
    pub fn is_within_turn(&self) -> bool {
        self.body.is_within_turn()
    }

    /// The name of him who chooses the next ply: another than the player whose turn it is where the
    /// rules say `by`; `None` where chance is to choose.
    pub fn chooser(&self) -> Option<&str> {
        (!self.is_chance_next()).then(|| self.game.player_name(self.choosing()))
    }

    /// The next choice is made by chance. Where the rules come to a fault, nobody makes it.
    pub fn is_chance_next(&self) -> bool {
        let shared = &self.game.shared;
        if !shared.model.asks.chance {
            return false;
        }
        let asked = match &self.body {
            Body::Planned(node) => node.play(shared, |session| session.is_chance_next()).unwrap_or(Ok(false)),
            Body::Interpreted(interpreted) => {
                let mut state = interpreted.state.without_trail();
                shared.scratch(|scratch| scratch.executor.is_chance_next(&shared.model, &mut state))
            }
        };
        asked.unwrap_or(false)
    }

    /// The legal moves, each once; none if the game is over. They are sorted by the cells that they
    /// name, choice by choice, whatever plays the game. Their texts differ from each other. Where
    /// chance is to choose, they are what it can choose: see [`Move::probability`].
    ///
    /// # Errors
    /// A fault of the rules, such as a player who is stuck without an outcome.
    pub fn legal_moves(&self) -> Result<Vec<Move>, Error> {
        self.listed(false)
    }

    /// The whole turns, each once, whether the rules cut them into plies or not. Within a turn they
    /// are those from its beginning.
    ///
    /// # Errors
    /// As [`Position::legal_moves`]; more than a million turns are a fault.
    pub fn legal_turns(&self) -> Result<Vec<Move>, Error> {
        self.listed(true)
    }

    fn listed(&self, whole_turns: bool) -> Result<Vec<Move>, Error> {
        let before = match &self.body {
            Body::Planned(node) if whole_turns && !self.game.model().asks.chance => {
                Body::Planned(node.turn_start().clone())
            }
            body => body.without_trail(),
        };
        let moves = crate::game::moves::listed(&self.game.shared, &before, whole_turns);
        let moves = moves.map_err(|fault| self.fault(fault))?;
        Ok(Move::all(Listed::new(self.game.clone(), before, moves)))
    }

    /// Plays a move that was listed for this position.
    ///
    /// # Errors
    /// [`Error::NotAMove`] if it can be seen not to be one of this position; then the position is
    /// as before. A move of another position that happens to fit is played.
    pub fn play(&mut self, played: &Move) -> Result<(), Error> {
        match (&mut self.body, &played.listing().by) {
            (Body::Planned(node), Made::Path(path, ..)) => {
                let Body::Planned(before) = &played.list.before else { return self.play_alike(played) };
                let is_turn = played.ends_turn() && Arc::ptr_eq(before, node.turn_start());
                if !Arc::ptr_eq(before, node) && !is_turn {
                    return self.play_alike(played);
                }
                self.play_from(&before.clone(), path)
            }
            (Body::Interpreted(interpreted), Made::Ply(ply)) => {
                let Interpreted { state, marks } = &mut **interpreted;
                let shared = &self.game.shared;
                match shared.scratch(|scratch| scratch.executor.play(&shared.model, state, ply)) {
                    Ok(mark) => {
                        marks.push(mark);
                        Ok(())
                    }
                    Err(PlayError::Fault(fault)) => Err(self.fault(fault)),
                    Err(PlayError::NotAMove) => Err(Error::NotAMove),
                }
            }
            _ => self.play_alike(played),
        }
    }

    /// Plays the ply or turn of a path of a plan's choices, such as [`crate::interp::Session::list`] tells.
    ///
    /// # Errors
    /// [`Error::NotAMove`]: there is no such move, or no plan; a fault of the rules.
    #[doc(hidden)]
    pub fn play_path(&mut self, path: &[u32]) -> Result<(), Error> {
        let Body::Planned(node) = &self.body else { return Err(Error::NotAMove) };
        self.play_from(&node.clone(), path)
    }

    /// The same of a path that begins here, or at the beginning of the turn.
    fn play_from(&mut self, before: &Arc<Node>, path: &[u32]) -> Result<(), Error> {
        let Body::Planned(node) = &mut self.body else { return Err(Error::NotAMove) };
        match before.after_path(&self.game.shared, path) {
            Ok(Some(mut after)) => {
                // A whole turn that is played within it is taken back to here.
                if let Some(after) = Arc::get_mut(&mut after) {
                    after.before = Some(node.clone());
                }
                *node = after;
            }
            Ok(None) => return Err(Error::NotAMove),
            Err(fault) => return Err(self.fault(fault)),
        }
        Ok(())
    }

    /// The game as a session goes on with it. `None`: no plan plays the position.
    #[doc(hidden)]
    pub fn exported(&self) -> Option<GameState> {
        match &self.body {
            Body::Planned(node) => node.exported(&self.game.shared),
            Body::Interpreted(_) => None,
        }
    }

    /// Plays the first move that writes the same as one of another position.
    #[cold]
    fn play_alike(&mut self, played: &Move) -> Result<(), Error> {
        let moves = self.listed(false)?;
        let alike = moves.iter().find(|one| one.written() == played.written());
        self.play(alike.ok_or(Error::NotAMove)?)
    }

    /// Plays the move that a text means; a blank or `-` does for any joint, if it tells. A pass
    /// before it may be left out where it is the only move; [`Position::undo`] takes back both.
    ///
    /// ```
    /// let game = lusoria::Game::shipped("othello").expect("it is shipped");
    /// let mut position = game.position("BW6/8/8/8/8/8/8/1WBBBBBB White")?;
    /// assert_eq!(position.legal_moves()?[0].to_string(), "pass");
    /// position.play_text("a1")?;
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// A text that means none of the legal moves, or several; then the position is as before.
    pub fn play_text(&mut self, text: &str) -> Result<(), Error> {
        let begun = self.clone();
        let mut played = self.play_text_now(text);
        let mut passes = 0;
        while passes < self.game.model().seats.len() as u32 {
            let is_unknown = matches!(&played, Err(Error::Notation(error)) if error.is_unknown_move());
            if !is_unknown || !self.play_only_pass().unwrap_or(false) {
                break;
            }
            passes += 1;
            // If it is none behind the pass either, the first error tells what could be played.
            played = self.play_text_now(text).or(played);
        }
        match (&played, &mut self.body) {
            (Err(_), _) => *self = begun,
            (Ok(()), Body::Planned(node)) if passes > 0 => *node = node.taking_back(passes + 1),
            (Ok(()), Body::Interpreted(interpreted)) if passes > 0 => {
                interpreted.marks.truncate(interpreted.marks.len() - passes as usize);
            }
            _ => {}
        }
        played
    }

    fn play_text_now(&mut self, text: &str) -> Result<(), Error> {
        self.play(&self.find_move(text)?)
    }

    /// The legal move that a text means; see [`Position::play_text`], but no pass is left out.
    ///
    /// # Errors
    /// A text that means none of the legal moves, or several; a fault of the rules.
    pub fn find_move(&self, text: &str) -> Result<Move, Error> {
        self.found_move(text).map_err(|error| match error {
            Error::Notation(error) => Error::Notation(crate::game::parted::told(self, error, text.trim())),
            error => error,
        })
    }

    /// The same; an error does not tell what the text begins with.
    pub(super) fn found_move(&self, text: &str) -> Result<Move, Error> {
        let moves = self.listed(false)?;
        let Some(list) = moves.first().map(|one| one.list.clone()) else {
            let none: &[crate::reference::Ply] = &[];
            return match notation::parse_ply(self.game.model(), none, text) {
                Err(error) => Err(Error::Notation(error)),
                Ok(_) => Err(Error::NotAMove),
            };
        };
        let at = match list.parsed(text) {
            Err(error) if error.is_unknown_move() => {
                let other = self.aliased(&list, text).or_else(|| self.abbreviated(&list, text));
                other.unwrap_or(Err(error))
            }
            parsed => parsed,
        };
        moves.into_iter().nth(at.map_err(Error::Notation)?).ok_or(Error::NotAMove)
    }

    /// The place of the ply that a text means by an alias of the rules.
    fn aliased(&self, list: &Listed, text: &str) -> Option<Result<usize, NotationError>> {
        let (shared, state) = (&self.game.shared, self.state());
        let is_asked = !shared.model.aliases.is_empty() && state.begun().is_empty();
        let aliases = is_asked
            .then(|| shared.scratch(|scratch| scratch.executor.aliases(&shared.model, &mut state.without_trail())))?;
        notation::parse_alias(&shared.model, &list.moves, &aliases, text)
    }

    /// The place of the ply that a text abbreviates, such as `Nf3`, where the rules say how.
    fn abbreviated(&self, list: &Listed, text: &str) -> Option<Result<usize, NotationError>> {
        let shared = &self.game.shared;
        let found = notation::read_san(&shared.model, shared.formats.san()?, self.state(), &list.moves, text);
        match found.as_slice() {
            [] => None,
            [at] => Some(Ok(*at)),
            several => {
                let texts = notation::ply_texts(&shared.model, &list.moves);
                let fitting = several.iter().filter_map(|&at| texts.get(at).cloned()).take(6).collect();
                let kind = notation::NotationErrorKind::AmbiguousMove { found: text.trim().into(), fitting };
                Some(Err(NotationError { kind, span: 0..text.len() }))
            }
        }
    }

    /// The usual abbreviation of a move that was listed for this position, such as `Nf3`. `None`: the rules say of none, or the
    /// move has none.
    #[doc(hidden)]
    pub fn abbreviation(&self, one: &Move) -> Option<String> {
        let shared = &self.game.shared;
        let at = one.list.moves.iter().position(|other| std::ptr::eq(other, one.listing()))?;
        notation::write_san(&shared.model, shared.formats.san()?, self.state(), &one.list.moves, at)
    }

    /// Passes, if that is the only move; whether it was.
    fn play_only_pass(&mut self) -> Result<bool, Error> {
        let moves = self.listed(false)?;
        match moves.as_slice() {
            [one] if one.written() == [Written::Pass] => {
                self.play(one)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Plays moves one after the other, each as [`Position::play_text`] does.
    ///
    /// # Errors
    /// The first that cannot be played; those before it are played.
    pub fn play_moves<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) -> Result<(), MovesError> {
        for (before, text) in texts.into_iter().enumerate() {
            if let Err(error) = self.play_text(text) {
                let (position, over) = (self.to_string(), self.outcome_text());
                return Err(MovesError { ply: before + 1, text: text.to_string(), position, over, error });
            }
        }
        Ok(())
    }

    /// Takes back the latest move; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        match &mut self.body {
            Body::Planned(node) => match node.undone() {
                Some(before) => {
                    *node = before;
                    true
                }
                None => false,
            },
            Body::Interpreted(interpreted) => match interpreted.marks.pop() {
                Some(mark) => {
                    interpreted.state.undo_to(mark);
                    true
                }
                None => false,
            },
        }
    }

    fn decided(&self) -> Option<position::Outcome> {
        match &self.body {
            Body::Planned(node) => node.state.outcome,
            Body::Interpreted(interpreted) => interpreted.state.outcome(),
        }
    }

    fn named(&self, outcome: position::Outcome) -> Outcome {
        let winners = outcome.winners.iter().map(|player| self.game.player_name(player).to_string()).collect();
        Outcome { winners, by: outcome.by }
    }

    /// How the game came out, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        Some(self.named(self.decided()?))
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.decided().is_some()
    }

    /// What a player got out of the game, if it is over: 1 for a win, 0 for a loss, one half for a
    /// draw.
    pub fn payoff(&self, player: Player) -> Option<f64> {
        self.decided().map(|outcome| outcome.payoff(player))
    }

    /// Whether the player who is to choose has a move that wins at once. `false` too where no plan plays the position: the
    /// reference executor would take longer than a random game.
    ///
    /// # Errors
    /// A fault of the rules.
    pub(crate) fn wins_at_once(&self) -> Result<bool, Error> {
        let Body::Planned(node) = &self.body else { return Ok(false) };
        let wins = node.play(&self.game.shared, |session| session.wins_at_once());
        wins.unwrap_or(Ok(false)).map_err(|fault| self.fault(fault))
    }

    /// How the game came out, and by which line of the rules, if it is over:
    /// `White wins: win if no enemy (breakthrough.rules:27)`.
    pub fn outcome_text(&self) -> Option<String> {
        let (outcome, model) = (self.outcome()?, self.game.model());
        let by = &model.end[outcome.by];
        let line: String = model.sources.slice(by.span).split_whitespace().collect::<Vec<_>>().join(" ");
        let who = match outcome.winners.as_slice() {
            [] => String::from("a draw"),
            winners => format!("{} wins", winners.join(" and ")),
        };
        Some(format!("{who}: {line} ({})", model.sources.place(by.span)))
    }

    /// Plays on in spite of the outcome, if there is one and the player to move is not stuck.
    pub fn reopen(&mut self) {
        if !self.is_over() {
            return;
        }
        match &mut self.body {
            Body::Planned(node) => *node = node.reopened(&self.game.shared),
            Body::Interpreted(interpreted) => {
                let Interpreted { state, marks } = &mut **interpreted;
                state.reopen();
                self.game.shared.ask_stuck(state);
                state.forget();
                marks.clear();
            }
        }
    }

    /// How many sequences of `depth` whole turns there are. Outcomes that ask the history are not
    /// asked; of an `or`, the parts that do so.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn perft(&self, depth: u32) -> Result<u64, Error> {
        let shared = &self.game.shared;
        let counted = self.perft_with_history(depth, false).or_else(|| self.perft_between_turns(depth));
        let counted = counted.unwrap_or_else(|| {
            let mut state = self.state().without_trail();
            let options = PerftOptions::default();
            shared.scratch(|scratch| scratch.executor.perft(&shared.model, &mut state, depth, options))
        });
        counted.map_err(|fault| self.fault(fault))
    }

    /// The same by the plan, where turns may ask which positions came before. `None`: the plan cannot count from here.
    pub(crate) fn perft_with_history(&self, depth: u32, past_draws: bool) -> Option<Result<u64, Fault>> {
        let shared = &self.game.shared;
        match &self.body {
            Body::Planned(node) if !self.is_within_turn() && !shared.model.asks.chance => {
                node.play(shared, |session| session.perft(depth, past_draws))
            }
            _ => None,
        }
    }

    /// The same where a turn is made of several moves, and none of this one has been made. `None`: the reference executor has
    /// to count.
    fn perft_between_turns(&self, depth: u32) -> Option<Result<u64, Fault>> {
        let engine = self.game.shared.engine_between_turns().filter(|engine| engine.has_perft())?;
        let state = self.state();
        if !state.begun().is_empty() {
            return None;
        }
        self.game.shared.scratch(|scratch| {
            let session = scratch.session(engine);
            session.load(state).then(|| session.perft(depth, false))
        })
    }

    /// Plays on at random, each move drawn uniformly from the legal ones, or as likely as chance chooses it, until the game is over or
    /// `max_turns` more turns are played, and tells how that went. The position is as before.
    ///
    /// ```
    /// use rand_xoshiro::rand_core::SeedableRng;
    ///
    /// let game = lusoria::Game::shipped("othello").expect("it is shipped");
    /// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
    /// let playout = game.start(0)?.playout(&mut rng, 1000)?;
    /// assert!(playout.outcome.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn playout(&self, rng: &mut impl Rng, max_turns: u32) -> Result<Playout, Error> {
        let mut rng = Xoshiro256PlusPlus::from_rng(rng);
        let (decided, turns) = self.played_out(&mut rng, max_turns)?;
        Ok(Playout { outcome: decided.map(|outcome| self.named(outcome)), turns })
    }

    /// Plays on at random; the outcome and how many turns were played.
    pub(super) fn played_out(&self, rng: &mut Xoshiro256PlusPlus, max_turns: u32) -> PlayedOut {
        match &self.body {
            Body::Planned(node) => {
                let begun = node.state.turns;
                let played = node.play(&self.game.shared, |session| {
                    let most = begun.saturating_add(u64::from(max_turns));
                    session.playout(rng, most).map_err(|fault| (fault, session.position()))
                });
                match played {
                    Some(Ok(playout)) => Ok((playout.outcome, playout.turns - begun)),
                    Some(Err((fault, at))) => Err(self.fault_at(fault, &at)),
                    None => Ok((None, 0)),
                }
            }
            Body::Interpreted(_) => {
                let mut copy = self.clone();
                let (mut turns, mut plies) = (0, 0);
                while !copy.is_over() && turns < u64::from(max_turns) && plies < Limits::default().plies {
                    if let Some(played) = copy.played_out_between_turns(rng, u64::from(max_turns) - turns) {
                        return played.map(|(outcome, more)| (outcome, turns + more));
                    }
                    let Some(ends_turn) = copy.play_drawn(rng)? else { break };
                    turns += u64::from(ends_turn);
                    plies += 1;
                }
                Ok((copy.decided(), turns))
            }
        }
    }

    /// The same by a plan, from between two turns. `None`: there is no such plan, or the turn has begun.
    fn played_out_between_turns(&self, rng: &mut Xoshiro256PlusPlus, max_turns: u64) -> Option<PlayedOut> {
        let engine = self.game.shared.engine_between_turns()?;
        let state = self.state();
        if !state.begun().is_empty() {
            return None;
        }
        let played = self.game.shared.scratch(|scratch| {
            let session = scratch.session(engine);
            session.load(state).then(|| session.playout(rng, max_turns).map_err(|fault| (fault, session.position())))
        })?;
        Some(match played {
            Ok(playout) => Ok((playout.outcome, playout.turns)),
            Err((fault, at)) => Err(self.fault_at(fault, &at)),
        })
    }

    /// Plays a move drawn uniformly from the legal ones; `false`: there is none.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn play_random(&mut self, rng: &mut impl Rng) -> Result<bool, Error> {
        let mut rng = Xoshiro256PlusPlus::from_rng(rng);
        // A session draws whole turns.
        if self.game.model().asks.plies || self.game.model().asks.chance {
            return Ok(self.play_drawn(&mut rng)?.is_some());
        }
        let Body::Planned(node) = &mut self.body else { return Ok(self.play_drawn(&mut rng)?.is_some()) };
        if node.state.outcome.is_some() {
            return Ok(false);
        }
        let after = node.play(&self.game.shared, |session| {
            let turns = session.one_turn(&mut rng)?;
            Ok((turns.is_some(), session.snapshot()))
        });
        match after {
            Some(Ok((true, state))) => {
                *node = node.after(state, &[]);
                Ok(true)
            }
            Some(Ok((false, _))) | None => Ok(false),
            Some(Err(fault)) => Err(self.fault(fault)),
        }
    }

    /// Plays one of the moves that are listed; whether it ended the turn.
    pub(super) fn play_drawn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<bool>, Error> {
        let moves = self.listed(false)?;
        // Who is stuck where the game begins has an outcome only now that it is asked.
        if moves.is_empty() {
            return Ok(None);
        }
        let probabilities: Vec<_> = moves.iter().map(Move::chance).collect();
        let drawn = &moves[draw_by(&probabilities, rng)];
        self.play(drawn)?;
        Ok(Some(drawn.ends_turn()))
    }

    /// 128 bits that tell the position from others of the game, whatever their history. Keys of one
    /// version of the library can be compared with each other, within one game.
    pub fn key(&self) -> u128 {
        match &self.body {
            Body::Planned(node) => node.state.key,
            Body::Interpreted(interpreted) => {
                let state = &interpreted.state;
                let mut mixer = Mixer::default();
                mixer.add_wide(state.fingerprint());
                for step in state.begun() {
                    mixer.add_wide(step.fingerprint);
                    mixer.add(step.next.map_or(u64::MAX, |next| u64::from(next.0)));
                    // What chance has chosen shows in nothing else.
                    step.path.iter().flatten().for_each(|index| mixer.add(u64::from(*index)));
                }
                mixer.finish()
            }
        }
    }

    /// The lower 64 bits of the [key](Position::key), for tables.
    pub fn hash(&self) -> u64 {
        self.key() as u64
    }

    /// The board as text, men as in the position's own text; with `colour`, in colours by ANSI
    /// escapes.
    ///
    /// # Errors
    /// A fault of the rules, in the middle of a turn.
    pub fn drawing(&self, colour: bool) -> Result<String, Error> {
        self.drawing_in(if colour { Paint::Colours } else { Paint::Plain })
    }

    #[doc(hidden)]
    pub fn drawing_in(&self, paint: Paint) -> Result<String, Error> {
        let now = self.now()?;
        Ok(render::board_drawing(self.game.model(), &now, &CellSet::EMPTY, paint))
    }

    /// The state with the men where they are now, also in the middle of a turn.
    ///
    /// # Errors
    /// A fault of the rules.
    #[doc(hidden)]
    pub fn now(&self) -> Result<position::Position, Error> {
        let now = self.body.now(&self.game.shared).map(Cow::into_owned);
        now.map_err(|fault| self.fault(fault))
    }

    pub(super) fn fault(&self, fault: Fault) -> Error {
        self.game.fault(fault, self.to_string())
    }

    pub(super) fn fault_at(&self, fault: Fault, at: &position::Position) -> Error {
        self.game.fault_at(fault, at)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&notation::position_text(self.game.model(), self.state()))
    }
}

impl Serialize for Position {
    /// Its text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
