//! Traced turns: a session and a generator go in; a turn is played, and its choices come out among those of
//! all turns.
//!
//! The program that plays records no choices. So it draws the turn as ever, and the turn is found again among
//! all turns of the position before it: a second session lists them and compares what they lead to.

use std::collections::HashSet;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::Player;
use crate::interp::sample::uniform::below;
use crate::interp::session::TracedTurn;
use crate::interp::state::search::RegisterStack;
use crate::interp::state::session::{Loaded, ScalarSession};
use crate::interp::state::turn::Flags;
use crate::interp::state::vm::Vm;
use crate::plan::{Access, TerminalRegs, vregs};
use crate::position::{Fault, Written};

/// Runs that lead to one position, of which one is drawn uniformly while they are found (reservoir sampling).
pub struct Alike {
    found: u64,
    pub drawn: Option<usize>,
    rng: Xoshiro256PlusPlus,
}

impl Alike {
    /// `rng`: that of the game, which goes on with its own numbers.
    pub fn new(rng: &Xoshiro256PlusPlus) -> Alike {
        Alike { found: 0, drawn: None, rng: rng.clone() }
    }

    pub fn add(&mut self, run: usize) {
        self.found += 1;
        if self.found == 2 {
            // The numbers at hand are those of the next turn.
            self.rng.long_jump();
        }
        if self.found == 1 || below(&mut self.rng, self.found) == 0 {
            self.drawn = Some(run);
        }
    }
}

/// The choices of all turns, and the place of the one that was looked for.
type Listed = (Vec<Vec<Written>>, Option<usize>);

impl<const W: usize> ScalarSession<W> {
    pub fn traced_turn(&mut self, rng: &mut Xoshiro256PlusPlus) -> Result<Option<TracedTurn>, Fault> {
        let mut lister = self.lister.take().unwrap_or_else(|| Box::new(self.sibling()));
        lister.take_position(self);
        let lengths = self.vm.game.history.lengths();
        let traced = match self.one_turn(rng) {
            Ok(Some(count)) => {
                std::mem::swap(&mut lister.vm.game.history, &mut self.vm.game.history);
                lister.vm.game.history.truncate(lengths);
                let listed = lister.list_traced(self, Alike::new(rng));
                std::mem::swap(&mut lister.vm.game.history, &mut self.vm.game.history);
                self.record_position();
                listed.map(|(written, played)| Some(TracedTurn { count, written, played }))
            }
            Ok(None) => Ok(None),
            Err(fault) => Err(fault),
        };
        self.lister = Some(lister);
        traced
    }

    /// A session of the same programs, without a position.
    pub fn sibling(&self) -> ScalarSession<W> {
        ScalarSession {
            game: self.game.clone(),
            plan: self.plan.clone(),
            empty: self.empty.clone(),
            program: self.program.clone(),
            programs: self.programs.clone(),
            annotated: self.annotated.clone(),
            vm: Vm::new(&self.program),
            loaded: Loaded::default(),
            begun: RegisterStack::default(),
            lister: None,
            ..*self
        }
    }

    /// The position of another session, without its history.
    pub fn take_position(&mut self, other: &ScalarSession<W>) {
        let (sets, numbers) = self.program.position_regs;
        self.vm.clear();
        self.vm.sets[..sets].copy_from_slice(&other.vm.sets[..sets]);
        self.vm.numbers[..numbers].copy_from_slice(&other.vm.numbers[..numbers]);
        (self.to_move, self.opening) = (other.to_move, other.opening);
        self.vm.game.next_to_move = self.next_to_move();
    }

    /// All turns, and which of them leads to the position of a session. Of several, one is drawn: the program that played did
    /// not tell them apart.
    fn list_traced(&mut self, after: &ScalarSession<W>, played: Alike) -> Result<Listed, Fault> {
        self.vm.choice_log.enabled = true;
        self.vm.choice_log.entries.clear();
        let listed = self.list_until_none(after, played);
        self.vm.choice_log.enabled = false;
        listed
    }

    fn list_until_none(&mut self, after: &ScalarSession<W>, mut played: Alike) -> Result<Listed, Fault> {
        let program = self.annotated();
        (self.vm.turn.flags, self.vm.turn.work) = (Flags::default(), 0);
        let event = self.vm.run(&program, self.entry(&program));
        let mut walk = self.vm.walk_best(&program, event)?;
        let asked = self.asked_of_turn();
        let (mut all, mut seen) = (Vec::new(), HashSet::new());
        while self.vm.next_run(&program, &mut walk)? {
            let mut written = Vec::new();
            self.write_from(0, &mut written);
            let turn = self.complete(&written);
            if self.plan.ambiguity.is_some() && !seen.insert(turn) {
                continue;
            }
            self.expect_few(all.len())?;
            let again = self.vm.turn.flags.again;
            let is_next = after.to_move == if again { self.to_move } else { self.seat_behind() };
            if is_next && self.stands_like(after, &asked) {
                played.add(all.len());
            }
            all.push(written);
        }
        Ok((all, played.drawn))
    }

    /// Both stand in one position, and the outcomes would find the same of the turn behind them: `last`, `passed` and the like,
    /// where they ask for these.
    pub fn stands_like(&self, other: &ScalarSession<W>, asked: &[Access]) -> bool {
        let (sets, numbers) = self.program.position_regs;
        self.vm.sets[..sets] == other.vm.sets[..sets]
            && self.vm.numbers[..numbers] == other.vm.numbers[..numbers]
            && asked.iter().all(|access| match *access {
                Access::UseSet(reg) => self.vm.set(reg) == other.vm.set(reg),
                Access::UseNum(reg) => self.vm.number(reg) == other.vm.number(reg),
                _ => true,
            })
    }

    /// What the outcomes behind a turn of the player read that is no part of the position: what the turn leaves.
    pub fn asked_of_turn(&self) -> Vec<Access> {
        let TerminalRegs { history, draws, counting } = self.plan.terminal;
        let (position, shared) = (self.program.position_regs, self.program.shared_regs);
        let mut asked = Vec::new();
        vregs::accesses(&self.plan.seats[self.to_move.index()].end, &mut |access| {
            let is_left = match access {
                Access::UseSet(reg) => (position.0..shared.0).contains(&usize::from(reg.0)),
                Access::UseNum(reg) => {
                    (position.1..shared.1).contains(&usize::from(reg.0))
                        && ![history, draws, counting].contains(&Some(reg))
                }
                _ => false,
            };
            if is_left && !asked.contains(&access) {
                asked.push(access);
            }
        });
        asked
    }

    /// Who is to move after a turn without `again`.
    pub fn seat_behind(&self) -> Player {
        let next = self.to_move.0 + 1;
        if next < self.seats { Player(next) } else { Player(0) }
    }
}
