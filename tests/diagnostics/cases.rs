//! A file that is wrong on purpose goes in; what is expected of it, and what is found, come out.
//!
//! `#! code` stands on the line where the mistake begins; `#! code: text` says also what is pointed
//! at; several are parted by `;`; `#! -2 code` is two lines higher. A first line `# --set
//! name=value` gives a param a value.

use std::path::PathBuf;

use lusoria::check::{Kind, Mistake, ParamValue, Settings, check, load};
use lusoria::report::{Look, Notice, render};
use lusoria::shipped::Shipped;
use lusoria::source::{Source, Sources};
use lusoria::syntax::SyntaxErrorKind;

use crate::common::project;

pub struct Case {
    /// The file's name without `.rules`.
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expected {
    pub line: usize,
    pub code: String,
    pub text: Option<String>,
}

pub struct Outcome {
    pub mistakes: Vec<Mistake>,
    pub sources: Sources,
}

pub fn folder(name: &str) -> Vec<Case> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(project(name)).expect("the folder is there").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().map(case).collect()
}

fn case(path: &PathBuf) -> Case {
    let name = path.file_stem().and_then(|stem| stem.to_str()).expect("names are plain").to_string();
    Case { name, text: std::fs::read_to_string(path).expect("the file can be read") }
}

/// A file for each kind of mistake, and the few that are too long to stand in one.
pub fn failing() -> Vec<Case> {
    let mut cases = folder("tests/games/fail");
    cases.push(Case { name: "syntax-text-too-large".into(), text: too_large() });
    cases.push(Case { name: "syntax-too-many-words".into(), text: too_many_words() });
    cases.push(Case { name: "too-deep".into(), text: too_deep() });
    cases.push(Case { name: "extends-too-deep".into(), text: extends_too_deep() });
    cases.push(Case { name: "too-many-defines".into(), text: too_many_defines() });
    cases
}

fn too_large() -> String {
    let about = "A rules file has at most one mebibyte.";
    format!("# {about} #! syntax-text-too-large\ngame \"Small\" {{\n{}}}\n", "# to and fro\n".repeat(90_000))
}

const SMALL: &str = "game \"Small\" {\n  players White, Black\n  board square 3 by 3\n  piece man\n\n";

fn too_many_words() -> String {
    let mut more = String::new();
    for n in 0..25_000 {
        let mark = if n == 24_992 { "  #! syntax-too-many-words" } else { "" };
        more += &format!("    remove a1{mark}\n");
    }
    format!("# A rules file has at most 50,000 words and marks.\n{SMALL}  move {{\n{more}  }}\n}}\n")
}

/// Each action runs the one before, and all stand within each other in the end.
fn too_deep() -> String {
    let mut actions = String::from("  action run_0q { pass }\n");
    for n in 1..600 {
        let mark = if n == 100 { "  #! too-deep" } else { "" };
        actions += &format!("  action run_{n}q {{ do run_{}q }}{mark}\n", n - 1);
    }
    format!(
        "# Actions, defines and patterns that stand within each other go at most 500 deep, counted with what is nested in \
         each.\n{SMALL}{actions}\n  move {{ do run_599q }}\n\n  end {{ win if stuck(enemy) }}\n}}\n"
    )
}

fn extends_too_deep() -> String {
    let variant = |n: usize| match n {
        0 => String::from("  variant \"V0\" { }\n"),
        1 => String::from("  variant \"V1\" extends \"V0\" { }  #! extends-too-deep\n"),
        _ => format!("  variant \"V{n}\" extends \"V{}\" {{ }}\n", n - 1),
    };
    let variants: String = (0..=32).map(variant).collect();
    format!(
        "# At most 32 variants, or games, extend each other.\n{SMALL}  move {{ pick p from own   move p straight: step }}\n\n  \
         end {{ win if stuck(enemy) }}\n\n{variants}}}\n"
    )
}

/// Each define asks the next.
fn too_many_defines() -> String {
    let name = |n: usize| format!("step_{}{}", char::from(b'a' + (n / 26) as u8), char::from(b'a' + (n % 26) as u8));
    let mut defines = String::new();
    for n in 0..110 {
        let mark = if n == 101 { "  #! too-many-defines" } else { "" };
        defines += &format!("  define {} = {}{mark}\n", name(n), name(n + 1));
    }
    defines += &format!("  define {} = own\n", name(110));
    format!(
        "# Defines ask each other too deep, or there are too many of them, counted once for each list of types that they are\n\
         # called with.\ngame \"Small\" {{\n  players White, Black\n  board square 3 by 3\n  piece man\n\n{defines}\n  \
         move {{\n    pick p from {}\n    move p straight: step\n  }}\n\n  end {{ win if stuck(enemy) }}\n}}\n",
        name(0)
    )
}

pub fn all_codes() -> Vec<&'static str> {
    Kind::CODES.iter().chain(SyntaxErrorKind::CODES).copied().collect()
}

impl Case {
    pub fn run(&self) -> Outcome {
        let source = Source::new(format!("{}.rules", self.name), self.text.as_str());
        let params = self.params();
        if params.is_empty() {
            let checked = check(source, &Shipped);
            return Outcome { mistakes: checked.mistakes, sources: checked.sources };
        }
        let loaded = load(source, &Shipped, &Settings { variant: None, params });
        Outcome { mistakes: loaded.mistakes, sources: loaded.sources }
    }

    fn params(&self) -> Vec<(String, ParamValue)> {
        let settings = self.text.lines().filter_map(|line| line.strip_prefix("# --set ")?.split_once('='));
        settings.map(|(name, value)| (name.to_string(), ParamValue::Number(value.parse().expect("a number")))).collect()
    }

    pub fn expected(&self) -> Vec<Expected> {
        let lines = self.text.lines().enumerate().filter_map(|(i, line)| Some((i + 1, line.split_once("#! ")?.1)));
        let mut all: Vec<Expected> =
            lines.flat_map(|(line, marks)| marks.split("; ").map(move |m| expected(line, m))).collect();
        all.sort();
        all
    }

    /// Comments at the top: what the kind of mistake means.
    pub fn meaning(&self) -> String {
        let lines =
            self.text.lines().map_while(|line| line.strip_prefix("# ")).filter(|line| !line.starts_with("--set"));
        lines.collect::<Vec<_>>().join(" ")
    }
}

fn expected(line: usize, mark: &str) -> Expected {
    let (line, mark) = match mark.strip_prefix('-').and_then(|rest| rest.split_once(' ')) {
        Some((higher, mark)) => (line - higher.parse::<usize>().expect("a number of lines"), mark),
        None => (line, mark),
    };
    let (code, text) = match mark.split_once(": ") {
        Some((code, text)) => (code, Some(text.trim_end().to_string())),
        None => (mark, None),
    };
    Expected { line, code: code.trim().to_string(), text }
}

impl Outcome {
    /// What was found, in the form of what was expected; texts only where one is expected.
    pub fn found(&self, expected: &[Expected]) -> Vec<Expected> {
        let mut all: Vec<Expected> = self.mistakes.iter().map(|mistake| self.one(mistake, expected)).collect();
        all.sort();
        all
    }

    fn one(&self, mistake: &Mistake, expected: &[Expected]) -> Expected {
        let span = mistake.span();
        let line = self.sources.get(span.source).map_or(0, |source| source.line_column(span.start).0);
        let code = mistake.code().to_string();
        let text = self.sources.slice(span).to_string();
        let asked = expected.iter().any(|other| other.line == line && other.code == code && other.text.is_some());
        Expected { line, code, text: asked.then_some(text) }
    }

    pub fn notices(&self) -> Vec<Notice> {
        self.mistakes.iter().map(Notice::from).collect()
    }

    pub fn rendered(&self) -> String {
        render(&self.notices(), &self.sources, Look::default())
    }
}
