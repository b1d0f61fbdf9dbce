//! Types: a game without mistakes goes in; the types of its names and values, by their places, come out.

use std::collections::HashMap;

use crate::check;
use crate::check::{Library, Settings};
use crate::editor::index::{Binding, Declaration, Local, Sort};
use crate::model::{Expr, Type};
use crate::source::{Source, Span};

/// What the checker has found out.
#[derive(Clone, Debug, Default)]
pub struct Types {
    values: HashMap<Span, Type>,
    names: HashMap<String, Type>,
    /// Values of params.
    params: HashMap<String, i64>,
}

impl Types {
    /// Of the game itself; what its variants alone say has no types here.
    pub fn of(source: Source, library: &dyn Library) -> Types {
        let mut types = Types::default();
        let Some(game) = check::load_noted(source, library, &Settings::default()).game else { return types };
        for (name, value) in &game.params {
            types.names.insert(name.clone(), value.ty());
            if let Expr::Number(crate::model::Number::Fixed(value)) = value {
                types.params.insert(name.clone(), *value);
            }
        }
        for state in &game.states {
            types.names.insert(state.name.clone(), state.first.ty());
        }
        for define in &game.defines {
            types.names.insert(define.name.clone(), define.body.ty());
        }
        if let Some(notes) = &game.notes {
            let statements = notes.statements.iter().flatten().flat_map(|statement| &statement.parts);
            for part in statements.chain(notes.defines.iter().flatten()) {
                types.values.insert(part.span, part.expr.ty());
            }
        }
        types
    }

    /// What is still known of names while a text has mistakes.
    pub fn kept(&self) -> Types {
        Types { values: HashMap::new(), names: self.names.clone(), params: self.params.clone() }
    }

    pub fn declaration(&self, declaration: &Declaration) -> Option<Type> {
        match declaration.sort {
            Sort::Piece => Some(Type::Cells),
            Sort::Player => Some(Type::Players),
            Sort::Param | Sort::Remember | Sort::Define => self.names.get(&declaration.name).copied(),
            _ => None,
        }
    }

    /// The value that a param has.
    pub fn param(&self, name: &str) -> Option<i64> {
        self.params.get(name).copied()
    }

    pub fn local(&self, local: &Local) -> Option<Type> {
        let value = local.value.and_then(|span| self.values.get(&span)).copied();
        match local.binding {
            Binding::Parameter => None,
            Binding::Number => Some(Type::Number),
            Binding::Cells => Some(Type::Cells),
            Binding::Let => value,
            // A group that is taken out of groups is cells.
            Binding::Pick => value.map(|ty| match ty {
                Type::Groups | Type::Players => Type::Cells,
                other => other,
            }),
        }
    }
}

/// What a value of this type is called.
pub fn word(ty: Type) -> &'static str {
    match ty {
        Type::Number => "a number",
        Type::Truth => "a truth",
        Type::Cells => "cells",
        Type::Groups => "groups",
        Type::Dirs => "directions",
        Type::Axes => "axes",
        Type::Players => "players",
        Type::List => "a list",
    }
}

/// The type of a built-in name or function.
pub fn builtin(name: &str) -> Option<Type> {
    Some(match name {
        "own" | "enemy" | "ally" => Type::Players,
        "neutral" | "any" | "empty" | "occupied" | "last" | "origin" | "passed" | "caught" | "here" | "adjacent"
        | "shift" | "group" | "span" | "nth" | "bottom" | "catches" | "reach" => Type::Cells,
        "groups" | "segments" | "largest" => Type::Groups,
        "true" | "false" | "changed" | "attacked" | "stuck" => Type::Truth,
        "count" | "height" | "hand" | "times" | "value" | "turns" | "cycle" => Type::Number,
        "sizes" => Type::List,
        "axes" => Type::Axes,
        "it" | "none" => return None,
        _ => Type::Dirs,
    })
}
