//! Game facts: a game goes in; what its statements tell before any is lowered comes out, such as
//! which men are alone of their kind.

use crate::board::{Dir, Kind, Player, Shape};
use crate::model;
use crate::model::Game;
use crate::plan::lower::values::{Lowered, unplanned};
use crate::plan::regs::SetReg;
use crate::plan::tree::Stacks;
use crate::plan::vregs::VirtualRegs;
use crate::position::{MAX_HEIGHT, most_men};

/// Registers with a byte for each cell, whatever the width of sets.
const HEIGHT_REGISTERS: usize = 8;

/// Whether a run of the game can die behind a choice.
pub fn needs(game: &Game) -> bool {
    game.blocks.iter().flatten().any(|statement| matches!(statement, model::Statement::Need { .. }))
}

/// No line of the board comes back, and lines of two directions from one cell have no other cell in common.
pub fn is_plane(game: &Game) -> bool {
    let topology = &game.topology;
    !matches!(topology.shape(), Shape::Points { .. })
        && (0..topology.directions() as u16).all(|dir| !topology.comes_back(Dir(dir)))
}

/// By kind: whether players may have men of it, and whether there may be men of nobody.
pub fn owners_by_kind(game: &Game) -> Vec<(bool, bool)> {
    use model::Statement;
    let statements = || game.blocks.iter().flatten();
    let flips = statements().any(|statement| matches!(statement, Statement::Flip { .. }));
    let placed = game.kinds.iter().zip(placed_for_nobody(game));
    let mut owners: Vec<(bool, bool)> =
        placed.map(|(kind, placed)| (!kind.neutral || flips, kind.neutral || placed)).collect();
    let some_are_nobodys = owners.iter().any(|owners| owners.1);
    for statement in statements() {
        let Statement::Promote { kinds, .. } = statement else { continue };
        for (number, owners) in owners.iter_mut().enumerate() {
            let is_offered = match kinds.as_slice() {
                [] => game.kinds[number].from.is_some(),
                kinds => kinds.contains(&Kind(number as u8)),
            };
            // Who is promoted keeps his owner, who is not known beforehand.
            owners.0 |= is_offered;
            owners.1 |= is_offered && some_are_nobodys;
        }
    }
    owners
}

/// By kind: whether the game ever places a man of nobody of it.
fn placed_for_nobody(game: &Game) -> Vec<bool> {
    use model::{Place, Statement};
    let mut placed = vec![false; game.kinds.len()];
    for statement in game.blocks.iter().flatten() {
        match statement {
            Statement::Place { place: Place::On { men, .. }, .. } => {
                men.iter().filter(|man| man.neutral).for_each(|man| placed[man.kind.index()] = true);
            }
            Statement::Picture { picture, .. } => {
                let men = picture.men.iter().filter(|(_, owner, _)| owner.is_none());
                men.for_each(|(_, _, kind)| placed[kind.index()] = true);
            }
            _ => {}
        }
    }
    placed
}

/// Players are somebody, if what names and defines call players is.
pub fn is_somebody(game: &Game, players: &model::Players) -> bool {
    use model::{Expr, Players};
    match players {
        Players::Fixed(set) => set.min().is_some(),
        Players::Own | Players::Local(_) => true,
        Players::Enemy => game.players().all(|player| game.enemies(player).min().is_some()),
        Players::Ally => game.players().all(|player| game.allies(player).min().is_some()),
        Players::If(choice) => is_somebody(game, &choice.then) && is_somebody(game, &choice.otherwise),
        Players::Call(call) => call.arguments.iter().all(|value| match value {
            Expr::Players(players) => is_somebody(game, players),
            _ => true,
        }),
    }
}

/// What statements name and defines tell as players is somebody.
pub fn names_are_somebody(game: &Game) -> bool {
    let named = game.blocks.iter().flatten().filter_map(|statement| match statement {
        model::Statement::Assign { value, .. } => Some(value),
        _ => None,
    });
    named.chain(game.defines.iter().map(|define| &define.body)).all(|value| match value {
        model::Expr::Players(players) => is_somebody(game, players),
        _ => true,
    })
}

/// Of which men, by player and kind, there is one alone when a game begins, as far as the
/// statements tell that set it up.
pub fn lone(game: &Game) -> Vec<(Player, Kind)> {
    use model::{Place, Statement};
    let mut counts = vec![0; game.seats.len() * game.kinds.len()];
    let mut count =
        |player: Player, kind: Kind, men: usize| counts[player.index() * game.kinds.len() + kind.index()] += men;
    for statement in game.block(game.setup.block) {
        match statement {
            Statement::Place { place: Place::On { men, cells, .. }, .. } => {
                let cells = if let model::Cells::Fixed(cells) = cells { cells.iter().count() } else { 1 };
                men.iter().for_each(|man| game.players().for_each(|player| count(player, man.kind, cells)));
            }
            Statement::Place { place: Place::InHand { man, .. }, .. } => {
                game.players().for_each(|player| count(player, man.kind, 2));
            }
            Statement::Picture { picture, .. } => {
                picture
                    .men
                    .iter()
                    .for_each(|(_, owner, kind)| owner.iter().for_each(|player| count(*player, *kind, 1)));
            }
            _ => {}
        }
    }
    let men = game.players().flat_map(|player| (0..game.kinds.len()).map(move |kind| (player, Kind(kind as u8))));
    men.zip(counts).filter(|(_, count)| *count == 1).map(|(man, _)| man).collect()
}

/// Whether the game ever has men in hand.
pub fn uses_hands(game: &Game) -> bool {
    use model::{Place, Statement};
    game.captures == model::Captures::ToHand
        || game.blocks.iter().flatten().any(|statement| match statement {
            Statement::Place { place: Place::InHand { .. }, .. } => true,
            Statement::Place { place: Place::On { from_hand, .. }, .. } => *from_hand,
            Statement::Remove { to_hand, .. } => *to_hand,
            _ => false,
        })
}

/// The registers of stacks, where sets have so many words.
pub fn stack_registers(game: &Game, words: usize, fresh: &mut VirtualRegs) -> Lowered<Stacks> {
    let men = (game.seats.len() + 1) * game.kinds.len();
    let Some(bits) = [1, 2, 4, 8].into_iter().find(|bits| men <= 1 << bits) else {
        return unplanned("so many kinds of men that stand on each other");
    };
    let asks_room = adds_men(game) || has_many_in_hand(game);
    let most_men = if asks_room { most_men(game.topology.len()) } else { MAX_HEIGHT };
    let registers = (most_men * bits).div_ceil(64 * words);
    let heights = fresh.row(HEIGHT_REGISTERS + registers);
    let men = SetReg(heights.0 + HEIGHT_REGISTERS as u16);
    Ok(Stacks { heights, men, registers: registers as u16, bits: bits as u8, most_men: most_men as u16, asks_room })
}

/// Men may come onto the board, or into hands, from nowhere in a turn: how many there are is not known when it begins.
fn adds_men(game: &Game) -> bool {
    use model::{Place, Statement};
    let mut waiting: Vec<model::BlockId> =
        game.opening.iter().map(|turn| turn.block).chain([game.turn.block]).collect();
    while let Some(block) = waiting.pop() {
        for statement in game.block(block) {
            match statement {
                Statement::Place { place: Place::InHand { .. }, .. } => return true,
                Statement::Place { place: Place::On { from_hand: false, .. }, .. } => return true,
                _ => waiting.extend(statement.blocks()),
            }
        }
    }
    false
}

/// More men than may stand on one cell begin in hand, or so many that it is not known.
fn has_many_in_hand(game: &Game) -> bool {
    use model::{Number, Place, Statement};
    let each = game.block(game.setup.block).iter().map(|statement| match statement {
        Statement::Place { place: Place::InHand { amount: Number::Fixed(amount), .. }, .. } => {
            (*amount).max(0) as usize
        }
        Statement::Place { place: Place::InHand { .. }, .. } => MAX_HEIGHT,
        _ => 0,
    });
    each.fold(0, usize::saturating_add).saturating_mul(game.seats.len()) > MAX_HEIGHT
}

/// By kind and way: a number that ways have in common whose lines say the same.
pub fn alike(game: &model::Game) -> Vec<Vec<usize>> {
    let mut seen: Vec<String> = Vec::new();
    let mut number = |way: &model::Way| {
        let line = without_spans(&way.line);
        seen.iter().position(|known| *known == line).unwrap_or_else(|| {
            seen.push(line);
            seen.len() - 1
        })
    };
    game.kinds.iter().map(|kind| kind.ways.iter().map(&mut number).collect()).collect()
}

/// What tells lines apart, wherever they are written.
fn without_spans(line: &model::Line) -> String {
    let text = format!("{line:?}");
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("span: Span {") {
        plain.push_str(&rest[..at]);
        rest = rest[at..].find('}').map_or("", |end| &rest[at + end + 1..]);
    }
    plain.push_str(rest);
    plain
}
