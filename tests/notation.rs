//! Every shipped game on positions made by lot: printed and read again they are the same, and can
//! be drawn.

use lusoria::board::{Cell, CellSet, Kind};
use lusoria::model::{Game, StateId, Type};
use lusoria::notation::{MoveSource, WrittenMove, parse_position, position_text};
use lusoria::position::{Fault, Man, Position, Value, Written};
use lusoria::render::{Paint, board_drawing};
use lusoria::shipped::Shipped;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// An executor for positions in which nothing has been chosen yet.
struct Nobody;

struct Nothing;

impl WrittenMove for Nothing {
    fn written(&self) -> &[Written] {
        &[]
    }
    fn caught(&self) -> CellSet {
        CellSet::EMPTY
    }
    fn ends_turn(&self) -> bool {
        true
    }
}

impl MoveSource for Nobody {
    type Ply = Nothing;
    fn plies(&mut self, _: &Position) -> Result<Vec<Nothing>, Fault> {
        Ok(vec![])
    }
    fn played(&mut self, position: &Position, _: &Nothing) -> Result<Position, Fault> {
        Ok(position.clone())
    }
}

fn random_man(game: &Game, lot: &mut impl Rng) -> Man {
    let kind = Kind(lot.random_range(0..game.kinds.len()) as u8);
    let owner = game.players().nth(lot.random_range(0..game.seats.len() + 1));
    Man { owner: owner.filter(|_| !game.kind(kind).neutral), kind }
}

fn random_value(game: &Game, ty: Type, lot: &mut impl Rng) -> Value {
    match ty {
        Type::Number => Value::Number(lot.random_range(-3..3)),
        Type::Truth => Value::Truth(lot.random()),
        _ => Value::Cells(game.topology.cells().filter(|_| lot.random_ratio(1, 20)).collect()),
    }
}

fn random_position(game: &Game, lot: &mut impl Rng) -> Position {
    let mut position = Position::empty(game);
    let density = lot.random_range(0..4);
    for cell in game.topology.cells() {
        let height =
            if lot.random_range(0..3) < density { if game.stacks { lot.random_range(0..4) } else { 1 } } else { 0 };
        for _ in 0..height {
            assert!(position.put_man(cell, random_man(game, lot)));
        }
    }
    for player in game.players() {
        let kind = Kind(lot.random_range(0..game.kinds.len()) as u8);
        position.set_hand(player, kind, lot.random_range(0..3));
        for (id, state) in (0..).map(StateId).zip(&game.states) {
            position.set_value(id, player, random_value(game, state.first.ty(), lot));
        }
        if lot.random() {
            position.set_to_move(player);
        }
    }
    position.set_opening(lot.random_range(0..=game.opening.len()) as u32);
    position.settle();
    position
}

fn games() -> Vec<Game> {
    Shipped.games().into_iter().flat_map(|game| lusoria::check::check(game.source, &Shipped).games).collect()
}

#[test]
fn every_position_is_read_as_it_was_written() {
    let mut lot = Xoshiro256PlusPlus::seed_from_u64(1);
    let games = games();
    assert!(!games.is_empty());
    for game in &games {
        for _ in 0..100 {
            let position = random_position(game, &mut lot);
            let text = position_text(game, &position);
            let again = parse_position(game, &Position::empty(game), &mut Nobody, &text)
                .unwrap_or_else(|error| panic!("{}: {text}: {error}", game.name()));
            assert_eq!(position_text(game, &again), text, "{}", game.name());
            assert_eq!(again.fingerprint(), position.fingerprint(), "{}: {text}", game.name());
        }
    }
}

/// What is drawn can be pasted: beside it stand numbers and letters, lines and marks.
#[test]
fn every_drawing_is_read_as_the_position_it_shows() {
    let mut lot = Xoshiro256PlusPlus::seed_from_u64(4);
    for game in &games() {
        for _ in 0..20 {
            let position = random_position(game, &mut lot);
            let text = position_text(game, &position);
            let (_, rest) = text.split_once(' ').expect("a player");
            let marked = Cell(lot.random_range(0..game.topology.len() as u16 - 1));
            let both = CellSet::one(marked) | CellSet::one(Cell(marked.0 + 1));
            for marked in [CellSet::EMPTY, CellSet::one(marked), both] {
                let drawn = format!("{}\n{rest}", board_drawing(game, &position, &marked, Paint::Plain));
                let again = parse_position(game, &Position::empty(game), &mut Nobody, &drawn)
                    .unwrap_or_else(|error| panic!("{}: {text}: {error}\n{drawn}", game.name()));
                assert_eq!(position_text(game, &again), text, "{}\n{drawn}", game.name());
            }
        }
    }
}

#[test]
fn pictures_are_read_with_their_mistakes_told() {
    let games = games();
    let game = games.iter().find(|game| game.name() == "Breakthrough 5x5").expect("it is shipped");
    let read = |text: &str| parse_position(game, &Position::empty(game), &mut Nobody, text);
    let rows = ". . . . B\n. . . . .\n.....\n. W . . .\n1  W....\n";
    let told = |text: &str| position_text(game, &read(text).unwrap_or_else(|error| panic!("{text}: {error}")));
    for below in ["Black", "a b c d e\nBlack to move", "\n  b\n"] {
        assert_eq!(told(&format!("\n{rows}{below}")), "4B/5/5/1W3/W4 Black");
    }
    assert_eq!(told(rows), "4B/5/5/1W3/W4 White");
    let wrong = |text: String| read(&text).map(|_| ()).expect_err(&text).to_string();
    assert_eq!(wrong(format!(". . . . .\n{rows}Black")), "the board has 5 lines, the text has 6");
    assert_eq!(wrong(rows.replace("1  W....\n", "")), "the board has 5 lines, the text has 4");
    assert_eq!(wrong(rows.replace(".....", "......")), "rank 3 has 5 cells, the text has 6");
    assert_eq!(wrong(rows.replace(".....", "-....")), "rank 3 has 5 cells, the text has 4");
    assert_eq!(wrong(rows.replace(".....", "..X..")), "no man is written `X`");
    assert_eq!(wrong(format!("{rows}Green")), "no player is called `Green`");
}

#[test]
fn every_cell_of_a_board_is_drawn() {
    let mut lot = Xoshiro256PlusPlus::seed_from_u64(2);
    for game in &games() {
        let mut position = Position::empty(game);
        position.settle();
        let drawn = board_drawing(game, &position, &CellSet::EMPTY, Paint::Plain);
        assert_eq!(drawn.matches('.').count(), game.topology.len(), "{}\n{drawn}", game.name());
        let position = random_position(game, &mut lot);
        let drawn = board_drawing(game, &position, &CellSet::one(Cell(1)), Paint::Plain);
        let empty = game.topology.cells().filter(|&cell| position.men(cell).is_empty()).count();
        assert_eq!(drawn.matches('.').count(), empty, "{}\n{drawn}", game.name());
        assert_eq!(drawn.matches(')').count(), 1, "{}\n{drawn}", game.name());
    }
}

/// The text as a terminal shows it.
fn without_codes(text: &str) -> String {
    let parts = text.split('\u{1b}').enumerate();
    parts.map(|(at, part)| if at == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) }).collect()
}

#[test]
fn lines_of_boards_are_drawn_between_figures() {
    let games = games();
    let figures = |name: &str, men: &str| {
        let game = games.iter().find(|game| game.name() == name).expect("it is shipped");
        let position = parse_position(game, &Position::empty(game), &mut Nobody, men).expect("a position");
        without_codes(&board_drawing(game, &position, &CellSet::EMPTY, Paint::Figures))
    };
    // Lines that are not the same everywhere have room between the ranks.
    let drawn = figures("Fanorona Telo", "RRR/R1W/WWW White");
    let wanted = "\
3  \u{25cf}\u{2500}\u{2500}\u{2500}\u{25cf}\u{2500}\u{2500}\u{2500}\u{25cf}
   \u{2502} \u{2572} \u{2502} \u{2571} \u{2502}
2  \u{25cf}\u{2500}\u{2500}\u{2500}\u{b7}\u{2500}\u{2500}\u{2500}\u{25cb}
   \u{2502} \u{2571} \u{2502} \u{2572} \u{2502}
1  \u{25cb}\u{2500}\u{2500}\u{2500}\u{25cb}\u{2500}\u{2500}\u{2500}\u{25cb}

   a   b   c
";
    assert_eq!(drawn, wanted, "\n{drawn}");
    let empty = |files: &str, ranks: usize| vec![files; ranks].join("/");
    let drawn = figures("Pente", &empty("19", 19));
    assert_eq!(drawn.matches('\u{254b}').count(), 9, "star points\n{drawn}");
    assert!(drawn.starts_with("19  \u{250c}\u{2500}\u{252c}"), "{drawn}");
    // Lines end at the river, but for those at the edge.
    let drawn = figures("Xiangqi", &empty("9", 10));
    let count = |rank: usize, met: char| drawn.lines().nth(10 - rank).unwrap_or_default().matches(met).count();
    assert_eq!([count(6, '\u{2534}'), count(5, '\u{252c}')], [7, 7], "{drawn}");
    assert_eq!([count(5, '\u{251c}'), count(5, '\u{2524}')], [1, 1], "{drawn}");
    assert_eq!(count(4, '\u{253c}'), 7, "{drawn}");
}
