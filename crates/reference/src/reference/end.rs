//! End of a turn: a position goes in; what leaves and ages, who is next, and whether the game is
//! over come out; and `stuck`, which `end` asks.

use crate::board::{CellSet, Player, PlayerSet};
use crate::model;
use crate::model::Expr;
use crate::position::{Fault, FaultKind, MAX_SUPPOSED, Outcome, Value};

use crate::reference::Machine;
use crate::reference::run::{Goal, Words};
use crate::reference::value::compare_lists;

/// Which outcomes are asked.
#[derive(Clone, Copy, Debug)]
pub struct Judging {
    /// Also those that ask `times`, `cycle` or a value that is not compared.
    pub history: bool,
    /// Also draws.
    pub draws: bool,
}

impl Judging {
    fn asks(self, outcome: &model::Outcome) -> bool {
        (self.history || !outcome.asks_history || !outcome.parts_ask_history.is_empty())
            && (self.draws || !matches!(outcome.result, model::Result::Draw))
    }
}

impl<'g> Machine<'g, '_> {
    /// The run at hand has ended its turn: caught men leave, values age, the next seat is to move.
    /// History and outcome are left.
    pub fn pass_turn(&mut self) {
        let own = self.run.context.own;
        self.position.leave_waiting();
        self.position.age_values(own);
        let next = if self.run.regs.again { own } else { Player((own.0 + 1) % self.game.seats.len() as u8) };
        let regs = &self.run.regs;
        let plies = regs.plies + u32::from(regs.is_chosen()) - regs.chance_plies;
        self.position.pass_turn(next, plies);
    }

    /// Asks the outcomes in order, for the player who has just moved.
    pub fn judge(&mut self, judging: Judging) -> Result<(), Fault> {
        let own = self.run.context.own;
        for (index, outcome) in self.game.end.iter().enumerate() {
            if !judging.asks(outcome) {
                continue;
            }
            if let Some(winners) = self.ask(outcome, judging, own)? {
                self.cover(outcome.branch);
                self.position.decide(Outcome { winners, by: index });
                return Ok(());
            }
        }
        Ok(())
    }

    /// Who wins if the outcome holds.
    fn ask(&mut self, outcome: &'g model::Outcome, judging: Judging, own: Player) -> Result<Option<PlayerSet>, Fault> {
        self.place = outcome.span;
        self.run.locals.clear();
        self.run.locals.resize(outcome.frame, Value::Truth(false));
        self.run.context = crate::reference::run::Context { own, ended: true, ..Default::default() };
        let holds = match &outcome.condition {
            model::Truth::Or(parts) if !judging.history && outcome.asks_history => {
                let mut asked = parts.iter().zip(&outcome.parts_ask_history).filter(|(_, asks)| !**asks);
                asked.try_fold(false, |holds, (part, _)| Ok::<_, Fault>(holds || self.truth(part)?))?
            }
            condition => self.truth(condition)?,
        };
        Ok(if holds { Some(self.winners(&outcome.result, own)?) } else { None })
    }

    /// Asks the outcomes of a position whose last turn is not known, as if the player of the seat
    /// before had just moved. Where an outcome asks what that turn did, each of his men may have
    /// been `last`: a win holds if it does for one of them, a loss or a draw if for all. What comes
    /// to a fault does not hold.
    pub fn judge_read(&mut self, judging: Judging) {
        let own = self.seat_before();
        for (index, outcome) in self.game.end.iter().enumerate() {
            if !judging.asks(outcome) {
                continue;
            }
            let men = if outcome.asks_turn { *self.position.of(own) } else { CellSet::EMPTY };
            let lasts = if men.is_empty() { vec![men] } else { men.iter().map(CellSet::one).collect() };
            let answers: Vec<Option<PlayerSet>> = lasts
                .into_iter()
                .map(|last| {
                    self.run.words = Words { last, ..Words::default() };
                    self.ask(outcome, judging, own).unwrap_or(None)
                })
                .collect();
            let win = answers.iter().flatten().find(|winners| winners.contains(own)).copied();
            let agreed = answers[0].filter(|_| answers.iter().all(|answer| *answer == answers[0]));
            if let Some(winners) = win.or(agreed) {
                self.position.decide(Outcome { winners, by: index });
                return;
            }
        }
    }

    /// The player before the one to move, in turn order.
    fn seat_before(&self) -> Player {
        let seats = self.game.seats.len() as u8;
        Player((self.position.to_move().0 + seats - 1) % seats)
    }

    pub fn winners(&mut self, result: &'g model::Result, own: Player) -> Result<PlayerSet, Fault> {
        Ok(match result {
            model::Result::Win => self.game.player(own).team,
            model::Result::Lose => self.game.enemies(own),
            model::Result::Draw => PlayerSet::EMPTY,
            model::Result::Wins(player) => self.game.player(*player).team,
            model::Result::Highest(values) => self.highest(values)?,
        })
    }

    /// The team of the best; nobody if the best are of two teams.
    fn highest(&mut self, values: &'g [Expr]) -> Result<PlayerSet, Fault> {
        let mut best: Option<(Vec<Vec<i64>>, PlayerSet)> = None;
        for player in self.game.players() {
            self.run.context.own = player;
            let score = values.iter().map(|value| self.score(value)).collect::<Result<Vec<_>, _>>()?;
            let order =
                best.as_ref().map_or(std::cmp::Ordering::Greater, |(highest, _)| compare_scores(&score, highest));
            match (order, &mut best) {
                (std::cmp::Ordering::Equal, Some((_, players))) => players.insert(player),
                (std::cmp::Ordering::Greater, _) => best = Some((score, PlayerSet::one(player))),
                _ => {}
            }
        }
        let players = best.map_or(PlayerSet::EMPTY, |(_, players)| players);
        let team = players.min().map_or(PlayerSet::EMPTY, |player| self.game.player(player).team);
        Ok(if players.is_within(&team) { team } else { PlayerSet::EMPTY })
    }

    fn score(&mut self, value: &'g Expr) -> Result<Vec<i64>, Fault> {
        Ok(match self.value(value)? {
            Value::Number(number) => vec![number],
            Value::List(list) => list,
            _ => Vec::new(),
        })
    }

    /// Asks something of the position as if the turn ended here: in `end` it has, within a turn that is
    /// supposed. The position is then as before.
    pub fn at_end_of_turn<T>(&mut self, ask: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.run.context.ended {
            return ask(self);
        }
        if self.supposed == MAX_SUPPOSED {
            return Err(Fault::new(FaultKind::Supposed, self.place_of_author()));
        }
        self.supposed += 1;
        let mark = self.position.mark();
        self.pass_turn();
        self.position.note();
        let answer = ask(self);
        self.position.undo_to(mark);
        self.supposed -= 1;
        answer
    }

    /// Each of the players, were it his turn now, would have no complete run of `move` but a pass.
    pub fn all_stuck(&mut self, players: PlayerSet) -> Result<bool, Fault> {
        for player in players.iter() {
            if !self.is_stuck(player)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `end` asks it once for each player, as it does not change the position.
    fn is_stuck(&mut self, player: Player) -> Result<bool, Fault> {
        let ended = self.run.context.ended;
        if ended && let Some(&(_, stuck)) = self.stuck.iter().find(|(known, _)| *known == player) {
            return Ok(stuck);
        }
        let mut inner = self.spare.pop().unwrap_or_default();
        std::mem::swap(self.run, &mut inner);
        let mark = self.position.mark();
        let found = self.explore(self.game.turn, player, Goal::ExistsActing, 0);
        self.position.undo_to(mark);
        std::mem::swap(self.run, &mut inner);
        self.spare.push(inner);
        let stuck = !found?;
        if ended {
            self.stuck.push((player, stuck));
        }
        Ok(stuck)
    }

    /// The player to move has no complete run. In the position that play begins with, no turn has
    /// asked `end` yet: it is asked now, as if the player of the seat before had just moved.
    /// Otherwise, or if no outcome holds, this is a fault.
    pub fn expect_outcome(&mut self) -> Result<(), Fault> {
        if self.position.turns() == 0 {
            self.run.words = Words::default();
            self.run.context.own = self.seat_before();
            self.judge(Judging { history: true, draws: true })?;
        }
        if self.position.is_over() { Ok(()) } else { Err(self.stuck_fault()) }
    }

    /// The player to move has no complete run and the game is not over.
    fn stuck_fault(&self) -> Fault {
        let span = self.game.end.first().map_or(crate::source::Span::NOWHERE, |outcome| outcome.span);
        Fault::new(FaultKind::Stuck(self.position.to_move()), span)
    }
}

fn compare_scores(a: &[Vec<i64>], b: &[Vec<i64>]) -> std::cmp::Ordering {
    a.iter().zip(b).fold(std::cmp::Ordering::Equal, |order, (a, b)| order.then_with(|| compare_lists(a, b)))
}
