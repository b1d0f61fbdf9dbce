//! Scene: elements, each with a paint, go in; what SVG and pixels are made from comes out.
//!
//! Lengths are in units of a picture: a cell is [`crate::draw::layout::CELL`] of them wide. x grows to the right, y downwards.

use crate::model::Colour;

pub(super) type Point = (f64, f64);

/// A part of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Segment {
    Move(Point),
    Line(Point),
    Curve(Point, Point, Point),
    Close,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    Circle { centre: Point, radius: f64 },
    Rectangles(Vec<Rectangle>),
    Lines(Vec<(Point, Point)>),
    Path(Vec<Segment>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rectangle {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// How a form is painted; widths in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paint {
    pub fill: Option<Colour>,
    pub stroke: Option<(Colour, f64)>,
    /// From 0 to 1.
    pub opacity: f64,
    /// Length of dashes and of the gaps between them.
    pub dash: Option<f64>,
}

impl Paint {
    pub const NONE: Paint = Paint { fill: None, stroke: None, opacity: 1.0, dash: None };

    pub fn fill(colour: Colour) -> Paint {
        Paint { fill: Some(colour), ..Paint::NONE }
    }

    pub fn stroke(colour: Colour, width: f64) -> Paint {
        Paint { stroke: Some((colour, width)), ..Paint::NONE }
    }

    pub fn both(fill: Colour, stroke: Colour, width: f64) -> Paint {
        Paint { fill: Some(fill), stroke: Some((stroke, width)), ..Paint::NONE }
    }

    pub fn opacity(self, opacity: f64) -> Paint {
        Paint { opacity, ..self }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Element {
    pub form: Form,
    pub paint: Paint,
}

impl Element {
    pub fn new(form: Form, paint: Paint) -> Element {
        Element { form, paint }
    }

    pub fn circle(centre: Point, radius: f64, paint: Paint) -> Element {
        Element::new(Form::Circle { centre, radius }, paint)
    }

    pub fn rectangle(left: f64, top: f64, width: f64, height: f64, paint: Paint) -> Element {
        Element::new(Form::Rectangles(vec![Rectangle { left, top, width, height }]), paint)
    }
}

/// The segments of a closed outline of straight lines.
pub(super) fn polygon(corners: &[Point]) -> Vec<Segment> {
    let first = corners.iter().take(1).map(|at| Segment::Move(*at));
    let others = corners.iter().skip(1).map(|at| Segment::Line(*at));
    first.chain(others).chain([Segment::Close]).collect()
}

/// Shapes that are drawn in several places, such as a man; their middle is at (0, 0).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Symbol {
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Drawn {
    Element(Element),
    /// A symbol by its place in [`Scene::symbols`].
    Use {
        symbol: usize,
        at: Point,
        scale: f64,
    },
}

/// A thing on the picture, and in which frames it is there: from the first on, up to the second; `None` is in all.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub drawn: Drawn,
    pub frames: Option<(usize, usize)>,
}

impl Item {
    pub fn always(drawn: Drawn) -> Item {
        Item { drawn, frames: None }
    }

    /// The same elsewhere.
    pub fn moved(&self, by: Point) -> Item {
        let drawn = match &self.drawn {
            Drawn::Element(element) => Drawn::Element(Element { form: element.form.moved(by), paint: element.paint }),
            Drawn::Use { symbol, at, scale } => {
                Drawn::Use { symbol: *symbol, at: (at.0 + by.0, at.1 + by.1), scale: *scale }
            }
        };
        Item { drawn, frames: self.frames }
    }
}

impl Form {
    fn moved(&self, by: Point) -> Form {
        let put = |at: Point| (at.0 + by.0, at.1 + by.1);
        match self {
            Form::Circle { centre, radius } => Form::Circle { centre: put(*centre), radius: *radius },
            Form::Rectangles(all) => Form::Rectangles(
                all.iter().map(|one| Rectangle { left: one.left + by.0, top: one.top + by.1, ..*one }).collect(),
            ),
            Form::Lines(lines) => Form::Lines(lines.iter().map(|(from, to)| (put(*from), put(*to))).collect()),
            Form::Path(path) => Form::Path(placed(path, 1.0, by)),
        }
    }
}

/// An outline scaled, then moved.
pub(super) fn placed(path: &[Segment], scale: f64, by: Point) -> Vec<Segment> {
    let put = |at: Point| (at.0 * scale + by.0, at.1 * scale + by.1);
    path.iter()
        .map(|segment| match *segment {
            Segment::Move(to) => Segment::Move(put(to)),
            Segment::Line(to) => Segment::Line(put(to)),
            Segment::Curve(a, b, to) => Segment::Curve(put(a), put(b), put(to)),
            Segment::Close => Segment::Close,
        })
        .collect()
}

/// Reads an outline: `M x y`, `L x y`, `C x y x y x y` and `Z`, as in SVG. What follows a mistake is left out.
pub(super) fn outline(text: &str) -> Vec<Segment> {
    let mut path = Vec::new();
    let starts: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_ascii_uppercase()).map(|(at, _)| at).collect();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        let numbers: Vec<f64> = (text.get(start + 1..end).unwrap_or_default().split_whitespace())
            .filter_map(|number| number.parse().ok())
            .collect();
        match (text.as_bytes().get(start), numbers.as_slice()) {
            (Some(b'M'), &[x, y]) => path.push(Segment::Move((x, y))),
            (Some(b'L'), &[x, y]) => path.push(Segment::Line((x, y))),
            (Some(b'C'), &[a, b, c, d, x, y]) => path.push(Segment::Curve((a, b), (c, d), (x, y))),
            (Some(b'Z'), []) => path.push(Segment::Close),
            _ => return path,
        }
    }
    path
}

/// What a picture shows. Drawn in the order of the items.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scene {
    pub width: f64,
    pub height: f64,
    /// For those who cannot see it.
    pub title: String,
    pub description: String,
    pub symbols: Vec<Symbol>,
    pub items: Vec<Item>,
    /// Number of frames and seconds of each, if it moves.
    pub animation: Option<(usize, f64)>,
}
