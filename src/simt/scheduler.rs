//! Scheduler: games go in, one in each lane; turns are played, for the player whom most lanes wait
//! for, until there are no more.

use std::sync::Arc;

use crate::board::{Player, PlayerSet};
use crate::interp::{GameState, Playout, RepetitionTable, Session, TurnCount};
use crate::position::{Fault, Outcome, Position};
use crate::simd::{Simd, WIDE};
use crate::simt::analysis::atomic::Atomicity;
use crate::simt::compiled::{Played, TurnCode};
use crate::simt::dispatch::Running;
use crate::simt::interface::{Batch, Games, Start};
use crate::simt::registers::LaneMask;
use crate::simt::sort_lanes::ROUNDS;
use crate::simt::state::WarpState;
use crate::simt::state::exit_report::ExitReason;
use crate::simt::state::shared::Shared;
use crate::simt::turn_queue::{Turn, Turns};
use crate::simt::turns::{Doing, Part};

/// A batch of one width, in groups of so many chunks.
pub struct Scheduler<V, const W: usize, const K: usize> {
    groups: Vec<Warp<V, W, K>>,
    /// Borrowed for a whole call: counting references each turn would make threads wait for each other.
    shared: Arc<Shared<W, K>>,
    common: Common,
}

/// What the groups have together.
pub struct Common {
    pub runner: Box<dyn Session>,
    pub hand: GameState,
    /// The position that games begin with.
    start: GameState,
    pub max_turns: u64,
    /// There are no more games.
    out: bool,
}

/// Games that go in lock step.
pub struct Warp<V, const W: usize, const K: usize> {
    pub lanes: WarpState<V, W, K>,
    /// The numbers of the games, by lane.
    numbers: Vec<u64>,
    /// Rounds since games changed places.
    rounds: u32,
}

impl<V: Simd, const W: usize, const K: usize> Scheduler<V, W, K> {
    pub fn new(v: V, shared: &Arc<Shared<W, K>>, lanes: usize) -> Scheduler<V, W, K> {
        let group = |used: usize| Warp { lanes: WarpState::new(v, shared.clone()), numbers: vec![0; used], rounds: 0 };
        let groups = (0..lanes).step_by(K * WIDE).map(|from| group((lanes - from).min(K * WIDE))).collect();
        let common = Common {
            runner: shared.engine.runner(),
            hand: GameState::default(),
            start: GameState::default(),
            max_turns: 0,
            out: false,
        };
        Scheduler { groups, shared: shared.clone(), common }
    }
}

impl<V: Simd, const W: usize, const K: usize> Batch for Scheduler<V, W, K> {
    fn play(&mut self, games: &mut dyn Games, max_turns: u64) {
        let common = &mut self.common;
        (common.max_turns, common.out) = (max_turns, false);
        for group in &mut self.groups {
            (group.lanes.turns, group.lanes.unhurried) = (Turns::default(), 0);
            for lane in 0..group.numbers.len() {
                group.begin(common, lane, games);
            }
        }
        let (shared, mut going) = (&*self.shared, true);
        while going {
            going = false;
            for group in &mut self.groups {
                if let Some(turn) = group.lanes.turns.commonest() {
                    group.round(common, shared, turn, games);
                    going = true;
                }
            }
        }
    }

    fn lanes(&self) -> usize {
        self.groups.iter().map(|group| group.numbers.len()).sum()
    }
}

impl<V: Simd, const W: usize, const K: usize> Warp<V, W, K> {
    fn part(&mut self, part: Part<'_>) -> LaneMask {
        self.lanes.v.vectorize(Doing { lanes: &mut self.lanes, part })
    }

    /// One turn of those lanes whose turn it is.
    fn round(
        &mut self,
        common: &mut Common,
        shared: &Shared<W, K>,
        (turn, mine): (Turn, LaneMask),
        games: &mut dyn Games,
    ) {
        let (seat, opening) = (turn.player().index(), turn.opening() as usize);
        let entries = &shared.program.entries[seat];
        let entry = entries.opening.get(opening).unwrap_or(&entries.turn);
        self.lanes.course.forget(entry.forks, mine);
        let compiled = self.lanes.shared.compiled.as_ref().filter(|_| opening >= entries.opening.len());
        match compiled.and_then(|compiled| compiled.turns[seat]) {
            Some(code) => self.round_by_code(common, shared, (turn, mine), code, games),
            None => self.round_by_steps(common, shared, (turn, mine), games),
        }
        self.put_in_order(shared);
    }

    /// A round step by step.
    fn round_by_steps(
        &mut self,
        common: &mut Common,
        shared: &Shared<W, K>,
        (turn, mine): (Turn, LaneMask),
        games: &mut dyn Games,
    ) {
        let (seat, opening) = (turn.player().index(), turn.opening() as usize);
        let entries = &shared.program.entries[seat];
        let entry = entries.opening.get(opening).unwrap_or(&entries.turn);
        self.part(Part::Begin { mine, calm: entry.calm, changes: &entry.changes });
        self.run(shared, entry.at);
        (self.lanes.kept, self.lanes.turning) = (0, false);
        if let Some(after) = entries.after {
            self.run_for_done(shared, after);
        }
        self.part(Part::SortOut { changes: &entry.changes });
        self.judge_passes(common, (turn.player(), &entry.changes), opening >= entries.opening.len(), games);
        self.end_turn(common, shared, (seat, opening), games);
        self.play_alone(common, games);
    }

    /// A round by a function of machine code; what it leaves is played step by step, or judged one
    /// by one.
    fn round_by_code(
        &mut self,
        common: &mut Common,
        shared: &Shared<W, K>,
        (turn, mine): (Turn, LaneMask),
        code: TurnCode,
        games: &mut dyn Games,
    ) {
        let (seat, entries) = (turn.player().index(), &shared.program.entries[turn.player().index()]);
        let (entry, lanes) = (&entries.turn, &mut self.lanes);
        lanes.mover = turn.player();
        lanes.report.begin(mine, lanes.who.again_drawn, lanes.who.asked);
        let before = (lanes.before.0.as_flattened_mut().as_flattened_mut(), lanes.before.1.as_flattened_mut());
        let played = Played { statuses: &mut lanes.at, before };
        if let Some(compiled) = &lanes.shared.compiled {
            compiled.functions.play(code, &mut lanes.file, played, mine, &mut lanes.report);
        }
        let report = &lanes.report;
        (entry.forks.0..entry.forks.1).for_each(|fork| lanes.course.note(fork, report.lanes(ExitReason::Fork(fork))));
        let (done, doubted, left) =
            (report.lanes(ExitReason::Done), report.lanes(ExitReason::Doubted), report.lanes(ExitReason::Left));
        let stays = mine.without(done).without(doubted).without(left);
        lanes.calm = entry.calm != Atomicity::No;
        lanes.who.alone = LaneMask::NONE;
        if !stays.is_empty() {
            let who = &mut lanes.who;
            (who.mine, who.done, who.failed) = (stays, LaneMask::NONE, report.lanes(ExitReason::Failed));
            (who.alone, who.passed) = (report.lanes(ExitReason::Alone), LaneMask::NONE);
            self.part(Part::SortOut { changes: &entry.changes });
        }
        let after = if seat + 1 < shared.program.entries.len() { seat + 1 } else { 0 };
        let next = Turn::new(Player(after as u8), turn.opening());
        self.part(Part::Told { same: turn, next });
        if !code.asks_end {
            self.ask_end(shared, entries.end);
        }
        self.end_games(common, games);
        self.play_alone(common, games);
        if !doubted.is_empty() {
            let WarpState { who, report, .. } = &mut self.lanes;
            (who.doubted, who.done, who.again) = (doubted, doubted, report.lanes(ExitReason::PlaysAgain));
            who.drawn = report.lanes(ExitReason::Drawn);
            who.counted = who.drawn.without(report.lanes(ExitReason::Estimated));
            self.judge_passes(common, (turn.player(), &entry.changes), true, games);
            self.end_turn(common, shared, (seat, turn.opening() as usize), games);
        }
        if !left.is_empty() {
            self.part(Part::PutBack { lanes: left, changes: &entry.changes });
            self.round_by_steps(common, shared, (turn, left), games);
        }
    }

    /// Games change places now and then, so that those of one phase stand together.
    fn put_in_order(&mut self, shared: &Shared<W, K>) {
        let forks = shared.program.forks;
        self.rounds += 1;
        if forks == 0 || self.rounds < ROUNDS {
            return;
        }
        self.rounds = 0;
        let exchanges = self.lanes.course.exchanges(usize::from(forks), self.numbers.len());
        if !exchanges.is_empty() {
            exchanges.iter().for_each(|[a, b]| self.numbers.swap(a.0 * WIDE + a.1, b.0 * WIDE + b.1));
            self.lanes.exchange(&exchanges, self.lanes.shared.asks_past());
        }
    }

    /// The turns are complete: who is next, which games are over.
    fn end_turn(
        &mut self,
        common: &mut Common,
        shared: &Shared<W, K>,
        (seat, opening): (usize, usize),
        games: &mut dyn Games,
    ) {
        let entries = &shared.program.entries[seat];
        let after = if seat + 1 < shared.program.entries.len() { seat + 1 } else { 0 };
        let stage = (opening + 1).min(entries.opening.len()) as u32;
        let [same, next] = [seat, after].map(|seat| Turn::new(Player(seat as u8), stage));
        self.part(Part::Count { same, next });
        self.lanes.mover = Player(seat as u8);
        if opening >= entries.opening.len() {
            self.ask_end(shared, entries.end);
        } else {
            self.note();
        }
        self.end_games(common, games);
    }

    /// Notes what was played, and asks which games are over. What cannot be judged in lock step is
    /// judged alone.
    fn ask_end(&mut self, shared: &Shared<W, K>, end: u32) {
        self.note();
        self.run_for_done(shared, end);
        let alone = self.lanes.who.alone.and(self.lanes.who.done);
        self.lanes.doubt(alone);
        self.lanes.who.alone = self.lanes.who.alone.without(alone);
    }

    /// Games that are over make room for others.
    fn end_games(&mut self, common: &mut Common, games: &mut dyn Games) {
        let over = self.part(Part::Over { max_turns: common.max_turns });
        for (i, lane) in over.each() {
            self.finish(common, i, lane, games);
        }
    }

    /// Runs a program without choices for the lanes that completed their turn.
    fn run_for_done(&mut self, shared: &Shared<W, K>, entry: u32) {
        let lanes = &mut self.lanes;
        (lanes.on, lanes.who.alive) = (lanes.who.done, lanes.who.done);
        self.run(shared, entry);
    }

    fn run(&mut self, shared: &Shared<W, K>, from: u32) {
        self.lanes.v.vectorize(Running { lanes: &mut self.lanes, shared, from });
    }

    /// Notes positions where they are asked for.
    fn note(&mut self) {
        if !self.lanes.shared.asks_past() {
            return;
        }
        let asks = self.lanes.shared.engine.game().asks;
        for (i, lane) in self.lanes.who.done.each() {
            let at = i * WIDE + lane;
            if asks.times_pieces {
                let hash = self.lanes.pieces_hash(i, lane);
                self.lanes.histories[at].record_pieces(hash);
            }
            if asks.times_position {
                let hash = self.lanes.position_hash(i, lane);
                self.lanes.histories[at].record_position(hash);
            }
        }
    }

    /// A game that is over, or perhaps: where `end` took something for granted it is asked again,
    /// alone.
    fn finish(&mut self, common: &mut Common, i: usize, lane: usize, games: &mut dyn Games) {
        let lanes = &self.lanes;
        if lanes.who.unsure.has(i, lane) || lanes.who.asked.has(i, lane) {
            self.hand_over(common, i, lane);
            match self.judge_again(common, i, lane, None) {
                Ok(None) if self.lanes.at[i].turns.0[lane] < common.max_turns => self.lanes.who.decided.drop(i, lane),
                judged => {
                    let judged = judged.map_err(|fault| (fault, Box::new(common.runner.position())));
                    self.tell(common, i, lane, judged, games);
                }
            }
            return;
        }
        let (outcome, winners) = (lanes.at[i].outcome.0[lane], lanes.at[i].winners.0[lane]);
        let outcome = Outcome { winners: PlayerSet::of_bits(winners), by: outcome as usize };
        let outcome = lanes.who.decided.has(i, lane).then_some(outcome);
        self.tell(common, i, lane, Ok(outcome), games);
    }

    /// Tells how a game went, and begins the next one in its lane.
    pub fn tell(
        &mut self,
        common: &mut Common,
        i: usize,
        lane: usize,
        went: Result<Option<Outcome>, (Fault, Box<Position>)>,
        games: &mut dyn Games,
    ) {
        let lanes = &self.lanes;
        let choices = TurnCount { count: lanes.at[i].choices.0[lane], estimated: lanes.who.estimated.has(i, lane) };
        let went = went.map(|outcome| Playout { outcome, turns: lanes.at[i].turns.0[lane], choices });
        games.done(self.numbers[i * WIDE + lane], went);
        self.begin(common, i * WIDE + lane, games);
    }

    /// Puts the next game into a lane.
    fn begin(&mut self, common: &mut Common, at: usize, games: &mut dyn Games) {
        let (i, lane) = (at / WIDE, at % WIDE);
        self.lanes.turns.end(LaneMask::one(i, lane));
        self.lanes.who.decided.drop(i, lane);
        loop {
            if common.out {
                return;
            }
            let Some(Start { number, seed, position }) = games.next() else {
                common.out = true;
                return;
            };
            if let Some((position, _)) = position.as_deref() {
                if !common.runner.load(position) {
                    games.refused(number);
                    continue;
                }
                common.start.history = RepetitionTable::default();
                common.runner.export_state(&mut common.start);
            }
            self.numbers[at] = number;
            // What is over, or may have no turn, takes no lane.
            let outcome = common.start.outcome;
            if outcome.is_some() || common.max_turns == 0 {
                games.done(number, Ok(Playout { outcome, turns: 0, choices: TurnCount::default() }));
                continue;
            }
            self.lanes.at[i].lots.seed(lane, seed);
            if let Some((_, rng)) = position.as_deref() {
                self.lanes.at[i].lots.catch_up(lane, rng);
            }
            if self.lanes.shared.asks_past() {
                self.lanes.histories[at].copy_from(&common.start.history);
            }
            self.lanes.put_game(i, lane, &common.start);
            let (who, status) = (&mut self.lanes.who, &mut self.lanes.at[i]);
            for kept in [&mut who.again_drawn, &mut who.asked, &mut who.unsure, &mut who.estimated] {
                kept.drop(i, lane);
            }
            for kept in [&mut status.turns, &mut status.choices, &mut status.tries] {
                kept.0[lane] = 0;
            }
            return;
        }
    }
}
