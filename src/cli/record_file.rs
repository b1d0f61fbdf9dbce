//! Record file: lines of played games go in; a file that holds whole lines at any time comes out.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::cli::Failure;
use crate::game::Game;

/// How long a line may wait to be written.
pub const FLUSH: Duration = Duration::from_millis(500);
/// Bytes that wait at most.
const PENDING: usize = 1 << 20;
/// Names that are tried for the file beside.
const PARTS: u32 = 100;

/// What games are recorded to. A plain file is written beside the old one, which it replaces at the
/// end; a device, a pipe and stdout are written at once, and so is a file that is gone on with.
pub struct RecordFile {
    sink: Sink,
    /// As the user named it.
    name: String,
    replaces: Option<Replacement>,
    pending: Vec<u8>,
    flushed: Instant,
    /// Bytes and games that are written.
    size: u64,
    games: u64,
}

enum Sink {
    Stdout,
    File(File),
}

/// The lines stand in one file until the end, and get the name of another then.
struct Replacement {
    part: PathBuf,
    goal: PathBuf,
}

/// What a record file that is gone on with has.
pub struct Recorded {
    pub games: u64,
    /// The last line.
    pub last: Option<String>,
}

/// What is read of a line.
#[derive(Deserialize)]
struct Header {
    game: u64,
    seed: Option<u64>,
}

impl RecordFile {
    /// A file that begins with the first game.
    ///
    /// # Errors
    /// A file that the game is read from, or that cannot be written.
    pub fn create(path: &Path, game: &Game) -> Result<RecordFile, Failure> {
        let name = path.display().to_string();
        let cannot = |error: std::io::Error| cannot_write(&name, &error);
        if path == Path::new("-") {
            return Ok(RecordFile::new(Sink::Stdout, "the standard output".to_string(), None));
        }
        // Through links, so that they stay.
        let goal = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        refuse_sources(&goal, &name, game)?;
        let old = std::fs::metadata(&goal).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = File::options().write(true).open(&goal).map_err(cannot)?;
            return Ok(RecordFile::new(Sink::File(file), name, None));
        }
        if old.is_some() {
            // A file that may not be written is not replaced either.
            File::options().append(true).open(&goal).map_err(cannot)?;
        }
        let (file, part) = create_beside(&goal).map_err(cannot)?;
        if let Some(old) = old {
            // Where the system does not let us, it has rights of its own.
            let _ = file.set_permissions(old.permissions());
        }
        Ok(RecordFile::new(Sink::File(file), name, Some(Replacement { part, goal })))
    }

    /// A file that goes on where it ended, and what it has. There may be none yet.
    ///
    /// # Errors
    /// As [`RecordFile::create`]; no plain file; a line that is no game, or not the one of its
    /// number and of this seed.
    pub fn append(path: &Path, game: &Game, seed: u64) -> Result<(RecordFile, Recorded), Failure> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            return Err(Failure::usage("`--append` goes on with a file, not with the standard output".to_string()));
        }
        let goal = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        refuse_sources(&goal, &name, game)?;
        if std::fs::metadata(&goal).is_ok_and(|there| !there.is_file()) {
            return Err(Failure::usage(format!("`--append` goes on with a file, and `{name}` is none")));
        }
        let options = File::options().read(true).append(true).create(true).open(&goal);
        let file = options.map_err(|error| cannot_write(&name, &error))?;
        let size = file.metadata()?.len();
        let recorded = recorded_in(&file, &name, seed)?;
        let mut file = RecordFile::new(Sink::File(file), name, None);
        (file.size, file.games) = (size, recorded.games);
        Ok((file, recorded))
    }

    fn new(sink: Sink, name: String, replaces: Option<Replacement>) -> RecordFile {
        RecordFile { sink, name, replaces, pending: Vec::new(), flushed: Instant::now(), size: 0, games: 0 }
    }

    pub fn is_stdout(&self) -> bool {
        matches!(self.sink, Sink::Stdout)
    }

    /// Takes the line of a game, and writes what has waited long enough.
    pub fn push(&mut self, line: &str) -> Result<(), Failure> {
        self.pending.extend_from_slice(line.as_bytes());
        self.pending.push(b'\n');
        self.tick()
    }

    /// Writes what has waited long enough.
    pub fn tick(&mut self) -> Result<(), Failure> {
        if self.pending.len() >= PENDING || self.flushed.elapsed() >= FLUSH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let mut written = 0;
        while written < self.pending.len() {
            let rest = &self.pending[written..];
            let wrote = match &mut self.sink {
                Sink::Stdout => std::io::stdout().write(rest),
                Sink::File(file) => file.write(rest),
            };
            match wrote {
                Ok(0) => return Err(self.cut(written, ErrorKind::WriteZero.into())),
                Ok(more) => written += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.cut(written, error)),
            }
        }
        if self.is_stdout()
            && let Err(error) = std::io::stdout().flush()
        {
            return Err(self.cut(0, error));
        }
        self.count(written);
        self.pending.clear();
        self.flushed = Instant::now();
        Ok(())
    }

    /// So many of the bytes that waited are written.
    fn count(&mut self, bytes: usize) {
        self.size += bytes as u64;
        self.games += self.pending[..bytes].iter().filter(|byte| **byte == b'\n').count() as u64;
    }

    /// Cuts the file behind its last whole line, as no more can be written.
    fn cut(&mut self, written: usize, error: std::io::Error) -> Failure {
        let whole = self.pending[..written].iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        self.count(whole);
        self.pending.clear();
        if let Sink::File(file) = &self.sink {
            // Of a device there is nothing to cut.
            let _ = file.set_len(self.size);
        }
        if self.is_stdout() && error.kind() == ErrorKind::BrokenPipe {
            return error.into();
        }
        cannot_write(&self.name, &error)
    }

    /// All lines are there: they replace the old file.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.flush()?;
        match &self.replaces {
            Some(Replacement { part, goal }) => {
                std::fs::rename(part, goal).map_err(|error| cannot_write(&self.name, &error))?;
                self.replaces = None;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The run has failed: an old file stays, and what was played is kept. The failure with where
    /// that is.
    pub fn give_up(mut self, mut failure: Failure) -> Failure {
        // If this fails too, the games are counted that were written.
        let _ = self.flush();
        let mut name = self.name.clone();
        if let Some(Replacement { part, goal }) = &self.replaces {
            let is_kept = self.games > 0 && (goal.exists() || std::fs::rename(part, goal).is_err());
            if is_kept {
                name = part.display().to_string();
            } else if self.games == 0 {
                // A file that cannot be removed holds nothing.
                let _ = std::fs::remove_file(part);
            }
        }
        if !failure.message.is_empty() {
            failure.message += &match self.games {
                0 => String::from("note: no game was recorded\n"),
                1 => format!("note: `{name}` holds 1 game\n"),
                games => format!("note: `{name}` holds {games} games\n"),
            };
        }
        failure
    }
}

fn cannot_write(name: &str, error: &std::io::Error) -> Failure {
    Failure::cannot_write(Path::new(name), error)
}

/// A file that the game is read from is not written.
fn refuse_sources(goal: &Path, name: &str, game: &Game) -> Result<(), Failure> {
    let is_goal = |source: &str| std::fs::canonicalize(source).is_ok_and(|source| source == goal);
    if game.model().sources.names().any(is_goal) {
        return Err(Failure::usage(format!("the game is read from `{name}`: record to another file")));
    }
    Ok(())
}

/// A new file in the same folder, so that it can be renamed.
fn create_beside(goal: &Path) -> std::io::Result<(File, PathBuf)> {
    let mut number = 1;
    loop {
        let mut part = goal.to_path_buf().into_os_string();
        part.push(if number == 1 { ".part".to_string() } else { format!(".part{number}") });
        match File::create_new(&part) {
            // Another run writes it, or was killed.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < PARTS => number += 1,
            created => return created.map(|file| (file, PathBuf::from(part))),
        }
    }
}

/// Reads a record file line by line.
fn recorded_in(file: &File, name: &str, seed: u64) -> Result<Recorded, Failure> {
    let refused = |number: u64, why: &str| {
        Failure::usage(format!("cannot go on with `{name}`: line {} {why}", number.saturating_add(1)))
    };
    let (mut reader, mut recorded) = (BufReader::new(file), Recorded { games: 0, last: None });
    loop {
        let (mut line, number) = (String::new(), recorded.games);
        let read = reader.read_line(&mut line);
        if read.map_err(|error| Failure::usage(format!("cannot read `{name}`: {error}")))? == 0 {
            return Ok(recorded);
        }
        let Ok(header) = serde_json::from_str::<Header>(&line) else {
            return Err(refused(number, "is no recorded game"));
        };
        if !line.ends_with('\n') {
            return Err(refused(number, "has no end"));
        }
        if header.game != number {
            return Err(refused(number, &format!("is game {}, not game {number}", header.game)));
        }
        match header.seed {
            Some(found) if found == seed => {}
            Some(found) => return Err(refused(number, &format!("was played with `--seed {found}`, not {seed}"))),
            None => return Err(refused(number, "does not tell its seed")),
        }
        line.pop();
        (recorded.games, recorded.last) = (number + 1, Some(line));
    }
}
