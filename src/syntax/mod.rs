//! Text goes in; the tree as written comes out, with spans everywhere and no meaning. The only module that imports pest.

pub mod ast;
