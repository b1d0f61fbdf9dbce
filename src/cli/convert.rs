//! Command `convert`: a file of games in any known form goes in; the same games come out in another.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;

use crate::cli::args::{ConvertArgs, ConvertTo};
use crate::cli::games::{Stop, only_kind, play, read, start};
use crate::cli::{Failure, Outcome, RULES};
use crate::game::{Game, Position};
use crate::import::records::Record;
use crate::position::{Man, Written};

/// Characters of a line of PGN, at most.
const LINE: usize = 80;

/// A move that was played.
struct Step {
    before: Position,
    text: String,
}

/// What became of a file.
#[derive(Serialize)]
struct Conversion<'a> {
    file: &'a str,
    games: Vec<Converted>,
    /// The games that could not be played to their end.
    failed: Vec<Unplayed>,
}

#[derive(Serialize)]
struct Converted {
    /// Its place in the file, from 1.
    game: usize,
    /// In the form that was asked for.
    text: String,
}

#[derive(Serialize)]
struct Unplayed {
    game: usize,
    line: usize,
    error: String,
}

pub fn run(args: &ConvertArgs) -> Outcome {
    let game = crate::cli::select::load(&args.game)?;
    let records = read(&args.file)?;
    let (mut converted, mut failed) = (Vec::new(), Vec::new());
    for (at, record) in records.iter().enumerate() {
        let begun = match start(&game, record)? {
            Some(begun) => begun,
            None => crate::cli::position(&game, &args.game, None)?,
        };
        let (mut position, mut steps) = (begun.clone(), Vec::new());
        let played = play(&mut position, record, |before, text| {
            steps.push(Step { before: before.clone(), text: text.to_string() });
            Ok(())
        });
        match played {
            Ok(()) => {}
            Err(Stop::Other(failure)) => return Err(failure),
            Err(Stop::Move(line, stopped)) => {
                if !args.json {
                    let text = format!("{}:{line}: game {}: {stopped}\n", args.file, at + 1);
                    anstream::stderr().write_all(text.as_bytes())?;
                }
                failed.push(Unplayed { game: at + 1, line, error: stopped.to_string() });
                continue;
            }
        }
        let text = match args.to {
            ConvertTo::Moves => moves(&steps)?,
            ConvertTo::Record => recorded(&game, at, (&begun, &position), &steps)?,
            ConvertTo::Pgn => pgn(&game, record, (&begun, &position), &steps)?,
            ConvertTo::Sgf => sgf(&game, record, (&begun, &position), &steps)?,
        };
        match args.json {
            true => converted.push(Converted { game: at + 1, text }),
            false => crate::cli::print(&text)?,
        }
    }
    let is_whole = failed.is_empty();
    if args.json {
        crate::cli::print_json(&Conversion { file: &args.file, games: converted, failed })?;
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(RULES) })
}

/// The move of a step as this program writes it.
fn own(step: &Step) -> Result<String, Failure> {
    // A pass that was left out stands before it.
    let found = step.before.find_move(&step.text);
    Ok(found.map_or_else(|_| step.text.clone(), |found| found.to_string()))
}

fn moves(steps: &[Step]) -> Result<String, Failure> {
    let mut text = String::new();
    for step in steps {
        text += &own(step)?;
        text.push('\n');
    }
    Ok(text + "\n")
}

fn recorded(game: &Game, number: usize, ends: (&Position, &Position), steps: &[Step]) -> Result<String, Failure> {
    let mut moves = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let legal = step.before.legal_moves().map_err(|error| crate::cli::failure(game, error, None))?.len();
        let after = steps.get(at + 1).map_or(ends.1, |next| &next.before);
        let player = step.before.chooser();
        moves.push(json!({ "player": player, "move": own(step)?, "legal": legal, "position": after.to_string() }));
    }
    let outcome = ends.1.outcome();
    Ok(json!({ "game": number, "start": ends.0.to_string(), "moves": moves, "outcome": outcome }).to_string() + "\n")
}

/// SGF: what the record says of itself, then a node for each move, as cells of two letters unless the rules say otherwise.
fn sgf(game: &Game, record: &Record, ends: (&Position, &Position), steps: &[Step]) -> Result<String, Failure> {
    let (how, seats, board) = (game.sgf(), game.players(), &game.model().topology);
    if seats.len() != 2 || game.model().asks.chance {
        return Err(Failure::usage(String::from("SGF has games for two players without chance")));
    }
    let letter = |name: Option<&str>| seats.iter().position(|seat| Some(*seat) == name).map(|seat| how.letters[seat]);
    let number = how.number.map(|number| format!("GM[{number}]")).unwrap_or_default();
    let size = match (board.files(), board.ranks()) {
        (files, ranks) if files == ranks => files.to_string(),
        (files, ranks) => format!("{files}:{ranks}"),
    };
    let mut text = format!("(;{number}FF[4]CA[UTF-8]AP[Lusoria]SZ[{size}]GN[{}]", escaped_sgf(game.name()));
    // By the names that PGN has, and those of SGF.
    for (own, other) in
        [("PB", "Black"), ("PW", "White"), ("EV", "Event"), ("PC", "Site"), ("DT", "Date"), ("RO", "Round")]
    {
        if let Some(value) = record.tag(own).or(record.tag(other)).filter(|value| *value != "?") {
            text += &format!("{own}[{}]", escaped_sgf(value));
        }
    }
    match ends.1.outcome().map(|outcome| outcome.winners) {
        None => {}
        Some(winners) => match letter(winners.first().map(String::as_str)) {
            Some(letter) => text += &format!("RE[{letter}+]"),
            None => text += "RE[0]",
        },
    }
    if record.has_start() {
        // Other programs read the men, this one the position with what is remembered.
        text += &set_up(game, ends.0)?.unwrap_or_default();
        text += &format!("FEN[{}]", escaped_sgf(&ends.0.to_string()));
    }
    for (at, step) in steps.iter().enumerate() {
        let cells = match step.before.find_move(&step.text) {
            Ok(found) if !how.in_words => crate::notation::points(game.model(), found.written()),
            _ => None,
        };
        let written = cells.map_or_else(|| own(step), Ok)?;
        let letter = letter(step.before.chooser()).unwrap_or('B');
        text += &format!("{}{letter}[{}]", if at % 10 == 0 { "\n;" } else { ";" }, escaped_sgf(&written));
    }
    Ok(text + ")\n\n")
}

/// The men of a position as SGF sets them up, on the board with which the game begins. `None`: it has no words for them.
fn set_up(game: &Game, begun: &Position) -> Result<Option<String>, Failure> {
    let (model, how) = (game.model(), game.sgf());
    let kind = only_kind(model);
    let usual = game.start(0).map_err(|error| crate::cli::failure(game, error, None))?;
    let mut lists = [("AB", String::new()), ("AW", String::new()), ("AE", String::new())];
    for cell in model.topology.cells() {
        let list = match begun.state().men(cell) {
            men if men == usual.state().men(cell) => continue,
            [] => 2,
            [Man { owner: Some(owner), kind: of }] if Some(*of) == kind => {
                usize::from(how.letters[owner.index()] == 'W')
            }
            _ => return Ok(None),
        };
        let Some(point) = crate::notation::points(model, &[Written::Cell(cell)]) else { return Ok(None) };
        lists[list].1 += &format!("[{point}]");
    }
    let lists = lists.into_iter().filter(|(_, cells)| !cells.is_empty());
    let men: String = lists.map(|(name, cells)| format!("{name}{cells}")).collect();
    let letter = how.letters[begun.state().to_move().index()];
    Ok(Some(format!("{men}PL[{letter}]")))
}

/// A text as a value of SGF.
fn escaped_sgf(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// PGN: tags, then moves, abbreviated where the rules say how.
fn pgn(game: &Game, record: &Record, ends: (&Position, &Position), steps: &[Step]) -> Result<String, Failure> {
    let seats = game.players();
    let result = match ends.1.outcome() {
        None => "*",
        Some(outcome) if outcome.winners.is_empty() => "1/2-1/2",
        Some(outcome) if outcome.winners.iter().any(|winner| Some(&winner.as_str()) == seats.first()) => "1-0",
        Some(_) => "0-1",
    };
    let result = record.tag("Result").unwrap_or(result);
    let mut text = String::new();
    for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
        text += &format!("[{name} \"{}\"]\n", record.tag(name).unwrap_or("?"));
    }
    text += &format!("[Result \"{result}\"]\n[Variant \"{}\"]\n", game.name());
    if record.has_start() {
        text += &format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", ends.0);
    }
    text.push('\n');
    let mut words = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        if at % seats.len().max(1) == 0 {
            words.push(format!("{}.", at / seats.len().max(1) + 1));
        }
        let short = step.before.find_move(&step.text).ok().and_then(|found| step.before.abbreviation(&found));
        words.push(short.map_or_else(|| own(step), Ok)?);
    }
    words.push(result.to_string());
    let mut width = 0;
    for word in words {
        let joint = if width == 0 {
            ""
        } else if width + word.len() >= LINE {
            "\n"
        } else {
            " "
        };
        width = if joint == "\n" { word.len() } else { width + joint.len() + word.len() };
        text += joint;
        text += &word;
    }
    Ok(text + "\n\n")
}
