//! Turns and outcomes: the part of a rules file that says what a player does, and when the game ends.

use crate::import::betza;
use crate::import::betza::Around;
use crate::import::variant::told;
use crate::import::write::{Kind, Writer, any_of};

impl Writer<'_> {
    /// The kinds that may not be taken: kings, and those whose loss decides.
    fn royals(&self) -> Option<String> {
        let variant = self.variant;
        let kings: Vec<String> =
            self.kinds.iter().filter(|kind| kind.piece.word == "king").map(|kind| kind.name.clone()).collect();
        let mut sets = Vec::new();
        if !kings.is_empty() {
            sets.push(format!("who and ({})", any_of(&kings)));
        }
        if variant.is("extinctionPseudoRoyal", false) {
            let count = variant.number("extinctionPieceCount", 0).unwrap_or(0) + 1;
            for piece in variant.kinds(variant.text("extinctionPieceTypes").unwrap_or_default()) {
                let names = self.of_letter(piece.letter);
                if !names.is_empty() && piece.word != "king" {
                    let set = format!("who and ({})", any_of(&names));
                    sets.push(format!("(if count({set}) <= {count} then {set} else none)"));
                }
            }
        }
        (!sets.is_empty()).then(|| sets.join(" or "))
    }

    /// The number of checks that win.
    fn checks(&self) -> Option<u32> {
        self.variant.is("checkCounting", false).then(|| self.start.checks.unwrap_or(3))
    }

    fn is_blast(&self) -> bool {
        self.variant.is("blastOnCapture", false)
    }

    /// Remembered values, and the defines that turns and outcomes share.
    pub fn remembered(&mut self) -> Result<(), String> {
        if !self.castlers.is_empty() {
            self.put("remember unmoved = none on pieces");
        }
        if !self.jumpers.is_empty() {
            self.put("remember skipped = none for one turn");
        }
        if self.variant.number("nMoveRule", 50)? > 0 {
            self.put("remember quiet = 0, not compared");
        }
        if self.checks().is_some() {
            self.put("remember checks = 0 per player");
        }
        let royals = self.royals();
        if let Some(royals) = &royals {
            self.put(format!("define royals(who) = {royals}"));
        }
        if royals.is_some() && self.perpetual() {
            self.put("remember checking = 0 per player, not compared");
            self.put("define perpetual(who) = 2 * checking(who) >= cycle");
        }
        let dead = self.dead()?;
        if !dead.is_empty() {
            self.put(format!("define dead(c) = {}", dead.join(" or ")));
        }
        Ok(())
    }

    fn perpetual(&self) -> bool {
        self.variant.is("perpetualCheckIllegal", false) && self.variant.number("nFoldRule", 3) != Ok(0)
    }

    /// Kinds that could never move again from where they are: conditions on a cell `c`.
    fn dead(&self) -> Result<Vec<String>, String> {
        let mut dead = Vec::new();
        if !self.variant.is("immobilityIllegal", false) {
            return Ok(dead);
        }
        for kind in &self.kinds {
            let forward = betza::ways(&kind.piece.notation, &Around::default())?.forward;
            if forward > 0 {
                let from = self.ranks.saturating_sub(u32::from(forward)) + 1;
                dead.push(format!("c is {} and c in rows {from}..{}", kind.name, self.ranks));
            }
        }
        Ok(dead)
    }

    /// The action by which a man is promoted who has come to `p` from `start`.
    pub fn promoting(&mut self) -> Result<(), String> {
        let variant = self.variant;
        let mut lines: Vec<String> = Vec::new();
        let promotions: Vec<(String, String)> = self
            .promotions()
            .iter()
            .map(|(pawns, targets)| {
                let pawns: Vec<&Kind> =
                    self.kinds.iter().filter(|kind| kind.from.is_none() && pawns.contains(&&kind.piece)).collect();
                let names: Vec<String> = pawns.iter().map(|pawn| pawn.name.clone()).collect();
                let to: Vec<String> = self
                    .kinds
                    .iter()
                    .filter(|kind| targets.contains(&&kind.piece) && !kind.name.starts_with("promoted_"))
                    .filter(|kind| match variant.is("capturesToHand", false) {
                        true => kind.from.as_ref().is_some_and(|from| names.contains(from)),
                        false => kind.from.is_none(),
                    })
                    .map(|kind| kind.name.clone())
                    .collect();
                (any_of(&names), any_of(&to))
            })
            .collect();
        let several = promotions.len() > 1;
        let mut promoting: Vec<String> = Vec::new();
        for ((pawns, targets), side) in promotions.iter().zip(["White", "Black"]) {
            if pawns.is_empty() || targets.is_empty() {
                continue;
            }
            let whose = if several { format!("own is {side} and ") } else { String::new() };
            let promote = match variant.is("mandatoryPawnPromotion", true) {
                true => format!("promote p to {targets}"),
                false => format!("either {{ promote p to {targets} }} or {{ }}"),
            };
            promoting.push(pawns.clone());
            lines.push(format!("if {whose}p is ({pawns}) and p in zone {{ {promote} }}"));
        }
        let on_capture = if variant.is("piecePromotionOnCapture", false) { " and some caught" } else { "" };
        for kind in self.kinds.iter().filter(|kind| kind.name.starts_with("promoted_")) {
            let Some(from) = &kind.from else { continue };
            // The place in the list of kinds decides which branch is reached: a man is promoted once.
            let promote = match variant.is("mandatoryPiecePromotion", false) {
                true => format!("promote p to {}", kind.name),
                false => format!("either {{ promote p to {} }} or {{ }}", kind.name),
            };
            lines.push(format!("if p is {from} and some (start or p) in zone{on_capture} {{ {promote} }}"));
        }
        if !self.dead()?.is_empty() {
            lines.push(String::from("need not dead(p)"));
        }
        if lines.is_empty() {
            return Ok(());
        }
        // Only one of several promotions of a man comes to pass.
        self.put(format!("action promotes(p, start) {{\n{}\n}}", lines.join("\n")));
        Ok(())
    }

    fn has_promotes(&self) -> bool {
        self.lines.iter().any(|line| line.starts_with("action promotes"))
    }

    /// The kinds that castle: the king, and the one that castles with it.
    pub fn castling_kinds(&self) -> Result<(String, String), String> {
        let king = self.variant.text("castlingKingPiece").unwrap_or("k");
        let rooks = self.variant.text("castlingRookPieces").unwrap_or("r");
        let one = |letters: &str, key: &str| match self.of_pieces(&self.variant.kinds(letters)).first() {
            Some(name) if letters.len() == 1 => Ok(name.clone()),
            _ => Err(told(key, letters)),
        };
        Ok((one(king, "castlingKingPiece")?, one(rooks, "castlingRookPieces")?))
    }

    pub fn castling(&mut self) -> Result<(), String> {
        if self.castlers.is_empty() {
            return Ok(());
        }
        let variant = self.variant;
        let (king, rook) = self.castling_kinds()?;
        let (right, left) = (variant.number("castlingKingsideFile", 7)?, variant.number("castlingQueensideFile", 3)?);
        let rank = variant.number("castlingRank", 1)?;
        let safe = if self.royals().is_some() && !self.is_blast() { "need not attacked(walk)\n" } else { "" };
        self.put(format!(
            "action castle {{
pick k from own {king} and unmoved
pick r from own {rook} and unmoved
let queenside = file of r < file of k
let king_to = row {rank} and (if queenside then file ({left}) else file ({right}))
let rook_to = row {rank} and (if queenside then file ({}) else file ({}))
let walk = span(k, king_to)
need (walk or span(r, rook_to)) in (empty or k or r)
remove k or r
{safe}place {king} on king_to
place {rook} on rook_to
set unmoved = unmoved and not own
}}",
            left + 1,
            right - 1
        ));
        Ok(())
    }

    /// The kinds that may come from a hand.
    fn droppable(&self) -> Vec<&Kind> {
        let held: Vec<char> = self.start.hands.iter().flatten().copied().collect();
        let to_hand = self.variant.is("capturesToHand", false);
        let plain = self.kinds.iter().filter(|kind| kind.from.is_none());
        plain.filter(|kind| held.contains(&kind.piece.letter) || to_hand && kind.piece.word != "king").collect()
    }

    /// The action by which a man is placed on `c`.
    pub fn dropping(&mut self) -> Result<(), String> {
        let variant = self.variant;
        let free = variant.is("freeDrops", false);
        if !variant.is("pieceDrops", false) {
            return Ok(());
        }
        let kinds: Vec<Kind> = match free {
            true => self.kinds.first().cloned().into_iter().collect(),
            false => self.droppable().into_iter().cloned().collect(),
        };
        if kinds.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = kinds.iter().map(|kind| kind.name.clone()).collect();
        let everywhere: String = (1..=self.ranks).map(|rank| format!("*{rank} ")).collect();
        let text = |key: &str| variant.text(key).unwrap_or(&everywhere).to_string();
        let region = match variant.text("dropRegionWhite").or_else(|| variant.text("dropRegionBlack")) {
            Some(_) => {
                let region = self.by_side(&text("dropRegionWhite"), &text("dropRegionBlack"))?;
                self.put(format!("define drops = {region}"));
                " and drops"
            }
            None => "",
        };
        let mut lines = vec![format!("pick c from empty{region}")];
        let flips = variant.text("flipEnclosedPieces").unwrap_or("none");
        self.enclosing(&mut lines)?;
        if flips == "reversi" {
            lines.insert(1, String::from("let turned = catches(c, straight: custodian)"));
        }
        let from = if free { "" } else { " from hand" };
        lines.push(format!("place {} on c{from}", any_of(&names)));
        self.drop_conditions(&kinds, &mut lines)?;
        match flips {
            "reversi" => lines.push(String::from("flip turned")),
            "ataxx" => lines.push(String::from("flip adjacent(c) and enemy")),
            "quadwrangle" => lines.push(String::from("if some adjacent(c) in own { flip adjacent(c) and enemy }")),
            _ => {}
        }
        self.put(format!("action drop {{\n{}\n}}", lines.join("\n")));
        Ok(())
    }

    /// What a placed man must lie beside.
    fn enclosing(&self, lines: &mut Vec<String>) -> Result<(), String> {
        let line = match self.variant.text("enclosingDrop").unwrap_or("none") {
            "reversi" => match self.variant.text("enclosingDropStart") {
                Some(start) => {
                    let start = self.region(start)?;
                    format!("if some (empty and ({start})) {{ need c in ({start}) }} else {{ need some turned }}")
                }
                None => String::from("need some turned"),
            },
            "ataxx" => String::from("need some adjacent(c) in own"),
            "snort" => String::from("need no adjacent(c, orthogonal) in enemy"),
            "top" => String::from("need no shift(c, south) in empty"),
            "anyside" => {
                let sides = [
                    ("west", "east", String::from("file of c - 1")),
                    ("east", "west", format!("{} - file of c", self.files)),
                    ("south", "north", String::from("rank of c - 1")),
                    ("north", "south", format!("{} - rank of c", self.ranks)),
                ];
                let slides = sides.map(|(from, to, far)| {
                    format!("count(reach(c, {from}: slide)) = {far} and no shift(c, {to}) in empty")
                });
                format!("need {}", slides.join("\nor "))
            }
            _ => return Ok(()),
        };
        lines.push(line);
        Ok(())
    }

    fn drop_conditions(&self, kinds: &[Kind], lines: &mut Vec<String>) -> Result<(), String> {
        let variant = self.variant;
        for kind in kinds {
            let name = &kind.name;
            let word = kind.piece.word.as_str();
            if word == "pawn" {
                if !variant.is("promotionZonePawnDrops", false) {
                    lines.push(format!("need not (c is {name} and c in zone)"));
                }
                if !variant.is("firstRankPawnDrops", false) {
                    lines.push(format!("need not (c is {name} and c in row 1)"));
                }
            }
            if self.lines.iter().any(|line| line.starts_with(&format!("define range_of_{name} "))) {
                lines.push(format!("need not (c is {name} and c not in range_of_{name})"));
            }
        }
        if let Some(letters) = variant.text("dropNoDoubled").filter(|letters| *letters != "-") {
            let most = variant.number("dropNoDoubledCount", 1)?;
            for piece in variant.kinds(letters) {
                for kind in kinds.iter().filter(|kind| kind.piece == *piece) {
                    let name = &kind.name;
                    let same = format!("count(own {name} and files file of c..file of c)");
                    lines.push(format!("if c is {name} {{ need {same} <= {most} }}"));
                }
            }
        }
        let royals = self.royals().is_some();
        if royals && !variant.is("dropChecks", true) {
            lines.push(String::from("need not attacked(royals(enemy))"));
        }
        if !self.dead()?.is_empty() {
            lines.push(String::from("need not dead(c)"));
        }
        if royals && variant.is("shogiPawnDropMateIllegal", false) {
            for kind in kinds.iter().filter(|kind| kind.piece.word == "shogiPawn") {
                let name = &kind.name;
                lines.push(format!("if c is {name} {{ need not (attacked(royals(enemy)) and stuck(enemy)) }}"));
            }
        }
        Ok(())
    }

    /// What a man does: `verb` is `move` or `capture`.
    fn man_moves(&self, verb: &str) -> String {
        let variant = self.variant;
        let mut lines = vec![String::from("pick p from own"), String::from("let start = p"), format!("{verb} p")];
        if !self.castlers.is_empty() {
            lines.push(String::from("set unmoved = unmoved and not p"));
        }
        if variant.number("nMoveRule", 50) != Ok(0) {
            let pawns = any_of(&self.of_pieces(&variant.pawns("nMoveRuleTypes")));
            let by_pawn = if pawns.is_empty() { String::new() } else { format!("p is ({pawns}) or ") };
            lines.push(format!("if {by_pawn}some caught {{ set quiet = 0 }}"));
        }
        if !self.jumpers.is_empty() {
            let jumpers = any_of(&self.jumpers);
            let rows =
                if variant.text("tripleStepRegionWhite").is_some() { "(first_row or far_row)" } else { "first_row" };
            lines.push(format!("if p is ({jumpers}) and start in {rows} and some passed {{ set skipped = passed }}"));
        }
        if self.has_promotes() {
            lines.push(String::from("do promotes(p, start)"));
        }
        if self.is_blast() {
            let pawns: Vec<String> =
                self.kinds.iter().filter(|kind| kind.piece.word == "pawn").map(|kind| kind.name.clone()).collect();
            let spared = if pawns.is_empty() { String::new() } else { format!(" and not ({})", any_of(&pawns)) };
            lines.push(format!("if some caught {{ remove p or (adjacent(p) and (own or enemy){spared}) }}"));
        }
        if let Some("ataxx" | "quadwrangle") = variant.text("flipEnclosedPieces") {
            lines.push(String::from("flip adjacent(p) and enemy"));
        }
        match variant.text("wallingRule") {
            Some("arrow") => lines.push(String::from("pick t from reach(p)\nplace wall on t")),
            Some("past") => lines.push(String::from("place wall on start")),
            _ => {}
        }
        lines.join("\n")
    }

    pub fn turn(&mut self) -> Result<(), String> {
        let variant = self.variant;
        let mut choices = Vec::new();
        if !self.castlers.is_empty() {
            choices.push(String::from("do castle"));
        }
        let drops = self.lines.iter().any(|line| line.starts_with("action drop "));
        let moves = self.kinds.iter().any(|kind| !kind.piece.notation.is_empty());
        let plain = if moves { self.man_moves("move") } else { String::new() };
        if variant.is("mustDrop", false) && drops && moves {
            choices.push(format!("if hand(own) > 0 {{ do drop }} else {{\n{plain}\n}}"));
        } else {
            if drops {
                choices.push(String::from("do drop"));
            }
            if moves {
                choices.push(plain);
            }
        }
        let mut turn = match choices.as_slice() {
            [] => return Err(String::from("no piece moves or is placed")),
            [one] => one.clone(),
            several => format!("either {{\n{}\n}}", several.join("\n} or {\n")),
        };
        if variant.is("mustCapture", false) && moves {
            turn = format!("first {{\n{}\n}} else {{\n{turn}\n}}", self.man_moves("capture"));
        }
        let checks = self.legality();
        if variant.is("passOnStalemate", false) {
            turn = format!("first {{\n{turn}\n{}}} else {{ pass }}", checks.join("\n"));
        } else if !checks.is_empty() {
            turn = format!("{turn}\n{}", checks.join("\n"));
        }
        let count = if variant.number("nMoveRule", 50)? > 0 { "set quiet = quiet + 1\n" } else { "" };
        self.put(format!("move {{\n{count}{turn}\n}}"));
        Ok(())
    }

    /// What must hold at the end of a turn, and what is counted there.
    fn legality(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.royals().is_none() {
            return lines;
        }
        if self.is_blast() {
            lines.push(String::from("need some royals(own)"));
            let apart = "no royals(own) in adjacent(royals(enemy))";
            lines.push(format!("if some royals(enemy) and {apart} {{ need not attacked(royals(own)) }}"));
        } else {
            lines.push(String::from("need not attacked(royals(own))"));
        }
        if !self.variant.is("checking", true) {
            lines.push(String::from("need not attacked(royals(enemy))"));
        }
        if self.checks().is_some() {
            lines.push(String::from("if attacked(royals(enemy)) { set checks = checks + 1 }"));
        }
        if self.perpetual() {
            lines.push(String::from("set checking = if attacked(royals(enemy)) then checking + 1 else 0"));
        }
        if !self.castlers.is_empty()
            && let Ok((king, rook)) = self.castling_kinds()
        {
            lines.push(format!(
                "if no own {king} in unmoved or no own {rook} in unmoved {{ set unmoved = unmoved and not own }}"
            ));
        }
        lines
    }

    pub fn end(&mut self) -> Result<(), String> {
        let mut lines = Vec::new();
        self.extinction(&mut lines)?;
        self.flag(&mut lines)?;
        if let Some(checks) = self.checks() {
            lines.push(format!("win if checks >= {checks}"));
        }
        self.connection(&mut lines)?;
        let variant = self.variant;
        if variant.is("passOnStalemate", false) {
            lines.push(String::from(match variant.text("materialCounting") {
                Some("unweighted") => "highest count(own) wins if stuck(own) and stuck(enemy)",
                _ => "draw if stuck(own) and stuck(enemy)",
            }));
        } else {
            if self.royals().is_some() {
                lines.push(String::from("win if stuck(enemy) and attacked(royals(enemy))"));
            }
            lines.push(String::from(match variant.text("stalemateValue") {
                Some("loss") => "win if stuck(enemy)",
                Some("win") => "lose if stuck(enemy)",
                _ => "draw if stuck(enemy)",
            }));
        }
        let fold = variant.number("nFoldRule", 3)?;
        if fold > 0 {
            if self.royals().is_some() && self.perpetual() {
                lines.push(format!("lose if times(position) >= {fold} and perpetual(own) and not perpetual(enemy)"));
                lines.push(format!("win if times(position) >= {fold} and perpetual(enemy) and not perpetual(own)"));
            }
            let outcome = match variant.text("nFoldValue") {
                Some("loss") => "win",
                Some("win") => "lose",
                _ => "draw",
            };
            lines.push(format!("{outcome} if times(position) >= {fold}"));
        }
        let limit = variant.number("nMoveRule", 50)?;
        if limit > 0 {
            lines.push(format!("draw if quiet >= {}", 2 * u64::from(limit)));
        }
        self.put(format!("end {{\n{}\n}}", lines.join("\n")));
        Ok(())
    }

    fn extinction(&self, lines: &mut Vec<String>) -> Result<(), String> {
        let variant = self.variant;
        let value = variant.text("extinctionValue").unwrap_or("none");
        let letters = variant.text("extinctionPieceTypes").unwrap_or_default();
        if value == "none" || letters.is_empty() || variant.is("extinctionPseudoRoyal", false) && !self.is_blast() {
            return Ok(());
        }
        let [own, enemy] = match value {
            "loss" => ["lose", "win"],
            "win" => ["win", "lose"],
            other => return Err(told("extinctionValue", other)),
        };
        let most = variant.number("extinctionPieceCount", 0)?;
        let least = variant.number("extinctionOpponentPieceCount", 0)?;
        let sets: Vec<Option<Vec<String>>> = match letters.contains('*') {
            true => vec![None],
            false => variant.kinds(letters).iter().map(|piece| Some(self.of_letter(piece.letter))).collect(),
        };
        for (outcome, who, other) in [(own, "own", "enemy"), (enemy, "enemy", "own")] {
            for names in sets.iter().filter(|names| names.as_ref().is_none_or(|names| !names.is_empty())) {
                let of = |who: &str| match names {
                    Some(names) => format!("count({who} and ({}))", any_of(names)),
                    None if variant.is("pieceDrops", false) => format!("count({who}) + hand({who})"),
                    None => format!("count({who})"),
                };
                let enough = if least > 0 { format!(" and {} >= {least}", of(other)) } else { String::new() };
                lines.push(format!("{outcome} if {} <= {most}{enough}", of(who)));
            }
        }
        Ok(())
    }

    fn flag(&self, lines: &mut Vec<String>) -> Result<(), String> {
        let variant = self.variant;
        let of = |side: &str| variant.text(&format!("flagRegion{side}")).or_else(|| variant.text("flagRegion"));
        let (white, black) = (of("White"), of("Black"));
        if white.is_none() && black.is_none() {
            return Ok(());
        }
        let region = self.by_side(white.unwrap_or("-"), black.unwrap_or("-"))?;
        let letters = variant.text("flagPiece").unwrap_or("*");
        let men = match letters.contains('*') {
            true => String::from("own"),
            false => format!("own and ({})", any_of(&self.of_pieces(&variant.kinds(letters)))),
        };
        if men.ends_with("()") {
            return Ok(());
        }
        let there = format!("{men} and ({region})");
        let count = variant.number("flagPieceCount", 1)?;
        lines.push(match (variant.is("flagPieceSafe", false), count) {
            (false, 1) => format!("win if some ({there})"),
            (false, count) => format!("win if count({there}) >= {count}"),
            (true, 1) => format!("win if some ({there}) where not attacked(it)"),
            (true, count) => return Err(told("flagPieceCount", &count.to_string())),
        });
        Ok(())
    }

    fn connection(&self, lines: &mut Vec<String>) -> Result<(), String> {
        let variant = self.variant;
        let outcome = if variant.text("connectValue") == Some("loss") { "lose" } else { "win" };
        let men = match variant.text("connectPieceTypes").filter(|letters| *letters != "*") {
            Some(letters) => format!("own and ({})", any_of(&self.of_pieces(&variant.kinds(letters)))),
            None => String::from("own"),
        };
        let mut ways = Vec::new();
        for (key, words) in
            [("connectVertical", "north"), ("connectHorizontal", "east"), ("connectDiagonal", "diagonal")]
        {
            if variant.is(key, true) {
                ways.push(words);
            }
        }
        let ways = if ways.len() == 3 { String::from("straight") } else { ways.join(" or ") };
        let count = variant.number("connectN", 0)?;
        if count > 0 {
            lines.push(format!("{outcome} if some segments({men}, {ways}, {count}..)"));
        }
        match variant.number("connectNxN", 0)? {
            0 => {}
            2 => {
                let square = "(it or shift(it, north) or shift(it, east) or shift(it, northeast))";
                lines.push(format!("{outcome} if some ({men}) where count({square} and {men}) = 4"));
            }
            other => return Err(told("connectNxN", &other.to_string())),
        }
        for side in ["White", "Black"] {
            let region = |number: u8| variant.text(&format!("connectRegion{number}{side}"));
            if let (Some(first), Some(second)) = (region(1), region(2)) {
                let (first, second) = (self.region(first)?, self.region(second)?);
                let joined = format!("some groups({men}, {ways}) where some it in ({first}) and some it in ({second})");
                lines.push(format!("{outcome} if own is {side} and ({joined})"));
            }
        }
        Ok(())
    }
}
