//! `hoyle cover`, tried on a rulebook of three elements.

#![allow(clippy::unwrap_used, reason = "a test may stop at any surprise")]

use std::collections::BTreeMap;

use hoyle::cli::{self, Exit, Streams, World};
use hoyle::conformance::Implementation;
use hoyle::conformance::case::Kind;
use hoyle::conformance::cover::{Element, Elements};
use hoyle::conformance::implementation::{CompareAsk, Description, Reply, Reported};

/// Ranks hands by name, and calls them flushes, unless it lacks one of the two rules.
struct Engine {
    ranks: bool,
    names: bool,
}

impl Implementation for Engine {
    fn describe(&self) -> Description {
        Description { name: "fake".to_owned(), version: "1".to_owned(), kinds: vec![Kind::Compare], features: Vec::new() }
    }

    fn compare(&self, ask: &CompareAsk) -> Reply {
        if ask.rules == "unbuilt" {
            return Reply::Error { text: "no such rulebook".to_owned() };
        }
        let names = ask.hands.keys().cloned();
        let order = if self.ranks { names.map(|name| vec![name]).collect() } else { vec![names.collect()] };
        let class = if self.names { "flush" } else { "high-card" };
        let classes: BTreeMap<String, String> = ask.hands.keys().map(|name| (name.clone(), class.to_owned())).collect();
        Reply::Answer(Reported { order, classes, as_meanings: BTreeMap::new() })
    }
}

struct Book;

impl Elements for Book {
    fn citing(&self) -> Vec<Element> {
        let element = |what: &str, line: u32, cites: &[&str]| Element {
            rulebook: "foster-draw".to_owned(),
            cites: cites.iter().map(|cite| (*cite).to_owned()).collect(),
            what: what.to_owned(),
            place: format!("foster.hoyle:{line}:1"),
        };
        vec![
            element("rule ranks", 1, &["foster.rank.order", "foster.rank.flush"]),
            element("rule names", 2, &["foster.rank.full", "foster.rank.straight"]),
            element("seats", 3, &["foster.rank.threes"]),
            element("hand size", 4, &["foster.rank.fours"]),
        ]
    }

    fn without(&self, element: &Element) -> Option<Box<dyn Implementation>> {
        match element.what.as_str() {
            "hand size" => None,
            what => Some(Box::new(Engine { ranks: what != "rule ranks", names: what != "rule names" })),
        }
    }
}

const CASES: &str = r#"
- id: draw-poker-0001
  kind: compare
  rules: foster-draw
  cites: [foster.rank.order, foster.rank.full, foster.rank.fours]
  level: must
  why: The order.
  derived: by-hand
  status: accepted
  hands: {a: "As", b: "Ks"}
  expect: {order: [[a], [b]]}

- id: draw-poker-0002
  kind: compare
  rules: unbuilt
  cites: [foster.rank.straight]
  level: must
  why: A rulebook that does not run.
  derived: by-hand
  status: accepted
  hands: {a: "As", b: "Ks"}
  expect: {classes: {a: flush}}

- id: draw-poker-0003
  kind: compare
  rules: foster-draw
  cites: [foster.rank.flush]
  level: must
  why: Proposed, so it does not count.
  derived: by-hand
  status: proposed
  hands: {a: "As", b: "Ks"}
  expect: {order: [[a], [b]]}
"#;

fn cover(arguments: &[&str]) -> (Exit, String, String) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("cases.yaml"), CASES).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, err: &mut err, terminal: false, colour: false };
    let world = World { reference: || Box::new(Engine { ranks: true, names: true }), elements: || Box::new(Book), ..World::default() };
    let exit = cli::run([&["hoyle", "cover"], arguments, &["--cases", dir.path().to_str().unwrap()]].concat(), &mut streams, &world);
    (exit, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn a_statement_is_covered_if_a_case_that_cites_it_kills_a_mutant_that_cites_it() {
    let (exit, out, err) = cover(&["foster.rank", "--open"]);
    assert_eq!((exit, err.as_str()), (Exit::Good, ""));
    let wanted = ["foster.rank.order", "foster.rank.flush ", "foster.rank.full ", "foster.rank.straight ", "foster.rank.fours "];
    let head: Vec<&str> = out.lines().take_while(|line| !line.is_empty()).collect();
    let parts = out.split("\n\n").filter(|part| wanted.iter().any(|id| part.starts_with(id)));
    insta::assert_snapshot!(format!("{}\n\n{}", head.join("\n"), parts.collect::<Vec<&str>>().join("\n\n")));
}

#[test]
fn coverage_as_json_adds_up() {
    let (exit, out, _) = cover(&["foster", "--format", "json", "--open"]);
    assert_eq!(exit, Exit::Good);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    let sum = |key: &str| object["sections"].as_array().unwrap().iter().map(|section| section[key].as_u64().unwrap()).sum::<u64>();
    for key in ["statements", "cited", "tested", "covered", "open"] {
        assert_eq!(object["total"][key].as_u64(), Some(sum(key)), "{key}");
    }
    assert_eq!(object["open"].as_array().unwrap().len() as u64, sum("open"));
    assert_eq!(sum("covered"), 1);
}

#[test]
fn a_book_that_is_not_there_is_an_error() {
    let (exit, out, err) = cover(&["fostr"]);
    assert_eq!((exit, out.as_str()), (Exit::Usage, ""));
    insta::assert_snapshot!(err);
}
