//! Command `match`: two players go in; the games between them, with how much stronger one is, come
//! out.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::board::Player;
use crate::cli::args::MatchArgs;
use crate::cli::elo::{Pairs, Strength};
use crate::cli::opponent::{Opponent, Spec};
use crate::cli::select::Line;
use crate::cli::{Failure, INTERRUPTED, Outcome, select};
use crate::game::{Error, Game, Position};
use crate::player::simple::{drawn_by_chance, random};
use crate::player::{Options, Weights};
use crate::sort;

/// The error of the sequential test, both ways.
const SPRT_ERROR: f64 = 0.05;

/// A game of a match.
#[derive(Debug, Deserialize, Serialize)]
struct Played {
    /// The title of the game or variant, and the seed of the match.
    title: String,
    seed: u64,
    /// From 0; games 2n and 2n + 1 have one opening.
    game: u64,
    /// Games of the whole match; 0 in older files.
    #[serde(default)]
    of: u64,
    /// The players by seat.
    players: Vec<String>,
    /// How many of the moves were random, and are the opening of the pair.
    opening: usize,
    /// What the match was told; older files do not say it.
    #[serde(default)]
    terms: Option<Terms>,
    /// All moves, the opening first.
    moves: Vec<String>,
    /// Names of the winners; `null` if the game was given up.
    winners: Option<Vec<String>>,
    /// The points of the first player named on the command line.
    points: f64,
}

/// What decides how games of a match begin and end.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
struct Terms {
    /// Random turns that were asked for: an opening that ends the game is left out.
    opening: u32,
    max_turns: u32,
    setup: Option<u64>,
}

/// What the games of a match have in common.
#[derive(Clone, Debug)]
struct Matchup {
    title: String,
    seed: u64,
    /// The player whose strength is told, and the other.
    players: [String; 2],
    terms: Option<Terms>,
}

/// The games of a match that stand in a file, in pairs by number; half a pair is left out.
type PlayedPairs = FxHashMap<u64, Vec<Played>>;

#[derive(Clone, Debug, Default)]
struct Score {
    wins: u64,
    draws: u64,
    losses: u64,
    unfinished: u64,
    pairs: Pairs,
}

#[derive(Serialize)]
struct Told {
    game: String,
    players: [String; 2],
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Games that were given up and count as draws.
    unfinished: u64,
    #[serde(flatten)]
    strength: Strength,
    /// What the sequential test says, if it was asked and decided.
    sprt: Option<&'static str>,
    partial: bool,
}

pub fn run(args: &MatchArgs) -> Outcome {
    let game = crate::cli::select::load(&args.game)?.with_plan();
    if game.players().len() != 2 {
        return Err(Failure::usage(format!("{} is not a game for two players", game.name())));
    }
    if [args.first, args.second].contains(&Spec::Human) {
        return Err(Failure::usage(String::from("a match is played by programs: `lusoria play` is for people")));
    }
    if let Some(why) = [args.first, args.second].iter().find_map(|spec| spec.misfit(&game)) {
        return Err(Failure::usage(why));
    }
    let weights = crate::cli::select::weights(&args.game.game, &game)?;
    let stop = crate::cli::interruption();
    if args.shard.is_some() && args.record.is_none() && args.resume.is_none() {
        return Err(Failure::usage(String::from("`--shard` wants `--record FILE` or `--resume FILE`, for the games")));
    }
    let matchup = Matchup {
        title: game.name().to_string(),
        seed: args.game.seed,
        players: [args.first.to_string(), args.second.to_string()],
        terms: Some(terms(args)),
    };
    let known = match args.resume.as_deref().filter(|path| path.exists()) {
        Some(path) => recorded(path, &mut Some(matchup.clone()))?,
        None => PlayedPairs::default(),
    };
    let mut record = match (&args.record, &args.resume) {
        (Some(path), _) => Some(create(path)?),
        (None, Some(path)) => Some(appended(path)?),
        (None, None) => None,
    };
    // The pairs that are played, of all pairs of the match.
    let all = args.games.div_ceil(2);
    let (first, end) = crate::cli::shard::range(all, args.shard.unwrap_or((1, 1)));
    let games = 2 * (end - first);
    let board = Table { game: &game, args, weights: weights.as_ref(), stop };
    let (mut score, mut sprt) = (Score::default(), None);
    let mut pairs: Vec<&u64> = known.keys().filter(|pair| (first..end).contains(*pair)).collect();
    sort::by(&mut pairs, Ord::cmp);
    for pair in pairs {
        score.add(&known[pair]);
        sprt = args.sprt.and_then(|bounds| sprt.or(verdict(&score.pairs, bounds)));
    }
    let (next, decided) = (AtomicU64::new(first), AtomicBool::new(sprt.is_some()));
    let failed: Mutex<Option<Error>> = Mutex::new(None);
    let threads = args.threads.map_or_else(crate::cli::simulate::processors, usize::from);
    let (score, sprt) = std::thread::scope(|scope| {
        let (tell, told) = mpsc::channel();
        for _ in 0..threads.min((games / 2).max(1) as usize) {
            let tell = tell.clone();
            let (board, known, next, decided, failed) = (&board, &known, &next, &decided, &failed);
            scope.spawn(move || {
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= end || decided.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if known.contains_key(&pair) {
                        continue;
                    }
                    match board.play_pair(pair) {
                        // Whoever listens goes on to the end.
                        Ok(Some(played)) => drop(tell.send(played)),
                        Ok(None) => return,
                        Err(error) => {
                            decided.store(true, Ordering::Relaxed);
                            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                            return;
                        }
                    }
                }
            });
        }
        drop(tell);
        for pair in told {
            score.add(&pair);
            if let Some(file) = &mut record {
                for played in &pair {
                    let line = serde_json::to_string(played).unwrap_or_default() + "\n";
                    file.write_all(line.as_bytes())?;
                }
                file.flush()?;
            }
            sprt = args.sprt.and_then(|bounds| sprt.or(verdict(&score.pairs, bounds)));
            if sprt.is_some() {
                decided.store(true, Ordering::Relaxed);
            }
            if !args.json {
                anstream::stderr().write_all(score.line(args).as_bytes())?;
            }
        }
        Ok::<_, Failure>((score, sprt))
    })?;
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(crate::cli::failure(&game, error, None));
    }
    let told = Told::new(matchup, &score, sprt, games);
    told.print(args.json)?;
    Ok(if told.partial { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

impl Told {
    /// The result of a match of so many games.
    fn new(Matchup { title, players, .. }: Matchup, score: &Score, sprt: Option<&'static str>, games: u64) -> Told {
        let played = score.games();
        Told {
            game: title,
            players,
            games: played,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            unfinished: score.unfinished,
            strength: score.pairs.strength(),
            sprt,
            partial: sprt.is_none() && played < games,
        }
    }

    fn print(&self, as_data: bool) -> Result<(), Failure> {
        match as_data {
            true => crate::cli::print_json(self),
            false => crate::cli::print(&table(self)),
        }
    }
}

/// Whether a file is a record of a match.
///
/// # Errors
/// A file that cannot be read.
pub fn is_record(path: &Path) -> Result<bool, Failure> {
    let mut lines = select::lines(std::io::BufReader::new(select::open(path)?));
    match lines.next().transpose()? {
        Some(Line::Text(line)) => Ok(serde_json::from_str::<Played>(&line).is_ok()),
        _ => Ok(false),
    }
}

/// Puts records of shards of a match together: the result of all their games comes out. `is_partial`: of those that are there.
///
/// # Errors
/// Files that cannot be read, or are of several matches, or have a game twice; games that are missing.
pub fn merge(paths: &[PathBuf], is_partial: bool, as_data: bool) -> Outcome {
    let (mut matchup, mut all) = (None, BTreeMap::new());
    for path in paths {
        for (pair, games) in recorded(path, &mut matchup)? {
            if all.insert(pair, games).is_some() {
                let why = format!("games {} and {} are in it and in another file", 2 * pair, 2 * pair + 1);
                return Err(Failure::usage(format!("cannot merge `{}`: {why}", path.display())));
            }
        }
    }
    let Some(matchup) = matchup else { return Err(Failure::usage(String::from("there is no game"))) };
    let mut score = Score::default();
    all.values().for_each(|pair| score.add(pair));
    let games = all.values().flatten().map(|played| played.of).max().unwrap_or_default();
    let told = Told::new(matchup, &score, None, games);
    if told.partial && !is_partial {
        let missing = (0..games / 2).find(|pair| !all.contains_key(pair)).unwrap_or_default();
        return Err(Failure::usage(format!(
            "not all games are there: {} of {games}, and game {} is not; `--partial` merges what is",
            told.games,
            2 * missing
        )));
    }
    told.print(as_data)?;
    Ok(ExitCode::SUCCESS)
}

/// The pairs of games that stand in the file of a record. The first game tells the match, where that is not known.
///
/// # Errors
/// A file that cannot be read, or is of another match.
fn recorded(path: &Path, matchup: &mut Option<Matchup>) -> Result<PlayedPairs, Failure> {
    let mut pairs = PlayedPairs::default();
    for line in select::lines(std::io::BufReader::new(select::open(path)?)) {
        let Line::Text(line) = line? else { continue };
        // The last line of a match that was killed may be half a line.
        let Ok(played) = serde_json::from_str::<Played>(&line) else { continue };
        let number = played.game;
        let Some(found) = played.matchup() else { continue };
        if !matchup.get_or_insert_with(|| found.clone()).is_of(&found) {
            return Err(Failure::usage(format!("{} is of another match: {found}", path.display())));
        }
        let pair = pairs.entry(number / 2).or_default();
        if pair.iter().all(|known| known.game != number) {
            pair.push(played);
        }
    }
    pairs.retain(|_, pair| pair.len() == 2);
    Ok(pairs)
}

impl Played {
    /// The match that it is of. `None`: it is no game of two players.
    fn matchup(&self) -> Option<Matchup> {
        let [first, second] = self.players.as_slice() else { return None };
        let mut players = [first.clone(), second.clone()];
        if self.game % 2 == 1 {
            players.reverse();
        }
        Some(Matchup { title: self.title.clone(), seed: self.seed, players, terms: self.terms })
    }
}

impl Matchup {
    /// Whether a game may be of this match: its terms count where both are known.
    fn is_of(&self, game: &Matchup) -> bool {
        let are_equal = self.terms.zip(game.terms).is_none_or(|(one, other)| one == other);
        are_equal && self.title == game.title && self.seed == game.seed && self.players == game.players
    }
}

impl Display for Matchup {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} between {} by --seed {}", self.title, self.players.join(" and "), self.seed)?;
        let Some(Terms { opening, max_turns, setup }) = self.terms else { return Ok(()) };
        write!(out, " with --opening {opening} --max-turns {max_turns}")?;
        setup.map_or(Ok(()), |number| write!(out, " --setup {number}"))
    }
}

fn terms(args: &MatchArgs) -> Terms {
    Terms { opening: args.opening, max_turns: args.max_turns, setup: args.game.setup }
}

/// The file of a record, to be added to. What stands behind its last whole line is ended.
fn appended(path: &Path) -> Result<std::fs::File, Failure> {
    let told = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
    let mut file = std::fs::OpenOptions::new().create(true).read(true).append(true).open(path).map_err(told)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(-1)).is_ok() {
        file.read_exact(&mut last).map_err(told)?;
    }
    if last != [b'\n'] {
        file.write_all(b"\n").map_err(told)?;
    }
    Ok(file)
}

/// The file of a record, which must not be there yet.
fn create(path: &Path) -> Result<std::fs::File, Failure> {
    std::fs::File::create_new(path).map_err(|error| Failure::cannot_write(path, &error))
}

/// What the test says of two differences in Elo, if it has decided.
fn verdict(pairs: &Pairs, (least, most): (f64, f64)) -> Option<&'static str> {
    let (ratio, bound) = (pairs.log_likelihood_ratio((least, most)), ((1.0 - SPRT_ERROR) / SPRT_ERROR).ln());
    if ratio > bound {
        Some("stronger")
    } else if ratio < -bound {
        Some("not stronger")
    } else {
        None
    }
}

/// The position behind so many random turns, and their moves. An opening that ends the game is none.
fn opened(begun: Position, turns: u32, rng: &mut Xoshiro256PlusPlus) -> Result<(Position, Vec<String>), Error> {
    let (mut position, mut moves) = (begun.clone(), Vec::new());
    let end = begun.state().turns().saturating_add(turns);
    while position.state().turns() < end && !position.is_over() {
        let drawn = match position.is_chance_next() {
            true => Some(drawn_by_chance(&position, rng)?),
            false => random(&position, rng)?,
        };
        let Some(drawn) = drawn else { break };
        position.play(&drawn)?;
        moves.push(drawn.to_string());
    }
    Ok(if position.is_over() { (begun, Vec::new()) } else { (position, moves) })
}

/// What games of a match are played with.
struct Table<'a> {
    game: &'a Game,
    args: &'a MatchArgs,
    weights: Option<&'a Weights>,
    stop: &'a AtomicBool,
}

impl Table<'_> {
    /// Two games with one opening and exchanged seats; `None`: they were interrupted.
    fn play_pair(&self, pair: u64) -> Result<Option<Vec<Played>>, Error> {
        let (game, args) = (self.game, self.args);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.game.seed ^ pair.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let begun = match args.game.setup {
            Some(number) => game.start_numbered(number)?,
            None => game.start(args.game.seed ^ pair)?,
        };
        let (start, opening) = opened(begun, args.opening, &mut rng)?;
        let mut both = Vec::new();
        for exchanged in [false, true] {
            let specs = if exchanged { [args.second, args.first] } else { [args.first, args.second] };
            let number = 2 * pair + u64::from(exchanged);
            let Some((moves, end)) = self.play(start.clone(), specs, number)? else { return Ok(None) };
            let seat = Player(u8::from(exchanged));
            both.push(Played {
                title: game.name().to_string(),
                seed: args.game.seed,
                game: number,
                of: args.games.next_multiple_of(2),
                players: specs.iter().map(Spec::to_string).collect(),
                opening: opening.len(),
                terms: Some(terms(args)),
                moves: [&opening[..], &moves].concat(),
                winners: end.outcome().map(|outcome| outcome.winners),
                points: end.payoff(seat).unwrap_or(0.5),
            });
        }
        Ok(Some(both))
    }

    /// A game between two players: the texts of its moves, and the position behind them. `None`: it was
    /// interrupted.
    fn play(
        &self,
        mut position: Position,
        specs: [Spec; 2],
        number: u64,
    ) -> Result<Option<(Vec<String>, Position)>, Error> {
        let (args, stop) = (self.args, self.stop);
        let memory = args.memory / 2;
        let player = |seat: usize| {
            let seed = args.game.seed ^ (2 * number + seat as u64 + 1).wrapping_mul(0xd134_2543_de82_ef95);
            Opponent::new(specs[seat], Options { seed, memory, ..Options::default() })
                .with_weights(self.weights.cloned())
        };
        let mut players = [player(0), player(1)];
        let mut moves = Vec::new();
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(args.game.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        while !position.is_over() && position.state().turns() < args.max_turns {
            if position.is_chance_next() {
                let drawn = drawn_by_chance(&position, &mut dice)?;
                moves.push(drawn.to_string());
                position.play(&drawn)?;
                continue;
            }
            let seat = position.choosing().index();
            let Some((chosen, _)) = players[seat].choose(&position, stop)? else { break };
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            moves.push(chosen.to_string());
            position.play(&chosen)?;
        }
        Ok(Some((moves, position)))
    }
}

impl Score {
    fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn add(&mut self, pair: &[Played]) {
        for played in pair {
            match played.points {
                points if points > 0.5 => self.wins += 1,
                points if points < 0.5 => self.losses += 1,
                _ => self.draws += 1,
            }
            self.unfinished += u64::from(played.winners.is_none());
        }
        self.pairs.add(pair.iter().map(|played| played.points).sum::<f64>() / pair.len().max(1) as f64);
    }

    fn line(&self, args: &MatchArgs) -> String {
        format!(
            "{} games: {} won {}, drew {}, lost {} against {}\n",
            self.games(),
            args.first,
            self.wins,
            self.draws,
            self.losses,
            args.second
        )
    }
}

fn table(told: &Told) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let elo = |elo: Option<f64>, without: &str| elo.map_or(without.to_string(), |elo| format!("{elo:+.0}"));
    let Strength { score, score_low, score_high, .. } = told.strength;
    let mut text = format!("{}: {} against {}\n", told.game, told.players[0], told.players[1]);
    text += &format!("{} games: {} won, {} drawn, {} lost", told.games, told.wins, told.draws, told.losses);
    text +=
        &if told.unfinished > 0 { format!(" ({} given up count as draws)\n", told.unfinished) } else { "\n".into() };
    text += &format!("score {}, from {} to {} (95 %)\n", percent(score), percent(score_low), percent(score_high));
    text += &format!(
        "Elo {}, from {} to {}\n",
        elo(told.strength.elo, "without bound"),
        elo(told.strength.elo_low, "minus infinity"),
        elo(told.strength.elo_high, "infinity")
    );
    if let Some(sprt) = told.sprt {
        text += &format!("sequential test: {sprt}\n");
    }
    text
}
