//! Loading: a source goes in; what it extends is found and read, and the game comes out, or all
//! that is wrong with it.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use crate::check::cascade::Lost;
use crate::check::error::{Kind, Problem, Problems, Severity};
use crate::check::notes::Noting;
use crate::check::{Checker, MAX_EXTENDS, STACK, Usage, lint, traps};
use crate::model::Game;
use crate::sort;
use crate::source::{Source, SourceId, Sources, Span};
use crate::syntax;
use crate::syntax::{SyntaxError, ast};

/// Where other texts come from. The checker itself reads no files.
pub trait Library {
    /// The prelude that is read before every game.
    fn prelude(&self) -> Source;
    /// The text of the game with this title, compared by [`key`].
    fn find(&self, title: &str) -> Option<Source>;
    /// The titles of all games that it has.
    fn titles(&self) -> Vec<String> {
        Vec::new()
    }
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
            Mistake::Meaning(problem) => problem.message(),
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

    /// Further mistakes of the same kind, which are not told.
    pub fn more(&self) -> usize {
        match self {
            Mistake::Syntax(error) => error.more,
            Mistake::Meaning(problem) => problem.more,
        }
    }

    /// What to write at the span itself.
    pub fn label(&self) -> String {
        match self {
            Mistake::Syntax(error) => error.kind.label(),
            Mistake::Meaning(problem) => problem.label(),
        }
    }

    /// The second place and what it is.
    pub fn other(&self) -> Option<(Span, String)> {
        match self {
            Mistake::Syntax(error) => error.other.map(|span| (span, error.kind.other_label())),
            Mistake::Meaning(problem) => problem.second(),
        }
    }

    /// The second place lies within what is called at the first.
    pub fn is_within_call(&self) -> bool {
        matches!(self, Mistake::Meaning(problem) if problem.within.is_some())
    }
}

/// A game loaded, or not, and everything that was said about it, in the order of the texts.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub game: Option<Game>,
    pub mistakes: Vec<Mistake>,
    pub sources: Sources,
    /// The texts of `about`, each with its name: those of what is extended come first.
    pub notes: Vec<(String, String)>,
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
pub struct Texts {
    pub sources: Sources,
    pub prelude: ast::File,
    /// The root of what is extended first, the file itself last.
    pub games: Vec<ast::Game>,
    pub mistakes: Vec<Mistake>,
    lost: Lost,
}

impl Texts {
    /// The file's own game, if all that it extends is there.
    pub fn own(&self) -> Option<&ast::Game> {
        let whole = !self.mistakes.iter().any(|mistake| matches!(mistake, Mistake::Meaning(_)));
        self.games.last().filter(|_| whole)
    }

    /// All mistakes, without those that only follow from what could not be read, and without
    /// warnings of other files: those are for their own authors.
    fn mistakes(&self, problems: Problems) -> Vec<Mistake> {
        let wrong = problems.has_errors() || !self.mistakes.is_empty();
        let problems = problems.sorted();
        let declared =
            |name: &String| problems.iter().any(|of| matches!(&of.kind, Kind::BuiltinName { name: of } if of == name));
        let told = problems.iter().filter(|problem| {
            // Where a built-in name is declared, the rest of the text means what was declared.
            if matches!(&problem.kind, Kind::NotSettable { name, .. } | Kind::FunctionWithoutArguments { name } if declared(name)) {
                return false;
            }
            // What is said of all the rules waits until they can be read.
            if wrong && matches!(problem.kind, Kind::NoMen | Kind::NullTurn) {
                return false;
            }
            let own = problem.span.source == FILE || problem.kind.severity() == Severity::Error;
            own && !self.lost.explains(&problem.kind, self.sources.slice(problem.span))
        });
        let mut all: Vec<Mistake> = self.mistakes.iter().cloned().chain(told.cloned().map(Mistake::Meaning)).collect();
        sort::by_key(&mut all, |mistake| (mistake.span().source, mistake.span().start));
        all
    }
}

/// Loads one game of a file: the variant and the params that the settings say.
pub fn load(source: Source, library: &dyn Library, settings: &Settings) -> Loaded {
    stacker::maybe_grow(STACK / 2, STACK, || load_here(source, library, settings, Noting::Nothing))
}

/// The same, with the notes of the game.
pub fn load_noted(source: Source, library: &dyn Library, settings: &Settings) -> Loaded {
    stacker::maybe_grow(STACK / 2, STACK, || load_here(source, library, settings, Noting::Parts))
}

fn load_here(source: Source, library: &dyn Library, settings: &Settings, noting: Noting) -> Loaded {
    let texts = read(source, library);
    let mut problems = Problems::default();
    let mut usage = Usage::default();
    let (mut game, mut notes) = (None, Vec::new());
    if let Some(own) = texts.own().filter(|_| texts.mistakes.is_empty())
        && let Some(tree) = chosen(&texts, (own, &titles(own)), settings.variant.as_deref(), &mut problems)
    {
        game = Checker::game(&tree, &settings.params, &texts.sources, &mut problems, &mut usage, noting);
        notes = tree.layers.iter().flat_map(|layer| about(layer)).collect();
    }
    let mistakes = texts.mistakes(problems);
    if mistakes.iter().any(|mistake| mistake.severity() == Severity::Error) {
        game = None;
    }
    Loaded { game, mistakes, sources: texts.sources, notes }
}

/// The texts of the notes of a layer.
fn about(layer: &[ast::Section]) -> impl Iterator<Item = (String, String)> {
    let notes = layer.iter().filter_map(|section| match &section.node {
        ast::SectionKind::About(notes) => Some(notes),
        _ => None,
    });
    notes.flatten().filter_map(|(name, value)| match value {
        ast::AboutValue::Text(text) => Some((name.node.clone(), text.node.clone())),
        ast::AboutValue::Number(_) => None,
    })
}

/// Checks a file: its game and each of its variants.
pub fn check(source: Source, library: &dyn Library) -> Checked {
    stacker::maybe_grow(STACK / 2, STACK, || check_here(source, library))
}

fn check_here(source: Source, library: &dyn Library) -> Checked {
    let texts = read(source, library);
    let mut all = Problems::default();
    let mut usage = Usage::default();
    let mut games = Vec::new();
    if let Some(own) = texts.own() {
        let named = titles(own);
        let titles = std::iter::once(None).chain(variants(own).map(|variant| Some(variant.title.node.as_str())));
        for title in titles {
            if usage.is_spent() {
                break;
            }
            let mut problems = Problems::default();
            if let Some(tree) = chosen(&texts, (own, &named), title, &mut problems) {
                games.extend(Checker::game(&tree, &[], &texts.sources, &mut problems, &mut usage, Noting::Nothing));
            }
            all.merge(problems);
        }
        duplicate_variants(own, &mut all);
        traps::lint_variants(own, &mut all);
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
pub fn read(source: Source, library: &dyn Library) -> Texts {
    let mut sources = Sources::default();
    let mut mistakes = Vec::new();
    let prelude = parse(library.prelude(), &mut sources, &mut mistakes);
    let file = parse(source, &mut sources, &mut mistakes);
    let mut games = Vec::new();
    match file.game {
        Some(game) => games.push(game),
        None if mistakes.is_empty() => {
            let span = Span::new(FILE, 0, 0);
            mistakes.push(Mistake::Meaning(Problem::new(Kind::NoSection { word: "game" }, span, None)));
        }
        None => {}
    }
    while let Some(title) = games.last().and_then(|game| game.extends.as_ref()).map(|base| base.game.clone()) {
        let problem = |kind| Mistake::Meaning(Problem::new(kind, title.span, None));
        if games.iter().any(|game| game.title.node == title.node) {
            mistakes.push(problem(Kind::ExtendsCircle { name: title.node.clone() }));
            break;
        }
        if games.len() == MAX_EXTENDS {
            mistakes.push(problem(Kind::ExtendsTooDeep));
            break;
        }
        let base = library
            .find(&title.node)
            .map(|source| parse(source, &mut sources, &mut mistakes))
            .and_then(|file| file.game);
        match base {
            Some(base) => games.push(base),
            None => {
                let near = near_title(&title, library.titles());
                mistakes.push(problem(Kind::NoSuchGame { name: title.node.clone(), near }));
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

fn variants(game: &ast::Game) -> impl Iterator<Item = &ast::Variant> {
    game.sections.iter().filter_map(|section| match &section.node {
        ast::SectionKind::Variant(variant) => Some(variant),
        _ => None,
    })
}

/// The titles of the variants that a text declares.
pub fn variant_titles(source: &Source) -> Vec<String> {
    let (file, _) = syntax::parse(FILE, source.text());
    file.game.iter().flat_map(variants).map(|variant| variant.title.node.clone()).collect()
}

fn duplicate_variants(game: &ast::Game, problems: &mut Problems) {
    let mut first: HashMap<String, Span> = HashMap::new();
    for variant in variants(game) {
        match first.entry(key(&variant.title)) {
            Entry::Vacant(free) => {
                free.insert(variant.title.span);
            }
            Entry::Occupied(taken) => {
                let kind = Kind::DuplicateName { name: variant.title.node.clone(), keyword: "variant", set: None };
                problems.add_with(kind, variant.title.span, *taken.get());
            }
        }
    }
}

/// The layers of the game, or of the variant with this title and those that it extends.
pub fn chosen<'a>(
    texts: &'a Texts,
    (own, named): (&'a ast::Game, &HashMap<String, &'a ast::Variant>),
    variant: Option<&str>,
    problems: &mut Problems,
) -> Option<Tree<'a>> {
    // The game's own title is the game without a variant.
    let asked = variant.filter(|title| key(title) != key(&own.title));
    // What a caller asks for stands in no text; the game's title stands for it.
    let chain = match asked {
        Some(title) => variant_chain((own, named), (title.to_string(), own.title.span), problems)?,
        None => Vec::new(),
    };

    let mut layers: Vec<&[ast::Section]> = Vec::new();
    for (at, game) in texts.games.iter().enumerate() {
        // Behind a game the variant of it that the next one extends.
        if let Some(variant) = game.extends.as_ref().and_then(|base| base.variant.as_ref())
            && let Some(base) = at.checked_sub(1).and_then(|at| texts.games.get(at))
        {
            let chain = variant_chain((base, &titles(base)), (variant.node.clone(), variant.span), problems)?;
            layers.extend(chain.iter().rev().map(|variant| variant.sections.as_slice()));
        }
        layers.push(game.sections.as_slice());
    }
    layers.extend(chain.iter().rev().map(|variant| variant.sections.as_slice()));
    let variant = chain.first().map(|variant| variant.title.node.clone());
    Some(Tree { prelude: &texts.prelude.declarations, layers, title: &own.title, variant })
}

/// The variant with a title, and those that it extends, up to the game.
fn variant_chain<'a>(
    (own, named): (&'a ast::Game, &HashMap<String, &'a ast::Variant>),
    asked: (String, Span),
    problems: &mut Problems,
) -> Option<Vec<&'a ast::Variant>> {
    let mut chain: Vec<&ast::Variant> = Vec::new();
    let mut wanted = Some(asked);
    while let Some((title, span)) = wanted {
        let Some(found) = variant_named(own, named, &title) else {
            let known: Vec<String> = variants(own).map(|variant| variant.title.node.clone()).collect();
            let near = near_variant(&own.title, &title, &known);
            problems.add(Kind::NoSuchVariant { name: title, near, known }, span);
            return None;
        };
        if chain.iter().any(|other| std::ptr::eq(*other, found)) {
            problems.add(Kind::ExtendsCircle { name: title }, span);
            return None;
        }
        if chain.len() == MAX_EXTENDS {
            problems.add(Kind::ExtendsTooDeep, span);
            return None;
        }
        chain.push(found);
        wanted = found.extends.as_ref().map(|extends| (extends.node.clone(), extends.span));
    }
    Some(chain)
}

/// The variants of a game by their titles, as these are compared.
pub fn titles(game: &ast::Game) -> HashMap<String, &ast::Variant> {
    // Of two with one title the first counts.
    let all: Vec<_> = variants(game).map(|variant| (key(&variant.title), variant)).collect();
    all.into_iter().rev().collect()
}

/// By its title, with or without the game's name before either.
fn variant_named<'a>(
    game: &ast::Game,
    named: &HashMap<String, &'a ast::Variant>,
    title: &str,
) -> Option<&'a ast::Variant> {
    let (wanted, name) = (key(title), key(&game.title));
    let full = format!("{name}{wanted}");
    named.get(&wanted).or_else(|| named.get(&full)).copied()
}

/// The variant that is nearest, with or without the game's name before it.
pub fn near_variant(game: &str, title: &str, known: &[String]) -> Option<String> {
    let short = |title: &String| match key(title).strip_prefix(&key(game)) {
        Some(rest) if !rest.is_empty() => rest.to_string(),
        _ => key(title),
    };
    let keys: Vec<String> = known.iter().map(|title| key(title)).chain(known.iter().map(short)).collect();
    let wanted = key(title);
    let at = keys.iter().position(|key| *key == wanted).or_else(|| {
        let near = crate::syntax::near(&wanted, keys.iter().map(String::as_str))?;
        keys.iter().position(|key| *key == near)
    })?;
    known.get(at % known.len()).cloned()
}

/// The title that is nearest, as titles are compared.
pub fn near_title(title: &str, titles: Vec<String>) -> Option<String> {
    let keys: Vec<String> = titles.iter().map(|title| key(title)).collect();
    let near = crate::syntax::near(&key(title), keys.iter().map(String::as_str))?;
    let at = keys.iter().position(|key| *key == near)?;
    titles.into_iter().nth(at)
}

/// A title as it is compared: case, blanks, `_`, `-`, `'` and commas do not count.
pub fn key(title: &str) -> String {
    title.chars().filter(|c| !c.is_whitespace() && !"_-',".contains(*c)).flat_map(char::to_lowercase).collect()
}
