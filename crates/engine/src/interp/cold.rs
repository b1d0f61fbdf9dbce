//! Cold operations: an operation that is seldom executed goes in; its result register is written.
//! They stand apart so that the dispatch loop stays small and keeps its registers.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::interp::bitset;
use crate::interp::state::program::Program;
use crate::interp::state::search::VmExit;
use crate::interp::state::vm::Vm;
use crate::interp::target::assert_has_code;
use crate::plan::FusedOp;
use crate::position::{FaultKind, calculate, most_men};

/// The rarer operations, apart, so that the loop stays small; what stopped the run, if anything
/// did.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn execute<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, op: &FusedOp) -> Option<VmExit> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    match *op {
        FusedOp::Select { d, n, a, b } => vm.put(d, if vm.number(n) != 0 { *vm.set(a) } else { *vm.set(b) }),
        FusedOp::NeighborsBy { d, a, dirs } => vm.put(d, program.tables.around_bits(vm.set(a), vm.number(dirs))),
        FusedOp::ShiftTimes { d, a, through, n, dir } => {
            vm.put(d, program.tables.steps(vm.set(a), vm.set(through), vm.number(n), dir));
        }
        FusedOp::LineBetween { d, a, b, place } => match program.tables.span(vm.set(a), vm.set(b)) {
            Ok(line) => vm.put(d, line),
            Err(several) => return Some(vm.fail(FaultKind::NotOneCell(several), program.place(place))),
        },
        FusedOp::LookupNum { d, n, base, list } => vm.put(d, program.tables.lookup_number(vm.number(n), base, list)),
        FusedOp::BitcastNum { d, a } => vm.put(d, bitset::alone(0, vm.number(a) as u64)),
        FusedOp::BitcastSet { d, a } => vm.put_number(d, vm.set(a)[0] as i64),
        FusedOp::Lookup { d, a, list } => vm.put(d, program.tables.lookup(vm.set(a), list)),
        FusedOp::NthCell { d, a, n } => vm.put(d, program.tables.nth_cell(vm.set(a), vm.number(n))),
        FusedOp::Blockers { d, a, of, through, firm, dirs } => {
            let operands = [vm.set(a), vm.set(of), vm.set(through), vm.set(firm)];
            vm.put(d, program.tables.sights.guards(operands, dirs, &program.tables));
        }
        FusedOp::BulkCount { of, sure } => {
            let (all, sure) = (*vm.set(of), *vm.set(sure));
            vm.search.bulk_counted += u64::from(bitset::count(&bitset::and(&all, &sure)));
            vm.put(of, bitset::without(&all, &sure));
        }
        FusedOp::Band { d, fold, from, to, player } => {
            let forward = program.forwards[player.index()];
            vm.put(d, program.tables.band(fold, vm.number(from), vm.number(to), forward));
        }
        FusedOp::Arithmetic { op, d, a, b, place } => match calculate(op, vm.number(a), vm.number(b)) {
            Ok(value) => vm.put_number(d, value),
            Err(kind) => return Some(vm.fail(kind, program.place(place))),
        },
        FusedOp::BitAndNot { d, a, b } => vm.put_number(d, vm.number(a) & !vm.number(b)),
        FusedOp::CountBits { d, a } => vm.put_number(d, i64::from(vm.number(a).count_ones())),
        FusedOp::OppositeDirs { d, a } => {
            let (mut left, mut all) = (vm.number(a) as u64, 0u64);
            while left != 0 {
                all |= 1 << program.tables.opposite[left.trailing_zeros() as usize % program.tables.opposite.len()];
                left &= left - 1;
            }
            vm.put_number(d, all as i64);
        }
        FusedOp::Equal { d, a, b } => vm.put_number(d, i64::from(vm.set(a) == vm.set(b))),
        FusedOp::Coordinate { d, fold, a, player, place } => {
            let (set, count) = (vm.set(a), bitset::count(vm.set(a)) as usize);
            match program.tables.grid.cell(bitset::lowest(set)).filter(|_| count == 1) {
                Some(cell) => {
                    vm.put_number(d, program.tables.coordinate(fold, cell, program.forwards[player.index()]));
                }
                None => return Some(vm.fail(FaultKind::NotOneCell(count), program.place(place))),
            }
        }
        FusedOp::CountGroups { d, a, along, most } => {
            vm.put_number(d, program.tables.count_groups(vm.set(a), along, most.into()));
        }
        FusedOp::CompareGroupSizes { d, a, along, b, beside } => {
            let (a, b) = (program.tables.sizes(vm.set(a), along), program.tables.sizes(vm.set(b), beside));
            vm.put_number(d, a.cmp(&b) as i64);
        }
        FusedOp::PieceRepetitions { d, more } => {
            let noted = if more == 0 { vm.game.history.times_last_pieces() } else { None };
            let times = noted.unwrap_or_else(|| vm.game.history.times_pieces(vm.pieces_hash(program)));
            vm.put_number(d, times + more);
        }
        FusedOp::PositionRepetitions { d, more } => {
            let noted = if more == 0 { vm.game.history.times_last_position() } else { None };
            let times = noted.unwrap_or_else(|| vm.game.history.times_position(vm.position_hash(program)));
            vm.put_number(d, times + more);
        }
        FusedOp::Cycle { d } => {
            let hash = vm.position_hash(program);
            vm.put_number(d, vm.game.history.cycle(hash));
        }
        FusedOp::FaultIfIntersects { cells, of, place } => {
            let both = bitset::and(vm.set(cells), vm.set(of));
            if !bitset::is_empty(&both)
                && let Some(cell) = program.tables.grid.cell(bitset::lowest(&both))
            {
                return Some(vm.fail(FaultKind::TwoMen(cell), program.place(place)));
            }
        }
        FusedOp::FaultIfCrowded { cells, n, most, place } => {
            let (cells, more) = (*vm.set(cells), vm.number(n));
            if !vm.has_room(program, &cells, more, usize::from(most)) {
                let most = most_men(program.tables.grid.any.len());
                return Some(vm.fail(FaultKind::Men(most), program.place(place)));
            }
        }
        FusedOp::Passed => vm.turn.flags.passed = true,
        FusedOp::PlayAgain => vm.turn.flags.again = true,
        FusedOp::OpenContest { contest } => {
            let depth = vm.search.frames.len();
            vm.search.contests.open(contest, depth);
        }
        FusedOp::Contend { a, contest, line } => {
            let (value, depth) = (vm.number(a), vm.search.frames.len());
            vm.search.contests.contend(contest, line, value, depth);
        }
        _ => debug_assert!(false, "the loop carries out {op:?} itself"),
    }
    None
}
