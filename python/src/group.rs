//! Groups: the lanes that one thread takes at a time. An action for each goes in; they go on, and what is seen of them is
//! written.
//!
//! Where the game has lock step, the games whose turn is the choice of a cell stand in a warp context, and go on together.
//! The others, which have to pass, say, stand in their lanes meanwhile, and go on one by one.

use std::sync::Arc;

use lusoria::Error;
use lusoria::batch::{Stepped, WIDE, WarpContext};
use lusoria::board::Player;
use lusoria::interp::GameState;
use multiversion::multiversion;
use smallvec::SmallVec;

use crate::lane::{Board, First, Lane, Lent};
use crate::observe::Sources;
use crate::run::Space;

/// What all groups share.
pub struct Common {
    pub space: Arc<Space>,
    pub first: First,
    pub max_turns: u32,
}

/// Where some lanes write.
pub struct Slices<'a> {
    pub planes: &'a mut [u8],
    pub counters: &'a mut [f32],
    pub mask: &'a mut [u8],
    pub rewards: &'a mut [f32],
    pub reward: &'a mut [f32],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub player: &'a mut [i32],
    pub turns: &'a mut [i32],
}

impl<'a> Slices<'a> {
    /// Cuts them, so many lanes at a time.
    pub fn cut(self, space: &Space, lanes: usize) -> impl Iterator<Item = Slices<'a>> {
        let planes = self.planes.chunks_mut(lanes * space.layout.size());
        let counters = self.counters.chunks_mut(lanes * space.layout.counters.len());
        let mask = self.mask.chunks_mut(lanes * space.actions.len());
        let rewards = self.rewards.chunks_mut(lanes * space.players());
        let single = self.reward.chunks_mut(lanes).zip(self.terminated.chunks_mut(lanes));
        let single = single.zip(self.truncated.chunks_mut(lanes));
        let single = single.zip(self.player.chunks_mut(lanes)).zip(self.turns.chunks_mut(lanes));
        planes.zip(counters).zip(mask).zip(rewards).zip(single).map(
            |((((planes, counters), mask), rewards), ((((reward, terminated), truncated), player), turns))| Slices {
                planes,
                counters,
                mask,
                rewards,
                reward,
                terminated,
                truncated,
                player,
                turns,
            },
        )
    }

    /// What is seen of one lane: its planes, counters and mask.
    #[inline(always)]
    fn seen(&mut self, space: &Space, at: usize) -> (&mut [u8], &mut [f32], &mut [u8]) {
        let (size, counters, actions) = (space.layout.size(), space.layout.counters.len(), space.actions.len());
        (
            &mut self.planes[at * size..][..size],
            &mut self.counters[at * counters..][..counters],
            &mut self.mask[at * actions..][..actions],
        )
    }

    /// No game is over.
    fn go_on(&mut self) {
        self.rewards.fill(0.0);
        self.reward.fill(0.0);
        self.terminated.fill(false);
        self.truncated.fill(false);
    }

    /// A game is over: its payoffs, of which one is that of who moved last.
    fn end(&mut self, space: &Space, at: usize, actor: Player, payoff: impl Fn(Player) -> f64) {
        let players = space.players();
        for (player, reward) in self.rewards[at * players..][..players].iter_mut().enumerate() {
            *reward = payoff(Player(player as u8)) as f32;
        }
        (self.reward[at], self.terminated[at]) = (payoff(actor) as f32, true);
    }
}

/// Why a step stopped: at which lane, and why.
pub enum Stopped {
    Illegal(usize, i64),
    Fault(Error),
}

/// A value for each lane of a group.
type ByLane<T> = SmallVec<[T; 64]>;

/// Some lanes.
pub struct Group {
    lanes: Vec<Lane>,
    /// The number of the first among all lanes.
    begin: usize,
    /// `None`: there is no lock step.
    context: Option<WarpContext>,
    /// By lane: its game stands in the context.
    resident: Vec<bool>,
    /// By lane: who chooses.
    players: Vec<Player>,
    /// Room for planes of a chunk.
    packed: Vec<[u64; WIDE]>,
}

impl Group {
    pub fn new(begin: usize, lanes: usize, context: Option<WarpContext>) -> Group {
        Group {
            lanes: (0..lanes).map(|_| Lane::new()).collect(),
            begin,
            context,
            resident: vec![false; lanes],
            players: vec![Player(0); lanes],
            packed: Vec::new(),
        }
    }

    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Begins all games anew; each is decided by the seed and its number among all.
    pub fn reset(
        &mut self,
        common: &Common,
        lent: &mut Lent<'_>,
        seed: u64,
        mut to: Slices<'_>,
    ) -> Result<(), Stopped> {
        to.go_on();
        for at in 0..self.lanes.len() {
            let number = (self.begin + at) as u64;
            self.lanes[at].seed(seed ^ (number + 1).wrapping_mul(0xd134_2543_de82_ef95));
            self.begin(common, lent, at, &mut to)?;
        }
        self.observe(common, lent, &mut to)
    }

    /// Begins the next game of a lane.
    fn begin(&mut self, common: &Common, lent: &mut Lent<'_>, at: usize, to: &mut Slices<'_>) -> Result<(), Stopped> {
        if let (Some(context), Some((state, cells))) = (&mut self.context, common.first.of_cells()) {
            context.put(at, state, cells);
            self.mark_resident(common, at, to);
            return Ok(());
        }
        self.evict(at);
        self.lanes[at].begin(lent, &common.first).map_err(Stopped::Fault)?;
        self.admit(common, at, to);
        Ok(())
    }

    /// A lane's game stands in the context from now on.
    fn mark_resident(&mut self, common: &Common, at: usize, to: &mut Slices<'_>) {
        if !self.resident[at] {
            // From now on only what is legal among the cells is written.
            to.seen(&common.space, at).2.fill(0);
            self.resident[at] = true;
        }
    }

    /// A lane's game leaves the context.
    fn evict(&mut self, at: usize) {
        if let Some(context) = &mut self.context {
            context.remove(at);
        }
        self.resident[at] = false;
    }

    /// Puts a lane's game into the context where its turn is the choice of a cell.
    fn admit(&mut self, common: &Common, at: usize, to: &mut Slices<'_>) {
        if let (Some(context), Some((state, cells))) = (&mut self.context, self.lanes[at].of_cells()) {
            context.put(at, state, cells);
            self.mark_resident(common, at, to);
        }
    }

    /// Makes the choice of each lane, and begins anew where that ends a game.
    pub fn step(
        &mut self,
        common: &Common,
        lent: &mut Lent<'_>,
        actions: &[i64],
        mut to: Slices<'_>,
    ) -> Result<(), Stopped> {
        let actors: ByLane<Player> = SmallVec::from_slice(&self.players);
        let alone: ByLane<usize> = (0..self.lanes.len()).filter(|at| !self.resident[*at]).collect();
        to.go_on();
        if alone.len() < self.lanes.len() {
            self.step_together(common, lent, (actions, &actors), &mut to)?;
        }
        for at in alone {
            self.step_alone(common, lent, (at, actions[at], actors[at]), &mut to)?;
        }
        self.observe(common, lent, &mut to)
    }

    /// Steps the games that stand in the context.
    fn step_together(
        &mut self,
        common: &Common,
        lent: &mut Lent<'_>,
        (actions, actors): (&[i64], &[Player]),
        to: &mut Slices<'_>,
    ) -> Result<(), Stopped> {
        let (Some(context), Some((board, _)), Some(lock_step)) =
            (&mut self.context, &lent.planned, &mut lent.lock_step)
        else {
            return Ok(());
        };
        let mut chosen = ranks((board, context), &self.resident, actions)
            .map_err(|at| Stopped::Illegal(self.begin + at, actions[at]))?;
        let unusual = lock_step.step(context, &chosen);
        for (at, _) in unusual.iter().filter(|(_, how)| matches!(how, Stepped::Left(_))) {
            chosen[*at] = None;
        }
        for (lane, chosen) in self.lanes.iter_mut().zip(&chosen) {
            chosen.iter().for_each(|chosen| lane.record_choice(*chosen));
        }
        for (at, how) in unusual {
            match how {
                Stepped::Fault(fault, position) => {
                    return Err(Stopped::Fault(common.space.game.fault_at(fault, &position)));
                }
                Stepped::Over(outcome) => {
                    to.end(&common.space, at, actors[at], |player| 2.0 * outcome.payoff(player) - 1.0);
                    self.lanes[at].next();
                    self.begin(common, lent, at, to)?;
                }
                Stepped::Left(state) => {
                    self.evict(at);
                    self.lanes[at].import(lent, *state).map_err(Stopped::Fault)?;
                    self.step_alone(common, lent, (at, actions[at], actors[at]), to)?;
                }
                Stepped::Others(state) => {
                    self.evict(at);
                    self.lanes[at].import(lent, *state).map_err(Stopped::Fault)?;
                    self.end(common, lent, (at, actors[at]), to)?;
                }
            }
        }
        let Some(context) = &self.context else { return Ok(()) };
        let is_long = |at: &usize| self.resident[*at] && context.turns(*at) >= u64::from(common.max_turns);
        let long: ByLane<usize> = (0..self.lanes.len()).filter(is_long).collect();
        for at in long {
            to.truncated[at] = true;
            self.lanes[at].next();
            self.begin(common, lent, at, to)?;
        }
        Ok(())
    }

    /// Steps a game that stands in its lane.
    fn step_alone(
        &mut self,
        common: &Common,
        lent: &mut Lent<'_>,
        (at, action, actor): (usize, i64, Player),
        to: &mut Slices<'_>,
    ) -> Result<(), Stopped> {
        let illegal = || Stopped::Illegal(self.begin + at, action);
        let number = u16::try_from(action).map_err(|_| illegal())?;
        if !self.lanes[at].apply(lent, number).map_err(Stopped::Fault)? {
            return Err(illegal());
        }
        self.end(common, lent, (at, actor), to)
    }

    /// Tells how a game that stands in its lane does after a choice, and begins the next one where it is over.
    fn end(
        &mut self,
        common: &Common,
        lent: &mut Lent<'_>,
        (at, actor): (usize, Player),
        to: &mut Slices<'_>,
    ) -> Result<(), Stopped> {
        let lane = &mut self.lanes[at];
        let is_over = lane.is_over();
        if is_over {
            to.end(&common.space, at, actor, |player| lane.payoff(player));
        } else if lane.turns() < common.max_turns {
            self.admit(common, at, to);
            return Ok(());
        }
        to.truncated[at] = !is_over;
        lane.next();
        self.begin(common, lent, at, to)
    }

    /// Notes who chooses in each lane.
    fn name_players(&mut self) {
        if let Some(context) = &self.context {
            context.waiting().for_each(|(at, player)| self.players[at] = player);
        }
        for ((lane, player), is_resident) in self.lanes.iter().zip(&mut self.players).zip(&self.resident) {
            if !is_resident {
                *player = lane.chooser();
            }
        }
    }

    /// Writes what the choosers see, and what they may choose.
    fn observe(&mut self, common: &Common, lent: &mut Lent<'_>, to: &mut Slices<'_>) -> Result<(), Stopped> {
        let space = &*common.space;
        self.name_players();
        if let (Some(context), Some((board, session))) = (&self.context, &mut lent.planned) {
            let lanes = (&*self.resident, &*self.players);
            match &board.sources {
                Some(sources) => write_seen(space, (sources, context), lanes, &mut self.packed, to),
                None => {
                    let mut state = GameState::default();
                    for at in (0..self.lanes.len()).filter(|at| self.resident[*at]) {
                        context.get(at, &mut state);
                        session.import_state(&mut state);
                        let (planes, counters, _) = to.seen(space, at);
                        space.layout.write_turn(&session.position(), &[], planes, counters);
                    }
                }
            }
            write_masks(space, (board, context), &self.resident, &mut self.packed, to);
        }
        for (at, lane) in self.lanes.iter_mut().enumerate().filter(|(at, _)| !self.resident[*at]) {
            lane.observe(lent, to.seen(space, at)).map_err(Stopped::Fault)?;
            to.turns[at] = lane.turns() as i32;
        }
        to.player.iter_mut().zip(&self.players).for_each(|(to, player)| *to = player.index() as i32);
        Ok(())
    }

    /// Writes an action for each game that begins a move drawn uniformly.
    pub fn draw(&mut self, board: Option<&Board>, to: &mut [i64]) {
        if let (Some(context), Some(board)) = (&self.context, board) {
            draw_cells((board, context), &self.resident, &mut self.lanes, to);
        }
        for ((lane, to), is_resident) in self.lanes.iter_mut().zip(to).zip(&self.resident) {
            if !is_resident {
                *to = lane.drawn(board).map_or(-1, i64::from);
            }
        }
    }
}

// What follows is done for each lane and step. It is compiled for several processors: counting bits, and rotating eight
// words at a time, takes many instructions on the oldest.

/// Writes what is seen of the games of a context.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
))]
fn write_seen(
    space: &Space,
    (sources, context): (&Sources, &WarpContext),
    (resident, players): (&[bool], &[Player]),
    packed: &mut Vec<[u64; WIDE]>,
    to: &mut Slices<'_>,
) {
    let chunks = resident.chunks(WIDE).zip(players.chunks(WIDE));
    for (chunk, (resident, players)) in chunks.enumerate() {
        sources.pack(|reg, word| context.set(reg, word, chunk), packed);
        for (lane, _) in resident.iter().enumerate().filter(|(_, is_resident)| **is_resident) {
            let (planes, counters, _) = to.seen(space, chunk * WIDE + lane);
            let number = |reg: usize| context.number(reg, chunk)[lane] as i64;
            let seen = (players[lane], |word: usize| packed[word][lane], number);
            space.layout.write_registers(sources, seen, planes, counters);
            space.layout.write_choices(players[lane], &[], planes, counters);
        }
    }
}

/// Writes what may be chosen in the games of a context, and the turns that were played in them.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"
))]
fn write_masks(
    space: &Space,
    (board, context): (&Board, &WarpContext),
    resident: &[bool],
    packed: &mut Vec<[u64; WIDE]>,
    to: &mut Slices<'_>,
) {
    for (chunk, resident) in resident.chunks(WIDE).enumerate() {
        packed.clear();
        board.actions.pack(|word| context.cells(word, chunk), packed);
        for (lane, _) in resident.iter().enumerate().filter(|(_, is_resident)| **is_resident) {
            let at = chunk * WIDE + lane;
            board.actions.write(packed.iter().map(|words| words[lane]), to.seen(space, at).2);
            to.turns[at] = context.turns(at) as i32;
        }
    }
}

/// The numbers of the cells that are chosen in the games of a context. The first lane whose action is no such cell, if there
/// is one, comes out instead.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn ranks(
    (board, context): (&Board, &WarpContext),
    resident: &[bool],
    actions: &[i64],
) -> Result<ByLane<Option<(u32, u32)>>, usize> {
    let mut ranks: ByLane<Option<(u32, u32)>> = SmallVec::from_elem(None, actions.len());
    for (at, ((rank, action), is_resident)) in ranks.iter_mut().zip(actions).zip(resident).enumerate() {
        if *is_resident {
            let action = u16::try_from(*action).map_err(|_| at)?;
            *rank = Some(board.rank(context.cells_of(at), action).ok_or(at)?);
        }
    }
    Ok(ranks)
}

/// Draws a cell in each game of a context.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn draw_cells((board, context): (&Board, &WarpContext), resident: &[bool], lanes: &mut [Lane], to: &mut [i64]) {
    for (at, ((lane, to), is_resident)) in lanes.iter_mut().zip(to).zip(resident).enumerate() {
        if *is_resident {
            let cells = context.cells_of(at);
            let of = cells.clone().map(u64::count_ones).sum();
            *to = board.nth(cells, lane.below(of)).map_or(-1, i64::from);
        }
    }
}
