//! The rulebooks of the specification and of the dry runs: everything in them has a signature, and every expression a type.

use std::path::Path;

use super::super::Catalog;
use super::super::cite::Citing;
use super::super::draft::{Draft, draft};
use super::super::selection::{Selection, stack};
use super::program::{Definition, Node, Type};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::plain;

/// Reads a rulebook of some files; gives its draft, what is wrong, and what is not built.
fn read(files: &[&str], text: &str, name: &str) -> (Draft, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut catalog = Catalog::new();
    for file in files {
        catalog.add(*file, std::fs::read_to_string(root.join(file)).unwrap());
    }
    catalog.add("text", text);
    let mut faults: Vec<Diagnostic> = Vec::new();
    // What is tried is laid on the rulebook.
    let with = if text.is_empty() { Vec::new() } else { vec!["trying".to_owned()] };
    let stack = stack(&catalog, &Selection { with, ..Selection::of(name) }, &[], &mut faults);
    assert!(stack.is_some(), "{}", plain(&faults, catalog.sources()));
    let books = catalog.books();
    let draft = draft(&stack.unwrap(), &Citing { books: &books }, &mut faults);
    faults.retain(Diagnostic::is_error);
    let incomplete = draft.table.as_ref().map(|table| table.incomplete.as_slice()).unwrap_or_default();
    let told = (plain(&faults, catalog.sources()), plain(incomplete, catalog.sources()));
    (draft, told.0, told.1)
}

/// Reads a rulebook in which nothing is wrong; it has at least so many definitions.
fn clean(files: &[&str], name: &str, definitions: usize) {
    let (draft, faults, incomplete) = read(files, "", name);
    assert_eq!(faults, "", "{name}");
    assert_eq!(incomplete, "", "{name}");
    assert!(draft.table.unwrap().program.definitions.len() >= definitions, "{name}");
}

const LIBRARIES: [&str; 4] =
    ["spec/lib/cards.hoyle", "tests/dry-runs/lib-dealing.hoyle", "tests/dry-runs/lib-tricks.hoyle", "tests/dry-runs/lib-declarations.hoyle"];

#[test]
fn the_fixtures_compile() {
    clean(&["tests/spec/whist-fixture.hoyle"], "whist-fixture", 6);
    clean(&["tests/spec/nap-revoke.hoyle"], "nap-revoke", 8);
}

#[test]
fn a_rulebook_on_libraries_compiles() {
    let files: Vec<&str> = LIBRARIES.into_iter().chain(["tests/dry-runs/hoffmann-nap.hoyle"]).collect();
    clean(&files, "hoffmann-nap", 10);
}

/// A definition with this value, on a table where it can be tried.
fn definition(value: &str) -> (Option<Definition>, String, String) {
    let (draft, faults, incomplete) =
        read(&["tests/table/small.hoyle"], &format!("amendment trying on small {{ def tried(p: seat, c: card) = {value}; }}\n"), "small");
    let program = draft.table.unwrap().program;
    (program.definitions.into_iter().find(|definition| definition.name == "tried"), faults, incomplete)
}

fn sound(value: &str) -> Definition {
    let (found, faults, incomplete) = definition(value);
    assert_eq!((faults.as_str(), incomplete.as_str()), ("", ""), "{value}");
    found.unwrap()
}

#[test]
fn every_form_has_its_type() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/table/forms.txt")).unwrap();
    let mut known: Vec<(String, Type)> = Vec::new();
    let mut wrong = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (wanted, value) = line.split_once(": ").unwrap();
        let (found, faults, incomplete) = definition(value);
        let found = found.map(|found| found.answer);
        if !faults.is_empty() || !incomplete.is_empty() || found.is_none() {
            wrong += &format!("{value}\n{faults}{incomplete}");
            continue;
        }
        // The first of each type is a parameter of that type, or as plain as one.
        let found = found.unwrap();
        match known.iter().find(|(name, _)| name == wanted) {
            Some((_, first)) if *first != found => wrong += &format!("{value}: {found:?}, and {wanted} is {first:?}\n"),
            Some(_) => {}
            None => known.push((wanted.to_owned(), found)),
        }
    }
    assert_eq!(wrong, "");
    assert!(known.len() > 10);
}

#[test]
fn a_field_belongs_to_the_entry_and_a_list_becomes_a_set() {
    let value = sound("first put since start of turn.c.suit").value;
    let Node::Attribute(of, 1) = *value.node else { panic!("{value:?}") };
    let Node::Argument(of, positions) = *of.node else { panic!("{of:?}") };
    assert_eq!(positions.len(), 1);
    assert!(matches!(*of.node, Node::First(_)));
    let value = sound("held = hand(p)").value;
    let Node::Compare(_, rest, None) = *value.node else { panic!("{value:?}") };
    assert!(matches!(&*rest[0].1.node, Node::Those(binder) if binder.filter.is_none()), "a place is compared as the set of its pieces: {rest:?}");
}

#[test]
fn members_compare_by_their_scale() {
    let value = sound("c.rank < wanted").value;
    assert!(matches!(*value.node, Node::Compare(_, _, Some(0))), "{value:?}");
    let value = sound("lowest x in hand(p) by x.rank along low-rank").value;
    assert!(matches!(*value.node, Node::Extreme { highest: false, order: Some(1), .. }), "{value:?}");
}

#[test]
fn what_no_rulebook_needs_yet_is_one_answer_at_its_place() {
    let edit = "amendment trying on small { procedure lifted { move top some of pack to middle; } }\n";
    let (_, faults, incomplete) = read(&["tests/table/small.hoyle"], edit, "small");
    assert_eq!(faults, "");
    assert_eq!(incomplete.matches("not-yet").count(), 1, "{incomplete}");
    assert!(incomplete.contains("move top some of pack to middle"), "{incomplete}");
}
