//! Printing of statements: blocks and statements go in; their lines come out.

use crate::syntax::ast;
use crate::syntax::ast::StatementKind;
use crate::syntax::print::layout::Doc;
use crate::syntax::print::words::{join, optional, print_arguments, print_expr, print_line, print_range};

pub fn block(block: &ast::Block) -> Vec<Doc> {
    block.statements.iter().map(statement).collect()
}

fn statement(statement: &ast::Statement) -> Doc {
    match &statement.node {
        StatementKind::Either { by, branches, blocks } => {
            let first = format!("either{}", chooser(by.as_ref()));
            let heads = std::iter::once(first).chain(std::iter::repeat("or".to_owned()));
            let heads = heads.zip(branches).map(|(head, branch)| {
                let label = branch.label.as_ref().map_or(String::new(), |label| format!(" \"{}\"", label.node));
                format!("{head}{}{label}", optional(" ", branch.weight.as_ref()))
            });
            Doc::clauses(heads.zip(blocks.iter().map(block)).collect())
        }
        StatementKind::First(blocks) => {
            let heads = std::iter::once("first").chain(std::iter::repeat("else")).map(String::from);
            Doc::clauses(heads.zip(blocks.iter().map(block)).collect())
        }
        StatementKind::Repeat { in_steps, silently, condition, body } => {
            let how = if *in_steps { " in steps" } else { "" };
            let silently = if *silently { " silently" } else { "" };
            Doc::block(format!("repeat{how}{silently}{}", optional(" while ", condition.as_ref())), block(body))
        }
        StatementKind::ForEach { name, from, body } => {
            Doc::block(format!("for each {} in {}", name.node, print_expr(from)), block(body))
        }
        StatementKind::Part(part) => Doc::block(format!("do {}", part.name.node), block(&part.body)),
        StatementKind::If { condition, then, otherwise } => if_(condition, then, otherwise.as_ref()),
        other => Doc::Line(simple(other)),
    }
}

/// An `if` alone in the block after `else`, and as long as the block, was written without braces.
fn if_(condition: &ast::Expr, then: &ast::Block, mut otherwise: Option<&ast::Block>) -> Doc {
    let mut clauses = vec![(format!("if {}", print_expr(condition)), block(then))];
    while let Some(other) = otherwise {
        match other.statements.as_slice() {
            [only] if only.span == other.span => {
                let StatementKind::If { condition, then, otherwise: next } = &only.node else { break };
                clauses.push((format!("else if {}", print_expr(condition)), block(then)));
                otherwise = next.as_ref();
            }
            _ => {
                clauses.push(("else".into(), block(other)));
                break;
            }
        }
    }
    Doc::clauses(clauses)
}

fn simple(statement: &StatementKind) -> String {
    match statement {
        StatementKind::Pick { count, name, from, by } => pick(count.as_ref().map(|count| count.node), name, from, by),
        StatementKind::Need(condition) => format!("need {}", print_expr(condition)),
        StatementKind::Most(value) => format!("most {}", print_expr(value)),
        StatementKind::Let { name, value } => format!("let {} = {}", name.node, print_expr(value)),
        StatementKind::Set { name, of, value } => {
            let of = of.as_ref().map_or(String::new(), |of| format!("({})", print_expr(of)));
            format!("set {}{of} = {}", name.node, print_expr(value))
        }
        StatementKind::Do { name, arguments } if arguments.is_empty() => format!("do {}", name.node),
        StatementKind::Do { name, arguments } => format!("do {}({})", name.node, print_arguments(arguments)),
        StatementKind::Move { amount, who, how } => {
            format!("move {}{}{}", of(amount.as_ref()), who.node, print_how(how))
        }
        StatementKind::Capture { who } => format!("capture {}", who.node),
        StatementKind::Place(place) => format!("place {}", print_place(place)),
        StatementKind::Remove { what, from, to_hand } => remove(what, from, *to_hand),
        StatementKind::Flip(set) => format!("flip {}", print_expr(set)),
        StatementKind::Promote { who, kinds } => promote(who, kinds),
        StatementKind::Picture { rows, legend } => picture(rows, legend),
        other => word_alone(other).into(),
    }
}

fn word_alone(statement: &StatementKind) -> &'static str {
    match statement {
        StatementKind::AsUsual => "as usual",
        StatementKind::Pass => "pass",
        StatementKind::Swap => "swap",
        StatementKind::Again => "again",
        StatementKind::Mirror => "mirror",
        StatementKind::Rotate => "rotate",
        _ => "",
    }
}

fn chooser(by: Option<&ast::Word>) -> String {
    by.map_or(String::new(), |by| format!(" by {}", by.node))
}

fn pick(count: Option<i64>, name: &ast::Word, from: &ast::Source, by: &Option<ast::Word>) -> String {
    let count = count.map_or(String::new(), |count| format!("{count} "));
    let from = match from {
        ast::Source::Range(range) => print_range(range),
        ast::Source::Members(set) => print_expr(set),
    };
    format!("pick {count}{} from {from}{}", name.node, chooser(by.as_ref()))
}

fn of(amount: Option<&ast::Expr>) -> String {
    amount.map_or(String::new(), |amount| format!("{} of ", print_expr(amount)))
}

fn print_how(how: &ast::How) -> String {
    match how {
        ast::How::Ways => String::new(),
        ast::How::To { cells, bottom } => format!(" to {}{}", bottom_of(*bottom), print_expr(cells)),
        ast::How::Line(line) => format!(" {}", print_line(line)),
    }
}

fn print_place(place: &ast::Place) -> String {
    match place {
        ast::Place::InHand { amount, man } => format!("{} {} in hand", print_expr(amount), print_man(man)),
        ast::Place::On { several, man, kinds, on, bottom, from_hand } => {
            let several = several.as_ref().map_or(String::new(), |count| format!("{} ", print_expr(count)));
            let kinds = join(kinds, "", |kind| format!(" or {}", kind.node));
            let hand = if *from_hand { " from hand" } else { "" };
            format!("{several}{}{kinds} on {}{}{hand}", print_man(man), bottom_of(*bottom), print_expr(on))
        }
    }
}

fn bottom_of(bottom: bool) -> &'static str {
    if bottom { "bottom of " } else { "" }
}

fn print_man(man: &ast::Man) -> String {
    match &man.owner {
        Some(owner) => format!("{} {}", owner.node, man.kind.node),
        None => man.kind.node.clone(),
    }
}

fn remove(what: &ast::Removal, from: &ast::Expr, to_hand: bool) -> String {
    let what = match what {
        ast::Removal::All => String::new(),
        ast::Removal::Top(amount) => of(Some(amount)),
        ast::Removal::Bottom => "bottom of ".into(),
    };
    let hand = if to_hand { " to hand" } else { "" };
    format!("remove {what}{}{hand}", print_expr(from))
}

fn promote(who: &ast::Word, kinds: &[ast::Word]) -> String {
    match kinds {
        [] => format!("promote {}", who.node),
        _ => format!("promote {} to {}", who.node, join(kinds, " or ", |kind| kind.node.clone())),
    }
}

fn picture(rows: &ast::Text, legend: &[ast::Legend]) -> String {
    let glyph = |entry: &ast::Legend| {
        let count = entry.count.as_ref().map_or(String::new(), |count| format!("{} ", count.node));
        format!("{} = {count}{}", entry.glyph.node, print_man(&entry.man))
    };
    let legend = if legend.is_empty() { String::new() } else { format!(" with {}", join(legend, ", ", glyph)) };
    format!("picture \"{}\"{legend}", rows.node)
}
