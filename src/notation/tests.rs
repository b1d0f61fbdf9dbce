//! Tests of notation: texts of positions and moves, there and back.

use crate::board::{
    Axis, Cell, CellSet, Compass, Dir, DirSet, Kind, LineSpec, Player, PlayerSet, Shape, Topology, parse_cell,
};
use crate::model::{
    Asks, BlockId, Captures, Cells, Expr, Game, KindInfo, Number, Program, Remembered, Seat, Truth, Type,
};
use crate::position::{Fault, Position, Step, Value, Written};
use crate::source::{Sources, Span};

use crate::notation::position::parse_start;
use crate::notation::*;

/// A game that has nothing to play, but a board, players and kinds: `name letter`, `name letter
/// neutral`.
pub(crate) fn bare_game(shape: Shape, players: &[&str], kinds: &str, stacks: bool) -> Game {
    let program = Program { block: BlockId(0), frame: 0, span: Span::NOWHERE };
    let seat = |(number, name): (u8, &&str)| Seat {
        name: name.to_string(),
        forward: None,
        team: PlayerSet::one(Player(number)),
    };
    Game {
        title: "Bare".into(),
        variant: None,
        about: vec![],
        looks: crate::model::Looks::default(),
        params: vec![],
        topology: Topology::new(shape).expect("a board"),
        stacks,
        captures: Captures::Leave,
        seats: (0..).zip(players).map(seat).collect(),
        kinds: kinds.split(", ").map(kind).collect(),
        states: vec![],
        defines: vec![],
        setup: program,
        opening: vec![],
        turn: program,
        end: vec![],
        aliases: vec![],
        examples: Vec::new(),
        blocks: vec![vec![]],
        calls: Vec::new(),
        branches: vec![],
        labels: vec![],
        asks: Asks::default(),
        sources: Sources::default(),
        notes: None,
    }
}

fn kind(text: &str) -> KindInfo {
    let words: Vec<&str> = text.split(' ').collect();
    KindInfo {
        name: words[0].into(),
        letter: words[1].chars().next().expect("a letter"),
        own_letter: true,
        neutral: words.len() > 2,
        value: 0,
        from: None,
        ways: vec![],
        frame: 0,
        span: Span::default(),
    }
}

fn state(name: &str, first: Expr, per_player: bool) -> Remembered {
    let name = name.into();
    Remembered {
        name,
        first,
        frame: 0,
        per_player,
        on_pieces: false,
        for_one_turn: false,
        compared: true,
        span: Span::default(),
    }
}

pub(crate) fn square(files: u8, ranks: u8) -> Shape {
    Shape::square(files, ranks)
}

pub(crate) fn points(lines: &str) -> Shape {
    let line = |text: &str| text.split_whitespace().filter_map(parse_cell).collect();
    Shape::Points { lines: lines.split(',').map(line).collect() }
}

fn chess() -> Game {
    let kinds = "king K, queen Q, rook R, bishop B, knight N, pawn P";
    let mut game = bare_game(square(8, 8), &["White", "Black"], kinds, false);
    game.states = vec![
        state("unmoved", Expr::Cells(Cells::Fixed(CellSet::EMPTY)), false),
        state("quiet", Expr::Number(Number::Fixed(0)), false),
        state("checks", Expr::Number(Number::Fixed(0)), true),
        state("loud", Expr::Truth(Truth::Fixed(false)), false),
    ];
    game.opening = vec![game.turn; 3];
    game
}

pub(crate) fn read(game: &Game, text: &str) -> Result<Position, NotationError> {
    parse_start(game, &Position::empty(game), text).map(|start| start.position)
}

/// Each text is read and written again as it was.
fn check_both_ways(game: &Game, texts: &[&str]) {
    for text in texts {
        let position = read(game, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(position_text(game, &position), *text);
    }
}

/// A text that is read as another.
fn check_read_as(game: &Game, text: &str, wanted: &str) {
    let position = read(game, text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(position_text(game, &position), wanted);
}

#[test]
fn positions_of_chess() {
    let game = chess();
    check_both_ways(
        &game,
        &[
            "8/8/8/8/8/8/8/8 White",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR White",
            "r3k2r/8/8/8/8/8/8/R3K2R Black unmoved=a1+e1+h1 quiet=-3 White.checks=1 Black.checks=9223372036854775807 loud=true",
            "8/8/8/8/8/8/8/*K*p*q5 White".replace("*p*q", "*P*Q").as_str(),
            "8/8/8/8/8/8/8/8 White White.hand=K1P12 Black.hand=N2 quiet=1 opening=0",
            "8/8/8/8/8/8/8/8 White opening=2",
        ],
    );
    check_read_as(&game, "  8/8/8/8/8/8/8/8\n", "8/8/8/8/8/8/8/8 White");
    check_read_as(&game, "8/08/8/8/8/8/8/[k]7 b", "8/8/8/8/8/8/8/k7 Black");
    check_read_as(&game, "8/8/8/8/8/8/8/8 w W.checks=2 b.hand=pP unmoved=none opening=3 :", {
        "8/8/8/8/8/8/8/8 White Black.hand=P2 White.checks=2"
    });
}

#[test]
fn positions_with_one_kind() {
    let game = bare_game(square(3, 3), &["White", "Red"], "man M", false);
    check_both_ways(&game, &["RRR/R1W/WWW White", "*2/1*1/2* Red", "3/3/WRW White Red.hand=M9"]);
    check_read_as(&game, "rrr/3/www r", "RRR/3/WWW Red");
    check_read_as(&game, "mmm/3/MMM", "RRR/3/WWW White");
    let game = bare_game(square(2, 1), &["Black", "Blue"], "man M", false);
    check_both_ways(&game, &["Mm Black", "*M1 Blue"]);
}

#[test]
fn positions_with_stacks_neutrals_and_four_players() {
    let game = bare_game(square(3, 2), &["Red", "White"], "man M", true);
    check_both_ways(&game, &["[*W*R]1*/W[RR]1 White"]);
    let game = bare_game(square(4, 1), &["White", "Black"], "amazon A, arrow X neutral", false);
    check_both_ways(&game, &["AaX*A White"]);
    let players = ["Red", "Green", "Blue", "Yellow", "Violet"];
    let game = bare_game(square(5, 1), &players, "king K, pawn P", true);
    check_both_ways(&game, &["KkK'k'P'' Blue", "[kK'P]4 Yellow"]);
    let game = bare_game(square(4, 1), &players[..4], "man M", true);
    check_both_ways(&game, &["RGBY Blue", "[RGBY]3 Yellow"]);
}

#[test]
fn positions_of_other_boards() {
    let game = bare_game(Shape::Hexagon { side: 2 }, &["White", "Black"], "man M", false);
    check_both_ways(&game, &["WB/1W1/BB White"]);
    let position = read(&game, "WB/1W1/2").expect("a position");
    assert_eq!(position.of(Player(0)).iter().map(|cell| game.topology.name(cell)).collect::<Vec<_>>(), ["a1", "b2"]);
    let game = bare_game(points("a3 b2 c1, a3 c3, a1 c1"), &["White", "Black"], "man M", false);
    check_both_ways(&game, &["WB/1/2 White", "2/W/1B Black"]);
    let mut game = bare_game(square(4, 3), &["White", "Black"], "man M", false);
    let missing: CellSet = ["a1", "b2", "d3"].iter().filter_map(|name| game.topology.named(name)).collect();
    game.topology = game.topology.redraw(&missing, &[]).expect("a board");
    check_both_ways(&game, &["3/WBW/3 White"]);
    let ten = bare_game(square(12, 1), &["White", "Black"], "man M", false);
    check_both_ways(&ten, &["12 White", "W10B White"]);
}

#[test]
fn wrong_positions_are_told() {
    let game = chess();
    let empty = "8/8/8/8/8/8/8/8";
    let with = |rest: &str| format!("{empty} {rest}");
    let cases: Vec<(String, &str, &str)> = vec![
        (" ".into(), "position-empty", " "),
        (": e2".into(), "position-empty", ""),
        ("8/8/8".into(), "position-parts", "8/8/8"),
        ("8/9/8/8/8/8/8/8".into(), "position-cells", "9"),
        ("8/p6/8/8/8/8/8/8".into(), "position-cells", "p6"),
        ("8/99999999999999999999999/8/8/8/8/8/8".into(), "position-cells", "99999999999999999999999"),
        ("8/px6/8/8/8/8/8/8".into(), "position-man", "x"),
        ("8/pé6/8/8/8/8/8/8".into(), "position-man", "é"),
        ("8/p'7/8/8/8/8/8/8".into(), "position-seat", "p"),
        ("8/*7/8/8/8/8/8/8".into(), "position-neutral", "*"),
        ("8/p0p6/8/8/8/8/8/8".into(), "position-run", "0"),
        ("8/[pP]7/8/8/8/8/8/8".into(), "position-stacks", "[pP]"),
        ("8/[pP7/8/8/8/8/8/8".into(), "position-stack-open", "[pP7"),
        ("8/[]7/8/8/8/8/8/8".into(), "position-stack-empty", "[]"),
        (with("Grey"), "position-player", "Grey"),
        (with("w KQkq - 0 1"), "position-word", "KQkq"),
        (with("w unmovd=a1"), "position-key", "unmovd"),
        (with("quiet=1 quiet=2"), "position-key-twice", "quiet=2"),
        (with("w hand=P1"), "position-key-player", "hand"),
        (with("w checks=1"), "position-key-player", "checks"),
        (with("w White.quiet=1"), "position-key-no-player", "White.quiet"),
        (with("w Wite.checks=1"), "position-player", "Wite"),
        (with("quiet=many"), "position-value", "many"),
        (with("quiet=9223372036854775808"), "position-value", "9223372036854775808"),
        (with("loud=yes"), "position-value", "yes"),
        (with("unmoved="), "position-value", ""),
        (with("unmoved=a1+i9"), "position-cell", "i9"),
        (with("W.hand=2P"), "position-hand", "2P"),
        (with("W.hand=P4294967295P1"), "position-hand", "P4294967295P1"),
        (with("opening=4"), "position-opening", "4"),
        (with("W.opening=1"), "position-key-no-player", "W.opening"),
    ];
    for (text, code, place) in cases {
        let error = read(&game, &text).expect_err(&text);
        assert_eq!((error.code(), text.get(error.span.clone())), (code, Some(place)), "{text}");
        assert!(!error.message().is_empty() && !error.message().ends_with('.'));
    }
    let error = read(&game, &with("w unmovd=a1")).expect_err("a wrong key");
    assert_eq!(error.message(), "a position of this game has no `unmovd`");
    assert_eq!(
        error.help().as_deref(),
        Some(
            "did you mean `unmoved`? its keys are `unmoved`, `quiet`, `White.checks`, `loud`, `White.hand`, `opening`"
        )
    );
    let twins = bare_game(square(1, 1), &["Black", "Blue"], "man M", false);
    assert_eq!(read(&twins, "1 b").expect_err("both").code(), "position-player-ambiguous");
}

#[test]
fn no_text_makes_reading_panic() {
    let games = [chess(), bare_game(Shape::Hexagon { side: 2 }, &["Red", "Blue"], "man M", true)];
    let bits = [
        "8", "/", "[", "]", "*", "'", "k", "é", "=", ".", ":", " ", "White", "hand", "quiet", "+", "a1", "-", "999",
        "\u{2028}",
    ];
    let mut seed = 1_u64;
    for round in 0..20_000 {
        let mut text = if round % 3 == 0 { String::from("8/8/8/8/8/8/8/8 ") } else { String::new() };
        for _ in 0..round % 13 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(bits[(seed >> 33) as usize % bits.len()]);
        }
        for game in &games {
            if let Err(error) = read(game, &text) {
                assert!(text.get(error.span.clone()).is_some(), "{text:?}: {error:?}");
                error.help();
            }
        }
    }
}

/// A move for texts: what is written, what is caught.
#[derive(Clone)]
struct Move(Vec<Written>, CellSet);

impl WrittenMove for Move {
    fn written(&self) -> &[Written] {
        &self.0
    }
    fn caught(&self) -> CellSet {
        self.1
    }
    fn ends_turn(&self) -> bool {
        false
    }
}

fn cell(game: &Game, name: &str) -> Cell {
    game.topology.named(name).expect("a cell")
}

fn set(game: &Game, names: &str) -> CellSet {
    names.split_whitespace().map(|name| cell(game, name)).collect()
}

fn to(game: &Game, name: &str, captures: bool, sign: Option<char>) -> Written {
    Written::Landing { cell: cell(game, name), captures, sign }
}

#[test]
fn choices_are_joined_as_the_language_says() {
    let game = chess();
    let from = |name| Written::Cell(cell(&game, name));
    let north = game.topology.compass(Compass::North).expect("a direction");
    let cases = [
        ("e2-e4", vec![from("e2"), to(&game, "e4", false, None)]),
        ("e4xd5", vec![from("e4"), to(&game, "d5", true, None)]),
        ("e7xd8=Q", vec![from("e7"), to(&game, "d8", true, None), Written::Promotion(Kind(1))]),
        ("c3-f3 g7", vec![from("c3"), to(&game, "f3", false, None), from("g7")]),
        ("d3xd4+xc4-", vec![from("d3"), to(&game, "d4", true, Some('+')), to(&game, "c4", true, Some('-'))]),
        ("b1+g1", vec![Written::Combination(Box::new(set(&game, "g1 b1")))]),
        ("b4..d4-b5", vec![Written::Group(Box::new(set(&game, "b4 c4 d4"))), to(&game, "b5", false, None)]),
        ("c3 2-c5", vec![from("c3"), Written::Number(2), to(&game, "c5", false, None)]),
        ("a1 N", vec![from("a1"), Written::Kind(Kind(4))]),
        ("a1 north north/south", vec![from("a1"), Written::Dir(north), Written::Axis(Axis(0))]),
        ("e2-e4 pass", vec![from("e2"), to(&game, "e4", false, None), Written::Pass]),
        ("swap", vec![Written::Swap]),
        ("stop", vec![Written::Stop]),
        ("c4", vec![to(&game, "c4", true, None)]),
        ("-", vec![]),
    ];
    for (text, written) in &cases {
        assert_eq!(choices_text(&game, written), *text);
    }
    let said: Vec<Move> = cases.iter().map(|(_, written)| Move(written.clone(), CellSet::EMPTY)).collect();
    for (at, (text, _)) in cases.iter().enumerate() {
        assert_eq!(parse_ply(&game, &said, text), Ok(at));
        assert_eq!(parse_ply(&game, &said, &format!(" {text}\n")), Ok(at));
    }
    let steps = [from("e2"), to(&game, "e4", false, None), Written::Stop, from("a1")];
    assert_eq!(turn_text(&game, &steps), "e2-e4 a1");
}

#[test]
fn directions_of_points_are_their_first_steps() {
    let game = bare_game(points("a7 d7 g7, d7 d6 d5"), &["White", "Black"], "man M", false);
    assert_eq!(choices_text(&game, &[Written::Dir(Dir(1)), Written::Axis(Axis(1))]), "g7/d7 d7/d6");
    let drawn = LineSpec { dirs: DirSet::one(Dir(0)), ends: game.topology.any() };
    assert!(game.topology.redraw(&CellSet::EMPTY, &[drawn]).is_ok());
}

#[test]
fn moves_written_alike_are_told_apart() {
    let game = chess();
    let chain = vec![Written::Cell(cell(&game, "d3")), to(&game, "d4", true, None)];
    let quiet = vec![Written::Cell(cell(&game, "a1"))];
    let (left, right, none) = (set(&game, "e4 f4"), set(&game, "c4"), CellSet::EMPTY);
    let said = |written: &Vec<Written>, caught: &CellSet| Move(written.clone(), *caught);
    let moves = [
        said(&chain, &left),
        said(&chain, &right),
        said(&chain, &left),
        said(&quiet, &none),
        said(&quiet, &none),
        said(&chain, &none),
    ];
    let texts = ["d3xd4(e4 f4)", "d3xd4(c4)", "d3xd4(e4 f4)'2", "a1", "a1'2", "d3xd4"];
    assert_eq!(ply_texts(&game, &moves), texts);
    for (at, text) in texts.iter().enumerate() {
        assert_eq!(parse_ply(&game, &moves, text), Ok(at));
    }
    assert_eq!(parse_ply(&game, &moves, "d3 d4 (c4)"), Ok(1));
    assert_eq!(parse_ply(&game, &moves, "d3-d4(e4 f4)'2"), Ok(2));
    assert_eq!(parse_ply(&game, &moves, "d3 d4"), Ok(5));
    assert_eq!(parse_ply(&game, &moves[..3], "d3-d4").expect_err("several").code(), "move-ambiguous");
}

/// Two groups with the same ends have the same numbers, in whichever order moves are listed.
#[test]
fn numbers_of_moves_alike_do_not_rest_on_the_order_of_a_list() {
    let game = chess();
    let group = |cells: &str| Move(vec![Written::Group(Box::new(set(&game, cells)))], CellSet::EMPTY);
    let (whole, ends) = (group("a1 b1 c1"), group("a1 c1"));
    let (one, other) = ([whole.clone(), ends.clone()], [ends, whole]);
    assert_eq!(ply_texts(&game, &one), ["a1..c1", "a1..c1'2"]);
    assert_eq!(ply_texts(&game, &other), ["a1..c1'2", "a1..c1"]);
}

#[test]
fn moves_are_read_with_ease_if_it_tells() {
    let game = chess();
    let step = |a: &str, b: &str, captures| vec![Written::Cell(cell(&game, a)), to(&game, b, captures, None)];
    let mut promotion = step("e7", "e8", false);
    promotion.push(Written::Promotion(Kind(1)));
    let mut under = step("e7", "e8", false);
    under.push(Written::Promotion(Kind(4)));
    let signed = |sign| {
        vec![Written::Cell(cell(&game, "d3")), to(&game, "d4", true, Some(sign)), to(&game, "c4", true, Some('-'))]
    };
    let written = [
        step("e2", "e4", false),
        step("e2", "d3", true),
        promotion,
        under,
        signed('+'),
        signed('-'),
        step("a1", "a2", false),
        step("a1", "a2", true),
    ];
    let moves: Vec<Move> = written.into_iter().map(|written| Move(written, CellSet::EMPTY)).collect();
    let cases = [
        ("e2e4", 0),
        ("E2 - E4", 0),
        ("e2-d3", 1),
        ("e2 d3", 1),
        ("e7-e8=q", 2),
        ("e7e8n", 3),
        ("e7 e8-Q", 2),
        ("d3 d4+ c4-", 4),
        ("d3-d4--c4-", 5),
        ("a1-a2", 6),
        ("a1xa2", 7),
    ];
    for (text, at) in cases {
        assert_eq!(parse_ply(&game, &moves, text), Ok(at), "{text}");
    }
    let error = |text| parse_ply(&game, &moves, text).expect_err("no move");
    assert_eq!(error("a1 a2").code(), "move-ambiguous");
    assert_eq!(error("a1 a2").help().as_deref(), Some("write one of `a1-a2`, `a1xa2`"));
    assert_eq!((error(" e2-e5 ").code(), error(" e2-e5 ").span), ("move-unknown", 1..6));
    assert_eq!(error("e2-e5").help().as_deref(), Some("possible are `e2-e4`, `e2xd3`"));
    assert_eq!(error("").code(), "move-empty");
    assert_eq!(parse_ply(&game, &[] as &[Move], "e2-e4").expect_err("no move").code(), "move-none");
    for text in ["é", "e2-é", "x", "'", "(", "d3 d4(", "-", "--", "e2é4", "\u{2028}e2"] {
        assert!(parse_ply(&game, &moves, text).is_err(), "{text}");
    }
}

/// Plays what a table says: at each step so many plies, the last of which ends the turn.
struct Table(Vec<Vec<Vec<Written>>>);

impl MoveSource for Table {
    type Ply = (Move, bool);
    fn plies(&mut self, position: &Position) -> Result<Vec<(Move, bool)>, Fault> {
        let plies = self.0.get(position.begun().len()).cloned().unwrap_or_default();
        let last = plies.len().saturating_sub(1);
        Ok((0..).zip(plies).map(|(at, written)| (Move(written, CellSet::EMPTY), at == last)).collect())
    }
    fn played(&mut self, position: &Position, ply: &(Move, bool)) -> Result<Position, Fault> {
        let mut after = position.clone();
        after.step(Step { written: ply.0.0.clone(), fingerprint: 0, next: Some(Player(0)), path: None });
        Ok(after)
    }
}

impl WrittenMove for (Move, bool) {
    fn written(&self) -> &[Written] {
        &self.0.0
    }
    fn caught(&self) -> CellSet {
        self.0.1
    }
    fn ends_turn(&self) -> bool {
        self.1
    }
}

#[test]
fn choices_of_a_turn_are_made_again() {
    let game = chess();
    let from = |name| Written::Cell(cell(&game, name));
    let hop = |name| to(&game, name, true, None);
    let mut table = Table(vec![
        vec![vec![from("d3"), hop("d4")], vec![from("d3"), hop("d4"), hop("e4")], vec![Written::Pass]],
        vec![vec![hop("f4")], vec![hop("e4")], vec![Written::Stop]],
        vec![vec![Written::Number(2), from("a1")], vec![Written::Pass]],
    ]);
    let mut silent = Table(vec![vec![vec![], vec![]], vec![vec![hop("f4")], vec![]]]);
    for choices in ["-", "f4"] {
        let text = format!("8/8/8/8/8/8/8/8 White : {choices}");
        let position = parse_position(&game, &Position::empty(&game), &mut silent, &text);
        assert_eq!(position.map(|position| position_text(&game, &position)), Ok(text));
    }
    let mut again = |choices: &str| {
        let text = format!("8/8/8/8/8/8/8/8 White : {choices}");
        parse_position(&game, &Position::empty(&game), &mut table, &text)
            .map(|position| position_text(&game, &position))
    };
    for choices in ["d3xd4", "d3xd4xf4", "d3xd4xe4", "d3xd4xe4xf4", "d3xd4xe4 2 a1", "d3xd4xe4xe4 2 a1"] {
        assert_eq!(again(choices), Ok(format!("8/8/8/8/8/8/8/8 White : {choices}")));
    }
    assert_eq!(again("  "), Ok("8/8/8/8/8/8/8/8 White".into()));
    assert_eq!(again("d3-D4 F4").as_deref(), Ok("8/8/8/8/8/8/8/8 White : d3xd4xf4"));
    for (choices, wrong, near) in [
        ("d3xd5", "d3xd5", "possible are `d3xd4`, `d3xd4xe4`"),
        ("pass", "pass", "possible are `d3xd4`, `d3xd4xe4`"),
        ("d3xd4xa1", "xa1", "possible are `f4`, `e4`"),
    ] {
        let error = again(choices).expect_err("no such choices");
        assert_eq!((error.code(), error.help().as_deref()), ("position-choices", Some(near)));
        assert_eq!(&format!("8/8/8/8/8/8/8/8 White : {choices}")[error.span], wrong);
    }
}

#[test]
fn values_of_wrong_types_do_not_matter() {
    let game = chess();
    let mut position = Position::empty(&game);
    position.set_value(crate::model::StateId(3), Player(0), Value::empty(Type::Truth));
    assert_eq!(position_text(&game, &position), "8/8/8/8/8/8/8/8 White opening=0");
}
