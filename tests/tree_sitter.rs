//! Grammar for tree-sitter: all rules files go in; its trees come out without errors, and are those of the parser.

use std::collections::BTreeSet;

use lusoria::syntax;
use tree_sitter::{Node, Parser, Query};

use crate::common::project;

/// Rules that both grammars have, and that their trees show alike.
const ALIKE: &str = "game game_base variant base about about_entry param players seat teams team captures leave_at_end
    go_to_hand board square hexagon points lines drawn without wrap remember per_player on_pieces for_one_turn
    not_compared piece piece_base piece_value ways way_move way_if define pattern_decl action part parameters setup
    opening opening_turn move_section notation alias alias_cells example from_position played legal_only legal illegal
    caught_cells gives perft result_claim end result highest side_wins block pick members chooser either branch weight
    first repeat in_steps while_ for_each if_ need most let_ set_ set_of do_ move_ to_members bottom_of amount_of amount
    capture place place_in_hand place_several place_on from_hand man remove to_hand flip promote as_usual pass swap again
    mirror rotate picture legend line pattern path turning straight_pattern straight_path anchor landing tested test
    caught times filter quantified within relation words brackets condition measure last_row band cells cell_range call
    arguments argument range cell letter number string glyph player";

/// Levels of precedence: the parser has a node for each, tree-sitter only where something is joined.
const JOINED: &str = "expression disjunction conjunction negation comparison sum product set set_and set_not";

/// Rule, first byte, end.
type Nodes = BTreeSet<(String, usize, usize)>;

fn of_the_parser(text: &str) -> Option<Nodes> {
    let nodes = syntax::nodes(text)?.into_iter();
    let (alike, joined): (Vec<&str>, Vec<&str>) =
        (ALIKE.split_whitespace().collect(), JOINED.split_whitespace().collect());
    let shown = nodes.filter_map(|node| {
        let name = match node.rule.as_str() {
            // Within a band a name may be the letter of a file.
            "name" | "noun" | "file_letter" => "name",
            rule if alike.contains(&rule) || joined.contains(&rule) && node.parts > 1 => rule,
            _ => return None,
        };
        Some((name.to_string(), node.range.start, node.range.end))
    });
    Some(shown.collect())
}

fn of_tree_sitter(node: Node, nodes: &mut Nodes) {
    if node.is_named() && !matches!(node.kind(), "file" | "comment" | "stacks") {
        nodes.insert((node.kind().to_string(), node.start_byte(), node.end_byte()));
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        of_tree_sitter(child, nodes);
    }
}

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_lusoria::LANGUAGE.into()).expect("its version is known");
    parser
}

fn files(folder: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(project(folder)).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path.display().to_string()));
        } else if path.extension().is_some_and(|extension| extension == "rules") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Both trees of a text are the same. `false`: the parser of the project has none.
fn is_alike(parser: &mut Parser, name: &str, text: &str) -> bool {
    let Some(wanted) = of_the_parser(text) else { return false };
    let tree = parser.parse(text, None).expect("a tree");
    let mut found = Nodes::new();
    of_tree_sitter(tree.root_node(), &mut found);
    let show = |nodes: &[&(String, usize, usize)]| -> Vec<String> {
        let shown = nodes.iter().take(5);
        shown.map(|(rule, start, end)| format!("{rule} `{}`", &text[*start..*end])).collect()
    };
    let missing: Vec<_> = wanted.difference(&found).collect();
    let more: Vec<_> = found.difference(&wanted).collect();
    assert!(!tree.root_node().has_error(), "{name}: {}", tree.root_node().to_sexp());
    assert!(missing.is_empty(), "{name}: without {:#?}\nmore {:#?}", show(&missing), show(&more));
    assert!(more.is_empty(), "{name}: more {:#?}", show(&more));
    true
}

#[test]
fn trees_are_those_of_the_parser() {
    let mut parser = parser();
    let mut count = 0;
    for path in ["rules", "examples", "tests"].into_iter().flat_map(files) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        count += usize::from(is_alike(&mut parser, &path.display().to_string(), &text));
    }
    assert!(count > 60, "{count} files");
}

/// Behind `else`, `rank` and the like an expression goes on as far as it can.
#[test]
fn long_expressions_have_the_trees_of_the_parser() {
    let mut parser = parser();
    for text in [
        "if some own then any else any and rank (n) and file a",
        "if some own then any else any or own or enemy or empty",
        "if some own and no enemy and no empty then 1 + 2 + 3 else 1 + 2 + 3 * 4 * 5 - 6",
        "own and if some own then any else any and own and enemy",
        "(if no own then 1 else 2 mod 3 mod 4) + 5 + 6 * 7",
        "rank 1 + 2 + 3",
        "ranks n * 2 * 3 - 1..n + 1 + 1 + 1",
        "file of a1 + 2 + 3",
        "some own in rank (n) and some enemy where it in own or it in enemy or it in empty",
        "own and not enemy and not empty or own and king and last or not any",
        "a = b + 1 + 2 and c != d * 2 * 3 or e in own and f not in own",
        "own where it in empty and it in any and it in last or it in own",
        "count(own and enemy and last, 1 + 2 + 3..4 + 5 + 6)",
    ] {
        let name = format!("`{text}`");
        let define = format!("game \"A\" {{ define it_all = {text} }}");
        assert!(is_alike(&mut parser, &name, &define), "{name}");
        let pick = format!("game \"A\" {{ move {{ pick p from ({text}) and own and any or last   pass }} }}");
        assert!(is_alike(&mut parser, &name, &pick), "{name}");
        let line = format!("game \"A\" {{ move {{ move p {text}: ^ to empty }} }}");
        if !text.contains("where") {
            assert!(is_alike(&mut parser, &name, &line), "{name}");
        }
    }
}

/// Texts and their trees, as `tree-sitter test` reads them: `===`, a name, `===`, the text, `---`, the tree.
#[test]
fn the_corpus_has_its_trees() {
    let mut parser = parser();
    let mut count = 0;
    for entry in std::fs::read_dir(project("editors/tree-sitter-lusoria/test/corpus")).unwrap().flatten() {
        let corpus = std::fs::read_to_string(entry.path()).unwrap();
        let mut parts = corpus.split("================\n").skip(1);
        while let (Some(name), Some(body)) = (parts.next(), parts.next()) {
            let (text, wanted) = body.split_once("\n----------------\n").expect("a text and a tree");
            let tree = parser.parse(text, None).expect("a tree").root_node().to_sexp();
            let plain = |tree: &str| {
                tree.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")").replace("( ", "(")
            };
            assert_eq!(plain(&tree), plain(wanted), "{name}");
            count += 1;
        }
    }
    assert!(count >= 8, "{count} texts");
}

#[test]
fn queries_name_nodes_that_there_are() {
    let language = tree_sitter_lusoria::LANGUAGE.into();
    let queries = [
        ("highlights", tree_sitter_lusoria::HIGHLIGHTS),
        ("folds", tree_sitter_lusoria::FOLDS),
        ("locals", tree_sitter_lusoria::LOCALS),
        ("indents", tree_sitter_lusoria::INDENTS),
    ];
    for (name, text) in queries {
        let query = Query::new(&language, text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(query.pattern_count() > 0, "{name}");
    }
}
