; Words of the language

[
  "game" "variant" "extends" "about" "players" "teams" "board" "captures" "setup" "opening" "turn" "end" "notation"
  "alias" "example"
] @keyword

["piece" "remember" "define" "pattern" "action" "param" "let"] @keyword

["pick" "from" "by" "either" "or" "first" "else" "repeat" "while" "for" "each" "in" "if" "then" "need" "most" "set" "do"
 "move" "capture" "place" "on" "to" "remove" "of" "flip" "promote" "with" "picture" "wins" "win" "lose" "draw"
 "highest" "where" "per" "silently" "chance"] @keyword

["position" "play" "legal" "only" "nothing" "illegal" "caught" "gives" "perft" "goes"] @keyword

["and" "not" "some" "no" "mod"] @keyword.operator
(relation) @operator

[
  (as_usual) (pass) (swap) (again) (mirror) (rotate) (in_steps) (bottom_of) (from_hand) (to_hand) (leave_at_end)
  (go_to_hand) (per_player) (on_pieces) (for_one_turn) (points) (stacks) (wrap)
] @keyword

["square" "hexagon" "side" "lines" "without" "hand" "neutral" "value"] @keyword
["file" "files" "rank" "ranks" "row" "rows"] @keyword
(last_row) @keyword

; Marks

["=" "+" "-" "*" "/" "?" ".." "<" ">"] @operator
(anchor) @operator
["{" "}" "(" ")"] @punctuation.bracket
["," ":"] @punctuation.delimiter

; Values

(comment) @comment
(string) @string
(number) @number
(cell) @constant
(glyph) @character
(letter) @constant
(player) @type

; Names

(piece name: (name) @type)
(define name: (name) @function)
(action name: (name) @function)
(pattern_decl name: (name) @function)
(param name: (name) @constant)
(remember name: (name) @variable)
(part name: (name) @label)
(do_ name: (name) @function)
(about_entry (name) @property)
(parameters (name) @parameter)
(call (name) @function.call)

((name) @constant.builtin
  (#match? @constant.builtin "^(own|enemy|ally|neutral|any|empty|occupied|straight|orthogonal|diagonal|north|northeast|east|southeast|south|southwest|west|northwest|forward|backward|ahead|behind|sideways|outward|axes|last|origin|passed|heading|caught|here|it|cycle|turns|changed|true|false|none)$"))

((call (name) @function.builtin)
  (#match? @function.builtin "^(count|adjacent|shift|groups|group|segments|largest|sizes|span|nth|opposite|height|bottom|hand|catches|reach|attacked|stuck|times|value)"))
