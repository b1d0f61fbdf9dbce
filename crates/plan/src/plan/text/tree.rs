//! Text of trees: blocks go in and indented lines come out, or the other way round.
//!
//! The line of a node stands before those of its blocks, which are indented. A choice has a line
//! for each arm, indented once, and the block of the arm is indented twice.

use crate::plan::op::{FusedOp, TreeOp};
use crate::plan::regs::{NumReg, SetReg, SpanId};
use crate::plan::text::attributes::Attributes;
use crate::plan::text::names::Names;
use crate::plan::text::operation::read_operation;
use crate::plan::text::parse::Reader;
use crate::plan::text::scanner::{Line, ParseError};
use crate::plan::text::template::{Row, row_text, rows_text};
use crate::plan::tree::{Arm, Block, Node, Options};

rows_text! {
    Options {
        Range { number, from, to } "{number} from {from} to {to}";
        Groups { group, of, along } "{group} from groups {of} along {along}";
        Combinations { cells, of, size } "{cells} from combinations {of} of {size}";
        Bits { bit, of } "{bit} from bits {of}";
        Cells { cell, of } "{cell} from {of}";
        One { open } "if {open}";
    }
}

/// The first line of a node that is no operation.
enum Header {
    If { condition: NumReg },
    Loop { counter: NumReg, begun: i64, place: SpanId },
    EachGroup { group: SetReg, of: SetReg, along: u16 },
    Each { cell: SetReg, of: SetReg },
    Need { n: NumReg },
    Choose {},
    First {},
    Fail {},
}

rows_text! {
    Header {
        If { condition } "if {condition}";
        Loop { counter, begun, place } "repeat counting {counter} from {begun} at {place}";
        EachGroup { group, of, along } "for each group {group} of {of} along {along}";
        Each { cell, of } "for each cell {cell} of {of}";
        Need { n } "need {n}";
        Choose {} "choose";
        First {} "first";
        Fail {} "fail";
    }
}

/// The last line of a loop.
struct While {
    again: NumReg,
}

row_text!(While { again } "while {again}");

/// Writes blocks into a text.
pub struct TreeWriter<'n> {
    pub names: &'n dyn Names,
    pub text: String,
}

impl TreeWriter<'_> {
    pub fn line(&mut self, depth: usize, text: &str) {
        self.text.extend(std::iter::repeat_n(' ', 2 * depth));
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    pub fn block(&mut self, depth: usize, block: &Block) {
        block.iter().for_each(|node| self.node(depth, node));
    }

    fn header(&mut self, depth: usize, header: Header) {
        let line = header.write(self.names);
        self.line(depth, &line);
    }

    fn node(&mut self, depth: usize, node: &Node) {
        match node {
            Node::Op(op) => {
                let line = op.write(self.names);
                self.line(depth, &line);
            }
            Node::If { condition, then, otherwise } => {
                self.header(depth, Header::If { condition: *condition });
                self.block(depth + 1, then);
                if !otherwise.is_empty() {
                    self.line(depth, "else");
                    self.block(depth + 1, otherwise);
                }
            }
            Node::Loop { body, again, counter, begun, place } => {
                self.header(depth, Header::Loop { counter: *counter, begun: *begun, place: *place });
                self.block(depth + 1, body);
                let line = While { again: *again }.write(self.names);
                self.line(depth, &line);
            }
            Node::Each { of, cell, body } => {
                self.header(depth, Header::Each { cell: *cell, of: *of });
                self.block(depth + 1, body);
            }
            Node::EachGroup { of, along, group, body } => {
                self.header(depth, Header::EachGroup { group: *group, of: *of, along: *along });
                self.block(depth + 1, body);
            }
            Node::Choose(arms) => {
                self.header(depth, Header::Choose {});
                for arm in arms {
                    let options = arm.options.write(self.names);
                    let attributes = arm.write(self.names);
                    self.line(depth + 1, &format!("{options} {attributes}"));
                    self.block(depth + 2, &arm.block);
                }
            }
            Node::First { blocks } => {
                for (at, block) in blocks.iter().enumerate() {
                    self.line(depth, if at == 0 { "first" } else { "or else" });
                    self.block(depth + 1, block);
                }
            }
            Node::Need(n) => self.header(depth, Header::Need { n: *n }),
            Node::Fail => self.header(depth, Header::Fail {}),
        }
    }
}

impl<'t> Reader<'t> {
    /// The nodes of a block whose lines have this depth.
    pub fn block(&mut self, depth: usize) -> Result<Block, ParseError> {
        let mut block = Block::new();
        while let Some(line) = self.next_at(depth)? {
            block.push(self.node(depth, &line)?);
        }
        Ok(block)
    }

    fn node(&mut self, depth: usize, line: &Line<'t>) -> Result<Node, ParseError> {
        let within = depth + 1;
        let header = Header::read(&line.words).and_then(|(header, used)| match line.words.len() {
            count if count == used => Ok(header),
            _ => Err(used),
        });
        let header = match header {
            Ok(header) => header,
            Err(at) => return operation(line, at),
        };
        Ok(match header {
            Header::If { condition } => {
                let then = self.block(within)?;
                let otherwise = if self.skip(depth, &["else"]) { self.block(within)? } else { Block::new() };
                Node::If { condition, then, otherwise }
            }
            Header::Loop { counter, begun, place } => {
                let body = self.block(within)?;
                let end = self.next_at(depth)?.ok_or_else(|| line.error(0, "`while` is missing behind this block"))?;
                let While { again } = end.rest(0)?;
                Node::Loop { body, again, counter, begun, place }
            }
            Header::Each { cell, of } => Node::Each { of, cell, body: self.block(within)? },
            Header::EachGroup { group, of, along } => Node::EachGroup { of, along, group, body: self.block(within)? },
            Header::Choose {} => {
                let mut arms = Vec::new();
                while let Some(line) = self.next_at(within)? {
                    arms.push(self.arm(within, &line)?);
                }
                Node::Choose(arms)
            }
            Header::First {} => {
                let mut blocks = vec![self.block(within)?];
                while self.skip(depth, &["or", "else"]) {
                    blocks.push(self.block(within)?);
                }
                Node::First { blocks }
            }
            Header::Need { n } => Node::Need(n),
            Header::Fail {} => Node::Fail,
        })
    }

    fn arm(&mut self, depth: usize, line: &Line<'t>) -> Result<Arm, ParseError> {
        let (options, used) = Options::read(&line.words).map_err(|at| line.unexpected(at))?;
        let mut arm: Arm = line.attributes(used)?;
        arm.options = options;
        arm.block = self.block(depth + 1)?;
        Ok(arm)
    }
}

/// An operation that may stand in a tree. `header`: how far the line could have been that of
/// another node.
fn operation(line: &Line<'_>, header: usize) -> Result<Node, ParseError> {
    let furthest = match read_operation::<TreeOp>(&line.words) {
        Ok(op) => return Ok(Node::Op(op)),
        Err(at) => at.max(header),
    };
    match read_operation::<FusedOp>(&line.words) {
        Ok(op) => Err(line.error(0, format!("`{}` stands in linear code alone", op.name()))),
        Err(at) => Err(line.unexpected(at.max(furthest))),
    }
}

impl Line<'_> {
    /// The row that stands behind so many words.
    pub fn rest<R: Row>(&self, from: usize) -> Result<R, ParseError> {
        let words = self.words.get(from..).unwrap_or_default();
        match R::read(words) {
            Ok((row, used)) if used == words.len() => Ok(row),
            Ok((_, at)) | Err(at) => Err(self.unexpected(from + at)),
        }
    }

    /// The attributes that stand behind so many words.
    pub fn attributes<A: Attributes>(&self, from: usize) -> Result<A, ParseError> {
        A::read(self.words.get(from..).unwrap_or_default()).map_err(|at| self.unexpected(from + at))
    }
}
