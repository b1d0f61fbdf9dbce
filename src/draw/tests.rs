//! Tests of pictures: what stands where, by the shapes that are drawn.

use crate::board::{CellSet, Shape};
use crate::draw::*;
use crate::notation::tests::{bare_game, points, read, square};

fn drawn(game: &Game, text: &str) -> Picture {
    let position = read(game, text).expect("a position");
    picture(game, &position, &Marks::default(), &PictureOptions::default())
}

/// How often men of a symbol stand somewhere.
fn uses(picture: &Picture, symbol: usize) -> usize {
    let is_it = |item: &&Item| matches!(item.drawn, Drawn::Use { symbol: used, .. } if used == symbol);
    picture.scene.items.iter().filter(is_it).count()
}

#[test]
fn each_man_is_a_use_of_a_symbol() {
    let game = bare_game(square(4, 3), &["White", "Black"], "king K, pawn P", false);
    let picture = drawn(&game, "kp2/4/2PK");
    assert_eq!(picture.scene.symbols.len(), 4);
    assert!((0..4).all(|symbol| uses(&picture, symbol) == 1));
    assert_eq!(picture.svg().matches("<use ").count(), 4);
}

#[test]
fn squares_lie_in_ranks_from_below() {
    let game = bare_game(square(4, 3), &["White", "Black"], "man M", false);
    let plot = Plot::new(&game, true);
    let at = |name: &str| plot.centre(game.topology.named(name).expect("a cell"));
    assert_eq!(plot.grid, Grid::Squares { checkered: false });
    assert!(at("a1").1 > at("a3").1 && at("a1").0 < at("d1").0);
    assert_eq!(at("b2").0 - at("a2").0, CELL);
}

#[test]
fn hexagons_touch_their_six_neighbours() {
    let game = bare_game(Shape::Hexagon { side: 3 }, &["White", "Black"], "man M", false);
    let plot = Plot::new(&game, true);
    let middle = game.topology.named("c3").expect("a cell");
    let distances = game.topology.exits(middle).iter().map(|(_, to)| {
        let (a, b) = (plot.centre(middle), plot.centre(*to));
        (a.0 - b.0).hypot(a.1 - b.1)
    });
    let wanted = plot.hexagon * 3.0_f64.sqrt();
    assert!(distances.clone().count() == 6 && distances.into_iter().all(|one| (one - wanted).abs() < 1e-9));
}

#[test]
fn everything_lies_on_the_picture() {
    for (shape, text) in [
        (square(9, 2), "9/WB7"),
        (Shape::Hexagon { side: 2 }, "WB/1W1/BB"),
        (points("a3 b3 c3, c3 c1, a1 b2 c3, a3 b2, a1 c1, a1 a3"), "W2/B/2"),
    ] {
        let game = bare_game(shape, &["White", "Black"], "man M", false);
        let picture = drawn(&game, text);
        let (width, height) = picture.size();
        for item in &picture.scene.items {
            if let Drawn::Use { at, .. } = item.drawn {
                assert!(at.0 > 0.0 && at.1 > 0.0 && at.0 < width && at.1 < height, "{at:?}");
            }
        }
    }
}

#[test]
fn stacks_have_their_number() {
    let game = bare_game(square(2, 1), &["White", "Black"], "man M", true);
    let one = drawn(&game, "[W]1");
    let low = drawn(&game, "[WBW]1");
    let tall = drawn(&game, "[W9]1");
    assert_eq!((uses(&low, 0), uses(&low, 1)), (2, 1));
    assert_eq!(uses(&tall, 0), MOST_LAYERS);
    assert_eq!(low.scene.items.len() - one.scene.items.len(), 3, "two men more, and a number");
    assert_eq!(tall.scene.items.len() - low.scene.items.len(), 2, "two men more");
}

#[test]
fn a_number_stands_beside_a_sign() {
    let mut game = bare_game(square(2, 1), &["White", "Black"], "man M", true);
    let plain = drawn(&game, "[WW]1");
    game.looks.men = Icon::named("crown");
    let crowned = drawn(&game, "[WW]1");
    assert_eq!(crowned.scene.items.len() - plain.scene.items.len(), 1, "what the number stands on");
}

#[test]
fn layers_of_dark_men_have_lighter_edges() {
    let dark = Colour::named("black").expect("a colour");
    let edge = colours::layer_edge(dark);
    assert!(edge.lightness() > dark.lightness() + 80.0);
    let stacked = bare_game(square(2, 1), &["White", "Black"], "man M", true);
    let flat = bare_game(square(2, 1), &["White", "Black"], "man M", false);
    let told = format!("#{:02x}{:02x}{:02x}", edge.0, edge.1, edge.2);
    assert!(drawn(&stacked, "B1").svg().contains(&told) && !drawn(&flat, "B1").svg().contains(&told));
}

#[test]
fn men_of_points_lie_from_the_edge_of_the_board() {
    let mut game = bare_game(square(8, 2), &["White", "Black"], "man M", true);
    game.looks.layout = Some(crate::model::CellStyle::Points);
    let picture = drawn(&game, "[W3]7/7[B7]");
    let places = |wanted: usize| -> Vec<f64> {
        let of = |item: &Item| match item.drawn {
            Drawn::Use { symbol, at, .. } if symbol == wanted => Some(at.1),
            _ => None,
        };
        picture.scene.items.iter().filter_map(of).collect()
    };
    let plot = Plot::new(&game, true);
    // Cells go from the first rank up, and so do symbols.
    let (low, high) = (places(0), places(1));
    assert!(high.len() == 3 && high.is_sorted() && high[0] - plot.top < CELL / 2.0, "{high:?}");
    assert!(low.len() == MOST_LAYERS && low.is_sorted_by(|a, b| a > b) && plot.bottom - low[0] < CELL / 2.0, "{low:?}");
    let at = |name: &str| plot.centre(game.topology.named(name).expect("a cell")).0;
    assert!(at("e1") - at("d1") > CELL * 1.5 && at("b1") - at("a1") < CELL * 1.01, "a bar in the middle");
}

#[test]
fn the_first_rank_is_drawn_where_a_file_says() {
    let mut game = bare_game(square(4, 3), &["White", "Black"], "man M", false);
    game.looks.is_downward = true;
    let plot = Plot::new(&game, true);
    let at = |name: &str| plot.centre(game.topology.named(name).expect("a cell"));
    assert!(at("a1").1 < at("a3").1 && at("a1").0 < at("d1").0);
}

#[test]
fn letters_grow_with_the_board() {
    let text = |side: u8| Plot::new(&bare_game(square(side, side), &["White", "Black"], "man M", false), true).text;
    assert!(text(8) == 1.0 && text(13) > 1.3 && text(19) > text(13) && text(26) < 2.0);
}

#[test]
fn dots_stand_at_the_corners_of_cells() {
    let dots = |look: &str| {
        format!(
            "game \"Dots\" {{ about {{ looks \"{look}\" }} players White, Black board square 6 by 6 piece man
               define heart = files c..d and ranks 3..4 define corner = a1 or f6
               move {{ pick p from own move p straight: step }} end {{ win if stuck(enemy) }} }}"
        )
    };
    let circles = |look: &str| {
        let source = crate::source::Source::new("dots.rules", dots(look));
        let game = crate::Game::load(source, &crate::shipped::Shipped, &crate::check::Settings::default());
        let picture = game.expect("it loads").start(0).and_then(|start| start.picture()).expect("a picture");
        picture.svg().matches("<circle").count()
    };
    assert_eq!(circles("squares, heart dotted"), 4);
    assert_eq!(circles("squares, corner dotted"), 0, "none at the edge of the board");
    assert_eq!(circles("intersections, heart dotted"), 4);
}

#[test]
fn wedges_point_where_their_owners_go() {
    let style = |turned| Style {
        icon: Icon::named("wedge").expect("an icon"),
        letter: 'M',
        colour: Colour::NEUTRAL,
        second: false,
        turned,
        stacked: false,
        radius: CELL * 0.4,
        cell: CELL,
    };
    // The tip is the only corner in the middle.
    let tip = |turned| match man_elements(&style(turned)).into_iter().next().map(|element| element.form) {
        Some(Form::Path(path)) => path.into_iter().find_map(|segment| match segment {
            crate::draw::scene::Segment::Move(at) | crate::draw::scene::Segment::Line(at) if at.0 == 0.0 => Some(at.1),
            _ => None,
        }),
        _ => None,
    };
    assert!(tip(false).expect("a tip") < 0.0 && tip(true).expect("a tip") > 0.0);
}

#[test]
fn marks_are_drawn_around_men() {
    let game = bare_game(square(2, 2), &["White", "Black"], "man M", false);
    let position = read(&game, "W1/2").expect("a position");
    let cell = |name: &str| -> CellSet { game.topology.named(name).into_iter().collect() };
    let plain = picture(&game, &position, &Marks::default(), &PictureOptions::default());
    let marks = Marks { last: cell("a2"), left: cell("a1"), captured: cell("b1"), targets: cell("b2") };
    let marked = picture(&game, &position, &marks, &PictureOptions::default());
    assert_eq!(marked.scene.items.len() - plain.scene.items.len(), 4);
}

#[test]
fn names_are_colours_and_others_get_what_is_left() {
    let game = bare_game(square(2, 1), &["South", "White", "Red", "East"], "man M", false);
    let named = |word| Colour::named(word).expect("a colour");
    assert_eq!(game.colours(), [named("black"), named("white"), named("red"), named("blue")]);
}

#[test]
fn what_a_file_says_of_its_looks_counts() {
    let mut game = bare_game(square(3, 3), &["White", "Black"], "man M, king K", false);
    game.looks.layout = Some(crate::model::CellStyle::Intersections);
    game.looks.kinds.push((crate::board::Kind(0), Icon::ROUND));
    game.looks.players.push((Player(0), Colour(1, 2, 3)));
    let picture = drawn(&game, "M2/3/2k");
    let svg = picture.svg();
    assert_eq!(Plot::new(&game, true).grid, Grid::Crossings);
    assert!(svg.contains("#010203"), "{svg}");
}

#[test]
fn every_letter_has_a_shape() {
    let known = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain("'-+.,:()/*=".chars());
    for letter in known {
        let shape = text_at(&letter.to_string(), (0.0, 0.0), 14.0, INK);
        let unknown = text_at("\u{ffff}", (0.0, 0.0), 14.0, INK);
        assert_ne!(shape, unknown, "{letter}");
        assert!(text_width(&letter.to_string(), 14.0) > 0.0);
    }
}

#[test]
fn every_icon_is_drawn_within_its_cell() {
    for icon in Icon::all() {
        let name = icon.name();
        for second in [false, true] {
            let style = Style {
                icon,
                letter: 'M',
                colour: Colour::NEUTRAL,
                second,
                turned: second,
                stacked: false,
                radius: CELL * 0.4,
                cell: CELL,
            };
            let shapes = man_elements(&style);
            assert!(!shapes.is_empty(), "{name}");
            for shape in shapes {
                let Form::Path(path) = shape.form else { continue };
                assert!(path.len() > 3 || icon == Icon::LETTER, "{name}: an outline that cannot be read");
                for segment in path {
                    let (crate::draw::scene::Segment::Move(at)
                    | crate::draw::scene::Segment::Line(at)
                    | crate::draw::scene::Segment::Curve(.., at)) = segment
                    else {
                        continue;
                    };
                    assert!(at.0.abs() <= CELL / 2.0 && at.1.abs() <= CELL / 2.0, "{name}: {at:?}");
                }
            }
        }
    }
}

#[cfg(feature = "png")]
#[test]
fn pixels_have_the_colour_of_what_is_drawn_there() {
    let game = bare_game(square(2, 2), &["White", "Black"], "man M", false);
    let picture = drawn(&game, "W1/1B");
    let width = picture.size().0.round() as u32;
    let pixels = tiny_skia::Pixmap::decode_png(&picture.png(width).expect("it fits")).expect("a PNG file");
    let plot = Plot::new(&game, true);
    let at = |name: &str| {
        let (x, y) = plot.centre(game.topology.named(name).expect("a cell"));
        let pixel = pixels.pixel(x as u32, y as u32).expect("a pixel").demultiply();
        Colour(pixel.red(), pixel.green(), pixel.blue())
    };
    assert_eq!(at("a2"), Colour::named("white").expect("a colour"));
    assert_eq!(at("b1"), Colour::named("black").expect("a colour"));
    assert_eq!(at("a1"), colours::BOARD);
    assert!(picture.png(200_000).is_err());
}
