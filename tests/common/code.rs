//! The program's own text, for tests that read it.

use std::path::Path;

/// A file of a package's `src`.
pub struct File {
    /// Within the project: `src/game/mod.rs`, `crates/plan/src/plan/op.rs`.
    pub path: String,
    pub text: String,
    /// The text without comments and without its tests; the lines are the same.
    pub code: String,
}

impl File {
    /// Within its package's `src`: `plan/op.rs`.
    pub fn inside(&self) -> &str {
        self.path.split_once("src/").expect("a file of src").1
    }

    /// The module of the top level that it belongs to: `plan`; of `src/lib.rs` it is `lib`.
    pub fn module(&self) -> &str {
        self.inside().split(['/', '.']).next().expect("a first part")
    }

    /// The lines of the code, numbered from 1.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.code.lines())
    }

    /// It holds nothing but tests.
    pub fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs")
    }
}

/// The files of all packages but those that hold only tests, by path.
pub fn files() -> Vec<File> {
    let mut files: Vec<File> = all_files().into_iter().filter(|file| !file.is_test()).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(files.len() > 50, "src was not found");
    files
}

/// The files of all packages, tests too.
pub fn all_files() -> Vec<File> {
    let mut files = Vec::new();
    gather(&super::project("src"), "src", &mut files);
    for package in std::fs::read_dir(super::project("crates")).expect("the packages are there") {
        let package = package.expect("a package");
        let name = format!("crates/{}/src", package.file_name().to_string_lossy());
        gather(&package.path().join("src"), &name, &mut files);
    }
    files
}

fn gather(folder: &Path, name: &str, files: &mut Vec<File>) {
    for entry in std::fs::read_dir(folder).expect("a folder of src") {
        let entry = entry.expect("an entry of src");
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            gather(&entry.path(), &name, files);
        } else if name.ends_with(".rs") {
            let text = std::fs::read_to_string(entry.path()).expect("Rust is UTF-8");
            let code = without_tests(&without_comments(&text));
            files.push(File { path: name, text, code });
        }
    }
}

/// By custom the tests of a file are its last part.
fn without_tests(code: &str) -> String {
    code.split("#[cfg(test)]\nmod tests {").next().expect("a first part").to_string()
}

/// Strings stay, and so do line ends.
fn without_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '"' => string_length(rest),
            'r' if !code.ends_with(is_word) => raw_string_length(rest).unwrap_or(1),
            '\'' if rest.starts_with("'\"'") => 3,
            '\'' if rest.starts_with("'\\") => 4,
            _ => first.len_utf8(),
        };
        let (taken, after) = rest.split_at(length);
        code.push_str(taken);
        rest = after;
    }
    code
}

pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// `r"..."`, `r#"..."#`.
fn raw_string_length(text: &str) -> Option<usize> {
    let hashes = text[1..].bytes().take_while(|&byte| byte == b'#').count();
    let inside = text[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(2 + hashes + inside.find(&end)? + end.len())
}

#[test]
fn comments_are_told_from_strings() {
    let text =
        "let a = \"// no \\\" comment\"; // a comment\nlet b = r#\"x // \"y\"# + '\"'; // z\n/// doc\nfn c() {}\n";
    let code = "let a = \"// no \\\" comment\"; \nlet b = r#\"x // \"y\"# + '\"'; \n\nfn c() {}\n";
    assert_eq!(without_comments(text), code);
}
