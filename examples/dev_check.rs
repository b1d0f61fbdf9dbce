use lusoria::{check, source::Source};
struct Dir;
impl check::Library for Dir {
    fn prelude(&self) -> Source {
        Source::new("std.rules", std::fs::read_to_string("rules/std.rules").unwrap())
    }
    fn find(&self, title: &str) -> Option<Source> {
        for dir in ["rules", "../shared/sketches"] {
            for e in std::fs::read_dir(dir).unwrap() {
                let p = e.unwrap().path();
                if p.extension().is_none_or(|e| e != "rules") {
                    continue;
                }
                let t = std::fs::read_to_string(&p).unwrap();
                if t.contains(&format!("game \"{title}\"")) {
                    return Some(Source::new(p.display().to_string(), t));
                }
            }
        }
        None
    }
}
fn main() {
    for f in std::env::args().skip(1) {
        let c = check::check(Source::new(f.as_str(), std::fs::read_to_string(&f).unwrap()), &Dir);
        println!("{f}: {} games", c.games.len());
        for m in &c.mistakes {
            println!(
                "  {} {:?} [{}] {} -- `{}` {:?}",
                c.sources.place(m.span()),
                m.severity(),
                m.code(),
                m.message(),
                c.sources.slice(m.span()).chars().take(60).collect::<String>(),
                m.help()
            );
        }
    }
}
