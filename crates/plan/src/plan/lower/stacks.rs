//! Stack lowering: statements and numbers that ask how men stand on each other go in; operations on the list of all men come
//! out.
//!
//! The sets of men tell who stands on the top of each cell, so all that is asked of top men is lowered as it is where men
//! do not stand on each other.

use std::rc::Rc;

use crate::board::{Kind, Player};
use crate::model;
use crate::model::Removal;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::moves::Moved;
use crate::plan::lower::values::{Cells, Facts, Lowered, NOBODY, Num, unplanned};
use crate::plan::op::{Cmp, TreeOp};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::KindSet;
use crate::position::MAX_HEIGHT;
use crate::source::Span;

/// What is known of cells on which men stand.
const OCCUPIED: Facts = Facts { occupied: true, ..Facts::NONE };

impl<'g> Lowering<'g> {
    /// A number that no stack is higher than.
    pub fn all_men(&mut self) -> NumReg {
        self.constant_number(MAX_HEIGHT as i64)
    }

    /// No man was caught who leaves at the end of the turn.
    pub fn nobody_waits(&self) -> bool {
        self.layout.waiting.is_none() || self.scope.still || self.scope.ended
    }

    /// How many men stand on some cells.
    pub fn height(&mut self, cells: Cells) -> Num {
        if !self.game.stacks {
            let occupied = self.occupied();
            let men = self.and(cells, occupied);
            return self.count_cells(men);
        }
        let a = self.reg(cells);
        Num::In(self.number_op(|d| TreeOp::Heights { d, a }))
    }

    /// What stands where each stack counts by its lowest man is not asked of top men.
    pub fn expect_tops(&self) -> Lowered<()> {
        if self.scope.bottoms {
            unplanned("ways, attacks and what can be done, asked of the lowest men of stacks")
        } else {
            Ok(())
        }
    }

    /// What cells would be if each stack counted by its lowest man.
    pub fn bottom(&mut self, inner: &'g model::Cells) -> Lowered<Cells> {
        if !self.game.stacks || self.scope.bottoms {
            return self.cells(inner);
        }
        let tops = self.layout.clone();
        // What is known of men is known of those on the top.
        let known = Rc::clone(self.known.facts());
        for facts in self.known.facts_mut().values_mut() {
            *facts = Facts { owners: u16::MAX, kinds: u64::MAX, ..*facts };
        }
        let bottoms = |lowering: &mut Self, of: usize| {
            let of = of as u16;
            let mut reg = lowering.set_op(|d| TreeOp::Bottoms { d, of });
            if let Some(b) = lowering.layout.waiting {
                let a = reg;
                reg = lowering.set_op(|d| TreeOp::AndNot { d, a, b });
            }
            lowering.record_facts(Cells::In(reg), OCCUPIED);
            reg
        };
        let players = tops.of.len();
        for player in 0..players {
            self.layout.of[player] = bottoms(self, player);
        }
        if tops.neutral.is_some() {
            self.layout.neutral = Some(bottoms(self, players));
        }
        for (number, kind) in tops.kinds.iter().enumerate() {
            if let KindSet::Register(_) = kind {
                self.layout.kinds[number] = KindSet::Register(bottoms(self, players + 1 + number));
            }
        }
        self.scope.bottoms = true;
        let found = self.cells(inner);
        self.scope.bottoms = false;
        self.layout = tops;
        self.known.set_facts(known);
        found
    }

    /// The cell, if a set is one cell; of several cells nothing. A man who moves, but for blocks, or is promoted is one.
    pub fn the_one_cell(&mut self, cells: Cells) -> Cells {
        if self.is_single(cells) {
            return cells;
        }
        let (facts, count) = (self.facts(cells), self.count_cells(cells));
        let alone = self.compare_nums(Cmp::Equal, count, Num::Fixed(1));
        let cell = self.keep(cells, alone);
        if let Cells::In(reg) = cell {
            self.known.single.insert(reg);
        }
        self.record_facts(cell, facts)
    }

    /// The men of a part of a stack that moves: those cells on which as many stand, and how many they are.
    pub fn part_of_stack(&mut self, men: Cells, amount: &'g model::Number) -> Lowered<(Cells, NumReg)> {
        let amount = self.number(amount)?;
        let height = self.height(men);
        let some = self.compare_nums(Cmp::AtLeast, amount, Num::Fixed(1));
        let enough = self.compare_nums(Cmp::AtMost, amount, height);
        let men = self.keep(men, some);
        let men = self.keep(men, enough);
        let amount = self.number_now(amount);
        Ok((men, self.num(amount)))
    }

    /// A number as it is now, though it may be that of a hand which changes.
    pub fn number_now(&mut self, number: Num) -> Num {
        let Num::In(a) = number else { return number };
        let d = self.fresh.number();
        self.emit(TreeOp::CopyNum { d, a });
        Num::In(d)
    }

    /// Men go from one stack to another.
    pub fn move_stack(&mut self, moved: &Moved<'g>) {
        let n = match moved.amount {
            Some(n) => n,
            None => self.all_men(),
        };
        // Of as many men as may stand on one cell none is one too many.
        if self.layout.stacks.is_some_and(|stacks| usize::from(stacks.most_men) > MAX_HEIGHT) {
            let men = moved.amount.map_or_else(|| self.height(Cells::In(moved.from)), Num::In);
            let men = self.num(men);
            self.expect_room(moved.to, men, 0, moved.span);
        }
        self.emit(TreeOp::MoveMen { from: moved.from, to: moved.to, n, bottom: moved.bottom });
    }

    /// The number by which operations call a man.
    fn man_number(&self, owner: Option<Player>, kind: Kind) -> u16 {
        let owners = self.game.seats.len() + 1;
        (kind.index() * owners + owner.map_or(owners - 1, Player::index)) as u16
    }

    /// All that men can be whom the position has a place for.
    fn all_kinds_of_men(&self) -> Vec<(Option<Player>, Kind)> {
        let owners = self.game.players().map(Some).chain(self.layout.neutral.map(|_| None));
        let kinds = || (0..self.game.kinds.len() as u8).map(Kind);
        let all = owners.flat_map(|owner| kinds().map(move |kind| (owner, kind)));
        all.filter(|(owner, kind)| self.layout.has_place_for(*owner, *kind)).collect()
    }

    /// Men come onto each of some stacks, or under them.
    pub fn put_on_stacks(
        &mut self,
        (owner, kind): (Option<Player>, Kind),
        cells: SetReg,
        (times, bottom): (Num, bool),
    ) -> Lowered<()> {
        // There is a place for them.
        self.man_sets(owner, kind)?;
        let (n, man) = (self.num(times), self.man_number(owner, kind));
        self.emit(TreeOp::PutMen { cells, n, man, bottom });
        Ok(())
    }

    /// So many more men on some cells are a fault if they do not fit there, or on a board that holds so many (0: that is not
    /// asked).
    fn expect_room(&mut self, cells: SetReg, n: NumReg, most: u16, span: Span) {
        let place = self.place(span);
        self.emit(TreeOp::FaultIfCrowded { cells, n, most, place });
    }

    /// The same of men who are placed, where there may be more than have room: some come from nowhere, or many are in hand.
    pub fn expect_room_for_placed(&mut self, cells: SetReg, times: Num, span: Span) {
        if let Some(stacks) = self.layout.stacks.filter(|stacks| stacks.asks_room) {
            let n = self.num(times);
            self.expect_room(cells, n, stacks.most_men, span);
        }
    }

    /// Men leave stacks.
    pub fn remove_from_stacks(&mut self, what: &'g Removal, cells: Cells, to_hand: bool) -> Lowered<()> {
        let (n, bottom) = match what {
            Removal::All => (Num::In(self.all_men()), false),
            Removal::Bottom => (Num::Fixed(1), true),
            Removal::Top(number) => {
                let number = self.number(number)?;
                (self.number_now(number), false)
            }
        };
        // Who waits to leave is not removed.
        let mut cells = cells;
        if self.layout.waiting.is_some() {
            let (owned, neutral) = (self.owned(), self.neutral());
            let men = self.or(owned, neutral);
            cells = self.and(cells, men);
        }
        if to_hand {
            for (owner, kind) in self.all_kinds_of_men() {
                if let Some(player) = owner {
                    self.count_to_hand(cells, (n, bottom), (owner, kind), player);
                }
            }
        }
        if self.has_pass {
            let some = self.compare_nums(Cmp::AtLeast, n, Num::Fixed(1));
            let occupied = self.occupied();
            let removed = self.and(cells, occupied);
            let removed = self.keep(removed, some);
            self.acted_on(removed);
        }
        let (cells, n) = (self.reg(cells), self.num(n));
        self.emit(TreeOp::TakeMen { cells, n, bottom });
        self.forget();
        Ok(())
    }

    /// All men of some cells go into the hand of a player.
    pub fn stacks_to_hand(&mut self, cells: Cells, player: Player) -> Lowered<()> {
        let all = Num::In(self.all_men());
        for man in self.all_kinds_of_men() {
            self.count_to_hand(cells, (all, false), man, player);
        }
        Ok(())
    }

    /// Those of some men who are these go into the hand of a player: promoted ones as what they were.
    fn count_to_hand(
        &mut self,
        cells: Cells,
        (n, bottom): (Num, bool),
        (owner, kind): (Option<Player>, Kind),
        player: Player,
    ) {
        let mut base = kind;
        for _ in 0..self.game.kinds.len() {
            base = self.game.kind(base).from.unwrap_or(base);
        }
        let (cells, n, man) = (self.reg(cells), self.num(n), self.man_number(owner, kind));
        let b = self.number_op(|d| TreeOp::CountMen { d, cells, n, man, bottom });
        let (d, place) = (self.hand(player, base), self.place(self.game.kind(kind).span));
        self.emit(TreeOp::Arithmetic { op: model::Arithmetic::Add, d, a: d, b, place });
    }

    /// All men of some stacks become the player's.
    pub fn flip_stacks(&mut self, cells: Cells) -> Lowered<()> {
        let player = self.scope.own;
        if self.has_pass {
            let mut mine = Num::Fixed(0);
            let (a, n) = (self.reg(cells), self.all_men());
            for (owner, kind) in self.all_kinds_of_men() {
                if owner == Some(player) {
                    let man = self.man_number(owner, kind);
                    let more = Num::In(self.number_op(|d| TreeOp::CountMen { d, cells: a, n, man, bottom: false }));
                    mine = self.arithmetic(model::Arithmetic::Add, mine, more, crate::source::Span::NOWHERE)?;
                }
            }
            let all = self.height(cells);
            let others = self.compare_nums(Cmp::NotEqual, all, mine);
            let turned = self.keep(cells, others);
            self.acted_on(turned);
        }
        let cells = self.reg(cells);
        self.emit(TreeOp::TurnMen { cells, player });
        self.forget();
        Ok(())
    }

    /// The man on the top of a stack, if there is one, becomes one of a kind.
    pub fn promote_top(&mut self, man: Cells, kind: Kind) -> Lowered<()> {
        let facts = self.facts(man);
        let mut men = Vec::new();
        for player in self.game.players().filter(|player| facts.owners >> player.0 & 1 == 1) {
            let of = Cells::In(self.layout.of[player.index()]);
            men.push((Some(player), self.and(man, of)));
        }
        if let Some(neutral) = self.layout.neutral.filter(|_| facts.owners & NOBODY != 0) {
            men.push((None, self.and(man, Cells::In(neutral))));
        }
        // The sets change while they are read.
        let men: Vec<_> = men.into_iter().map(|(owner, cells)| (owner, self.copied(cells))).collect();
        let (cells, one) = (self.copied(man), self.constant_number(1));
        self.emit(TreeOp::TakeMen { cells, n: one, bottom: false });
        for (owner, cells) in men {
            self.put_on_stacks((owner, kind), cells, (Num::Fixed(1), false))?;
        }
        self.emit(TreeOp::Acted);
        self.forget();
        Ok(())
    }
}
