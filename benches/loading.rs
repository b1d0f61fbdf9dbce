//! Milliseconds from a text to an engine that is ready to play, for every shipped game: checked
//! (text to model), planned (model to engine).

mod common;

use common::{Args, seconds, table};
use lusoria::Game;
use lusoria::check::Settings;
use lusoria::shipped::Shipped;
use lusoria::source::Source;

/// Most milliseconds for a game, and for all.
const BARS: (f64, f64) = (5.0, 150.0);
/// Times that each is done at least.
const TIMES: usize = 5;

/// A shipped game's text, and what is chosen of it.
fn request(name: &str) -> (Source, Settings) {
    let (stem, variant) =
        name.split_once(':').map_or((name, None), |(stem, variant)| (stem, Some(variant.to_string())));
    let source = Shipped.named(stem).expect("it was found before").source;
    (source, Settings { variant, params: Vec::new() })
}

/// The median of the milliseconds that something takes, with what is made before it each time.
fn median<T>(budget: f64, mut before: impl FnMut() -> T, mut work: impl FnMut(T)) -> f64 {
    let begun = seconds();
    let mut times = Vec::new();
    while times.len() < TIMES || seconds() - begun < budget {
        let made = before();
        let from = seconds();
        work(made);
        times.push(1e3 * (seconds() - from));
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let args = Args::of_bench();
    let mut table = table(args.markdown, &["game", "check", "plan", "both", "bar"]);
    let mut sum = 0.0;
    for (name, _) in args.games() {
        let (source, settings) = request(&name);
        let load = || Game::load(source.clone(), &Shipped, &settings).expect("it was checked");
        let check = median(args.seconds / 2.0, || (), |()| drop(std::hint::black_box(load())));
        // A game without a plan takes its time too.
        let plan = median(args.seconds / 2.0, load, |game| drop(std::hint::black_box(game.engine())));
        let both = check + plan;
        // A variant is not a file of its own.
        sum += if name.contains(':') { 0.0 } else { both };
        let met = if both <= BARS.0 { "met" } else { "missed" };
        table.add_row(vec![name, format!("{check:.2}"), format!("{plan:.2}"), format!("{both:.2}"), met.to_string()]);
    }
    println!("{table}");
    println!();
    let met = if sum <= BARS.1 { "met" } else { "missed" };
    println!(
        "Milliseconds of processor time. The files together, without their variants: {sum:.1} of {} ({met}).",
        BARS.1
    );
}
