//! The laws of `hoyle fmt`: printing keeps the tree, printing twice is printing once, no comment is lost or changes its turn.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hoyle::diagnostic::render::plain;
use hoyle::source::{FileId, Sources};
use hoyle::syntax::parse;
use hoyle::syntax::print::{WIDTH, print};
use hoyle::syntax::scan::{TokenKind, tokens};
use hoyle::syntax::tree::File;
use proptest::prelude::*;

fn comments(text: &str) -> Vec<&str> {
    tokens(text, 0).filter(|token| token.kind == TokenKind::Comment).map(|token| token.text(text)).collect()
}

fn read(what: &str, text: &str) -> File {
    let mut sources = Sources::default();
    let id = sources.add(what, text);
    let (tree, faults) = parse::file(id, text);
    assert!(faults.is_empty(), "{}\n{text}", plain(&faults, &sources));
    tree
}

/// Holds the laws on a text that can be read, and returns what was printed.
fn laws(what: &str, text: &str) -> String {
    let tree = read(what, text);
    let once = print(&tree, text);
    let again = read(&format!("{what} printed"), &once);
    assert_eq!(again, tree, "{what}: another tree\n{once}");
    assert_eq!(comments(&once), comments(text), "{what}: other comments\n{once}");
    let twice = print(&again, &once);
    assert_eq!(twice, once, "{what}: printing twice changes something");
    assert!(!once.lines().any(|line| line.ends_with(' ')), "{what}: blanks at the end of a line\n{once}");
    once
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.ends_with("target") {
            files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "hoyle") {
            into.push(path);
        }
    }
}

/// Every `.hoyle` file of the repository that can be read, with its text.
fn readable() -> &'static [(String, String)] {
    static FILES: OnceLock<Vec<(String, String)>> = OnceLock::new();
    FILES.get_or_init(read_all)
}

fn read_all() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["spec", "tests", "conformance"] {
        files(&root.join(folder), &mut paths);
    }
    let named = paths.iter().map(|path| (path.strip_prefix(root).unwrap().display().to_string(), std::fs::read_to_string(path).unwrap()));
    named.filter(|(_, text)| parse::file(FileId(0), text).1.is_empty()).collect()
}

#[test]
fn every_file_of_the_repository_keeps_the_laws() {
    let files = readable();
    assert!(files.iter().filter(|(name, _)| name.starts_with("tests/samples")).count() >= 5);
    for (name, text) in files {
        let printed = laws(name, text);
        let longest = printed.lines().filter(|line| !line.contains('#') && !line.contains('"')).map(|line| line.chars().count()).max();
        assert!(longest.unwrap_or(0) <= WIDTH, "{name}: a line of {longest:?}\n{printed}");
        // Without any line break between words, and with one between all of them.
        laws(name, &squeezed(text, " "));
        laws(name, &squeezed(text, "\n"));
        laws(name, &squeezed(text, "\n\n\n"));
    }
}

/// The same words with something else between them; a comment keeps its line.
fn squeezed(text: &str, between: &str) -> String {
    let mut out = String::new();
    for token in tokens(text, 0) {
        out.push_str(token.text(text));
        let end = if token.kind == TokenKind::Comment { "\n" } else { between };
        let joined = token.kind == TokenKind::Sign && text[token.end..].starts_with(['=', '>']) && "<>:=+-".contains(token.text(text));
        let dotted = text[token.end..].starts_with('.') || token.text(text) == ".";
        out.push_str(if joined || dotted { "" } else { end });
    }
    out
}

#[test]
fn a_layout_is_as_expected() {
    insta::assert_snapshot!(laws("layout", include_str!("samples/layout.hoyle")));
}

#[test]
fn samples_are_printed_as_they_stand() {
    for (name, text) in readable() {
        if name.starts_with("tests/samples/") && !name.ends_with("layout.hoyle") {
            insta::assert_snapshot!(name.replace(['/', '.'], "_"), laws(name, text));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Comments and line breaks in any place between two words.
    #[test]
    fn mutated_files_keep_the_laws(which in 0_usize..1000, places in prop::collection::vec((0_usize..100_000, 0_usize..6), 1..12)) {
        let files = readable();
        let (name, text) = &files[which % files.len()];
        let all: Vec<_> = tokens(text, 0).collect();
        let mut cuts: Vec<(usize, usize)> = places.iter().map(|(at, what)| (all[at % all.len()].start, *what)).collect();
        cuts.sort_unstable();
        let mut mutated = String::new();
        let mut from = 0;
        for (number, (at, what)) in cuts.iter().enumerate() {
            let joined = text[..*at].ends_with(['<', '>', ':', '=', '+', '-', '.']) || text[*at..].starts_with('.');
            mutated.push_str(&text[from..*at]);
            from = *at;
            if !joined {
                mutated.push_str(&["\n".to_owned(), format!("# c{number}\n"), format!("\n# c{number} \t\n"), format!("\n\n\n# c{number}\n\n"), "\n\n\n".to_owned(), "  ".to_owned()][*what]);
            }
        }
        mutated.push_str(&text[from..]);
        laws(name, &mutated);
    }
}
