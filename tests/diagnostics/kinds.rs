//! Every kind of mistake has a file, is found in it where the file says, and reads as its snapshot
//! says.

use super::cases::{all_codes, failing, folder};
use crate::common::project;

/// Exactly the expected mistakes at exactly their lines.
#[test]
fn mistakes_are_found_at_their_places() {
    let mut wrong = String::new();
    for case in failing() {
        let expected = case.expected();
        let outcome = case.run();
        let found = outcome.found(&expected);
        if found != expected {
            wrong += &format!("{}\n  expected {expected:?}\n  found    {found:?}\n{}\n", case.name, outcome.rendered());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_kind_has_a_file() {
    let cases = failing();
    let shown = |code: &str| {
        cases.iter().any(|case| case.name == code && case.expected().iter().any(|expected| expected.code == code))
    };
    let missing: Vec<_> = all_codes().into_iter().filter(|code| !shown(code)).collect();
    assert!(missing.is_empty(), "no file in tests/games/fail for {missing:?}");
}

#[test]
fn codes_are_unique_and_plain() {
    let mut codes = all_codes();
    assert!(codes.iter().all(|code| code.chars().all(|c| c.is_ascii_lowercase() || c == '-')), "{codes:?}");
    codes.sort_unstable();
    let all = codes.len();
    codes.dedup();
    assert_eq!(codes.len(), all);
}

#[test]
fn every_kind_reads_well() {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true,
                            snapshot_path => project("tests/diagnostics/rendered") }, {
        for case in failing() {
            insta::assert_snapshot!(case.name.as_str(), case.run().rendered());
        }
    });
}

#[test]
fn unusual_games_are_right() {
    for case in folder("tests/games/pass") {
        let outcome = case.run();
        assert!(outcome.mistakes.is_empty(), "{}\n{}", case.name, outcome.rendered());
    }
}
