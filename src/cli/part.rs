//! Parts: what a shard has come to goes in; a file comes out that is whole at any moment, and holds the rules that were played.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::check::{Library, ParamValue, Settings, key};
use crate::cli::Failure;
use crate::cli::select::{bytes, unreadable};
use crate::game::Game;
use crate::model::{Expr, Number, Truth};
use crate::shipped::{Shipped, title};
use crate::source::{Source, SourceId};

/// Larger files are not read, in bytes.
const MOST_BYTES: u64 = 256 << 20;
/// How long games are played between two writings, unless their number is said.
pub const CHECKPOINT: Duration = Duration::from_secs(30);

/// The rules of a game, as they were read: they are a game again on any machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// The prelude, the file, and what it extends: names and texts.
    sources: Vec<(String, String)>,
    variant: Option<String>,
    params: Vec<(String, Param)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Param {
    Truth(bool),
    Number(i64),
}

impl Rules {
    pub fn of(game: &Game) -> Rules {
        let model = game.model();
        let sources = (0..).map_while(|id| model.sources.get(SourceId(id)));
        let params = model.params.iter().filter_map(|(name, value)| match value {
            Expr::Number(Number::Fixed(number)) => Some((name.clone(), Param::Number(*number))),
            Expr::Truth(Truth::Fixed(truth)) => Some((name.clone(), Param::Truth(*truth))),
            _ => None,
        });
        Rules {
            sources: sources.map(|source| (source.name().to_string(), source.text().to_string())).collect(),
            variant: model.variant.clone(),
            params: params.collect(),
        }
    }

    /// The game that was played. `name` is what the rules were read from, for a person.
    ///
    /// # Errors
    /// Texts that are no game.
    pub fn game(&self, name: &str) -> Result<Game, Failure> {
        let param = |param: &Param| match param {
            Param::Number(number) => ParamValue::Number(*number),
            Param::Truth(truth) => ParamValue::Truth(*truth),
        };
        let params = self.params.iter().map(|(name, value)| (name.clone(), param(value))).collect();
        let settings = Settings { variant: self.variant.clone(), params };
        let source = |(name, text): &(String, String)| Source::new(name.clone(), text.clone());
        let file = self.sources.get(1).map(source);
        let file = file.ok_or_else(|| Failure::usage(format!("`{name}` has no rules in it")))?;
        let loaded = Game::load(file, self as &dyn Library, &settings).map(|game| game.without_plan());
        loaded.map_err(|error| Failure::usage(format!("the rules in `{name}` are no game: {error}")))
    }
}

/// These texts are all that the game is read from.
impl Library for Rules {
    fn prelude(&self) -> Source {
        let first = self.sources.first();
        first.map_or_else(|| Shipped.prelude(), |(name, text)| Source::new(name.clone(), text.clone()))
    }

    fn find(&self, wanted: &str) -> Option<Source> {
        let is_it = |text: &str| title(text).is_some_and(|title| key(&title) == key(wanted));
        let found = self.sources.iter().skip(2).find(|(_, text)| is_it(text));
        found.map(|(name, text)| Source::new(name.clone(), text.clone()))
    }
}

/// What every part begins with.
#[derive(Deserialize)]
struct Form {
    form: Option<String>,
}

/// What a file says that it is, if it is a part of any command.
///
/// # Errors
/// A file that cannot be read.
pub fn form(path: &Path) -> Result<String, Failure> {
    let form = serde_json::from_slice::<Form>(&bytes(path, MOST_BYTES, "")?);
    Ok(form.ok().and_then(|form| form.form).unwrap_or_default())
}

/// Reads a part of a command.
///
/// # Errors
/// A file that cannot be read, or is no part of this command.
pub fn read<Part: DeserializeOwned>(path: &Path, command: &str) -> Result<Part, Failure> {
    parse(path, &text(path)?, command)
}

/// What a part's file has.
///
/// # Errors
/// A file that cannot be read.
pub fn text(path: &Path) -> Result<Vec<u8>, Failure> {
    bytes(path, MOST_BYTES, "")
}

/// A part of a command from what its file has.
///
/// # Errors
/// It is no part of this command.
pub fn parse<Part: DeserializeOwned>(path: &Path, text: &[u8], command: &str) -> Result<Part, Failure> {
    serde_json::from_slice(text).map_err(|error| unreadable(path, &format!("it is no file of `{command}`: {error}")))
}

/// Writes a part beside its file, and gives it the name then: the file is the old one or the new one at any moment.
///
/// # Errors
/// A file that cannot be written.
pub fn write(path: &Path, part: &impl Serialize) -> Result<(), Failure> {
    let refused = |error: std::io::Error| Failure::cannot_write(path, &error);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let text = serde_json::to_vec(part).map_err(|error| Failure::usage(error.to_string()))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(refused)?;
    file.write_all(&text).and_then(|()| file.as_file().sync_all()).map_err(refused)?;
    file.persist(path).map_err(|error| refused(error.error))?;
    Ok(())
}
