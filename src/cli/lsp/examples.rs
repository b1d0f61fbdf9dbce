//! Examples in an editor: texts that it shows go in; messages with those of their examples that fail come out.
//!
//! They are held aside, as one that counts may take seconds.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

use lsp_server::{Message, Notification};
use serde_json::Value;

use crate::check;
use crate::check::STACK;
use crate::cli::lsp::{Texts, diagnostic, published};
use crate::cli::test;
use crate::editor::Document;
use crate::source::Source;

/// A text whose examples are to be held.
pub struct Text {
    pub uri: String,
    pub version: i32,
    pub name: String,
    pub text: String,
    pub library: Texts,
}

/// Holds examples, of one text after the other, and tells the editor.
pub struct Holder {
    shared: Arc<Mutex<Shared>>,
    texts: Sender<(Text, u64)>,
}

struct Shared {
    /// The way to the editor; none when the server has ended, which waits until nobody can write.
    send: Option<Box<dyn Fn(Message) + Send>>,
    /// Counts the states of each text: what was found of an older one is not told.
    states: BTreeMap<String, u64>,
}

impl Holder {
    pub fn new(send: impl Fn(Message) + Send + 'static) -> Holder {
        let shared = Arc::new(Mutex::new(Shared { send: Some(Box::new(send)), states: BTreeMap::new() }));
        let (texts, queue) = mpsc::channel::<(Text, u64)>();
        let aside = Arc::clone(&shared);
        let held = move || queue.iter().for_each(|(text, state)| hold(&text, state, &aside));
        // Without a thread the editor is told the mistakes alone.
        drop(std::thread::Builder::new().stack_size(STACK).spawn(held));
        Holder { shared, texts }
    }

    /// A text has changed, or what it is read with.
    pub fn changed(&self, uri: &str) -> u64 {
        let mut shared = lock(&self.shared);
        let state = shared.states.entry(uri.to_string()).or_default();
        *state += 1;
        *state
    }

    /// Holds the examples of a text after those that wait already.
    pub fn hold(&self, text: Text) {
        let state = self.changed(&text.uri);
        drop(self.texts.send((text, state)));
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        lock(&self.shared).send = None;
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn is_at(&self, uri: &str, state: u64) -> bool {
        self.send.is_some() && self.states.get(uri) == Some(&state)
    }
}

fn hold(text: &Text, state: u64, shared: &Mutex<Shared>) {
    if !lock(shared).is_at(&text.uri, state) {
        return;
    }
    let source = Source::new(text.name.as_str(), text.text.as_str());
    let checked = check::check(source.clone(), &text.library);
    if checked.has_errors() {
        return;
    }
    let attempts = test::attempts(&checked, &source, &text.library);
    let failed: Vec<_> = attempts.take_while(|_| lock(shared).is_at(&text.uri, state)).flatten().collect();
    if failed.is_empty() {
        return;
    }
    let document = Document::new(&text.name, &text.text, &text.library);
    let notices: Vec<_> = failed.iter().map(test::with_why).collect();
    let mut found = document.diagnostics();
    found.extend(document.told(&notices));
    let found: Vec<Value> = found.iter().map(|one| diagnostic(&document, &text.uri, one)).collect();
    let message: Notification = published(&text.uri, Some(text.version), found);
    // It stays locked until the message is sent, so that no newer one is overtaken.
    let shared = lock(shared);
    if let Some(send) = shared.send.as_ref().filter(|_| shared.is_at(&text.uri, state)) {
        send(Message::Notification(message));
    }
}
