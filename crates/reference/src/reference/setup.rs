//! Set-ups: a program whose choices are drawn or numbered goes in; the first position comes out.

use crate::board::{Cell, CellSet, Player};
use crate::model::{Game, Picture};
use crate::position::{Fault, FaultKind, Man, Position};
use crate::source::Span;

use crate::reference::run::Goal;
use crate::reference::search::Flow;
use crate::reference::{Executor, Machine, Setup, SetupError};

impl<'g> Machine<'g, '_> {
    /// `mirror` and `rotate`: every other player gets what the first has.
    pub fn give_to_others(&mut self, rotate: bool, span: Span) -> Result<Flow, Fault> {
        let first = Player(0);
        let men = self.men_of(first);
        for other in self.game.players().skip(1) {
            for &(cell, man) in &men {
                let Some(to) = self.image(cell, first, other, rotate) else { continue };
                let man = Man { owner: Some(other), ..man };
                self.expect_room(&CellSet::one(to), 1, span)?;
                if !self.position.put(to, man) {
                    return Err(Fault::new(FaultKind::TwoMen(to), span));
                }
                self.position.copy_marks(cell, to, first, other);
            }
            self.copy_hand(first, other, span)?;
        }
        self.next()
    }

    fn men_of(&self, player: Player) -> Vec<(Cell, Man)> {
        let men = |cell: Cell| self.position.men(cell).iter().map(move |&man| (cell, man));
        let all = self.game.topology.cells().flat_map(men);
        all.filter(|(_, man)| man.owner == Some(player)).collect()
    }

    /// Where a man of `from` stands when `to` gets him; `None` in games without forwards.
    fn image(&self, cell: Cell, from: Player, to: Player, rotate: bool) -> Option<Cell> {
        let (from, to) = (self.game.player(from).forward?, self.game.player(to).forward?);
        let topology = &self.game.topology;
        if rotate { topology.rotated(cell, from, to) } else { topology.mirrored(cell, from, to) }
    }

    fn copy_hand(&mut self, from: Player, to: Player, span: Span) -> Result<(), Fault> {
        for kind in (0..self.game.kinds.len() as u8).map(crate::board::Kind) {
            let count = i64::from(self.position.hand(from, kind));
            if count > 0 && !self.position.add_to_hand(to, kind, count) {
                return Err(Fault::new(FaultKind::Overflow, span));
            }
        }
        Ok(())
    }

    pub fn draw(&mut self, picture: &'g Picture, span: Span) -> Result<Flow, Fault> {
        for &(cell, owner, kind) in &picture.men {
            self.expect_room(&CellSet::one(cell), 1, span)?;
            if !self.position.put(cell, Man { owner, kind }) {
                return Err(Fault::new(FaultKind::TwoMen(cell), span));
            }
        }
        self.next()
    }

    /// Takes the first values of all remembered values, each for its player.
    fn take_first_values(&mut self) -> Result<(), Fault> {
        for (index, state) in self.game.states.iter().enumerate() {
            for player in self.game.players().take(if state.per_player { usize::MAX } else { 1 }) {
                self.run.clear();
                self.run.context.own = player;
                self.run.locals.resize(state.frame, crate::position::Value::Truth(false));
                let value = self.value(&state.first)?;
                self.position.set_value(crate::model::StateId(index as u16), player, value);
            }
        }
        Ok(())
    }
}

/// Nobody can cut a set-up into plies: its bounds are told by themselves.
fn of_setup(fault: Fault) -> Fault {
    let kind = match fault.kind {
        FaultKind::Plies => FaultKind::SetupPlies,
        FaultKind::Work => FaultKind::SetupWork,
        kind => kind,
    };
    Fault { kind, ..fault }
}

impl Executor {
    /// The empty board, every remembered value at its first value: where set-ups and reading a
    /// position begin.
    pub fn empty(&mut self, game: &Game) -> Result<Position, Fault> {
        let mut position = Position::empty(game);
        self.machine(game, &mut position).take_first_values()?;
        position.fix_first_values();
        Ok(position)
    }

    /// A set-up, settled: history begins with it. A drawn one that dies goes back to its latest
    /// draw that has other options.
    pub fn start(&mut self, game: &Game, setup: Setup<'_>) -> Result<Position, SetupError> {
        let mut position = self.empty(game)?;
        let mut machine = self.machine(game, &mut position);
        let (goal, number) = match setup {
            Setup::Random(rng) => {
                machine.rng = Some(rng);
                (Goal::Drawn, 0)
            }
            Setup::Number(number) => (Goal::Numbered, number),
        };
        let completed = machine.explore(game.setup, Player(0), goal, number).map_err(of_setup)?;
        let regs = machine.run.regs;
        if !completed {
            return Err(SetupError::Dies);
        }
        if regs.number > 0 {
            return Err(SetupError::OutOfRange { number, count: regs.numbers });
        }
        position.settle();
        Ok(position)
    }

    /// Where the men of a position stand, a mid-turn one's as they are after the plies made so far.
    pub fn position_now(&mut self, game: &Game, position: &Position) -> Result<Position, Fault> {
        let mut now = position.clone();
        if now.begun().is_empty() {
            return Ok(now);
        }
        let (program, own) = (crate::reference::program(game, &now), now.to_move());
        let found = self.machine(game, &mut now).explore(program, own, Goal::Now, 0)?;
        debug_assert!(found, "the plies begun came from a listing");
        Ok(now)
    }
}
