//! A module uses only modules before it, and each kind of outside matter has one place.

use std::collections::{BTreeMap, BTreeSet};

use lusoria::shipped::Shipped;
use lusoria::syntax::ast;

use crate::common::code::{File, files, is_word};

/// From the first to the last; each uses only those before it.
const ORDER: [&str; 27] = [
    "source",
    "sort",
    "import",
    "board",
    "syntax",
    "model",
    "check",
    "position",
    "reference",
    "plan",
    "interp",
    "simd",
    "simt",
    "jit",
    "batch",
    "notation",
    "render",
    "draw",
    "report",
    "shipped",
    "editor",
    "game",
    "player",
    "measures",
    "cli",
    "lib",
    "main",
];

/// Meaning and text meet in `check` alone.
const APART: [(&str, &str); 6] = [
    ("plan", "syntax"),
    ("interp", "syntax"),
    ("model", "syntax"),
    ("position", "syntax"),
    ("reference", "syntax"),
    ("notation", "syntax"),
];

/// Where something of the outside may be used.
const PLACES: [(&str, &[&str]); 18] = [
    ("multiversion", &["interp", "simd", "simt"]),
    ("memmap2", &["jit"]),
    ("ctrlc", &["cli"]),
    ("tiny_skia", &["draw"]),
    ("pest", &["syntax"]),
    ("pest_derive", &["syntax"]),
    ("miette", &["report", "cli"]),
    ("clap", &["cli"]),
    ("lsp_server", &["cli"]),
    ("lsp_types", &["cli"]),
    ("indicatif", &["cli"]),
    ("include_dir", &["shipped"]),
    ("std::fs", &["cli"]),
    ("std::env", &["cli", "main"]),
    ("std::time", &["cli", "simt"]),
    ("std::process", &["cli", "main"]),
    ("std::io", &["cli"]),
    ("std::thread", &["cli"]),
];

fn place(module: &str) -> usize {
    ORDER
        .iter()
        .position(|&name| name == module)
        .unwrap_or_else(|| panic!("`{module}` has no place in the order of modules"))
}

/// `word` stands in a line, not as a part of a longer word.
fn stands_in(line: &str, word: &str) -> bool {
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word))
}

/// The modules that a file uses, with the lines.
fn used(file: &File) -> impl Iterator<Item = (usize, &str)> {
    file.lines().flat_map(|(number, line)| {
        let paths = line.match_indices("crate::").map(move |(at, found)| &line[at + found.len()..]);
        paths.map(move |path| (number, path.split(|c| !is_word(c)).next().expect("a first part")))
    })
}

#[test]
fn modules_use_only_those_before_them() {
    for file in files() {
        let own = place(file.module());
        for (number, module) in used(&file) {
            assert!(!module.is_empty(), "{}:{number}: write one `use` a module", file.path);
            assert!(place(module) <= own, "{}:{number}: `{module}` comes after `{}`", file.path, file.module());
            assert!(
                !APART.contains(&(file.module(), module)),
                "{}:{number}: only `check` knows meaning and text",
                file.path
            );
        }
    }
}

/// Where passes stand, and what they share there.
const PASSES: [(&str, &[&str]); 2] =
    [("crates/plan/src/plan/passes/", &[]), ("crates/plan/src/plan/codegen/", &["edit"])];
/// What runs passes.
const MANAGERS: [&str; 4] = [
    "crates/plan/src/plan/mod.rs",
    "crates/plan/src/plan/opt.rs",
    "crates/plan/src/plan/passes/mod.rs",
    "crates/plan/src/plan/codegen/mod.rs",
];

/// The pass to which a file belongs.
fn pass_of(path: &str) -> Option<&str> {
    let (folder, _) = PASSES.iter().find(|(folder, _)| path.starts_with(folder))?;
    path[folder.len()..].split(['/', '.']).next()
}

#[test]
fn passes_and_what_they_rest_on_use_no_other_pass() {
    let files = files();
    let mut passes = BTreeSet::new();
    for file in files.iter().filter(|file| !MANAGERS.contains(&file.path.as_str())) {
        passes.extend(pass_of(&file.path));
        for (folder, shared) in PASSES {
            let prefix = folder.replacen("crates/plan/src", "crate", 1).replace('/', "::");
            for (number, line) in file.lines() {
                for (at, found) in line.match_indices(&prefix) {
                    // Of several names, in braces, the first one tells.
                    let names = line[at + found.len()..].trim_start_matches('{');
                    let used = names.split(|c| !is_word(c)).next().expect("a first part");
                    // What begins with a capital stands in the manager: which passes a plan goes through.
                    let fine = used.starts_with(char::is_uppercase)
                        || shared.contains(&used)
                        || pass_of(&file.path) == Some(used);
                    assert!(fine, "{}:{number}: only the manager of passes uses `{used}`", file.path);
                }
            }
        }
    }
    assert!(passes.contains("dce") && passes.contains("sink"), "{passes:?}");
}

#[test]
fn the_outside_is_used_in_its_place() {
    for file in files() {
        for (number, line) in file.lines() {
            for (name, places) in PLACES {
                let path = if name.contains("::") { name.to_string() } else { format!("{name}::") };
                let fine = places.contains(&file.module())
                    || !stands_in(line, path.trim_end_matches("::"))
                    || !line.contains(&path);
                assert!(fine, "{}:{number}: `{name}` belongs to {}", file.path, places.join(" and "));
            }
            let prints = ["println!", "print!", "eprintln!", "eprint!"].iter().any(|word| stands_in(line, word));
            assert!(!prints, "{}:{number}: only `cli` prints, and not by macros that panic", file.path);
        }
    }
}

/// Files of the planner and the executors that use each other in a circle, at most.
const LARGEST_CIRCLE: usize = 3;

/// The parts of a list, split at commas that no braces enclose.
fn parts(list: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[from..].trim());
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`.
fn spread(before: &str, path: &str) -> Vec<String> {
    match path.split_once('{') {
        None => vec![format!("{before}{}", path.split(" as ").next().expect("a first part").trim())],
        Some((head, list)) => {
            let list = list.trim_end().strip_suffix('}').expect("a closed list");
            parts(list).into_iter().flat_map(|part| spread(&format!("{before}{head}"), part)).collect()
        }
    }
}

/// What a file takes from other modules: paths within the crate, and whether it hands them on.
fn taken(code: &str) -> Vec<(bool, String)> {
    let mut taken = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let line = code[..at].rsplit('\n').next().expect("a first part").trim();
        let rest = &code[at + found.len()..];
        if line == "use" || line.starts_with("pub") && line.ends_with("use") {
            let path = rest.split(';').next().expect("a first part");
            taken.extend(spread("", path).into_iter().map(|path| (line.starts_with("pub"), path)));
        } else {
            let end = rest.find(|c| !is_word(c) && c != ':').unwrap_or(rest.len());
            taken.push((false, rest[..end].trim_end_matches(':').to_string()));
        }
    }
    taken
}

/// `crates/batch/src/simt/state/mod.rs` is the module `simt::state`.
fn module_path(file: &File) -> String {
    let path = file.inside().trim_end_matches(".rs").replace('/', "::");
    path.strip_suffix("::mod").unwrap_or(&path).to_string()
}

/// By module: those that it uses, however they are named.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let files: Vec<(String, Vec<(bool, String)>)> =
        files().iter().map(|file| (module_path(file), taken(&file.code))).collect();
    let mut handed_on = BTreeMap::new();
    for (module, taken) in &files {
        for (_, path) in taken.iter().filter(|(is_public, _)| *is_public) {
            let name = path.rsplit("::").next().expect("a last part");
            handed_on.insert(format!("{module}::{name}"), path.clone());
        }
    }
    let modules: BTreeSet<&String> = files.iter().map(|(module, _)| module).collect();
    let home = |path: &String| {
        let mut path = path.clone();
        while let Some(from) = handed_on.get(&path).filter(|from| **from != path) {
            path = from.clone();
        }
        while !modules.contains(&path) {
            path.truncate(path.rfind("::")?);
        }
        Some(path)
    };
    let uses = |module: &String, taken: &[(bool, String)]| {
        let own = taken.iter().filter(|(is_public, _)| !is_public).filter_map(|(_, path)| home(path));
        own.filter(|other| other != module).collect()
    };
    files.iter().map(|(module, taken)| (module.clone(), uses(module, taken))).collect()
}

/// All modules that one comes to.
fn reached<'d>(dependencies: &'d BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<&'d String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for other in dependencies.get(module).into_iter().flatten() {
            if reached.insert(other) {
                open.push(other);
            }
        }
    }
    reached
}

#[test]
fn circles_of_files_are_small() {
    let dependencies = dependencies();
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        dependencies.keys().map(|module| (module, reached(&dependencies, module))).collect();
    assert!(reached.values().map(BTreeSet::len).sum::<usize>() > 1000, "uses were not found");
    for (module, others) in &reached {
        if ["plan", "interp", "simd", "simt", "jit"].contains(&module.split("::").next().expect("a first part")) {
            let circle: Vec<_> = others.iter().filter(|other| reached[**other].contains(*module)).collect();
            assert!(circle.len() <= LARGEST_CIRCLE, "a circle of {} files: {circle:?}", circle.len());
        }
    }
}

/// Words of the language itself, though the shipped rules declare something by them.
const WORDS: [&str; 3] = ["man", "landing", "step"];
/// Files whose texts show examples.
const EXAMPLES: [&str; 2] = ["src/cli/args.rs", "crates/frontend/src/check/wording.rs"];
/// What reads settings of another program knows their words, and writes them into rules files.
const SETTINGS: &str = "src/import/";

/// The files' names, and the kinds and patterns declared in them.
fn names() -> BTreeSet<String> {
    use lusoria::check::Library;
    let mut names: BTreeSet<String> = Shipped.games().iter().map(|game| game.stem.to_string()).collect();
    for source in Shipped.games().into_iter().map(|game| game.source).chain([Shipped.prelude()]) {
        let (file, _) = lusoria::syntax::parse(lusoria::source::SourceId(0), source.text());
        let game = file.game.into_iter().flat_map(|game| game.sections);
        for section in game.chain(file.declarations) {
            match section.node {
                ast::SectionKind::Piece(piece) => names.insert(piece.name.node),
                ast::SectionKind::Pattern(pattern) => names.insert(pattern.name.node),
                _ => false,
            };
        }
    }
    names.into_iter().filter(|name| !WORDS.contains(&name.as_str())).collect()
}

#[test]
fn no_code_names_a_game_a_kind_or_a_capture() {
    let names = names();
    assert!(names.contains("custodian") && names.contains("king") && names.contains("othello"), "{names:?}");
    let others = |file: &&File| !EXAMPLES.contains(&file.path.as_str()) && !file.path.starts_with(SETTINGS);
    for file in files().iter().filter(others) {
        for (number, line) in file.lines() {
            let found = line.split(|c| !is_word(c)).find(|word| names.contains(&word.to_lowercase()));
            assert_eq!(found, None, "{}:{number}: the program knows no game", file.path);
        }
    }
}
