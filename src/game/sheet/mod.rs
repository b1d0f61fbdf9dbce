//! Rule sheet: a game goes in; its rules in plain English come out, for players who know nothing of
//! the language.

mod layout;
mod lines;
mod noun;
mod phrase;
mod pieces;
mod steps;
mod substitute;
mod terms;
mod types;
mod words;

use std::cell::{Cell, RefCell};

use crate::board::{Kind, Player, Shape};
use crate::check;
use crate::check::Settings;
use crate::game::Game;
use crate::game::shared::Read;
use crate::game::sheet::layout::{item, paragraph};
use crate::game::sheet::words::{counted, list, sentence, spaced};
use crate::model;
use crate::notation;
use crate::position::Man;
use crate::source::{SourceId, Sources, Span};
use crate::syntax::ast;
use crate::syntax::ast::SectionKind;

pub use crate::game::sheet::layout::{RuleSheet, SheetLine, SheetPart};

/// What the phrases of a sheet are made from.
struct Sheet<'a> {
    game: &'a model::Game,
    sources: &'a Sources,
    prelude: &'a [ast::Section],
    /// The declarations of the game.
    sections: Vec<&'a ast::Section>,
    /// Of each declaration that goes on from another by `as usual`: that other.
    usual: Vec<(&'a ast::Section, &'a ast::Section)>,
    /// Kinds of which a player has one at the start.
    unique: Vec<String>,
    /// Defines, remembered values and actions that were mentioned, in order; each is told at the end.
    terms: RefCell<Vec<String>>,
    /// Words of the language that were used, and are told at the end.
    builtins: RefCell<Vec<&'static str>>,
    /// Parameters that stand for players, in what is being told.
    players: RefCell<Vec<String>>,
    /// Texts that the present statement stands in, the innermost last.
    around: RefCell<Vec<Around>>,
    /// Defines within each other that are being looked into.
    depth: Cell<usize>,
}

/// A text around a statement.
#[derive(Clone, Copy, Debug)]
struct Around {
    span: Span,
    /// With the other blocks of the same statement, in which its names mean nothing.
    whole: Span,
    /// Its names mean something behind it.
    goes_on: bool,
}

/// What a name of the game stands for.
#[derive(Clone, Copy)]
enum Term<'a> {
    Define(&'a ast::Define),
    Remember(&'a ast::Remember),
}

impl Game {
    /// The rules in plain English, made from the rules alone: board, pieces with pictures of how they
    /// move, the turn, captures, the end. Comments beside declarations and alternatives are quoted. A
    /// game whose texts cannot be read again has a sheet without parts.
    ///
    /// ```
    /// let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
    /// let sheet = game.rule_sheet().to_string();
    /// assert!(sheet.contains("You win if one of your men is on the last row."));
    /// ```
    pub fn rule_sheet(&self) -> RuleSheet {
        let model = self.model();
        let title = model.name().to_string();
        let settings = Settings { variant: model.variant.clone(), params: Vec::new() };
        let file = model.sources.get(SourceId(1)).cloned();
        let read = file.and_then(|file| check::sections(file, &Read(&model.sources), &settings));
        let Some(read) = read else { return RuleSheet { title, parts: Vec::new() } };
        let sheet = Sheet {
            game: model,
            sources: &read.sources,
            prelude: &read.prelude,
            sections: read.sections.values().filter_map(|all| all.last()).collect(),
            usual: read.sections.values().flat_map(|all| all.windows(2)).map(|two| (&two[1], &two[0])).collect(),
            unique: self.single_kinds(),
            terms: RefCell::default(),
            builtins: RefCell::default(),
            players: RefCell::default(),
            around: RefCell::default(),
            depth: Cell::new(0),
        };
        let parts = sheet.parts(self).into_iter().filter(|part| !part.lines.is_empty());
        RuleSheet { title, parts: parts.collect() }
    }

    /// Kinds of which no player has more than one man when play begins, and some player has one.
    fn single_kinds(&self) -> Vec<String> {
        let Ok(start) = self.start(0) else { return Vec::new() };
        let (state, model) = (start.state(), self.model());
        let most = |kind: Kind| {
            let on_board = |player: Player| {
                let tops = model.topology.cells().filter_map(|cell| state.top(cell));
                tops.filter(|man| man.owner == Some(player) && man.kind == kind).count()
            };
            model.players().map(on_board).max().unwrap_or(0)
        };
        let kinds = model.kinds.iter().enumerate().filter(|(at, _)| most(Kind(*at as u8)) == 1);
        kinds.map(|(_, kind)| kind.name.clone()).collect()
    }
}

impl<'a> Sheet<'a> {
    fn parts(&self, game: &Game) -> Vec<SheetPart> {
        let part = |heading: &str, lines: Vec<SheetLine>| SheetPart { heading: heading.to_string(), lines };
        vec![
            part("The game", self.about()),
            part("The board", self.board(game)),
            part("Setting up", self.setting_up()),
            part("The pieces", self.pieces()),
            part("The first turns", self.opening()),
            part("Your turn", self.turn()),
            part("Captures", self.captures()),
            part("The end of the game", self.end()),
            part("What the words mean", self.meanings()),
        ]
    }

    /// The section of a kind that the game has.
    fn section(&self, wanted: impl Fn(&SectionKind) -> bool) -> Option<&'a ast::Section> {
        self.sections.iter().find(|section| wanted(&section.node)).copied()
    }

    /// What a declaration goes on from where it says `as usual`.
    fn usual_of(&self, section: &ast::Section) -> Option<&'a ast::Section> {
        self.usual.iter().find(|(new, _)| new.span == section.span).map(|(_, old)| *old)
    }

    fn about(&self) -> Vec<SheetLine> {
        let value = |key: &str| self.game.about.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        let mut parts = Vec::new();
        parts.extend(value("title").map(sentence));
        match (value("inventor"), value("year")) {
            (Some(inventor), Some(year)) => parts.push(format!("Invented by {inventor} in {year}.")),
            (Some(inventor), None) => parts.push(format!("Invented by {inventor}.")),
            (None, Some(year)) => parts.push(format!("It is from {year}.")),
            (None, None) => {}
        }
        parts.extend(value("origin").map(|origin| format!("Origin: {origin}.")));
        parts.extend(value("after").map(|after| format!("After {after}.")));
        let mut lines = Vec::new();
        if !parts.is_empty() {
            lines.push(paragraph(parts.join(" ")));
        }
        lines.push(paragraph(self.players()));
        lines.extend(value("note").map(|note| paragraph(format!("Note: {}", sentence(note)))));
        lines
    }

    fn players(&self) -> String {
        let names: Vec<&str> = self.game.seats.iter().map(|seat| seat.name.as_str()).collect();
        let first = names.first().copied().unwrap_or_default();
        let mut text = match names.len() {
            2 => format!("For two players, {}. They take turns, and {first} begins.", list(&names, "and")),
            number => format!("For {number} players, who take turns in this order: {}.", names.join(", ")),
        };
        if self.game.seats.iter().any(|seat| seat.team.len() > 1) {
            let mut teams: Vec<String> = Vec::new();
            for seat in &self.game.seats {
                let team: Vec<&str> = seat.team.iter().map(|player| self.game.player(player).name.as_str()).collect();
                let team = list(&team, "and");
                if !teams.contains(&team) {
                    teams.push(team);
                }
            }
            text += &format!(" Partners, who win together, are {}.", teams.join("; "));
        }
        let side = |name: String| match name.as_str() {
            "north" => String::from("up the board"),
            "south" => String::from("down the board"),
            "east" => String::from("to the right"),
            "west" => String::from("to the left"),
            other => format!("towards the {other}"),
        };
        // Captions of examples are prose.
        let mut rules = self.sections.iter().filter(|section| !matches!(section.node, SectionKind::Example(_)));
        let asks_ahead = rules.any(|section| {
            let text = self.sources.slice(section.span);
            ["forward", "ahead", "backward", "behind", "sideways"].iter().any(|word| contains_word(text, word))
        });
        if asks_ahead && self.declares_sides() {
            let faces = self.game.seats.iter().filter_map(|seat| {
                let forward = self.game.topology.direction_name(seat.forward?);
                Some(format!("{} for {}", side(forward), seat.name))
            });
            let faces: Vec<String> = faces.collect();
            if !faces.is_empty() {
                text += &format!(" Ahead is {}.", list(&faces, "and"));
            }
        }
        text
    }

    /// The text says which way players face.
    fn declares_sides(&self) -> bool {
        self.section(
            |kind| matches!(kind, SectionKind::Players(seats) if seats.iter().any(|seat| seat.forward.is_some())),
        )
        .is_some()
    }

    fn board(&self, game: &Game) -> Vec<SheetLine> {
        let board = &self.game.topology;
        let cells = board.len();
        let mut text = match board.shape() {
            Shape::Hexagon { side } => {
                format!("The board is a hexagon of {cells} hexagonal cells, {side} on each side.")
            }
            Shape::Square { files, ranks, layers: 1, .. } => {
                let all = usize::from(*files) * usize::from(*ranks);
                let missing =
                    if cells < all { format!(", of which {cells} cells are played on") } else { String::new() };
                format!(
                    "The board has {} and {}{missing}.",
                    counted((*files).into(), "file"),
                    counted((*ranks).into(), "rank")
                )
            }
            Shape::Square { files, ranks, layers, .. } => format!(
                "The board has {layers} layers of {} and {} each, one above the other. They are drawn side by side.",
                counted((*files).into(), "file"),
                counted((*ranks).into(), "rank")
            ),
            Shape::Points { .. } => format!("The board has {cells} points, joined by lines."),
        };
        if let Some(section) = self.section(|kind| matches!(kind, SectionKind::Board(_)))
            && let SectionKind::Board(declared) = &section.node
        {
            text += &self.board_options(declared);
        }
        let mut lines = vec![paragraph(text)];
        let Ok(start) = game.start(0) else { return lines };
        if let Ok(drawing) = start.drawing(false) {
            lines.push(SheetLine::Picture { text: drawing });
        }
        let is_empty = board.cells().all(|cell| start.state().men(cell).is_empty());
        let mut notes = vec![String::from(match (is_empty, self.game.has_one_setup()) {
            (true, _) => "At the beginning the board is empty.",
            (false, true) => "This is how play begins.",
            (false, false) => "Play begins with a set-up that is drawn by lot; this is one of many.",
        })];
        notes.extend(self.letters(is_empty));
        notes.extend(self.hands(&start));
        lines.push(paragraph(notes.join(" ")));
        lines
    }

    fn board_options(&self, declared: &ast::Board) -> String {
        let mut text = String::new();
        for option in &declared.options {
            match &option.node {
                ast::BoardOption::Lines(drawn) if !matches!(declared.shape, ast::Shape::Points) => {
                    let drawn = drawn.iter().map(|(dirs, condition)| {
                        let dirs = self.dirs(dirs);
                        let only = condition.as_ref().map(|condition| {
                            let asked = self.truth(condition).replace("of it", "of the cell");
                            format!(" (where {})", asked.replace("its ", "the cell's "))
                        });
                        dirs + &only.unwrap_or_default()
                    });
                    let drawn: Vec<String> = drawn.collect();
                    text += &format!(" Cells are connected {}.", list(&drawn, "and"));
                }
                ast::BoardOption::Wrap { files, ranks } => {
                    text += match (files, ranks) {
                        (true, true) => {
                            " Beyond the last file comes the first again, and beyond the last rank the first."
                        }
                        (true, false) => " Beyond the last file comes the first again.",
                        _ => " Beyond the last rank comes the first again.",
                    };
                }
                ast::BoardOption::Stacks => {
                    text += " Pieces may be stacked; a stack belongs to the owner of its top piece.";
                }
                _ => {}
            }
        }
        text
    }

    /// What the letters of the drawing mean.
    fn letters(&self, is_empty: bool) -> Option<String> {
        if is_empty {
            return None;
        }
        let owned = self.game.kinds.iter().position(|kind| !kind.neutral);
        let is_initial = owned.is_some_and(|at| {
            let man = Man { owner: Some(Player(0)), kind: Kind(at as u8) };
            self.game.seats.first().is_some_and(|seat| seat.name.starts_with(&notation::man_text(self.game, man)))
        });
        if is_initial && self.game.kinds.iter().filter(|kind| !kind.neutral).count() == 1 {
            let seats = self.game.seats.iter().map(|seat| {
                let initial = seat.name.chars().next().unwrap_or('?');
                format!("{initial} for {}", seat.name)
            });
            return Some(format!(
                "Each piece is drawn as its owner's initial: {}.",
                list(&seats.collect::<Vec<_>>(), "and")
            ));
        }
        let kinds: Vec<String> =
            self.game.kinds.iter().map(|kind| format!("{} {}", kind.letter, spaced(&kind.name))).collect();
        let whose = match self.game.seats.as_slice() {
            [first, second] => {
                format!(" Capital letters are {}'s pieces, small letters {}'s.", first.name, second.name)
            }
            _ => String::new(),
        };
        Some(format!("The letters: {}.{whose}", list(&kinds, "and")))
    }

    fn hands(&self, start: &crate::game::Position) -> Option<String> {
        let state = start.state();
        let mut parts = Vec::new();
        for player in self.game.players() {
            for (at, kind) in self.game.kinds.iter().enumerate() {
                let count = state.hand(player, Kind(at as u8));
                if count > 0 {
                    parts.push(format!("{} has {}", self.game.player(player).name, counted(count.into(), &kind.name)));
                }
            }
        }
        (!parts.is_empty()).then(|| format!("{} in hand, to be placed later.", list(&parts, "and")))
    }

    fn captures(&self) -> Vec<SheetLine> {
        let said = match self.game.captures {
            model::Captures::Leave => return Vec::new(),
            model::Captures::LeaveAtEnd => {
                "Captured pieces stay on the board until the turn is over. Until then they are in the way, and cannot be captured twice."
            }
            model::Captures::ToHand => {
                "A captured piece changes sides: it goes into the hand of the player who captured it."
            }
        };
        vec![paragraph(said)]
    }

    fn end(&self) -> Vec<SheetLine> {
        let outcomes = self.outcomes(self.section(|kind| matches!(kind, SectionKind::End(_))));
        if outcomes.is_empty() {
            return Vec::new();
        }
        let when = "At the end of each turn the first of these that applies ends the game. \"You\" are the player who has just moved.";
        let mut lines = vec![paragraph(when)];
        for (at, outcome) in outcomes.iter().enumerate() {
            lines.push(item(0, format!("{}.", at + 1), sentence(outcome)));
        }
        lines
    }

    fn outcomes(&self, section: Option<&ast::Section>) -> Vec<String> {
        let Some(section) = section else { return Vec::new() };
        let SectionKind::End(outcomes) = &section.node else { return Vec::new() };
        let mut all = Vec::new();
        for outcome in outcomes {
            let gloss = self.beside(outcome.span).map(|gloss| format!(" ({gloss})")).unwrap_or_default();
            let said = match &outcome.node {
                ast::OutcomeKind::AsUsual => {
                    all.extend(self.outcomes(self.usual_of(section)));
                    continue;
                }
                ast::OutcomeKind::Win(condition) => format!("You win if {}", self.truth(condition)),
                ast::OutcomeKind::Lose(condition) => format!("You lose if {}", self.truth(condition)),
                ast::OutcomeKind::Draw(condition) => format!("The game is a draw if {}", self.truth(condition)),
                ast::OutcomeKind::Wins(player, condition) => {
                    format!("{} wins if {}", player.node, self.truth(condition))
                }
                ast::OutcomeKind::Highest(values, condition) => {
                    let values: Vec<String> = values.iter().map(|value| self.score(value)).collect();
                    let (first, ties) = values.split_first().map_or((String::new(), &[][..]), |(a, b)| (a.clone(), b));
                    let ties =
                        if ties.is_empty() { String::new() } else { format!("; in a tie, {}", ties.join(", then ")) };
                    format!(
                        "If {}, each player's score is {first}{ties}. The highest score wins; equal scores are a draw",
                        self.truth(condition)
                    )
                }
            };
            all.push(said + &gloss);
        }
        all
    }

    /// A score of each player, as he says it himself.
    fn score(&self, e: &ast::Expr) -> String {
        self.number(e).replace("your ", "the player's own ")
    }
}

/// A word of a text, not a part of another.
fn contains_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
