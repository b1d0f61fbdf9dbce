[
  (game) (variant) (about) (piece) (block) (ways) (setup) (opening) (move_section) (end) (notation) (example) (picture)
] @fold
