//! Register allocation: live ranges of virtual registers go in; a physical register for each comes
//! out, by linear scan.

use rustc_hash::FxHashMap as HashMap;

use crate::plan::code::{REGISTERS, TooManyRegisters};
use crate::plan::regs::SetReg;

/// Finds homes for registers, of which each is told with where it is first and last wanted. Homes
/// below `from` are taken; the same home serves one register after another. Rows get homes that
/// follow one another.
///
/// # Errors
/// More values are wanted at a time than there are registers.
pub fn linear_scan(
    spans: &[(u16, usize, usize)],
    from: usize,
    rows: &[(SetReg, usize)],
) -> Result<HashMap<u16, u16>, TooManyRegisters> {
    // By first register: how many, first and last place.
    let mut units: Vec<(u16, usize, usize, usize)> = Vec::new();
    let mut by_row: HashMap<u16, usize> = HashMap::default();
    for &(reg, begin, end) in spans {
        let after = rows.partition_point(|(base, _)| base.0 <= reg);
        match after.checked_sub(1).map(|at| rows[at]).filter(|(base, size)| usize::from(reg - base.0) < *size) {
            Some((base, size)) => {
                let at = *by_row.entry(base.0).or_insert_with(|| {
                    units.push((base.0, size, begin, end));
                    units.len() - 1
                });
                units[at].2 = units[at].2.min(begin);
                units[at].3 = units[at].3.max(end);
            }
            None => units.push((reg, 1, begin, end)),
        }
    }
    units.sort_by_key(|&(reg, _, begin, _)| (begin, reg));
    let mut free = vec![true; REGISTERS];
    free.iter_mut().take(from).for_each(|free| *free = false);
    let mut busy: Vec<(usize, usize, usize)> = Vec::new();
    let mut homes = HashMap::default();
    for (reg, size, begin, end) in units {
        busy.retain(|&(until, home, size)| {
            if until < begin {
                free[home..home + size].fill(true);
            }
            until >= begin
        });
        // Single registers from below, rows from above, so that rows find room.
        let mut places = (from.min(REGISTERS)..(REGISTERS + 1).saturating_sub(size))
            .filter(|&at| free[at..at + size].iter().all(|&free| free));
        let home = if size == 1 { places.next() } else { places.next_back() }.ok_or(TooManyRegisters)?;
        free[home..home + size].fill(false);
        busy.push((end, home, size));
        homes.extend((0..size).map(|lane| (reg + lane as u16, (home + lane) as u16)));
    }
    Ok(homes)
}
