//! Piece updates: what is put, taken, turned over and promoted goes in; changes of the sets that
//! hold the men come out.

use crate::board::{Kind, Player};
use crate::model;
use crate::model::{Captures, Man, Removal};
use crate::plan::analysis::singleton::makes_one;
use crate::plan::annotation::Annotation;
use crate::plan::op::TreeOp;
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::tree::{Arm, KindSet, Node, Options, StateCell};
use crate::plan::tuning::MAX_MAKERS_LOOKED_AT;
use crate::source::Span;

use crate::plan::lower::cardinality::Cardinality;
use crate::plan::lower::context::{Lowering, kind_set};
use crate::plan::lower::values::{Cells, Facts, Fixed, Lowered, Num, Unplanned, unplanned};

/// How men are put on cells.
#[derive(Clone, Copy)]
struct Put {
    from_hand: bool,
    /// They come under those who stand there.
    bottom: bool,
    /// How many come onto each cell.
    times: Num,
    span: Span,
}

impl<'g> Lowering<'g> {
    /// Who may own a man, and whether he does. `None` stands for nobody, who owns neutral men.
    fn owners(&mut self, man: &'g Man) -> Lowered<Vec<(Num, Option<Player>)>> {
        if man.neutral {
            return Ok(vec![(Num::Fixed(1), None)]);
        }
        let Some(players) = &man.owner else { return Ok(vec![(Num::Fixed(1), Some(self.scope.own))]) };
        let first = self.first_player(players)?;
        Ok(first.into_iter().map(|(is_first, player)| (is_first, Some(player))).collect())
    }

    /// A man who is not neutral has an owner.
    fn has_owner(&mut self, man: &'g Man) -> Lowered<Num> {
        match &man.owner {
            Some(players) if !man.neutral && !self.is_somebody(players) => {
                let players = self.players(players)?;
                Ok(self.compare_nums(model::Comparison::NotEqual, players, Num::Fixed(0)))
            }
            _ => Ok(Num::Fixed(1)),
        }
    }

    /// The registers that get a man of this owner and kind.
    pub fn man_sets(&mut self, owner: Option<Player>, kind: Kind) -> Lowered<Vec<SetReg>> {
        let mut sets = Vec::new();
        match owner {
            Some(player) => sets.push(self.layout.of[player.index()]),
            None => {
                sets.push(self.layout.neutral.ok_or(Unplanned { why: "a man of nobody of another kind", span: None })?)
            }
        }
        match (kind_set(&self.layout, kind), owner) {
            (KindSet::Register(reg), _) => sets.push(reg),
            (KindSet::AllOwned, Some(_)) | (KindSet::AllNeutral, None) => {}
            _ => return unplanned("a man of nobody of another kind"),
        }
        Ok(sets)
    }

    pub fn put(&mut self, place: &'g model::Place, span: Span) -> Lowered<()> {
        let (several, men, cells, put) = match place {
            model::Place::InHand { amount, man } => return self.put_in_hand(amount, man, span),
            model::Place::On { several, men, cells, from_hand, bottom } => {
                (several, men, cells, Put { from_hand: *from_hand, bottom: *bottom, times: Num::Fixed(1), span })
            }
        };
        let times = several.as_ref().map_or(Ok(Num::Fixed(1)), |several| self.number(several))?;
        if times != Num::Fixed(1) && !self.game.stacks {
            return unplanned("several men on a cell");
        }
        let cells = self.cells(cells)?;
        let some = self.compare_nums(model::Comparison::AtLeast, times, Num::Fixed(1));
        let put = Put { times: self.number_now(times), ..put };
        match some {
            Num::Fixed(0) => Ok(()),
            Num::Fixed(_) => self.put_men(men, cells, put),
            Num::In(some) => {
                let then = self.block(|lowering| lowering.put_men(men, cells, put))?;
                self.when(some, then, Vec::new());
                self.forget();
                Ok(())
            }
        }
    }

    fn put_men(&mut self, men: &'g [Man], cells: Cells, put: Put) -> Lowered<()> {
        if let [man] = men {
            return self.put_man(man, cells, put);
        }
        if self.is_exact(cells) {
            return self.choose_man(men, cells, put);
        }
        // On no cell nothing is chosen.
        match self.some_cells(cells) {
            Num::Fixed(0) => Ok(()),
            Num::Fixed(_) => self.choose_man(men, cells, put),
            Num::In(some) => {
                let cells = self.copied(cells);
                let then = self.block(|lowering| lowering.choose_man(men, Cells::In(cells), put))?;
                self.when(some, then, Vec::new());
                self.forget();
                Ok(())
            }
        }
    }

    /// Men of one of several kinds come onto some cells, all of the one that is chosen.
    fn choose_man(&mut self, men: &'g [Man], cells: Cells, put: Put) -> Lowered<()> {
        let needed = self.needed(cells, put)?;
        let mut arms = Vec::new();
        for man in men {
            let mut open = self.has_owner(man)?;
            if put.from_hand {
                for (is_owner, owner) in self.owners(man)? {
                    let Some(owner) = owner else { continue };
                    let hand = Num::In(self.hand(owner, man.kind));
                    let enough = self.compare_nums(model::Comparison::AtLeast, hand, needed);
                    let other = self.not(is_owner);
                    let may = self.either(other, enough);
                    open = self.both_truths(open, may);
                }
            }
            let open = self.num(open);
            let block = self.block(|lowering| {
                lowering.emit(TreeOp::Annotate { mark: Annotation::Kind(man.kind) });
                lowering.put_man(man, cells, put)
            })?;
            arms.push(Arm::new(Options::One { open }, block, self.game.kind(man.kind).name.clone()));
        }
        self.offer(arms);
        Ok(())
    }

    /// How many men come onto some cells.
    fn needed(&mut self, cells: Cells, put: Put) -> Lowered<Num> {
        let count = self.count_cells(cells);
        match put.times {
            Num::Fixed(1) => Ok(count),
            times => self.arithmetic(model::Arithmetic::Multiply, count, times, put.span),
        }
    }

    /// A choice of one of several alternatives.
    fn offer(&mut self, arms: Vec<Arm>) {
        self.out.push(Node::Choose(arms));
        self.forget();
    }

    pub fn hand(&self, player: Player, kind: Kind) -> NumReg {
        self.layout.hands[player.index() * self.game.kinds.len() + kind.index()]
    }

    fn put_in_hand(&mut self, amount: &'g model::Number, man: &'g Man, span: Span) -> Lowered<()> {
        let amount = self.number(amount)?;
        let (has_owner, owners) = (self.has_owner(man)?, self.owners(man)?);
        self.need(has_owner);
        let some = self.compare_nums(model::Comparison::AtLeast, amount, Num::Fixed(1));
        for (is_owner, owner) in owners {
            let Some(owner) = owner else {
                // Nobody has no hand.
                let has_hand = self.not(is_owner);
                self.need(has_hand);
                continue;
            };
            let adds = self.both_truths(is_owner, some);
            self.where_it_holds(adds, |lowering| {
                lowering.add_to_hand((owner, man.kind), amount, span);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn add_to_hand(&mut self, (owner, kind): (Player, Kind), amount: Num, span: Span) {
        let (d, b, place) = (self.hand(owner, kind), self.num(amount), self.place(span));
        self.emit(TreeOp::Arithmetic { op: model::Arithmetic::Add, d, a: d, b, place });
        if matches!(amount, Num::In(_)) {
            // A hand holds less than 2 to the power of 32 men: a larger number, times this, overflows.
            let (bound, b) = (self.fresh.number(), self.constant_number(1 << 31));
            self.emit(TreeOp::Arithmetic { op: model::Arithmetic::Multiply, d: bound, a: d, b, place });
        }
        self.emit(TreeOp::Acted);
        self.forget_results();
    }

    fn put_man(&mut self, man: &'g Man, cells: Cells, put: Put) -> Lowered<()> {
        let mut has_owner = self.has_owner(man)?;
        if has_owner != Num::Fixed(1) {
            let some = self.some_cells(cells);
            let nowhere = self.not(some);
            has_owner = self.either(has_owner, nowhere);
        }
        let owners = self.owners(man)?;
        self.need(has_owner);
        for (is_owner, owner) in owners {
            self.where_it_holds(is_owner, |lowering| lowering.put_man_of(owner, man.kind, cells, put))?;
        }
        Ok(())
    }

    fn put_man_of(&mut self, owner: Option<Player>, kind: Kind, cells: Cells, put: Put) -> Lowered<()> {
        let place = self.place(put.span);
        if put.from_hand && owner.is_none() {
            // Nobody has no hand.
            let needed = self.needed(cells, put)?;
            let none = self.compare_nums(model::Comparison::AtMost, needed, Num::Fixed(0));
            self.need(none);
        }
        if let (true, Some(owner)) = (put.from_hand, owner) {
            let hand = self.hand(owner, kind);
            let needed = self.needed(cells, put)?;
            match self.compare_nums(model::Comparison::AtLeast, Num::In(hand), needed) {
                Num::In(enough) => self.out.push(Node::Need(enough)),
                Num::Fixed(_) => {}
            }
            let b = self.num(needed);
            self.emit(TreeOp::Arithmetic { op: model::Arithmetic::Subtract, d: hand, a: hand, b, place });
        }
        let cells_reg = self.reg(cells);
        if self.game.stacks {
            self.expect_room_for_placed(cells_reg, put.times, put.span);
            self.put_on_stacks((owner, kind), cells_reg, (put.times, put.bottom))?;
        } else {
            let occupied = self.occupied();
            if !self.apart(cells, occupied) {
                let of = self.reg(occupied);
                self.emit(TreeOp::FaultIfIntersects { cells: cells_reg, of, place });
            }
            for set in self.man_sets(owner, kind)? {
                self.emit(TreeOp::Or { d: set, a: set, b: cells_reg });
            }
        }
        if self.is_exact(cells) {
            self.placed(cells_reg);
        } else {
            let some = self.some_cells(cells);
            match some {
                Num::Fixed(0) => {}
                Num::Fixed(_) => self.placed(cells_reg),
                Num::In(some) => {
                    let then = self.block(|lowering| {
                        lowering.placed(cells_reg);
                        Ok(())
                    })?;
                    self.when(some, then, Vec::new());
                }
            }
        }
        match self.game.stacks {
            true => self.forget(),
            false => self.forget_but_men(),
        }
        Ok(())
    }

    fn placed(&mut self, cells: SetReg) {
        let none = self.constant(Fixed::NONE);
        let words = self.words;
        self.scope.still = false;
        self.emit(TreeOp::Copy { d: words.last, a: cells });
        self.emit(TreeOp::Copy { d: words.origin, a: none });
        self.emit(TreeOp::Copy { d: words.passed, a: none });
        self.emit(TreeOp::Const { d: words.heading, k: 0 });
        self.emit(TreeOp::Acted);
    }

    /// That something was done to some of the cells.
    pub fn acted_on(&mut self, cells: Cells) {
        match self.some_cells(cells) {
            Num::Fixed(0) => {}
            Num::Fixed(_) => self.emit(TreeOp::Acted),
            Num::In(some) => self.when(some, vec![Node::Op(TreeOp::Acted)], Vec::new()),
        }
    }

    pub fn remove(&mut self, what: &'g Removal, from: &'g model::Cells, to_hand: bool) -> Lowered<()> {
        if self.game.stacks {
            let cells = self.cells(from)?;
            return self.remove_from_stacks(what, cells, to_hand);
        }
        let mut cells = self.cells(from)?;
        if let Removal::Top(number) = what {
            let number = self.number(number)?;
            let some = self.compare_nums(model::Comparison::AtLeast, number, Num::Fixed(1));
            cells = self.keep(cells, some);
        }
        if self.layout.waiting.is_some() || to_hand {
            let (owned, neutral) = (self.owned(), self.neutral());
            let men = self.or(owned, neutral);
            cells = self.and(cells, men);
        }
        if to_hand {
            for owner in self.game.players() {
                self.move_to_hand(cells, Cells::In(self.layout.of[owner.index()]), owner)?;
            }
        }
        if self.has_pass {
            let occupied = self.occupied();
            let removed = self.and(cells, occupied);
            self.acted_on(removed);
        }
        let only = self.only(self.facts(cells));
        let cells = self.reg(cells);
        self.emit(TreeOp::RemovePieces { cells, only });
        self.forget();
        Ok(())
    }

    /// Some men of some cells go into the hand of a player: promoted ones as what they were.
    fn move_to_hand(&mut self, cells: Cells, some: Cells, player: Player) -> Lowered<()> {
        let men = self.and(cells, some);
        for kind in (0..self.game.kinds.len() as u8).map(Kind) {
            let of_kind = self.kind_cells(kind);
            if self.apart(some, of_kind) {
                continue;
            }
            let mut base = kind;
            for _ in 0..self.game.kinds.len() {
                base = self.game.kind(base).from.unwrap_or(base);
            }
            let gone = self.and(men, of_kind);
            let count = self.count_cells(gone);
            let (d, b) = (self.hand(player, base), self.num(count));
            let place = self.place(self.game.kind(kind).span);
            self.emit(TreeOp::Arithmetic { op: model::Arithmetic::Add, d, a: d, b, place });
        }
        Ok(())
    }

    pub fn flip(&mut self, cells: &'g model::Cells) -> Lowered<()> {
        let cells = self.cells(cells)?;
        if self.game.stacks {
            return self.flip_stacks(cells);
        }
        let own = self.layout.of[self.scope.own.index()];
        if self.has_pass {
            let owned = self.owned();
            let turned = self.and(cells, owned);
            let turned = self.without(turned, Cells::In(own));
            self.acted_on(turned);
        }
        let of_nobody = Cells::In(self.layout.neutral.unwrap_or(own));
        if let Some(neutral) = self.layout.neutral.filter(|_| !self.apart(cells, of_nobody)) {
            let turned = self.and(cells, of_nobody);
            if self.has_pass {
                self.acted_on(turned);
            }
            // All men of nobody may be turned.
            let b = if turned == of_nobody { self.copied(turned) } else { self.reg(turned) };
            self.emit(TreeOp::AndNot { d: neutral, a: neutral, b });
            self.emit(TreeOp::Or { d: own, a: own, b });
        }
        let (cells, player) = (self.reg(cells), self.scope.own);
        self.emit(TreeOp::FlipOwner { cells, player });
        self.forget();
        Ok(())
    }

    pub fn promote(&mut self, who: &'g model::Cells, kinds: &'g [Kind]) -> Lowered<()> {
        let who = self.cells(who)?;
        let who = self.the_one_cell(who);
        let (owned, neutral) = (self.owned(), self.neutral());
        let men = self.or(owned, neutral);
        let man = self.and(who, men);
        let some = self.some_cells(man);
        if let Num::In(some) = some
            && !(self.is_exact(who) && self.facts(who).occupied)
        {
            self.out.push(Node::Need(some));
        }
        if let [kind] = kinds {
            return self.becomes(man, *kind);
        }
        let all: Vec<Kind> = (0..self.game.kinds.len() as u8).map(Kind).collect();
        let offered: Vec<Kind> = if kinds.is_empty() {
            all.into_iter().filter(|&kind| self.game.kind(kind).from.is_some()).collect()
        } else {
            kinds.to_vec()
        };
        let mut arms = Vec::new();
        for kind in offered {
            let mut open = Num::Fixed(1);
            if kinds.is_empty()
                && let Some(from) = self.game.kind(kind).from
            {
                let of_kind = self.kind_cells(from);
                open = self.intersects(man, of_kind);
            }
            let open = self.num(open);
            let block = self.block(|lowering| {
                lowering.emit(TreeOp::Annotate { mark: Annotation::Promotion(kind) });
                lowering.becomes(man, kind)
            })?;
            arms.push(Arm::new(Options::One { open }, block, self.game.kind(kind).name.clone()));
        }
        self.offer(arms);
        Ok(())
    }

    fn becomes(&mut self, man: Cells, kind: Kind) -> Lowered<()> {
        if self.game.stacks {
            return self.promote_top(man, kind);
        }
        let man = self.reg(man);
        for set in self.layout.kinds.clone() {
            if let KindSet::Register(reg) = set {
                self.emit(TreeOp::AndNot { d: reg, a: reg, b: man });
            }
        }
        match kind_set(&self.layout, kind) {
            KindSet::Register(reg) => self.emit(TreeOp::Or { d: reg, a: reg, b: man }),
            KindSet::AllOwned | KindSet::AllNeutral => {}
        }
        self.emit(TreeOp::Acted);
        self.forget();
        Ok(())
    }

    /// What was caught leaves, waits, or goes to hand.
    pub fn catch(&mut self, caught: Cells) -> Lowered<()> {
        if caught == self.none() {
            return Ok(());
        }
        let only = self.only(self.facts(caught));
        match self.game.captures {
            Captures::Leave => {}
            Captures::LeaveAtEnd => {
                let (owned, neutral) = (self.owned(), self.neutral());
                let men = self.or(owned, neutral);
                let gone = self.and(caught, men);
                let b = self.reg(gone);
                if let Some(waiting) = self.layout.waiting {
                    self.emit(TreeOp::Or { d: waiting, a: waiting, b });
                }
                if !self.mark_sets().is_empty() {
                    // Marks stay as long as the men wait.
                    let sets: Vec<SetReg> = self.layout.owners_and_kinds().collect();
                    sets.into_iter().for_each(|d| self.emit(TreeOp::AndNot { d, a: d, b }));
                    self.forget();
                    return Ok(());
                }
            }
            Captures::ToHand if self.game.stacks => self.stacks_to_hand(caught, self.scope.own)?,
            Captures::ToHand => {
                let (owned, neutral) = (self.owned(), self.neutral());
                let men = self.or(owned, neutral);
                self.move_to_hand(caught, men, self.scope.own)?;
            }
        }
        if self.game.stacks {
            let (cells, n) = (self.reg(caught), self.all_men());
            self.emit(TreeOp::TakeMen { cells, n, bottom: false });
            return Ok(());
        }
        let cells = self.reg(caught);
        self.emit(TreeOp::RemovePieces { cells, only });
        Ok(())
    }

    /// The registers of what is remembered `on pieces`.
    pub fn mark_sets(&self) -> Vec<SetReg> {
        let marks = self.game.states.iter().zip(&self.layout.states).filter(|(state, _)| state.on_pieces);
        let set = |cell: &StateCell| match *cell {
            StateCell::Set(reg) => Some(reg),
            StateCell::Number(_) => None,
        };
        marks.flat_map(|(_, copies)| copies.iter().filter_map(set)).collect()
    }

    /// The one register that can have the men of cells of which something is known.
    pub fn only(&self, facts: Facts) -> Option<SetReg> {
        let kinds = self.layout.kinds.iter().any(|set| matches!(set, KindSet::Register(_)));
        let marks = !self.mark_sets().is_empty();
        let mut owners = self.game.players().filter(|player| facts.owners >> player.0 & 1 == 1);
        let owner = owners.next().filter(|_| owners.next().is_none())?;
        (!kinds && !marks && self.layout.neutral.is_none()).then_some(self.layout.of[owner.index()])
    }

    /// There is one cell in the set, not less.
    pub fn is_exact(&self, cells: Cells) -> bool {
        match cells {
            Cells::Fixed(fixed) => self.bits(fixed).len() == 1,
            Cells::In(reg) => self.known.exact.contains(&reg),
        }
    }

    pub fn is_single(&self, cells: Cells) -> bool {
        match cells {
            Cells::Fixed(fixed) => self.bits(fixed).len() == 1,
            Cells::In(reg) => self.known.single.contains(&reg),
        }
    }

    pub fn cardinality_of(&self, cells: Cells) -> Cardinality {
        let single = match cells {
            _ if self.is_exact(cells) => return Cardinality::One,
            Cells::Fixed(fixed) => self.bits(fixed).is_empty(),
            Cells::In(reg) => self.is_single_by_makers(reg, MAX_MAKERS_LOOKED_AT),
        };
        if single { Cardinality::AtMostOne } else { Cardinality::Any }
    }

    /// A set holds one cell at most, by the operations that have made it.
    fn is_single_by_makers(&self, reg: SetReg, patience: u32) -> bool {
        if self.known.single.contains(&reg) {
            return true;
        }
        if let Some(fixed) = self.tables.fixed.held.get(&reg) {
            return self.bits(*fixed).len() <= 1;
        }
        let (Some(maker), Some(patience)) = (self.known.makers.get(&reg), patience.checked_sub(1)) else {
            return false;
        };
        let single = |reg| self.is_single_by_makers(reg, patience);
        match *maker {
            TreeOp::Neighbors { a, along, .. } => self.tables.along[usize::from(along)].len() == 1 && single(a),
            TreeOp::NeighborsBy { a, dirs, .. } => self.known.one_direction.contains(&dirs) && single(a),
            _ => makes_one(maker, single),
        }
    }
}
