//! Lowering context: operations, values of slots and facts of sets go in, as they come about;
//! registers and blocks come out.

use std::rc::Rc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use smallvec::SmallVec;

use crate::board::{Dir, Kind, Player};
use crate::model;
use crate::model::{Call, Expr, Game, Slot};
use crate::plan::bitboard::{BitboardLayout, Bits};
use crate::plan::lower::ambiguity::{Displacement, GroupsOf, Sort};
use crate::plan::lower::cardinality::NameCardinalities;
use crate::plan::lower::carried::Continuations;
use crate::plan::lower::contests::Contests;
use crate::plan::lower::routine::Routines;
use crate::plan::lower::value_numbering::{Results, Savepoint};
use crate::plan::lower::values::{Cells, Facts, FixedSets, Lowered, NOBODY, Num, RowClass, Value, Words, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::passes::{Pass, PassSet};
use crate::plan::ray_query::RayQuery;
use crate::plan::regs::{Access, NumReg, SetReg, SpanId};
use crate::plan::tree::{Ambiguity, Argmax, Block, KindSet, Node, PositionLayout, StateCell, TerminalRegs};
use crate::plan::tuning::{MAX_DEPTH_OF_CALLS, MAX_LOWERING_STEPS, MAX_NESTED_BLOCKS};
use crate::plan::vregs::VirtualRegs;
use crate::source::{Site, Span};

/// What lowering works on. What lasts for a game stands here; the tables of the plan, the place in
/// the rules, and what is known of registers have a part of their own.
pub struct Lowering<'g> {
    pub game: &'g Game,
    pub passes: PassSet,
    pub grid: BitboardLayout,
    pub layout: PositionLayout,
    pub words: Words,
    /// By kind and way: [`crate::plan::lower::game_facts::alike`].
    pub ways: Vec<Vec<usize>>,
    /// By remembered value, then copy: whether it was set in this turn, for those that age.
    pub touched: Vec<Vec<Option<NumReg>>>,
    pub judging: TerminalRegs,
    /// Some turn may be a pass.
    pub has_pass: bool,
    /// What names and defines call players is somebody.
    pub names_are_somebody: bool,
    /// Where runs leave what `most` compares.
    pub argmax: Option<Argmax>,
    pub contests: Contests,
    /// Branches that were folded for tables of defines; `None` while one is made.
    pub looked_up: Option<usize>,
    /// An `either` of which two branches may give the same turn.
    pub in_doubt: Option<Ambiguity>,
    /// Branches of which two never lead to the same position, by place and numbers.
    pub never_alike: HashSet<(SpanId, usize, usize)>,
    /// Landings that lie straight ahead of where the men stood: the register of these, and where they lie from there.
    pub straight: HashMap<SetReg, (SetReg, Displacement)>,
    /// Groups that are picked, by the register of the one that is.
    pub group_picks: HashMap<SetReg, GroupsOf>,
    /// No line comes back, and lines of two directions from one cell have no other cell in common.
    pub is_plane: bool,
    /// Only runs are looked at that write this first.
    pub first_written: Option<Sort>,
    /// Nodes that may still be looked at to tell.
    pub patience: u32,
    /// Statements, operands and operations so far.
    pub steps: usize,
    pub fresh: VirtualRegs,
    /// The registers of men and their copies from the beginning of the turn, where that is asked.
    pub men_at_start: Vec<(SetReg, SetReg)>,
    /// What turns are cut into where chance chooses.
    pub continuations: Continuations<'g>,
    /// Programs of defines that call themselves.
    pub routines: Routines,
    pub specialization: Specialization,
    pub cardinalities: NameCardinalities,
    /// Operations so far of the block at hand.
    pub out: Block,
    pub tables: Tables,
    pub scope: Scope<'g>,
    pub known: Known<'g>,
}

/// Tables of the plan that grow while lowering.
pub struct Tables {
    pub fixed: FixedSets,
    pub const_numbers: Vec<(NumReg, i64)>,
    pub along: Vec<SmallVec<[u16; 2]>>,
    /// By directions, the number of their list of hops.
    pub along_dirs: HashMap<u64, u16>,
    pub lists: Vec<Vec<Bits>>,
    pub trails: Vec<RayQuery>,
    pub row_classes: Vec<Vec<RowClass>>,
    pub places: Vec<Site>,
    /// The outermost call of an action around each statement that stands within one.
    pub actions: HashMap<*const model::Statement, Span>,
}

/// The place in the rules.
#[derive(Default)]
pub struct Scope<'g> {
    /// The player concerned.
    pub own: Player,
    pub here: Option<Value<'g>>,
    pub walking: Option<Dir>,
    pub ended: bool,
    /// The values of slots, by frame; the frame at hand.
    pub frames: Vec<Vec<Value<'g>>>,
    pub frame: usize,
    /// By frame: the outermost call of a define around it.
    pub calls: Vec<Option<Span>>,
    /// The outermost call of an action around the statement at hand.
    pub action: Option<Span>,
    /// The last statement that said where it stands.
    pub statement: Span,
    /// Defines around the expression at hand.
    pub depth: usize,
    /// Which they are, and the routine that is lowered.
    pub within: Vec<u16>,
    /// Blocks around the one at hand behind which statements may stand.
    pub depth_of_blocks: usize,
    /// Blocks of the plan around the one at hand.
    pub nest: usize,
    /// Nothing has moved yet in the turn, whichever way a run came here: `last` and the like are
    /// empty.
    pub still: bool,
    /// Each stack counts by its lowest man.
    pub bottoms: bool,
    /// What is lowered is only measured, and lowered again.
    pub estimates: bool,
}

/// Whether there may be branches for picked directions, and whether lowering has looked for some. A game that has no plan with
/// them, as steps or registers run out, may have one without.
#[derive(Clone, Copy)]
pub struct Specialization {
    pub allowed: bool,
    pub tried: bool,
}

/// What is known of registers and slots, as far as it stands.
#[derive(Default)]
pub struct Known<'g> {
    /// Results of pure operations.
    pub results: Results,
    /// By set register: the operation that made it, as it is known.
    pub makers: HashMap<SetReg, TreeOp>,
    /// Shared with savepoints until it changes.
    facts: Rc<HashMap<SetReg, Facts>>,
    /// What is known of sets that choices offer, as they are offered.
    pub offers: HashMap<SetReg, Facts>,
    /// Registers that hold one cell at most.
    pub single: HashSet<SetReg>,
    /// Registers that hold one direction at most, and are not written again.
    pub one_direction: HashSet<NumReg>,
    /// Of these: one cell.
    pub exact: HashSet<SetReg>,
    /// Registers of cells picked together: how many.
    pub sizes: HashMap<SetReg, u32>,
    /// Slots of the program that are given a value in several places, with their registers once
    /// they have some.
    pub mutable: HashMap<Slot, Option<Value<'g>>>,
    /// Numbers that were picked: they are not less than the one, and not greater than what is computed in the other.
    pub ranges: HashMap<NumReg, (i64, NumReg)>,
}

impl Known<'_> {
    pub fn facts(&self) -> &Rc<HashMap<SetReg, Facts>> {
        &self.facts
    }

    pub fn facts_mut(&mut self) -> &mut HashMap<SetReg, Facts> {
        Rc::make_mut(&mut self.facts)
    }

    pub fn set_facts(&mut self, facts: Rc<HashMap<SetReg, Facts>>) {
        self.facts = facts;
    }
}

/// Where lowering stands.
pub struct Spot<'g> {
    pub length: usize,
    results: Savepoint,
    facts: Rc<HashMap<SetReg, Facts>>,
    pub frame: usize,
    pub here: Option<Value<'g>>,
    pub walking: Option<Dir>,
    pub own: Player,
    pub depth: (usize, usize),
    pub still: bool,
    pub in_doubt: Option<Ambiguity>,
}

impl<'g> Lowering<'g> {
    /// `carried`: how many sets and numbers go along behind choices by chance. `routines`: defines that are not expanded.
    pub fn new(
        game: &'g Game,
        passes: PassSet,
        carried: (usize, usize),
        routines: &HashSet<u16>,
    ) -> Lowered<Lowering<'g>> {
        let mut fresh = VirtualRegs::default();
        let of: Vec<SetReg> = game.seats.iter().map(|_| fresh.set()).collect();
        let can_be = crate::plan::lower::game_facts::owners_by_kind(game);
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
        let hands = if crate::plan::lower::game_facts::uses_hands(game) {
            (0..game.seats.len() * game.kinds.len()).map(|_| fresh.number()).collect()
        } else {
            Vec::new()
        };
        let goes_through =
            game.blocks.iter().flatten().any(|statement| matches!(statement, model::Statement::ForEach { .. }));
        let grid = BitboardLayout::new(&game.topology, goes_through);
        let stacks = if game.stacks {
            Some(crate::plan::lower::game_facts::stack_registers(game, grid.words, &mut fresh)?)
        } else {
            None
        };
        let waiting = (game.captures == model::Captures::LeaveAtEnd).then(|| fresh.set());
        let continuations = if game.asks.chance || game.asks.plies {
            let compares = game.asks.plies && game.asks.most && !crate::plan::lower::contests::is_logged(game);
            Continuations::new(carried, compares, &mut fresh)
        } else {
            Continuations::default()
        };
        let routines = Routines::new(routines, &mut fresh);
        let state_numbers = fresh.number().0;
        let mut touched = Vec::new();
        for state in &game.states {
            let copies = if state.per_player { game.seats.len() } else { 1 };
            touched.push((0..copies).map(|_| state.for_one_turn.then(|| fresh.number())).collect());
        }
        let asks = |wanted: &dyn Fn(&model::Outcome) -> bool| game.end.iter().any(wanted);
        let judging = TerminalRegs {
            history: asks(&|outcome| outcome.asks_history).then(|| fresh.number()),
            draws: asks(&|outcome| matches!(outcome.result, model::Result::Draw)).then(|| fresh.number()),
            counting: crate::plan::lower::game_facts::needs(game).then(|| fresh.number()),
        };
        let argmax = game.asks.most.then(|| match crate::plan::lower::contests::is_logged(game) {
            true => Argmax::Logged,
            false => continuations.argmax.unwrap_or_else(|| Argmax::Register(fresh.number())),
        });
        let words = Words {
            last: fresh.set(),
            origin: fresh.set(),
            passed: fresh.set(),
            caught: fresh.set(),
            heading: fresh.number(),
        };
        let (sets, numbers, single) = (words.last.0, state_numbers, Vec::new());
        let lone = crate::plan::lower::game_facts::lone(game).into_iter().filter_map(|(player, kind)| {
            match kinds[kind.index()] {
                KindSet::Register(reg) => Some((of[player.index()], reg)),
                _ => None,
            }
        });
        let lone = if game.stacks { Vec::new() } else { lone.collect() };
        let layout = PositionLayout { sets, numbers, of, neutral, kinds, hands, states, waiting, single, lone, stacks };
        let tables = Tables {
            fixed: FixedSets::new(grid.any),
            const_numbers: Vec::new(),
            along: Vec::new(),
            along_dirs: HashMap::default(),
            lists: Vec::new(),
            trails: Vec::new(),
            row_classes: Vec::new(),
            places: Vec::new(),
            actions: actions(game),
        };
        Ok(Lowering {
            game,
            passes,
            grid,
            layout,
            words,
            men_at_start: Vec::new(),
            continuations,
            routines,
            cardinalities: NameCardinalities::default(),
            specialization: Specialization { allowed: true, tried: false },
            ways: crate::plan::lower::game_facts::alike(game),
            touched,
            judging,
            names_are_somebody: crate::plan::lower::game_facts::names_are_somebody(game),
            has_pass: game.blocks.iter().flatten().any(|statement| matches!(statement, model::Statement::Pass)),
            argmax,
            contests: crate::plan::lower::contests::contests(game),
            looked_up: Some(0),
            in_doubt: None,
            never_alike: HashSet::default(),
            straight: HashMap::default(),
            group_picks: HashMap::default(),
            is_plane: crate::plan::lower::game_facts::is_plane(game),
            first_written: None,
            patience: 0,
            steps: 0,
            fresh,
            out: Vec::new(),
            tables,
            scope: Scope::default(),
            known: Known::default(),
        })
    }

    // Registers and operations.

    /// Counts a step; there are only so many.
    pub fn step(&mut self) -> Lowered<()> {
        self.steps += 1;
        if self.steps > MAX_LOWERING_STEPS { unplanned("so many operations") } else { Ok(()) }
    }

    pub fn emit(&mut self, op: TreeOp) {
        self.steps += 1;
        self.out.push(Node::Op(op));
    }

    /// The register of a pure operation on sets, made once while what it reads stands.
    pub fn set_op(&mut self, make: impl Fn(SetReg) -> TreeOp) -> SetReg {
        let key = make(SetReg(u16::MAX));
        if let Some(known) = self.reused(&key) {
            return SetReg(known);
        }
        let d = self.fresh.set();
        self.known.results.add(key, d.0);
        self.known.makers.insert(d, key);
        self.emit(make(d));
        d
    }

    pub fn reused(&self, op: &TreeOp) -> Option<u16> {
        self.known.results.get(op).filter(|_| self.has(Pass::ValueNumbering))
    }

    pub fn has(&self, pass: Pass) -> bool {
        self.passes.has(pass)
    }

    /// What made a set, if it would make the same now.
    pub fn maker(&self, reg: SetReg) -> Option<TreeOp> {
        self.known.makers.get(&reg).copied().filter(|op| self.known.results.get(op) == Some(reg.0))
    }

    pub fn number_op(&mut self, make: impl Fn(NumReg) -> TreeOp) -> NumReg {
        let key = make(NumReg(u16::MAX));
        if let Some(known) = self.reused(&key) {
            return NumReg(known);
        }
        let d = self.fresh.number();
        self.known.results.add(key, d.0);
        self.emit(make(d));
        d
    }

    /// From here on nothing that was computed from locals is taken to stand.
    pub fn forget_results(&mut self) {
        self.known.results.clear();
    }

    /// The position has changed: nothing that was computed from it stands, and nothing is known of
    /// sets but those of men.
    pub fn forget(&mut self) {
        self.known.results.clear();
        self.known.facts = Rc::default();
        let occupied = |owners| Facts { occupied: true, owners, ..Facts::NONE };
        for (player, reg) in self.layout.of.iter().enumerate() {
            self.known.facts_mut().insert(*reg, occupied(1 << player));
        }
        let nobodys = self.layout.neutral.map(|reg| (reg, occupied(NOBODY)));
        self.known.facts_mut().extend(nobodys);
        for (number, kind) in self.layout.kinds.iter().enumerate() {
            if let KindSet::Register(reg) = kind {
                let kinds = if number < 64 { 1 << number } else { u64::MAX };
                self.known.facts_mut().insert(*reg, Facts { kinds, ..occupied(u16::MAX) });
            }
        }
        // A mark is a man's. Those of men that wait are nobody's.
        if self.layout.waiting.is_none() {
            let marks = self.mark_sets();
            self.known.facts_mut().extend(marks.into_iter().map(|reg| (reg, occupied(u16::MAX))));
        }
    }

    /// Men have come onto empty cells, as nobody comes onto others: who stood on a cell still stands there.
    pub fn forget_but_men(&mut self) {
        let known = std::mem::take(&mut self.known.facts);
        self.forget();
        let occupied = known.iter().filter(|(_, facts)| facts.occupied).map(|(reg, facts)| (*reg, *facts));
        self.known.facts_mut().extend(occupied);
    }

    /// Behind blocks of which one was gone through: if they only compute numbers, what rests on
    /// others stands.
    pub fn forget_behind(&mut self, blocks: [&Block; 2]) {
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
        self.known.results.retain(|op| {
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
    /// behind it. What was known of sets is known again: another block may begin where this one did.
    pub fn block(&mut self, body: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<Block> {
        self.step()?;
        if self.scope.nest == MAX_NESTED_BLOCKS {
            return unplanned("choices and conditions so deep within each other");
        }
        let outer = std::mem::take(&mut self.out);
        let facts = Rc::clone(&self.known.facts);
        let begun = self.known.results.open();
        self.scope.nest += 1;
        let result = body(self);
        self.scope.nest -= 1;
        self.known.results.close(begun);
        self.known.facts = facts;
        let mut block = std::mem::replace(&mut self.out, outer);
        // Nothing comes behind a choice without options, such as a move for which no cell has a direction.
        let is_over = |node: &Node| matches!(node, Node::Fail) || matches!(node, Node::Choose(arms) if arms.is_empty());
        if let Some(at) = block.iter().position(is_over) {
            block.truncate(at + 1);
        }
        result.map(|()| block)
    }

    /// One of several ways on from here; behind them something has moved if it has on one.
    pub fn way(&mut self, still: bool, body: impl FnOnce(&mut Self) -> Lowered<Block>) -> Lowered<Block> {
        let others = std::mem::replace(&mut self.scope.still, still);
        let block = body(self);
        self.scope.still &= others;
        block
    }

    pub fn place(&mut self, span: Span) -> SpanId {
        let define = self.scope.calls.get(self.scope.frame).copied().flatten();
        let site = Site { span, call: self.scope.action.or(define) };
        let at = self.tables.places.iter().position(|known| *known == site).unwrap_or_else(|| {
            self.tables.places.push(site);
            self.tables.places.len() - 1
        });
        SpanId(at as u16)
    }

    pub fn constant_number(&mut self, k: i64) -> NumReg {
        if let Some(&(known, _)) = self.tables.const_numbers.iter().find(|(_, known)| *known == k) {
            return known;
        }
        let d = self.fresh.number();
        self.tables.const_numbers.push((d, k));
        d
    }

    pub fn reg(&mut self, cells: Cells) -> SetReg {
        match cells {
            Cells::Fixed(fixed) => self.constant(fixed),
            Cells::In(reg) => reg,
        }
    }

    pub fn num(&mut self, num: Num) -> NumReg {
        match num {
            Num::Fixed(k) => self.constant_number(k),
            Num::In(reg) => reg,
        }
    }

    /// The number of a fixed set of directions.
    pub fn along(&mut self, dirs: u64) -> u16 {
        if let Some(along) = self.tables.along_dirs.get(&dirs) {
            return *along;
        }
        let hops = self.grid.hops_along(&self.game.topology, dirs);
        let along = self.along_hops(hops);
        self.tables.along_dirs.insert(dirs, along);
        along
    }

    /// The number of a fixed list of hops.
    pub fn along_hops(&mut self, hops: SmallVec<[u16; 2]>) -> u16 {
        let at = self.tables.along.iter().position(|known| *known == hops).unwrap_or_else(|| {
            self.tables.along.push(hops);
            self.tables.along.len() - 1
        });
        at as u16
    }

    // Frames.

    pub fn local(&self, slot: Slot) -> Value<'g> {
        self.scope.frames[self.scope.frame].get(slot.0 as usize).copied().unwrap_or(Value::Unset)
    }

    pub fn bind(&mut self, slot: Slot, value: Value<'g>) {
        self.scope.frames[self.scope.frame][slot.0 as usize] = value;
    }

    /// Where lowering stands, to come back to if it is in vain.
    pub fn spot(&mut self) -> Spot<'g> {
        Spot {
            length: self.out.len(),
            results: self.known.results.open(),
            facts: Rc::clone(&self.known.facts),
            frame: self.scope.frame,
            here: self.scope.here,
            walking: self.scope.walking,
            own: self.scope.own,
            depth: (self.scope.depth, self.scope.depth_of_blocks),
            still: self.scope.still,
            in_doubt: self.in_doubt,
        }
    }

    pub fn back_to(&mut self, spot: Spot<'g>) {
        self.out.truncate(spot.length);
        self.known.results.close(spot.results);
        self.known.facts = spot.facts;
        (self.scope.frame, self.scope.here, self.scope.walking, self.scope.own) =
            (spot.frame, spot.here, spot.walking, spot.own);
        (self.scope.depth, self.scope.depth_of_blocks) = spot.depth;
        self.scope.still = spot.still;
        self.in_doubt = spot.in_doubt;
    }

    /// Lowers something in a frame of its own.
    pub fn in_frame<T>(&mut self, values: Vec<Value<'g>>, body: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let call = self.scope.calls.get(self.scope.frame).copied().flatten();
        self.scope.calls.resize(self.scope.frames.len(), None);
        self.scope.calls.push(call);
        self.scope.frames.push(values);
        let outer = std::mem::replace(&mut self.scope.frame, self.scope.frames.len() - 1);
        let result = body(self);
        self.scope.frame = outer;
        result
    }

    /// Lowers as another player has it: what is own, who is an enemy, where forward is.
    pub fn as_player<T>(&mut self, player: Player, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope.own, player);
        let result = body(self);
        self.scope.own = outer;
        result
    }

    /// A define, expanded: its arguments are lowered first, in the frame at hand.
    pub fn call<T>(&mut self, call: &'g Call, body: impl FnOnce(&mut Self, &'g Expr) -> Lowered<T>) -> Lowered<T> {
        self.step().map_err(|why| why.at(call.span))?;
        if self.scope.depth > MAX_DEPTH_OF_CALLS {
            return Err(self.endless_call(call));
        }
        let values = call.arguments.iter().map(|argument| self.argument(argument)).collect::<Lowered<Vec<_>>>()?;
        self.call_with(call, values, body)
    }

    /// The same with values for its arguments.
    pub fn call_with<T>(
        &mut self,
        call: &'g Call,
        mut values: Vec<Value<'g>>,
        body: impl FnOnce(&mut Self, &'g Expr) -> Lowered<T>,
    ) -> Lowered<T> {
        let define = &self.game.defines[call.define.0 as usize];
        values.resize(define.frame.max(define.parameters), Value::Unset);
        self.scope.depth += 1;
        self.scope.within.push(call.define.0);
        let result = self.in_frame(values, |lowering| {
            lowering.scope.calls[lowering.scope.frame].get_or_insert(call.span);
            body(lowering, &define.body)
        });
        self.scope.depth -= 1;
        self.scope.within.pop();
        result
    }

    /// An argument of a define. What play alone decides of players is decided where they are asked for: no statement comes
    /// between.
    pub fn argument(&mut self, expr: &'g Expr) -> Lowered<Value<'g>> {
        if let Expr::Players(players) = expr {
            return Ok(match self.players_at_play(players)?[..] {
                [(Num::Fixed(1), players)] => Value::Players(Num::Fixed(players.into())),
                _ => Value::Later(expr, self.scope.frame),
            });
        }
        if self.depends(expr) { Ok(Value::Later(expr, self.scope.frame)) } else { self.value(expr) }
    }

    pub fn value(&mut self, expr: &'g Expr) -> Lowered<Value<'g>> {
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
}

/// A kind's place among the layout's.
pub fn kind_set(layout: &PositionLayout, kind: Kind) -> KindSet {
    layout.kinds[kind.index()]
}

/// The outermost call of an action around each statement that stands within one.
fn actions(game: &Game) -> HashMap<*const model::Statement, Span> {
    let called = game.blocks.iter().zip(&game.calls).filter_map(|(block, call)| Some((block, (*call)?)));
    called.flat_map(|(block, call)| block.iter().map(move |statement| (std::ptr::from_ref(statement), call))).collect()
}
