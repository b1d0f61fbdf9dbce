//! Constant evaluation: an expression goes in; its value comes out if it depends on the board
//! alone.

use crate::board::{CellSet, DirSet, Topology};
use crate::model::{
    Arithmetic, BandAxis, Call, Cells, Comparison, Coordinate, Define, Dirs, Expr, Number, Slot, Truth,
};

/// Calls of defines that one constant may take; more of them are left to be worked out in play.
const MAX_CALLS: u32 = 5_000;
/// Defines within each other.
const MAX_DEPTH: u32 = 32;

/// Evaluates what is constant. Names are constant only while a `where` or a call binds them.
#[derive(Debug)]
pub struct Fold<'a> {
    topology: &'a Topology,
    defines: &'a [Option<Define>],
    /// What the names of the present frame stand for, the latest last; always constants.
    bound: Vec<(Slot, Expr)>,
    calls: u32,
    depth: u32,
}

impl<'a> Fold<'a> {
    pub fn new(topology: &'a Topology, defines: &'a [Option<Define>]) -> Fold<'a> {
        Fold { topology, defines, bound: Vec::new(), calls: 0, depth: 0 }
    }

    /// The constant that an expression is, as an expression.
    pub fn expr(mut self, e: &Expr) -> Option<Expr> {
        self.eval(e)
    }

    fn eval(&mut self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::Number(number) => self.eval_number(number).map(|n| Expr::Number(Number::Fixed(n))),
            Expr::Truth(truth) => self.eval_truth(truth).map(|t| Expr::Truth(Truth::Fixed(t))),
            Expr::Cells(cells) => self.eval_cells(cells).map(|set| Expr::Cells(Cells::Fixed(set))),
            Expr::Dirs(dirs) => self.eval_dirs(dirs).map(|set| Expr::Dirs(Dirs::Fixed(set))),
            _ => None,
        }
    }

    pub fn number(mut self, number: &Number) -> Option<i64> {
        self.eval_number(number)
    }

    pub fn truth(mut self, truth: &Truth) -> Option<bool> {
        self.eval_truth(truth)
    }

    pub fn cells(mut self, cells: &Cells) -> Option<CellSet> {
        self.eval_cells(cells)
    }

    pub fn dirs(mut self, dirs: &Dirs) -> Option<DirSet> {
        self.eval_dirs(dirs)
    }

    fn local(&self, slot: Slot) -> Option<&Expr> {
        self.bound.iter().rev().find(|(bound, _)| *bound == slot).map(|(_, value)| value)
    }

    /// A define's body with constant arguments.
    fn eval_call(&mut self, call: &Call) -> Option<Expr> {
        let define = self.defines.get(call.define.0 as usize)?.as_ref()?;
        self.calls += 1;
        if self.calls > MAX_CALLS || self.depth == MAX_DEPTH {
            return None;
        }
        let arguments: Option<Vec<Expr>> = call.arguments.iter().map(|argument| self.eval(argument)).collect();
        let frame = arguments?.into_iter().enumerate().map(|(i, value)| (Slot(i as u16), value)).collect();
        let outer = std::mem::replace(&mut self.bound, frame);
        self.depth += 1;
        let value = self.eval(&define.body);
        self.depth -= 1;
        self.bound = outer;
        value
    }

    fn eval_number(&mut self, number: &Number) -> Option<i64> {
        match number {
            Number::Fixed(n) => Some(*n),
            Number::Local(slot) => match self.local(*slot) {
                Some(Expr::Number(Number::Fixed(n))) => Some(*n),
                _ => None,
            },
            Number::Call(call) => match self.eval_call(call) {
                Some(Expr::Number(Number::Fixed(n))) => Some(n),
                _ => None,
            },
            Number::If(parts) => {
                let part = if self.eval_truth(&parts.condition)? { &parts.then } else { &parts.otherwise };
                self.eval_number(part)
            }
            Number::Arithmetic(op, pair, _) => {
                let (a, b) = (self.eval_number(&pair.0)?, self.eval_number(&pair.1)?);
                arithmetic(*op, a, b)
            }
            Number::Count(set) => match &**set {
                Expr::Cells(cells) => Some(self.eval_cells(cells)?.len() as i64),
                Expr::Dirs(dirs) => Some(self.eval_dirs(dirs)?.len() as i64),
                _ => None,
            },
            Number::Coordinate(coordinate, of, _) => {
                let cell = self.eval_cells(of)?.single()?;
                match coordinate {
                    Coordinate::File => Some(i64::from(self.topology.file(cell))),
                    Coordinate::Rank => Some(i64::from(self.topology.rank(cell))),
                    Coordinate::Row => None,
                }
            }
            _ => None,
        }
    }

    fn eval_truth(&mut self, truth: &Truth) -> Option<bool> {
        match truth {
            Truth::Fixed(value) => Some(*value),
            Truth::Local(slot) => match self.local(*slot) {
                Some(Expr::Truth(Truth::Fixed(value))) => Some(*value),
                _ => None,
            },
            Truth::Call(call) => match self.eval_call(call) {
                Some(Expr::Truth(Truth::Fixed(value))) => Some(value),
                _ => None,
            },
            Truth::If(parts) => {
                let part = if self.eval_truth(&parts.condition)? { &parts.then } else { &parts.otherwise };
                self.eval_truth(part)
            }
            Truth::Not(of) => self.eval_truth(of).map(|value| !value),
            Truth::And(parts) => self.eval_all(parts, true),
            Truth::Or(parts) => self.eval_all(parts, false).map(|all_false| !all_false),
            Truth::Compare(op, pair) => {
                let (a, b) = (self.eval_number(&pair.0)?, self.eval_number(&pair.1)?);
                Some(compare(*op, a.cmp(&b)))
            }
            Truth::Equal(pair) => match &**pair {
                (Expr::Cells(a), Expr::Cells(b)) => Some(self.eval_cells(a)? == self.eval_cells(b)?),
                (Expr::Truth(a), Expr::Truth(b)) => Some(self.eval_truth(a)? == self.eval_truth(b)?),
                _ => None,
            },
            Truth::Within(pair) => match &**pair {
                (Expr::Cells(a), Expr::Cells(b)) => {
                    let (a, b) = (self.eval_cells(a)?, self.eval_cells(b)?);
                    Some(!a.is_empty() && a.is_within(&b))
                }
                (Expr::Dirs(a), Expr::Dirs(b)) => {
                    let (a, b) = (self.eval_dirs(a)?, self.eval_dirs(b)?);
                    Some(!a.is_empty() && a.is_within(&b))
                }
                _ => None,
            },
            Truth::Some(set) => match &**set {
                Expr::Cells(cells) => Some(!self.eval_cells(cells)?.is_empty()),
                Expr::Dirs(dirs) => Some(!self.eval_dirs(dirs)?.is_empty()),
                _ => None,
            },
            _ => None,
        }
    }

    /// All are `wanted`: decided by the first that is known not to be, else only if all are known.
    fn eval_all(&mut self, parts: &[Truth], wanted: bool) -> Option<bool> {
        let mut known = true;
        for part in parts {
            match self.eval_truth(part) {
                Some(value) if value != wanted => return Some(false),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(true)
    }

    fn eval_cells(&mut self, cells: &Cells) -> Option<CellSet> {
        match cells {
            Cells::Fixed(set) => Some(*set),
            Cells::Local(slot) => match self.local(*slot) {
                Some(Expr::Cells(Cells::Fixed(set))) => Some(*set),
                _ => None,
            },
            Cells::Call(call) => match self.eval_call(call) {
                Some(Expr::Cells(Cells::Fixed(set))) => Some(set),
                _ => None,
            },
            Cells::If(parts) => {
                let part = if self.eval_truth(&parts.condition)? { &parts.then } else { &parts.otherwise };
                self.eval_cells(part)
            }
            Cells::Not(of) => Some(self.topology.any() - self.eval_cells(of)?),
            Cells::And(parts) => {
                let mut all = self.topology.any();
                let mut known = true;
                for part in parts {
                    match self.eval_cells(part) {
                        Some(set) => all &= set,
                        None => known = false,
                    }
                }
                (known || all.is_empty()).then_some(all)
            }
            Cells::Or(parts) => parts.iter().try_fold(CellSet::EMPTY, |all, part| Some(all | self.eval_cells(part)?)),
            Cells::Where(parts) => self.eval_where(&parts.set, parts.it, &parts.condition),
            Cells::Band { axis, from, to } => {
                let (from, to) = (self.eval_number(from)?, self.eval_number(to)?);
                match axis {
                    BandAxis::File => Some(self.topology.file_band(from, to)),
                    BandAxis::Rank => Some(self.topology.rank_band(from, to)),
                    BandAxis::Row => None,
                }
            }
            Cells::Adjacent(of, dirs) => {
                let (of, dirs) = (self.eval_cells(of)?, self.eval_dirs(dirs)?);
                Some(self.topology.shift(&of, &dirs) - of)
            }
            Cells::Shift(of, dirs) => {
                let (of, dirs) = (self.eval_cells(of)?, self.eval_dirs(dirs)?);
                Some(self.topology.shift(&of, &dirs))
            }
            Cells::Nth(of, k) => {
                let (of, k) = (self.eval_cells(of)?, self.eval_number(k)?);
                let at = usize::try_from(k.checked_sub(1)?).ok();
                Some(at.and_then(|at| of.iter().nth(at)).map_or(CellSet::EMPTY, CellSet::one))
            }
            _ => None,
        }
    }

    fn eval_where(&mut self, set: &Cells, it: Slot, condition: &Truth) -> Option<CellSet> {
        let mut kept = CellSet::EMPTY;
        for cell in self.eval_cells(set)?.iter() {
            self.bound.push((it, Expr::Cells(Cells::Fixed(CellSet::one(cell)))));
            let holds = self.eval_truth(condition);
            self.bound.pop();
            if holds? {
                kept.insert(cell);
            }
        }
        Some(kept)
    }

    fn eval_dirs(&mut self, dirs: &Dirs) -> Option<DirSet> {
        match dirs {
            Dirs::Fixed(set) => Some(*set),
            Dirs::Local(slot) => match self.local(*slot) {
                Some(Expr::Dirs(Dirs::Fixed(set))) => Some(*set),
                _ => None,
            },
            Dirs::Not(of) => Some(self.topology.straight() - self.eval_dirs(of)?),
            Dirs::And(parts) => {
                let mut sets = parts.iter().map(|part| self.eval_dirs(part)).collect::<Option<Vec<_>>>()?.into_iter();
                let first = sets.next()?;
                Some(sets.fold(first, |all, set| all & set))
            }
            Dirs::Or(parts) => parts.iter().try_fold(DirSet::EMPTY, |all, part| Some(all | self.eval_dirs(part)?)),
            Dirs::Opposite(of) => Some(self.topology.opposites(&self.eval_dirs(of)?)),
            Dirs::Turned(turned) => {
                let (dirs, by) = (self.eval_dirs(&turned.0)?, self.eval_number(&turned.1)?);
                Some(self.topology.clockwise(&dirs, by))
            }
            _ => None,
        }
    }
}

/// `None` where the language has a fault: overflow, division by zero. `/` and `mod` round down.
pub fn arithmetic(op: Arithmetic, a: i64, b: i64) -> Option<i64> {
    match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide => {
            let quotient = a.checked_div(b)?;
            Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
        }
        Arithmetic::Modulo => {
            let rest = a.checked_rem(b)?;
            Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
        }
    }
}

/// What a comparison says of an ordering.
pub fn compare(op: Comparison, ordering: std::cmp::Ordering) -> bool {
    match op {
        Comparison::Equal => ordering.is_eq(),
        Comparison::NotEqual => ordering.is_ne(),
        Comparison::Less => ordering.is_lt(),
        Comparison::AtMost => ordering.is_le(),
        Comparison::Greater => ordering.is_gt(),
        Comparison::AtLeast => ordering.is_ge(),
    }
}
