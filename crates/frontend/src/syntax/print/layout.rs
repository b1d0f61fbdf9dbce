//! Layout: lines and blocks go in; text with indentation comes out.

/// What may stay on one line with its braces is that short.
const SHORT: usize = 80;
/// Longer lines are broken where that changes nothing.
const LONG: usize = 110;

pub enum Doc {
    Line(String),
    /// `head { body } head { body } ...`
    Clauses {
        clauses: Vec<(String, Vec<Doc>)>,
        may_be_short: bool,
    },
}

impl Doc {
    pub fn block(head: impl Into<String>, body: Vec<Doc>) -> Doc {
        Doc::Clauses { clauses: vec![(head.into(), body)], may_be_short: true }
    }

    pub fn clauses(clauses: Vec<(String, Vec<Doc>)>) -> Doc {
        Doc::Clauses { clauses, may_be_short: true }
    }

    pub fn sections(head: impl Into<String>, body: Vec<Doc>) -> Doc {
        Doc::Clauses { clauses: vec![(head.into(), body)], may_be_short: false }
    }

    fn on_one_line(&self) -> Option<String> {
        let line = match self {
            Doc::Line(line) => line.clone(),
            Doc::Clauses { may_be_short: false, .. } => return None,
            Doc::Clauses { clauses, .. } => short_clauses(clauses)?,
        };
        (line.len() <= SHORT && !line.contains('\n')).then_some(line)
    }
}

fn short_clauses(clauses: &[(String, Vec<Doc>)]) -> Option<String> {
    let mut line = String::new();
    for (head, body) in clauses {
        if !line.is_empty() {
            line.push(' ');
        }
        if body.is_empty() {
            line += &format!("{head} {{ }}");
        } else {
            line += &format!("{head} {{ {} }}", short_body(body)?);
        }
        if line.len() > SHORT {
            return None;
        }
    }
    Some(line)
}

fn short_body(body: &[Doc]) -> Option<String> {
    if body.len() > 3 {
        return None;
    }
    let lines: Option<Vec<String>> = body.iter().map(Doc::on_one_line).collect();
    Some(lines?.join("   "))
}

/// Docs one below the other; those of several lines that may not be short have an empty line around
/// them.
pub fn lay_out(docs: &[Doc], spaced: bool) -> String {
    let mut writer = Writer { out: String::new(), indent: 0 };
    writer.docs(docs, spaced);
    writer.out
}

struct Writer {
    out: String,
    indent: usize,
}

impl Writer {
    fn docs(&mut self, docs: &[Doc], spaced: bool) {
        let mut many_lines_before = false;
        for (at, doc) in docs.iter().enumerate() {
            let start = self.out.len();
            self.doc(doc);
            let many_lines = self.out.get(start..).is_some_and(|text| text.matches('\n').count() > 1);
            if spaced && at > 0 && (many_lines || many_lines_before) {
                self.out.insert(start, '\n');
            }
            many_lines_before = many_lines;
        }
    }

    fn doc(&mut self, doc: &Doc) {
        if let Some(line) = doc.on_one_line().filter(|line| line.len() + self.indent <= SHORT) {
            return self.line(&line);
        }
        match doc {
            Doc::Line(line) => self.line(line),
            Doc::Clauses { clauses, may_be_short } => self.clauses(clauses, !may_be_short),
        }
    }

    fn clauses(&mut self, clauses: &[(String, Vec<Doc>)], spaced: bool) {
        for (at, (head, body)) in clauses.iter().enumerate() {
            let close = if at > 0 { "} " } else { "" };
            let gap = if head.is_empty() { "" } else { " " };
            self.line(&format!("{close}{head}{gap}{{"));
            self.indent += 2;
            self.docs(body, spaced);
            self.indent -= 2;
        }
        self.line("}");
    }

    fn line(&mut self, line: &str) {
        let mut rest = line;
        let mut indent = self.indent;
        while let Some(end) = break_at(rest, LONG.saturating_sub(indent)) {
            let (now, then) = rest.split_at(end);
            self.push(indent, now.trim_end());
            rest = then.trim_start();
            indent = self.indent + 4;
        }
        self.push(indent, rest);
    }

    fn push(&mut self, indent: usize, line: &str) {
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.out.push_str(line);
        self.out.push('\n');
    }
}

/// Where to break a line that is too long: behind a comma, or before `and`, `or`, `where`, `then`,
/// `else`. Never in a string.
fn break_at(line: &str, width: usize) -> Option<usize> {
    if line.len() <= width || line.contains('"') {
        return None;
    }
    let breaks = [(" and ", 0), (" or ", 0), (" where ", 0), (" then ", 0), (" else ", 0), (", ", 1)];
    let marks = breaks.iter().flat_map(|(mark, offset)| line.match_indices(mark).map(move |(at, _)| at + offset));
    let places: Vec<(i64, usize)> = marks.filter(|at| *at > 0).map(|at| (depth(line, at), at)).collect();
    let fitting = places.iter().filter(|(_, at)| *at <= width);
    let best = fitting.min_by_key(|(depth, at)| (*depth, std::cmp::Reverse(*at)));
    best.or(places.iter().min_by_key(|(_, at)| *at)).map(|(_, at)| *at)
}

/// How many brackets are open there: the fewer, the better the place.
fn depth(line: &str, at: usize) -> i64 {
    let before = line.get(..at).unwrap_or("");
    before.bytes().map(|byte| i64::from(byte == b'(') - i64::from(byte == b')')).sum()
}
