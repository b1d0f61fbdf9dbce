//! Group sizes: two lists of the sizes of groups, largest first, go in; one operation that compares
//! them comes out.

use crate::model;
use crate::model::{Expr, List};
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Fixed, Groups, Lowered, Num, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::regs::SetReg;

/// What outcomes rank players by.
#[derive(Clone, Copy, Debug)]
pub enum Score {
    Num(Num),
    Sizes(Sizes),
    /// The sizes of rows, by their number in the tables.
    Rows(u16),
}

/// The sizes of the parts of a set.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    of: SetReg,
    along: u16,
}

impl<'g> Lowering<'g> {
    pub fn score(&mut self, expr: &'g Expr) -> Lowered<Score> {
        match expr {
            Expr::List(list) => self.list(list),
            other => self.value_num(other).map(Score::Num),
        }
    }

    fn list(&mut self, list: &'g List) -> Lowered<Score> {
        Ok(match list {
            List::One(number) => Score::Num(self.number(number)?),
            List::Sizes(groups) => match self.groups(groups)? {
                Groups::Parts { of, along } => Score::Sizes(Sizes { of, along }),
                Groups::None => Score::Sizes(Sizes { of: self.constant(Fixed::NONE), along: self.along(0) }),
                Groups::Classes(known) => Score::Rows(known),
                Groups::Rows(rows) => {
                    let classes = self.classes(rows)?;
                    match self.as_groups(classes) {
                        Groups::Classes(known) => Score::Rows(known),
                        _ => return unplanned("the sizes of rows"),
                    }
                }
            },
            List::Call(call) => self.call(call, |lowering, body| lowering.score(body))?,
            List::If(choice) => match self.truth(&choice.condition)? {
                Num::Fixed(0) => self.list(&choice.otherwise)?,
                Num::Fixed(_) => self.list(&choice.then)?,
                Num::In(_) => return unplanned("a list chosen at play"),
            },
            List::Local(_) => return unplanned("a list"),
        })
    }

    pub fn compare_lists(&mut self, cmp: model::Comparison, a: &'g List, b: &'g List) -> Lowered<Num> {
        let (a, b) = (self.list(a)?, self.list(b)?);
        self.compare_scores(cmp, a, b)
    }

    /// Whether two scores compare so.
    pub fn compare_scores(&mut self, cmp: model::Comparison, a: Score, b: Score) -> Lowered<Num> {
        match (a, b) {
            (Score::Num(a), Score::Num(b)) => Ok(self.compare_nums(cmp, a, b)),
            (Score::Sizes(a), Score::Sizes(b)) => {
                let order = self.number_op(|d| TreeOp::CompareGroupSizes {
                    d,
                    a: a.of,
                    along: a.along,
                    b: b.of,
                    beside: b.along,
                });
                Ok(self.compare_nums(cmp, Num::In(order), Num::Fixed(0)))
            }
            (Score::Rows(a), Score::Rows(b)) => {
                let (a, b) = (self.row_classes(Groups::Classes(a))?, self.row_classes(Groups::Classes(b))?);
                let order = self.compare_rows(&a, &b)?;
                Ok(self.compare_nums(cmp, order, Num::Fixed(0)))
            }
            (Score::Num(_), _) | (_, Score::Num(_)) => unplanned("a list compared with a number"),
            (Score::Rows(_), _) | (_, Score::Rows(_)) => unplanned("sizes of rows compared with those of groups"),
        }
    }
}
