//! The operations of programs.

use crate::board::{Fold, Player};
use crate::model::Arithmetic;

use crate::plan::annotation::Annotation;
use crate::plan::dir_vector::VecBinaryOp;
use crate::plan::regs::{NumReg, SetReg, SpanId};

pub use crate::model::Comparison as Cmp;

/// One operation. `d` is written, the others are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    // Sets.
    Copy {
        d: SetReg,
        a: SetReg,
    },
    And {
        d: SetReg,
        a: SetReg,
        b: SetReg,
    },
    Or {
        d: SetReg,
        a: SetReg,
        b: SetReg,
    },
    /// The cells of `a` that are not in `b`.
    AndNot {
        d: SetReg,
        a: SetReg,
        b: SetReg,
    },
    /// The cells of `of` that are in neither set. Only in code laid out in a row.
    AndNotBoth {
        d: SetReg,
        of: SetReg,
        a: SetReg,
        b: SetReg,
    },
    /// The cells of `a` that are not in `out`, and those of `into`. Only in code laid out in a row.
    Replace {
        d: SetReg,
        a: SetReg,
        out: SetReg,
        into: SetReg,
    },
    /// The cells of `a` that are not in `b`, and in `e` those that are. Only in code laid out in a
    /// row.
    Partition {
        d: SetReg,
        e: SetReg,
        a: SetReg,
        b: SetReg,
    },
    /// Two of [`Op::Part`] by one set. Only where one game is followed at a time (`hasten`), made
    /// last.
    PartitionTwo {
        d: SetReg,
        e: SetReg,
        a: SetReg,
        f: SetReg,
        g: SetReg,
        c: SetReg,
        b: SetReg,
    },
    /// `a` if `n` is not 0, else nothing.
    KeepIf {
        d: SetReg,
        a: SetReg,
        n: NumReg,
    },
    Select {
        d: SetReg,
        n: NumReg,
        a: SetReg,
        b: SetReg,
    },
    /// One step along a direction.
    Shift {
        d: SetReg,
        a: SetReg,
        dir: u16,
    },
    /// One step by one hop: a part of a direction, or of several.
    MaskedShift {
        d: SetReg,
        a: SetReg,
        hop: u16,
    },
    /// One step along any of a fixed set of directions.
    Neighbors {
        d: SetReg,
        a: SetReg,
        along: u16,
    },
    /// One step along any of a set of directions given as bits.
    NeighborsBy {
        d: SetReg,
        a: SetReg,
        dirs: NumReg,
    },
    /// The cells reached from `a` by one or more steps along a direction, all of them within
    /// `through`.
    RayFill {
        d: SetReg,
        a: SetReg,
        through: SetReg,
        dir: u16,
    },
    /// From the single cell `a`, the first cell along a direction that is in `until`.
    FirstOnRay {
        d: SetReg,
        a: SetReg,
        until: SetReg,
        dir: u16,
    },
    /// The cells that lines from `a` along any of a set of directions come to: through cells of
    /// `through`, and the first one beyond.
    SlidingReach {
        d: SetReg,
        a: SetReg,
        through: SetReg,
        dirs: u32,
    },
    /// What keeps cells of `of` from being seen from `a`: for each line that comes to one of them,
    /// one of the cells between that are not in `through`, of `firm` ones if there are any.
    Blockers {
        d: SetReg,
        a: SetReg,
        of: SetReg,
        through: SetReg,
        firm: SetReg,
        dirs: u32,
    },
    /// Where runs are only counted: so many options of a choice are known to complete one each, and
    /// are no longer offered.
    BulkCount {
        of: SetReg,
        sure: SetReg,
    },
    /// The cells reached after exactly `n` steps along a direction, all within `through`.
    ShiftTimes {
        d: SetReg,
        a: SetReg,
        through: SetReg,
        n: NumReg,
        dir: u16,
    },
    /// The cells of `within` that are joined to a cell of `a` in `within`. `kept`: where what it
    /// comes to is remembered, to go on from.
    FloodFill {
        d: SetReg,
        a: SetReg,
        within: SetReg,
        along: u16,
        kept: Option<u16>,
    },
    /// From each cell of `a` along each direction of a trail: a run of `x`, if it is as long as the
    /// trail asks, and behind it stands a cell of `y` if the trail asks that.
    RayQuery {
        d: SetReg,
        a: SetReg,
        x: SetReg,
        y: SetReg,
        trail: u16,
    },
    /// The cells of those rows of a fixed list that lie whole in `a`.
    FullLines {
        d: SetReg,
        a: SetReg,
        list: u16,
    },
    /// The cells each of which makes with `a` a row of a fixed list whole, as a
    /// [`Completion`](crate::plan::Completion) tells.
    LineCompletions {
        d: SetReg,
        a: SetReg,
        how: u16,
    },
    /// The straight line of cells from one to the other.
    LineBetween {
        d: SetReg,
        a: SetReg,
        b: SetReg,
        place: SpanId,
    },
    /// The `n`-th cell.
    NthCell {
        d: SetReg,
        a: SetReg,
        n: NumReg,
    },
    /// The cells whose file or rank lies between two numbers.
    Band {
        d: SetReg,
        fold: Fold,
        from: NumReg,
        to: NumReg,
        player: Player,
    },
    // Rows: a set for each of several directions, in registers that follow one another. A bit of
    // `wide` tells that an operand is a row.
    /// One step along each direction. `onto`: what lies there is kept.
    VecShift {
        d: SetReg,
        a: SetReg,
        onto: Option<SetReg>,
        fan: u16,
        lanes: u8,
        wide: u8,
    },
    /// [`Op::Keep`] of one set, each lane by a bit of a number: those of the first lane, the second
    /// and so on stand in `bits`, a byte each.
    VecKeepIf {
        d: SetReg,
        a: SetReg,
        n: NumReg,
        lanes: u8,
        bits: u64,
    },
    /// [`Op::Fill`] along each direction.
    VecRayFill {
        d: SetReg,
        a: SetReg,
        through: SetReg,
        fan: u16,
        lanes: u8,
        wide: u8,
    },
    VecBinary {
        pairing: VecBinaryOp,
        d: SetReg,
        a: SetReg,
        b: SetReg,
        lanes: u8,
        wide: u8,
    },
    /// [`Op::Part`] of rows.
    VecPartition {
        d: SetReg,
        e: SetReg,
        a: SetReg,
        b: SetReg,
        lanes: u8,
        wide: u8,
    },
    /// [`Op::Sight`] along each direction, of which what lies `onto` is kept; made where one game
    /// is followed at a time.
    VecSlidingReach {
        d: SetReg,
        a: SetReg,
        through: SetReg,
        onto: Option<SetReg>,
        fan: u16,
        lanes: u8,
        wide: u8,
    },
    /// The cells of all sets of a row; `steps`: those that a step along each direction of a fan
    /// leads to, where many games are followed at a time.
    VecUnion {
        d: SetReg,
        a: SetReg,
        lanes: u8,
        steps: Option<u16>,
    },
    // Numbers.
    Const {
        d: NumReg,
        k: i64,
    },
    CopyNum {
        d: NumReg,
        a: NumReg,
    },
    Arithmetic {
        op: Arithmetic,
        d: NumReg,
        a: NumReg,
        b: NumReg,
        place: SpanId,
    },
    Compare {
        cmp: Cmp,
        d: NumReg,
        a: NumReg,
        b: NumReg,
    },
    SelectNum {
        d: NumReg,
        n: NumReg,
        a: NumReg,
        b: NumReg,
    },
    Not {
        d: NumReg,
        a: NumReg,
    },
    /// Bitwise: of truths and of sets of directions.
    BitAnd {
        d: NumReg,
        a: NumReg,
        b: NumReg,
    },
    BitOr {
        d: NumReg,
        a: NumReg,
        b: NumReg,
    },
    /// The bits of `a` that are not in `b`.
    BitAndNot {
        d: NumReg,
        a: NumReg,
        b: NumReg,
    },
    CountBits {
        d: NumReg,
        a: NumReg,
    },
    OppositeDirs {
        d: NumReg,
        a: NumReg,
    },
    /// 1 if the bit is set.
    TestBit {
        d: NumReg,
        a: NumReg,
        bit: u16,
    },
    NonEmpty {
        d: NumReg,
        a: SetReg,
    },
    /// 1 if `of` has a cell in neither set. Only in code laid out in a row.
    NonEmptyAndNotBoth {
        d: NumReg,
        of: SetReg,
        a: SetReg,
        b: SetReg,
    },
    Popcount {
        d: NumReg,
        a: SetReg,
    },
    /// 1 if the sets share a cell.
    Intersects {
        d: NumReg,
        a: SetReg,
        b: SetReg,
    },
    /// 1 if `a` has a cell and all of them lie in `b`.
    NonEmptySubset {
        d: NumReg,
        a: SetReg,
        b: SetReg,
    },
    Equal {
        d: NumReg,
        a: SetReg,
        b: SetReg,
    },
    /// 1 if the row of `within` through the cells of `a`, along two directions of a trail that
    /// follow one another, is as long as the trail asks.
    InLine {
        d: NumReg,
        a: SetReg,
        within: SetReg,
        trail: u16,
    },
    Coordinate {
        d: NumReg,
        fold: Fold,
        a: SetReg,
        player: Player,
        place: SpanId,
    },
    /// How many groups the set has; no more than `most` are counted.
    CountGroups {
        d: NumReg,
        a: SetReg,
        along: u16,
        most: u16,
    },
    /// 1 if a cell of `to`, or one beside such a cell, is joined to one of `a` in `within`.
    Reaches {
        d: NumReg,
        a: SetReg,
        within: SetReg,
        to: SetReg,
        along: u16,
        kept: Option<u16>,
        beside: bool,
    },
    /// Which of two sets has the larger parts, the largest compared first: 1 the first set, -1 the
    /// second, 0 neither.
    CompareGroupSizes {
        d: NumReg,
        a: SetReg,
        along: u16,
        b: SetReg,
        beside: u16,
    },
    /// How often the men have stood as they do, and `more` where that has not been noted yet.
    PieceRepetitions {
        d: NumReg,
        more: i64,
    },
    /// How often the position has stood, and `more` where it has not been noted yet.
    PositionRepetitions {
        d: NumReg,
        more: i64,
    },
    Cycle {
        d: NumReg,
    },
    /// 1 if the player, were it his turn, would have no complete run but a pass.
    Stuck {
        d: NumReg,
        player: Player,
    },
    // Men. Which registers hold men is the layout's affair.
    /// Takes all men off the cells, marks included. `only`: the one register that can have them, if
    /// that is known.
    RemovePieces {
        cells: SetReg,
        only: Option<SetReg>,
    },
    /// The man on the one cell goes to the other, whatever he is, with his marks. `only`: the one
    /// register that has him, if that is known.
    MovePiece {
        from: SetReg,
        to: SetReg,
        only: Option<SetReg>,
    },
    /// All men of the cells become the player's.
    FlipOwner {
        cells: SetReg,
        player: Player,
    },
    /// Fails as a fault if the sets share a cell.
    FaultIfIntersects {
        cells: SetReg,
        of: SetReg,
        place: SpanId,
    },
    // The course of the turn.
    /// Behind a choice: no more runs follow than [`Op::Follow`] would find cells. Only in trees of
    /// blocks; a choice laid out in a row has it. `aims`: what is left of a number is that of a
    /// cell which the trail may come to, in the order of [`crate::plan::Trail::lines`], and the
    /// next choice takes this cell.
    EarlyReject {
        a: SetReg,
        x: SetReg,
        trail: u16,
        aims: bool,
    },
    Annotate {
        mark: Annotation,
    },
    Passed,
    Acted,
    PlayAgain,
    /// The game is over: this outcome, these winners.
    SetOutcome {
        outcome: u16,
        winners: NumReg,
    },
    // The flow of a program laid out in a row; trees of blocks have none of these.
    Jump {
        to: u32,
    },
    /// Goes on at `to` if the number is 0.
    BranchIfZero {
        n: NumReg,
        to: u32,
    },
    /// Goes on at `to` if the number is not 0.
    BranchIfNonZero {
        n: NumReg,
        to: u32,
    },
    /// Goes on at `to` if there is no cell.
    BranchIfEmpty {
        a: SetReg,
        to: u32,
    },
    BranchIfNonEmpty {
        a: SetReg,
        to: u32,
    },
    /// Goes on at `to` if `of` has a cell in neither set.
    BranchIfNonEmptyAndNotBoth {
        of: SetReg,
        a: SetReg,
        b: SetReg,
        to: u32,
    },
    BranchIfDisjoint {
        a: SetReg,
        b: SetReg,
        to: u32,
    },
    BranchUnlessCompare {
        cmp: Cmp,
        a: NumReg,
        b: NumReg,
        to: u32,
    },
    // Operations joined with the jumps that ask them; made where one game is followed at a time
    // (`hasten`).
    BranchIfEmptyAndNotBoth {
        of: SetReg,
        a: SetReg,
        b: SetReg,
        to: u32,
    },
    BranchIfIntersects {
        a: SetReg,
        b: SetReg,
        to: u32,
    },
    /// The run dies if the number is not 0; if there is a cell; if the sets share one.
    RequireZero {
        n: NumReg,
    },
    RequireEmpty {
        a: SetReg,
    },
    RequireDisjoint {
        a: SetReg,
        b: SetReg,
    },
    /// Goes on at `to` if some cell of `b` lies near one of `a`, or if none does, by what is known
    /// of each cell: a number of [`Linked::nears`](crate::plan::Linked).
    BranchByAttackFilter {
        a: SetReg,
        b: SetReg,
        near: u16,
        some: bool,
        to: u32,
    },
    BranchUnlessInLine {
        a: SetReg,
        within: SetReg,
        trail: u16,
        to: u32,
    },
    /// [`Op::Follow`]; goes on at `to`, and writes nothing, if it finds no cell.
    BranchUnlessRayQuery {
        d: SetReg,
        a: SetReg,
        x: SetReg,
        y: SetReg,
        trail: u16,
        to: u32,
    },
    /// Takes the first cell out of a set; without one goes on at `to`.
    NextCell {
        of: SetReg,
        cell: SetReg,
        to: u32,
    },
    NextGroup {
        of: SetReg,
        group: SetReg,
        along: u16,
        to: u32,
    },
    /// Counts a round, and goes back to `to` if the number is not 0.
    LoopBack {
        n: NumReg,
        counter: NumReg,
        place: SpanId,
        to: u32,
    },
    Choice {
        index: u32,
    },
    /// A choice of cells of one set, each of which completes the run: one is drawn, and the run
    /// goes on, if it is one that draws.
    SampleCell {
        of: SetReg,
        cell: SetReg,
        index: u32,
    },
    /// [`Op::Draw`] of [`Op::Outside`], which is written to `d`.
    SampleAndNotBoth {
        d: SetReg,
        of: SetReg,
        a: SetReg,
        b: SetReg,
        cell: SetReg,
        index: u32,
    },
    /// [`Op::DrawOutside`]; what is drawn joins `onto`, as the next operation says, which a run
    /// that draws passes over. The set that was drawn from stands nowhere then.
    SampleOnto {
        onto: SetReg,
        of: SetReg,
        a: SetReg,
        b: SetReg,
        cell: SetReg,
        index: u32,
    },
    First {
        index: u32,
    },
    /// No choice can come from here on: a run of which the number that was drawn wants more choices
    /// dies.
    NoMoreChoices,
    /// Nothing can end the run from here on before it is complete: who only asks whether it can be
    /// completed needs no more of it.
    CannotFail,
    Require {
        n: NumReg,
    },
    Fail,
    End,
}
