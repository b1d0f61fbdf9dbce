//! Executable memory: machine code goes in; functions that can be called come out. It is the only
//! place where the compiler cannot see what is called.

use std::mem::offset_of;

use memmap2::{Mmap, MmapMut};

use crate::jit::exit::ExitReport;
use crate::simd::{Lane8, WIDE};
use crate::simt::compiled::{Drawing, Played};
use crate::simt::state::status::Status;

/// A function of machine code: sets, numbers, the lanes that are meant or the places of a turn,
/// chunks as bits, constants, what else a choice or a turn works on. A choice returns the chunks
/// that are left.
type Function = unsafe extern "sysv64" fn(*mut Lane8, *mut Lane8, *mut u8, u64, *const Lane8, *mut u8) -> u64;

/// Functions, and what they read beside registers.
#[derive(Debug)]
pub struct CodePage {
    code: Mmap,
    /// Where each function begins.
    starts: Vec<usize>,
    constants: Vec<Lane8>,
    bounds: Bounds,
}

/// How much of each kind functions take it for granted that there is, in words of eight lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub sets: usize,
    pub numbers: usize,
    pub chunks: usize,
    pub words: usize,
    /// Of registers as they were when a turn began.
    pub before: (usize, usize),
}

/// The registers that a function works on.
pub struct File<'f> {
    pub sets: &'f mut [Lane8],
    pub numbers: &'f mut [Lane8],
    pub meant: &'f [Lane8],
}

/// What a choice works on beside registers: as the code reads it.
#[repr(C)]
struct Table {
    statuses: *mut Status,
    selected_arm: *mut Lane8,
    /// Twice: what is found there by word, and by set.
    sought: [*mut u8; 2],
    /// By chunk, the lanes whose number is that of no option.
    lost: [u8; WIDE],
}

/// Where a turn function finds what it works on beside registers: as the code reads it.
#[repr(C)]
pub struct Places {
    statuses: *mut Status,
    before: [*mut Lane8; 2],
}

impl Places {
    /// In bytes: of statuses, of sets and of numbers as they were.
    pub const AT: [usize; 3] = [
        offset_of!(Places, statuses),
        offset_of!(Places, before),
        offset_of!(Places, before) + size_of::<*mut Lane8>(),
    ];
}

impl CodePage {
    /// Functions that keep within bounds, begin at these places of the code, and have only
    /// instructions that the processor knows: that they do is taken from `jit`, which alone
    /// makes such code. `None`: the system has no memory for it.
    pub fn new(code: &[u8], starts: Vec<usize>, constants: Vec<u64>, bounds: Bounds) -> Option<CodePage> {
        let mut page = MmapMut::map_anon(code.len().max(1)).ok()?;
        page.get_mut(..code.len())?.copy_from_slice(code);
        let chunk = |words: &[u64]| Lane8(std::array::from_fn(|at| words.get(at).copied().unwrap_or(0)));
        let constants = constants.chunks(WIDE).map(chunk).collect();
        Some(CodePage { code: page.make_exec().ok()?, starts, constants, bounds })
    }

    /// Calls a function, for chunks that are told by a bit each.
    #[inline]
    pub fn call(&self, function: usize, file: File<'_>, chunks: u64) {
        let meant = file.meant.as_ptr().cast_mut().cast();
        self.call_with(function, file, chunks, [meant, std::ptr::null_mut()]);
    }

    /// Calls a function for a choice, and the one behind it for what was found, for chunks that are
    /// told by a bit each. Tells which of them are left as they were, and by chunk the lanes whose
    /// number is that of no option.
    #[inline]
    pub fn choose<const W: usize, const K: usize>(
        &self,
        function: usize,
        (file, drawing): (File<'_>, Drawing<'_, W, K>),
        chunks: u64,
    ) -> (u64, [u8; WIDE]) {
        assert!(
            K == self.bounds.chunks && W == self.bounds.words,
            "a choice is drawn for as many lanes as its code was made for"
        );
        let sought: *mut u8 = std::ptr::from_mut(drawing.sought).cast();
        let (statuses, selected_arm) = (drawing.statuses.as_mut_ptr(), drawing.selected_arm.as_mut_ptr());
        let mut table = Table { statuses, selected_arm, sought: [sought; 2], lost: [0; WIDE] };
        let File { sets, numbers, meant } = file;
        let meant_at = meant.as_ptr().cast_mut().cast();
        let left = self.call_with(function, File { sets, numbers, meant }, chunks, [meant_at, (&raw mut table).cast()]);
        let rest = chunks & !left;
        self.call_with(function + 1, File { sets, numbers, meant }, rest, [meant_at, (&raw mut table).cast()]);
        (left, table.lost)
    }

    /// Calls a turn function, which tells the report what becomes of the lanes, for chunks that are
    /// told by a bit each.
    #[inline]
    pub fn play<const W: usize, const K: usize>(
        &self,
        function: usize,
        (file, played): (File<'_>, Played<'_, W, K>),
        report: &mut ExitReport,
        chunks: u64,
    ) {
        let Bounds { before, .. } = self.bounds;
        let fits = K == self.bounds.chunks && W == self.bounds.words;
        let kept = played.before.0.len() >= before.0 && played.before.1.len() >= before.1;
        assert!(fits && kept, "a round is played for as many lanes as its code was made for");
        let statuses = played.statuses.as_mut_ptr();
        let places = Places { statuses, before: [played.before.0.as_mut_ptr(), played.before.1.as_mut_ptr()] };
        self.call_with(function, file, chunks, [(&raw const places).cast_mut().cast(), (&raw mut *report).cast()]);
    }

    /// `more`: the lanes that are meant, and nothing or the table of a choice; or the places and
    /// the report of a turn; each of as many lanes and words as the code was made for.
    #[inline]
    fn call_with(&self, function: usize, file: File<'_>, chunks: u64, [more, table]: [*mut u8; 2]) -> u64 {
        let start = self.starts[function];
        let Bounds { sets, numbers, chunks: all, .. } = self.bounds;
        let fits =
            file.sets.len() >= sets && file.numbers.len() >= numbers && file.meant.len() >= all && chunks >> all == 0;
        assert!(fits, "code is called with the registers that it was made for");
        if chunks == 0 {
            return 0;
        }
        // SAFETY: `start` is where code of a function begins that `jit` made. It follows the
        // calling convention, and stays within the bounds that are asserted and what `more` and
        // `table` point to, of as many lanes and words, all of it memory that is borrowed for as
        // long. The processor knows its instructions: `Jit::compile` was handed what only such a
        // one gives out.
        #[expect(unsafe_code)]
        unsafe {
            let function = std::mem::transmute::<*const u8, Function>(self.code.as_ptr().add(start));
            function(file.sets.as_mut_ptr(), file.numbers.as_mut_ptr(), more, chunks, self.constants.as_ptr(), table)
        }
    }
}
