//! Hostile rules files, by kinds: whatever a text repeats, nests or chains, each command answers
//! within ten seconds of the processor and 256 MB, without a panic, a signal or a flood of text.

use std::fmt::Write;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::cli::told;
use crate::common::thorough;

/// With checks, and beside other tests, a build takes twice as long.
const SECONDS: u32 = if cfg!(debug_assertions) { 20 } else { 10 };
const KILOBYTES: u32 = 256 << 10;
/// Most bytes of messages; a page of mistakes of every kind.
const MOST_TOLD: usize = 200 << 10;

/// A game on a small board, with a turn and further declarations.
fn game(declarations: &str, turn: &str) -> String {
    game_with(declarations, turn, "win if stuck(enemy)")
}

fn game_with(declarations: &str, turn: &str, end: &str) -> String {
    format!(
        "game \"Hostile\" {{\n players White north, Black south\n board square 5 by 5\n piece man {{ move forward: step }}\n \
         {declarations}\n setup {{ place man on row 1  mirror }}\n move {{ {turn} }}\n end {{ {end} }}\n}}\n"
    )
}

const PLAIN: &str = "pick p from own  move p";

/// `each` with the numbers `from..to`.
fn lines(numbers: std::ops::Range<usize>, each: impl Fn(usize) -> String) -> String {
    numbers.fold(String::new(), |mut text, number| {
        writeln!(text, "{}", each(number)).expect("it is a string");
        text
    })
}

fn nested(times: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

/// Kinds of texts of a size: about so many parts, or so many within each other.
fn texts(size: usize) -> Vec<(&'static str, String)> {
    let define = |body: String| game(&format!("define x = {body}"), "pick p from own where x  move p");
    vec![
        ("wide line", format!("{}{}", " ".repeat(70_000), game("", "pick p from nowhere  move p").replace('\n', " "))),
        ("mistakes on a line", game("", &"pick p from nowhere ".repeat(size))),
        ("mistakes on lines", game("", &lines(0..size, |i| format!("remove nowhere{i}")))),
        ("nothing but brackets", "(".repeat(size)),
        ("nothing but blocks", "{".repeat(size)),
        ("brackets", define(nested(size, "(", "true", ")"))),
        ("negations", define(format!("{} true", "not ".repeat(size)))),
        ("conditions within each other", define(nested(size, "(some own where ", "true", ")"))),
        ("if within if", game("", &nested(size, "if some own { ", PLAIN, " }"))),
        ("either within either", game("", &nested(size, "either { pass } or { ", PLAIN, " }"))),
        ("else first within else first", game("", &nested(size, "first { pick q from none } else { ", PLAIN, " }"))),
        ("repeat within repeat", game("", &nested(size, "repeat { ", PLAIN, " }"))),
        ("alternatives", game("", &format!("either {{ {PLAIN} }} {}", "or { pass } ".repeat(size)))),
        (
            "eithers one after the other",
            game("", &format!("{} {PLAIN}", "either { } or { remove none } ".repeat(size))),
        ),
        ("picks one after the other", game("", &format!("{} pass", lines(0..size, |i| format!("pick p{i} from any"))))),
        ("rounds that change nothing", game("", "pick p from own  repeat { move p straight: step }")),
        ("rounds of nothing", game("", "repeat silently { either { } or { } }")),
        ("a chain of defines", {
            let chain = lines(1..size, |i| format!("define d{i} = d{} and own", i - 1));
            game(&format!("define d0 = own\n{chain}"), &format!("pick p from d{}  move p", size - 1))
        }),
        ("players of whom each is one of three", {
            let who = |i: usize| format!("who{}", i - 1);
            let some = |i: usize| format!("if count(own) > 1 then {0} else if some enemy then {0} else {0}", who(i));
            let chain = lines(1..size, |i| format!("define who{i} = {}", some(i)));
            let turn = format!("let p = {}  pick c from empty  place p man on c", who(size));
            game(&format!("define who0 = own\n{chain}"), &turn)
        }),
        ("defines that double", {
            let chain = lines(1..size, |i| format!("define d{i} = d{} + d{}", i - 1, i - 1));
            let last = format!("need d{} > 0  {PLAIN}", size - 1);
            game(&format!("define d0 = count(own)\n{chain}"), &last)
        }),
        ("a chain of actions", {
            let chain = lines(1..size, |i| format!("action a{i} {{ do a{} }}", i - 1));
            game(&format!("action a0 {{ {PLAIN} }}\n{chain}"), &format!("do a{}", size - 1))
        }),
        ("actions that double", {
            let chain = lines(1..size, |i| format!("action a{i} {{ do a{}  do a{} }}", i - 1, i - 1));
            game(&format!("action a0 {{ remove none }}\n{chain}"), &format!("do a{}  {PLAIN}", size - 1))
        }),
        ("a chain of patterns", {
            let chain = lines(1..size, |i| format!("pattern t{i} = t{}", i - 1));
            let turn = format!("pick p from own  move p straight: t{}", size - 1);
            game(&format!("pattern t0 = ^ to empty\n{chain}"), &turn)
        }),
        ("patterns that double", {
            let chain = lines(1..size, |i| format!("pattern t{i} = t{} or t{}", i - 1, i - 1));
            let turn = format!("pick p from own  move p straight: t{}", size - 1);
            game(&format!("pattern t0 = ^ to empty\n{chain}"), &turn)
        }),
        ("recursion", {
            let body = nested(size.min(100), "(some own where ", "f(n - 1)", ")");
            game(&format!("define f(n) = n <= 0 or {body}"), &format!("need f(1000000)  {PLAIN}"))
        }),
        ("outcomes", game_with("", PLAIN, &lines(0..size, |i| format!("win if count(own) > {i}")))),
        ("kinds", game(&lines(0..size, |i| format!("piece kind{i} {{ move forward: step }}")), PLAIN)),
        ("remembered values", game(&lines(0..size, |i| format!("remember r{i} = none")), PLAIN)),
        ("ways", {
            let ways = "move straight: slide ".repeat(size);
            game(&format!("piece queen {{ {ways} }}"), PLAIN)
        }),
        (
            "variants",
            format!("{}{}", game("", PLAIN), lines(0..size, |i| format!("variant \"V{i}\" {{ move {{ {PLAIN} }} }}"))),
        ),
        ("a long name", game(&format!("define {} = own", "x".repeat(size * 20)), PLAIN)),
        ("a long number", game(&format!("define x = {}", "9".repeat(size)), PLAIN)),
        ("a long comment", format!("# {}\n{}", "x".repeat(size * 20), game("", PLAIN))),
        ("bytes that are no letters", format!("\u{0}\u{7f}\u{feff}{}", "\u{202e}é\u{0}".repeat(size))),
    ]
}

/// A command on a file, under the limits.
fn limited(arguments: &[&str]) -> (i32, String, String) {
    let limits = format!("ulimit -c 0; ulimit -t {SECONDS}; ulimit -v {KILOBYTES}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limits, env!("CARGO_BIN_EXE_lusoria")]).args(arguments);
    // One arena of the allocator: address space that a thread reserves and never uses does not count.
    let output = command.env("MALLOC_ARENA_MAX", "1").stdin(Stdio::null()).output().expect("it starts");
    assert!(
        output.status.code().is_some(),
        "{arguments:?}: {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    told(output)
}

fn sweep(size: usize, commands: &[&[&str]]) {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("hostile.rules");
    let path = file.to_str().expect("a path in UTF-8");
    for (kind, text) in texts(size) {
        assert!(text.len() < 1 << 20, "{kind} of {size} parts has {} bytes", text.len());
        std::fs::write(&file, text).expect("it is written");
        for command in commands {
            let arguments: Vec<&str> =
                command[..1].iter().copied().chain([path]).chain(command[1..].iter().copied()).collect();
            let (code, _, err) = limited(&arguments);
            assert!(code <= 2, "{kind}, {size} parts: {command:?} ends with {code}:\n{err}");
            assert!(err.len() < MOST_TOLD, "{kind}, {size} parts: {command:?} tells {} bytes", err.len());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn small_hostile_files_are_answered() {
    // What simulates has checked and planned; the others are tried where the whole sample is.
    let simulate: &[&str] = &["simulate", "--games", "2", "--threads", "1", "--max-turns", "20"];
    let all: [&[&str]; 4] = [simulate, &["check"], &["plan"], &["moves"]];
    sweep(25, &all[..if thorough() { 4 } else { 1 }]);
}

#[test]
#[cfg(target_os = "linux")]
fn large_hostile_files_are_answered() {
    let all: [&[&str]; 2] = [&["moves"], &["check"]];
    sweep(3_000, &all[..if thorough() { 2 } else { 1 }]);
}

/// All runs of a turn are kept to draw one of them: they end with a fault before they fill the memory.
#[test]
fn runs_that_are_drawn_among_take_a_bounded_memory() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("runs.rules");
    let text = "game \"Runs\" { players White, Black  board square 6 by 6  piece man
        setup { place White man on rank 1  place Black man on rank 6 }
        move { pick p from own  move p straight: step
               for each c in empty { pick d from orthogonal }  need changed and some last }
        end { win if turns > 5  win if stuck(enemy) } }";
    std::fs::write(&file, text).expect("it is written");
    let path = file.to_str().expect("a path in UTF-8");
    let (code, _, err) = limited(&["simulate", path, "--games", "1", "--threads", "1", "--executor", "scalar"]);
    assert!(code == 1 && err.contains("fault-work"), "{code}: {err}");
}
