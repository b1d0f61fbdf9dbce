//! The game that the arguments name: a file, or a shipped game; and the files beside it that it may
//! extend.

use std::path::{Path, PathBuf};

use crate::check::{Library, Settings, key};
use crate::cli::Failure;
use crate::cli::args::GameArgs;
use crate::game::Game;
use crate::report;
use crate::shipped::{Shipped, title};
use crate::source::Source;

/// Texts beside a file, then the shipped ones.
pub struct Beside {
    folder: Option<PathBuf>,
}

impl Beside {
    pub fn file(path: &Path) -> Beside {
        let folder = path.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
        Beside { folder: folder.map(Path::to_path_buf) }
    }
}

impl Library for Beside {
    fn prelude(&self) -> Source {
        Shipped.prelude()
    }

    fn find(&self, wanted: &str) -> Option<Source> {
        let mut paths: Vec<PathBuf> = self
            .folder
            .iter()
            .filter_map(|folder| std::fs::read_dir(folder).ok())
            .flatten()
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "rules"))
            .collect();
        paths.sort();
        let beside = paths.iter().find_map(|path| {
            let source = read(path).ok()?;
            title(source.text()).is_some_and(|title| key(&title) == key(wanted)).then_some(source)
        });
        beside.or_else(|| Shipped.find(wanted))
    }
}

/// A rules file as a source named by its path.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(name, text)),
            Err(error) => {
                Err(Failure::usage(format!("`{name}` is not UTF-8 text (byte {})", error.utf8_error().valid_up_to())))
            }
        },
        Err(error) => Err(Failure::usage(format!("cannot read `{name}`: {error}"))),
    }
}

/// The source that a name stands for, the library around it, and the variant behind a `:`.
fn source(name: &str) -> Result<(Source, Beside, Option<String>), Failure> {
    let none = Beside { folder: None };
    let candidates = std::iter::once((name, None))
        .chain(name.match_indices(':').map(|(at, _)| (&name[..at], Some(name[at + 1..].trim().to_string()))));
    for (game, variant) in candidates {
        let path = Path::new(game);
        if path.is_file() {
            return Ok((read(path)?, Beside::file(path), variant));
        }
        if let Some(shipped) = Shipped.named(game) {
            return Ok((shipped.source, none, variant));
        }
    }
    Err(unknown(name))
}

fn unknown(name: &str) -> Failure {
    if name.ends_with(".rules") || name.contains('/') {
        return Failure::usage(format!("cannot read `{name}`: there is no such file"));
    }
    let wanted = key(name.split(':').next().unwrap_or(name));
    let near = Shipped
        .games()
        .into_iter()
        .map(|game| (strsim::damerau_levenshtein(&key(game.stem), &wanted), game.stem))
        .filter(|(distance, _)| *distance <= wanted.len() / 3 + 1)
        .min_by_key(|(distance, _)| *distance);
    let help = match near {
        Some((_, stem)) => format!("did you mean `{stem}`?"),
        None => String::from("`lusoria list` shows the shipped games; a file is named by its path"),
    };
    Failure::usage(format!("there is no game or file `{name}`; {help}"))
}

/// Loads the game that the arguments name. Warnings are not shown: `check` does that.
pub fn load(args: &GameArgs) -> Result<Game, Failure> {
    let (source, library, variant) = source(&args.game)?;
    if variant.is_some() && args.variant.is_some() {
        return Err(Failure::usage(String::from("a variant is named twice: in GAME:VARIANT and by --variant")));
    }
    let settings = Settings { variant: variant.or_else(|| args.variant.clone()), params: args.params.clone() };
    Game::load(source, &library, &settings).map_err(|error| {
        let notices: Vec<_> = error.errors().collect();
        Failure::rules(report::render(&notices, &error.sources, crate::cli::look()))
    })
}
