//! Records of games: a text goes in; its games come out as moves, each with its line. PGN, SGF, files of Gomoku programs and
//! plain lists of moves are read; which moves are meant, the game itself decides.

/// Most games of a text.
const MOST_GAMES: usize = 1_000_000;

/// A move as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// From 1.
    pub line: usize,
    pub text: String,
    /// Cells by their columns and rows from the top, both from 0, which the text may stand for.
    pub points: Vec<(u32, u32)>,
}

/// Men that SGF sets up before the first move, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetUp {
    pub men: Vec<SetMen>,
    /// Whose move is next, if that is said or the first move tells: `B` or `W`.
    pub to_move: Option<char>,
    /// `PL` says so.
    pub says_player: bool,
}

/// Men of one letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetMen {
    /// From 1.
    pub line: usize,
    pub text: String,
    /// `B` or `W`; nothing where cells are emptied.
    pub letter: Option<char>,
    /// As in [`Item`].
    pub cells: Vec<(u32, u32)>,
}

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub tags: Vec<(String, String)>,
    pub set_up: SetUp,
    pub moves: Vec<Item>,
}

impl Record {
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// It does not begin as the rules say.
    pub fn has_start(&self) -> bool {
        self.tag("FEN").is_some() || !self.set_up.men.is_empty() || self.set_up.says_player
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && !self.has_start()
    }
}

/// Whether a text is moves alone, a line each or several on a line, without anything that only records have.
pub fn is_list(text: &str) -> bool {
    let begun = text.trim_start_matches('\u{feff}').trim_start();
    let is_psq = begun.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("piskvorq"));
    !is_psq && !begun.starts_with("(;") && !begun.starts_with("( ;") && !begun.starts_with('{') && !is_noted(text)
}

/// Tags, numbers or comments of PGN.
fn is_noted(text: &str) -> bool {
    let is_pgn = text.lines().any(|line| line.starts_with('[') && line.trim_end().ends_with(']'));
    is_pgn || text.contains('{') || text.split_whitespace().any(|word| !number_of(word).is_empty())
}

/// The games of a text.
///
/// # Errors
/// What ends where it may not.
pub fn games(text: &str) -> Result<Vec<Record>, String> {
    let begun = text.trim_start_matches('\u{feff}').trim_start();
    let mut games = if begun.starts_with("(;") || begun.starts_with("( ;") {
        sgf(text)?
    } else if begun.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("piskvorq")) {
        vec![points(text)]
    } else {
        moves(text)?
    };
    games.retain(|game| !game.is_empty());
    if games.is_empty() { Err(String::from("it has no game")) } else { Ok(games) }
}

/// Lines `x,y,time` of cells, both numbers from 1 and rows from the top.
fn points(text: &str) -> Record {
    let mut record = Record::default();
    for (before, line) in text.lines().enumerate().skip(1) {
        let numbers: Vec<Option<u32>> = line.split(',').map(|number| number.trim().parse().ok()).collect();
        let [Some(column), Some(row), Some(_)] = numbers.as_slice() else { continue };
        if let (Some(column), Some(row)) = (column.checked_sub(1), row.checked_sub(1)) {
            record.moves.push(Item { line: before + 1, text: line.trim().to_string(), points: vec![(column, row)] });
        }
    }
    record
}

/// A text read sign by sign, with the line that it has come to.
struct Signs<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    line: usize,
}

impl Iterator for Signs<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let sign = self.rest.next()?;
        self.line += usize::from(sign == '\n');
        Some(sign)
    }
}

fn signs(text: &str) -> Signs<'_> {
    Signs { rest: text.chars().peekable(), line: 1 }
}

/// Games of SGF: of each the main line.
fn sgf(text: &str) -> Result<Vec<Record>, String> {
    let mut signs = signs(text);
    let (mut games, mut record) = (Vec::new(), Record::default());
    // How many trees are open, and whether the main line has ended: the first variation that closes ends it.
    let (mut depth, mut ended, mut name, mut closed) = (0_usize, false, String::new(), false);
    while let Some(sign) = signs.next() {
        match sign {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                ended = true;
                if depth == 0 {
                    games.push(std::mem::take(&mut record));
                    ended = false;
                    if games.len() > MOST_GAMES {
                        return Err(format!("more than {MOST_GAMES} games"));
                    }
                }
            }
            '[' => {
                let line = signs.line;
                let value = sgf_value(&mut signs).ok_or_else(|| format!("line {line}: this value has no end"))?;
                if !ended {
                    match name.as_str() {
                        "B" | "W" => {
                            record.set_up.to_move.get_or_insert(if name == "B" { 'B' } else { 'W' });
                            record.moves.extend(sgf_move(line, &value));
                        }
                        "AB" | "AW" | "AE" | "PL" if !record.moves.is_empty() => {
                            return Err(format!(
                                "line {line}: `{name}` sets men up behind a move, which no game plays"
                            ));
                        }
                        "PL" => {
                            let player = sgf_player(&value);
                            let player =
                                player.ok_or_else(|| format!("line {line}: `PL[{value}]` is neither B nor W"))?;
                            (record.set_up.to_move, record.set_up.says_player) = (Some(player), true);
                        }
                        "AB" | "AW" | "AE" => {
                            let cells = sgf_cells(&value);
                            let cells = cells.ok_or_else(|| format!("line {line}: `{value}` is no list of cells"))?;
                            let letter = name.chars().nth(1).filter(|letter| *letter != 'E');
                            record.set_up.men.push(SetMen { line, text: value, letter, cells });
                        }
                        _ => record.tags.push((name.clone(), value)),
                    }
                }
                // Further values belong to the same name.
                closed = true;
            }
            ';' => name.clear(),
            sign if sign.is_ascii_uppercase() => {
                if closed {
                    name.clear();
                    closed = false;
                }
                if name.len() < 8 {
                    name.push(sign);
                }
            }
            _ => {}
        }
    }
    games.push(record);
    Ok(games)
}

/// A value up to its bracket; a backslash lets the next sign stand for itself.
fn sgf_value(signs: &mut Signs<'_>) -> Option<String> {
    let mut value = String::new();
    loop {
        match signs.next()? {
            ']' => return Some(value),
            '\\' => value.extend(signs.next()),
            sign => value.push(sign),
        }
    }
}

/// `B`, and as some programs write it, `black`.
fn sgf_player(value: &str) -> Option<char> {
    let is = |word: &str| value.trim().eq_ignore_ascii_case(word);
    [('B', "black"), ('W', "white")]
        .into_iter()
        .find_map(|(letter, word)| (is(word) || is(letter.encode_utf8(&mut [0; 4]))).then_some(letter))
}

/// The column or row of a letter, from 0.
fn sgf_line(letter: u8) -> Option<u32> {
    match letter {
        b'a'..=b'z' => Some(u32::from(letter - b'a')),
        b'A'..=b'Z' => Some(u32::from(letter - b'A') + 26),
        _ => None,
    }
}

/// One cell, `dd`, or those of a rectangle, `aa:cc`.
fn sgf_cells(value: &str) -> Option<Vec<(u32, u32)>> {
    let cell = |text: &str| match text.trim().as_bytes() {
        [column, row] => sgf_line(*column).zip(sgf_line(*row)),
        _ => None,
    };
    let Some((first, last)) = value.split_once(':') else { return cell(value).map(|cell| vec![cell]) };
    let (first, last) = (cell(first)?, cell(last)?);
    Some((first.1..=last.1).flat_map(|row| (first.0..=last.0).map(move |column| (column, row))).collect())
}

/// Two letters are a cell, four or more are several; nothing, or `tt`, is a pass; what has digits is a move as it stands, with
/// `:` where it captures, and marks behind it. What ends a game otherwise is no move.
fn sgf_move(line: usize, value: &str) -> Option<Item> {
    let value = value.trim().trim_end_matches(['+', '#', '!', '?']);
    let no_move = ["resign", "forfeit", "abort", "draw", "offerdraw", "acceptdraw", "declinedraw"];
    if no_move.iter().any(|word| value.eq_ignore_ascii_case(word)) {
        return None;
    }
    if value.is_empty() || value == "tt" || value.eq_ignore_ascii_case("pass") {
        return Some(Item { line, text: String::from("pass"), points: Vec::new() });
    }
    let pairs = value.as_bytes().chunks(2);
    let points: Option<Vec<_>> =
        pairs.map(|two| sgf_line(two[0]).zip(two.get(1).and_then(|row| sgf_line(*row)))).collect();
    Some(Item { line, text: value.replace(['/', ':'], " "), points: points.unwrap_or_default() })
}

/// Lists of moves, with or without the tags, numbers and comments of PGN.
fn moves(text: &str) -> Result<Vec<Record>, String> {
    if !is_noted(text) {
        // A line is a move, which may have blanks, or several.
        let lines = text.lines().enumerate().map(|(before, line)| (before + 1, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let moves = lines.map(|(line, text)| Item { line, text: text.to_string(), points: Vec::new() }).collect();
        return Ok(vec![Record { moves, ..Record::default() }]);
    }
    let mut signs = signs(text);
    let (mut games, mut record) = (Vec::new(), Record::default());
    let (mut depth, mut word) = (0_usize, String::new());
    while let Some(sign) = signs.next() {
        if !sign.is_whitespace() && !"{;([)".contains(sign) {
            word.push(sign);
            continue;
        }
        let line = signs.line - usize::from(sign == '\n');
        let ended = depth == 0 && take(&mut record, line, &word);
        word.clear();
        if ended {
            games.push(std::mem::take(&mut record));
        }
        match sign {
            '{' => {
                let end = signs.find(|sign| *sign == '}');
                end.ok_or_else(|| format!("line {line}: this comment has no end"))?;
            }
            ';' => {
                let _ = signs.find(|sign| *sign == '\n');
            }
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '[' if depth == 0 => {
                let tag: String = signs.by_ref().take_while(|sign| *sign != '\n').collect();
                if !record.moves.is_empty() {
                    games.push(std::mem::take(&mut record));
                }
                if let Some((name, value)) = tag.trim_end_matches(['\r', ' ', ']']).split_once(' ') {
                    record.tags.push((name.to_string(), value.trim().trim_matches('"').to_string()));
                }
            }
            _ => {}
        }
        if games.len() > MOST_GAMES {
            return Err(format!("more than {MOST_GAMES} games"));
        }
    }
    take(&mut record, signs.line, &word);
    games.push(record);
    Ok(games)
}

/// The number that a word begins with, `12.` or `12...`.
fn number_of(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let dots = word.bytes().skip(digits).take_while(|byte| *byte == b'.').count();
    if digits > 0 && dots > 0 { word.get(..digits + dots).unwrap_or_default() } else { "" }
}

/// Takes in a word; `true`: it is a result, which ends the game.
fn take(record: &mut Record, line: usize, word: &str) -> bool {
    if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
        return !record.is_empty();
    }
    let text = word.get(number_of(word).len()..).unwrap_or_default().trim_start_matches('.');
    let is_mark = text.starts_with('$') || text.bytes().all(|byte| b"!?+#=".contains(&byte));
    if !is_mark {
        record.moves.push(Item { line, text: text.to_string(), points: Vec::new() });
    }
    false
}
