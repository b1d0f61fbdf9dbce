//! Outlined sort: a slice and how its elements compare go in; the slice comes out in order.
//!
//! The sorts of the standard library are compiled anew for each comparison, six kilobytes each. Where
//! few elements are sorted, or seldom, one copy of such a sort finds their order, and the elements are
//! moved by it. Fifty copies took the compiler as long as a small package.

use std::cmp::Ordering;

/// Sorts as [`slice::sort_by`] does; equal elements stay in order.
pub fn by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = ordered(items.len(), &mut |one, other| compare(&items[one], &items[other]));
    permute(items, order);
}

/// Sorts as [`slice::sort_by_key`] does; equal elements stay in order.
pub fn by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    by(items, |one, other| key(one).cmp(&key(other)));
}

/// Where the elements stand that go to each place: the one sort.
fn ordered(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// Moves the elements cycle by cycle, so that each place gets what stood at its number in `order`.
fn permute<T>(items: &mut [T], mut order: Vec<usize>) {
    for start in 0..items.len() {
        let mut place = start;
        while order[place] != start {
            let from = std::mem::replace(&mut order[place], place);
            items.swap(place, from);
            place = from;
        }
        order[place] = place;
    }
}
