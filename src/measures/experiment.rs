//! Experiment: a game goes in; a report of it comes out, step by step, at any time of what is done by then.
//!
//! There is no clock here: whoever asks for a step says how large it is, and how much of the time is over.

use crate::game::{CoverageRun, Error, Game};
use crate::measures::contest::{Bout, Contest};
use crate::measures::counts::Counts;
use crate::measures::gathered::{Asked, Book, COVERED_GAMES, Gathered, Replay, contest, study};
use crate::measures::material::material;
use crate::measures::page::page;
use crate::measures::playouts::{Playouts, Terms};
use crate::measures::study::Study;

/// Parts of the time by which random games, the look for idle rules, and the opening book are over.
pub const RANDOM_PART: f64 = 0.1;
pub const COVERAGE_PART: f64 = 0.2;
pub const BOOK_PART: f64 = 0.3;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Random games are played.
    Random,
    /// It is seen which rules random games use.
    Coverage,
    /// First moves are searched.
    Book,
    /// Players of rising strength play.
    Contest,
    /// It is seen which rules the games of the strongest use.
    Replay,
    Over,
}

/// How far a stage has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub stage: Stage,
    /// Games; of the book, playouts.
    pub done: u64,
    pub of: u64,
}

/// A report that is being made.
pub struct Experiment {
    game: Game,
    asked: Asked,
    contest: Contest,
    gathered: Gathered,
    stage: Stage,
    playouts: Playouts,
    covered: CoverageRun,
    book: Option<Book>,
    /// The task of the contest that is being played, and the next one.
    bout: Option<Bout>,
    next: u64,
    replay: Option<Replay>,
    is_stopped: bool,
}

impl Experiment {
    /// Nothing is played yet.
    pub fn new(game: &Game, asked: Asked) -> Experiment {
        let terms = Terms { seed: asked.seed, max_turns: asked.max_turns, setup: asked.setup, start: None };
        Experiment {
            playouts: Playouts::new(game, game.engine().ok().as_ref(), terms),
            covered: CoverageRun::new(game, asked.exercise(0), asked.setup),
            contest: contest(game, &asked),
            gathered: Gathered::new(game),
            game: game.clone(),
            asked,
            stage: Stage::Random,
            book: None,
            bout: None,
            next: 0,
            replay: None,
            is_stopped: false,
        }
    }

    /// Goes on by so many units: a random game, a ply, a round of a search. Returns early where a stage ends.
    ///
    /// # Errors
    /// A set-up that cannot be completed, a fault of the rules.
    pub fn step(&mut self, units: u32) -> Result<Progress, Error> {
        let mut left = units;
        let mut go_on = || {
            let is_left = left > 0;
            left = left.saturating_sub(1);
            is_left
        };
        match self.stage {
            Stage::Random => {
                while self.gathered.random.games() < self.asked.random_games() && go_on() {
                    let number = self.gathered.random.games();
                    let played = self.playouts.play(number)?;
                    self.gathered.random.add(number, &played);
                }
                if self.gathered.random.games() == self.asked.random_games() {
                    self.enter(Stage::Coverage);
                }
            }
            Stage::Coverage => {
                while self.covered.games() < COVERED_GAMES && go_on() {
                    self.covered.play(1)?;
                }
                self.gathered.covered = Counts::of(&self.covered.coverage());
                if self.covered.games() == COVERED_GAMES {
                    self.enter(Stage::Book);
                }
            }
            Stage::Book => {
                let mut book = match self.book.take() {
                    Some(book) => book,
                    None => Book::new(&self.game, &self.asked)?,
                };
                let is_over = book.search(&mut go_on)?;
                self.book = Some(book);
                if is_over {
                    self.enter(Stage::Contest);
                }
            }
            Stage::Contest => {
                let end = self.contest.tasks_of(self.asked.rounds());
                while self.next < end {
                    let Some(mut bout) = self.bout.take().or_else(|| self.contest.begin(self.next)) else { break };
                    let Some(games) = bout.play(&self.contest, &mut go_on)? else {
                        self.bout = Some(bout);
                        return Ok(self.progress());
                    };
                    self.gathered.played.push((self.next, games));
                    self.next += 1;
                }
                self.enter(Stage::Replay);
            }
            Stage::Replay => {
                while go_on() {
                    if !self.replay.as_mut().is_some_and(Replay::step) {
                        self.enter(Stage::Over);
                        break;
                    }
                }
            }
            Stage::Over => {}
        }
        Ok(self.progress())
    }

    /// Ends what takes longer than its share, as so large a part of the time is over. Games are played until all of it is.
    pub fn pass(&mut self, part: f64) {
        let next = match self.stage {
            Stage::Random if part >= RANDOM_PART => Stage::Coverage,
            Stage::Coverage if part >= COVERAGE_PART => Stage::Book,
            Stage::Book if part >= BOOK_PART => Stage::Contest,
            Stage::Contest if part >= 1.0 => Stage::Replay,
            _ => return,
        };
        self.enter(next);
    }

    /// Ends it: what is left is to look at the games that were played.
    pub fn stop(&mut self) {
        if self.stage < Stage::Replay {
            self.is_stopped = true;
            self.enter(Stage::Replay);
        }
    }

    fn enter(&mut self, stage: Stage) {
        if let Some(book) = self.book.take() {
            self.gathered.book = Some(book.lines());
        }
        if stage == Stage::Replay {
            self.bout = None;
            self.replay = Some(Replay::new(&self.game, &self.asked, &self.gathered));
        }
        self.stage = stage;
    }

    pub fn progress(&self) -> Progress {
        let (done, of) = match self.stage {
            Stage::Random => (self.gathered.random.games(), self.asked.random_games()),
            Stage::Coverage => (self.covered.games(), COVERED_GAMES),
            Stage::Book => self.book.as_ref().map_or((0, 1), Book::progress),
            Stage::Contest => (self.next, self.contest.tasks_of(self.asked.rounds())),
            Stage::Replay | Stage::Over => self.replay.as_ref().map_or((0, 0), Replay::progress),
        };
        Progress { stage: self.stage, done, of }
    }

    /// Games that are over: random ones, and those of the other players.
    pub fn games(&self) -> (u64, u64) {
        let played = self.gathered.played.iter().map(|(_, games)| games.len() as u64).sum();
        (self.gathered.random.games(), played)
    }

    /// The numbers and the page of what is done by now. `command` makes the report again.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn report(&self, command: String) -> Result<(Study, String), Error> {
        let begun;
        let replay = match &self.replay {
            Some(replay) => replay,
            None => {
                begun = Replay::new(&self.game, &self.asked, &self.gathered);
                &begun
            }
        };
        let study = study(&self.game, &self.asked, &self.gathered, replay, self.is_stopped);
        let material = material(&self.game, (&self.asked, command), &study, replay.samples())?;
        let page = page(&study, &material);
        Ok((study, page))
    }
}
