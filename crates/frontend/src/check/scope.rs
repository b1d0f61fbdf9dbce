//! Scopes: names that a program, a define or a piece's description binds go in; slots of its frame
//! come out.

use std::collections::HashMap;

use crate::model::{Slot, Type};
use crate::source::Span;

/// Whose declarations a text may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Text of the prelude: built-in names and the prelude's.
    Prelude,
    /// Text of a game: its own as well.
    Game,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub slot: Slot,
    pub ty: Type,
    /// It was bound by `pick` from cells or groups: moves make it the landing.
    pub follows: bool,
    pub span: Span,
}

/// The frame that is being laid out and the names visible at this place.
#[derive(Debug)]
pub struct Scope {
    pub reach: Reach,
    pub locals: Vec<Local>,
    /// Names whose blocks have ended.
    ended: Vec<Local>,
    /// Slots and types of `it`, the innermost last.
    pub its: Vec<(Slot, Type)>,
    /// The next free slot.
    next: u16,
    /// A name keeps its slot in all branches of one block in place.
    slots: HashMap<(u32, String), Slot>,
    /// The block in place (an action, an `as usual`) whose names are bound now.
    instance: u32,
    instances: u32,
    /// `here` has a meaning.
    pub here: bool,
    /// The number of the kind whose description this is.
    pub here_value: Option<i64>,
    /// `outward` has a meaning.
    pub turning: bool,
}

impl Scope {
    pub fn new(reach: Reach) -> Scope {
        Scope {
            reach,
            locals: Vec::new(),
            ended: Vec::new(),
            its: Vec::new(),
            next: 0,
            slots: HashMap::new(),
            instance: 0,
            instances: 0,
            here: false,
            here_value: None,
            turning: false,
        }
    }

    /// Slots used so far.
    pub fn frame(&self) -> usize {
        usize::from(self.next)
    }

    /// The names that have slots of their own.
    pub fn names(&self) -> Vec<(Slot, String)> {
        self.slots.iter().map(|((_, name), slot)| (*slot, name.clone())).collect()
    }

    pub fn fresh(&mut self) -> Slot {
        let slot = Slot(self.next);
        self.next = self.next.saturating_add(1);
        slot
    }

    pub fn find(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// A name that was known in a block that has ended; the latest.
    pub fn ended(&self, name: &str) -> Option<&Local> {
        self.ended.iter().rev().find(|local| local.name == name)
    }

    /// Ends a block: the names bound since are known no longer.
    pub fn end_block(&mut self, mark: usize) -> Vec<Local> {
        let bound = self.locals.split_off(mark);
        self.ended.extend(bound.iter().cloned());
        bound
    }

    /// Binds a name from here to the end of its block.
    pub fn bind(&mut self, name: &str, ty: Type, follows: bool, span: Span) -> Slot {
        let key = (self.instance, name.to_string());
        let slot = match self.slots.get(&key) {
            Some(slot) => *slot,
            None => {
                let slot = self.fresh();
                self.slots.insert(key, slot);
                slot
            }
        };
        self.locals.push(Local { name: name.to_string(), slot, ty, follows, span });
        slot
    }

    /// Goes into a block in place whose names are its own; what is returned brings back the old
    /// state.
    pub fn enter(&mut self, reach: Reach) -> Outer {
        self.instances += 1;
        let outer = Outer {
            reach: self.reach,
            locals: std::mem::take(&mut self.locals),
            ended: std::mem::take(&mut self.ended),
            its: std::mem::take(&mut self.its),
            instance: self.instance,
        };
        self.reach = reach;
        self.instance = self.instances;
        outer
    }

    pub fn leave(&mut self, outer: Outer) {
        self.reach = outer.reach;
        self.locals = outer.locals;
        self.ended = outer.ended;
        self.its = outer.its;
        self.instance = outer.instance;
    }
}

/// What [`Scope::enter`] put aside.
#[derive(Debug)]
pub struct Outer {
    reach: Reach,
    locals: Vec<Local>,
    ended: Vec<Local>,
    its: Vec<(Slot, Type)>,
    instance: u32,
}
