//! Turns as steps: programs of the text go in; numbered steps in English come out.

use crate::game::sheet::layout::{item, paragraph};
use crate::game::sheet::noun::{Noun, Whose};
use crate::game::sheet::words::{article, list, plural, sentence, spaced};
use crate::game::sheet::{Around, Sheet, SheetLine};
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::ast::{ArgumentKind, Arithmetic, ExprKind, How, Place, Removal, SectionKind, Source, StatementKind};

/// A step, and what stands below it.
pub struct Step {
    head: String,
    below: Vec<SheetLine>,
}

impl Step {
    fn plain(head: String) -> Step {
        Step { head, below: Vec::new() }
    }
}

type Whole<'a> = Option<&'a ast::Section>;

impl<'a> Sheet<'a> {
    /// Set-ups that are chosen or drawn; others are the drawing of the board.
    pub fn setting_up(&self) -> Vec<SheetLine> {
        if self.game.has_one_setup() {
            return Vec::new();
        }
        let Some(section) = self.section(|kind| matches!(kind, SectionKind::Setup(_))) else { return Vec::new() };
        let SectionKind::Setup(block) = &section.node else { return Vec::new() };
        let mut lines = vec![paragraph("Whatever is chosen here is drawn by lot.")];
        lines.extend(self.whole_block(block, section, 0));
        lines
    }

    pub fn opening(&self) -> Vec<SheetLine> {
        let Some(section) = self.section(|kind| matches!(kind, SectionKind::Opening(_))) else { return Vec::new() };
        let SectionKind::Opening(turns) = &section.node else { return Vec::new() };
        let mut lines = Vec::new();
        for (at, turn) in turns.iter().enumerate() {
            let seat = &self.game.seats[at % self.game.seats.len()].name;
            let gloss = self.beside(turn.span).map(|gloss| format!(" ({gloss})")).unwrap_or_default();
            lines.push(item(0, format!("{}.", at + 1), format!("{seat}{gloss}:")));
            lines.extend(self.whole_block(turn, section, 1));
        }
        lines
    }

    pub fn turn(&self) -> Vec<SheetLine> {
        let Some(section) = self.section(|kind| matches!(kind, SectionKind::Move(_))) else { return Vec::new() };
        let SectionKind::Move(block) = &section.node else { return Vec::new() };
        self.whole_block(block, section, 0)
    }

    fn whole_block(&self, block: &ast::Block, section: &'a ast::Section, level: usize) -> Vec<SheetLine> {
        self.around.borrow_mut().push(Around { span: block.span, whole: block.span, goes_on: false });
        let lines = self.block(block, Some(section), level);
        self.around.borrow_mut().pop();
        lines
    }

    /// The steps of a block.
    pub fn block(&self, block: &ast::Block, whole: Whole<'a>, level: usize) -> Vec<SheetLine> {
        numbered(self.steps(&block.statements, whole, level), level)
    }

    fn steps(&self, statements: &[ast::Statement], whole: Whole<'a>, level: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = 0;
        while let Some(statement) = statements.get(at) {
            at += 1;
            match &statement.node {
                StatementKind::AsUsual => steps.extend(self.as_usual(whole, level)),
                StatementKind::Part(part) => {
                    let is_it = |kind: &SectionKind| matches!(kind, SectionKind::Part(other) if other.name.node == part.name.node);
                    let body = match self.section(is_it).map(|section| (&section.node, section.span)) {
                        Some((SectionKind::Part(other), span)) => (&other.body, span),
                        _ => (&part.body, part.body.span),
                    };
                    self.around.borrow_mut().push(Around { span: body.1, whole: body.1, goes_on: true });
                    steps.extend(self.steps(&body.0.statements, whole, level));
                    self.around.borrow_mut().pop();
                }
                StatementKind::Do { name, arguments } if arguments.is_empty() => {
                    let Some((section, action)) = self.action(name) else { continue };
                    self.around.borrow_mut().push(Around { span: section.span, whole: section.span, goes_on: false });
                    steps.extend(self.steps(&action.body.statements, None, level));
                    self.around.borrow_mut().pop();
                }
                StatementKind::Need(condition) if self.constant_truth(condition) == Some(true) => {}
                StatementKind::If { condition, then, otherwise } if self.constant_truth(condition).is_some() => {
                    let taken =
                        if self.constant_truth(condition) == Some(true) { Some(then) } else { otherwise.as_ref() };
                    steps.extend(taken.map(|block| self.steps(&block.statements, whole, level)).unwrap_or_default());
                }
                // What is picked and used at once is one step.
                StatementKind::Pick { count, name, from: Source::Members(from), by: None } => {
                    let next = statements.get(at);
                    match next.and_then(|next| self.picked_and((count.as_ref(), statement.span), name, from, next)) {
                        Some(joined) => {
                            at += 1;
                            steps.push(Step::plain(joined));
                        }
                        None => steps.push(self.step(statement, whole, level)),
                    }
                }
                _ => steps.push(self.step(statement, whole, level)),
            }
        }
        steps
    }

    fn as_usual(&self, whole: Whole<'a>, level: usize) -> Vec<Step> {
        let Some(section) = whole else { return Vec::new() };
        // In an opening a turn as usual is one of `move`.
        if matches!(section.node, SectionKind::Opening(_)) {
            return vec![Step::plain(String::from("take a turn as described below under *Your turn*"))];
        }
        let Some(usual) = self.usual_of(section) else { return Vec::new() };
        match &usual.node {
            SectionKind::Move(block) | SectionKind::Setup(block) => {
                self.around.borrow_mut().push(Around { span: block.span, whole: block.span, goes_on: true });
                let steps = self.steps(&block.statements, Some(usual), level);
                self.around.borrow_mut().pop();
                steps
            }
            _ => Vec::new(),
        }
    }

    /// ` (call it p)`, if the name is asked for behind this place.
    fn called(&self, name: &ast::Word, after: Span, many: bool) -> String {
        let mut from = after;
        let mut used = false;
        for around in self.around.borrow().iter().rev() {
            let text = match around.span.contains(from) {
                true => self.sources.slice(Span { start: from.end, ..around.span }),
                false => self.sources.slice(around.span),
            };
            used |= word_count(text, name) > 0;
            from = around.whole;
            if !around.goes_on {
                break;
            }
        }
        if used { call_it(name, many) } else { String::new() }
    }

    fn picked_and(
        &self,
        (count, span): (Option<&crate::source::Spanned<i64>>, Span),
        name: &ast::Word,
        from: &ast::Expr,
        next: &ast::Statement,
    ) -> Option<String> {
        let is_name = |e: &ast::Expr| matches!(&*e.kind, ExprKind::Name(on) if *on == name.node);
        let noun = self.noun(from);
        let (one, many) = match count {
            Some(count) => (some_of(count.node, &noun), true),
            None => (self.pick_one(from), false),
        };
        // The statement behind it says the name once, as what it is about.
        let is_said = word_count(self.sources.slice(span.to(next.span)), name) > 2;
        let called = if is_said { call_it(name, many) } else { self.called(name, next.span, many) };
        Some(match &next.node {
            StatementKind::Move { amount: None, who, how } if who.node == name.node => match how {
                How::Ways => format!("move {one}{called}, as such a piece moves"),
                _ => format!("move {one}{called}{}", self.how(how)),
            },
            StatementKind::Capture { who } if who.node == name.node => {
                format!("capture with {one}{called}, as such a piece captures")
            }
            StatementKind::Place(Place::On { several: None, man, kinds, on, bottom: false, from_hand })
                if is_name(on) =>
            {
                let hand = if *from_hand { " from your hand" } else { "" };
                let each = if many { "each of " } else { "" };
                format!("place {}{hand} on {each}{one}{called}", self.what(man, kinds))
            }
            StatementKind::Remove { what: Removal::All, from, to_hand: false } if is_name(from) => {
                removed(&format!("{one}{called}"))
            }
            StatementKind::Flip(cells) if is_name(cells) => format!("this becomes yours: {one}{called}"),
            _ => return None,
        })
    }

    /// How a piece moves, behind its name.
    fn how(&self, how: &How) -> String {
        match how {
            How::Ways => String::from(" as such a piece moves"),
            How::Line(line) => format!(" {}", self.line(line)),
            How::To { cells, bottom: false } => match self.noun(cells).whole {
                Some((_, false)) if !self.is_single(cells) => format!(" to a cell of {}", self.noun(cells).all()),
                _ => format!(" to {}", self.noun(cells).one_of()),
            },
            How::To { cells, bottom: true } => format!(" to {}, under what stands there", self.noun(cells).one_of()),
        }
    }

    fn what(&self, man: &ast::Man, kinds: &[ast::Word]) -> String {
        let mut all: Vec<String> = vec![article(&spaced(&man.kind))];
        all.extend(kinds.iter().map(|kind| article(&spaced(kind))));
        let all = list(&all, "or");
        match man.owner.as_ref().map(|owner| owner.node.as_str()) {
            None => all,
            Some("enemy") => format!("{all} of your opponent's"),
            Some("neutral") => all.replacen(' ', " neutral ", 1),
            Some("own") => format!("{all} of yours"),
            Some(other) => all.split_once(' ').map_or(all.clone(), |(_, kind)| article(&format!("{other} {kind}"))),
        }
    }

    fn step(&self, statement: &ast::Statement, whole: Whole<'a>, level: usize) -> Step {
        match &statement.node {
            StatementKind::Pick { count, name, from, by } => {
                Step::plain(self.pick(count.as_ref(), (name, statement.span), from, by.as_ref()))
            }
            StatementKind::Either { by, branches, blocks } => {
                let kept = blocks.iter().enumerate().filter(|(_, block)| !self.is_barred(block));
                let kept: Vec<(usize, &ast::Block)> = kept.collect();
                if let [(_, only)] = kept.as_slice() {
                    return match self.steps(&only.statements, whole, level) {
                        mut steps if steps.len() == 1 => steps.swap_remove(0),
                        steps => Step { head: String::from("do this:"), below: numbered(steps, level + 1) },
                    };
                }
                let who = match by.as_ref().map(|by| by.node.as_str()) {
                    None => String::from("do one of these:"),
                    Some("chance") => String::from("by lot, one of these is done:"),
                    Some("enemy") => String::from("your opponent chooses one of these:"),
                    Some(who) => format!("{} chooses one of these:", spaced(who)),
                };
                Step { head: who, below: self.branches(&kept, branches, whole, level + 1) }
            }
            StatementKind::First(blocks) => self.first(blocks, whole, level),
            StatementKind::Repeat { condition, body, .. } => {
                let head = match condition {
                    Some(condition) => format!("as long as {}, repeat this:", self.truth(condition)),
                    None => String::from("do this once, and again as often as you like and can:"),
                };
                Step { head, below: self.block(body, whole, level + 1) }
            }
            StatementKind::ForEach { name, from, body } => {
                let called = self.called(name, Span { end: from.span.end, ..statement.span }, false);
                let noun = self.noun(from);
                let each = match &noun.whole {
                    Some(_) => format!("each cell of {}", noun.all()),
                    None if noun.whose == Whose::Nobody => {
                        format!("each {}{}", noun.one, noun.tail)
                    }
                    None => format!("each of {}", noun.all()),
                };
                Step { head: format!("for {each}{called}:"), below: self.block(body, whole, level + 1) }
            }
            StatementKind::If { condition, then, otherwise } => {
                let gloss = self.block_gloss(then);
                let mut below = self.block(then, whole, level + 1);
                if let Some(otherwise) = otherwise {
                    let gloss = self.block_gloss(otherwise);
                    below.push(item(level + 1, "", format!("Otherwise{gloss}:")));
                    below.extend(self.block(otherwise, whole, level + 1));
                }
                Step { head: format!("if {}{gloss}:", self.truth(condition)), below }
            }
            StatementKind::Do { name, arguments } => {
                self.mention(name);
                let players = self.player_parameters(name);
                let given: Vec<String> = arguments
                    .iter()
                    .enumerate()
                    .filter_map(|(at, argument)| match &argument.node {
                        ArgumentKind::Expr(_) if players.contains(&at) => {
                            self.term_arguments(name, arguments).get(at).cloned()
                        }
                        _ => Some(self.argument(arguments, at)),
                    })
                    .collect();
                let parameters = self.action(name).map_or(&[][..], |(_, action)| action.parameters.as_slice());
                let as_what = given.iter().zip(parameters).map(|(given, parameter)| {
                    let parameter = spaced(parameter);
                    if *given == parameter { parameter } else { format!("{given} as {parameter}") }
                });
                let as_what: Vec<String> = as_what.collect();
                let with = if as_what.is_empty() { String::new() } else { format!(", with {}", list(&as_what, "and")) };
                Step::plain(format!("do what *{}* says at the end of this sheet{with}", spaced(name)))
            }
            other => Step::plain(self.deed(other)),
        }
    }

    /// A condition that never holds stands in it, so that it cannot be taken.
    fn is_barred(&self, block: &ast::Block) -> bool {
        block.statements.iter().any(|statement| match &statement.node {
            StatementKind::Need(condition) => self.constant_truth(condition) == Some(false),
            StatementKind::Do { name, .. } => self.action(name).is_some_and(|(_, action)| self.is_barred(&action.body)),
            _ => false,
        })
    }

    /// What is written beside the beginning of a block, with brackets.
    fn block_gloss(&self, block: &ast::Block) -> String {
        self.beside(block.span).map(|gloss| format!(" ({gloss})")).unwrap_or_default()
    }

    fn pick(
        &self,
        count: Option<&crate::source::Spanned<i64>>,
        (name, span): (&ast::Word, Span),
        from: &Source,
        by: Option<&ast::Word>,
    ) -> String {
        let called = self.called(name, span, count.is_some());
        let what = match from {
            Source::Range(range) => {
                let to = range.to.as_ref().map(|to| self.number(to)).unwrap_or_default();
                format!("a number from {} to {to}{called}", self.number(&range.from))
            }
            Source::Members(set) => match count {
                Some(count) => format!("{}{called}", some_of(count.node, &self.noun(set))),
                None if self.is_dirs(set) => format!("a direction, {}{called}", self.dirs(set)),
                None => format!("{}{called}", self.pick_one(set)),
            },
        };
        match by.map(|by| by.node.as_str()) {
            None => format!("choose {what}"),
            Some("chance") => format!("draw by lot {what}"),
            Some("enemy") => format!("your opponent chooses {what}"),
            Some("own") => format!("choose {what}"),
            Some(who) => format!("{} chooses {what}", spaced(who)),
        }
    }

    fn branches(
        &self,
        blocks: &[(usize, &ast::Block)],
        branches: &[ast::Branch],
        whole: Whole<'a>,
        level: usize,
    ) -> Vec<SheetLine> {
        let mut lines = Vec::new();
        let spans = blocks.iter().map(|(_, block)| block.span);
        let together = spans.reduce(Span::to).unwrap_or(Span::NOWHERE);
        for (place, (at, block)) in blocks.iter().enumerate() {
            let letter = char::from(b'a' + (place as u8).min(25));
            let mark = format!("({letter})");
            let branch = branches.get(*at);
            let label = branch.and_then(|branch| branch.label.as_ref());
            let weight = branch.and_then(|branch| branch.weight.as_ref());
            let mut before = label.map(|label| format!("\u{201c}{}\u{201d}: ", label.node)).unwrap_or_default();
            before += &weight.map(|weight| format!("(weight {}) ", self.number(weight))).unwrap_or_default();
            let gloss = self.beside(block.span);
            let action = match block.statements.as_slice() {
                [ast::Statement { node: StatementKind::Do { name, arguments }, .. }] if arguments.is_empty() => {
                    Some(spaced(name))
                }
                _ => None,
            };
            let title = gloss.or(action.filter(|_| label.is_none()));
            before +=
                &title.map(|title| format!("{}: ", crate::game::sheet::words::capital(&title))).unwrap_or_default();
            // Names of the other blocks are not those of this one.
            self.around.borrow_mut().push(Around { span: block.span, whole: together, goes_on: true });
            let steps = self.steps(&block.statements, whole, level);
            match steps.as_slice() {
                [] => lines.push(item(level, mark, format!("{before}Nothing."))),
                [_] => {
                    let mut steps = steps;
                    let Step { head, below } = steps.swap_remove(0);
                    lines.push(item(level, mark, format!("{before}{}", sentence(&head))));
                    lines.extend(below);
                }
                _ => {
                    let head = if before.is_empty() { String::from("These steps:") } else { before.trim().to_string() };
                    lines.push(item(level, mark, head));
                    lines.extend(numbered(self.steps(&block.statements, whole, level + 1), level + 1));
                }
            }
            self.around.borrow_mut().pop();
        }
        lines
    }

    /// Priority: the first of the blocks that can be done.
    fn first(&self, blocks: &[ast::Block], whole: Whole<'a>, level: usize) -> Step {
        let is_pass = |block: &ast::Block| {
            matches!(block.statements.as_slice(), [ast::Statement { node: StatementKind::Pass, .. }])
        };
        if let [first, last] = blocks {
            let below = || self.block(first, whole, level + 1);
            let gloss = self.block_gloss(first);
            if is_pass(last) {
                return Step { head: format!("do this; you pass if, and only if, you cannot{gloss}:"), below: below() };
            }
            if last.statements.is_empty() {
                return Step { head: format!("you must do this if you can{gloss}:"), below: below() };
            }
        }
        let head = match blocks.len() {
            2 => "do (a) if you can, and (b) only if you cannot:",
            _ => "do the first of these that you can:",
        };
        let all: Vec<(usize, &ast::Block)> = blocks.iter().enumerate().collect();
        Step { head: head.to_string(), below: self.branches(&all, &[], whole, level + 1) }
    }

    /// What is done without steps of its own.
    fn deed(&self, statement: &StatementKind) -> String {
        match statement {
            StatementKind::Most(value) => {
                format!("of all ways to do this you may only take those for which {} is greatest", self.number(value))
            }
            StatementKind::Need(condition) => match self.constant_truth(condition) {
                Some(false) => String::from("this is never allowed"),
                _ => format!("this is allowed only if {}", self.truth(condition)),
            },
            StatementKind::Let { name, value } => match &*value.kind {
                ExprKind::Name(cell)
                    if self.is_single(value) && cell != "it" && !matches!(cell.as_str(), "last" | "origin") =>
                {
                    format!("let *{}* be the cell where {} stands now", spaced(name), spaced(cell))
                }
                _ => format!("let *{}* be {}", spaced(name), self.value(value)),
            },
            StatementKind::Set { name, of, value } => self.set_to(name, of.as_ref(), value),
            StatementKind::Move { amount, who, how } => {
                let what = match amount {
                    Some(amount) => {
                        format!("the top {} of {}", counted_men(&self.number(amount), &self.men()), self.called_by(who))
                    }
                    None => self.called_by(who),
                };
                format!("move {what}{}", self.how(how))
            }
            StatementKind::Capture { who } => format!("capture with {}, as such a piece captures", self.called_by(who)),
            StatementKind::Place(Place::InHand { amount, man }) => {
                format!("put {} {} into the hand", self.number(amount), plural(&man.kind))
            }
            StatementKind::Place(Place::On { several, man, kinds, on, bottom, from_hand }) => {
                let what = match several {
                    Some(several) => format!("{} {}", self.number(several), plural(&man.kind)),
                    None => self.what(man, kinds),
                };
                let noun = self.noun(on);
                let each = match (&noun.whole, noun.is_many()) {
                    (None, true) if noun.whose == Whose::Nobody => {
                        format!("each {}{}", noun.one, noun.tail)
                    }
                    (_, true) => format!("each of {}", noun.all()),
                    _ => noun.all(),
                };
                let under = if *bottom { ", under what stands there" } else { "" };
                let hand = if *from_hand { " from your hand" } else { "" };
                format!("place {what}{hand} on {each}{under}")
            }
            StatementKind::Remove { what, from, to_hand } => {
                let noun = self.noun(from);
                let what = match what {
                    Removal::All => noun.all(),
                    Removal::Top(n) => {
                        format!("the top {} of {}", counted_men(&self.number(n), &self.men()), noun.all())
                    }
                    Removal::Bottom => format!("the lowest piece of {}", noun.one_of()),
                };
                match to_hand {
                    true => format!("put {what} back into the owner's hand"),
                    false => removed(&what),
                }
            }
            StatementKind::Flip(cells) => {
                let noun = self.noun(cells);
                match noun.whole {
                    Some(_) => format!("the {} of {} become yours", self.men(), noun.all()),
                    None => format!("these become yours: {}", noun.all()),
                }
            }
            StatementKind::Promote { who, kinds } => match kinds.as_slice() {
                [] => format!("promote {}", self.called_by(who)),
                kinds => {
                    let kinds: Vec<String> = kinds.iter().map(|kind| self.promoted(kind)).collect();
                    format!("{} becomes {}", self.called_by(who), list(&kinds, "or"))
                }
            },
            StatementKind::Pass => String::from("pass"),
            StatementKind::Swap => {
                String::from("change sides: from now on you have your opponent's pieces, and your opponent yours")
            }
            StatementKind::Again => String::from("it is the same pieces' turn once more"),
            StatementKind::Mirror => String::from("the other side is set up as the mirror image"),
            StatementKind::Rotate => String::from("the other side is set up the same, seen from there"),
            StatementKind::Picture { .. } => String::from("set up the board as drawn above"),
            _ => String::from("go on"),
        }
    }

    /// What a name in a statement stands for.
    fn called_by(&self, name: &ast::Word) -> String {
        let e = ast::Expr { kind: Box::new(ExprKind::Name(name.node.clone())), span: name.span };
        match self.is_single(&e) {
            true => spaced(name),
            false => self.noun(&e).all(),
        }
    }

    pub fn value(&self, value: &ast::Expr) -> String {
        if matches!(&*value.kind, ExprKind::Name(name) if name == "none") {
            String::from("empty")
        } else if let Some(truth) = self.constant_truth(value) {
            truth.to_string()
        } else if self.is_truth(value) {
            format!("whether {}", self.truth(value))
        } else if self.is_dirs(value) {
            self.dirs(value)
        } else if self.is_set(value) {
            self.noun(value).all()
        } else {
            self.number(value)
        }
    }

    /// A value that changes: by what, where that says more.
    fn set_to(&self, name: &ast::Word, of: Option<&ast::Expr>, value: &ast::Expr) -> String {
        let e = ast::Expr { kind: Box::new(ExprKind::Name(name.node.clone())), span: name.span };
        let mut what = self.noun(&e).all();
        if self.known_term(name).is_none() {
            what = spaced(name);
        }
        if let Some(of) = of {
            what = format!("{} (of {})", what.trim_start_matches("your "), self.noun(of).all());
        }
        let is_it = |e: &ast::Expr| matches!(&*e.kind, ExprKind::Name(other) if *other == name.node);
        match &*value.kind {
            ExprKind::Arithmetic(Arithmetic::Add, a, b) if is_it(a) => format!("add {} to {what}", self.number(b)),
            ExprKind::Arithmetic(Arithmetic::Subtract, a, b) if is_it(a) => {
                format!("take {} from {what}", self.number(b))
            }
            ExprKind::Or(parts) if parts.len() == 2 && is_it(&parts[0]) => {
                format!("add {} to {what}", self.noun(&parts[1]).all())
            }
            ExprKind::And(parts) if parts.len() == 2 && is_it(&parts[0]) => match &*parts[1].kind {
                ExprKind::Not(out) => format!("take {} out of {what}", self.noun(out).all()),
                _ => format!("{what} becomes {}", self.value(value)),
            },
            _ => {
                let verb = if what.ends_with('s') && what.contains(' ') { "are now" } else { "becomes" };
                format!("{what} {verb} {}", self.value(value))
            }
        }
    }

    fn promoted(&self, kind: &ast::Word) -> String {
        if self.is_kind(kind) {
            return article(&spaced(kind));
        }
        let e = ast::Expr { kind: Box::new(ExprKind::Name(kind.node.clone())), span: kind.span };
        match self.known_term(kind) {
            Some(crate::game::sheet::Term::Define(define)) => self.noun(&define.body).one_of(),
            _ => self.noun(&e).one_of(),
        }
    }
}

/// How often a word stands in a text, comments left out.
fn word_count(text: &str, word: &str) -> usize {
    let code = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|other| *other == word).count()
}

/// `2 empty cells`, `2 of your men`.
fn some_of(count: i64, noun: &Noun) -> String {
    match (&noun.whole, &noun.whose) {
        (None, Whose::Nobody) => format!("{count} {}", noun.bare()),
        _ => format!("{count} of {}", noun.all()),
    }
}

/// A long object comes last.
fn removed(what: &str) -> String {
    const MOST_WORDS: usize = 4;
    match what.split_whitespace().count() {
        0..=MOST_WORDS => format!("remove {what} from the board"),
        _ => format!("remove from the board {what}"),
    }
}

fn call_it(name: &str, many: bool) -> String {
    format!(" (call {} *{}*)", if many { "them" } else { "it" }, spaced(name))
}

fn counted_men(number: &str, men: &str) -> String {
    if number == "1" { String::from("piece") } else { format!("{number} {men}") }
}

/// Steps as lines; one alone has no number.
fn numbered(steps: Vec<Step>, level: usize) -> Vec<SheetLine> {
    if steps.is_empty() {
        return vec![item(level, "-", "Nothing more.")];
    }
    let is_one = steps.len() == 1;
    let mut lines = Vec::new();
    for (at, Step { head, below }) in steps.into_iter().enumerate() {
        let mark = if is_one { String::from("-") } else { format!("{}.", at + 1) };
        lines.push(item(level, mark, sentence(&head)));
        lines.extend(below);
    }
    lines
}
