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
    let stack = stack(&catalog, &Selection::of(name), &[], &mut faults);
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

/// A table on which definitions can be tried.
const TABLE: &str = r#"
rulebook small "a table on which expressions are tried" follows none;
kind suit = clubs "c", hearts "h";
scale rank = two "2", three "3", four "4";
scale low-rank = rank with four lowest;
kind colour = red, black;
piece card has rank, suit;
pieces one card of each rank, suit;
seats 2 to 4;
option form = short "" { short ""; long ""; }
param limit = 3;
role dealer;
place pack, at start;
place hand of seat, seen by owner;
place middle, seen by all;
account stack of seat;
account pool by seat;
tally points of seat per evening;
fact shown: maybe suit = none per turn;
fact wanted: rank per turn;
fact some: set of card = { } per turn;
signal seen(c: card, p: seat);
breach wrong(c: card);
question may(p: seat) -> truth otherwise no;
ranking highest-card(led: suit) of 1 card by rank { class of-suit: any suit in { led }; class other: anything; of-suit beats other; ties otherwise by top; }
procedure turn {
  each p from dealer { offer p { | put(c in hand(p)) else wrong => move c to middle; | bid(n in 1 to limit) => announce seen(last of middle, p); | keep => stands; } }
  if limit > 2 { end turn with played; }
}
"#;

/// The definition `it` with this value.
fn definition(value: &str) -> (Option<Definition>, String, String) {
    let (draft, faults, incomplete) = read(&[], &format!("{TABLE}def tried(p: seat, c: card) = {value};\n"), "small");
    let program = draft.table.unwrap().program;
    (program.definitions.into_iter().find(|definition| definition.name == "tried"), faults, incomplete)
}

fn sound(value: &str) -> Definition {
    let (found, faults, incomplete) = definition(value);
    assert_eq!((faults.as_str(), incomplete.as_str()), ("", ""), "{value}");
    found.unwrap()
}

fn type_of(value: &str) -> Type {
    sound(value).answer
}

#[test]
fn every_form_has_its_type() {
    let suit = || type_of("c.suit");
    let cards = Type::Piece(0).set();
    for value in [
        "1 + 2 * limit",
        "count(seats)",
        "count(hand(p))",
        "sum of points(q) for q in seats where q <> p",
        "pool",
        "pool(p)",
        "pool(nobody)",
        "stack(p)",
        "seat-number(p)",
        "count of put since start of turn",
        "table c.rank { two: 1; three or up: 2; }",
        "cycle(1, 2) at 5",
        "-limit",
        "7 mod 2",
        "last bid since start of turn.n",
        "only-number",
    ] {
        let value = if value == "only-number" { "the only of { 4 }" } else { value };
        assert_eq!(type_of(value), Type::Number, "{value}");
    }
    for value in [
        "form = long",
        "long = form",
        "c.suit = hearts",
        "hearts = c.suit",
        "c.rank < four",
        "two < c.rank <= four",
        "c.suit in { clubs, hearts }",
        "clubs in { c.suit }",
        "c in hand(p)",
        "c not in pack",
        "any x in hand(p): x.suit = shown",
        "every q in seats where q <> p: may(q)",
        "any s in suit",
        "shown is none",
        "wanted is known",
        "middle is not empty",
        "limit is even",
        "has put(_) by p since start of turn",
        "has (put | wrong)(c) since end of turn",
        "has keep by not p",
        "during turn",
        "mover(c) = p",
        "not may(p) and limit > 2",
        "outcome(turn) = played",
        "has seen(_, p) since last put",
        "p = left of dealer",
        "shown <> none",
        "some = { }",
    ] {
        assert_eq!(type_of(value), Type::Truth, "{value}");
    }
    assert_eq!(type_of("if middle is empty then none else (first of middle).suit"), suit().maybe());
    assert_eq!(type_of("first put since start of turn.c.suit"), suit());
    assert_eq!(type_of("last (put | wrong).c"), Type::Piece(0));
    assert_eq!(type_of("those q in seats where q <> p"), Type::Seat.set());
    assert_eq!(type_of("hand(p) together { c }"), cards);
    assert_eq!(type_of("some without hand(p)"), cards);
    assert_eq!(type_of("highest x in hand(p) by x.rank along low-rank"), cards);
    assert_eq!(type_of("lowest { 1, 2 }"), Type::Number.set());
    assert_eq!(type_of("the only of best of middle under highest-card(shown)"), Type::Piece(0));
    assert_eq!(type_of("right of p among { p, dealer }"), Type::Seat.maybe());
    assert_eq!(type_of("[1 to 5, limit]"), Type::Number.list());
    assert_eq!(type_of("top of pack"), Type::Piece(0));
    assert_eq!(type_of("table wanted { two, three: shown; else: none; }"), suit().maybe());
    assert_eq!(type_of("suit"), suit().set());
}

#[test]
fn a_field_belongs_to_the_entry_and_a_list_becomes_a_set() {
    let value = sound("first put since start of turn.c.suit").value;
    let Node::Attribute(of, 1) = *value.node else { panic!("{value:?}") };
    let Node::Argument(of, positions) = *of.node else { panic!("{of:?}") };
    assert_eq!(positions.len(), 1);
    assert!(matches!(*of.node, Node::First(_)));
    let value = sound("some = hand(p)").value;
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
    for value in ["groups of hand(p) by rank at least 2", "keys(hand(p), highest-card)", "hand(p) reaches pair"] {
        let (_, faults, incomplete) = definition(value);
        assert_eq!(faults, "", "{value}");
        assert!(incomplete.starts_with("warning[not-yet]") || incomplete.contains("not-yet"), "{value}: {incomplete}");
    }
}
