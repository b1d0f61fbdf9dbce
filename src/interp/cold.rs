//! The rarer operations.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::interp::bitset;
use crate::interp::target::assert_has_code;
use crate::interp::vm::{Event, Program, Vm};
use crate::plan::Op;
use crate::position::{FaultKind, calculate};

/// The rarer operations, apart, so that the loop stays small; what stopped the run, if anything
/// did.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(crate) fn carry_out<const W: usize>(machine: &mut Vm<W>, code: &Program<W>, op: &Op) -> Option<Event> {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    match *op {
        Op::Select { d, n, a, b } => {
            machine.put(d, if machine.number(n) != 0 { *machine.set(a) } else { *machine.set(b) })
        }
        Op::NeighborsBy { d, a, dirs } => machine.put(d, code.tables.around_bits(machine.set(a), machine.number(dirs))),
        Op::ShiftTimes { d, a, through, n, dir } => {
            machine.put(d, code.tables.steps(machine.set(a), machine.set(through), machine.number(n), dir));
        }
        Op::LineBetween { d, a, b, place } => match code.tables.span(machine.set(a), machine.set(b)) {
            Ok(line) => machine.put(d, line),
            Err(several) => return Some(machine.fail(FaultKind::NotOneCell(several), code.place(place))),
        },
        Op::NthCell { d, a, n } => machine.put(d, code.tables.nth_cell(machine.set(a), machine.number(n))),
        Op::Blockers { d, a, of, through, firm, dirs } => {
            let operands = [machine.set(a), machine.set(of), machine.set(through), machine.set(firm)];
            machine.put(d, code.tables.sights.guards(operands, dirs, &code.tables));
        }
        Op::BulkCount { of, sure } => {
            let (all, sure) = (*machine.set(of), *machine.set(sure));
            machine.settled += u64::from(bitset::count(&bitset::and(&all, &sure)));
            machine.put(of, bitset::without(&all, &sure));
        }
        Op::Band { d, fold, from, to, player } => {
            let forward = code.forwards[player.index()];
            machine.put(d, code.tables.band(fold, machine.number(from), machine.number(to), forward));
        }
        Op::Arithmetic { op, d, a, b, place } => match calculate(op, machine.number(a), machine.number(b)) {
            Ok(value) => machine.put_number(d, value),
            Err(kind) => return Some(machine.fail(kind, code.place(place))),
        },
        Op::BitAndNot { d, a, b } => machine.put_number(d, machine.number(a) & !machine.number(b)),
        Op::CountBits { d, a } => machine.put_number(d, i64::from(machine.number(a).count_ones())),
        Op::OppositeDirs { d, a } => {
            let (mut left, mut all) = (machine.number(a) as u64, 0u64);
            while left != 0 {
                all |= 1 << code.tables.opposite[left.trailing_zeros() as usize % code.tables.opposite.len()];
                left &= left - 1;
            }
            machine.put_number(d, all as i64);
        }
        Op::Equal { d, a, b } => machine.put_number(d, i64::from(machine.set(a) == machine.set(b))),
        Op::Coordinate { d, fold, a, player, place } => {
            let (set, count) = (machine.set(a), bitset::count(machine.set(a)) as usize);
            match code.tables.grid.cell(bitset::lowest(set)).filter(|_| count == 1) {
                Some(cell) => {
                    machine.put_number(d, code.tables.coordinate(fold, cell, code.forwards[player.index()]));
                }
                None => return Some(machine.fail(FaultKind::NotOneCell(count), code.place(place))),
            }
        }
        Op::CountGroups { d, a, along, most } => {
            machine.put_number(d, code.tables.count_groups(machine.set(a), along, most.into()));
        }
        Op::CompareGroupSizes { d, a, along, b, beside } => {
            let (a, b) = (code.tables.sizes(machine.set(a), along), code.tables.sizes(machine.set(b), beside));
            machine.put_number(d, a.cmp(&b) as i64);
        }
        Op::PieceRepetitions { d, more } => {
            let noted = if more == 0 { machine.history.times_last_pieces() } else { None };
            let times = noted.unwrap_or_else(|| machine.history.times_pieces(machine.pieces_hash(code)));
            machine.put_number(d, times + more);
        }
        Op::PositionRepetitions { d, more } => {
            let noted = if more == 0 { machine.history.times_last_position() } else { None };
            let times = noted.unwrap_or_else(|| machine.history.times_position(machine.position_hash(code)));
            machine.put_number(d, times + more);
        }
        Op::Cycle { d } => {
            let hash = machine.position_hash(code);
            machine.put_number(d, machine.history.cycle(hash));
        }
        Op::FaultIfIntersects { cells, of, place } => {
            let both = bitset::and(machine.set(cells), machine.set(of));
            if !bitset::is_empty(&both)
                && let Some(cell) = code.tables.grid.cell(bitset::lowest(&both))
            {
                return Some(machine.fail(FaultKind::TwoMen(cell), code.place(place)));
            }
        }
        Op::Passed => machine.flags.passed = true,
        Op::PlayAgain => machine.flags.again = true,
        // The loop carries out all others itself.
        _ => {}
    }
    None
}
