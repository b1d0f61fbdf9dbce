//! Tests of superinstructions: code before goes in; code behind is compared with what is expected.

use lusoria_plan::plan::codegen::scalar::{fuse, part_two};
use lusoria_plan::plan::{
    AttackFilter, BoardFacts, EntryPoints, FusedCode, FusedOp, NumReg, RegLayout, SetReg, VecBinaryOp,
};

fn hastened(code: Vec<FusedOp>) -> Vec<FusedOp> {
    linked(code).code
}

/// Registers 0 and 1 are the position: men of a player, and men of a kind of which he has one.
fn linked(code: Vec<FusedOp>) -> FusedCode {
    let end = code.len() as u32 - 1;
    let entries = vec![EntryPoints {
        turn: 0,
        opening: Vec::new(),
        continuations: Vec::new(),
        routines: Vec::new(),
        after: end,
        end,
        may_fail_dirty: false,
        no_cleanup: true,
    }];
    let (points, splits, consts, const_numbers, nears) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let linked =
        FusedCode { code, points, alternatives: splits, entries, consts, const_numbers, attack_filters: nears };
    let bounds = RegLayout { shared: (2, 1), position: (2, 1), terminal: [None; 2], value: None };
    fuse(linked, bounds, BoardFacts { dir_vectors: &[], lone: &[(SetReg(0), SetReg(1))], words: 1 })
}

#[test]
fn each_part_of_a_union_is_asked_for_itself() {
    let code = vec![
        FusedOp::And { d: SetReg(4), a: SetReg(7), b: SetReg(8) },
        FusedOp::And { d: SetReg(5), a: SetReg(7), b: SetReg(9) },
        FusedOp::Or { d: SetReg(6), a: SetReg(4), b: SetReg(5) },
        FusedOp::NonEmpty { d: NumReg(4), a: SetReg(6) },
        FusedOp::Not { d: NumReg(5), a: NumReg(4) },
        FusedOp::Require { n: NumReg(5) },
        FusedOp::End,
    ];
    let asked = [
        FusedOp::RequireDisjoint { a: SetReg(7), b: SetReg(8) },
        FusedOp::RequireDisjoint { a: SetReg(7), b: SetReg(9) },
    ];
    assert_eq!(hastened(code), [asked[0], asked[1], FusedOp::End]);
}

#[test]
fn one_part_of_a_union_answers_for_it() {
    let code = vec![
        FusedOp::And { d: SetReg(4), a: SetReg(7), b: SetReg(8) },
        FusedOp::And { d: SetReg(5), a: SetReg(7), b: SetReg(9) },
        FusedOp::Or { d: SetReg(6), a: SetReg(4), b: SetReg(5) },
        FusedOp::BranchIfEmpty { a: SetReg(6), to: 5 },
        FusedOp::Const { d: NumReg(0), k: 1 },
        FusedOp::End,
    ];
    let asked = [
        FusedOp::BranchIfIntersects { a: SetReg(7), b: SetReg(8), to: 2 },
        FusedOp::BranchIfDisjoint { a: SetReg(7), b: SetReg(9), to: 3 },
    ];
    assert_eq!(hastened(code), [asked[0], asked[1], FusedOp::Const { d: NumReg(0), k: 1 }, FusedOp::End]);
}

#[test]
fn what_can_be_asked_sooner_is_asked_first() {
    let code = vec![
        FusedOp::And { d: SetReg(4), a: SetReg(7), b: SetReg(8) },
        FusedOp::Copy { d: SetReg(7), a: SetReg(9) },
        FusedOp::RequireDisjoint { a: SetReg(7), b: SetReg(10) },
        FusedOp::RequireEmpty { a: SetReg(4) },
        FusedOp::End,
    ];
    let (copy, second) = (code[1], code[2]);
    assert_eq!(hastened(code), [FusedOp::RequireDisjoint { a: SetReg(7), b: SetReg(8) }, copy, second, FusedOp::End]);
}

/// Steps from one set, what lies `onto` another one, and whether there is any.
fn steps(onto: SetReg, asked: SetReg) -> Vec<FusedOp> {
    vec![
        FusedOp::VecShift { d: SetReg(10), a: SetReg(7), onto: None, fan: 0, lanes: 4, wide: 0 },
        FusedOp::VecBinary { pairing: VecBinaryOp::And, d: SetReg(20), a: SetReg(10), b: onto, lanes: 4, wide: 1 },
        FusedOp::VecUnion { d: SetReg(30), a: asked, lanes: 4, steps: None },
        FusedOp::RequireEmpty { a: SetReg(30) },
        FusedOp::VecUnion { d: SetReg(31), a: SetReg(20), lanes: 4, steps: None },
        FusedOp::RequireEmpty { a: SetReg(31) },
        FusedOp::End,
    ]
}

#[test]
fn what_is_kept_of_steps_is_kept_at_once() {
    let code = hastened(steps(SetReg(8), SetReg(20)));
    assert_eq!(
        code[0],
        FusedOp::VecShift { d: SetReg(20), a: SetReg(7), onto: Some(SetReg(8)), fan: 0, lanes: 4, wide: 0 }
    );
    assert_eq!(code[1..], steps(SetReg(8), SetReg(20))[2..]);
}

#[test]
fn steps_that_are_read_as_they_are_stay() {
    // All steps are asked for, too; what is kept lies in one of them, which is written over in the
    // end, or not.
    let mut over = steps(SetReg(11), SetReg(10));
    over[1] = FusedOp::VecBinary {
        pairing: VecBinaryOp::And,
        d: SetReg(10),
        a: SetReg(10),
        b: SetReg(11),
        lanes: 4,
        wide: 1,
    };
    for code in [steps(SetReg(8), SetReg(10)), steps(SetReg(11), SetReg(20)), over] {
        assert!(hastened(code.clone()).contains(&code[0]));
    }
}

#[test]
fn what_is_wanted_on_both_ways_stays() {
    let code = vec![
        FusedOp::And { d: SetReg(4), a: SetReg(7), b: SetReg(8) },
        FusedOp::BranchIfZero { n: NumReg(3), to: 3 },
        FusedOp::Copy { d: SetReg(0), a: SetReg(7) },
        FusedOp::Copy { d: SetReg(0), a: SetReg(4) },
        FusedOp::End,
    ];
    assert_eq!(hastened(code.clone()), code);
}

#[test]
fn sets_get_names_of_their_own_where_a_lone_man_is_asked_about() {
    let code = |names: [u16; 2]| {
        vec![
            FusedOp::And { d: SetReg(4), a: SetReg(0), b: SetReg(1) },
            FusedOp::MaskedShift { d: SetReg(5), a: SetReg(4), hop: 0 },
            FusedOp::RayQuery { d: SetReg(6), a: SetReg(5), x: SetReg(7), y: SetReg(7), trail: 0 },
            FusedOp::RequireEmpty { a: SetReg(6) },
            FusedOp::MaskedShift { d: SetReg(names[0]), a: SetReg(4), hop: 1 },
            FusedOp::RayQuery { d: SetReg(names[1]), a: SetReg(names[0]), x: SetReg(7), y: SetReg(7), trail: 0 },
            FusedOp::RequireEmpty { a: SetReg(names[1]) },
            FusedOp::End,
        ]
    };
    // Registers 2 and 3 are free: what names them is never come to.
    let idle = [2, 3].map(|reg| FusedOp::Copy { d: SetReg(reg), a: SetReg(7) });
    assert_eq!(
        hastened([code([5, 6]), idle.to_vec(), vec![FusedOp::End]].concat()),
        [code([2, 3]), vec![FusedOp::End]].concat()
    );
    // No lone man: all stays as it is.
    let other = |op: FusedOp| op.renamed(|reg| if reg == SetReg(1) { SetReg(8) } else { reg }, |number| number);
    let others: Vec<FusedOp> = code([5, 6]).into_iter().map(other).collect();
    assert_eq!(hastened(others.clone()), others);
}

#[test]
fn what_is_known_of_a_cell_is_asked_so() {
    let around = FusedOp::Neighbors { d: SetReg(5), a: SetReg(4), along: 0 };
    let code = vec![
        FusedOp::And { d: SetReg(4), a: SetReg(0), b: SetReg(1) },
        around,
        FusedOp::RequireDisjoint { a: SetReg(5), b: SetReg(7) },
        FusedOp::Neighbors { d: SetReg(6), a: SetReg(4), along: 0 },
        FusedOp::BranchIfDisjoint { a: SetReg(7), b: SetReg(6), to: 6 },
        FusedOp::Const { d: NumReg(0), k: 1 },
        FusedOp::End,
    ];
    let linked = linked(code.clone());
    let dies = FusedOp::BranchByAttackFilter { a: SetReg(4), b: SetReg(7), near: 0, some: true, to: 5 };
    let passes = FusedOp::BranchByAttackFilter { a: SetReg(4), b: SetReg(7), near: 1, some: false, to: 4 };
    assert_eq!(linked.code, [code[0], dies, passes, code[5], FusedOp::End, FusedOp::Fail]);
    assert_eq!(
        linked.attack_filters[0],
        AttackFilter {
            from: SetReg(4),
            made: SetReg(5),
            ops: vec![around],
            assumed_full: vec![],
            assumed_empty: vec![]
        }
    );
}

/// Steps from the cells of a register through some, and from there onto others.
fn two_steps(from: SetReg) -> Vec<FusedOp> {
    vec![
        FusedOp::And { d: SetReg(4), a: SetReg(0), b: SetReg(1) },
        FusedOp::VecShift { d: SetReg(20), a: from, onto: Some(SetReg(8)), fan: 0, lanes: 4, wide: 0 },
        FusedOp::VecShift { d: SetReg(30), a: SetReg(20), onto: Some(SetReg(9)), fan: 0, lanes: 4, wide: 1 },
        FusedOp::VecUnion { d: SetReg(5), a: SetReg(30), lanes: 4, steps: None },
        FusedOp::RequireEmpty { a: SetReg(5) },
        FusedOp::Const { d: NumReg(0), k: 1 },
        FusedOp::End,
    ]
}

#[test]
fn what_may_come_of_a_cell_is_asked_first() {
    let code = two_steps(SetReg(4));
    let linked = linked(code.clone());
    let guard = FusedOp::BranchByAttackFilter { a: SetReg(4), b: SetReg(9), near: 0, some: false, to: 6 };
    assert_eq!(linked.code, [&code[..1], &[guard], &code[1..], &[FusedOp::Fail]].concat());
    let near = AttackFilter {
        from: SetReg(4),
        made: SetReg(5),
        ops: code[1..4].to_vec(),
        assumed_full: vec![SetReg(8), SetReg(9)],
        assumed_empty: vec![],
    };
    assert_eq!(linked.attack_filters, [near]);
}

#[test]
fn what_others_want_is_computed_in_any_case() {
    // What the first steps come to is read behind the question, too.
    let mut code = two_steps(SetReg(4));
    code[5] = FusedOp::Copy { d: SetReg(0), a: SetReg(21) };
    assert!(
        matches!(hastened(code.clone())[..], [_, first, FusedOp::BranchByAttackFilter { .. }, ..] if first == code[1])
    );
    // What the last ones come to.
    code[5] = FusedOp::Copy { d: SetReg(0), a: SetReg(31) };
    assert_eq!(hastened(code.clone()), code);
}

#[test]
fn what_does_not_come_from_one_cell_alone_is_not_asked_by_cell() {
    let asked =
        |code: &[FusedOp]| hastened(code.to_vec()).iter().any(|op| matches!(op, FusedOp::BranchByAttackFilter { .. }));
    assert!(asked(&two_steps(SetReg(4))));
    // From other men.
    assert!(!asked(&two_steps(SetReg(7))));
    // From the men in two ways at once: two men together may come to what none of them does.
    let mut both = two_steps(SetReg(4));
    both[2] = FusedOp::VecShift { d: SetReg(30), a: SetReg(20), onto: Some(SetReg(4)), fan: 0, lanes: 4, wide: 1 };
    assert!(!asked(&both));
    // In one of the rows from other cells as well.
    let mut beside = two_steps(SetReg(4));
    beside.insert(2, FusedOp::Or { d: SetReg(21), a: SetReg(21), b: SetReg(10) });
    assert!(!asked(&beside));
}

#[test]
fn two_sets_are_parted_by_a_third_at_once() {
    let part =
        |d: u16, a: u16, b: u16| FusedOp::Partition { d: SetReg(d), e: SetReg(d + 1), a: SetReg(a), b: SetReg(b) };
    let mut ops = vec![part(4, 7, 9), part(2, 8, 9), part(10, 7, 9), part(12, 11, 9), part(9, 7, 14), part(16, 7, 14)];
    part_two(&mut ops);
    let two = FusedOp::PartitionTwo {
        d: SetReg(4),
        e: SetReg(5),
        a: SetReg(7),
        f: SetReg(2),
        g: SetReg(3),
        c: SetReg(8),
        b: SetReg(9),
    };
    let last = FusedOp::PartitionTwo {
        d: SetReg(9),
        e: SetReg(10),
        a: SetReg(7),
        f: SetReg(16),
        g: SetReg(17),
        c: SetReg(7),
        b: SetReg(14),
    };
    // The third makes what the fourth parts.
    assert_eq!(ops, [two, part(10, 7, 9), part(12, 11, 9), last]);
}

#[test]
fn what_is_wanted_where_a_jump_between_leads_stays_before_it() {
    // Number 0 is wanted at the end.
    let code = vec![
        FusedOp::Popcount { d: NumReg(0), a: SetReg(7) },
        FusedOp::BranchIfZero { n: NumReg(5), to: 3 },
        FusedOp::Require { n: NumReg(4) },
        FusedOp::End,
    ];
    assert_eq!(hastened(code.clone()), code);
}

#[test]
fn questions_do_not_pass_others_that_lead_elsewhere() {
    // The first could be asked behind the last, which is known sooner; but the one between leads
    // on.
    let code = vec![
        FusedOp::And { d: SetReg(4), a: SetReg(7), b: SetReg(8) },
        FusedOp::RequireEmpty { a: SetReg(4) },
        FusedOp::BranchIfEmpty { a: SetReg(9), to: 4 },
        FusedOp::RequireEmpty { a: SetReg(10) },
        FusedOp::End,
    ];
    let expected = [
        FusedOp::RequireDisjoint { a: SetReg(7), b: SetReg(8) },
        FusedOp::BranchIfEmpty { a: SetReg(9), to: 3 },
        FusedOp::RequireEmpty { a: SetReg(10) },
        FusedOp::End,
    ];
    assert_eq!(hastened(code), expected);
}
