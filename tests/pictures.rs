//! Pictures: those of all shipped games as snapshots, those of the README, what `draw` writes and refuses.

use std::collections::BTreeSet;

use lusoria::Game;
use lusoria::check::Settings;
use lusoria::draw::{Marks, PictureOptions};
use lusoria::model::CellStyle;
use lusoria::shipped::Shipped;
use lusoria::source::Source;
use serde_json::Value;
use tempfile::TempDir;

use crate::cli::{FINE, RULES, USAGE, lusoria};
use crate::common::project;

const SNAPSHOTS: &str = "tests/snapshots/pictures";

/// What the README and its neighbours show: file, game, position, moves.
const SHOWN: [(&str, &str, Option<&str>, &[&str]); 4] = [
    ("xiangqi", "xiangqi", None, &["h3-e3"]),
    ("morris", "nine_mens_morris", None, &["d6", "b4", "f4", "d2", "b6"]),
    ("fanorona", "fanorona", None, &["e2xe3+", "f4xe5-"]),
    (
        "focus",
        "focus",
        Some("4/WWBBWW/1BBWWBB1/1WW[BW]BWW1/1BB[WWB]WBB1/1[BBWBW]WBBWW1/BBWWB[WB]/4 White White.hand=M2"),
        &[],
    ),
];

fn game(name: &str) -> Game {
    Game::shipped(name).expect("it is shipped").without_plan()
}

fn text(rules: &str) -> Game {
    let game = Game::load(Source::new("game.rules", rules), &Shipped, &Settings::default());
    game.unwrap_or_else(|error| panic!("{error:?}")).without_plan()
}

fn row(about: &str, board: &str, kinds: &str) -> Game {
    text(&format!(
        "game \"Row\" {{ about {{ {about} }} players White north, Black south board {board} {kinds}
           setup {{ place White man on a1 place Black man on c3 }}
           move {{ pick p from own move p straight: step }} end {{ win if stuck(enemy) }} }}"
    ))
}

#[test]
fn every_shipped_game_has_its_picture() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(project(SNAPSHOTS));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for shipped in Shipped.games() {
            let svg = game(shipped.stem).start(0).unwrap().picture().unwrap().svg();
            insta::assert_snapshot!(shipped.stem, svg);
        }
    });
}

/// With `LUSORIA_BLESS` the pictures of the pages are drawn anew.
#[test]
fn the_pages_show_what_is_drawn_today() {
    for (file, name, start, moves) in SHOWN {
        let game = game(name);
        let mut position = match start {
            Some(text) => game.position(text).unwrap(),
            None => game.start(0).unwrap(),
        };
        let mut marks = Marks::default();
        for text in moves {
            let (before, mover) = (position.now().unwrap(), position.mover());
            let played = position.find_move(text).unwrap_or_else(|error| panic!("{name} {text}: {error}"));
            position.play(&played).unwrap();
            marks = position.marks_behind(&before, Some(&played), mover).unwrap();
        }
        let svg = position.marked_picture(&marks, &PictureOptions::default()).unwrap().svg();
        let path = project(&format!("docs/pictures/{file}.svg"));
        if std::env::var_os("LUSORIA_BLESS").is_some() {
            std::fs::write(&path, &svg).expect("the picture can be written");
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == svg, "docs/pictures/{file}.svg is not up to date: run the tests with LUSORIA_BLESS=1");
    }
}

/// Tags that an SVG of shapes is made of, each closed as it should be.
fn tags(svg: &str) -> BTreeSet<String> {
    let mut open = Vec::new();
    let mut seen = BTreeSet::new();
    for part in svg.split('<').skip(1) {
        let tag = part.split('>').next().expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{svg}");
            continue;
        }
        let name = tag.split([' ', '/']).next().expect("a name").to_string();
        seen.insert(name.clone());
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    seen
}

#[test]
fn pictures_are_shapes_alone() {
    let allowed = ["animate", "circle", "defs", "desc", "g", "path", "svg", "title", "use"];
    for shipped in Shipped.games() {
        let svg = game(shipped.stem).start(0).unwrap().picture().unwrap().svg();
        let others: Vec<String> = tags(&svg).into_iter().filter(|tag| !allowed.contains(&tag.as_str())).collect();
        assert!(others.is_empty() && !svg.contains("NaN") && !svg.contains("inf"), "{}: {others:?}", shipped.stem);
    }
}

#[test]
fn a_title_cannot_break_out_of_its_element() {
    let rules = row("", "square 3 by 3", "piece man");
    let svg = rules.start(0).unwrap().picture().unwrap().svg();
    assert!(svg.contains("<title>Row</title>"));
    let evil = text(
        "game \"</title><script>&\" { players White, Black board square 3 by 3 piece man
           move { pick c from empty place man on c } end { draw if no empty } }",
    );
    let svg = evil.start(0).unwrap().picture().unwrap().svg();
    assert!(svg.contains("<title>&lt;/title&gt;&lt;script&gt;&amp;</title>") && !svg.contains("<script"), "{svg}");
}

#[test]
fn looks_are_read_and_inherited() {
    let model = |game: &Game| game.model().looks.clone();
    let base = row("looks \"checkered, man disc, king crown, White #102030\"", "square 3 by 3", "piece man piece king");
    let looks = model(&base);
    assert_eq!(looks.layout, Some(CellStyle::Checkered));
    assert_eq!(looks.kinds.iter().map(|(_, icon)| icon.name()).collect::<Vec<_>>(), ["disc", "crown"]);
    assert!(base.start(0).unwrap().picture().unwrap().svg().contains("#102030"));
    // A game that extends another, and says only a note, looks like it.
    let chess = model(&game("chess960"));
    assert!(chess.kinds.iter().any(|(_, icon)| icon.name() == "knight"));
    // What is said above replaces what is said below.
    let above = text("game \"Mine\" extends \"Croda\" { about { looks \"squares, king star\" } }");
    let looks = model(&above);
    assert_eq!(looks.layout, Some(CellStyle::Squares));
    assert_eq!(looks.kinds.last().map(|(_, icon)| icon.name()), Some("star"));
}

#[test]
fn looks_that_are_unknown_are_warned_of_and_change_nothing() {
    let notes = "looks \"checkered extra words, king corwn, rook\" year 1900";
    let wrong = row(notes, "square 3 by 3", "piece man piece king");
    assert_eq!(wrong.model().looks.kinds.len(), 0);
    let plain = row("year 1900", "square 3 by 3", "piece man piece king");
    let svg = |game: &Game| game.start(0).unwrap().picture().unwrap().svg();
    assert_eq!(svg(&wrong), svg(&plain));
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.rules");
    std::fs::write(
        &path,
        "game \"X\" { about { looks \"king corwn, , kin crown, Whit red, White rde, a b c\" } players White, Black \
        board square 3 by 3 piece king setup { place White king on a1 place Black king on c3 } \
        move { pick p from own move p straight: step } end { win if stuck(enemy) } }",
    )
    .unwrap();
    let (code, out, err) = lusoria(&["check", path.to_str().unwrap()]);
    let told = out + &err;
    assert_eq!((code, told.matches("unknown-look").count()), (FINE, 6), "{told}");
    for mend in ["`crown`", "`king`", "`White`", "`red`"] {
        assert!(told.contains(&format!("did you mean {mend}?")), "{mend}: {told}");
    }
}

#[test]
fn regions_are_tinted_crossed_or_banks() {
    let plain = game("xiangqi").start(0).unwrap().picture().unwrap().svg();
    let without = text("game \"Bare\" extends \"Xiangqi\" { define camp = rows 1..10 }");
    let bare = without.start(0).unwrap().picture().unwrap().svg();
    // Nine files: those between the edges are cut at the river.
    let lines = |svg: &str| svg.lines().map(|line| line.matches('V').count()).max();
    assert_eq!((lines(&plain), lines(&bare)), (Some(16), Some(9)));
    let tinted = row("looks \"edge blue\"", "square 3 by 3", "piece man define edge = rank 1");
    assert!(tinted.start(0).unwrap().picture().unwrap().svg().contains("fill=\"#3a6eb0\" opacity=\"0.45\""));
}

fn json(arguments: &[&str]) -> Value {
    let (code, out, err) = lusoria(arguments);
    assert_eq!(code, FINE, "{err}");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
}

#[test]
fn draw_writes_svg_and_png() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let told = json(&["draw", "breakthrough", "--move", "a2-a3", "-o", &at("a.svg"), "--json"]);
    assert_eq!((&told["format"], &told["frames"]), (&Value::from("svg"), &Value::from(1)));
    assert!(told["position"].as_str().unwrap().contains("W7/1WWWWWWW"));
    let svg = std::fs::read_to_string(at("a.svg")).unwrap();
    assert!(svg.contains("#f0b020"), "the last move is marked: {svg}");
    let (_, out, _) = lusoria(&["draw", "breakthrough", "--move", "a2-a3", "-o", "-"]);
    assert_eq!(out, svg);
    let (_, out, _) = lusoria(&["draw", "breakthrough", "--move", "a2-a3", "--marks", "none", "-o", "-"]);
    assert!(!out.contains("#f0b020"));
    let (_, targets, _) = lusoria(&["draw", "breakthrough", "--marks", "moves", "--no-coordinates", "-o", "-"]);
    assert_eq!(targets.matches("#408448").count(), 8, "eight cells can be entered: {targets}");
    assert_eq!(lusoria(&["draw", "breakthrough", "-o", &at("b.png"), "--width", "120"]).0, FINE);
    let png = std::fs::read(at("b.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG") && png[16..20] == [0, 0, 0, 120], "{:?}", &png[..24]);
    let (_, captioned, _) = lusoria(&["draw", "breakthrough", "--caption", "A start", "-o", "-"]);
    assert!(captioned.len() > svg.len());
}

#[test]
fn draw_refuses_what_it_cannot_write() {
    for (arguments, code) in [
        (&["draw", "breakthrough"][..], USAGE),
        (&["draw", "breakthrough", "-o", "a.gif"], USAGE),
        (&["draw", "breakthrough", "-o", "a"], USAGE),
        (&["draw", "breakthrough", "-o", "/no/such/folder/a.svg"], USAGE),
        (&["draw", "breakthrough", "-o", "-", "--width", "1"], USAGE),
        (&["draw", "breakthrough", "-o", "-", "--strip"], USAGE),
        (&["draw", "breakthrough", "-o", "-", "--moves", "/no/such/file"], USAGE),
        (&["draw", "breakthrough", "-o", "-", "--move", "a2-a5"], RULES),
        (&["draw", "no_such_game", "-o", "-"], USAGE),
    ] {
        let (found, out, err) = lusoria(arguments);
        assert_eq!((found, out.as_str()), (code, ""), "{arguments:?}: {err}");
        assert!(!err.is_empty());
    }
}

#[test]
fn frames_show_a_whole_game() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(at("moves.txt"), "a2-a3\n\nb7-b6\na3-a4\n").unwrap();
    let told = json(&["draw", "breakthrough", "--frames", "--moves", &at("moves.txt"), "-o", &at("a.svg"), "--json"]);
    assert_eq!(told["frames"], 4);
    let svg = std::fs::read_to_string(at("a.svg")).unwrap();
    tags(&svg);
    // Three moves: a man leaves and one comes each time, but the last stay; captions change too.
    let hidden = svg.matches("values=\"hidden;visible\"").count();
    assert!(svg.contains("<animate ") && hidden >= 3 && svg.contains("keyTimes=\"0;0.125;0.25\""), "{svg}");
    let strip = json(&[
        "draw",
        "breakthrough",
        "--frames",
        "--strip",
        "--moves",
        &at("moves.txt"),
        "--columns",
        "2",
        "-o",
        &at("b.svg"),
        "--json",
    ]);
    let (one, both) = (told["width"].as_f64().unwrap(), strip["width"].as_f64().unwrap());
    assert!((both - 2.0 * one).abs() < 1e-9 && !std::fs::read_to_string(at("b.svg")).unwrap().contains("<animate"));
    let every = json(&[
        "draw",
        "breakthrough",
        "--frames",
        "--every",
        "2",
        "--moves",
        &at("moves.txt"),
        "-o",
        &at("c.png"),
        "--json",
    ]);
    assert_eq!(every["frames"], 3, "the first, the third, the last");
}

#[test]
fn random_games_are_those_of_simulate() {
    let folder = TempDir::new().unwrap();
    let record = folder.path().join("games.jsonl");
    let record = record.to_str().unwrap();
    let set = ["--set", "size=5", "--seed", "9"];
    let (code, ..) = lusoria(&[&["simulate", "breakthrough", "--games", "3", "--record", record][..], &set].concat());
    assert_eq!(code, FINE);
    let lines = std::fs::read_to_string(record).unwrap();
    for (number, line) in lines.lines().enumerate() {
        let game: Value = serde_json::from_str(line).unwrap();
        let moves = game["moves"].as_array().unwrap();
        let number = number.to_string();
        let file = folder.path().join("a.svg");
        let arguments =
            ["draw", "breakthrough", "--frames", "--number", &number, "-o", file.to_str().unwrap(), "--json"];
        let told = json(&[&arguments[..], &set].concat());
        assert_eq!(told["frames"], moves.len() + 1);
        assert_eq!(told["position"], moves.last().unwrap()["position"]);
    }
}

#[test]
fn games_of_chance_and_of_plies_are_drawn() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.svg");
    let path = project("examples/backgammon.rules");
    for (name, options) in
        [(path.to_str().unwrap(), &["--frames", "--every", "20"][..]), ("frenzy", &["--frames", "--every", "5"])]
    {
        let arguments = ["draw", name, "--seed", "1", "-o", file.to_str().unwrap(), "--json"];
        let told = json(&[&arguments[..], options].concat());
        assert!(told["frames"].as_u64().unwrap() > 2, "{told}");
        tags(&std::fs::read_to_string(&file).unwrap());
    }
}
