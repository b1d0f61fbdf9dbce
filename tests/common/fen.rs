//! FEN, X-FEN and Shredder-FEN to positions of Chess and Chess960, FEN to positions of Xiangqi.

/// The text of a position of Chess. Castling rights become marks on kings and rooks, `KQkq` the
/// outermost rook of that side; the cell that a pawn skipped counts only where a pawn stands beside
/// the jumper. Whether he may take is not asked.
pub fn chess(fen: &str) -> String {
    let words: Vec<&str> = fen.split_whitespace().collect();
    let ranks: Vec<Vec<char>> = words[0].split('/').map(spread).collect();
    assert!(ranks.len() == 8 && ranks.iter().all(|rank| rank.len() == 8), "{fen}");
    let white = words[1] == "w";
    let mut text = format!("{} {}", words[0], if white { "White" } else { "Black" });
    let unmoved = unmoved(&ranks, words.get(2).copied().unwrap_or("-"));
    if !unmoved.is_empty() {
        text += &format!(" unmoved={}", unmoved.join("+"));
    }
    if let Some(skipped) = words.get(3).filter(|cell| **cell != "-") {
        let file = usize::from(skipped.as_bytes()[0] - b'a');
        let (jumped, pawn) = if white { (3, 'P') } else { (4, 'p') };
        let beside = [file.checked_sub(1), Some(file + 1)];
        if beside.into_iter().flatten().any(|file| ranks[jumped].get(file) == Some(&pawn)) {
            text += &format!(" skipped={skipped}");
        }
    }
    match words.get(4) {
        Some(quiet) if *quiet != "0" => text + &format!(" quiet={quiet}"),
        _ => text,
    }
}

/// The text of a position of Xiangqi.
pub fn xiangqi(fen: &str) -> String {
    let mut words = fen.split_whitespace();
    let board = words.next().expect("a board");
    format!("{board} {}", if words.next() == Some("b") { "Black" } else { "Red" })
}

/// A rank's men, `.` for each empty cell.
fn spread(rank: &str) -> Vec<char> {
    let cell = |glyph: char| match glyph.to_digit(10) {
        Some(empty) => vec!['.'; empty as usize],
        None => vec![glyph],
    };
    rank.chars().flat_map(cell).collect()
}

/// The cells of kings and rooks that may castle, in board order.
fn unmoved(ranks: &[Vec<char>], rights: &str) -> Vec<String> {
    let mut cells = Vec::new();
    for (rank, row, king, rook) in [(1, &ranks[7], 'K', 'R'), (8, &ranks[0], 'k', 'r')] {
        let Some(king_at) = row.iter().position(|man| *man == king) else { continue };
        let mut files = Vec::new();
        for right in rights.chars().filter(|right| right.is_uppercase() == king.is_uppercase()) {
            files.push(match right.to_ascii_lowercase() {
                'k' => row.iter().rposition(|man| *man == rook).expect("a rook on the king's side"),
                'q' => row.iter().position(|man| *man == rook).expect("a rook on the queen's side"),
                file @ 'a'..='h' => usize::from(file as u8 - b'a'),
                '-' => continue,
                other => panic!("no castling right: {other}"),
            });
        }
        if !files.is_empty() {
            files.push(king_at);
        }
        files.sort_unstable();
        cells.extend(files.into_iter().map(|file| format!("{}{rank}", char::from(b'a' + file as u8))));
    }
    cells
}
