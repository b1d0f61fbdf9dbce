//! The points that Renju forbids to Black, told on plain arrays from the definitions of fives,
//! fours and threes: nothing here is shared with the interpreter or the rules files.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stone {
    Black,
    White,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing is wrong with it.
    Open,
    /// Exactly five: it wins, whatever else it makes.
    Five,
    Overline,
    DoubleFour,
    DoubleThree,
    /// Two threes on the board, but fewer than two of them that Black may make a straight four.
    FalseThrees,
}

impl Verdict {
    pub fn is_forbidden(self) -> bool {
        matches!(self, Verdict::Overline | Verdict::DoubleFour | Verdict::DoubleThree)
    }
}

type Point = (i32, i32);

const DIRECTIONS: [Point; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A board of any side; points are (file, rank) from 0.
#[derive(Clone)]
pub struct Goban {
    side: i32,
    stones: Vec<Option<Stone>>,
}

impl Goban {
    pub fn new(side: i32) -> Goban {
        Goban { side, stones: vec![None; (side * side) as usize] }
    }

    fn is_on(&self, (x, y): Point) -> bool {
        (0..self.side).contains(&x) && (0..self.side).contains(&y)
    }

    pub fn get(&self, point: Point) -> Option<Stone> {
        if self.is_on(point) { self.stones[(point.1 * self.side + point.0) as usize] } else { None }
    }

    pub fn set(&mut self, (x, y): Point, stone: Option<Stone>) {
        self.stones[(y * self.side + x) as usize] = stone;
    }

    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let side = self.side;
        (0..side * side).map(move |at| (at % side, at / side))
    }

    fn is_black(&self, point: Point) -> bool {
        self.get(point) == Some(Stone::Black)
    }

    fn is_empty(&self, point: Point) -> bool {
        self.is_on(point) && self.get(point).is_none()
    }

    /// How many black stones stand in a row through a black stone.
    fn length(&self, (x, y): Point, (dx, dy): Point) -> i32 {
        let way =
            |sign: i32| (1..).take_while(|&n| self.is_black((x + sign * n * dx, y + sign * n * dy))).count() as i32;
        1 + way(1) + way(-1)
    }

    fn makes_five(&self, point: Point) -> bool {
        DIRECTIONS.into_iter().any(|direction| self.length(point, direction) == 5)
    }

    /// The n points from `first` on.
    fn window((x, y): Point, (dx, dy): Point, n: i32) -> Vec<Point> {
        (0..n).map(|i| (x + i * dx, y + i * dy)).collect()
    }

    /// All rows of n points through a point that lie on the board.
    fn windows(&self, (x, y): Point, (dx, dy): Point, n: i32) -> Vec<Vec<Point>> {
        let starts = (0..n).map(|back| (x - back * dx, y - back * dy));
        let rows = starts.map(|start| Goban::window(start, (dx, dy), n));
        rows.filter(|row| row.iter().all(|&point| self.is_on(point))).collect()
    }

    /// The points next to both ends of a row.
    fn beyond(row: &[Point], (dx, dy): Point) -> [Point; 2] {
        let (first, last) = (row[0], row[row.len() - 1]);
        [(first.0 - dx, first.1 - dy), (last.0 + dx, last.1 + dy)]
    }

    /// The black stones of a row that has one empty point and no white stone, and that point.
    fn all_but_one(&self, row: &[Point]) -> Option<(Vec<Point>, Point)> {
        let (black, other): (Vec<Point>, Vec<Point>) = row.iter().partition(|&&point| self.is_black(point));
        match other[..] {
            [gap] if self.is_empty(gap) => Some((black, gap)),
            _ => None,
        }
    }

    /// Sets of four stones with the stone at `point` that one more stone makes exactly five.
    fn fours(&self, point: Point) -> usize {
        let mut fours = Vec::new();
        for direction in DIRECTIONS {
            for row in self.windows(point, direction, 5) {
                let exact = Goban::beyond(&row, direction).into_iter().all(|next| !self.is_black(next));
                if let Some((four, _)) = self.all_but_one(&row).filter(|_| exact) {
                    fours.push(four);
                }
            }
        }
        fours.sort();
        fours.dedup();
        fours.len()
    }

    /// Four stones in a row that a stone at either end makes exactly five.
    fn is_straight_four(&self, row: &[Point], direction: Point) -> bool {
        let ends = Goban::beyond(row, direction);
        let longer = [vec![ends[0]], row.to_vec(), vec![ends[1]]].concat();
        row.iter().all(|&point| self.is_black(point))
            && ends.into_iter().all(|end| self.is_empty(end))
            && Goban::beyond(&longer, direction).into_iter().all(|next| !self.is_black(next))
    }

    /// Sets of three stones with the stone at `point`, each with the points that make it a straight
    /// four and no five.
    fn threes(&self, point: Point) -> Vec<(Vec<Point>, Vec<Point>)> {
        let mut threes: Vec<(Vec<Point>, Vec<Point>)> = Vec::new();
        for direction in DIRECTIONS {
            for row in self.windows(point, direction, 4) {
                let Some((three, gap)) = self.all_but_one(&row) else { continue };
                let mut next = self.clone();
                next.set(gap, Some(Stone::Black));
                if !next.is_straight_four(&row, direction) || next.makes_five(gap) {
                    continue;
                }
                match threes.iter_mut().find(|(known, _)| *known == three) {
                    Some((_, gaps)) => gaps.push(gap),
                    None => threes.push((three, vec![gap])),
                }
            }
        }
        threes
    }

    /// What a black stone at an empty point makes.
    pub fn verdict(&self, point: Point) -> Verdict {
        let mut next = self.clone();
        next.set(point, Some(Stone::Black));
        if next.makes_five(point) {
            return Verdict::Five;
        }
        if DIRECTIONS.into_iter().any(|direction| next.length(point, direction) > 5) {
            return Verdict::Overline;
        }
        if next.fours(point) >= 2 {
            return Verdict::DoubleFour;
        }
        let threes = next.threes(point);
        let real = threes.iter().filter(|(_, gaps)| gaps.iter().any(|&gap| !next.verdict(gap).is_forbidden()));
        match (real.count(), threes.len()) {
            (2.., _) => Verdict::DoubleThree,
            (_, 2..) => Verdict::FalseThrees,
            _ => Verdict::Open,
        }
    }

    /// What a black stone makes where pairs are captured, fours are free, and a three is a three
    /// whatever comes of it.
    pub fn verdict_with_captures(&self, point: Point) -> Verdict {
        let mut next = self.clone();
        next.set(point, Some(Stone::Black));
        for direction in DIRECTIONS {
            for sign in [1, -1] {
                let (dx, dy) = (sign * direction.0, sign * direction.1);
                let row = Goban::window((point.0 + dx, point.1 + dy), (dx, dy), 3);
                let stones: Vec<_> = row.iter().map(|&point| self.get(point)).collect();
                if stones == [Some(Stone::White), Some(Stone::White), Some(Stone::Black)] {
                    next.set(row[0], None);
                    next.set(row[1], None);
                }
            }
        }
        if next.makes_five(point) {
            Verdict::Five
        } else if DIRECTIONS.into_iter().any(|direction| next.length(point, direction) > 5) {
            Verdict::Overline
        } else if next.threes(point).len() >= 2 {
            Verdict::DoubleThree
        } else {
            Verdict::Open
        }
    }
}
