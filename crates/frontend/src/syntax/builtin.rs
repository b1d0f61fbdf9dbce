//! Built-in names: a word goes in; whether the language knows it by itself comes out.

/// Names that are values (LANGUAGE reference, "Built-in names").
pub const NAMES: &[&str] = &[
    "own",
    "enemy",
    "ally",
    "neutral",
    "any",
    "empty",
    "occupied",
    "straight",
    "orthogonal",
    "diagonal",
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
    "forward",
    "backward",
    "ahead",
    "behind",
    "sideways",
    "outward",
    "axes",
    "last",
    "origin",
    "passed",
    "heading",
    "caught",
    "here",
    "it",
    "cycle",
    "turns",
    "changed",
    "true",
    "false",
    "none",
];

/// Names that are functions.
pub const FUNCTIONS: &[&str] = &[
    "count", "adjacent", "shift", "groups", "group", "segments", "largest", "sizes", "span", "nth", "opposite",
    "height", "bottom", "hand", "catches", "reach", "attacked", "stuck", "times", "value",
];

/// Built-in names that came later than the others: a text may declare them, and then means its own.
const YIELDING: &[&str] = &["changed", "turns", "value"];

/// It cannot be declared.
pub fn is_builtin(name: &str) -> bool {
    (NAMES.contains(&name) || FUNCTIONS.contains(&name)) && !YIELDING.contains(&name)
}
