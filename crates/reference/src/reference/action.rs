//! Actions: statements on men, hands and remembered values go in; the position comes out changed.

use smallvec::SmallVec;

use crate::board::{Cell, CellSet, DirSet, Kind, Player};
use crate::model;
use crate::model::{Captures, Cells, Landing, Number, Place, Removal, Statement};
use crate::position::{Fault, FaultKind, MAX_HEIGHT, Man, Value, Written, most_men};
use crate::source::Span;

use crate::reference::Machine;
use crate::reference::run::{Goal, Match, Opt};
use crate::reference::search::Flow;

/// All men of a stack.
const WHOLE: usize = usize::MAX;

impl<'g> Machine<'g, '_> {
    /// Does what the statement does, or offers its options.
    pub fn act(&mut self, statement: &'g Statement) -> Result<Flow, Fault> {
        match statement {
            Statement::Remember { state, of, value, span } => {
                self.place = *span;
                let mut value = self.value(value)?;
                // In a set-up men may be placed later.
                if !matches!(self.run.goal, Goal::Drawn | Goal::Numbered) {
                    value = self.position.of_men(state.0 as usize, value);
                }
                let own = self.run.context.own;
                match of {
                    Some(players) => {
                        for player in self.players(players)?.iter() {
                            self.position.remember(*state, player, value.clone());
                        }
                    }
                    None => self.position.remember(*state, own, value),
                }
                self.next()
            }
            Statement::Move { amount, who, landing, span, .. } => {
                self.place = *span;
                self.offer_moves(amount.as_ref(), who, landing)
            }
            Statement::Place { place, span } => {
                self.place = *span;
                self.offer_men(place, *span)
            }
            Statement::Remove { what, from, to_hand, span } => {
                self.place = *span;
                let from = self.cells(from)?;
                self.remove(what, &from, *to_hand)
            }
            Statement::Flip { cells, .. } => {
                let cells = self.cells(cells)?;
                self.flip(&cells)
            }
            Statement::Promote { who, kinds, .. } => self.offer_promotions(who, kinds),
            Statement::Mirror { span } => self.give_to_others(false, *span),
            Statement::Rotate { span } => self.give_to_others(true, *span),
            Statement::Picture { picture, span } => self.draw(picture, *span),
            _ => self.next(),
        }
    }

    /// Carries out what was chosen.
    pub fn act_on(&mut self, statement: &'g Statement, option: Opt) -> Result<Flow, Fault> {
        match (statement, option) {
            (Statement::Move { span, .. }, Opt::Match(index)) => {
                let found = self.run.matches[index as usize].clone();
                self.play_match(statement, &found, *span)
            }
            (Statement::Move { who, .. }, Opt::Cell(to)) => {
                let Some(from) = self.cells(who)?.single() else { return Ok(Flow::Dead) };
                if self.write(Written::Landing { cell: to, captures: false, sign: None }) == Flow::Dead {
                    return Ok(Flow::Dead);
                }
                self.move_to(statement, from, to)
            }
            (Statement::Place { place, span }, Opt::Of(index)) => self.place_chosen(place, index as usize, *span),
            (Statement::Promote { who, .. }, Opt::Kind(kind)) => {
                let who = self.cells(who)?;
                if self.write(Written::Promotion(kind)) == Flow::Dead {
                    return Ok(Flow::Dead);
                }
                self.promote(&who, kind)
            }
            _ => Ok(Flow::Dead),
        }
    }

    /// Keeps the words for backtracking, before they change.
    pub fn save_words(&mut self) {
        self.run.old_words.push(self.run.words);
    }

    fn two_men(&self, cell: Cell, span: Span) -> Fault {
        Fault::new(FaultKind::TwoMen(cell), span)
    }

    /// So many more men may stand on each of the cells, where men stand on each other.
    pub fn expect_room(&self, cells: &CellSet, more: usize, span: Span) -> Result<(), Fault> {
        if !self.game.stacks {
            return Ok(());
        }
        let most = most_men(self.game.topology.len());
        let is_high = |cell: Cell| self.position.men(cell).len() + more > MAX_HEIGHT;
        if cells.iter().any(is_high) || self.position.count_men() + cells.len() * more > most {
            return Err(Fault::new(FaultKind::Men(most), span));
        }
        Ok(())
    }

    /// A part of a stack may come onto another.
    fn expect_low(&self, (from, to): (Cell, Cell), amount: usize, span: Span) -> Result<(), Fault> {
        if self.position.men(from).len().min(amount) + self.position.men(to).len() > MAX_HEIGHT {
            return Err(Fault::new(FaultKind::Men(most_men(self.game.topology.len())), span));
        }
        Ok(())
    }

    // Moving.

    fn offer_moves(&mut self, amount: Option<&'g Number>, who: &'g Cells, landing: &'g Landing) -> Result<Flow, Fault> {
        let start = self.run.extent();
        let men = self.cells(who)?;
        let Some(cell) = men.single() else { return self.offer_block(&men, amount, landing) };
        let height = self.position.men(cell).len();
        let amount = amount.map_or(Ok(height as i64), |amount| self.number(amount))?;
        if height == 0 || amount < 1 || amount > height as i64 {
            return Ok(Flow::Dead);
        }
        let mut capture = false;
        match landing {
            Landing::Line(line) => self.find_matches(line, cell, None)?,
            Landing::Ways { capture: only } => {
                capture = *only;
                self.find_ways(cell)?;
            }
            Landing::To { cells, known, .. } => return self.offer_cells(cell, cells, *known),
        }
        self.offer_matches(start, capture)
    }

    fn offer_matches(&mut self, start: crate::reference::run::Extent, capture: bool) -> Result<Flow, Fault> {
        for index in start.matches..self.run.matches.len() {
            let found = &self.run.matches[index];
            if found.landing.is_some() && !(capture && found.caught.is_empty()) {
                self.run.options.push(Opt::Match(index as u32));
            }
        }
        self.choose(Some(self.run.context.own), start, true)
    }

    fn offer_cells(&mut self, from: Cell, to: &'g Cells, known: bool) -> Result<Flow, Fault> {
        let start = self.run.extent();
        let mut to = self.cells(to)?;
        let only = to.single().filter(|_| known);
        to.remove(from);
        match (only, self.statement_at_hand()) {
            (Some(only), _) if only == from => Ok(Flow::Dead),
            (Some(only), Some(statement)) => self.move_to(statement, from, only),
            _ => {
                self.run.options.extend(to.iter().map(Opt::Cell));
                self.choose(Some(self.run.context.own), start, true)
            }
        }
    }

    fn statement_at_hand(&self) -> Option<&'g Statement> {
        self.game.block(self.run.regs.block).get(self.run.regs.at as usize)
    }

    /// Several men at once: each anchors a match of the same alternative, directions and distance,
    /// on a board without them.
    fn offer_block(&mut self, men: &CellSet, amount: Option<&'g Number>, landing: &'g Landing) -> Result<Flow, Fault> {
        let Landing::Line(line) = landing else { return Ok(Flow::Dead) };
        if men.is_empty() || amount.is_some() {
            return Ok(Flow::Dead);
        }
        let start = self.run.extent();
        let lifted = self.position.lift(men);
        let mut ends = SmallVec::<[usize; 16]>::new();
        let mut result = Ok(());
        for cell in men.iter() {
            result = self.find_matches(line, cell, None);
            if result.is_err() {
                break;
            }
            ends.push(self.run.matches.len());
        }
        self.position.lower(lifted);
        result?;
        let joined = self.join_matches(start.matches, &ends);
        self.run.matches.truncate(start.matches);
        self.run.matches.extend(joined);
        self.offer_matches(start, false)
    }

    /// From the matches of each man, which end at `ends`, those of the first that every other man
    /// has too, joined.
    fn join_matches(&mut self, start: usize, ends: &[usize]) -> Vec<Match> {
        let mut joined = Vec::new();
        for first in start..ends[0] {
            let mut whole = self.run.matches[first].clone();
            let mut moves: SmallVec<[(Cell, Cell); 16]> = self.moves_of(&whole).into();
            let alike = |other: &&Match| {
                other.path == whole.path && other.turns == whole.turns && other.distance == whole.distance
            };
            let others: Option<SmallVec<[&Match; 16]>> =
                ends.windows(2).map(|range| self.run.matches[range[0]..range[1]].iter().find(alike)).collect();
            let Some(others) = others else { continue };
            let (mut caught, mut passed) = (whole.caught, whole.passed);
            for other in others {
                caught |= other.caught;
                passed |= other.passed;
                moves.extend_from_slice(self.moves_of(other));
            }
            (whole.caught, whole.passed) = (caught, passed);
            let from = self.run.moves.len() as u32;
            self.run.moves.extend(moves);
            whole.moves = (from, self.run.moves.len() as u32);
            joined.push(whole);
        }
        joined
    }

    fn moves_of(&self, found: &Match) -> &[(Cell, Cell)] {
        &self.run.moves[found.moves.0 as usize..found.moves.1 as usize]
    }

    /// Caught men leave, then the men move.
    fn play_match(&mut self, statement: &'g Statement, found: &Match, span: Span) -> Result<Flow, Fault> {
        let moves: SmallVec<[(Cell, Cell); 4]> = self.moves_of(found).into();
        let landings: CellSet = moves.iter().map(|&(_, to)| to).collect();
        let Some(cell) = landings.min() else { return Ok(Flow::Dead) };
        if self.write(Written::Landing { cell, captures: !found.caught.is_empty(), sign: found.sign }) == Flow::Dead {
            return Ok(Flow::Dead);
        }
        if let Some(branch) = found.branch {
            self.cover(branch);
        }
        let amount = self.amount_of(statement)?;
        self.catch(&found.caught);
        moves.iter().try_for_each(|&moved| self.expect_low(moved, amount, span))?;
        self.position.move_men(&moves, amount, false).map_err(|cell| self.two_men(cell, span))?;
        self.save_words();
        let words = &mut self.run.words;
        words.passed = found.passed;
        words.heading = found.heading.map_or(DirSet::EMPTY, DirSet::one);
        words.caught |= found.caught;
        words.caught_in_ply |= found.caught;
        self.end_move(statement, moves.iter().map(|&(from, _)| from).collect(), landings)
    }

    fn move_to(&mut self, statement: &'g Statement, from: Cell, to: Cell) -> Result<Flow, Fault> {
        let amount = self.amount_of(statement)?;
        let Statement::Move { landing, span, .. } = statement else { return Ok(Flow::Dead) };
        let bottom = matches!(landing, Landing::To { bottom: true, .. });
        self.expect_low((from, to), amount, *span)?;
        self.position.move_men(&[(from, to)], amount, bottom).map_err(|cell| self.two_men(cell, self.place))?;
        self.save_words();
        self.run.words.passed = CellSet::EMPTY;
        self.run.words.heading = DirSet::EMPTY;
        self.end_move(statement, CellSet::one(from), CellSet::one(to))
    }

    fn amount_of(&mut self, statement: &'g Statement) -> Result<usize, Fault> {
        let Statement::Move { amount: Some(amount), .. } = statement else { return Ok(WHOLE) };
        Ok(usize::try_from(self.number(amount)?).unwrap_or(0))
    }

    fn end_move(&mut self, statement: &'g Statement, origin: CellSet, landings: CellSet) -> Result<Flow, Fault> {
        (self.run.words.origin, self.run.words.last) = (origin, landings);
        if let Statement::Move { follow: Some(slot), .. } = statement {
            self.bind(*slot, Value::Cells(landings));
        }
        self.run.regs.acted = true;
        self.next()
    }

    /// Caught men leave, wait, or go to the hand of the player of the turn, as the game declares.
    fn catch(&mut self, cells: &CellSet) {
        for cell in cells.iter() {
            if self.game.captures == Captures::LeaveAtEnd {
                self.position.catch_waiting(cell);
                continue;
            }
            for level in (0..self.position.men(cell).len()).rev() {
                let Some(man) = self.position.remove(cell, level) else { continue };
                if self.game.captures == Captures::ToHand {
                    self.hand_over(self.run.context.own, man.kind);
                }
            }
        }
    }

    /// A man goes into a hand: a promoted one as what he was.
    fn hand_over(&mut self, player: Player, kind: Kind) {
        let mut kind = kind;
        for _ in 0..self.game.kinds.len() {
            kind = self.game.kind(kind).from.unwrap_or(kind);
        }
        self.position.add_to_hand(player, kind, 1);
    }

    // Placing.

    fn offer_men(&mut self, place: &'g Place, span: Span) -> Result<Flow, Fault> {
        let start = self.run.extent();
        match place {
            Place::InHand { amount, man } => {
                let amount = self.number(amount)?;
                let Some(Man { owner: Some(owner), kind }) = self.man(man)? else { return Ok(Flow::Dead) };
                if amount > 0 {
                    if !self.position.add_to_hand(owner, kind, amount) {
                        return Err(Fault::new(FaultKind::Overflow, span));
                    }
                    self.run.regs.acted = true;
                }
                self.next()
            }
            Place::On { several, men, cells, from_hand, .. } => {
                let needed = self.cells(cells)?.len() as i64 * self.several(several.as_ref())?;
                if needed <= 0 {
                    return self.next();
                }
                if let [_] = men.as_slice() {
                    return self.place_men(place, 0, span);
                }
                for (index, man) in men.iter().enumerate() {
                    let man = self.man(man)?;
                    if man.is_some_and(|man| !from_hand || self.has_in_hand(man, needed)) {
                        self.run.options.push(Opt::Of(index as u32));
                    }
                }
                self.choose(Some(self.run.context.own), start, true)
            }
        }
    }

    fn several(&mut self, several: Option<&'g Number>) -> Result<i64, Fault> {
        // More men than this on a cell are more work than is allowed, and would be counted as it.
        several.map_or(Ok(1), |several| Ok(self.number(several)?.clamp(0, 1 << 30)))
    }

    fn has_in_hand(&self, man: Man, needed: i64) -> bool {
        man.owner.is_some_and(|owner| i64::from(self.position.hand(owner, man.kind)) >= needed)
    }

    /// The man that is meant; `None`: nobody owns him who should be somebody's.
    fn man(&mut self, man: &'g model::Man) -> Result<Option<Man>, Fault> {
        if man.neutral || self.game.kind(man.kind).neutral {
            return Ok(Some(Man { owner: None, kind: man.kind }));
        }
        let owner = match &man.owner {
            Some(players) => self.players(players)?.min(),
            None => Some(self.run.context.own),
        };
        Ok(owner.map(|owner| Man { owner: Some(owner), kind: man.kind }))
    }

    fn place_chosen(&mut self, place: &'g Place, index: usize, span: Span) -> Result<Flow, Fault> {
        let Place::On { men, .. } = place else { return Ok(Flow::Dead) };
        let Some(man) = men.get(index) else { return Ok(Flow::Dead) };
        if self.write(Written::Kind(man.kind)) == Flow::Dead {
            return Ok(Flow::Dead);
        }
        self.place_men(place, index, span)
    }

    fn place_men(&mut self, place: &'g Place, index: usize, span: Span) -> Result<Flow, Fault> {
        let Place::On { several, men, cells, bottom, from_hand } = place else { return Ok(Flow::Dead) };
        let Some(man) = men.get(index) else { return Ok(Flow::Dead) };
        let Some(man) = self.man(man)? else { return Ok(Flow::Dead) };
        let (cells, several) = (self.cells(cells)?, self.several(several.as_ref())?);
        let needed = cells.len() as i64 * several;
        self.work(needed as u64)?;
        if *from_hand {
            let taken = man.owner.is_some_and(|owner| self.position.add_to_hand(owner, man.kind, -needed));
            if !taken {
                return Ok(Flow::Dead);
            }
        }
        self.expect_room(&cells, several as usize, span)?;
        for cell in cells.iter() {
            for _ in 0..several {
                let level = if *bottom { 0 } else { self.position.men(cell).len() };
                if !self.position.put_at(cell, level, man) {
                    return Err(self.two_men(cell, span));
                }
            }
        }
        self.save_words();
        let words = &mut self.run.words;
        (words.last, words.origin) = (cells, CellSet::EMPTY);
        (words.passed, words.heading) = (CellSet::EMPTY, DirSet::EMPTY);
        self.run.regs.acted = true;
        self.next()
    }

    // Removing, flipping, promoting.

    fn remove(&mut self, what: &'g Removal, cells: &CellSet, to_hand: bool) -> Result<Flow, Fault> {
        let top = match what {
            Removal::Top(number) => usize::try_from(self.number(number)?).unwrap_or(0),
            Removal::All | Removal::Bottom => WHOLE,
        };
        for cell in cells.iter() {
            let height = self.position.men(cell).len();
            let levels =
                if matches!(what, Removal::Bottom) { 0..height.min(1) } else { height.saturating_sub(top)..height };
            for level in levels.rev() {
                let Some(man) = self.position.remove(cell, level) else { continue };
                self.run.regs.acted = true;
                if let Some(owner) = man.owner.filter(|_| to_hand) {
                    self.hand_over(owner, man.kind);
                }
            }
        }
        self.next()
    }

    fn flip(&mut self, cells: &CellSet) -> Result<Flow, Fault> {
        let owner = Some(self.run.context.own);
        for cell in cells.iter() {
            for level in 0..self.position.men(cell).len() {
                let man = self.position.men(cell)[level];
                self.run.regs.acted |= man.owner != owner;
                self.position.turn_man(cell, level, Man { owner, ..man });
            }
        }
        self.next()
    }

    fn offer_promotions(&mut self, who: &'g Cells, kinds: &'g [Kind]) -> Result<Flow, Fault> {
        let who = self.cells(who)?;
        if let [kind] = kinds {
            return self.promote(&who, *kind);
        }
        let Some(man) = who.single().and_then(|cell| self.position.top(cell)) else { return Ok(Flow::Dead) };
        let start = self.run.extent();
        if kinds.is_empty() {
            let all = (0..self.game.kinds.len() as u8).map(Kind);
            self.run.options.extend(all.filter(|&kind| self.game.kind(kind).from == Some(man.kind)).map(Opt::Kind));
        } else {
            self.run.options.extend(kinds.iter().map(|&kind| Opt::Kind(kind)));
        }
        self.choose(Some(self.run.context.own), start, true)
    }

    fn promote(&mut self, who: &CellSet, kind: Kind) -> Result<Flow, Fault> {
        let Some(cell) = who.single() else { return Ok(Flow::Dead) };
        let Some(man) = self.position.top(cell) else { return Ok(Flow::Dead) };
        self.position.turn_man(cell, self.position.men(cell).len() - 1, Man { kind, ..man });
        self.run.regs.acted = true;
        self.next()
    }
}
