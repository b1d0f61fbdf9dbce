//! Commands of authors: files and positions go in; what the commands tell of them must be right, and plain.

use lusoria::shipped::Shipped;

use crate::cli::{RULES, USAGE, fails, fine, folder, json, lusoria, path};

/// Writes a file in a folder of its own, and gives the text.
fn begun(name: &str, more: &[&str]) -> String {
    let folder = folder(&[]);
    let file = path(&folder, &format!("{name}.rules"));
    let out = fine(&[&["new", &file], more].concat());
    assert!(out.starts_with(&format!("{file}: ")), "{out}");
    assert_eq!(fine(&["check", &file]), "1 file: no errors, no warnings\n", "{more:?}");
    let played = json(&["simulate", &file, "--games", "1", "--max-turns", "30", "--executor", "reference", "--json"]);
    assert_eq!(played["games"], 1, "{more:?}");
    assert_eq!(fine(&["fmt", "--check", &file]), "", "{more:?}");
    std::fs::read_to_string(&file).expect("it was written")
}

#[test]
fn a_new_file_is_a_game_on_each_board() {
    for board in ["square", "hexagon", "points", "layers", "ring", "stacks"] {
        let text = begun("my_first_game", &["--board", board]);
        assert!(
            text.contains("game \"My first game\" {") && text.contains("# What you expect of the rules."),
            "{text}"
        );
        assert!(text.contains("  example \"") && !text.contains("TITLE") && !text.contains("FILE"), "{text}");
    }
    let plain =
        |text: String| text.lines().filter(|line| !line.starts_with("#   ")).map(String::from).collect::<Vec<_>>();
    assert_eq!(plain(begun("a", &[])), plain(begun("a", &["--board", "square"])));
}

#[test]
fn a_new_file_is_like_each_shipped_game() {
    for game in Shipped.games() {
        let text = begun("mine", &["--like", game.stem]);
        assert!(text.contains(&format!("game \"Mine\" extends \"{}\" {{", game.title)), "{text}");
    }
    let text = begun("mine", &["--like", "fanorona:telo"]);
    assert!(text.contains("game \"Mine\" extends \"Fanorona Telo\" of \"Fanorona\" {"), "{text}");
    assert!(text.contains("  # board square 3 by 3"), "{text}");
}

#[test]
fn a_new_file_may_be_like_one_beside_it() {
    let text = std::fs::read_to_string(crate::common::project("rules/breakthrough.rules")).expect("it is shipped");
    let folder = folder(&[("base.rules", text.replace("Breakthrough", "Base Game").as_bytes())]);
    let (base, mine) = (path(&folder, "base.rules"), path(&folder, "mine"));
    fine(&["new", &mine, "--like", &base]);
    assert_eq!(fine(&["check", &format!("{mine}.rules")]), "1 file: no errors, no warnings\n");
    // From elsewhere it would not be found.
    let elsewhere = crate::cli::folder(&[]);
    let (code, out, err) = lusoria(&["new", &path(&elsewhere, "mine"), "--like", &base]);
    assert_eq!((code, out.as_str()), (RULES, ""));
    assert!(err.contains("nothing was written") && !elsewhere.path().join("mine.rules").exists(), "{err}");
}

#[test]
fn a_new_file_overwrites_nothing() {
    let folder = folder(&[("kept.rules", b"mine")]);
    let told = fails(&["new", &path(&folder, "kept")], USAGE);
    assert!(told.contains("never overwrites"), "{told}");
    assert_eq!(std::fs::read(folder.path().join("kept.rules")).unwrap(), b"mine");
    for wrong in ["", "a\"b", "-", "..", "a\nb"] {
        fails(&["new", "--", &path(&folder, wrong)], USAGE);
    }
    fails(&["new", &path(&folder, "x"), "--board", "cube"], USAGE);
    fails(&["new", &path(&folder, "x"), "--board", "ring", "--like", "chess"], USAGE);
    fails(&["new", &path(&folder, "x"), "--like", "no_such_game"], USAGE);
    fails(&["new", &path(&folder, "no/folder/x")], USAGE);
    assert!(fails(&["new", &path(&folder, "chess"), "--like", "chess"], USAGE).contains("another name"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let told = json(&["new", &path(&folder, "two words"), "--json"]);
    assert_eq!(told["title"], "Two words");
    assert_eq!(told["file"], path(&folder, "two words.rules"));
}

#[test]
fn each_command_has_a_manual_page_and_help_with_an_example() {
    let folder = folder(&[]);
    let told = json(&["man", "--out", &path(&folder, "man"), "--json"]);
    let files: Vec<&str> = told["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    assert!(files.len() > 18 && files.contains(&"lusoria.1"), "{files:?}");
    for file in &files {
        let page = std::fs::read_to_string(folder.path().join("man").join(file)).expect("it was written");
        assert!(page.contains(".TH lusoria") && page.contains(".SH SYNOPSIS"), "{file}: {page}");
        let Some(name) = file.strip_prefix("lusoria-").and_then(|rest| rest.strip_suffix(".1")) else { continue };
        assert!(page.contains(&format!("lusoria {name}").replace('-', "\\-")) || page.contains(name), "{file}");
        let help = fine(&[name, "--help"]);
        assert!(help.contains("Examples:") && help.contains(&format!("lusoria {name}")), "{name}: {help}");
        assert!(page.contains("Examples:"), "{file}");
    }
    // What `--help` lists has a page.
    let help = fine(&["--help"]);
    let listed = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("the commands");
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(files.contains(&format!("lusoria-{name}.1").as_str()), "{name}");
    }
    let told = fails(&["man", "--out", "Cargo.toml"], USAGE);
    assert!(told.contains("cannot write"), "{told}");
}
