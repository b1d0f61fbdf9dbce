//! Forms: the place where reading got stuck goes in; how this language says what its author seems to
//! mean comes out, in his own words where they fit.

use std::ops::Range;

use lusoria_grammar::{Rule, is_cell, is_reserved};

use crate::syntax::depth::begins_statement;
use crate::syntax::diagnose::Place;
use crate::syntax::foreign;
use crate::syntax::near::near;
use crate::syntax::scan::{Token, TokenKind};

/// Longer parts of a text are not repeated, in bytes.
const LONGEST_PART: usize = 80;
/// Most words between `if` and a place where a condition is not one.
const SENTENCE: usize = 6;
/// Most words before a place that may belong to what stands there.
const REACH: usize = 64;

impl Place<'_, '_> {
    /// What to write in place of what stands here, if it is known what is meant.
    pub(super) fn form(&self, at: usize, expected: &[String], tried: &[Rule]) -> Option<String> {
        self.outcome_form(at, tried)
            .or_else(|| self.leave_form(at))
            .or_else(|| self.statement_form(at))
            .or_else(|| self.mover_form(at))
            .or_else(|| self.comma_form(at, tried))
            .or_else(|| self.loop_form(at, tried))
            .or_else(|| self.first_form(at, tried))
            .or_else(|| self.times_form(at, tried))
            .or_else(|| self.range_form(at))
            .or_else(|| self.flip_form(at))
            .or_else(|| self.file_form(at, expected))
            .or_else(|| self.string_form(at, tried))
            .or_else(|| self.players_form(at, tried))
            .or_else(|| self.remember_form(at, tried))
            .or_else(|| self.board_form(at, tried))
            .or_else(|| self.move_form(at, tried))
            .or_else(|| self.way_form(at, tried))
            .or_else(|| self.place_form(at))
            .or_else(|| self.row_form(at))
            .or_else(|| self.sentence_form(at, tried))
            .or_else(|| self.condition_form(at, tried))
            .or_else(|| self.path_form(at, tried))
            .or_else(|| self.turning_form(at, tried))
            .or_else(|| self.weight_form(at))
            .or_else(|| self.number_form(at, tried))
            .or_else(|| foreign::missing(self.text(at)).map(String::from))
    }

    /// The words from one token to another, as the author wrote them.
    fn part(&self, tokens: Range<usize>) -> Option<String> {
        let (first, last) = (self.token(tokens.start)?, self.token(tokens.end.checked_sub(1)?)?);
        let text = self.source_text.get(first.start..last.end())?;
        (text.len() <= LONGEST_PART).then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The first such mark or word from here on, outside brackets.
    fn next_outside(&self, from: usize, wanted: &[&str]) -> Option<usize> {
        let mut depth = 0usize;
        for at in from..self.tokens.len().min(from + REACH) {
            let text = self.text(at);
            if depth == 0 && wanted.contains(&text) {
                return Some(at);
            }
            match text {
                "(" | "{" => depth += 1,
                ")" | "}" if depth == 0 => return None,
                ")" | "}" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The names behind the word `players`.
    fn players(&self) -> Vec<&str> {
        let Some(at) = self.tokens.iter().position(|token| token.is_word("players")) else { return Vec::new() };
        let names = self.tokens[at + 1..].iter().take_while(|token| token.is_mark(",") || !is_reserved(token.text));
        names.take(REACH).map(|token| token.text).filter(|name| is_capital(name)).collect()
    }

    fn outcome_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let before = self.before(at);
        if tried.contains(&Rule::kw_wins) && is_capital(before) {
            return self.side_form(at, before);
        }
        if matches!(before, "win" | "lose" | "draw" | "wins") && tried.contains(&Rule::kw_if) {
            return Some(format!("write `{before} if ...`: every outcome has a condition"));
        }
        if !tried.contains(&Rule::outcome) {
            return None;
        }
        let form = "an outcome is `win if C`, `lose if C` or `draw if C`, said of who has just moved";
        Some(match self.text(at) {
            "if" => self.if_outcome(at).unwrap_or(format!("{form}; conditions are joined by `and`")),
            "when" | "after" | "until" | "unless" | "game" | "ends" => form.into(),
            "own" | "wins" | "winner" | "victory" | "won" => "write `win if ...`: who has just moved wins".into(),
            "enemy" | "loses" | "loss" | "lost" => "write `lose if ...`: who has just moved loses".into(),
            "draws" | "tie" | "ties" | "drawn" | "stalemate" | "remis" => "write `draw if ...`".into(),
            _ => return None,
        })
    }

    /// `Black loses if C`
    fn side_form(&self, at: usize, player: &str) -> Option<String> {
        let word = self.text(at);
        if word.starts_with("draw") || word.starts_with("tie") {
            return Some("write `draw if ...`".into());
        }
        if !word.starts_with("los") {
            return word.starts_with('w').then(|| format!("write `{player} wins if ...`"));
        }
        let players = self.players();
        let others: Vec<&&str> = players.iter().filter(|name| **name != player).collect();
        Some(match others.as_slice() {
            [other] => format!("say who wins: `{other} wins if ...`"),
            _ => format!("say who wins, or `lose if own is {player} and ...` of who has just moved"),
        })
    }

    /// `if C { win }`, `if C { win if D }`
    fn if_outcome(&self, at: usize) -> Option<String> {
        let open = self.next_outside(at + 1, &["{"])?;
        let close = self.next_outside(open + 1, &["}"])?;
        let condition = self.conjunct(at + 1..open)?;
        let result = self.text(open + 1);
        if !matches!(result, "win" | "lose" | "draw") {
            return None;
        }
        if close == open + 2 {
            return Some(format!("write `{result} if {}`", self.part(at + 1..open)?));
        }
        let more = self.conjunct(open + 3..close).filter(|_| self.text(open + 2) == "if")?;
        Some(format!("write `{result} if {condition} and {more}`"))
    }

    /// A condition as it may stand beside `and`.
    fn conjunct(&self, tokens: Range<usize>) -> Option<String> {
        if tokens.clone().any(|at| matches!(self.text(at), "win" | "lose" | "draw" | "highest" | "wins")) {
            return None;
        }
        let loose = tokens.clone().any(|at| matches!(self.text(at), "or" | "where" | "if"));
        let part = self.part(tokens)?;
        Some(if loose { format!("({part})") } else { part })
    }

    /// `move nth(c, 1) straight: step`
    fn mover_form(&self, at: usize) -> Option<String> {
        let word = (self.first..at).rev().take(REACH).find(|at| matches!(self.text(*at), "move" | "capture"))?;
        let is_call = matches!(self.text(word + 1), "adjacent" | "group" | "nth" | "reach" | "run" | "shift" | "span");
        let close = self.next_outside(word + 3, &[")"]).filter(|_| is_call && self.text(word + 2) == "(")?;
        let (call, word) = (self.part(word + 1..close + 1)?, self.text(word));
        (at <= close + 1).then(|| format!("who moves has a name: `let m = {call}   {word} m ...`"))
    }

    fn comma_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let next = self.text(at + 1);
        if self.text(at) != "," {
            return None;
        }
        if begins_statement(next) || matches!(next, "if" | "as") {
            return Some("leave out the comma: a statement ends where the next begins".into());
        }
        if is_cell(self.before(at)) && is_cell(next) {
            return Some(format!("cells stand side by side, without commas: `{}`", self.cells_around(at)));
        }
        if at >= self.first + 2 && self.text(at - 2) == "piece" {
            return Some(format!("each kind is declared by itself: `piece {}   piece {next}`", self.before(at)));
        }
        let joins = [Rule::kw_or, Rule::kw_and].iter().any(|rule| tried.contains(rule));
        joins.then(|| "leave out the comma: sets are joined by `or`, conditions by `and`".into())
    }

    /// Cells around a comma, and further ones behind commas.
    fn cells_around(&self, at: usize) -> String {
        let goes_on = |at: usize| matches!(self.text(at), "," | "..") || is_cell(self.text(at));
        let start = (self.first..at).rev().take(REACH).take_while(|at| goes_on(*at)).last().unwrap_or(at);
        let cells = (start..).take(REACH).take_while(|at| goes_on(*at)).map(|at| self.text(at));
        let side_by_side = cells.filter(|text| *text != ",").collect::<Vec<_>>().join(" ");
        side_by_side.replace(" .. ", "..")
    }

    fn loop_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        if self.text(at) == "while" && tried.contains(&Rule::statement) {
            let condition = self.next_outside(at + 1, &["{"]).and_then(|open| self.part(at + 1..open));
            return Some(format!("write `repeat while {} {{ ... }}`", condition.unwrap_or("...".into())));
        }
        let (each, name) = match self.text(at) {
            ".." => (at.checked_sub(4)?, at.checked_sub(3)?),
            _ if tried.contains(&Rule::kw_each) => (at, at),
            _ => return None,
        };
        let word = self.text(name);
        let counts = self.text(name + 1) == "in" && self.text(name + 3) == "..";
        if counts && (each == name || self.text(each) == "each") {
            let (from, to) = (self.text(name + 2), self.text(name + 4));
            return Some(format!(
                "loops go over sets; numbers are counted: `let {word} = {from}   repeat while {word} <= {to} {{ ... \
                 set {word} = {word} + 1 }}`"
            ));
        }
        (each == name).then(|| "write `for each c in S { ... }`".into())
    }

    /// `first { pick p from own }` without another block.
    fn first_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        if tried != [Rule::kw_else] || self.before(at) != "}" {
            return None;
        }
        let mut depth = 0usize;
        let open = (self.first..at).rev().find(|at| {
            match self.text(*at) {
                "}" => depth += 1,
                "{" => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let form = "a `first` has two blocks or more: `first { ... } else { ... }`; `else { }` does nothing";
        (self.before(open) == "first").then(|| form.into())
    }

    /// `repeat 3 { }`, `pick n p from own`: how often something is done, or how many are picked.
    fn times_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let is_name = self.is_free_name(at);
        let is_number = self.text(at).starts_with(|c: char| c.is_ascii_digit());
        if self.before(at) == "repeat" && (is_name || is_number) && matches!(self.text(at + 1), "{" | "times") {
            let times = self.text(at);
            return Some(format!(
                "rounds are counted: `let i = 1   repeat while i <= {times} {{ ... set i = i + 1 }}`"
            ));
        }
        let names_two = is_name && self.text(at + 1) == "from" && at >= 2 && self.text(at - 2) == "pick";
        let picks = tried == [Rule::kw_from] && names_two;
        picks.then(|| format!("how many are picked is written as a number: `pick 2 {} from S`", self.text(at)))
    }

    /// `move p break`: a word that leaves a loop elsewhere, and that the game has not declared.
    fn leave_form(&self, at: usize) -> Option<String> {
        let before = at.checked_sub(1).filter(|before| *before >= self.first);
        let word = before.map(|before| self.text(before)).filter(|word| matches!(*word, "break" | "continue"))?;
        if self.declares(word) { None } else { foreign::missing(word).map(String::from) }
    }

    /// `pick c from empty put man on c`: a statement by the name that it has elsewhere, behind an operand.
    fn statement_form(&self, at: usize) -> Option<String> {
        let words = (self.first + 1..at).rev().take(2).map(|before| self.text(before));
        let mut foreign = words.filter_map(|word| Some((word, foreign::statement(word)?)));
        let (word, here) = foreign.find(|(word, _)| !self.declares(word))?;
        Some(format!("write `{here}` for `{word}`"))
    }

    /// The text declares the word, wherever that is.
    fn declares(&self, word: &str) -> bool {
        let declaring = ["action", "pattern", "define", "param", "remember", "piece", "let", "pick", "each"];
        let declares = |pair: &[Token<'_>]| declaring.contains(&pair[0].text) && pair[1].is_word(word);
        self.tokens.windows(2).any(declares)
    }

    /// `rank of it in 2..3`, `n in 2..3`
    fn range_form(&self, at: usize) -> Option<String> {
        let is_end = |at: usize| self.token(at).is_some_and(|token| token.kind != TokenKind::Mark);
        let relation = at.checked_sub(2).filter(|relation| *relation > self.first && self.text(*relation) == "in")?;
        if self.text(at) != ".." || !is_end(at - 1) || !is_end(at + 1) {
            return None;
        }
        let (from, to) = (self.text(at - 1), self.text(at + 1));
        let denied = self.before(relation) == "not";
        let operand = relation - 1 - usize::from(denied);
        let of = operand.checked_sub(2).filter(|of| self.text(of + 1) == "of" && is_end(operand));
        if let Some(band @ ("rank" | "row")) = of.map(|of| self.text(of)) {
            let not = if denied { "not " } else { "" };
            return Some(format!(
                "a range stands behind `{band}s`: `{} {not}in {band}s {from}..{to}`",
                self.text(operand)
            ));
        }
        let number = match of {
            Some(of) if self.text(of) == "file" => self.part(of..operand + 1)?,
            _ if self.is_free_name(operand) => self.text(operand).to_string(),
            _ => String::from("n"),
        };
        let asked = match denied {
            true => format!("({number} < {from} or {number} > {to})"),
            false => format!("{number} >= {from} and {number} <= {to}"),
        };
        Some(format!("`in` asks of sets; of a number write `{asked}`"))
    }

    /// `flip p to enemy`
    fn flip_form(&self, at: usize) -> Option<String> {
        if self.text(at) != "to" {
            return None;
        }
        let goes_on = |at: &usize| !begins_statement(self.text(*at)) && !matches!(self.text(*at), "{" | "}");
        let flip = (self.first..at).rev().take(REACH).take_while(goes_on).last().unwrap_or(at).checked_sub(1)?;
        let men = self.part(flip + 1..at).filter(|_| flip >= self.first && self.text(flip) == "flip")?;
        Some(match self.text(at + 1) {
            "own" => format!("men who are flipped become `own` anyway: `flip {men}`"),
            whose => format!(
                "men who are flipped become `own`; for another player they are set anew: `remove {men}   place {whose} KIND on \
                 {men}`"
            ),
        })
    }

    /// What stands before or behind the one game of a file.
    fn file_form(&self, at: usize, expected: &[String]) -> Option<String> {
        match expected {
            [first, ..] if first == "`game`" => {
                Some("a rules file is `game \"Title\" { ... }`; `lusoria rules GAME` prints a shipped one".into())
            }
            [end] if end == "the end of the text" && self.text(at) == "game" => {
                let title =
                    self.token(at + 1).filter(|token| token.kind == TokenKind::Text).map_or("\"B\"", |t| t.text);
                Some(format!("a file has one game: write `variant {title} {{ ... }}` within it, or a second file"))
            }
            _ => None,
        }
    }

    fn string_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let only = !tried.is_empty() && tried.iter().all(|rule| *rule == Rule::string);
        if only && self.is_word(at) {
            return Some(format!("write `{} \"{}\"`", self.before(at), self.text(at)));
        }
        let quoted = self.token(at).is_some_and(|token| token.kind == TokenKind::Text);
        let letter = quoted && tried.contains(&Rule::letter);
        letter.then(|| format!("the letter of a piece is one capital without quotes: `piece {} K`", self.before(at)))
    }

    fn players_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let number = self.token(at).is_some_and(|token| token.kind == TokenKind::Number);
        if number && self.before(at) == "players" {
            return Some("players have names: `players White, Black`".into());
        }
        let parted = tried.contains(&Rule::comma) && is_capital(self.text(at)) && self.text(self.first) == "players";
        parted.then(|| format!("a comma stands between players: `{}, {}`", self.before(at), self.text(at)))
    }

    /// `remember score per player = 0`, `remember score`
    fn remember_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        if matches!(self.text(at), "player" | "players" | "each" | "every") && tried == [Rule::kw_one] {
            return Some(
                "write `per player` for a value that each player has, `for one turn` for one that falls back".into(),
            );
        }
        let is_head = at == self.first + 2 && self.text(self.first) == "remember" && tried.contains(&Rule::equals);
        if !is_head {
            return None;
        }
        let name = self.before(at);
        let equals = self.next_outside(at, &["="]).filter(|equals| *equals <= at + 4);
        let (value, last) = (equals.map_or("0", |equals| self.text(equals + 1)), self.text(at));
        let behind = match equals.and_then(|equals| self.part(at..equals)) {
            Some(behind) if matches!(last, "per" | "on" | "for" | "not") => format!(" {behind}"),
            _ => String::new(),
        };
        Some(format!("the first value stands behind the name: `remember {name} = {value}{behind}`"))
    }

    fn board_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        if matches!(self.text(at), "lines" | "without" | "stacks") && tried.contains(&Rule::comma) {
            return Some(format!("a comma stands before it: `, {}`", self.text(at)));
        }
        if self.text(at) == "with" && tried.contains(&Rule::comma) && matches!(self.text(at + 1), "lines" | "stacks") {
            return Some(format!("a comma stands in place of `with`: `, {}`", self.text(at + 1)));
        }
        if self.before(at) == "hexagon" && tried.contains(&Rule::kw_side) {
            let side = self.token(at).filter(|token| token.kind == TokenKind::Number).map_or("5", |token| token.text);
            return Some(format!("write `board hexagon side {side}`"));
        }
        if at >= self.first + 3 && self.text(at - 3) == "board" && self.text(at - 2) == "square" {
            let side = self.before(at);
            let is_side = tried.contains(&Rule::kw_by) && side.bytes().all(|b| b.is_ascii_digit());
            return is_side.then(|| format!("write `board square {side} by {side}`"));
        }
        if self.before(at) == "points" && self.token(at).is_some_and(|token| token.kind == TokenKind::Number) {
            let (files, ranks) =
                (self.text(at), if self.text(at + 1) == "by" { self.text(at + 2) } else { self.text(at) });
            return Some(format!(
                "write `board square {files} by {ranks}`; `board points` names its lines, one by one"
            ));
        }
        if self.before(at) != "board" {
            return None;
        }
        match (self.text(at), self.text(at + 1), self.text(at + 2)) {
            ("hex" | "hexagonal", ..) => Some("write `board hexagon side 5`".into()),
            (files, "by" | "*", ranks) if files.bytes().all(|b| b.is_ascii_digit()) => {
                Some(format!("write `board square {files} by {ranks}`"))
            }
            _ => None,
        }
    }

    fn move_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let two_before = at.checked_sub(2).map_or("", |at| self.text(at));
        if self.text(at) == ":" && two_before == "move" {
            return Some(format!("say which man: `move p {}: ...`", self.before(at)));
        }
        if self.before(at) == "pick" && tried.contains(&Rule::name) {
            return Some("a pick gives a name to what it takes: `pick p from own`".into());
        }
        if two_before == "pick" && self.text(at) == "from" {
            return Some(format!("a pick gives a name to what it takes: `pick {} p from own`", self.before(at)));
        }
        if !tried.contains(&Rule::colon) || self.text(at) == ":" {
            return None;
        }
        let start = (self.first..at).rev().take(REACH).find(|at| self.text(*at) == "move")?;
        let last = at - 1;
        // `slide orthogonal`: a pattern that stands before the directions.
        let man = usize::from(self.text(self.first) != "piece");
        let pattern = (start + 1 + man..last).rev().find(|at| self.is_pattern(*at));
        if let Some(pattern) = pattern.filter(|_| !self.is_pattern(last)) {
            let (man, directions) = (self.part(start..pattern)?, self.part(pattern + 1..at)?);
            return Some(format!("directions, a colon, a pattern: `{man} {directions}: {}`", self.text(pattern)));
        }
        let directions = self.part(start + 1..last).filter(|_| last > start + 1 && self.is_word(last));
        Some(match directions {
            // `forward step`: all but the last word may be directions.
            Some(directions) if self.is_pattern(last) => {
                format!("directions, a colon, a pattern: `move {directions}: {}`", self.text(last))
            }
            _ => format!("directions, a colon, a pattern: `{}: step`", self.part(start..at)?),
        })
    }

    /// `slide orthogonal`, `orthogonal: slide` or `capture diagonal: ^ to enemy`, where a way of a piece begins.
    fn way_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        if !tried.contains(&Rule::way) {
            return None;
        }
        if is_said_of_captures(self.text(at)) {
            let colon = self.next_outside(at, &[":"]).filter(|colon| *colon > at + 1);
            let directions = colon.and_then(|colon| self.part(at + 1..colon)).unwrap_or("diagonal".into());
            return Some(format!("what a way catches stands in `< >`: `move {directions}: ^ to <enemy>`"));
        }
        let end = self.end_of_way(at + 1);
        let Some(colon) = self.next_outside(at, &[":"]).filter(|colon| *colon < end) else {
            let is_slip = !self.is_pattern(at) || near(self.text(at), ["move", "if"]).is_some();
            let directions = self.part(at + 1..end).unwrap_or("straight".into());
            return (!is_slip).then(|| format!("a way to move is `move {directions}: {}`", self.text(at)));
        };
        if self.text(at) == "then" {
            let (directions, pattern) = (self.part(at + 1..colon)?, self.part(colon + 1..end)?);
            return Some(format!("a comma turns a pattern: `..., {directions}: {pattern}`"));
        }
        let is_one_way = self.next_outside(colon + 1, &[":"]).is_none_or(|next| next >= end);
        let pattern = if is_one_way { self.part(colon + 1..end)? } else { "...".into() };
        let directions = self.part(at..colon)?;
        (!self.is_pattern(at)).then(|| format!("a way to move is `move {directions}: {pattern}`"))
    }

    /// Where the next way begins, or the block ends.
    fn end_of_way(&self, from: usize) -> usize {
        let ends =
            |at: &usize| matches!(self.text(*at), "move" | "if" | "}" | "") || is_said_of_captures(self.text(*at));
        (from..from + REACH).find(ends).unwrap_or(from)
    }

    /// `place stone at c`
    fn place_form(&self, at: usize) -> Option<String> {
        if self.text(at) == "from" && self.text(at + 1) == "hand" {
            let place = (self.first..at).rev().take(4).find(|at| self.text(*at) == "place")?;
            return Some(format!("`from hand` stands behind the cells: `{} on ... from hand`", self.part(place..at)?));
        }
        let word = (self.first..=at).rev().take(3).find(|at| matches!(self.text(*at), "at" | "into" | "onto"))?;
        let place = (self.first..word).rev().take(4).find(|at| self.text(*at) == "place")?;
        // Behind `on` it is a name that the author gave.
        if (place..word).any(|at| self.text(at) == "on") {
            return None;
        }
        Some(format!("write `on`: `{} on ...`", self.part(place..word)?))
    }

    /// `enemy has no king`, `file + rank` and `pass pass`, in a condition.
    fn condition_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let (before, text) = (self.before(at), self.text(at));
        if text == "no" && before == "has" && at >= self.first + 2 {
            let whose = self.text(at - 2);
            return Some(format!("say what there is none of: `no {whose}`, or `no ({whose} and ...)`"));
        }
        if matches!(before, "file" | "rank" | "row") && tried.contains(&Rule::kw_of) {
            return Some(format!("the number of a cell's {before} is `{before} of c`; in a `where`, `{before} of it`"));
        }
        let passes = before == "if" && matches!(text, "pass" | "passes" | "passed");
        passes.then(|| "count passes yourself: `remember passes = 0`, and `pass   set passes = passes + 1`".into())
    }

    /// `win if own reaches last row`, `enemy cannot move`, `repeated 3`: conditions as a rulebook has them.
    fn sentence_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        if !tried.contains(&Rule::outcome) {
            return None;
        }
        let from = (self.first.max(at.saturating_sub(SENTENCE))..at).rev().find(|at| self.text(*at) == "if")? + 1;
        let ends = |at: &usize| matches!(self.text(*at), "win" | "lose" | "draw" | "}");
        let to = (from..at + 3).find(ends).unwrap_or(at + 3);
        let words: Vec<&str> = (from..to).map(|at| self.text(at)).collect();
        let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
        let whose = if words.first() == Some(&"enemy") { "enemy" } else { "own" };
        let goes = ["reaches", "reach", "reached", "arrives", "gets", "at", "on", "has"];
        if has(&goes) && has(&["last", "far", "farthest", "back"]) && has(&["row", "rank", "line", "edge"]) {
            return Some(format!("say who stands where: `some {whose} in last row`"));
        }
        if has(&["cannot"]) && has(&["move", "moves"]) {
            return Some(format!("write `stuck({whose})`"));
        }
        let again = ["repeated", "repeats", "repetition", "threefold"];
        has(&again).then(|| "write `times(position) >= 3`: how often this position has been there".into())
    }

    /// `5 in a row`
    fn row_form(&self, at: usize) -> Option<String> {
        if at < self.first + 3 || [at - 2, at - 1, at].map(|at| self.text(at)) != ["in", "a", "row"] {
            return None;
        }
        let length = match self.text(at - 3) {
            number if number.bytes().all(|b| b.is_ascii_digit()) => number,
            "four" => "4",
            "five" => "5",
            "six" => "6",
            _ => "3",
        };
        let run = "count(run(last, own, it))";
        Some(format!("a row through the last cell is said so: `some axes where {run} >= {length}`"))
    }

    /// The word may be the name of a pattern: it is no direction.
    fn is_pattern(&self, at: usize) -> bool {
        self.is_free_name(at) && !crate::syntax::builtin::is_builtin(self.text(at))
    }

    /// `move p straight: ^ (own where C) to empty`: conditions stand in sets, and in a path sets stand by name.
    fn path_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let open = self.opening(at).filter(|_| self.text(at) == "where" && !tried.contains(&Rule::filter))?;
        let in_path = (self.first..open).rev().take(REACH).any(|at| matches!(self.text(at), ":" | "^" | "pattern"));
        in_path.then(|| {
            "a path takes no `where`, but a set by its name: `define s = own where ...`, and here `s`, as in `^ s to empty`".into()
        })
    }

    /// `pick d from heading + 2`: behind `from`, a sum begins a range of numbers.
    fn turning_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let from = (self.first..at).rev().take(REACH).find(|at| self.text(*at) == "from")?;
        let turns = (from + 1..at).any(|at| matches!(self.text(at), "+" | "-"));
        let sum = self.part(from + 1..at).filter(|_| turns && tried.contains(&Rule::dots))?;
        Some(format!(
            "numbers are picked from a range, as in `from 1..{sum}`; other sums stand in brackets: `from ({sum})`"
        ))
    }

    /// `either by chance 1/2 { }`
    fn weight_form(&self, at: usize) -> Option<String> {
        let is_weight = at.checked_sub(2).is_some_and(|chance| matches!(self.text(chance), "chance" | "or"));
        (is_weight && matches!(self.text(at), "/" | "%" | ".")).then(|| {
            "blocks are as likely as their weights say, which are whole numbers: `either by chance 1 { ... } or 2 { ... }`".into()
        })
    }

    fn number_form(&self, at: usize, tried: &[Rule]) -> Option<String> {
        let is_number = |at: usize| self.token(at).is_some_and(|token| token.kind == TokenKind::Number);
        let item = [Rule::item, Rule::tested, Rule::times].iter().any(|rule| tried.contains(rule));
        if self.text(at) == "-" && is_number(at + 1) && !item {
            return Some(format!("numbers are not negative as written; write `0 - {}`", self.text(at + 1)));
        }
        if is_number(at) && item && !self.before(at).is_empty() {
            return Some(format!("how often is said in braces: `{}{{{}}}`", self.before(at), self.text(at)));
        }
        None
    }

    /// `(a and (b or <c>))`: `< >` in brackets within a test, and the test without them.
    pub(super) fn spread(&self, at: usize) -> Option<String> {
        let inner = self.opening(at)?;
        let outer = self.opening(inner).filter(|_| self.before(inner) == "and")?;
        let (inner_end, outer_end) = (self.next_outside(inner + 1, &[")"])?, self.next_outside(outer + 1, &[")"])?);
        let common = self.part(outer + 1..inner - 1)?;
        let plain = |at: usize| !matches!(self.text(at), "or" | "<" | "where");
        if outer_end != inner_end + 1 || !(outer + 1..inner).all(plain) {
            return None;
        }
        let mut parts = Vec::new();
        let mut start = inner + 1;
        while start < inner_end {
            let end = self.next_outside(start, &["or"]).filter(|end| *end < inner_end).unwrap_or(inner_end);
            let caught = self.text(start) == "<" && self.text(end - 1) == ">";
            parts.push(match caught {
                true => format!("<{common} and {}>", self.part(start + 1..end - 1)?),
                false => format!("{common} and {}", self.part(start..end)?),
            });
            start = end + 1;
        }
        Some(format!("({})", parts.join(" or ")))
    }

    /// The bracket that is open at a place.
    fn opening(&self, at: usize) -> Option<usize> {
        let mut depth = 0usize;
        for before in (self.first..at).rev().take(REACH) {
            match self.text(before) {
                ")" => depth += 1,
                "(" if depth == 0 => return Some(before),
                "(" => depth -= 1,
                "{" | "}" => return None,
                _ => {}
            }
        }
        None
    }
}

fn is_capital(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Words by which other languages begin a way to capture.
fn is_said_of_captures(word: &str) -> bool {
    matches!(word, "capture" | "captures" | "take" | "takes" | "catch" | "attack" | "attacks")
}
