//! Thinker: a position goes in, again and again; what a tree that grows in slices thinks of it comes out.

use lusoria::Position;
use lusoria::player::{Line, Mcts, Options};
use serde_json::{Value, json};

use crate::table::told;

/// Bytes that the tree may take, about: the module may take four times as many.
const MEMORY: usize = 256 << 20;
/// Leaves selected at a time: there is no lock step here that would gain by more.
const LEAVES: u32 = 8;
/// Lines that are told.
const MOST_LINES: usize = 8;

/// A tree, if one has been asked for.
#[derive(Debug, Default)]
pub struct Thinker {
    tree: Option<Mcts>,
}

impl Thinker {
    /// Grows the tree by some random games; what it thinks then.
    pub fn think(&mut self, position: &Position, playouts: u64) -> Result<Value, String> {
        let options = Options { memory: MEMORY, leaves: LEAVES, ..Options::default() };
        let mut tree = Mcts::following(self.tree.take(), position, options);
        let until = tree.progress().playouts + playouts;
        tree.search(|progress| progress.playouts < until).map_err(|error| told(&error))?;
        let analysis = tree.analysis();
        self.tree = Some(tree);
        let line = |line: &Line| {
            json!({
                "move": line.first.to_string(),
                "visits": line.visits,
                "value": line.value,
                "proven": line.proven,
                "moves": line.moves,
                "cells": line.first.cells().map(lusoria::Cell::index).collect::<Vec<_>>(),
            })
        };
        Ok(json!({
            "playouts": analysis.progress.playouts,
            "proven": analysis.proven,
            "lines": analysis.lines.iter().take(MOST_LINES).map(line).collect::<Vec<_>>(),
        }))
    }
}
