//! Snippets: a word that begins a section, a statement or an outcome goes in; what is written with it comes out.

/// Sections of a game, with places to fill in.
pub const SECTIONS: [(&str, &str); 19] = [
    ("about", "about { ${1:note} \"$2\" }"),
    ("players", "players ${1:White} ${2:north}, ${3:Black} ${4:south}"),
    ("teams", "teams ${1:White} and ${2:Red}, ${3:Black} and ${4:Blue}"),
    ("board", "board ${1:square 8 by 8}"),
    ("captures", "captures ${1|leave at end of move,go to hand|}"),
    ("piece", "piece ${1:man} { move ${2:straight}: ${3:step} }"),
    ("remember", "remember ${1:name} = ${2:0}"),
    ("setup", "setup {\n  place ${1:man} on ${2:rows 1..2}\n  ${3:mirror}\n}"),
    ("opening", "opening {\n  turn { $1 }\n}"),
    ("move", "move {\n  pick ${1:p} from ${2:own}\n  move ${1:p}$0\n}"),
    ("end", "end {\n  win if ${1:stuck(enemy)}\n}"),
    ("notation", "notation {\n  alias \"$1\" for $2\n}"),
    ("variant", "variant \"$1\" {\n  $0\n}"),
    ("example", "example \"$1\" { position \"$2\"   legal \"$3\" }"),
    ("param", "param ${1:size} = ${2:8} in ${3:4..12}"),
    ("define", "define ${1:name} = $0"),
    ("pattern", "pattern ${1:name} = ^ ${2:to empty}"),
    ("action", "action ${1:name} {\n  $0\n}"),
    ("do", "do ${1:part} {\n  $0\n}"),
];

/// Statements of a program.
pub const STATEMENTS: [(&str, &str); 25] = [
    ("pick", "pick ${1:p} from ${2:own}"),
    ("either", "either { $1 }\nor { $2 }"),
    ("first", "first { $1 }\nelse { $2 }"),
    ("repeat", "repeat { $1 }"),
    ("repeat while", "repeat while ${1:C} { $2 }"),
    ("for each", "for each ${1:c} in ${2:own} { $3 }"),
    ("if", "if ${1:C} { $2 }"),
    ("need", "need $1"),
    ("most", "most ${1:count(caught)}"),
    ("let", "let ${1:x} = $2"),
    ("set", "set ${1:x} = $2"),
    ("do", "do $1"),
    ("move", "move ${1:p}"),
    ("capture", "capture ${1:p}"),
    ("place", "place ${1:man} on ${2:c}"),
    ("remove", "remove $1"),
    ("flip", "flip $1"),
    ("promote", "promote ${1:p} to ${2:kind}"),
    ("as usual", "as usual"),
    ("pass", "pass"),
    ("swap", "swap"),
    ("again", "again"),
    ("mirror", "mirror"),
    ("rotate", "rotate"),
    ("picture", "picture \"\n$1\n\""),
];

/// Outcomes of a game.
pub const OUTCOMES: [(&str, &str); 5] = [
    ("win if", "win if ${1:stuck(enemy)}"),
    ("lose if", "lose if $1"),
    ("draw if", "draw if ${1:times(position) >= 3}"),
    ("highest", "highest ${1:count(own)} wins if ${2:no empty}"),
    ("as usual", "as usual"),
];
