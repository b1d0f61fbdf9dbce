//! Machine code goes in, functions that can be called come out: the only place where the compiler cannot see what is called.

use memmap2::{Mmap, MmapMut};

use super::super::vector::Chunk;

/// A function of machine code: sets, numbers, the lanes that are meant, chunks as bits, constants.
type Function = unsafe extern "sysv64" fn(*mut Chunk, *mut Chunk, *const Chunk, u64, *const u64);

/// Functions, and what they read beside registers.
#[derive(Debug)]
pub struct Page {
    code: Mmap,
    /// Where each function begins.
    starts: Vec<usize>,
    constants: Vec<u64>,
    bounds: Bounds,
}

/// How much of each kind functions take it for granted that there is, in words of eight lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub sets: usize,
    pub numbers: usize,
    pub chunks: usize,
}

/// The registers that a function works on.
pub struct File<'f> {
    pub sets: &'f mut [Chunk],
    pub numbers: &'f mut [Chunk],
    pub meant: &'f [Chunk],
}

impl Page {
    /// Functions that keep within bounds, begin at these places of the code, and have only instructions that the processor knows. `None`: the
    /// system has no memory for code.
    pub fn new(code: &[u8], starts: Vec<usize>, constants: Vec<u64>, bounds: Bounds) -> Option<Page> {
        let mut page = MmapMut::map_anon(code.len().max(1)).ok()?;
        page.get_mut(..code.len())?.copy_from_slice(code);
        Some(Page { code: page.make_exec().ok()?, starts, constants, bounds })
    }

    /// Calls a function, for chunks that are told by a bit each.
    #[inline]
    pub fn call(&self, function: usize, file: File<'_>, chunks: u64) {
        let start = self.starts[function];
        let Bounds { sets, numbers, chunks: all } = self.bounds;
        let fits = file.sets.len() >= sets && file.numbers.len() >= numbers && file.meant.len() >= all && chunks >> all == 0;
        assert!(fits, "code is called with the registers that it was made for");
        if chunks == 0 {
            return;
        }
        // SAFETY: `start` is where code of a function begins that `lower` made; it follows the calling convention, stays within the bounds that
        // are asserted, of memory that is borrowed for as long, and has instructions of AVX-512 alone, whose token `Native` was made with.
        #[expect(unsafe_code)]
        unsafe {
            let function = std::mem::transmute::<*const u8, Function>(self.code.as_ptr().add(start));
            function(file.sets.as_mut_ptr(), file.numbers.as_mut_ptr(), file.meant.as_ptr(), chunks, self.constants.as_ptr());
        }
    }
}
