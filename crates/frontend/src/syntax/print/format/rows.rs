//! Rows: the words of a line go in; its rows come out, broken and aligned with their neighbours.

use crate::syntax::print::format::{HANG, WIDTH, is_tall};

/// Comments behind code begin here, unless the code is longer.
const COMMENTS: usize = 51;
/// Code that is longer moves no comments.
const MOVES_COMMENTS: usize = 76;
/// Comments that are further apart are not aligned, in lines.
const FAR_BELOW: usize = 5;
/// Columns that differ by more are not aligned.
const FAR: usize = 16;
/// The same for aliases, which are read as a table.
const FAR_OF_ALIASES: usize = 40;
/// Statements on one line stand so far apart.
const APART: usize = 3;

/// Rows of one class that follow each other are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Alone,
    /// By the word that it begins with.
    Equals(&'static str),
    About,
    Alias,
    Outcome,
    If,
    Program,
    /// Of the statement with this number.
    Clause(usize),
    Joined,
}

#[derive(Clone, Copy, Debug)]
pub enum Start {
    Column(usize),
    /// From a part of the nearest row above that begins in a column of its own.
    Below {
        part: usize,
        offset: isize,
    },
    /// A line of a string, which is kept as it is.
    Raw,
}

#[derive(Debug)]
pub struct Row {
    start: Start,
    /// Rows are aligned with those of their level alone.
    level: usize,
    parts: Vec<String>,
    class: Class,
    pub comment: Option<String>,
    /// An empty line stands before it.
    pub is_apart: bool,
    is_comment: bool,
}

impl Row {
    pub fn line(indent: usize, text: String) -> Row {
        Row::parts(indent, vec![text], Class::Alone)
    }

    pub fn parts(indent: usize, parts: Vec<String>, class: Class) -> Row {
        let start = Start::Column(indent);
        Row { start, level: indent, parts, class, comment: None, is_apart: false, is_comment: false }
    }

    pub fn comment(indent: usize, text: &str, is_apart: bool) -> Row {
        let row = Row::line(indent, text.into());
        // It takes no further comment.
        Row { is_apart, is_comment: true, comment: Some(String::new()), ..row }
    }

    fn gap(&self) -> usize {
        if self.class == Class::Joined { APART } else { 1 }
    }

    fn text(&self) -> String {
        self.parts.join(&" ".repeat(self.gap()))
    }

    fn column(&self) -> usize {
        if let Start::Column(column) = self.start { column } else { 0 }
    }

    /// There is room for another row behind this one.
    pub fn takes(&self, other: &Row, width: usize) -> bool {
        let long = self.column() + self.text().chars().count() + APART + other.text().chars().count();
        self.comment.is_none() && !self.is_comment && !other.is_apart && long <= width
    }

    pub fn join(&mut self, other: Row) {
        if self.class != Class::Joined {
            self.parts = vec![self.text()];
            self.class = Class::Joined;
        }
        self.parts.push(other.text());
        self.comment = other.comment;
    }

    pub fn begin_with(&mut self, text: &str, start: Start) {
        self.start = start;
        if let Some(part) = self.parts.first_mut() {
            part.insert_str(0, text);
        }
    }

    pub fn end_with(&mut self, text: &str) {
        if let Some(part) = self.parts.last_mut() {
            part.push_str(text);
        }
    }

    fn leads(&self) -> bool {
        matches!(self.start, Start::Column(_))
    }

    /// Where a part begins.
    fn part_at(&self, part: usize) -> usize {
        let before: usize = self.parts.iter().take(part).map(|part| part.chars().count() + self.gap()).sum();
        self.column() + before
    }
}

pub struct Word<'t> {
    pub text: &'t str,
    pub begins_line: bool,
    pub is_commented: bool,
}

pub struct LineRow {
    pub row: Row,
    /// The first of the line's tokens in it; 0 for rows within a string.
    pub first_token: usize,
}

/// A line that may be broken.
pub struct Line<'l, 't> {
    before: &'l str,
    words: &'l [Word<'t>],
    gaps: &'l [bool],
    indent: usize,
    breaks: Vec<bool>,
    class: Class,
    /// Where its second part begins.
    split: Option<usize>,
}

/// Where the words of a line stand.
struct Place {
    row: usize,
    column: usize,
}

impl<'l, 't> Line<'l, 't> {
    pub fn new(
        before: &'l str,
        words: &'l [Word<'t>],
        gaps: &'l [bool],
        indent: usize,
        is_about: bool,
    ) -> Line<'l, 't> {
        let mut line =
            Line { before, words, gaps, indent, breaks: vec![false; words.len()], class: Class::Alone, split: None };
        line.breaks = (0..words.len()).map(|at| line.was_broken(at)).collect();
        line.break_long();
        (line.class, line.split) = line.columns(is_about);
        line
    }

    fn text(&self, at: usize) -> &'t str {
        self.words.get(at).map_or("", |word| word.text)
    }

    fn has_text(&self, at: usize, texts: &[&str]) -> bool {
        texts.contains(&self.text(at))
    }

    fn position(&self, text: &str) -> Option<usize> {
        self.words.iter().position(|word| word.text == text)
    }

    /// The author broke the line there, and well; or a comment does.
    fn was_broken(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at).filter(|_| at > 0) else { return false };
        let breaks_well = ["and", "or", "where", "then", "else", "if", "+", "-", "*", "/", "mod"].contains(&word.text)
            || self.has_text(at - 1, &[",", "=", "then", "else"]);
        // The braces of a pattern's count look like others, and no line is broken before either.
        // Lists of strings are filled as their author likes.
        let goes_on = word.text.starts_with('"') && self.has_text(0, &["play", "legal", "illegal"]);
        word.is_commented || word.begins_line && (breaks_well || goes_on) && word.text != "{"
    }

    /// Breaks rows that are too long, in as few brackets as can be.
    fn break_long(&mut self) {
        for _ in 0..self.words.len() {
            let places = self.places();
            let Some(at) = self.next_break(&places) else { return };
            if let Some(broken) = self.breaks.get_mut(at) {
                *broken = true;
            }
        }
    }

    fn next_break(&self, places: &[Place]) -> Option<usize> {
        let room = WIDTH.saturating_sub(self.indent);
        let end = |at: usize| places[at].column + self.width(at);
        let mut depth = 0_usize;
        let mut depths = Vec::with_capacity(self.words.len());
        for word in self.words {
            depths.push(depth);
            match word.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        let long = (0..self.words.len()).filter(|at| end(*at) > room).map(|at| places[at].row);
        let mut tried = usize::MAX;
        for row in long {
            if row == tried {
                continue;
            }
            tried = row;
            let begins = |at: usize| at == 0 || places[at - 1].row != places[at].row;
            let may = |at: &usize| {
                places[*at].row == row
                    && !begins(*at)
                    && (self.has_text(*at, &["and", "or", "where", "then", "else"])
                        || self.has_text(*at - 1, &[","])
                        || self.text(*at).starts_with('"') && self.has_text(0, &["play", "legal", "illegal"]))
            };
            let fits = |at: &usize| end(*at - 1) <= room;
            let best = (0..self.words.len())
                .filter(may)
                .filter(fits)
                .min_by_key(|at| (depths[*at], self.tightness(*at), usize::MAX - *at));
            if best.is_some() {
                return best;
            }
        }
        None
    }

    /// How closely a word joins what stands around it.
    fn tightness(&self, at: usize) -> usize {
        match self.text(at) {
            "then" => 1,
            "where" => 2,
            "or" => 3,
            "and" => 4,
            _ => 0,
        }
    }

    fn width(&self, at: usize) -> usize {
        let text = self.text(at);
        if is_tall(text) { 1 } else { text.chars().count() }
    }

    /// Row and column of each word, without the indentation.
    fn places(&self) -> Vec<Place> {
        let mut anchors = Anchors::new(self);
        let mut places: Vec<Place> = Vec::with_capacity(self.words.len());
        let (mut row, mut end) = (0, self.before.chars().count());
        for at in 0..self.words.len() {
            let is_broken = self.breaks.get(at).copied().unwrap_or(false);
            let gap = usize::from(at > 0 && self.gaps.get(at).copied().unwrap_or(true));
            let column = if is_broken { anchors.column(self, at) } else { end + gap };
            row += usize::from(is_broken);
            places.push(Place { row, column });
            anchors.pass(self, at, column);
            end = column + self.width(at);
            if is_tall(self.text(at)) {
                // It goes on behind the last line of the string.
                row += 1;
                end = 1;
            }
        }
        places
    }

    /// What the first row is aligned by.
    fn columns(&self, is_about: bool) -> (Class, Option<usize>) {
        const WITH_EQUALS: [&str; 5] = ["define", "let", "param", "remember", "pattern"];
        let (class, split) = match self.text(0) {
            _ if !self.before.is_empty() || self.has_text(self.words.len().saturating_sub(1), &["{"]) => {
                (Class::Alone, None)
            }
            _ if is_about => (Class::About, (self.words.len() > 1).then_some(1)),
            "alias" => (Class::Alias, self.position("for")),
            "win" | "lose" | "draw" if self.text(1) == "if" => (Class::Outcome, Some(1)),
            first => match WITH_EQUALS.into_iter().find(|word| *word == first) {
                Some(word) => (Class::Equals(word), self.position("=")),
                None => (Class::Alone, None),
            },
        };
        let is_in_first_row = |at: &usize| !self.breaks.iter().take(*at + 1).any(|broken| *broken);
        match split.filter(is_in_first_row) {
            Some(split) => (class, Some(split)),
            None => (Class::Alone, None),
        }
    }

    pub fn rows(&self) -> Vec<LineRow> {
        let places = self.places();
        let mut rows =
            vec![LineRow { row: Row::parts(self.indent, vec![self.before.into()], self.class), first_token: 0 }];
        let mut end = self.before.chars().count();
        let mut before = 0;
        for (at, place) in places.iter().enumerate() {
            let text = self.text(at);
            if place.row > before && self.breaks.get(at).copied().unwrap_or(false) {
                rows.push(LineRow { row: self.below(place.column, &places), first_token: at });
                end = place.column;
            }
            before = place.row + usize::from(is_tall(text));
            let Some(LineRow { row, .. }) = rows.last_mut() else { continue };
            if self.split == Some(at) {
                row.parts.push(String::new());
                end = place.column;
            }
            let Some(part) = row.parts.last_mut() else { continue };
            part.extend(std::iter::repeat_n(' ', place.column.saturating_sub(end)));
            end = place.column + self.width(at);
            if is_tall(text) {
                let is_picture = at > 0 && matches!(self.text(at - 1), "picture" | "position");
                self.string(text, is_picture, &mut rows);
                end = 1;
            } else {
                part.push_str(text);
            }
        }
        for LineRow { row, .. } in &mut rows {
            if let [first, _, ..] = row.parts.as_mut_slice() {
                first.truncate(first.trim_end().len());
            }
        }
        rows
    }

    fn below(&self, column: usize, places: &[Place]) -> Row {
        let split = self.split.and_then(|at| places.get(at)).map(|place| place.column);
        let [here, there] = [column, split.unwrap_or(0)].map(|column| isize::try_from(column).unwrap_or(isize::MAX));
        let start = match split {
            Some(_) if column > HANG => Start::Below { part: 1, offset: here - there },
            _ => Start::Below { part: 0, offset: here },
        };
        Row { start, ..Row::line(self.indent, String::new()) }
    }

    /// A string of several lines: those of a picture are indented, others are kept.
    fn string(&self, text: &str, is_picture: bool, rows: &mut Vec<LineRow>) {
        let lines: Vec<&str> = text.split('\n').collect();
        let push = |rows: &mut Vec<LineRow>, start: Start, text: &str| {
            let row = Row { start, ..Row::line(self.indent, text.into()) };
            rows.push(LineRow { row, first_token: 0 });
        };
        if let Some(LineRow { row, .. }) = rows.last_mut() {
            row.end_with(if is_picture { "\"" } else { lines.first().copied().unwrap_or("") });
        }
        if !is_picture {
            for line in lines.iter().skip(1) {
                push(rows, Start::Raw, line);
            }
            return;
        }
        let body = text.get(1..text.len() - 1).unwrap_or("");
        let lines: Vec<&str> = body.split('\n').map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let blanks = |line: &&str| line.chars().take_while(|c| c.is_whitespace()).count();
        // A row behind the opening quote tells nothing of the indentation.
        let begins_behind_quote = !body.split('\n').next().unwrap_or("").trim().is_empty();
        let told = lines.iter().skip(usize::from(begins_behind_quote));
        let least = told.map(blanks).min().unwrap_or(0);
        for (number, line) in lines.iter().enumerate() {
            let strip = if number == 0 && begins_behind_quote { blanks(line) } else { least };
            let line: String = line.chars().skip(strip).collect();
            push(rows, Start::Below { part: 0, offset: 2 }, &line);
        }
        push(rows, Start::Below { part: 0, offset: 0 }, "\"");
    }
}

/// Where a broken line goes on: below what it belongs to.
struct Anchors {
    /// Columns of what stands in brackets.
    brackets: Vec<usize>,
    whole: usize,
    /// The operands of `and` and `or`: behind `where`, `then` and such words the others than the whole.
    operands: usize,
    /// Of a board: what its option begins with.
    option: Option<usize>,
    /// The word behind which the expression begins, if it is still to come.
    trigger: Option<&'static str>,
    is_next: bool,
    operands_are_next: bool,
    option_is_next: bool,
}

impl Anchors {
    fn new(line: &Line) -> Anchors {
        let trigger = match line.text(0) {
            "define" | "let" | "set" | "param" | "remember" | "pattern" => Some("="),
            "legal" if line.text(1) == "only" => Some("only"),
            "play" | "legal" | "illegal" | "need" | "most" | "flip" | "remove" | "highest" | "board" | "players"
            | "teams" => None,
            "pick" => Some("from"),
            "for" => Some("in"),
            "repeat" => Some("while"),
            "move" | "capture" => Some(":"),
            _ => Some("if"),
        };
        let whole = HANG;
        let is_next = trigger.is_none();
        Anchors {
            brackets: Vec::new(),
            whole,
            operands: whole,
            option: None,
            trigger,
            is_next,
            operands_are_next: false,
            option_is_next: false,
        }
    }

    /// Where a row begins that begins with this word.
    fn column(&self, line: &Line, at: usize) -> usize {
        if let Some(bracket) = self.brackets.last() {
            return *bracket;
        }
        let before = line.text(at.saturating_sub(1));
        match line.text(at) {
            "lines" | "without" | "wrap" | "stacks" if line.text(0) == "board" => self.whole,
            _ if line.text(0) == "board" => self.option.unwrap_or(self.whole),
            word @ ("and" | "or") => self.operands.saturating_sub(word.len() + 1).max(2),
            "else" | "if" => self.whole,
            word if matches!(before, "," | "=") || word.starts_with('"') => self.whole,
            _ => self.whole + 2,
        }
    }

    /// A word stands in a column.
    fn pass(&mut self, line: &Line, at: usize, column: usize) {
        let text = line.text(at);
        if at > 0 && std::mem::take(&mut self.is_next) {
            (self.whole, self.operands) = (column, column);
        }
        if std::mem::take(&mut self.operands_are_next) {
            self.operands = column;
        }
        if std::mem::take(&mut self.option_is_next) {
            self.option = Some(column);
        }
        match text {
            "(" => self.brackets.push(column + 1),
            ")" => {
                self.brackets.pop();
            }
            "where" | "if" | "then" | "else" if at > 0 && self.brackets.is_empty() => self.operands_are_next = true,
            "lines" | "without" if line.text(0) == "board" => self.option_is_next = true,
            _ => {}
        }
        if self.trigger == Some(text) && self.brackets.is_empty() {
            self.trigger = None;
            self.is_next = true;
        }
        // An expression that begins on the next row hangs there.
        if line.breaks.get(at + 1).copied().unwrap_or(false) && self.is_next && at > 0 {
            self.is_next = false;
            (self.whole, self.operands) = (HANG, HANG);
        }
    }
}

/// The text of rows.
pub fn print(rows: &[Row]) -> String {
    let pads = pads(rows);
    let mut lines: Vec<String> = Vec::with_capacity(rows.len());
    // The columns of the parts of the last row that leads.
    let mut columns: Vec<usize> = Vec::new();
    for (row, pads) in rows.iter().zip(&pads) {
        let column = match row.start {
            Start::Column(column) => column,
            Start::Below { part, offset } => {
                let base = columns.get(part).copied().unwrap_or(0);
                base.checked_add_signed(offset).unwrap_or(0)
            }
            Start::Raw => 0,
        };
        let mut line = " ".repeat(column);
        let mut starts = Vec::new();
        for (number, part) in row.parts.iter().enumerate() {
            if number > 0 {
                let pad = pads.get(number - 1).copied().unwrap_or(0);
                line.extend(std::iter::repeat_n(' ', row.gap() + pad));
            }
            starts.push(line.chars().count());
            line += part;
        }
        if row.leads() {
            columns = starts;
        }
        if !matches!(row.start, Start::Raw) {
            line.truncate(line.trim_end().len());
        }
        lines.push(line);
    }
    with_comments(rows, lines)
}

/// By row: blanks behind each part but the last.
fn pads(rows: &[Row]) -> Vec<Vec<usize>> {
    let mut pads = vec![Vec::new(); rows.len()];
    let mut start = 0;
    while start < rows.len() {
        let run = run(rows, start);
        let parts = rows[start].parts.len();
        let far = if rows[start].class == Class::Alias { FAR_OF_ALIASES } else { FAR };
        for part in 1..parts {
            let column = |at: usize, pads: &[Vec<usize>]| rows[at].part_at(part) + pads[at].iter().sum::<usize>();
            let columns: Vec<usize> = run.iter().map(|at| column(*at, &pads)).collect();
            let [least, most] = [columns.iter().min(), columns.iter().max()].map(|it| it.copied().unwrap_or(0));
            for (at, column) in run.iter().zip(&columns) {
                pads[*at].push(if most - least > far { 0 } else { most - column });
            }
        }
        start = run.last().copied().unwrap_or(start) + 1;
    }
    pads
}

/// The rows from this one on that are aligned with it.
fn run(rows: &[Row], start: usize) -> Vec<usize> {
    let first = &rows[start];
    let mut run = vec![start];
    if first.class == Class::Alone {
        return run;
    }
    for (at, row) in rows.iter().enumerate().skip(start + 1) {
        if row.is_comment || row.is_apart {
            break;
        }
        if !row.leads() {
            continue;
        }
        if row.class != first.class || row.level != first.level || row.parts.len() != first.parts.len() {
            break;
        }
        run.push(at);
    }
    run
}

/// Comments behind code stand in one column up to the next empty line.
fn with_comments(rows: &[Row], lines: Vec<String>) -> String {
    let mut text = String::new();
    let mut column = None;
    let mut last = 0;
    for (at, (row, line)) in rows.iter().zip(&lines).enumerate() {
        if row.is_apart && at > 0 {
            text.push('\n');
        }
        if row.is_apart || row.is_comment || at > last + FAR_BELOW {
            column = None;
        }
        text += line;
        if let Some(comment) = row.comment.as_ref().filter(|_| !row.is_comment) {
            let column = *column.get_or_insert_with(|| comment_column(&rows[at..], &lines[at..]));
            last = at;
            let width = line.chars().count();
            text.extend(std::iter::repeat_n(' ', column.saturating_sub(width).max(1)));
            text += comment;
        }
        text.push('\n');
    }
    text
}

/// Where the comments stand that begin with that of the first row.
fn comment_column(rows: &[Row], lines: &[String]) -> usize {
    let mut widest = 0;
    let mut last = 0;
    for (at, (row, line)) in rows.iter().zip(lines).enumerate() {
        if at > last + FAR_BELOW || at > 0 && (row.is_apart || row.is_comment) {
            break;
        }
        if row.comment.is_some() {
            last = at;
            widest = widest.max(Some(line.chars().count()).filter(|width| *width <= MOVES_COMMENTS).unwrap_or(0));
        }
    }
    COMMENTS.max(widest + 1)
}
