//! Formatter: a text and the printer's layout of its tree go in; the text in the canonical layout
//! comes out, its words, marks, comments and pictures kept.
//!
//! Which words stand beside each other, in which braces, comes from the tree. Line ends and empty
//! lines between statements stay as the author had them, since they tell what belongs together;
//! all else is decided: blanks, indentation, columns, long lines.

mod rows;

use crate::source::SourceId;
use crate::syntax::print::format::rows::{Class, Row, Start};
use crate::syntax::print::layout::Doc;
use crate::syntax::scan::scan;

/// No line of code is longer, where it can be broken.
pub const WIDTH: usize = 110;
/// What a broken line goes on with stands so far to the right.
const HANG: usize = 4;

/// A word or mark of the text, and what stands before it.
struct Token<'t> {
    text: &'t str,
    comments: Vec<Comment<'t>>,
    begins_line: bool,
    /// An empty line stands before it, behind its comments.
    is_apart: bool,
}

#[derive(Clone, Copy)]
struct Comment<'t> {
    text: &'t str,
    has_own_line: bool,
    /// An empty line stands before it.
    is_apart: bool,
}

/// A part of the layout with the gaps before its tokens: a blank, or nothing.
enum Node {
    Leaf(Vec<bool>),
    Clauses(Vec<Clause>),
}

struct Clause {
    head: Vec<bool>,
    body: Vec<Node>,
}

impl Node {
    fn new(doc: &Doc) -> Node {
        match doc {
            Doc::Line(line) => Node::Leaf(gaps(line)),
            Doc::Clauses { clauses, .. } => {
                let clause = |(head, body): &(String, Vec<Doc>)| Clause { head: gaps(head), body: Node::all(body) };
                Node::Clauses(clauses.iter().map(clause).collect())
            }
        }
    }

    fn all(docs: &[Doc]) -> Vec<Node> {
        docs.iter().map(Node::new).collect()
    }

    /// How many tokens it has.
    fn len(&self) -> usize {
        match self {
            Node::Leaf(gaps) => gaps.len(),
            Node::Clauses(clauses) => clauses.iter().map(Clause::len).sum(),
        }
    }
}

impl Clause {
    fn len(&self) -> usize {
        self.head.len() + 2 + self.body.iter().map(Node::len).sum::<usize>()
    }
}

/// For each token of a printed line: a blank stands before it.
fn gaps(line: &str) -> Vec<bool> {
    let mut end = 0;
    let mut gap = |token: &crate::syntax::scan::Token| {
        let gap = token.start > end;
        end = token.end();
        gap
    };
    scan(SourceId::PRELUDE, line).tokens.iter().map(&mut gap).collect()
}

/// The tokens of a text, and the comments behind the last of them.
fn tokens(text: &str) -> (Vec<Token<'_>>, Vec<Comment<'_>>) {
    let mut end = 0;
    let mut all = Vec::new();
    for token in scan(SourceId::PRELUDE, text).tokens {
        let (comments, begins_line, is_apart) = between(text.get(end..token.start).unwrap_or(""), end == 0);
        all.push(Token { text: token.text, comments, begins_line, is_apart });
        end = token.end();
    }
    let (comments, ..) = between(text.get(end..).unwrap_or(""), end == 0);
    (all, comments)
}

/// The comments between two tokens, or before the first; whether a line ends there, and with an empty
/// line behind it.
fn between(gap: &str, is_first: bool) -> (Vec<Comment<'_>>, bool, bool) {
    let mut comments = Vec::new();
    let mut empty = 0;
    for (number, line) in gap.trim_start_matches('\u{feff}').split('\n').enumerate() {
        let text = line.trim();
        if text.starts_with('#') {
            comments.push(Comment { text, has_own_line: is_first || number > 0, is_apart: empty > 0 });
            empty = 0;
        } else if number > 0 {
            empty += 1;
        }
    }
    // The last line is that of the token.
    (comments, gap.contains('\n'), empty > 1)
}

/// The text in the canonical layout; `None` where words or comments would not be kept, which is
/// not known to happen. `docs` are those of the text's tree.
pub fn format(text: &str, docs: &[Doc]) -> Option<String> {
    let nodes = Node::all(docs);
    let mut formatted = once(text, &nodes)?;
    // A comment that finds no place on its line gets a line of its own, and then divides what
    // stands around it.
    for _ in 0..MOST_PASSES {
        let again = once(&formatted, &nodes)?;
        if again == formatted {
            break;
        }
        formatted = again;
    }
    is_the_same(text, &formatted).then_some(formatted)
}

/// After so many passes nothing has been seen to change.
const MOST_PASSES: usize = 4;

fn once(text: &str, nodes: &[Node]) -> Option<String> {
    let (tokens, last) = tokens(text);
    if nodes.iter().map(Node::len).sum::<usize>() != tokens.len() {
        return None;
    }
    let mut formatter = Formatter { tokens, at: 0, rows: Vec::new(), clauses: 0 };
    formatter.body(nodes, 0, Body { is_open: true, is_about: false, is_sections: true });
    formatter.comments(&last, 0, false);
    Some(rows::print(&formatter.rows))
}

/// Words and marks are the same, and so are the comments; lines of strings may be indented
/// otherwise.
fn is_the_same(text: &str, formatted: &str) -> bool {
    let [(old, old_last), (new, new_last)] = [tokens(text), tokens(formatted)];
    let alike = |(old, new): (&Token, &Token)| match old.text.contains('\n') {
        true => old.text.split_whitespace().eq(new.text.split_whitespace()),
        false => old.text == new.text,
    };
    old.len() == new.len() && old.iter().zip(&new).all(alike) && texts(&old, &old_last).eq(texts(&new, &new_last))
}

fn texts<'c>(tokens: &'c [Token], last: &'c [Comment]) -> impl Iterator<Item = &'c str> {
    tokens.iter().flat_map(|token| &token.comments).chain(last).map(|comment| comment.text)
}

/// How a body is laid out.
#[derive(Clone, Copy)]
struct Body {
    /// The author ended the line behind the brace; then what stands on one line stays there.
    is_open: bool,
    is_about: bool,
    is_sections: bool,
}

/// How wide the columns of the pieces that follow each other are.
#[derive(Clone, Copy, Default)]
struct Columns {
    name: usize,
    head: usize,
}

struct Formatter<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    rows: Vec<Row>,
    /// Numbers the statements of several clauses.
    clauses: usize,
}

impl<'t> Formatter<'t> {
    fn text(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// The author had all of these tokens on one line.
    fn is_on_one_line(&self, from: usize, len: usize) -> bool {
        let tokens = self.tokens.get(from..from + len).unwrap_or(&[]);
        let inner = tokens.iter().skip(1).all(|token| !token.begins_line && token.comments.is_empty());
        inner && tokens.iter().all(|token| !token.text.contains('\n'))
    }

    fn flat_leaf(&self, at: usize, gaps: &[bool]) -> String {
        let mut line = String::new();
        for (offset, gap) in gaps.iter().enumerate() {
            if *gap && offset > 0 {
                line.push(' ');
            }
            line += self.text(at + offset);
        }
        line
    }

    /// A node on one line.
    fn flat(&self, at: usize, node: &Node) -> String {
        match node {
            Node::Leaf(gaps) => self.flat_leaf(at, gaps),
            Node::Clauses(clauses) => {
                let mut at = at;
                let mut texts = Vec::new();
                for clause in clauses {
                    let (head, body) = self.flat_clause(at, clause);
                    texts.push(format!("{head} {body}"));
                    at += clause.len();
                }
                texts.join(" ")
            }
        }
    }

    /// Head and braces.
    fn flat_clause(&self, at: usize, clause: &Clause) -> (String, String) {
        let head = self.flat_leaf(at, &clause.head);
        let mut at = at + clause.head.len() + 1;
        let mut body = Vec::new();
        for node in &clause.body {
            body.push(self.flat(at, node));
            at += node.len();
        }
        let mut line = String::from("{");
        for (number, text) in body.iter().enumerate() {
            // `swap again` is read as one.
            let is_next_word = number == 0 || text == "again" && body[number - 1] == "swap";
            line += if is_next_word { " " } else { "   " };
            line += text;
        }
        (head, line + " }")
    }

    /// Comments, the first of which may stand behind the last line.
    fn comments(&mut self, comments: &[Comment], indent: usize, is_first: bool) {
        for (number, comment) in comments.iter().enumerate() {
            match self.rows.last_mut() {
                Some(row) if !comment.has_own_line && row.comment.is_none() => {
                    row.comment = Some(comment.text.into());
                }
                _ => {
                    let is_apart = comment.is_apart && !(is_first && number == 0);
                    self.rows.push(Row::comment(indent, comment.text, is_apart));
                }
            }
        }
    }

    /// The comments before the next token; and whether it stands apart from what is before it.
    fn lead(&mut self, indent: usize, is_first: bool) -> bool {
        let Some(token) = self.tokens.get_mut(self.at) else { return false };
        let comments = std::mem::take(&mut token.comments);
        let is_apart = token.is_apart;
        self.comments(&comments, indent, is_first);
        is_apart && !(is_first && comments.iter().all(|comment| !comment.has_own_line))
    }

    /// The nodes between braces, or those of the whole text.
    fn body(&mut self, nodes: &[Node], indent: usize, how: Body) {
        let mut columns = (0, Columns::default());
        let mut was_long = false;
        for (number, node) in nodes.iter().enumerate() {
            if number >= columns.0 {
                columns = self.columns(nodes, number);
            }
            let begins_line = self.tokens.get(self.at).is_none_or(|token| token.begins_line);
            let had_rows = self.rows.len();
            let is_apart = self.lead(indent, number == 0);
            let joins = number > 0 && how.is_open && !begins_line && had_rows == self.rows.len();
            let start = self.rows.len();
            self.node(node, indent, how, columns.1);
            let is_long = self.rows.len() > start + 1;
            if let Some(row) = self.rows.get_mut(start) {
                // Who wrote all on one line has told no paragraphs.
                row.is_apart = is_apart || how.is_sections && !how.is_open && number > 0 && (is_long || was_long);
            }
            if joins && !is_long && !was_long {
                self.join();
            }
            was_long = is_long;
        }
    }

    /// Puts the last row behind the one before it, if there is room.
    fn join(&mut self) {
        let Some(row) = self.rows.pop() else { return };
        match self.rows.last_mut() {
            Some(before) if before.takes(&row, WIDTH) => before.join(row),
            _ => self.rows.push(row),
        }
    }

    fn node(&mut self, node: &Node, indent: usize, how: Body, columns: Columns) {
        match node {
            Node::Leaf(gaps) if self.text(self.at) == "piece" => self.short_piece(gaps, indent, columns),
            Node::Leaf(gaps) => self.leaf("", gaps, indent, how.is_about),
            Node::Clauses(clauses) => match clauses.as_slice() {
                [piece] if self.text(self.at) == "piece" && self.can_hang(piece) => self.piece(piece, indent, columns),
                _ if self.on_one_line(node, clauses, indent) => {}
                _ => self.clauses(clauses, indent),
            },
        }
    }

    /// Lays a node out on one line, if its author did and there is room.
    fn on_one_line(&mut self, node: &Node, clauses: &[Clause], indent: usize) -> bool {
        let word = self.text(self.at);
        if word == "game" || !self.is_on_one_line(self.at, node.len()) {
            return false;
        }
        let flat = self.flat(self.at, node);
        // A note alone gets no shorter by a line of its own.
        let is_note = word == "about" && matches!(clauses, [about] if about.body.len() == 1);
        if !is_note && flat.chars().count() + indent > WIDTH {
            return false;
        }
        let row = match (clauses, word) {
            ([clause], "if" | "setup" | "move" | "end") => {
                let (head, body) = self.flat_clause(self.at, clause);
                let class = if word == "if" { Class::If } else { Class::Program };
                Row::parts(indent, vec![head, body], class)
            }
            _ => Row::line(indent, flat),
        };
        self.rows.push(row);
        self.at += node.len();
        true
    }

    /// Clauses below each other. A clause on one line ends its line; behind a longer one the next
    /// goes on behind the closing brace.
    fn clauses(&mut self, clauses: &[Clause], indent: usize) {
        self.clauses += 1;
        let number = self.clauses;
        let mut close = "";
        for clause in clauses {
            let is_commented = self.tokens.get(self.at).is_some_and(|token| !token.comments.is_empty());
            if is_commented && !close.is_empty() {
                self.rows.push(Row::line(indent, "}".into()));
                close = "";
            }
            self.lead(indent, true);
            let (head, body) = self.flat_clause(self.at, clause);
            let width = indent + close.len() + head.chars().count() + 1 + body.chars().count();
            // One clause alone has been found to be too long, or not to be on one line.
            let is_short = clauses.len() > 1 && self.is_on_one_line(self.at, clause.len()) && width <= WIDTH;
            if is_short {
                self.at += clause.len();
                self.rows.push(match close {
                    "" => Row::parts(indent, vec![head, body], Class::Clause(number)),
                    _ => Row::line(indent, format!("{close}{head} {body}")),
                });
                close = "";
            } else {
                self.long_clause(close, clause, indent);
                close = "} ";
            }
        }
        if !close.is_empty() {
            self.rows.push(Row::line(indent, "}".into()));
        }
    }

    /// A head with its opening brace, and the body below it; the closing brace is not printed.
    fn long_clause(&mut self, close: &str, clause: &Clause, indent: usize) {
        let word = self.text(self.at);
        let mut gaps = clause.head.clone();
        gaps.push(true);
        self.leaf(close, &gaps, indent, false);
        let is_open = self.tokens.get(self.at).is_none_or(|token| token.begins_line);
        let is_sections = matches!(word, "game" | "variant");
        self.body(&clause.body, indent + 2, Body { is_open, is_about: word == "about", is_sections });
        self.lead(indent + 2, clause.body.is_empty());
        self.at += 1;
    }

    /// A line, broken where its author did and where it is too long. `before` stands before it.
    fn leaf(&mut self, before: &str, gaps: &[bool], indent: usize, is_about: bool) {
        let end = (self.at + gaps.len()).min(self.tokens.len());
        let start = std::mem::replace(&mut self.at, end);
        let words = self.words(start, end);
        let line = rows::Line::new(before, &words, gaps, indent, is_about);
        for (number, row) in line.rows().into_iter().enumerate() {
            let first = row.first_token;
            if number > 0
                && first > 0
                && let Some(token) = self.tokens.get_mut(start + first)
            {
                let comments = std::mem::take(&mut token.comments);
                self.comments(&comments, indent + HANG, true);
            }
            self.rows.push(row.row);
        }
    }

    fn words(&self, start: usize, end: usize) -> Vec<rows::Word<'t>> {
        let tokens = self.tokens.get(start..end).unwrap_or(&[]);
        let word = |token: &Token<'t>| rows::Word {
            text: token.text,
            begins_line: token.begins_line,
            is_commented: !token.comments.is_empty(),
        };
        tokens.iter().map(word).collect()
    }

    /// Up to which of the nodes the columns hold: pieces that follow each other without an empty
    /// line or a comment.
    fn columns(&self, nodes: &[Node], from: usize) -> (usize, Columns) {
        let mut columns = Columns::default();
        let mut heads = Vec::new();
        let mut at = self.at;
        let mut number = from;
        while let Some(node) = nodes.get(number) {
            let is_apart = self.tokens.get(at).is_some_and(|t| t.is_apart || t.comments.iter().any(|c| c.has_own_line));
            if self.text(at) != "piece" || number > from && is_apart {
                break;
            }
            let (head, has_braces) = match node {
                Node::Leaf(gaps) => (gaps, false),
                Node::Clauses(clauses) => match clauses.as_slice() {
                    [clause] => (&clause.head, true),
                    _ => break,
                },
            };
            heads.push((self.piece_head(at, head), has_braces));
            at += node.len();
            number += 1;
        }
        let width = |text: &str| text.chars().count();
        let is_wide = |((_, rest), has_braces): &&((String, String), bool)| *has_braces || !rest.is_empty();
        columns.name = heads.iter().filter(is_wide).map(|((name, _), _)| width(name)).max().unwrap_or(0);
        let braced = heads.iter().filter(|(_, has_braces)| *has_braces);
        columns.head = braced.map(|((_, rest), _)| width(rest)).max().unwrap_or(0);
        (number.max(from + 1), columns)
    }

    /// `piece king` and what follows it.
    fn piece_head(&self, at: usize, gaps: &[bool]) -> (String, String) {
        let (name, rest) = gaps.split_at(gaps.len().min(2));
        (self.flat_leaf(at, name), self.flat_leaf(at + name.len(), rest))
    }

    fn short_piece(&mut self, gaps: &[bool], indent: usize, columns: Columns) {
        let mut inner = (self.at + 1..self.at + gaps.len()).filter_map(|at| self.tokens.get(at));
        let is_plain = inner.all(|token| token.comments.is_empty());
        let (name, rest) = self.piece_head(self.at, gaps);
        if !is_plain || rest.is_empty() {
            return self.leaf("", gaps, indent, false);
        }
        self.at += gaps.len();
        self.rows.push(Row::line(indent, format!("{name:<width$} {rest}", width = columns.name)));
    }

    /// No comment stands where there is no place for one.
    fn can_hang(&self, piece: &Clause) -> bool {
        let token = |at: usize| self.tokens.get(at);
        let head = self.at + 1..self.at + piece.head.len() + 2;
        let is_free = |at: usize| token(at).is_none_or(|token| token.comments.is_empty());
        let close = token(self.at + piece.len() - 1);
        let closes_well = close.is_none_or(|token| token.comments.iter().all(|comment| !comment.has_own_line));
        head.into_iter().all(is_free) && closes_well && !piece.body.is_empty()
    }

    /// The ways below each other, the first one behind the brace.
    fn piece(&mut self, piece: &Clause, indent: usize, columns: Columns) {
        let (name, rest) = self.piece_head(self.at, &piece.head);
        let mut head = format!("{name:<width$}", width = columns.name);
        if columns.head > 0 {
            head += &format!(" {rest:<width$}", width = columns.head);
        }
        head += " { ";
        let is_open = !self.is_on_one_line(self.at, piece.len())
            || self.flat(self.at, &Node::Leaf(vec![true; piece.len()])).chars().count() + indent <= WIDTH;
        self.at += piece.head.len() + 1;
        let start = self.rows.len();
        let how = Body { is_open, is_about: false, is_sections: false };
        self.body(&piece.body, indent + head.chars().count(), how);
        self.lead(indent, false);
        self.at += 1;
        if let Some(first) = self.rows.get_mut(start) {
            first.begin_with(&head, Start::Column(indent));
        }
        if let Some(last) = self.rows.last_mut() {
            last.end_with(" }");
        }
    }
}

/// Whether a token is a string of several lines.
fn is_tall(text: &str) -> bool {
    text.contains('\n')
}
