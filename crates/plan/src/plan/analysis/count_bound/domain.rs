//! Abstract domain of counts: bounds of two parts go in; the bound of both comes out, as a sum of
//! products of the sizes of sets.

use smallvec::{SmallVec, smallvec};

use crate::plan::regs::SetReg;
use crate::plan::tuning::MAX_TERMS_PER_BOUND;
use crate::position::MAX_HEIGHT;

/// More runs than this are not counted.
const UNKNOWN: u64 = 1 << 40;

/// A number that no number of runs exceeds: a sum of products, each of a known number and of the
/// sizes of sets as they are when the choice is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountBound {
    pub terms: SmallVec<[Term; 2]>,
}

/// One product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub known: u64,
    pub sizes: SmallVec<[Size; 2]>,
}

/// A number that is found when the choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// How many cells a set has.
    Cells(SetReg),
    /// How many men stand on that cell of a set on which most do.
    Height(SetReg),
}

impl Size {
    pub fn of(self) -> SetReg {
        let (Size::Cells(of) | Size::Height(of)) = self;
        of
    }

    pub fn renamed(self, set: impl Fn(SetReg) -> SetReg) -> Size {
        match self {
            Size::Cells(of) => Size::Cells(set(of)),
            Size::Height(of) => Size::Height(set(of)),
        }
    }

    /// Not more than this, whatever the set, on a board of so many cells.
    pub fn most(self, cells: u64) -> u64 {
        match self {
            Size::Cells(_) => cells,
            Size::Height(_) => MAX_HEIGHT as u64,
        }
    }
}

/// Nothing is known.
impl Default for CountBound {
    fn default() -> CountBound {
        CountBound::unknown()
    }
}

impl CountBound {
    pub fn known(known: u64) -> CountBound {
        CountBound { terms: smallvec![Term { known, sizes: SmallVec::new() }] }
    }

    pub fn size(of: Size) -> CountBound {
        CountBound { terms: smallvec![Term { known: 1, sizes: smallvec![of] }] }
    }

    pub fn unknown() -> CountBound {
        CountBound::known(UNKNOWN)
    }

    /// The number, if it is always the same.
    pub fn fixed(&self) -> Option<u64> {
        match self.terms.as_slice() {
            [Term { known, sizes }] if sizes.is_empty() => Some(*known),
            _ => None,
        }
    }

    /// Nothing bounds the runs.
    pub fn is_unknown(&self) -> bool {
        self.terms.len() > MAX_TERMS_PER_BOUND || self.terms.iter().any(|term| term.known >= UNKNOWN)
    }

    /// The sets whose sizes it needs.
    pub fn sizes(&self) -> impl Iterator<Item = SetReg> {
        self.terms.iter().flat_map(|term| term.sizes.iter().map(|size| size.of()))
    }

    pub fn renamed(&self, set: impl Fn(SetReg) -> SetReg) -> CountBound {
        let term =
            |term: &Term| Term { known: term.known, sizes: term.sizes.iter().map(|size| size.renamed(&set)).collect() };
        CountBound { terms: self.terms.iter().map(term).collect() }
    }

    /// Not less, and without the sizes of sets that are found on the way, of which it is told
    /// whether they are not: these have so many cells at most.
    pub fn beforehand(&self, is_early: impl Fn(SetReg) -> bool, cells: u32) -> CountBound {
        let mut all = CountBound { terms: SmallVec::new() };
        for term in &self.terms {
            let (sizes, late): (SmallVec<[Size; 2]>, SmallVec<[Size; 2]>) =
                term.sizes.iter().copied().partition(|size| is_early(size.of()));
            let known =
                late.iter().map(|size| size.most(cells.into())).fold(term.known, u64::saturating_mul).min(UNKNOWN);
            all.add(Term { known, sizes }, u64::saturating_add);
        }
        all
    }

    pub fn times(&self, other: &CountBound) -> CountBound {
        let mut product = CountBound { terms: SmallVec::new() };
        for a in &self.terms {
            for b in &other.terms {
                let mut sizes = a.sizes.clone();
                sizes.extend_from_slice(&b.sizes);
                sizes.sort_unstable();
                product.add(Term { known: a.known.saturating_mul(b.known).min(UNKNOWN), sizes }, u64::saturating_add);
            }
        }
        product
    }

    pub fn add(&mut self, term: Term, join: fn(u64, u64) -> u64) {
        match self.terms.iter_mut().find(|known| known.sizes == term.sizes) {
            Some(known) => known.known = join(known.known, term.known).min(UNKNOWN),
            None => self.terms.push(term),
        }
    }

    pub fn plus(mut self, other: &CountBound) -> CountBound {
        other.terms.iter().for_each(|term| self.add(term.clone(), u64::saturating_add));
        self
    }

    /// This without another one, no product of which is larger here.
    pub fn minus(&self, other: &CountBound) -> Option<CountBound> {
        let mut rest = self.clone();
        for term in &other.terms {
            let known = rest.terms.iter_mut().find(|known| known.sizes == term.sizes)?;
            known.known = known.known.checked_sub(term.known)?;
        }
        rest.terms.retain(|term| term.known > 0);
        Some(rest)
    }

    /// Not less than either.
    pub fn or(mut self, other: &CountBound) -> CountBound {
        other.terms.iter().for_each(|term| self.add(term.clone(), u64::max));
        self
    }
}
