//! Board checking: sections of the board, the players, the kinds and the pictures go in; tables and
//! ids come out.

use crate::board::{
    CellSet, Dir, LineSpec, MAX_HEXAGON_SIDE, MAX_PLAYERS, MAX_SIDE, Player, PlayerSet, Shape, Topology, TopologyError,
    Wrap, parse_cell,
};
use crate::check::Checker;
use crate::check::error::Kind;
use crate::check::layers::{Whole, head};
use crate::check::scope::Reach;
use crate::model::{Picture, Seat};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::{BoardOption, ExprKind, SectionKind};

/// Most men that one glyph of a picture puts on a cell.
const MAX_PICTURED: i64 = 100;

impl<'a> Checker<'a> {
    /// Names and teams; forwards come with the board, which knows the compass.
    pub fn seats(&mut self) -> Option<()> {
        let Some((_, section)) = self.layers.top(Whole::Players) else {
            self.problem(Kind::NoSection { word: "players" }, self.title_span);
            return None;
        };
        let SectionKind::Players(seats) = &section.node else { return None };
        if seats.len() > MAX_PLAYERS {
            self.problem(Kind::TooManyPlayers, head(section));
            return None;
        }
        for (i, seat) in seats.iter().enumerate() {
            if let Some(first) = seats[..i].iter().find(|other| other.player.node == seat.player.node) {
                let kind = Kind::DuplicateName { name: seat.player.node.clone(), keyword: "player", set: None };
                self.problem_with(kind, seat.player.span, first.player.span);
            }
            let team = PlayerSet::one(Player(i as u8));
            self.seats.push(Seat { name: seat.player.node.clone(), forward: None, team });
        }
        self.teams();
        Some(())
    }

    fn teams(&mut self) {
        let Some((_, section)) = self.layers.top(Whole::Teams) else { return };
        let SectionKind::Teams(teams) = &section.node else { return };
        let mut seen = PlayerSet::EMPTY;
        for team in teams {
            let mut members = PlayerSet::EMPTY;
            for word in team {
                let found = self.seats.iter().position(|seat| seat.name == word.node).map(|at| Player(at as u8));
                match found {
                    Some(player) if !seen.contains(player) => {
                        members.insert(player);
                        seen.insert(player);
                    }
                    Some(_) => self.problem(Kind::TwoTeams { name: word.node.clone() }, word.span),
                    None => {
                        self.player_term(word, word.span);
                    }
                }
            }
            for player in members.iter() {
                self.seats[usize::from(player.0)].team = members;
            }
        }
    }

    /// The board's tables. Without a board nothing else can be checked.
    pub fn board(&mut self) -> Option<()> {
        let Some((_, section)) = self.layers.top(Whole::Board) else {
            self.problem(Kind::NoSection { word: "board" }, self.title_span);
            return None;
        };
        let SectionKind::Board(board) = &section.node else { return None };
        let shape = self.shape(board, head(section))?;
        if !matches!(shape, Shape::Square { .. }) && wrap(board) != Wrap::default() {
            self.problem(Kind::BadBoard { error: TopologyError::NothingToWrap }, head(section));
        }
        self.topology = self.expect_topology(Topology::new(shape), head(section))?;
        self.forwards()?;
        let (missing, lines) = self.in_frame(Reach::Game, |checker| checker.board_options(board)).0?;
        if !missing.is_empty() || !lines.is_empty() {
            let redrawn = self.topology.redraw(&missing, &lines);
            self.topology = self.expect_topology(redrawn, head(section))?;
        }
        self.longest = self.longest_line();
        // What was worked out on the whole board does not hold on this one.
        self.forget();
        Some(())
    }

    fn expect_topology(&mut self, made: Result<Topology, TopologyError>, span: Span) -> Option<Topology> {
        made.map_err(|error| self.problem(Kind::BadBoard { error }, span)).ok()
    }

    fn shape(&mut self, board: &'a ast::Board, span: Span) -> Option<Shape> {
        match &board.shape {
            ast::Shape::Square { files, ranks, layers } => {
                let (files, ranks) = (self.side(files, MAX_SIDE), self.side(ranks, MAX_SIDE));
                let layers = layers.as_ref().map_or(Some(1), |layers| self.side(layers, MAX_SIDE));
                Some(Shape::Square { files: files?, ranks: ranks?, layers: layers?, wrap: wrap(board) })
            }
            ast::Shape::Hexagon { side } => Some(Shape::Hexagon { side: self.side(side, MAX_HEXAGON_SIDE)? }),
            ast::Shape::Points => self.points(board, span),
        }
    }

    fn side(&mut self, e: &'a ast::Expr, most: i64) -> Option<u8> {
        let number = self.in_frame(Reach::Game, |checker| checker.number(e)).0?;
        match self.fold().number(&number) {
            Some(n) if (1..=most).contains(&n) => u8::try_from(n).ok(),
            Some(found) => {
                self.problem(Kind::BadSide { found, most }, e.span);
                None
            }
            None => {
                self.problem(Kind::NotConstant, e.span);
                None
            }
        }
    }

    /// A board of points: the lines whose condition holds; the others' points are there all the
    /// same.
    fn points(&mut self, board: &'a ast::Board, span: Span) -> Option<Shape> {
        let mut lines = Vec::new();
        for option in &board.options {
            let BoardOption::Lines(drawn) = &option.node else { continue };
            for (line, condition) in drawn {
                let cells = self.point_line(line)?;
                if self.is_drawn(condition.as_ref())? {
                    lines.push(cells);
                }
            }
        }
        if lines.is_empty() {
            self.problem(Kind::NoPoints, span);
            return None;
        }
        Some(Shape::Points { lines })
    }

    fn is_drawn(&mut self, condition: Option<&'a ast::Expr>) -> Option<bool> {
        let Some(condition) = condition else { return Some(true) };
        let truth = self.in_frame(Reach::Game, |checker| checker.truth(condition)).0?;
        let value = self.fold().truth(&truth);
        if value.is_none() {
            self.problem(Kind::NotConstant, condition.span);
        }
        value
    }

    fn point_line(&mut self, line: &ast::Expr) -> Option<Vec<(u8, u8)>> {
        let ExprKind::Cells(cells) = &*line.kind else {
            self.problem(Kind::PointsWanted, line.span);
            return None;
        };
        let mut points = Vec::new();
        for (cell, to) in cells {
            match parse_cell(cell) {
                Some(point) if to.is_none() => points.push(point),
                None if to.is_none() => {
                    self.problem(Kind::NoSuchPoint { name: cell.node.clone() }, cell.span);
                    return None;
                }
                _ => {
                    self.problem(Kind::PointsWanted, cell.span);
                    return None;
                }
            }
        }
        if points.len() < 2 {
            self.problem(Kind::PointsWanted, line.span);
            return None;
        }
        Some(points)
    }

    fn forwards(&mut self) -> Option<()> {
        let (_, section) = self.layers.top(Whole::Players)?;
        let SectionKind::Players(seats) = &section.node else { return None };
        let with = seats.iter().filter(|seat| seat.forward.is_some()).count();
        if with != 0 && with != seats.len() {
            self.problem(Kind::SomeForwards, head(section));
            return None;
        }
        for (i, seat) in seats.iter().enumerate() {
            let Some(word) = &seat.forward else { continue };
            self.seats[i].forward = self.topology.direction_named(word).or_else(|| {
                self.no_such_direction(word, word.span);
                // Of this mistake nothing else is told: one direction is as good as another.
                self.topology.direction_words().next().map(|_| Dir(0))
            });
        }
        Some(())
    }

    /// Cells that are missing and lines that are drawn, of the whole board.
    fn board_options(&mut self, board: &'a ast::Board) -> Option<(CellSet, Vec<LineSpec>)> {
        let mut missing = CellSet::EMPTY;
        let mut lines = None;
        let mut good = true;
        for option in &board.options {
            match &option.node {
                BoardOption::Stacks => self.stacks = true,
                BoardOption::Wrap { .. } => {}
                BoardOption::Without(cells) => match self.constant_cells(cells) {
                    Some(set) => missing |= set,
                    None => good = false,
                },
                BoardOption::Lines(_) if matches!(board.shape, ast::Shape::Points) => {}
                BoardOption::Lines(drawn) => {
                    for (line, condition) in drawn {
                        match self.line_spec(line, condition.as_ref()) {
                            Some(spec) => lines.get_or_insert_with(Vec::new).push(spec),
                            None => good = false,
                        }
                    }
                }
            }
        }
        let all = || vec![LineSpec { dirs: self.topology.straight(), ends: self.topology.any() }];
        good.then(|| (missing, lines.unwrap_or_else(all)))
    }

    fn constant_cells(&mut self, e: &'a ast::Expr) -> Option<CellSet> {
        let cells = self.cells(e)?;
        let set = self.fold().cells(&cells);
        if set.is_none() {
            self.problem(Kind::NotConstant, e.span);
        }
        set
    }

    fn line_spec(&mut self, line: &'a ast::Expr, condition: Option<&'a ast::Expr>) -> Option<LineSpec> {
        let dirs = self.dirs(line)?;
        let Some(dirs) = self.fold().dirs(&dirs) else {
            self.problem(Kind::NotConstant, line.span);
            return None;
        };
        let ends = match condition {
            None => self.topology.any(),
            Some(condition) => self.ends(condition)?,
        };
        Some(LineSpec { dirs: dirs | self.topology.opposites(&dirs), ends })
    }

    fn ends(&mut self, condition: &'a ast::Expr) -> Option<CellSet> {
        let it = self.scope.fresh();
        self.scope.its.push((it, crate::model::Type::Cells));
        let truth = self.truth(condition);
        self.scope.its.pop();
        let set = crate::model::Cells::Fixed(self.topology.any());
        let parts = crate::model::Where { set, it, condition: truth? };
        let ends = self.fold().cells(&crate::model::Cells::Where(Box::new(parts)));
        if ends.is_none() {
            self.problem(Kind::NotConstant, condition.span);
        }
        ends
    }

    /// The men of a `picture`: ranks from the top, one glyph a cell.
    pub fn picture(&mut self, rows: &ast::Text, legend: &'a [ast::Legend]) -> Option<Picture> {
        let rows_seen: Vec<Vec<(char, Span)>> = picture_rows(rows);
        let ranks = usize::from(self.topology.ranks());
        if rows_seen.len() != ranks {
            let kind = Kind::PictureRanks { found: rows_seen.len(), wanted: ranks };
            self.problem(kind, rows.span);
            return None;
        }
        let mut men = Vec::new();
        let mut good = true;
        for (i, row) in rows_seen.iter().enumerate() {
            let rank = (ranks - i) as u8;
            good &= self.picture_row(row, rank, legend, &mut men).is_some();
        }
        good.then_some(Picture { men })
    }

    fn picture_row(
        &mut self,
        row: &[(char, Span)],
        rank: u8,
        legend: &'a [ast::Legend],
        men: &mut Vec<(crate::board::Cell, Option<Player>, crate::board::Kind)>,
    ) -> Option<()> {
        let files = self.topology.files();
        let places: Vec<_> = (1..=files).map(|file| self.topology.at(file, rank)).collect();
        let present: Vec<_> = places.iter().flatten().copied().map(Some).collect();
        // Where cells are missing, the row may be written with `-` for them, or without them.
        let places = if row.len() == places.len() { places } else { present };
        if row.len() != places.len() {
            let span = row.first().map_or(Span::default(), |first| first.1.to(row[row.len() - 1].1));
            self.problem(Kind::PictureFiles { rank, found: row.len(), wanted: places.len() }, span);
            return None;
        }
        let mut good = true;
        for ((glyph, span), place) in row.iter().zip(places) {
            match (glyph, place) {
                ('.', Some(_)) | ('-', None) => {}
                (_, None) => {
                    self.problem(Kind::PictureNoCell, *span);
                    good = false;
                }
                (glyph, Some(cell)) => match self.glyph(*glyph, *span, legend) {
                    Some((owner, kind)) => {
                        let count = self.legend_count(*glyph, legend);
                        men.extend(std::iter::repeat_n((cell, owner, kind), count));
                    }
                    None => good = false,
                },
            }
        }
        good.then_some(())
    }

    /// How many men a glyph stands for.
    fn legend_count(&mut self, glyph: char, legend: &'a [ast::Legend]) -> usize {
        let entry = legend.iter().find(|entry| entry.glyph.node == glyph);
        let Some((entry, count)) = entry.and_then(|entry| Some((entry, entry.count.as_ref()?))) else { return 1 };
        if !(1..=MAX_PICTURED).contains(&count.node) {
            let name = entry.man.kind.node.clone();
            self.problem(Kind::ParamRange { name, value: count.node, low: 1, high: MAX_PICTURED }, count.span);
        } else if !self.stacks {
            self.problem(Kind::NeedsStacks, count.span);
        }
        self.usage.parts = self.usage.parts.saturating_add(usize::try_from(count.node).unwrap_or(1) / 16);
        usize::try_from(count.node.clamp(1, MAX_PICTURED)).unwrap_or(1)
    }

    /// The man that a glyph stands for.
    fn glyph(
        &mut self,
        glyph: char,
        span: Span,
        legend: &'a [ast::Legend],
    ) -> Option<(Option<Player>, crate::board::Kind)> {
        if let Some(entry) = legend.iter().find(|entry| entry.glyph.node == glyph) {
            let man = self.man(&entry.man)?;
            let owner = match (&man.owner, man.neutral) {
                (_, true) => None,
                (Some(players), _) => Self::literal_player(players).and_then(|set| set.min()),
                (None, _) => Some(Player(0)),
            };
            return Some((owner, man.kind));
        }
        let letter = glyph.to_ascii_uppercase();
        let kind = self.kinds.iter().position(|kind| kind.letter == letter).filter(|_| legend.is_empty());
        match kind {
            Some(at) if glyph.is_ascii_uppercase() || self.seats.len() > 1 => {
                let kind = crate::board::Kind(at as u8);
                self.use_kind(kind);
                let owner =
                    if self.kinds[at].neutral { None } else { Some(Player(u8::from(glyph.is_ascii_lowercase()))) };
                Some((owner, kind))
            }
            _ => {
                self.problem(Kind::UnknownGlyph { glyph }, span);
                None
            }
        }
    }
}

/// All ways that the options of a board close.
fn wrap(board: &ast::Board) -> Wrap {
    board.options.iter().fold(Wrap::default(), |wrap, option| match option.node {
        BoardOption::Wrap { files, ranks } => Wrap { files: wrap.files || files, ranks: wrap.ranks || ranks },
        _ => wrap,
    })
}

/// The glyphs of each row that has any, each with its place.
fn picture_rows(text: &ast::Text) -> Vec<Vec<(char, Span)>> {
    let mut rows = Vec::new();
    // The span includes the quotes.
    let mut at = text.span.start as usize + 1;
    for line in text.node.split('\n') {
        let glyphs: Vec<_> = line
            .char_indices()
            .filter(|(_, glyph)| !glyph.is_whitespace())
            .map(|(i, glyph)| (glyph, Span::new(text.span.source, at + i, at + i + glyph.len_utf8())))
            .collect();
        if !glyphs.is_empty() {
            rows.push(glyphs);
        }
        at += line.len() + 1;
    }
    rows
}
