//! Whole games, written before there was an engine and kept as they were: they are read, printed and answered by nothing but warnings.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on shall stop")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use hoyle::conformance::inventory::Inventory;
use hoyle::diagnostic::render::plain;
use hoyle::diagnostic::{Code, Diagnostic};
use hoyle::rules::{Catalog, Statements, check_all};
use hoyle::source::Sources;
use hoyle::syntax::parse;
use hoyle::syntax::print::print;

/// Files of a folder, with their texts, in order of name.
fn folder(name: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| (path.strip_prefix(root).unwrap().display().to_string(), fs::read_to_string(path).unwrap())).collect()
}

/// Files that are checked together: the dry runs share their libraries, each fixture needs no other file.
fn together() -> Vec<Vec<(String, String)>> {
    let mut groups = vec![folder("tests/dry-runs")];
    groups.extend(folder("tests/spec").into_iter().map(|file| vec![file]));
    assert!(groups.iter().map(Vec::len).sum::<usize>() >= 9, "are the files gone?");
    groups
}

fn check(files: &[(String, String)]) -> (Catalog, Vec<Diagnostic>) {
    let mut catalog = Catalog::new();
    let cards = Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/lib/cards.hoyle");
    if files.len() > 1 {
        catalog.add("spec/lib/cards.hoyle", fs::read_to_string(cards).unwrap());
    }
    for (name, text) in files {
        catalog.add(name.clone(), text.clone());
    }
    let inventory = Inventory::embedded();
    let statements: Statements = inventory.ids().collect();
    let faults = check_all(&catalog, Some(&statements));
    (catalog, faults)
}

#[test]
fn every_file_is_read_and_printed_as_it_stands() {
    for (name, text) in together().into_iter().flatten() {
        let mut sources = Sources::default();
        let file = sources.add(name.clone(), text.clone());
        let (tree, faults) = parse::file(file, &text);
        assert!(faults.is_empty(), "{}", plain(&faults, &sources));
        let printed = print(&tree, &text);
        assert!(printed == text, "{name} is not formatted: run `hoyle fmt {name}`");
        let (again, faults) = parse::file(file, &printed);
        assert!(faults.is_empty() && again == tree, "{name} is printed as something else");
    }
}

#[test]
fn nothing_is_left_to_be_built_and_nothing_is_an_error() {
    let mut told = String::new();
    for group in together() {
        let (catalog, faults) = check(&group);
        let errors: Vec<Diagnostic> = faults.iter().filter(|fault| fault.is_error() || fault.code == Code::NotYet).cloned().collect();
        assert!(errors.is_empty(), "{}", plain(&errors, catalog.sources()));
        let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for fault in &faults {
            let file = fault.labels.first().map_or("", |label| catalog.sources().name(label.span.file));
            *counts.entry((file.to_owned(), fault.code.text())).or_default() += 1;
        }
        for (name, _) in &group {
            writeln!(told, "{name}").unwrap();
            let of_file = counts.iter().filter(|((file, _), _)| file == name);
            of_file.for_each(|((_, code), count)| writeln!(told, "  {code} {count}").unwrap());
        }
        assert!(counts.keys().all(|(file, _)| group.iter().any(|(name, _)| name == file)), "somebody else is blamed: {counts:?}");
    }
    insta::assert_snapshot!(told);
}

/// Taking one declaration out of a dry run may make it wrong, and must not make `check` stop.
#[test]
fn a_torn_file_is_answered_as_well() {
    for group in together() {
        for (name, text) in &group {
            let paragraphs: Vec<&str> = text.split("\n\n").collect();
            for gap in 1..paragraphs.len().min(12) {
                let torn: Vec<&str> = paragraphs.iter().enumerate().filter(|(at, _)| at % 12 != gap).map(|(_, paragraph)| *paragraph).collect();
                let files: Vec<(String, String)> =
                    group.iter().map(|file| if file.0 == *name { (name.clone(), torn.join("\n\n")) } else { file.clone() }).collect();
                let (catalog, faults) = check(&files);
                plain(&faults, catalog.sources());
            }
        }
    }
}
