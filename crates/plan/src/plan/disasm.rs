//! Disassembly: a plan goes in; a page that a person can read comes out: what is computed, what is
//! chosen from, and how a choice is drawn.
//!
//! The complete form (`plan/text`) is for programs and can be read back. This page says the same in
//! words, and leaves out what no author of rules asks for.

use crate::board::Player;
use crate::model::Game;
use crate::plan::analysis::count_bound::domain::{CountBound, Size, Term};
use crate::plan::code::{ChoicePoint, Code};
use crate::plan::op::TreeOp;
use crate::plan::text::names::Names;
use crate::plan::tree::{Arm, Block, Node, Plan};
use crate::plan::wording::Terms;

/// The programs of one seat.
pub fn print(game: &Game, plan: &Plan, linked: &Code, player: Player) -> String {
    let Some(seat) = plan.seats.get(player.index()) else { return String::new() };
    let name = &game.player(player).name;
    let before: usize = plan.seats[..player.index()]
        .iter()
        .map(|seat| seat.programs().map(|(_, program)| choices(program)).sum::<usize>())
        .sum();
    let mut page = Page { terms: Terms { game, plan }, points: &linked.points, point: before, text: String::new() };
    page.program(&format!("turn of {name}"), &seat.turn);
    for (number, opening) in seat.opening.iter().enumerate() {
        page.program(&format!("opening, turn {} by {name}", number + 1), opening);
    }
    for (number, continuation) in seat.continuations.iter().enumerate() {
        let what = if continuation.chance { "the choice by chance" } else { "what stands" };
        let place = plan.spans.get(usize::from(continuation.place.0)).map(|site| game.sources.place(site.span));
        let place = place.map(|place| format!(", by {what} at {place}")).unwrap_or_default();
        page.program(&format!("continuation {} of turns of {name}{place}", number + 1), &continuation.block);
    }
    if !seat.after.is_empty() {
        page.program(&format!("after the turn of {name}"), &seat.after);
    }
    page.program(&format!("end, asked after the turn of {name}"), &seat.end);
    let first: usize = plan.seats[..player.index()].iter().map(|seat| seat.routines.len()).sum();
    for (number, routine) in (first..).zip(&seat.routines) {
        let place = plan.spans.get(usize::from(routine.place.0)).map(|site| game.sources.place(site.span));
        let place = place.map(|place| format!(", the define at {place}")).unwrap_or_default();
        page.program(&format!("routine {number} of {name}{place}"), &routine.block);
    }
    page.text
}

fn choices(block: &Block) -> usize {
    let own = |node: &Node| usize::from(matches!(node, Node::Choose(_)));
    block.iter().map(|node| own(node) + node.blocks().into_iter().map(choices).sum::<usize>()).sum()
}

/// Only executors ask for it.
fn is_silent(node: &Node) -> bool {
    match node {
        Node::Op(op) => matches!(op, TreeOp::Annotate { .. } | TreeOp::Acted),
        Node::If { then, otherwise, .. } => then.iter().chain(otherwise).all(is_silent),
        _ => false,
    }
}

struct Page<'a> {
    terms: Terms<'a>,
    points: &'a [ChoicePoint],
    /// The index of the next choice among all.
    point: usize,
    text: String,
}

impl Page<'_> {
    fn program(&mut self, title: &str, block: &Block) {
        self.line(0, title);
        self.block(1, block);
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text.extend(std::iter::repeat_n(' ', 2 * depth));
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    fn block(&mut self, depth: usize, block: &Block) {
        block.iter().for_each(|node| self.node(depth, node));
    }

    fn node(&mut self, depth: usize, node: &Node) {
        let terms = &self.terms;
        match node {
            _ if is_silent(node) => {}
            Node::Op(op) => {
                let line = terms.operation(op);
                self.line(depth, &line);
            }
            Node::If { condition, then, otherwise } => {
                let line = format!("if {}", terms.number(*condition));
                self.line(depth, &line);
                self.block(depth + 1, then);
                if !otherwise.is_empty() {
                    self.line(depth, "else");
                    self.block(depth + 1, otherwise);
                }
            }
            Node::Loop { body, again, place, .. } => {
                let (line, end) =
                    (format!("repeat ({})", terms.place(*place)), format!("while {}", terms.number(*again)));
                self.line(depth, &line);
                self.block(depth + 1, body);
                self.line(depth, &end);
            }
            Node::Each { of, cell, body } => {
                let line = format!("for each cell {} of {}", terms.set(*cell), terms.set(*of));
                self.line(depth, &line);
                self.block(depth + 1, body);
            }
            Node::EachGroup { of, along, group, body } => {
                let line = terms.each_group(*group, *of, *along);
                self.line(depth, &line);
                self.block(depth + 1, body);
            }
            Node::Choose(arms) => {
                let how = self.choice();
                self.line(depth, &format!("choose ({how})"));
                for arm in arms {
                    let line = self.arm(arm);
                    self.line(depth + 1, &line);
                    self.block(depth + 2, &arm.block);
                }
            }
            Node::First { blocks } => {
                for (at, block) in blocks.iter().enumerate() {
                    self.line(depth, if at == 0 { "first" } else { "or else" });
                    self.block(depth + 1, block);
                }
            }
            Node::Need(n) => {
                let line = format!("need {}", terms.number(*n));
                self.line(depth, &line);
            }
            Node::Fail => self.line(depth, "fail"),
        }
    }

    /// How the next choice is drawn.
    fn choice(&mut self) -> &'static str {
        let point = self.points.get(self.point);
        self.point += 1;
        match point {
            Some(ChoicePoint { infallible: true, .. }) => "counted, one drawn and made",
            Some(ChoicePoint { last: true, .. }) => "counted; candidates are drawn until one holds",
            Some(ChoicePoint { bounded: true, .. }) => "drawn by number, as the runs behind are bounded",
            Some(ChoicePoint { classes, .. }) if classes.iter().any(|class| !class.unbounded) => {
                "drawn by number; arms without bound are gone through"
            }
            _ => "gone through, for what follows differs",
        }
    }

    fn arm(&self, arm: &Arm) -> String {
        let note = if arm.note.is_empty() { String::new() } else { format!("  # {}", arm.note) };
        format!("{}{note}{}", self.terms.options(&arm.options), self.behind(&arm.bound))
    }

    /// At most how many runs there are behind an option.
    fn behind(&self, bound: &CountBound) -> String {
        if bound.is_unknown() {
            return String::from("  (runs without bound)");
        }
        let term = |term: &Term| {
            let size = |size: &Size| {
                let what = if let Size::Height(_) = size { "greatest height" } else { "count" };
                format!(" * {what}({})", self.terms.set(size.of()))
            };
            let sizes = term.sizes.iter().map(size).collect::<String>();
            if term.known == 1 && !sizes.is_empty() { sizes[3..].to_string() } else { format!("{}{sizes}", term.known) }
        };
        let terms: Vec<String> = bound.terms.iter().filter(|term| term.known > 0).map(term).collect();
        match terms.as_slice() {
            [] => String::from("  (no run)"),
            [one] if one == "1" => String::new(),
            terms => format!("  (at most {} runs each)", terms.join(" + ")),
        }
    }
}
