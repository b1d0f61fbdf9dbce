//! The first position: a line of FEN goes in; men, hands, the player to move and rights come out.

use crate::import::variant::Variant;
use crate::sort;

/// What stands on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    Empty,
    Wall,
    Man { letter: char, white: bool, promoted: bool },
}

/// The first position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// From the top.
    pub ranks: Vec<Vec<Glyph>>,
    /// Letters of White's men in hand, then of Black's.
    pub hands: [Vec<char>; 2],
    pub black_begins: bool,
    /// `KQkq`.
    pub rights: String,
    /// Checks that each may give.
    pub checks: Option<u32>,
}

const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Most men in a hand.
const MOST_IN_HAND: usize = 1000;

impl Start {
    /// The first position of a variant.
    ///
    /// # Errors
    /// What does not fit the board or the pieces.
    pub fn new(variant: &Variant, (files, ranks): (u32, u32)) -> Result<Start, String> {
        let fen = variant.text("startFen").unwrap_or(USUAL);
        let wrong = |why: &str| format!("startFen: {why}");
        let mut words = fen.split_whitespace();
        let placed = words.next().unwrap_or_default();
        let (board, hands) = match placed.split_once('[') {
            Some((board, hands)) => (board, hands.trim_end_matches(']')),
            None => (placed, ""),
        };
        let mut start = Start {
            ranks: Vec::new(),
            hands: [Vec::new(), Vec::new()],
            black_begins: words.next() == Some("b"),
            rights: String::new(),
            checks: None,
        };
        for rank in board.split('/') {
            start.ranks.push(glyphs(rank).map_err(|why| wrong(&why))?);
        }
        let is_whole =
            start.ranks.len() == ranks as usize && start.ranks.iter().all(|rank| rank.len() == files as usize);
        if !is_whole {
            return Err(wrong("it does not fit the board"));
        }
        for letter in hands.chars().filter(char::is_ascii_alphabetic) {
            start.hands[usize::from(letter.is_ascii_lowercase())].push(letter.to_ascii_uppercase());
        }
        if start.hands.iter().any(|hand| hand.len() > MOST_IN_HAND) {
            return Err(wrong("too many men in hand"));
        }
        for word in words {
            if let Some((checks, _)) = word.split_once('+') {
                start.checks = checks.parse().ok();
            } else if start.rights.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic()) {
                start.rights = word.to_string();
            }
        }
        let men = start.ranks.iter().flatten().filter_map(|glyph| match glyph {
            Glyph::Man { letter, .. } => Some(*letter),
            _ => None,
        });
        let mut all = men.chain(start.hands.iter().flatten().copied());
        match all.find(|letter| variant.kinds(&letter.to_string()).is_empty()) {
            Some(letter) => Err(wrong(&format!("no piece has the letter `{letter}`"))),
            None => Ok(start),
        }
    }

    /// The cells of those who may castle: kings and rooks, in words of the language.
    pub fn castlers(&self, king: char, rooks: &str, rank: u32) -> Vec<String> {
        let mut cells = Vec::new();
        for right in self.rights.chars() {
            let white = right.is_ascii_uppercase();
            let row = if white { self.ranks.len().checked_sub(rank as usize) } else { (rank as usize).checked_sub(1) };
            let Some(men) = row.and_then(|row| self.ranks.get(row)) else { continue };
            let is_rook = |letter: char| rooks.to_ascii_uppercase().contains(letter);
            let at = |wanted: &dyn Fn(char) -> bool, file: usize| matches!(men.get(file), Some(Glyph::Man { letter, white: of_white, .. }) if *of_white == white && wanted(*letter));
            let Some(home) = (0..men.len()).find(|file| at(&|letter| letter == king, *file)) else { continue };
            let castler = match right.to_ascii_lowercase() {
                'k' => (home + 1..men.len()).rev().find(|file| at(&is_rook, *file)),
                'q' => (0..home).find(|file| at(&is_rook, *file)),
                file => Some(file as usize - 'a' as usize).filter(|file| at(&is_rook, *file)),
            };
            let number = row.map_or(0, |row| self.ranks.len() - row);
            if let Some(castler) = castler {
                cells.extend([home, castler].map(|file| cell(file, number)));
            }
        }
        sort::by(&mut cells, Ord::cmp);
        cells.dedup();
        cells
    }
}

/// The name of a cell, by its file from 0 and its rank from 1.
pub fn cell(file: usize, rank: usize) -> String {
    format!("{}{rank}", char::from(b'a' + (file % 26) as u8))
}

fn glyphs(rank: &str) -> Result<Vec<Glyph>, String> {
    let mut glyphs = Vec::new();
    let (mut number, mut promoted) = (0_usize, false);
    for c in rank.chars() {
        if let Some(digit) = c.to_digit(10) {
            number = number.saturating_mul(10).saturating_add(digit as usize).min(100);
            continue;
        }
        glyphs.extend(std::iter::repeat_n(Glyph::Empty, number));
        number = 0;
        match c {
            '+' => promoted = true,
            '*' => glyphs.push(Glyph::Wall),
            '~' => {}
            letter if letter.is_ascii_alphabetic() => {
                glyphs.push(Glyph::Man { letter: c.to_ascii_uppercase(), white: c.is_ascii_uppercase(), promoted });
                promoted = false;
            }
            other => return Err(format!("`{other}`")),
        }
        if glyphs.len() > 100 {
            return Err(String::from("a rank of more than 100 cells"));
        }
    }
    glyphs.extend(std::iter::repeat_n(Glyph::Empty, number));
    Ok(glyphs)
}
