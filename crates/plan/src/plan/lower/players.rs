//! Player lowering: players go in, whom a name, a define or a condition may decide at play; their bits come out, or the sets
//! that they may be.

use crate::board::Player;
use crate::model;
use crate::model::Expr;
use crate::plan::lower::condition::never_stops;
use crate::plan::lower::context::Lowering;
use crate::plan::lower::game_facts;
use crate::plan::lower::values::{Lowered, Num, Value, unplanned};
use crate::plan::op::TreeOp;

impl<'g> Lowering<'g> {
    /// Players, a bit for each.
    pub fn players(&mut self, players: &'g model::Players) -> Lowered<Num> {
        use model::Players;
        let bits = |set: &crate::board::PlayerSet| Num::Fixed(set.words()[0] as i64);
        Ok(match players {
            Players::Fixed(set) => bits(set),
            Players::Own => Num::Fixed(1 << self.scope.own.0),
            Players::Enemy => bits(&self.game.enemies(self.scope.own)),
            Players::Ally => bits(&self.game.allies(self.scope.own)),
            Players::Local(slot) => match self.local(*slot) {
                Value::Players(set) => set,
                Value::Later(Expr::Players(players), frame) => {
                    self.in_other_frame(frame, |lowering| lowering.players(players))?
                }
                _ => return unplanned("a name of no players"),
            },
            Players::Call(call) => self.call(call, |lowering, body| match lowering.value(body)? {
                Value::Players(set) => Ok(set),
                _ => unplanned("a name of no players"),
            })?,
            Players::If(choice) => {
                self.if_num(&choice.condition, |l| l.players(&choice.then), |l| l.players(&choice.otherwise))?
            }
        })
    }

    /// Players as sets that are known, each with whether it belongs to them.
    pub fn players_at_play(&mut self, players: &'g model::Players) -> Lowered<Vec<(Num, u8)>> {
        use model::Players;
        match players {
            Players::If(choice) => {
                let spot = self.spot();
                let holds = self.truth(&choice.condition)?;
                let (begun, mut all) = (self.out.len(), Vec::new());
                for (players, holds) in [(&choice.then, holds), (&choice.otherwise, self.not(holds))] {
                    if holds != Num::Fixed(0) {
                        let branch = self.players_at_play(players)?;
                        all.extend(branch.into_iter().map(|(one, players)| (self.both_truths(holds, one), players)));
                    }
                }
                // What may fault in a branch is asked only where that is taken.
                if matches!(holds, Num::In(_)) && !never_stops(&self.out[begun..]) {
                    self.back_to(spot);
                    return self.by_player(players);
                }
                Ok(all)
            }
            Players::Local(slot) => match self.local(*slot) {
                Value::Later(Expr::Players(players), frame) => {
                    self.in_other_frame(frame, |lowering| lowering.players_at_play(players))
                }
                _ => self.by_player(players),
            },
            Players::Call(call) => self.call(call, |lowering, body| match body {
                Expr::Players(players) => lowering.players_at_play(players),
                _ => unplanned("a name of no players"),
            }),
            _ => self.by_player(players),
        }
    }

    fn by_player(&mut self, players: &'g model::Players) -> Lowered<Vec<(Num, u8)>> {
        let players = self.players(players)?;
        Ok(self.sets_of_players(players))
    }

    /// Players as the set that they are, or each player by himself, if they are known only at play.
    pub fn sets_of_players(&mut self, players: Num) -> Vec<(Num, u8)> {
        let a = match players {
            Num::Fixed(set) => return vec![(Num::Fixed(1), set as u8)],
            Num::In(a) => a,
        };
        let all = self.game.players();
        all.map(|player| {
            let bit = u16::from(player.0);
            (Num::In(self.number_op(|d| TreeOp::TestBit { d, a, bit })), 1 << bit)
        })
        .collect()
    }

    /// A player belongs to some of these sets.
    pub fn belongs(&mut self, player: Player, sets: &[(Num, u8)]) -> Num {
        let his = sets.iter().filter(|(_, set)| set >> player.0 & 1 == 1);
        his.fold(Num::Fixed(0), |belongs, (holds, _)| self.either(belongs, *holds))
    }

    /// Players are somebody, whatever is known only at play.
    pub fn is_somebody(&self, players: &model::Players) -> bool {
        self.names_are_somebody && game_facts::is_somebody(self.game, players)
    }

    /// The first of some players, in their order: who it may be, and whether he is.
    pub fn first_player(&mut self, players: &'g model::Players) -> Lowered<Vec<(Num, Player)>> {
        let sets = self.players_at_play(players)?;
        let (mut first, mut none_before) = (Vec::new(), Num::Fixed(1));
        for player in self.game.players() {
            let belongs = self.belongs(player, &sets);
            let is_first = self.both_truths(none_before, belongs);
            first.extend((is_first != Num::Fixed(0)).then_some((is_first, player)));
            let other = self.not(belongs);
            none_before = self.both_truths(none_before, other);
        }
        Ok(first)
    }

    pub fn each_player(&self, players: u8) -> impl Iterator<Item = Player> + use<> {
        (0..8).filter(move |player| players >> player & 1 == 1).map(Player)
    }
}
