//! Program lowering: the programs of a game go in, one by one; blocks come out with what stands at
//! their beginning, and what they need of the game.

use crate::board::Player;
use crate::model;
use crate::plan::lower::ambiguity::surely_writes;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::values::{Cells, Fixed, Lowered, Num, Unplanned, Value, Words, unplanned};
use crate::plan::op::TreeOp;
use crate::plan::regs::SetReg;
use crate::plan::tree::{Ambiguity, Block, KindSet, Stacks};

impl<'g> Lowering<'g> {
    pub fn program(
        &mut self,
        player: Player,
        frame: usize,
        body: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<Block> {
        self.scope.own = player;
        self.scope.here = None;
        self.scope.walking = None;
        self.scope.still = false;
        self.forget();
        self.scope.frames = vec![vec![Value::Unset; frame]];
        self.scope.frame = 0;
        self.scope.calls.clear();
        self.scope.within.clear();
        self.scope.action = None;
        let block = self.block(body)?;
        if self.fresh.is_spent() { unplanned("more values than there are registers") } else { Ok(block) }
    }

    pub fn turn(&mut self, player: Player, program: model::Program) -> Lowered<Block> {
        self.scope.ended = false;
        self.scope.statement = program.span;
        let block = self.game.block(program.block);
        let block = self.program(player, program.frame, |lowering| {
            lowering.begin_turn();
            lowering.open_plies();
            lowering.statements(block)
        })?;
        self.note_doubts(&block);
        self.rest_of_turn(player, program.frame)?;
        self.expect_plies_apart(&block)?;
        Ok(block)
    }

    /// Two runs of a turn, or of a continuation of one, may give the same.
    pub fn note_doubts(&mut self, block: &Block) {
        let why = Ambiguity::ALTERNATIVES;
        self.in_doubt = self.in_doubt.or_else(|| Some(Ambiguity { place: self.doubts(block)?, why }));
    }

    /// No two runs of a turn give the same ply and go on in different ways.
    fn expect_plies_apart(&mut self, block: &Block) -> Lowered<()> {
        if !self.game.asks.plies && (!self.game.asks.chance || self.in_doubt.is_none()) {
            return Ok(());
        }
        let behind = std::mem::take(&mut self.continuations.lowered);
        let blocks: Vec<&Block> = std::iter::once(block).chain(behind.iter().map(|behind| &behind.block)).collect();
        let read = self.carried_and_read(&blocks);
        // What chance chooses tells its options apart.
        let by_players = behind.iter().filter(|behind| !behind.chance).map(|behind| &behind.block);
        let numbered = behind.iter().zip(1..).filter(|(behind, _)| !behind.chance && !surely_writes(&behind.block));
        let unwritten: Vec<i64> = numbered.map(|(_, number)| number).collect();
        let place =
            std::iter::once(block).chain(by_players).find_map(|block| self.doubts_in_plies(block, &read, &unwritten));
        self.continuations.lowered = behind;
        let Some(place) = place else { return Ok(()) };
        let span = self.tables.places.get(usize::from(place.0)).map(|site| site.span);
        Err(Unplanned { why: "alternatives without labels that may begin with the same ply", span })
    }

    /// `last` and the like are empty; nothing has been touched.
    pub fn begin_turn(&mut self) {
        let Words { last, origin, passed, heading, caught } = self.words;
        let none = self.constant(Fixed::NONE);
        for d in [last, origin, passed, caught] {
            self.emit(TreeOp::Copy { d, a: none });
        }
        self.emit(TreeOp::Const { d: heading, k: 0 });
        self.open_turn();
        for copies in self.touched.clone() {
            copies.into_iter().flatten().for_each(|d| self.emit(TreeOp::Const { d, k: 0 }));
        }
        self.men_at_start.clear();
        if self.game.asks.changed {
            let layout = &self.layout;
            let of_kinds = layout.kinds.iter().filter_map(|set| match set {
                KindSet::Register(reg) => Some(*reg),
                KindSet::AllOwned | KindSet::AllNeutral => None,
            });
            let stacks = layout.stacks.into_iter().flat_map(Stacks::all);
            let men: Vec<SetReg> =
                layout.of.iter().copied().chain(layout.neutral).chain(of_kinds).chain(stacks).collect();
            for a in men {
                let d = self.fresh.set();
                self.emit(TreeOp::Copy { d, a });
                self.men_at_start.push((a, d));
            }
        }
        self.scope.still = true;
        self.forget();
    }

    /// A word that a move leaves behind: nothing while the turn has not moved.
    pub fn word(&mut self, word: impl Fn(Words) -> SetReg) -> Cells {
        self.routines.reads_words = true;
        if self.scope.still { self.none() } else { Cells::In(word(self.words)) }
    }

    /// The direction of the turn's last move, or of the line that is walked.
    pub fn heading(&mut self) -> Num {
        self.routines.reads_words |= self.scope.walking.is_none();
        match self.scope.walking {
            Some(dir) => Num::Fixed(1 << dir.0),
            None if self.scope.still => Num::Fixed(0),
            None => Num::In(self.words.heading),
        }
    }
}
