//! Author: random numbers go in; the rules of a made-up game come out.

use rand::{Rng, RngExt};

/// Draws each word of the rules from `lot`.
pub struct Author<R> {
    lot: R,
    kinds: usize,
    hexagon: bool,
    /// What is picked goes on in blocks, each of which knows of it what was known at the pick.
    branches: bool,
}

const KINDS: [&str; 3] = ["man", "lord", "beast"];

impl<R: Rng> Author<R> {
    pub fn new(lot: R) -> Author<R> {
        Author { lot, kinds: 1, hexagon: false, branches: false }
    }

    pub fn with_branches(lot: R) -> Author<R> {
        Author { branches: true, ..Author::new(lot) }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.lot.random_range(0..100) < percent
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.lot.random_range(0..texts.len())]
    }

    fn kind(&mut self) -> &'static str {
        KINDS[self.lot.random_range(0..self.kinds)]
    }

    fn dirs(&mut self) -> &'static str {
        if self.hexagon {
            return self.one(&["straight", "ahead", "behind", "straight and not heading"]);
        }
        self.one(&[
            "straight",
            "orthogonal",
            "diagonal",
            "ahead",
            "forward",
            "sideways",
            "ahead or sideways",
            "forward or backward",
            "straight and not heading",
            "orthogonal and not backward",
        ])
    }

    fn pattern(&mut self) -> String {
        let test =
            self.one(&["empty", "own", "enemy", "occupied", "any", "(empty or enemy)", "(own or empty)", "(not own)"]);
        let count = self.one(&["", "*", "+", "?", "{2}", "{1..2}"]);
        let caught =
            self.one(&["<enemy>", "<enemy+>", "<enemy*>", "<enemy?>", "<occupied>", "<any>", "<(own or empty)>"]);
        let landing = self.one(&["empty", "(empty or <enemy>)", "<enemy>", "landing", "any"]);
        match self.lot.random_range(0..10) {
            0 => "step".to_string(),
            1 => "slide".to_string(),
            2 => "leap".to_string(),
            3 => "long_leap".to_string(),
            4 => "approach or withdrawal".to_string(),
            5 => format!("^ {test}{count} to {landing}"),
            6 => format!("^ empty* {caught} to empty"),
            7 => format!("^ {test}{count} {caught} empty* to {landing}"),
            8 => format!("{caught} ^ to {landing}"),
            _ => format!("^ to {landing} {test}{count}"),
        }
    }

    fn set(&mut self, depth: u32) -> String {
        let kind = self.kind();
        let simple = [
            "own",
            "enemy",
            "empty",
            "occupied",
            "any",
            "last row",
            "rows 1..2",
            "adjacent(own)",
            "adjacent(enemy)",
            "file b",
            "rank 2",
            "liberties(own)",
            "shift(own, ahead)",
            "last",
            "caught",
            "origin",
            "passed",
            "mark",
            "own mark",
        ];
        if depth == 0 || self.chance(40) {
            return if self.chance(25) { kind.to_string() } else { self.one(&simple).to_string() };
        }
        let (a, b) = (self.set(depth - 1), self.set(depth - 1));
        match self.lot.random_range(0..6) {
            0 => format!("({a} and {b})"),
            1 => format!("({a} or {b})"),
            2 => format!("({a} and not {b})"),
            3 => format!("(largest(groups({a})) and any)"),
            4 => format!("((groups({a}) where some it in {b}) and any)"),
            _ => format!("({a} where {})", self.condition("it", depth - 1)),
        }
    }

    /// A condition on one cell.
    fn condition(&mut self, cell: &str, depth: u32) -> String {
        let set = self.set(depth);
        match self.lot.random_range(0..9) {
            0 => format!("{cell} in {set}"),
            1 => format!("not ({cell} in {set})"),
            2 => format!("some adjacent({cell}) in {set}"),
            3 => format!(
                "count(adjacent({cell}) and {set}) {} {}",
                self.one(&["=", "<", ">="]),
                self.one(&["0", "1", "2", "3"])
            ),
            4 => format!("some catches({cell}, {}: custodian)", self.one(&["straight", "ahead"])),
            5 => format!("count(group({cell}, {set})) > {}", self.one(&["0", "1", "2"])),
            6 => format!("not attacked({cell})"),
            7 => format!("some {set}"),
            _ => format!(
                "count({set}) {} count({})",
                self.one(&["=", "<=", ">", "!="]),
                self.one(&["own", "enemy", "empty"])
            ),
        }
    }

    /// What a man that was picked does.
    fn moves(&mut self, man: &str) -> String {
        match self.lot.random_range(0..4) {
            0 | 1 => format!("move {man}"),
            2 => format!("capture {man}"),
            _ => format!("move {man} {}: {}", self.dirs(), self.pattern()),
        }
    }

    fn pick(&mut self, man: &str) -> String {
        let mut text = match self.lot.random_range(0..10) {
            0..6 => format!("pick {man} from own  "),
            6..8 => format!("pick {man} from own {}  ", self.kind()),
            // Cells where no man need stand, men of others and of nobody.
            _ => {
                let from = ["any", "empty", "occupied", "enemy", "neutral", "(own or empty)", "(enemy or neutral)"];
                let from = self.one(&from);
                let from = if self.chance(30) { format!("({from} and {})", self.set(1)) } else { from.to_string() };
                format!("pick {man} from {from}  ")
            }
        };
        if self.chance(25) {
            let condition = self.condition(man, 1);
            text += &format!("need {condition}  ");
        }
        text
    }

    /// What a man that was picked does in one of several blocks.
    fn branches(&mut self, man: &str) -> String {
        let (a, b) = (self.moves(man), self.moves(man));
        let (a_deeds, b_deeds) = (self.deeds(man), self.deeds(man));
        match self.lot.random_range(0..6) {
            0..=2 => format!("first {{ {a}  {a_deeds} }} else {{ {b}  {b_deeds} }}"),
            3 => format!("either {{ {a}  {a_deeds} }} or {{ {b}  {b_deeds} }}"),
            4 => format!("if {} {{ {a}  {a_deeds} }} else {{ {b}  {b_deeds} }}", self.condition(man, 1)),
            _ => format!("if {} {{ {a_deeds} }}  {b}  {b_deeds}", self.condition(man, 1)),
        }
    }

    /// Something that happens to the men.
    fn deed(&mut self, cell: &str) -> String {
        let set = self.set(1);
        match self.lot.random_range(0..8) {
            0 => format!("remove enemy and {set}"),
            1 => format!("flip enemy and {set}"),
            2 => format!("if {cell} is man and {cell} in last row {{ promote {cell} to {} }}", self.kind()),
            3 => format!("set mark = {set}"),
            4 => format!("need {}", self.condition(cell, 1)),
            5 => format!("if {} {{ set score = score + 1 }}", self.condition(cell, 1)),
            6 => format!("remove catches({cell}, straight: custodian)"),
            _ => format!("if {} {{ again }}", "score mod 5 = 4 and count(own) > 3"),
        }
    }

    fn deeds(&mut self, cell: &str) -> String {
        let mut text = String::new();
        while self.chance(30) {
            text += &self.deed(cell);
            text += "  ";
        }
        text
    }

    fn block(&mut self, depth: u32, names: &mut u32) -> String {
        *names += 1;
        let man = format!("chosen{names}");
        let choice = if depth == 0 { self.lot.random_range(0..5) } else { self.lot.random_range(0..9) };
        match choice {
            0..=1 if self.branches => {
                let (pick, branches, deeds) = (self.pick(&man), self.branches(&man), self.deeds(&man));
                format!("{pick}{branches}  {deeds}")
            }
            0..=1 => {
                let (pick, moves, deeds) = (self.pick(&man), self.moves(&man), self.deeds(&man));
                format!("{pick}{moves}  {deeds}")
            }
            2 => {
                let (kind, deeds) = (self.kind(), self.deeds(&man));
                let place = self.one(&["empty", "empty and adjacent(own)", "empty and rows 1..2", "liberties(enemy)"]);
                format!("pick {man} from {place}  place own {kind} on {man}  {deeds}")
            }
            3 => {
                let moves = self.moves(&man);
                let most = if self.chance(50) { "  most count(caught)" } else { "" };
                let need = if self.chance(30) { format!("  need {}", self.condition(&man, 1)) } else { String::new() };
                let pick = self.pick(&man);
                format!("{pick}repeat {{ {moves}{need} }}{most}")
            }
            4 => {
                let (pick, way, pattern) = (self.pick(&man), self.dirs(), self.pattern());
                let deeds = self.deeds(&man);
                if self.chance(50) {
                    return format!(
                        "{pick}let start{names} = {man}  move {man} {way}: {pattern}  need {man} != start{names}  {deeds}"
                    );
                }
                let near = if self.chance(30) { format!("adjacent({man})") } else { self.set(1) };
                let bound = format!("let way{names} = {way}  let near{names} = {near}");
                let moves = format!("move {man} way{names}: {pattern} or ^ empty* to (empty and near{names})");
                let rounds = format!("repeat {{ {moves}  set way{names} = heading }}");
                format!("{pick}{bound}  {}  {deeds}", if self.chance(50) { moves } else { rounds })
            }
            5..=6 => {
                let (a, b) = (self.block(depth - 1, names), self.block(depth - 1, names));
                format!("either {{ {a} }} or {{ {b} }}")
            }
            7 => {
                let (a, b) = (self.block(depth - 1, names), self.block(depth - 1, names));
                let pass = if self.chance(30) { " else { pass }" } else { "" };
                format!("first {{ {a} }} else {{ {b} }}{pass}")
            }
            _ => {
                let (a, b, condition) = (self.block(depth - 1, names), self.block(depth - 1, names), self.set(1));
                format!("if some {condition} {{ {a} }} else {{ {b} }}")
            }
        }
    }

    /// The text of a game. It need not load: chance knows nothing of what makes sense.
    pub fn game(&mut self) -> String {
        self.hexagon = self.chance(15);
        self.kinds = self.lot.random_range(1..=3);
        let board = match self.lot.random_range(0..4) {
            _ if self.hexagon => "hexagon side 3".to_string(),
            0 => "square 5 by 5, lines orthogonal, diagonal where (file of it + rank of it) mod 2 = 0".to_string(),
            1 => "square 9 by 8".to_string(),
            _ => format!("square {} by {}", self.lot.random_range(3..7), self.lot.random_range(4..7)),
        };
        let mut text = format!("game \"Made up\" {{\n  players White north, Black south\n  board {board}\n");
        text += self.one(&["", "", "  captures leave at end of move\n"]);
        for kind in KINDS.iter().take(self.kinds) {
            let ways: Vec<String> =
                (0..self.lot.random_range(1..3)).map(|_| format!("move {}: {}", self.dirs(), self.pattern())).collect();
            text += &format!("  piece {kind} {{ {} }}\n", ways.join("  "));
        }
        text += self.one(&["  remember mark = none\n", "  remember mark = none for one turn\n"]);
        text += "  remember score = 0\n  setup {\n";
        text += "    place White man on row 1 and any  place Black man on last row and any\n";
        if self.kinds > 1 {
            text += "    place White lord on nth(rank 2, 2)  place Black lord on nth(rank 3, 1)\n";
        }
        if self.chance(30) {
            text += &format!("    place neutral {} on nth(rank 2, {})\n", self.kind(), self.lot.random_range(1..4));
        }
        text += "  }\n";
        let mut names = 0;
        let (block, deeds) = (self.block(2, &mut names), self.one(&["", "", "remove caught and own", "need some own"]));
        text += &format!("  move {{\n    {block}\n    {deeds}\n  }}\n  end {{\n");
        for outcome in [
            "win if some own in last row and count(own) < 4",
            "win if no enemy",
            "draw if score > 3",
            "draw if times(position) >= 3",
        ] {
            if self.chance(50) {
                text += &format!("    {outcome}\n");
            }
        }
        text += self.one(&[
            "    win if stuck(enemy)\n",
            "    draw if stuck(enemy)\n",
            "    highest count(own) wins if stuck(enemy)\n",
        ]);
        text + "  }\n}\n"
    }
}
