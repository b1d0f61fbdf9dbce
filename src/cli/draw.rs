//! Command `draw`: a position or a game goes in; its picture comes out as a file, SVG or PNG.

use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use crate::cli::args::{DrawArgs, MarkArg};
use crate::cli::play::{Plan, Table};
use crate::cli::{Failure, Outcome};
use crate::draw;
use crate::draw::{Frame, MAX_FRAMES, Marks, Picture, PictureOptions};
use crate::game::{Error, Game, Position};
use crate::measures::playouts::Terms;

/// Pixels of a unit of a picture, unless a width is said.
#[cfg(feature = "png")]
const PIXELS_A_UNIT: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

#[derive(Serialize)]
struct Drawn {
    game: String,
    file: String,
    format: &'static str,
    /// The last position that was drawn.
    position: String,
    /// Positions that the picture shows.
    frames: usize,
    /// In units of the SVG.
    width: f64,
    height: f64,
}

pub fn run(args: &DrawArgs) -> Outcome {
    let format = format(&args.output)?;
    // A picture is drawn sooner than a plan is made.
    let game = crate::cli::select::load(&args.at.game)?.without_plan();
    let fail = |error: Error| crate::cli::failure(&game, error, None);
    let mut walk = Walk::start(&game, args)?;
    let texts = moves(&game, args, &mut walk)?;
    let said = texts.iter().map(String::as_str);
    for (before, text) in said.enumerate() {
        walk.play(text, before + 1, args.json)?;
    }
    let picture = if args.frames {
        let frames = frames(args, &walk).map_err(fail)?;
        let coordinates = !args.no_coordinates;
        let is_strip = args.strip || format == Format::Png;
        let drawn = if is_strip {
            draw::strip(game.model(), &frames, args.columns.map(usize::from), coordinates)
        } else {
            draw::animation(game.model(), &frames, coordinates)
        };
        drawn.map(|picture| (picture, frames.len()))
    } else {
        let options = PictureOptions { coordinates: !args.no_coordinates, caption: args.caption.clone() };
        let marks = walk.marks(walk.steps.len() - 1, args).map_err(fail)?;
        Some((walk.position.marked_picture(&marks, &options).map_err(fail)?, 1))
    };
    let Some((picture, count)) = picture else { return Err(Failure::usage(String::from("there is nothing to draw"))) };
    write(args, &picture, format)?;
    if args.json {
        let (width, height) = picture.size();
        let told = Drawn {
            game: game.name().to_string(),
            file: args.output.display().to_string(),
            format: if format == Format::Svg { "svg" } else { "png" },
            position: walk.position.to_string(),
            frames: count,
            width,
            height,
        };
        crate::cli::print_json(&told)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn format(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        _ if path == Path::new("-") => Ok(Format::Svg),
        Some("svg") => Ok(Format::Svg),
        Some("png") if cfg!(feature = "png") => Ok(Format::Png),
        Some("png") => Err(Failure::usage(String::from("this program was built without PNG; draw an .svg file"))),
        _ => Err(Failure::usage(format!("`{}` ends neither in .svg nor in .png", path.display()))),
    }
}

/// The positions of a game so far, and what led to each.
struct Walk {
    position: Position,
    steps: Vec<Step>,
}

struct Step {
    position: Position,
    marks: Marks,
    text: String,
}

impl Walk {
    fn start(game: &Game, args: &DrawArgs) -> Result<Walk, Failure> {
        let record = args.at.move_file.as_deref().map(crate::cli::games::one).transpose()?;
        let begun = record.as_ref().filter(|_| args.at.position.is_none());
        match begun.map(|record| crate::cli::games::start(game, record)).transpose()?.flatten() {
            Some(begun) => Ok(Walk::from(begun)),
            None => Ok(Walk::from(crate::cli::position(game, &args.at.game, args.at.position.as_deref())?)),
        }
    }

    fn from(position: Position) -> Walk {
        let step = Step { position: position.clone(), marks: Marks::default(), text: String::new() };
        Walk { position, steps: vec![step] }
    }

    /// Plays a move, the `ply`-th of those given.
    fn play(&mut self, text: &str, ply: usize, json: bool) -> Result<(), Failure> {
        let fail = |game: &Game, error| crate::cli::failure(game, error, None);
        let game = self.position.game().clone();
        let before = self.position.now().map_err(|error| fail(&game, error))?;
        let (mover, chooser) = (self.position.choosing(), self.position.chooser().map(str::to_string));
        let played = self.position.find_move(text).ok();
        let made = match &played {
            Some(played) => self.position.play(played).map_err(|error| fail(&game, error)),
            None => {
                // A pass may be left out.
                match self.position.play_moves([text]) {
                    Ok(()) => Ok(()),
                    Err(stopped) => {
                        let stopped = crate::game::MovesError { ply, ..stopped };
                        return Err(crate::cli::show::unplayed(&self.position, stopped, json)?);
                    }
                }
            }
        };
        made?;
        let marks = self.position.marks_behind(&before, played.as_ref(), mover).map_err(|error| fail(&game, error))?;
        let shown = played.map_or_else(|| text.to_string(), |played| played.to_string());
        let text = format!("{}. {} {shown}", self.steps.len(), chooser.as_deref().unwrap_or("chance"));
        self.steps.push(Step { position: self.position.clone(), marks, text });
        Ok(())
    }

    /// What is to be marked in the position of a step.
    fn marks(&self, at: usize, args: &DrawArgs) -> Result<Marks, Error> {
        let Some(step) = self.steps.get(at) else { return Ok(Marks::default()) };
        let mut marks = if args.marks.contains(&MarkArg::Last) { step.marks.clone() } else { Marks::default() };
        if args.marks.contains(&MarkArg::Moves) {
            marks.targets = step.position.targets()?;
        }
        Ok(marks)
    }
}

/// The moves to be played; where a whole game is to be drawn and none are said, those of a random one.
fn moves(game: &Game, args: &DrawArgs, walk: &mut Walk) -> Result<Vec<String>, Failure> {
    let mut texts = Vec::new();
    if let Some(file) = &args.at.move_file {
        let record = crate::cli::games::one(file)?;
        let played = crate::cli::games::play(&mut walk.position.clone(), &record, |_, text| {
            texts.push(text.to_string());
            Ok(())
        });
        match played {
            Ok(()) => {}
            Err(crate::cli::games::Stop::Other(failure)) => return Err(failure),
            // It is told where it is played again.
            Err(crate::cli::games::Stop::Move(_, stopped)) => texts.push(stopped.text),
        }
    }
    texts.extend(args.at.moves.iter().cloned());
    if !args.frames || !texts.is_empty() || args.at.move_file.is_some() {
        return Ok(texts);
    }
    let start = args.at.position.as_ref().map(|_| walk.position.state().clone());
    let is_within_turn = start.as_ref().is_some_and(|start| !start.begun().is_empty());
    let plan = Plan {
        engine: if is_within_turn { None } else { game.engine().ok() },
        prepared: None,
        lanes: None,
        first: 0,
        games: 1,
        threads: 1,
        terms: Terms { max_turns: MAX_FRAMES as u32, seed: args.at.game.seed, setup: args.at.game.setup, start },
        record: true,
        positions: true,
        details: false,
    };
    let played = Table::new(game, &plan).play(args.number).map_err(|error| crate::cli::failure(game, error, None))?;
    let record = played.1.and_then(|line| serde_json::from_str::<serde_json::Value>(&line).ok()).unwrap_or_default();
    let start = record["start"].as_str().unwrap_or_default();
    let position = game.position(start).map_err(|error| crate::cli::failure(game, error, Some(start)))?;
    *walk = Walk::from(position);
    let played = record["moves"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(played.iter().filter_map(|one| one["move"].as_str()).map(str::to_string).collect())
}

/// Each so many-th position, and the last.
fn frames(args: &DrawArgs, walk: &Walk) -> Result<Vec<Frame>, Error> {
    let (every, last) = (args.every as usize, walk.steps.len() - 1);
    let shown = (0..walk.steps.len()).filter(|at| at % every == 0 || *at == last).take(MAX_FRAMES);
    shown
        .map(|at| {
            let (step, marks) = (&walk.steps[at], walk.marks(at, args)?);
            Ok(Frame { position: step.position.now()?, marks, caption: step.text.clone() })
        })
        .collect()
}

fn write(args: &DrawArgs, picture: &Picture, format: Format) -> Result<(), Failure> {
    if args.output == Path::new("-") {
        return match args.json {
            true => Err(Failure::usage(String::from("`-o -` and `--json` both want the standard output"))),
            false => crate::cli::print(&picture.svg()),
        };
    }
    let bytes = match format {
        Format::Svg => picture.svg().into_bytes(),
        Format::Png => png(args, picture)?,
    };
    std::fs::write(&args.output, bytes).map_err(|error| Failure::cannot_write(&args.output, &error))
}

#[cfg(feature = "png")]
fn png(args: &DrawArgs, picture: &Picture) -> Result<Vec<u8>, Failure> {
    let (width, height) = picture.size();
    // So that the picture of a long game can be drawn at all.
    let most = (draw::MAX_PIXELS / (width * height).max(1.0)).sqrt();
    let usual = if most < PIXELS_A_UNIT { (width * most).floor() - 1.0 } else { (width * PIXELS_A_UNIT).round() };
    let usual = usual.max(1.0) as u32;
    picture.png(args.width.unwrap_or(usual)).map_err(Failure::usage)
}

#[cfg(not(feature = "png"))]
fn png(_: &DrawArgs, _: &Picture) -> Result<Vec<u8>, Failure> {
    Err(Failure::usage(String::from("this program was built without PNG")))
}
