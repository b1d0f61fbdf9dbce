//! Loop unrolling: a block and a constant bound go in; copies of the block, one behind the other, come
//! out.
//!
//! The dispatch loop takes hundreds of short loops in. The compiler unrolls them one by one, and each time
//! looks at the whole function: that took half of the time to build this package.

/// Repeats a block for each index below a constant. A loop stays one if the bound is above eight.
macro_rules! unroll {
    ($i:ident < $n:expr => $block:block) => {
        if const { $n <= 8 } {
            unroll!($i < $n => $block 0 1 2 3 4 5 6 7);
        } else {
            for $i in 0..$n $block
        }
    };
    ($i:ident < $n:expr => $block:block $($at:literal)*) => {
        $(
            if const { $at < $n } {
                let $i: usize = $at;
                // What the last copy leaves for the next is not read; copies above the bound are not made.
                #[allow(unused_assignments, unconditional_panic)]
                $block
            }
        )*
    };
}

pub(crate) use unroll;
