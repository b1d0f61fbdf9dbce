//! Game selection: arguments go in; the game that they name comes out, a file or a shipped game,
//! with the files beside it that it may extend.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use crate::check;
use crate::check::{Library, ParamValue, Settings, key};
use crate::cli::Failure;
use crate::cli::args::GameArgs;
use crate::game::Game;
use crate::player::Weights;
use crate::shipped::{Shipped, title};
use crate::sort;
use crate::source::Source;

/// Texts beside a file, then the shipped ones.
pub struct Beside {
    folder: Option<PathBuf>,
}

impl Beside {
    /// No file, so the shipped ones alone.
    pub fn shipped() -> Beside {
        Beside { folder: None }
    }

    pub fn file(path: &Path) -> Beside {
        let folder = path.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
        Beside { folder: folder.map(Path::to_path_buf) }
    }
}

impl Library for Beside {
    fn prelude(&self) -> Source {
        Shipped.prelude()
    }

    fn titles(&self) -> Vec<String> {
        let beside = self.paths().into_iter().filter_map(|path| title(read(&path).ok()?.text()));
        beside.chain(Shipped.titles()).collect()
    }

    fn find(&self, wanted: &str) -> Option<Source> {
        let beside = self.paths().into_iter().find_map(|path| {
            let source = read(&path).ok()?;
            title(source.text()).is_some_and(|title| key(&title) == key(wanted)).then_some(source)
        });
        beside.or_else(|| Shipped.find(wanted))
    }
}

impl Beside {
    /// The rules files of the folder, by name.
    fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self
            .folder
            .iter()
            .filter_map(|folder| std::fs::read_dir(folder).ok())
            .flatten()
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "rules"))
            .collect();
        sort::by(&mut paths, Ord::cmp);
        paths
    }
}

/// Larger files are not read, in bytes. The checker takes less, and says so with a place in the text.
const FILE_LIMIT: u64 = 4 << 20;

/// Opens a plain file: what is none may never end, or never begin.
///
/// # Errors
/// Another kind of file, or one that cannot be opened.
pub fn open(path: &Path) -> Result<std::fs::File, Failure> {
    let told = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => unreadable(path, "there is no such file"),
        _ => unreadable(path, &error.to_string()),
    };
    let kind = std::fs::metadata(path).map_err(told)?.file_type();
    if !kind.is_file() {
        return Err(unreadable(path, kind_of_file(kind)));
    }
    std::fs::File::open(path).map_err(told)
}

/// The bytes of a plain file, at most so many.
///
/// # Errors
/// As [`open`]; a longer file, of which `but` says more.
pub fn bytes(path: &Path, most: u64, but: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    // It may grow while it is read.
    let read = open(path)?.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(path, &error.to_string()))?;
    match bytes.len() as u64 > most {
        true => Err(unreadable(path, &format!("it has more than {} MiB{but}", most >> 20))),
        false => Ok(bytes),
    }
}

pub fn unreadable(path: &Path, why: &str) -> Failure {
    Failure::usage(format!("cannot read `{}`: {why}", path.display()))
}

/// A rules file as a source named by its path.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let name = path.display().to_string();
    match String::from_utf8(bytes(path, FILE_LIMIT, ", and a rules file has at most 1 MiB")?) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => {
            Err(Failure::usage(format!("`{name}` is not UTF-8 text (byte {})", error.utf8_error().valid_up_to())))
        }
    }
}

#[cfg(unix)]
fn kind_of_file(kind: std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_dir() {
        "it is a directory"
    } else if kind.is_fifo() {
        "it is a pipe; write its text to a file first"
    } else if kind.is_char_device() || kind.is_block_device() {
        "it is a device"
    } else {
        "it is no plain file"
    }
}

#[cfg(not(unix))]
fn kind_of_file(kind: std::fs::FileType) -> &'static str {
    if kind.is_dir() { "it is a directory" } else { "it is no plain file" }
}

/// The source that a name stands for, the library around it, and the variant behind a `:`.
pub fn named(name: &str) -> Result<(Source, Beside, Option<String>), Failure> {
    let none = Beside::shipped();
    let candidates = std::iter::once((name, None))
        .chain(name.match_indices(':').map(|(at, _)| (&name[..at], Some(name[at + 1..].trim().to_string()))));
    for (game, variant) in candidates {
        let path = Path::new(game);
        // A folder may have the name of a shipped game.
        if path.is_file() || path.exists() && Shipped.named(game).is_none() {
            return Ok((read(path)?, Beside::file(path), variant));
        }
        if let Some(shipped) = Shipped.named(game) {
            return Ok((shipped.source, none, variant));
        }
    }
    Err(unknown(name))
}

/// The file of weights that belongs to what a name stands for: beside a rules file, with the same
/// stem. `None`: it is a shipped game.
pub fn weights_path(name: &str) -> Option<PathBuf> {
    let candidates = std::iter::once(name).chain(name.match_indices(':').map(|(at, _)| &name[..at]));
    let mut paths = candidates
        .map(Path::new)
        .take_while(|path| Shipped.named(&path.display().to_string()).is_none() || path.is_file());
    paths.find(|path| path.is_file()).map(|path| path.with_extension("weights"))
}

/// The weights of a game's evaluation that stand beside its file, or are shipped with it.
///
/// # Errors
/// A file that is there and cannot be read.
pub fn weights(name: &str, game: &Game) -> Result<Option<Weights>, Failure> {
    match weights_path(name) {
        Some(path) if path.exists() => {
            let source = read(&path)?;
            let all =
                Weights::parse(source.text()).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?;
            Ok(all.into_iter().find(|weights| weights.game == game.name()))
        }
        Some(_) => Ok(None),
        None => Ok(shipped_weights(game)),
    }
}

/// The weights that are shipped with a game of this title.
pub fn shipped_weights(game: &Game) -> Option<Weights> {
    let shipped = Shipped.named(game.title())?;
    let all = Weights::parse(Shipped.weights(shipped.stem)?).ok()?;
    all.into_iter().find(|weights| weights.game == game.name())
}

/// No position or move is as long, in bytes.
const LINE_LIMIT: usize = 1 << 20;

/// A line of a text that is read as it comes.
pub enum Line {
    Text(String),
    /// Of it no more was kept.
    TooLong,
}

/// The lines of a text that is read as it comes.
///
/// # Errors
/// What cannot be read; that is the last item.
pub fn lines(mut input: impl BufRead) -> impl Iterator<Item = Result<Line, Failure>> {
    let mut ended = false;
    std::iter::from_fn(move || {
        if ended {
            return None;
        }
        let line = next_line(&mut input);
        ended = line.is_err();
        line.map_err(Failure::from).transpose()
    })
}

fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<Line>> {
    let mut line = Vec::new();
    if input.by_ref().take(LINE_LIMIT as u64 + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() > LINE_LIMIT {
        while !line.ends_with(b"\n") {
            line.clear();
            if input.by_ref().take(LINE_LIMIT as u64).read_until(b'\n', &mut line)? == 0 {
                break;
            }
        }
        return Ok(Some(Line::TooLong));
    }
    let text = String::from_utf8_lossy(&line);
    let text = text.strip_suffix('\n').map_or(&*text, |text| text.strip_suffix('\r').unwrap_or(text));
    Ok(Some(Line::Text(text.to_string())))
}

/// What to say of a name that is neither that of a file nor that of a shipped game.
pub fn unknown(name: &str) -> Failure {
    if name.ends_with(".rules") || name.contains('/') {
        return Failure::usage(format!("cannot read `{name}`: there is no such file"));
    }
    let help = match meant(name) {
        Some(Meant { game, variant: None, .. }) => format!("did you mean `{game}`?"),
        Some(Meant { game, variant: Some(variant), known }) => {
            let quoted =
                if variant.contains(' ') { format!("\"{game}:{variant}\"") } else { format!("{game}:{variant}") };
            format!("did you mean `{quoted}`? The variants of `{game}` are `{}`", known.join("`, `"))
        }
        None => String::from("`lusoria list` shows the shipped games; a file is named by its path"),
    };
    Failure::usage(format!("there is no game or file `{name}`; {help}"))
}

/// A shipped game, or one of its variants.
struct Meant {
    game: &'static str,
    variant: Option<String>,
    /// All variants of the game.
    known: Vec<String>,
}

/// The shipped game or variant whose name is nearest.
fn meant(name: &str) -> Option<Meant> {
    let wanted = key(name.split(':').next().unwrap_or(name));
    let mut known: Vec<(String, Meant)> = Vec::new();
    for game in Shipped.games() {
        let variants = check::variant_titles(&game.source);
        for variant in &variants {
            let meant = Meant { game: game.stem, variant: Some(variant.clone()), known: variants.clone() };
            known.push((key(variant), meant));
        }
        known.push((key(game.stem), Meant { game: game.stem, variant: None, known: variants }));
    }
    let distances = known.into_iter().map(|(name, meant)| (strsim::damerau_levenshtein(&name, &wanted), meant));
    let near = distances.filter(|(distance, _)| *distance <= wanted.len() / 3 + 1);
    // A game comes before variants that are as near.
    near.min_by_key(|(distance, meant)| (*distance, meant.variant.is_some())).map(|(_, meant)| meant)
}

/// Loads the game that the arguments name. Warnings are not shown: `check` does that.
pub fn load(args: &GameArgs) -> Result<Game, Failure> {
    let single = |(name, values): &(String, Vec<ParamValue>)| match values.as_slice() {
        [value] => Ok((name.clone(), *value)),
        _ => Err(Failure::usage(format!("`{name}` has several values: `lusoria simulate` alone compares games"))),
    };
    let params = args.params.iter().map(single).collect::<Result<Vec<_>, Failure>>()?;
    load_as(&args.game, args.variant.clone(), params)
}

/// Loads the game of a name, as a variant, with values of params.
pub fn load_as(game: &str, wanted: Option<String>, params: Vec<(String, ParamValue)>) -> Result<Game, Failure> {
    let (source, library, variant) = named(game)?;
    if variant.is_some() && wanted.is_some() {
        return Err(Failure::usage(String::from("a variant is named twice: in GAME:VARIANT and by --variant")));
    }
    let settings = Settings { variant: variant.or(wanted), params };
    // Most commands ask little of one position: a plan would cost them more than it gives.
    let loaded = Game::load(source, &library, &settings).map(|game| game.without_plan());
    loaded.map_err(|error| {
        let notices: Vec<_> = error.errors().collect();
        Failure::rules(&notices, &error.sources)
    })
}
