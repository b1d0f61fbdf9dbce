//! Phrases of lines: directions and patterns of the text go in; English comes out.

use crate::game::sheet::Sheet;
use crate::game::sheet::noun::Noun;
use crate::game::sheet::words::{article, list, spaced};
use crate::syntax::ast;
use crate::syntax::ast::{ArgumentKind, ExprKind, ItemKind, SectionKind, Times};

impl<'a> Sheet<'a> {
    /// A direction or directions, behind a verb.
    pub fn direction(&self, name: &str) -> String {
        let words = match name {
            "straight" => "in any direction",
            "orthogonal" => "orthogonally",
            "diagonal" => "diagonally",
            "forward" => "straight ahead",
            "backward" => "straight back",
            "ahead" => "straight or diagonally ahead",
            "behind" => "straight or diagonally back",
            "sideways" => "sideways",
            "outward" => "farther outward",
            "heading" => "the way just taken",
            "axes" => "along any line",
            _ if self.game.topology.direction_named(name).is_some() => return format!("to the {name}"),
            _ => return spaced(name),
        };
        words.to_string()
    }

    pub fn dirs(&self, e: &ast::Expr) -> String {
        match &*e.kind {
            ExprKind::Brackets(inner) => self.dirs(inner),
            ExprKind::Name(name) if self.is_direction(name) => self.direction(name),
            ExprKind::Name(name) if self.known_term(name).is_some() => {
                self.mention(name);
                format!("*{}*", spaced(name))
            }
            ExprKind::Name(name) if name == "it" => String::from("that direction"),
            ExprKind::Name(name) => format!("in a direction of {}", spaced(name)),
            ExprKind::Words(words) => {
                let words: Vec<&str> = words.iter().map(|word| word.node.as_str()).collect();
                match words.as_slice() {
                    ["ahead", "diagonal"] | ["diagonal", "ahead"] => String::from("diagonally ahead"),
                    ["behind", "diagonal"] | ["diagonal", "behind"] => String::from("diagonally back"),
                    _ => words.iter().map(|word| self.direction(word)).collect::<Vec<_>>().join(" and "),
                }
            }
            ExprKind::Or(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.dirs(part)).collect();
                let short = parts.iter().map(|part| part.strip_prefix("straight ").unwrap_or(part).to_string());
                match parts.iter().all(|part| part.starts_with("straight ") && !part.contains(" or ")) {
                    true => format!("straight {}", list(&short.collect::<Vec<_>>(), "or")),
                    false => list(&parts, "or"),
                }
            }
            ExprKind::And(parts) => {
                let mut text = String::new();
                for part in parts {
                    let mut part = part;
                    while let ExprKind::Brackets(inner) = &*part.kind {
                        part = inner;
                    }
                    text += &match (&*part.kind, text.is_empty()) {
                        (ExprKind::Not(inner), false) => format!(", except {}", self.dirs(inner)),
                        (_, true) => self.dirs(part),
                        _ => format!(", but only {}", self.dirs(part)),
                    };
                }
                text
            }
            ExprKind::Not(inner) => format!("in any direction except {}", self.dirs(inner)),
            ExprKind::Call(name, arguments) if name.node == "opposite" => {
                let of = match arguments.first().map(|argument| &argument.node) {
                    Some(ArgumentKind::Expr(e)) => self.dirs(e),
                    _ => String::new(),
                };
                format!("back against {of}")
            }
            ExprKind::If { condition, then, otherwise } => {
                format!("{} if {}, otherwise {}", self.dirs(then), self.truth(condition), self.dirs(otherwise))
            }
            _ => self.noun(e).all(),
        }
    }

    /// `any distance orthogonally over empty cells, to an empty cell`.
    pub fn line(&self, line: &ast::Line) -> String {
        self.pattern(&self.dirs(&line.directions), &line.pattern)
    }

    fn pattern(&self, dirs: &str, pattern: &ast::Pattern) -> String {
        let paths: Vec<String> = pattern.paths.iter().map(|path| self.path(dirs, path)).collect();
        paths.join("; or ")
    }

    /// The pattern that a name stands for, of the game or of the prelude.
    fn named_pattern(&self, name: &str) -> Option<&'a ast::PatternDeclaration> {
        let pattern = |section: &'a ast::Section| match &section.node {
            SectionKind::Pattern(pattern) if pattern.name.node == name => Some(pattern),
            _ => None,
        };
        self.sections.iter().find_map(|section| pattern(section)).or_else(|| self.prelude.iter().find_map(pattern))
    }

    fn path(&self, dirs: &str, path: &ast::Path) -> String {
        if let [ast::Item { node: ItemKind::Test(test, None), .. }] = path.items.as_slice()
            && let ExprKind::Name(name) = &*test.kind
            && let Some(pattern) = self.named_pattern(name)
        {
            return self.pattern(dirs, &pattern.pattern);
        }
        let anchor = path.items.iter().position(|item| item.node == ItemKind::Anchor).unwrap_or(0);
        let behind: Vec<&ast::Item> = path.items[..anchor].iter().rev().collect();
        let after: Vec<&ast::Item> = path.items.iter().skip(anchor + 1).collect();
        let mut text = self.walk(dirs, &after);
        for (turned, items) in &path.turnings {
            let items: Vec<&ast::Item> = items.iter().collect();
            let onward = match &*turned.kind {
                ExprKind::Name(name) if name == "outward" && dirs == "orthogonally" => {
                    String::from("diagonally onward")
                }
                ExprKind::Name(name) if name == "outward" && dirs == "diagonally" => {
                    String::from("orthogonally onward")
                }
                _ => self.dirs(turned),
            };
            text += &format!(", then {}", self.walk(&onward, &items));
        }
        if !behind.is_empty() {
            let parts: Vec<String> = behind.iter().map(|item| self.passed(item)).collect();
            text += &format!(", away from {} directly behind it", list(&parts, "and then"));
        }
        text
    }

    /// Items in order, up to the landing and beyond.
    fn walk(&self, dirs: &str, items: &[&ast::Item]) -> String {
        let landing = items.iter().position(|item| matches!(item.node, ItemKind::Landing(_)));
        let Some(at) = landing else {
            let passed: Vec<String> = items.iter().map(|item| self.passed(item)).collect();
            return match passed.as_slice() {
                [] => dirs.to_string(),
                passed => format!("{dirs} over {}", list(passed, "and then")),
            };
        };
        let (before, beyond) = (&items[..at], &items[at + 1..]);
        let to = match &items[at].node {
            ItemKind::Landing(test) => self.landing(test),
            _ => String::new(),
        };
        let empty_run = |item: &ast::Item| match &item.node {
            ItemKind::Test(test, Some(Times::Star)) => matches!(&*test.kind, ExprKind::Name(name) if name == "empty"),
            _ => false,
        };
        let mut text = match before {
            [] => format!("one cell {dirs}, {to}"),
            [run] if empty_run(run) => format!("any distance {dirs} over empty cells, {to}"),
            before => {
                let before: Vec<String> = before.iter().map(|item| self.passed(item)).collect();
                format!("{dirs} over {}, {to}", list(&before, "and then"))
            }
        };
        if !beyond.is_empty() {
            let beyond: Vec<String> = beyond.iter().map(|item| self.passed(item)).collect();
            text += &format!(", if directly beyond there comes {}", list(&beyond, "and then"));
        }
        text
    }

    /// The alternatives of a test for one cell, patterns of one cell replaced by what they say.
    fn alternatives(&self, test: &ast::Expr) -> Vec<ast::Expr> {
        match &*test.kind {
            ExprKind::Brackets(inner) => self.alternatives(inner),
            ExprKind::Or(parts) => parts.iter().flat_map(|part| self.alternatives(part)).collect(),
            ExprKind::Name(name) => match self.named_pattern(name) {
                Some(pattern) => {
                    let tests = pattern.pattern.paths.iter().filter_map(|path| match path.items.as_slice() {
                        [ast::Item { node: ItemKind::Test(test, None), .. }] => Some(test),
                        _ => None,
                    });
                    tests.flat_map(|test| self.alternatives(test)).collect()
                }
                None => vec![test.clone()],
            },
            _ => vec![test.clone()],
        }
    }

    /// `to an empty cell, or to an enemy piece, capturing it`.
    fn landing(&self, test: &ast::Expr) -> String {
        let mut test = test;
        while let ExprKind::Brackets(inner) = &*test.kind {
            test = inner;
        }
        // What stands there, and where: `landing and castle`.
        if let ExprKind::And(parts) = &*test.kind {
            let is_pattern =
                |part: &&ast::Expr| matches!(&*part.kind, ExprKind::Name(name) if self.named_pattern(name).is_some());
            if let Some(pattern) = parts.iter().find(is_pattern) {
                let rest: Vec<String> =
                    parts.iter().filter(|part| part.span != pattern.span).map(|part| self.place(part)).collect();
                return format!("{}, but only {}", self.landing(pattern), list(&rest, "and"));
            }
        }
        let all = self.alternatives(test);
        let (caught, free): (Vec<_>, Vec<_>) = all.iter().partition(|one| matches!(&*one.kind, ExprKind::Caught(..)));
        let mut parts = Vec::new();
        if !free.is_empty() {
            parts.push(format!("to {}", list(&free.iter().map(|one| self.one(one)).collect::<Vec<_>>(), "or")));
        }
        if !caught.is_empty() {
            let caught: Vec<String> = caught.iter().map(|one| self.one(one)).collect();
            parts.push(format!("to {}, capturing it", list(&caught, "or")));
        }
        parts.join(", or ")
    }

    /// The cells of an item.
    fn passed(&self, item: &ast::Item) -> String {
        let (test, times) = match &item.node {
            ItemKind::Anchor => return String::from("the piece"),
            ItemKind::Landing(test) => return self.one(test),
            ItemKind::Test(test, times) => (test, times.as_ref()),
        };
        let (test, times, caught) = match &*test.kind {
            ExprKind::Caught(inner, inner_times) => (inner, times.or(inner_times.as_ref()), true),
            _ => (test, times, false),
        };
        let text = self.run(test, times);
        match (caught, times) {
            (false, _) => text,
            (true, None | Some(Times::Query)) => format!("{text} (captured)"),
            (true, _) => format!("{text} in a row (captured)"),
        }
    }

    /// So many cells of a test.
    fn run(&self, test: &ast::Expr, times: Option<&Times>) -> String {
        let many = self.many(test);
        let number = |e: &ast::Expr| match &*e.kind {
            _ if self.constant(e).is_some() => self.number(e),
            ExprKind::Arithmetic(..) => format!("({})", self.number(e)),
            _ => self.number(e),
        };
        match times {
            None => self.one(test),
            Some(Times::Star) => format!("any number of {many} (or none)"),
            Some(Times::Plus) => format!("one or more {many}"),
            Some(Times::Query) => format!("{} (or none)", self.one(test)),
            Some(Times::Exactly(exactly)) => format!("exactly {} {many}", number(exactly)),
            Some(Times::Range(range)) => match range.to.as_ref().map(|to| (number(&range.from), number(to))) {
                Some((from, to)) if from == to => format!("exactly {from} {many}"),
                Some((from, to)) => format!("{from} to {to} {many}"),
                None => format!("{} or more {many}", number(&range.from)),
            },
        }
    }

    /// The cells of a test, as a plural.
    fn many(&self, test: &ast::Expr) -> String {
        match &*test.kind {
            ExprKind::Brackets(inner) => self.many(inner),
            ExprKind::Caught(inner, _) => self.many(inner),
            ExprKind::Name(name) => match name.as_str() {
                "any" => String::from("cells, empty or not"),
                "empty" => String::from("empty cells"),
                "occupied" => self.men(),
                "enemy" => format!("enemy {}", self.men()),
                "own" => format!("{} of your own", self.men()),
                _ => self.noun(test).bare(),
            },
            ExprKind::Not(inner) => match &*inner.kind {
                ExprKind::Name(name) if name == "enemy" => format!("cells without enemy {}", self.men()),
                _ => self.noun(test).bare(),
            },
            _ => self.noun(test).bare(),
        }
    }

    /// One cell of a test.
    fn one(&self, test: &ast::Expr) -> String {
        match &*test.kind {
            ExprKind::Brackets(inner) | ExprKind::Caught(inner, _) => self.one(inner),
            ExprKind::Name(name) => match name.as_str() {
                "any" => String::from("any cell"),
                "empty" => String::from("an empty cell"),
                "occupied" => article(&self.man()),
                "enemy" => format!("an enemy {}", self.man()),
                "own" => format!("{} of your own", article(&self.man())),
                name => match self.named_pattern(name) {
                    Some(_) => {
                        let parts: Vec<String> = self.alternatives(test).iter().map(|one| self.one(one)).collect();
                        list(&parts, "or")
                    }
                    None => self.noun(test).one_of(),
                },
            },
            ExprKind::Words(words) => {
                let words: Vec<&str> = words.iter().map(|word| word.node.as_str()).collect();
                match words.as_slice() {
                    ["enemy", kind] if self.is_kind(kind) => format!("an enemy {}", spaced(kind)),
                    ["own", kind] if self.is_kind(kind) => format!("{} of your own", article(&spaced(kind))),
                    _ => self.noun(test).one_of(),
                }
            }
            ExprKind::Or(parts) => list(&parts.iter().map(|part| self.one(part)).collect::<Vec<_>>(), "or"),
            _ => self.noun(test).one_of(),
        }
    }

    /// What a line encloses, counted from a cell.
    pub fn enclosed(&self, from: &str, line: &ast::Line) -> Noun {
        let mut caught = self.men();
        let mut paths = Vec::new();
        for path in &line.pattern.paths {
            let named = match path.items.as_slice() {
                [ast::Item { node: ItemKind::Test(test, None), .. }] => match &*test.kind {
                    ExprKind::Name(name) => self.named_pattern(name).and_then(|named| named.pattern.paths.first()),
                    _ => None,
                },
                _ => None,
            };
            let mut said = Vec::new();
            for item in &named.unwrap_or(path).items {
                said.push(match &item.node {
                    ItemKind::Anchor => from.to_string(),
                    ItemKind::Landing(test) => self.one(test),
                    ItemKind::Test(test, times) => match &*test.kind {
                        ExprKind::Caught(inner, inner_times) => {
                            caught = self.many(inner);
                            self.run(inner, times.as_ref().or(inner_times.as_ref()))
                        }
                        _ => self.run(test, times.as_ref()),
                    },
                });
            }
            paths.push(said.join(" - "));
        }
        let dirs = self.dirs(&line.directions);
        let tail = format!(" in a line {dirs} of this form: {}", paths.join(", or "));
        let one = caught.strip_suffix('s').unwrap_or(&caught).to_string();
        Noun::new(crate::game::sheet::noun::Whose::Nobody, one, caught).with(&tail)
    }
}
