//! Visited states: a run that goes on with a round of `repeat silently` goes in; whether a round has begun in this state
//! before comes out. What follows has been gone through then, or will be, so the run need not go on.
//!
//! The state is the position, the names, what the run has done and written, and where in the program it stands. How many
//! rounds there were is left out.

use crate::position::{Fault, Mixer};

use crate::reference::Machine;
use crate::reference::run::{Alternatives, Goal, Opt, Then};

/// Steps of work for each state. With 8, those that are kept stay below a hundred megabytes.
const WORK_OF_A_STATE: u64 = 8;

impl Machine<'_, '_> {
    /// A round begins that is not written. A run is looked for, or all runs are, and one has begun a round in this state.
    pub fn comes_back(&mut self) -> Result<bool, Fault> {
        // One run is made of many. And an observer is told of each.
        if matches!(self.run.goal, Goal::Replay | Goal::Every | Goal::Drawn | Goal::Numbered) {
            return Ok(false);
        }
        self.work(WORK_OF_A_STATE)?;
        let state = self.state_of_run();
        Ok(!self.run.visited.insert(state))
    }

    fn state_of_run(&self) -> u128 {
        let (run, regs) = (&*self.run, &self.run.regs);
        let mut state = Mixer::default();
        state.add_wide(self.position.fingerprint());
        for value in &run.locals {
            state.add_value(value);
        }
        if self.game.asks.words {
            let words = &run.words;
            [&words.last, &words.origin, &words.passed, &words.caught].into_iter().for_each(|set| state.add_set(set));
            state.add_set(&words.heading);
        }
        self.add_place(&mut state);
        // Choices of other players, and of chance, part what is written.
        let chooser = regs.chooser.map_or(u64::MAX, |player| u64::from(player.0));
        [chooser, u64::from(regs.plies), u64::from(regs.chance_plies)].into_iter().for_each(|word| state.add(word));
        let flags = [regs.choices > 0, regs.cut, regs.agrees, regs.passed, regs.acted, regs.again];
        state.add(flags.iter().fold(0, |bits, flag| bits << 1 | u64::from(*flag)));
        for step in &run.steps {
            state.add_wide(step.fingerprint);
            step.written.iter().for_each(|written| state.add_written(written));
        }
        for token in run.written.iter().filter(|token| !token.hidden) {
            state.add_written(&token.written);
        }
        for record in &run.records {
            [record.scope, u64::from(record.id), record.value as u64].into_iter().for_each(|word| state.add(word));
        }
        self.add_questions(&mut state);
        state.finish()
    }

    /// Where the run stands: the statement, and those around it.
    fn add_place(&self, state: &mut Mixer) {
        let regs = &self.run.regs;
        let (mut block, mut at, mut frame) = (regs.block, regs.at, regs.frame);
        loop {
            state.add(u64::from(block.0) << 32 | u64::from(at));
            let Some(outer) = self.run.frames.get(frame as usize) else { return };
            match outer.then {
                Then::Next { first } => state.add(first.unwrap_or(u64::MAX)),
                Then::Round { from, .. } => {
                    let before = self.run.written[..from as usize].iter().filter(|token| !token.hidden);
                    state.add(before.count() as u64);
                }
                Then::Each { next, end } => {
                    for option in &self.run.options[next as usize..end as usize] {
                        self.add_member(*option, state);
                    }
                }
            }
            (block, at, frame) = (outer.block, outer.at, outer.parent);
        }
    }

    /// A member that a `for each` has still to come to.
    fn add_member(&self, option: Opt, state: &mut Mixer) {
        match option {
            Opt::Number(number) => state.add(number as u64),
            Opt::Cell(cell) => state.add(u64::from(cell.0)),
            Opt::Set(at) => state.add_set(&self.run.sets[at as usize]),
            Opt::Dir(dir) => state.add(u64::from(dir.0)),
            Opt::Axis(axis) => state.add(u64::from(axis.0)),
            // No members are these.
            Opt::Block(_) | Opt::Weighted { .. } | Opt::Match(_) | Opt::Of(_) | Opt::Kind(_) | Opt::Stop | Opt::Go => {}
        }
    }

    /// What asks whether a run can be completed from here: each `first`, ply or choice by chance that is not settled. What
    /// came of the state elsewhere does not answer that.
    fn add_questions(&self, state: &mut Mixer) {
        for (depth, choice) in self.run.choices.iter().enumerate() {
            let asked = match &choice.alternatives {
                Alternatives::Options { .. } => continue,
                Alternatives::Blocks { completed, scope, next, .. } => [*completed, *scope, u64::from(*next)],
                Alternatives::Chosen { completed } => [*completed, 0, 0],
                Alternatives::Boundary(found) => [found.key as u64, (found.key >> 64) as u64, 0],
            };
            asked.into_iter().for_each(|word| state.add(word));
            state.add(depth as u64);
        }
    }
}
