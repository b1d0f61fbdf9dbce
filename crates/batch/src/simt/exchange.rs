//! Lane exchange: pairs of lanes go in; all that is known of the two games of each pair changes
//! places.

use crate::simd::{Lane8, Simd, WIDE};
use crate::simt::sort_lanes::{Exchange, exchange_lanes};
use crate::simt::state::WarpState;
use crate::simt::state::status::Status;

/// The words of one register change places.
fn exchange_words<const K: usize>(words: &mut [Lane8; K], exchanges: &[Exchange]) {
    for &[a, b] in exchanges {
        let (one, other) = (words[a.0 % K].0[a.1 % WIDE], words[b.0 % K].0[b.1 % WIDE]);
        words[a.0 % K].0[a.1 % WIDE] = other;
        words[b.0 % K].0[b.1 % WIDE] = one;
    }
}

/// What of a status outlasts a turn, changed by chunk and lane.
fn exchange_status<const K: usize>(at: &mut [Status; K], exchanges: &[Exchange]) {
    let parts: [fn(&mut Status) -> &mut Lane8; 9] = [
        |status| &mut status.offered,
        |status| &mut status.tries,
        |status| &mut status.runs,
        |status| &mut status.outcome,
        |status| &mut status.winners,
        |status| &mut status.turns,
        |status| &mut status.choices,
        |status| &mut status.plies,
        |status| &mut status.mover,
    ];
    for &[a, b] in exchanges {
        for part in parts {
            let one = part(&mut at[a.0]).0[a.1 % WIDE];
            let other = std::mem::replace(&mut part(&mut at[b.0]).0[b.1 % WIDE], one);
            part(&mut at[a.0]).0[a.1 % WIDE] = other;
        }
        for part in 0..4 {
            let one = (at[a.0].rng.0[part].0[a.1 % WIDE], at[a.0].saved_rng.0[part].0[a.1 % WIDE]);
            let other = (at[b.0].rng.0[part].0[b.1 % WIDE], at[b.0].saved_rng.0[part].0[b.1 % WIDE]);
            (at[a.0].rng.0[part].0[a.1 % WIDE], at[a.0].saved_rng.0[part].0[a.1 % WIDE]) = other;
            (at[b.0].rng.0[part].0[b.1 % WIDE], at[b.0].saved_rng.0[part].0[b.1 % WIDE]) = one;
        }
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Games change places, between turns; `past`: with what they remember of the past.
    pub fn exchange(&mut self, exchanges: &[Exchange], past: bool) {
        for set in self.file.sets[..self.shared.persistent.0].iter_mut().chain(&mut self.turn.turn_start.0) {
            for &[a, b] in exchanges {
                for word in 0..W {
                    let (one, other) = (set[a.0 % K][word].0[a.1 % WIDE], set[b.0 % K][word].0[b.1 % WIDE]);
                    set[a.0 % K][word].0[a.1 % WIDE] = other;
                    set[b.0 % K][word].0[b.1 % WIDE] = one;
                }
            }
        }
        let numbers = &mut self.file.numbers[..self.shared.persistent.1];
        numbers.iter_mut().chain(&mut self.turn.turn_start.1).for_each(|number| exchange_words(number, exchanges));
        exchange_status(&mut self.at, exchanges);
        if past {
            exchanges.iter().for_each(|[a, b]| self.histories.swap(a.0 * WIDE + a.1, b.0 * WIDE + b.1));
        }
        let flags = &mut self.flags;
        for kept in [
            &mut flags.again_drawn,
            &mut flags.counted,
            &mut flags.asked,
            &mut flags.unsure,
            &mut flags.estimated,
            &mut flags.decided,
        ] {
            exchange_lanes(kept, exchanges);
        }
        flags.before.masks().into_iter().for_each(|kept| exchange_lanes(kept, exchanges));
        self.turns.masks().for_each(|lanes| exchange_lanes(lanes, exchanges));
        self.branch_history.exchange(exchanges);
    }
}
