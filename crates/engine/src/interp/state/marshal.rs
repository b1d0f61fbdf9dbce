//! Marshalling: positions go into registers and come out; recorded choices come out as written
//! moves.

use crate::board::{Axis, Cell, Dir, Kind, Player};
use crate::interp::bitset;
use crate::interp::bitset::Bitset;
use crate::interp::state::stack_table::StackTable;
use crate::interp::state::turn::ChoiceEntry;
use crate::interp::state::vm::Vm;
use crate::model::{Game, StateId, Type};
use crate::plan::{BitboardLayout, Bits, KindSet, NumReg, PositionLayout, SetReg, Stacks, StateCell};
use crate::position::{Man, Position, Value, Written};

/// Where registers are read and written, whatever their width.
pub trait Registers {
    fn get(&self, reg: SetReg) -> Bits;
    fn put(&mut self, reg: SetReg, bits: Bits);
    fn get_number(&self, reg: NumReg) -> i64;
    fn put_number(&mut self, reg: NumReg, number: i64);
}

/// Puts a position into registers. `false`: it holds what the layout has no place for.
pub fn load(
    game: &Game,
    grid: &BitboardLayout,
    layout: &PositionLayout,
    position: &Position,
    to: &mut impl Registers,
) -> bool {
    if !position.waiting().is_empty() || !position.begun().is_empty() {
        return false;
    }
    for player in game.players() {
        to.put(layout.of[player.index()], grid.of(position.of(player)));
    }
    match layout.neutral {
        Some(reg) => to.put(reg, grid.of(position.neutral())),
        None if !position.neutral().is_empty() => return false,
        None => {}
    }
    for kind in (0..game.kinds.len() as u8).map(Kind) {
        match layout.kinds[kind.index()] {
            KindSet::Register(reg) => to.put(reg, grid.of(position.kind(kind))),
            KindSet::AllOwned if position.kind(kind).meets(position.neutral()) => return false,
            KindSet::AllNeutral if !position.kind(kind).is_within(position.neutral()) => return false,
            _ => {}
        }
    }
    for (index, cells) in layout.states.iter().enumerate() {
        for (copy, cell) in cells.iter().enumerate() {
            match (cell, position.value(StateId(index as u16), Player(copy as u8))) {
                (StateCell::Set(reg), Value::Cells(cells)) if cells.len() > 1 && layout.single.contains(reg) => {
                    return false;
                }
                (StateCell::Set(reg), Value::Cells(cells)) => to.put(*reg, grid.of(cells)),
                (StateCell::Number(reg), Value::Number(number)) => to.put_number(*reg, *number),
                (StateCell::Number(reg), Value::Truth(truth)) => to.put_number(*reg, i64::from(*truth)),
                _ => return false,
            }
        }
    }
    for (index, reg) in layout.hands.iter().enumerate() {
        let (player, kind) = (index / game.kinds.len(), index % game.kinds.len());
        to.put_number(*reg, i64::from(position.hand(Player(player as u8), Kind(kind as u8))));
    }
    if let Some(reg) = layout.waiting {
        to.put(reg, Bits::default());
    }
    load_stacks(game, grid, layout, position, to)
}

/// Words of registers that follow one another.
fn words(grid: &BitboardLayout, from: &impl Registers, first: SetReg, registers: u16) -> Vec<u64> {
    let regs = (first.0..first.0 + registers).map(SetReg);
    regs.flat_map(|reg| from.get(reg).0[..grid.words].to_vec()).collect()
}

/// `false`: there are more men than stacks have a place for.
fn load_stacks(
    game: &Game,
    grid: &BitboardLayout,
    layout: &PositionLayout,
    position: &Position,
    to: &mut impl Registers,
) -> bool {
    let Some(table) = StackTable::new(layout) else { return true };
    let Stacks { heights, men, most_men, asks_room, .. } = table.stacks;
    let hands = game.players().flat_map(|player| (0..game.kinds.len()).map(move |kind| (player, Kind(kind as u8))));
    let in_hand: usize = hands.map(|(player, kind)| position.hand(player, kind) as usize).sum();
    let on_board: usize = game.topology.cells().map(|cell| position.men(cell).len()).sum();
    let mut all = game.topology.cells().flat_map(|cell| position.men(cell));
    let may_stand = on_board + if asks_room { 0 } else { in_hand };
    if may_stand > usize::from(most_men) || !all.all(|man| layout.has_place_for(man.owner, man.kind)) {
        return false;
    }
    let mut cells: Vec<Cell> = game.topology.cells().collect();
    cells.sort_by_key(|cell| grid.bit(*cell));
    let stacks = cells.into_iter().map(|cell| {
        let bits = |man: &Man| table.man((man.owner.map(Player::index), man.kind.index()));
        (grid.bit(cell), position.men(cell).iter().map(bits).collect::<Vec<u8>>())
    });
    let (all_heights, all_men) = table.packed(stacks, grid.words);
    for (first, words) in [(heights, all_heights), (men, all_men)] {
        for (reg, words) in (first.0..).zip(words.chunks(grid.words)) {
            let mut bits = Bits::default();
            bits.0[..grid.words].copy_from_slice(words);
            to.put(SetReg(reg), bits);
        }
    }
    true
}

/// The position that registers hold, with a history that begins with it. `empty` is the empty
/// position of the game.
pub fn position(
    game: &Game,
    grid: &BitboardLayout,
    layout: &PositionLayout,
    from: &impl Registers,
    (to_move, opening): (Player, u32),
    empty: &Position,
) -> Position {
    let mut position = empty.clone();
    if let Some(table) = StackTable::new(layout) {
        let Stacks { heights, men, registers, .. } = table.stacks;
        let (mut heights, mut men) = (words(grid, from, heights, men.0 - heights.0), words(grid, from, men, registers));
        for cell in game.topology.cells() {
            for man in table.unpacked((&mut heights, &mut men), grid.bit(cell)) {
                let (owner, kind) = table.standing(man);
                position.put_man(cell, Man { owner: owner.map(|owner| Player(owner as u8)), kind: Kind(kind as u8) });
            }
        }
    }
    let owners: Vec<(Player, Bits)> = game.players().zip(layout.of.iter().map(|reg| from.get(*reg))).collect();
    let neutral = layout.neutral.map_or_else(Bits::default, |reg| from.get(reg));
    let kinds = layout.kinds.iter().map(|kind| match kind {
        KindSet::Register(reg) => Some(from.get(*reg)),
        KindSet::AllOwned | KindSet::AllNeutral => None,
    });
    let kinds: Vec<(Kind, KindSet, Option<Bits>)> =
        (0..).map(Kind).zip(layout.kinds.iter().zip(kinds)).map(|(kind, (of, cells))| (kind, *of, cells)).collect();
    for cell in game.topology.cells().filter(|_| layout.stacks.is_none()) {
        let bit = grid.bit(cell);
        let owner = owners.iter().find(|(_, cells)| cells.contains(bit)).map(|(player, _)| *player);
        let is_neutral = neutral.contains(bit);
        if owner.is_none() && !is_neutral {
            continue;
        }
        let stands = |(_, of, cells): &&(Kind, KindSet, Option<Bits>)| match of {
            KindSet::Register(_) => cells.as_ref().is_some_and(|cells| cells.contains(bit)),
            KindSet::AllOwned => owner.is_some(),
            KindSet::AllNeutral => is_neutral,
        };
        if let Some((kind, ..)) = kinds.iter().find(stands) {
            position.put_man(cell, Man { owner, kind: *kind });
        }
    }
    for (index, cells) in layout.states.iter().enumerate() {
        for (copy, cell) in cells.iter().enumerate() {
            let value = match cell {
                StateCell::Set(reg) => Value::Cells(grid.cells(&from.get(*reg).0)),
                StateCell::Number(reg) if game.states[index].first.ty() == Type::Truth => {
                    Value::Truth(from.get_number(*reg) != 0)
                }
                StateCell::Number(reg) => Value::Number(from.get_number(*reg)),
            };
            position.set_value(StateId(index as u16), Player(copy as u8), value);
        }
    }
    for (index, reg) in layout.hands.iter().enumerate() {
        let (player, kind) = (index / game.kinds.len(), index % game.kinds.len());
        let count = u32::try_from(from.get_number(*reg)).unwrap_or(0);
        position.set_hand(Player(player as u8), Kind(kind as u8), count);
    }
    position.set_to_move(to_move);
    position.set_opening(opening);
    position.settle();
    position
}

/// What was told of the choices of a turn, as moves are written. Of rounds that are silent only the
/// last is.
pub fn written<const W: usize>(grid: &BitboardLayout, told: &[ChoiceEntry<W>]) -> Vec<Written> {
    let mut written = Vec::new();
    write(grid, told, &mut written);
    written
}

/// The same, in place of what was written before.
pub fn write<const W: usize>(grid: &BitboardLayout, told: &[ChoiceEntry<W>], written: &mut Vec<Written>) {
    let mut begun = Vec::new();
    written.clear();
    for told in told {
        match told {
            ChoiceEntry::Silent => begun.push(written.len()),
            ChoiceEntry::Round => written.truncate(begun.last().copied().unwrap_or(written.len())),
            ChoiceEntry::Loud => drop(begun.pop()),
            told => written.extend(choice(grid, told)),
        }
    }
}

/// One choice; `None` for what holds no cell.
fn choice<const W: usize>(grid: &BitboardLayout, told: &ChoiceEntry<W>) -> Option<Written> {
    Some(match *told {
        ChoiceEntry::Cell(cell) => Written::Cell(first_cell(grid, &cell)?),
        ChoiceEntry::Landing { cell, captures, sign } => {
            Written::Landing { cell: first_cell(grid, &cell)?, captures, sign }
        }
        ChoiceEntry::Number(number) => Written::Number(number),
        ChoiceEntry::Combination(cells) => Written::Combination(Box::new(grid.cells(&cells))),
        ChoiceEntry::Group(cells) => Written::Group(Box::new(grid.cells(&cells))),
        ChoiceEntry::Dir(bit) => Written::Dir(Dir(bit.trailing_zeros() as u16)),
        ChoiceEntry::Axis(bit) => Written::Axis(Axis(bit.trailing_zeros() as u16)),
        ChoiceEntry::Kind(kind) => Written::Kind(kind),
        ChoiceEntry::Promotion(kind) => Written::Promotion(kind),
        ChoiceEntry::Label(label) => Written::Label(label),
        ChoiceEntry::Pass => Written::Pass,
        ChoiceEntry::Swap => Written::Swap,
        ChoiceEntry::Stop => Written::Stop,
        ChoiceEntry::Silent | ChoiceEntry::Round | ChoiceEntry::Loud => return None,
    })
}

/// The first cell of a set, in the order of the board. Mostly there is only one, which needs no order.
fn first_cell<const W: usize>(grid: &BitboardLayout, cells: &Bitset<W>) -> Option<Cell> {
    match bitset::sole(cells) {
        Some(bit) => grid.cell(bit),
        None => grid.cells(cells).min(),
    }
}

impl<const W: usize> Registers for Vm<W> {
    fn get(&self, reg: SetReg) -> Bits {
        let mut bits = Bits::default();
        bits.0[..W].copy_from_slice(self.set(reg));
        bits
    }

    fn put(&mut self, reg: SetReg, bits: Bits) {
        self.put(reg, bitset::of(&bits));
    }

    fn get_number(&self, reg: NumReg) -> i64 {
        self.number(reg)
    }

    fn put_number(&mut self, reg: NumReg, number: i64) {
        self.put_number(reg, number);
    }
}
