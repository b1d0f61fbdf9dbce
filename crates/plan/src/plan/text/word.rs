//! Words: one field of a plan goes in and its word comes out, or the other way round.
//!
//! A list is joined by `,` and a list of lists by `;`; an empty one is `-`. The parts of a pair are
//! joined by `:`. What is not there is `none`.

use smallvec::SmallVec;

use crate::board::{Fold, Kind, Player};
use crate::model::{Arithmetic, Comparison};
use crate::plan::analysis::count_bound::domain::{CountBound, Size, Term};
use crate::plan::annotation::Annotation;
use crate::plan::bitboard::{Bits, MAX_WORDS};
use crate::plan::dir_vector::VecBinaryOp;
use crate::plan::regs::{NumReg, SetReg, SpanId};
use crate::plan::text::names::Names;
use crate::plan::tree::{Ambiguity, Argmax, Away, Calls, Carry, KindSet, Stacks, StateCell};
use crate::source::{SourceId, Span};

/// What is one word of a text.
pub trait Word: Sized {
    /// What joins the words of a list.
    const JOINT: char = ',';

    fn write(&self, names: &dyn Names) -> String;

    /// `None`: the word is nothing of the kind.
    fn read(word: &str) -> Option<Self>;

    /// What a line may leave out: 0, false, none.
    fn absent() -> Option<Self> {
        None
    }

    fn is_absent(&self) -> bool {
        false
    }
}

/// A field as templates take it: its word, and whether it is absent.
pub fn written(field: &impl Word, names: &dyn Names) -> (String, bool) {
    (field.write(names), field.is_absent())
}

macro_rules! integers {
    ($($type:ty),*) => {
        $(impl Word for $type {
            fn write(&self, _: &dyn Names) -> String {
                self.to_string()
            }

            fn read(word: &str) -> Option<$type> {
                word.parse().ok()
            }

            fn absent() -> Option<$type> {
                Some(<$type>::default())
            }

            fn is_absent(&self) -> bool {
                *self == <$type>::default()
            }
        })*
    };
}
integers!(bool, u8, u16, u32, usize, i32, i64);

/// A mask, as a hexadecimal number.
impl Word for u64 {
    fn write(&self, _: &dyn Names) -> String {
        format!("{self:#x}")
    }

    fn read(word: &str) -> Option<u64> {
        u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()
    }
}

macro_rules! wrapped {
    ($($type:ident),*) => {
        $(impl Word for $type {
            fn write(&self, _: &dyn Names) -> String {
                self.0.to_string()
            }

            fn read(word: &str) -> Option<$type> {
                word.parse().ok().map($type)
            }
        })*
    };
}
wrapped!(Kind, SourceId);

/// One of few, each by a word of its own.
macro_rules! words {
    ($($type:ident { $($name:ident $word:literal),* })*) => {
        $(impl Word for $type {
            fn write(&self, _: &dyn Names) -> String {
                match self {
                    $($type::$name => String::from($word)),*
                }
            }

            fn read(word: &str) -> Option<$type> {
                match word {
                    $($word => Some($type::$name),)*
                    _ => None,
                }
            }
        })*
    };
}
words! {
    Fold { File "file", Rank "rank", Row "row" }
    VecBinaryOp { And "and", Or "or", Without "without" }
    Arithmetic { Add "+", Subtract "-", Multiply "*", Divide "/", Modulo "mod" }
    Comparison { Equal "=", NotEqual "!=", Less "<", AtMost "<=", Greater ">", AtLeast ">=" }
}

/// A number behind a letter or a word.
fn numbered(word: &str, prefix: &str) -> Option<u16> {
    word.strip_prefix(prefix)?.parse().ok()
}

impl Word for SetReg {
    fn write(&self, names: &dyn Names) -> String {
        names.set(*self)
    }

    /// Of a vector, `s4..7`, the first register.
    fn read(word: &str) -> Option<SetReg> {
        let first = word.split_once("..").map_or(word, |(first, _)| first);
        numbered(first, "s").map(SetReg)
    }
}

impl Word for NumReg {
    fn write(&self, names: &dyn Names) -> String {
        names.number(*self)
    }

    fn read(word: &str) -> Option<NumReg> {
        numbered(word, "n").map(NumReg)
    }
}

impl Word for Player {
    fn write(&self, names: &dyn Names) -> String {
        names.player(*self)
    }

    fn read(word: &str) -> Option<Player> {
        word.parse().ok().map(Player)
    }
}

impl Word for SpanId {
    fn write(&self, names: &dyn Names) -> String {
        names.place(*self)
    }

    fn read(word: &str) -> Option<SpanId> {
        word.parse().ok().map(SpanId)
    }
}

impl Word for Span {
    fn write(&self, names: &dyn Names) -> String {
        format!("{}:{}", self.source.write(names), (self.start, self.end).write(names))
    }

    fn read(word: &str) -> Option<Span> {
        let (source, rest) = word.split_once(':')?;
        let (start, end) = Word::read(rest)?;
        Some(Span { source: Word::read(source)?, start, end })
    }
}

/// A hexadecimal number; bit 0 is the least.
impl Word for Bits {
    fn write(&self, _: &dyn Names) -> String {
        let words = self.0.iter().rposition(|&word| word != 0).map_or(1, |last| last + 1);
        let rest: String = self.0[..words - 1].iter().rev().map(|word| format!("{word:016x}")).collect();
        format!("0x{:x}{rest}", self.0[words - 1])
    }

    fn read(word: &str) -> Option<Bits> {
        let digits = word.strip_prefix("0x").filter(|digits| !digits.is_empty() && digits.len() <= MAX_WORDS * 16)?;
        let mut bits = Bits::default();
        for (at, digit) in digits.chars().rev().enumerate() {
            bits.0[at / 16] |= u64::from(digit.to_digit(16)?) << (at % 16 * 4);
        }
        Some(bits)
    }
}

impl<T: Word> Word for Option<T> {
    fn write(&self, names: &dyn Names) -> String {
        self.as_ref().map_or_else(|| String::from("none"), |some| some.write(names))
    }

    fn read(word: &str) -> Option<Option<T>> {
        if word == "none" { Some(None) } else { T::read(word).map(Some) }
    }

    fn absent() -> Option<Option<T>> {
        Some(None)
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<A: Word, B: Word> Word for (A, B) {
    fn write(&self, names: &dyn Names) -> String {
        format!("{}:{}", self.0.write(names), self.1.write(names))
    }

    fn read(word: &str) -> Option<(A, B)> {
        let (first, second) = word.split_once(':')?;
        Some((A::read(first)?, B::read(second)?))
    }
}

impl<T: Word> Word for Vec<T> {
    const JOINT: char = ';';

    fn write(&self, names: &dyn Names) -> String {
        match self.as_slice() {
            [] => String::from("-"),
            items => {
                let items: Vec<String> = items.iter().map(|item| item.write(names)).collect();
                items.join(T::JOINT.encode_utf8(&mut [0; 4]))
            }
        }
    }

    fn read(word: &str) -> Option<Vec<T>> {
        if word == "-" { Some(Vec::new()) } else { word.split(T::JOINT).map(T::read).collect() }
    }
}

impl<T: Word + Clone, const N: usize> Word for SmallVec<[T; N]>
where
    [T; N]: smallvec::Array<Item = T>,
{
    fn write(&self, names: &dyn Names) -> String {
        self.to_vec().write(names)
    }

    fn read(word: &str) -> Option<SmallVec<[T; N]>> {
        Vec::read(word).map(SmallVec::from_vec)
    }
}

impl Word for Argmax {
    fn write(&self, names: &dyn Names) -> String {
        match self {
            Argmax::Register(value) => value.write(names),
            Argmax::InPlies { value, best } => format!("{}/{}", value.write(names), best.write(names)),
            Argmax::Logged => String::from("logged"),
        }
    }

    fn read(word: &str) -> Option<Argmax> {
        if word == "logged" {
            return Some(Argmax::Logged);
        }
        Some(match word.split_once('/') {
            Some((value, best)) => Argmax::InPlies { value: Word::read(value)?, best: Word::read(best)? },
            None => Argmax::Register(Word::read(word)?),
        })
    }
}

/// The numbers of the registers: of `next`, the first and behind the last of sets, then of numbers.
impl Word for Carry {
    fn write(&self, names: &dyn Names) -> String {
        let [sets, numbers] = [[self.sets.0.0, self.sets.1.0], [self.numbers.0.0, self.numbers.1.0]];
        [[self.next.0].as_slice(), &sets, &numbers].concat().write(names)
    }

    fn read(word: &str) -> Option<Carry> {
        let &[next, first, end, from, to] = Vec::<u16>::read(word)?.as_slice() else { return None };
        Some(Carry { next: NumReg(next), sets: (SetReg(first), SetReg(end)), numbers: (NumReg(from), NumReg(to)) })
    }
}

impl Word for Stacks {
    fn write(&self, names: &dyn Names) -> String {
        let asks_room = u16::from(self.asks_room);
        vec![self.heights.0, self.men.0, self.registers, self.bits.into(), self.most_men, asks_room].write(names)
    }

    fn read(word: &str) -> Option<Stacks> {
        let &[heights, men, registers, bits, most_men, asks_room] = Vec::<u16>::read(word)?.as_slice() else {
            return None;
        };
        let (heights, men, bits) = (SetReg(heights), SetReg(men), bits.try_into().ok()?);
        Some(Stacks { heights, men, registers, bits, most_men, asks_room: asks_room != 0 })
    }
}

impl Word for Calls {
    fn write(&self, names: &dyn Names) -> String {
        let [a, b, c] = self.arguments.map(|reg| reg.0);
        vec![a, b, c, self.answer.0].write(names)
    }

    fn read(word: &str) -> Option<Calls> {
        let &[a, b, c, answer] = Vec::<u16>::read(word)?.as_slice() else { return None };
        Some(Calls { arguments: [SetReg(a), SetReg(b), SetReg(c)], answer: NumReg(answer) })
    }
}

/// The place, and which reason of all.
impl Word for Ambiguity {
    fn write(&self, names: &dyn Names) -> String {
        let reason = Ambiguity::REASONS.iter().position(|reason| *reason == self.why).unwrap_or_default();
        (self.place, reason).write(names)
    }

    fn read(word: &str) -> Option<Ambiguity> {
        let (place, reason) = <(SpanId, usize)>::read(word)?;
        Some(Ambiguity { place, why: Ambiguity::REASONS.get(reason)? })
    }
}

/// In quotes, as blanks may stand in it.
impl Word for String {
    fn write(&self, _: &dyn Names) -> String {
        let escaped = self.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!("\"{escaped}\"")
    }

    fn read(word: &str) -> Option<String> {
        let mut text = String::new();
        let mut chars = word.strip_prefix('"')?.strip_suffix('"')?.chars();
        while let Some(c) = chars.next() {
            text.push(match c {
                '\\' => match chars.next()? {
                    'n' => '\n',
                    c => c,
                },
                c => c,
            });
        }
        Some(text)
    }
}

impl Word for KindSet {
    fn write(&self, names: &dyn Names) -> String {
        match self {
            KindSet::Register(reg) => reg.write(names),
            KindSet::AllOwned => String::from("owned"),
            KindSet::AllNeutral => String::from("neutral"),
        }
    }

    fn read(word: &str) -> Option<KindSet> {
        match word {
            "owned" => Some(KindSet::AllOwned),
            "neutral" => Some(KindSet::AllNeutral),
            _ => SetReg::read(word).map(KindSet::Register),
        }
    }
}

impl Word for StateCell {
    fn write(&self, names: &dyn Names) -> String {
        match self {
            StateCell::Set(reg) => reg.write(names),
            StateCell::Number(reg) => reg.write(names),
        }
    }

    fn read(word: &str) -> Option<StateCell> {
        SetReg::read(word).map(StateCell::Set).or_else(|| NumReg::read(word).map(StateCell::Number))
    }
}

impl Word for Away {
    fn write(&self, _: &dyn Names) -> String {
        match self {
            Away::Hop(hop) => format!("hop{hop}"),
            Away::Dir(dir) => format!("dir{dir}"),
        }
    }

    fn read(word: &str) -> Option<Away> {
        numbered(word, "hop").map(Away::Hop).or_else(|| numbered(word, "dir").map(Away::Dir))
    }
}

/// The size of a set as its name, the height of its stacks as `height:s4`.
impl Word for Size {
    fn write(&self, names: &dyn Names) -> String {
        let height = if let Size::Height(_) = self { "height:" } else { "" };
        format!("{height}{}", self.of().write(names))
    }

    fn read(word: &str) -> Option<Size> {
        match word.strip_prefix("height:") {
            Some(of) => SetReg::read(of).map(Size::Height),
            None => SetReg::read(word).map(Size::Cells),
        }
    }
}

/// Products joined by `+`, their factors by `*`: `2*s4*s5+1`.
impl Word for CountBound {
    fn write(&self, names: &dyn Names) -> String {
        let term = |term: &Term| {
            let sizes = term.sizes.iter().map(|size| format!("*{}", size.write(names))).collect::<String>();
            format!("{}{sizes}", term.known)
        };
        let terms: Vec<String> = self.terms.iter().map(term).collect();
        if terms.is_empty() { String::from("-") } else { terms.join("+") }
    }

    fn read(word: &str) -> Option<CountBound> {
        let term = |word: &str| {
            let (known, sizes) = word.split_once('*').unwrap_or((word, ""));
            let sizes = sizes.split('*').filter(|_| !sizes.is_empty()).map(Size::read);
            Some(Term { known: known.parse().ok()?, sizes: sizes.collect::<Option<_>>()? })
        };
        let terms = word.split('+').filter(|_| word != "-").map(term);
        Some(CountBound { terms: terms.collect::<Option<_>>()? })
    }
}

/// A sign of a move as the rules write it; what a word has no room for is escaped.
fn sign(sign: char) -> String {
    let plain = sign != '"' && sign != '\\' && !sign.is_whitespace() && !sign.is_control();
    if plain { sign.to_string() } else { sign.escape_unicode().to_string() }
}

fn read_sign(word: &str) -> Option<char> {
    let mut chars = word.chars();
    match (chars.next()?, chars.as_str()) {
        (c, "") => Some(c),
        _ => char::from_u32(u32::from_str_radix(word.strip_prefix("\\u{")?.strip_suffix('}')?, 16).ok()?),
    }
}

impl Word for Annotation {
    fn write(&self, names: &dyn Names) -> String {
        match self {
            Annotation::Cell(cell) => format!("cell:{}", cell.write(names)),
            Annotation::Landing { cell, caught, sign: mark } => {
                let mark = mark.map_or_else(|| String::from("none"), sign);
                format!("landing:{}:{}:{mark}", cell.write(names), caught.write(names))
            }
            Annotation::Number(number) => format!("number:{}", number.write(names)),
            Annotation::Combination(cells) => format!("combination:{}", cells.write(names)),
            Annotation::Group(group) => format!("group:{}", group.write(names)),
            Annotation::Dir(dir) => format!("dir:{}", dir.write(names)),
            Annotation::Axis(axis) => format!("axis:{}", axis.write(names)),
            Annotation::Kind(kind) => format!("kind:{}", kind.write(names)),
            Annotation::Promotion(kind) => format!("promotion:{}", kind.write(names)),
            Annotation::Label(label) => format!("label:{label}"),
            Annotation::Pass => String::from("pass"),
            Annotation::Swap => String::from("swap"),
            Annotation::Stop => String::from("stop"),
            Annotation::Silent => String::from("silent"),
            Annotation::Round => String::from("round"),
            Annotation::Loud => String::from("loud"),
        }
    }

    fn read(word: &str) -> Option<Annotation> {
        let (name, rest) = word.split_once(':').unwrap_or((word, ""));
        Some(match name {
            "cell" => Annotation::Cell(Word::read(rest)?),
            "landing" => {
                let (cell, rest) = rest.split_once(':')?;
                let (caught, mark) = rest.split_once(':')?;
                let sign = if mark == "none" { None } else { Some(read_sign(mark)?) };
                Annotation::Landing { cell: Word::read(cell)?, caught: Word::read(caught)?, sign }
            }
            "number" => Annotation::Number(Word::read(rest)?),
            "combination" => Annotation::Combination(Word::read(rest)?),
            "group" => Annotation::Group(Word::read(rest)?),
            "dir" => Annotation::Dir(Word::read(rest)?),
            "axis" => Annotation::Axis(Word::read(rest)?),
            "kind" => Annotation::Kind(Word::read(rest)?),
            "promotion" => Annotation::Promotion(Word::read(rest)?),
            "label" => Annotation::Label(rest.parse().ok()?),
            "pass" => Annotation::Pass,
            "swap" => Annotation::Swap,
            "stop" => Annotation::Stop,
            "silent" => Annotation::Silent,
            "round" => Annotation::Round,
            "loud" => Annotation::Loud,
            _ => return None,
        })
    }
}
