//! A plan goes in; a page that a person can read comes out: what is computed, what is chosen from,
//! and how a choice is drawn.

use std::fmt::Write;

use crate::board::{Dir, Player};
use crate::model::{Arithmetic, Comparison, Game};
use crate::plan::analysis::count_bound::domain::{CountBound, Term};
use crate::plan::bitboard::Bits;
use crate::plan::code::{ChoicePoint, Code};
use crate::plan::dir_vector::VecBinaryOp;
use crate::plan::op::Op;
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Arm, Block, KindSet, Node, Options, Plan, StateCell};

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
    let mut page = Page { game, plan, points: &linked.points, point: before, text: String::new() };
    page.line(0, &format!("turn of {name}"));
    page.block(1, &seat.turn);
    for (number, program) in seat.opening.iter().enumerate() {
        page.line(0, &format!("opening, turn {} by {name}", number + 1));
        page.block(1, program);
    }
    if !seat.after.is_empty() {
        page.line(0, &format!("after the turn of {name}"));
        page.block(1, &seat.after);
    }
    page.line(0, &format!("end, asked after the turn of {name}"));
    page.block(1, &seat.end);
    page.text
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
    point: usize,
    text: String,
}

impl Page<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * depth);
    }

    fn block(&mut self, depth: usize, block: &Block) {
        for node in block {
            self.node(depth, node);
        }
    }

    fn node(&mut self, depth: usize, node: &Node) {
        match node {
            Node::Op(op) => {
                if let Some(text) = self.op(op) {
                    self.line(depth, &text);
                }
            }
            Node::If { condition, then, otherwise } => {
                self.line(depth, &format!("if {}", self.n(*condition)));
                self.block(depth + 1, then);
                if !otherwise.is_empty() {
                    self.line(depth, "else");
                    self.block(depth + 1, otherwise);
                }
            }
            Node::Loop { body, again, .. } => {
                self.line(depth, "repeat");
                self.block(depth + 1, body);
                self.line(depth, &format!("while {}", self.n(*again)));
            }
            Node::Each { of, cell, body } => {
                self.line(depth, &format!("for each cell {} of {}", self.s(*cell), self.s(*of)));
                self.block(depth + 1, body);
            }
            Node::EachGroup { of, group, body, .. } => {
                self.line(depth, &format!("for each group {} of {}", self.s(*group), self.s(*of)));
                self.block(depth + 1, body);
            }
            Node::Choose(arms) => self.choose(depth, arms),
            Node::First { blocks } => {
                for (index, block) in blocks.iter().enumerate() {
                    self.line(depth, if index == 0 { "first, if the turn can be completed so" } else { "else" });
                    self.block(depth + 1, block);
                }
            }
            Node::Need(n) => self.line(depth, &format!("need {}", self.n(*n))),
            Node::Fail => self.line(depth, "no run goes on here"),
        }
    }

    fn choose(&mut self, depth: usize, arms: &[Arm]) {
        let how = match self.points.get(self.point) {
            Some(ChoicePoint { infallible: true, .. }) => "counted, one drawn and made",
            Some(ChoicePoint { last: true, .. }) => "counted; candidates are drawn until one holds",
            Some(ChoicePoint { bounded: true, .. }) => "drawn by number, as the runs behind are bounded",
            Some(ChoicePoint { classes, .. }) if classes.iter().any(|class| !class.unbounded) => {
                "drawn by number; arms without bound are gone through"
            }
            _ => "gone through, for what follows differs",
        };
        self.point += 1;
        self.line(depth, &format!("choose ({how})"));
        for arm in arms {
            let options = match arm.options {
                Options::Cells { of, cell } => format!("{} from {}", self.s(cell), self.s(of)),
                Options::One { open } => format!("if {}", self.n(open)),
                Options::Range { from, to, number } => {
                    format!("{} from {}..{}", self.n(number), self.n(from), self.n(to))
                }
                Options::Bits { of, bit } => format!("{} from directions {}", self.n(bit), self.n(of)),
                Options::Pairs { of, pair } => format!("two cells {} from {}", self.s(pair), self.s(of)),
                Options::Groups { of, group, .. } => format!("group {} from {}", self.s(group), self.s(of)),
            };
            let note = if arm.note.is_empty() { String::new() } else { format!("  # {}", arm.note) };
            let behind = self.behind(&arm.bound);
            self.line(depth + 1, &format!("{options}{note}{behind}"));
            self.block(depth + 2, &arm.block);
        }
    }

    /// At most how many runs there are behind an option.
    fn behind(&self, bound: &CountBound) -> String {
        if bound.is_unknown() {
            return String::from("  (runs without bound)");
        }
        let term = |term: &Term| {
            let sizes = term.sizes.iter().map(|size| format!(" * count({})", self.s(*size))).collect::<String>();
            if term.known == 1 && !sizes.is_empty() { sizes[3..].to_string() } else { format!("{}{sizes}", term.known) }
        };
        let terms: Vec<String> = bound.terms.iter().filter(|term| term.known > 0).map(term).collect();
        match terms.as_slice() {
            [] => String::from("  (no run)"),
            [one] if one == "1" => String::new(),
            terms => format!("  (at most {} runs each)", terms.join(" + ")),
        }
    }

    fn follow(&self, (d, a, x, y): (String, String, String, String), trail: u16) -> String {
        let trail = &self.plan.ray_queries[usize::from(trail)];
        let long = match (trail.least, trail.most) {
            (1, u32::MAX) => String::new(),
            (least, most) if least == most => format!(" of {least}"),
            (least, u32::MAX) => format!(" of {least} or more"),
            (least, most) => format!(" of {least} to {most}"),
        };
        let end = if trail.ended { format!(", ended by {y}") } else { String::new() };
        format!("{d} = runs{long} {} ways from {a} through {x}{end}", trail.dirs.len())
    }

    fn op(&self, op: &Op) -> Option<String> {
        let (s, n) = (|reg: SetReg| self.s(reg), |reg: NumReg| self.n(reg));
        let row = |first: SetReg, lanes: u8, wide: u8| match wide {
            0 => s(first),
            _ => format!("{}..{}", s(first), first.0 + u16::from(lanes) - 1),
        };
        let dir = |dir: u16| self.game.topology.direction_name(Dir(dir));
        let name = |player: Player| self.game.player(player).name.clone();
        Some(match *op {
            Op::Copy { d, a } => format!("{} = {}", s(d), s(a)),
            Op::And { d, a, b } => format!("{} = {} and {}", s(d), s(a), s(b)),
            Op::Or { d, a, b } => format!("{} = {} or {}", s(d), s(a), s(b)),
            Op::AndNot { d, a, b } => format!("{} = {} and not {}", s(d), s(a), s(b)),
            Op::KeepIf { d, a, n: m } => format!("{} = {} if {}", s(d), s(a), n(m)),
            Op::Select { d, n: m, a, b } => format!("{} = if {} then {} else {}", s(d), n(m), s(a), s(b)),
            Op::Shift { d, a, dir: along } => format!("{} = {} stepped {}", s(d), s(a), dir(along)),
            Op::MaskedShift { d, a, hop } => format!("{} = {} stepped by hop {hop}", s(d), s(a)),
            Op::Neighbors { d, a, along } => {
                format!("{} = {} stepped any of {} ways", s(d), s(a), self.plan.along[usize::from(along)].len())
            }
            Op::NeighborsBy { d, a, dirs } => format!("{} = {} stepped along {}", s(d), s(a), n(dirs)),
            Op::VecShift { d, a, lanes, wide, .. } => {
                format!("{} = {} stepped {lanes} ways", row(d, lanes, 1), row(a, lanes, wide & 1))
            }
            Op::VecKeepIf { d, a, n: m, lanes, .. } => {
                format!("{} = {} where {} tells so", row(d, lanes, 1), s(a), n(m))
            }
            Op::VecRayFill { d, a, through, lanes, wide, .. } => {
                let (a, through) = (row(a, lanes, wide & 1), row(through, lanes, wide & 2));
                format!("{} = run {lanes} ways from {a} through {through}", row(d, lanes, 1))
            }
            Op::VecBinary { pairing, d, a, b, lanes, wide } => {
                let word = match pairing {
                    VecBinaryOp::And => "and",
                    VecBinaryOp::Or => "or",
                    VecBinaryOp::Without => "and not",
                };
                format!("{} = {} {word} {}", row(d, lanes, 1), row(a, lanes, wide & 1), row(b, lanes, wide & 2))
            }
            Op::VecUnion { d, a, lanes, .. } => format!("{} = any of {}", s(d), row(a, lanes, 1)),
            Op::FullLines { d, a, list } => {
                format!(
                    "{} = rows of {} in {}",
                    s(d),
                    self.plan.lists[usize::from(list)].first().map_or(0, Bits::len),
                    s(a)
                )
            }
            Op::LineCompletions { d, a, how } => {
                let completion = &self.plan.completions[usize::from(how)];
                let length = completion.rows.first().map_or(0, |(row, _)| row.len());
                let by = if completion.ways.is_empty() { "" } else { ", for men who step there" };
                format!("{} = cells that complete a row of {length} in {}{by}", s(d), s(a))
            }
            Op::RayFill { d, a, through, dir: along } => {
                format!("{} = run {} from {} through {}", s(d), dir(along), s(a), s(through))
            }
            Op::SlidingReach { d, a, through, dirs } => {
                format!("{} = seen {} ways from {} through {}", s(d), dirs.count_ones(), s(a), s(through))
            }
            Op::Blockers { d, a, of, through, dirs, .. } => {
                let ways = dirs.count_ones();
                format!("{} = what keeps {} from {} {ways} ways through {}", s(d), s(a), s(of), s(through))
            }
            Op::BulkCount { of, sure } => format!("of {} count {}", s(of), s(sure)),
            Op::FirstOnRay { d, a, until, dir: along } => {
                format!("{} = first {} from {} in {}", s(d), dir(along), s(a), s(until))
            }
            Op::RayQuery { d, a, x, y, trail } => self.follow((s(d), s(a), s(x), s(y)), trail),
            Op::EarlyReject { a, x, trail, aims } => {
                let runs = if aims { "each to one cell of" } else { "at most as many as" };
                let found = self.follow((String::from(runs), s(a), s(x), s(x)), trail);
                found.replacen(" = ", " ", 1)
            }
            Op::ShiftTimes { d, a, through, n: m, dir: along } => {
                format!("{} = {} steps {} from {} through {}", s(d), n(m), dir(along), s(a), s(through))
            }
            Op::FloodFill { d, a, within, .. } => format!("{} = flood from {} within {}", s(d), s(a), s(within)),
            Op::Reaches { d, a, within, to, beside, .. } => {
                let beside = if beside { "cells beside " } else { "" };
                format!("{} = {beside}{} joined to {} within {}", n(d), s(to), s(a), s(within))
            }
            Op::LineBetween { d, a, b, .. } => format!("{} = span({}, {})", s(d), s(a), s(b)),
            Op::NthCell { d, a, n: m } => format!("{} = nth({}, {})", s(d), s(a), n(m)),
            Op::Band { d, fold, from, to, .. } => format!("{} = {fold:?} {}..{}", s(d), n(from), n(to)),
            Op::Const { d, k } => format!("{} = {k}", n(d)),
            Op::CopyNum { d, a } => format!("{} = {}", n(d), n(a)),
            Op::Arithmetic { op, d, a, b, .. } => format!("{} = {} {} {}", n(d), n(a), sign(op), n(b)),
            Op::Compare { cmp, d, a, b } => format!("{} = {} {} {}", n(d), n(a), comparison(cmp), n(b)),
            Op::SelectNum { d, n: m, a, b } => format!("{} = if {} then {} else {}", n(d), n(m), n(a), n(b)),
            Op::Not { d, a } => format!("{} = not {}", n(d), n(a)),
            Op::BitAnd { d, a, b } => format!("{} = {} and {}", n(d), n(a), n(b)),
            Op::BitOr { d, a, b } => format!("{} = {} or {}", n(d), n(a), n(b)),
            Op::BitAndNot { d, a, b } => format!("{} = {} and not {}", n(d), n(a), n(b)),
            Op::CountBits { d, a } => format!("{} = count({})", n(d), n(a)),
            Op::OppositeDirs { d, a } => format!("{} = opposite({})", n(d), n(a)),
            Op::TestBit { d, a, bit } => format!("{} = {} has {}", n(d), n(a), dir(bit)),
            Op::NonEmpty { d, a } => format!("{} = some {}", n(d), s(a)),
            Op::Popcount { d, a } => format!("{} = count({})", n(d), s(a)),
            Op::Intersects { d, a, b } => format!("{} = some {} in {}", n(d), s(a), s(b)),
            Op::NonEmptySubset { d, a, b } => format!("{} = {} in {}", n(d), s(a), s(b)),
            Op::Equal { d, a, b } => format!("{} = {} equals {}", n(d), s(a), s(b)),
            Op::InLine { d, a, within, trail } => {
                format!(
                    "{} = {} in a row of {} in {}",
                    n(d),
                    s(a),
                    self.plan.ray_queries[usize::from(trail)].least,
                    s(within)
                )
            }
            Op::Coordinate { d, fold, a, .. } => format!("{} = {fold:?} of {}", n(d), s(a)),
            Op::CountGroups { d, a, most: u16::MAX, .. } => format!("{} = count(groups({}))", n(d), s(a)),
            Op::CountGroups { d, a, most, .. } => format!("{} = count(groups({})), up to {most}", n(d), s(a)),
            Op::CompareGroupSizes { d, a, b, .. } => {
                format!("{} = sizes(groups({})) against sizes(groups({}))", n(d), s(a), s(b))
            }
            Op::PieceRepetitions { d, .. } => format!("{} = times(pieces)", n(d)),
            Op::PositionRepetitions { d, .. } => format!("{} = times(position)", n(d)),
            Op::Cycle { d } => format!("{} = cycle", n(d)),
            Op::Stuck { d, player } => format!("{} = stuck({})", n(d), name(player)),
            Op::RemovePieces { cells, .. } => format!("take the men off {}", s(cells)),
            Op::MovePiece { from, to, .. } => format!("carry the man on {} to {}", s(from), s(to)),
            Op::FlipOwner { cells, player } => format!("the men on {} become {}'s", s(cells), name(player)),
            Op::FaultIfIntersects { cells, of, .. } => format!("fault if some {} in {}", s(cells), s(of)),
            Op::Passed => String::from("pass"),
            Op::PlayAgain => String::from("again"),
            Op::SetOutcome { outcome, winners } => format!("outcome {}, winners {}", outcome + 1, n(winners)),
            Op::Annotate { .. } | Op::Acted => return None,
            Op::Jump { .. }
            | Op::BranchIfZero { .. }
            | Op::BranchIfNonZero { .. }
            | Op::BranchIfEmpty { .. }
            | Op::BranchIfNonEmpty { .. }
            | Op::BranchIfDisjoint { .. }
            | Op::BranchByAttackFilter { .. }
            | Op::BranchUnlessCompare { .. }
            | Op::BranchIfNonEmptyAndNotBoth { .. }
            | Op::AndNotBoth { .. }
            | Op::Replace { .. }
            | Op::Partition { .. }
            | Op::PartitionTwo { .. }
            | Op::VecPartition { .. }
            | Op::NonEmptyAndNotBoth { .. }
            | Op::BranchIfEmptyAndNotBoth { .. }
            | Op::BranchUnlessInLine { .. }
            | Op::BranchUnlessRayQuery { .. }
            | Op::SampleCell { .. }
            | Op::SampleAndNotBoth { .. }
            | Op::SampleOnto { .. }
            | Op::BranchIfIntersects { .. }
            | Op::RequireZero { .. }
            | Op::RequireEmpty { .. }
            | Op::RequireDisjoint { .. }
            | Op::VecSlidingReach { .. }
            | Op::NextCell { .. }
            | Op::NextGroup { .. }
            | Op::LoopBack { .. }
            | Op::Choice { .. }
            | Op::First { .. }
            | Op::NoMoreChoices
            | Op::CannotFail
            | Op::Require { .. }
            | Op::Fail
            | Op::End => return None,
        })
    }

    /// A set by its name in the game, if it has one.
    fn s(&self, reg: SetReg) -> String {
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

    fn n(&self, reg: NumReg) -> String {
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
}

fn sign(op: Arithmetic) -> &'static str {
    match op {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Modulo => "mod",
    }
}

fn comparison(cmp: Comparison) -> &'static str {
    match cmp {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}
