//! Examples of a game: its layers go in; the examples that hold for it come out.
//!
//! A layer keeps the examples below it, unless it replaces what they are about: `end` for examples
//! that ask how a game came out or count turns, `setup` and `opening` for those that begin with the
//! set-up, any other declaration but `about` for all. An example of the same title takes another's
//! place.

use crate::check::Checker;
use crate::check::error::Kind;
use crate::model::{Claim, Example};
use crate::syntax::ast;
use crate::syntax::ast::{ClaimKind, SectionKind};

impl<'a> Checker<'a> {
    pub(crate) fn examples(&mut self, layers: &[&'a [ast::Section]]) -> Vec<Example> {
        let mut kept: Vec<&ast::Example> = Vec::new();
        for sections in layers {
            kept.retain(|example| !sections.iter().any(|section| replaces(&section.node, example)));
            let mut own: Vec<&ast::Example> = Vec::new();
            for section in *sections {
                let SectionKind::Example(example) = &section.node else { continue };
                if let Some(first) = own.iter().find(|other| other.title.node == example.title.node) {
                    let kind = Kind::DuplicateName { name: example.title.node.clone(), keyword: "example", set: None };
                    self.problems.add_with(kind, example.title.span, first.title.span);
                }
                own.push(example);
            }
            kept.extend(own);
        }
        kept.into_iter().map(|example| self.example(example)).collect()
    }

    fn example(&mut self, example: &ast::Example) -> Example {
        self.usage.parts += example.claims.len();
        let mut claims = Vec::with_capacity(example.claims.len());
        for claim in &example.claims {
            if let ClaimKind::Wins(players) = &claim.node {
                for player in players {
                    if !self.seats.iter().any(|seat| seat.name == player.node) {
                        let names = self.seats.iter().map(|seat| seat.name.as_str());
                        let near = crate::syntax::near(&player.node, names);
                        self.problem(Kind::UnknownName { name: player.node.clone(), near }, player.span);
                    }
                }
            }
            claims.push((resolved(&claim.node), claim.span));
        }
        Example { title: example.title.node.clone(), span: example.title.span, claims }
    }
}

/// A section takes the place of something that an example is about.
fn replaces(section: &SectionKind, example: &ast::Example) -> bool {
    let asks_end = |claim: &ast::Claim| {
        matches!(claim.node, ClaimKind::Wins(_) | ClaimKind::Draw | ClaimKind::GoesOn | ClaimKind::Perft(_))
    };
    match section {
        SectionKind::About(_) | SectionKind::Variant(_) => false,
        SectionKind::Example(other) => other.title.node == example.title.node,
        SectionKind::End(_) => example.claims.iter().any(asks_end),
        SectionKind::Setup(_) | SectionKind::Opening(_) => {
            !matches!(example.claims.first().map(|claim| &claim.node), Some(ClaimKind::Position(_)))
        }
        _ => true,
    }
}

fn resolved(claim: &ClaimKind) -> Claim {
    let texts = |texts: &[ast::Text]| texts.iter().map(|text| text.node.clone()).collect::<Vec<_>>();
    match claim {
        ClaimKind::Position(text) => Claim::Position(text.node.clone()),
        ClaimKind::Play(moves) => Claim::Play(texts(moves)),
        ClaimKind::Legal { only, moves } => Claim::Legal { only: *only, moves: texts(moves) },
        ClaimKind::Illegal(moves) => Claim::Illegal(texts(moves)),
        ClaimKind::Caught(cells) => Claim::Caught(texts(cells)),
        ClaimKind::Gives(text) => Claim::Gives(text.node.clone()),
        ClaimKind::Perft(counts) => Claim::Perft(counts.iter().map(|count| count.node).collect()),
        ClaimKind::Wins(players) => Claim::Wins(texts(players)),
        ClaimKind::Draw => Claim::Draw,
        ClaimKind::GoesOn => Claim::GoesOn,
    }
}
