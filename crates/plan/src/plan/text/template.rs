//! Templates: a template and its fields go in and a line comes out; the words of a line go in and
//! the fields come out.
//!
//! A template is a row of words, parted by single blanks. `{field}` stands for a field, which is
//! one word. `[word {field}]` is left out where the field is [`Word::absent`].

use smallvec::SmallVec;

use crate::plan::text::names::{Names, Numbered};
use crate::plan::text::word::Word;

/// One part of a template.
enum Part {
    Literal(&'static str),
    Field(&'static str),
    /// A literal and a field that stand together or not at all.
    Clause(&'static str, &'static str),
}

fn parts(template: &'static str) -> impl Iterator<Item = Part> {
    let mut words = template.split(' ');
    let field = |word: &'static str| word.strip_prefix('{')?.strip_suffix('}');
    std::iter::from_fn(move || {
        let word = words.next()?;
        Some(match (word.strip_prefix('['), field(word)) {
            (Some(literal), _) => {
                let name = words.next().and_then(|word| field(word.strip_suffix(']')?));
                Part::Clause(literal, name.unwrap_or_default())
            }
            (None, Some(name)) => Part::Field(name),
            (None, None) => Part::Literal(word),
        })
    })
}

/// The line that a template makes of its fields, each a word and whether it is absent.
pub fn render(template: &'static str, field: &dyn Fn(&str) -> (String, bool)) -> String {
    let mut line: Vec<String> = Vec::new();
    for part in parts(template) {
        match part {
            Part::Literal(word) => line.push(word.to_string()),
            Part::Field(name) => line.push(field(name).0),
            Part::Clause(literal, name) => {
                let (value, absent) = field(name);
                if !absent {
                    line.extend([literal.to_string(), value]);
                }
            }
        }
    }
    line.join(" ")
}

/// Fields of a line by name.
pub struct Captured<'t> {
    fields: SmallVec<[(&'static str, usize, &'t str); 8]>,
    /// How many words the template took.
    pub used: usize,
    /// The place of the first word that the template does not allow, whatever its fields are;
    /// behind the last if one is missing.
    pub stopped: Option<usize>,
}

/// Matches the first words of a line.
pub fn capture<'t>(template: &'static str, words: &[&'t str]) -> Captured<'t> {
    let mut found = Captured { fields: SmallVec::new(), used: 0, stopped: None };
    found.stopped = fill(template, words, &mut found).err();
    found
}

/// # Errors
/// The first word that the template does not allow.
fn fill<'t>(template: &'static str, words: &[&'t str], found: &mut Captured<'t>) -> Result<(), usize> {
    for part in parts(template) {
        let at = found.used;
        match part {
            Part::Literal(literal) => {
                if words.get(at) != Some(&literal) {
                    return Err(at);
                }
                found.used += 1;
            }
            Part::Field(name) => {
                found.fields.push((name, at, words.get(at).ok_or(at)?));
                found.used += 1;
            }
            Part::Clause(literal, name) => {
                if words.get(at) == Some(&literal) {
                    found.fields.push((name, at + 1, words.get(at + 1).ok_or(at + 1)?));
                    found.used += 2;
                }
            }
        }
    }
    Ok(())
}

impl Captured<'_> {
    /// # Errors
    /// The place of a word that is no such field.
    pub fn get<T: Word>(&self, name: &str) -> Result<T, usize> {
        match self.fields.iter().find(|(field, ..)| *field == name) {
            Some(&(_, at, word)) => T::read(word).ok_or(at),
            None => T::absent().ok_or(self.used),
        }
    }
}

/// Reads fields and builds a value of them, or gives the place of the first word that is wrong.
macro_rules! build_from {
    ($template:expr, $words:expr, { $($field:ident),* } $value:expr) => {{
        let found = $crate::plan::text::template::capture($template, $words);
        $(let $field = found.get(stringify!($field));)*
        let wrong = [found.stopped $(, $field.as_ref().err().copied())*];
        'built: {
            if let Some(at) = wrong.into_iter().flatten().min() {
                break 'built Err(at);
            }
            $(let Ok($field) = $field else { break 'built Err(found.used) };)*
            Ok(($value, found.used))
        }
    }};
}
pub(crate) use build_from;

/// The place of the first word of a line that would be printed otherwise.
pub fn first_difference(words: &[&str], printed: &str) -> Option<usize> {
    let mut printed = printed.split(' ');
    let differs = words.iter().position(|word| printed.next() != Some(word));
    differs.or_else(|| printed.next().map(|_| words.len()))
}

/// One row of a table or one header of a node, as a template says it.
pub trait Row: Sized {
    fn write(&self, names: &dyn Names) -> String;

    /// Reads the first words of a line; gives how many.
    ///
    /// # Errors
    /// The place of the first word that fits no template.
    fn read(words: &[&str]) -> Result<(Self, usize), usize>;

    /// The line as the complete form has it.
    fn numbered(&self) -> String {
        self.write(&Numbered)
    }
}

/// Generates both ways of a struct from one template.
macro_rules! row_text {
    ($type:ident { $($field:ident),* } $text:literal) => {
        impl $crate::plan::text::template::Row for $type {
            fn write(&self, names: &dyn $crate::plan::text::names::Names) -> String {
                $crate::plan::text::template::render($text, &|field| match field {
                    $(stringify!($field) => $crate::plan::text::word::written(&self.$field, names),)*
                    _ => Default::default(),
                })
            }

            fn read(words: &[&str]) -> Result<(Self, usize), usize> {
                $crate::plan::text::template::build_from!($text, words, { $($field),* } $type { $($field),* })
            }
        }
    };
}
pub(crate) use row_text;

/// Generates both ways of an enum from one template for each variant. The first that fits is read.
macro_rules! rows_text {
    ($type:ident { $($name:ident { $($field:ident),* } $text:literal;)* }) => {
        impl $crate::plan::text::template::Row for $type {
            fn write(&self, names: &dyn $crate::plan::text::names::Names) -> String {
                match self {
                    $($type::$name { $($field),* } => $crate::plan::text::template::render($text, &|field| match field {
                        $(stringify!($field) => $crate::plan::text::word::written($field, names),)*
                        _ => Default::default(),
                    }),)*
                }
            }

            fn read(words: &[&str]) -> Result<(Self, usize), usize> {
                let mut furthest = 0;
                $(
                    let read: Result<_, usize> = $crate::plan::text::template::build_from!(
                        $text, words, { $($field),* } $type::$name { $($field),* }
                    );
                    match read {
                        Ok(found) => return Ok(found),
                        Err(at) => furthest = usize::max(furthest, at),
                    }
                )*
                Err(furthest)
            }
        }
    };
}
pub(crate) use rows_text;
