//! Near names: a word that is not known goes in; the known word that its author most likely meant
//! comes out.

use lusoria_grammar::Rule;

use crate::syntax::expected::keyword;

/// Longer words are nobody's slip of the pen.
const LONGEST: usize = 64;

/// The known name that is nearest: at most a third of the letters differ.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    let written = name.to_lowercase();
    let letters = name.chars().count();
    let allowed = (letters / 3).max(1);
    known
        .into_iter()
        // A word is as far from a longer one as that is longer, at least.
        .filter(|other| other.len() <= LONGEST && other.chars().count().abs_diff(letters) <= allowed)
        .map(|other| (strsim::damerau_levenshtein(&written, &other.to_lowercase()), other))
        .filter(|(distance, other)| *distance <= allowed && *other != name)
        .min_by_key(|(distance, other)| {
            (*distance, !same_letters(name, other), std::cmp::Reverse(common_ends(name, other)))
        })
        .map(|(_, other)| other.to_string())
}

/// `frist` and `first`
pub fn same_letters(one: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.to_lowercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(one) == sorted(other)
}

/// How many letters the words have in common at the beginning and at the end.
fn common_ends(one: &str, other: &str) -> usize {
    let alike = |(a, b): &(char, char)| a == b;
    one.chars().zip(other.chars()).take_while(alike).count()
        + one.chars().rev().zip(other.chars().rev()).take_while(alike).count()
}

/// The word of the language that is nearest, of those that are wanted. Two letters tell little:
/// they must be the same two.
pub fn near_keyword(word: &str, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let words: Vec<String> = Rule::all_rules().iter().filter_map(|rule| keyword(*rule)).collect();
    let turned = |other: &str| word.chars().rev().eq(other.chars());
    let wanted = words.iter().map(String::as_str).filter(|other| wanted(other) && (word.len() > 2 || turned(other)));
    near(word, wanted)
}
