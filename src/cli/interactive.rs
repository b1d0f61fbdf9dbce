//! Command `play`: a game at the terminal, or from a file of lines. Moves are typed; programs answer.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::board::{Cell, CellSet};
use crate::cli::analyse::value_text;
use crate::cli::args::PlayArgs;
use crate::cli::opponent::{Budget, Opponent, Spec};
use crate::cli::select::Line;
use crate::cli::{Failure, INTERRUPTED, Outcome, games};
use crate::game::{Error, Game, Move, Position};
use crate::player::simple::drawn_by_chance;
use crate::player::{Analysis, Options};
use crate::render;

/// Between two looks whether Ctrl-C was pressed while a person thinks.
const LOOK: Duration = Duration::from_millis(50);
/// Moves that a list shows, at most.
const MOST_LISTED: usize = 60;

const HELP: &str = "Type a move as it is listed, or the beginning of one:
  moves [TEXT]   legal moves, those that begin with TEXT
  a2             the moves from a cell, marked on the board
  undo           take back your last move and the answer
  hint           what the program would play
  eval           what the program thinks of the position
  show           draw the board again
  save FILE      write the moves to a file
  load FILE      begin anew with the moves of a file
  resign, quit   leave
";

/// What people type.
type Lines = Box<dyn Iterator<Item = Result<Line, Failure>>>;

/// A game at the terminal.
struct Table {
    game: Game,
    start: Position,
    position: Position,
    /// The texts of the moves that were played, and who chose them.
    played: Vec<(String, bool)>,
    last: CellSet,
    seats: Vec<Opponent>,
    specs: Vec<Spec>,
    adviser: Opponent,
    advice: Budget,
    /// What chance chooses is drawn by it.
    dice: Xoshiro256PlusPlus,
    /// Boards are drawn in ASCII alone.
    ascii: bool,
    /// The game is data on stdout at its end; all that is said before goes to stderr.
    json: bool,
}

/// The game as data.
#[derive(Serialize)]
struct Told {
    game: String,
    /// The position that it began with.
    start: String,
    /// Who played each seat, in turn order.
    seats: Vec<Seat>,
    /// All moves, those of chance included.
    moves: Vec<String>,
    position: String,
    /// `null`: chance is to choose.
    to_move: Option<String>,
    /// Names; `null` while the game goes on, empty for a draw.
    winners: Option<Vec<String>>,
    /// How the game came out, and by which line of the rules.
    over: Option<String>,
}

#[derive(Serialize)]
struct Seat {
    player: String,
    /// As `--seat` has it.
    seat: String,
}

/// What a line asks.
enum Answer {
    Go,
    Quit,
}

pub fn run(args: &PlayArgs) -> Outcome {
    let game = crate::cli::select::load(&args.game)?.with_plan();
    let start = crate::cli::position(&game, &args.game, args.position.as_deref())?;
    let specs = args.specs(&game)?;
    let stop = crate::cli::interruption();
    let options = |seat: usize| Options {
        seed: args.game.seed ^ seat as u64,
        memory: args.memory / (specs.len() + 1),
        ..Options::default()
    };
    let weights = crate::cli::select::weights(&args.game.game, &game)?;
    let opponent = |(seat, spec): (usize, &Spec)| Opponent::new(*spec, options(seat)).with_weights(weights.clone());
    let seats = specs.iter().enumerate().map(opponent).collect();
    let adviser = Opponent::new(Spec::Mcts(args.advice), options(specs.len()));
    let position = start.clone();
    let last = CellSet::EMPTY;
    let mut table = Table {
        game,
        start,
        position,
        played: Vec::new(),
        last,
        seats,
        specs,
        adviser,
        advice: args.advice,
        dice: Xoshiro256PlusPlus::seed_from_u64(args.game.seed),
        ascii: args.ascii,
        json: args.json,
    };
    let asks = args.moves.is_none() && std::io::stdin().is_terminal();
    let lines: Lines = match args.moves.as_deref() {
        Some(file) => match crate::cli::games::is_list(file)? {
            true => Box::new(crate::cli::select::lines(std::io::BufReader::new(
                std::fs::File::open(file).map_err(|error| Failure::usage(format!("{file}: {error}")))?,
            ))),
            false => {
                let (begun, moves) = recorded(&table.game, args, file)?;
                (table.start, table.position) = (begun.clone(), begun);
                Box::new(moves.into_iter().map(|text| Ok(Line::Text(text))))
            }
        },
        None if asks => Box::new(typed_lines(stop)),
        None => Box::new(crate::cli::select::lines(std::io::stdin().lock())),
    };
    if asks {
        table.say(&format!("{}. `help` lists what can be typed.\n", table.game.name()))?;
    }
    let ended = table.go_on(lines, asks, stop)?;
    if args.json {
        crate::cli::print_json(&table.told())?;
    } else {
        table.say(&table.transcript())?;
    }
    Ok(if ended { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// The moves of a record, and the position that it begins with. What cannot be played is told with its line.
fn recorded(game: &Game, args: &PlayArgs, file: &str) -> Result<(Position, Vec<String>), Failure> {
    let record = games::one(file)?;
    let said = if args.position.is_none() { games::start(game, &record)? } else { None };
    let begun = match said {
        Some(begun) => begun,
        None => crate::cli::position(game, &args.game, args.position.as_deref())?,
    };
    let (mut position, mut moves) = (begun.clone(), Vec::new());
    let played = games::play(&mut position, &record, |_, text| {
        moves.push(text.to_string());
        Ok(())
    });
    match played {
        Ok(()) => Ok((begun, moves)),
        Err(games::Stop::Other(failure)) => Err(failure),
        Err(games::Stop::Move(line, stopped)) => {
            let failure = crate::cli::show::unplayed(&position, *stopped, false)?;
            Err(Failure { message: format!("{file}:{line}:\n{}", failure.message), ..failure })
        }
    }
}

/// The lines that people type at a terminal. They end at Ctrl-C, which does not wait for a line.
fn typed_lines(stop: &'static AtomicBool) -> impl Iterator<Item = Result<Line, Failure>> {
    let (tell, told) = mpsc::channel();
    // It may wait for a line for ever, and ends with the program.
    std::thread::spawn(move || {
        for line in crate::cli::select::lines(std::io::stdin().lock()) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    std::iter::from_fn(move || {
        loop {
            match told.recv_timeout(LOOK) {
                Ok(line) => return Some(line),
                Err(mpsc::RecvTimeoutError::Timeout) if !stop.load(Ordering::Relaxed) => {}
                Err(_) => return None,
            }
        }
    })
}

/// Texts with commas between them, on lines that are as wide as the terminal at most, if there is one.
fn listed(texts: &[&str], width: Option<usize>) -> String {
    let Some(width) = width else { return texts.join(", ") };
    let (mut text, mut column) = (String::new(), 0);
    for (at, one) in texts.iter().enumerate() {
        let comma = usize::from(at + 1 < texts.len());
        let length = one.chars().count() + comma;
        if column > 0 && column + 1 + length > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(one);
        text.push_str(if comma > 0 { "," } else { "" });
        column += length;
    }
    text
}

/// Columns of the terminal that is written to, if it is one.
fn width() -> Option<usize> {
    let size = std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    size.map(|(width, _)| usize::from(width.0)).filter(|width| *width >= 20)
}

impl Table {
    /// Writes what belongs to the game to stdout, unless that is for data.
    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.json {
            anstream::stderr().write_all(text.as_bytes())?;
            return Ok(());
        }
        crate::cli::print(text)
    }

    /// Plays until the game is over or its lines end; `false`: it was interrupted.
    fn go_on(&mut self, mut lines: Lines, asks: bool, stop: &AtomicBool) -> Result<bool, Failure> {
        self.draw(&CellSet::EMPTY)?;
        loop {
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if let Some(how) = self.position.outcome_text() {
                self.say(&format!("{how}\n"))?;
                return Ok(true);
            }
            if self.position.is_chance_next() {
                self.roll()?;
                continue;
            }
            let seat = self.position.choosing().index();
            if self.specs[seat] != Spec::Human {
                if !self.answer(seat, stop)? {
                    return Ok(!stop.load(Ordering::Relaxed));
                }
                continue;
            }
            if asks {
                self.say(&format!("{}> ", self.position.chooser().unwrap_or_default()))?;
            }
            let Some(line) = lines.next() else {
                if asks {
                    self.say("\n")?;
                }
                return Ok(!stop.load(Ordering::Relaxed));
            };
            let Line::Text(line) = line? else {
                self.say("this line is too long\n")?;
                continue;
            };
            match self.command(line.trim(), stop)? {
                Answer::Go => {}
                Answer::Quit => return Ok(true),
            }
        }
    }

    /// Chance chooses, and what it chose is told.
    fn roll(&mut self) -> Result<(), Failure> {
        let drawn = drawn_by_chance(&self.position, &mut self.dice).map_err(|error| self.failure(error))?;
        self.say(&format!("chance: {drawn}\n"))?;
        self.make(&drawn, false)
    }

    fn failure(&self, error: Error) -> Failure {
        crate::cli::failure(&self.game, error, None)
    }

    /// A program plays its move; `false`: it has none.
    fn answer(&mut self, seat: usize, stop: &AtomicBool) -> Result<bool, Failure> {
        let chosen = self.seats[seat].choose(&self.position, stop).map_err(|error| self.failure(error))?;
        let Some((made, analysis)) = chosen else { return Ok(false) };
        let thought = analysis.as_ref().map(thought).unwrap_or_default();
        self.say(&format!("{} plays {made}{thought}\n", self.position.chooser().unwrap_or_default()))?;
        self.make(&made, false)?;
        Ok(true)
    }

    fn make(&mut self, made: &Move, by_hand: bool) -> Result<(), Failure> {
        let text = made.to_string();
        let changed = made.changes().map_err(|error| self.failure(error))?;
        self.position.play(made).map_err(|error| self.failure(error))?;
        self.last = changed.into_iter().map(|change| change.cell).collect();
        self.played.push((text, by_hand));
        let marked = self.last;
        self.draw(&marked)
    }

    fn command(&mut self, line: &str, stop: &AtomicBool) -> Result<Answer, Failure> {
        let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match (word, rest) {
            ("", _) => {}
            ("help" | "?", _) => self.say(HELP)?,
            ("quit" | "exit" | "resign", "") => return Ok(Answer::Quit),
            ("show", "") => {
                let marked = self.last;
                self.draw(&marked)?;
            }
            ("moves", beginning) => self.list(beginning)?,
            ("undo", "") => self.undo()?,
            ("hint" | "eval", "") => self.advise(word, stop)?,
            ("save", path) if !path.is_empty() => self.save(Path::new(path))?,
            ("load", path) if !path.is_empty() => self.load(Path::new(path))?,
            _ => self.typed(line)?,
        }
        Ok(Answer::Go)
    }

    /// A move, a cell that moves begin from, or the beginning of a move.
    fn typed(&mut self, line: &str) -> Result<(), Failure> {
        if let Ok(made) = self.position.find_move(line) {
            return self.make(&made, true);
        }
        let words = games::words(&self.position, line);
        if words.len() > 1 && self.position.clone().play_text(&words[0]).is_ok() {
            // Several moves on a line, as files of games have them.
            return words.iter().try_for_each(|word| self.typed(word));
        }
        match self.position.play_text(line) {
            // A pass before it was left out.
            Ok(()) => {
                self.played.push((line.to_string(), true));
                self.draw(&CellSet::EMPTY)?;
            }
            Err(error) => {
                let moves = self.moves()?;
                let from = moves.iter().filter(|one| one.from().is_some_and(|cell| self.game.cell_name(cell) == line));
                let targets: Vec<Cell> = from.filter_map(Move::to).collect();
                if targets.is_empty() {
                    self.say(&self.failure(error).message)?;
                } else {
                    self.draw(&targets.into_iter().collect())?;
                }
                self.list(line)?;
            }
        }
        Ok(())
    }

    fn moves(&self) -> Result<Vec<Move>, Failure> {
        self.position.legal_moves().map_err(|error| self.failure(error))
    }

    fn list(&self, beginning: &str) -> Result<(), Failure> {
        let texts: Vec<String> = self.moves()?.iter().map(Move::to_string).collect();
        let fitting: Vec<&str> = texts.iter().map(String::as_str).filter(|text| text.starts_with(beginning)).collect();
        let more = fitting.len().saturating_sub(MOST_LISTED);
        let shown: Vec<&str> = fitting.into_iter().take(MOST_LISTED).collect();
        if shown.is_empty() {
            return self.say(&format!("no move begins with `{beginning}`\n"));
        }
        let rest = if more > 0 { format!("and {more} more") } else { String::new() };
        let all: Vec<&str> = shown.into_iter().chain((more > 0).then_some(rest.as_str())).collect();
        self.say(&format!("{}\n", listed(&all, width())))
    }

    /// Takes back the last move that was typed, and what came after it.
    fn undo(&mut self) -> Result<(), Failure> {
        if !self.played.iter().any(|(_, by_hand)| *by_hand) {
            return self.say("there is no move of yours to take back\n");
        }
        while let Some((_, by_hand)) = self.played.pop() {
            self.position.undo();
            if by_hand {
                break;
            }
        }
        self.last = CellSet::EMPTY;
        self.draw(&CellSet::EMPTY)
    }

    fn advise(&mut self, what: &str, stop: &AtomicBool) -> Result<(), Failure> {
        let analysis = self.adviser.think(&self.position, self.advice, stop).map_err(|error| self.failure(error))?;
        let Some(best) = analysis.lines.first() else { return self.say("there is no move\n") };
        let value = value_text(best.value, analysis.proven.or(best.proven));
        match what {
            "hint" => self.say(&format!("{}\n", best.moves[0])),
            _ => self.say(&format!(
                "{} for {}: {}\n",
                value,
                self.position.chooser().unwrap_or_default(),
                best.moves.join("  ")
            )),
        }
    }

    fn save(&self, path: &Path) -> Result<(), Failure> {
        let texts: String = self.played.iter().map(|(text, _)| format!("{text}\n")).collect();
        match std::fs::write(path, texts) {
            Ok(()) => self.say(&format!("saved to {}\n", path.display())),
            Err(error) => self.say(&format!("{}: {error}\n", path.display())),
        }
    }

    fn load(&mut self, path: &Path) -> Result<(), Failure> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return self.say(&format!("{}: {error}\n", path.display())),
        };
        let texts: Vec<&str> = text.lines().map(str::trim).filter(|text| !text.is_empty()).collect();
        let mut position = self.start.clone();
        if let Err(error) = position.play_moves(texts.iter().copied()) {
            return self.say(&format!("{}: {error}\n", path.display()));
        }
        self.position = position;
        self.played = texts.into_iter().map(|text| (text.to_string(), true)).collect();
        self.last = CellSet::EMPTY;
        self.draw(&CellSet::EMPTY)
    }

    fn draw(&self, marked: &CellSet) -> Result<(), Failure> {
        let now = self.position.now().map_err(|error| self.failure(error))?;
        let paint = if self.json { render::Paint::Plain } else { crate::cli::paint(self.ascii) };
        self.say(&format!("{}\n", render::board_drawing(self.game.model(), &now, marked, paint)))
    }

    /// All moves, and the position that they led to.
    fn transcript(&self) -> String {
        let texts: Vec<&str> = self.played.iter().map(|(text, _)| text.as_str()).collect();
        format!("moves: {}\nposition: {}\n", texts.join(", "), self.position)
    }

    /// The same, and how the game came out, as data.
    fn told(&self) -> Told {
        let players = self.game.players().into_iter().zip(&self.specs);
        Told {
            game: self.game.name().to_string(),
            start: self.start.to_string(),
            seats: players.map(|(player, spec)| Seat { player: player.to_string(), seat: spec.to_string() }).collect(),
            moves: self.played.iter().map(|(text, _)| text.clone()).collect(),
            position: self.position.to_string(),
            to_move: self.position.chooser().map(str::to_string),
            winners: self.position.outcome().map(|outcome| outcome.winners),
            over: self.position.outcome_text(),
        }
    }
}

/// What a program thought, behind its move.
fn thought(analysis: &Analysis) -> String {
    let Some(best) = analysis.lines.first() else { return String::new() };
    format!(" ({}, {})", value_text(best.value, best.proven), crate::cli::analyse::effort(analysis))
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn lists_break_between_moves() {
        let texts = ["a1-a2", "b1-a2", "b2-b3"];
        assert_eq!(listed(&texts, None), "a1-a2, b1-a2, b2-b3");
        assert_eq!(listed(&texts, Some(20)), "a1-a2, b1-a2, b2-b3");
        assert_eq!(listed(&texts, Some(18)), "a1-a2, b1-a2,\nb2-b3");
        assert_eq!(listed(&["a", "longer than it is wide"], Some(4)), "a,\nlonger than it is wide");
    }
}
