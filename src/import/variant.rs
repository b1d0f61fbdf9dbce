//! Variants: settings go in; what they mean, typed, comes out, or each setting that has no meaning here.

use std::collections::BTreeMap;

use crate::import::ini::shortened;

/// Kinds that have a word, with their moves in Betza notation.
const PREDEFINED: [(&str, &str); 39] = [
    ("pawn", "fmWfceF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("king", "K"),
    ("grasshopper", "gQ"),
    ("nightrider", "NN"),
];

/// Settings of the looks or the strength of other programs.
const IGNORED: [&str; 7] = [
    "variantTemplate",
    "pieceToCharTable",
    "pocketSize",
    "pieceValueMg",
    "pieceValueEg",
    "nnueAlias",
    // Castling is that of any array here.
    "chess960",
];

/// Settings that are understood, whatever they say.
const KNOWN: [&str; 68] = [
    "maxRank",
    "maxFile",
    "startFen",
    "pawnTypes",
    "promotionRegionWhite",
    "promotionRegionBlack",
    "promotionPawnTypes",
    "promotionPawnTypesWhite",
    "promotionPawnTypesBlack",
    "promotionPieceTypes",
    "promotionPieceTypesWhite",
    "promotionPieceTypesBlack",
    "promotedPieceType",
    "piecePromotionOnCapture",
    "mandatoryPawnPromotion",
    "mandatoryPiecePromotion",
    "blastOnCapture",
    "doubleStep",
    "doubleStepRegionWhite",
    "doubleStepRegionBlack",
    "tripleStepRegionWhite",
    "tripleStepRegionBlack",
    "enPassantTypes",
    "enPassantRegion",
    "castling",
    "castlingKingsideFile",
    "castlingQueensideFile",
    "castlingRank",
    "castlingKingPiece",
    "castlingRookPieces",
    "checking",
    "dropChecks",
    "mustCapture",
    "mustDrop",
    "pieceDrops",
    "freeDrops",
    "capturesToHand",
    "firstRankPawnDrops",
    "promotionZonePawnDrops",
    "dropRegionWhite",
    "dropRegionBlack",
    "dropNoDoubled",
    "dropNoDoubledCount",
    "immobilityIllegal",
    "enclosingDrop",
    "enclosingDropStart",
    "flipEnclosedPieces",
    "wallingRule",
    "passOnStalemate",
    "flyingGeneral",
    "soldierPromotionRank",
    "nMoveRule",
    "nMoveRuleTypesBlack",
    "nFoldRule",
    "nFoldValue",
    "perpetualCheckIllegal",
    "stalemateValue",
    "shogiPawnDropMateIllegal",
    "extinctionValue",
    "extinctionPieceTypes",
    "extinctionPseudoRoyal",
    "extinctionPieceCount",
    "extinctionOpponentPieceCount",
    "flagPiece",
    "flagRegion",
    "flagRegionWhite",
    "flagRegionBlack",
    "flagPieceCount",
];

/// The same, for rows and counts.
const KNOWN_TOO: [&str; 13] = [
    "flagPieceSafe",
    "checkCounting",
    "connectN",
    "connectPieceTypes",
    "connectVertical",
    "connectHorizontal",
    "connectDiagonal",
    "connectNxN",
    "connectValue",
    "materialCounting",
    "connectRegion1White",
    "connectRegion2White",
    "connectRegion1Black",
];

/// Settings that are understood if they say this, which is what is so anyway.
const AS_USUAL: [(&str, &str); 10] = [
    ("stalematePieceCount", "false"),
    ("pass", "false"),
    ("bikjangRule", "false"),
    ("pieceDemotion", "false"),
    ("dropPromoted", "false"),
    ("flagMove", "false"),
    ("oppositeCastling", "false"),
    ("gating", "false"),
    ("flagPieceBlockedWin", "false"),
    ("countingRule", "none"),
];

/// Settings of which only some values have words in the language.
const VALUES: [(&str, &[&str]); 7] = [
    ("enclosingDrop", &["none", "reversi", "ataxx", "snort", "top", "anyside"]),
    ("flipEnclosedPieces", &["none", "reversi", "ataxx", "quadwrangle"]),
    ("wallingRule", &["none", "arrow", "past"]),
    ("materialCounting", &["none", "unweighted"]),
    ("stalemateValue", &["draw", "win", "loss"]),
    ("nFoldValue", &["draw", "win", "loss"]),
    ("connectValue", &["win", "loss"]),
];

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// A capital.
    pub letter: char,
    /// The word of the settings, `pawn`, `customPiece3`.
    pub word: String,
    pub notation: String,
}

/// A variant, as its settings have it.
#[derive(Clone, Debug)]
pub struct Variant {
    pub settings: BTreeMap<String, String>,
    pub pieces: Vec<Piece>,
}

impl Variant {
    /// What settings mean. Later ones count.
    ///
    /// # Errors
    /// Each setting that has no meaning here.
    pub fn new(settings: &[(String, String)]) -> Result<Variant, Vec<String>> {
        let mut variant = Variant { settings: BTreeMap::new(), pieces: Vec::new() };
        let mut unknown = Vec::new();
        for (key, value) in settings {
            if let Some(custom) = key.strip_prefix("customPiece").filter(|number| number.parse::<u8>().is_ok()) {
                match value.split_once(':') {
                    Some((letter, notation)) => variant.put(&format!("custom{custom}"), letter, notation.trim()),
                    None if value == "-" => variant.remove(&format!("custom{custom}")),
                    None => unknown.push(told(key, value)),
                }
            } else if let Some((word, notation)) = PREDEFINED.iter().find(|(word, _)| word == key) {
                match value.split_once(':') {
                    _ if value == "-" => variant.remove(word),
                    Some((letter, own)) => variant.put(word, letter, own.trim()),
                    None => variant.put(word, value, notation),
                }
            } else if key == "promotedPieceType" && value != "-" {
                // Pairs of a parent stay, unless the variant says another for the same kind: the first of a kind counts.
                let inherited = variant.settings.get(key).map_or("", String::as_str);
                let pairs = format!("{value} {inherited}");
                variant.settings.insert(key.clone(), pairs);
            } else {
                variant.settings.insert(key.clone(), value.clone());
            }
        }
        let is_known = |(key, value): &(&String, &String)| {
            let key = key.as_str();
            if let Some((_, values)) = VALUES.iter().find(|(name, _)| *name == key) {
                return values.contains(&value.as_str());
            }
            KNOWN.contains(&key)
                || KNOWN_TOO.contains(&key)
                || key == "connectRegion2Black"
                || IGNORED.contains(&key)
                || key.starts_with("mobilityRegion")
                || AS_USUAL.iter().any(|(name, usual)| *name == key && usual == value)
        };
        unknown.extend(variant.settings.iter().filter(|pair| !is_known(pair)).map(|(key, value)| told(key, value)));
        match unknown.is_empty() {
            true => Ok(variant),
            false => Err(unknown),
        }
    }

    /// A kind takes a letter; another that had it goes.
    fn put(&mut self, word: &str, letter: &str, notation: &str) {
        let letter = letter.trim().chars().next().unwrap_or('?').to_ascii_uppercase();
        self.pieces.retain(|piece| piece.word != word && piece.letter != letter);
        self.pieces.push(Piece { letter, word: word.to_string(), notation: notation.to_string() });
    }

    fn remove(&mut self, word: &str) {
        self.pieces.retain(|piece| piece.word != word);
    }

    pub fn text(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(String::as_str)
    }

    /// A truth; one that is not said is as it usually is.
    pub fn is(&self, key: &str, usual: bool) -> bool {
        self.text(key).map_or(usual, |value| value == "true")
    }

    /// A number; files may be letters.
    pub fn number(&self, key: &str, usual: u32) -> Result<u32, String> {
        let Some(value) = self.text(key) else { return Ok(usual) };
        let letter = value.bytes().next().filter(|byte| value.len() == 1 && byte.is_ascii_lowercase());
        match letter {
            Some(letter) => Ok(u32::from(letter - b'a') + 1),
            None => value.parse().map_err(|_| told(key, value)),
        }
    }

    /// Files and ranks.
    pub fn size(&self) -> Result<(u32, u32), String> {
        let (files, ranks) = (self.number("maxFile", 8)?, self.number("maxRank", 8)?);
        let fits = (1..=26).contains(&files) && (1..=26).contains(&ranks);
        if fits { Ok((files, ranks)) } else { Err(format!("a board of {files} by {ranks}")) }
    }

    /// The kinds of some letters; those that the variant has not are left out. `*` stands for all.
    pub fn kinds(&self, letters: &str) -> Vec<&Piece> {
        if letters.contains('*') {
            return self.pieces.iter().collect();
        }
        let of = |letter: char| self.pieces.iter().find(|piece| piece.letter == letter.to_ascii_uppercase());
        letters.chars().filter_map(of).collect()
    }

    /// The pieces that promote and are taken in passing: the pawn, or what the settings say.
    pub fn pawns(&self, key: &str) -> Vec<&Piece> {
        match self.text(key).or_else(|| self.text("pawnTypes")) {
            Some(letters) => self.kinds(letters),
            None => self.pieces.iter().filter(|piece| piece.word == "pawn").collect(),
        }
    }

    /// Pairs of a kind and what it becomes.
    pub fn promoted(&self) -> Result<Vec<(&Piece, &Piece)>, String> {
        let Some(text) = self.text("promotedPieceType").filter(|text| *text != "-") else { return Ok(Vec::new()) };
        let wrong = || told("promotedPieceType", text);
        let mut pairs = Vec::new();
        for pair in text.split_whitespace() {
            let (from, to) = pair.split_once(':').ok_or_else(wrong)?;
            match (self.kinds(from).as_slice(), self.kinds(to).as_slice()) {
                ([from], [to]) if pairs.iter().all(|(other, _)| other != from) => pairs.push((*from, *to)),
                ([_], [_]) => {}
                ([], _) => {}
                _ => return Err(wrong()),
            }
        }
        Ok(pairs)
    }
}

/// A setting as it stands.
pub fn told(key: &str, value: &str) -> String {
    format!("{key} = {}", shortened(value))
}
