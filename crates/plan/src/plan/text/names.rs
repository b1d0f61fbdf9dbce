//! Names: registers, directions, players and places go in; how a text calls them comes out.

use crate::board::Player;
use crate::plan::regs::{NumReg, SetReg, SpanId};

/// How a text calls what it speaks of. What is not overridden is a number, as in the complete form.
pub trait Names {
    fn set(&self, reg: SetReg) -> String {
        format!("s{}", reg.0)
    }

    fn number(&self, reg: NumReg) -> String {
        format!("n{}", reg.0)
    }

    fn dir(&self, dir: u16) -> String {
        dir.to_string()
    }

    fn player(&self, player: Player) -> String {
        player.0.to_string()
    }

    fn place(&self, place: SpanId) -> String {
        place.0.to_string()
    }
}

/// The names of the complete form.
pub struct Numbered;

impl Names for Numbered {}
