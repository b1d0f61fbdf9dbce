//! Foreign words: a word that other languages have goes in; what to say or write here comes out.

/// What no game of this language has, whatever word it is asked by.
pub fn missing(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "dice" | "die" | "roll" | "random" | "rand" | "randint" | "chance" | "shuffle" | "coin" => {
            "chance chooses by `pick n from 1..6 by chance` or `either by chance { } or { }`"
        }
        "hidden" | "secret" | "invisible" | "fog" | "visible" => "nothing is hidden: all players see the whole board",
        "simultaneous" | "simultaneously" => "players move one after the other",
        "break" | "continue" => {
            "a loop goes on while its condition holds: `let more = true   repeat while more { ... set more = false }`; the rest of a round \
             stands in `if ... { }`"
        }
        "until" => {
            "a loop goes on while its condition holds, and asks it before each round: `repeat while not (...) { ... }`"
        }
        "cards" | "card" | "deck" => "there are men on a board and in hands, and no cards",
        _ => return None,
    })
}

/// The word that begins such a statement here.
pub fn statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "choose" | "select" | "pickup" => "pick",
        "put" | "add" | "drop" | "insert" | "spawn" => "place",
        "delete" | "kill" | "destroy" | "erase" => "remove",
        "take" | "eat" => "capture",
        "go" | "jump" | "hop" | "walk" => "move",
        "require" | "assert" | "must" | "ensure" => "need",
        "loop" => "repeat",
        "foreach" | "forall" => "for each",
        "call" | "run" | "perform" => "do",
        "skip" | "nothing" | "noop" => "pass",
        "var" | "const" | "local" => "let",
        "assign" | "change" => "set",
        "elif" | "elsif" | "elseif" | "otherwise" => "else if",
        "reverse" | "turn_over" | "invert" => "flip",
        "upgrade" | "crown" => "promote",
        "maximize" | "maximise" => "most",
        _ => return None,
    })
}

/// How such a value, set or direction is said here.
pub fn value(word: &str) -> Option<&'static str> {
    Some(match word {
        "me" | "mover" | "my" | "mine" | "self" | "us" | "friend" | "friendly" | "player" | "current" => "write `own`",
        "opponent" | "opponents" | "them" | "foe" | "other" | "his" | "their" | "opp" | "next" => "write `enemy`",
        "vacant" | "blank" | "free" | "unoccupied" => "write `empty`",
        "all" => "write `any` for all cells of the board, `straight` for all its directions",
        "everything" | "cells" | "squares" | "everywhere" => "write `any`, the cells of the board",
        "full" => "write `no empty`",
        "men" | "pieces" | "stones" => "write `occupied`, or `own` and `enemy`",
        "captured" | "taken" => "write `caught`, the cells caught in this turn",
        "null" | "nil" | "nothing" | "empty_set" => "write `none`",
        "up" => "write `north`, or `forward` as each player sees it",
        "down" => "write `south`, or `backward` as each player sees it",
        "left" | "right" => "write `west` or `east`, or `sideways` for both",
        "horizontal" | "horizontally" => "write `east or west`, or `sideways` as each player sees it",
        "vertical" | "vertically" => "write `north or south`",
        "omnidirectional" => "write `straight`, all directions of the board",
        "cardinal" => "write `orthogonal`",
        "neighbours" | "neighbors" | "neighbour" | "neighbor" | "around" => "write `adjacent(c)`",
        "size" | "len" | "length" | "number" | "cardinality" | "amount" => {
            "write `count(S)`, or give a `param` this name"
        }
        "over" | "through" | "past" => {
            "what is jumped over stands between: `^ enemy to empty`, or caught `^ <enemy> to empty`"
        }
        "turn_number" | "move_number" | "moves" | "ply" | "plies" | "round" => "write `turns`, the number of the turn",
        "stalemate" | "blocked" | "cannot_move" | "no_moves" => "write `stuck(enemy)`: the next player has no move",
        "checkmate" | "mate" => "write `stuck(enemy) and attacked(S)`, S the man who may not be captured",
        "check" => "write `attacked(S)`, S the man who may not be captured",
        "repetition" | "repeated" => "write `times(position) >= 3`",
        "except" | "without" | "minus" | "excluding" => "the cells of S that are not in T are `S and not T`",
        "max" | "min" => "write `if a > b then a else b`; the largest group of a set is `largest(groups(S))`",
        "nrow" | "inrow" | "in_a_row" | "in_row" => "write `some segments(own, straight, 3)`",
        _ => return None,
    })
}
