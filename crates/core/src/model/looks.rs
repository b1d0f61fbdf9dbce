//! Looks: what a rules file says of its pictures, resolved: a layout, colours, icons and regions. No rule asks them.

use crate::board::{Kind, Player};
use crate::model::expr::Cells;
use crate::model::{Game, Icon};

/// The note of `about` that looks stand in.
pub const NOTE: &str = "looks";

/// What a file says of how it is drawn. What it leaves open, the drawing decides.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    pub layout: Option<CellStyle>,
    pub board: Option<Colour>,
    /// Of the dark squares of a checkered board.
    pub dark: Option<Colour>,
    /// Rank 1 is drawn at the top, not at the bottom.
    pub is_downward: bool,
    /// By player and colour; what stands later wins.
    pub players: Vec<(Player, Colour)>,
    /// By kind; what stands later wins.
    pub kinds: Vec<(Kind, Icon)>,
    /// Of the kinds that are not among those.
    pub men: Option<Icon>,
    pub regions: Vec<Region>,
}

/// How cells of squares are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellStyle {
    Squares,
    Checkered,
    /// Men stand where the lines cross.
    Intersections,
    /// Long triangles from the near edge of the board, along which men lie in rows.
    Points,
}

impl CellStyle {
    pub const ALL: [(&'static str, CellStyle); 4] = [
        ("checkered", CellStyle::Checkered),
        ("intersections", CellStyle::Intersections),
        ("points", CellStyle::Points),
        ("squares", CellStyle::Squares),
    ];

    pub fn named(word: &str) -> Option<CellStyle> {
        CellStyle::ALL.iter().find(|(name, _)| *name == word).map(|(_, layout)| *layout)
    }
}

/// Cells that stand out, as each player sees them.
#[derive(Clone, Debug)]
pub struct Region {
    pub cells: Cells,
    /// Slots that the expression uses.
    pub frame: usize,
    pub style: RegionStyle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionStyle {
    Tinted(Colour),
    /// The diagonals of the rectangle around them: a palace.
    Crossed,
    /// Lines that leave the region are not drawn, but at the edges of the board: the bank of a river.
    Bank,
    /// Dots at the corners of the rectangle around them.
    Dotted,
}

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// The words for colours, sorted.
    pub const NAMED: [(&'static str, Colour); 22] = [
        ("amber", Colour(232, 168, 56)),
        ("black", Colour(48, 46, 50)),
        ("blue", Colour(58, 110, 176)),
        ("brown", Colour(134, 92, 60)),
        ("cream", Colour(248, 238, 214)),
        ("cyan", Colour(72, 168, 184)),
        ("gold", Colour(214, 172, 62)),
        ("green", Colour(76, 140, 84)),
        ("grey", Colour(148, 148, 146)),
        ("ivory", Colour(252, 248, 236)),
        ("lime", Colour(156, 190, 70)),
        ("orange", Colour(226, 126, 48)),
        ("pink", Colour(222, 136, 160)),
        ("purple", Colour(124, 88, 156)),
        ("red", Colour(190, 58, 50)),
        ("sand", Colour(238, 218, 176)),
        ("silver", Colour(198, 202, 206)),
        ("tan", Colour(208, 168, 118)),
        ("teal", Colour(56, 132, 128)),
        ("white", Colour(252, 248, 236)),
        ("wood", Colour(232, 196, 138)),
        ("yellow", Colour(236, 204, 76)),
    ];

    /// A word for a colour, in capitals or not, or `#rrggbb`.
    pub fn named(word: &str) -> Option<Colour> {
        if let Some(digits) = word.strip_prefix('#') {
            let number =
                u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6 && !digits.starts_with('+'))?;
            let [_, red, green, blue] = number.to_be_bytes();
            return Some(Colour(red, green, blue));
        }
        Colour::NAMED.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, colour)| *colour)
    }
}

/// What the players have whose names are no colours, in turn order; the first that nobody has.
const SEATS: [&str; 9] = ["white", "black", "red", "blue", "green", "yellow", "purple", "teal", "orange"];

impl Colour {
    /// Of men that are nobody's.
    pub const NEUTRAL: Colour = Colour(168, 160, 148);

    /// How light a colour is to the eye, from 0 to 255; weights of ITU-R BT.601.
    pub fn lightness(self) -> f64 {
        0.299 * f64::from(self.0) + 0.587 * f64::from(self.1) + 0.114 * f64::from(self.2)
    }

    /// What is dark can be read on it.
    pub fn is_light(self) -> bool {
        self.lightness() > 140.0
    }
}

impl Game {
    /// The colour of each player: what the file says, else what his name says, else one that is left.
    pub fn colours(&self) -> Vec<Colour> {
        let said = |player: Player| {
            let looks = self.looks.players.iter().rev().find(|(other, _)| *other == player).map(|(_, colour)| *colour);
            looks.or_else(|| Colour::named(&self.player(player).name))
        };
        let mut colours: Vec<Option<Colour>> = self.players().map(said).collect();
        for at in 0..colours.len() {
            if colours[at].is_none() {
                let mut free = SEATS.iter().filter_map(|name| Colour::named(name));
                colours[at] = free.find(|colour| !colours.contains(&Some(*colour)));
            }
        }
        colours.into_iter().map(|colour| colour.unwrap_or(Colour::NEUTRAL)).collect()
    }

    /// What men of a kind look like: what the file says; discs where owners tell men apart, letters elsewhere.
    pub fn icon(&self, kind: Kind, owned: bool) -> Icon {
        let said = self.looks.kinds.iter().rev().find(|(other, _)| *other == kind);
        let alike = self.kinds.iter().filter(|kind| kind.neutral != owned).count();
        match said.map(|(_, icon)| *icon).or(self.looks.men) {
            Some(icon) => icon,
            None if alike > 1 => Icon::LETTER,
            None => Icon::ROUND,
        }
    }
}
