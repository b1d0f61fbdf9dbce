//! Scalar fallback: lanes go in whose turn, or whose terminal test, the scalar executor plays; they
//! come out as it leaves them.

use crate::board::Player;
use crate::interp::GameState;
use crate::position::{Fault, Outcome, Position};
use crate::simd::{Simd, WIDE};
use crate::simt::analysis::write_set::WriteSet;
use crate::simt::interface::Games;
use crate::simt::registers::{LaneMask, of_lane, words};
use crate::simt::rng::LaneRng;
use crate::simt::scheduler::{Common, Warp};
use crate::simt::state::WarpState;
use crate::simt::turn_queue::Turn;

/// How a lane's turn went that was played alone.
enum Alone {
    Goes,
    Ended(Option<Outcome>),
    Fault(Fault, Box<Position>),
}

impl<V: Simd, const W: usize, const K: usize> Warp<V, W, K> {
    /// Where `end` took for granted that a player can move who then passed, it is asked again of
    /// where his turn began, alone. A run without a choice is the only one: of a turn behind the
    /// opening it shows that he is stuck.
    pub fn judge_passes(
        &mut self,
        common: &mut Common,
        (player, changes): (Player, &WriteSet),
        shows: bool,
        games: &mut dyn Games,
    ) {
        let who = &self.lanes.who;
        let (doubted, chosen) = (who.doubted, who.drawn.or(who.again_drawn));
        if doubted.is_empty() {
            return;
        }
        for (i, lane) in doubted.each() {
            let sets = |lanes: &WarpState<V, W, K>, reg: usize| {
                let changed = changes.sets.binary_search(&reg).is_ok();
                of_lane(if changed { &lanes.before.0[reg][i] } else { &lanes.file.sets[reg][i] }, lane)
            };
            let numbers = |lanes: &WarpState<V, W, K>, reg: usize| {
                let changed = changes.numbers.binary_search(&reg).is_ok();
                (if changed { lanes.before.1[reg][i].0[lane] } else { lanes.file.numbers[reg][i].0[lane] }) as i64
            };
            self.hand_over_from(common, (i, lane), sets, numbers);
            let stuck = (shows && !chosen.has(i, lane)).then_some(player);
            let judged = self.judge_again(common, i, lane, stuck);
            if judged != Ok(None) {
                self.lanes.who.done.drop(i, lane);
                self.tell(common, i, lane, judged.map_err(|fault| (fault, Box::new(common.runner.position()))), games);
            }
        }
    }

    /// Asks `end` of the game that was handed over, and takes back what it knows of the past;
    /// `stuck`: a player of whom that is known.
    pub fn judge_again(
        &mut self,
        common: &mut Common,
        i: usize,
        lane: usize,
        stuck: Option<Player>,
    ) -> Result<Option<Outcome>, Fault> {
        let judged = common.runner.evaluate_end_after(Player(self.lanes.at[i].mover.0[lane] as u8), stuck);
        let outcome = common.runner.outcome();
        if self.lanes.shared.asks_past() {
            common.runner.export_state(&mut common.hand);
            std::mem::swap(&mut common.hand.history, &mut self.lanes.histories[i * WIDE + lane]);
        }
        self.lanes.who.asked.drop(i, lane);
        self.lanes.who.unsure.drop(i, lane);
        judged.map(|()| outcome)
    }

    /// Hands a lane's game to the scalar executor.
    pub fn hand_over(&mut self, common: &mut Common, i: usize, lane: usize) {
        let sets = |lanes: &WarpState<V, W, K>, reg: usize| lanes.file.get(reg, i, lane);
        let numbers =
            |lanes: &WarpState<V, W, K>, reg: usize| lanes.file.number(crate::plan::NumReg(reg as u16), i, lane);
        self.hand_over_from(common, (i, lane), sets, numbers);
    }

    /// Hands a lane's game to the scalar executor, with these registers.
    fn hand_over_from(
        &mut self,
        common: &mut Common,
        (i, lane): (usize, usize),
        sets: impl Fn(&WarpState<V, W, K>, usize) -> [u64; W],
        numbers: impl Fn(&WarpState<V, W, K>, usize) -> i64,
    ) {
        let lanes = &mut self.lanes;
        let hand = &mut common.hand;
        hand.sets.clear();
        for reg in 0..lanes.shared.persistent.0 {
            hand.sets.extend_from_slice(&sets(lanes, reg)[..lanes.shared.set_words]);
        }
        hand.numbers.clear();
        for reg in 0..lanes.shared.persistent.1 {
            hand.numbers.push(numbers(lanes, reg));
        }
        let turn = lanes.turns.of(i, lane).expect("a game that is played on waits for a turn");
        (hand.to_move, hand.opening) = (turn.player(), turn.opening());
        (hand.turns, hand.outcome) = (lanes.at[i].turns.0[lane], None);
        if self.lanes.shared.asks_past() {
            std::mem::swap(&mut common.hand.history, &mut self.lanes.histories[i * WIDE + lane]);
        }
        common.runner.import_state(&mut common.hand);
    }

    /// Plays the turns of those lanes that cannot go on in lock step.
    pub fn play_alone(&mut self, common: &mut Common, games: &mut dyn Games) {
        let alone = self.lanes.who.alone;
        if alone.is_empty() {
            return;
        }
        // These have one turn more than what has been looked at.
        self.lanes.unhurried = self.lanes.unhurried.saturating_sub(1);
        for (i, lane) in alone.each() {
            let went = self.turn_alone(common, i, lane);
            let who = &mut self.lanes.who;
            for kept in [&mut who.again_drawn, &mut who.asked, &mut who.unsure] {
                kept.drop(i, lane);
            }
            let long = self.lanes.at[i].turns.0[lane] >= common.max_turns;
            match went {
                Alone::Goes if long => self.tell(common, i, lane, Ok(None), games),
                Alone::Goes => {}
                Alone::Ended(outcome) => self.tell(common, i, lane, Ok(outcome), games),
                Alone::Fault(fault, position) => self.tell(common, i, lane, Err((fault, position)), games),
            }
        }
    }

    fn turn_alone(&mut self, common: &mut Common, i: usize, lane: usize) -> Alone {
        let at = i * WIDE + lane;
        self.hand_over(common, i, lane);
        let mut rng = self.lanes.at[i].begun.get(lane);
        let asked = self.lanes.who.asked.has(i, lane);
        let before = Player(self.lanes.at[i].mover.0[lane] as u8);
        let mut played = Ok(None);
        if asked {
            played = common.runner.evaluate_end_after(before, None).map(|()| None);
        }
        if played.is_ok() && common.runner.outcome().is_none() {
            played = common.runner.one_turn(&mut rng);
        }
        common.runner.export_state(&mut common.hand);
        if self.lanes.shared.asks_past() {
            std::mem::swap(&mut common.hand.history, &mut self.lanes.histories[at]);
        }
        if let Err(fault) = played {
            // The lane stands where the turn began.
            self.hand_over(common, i, lane);
            return Alone::Fault(fault, Box::new(common.runner.position()));
        }
        if let Ok(Some(runs)) = played {
            let lanes = &mut self.lanes;
            lanes.at[i].tries.0[lane] = 0;
            lanes.at[i].turns.0[lane] = common.hand.turns;
            lanes.at[i].choices.0[lane] = lanes.at[i].choices.0[lane].saturating_add(runs.count);
            if runs.estimated {
                lanes.who.estimated.add(i, lane);
            }
        }
        if common.hand.outcome.is_some() {
            return Alone::Ended(common.hand.outcome);
        }
        self.lanes.at[i].lots = self.begun_lane(i, lane);
        self.lanes.at[i].lots.catch_up(lane, &rng);
        self.lanes.put_game(i, lane, &common.hand);
        Alone::Goes
    }

    /// The lots of a chunk with one lane where it stood when the turn began.
    fn begun_lane(&self, i: usize, lane: usize) -> LaneRng {
        let mut lots = self.lanes.at[i].lots;
        for (now, begun) in lots.0.iter_mut().zip(&self.lanes.at[i].begun.0) {
            now.0[lane] = begun.0[lane];
        }
        lots
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Puts a game into a lane's registers.
    pub fn put_game(&mut self, i: usize, lane: usize, hand: &GameState) {
        // The scalar executor may do with fewer words.
        let words = hand.sets.len() / self.shared.persistent.0.max(1);
        for (reg, set) in hand.sets.chunks_exact(words.max(1)).enumerate() {
            let to = &mut self.file.sets[reg][i];
            words!(word => {
                to[word].0[lane] = set.get(word).copied().unwrap_or(0);
            });
        }
        for (reg, &number) in hand.numbers.iter().enumerate() {
            self.file.put_number(crate::plan::NumReg(reg as u16), i, lane, number);
        }
        self.turns.go_on(LaneMask::one(i, lane), Turn::new(hand.to_move, hand.opening));
    }
}
