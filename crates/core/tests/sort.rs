//! Tests of sorting: items go in; what is asserted is their order.

use lusoria_core::sort::{by, by_key};

#[test]
fn all_orders_of_six_are_sorted_and_equal_elements_stay_in_order() {
    for number in 0..6_usize.pow(6) {
        let mut items: Vec<(usize, usize)> = (0..6).map(|at| (number / 6_usize.pow(at) % 6, at as usize)).collect();
        let mut sorted = items.clone();
        sorted.sort_by_key(|(key, _)| *key);
        by_key(&mut items, |(key, _)| *key);
        assert_eq!(items, sorted);
    }
}

#[test]
fn a_comparison_can_turn_the_order_around() {
    let mut items = [3, 1, 2];
    by(&mut items, |one, other| other.cmp(one));
    assert_eq!(items, [3, 2, 1]);
    by(&mut items[..0], |_, _| unreachable!("nothing is compared"));
}
