//! English: names and phrases go in; plurals, lists and sentences come out.

/// `a, b and c`.
pub fn list<T: AsRef<str>>(words: &[T], joint: &str) -> String {
    match words {
        [] => String::from("nothing"),
        [one] => one.as_ref().to_string(),
        [before @ .., last] => {
            let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
            let comma =
                if last.as_ref().contains(',') || before.iter().any(|word| word.contains(',')) { "," } else { "" };
            format!("{}{comma} {joint} {}", before.join(", "), last.as_ref())
        }
    }
}

/// A name of the rules as words.
pub fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// More than one of what a name calls.
pub fn plural(name: &str) -> String {
    let name = spaced(name);
    if let Some(stem) = name.strip_suffix("man") {
        return format!("{stem}men");
    }
    // Animals of the water, and words that are many already.
    if ["ish", "men", "sheep"].iter().any(|many| name.ends_with(many)) {
        return name;
    }
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if name.ends_with(['s', 'x']) || name.ends_with("ch") || name.ends_with("sh") => format!("{name}es"),
        _ => format!("{name}s"),
    }
}

/// A number of things.
pub fn counted(count: u64, name: &str) -> String {
    format!("{count} {}", if count == 1 { spaced(name) } else { plural(name) })
}

pub fn article(words: &str) -> String {
    let vowel = words.trim_start_matches('*').starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O', 'u']);
    let says_you = ["uni", "use", "one"].iter().any(|start| words.starts_with(start));
    format!("{} {words}", if vowel && !says_you { "an" } else { "a" })
}

pub fn capital(text: &str) -> String {
    // A name of one letter stays as it is.
    let is_name = text.split(' ').next().is_some_and(|word| word.len() == 1 && word != "a");
    let mut letters = text.trim().chars();
    if is_name {
        return letters.collect();
    }
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// With a capital and a full stop.
pub fn sentence(text: &str) -> String {
    let begun = capital(text);
    if begun.ends_with(['.', ':', '!', '?']) { begun } else { format!("{begun}.") }
}
