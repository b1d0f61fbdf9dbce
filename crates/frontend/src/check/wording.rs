//! Wording of errors: mistakes of meaning go in; the words to say them with come out. All wording
//! of the checker is here.

use crate::board::TopologyError;
use crate::check::error::{Kind, LookFault};
use crate::model::{CellStyle, Colour, Icon};
use crate::syntax::foreign;

impl Kind {
    /// What is wrong, in a sentence without a full stop.
    pub fn message(&self) -> String {
        match self {
            Kind::UnknownName { name, .. } => format!("nothing is called `{name}`"),
            Kind::OutOfScope { name } => format!("`{name}` is known only in the block where it was made"),
            Kind::NoSuchPlayer { name, .. } => format!("there is no player `{name}`"),
            Kind::NotAKind { name, .. } => format!("`{name}` is no kind of piece"),
            Kind::NoSuchCell { name, .. } => format!("the board has no cell `{name}`"),
            Kind::NoSuchFile { name } => format!("there is no file `{name}`"),
            Kind::NoSuchDirection { name, .. } => format!("the board has no direction `{name}`"),
            Kind::NoSuchVariant { name, .. } => format!("there is no variant `{name}`"),
            Kind::NoSuchGame { name, .. } => format!("no game `{name}` is found"),
            Kind::NoSuchParam { name, .. } => format!("the game has no param `{name}`"),
            Kind::ExtendsCircle { name } => format!("`{name}` extends itself"),
            Kind::WrongType { wanted, found } => format!("{wanted} {} wanted here, but this is {found}", is_or_are(wanted)),
            Kind::DifferentTypes { one, other } => format!("one part of this `if` is {one}, the other {other}"),
            Kind::SplitByPrecedence { .. } => {
                "`and` and `or` are looser than `in`, `is`, `some` and `no`, so this is read as a truth beside a set".to_string()
            }
            Kind::DuplicateSection { word } => format!("`{word}` stands twice in one text"),
            Kind::DuplicateName { name, keyword, .. } => format!("`{name}` is already the name of a {keyword}"),
            Kind::BuiltinName { name } => format!("`{name}` is built in and cannot be declared"),
            Kind::DuplicateLetter { letter, .. } => format!("two kinds have the letter `{letter}`"),
            Kind::SameInitial { letter } => {
                format!("two players have the initial `{letter}`, by which the men of a game with one kind are written")
            }
            Kind::BoundTwice { name, .. } => format!("`{name}` is bound already"),
            Kind::FileLetterIsLocal { name } => format!("`{name}` is a file's letter here, not the name bound above"),
            Kind::NoRows => {
                "rows count from a player's side, and these players have no forward, or the board no rows".to_string()
            }
            Kind::NoForward { name } => format!("`{name}` needs players that have a direction"),
            Kind::SomeForwards => "some players have a direction and some have none".to_string(),
            Kind::NotBeforeCaught => "`not` cannot stand before `< >`".to_string(),
            Kind::FunctionWithoutArguments { name } => format!("`{name}` needs something in brackets"),
            Kind::NotAFunction { name, .. } => format!("`{name}` takes nothing in brackets"),
            Kind::NotAValue { name, keyword } => format!("`{name}` is the name of a {keyword} and has no value here"),
            Kind::StateTooEarly { name } => format!("`{name}` has no value yet here"),
            Kind::NotPerPlayer { name } => format!("`{name}` is not kept per player"),
            Kind::StateType { found } => format!("what is remembered is a number, a truth or cells, not {found}"),
            Kind::MarksOnStacks => "marks on pieces are not kept on boards with stacks".to_string(),
            Kind::MarksNotCells => "only cells can go with pieces".to_string(),
            Kind::HereOutsidePiece => "`here` has a meaning only in a piece's description".to_string(),
            Kind::ItOutsideWhere => "`it` has a meaning only in a `where`".to_string(),
            Kind::OutwardOutsideTurning => "`outward` has a meaning only where a pattern turns, behind a comma".to_string(),
            Kind::NoCircle => "the directions of this board do not follow each other clockwise".to_string(),
            Kind::TurnOnly { word } => format!("`{word}` has a meaning only in `move` and `opening`"),
            Kind::WrongArity { name, wanted, found, .. } => {
                format!("`{name}` takes {wanted} {} in brackets, not {found}", values(wanted))
            }
            Kind::WrongArgument => "a range or a line cannot stand here".to_string(),
            Kind::LineWanted { name } => format!("`{name}` takes a line here: directions, `:`, a pattern"),
            Kind::TimesOfWhat => "`times` counts `pieces` or `position`".to_string(),
            Kind::TooManyDefines => "there are too many defines".to_string(),
            Kind::TooManyParts => format!(
                "the game and its variants have more than {} statements and operands, once actions, defines and patterns are put in their places",
                crate::check::MAX_PARTS
            ),
            Kind::TooDeep => format!(
                "this goes more than {} deep once actions, defines and patterns are put in their places",
                crate::check::MAX_NEST
            ),
            Kind::ExtendsTooDeep => format!("more than {} extend each other", crate::check::MAX_EXTENDS),
            Kind::EndlessDefine { name } => format!("`{name}` asks itself the same again and would never end"),
            Kind::RecursiveDefine { name } => format!("`{name}` calls itself, and no define on the way is a truth"),
            Kind::RecursivePattern { name } => format!("the pattern `{name}` contains itself"),
            Kind::RecursiveAction { name } => format!("the action `{name}` runs itself"),
            Kind::NoAnchor => "this path has no `^`".to_string(),
            Kind::TwoAnchors => "this path has `^` twice".to_string(),
            Kind::NoLanding => "this path does not say where it lands".to_string(),
            Kind::TwoLandings => "this path lands twice".to_string(),
            Kind::LandingWithCount => "a landing is one cell and takes no count".to_string(),
            Kind::CatchesNothing => "nothing in this pattern is caught".to_string(),
            Kind::MatchesNothing => "this can match nothing".to_string(),
            Kind::CaughtOutsidePattern => "`< >` has a meaning only in a pattern".to_string(),
            Kind::CountInsideTest => "a count stands behind the whole test, not within it".to_string(),
            Kind::LineInsideTest { name } => {
                format!("the pattern `{name}` has a `^`, so it is a whole path and cannot stand within one")
            }
            Kind::BadLabel { label } => format!("`{label}` cannot be the label of a branch"),
            Kind::BadSign => "a sign is one mark, such as `+` or `-`".to_string(),
            Kind::ForwardDiagonal { word, .. } => {
                format!("no direction is `{word}` and `diagonal` too: `{word}` is one direction alone")
            }
            Kind::EmptyDirs => "there is no such direction".to_string(),
            Kind::NotInSetup => "this has no meaning in `setup`".to_string(),
            Kind::OnlyInSetup => "this has a meaning only in `setup`".to_string(),
            Kind::SwapNeedsTwo => "`swap` needs exactly two players".to_string(),
            Kind::ChanceInFirst => "chance may not choose within `first`".to_string(),
            Kind::ChanceInSetup { .. } => "all that `setup` picks is chosen by chance anyway".to_string(),
            Kind::WeightWithoutChance { .. } => "only blocks that chance chooses from have weights".to_string(),
            Kind::NoWeight => "no block has a weight above 0, so none can be chosen".to_string(),
            Kind::BadPickCount => "only cells can be picked several at a time, 1 to 1024".to_string(),
            Kind::EndlessRange => "this range has no end".to_string(),
            Kind::EndlessLoop => "this condition always holds, so the loop never ends".to_string(),
            Kind::NotSettable { name, keyword } => format!("`{name}` is a {keyword} and cannot be set"),
            Kind::NotAnAction { name, keyword } => format!("`{name}` is a {keyword}, not an action"),
            Kind::NeedsStacks => "several men on a cell need a board with `stacks`".to_string(),
            Kind::NeutralOwned { name } => format!("`{name}` is a neutral kind and belongs to nobody"),
            Kind::NeutralInHand { name } => format!("this `{name}` belongs to nobody, and nobody has a hand"),
            Kind::NoPromotedKind => "no kind is declared `from` another, so nothing can be promoted here".to_string(),
            Kind::NoSuchPart { name, .. } => format!("no program has a part `{name}` that this could replace"),
            Kind::NothingAsUsual => "there is nothing that `as usual` could stand for here".to_string(),
            Kind::NoSection { word } => format!("the game has no `{word}`"),
            Kind::TooManyPlayers => "a game has at most 8 players".to_string(),
            Kind::TwoTeams { name } => format!("`{name}` is in a team already"),
            Kind::BadBoard { error } => board_message(error),
            Kind::BadSide { found, most } => format!("a side is 1 to {most}, not {found}"),
            Kind::NotConstant => "this must be known before play: no men, players or remembered values".to_string(),
            Kind::NoPoints => "the board has no lines".to_string(),
            Kind::NoSuchPoint { name } => format!("there can be no point `{name}`"),
            Kind::PointsWanted => "a line of points is two or more cells side by side".to_string(),
            Kind::PictureRanks { found, wanted } => format!("the picture has {found} ranks, the board {wanted}"),
            Kind::PictureFiles { rank, found, wanted } => {
                format!("rank {rank} has {found} cells in the picture, {wanted} on the board")
            }
            Kind::PictureNoCell => "there is no cell here, so the picture wants `-`".to_string(),
            Kind::UnknownGlyph { glyph } => format!("the picture does not say what `{glyph}` is"),
            Kind::ParamRange { name, value, low, high } => format!("`{name}` may be {low} to {high}, not {value}"),
            Kind::ParamType { name, wanted } => format!("`{name}` is {wanted}"),
            Kind::EndOfTurn { word } => format!("`{word}` asks about the end of a turn, and here is none"),
            Kind::NotInWays { word } => format!("`{word}` asks the descriptions of pieces and may not stand in one"),
            Kind::NoWayToEnd => "the game has no way to end".to_string(),
            Kind::NeverTurn { name } => format!("`{name}` never gets a turn: every turn ends with `again`"),
            Kind::MostNotLast => "`most` must be the last line of its block".to_string(),
            Kind::NoStuckOutcome => "nothing says what happens to a player who cannot move".to_string(),
            Kind::Unused { name, keyword } => format!("the {keyword} `{name}` is never used"),
            Kind::NeverSet { name } => format!("`{name}` is remembered but never set"),
            Kind::BareOr { .. } => {
                "`where` reaches as far right as it can, so what follows this `or` belongs to its condition".to_string()
            }
            Kind::BandOutside { .. } => "the board has nothing there".to_string(),
            Kind::IdleRepeat => {
                "nothing bounds this loop: its rounds neither catch, place, remove nor flip, and set nothing that stops them"
                    .to_string()
            }
            Kind::Unreachable => "this alternative can never be reached: what stands before it always succeeds".to_string(),
            Kind::NeverHolds => "this can never hold".to_string(),
            Kind::OutcomeHidden => "this is never asked: the outcome before it always holds".to_string(),
            Kind::LandingOnMen => "a man may land here on another without catching it, and the board has no stacks".to_string(),
            Kind::SameLanding => {
                "two alternatives may share a landing and catch differently, and nothing in the notation tells them apart"
                    .to_string()
            }
            Kind::PlacedTwice => "a man is put here on a cell that has one already, and the board has no stacks".to_string(),
            Kind::LandingWaits => {
                "the caught man would still stand on the landing: with `captures leave at end of move` it leaves later"
                    .to_string()
            }
            Kind::MirrorsNothing { word } => format!("`{word}` gives the others no men: the players have no directions"),
            Kind::EmptySet { picks: true, .. } => "no cell is ever in this set, so there is none to choose".to_string(),
            Kind::EmptySet { picks: false, .. } => "no cell is ever in this set, so this does nothing".to_string(),
            Kind::PlaceOnAll { man } => format!("this puts a `{man}` on every empty cell at once"),
            Kind::NoMen => "no man ever comes on the board".to_string(),
            Kind::NeverOnBoard { name } => format!("no `{name}` ever comes on the board"),
            Kind::AlwaysHolds => "this outcome always holds, so the game ends with its first turn".to_string(),
            Kind::OutcomeRepeated { same_result: true } => "an earlier outcome holds whenever this one does".to_string(),
            Kind::OutcomeRepeated { same_result: false } => {
                "an earlier outcome with another result holds whenever this one does".to_string()
            }
            Kind::SameAlternatives { what } => format!("this {what} is the same as an earlier one"),
            Kind::LongerThanBoard { found, most } => {
                format!("the longest line of the board has {most} cells, fewer than {found}")
            }
            Kind::NullTurn => "a turn may go through here and do nothing at all".to_string(),
            Kind::TitleOfGame => "this variant has the title of its game, so it cannot be chosen".to_string(),
            Kind::UnknownLook { entry, why, .. } => match why {
                LookFault::Form => format!("`{entry}` says nothing of how the game looks"),
                LookFault::Name => format!("`{entry}` names nothing that is drawn"),
                LookFault::Icon => format!("there is no icon `{entry}`"),
                LookFault::Colour => format!("there is no colour `{entry}`"),
                LookFault::Style => format!("`{entry}` is no style of a region"),
            },
            Kind::NestedVariant { name, .. } => format!("`{name}` stands within a variant, so it cannot be chosen"),
        }
    }

    /// How to mend it.
    pub fn help(&self) -> Option<String> {
        match self {
            Kind::UnknownName { name, near } => {
                let near = || near.as_ref().map(|near| format!("did you mean `{near}`?"));
                let statement = || foreign::statement(name).map(|here| format!("write `{here}`"));
                said_otherwise(name).or_else(near).or_else(statement)
            }
            Kind::OutOfScope { .. } => hint(
                "make it before that block, and `set` it within; what all blocks of `either`, `first` or `if ... else` make is known behind them",
            ),
            Kind::NoSuchPlayer { name, .. } if foreign::missing(name).is_some() => said_otherwise(name),
            Kind::NoSuchPlayer { near, .. } => near
                .as_ref()
                .map(|near| format!("did you mean `{near}`?"))
                .or_else(|| hint("players are declared by `players White, Black`")),
            Kind::NotAKind { near, .. } => near.as_ref().map(|near| format!("did you mean `{near}`?")).or_else(|| {
                hint("kinds are declared by `piece man`; name one, behind its owner (`enemy man`): no player, cell or number stands for a kind")
            }),
            Kind::NoSuchCell { left_out: true, .. } => {
                hint("the board leaves it out by `without`: name another cell, or leave it in")
            }
            Kind::NoSuchCell { of, cells: (first, last), .. } => {
                hint(&format!("the cells of this {of} go from `{first}` to `{last}`"))
            }
            Kind::NoSuchFile { name } => {
                hint(&format!("files are a to z, then aa to cu; for the number `{name}` write `file ({name})`"))
            }
            Kind::NoSuchDirection { near: Some(near), .. } => hint(&format!("did you mean `{near}`?")),
            Kind::NoSuchDirection { .. } => hint(
                "square boards have the eight compass directions, hexagons `north northeast southeast south southwest northwest`, points none",
            ),
            Kind::NoSuchVariant { near, known, .. } => variant_help(near.as_deref(), known),
            Kind::NoSuchGame { near: Some(near), .. } => hint(&format!("did you mean `{near}`?")),
            Kind::NoSuchGame { name, .. } if name.ends_with(".rules") => hint(
                "name the title of its game, not its file; it is looked for beside this file and among the shipped games",
            ),
            Kind::NoSuchGame { .. } => hint(
                "a game that is extended is looked for by its title, among the files beside this one and the shipped games",
            ),
            Kind::NoSuchParam { near, .. } => near.as_ref().map(|near| format!("did you mean `{near}`?")),
            Kind::ExtendsCircle { .. } => hint("what is extended may not come back to what extends it"),
            Kind::WrongType { wanted, found } => type_help(wanted, found),
            Kind::DifferentTypes { .. } => hint("both parts must be of one type"),
            Kind::SplitByPrecedence { mend: Some(mend) } => hint(&format!("put the set in brackets: `{mend}`")),
            Kind::SplitByPrecedence { mend: None } => hint("put the set in brackets: `a in (b or c)`, `some (a or b)`"),
            Kind::DuplicateSection { .. } => hint("one of the two must go"),
            Kind::DuplicateName { set: Some(set), .. } => hint(&format!("to change it write `{set}`")),
            Kind::DuplicateName { .. } => hint("every name stands for one thing"),
            Kind::BuiltinName { .. } => hint("choose another name"),
            Kind::DuplicateLetter { name, free, .. } => {
                hint(&format!("give one of them a letter of its own: `piece {name} {}`", free.unwrap_or('X')))
            }
            Kind::SameInitial { .. } => hint("choose names with different initials"),
            Kind::BoundTwice { set: Some(set), .. } => {
                hint(&format!("to change it write `{set}`; another value needs another name"))
            }
            Kind::BoundTwice { .. } => {
                hint("a name is bound once in a block and those within it; `set` changes a `let`")
            }
            Kind::FileLetterIsLocal { name } => hint(&format!("write `file ({name})` for the number, or rename it")),
            Kind::NoRows => {
                hint("give every player a direction: `players White north, Black south`; or use `rank` or `file`")
            }
            Kind::NoForward { .. } => hint("write for example `players White north, Black south`"),
            Kind::SomeForwards => hint("all players have one, or none"),
            Kind::NotBeforeCaught => hint("what is caught is said by `< >`, what is excluded by `not` beside it"),
            Kind::FunctionWithoutArguments { name } => hint(&format!("write `{name}(...)`")),
            Kind::NotAFunction { name, argument: Some(argument) } => hint(&format!(
                "write `{argument} in {name}` to ask, `{name} and {argument}` for what is common to both"
            )),
            Kind::NotAFunction { .. } => hint("for what is common to two sets write `a and (b or c)`"),
            Kind::BandOutside { axis, most } => hint(&format!("{axis} go from 1 to {most} here, the lesser first")),
            Kind::ChanceInFirst => hint(
                "`first` asks whether its blocks can be completed, and chance is not asked before: let it choose before the `first`",
            ),
            Kind::ChanceInSetup { either: true } => {
                hint("leave out `by chance`, and weights: `either { ... } or { ... }`")
            }
            Kind::ChanceInSetup { either: false } => hint("leave out `by chance`: `pick c from empty`"),
            Kind::WeightWithoutChance { in_setup: true } => {
                hint("in `setup` each block is as likely as another: leave the weights out")
            }
            Kind::WeightWithoutChance { in_setup: false } => hint("write `either by chance 2 { ... } or 1 { ... }`"),
            Kind::NoWeight => hint("a block of weight 2 is chosen twice as often as one of weight 1"),
            Kind::BadPickCount => hint("`pick 2 c from empty` picks two cells; numbers are picked one by one"),
            Kind::BadSide { .. } => hint("the sides of a square board go up to 99, those of a hexagon to 16"),
            Kind::CaughtOutsidePattern => {
                hint("leave out `<` and `>`; what a pattern catches is asked by `catches(c, dirs: PATTERN)`")
            }
            Kind::CountInsideTest => hint("write the count behind the bracket: `(<enemy> or own)+`"),
            Kind::EndOfTurn { .. } => hint("ask it in `end`, or in `move` by `need`"),
            Kind::EndlessDefine { .. } => hint("ask it of other cells, of which there are ever fewer"),
            Kind::EndlessLoop => hint("`repeat { ... }` alone lets the player stop after each round"),
            Kind::HereOutsidePiece => hint("in a program a cell has a name: `pick p from own`"),
            Kind::LandingWithCount => hint("what is caught on the way stands beside it: `^ <enemy+> to empty`"),
            Kind::LandingWaits => {
                hint("catch what is jumped over, `^ <enemy> to empty`, or leave out `captures leave at end of move`")
            }
            Kind::LineInsideTest { name } => {
                hint(&format!("write `{name}` alone behind the directions, or a test: `to empty`"))
            }
            Kind::MatchesNothing => {
                hint("a test wants a cell that there is; in a count the lesser number stands first")
            }
            Kind::MostNotLast => hint("move it to the end of its block"),
            Kind::NeutralInHand { .. } => {
                hint("players alone have hands: let it be a player's man, or count neutral ones by `remember`")
            }
            Kind::NeutralOwned { name } => hint(&format!("leave the owner out: `place {name} on ...`")),
            Kind::NeverSet { name } => {
                hint(&format!("change it by `set {name} = ...`, or make it a `param` or a `define`"))
            }
            Kind::NeverTurn { .. } => hint("put `again` into an `if` or a block of `either`"),
            Kind::NoSection { word } => section_help(word),
            Kind::NotAnAction { .. } => {
                hint("an action is `action name { ... }`; a pattern stands behind a direction and `:`")
            }
            Kind::NotConstant => hint("numbers, params, `file`, `rank` and cells of the board are known"),
            Kind::NotInSetup => hint("put it into `move` or a turn of the `opening`"),
            Kind::OnlyInSetup => hint("put it into `setup`"),
            Kind::NotInWays { .. } => hint("ask it in `move`: `need not attacked(p)`"),
            Kind::ParamRange { .. } => hint("choose a value in its range, or widen the range behind `in`"),
            Kind::PictureNoCell => hint("write `-`, or leave out what is missing in the whole rank"),
            Kind::PlacedTwice => {
                hint("leave the cell out in one of them; `board ..., stacks` lets men stand on each other")
            }
            Kind::RecursivePattern { .. } => hint("say how often by a count: `(empty)*`, `<enemy{2}>`"),
            Kind::StateType { .. } => hint("of directions remember the cell they lead from or to"),
            Kind::SwapNeedsTwo => hint("with other numbers of players nobody can change places with another"),
            Kind::TwoAnchors => hint("only the cell of the piece itself is `^`"),
            Kind::TwoLandings => hint("leave out one `to`: the cells on the way stand without it"),
            Kind::TwoTeams { .. } => hint("each player stands in one team"),
            Kind::TooManyParts => hint("`repeat` runs a block again without putting it in place again"),
            Kind::TooDeep => hint("let fewer of them call each other; `repeat` runs a block again"),
            Kind::ExtendsTooDeep => hint("extend the first of them directly"),
            Kind::Unused { .. } => hint("use it or leave it out"),
            Kind::WrongArity { form: Some(form), .. } => hint(&format!("it is declared as `{form}`")),
            Kind::WrongArgument => hint("a range goes with `segments`, a line with `catches` and `reach`"),
            Kind::NotAValue { .. } => hint("a pattern stands behind a direction and `:`, an action behind `do`"),
            Kind::StateTooEarly { .. } => {
                hint("first values may use what is remembered above them, and nothing on a board may ask for it")
            }
            Kind::NotPerPlayer { name } => hint(&format!("`remember {name} = ... per player` keeps one for each")),
            Kind::MarksNotCells => hint("write `= none on pieces`"),
            Kind::ItOutsideWhere => {
                hint("`own where C` holds for the members for which C holds, `it` being the member")
            }
            Kind::OutwardOutsideTurning => hint("such as `orthogonal: ^ any, outward: to landing`"),
            Kind::LineWanted { name } if name == "reach" => hint("such as `reach(p, straight: slide)`"),
            Kind::LineWanted { name } => hint(&format!("such as `{name}(c, straight: custodian)`")),
            Kind::TimesOfWhat => hint("`times(position)` is the whole position, `times(pieces)` the men alone"),
            Kind::TooManyDefines => hint(
                "at most 5000, counted once for each list of types that they are called with, and 100 within each other",
            ),
            Kind::RecursiveDefine { .. } => {
                hint("a define that calls itself must be a truth, or call itself through one")
            }
            Kind::RecursiveAction { .. } => hint("`repeat` runs a block again"),
            Kind::NoAnchor => hint("`^` is the piece that moves, or the stone just placed: `^ <enemy> to empty`"),
            Kind::NoLanding => hint("`to` stands before the cell of the landing: `^ empty* to empty`"),
            Kind::CatchesNothing => hint("what is caught stands in `< >`: `^ <enemy+> own`"),
            Kind::ForwardDiagonal { mend, .. } => {
                hint(&format!("write `{mend} diagonal`: the diagonals that lead that way"))
            }
            Kind::EmptyDirs => hint("words side by side are what is common to them; `or` joins directions"),
            Kind::EndlessRange => hint("write `1..5`"),
            Kind::NotSettable { .. } => hint("`set` changes what `let` or `remember` made"),
            Kind::NeedsStacks => hint("if men may stand on each other, say so: `board square 8 by 8, stacks`"),
            Kind::NoPromotedKind => hint("`piece tokin T from pawn`, or say the kind: `promote p to king`"),
            Kind::BadLabel { .. } => hint(
                "a label is one word of letters, digits and `_` that is no cell, no direction, no letter of a kind, and not `pass`, `swap`, `stop` or `none`; two branches have different ones",
            ),
            Kind::NoSuchPart { near: Some(near), .. } => hint(&format!("did you mean `{near}`?")),
            Kind::NoSuchPart { .. } => hint(
                "a part is `do name { ... }` in a program of what is extended; to replace an action write `action`",
            ),
            Kind::NothingAsUsual => hint("it runs the same section of the game that is extended"),
            Kind::NoPoints => hint("`board points, lines a1 b1 c1, a1 a2 a3`"),
            Kind::NoSuchPoint { .. } => hint("files are `a` to `z`, then `aa` to `cu`; ranks are 1 to 99"),
            Kind::PointsWanted => hint("`lines a1 b1 c1`"),
            Kind::PictureRanks { .. } => hint("one line for each rank, from the top"),
            Kind::PictureFiles { .. } => hint("one glyph a cell: `.` is empty, `-` no cell"),
            Kind::UnknownGlyph { .. } => {
                hint("add it behind `with`: `with x = White man`; without a legend glyphs are the kinds' letters")
            }
            Kind::NoWayToEnd => hint("`end { win if stuck(enemy) }` is the least"),
            Kind::NoStuckOutcome => {
                hint("if that can happen, say it: `win if stuck(enemy)`, or `first { ... } else { pass }`")
            }
            Kind::BareOr { one: Some(one), other: Some(other) } => {
                hint(&format!("if it does, write `{one}`; if not, `{other}`"))
            }
            Kind::BareOr { .. } => {
                hint("if it does, put the whole condition in brackets; if not, the set and its `where`")
            }
            Kind::IdleRepeat => hint(
                "remember where it has been: `need p not in seen   set seen = seen or p`; or write `repeat silently`, if only \
                 where it ends matters",
            ),
            Kind::LandingOnMen => hint("`to empty`, `to landing` (enter or catch), or `to <enemy>`"),
            Kind::MirrorsNothing { .. } => {
                hint("write `players White north, Black south`, or place the others' men too: `place Black man on ...`")
            }
            Kind::EmptySet { common: false, .. } => hint("name cells of the board, or leave it out"),
            Kind::EmptySet { common: true, .. } => {
                hint("`and` is what is common to both; for all of them write `or`, or cells side by side")
            }
            Kind::PlaceOnAll { man } => {
                hint(&format!("let the player choose one: `pick c from empty   place {man} on c`"))
            }
            Kind::NoMen => hint("write `setup { place man on rank 1 }`, or place men in `move`"),
            Kind::NeverOnBoard { name } => {
                hint(&format!("place it in `setup` or `move`, or ask for another kind than `{name}`"))
            }
            Kind::AlwaysHolds => {
                hint("say what must have happened: `draw if no empty`, `draw if times(position) >= 3`")
            }
            Kind::OutcomeRepeated { .. } => {
                hint("leave it out, or put it before the other: the first that holds counts")
            }
            Kind::SameAlternatives { .. } => hint("leave one of them out"),
            Kind::LongerThanBoard { .. } => hint("choose a lesser number, or a larger board"),
            Kind::NullTurn => hint("write `pass` where a player may do nothing, or `need` what must have happened"),
            Kind::TitleOfGame => hint("choose another title"),
            Kind::UnknownLook { near: Some(near), .. } => hint(&format!("did you mean `{near}`?")),
            Kind::UnknownLook { why, .. } => look_help(*why),
            Kind::NestedVariant { name, outer } => {
                hint(&format!("put it beside the other: `variant \"{name}\" extends \"{outer}\" {{ ... }}`"))
            }
            Kind::SameLanding => hint("give a pattern a sign: `pattern approach \"+\" = ...`"),
            _ => None,
        }
    }

    /// What to write at the span; nothing if the message says it all.
    pub fn label(&self) -> String {
        match self {
            Kind::UnknownName { .. } | Kind::NoSuchParam { .. } | Kind::OutOfScope { .. } => "not known".to_string(),
            Kind::NoSuchPlayer { .. } => "no player".to_string(),
            Kind::NotAKind { .. } => "no kind".to_string(),
            Kind::NoSuchCell { .. } => "not on the board".to_string(),
            Kind::NoSuchVariant { .. } | Kind::NoSuchGame { .. } => "not found".to_string(),
            Kind::WrongType { found, .. } => (*found).to_string(),
            Kind::SplitByPrecedence { .. } => "a set, beside a truth".to_string(),
            Kind::DuplicateSection { .. } | Kind::TwoTeams { .. } => "again".to_string(),
            Kind::DuplicateName { .. } | Kind::BoundTwice { .. } => "the same name again".to_string(),
            Kind::DuplicateLetter { .. } | Kind::SameInitial { .. } => "the same letter again".to_string(),
            Kind::BuiltinName { .. } => "built in".to_string(),
            Kind::TwoAnchors => "the second `^`".to_string(),
            Kind::TwoLandings => "the second landing".to_string(),
            Kind::BareOr { .. } => "belongs to the condition".to_string(),
            Kind::BandOutside { .. } | Kind::EmptyDirs | Kind::MatchesNothing => "nothing".to_string(),
            Kind::Unused { .. } => "not used".to_string(),
            Kind::NeverSet { .. } => "never set".to_string(),
            Kind::IdleRepeat => "this loop".to_string(),
            Kind::Unreachable => "never reached".to_string(),
            Kind::OutcomeHidden => "never asked".to_string(),
            Kind::NeverHolds => "never holds".to_string(),
            Kind::EndlessLoop | Kind::AlwaysHolds => "always holds".to_string(),
            Kind::EmptySet { .. } => "always empty".to_string(),
            Kind::OutcomeRepeated { .. } => "never decides".to_string(),
            Kind::SameAlternatives { .. } => "again".to_string(),
            Kind::NeverOnBoard { .. } => "never there".to_string(),
            Kind::NotConstant => "changes during play".to_string(),
            _ => "here".to_string(),
        }
    }

    /// What the second place is.
    pub fn other_label(&self) -> &'static str {
        match self {
            Kind::DuplicateSection { .. } => "the first stands here",
            Kind::DuplicateLetter { .. } => "the first is declared here",
            Kind::BoundTwice { .. } => "bound here",
            Kind::OutOfScope { .. } => "made here, and gone at the end of its block",
            Kind::TwoAnchors | Kind::TwoLandings => "the first is here",
            Kind::SplitByPrecedence { .. } => "read as a whole",
            Kind::FileLetterIsLocal { .. } => "the name is bound here",
            Kind::OutcomeHidden => "always holds",
            Kind::OutcomeRepeated { .. } => "the earlier one",
            Kind::SameAlternatives { .. } => "the first",
            Kind::TitleOfGame => "the game",
            Kind::PlacedTwice => "the cell is filled here",
            _ => "declared here",
        }
    }
}

fn is_or_are(wanted: &str) -> &'static str {
    if wanted.starts_with("a ") { "is" } else { "are" }
}

fn values(wanted: &str) -> &'static str {
    if wanted == "1" { "value" } else { "values" }
}

/// How what a word of other languages means is said in this one.
fn said_otherwise(name: &str) -> Option<String> {
    foreign::missing(name).or_else(|| foreign::value(name)).map(String::from)
}

fn variant_help(near: Option<&str>, known: &[String]) -> Option<String> {
    let list = match known {
        [] => String::from("this game has no variants"),
        _ => format!("the variants are `{}`", known.join("`, `")),
    };
    Some(near.map_or(list.clone(), |near| format!("did you mean `{near}`? {list}")))
}

/// What the least of a section looks like.
fn section_help(word: &str) -> Option<String> {
    match word {
        "game" => hint("a rules file is `game \"Title\" { ... }`"),
        "players" => hint("such as `players White, Black`"),
        "board" => hint("such as `board square 8 by 8`"),
        "move" => hint("such as `move { pick p from own   move p straight: step }`"),
        _ => None,
    }
}

fn hint(text: &str) -> Option<String> {
    Some(text.to_string())
}

fn look_help(why: LookFault) -> Option<String> {
    let list = |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let colours = || list(&Colour::NAMED.map(|(name, _)| name));
    let icons: Vec<&str> = Icon::all().map(Icon::name).collect();
    hint(&match why {
        LookFault::Form => format!(
            "between commas stands a layout ({}), `downward`, or what is drawn and how: `White ivory`, `king crown`",
            list(&CellStyle::ALL.map(|(name, _)| name))
        ),
        LookFault::Name => String::from("name a player, a kind of piece, a define of cells, `board`, `dark` or `men`"),
        LookFault::Icon => format!("the icons are {}", list(&icons)),
        LookFault::Colour => format!("write `#rrggbb`, or one of {}", colours()),
        LookFault::Style => {
            format!("a region is `crossed`, `dotted`, a `bank`, or tinted with a colour: {}", colours())
        }
    })
}

fn type_help(wanted: &str, found: &str) -> Option<String> {
    match (wanted, found) {
        ("a truth", "cells" | "players" | "groups" | "directions" | "axes") => hint(
            "`some S` asks whether a set has a member, `no S` whether it has none, `a in b` whether all of a lies in b",
        ),
        ("a truth", "a number") => hint("compare it: `n >= 3`; what `or` joins is said in full: `n = 3 or n = 4`"),
        ("a number", "directions") => {
            hint("`count(D)` is how many there are; directions are left out by `and not`: `straight and not north`")
        }
        ("a number", "cells" | "players" | "groups" | "axes") => hint("`count(S)` is how many members a set has"),
        ("a set", "a truth") => hint("`some` and `no` ask about sets, not about truths; `not` negates a truth"),
        ("directions", "cells" | "players") => hint(
            "directions are `orthogonal`, `forward` and the like; the cells of T that lie beside one of S are `adjacent(S) and T`",
        ),
        ("players", "cells") => hint(
            "players are `own`, `enemy` and names such as `White`; men in hand are counted of all kinds: `hand(own)`",
        ),
        ("groups", "cells") => hint("`groups(S)` are the connected parts of a set of cells"),
        _ => None,
    }
}

fn board_message(error: &TopologyError) -> String {
    match error {
        TopologyError::TooManyCells(found) => format!("the board has {found} cells, more than 1024"),
        TopologyError::NoCells => "the board has no cells".to_string(),
        TopologyError::TooManyLines(found) => format!("the board has {found} lines, more than 512"),
        TopologyError::LongSide(found) => format!("a side of the board is {found}, more than 99"),
        TopologyError::ShortRing(found) => format!("a board that wraps has 3 files or ranks to go round, not {found}"),
        TopologyError::NothingToWrap => "only square boards wrap".to_string(),
        TopologyError::CrossedLine(at) => format!("line {} of the board passes a cell twice", at + 1),
        TopologyError::ShortLine(at) => {
            format!("line {} of the board names a cell twice in a row, or fewer than two cells", at + 1)
        }
    }
}
