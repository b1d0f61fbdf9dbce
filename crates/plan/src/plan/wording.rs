//! Wording of operations: an operation goes in; the line comes out that an author of rules reads,
//! with the names of the game and without references to tables.

use crate::board::{Dir, Player};
use crate::model::Game;
use crate::plan::bitboard::Bits;
use crate::plan::dir_vector::VecBinaryOp;
use crate::plan::op::TreeOp;
use crate::plan::ray_query::RayQuery;
use crate::plan::regs::{NumReg, SetReg, SpanId};
use crate::plan::text::names::Names;
use crate::plan::text::word::Word;
use crate::plan::tree::{KindSet, Options, Plan, StateCell};
use crate::source::{SourceId, Span};

/// Directions that are named one by one; of more, the number is told.
const MAX_NAMED_DIRECTIONS: usize = 4;
/// Cells that are named one by one.
const MAX_NAMED_CELLS: usize = 8;

/// The prelude is read first, the game's own file next.
const OWN_FILE: SourceId = SourceId(1);

/// What things are called in a game and its plan.
pub struct Terms<'a> {
    pub game: &'a Game,
    pub plan: &'a Plan,
}

impl Names for Terms<'_> {
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
        if let Some(k) = self.known(reg) {
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

    fn place(&self, place: SpanId) -> String {
        self.plan.spans.get(usize::from(place.0)).map_or_else(|| String::from("?"), |site| self.line(site.span))
    }
}

impl Terms<'_> {
    /// What a register always holds.
    fn known(&self, reg: NumReg) -> Option<i64> {
        self.plan.const_numbers.iter().find(|(home, _)| *home == reg).map(|(_, k)| *k)
    }

    /// `line 12`, and the file if it is not the game's own.
    fn line(&self, span: Span) -> String {
        let Some(source) = self.game.sources.get(span.source) else { return String::from("?") };
        let (line, _) = source.line_column(span.start);
        if span.source == OWN_FILE { format!("line {line}") } else { format!("{} line {line}", source.name()) }
    }

    fn constant(&self, bits: &Bits) -> String {
        if *bits == self.plan.bitboard.any {
            return String::from("any");
        }
        let cells = self.plan.bitboard.cells(&bits.0);
        let names: Vec<&str> = cells.iter().take(MAX_NAMED_CELLS).map(|cell| self.game.topology.name(cell)).collect();
        match cells.len() {
            0 => String::from("none"),
            1..=MAX_NAMED_CELLS => format!("({})", names.join(" ")),
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

    /// Directions by name if they are few.
    fn dirs(&self, dirs: impl IntoIterator<Item = u16>) -> String {
        let names: Vec<String> = dirs.into_iter().map(|dir| self.dir(dir)).collect();
        match names.len() {
            0..=MAX_NAMED_DIRECTIONS => names.join(", "),
            several => format!("{several} directions"),
        }
    }

    fn dirs_of_bits(&self, bits: u64) -> String {
        self.dirs((0..64).filter(|dir| bits >> dir & 1 == 1))
    }

    /// The directions that these masked shifts make up. On graph boards a direction may be several
    /// shifts, and then they have no name.
    fn shifts(&self, hops: &[u16]) -> String {
        let whole = |dir: &u16| {
            let parts = &self.plan.bitboard.dirs[usize::from(*dir)];
            !parts.is_empty() && parts.iter().all(|hop| hops.contains(hop))
        };
        let dirs: Vec<u16> = (0..self.plan.bitboard.dirs.len() as u16).filter(whole).collect();
        let covered = |hop: &u16| dirs.iter().any(|dir| self.plan.bitboard.dirs[usize::from(*dir)].contains(hop));
        match hops {
            _ if hops.iter().all(covered) => self.dirs(dirs),
            [hop] => {
                let of = self.plan.bitboard.dirs.iter().position(|parts| parts.contains(hop));
                of.map_or_else(|| String::from("one way"), |dir| format!("partly {}", self.dir(dir as u16)))
            }
            hops => format!("{} ways", hops.len()),
        }
    }

    fn along(&self, entry: u16) -> String {
        self.plan.along.get(usize::from(entry)).map_or_else(String::new, |hops| self.shifts(hops))
    }

    /// The directions of a vector, one for each register.
    fn fan(&self, entry: u16) -> String {
        let Some(fan) = self.plan.dir_vectors.get(usize::from(entry)) else { return String::new() };
        if fan.hops.len() > MAX_NAMED_DIRECTIONS {
            return format!("{} directions", fan.hops.len());
        }
        let names: Vec<String> = fan.hops.iter().map(|hop| self.shifts(&[*hop])).collect();
        names.join(", ")
    }

    fn query(&self, entry: u16) -> Option<&RayQuery> {
        self.plan.ray_queries.get(usize::from(entry))
    }

    /// `s44..46`, the registers of a vector.
    fn vector(&self, first: SetReg, lanes: u8) -> String {
        match u32::from(first.0) + u32::from(lanes) {
            end if lanes > 1 => format!("{}..{}", self.set(first), end - 1),
            _ => self.set(first),
        }
    }

    /// An operand that is a vector, or one set for all directions.
    fn operand(&self, first: SetReg, lanes: u8, is_vector: bool) -> String {
        if is_vector { self.vector(first, lanes) } else { self.set(first) }
    }

    /// The options of an arm.
    pub fn options(&self, options: &Options) -> String {
        match *options {
            Options::Cells { of, cell } => format!("{} from {}", self.set(cell), self.set(of)),
            Options::One { open } if self.known(open) == Some(1) => String::from("once"),
            Options::One { open } => format!("once, if {}", self.number(open)),
            Options::Range { from, to, number } => {
                format!("{} from {} to {}", self.number(number), self.number(from), self.number(to))
            }
            Options::Bits { of, bit } => format!("{} from the directions {}", self.number(bit), self.number(of)),
            Options::Combinations { of, size: 2, cells } => {
                format!("{} from the pairs of {}", self.set(cells), self.set(of))
            }
            Options::Combinations { of, size, cells } => {
                format!("{} from the combinations of {size} of {}", self.set(cells), self.set(of))
            }
            Options::Groups { of, along, group } => {
                format!("{} from the groups of {}, joined {}", self.set(group), self.set(of), self.along(along))
            }
        }
    }

    /// The first line of a loop over groups.
    pub fn each_group(&self, group: SetReg, of: SetReg, along: u16) -> String {
        format!("for each group {} of {}, joined {}", self.set(group), self.set(of), self.along(along))
    }

    /// An operation in words.
    pub fn operation(&self, op: &TreeOp) -> String {
        self.vector_operation(op).or_else(|| self.table_operation(op)).unwrap_or_else(|| self.plain_operation(op))
    }

    /// An operation along several directions.
    fn vector_operation(&self, op: &TreeOp) -> Option<String> {
        let onto = |onto: Option<SetReg>| onto.map_or_else(String::new, |set| format!(", onto {}", self.set(set)));
        Some(match *op {
            TreeOp::VecShift { d, a, onto: kept, fan, lanes, wide } => {
                let (d, a) = (self.vector(d, lanes), self.operand(a, lanes, wide & 1 != 0));
                format!("{d} = {a} stepped {}{}", self.fan(fan), onto(kept))
            }
            TreeOp::VecKeepIf { d, a, n, lanes, .. } => {
                let d = self.vector(d, lanes);
                format!("{d} = {} for each direction of {}", self.set(a), self.number(n))
            }
            TreeOp::VecRayFill { d, a, through, fan, lanes, wide } => {
                let (a, through) = (self.operand(a, lanes, wide & 1 != 0), self.operand(through, lanes, wide & 2 != 0));
                format!("{} = runs {} from {a} through {through}", self.vector(d, lanes), self.fan(fan))
            }
            TreeOp::VecBinary { pairing, d, a, b, lanes, wide } => {
                let (a, b) = (self.operand(a, lanes, wide & 1 != 0), self.operand(b, lanes, wide & 2 != 0));
                let pairing = match pairing {
                    VecBinaryOp::And => "and",
                    VecBinaryOp::Or => "or",
                    VecBinaryOp::Without => "and not",
                };
                format!("{} = {a} {pairing} {b}", self.vector(d, lanes))
            }
            TreeOp::VecUnion { d, a, lanes, .. } => format!("{} = any of {}", self.set(d), self.vector(a, lanes)),
            _ => return None,
        })
    }

    /// An operation that refers to a table of the plan: what the table holds stands in its place.
    fn table_operation(&self, op: &TreeOp) -> Option<String> {
        let set = |reg: SetReg| self.set(reg);
        let rows = |rows: usize, length: usize| format!("{rows} rows of {length}");
        Some(match *op {
            TreeOp::MaskedShift { d, a, hop } => format!("{} = {} stepped {}", set(d), set(a), self.shifts(&[hop])),
            TreeOp::Neighbors { d, a, along } => format!("{} = {} stepped {}", set(d), set(a), self.along(along)),
            TreeOp::SlidingReach { d, a, through, dirs } => {
                let dirs = self.dirs_of_bits(u64::from(dirs));
                format!("{} = seen {dirs} from {} through {}", set(d), set(a), set(through))
            }
            TreeOp::Blockers { d, a, of, through, dirs, .. } => {
                let dirs = self.dirs_of_bits(u64::from(dirs));
                let (d, of, a, through) = (set(d), set(of), set(a), set(through));
                format!("{d} = what keeps {of} from being seen {dirs} from {a} through {through}")
            }
            TreeOp::FloodFill { d, a, within, along, kept } => {
                let kept = if kept.is_some() { ", kept from turn to turn" } else { "" };
                format!("{} = flood from {} within {}, {}{kept}", set(d), set(a), set(within), self.along(along))
            }
            TreeOp::Reaches { d, a, within, to, along, beside, .. } => {
                let to = format!("{}{}", if beside { "a cell beside " } else { "" }, set(to));
                let (d, a, within) = (self.number(d), set(a), set(within));
                format!("{d} = {a} is joined to {to} within {within}, {}", self.along(along))
            }
            TreeOp::RayQuery { d, a, x, y, trail } => {
                let query = self.query(trail)?;
                let end = if query.ended { format!(", ended by {}", set(y)) } else { String::new() };
                let dirs = self.dirs(query.dirs.iter().copied());
                format!("{} = runs of {} {dirs} from {} through {}{end}", set(d), length(query), set(a), set(x))
            }
            TreeOp::InLine { d, a, within, trail } => {
                let least = self.query(trail)?.least;
                format!("{} = {} in a row of {least} in {}", self.number(d), set(a), set(within))
            }
            TreeOp::FullLines { d, a, list } => {
                let list = self.plan.lists.get(usize::from(list))?;
                let rows = rows(list.len(), list.first().map_or(0, Bits::len));
                format!("{} = those of {rows} that lie in {}", set(d), set(a))
            }
            TreeOp::Lookup { d, a, .. } => format!("{} = looked up for {}", set(d), set(a)),
            TreeOp::LookupNum { d, n, .. } => format!("{} = looked up for {}", set(d), self.number(n)),
            TreeOp::LineCompletions { d, a, how } => {
                let completion = self.plan.completions.get(usize::from(how))?;
                let rows = rows(completion.rows.len(), completion.rows.first().map_or(0, |(row, _)| row.len()));
                let by = if completion.ways.is_empty() { "" } else { ", by men who step there" };
                format!("{} = cells that complete one of {rows} in {}{by}", set(d), set(a))
            }
            TreeOp::CountGroups { d, a, along, most } => {
                let most = if most == u16::MAX { String::new() } else { format!(", up to {most}") };
                format!("{} = count of groups of {}, joined {}{most}", self.number(d), set(a), self.along(along))
            }
            TreeOp::CompareGroupSizes { d, a, b, .. } => {
                format!("{} = sizes of the groups of {} against those of {}", self.number(d), set(a), set(b))
            }
            TreeOp::EarlyReject { a, x, trail, aims } => {
                let dirs = self.dirs(self.query(trail)?.dirs.iter().copied());
                let cells = format!("{dirs} from {} through {}", set(a), set(x));
                if aims {
                    format!("the number left is that of a cell {cells}, which is chosen next")
                } else {
                    format!("reject numbers beyond the cells {cells}")
                }
            }
            _ => return None,
        })
    }

    fn plain_operation(&self, op: &TreeOp) -> String {
        match *op {
            TreeOp::Const { d, k } => format!("{} = {k}", self.number(d)),
            TreeOp::NonEmptySubset { d, a, b } => {
                format!("{} = all of {} in {}", self.number(d), self.set(a), self.set(b))
            }
            TreeOp::Band { d, fold, from, to, player } => {
                let (from, to, player) = (self.number(from), self.number(to), self.player(player));
                format!("{} = cells whose {} for {player} is {from} to {to}", self.set(d), fold.write(self))
            }
            TreeOp::BulkCount { of, sure } => {
                format!("where runs are only counted: count {}, and take them from {}", self.set(sure), self.set(of))
            }
            TreeOp::RemovePieces { cells, .. } => format!("remove the men on {}", self.set(cells)),
            TreeOp::MovePiece { from, to, .. } => format!("move the man on {} to {}", self.set(from), self.set(to)),
            TreeOp::FlipOwner { cells, player } => {
                format!("the men on {} become those of {}", self.set(cells), self.player(player))
            }
            TreeOp::Bottoms { d, of } => {
                let (of, players) = (usize::from(of), self.game.seats.len());
                let whose = match of.checked_sub(players + 1) {
                    Some(kind) => self.game.kinds.get(kind).map_or("man", |kind| kind.name.as_str()).to_string(),
                    None if of == players => String::from("man of nobody"),
                    None => format!("man of {}", self.player(Player(of as u8))),
                };
                format!("{} = cells whose lowest man is a {whose}", self.set(d))
            }
            TreeOp::CountMen { d, cells, n, man, bottom } => {
                let owners = self.game.seats.len() + 1;
                let (kind, owner) = (usize::from(man) / owners, usize::from(man) % owners);
                let kind = self.game.kinds.get(kind).map_or("man", |kind| kind.name.as_str());
                let whose = if owner + 1 == owners { String::from("nobody") } else { self.player(Player(owner as u8)) };
                let part = if bottom { "lowest" } else { "top" };
                let (d, n, cells) = (self.number(d), self.number(n), self.set(cells));
                format!("{d} = how many of the {part} {n} men on {cells} are {kind} of {whose}")
            }
            TreeOp::MoveMen { from, to, n, bottom } => {
                let under = if bottom { "under those on" } else { "to" };
                format!("move the top {} men on {} {under} {}", self.number(n), self.set(from), self.set(to))
            }
            TreeOp::PutMen { cells, n, man, bottom } => {
                let owners = self.game.seats.len() + 1;
                let (kind, owner) = (usize::from(man) / owners, usize::from(man) % owners);
                let kind = self.game.kinds.get(kind).map_or("man", |kind| kind.name.as_str());
                let whose = if owner + 1 == owners { String::from("nobody") } else { self.player(Player(owner as u8)) };
                let under = if bottom { "under the men" } else { "" };
                format!("put {} {kind} of {whose} {under} on {}", self.number(n), self.set(cells))
            }
            TreeOp::TakeMen { cells, n, bottom } => {
                let part = if bottom { "lowest" } else { "top" };
                format!("remove the {part} {} men on {}", self.number(n), self.set(cells))
            }
            TreeOp::TurnMen { cells, player } => {
                format!("all men on {} become those of {}", self.set(cells), self.player(player))
            }
            TreeOp::LineBetween { d, a, b, .. } => {
                format!("{} = the line from {} to {}", self.set(d), self.set(a), self.set(b))
            }
            TreeOp::PieceRepetitions { d, .. } => format!("{} = times(pieces)", self.number(d)),
            TreeOp::PositionRepetitions { d, .. } => format!("{} = times(position)", self.number(d)),
            TreeOp::FaultIfCrowded { cells, n, .. } => {
                format!("fault if {} more men do not fit on {}", self.number(n), self.set(cells))
            }
            TreeOp::OfHeight { d, from, to } => {
                format!("{} = cells on which {} to {} men stand", self.set(d), self.number(from), self.number(to))
            }
            TreeOp::OpenContest { contest } => format!("the runs from here on are compared, contest {contest}"),
            TreeOp::Contend { a, contest, .. } => {
                format!("the greatest {} of contest {contest} stays", self.number(a))
            }
            TreeOp::PlayAgain => String::from("the same player has another turn"),
            TreeOp::Stuck { d, player } => format!("{} = {} is stuck", self.number(d), self.player(player)),
            TreeOp::StuckBehind { d, player, own, .. } => {
                let (player, own) = (self.player(player), self.player(own));
                format!("{} = {player} would be stuck behind this turn of {own}", self.number(d))
            }
            TreeOp::PositionRepetitionsBehind { d, .. } => {
                format!("{} = times(position) behind this turn", self.number(d))
            }
            TreeOp::CycleBehind { d, .. } => format!("{} = cycle behind this turn", self.number(d)),
            TreeOp::CanComplete { d, continuation, .. } => {
                format!("{} = the turn can be completed by continuation {}", self.number(d), continuation + 1)
            }
            TreeOp::BestValue { d, continuation, .. } => {
                format!("{} = the greatest value that continuation {} can come to", self.number(d), continuation + 1)
            }
            TreeOp::SetOutcome { outcome, winners } => self.outcome(usize::from(outcome), winners),
            _ => op.write(self),
        }
    }

    /// The line of `end` that holds, and who wins by it.
    fn outcome(&self, outcome: usize, winners: NumReg) -> String {
        let place = self.game.end.get(outcome).map(|outcome| self.line(outcome.span));
        let who = match self.known(winners) {
            None => format!("the players of {} win", self.number(winners)),
            Some(0) => String::from("a draw"),
            Some(bits) => {
                let wins = |player: &Player| bits >> player.index() & 1 == 1;
                let names: Vec<String> = self.game.players().filter(wins).map(|player| self.player(player)).collect();
                format!("{} {}", names.join(" and "), if names.len() == 1 { "wins" } else { "win" })
            }
        };
        format!("the game is over: {who} ({})", place.unwrap_or_default())
    }
}

/// How long the runs are that a query finds.
fn length(query: &RayQuery) -> String {
    match (query.least, query.most) {
        (1, u32::MAX) => String::from("any length"),
        (1, 1) => String::from("1 cell"),
        (least, most) if least == most => format!("{least} cells"),
        (least, u32::MAX) => format!("{least} cells or more"),
        (least, most) => format!("{least} to {most} cells"),
    }
}
