//! Register file: a register's index goes in; its set of cells comes out.

use std::ops::{Deref, DerefMut};

use crate::interp::bitset::Bitset;
use crate::plan::REGISTERS;

/// The set registers, none of which lies in two lines of a cache if it needs not.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Sets<const W: usize>(pub [Bitset<W>; REGISTERS]);

impl<const W: usize> Deref for Sets<W> {
    type Target = [Bitset<W>; REGISTERS];

    #[inline(always)]
    fn deref(&self) -> &[Bitset<W>; REGISTERS] {
        &self.0
    }
}

impl<const W: usize> DerefMut for Sets<W> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Bitset<W>; REGISTERS] {
        &mut self.0
    }
}
