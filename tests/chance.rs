//! Chance in play: probabilities, what follows what chance has chosen, faults that name both places, and games with
//! dice.

use std::collections::{BTreeSet, HashMap};

use lusoria::notation;
use lusoria::reference::{Executor, PerftOptions, Unit};
use lusoria::{Error, FaultKind, Game, Position, Rollouts};
use rand::RngExt;

use crate::cli::{fails, folder, json, lusoria, path};
use crate::common::{board, legal, lot, project, sampled};
use crate::records::replay_of;

/// A game on three by three cells of which the turn is told.
fn small(turn: &str) -> String {
    format!(
        "game \"Small\" {{ players White, Black board square 3 by 3 piece man remember n = 0\n\
         setup {{ place man on a1 place Black man on c3 }}\n\
         move {{ {turn} }}\n\
         end {{ win if no enemy draw if stuck(enemy) draw if times(position) > 5 }} }}"
    )
}

pub fn small_game(turn: &str) -> Game {
    Game::from_source(&small(turn)).unwrap_or_else(|error| panic!("{turn}: {error}"))
}

fn start(turn: &str) -> Position {
    small_game(turn).start(0).unwrap()
}

/// Texts and probabilities of what chance can choose.
fn options(position: &mut Position) -> Vec<(String, (u64, u64))> {
    let moves = position.legal_moves().unwrap();
    moves.iter().map(|one| (one.to_string(), one.probability().expect("chance chooses"))).collect()
}

fn example(name: &str) -> Game {
    Game::from_source(&std::fs::read_to_string(project(&format!("examples/{name}.rules"))).unwrap()).unwrap()
}

/// All games here that chance plays in.
pub fn games() -> Vec<Game> {
    let rules = std::fs::read_to_string(project("tests/games/pass/chance.rules")).unwrap();
    let mut games = vec![example("backgammon"), example("einstein"), example("four_home")];
    games.push(Game::from_source(&rules).unwrap());
    games.extend(
        [
            "pick p from own  move p orthogonal: step  pick c from empty by chance  move p to c",
            "either by chance 3 { } or { set n = n + 1 again } or (n) { set n = 0 }  pick p from own  move p straight: step",
            "pick p from own  repeat { move p straight: step  pick k from 1..2 by chance  set n = k }",
            "pick k from 1..3 by chance  first { pick p from own  move p orthogonal: step  either { move p orthogonal: step } or { }  most k * rank of p } else { pass }",
            "pick p from own by enemy  pick d from orthogonal by chance  first { move p d: step } else { move p to empty }",
            "pick p from own  repeat in steps { move p straight: step  either by chance { } or { set n = 1 } }",
            // Chance in one of the branches of a player's choice.
            "either { pick k from 1..3 by chance  pick p from own  move p straight: step  set n = k } or { pick p from own  move p straight: step } or { pass }",
            // In rounds, behind each of which the player may stop.
            "let sum = 0  repeat { pick p from own  move p straight: step  pick k from 1..3 by chance  set sum = sum + k }  set n = sum mod 7",
            // In each round of a `for each`, and in some of them.
            "for each c in own { pick k from 0..2 by chance  if k = 1 and some empty { pick t from empty  place man on t }  if k = 2 and count(own) > 1 { remove c } }  pass",
            "pick p from own  move p straight: step  for each c in adjacent(p) { if c in empty { either by chance { } or { place man on c } } }",
            "pick p from own  move p straight: step  for each c in adjacent(p) and empty { either \"no\" { } or \"yes\" { pick k from 1..2 by chance  place man on c  if k = 2 { set n = n + 1 } } }",
            // Rounds of which some come to chance, before and behind what the player has chosen.
            "let left = 3  repeat while left > 0 { set left = left - 1  if count(empty) > left + 3 { pick t from empty by chance  place enemy man on t } }  pick p from own  move p to empty",
            "let left = 2  pick p from own  repeat while left > 0 { set left = left - 1  move p straight: step  if p in rank 2 { pick t from any by chance  set n = count(t and own) } }",
            // One within the other.
            "let left = 2  repeat while left > 0 { set left = left - 1  for each c in own { pick k from 1..2 by chance  if k = left and some empty { pick t from empty  move c to t } } }  pass",
            // Behind a `first`, where there may be nothing to choose from.
            "first { pick p from own  move p to file c and empty } else { pick p from own  move p straight: step }  pick t from empty and rank 3 by chance  place enemy man on t",
            // Behind chance, where a player may have nothing to choose.
            "pick k from 1..2 by chance  set n = k  first { pick q from own by enemy  need count(own) > 1  flip q } else { set n = 3 }",
            "pick d from straight by chance  set n = n + 1  first { pick q from own  move q d: step  need count(own and file b) < n } else { }",
            // Behind rounds, each of which does what leaves chance something to choose from.
            "for each c in own and rank 1 { first { pick t from adjacent(c) and empty and rank 2  place man on t } else { } }\n\
             pick e from empty and rank 2 by chance  place enemy man on e",
            // Dice in steps, and what the other player chooses.
            "pick d from 1..2 by chance  let left = d  repeat in steps while left > 0 { first { pick p from own  move p orthogonal: ^ to empty } else { pass }\n\
             set left = left - 1  pick e from 1..3 by chance  if e = 3 and some empty { pick gift from empty by enemy  place enemy man on gift } }",
            "pick p from own  repeat in steps { pick k from 1..2 by chance  move p straight: step  pick c from empty by enemy  if k = 2 { place enemy man on c } }",
        ]
        .map(small_game),
    );
    games
}

#[test]
fn nothing_to_choose_behind_chance_ends_the_turn() {
    let turn = "pick k from 1..2 by chance  set n = k  first { pick q from empty by enemy  need count(own) > 1  place man on q } else { }";
    let mut position = start(turn);
    position.play_moves(["(2)"]).unwrap();
    assert_eq!(legal(&mut position), ["-"]);
    position.play_moves(["-"]).unwrap();
    assert!(position.to_string().ends_with("Black n=2"), "{position}");
    // What nobody chooses is no ply, whoever counts.
    let folder = folder(&[("small.rules", small(turn).as_bytes())]);
    for executor in ["reference", "scalar"] {
        let file = path(&folder, "small.rules");
        let args = ["simulate", &file, "--games", "3", "--max-turns", "4", "--json", "--executor", executor];
        assert_eq!(json(&args)["plies"]["mean"], 0.0, "{executor}");
    }
}

#[test]
fn options_are_as_likely_as_their_weights() {
    let ones = |texts: &[&str], of| texts.iter().map(|text| (text.to_string(), (1, of))).collect::<Vec<_>>();
    let then = "first { pick p from own  move p straight: step } else { pass }";
    assert_eq!(options(&mut start(&format!("pick k from 2..4 by chance {then}"))), ones(&["(2)", "(3)", "(4)"], 3));
    assert_eq!(
        options(&mut start(&format!("pick d from orthogonal by chance {then}"))),
        ones(&["(north)", "(east)", "(south)", "(west)"], 4)
    );
    assert_eq!(
        options(&mut start(&format!("pick 2 c from file a by chance {then}"))),
        ones(&["(a1+a2)", "(a1+a3)", "(a2+a3)"], 3)
    );
    // Weights that are worked out, of nothing, below nothing, and not written.
    let weights = "either by chance (count(empty)) { } or { } or 0 { } or (0 - 5) { } or 2 { }";
    let found = options(&mut start(&format!("{weights} {then}")));
    let expected = [("(1)", (7, 10)), ("(2)", (1, 10)), ("(5)", (1, 5))];
    assert_eq!(found, expected.map(|(text, of)| (text.to_string(), of)));
    // More than 32 bits tell.
    let mut heavy =
        start("either by chance 5000000000 { set n = 1 } or 1 { set n = 2 }  pick p from own  move p to empty");
    let expected = [("(1)", (5_000_000_000, 5_000_000_001)), ("(2)", (1, 5_000_000_001))];
    assert_eq!(options(&mut heavy), expected.map(|(text, of)| (text.to_string(), of)));
    heavy.play_moves(["(2)", "a1-b2"]).unwrap();
    assert!(heavy.to_string().ends_with("n=2"), "{heavy}");
    // Labels are written for the numbers of blocks.
    let found = options(&mut start(&format!("either by chance 2 \"heads\" {{ }} or \"tails\" {{ }} {then}")));
    assert_eq!(found, [("(heads)", (2, 3)), ("(tails)", (1, 3))].map(|(text, of)| (text.to_string(), of)));
    // One after the other, the second depending on the first.
    let found = options(&mut start(&format!("pick j from 1..2 by chance  pick k from 1..j by chance {then}")));
    let expected = [("(1 1)", (1, 2)), ("(2 1)", (1, 4)), ("(2 2)", (1, 4))];
    assert_eq!(found, expected.map(|(text, of)| (text.to_string(), of)));
    // Even what is the only one is chosen.
    assert_eq!(options(&mut start(&format!("pick k from 1..1 by chance {then}"))), ones(&["(1)"], 1));
}

/// Moves of players and of chance, with probabilities, are the same whatever plays the game; and what stands there between.
#[test]
fn a_plan_lists_what_chance_chooses() {
    let mut in_plies = 0;
    for game in games() {
        let game = game.with_plan();
        if game.model().asks.plies {
            in_plies += 1;
            assert!(!game.is_planned(), "{game:?}");
            continue;
        }
        assert!(game.is_planned(), "{}", game.name());
        for number in 0..sampled(8) {
            crate::library::walk(&game, number, true);
        }
    }
    assert!(in_plies > 3, "{in_plies}");
}

/// From between turns, and from where chance or a player chooses within one.
#[test]
fn rollouts_are_the_same_in_lock_step_and_alone() {
    let how = Rollouts { games: 30, seed: 4, max_turns: 60 };
    let mut within_turns = 0;
    for game in games().into_iter().map(|game| game.with_plan()).filter(Game::is_planned) {
        let (mut lot, mut position, mut positions) = (lot(6), game.start(2).unwrap(), Vec::new());
        for _ in 0..7 {
            positions.push(position.clone());
            within_turns += usize::from(position.is_within_turn());
            if !position.play_random(&mut lot).unwrap() {
                break;
            }
        }
        let tallies = |game: &Game| game.rollouts(&positions, &how).map_err(|error| error.to_string());
        // Positions of another game go one by one.
        assert_eq!(tallies(&game), tallies(&game.with_plan()), "{}", game.name());
    }
    assert!(within_turns > 20, "{within_turns}");
}

/// On random walks: probabilities add up to 1; texts and positions are read back; what is played is taken back.
#[test]
fn walks_through_games_of_chance() {
    let mut lot = lot(5);
    let (mut by_chance, mut by_players) = (0, 0);
    for game in games() {
        let mut position = game.start(3).unwrap();
        for _ in 0..40 {
            if position.outcome().is_some() {
                break;
            }
            let before = position.to_string();
            let moves = position.legal_moves().unwrap();
            let texts: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
            assert_eq!(texts.len(), moves.len(), "{before}: {texts:?}");
            let chosen = moves.iter().filter_map(|one| one.probability()).collect::<Vec<_>>();
            if position.chooser().is_none() {
                by_chance += 1;
                assert_eq!(chosen.len(), moves.len(), "{before}");
                let all: u128 = chosen.iter().map(|(_, of)| u128::from(*of)).fold(1, lcm);
                let sum: u128 = chosen.iter().map(|(weight, of)| u128::from(*weight) * (all / u128::from(*of))).sum();
                assert_eq!(sum, all, "{before}");
            } else {
                by_players += 1;
                assert!(chosen.is_empty(), "{before}");
            }
            let one = &moves[lot.random_range(0..moves.len())];
            let mut read = game.position(&before).unwrap();
            assert_eq!(read.to_string(), before);
            // A text does not tell how often the position has stood, so it may not be over.
            read.reopen();
            if read.state().begun() == position.state().begun() {
                assert_eq!(legal(&mut read), legal(&mut position), "{before}");
            }
            position.play_text(&one.to_string()).unwrap();
            let after = position.to_string();
            assert!(position.undo());
            assert_eq!(position.to_string(), before);
            position.play(one).unwrap();
            assert_eq!(position.to_string(), after);
        }
    }
    assert!(by_chance > 60 && by_players > 60, "{by_chance} {by_players}");
}

fn lcm(a: u128, b: u128) -> u128 {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Whole turns of chance and players, ply by ply: perft by plies is that of the sequences that can be played.
#[test]
fn perft_counts_what_can_be_played() {
    fn sequences(position: &mut Position, depth: u32) -> u64 {
        let moves = if position.outcome().is_some() { Vec::new() } else { position.legal_moves().unwrap() };
        if depth == 1 {
            return moves.len() as u64;
        }
        let behind = |one| {
            position.play(one).unwrap();
            let found = sequences(position, depth - 1);
            position.undo();
            found
        };
        moves.iter().map(behind).sum()
    }
    for game in games().into_iter().skip(1) {
        let mut position = game.start(1).unwrap();
        let mut state = position.state().clone();
        let options = PerftOptions { unit: Unit::Ply, past_draws: false };
        let counted = Executor::new().perft(game.model(), &mut state, 3, options).unwrap();
        assert_eq!(counted, sequences(&mut position, 3), "{position}");
    }
}

/// 600 choices in each cell of the table; 30.6 is passed by chance once in ten thousand times with nine degrees of
/// freedom.
#[test]
fn chance_chooses_by_weight() {
    let game = small_game(
        "either by chance 1 { } or 4 { } or 6 { } or 4 { } or 1 { }  either by chance { } or 3 { } \
         pick p from own  move p straight: step",
    );
    let mut position = game.start(0).unwrap();
    let expected: HashMap<String, (u64, u64)> = options(&mut position).into_iter().collect();
    assert_eq!(expected.len(), 10);
    let (mut lot, mut found, rounds) = (lot(8), HashMap::new(), 6_000);
    for _ in 0..rounds {
        assert!(position.play_random(&mut lot).unwrap());
        let chosen = position.to_string();
        *found.entry(chosen.split(" : ").nth(1).unwrap().to_string()).or_insert(0_u32) += 1;
        position.undo();
    }
    let squares = expected.iter().map(|(text, (weight, of))| {
        let wanted = f64::from(rounds) * *weight as f64 / *of as f64;
        (f64::from(found.get(text).copied().unwrap_or(0)) - wanted).powi(2) / wanted
    });
    let sum: f64 = squares.sum();
    assert!(sum < 30.6, "{sum}: {found:?}");
}

/// What chance will choose is not foreseen: who comes to its choice has a turn.
#[test]
fn nothing_behind_a_choice_by_chance_is_foreseen() {
    // White can step, though nothing can follow: so he is not stuck, and the fault shows when chance has chosen.
    let mut position = start("pick p from own  move p orthogonal: step  pick k from 1..2 by chance  need k > 2");
    assert_eq!(legal(&mut position), ["a1-a2", "a1-b1"]);
    position.play_text("a1-a2").unwrap();
    let Err(Error::Fault { fault, place, .. }) = position.legal_moves() else { panic!("there is a fault") };
    let game = position.game().clone();
    let FaultKind::Chance(chosen) = fault.kind else { panic!("{fault:?}") };
    assert_eq!(game.model().sources.slice(fault.span), "need k > 2");
    assert_eq!(game.model().sources.slice(chosen), "pick k from 1..2 by chance");
    assert!(place.starts_with("game.rules:3"), "{place}");
    // `first` before it is complete where chance chooses.
    let mut position =
        start("first { need n = 0 } else { pass }  pick k from 1..2 by chance  pick p from own  move p to empty");
    assert_eq!(legal(&mut position), ["(1)", "(2)"]);
    // Behind it `first` finds what is left.
    let mut position =
        start("pick k from 1..2 by chance  first { need k = 1  pick p from own  move p straight: step } else { pass }");
    position.play_text("(2)").unwrap();
    assert_eq!(legal(&mut position), ["pass"]);
    position.undo();
    position.play_text("1").unwrap();
    assert_eq!(legal(&mut position), ["a1-a2", "a1-b1", "a1-b2"]);
    // From nothing nothing is chosen: the run dies before.
    let mut position = start("either { pick p from own and c3 by chance } or { pass }");
    assert_eq!(legal(&mut position), ["pass"]);
}

/// Some options have a way behind them, and one has none: chance must not pass it over.
#[test]
fn an_option_without_a_way_is_a_fault() {
    for turn in [
        "pick k from 1..3 by chance  need k < 3  pass",
        "pick k from 1..3 by chance  pick p from own and ranks 1..2 where k < 3 by chance  pass",
        "either by chance { pass } or { pick p from own and c3  pass }",
    ] {
        let listed = start(turn).legal_moves();
        let Err(Error::Fault { fault, .. }) = listed else { panic!("{turn}: {listed:?}") };
        assert!(matches!(fault.kind, FaultKind::Chance(_)), "{turn}: {fault:?}");
    }
    // A player's choice comes between: only who has come there finds out.
    let mut position = start("pick k from 1..3 by chance  pick p from own  need k < 3  move p straight: step");
    position.play_text("(3)").unwrap();
    assert!(matches!(position.legal_moves(), Err(Error::Fault { fault, .. }) if fault.code() == "fault-chance"));
}

/// Bounds hold where chance chooses without end.
#[test]
fn chance_has_bounds() {
    let code = |turn: &str| match start(turn).legal_moves() {
        Err(Error::Fault { fault, .. }) => fault.code(),
        other => panic!("{turn}: {other:?}"),
    };
    assert_eq!(code("pick k from 1..1000000 by chance  pass"), "fault-plies");
    assert_eq!(
        code("pick i from 1..100 by chance pick j from 1..100 by chance pick k from 1..100 by chance pass"),
        "fault-plies"
    );
    let endless = code("repeat while n = 0 { pick k from 1..7 by chance }  pass");
    assert!(["fault-overflow", "fault-rounds", "fault-work", "fault-plies"].contains(&endless), "{endless}");
    let huge = "either by chance (9223372036854775807) { pass } or (9223372036854775807) { pass } or (2) { pass }";
    assert_eq!(code(huge), "fault-overflow");
}

#[test]
fn what_chance_chose_stands_apart() {
    let mut position =
        start("pick p from own  move p orthogonal: step  pick j from 1..6 by chance  either { } or { set n = j }");
    assert_eq!((position.to_move(), position.chooser()), ("White", Some("White")));
    position.play_text("a1-a2").unwrap();
    assert_eq!((position.to_move(), position.chooser()), ("White", None));
    assert_eq!(position.to_string(), "2B/3/W2 White : a1-a2");
    position.play_text("(4)").unwrap();
    assert_eq!((position.to_move(), position.chooser()), ("White", Some("White")));
    assert_eq!(position.to_string(), "2B/3/W2 White : a1-a2 (4)");
    assert!(position.drawing(false).unwrap().contains('W'));
    let read = position.game().position("2B/3/W2 White : a1-a2 (4)").unwrap();
    assert_eq!(read.state().begun(), position.state().begun());
    assert_eq!(legal(&mut position), ["-", "-'2"]);
    position.play_text("-'2").unwrap();
    assert_eq!(position.to_string(), "2B/W2/3 Black n=4");
    // A ply of White's before, and one behind; chance's is none.
    assert_eq!(position.state().turns(), 1);
    let mut reference = position.game().without_plan().start(0).unwrap();
    reference.play_moves(["a1-a2", "(4)", "-'2"]).unwrap();
    assert_eq!((reference.state().turns(), reference.state().plies()), (1, 2));
}

#[test]
fn dice_games_are_simulated_alike_by_any_threads() {
    let example = |name: &str| project(&format!("examples/{name}.rules")).display().to_string();
    let simulated = |name: &str, threads: &str, more: &[&str]| {
        let file = example(name);
        let arguments = ["simulate", &file, "--games", "6", "--seed", "5", "--max-turns", "60", "--json"];
        let mut told = json(&[&arguments[..], &["--threads", threads], more].concat());
        // Games that are recorded are played one after the other.
        for key in ["seconds", "games_per_second", "executor"] {
            told.as_object_mut().unwrap().remove(key);
        }
        told
    };
    let folder = folder(&[]);
    for name in ["einstein", "four_home"] {
        let one = simulated(name, "1", &[]);
        assert_eq!(simulated(name, "3", &[]), one);
        let file = path(&folder, "games.jsonl");
        assert_eq!(simulated(name, "2", &["--record", &file]), one, "{name}");
        let text = std::fs::read_to_string(&file).unwrap();
        let turns = replay_of(&self::example(name), &text);
        assert_eq!(one["turns"]["mean"], turns as f64 / 6.0);
        assert!(text.contains(r#"{"player":null,"move":"("#), "{text}");
        assert_ne!(json(&["simulate", &example(name), "--games", "6", "--seed", "6", "--json"])["turns"], one["turns"]);
    }
}

#[test]
fn commands_tell_of_chance() {
    let file = project("examples/einstein.rules").display().to_string();
    let at = "4d/1a3/2A2/1B3/5 White";
    let (_, out, _) = lusoria(&["moves", &file, "--position", at]);
    assert_eq!(out, "(1) 1/6\n(2) 1/6\n(3) 1/6\n(4) 1/6\n(5) 1/6\n(6) 1/6\n");
    let told = json(&["moves", &file, "--position", at, "--json"]);
    assert!(told["to_move"].is_null());
    assert_eq!(told["moves"][2]["move"], "(3)");
    assert!((told["moves"][2]["probability"].as_f64().unwrap() - 1.0 / 6.0).abs() < 1e-12);
    let told = json(&["moves", &file, "--position", &format!("{at} : (5)"), "--json"]);
    assert_eq!((&told["to_move"], told["moves"].as_array().unwrap().len()), (&"White".into(), 3));
    assert!(told["moves"][0].get("probability").is_none());
    let (code, out, err) = lusoria(&["perft", &file, "2", "--position", at]);
    assert_eq!((code, out.as_str()), (0, "18\n"));
    assert!(err.contains("chance"), "{err}");
    assert_eq!(json(&["perft", &file, "1", "--json"])["chance_counted"], true);
    let (_, out, _) = lusoria(&["show", &file, "--position", at, "--move", "(2)", "--move", "b2-b3"]);
    assert!(out.contains("chance to choose in the turn of Black"), "{out}");
    let told = fails(&["perft", &file, "1", "--executor", "scalar"], 2);
    assert!(told.contains("where chance chooses, only the reference executor counts moves"), "{told}");
}

/// Counted in Python from the rules, without a board: each man by the pips that he has left to go. Different positions
/// that a roll leads to from the start; of the 21 rolls, 5-5 has the fewest and 2-2 the most.
#[test]
fn backgammon_gives_independent_counts() {
    const PLAYS: [[u64; 6]; 6] = [
        [42, 15, 16, 14, 8, 10],
        [15, 75, 17, 18, 8, 14],
        [16, 17, 73, 17, 9, 14],
        [14, 18, 17, 52, 9, 14],
        [8, 8, 9, 9, 4, 7],
        [10, 14, 14, 14, 7, 11],
    ];
    let game = example("backgammon");
    let options = PerftOptions { unit: Unit::Result, past_draws: false };
    for (a, plays) in (1..).zip(PLAYS) {
        for (b, count) in (1..).zip(plays) {
            let mut position = game.start(0).unwrap();
            position.play_text(&format!("({a} {b})")).unwrap();
            let counted = Executor::new().perft(game.model(), &mut position.state().clone(), 1, options);
            assert_eq!(counted.unwrap(), count, "{a} {b}");
        }
    }
}

#[test]
fn backgammon_forces_what_can_be_played() {
    let game = example("backgammon");
    let rolled = |men: &str, rest: &str| game.position(&format!("{} White{rest}", board(&game, men))).unwrap();
    // Both dice: with 6 and 1 the man goes by 1 first, as the sixth point is closed.
    assert_eq!(legal(&mut rolled("W f2, [BB] a1", " : (6 1)")), ["f2 e2"]);
    // Of 6 and 5 either could be played, but not both: then the 6 must.
    let mut one = rolled("W f2, [BB] f1", " : (5 6)");
    assert_eq!(legal(&mut one), ["f2"]);
    one.play_text("f2").unwrap();
    assert_eq!(one.to_string().split(' ').next().unwrap(), board(&game, "W a1, [BB] f1"));
    // Who was hit comes in first, where he can.
    assert_eq!(legal(&mut rolled("W a1, [BB] l2", " White.hand=M1 : (1 2)")), ["k2 a1", "k2 k2"]);
    assert_eq!(legal(&mut rolled("W a1, [BB] l2 k2", " White.hand=M1 : (1 2)")), ["pass"]);
    // A man alone is hit.
    let mut hit = rolled("W a1, B b1, [BB] f1", " : (1 5)");
    hit.play_text("a1 b1").unwrap();
    assert!(hit.to_string().ends_with(" Black Black.hand=M1"), "{hit}");
    // At home men leave by what they have left, or by more if none is farther; a double is played four times.
    assert_eq!(legal(&mut rolled("W l1 k1", " : (6 6)")), ["k1 l1"]);
    let mut last = rolled("[WW] h1, W l1", " : (5 5)");
    last.play_text("h1 h1 l1").unwrap();
    assert_eq!(last.outcome().unwrap().winners, ["White"]);
}

/// Counted in Python from the rules alone: an array of cells, and the stone of each number.
#[test]
fn einstein_gives_independent_counts() {
    let game = example("einstein");
    for (position, counts) in [
        ("2fda/3eb/C3c/BE3/ADF2 White", [6, 18, 108, 324, 1944, 6162]),
        ("4d/1a3/2A2/1B3/5 White", [6, 18, 108, 432, 2592, 7776]),
        // Stones next to a lost one, captures of both sides, both goals near.
        ("1f3/3Bc/2a2/D4/1E3 White", [6, 21, 108, 495, 2970, 9249]),
    ] {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(game.position(position).unwrap().perft(depth).unwrap(), count, "{position} at depth {depth}");
        }
    }
}

/// Counted in Python without a board: each man by how far he has gone on his own way of 44 cells.
#[test]
fn the_race_for_four_gives_independent_counts() {
    let game = example("four_home");
    let men = board(&game, "R g1 e1 f3, Y j11 d1, G c1");
    let in_play = format!("{men} Red Red.hand=M1 Yellow.hand=M2 Green.hand=M3 Blue.hand=M4");
    for (position, counts) in
        [(game.start(0).unwrap().to_string(), [6, 11, 36, 91, 246, 676]), (in_play, [6, 12, 72, 193, 930, 2610])]
    {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(game.position(&position).unwrap().perft(depth).unwrap(), count, "{position} at depth {depth}");
        }
    }
    assert_eq!(
        notation::position_text(game.model(), game.start(0).unwrap().state()),
        game.start(0).unwrap().to_string()
    );
}
