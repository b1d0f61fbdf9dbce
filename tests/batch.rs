//! The batch executor plays every game as the scalar one does, for any number of lanes.

use std::collections::BTreeSet;

use lusoria::batch::{
    Batch, From, Games, Instructions, LockStep, Start, Stepped, WarpContext, batch, batch_by, prepare, prepare_by,
};
use lusoria::interp::{CellTurns, Engine, GameState, Playout, Session};
use lusoria::position::{Fault, Position};
use lusoria::{Game, Rollouts};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{engine_of, game, games_of_tests, sampled, shipped_games};

const MOST_TURNS: u64 = 300;

type Went = Result<Playout, (Fault, Box<Position>)>;

/// So many games of a file, and how they went.
struct Queue<'a> {
    game: &'a Game,
    next: u64,
    games: u64,
    went: Vec<Option<Went>>,
    /// The numbers of the games, as they were over.
    order: Vec<u64>,
}

impl<'a> Queue<'a> {
    fn new(game: &'a Game, games: u64) -> Queue<'a> {
        Queue { game, next: 0, games, went: (0..games).map(|_| None).collect(), order: Vec::new() }
    }
}

impl Games for Queue<'_> {
    fn next(&mut self) -> Option<Start> {
        let number = self.next;
        if number >= self.games {
            return None;
        }
        self.next += 1;
        let position = self.game.start(number).unwrap().state().clone();
        Some(Start {
            number,
            seed: number,
            from: From::Position(Box::new((position, Xoshiro256PlusPlus::seed_from_u64(number)))),
        })
    }

    fn done(&mut self, number: u64, went: Went) {
        let place = &mut self.went[number as usize];
        assert!(place.is_none(), "game {number} is told twice");
        *place = Some(went);
        self.order.push(number);
    }

    fn refused(&mut self, number: u64) {
        panic!("game {number} is refused");
    }
}

fn by_plan(game: &Game, engine: &Engine, games: u64) -> Vec<String> {
    let mut runner = engine.runner();
    let play = |number| {
        assert!(runner.load(game.start(number).unwrap().state()));
        let went = runner.playout(&mut Xoshiro256PlusPlus::seed_from_u64(number), MOST_TURNS);
        told(&went.map_err(|fault| (fault, Box::new(runner.position()))))
    };
    (0..games).map(play).collect()
}

fn told(went: &Went) -> String {
    match went {
        Ok(went) => {
            format!("{:?} after {} turns, {} plies, {:?}", went.outcome, went.turns, went.plies, went.choices)
        }
        Err((fault, _)) => format!("{fault:?}"),
    }
}

fn in_lock_step(game: &Game, engine: &Engine, games: u64, lanes: usize) -> Option<Vec<String>> {
    let mut table = batch(engine, Some(lanes)).ok()?;
    Some(all_told(game, table.as_mut(), games))
}

fn all_told(game: &Game, table: &mut dyn Batch, games: u64) -> Vec<String> {
    let mut queue = Queue::new(game, games);
    table.play(&mut queue, MOST_TURNS);
    queue.went.iter().map(|went| told(went.as_ref().expect("all games are told"))).collect()
}

/// Compares games one by one; how many numbers of lanes could be compared.
pub fn compare(game: &Game, games: u64, lanes: &[usize]) -> usize {
    let Some(engine) = engine_of(game) else { return 0 };
    let expected = by_plan(game, &engine, games);
    compare_with(game, &engine, &expected, lanes)
}

/// The same of rules that nobody has thought about: where a fault is met at all, each executor may
/// meet it elsewhere.
pub fn compare_unless_fault(game: &Game, engine: &Engine, games: u64, lanes: &[usize]) {
    let expected = by_plan(game, engine, games);
    if expected.iter().all(|went| went.contains(" turns, ")) {
        compare_with(game, engine, &expected, lanes);
    }
}

/// How a game that comes to a fault goes in lock step, and the position that is shown.
pub fn fault_in_lock_step(game: &Game, engine: &Engine, lanes: usize) -> Option<(Fault, Box<Position>)> {
    let mut table = batch(engine, Some(lanes)).ok()?;
    let mut queue = Queue::new(game, 1);
    table.play(&mut queue, MOST_TURNS);
    queue.went.remove(0)?.err()
}

fn compare_with(game: &Game, engine: &Engine, expected: &[String], lanes: &[usize]) -> usize {
    let games = expected.len() as u64;
    let mut compared = 0;
    for &lanes in lanes {
        let Some(went) = in_lock_step(game, engine, games, lanes) else { continue };
        for (number, (went, expected)) in went.iter().zip(expected).enumerate() {
            assert_eq!(went, expected, "{}: game {number} of {lanes} lanes", game.name());
        }
        compared += 1;
    }
    compared
}

#[test]
fn games_go_as_they_do_one_after_the_other() {
    let compared: usize = shipped_games().iter().map(|game| compare(game, sampled(50), &[1, 64])).sum();
    assert!(compared > 40, "{compared}");
}

/// Where the lanes are not said, lock step is timed against one game after the other, and may be left. The clock changes
/// nothing else.
#[test]
fn games_that_are_timed_go_as_they_do_one_after_the_other() {
    for name in ["breakthrough:Breakthrough 5x5", "othello", "nine_mens_morris"] {
        let game = game(name);
        let engine = engine_of(&game).expect("it has a plan");
        let Ok(mut table) = batch(&engine, None) else { return };
        let games = 500;
        let mut queue = Queue::new(&game, games);
        table.play(&mut queue, MOST_TURNS);
        let went: Vec<String> = queue.went.iter().flatten().map(told).collect();
        assert_eq!(went, by_plan(&game, &engine, games), "{name}");
        // As many as there are lanes go one after the other, and are over in their order.
        let alone = queue.order.windows(table.lanes()).any(|order| order.windows(2).all(|pair| pair[0] + 1 == pair[1]));
        assert!(alone, "{name}: {:?}", queue.order);
    }
}

/// Whole rounds are one function where all steps have code: a step that has none any more would be
/// noticed by nothing but the time it takes.
#[test]
fn rounds_of_simple_games_are_played_by_machine_code() {
    if !has_avx512() {
        return;
    }
    let plays_rounds = |game: &Game| {
        let engine = Engine::new(game.model()).expect("it has a plan");
        prepare(&engine).expect("it goes in lock step").compiles_turns()
    };
    let names = ["breakthrough", "kitaran", "othello", "pente", "pente:keryo-pente", "nine_mens_morris", "morabaraba"];
    for name in names {
        assert!(plays_rounds(&Game::shipped(name).expect("it is shipped")), "{name}");
    }
    // A choice that is capped, and a past that is asked.
    for name in ["amazons", "chess"] {
        assert!(!plays_rounds(&Game::shipped(name).expect("it is shipped")), "{name}");
    }
}

/// Towards the end lanes stand idle, beside games that change places with them, and a batch that
/// has ended begins anew.
#[test]
fn fewer_games_than_lanes_go_as_they_do_one_after_the_other() {
    let mut compared = 0;
    for game in shipped_games() {
        let Some(engine) = engine_of(&game) else { continue };
        let Ok(mut table) = batch(&engine, Some(64)) else { continue };
        let expected = by_plan(&game, &engine, 40);
        for games in [40, 7, 25] {
            assert_eq!(
                all_told(&game, table.as_mut(), games),
                expected[..games as usize],
                "{games} of {}",
                game.name()
            );
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

/// Where the scalar executor plays most turns, games are played one after the other after a while,
/// unless lanes are asked for. They go as before, also from positions in the middle of a game.
#[test]
fn games_of_low_utilization_are_played_one_after_the_other() {
    let text = r#"
        game "One by one" {
          players White north, Black south
          board square 5 by 5
          piece man
          setup { place man on rows 1..2   mirror }
          move {
            pick p from own
            let k = 0
            repeat { need k < 2   set k = k + 1   move p straight: ^ to empty   remove enemy and adjacent(p, west) }
          }
          end { win if stuck(enemy)   draw if turns >= 40 }
        }
    "#;
    let game = Game::from_source(text).unwrap();
    let engine = Engine::new(game.model()).unwrap();
    let games = 1200;
    let expected = by_plan(&game, &engine, games);
    let last = |order: &[u64]| order[order.len() - 200..].is_sorted();
    for (lanes, alone) in [(None, true), (Some(64), false)] {
        let Ok(mut table) = batch(&engine, lanes) else { return };
        let mut queue = Queue::new(&game, games);
        table.play(&mut queue, MOST_TURNS);
        let went: Vec<String> = queue.went.iter().flatten().map(told).collect();
        assert_eq!(went, expected, "{lanes:?}");
        assert_eq!(last(&queue.order), alone, "{lanes:?}: {:?}", queue.order);
        // A batch that has found out goes on so.
        assert_eq!(all_told(&game, table.as_mut(), 50), expected[..50], "{lanes:?}");
    }
    let game = game.with_plan();
    let (mut position, mut positions) = (game.start(0).unwrap(), Vec::new());
    for _ in 0..5 {
        positions.push(position.clone());
        assert!(position.play_random(&mut Xoshiro256PlusPlus::seed_from_u64(1)).unwrap());
    }
    let how = Rollouts { games: 200, seed: 4, max_turns: 60 };
    // Positions of another game go one by one from the first on.
    assert_eq!(game.rollouts(&positions, &how).unwrap(), game.with_plan().rollouts(&positions, &how).unwrap());
}

/// The same by the instructions of other processors.
#[test]
fn games_go_alike_by_all_instructions() {
    let mut compared = 0;
    for game in shipped_games() {
        let Some(engine) = engine_of(&game) else { continue };
        let expected = by_plan(&game, &engine, 12);
        for by in Instructions::available() {
            let Ok(mut table) = batch_by(&engine, Some(12), by) else { continue };
            assert_eq!(all_told(&game, table.as_mut(), 12), expected, "{} by {by:?}", game.name());
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

/// Sets of four words, which the batch has as six, and a history that both go on with.
#[test]
fn games_on_wide_boards_ask_the_history() {
    let text = r#"
        game "Wide" {
          players White north, Black south
          board square 15 by 15
          piece man
          setup { place White man on a1 b1   place Black man on o15 }
          move { pick p from own   move p orthogonal: ^ to (empty and (a1 b1 a2 b2 o15 o14 n15)) }
          end { draw if times(position) >= 3   win if stuck(enemy) }
        }
    "#;
    assert_eq!(compare(&Game::from_source(text).unwrap(), 300, &[1, 7, 128]), 3);
}

/// What stands near the stone placed is looked at once for what it takes and for rows; it is not in
/// a row if it has gone. Boards with and without a free bit between rows, and rows longer than what
/// is seen near by.
#[test]
fn rows_through_the_stone_placed_are_found_near_by() {
    let mut compared = 0;
    for (files, ranks, length) in [(8, 8, 4), (8, 8, 5), (7, 7, 4), (12, 5, 3), (15, 15, 6), (19, 19, 4), (19, 19, 5)] {
        for (caught, behind) in
            [("{2}", ""), ("{2..3}", "if some prey { remove c }"), ("{2}", "if rank of c = 2 { remove c }")]
        {
            let rules = format!(
                r#"
                game "Rows" {{
                  players White, Black
                  board square {files} by {ranks}
                  piece stone
                  move {{
                    pick c from empty   place stone on c
                    let prey = catches(c, straight: ^ <enemy{caught}> own)   remove prey
                    {behind}
                  }}
                  end {{ win if some axes where count(run(last, own, it)) >= {length}   draw if no empty }}
                }}
                "#
            );
            let game = Game::from_source(&rules).unwrap_or_else(|error| panic!("{behind}: {error}"));
            compared += compare(&game, 60, &[7, 64]);
        }
    }
    assert_eq!(compared, 7 * 3 * 2);
}

/// More options together than a word counts.
#[test]
fn games_with_very_many_options_go_as_they_do_one_after_the_other() {
    let text = r#"
        game "Numbers" {
          players White, Black
          board square 3 by 3
          piece man
          remember chosen = 1
          move {
            either { pick n from 1..9000000000000000000   set chosen = n }
            or { pick n from 2..9000000000000000000   pick d from orthogonal   set chosen = n - 1 }
            or { pick n from 3..9000000000000000000   pick c from empty        set chosen = n - 2 }
          }
          end { win if chosen mod 5 = 0 }
        }
    "#;
    assert_eq!(compare(&Game::from_source(text).unwrap(), 40, &[1, 7, 128]), 3);
}

/// Of so many runs the first random word of a lane tells no number now and then: those of a chunk
/// are drawn step by step then.
#[test]
fn numbers_of_very_many_runs_are_drawn_as_one_after_the_other() {
    let by_coordinates = ("file of b + rank of c - file of d", "score mod 97 = 5");
    // Machine code plays whole rounds of this.
    let by_counts = ("count((a or b) and files 1..3) - count(d and ranks 2..3) + 1", "score >= 40");
    for (size, (scored, won)) in [(8, by_coordinates), (9, by_coordinates), (8, by_counts), (9, by_counts)] {
        let text = format!(
            r#"
            game "Four picks" {{
              players White, Black
              board square {size} by {size}
              piece man
              remember score = 0
              move {{
                pick a from empty   pick b from empty   pick c from empty   pick d from empty
                place man on a
                set score = score + {scored}
              }}
              end {{ win if {won}   draw if no empty }}
            }}
            "#
        );
        let game = Game::from_source(&text).unwrap_or_else(|error| panic!("{scored}: {error}"));
        assert_eq!(compare(&game, 60, &[1, 7, 64]), 3, "{size}, {scored}");
        let plays_rounds = prepare(&Engine::new(game.model()).unwrap()).unwrap().compiles_turns();
        assert_eq!(plays_rounds, has_avx512() && scored == by_counts.0, "{scored}");
    }
}

pub fn has_vectors() -> bool {
    !Instructions::available().is_empty()
}

fn has_avx512() -> bool {
    Instructions::available().contains(&Instructions::Avx512)
}

/// A pass puts in doubt that the player could move: who is asked about again has forgotten what
/// lasts for a turn, as everybody has.
#[test]
fn values_for_one_turn_are_forgotten_where_a_pass_is_doubted() {
    let text = r#"
        game "Passes" {
          players White, Black
          board square 4 by 4
          piece stone
          remember fresh = none for one turn
          move {
            either { pick c from empty and not adjacent(fresh)   place stone on c   set fresh = c }
            or { pass }
          }
          end { draw if no empty   draw if stuck(enemy) }
        }
    "#;
    assert_eq!(compare(&Game::from_source(text).unwrap(), 200, &[1, 7, 64]), 3);
}

/// What is asked at the end has no machine code where it asks what a position was before, or
/// something that no code is made for; the turn has all the same, and what the end asks of the turn
/// it finds, also near the stone placed.
#[test]
fn turns_by_machine_code_are_followed_by_ends_step_by_step() {
    let ends = [
        "draw if times(position) >= 2",
        "win if some axes where count(run(last, own, it)) >= 4   draw if times(position) >= 2",
        "win if count(own) mod 7 = 6   win if some axes where count(run(last, own, it)) >= 4",
        "win if count(own) * count(own) > 99",
        "win if taken mod 5 = 4",
    ];
    for (end, size) in ends.into_iter().flat_map(|end| [(end, 8), (end, 12)]) {
        let rules = format!(
            r#"
            game "Ends" {{
              players White, Black
              board square {size} by {size}
              piece stone
              remember taken = 0
              move {{
                either {{ pick c from empty   place stone on c }}
                or {{ pick p from own   move p orthogonal: step }}
                let prey = catches(last, straight: ^ <enemy{{2}}> own)   remove prey   set taken = taken + count(prey)
              }}
              end {{ {end}   draw if no empty   win if stuck(enemy) }}
            }}
            "#
        );
        let game = Game::from_source(&rules).unwrap_or_else(|error| panic!("{end}: {error}"));
        assert_eq!(compare(&game, 40, &[1, 7, 64]), 3, "{end}, {size}");
    }
}

/// Cells are gone through one by one, and rounds go on as long as something holds, on boards of one
/// word and of several: by machine code where whole rounds are.
#[test]
fn loops_go_as_they_do_one_after_the_other() {
    let grown = "set front = c   repeat while some (adjacent(front) and own and not front) { set front = front or (adjacent(front) and own) }";
    let counted = "need no (own where count(adjacent(it) and own) >= 4)";
    for (size, games) in [(6, 60), (9, 40), (19, 8)] {
        for (turn, won) in
            [(grown, "count(front) >= 9"), (counted, "some (own where count(adjacent(it) and own) >= 3)")]
        {
            let rules = format!(
                r#"
                game "Loops" {{
                  players White, Black
                  board square {size} by {size}
                  piece stone
                  remember front = none
                  move {{ pick c from empty   place stone on c   {turn} }}
                  end {{ win if {won}   draw if stuck(enemy) }}
                }}
                "#
            );
            let game = Game::from_source(&rules).unwrap_or_else(|error| panic!("{turn}: {error}"));
            assert_eq!(compare(&game, games, &[1, 7, 64]), 3, "{size}, {turn}");
            let plays_rounds = prepare(&Engine::new(game.model()).unwrap()).unwrap().compiles_turns();
            assert_eq!(plays_rounds, has_avx512(), "{size}, {turn}");
        }
    }
}

/// Turns that only add are not kept to be taken back, but where a sum may become too large.
#[test]
fn sums_that_become_too_large_are_told_as_they_are_one_after_the_other() {
    let overflows = |turn: &str, score: i64| {
        let (sign, far) = if score < 0 { ('-', score.unsigned_abs()) } else { ('+', score as u64) };
        let rules = format!(
            r#"
            game "Sums" {{
              players White, Black
              board square 3 by 3
              piece man
              remember score = 0 {sign} {far}
              move {{ pick c from empty   place man on c   {turn} }}
              end {{ win if score mod 7 = 3   draw if stuck(enemy) }}
            }}
            "#
        );
        let game = Game::from_source(&rules).unwrap_or_else(|error| panic!("{turn}, {score}: {error}"));
        assert_eq!(compare(&game, 60, &[1, 7, 64]), 3);
        by_plan(&game, &Engine::new(game.model()).unwrap(), 60).iter().any(|went| went.contains("Overflow"))
    };
    let (more, less) = ("set score = score + file of c", "set score = score - file of c - rank of c");
    let squared = "set score = score + (score - file of c) * score";
    for score in [0, 1 << 39, 1 << 41, i64::MAX - 40] {
        assert!(!overflows(more, score) && !overflows(less, -score), "{score}");
    }
    assert!(overflows(more, i64::MAX - 8) && overflows(less, 8 - i64::MAX));
    assert!(overflows(squared, 9) && !overflows(more, i64::MAX - 18));
}

/// Games of the tests: more players, teams, other boards, chains, drops; some end in a fault.
#[test]
fn games_that_are_not_shipped_go_as_they_do_one_after_the_other() {
    let compared: usize = games_of_tests().iter().map(|game| compare(game, sampled(40), &[1, 64])).sum();
    assert!(compared > 15, "{compared}");
}

/// What a block of `first` does before it dies is not done, also where it matters whether the
/// player only passed.
#[test]
fn a_block_that_dies_leaves_nothing_behind() {
    let turns = [
        "first { remove enemy   pick p from own } else { pass }",
        "first { remove enemy   need some own } else { pass }",
        "first { flip enemy   need no own } else { pass }",
        "first { remove enemy   need no any   again } else { pass }",
        "first { remove enemy   need some own } else { first { flip enemy   need no own } else { pass } }",
        "first { pick p from own   pick q from enemy   need p in a1 } else { pass }",
    ];
    let mut compared = 0;
    for turn in turns {
        let rules = format!(
            r#"
            game "Dead blocks" {{
              players White, Black
              board square 3 by 3
              piece man
              setup {{ place man on b2   place Black man on c3 }}
              move {{ {turn} }}
              end {{ win if stuck(enemy) }}
            }}
            "#
        );
        let game = Game::from_source(&rules).unwrap_or_else(|error| panic!("{turn}: {error}"));
        compared += compare(&game, 20, &[1, 7, 64]);
    }
    assert!(compared >= 12, "{compared}");
}

/// A game that the scalar executor plays turn by turn, beside the same one in a lane.
#[derive(Default)]
struct Walk {
    state: GameState,
    turns: CellTurns,
}

/// What a state has beside the past.
fn stands(state: &GameState) -> String {
    format!("{:?} {:?} {:?} {} {}", state.sets, state.numbers, state.to_move, state.opening, state.turns)
}

impl Walk {
    fn begin(game: &Game, number: u64, session: &mut dyn Session) -> Walk {
        let mut walk = Walk::default();
        assert!(session.load(game.start(number).unwrap().state()));
        session.export_state(&mut walk.state);
        walk
    }

    /// Lists the cells, of which the turn is the choice of one. `false`: it is not.
    fn list(&mut self, session: &mut dyn Session) -> bool {
        session.import_state(&mut self.state);
        let by_cells = session.cell_turns(&mut self.turns).unwrap() && self.turns.count() > 0;
        session.export_state(&mut self.state);
        by_cells
    }

    /// Plays the turn of a cell, or a turn drawn among all.
    fn play(&mut self, chosen: Option<(u32, u32)>, session: &mut dyn Session, lot: &mut Xoshiro256PlusPlus) {
        session.import_state(&mut self.state);
        if let Some((chosen, _)) = chosen {
            let bit = (0..self.turns.cells.len() * 64).filter(|bit| self.turns.has(*bit)).nth(chosen as usize).unwrap();
            assert!(session.play_cell(&self.turns, bit, &mut Vec::new()).unwrap());
        } else {
            session.step(lot).unwrap();
        }
        session.export_state(&mut self.state);
    }
}

/// Steps many games at once, and compares each of them after each turn; how many turns were stepped.
fn compare_steps(game: &Game, lock_step: &mut dyn LockStep, rounds: usize, lot: &mut Xoshiro256PlusPlus) -> usize {
    let mut session = game.session().expect("there is a plan");
    let session = &mut *session;
    let mut context = lock_step.context();
    let games = context.lanes() - 3;
    let mut walks: Vec<Walk> = (0..games as u64).map(|number| Walk::begin(game, number, session)).collect();
    let mut waits: Vec<bool> = walks.iter_mut().map(|walk| walk.list(session)).collect();
    for (at, walk) in walks.iter().enumerate().filter(|(at, _)| waits[*at]) {
        context.put(at, &walk.state, &walk.turns.cells);
    }
    let mut steps = 0;
    for _ in 0..rounds {
        // Now and then a game stands still.
        let mut choose = |walk: &Walk, waits: bool| {
            let count = walk.turns.count() as u32;
            (waits && lot.random_range(0..8) > 0).then(|| (lot.random_range(0..count), count))
        };
        let chosen: Vec<Option<(u32, u32)>> =
            walks.iter().zip(&waits).map(|(walk, waits)| choose(walk, *waits)).collect();
        let unusual = lock_step.step(&mut context, &chosen);
        for (at, walk) in walks.iter_mut().enumerate() {
            if chosen[at].is_some() || !waits[at] {
                walk.play(chosen[at], session, lot);
            }
            steps += usize::from(chosen[at].is_some());
            let stepped = unusual.iter().find(|(lane, _)| *lane == at).map(|(_, stepped)| stepped);
            match stepped {
                Some(Stepped::Over(outcome)) => assert_eq!(walk.state.outcome, Some(*outcome)),
                Some(Stepped::Others(state)) => {
                    assert_eq!(stands(state), stands(&walk.state));
                    assert!(!walk.list(session) && walk.state.outcome.is_none());
                }
                Some(stepped) => panic!("{stepped:?}"),
                None if waits[at] => {
                    assert_eq!(stands(&kept(&context, at)), stands(&walk.state));
                    assert!(walk.list(session));
                    assert_eq!(context.cells_of(at).collect::<Vec<_>>(), walk.turns.cells.to_vec());
                    continue;
                }
                None => assert!(chosen[at].is_none()),
            }
            if walk.state.outcome.is_some() {
                *walk = Walk::begin(game, at as u64, session);
            }
            waits[at] = walk.list(session);
            if waits[at] {
                context.put(at, &walk.state, &walk.turns.cells);
            }
        }
        let waiting: BTreeSet<usize> = context.waiting().map(|(at, _)| at).collect();
        assert_eq!(waiting, (0..games).filter(|at| waits[*at]).collect());
    }
    steps
}

/// The game of a lane.
fn kept(context: &WarpContext, at: usize) -> GameState {
    let mut state = GameState::default();
    context.get(at, &mut state);
    state
}

#[test]
fn games_are_stepped_as_the_scalar_executor_plays_their_turns() {
    let mut lot = Xoshiro256PlusPlus::seed_from_u64(43);
    for by in Instructions::available() {
        let mut stepped = Vec::new();
        for game in shipped_games().into_iter().chain(games_of_tests()).map(|game| game.with_plan()) {
            let prepared = engine_of(&game).and_then(|engine| prepare_by(&engine, by).ok());
            let Some(mut lock_step) = prepared.and_then(|prepared| prepared.lock_step()) else { continue };
            assert!(compare_steps(&game, &mut *lock_step, 100, &mut lot) > 1000, "{by:?} {}", game.title());
            stepped.push(game.title().to_owned());
        }
        for title in ["Othello", "Pente", "Connect Four"] {
            assert!(stepped.iter().any(|one| one == title), "{by:?} {title}: {stepped:?}");
        }
    }
}
