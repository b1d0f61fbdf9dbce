//! Annotations: what notation needs to know of a choice, as operands of one operation.

use crate::board::Kind;
use crate::plan::regs::{Access, NumReg, SetReg};

/// What is told of a choice, for notation; executed only where moves are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Annotation {
    Cell(SetReg),
    Landing {
        cell: SetReg,
        caught: Option<SetReg>,
        sign: Option<char>,
    },
    Number(NumReg),
    /// Two cells or more, picked together.
    Combination(SetReg),
    Group(SetReg),
    Dir(NumReg),
    Axis(NumReg),
    Kind(Kind),
    Promotion(Kind),
    Label(u16),
    Pass,
    Swap,
    /// The player ends a `repeat in steps`.
    Stop,
    /// Rounds begin of which only the last is written; one of them does; they are over.
    Silent,
    Round,
    Loud,
}

impl Annotation {
    pub fn accesses(self, f: &mut dyn FnMut(Access)) {
        match self {
            Annotation::Cell(s) | Annotation::Combination(s) | Annotation::Group(s) => f(Access::UseSet(s)),
            Annotation::Landing { cell, caught, .. } => {
                f(Access::UseSet(cell));
                caught.into_iter().for_each(|s| f(Access::UseSet(s)));
            }
            Annotation::Number(n) | Annotation::Dir(n) | Annotation::Axis(n) => f(Access::UseNum(n)),
            Annotation::Kind(_)
            | Annotation::Promotion(_)
            | Annotation::Label(_)
            | Annotation::Pass
            | Annotation::Swap
            | Annotation::Stop
            | Annotation::Silent
            | Annotation::Round
            | Annotation::Loud => {}
        }
    }
}
