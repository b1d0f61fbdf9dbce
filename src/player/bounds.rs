//! Bounds of values: what is proven of a position of two players goes in; what that proves of the
//! position before it comes out.
//!
//! Score bounded Monte Carlo tree search: T. Cazenave, A. Saffidine, 2010. A value is the payoff of
//! the first player, from 0 to 1; what he wins the other loses.

use crate::board::Player;

/// The payoff of the first player lies between these two, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub least: f32,
    pub most: f32,
}

impl Bounds {
    /// Nothing is proven.
    pub const UNKNOWN: Bounds = Bounds { least: 0.0, most: 1.0 };

    pub fn exactly(payoff: f64) -> Bounds {
        Bounds { least: payoff as f32, most: payoff as f32 }
    }

    /// The payoff of a player, if it is proven.
    pub fn proven(self, player: Player) -> Option<f64> {
        (self.least == self.most).then(|| f64::from(self.seen_by(player).least))
    }

    /// The same bounds of the payoff of a player.
    pub fn seen_by(self, player: Player) -> Bounds {
        if player.index() == 0 { self } else { Bounds { least: 1.0 - self.most, most: 1.0 - self.least } }
    }

    /// What the positions behind all that chance can choose prove of the one before, each with how likely it is.
    pub fn of_mean(behind: impl IntoIterator<Item = (f64, Bounds)>) -> Bounds {
        let (mut least, mut most, mut equal, mut first) = (0.0, 0.0, true, None);
        for (probability, bounds) in behind {
            least += probability * f64::from(bounds.least);
            most += probability * f64::from(bounds.most);
            equal &= *first.get_or_insert(bounds) == bounds;
        }
        match first {
            None => Bounds::UNKNOWN,
            // Without the rounding of a sum.
            Some(bounds) if equal => bounds,
            Some(_) => Bounds { least: least as f32, most: most as f32 },
        }
    }

    /// What the positions behind all moves prove of the one before, where a player chooses among
    /// them. Without any nothing is proven.
    pub fn of_best(chooser: Player, behind: impl IntoIterator<Item = Bounds>) -> Bounds {
        let best = behind
            .into_iter()
            .map(|bounds| bounds.seen_by(chooser))
            .reduce(|one, other| Bounds { least: one.least.max(other.least), most: one.most.max(other.most) });
        // Seen twice from the second player's side, bounds are as they were.
        best.map_or(Bounds::UNKNOWN, |best| best.seen_by(chooser))
    }
}
