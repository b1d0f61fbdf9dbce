//! Sequences of turns a second, by counting them to a depth whose number is known from elsewhere:
//! the scalar executor, the reference one, and the engines written by hand. A wrong number fails.

mod baseline;
mod common;

use common::{Args, finish, millions, seconds, table};
use lusoria::Game;
use lusoria::interp::Engine;
use lusoria::position::{Fault, Position};
use lusoria::reference::{Executor, PerftOptions, Setup};

/// A depth and the number of sequences that long.
type Count = (u32, u64);

struct Known {
    game: &'static str,
    /// The set-up, where there are several.
    setup: u64,
    /// What the reference executor counts in about a second.
    near: Count,
    /// What the others count.
    far: Count,
}

const fn known(game: &'static str, near: Count, far: Count) -> Known {
    Known { game, setup: 0, near, far }
}

/// The tests name the source of each number.
const KNOWN: [Known; 28] = [
    known("amazons", (2, 4_307_152), (2, 4_307_152)),
    known("breakthrough", (4, 256_036), (4, 256_036)),
    known("charisma", (2, 16_002), (2, 16_002)),
    known("charybdis_square", (3, 249_984), (3, 249_984)),
    known("chess", (3, 8_902), (5, 4_865_609)),
    // The set-up of Chess.
    Known { game: "chess960", setup: 518, near: (3, 8_902), far: (5, 4_865_609) },
    known("congo", (4, 356_456), (5, 9_404_326)),
    known("croda", (4, 194_440), (5, 3_624_616)),
    known("dameo", (3, 135_930), (4, 6_253_934)),
    known("explocus", (3, 53_960), (4, 2_016_312)),
    known("fanorona", (4, 18_026), (4, 18_026)),
    known("focus", (3, 299_912), (4, 19_521_582)),
    known("frenzy", (1, 496), (1, 496)),
    known("frenzy_2", (1, 496), (1, 496)),
    known("gonnect", (2, 28_561), (2, 28_561)),
    known("kitaran", (4, 305_252), (4, 305_252)),
    known("lines_of_action", (3, 44_952), (3, 44_952)),
    known("morabaraba", (4, 255_024), (4, 255_024)),
    known("nine_mens_morris", (4, 255_024), (5, 5_181_120)),
    known("nine_mens_morris:forced removal", (4, 255_024), (5, 5_140_800)),
    known("ninuki_renju", (2, 129_960), (2, 129_960)),
    known("ordo", (2, 3_136), (2, 3_136)),
    known("othello", (7, 55_092), (9, 3_005_288)),
    known("pente", (2, 129_960), (2, 129_960)),
    known("pente:keryo-pente", (2, 129_960), (2, 129_960)),
    known("pilare", (3, 213_008), (4, 12_706_032)),
    known("renju", (2, 50_400), (2, 50_400)),
    known("xiangqi", (3, 79_666), (4, 3_290_240)),
];

/// By game: the least sequences a second, the last turn counted.
const BARS: [(&str, f64); 2] = [("chess", 20e6), ("xiangqi", 10e6)];

/// Sequences a second; or what is wrong.
type Rate = Result<f64, String>;

/// Counts again and again, at least once and for so many seconds.
fn rate(budget: f64, expected: u64, mut count: impl FnMut() -> Result<u64, Fault>) -> Rate {
    let begun = seconds();
    let mut times = 0;
    loop {
        let counted = count().map_err(|fault| fault.to_string())?;
        if counted != expected {
            return Err(format!("{counted}, not {expected}"));
        }
        times += 1;
        let passed = seconds() - begun;
        if passed >= budget {
            return Ok((times * expected) as f64 / passed);
        }
    }
}

fn scalar(game: &Game, start: &Position, known: &Known, budget: f64) -> Option<Rate> {
    let engine = game.engine().ok().filter(Engine::has_perft)?;
    let mut runner = engine.runner();
    if !runner.load(start) {
        return Some(Err(String::from("the plan has no place for the start")));
    }
    let (depth, expected) = known.far;
    Some(rate(budget, expected, || runner.perft(depth, false)))
}

fn reference(game: &Game, start: &Position, known: &Known, budget: f64) -> Rate {
    let (depth, expected) = known.near;
    let (mut executor, mut position) = (Executor::new(), start.clone());
    rate(budget, expected, || executor.perft(game.model(), &mut position, depth, PerftOptions::default()))
}

fn by_hand(known: &Known, budget: f64) -> Option<Rate> {
    let engine = baseline::of(known.game)?;
    let (depth, expected) = known.far;
    Some(rate(budget, expected, || Ok((engine.perft)(depth))))
}

fn cell(rate: Option<&Rate>) -> String {
    match rate {
        None => String::from("-"),
        Some(Ok(rate)) => millions(*rate),
        Some(Err(_)) => String::from("wrong"),
    }
}

/// Whether the game's bar is met, where it has one.
fn bar(game: &str, scalar: Option<&Rate>) -> String {
    let Some((_, least)) = BARS.iter().find(|(name, _)| *name == game) else { return String::from("-") };
    let met = scalar.is_some_and(|rate| rate.as_ref().is_ok_and(|rate| rate >= least));
    format!("{} {} M/s", if met { "met:" } else { "missed:" }, millions(*least))
}

fn main() {
    let args = Args::of_bench();
    let mut table = table(args.markdown, &["game", "depth", "scalar", "reference (depth)", "baseline", "bar"]);
    let mut complaints = Vec::new();
    for (name, game) in args.games() {
        let Some(known) = KNOWN.iter().find(|known| known.game == name) else {
            complaints.push(format!("{name}: no number is known"));
            continue;
        };
        let start =
            Executor::new().start(game.model(), Setup::Number(known.setup)).expect("a shipped game can be set up");
        let scalar = scalar(&game, &start, known, args.seconds);
        let reference = reference(&game, &start, known, args.seconds);
        let by_hand = by_hand(known, args.seconds);
        table.add_row(vec![
            name.clone(),
            known.far.0.to_string(),
            cell(scalar.as_ref()),
            format!("{} ({})", cell(Some(&reference)), known.near.0),
            cell(by_hand.as_ref()),
            bar(&name, scalar.as_ref()),
        ]);
        let all = [("scalar", scalar), ("reference", Some(reference)), ("baseline", by_hand)];
        complaints.extend(all.into_iter().filter_map(|(who, rate)| Some(format!("{name}: {who}: {}", rate?.err()?))));
    }
    println!("{table}");
    println!();
    println!(
        "Million sequences a second of processor time, one thread. Baselines compiled for {}.",
        baseline::compiled_for()
    );
    finish(&complaints);
}
