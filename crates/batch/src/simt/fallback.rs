//! Scalar fallback: lanes go in whose turn, or whose terminal test, the scalar executor plays; they
//! come out as it leaves them.

use crate::board::Player;
use crate::interp::{Flags, GameState};
use crate::plan::NumReg;
use crate::position::{Fault, Outcome, Position};
use crate::simd::{Simd, WIDE};
use crate::simt::code::WriteSet;
use crate::simt::interface::Games;
use crate::simt::registers::{LaneMask, of_lane, words};
use crate::simt::rng::LaneRng;
use crate::simt::scheduler::{Common, Warp};
use crate::simt::state::WarpState;
use crate::simt::state::flags::TurnFlags;
use crate::simt::turn_queue::Turn;

/// How a lane's turn went that fell back to the scalar executor.
enum Fallback {
    Goes,
    Ended(Option<Outcome>),
    Fault(Fault, Box<Position>),
}

impl<V: Simd, const W: usize, const K: usize> Warp<V, W, K> {
    /// Where `end` assumed that a player can move who then passed, it is asked again of where his
    /// turn began, alone. A run without a choice is the only one: of a turn behind the opening it
    /// shows that he is stuck.
    pub fn verify_speculations(
        &mut self,
        common: &mut Common,
        (player, changes): (Player, &WriteSet),
        shows: bool,
        games: &mut dyn Games,
    ) {
        let flags = &self.lanes.flags;
        let (unverified, chosen) = (flags.unverified, flags.drawn.or(flags.again_drawn));
        if unverified.is_empty() {
            return;
        }
        for (i, lane) in unverified.each() {
            let sets = |lanes: &WarpState<V, W, K>, reg: usize| {
                let changed = changes.sets.binary_search(&reg).is_ok();
                of_lane(if changed { &lanes.turn.before.0[reg][i] } else { &lanes.file.sets[reg][i] }, lane)
            };
            let numbers = |lanes: &WarpState<V, W, K>, reg: usize| {
                let changed = changes.numbers.binary_search(&reg).is_ok();
                (if changed { lanes.turn.before.1[reg][i].0[lane] } else { lanes.file.numbers[reg][i].0[lane] }) as i64
            };
            self.export_lane_from(common, (i, lane), sets, numbers);
            let stuck = (shows && !chosen.has(i, lane)).then_some(player);
            let evaluated = self.evaluate_end_again(common, i, lane, stuck);
            if evaluated != Ok(None) {
                self.lanes.flags.done.drop(i, lane);
                self.report_game(
                    common,
                    i,
                    lane,
                    evaluated.map_err(|fault| (fault, Box::new(common.runner.position()))),
                    games,
                );
            }
        }
    }

    /// Asks `end` of the game that was handed over, and takes back what it knows of the past;
    /// `stuck`: a player of whom that is known.
    pub fn evaluate_end_again(
        &mut self,
        common: &mut Common,
        i: usize,
        lane: usize,
        stuck: Option<Player>,
    ) -> Result<Option<Outcome>, Fault> {
        let evaluated = common.runner.evaluate_end_after(self.mover(i, lane), stuck);
        let outcome = common.runner.outcome();
        if self.lanes.shared.asks_past() {
            common.runner.export_state(&mut common.snapshot);
            std::mem::swap(&mut common.snapshot.history, &mut self.lanes.histories[i * WIDE + lane]);
        }
        self.lanes.flags.asked.drop(i, lane);
        self.lanes.flags.unsure.drop(i, lane);
        evaluated.map(|()| outcome)
    }

    /// Hands a lane's game to the scalar executor.
    pub fn export_lane(&mut self, common: &mut Common, i: usize, lane: usize) {
        let sets = |lanes: &WarpState<V, W, K>, reg: usize| lanes.file.get(reg, i, lane);
        let numbers = |lanes: &WarpState<V, W, K>, reg: usize| lanes.file.number(NumReg(reg as u16), i, lane);
        self.export_lane_from(common, (i, lane), sets, numbers);
    }

    /// Hands a lane's game to the scalar executor as it was when the turn began: the lane stands there, or where the part of
    /// the turn began.
    fn export_turn_start(&mut self, common: &mut Common, i: usize, lane: usize) {
        if !self.lanes.turns.suspended().has(i, lane) {
            return self.export_lane(common, i, lane);
        }
        let sets = |lanes: &WarpState<V, W, K>, reg: usize| of_lane(&lanes.turn.turn_start.0[reg][i], lane);
        let numbers = |lanes: &WarpState<V, W, K>, reg: usize| lanes.turn.turn_start.1[reg][i].0[lane] as i64;
        self.export_lane_from(common, (i, lane), sets, numbers);
    }

    /// Hands a lane's game to the scalar executor, with these registers.
    fn export_lane_from(
        &mut self,
        common: &mut Common,
        (i, lane): (usize, usize),
        sets: impl Fn(&WarpState<V, W, K>, usize) -> [u64; W],
        numbers: impl Fn(&WarpState<V, W, K>, usize) -> i64,
    ) {
        let lanes = &mut self.lanes;
        let snapshot = &mut common.snapshot;
        snapshot.sets.clear();
        for reg in 0..lanes.shared.persistent.0 {
            snapshot.sets.extend_from_slice(&sets(lanes, reg)[..lanes.shared.set_words]);
        }
        snapshot.numbers.clear();
        for reg in 0..lanes.shared.persistent.1 {
            snapshot.numbers.push(numbers(lanes, reg));
        }
        let turn = lanes.turns.of(i, lane).expect("a game that is played on waits for a turn");
        (snapshot.to_move, snapshot.opening) = (turn.player(), turn.opening());
        (snapshot.turns, snapshot.outcome) = (lanes.at[i].turns.0[lane], None);
        snapshot.plies = lanes.at[i].plies.0[lane];
        snapshot.suspended = lanes.suspended(i, lane);
        if self.lanes.shared.asks_past() {
            std::mem::swap(&mut common.snapshot.history, &mut self.lanes.histories[i * WIDE + lane]);
        }
        common.runner.import_state(&mut common.snapshot);
    }

    /// Plays the turns of those lanes that cannot go on in lock step.
    pub fn play_fallbacks(&mut self, common: &mut Common, games: &mut dyn Games) {
        let alone = self.lanes.flags.fallback;
        if alone.is_empty() {
            return;
        }
        // These have one turn more than what has been looked at.
        self.lanes.turns_to_spare = self.lanes.turns_to_spare.saturating_sub(1);
        common.fallbacks += alone.count();
        for (i, lane) in alone.each() {
            let went = self.play_scalar_turn(common, i, lane);
            let flags = &mut self.lanes.flags;
            for kept in [&mut flags.again_drawn, &mut flags.asked, &mut flags.unsure] {
                kept.drop(i, lane);
            }
            let long = self.lanes.at[i].turns.0[lane] >= common.max_turns;
            match went {
                Fallback::Goes if long => self.report_game(common, i, lane, Ok(None), games),
                Fallback::Goes => {}
                Fallback::Ended(outcome) => self.report_game(common, i, lane, Ok(outcome), games),
                Fallback::Fault(fault, position) => self.report_game(common, i, lane, Err((fault, position)), games),
            }
        }
    }

    fn play_scalar_turn(&mut self, common: &mut Common, i: usize, lane: usize) -> Fallback {
        let at = i * WIDE + lane;
        self.export_lane(common, i, lane);
        let mut rng = self.lanes.at[i].saved_rng.get(lane);
        let asked = self.lanes.flags.asked.has(i, lane);
        let before = self.mover(i, lane);
        let mut played = Ok(None);
        if asked {
            played = common.runner.evaluate_end_after(before, None).map(|()| None);
        }
        if played.is_ok() && common.runner.outcome().is_none() {
            played = common.runner.one_turn(&mut rng);
        }
        common.runner.export_state(&mut common.snapshot);
        if self.lanes.shared.asks_past() {
            std::mem::swap(&mut common.snapshot.history, &mut self.lanes.histories[at]);
        }
        if let Err(fault) = played {
            self.export_turn_start(common, i, lane);
            return Fallback::Fault(fault, Box::new(common.runner.position()));
        }
        if let Ok(Some(runs)) = played {
            let lanes = &mut self.lanes;
            lanes.at[i].tries.0[lane] = 0;
            lanes.at[i].turns.0[lane] = common.snapshot.turns;
            lanes.at[i].plies.0[lane] = common.snapshot.plies;
            lanes.at[i].choices.0[lane] = lanes.at[i].choices.0[lane].saturating_add(runs.count);
            if runs.estimated {
                lanes.flags.estimated.add(i, lane);
            }
        }
        if common.snapshot.outcome.is_some() {
            return Fallback::Ended(common.snapshot.outcome);
        }
        self.lanes.at[i].rng = self.saved_lane_rng(i, lane);
        self.lanes.at[i].rng.catch_up(lane, &rng);
        self.lanes.put_game(i, lane, &common.snapshot);
        Fallback::Goes
    }

    /// The generators of a chunk with one lane where it stood when the turn began.
    fn saved_lane_rng(&self, i: usize, lane: usize) -> LaneRng {
        let mut rng = self.lanes.at[i].rng;
        for (now, begun) in rng.0.iter_mut().zip(&self.lanes.at[i].saved_rng.0) {
            now.0[lane] = begun.0[lane];
        }
        rng
    }
}

impl<V: Simd, const W: usize, const K: usize> WarpState<V, W, K> {
    /// Puts a game into a lane.
    pub fn put_game(&mut self, i: usize, lane: usize, snapshot: &GameState) {
        // The scalar executor may do with fewer words.
        let words = self.shared.set_words;
        for (reg, to) in self.file.sets[..self.shared.persistent.0].iter_mut().enumerate() {
            let set = snapshot.sets.get(reg * words..).unwrap_or_default();
            let (set, to) = (&set[..words.min(set.len())], &mut to[i]);
            words!(word => {
                to[word].0[lane] = set.get(word).copied().unwrap_or(0);
            });
        }
        for (to, &number) in self.file.numbers.iter_mut().zip(&snapshot.numbers) {
            to[i].0[lane] = number as u64;
        }
        let next = self.shared.carry.map_or(0, |carry| self.file.number(carry.next, i, lane));
        let turn = Turn::new(snapshot.to_move, snapshot.opening).suspended(u64::try_from(next).unwrap_or(0));
        self.turns.go_on(LaneMask::one(i, lane), turn);
        let Flags { passed, acted, again, .. } = snapshot.suspended;
        for (kept, is_set) in self.flags.before.masks().into_iter().zip([passed, acted, again]) {
            kept.drop(i, lane);
            if is_set {
                kept.add(i, lane);
            }
        }
    }

    /// What a lane's turn has done before it was suspended.
    fn suspended(&self, i: usize, lane: usize) -> Flags {
        let TurnFlags { passed, acted, again } = &self.flags.before;
        let [passed, acted, again] = [passed, acted, again].map(|lanes| lanes.has(i, lane));
        Flags { passed, acted, again, chose: false }
    }

    /// Lanes whose turn is suspended wait for its continuation, whose number stands in a register.
    pub fn wait_for_continuations(&mut self, suspended: LaneMask, turn: Turn, next: NumReg) {
        let mut rest = suspended;
        while let Some((i, lane)) = rest.each().next() {
            let number = self.file.number(next, i, lane);
            let mut same = LaneMask::NONE;
            for (i, lane) in rest.each().filter(|(i, lane)| self.file.number(next, *i, *lane) == number) {
                same.add(i, lane);
            }
            self.turns.go_on(same, turn.suspended(number as u64));
            rest = rest.without(same);
        }
    }
}
