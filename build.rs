//! Build script: the folder `rules` and the page as `npm run build` left it go in; copies of the rules files that the
//! binary embeds, without the examples beside them, and the list of the files that `lusoria web` serves come out. It also
//! tells the linker how a release is linked.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// It is there also before anything is built, so that Cargo can watch it.
const BUILT: &str = "web/built";
/// The shipped games.
const RULES: &str = "rules";
/// A script that the linker reads beside its own.
const DISCARD_UNWIND_TABLES: &str = "SECTIONS { /DISCARD/ : {
  *(.eh_frame .eh_frame_hdr .gcc_except_table .gcc_except_table.*)
} } INSERT AFTER .text;
";

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    link_release()?;
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).unwrap_or_default();
    embed_rules(&folder("CARGO_MANIFEST_DIR").join(RULES), &folder("OUT_DIR").join(RULES))?;
    // The module of the page is built of this package without its command line.
    if std::env::var_os("CARGO_FEATURE_CLI").is_none() {
        return Ok(());
    }
    let built = folder("CARGO_MANIFEST_DIR").join(BUILT);
    if built.is_dir() {
        println!("cargo:rerun-if-changed={BUILT}");
    }
    let mut list = String::from("/// The files of the page: path and bytes; none before it is built.\n");
    list.push_str("const PAGE: &[(&str, &[u8])] = &[\n");
    let page = built.join("page");
    let out = folder("OUT_DIR");
    for (number, path) in files(&page).into_iter().enumerate() {
        let name = path.strip_prefix(&page).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        // The page may be built anew while the program is.
        let copy = format!("page{number}");
        std::fs::copy(&path, out.join(&copy))?;
        let _ = writeln!(list, "    ({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{copy}\"))),");
    }
    list.push_str("];\n");
    std::fs::write(out.join("page.rs"), list)
}

/// Links a release at a fixed address and without tables for unwinding, which saves two megabytes of fifteen. Nothing
/// reads these tables, as a panic aborts; the profile says so, and Cargo does not tell a build script. A flag of the
/// compiler would take them from build scripts and procedural macros too, which unwind. At a fixed address there is no
/// table of what the loader moves.
fn link_release() -> std::io::Result<()> {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("PROFILE", "release") {
        let script = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("discard.ld");
        std::fs::write(&script, DISCARD_UNWIND_TABLES)?;
        println!("cargo:rustc-link-arg-bins=-no-pie");
        println!("cargo:rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
        println!("cargo:rustc-link-arg-bins=-Wl,-T,{}", script.display());
    }
    Ok(())
}

/// Copies the files of a folder, not those in folders within it.
fn embed_rules(from: &Path, to: &Path) -> std::io::Result<()> {
    println!("cargo:rerun-if-changed={RULES}");
    if to.is_dir() {
        std::fs::remove_dir_all(to)?;
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// The files of a folder and those within it, sorted; none if it is not there.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let within = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    let mut all: Vec<PathBuf> = entries.flat_map(|entry| within(entry.path())).collect();
    all.sort();
    all
}
