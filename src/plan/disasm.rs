//! Disassembly: a plan goes in; a page that a person can read comes out: what is computed, what is
//! chosen from, and how a choice is drawn.
//!
//! The lines are those of the complete form (`plan/text`) with the names of the game. What no
//! person asks for is left out, and what the tables hold that it refers to stands at the end.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use crate::board::{Dir, Player};
use crate::model::Game;
use crate::plan::analysis::count_bound::domain::{CountBound, Term};
use crate::plan::bitboard::Bits;
use crate::plan::code::{ChoicePoint, Code};
use crate::plan::op::Op;
use crate::plan::ray_query::RayQuery;
use crate::plan::regs::{NumReg, SetReg, SpanId};
use crate::plan::text::names::Names;
use crate::plan::text::tree::{Comments, TreeWriter};
use crate::plan::tree::{Arm, Block, KindSet, Node, Plan, StateCell};

/// The programs of one seat.
pub fn print(game: &Game, plan: &Plan, linked: &Code, player: Player) -> String {
    let Some(seat) = plan.seats.get(player.index()) else { return String::new() };
    let name = &game.player(player).name;
    let before: usize = plan.seats[..player.index()]
        .iter()
        .map(|seat| {
            let openings: usize = seat.opening.iter().map(choices).sum();
            choices(&seat.turn) + openings + choices(&seat.after) + choices(&seat.end)
        })
        .sum();
    let page = Page { game, plan, points: &linked.points, point: Cell::new(before), mentioned: RefCell::default() };
    let mut writer = TreeWriter { names: &page, comments: &page, text: String::new() };
    let mut program = |title: &str, block: &Block| {
        writer.line(0, title);
        writer.block(1, block);
    };
    program(&format!("turn of {name}"), &seat.turn);
    for (number, opening) in seat.opening.iter().enumerate() {
        program(&format!("opening, turn {} by {name}", number + 1), opening);
    }
    if !seat.after.is_empty() {
        program(&format!("after the turn of {name}"), &seat.after);
    }
    program(&format!("end, asked after the turn of {name}"), &seat.end);
    let tables: Vec<String> =
        page.mentioned.borrow().iter().filter_map(|&(table, entry)| page.entry(table, entry)).collect();
    if !tables.is_empty() {
        writer.line(0, "where");
        tables.iter().for_each(|line| writer.line(1, line));
    }
    writer.text
}

fn choices(block: &Block) -> usize {
    let own = |node: &Node| usize::from(matches!(node, Node::Choose(_)));
    block.iter().map(|node| own(node) + node.blocks().into_iter().map(choices).sum::<usize>()).sum()
}

struct Page<'a> {
    game: &'a Game,
    plan: &'a Plan,
    points: &'a [ChoicePoint],
    /// The next choice's number among all.
    point: Cell<usize>,
    /// Entries of tables that the page has referred to, by the field that did.
    mentioned: RefCell<BTreeSet<(&'static str, usize)>>,
}

impl Comments for Page<'_> {
    fn hides(&self, op: &Op) -> bool {
        matches!(op, Op::Annotate { .. } | Op::Acted)
    }

    fn choice(&self) -> String {
        let how = match self.points.get(self.point.get()) {
            Some(ChoicePoint { infallible: true, .. }) => "counted, one drawn and made",
            Some(ChoicePoint { last: true, .. }) => "counted; candidates are drawn until one holds",
            Some(ChoicePoint { bounded: true, .. }) => "drawn by number, as the runs behind are bounded",
            Some(ChoicePoint { classes, .. }) if classes.iter().any(|class| !class.unbounded) => {
                "drawn by number; arms without bound are gone through"
            }
            _ => "gone through, for what follows differs",
        };
        self.point.set(self.point.get() + 1);
        format!("({how})")
    }

    fn arm(&self, arm: &Arm, _: &dyn Names) -> String {
        let note = if arm.note.is_empty() { String::new() } else { format!(" # {}", arm.note) };
        format!("{note}{}", self.behind(&arm.bound))
    }
}

impl Names for Page<'_> {
    /// A set by its name in the game, if it has one.
    fn set(&self, reg: SetReg) -> String {
        let layout = &self.plan.layout;
        if let Some(player) = layout.of.iter().position(|of| *of == reg) {
            return self.game.seats[player].name.clone();
        }
        if layout.neutral == Some(reg) {
            return String::from("neutral");
        }
        if layout.waiting == Some(reg) {
            return String::from("waiting");
        }
        if let Some(kind) = layout.kinds.iter().position(|kind| *kind == KindSet::Register(reg)) {
            return self.game.kinds[kind].name.clone();
        }
        if let Some(name) = self.state(StateCell::Set(reg)) {
            return name;
        }
        if let Some((_, bits)) = self.plan.consts.iter().find(|(home, _)| *home == reg) {
            return self.constant(bits);
        }
        let words = ["last", "origin", "passed", "caught"];
        match usize::from(reg.0.wrapping_sub(layout.sets)) {
            word @ 0..4 => words[word].to_string(),
            _ => format!("s{}", reg.0),
        }
    }

    fn number(&self, reg: NumReg) -> String {
        if let Some((_, k)) = self.plan.const_numbers.iter().find(|(home, _)| *home == reg) {
            return k.to_string();
        }
        if let Some(name) = self.state(StateCell::Number(reg)) {
            return name;
        }
        if let Some(at) = self.plan.layout.hands.iter().position(|hand| *hand == reg) {
            let kinds = self.game.kinds.len();
            return format!("{}.{} in hand", self.game.seats[at / kinds].name, self.game.kinds[at % kinds].name);
        }
        format!("n{}", reg.0)
    }

    fn dir(&self, dir: u16) -> String {
        self.game.topology.direction_name(Dir(dir)).to_string()
    }

    fn player(&self, player: Player) -> String {
        self.game.player(player).name.clone()
    }

    /// Line and column.
    fn place(&self, place: SpanId) -> String {
        let span = self.plan.spans.get(usize::from(place.0));
        let place = span.and_then(|span| Some(self.game.sources.get(span.source)?.line_column(span.start)));
        place.map_or_else(|| String::from("?"), |(line, column)| format!("{line}:{column}"))
    }

    fn mention(&self, field: &'static str, entry: &str) {
        self.mentioned.borrow_mut().extend(entry.parse().ok().map(|entry| (field, entry)));
    }
}

impl Page<'_> {
    fn constant(&self, bits: &crate::plan::Bits) -> String {
        if *bits == self.plan.bitboard.any {
            return String::from("any");
        }
        let cells = self.plan.bitboard.cells(&bits.0);
        let names: Vec<&str> = cells.iter().take(9).map(|cell| self.game.topology.name(cell)).collect();
        match cells.len() {
            0 => String::from("none"),
            1..=8 => format!("({})", names.join(" ")),
            several => format!("({} ... {several} cells)", names[..3].join(" ")),
        }
    }

    fn state(&self, wanted: StateCell) -> Option<String> {
        self.plan.layout.states.iter().zip(&self.game.states).find_map(|(cells, state)| {
            let copy = cells.iter().position(|cell| *cell == wanted)?;
            let owner = self.game.seats.get(copy).filter(|_| cells.len() > 1);
            Some(owner.map_or_else(|| state.name.clone(), |seat| format!("{}.{}", seat.name, state.name)))
        })
    }

    /// At most how many runs there are behind an option.
    fn behind(&self, bound: &CountBound) -> String {
        if bound.is_unknown() {
            return String::from(" (runs without bound)");
        }
        let term = |term: &Term| {
            let sizes = term.sizes.iter().map(|size| format!(" * count({})", self.set(*size))).collect::<String>();
            if term.known == 1 && !sizes.is_empty() { sizes[3..].to_string() } else { format!("{}{sizes}", term.known) }
        };
        let terms: Vec<String> = bound.terms.iter().filter(|term| term.known > 0).map(term).collect();
        match terms.as_slice() {
            [] => String::from(" (no run)"),
            [one] if one == "1" => String::new(),
            terms => format!(" (at most {} runs each)", terms.join(" + ")),
        }
    }

    /// What an entry of a table holds, by the name of the fields that refer to it.
    fn entry(&self, table: &str, entry: usize) -> Option<String> {
        let steps = |hops: usize| format!("{hops} {}", if hops == 1 { "step" } else { "steps" });
        let said = match table {
            "along" => steps(self.plan.along.get(entry)?.len()),
            "fan" => steps(self.plan.dir_vectors.get(entry)?.hops.len()),
            "trail" => runs(self.plan.ray_queries.get(entry)?),
            "list" => {
                let rows = self.plan.lists.get(entry)?;
                format!("{} rows of {}", rows.len(), rows.first().map_or(0, Bits::len))
            }
            "how" => {
                let completion = self.plan.completions.get(entry)?;
                let length = completion.rows.first().map_or(0, |(row, _)| row.len());
                let by = if completion.ways.is_empty() { "" } else { ", by men who step there" };
                format!("{} rows of {length}{by}", completion.rows.len())
            }
            _ => return None,
        };
        let table = match table {
            "trail" => "query",
            "list" => "lines",
            "how" => "completions",
            table => table,
        };
        Some(format!("{table} {entry}: {said}"))
    }
}

/// How long the runs are that a query finds.
fn runs(query: &RayQuery) -> String {
    let long = match (query.least, query.most) {
        (1, u32::MAX) => String::from("any number of cells"),
        (1, 1) => String::from("1 cell"),
        (least, most) if least == most => format!("{least} cells"),
        (least, u32::MAX) => format!("{least} cells or more"),
        (least, most) => format!("{least} to {most} cells"),
    };
    let end = if query.ended { ", and one to end them" } else { "" };
    format!("{} directions, runs of {long}{end}", query.dirs.len())
}
