//! Printer: a tree goes in; its text in the canonical layout comes out. Comments are not kept.

mod format;
mod layout;
mod statements;
mod words;

use crate::syntax::ast;
use crate::syntax::ast::SectionKind;
use crate::syntax::print::layout::{Doc, lay_out};
use crate::syntax::print::statements::block;
use crate::syntax::print::words::{join, optional, print_line, print_pattern, print_range};

pub use crate::syntax::print::words::print_expr;

/// The text of a whole tree. To parse it gives the same tree again, but for the spans.
pub fn print(file: &ast::File) -> String {
    lay_out(&docs(file), true)
}

/// A text in the canonical layout, with its comments, and with the author's ends of lines between
/// statements. `file` is the whole tree of this text; `None` where the text is not that of the tree.
pub fn format(text: &str, file: &ast::File) -> Option<String> {
    format::format(text, &docs(file))
}

fn docs(file: &ast::File) -> Vec<Doc> {
    let mut docs: Vec<Doc> = file.declarations.iter().map(section).collect();
    if let Some(game) = &file.game {
        let base = game.extends.as_ref().map_or(String::new(), |base| {
            let variant = base.variant.as_ref().map_or(String::new(), |variant| format!("{} of ", quoted(variant)));
            format!(" extends {variant}{}", quoted(&base.game))
        });
        let head = format!("game {}{base}", quoted(&game.title));
        docs.push(Doc::sections(head, game.sections.iter().map(section).collect()));
    }
    docs
}

fn title(title: &ast::Text, extends: Option<&ast::Text>) -> String {
    let extends = extends.map_or(String::new(), |base| format!(" extends {}", quoted(base)));
    quoted(title) + &extends
}

fn quoted(text: &ast::Text) -> String {
    format!("\"{}\"", text.node)
}

fn section(section: &ast::Section) -> Doc {
    match &section.node {
        SectionKind::About(entries) => Doc::block("about", entries.iter().map(about_entry).collect()),
        SectionKind::Players(seats) => Doc::Line(format!("players {}", join(seats, ", ", seat))),
        SectionKind::Teams(teams) => {
            let team = |team: &Vec<ast::Word>| join(team, " and ", |player| player.node.clone());
            Doc::Line(format!("teams {}", join(teams, ", ", team)))
        }
        SectionKind::Board(board) => Doc::Line(format!("board {}", board_words(board))),
        SectionKind::Captures(ast::Captures::LeaveAtEndOfMove) => Doc::Line("captures leave at end of move".into()),
        SectionKind::Captures(ast::Captures::GoToHand) => Doc::Line("captures go to hand".into()),
        SectionKind::Piece(piece) => piece_doc(piece),
        SectionKind::Remember(remember) => Doc::Line(remember_words(remember)),
        SectionKind::Setup(body) => Doc::block("setup", block(body)),
        SectionKind::Opening(turns) => {
            Doc::block("opening", turns.iter().map(|turn| Doc::block("turn", block(turn))).collect())
        }
        SectionKind::Move(body) => Doc::block("move", block(body)),
        SectionKind::End(outcomes) => Doc::block("end", outcomes.iter().map(outcome).collect()),
        SectionKind::Notation(aliases) => Doc::block("notation", aliases.iter().map(alias).collect()),
        SectionKind::Variant(variant) => {
            let head = format!("variant {}", title(&variant.title, variant.extends.as_ref()));
            let sections: Vec<Doc> = variant.sections.iter().map(crate::syntax::print::section).collect();
            if sections.len() > 1 { Doc::sections(head, sections) } else { Doc::block(head, sections) }
        }
        SectionKind::Example(example) => {
            Doc::block(format!("example {}", quoted(&example.title)), example.claims.iter().map(claim).collect())
        }
        _ => declaration(&section.node),
    }
}

fn claim(claim: &ast::Claim) -> Doc {
    let texts = |texts: &[ast::Text]| join(texts, " ", quoted);
    Doc::Line(match &claim.node {
        ast::ClaimKind::Position(text) => format!("position {}", quoted(text)),
        ast::ClaimKind::Play(moves) => format!("play {}", texts(moves)),
        ast::ClaimKind::Legal { only: true, moves } if moves.is_empty() => "legal nothing".into(),
        ast::ClaimKind::Legal { only: true, moves } => format!("legal only {}", texts(moves)),
        ast::ClaimKind::Legal { moves, .. } => format!("legal {}", texts(moves)),
        ast::ClaimKind::Illegal(moves) => format!("illegal {}", texts(moves)),
        ast::ClaimKind::Caught(cells) if cells.is_empty() => "caught nothing".into(),
        ast::ClaimKind::Caught(cells) => format!("caught {}", join(cells, " ", |cell| cell.node.clone())),
        ast::ClaimKind::Gives(text) => format!("gives {}", quoted(text)),
        ast::ClaimKind::Perft(counts) => format!("perft {}", join(counts, " ", |count| count.node.to_string())),
        ast::ClaimKind::Wins(players) => format!("{} wins", join(players, " and ", |player| player.node.clone())),
        ast::ClaimKind::Draw => "draw".into(),
        ast::ClaimKind::GoesOn => "goes on".into(),
    })
}

fn declaration(section: &SectionKind) -> Doc {
    match section {
        SectionKind::Param(param) => {
            let range = param.range.as_ref().map_or(String::new(), |range| format!(" in {}", print_range(range)));
            Doc::Line(format!("param {} = {}{range}", param.name.node, print_expr(&param.value)))
        }
        SectionKind::Define(define) => {
            let head = format!("define {}{}", define.name.node, parameters(&define.parameters));
            Doc::Line(format!("{head} = {}", print_expr(&define.body)))
        }
        SectionKind::Pattern(pattern) => {
            let sign = pattern.sign.as_ref().map_or(String::new(), |sign| format!(" {}", quoted(sign)));
            Doc::Line(format!("pattern {}{sign} = {}", pattern.name.node, print_pattern(&pattern.pattern)))
        }
        SectionKind::Part(part) => Doc::block(format!("do {}", part.name.node), block(&part.body)),
        SectionKind::Action(action) => {
            let head = format!("action {}{}", action.name.node, parameters(&action.parameters));
            Doc::block(head, block(&action.body))
        }
        _ => Doc::Line(String::new()),
    }
}

fn parameters(parameters: &[ast::Word]) -> String {
    match parameters {
        [] => String::new(),
        _ => format!("({})", join(parameters, ", ", |name| name.node.clone())),
    }
}

fn about_entry((key, value): &(ast::Word, ast::AboutValue)) -> Doc {
    Doc::Line(match value {
        ast::AboutValue::Text(text) => format!("{} {}", key.node, quoted(text)),
        ast::AboutValue::Number(number) => format!("{} {}", key.node, number.node),
    })
}

fn seat(seat: &ast::Seat) -> String {
    let forward = seat.forward.as_ref().map_or(String::new(), |forward| format!(" {}", forward.node));
    seat.player.node.clone() + &forward
}

fn board_words(board: &ast::Board) -> String {
    let shape = match &board.shape {
        ast::Shape::Square { files, ranks, layers } => {
            let layers = optional(" by ", layers.as_ref());
            format!("square {} by {}{layers}", print_expr(files), print_expr(ranks))
        }
        ast::Shape::Hexagon { side } => format!("hexagon side {}", print_expr(side)),
        ast::Shape::Points => "points".into(),
    };
    let options = join(&board.options, "", |option| match &option.node {
        ast::BoardOption::Lines(lines) => format!(", lines {}", join(lines, ", ", drawn)),
        ast::BoardOption::Without(cells) => format!(", without {}", print_expr(cells)),
        ast::BoardOption::Wrap { files: true, ranks: true } => ", wrap files and ranks".into(),
        ast::BoardOption::Wrap { files: true, .. } => ", wrap files".into(),
        ast::BoardOption::Wrap { .. } => ", wrap ranks".into(),
        ast::BoardOption::Stacks => ", stacks".into(),
    });
    shape + &options
}

fn drawn((line, condition): &(ast::Expr, Option<ast::Expr>)) -> String {
    print_expr(line) + &optional(" where ", condition.as_ref())
}

fn remember_words(remember: &ast::Remember) -> String {
    let words = [
        (remember.per_player, " per player"),
        (remember.on_pieces, " on pieces"),
        (remember.for_one_turn, " for one turn"),
        (remember.not_compared, ", not compared"),
    ];
    let sizes: String = words.iter().filter(|(said, _)| *said).map(|(_, words)| *words).collect();
    format!("remember {} = {}{sizes}", remember.name.node, print_expr(&remember.first))
}

fn piece_doc(piece: &ast::Piece) -> Doc {
    let mut head = format!("piece {}", piece.name.node);
    if let Some(letter) = &piece.letter {
        head += &format!(" {}", letter.node);
    }
    if let Some(from) = &piece.from {
        head += &format!(" from {}", from.node);
    }
    if piece.neutral {
        head += " neutral";
    }
    head += &optional(" value ", piece.value.as_ref());
    if piece.braces { Doc::block(head, piece.ways.iter().map(way).collect()) } else { Doc::Line(head) }
}

fn way(way: &ast::Way) -> Doc {
    let (condition, then, mut otherwise) = match &way.node {
        ast::WayKind::Move(line) => return Doc::Line(format!("move {}", print_line(line))),
        ast::WayKind::If { condition, then, otherwise } => (condition, then, otherwise),
    };
    let ways = |ways: &[ast::Way]| ways.iter().map(crate::syntax::print::way).collect::<Vec<_>>();
    let mut clauses = vec![(format!("if {}", print_expr(condition)), ways(then))];
    while let Some(others) = otherwise {
        if let [ast::Way { node: ast::WayKind::If { condition, then, otherwise: next }, .. }] = others.as_slice() {
            clauses.push((format!("else if {}", print_expr(condition)), ways(then)));
            otherwise = next;
        } else {
            clauses.push(("else".into(), ways(others)));
            break;
        }
    }
    Doc::clauses(clauses)
}

fn alias(alias: &ast::Alias) -> Doc {
    let text = match &alias.text {
        ast::AliasText::Fixed(text) => quoted(text),
        ast::AliasText::Cells(cells) => join(cells, ", ", print_expr),
    };
    Doc::Line(format!("alias {text} for {}", join(&alias.cells, ", ", print_expr)))
}

fn outcome(outcome: &ast::Outcome) -> Doc {
    Doc::Line(match &outcome.node {
        ast::OutcomeKind::AsUsual => "as usual".into(),
        ast::OutcomeKind::Win(condition) => format!("win if {}", print_expr(condition)),
        ast::OutcomeKind::Lose(condition) => format!("lose if {}", print_expr(condition)),
        ast::OutcomeKind::Draw(condition) => format!("draw if {}", print_expr(condition)),
        ast::OutcomeKind::Wins(player, condition) => format!("{} wins if {}", player.node, print_expr(condition)),
        ast::OutcomeKind::Highest(values, condition) => {
            format!("highest {} wins if {}", join(values, ", ", print_expr), print_expr(condition))
        }
    })
}
