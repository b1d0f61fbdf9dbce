//! Pages: the code of a mistake or fault goes in; its page of the reference of errors comes out.

use serde::Serialize;

use crate::sort;

/// The reference, as it is in the documentation.
const REFERENCE: &str = include_str!("../../docs/errors.md");
/// Of codes that are near to one that is not known, so many are named.
const MOST_NEAR: usize = 3;

/// What the reference says of one code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Page {
    pub code: &'static str,
    /// The heading of the part that it stands in.
    pub part: &'static str,
    /// Markdown, without the heading.
    pub text: &'static str,
}

/// All pages, in the order of the reference.
pub fn pages() -> Vec<Page> {
    let parts = REFERENCE.split("\n## ").skip(1);
    parts
        .flat_map(|part| {
            let heading = part.lines().next().unwrap_or_default();
            part.split("\n### `").skip(1).filter_map(move |page| {
                let (code, rest) = page.split_once('`')?;
                Some(Page { code, part: heading, text: rest.trim() })
            })
        })
        .collect()
}

/// The codes that a code which is not known may stand for, the nearest first.
pub fn near_codes(code: &str) -> Vec<&'static str> {
    let wanted = code.to_ascii_lowercase().replace(['_', ' '], "-");
    let distance = |known: &str| {
        if known.contains(&wanted) || wanted.contains(known) {
            return 0;
        }
        strsim::damerau_levenshtein(known, &wanted)
    };
    let known = pages().into_iter().map(|page| (distance(page.code), page.code));
    let mut near: Vec<_> = known.filter(|(distance, _)| *distance <= wanted.len() / 3).collect();
    sort::by_key(&mut near, |(distance, code)| (*distance, code.len()));
    near.into_iter().take(MOST_NEAR).map(|(_, code)| code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_codes_are_found() {
        assert_eq!(near_codes("wrong_tipe").first(), Some(&"wrong-type"));
        assert_eq!(near_codes("Unknown name").first(), Some(&"unknown-name"));
        assert_eq!(near_codes("stray-closing").first(), Some(&"syntax-stray-closing"));
        assert!(near_codes("qqqqqqqqqq").is_empty());
    }
}
