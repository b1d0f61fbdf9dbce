//! The server from outside: messages of an editor go to its stdin; what it writes are messages of the protocol.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use lsp_types as lsp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::cli::command;

/// An editor that waits for each answer.
struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
    /// What was told meanwhile.
    told: VecDeque<Value>,
    home: tempfile::TempDir,
}

impl Editor {
    fn new() -> Editor {
        let home = tempfile::tempdir().unwrap();
        let mut command = command(&["lsp", "--stdio"]);
        command.env("XDG_CACHE_HOME", home.path());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut editor = Editor { child, input, output, asked: 0, told: VecDeque::new(), home };
        let snippets = json!({ "completion": { "completionItem": { "snippetSupport": true } } });
        let capabilities = json!({ "textDocument": snippets });
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities });
        let result: lsp::InitializeResult = editor.ask("initialize", params);
        assert_eq!(result.server_info.expect("its name").name, "lusoria");
        assert!(result.capabilities.hover_provider.is_some() && result.capabilities.rename_provider.is_some());
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("it is open");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it reads");
        input.flush().expect("it reads");
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("it writes UTF-8") > 0, "it has ended");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("as many as it said");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.read();
            if message["id"] == json!(id) {
                return message;
            }
            self.told.push_back(message);
        }
    }

    /// The answer, in the form that the protocol wants.
    fn ask<T: DeserializeOwned>(&mut self, method: &str, params: Value) -> T {
        let answer = self.answer(method, params);
        assert_eq!(answer["error"], Value::Null, "{method}: {answer}");
        serde_json::from_value(answer["result"].clone()).unwrap_or_else(|error| panic!("{method}: {error}: {answer}"))
    }

    fn open(&mut self, uri: &str, text: &str) -> lsp::PublishDiagnosticsParams {
        let text = json!({ "uri": uri, "languageId": "lusoria", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": text }));
        self.published(uri)
    }

    /// What is told next of the mistakes in a text.
    fn published(&mut self, uri: &str) -> lsp::PublishDiagnosticsParams {
        let is_wanted =
            |message: &Value| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri;
        loop {
            if let Some(message) = self.told.iter().position(is_wanted).and_then(|at| self.told.remove(at)) {
                return serde_json::from_value(message["params"].clone()).expect("as the protocol has it");
            }
            let message = self.read();
            self.told.push_back(message);
        }
    }

    fn end(mut self) {
        let _: Value = self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.input = None;
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }
}

const TEXT: &str = "game \"A\" {\n  players White north, Black south\n  board square 5 by 5\n  piece man { move straight: step }\n  \
    setup { place man on row 1   mirror }\n  move { pick p from ownn   move p }\n  end { win if stuck(enemy) }\n}\n";
const URI: &str = "file:///games/a.rules";

fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
}

#[test]
#[allow(clippy::mutable_key_type, reason = "a client reads the map and never changes its keys")]
fn an_editor_is_served() {
    let mut editor = Editor::new();
    let published = editor.open(URI, TEXT);
    assert_eq!(published.version, Some(1));
    let [found] = published.diagnostics.as_slice() else { panic!("{published:?}") };
    assert_eq!(found.code, Some(lsp::NumberOrString::String("unknown-name".into())));
    assert_eq!(found.severity, Some(lsp::DiagnosticSeverity::ERROR));
    assert_eq!((found.range.start.line, found.range.start.character), (5, 21));

    let range = json!({ "start": { "line": 5, "character": 21 }, "end": { "line": 5, "character": 25 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
    let actions: Vec<lsp::CodeAction> = editor.ask("textDocument/codeAction", params);
    let edit = actions[0].edit.as_ref().and_then(|edit| edit.changes.as_ref()).expect("an edit");
    let edit = &edit.values().next().expect("of the text")[0];
    assert_eq!(edit.new_text, "own");

    // As the edit says.
    let change = json!({ "range": range, "text": edit.new_text });
    let text = json!({ "uri": URI, "version": 2 });
    editor.tell("textDocument/didChange", json!({ "textDocument": text, "contentChanges": [change] }));
    let published = editor.published(URI);
    assert_eq!((published.version, published.diagnostics.len()), (Some(2), 0));

    let hover: lsp::Hover = editor.ask("textDocument/hover", at(3, 30));
    let lsp::HoverContents::Markup(hover) = hover.contents else { panic!("{hover:?}") };
    assert!(hover.value.contains("pattern step"), "{}", hover.value);
    let nothing: Option<lsp::Hover> = editor.ask("textDocument/hover", at(7, 0));
    assert_eq!(nothing, None);

    let items: Vec<lsp::CompletionItem> = editor.ask("textDocument/completion", at(5, 21));
    let own = items.iter().find(|item| item.label == "own").expect("it is offered");
    assert_eq!(own.kind, Some(lsp::CompletionItemKind::CONSTANT));

    let found: Vec<lsp::Location> = editor.ask("textDocument/definition", at(3, 30));
    let uri = found[0].uri.as_str();
    assert!(uri.starts_with("file:///") && uri.ends_with("/std.rules"), "{uri}");
    let copies = walk(editor.home.path());
    assert!(copies.iter().any(|path| path.ends_with("std.rules")), "{copies:?}");

    let mut params = at(5, 14);
    params["context"] = json!({ "includeDeclaration": true });
    let found: Vec<lsp::Location> = editor.ask("textDocument/references", params);
    assert_eq!(found.len(), 2);
    let found: Vec<lsp::DocumentHighlight> = editor.ask("textDocument/documentHighlight", at(5, 14));
    assert_eq!(found[0].kind, Some(lsp::DocumentHighlightKind::WRITE));

    let range: lsp::PrepareRenameResponse = editor.ask("textDocument/prepareRename", at(5, 14));
    assert!(matches!(range, lsp::PrepareRenameResponse::Range(range) if range.end.character == 15), "{range:?}");
    let mut params = at(5, 14);
    params["newName"] = json!("q");
    let edit: lsp::WorkspaceEdit = editor.ask("textDocument/rename", params);
    assert_eq!(edit.changes.expect("changes").values().next().map(Vec::len), Some(2));
    let mut params = at(5, 14);
    params["newName"] = json!("a1");
    let refused = editor.answer("textDocument/rename", params);
    assert!(refused["error"]["message"].as_str().is_some_and(|why| why.contains("cell")), "{refused}");
    editor.end();
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let inside = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    inside.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn whole_texts_are_answered_for() {
    let mut editor = Editor::new();
    let text = "game \"A\"  extends \"Breakthrough\" {\n  move { as usual   again }\n}\n";
    editor.open(URI, text);
    let whole = json!({ "textDocument": { "uri": URI } });
    let symbols: Vec<lsp::DocumentSymbol> = editor.ask("textDocument/documentSymbol", whole.clone());
    assert_eq!(symbols[0].children.as_ref().map(Vec::len), Some(1));
    let tokens: lsp::SemanticTokens = editor.ask("textDocument/semanticTokens/full", whole.clone());
    assert!(tokens.data.len() > 6);
    let mut params = whole.clone();
    params["range"] = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints: Vec<lsp::InlayHint> = editor.ask("textDocument/inlayHint", params);
    assert_eq!(hints.len(), 1);
    let mut params = whole.clone();
    params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    let edits: Vec<lsp::TextEdit> = editor.ask("textDocument/formatting", params);
    assert_eq!(edits.len(), 1, "{edits:?}");
    let unknown = editor.answer("textDocument/moniker", at(0, 0));
    assert_eq!(unknown["error"]["code"], -32601);
    let wrong = editor.answer("textDocument/hover", json!({ "position": 7 }));
    assert_eq!(wrong["error"]["code"], -32602);
    editor.tell("textDocument/didClose", whole);
    assert!(editor.published(URI).diagnostics.is_empty());
    let closed = editor.answer("textDocument/hover", at(0, 0));
    assert_eq!(closed["error"]["code"], -32602);
    editor.end();
}

/// What an editor shows counts, also where the file says something else.
#[test]
fn texts_that_extend_others_follow_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("base game.rules");
    std::fs::write(&file, TEXT.replace("ownn", "own")).unwrap();
    let uri = |name: &str| format!("file://{}/{}", folder.path().display(), name.replace(' ', "%20"));
    let (base, variant) = (uri("base game.rules"), uri("b.rules"));
    let mut editor = Editor::new();
    let text = "game \"B\" extends \"A\" {\n  move { as usual   if some own man { again } }\n}\n";
    assert_eq!(editor.open(&variant, text).diagnostics, []);

    // The base is opened, and broken before it is saved.
    assert_eq!(editor.open(&base, &TEXT.replace("ownn", "own")).diagnostics, []);
    assert_eq!(editor.published(&variant).diagnostics, []);
    let change = json!({ "text": TEXT });
    let document = json!({ "uri": base, "version": 2 });
    editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    let told = editor.published(&variant).diagnostics;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].range.start.line, 0, "where the other game is named");
    let related = told[0].related_information.as_ref().expect("the place itself");
    assert_eq!((related[0].location.uri.as_str(), related[0].location.range.start.line), (base.as_str(), 5));

    let place = json!({ "textDocument": { "uri": variant }, "position": { "line": 1, "character": 34 } });
    let found: Vec<lsp::Location> = editor.ask("textDocument/definition", place);
    assert_eq!(found[0].uri.as_str(), base);
    editor.end();
}

#[test]
fn examples_that_fail_are_told_of_what_is_opened_or_saved() {
    let good = TEXT.replace("ownn", "own").replace("  end", "  example \"up\" { legal \"a1-a2\" }\n  end");
    let bad = good.replace("a1-a2", "a1-a3");
    let mut editor = Editor::new();
    assert_eq!(editor.open(URI, &bad).diagnostics, []);
    let told = editor.published(URI);
    assert_eq!((told.version, told.diagnostics.len()), (Some(1), 1), "{told:?}");
    let one = &told.diagnostics[0];
    assert_eq!((one.range.start.line, one.range.start.character), (6, 17));
    assert_eq!(one.code, Some(lsp::NumberOrString::String("example-failed".into())));
    assert!(one.message.contains("lusoria why /games/a.rules --position \"BBBBB/5/5/5/WWWWW White\" a1-a3"), "{one:?}");

    let write = |editor: &mut Editor, version: i32, text: &str| {
        let params =
            json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": [{ "text": text }] });
        editor.tell("textDocument/didChange", params);
        editor.published(URI).diagnostics
    };
    let save = |editor: &mut Editor| {
        editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": URI } }));
        editor.published(URI).diagnostics
    };
    assert_eq!((write(&mut editor, 2, &good), save(&mut editor)), (vec![], vec![]));
    assert_eq!((write(&mut editor, 3, &bad), save(&mut editor)), (vec![], vec![]));
    let told = editor.published(URI);
    assert_eq!((told.version, told.diagnostics.len()), (Some(3), 1), "{told:?}");
    editor.end();
}

#[test]
fn an_editor_that_goes_away_ends_it() {
    let mut editor = Editor::new();
    editor.input = None;
    assert_eq!(editor.child.wait().expect("it ends").code(), Some(1));
}
