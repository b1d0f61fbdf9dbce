//! The names that are built in, and near names.

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
    "true",
    "false",
    "none",
];

/// Names that are functions.
pub const FUNCTIONS: &[&str] = &[
    "count", "adjacent", "shift", "groups", "group", "segments", "largest", "sizes", "span", "nth", "opposite", "height",
    "bottom", "hand", "catches", "reach", "attacked", "stuck", "times",
];

pub fn is_builtin(name: &str) -> bool {
    NAMES.contains(&name) || FUNCTIONS.contains(&name)
}

/// The known name that the author may have meant: at most a third of its letters differ.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let allowed = (name.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase()), other))
        .filter(|(distance, other)| *distance <= allowed && *other != name)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other.to_string())
}
