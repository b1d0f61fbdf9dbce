//! Expectations: rules of the grammar that were tried at one place go in; the words for what was
//! expected there come out.

use lusoria_grammar::Rule;

use crate::sort;

/// In the order in which to name them, each once; operators last. That a further word may stand
/// beside the last one (`noun`), or arguments behind it, is not worth saying.
pub fn expected(tried: &[Rule]) -> Vec<String> {
    let mut words: Vec<(u8, String)> = tried.iter().filter_map(|rule| name(*rule)).collect();
    sort::by(&mut words, Ord::cmp);
    words.dedup();
    words.into_iter().map(|(_, word)| word).collect()
}

fn name(rule: Rule) -> Option<(u8, String)> {
    if let Some(phrase) = phrase(rule) {
        return Some((0, phrase.into()));
    }
    if is_operator(rule) {
        return Some((2, "an operator".into()));
    }
    let word = mark(rule).or_else(|| beginning(rule)).map(String::from).or_else(|| keyword(rule))?;
    Some((1, format!("`{word}`")))
}

/// `kw_from` is the word `from`.
pub fn keyword(rule: Rule) -> Option<String> {
    format!("{rule:?}").strip_prefix("kw_").map(String::from)
}

fn is_operator(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::kw_and
            | Rule::kw_or
            | Rule::kw_mod
            | Rule::kw_where
            | Rule::kw_is
            | Rule::relation
            | Rule::filter
            | Rule::within
            | Rule::plus
            | Rule::minus
            | Rule::star
            | Rule::slash
            | Rule::dots
            | Rule::not_equal
            | Rule::less
            | Rule::greater
            | Rule::at_most_mark
            | Rule::at_least_mark
    )
}

fn phrase(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::section => "a section",
        Rule::declaration => "a declaration",
        Rule::statement => "a statement",
        Rule::outcome => "an outcome",
        Rule::way => "a way to move",
        Rule::about_entry => "a note",
        Rule::alias => "an alias",
        Rule::claim => {
            "a claim (`position`, `play`, `legal`, `illegal`, `caught`, `gives`, `perft`, who wins, `draw`, `goes on`)"
        }
        Rule::name => "a name",
        Rule::player | Rule::seat | Rule::team | Rule::side_wins => "a player",
        Rule::letter => "a capital letter",
        Rule::number | Rule::place_several | Rule::several => "a number",
        Rule::amount | Rule::amount_of | Rule::place_in_hand => "a number",
        Rule::man | Rule::place_on => "a kind of piece",
        Rule::string => "a string in `\"`",
        Rule::cell | Rule::cells | Rule::cell_range => "a cell",
        Rule::glyph | Rule::legend => "a glyph",
        Rule::square | Rule::hexagon | Rule::points => "a shape of board (`square`, `hexagon` or `points`)",
        Rule::item
        | Rule::straight_path
        | Rule::straight_pattern
        | Rule::path
        | Rule::pattern
        | Rule::landing
        | Rule::tested => "an item of a pattern",
        Rule::test | Rule::caught => "a test of a cell",
        Rule::turning => "a turning",
        Rule::line => "a line",
        Rule::set | Rule::set_and | Rule::set_not | Rule::members | Rule::drawn => "a set",
        Rule::file_edge | Rule::file_letter => "a file",
        _ if is_expression(rule) => "an expression",
        _ => return None,
    })
}

pub fn is_expression(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::expression
            | Rule::disjunction
            | Rule::conjunction
            | Rule::negation
            | Rule::comparison
            | Rule::quantified
            | Rule::sum
            | Rule::product
            | Rule::operand
            | Rule::juxtaposed
            | Rule::words
            | Rule::primary
            | Rule::argument
            | Rule::range
            | Rule::call
            | Rule::band
            | Rule::condition
            | Rule::measure
            | Rule::last_row
            | Rule::brackets
    )
}

/// The mark or word that such a part begins with.
pub fn beginning(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::game | Rule::head => "game",
        Rule::variant | Rule::variant_head => "variant",
        Rule::base | Rule::game_base => "extends",
        Rule::example | Rule::example_head => "example",
        Rule::from_position => "position",
        Rule::played => "play",
        Rule::legal | Rule::legal_only => "legal",
        Rule::illegal => "illegal",
        Rule::caught_cells => "caught",
        Rule::gives => "gives",
        Rule::perft => "perft",
        Rule::block | Rule::branch | Rule::ways | Rule::times => "{",
        Rule::parameters | Rule::set_of => "(",
        Rule::lines => "lines",
        Rule::without => "without",
        Rule::leave_at_end => "leave",
        Rule::go_to_hand => "go",
        Rule::per_player => "per player",
        Rule::on_pieces => "on pieces",
        Rule::for_one_turn => "for one turn",
        Rule::not_compared => ", not compared",
        Rule::piece_base => "from",
        Rule::piece_value => "value",
        Rule::opening_turn => "turn",
        Rule::chooser => "by",
        Rule::in_steps => "in steps",
        Rule::while_ => "while",
        Rule::to_members => "to",
        Rule::from_hand => "from hand",
        Rule::to_hand => "to hand",
        Rule::bottom_of => "bottom of",
        Rule::if_ | Rule::way_if => "if",
        Rule::way_move => "move",
        _ => return None,
    })
}

fn mark(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::open_brace => "{",
        Rule::close_brace => "}",
        Rule::open_paren => "(",
        Rule::close_paren => ")",
        Rule::open_angle => "<",
        Rule::close_angle => ">",
        Rule::equals => "=",
        Rule::comma => ",",
        Rule::colon => ":",
        Rule::anchor => "^",
        Rule::query => "?",
        _ => return None,
    })
}
