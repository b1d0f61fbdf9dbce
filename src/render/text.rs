//! Text drawing: a position goes in; its board comes out as text, with file letters and rank
//! numbers, men written as in positions.

use anstyle::{AnsiColor, Color, Style};

use crate::board::{Cell, CellSet, Dir, Shape, file_name};
use crate::model::Game;
use crate::notation::{hexagon_line, run_text, stack_text};
use crate::position::{Man, Position};
use crate::render::canvas::Canvas;
use crate::render::grid::{Grid, grid, line_dirs, link, seen_regions, stars};

/// What a drawing is made of: colours are one for each player, as codes for terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Plain,
    Colours,
    /// Colours, and beyond ASCII: stones and figures for men, lines of points as lines.
    Figures,
}

/// The style of players in turn order; beyond these they go round.
const COLOURS: [AnsiColor; 8] = [
    AnsiColor::BrightYellow,
    AnsiColor::BrightCyan,
    AnsiColor::BrightGreen,
    AnsiColor::BrightMagenta,
    AnsiColor::BrightRed,
    AnsiColor::BrightBlue,
    AnsiColor::Yellow,
    AnsiColor::Cyan,
];

/// Empty crossings by the lines that meet there: a bit each to the left, to the right, up and down.
const CROSSINGS: [char; 16] = [
    '\u{b7}', '\u{2500}', '\u{2500}', '\u{2500}', '\u{2502}', '\u{2518}', '\u{2514}', '\u{2534}', '\u{2502}',
    '\u{2510}', '\u{250c}', '\u{252c}', '\u{2502}', '\u{2524}', '\u{251c}', '\u{253c}',
];
/// A star point.
const STAR: char = '\u{254b}';

/// Draws the board of a position, its lines ended each. Squares stand in ranks, hexagons in upright
/// files that are set off by half a rank, points on a grid with the lines that run straight on it.
/// Where men stand on crossings, figures have the lines of the board between them.
/// A `.` is an empty cell, a stack goes from its lowest man to its top; men that wait to leave are
/// small crosses. `marked` cells are between `(` and `)`; of two beside each other a `|` parts them.
pub fn board_drawing(game: &Game, position: &Position, marked: &CellSet, paint: Paint) -> String {
    let light = game.colours().into_iter().map(|colour| colour.is_light()).collect();
    let mut drawing =
        Drawing { game, position, marked, paint, light, width: 1, crossings: Vec::new(), canvas: Canvas::default() };
    drawing.width = game.topology.cells().map(|cell| drawing.cell_text(cell).chars().count()).max().unwrap_or(1);
    match game.topology.shape() {
        Shape::Square { .. } if paint == Paint::Figures && grid(game) == Grid::Crossings => drawing.draw_crossings(),
        Shape::Square { files, .. } => drawing.draw_squares(*files),
        Shape::Hexagon { side } => drawing.draw_hexagons(usize::from(*side)),
        Shape::Points { .. } => drawing.draw_points(),
    }
    drawing.canvas.into_text()
}

/// How many ranks are drawn above a rank.
fn above(game: &Game, rank: u8) -> usize {
    let rank = if game.looks.is_downward { rank.saturating_sub(1) } else { game.topology.ranks().saturating_sub(rank) };
    usize::from(rank)
}

struct Drawing<'a> {
    game: &'a Game,
    position: &'a Position,
    marked: &'a CellSet,
    paint: Paint,
    /// By player: his men are drawn as light ones.
    light: Vec<bool>,
    /// Of the widest cell.
    width: usize,
    /// By cell, where lines run through them: what an empty cell looks like.
    crossings: Vec<char>,
    canvas: Canvas,
}

impl Drawing<'_> {
    fn cell_text(&self, cell: Cell) -> String {
        let men = self.position.men(cell);
        match men {
            [] if self.position.occupied().contains(cell) => "x".into(),
            [] if self.paint == Paint::Figures => {
                self.crossings.get(cell.index()).copied().unwrap_or(CROSSINGS[0]).to_string()
            }
            [] => ".".into(),
            men if self.paint == Paint::Figures => men.chunk_by(|a, b| a == b).map(|run| self.run_text(run)).collect(),
            men => stack_text(self.game, men).trim_matches(['[', ']']).into(),
        }
    }

    /// Equal men upon each other: letters as in the text of positions, or figures.
    fn run_text(&self, run: &[Man]) -> String {
        let Some(figure) = run.first().and_then(|man| self.figure(*man)) else { return run_text(self.game, run) };
        match run.len() {
            many @ 4.. => format!("{figure}{many}"),
            few => figure.to_string().repeat(few),
        }
    }

    /// The character of a man: light men hollow, dark ones full. `None` where a letter says more.
    fn figure(&self, man: Man) -> Option<char> {
        if self.paint != Paint::Figures {
            return None;
        }
        let is_light = man.owner.is_some_and(|owner| self.light.get(owner.index()).copied().unwrap_or(false));
        let (light, dark) = self.game.icon(man.kind, man.owner.is_some()).characters()?;
        Some(if is_light { light } else { dark })
    }

    /// The characters of lines: level, upright, rising, falling.
    fn strokes(&self) -> [&'static str; 4] {
        match self.paint {
            Paint::Figures => ["\u{2500}", "\u{2502}", "\u{2571}", "\u{2572}"],
            _ => ["-", "|", "/", "\\"],
        }
    }

    fn style(&self, man: Man) -> Style {
        match (self.paint, man.owner) {
            (Paint::Plain, _) => Style::new(),
            (_, None) => Style::new().dimmed(),
            (_, Some(owner)) => {
                let colour = COLOURS.get(owner.index() % COLOURS.len()).copied().map(Color::Ansi);
                Style::new().bold().fg_color(colour)
            }
        }
    }

    fn faint(&self) -> Style {
        if self.paint == Paint::Plain { Style::new() } else { Style::new().dimmed() }
    }

    /// Writes a cell, each man in the style of his owner, the marks around it.
    fn write_cell(&mut self, line: usize, column: usize, cell: Cell) {
        let men = self.position.men(cell);
        let text = self.cell_text(cell);
        if men.is_empty() {
            self.canvas.write(line, column, &text, self.faint());
        }
        let mut at = column;
        for run in men.chunk_by(|a, b| a == b) {
            let word = self.run_text(run);
            self.canvas.write(line, at, &word, run.first().map_or(Style::new(), |man| self.style(*man)));
            at += word.chars().count();
        }
        if self.marked.contains(cell) && column > 0 {
            self.mark(line, column - 1, "(");
            self.mark(line, column + text.chars().count(), ")");
        }
    }

    /// Where two marked cells meet, one stroke stands for the marks of both.
    fn mark(&mut self, line: usize, column: usize, mark: &str) {
        let is_taken = matches!(self.canvas.at(line, column), '(' | ')');
        self.canvas.write(line, column, if is_taken { "|" } else { mark }, Style::new());
    }

    /// A word in the middle above or below the cells of a column.
    fn label(&mut self, line: usize, column: usize, word: &str) {
        self.canvas.write(line, column, word, self.faint());
    }

    /// The columns that rank numbers take.
    fn margin(&self) -> usize {
        self.game.topology.ranks().to_string().len() + 2
    }

    fn label_ranks(&mut self, line_of: impl Fn(u8) -> usize) {
        for rank in 1..=self.game.topology.ranks() {
            let word = format!("{rank:>width$}", width = self.margin() - 2);
            self.label(line_of(rank), 0, &word);
        }
    }

    /// Rank by rank, with a gap between layers of so many files.
    fn draw_squares(&mut self, files: u8) {
        let game = self.game;
        let (board, margin, step) = (&game.topology, self.margin(), self.width.max(self.file_width()) + 1);
        let column = |file: u8| margin + step * (usize::from(file) - 1) + 2 * usize::from((file - 1) / files);
        self.label_ranks(|rank| above(game, rank));
        for cell in board.cells() {
            let column = column(board.file(cell));
            self.write_cell(above(game, board.rank(cell)), column, cell);
        }
        for file in 1..=board.files() {
            self.label(usize::from(board.ranks()), column(file), &file_name(file));
        }
    }

    /// Lines with men where they cross. Lines that run level and upright need no lines of text of their own.
    fn draw_crossings(&mut self) {
        let game = self.game;
        let (board, margin) = (&game.topology, self.margin());
        let regions = seen_regions(game, self.position);
        let (orthogonal, ranks) = (board.orthogonal(), usize::from(board.ranks()));
        let drawn = line_dirs(board);
        let is_close = (drawn - orthogonal).is_empty();
        let (step, tall) = match is_close {
            true => (self.width.max(self.file_width()) + 1, 1),
            false => ((self.width + 2).max(4) & !1, 2),
        };
        let line = |cell: Cell| tall * above(game, board.rank(cell));
        let column = |cell: Cell| margin + step * (usize::from(board.file(cell)) - 1);
        let mut met = vec![0; board.len()];
        for from in board.cells() {
            for (dir, to) in drawn.iter().filter_map(|dir: Dir| Some((dir, link(board, &regions, from, dir)?))) {
                let (a, b) = ((line(from), column(from)), (line(to), column(to)));
                if let Some(met) = met.get_mut(from.index()) {
                    *met |= match (b.0.cmp(&a.0), b.1.cmp(&a.1)) {
                        (std::cmp::Ordering::Equal, std::cmp::Ordering::Less) => 1,
                        (std::cmp::Ordering::Equal, _) => 2,
                        (std::cmp::Ordering::Less, std::cmp::Ordering::Equal) => 4,
                        (_, std::cmp::Ordering::Equal) => 8,
                        _ => 0,
                    };
                }
                // Once for both ways.
                if dir < board.opposite(dir) {
                    self.draw_line(a, b, step);
                }
            }
        }
        if is_close {
            self.crossings = met.iter().map(|met| CROSSINGS[*met]).collect();
            for star in stars(game) {
                if let Some(crossing) = self.crossings.get_mut(star.index()) {
                    *crossing = STAR;
                }
            }
        }
        self.label_ranks(|rank| tall * above(game, rank));
        for cell in board.cells() {
            self.write_cell(line(cell), column(cell), cell);
        }
        for file in 1..=board.files() {
            self.label(tall * ranks, margin + step * (usize::from(file) - 1), &file_name(file));
        }
    }

    fn file_width(&self) -> usize {
        file_name(self.game.topology.files()).len()
    }

    /// Each file is a column; a cell stands two lines above the next lower of its file. The number
    /// of a rank stands to the left of its leftmost cell, the letter of a file below its lowest.
    fn draw_hexagons(&mut self, side: usize) {
        let game = self.game;
        let board = &game.topology;
        let step = self.width.max(2) + 1;
        let last = 2 * side - 1;
        let line = |file: usize, rank: usize| hexagon_line(side, file, rank);
        let column = |file: usize| file * step;
        for cell in board.cells() {
            let (file, rank) = (usize::from(board.file(cell)), usize::from(board.rank(cell)));
            self.write_cell(line(file, rank) - 1, column(file), cell);
        }
        for number in 1..=last {
            let leftmost = (number + 1).saturating_sub(side).max(1);
            let word = format!("{number:>2}");
            self.label(line(leftmost, number) - 1, column(leftmost - 1), &word);
            self.label(line(number, 1) + 1, column(number), &file_name(number as u8));
        }
    }

    /// A file is every fourth column (or more, where men need it), a rank every second line;
    /// between stand the lines.
    fn draw_points(&mut self) {
        let game = self.game;
        let board = &game.topology;
        let (margin, step, ranks) = (self.margin(), (self.width + 2).max(4) & !1, usize::from(board.ranks()));
        let line = |rank: u8| 2 * above(game, rank);
        let column = |file: u8| margin + step * (usize::from(file) - 1);
        self.label_ranks(line);
        for from in board.cells() {
            for &(dir, to) in board.exits(from) {
                if dir.0.is_multiple_of(2) {
                    let (a, b) = ((board.file(from), board.rank(from)), (board.file(to), board.rank(to)));
                    self.draw_line((line(a.1), column(a.0)), (line(b.1), column(b.0)), step);
                }
            }
        }
        for cell in board.cells() {
            self.write_cell(line(board.rank(cell)), column(board.file(cell)), cell);
        }
        for file in 1..=board.files() {
            self.label(2 * ranks, column(file), &file_name(file));
        }
    }

    /// A line between two places, if it is level, upright or runs from corner to corner of the
    /// grid.
    fn draw_line(&mut self, a: (usize, usize), b: (usize, usize), step: usize) {
        let (down, right) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        let (top, left) = (a.0.min(b.0), a.1.min(b.1));
        let falls = (a.0 < b.0) == (a.1 < b.1);
        let half = step / 2;
        let style = self.faint();
        let [level, upright, rising, falling] = self.strokes();
        if down == 0 {
            self.canvas.write(top, left, &level.repeat(right), style);
        } else if right == 0 {
            (1..down).for_each(|at| self.canvas.write(top + at, left, upright, style));
        } else if down * half == right {
            for at in 1..down {
                let column = if falls { left + at * half } else { left + right - at * half };
                self.canvas.write(top + at, column, if falls { falling } else { rising }, style);
            }
        }
    }
}
