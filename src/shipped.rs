//! Shipped games: the rules files that are embedded in the binary. A name goes in; a source comes
//! out.

use include_dir::{Dir, include_dir};

use crate::check::{Library, key};
use crate::sort;
use crate::source::Source;

static RULES: Dir<'static> = include_dir!("$OUT_DIR/rules");

const PRELUDE: &str = "std";

/// The library of the shipped games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipped;

/// A shipped rules file.
#[derive(Clone, Debug)]
pub struct ShippedGame {
    /// The file's name without `.rules`.
    pub stem: &'static str,
    /// The title of its game.
    pub title: String,
    pub source: Source,
}

impl Shipped {
    /// All shipped games, by file name.
    pub fn games(self) -> Vec<ShippedGame> {
        let mut games: Vec<_> = RULES.files().filter_map(shipped_game).filter(|game| game.stem != PRELUDE).collect();
        sort::by_key(&mut games, |game| game.stem);
        games
    }

    /// The weights of evaluations that are shipped with a game, by its file's stem.
    pub fn weights(self, stem: &str) -> Option<&'static str> {
        RULES.get_file(format!("{stem}.weights"))?.contents_utf8()
    }

    /// A game by its file's stem or its title; case, blanks, `_`, `-`, `'` and commas do not count.
    pub fn named(self, name: &str) -> Option<ShippedGame> {
        let wanted = key(name);
        self.games().into_iter().find(|game| key(game.stem) == wanted || key(&game.title) == wanted)
    }
}

impl Library for Shipped {
    fn prelude(&self) -> Source {
        let text = RULES.get_file("std.rules").and_then(|file| file.contents_utf8()).unwrap_or_default();
        Source::new("std.rules", text)
    }

    fn titles(&self) -> Vec<String> {
        self.games().into_iter().map(|game| game.title).collect()
    }

    fn find(&self, wanted: &str) -> Option<Source> {
        let mut files = RULES.files();
        let is_wanted = |title: String| key(&title) == key(wanted);
        let file = files.find(|file| file.contents_utf8().and_then(title).is_some_and(is_wanted));
        file.and_then(shipped_game).map(|game| game.source)
    }
}

fn shipped_game(file: &'static include_dir::File<'static>) -> Option<ShippedGame> {
    let is_rules = file.path().extension().is_some_and(|extension| extension == "rules");
    let stem = file.path().file_stem().filter(|_| is_rules)?.to_str()?;
    let text = file.contents_utf8()?;
    let title = title(text).unwrap_or_default();
    Some(ShippedGame { stem, title, source: Source::new(format!("{stem}.rules"), text) })
}

/// The title of a text's game: the string behind its first word `game`, comments aside.
pub fn title(text: &str) -> Option<String> {
    let rest = without_comments(without_comments(text).strip_prefix("game")?).strip_prefix('"')?;
    rest.split('"').next().map(str::to_string)
}

/// The text from its first word on.
fn without_comments(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix('#') {
        rest = comment.split_once('\n').map_or("", |(_, after)| after).trim_start();
    }
    rest
}
