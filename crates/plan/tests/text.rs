//! Tests of plans as text: each operation reads back; what is no plan is refused at its place.

use lusoria_core::board::{Fold, Kind, Player};
use lusoria_core::model::{Arithmetic, Comparison};
use lusoria_plan::plan::annotation::Annotation;
use lusoria_plan::plan::dir_vector::VecBinaryOp;
use lusoria_plan::plan::op::{FusedOp, LinearOp, Stage, TreeOp, for_each_tier};
use lusoria_plan::plan::regs::{NumReg, SetReg, SpanId};
use lusoria_plan::plan::text::operation::{OperationText, read_operation};
use lusoria_plan::plan::{parse_code, parse_plan, print_code, print_plan};

/// Values of a field: the first is one that a line may leave out.
trait Samples: Sized {
    fn samples() -> Vec<Self>;
}

macro_rules! samples {
    ($($type:ty: $($sample:expr),+;)*) => {
        $(impl Samples for $type {
            fn samples() -> Vec<$type> {
                vec![$($sample),+]
            }
        })*
    };
}
samples! {
    SetReg: SetReg(3), SetReg(0);
    NumReg: NumReg(4), NumReg(0);
    SpanId: SpanId(2);
    u8: 0, 4, 8, 3;
    u16: 0, 7;
    u32: 0, 9;
    u64: 0, 0x0810;
    i64: 0, -3, i64::MIN;
    bool: false, true;
    Player: Player(0), Player(1);
    Fold: Fold::File, Fold::Rank, Fold::Row;
    Arithmetic: Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Multiply, Arithmetic::Divide, Arithmetic::Modulo;
    Comparison: Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::AtMost, Comparison::Greater,
        Comparison::AtLeast;
    VecBinaryOp: VecBinaryOp::And, VecBinaryOp::Or, VecBinaryOp::Without;
    Option<SetReg>: None, Some(SetReg(0)), Some(SetReg(5));
    Option<u16>: None, Some(0), Some(7);
    Annotation: Annotation::Cell(SetReg(1)), Annotation::Number(NumReg(1)), Annotation::Combination(SetReg(1)),
        Annotation::Group(SetReg(1)), Annotation::Dir(NumReg(1)), Annotation::Axis(NumReg(1)),
        Annotation::Landing { cell: SetReg(1), caught: None, sign: None },
        Annotation::Landing { cell: SetReg(1), caught: Some(SetReg(2)), sign: Some(':') },
        Annotation::Landing { cell: SetReg(1), caught: None, sign: Some('"') },
        Annotation::Landing { cell: SetReg(1), caught: None, sign: Some(' ') },
        Annotation::Kind(Kind(2)), Annotation::Promotion(Kind(2)), Annotation::Pass, Annotation::Swap,
        Annotation::Stop,
        Annotation::Label(3), Annotation::Silent, Annotation::Round, Annotation::Loud;
}

/// The sample of a number, or the first again.
fn sample<T: Samples>(number: usize) -> T {
    let mut samples = T::samples();
    let number = if number < samples.len() { number } else { 0 };
    samples.swap_remove(number)
}

/// All operations of a tier.
trait Operations: Sized {
    /// Each with samples of this number in all its fields.
    fn samples(number: usize) -> Vec<Self>;
}

macro_rules! all_operations {
    // Linear code has the text of fused code.
    (LinearOp: $($rest:tt)*) => {};
    ($type:ident: $(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident : $role:ident $(($($arg:tt)*))?),* })? [$($flag:ident)*] $text:literal;
    )*) => {
        impl Operations for $type {
            #[allow(unused_variables)]
            fn samples(number: usize) -> Vec<$type> {
                vec![$($type::$name { $($($field: sample(number)),*)? }),*]
            }
        }
    };
}
for_each_tier!(all_operations);

fn reads_back<O: Operations + OperationText + PartialEq + std::fmt::Debug>() {
    for op in (0..20).flat_map(O::samples) {
        let line = op.line();
        let words: Vec<&str> = lusoria_plan::plan::text::scanner::scan(&line).expect("one line")[0].words.clone();
        assert_eq!(read_operation(&words), Ok(op), "{line}");
    }
}

#[test]
fn every_operation_reads_back() {
    reads_back::<TreeOp>();
    reads_back::<FusedOp>();
}

/// What an operation becomes in another tier says the same, and its fields are where they were.
#[test]
fn tiers_share_operations() {
    for op in (0..20).flat_map(TreeOp::samples) {
        match LinearOp::try_from(op) {
            Ok(linear) => assert_eq!(FusedOp::from(linear).line(), op.line()),
            Err(other) => assert!(other == op && matches!(op, TreeOp::EarlyReject { .. }), "{op:?}"),
        }
    }
    for op in (0..20).flat_map(FusedOp::samples) {
        match LinearOp::try_from(op) {
            Ok(linear) => assert_eq!(FusedOp::from(linear), op),
            Err(other) => assert_eq!(other, op),
        }
        assert_eq!(LinearOp::try_from(op).is_ok(), op.allowed_in(Stage::Polished), "{op:?}");
    }
}

const SMALL: &str = "\
plan sets 4 numbers 1 most n0 ambiguous 0:1 vectors s8:4
board words 1 cells 0..2,4..6,8..10
hop 0 from 0x77 to 0x770 by 4
direction 0 hops 0 longest 2
along 0 hops 0
lines 0 rows 0x7,0x70
completion 0 ways hop0,dir0 rows 0x7:0x1
query 0 dirs 0 most 8 ended true
fan 0 hops 0 longest 2
place 0 span 0:3:9
position sets 4 numbers 1 players s0,s1 neutral s2 kinds s3,owned states s2;n0,n0 lone s0:s3
asks history n0
constant s6 = 0x777
constant n6 = -2
seat 0
  turn
    s4 = s0 and not s1
    if n0
      need n0
    else
      fail
    repeat counting n3 from 1 at 0
      n4 = 1 > 2
    while n4
    choose
      s5 from s4 runs 2*s4*s6+1 man s5:0x3 own true branch 0:1 facts n3:true note \"a \\\"note\\\" # 1\"
        tell landing:s5:none:x
      if n0
      n5 from n0 to n0
    first
      for each cell s7 of s4
        move s5 to s7
    or else
      for each group s7 of s4 along 0
        pass
  after
  end
";

fn small() -> String {
    SMALL.replace("n4 = 1 > 2", "n4 = n0 > n6")
}

#[test]
fn a_plan_reads_back() {
    let text = small();
    let plan = parse_plan(&text).expect("a plan");
    assert_eq!(print_plan(&plan), text);
    let commented = text.replace("seat 0\n", "# A comment.\n\nseat 0 # another\n");
    assert_eq!(parse_plan(&commented), Ok(plan));
}

#[test]
fn code_reads_back() {
    let text = "\
plan sets 2
board words 1 cells 0..8
position
asks
code
  constant s3 = 0x1ff
  entries 0 after 3 end 3 no_cleanup true
  0 s4 = s3 and not s0
  1 choose 0
  2 s0 = s0 or s5
  3 end
  choice 0 at 1 sets s4 clobbered_sets s0 bounded true infallible true
    class 0 to 1 runs 1
    arm s5 from s4 go to 2 class 0 facts -
    cell s5 from s4 go to 2 back s6:0
";
    let (plan, code) = parse_code(text).expect("code");
    assert_eq!(print_plan(&plan) + &print_code(&code), text);
}

#[test]
fn mistakes_are_told_at_their_place() {
    let told = |old: &str, new: &str| match parse_plan(&small().replacen(old, new, 1)) {
        Ok(_) => panic!("{new} was read"),
        Err(error) => error.to_string(),
    };
    assert_eq!(told("s4 = s0 and not s1", "s4 = s0 and nought s1"), "line 17, column 17: `nought` cannot stand here");
    assert_eq!(told("s4 = s0 and not s1", "s4 = s0 and not"), "line 17, column 20: the line ends too soon");
    assert_eq!(
        told("s4 = s0 and not s1", "need not n0"),
        "line 17, column 5: `RequireZero` stands in linear code alone"
    );
    assert_eq!(told("s4 = s0 and not s1", "end"), "line 17, column 5: `End` stands in linear code alone");
    assert_eq!(
        told("      need n0", "        need n0"),
        "line 19, column 9: a line that no other line opens a block for"
    );
    assert_eq!(told("      need n0", "       need n0"), "line 19, column 8: an uneven number of blanks before a line");
    assert_eq!(told("    while n4\n", ""), "line 24, column 5: `choose` cannot stand here");
    assert_eq!(told("hop 0", "hop 1"), "line 3, column 5: entry 0 of this table is expected here");
    assert_eq!(told("0..2,4", "0..4,4"), "line 2, column 7: the cells have no such places in so many words");
    assert_eq!(told("branch 0:1", "branches 0:1"), "line 26, column 53: `branches` cannot stand here");
    assert_eq!(told("# 1\"", "# 1"), "line 26, column 98: a quote that does not end");
    assert_eq!(
        told("  after", "  later"),
        "line 36, column 3: a program: `turn`, `opening`, `continuation`, `after`, `end` or `routine` is expected"
    );
    let deep: String = (0..300).map(|depth| format!("{}if n0\n", " ".repeat(2 * depth))).collect();
    assert!(parse_plan(&deep).is_err());
}

/// Whatever is cut out of a text or put into it, it is read or refused.
#[test]
fn no_text_makes_the_parser_panic() {
    let text = small();
    for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
        for inserted in ["", "\"", "#", " ", "0", "s99999", "ä", "\n", ":", "else", "4..3"] {
            let _ = parse_code(&format!("{}{inserted}{}", &text[..at], &text[at..]));
            let _ = parse_code(&format!("{}{inserted}", &text[..at]));
            let _ = parse_code(&format!("{inserted}{}", text.get(at + 1..).unwrap_or_default()));
        }
    }
}
