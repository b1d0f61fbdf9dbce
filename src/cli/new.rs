//! Command `new`: a name goes in, and a board or a game to be like; a rules file to start from is written.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use crate::check;
use crate::check::{Checked, Library};
use crate::cli::args::{BoardArg, GameArgs, NewArgs};
use crate::cli::select::{Beside, named};
use crate::cli::{Failure, Outcome};
use crate::game::Game;
use crate::report::Notice;
use crate::source::{Source, SourceId};
use crate::syntax;
use crate::syntax::ast::SectionKind;

#[derive(Serialize)]
struct Output {
    file: String,
    title: String,
}

pub fn run(args: &NewArgs) -> Outcome {
    let (path, title) = target(&args.name)?;
    if path.exists() {
        return Err(Failure::usage(format!("`{}` is there already, and `new` never overwrites", path.display())));
    }
    let text = match &args.like {
        Some(name) => like(name, &title, &path)?,
        None => {
            let text = template(args.board.unwrap_or(BoardArg::Square));
            text.replace("TITLE", &title).replace("FILE", &file_name(&path))
        }
    };
    let text = syntax::format(SourceId(1), &text).unwrap_or(text);
    expect_no_mistake(&path, &text)?;
    write(&path, &text)?;
    let file = path.display().to_string();
    if args.json {
        crate::cli::print_json(&Output { file, title })?;
    } else {
        crate::cli::print(&format!("{file}: \"{title}\", to start from. Next: lusoria check {file}\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The file and the title that a name stands for: `my_game` is `my_game.rules`, "My game".
fn target(name: &str) -> Result<(PathBuf, String), Failure> {
    let refused = |why: &str| Failure::usage(format!("`{}` is no name for a file: {why}", name.escape_debug()));
    let path = if name.ends_with(".rules") { PathBuf::from(name) } else { PathBuf::from(format!("{name}.rules")) };
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let mut words = stem.split(['_', ' ']).filter(|word| !word.is_empty());
    let title = words.by_ref().collect::<Vec<_>>().join(" ");
    let mut letters = title.chars();
    match letters.next() {
        None => Err(refused("it has no letter")),
        Some(_) if title.contains(['"', '\\']) || title.chars().any(char::is_control) => {
            Err(refused("the title of a game has no quotes, backslashes or line ends"))
        }
        Some(_) if title.starts_with('.') || title.starts_with('-') => Err(refused("it begins with a mark")),
        Some(first) => Ok((path.clone(), first.to_uppercase().chain(letters).collect())),
    }
}

/// How the comments call the file: they are read beside it.
fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn template(board: BoardArg) -> &'static str {
    match board {
        BoardArg::Square => include_str!("start/square.rules"),
        BoardArg::Hexagon => include_str!("start/hexagon.rules"),
        BoardArg::Points => include_str!("start/points.rules"),
        BoardArg::Layers => include_str!("start/layers.rules"),
        BoardArg::Ring => include_str!("start/ring.rules"),
        BoardArg::Stacks => include_str!("start/stacks.rules"),
    }
}

/// A variant of a game in a file of its own, with what the game declares as comments.
fn like(name: &str, title: &str, path: &Path) -> Result<String, Failure> {
    let args = GameArgs::plain(name);
    let game = crate::cli::select::load(&args)?;
    let (source, _, _) = named(name)?;
    let (base, variant) = (game.title(), game.model().variant.as_deref());
    if check::key(base) == check::key(title) {
        return Err(Failure::usage(format!("the new game needs another name than \"{base}\"")));
    }
    let from = variant.map_or(format!("\"{base}\""), |variant| format!("\"{variant}\" of \"{base}\""));
    let mut text = format!(
        "# {title}: a variant of {}. What is declared here replaces what has the same name there.\n\
         # Below, as comments, stands what that game declares. Take the `#` away where yours is different, and change it.\n\
         #\n#   lusoria check {file}     finds mistakes, and holds the rules to the examples below\n\
         #   lusoria show {file}      draws the board\n#   lusoria play {file}      plays\n\
         game \"{title}\" extends {from} {{\n",
        game.name(),
        file = file_name(path)
    );
    text += &declared(&source, variant);
    text += &first_example(&game);
    text += "}\n";
    Ok(text)
}

/// The declarations of a game, without its variants and examples, and of one variant, as comments.
fn declared(source: &Source, variant: Option<&str>) -> String {
    let (file, _) = syntax::parse(SourceId(1), source.text());
    let Some(game) = file.game else { return String::new() };
    let mut text = String::new();
    let wanted = |section: &&syntax::ast::Section| matches!(&section.node, SectionKind::Variant(one) if Some(one.title.node.as_str()) == variant);
    for section in game.sections.iter().filter(wanted) {
        if let SectionKind::Variant(one) = &section.node {
            text += &commented(source, &one.sections);
        }
    }
    text + &commented(source, &game.sections)
}

fn commented(source: &Source, sections: &[syntax::ast::Section]) -> String {
    let mut text = String::new();
    for section in sections {
        if matches!(section.node, SectionKind::Variant(_) | SectionKind::Example(_)) {
            continue;
        }
        let (_, column) = source.line_column(section.span.start);
        for (at, line) in source.slice(section.span).lines().enumerate() {
            // Lines behind the first keep their place below it.
            let blanks = line.len() - line.trim_start_matches(' ').len();
            let line = if at == 0 { line } else { &line[blanks.min(column - 1)..] };
            text += format!("  # {line}").trim_end();
            text += "\n";
        }
        text += "\n";
    }
    text
}

/// What is legal first, where each game begins with the same position.
fn first_example(game: &Game) -> String {
    let moves = game.start(0).and_then(|position| position.legal_moves()).unwrap_or_default();
    match moves.first() {
        Some(first) if game.model().has_one_setup() => {
            format!("  # What you expect of the rules.\n  example \"the first move\" {{ legal \"{first}\" }}\n")
        }
        _ => String::from("  # What you expect of the rules stands in examples: see docs/language.md.\n"),
    }
}

/// What would be written is a game at that place: what it extends is found from there.
fn expect_no_mistake(path: &Path, text: &str) -> Result<(), Failure> {
    let beside = Beside::file(path);
    let checked: Checked = check::check(Source::new(path.display().to_string(), text), &beside as &dyn Library);
    if !checked.has_errors() {
        return Ok(());
    }
    let notices: Vec<Notice> = checked.mistakes.iter().map(Notice::from).collect();
    let mut failure = Failure::rules(&notices, &checked.sources);
    failure.message += "note: nothing was written; the new file must lie beside the file that it extends\n";
    Err(failure)
}

/// Writes a file that is not there yet.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let refused = |error: std::io::Error| Failure::cannot_write(path, &error);
    let mut file = std::fs::File::create_new(path).map_err(refused)?;
    file.write_all(text.as_bytes()).map_err(refused)
}
