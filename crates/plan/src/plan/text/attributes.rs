//! Attributes: a record goes in and words `name value` come out for all fields that are not as
//! usual, or the other way round.

use crate::plan::code::{ChoicePoint, EntryPoints};
use crate::plan::dir_vector::DirVector;
use crate::plan::ray_query::RayQuery;
use crate::plan::regs::NumReg;
use crate::plan::text::names::Names;
use crate::plan::text::word::Word;
use crate::plan::tree::{Arm, Block, Completion, Options, Plan, PositionLayout, TerminalRegs};

/// A record of which a text names the fields that are not as usual.
pub trait Attributes: Sized {
    /// As usual.
    fn usual() -> Self;

    /// `name value` of each field that is not as usual.
    fn write(&self, names: &dyn Names) -> String;

    /// Sets a field.
    ///
    /// # Errors
    /// 0: there is no such field; 1: the word is no value of it.
    fn set(&mut self, name: &str, word: &str) -> Result<(), usize>;

    /// Reads all words of a line.
    ///
    /// # Errors
    /// The place of the first word that is no field, or no value of it.
    fn read(words: &[&str]) -> Result<Self, usize> {
        let mut record = Self::usual();
        for (at, pair) in words.chunks(2).enumerate() {
            let &[name, word] = pair else { return Err(words.len()) };
            record.set(name, word).map_err(|within| 2 * at + within)?;
        }
        Ok(record)
    }
}

macro_rules! attributes {
    ($($type:ty = $usual:expr => { $($($field:ident).+ $name:literal),* $(,)? })*) => {
        $(impl Attributes for $type {
            fn usual() -> $type {
                $usual
            }

            fn write(&self, names: &dyn Names) -> String {
                let usual = <$type>::usual();
                let mut words: Vec<String> = Vec::new();
                $(if self.$($field).+ != usual.$($field).+ {
                    words.extend([String::from($name), Word::write(&self.$($field).+, names)]);
                })*
                words.join(" ")
            }

            fn set(&mut self, name: &str, word: &str) -> Result<(), usize> {
                match name {
                    $($name => self.$($field).+ = Word::read(word).ok_or(1_usize)?,)*
                    _ => return Err(0),
                }
                Ok(())
            }
        })*
    };
}

attributes! {
    PositionLayout = PositionLayout::default() => {
        sets "sets", numbers "numbers", of "players", neutral "neutral", kinds "kinds", hands "hands",
        states "states", waiting "waiting", single "single", lone "lone", stacks "stacks",
    }
    RayQuery = RayQuery { dirs: Default::default(), least: 1, most: u32::MAX, ended: false, numbered: false, single: false } => {
        dirs "dirs", least "least", most "most", ended "ended", numbered "numbered", single "single",
    }
    DirVector = DirVector { hops: Vec::new(), longest: 0 } => { hops "hops", longest "longest" }
    Completion = Completion { list: 0, ways: Default::default(), rows: Vec::new() } => {
        list "list", ways "ways", rows "rows",
    }
    TerminalRegs = TerminalRegs::default() => { history "history", draws "draws", counting "counting" }
    Plan = Plan::default() => {
        shared_sets "sets", shared_numbers "numbers", has_pass "passes", argmax "most", ambiguity "ambiguous",
        flooded "flooded", reg_vectors "vectors", carry "carries", calls "calls",
    }
    Arm = Arm::new(Options::One { open: NumReg(0) }, Block::new(), "") => {
        bound "runs", within "within", rest_of "rest", man "man", own "own", branch "branch",
        branch_facts "facts", note "note",
    }
    EntryPoints = EntryPoints {
        turn: 0, opening: Vec::new(), continuations: Vec::new(), after: 0, end: 0, routines: Vec::new(),
        may_fail_dirty: false, no_cleanup: false
    } => {
        turn "turn", opening "opening", continuations "continuations", after "after", end "end", routines "routines",
        may_fail_dirty "may_fail_dirty", no_cleanup "no_cleanup",
    }
    ChoicePoint = ChoicePoint::default() => {
        at "at", sets "sets", numbers "numbers", clobbered_sets "clobbered_sets",
        clobbered_numbers "clobbered_numbers", aimed "aimed", bounded "bounded", last "last",
        infallible "infallible", ranked "ranked", may_pass "may_pass", faults "faults",
    }
}
