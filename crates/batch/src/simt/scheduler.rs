//! Scheduler: games go in, one in each lane; turns are played, for the player whom most lanes wait
//! for, until there are no more.

use std::sync::Arc;
use std::time::Instant;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{Player, PlayerSet};
use crate::interp::{GameState, Playout, RepetitionTable, Session, TurnCount};
use crate::position::{Fault, Outcome, Position};
use crate::simd::{Simd, WIDE};
use crate::simt::autotune::Autotuner;
use crate::simt::code::Atomicity;
use crate::simt::compiled::{Played, TurnCode};
use crate::simt::dispatch::Running;
use crate::simt::interface::{Batch, From, Games, Start};
use crate::simt::registers::LaneMask;
use crate::simt::state::exit_report::ExitReason;
use crate::simt::state::shared::Shared;
use crate::simt::state::{TurnState, WarpState};
use crate::simt::tuning::MIN_TURNS_BETWEEN_SORTS;
use crate::simt::turn_queue::{Turn, Turns};
use crate::simt::turns::{Part, TurnPart};
use crate::simt::utilization::Utilization;

/// A batch of one width, in groups of so many chunks.
pub struct Scheduler<V, const W: usize, const K: usize> {
    groups: Vec<Warp<V, W, K>>,
    /// `None`: games stay in lock step, however few go together and however long it takes.
    pace: Option<Pace>,
    /// Borrowed for a whole call: counting references each turn would make threads wait for each other.
    shared: Arc<Shared<W, K>>,
    common: Common,
}

/// What the groups have together.
pub struct Common {
    pub runner: Box<dyn Session>,
    pub snapshot: GameState,
    /// The position that games begin with.
    start: GameState,
    pub max_turns: u64,
    /// There are no more games for the lanes.
    out: bool,
    /// Turns of the round that the scalar executor played.
    pub fallbacks: u32,
    /// Games of lanes that were over in the round.
    over: u64,
}

/// What tells whether lock step is slower than one game after the other.
struct Pace {
    utilization: Utilization,
    tuner: Autotuner,
}

impl Pace {
    fn is_slow(&self) -> bool {
        self.utilization.is_low() || self.tuner.is_slow()
    }

    /// Counts a round for which so many lanes waited. Once enough games are timed in lock step, as many are played one after
    /// the other.
    fn record(&mut self, waited: u32, common: &mut Common, games: &mut dyn Games) {
        self.utilization.record(waited, common.fallbacks);
        if let Some(wanted) = self.tuner.record(common.over) {
            let begun = Instant::now();
            if common.play_one_by_one(games, wanted) == wanted {
                self.tuner.compare(begun.elapsed());
            }
        }
        common.out |= self.is_slow();
    }
}

/// A game that is taken, to go on from the start of [`Common`].
struct Taken {
    number: u64,
    seed: u64,
    /// The generator as it stands since the start was drawn with it.
    drawn_with: Option<Xoshiro256PlusPlus>,
}

/// Games that go in lock step.
pub struct Warp<V, const W: usize, const K: usize> {
    pub lanes: WarpState<V, W, K>,
    /// The numbers of the games, by lane.
    numbers: Vec<u64>,
    /// Turns since games changed places.
    rounds: u32,
}

impl<V: Simd, const W: usize, const K: usize> Scheduler<V, W, K> {
    /// So many lanes; `adapts`: games are played one after the other once few lanes go together.
    pub fn new(v: V, shared: &Arc<Shared<W, K>>, lanes: usize, adapts: bool) -> Scheduler<V, W, K> {
        let group = |used: usize| Warp::new(v, shared, used);
        let groups = (0..lanes).step_by(K * WIDE).map(|from| group((lanes - from).min(K * WIDE))).collect();
        let pace = adapts.then(|| Pace { utilization: Utilization::default(), tuner: Autotuner::new(lanes) });
        Scheduler { groups, pace, shared: shared.clone(), common: Common::new(shared) }
    }

    fn is_slow(&self) -> bool {
        self.pace.as_ref().is_some_and(Pace::is_slow)
    }
}

impl Common {
    /// There are no games yet, and they may have any number of turns.
    pub fn new<const W: usize, const K: usize>(shared: &Shared<W, K>) -> Common {
        Common {
            runner: shared.engine.runner(),
            snapshot: GameState::default(),
            start: GameState::default(),
            max_turns: i64::MAX as u64,
            out: true,
            fallbacks: 0,
            over: 0,
        }
    }

    /// Takes the next game whose turns are to be played. Those that are over, or may have no turn, go at once.
    // As a call it made short games 3 % slower.
    #[inline(always)]
    fn take(&mut self, games: &mut dyn Games) -> Option<Taken> {
        loop {
            let Start { number, seed, from } = games.next()?;
            let mut drawn_with = None;
            match from {
                From::Last => {}
                From::Position(begun) => {
                    let (position, rng) = *begun;
                    if !self.runner.load(&position) {
                        games.refused(number);
                        continue;
                    }
                    self.start.history = RepetitionTable::default();
                    self.runner.export_state(&mut self.start);
                    drawn_with = Some(rng);
                }
                From::State(state) => self.start = *state,
            }
            let outcome = self.start.outcome;
            if outcome.is_none() && self.max_turns > 0 {
                return Some(Taken { number, seed, drawn_with });
            }
            games.done(number, Ok(Playout { outcome, turns: 0, plies: 0, choices: TurnCount::default() }));
        }
    }

    /// Plays so many of the games that are left, one after the other; how many there were.
    fn play_one_by_one(&mut self, games: &mut dyn Games, most: u64) -> u64 {
        for played in 0..most {
            let Some(Taken { number, seed, drawn_with }) = self.take(games) else { return played };
            let mut rng = drawn_with.unwrap_or_else(|| Xoshiro256PlusPlus::seed_from_u64(seed));
            self.snapshot.copy_from(&self.start);
            (self.snapshot.turns, self.snapshot.plies) = (0, 0);
            self.runner.import_state(&mut self.snapshot);
            let went = self.runner.playout(&mut rng, self.max_turns);
            games.done(number, went.map_err(|fault| (fault, Box::new(self.runner.position()))));
        }
        most
    }
}

impl<V: Simd, const W: usize, const K: usize> Batch for Scheduler<V, W, K> {
    fn play(&mut self, games: &mut dyn Games, max_turns: u64) {
        let is_slow = self.is_slow();
        if let Some(pace) = &mut self.pace {
            pace.tuner.go_on();
        }
        let common = &mut self.common;
        (common.max_turns, common.out) = (max_turns, is_slow);
        for group in &mut self.groups {
            (group.lanes.turns, group.lanes.turns_to_spare) = (Turns::default(), 0);
            for lane in 0..group.numbers.len() {
                group.begin(common, lane, games);
            }
        }
        let (shared, mut going) = (&*self.shared, true);
        while going {
            going = false;
            for group in &mut self.groups {
                if let Some(turn) = group.lanes.turns.commonest() {
                    (common.fallbacks, common.over) = (0, 0);
                    group.play_turn(common, shared, turn, games);
                    // Towards the end, lanes are empty for another reason.
                    if let Some(pace) = self.pace.as_mut().filter(|_| !common.out) {
                        pace.record(turn.1.count(), common, games);
                    }
                    group.sort_lanes(shared);
                    going = true;
                }
            }
        }
        if self.is_slow() {
            self.common.play_one_by_one(games, u64::MAX);
        }
    }

    fn lanes(&self) -> usize {
        self.groups.iter().map(|group| group.numbers.len()).sum()
    }
}

impl<V: Simd, const W: usize, const K: usize> Warp<V, W, K> {
    /// A warp with so many lanes in use; the number of each game is its lane's.
    pub fn new(v: V, shared: &Arc<Shared<W, K>>, used: usize) -> Warp<V, W, K> {
        Warp { lanes: WarpState::new(v, shared.clone()), numbers: (0..used as u64).collect(), rounds: 0 }
    }

    /// Who made the last turn of a lane's game.
    pub fn mover(&self, i: usize, lane: usize) -> Player {
        Player(self.lanes.at[i].mover.0[lane] as u8)
    }

    pub fn part(&mut self, part: Part<'_>) -> LaneMask {
        self.lanes.v.vectorize(TurnPart { lanes: &mut self.lanes, part })
    }

    /// One turn of those lanes whose turn it is.
    pub fn play_turn(
        &mut self,
        common: &mut Common,
        shared: &Shared<W, K>,
        (turn, mine): (Turn, LaneMask),
        games: &mut dyn Games,
    ) {
        let (seat, opening) = (turn.player().index(), turn.opening() as usize);
        let entries = &shared.program.entries[seat];
        let entry = entries.entry(turn);
        self.lanes.branch_history.forget(entry.forks, mine);
        // Machine code counts turns and no plies: where those of some seat are suspended, it plays for no seat.
        let counts_turns = opening >= entries.opening.len() && shared.carry.is_none();
        let compiled = self.lanes.shared.compiled.as_ref().filter(|_| counts_turns);
        match compiled.and_then(|compiled| compiled.turns[seat]) {
            Some(code) => self.run_turn_code(common, shared, (turn, mine), code, games),
            None => self.interpret_turn(common, shared, (turn, mine), games),
        }
    }

    /// A turn, operation by operation.
    fn interpret_turn(
        &mut self,
        common: &mut Common,
        shared: &Shared<W, K>,
        (turn, mine): (Turn, LaneMask),
        games: &mut dyn Games,
    ) {
        let (seat, opening) = (turn.player().index(), turn.opening() as usize);
        let entries = &shared.program.entries[seat];
        let entry = entries.entry(turn);
        self.part(Part::Begin { mine, atomicity: entry.atomicity, changes: &entry.changes });
        self.run(shared, entry.at);
        (self.lanes.turn.kept, self.lanes.turn.turning) = (0, false);
        if let Some(carry) = shared.carry {
            let continuations = &shared.engine.plan().seats[seat].continuations;
            let is_ply = turn.continuation().is_none_or(|at| !continuations[at].chance);
            let suspended = self.part(Part::Suspend { is_ply });
            self.lanes.wait_for_continuations(suspended, turn, carry.next);
        }
        if let Some(after) = entries.after {
            self.run_for_done(shared, after);
        }
        self.part(Part::RollBackFailed { changes: &entry.changes });
        self.verify_speculations(common, (turn.player(), &entry.changes), opening >= entries.opening.len(), games);
        self.end_turn(common, shared, (seat, opening), games);
        self.play_fallbacks(common, games);
    }

    /// A turn by a function of machine code; what it leaves is played step by step, or verified one
    /// by one.
    fn run_turn_code(
        &mut self,
        common: &mut Common,
        shared: &Shared<W, K>,
        (turn, mine): (Turn, LaneMask),
        code: TurnCode,
        games: &mut dyn Games,
    ) {
        let (seat, entries) = (turn.player().index(), &shared.program.entries[turn.player().index()]);
        let (entry, lanes) = (&entries.turn, &mut self.lanes);
        lanes.turn.mover = turn.player();
        lanes.turn.report.begin(mine, lanes.flags.again_drawn, lanes.flags.asked);
        let before =
            (lanes.turn.before.0.as_flattened_mut().as_flattened_mut(), lanes.turn.before.1.as_flattened_mut());
        let played = Played { statuses: &mut lanes.at, before };
        if let Some(compiled) = &lanes.shared.compiled {
            compiled.functions.play(code, &mut lanes.file, played, mine, &mut lanes.turn.report);
        }
        let report = &lanes.turn.report;
        (entry.forks.0..entry.forks.1)
            .for_each(|fork| lanes.branch_history.record(fork, report.lanes(ExitReason::Fork(fork))));
        let (done, unverified, left) =
            (report.lanes(ExitReason::Done), report.lanes(ExitReason::Unverified), report.lanes(ExitReason::Left));
        let stays = mine.without(done).without(unverified).without(left);
        lanes.turn.is_atomic = entry.atomicity != Atomicity::No;
        lanes.flags.fallback = LaneMask::NONE;
        if !stays.is_empty() {
            let flags = &mut lanes.flags;
            (flags.mine, flags.done, flags.failed) = (stays, LaneMask::NONE, report.lanes(ExitReason::Failed));
            (flags.fallback, flags.passed) = (report.lanes(ExitReason::Fallback), LaneMask::NONE);
            self.part(Part::RollBackFailed { changes: &entry.changes });
        }
        let after = if seat + 1 < shared.program.entries.len() { seat + 1 } else { 0 };
        let next = Turn::new(Player(after as u8), turn.opening());
        self.part(Part::CommitCompiled { same: turn, next });
        if !code.asks_end {
            self.ask_end(shared, entries.end);
        }
        self.end_games(common, games);
        self.play_fallbacks(common, games);
        if !unverified.is_empty() {
            let WarpState { flags, turn: TurnState { report, .. }, .. } = &mut self.lanes;
            (flags.unverified, flags.done, flags.again) =
                (unverified, unverified, report.lanes(ExitReason::PlaysAgain));
            flags.drawn = report.lanes(ExitReason::Drawn);
            flags.counted = flags.drawn.without(report.lanes(ExitReason::Estimated));
            self.verify_speculations(common, (turn.player(), &entry.changes), true, games);
            self.end_turn(common, shared, (seat, turn.opening() as usize), games);
        }
        if !left.is_empty() {
            self.part(Part::Restore { lanes: left, changes: &entry.changes });
            self.interpret_turn(common, shared, (turn, left), games);
        }
    }

    /// Games change places now and then, so that those of one phase stand together.
    fn sort_lanes(&mut self, shared: &Shared<W, K>) {
        let forks = shared.program.forks;
        self.rounds += 1;
        if forks == 0 || self.rounds < MIN_TURNS_BETWEEN_SORTS {
            return;
        }
        self.rounds = 0;
        let exchanges = self.lanes.branch_history.exchanges(usize::from(forks), self.numbers.len());
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
        self.part(Part::Commit { same, next });
        self.lanes.turn.mover = Player(seat as u8);
        if opening >= entries.opening.len() {
            self.ask_end(shared, entries.end);
        } else {
            self.record_positions();
        }
        self.end_games(common, games);
    }

    /// Notes what was played, and asks which games are over. What cannot be evaluated in lock step
    /// is evaluated by the scalar executor.
    fn ask_end(&mut self, shared: &Shared<W, K>, end: u32) {
        self.record_positions();
        self.run_for_done(shared, end);
        let alone = self.lanes.flags.fallback.and(self.lanes.flags.done);
        self.lanes.defer_terminal_test(alone);
        self.lanes.flags.fallback = self.lanes.flags.fallback.without(alone);
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
        (lanes.flow.on, lanes.flags.alive) = (lanes.flags.done, lanes.flags.done);
        self.run(shared, entry);
    }

    pub fn run(&mut self, shared: &Shared<W, K>, from: u32) {
        self.lanes.v.vectorize(Running { lanes: &mut self.lanes, shared, from });
    }

    /// Notes positions where they are asked for.
    fn record_positions(&mut self) {
        if !self.lanes.shared.asks_past() {
            return;
        }
        let asks = self.lanes.shared.engine.game().asks;
        for (i, lane) in self.lanes.flags.done.each() {
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

    /// A game that is over, or perhaps: where `end` assumed something it is asked again, alone.
    fn finish(&mut self, common: &mut Common, i: usize, lane: usize, games: &mut dyn Games) {
        let lanes = &self.lanes;
        if lanes.flags.unsure.has(i, lane) || lanes.flags.asked.has(i, lane) {
            self.export_lane(common, i, lane);
            match self.evaluate_end_again(common, i, lane, None) {
                Ok(None) if self.lanes.at[i].turns.0[lane] < common.max_turns => self.lanes.flags.decided.drop(i, lane),
                evaluated => {
                    let evaluated = evaluated.map_err(|fault| (fault, Box::new(common.runner.position())));
                    self.report_game(common, i, lane, evaluated, games);
                }
            }
            return;
        }
        let (outcome, winners) = (lanes.at[i].outcome.0[lane], lanes.at[i].winners.0[lane]);
        let outcome = Outcome { winners: PlayerSet::of_bits(winners), by: outcome as usize };
        let outcome = lanes.flags.decided.has(i, lane).then_some(outcome);
        self.report_game(common, i, lane, Ok(outcome), games);
    }

    /// Tells how a game went, and begins the next one in its lane.
    pub fn report_game(
        &mut self,
        common: &mut Common,
        i: usize,
        lane: usize,
        went: Result<Option<Outcome>, (Fault, Box<Position>)>,
        games: &mut dyn Games,
    ) {
        let lanes = &self.lanes;
        let choices = TurnCount { count: lanes.at[i].choices.0[lane], estimated: lanes.flags.estimated.has(i, lane) };
        let went = went.map(|outcome| Playout {
            outcome,
            turns: lanes.at[i].turns.0[lane],
            plies: if lanes.shared.carry.is_some() { lanes.at[i].plies } else { lanes.at[i].turns }.0[lane],
            choices,
        });
        games.done(self.numbers[i * WIDE + lane], went);
        common.over += 1;
        self.begin(common, i * WIDE + lane, games);
    }

    /// Puts the next game into a lane.
    fn begin(&mut self, common: &mut Common, at: usize, games: &mut dyn Games) {
        let (i, lane) = (at / WIDE, at % WIDE);
        self.lanes.turns.end(LaneMask::one(i, lane));
        self.lanes.flags.decided.drop(i, lane);
        if common.out {
            return;
        }
        let Some(Taken { number, seed, drawn_with }) = common.take(games) else {
            common.out = true;
            return;
        };
        self.numbers[at] = number;
        self.lanes.at[i].rng.seed(lane, seed);
        if let Some(rng) = &drawn_with {
            self.lanes.at[i].rng.catch_up(lane, rng);
        }
        if self.lanes.shared.asks_past() {
            self.lanes.histories[at].copy_from(&common.start.history);
        }
        self.lanes.put_game(i, lane, &common.start);
        let (flags, status) = (&mut self.lanes.flags, &mut self.lanes.at[i]);
        for kept in [&mut flags.again_drawn, &mut flags.asked, &mut flags.unsure, &mut flags.estimated] {
            kept.drop(i, lane);
        }
        for kept in [&mut status.turns, &mut status.choices, &mut status.plies, &mut status.tries] {
            kept.0[lane] = 0;
        }
    }
}
