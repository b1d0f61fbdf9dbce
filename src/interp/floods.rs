//! Flood operations: a flood or a reachability query goes in; its result register is written.

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::interp::bitset;
use crate::interp::state::program::Program;
use crate::interp::state::vm::Vm;
use crate::interp::target::assert_has_code;
use crate::plan::{NumReg, SetReg};

/// What a flood goes along, and where what it comes to is remembered.
pub(crate) type Along = (u16, Option<u16>);

/// The cells of `within` that are joined to those of `a`.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(crate) fn flood_fill<const W: usize>(
    vm: &mut Vm<W>,
    program: &Program<W>,
    d: SetReg,
    [a, within]: [SetReg; 2],
    (along, kept): Along,
) {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let (a, within) = (*vm.set(a), *vm.set(within));
    let all = vm.scratch.floods.flood(&program.tables, &a, &within, along, kept);
    vm.put(d, all);
}

/// Whether a cell of `to` is joined to one of `a` in `within`, or lies `beside` such a cell.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub(crate) fn reaches<const W: usize>(
    vm: &mut Vm<W>,
    program: &Program<W>,
    d: NumReg,
    regs: [SetReg; 3],
    (along, kept): Along,
    beside: bool,
) {
    assert_has_code::<W>(match_target! { "x86_64+bmi2" => true, _ => false });
    let tables = &*program.tables;
    let [a, within, to] = regs.map(|reg| *vm.set(reg));
    let joined = if kept.is_some() && bitset::count(&a) > 1 {
        let all = vm.scratch.floods.flood(tables, &a, &within, along, kept);
        bitset::intersects(&if beside { tables.around(&all, along) } else { all }, &to)
    } else {
        tables.search(&bitset::and(&a, &within), &within, &to, along, beside).1
    };
    vm.put_number(d, i64::from(joined));
}
