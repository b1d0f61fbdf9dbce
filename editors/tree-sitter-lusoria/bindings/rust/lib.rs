//! Grammar: the language of rules files for tree-sitter, with the queries that editors use.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_lusoria() -> *const ();
}

/// The grammar, which a parser is set to.
// SAFETY: the function is the generated parser's, and gives a pointer to its static tables.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_lusoria) };

pub const HIGHLIGHTS: &str = include_str!("../../queries/highlights.scm");
pub const FOLDS: &str = include_str!("../../queries/folds.scm");
pub const LOCALS: &str = include_str!("../../queries/locals.scm");
pub const INDENTS: &str = include_str!("../../queries/indents.scm");
