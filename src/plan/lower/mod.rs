//! Lowering: a game goes in; its plan comes out: a program of set operations for each seat, or the
//! construct that has no plan yet.
//!
//! Players, directions and everything else that a seat makes constant is folded while lowering;
//! defines are expanded in place.

pub(crate) mod ambiguity;
pub(crate) mod argmax;
pub(crate) mod attack_rays;
pub(crate) mod attackers;
pub(crate) mod choice;
pub(crate) mod condition;
pub(crate) mod constants;
pub(crate) mod disjoint;
pub(crate) mod end;
pub(crate) mod group_sizes;
pub(crate) mod groups;
pub(crate) mod line;
pub(crate) mod moves;
pub(crate) mod number;
pub(crate) mod path_overlap;
pub(crate) mod pieces;
pub(crate) mod program;
pub(crate) mod ray_query;
pub(crate) mod repeat;
pub(crate) mod segments;
pub(crate) mod set;
pub(crate) mod set_ops;
pub(crate) mod statement;
pub(crate) mod value_numbering;
pub(crate) mod vectorize_predicate;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use smallvec::SmallVec;

use crate::board::{Dir, Kind, Player};
use crate::model;
use crate::model::{Call, Expr, Game, Slot};
use crate::plan::bitboard::{BitboardLayout, Bits};
use crate::plan::lower::constants::{Fixed, FixedSets};
use crate::plan::lower::segments::Rows;
use crate::plan::lower::value_numbering::Results;
use crate::plan::op::Op;
use crate::plan::passes::{Pass, PassSet};
use crate::plan::regs::{Access, NumReg, SetReg, SpanId};
use crate::plan::tree::{Ambiguity, Argmax, Block, KindSet, Node, Plan, PositionLayout, SeatPlan, StateCell};
use crate::plan::vregs::VirtualRegs;
use crate::source::Span;

/// Steps that lowering may take: statements, operands of defines, operations. The largest plan of a
/// shipped game takes far fewer; a clock would give a game a plan on some machines only.
const MAX_STEPS: usize = 60_000;
/// Blocks of a plan within each other: passes go over them as deep.
const MAX_BLOCK_NEST: usize = 300;
/// Room for these passes, in bytes.
pub(crate) const STACK: usize = 64 << 20;

/// Why a game has no plan: the construct, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unplanned {
    pub why: &'static str,
    pub span: Option<Span>,
}

pub(crate) type Lowered<T> = Result<T, Unplanned>;

fn unplanned<T>(why: &'static str) -> Lowered<T> {
    Err(Unplanned { why, span: None })
}

/// Cells, known now or in a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cells {
    Fixed(Fixed),
    In(SetReg),
}

/// A number, a truth (0 or 1), or a set of directions, axes or players as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Num {
    Fixed(i64),
    In(NumReg),
}

/// Groups as the parts of a set, or the rows of one.
#[derive(Clone, Copy, Debug)]
enum Groups {
    Parts { of: SetReg, along: u16 },
    Rows(Rows),
    None,
}

/// What a slot stands for.
#[derive(Clone, Copy, Debug)]
enum Value<'g> {
    Cells(Cells),
    Num(Num),
    Players(u8),
    Groups(Groups),
    /// The cell that a condition is lifted over.
    Any,
    /// The value of an expression that depends on that cell, in the frame of this number.
    Later(&'g Expr, usize),
    Unset,
}

/// The registers of `last` and the like.
#[derive(Clone, Copy, Debug)]
struct Words {
    last: SetReg,
    origin: SetReg,
    passed: SetReg,
    heading: NumReg,
    caught: SetReg,
}

struct Lowering<'g> {
    game: &'g Game,
    rewrites: PassSet,
    grid: BitboardLayout,
    layout: PositionLayout,
    fixed: FixedSets,
    const_numbers: Vec<(NumReg, i64)>,
    along: Vec<SmallVec<[u16; 2]>>,
    lists: Vec<Vec<Bits>>,
    trails: Vec<crate::plan::RayQuery>,
    places: Vec<Span>,
    fresh: VirtualRegs,
    /// The player concerned.
    own: Player,
    here: Option<Value<'g>>,
    walking: Option<Dir>,
    ended: bool,
    words: Words,
    /// Operations so far of the block at hand.
    out: Block,
    /// Results of pure operations that still stand.
    known: Results,
    /// By kind and way: [`crate::plan::lower::attackers::alike`].
    ways: Vec<Vec<usize>>,
    /// By set register: the operation that made it, as it is known.
    makers: HashMap<SetReg, Op>,
    facts: HashMap<SetReg, crate::plan::lower::disjoint::Facts>,
    frames: Vec<Vec<Value<'g>>>,
    frame: usize,
    depth: usize,
    /// By remembered value, then copy: whether it was set in this turn, for those that age.
    touched: Vec<Vec<Option<NumReg>>>,
    judging: crate::plan::TerminalRegs,
    /// Slots of the program that are given a value in several places, with their registers once
    /// they have some.
    mutable: HashMap<Slot, Option<Value<'g>>>,
    /// Nothing has moved yet in the turn, whichever way a run came here: `last` and the like are
    /// empty.
    still: bool,
    /// Registers that hold one cell at most.
    single: HashSet<SetReg>,
    /// Of these: one cell.
    exact: HashSet<SetReg>,
    /// Slots of the program that are given a value otherwise than by a pick of one cell or a move.
    loose: HashSet<Slot>,
    /// Some turn may be a pass.
    has_pass: bool,
    /// Blocks around the one at hand behind which statements may stand.
    depth_of_blocks: usize,
    /// What is known of sets that choices offer, as they are offered.
    offers: HashMap<SetReg, crate::plan::lower::disjoint::Facts>,
    /// Where runs leave what `most` compares.
    contest: Option<Argmax>,
    /// An `either` of which two branches may give the same turn.
    in_doubt: Option<Ambiguity>,
    /// Nodes that may still be looked at to tell.
    patience: u32,
    steps: usize,
    /// Blocks of the plan around the one at hand.
    nest: usize,
}

/// Where lowering stands.
struct Spot<'g> {
    length: usize,
    known: Results,
    frame: usize,
    here: Option<Value<'g>>,
    walking: Option<Dir>,
    own: Player,
    depth: (usize, usize),
    still: bool,
}

/// The plan of a game.
///
/// # Errors
/// The first construct met that has no plan; the game is then played by the reference executor.
pub fn plan(game: &Game, rewrites: PassSet) -> Result<Plan, Unplanned> {
    if game.stacks {
        return unplanned("men that stand on each other");
    }
    if game.asks.plies {
        return unplanned("turns that fall into plies");
    }
    if game.topology.directions() > 64 {
        return unplanned("more than 32 lines");
    }
    let mut lowering = Lowering::new(game, rewrites)?;
    let (shared_sets, shared_numbers) = (lowering.fresh.sets, lowering.fresh.numbers);
    let mut seats = Vec::new();
    for player in game.players() {
        let turn = lowering.turn(player, game.turn)?;
        let opening =
            game.opening.iter().map(|program| lowering.turn(player, *program)).collect::<Lowered<Vec<_>>>()?;
        let after = lowering.after(player)?;
        let end = lowering.end(player)?;
        seats.push(SeatPlan { player, turn, opening, after, end });
    }
    Ok(Plan {
        bitboard: lowering.grid,
        layout: lowering.layout,
        consts: lowering.fixed.into_consts(),
        const_numbers: lowering.const_numbers,
        along: lowering.along,
        flooded: Vec::new(),
        lists: lowering.lists,
        completions: Vec::new(),
        ray_queries: lowering.trails,
        terminal: lowering.judging,
        dir_vectors: Vec::new(),
        reg_vectors: Vec::new(),
        spans: lowering.places,
        seats,
        shared_sets,
        shared_numbers,
        has_pass: lowering.has_pass,
        argmax: lowering.contest,
        ambiguity: lowering.in_doubt,
    })
}

impl<'g> Lowering<'g> {
    fn new(game: &'g Game, rewrites: PassSet) -> Lowered<Lowering<'g>> {
        let mut fresh = VirtualRegs::default();
        let of: Vec<SetReg> = game.seats.iter().map(|_| fresh.set()).collect();
        let can_be = game.kinds.iter().zip(crate::plan::lower::program::placed_for_nobody(game));
        let can_be: Vec<(bool, bool)> = can_be.map(|(kind, placed)| (!kind.neutral, kind.neutral || placed)).collect();
        let (owned, of_nobody) = (can_be.iter().filter(|can| can.0).count(), can_be.iter().filter(|can| can.1).count());
        let neutral = (of_nobody > 0).then(|| fresh.set());
        let kinds = can_be.iter().map(|can| match can {
            (true, false) if owned == 1 => KindSet::AllOwned,
            (false, true) if of_nobody == 1 => KindSet::AllNeutral,
            _ => KindSet::Register(fresh.set()),
        });
        let kinds: Vec<KindSet> = kinds.collect();
        let mut states = Vec::new();
        for state in &game.states {
            let copies = if state.per_player { game.seats.len() } else { 1 };
            let copy = |_| match state.first.ty() {
                model::Type::Cells => StateCell::Set(fresh.set()),
                _ => StateCell::Number(fresh.number()),
            };
            states.push((0..copies).map(copy).collect());
        }
        let hands = if crate::plan::lower::program::uses_hands(game) {
            (0..game.seats.len() * game.kinds.len()).map(|_| fresh.number()).collect()
        } else {
            Vec::new()
        };
        let waiting = (game.captures == model::Captures::LeaveAtEnd).then(|| fresh.set());
        let state_numbers = fresh.number().0;
        let mut touched = Vec::new();
        for state in &game.states {
            let copies = if state.per_player { game.seats.len() } else { 1 };
            touched.push((0..copies).map(|_| state.for_one_turn.then(|| fresh.number())).collect());
        }
        let asks = |wanted: &dyn Fn(&model::Outcome) -> bool| game.end.iter().any(wanted);
        let judging = crate::plan::TerminalRegs {
            history: asks(&|outcome| outcome.asks_history).then(|| fresh.number()),
            draws: asks(&|outcome| matches!(outcome.result, model::Result::Draw)).then(|| fresh.number()),
            counting: crate::plan::lower::program::needs(game).then(|| fresh.number()),
        };
        let goes_through =
            game.blocks.iter().flatten().any(|statement| matches!(statement, model::Statement::ForEach { .. }));
        let contest = game.asks.most.then(|| Argmax { value: fresh.number() });
        let words = Words {
            last: fresh.set(),
            origin: fresh.set(),
            passed: fresh.set(),
            caught: fresh.set(),
            heading: fresh.number(),
        };
        let (sets, numbers, single) = (words.last.0, state_numbers, Vec::new());
        let lone = crate::plan::lower::program::lone(game).into_iter().filter_map(|(player, kind)| {
            match kinds[kind.index()] {
                KindSet::Register(reg) => Some((of[player.index()], reg)),
                _ => None,
            }
        });
        let lone = lone.collect();
        let layout = PositionLayout { sets, numbers, of, neutral, kinds, hands, states, waiting, single, lone };
        let grid = BitboardLayout::new(&game.topology, goes_through);
        let fixed = FixedSets::new(grid.any);
        Ok(Lowering {
            game,
            rewrites,
            grid,
            layout,
            fixed,
            const_numbers: Vec::new(),
            along: Vec::new(),
            lists: Vec::new(),
            trails: Vec::new(),
            places: Vec::new(),
            fresh,
            own: Player(0),
            here: None,
            walking: None,
            ended: false,
            words,
            out: Vec::new(),
            known: Results::default(),
            ways: crate::plan::lower::attackers::alike(game),
            makers: HashMap::default(),
            facts: HashMap::default(),
            frames: Vec::new(),
            frame: 0,
            depth: 0,
            judging,
            touched,
            mutable: HashMap::default(),
            still: false,
            single: HashSet::default(),
            exact: HashSet::default(),
            loose: HashSet::default(),
            has_pass: game.blocks.iter().flatten().any(|statement| matches!(statement, model::Statement::Pass)),
            depth_of_blocks: 0,
            offers: HashMap::default(),
            contest,
            in_doubt: None,
            patience: 0,
            steps: 0,
            nest: 0,
        })
    }

    // Registers and operations.

    /// Counts a step; there are only so many.
    fn step(&mut self) -> Lowered<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS { unplanned("so many operations") } else { Ok(()) }
    }

    fn emit(&mut self, op: Op) {
        self.steps += 1;
        self.out.push(Node::Op(op));
    }

    /// The register of a pure operation on sets, made once while what it reads stands.
    fn set_op(&mut self, make: impl Fn(SetReg) -> Op) -> SetReg {
        let key = make(SetReg(u16::MAX));
        if let Some(known) = self.reused(&key) {
            return SetReg(known);
        }
        let d = self.fresh.set();
        self.known.add(key, d.0);
        self.makers.insert(d, key);
        self.emit(make(d));
        d
    }

    fn reused(&self, op: &Op) -> Option<u16> {
        self.known.get(op).filter(|_| self.has(Pass::ValueNumbering))
    }

    fn has(&self, rewrite: Pass) -> bool {
        self.rewrites.has(rewrite)
    }

    /// What made a set, if it would make the same now.
    fn maker(&self, reg: SetReg) -> Option<Op> {
        self.makers.get(&reg).copied().filter(|op| self.known.get(op) == Some(reg.0))
    }

    fn number_op(&mut self, make: impl Fn(NumReg) -> Op) -> NumReg {
        let key = make(NumReg(u16::MAX));
        if let Some(known) = self.reused(&key) {
            return NumReg(known);
        }
        let d = self.fresh.number();
        self.known.add(key, d.0);
        self.emit(make(d));
        d
    }

    /// From here on nothing that was computed from locals is taken to stand.
    fn forget_results(&mut self) {
        self.known.clear();
    }

    /// The position has changed: nothing that was computed from it stands, and nothing is known of
    /// sets but those of men.
    fn forget(&mut self) {
        self.known.clear();
        self.facts.clear();
        let occupied = |players| crate::plan::lower::disjoint::Facts {
            occupied: true,
            players,
            ..crate::plan::lower::disjoint::Facts::NONE
        };
        for (player, reg) in self.layout.of.iter().enumerate() {
            self.facts.insert(*reg, occupied(1 << player));
        }
        self.facts.extend(self.layout.neutral.map(|reg| (reg, occupied(0))));
        for (number, kind) in self.layout.kinds.iter().enumerate() {
            if let KindSet::Register(reg) = kind {
                let kinds = if number < 64 { 1 << number } else { u64::MAX };
                self.facts.insert(*reg, crate::plan::lower::disjoint::Facts { kinds, ..occupied(u8::MAX) });
            }
        }
    }

    /// Behind blocks of which one was gone through: if they only compute numbers, what rests on
    /// others stands.
    fn forget_behind(&mut self, blocks: [&Block; 2]) {
        let (mut written, mut numbers_alone) = (Vec::new(), true);
        for node in blocks.into_iter().flatten() {
            let Node::Op(op) = node else { return self.forget() };
            op.accesses(|access| match access {
                Access::DefNum(n) => written.push(n),
                Access::DefSet(_) | Access::Pieces => numbers_alone = false,
                _ => {}
            });
        }
        if !numbers_alone {
            return self.forget();
        }
        self.known.retain(|op| {
            let mut stands = true;
            op.accesses(|access| match access {
                Access::UseNum(n) => stands &= !written.contains(&n),
                Access::Position => stands = false,
                _ => {}
            });
            stands
        });
    }

    /// The operations that `body` emits, as a block of their own; what it computed is not known
    /// behind it.
    fn block(&mut self, body: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<Block> {
        self.step()?;
        if self.nest == MAX_BLOCK_NEST {
            return unplanned("choices and conditions so deep within each other");
        }
        let outer = std::mem::take(&mut self.out);
        self.known.open();
        self.nest += 1;
        let result = body(self);
        self.nest -= 1;
        self.known.close();
        let block = std::mem::replace(&mut self.out, outer);
        result.map(|()| block)
    }

    /// One of several ways on from here; behind them something has moved if it has on one.
    fn way(&mut self, still: bool, body: impl FnOnce(&mut Self) -> Lowered<Block>) -> Lowered<Block> {
        let others = std::mem::replace(&mut self.still, still);
        let block = body(self);
        self.still &= others;
        block
    }

    fn place(&mut self, span: Span) -> SpanId {
        let at = self.places.iter().position(|known| *known == span).unwrap_or_else(|| {
            self.places.push(span);
            self.places.len() - 1
        });
        SpanId(at as u16)
    }

    fn constant_number(&mut self, k: i64) -> NumReg {
        if let Some(&(known, _)) = self.const_numbers.iter().find(|(_, known)| *known == k) {
            return known;
        }
        let d = self.fresh.number();
        self.const_numbers.push((d, k));
        d
    }

    fn reg(&mut self, cells: Cells) -> SetReg {
        match cells {
            Cells::Fixed(fixed) => self.constant(fixed),
            Cells::In(reg) => reg,
        }
    }

    fn num(&mut self, num: Num) -> NumReg {
        match num {
            Num::Fixed(k) => self.constant_number(k),
            Num::In(reg) => reg,
        }
    }

    /// The number of a fixed set of directions.
    fn along(&mut self, dirs: u64) -> u16 {
        let hops = self.grid.hops_along(&self.game.topology, dirs);
        self.along_hops(hops)
    }

    /// The number of a fixed list of hops.
    fn along_hops(&mut self, hops: SmallVec<[u16; 2]>) -> u16 {
        let at = self.along.iter().position(|known| *known == hops).unwrap_or_else(|| {
            self.along.push(hops);
            self.along.len() - 1
        });
        at as u16
    }

    // Frames.

    fn local(&self, slot: Slot) -> Value<'g> {
        self.frames[self.frame].get(slot.0 as usize).copied().unwrap_or(Value::Unset)
    }

    fn bind(&mut self, slot: Slot, value: Value<'g>) {
        self.frames[self.frame][slot.0 as usize] = value;
    }

    /// Lowers something in a frame of its own.
    /// Where lowering stands, to come back to if it is in vain.
    fn spot(&self) -> Spot<'g> {
        Spot {
            length: self.out.len(),
            known: self.known.clone(),
            frame: self.frame,
            here: self.here,
            walking: self.walking,
            own: self.own,
            depth: (self.depth, self.depth_of_blocks),
            still: self.still,
        }
    }

    fn back_to(&mut self, spot: Spot<'g>) {
        self.out.truncate(spot.length);
        self.known = spot.known;
        (self.frame, self.here, self.walking, self.own) = (spot.frame, spot.here, spot.walking, spot.own);
        (self.depth, self.depth_of_blocks) = spot.depth;
        self.still = spot.still;
    }

    fn in_frame<T>(&mut self, values: Vec<Value<'g>>, body: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.frames.push(values);
        let outer = std::mem::replace(&mut self.frame, self.frames.len() - 1);
        let result = body(self);
        self.frame = outer;
        result
    }

    /// A define, expanded: its arguments are lowered first, in the frame at hand.
    fn call<T>(&mut self, call: &'g Call, body: impl FnOnce(&mut Self, &'g Expr) -> Lowered<T>) -> Lowered<T> {
        let define = &self.game.defines[call.define.0 as usize];
        self.step().map_err(|why| why.at(call.span))?;
        if self.depth > 40 {
            return Err(Unplanned { why: "a define that calls itself", span: Some(call.span) });
        }
        let mut values = Vec::with_capacity(define.frame.max(define.parameters));
        for argument in &call.arguments {
            values.push(self.argument(argument)?);
        }
        values.resize(define.frame.max(define.parameters), Value::Unset);
        self.depth += 1;
        let result = self.in_frame(values, |lowering| body(lowering, &define.body));
        self.depth -= 1;
        result
    }

    fn argument(&mut self, expr: &'g Expr) -> Lowered<Value<'g>> {
        if self.depends(expr) { Ok(Value::Later(expr, self.frame)) } else { self.value(expr) }
    }

    fn value(&mut self, expr: &'g Expr) -> Lowered<Value<'g>> {
        Ok(match expr {
            Expr::Number(number) => Value::Num(self.number(number)?),
            Expr::Truth(truth) => Value::Num(self.truth(truth)?),
            Expr::Cells(cells) => Value::Cells(self.cells(cells)?),
            Expr::Groups(groups) => Value::Groups(self.groups(groups)?),
            Expr::Dirs(dirs) => Value::Num(self.dirs(dirs)?),
            Expr::Axes(axes) => Value::Num(self.axes(axes)?),
            Expr::Players(players) => Value::Players(self.players(players)?),
            Expr::List(model::List::One(number)) => Value::Num(self.number(number)?),
            Expr::List(_) => return unplanned("a list"),
        })
    }

    fn players(&mut self, players: &'g model::Players) -> Lowered<u8> {
        use model::Players;
        let bits = |set: &crate::board::PlayerSet| set.words()[0] as u8;
        Ok(match players {
            Players::Fixed(set) => bits(set),
            Players::Own => 1 << self.own.0,
            Players::Enemy => bits(&self.game.enemies(self.own)),
            Players::Ally => bits(&self.game.allies(self.own)),
            Players::Local(slot) => match self.local(*slot) {
                Value::Players(set) => set,
                _ => return unplanned("players chosen at play"),
            },
            Players::Call(call) => self.call(call, |lowering, body| match lowering.value(body)? {
                Value::Players(set) => Ok(set),
                _ => unplanned("players chosen at play"),
            })?,
            Players::If(choice) => match self.truth(&choice.condition)? {
                Num::Fixed(0) => self.players(&choice.otherwise)?,
                Num::Fixed(_) => self.players(&choice.then)?,
                Num::In(_) => return unplanned("players chosen at play"),
            },
        })
    }

    fn each_player(&self, players: u8) -> impl Iterator<Item = Player> + use<> {
        (0..8).filter(move |player| players >> player & 1 == 1).map(Player)
    }
}

/// A kind's place among the layout's.
fn kind_set(layout: &PositionLayout, kind: Kind) -> KindSet {
    layout.kinds[kind.index()]
}
