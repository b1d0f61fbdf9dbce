//! Goals: the `end` section of a game goes in; what its outcomes ask for comes out, so that an
//! evaluation can measure how near a player is to it.

use rustc_hash::FxHashSet;

use crate::board::CellSet;
use crate::model::{
    BandAxis, Call, Cells, Comparison, DefineId, Expr, Game, Groups, List, Number, Players, Result, StateId, Truth,
    Where,
};

/// Rows shorter or longer than this are no goal that is measured, in cells.
const ROWS: std::ops::RangeInclusive<i64> = 3..=8;
/// Regions and pairs of regions that are kept, at most.
const MOST_REGIONS: usize = 4;

/// What `end` asks for.
#[derive(Clone, Debug, Default)]
pub struct Goals {
    /// Men that stand in a region of the board.
    pub regions: Vec<CellSet>,
    /// Rows, such as the last.
    pub rows: bool,
    /// Two regions that men connect.
    pub links: Vec<(CellSet, CellSet)>,
    /// So many men in a row.
    pub row_of: Option<usize>,
    /// Groups of men.
    pub groups: bool,
    /// A player who cannot move.
    pub stuck: bool,
    /// A score that is compared.
    pub score: bool,
    /// Remembered numbers that have to become great.
    pub counters: Vec<StateId>,
}

impl Goals {
    pub fn of(game: &Game) -> Goals {
        let mut scan = Scan { game, goals: Goals::default(), seen: FxHashSet::default(), is_along_lines: false };
        for outcome in &game.end {
            scan.truth(&outcome.condition);
            if let Result::Highest(scores) = &outcome.result {
                scan.goals.score = true;
                scores.iter().for_each(|score| scan.expr(score));
            }
        }
        scan.goals
    }
}

/// A walk through the expressions of `end` and the defines that they call, each once.
struct Scan<'g> {
    game: &'g Game,
    goals: Goals,
    seen: FxHashSet<DefineId>,
    /// What is walked through is asked for each of several directions.
    is_along_lines: bool,
}

impl<'g> Scan<'g> {
    fn call(&mut self, call: &'g Call) {
        let mut fixed = Vec::new();
        let mut asks_men = false;
        for argument in &call.arguments {
            match argument {
                Expr::Cells(cells) => match self.fixed(cells) {
                    Some(region) => fixed.push(region),
                    None => asks_men = true,
                },
                Expr::Players(_) => asks_men = true,
                _ => {}
            }
            self.expr(argument);
        }
        if let ([one, other], true) = (fixed.as_slice(), asks_men)
            && self.goals.links.len() < MOST_REGIONS
        {
            self.goals.links.push((*one, *other));
        }
        if self.seen.insert(call.define)
            && let Some(define) = self.game.defines.get(call.define.0 as usize)
        {
            self.expr(&define.body);
        }
    }

    /// A region that the board alone decides.
    fn fixed(&self, cells: &Cells) -> Option<CellSet> {
        let topology = &self.game.topology;
        let region = match cells {
            Cells::Fixed(cells) => *cells,
            Cells::Band { axis: BandAxis::File, from: Number::Fixed(from), to: Number::Fixed(to) } => {
                topology.file_band(*from, *to)
            }
            Cells::Band { axis: BandAxis::Rank, from: Number::Fixed(from), to: Number::Fixed(to) } => {
                topology.rank_band(*from, *to)
            }
            _ => return None,
        };
        (!region.is_empty()).then_some(region)
    }

    fn expr(&mut self, expr: &'g Expr) {
        match expr {
            Expr::Number(number) => self.number(number),
            Expr::Truth(truth) => self.truth(truth),
            Expr::Cells(cells) => self.cells(cells),
            Expr::Groups(groups) => self.groups(groups),
            Expr::List(list) => self.list(list),
            Expr::Axes(crate::model::Axes::Where(filter)) => self.lines(filter),
            Expr::Dirs(crate::model::Dirs::Where(filter)) => self.lines(filter),
            Expr::Dirs(_) | Expr::Axes(_) | Expr::Players(_) => {}
        }
    }

    fn lines<T>(&mut self, filter: &'g Where<T>) {
        let before = std::mem::replace(&mut self.is_along_lines, true);
        self.truth(&filter.condition);
        self.is_along_lines = before;
    }

    fn truth(&mut self, truth: &'g Truth) {
        match truth {
            Truth::Call(call) => self.call(call),
            Truth::If(both) => {
                self.truth(&both.condition);
                self.truth(&both.then);
                self.truth(&both.otherwise);
            }
            Truth::Not(of) => self.truth(of),
            Truth::And(all) | Truth::Or(all) => all.iter().for_each(|one| self.truth(one)),
            Truth::Compare(how, both) => self.compared(*how, &both.0, &both.1),
            Truth::CompareLists(_, both) => {
                self.list(&both.0);
                self.list(&both.1);
            }
            Truth::Equal(both) => {
                self.expr(&both.0);
                self.expr(&both.1);
            }
            Truth::Within(both) => {
                if let (Expr::Cells(of), Expr::Cells(Cells::Fixed(region))) = (&both.0, &both.1)
                    && self.is_of_men(of)
                {
                    self.region(region);
                }
                self.expr(&both.0);
                self.expr(&both.1);
            }
            Truth::Some(of) => self.expr(of),
            Truth::Stuck(_) => self.goals.stuck = true,
            Truth::Attacked(of) => self.cells(of),
            Truth::Fixed(_) | Truth::Local(_) | Truth::State(..) | Truth::Changed => {}
        }
    }

    fn compared(&mut self, how: Comparison, one: &'g Number, other: &'g Number) {
        let at_least = matches!(how, Comparison::AtLeast | Comparison::Greater | Comparison::Equal);
        match (one, other) {
            (Number::State(state, Some(Players::Own)), _) if at_least => self.goals.counters.push(*state),
            (Number::Count(_), Number::Fixed(length)) if at_least && self.is_along_lines => self.row(*length),
            _ => {}
        }
        self.number(one);
        self.number(other);
    }

    fn row(&mut self, length: i64) {
        if ROWS.contains(&length) {
            let length = length as usize;
            self.goals.row_of = Some(self.goals.row_of.map_or(length, |known| known.max(length)));
        }
    }

    fn region(&mut self, region: &CellSet) {
        let proper = !region.is_empty() && region.len() < self.game.topology.len();
        if proper && self.goals.regions.len() < MOST_REGIONS && !self.goals.regions.contains(region) {
            self.goals.regions.push(*region);
        }
    }

    /// The cells are of men, whoever's.
    fn is_of_men(&self, cells: &Cells) -> bool {
        match cells {
            Cells::Of(_) | Cells::Kind(_) => true,
            Cells::And(all) => all.iter().any(|one| self.is_of_men(one)),
            _ => false,
        }
    }

    fn number(&mut self, number: &'g Number) {
        match number {
            Number::Call(call) => self.call(call),
            Number::If(both) => {
                self.truth(&both.condition);
                self.number(&both.then);
                self.number(&both.otherwise);
            }
            Number::Arithmetic(_, both, _) => {
                self.number(&both.0);
                self.number(&both.1);
            }
            Number::Count(of) => self.expr(of),
            Number::Coordinate(_, of, _) | Number::Height(of) | Number::Value(of) => self.cells(of),
            Number::Fixed(_)
            | Number::Local(_)
            | Number::State(..)
            | Number::Hand(_)
            | Number::TimesPieces
            | Number::TimesPosition
            | Number::Cycle => {}
        }
    }

    fn cells(&mut self, cells: &'g Cells) {
        match cells {
            Cells::Call(call) => self.call(call),
            Cells::If(both) => {
                self.truth(&both.condition);
                self.cells(&both.then);
                self.cells(&both.otherwise);
            }
            Cells::Not(of) | Cells::Bottom(of) | Cells::Adjacent(of, _) | Cells::Shift(of, _) => self.cells(of),
            Cells::And(all) => {
                if self.is_of_men(cells) {
                    for one in all {
                        if let Cells::Fixed(region) = one {
                            self.region(region);
                        }
                    }
                }
                all.iter().for_each(|one| self.cells(one));
            }
            Cells::Or(all) => all.iter().for_each(|one| self.cells(one)),
            Cells::Where(filter) => {
                self.cells(&filter.set);
                self.truth(&filter.condition);
            }
            Cells::Union(of) => self.groups(of),
            Cells::Group { of, within, .. } => {
                self.goals.groups = true;
                self.cells(of);
                self.cells(within);
            }
            Cells::Nth(of, _) => self.cells(of),
            Cells::Span(both, _) => {
                self.cells(&both.0);
                self.cells(&both.1);
            }
            Cells::LastRow | Cells::Band { .. } => self.goals.rows = true,
            // What stands on the board, and what lines of a turn are.
            _ => {}
        }
    }

    fn groups(&mut self, groups: &'g Groups) {
        match groups {
            Groups::Call(call) => self.call(call),
            Groups::If(both) => {
                self.truth(&both.condition);
                self.groups(&both.then);
                self.groups(&both.otherwise);
            }
            Groups::Where(filter) => {
                self.groups(&filter.set);
                self.truth(&filter.condition);
            }
            Groups::Groups(of, _) => {
                self.goals.groups = true;
                self.cells(of);
            }
            Groups::Segments { of, from, .. } => {
                if let Number::Fixed(length) = from {
                    self.row(*length);
                }
                self.cells(of);
            }
            Groups::Largest(of) => self.groups(of),
            Groups::Empty | Groups::Local(_) => {}
        }
    }

    fn list(&mut self, list: &'g List) {
        match list {
            List::Sizes(of) => self.groups(of),
            List::One(of) => self.number(of),
            List::Call(call) => self.call(call),
            List::If(both) => {
                self.truth(&both.condition);
                self.list(&both.then);
                self.list(&both.otherwise);
            }
            List::Local(_) => {}
        }
    }
}
