//! Plans as text: what is printed reads back. Single passes: a small plan goes in, and what its file
//! says comes out.

use std::collections::BTreeSet;
use std::path::PathBuf;

use lusoria::plan::{
    OptError, linearize, opt, parse_code, parse_plan, pass_names, print_code, print_plan, verify_plan,
};

use crate::common::{engine_of, project, shipped_games};

#[test]
fn plans_of_all_games_read_back() {
    let mut plans = 0;
    for game in shipped_games() {
        let Some(engine) = engine_of(&game) else { continue };
        let plan = engine.plan();
        let text = print_plan(plan);
        let read = parse_plan(&text).unwrap_or_else(|error| panic!("{}: {error}", game.name()));
        assert!(read == *plan, "{}: another plan is read back", game.name());
        let code = linearize(plan).expect("it was laid out before");
        let text = text + &print_code(&code);
        let (_, read) = parse_code(&text).unwrap_or_else(|error| panic!("{}: {error}", game.name()));
        assert!(read == code.to_fused(), "{}: other code is read back", game.name());
        assert_eq!(print_plan(plan) + &print_code(&read), text);
        plans += 1;
    }
    assert!(plans > 20, "{plans}");
}

/// Parts the plan before a pass from the text behind it.
const AFTER: &str = "--- after\n";

/// `tests/passes/NAME/*.plan`: a comment that says what is shown, a plan, and what the pass `NAME`
/// makes of it. `LUSORIA_BLESS=1` writes the second part.
#[test]
fn passes_make_of_plans_what_their_files_say() {
    let folders = std::fs::read_dir(project("tests/passes")).expect("the folder is there").flatten();
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for folder in folders {
        let name = folder.file_name().into_string().expect("the name of a pass");
        let plans = std::fs::read_dir(folder.path()).expect("a folder of plans").flatten();
        files.extend(plans.map(|plan| (name.clone(), plan.path())));
    }
    for pass in pass_names() {
        let count = files.iter().filter(|(name, _)| name == pass).count();
        assert!(count >= 3, "{pass}: {count} files show what it does, and 3 should");
    }
    let mut idle: BTreeSet<String> = pass_names().map(String::from).collect();
    for (pass, path) in files {
        let text = std::fs::read_to_string(&path).expect("a plan");
        let shown = path.display();
        assert!(text.starts_with("# "), "{shown}: the first line says what is shown");
        let (before, expected) = text.split_once(AFTER).unwrap_or((&text, ""));
        let after = opt(&pass, before).unwrap_or_else(|error| panic!("{shown}: {error}"));
        if before.ends_with(&after) {
            idle.remove(&pass);
        }
        if std::env::var_os("LUSORIA_BLESS").is_some() {
            std::fs::write(&path, format!("{before}{AFTER}{after}")).expect("the file can be written");
        } else {
            assert_eq!(after, expected, "{shown}");
        }
    }
    // It lays out what was not laid out before.
    idle.remove("linearize");
    assert!(idle.is_empty(), "{idle:?}: no file shows where they do nothing");
}

#[test]
fn unknown_passes_and_broken_plans_are_refused() {
    assert_eq!(opt("tidy", ""), Err(OptError::UnknownPass));
    for pass in pass_names() {
        assert!(matches!(opt(pass, "pick c from empty"), Err(OptError::Text(_))), "{pass}");
    }
}

/// `tests/malformed/*.plan`: a comment with a pass that takes such a plan, and what the verifier says
/// of it.
#[test]
fn malformed_plans_are_refused_with_their_sentences() {
    let files = std::fs::read_dir(project("tests/malformed")).expect("the folder is there").flatten();
    let mut count = 0;
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("a plan");
        let first = text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a comment");
        let (pass, sentence) = first.split_once(": ").expect("a pass and a sentence");
        match opt(pass, &text) {
            Err(OptError::Malformed(malformed)) => assert_eq!(malformed.to_string(), sentence, "{:?}", file.path()),
            other => panic!("{:?}: {other:?}", file.path()),
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
}

/// Behind a pass the verifier names it, too.
#[test]
fn the_verifier_names_pass_seat_and_instruction() {
    let text = std::fs::read_to_string(project("tests/malformed/tree-branch.plan")).expect("a plan");
    let plan = parse_plan(&text).expect("its form is fine");
    let told = verify_plan(&plan, Some("vectorize")).expect_err("a fault").to_string();
    let expected = "behind the pass `vectorize`, seat 0, turn, 4 `s0 = s0 or s2`: s2 may be read before it is written";
    assert_eq!(told, expected);
}

/// What a branch asks tells paths apart, so that what was written on one of them can be read where the
/// same is asked again.
#[test]
fn what_branches_ask_tells_paths_apart() {
    let asks = |turn: &str| {
        let head = "plan sets 2\nboard words 1 cells 0..8\nposition sets 2 players s0,s1\nasks\nseat 0\n  turn\n";
        opt("dce", &format!("{head}{turn}  after\n  end\n")).map(|_| ())
    };
    let again = "    n0 = some s0\n    if n0\n      s2 = s0 and s1\n    if n0\n      s0 = s0 or s2\n";
    assert_eq!(asks(again), Ok(()));
    // An arm leaves a number, and a branch behind the choice asks which arm it was.
    let arms = "    choose\n      s2 from s0\n        n0 = const 0\n      s3 from s1\n        n0 = const 1\n";
    assert_eq!(asks(&format!("{arms}    if n0\n      s0 = s0 or s3\n    else\n      s0 = s0 or s2\n")), Ok(()));
    assert!(asks(&format!("{arms}    if n0\n      s0 = s0 or s2\n")).is_err());
    let negated = "    n1 = not n0\n    if n1\n      s0 = s0 or s2\n";
    assert_eq!(asks(&format!("{arms}{negated}")), Ok(()));
}
