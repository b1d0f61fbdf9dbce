//! What is said of the shipped files.

use std::fmt::Write;

use lusoria::check::check;
use lusoria::report::{Look, Notice, render};
use lusoria::shipped::Shipped;

use crate::common::project;

/// No shipped file is wrong; the warnings that remain are in the snapshot.
#[test]
fn shipped_files_have_no_errors() {
    let mut warnings = String::new();
    for game in Shipped.games() {
        let checked = check(game.source.clone(), &Shipped);
        let notices: Vec<Notice> = checked.mistakes.iter().map(Notice::from).collect();
        let text = render(&notices, &checked.sources, Look::default());
        assert!(!checked.has_errors(), "{text}");
        writeln!(warnings, "{text}").expect("writing to a string succeeds");
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true,
                            snapshot_path => project("tests/diagnostics/rendered") }, {
        insta::assert_snapshot!("shipped-warnings", warnings);
    });
}
