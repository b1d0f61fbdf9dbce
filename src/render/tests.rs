//! Tests of rendering: drawings as one would make them by hand.

use crate::board::{CellSet, Kind, Shape};
use crate::model::{CellStyle, Game, Icon};
use crate::notation::tests::{bare_game, points, read, square};
use crate::render::*;

fn check_drawing(game: &Game, text: &str, marked: &str, drawing: &str) {
    let position = read(game, text).expect("a position");
    let marked: CellSet = marked.split_whitespace().filter_map(|name| game.topology.named(name)).collect();
    let drawn = board_drawing(game, &position, &marked, Paint::Plain);
    let wanted: Vec<&str> = drawing.lines().skip(1).map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    assert_eq!(drawn.lines().collect::<Vec<_>>(), wanted, "\n{drawn}");
}

#[test]
fn squares_stand_in_ranks() {
    let game = bare_game(square(4, 3), &["White", "Black"], "king K, pawn P", false);
    check_drawing(&game, "kp2/4/2PK", "a3 c1", {
        "
        3 (k)p . .
        2  . . . .
        1  . .(P)K
           a b c d"
    });
}

#[test]
fn the_first_rank_stands_at_the_top_where_a_file_says() {
    let mut game = bare_game(square(4, 3), &["White", "Black"], "king K, pawn P", false);
    game.looks.is_downward = true;
    check_drawing(&game, "kp2/4/2PK", "a3", {
        "
        1  . . P K
        2  . . . .
        3 (k)p . .
           a b c d"
    });
}

#[test]
fn stacks_and_missing_cells_keep_their_place() {
    let mut game = bare_game(square(3, 2), &["White", "Red"], "man M", true);
    let missing = game.topology.named("a1").into_iter().collect();
    game.topology = game.topology.redraw(&missing, &[]).expect("a board");
    check_drawing(&game, "[*WR]R1/1W", "", {
        "
        2  *WR R   .
        1      .   W
           a   b   c"
    });
}

#[test]
fn hexagons_are_set_off_by_half_a_rank() {
    let game = bare_game(Shape::Hexagon { side: 2 }, &["White", "Black"], "man M", false);
    check_drawing(&game, "WB/1W1/BB", "", {
        "
            3 .
         2 B     B
              W
         1 W     B
              .
           a     c
              b"
    });
}

#[test]
fn points_stand_on_their_lines() {
    let game = bare_game(points("a3 b3 c3, c3 c1, a1 b2 c3, a3 b2, a1 c1, a1 a3"), &["White", "Black"], "man M", false);
    check_drawing(&game, "W2/B/2", "b2", {
        "
        3  W---.---.
           | \\   / |
        2  |  (B)  |
           | /     |
        1  .-------.

           a   b   c"
    });
}

#[test]
fn colours_end_where_they_began() {
    let game = bare_game(square(2, 1), &["White", "Black"], "man M", false);
    let position = read(&game, "WB").expect("a position");
    let drawn = board_drawing(&game, &position, &CellSet::EMPTY, Paint::Colours);
    assert!(drawn.contains("\u{1b}[1m\u{1b}[93mW\u{1b}[0m"), "{drawn:?}");
    assert_eq!(drawn.matches("\u{1b}[0m").count(), 5, "{drawn:?}");
}

#[test]
fn figures_are_stones_and_lines() {
    let game = bare_game(points("a3 b3 c3, c3 c1, a1 b2 c3, a3 b2, a1 c1, a1 a3"), &["White", "Black"], "man M", false);
    let position = read(&game, "W1B/1/2").expect("a position");
    let drawn = board_drawing(&game, &position, &CellSet::EMPTY, Paint::Figures);
    let bare: String = without_codes(&drawn);
    let lines: Vec<&str> = bare.lines().collect();
    assert_eq!(lines[0], "3  \u{25cb}\u{2500}\u{2500}\u{2500}\u{b7}\u{2500}\u{2500}\u{2500}\u{25cf}");
    assert_eq!(lines[1], "   \u{2502} \u{2572}   \u{2571} \u{2502}");
    assert!(drawn.contains('\u{1b}'), "{drawn:?}");
}

#[test]
fn marks_beside_each_other_are_parted_by_one_stroke() {
    let game = bare_game(square(4, 2), &["White", "Black"], "man M", false);
    check_drawing(&game, "WB2/4", "a2 b2 c2 d1", {
        "
        2 (W|B|.).
        1  . . .(.)
           a b c d"
    });
}

fn figures(game: &Game, text: &str, marked: &str) -> String {
    let position = read(game, text).expect("a position");
    let marked: CellSet = marked.split_whitespace().filter_map(|name| game.topology.named(name)).collect();
    without_codes(&board_drawing(game, &position, &marked, Paint::Figures))
}

#[test]
fn crossings_of_lines_are_drawn() {
    let mut game = bare_game(square(4, 3), &["White", "Black"], "man M", false);
    game.looks.layout = Some(CellStyle::Intersections);
    let drawn = figures(&game, "4/1WB1/4", "b2 c2 a1");
    let wanted = "3  \u{250c}\u{2500}\u{252c}\u{2500}\u{252c}\u{2500}\u{2510}
2  \u{251c}(\u{25cb}|\u{25cf})\u{2524}
1 (\u{2514})\u{2534}\u{2500}\u{2534}\u{2500}\u{2518}
   a b c d
";
    assert_eq!(drawn, wanted, "\n{drawn}");
    let plain = |game: &Game| {
        let position = read(game, "4/1WB1/4").expect("a position");
        board_drawing(game, &position, &CellSet::EMPTY, Paint::Plain)
    };
    assert!(plain(&game).starts_with("3  . . . .\n"), "without figures there are no lines");
}

#[test]
fn figures_of_kinds_are_those_that_the_file_names() {
    let mut game = bare_game(square(4, 1), &["White", "Black"], "king K, man M", false);
    let position = read(&game, "KkMm").expect("a position");
    let drawn = |game: &Game| without_codes(&board_drawing(game, &position, &CellSet::EMPTY, Paint::Figures));
    assert!(drawn(&game).starts_with("1  K k M m\n"), "letters, where the file says nothing");
    game.looks.kinds = vec![(Kind(0), Icon::named("king").expect("there is one")), (Kind(1), Icon::ROUND)];
    assert!(drawn(&game).starts_with("1  \u{2654} \u{265a} \u{25cb} \u{25cf}\n"), "{}", drawn(&game));
}

#[test]
fn stacks_of_figures_have_their_number() {
    let game = bare_game(square(2, 1), &["White", "Black"], "man M", true);
    let position = read(&game, "[WBB][W5B]").expect("a position");
    let drawn = without_codes(&board_drawing(&game, &position, &CellSet::EMPTY, Paint::Figures));
    assert!(drawn.starts_with("1  \u{25cb}\u{25cf}\u{25cf} \u{25cb}5\u{25cf}\n"), "{drawn}");
}

/// The text as a terminal shows it.
fn without_codes(text: &str) -> String {
    let parts = text.split('\u{1b}').enumerate();
    parts.map(|(at, part)| if at == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) }).collect()
}
