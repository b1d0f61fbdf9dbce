//! Flood operations: a flood or a reachability query goes in; its result register is written.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::interp::bitset;
use crate::interp::state::program::Program;
use crate::interp::state::vm::Vm;
use crate::interp::tables::around_few;
use crate::interp::target::assert_has_code;
use crate::plan::FusedOp;

/// Carries out one of the operations on groups.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn flood<const W: usize>(vm: &mut Vm<W>, program: &Program<W>, op: &FusedOp) {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let tables = &*program.tables;
    match *op {
        FusedOp::FloodFill { d, a, within, along, kept } => {
            let (a, within) = (*vm.set(a), *vm.set(within));
            let all = vm.scratch.floods.flood(tables, &a, &within, along, kept);
            vm.put(d, all);
        }
        FusedOp::Reaches { d, a, within, to, along, kept, beside } => {
            let [a, within, to] = [a, within, to].map(|reg| *vm.set(reg));
            let joined = if kept.is_some() && bitset::count(&a) > 1 {
                let all = vm.scratch.floods.flood(tables, &a, &within, along, kept);
                bitset::intersects(&if beside { around_few(tables, &all, along) } else { all }, &to)
            } else {
                tables.search(&bitset::and(&a, &within), &within, &to, along, beside).1
            };
            vm.put_number(d, i64::from(joined));
        }
        _ => debug_assert!(false, "{op:?} floods nothing"),
    }
}
