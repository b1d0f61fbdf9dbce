//! Use counts: operations go in; how often each register is accessed comes out.

/// Counts by the number of the register.
#[derive(Default)]
pub(crate) struct RegCounts(Vec<u32>);

impl RegCounts {
    /// Once more for each of `more`, or less.
    pub(crate) fn add(&mut self, reg: u16, more: i32) {
        let reg = usize::from(reg);
        if self.0.len() <= reg {
            self.0.resize(reg + 1, 0);
        }
        self.0[reg] = self.0[reg].saturating_add_signed(more);
    }

    pub(crate) fn of(&self, reg: u16) -> u32 {
        self.0.get(usize::from(reg)).copied().unwrap_or(0)
    }
}
