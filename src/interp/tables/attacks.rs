//! Operations on the cells of one set go in; what they make of each cell alone, known once for all,
//! comes out.

#![allow(clippy::needless_range_loop)]

use std::sync::Arc;

use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::dispatch::run;
use crate::interp::vm::{Program, Vm};
use crate::plan::{Code, Op};

/// What lies near each cell.
#[derive(Debug, Default)]
pub struct AttackTable<const W: usize> {
    /// By table, then cell.
    cells: Vec<Bitset<W>>,
}

impl<const W: usize> AttackTable<W> {
    /// Carries out for each cell what each table stands for.
    pub fn new(linked: &Code, code: &Program<W>) -> AttackTable<W> {
        if linked.attack_filters.is_empty() {
            return AttackTable::default();
        }
        let (mut ops, mut begins) = (Vec::new(), Vec::new());
        for near in &linked.attack_filters {
            begins.push(ops.len() as u32);
            ops.extend(near.ops.iter().copied().chain([Op::Fail]));
        }
        let (consts, const_numbers) = (linked.consts.clone(), linked.const_numbers.clone());
        let alone = Code { code: ops, consts, const_numbers, ..Code::default() };
        let code = Program { linked: Arc::new(alone), ..code.clone() };
        let mut machine = Vm::new(&code);
        let any = code.tables.grid_any();
        let mut cells = vec![[0; W]; linked.attack_filters.len() * W * 64];
        for (table, near) in linked.attack_filters.iter().enumerate() {
            near.assumed_full.iter().for_each(|reg| machine.put(*reg, any));
            near.assumed_empty.iter().for_each(|reg| machine.put(*reg, [0; W]));
            let mut left = any;
            while !bitset::is_empty(&left) {
                let bit = bitset::lowest(&left);
                left = bitset::without(&left, &bitset::bit(bit));
                machine.put(near.from, bitset::bit(bit));
                run(&mut machine, &code, begins[table]);
                cells[table * W * 64 + bit] = *machine.set(near.made);
            }
        }
        AttackTable { cells }
    }

    /// Some cell of `b` lies near one of `a`.
    #[inline(always)]
    pub fn meet(&self, table: u16, a: &Bitset<W>, b: &Bitset<W>) -> bool {
        for word in 0..W {
            let mut left = a[word];
            while left != 0 {
                let bit = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                if self.cells.get(usize::from(table) * W * 64 + bit).is_some_and(|near| bitset::meets(near, b)) {
                    return true;
                }
            }
        }
        false
    }
}
