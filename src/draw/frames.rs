//! Frames: the positions of a game go in; one picture that moves, or a strip of pictures, comes out.

use crate::draw::scene::{Drawn, Item, Symbol};
use crate::draw::{Marks, Painter, Picture};
use crate::model::Game;
use crate::position::Position;

/// Most frames of a picture.
pub const MAX_FRAMES: usize = 1000;
/// How long each frame is shown, in seconds.
const PACE: f64 = 0.8;
/// Frames in a row of a strip, unless more make it wider than tall.
const LEAST_COLUMNS: usize = 4;
/// The last frame is shown as long as so many.
const LAST_HELD: usize = 4;

/// A position of a game: what is marked in it, and the line below it.
#[derive(Clone, Debug)]
pub struct Frame {
    pub position: Position,
    pub marks: Marks,
    pub caption: String,
}

/// What one frame draws: the board's cells one by one, then lines below.
struct Drawings {
    slots: Vec<Vec<Drawn>>,
    /// Lines below the board.
    lines: Vec<Vec<Drawn>>,
}

/// All frames after each other, over and over: an animation of SVG.
pub fn animation(game: &Game, frames: &[Frame], coordinates: bool) -> Option<Picture> {
    let first = frames.first()?;
    let mut painter = Painter::new(game, &first.position, coordinates);
    let most_lines = frames.iter().map(|frame| painter.lines_below(&frame.position).len()).max().unwrap_or(0);
    let (width, top) = (painter.plot.width, painter.plot.height);
    let height = top + painter.line_height() * (most_lines + 1) as f64;
    let mut items: Vec<Item> =
        painter.board().into_iter().map(|element| Item::always(Drawn::Element(element))).collect();
    let total = frames.len() + LAST_HELD;
    // By slot: what stands there, and since which frame.
    let mut open: Vec<(Vec<Drawn>, usize)> = Vec::new();
    let mut closed: Vec<Vec<Item>> = Vec::new();
    for (at, frame) in frames.iter().enumerate() {
        let mut drawings = painter.drawings(frame);
        drawings.lines.resize_with(most_lines, Vec::new);
        let caption = painter.caption(&frame.caption, (width / 2.0, height - painter.line_height()));
        let all = drawings.slots.into_iter().chain(drawings.lines).chain([vec![Drawn::Element(caption)]]);
        for (slot, drawn) in all.enumerate() {
            match open.get_mut(slot) {
                Some((before, _)) if *before == drawn => {}
                Some((before, since)) => {
                    let ended = std::mem::replace(before, drawn);
                    push_shown(&mut closed, slot, ended, (*since, at));
                    *since = at;
                }
                None => open.push((drawn, at)),
            }
        }
    }
    for (slot, (drawn, since)) in open.into_iter().enumerate() {
        push_shown(&mut closed, slot, drawn, (since, total));
    }
    items.extend(closed.into_iter().flatten());
    let description = format!("{} positions of a game", frames.len());
    let mut scene = painter.scene((width, height), items, description);
    scene.animation = Some((total, PACE));
    // What is there all the time is not animated.
    for item in &mut scene.items {
        item.frames = item.frames.filter(|frames| *frames != (0, total));
    }
    Some(Picture { scene })
}

fn push_shown(closed: &mut Vec<Vec<Item>>, slot: usize, drawn: Vec<Drawn>, frames: (usize, usize)) {
    if closed.len() <= slot {
        closed.resize_with(slot + 1, Vec::new);
    }
    if let Some(items) = closed.get_mut(slot) {
        items.extend(drawn.into_iter().map(|drawn| Item { drawn, frames: Some(frames) }));
    }
}

/// All frames beside and below each other, so many in a row; unless said, as many as make it no taller than wide, and some
/// at least.
pub fn strip(game: &Game, frames: &[Frame], columns: Option<usize>, coordinates: bool) -> Option<Picture> {
    let first = frames.first()?;
    let mut painter = Painter::new(game, &first.position, coordinates);
    let most_lines = frames.iter().map(|frame| painter.lines_below(&frame.position).len()).max().unwrap_or(0);
    let (width, top) = (painter.plot.width, painter.plot.height);
    let height = top + painter.line_height() * (most_lines + 1) as f64;
    let is_wide = |columns: &usize| height * frames.len().div_ceil(*columns) as f64 <= width * *columns as f64;
    let usual = || (LEAST_COLUMNS..frames.len()).find(is_wide).unwrap_or(LEAST_COLUMNS);
    let columns = columns.unwrap_or_else(usual).clamp(1, frames.len());
    let board = painter.board();
    painter.symbols.push(Symbol { elements: board });
    let board = painter.symbols.len() - 1;
    let mut items = Vec::new();
    for (at, frame) in frames.iter().enumerate() {
        let corner = ((at % columns) as f64 * width, (at / columns) as f64 * height);
        items.push(Item::always(Drawn::Use { symbol: board, at: corner, scale: 1.0 }));
        let drawings = painter.drawings(frame);
        let caption = painter.caption(&frame.caption, (width / 2.0, height - painter.line_height()));
        let drawn = drawings.slots.into_iter().chain(drawings.lines).flatten().chain([Drawn::Element(caption)]);
        items.extend(drawn.map(|drawn| Item::always(drawn).moved(corner)));
    }
    let rows = frames.len().div_ceil(columns);
    let description = format!("{} positions of a game", frames.len());
    Some(Picture { scene: painter.scene((width * columns as f64, height * rows as f64), items, description) })
}

impl Painter<'_> {
    fn drawings(&mut self, frame: &Frame) -> Drawings {
        let slots = self.slots(&frame.position, &frame.marks);
        let mut lines = Vec::new();
        for (at, line) in self.lines_below(&frame.position).iter().enumerate() {
            let top = self.plot.height + self.line_height() * at as f64;
            lines.push(self.line_below(line, top));
        }
        Drawings { slots, lines }
    }
}
