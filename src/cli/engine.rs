//! Command `engine`: lines of a protocol in the manner of UCI come in on stdin; what is found goes
//! out on stdout. `docs/protocol.md` describes it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::cli::args::{EngineArgs, SearchArg};
use crate::cli::select::Line;
use crate::cli::{Failure, Outcome};
use crate::game::{Error, Game, Move, Position};
use crate::player::{Ahead, AlphaBeta, AlphaBetaOptions, Analysis, Mcts, Options, Weights};
use crate::position::Written;

/// Between two lines of information.
const TELL: Duration = Duration::from_millis(500);
/// Of the time that is left, what a move gets where no number of moves is said.
const MOVES_TO_GO: u32 = 30;
/// Kept back of a move's time for what lies between the programs.
const MARGIN: Duration = Duration::from_millis(20);

/// What is set by `setoption`.
#[derive(Clone, Copy, Debug)]
struct Settings {
    /// Megabytes.
    hash: usize,
    seed: u64,
    lines: usize,
    search: SearchArg,
}

/// What is kept between the moves of a game.
#[derive(Debug, Default)]
struct Kept {
    tree: Option<Mcts>,
    ahead: Option<AlphaBeta>,
}

/// When a search ends.
#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u16>,
}

struct Engine {
    game: Game,
    start: Position,
    position: Position,
    settings: Settings,
    stop: Arc<AtomicBool>,
    weights: Option<Weights>,
    kept: Arc<Mutex<Kept>>,
    search: Option<JoinHandle<()>>,
    /// The search ends by itself.
    is_bounded: bool,
}

pub fn run(args: &EngineArgs) -> Outcome {
    let game = crate::cli::select::load(&args.game)?.with_plan();
    crate::cli::expect_no_chance(&game)?;
    let start = crate::cli::position(&game, &args.game, None)?;
    let weights = crate::cli::select::weights(&args.game.game, &game)?;
    if args.search == SearchArg::Alphabeta && !AlphaBeta::knows(&game) {
        return Err(Failure::usage(format!("alphabeta cannot play {}: it is not for two players", game.name())));
    }
    let mut engine = Engine {
        position: start.clone(),
        start,
        game,
        settings: Settings { hash: 256, seed: args.game.seed, lines: 1, search: args.search },
        stop: Arc::default(),
        weights,
        kept: Arc::default(),
        search: None,
        is_bounded: true,
    };
    for line in crate::cli::select::lines(std::io::stdin().lock()) {
        let Line::Text(line) = line? else {
            say("info string this line is too long\n")?;
            continue;
        };
        if !engine.obey(line.trim())? {
            engine.halt();
            return Ok(std::process::ExitCode::SUCCESS);
        }
    }
    // Nobody can say `stop` any more: a search that has a bound goes on to it.
    if engine.is_bounded {
        engine.join();
    }
    engine.halt();
    Ok(std::process::ExitCode::SUCCESS)
}

fn say(text: &str) -> Result<(), Failure> {
    crate::cli::print(text)
}

impl Engine {
    /// Does what a line asks; `false`: it is to quit.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "uci" | "ucci" => self.introduce(word)?,
            "isready" => say("readyok\n")?,
            "ucinewgame" => {
                self.halt();
                self.forget();
                self.position = self.start.clone();
            }
            "setoption" => self.set(rest)?,
            "position" => {
                self.halt();
                if let Err(why) = self.place(rest) {
                    say(&format!("info string {why}\n"))?;
                }
            }
            "go" => self.go(rest)?,
            "stop" => self.halt(),
            "d" => say(&format!("{}\n", self.position))?,
            "quit" => return Ok(false),
            "" | "debug" | "register" | "ponderhit" => {}
            _ => say(&format!("info string unknown command `{word}`\n"))?,
        }
        Ok(true)
    }

    fn introduce(&self, word: &str) -> Result<(), Failure> {
        say(&format!(
            "id name Lusoria {} ({})\nid author the authors of Lusoria\n\
             option name Hash type spin default 256 min 1 max 1048576\n\
             option name Seed type spin default 0 min 0 max 2147483647\n\
             option name MultiPV type spin default 1 min 1 max 100\n\
             option name Search type combo default {} var mcts var alphabeta\n{word}ok\n",
            env!("CARGO_PKG_VERSION"),
            self.game.name(),
            if self.settings.search == SearchArg::Mcts { "mcts" } else { "alphabeta" },
        ))
    }

    /// `name NAME value VALUE`, and the short form of UCCI, `NAME VALUE`.
    fn set(&mut self, text: &str) -> Result<(), Failure> {
        let text = text.strip_prefix("name ").unwrap_or(text);
        let (name, value) = text.split_once(" value ").or_else(|| text.rsplit_once(' ')).unwrap_or((text, ""));
        let number = value.trim().parse::<u64>();
        match (name.trim().to_ascii_lowercase().as_str(), number) {
            ("search", _) => match value.trim() {
                "mcts" => self.settings.search = SearchArg::Mcts,
                "alphabeta" if AlphaBeta::knows(&self.game) => self.settings.search = SearchArg::Alphabeta,
                other => return say(&format!("info string no search `{other}` for this game\n")),
            },
            ("hash" | "hashsize", Ok(megabytes)) => self.settings.hash = megabytes.clamp(1, 1 << 20) as usize,
            ("seed", Ok(seed)) => self.settings.seed = seed,
            ("multipv", Ok(lines)) => self.settings.lines = lines.clamp(1, 100) as usize,
            // Programs set what all engines have; what this one has not is no reason to stop.
            _ => return say(&format!("info string no option `{}`\n", name.trim())),
        }
        self.forget();
        Ok(())
    }

    /// `startpos moves ...` or `fen POSITION moves ...`, a position as `show` prints it.
    fn place(&mut self, text: &str) -> Result<(), String> {
        let (place, moves) = match text.split_once(" moves") {
            Some((place, moves)) => (place.trim(), moves),
            None => (text, ""),
        };
        let mut position = match place.strip_prefix("fen ") {
            Some(fen) => self.game.position(fen.trim()).map_err(|error| error.to_string())?,
            None if place == "startpos" => self.start.clone(),
            None => return Err(format!("say `position startpos` or `position fen`, not `{place}`")),
        };
        for text in moves.split_whitespace() {
            let made = read(&position, text)?;
            position.play(&made).map_err(|error| error.to_string())?;
        }
        self.position = position;
        Ok(())
    }

    fn forget(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Kept::default();
    }

    /// Stops the search; it tells its best move.
    fn halt(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.join();
        self.stop.store(false, Ordering::Relaxed);
    }

    fn join(&mut self) {
        if let Some(search) = self.search.take() {
            // A search that failed has told so.
            let _ = search.join();
        }
    }

    fn go(&mut self, text: &str) -> Result<(), Failure> {
        self.halt();
        let limits = limits(text, self.position.mover().index());
        self.is_bounded = limits.time.is_some() || limits.nodes.is_some() || limits.depth.is_some();
        let (position, kept, stop, settings) =
            (self.position.clone(), self.kept.clone(), self.stop.clone(), self.settings);
        let weights = self.weights.clone();
        let spawned = std::thread::Builder::new().spawn(move || {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let best = match settings.search {
                SearchArg::Mcts => search(&position, &mut kept.tree, settings, limits, &stop),
                SearchArg::Alphabeta => {
                    look_ahead(&position, &mut kept.ahead, weights.as_ref(), (settings, limits), &stop)
                }
            };
            let told = match best {
                Ok(best) => format!("bestmove {}\n", best.unwrap_or_else(|| String::from("(none)"))),
                Err(error) => format!("info string {error}\nbestmove (none)\n"),
            };
            // Whoever listened is gone.
            let _ = say(&told);
        });
        match spawned {
            Ok(search) => self.search = Some(search),
            Err(error) => say(&format!("info string no thread can be started: {error}\nbestmove (none)\n"))?,
        }
        Ok(())
    }
}

/// Searches and tells how that goes; the best move.
fn search(
    position: &Position,
    tree: &mut Option<Mcts>,
    settings: Settings,
    limits: Limits,
    stop: &AtomicBool,
) -> Result<Option<String>, Error> {
    let options = Options { seed: settings.seed, memory: settings.hash << 20, ..Options::default() };
    let following = Mcts::following(tree.take(), position, options);
    let tree = tree.insert(following);
    let (begun, known, mut told) = (Instant::now(), tree.progress().playouts, Instant::now());
    loop {
        let mut rounds = 0;
        tree.search(|progress| {
            rounds += 1;
            rounds < 64
                && !stop.load(Ordering::Relaxed)
                && limits.time.is_none_or(|time| begun.elapsed() < time)
                && limits.nodes.is_none_or(|nodes| progress.playouts - known < nodes)
        })?;
        let playouts = tree.progress().playouts - known;
        let is_over = stop.load(Ordering::Relaxed)
            || limits.time.is_some_and(|time| begun.elapsed() >= time)
            || limits.nodes.is_some_and(|nodes| playouts >= nodes)
            || rounds < 64;
        if is_over || told.elapsed() >= TELL {
            told = Instant::now();
            let _ = say(&information(position, &tree.analysis(), settings.lines, playouts, begun.elapsed()));
        }
        if is_over {
            return Ok(tree.best().map(|best| written(position, &best)));
        }
    }
}

/// Looks ahead and tells how that goes; the best move.
fn look_ahead(
    position: &Position,
    kept: &mut Option<AlphaBeta>,
    weights: Option<&Weights>,
    (settings, limits): (Settings, Limits),
    stop: &AtomicBool,
) -> Result<Option<String>, Error> {
    let begun = Instant::now();
    let options = AlphaBetaOptions { seed: settings.seed, memory: settings.hash << 20, lines: settings.lines };
    let ahead = match kept {
        Some(ahead) => ahead,
        None => kept.insert(AlphaBeta::new(position.game(), weights, options)?),
    };
    let go_on = |ahead: Ahead| {
        !stop.load(Ordering::Relaxed)
            && limits.time.is_none_or(|time| begun.elapsed() < time)
            && limits.nodes.is_none_or(|nodes| ahead.nodes < nodes)
    };
    let tell = |analysis: &Analysis| {
        let nodes = analysis.progress.nodes as u64;
        // Whoever listened is gone.
        let _ = say(&information(position, analysis, settings.lines, nodes, begun.elapsed()));
    };
    let analysis = ahead.search(position, limits.depth.unwrap_or(u16::MAX), go_on, tell)?;
    tell(&analysis);
    Ok(analysis.lines.first().map(|best| written(position, &best.first)))
}

fn limits(text: &str, seat: usize) -> Limits {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let clock = |name: &str| number(&format!("{}{name}", if seat == 0 { 'w' } else { 'b' }));
    let share = clock("time").or_else(|| number("time")).map(|left| {
        let moves = number("movestogo").map_or(MOVES_TO_GO, |moves| moves.clamp(1, 1000) as u32);
        let increment = clock("inc").or_else(|| number("increment")).unwrap_or(0);
        let share = Duration::from_millis(left) / moves + Duration::from_millis(increment);
        share.min(Duration::from_millis(left) / 2)
    });
    let time = number("movetime").map(Duration::from_millis).or(share);
    // What is not bounded at all gets a second, unless it is to go on until `stop`.
    let depth = number("depth").map(|depth| depth.clamp(1, 200) as u16);
    let is_bounded = time.is_some() || number("nodes").is_some() || depth.is_some();
    let bounded = is_bounded || words.contains(&"infinite");
    let time = if bounded { time } else { Some(Duration::from_secs(1)) };
    let time = time.map(|time| time.saturating_sub(MARGIN).max(Duration::from_millis(1)));
    Limits { time, nodes: number("nodes"), depth }
}

/// A line of information for each of the best moves.
fn information(position: &Position, analysis: &Analysis, lines: usize, playouts: u64, took: Duration) -> String {
    let milliseconds = took.as_millis().max(1);
    let rate = u128::from(playouts) * 1000 / milliseconds;
    let mut text = String::new();
    for (at, line) in (1..).zip(analysis.lines.iter().take(lines)) {
        let many = if lines > 1 { format!(" multipv {at}") } else { String::new() };
        let first = written(position, &line.first);
        let rest: String = line.moves.iter().skip(1).map(|text| format!(" {}", joined(text))).collect();
        let score = centipawns(line.value);
        text += &format!(
            "info depth {}{many} score cp {score} nodes {playouts} nps {rate} time {milliseconds} pv {first}{rest}\n",
            analysis.depth.map_or(line.moves.len(), usize::from)
        );
    }
    text
}

/// A mean payoff on the scale of pawns that programs of Chess use: 50 % is 0, 60 % about half a pawn.
fn centipawns(value: f64) -> i64 {
    (111.7 * (1.562 * (2.0 * value - 1.0).clamp(-0.999, 0.999)).tan()).round() as i64
}

/// A move's text as one word.
fn joined(text: &str) -> String {
    text.replace(' ', "_")
}

/// A move as UCI writes it, `e2e4`, `e7e8q`; one of several choices as its own text, `_` for blanks.
fn written(position: &Position, made: &Move) -> String {
    let text = made.to_string();
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    // `x` stands between cells, and is no file there.
    let cells: String = made.cells().map(|cell| position.game().cell_name(cell).to_string()).collect();
    let promotion = text.rsplit_once('=').map(|(_, kind)| kind.to_ascii_lowercase()).unwrap_or_default();
    let short = format!("{cells}{promotion}");
    let is_it = |text: &str| read(position, text).is_ok_and(|found| found.id() == made.id());
    // Nothing moves from one cell to another: the rules may give it such a name.
    let model = position.game().model();
    let lands = made.written().iter().any(|choice| matches!(choice, Written::Landing { .. }));
    if !lands && !model.aliases.is_empty() {
        let first = made.cells().next().map(|cell| position.game().cell_name(cell)).unwrap_or_default();
        let texts = model.topology.cells().map(|cell| format!("{first}{}", model.topology.name(cell)));
        if let Some(alias) = texts.filter(|text| *text != short).find(|text| is_it(text)) {
            return alias;
        }
    }
    if made.cells().count() == 2 && is_it(&short) {
        return short;
    }
    if plain == text { plain } else { joined(&text) }
}

/// The move that a word means: its own text, with `_` for blanks, or its cells without joints.
fn read(position: &Position, word: &str) -> Result<Move, String> {
    let moves = position.legal_moves().map_err(|error| error.to_string())?;
    let spaced = word.replace('_', " ");
    if let Some(made) = moves.iter().find(|made| made.to_string() == spaced) {
        return Ok(made.clone());
    }
    let plain = |text: &str| {
        text.chars().filter(|c| c.is_ascii_alphanumeric() && *c != 'x').collect::<String>().to_ascii_lowercase()
    };
    let mut alike = moves.iter().filter(|made| plain(&made.to_string()) == plain(word));
    if let (Some(made), None) = (alike.next(), alike.next()) {
        return Ok(made.clone());
    }
    let found = position.find_move(&spaced).or_else(|_| position.find_move(&hyphened(word)));
    found.map_err(|_| format!("`{word}` is not a legal move of {position}"))
}

/// `e1g1` as `e1-g1`.
fn hyphened(word: &str) -> String {
    let mut text = String::new();
    let mut after_digit = false;
    for c in word.chars() {
        if after_digit && c.is_ascii_alphabetic() && !text.contains('-') {
            text.push('-');
        }
        after_digit = c.is_ascii_digit();
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{centipawns, hyphened, limits, read, written};
    use crate::game::Game;
    use std::time::Duration;

    #[test]
    fn moves_are_written_and_read_as_uci_has_them() {
        let game = Game::shipped("chess").expect("it is shipped");
        for (text, wanted) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R White unmoved=a1+e1+h1+a8+e8+h8", vec!["e1g1", "e1c1", "a1a8", "h1h8", "e1e2"]),
            ("4k3/P7/8/8/8/8/8/4K3 White", vec!["a7a8q", "a7a8n", "e1e2"]),
        ] {
            let position = game.position(text).expect("it is one");
            let moves = position.legal_moves().expect("no fault");
            let all: Vec<String> = moves.iter().map(|made| written(&position, made)).collect();
            let different: std::collections::HashSet<_> = all.iter().collect();
            assert_eq!(different.len(), all.len(), "{all:?}");
            for wanted in wanted {
                assert!(all.iter().any(|text| text == wanted), "{wanted}: {all:?}");
            }
            for (made, text) in moves.iter().zip(&all) {
                assert_eq!(read(&position, text).map(|found| found.id()), Ok(made.id()), "{text}");
            }
        }
    }

    #[test]
    fn moves_of_any_game_are_one_word_and_read_again() {
        for name in ["amazons", "fanorona", "nine_mens_morris", "othello", "pente", "congo", "chess", "focus"] {
            let game = Game::shipped(name).expect("it is shipped");
            let position = game.start(0).expect("it begins");
            for made in position.legal_moves().expect("no fault").iter().step_by(17) {
                let text = written(&position, made);
                assert!(!text.contains(char::is_whitespace), "{name}: {text}");
                assert_eq!(read(&position, &text).map(|found| found.id()), Ok(made.id()), "{name}: {text}");
            }
        }
    }

    #[test]
    fn time_is_shared_out() {
        let time = |text: &str, seat| limits(text, seat).time.map(|time| time.as_millis());
        assert_eq!(time("movetime 500", 0), Some(480));
        assert_eq!(time("wtime 60000 btime 30000", 0), Some(1980));
        assert_eq!(time("wtime 60000 btime 30000 binc 100", 1), Some(1080));
        assert_eq!(time("wtime 60000 btime 30000 movestogo 1", 1), Some(14_980));
        assert_eq!(time("infinite", 0), None);
        assert_eq!((time("nodes 300", 0), limits("nodes 300", 0).nodes), (None, Some(300)));
        assert_eq!(time("", 0), Some(Duration::from_secs(1).as_millis() - 20));
        assert_eq!(time("wtime 1", 0), Some(1));
    }

    #[test]
    fn values_become_centipawns() {
        assert_eq!((centipawns(0.5), centipawns(0.6)), (0, 36));
        assert!(centipawns(1.0) > 10_000 && centipawns(0.0) < -10_000);
        assert_eq!(hyphened("e1g1"), "e1-g1");
        assert_eq!(hyphened("a10b11"), "a10-b11");
    }
}
