//! Continuations: a text and a place in it go in; the words and the kinds of parts that the grammar takes there come
//! out.

use lusoria_grammar::Rule;

use crate::sort;
use crate::source::SourceId;
use crate::syntax::brackets::{Part, outline};
use crate::syntax::expected::{beginning, is_expression, keyword};
use crate::syntax::scan::scan;

/// What may stand at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ahead {
    /// Words of the language, each once.
    pub words: Vec<String>,
    /// A section may begin here.
    pub section: bool,
    pub statement: bool,
    pub outcome: bool,
    /// A value: a number, a truth, a set.
    pub value: bool,
    /// A set alone, without comparisons.
    pub set: bool,
    /// A part of a pattern.
    pub item: bool,
    /// A name: which one, the words before it tell.
    pub name: bool,
    pub player: bool,
    /// A man: a kind, perhaps with its owner before it.
    pub man: bool,
    pub string: bool,
    /// The byte where the section at hand begins.
    pub begins: usize,
}

/// Stands where the text ends: no rule takes it, so that the grammar says what it would have taken.
const STOP: char = '\u{1}';

/// What may stand behind the text before this byte; nothing where what stands before it is wrong.
pub fn ahead(text: &str, at: usize) -> Ahead {
    let before = text.get(..at).unwrap_or(text);
    let tokens = scan(SourceId::PRELUDE, before).tokens;
    let root = outline(SourceId::PRELUDE, &tokens).root;
    let mut found = Ahead { begins: before.len(), ..Ahead::default() };
    let mut part = &root;
    loop {
        let is_inside = part
            .head
            .as_ref()
            .is_none_or(|head| tokens.get(head.end.wrapping_sub(1)).is_some_and(|token| token.is_mark("{")));
        match part.parts.last() {
            Some(inner) if is_inside => part = inner,
            _ => {
                return stopped(before, part, &root, is_inside, &tokens, found);
            }
        }
        found.begins = tokens.get(part.tokens.start).map_or(before.len(), |token| token.start);
    }
}

fn stopped(
    before: &str,
    part: &Part,
    root: &Part,
    is_inside: bool,
    tokens: &[crate::syntax::scan::Token],
    mut found: Ahead,
) -> Ahead {
    let is_game = std::ptr::eq(part, root);
    if is_game && tokens.is_empty() {
        found.words.push("game".into());
        return found;
    }
    if is_inside && (is_game || part.head.is_some()) {
        // Between the brace of a game or variant and its first section.
        found.section = part.junk.is_empty();
        return found;
    }
    let begins = tokens.get(part.tokens.start).map_or(0, |token| token.start);
    found.begins = begins;
    let rule = if part.head.is_some() { Rule::one_head } else { Rule::one_section };
    let text = format!("{} {STOP}", before.get(begins..).unwrap_or(""));
    let end = text.trim_end_matches(STOP).trim_end().len();
    if let Err(stuck) = lusoria_grammar::parse(rule, &text)
        && stuck.at >= end
    {
        stuck.tried.into_iter().for_each(|rule| found.take(rule));
    }
    sort::by(&mut found.words, Ord::cmp);
    found.words.dedup();
    found
}

impl Ahead {
    fn take(&mut self, rule: Rule) {
        match rule {
            // The section is whole, and another one may follow.
            Rule::EOI => self.section = true,
            Rule::section | Rule::declaration => self.section = true,
            Rule::statement => self.statement = true,
            Rule::outcome | Rule::side_wins => self.outcome = true,
            Rule::name | Rule::noun | Rule::about_entry => self.name = true,
            Rule::player | Rule::seat | Rule::team => self.player = true,
            Rule::man | Rule::place_on | Rule::legend => self.man = true,
            Rule::string => self.string = true,
            Rule::claim => {
                let claims = ["position", "play", "legal", "illegal", "caught", "gives", "perft", "draw", "goes"];
                self.words.extend(claims.map(String::from));
            }
            Rule::way => self.words.extend(["move", "if"].map(String::from)),
            Rule::line => self.value = true,
            Rule::item
            | Rule::straight_path
            | Rule::straight_pattern
            | Rule::path
            | Rule::pattern
            | Rule::tested
            | Rule::test => {
                self.item = true;
                if matches!(
                    rule,
                    Rule::item | Rule::path | Rule::pattern | Rule::straight_path | Rule::straight_pattern
                ) {
                    self.words.push("to".into());
                }
            }
            Rule::landing => self.words.push("to".into()),
            Rule::set | Rule::set_and | Rule::set_not | Rule::members | Rule::drawn => self.set = true,
            Rule::square | Rule::hexagon | Rule::points => self.words.push(format!("{rule:?}")),
            Rule::filter => self.words.push("where".into()),
            Rule::within => self.words.push("in".into()),
            Rule::relation => self.words.extend(["is", "in", "not"].map(String::from)),
            Rule::amount | Rule::amount_of | Rule::place_in_hand => self.name = true,
            _ if is_expression(rule) => self.value = true,
            _ => {
                let word = keyword(rule).or_else(|| beginning(rule).map(String::from));
                self.words.extend(word.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place is where `|` stands.
    fn at(text: &str) -> Ahead {
        let place = text.find('|').expect("a place");
        ahead(&text.replace('|', ""), place)
    }

    #[test]
    fn the_grammar_says_what_may_follow() {
        let game = at("game \"A\" { players White, Black  | ");
        assert!(game.section, "{game:?}");
        let game = at("game \"A\" { |");
        assert!(game.section && !game.statement, "{game:?}");
        let block = at("game \"A\" { move { pick p from own | } }");
        assert!(block.statement && block.words.contains(&"by".to_string()), "{block:?}");
        let set = at("game \"A\" { move { pick p from | ");
        assert!(set.set && !set.statement, "{set:?}");
        let line = at("game \"A\" { piece man { move forward: ^ | ");
        assert!(line.item && line.words.contains(&"to".to_string()), "{line:?}");
        let place = at("game \"A\" { setup { place | ");
        assert!(place.man, "{place:?}");
        let end = at("game \"A\" { end { | ");
        assert!(end.outcome, "{end:?}");
        assert_eq!(at("|").words, ["game"]);
        assert!(at("game \"A\" { move { pick from | ").words.is_empty(), "what is wrong before has no continuation");
    }

    #[test]
    fn a_variant_has_sections_of_its_own() {
        let variant = at("game \"A\" { players White, Black variant \"B\" { board | ");
        assert!(variant.words.contains(&"square".to_string()), "{variant:?}");
        assert!(at("game \"A\" { variant \"B\" { |").section);
    }
}
