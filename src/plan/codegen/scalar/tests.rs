//! Code before and after.

use crate::plan::code::Near;
use crate::plan::codegen::scalar::*;
use crate::plan::{N, Pairing};

fn hastened(code: Vec<Op>) -> Vec<Op> {
    linked(code).code
}

/// Registers 0 and 1 are the position: men of a player, and men of a kind of which he has one.
fn linked(code: Vec<Op>) -> Linked {
    let end = code.len() as u32 - 1;
    let entries = vec![Entries { turn: 0, opening: Vec::new(), after: end, end, spoils: false, bare: true }];
    let (points, splits, consts, const_numbers, nears) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let linked = Linked { code, points, splits, entries, consts, const_numbers, nears };
    let bounds = Bounds { shared: (2, 1), position: (2, 1), judging: [None; 2], value: None };
    linked.hastened(bounds, Board { fans: &[], lone: &[(S(0), S(1))], words: 1 })
}

#[test]
fn each_part_of_a_union_is_asked_for_itself() {
    let code = vec![
        Op::And { d: S(4), a: S(7), b: S(8) },
        Op::And { d: S(5), a: S(7), b: S(9) },
        Op::Or { d: S(6), a: S(4), b: S(5) },
        Op::Some { d: N(4), a: S(6) },
        Op::Not { d: N(5), a: N(4) },
        Op::Need { n: N(5) },
        Op::End,
    ];
    let asked = [Op::NeedApart { a: S(7), b: S(8) }, Op::NeedApart { a: S(7), b: S(9) }];
    assert_eq!(hastened(code), [asked[0], asked[1], Op::End]);
}

#[test]
fn one_part_of_a_union_answers_for_it() {
    let code = vec![
        Op::And { d: S(4), a: S(7), b: S(8) },
        Op::And { d: S(5), a: S(7), b: S(9) },
        Op::Or { d: S(6), a: S(4), b: S(5) },
        Op::UnlessSome { a: S(6), to: 5 },
        Op::Number { d: N(0), k: 1 },
        Op::End,
    ];
    let asked = [Op::WhenMeet { a: S(7), b: S(8), to: 2 }, Op::UnlessMeet { a: S(7), b: S(9), to: 3 }];
    assert_eq!(hastened(code), [asked[0], asked[1], Op::Number { d: N(0), k: 1 }, Op::End]);
}

#[test]
fn what_can_be_asked_sooner_is_asked_first() {
    let code = vec![
        Op::And { d: S(4), a: S(7), b: S(8) },
        Op::Copy { d: S(7), a: S(9) },
        Op::NeedApart { a: S(7), b: S(10) },
        Op::NeedNone { a: S(4) },
        Op::End,
    ];
    let (copy, second) = (code[1], code[2]);
    assert_eq!(hastened(code), [Op::NeedApart { a: S(7), b: S(8) }, copy, second, Op::End]);
}

/// Steps from one set, what lies `onto` another one, and whether there is any.
fn steps(onto: S, asked: S) -> Vec<Op> {
    vec![
        Op::FanStep { d: S(10), a: S(7), onto: None, fan: 0, lanes: 4, wide: 0 },
        Op::FanPair { pairing: Pairing::And, d: S(20), a: S(10), b: onto, lanes: 4, wide: 1 },
        Op::FanUnion { d: S(30), a: asked, lanes: 4, steps: None },
        Op::NeedNone { a: S(30) },
        Op::FanUnion { d: S(31), a: S(20), lanes: 4, steps: None },
        Op::NeedNone { a: S(31) },
        Op::End,
    ]
}

#[test]
fn what_is_kept_of_steps_is_kept_at_once() {
    let code = hastened(steps(S(8), S(20)));
    assert_eq!(code[0], Op::FanStep { d: S(20), a: S(7), onto: Some(S(8)), fan: 0, lanes: 4, wide: 0 });
    assert_eq!(code[1..], steps(S(8), S(20))[2..]);
}

#[test]
fn steps_that_are_read_as_they_are_stay() {
    // All steps are asked for, too; what is kept lies in one of them, which is written over in the end, or not.
    let mut over = steps(S(11), S(10));
    over[1] = Op::FanPair { pairing: Pairing::And, d: S(10), a: S(10), b: S(11), lanes: 4, wide: 1 };
    for code in [steps(S(8), S(10)), steps(S(11), S(20)), over] {
        assert!(hastened(code.clone()).contains(&code[0]));
    }
}

#[test]
fn what_is_wanted_on_both_ways_stays() {
    let code = vec![
        Op::And { d: S(4), a: S(7), b: S(8) },
        Op::Unless { n: N(3), to: 3 },
        Op::Copy { d: S(0), a: S(7) },
        Op::Copy { d: S(0), a: S(4) },
        Op::End,
    ];
    assert_eq!(hastened(code.clone()), code);
}

#[test]
fn sets_get_names_of_their_own_where_a_lone_man_is_asked_about() {
    let code = |names: [u16; 2]| {
        vec![
            Op::And { d: S(4), a: S(0), b: S(1) },
            Op::Hop { d: S(5), a: S(4), hop: 0 },
            Op::Follow { d: S(6), a: S(5), x: S(7), y: S(7), trail: 0 },
            Op::NeedNone { a: S(6) },
            Op::Hop { d: S(names[0]), a: S(4), hop: 1 },
            Op::Follow { d: S(names[1]), a: S(names[0]), x: S(7), y: S(7), trail: 0 },
            Op::NeedNone { a: S(names[1]) },
            Op::End,
        ]
    };
    // Registers 2 and 3 are free: what names them is never come to.
    let idle = [2, 3].map(|reg| Op::Copy { d: S(reg), a: S(7) });
    assert_eq!(hastened([code([5, 6]), idle.to_vec(), vec![Op::End]].concat()), [code([2, 3]), vec![Op::End]].concat());
    // No lone man: all stays as it is.
    let other = |op: Op| op.renamed(|reg| if reg == S(1) { S(8) } else { reg }, |number| number);
    let others: Vec<Op> = code([5, 6]).into_iter().map(other).collect();
    assert_eq!(hastened(others.clone()), others);
}

#[test]
fn what_is_known_of_a_cell_is_asked_so() {
    let around = Op::Around { d: S(5), a: S(4), along: 0 };
    let code = vec![
        Op::And { d: S(4), a: S(0), b: S(1) },
        around,
        Op::NeedApart { a: S(5), b: S(7) },
        Op::Around { d: S(6), a: S(4), along: 0 },
        Op::UnlessMeet { a: S(7), b: S(6), to: 6 },
        Op::Number { d: N(0), k: 1 },
        Op::End,
    ];
    let linked = linked(code.clone());
    let dies = Op::JumpNear { a: S(4), b: S(7), near: 0, some: true, to: 5 };
    let passes = Op::JumpNear { a: S(4), b: S(7), near: 1, some: false, to: 4 };
    assert_eq!(linked.code, [code[0], dies, passes, code[5], Op::End, Op::Fail]);
    assert_eq!(linked.nears[0], Near { from: S(4), made: S(5), ops: vec![around], open: vec![], shut: vec![] });
}

/// Steps from the cells of a register through some, and from there onto others.
fn two_steps(from: S) -> Vec<Op> {
    vec![
        Op::And { d: S(4), a: S(0), b: S(1) },
        Op::FanStep { d: S(20), a: from, onto: Some(S(8)), fan: 0, lanes: 4, wide: 0 },
        Op::FanStep { d: S(30), a: S(20), onto: Some(S(9)), fan: 0, lanes: 4, wide: 1 },
        Op::FanUnion { d: S(5), a: S(30), lanes: 4, steps: None },
        Op::NeedNone { a: S(5) },
        Op::Number { d: N(0), k: 1 },
        Op::End,
    ]
}

#[test]
fn what_may_come_of_a_cell_is_asked_first() {
    let code = two_steps(S(4));
    let linked = linked(code.clone());
    let guard = Op::JumpNear { a: S(4), b: S(9), near: 0, some: false, to: 6 };
    assert_eq!(linked.code, [&code[..1], &[guard], &code[1..], &[Op::Fail]].concat());
    let near = Near { from: S(4), made: S(5), ops: code[1..4].to_vec(), open: vec![S(8), S(9)], shut: vec![] };
    assert_eq!(linked.nears, [near]);
}

#[test]
fn what_others_want_is_computed_in_any_case() {
    // What the first steps come to is read behind the question, too.
    let mut code = two_steps(S(4));
    code[5] = Op::Copy { d: S(0), a: S(21) };
    assert!(matches!(hastened(code.clone())[..], [_, first, Op::JumpNear { .. }, ..] if first == code[1]));
    // What the last ones come to.
    code[5] = Op::Copy { d: S(0), a: S(31) };
    assert_eq!(hastened(code.clone()), code);
}

#[test]
fn what_does_not_come_from_one_cell_alone_is_not_asked_by_cell() {
    let asked = |code: &[Op]| hastened(code.to_vec()).iter().any(|op| matches!(op, Op::JumpNear { .. }));
    assert!(asked(&two_steps(S(4))));
    // From other men.
    assert!(!asked(&two_steps(S(7))));
    // From the men in two ways at once: two men together may come to what none of them does.
    let mut both = two_steps(S(4));
    both[2] = Op::FanStep { d: S(30), a: S(20), onto: Some(S(4)), fan: 0, lanes: 4, wide: 1 };
    assert!(!asked(&both));
    // In one of the rows from other cells as well.
    let mut beside = two_steps(S(4));
    beside.insert(2, Op::Or { d: S(21), a: S(21), b: S(10) });
    assert!(!asked(&beside));
}

#[test]
fn two_sets_are_parted_by_a_third_at_once() {
    let part = |d: u16, a: u16, b: u16| Op::Part { d: S(d), e: S(d + 1), a: S(a), b: S(b) };
    let mut ops = vec![part(4, 7, 9), part(2, 8, 9), part(10, 7, 9), part(12, 11, 9), part(9, 7, 14), part(16, 7, 14)];
    part_two(&mut ops);
    let two = Op::PartTwo { d: S(4), e: S(5), a: S(7), f: S(2), g: S(3), c: S(8), b: S(9) };
    let last = Op::PartTwo { d: S(9), e: S(10), a: S(7), f: S(16), g: S(17), c: S(7), b: S(14) };
    // The third makes what the fourth parts.
    assert_eq!(ops, [two, part(10, 7, 9), part(12, 11, 9), last]);
}

#[test]
fn what_is_wanted_where_a_jump_between_leads_stays_before_it() {
    // Number 0 is wanted at the end.
    let code = vec![Op::Count { d: N(0), a: S(7) }, Op::Unless { n: N(5), to: 3 }, Op::Need { n: N(4) }, Op::End];
    assert_eq!(hastened(code.clone()), code);
}

#[test]
fn questions_do_not_pass_others_that_lead_elsewhere() {
    // The first could be asked behind the last, which is known sooner; but the one between leads on.
    let code = vec![
        Op::And { d: S(4), a: S(7), b: S(8) },
        Op::NeedNone { a: S(4) },
        Op::UnlessSome { a: S(9), to: 4 },
        Op::NeedNone { a: S(10) },
        Op::End,
    ];
    let expected = [Op::NeedApart { a: S(7), b: S(8) }, Op::UnlessSome { a: S(9), to: 3 }, Op::NeedNone { a: S(10) }, Op::End];
    assert_eq!(hastened(code), expected);
}
