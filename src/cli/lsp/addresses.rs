//! Addresses: URIs of an editor go in; paths come out, and back. Shipped texts get a file that an editor can show.

use std::path::{Path, PathBuf};

use crate::check::Library;
use crate::editor::Document;
use crate::shipped::Shipped;
use crate::source::Source;

/// The path of a file's URI.
pub fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(rest.len());
    let mut all = rest.bytes();
    while let Some(byte) = all.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [all.next()?, all.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    let path = String::from_utf8(bytes).ok()?;
    // The drive of Windows stands behind the first slash.
    let is_drive = cfg!(windows) && path.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_drive { path[1..].to_string() } else { path }))
}

/// The URI of a file.
fn uri(path: &Path) -> String {
    let text = path.display().to_string().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            b':' if cfg!(windows) => uri.push(':'),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

/// The URI of one of the texts that a document is read with; nothing where it can have no file.
pub fn address(document: &Document, own: &str, name: &str) -> Option<String> {
    if name == document.name() {
        return Some(own.to_string());
    }
    let beside = Path::new(name);
    if beside.is_absolute() && beside.is_file() {
        return Some(uri(beside));
    }
    // A shipped text: the editor may be showing the folder that it comes from.
    let source = shipped(name)?;
    let neighbour = path(own).and_then(|path| Some(path.parent()?.join(name)));
    let is_same = |path: &PathBuf| std::fs::read_to_string(path).is_ok_and(|text| text == source.text());
    neighbour.filter(is_same).or_else(|| written(&source)).map(|path| uri(&path))
}

fn shipped(name: &str) -> Option<Source> {
    let games = Shipped.games().into_iter().map(|game| game.source);
    games.chain([Shipped.prelude()]).find(|source| source.name() == name)
}

/// A copy of a shipped text, among the files that the user's programs keep for themselves.
fn written(source: &Source) -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|folder| folder.join(".cache")))?;
    let folder = caches.join("lusoria").join(env!("CARGO_PKG_VERSION"));
    let path = folder.join(source.name());
    if std::fs::read_to_string(&path).is_ok_and(|text| text == source.text()) {
        return Some(path);
    }
    std::fs::create_dir_all(&folder).ok()?;
    std::fs::write(&path, source.text()).ok()?;
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses_are_the_same_both_ways() {
        for text in ["/a/b c/d\u{e9}#1.rules", "/x.rules"] {
            assert_eq!(path(&uri(Path::new(text))), Some(PathBuf::from(text)));
        }
        assert_eq!(uri(Path::new("/a b")), "file:///a%20b");
        assert_eq!(path("file:///a%2"), None);
        assert_eq!(path("untitled:Untitled-1"), None);
    }
}
