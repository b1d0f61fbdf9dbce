/**
 * Grammar of Lusoria for tree-sitter: the same language as grammar/*.pest, with the same names of rules where trees
 * show them. A test of the project holds the trees of both against each other on all rules files.
 *
 * What pest reads greedily is told apart here by precedence, or read both ways until one of them fails.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const list = (rule) => seq(rule, repeat(seq(',', rule)));
const joined = (word, rule) => seq(rule, repeat1(seq(word, rule)));

module.exports = grammar({
  name: 'lusoria',

  extras: ($) => [/\s/, /\uFEFF/, $.comment],

  word: ($) => $._identifier,

  conflicts: ($) => [
    [$.amount, $.man],
    [$.amount, $._several],
    [$.move_],
    [$.range],
    [$.lines],
  ],

  rules: {
    file: ($) => choice($.game, repeat($._declaration)),

    // Declarations

    game: ($) => seq('game', $.string, optional($.game_base), '{', repeat($._section), '}'),
    game_base: ($) => seq('extends', $.string, optional(seq('of', $.string))),
    variant: ($) => seq('variant', $.string, optional($.base), '{', repeat($._section), '}'),
    base: ($) => seq('extends', $.string),

    _section: ($) =>
      choice(
        $.about, $.players, $.teams, $.board, $.captures, $.piece, $.remember, $.setup, $.opening, $.move_section,
        $.end, $.notation, $.variant, $.example, $._declaration, $.part,
      ),
    _declaration: ($) => choice($.param, $.define, $.pattern_decl, $.action),

    about: ($) => seq('about', '{', repeat($.about_entry), '}'),
    about_entry: ($) => seq($.name, choice($.string, $.number)),
    param: ($) => seq('param', field('name', $.name), '=', $._sum, optional(seq('in', $.range))),
    players: ($) => seq('players', list($.seat)),
    seat: ($) => seq($.player, optional($.name)),
    teams: ($) => seq('teams', list($.team)),
    team: ($) => joined('and', $.player),
    captures: ($) => seq('captures', choice($.leave_at_end, $.go_to_hand)),
    leave_at_end: (_) => seq('leave', 'at', 'end', 'of', 'move'),
    go_to_hand: (_) => seq('go', 'to', 'hand'),

    board: ($) =>
      seq(
        'board',
        choice($.square, $.hexagon, $.points),
        repeat(seq(',', choice($.lines, $.without, $.wrap, $.stacks))),
      ),
    square: ($) => seq('square', $._sum, 'by', $._sum, optional(seq('by', $._sum))),
    hexagon: ($) => seq('hexagon', 'side', $._sum),
    points: (_) => 'points',
    stacks: (_) => 'stacks',
    // Behind a comma a word of the board is that, and no set.
    lines: ($) => seq('lines', list($.drawn)),
    drawn: ($) => prec.dynamic(-1, seq($._operand, optional($.filter))),
    without: ($) => seq('without', $.members),
    wrap: (_) =>
      seq('wrap', choice(seq('files', optional(seq('and', 'ranks'))), seq('ranks', optional(seq('and', 'files'))))),

    remember: ($) =>
      seq(
        'remember',
        field('name', $.name),
        '=',
        $._expression,
        optional($.per_player),
        optional($.on_pieces),
        optional($.for_one_turn),
        optional($.not_compared),
      ),
    per_player: (_) => seq('per', 'player'),
    on_pieces: (_) => seq('on', 'pieces'),
    for_one_turn: (_) => seq('for', 'one', 'turn'),
    not_compared: (_) => seq(',', 'not', 'compared'),

    piece: ($) =>
      seq(
        'piece',
        field('name', $.name),
        optional($.letter),
        optional($.piece_base),
        optional('neutral'),
        optional($.piece_value),
        optional($.ways),
      ),
    piece_base: ($) => seq('from', $.name),
    piece_value: ($) => seq('value', $._sum),
    ways: ($) => seq('{', repeat($._way), '}'),
    _way: ($) => choice($.way_move, $.way_if),
    way_move: ($) => seq('move', $.line),
    way_if: ($) => prec.right(seq('if', $._expression, $.ways, optional(seq('else', choice($.way_if, $.ways))))),

    define: ($) => seq('define', field('name', $.name), optional($.parameters), '=', $._expression),
    pattern_decl: ($) => seq('pattern', field('name', $.name), optional($.string), '=', $.pattern),
    action: ($) => seq('action', field('name', $.name), optional($.parameters), $.block),
    part: ($) => seq('do', field('name', $.name), $.block),
    parameters: ($) => seq('(', list($.name), ')'),

    setup: ($) => seq('setup', $.block),
    opening: ($) => seq('opening', '{', repeat($.opening_turn), '}'),
    opening_turn: ($) => seq('turn', $.block),
    move_section: ($) => seq('move', $.block),

    notation: ($) => seq('notation', '{', repeat($.alias), '}'),
    alias: ($) => seq('alias', choice($.string, $.alias_cells), 'for', $.alias_cells),
    alias_cells: ($) => list($._expression),

    example: ($) => seq('example', $.string, '{', repeat1($._claim), '}'),
    _claim: ($) =>
      choice(
        $.from_position, $.played, $.legal_only, $.legal, $.illegal, $.caught_cells, $.gives, $.perft, $.result_claim,
      ),
    from_position: ($) => seq('position', $.string),
    played: ($) => seq('play', repeat1($.string)),
    legal_only: ($) => seq('legal', choice(seq('only', repeat1($.string)), 'nothing')),
    legal: ($) => seq('legal', repeat1($.string)),
    illegal: ($) => seq('illegal', repeat1($.string)),
    caught_cells: ($) => seq('caught', choice('nothing', repeat1($.cell))),
    gives: ($) => seq('gives', $.string),
    perft: ($) => seq('perft', repeat1($.number)),
    result_claim: ($) =>
      choice('draw', seq('goes', 'on'), seq($.player, repeat(seq('and', $.player)), choice('wins', 'win'))),

    end: ($) => seq('end', '{', repeat($._outcome), '}'),
    _outcome: ($) => choice($.as_usual, $.result, $.highest, $.side_wins),
    result: ($) => seq(choice('win', 'lose', 'draw'), 'if', $._expression),
    highest: ($) => seq('highest', list($._disjunction), 'wins', 'if', $._expression),
    side_wins: ($) => seq($.player, 'wins', 'if', $._expression),

    // Statements

    block: ($) => seq('{', repeat($._statement), '}'),
    _statement: ($) =>
      choice(
        $.pick, $.either, $.first, $.repeat, $.for_each, $.if_, $.need, $.most, $.let_, $.set_, $.do_, $.move_,
        $.capture, $.place, $.rotate, $.remove, $.flip, $.promote, $.as_usual, $.pass, $.swap, $.again, $.mirror,
        $.picture,
      ),

    pick: ($) =>
      seq('pick', optional($.number), field('name', $.name), 'from', choice($.range, $.members), optional($.chooser)),
    members: ($) => seq($._set, optional($.filter)),
    chooser: ($) => seq('by', choice('chance', $.player, $.name)),
    either: ($) => prec.right(seq('either', optional($.chooser), $.branch, repeat1(seq('or', $.branch)))),
    branch: ($) => seq(optional($.weight), optional($.string), $.block),
    weight: ($) => choice($.number, seq('(', $._expression, ')')),
    first: ($) => prec.right(seq('first', $.block, repeat1(seq('else', $.block)))),
    repeat: ($) => seq('repeat', optional(choice($.in_steps, 'silently')), optional($.while_), $.block),
    in_steps: (_) => seq('in', 'steps'),
    while_: ($) => seq('while', $._expression),
    for_each: ($) => seq('for', 'each', field('name', $.name), 'in', $.members, $.block),
    if_: ($) => prec.right(seq('if', $._expression, $.block, optional(seq('else', choice($.if_, $.block))))),
    need: ($) => seq('need', $._expression),
    most: ($) => seq('most', $._expression),
    let_: ($) => seq('let', field('name', $.name), '=', $._expression),
    set_: ($) => seq('set', field('name', $.name), optional($.set_of), '=', $._expression),
    set_of: ($) => seq('(', $._expression, ')'),
    do_: ($) => seq('do', field('name', $.name), optional(choice($.block, $.arguments))),

    move_: ($) => seq('move', optional($.amount_of), $.name, optional(choice($.to_members, $.line))),
    to_members: ($) => seq('to', optional($.bottom_of), $.members),
    bottom_of: (_) => prec(1, seq('bottom', 'of')),
    amount_of: ($) => seq($.amount, 'of'),
    amount: ($) => choice($.number, $.name, seq('(', $._expression, ')')),
    capture: ($) => seq('capture', $.name),
    place: ($) => seq('place', choice($.place_in_hand, $.place_several, $.place_on)),
    place_in_hand: ($) => seq($.amount, $.man, 'in', 'hand'),
    place_several: ($) => seq($._several, $.man, 'on', optional($.bottom_of), $.members),
    _several: ($) => choice($.number, seq('(', $._expression, ')')),
    place_on: ($) =>
      seq($.man, repeat(seq('or', $.name)), 'on', optional($.bottom_of), $.members, optional($.from_hand)),
    from_hand: (_) => seq('from', 'hand'),
    man: ($) => choice(seq(choice($.player, $.name), $.name), $.name),
    remove: ($) => seq('remove', optional(choice($.bottom_of, $.amount_of)), $.members, optional($.to_hand)),
    to_hand: (_) => seq('to', 'hand'),
    flip: ($) => seq('flip', $.members),
    promote: ($) => seq('promote', $.name, optional(seq('to', $.name, repeat(seq('or', $.name))))),

    as_usual: (_) => seq('as', 'usual'),
    pass: (_) => 'pass',
    swap: (_) => 'swap',
    again: (_) => 'again',
    mirror: (_) => 'mirror',
    rotate: (_) => 'rotate',
    picture: ($) => seq('picture', $.string, optional(seq('with', list($.legend)))),
    legend: ($) => seq($.glyph, '=', optional($.number), $.man),

    // Patterns

    line: ($) => seq($._disjunction, ':', $.pattern),
    pattern: ($) => seq($.path, repeat(seq('or', $.path))),
    path: ($) => prec.right(seq(repeat1($._item), repeat(seq(',', $.turning)))),
    turning: ($) => prec.right(seq($._disjunction, ':', repeat1($._item))),
    straight_pattern: ($) => seq($.straight_path, repeat(seq('or', $.straight_path))),
    straight_path: ($) => repeat1($._item),
    _item: ($) => choice($.anchor, $.landing, $.tested),
    anchor: (_) => '^',
    landing: ($) => seq('to', $.test),
    tested: ($) => seq($.test, optional($.times)),
    test: ($) => choice($.caught, seq('(', $._set, ')'), $.name),
    caught: ($) => seq('<', $._set, optional($.times), '>'),
    times: ($) => choice('*', '+', '?', seq('{', $._sum, optional(seq('..', optional($._sum))), '}')),

    // Sets without comparisons. Where a set and a value begin alike, what follows tells them apart.

    _set: ($) => choice($.set, $._set_and),
    set: ($) => joined('or', $._set_and),
    _set_and: ($) => choice($.set_and, $._set_not),
    set_and: ($) => joined('and', $._set_not),
    _set_not: ($) => choice($.set_not, $.caught, $._operand),
    set_not: ($) => seq('not', choice($.set_not, $.caught, $._operand)),

    // Expressions, loosest first

    _expression: ($) => choice($.expression, $._disjunction),
    // With a condition.
    expression: ($) => seq($._disjunction, $.filter),
    filter: ($) => prec.right(seq('where', $._disjunction)),
    _disjunction: ($) => choice($.disjunction, $._conjunction),
    // What goes on behind the second operand is a rule of its own: behind `else` or `rank` a repeat would end there, as its
    // parts have less precedence than the whole.
    disjunction: ($) => prec(1, seq($._conjunction, $._or_more)),
    _or_more: ($) => prec.right(1, seq('or', $._conjunction, optional($._or_more))),
    _conjunction: ($) => choice($.conjunction, $._negation),
    conjunction: ($) => prec(1, seq($._negation, $._and_more)),
    _and_more: ($) => prec.right(1, seq('and', $._negation, optional($._and_more))),
    _negation: ($) => choice($.negation, $.quantified, $._comparison),
    negation: ($) => seq('not', $._negation),
    quantified: ($) =>
      prec.right(seq(choice('some', 'no'), $._operand, optional($.within), optional($.filter))),
    within: ($) => seq('in', $._operand),
    _comparison: ($) => choice($.comparison, $._sum),
    comparison: ($) => prec(1, seq($._sum, $.relation, $._sum)),
    relation: (_) =>
      choice('!=', '<=', '>=', '=', '<', '>', seq('is', 'not'), 'is', seq('not', 'in'), 'in'),
    _sum: ($) => choice($.sum, $._product),
    sum: ($) => prec(1, seq($._product, $._sum_more)),
    _sum_more: ($) => prec.right(1, seq(choice('+', '-'), $._product, optional($._sum_more))),
    _product: ($) => choice($.product, $._operand),
    product: ($) => prec(1, seq($._operand, $._product_more)),
    _product_more: ($) => prec.right(1, seq(choice('*', '/', 'mod'), $._operand, optional($._product_more))),
    _operand: ($) => choice($.words, $._primary),
    words: ($) => seq(choice($.player, $.name), repeat1($.name)),
    _primary: ($) =>
      choice($.condition, $.measure, $.last_row, $.band, $.cells, $.call, $.player, $.name, $.number, $.brackets),
    brackets: ($) => seq('(', $._expression, ')'),
    condition: ($) => prec.right(-1, seq('if', $._disjunction, 'then', $._disjunction, 'else', $._disjunction)),
    measure: ($) => seq(choice('file', 'rank', 'row'), 'of', $._operand),
    last_row: (_) => prec(1, seq('last', 'row')),
    band: ($) =>
      prec.right(-1, seq(choice('file', 'files', 'rank', 'ranks', 'row', 'rows'), $._sum, optional(seq('..', $._sum)))),
    cells: ($) => repeat1($.cell_range),
    cell_range: ($) => prec.right(seq($.cell, optional(seq('..', $.cell)))),
    call: ($) => seq($.name, $.arguments),
    arguments: ($) => seq('(', list($.argument), ')'),
    argument: ($) =>
      seq($._disjunction, optional(choice(seq(':', $.straight_pattern), seq('..', optional($._sum)), $.filter))),
    range: ($) => seq($._sum, '..', optional($._sum)),

    // Words. What looks like a cell is a cell: of two rules that read as much, the first counts.

    cell: (_) => /[a-z][a-z]?[0-9]+/,
    // Words that are keywords only in their places, and are wanted as such where a name may stand.
    name: ($) => choice($._identifier, 'last', 'bottom'),
    _identifier: (_) => /[a-z][A-Za-z0-9_]*/,
    letter: (_) => /[A-Z]/,
    player: (_) => /[A-Z][A-Za-z0-9_]*/,
    number: (_) => /[0-9]+/,
    string: (_) => /"[^"]*"/,
    glyph: (_) => /[^\s=.]/,
    comment: (_) => /#[^\n]*/,
  },
});
