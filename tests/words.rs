//! Later words: small games that say one thing each go in; moves, positions and plans come out as
//! worked out by hand.

use lusoria::Game;
use lusoria::check::{Loaded, Settings, load};
use lusoria::interp::Engine;
use lusoria::shipped::Shipped;
use lusoria::source::Source;

use crate::common::{check, legal, lot};
use crate::{batch, scalar};

fn game(text: &str) -> Game {
    Game::from_source(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn variant(text: &str, title: &str) -> Game {
    let settings = Settings { variant: Some(title.into()), params: Vec::new() };
    Game::load(Source::new("test.rules", text), &Shipped, &settings).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The position behind some moves from another.
fn behind(game: &Game, position: &str, moves: &[&str]) -> String {
    let mut position = game.position(position).unwrap();
    for text in moves {
        position.play_text(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    position.to_string()
}

fn moves_at(game: &Game, position: &str) -> Vec<String> {
    legal(&mut game.position(position).unwrap())
}

/// The game has a plan, and plays by it as by the reference executor.
fn executors_agree(game: &Game) {
    let engine = Engine::new(game.model()).unwrap_or_else(|why| panic!("no plan: {why:?}"));
    let mut position = game.start(0).unwrap();
    let mut lot = lot(7);
    for _ in 0..12 {
        if position.outcome().is_some() {
            break;
        }
        let moves = position.legal_moves().unwrap();
        let plain = scalar::reference_turns_unless_fault(game, &position).unwrap();
        assert_eq!(scalar::scalar_turns_unless_fault(game, &engine, &position).unwrap(), plain, "{position}");
        position.play(&moves[rand::RngExt::random_range(&mut lot, 0..moves.len())]).unwrap();
    }
    batch::compare_unless_fault(game, &engine, 10, &[1, 7]);
}

const RANKS: &str = r#"game "Ranks" {
  players White north, Black south
  board square 4 by 4
  define strong = 7
  piece ant  value 1 { move straight: ^ to (empty or <prey(value(here))>) }
  piece bear value strong { move straight: ^ to (empty or <prey(value(here))>) }
  piece rock neutral
  define prey(n) = enemy where value(it) <= n
  setup {
    picture "
      b a . b
      . . . .
      . r . .
      A B . A
    " with A = White ant, B = White bear, a = Black ant, b = Black bear, r = rock
  }
  move { pick p from own   move p }
  end { win if value(enemy) = 0   win if value(own) - value(enemy) > 9   draw if turns >= 30   win if stuck(enemy) }
}"#;

#[test]
fn numbers_of_kinds_decide_what_is_caught() {
    let game = game(RANKS);
    assert_eq!(game.start(0).unwrap().to_string().split(' ').next(), Some("ba1b/4/1R2/AB1A"));
    // An ant takes ants, a bear takes both, nobody the rock.
    assert_eq!(moves_at(&game, "4/4/1a2/A3 White"), ["a1-a2", "a1-b1", "a1xb2"]);
    assert_eq!(moves_at(&game, "4/4/1b2/A3 White"), ["a1-a2", "a1-b1"]);
    assert_eq!(moves_at(&game, "4/4/ab2/BR2 White"), ["a1xa2", "a1xb2"]);
    // 7 + 7 against 1, 7 against 7 + 1: more than 9, or nothing at all.
    let mut position = game.position("3a/4/1b2/B2B White").unwrap();
    position.play_text("a1xb2").unwrap();
    assert_eq!(position.outcome().unwrap().winners, ["White"]);
    let mut position = game.position("3b/4/1b2/B2B White").unwrap();
    position.play_text("a1xb2").unwrap();
    assert!(position.outcome().is_none());
    executors_agree(&game);
}

#[test]
fn a_condition_on_numbers_becomes_one_set() {
    let text = RANKS.replace(
        "move { pick p from own   move p }",
        "move { pick p from own   let n = value(p)   pick t from adjacent(p) and any where value(it) < n   remove t   move p to t }",
    );
    let game = game(&text);
    assert_eq!(moves_at(&game, "4/4/ab2/BR2 White"), ["a1 a2", "a1 b1"]);
    executors_agree(&game);
}

#[test]
fn values_have_bounds_and_are_known_before_play() {
    for (value, code) in [("1000001", "param-range"), ("0 - 1000001", "param-range"), ("count(own)", "not-constant")] {
        let text = RANKS.replace("ant  value 1", &format!("ant value {value}"));
        let codes: Vec<_> = check(&text).mistakes.iter().map(|mistake| mistake.code()).collect();
        assert!(codes.contains(&code), "{value}: {codes:?}");
    }
}

#[test]
fn a_variant_replaces_a_list_of_kinds() {
    let text = r#"game "Promotions" {
  players White north, Black south
  board square 2 by 3
  define better = king or rook
  piece pawn { move forward: step }
  piece king { move straight: step }
  piece rook { move orthogonal: step }
  setup { place pawn on a1   place Black pawn on b3 }
  move { pick p from own   move p   if p is pawn and p in last row { promote p to better } }
  end { win if stuck(enemy)   draw if turns >= 9 }
  variant "More" { piece duke { move straight: slide }   define others = duke   define better = others or (king or duke) }
  variant "One" { define better = king }
}"#;
    assert_eq!(moves_at(&game(text), "2/P1/1p White"), ["a2-a3=K", "a2-a3=R"]);
    assert_eq!(moves_at(&variant(text, "More"), "2/P1/1p White"), ["a2-a3=D", "a2-a3=K"]);
    assert_eq!(moves_at(&variant(text, "One"), "2/P1/1p White"), ["a2-a3"]);
    executors_agree(&variant(text, "More"));
    // Each list names the next one twice.
    let mut lists = String::from("define list0 = king ");
    (1..30).for_each(|n| lists += &format!("define list{n} = list{0} or list{0} ", n - 1));
    let doubled = text.replace("define better = king or rook", &format!("{lists} define better = list29 or rook"));
    assert_eq!(moves_at(&game(&doubled), "2/P1/1p White"), ["a2-a3=K", "a2-a3=R"]);
    let circle = text.replace("define better = king or rook", "define better = worse or king   define worse = better");
    assert!(check(&circle).has_errors());
}

#[test]
fn men_come_under_a_stack() {
    let game = game(
        r#"game "Under" {
  players White, Black
  board square 3 by 1, stacks
  piece man
  piece king
  setup { place White man on a1   place White king on a1   place Black man on b1   place Black king on b1 }
  move {
    either { pick p from own   pick t from occupied and not p   move 1 of p to bottom of t }
    or { pick p from own   pick t from occupied and not p   move p to bottom of t }
    or { pick c from occupied   place man or king on bottom of c }
    or { pick c from occupied   place (2) king on bottom of c }
  }
  end { win if no enemy   win if stuck(enemy)   draw if turns >= 20 }
}"#,
    );
    let start = game.start(0).unwrap().to_string();
    assert_eq!(start, "[MK][mk]1 White");
    assert_eq!(behind(&game, &start, &["a1 b1"]).split(' ').next(), Some("M[Kmk]1"));
    assert_eq!(behind(&game, &start, &["a1 b1'2"]).split(' ').next(), Some("1[MKmk]1"));
    assert_eq!(behind(&game, &start, &["b1 M"]).split(' ').next(), Some("[MK][Mmk]1"));
    assert_eq!(behind(&game, &start, &["b1"]).split(' ').next(), Some("[MK][KKmk]1"));
    assert!(Engine::new(game.model()).is_ok());
}

#[test]
fn many_equal_men_are_written_with_their_number() {
    let game = game(
        r#"game "Heaps" {
  players South, North
  board square 3 by 1, stacks
  piece seed neutral
  piece man
  setup { picture "a . b" with a = 12 seed, b = 3 seed }
  move { pick c from neutral   place South man on c   place South man on c }
  end { win if no neutral   draw if turns > 3 }
}"#,
    );
    let start = game.start(0).unwrap();
    assert_eq!(start.to_string(), "[*S12]1[*S*S*S] South");
    assert_eq!(game.position("[*S*S*S*S*S*S*S*S*S*S*S*S]1[*S3] South").unwrap().to_string(), start.to_string());
    assert_eq!(behind(&game, "[*S4]1[*S3] South", &["a1"]), "[*S4SS]1[*S*S*S] North turns=1");
    for wrong in ["[*S0]2 South", "[*S256]2 South", "[*S128*S128]2 South", "[*S99999999999999999999]2 South"] {
        let error = game.position(wrong).unwrap_err().to_string();
        assert!(error.contains("a stack has 1 to 255 men"), "{wrong}: {error}");
    }
    assert_eq!(game.position("[*S255]2 South").unwrap().to_string(), "[*S255]2 South");
}

#[test]
fn a_neutral_kind_leaves_letters_alone() {
    let rocky = |more: &str| {
        format!(
            "game \"Rocky\" extends \"Othello\" {{ piece {more} neutral setup {{ as usual place {} on a1 }} }}",
            more.split(' ').next().unwrap()
        )
    };
    let start = |text: &str| game(text).start(0).unwrap().to_string();
    assert_eq!(start(&rocky("stone")), "8/8/8/3BW3/3WB3/8/8/S7 Black");
    // White has the initial.
    assert_eq!(start(&rocky("wall")), "8/8/8/3BW3/3WB3/8/8/*W7 Black");
    assert_eq!(start(&rocky("rock B")), "8/8/8/3BW3/3WB3/8/8/*B7 Black");
    for text in ["stone", "wall", "rock B"] {
        let game = game(&rocky(text));
        let start = game.start(0).unwrap().to_string();
        assert_eq!(game.position(&start).unwrap().to_string(), start);
    }
    // The letters of kinds are read still.
    assert_eq!(
        game(&rocky("stone")).position("8/8/8/3Dd3/3dD3/8/8/s7 Black").unwrap().to_string(),
        start(&rocky("stone"))
    );
}

#[test]
fn kinds_with_one_first_letter_get_letters_of_their_own() {
    let text = |kinds: &str| {
        format!(
            "game \"S\" {{ players White, Black  board square 3 by 1  {kinds}  setup {{ place White slime on a1  place Black snail on c1 }}
             move {{ pick p from own  move p straight: step }}  end {{ win if stuck(enemy)  draw if turns > 5 }} }}"
        )
    };
    assert_eq!(game(&text("piece slime piece snail")).start(0).unwrap().to_string(), "S1n White");
    assert_eq!(game(&text("piece snail piece slime")).start(0).unwrap().to_string(), "L1s White");
    assert_eq!(game(&text("piece slime piece slimy piece snail")).start(0).unwrap().to_string(), "S1n White");
    assert!(check(&text("piece slime piece snail S")).has_errors());
}

#[test]
fn directions_turn() {
    let text = |lines: &str, turn: &str| {
        format!(
            "game \"T\" {{ players White, Black  board square 5 by 5{lines}  piece man  setup {{ place White man on c3  place Black man on a5 }}
             move {{ pick p from own  pick d from north  move p {turn}: step }}  end {{ win if stuck(enemy)  draw if turns > 5 }} }}"
        )
    };
    let to = |lines: &str, turn: &str| {
        let game = game(&text(lines, turn));
        executors_agree(&game);
        moves_at(&game, "b4/5/2W2/5/5 White")
    };
    assert_eq!(to("", "d + 1"), ["c3 north-d4"]);
    assert_eq!(to("", "d - 1"), ["c3 north-b4"]);
    assert_eq!(to("", "d + 2 or d - 11"), ["c3 north-b2", "c3 north-d3"]);
    assert_eq!(to(", lines orthogonal", "d + 1"), ["c3 north-d3"]);
}

#[test]
fn turns_are_counted_from_one() {
    let game = game(
        r#"game "Count" {
  players White, Black
  board square 3 by 3
  piece man
  opening { turn { need turns = 1   pick c from a1   place man on c }   turn { need turns = 2   as usual } }
  move { if turns = 3 { pick c from empty and rank 1   place man on c } else { pick c from empty   place man on c } }
  end { draw if turns = 5   win if stuck(enemy) }
}"#,
    );
    assert_eq!(moves_at(&game, "3/3/3 White opening=0"), ["a1"]);
    assert_eq!(behind(&game, "3/3/3 White opening=0", &["a1", "c3"]), "2B/3/W2 White turns=2");
    assert_eq!(moves_at(&game, "2B/3/W2 White turns=2"), ["b1", "c1"]);
    let mut position = game.position("2B/3/W2 White turns=4").unwrap();
    position.play_text("b2").unwrap();
    assert!(position.outcome().unwrap().winners.is_empty());
    executors_agree(&game);
    // A game may keep a value of this name itself.
    let own = "game \"O\" { players White, Black board square 2 by 2 piece man remember turns = 7
        move { pick c from empty place man on c set turns = turns + 1 } end { draw if no empty } }";
    assert_eq!(behind(&self::game(own), "2/2 White", &["a1"]), "2/W1 Black turns=8");
}

#[test]
fn turns_that_change_nothing_can_be_banned() {
    let text = r#"game "Round" {
  players White, Black
  board square 2 by 2
  piece man
  setup { place White man on a1   place Black man on b2 }
  move {
    pick p from own
    either { } or {
      move p orthogonal: step
      either { } or { move p orthogonal: step }
    }
    need changed
  }
  end { win if stuck(enemy)   draw if turns > 5 }
}"#;
    let game = game(text);
    // There and back is no turn, and neither is standing still.
    assert_eq!(moves_at(&game, "1B/W1 White"), ["a1-a2", "a1-b1"]);
    executors_agree(&game);
    let free = self::game(&text.replace("need changed", ""));
    assert_eq!(moves_at(&free, "1B/W1 White"), ["a1", "a1-a2", "a1-a2-a1", "a1-b1", "a1-b1-a1"]);
}

#[test]
fn labels_are_written_and_read() {
    let text = r#"game "Labels" {
  players White, Black
  board square 2 by 2
  piece pale neutral
  piece dark neutral
  move {
    pick c from empty
    either "pale" { place pale on c } or "dark" { place dark on c } or { pick d from empty and not c   place dark on d }
  }
  end { draw if no empty   win if stuck(enemy) }
}"#;
    let game = game(text);
    assert_eq!(moves_at(&game, "PP/P1 White"), ["b1 dark", "b1 pale"]);
    assert_eq!(moves_at(&game, "PP/2 White").len(), 6);
    for written in ["b1 dark", "b1-dark", "B1 Dark", "b1dark"] {
        assert_eq!(behind(&game, "PP/P1 White", &[written]).split(' ').next(), Some("PP/PD"), "{written}");
    }
    executors_agree(&game);
    for label in ["", "dark", "a1", "b c", "north", "P", "pass", "x-y"] {
        let text = text.replace("\"pale\"", &format!("\"{label}\""));
        let codes: Vec<_> = check(&text).mistakes.iter().map(|mistake| mistake.code()).collect();
        assert_eq!(codes, ["bad-label"], "{label:?}");
    }
}

const PARTS: &str = r#"game "Parts" {
  players White north, Black south
  board square 3 by 3
  piece man
  setup { place man on row 1   mirror }
  move { pick p from own   do run { move p forward: step   let far = p } }
  end { win if some own in last row   win if stuck(enemy) }
  variant "Aslant" { do run { move p ahead: step } }
  variant "Both" extends "Aslant" { do run { either { as usual } or { move p sideways: step } } }
  variant "Other" extends "Both" { move { pick q from own   do run { move q straight: step } } }
}"#;

#[test]
fn a_variant_replaces_a_part_of_a_program() {
    let at = "3/1W1/3 White";
    assert_eq!(moves_at(&game(PARTS), at), ["b2-b3"]);
    assert_eq!(moves_at(&variant(PARTS, "Aslant"), at), ["b2-a3", "b2-b3", "b2-c3"]);
    assert_eq!(moves_at(&variant(PARTS, "Both"), at), ["b2-a2", "b2-a3", "b2-b3", "b2-c2", "b2-c3"]);
    // What replaces the whole program is not replaced by what stands below it.
    assert_eq!(moves_at(&variant(PARTS, "Other"), at).len(), 8);
    executors_agree(&variant(PARTS, "Both"));
    let twice =
        PARTS.replace("do run { move p ahead: step }", "do run { move p ahead: step } do run { move p ahead: step }");
    assert!(check(&twice).mistakes.iter().any(|mistake| mistake.code() == "duplicate-name"));
    let gone = PARTS.replace("let far = p } }", "let far = p } need far in any }");
    assert!(check(&gone).has_errors());
    let no_usual = PARTS.replace("do run { move p forward: step   let far = p }", "do run { as usual }");
    assert!(check(&no_usual).mistakes.iter().any(|mistake| mistake.code() == "nothing-as-usual"));
}

#[test]
fn a_game_extends_a_variant_of_another() {
    let game = |text: &str| -> Loaded { load(Source::new("t.rules", text), &Shipped, &Settings::default()) };
    let text = "game \"Long Reversi\" extends \"Reversi\" of \"Othello\" { board square 10 by 8 }";
    let loaded = Game::from_source(text).unwrap();
    assert_eq!(loaded.start(0).unwrap().to_string(), "10/10/10/10/10/10/10/10 Black opening=0");
    let codes = |text: &str| game(text).mistakes.iter().map(|mistake| mistake.code()).collect::<Vec<_>>();
    assert_eq!(codes("game \"A\" extends \"Nothing\" of \"Othello\" { }"), ["unknown-variant"]);
    assert_eq!(codes("game \"A\" extends \"Reversi\" of \"Nothing\" { }"), ["unknown-game"]);
}

#[test]
fn chess_on_ten_files_promotes_to_its_new_piece() {
    let game = game(
        r#"game "Archbishop Chess" extends "Chess" {
  board square 10 by 8
  piece archbishop A { move orthogonal: ^ any, outward: to landing   move diagonal: ^ empty* to landing }
  define promotions = queen or archbishop or rook or bishop or knight
  setup { place White king on f1   place Black king on f8 }
}"#,
    );
    let moves = moves_at(&game, "4k5/9P/10/10/10/10/10/4K5 White");
    let promotions: Vec<_> = moves.iter().filter_map(|text| text.strip_prefix("j7-j8=")).collect();
    assert_eq!(promotions, ["A", "B", "N", "Q", "R"]);
}

#[test]
fn the_largest_group_has_a_size() {
    let text = r#"game "Sizes" {
  players White, Black
  board square 4 by 4
  piece stone
  move { pick c from empty   place stone on c   need largest_size(groups(own)) <= 2 }
  end { win if largest_size(groups(enemy)) > 1 and largest_size(groups(own)) = 2   draw if stuck(enemy) }
}"#;
    let game = game(text);
    // A stone beside the pair would make three.
    assert_eq!(moves_at(&game, "4/4/B3/WW2 White"), ["a3", "a4", "b3", "b4", "c3", "c4", "d1", "d2", "d3", "d4"]);
    let mut position = game.position("4/2B1/BB2/W3 White").unwrap();
    position.play_text("b1").unwrap();
    assert_eq!(position.outcome().unwrap().winners, ["White"]);
    executors_agree(&game);
}
