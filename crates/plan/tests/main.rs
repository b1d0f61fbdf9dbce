//! Tests of the compiler: parts of it by themselves. What it makes of whole games is tested in `tests` of the program.

mod combine;
mod embed_graph;
mod scalar_codegen;
mod text;
mod value_numbering;
