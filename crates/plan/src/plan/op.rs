//! Operation table: one entry for each operation, from which the operations of each tier, their
//! operands, register rewriters, branch targets and text come.
//!
//! An entry tells the fields with the role of each, flags, and the text in which `{field}` stands
//! for a field. Words of a text are parted by single blanks, and a field is one word.
//! `[word {field}]` is left out where the field is 0, false or none.
//!
//! | role | field |
//! | --- | --- |
//! | `def_set`, `use_set`, `use_def_set` | a set register that is written, read, or both |
//! | `def_num`, `use_num`, `use_def_num` | a number register, likewise |
//! | `opt_set` | a set register that is read, if there is one |
//! | `def_vec(lanes)` | the first of set registers that are written as a whole |
//! | `use_vec(lanes)`, `use_vec(lanes, wide & 1)` | the first of those that are read; a single one if the bit is not set |
//! | `imm(type)`, `dir`, `span`, `mark` | a constant, a direction, a place in the rules, what is told of a choice |
//! | `target` | where a branch goes |
//!
//! | section | types that have its operations | where they may stand |
//! | --- | --- | --- |
//! | `tree` | `TreeOp` | in trees alone |
//! | `all` | `TreeOp`, `LinearOp`, `FusedOp` | in trees and in code |
//! | `linear` | `LinearOp`, `FusedOp` | in code from linearisation on |
//! | `peephole` | `LinearOp`, `FusedOp` | in code from the peephole pass on |
//! | `polished` | `LinearOp`, `FusedOp` | the same, but not where branches stay structured |
//! | `fused` | `FusedOp` | in what the scalar interpreter executes |
//!
//! Flags: `pieces` (reads and writes all men), `position` (reads the whole position), `may_fault`,
//! `stops` (never goes on with the next operation), `test` (does nothing but branch), `vector`
//! (registers of it are lanes of a vector), `more` (does more than to write one register), `truth`
//! (what it writes is 0 or 1).

use std::fmt::Debug;

use crate::board::{Fold, Player};
use crate::model::Arithmetic;

use crate::plan::annotation::Annotation;
use crate::plan::dir_vector::VecBinaryOp;
use crate::plan::regs::{Access, NumReg, SetReg, SpanId};

pub use crate::model::Comparison as Cmp;

/// Gives the table, section by section, to a macro.
#[doc(hidden)]
#[macro_export]
macro_rules! operation_table {
    (($($then:tt)*) $($generate:ident)?) => {
        $($then)*! {
            $($generate)?
            tree {
                /// Behind a choice: no more runs follow than `RayQuery` would find cells. A choice
                /// of linear code has it. `aims`: what is left of a number is that of a cell which
                /// the trail may come to, in the order of
                /// [`RayQuery::lines`](crate::plan::RayQuery::lines), and the next choice takes
                /// this cell.
                EarlyReject { a: use_set, x: use_set, trail: imm(u16), aims: imm(bool) } []
                    "reject beyond query {trail} from {a} through {x} [aims {aims}]";
            }
            all {
                // Sets.
                Copy { d: def_set, a: use_set } [] "{d} = {a}";
                And { d: def_set, a: use_set, b: use_set } [] "{d} = {a} and {b}";
                Or { d: def_set, a: use_set, b: use_set } [] "{d} = {a} or {b}";
                /// The cells of `a` that are not in `b`.
                AndNot { d: def_set, a: use_set, b: use_set } [] "{d} = {a} and not {b}";
                /// `a` if `n` is not 0, else nothing.
                KeepIf { d: def_set, a: use_set, n: use_num } [] "{d} = {a} if {n}";
                Select { d: def_set, n: use_num, a: use_set, b: use_set } [] "{d} = if {n} then {a} else {b}";
                /// One step along a direction.
                Shift { d: def_set, a: use_set, dir: dir } [] "{d} = {a} stepped {dir}";
                /// One step by one hop: a part of a direction, or of several.
                MaskedShift { d: def_set, a: use_set, hop: imm(u16) } [] "{d} = {a} stepped by hop {hop}";
                /// One step along any of a fixed set of directions.
                Neighbors { d: def_set, a: use_set, along: imm(u16) } [] "{d} = {a} stepped along ways {along}";
                /// One step along any of a set of directions given as bits.
                NeighborsBy { d: def_set, a: use_set, dirs: use_num } [] "{d} = {a} stepped along {dirs}";
                /// The cells reached from `a` by one or more steps along a direction, all of them
                /// within `through`.
                RayFill { d: def_set, a: use_set, through: use_set, dir: dir } []
                    "{d} = run {dir} from {a} through {through}";
                /// From the single cell `a`, the first cell along a direction that is in `until`.
                FirstOnRay { d: def_set, a: use_set, until: use_set, dir: dir } []
                    "{d} = first {dir} from {a} in {until}";
                /// The cells that lines from `a` along any of a set of directions come to: through
                /// cells of `through`, and the first one beyond.
                SlidingReach { d: def_set, a: use_set, through: use_set, dirs: imm(u32) } []
                    "{d} = seen from {a} through {through} dirs {dirs}";
                /// What keeps cells of `of` from being seen from `a`: for each line that comes to
                /// one of them, one of the cells between that are not in `through`, of `firm` ones
                /// if there are any.
                Blockers {
                    d: def_set, a: use_set, of: use_set, through: use_set, firm: use_set, dirs: imm(u32)
                } [] "{d} = blockers of {of} from {a} through {through} firm {firm} dirs {dirs}";
                /// Where runs are only counted: so many options of a choice are known to complete
                /// one each, and are no longer offered.
                BulkCount { of: use_def_set, sure: use_set } [] "of {of} count {sure}";
                /// The cells reached after exactly `n` steps along a direction, all within
                /// `through`.
                ShiftTimes { d: def_set, a: use_set, through: use_set, n: use_num, dir: dir } []
                    "{d} = {n} steps {dir} from {a} through {through}";
                /// The cells of `within` that are joined to a cell of `a` in `within`. `kept`:
                /// where what it comes to is remembered, to go on from.
                FloodFill { d: def_set, a: use_set, within: use_set, along: imm(u16), kept: imm(Option<u16>) } []
                    "{d} = flood from {a} within {within} along {along} [kept {kept}]";
                /// From each cell of `a` along each direction of a trail: a run of `x`, if it is as
                /// long as the trail asks, and behind it stands a cell of `y` if the trail asks
                /// that.
                RayQuery { d: def_set, a: use_set, x: use_set, y: use_set, trail: imm(u16) } []
                    "{d} = query {trail} from {a} through {x} to {y}";
                /// The cells of those rows of a fixed list that lie whole in `a`.
                FullLines { d: def_set, a: use_set, list: imm(u16) } [] "{d} = lines {list} in {a}";
                /// What a list has for each cell of `a`, by the bits of cells.
                Lookup { d: def_set, a: use_set, list: imm(u16) } [] "{d} = of lines {list} those of {a}";
                /// What a list has for a number: `base` is that of the first row. The first row stands for lower
                /// numbers too, and the last for higher ones.
                LookupNum { d: def_set, n: use_num, base: imm(i64), list: imm(u16) } []
                    "{d} = of lines {list} that of {n} from {base}";
                /// The bits of a number in place of cells, and of these as a number again. Nothing but a call may lie
                /// between, as other operations take a set for cells of the board.
                BitcastNum { d: def_set, a: use_num } [] "{d} = bits of {a}";
                BitcastSet { d: def_num, a: use_set } [] "{d} = number of bits {a}";
                /// The cells each of which makes with `a` a row of a fixed list whole, as a
                /// [`Completion`](crate::plan::Completion) tells.
                LineCompletions { d: def_set, a: use_set, how: imm(u16) } [] "{d} = completions {how} in {a}";
                /// The straight line of cells from one to the other.
                LineBetween { d: def_set, a: use_set, b: use_set, place: span } [may_fault more]
                    "{d} = span {a} {b} at {place}";
                /// The `n`-th cell.
                NthCell { d: def_set, a: use_set, n: use_num } [] "{d} = nth {n} of {a}";
                /// The cells whose file or rank lies between two numbers.
                Band { d: def_set, fold: imm(Fold), from: use_num, to: use_num, player: imm(Player) } []
                    "{d} = band {fold} from {from} to {to} for {player}";
                // Vectors: a set for each of several directions, in registers that follow one
                // another. A bit of `wide` tells that an operand is a vector.
                /// One step along each direction. `onto`: what lies there is kept.
                VecShift {
                    d: def_vec(lanes), a: use_vec(lanes, wide & 1), onto: opt_set, fan: imm(u16), lanes: imm(u8),
                    wide: imm(u8)
                } [vector more] "{d} = vec {lanes} step {a} fan {fan} [onto {onto}] [wide {wide}]";
                /// `KeepIf` of one set, each lane by a bit of a number: those of the first lane,
                /// the second and so on stand in `bits`, a byte each.
                VecKeepIf { d: def_vec(lanes), a: use_set, n: use_num, lanes: imm(u8), bits: imm(u64) } [vector more]
                    "{d} = vec {lanes} keep {a} if {n} bits {bits}";
                /// `RayFill` along each direction.
                VecRayFill {
                    d: def_vec(lanes), a: use_vec(lanes, wide & 1), through: use_vec(lanes, wide & 2), fan: imm(u16),
                    lanes: imm(u8), wide: imm(u8)
                } [vector more] "{d} = vec {lanes} run fan {fan} from {a} through {through} [wide {wide}]";
                VecBinary {
                    pairing: imm(VecBinaryOp), d: def_vec(lanes), a: use_vec(lanes, wide & 1),
                    b: use_vec(lanes, wide & 2), lanes: imm(u8), wide: imm(u8)
                } [vector more] "{d} = vec {lanes} {a} {pairing} {b} [wide {wide}]";
                /// The cells of all sets of a vector; `steps`: those that a step along each
                /// direction of a fan leads to, where many games are followed at a time.
                VecUnion { d: def_set, a: use_vec(lanes), lanes: imm(u8), steps: imm(Option<u16>) } [vector]
                    "{d} = vec {lanes} union {a} [steps {steps}]";
                // Numbers.
                Const { d: def_num, k: imm(i64) } [] "{d} = const {k}";
                CopyNum { d: def_num, a: use_num } [] "{d} = {a}";
                Arithmetic { op: imm(Arithmetic), d: def_num, a: use_num, b: use_num, place: span } [more]
                    "{d} = {a} {op} {b} at {place}";
                Compare { cmp: imm(Cmp), d: def_num, a: use_num, b: use_num } [truth] "{d} = {a} {cmp} {b}";
                SelectNum { d: def_num, n: use_num, a: use_num, b: use_num } [] "{d} = if {n} then {a} else {b}";
                Not { d: def_num, a: use_num } [truth] "{d} = not {a}";
                /// Bitwise: of truths and of sets of directions.
                BitAnd { d: def_num, a: use_num, b: use_num } [] "{d} = {a} and {b}";
                BitOr { d: def_num, a: use_num, b: use_num } [] "{d} = {a} or {b}";
                /// The bits of `a` that are not in `b`.
                BitAndNot { d: def_num, a: use_num, b: use_num } [] "{d} = {a} and not {b}";
                CountBits { d: def_num, a: use_num } [] "{d} = count bits {a}";
                OppositeDirs { d: def_num, a: use_num } [] "{d} = opposite {a}";
                /// 1 if the bit is set.
                TestBit { d: def_num, a: use_num, bit: dir } [truth] "{d} = {a} has {bit}";
                NonEmpty { d: def_num, a: use_set } [truth] "{d} = some {a}";
                Popcount { d: def_num, a: use_set } [] "{d} = count {a}";
                /// 1 if the sets share a cell.
                Intersects { d: def_num, a: use_set, b: use_set } [truth] "{d} = some {a} in {b}";
                /// 1 if `a` has a cell and all of them lie in `b`.
                NonEmptySubset { d: def_num, a: use_set, b: use_set } [truth] "{d} = {a} in {b}";
                Equal { d: def_num, a: use_set, b: use_set } [truth] "{d} = {a} equals {b}";
                /// 1 if the row of `within` through the cells of `a`, along two directions of a
                /// trail that follow one another, is as long as the trail asks.
                InLine { d: def_num, a: use_set, within: use_set, trail: imm(u16) } [truth]
                    "{d} = {a} in line {trail} of {within}";
                Coordinate { d: def_num, fold: imm(Fold), a: use_set, player: imm(Player), place: span } [may_fault more]
                    "{d} = {fold} of {a} for {player} at {place}";
                /// How many groups the set has; no more than `most` are counted.
                CountGroups { d: def_num, a: use_set, along: imm(u16), most: imm(u16) } []
                    "{d} = count groups of {a} along {along} up to {most}";
                /// 1 if a cell of `to`, or one beside such a cell, is joined to one of `a` in
                /// `within`.
                Reaches {
                    d: def_num, a: use_set, within: use_set, to: use_set, along: imm(u16), kept: imm(Option<u16>),
                    beside: imm(bool)
                } [] "{d} = {to} joined to {a} within {within} along {along} [kept {kept}] [beside {beside}]";
                /// Which of two sets has the larger parts, the largest compared first: 1 the first
                /// set, -1 the second, 0 neither.
                CompareGroupSizes { d: def_num, a: use_set, along: imm(u16), b: use_set, beside: imm(u16) } []
                    "{d} = groups of {a} along {along} against {b} along {beside}";
                /// How often the men have stood as they do, and `more` where that has not been
                /// noted yet.
                PieceRepetitions { d: def_num, more: imm(i64) } [position] "{d} = times pieces [more {more}]";
                /// How often the position has stood, and `more` where it has not been noted yet.
                PositionRepetitions { d: def_num, more: imm(i64) } [position] "{d} = times position [more {more}]";
                Cycle { d: def_num } [position] "{d} = the cycle";
                /// 1 if the player, were it his turn, would have no complete run but a pass.
                Stuck { d: def_num, player: imm(Player) } [position more truth] "{d} = stuck {player}";
                /// The same, as if the turn of `own` ended here: another would follow it.
                StuckBehind { d: def_num, player: imm(Player), own: imm(Player), place: span }
                    [position may_fault more truth] "{d} = stuck {player} behind {own} at {place}";
                /// How often the position would have stood if the turn of `own` ended here; how long ago it first did.
                PositionRepetitionsBehind { d: def_num, own: imm(Player), place: span } [position may_fault more]
                    "{d} = times position behind {own} at {place}";
                CycleBehind { d: def_num, own: imm(Player), place: span } [position may_fault more]
                    "{d} = the cycle behind {own} at {place}";
                /// 1 if the turn can be completed from here on, by a continuation of the player.
                CanComplete { d: def_num, continuation: imm(u16), player: imm(Player) } [position more truth]
                    "{d} = can complete {continuation} of {player}";
                /// The greatest value of the runs that complete the turn from here on, by a continuation of the player. If
                /// the greatest of the turn is known: whether one of them stays, as a value that does or does not.
                BestValue { d: def_num, continuation: imm(u16), player: imm(Player) } [position more]
                    "{d} = best value behind {continuation} of {player}";
                /// 1 if a condition holds that calls itself: a routine of the player, by its number, asked of three
                /// sets.
                Call { d: def_num, a: use_set, b: use_set, c: use_set, routine: imm(u16), place: span }
                    [position may_fault more truth] "{d} = call {routine} with {a} {b} {c} at {place}";
                // Men. Which registers hold men is the layout's affair.
                /// Takes all men off the cells, marks included. `only`: the one register that can
                /// have them, if that is known.
                RemovePieces { cells: use_set, only: imm(Option<SetReg>) } [pieces] "remove {cells} [only {only}]";
                /// The man on the one cell goes to the other, whatever he is, with his marks.
                /// `only`: the one register that has him, if that is known.
                MovePiece { from: use_set, to: use_set, only: imm(Option<SetReg>) } [pieces]
                    "move {from} to {to} [only {only}]";
                /// All men of the cells become the player's.
                FlipOwner { cells: use_set, player: imm(Player) } [pieces] "flip {cells} to {player}";
                // Stacks: the list of all men is read and written, and the sets of top men with it.
                /// How many men stand on the cells, in all.
                Heights { d: def_num, a: use_set } [position] "{d} = height of {a}";
                /// The cells on which so many men stand, both numbers taken.
                OfHeight { d: def_set, from: use_num, to: use_num } [position] "{d} = of height {from} to {to}";
                /// How many of the top `n` men of each of the cells, or of the lowest, are men of this number: the kind
                /// times the owners, nobody among them, and the owner.
                CountMen { d: def_num, cells: use_set, n: use_num, man: imm(u16), bottom: imm(bool) } [position]
                    "{d} = men {man} among {n} on {cells} [bottom {bottom}]";
                /// The cells whose lowest man is a player's, nobody's or of a kind: counted in this order.
                Bottoms { d: def_set, of: imm(u16) } [position] "{d} = bottoms {of}";
                /// The top `n` men of one cell, or as many as there are, go onto another, or under those who stand there.
                MoveMen { from: use_set, to: use_set, n: use_num, bottom: imm(bool) } [pieces]
                    "move {n} men {from} to {to} [bottom {bottom}]";
                /// `n` men of this number come onto each of the cells, or under those who stand there.
                PutMen { cells: use_set, n: use_num, man: imm(u16), bottom: imm(bool) } [pieces]
                    "put {n} men {man} on {cells} [bottom {bottom}]";
                /// The top `n` men of each of the cells, or the lowest, or as many as there are, leave.
                TakeMen { cells: use_set, n: use_num, bottom: imm(bool) } [pieces]
                    "take {n} men from {cells} [bottom {bottom}]";
                /// All men of the cells become the player's.
                TurnMen { cells: use_set, player: imm(Player) } [pieces] "turn men on {cells} to {player}";
                /// Fails as a fault if the sets share a cell.
                FaultIfIntersects { cells: use_set, of: use_set, place: span } [may_fault]
                    "fault if some {cells} in {of} at {place}";
                /// Fails as a fault if so many more men do not fit on each of the cells, or on the board: it holds `most` men, or
                /// that is not asked.
                FaultIfCrowded { cells: use_set, n: use_num, most: imm(u16), place: span } [position may_fault]
                    "fault if {n} more do not fit on {cells} at {place} [board {most}]";
                // The course of the turn.
                Annotate { mark: mark } [] "tell {mark}";
                Passed [] "pass";
                Acted [] "acted";
                PlayAgain [] "again";
                /// Runs that go on from here are compared by what they come to in this contest; contest 0 is that of the
                /// whole turn.
                OpenContest { contest: imm(u32) } [] "contest {contest}";
                /// The value of the run by one `most` in the contest of this number that was opened last.
                Contend { a: use_num, contest: imm(u32), line: imm(u16) } [] "value {a} in contest {contest} by {line}";
                /// The game is over: this outcome, these winners.
                SetOutcome { outcome: imm(u16), winners: use_num } [] "outcome {outcome} winners {winners}";
            }
            linear {
                // The flow of linear code.
                Jump { to: target } [stops] "go to {to}";
                /// Goes on at `to` if the number is 0.
                BranchIfZero { n: use_num, to: target } [test] "unless {n} go to {to}";
                // Operations joined with the branches that ask them.
                /// Takes the first cell out of a set; without one goes on at `to`.
                NextCell { of: use_def_set, cell: def_set, to: target } [more] "{cell} = next of {of} else go to {to}";
                NextGroup { of: use_def_set, group: def_set, along: imm(u16), to: target } [more]
                    "{group} = next group of {of} along {along} else go to {to}";
                /// Counts a round, and goes back to `to` if the number is not 0.
                LoopBack { n: use_num, counter: use_def_num, place: span, to: target } [more]
                    "count {counter} at {place} and if {n} go to {to}";
                Choice { index: imm(u32) } [stops] "choose {index}";
                First { index: imm(u32) } [stops] "first {index}";
                /// No choice can come from here on: a run of which the number that was drawn wants
                /// more choices dies.
                NoMoreChoices [] "no more choices";
                /// Nothing can end the run from here on before it is complete: who only asks
                /// whether it can be completed needs no more of it.
                CannotFail [] "cannot fail";
                /// Nothing from here on can end the run, and nothing of it is told: who only lists runs
                /// needs no more of it.
                AllTold [] "all told";
                Require { n: use_num } [] "need {n}";
                Fail [stops] "fail";
                End [stops] "end";
            }
            peephole {
                // Sets.
                /// The cells of `of` that are in neither set.
                AndNotBoth { d: def_set, of: use_set, a: use_set, b: use_set } []
                    "{d} = {of} and not {a} nor {b}";
                /// The cells of `a` that are not in `out`, and those of `into`.
                Replace { d: def_set, a: use_set, out: use_set, into: use_set } []
                    "{d} = {a} and not {out} or {into}";
                // Numbers.
                /// 1 if `of` has a cell in neither set.
                NonEmptyAndNotBoth { d: def_num, of: use_set, a: use_set, b: use_set } [truth]
                    "{d} = some {of} and not {a} nor {b}";
                // The flow of linear code.
                /// Goes on at `to` if the number is not 0.
                BranchIfNonZero { n: use_num, to: target } [test] "if {n} go to {to}";
                /// Goes on at `to` if there is no cell.
                BranchIfEmpty { a: use_set, to: target } [test] "unless some {a} go to {to}";
                BranchIfNonEmpty { a: use_set, to: target } [test] "if some {a} go to {to}";
                BranchIfDisjoint { a: use_set, b: use_set, to: target } [test]
                    "unless some {a} in {b} go to {to}";
                BranchUnlessCompare { cmp: imm(Cmp), a: use_num, b: use_num, to: target } [test]
                    "unless {a} {cmp} {b} go to {to}";
            }
            polished {
                // Sets.
                /// The cells of `a` that are not in `b`, and in `e` those that are.
                Partition { d: def_set, e: def_set, a: use_set, b: use_set } []
                    "{d} {e} = partition {a} by {b}";
                // Vectors.
                /// `Partition` of vectors.
                VecPartition {
                    d: def_vec(lanes), e: def_vec(lanes), a: use_vec(lanes, wide & 1), b: use_vec(lanes, wide & 2),
                    lanes: imm(u8), wide: imm(u8)
                } [vector more] "{d} {e} = vec {lanes} partition {a} by {b} [wide {wide}]";
                // The flow of linear code.
                /// Goes on at `to` if `of` has a cell in neither set.
                BranchIfNonEmptyAndNotBoth { of: use_set, a: use_set, b: use_set, to: target } [test]
                    "if some {of} and not {a} nor {b} go to {to}";
            }
            fused {
                // Sets.
                /// Two of `Partition` by one set.
                PartitionTwo {
                    d: def_set, e: def_set, a: use_set, f: def_set, g: def_set, c: use_set, b: use_set
                } [] "{d} {e} {f} {g} = partition {a} {c} by {b}";
                // Vectors.
                /// `SlidingReach` along each direction, of which what lies `onto` is kept.
                VecSlidingReach {
                    d: def_vec(lanes), a: use_vec(lanes, wide & 1), through: use_vec(lanes, wide & 2), onto: opt_set,
                    fan: imm(u16), lanes: imm(u8), wide: imm(u8)
                } [vector more] "{d} = vec {lanes} seen fan {fan} from {a} through {through} [onto {onto}] [wide {wide}]";
                // Operations joined with the branches that ask them.
                BranchIfEmptyAndNotBoth { of: use_set, a: use_set, b: use_set, to: target } []
                    "unless some {of} and not {a} nor {b} go to {to}";
                BranchIfIntersects { a: use_set, b: use_set, to: target } [] "if some {a} in {b} go to {to}";
                /// The run dies if the number is not 0; if there is a cell; if the sets share one.
                RequireZero { n: use_num } [] "need not {n}";
                RequireEmpty { a: use_set } [] "need none {a}";
                RequireDisjoint { a: use_set, b: use_set } [] "need none {a} in {b}";
                /// Goes on at `to` if some cell of `b` lies near one of `a`, or if none does, by
                /// what is known of each cell: a number of the code.
                BranchByAttackFilter { a: use_set, b: use_set, near: imm(u16), some: imm(bool), to: target } []
                    "if near {near} of {a} and {b} is {some} go to {to}";
                BranchUnlessInLine { a: use_set, within: use_set, trail: imm(u16), to: target } []
                    "unless {a} in line {trail} of {within} go to {to}";
                /// `RayQuery`; goes on at `to`, and writes nothing, if it finds no cell.
                BranchUnlessRayQuery { d: def_set, a: use_set, x: use_set, y: use_set, trail: imm(u16), to: target } [more]
                    "{d} = query {trail} from {a} through {x} to {y} else go to {to}";
                /// A choice of cells of one set, each of which completes the run: one is drawn, and
                /// the run goes on, if it is one that draws.
                SampleCell { of: use_set, cell: def_set, index: imm(u32) } [more] "{cell} = sample {of} choose {index}";
                /// `SampleCell` of `AndNotBoth`, which is written to `d`.
                SampleAndNotBoth {
                    d: def_set, of: use_set, a: use_set, b: use_set, cell: def_set, index: imm(u32)
                } [more] "{d} {cell} = sample {of} and not {a} nor {b} choose {index}";
                /// `SampleAndNotBoth`; what is drawn joins `onto`, as the next operation says,
                /// which a run that draws passes over. The set that was drawn from stands nowhere
                /// then.
                SampleOnto {
                    onto: def_set, of: use_set, a: use_set, b: use_set, cell: def_set, index: imm(u32)
                } [more] "{cell} onto {onto} = sample {of} and not {a} nor {b} choose {index}";
            }
        }
    };
}
pub use operation_table;

/// Gives the operations of each tier to a macro, behind the name of their type.
#[doc(hidden)]
#[macro_export]
macro_rules! by_tier {
    (
        $generate:ident
        tree { $($tree:tt)* }
        all { $($all:tt)* }
        linear { $($linear:tt)* }
        peephole { $($peephole:tt)* }
        polished { $($polished:tt)* }
        fused { $($fused:tt)* }
    ) => {
        $generate! { TreeOp: $($tree)* $($all)* }
        $generate! { LinearOp: $($all)* $($linear)* $($peephole)* $($polished)* }
        $generate! { FusedOp: $($all)* $($linear)* $($peephole)* $($polished)* $($fused)* }
    };
}
pub use by_tier;

/// Calls a macro once for each tier: with the name of its type, and its operations.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_tier {
    ($generate:ident) => {
        $crate::plan::op::operation_table! { ($crate::plan::op::by_tier) $generate }
    };
}
pub use for_each_tier;

/// The type of a field.
macro_rules! field_type {
    (def_num) => { NumReg };
    (use_num) => { NumReg };
    (use_def_num) => { NumReg };
    (opt_set) => { Option<SetReg> };
    (imm($type:ty)) => { $type };
    (dir) => { u16 };
    (span) => { SpanId };
    (mark) => { Annotation };
    (target) => { u32 };
    // All other roles are those of set registers.
    ($role:ident $(($($arg:tt)*))?) => { SetReg };
}

/// What the type of a tier is for.
macro_rules! tier_doc {
    (TreeOp) => {
        "An operation of a tree."
    };
    (LinearOp) => {
        "An operation of linear code."
    };
    (FusedOp) => {
        "An operation of code for the scalar interpreter, which has superinstructions."
    };
}

macro_rules! operation_type {
    ($type:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        #[doc = tier_doc!($type)]
        /// `d` is written, the others are read.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $type {
            $($(#[$doc])* $name $({ $($field: field_type!($role $(($($arg)*))?)),* })?),*
        }

        // The dispatch loop reads operations one after the other.
        const _: () = assert!(size_of::<$type>() <= 16);
    };
}
for_each_tier!(operation_type);

macro_rules! conversion {
    (all $from:ident as $to:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        impl From<$from> for $to {
            fn from(op: $from) -> $to {
                match op {
                    $($from::$name $({ $($field),* })? => $to::$name $({ $($field),* })?),*
                }
            }
        }
    };
    (some $from:ident as $to:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        impl TryFrom<$from> for $to {
            /// The operation, of which this tier has none.
            type Error = $from;

            fn try_from(op: $from) -> Result<$to, $from> {
                Ok(match op {
                    $($from::$name $({ $($field),* })? => $to::$name $({ $($field),* })?,)*
                    other => return Err(other),
                })
            }
        }
    };
}

macro_rules! conversions {
    (
        tree { $($tree:tt)* }
        all { $($all:tt)* }
        linear { $($linear:tt)* }
        peephole { $($peephole:tt)* }
        polished { $($polished:tt)* }
        fused { $($fused:tt)* }
    ) => {
        conversion! { some TreeOp as LinearOp: $($all)* }
        conversion! { all LinearOp as FusedOp: $($all)* $($linear)* $($peephole)* $($polished)* }
        conversion! { some FusedOp as LinearOp: $($all)* $($linear)* $($peephole)* $($polished)* }
    };
}
operation_table!((conversions));

/// How far code has come on its way to an executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Linear code, as it is laid out.
    Linear,
    /// The same operations, with branches free to go anywhere.
    Threaded,
    /// Linear code behind the peephole pass, with branches as they were laid out.
    Structured,
    /// The same, with branches free to go anywhere.
    Polished,
    /// Code for the scalar interpreter, with its superinstructions.
    Fused,
}

/// The operation stands in one of these sections.
macro_rules! stands_in {
    ($op:ident: $(
        $(#[$doc:meta])* $name:ident $({ $($fields:tt)* })? [$($flag:ident)*] $text:literal;
    )*) => {
        matches!($op, $(FusedOp::$name { .. })|*)
    };
}

macro_rules! stages {
    (
        tree { $($tree:tt)* }
        all { $($all:tt)* }
        linear { $($linear:tt)* }
        peephole { $($peephole:tt)* }
        polished { $($polished:tt)* }
        fused { $($fused:tt)* }
    ) => {
        impl FusedOp {
            /// Code may have the operation when it has come so far.
            pub fn allowed_in(&self, stage: Stage) -> bool {
                match stage {
                    Stage::Linear | Stage::Threaded => {
                        !stands_in! { self: $($peephole)* $($polished)* $($fused)* }
                    }
                    Stage::Structured => !stands_in! { self: $($polished)* $($fused)* },
                    Stage::Polished => !stands_in! { self: $($fused)* },
                    Stage::Fused => true,
                }
            }
        }
    };
}
operation_table!((stages));

/// An operation of code, for what works on linear code and on fused code alike.
pub trait CodeOp: Copy + Debug + PartialEq + Into<FusedOp> {
    /// Calls back for each register, uses before definitions.
    fn accesses(&self, f: impl FnMut(Access));

    /// Where it may go on but behind itself; choices lead elsewhere, too.
    fn target(&self) -> Option<u32>;

    /// [`CodeOp::target`], to be aimed.
    fn target_mut(&mut self) -> Option<&mut u32>;

    /// A run may go on with the next operation.
    fn goes_on(&self) -> bool;

    /// The choice point that it names.
    fn choice_index(&self) -> Option<usize> {
        match (*self).into() {
            FusedOp::Choice { index }
            | FusedOp::SampleCell { index, .. }
            | FusedOp::SampleAndNotBoth { index, .. }
            | FusedOp::SampleOnto { index, .. } => Some(index as usize),
            _ => None,
        }
    }
}

macro_rules! code_op {
    ($($type:ident)*) => {
        $(impl CodeOp for $type {
            fn accesses(&self, f: impl FnMut(Access)) {
                self.accesses(f);
            }

            fn target(&self) -> Option<u32> {
                self.target()
            }

            fn target_mut(&mut self) -> Option<&mut u32> {
                self.target_mut()
            }

            fn goes_on(&self) -> bool {
                self.goes_on()
            }
        })*
    };
}
code_op!(LinearOp FusedOp);
