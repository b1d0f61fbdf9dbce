//! Routine lowering: calls of a define that calls itself go in; operations that call a program of its own come out, and
//! these programs.
//!
//! Other defines are expanded where they stand. A routine is found when an expansion comes to no end: lowering begins anew
//! then, and no longer expands it. It is a condition on sets of cells and on numbers, so it changes nothing and chooses
//! nothing. For directions, players and truths that are known it is lowered again, as there are few.

use rustc_hash::FxHashSet as HashSet;

use crate::board::Player;
use crate::model::{Call, Expr, Game, MAX_NESTED, Slot};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Facts, Fixed, Lowered, Num, Unplanned, Value, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::regs::SetReg;
use crate::plan::tree::{Calls, MAX_ARGUMENTS, Routine};
use crate::plan::vregs::VirtualRegs;

/// An expansion in which a define stands so often is taken to come to no end.
const MANY_TIMES: usize = 3;

/// The routines of a game.
#[derive(Clone, Default)]
pub struct Routines {
    /// The defines that are not expanded.
    pub known: HashSet<u16>,
    /// A define whose expansion has come to no end.
    pub found: Option<u16>,
    /// In which arguments come and the answer goes.
    pub registers: Option<Calls>,
    /// Those that a seat calls.
    called: Vec<Called>,
    /// How many the seats before it have.
    before: usize,
    /// The one that is lowered reads `last` or the like.
    pub reads_words: bool,
}

/// A routine as it is called.
#[derive(Clone, PartialEq)]
struct Called {
    define: u16,
    /// Asked by `end`.
    ended: bool,
    arguments: Vec<Argument>,
}

/// What is known of an argument.
#[derive(Clone, Copy, PartialEq)]
enum Argument {
    Cells {
        single: bool,
    },
    /// A number, or a bit for each of some directions.
    Number {
        one_direction: bool,
    },
    /// These lie in no register.
    Known(i64),
    KnownPlayers(i64),
}

impl Routines {
    /// With registers, if there are any routines.
    pub fn new(known: &HashSet<u16>, fresh: &mut VirtualRegs) -> Routines {
        let mut calls = || Calls { arguments: [(); MAX_ARGUMENTS].map(|()| fresh.set()), answer: fresh.number() };
        let registers = (!known.is_empty()).then(&mut calls);
        Routines { known: known.clone(), registers, ..Routines::default() }
    }
}

impl<'g> Lowering<'g> {
    /// A call whose expansion comes to no end; finds what is to be a routine.
    pub fn endless_call(&mut self, call: &'g Call) -> Unplanned {
        let within = &self.scope.within;
        let often = |define: &&u16| within.iter().filter(|other| other == define).count() >= MANY_TIMES;
        let found = within.iter().filter(often).copied().find(|define| can_be_called(self.game, *define));
        self.routines.found = self.routines.found.or(found);
        Unplanned { why: "a define that calls itself", span: Some(call.span) }
    }

    /// The answer of a routine, if the define is one.
    pub fn call_routine(&mut self, call: &'g Call) -> Lowered<Option<Num>> {
        if !self.routines.known.contains(&call.define.0) {
            return Ok(None);
        }
        self.expect_tops()?;
        // As deep as it may call itself, the levels of expressions within each other are not too many.
        let levels: usize = self.scope.within.iter().map(|define| self.game.defines[usize::from(*define)].nest).sum();
        if levels.saturating_mul(self.game.topology.len() + 2) > MAX_NESTED {
            return Err(Unplanned { why: "a define that calls itself so deep within others", span: Some(call.span) });
        }
        if self.scope.here.is_some() || self.scope.walking.is_some() {
            return Err(Unplanned { why: "a define that calls itself, asked within a pattern", span: Some(call.span) });
        }
        let (mut asked, mut arguments) = (Vec::new(), Vec::new());
        for expr in &call.arguments {
            if self.depends(expr) {
                return unplanned("a define that calls itself, asked of all cells at once");
            }
            let has_few_values = !matches!(expr, Expr::Number(_) | Expr::List(_));
            arguments.push(match self.argument(expr)? {
                Value::Players(Num::Fixed(players)) => Argument::KnownPlayers(players),
                Value::Num(Num::Fixed(known)) if has_few_values => Argument::Known(known),
                Value::Num(number) => {
                    let a = self.num(number);
                    asked.push(self.set_op(|d| TreeOp::BitcastNum { d, a }));
                    Argument::Number { one_direction: self.known.one_direction.contains(&a) }
                }
                Value::Players(_) | Value::Later(..) => {
                    return unplanned("a define that calls itself for players chosen at play");
                }
                Value::Groups(_) => return unplanned("a define that calls itself with groups"),
                value => {
                    let cells = self.cells_value(value)?;
                    asked.push(self.reg(cells));
                    Argument::Cells { single: self.is_single(cells) }
                }
            });
        }
        if asked.len() > MAX_ARGUMENTS {
            return unplanned("a define that calls itself with so many values");
        }
        let called = Called { define: call.define.0, ended: self.scope.ended, arguments };
        let known = self.routines.called.iter().position(|known| *known == called);
        let number = self.routines.before
            + known.unwrap_or_else(|| {
                self.routines.called.push(called);
                self.routines.called.len() - 1
            });
        let (d, place) = (self.fresh.number(), self.place(call.span));
        let none = self.constant(Fixed::NONE);
        let [a, b, c] = std::array::from_fn(|at| asked.get(at).copied().unwrap_or(none));
        self.emit(TreeOp::Call { d, a, b, c, routine: number as u16, place });
        Ok(Some(Num::In(d)))
    }

    /// The programs of all routines that a player's programs call.
    pub fn routines_of(&mut self, player: Player) -> Lowered<Vec<Routine>> {
        let mut lowered = Vec::new();
        while let Some(called) = self.routines.called.get(lowered.len()).cloned() {
            lowered.push(self.routine(player, called)?);
        }
        self.routines.called.clear();
        self.routines.before += lowered.len();
        Ok(lowered)
    }

    /// A copy of an argument. The registers are written again where the routine calls itself, and hold the same behind that.
    fn argument_of_call(&mut self, a: SetReg, argument: Argument) -> Value<'g> {
        if let Argument::Number { one_direction } = argument {
            let d = self.fresh.number();
            self.emit(TreeOp::BitcastSet { d, a });
            if one_direction {
                self.known.one_direction.insert(d);
            }
            return Value::Num(Num::In(d));
        }
        let copy = self.copied(Cells::In(a));
        self.record_facts(Cells::In(copy), Facts::NONE);
        if matches!(argument, Argument::Cells { single: true }) {
            self.known.single.insert(copy);
        }
        Value::Cells(Cells::In(copy))
    }

    fn routine(&mut self, player: Player, called: Called) -> Lowered<Routine> {
        let Some(Calls { arguments, answer }) = self.routines.registers else {
            return unplanned("a define that calls itself");
        };
        let define = &self.game.defines[usize::from(called.define)];
        let Expr::Truth(truth) = &define.body else { return unplanned("a define that calls itself") };
        let outer = std::mem::replace(&mut self.scope.ended, called.ended);
        self.routines.reads_words = false;
        let block = self.program(player, define.frame.max(define.parameters), |lowering| {
            lowering.scope.within.push(called.define);
            let mut asked = arguments.into_iter();
            for (at, argument) in called.arguments.iter().enumerate() {
                let value = match *argument {
                    Argument::Known(known) => Value::Num(Num::Fixed(known)),
                    Argument::KnownPlayers(players) => Value::Players(Num::Fixed(players)),
                    in_register => {
                        let Some(register) = asked.next() else { break };
                        lowering.argument_of_call(register, in_register)
                    }
                };
                lowering.bind(Slot(at as u16), value);
            }
            let holds = lowering.truth(truth)?;
            let a = lowering.num(holds);
            lowering.emit(TreeOp::CopyNum { d: answer, a });
            Ok(())
        });
        self.scope.ended = outer;
        self.scope.within.clear();
        let block = block.map_err(|why| why.at(define.span))?;
        if self.routines.reads_words {
            return Err(Unplanned {
                why: "a define that calls itself and asks what has moved",
                span: Some(define.span),
            });
        }
        let place = self.place(define.span);
        Ok(Routine { place, block })
    }
}

/// The define is a condition on few values, as far as that can be told.
fn can_be_called(game: &Game, define: u16) -> bool {
    let define = &game.defines[usize::from(define)];
    matches!(define.body, Expr::Truth(_)) && define.parameters <= 2 * MAX_ARGUMENTS
}
