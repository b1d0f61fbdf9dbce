//! Text of linear code: code goes in and its text comes out, or the other way round.
//!
//! Each operation stands behind its place. What is known of choices follows the code.

use crate::plan::analysis::count_bound::domain::CountBound;
use crate::plan::code::{
    Alternatives, ArmClass, ArmTarget, AttackFilter, Cells, ChoicePoint, Code, EarlyReject, FusedCode, Quads,
};
use crate::plan::op::{CodeOp, TreeOp};
use crate::plan::regs::{NumReg, SetReg};
use crate::plan::text::attributes::Attributes;
use crate::plan::text::names::Numbered;
use crate::plan::text::operation::{OperationText, read_operation};
use crate::plan::text::parse::Reader;
use crate::plan::text::scanner::{Line, ParseError};
use crate::plan::text::tables::{Constant, write_constants};
use crate::plan::text::template::{Row, row_text};
use crate::plan::text::tree::TreeWriter;
use crate::plan::tree::Options;

/// Arms of a choice that have the same bound.
struct Class {
    from: usize,
    to: usize,
    bound: CountBound,
}

/// Where an arm goes on, behind its options.
struct Target {
    entry: u32,
    class: usize,
    facts: Vec<(u32, bool)>,
}

/// What the arms of a choice offer, if that is cells.
struct Offer {
    cell: SetReg,
    of: SetReg,
    entry: u32,
    back: Option<(SetReg, u16)>,
}

struct Split {
    blocks: Vec<u32>,
    sets: Vec<SetReg>,
    numbers: Vec<NumReg>,
}

struct Filter {
    from: SetReg,
    made: SetReg,
    full: Vec<SetReg>,
    empty: Vec<SetReg>,
}

row_text!(Class { from, to, bound } "class {from} to {to} runs {bound}");
row_text!(Target { entry, class, facts } "go to {entry} class {class} facts {facts}");
row_text!(Offer { cell, of, entry, back } "cell {cell} from {of} go to {entry} [back {back}]");
row_text!(Split { blocks, sets, numbers } "blocks {blocks} sets {sets} numbers {numbers}");
row_text!(Filter { from, made, full, empty } "from {from} to {made} full {full} empty {empty}");

/// The complete form of code.
pub fn print_code<O: CodeOp>(code: &Code<O>) -> String {
    print_fused(&code.to_fused())
}

fn print_fused(code: &FusedCode) -> String {
    let mut writer = TreeWriter { names: &Numbered, text: String::new() };
    writer.line(0, "code");
    write_constants(&code.consts, &code.const_numbers).iter().for_each(|line| writer.line(1, line));
    for (at, entries) in code.entries.iter().enumerate() {
        writer.line(1, &format!("entries {at} {}", entries.write(&Numbered)));
    }
    for (at, op) in code.code.iter().enumerate() {
        writer.line(1, &format!("{at} {}", op.write(&Numbered)));
    }
    for (at, point) in code.points.iter().enumerate() {
        writer.line(1, &format!("choice {at} {}", point.write(&Numbered)));
        point.early_reject.iter().for_each(|reject| writer.line(2, &reject.op().write(&Numbered)));
        for ArmClass { from, to, bound, .. } in &point.classes {
            writer.line(2, &Class { from: *from, to: *to, bound: bound.clone() }.numbered());
        }
        for arm in &point.arms {
            let target = Target { entry: arm.entry, class: arm.class, facts: arm.branch_facts.clone() };
            writer.line(2, &format!("arm {} {}", arm.options.numbered(), target.numbered()));
        }
        for &Cells { of, cell, entry, back } in &point.cells {
            writer.line(2, &Offer { cell, of, entry, back }.numbered());
        }
    }
    for (at, Alternatives { blocks, sets, numbers }) in code.alternatives.iter().enumerate() {
        let split = Split { blocks: blocks.clone(), sets: sets.clone(), numbers: numbers.clone() };
        writer.line(1, &format!("alternatives {at} {}", split.numbered()));
    }
    for (at, filter) in code.attack_filters.iter().enumerate() {
        let AttackFilter { from, made, ops, assumed_full: full, assumed_empty: empty } = filter;
        let head = Filter { from: *from, made: *made, full: full.clone(), empty: empty.clone() };
        writer.line(1, &format!("filter {at} {}", head.numbered()));
        ops.iter().for_each(|op| writer.line(2, &op.write(&Numbered)));
    }
    writer.text
}

impl<'t> Reader<'t> {
    /// The linear code that comes next.
    pub fn code(&mut self) -> Result<FusedCode, ParseError> {
        let mut code = FusedCode::default();
        if !self.skip(0, &["code"]) {
            return Ok(code);
        }
        while let Some(line) = self.next_at(1)? {
            let first = line.words[0];
            let count = match first {
                "constant" => {
                    match line.rest(0)? {
                        Constant::Set { reg, bits } => code.consts.push((reg, bits)),
                        Constant::Number { reg, value } => code.const_numbers.push((reg, value)),
                    }
                    continue;
                }
                "entries" => code.entries.len(),
                "choice" => code.points.len(),
                "alternatives" => code.alternatives.len(),
                "filter" => code.attack_filters.len(),
                _ => code.code.len(),
            };
            let number = usize::from(matches!(first, "entries" | "choice" | "alternatives" | "filter"));
            if line.words.get(number).and_then(|word| word.parse().ok()) != Some(count) {
                return Err(line.error(number, format!("{count} is expected here")));
            }
            match first {
                "entries" => code.entries.push(line.attributes(2)?),
                "choice" => {
                    let point = self.point(line.attributes(2)?)?;
                    code.points.push(point);
                }
                "alternatives" => {
                    let Split { blocks, sets, numbers } = line.rest(2)?;
                    code.alternatives.push(Alternatives { blocks, sets, numbers });
                }
                "filter" => {
                    let Filter { from, made, full, empty } = line.rest(2)?;
                    let mut ops = Vec::new();
                    while let Some(line) = self.next_at(2)? {
                        ops.push(line.operation(0)?);
                    }
                    code.attack_filters.push(AttackFilter {
                        from,
                        made,
                        ops,
                        assumed_full: full,
                        assumed_empty: empty,
                    });
                }
                _ => code.code.push(line.operation(1)?),
            }
        }
        Ok(code)
    }

    fn point(&mut self, mut point: ChoicePoint) -> Result<ChoicePoint, ParseError> {
        point.clobbered_quads = Quads::of(&point.clobbered_sets, &point.clobbered_numbers);
        while let Some(line) = self.next_at(2)? {
            match line.words[0] {
                "class" => {
                    let Class { from, to, bound } = line.rest(0)?;
                    point.classes.push(ArmClass::new((from, to), bound));
                }
                "arm" => {
                    let words = line.words.get(1..).unwrap_or_default();
                    let (options, used) = Options::read(words).map_err(|at| line.unexpected(1 + at))?;
                    let Target { entry, class, facts } = line.rest(1 + used)?;
                    point.arms.push(ArmTarget { options, entry, class, branch_facts: facts });
                }
                "cell" => {
                    let Offer { cell, of, entry, back } = line.rest(0)?;
                    point.cells.push(Cells { of, cell, entry, back });
                }
                _ => {
                    let reject = EarlyReject::of(line.operation::<TreeOp>(0)?);
                    point.early_reject = Some(reject.ok_or_else(|| line.unexpected(0))?);
                }
            }
        }
        Ok(point)
    }
}

impl Line<'_> {
    /// The operation behind so many words.
    fn operation<O: OperationText>(&self, from: usize) -> Result<O, ParseError> {
        read_operation(self.words.get(from..).unwrap_or_default()).map_err(|at| self.unexpected(from + at))
    }
}
