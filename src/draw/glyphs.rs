//! Glyphs: a named shape and colours go in; the shapes of a man come out. All are drawn in a square of 100 by 100.

use crate::draw::colours::{ink, shade};
use crate::draw::letters::bold_around;
use crate::draw::scene::{Form, Paint, Shape, outline, placed};
use crate::model::{Colour, Glyph};

/// Width of outlines of figures, in the square of glyphs.
const OUTLINE: f64 = 2.6;
/// Width of strokes of signs.
const SIGN: f64 = 5.0;
/// What characters on tokens are drawn on.
const TOKEN: Colour = Colour(250, 236, 204);
const TOKEN_EDGE: Colour = Colour(120, 84, 44);

/// How a glyph is drawn.
enum Drawing {
    /// A stone.
    Disc,
    Ring,
    /// A square that fills its cell nearly.
    Block,
    Cross,
    /// Stands by itself in the player's colour: what is filled, and the lines on it.
    Figure(&'static str, &'static str),
    /// Filled, on a stone.
    Sign(&'static str),
    /// Strokes in the player's colour on a token; a second form is for every other player.
    Character(&'static str, &'static str),
    Letter,
}

const PAWN: &str = "M31 85L69 85L69 77C62 73 58 63 57 52L63 52L63 46L57 46C62 41 64 37 64 32C64 24 58 18 50 18C42 18 36 24 36 32C36 37 38 41 43 46L37 46L37 52L43 52C42 63 38 73 31 77Z";
const ROOK: &str = "M27 85L73 85L73 77L67 72L64 43L71 37L71 19L61 19L61 27L55 27L55 19L45 19L45 27L39 27L39 19L29 19L29 37L36 43L33 72L27 77Z";
const ROOK_LINES: &str = "M36 43L64 43M33 72L67 72M29 37L71 37";
const BISHOP: &str = "M30 85L70 85L70 77C62 75 59 70 58 62L61 62L61 56L57 56C64 51 66 44 63 37C60 31 55 27 52.5 22C55.5 20 55.5 13 50 13C44.5 13 44.5 20 47.5 22C45 27 40 31 37 37C34 44 36 51 43 56L39 56L39 62L42 62C41 70 38 75 30 77Z";
const BISHOP_LINES: &str = "M56 33L49 43M42 62L58 62M33 77L67 77";
const KNIGHT: &str = "M33 85L73 85L73 77C74 58 76 36 59 24L55 22L53 12L46 19L41 15L41 24C33 30 28 40 23 50C21 55 25 61 31 59C35 58 38 54 43 54C46 54 49 53 51 50C50 60 36 66 33 77Z";
const KNIGHT_LINES: &str = "M59 24C67 38 67 56 64 72M38 34L41 33M27 52L29 51M36 77L70 77";
const QUEEN: &str = "M29 85L71 85L71 77L65 70L75 37C79 35 78 28 73 28C68 28 67 34 71 37L60 50L60 27C64 24 63 18 58 18C54 18 53 24 56 27L50 46L44 27C47 24 46 18 42 18C37 18 36 24 40 27L40 50L29 37C33 34 32 28 27 28C22 28 21 35 25 37L35 70L29 77Z";
const QUEEN_LINES: &str = "M35 70L65 70M31 77L69 77";
const KING: &str = "M30 85L70 85L70 77L64 70C75 62 80 50 72 42C66 36 58 38 53 44C56 39 56 34 52.5 31L52.5 25L59 25L59 20L52.5 20L52.5 13L47.5 13L47.5 20L41 20L41 25L47.5 25L47.5 31C44 34 44 39 47 44C42 38 34 36 28 42C20 50 25 62 36 70L30 77Z";
const KING_LINES: &str = "M36 70L64 70M32 77L68 77M50 47L50 62";
const FISH: &str = "M12 50C24 32 54 29 71 46L88 33C85 44 85 56 88 67L71 54C54 71 24 68 12 50Z";
const FISH_LINES: &str = "M28 46L28 47.5M40 38C45 45 45 55 40 62M56 46C58 49 58 51 56 54";
const SHARK: &str = "M6 54C20 42 34 38 44 37C46 29 50 22 58 17C57 25 58 32 61 38C70 40 76 43 82 46C85 40 89 34 95 30C93 38 92 44 92 50C93 57 95 62 97 68C91 66 86 61 82 56C74 60 66 63 58 64C56 70 52 75 46 79C46 74 45 70 43 65C28 65 14 62 6 54Z";
const SHARK_LINES: &str = "M22 50L22 51.5M36 46C38 50 38 54 36 58M42 45C44 50 44 54 42 58M12 57C16 58 20 58 24 57";
const CROWN: &str = "M27 68L73 68L77 36L62 49L50 29L38 49L23 36Z";
const STAR: &str = "M50 24L57 42L76 43L61 55L66 74L50 63L34 74L39 55L24 43L43 42Z";

const GENERAL: &str = "M38 23L34 31M30 32L30 75M30 32L45 32L45 47L30 47M30 56L46 56L46 72L30 72M53 39L53 67M53 39L74 39L74 61C74 66 71 66 67 65M63.500 25L63.500 78";
const GENERAL_2: &str = "M38 24L38 78M27 30L27 44L38 44M25 56L38 56M31 56C31 66 29 72 25 78M58 22C55 31 51 36 45 41M56 30L71 30C68 40 58 46 46 50M56 36L61 41M45 57L76 57M66 48L66 73C66 78 62 78 58 76M51 63L56 69";
const ADVISOR: &str = "M40 23C37 35 33 42 26 48M35 41L35 77M46 42L77 42M61.500 25L61.500 72M49 72L75 72";
const ADVISOR_2: &str = "M27 42L73 42M50 23L50 73M33 73L67 73";
const ELEPHANT: &str =
    "M25 38L48 38M37 24L37 77M37 40C35 50 31 57 25 62M38 46L47 55M54 29L74 29L74 75L54 75ZM54 44L74 44M54 59L74 59";
const ELEPHANT_2: &str = "M46 21C42 29 38 33 32 37M45 27L60 27L54 35M36 36L67 36L67 47L36 47ZM51 36L51 47M62 48C52 55 42 59 31 61M48 53C57 59 57 72 49 79L43 76M52 60C46 66 39 69 31 71M54 67C48 73 42 77 34 79M68 51L58 57M58 58C63 66 68 71 75 74";
const HORSE: &str = "M35 24L35 56M35 25L67 25M35 35L65 35M35 45L65 45M51 25L51 56M35 56L71 56C71 68 69 77 63 77L58 74M27 64L25 74M37 64L38 72M46 63L49 71M55 62L59 69";
const CHARIOT: &str = "M31 32L69 32M33 41L67 41L67 59L33 59ZM33 50L67 50M26 68L74 68M50 22L50 80";
const CANNON: &str = "M28 37L31 46M45 35L40 45M36.500 24L36.500 48C35.500 60 32 68 25 75M37 54L45 68M56 24C54 33 50 40 45 45M53 33L75 33L75 55C75 60 72 61 68 59M53 44L65 44L65 55L53 55M53 44L53 68C53 73 56 75 60 75L72 75C76 75 77 72 77 66";
const SOLDIER: &str = "M62 22L39 29L39 57M39 40L70 40M58 40L58 57M25 57L75 57M40 63L28 76M60 63L73 76";
const SOLDIER_2: &str = "M50 21L50 31M29 32L71 32M39 36C38 45 35 50 29 55M38 45L46 53M61 36C60 45 57 50 51 54M60 45L69 53M26 61L74 61M50 52L50 80";

fn drawing(glyph: Glyph) -> Drawing {
    match glyph {
        Glyph::Disc => Drawing::Disc,
        Glyph::Ring => Drawing::Ring,
        Glyph::Block => Drawing::Block,
        Glyph::Cross => Drawing::Cross,
        Glyph::Letter => Drawing::Letter,
        Glyph::Pawn => Drawing::Figure(PAWN, "M43 52L57 52M35 77L65 77"),
        Glyph::Rook => Drawing::Figure(ROOK, ROOK_LINES),
        Glyph::Bishop => Drawing::Figure(BISHOP, BISHOP_LINES),
        Glyph::Knight => Drawing::Figure(KNIGHT, KNIGHT_LINES),
        Glyph::Queen => Drawing::Figure(QUEEN, QUEEN_LINES),
        Glyph::King => Drawing::Figure(KING, KING_LINES),
        Glyph::Fish => Drawing::Figure(FISH, FISH_LINES),
        Glyph::Shark => Drawing::Figure(SHARK, SHARK_LINES),
        Glyph::Crown => Drawing::Sign(CROWN),
        Glyph::Star => Drawing::Sign(STAR),
        Glyph::XiangqiGeneral => Drawing::Character(GENERAL, GENERAL_2),
        Glyph::XiangqiAdvisor => Drawing::Character(ADVISOR, ADVISOR_2),
        Glyph::XiangqiElephant => Drawing::Character(ELEPHANT, ELEPHANT_2),
        Glyph::XiangqiHorse => Drawing::Character(HORSE, HORSE),
        Glyph::XiangqiChariot => Drawing::Character(CHARIOT, CHARIOT),
        Glyph::XiangqiCannon => Drawing::Character(CANNON, CANNON),
        Glyph::XiangqiSoldier => Drawing::Character(SOLDIER, SOLDIER_2),
    }
}

/// It is a token with a character.
pub(super) fn is_token(glyph: Glyph) -> bool {
    matches!(drawing(glyph), Drawing::Character(..))
}

/// How a man is to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    pub glyph: Glyph,
    /// Of the kind, for [`Glyph::Letter`].
    pub letter: char,
    /// Of the owner.
    pub colour: Colour,
    /// The second form of characters.
    pub second: bool,
    /// Of a stone, in units.
    pub radius: f64,
    /// Of a cell.
    pub cell: f64,
}

/// The shapes of a man, around (0, 0).
pub(super) fn man_shapes(style: &Style) -> Vec<Shape> {
    let (radius, colour) = (style.radius, style.colour);
    let edge = shade(colour);
    let disc = || Shape::circle((0.0, 0.0), radius, Paint::both(colour, edge, 1.4));
    match drawing(style.glyph) {
        Drawing::Disc => vec![disc()],
        Drawing::Ring => {
            let width = radius * 0.3;
            let ring = |colour, width| Shape::circle((0.0, 0.0), radius * 0.8, Paint::stroke(colour, width));
            vec![ring(edge, width + 2.8), ring(colour, width)]
        }
        Drawing::Block => {
            let side = radius * 1.7;
            let paint = Paint::both(colour, edge, 1.4);
            let inner = Paint::stroke(edge, 1.0).opacity(0.5);
            let square = |side: f64, paint| Shape::rectangle(-side / 2.0, -side / 2.0, side, side, paint);
            vec![square(side, paint), square(side * 0.6, inner)]
        }
        Drawing::Cross => {
            let cross = |colour, width| at_glyph("M30 30L70 70M70 30L30 70", style.cell, Paint::stroke(colour, width));
            vec![cross(edge, 13.0), cross(colour, 8.5)]
        }
        Drawing::Figure(outside, lines) => figure(style, outside, lines),
        Drawing::Sign(sign) => {
            vec![disc(), at_glyph(sign, radius * 2.0, Paint::fill(ink(colour)))]
        }
        Drawing::Character(first, second) => {
            let on = if colour.lightness() > 170.0 { Colour(48, 46, 50) } else { colour };
            let strokes = if style.second { second } else { first };
            vec![
                Shape::circle((0.0, 0.0), radius, Paint::both(TOKEN, TOKEN_EDGE, 1.6)),
                Shape::circle((0.0, 0.0), radius * 0.86, Paint::stroke(on, 1.2)),
                at_glyph(strokes, radius * 1.9, Paint::stroke(on, SIGN)),
            ]
        }
        Drawing::Letter => vec![disc(), bold_around(&style.letter.to_string(), (0.0, 0.0), radius * 0.95, ink(colour))],
    }
}

fn figure(style: &Style, outside: &str, lines: &str) -> Vec<Shape> {
    let colour = style.colour;
    let (edge, on) = if colour.lightness() < 110.0 {
        (Colour(20, 18, 20), ink(colour))
    } else {
        (Colour(48, 46, 50), Colour(48, 46, 50))
    };
    vec![
        at_glyph(outside, style.cell, Paint::both(colour, edge, OUTLINE)),
        at_glyph(lines, style.cell, Paint::stroke(on, OUTLINE)),
    ]
}

/// An outline of the square of glyphs, that square so large; widths too are of that square.
fn at_glyph(text: &str, side: f64, paint: Paint) -> Shape {
    let scale = side / 100.0;
    let path = placed(&outline(text), scale, (-side / 2.0, -side / 2.0));
    let stroke = paint.stroke.map(|(colour, width)| (colour, width * scale));
    Shape::new(Form::Path(path), Paint { stroke, ..paint })
}
