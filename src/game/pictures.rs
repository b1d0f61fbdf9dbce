//! Pictures of positions: positions and moves go in; what is marked, and the pictures, come out.

use crate::board::{CellSet, Player};
use crate::draw;
use crate::draw::{Marks, Picture, PictureOptions};
use crate::game::{Error, Move, Position};
use crate::position;
use crate::position::Written;

impl Position {
    /// The picture of the position, made of shapes alone: [`Picture::svg`] is the text of a file.
    ///
    /// ```
    /// let game = lusoria::Game::shipped("breakthrough").expect("it is shipped");
    /// let svg = game.start(0)?.picture()?.svg();
    /// assert!(svg.starts_with("<svg ") && svg.contains("<title>Breakthrough</title>"));
    /// # Ok::<(), lusoria::Error>(())
    /// ```
    ///
    /// # Errors
    /// A fault of the rules, in the middle of a turn.
    pub fn picture(&self) -> Result<Picture, Error> {
        self.marked_picture(&Marks::default(), &PictureOptions::default())
    }

    #[doc(hidden)]
    pub fn marked_picture(&self, marks: &Marks, options: &PictureOptions) -> Result<Picture, Error> {
        Ok(draw::picture(self.game.model(), &self.now()?, marks, options))
    }

    /// What the move that led here from another position has done: where it came from, where it went, what it
    /// captured or turned over.
    #[doc(hidden)]
    pub fn marks_behind(
        &self,
        before: &position::Position,
        played: Option<&Move>,
        mover: Player,
    ) -> Result<Marks, Error> {
        let (after, board) = (self.now()?, &self.game.model().topology);
        let named: CellSet = played.map(named_cells).unwrap_or(CellSet::EMPTY);
        let team = self.game.model().player(mover).team;
        let mut marks = Marks::default();
        for cell in board.cells() {
            let (was, is) = (before.men(cell), after.men(cell));
            if was == is {
                continue;
            }
            let owner = |men: &[position::Man]| men.last().and_then(|man| man.owner);
            let was_own = owner(was).is_some_and(|owner| team.contains(owner));
            match (was.is_empty(), is.is_empty()) {
                (true, _) => marks.last.insert(cell),
                (false, false) if named.contains(cell) || owner(was) == owner(is) => marks.last.insert(cell),
                (false, true) if was_own => marks.left.insert(cell),
                (false, _) => marks.captured.insert(cell),
            }
        }
        Ok(marks)
    }

    /// The cells that moves go to.
    ///
    /// # Errors
    /// A fault of the rules.
    #[doc(hidden)]
    pub fn targets(&self) -> Result<CellSet, Error> {
        let moves = self.legal_moves()?;
        let mut targets = CellSet::EMPTY;
        for one in &moves {
            match one.to() {
                Some(cell) => targets.insert(cell),
                None => targets |= named_cells(one),
            }
        }
        Ok(targets)
    }
}

/// The cells that a move names, those of groups and pairs included.
fn named_cells(played: &Move) -> CellSet {
    let mut cells: CellSet = played.cells().collect();
    for written in played.written() {
        if let Written::Combination(set) | Written::Group(set) = written {
            cells |= **set;
        }
    }
    cells
}
