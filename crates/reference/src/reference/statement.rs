//! Statement execution: statements of a program go in, one at a time; what each does to the run
//! comes out, which options it offers, what follows when a block ends.

use crate::board::{Cell, CellSet, Player};
use crate::model::{BlockId, BranchId, Choice, Chooser, MAX_PLIES, MAX_ROUNDS, Number, Rounds, Slot, Statement};
use crate::position::{Fault, FaultKind, Value, Written};
use crate::source::Span;

use crate::reference::Machine;
use crate::reference::run::{BlockFrame, Goal, NO_FRAME, Opt, Record, Then};
use crate::reference::search::Flow;

impl<'g> Machine<'g, '_> {
    /// Goes on to the next statement of the block.
    pub fn next(&mut self) -> Result<Flow, Fault> {
        self.run.regs.at += 1;
        Ok(Flow::Go)
    }

    pub fn execute(&mut self, statement: &'g Statement) -> Result<Flow, Fault> {
        match statement {
            Statement::Pick { count, from, chooser, span, .. } => self.pick(*count, from, chooser, *span),
            Statement::Either { chooser, weights, blocks, span } => {
                self.place = *span;
                let (chooser, start) = (self.chooser(chooser)?, self.run.extent());
                match weights.as_slice() {
                    [] => self.run.options.extend((0..blocks.len() as u32).map(Opt::Block)),
                    weights => self.add_weighted(weights)?,
                }
                self.choose(chooser, start, true)
            }
            Statement::First { .. } => self.open_first(),
            Statement::Most { value, id, .. } => {
                let value = self.number(value)?;
                let scope = self.scope();
                self.run.records.push(Record { scope, id: *id, value });
                self.next()
            }
            Statement::Repeat { rounds, in_steps, span, .. } => self.open_repeat(rounds, *in_steps, *span),
            Statement::ForEach { from, .. } => self.open_for_each(from),
            Statement::If { condition, then, otherwise } => {
                let branch = if self.truth(condition)? { Some(*then) } else { *otherwise };
                match branch {
                    Some(branch) => self.enter_branch(branch),
                    None => self.next(),
                }
            }
            Statement::Need { condition, span } => {
                self.place = *span;
                if self.truth(condition)? { self.next() } else { Ok(Flow::Dead) }
            }
            Statement::Block(block) => {
                self.enter(*block, None);
                Ok(Flow::Go)
            }
            Statement::Assign { slot, value } => {
                let value = self.value(value)?;
                self.bind(*slot, value);
                self.next()
            }
            Statement::Pass => {
                self.run.regs.passed = true;
                self.write_word(Written::Pass)
            }
            Statement::Label(label) => {
                self.run.regs.at += 1;
                Ok(self.write_chosen(Written::Label(*label)))
            }
            Statement::Swap => self.write_word(Written::Swap),
            Statement::Again => {
                self.run.regs.again = true;
                self.next()
            }
            _ => self.act(statement),
        }
    }

    /// `pass` and `swap` belong to the ply before them, unless that is one of chance.
    fn write_word(&mut self, written: Written) -> Result<Flow, Fault> {
        if self.run.regs.is_chance() {
            let flow = self.begin_choice(Some(self.run.context.own))?;
            if flow != Flow::Go {
                return Ok(flow);
            }
        }
        self.run.regs.at += 1;
        Ok(self.write(written))
    }

    /// Carries out what was chosen from the options of the statement at hand.
    pub fn apply(&mut self, option: Opt) -> Result<Flow, Fault> {
        let (block, at) = (self.run.regs.block, self.run.regs.at as usize);
        let Some(statement) = self.game.block(block).get(at) else { return Ok(Flow::Dead) };
        match (statement, option) {
            (Statement::Pick { slot, count, .. }, _) => {
                let value = self.option_value(option);
                self.bind(*slot, value);
                self.run.regs.at += 1;
                if !self.run.regs.writes {
                    return Ok(Flow::Go);
                }
                let written = self.option_written(option, *count);
                Ok(self.write_chosen(written))
            }
            (Statement::Either { blocks, .. }, Opt::Block(index) | Opt::Weighted { block: index, .. }) => {
                // What chance chooses is written, by its label or its number: nothing else tells it apart.
                let block = blocks.get(index as usize).map_or(&[][..], |(block, _)| self.game.block(*block));
                let labelled = matches!(block, [Statement::Label(_), ..]);
                if self.run.regs.is_chance()
                    && !labelled
                    && self.write_chosen(Written::Number(i64::from(index) + 1)) != Flow::Go
                {
                    return Ok(Flow::Dead);
                }
                blocks.get(index as usize).map_or(Ok(Flow::Dead), |branch| self.enter_branch(*branch))
            }
            (Statement::Repeat { in_steps, .. }, Opt::Stop) => {
                self.close_repeat();
                self.run.regs.cut |= in_steps;
                let walks = matches!(self.run.goal, Goal::Plies | Goal::Now);
                Ok(if *in_steps && walks { self.write(Written::Stop) } else { Flow::Go })
            }
            (Statement::Repeat { span, .. }, Opt::Go) => self.another_round(*span),
            _ => self.act_on(statement, option),
        }
    }

    fn write_chosen(&mut self, written: Written) -> Flow {
        let by_chance = self.run.regs.is_chance();
        self.write(if by_chance { Written::Chance(Box::new(written)) } else { written })
    }

    // Blocks and what follows them.

    pub fn enter(&mut self, block: BlockId, first: Option<u64>) {
        self.push_frame(self.run.regs.frame, Then::Next { first }, false);
        self.run.regs.block = block;
        self.run.regs.at = 0;
    }

    fn enter_branch(&mut self, (block, branch): (BlockId, BranchId)) -> Result<Flow, Fault> {
        self.cover(branch);
        self.enter(block, None);
        Ok(Flow::Go)
    }

    /// What follows the block of the statement at hand.
    fn push_frame(&mut self, parent: u32, then: Then, silent: bool) {
        let silent = silent || self.run.frames.get(parent as usize).is_some_and(|frame| frame.silent);
        let regs = &mut self.run.regs;
        self.run.frames.push(BlockFrame { parent, block: regs.block, at: regs.at, then, silent });
        regs.frame = self.run.frames.len() as u32 - 1;
    }

    /// A block has ended.
    pub fn leave_block(&mut self) -> Result<Flow, Fault> {
        if self.run.regs.frame == NO_FRAME {
            return Ok(Flow::Complete);
        }
        let frame = self.run.frames[self.run.regs.frame as usize];
        self.run.regs.block = frame.block;
        self.run.regs.at = frame.at;
        match frame.then {
            Then::Next { .. } => {
                self.run.regs.frame = frame.parent;
                self.next()
            }
            Then::Round { .. } => self.end_round(),
            Then::Each { next, end } => {
                self.run.regs.frame = frame.parent;
                self.next_member(next, end)
            }
        }
    }

    /// The exploration of the nearest `first` around; 0 is the program.
    fn scope(&self) -> u64 {
        let mut at = self.run.regs.frame;
        while let Some(frame) = self.run.frames.get(at as usize) {
            if let Then::Next { first: Some(scope) } = frame.then {
                return scope;
            }
            at = frame.parent;
        }
        0
    }

    // Rounds.

    fn open_repeat(&mut self, rounds: &'g Rounds, in_steps: bool, span: Span) -> Result<Flow, Fault> {
        self.place = span;
        if let Rounds::While(condition) = rounds
            && !self.truth(condition)?
        {
            return self.next();
        }
        // A ply says something: a branch that leads here is chosen with the first step.
        self.run.regs.cut |= in_steps && self.visible().next().is_some();
        let parent = self.run.regs.frame;
        self.begin_round(1, parent)
    }

    fn begin_round(&mut self, rounds: u32, parent: u32) -> Result<Flow, Fault> {
        let Some(Statement::Repeat { silently, body, .. }) = self.statement() else { return Ok(Flow::Dead) };
        let from = self.run.written.len() as u32;
        self.push_frame(parent, Then::Round { rounds, from }, *silently);
        self.run.regs.block = *body;
        self.run.regs.at = 0;
        Ok(Flow::Go)
    }

    fn statement(&self) -> Option<&'g Statement> {
        self.game.block(self.run.regs.block).get(self.run.regs.at as usize)
    }

    /// After a round; the frame at hand is still the round's.
    fn end_round(&mut self) -> Result<Flow, Fault> {
        let Some(Statement::Repeat { rounds, in_steps, span, .. }) = self.statement() else { return Ok(Flow::Dead) };
        self.run.regs.cut |= in_steps;
        self.place = *span;
        match rounds {
            Rounds::Free => {
                let start = self.run.extent();
                self.run.options.extend([Opt::Stop, Opt::Go]);
                self.choose(Some(self.run.context.own), start, true)
            }
            Rounds::While(condition) if self.truth(condition)? => self.another_round(*span),
            Rounds::While(_) => {
                self.close_repeat();
                Ok(Flow::Go)
            }
        }
    }

    fn another_round(&mut self, span: Span) -> Result<Flow, Fault> {
        let frame = self.run.frames[self.run.regs.frame as usize];
        let Then::Round { rounds, from } = frame.then else { return Ok(Flow::Dead) };
        if rounds >= MAX_ROUNDS {
            return Err(Fault::new(FaultKind::Rounds, span));
        }
        let Some(Statement::Repeat { silently: true, rounds: kind, .. }) = self.statement() else {
            return self.begin_round(rounds + 1, frame.parent);
        };
        self.hide_from(from);
        let flow = self.begin_round(rounds + 1, frame.parent)?;
        // Rounds of `while` choose nothing between them, so one that comes back never ends.
        let is_free = matches!(kind, Rounds::Free);
        if is_free && self.comes_back()? { Ok(Flow::Dead) } else { Ok(flow) }
    }

    /// Behind the last round.
    fn close_repeat(&mut self) {
        self.run.regs.frame = self.run.frames[self.run.regs.frame as usize].parent;
        self.run.regs.at += 1;
    }

    fn hide_from(&mut self, from: u32) {
        for index in from as usize..self.run.written.len() {
            if !self.run.written[index].hidden {
                self.run.written[index].hidden = true;
                self.run.hidden.push(index as u32);
            }
        }
    }

    fn open_for_each(&mut self, from: &'g Choice) -> Result<Flow, Fault> {
        let start = self.run.options.len() as u32;
        self.add_options(from, 1)?;
        self.next_member(start, self.run.options.len() as u32)
    }

    fn next_member(&mut self, next: u32, end: u32) -> Result<Flow, Fault> {
        let Some(Statement::ForEach { slot, body, .. }) = self.statement() else { return Ok(Flow::Dead) };
        if next == end {
            return self.next();
        }
        let value = self.option_value(self.run.options[next as usize]);
        self.bind(*slot, value);
        self.push_frame(self.run.regs.frame, Then::Each { next: next + 1, end }, false);
        self.run.regs.block = *body;
        self.run.regs.at = 0;
        Ok(Flow::Go)
    }

    // Names and choices.

    /// Binds a local of the program; backtracking restores it.
    pub fn bind(&mut self, slot: Slot, value: Value) {
        let at = self.run.context.base + slot.0 as usize;
        let old = std::mem::replace(&mut self.run.locals[at], value);
        self.run.old_locals.push((at, old));
    }

    /// `None` is chance.
    fn chooser(&mut self, chooser: &'g Chooser) -> Result<Option<Player>, Fault> {
        let own = self.run.context.own;
        match chooser {
            Chooser::Turn => Ok(Some(own)),
            Chooser::By(players) => Ok(Some(self.players(players)?.min().unwrap_or(own))),
            Chooser::Chance => Ok(None),
        }
    }

    /// Adds the blocks of an `either` that have a weight.
    fn add_weighted(&mut self, weights: &'g [Number]) -> Result<(), Fault> {
        let weights = weights.iter().map(|weight| self.number(weight)).collect::<Result<Vec<_>, _>>()?;
        let weights = weights.into_iter().map(|weight| u64::try_from(weight).unwrap_or(0));
        let sum = weights.clone().try_fold(0_u64, u64::checked_add);
        let of = sum.ok_or_else(|| Fault::new(FaultKind::Overflow, self.place))?;
        let weighted = (0..).zip(weights).filter(|(_, weight)| *weight > 0);
        self.run.options.extend(weighted.map(|(block, weight)| Opt::Weighted { block, weight, of }));
        Ok(())
    }

    fn pick(&mut self, count: u32, from: &'g Choice, chooser: &'g Chooser, span: Span) -> Result<Flow, Fault> {
        self.place = span;
        let (chooser, start) = (self.chooser(chooser)?, self.run.extent());
        self.add_options(from, count)?;
        let only = self.run.options.len() - start.options == 1;
        let is_other = chooser.is_some_and(|chooser| chooser != self.run.context.own);
        let tacit = only && chooser.is_some() && (is_other || matches!(from, Choice::Groups(_)));
        self.choose(chooser, start, !tacit)
    }

    /// Adds the members of what is picked from to the options.
    fn add_options(&mut self, from: &'g Choice, count: u32) -> Result<(), Fault> {
        match from {
            Choice::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                if to.saturating_sub(from) > MAX_PLIES as i64 {
                    return Err(Fault::new(FaultKind::Plies, self.place));
                }
                self.run.options.extend((from..=to).map(Opt::Number));
            }
            Choice::Cells(cells) if count == 1 => {
                let cells = self.cells(cells)?;
                self.run.options.extend(cells.iter().map(Opt::Cell));
            }
            Choice::Cells(cells) => {
                let cells: Vec<Cell> = self.cells(cells)?.iter().collect();
                self.add_combinations(&cells, count as usize)?;
            }
            Choice::Groups(groups) => {
                for group in self.groups(groups)? {
                    self.add_set(group);
                }
            }
            Choice::Dirs(dirs) => {
                let dirs = self.dirs(dirs)?;
                self.run.options.extend(dirs.iter().map(Opt::Dir));
            }
            Choice::Axes(axes) => {
                let axes = self.axes(axes)?;
                self.run.options.extend(axes.iter().map(Opt::Axis));
            }
        }
        Ok(())
    }

    fn add_set(&mut self, set: CellSet) {
        self.run.options.push(Opt::Set(self.run.sets.len() as u32));
        self.run.sets.push(set);
    }

    /// All sets of `count` cells, in the order of their first cells, then of their second, ...
    fn add_combinations(&mut self, cells: &[Cell], count: usize) -> Result<(), Fault> {
        if count > cells.len() {
            return Ok(());
        }
        let mut chosen: Vec<usize> = (0..count).collect();
        let first = self.run.options.len();
        loop {
            self.add_set(chosen.iter().map(|&index| cells[index]).collect());
            if self.run.options.len() - first > MAX_PLIES {
                return Err(Fault::new(FaultKind::Plies, self.place));
            }
            // The last index that can still grow does, and those behind it follow closely.
            let Some(grows) = (0..count).rev().find(|&i| chosen[i] < cells.len() - count + i) else { return Ok(()) };
            let value = chosen[grows] + 1;
            for (i, index) in chosen[grows..].iter_mut().enumerate() {
                *index = value + i;
            }
        }
    }

    fn option_value(&self, option: Opt) -> Value {
        match option {
            Opt::Number(number) => Value::Number(number),
            Opt::Cell(cell) => Value::Cells(CellSet::one(cell)),
            Opt::Set(set) => Value::Cells(self.run.sets[set as usize]),
            Opt::Dir(dir) => Value::Dirs(crate::board::DirSet::one(dir)),
            Opt::Axis(axis) => Value::Axes(crate::board::AxisSet::one(axis)),
            Opt::Block(_) | Opt::Weighted { .. } | Opt::Match(_) | Opt::Of(_) | Opt::Kind(_) | Opt::Stop | Opt::Go => {
                Value::Truth(false)
            }
        }
    }

    fn option_written(&self, option: Opt, count: u32) -> Written {
        match option {
            Opt::Number(number) => Written::Number(number),
            Opt::Cell(cell) => Written::Cell(cell),
            Opt::Set(set) if count > 1 => Written::Combination(Box::new(self.run.sets[set as usize])),
            Opt::Set(set) => Written::Group(Box::new(self.run.sets[set as usize])),
            Opt::Dir(dir) => Written::Dir(dir),
            Opt::Axis(axis) => Written::Axis(axis),
            Opt::Kind(kind) => Written::Kind(kind),
            Opt::Block(_) | Opt::Weighted { .. } | Opt::Match(_) | Opt::Of(_) | Opt::Stop | Opt::Go => Written::Stop,
        }
    }
}
