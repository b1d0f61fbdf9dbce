//! Writing: a variant goes in; a rules file comes out, or the settings that have no words in the language.

use crate::import::betza;
use crate::import::betza::{Around, Ways};
use crate::import::start::{Glyph, Start, cell};
use crate::import::variant::{Piece, Variant};

/// A kind of the rules file.
#[derive(Clone, Debug)]
pub struct Kind {
    pub name: String,
    pub letter: Option<char>,
    pub piece: Piece,
    /// The kind that it is promoted from, and becomes again in a hand.
    pub from: Option<String>,
}

/// What is being written.
pub struct Writer<'a> {
    pub variant: &'a Variant,
    pub files: u32,
    pub ranks: u32,
    pub start: Start,
    pub kinds: Vec<Kind>,
    pub has_walls: bool,
    /// The cells of kings and rooks that may castle.
    pub castlers: Vec<String>,
    /// Kinds that jump at first, and can be taken in passing.
    pub jumpers: Vec<String>,
    pub lines: Vec<String>,
}

/// The rules of a variant.
///
/// # Errors
/// Settings that are known, but not as they are said here.
pub fn rules(title: &str, variant: &Variant) -> Result<String, Vec<String>> {
    let one = |why: String| vec![why];
    let (files, ranks) = variant.size().map_err(one)?;
    let start = Start::new(variant, (files, ranks)).map_err(one)?;
    let mut writer = Writer {
        variant,
        files,
        ranks,
        has_walls: start.ranks.iter().flatten().any(|glyph| *glyph == Glyph::Wall),
        start,
        kinds: Vec::new(),
        castlers: Vec::new(),
        jumpers: Vec::new(),
        lines: Vec::new(),
    };
    writer.refuse_odd().map_err(one)?;
    writer.name_kinds().map_err(one)?;
    let text = writer.game(title).map_err(one)?;
    Ok(text)
}

/// A list of names joined by `or`.
pub fn any_of(names: &[String]) -> String {
    names.join(" or ")
}

impl Writer<'_> {
    pub fn put(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Values of settings, and pairs of them, that this writer has no words for.
    fn refuse_odd(&mut self) -> Result<(), String> {
        let variant = self.variant;
        let both = |a: &str, b: &str| (variant.is(a, false) && variant.is(b, false)).then(|| format!("{a} with {b}"));
        match both("blastOnCapture", "capturesToHand").or_else(|| both("piecePromotionOnCapture", "pieceDrops")) {
            Some(why) => Err(why),
            None => Ok(()),
        }
    }

    /// Names the kinds that the variant uses: those of the first position, and what they become.
    fn name_kinds(&mut self) -> Result<(), String> {
        let variant = self.variant;
        let men = self.start.ranks.iter().flatten().filter_map(|glyph| match glyph {
            Glyph::Man { letter, .. } => Some(*letter),
            _ => None,
        });
        let mut used: Vec<char> = men.chain(self.start.hands.iter().flatten().copied()).collect();
        if variant.is("freeDrops", false) {
            used.extend(variant.pieces.first().map(|piece| piece.letter));
        }
        let to_hand = variant.is("capturesToHand", false);
        let mut promoted: Vec<Kind> = Vec::new();
        for (pawns, targets) in self.promotions() {
            for pawn in pawns.iter().filter(|pawn| used.contains(&pawn.letter)) {
                for target in &targets {
                    let kind = Kind {
                        name: format!("{}_of_{}", name_of(target), name_of(pawn)),
                        letter: None,
                        piece: (*target).clone(),
                        from: Some(name_of(pawn)),
                    };
                    if to_hand && promoted.iter().all(|other| other.name != kind.name) {
                        promoted.push(kind);
                    }
                }
            }
            if !to_hand && pawns.iter().any(|pawn| used.contains(&pawn.letter)) {
                used.extend(targets.iter().map(|target| target.letter));
            }
        }
        for (from, to) in variant.promoted()? {
            if used.contains(&from.letter) {
                let name = format!("promoted_{}", name_of(from));
                promoted.push(Kind { name, letter: None, piece: to.clone(), from: Some(name_of(from)) });
            }
        }
        for piece in variant.pieces.iter().filter(|piece| used.contains(&piece.letter)) {
            let letter = Some(piece.letter);
            self.kinds.push(Kind { name: name_of(piece), letter, piece: piece.clone(), from: None });
        }
        self.kinds.extend(promoted);
        if self.kinds.len() > 25 {
            return Err(format!("{} kinds of pieces, of which each would need a letter", self.kinds.len()));
        }
        Ok(())
    }

    /// For White, then for Black: the pawns that promote, and to what. One entry where both are alike.
    pub fn promotions(&self) -> Vec<(Vec<&Piece>, Vec<&Piece>)> {
        let of = |side: &str| {
            let pawns = match self.variant.text(&format!("promotionPawnTypes{side}")) {
                Some(letters) => self.variant.kinds(letters),
                None => self.variant.pawns("promotionPawnTypes"),
            };
            let own = self.variant.text(&format!("promotionPieceTypes{side}"));
            let letters = own.or_else(|| self.variant.text("promotionPieceTypes")).unwrap_or("qrbn");
            (pawns, self.variant.kinds(letters))
        };
        let (white, black) = (of("White"), of("Black"));
        if white == black { vec![white] } else { vec![white, black] }
    }

    /// The kinds that move as the piece of a letter.
    pub fn of_letter(&self, letter: char) -> Vec<String> {
        self.kinds.iter().filter(|kind| kind.piece.letter == letter).map(|kind| kind.name.clone()).collect()
    }

    /// The kinds of some pieces.
    pub fn of_pieces(&self, pieces: &[&Piece]) -> Vec<String> {
        pieces.iter().flat_map(|piece| self.of_letter(piece.letter)).collect()
    }

    /// The kinds as they are named, without those that are promoted to them.
    fn plain(&self, pieces: &[&Piece]) -> Vec<String> {
        let named: Vec<String> = pieces.iter().map(|piece| name_of(piece)).collect();
        self.kinds.iter().filter(|kind| named.contains(&kind.name)).map(|kind| kind.name.clone()).collect()
    }

    /// A set of cells from squares and `*8`, as an expression; what lies off the board is left out.
    pub fn region(&self, text: &str) -> Result<String, String> {
        let mut parts: Vec<String> = Vec::new();
        let mut cells: Vec<String> = Vec::new();
        for word in text.split_whitespace().filter(|word| *word != "-") {
            let wrong = || format!("the squares `{word}`");
            let (file, rank) = word.split_at(word.len().min(1));
            let number = if rank == "*" { None } else { Some(rank.parse::<u32>().map_err(|_| wrong())?) };
            if number.is_some_and(|number| number == 0 || number > self.ranks) {
                continue;
            }
            match (file.bytes().next(), number) {
                (Some(b'*'), Some(number)) => parts.push(format!("rank {number}")),
                (Some(b'a'..=b'z'), None) => parts.push(format!("file {file}")),
                (Some(letter @ b'a'..=b'z'), Some(number)) if u32::from(letter - b'a') < self.files => {
                    cells.push(cell(usize::from(letter - b'a'), number as usize));
                }
                (Some(b'a'..=b'z'), Some(_)) => {}
                _ => return Err(wrong()),
            }
        }
        if !cells.is_empty() {
            parts.push(cells.join(" "));
        }
        Ok(if parts.is_empty() { String::from("none") } else { parts.join(" or ") })
    }

    /// A region of each player, by whose it is.
    pub fn by_side(&self, white: &str, black: &str) -> Result<String, String> {
        let (white, black) = (self.region(white)?, self.region(black)?);
        Ok(match white == black {
            true => white,
            false => format!("if own is White then ({white}) else ({black})"),
        })
    }

    fn game(&mut self, title: &str) -> Result<String, String> {
        let variant = self.variant;
        self.castlers = match variant.is("castling", true) {
            true => {
                let king = variant.text("castlingKingPiece").unwrap_or("k").to_ascii_uppercase();
                let rooks = variant.text("castlingRookPieces").unwrap_or("r");
                self.start.castlers(king.chars().next().unwrap_or('K'), rooks, variant.number("castlingRank", 1)?)
            }
            false => Vec::new(),
        };
        let title: String = title.chars().filter(|c| !c.is_control() && !"\"\\".contains(*c)).collect();
        self.put(format!("game \"{title}\" {{"));
        let [first, second] =
            if self.start.black_begins { ["Black south", "White north"] } else { ["White north", "Black south"] };
        let kinds_at = self.lines.len();
        self.put(format!("players {first}, {second}"));
        self.put(format!("board square {} by {}", self.files, self.ranks));
        if variant.is("capturesToHand", false) {
            self.put("captures go to hand");
        }
        self.regions()?;
        self.pieces()?;
        self.remembered()?;
        self.setup();
        self.promoting()?;
        self.castling()?;
        self.dropping()?;
        self.turn()?;
        self.end()?;
        self.put("}");
        let about = self.about();
        self.lines.insert(kinds_at, about);
        Ok(self.lines.join("\n") + "\n")
    }

    /// How other programs write its positions.
    fn about(&self) -> String {
        let promoted = self.kinds.iter().filter(|kind| kind.name.starts_with("promoted_")).filter_map(|kind| {
            let from = self.kinds.iter().find(|other| Some(&other.name) == kind.from.as_ref())?;
            Some(format!(" +{} {}", from.letter?, kind.name))
        });
        let letters: String = promoted.collect();
        let sides = if self.start.black_begins { "b w" } else { "w b" };
        let rights = match (self.castlers.is_empty(), self.castling_kinds()) {
            (false, Ok((king, rook))) => format!("rights unmoved {king} {rook}"),
            _ => String::from("-"),
        };
        let skipped = if self.jumpers.is_empty() { "-" } else { "skipped skipped" };
        let count = if self.counts() { "count quiet" } else { "-" };
        let board = format!("board{letters}, side {sides}, {rights}, {skipped}");
        let checks = if self.start.checks.is_some() { "-, " } else { "" };
        format!("about {{ fen \"{board}, {checks}{count}, moves\" }}")
    }

    fn counts(&self) -> bool {
        self.variant.number("nMoveRule", 50) != Ok(0)
    }

    fn regions(&mut self) -> Result<(), String> {
        let variant = self.variant;
        let text = |key: &str, usual: &str| variant.text(key).unwrap_or(usual).to_string();
        let zone = (text("promotionRegionWhite", "*8"), text("promotionRegionBlack", "*1"));
        let promotes = self.kinds.iter().any(|kind| kind.from.is_some())
            || self.promotions().iter().any(|(pawns, targets)| !self.plain(pawns).is_empty() && !targets.is_empty());
        let drops_pawns = variant.is("pieceDrops", false) && self.kinds.iter().any(|kind| kind.piece.word == "pawn");
        if promotes || drops_pawns {
            let zone = self.by_side(&zone.0, &zone.1)?;
            self.put(format!("define zone = {zone}"));
        }
        if self.jumps() {
            let from = self.by_side(&text("doubleStepRegionWhite", "*2"), &text("doubleStepRegionBlack", "*7"))?;
            self.put(format!("define first_row = {from}"));
            if variant.text("tripleStepRegionWhite").is_some() {
                let from = self.by_side(&text("tripleStepRegionWhite", "-"), &text("tripleStepRegionBlack", "-"))?;
                self.put(format!("define far_row = {from}"));
            }
        }
        for kind in self.kinds.clone() {
            if let Some(define) = self.mobility(&kind)? {
                self.put(define);
            }
        }
        Ok(())
    }

    /// Some kind has a way that begins with a first jump.
    fn jumps(&self) -> bool {
        let double = self.variant.is("doubleStep", true);
        self.kinds.iter().any(|kind| kind.piece.notation.contains('i') || kind.piece.word == "pawn" && double)
    }

    /// Where a kind may go, if it may not go everywhere.
    fn mobility(&self, kind: &Kind) -> Result<Option<String>, String> {
        let mut word = kind.piece.word.replace("custom", "customPiece");
        if let Some(first) = word.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let of = |side: &str| self.variant.text(&format!("mobilityRegion{side}{word}"));
        let everywhere: String = (1..=self.ranks).map(|rank| format!("*{rank} ")).collect();
        match (of("White"), of("Black")) {
            (None, None) => Ok(None),
            (white, black) => {
                let region = self.by_side(white.unwrap_or(&everywhere), black.unwrap_or(&everywhere))?;
                Ok(Some(format!("define range_of_{} = {region}", kind.name)))
            }
        }
    }

    fn ways(&self, kind: &Kind) -> Result<Ways, String> {
        let variant = self.variant;
        let word = kind.piece.word.as_str();
        let region = self.mobility(kind)?.map(|_| format!("range_of_{}", kind.name));
        let takers = match variant.text("enPassantTypes") {
            Some(letters) => variant.kinds(letters),
            None => variant.pawns("enPassantTypes"),
        };
        let passing = takers.contains(&&kind.piece) && variant.text("enPassantRegion") != Some("-");
        let jumpers = (passing && !self.jumpers.is_empty()).then(|| match self.jumpers.as_slice() {
            [one] => format!("enemy {one}"),
            several => format!("enemy and ({})", any_of(several)),
        });
        let shunned = (word == "janggiCannon").then(|| kind.name.clone());
        let around = Around { region, first: Some(String::from("first_row")), jumpers, shunned };
        let mut ways = betza::ways(&kind.piece.notation, &around)?;
        let rank = variant.number("soldierPromotionRank", 1)?;
        if word == "soldier" && rank > 1 {
            for line in ways.lines.iter_mut().filter(|line| line.starts_with("move sideways")) {
                *line = format!("if here in rows {rank}..{} {{ {line} }}", self.ranks);
            }
        }
        if word == "pawn" && variant.is("doubleStep", true) {
            ways.jumps = true;
            ways.lines.push(String::from("if here in first_row { move forward: ^ empty to empty }"));
            if variant.text("tripleStepRegionWhite").is_some() {
                ways.lines.push(String::from("if here in far_row { move forward: ^ empty{2} to empty }"));
            }
        }
        if word == "king" && variant.is("flyingGeneral", false) {
            ways.lines.push(format!("move orthogonal: ^ empty* to <enemy {}>", kind.name));
        }
        Ok(ways)
    }

    fn pieces(&mut self) -> Result<(), String> {
        for kind in self.kinds.clone() {
            if self.ways(&kind)?.jumps {
                self.jumpers.push(kind.name.clone());
            }
        }
        let mut takes_in_passing = false;
        for kind in self.kinds.clone() {
            let ways = self.ways(&kind)?;
            takes_in_passing |= ways.lines.iter().any(|line| line.contains("skipped"));
            let letter = kind.letter.map(|letter| format!(" {letter}")).unwrap_or_default();
            let from = kind.from.as_ref().map(|from| format!(" from {from}")).unwrap_or_default();
            let ways =
                if ways.lines.is_empty() { String::new() } else { format!(" {{\n{}\n}}", ways.lines.join("\n")) };
            self.put(format!("piece {}{letter}{from}{ways}", kind.name));
        }
        if !takes_in_passing {
            self.jumpers.clear();
        }
        let walls = self.variant.text("wallingRule").is_some_and(|rule| rule != "none");
        if self.has_walls || walls {
            self.has_walls = true;
            self.put("piece wall neutral");
        }
        Ok(())
    }

    fn setup(&mut self) {
        let mut legend: Vec<(char, String)> = Vec::new();
        let mut rows = Vec::new();
        for rank in self.start.ranks.clone() {
            let mut row = String::new();
            for glyph in rank {
                let (sign, meaning) = match glyph {
                    Glyph::Empty => ('.', String::new()),
                    Glyph::Wall => ('*', String::from("wall")),
                    Glyph::Man { letter, white, promoted } => {
                        let plain = self.variant.kinds(&letter.to_string()).first().map(|piece| name_of(piece));
                        let name = plain.unwrap_or_default();
                        let name = if promoted { format!("promoted_{name}") } else { name };
                        let meaning = format!("{} {name}", if white { "White" } else { "Black" });
                        let known = legend.iter().find(|(_, other)| *other == meaning).map(|(sign, _)| *sign);
                        let plain = if white { letter } else { letter.to_ascii_lowercase() };
                        let fresh = || match promoted {
                            true => {
                                ('0'..='9').find(|digit| legend.iter().all(|(sign, _)| sign != digit)).unwrap_or('?')
                            }
                            false => plain,
                        };
                        (known.unwrap_or_else(fresh), meaning)
                    }
                };
                if sign != '.' && legend.iter().all(|(other, _)| *other != sign) {
                    legend.push((sign, meaning));
                }
                row.push(' ');
                row.push(sign);
            }
            rows.push(row.trim().to_string());
        }
        self.put("setup {");
        if !legend.is_empty() {
            let legend: Vec<String> = legend.into_iter().map(|(sign, meaning)| format!("{sign} = {meaning}")).collect();
            self.put(format!("picture \"\n{}\n\" with {}", rows.join("\n"), legend.join(", ")));
        }
        for (hand, owner) in self.start.hands.clone().iter().zip(["White", "Black"]) {
            let mut counted: Vec<(String, usize)> = Vec::new();
            for letter in hand {
                for name in self.plain(&self.variant.kinds(&letter.to_string())) {
                    match counted.iter_mut().find(|(other, _)| *other == name) {
                        Some((_, count)) => *count += 1,
                        None => counted.push((name, 1)),
                    }
                }
            }
            for (name, count) in counted {
                self.put(format!("place {count} {owner} {name} in hand"));
            }
        }
        if !self.castlers.is_empty() {
            self.put(format!("set unmoved = {}", self.castlers.join(" ")));
        }
        self.put("}");
    }
}

/// The name of a kind: the word of the settings in the manner of the language.
pub fn name_of(piece: &Piece) -> String {
    if piece.word.starts_with("custom") {
        return format!("piece_{}", piece.letter.to_ascii_lowercase());
    }
    let mut name = String::new();
    for c in piece.word.chars() {
        if c.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
