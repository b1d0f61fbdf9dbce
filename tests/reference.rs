//! Tests of the reference executor: the meaning of single words, on small boards. Whole games are
//! run by the tests in `tests/`.

use std::collections::BTreeSet;

use lusoria::board::Player;
use lusoria::check;
use lusoria::check::{Library, Settings};
use lusoria::model::{Game, StateId};
use lusoria::position::{Position, Value, Written};
use lusoria::reference::{Executor, PerftOptions, Ply, Setup, SetupError, Unit};
use lusoria::source::Source;

struct Prelude;

impl Library for Prelude {
    fn prelude(&self) -> Source {
        Source::new("std.rules", include_str!("../rules/std.rules"))
    }
    fn find(&self, _: &str) -> Option<Source> {
        None
    }
}

fn game(declarations: &str) -> Game {
    let text = format!("game \"Test\" {{ {declarations} }}");
    let loaded = check::load(Source::new("test.rules", text), &Prelude, &Settings::default());
    let wrong: Vec<String> = loaded.mistakes.iter().map(|mistake| mistake.message()).collect();
    loaded.game.unwrap_or_else(|| panic!("{declarations}: {wrong:?}"))
}

fn start(executor: &mut Executor, game: &Game) -> Position {
    executor.start(game, Setup::Number(0)).expect("the set-up has no draws")
}

/// The cells of a ply's choices; other choices as they are debugged.
fn word(game: &Game, written: &Written) -> String {
    let name = |cell| game.topology.name(cell).to_string();
    match written {
        Written::Cell(cell) => name(*cell),
        Written::Landing { cell, captures, .. } => format!("{}{}", if *captures { "x" } else { "-" }, name(*cell)),
        other => format!("{other:?}"),
    }
}

fn words(game: &Game, plies: &[Ply]) -> Vec<String> {
    let ply = |ply: &Ply| ply.written.iter().map(|written| word(game, written)).collect::<Vec<_>>().join(" ");
    plies.iter().map(ply).collect()
}

fn turns(declarations: &str) -> Vec<String> {
    let (game, mut executor) = (game(declarations), Executor::new());
    let mut position = start(&mut executor, &game);
    words(&game, &executor.turns(&game, &mut position).expect("no fault"))
}

/// The code of the fault that listing the first turns ends with.
fn fault(declarations: &str) -> &'static str {
    let (game, mut executor) = (game(declarations), Executor::new());
    let mut position = start(&mut executor, &game);
    let before = position.fingerprint();
    let fault = executor.turns(&game, &mut position).expect_err(declarations);
    assert_eq!(position.fingerprint(), before, "{declarations}");
    fault.code()
}

const LINE: &str = "players White north, Black south board square 4 by 1 piece man";
const END: &str = "end { draw if stuck(enemy) }";

#[test]
fn first_gives_way_only_where_nothing_can_be_completed() {
    let setup = "setup { place man on a1  place Black man on b1 }";
    let take = "first { pick p from own  move p straight: leap } else { pick p from own  move p straight: step }";
    assert_eq!(turns(&format!("{LINE} {setup} move {{ {take} }} {END}")), ["a1 xc1"]);
    // The first block has a run, but none that completes.
    let dead = "players White, Black board square 5 by 1 piece man setup { place man on a1 d1  place Black man on b1 }";
    assert_eq!(turns(&format!("{dead} move {{ {take}  need c1 in empty }} {END}")), ["d1 -e1"]);
}

#[test]
fn an_inner_first_is_more_if_there_is_more() {
    let text = "players White, Black board square 3 by 1 piece man
                move { pick c from empty place man on c
                       first { pick d from empty need d is c1 place man on d } else { } }";
    assert_eq!(turns(&format!("{text} {END}")), ["a1 c1", "b1 c1", "c1"]);
}

#[test]
fn most_keeps_the_longest_chains() {
    let text = "players White, Black board square 5 by 3 piece man
                setup { place man on a1  place Black man on b1 d1 a2 }
                move { pick p from own  repeat { move p straight: leap } most count(caught) }";
    assert_eq!(turns(&format!("{text} {END}")), ["a1 xc1 xe1"]);
}

#[test]
fn caught_men_that_wait_block_and_are_nobodys() {
    let text = "players White, Black board square 5 by 1 piece man captures leave at end of move
                setup { place man on a1  place Black man on b1 }
                move { pick p from own  move p straight: leap  need some b1 in occupied and no enemy }";
    let (game, mut executor) = (game(&format!("{text} {END}")), Executor::new());
    let mut position = start(&mut executor, &game);
    let turns = executor.turns(&game, &mut position).expect("no fault");
    assert_eq!(words(&game, &turns), ["a1 xc1"]);
    let mark = executor.play(&game, &mut position, &turns[0]).expect("it was listed");
    assert_eq!(position.occupied().len(), 1);
    position.undo_to(mark);
    assert_eq!(position.occupied().len(), 2);
}

#[test]
fn silent_rounds_write_only_the_last() {
    let text = "players White, Black board square 7 by 1 piece man
                setup { place man on a1  place Black man on b1 d1 f1 }
                move { pick p from own  repeat silently { move p straight: leap } }";
    assert_eq!(turns(&format!("{text} {END}")), ["a1 xc1", "a1 xe1", "a1 xg1"]);
}

#[test]
fn marks_go_with_their_man_and_leave_with_him() {
    let text = "players White, Black board square 4 by 1 piece man
                remember fresh = none on pieces
                setup { place man on a1  place Black man on b1  set fresh = a1 b1 }
                move { pick p from own  move p straight: leap }";
    let (game, mut executor) = (game(&format!("{text} {END}")), Executor::new());
    let mut position = start(&mut executor, &game);
    let turns = executor.turns(&game, &mut position).expect("no fault");
    executor.play(&game, &mut position, &turns[0]).expect("it was listed");
    let c1 = game.topology.named("c1").expect("the board has c1");
    assert_eq!(position.value(StateId(0), Player(0)), &Value::Cells(lusoria::board::CellSet::one(c1)));
}

#[test]
fn faults_have_their_codes() {
    let with = |body: &str| fault(&format!("{LINE} move {{ {body} }} {END}"));
    assert_eq!(with("let n = 9223372036854775807 + count(any)  pick c from empty  need n > 0"), "fault-overflow");
    assert_eq!(with("let n = 1 / count(own)  pick c from empty  need n > 0"), "fault-division-by-zero");
    assert_eq!(with("pick c from empty  place man on c  place man on c"), "fault-two-men");
    assert_eq!(with("let n = file of any  pick c from empty  need n > 0"), "fault-not-one-cell");
    assert_eq!(with("repeat while no own { let c = a1 }"), "fault-rounds");
    assert_eq!(
        fault(&format!("{LINE} move {{ pick c from own  place man on c }} end {{ win if no empty }}")),
        "fault-stuck"
    );
    let deep = "define deep(n) = no empty or deep(n + 1)";
    assert_eq!(fault(&format!("{LINE} {deep} move {{ need deep(0) }} {END}")), "fault-depth");
}

#[test]
fn a_define_goes_within_itself_as_deep_as_the_board_has_cells() {
    let text = |n: u32| format!("{LINE} define down(n) = n = 0 or down(n - 1) move {{ need down({n})  pass }} {END}");
    assert_eq!(turns(&text(4)), ["Pass"]);
    assert_eq!(fault(&text(5)), "fault-depth");
    // Each of two defines that ask each other has the bound to itself.
    let both = |n: u32| {
        let defines = "define odd(n) = n > 0 and even(n - 1)  define even(n) = n = 0 or odd(n - 1)";
        format!("{LINE} {defines} move {{ need odd({n})  pass }} {END}")
    };
    assert_eq!(turns(&both(9)), ["Pass"]);
    assert_eq!(fault(&both(11)), "fault-depth");
}

#[test]
fn arguments_may_be_calls_and_sets_that_are_not_on_the_board() {
    let text = "players White, Black board square 4 by 1 piece man setup { place man on a1 }
                define sum(a, b) = a + b
                define joined(c, s) = group(c, s)
                move { pick c from empty
                       need sum(sum(1, 2), sum(3, sum(4, 5))) = 15
                       need count(joined(joined(c, own or c), own or c or c1)) = 3
                       place man on c }";
    assert_eq!(turns(&format!("{text} {END}")), ["b1"]);
}

/// Whole turns put together from plies, as cells and fingerprints.
fn walk(
    executor: &mut Executor,
    game: &Game,
    position: &mut Position,
    before: &[Written],
    ends: &mut BTreeSet<(String, u128)>,
) {
    for ply in executor.plies(game, position).expect("no fault") {
        let mut written = before.to_vec();
        written.extend(ply.written.iter().filter(|written| **written != Written::Stop).cloned());
        if ply.ends_turn {
            ends.insert((format!("{written:?}"), ply.fingerprint));
            continue;
        }
        let mark = executor.play(game, position, &ply).expect("it was listed");
        assert_eq!(executor.position_now(game, position).expect("no fault").fingerprint(), ply.fingerprint);
        let found = ends.len();
        walk(executor, game, position, &written, ends);
        assert!(ends.len() > found || before != written, "a beginning is completable");
        position.undo_to(mark);
    }
}

fn plies_make_the_turns(declarations: &str, played: u32) {
    let (game, mut executor) = (game(declarations), Executor::new());
    let mut position = start(&mut executor, &game);
    for turn in 0..played {
        let turns = executor.turns(&game, &mut position).expect("no fault");
        let whole: BTreeSet<_> = turns.iter().map(|ply| (format!("{:?}", ply.written), ply.fingerprint)).collect();
        assert_eq!(whole.len(), turns.len(), "no move comes twice");
        assert_eq!(executor.count_turns(&game, &mut position), Ok(whole.len() as u64));
        let mut walked = BTreeSet::new();
        walk(&mut executor, &game, &mut position, &[], &mut walked);
        assert!(
            whole == walked,
            "{} turns, {} walked, one more: {:?}",
            whole.len(),
            walked.len(),
            whole.symmetric_difference(&walked).next()
        );
        executor.play(&game, &mut position, &turns[turn as usize * 7 % turns.len()]).expect("it was listed");
        assert_eq!(position.pieces_hash(), position.full_pieces_hash());
        if position.is_over() {
            return;
        }
    }
}

#[test]
fn walking_ply_by_ply_gives_the_turns() {
    let grow = "players White, Black board square 3 by 3 piece stone
                setup { place White stone on a1 c3  place Black stone on a3 c1 }
                move { repeat in steps { pick c from empty and adjacent(own, orthogonal)  place stone on c
                                         flip catches(c, orthogonal: custodian) } }
                end { highest count(own) wins if no empty  draw if stuck(enemy) }";
    plies_make_the_turns(grow, 3);
    let shared = "players White, Black board square 3 by 3 piece stone
                  move { pick 2 offer from empty  pick c from offer by enemy  place stone on c
                         first { pick d from empty and adjacent(c, orthogonal) by enemy  place enemy stone on d
                                 need no own in (adjacent(d, orthogonal) and not c) } else { pass } }
                  end { draw if no empty  draw if stuck(enemy) }";
    plies_make_the_turns(shared, 4);
    let sow = "players White north, Black south board square 3 by 3, lines orthogonal, stacks piece man
               setup { place (2) man on row 1  mirror }
               move { pick p from own  let n = height(p)
                      repeat in steps while n > 0 { move n of p orthogonal and not opposite(heading): ^ to any  set n = n - 1 } }
               end { win if stuck(enemy) }";
    plies_make_the_turns(sow, 4);
}

#[test]
fn a_branch_is_no_ply_before_the_steps_that_it_leads_to() {
    let text = "players White, Black board square 3 by 1 piece stone
                setup { place stone on a1 }
                move { either { pick c from empty and not adjacent(own)  place stone on c }
                       or { repeat in steps { pick c from empty and adjacent(own)  place stone on c } } }";
    let (game, mut executor) = (game(&format!("{text} {END}")), Executor::new());
    let mut position = start(&mut executor, &game);
    let plies = executor.plies(&game, &mut position).expect("no fault");
    assert_eq!(words(&game, &plies), ["c1", "b1"]);
    assert_eq!(plies.iter().map(|ply| ply.ends_turn).collect::<Vec<_>>(), [true, false]);
    plies_make_the_turns(&format!("{text} {END}"), 1);
}

#[test]
fn plies_of_games_with_most_begin_runs_that_stay() {
    let text = "players White, Black board square 5 by 3 piece man
                setup { place man on a1  place Black man on b1 d1 a2 }
                move { pick p from own  repeat in steps { move p straight: leap } most count(caught) }";
    plies_make_the_turns(&format!("{text} {END}"), 1);
}

#[test]
fn perft_counts_turns_plies_and_results() {
    let text = "players White, Black board square 2 by 2 piece stone
                move { repeat in steps { pick c from empty  place stone on c } } end { draw if no empty }";
    let (game, mut executor) = (game(text), Executor::new());
    let mut position = start(&mut executor, &game);
    let mut perft = |unit, depth| executor.perft(&game, &mut position, depth, PerftOptions { unit, past_draws: false });
    // Orders of 1, 2, 3, 4 of four cells; sets of them; single stones.
    assert_eq!(perft(Unit::Turn, 1), Ok(4 + 12 + 24 + 24));
    assert_eq!(perft(Unit::Result, 1), Ok(15));
    assert_eq!(perft(Unit::Ply, 1), Ok(4));
    assert_eq!(perft(Unit::Ply, 2), Ok(4 * (1 + 3)));
}

#[test]
fn set_ups_are_numbered_the_first_pick_turning_fastest() {
    let text = "players White, Black board square 3 by 1 piece stone
                setup { pick c from any  place stone on c  pick 2 d from empty or c  place Black stone on d and empty }
                move { pick c from empty place stone on c } end { draw if no empty  draw if stuck(enemy) }";
    let (game, mut executor) = (game(text), Executor::new());
    let mut cells = |number| -> Result<Vec<usize>, SetupError> {
        let position = executor.start(&game, Setup::Number(number))?;
        Ok(position.of(Player(0)).iter().map(|cell| cell.index()).collect())
    };
    assert_eq!((cells(0), cells(1), cells(2), cells(3)), (Ok(vec![0]), Ok(vec![1]), Ok(vec![2]), Ok(vec![0])));
    assert_eq!(cells(9), Err(SetupError::OutOfRange { number: 9, count: 9 }));
}

#[test]
fn one_turn_values_age_and_opening_turns_are_counted() {
    let text = "players White, Black board square 4 by 1 piece stone
                remember ko = none for one turn
                opening { turn { pick c from a1 place stone on c set ko = b1 } }
                move { pick c from empty and not ko place stone on c }";
    let (game, mut executor) = (game(&format!("{text} {END}")), Executor::new());
    let mut position = start(&mut executor, &game);
    assert_eq!(position.opening(), Some(0));
    for expected in [vec!["a1"], vec!["c1", "d1"], vec!["b1", "d1"]] {
        let turns = executor.turns(&game, &mut position).expect("no fault");
        assert_eq!(words(&game, &turns), expected);
        executor.play(&game, &mut position, &turns[0]).expect("it was listed");
    }
    assert_eq!((position.opening(), position.turns()), (None, 3));
}
