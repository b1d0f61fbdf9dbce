//! Raster: a scene goes in; a PNG file of its pixels comes out. No font, no clock and no file is asked.

use tiny_skia::{FillRule, LineCap, LineJoin, PathBuilder, Pixmap, StrokeDash, Transform};

use crate::draw::scene::{Drawn, Element, Form, Paint, Scene, Segment};

/// Most pixels of a picture: 64 megabytes of them.
pub const MAX_PIXELS: f64 = 16_000_000.0;

/// A PNG file so many pixels wide; of a scene that moves, the first frame.
pub(super) fn png(scene: &Scene, width: u32) -> Result<Vec<u8>, String> {
    let scale = f64::from(width) / scene.width.max(1.0);
    let height = (scene.height * scale).ceil().max(1.0);
    if f64::from(width) * height > MAX_PIXELS {
        return Err(format!("a picture of {width} by {height} pixels is too large: at most 16 million are drawn"));
    }
    let mut pixels = Pixmap::new(width, height as u32).ok_or("a picture has at least one pixel")?;
    let whole = Transform::from_scale(scale as f32, scale as f32);
    for item in &scene.items {
        if item.frames.is_some_and(|(first, _)| first > 0) {
            continue;
        }
        match &item.drawn {
            Drawn::Element(element) => paint(&mut pixels, element, whole),
            Drawn::Use { symbol, at, scale } => {
                let place = whole.pre_translate(at.0 as f32, at.1 as f32).pre_scale(*scale as f32, *scale as f32);
                let elements = scene.symbols.get(*symbol).map(|symbol| symbol.elements.as_slice()).unwrap_or_default();
                elements.iter().for_each(|element| paint(&mut pixels, element, place));
            }
        }
    }
    pixels.encode_png().map_err(|error| error.to_string())
}

fn path(form: &Form) -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    match form {
        Form::Circle { centre, radius } => path.push_circle(centre.0 as f32, centre.1 as f32, *radius as f32),
        Form::Rectangles(all) => {
            for one in all {
                let (left, top, width, height) = (one.left as f32, one.top as f32, one.width as f32, one.height as f32);
                if let Some(rectangle) = tiny_skia::Rect::from_xywh(left, top, width, height) {
                    path.push_rect(rectangle);
                }
            }
        }
        Form::Lines(lines) => {
            for (from, to) in lines {
                path.move_to(from.0 as f32, from.1 as f32);
                path.line_to(to.0 as f32, to.1 as f32);
            }
        }
        Form::Path(segments) => {
            for segment in segments {
                match *segment {
                    Segment::Move(to) => path.move_to(to.0 as f32, to.1 as f32),
                    Segment::Line(to) => path.line_to(to.0 as f32, to.1 as f32),
                    Segment::Curve(a, b, to) => {
                        path.cubic_to(a.0 as f32, a.1 as f32, b.0 as f32, b.1 as f32, to.0 as f32, to.1 as f32);
                    }
                    Segment::Close => path.close(),
                }
            }
        }
    }
    path.finish()
}

fn paint(pixels: &mut Pixmap, element: &Element, place: Transform) {
    let Some(path) = path(&element.form) else { return };
    let Paint { fill, stroke, opacity, dash } = element.paint;
    let painted = |colour: crate::model::Colour| {
        let mut paint = tiny_skia::Paint { anti_alias: true, ..tiny_skia::Paint::default() };
        let opacity = (opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
        paint.set_color_rgba8(colour.0, colour.1, colour.2, opacity);
        paint
    };
    if let Some(colour) = fill {
        pixels.fill_path(&path, &painted(colour), FillRule::Winding, place, None);
    }
    if let Some((colour, width)) = stroke {
        let stroke = tiny_skia::Stroke {
            width: width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            dash: dash.and_then(|dash| StrokeDash::new(vec![dash as f32, dash as f32], 0.0)),
            ..tiny_skia::Stroke::default()
        };
        pixels.stroke_path(&path, &painted(colour), &stroke, place, None);
    }
}
