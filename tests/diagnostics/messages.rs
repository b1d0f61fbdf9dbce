//! What a newcomer writes, as other languages have it or by a slip, and how he is told to mend it.

use lusoria::check::{Mistake, check};
use lusoria::shipped::Shipped;
use lusoria::source::Source;

/// Where in a game the text stands.
#[derive(Clone, Copy)]
enum Part {
    /// The text is the whole file.
    File,
    /// It stands among the sections.
    Section,
    /// It stands for the section of the board, of the pieces, ...
    Board,
    Piece,
    Setup,
    Move,
    End,
}

use Part::{Board, End, File, Move, Piece, Section, Setup};

/// A text, and what is said of it: words of the message or of the help of some mistake.
const MESSAGES: &[(Part, &str, &str)] = &[
    // The file and its sections.
    (File, "", "`game \"Title\" { ... }`"),
    (File, "(game \"Tic-Tac-Toe\" (players 2))", "a rules file is `game \"Title\" { ... }`"),
    (File, "board square 8 by 8", "a rules file is `game \"Title\" { ... }`"),
    (File, "game T { }", "write `game \"T\"`"),
    (File, "game \"B\" extends Breakthrough { }", "write `extends \"Breakthrough\"`"),
    (File, "game \"B\" extends \"Breakthroug\" { }", "did you mean `Breakthrough`?"),
    (File, "game \"B\" extends \"nine mens moris\" { }", "did you mean `Nine Men's Morris`?"),
    (File, "game \"B\" extends \"chess.rules\" { }", "name the title of its game, not its file"),
    (
        File,
        "game \"B\" extends \"Fanorona\" { variant \"C\" extends \"D\" { } variant \"E\" { } }",
        "the variants are `C`, `E`",
    ),
    (File, "game \"A\" extends \"Chess\" { }\ngame \"B\" extends \"A\" { }", "write `variant \"B\" { ... }` within it"),
    (Section, "dice 2", "chance chooses by `pick n from 1..6 by chance`"),
    (Section, "simultaneous", "players move one after the other"),
    (Section, "equipment { }", "the sections are `about`"),
    (Section, "rules { pass }", "the sections are `about`"),
    (Section, "varaint \"V\" { }", "did you mean `variant`?"),
    (Section, "pieces king, rook", "did you mean `piece`?"),
    (Section, "piece king, rook", "`piece king   piece rook`"),
    (Section, "piece king k", "write `K`"),
    (Section, "piece king \"K\"", "the letter of a piece is one capital without quotes"),
    (Section, "piece monk M", "`piece monk O`"),
    (Section, "remember score per player = 0", "`remember score = 0 per player`"),
    (Section, "remember score", "`remember score = 0`"),
    (Section, "remember score: number = 3", "`remember score = 3`"),
    (Section, "remember x = -3", "write `0 - 3`"),
    (Section, "define f(a, b) = a in b   define g = f(own)", "it is declared as `f(a, b)`"),
    (Section, "action f(a) { remove a }   define g = own   opening { turn { do f } }", "it is declared as `f(a)`"),
    // The board.
    (Board, "board 8x8", "write `square 8 by 8`"),
    (Board, "board square 8x8", "write `square 8 by 8`"),
    (Board, "board 8 by 8", "write `board square 8 by 8`"),
    (Board, "board 8 * 8", "write `board square 8 by 8`"),
    (Board, "board square 15", "write `board square 15 by 15`"),
    (Board, "board points 9 by 9", "write `board square 9 by 9`"),
    (Board, "board hexagon 5", "write `board hexagon side 5`"),
    (Board, "board hex 5", "write `board hexagon side 5`"),
    (Board, "board square 8 by 8 lines orthogonal", "a comma stands before it: `, lines`"),
    (Board, "board square 5 by 5 with stacks", "in place of `with`: `, stacks`"),
    (Board, "board points, lines aa1 za1 ca1", "files are `a` to `z`, then `aa` to `cu`"),
    (Board, "board points, lines a1 a2 a100", "ranks are 1 to 99"),
    // Pieces and patterns.
    (Piece, "move forward: ^ -> empty", "`^ to empty`"),
    (Piece, "move forward: ^ => empty", "`^ to empty`"),
    (Piece, "move forward: ^ \u{2192} empty", "`^ to empty`"),
    (Piece, "move forward: ^ over enemy to empty", "`^ enemy to empty`"),
    (Piece, "move forward: ^ (empty) 2 to empty", "how often is said in braces"),
    (Piece, "move forward step", "`move forward: step`"),
    (Piece, "move forward", "`move forward: step`"),
    (Piece, "move step straight", "`move straight: step`"),
    (Piece, "slide orthogonal", "`move orthogonal: slide`"),
    (Piece, "forward or sideways: step", "`move forward or sideways: step`"),
    (Piece, "forward: step capture ahead diagonal: ^ to enemy", "`move forward: step`"),
    (Piece, "forward: step   sideways: slide", "`move forward: ...`"),
    (Piece, "move forward: ^ empty+ to empty then sideways: step", "`..., sideways: step`"),
    (Piece, "step", "`move straight: step`"),
    (Piece, "move forward: step capture diagonal: ^ to enemy", "`move diagonal: ^ to <enemy>`"),
    (Piece, "move all: step", "`straight` for all its directions"),
    (Piece, "move up: step", "`forward` as each player sees it"),
    (Piece, "move horizontally: slide", "`sideways` as each player sees it"),
    (Piece, "move diagonally: slide", "did you mean `diagonal`?"),
    (Piece, "move straight: ^ to (rank 1 and (empty or <enemy>))", "write `(rank 1 and empty or <rank 1 and enemy>)`"),
    (Piece, "move straight: ^ to ((empty or <enemy>) and rank 1)", "for `(a and (b or <c>))` write"),
    // Set-ups.
    (Setup, "place man on a1, b1, c1", "`a1 b1 c1`"),
    (Setup, "place man on a1..c1, e1", "`a1..c1 e1`"),
    (Setup, "place man on row 1, row 2", "sets are joined by `or`"),
    (Setup, "place man on a1, place man on b1", "leave out the comma"),
    (Setup, "place man from hand on a1", "`place man on ... from hand`"),
    (Setup, "place man on row1", "did you mean `row 1`?"),
    (Setup, "place white man on a1", "did you mean `White`?"),
    (Setup, "place Man on a1", "write `man`"),
    (Setup, "place Whit man on a1", "did you mean `White`?"),
    (Setup, "place man on f9", "from `a1` to `e5`"),
    (
        Setup,
        "for i in 1..5 { place man on file i and row 1 }",
        "`let i = 1   repeat while i <= 5 { ... set i = i + 1 }`",
    ),
    (
        Setup,
        "for each i in 1..5 { place man on file i and row 1 }",
        "`let i = 1   repeat while i <= 5 { ... set i = i + 1 }`",
    ),
    (Setup, "for c in row 1 { place man on c }", "write `for each c in S { ... }`"),
    (Setup, "put man on a1", "did you mean `place`?"),
    (Setup, "place man on z9", "from `a1` to `e5`"),
    (Setup, "either by chance { place man on a1 } or { place man on a2 }", "`either { ... } or { ... }`"),
    (Setup, "either 2 { place man on a1 } or { place man on a2 }", "leave the weights out"),
    (Setup, "pick c from empty by chance place man on c", "leave out `by chance`: `pick c from empty`"),
    (Board, "board square 5 by 5, without a3 c3\n  define lost = c3", "the board leaves it out by `without`"),
    (Board, "board hexagon side 3\n  define lost = a5", "of this file go from `a1` to `a3`"),
    // Turns.
    (Move, "pick p from own move p straight: ^ (own where it in file a) to empty", "`define s = own where ...`"),
    (Move, "pick p from own move p straight: (step where it in file a)", "a path takes no `where`"),
    (Move, "pick p from own pick d from heading + 2 move p d: step", "`from (heading + 2)`"),
    (Move, "pick p from own move p straight - north: step", "`straight and not north`"),
    (Move, "pick p from own repeat { move p straight: step } until p in row 5", "`repeat while not (...) { ... }`"),
    (Move, "pick p from own either by chance 1/2 { move p straight: step } or { pass }", "which are whole numbers"),
    (Section, "remember sum = 0 for player", "write `per player`"),
    (Move, "pick p from own move p let n = n + 1", "write `set n = n + 1`"),
    (Move, "pick p from own move p let x = 1 let x = x + 1", "write `set x = x + 1`"),
    (Move, "pick p from own move p set n += 1", "write `set n = n + 1`"),
    (Move, "pick p from own move p set n -= 2", "write `set n = n - 2`"),
    (Move, "pick p from own move p set n *= count(own)", "write `set n = n * ...`"),
    (Move, "pick p from own move p n++", "write `set n = n + 1`"),
    (Move, "pick p from own move p\nn = n + 1", "`set n = ...`"),
    (Move, "pick p from own move p let x := 1", "write `=`"),
    (Move, "pick p from own move p if n == 1 { pass }", "write `=`"),
    (Move, "pick p from own move p if n <> 1 { pass }", "write `!=`"),
    (Move, "pick p from own move p if n \u{2265} 1 { pass }", "write `>=`"),
    (Move, "pick p from own move p if p in a1 { let x = 1 } need x = 1", "make it before that block"),
    (Move, "pick p from own move p for each c in own { let x = c } remove x", "make it before that block"),
    (Move, "for each c in own { } move c", "make it before that block"),
    (
        Move,
        "pick p from own while some adjacent(p) in empty { move p }",
        "write `repeat while some adjacent(p) in empty { ... }`",
    ),
    (Move, "while true { pass }", "write `repeat while true { ... }`"),
    (Move, "foreach p in own { pass }", "did you mean `for each`?"),
    (Move, "choose p from own move p", "did you mean `pick`?"),
    (Move, "move nth(own, 1) straight: step", "`let m = nth(own, 1)   move m ...`"),
    (Move, "capture adjacent(last)", "`let m = adjacent(last)   capture m ...`"),
    (Move, "pick from own", "`pick p from own`"),
    (Move, "pick 3 from own", "`pick 3 p from own`"),
    (Move, "pick p from me move p", "write `own`"),
    (Move, "pick p from opponent move p", "write `enemy`"),
    (Move, "pick c from vacant place man on c", "write `empty`"),
    (Move, "pick p from own remove own except p", "the cells of S that are not in T are `S and not T`"),
    (Move, "first { pick p from own move p }", "a `first` has two blocks or more: `first { ... } else { ... }`"),
    (Move, "pick p from own repeat 3 { move p }", "`let i = 1   repeat while i <= 3 { ... set i = i + 1 }`"),
    (Move, "pick p from own repeat n { move p }", "repeat while i <= n {"),
    (Move, "let n = 2 pick n q from own remove q", "how many are picked is written as a number: `pick 2 q from S`"),
    (Move, "pick p from own move p need hand(own man) > 0", "men in hand are counted of all kinds: `hand(own)`"),
    (Move, "pick c from empty let k = man place k on c", "no player, cell or number stands for a kind"),
    (Move, "pick p from own move forward: step", "`move p forward: ...`"),
    (Move, "pick p from own move p forward", "`move p forward: step`"),
    (Move, "pick p from own move p slide orthogonal", "`move p orthogonal: slide`"),
    (Move, "place man at any empty", "write `on`: `place man on ...`"),
    (Move, "pick c from empty place man at c", "write `on`: `place man on ...`"),
    (Move, "pick p from own move p if empty(p) { pass }", "`p in empty`"),
    (Move, "pick p from own move p if p.king { pass }", "a range is written `1..3`"),
    (Move, "roll x from 1..6", "chance chooses by `pick n from 1..6 by chance`"),
    (Move, "let x = random(1..6) pick p from own move p", "chance chooses by `pick n from 1..6 by chance`"),
    (Move, "pick p from own by Chance move p", "chance chooses by `pick n from 1..6 by chance`"),
    (Move, "pick p from own by chanse move p", "did you mean `chance`?"),
    (Move, "either by Chace { pass } or { pick p from own move p }", "did you mean"),
    (Move, "either by chanc { pass } or { pick p from own move p }", "did you mean `chance`?"),
    (Move, "pick p from own by enmy move p", "did you mean `enemy`?"),
    (
        Move,
        "pick p from own repeat { if n = 1 { break } move p }",
        "`let more = true   repeat while more { ... set more = false }`",
    ),
    (Move, "pick c from empty put man on c", "write `place` for `put`"),
    (Move, "pick p from own jump p", "write `move`"),
    (Move, "pick p from own repeat { move p break }", "`let more = true   repeat while more { ... set more = false }`"),
    (Move, "pick p from own repeat { move p continue }", "the rest of a round stands in `if ... { }`"),
    (Move, "pick p from own where rank of it in 2..3 move p", "`it in ranks 2..3`"),
    (Move, "pick p from own move p need row of p not in 2..3", "`p not in rows 2..3`"),
    (Move, "pick p from own move p need file of p in 2..3", "`file of p >= 2 and file of p <= 3`"),
    (Move, "pick p from own move p need n in 2..3", "`n >= 2 and n <= 3`"),
    (Move, "pick p from own move p need n not in 2..3", "`(n < 2 or n > 3)`"),
    (Move, "pick p from own move p need count(own) in 2..3", "`n >= 2 and n <= 3`"),
    (
        Move,
        "pick p from own move p flip adjacent(p) and own to enemy",
        "`remove adjacent(p) and own   place enemy KIND on adjacent(p) and own`",
    ),
    (Move, "pick p from enemy flip p to own", "become `own` anyway: `flip p`"),
    (Move, "pick p from own move p // and on", "`#` before a comment"),
    (Move, "pick p from own move p -- and on", "`#` before a comment"),
    (Move, "pick p from own move p need some adjacent(p) and enemy", "`some (adjacent(p) and enemy)`"),
    (Move, "pick p from own move p need p in rank 1 or rank 5", "`p in (rank 1 or rank 5)`"),
    (Move, "pick p from own move p need no own in rank 1 or file a", "`no own in (rank 1 or file a)`"),
    (Move, "pick p from own where it in rank 1 or it in rank 2 move p", "`own where (it in rank 1 or it in rank 2)`"),
    (Move, "pick p from own where it in rank 1 or empty move p", "`(own where it in rank 1) or empty`"),
    // Outcomes.
    (End, "Black loses if no own", "say who wins: `White wins if ...`"),
    (End, "White lose if no own", "say who wins: `Black wins if ...`"),
    (End, "White win if no enemy", "write `White wins if ...`"),
    (End, "White draws if no enemy", "write `draw if ...`"),
    (End, "wins if no enemy", "write `win if ...`"),
    (End, "own wins if no enemy", "write `win if ...`"),
    (End, "enemy wins if no own", "write `lose if ...`"),
    (End, "tie if no empty", "write `draw if ...`"),
    (End, "draw when no empty", "write `draw if ...`"),
    (End, "if no enemy { win }", "write `win if no enemy`"),
    (End, "if own is White { win if no enemy } else { lose if no own }", "write `win if own is White and no enemy`"),
    (End, "if no own or no enemy { draw if no empty }", "write `draw if (no own or no enemy) and no empty`"),
    (End, "if no enemy then win", "an outcome is `win if C`"),
    (End, "win if 5 in a row", "`some axes where count(run(last, own, it)) >= 5`"),
    (End, "win if four in a row", "`some axes where count(run(last, own, it)) >= 4`"),
    (End, "win if own reaches last row", "`some own in last row`"),
    (End, "win if man at the last rank", "`some own in last row`"),
    (End, "win if last row has own", "`some own in last row`"),
    (End, "win if enemy cannot move", "`stuck(enemy)`"),
    (End, "draw if repeated 3", "`times(position) >= 3`"),
    (End, "win if enemy has no men", "`no enemy`"),
    (End, "win if some own where (file + rank) mod 2 = 0", "`file of it`"),
    (End, "draw if pass pass", "`remember passes = 0`"),
    (End, "win if enemy = 0", "`count(S)` is how many members a set has"),
    (End, "when no empty: win", "an outcome is `win if C`"),
    (End, "draw if turn > 50", "write `turns`"),
    (End, "draw if plies >= 50", "write `turns`"),
    (End, "draw if full", "write `no empty`"),
    (End, "win if checkmate", "`stuck(enemy) and attacked(S)`"),
    (End, "win if True", "did you mean `true`?"),
    (End, "win if no Enemy", "did you mean `enemy`?"),
];

/// The text in its place in a small game.
fn game(part: Part, text: &str) -> String {
    let section =
        |other: Part, word: &str, usual: &str| match std::mem::discriminant(&other) == std::mem::discriminant(&part) {
            true if matches!(part, Board | Section) => format!("  {text}\n"),
            true => format!("  {word} {{ {text}\n  }}\n"),
            false => format!("  {usual}\n"),
        };
    if matches!(part, File) {
        return text.to_string();
    }
    let sections = [
        section(Board, "", "board square 5 by 5"),
        section(Piece, "piece man", "piece man { move straight: step }"),
        String::from("  remember n = 0\n"),
        section(Section, "", ""),
        section(Setup, "setup", "setup { place man on row 1   mirror }"),
        section(Move, "move", "move { pick p from own   move p   set n = n + 1 }"),
        section(End, "end", "end { win if stuck(enemy) }"),
    ];
    format!("game \"T\" {{\n  players White north, Black south\n{}}}\n", sections.concat())
}

#[test]
fn a_built_in_name_that_is_declared_is_told_once() {
    let section = "remember reach = 1   define far(c) = some c in file (reach)   remember later = reach + 1";
    let checked = check(Source::new("t.rules", game(Part::Section, section)), &Shipped);
    let codes: Vec<&str> = checked.mistakes.iter().map(Mistake::code).collect();
    assert_eq!(codes, ["builtin-name"]);
}

#[test]
fn mistakes_say_how_to_mend_them() {
    let mut wrong = String::new();
    for (part, text, wanted) in MESSAGES {
        let checked = check(Source::new("t.rules", game(*part, text)), &Shipped);
        let said = |mistake: &Mistake| {
            format!("{}: {}; {}", mistake.code(), mistake.message(), mistake.help().unwrap_or_default())
        };
        let all: Vec<String> = checked.mistakes.iter().map(said).collect();
        if !all.iter().any(|said| said.contains(wanted)) {
            wrong += &format!("`{text}`\n  wanted {wanted}\n  said   {}\n", all.join("\n         "));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
