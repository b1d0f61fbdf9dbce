//! What holds in every position of every game, met on random walks.

use std::collections::{BTreeSet, HashSet};

use lusoria::check::{Library, Settings};
use lusoria::notation;
use lusoria::position::Written;
use lusoria::reference::{Executor, PerftOptions, Unit};
use lusoria::shipped::Shipped;
use lusoria::source::{Source, SourceId};
use lusoria::{Game, Move, Position, syntax};
use rand::RngExt;

use crate::common::{games_of, lot, most, project, sampled, sampling_interval, shipped_games, thorough};

/// The most plies of one walk.
const MOST_PLIES: usize = 100;
/// The same where a turn falls into plies: telling which of them can be completed looks at whole
/// turns.
const MOST_PARTS: usize = 40;
/// The most turns of a position that are walked ply by ply, and the most positions of a walk whose
/// turns are.
const MOST_SEQUENCES: usize = 2_000;
const MOST_ASKED: usize = 8;
/// The most turns of a playout.
const MOST_TURNS: u32 = 300;

/// Games whose turns fall into plies, as no shipped one does: by steps, and by another's choice.
const IN_PLIES: [&str; 2] = [
    r#"game "Hops" {
      players White, Black
      board square 5 by 5
      piece man
      setup {
        place White man on a1 c1 e1 b2 d2
        place Black man on a5 c5 e5 b4 d4 c3
      }
      move {
        first { pick p from own   repeat in steps { move p straight: leap } }
        else  { pick p from own   move p straight: step }
      }
      end {
        win if stuck(enemy)
        draw if times(position) >= 3
      }
    }"#,
    r#"game "Given" {
      players White, Black
      board square 4 by 4
      piece stone
      move {
        pick c from empty by enemy
        pick d from empty and adjacent(c)
        either { place stone on c } or { place stone on d }
      }
      end {
        win if some segments(own, straight, 3)
        draw if stuck(enemy)
      }
    }"#,
];

fn sources() -> Vec<Source> {
    let examples = std::fs::read_dir(project("examples")).expect("the examples are there");
    let examples = examples
        .map(|entry| entry.expect("an example").path())
        .filter(|path| path.extension().is_some_and(|it| it == "rules"));
    let examples = examples
        .map(|path| Source::new(path.display().to_string(), std::fs::read_to_string(&path).expect("it is UTF-8")));
    let in_plies = IN_PLIES.map(|text| Source::new("plies.rules", text));
    let mut sources: Vec<Source> =
        Shipped.games().into_iter().map(|game| game.source).chain(examples).chain(in_plies).collect();
    sources.sort_by_key(|source| source.name().to_string());
    sources
}

fn every_game() -> Vec<Game> {
    let games: Vec<Game> = sources().iter().flat_map(games_of).collect();
    assert!(games.len() > 30, "{} games", games.len());
    games
}

fn most_games() -> Vec<Game> {
    most(every_game())
}

/// Fewer walks where each position has many moves or partial turns, and in variants, which share
/// most rules with their game.
fn walks(game: &Game) -> u64 {
    let is_variant = game.name() != game.title();
    if game.model().asks.plies {
        return if is_variant { 1 } else { sampled(3) };
    }
    sampled(match game.start(0).unwrap().legal_moves().unwrap().len() {
        0..100 if is_variant => 4,
        0..100 => 12,
        100..500 => 4,
        _ => 1,
    })
}

/// Plays at random to the end of the game or the bound; visits every position that has moves.
fn walk(game: &Game, number: u64, mut visit: impl FnMut(&mut Position, &[Move])) -> Position {
    let mut lot = lot(number);
    let mut position = game.start(number).unwrap();
    let most = if game.model().asks.plies { MOST_PARTS } else { MOST_PLIES };
    for _ in 0..most {
        let moves = position.legal_moves().unwrap_or_else(|error| panic!("{}: {error}", game.name()));
        if moves.is_empty() {
            break;
        }
        visit(&mut position, &moves);
        position
            .play(&moves[lot.random_range(0..moves.len())])
            .unwrap_or_else(|error| panic!("{}: {error}", game.name()));
    }
    position
}

/// Visits the positions of walks through most games: all, or some, as those that follow each other differ little.
fn walk_everywhere(mut visit: impl FnMut(&Game, &mut Position, &[Move])) {
    let one_in = sampling_interval();
    for game in &most_games() {
        for number in 0..walks(game) {
            let mut ply = number;
            walk(game, number, |position, moves| {
                if ply.is_multiple_of(one_in) {
                    visit(game, position, moves);
                }
                ply += 1;
            });
        }
    }
}

/// All that can be told of a position.
#[derive(Debug, PartialEq)]
struct Told {
    text: String,
    fingerprint: u128,
    pieces: u128,
    turns: u32,
    moves: Vec<String>,
}

fn told(position: &mut Position, moves: &[Move]) -> Told {
    let state = position.state();
    Told {
        text: position.to_string(),
        fingerprint: state.fingerprint(),
        pieces: state.pieces_hash(),
        turns: state.turns(),
        moves: moves.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn no_move_is_listed_twice() {
    walk_everywhere(|game, position, moves| {
        let texts: HashSet<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), moves.len(), "{}: {position}: two texts are alike", game.name());
        let plies: Vec<_> = moves.iter().filter_map(lusoria::Move::ply).collect();
        let plies: HashSet<_> = plies.into_iter().map(|ply| (&ply.written, ply.fingerprint)).collect();
        assert_eq!(plies.len(), moves.len(), "{}: {position}: two plies are one move", game.name());
    });
}

#[test]
fn every_text_is_read_as_its_own_move() {
    let mut lot = lot(1);
    walk_everywhere(|game, position, moves| {
        let plies: Vec<_> = moves.iter().filter_map(|one| one.ply().cloned()).collect();
        // Reading looks at the whole list.
        for _ in 0..moves.len().min(12) {
            let at = lot.random_range(0..moves.len());
            let text = moves[at].to_string();
            assert_eq!(
                notation::parse_ply(game.model(), &plies, &text).ok(),
                Some(at),
                "{}: {position}: {text}",
                game.name()
            );
        }
    });
}

#[test]
fn every_position_is_read_as_it_was_written() {
    walk_everywhere(|game, position, moves| {
        let text = position.to_string();
        let mut again = game.position(&text).unwrap_or_else(|error| panic!("{}: {text}: {error}", game.name()));
        let listed = again.legal_moves().unwrap();
        let (mut expected, mut found) = (told(position, moves), told(&mut again, &listed));
        (expected.turns, found.turns) = (0, 0);
        assert_eq!(found, expected, "{}", game.name());
    });
}

#[test]
fn a_move_taken_back_leaves_everything_as_it_was() {
    for game in &most_games() {
        for number in 0..walks(game) {
            let mut path = Vec::new();
            let mut position = walk(game, number, |position, moves| {
                // Listing and telling all moves takes the time.
                path.push((path.len() % 3 == 0).then(|| told(position, moves)));
            });
            for expected in path.into_iter().rev() {
                assert!(position.undo());
                let Some(expected) = expected else { continue };
                let moves = position.legal_moves().unwrap();
                assert_eq!(told(&mut position, &moves), expected, "{}", game.name());
                assert!(position.outcome().is_none());
            }
            assert!(!position.undo(), "{}: this is the start", game.name());
        }
    }
}

#[test]
fn plies_of_one_fingerprint_lead_to_one_position() {
    let mut lot = lot(2);
    walk_everywhere(|game, position, moves| {
        let one = &moves[lot.random_range(0..moves.len())];
        let fingerprint = |one: &lusoria::Move| one.ply().unwrap().fingerprint;
        let same = moves.iter().filter(|other| fingerprint(other) == fingerprint(one)).take(8);
        let after: HashSet<u128> = same
            .map(|one| {
                position.play(one).unwrap();
                let after = position.state().fingerprint();
                position.undo();
                after
            })
            .collect();
        assert_eq!(after.len(), 1, "{}: {position}: {one}", game.name());
    });
}

#[test]
fn the_hash_kept_is_the_hash_made_anew() {
    walk_everywhere(|game, position, _| {
        let state = position.state();
        assert_eq!(state.pieces_hash(), state.full_pieces_hash(), "{}: {position}", game.name());
    });
}

/// The texts of the positions of a game played at random, and how it came out.
fn playout(game: &Game, seed: u64) -> (Vec<String>, Option<lusoria::Outcome>) {
    let (mut position, mut lot, mut turns) = (game.start(seed).unwrap(), lot(seed), 0);
    let mut texts = vec![position.to_string()];
    while turns < MOST_TURNS
        && position.play_random(&mut lot).unwrap_or_else(|error| panic!("{}: {error}", game.name()))
    {
        turns = position.state().turns();
        texts.push(position.to_string());
    }
    let outcome = position.outcome();
    assert!(turns <= MOST_TURNS && (outcome.is_some() || turns == MOST_TURNS), "{}: {turns} turns", game.name());
    (texts, outcome)
}

#[test]
fn the_seed_decides_a_playout_and_it_ends() {
    for game in &most_games() {
        let played: Vec<_> = (0..walks(game)).map(|seed| playout(game, seed)).collect();
        assert_eq!(played.last(), Some(&playout(game, walks(game) - 1)), "{}", game.name());
        let different: HashSet<_> = played.iter().map(|(texts, _)| texts).collect();
        assert!(different.len() > 1 || played.len() == 1, "{}: all seeds play the same game", game.name());
    }
}

/// A position of the game with few moves, so that two turns can be counted.
fn narrow(game: &Game) -> Position {
    let mut found = game.start(0).unwrap();
    let mut least = usize::MAX;
    walk(game, 0, |position, moves| {
        if least > 400 && moves.len() < least {
            least = moves.len();
            found = position.clone();
        }
    });
    found
}

#[test]
fn perft_is_the_sum_of_its_parts() {
    let all = [Unit::Turn, Unit::Ply, Unit::Result];
    for (number, game) in most_games().iter().enumerate() {
        let position = narrow(game);
        let (model, mut state) = (game.model(), position.state().clone());
        let mut executor = Executor::new();
        for &unit in if thorough() { &all[..] } else { &all[number % 3..][..1] } {
            let options = PerftOptions { unit, past_draws: false };
            let whole = executor.perft(model, &mut state, 2, options).unwrap();
            let parts = executor.divide(model, &mut state, 2, options, |_| None).unwrap();
            assert_eq!(whole, parts.iter().map(|(_, count)| count).sum::<u64>(), "{}: {position}", game.name());
            assert_eq!(
                parts.len() as u64,
                executor.perft(model, &mut state, 1, options).unwrap(),
                "{}: {position}",
                game.name()
            );
        }
        assert_eq!(state.fingerprint(), position.state().fingerprint());
    }
}

/// The complete sequences of plies from here: what was written, and the position after it. Stops
/// beyond `MOST_SEQUENCES`.
fn sequences(position: &mut Position, begun: &mut Vec<Written>, found: &mut Vec<(String, u128)>) {
    for one in position.legal_moves().unwrap() {
        if found.len() > MOST_SEQUENCES {
            return;
        }
        let before = begun.len();
        begun.extend(one.ply().unwrap().written.iter().filter(|choice| **choice != Written::Stop).cloned());
        position.play(&one).unwrap();
        if one.ends_turn() {
            found.push((notation::choices_text(position.game().model(), begun.iter()), position.state().fingerprint()));
        } else {
            sequences(position, begun, found);
        }
        position.undo();
        begun.truncate(before);
    }
}

/// The turns here, each by the plies that it is made of, and as turns listed whole; none where they
/// are too many.
fn turns_both_ways(position: &mut Position) -> Option<[BTreeSet<(String, u128)>; 2]> {
    let mut found = Vec::new();
    sequences(position, &mut Vec::new(), &mut found);
    if found.len() > MOST_SEQUENCES {
        return None;
    }
    let turns = position.legal_turns().unwrap();
    let whole = turns.iter().map(|turn| {
        position.play(turn).unwrap();
        let after = position.state().fingerprint();
        position.undo();
        (notation::choices_text(position.game().model(), &turn.ply().unwrap().written), after)
    });
    Some([whole.collect(), found.into_iter().collect()])
}

#[test]
fn sequences_of_plies_are_the_turns() {
    let mut compared = 0;
    for game in most_games().iter().filter(|game| game.model().asks.plies) {
        for number in 0..walks(game) {
            let mut asked = 0;
            walk(game, number, |position, _| {
                if asked == MOST_ASKED || !position.state().begun().is_empty() {
                    return;
                }
                asked += 1;
                if let Some([whole, found]) = turns_both_ways(position) {
                    compared += 1;
                    assert_eq!(found, whole, "{}: {position}", game.name());
                }
            });
        }
    }
    assert!(compared > 40, "{compared} positions");
}

#[test]
fn rules_printed_and_read_again_are_the_same_game() {
    for source in sources() {
        let (tree, errors) = syntax::parse(SourceId(0), source.text());
        assert!(errors.is_empty(), "{}", source.name());
        let printed = syntax::print(&tree);
        let again = games_of(&Source::new(source.name(), printed));
        let games = games_of(&source);
        assert_eq!(games.len(), again.len(), "{}", source.name());
        for (game, again) in games.iter().zip(&again) {
            assert_eq!(game.name(), again.name());
            let text = narrow(game).to_string();
            let depth = if thorough() { 2 } else { 1 };
            let count = |game: &Game| game.position(&text).unwrap().perft(depth).unwrap();
            assert_eq!(count(game), count(again), "{}: {text}", game.name());
        }
    }
}

#[test]
fn the_prelude_printed_and_read_again_is_the_same() {
    let parse = |text: &str| syntax::parse(SourceId(0), text);
    let printed = syntax::print(&parse(Shipped.prelude().text()).0);
    let (again, errors) = parse(&printed);
    assert!(errors.is_empty());
    assert_eq!(syntax::print(&again), printed);
}

/// Draws the first ply of a playout many times; the draws must be uniform over all moves, by a
/// chi-square test.
fn first_plies_are_uniform(game: &Game, text: &str, moves: usize, bound: f64) {
    const DRAWS: u64 = 9_000;
    let mut start = game.position(text).unwrap();
    let listed = start.legal_moves().unwrap();
    assert_eq!(listed.len(), moves, "{text}");
    let mut after = Vec::new();
    for one in &listed {
        start.play(one).unwrap();
        after.push(start.to_string());
        start.undo();
    }
    let mut counts = vec![0_u64; moves];
    let mut lot = lot(5);
    for _ in 0..DRAWS {
        assert!(start.play_random(&mut lot).unwrap());
        let reached = start.to_string();
        // Moves that lead to the same position share their draws evenly, whatever they are: they
        // count as one.
        counts[after.iter().position(|text| *text == reached).expect("a position after a move")] += 1;
        while start.undo() {}
    }
    let mut chi_square = 0.0;
    for (at, text) in after.iter().enumerate() {
        if after.iter().position(|other| other == text) == Some(at) {
            let ways = after.iter().filter(|other| *other == text).count() as f64;
            let expected = DRAWS as f64 * ways / moves as f64;
            chi_square += (counts[at] as f64 - expected).powi(2) / expected;
        }
    }
    assert!(chi_square < bound, "{}: {text}: chi square {chi_square:.1} of at most {bound}", game.name());
}

#[test]
fn playouts_draw_each_ply_uniformly() {
    // The bounds are the 99.9 % quantiles of chi square with one degree of freedom less than there
    // are moves.
    let load = |stem: &str, size: i64| {
        let params = vec![(String::from("size"), lusoria::check::ParamValue::Number(size))];
        let source = Shipped.named(stem).expect("it is shipped").source;
        Game::load(source, &Shipped, &Settings { variant: None, params }).unwrap()
    };
    let kitaran = load("kitaran", 3);
    first_plies_are_uniform(&kitaran, &kitaran.start(0).unwrap().to_string(), 9, 26.1);
    let fanorona = Game::shipped("fanorona").expect("it is shipped");
    let men = crate::common::at(&fanorona, "W d3, R a3 a4 a5 c1 c2 c5 d5 e4 e5", "White").to_string();
    first_plies_are_uniform(&fanorona, &men, 25, 51.2);
}

#[test]
fn all_shipped_games_are_met_here() {
    let met: HashSet<String> = every_game().iter().map(|game| game.name().to_string()).collect();
    assert!(shipped_games().iter().all(|game| met.contains(game.name())));
    assert!(every_game().iter().filter(|game| game.model().asks.plies).count() >= IN_PLIES.len());
}
