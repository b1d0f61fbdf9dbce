//! Observation: runs go in; an observer is told of what happens in them, with the place in the rules,
//! and may look at what stands where and what names mean. Without an observer nothing is different.

use crate::board::{Cell, CellSet, Player};
use crate::model::{Call, Cells, DefineId, Expr, Landing, NotedPart, Slot, Statement, StatementId, Truth, Where};
use crate::position::{Fault, Position, Value, Written};
use crate::source::Span;

use crate::reference::Machine;
use crate::reference::run::{Alternatives, Goal, Opt};
use crate::reference::search::Flow;
use crate::reference::stop::Stop;

/// What happens in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// This statement comes next.
    Statement(StatementId),
    /// The run ends with this statement, without completing: nothing was changed by it.
    Died(StatementId),
    /// The run is complete.
    Completed,
}

/// Who is told of runs.
pub trait Observer {
    fn observe(&mut self, event: Event, view: &mut dyn RunView);
}

/// A `first` that the run stands within or has come through, whose blocks are being tried in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenFirst {
    pub statement: StatementId,
    /// Tells this try of it from others.
    pub scope: u64,
    /// The block that the run has taken.
    pub block: u32,
}

/// What a `most` line has said of the run; those of one scope and line are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    pub scope: u64,
    pub line: u16,
    pub value: i64,
}

/// How a truth is made of those in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    And,
    Or,
    Not,
    Other,
}

/// An expression of the text with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    pub span: Span,
    pub value: Value,
    pub joint: Joint,
    /// It is a set in the test of this cell, and has it or not.
    pub has: Option<(Cell, bool)>,
    /// It is a `where`, and what stands in its condition follows as it is for this member.
    pub member: Option<Cell>,
    /// It calls this define of the game; what stands in that follows.
    pub define: Option<DefineId>,
    pub within: Vec<Valued>,
    /// Of `attacked(S)`: cells of S, each with a cell from which it is attacked.
    pub attackers: Vec<(Cell, Cell)>,
}

impl Valued {
    /// It is a condition that does not hold, or a set in a test that the cell is not in.
    pub fn fails(&self) -> bool {
        match self.has {
            Some((_, has)) => !has,
            None => self.value == Value::Truth(false),
        }
    }
}

/// What an observer may look at.
pub trait RunView {
    fn position(&self) -> &Position;
    /// The player whose turn it is.
    fn own(&self) -> Player;
    /// What the run has written.
    fn written(&self) -> Vec<Written>;
    /// What a slot of the program holds; `None` if it has none of this number.
    fn local(&self, slot: Slot) -> Option<Value>;
    /// The firsts that are open, the outermost first.
    fn firsts(&self) -> Vec<OpenFirst>;
    fn ranked(&self) -> Vec<Ranked>;
    /// The expressions of a statement with their values here; those that come to a fault are left out.
    fn values(&mut self, statement: StatementId) -> Vec<Valued>;
    /// The same for those who ask why a cell is none of those to choose from: conditions of `where` are told for it.
    fn values_for(&mut self, statement: StatementId, cell: Cell) -> Vec<Valued>;
    /// The cell whose men a `move` or `promote` is about.
    fn mover(&mut self, statement: StatementId) -> Option<Cell>;
    /// How each way and path of a `move` fails to lead to a cell, or that it does.
    fn stops(&mut self, statement: StatementId, target: Cell) -> Vec<Stop>;
}

/// Defines within each other that are looked into.
const MOST_DEPTH: usize = 3;

/// The cell that values are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// None: a `where` is told for a member that fits, or for its first.
    Nothing,
    /// A `where` is told for this member.
    Member(Cell),
    /// Sets are those of a test of this cell.
    Test(Cell),
}

impl<'g> Machine<'g, '_> {
    /// Whether the present run is one that observers are told of, not one that only answers a question.
    fn is_told(&self) -> bool {
        matches!(self.run.goal, Goal::Replay | Goal::Every)
    }

    fn tell(&mut self, event: Event) {
        if self.is_told()
            && let Some(observer) = self.observer.take()
        {
            let worked = self.worked;
            observer.observe(event, self);
            self.worked = worked;
            self.observer = Some(observer);
        }
    }

    fn here(&self) -> StatementId {
        StatementId { block: self.run.regs.block, at: self.run.regs.at }
    }

    pub fn execute_observed(&mut self, statement: &'g Statement) -> Result<Flow, Fault> {
        let id = self.here();
        self.tell(Event::Statement(id));
        let taken = self.run.path.len();
        let flow = self.execute(statement)?;
        // What dies behind a choice has been told of there.
        if flow == Flow::Dead && self.run.path.len() == taken {
            self.tell(Event::Died(id));
        }
        Ok(flow)
    }

    pub fn apply_observed(&mut self, option: Opt, block: crate::model::BlockId, at: u32) -> Result<Flow, Fault> {
        let flow = self.apply(option)?;
        if flow == Flow::Dead {
            self.tell(Event::Died(StatementId { block, at }));
        }
        Ok(flow)
    }

    /// A run is complete, and others are to follow.
    pub fn complete_observed(&mut self) -> Flow {
        self.tell(Event::Completed);
        Flow::Dead
    }

    fn statement_of(&self, id: StatementId) -> Option<&'g Statement> {
        self.game.block(id.block).get(id.at as usize)
    }

    pub fn valued(&mut self, parts: &'g [NotedPart], asked: Asked, depth: usize) -> Vec<Valued> {
        let outside = parts.iter().filter(|part| part.condition.is_none());
        outside.filter_map(|part| self.valued_part(part, parts, asked, depth).ok()).collect()
    }

    fn valued_part(
        &mut self,
        part: &'g NotedPart,
        parts: &'g [NotedPart],
        asked: Asked,
        depth: usize,
    ) -> Result<Valued, Fault> {
        let value = self.value(&part.expr)?;
        let has = match (&part.expr, asked) {
            (Expr::Cells(cells), Asked::Test(cell)) => Some((cell, self.holds(cells, cell)?)),
            _ => None,
        };
        let call = call_of(&part.expr);
        let (mut within, mut define) = (Vec::new(), None);
        if let Some(call) = call.filter(|_| depth < MOST_DEPTH) {
            define = Some(call.define);
            within = self.call(call, |machine, _| {
                let notes = machine.game.notes.as_ref();
                let parts = notes.map_or(&[][..], |notes| notes.define(call.define));
                Ok(machine.valued(parts, asked, depth + 1))
            })?;
        }
        let mut member = None;
        if let Some(filter) = filter_of(&part.expr)
            && depth < MOST_DEPTH
            && let Some(condition) = noted_condition(filter, part, parts)
        {
            member = self.member(filter, asked)?;
            if let Some(cell) = member {
                self.bind_loose(filter.it, Value::Cells(CellSet::one(cell)));
                within = self.valued(condition, Asked::Nothing, depth + 1);
            }
        }
        let attackers = match &part.expr {
            Expr::Truth(Truth::Attacked(cells)) => self.attackers(cells)?,
            _ => Vec::new(),
        };
        let joint = match &part.expr {
            Expr::Truth(Truth::And(_)) | Expr::Cells(Cells::And(_)) => Joint::And,
            Expr::Truth(Truth::Or(_)) | Expr::Cells(Cells::Or(_)) => Joint::Or,
            Expr::Truth(Truth::Not(_)) | Expr::Cells(Cells::Not(_)) => Joint::Not,
            _ => Joint::Other,
        };
        Ok(Valued { span: part.span, value, joint, has, member, define, within, attackers })
    }

    /// The member of a `where` that is told: the one that is asked for; else the first that fits, or the first at all.
    fn member(&mut self, filter: &'g Where<Cells>, asked: Asked) -> Result<Option<Cell>, Fault> {
        let members = self.cells(&filter.set)?;
        if let Asked::Member(cell) | Asked::Test(cell) = asked {
            return Ok(members.contains(cell).then_some(cell));
        }
        for cell in members.iter() {
            if self.condition_of(filter, Value::Cells(CellSet::one(cell)))? {
                return Ok(Some(cell));
            }
        }
        Ok(members.min())
    }

    /// Cells that are attacked, each with a cell from which it is.
    fn attackers(&mut self, cells: &'g crate::model::Cells) -> Result<Vec<(Cell, Cell)>, Fault> {
        let mut found = Vec::new();
        for cell in self.cells(cells)?.iter() {
            let own = self.run.context.own;
            let (owner, is_empty) = match self.position.top(cell) {
                Some(man) => (man.owner, false),
                None => (Some(own), true),
            };
            let Some(owner) = owner else { continue };
            if is_empty {
                self.position.imagine(cell, own, true);
            }
            let attacker = self.attacker(cell, owner);
            if is_empty {
                self.position.imagine(cell, own, false);
            }
            found.extend(attacker?.map(|attacker| (cell, attacker)));
        }
        Ok(found)
    }

    fn attacker(&mut self, cell: Cell, owner: Player) -> Result<Option<Cell>, Fault> {
        for enemy in self.game.enemies(owner).iter() {
            for attacker in self.position.of(enemy).iter() {
                if let Some(man) = self.position.top(attacker)
                    && self.man_catches(man, attacker, cell)?
                {
                    return Ok(Some(attacker));
                }
            }
        }
        Ok(None)
    }
}

/// The `where` that an expression is, or asks for members.
fn filter_of(expr: &Expr) -> Option<&Where<Cells>> {
    match expr {
        Expr::Cells(Cells::Where(filter)) => Some(filter),
        Expr::Truth(Truth::Some(set)) => filter_of(set),
        Expr::Truth(Truth::Not(of)) => match &**of {
            Truth::Some(set) => filter_of(set),
            _ => None,
        },
        _ => None,
    }
}

/// The expressions in the condition of a `where`, which is `part` or stands in it.
fn noted_condition<'g>(filter: &Where<Cells>, part: &NotedPart, parts: &'g [NotedPart]) -> Option<&'g [NotedPart]> {
    parts.iter().find_map(|other| match &other.condition {
        Some((it, within)) if *it == filter.it && part.span.contains(other.span) => Some(within.as_slice()),
        _ => None,
    })
}

/// The call that an expression is.
fn call_of(expr: &Expr) -> Option<&Call> {
    use crate::model::{Axes, Dirs, Groups, List, Number, Players};
    match expr {
        Expr::Number(Number::Call(call))
        | Expr::Truth(Truth::Call(call))
        | Expr::Cells(Cells::Call(call))
        | Expr::Groups(Groups::Call(call))
        | Expr::Dirs(Dirs::Call(call))
        | Expr::Axes(Axes::Call(call))
        | Expr::Players(Players::Call(call))
        | Expr::List(List::Call(call)) => Some(call),
        _ => None,
    }
}

impl RunView for Machine<'_, '_> {
    fn position(&self) -> &Position {
        self.position
    }

    fn own(&self) -> Player {
        self.run.context.own
    }

    fn written(&self) -> Vec<Written> {
        self.run.written.iter().filter(|token| !token.hidden).map(|token| token.written.clone()).collect()
    }

    fn local(&self, slot: Slot) -> Option<Value> {
        self.run.locals.get(slot.0 as usize).cloned()
    }

    fn firsts(&self) -> Vec<OpenFirst> {
        let open = self.run.choices.iter().filter_map(|choice| match choice.alternatives {
            Alternatives::Blocks { next, scope, .. } => {
                let statement = StatementId { block: choice.saved.regs.block, at: choice.saved.regs.at };
                Some(OpenFirst { statement, scope, block: next - 1 })
            }
            _ => None,
        });
        open.collect()
    }

    fn ranked(&self) -> Vec<Ranked> {
        let records = self.run.records.iter();
        records.map(|record| Ranked { scope: record.scope, line: record.id, value: record.value }).collect()
    }

    fn values(&mut self, statement: StatementId) -> Vec<Valued> {
        let notes = self.game.notes.as_ref().and_then(|notes| notes.statement(statement));
        notes.map_or(Vec::new(), |note| self.valued(&note.parts, Asked::Nothing, 0))
    }

    fn values_for(&mut self, statement: StatementId, cell: Cell) -> Vec<Valued> {
        let notes = self.game.notes.as_ref().and_then(|notes| notes.statement(statement));
        notes.map_or(Vec::new(), |note| self.valued(&note.parts, Asked::Member(cell), 0))
    }

    fn mover(&mut self, statement: StatementId) -> Option<Cell> {
        match self.statement_of(statement)? {
            Statement::Move { who, .. } | Statement::Promote { who, .. } => self.cells(who).ok()?.single(),
            _ => None,
        }
    }

    fn stops(&mut self, statement: StatementId, target: Cell) -> Vec<Stop> {
        let Some(anchor) = self.mover(statement) else { return Vec::new() };
        match self.statement_of(statement) {
            Some(Statement::Move { landing: Landing::Line(line), .. }) => {
                self.stops_of_line(line, line.span, anchor, target, false).unwrap_or_default()
            }
            Some(Statement::Move { landing: Landing::Ways { capture }, .. }) => {
                self.stops_of_ways(anchor, target, *capture).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}
