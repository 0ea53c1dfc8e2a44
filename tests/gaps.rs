//! What a rulebook leaves open, on a book of holes whose page is worked out by hand, and the pages of whole rulebooks.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

mod cli_support;

use std::fs;

use cli_support::{Ran, hoyle, table};
use serde_json::Value;

/// `hoyle gaps` on a file that is put into an empty directory.
fn gaps(name: &str, text: &str, more: &[&str]) -> Ran {
    let dir = table();
    fs::write(dir.path().join(name), text).unwrap();
    hoyle(dir.path(), &[&["gaps", name], more].concat())
}

fn gappy() -> Value {
    let ran = gaps("gappy.hoyle", include_str!("gaps/gappy.hoyle"), &["--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    serde_json::from_str(&ran.out).unwrap()
}

fn words(all: &Value) -> Vec<&str> {
    all.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect()
}

/// Every entry of a name: where, how it stands, which rules may answer, and where none does.
fn found(page: &Value, name: &str) -> Vec<(String, String, String, String)> {
    let entries = page["entries"].as_array().unwrap().iter().filter(|entry| entry["name"] == name);
    let rules = |entry: &Value| entry["rules"].as_array().unwrap().iter().map(|rule| rule["rule"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    entries
        .map(|entry| {
            let hole = if entry["no-rule-where"].is_null() { String::new() } else { words(&entry["no-rule-where"]).join(", ") };
            (words(&entry["at"]).join(", "), entry["standing"].as_str().unwrap().to_owned(), rules(entry).join(", "), hole)
        })
        .collect()
}

fn one(at: &str, standing: &str, rules: &str, hole: &str) -> (String, String, String, String) {
    (at.to_owned(), standing.to_owned(), rules.to_owned(), hole.to_owned())
}

#[test]
fn events_are_told_stop_by_stop() {
    let page = gappy();
    assert_eq!(
        found(&page, "rings"),
        [
            one("walk", "silent", "", ""),
            one("morning", "may-be-silent", "red-in-the-morning", "not `c = red`"),
            one("night", "house", "any-at-night", ""),
        ]
    );
    // The guard shuts out the third colour.
    assert_eq!(found(&page, "shines"), [one("walk, morning, night", "house", "red-shines, black-shines", "")]);
    // Its one rule is for a phase in which it never comes.
    assert_eq!(found(&page, "snows"), [one("morning", "silent", "", "")]);
    assert_eq!(found(&page, "sees"), [one("night", "house", "", "")]);
}

#[test]
fn questions_are_told_with_who_asks_and_what_is_missing() {
    let page = gappy();
    assert_eq!(found(&page, "worth"), [one("the rule by-a", "may-be-silent", "worth-red, worth-black", "not `c = red`, not `c = black`")]);
    assert_eq!(found(&page, "weight"), [one("the rule by-b", "house", "heavy, light-red, light-black", "")]);
    assert_eq!(found(&page, "spare"), [one("the rule by-b", "otherwise", "", "")]);
    assert_eq!(found(&page, "twice"), [one("the rule on-the-way", "house", "by-a, by-both, by-b", "")]);
}

#[test]
fn pairs_are_told_undecided_or_not() {
    let page = gappy();
    let names = |pairs: &Value| pairs.as_array().unwrap().iter().map(|pair| format!("{} {}", pair["one"], pair["other"])).collect::<Vec<_>>();
    assert_eq!(names(&page["undecided"]), ["\"by-both\" \"by-a\""]);
    assert_eq!(page["undecided"][0]["why"], "nobody has thought of it");
    // The two rules on the event are for phases that are never open together.
    assert_eq!(names(&page["together"]), ["\"if-a\" \"if-b\""]);
    let totals = ["silent", "may-be-silent", "inferred", "house", "text", "otherwise", "noted"].map(|word| page["totals"][word].as_u64().unwrap());
    assert_eq!(totals, [2, 2, 0, 6, 0, 1, 0]);
}

/// A rule that is written into the hole closes it.
#[test]
fn a_house_may_close_a_hole() {
    let house = "
house by-night \"holes are closed\" on gappy {
  rule worth-green on worth { when c = green; is 3; }
  rule snow-in-the-morning on snows { stands; }
}
";
    let text = format!("{}{house}", include_str!("gaps/gappy.hoyle"));
    let ran = gaps("book.hoyle", &text, &["--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found(&page, "worth"), [one("the rule by-a", "house", "worth-red, worth-black, worth-green", "")]);
    assert_eq!(found(&page, "snows"), [one("morning", "house", "snow-in-the-morning", "")]);
}

/// In whist a revoke is claimed while cards are played and when tricks are counted, and there is one or there is none.
#[test]
fn whist_leaves_no_hole() {
    let ran = gaps("whist.hoyle", include_str!("whist/whist.hoyle"), &["--format", "json"]);
    let page: Value = serde_json::from_str(&ran.out).unwrap();
    let claims = found(&page, "claims-revoke");
    assert_eq!(claims, [one("play, one-trick, counting, the rule call-a-lead", "house", "three-points, no-revoke-found", "")]);
    assert_eq!(found(&page, "next-to-lead"), [one("play", "house", "winner-leads", "")]);
    assert_eq!((page["totals"]["silent"].as_u64(), page["totals"]["may-be-silent"].as_u64()), (Some(0), Some(0)));
}

#[test]
fn the_page_of_a_book() {
    let ran = hoyle(table().path(), &["gaps", "hoffmann-nap"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn what_has_no_table_has_no_gaps() {
    let ran = hoyle(table().path(), &["gaps", "hoffmann-draw"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error[no-table]"), "{}", ran.err);
    assert_eq!(hoyle(table().path(), &["gaps"]).code, 2);
    assert_eq!(hoyle(table().path(), &["gaps", "no-such-book"]).code, 2);
}
