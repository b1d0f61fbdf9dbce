//! Pieces in words and pictures: the kinds of a game go in; how each moves comes out, with a small
//! picture.

use crate::board::{Cell, CellSet, Kind, Player, Shape};
use crate::game::sheet::layout::{item, paragraph};
use crate::game::sheet::words::{capital, sentence, spaced};
use crate::game::sheet::{Sheet, SheetLine};
use crate::position::{Man, Position};
use crate::reference::Executor;
use crate::render;
use crate::render::Paint;
use crate::syntax::ast;
use crate::syntax::ast::{SectionKind, WayKind};

/// Cells of a picture to each side of the piece, at most.
const REACH: i32 = 3;

/// A kind on a board without others: where it stands, goes, and captures.
struct Shown {
    position: Position,
    at: Cell,
    reached: CellSet,
    caught: CellSet,
}

impl<'a> Sheet<'a> {
    pub fn pieces(&self) -> Vec<SheetLine> {
        let is_plain =
            self.game.kinds.iter().all(|kind| kind.ways.is_empty() && kind.value == 0 && kind.from.is_none());
        if is_plain {
            return Vec::new();
        }
        let mut lines = Vec::new();
        for (at, kind) in self.game.kinds.iter().enumerate() {
            let is_it =
                |section: &SectionKind| matches!(section, SectionKind::Piece(piece) if piece.name.node == kind.name);
            let Some(SectionKind::Piece(piece)) = self.section(is_it).map(|section| &section.node) else { continue };
            let mut head = format!("{} ({})", capital(&spaced(&kind.name)), kind.letter);
            if kind.neutral {
                head += ", which belongs to nobody";
            }
            if let Some(from) = kind.from {
                head += &format!(", a promoted {}", spaced(&self.game.kind(from).name));
            }
            if kind.value != 0 {
                head += &format!(", worth {}", kind.value);
            }
            if piece.ways.is_empty() {
                lines.push(paragraph(format!("{head}: does not move by itself.")));
                continue;
            }
            lines.push(paragraph(format!("{head}:")));
            lines.extend(self.ways(&piece.ways, 0));
            lines.extend(self.picture(Kind(at as u8)));
        }
        lines
    }

    fn ways(&self, ways: &[ast::Way], level: usize) -> Vec<SheetLine> {
        let mut lines = Vec::new();
        for way in ways {
            match &way.node {
                WayKind::Move(line) => lines.push(item(level, "-", sentence(&self.line(line)))),
                WayKind::If { condition, then, otherwise } => {
                    lines.push(item(level, "-", format!("If {}, also:", self.truth(condition))));
                    lines.extend(self.ways(then, level + 1));
                    if let Some(otherwise) = otherwise {
                        lines.push(item(level, "-", "Otherwise:"));
                        lines.extend(self.ways(otherwise, level + 1));
                    }
                }
            }
        }
        lines
    }

    /// Where a piece can go and what it can capture, for the first player.
    fn picture(&self, kind: Kind) -> Option<SheetLine> {
        let shown = self.shown(kind)?;
        let (text, marks) = match self.game.topology.shape() {
            Shape::Square { .. } => self.squares(kind, &shown)?,
            _ => {
                let marked = shown.reached | shown.caught;
                (render::board_drawing(self.game, &shown.position, &marked, Paint::Plain), "( ) goes or captures there")
            }
        };
        let catches = self.game.kind(kind).ways.iter().any(|way| way.line.paths.iter().any(|path| path.catches));
        let more = if catches && shown.caught.is_empty() { "; captures depend on other pieces" } else { "" };
        let text = format!("{text}{marks}{more}\n");
        Some(SheetLine::Picture { text })
    }

    /// The kind where it can go to the most cells, nearest the middle.
    fn shown(&self, kind: Kind) -> Option<Shown> {
        let board = &self.game.topology;
        if self.game.kind(kind).neutral {
            return None;
        }
        let mut executor = Executor::new();
        let empty = executor.empty(self.game).ok()?;
        let (first, second) = (Player(0), Player(1));
        let alone = |cell: Cell| {
            let mut position = empty.clone();
            position.put_at(cell, 0, Man { owner: Some(first), kind });
            position
        };
        let middle = (i32::from(board.files()) + 1, i32::from(board.ranks()) + 1);
        let far = |cell: Cell| {
            let (file, rank) = (i32::from(board.file(cell)), i32::from(board.rank(cell)));
            (2 * file - middle.0).abs().max((2 * rank - middle.1).abs())
        };
        let mut best: Option<(usize, i32, Cell, CellSet)> = None;
        for cell in board.cells() {
            let (reached, _) = executor.ways_from(self.game, &mut alone(cell), cell).ok()?;
            let (count, away) = (reached.len(), far(cell));
            if best.as_ref().is_none_or(|(most, nearest, ..)| (count, -away) > (*most, -*nearest)) {
                best = Some((count, away, cell, reached));
            }
        }
        let (.., at, reached) = best?;
        let mut caught = CellSet::EMPTY;
        for cell in board.cells().filter(|cell| *cell != at) {
            for victim in (0..self.game.kinds.len() as u8).map(Kind).filter(|kind| !self.game.kind(*kind).neutral) {
                let mut against = alone(at);
                against.put_at(cell, 0, Man { owner: Some(second), kind: victim });
                if executor.ways_from(self.game, &mut against, at).ok()?.1.contains(cell) {
                    caught.insert(cell);
                    break;
                }
            }
        }
        Some(Shown { position: alone(at), at, reached, caught })
    }

    fn squares(&self, kind: Kind, shown: &Shown) -> Option<(String, &'static str)> {
        let board = &self.game.topology;
        let (file, rank) = (i32::from(board.file(shown.at)), i32::from(board.rank(shown.at)));
        let at = |file: i32, rank: i32| board.at(u8::try_from(file).ok()?, u8::try_from(rank).ok()?);
        let (mut text, mut marks) = (String::new(), [false; 3]);
        for row in (rank - REACH..=rank + REACH).rev() {
            let cells = (file - REACH..=file + REACH).filter_map(|column| at(column, row));
            let letters = cells.map(|cell| match (shown.reached.contains(cell), shown.caught.contains(cell)) {
                _ if cell == shown.at => self.game.kind(kind).letter,
                (true, true) => '*',
                (true, false) => 'o',
                (false, true) => 'x',
                (false, false) => '.',
            });
            let letters: Vec<String> = letters.map(String::from).collect();
            for (mark, seen) in ["o", "x", "*"].iter().zip(&mut marks) {
                *seen |= letters.iter().any(|letter| letter == mark);
            }
            if !letters.is_empty() {
                text += &format!("{}\n", letters.join(" "));
            }
        }
        let legend = match marks {
            [false, false, false] => return None,
            [true, false, false] => "o moves there",
            [true, true, false] => "o moves there, x captures what is there",
            [false, true, false] => "x captures what is there",
            [false, false, true] => "* moves there, or captures what is there",
            [true, false, true] => "o moves there, * moves there or captures what is there",
            [false, true, true] => "x captures what is there, * the same or moves there",
            [true, true, true] => "o moves there, x captures what is there, * either",
        };
        Some((text, legend))
    }
}
