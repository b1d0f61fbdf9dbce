//! SVG writer: a scene goes in; an SVG document comes out, of shapes alone, no fonts.

use std::fmt::Write;

use crate::draw::scene::{Drawn, Element, Form, Item, Paint, Point, Scene, Segment};
use crate::model::Colour;

/// The document; its numbers have one decimal, and the names of its symbols begin with a prefix.
pub(super) fn document(scene: &Scene, prefix: &str) -> String {
    let (width, height) = (number(scene.width), number(scene.height));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" stroke-linecap=\"round\" stroke-linejoin=\"round\" fill=\"none\">\n\
         <title>{}</title>\n<desc>{}</desc>\n",
        escaped(&scene.title),
        escaped(&scene.description)
    );
    if !scene.symbols.is_empty() {
        text.push_str("<defs>\n");
        for (at, symbol) in scene.symbols.iter().enumerate() {
            let elements: String = symbol.elements.iter().map(|element| element_text(element, "")).collect();
            let _ = writeln!(text, "<g id=\"{prefix}m{at}\">{elements}</g>");
        }
        text.push_str("</defs>\n");
    }
    for item in &scene.items {
        text.push_str(&item_text(scene, item, prefix));
        text.push('\n');
    }
    text.push_str("</svg>\n");
    text
}

/// One decimal, and none where it is 0.
fn number(n: f64) -> String {
    let rounded = (n * 10.0).round() / 10.0;
    // No minus before zero.
    let rounded = if rounded == 0.0 { 0.0 } else { rounded };
    format!("{rounded}")
}

fn colour(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() && c != '\n' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

fn item_text(scene: &Scene, item: &Item, prefix: &str) -> String {
    let when = match (item.frames, scene.animation) {
        (Some(frames), Some((count, seconds))) => shown_in(frames, count, seconds),
        _ => String::new(),
    };
    match &item.drawn {
        Drawn::Element(element) => element_text(element, &when),
        Drawn::Use { symbol, at, scale } => {
            let place = if *scale == 1.0 {
                format!("x=\"{}\" y=\"{}\"", number(at.0), number(at.1))
            } else {
                format!("transform=\"translate({} {}) scale({})\"", number(at.0), number(at.1), number(*scale))
            };
            tag("use", &format!("href=\"#{prefix}m{symbol}\" {place}"), &when)
        }
    }
}

fn tag(name: &str, attributes: &str, inside: &str) -> String {
    let hidden = if inside.is_empty() { "" } else { " visibility=\"hidden\"" };
    match inside {
        "" => format!("<{name} {attributes}/>"),
        inside => format!("<{name} {attributes}{hidden}>{inside}</{name}>"),
    }
}

/// An animation that shows its element from one frame on, up to another.
fn shown_in((first, end): (usize, usize), count: usize, seconds: f64) -> String {
    let time = |frame: usize| {
        let part = frame as f64 / count.max(1) as f64;
        format!("{}", (part * 100_000.0).round() / 100_000.0)
    };
    let (mut values, mut times) = (vec!["hidden"], vec![String::from("0")]);
    if first == 0 {
        values = vec!["visible"];
    } else {
        values.push("visible");
        times.push(time(first));
    }
    if end < count {
        values.push("hidden");
        times.push(time(end));
    }
    format!(
        "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"{}\" keyTimes=\"{}\" dur=\"{}s\" repeatCount=\"indefinite\"/>",
        values.join(";"),
        times.join(";"),
        number(seconds * count as f64)
    )
}

fn element_text(element: &Element, inside: &str) -> String {
    let paint = paint_text(&element.paint);
    match &element.form {
        Form::Circle { centre, radius } => {
            let (x, y, r) = (number(centre.0), number(centre.1), number(*radius));
            tag("circle", &format!("cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{paint}"), inside)
        }
        Form::Rectangles(all) => {
            let one = |r: &crate::draw::scene::Rectangle| {
                let (left, top, width, height) = (number(r.left), number(r.top), number(r.width), number(r.height));
                format!("M{left} {top}h{width}v{height}h-{width}z")
            };
            tag("path", &format!("d=\"{}\"{paint}", all.iter().map(one).collect::<String>()), inside)
        }
        Form::Lines(lines) => {
            let one = |(from, to): &(Point, Point)| {
                let start = format!("M{} {}", number(from.0), number(from.1));
                if from.1 == to.1 {
                    format!("{start}H{}", number(to.0))
                } else if from.0 == to.0 {
                    format!("{start}V{}", number(to.1))
                } else {
                    format!("{start}L{} {}", number(to.0), number(to.1))
                }
            };
            tag("path", &format!("d=\"{}\"{paint}", lines.iter().map(one).collect::<String>()), inside)
        }
        Form::Path(path) => tag("path", &format!("d=\"{}\"{paint}", path_text(path)), inside),
    }
}

fn path_text(path: &[Segment]) -> String {
    let mut text = String::new();
    let point = |at: &Point| format!("{} {}", number(at.0), number(at.1));
    for segment in path {
        match segment {
            Segment::Move(to) => text += &format!("M{}", point(to)),
            Segment::Line(to) => text += &format!("L{}", point(to)),
            Segment::Curve(a, b, to) => text += &format!("C{} {} {}", point(a), point(b), point(to)),
            Segment::Close => text.push('Z'),
        }
    }
    text
}

fn paint_text(paint: &Paint) -> String {
    let mut text = String::new();
    if let Some(fill) = paint.fill {
        text += &format!(" fill=\"{}\"", colour(fill));
    }
    if let Some((stroke, width)) = paint.stroke {
        text += &format!(" stroke=\"{}\" stroke-width=\"{}\"", colour(stroke), number(width));
    }
    if paint.opacity < 1.0 {
        text += &format!(" opacity=\"{}\"", (paint.opacity * 1000.0).round() / 1000.0);
    }
    if let Some(dash) = paint.dash {
        text += &format!(" stroke-dasharray=\"{}\"", number(dash));
    }
    text
}
