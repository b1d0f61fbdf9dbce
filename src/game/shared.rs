//! Shared state of a game: its rules go in; its plan, and what each thread plays with, come out when they are asked for.

use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, OnceLock};

use thread_local::ThreadLocal;

use crate::batch;
use crate::batch::{Batch, Prepared};
use crate::check;
use crate::check::{Library, ParamValue, Settings};
use crate::game::node::Node;
use crate::interp::{Engine, Session};
use crate::model;
use crate::notation::Formats;
use crate::plan::{PassSet, Unplanned};
use crate::position::Position;
use crate::reference::{Executor, Setup};
use crate::shipped::{Shipped, title};
use crate::source::{Source, SourceId, Sources};

/// The rules of a game, and what is made from them when it is first asked for.
pub struct Shared {
    pub model: Arc<model::Game>,
    /// How other programs write its positions and moves.
    pub formats: Arc<Formats>,
    /// Positions are played by the plan, where there is one.
    plans: bool,
    engine: OnceLock<Result<Engine, Unplanned>>,
    prepared: OnceLock<Option<Arc<dyn Prepared>>>,
    noted: OnceLock<Option<Arc<model::Game>>>,
    scratch: ThreadLocal<RefCell<Scratch>>,
}

/// What one thread plays with.
#[derive(Default)]
pub struct Scratch {
    pub executor: Executor,
    pub session: Option<Box<dyn Session>>,
    pub batch: Option<Box<dyn Batch>>,
    /// The position whose history the session holds, and those before it.
    pub at: Option<Arc<Node>>,
}

impl Scratch {
    /// The session of this thread. It is of one game, that of the scratch.
    pub fn session(&mut self, engine: &Engine) -> &mut dyn Session {
        &mut **self.session.get_or_insert_with(|| engine.runner())
    }
}

impl Shared {
    pub fn new(model: Arc<model::Game>, formats: Arc<Formats>, plans: bool) -> Shared {
        Shared {
            model,
            formats,
            plans,
            engine: OnceLock::new(),
            prepared: OnceLock::new(),
            noted: OnceLock::new(),
            scratch: ThreadLocal::new(),
        }
    }

    /// The plan of the game, made when it is first asked for. None: the reference executor plays.
    pub fn engine(&self) -> Option<&Engine> {
        if !self.plans {
            return None;
        }
        self.planned().as_ref().ok().filter(|engine| engine.lists_plies())
    }

    /// The plan of the game, without bounds of turns that are mostly missed.
    pub fn planned(&self) -> &Result<Engine, Unplanned> {
        self.engine.get_or_init(|| {
            let engine = Engine::sharing(self.model.clone(), PassSet::ALL)?;
            let set_up = || Executor::new().start(&self.model, Setup::Number(0)).ok();
            let start = if engine.may_have_loose_bounds() { set_up() } else { None };
            let tight = start.and_then(|start| engine.without_loose_bounds(&start).ok()?);
            Ok(tight.unwrap_or(engine))
        })
    }

    /// The plan where it does not list moves: it plays whole turns, from the beginning of one. None: it does, or there is no
    /// plan; or the rules ask for earlier positions, which a session does not take over.
    pub fn engine_between_turns(&self) -> Option<&Engine> {
        let asks = &self.model.asks;
        if !self.plans || self.engine().is_some() || asks.times_pieces || asks.times_position {
            return None;
        }
        self.planned().as_ref().ok()
    }

    /// The plan prepared for lock step, where that is faster than one game after the other.
    pub fn prepared(&self) -> Option<&Arc<dyn Prepared>> {
        let engine = self.engine()?;
        let prepare = || {
            let fits = batch::fits(engine).is_ok_and(|fit| fit.slow.is_none());
            fits.then(|| batch::prepare(engine).ok()).flatten()
        };
        self.prepared.get_or_init(prepare).as_ref()
    }

    /// The same rules with the notes that tell authors where things stand. None: the texts that they
    /// were read from are not there as they were.
    pub fn noted(&self) -> Option<&Arc<model::Game>> {
        self.noted.get_or_init(|| noted(&self.model).map(Arc::new)).as_ref()
    }

    /// If the player of a position that play begins with is stuck, asks `end` what that means. A fault
    /// is told when moves are asked for.
    pub fn ask_stuck(&self, state: &mut Position) {
        let _ = self.scratch(|scratch| scratch.executor.outcome(&self.model, state));
    }

    /// Lends what this thread plays with. It is lent once at a time.
    pub fn scratch<T>(&self, play: impl FnOnce(&mut Scratch) -> T) -> T {
        let scratch = self.scratch.get_or_default();
        match scratch.try_borrow_mut() {
            Ok(mut scratch) => play(&mut scratch),
            // A caller's generator of random numbers may ask the same game.
            Err(_) => play(&mut Scratch::default()),
        }
    }
}

/// The texts that a game was read from, as a library.
pub struct Read<'s>(pub &'s Sources);

impl Library for Read<'_> {
    fn prelude(&self) -> Source {
        self.0.get(SourceId::PRELUDE).cloned().unwrap_or_else(|| Shipped.prelude())
    }

    fn find(&self, wanted: &str) -> Option<Source> {
        let mut bases = (2..).map_while(|id| self.0.get(SourceId(id)));
        bases.find(|source| title(source.text()).is_some_and(|title| check::key(&title) == check::key(wanted))).cloned()
    }
}

/// The game checked once more, with notes.
fn noted(model: &model::Game) -> Option<model::Game> {
    let params = model.params.iter().filter_map(|(name, value)| match value {
        model::Expr::Number(model::Number::Fixed(number)) => Some((name.clone(), ParamValue::Number(*number))),
        model::Expr::Truth(model::Truth::Fixed(truth)) => Some((name.clone(), ParamValue::Truth(*truth))),
        _ => None,
    });
    let settings = Settings { variant: model.variant.clone(), params: params.collect() };
    let file = model.sources.get(SourceId(1))?.clone();
    let noted = check::load_noted(file, &Read(&model.sources), &settings).game?;
    // The same numbers stand for the same things.
    let is_same = noted.blocks.len() == model.blocks.len() && noted.defines.len() == model.defines.len();
    is_same.then_some(noted)
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("name", &self.model.name()).finish_non_exhaustive()
    }
}
