//! Errors: what the library says goes in; Python exceptions with code, place and help come out.

use lusoria::cli::functions::Refused;
use lusoria::report::{Look, Notice, render};
use lusoria::source::Sources;
use lusoria::{Error, Game, LoadError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// What stops a call, before it is an exception.
pub enum Wrong {
    /// No game is called so.
    Name(String),
    Rules(LoadError),
    /// Of a game; the text is the position or move that was given.
    Play(Game, Box<Error>, Option<String>),
    Python(PyErr),
}

impl Wrong {
    /// What went wrong with a game that was loaded.
    pub fn of(game: &Game) -> impl Fn(Error) -> Wrong + '_ {
        |error| Wrong::Play(game.clone(), Box::new(error), None)
    }

    /// What is wrong with a text of a position or move.
    pub fn in_text<'g>(game: &'g Game, text: &'g str) -> impl Fn(Error) -> Wrong + 'g {
        move |error| Wrong::Play(game.clone(), Box::new(error), Some(text.to_string()))
    }
}

impl From<PyErr> for Wrong {
    fn from(error: PyErr) -> Wrong {
        Wrong::Python(error)
    }
}

impl From<Refused> for Wrong {
    fn from(refused: Refused) -> Wrong {
        match refused {
            Refused::Name(message) => Wrong::Name(message),
            Refused::Rules(error) => Wrong::Rules(error),
        }
    }
}

impl From<Wrong> for PyErr {
    fn from(wrong: Wrong) -> PyErr {
        Python::attach(|py| exception(py, wrong).unwrap_or_else(|failed| failed))
    }
}

fn exception(py: Python<'_>, wrong: Wrong) -> PyResult<PyErr> {
    let facts = PyDict::new(py);
    let (class, message) = match wrong {
        Wrong::Python(error) => return Ok(error),
        Wrong::Name(message) => ("UnknownGameError", message),
        Wrong::Rules(error) => {
            let notices: Vec<Notice> = error.errors().collect();
            let told = PyList::empty(py);
            for notice in &notices {
                let one = PyDict::new(py);
                set_notice(&one, notice, &error.sources)?;
                one.set_item("message", &notice.message)?;
                told.append(one)?;
            }
            if let Some(first) = notices.first() {
                set_notice(&facts, first, &error.sources)?;
            }
            facts.set_item("errors", told)?;
            ("RulesError", render(&notices, &error.sources, Look::default()))
        }
        Wrong::Play(game, error, text) => return of_play(py, &game, &error, text.as_deref()),
    };
    raised(py, class, &message, &facts)
}

fn of_play(py: Python<'_>, game: &Game, error: &Error, text: Option<&str>) -> PyResult<PyErr> {
    let facts = PyDict::new(py);
    let class = match error {
        Error::Fault { fault, position, .. } => {
            set_notice(&facts, &Notice::from(fault), &game.model().sources)?;
            facts.set_item("position", position)?;
            "FaultError"
        }
        Error::Setup(setup) => {
            facts.set_item("code", setup.code())?;
            facts.set_item("help", setup.help())?;
            "FaultError"
        }
        Error::Notation(notation) => {
            facts.set_item("code", notation.code())?;
            facts.set_item("help", notation.help())?;
            if let Some(text) = text {
                let before = text.get(..notation.span.start).unwrap_or(text);
                facts.set_item("line", 1)?;
                facts.set_item("column", before.chars().count() + 1)?;
            }
            "NotationError"
        }
        Error::Chance => "ChanceError",
        Error::NotAMove => "NotAMoveError",
    };
    raised(py, class, &error.to_string(), &facts)
}

/// Code, place and help of a notice.
fn set_notice(facts: &Bound<'_, PyDict>, notice: &Notice, sources: &Sources) -> PyResult<()> {
    facts.set_item("code", &notice.code)?;
    facts.set_item("help", &notice.help)?;
    if let Some(source) = sources.get(notice.span.source) {
        let (line, column) = source.line_column(notice.span.start);
        facts.set_item("file", source.name())?;
        facts.set_item("line", line)?;
        facts.set_item("column", column)?;
    }
    Ok(())
}

fn raised(py: Python<'_>, class: &str, message: &str, facts: &Bound<'_, PyDict>) -> PyResult<PyErr> {
    let class = py.import("lusoria.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((message.trim_end(),), Some(facts))?))
}
