//! Command `web`: a port goes in; the page that was built into the program is served to this machine alone.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;

use crate::cli::args::WebArgs;
use crate::cli::{Failure, Outcome};

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The head of a request may have so many bytes.
const HEAD_LIMIT: u64 = 8 << 10;
/// A browser that says nothing for so long is left.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Serialize)]
struct Served {
    address: String,
}

pub fn run(args: &WebArgs) -> Outcome {
    if PAGE.is_empty() {
        return Err(Failure::usage(String::from(
            "this program was built without its page\n  help: in the project's folder, `npm ci && npm run build` in `web`, \
             then `cargo build --release`",
        )));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port))
        .map_err(|error| Failure::usage(format!("port {} cannot be had: {error}", args.port)))?;
    let address = listener.local_addr()?;
    let address = format!("http://{address}/");
    if args.json {
        crate::cli::print_json(&Served { address })?;
    } else {
        crate::cli::print(&format!("{address} (Ctrl-C ends it)\n"))?;
    }
    for stream in listener.incoming() {
        // A browser opens several connections, and may leave some idle.
        std::thread::spawn(move || stream.and_then(serve));
    }
    Ok(ExitCode::SUCCESS)
}

fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = BufReader::new(stream.try_clone()?.take(HEAD_LIMIT));
    let mut request = String::new();
    head.read_line(&mut request)?;
    let mut line = String::new();
    while head.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        line.clear();
    }
    stream.write_all(&answer(&request, PAGE))?;
    stream.flush()
}

/// The answer to the first line of a request.
fn answer(request: &str, page: &[(&str, &[u8])]) -> Vec<u8> {
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let path = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let found = page.iter().find(|(name, _)| *name == path);
    let (status, kind, body): (&str, &str, &[u8]) = match (method, found) {
        ("GET" | "HEAD", Some((name, bytes))) => ("200 OK", kind(name), bytes),
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain", b"there is no such file\n"),
        _ => ("405 Method Not Allowed", "text/plain", b"files can be read alone\n"),
    };
    let mut answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        body.len()
    )
    .into_bytes();
    if method != "HEAD" {
        answer.extend_from_slice(body);
    }
    answer
}

/// The media type of a file, by its ending.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::web::answer;

    #[test]
    fn files_are_served_and_nothing_else() {
        let page: &[(&str, &[u8])] = &[("index.html", b"<p>"), ("assets/a.wasm", b"\0asm")];
        let text = |request: &str| String::from_utf8_lossy(&answer(request, page)).into_owned();
        let index = text("GET / HTTP/1.1\r\n");
        assert!(index.starts_with("HTTP/1.1 200 OK\r\n") && index.ends_with("\r\n\r\n<p>"), "{index}");
        assert!(text("GET /assets/a.wasm?x HTTP/1.1").contains("Content-Type: application/wasm\r\nContent-Length: 4"));
        assert!(text("HEAD /index.html HTTP/1.1").ends_with("\r\n\r\n"));
        assert!(text("GET /../Cargo.toml HTTP/1.1").starts_with("HTTP/1.1 404"));
        assert!(text("POST / HTTP/1.1").starts_with("HTTP/1.1 405"));
        assert!(text("").starts_with("HTTP/1.1 405"));
    }
}
