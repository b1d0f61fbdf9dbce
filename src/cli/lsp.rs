//! Command `lsp`: messages of an editor come in on stdin; its answers, and what is wrong with the texts it shows, go out.
//!
//! This is the wire alone: what is answered is worked out in `editor`.

mod addresses;
mod examples;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response, ResponseError};
use lsp_types::notification as note;
use lsp_types::notification::Notification as _;
use lsp_types::request as ask;
use lsp_types::request::Request as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::check::{Library, key};
use crate::cli::args::LspArgs;
use crate::cli::lsp::addresses::{address, path};
use crate::cli::lsp::examples::{Holder, Text};
use crate::cli::select::Beside;
use crate::cli::{Failure, Outcome};
use crate::editor::{
    Action, Diagnostic, Document, Edit, Format, Position, Range, TOKEN_MODIFIERS, TOKEN_TYPES, Target,
};
use crate::shipped::{Shipped, title};
use crate::sort;
use crate::source::Source;

pub fn run(_: &LspArgs) -> Outcome {
    let (connection, threads) = Connection::stdio();
    let ended = serve(&connection);
    drop(connection);
    // The threads end with the connection; what they could not read or write is told.
    let joined = threads.join();
    let is_fine = ended.map_err(|error| Failure::usage(format!("the editor has broken off: {error}")))?;
    joined?;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Answers until the editor says that it is enough; whether it has said so.
fn serve(connection: &Connection) -> Result<bool, Box<dyn std::error::Error + Sync + Send>> {
    let (id, asked) = connection.initialize_start()?;
    let supports = "/capabilities/textDocument/completion/completionItem/snippetSupport";
    let snippets = asked.pointer(supports).and_then(Value::as_bool).unwrap_or(false);
    let format = if snippets { Format::Snippets } else { Format::Plain };
    let info = json!({ "name": "lusoria", "version": env!("CARGO_PKG_VERSION") });
    connection.initialize_finish(id, json!({ "capabilities": capabilities(), "serverInfo": info }))?;

    let sender = connection.sender.clone();
    // An editor that has gone away is told nothing.
    let holder = Holder::new(move |message| drop(sender.send(message)));
    let mut server = Server { open: BTreeMap::new(), stale: BTreeSet::new(), saved: BTreeSet::new(), holder, format };
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(true);
                }
                let response = server.answer(request);
                connection.sender.send(Message::Response(response))?;
            }
            Message::Notification(notification) => {
                // What is told wrongly has nobody to be answered.
                if let Some(message) = server.told(notification) {
                    connection.sender.send(Message::Notification(message))?;
                }
            }
            Message::Response(_) => {}
        }
        // While more is to be read the texts may still change.
        if connection.receiver.is_empty() {
            for message in server.mistakes() {
                connection.sender.send(Message::Notification(message))?;
            }
            server.hold_examples();
        }
    }
    Ok(false)
}

fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
        "hoverProvider": true,
        "completionProvider": { "triggerCharacters": [" ", "^", "<", "(", "\""] },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "renameProvider": { "prepareProvider": true },
        "inlayHintProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": TOKEN_TYPES, "tokenModifiers": TOKEN_MODIFIERS },
            "full": true,
        },
    })
}

/// The texts that the editor shows, by their addresses.
struct Server {
    open: BTreeMap<String, Open>,
    /// Those whose mistakes are not told yet.
    stale: BTreeSet<String>,
    /// Those whose examples are not held yet, since they or what they are read with were opened or saved.
    saved: BTreeSet<String>,
    holder: Holder,
    format: Format,
}

struct Open {
    document: Document,
    version: i32,
    /// It is as it was when it was read.
    is_read: bool,
}

/// The texts that an editor shows, then those beside a file, then the shipped ones.
struct Texts {
    shown: Vec<Source>,
    beside: Beside,
}

impl Library for Texts {
    fn prelude(&self) -> Source {
        Shipped.prelude()
    }

    fn find(&self, wanted: &str) -> Option<Source> {
        let is_wanted = |source: &&Source| title(source.text()).is_some_and(|title| key(&title) == key(wanted));
        self.shown.iter().find(is_wanted).cloned().or_else(|| self.beside.find(wanted))
    }

    fn titles(&self) -> Vec<String> {
        let shown = self.shown.iter().filter_map(|source| title(source.text()));
        let mut titles: Vec<String> = shown.chain(self.beside.titles()).collect();
        sort::by(&mut titles, Ord::cmp);
        titles.dedup();
        titles
    }
}

type Answer = Result<Value, (ErrorCode, String)>;

fn read<T: DeserializeOwned>(value: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(value).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn written(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

fn position(at: lsp_types::Position) -> Position {
    Position { line: at.line, character: at.character }
}

fn range(range: lsp_types::Range) -> Range {
    Range { start: position(range.start), end: position(range.end) }
}

impl Server {
    fn answer(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        match self.answer_to(&method, params) {
            Ok(result) => Response { id, result: Some(result), error: None },
            Err((code, message)) => {
                let error = ResponseError { code: code as i32, message, data: None };
                Response { id, result: None, error: Some(error) }
            }
        }
    }

    fn answer_to(&mut self, method: &str, params: Value) -> Answer {
        match method {
            ask::HoverRequest::METHOD => {
                let asked: lsp_types::HoverParams = read(params)?;
                let at = asked.text_document_position_params;
                let (document, _) = self.document(&at.text_document)?;
                written(document.hover(position(at.position)))
            }
            ask::Completion::METHOD => {
                let asked: lsp_types::CompletionParams = read(params)?;
                let at = asked.text_document_position;
                let format = self.format;
                let library = self.library(at.text_document.uri.as_str());
                let (document, _) = self.document(&at.text_document)?;
                written(document.completion(position(at.position), &library, format))
            }
            ask::GotoDefinition::METHOD => {
                let asked: lsp_types::GotoDefinitionParams = read(params)?;
                let at = asked.text_document_position_params;
                let (document, uri) = self.document(&at.text_document)?;
                Ok(locations(document, &uri, document.definition(position(at.position))))
            }
            ask::References::METHOD => {
                let asked: lsp_types::ReferenceParams = read(params)?;
                let at = asked.text_document_position;
                let (document, uri) = self.document(&at.text_document)?;
                let found = document.references(position(at.position), asked.context.include_declaration);
                Ok(locations(document, &uri, found))
            }
            ask::DocumentHighlightRequest::METHOD => {
                let asked: lsp_types::DocumentHighlightParams = read(params)?;
                let at = asked.text_document_position_params;
                let (document, _) = self.document(&at.text_document)?;
                let found = document.highlights(position(at.position)).into_iter();
                let found = found.map(|(range, is_set)| json!({ "range": range, "kind": if is_set { 3 } else { 2 } }));
                Ok(Value::Array(found.collect()))
            }
            ask::PrepareRenameRequest::METHOD => {
                let at: lsp_types::TextDocumentPositionParams = read(params)?;
                let (document, _) = self.document(&at.text_document)?;
                let renamable = document.renamable(position(at.position));
                written(renamable.map_err(|why| (ErrorCode::RequestFailed, why))?)
            }
            ask::Rename::METHOD => {
                let asked: lsp_types::RenameParams = read(params)?;
                let at = asked.text_document_position;
                let (document, uri) = self.document(&at.text_document)?;
                let edits = document.rename(position(at.position), &asked.new_name);
                Ok(changes(&uri, &edits.map_err(|why| (ErrorCode::RequestFailed, why))?))
            }
            _ => self.of_the_whole(method, params),
        }
    }

    /// What is asked of a text, or of a stretch of it.
    fn of_the_whole(&mut self, method: &str, params: Value) -> Answer {
        match method {
            ask::DocumentSymbolRequest::METHOD => {
                let asked: lsp_types::DocumentSymbolParams = read(params)?;
                written(self.document(&asked.text_document)?.0.symbols())
            }
            ask::SemanticTokensFullRequest::METHOD => {
                let asked: lsp_types::SemanticTokensParams = read(params)?;
                Ok(json!({ "data": self.document(&asked.text_document)?.0.semantic_tokens() }))
            }
            ask::Formatting::METHOD => {
                let asked: lsp_types::DocumentFormattingParams = read(params)?;
                let edits: Vec<Edit> = self.document(&asked.text_document)?.0.formatting().into_iter().collect();
                written(edits)
            }
            ask::InlayHintRequest::METHOD => {
                let asked: lsp_types::InlayHintParams = read(params)?;
                written(self.document(&asked.text_document)?.0.hints(range(asked.range)))
            }
            ask::CodeActionRequest::METHOD => {
                let asked: lsp_types::CodeActionParams = read(params)?;
                let (document, uri) = self.document(&asked.text_document)?;
                let actions = document.actions(range(asked.range));
                Ok(Value::Array(actions.iter().map(|action| code_action(document, &uri, action)).collect()))
            }
            _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
        }
    }

    /// A text as it is now.
    fn document(
        &mut self,
        text: &lsp_types::TextDocumentIdentifier,
    ) -> Result<(&Document, String), (ErrorCode, String)> {
        let uri = text.uri.as_str().to_string();
        self.refresh(&uri);
        match self.open.get(&uri) {
            Some(open) => Ok((&open.document, uri)),
            None => Err((ErrorCode::InvalidParams, format!("{uri} is not open"))),
        }
    }

    fn library(&self, uri: &str) -> Texts {
        let own = path(uri);
        let folder = own.as_deref().and_then(Path::parent);
        let beside = self.open.iter().filter(|(other, _)| {
            let other = if *other == uri { None } else { path(other) };
            other.as_deref().and_then(Path::parent) == folder && folder.is_some()
        });
        Texts {
            shown: beside.map(|(_, open)| Source::new(open.document.name(), open.document.text())).collect(),
            beside: own.as_deref().map_or(Beside::shipped(), Beside::file),
        }
    }

    fn refresh(&mut self, uri: &str) {
        let library = self.library(uri);
        if let Some(open) = self.open.get_mut(uri).filter(|open| !open.is_read) {
            open.document.refresh(&library);
            open.is_read = true;
        }
    }

    /// Takes what the editor tells of its texts; where one is closed its mistakes go.
    fn told(&mut self, notification: Notification) -> Option<Notification> {
        let Notification { method, params } = notification;
        match method.as_str() {
            note::DidOpenTextDocument::METHOD => {
                let told: lsp_types::DidOpenTextDocumentParams = read(params).ok()?;
                let text = told.text_document;
                let uri = text.uri.as_str().to_string();
                let name = path(&uri).map_or(uri.clone(), |path| path.display().to_string());
                let document = Document::new(&name, &text.text, &self.library(&uri));
                self.open.insert(uri.clone(), Open { document, version: text.version, is_read: true });
                let changed = self.changed(&uri);
                self.saved.extend(changed);
            }
            note::DidChangeTextDocument::METHOD => {
                let told: lsp_types::DidChangeTextDocumentParams = read(params).ok()?;
                let uri = told.text_document.uri.as_str().to_string();
                let open = self.open.get_mut(&uri)?;
                for change in told.content_changes {
                    open.document.edit(change.range.map(range), &change.text);
                }
                open.version = told.text_document.version;
                open.is_read = false;
                self.changed(&uri);
            }
            note::DidSaveTextDocument::METHOD => {
                // Other texts may be read with what now stands in the file.
                let told: lsp_types::DidSaveTextDocumentParams = read(params).ok()?;
                let changed = self.changed(told.text_document.uri.as_str());
                self.saved.extend(changed);
            }
            note::DidCloseTextDocument::METHOD => {
                let told: lsp_types::DidCloseTextDocumentParams = read(params).ok()?;
                let uri = told.text_document.uri.as_str().to_string();
                self.open.remove(&uri)?;
                self.stale.remove(&uri);
                self.saved.remove(&uri);
                self.holder.changed(&uri);
                let changed = self.changed(&uri);
                self.saved.extend(changed);
                return Some(published(&uri, None, Vec::new()));
            }
            _ => {}
        }
        None
    }

    /// A text has changed, and with it those that extend it; all of these that are open.
    fn changed(&mut self, uri: &str) -> Vec<String> {
        let mut changed = Vec::new();
        for (other, open) in &mut self.open {
            // Beside the prelude and itself it is read with what it extends, or would be.
            if *other != uri && title_of_base(open.document.text()) {
                open.is_read = false;
            } else if *other != uri {
                continue;
            }
            self.holder.changed(other);
            changed.push(other.clone());
        }
        self.stale.extend(changed.iter().cloned());
        changed
    }

    /// Those of texts that were opened or saved, on threads of their own.
    fn hold_examples(&mut self) {
        for uri in std::mem::take(&mut self.saved) {
            let library = self.library(&uri);
            if let Some(open) = self.open.get(&uri) {
                let (name, text) = (open.document.name().to_string(), open.document.text().to_string());
                self.holder.hold(Text { uri, version: open.version, name, text, library });
            }
        }
    }

    /// What is wrong with the texts that have changed.
    fn mistakes(&mut self) -> Vec<Notification> {
        let stale = std::mem::take(&mut self.stale);
        let mut messages = Vec::new();
        for uri in stale {
            self.refresh(&uri);
            if let Some(open) = self.open.get(&uri) {
                let found = open.document.diagnostics();
                let found = found.iter().map(|one| diagnostic(&open.document, &uri, one)).collect();
                messages.push(published(&uri, Some(open.version), found));
            }
        }
        messages
    }
}

/// The text extends another one.
fn title_of_base(text: &str) -> bool {
    crate::syntax::tokens(text).iter().take(3).any(|token| token.is_word("extends"))
}

fn published(uri: &str, version: Option<i32>, diagnostics: Vec<Value>) -> Notification {
    let params = json!({ "uri": uri, "version": version, "diagnostics": diagnostics });
    Notification { method: note::PublishDiagnostics::METHOD.to_string(), params }
}

fn location(document: &Document, uri: &str, target: &Target) -> Option<Value> {
    let uri = address(document, uri, &target.text)?;
    Some(json!({ "uri": uri, "range": target.range }))
}

fn locations(document: &Document, uri: &str, targets: Vec<Target>) -> Value {
    Value::Array(targets.iter().filter_map(|target| location(document, uri, target)).collect())
}

fn diagnostic(document: &Document, uri: &str, found: &Diagnostic) -> Value {
    let mut value = json!(found);
    if let Some((target, message)) = &found.related
        && let Some(location) = location(document, uri, target)
    {
        value["relatedInformation"] = json!([{ "location": location, "message": message }]);
    }
    value
}

fn changes(uri: &str, edits: &[Edit]) -> Value {
    json!({ "changes": { uri: edits } })
}

fn code_action(document: &Document, uri: &str, action: &Action) -> Value {
    json!({
        "title": action.title,
        "kind": "quickfix",
        "diagnostics": [diagnostic(document, uri, &action.diagnostic)],
        "edit": changes(uri, &action.edits),
        "isPreferred": action.is_preferred,
    })
}
