//! Module of the page: requests as JSON go in, one at a time; answers as JSON come out.
//!
//! There are no imports, so the page needs no glue code: it writes a request into the [`room`] that it
//! asks for, calls [`answer`], and reads as many bytes at [`answered`]. The page runs the module in
//! workers, asks for long work in slices, and ends a worker that does not answer.

mod author;
mod counter;
mod desk;
mod reporter;
mod table;
#[cfg(test)]
mod tests;
mod thinker;

use std::cell::RefCell;

pub use crate::desk::Desk;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a request of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request; how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = REQUEST.take();
    let answer = DESK.with_borrow_mut(|desk| desk.answer(&request));
    ANSWER.replace(answer.into_bytes());
    ANSWER.with_borrow(Vec::len)
}

/// Where the answer stands.
#[unsafe(no_mangle)]
pub extern "C" fn answered() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
