//! Program lowering: the programs of a game go in, one by one; blocks come out with what stands at
//! their beginning, and what they need of the game.

use crate::board::{Kind, Player};
use crate::model;
use crate::model::Game;
use crate::plan::lower::{Cells, Fixed, Lowered, Lowering, Num, Value, Words, unplanned};
use crate::plan::op::Op;
use crate::plan::regs::SetReg;
use crate::plan::tree::{Ambiguity, Argmax, Block};

impl<'g> Lowering<'g> {
    pub(crate) fn program(
        &mut self,
        player: Player,
        frame: usize,
        body: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<Block> {
        self.own = player;
        self.here = None;
        self.walking = None;
        self.still = false;
        self.forget();
        self.frames = vec![vec![Value::Unset; frame]];
        self.frame = 0;
        let block = self.block(body)?;
        if self.fresh.is_spent() { unplanned("more values than there are registers") } else { Ok(block) }
    }

    pub(crate) fn turn(&mut self, player: Player, program: model::Program) -> Lowered<Block> {
        self.ended = false;
        let block = self.game.block(program.block);
        self.expect_one_contest(block)?;
        let block = self.program(player, program.frame, |lowering| {
            lowering.begin_turn();
            lowering.statements(block)
        })?;
        let why = Ambiguity::ALTERNATIVES;
        self.in_doubt = self.in_doubt.or_else(|| Some(Ambiguity { place: self.doubts(&block)?, why }));
        Ok(block)
    }

    /// `last` and the like are empty; nothing has been touched.
    fn begin_turn(&mut self) {
        let Words { last, origin, passed, heading, caught } = self.words;
        let none = self.constant(Fixed::NONE);
        for d in [last, origin, passed, caught] {
            self.emit(Op::Copy { d, a: none });
        }
        self.emit(Op::Const { d: heading, k: 0 });
        self.contest.into_iter().for_each(|Argmax { value: d }| self.emit(Op::Const { d, k: Argmax::NONE }));
        for copies in self.touched.clone() {
            copies.into_iter().flatten().for_each(|d| self.emit(Op::Const { d, k: 0 }));
        }
        self.still = true;
        self.forget();
    }

    /// A word that a move leaves behind: nothing while the turn has not moved.
    pub(crate) fn word(&self, word: impl Fn(Words) -> SetReg) -> Cells {
        if self.still { self.none() } else { Cells::In(word(self.words)) }
    }

    /// The direction of the turn's last move, or of the line that is walked.
    pub(crate) fn heading(&self) -> Num {
        match self.walking {
            Some(dir) => Num::Fixed(1 << dir.0),
            None if self.still => Num::Fixed(0),
            None => Num::In(self.words.heading),
        }
    }
}

/// Whether a run of the game can die behind a choice.
pub(crate) fn needs(game: &Game) -> bool {
    game.blocks.iter().flatten().any(|statement| matches!(statement, model::Statement::Need { .. }))
}

/// By kind: whether the game ever places a man of nobody of it.
pub(crate) fn placed_for_nobody(game: &Game) -> Vec<bool> {
    use model::{Place, Statement};
    let mut placed = vec![false; game.kinds.len()];
    for statement in game.blocks.iter().flatten() {
        match statement {
            Statement::Place { place: Place::On { men, .. }, .. } => {
                men.iter().filter(|man| man.neutral).for_each(|man| placed[man.kind.index()] = true);
            }
            Statement::Picture { picture, .. } => {
                let men = picture.men.iter().filter(|(_, owner, _)| owner.is_none());
                men.for_each(|(_, _, kind)| placed[kind.index()] = true);
            }
            _ => {}
        }
    }
    placed
}

/// Of which men, by player and kind, there is one alone when a game begins, as far as the
/// statements tell that set it up.
pub(crate) fn lone(game: &Game) -> Vec<(Player, Kind)> {
    use model::{Place, Statement};
    let mut counts = vec![0; game.seats.len() * game.kinds.len()];
    let mut count =
        |player: Player, kind: Kind, men: usize| counts[player.index() * game.kinds.len() + kind.index()] += men;
    for statement in game.block(game.setup.block) {
        match statement {
            Statement::Place { place: Place::On { men, cells, .. }, .. } => {
                let cells = if let model::Cells::Fixed(cells) = cells { cells.iter().count() } else { 1 };
                men.iter().for_each(|man| game.players().for_each(|player| count(player, man.kind, cells)));
            }
            Statement::Place { place: Place::InHand { man, .. }, .. } => {
                game.players().for_each(|player| count(player, man.kind, 2));
            }
            Statement::Picture { picture, .. } => {
                picture
                    .men
                    .iter()
                    .for_each(|(_, owner, kind)| owner.iter().for_each(|player| count(*player, *kind, 1)));
            }
            _ => {}
        }
    }
    let men = game.players().flat_map(|player| (0..game.kinds.len()).map(move |kind| (player, Kind(kind as u8))));
    men.zip(counts).filter(|(_, count)| *count == 1).map(|(man, _)| man).collect()
}

/// Whether the game ever has men in hand.
pub(crate) fn uses_hands(game: &Game) -> bool {
    use model::{Place, Statement};
    game.captures == model::Captures::ToHand
        || game.blocks.iter().flatten().any(|statement| match statement {
            Statement::Place { place: Place::InHand { .. }, .. } => true,
            Statement::Place { place: Place::On { from_hand, .. }, .. } => *from_hand,
            Statement::Remove { to_hand, .. } => *to_hand,
            _ => false,
        })
}
