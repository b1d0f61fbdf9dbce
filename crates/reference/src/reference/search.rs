//! Depth-first search: a program and a goal go in; its runs come out, without recursion, each
//! choice undone through one trail.

use rand::RngExt;

use crate::board::Player;
use crate::model::{MAX_PLIES, Program, Statement};
use crate::position::{Fault, FaultKind, MAX_WORK, Mixer, Probability, Step, Written};
use crate::source::{SourceId, Span};

use crate::reference::run::{
    Alternatives, ChoicePoint, Extent, Found, Goal, Keep, Opt, Record, Registers, Saved, Token,
};
use crate::reference::{Machine, Ply};

/// Steps of work for each choice that is written of a ply that is listed. With 8, what a listing
/// keeps stays below a hundred megabytes.
const WORK_OF_A_TOKEN: u64 = 8;

/// Where a run stands after a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Go,
    /// The run ends without completing.
    Dead,
    Complete,
    /// The goal is reached.
    Stop,
}

/// Behind what a ply is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// The turn is over.
    Turn,
    /// Chance chooses next.
    Chance,
    /// Within the turn, this player chooses next.
    Player(Player),
}

impl<'g> Machine<'g, '_> {
    pub fn work(&mut self, amount: u64) -> Result<(), Fault> {
        self.worked += amount;
        if self.worked > MAX_WORK { Err(Fault::new(FaultKind::Work, self.place_of_author())) } else { Ok(()) }
    }

    /// Where the run is, in the author's own text: in the prelude nobody can mend anything.
    pub fn place_of_author(&self) -> Span {
        if self.place.source == SourceId::PRELUDE {
            crate::reference::program(self.game, self.position).span
        } else {
            self.place
        }
    }

    /// Explores the runs of a program for a player until the goal is reached (`true`) or there are
    /// no more. With goals that look for one run the position stays as the run left it; with the
    /// others it is as before. After a fault the caller undoes.
    pub fn explore(&mut self, program: Program, own: Player, goal: Goal, number: u64) -> Result<bool, Fault> {
        self.run.clear();
        self.run.goal = goal;
        self.settle();
        self.run.context.own = own;
        self.run.context.began = self.position.pieces_hash();
        self.run.regs = Registers::new(program.block, number);
        self.run.locals.resize(program.frame, crate::position::Value::Truth(false));
        stacker::maybe_grow(1 << 20, 4 << 20, || self.explore_runs())
    }

    /// Plies begun that chance stands beside are not looked for again: the run follows their path.
    fn settle(&mut self) {
        if self.run.goal == Goal::Replay {
            return;
        }
        let begun = self.position.begun();
        let Some(last) = begun.iter().rposition(|step| step.path.is_some()) else { return };
        self.run.settled_plies = last as u32 + 1;
        self.run.settled.extend(begun[last].path.iter().flatten());
    }

    fn explore_runs(&mut self) -> Result<bool, Fault> {
        let mut flow = Flow::Go;
        loop {
            flow = match flow {
                Flow::Go => self.step()?,
                Flow::Complete => self.complete()?,
                Flow::Stop => return Ok(true),
                Flow::Dead => match self.backtrack()? {
                    Some(flow) => flow,
                    None => break,
                },
            };
        }
        if self.game.asks.most {
            self.keep_greatest(0, 0);
            self.count_kept()?;
        }
        Ok(false)
    }

    fn step(&mut self) -> Result<Flow, Fault> {
        let (block, at) = (self.run.regs.block, self.run.regs.at as usize);
        let step = self.work(1).and_then(|()| match self.game.block(block).get(at) {
            Some(statement) if self.observer.is_some() => self.execute_observed(statement),
            Some(statement) => self.execute(statement),
            None => self.leave_block(),
        });
        step.map_err(|fault| fault.called_at(self.game.call_around(block)))
    }

    fn save(&self, regs: Registers, extent: Extent) -> Saved {
        Saved {
            regs,
            mark: self.position.mark(),
            extent,
            locals: self.run.old_locals.len(),
            words: self.run.old_words.len(),
            frames: self.run.frames.len(),
            written: self.run.written.len(),
            hidden: self.run.hidden.len(),
            path: self.run.path.len(),
            records: self.run.records.len(),
            steps: self.run.steps.len(),
        }
    }

    fn restore(&mut self, saved: &Saved) {
        let run = &mut *self.run;
        self.position.undo_to(saved.mark);
        while run.old_locals.len() > saved.locals
            && let Some((at, value)) = run.old_locals.pop()
        {
            run.locals[at] = value;
        }
        if let Some(&words) = run.old_words.get(saved.words) {
            run.words = words;
            run.old_words.truncate(saved.words);
        }
        for index in run.hidden.drain(saved.hidden..) {
            if let Some(token) = run.written.get_mut(index as usize) {
                token.hidden = false;
            }
        }
        run.frames.truncate(saved.frames);
        run.written.truncate(saved.written);
        run.path.truncate(saved.path);
        run.records.truncate(saved.records);
        run.steps.truncate(saved.steps);
        run.cut_back(saved.extent);
        run.regs = saved.regs;
    }

    /// Offers the options that stand behind `start` to a chooser, `None` being chance. `counts`: it is a choice, which
    /// is written and part of a ply.
    pub fn choose(&mut self, chooser: Option<Player>, start: Extent, counts: bool) -> Result<Flow, Fault> {
        let offered = self.run.options.len() - start.options;
        self.work(offered as u64)?;
        if offered == 0 {
            return Ok(Flow::Dead);
        }
        if offered > MAX_PLIES {
            return Err(Fault::new(FaultKind::Plies, self.place));
        }
        self.run.regs.writes = counts;
        if counts {
            let flow = self.begin_choice(chooser)?;
            if flow != Flow::Go {
                return Ok(flow);
            }
        }
        self.offer(start)
    }

    /// A choice that counts comes next: the ply before it ends, if it is another's.
    pub fn begin_choice(&mut self, chooser: Option<Player>) -> Result<Flow, Fault> {
        let regs = &self.run.regs;
        let (begun, before) = (regs.choices > 0, regs.chooser);
        let flow = match (before, chooser) {
            (None, None) if begun => Flow::Go,
            (None, Some(next)) if begun => self.end_chance(next)?,
            (_, None) if begun || self.visible().next().is_some() => self.reach_chance()?,
            (_, Some(next)) if begun && (regs.cut || before != chooser) => self.end_ply(next)?,
            _ => Flow::Go,
        };
        if flow != Flow::Go {
            return Ok(flow);
        }
        if chooser.is_none() {
            let flow = self.chance_chooses();
            if flow != Flow::Go {
                return Ok(flow);
            }
        }
        let regs = &mut self.run.regs;
        (regs.choices, regs.chooser, regs.cut) = (regs.choices + 1, chooser, false);
        Ok(Flow::Go)
    }

    /// A player's part of the turn ends before a choice by chance: the run is complete there, for
    /// what chance chooses is not foreseen.
    fn reach_chance(&mut self) -> Result<Flow, Fault> {
        self.run.completed += 1;
        let (regs, begun) = (self.run.regs, self.position.begun().len());
        if regs.plies < self.run.settled_plies {
            return Ok(self.leave_settled());
        }
        match self.run.goal {
            Goal::Exists | Goal::ExistsActing => Ok(Flow::Stop),
            Goal::Replay | Goal::Drawn | Goal::Numbered => {
                self.next_ply();
                Ok(Flow::Go)
            }
            Goal::Now => Ok(Flow::Dead),
            Goal::Every => Ok(self.complete_observed()),
            Goal::Turns => self.list_run(Ending::Chance),
            Goal::Plies if self.game.asks.most => self.list_run(Ending::Chance),
            Goal::Plies => match regs.confirms {
                Some(boundary) => self.confirm(boundary as usize),
                None if regs.agrees && regs.plies as usize == begun => self.list_run(Ending::Chance),
                None => Ok(Flow::Dead),
            },
        }
    }

    /// Chance has made its choices, and a player chooses next.
    fn end_chance(&mut self, next: Player) -> Result<Flow, Fault> {
        if self.run.regs.plies < self.run.settled_plies {
            return Ok(self.leave_settled());
        }
        match self.run.goal {
            Goal::Every => {
                self.run.completed += 1;
                Ok(self.complete_observed())
            }
            Goal::Turns | Goal::Plies => {
                self.run.completed += 1;
                self.list_run(Ending::Player(next))
            }
            _ => {
                self.next_ply();
                Ok(Flow::Go)
            }
        }
    }

    /// Whether what chance chooses here is to be gone through.
    fn chance_chooses(&mut self) -> Flow {
        let (regs, begun) = (self.run.regs, self.position.begun().len());
        self.run.chance_at = self.place;
        if regs.plies < self.run.settled_plies {
            return Flow::Go;
        }
        let is_first = !regs.is_chance();
        match self.run.goal {
            Goal::Exists | Goal::ExistsActing => {
                self.run.chance_first = is_first && begun == 0 && regs.plies == 0;
                self.run.completed += 1;
                Flow::Stop
            }
            Goal::Now => Flow::Stop,
            Goal::Plies if !regs.agrees || regs.plies as usize != begun => {
                self.run.completed += 1;
                Flow::Dead
            }
            _ => Flow::Go,
        }
    }

    /// Behind a ply that is settled.
    fn leave_settled(&mut self) -> Flow {
        let is_last = self.run.regs.plies as usize + 1 == self.position.begun().len();
        if is_last && self.run.goal == Goal::Now {
            return Flow::Stop;
        }
        if self.game.asks.most {
            let step = self.step_made(None);
            self.run.steps.push(step);
        }
        self.next_ply();
        Flow::Go
    }

    /// Counts and words of the ply that begins beside a choice by chance.
    fn next_ply(&mut self) {
        let regs = &mut self.run.regs;
        regs.chance_plies += u32::from(regs.is_chance());
        (regs.plies, regs.choices, regs.cut, regs.probability) = (regs.plies + 1, 0, false, Probability::ONE);
        regs.ply_from = self.run.written.len() as u32;
        self.save_words();
        self.run.words.caught_in_ply = crate::board::CellSet::EMPTY;
    }

    /// Takes the first of the options, and leaves the others to come back to; or the one that the
    /// goal asks for.
    fn offer(&mut self, start: Extent) -> Result<Flow, Fault> {
        let offered = self.run.options.len() - start.options;
        let only = match self.run.goal {
            Goal::Replay => Some(self.run.replay.get(self.run.path.len()).map_or(offered, |&index| index as usize)),
            Goal::Numbered => Some(self.digit(offered)),
            Goal::Drawn => {
                self.shuffle(start.options);
                None
            }
            _ => self.run.settled.get(self.run.path.len()).map(|&index| index as usize),
        };
        if offered == 1 || only.is_some() {
            let index = only.unwrap_or(0);
            if index >= offered {
                return Ok(Flow::Dead);
            }
            let flow = self.take(index as u32, self.run.options[start.options + index], offered)?;
            self.run.cut_back(start);
            return Ok(flow);
        }
        let (first, end) = (start.options as u32, self.run.options.len() as u32);
        let saved = self.save(self.run.regs, self.run.extent());
        self.run
            .choices
            .push(ChoicePoint { alternatives: Alternatives::Options { first, next: first + 1, end }, saved });
        self.take(0, self.run.options[start.options], offered)
    }

    /// The index that a set-up's number gives to a choice of so many.
    fn digit(&mut self, offered: usize) -> usize {
        let regs = &mut self.run.regs;
        let index = regs.number % offered as u64;
        regs.number /= offered as u64;
        regs.numbers = regs.numbers.saturating_mul(offered as u64);
        index as usize
    }

    fn shuffle(&mut self, from: usize) {
        let Some(rng) = &mut self.rng else { return };
        let options = &mut self.run.options[from..];
        for i in 0..options.len() {
            let other = rng.random_range(i..options.len());
            options.swap(i, other);
        }
    }

    /// Takes one of so many options.
    fn take(&mut self, index: u32, option: Opt, offered: usize) -> Result<Flow, Fault> {
        let by_chance = self.run.regs.writes && self.run.regs.is_chance();
        if by_chance {
            self.take_by_chance(option, offered)?;
        }
        self.run.path.push(index);
        if by_chance {
            self.run.regs.chance_path = self.run.path.len() as u32;
        }
        let (block, at) = (self.run.regs.block, self.run.regs.at);
        let applied = if self.observer.is_some() { self.apply_observed(option, block, at) } else { self.apply(option) };
        applied.map_err(|fault| fault.called_at(self.game.call_around(block)))
    }

    /// Chance takes an option: how likely that is, and that something must be found behind it.
    fn take_by_chance(&mut self, option: Opt, offered: usize) -> Result<(), Fault> {
        let (weight, of) = match option {
            Opt::Weighted { weight, of, .. } => (weight, of),
            _ => (1, offered as u64),
        };
        let both = self.run.regs.probability.and(weight, of);
        self.run.regs.probability = both.ok_or_else(|| Fault::new(FaultKind::Overflow, self.place))?;
        let is_listed = matches!(self.run.goal, Goal::Turns | Goal::Plies);
        if is_listed && self.run.regs.plies >= self.run.settled_plies {
            let saved = self.save(self.run.regs, self.run.extent());
            let completed = self.run.completed;
            self.run.choices.push(ChoicePoint { alternatives: Alternatives::Chosen { completed }, saved });
        }
        Ok(())
    }

    /// Goes back to the latest choice with something left to try. `None`: there is none.
    fn backtrack(&mut self) -> Result<Option<Flow>, Fault> {
        while let Some(mut choice) = self.run.choices.pop() {
            self.work(1)?;
            self.restore(&choice.saved);
            let flow = match &mut choice.alternatives {
                Alternatives::Boundary(_) => continue,
                Alternatives::Chosen { completed } if *completed == self.run.completed => {
                    return Err(self.nothing_behind_chance());
                }
                Alternatives::Chosen { .. } => continue,
                Alternatives::Options { first, next, end } => {
                    let (at, last, offered) = (*next, *next + 1 == *end, (*end - *first) as usize);
                    *next += 1;
                    let index = at - *first;
                    if !last {
                        self.run.choices.push(choice);
                    }
                    self.take(index, self.run.options[at as usize], offered)?
                }
                Alternatives::Blocks { next, completed, found, scope } => {
                    let (at, scope, first_found) = (*next, *scope, *found);
                    let done = self.run.completed > *completed && self.run.goal != Goal::Every;
                    *next += 1;
                    match self.first_block(at).filter(|_| !done) {
                        Some(_) => {
                            self.run.choices.push(choice);
                            self.enter_first(at, scope)
                        }
                        None => {
                            self.keep_greatest(scope, first_found);
                            continue;
                        }
                    }
                }
            };
            return Ok(Some(flow));
        }
        Ok(None)
    }

    /// Some `first` has blocks left that a run from here on may forbid.
    fn some_first_waits(&self) -> bool {
        let completed = self.run.completed;
        self.run
            .choices
            .iter()
            .any(|choice| matches!(choice.alternatives, Alternatives::Blocks { completed: c, .. } if c == completed))
    }

    /// This run is not one with the plies begun: it lives on only if a `first` has to know whether
    /// it can be completed.
    fn disagree(&mut self) -> Flow {
        self.run.regs.agrees = false;
        if self.some_first_waits() { Flow::Go } else { Flow::Dead }
    }

    /// Adds a written choice; where plies have been begun, the run must agree with them.
    pub fn write(&mut self, written: Written) -> Flow {
        let regs = &self.run.regs;
        let guided = matches!(self.run.goal, Goal::Plies | Goal::Now)
            && regs.agrees
            && !self.is_silent()
            && !self.game.asks.most;
        let mut flow = Flow::Go;
        if guided && let Some(step) = self.position.begun().get(regs.plies as usize) {
            let before = self.visible().count();
            if step.written.get(before) != Some(&written) {
                flow = self.disagree();
            }
        }
        self.run.written.push(Token { written, hidden: false });
        flow
    }

    /// What the present ply has written.
    pub fn visible(&self) -> impl Iterator<Item = &Written> {
        let from = self.run.regs.ply_from as usize;
        self.run.written[from..].iter().filter(|token| !token.hidden).map(|token| &token.written)
    }

    fn is_silent(&self) -> bool {
        self.run.frames.get(self.run.regs.frame as usize).is_some_and(|frame| frame.silent)
    }

    /// The present ply ends before a choice of `next`.
    fn end_ply(&mut self, next: Player) -> Result<Flow, Fault> {
        let flow = match self.run.goal {
            Goal::Plies if self.game.asks.most => {
                let step = self.step_made(Some(next));
                self.run.steps.push(step);
                Flow::Go
            }
            Goal::Plies | Goal::Now if self.run.regs.agrees && self.run.regs.confirms.is_none() => {
                self.compare_ply(next)?
            }
            _ => Flow::Go,
        };
        if flow == Flow::Go {
            let regs = &mut self.run.regs;
            (regs.plies, regs.choices, regs.cut) = (regs.plies + 1, 0, false);
            // Whole turns are written from their beginning.
            if matches!(self.run.goal, Goal::Plies | Goal::Now) {
                regs.ply_from = self.run.written.len() as u32;
                self.save_words();
                self.run.words.caught_in_ply = crate::board::CellSet::EMPTY;
            }
        }
        Ok(flow)
    }

    fn step_made(&self, next: Option<Player>) -> Step {
        let written = self.visible().cloned().collect();
        Step { written, fingerprint: self.position.fingerprint(), next, path: None }
    }

    /// A ply within the turn is complete: one of those begun, or one to be listed.
    fn compare_ply(&mut self, next: Player) -> Result<Flow, Fault> {
        let begun = self.position.begun();
        let Some(step) = begun.get(self.run.regs.plies as usize) else { return self.list_beginning(next) };
        let agrees = self.visible().eq(&step.written) && self.position.fingerprint() == step.fingerprint;
        let last = self.run.regs.plies as usize + 1 == begun.len();
        Ok(match (agrees, last && self.run.goal == Goal::Now) {
            (true, true) => Flow::Stop,
            (true, false) => Flow::Go,
            (false, _) => self.disagree(),
        })
    }

    /// A ply that does not end the turn has been found: it is listed when the run turns out to be
    /// completable.
    fn list_beginning(&mut self, next: Player) -> Result<Flow, Fault> {
        let fingerprint = self.position.fingerprint();
        let found = self.found_ply(fingerprint, Ending::Player(next), Some(next), false);
        if self.run.seen.contains(&found.key) && !self.some_first_waits() {
            return Ok(Flow::Dead);
        }
        let saved = self.save(self.run.regs, self.run.extent());
        self.run.choices.push(ChoicePoint { alternatives: Alternatives::Boundary(Box::new(found)), saved });
        self.run.regs.confirms = Some(self.run.choices.len() as u32 - 1);
        Ok(Flow::Go)
    }

    /// The present ply with its key.
    fn found_ply(&self, fingerprint: u128, ending: Ending, next: Option<Player>, keeps_path: bool) -> Found {
        let ends_turn = ending == Ending::Turn;
        let key = self.key(fingerprint, ends_turn);
        let keep = self.run.keep == Keep::Plies;
        let regs = &self.run.regs;
        let length = match ending {
            Ending::Turn | Ending::Chance => self.run.path.len(),
            Ending::Player(_) => regs.chance_path as usize,
        };
        let ply = Ply {
            written: if keep { self.visible().cloned().collect() } else { Vec::new() },
            ends_turn,
            caught: self.run.words.caught_in_ply,
            fingerprint,
            next,
            probability: regs.is_chance().then_some(regs.probability),
            is_chosen: regs.is_chosen(),
            path: (keep && keeps_path).then(|| self.run.path[..length].into()),
        };
        Found { ply, key, records: Default::default() }
    }

    /// What tells a ply from others: what is written and what comes of it.
    fn key(&self, fingerprint: u128, ends_turn: bool) -> u128 {
        if self.run.keep == Keep::Results && ends_turn {
            return fingerprint;
        }
        let mut mixer = Mixer::default();
        mixer.add_wide(fingerprint);
        mixer.add(u64::from(ends_turn));
        self.visible().for_each(|written| mixer.add_written(written));
        mixer.finish()
    }

    /// The program has ended.
    fn complete(&mut self) -> Result<Flow, Fault> {
        // A player's choice was to follow what chance chose, and another block of a `first` has taken its place.
        if self.run.regs.plies < self.run.settled_plies && self.leave_settled() == Flow::Stop {
            return Ok(Flow::Stop);
        }
        let regs = self.run.regs;
        self.run.completed += 1;
        match self.run.goal {
            Goal::Exists | Goal::Drawn | Goal::Numbered => Ok(Flow::Stop),
            Goal::Replay => {
                self.complete_observed();
                Ok(Flow::Stop)
            }
            Goal::ExistsActing => Ok(if regs.passed && !regs.acted { Flow::Dead } else { Flow::Stop }),
            Goal::Now => Ok(Flow::Dead),
            Goal::Every => Ok(self.complete_observed()),
            Goal::Turns => self.list_run(Ending::Turn),
            Goal::Plies if self.game.asks.most => self.list_run(Ending::Turn),
            Goal::Plies => match regs.confirms {
                Some(boundary) => self.confirm(boundary as usize),
                None if regs.agrees && regs.plies as usize == self.position.begun().len() => {
                    self.list_run(Ending::Turn)
                }
                None => Ok(Flow::Dead),
            },
        }
    }

    /// The run that was to show that a ply can be completed is complete: the ply is listed, and the
    /// rest of its runs let be.
    fn confirm(&mut self, boundary: usize) -> Result<Flow, Fault> {
        self.run.choices.truncate(boundary + 1);
        if let Some(ChoicePoint { alternatives: Alternatives::Boundary(found), .. }) = self.run.choices.pop() {
            self.admit(*found)?;
        }
        Ok(Flow::Dead)
    }

    /// Lists a run that is complete: up to the end of the turn, or to where chance chooses or has
    /// chosen.
    fn list_run(&mut self, ending: Ending) -> Result<Flow, Fault> {
        let mark = self.position.mark();
        let next = match ending {
            Ending::Turn => {
                self.pass_turn();
                Some(self.position.to_move())
            }
            Ending::Chance => None,
            Ending::Player(next) => Some(next),
        };
        let fingerprint = self.position.fingerprint();
        self.position.undo_to(mark);
        if !self.game.asks.most {
            if self.run.keep == Keep::Plies {
                let found = self.found_ply(fingerprint, ending, next, true);
                self.admit(found)?;
            } else {
                self.admit_key(self.key(fingerprint, ending == Ending::Turn))?;
            }
            return Ok(Flow::Dead);
        }
        let found = if self.run.goal == Goal::Plies {
            self.prefix_of_run(fingerprint, ending, next)
        } else {
            Some(self.found_ply(fingerprint, ending, next, true))
        };
        if let Some(mut found) = found {
            found.records = self.run.records.iter().copied().collect();
            self.keep(found)?;
            if self.run.found.len() > MAX_PLIES {
                return Err(Fault::new(FaultKind::Plies, self.place));
            }
        }
        Ok(Flow::Dead)
    }

    /// Of a complete run the ply that follows those begun; a run that does not begin so counts for
    /// `most` all the same.
    fn prefix_of_run(&self, fingerprint: u128, ending: Ending, next: Option<Player>) -> Option<Found> {
        let begun = self.position.begun();
        let agrees = self.run.steps.len() >= begun.len()
            && self.run.steps.iter().zip(begun).all(|(a, b)| a.written == b.written && a.fingerprint == b.fingerprint);
        let mut found = self.found_ply(fingerprint, ending, next, true);
        if !agrees {
            found.key = 0;
        } else if let Some(step) = self.run.steps.get(begun.len()) {
            let mut mixer = Mixer::default();
            mixer.add_wide(step.fingerprint);
            step.written.iter().for_each(|written| mixer.add_written(written));
            found.key = mixer.finish();
            found.ply.written.clone_from(&step.written);
            (found.ply.ends_turn, found.ply.fingerprint, found.ply.next) = (false, step.fingerprint, step.next);
            (found.ply.is_chosen, found.ply.path) = (true, None);
        }
        Some(found)
    }

    /// Lists a ply unless it is listed already.
    fn admit(&mut self, found: Found) -> Result<(), Fault> {
        if self.admit_key(found.key)? && self.run.keep == Keep::Plies {
            self.keep(found)?;
        }
        Ok(())
    }

    /// What is kept takes memory, by what is written of it: that is work too.
    fn keep(&mut self, found: Found) -> Result<(), Fault> {
        self.work(WORK_OF_A_TOKEN * found.ply.written.len() as u64)?;
        self.run.found.push(found);
        Ok(())
    }

    fn admit_key(&mut self, key: u128) -> Result<bool, Fault> {
        let new = self.run.seen.insert(key);
        self.run.count += u64::from(new);
        if self.run.count as usize > MAX_PLIES {
            return Err(Fault::new(FaultKind::Plies, self.place));
        }
        Ok(new)
    }

    /// Of the runs found since a scope began, those that a `most` line of it has compared stay only
    /// if theirs is the greatest value.
    fn keep_greatest(&mut self, scope: u64, from: usize) {
        if !self.game.asks.most {
            return;
        }
        let said = |found: &Found, id: u16| {
            let records: &[Record] = &found.records;
            records.iter().rev().find(|record| record.scope == scope && record.id == id).map(|record| record.value)
        };
        let found = &mut self.run.found;
        let mut ids: Vec<u16> =
            found[from..].iter().flat_map(|run| &run.records).filter(|r| r.scope == scope).map(|r| r.id).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let greatest = found[from..].iter().filter_map(|run| said(run, id)).max();
            let mut index = 0;
            found.retain(|run| {
                index += 1;
                index <= from || said(run, id).is_none_or(|value| Some(value) == greatest)
            });
        }
    }

    /// Runs of games with `most` are told apart only when it is known which stay.
    fn count_kept(&mut self) -> Result<(), Fault> {
        for found in std::mem::take(&mut self.run.found) {
            // Key 0 marks runs that do not begin with the plies begun.
            if found.key != 0 {
                self.admit(found)?;
            }
        }
        Ok(())
    }

    /// What begins with the statement at hand, for a `first`: one of its blocks.
    fn first_block(&self, index: u32) -> Option<(crate::model::BlockId, crate::model::BranchId)> {
        let regs = &self.run.regs;
        match self.game.block(regs.block).get(regs.at as usize) {
            Some(Statement::First { blocks, .. }) => blocks.get(index as usize).copied(),
            _ => None,
        }
    }

    /// Begins to explore a `first`: its blocks in order.
    pub fn open_first(&mut self) -> Result<Flow, Fault> {
        self.run.scopes += 1;
        let scope = self.run.scopes;
        let index = match self.run.goal {
            Goal::Replay => Some(self.run.replay.get(self.run.path.len()).copied().unwrap_or(0)),
            _ => self.run.settled.get(self.run.path.len()).copied(),
        };
        if let Some(index) = index {
            return Ok(self.enter_first(index, scope));
        }
        let saved = self.save(self.run.regs, self.run.extent());
        let (completed, found) = (self.run.completed, self.run.found.len());
        self.run
            .choices
            .push(ChoicePoint { alternatives: Alternatives::Blocks { next: 1, completed, found, scope }, saved });
        Ok(self.enter_first(0, scope))
    }

    fn enter_first(&mut self, index: u32, scope: u64) -> Flow {
        let Some((block, branch)) = self.first_block(index) else { return Flow::Dead };
        self.run.path.push(index);
        self.cover(branch);
        self.enter(block, Some(scope));
        Flow::Go
    }
}
