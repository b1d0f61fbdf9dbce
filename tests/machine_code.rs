//! Machine code as snapshots: games go in; what the JIT compiler emits for them is disassembled and
//! compared. Emitting takes no AVX-512, so this runs on every x86-64 processor.
//!
//! Jumps name labels, and memory is read only relative to registers, so listings are the same on
//! every machine. `tests/snapshots/machine_code` holds the listings.

#![cfg(target_arch = "x86_64")]

use std::collections::BTreeSet;
use std::fmt::Write;

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter};
use lusoria::Game;
use lusoria::batch::{MachineFunction, machine_code};
use lusoria::interp::Engine;

use crate::common::game;

/// A function as text, an instruction a line. Jumps name labels, so that a change shows where it is
/// made alone.
fn listing(function: &MachineFunction) -> String {
    let mut formatter = IntelFormatter::new();
    let options = formatter.options_mut();
    options.set_space_after_operand_separator(true);
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    let instructions: Vec<Instruction> = Decoder::new(64, &function.code, DecoderOptions::NONE).iter().collect();
    let targets: BTreeSet<u64> =
        instructions.iter().map(Instruction::near_branch_target).filter(|target| *target > 0).collect();
    let label = |at: u64| targets.range(..at).count() + 1;
    let mut text = format!("{}:\n", function.name);
    for instruction in &instructions {
        let at = instruction.ip();
        assert!(!instruction.is_invalid(), "{} at {at:#x}: no instruction", function.name);
        assert!(!instruction.is_ip_rel_memory_operand(), "{}: memory is read by registers", function.name);
        if targets.contains(&at) {
            writeln!(text, " label {}:", label(at)).expect("a text takes lines");
        }
        let mut line = String::new();
        match instruction.near_branch_target() {
            0 => formatter.format(instruction, &mut line),
            target => {
                assert!(
                    instructions.iter().any(|other| other.ip() == target),
                    "{} at {at:#x}: jumps out",
                    function.name
                );
                formatter.format_mnemonic(instruction, &mut line);
                write!(line, " label {}", label(target)).expect("a text takes words");
            }
        }
        writeln!(text, "    {line}").expect("a text takes lines");
    }
    text
}

fn functions(game: &Game) -> Vec<MachineFunction> {
    let engine = Engine::new(game.model()).unwrap_or_else(|why| panic!("{}: {why:?}", game.name()));
    machine_code(&engine).unwrap_or_else(|why| panic!("{}: {why}", game.name()))
}

/// The largest games are left out, as nobody would read their listings.
#[test]
fn machine_code_is_as_it_was_read() {
    for name in ["breakthrough", "othello", "pente", "nine_mens_morris"] {
        let functions = functions(&game(name));
        let turns: Vec<String> =
            functions.iter().filter(|function| function.name.starts_with("turn of player 0")).map(listing).collect();
        assert!(!turns.is_empty(), "{name}: no turn has code");
        insta::with_settings!({ snapshot_path => "snapshots/machine_code", prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name, turns.join("\n"));
        });
    }
}

/// All that is emitted for shipped games are whole instructions, one after the other.
#[test]
fn all_machine_code_is_made_of_instructions() {
    let mut count = 0;
    for name in ["amazons", "chess", "gonnect", "xiangqi", "ninuki_renju", "morabaraba", "kitaran"] {
        for function in functions(&game(name)) {
            let listing = listing(&function);
            assert!(listing.contains("\n") && listing.contains("ret"), "{name}: {listing}");
            count += listing.lines().count();
        }
    }
    assert!(count > 5_000, "{count} instructions");
}
