//! One helper for each boundary.

pub mod author;
pub mod cases;
pub mod code;
pub mod fen;
pub mod forbidden;

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use lusoria::board::{Cell, Shape};
use lusoria::check::{self, Checked, ParamValue, Settings};
use lusoria::interp::Engine;
use lusoria::plan::{Pass, PassSet};
use lusoria::shipped::Shipped;
use lusoria::source::Source;
use lusoria::{Game, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Checks a text as the file `test.rules`.
pub fn check(text: &str) -> Checked {
    check::check(Source::new("test.rules", text), &Shipped)
}

/// A path within the project.
pub fn project(path: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Memoization: tests run in one process, and what they share is made when one of them asks for it first.
struct Memo<K, V>(LazyLock<Mutex<HashMap<K, Arc<OnceLock<V>>>>>);

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    const fn new() -> Memo<K, V> {
        Memo(LazyLock::new(Mutex::default))
    }

    fn get(&self, key: K, make: impl FnOnce() -> V) -> V {
        // The lock is not held while it is made: others ask for others.
        let slot = self.0.lock().expect("no test panics here").entry(key).or_default().clone();
        slot.get_or_init(make).clone()
    }
}

/// A shipped game, `stem`, `stem:variant`, and params behind blanks: `kitaran size=4 komi=1`. Like all
/// games here it is played by the reference executor, which others are held against.
pub fn game(name: &str) -> Game {
    static GAMES: Memo<String, Game> = Memo::new();
    GAMES.get(name.to_string(), || load_game(name))
}

fn load_game(name: &str) -> Game {
    let (head, params) = match name.find('=') {
        Some(at) => name.split_at(name[..at].rfind(' ').expect("a blank before the params")),
        None => (name, ""),
    };
    let (stem, variant) = match head.split_once(':') {
        Some((stem, variant)) => (stem, Some(variant.to_string())),
        None => (head, None),
    };
    let params = params.split_whitespace().map(|param| {
        let (key, value) = param.split_once('=').expect("param=value");
        (key.to_string(), ParamValue::Number(value.parse().expect("a number")))
    });
    let settings = Settings { variant, params: params.collect() };
    let source = Shipped.named(stem).unwrap_or_else(|| panic!("no game {stem}")).source;
    Game::load(source, &Shipped, &settings).unwrap_or_else(|error| panic!("{name}: {error}")).without_plan()
}

/// All games of a text: the game itself, then its variants.
pub fn games_of(source: &Source) -> Vec<Game> {
    static GAMES: Memo<(String, String), Vec<Game>> = Memo::new();
    GAMES.get((source.name().to_string(), source.text().to_string()), || load_games_of(source))
}

fn load_games_of(source: &Source) -> Vec<Game> {
    let checked = check::check(source.clone(), &Shipped);
    assert!(!checked.has_errors(), "{}: {:?}", source.name(), checked.mistakes);
    let variants = checked.games.iter().map(|game| Settings { variant: game.variant.clone(), params: Vec::new() });
    let load =
        |settings: Settings| Game::load(source.clone(), &Shipped, &settings).expect("it was checked").without_plan();
    variants.map(load).collect()
}

/// All games of `rules/`, with their variants.
pub fn shipped_games() -> Vec<Game> {
    Shipped.games().iter().flat_map(|game| games_of(&game.source)).collect()
}

/// The plan of a game that is loaded once, with all passes: it is planned once, too.
pub fn engine_of(game: &Game) -> Option<Engine> {
    // The game is kept, so that no other one comes to stand where it stands.
    static ENGINES: Memo<usize, (Game, Option<Engine>)> = Memo::new();
    let key = std::ptr::from_ref(game.model()) as usize;
    ENGINES.get(key, || (game.clone(), Engine::new(game.model()).ok())).1
}

/// Sampled tests take one in so many of their sample: all of it where `LUSORIA_TESTS` is `all`, a quarter where it is
/// `quarter`, and else one in 32.
pub fn sampling_interval() -> u64 {
    match std::env::var("LUSORIA_TESTS").as_deref() {
        Ok("all") => 1,
        Ok("quarter") => 4,
        _ => 32,
    }
}

/// Whether this run is the short one, where a check that takes seconds and is like another one may be left out.
pub fn quick() -> bool {
    sampling_interval() > 4
}

/// Whether sampled tests take their whole sample.
pub fn thorough() -> bool {
    sampling_interval() == 1
}

/// Of a sample of games, walks or texts so many as this run takes.
pub fn sampled(all: u64) -> u64 {
    all.div_ceil(sampling_interval())
}

/// Of what is tried with each game so much as this run takes, from another one on for each game.
pub fn share<T>(all: impl IntoIterator<Item = T>, game: usize) -> impl Iterator<Item = T> {
    let one_in = sampling_interval() as usize;
    all.into_iter().enumerate().filter(move |(at, _)| at % one_in == game % one_in).map(|(_, one)| one)
}

/// All games but some variants, which share most rules with their game: of these so many as this run takes.
pub fn most(games: Vec<Game>) -> Vec<Game> {
    let one_in = sampling_interval() as usize;
    let is_met = |(number, game): &(usize, Game)| game.name() == game.title() || number % one_in == 0;
    games.into_iter().enumerate().filter(is_met).map(|(_, game)| game).collect()
}

/// A generator of its own for each number.
pub fn lot(number: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(number)
}

/// A position from men and cells: `W d4 e4, B d5`, each letter as the position's text writes that
/// man. It goes on even where it is over.
pub fn at(game: &Game, men: &str, to_move: &str) -> Position {
    let text = format!("{} {to_move}", board(game, men));
    let mut position = game.position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    position.reopen();
    position
}

/// The board part of a position's text: ranks from the top, on hexagons files from a.
pub fn board(game: &Game, men: &str) -> String {
    let mut standing = BTreeMap::new();
    for group in men.split(',').map(str::trim).filter(|group| !group.is_empty()) {
        let mut words = group.split(' ');
        let letter = words.next().expect("a letter");
        standing.extend(words.map(|cell| (cell, letter)));
    }
    let topology = &game.model().topology;
    let mut part = |cells: Vec<Cell>| {
        let mut row = String::new();
        let mut empty = 0;
        for cell in cells {
            match standing.remove(topology.name(cell)) {
                Some(letter) => {
                    if empty > 0 {
                        row += &empty.to_string();
                    }
                    empty = 0;
                    row += letter;
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        row
    };
    let (files, ranks) = (1..=topology.files(), 1..=topology.ranks());
    let parts: Vec<String> = if matches!(topology.shape(), Shape::Hexagon { .. }) {
        files.map(|file| part(ranks.clone().filter_map(|rank| topology.at(file, rank)).collect())).collect()
    } else {
        ranks.rev().map(|rank| part(files.clone().filter_map(|file| topology.at(file, rank)).collect())).collect()
    };
    assert!(standing.is_empty(), "not on the board: {standing:?}");
    parts.join("/")
}

/// The texts of the legal moves, sorted.
pub fn legal(position: &mut Position) -> Vec<String> {
    let mut texts: Vec<_> = position.legal_moves().unwrap().iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

/// The winner after a move; empty for a draw.
pub fn ends(game: &Game, men: &str, to_move: &str, text: &str, winner: &str) {
    let mut position = at(game, men, to_move);
    position
        .play_text(text)
        .unwrap_or_else(|error| panic!("{men}: {text}: {error}\n{:?}", legal(&mut at(game, men, to_move))));
    let outcome = position.outcome().unwrap_or_else(|| panic!("{men}: {text}: the game goes on"));
    assert_eq!(outcome.winners.join(" "), winner, "{men}: {text}");
}

/// Games of the tests that load: more players, teams, other boards, chains, drops; some end in a
/// fault.
pub fn games_of_tests() -> Vec<Game> {
    static GAMES: LazyLock<Vec<Game>> = LazyLock::new(load_games_of_tests);
    GAMES.clone()
}

fn load_games_of_tests() -> Vec<Game> {
    let mut files = Vec::new();
    for folder in ["tests/games/beyond", "tests/games/pass"] {
        files.extend(std::fs::read_dir(project(folder)).unwrap().map(|entry| entry.unwrap().path()));
    }
    files.sort();
    let load = |path: &std::path::PathBuf| Game::from_source(&std::fs::read_to_string(path).unwrap());
    files.iter().filter_map(|path| Some(load(path).ok()?.without_plan())).collect()
}

/// All passes but some, each of which is left out with a chance of one in so many; and which
/// those are.
pub fn some_passes(lot: &mut Xoshiro256PlusPlus, often: u32) -> (PassSet, Vec<Pass>) {
    let out: Vec<Pass> = Pass::EACH.iter().copied().filter(|_| lot.random_range(0..often) == 0).collect();
    (out.iter().fold(PassSet::ALL, |passes, out| passes.without(*out)), out)
}
