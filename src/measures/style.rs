//! Style of the page: nothing goes in; its style sheet comes out, for light and dark, wide and narrow.

pub const STYLE: &str = r#"
:root { color-scheme: light dark; --paper:#fbfaf7; --card:#ffffff; --ink:#23211e; --muted:#6d675f; --line:#e4dfd6;
  --accent:#8a5a16; --one:#b9791f; --two:#3b5b7f; --draw:#b9b3a8; --none:#d98a7c; --good:#2f7a4a; --warn:#b23b2c; --soft:#f3efe7; }
@media (prefers-color-scheme: dark) { :root { --paper:#17181a; --card:#1f2124; --ink:#ebe7df; --muted:#a39d92; --line:#34373b;
  --accent:#e0ab5c; --one:#dba24a; --two:#7ea6d6; --draw:#6b6a67; --none:#b35f52; --good:#6fc08c; --warn:#f08a78; --soft:#26292d; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 2.2rem 1.2rem 4rem; }
h1 { font: 600 2.4rem/1.15 ui-serif, Georgia, "Times New Roman", serif; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font: 600 1.35rem/1.3 ui-serif, Georgia, "Times New Roman", serif; margin: 2.6rem 0 .7rem; }
p { margin: .4rem 0 .8rem; max-width: 46rem; } .lead, .note { color: var(--muted); } .note { font-size: .9rem; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: 1rem 0 0; padding: .6rem 0; border-block: 1px solid var(--line); font-size: .92rem; }
nav a { text-decoration: none; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.2rem, 1fr)); gap: .8rem; margin: 1.4rem 0; }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .9rem 1rem; min-width: 0; }
.tile b { display: block; font: 600 1.6rem/1.2 ui-serif, Georgia, serif; font-variant-numeric: tabular-nums; }
.tile small { display: block; color: var(--muted); font-variant-numeric: tabular-nums; } .tile span { color: var(--muted); font-size: .84rem; display: block; }
.findings { list-style: none; margin: 0; padding: 0; display: grid; gap: .6rem; }
.findings li { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--draw); border-radius: 10px; padding: .6rem .9rem; }
.findings .good { border-left-color: var(--good); } .findings .warning { border-left-color: var(--warn); }
.findings strong { display: block; }
.boards, .pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); }
figure { margin: 0; } figcaption { color: var(--muted); font-size: .88rem; margin-top: .45rem; }
.board > svg { display: block; width: 100%; height: auto; max-height: 26rem; background: #fff; border-radius: 8px; }
.scroll { overflow-x: auto; -webkit-overflow-scrolling: touch; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .94rem; }
th { text-align: left; font-weight: 600; color: var(--muted); font-size: .82rem; } th, td { padding: .42rem .7rem .42rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
td.n, th.n { text-align: right; white-space: nowrap; } td.m { color: var(--muted); font-size: .88rem; } td.b { min-width: 9rem; width: 34%; }
tr:last-child td { border-bottom: 0; }
.stack { display: flex; height: 1.15rem; border-radius: 5px; overflow: hidden; background: var(--soft); }
.stack i { display: block; } .s0 { background: var(--one); } .s1 { background: var(--two); } .s2 { background: #5d9b6b; } .s3 { background: #9a6fa8; } .sd { background: var(--draw); } .su { background: var(--none); }
.key { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; color: var(--muted); font-size: .86rem; margin: .5rem 0 0; } .key i { display: inline-block; width: .8rem; height: .8rem; border-radius: 3px; margin-right: .4rem; vertical-align: -.08rem; }
.plot { display: block; width: 100%; height: auto; } .plot text { fill: var(--muted); font-size: 12px; } .plot .axis { font-size: 12px; } .plot .side { fill: var(--ink); font-size: 12px; font-weight: 600; }
.grid { stroke: var(--line); fill: none; } .bar { fill: var(--one); } .area { fill: var(--one); opacity: .16; } .curve { fill: none; stroke: var(--one); stroke-width: 2.2; stroke-linejoin: round; }
.game { fill: none; stroke-width: 1.5; opacity: .5; stroke-linejoin: round; } .game.won { stroke: var(--one); } .game.lost { stroke: var(--two); } .game.drawn { stroke: var(--muted); } .game.one { opacity: 1; stroke-width: 2.6; } .level { stroke: var(--muted); stroke-dasharray: 4 5; fill: none; }
.whisker { width: 120px; height: 16px; display: inline-block; } .whisker .fair { stroke: var(--muted); } .whisker .range { stroke: var(--accent); stroke-width: 3; } .whisker .dot { fill: var(--accent); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .88rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; background: var(--soft); border-radius: 8px; padding: .8rem 1rem; margin: .5rem 0; }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .9em; }
.counts td { border: 0; padding: .08rem .7rem .08rem 0; } .counts code { white-space: pre; } .counts td.n { color: var(--muted); font-size: .84rem; } .counts .never td { background: color-mix(in srgb, var(--warn) 16%, transparent); } .counts .part td { background: color-mix(in srgb, var(--one) 18%, transparent); } .counts .never td.n, .counts .part td.n { color: var(--ink); font-weight: 600; }
details > summary { cursor: pointer; color: var(--accent); margin: .6rem 0; }
.sheet { margin-top: 1rem; } .sheet p { max-width: none; margin: .25rem 0; } .sheet .item { text-indent: -1.3rem; } .sheet .item span { display: inline-block; min-width: 1.3rem; text-indent: 0; color: var(--muted); } .sheet h3 { font: 600 1.02rem/1.3 ui-serif, Georgia, serif; margin: 1rem 0 .2rem; } .sheet h3:first-child { margin-top: 0; } .sheet pre { display: inline-block; max-width: 100%; } .flag { color: var(--warn); font-weight: 600; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; color: var(--muted); font-size: .88rem; }
@media (max-width: 40rem) { main { padding: 1.3rem .9rem 3rem; } h1 { font-size: 1.9rem; } .plot text, .plot .axis, .plot .side { font-size: 17px; } td.b { min-width: 7rem; } td.m { min-width: 11rem; } .tiles { grid-template-columns: repeat(2, 1fr); gap: .6rem; } }
@media print { body { background: #fff; } .card, .tile, .findings li { break-inside: avoid; } nav, details { display: none; } }
"#;
