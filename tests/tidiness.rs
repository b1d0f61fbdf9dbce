//! Habits of the code that a test can see.

use std::path::{Path, PathBuf};

use crate::common::code::{File, all_files, files};
use crate::common::project;

const MOST_LINES_OF_A_FILE: usize = 1000;
const MOST_LINES_OF_A_FUNCTION: usize = 100;

#[test]
fn files_are_short() {
    let long: Vec<String> = all_files()
        .iter()
        .map(|file| (&file.path, file.text.lines().count()))
        .filter(|(_, lines)| *lines > MOST_LINES_OF_A_FILE)
        .map(|(path, lines)| format!("{path}: {lines}"))
        .collect();
    assert!(long.is_empty(), "longer than {MOST_LINES_OF_A_FILE} lines: {long:?}");
}

/// The first line of a function, its name, and its lines, the braces included.
fn functions(file: &File) -> Vec<(usize, String, Vec<&str>)> {
    let lines: Vec<&str> = file.code.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.contains(['"', '='])).collect();
        let Some(name) = words.iter().position(|&word| word == "fn").and_then(|at| words.get(at + 1)) else { continue };
        let end = lines[at..].iter().position(|line| line.trim_end() == format!("{indent}}}") || line.ends_with(';'));
        let body = &lines[at..=at + end.unwrap_or(0)];
        found.push((at + 1, name.split(['(', '<']).next().expect("a first part").to_string(), body.to_vec()));
    }
    found
}

/// The function is one `match` over everything there is: nothing stands beside it.
fn is_one_match(body: &[&str]) -> bool {
    let inside = &body[1..body.len() - 1];
    let indent = inside.first().map_or(0, |line| line.len() - line.trim_start().len());
    let top: Vec<&str> = inside.iter().filter(|line| line.len() - line.trim_start().len() == indent).copied().collect();
    top.len() <= 6
        && top.iter().filter(|line| line.trim() == "}").count() == 1
        && top.iter().any(|line| line.contains("match "))
}

#[test]
fn functions_are_short() {
    let mut count = 0;
    for file in files() {
        for (line, name, body) in functions(&file) {
            count += 1;
            let fine = body.len() <= MOST_LINES_OF_A_FUNCTION || is_one_match(&body);
            assert!(fine, "{}:{line}: `{name}` has {} lines", file.path, body.len());
        }
    }
    assert!(count > 500, "functions were not found");
}

#[test]
fn nothing_panics_by_intent() {
    let banned = [".unwrap()", "panic!", "todo!", "unimplemented!", "unreachable!", "dbg!", "unsafe "];
    // The one place that calls machine code.
    let calls_code = "crates/batch/src/jit/code_page.rs";
    for file in files() {
        for (number, line) in file.lines() {
            let mut found = banned.iter().filter(|word| line.contains(**word));
            let found = found.find(|word| **word != "unsafe " || file.path != calls_code);
            assert_eq!(found, None, "{}:{number}: say why it holds by `expect`, or give an error", file.path);
        }
    }
}

#[test]
fn every_module_says_what_it_does() {
    for file in all_files() {
        let first = file.text.lines().next().unwrap_or_default();
        let (term, rest) = first.strip_prefix("//! ").and_then(|first| first.split_once(": ")).unwrap_or_default();
        let is_term = term.starts_with(|c: char| c.is_ascii_uppercase())
            && term.split_whitespace().count() <= 6
            && !term.contains([',', ';', '.']);
        assert!(
            is_term && !rest.is_empty(),
            "{}: the first line is `//! Term: what goes in; what comes out.`",
            file.path
        );
    }
}

/// Where a word must have the meaning that compilers and engines give it.
const EXECUTORS: [&str; 5] = [
    "crates/plan/src/plan/",
    "crates/engine/src/interp/",
    "crates/batch/src/simd/",
    "crates/batch/src/simt/",
    "crates/batch/src/jit/",
];

/// Files were called so whose names say now what they do: `calm` is `atomic`, `link` is `linearize`,
/// `sweep` is `dce`.
const OLD_FILES: &str = "accesses again aim aims alone along answers apart beside bound calm cap changes contest course
    distinct doubt early encode explore fan fans fresh glance grid hasten hop join keeps life lift link looks lot machine
    nears nothing polish presume rare renamed rounds seldom spare streak sweep trail vicinity";

/// Types were called so: `Glance` is a prefilter, `Hand` a snapshot, `Lots` are generators.
const OLD_TYPES: &str = "Aim Alone Calm Course Doubt Eight Fan Glance Hand Hasten Hop Laying Linked LinkedArm Lots Packs Runner Told Trail Who";

/// Functions were called so: `mean` sets the active lanes, `spoil` invalidates, `weigh` counts
/// options.
const OLD_FUNCTIONS: &str =
    "aim calm carry_out divide doubt draw_anew fall fallen find_again hand_over in_vain judge
    judge_again leave mean meet note picked play_alone put_back redo settle spoil take_in take_over tell turn_alone weigh";

/// Words that say nothing in the first line of a module.
const OLD_WORDS: &str = "aims apart calm glance hasten hop hops judged lots spared spoil spoilt streak trail weighed";

#[test]
fn old_names_do_not_come_back() {
    let is_old = |old: &str, word: &str| old.split_whitespace().any(|old| old == word);
    for file in files().iter().filter(|file| EXECUTORS.iter().any(|folder| file.path.starts_with(folder))) {
        let first = file.text.lines().next().unwrap_or_default().to_lowercase();
        let found = first.split(|c: char| !c.is_alphanumeric()).find(|word| is_old(OLD_WORDS, word));
        assert_eq!(found, None, "{}: the first line has an old word", file.path);
        let name = file.path.trim_end_matches("/mod.rs").trim_end_matches(".rs").rsplit('/').next();
        assert!(!is_old(OLD_FILES, name.expect("a last part")), "{}: an old name", file.path);
        for (number, line) in file.lines() {
            let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            for pair in words.windows(2) {
                let old = match pair[0] {
                    "fn" => OLD_FUNCTIONS,
                    "struct" | "enum" | "trait" | "type" => OLD_TYPES,
                    _ => continue,
                };
                assert!(!is_old(old, pair[1]), "{}:{number}: `{}` is an old name", file.path, pair[1]);
            }
        }
    }
}

/// What a line of the glossary and the next one say: the term, and the files where it lives.
fn glossary() -> Vec<Vec<(String, Vec<String>)>> {
    let text = std::fs::read_to_string(project("docs/glossary.md")).expect("the glossary is there");
    let mut parts = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        assert!(line.chars().count() <= 120, "docs/glossary.md: {line}");
        if line.starts_with("## ") {
            parts.push(Vec::new());
        } else if let Some(entry) = line.strip_prefix("- **") {
            let (term, said) = entry.split_once("**: ").expect("`- **term**: what it is`");
            assert!(said.ends_with('.') && said.split_whitespace().count() <= 25, "docs/glossary.md: {line}");
            let files = lines.next().expect("a line with files behind each entry").split('`');
            let files = files.skip(1).step_by(2).map(str::to_string).collect();
            parts.last_mut().expect("a head before entries").push((term.to_string(), files));
        }
    }
    parts
}

#[test]
fn the_glossary_is_sorted_and_names_files_that_are_there() {
    let parts = glossary();
    assert!(parts.len() == 2 && parts.iter().all(|part| part.len() > 30), "games and engines");
    for part in parts {
        let terms: Vec<String> = part.iter().map(|(term, _)| term.to_lowercase()).collect();
        assert!(terms.is_sorted(), "{:?}", terms.windows(2).find(|two| two[0] > two[1]));
        for (term, files) in part {
            assert!(!files.is_empty(), "`{term}` names no file");
            let missing = files.iter().find(|file| !project(file).is_file());
            assert_eq!(missing, None, "`{term}` names a file that is not there");
        }
    }
}

#[test]
fn the_architecture_is_a_short_page() {
    let text = std::fs::read_to_string(project("docs/architecture.md")).expect("the page is there");
    assert!(text.lines().count() < 220, "{} lines", text.lines().count());
    for (number, line) in (1..).zip(text.lines()) {
        assert!(line.chars().count() <= 120, "docs/architecture.md:{number}: longer than 120 characters");
    }
}

/// What a cell of a table says in backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn the_architecture_names_each_pass() {
    let text = std::fs::read_to_string(project("docs/architecture.md")).expect("the page is there");
    let (tiers, _) = text.split_once("## Dependencies").expect("it comes last");
    let rows = tiers.lines().filter(|line| line.starts_with("| `"));
    let named: Vec<&str> = rows.flat_map(|line| quoted(line.split('|').nth(1).unwrap_or_default())).collect();
    let mut passes = 0;
    for entry in std::fs::read_dir(project("crates/plan/src/plan/passes")).expect("the folder is there").flatten() {
        let name = entry.file_name().into_string().expect("UTF-8");
        let name = name.trim_end_matches(".rs");
        assert!(name == "mod" || named.contains(&name), "docs/architecture.md does not say what `{name}` does");
        passes += 1;
    }
    assert!(passes > 5, "passes were not found");
    for name in named {
        let places = [
            "src",
            "crates/core/src",
            "crates/frontend/src",
            "crates/plan/src",
            "crates/reference/src",
            "crates/engine/src",
            "crates/batch/src",
            "crates/plan/src/plan/passes",
            "crates/plan/src/plan/lower",
            "crates/plan/src/plan/codegen",
        ];
        let there = |place: &str| ["", ".rs"].iter().any(|end| project(&format!("{place}/{name}{end}")).exists());
        assert!(places.into_iter().any(there), "docs/architecture.md: there is no `{name}`");
    }
}

/// All files but those that git ignores or keeps for itself.
fn tracked() -> Vec<PathBuf> {
    let mut folders = vec![project("")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of the project").flatten() {
            let name = entry.file_name();
            let ignored = [".git", "target", "node_modules", "built", "screenshots"];
            let ours = !ignored.iter().any(|other| name == *other) && !name.to_string_lossy().ends_with(".snap.new");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && ours => folders.push(entry.path()),
                Ok(kind) if kind.is_file() && ours => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}

/// The folder that holds the checkout, if it is one that would not stand in a text by chance.
fn checkout() -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.to_str()?;
    (folder.len() > 3).then(|| format!("{folder}/"))
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    // In halves, as this file is looked at too.
    let halves = [
        ("/ho", "me/"),
        ("/ro", "ot/"),
        ("/Us", "ers/"),
        ("/t", "mp/"),
        ("C:", "\\"),
        ("local", "host"),
        ("127.0.", "0.1"),
    ];
    let mut marks: Vec<String> = halves.iter().map(|(first, second)| format!("{first}{second}")).collect();
    marks.extend(checkout());
    for path in tracked() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let found = marks.iter().find(|mark| text.contains(*mark));
        assert_eq!(found, None, "{}", path.display());
    }
}

#[test]
fn packages_come_from_the_public_registry() {
    let lock = std::fs::read_to_string(project("Cargo.lock")).expect("the lock file is kept");
    let sources: Vec<&str> = lock.lines().filter(|line| line.starts_with("source = ")).collect();
    assert!(sources.len() > 20);
    let public = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    assert!(sources.iter().all(|&source| source == public), "{:?}", sources.iter().find(|&&source| source != public));
}

#[test]
fn tables_have_as_many_cells_as_their_heads() {
    // Bars that are meant as such are escaped.
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let mut tables = 0;
    for path in ["README.md", "docs/architecture.md", "docs/errors.md", "docs/language.md", "docs/performance.md"] {
        let text = std::fs::read_to_string(project(path)).expect("the documentation is there");
        let mut head = None;
        for (number, line) in (1..).zip(text.lines()) {
            if !line.starts_with('|') {
                head = None;
                continue;
            }
            let expected = *head.get_or_insert_with(|| {
                tables += 1;
                cells(line)
            });
            assert_eq!(cells(line), expected, "{path}:{number}");
        }
    }
    assert!(tables > 20, "{tables}");
}
