//! A source goes in; what it extends is found and read, and the game comes out, or all that is
//! wrong with it.

use std::collections::{BTreeSet, HashMap};

use crate::check::cascade::Lost;
use crate::check::error::{Kind, Problem, Problems, Severity};
use crate::check::limits::MAX_VARIANTS;
use crate::check::{Checker, Usage, lint};
use crate::model::Game;
use crate::source::{Source, SourceId, Sources, Span};
use crate::syntax;
use crate::syntax::{SyntaxError, ast};

/// Where other texts come from. The checker itself reads no files.
pub trait Library {
    /// The prelude that is read before every game.
    fn prelude(&self) -> Source;
    /// The text of the game with this title, compared by [`key`].
    fn find(&self, title: &str) -> Option<Source>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamValue {
    Number(i64),
    Truth(bool),
}

/// What a caller chooses of a game: a variant by its title, values of params.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub variant: Option<String>,
    pub params: Vec<(String, ParamValue)>,
}

/// A mistake of syntax or of meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    Syntax(SyntaxError),
    Meaning(Problem),
}

impl Mistake {
    pub fn code(&self) -> &'static str {
        match self {
            Mistake::Syntax(error) => error.kind.code(),
            Mistake::Meaning(problem) => problem.kind.code(),
        }
    }

    pub fn severity(&self) -> Severity {
        match self {
            Mistake::Syntax(_) => Severity::Error,
            Mistake::Meaning(problem) => problem.kind.severity(),
        }
    }

    pub fn message(&self) -> String {
        match self {
            Mistake::Syntax(error) => error.kind.message(),
            Mistake::Meaning(problem) => problem.kind.message(),
        }
    }

    pub fn help(&self) -> Option<String> {
        match self {
            Mistake::Syntax(error) => error.kind.help(),
            Mistake::Meaning(problem) => problem.kind.help(),
        }
    }

    pub fn span(&self) -> Span {
        match self {
            Mistake::Syntax(error) => error.span,
            Mistake::Meaning(problem) => problem.span,
        }
    }

    /// What to write at the span itself.
    pub fn label(&self) -> String {
        match self {
            Mistake::Syntax(error) => error.kind.label(),
            Mistake::Meaning(Problem { through: Some(name), .. }) => format!("`{name}` is used here"),
            Mistake::Meaning(problem) => problem.kind.label(),
        }
    }

    /// The second place and what it is.
    pub fn other(&self) -> Option<(Span, String)> {
        match self {
            Mistake::Syntax(error) => error.other.map(|span| (span, error.kind.other_label())),
            Mistake::Meaning(problem) => {
                let what = match &problem.through {
                    Some(name) => format!("{}, within `{name}`", problem.kind.label()),
                    None => problem.kind.other_label().to_string(),
                };
                problem.other.map(|span| (span, what))
            }
        }
    }
}

/// A game loaded, or not, and everything that was said about it, in the order of the texts.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub game: Option<Game>,
    pub mistakes: Vec<Mistake>,
    pub sources: Sources,
}

/// A file checked: its game, then its variants as far as they are right.
#[derive(Clone, Debug)]
pub struct Checked {
    pub games: Vec<Game>,
    pub mistakes: Vec<Mistake>,
    pub sources: Sources,
}

impl Checked {
    pub fn has_errors(&self) -> bool {
        self.mistakes.iter().any(|mistake| mistake.severity() == Severity::Error)
    }
}

/// The layers of one game: what the checker looks at.
pub struct Tree<'a> {
    pub prelude: &'a [ast::Section],
    pub layers: Vec<&'a [ast::Section]>,
    pub title: &'a ast::Text,
    pub variant: Option<String>,
}

/// The prelude is read first, then the file itself.
const FILE: SourceId = SourceId(1);

/// The file, what it extends (the root first), and the prelude, as trees.
struct Texts {
    sources: Sources,
    prelude: ast::File,
    /// The root of what is extended first, the file itself last.
    games: Vec<ast::Game>,
    mistakes: Vec<Mistake>,
    lost: Lost,
}

impl Texts {
    /// The file's own game, if all that it extends is there.
    fn own(&self) -> Option<&ast::Game> {
        let whole = !self.mistakes.iter().any(|mistake| matches!(mistake, Mistake::Meaning(_)));
        self.games.last().filter(|_| whole)
    }

    /// All mistakes, without those that only follow from what could not be read, and without
    /// warnings of other files: those are for their own authors.
    fn mistakes(&self, problems: Problems) -> Vec<Mistake> {
        let told = problems.sorted().into_iter().filter(|problem| {
            let own = problem.span.source == FILE || problem.kind.severity() == Severity::Error;
            own && !self.lost.explains(&problem.kind, self.sources.slice(problem.span))
        });
        let mut all: Vec<Mistake> = self.mistakes.iter().cloned().chain(told.map(Mistake::Meaning)).collect();
        all.sort_by_key(|mistake| (mistake.span().source, mistake.span().start));
        all
    }
}

/// Loads one game of a file: the variant and the params that the settings say.
pub fn load(source: Source, library: &dyn Library, settings: &Settings) -> Loaded {
    let texts = read(source, library);
    let mut problems = Problems::default();
    let mut usage = Usage::default();
    let mut game = None;
    if let Some(own) = texts.own().filter(|_| texts.mistakes.is_empty())
        && let Some(tree) = chosen(&texts, own, &Variants::of(own), settings.variant.as_deref(), &mut problems)
    {
        game = Checker::game(&tree, &settings.params, &texts.sources, &mut problems, &mut usage);
    }
    let mistakes = texts.mistakes(problems);
    if mistakes.iter().any(|mistake| mistake.severity() == Severity::Error) {
        game = None;
    }
    Loaded { game, mistakes, sources: texts.sources }
}

/// Checks a file: its game and each of its variants.
pub fn check(source: Source, library: &dyn Library) -> Checked {
    let texts = read(source, library);
    let mut all = Problems::default();
    let mut usage = Usage::default();
    let mut games = Vec::new();
    if let Some(own) = texts.own() {
        let variants = Variants::of(own);
        let titles = variants.all.iter().take(MAX_VARIANTS).map(|variant| Some(variant.title.node.as_str()));
        for title in std::iter::once(None).chain(titles) {
            let mut problems = Problems::default();
            if usage.is_full() {
                break;
            }
            if let Some(tree) = chosen(&texts, own, &variants, title, &mut problems) {
                games.extend(Checker::game(&tree, &[], &texts.sources, &mut problems, &mut usage));
            }
            problems.sorted().into_iter().for_each(|problem| all.push(problem));
        }
        variants.problems(own, &mut all);
        if texts.mistakes.is_empty() && !all.has_errors() {
            lint::unused(&own.sections, &usage, &mut all);
        }
    }
    if !texts.mistakes.is_empty() {
        games.clear();
    }
    let mistakes = texts.mistakes(all);
    Checked { games, mistakes, sources: texts.sources }
}

/// Reads a file and what it extends.
fn read(source: Source, library: &dyn Library) -> Texts {
    let mut sources = Sources::default();
    let mut mistakes = Vec::new();
    let prelude = parse(library.prelude(), &mut sources, &mut mistakes);
    let file = parse(source, &mut sources, &mut mistakes);
    let mut games = Vec::new();
    match file.game {
        Some(game) => games.push(game),
        None if mistakes.is_empty() => {
            let span = Span::new(FILE, 0, 0);
            mistakes.push(Mistake::Meaning(Problem::new(Kind::NoSection { word: "game" }, span)));
        }
        None => {}
    }
    while let Some(title) = games.last().and_then(|game| game.extends.clone()) {
        let problem = |kind| Mistake::Meaning(Problem::new(kind, title.span));
        if games.iter().any(|game| game.title.node == title.node) {
            mistakes.push(problem(Kind::ExtendsCircle { name: title.node.clone() }));
            break;
        }
        if games.len() >= syntax::NEST_LIMIT {
            mistakes.push(problem(Kind::NestedTooDeep));
            break;
        }
        let base = library
            .find(&title.node)
            .map(|source| parse(source, &mut sources, &mut mistakes))
            .and_then(|file| file.game);
        match base {
            Some(base) => games.push(base),
            None => {
                mistakes.push(problem(Kind::NoSuchGame { name: title.node.clone() }));
                break;
            }
        }
    }
    games.reverse();
    let mut lost = Lost::default();
    let mistaken = mistakes.iter().filter(|mistake| matches!(mistake, Mistake::Syntax(_)));
    let wrong: BTreeSet<SourceId> = mistaken.map(|mistake| mistake.span().source).collect();
    for source in wrong {
        lost.add(sources.get(source).map_or("", Source::text));
    }
    Texts { sources, prelude, games, mistakes, lost }
}

fn parse(source: Source, sources: &mut Sources, mistakes: &mut Vec<Mistake>) -> ast::File {
    let text = source.clone();
    let id = sources.add(source);
    let (file, errors) = syntax::parse(id, text.text());
    mistakes.extend(errors.into_iter().map(Mistake::Syntax));
    file
}

/// The variants of a game, by what they may be called.
struct Variants<'a> {
    all: Vec<&'a ast::Variant>,
    /// By the key of the title, with and without the game's before it.
    named: HashMap<String, &'a ast::Variant>,
}

impl<'a> Variants<'a> {
    fn of(game: &'a ast::Game) -> Variants<'a> {
        let mut variants = Variants { all: Vec::new(), named: HashMap::new() };
        let whole = key(&game.title);
        for section in &game.sections {
            let ast::SectionKind::Variant(variant) = &section.node else { continue };
            variants.all.push(variant);
            let own = key(&variant.title);
            variants.named.entry(format!("{whole}{own}")).or_insert(variant);
            variants.named.entry(own).or_insert(variant);
        }
        variants
    }

    fn named(&self, title: &str) -> Option<&'a ast::Variant> {
        self.named.get(&key(title)).copied()
    }

    /// Titles by which a variant cannot be chosen, and variants that are too many.
    fn problems(&self, game: &ast::Game, problems: &mut Problems) {
        let mut first: HashMap<String, Span> = HashMap::from([(key(&game.title), game.title.span)]);
        for (i, variant) in self.all.iter().enumerate() {
            if i == MAX_VARIANTS {
                problems.add(Kind::TooLarge { what: "variants", most: MAX_VARIANTS }, variant.title.span);
            }
            let name = &variant.title.node;
            if let Some(other) = first.get(&key(name)) {
                let keyword = if *other == game.title.span { "game" } else { "variant" };
                let kind = Kind::DuplicateName { name: name.clone(), keyword };
                problems.add_with(kind, variant.title.span, *other);
            }
            first.entry(key(name)).or_insert(variant.title.span);
            for section in &variant.sections {
                if let ast::SectionKind::Variant(inner) = &section.node {
                    let span = crate::check::layers::head(section);
                    problems.add(Kind::VariantInVariant { name: inner.title.node.clone(), outer: name.clone() }, span);
                }
            }
        }
    }
}

/// The title that was meant: one that begins as the word does, or is near to it, with or without
/// the game's title before it.
fn near_title(asked: &str, game: &str, titles: &[&str]) -> Option<String> {
    let wanted = key(asked);
    let short = wanted.strip_prefix(&key(game)).unwrap_or(&wanted);
    let begins = titles.iter().find(|title| !short.is_empty() && key(title).starts_with(short));
    let keys: Vec<String> = titles.iter().map(|title| key(title)).collect();
    let near = || {
        let near = syntax::near(short, keys.iter().map(String::as_str))?;
        titles.iter().find(|title| key(title) == near)
    };
    begins.or_else(near).map(|title| (*title).to_string())
}

/// The layers of the game, or of the variant with this title and those that it extends.
fn chosen<'a>(
    texts: &'a Texts,
    own: &'a ast::Game,
    variants: &Variants<'a>,
    variant: Option<&str>,
    problems: &mut Problems,
) -> Option<Tree<'a>> {
    let mut chain: Vec<&ast::Variant> = Vec::new();
    // The game's own title is the game without a variant.
    let asked = variant.filter(|title| key(title) != key(&own.title));
    // What a caller asks for stands in no text; the game's title stands for it.
    let mut wanted = asked.map(|title| (title.to_string(), own.title.span));
    while let Some((title, span)) = wanted {
        let Some(found) = variants.named(&title) else {
            let titles: Vec<&str> = variants.all.iter().map(|variant| variant.title.node.as_str()).collect();
            let near = near_title(&title, &own.title, &titles);
            let all = titles.into_iter().map(String::from).collect();
            problems.add(Kind::NoSuchVariant { name: title, near, all }, span);
            return None;
        };
        if chain.len() >= syntax::NEST_LIMIT {
            problems.add(Kind::NestedTooDeep, span);
            return None;
        }
        if chain.iter().any(|other| std::ptr::eq(*other, found)) {
            problems.add(Kind::ExtendsCircle { name: title }, span);
            return None;
        }
        chain.push(found);
        wanted = found.extends.as_ref().map(|extends| (extends.node.clone(), extends.span));
    }
    let mut layers: Vec<&[ast::Section]> = texts.games.iter().map(|game| game.sections.as_slice()).collect();
    layers.extend(chain.iter().rev().map(|variant| variant.sections.as_slice()));
    let variant = chain.first().map(|variant| variant.title.node.clone());
    Some(Tree { prelude: &texts.prelude.declarations, layers, title: &own.title, variant })
}

/// A title as it is compared: case, blanks, `_`, `-`, `'` and commas do not count.
pub fn key(title: &str) -> String {
    title.chars().filter(|c| !c.is_whitespace() && !"_-',".contains(*c)).flat_map(char::to_lowercase).collect()
}
