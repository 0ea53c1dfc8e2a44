//! The harness, tried on engines that lie, refuse, crash and shrug, before it is believed about any other.
//!
//! The honest fake holds that hands beat one another in the order of their names, and that its answer hangs on the parameter `joker`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at any surprise, and a fake panics on purpose")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use hoyle::cli::{self, Exit, Streams, World};
use hoyle::conformance::Implementation;
use hoyle::conformance::case::Kind;
use hoyle::conformance::corpus::{Corpus, Loaded};
use hoyle::conformance::implementation::{CompareAsk, Description, ParamValue, Reply, Reported};
use hoyle::conformance::inventory::Inventory;
use hoyle::conformance::runner::{Strictness, Verdict, run};
use hoyle::conformance::select::select;

/// What a fake does when it is asked.
struct Fake(fn(&CompareAsk) -> Reply);

impl Implementation for Fake {
    fn describe(&self) -> Description {
        Description { name: "fake".to_owned(), version: "1".to_owned(), kinds: vec![Kind::Compare], features: Vec::new() }
    }

    fn compare(&self, ask: &CompareAsk) -> Reply {
        (self.0)(ask)
    }
}

fn ordered(names: impl Iterator<Item = String>) -> Reply {
    Reply::Answer(Reported { order: names.map(|name| vec![name]).collect(), ..Reported::default() })
}

fn honest(ask: &CompareAsk) -> Reply {
    let twice = |cards: &str| ask.hands.values().filter(|hand| *hand == cards).count() > 1;
    if !ask.separate && ask.hands.values().any(|hand| twice(hand)) {
        return Reply::Refused { code: "duplicate-card".to_owned(), text: "a card stands in two hands".to_owned() };
    }
    if ask.params.get("joker") == Some(&ParamValue::One("wild".to_owned())) {
        return ordered(ask.hands.keys().rev().cloned());
    }
    let mut reply = Reported { order: ask.hands.keys().map(|name| vec![name.clone()]).collect(), ..Reported::default() };
    reply.classes = ask.hands.keys().map(|name| (name.clone(), "flush".to_owned())).collect();
    reply.as_meanings = BTreeMap::from([("a".to_owned(), BTreeMap::from([("Jk".to_owned(), "Ah".to_owned())]))]);
    Reply::Answer(reply)
}

fn liar(ask: &CompareAsk) -> Reply {
    ordered(ask.hands.keys().rev().cloned())
}

fn refuser(_: &CompareAsk) -> Reply {
    Reply::Refused { code: "wrong-size".to_owned(), text: "no hand of five".to_owned() }
}

fn crasher(ask: &CompareAsk) -> Reply {
    panic!("index out of bounds in {}", ask.rules)
}

fn shrug(_: &CompareAsk) -> Reply {
    Reply::Unsupported { feature: "everything".to_owned() }
}

/// Right the first time, wrong the second: only a case that is asked twice can tell.
fn fickle(ask: &CompareAsk) -> Reply {
    static SECOND: AtomicBool = AtomicBool::new(false);
    if SECOND.swap(true, Ordering::Relaxed) { liar(ask) } else { honest(ask) }
}

const CASES: &str = r#"
- id: draw-poker-0001
  title: names in order
  kind: compare
  rules: [foster-draw, hoffmann-draw]
  cites: [foster.rank.order]
  level: must
  why: The first name is best.
  derived: by-hand
  status: accepted
  hands: {a: "As", b: "Ks"}
  expect: {order: [[a], [b]], classes: {b: flush}, as: {a: {Jk: "Ah"}}}

- id: draw-poker-0002
  kind: compare
  rules: foster-draw
  cites: [foster.joker.any-card]
  level: must
  why: One card, two hands.
  derived: by-hand
  status: accepted
  hands: {a: "As", b: "As"}
  expect: {refused: duplicate-card}
"#;

const DISCRIMINATING: &str = r#"
- id: draw-poker-0003
  title: hangs on the joker
  kind: compare
  rules: foster-draw
  params: {joker: none}
  cites: [foster.rank.order]
  level: house
  why: The joker turns the order round.
  derived: by-hand
  status: accepted
  hands: {a: "As", b: "Ks"}
  expect: {order: [[a], [b]]}
  discriminates: {joker: [wild]}

- id: draw-poker-0004
  title: hangs on nothing
  kind: compare
  rules: foster-draw
  params: {ace: low}
  cites: [foster.rank.order]
  level: house
  why: The ace changes nothing here.
  derived: by-hand
  status: accepted
  hands: {a: "As", b: "Ks"}
  expect: {order: [[a], [b]]}
  discriminates: {ace: [high, low]}
"#;

const READINGS: &str = r#"
- id: draw-poker-0005
  title: two authors
  kind: compare
  rules: [foster-draw, hoffmann-draw]
  cites: [foster.rank.order]
  level: disputed
  why: Each author has his own answer.
  derived: by-hand
  status: accepted
  hands: {a: "As", b: "Ks"}
  readings:
    - {rules: foster-draw, cites: [foster.rank.order], expect: {order: [[a], [b]]}}
    - {rules: foster-draw, cites: [foster.rank.order], params: {joker: wild}, expect: {order: [[b], [a]]}}
    - {rules: hoffmann-draw, cites: [hoffmann.poker.pack-52], expect: {order: [[a, b]]}}
    - {rules: hoffmann-draw, cites: [hoffmann.poker.pack-52], expect: {order: [[b], [a]]}}
"#;

const OTHER_KINDS: &str = r#"
- id: nap-0001
  kind: play
  rules: hoffmann-nap
  cites: [hoffmann.nap.follow-suit]
  level: must
  why: Not run yet.
  derived: by-hand
  status: accepted
  steps: [{do: "A: pass", then: {turn: B}}]
"#;

fn load(text: &str) -> Corpus {
    let Loaded { corpus, faults } = Corpus::from_texts(vec![("cases.yaml", text)], &Inventory::embedded());
    assert_eq!(faults, []);
    corpus
}

/// `id rulebook: verdict (lines)` for each outcome.
fn verdicts(text: &str, fake: fn(&CompareAsk) -> Reply, discriminates: bool) -> Vec<String> {
    let corpus = load(text);
    let cases: Vec<_> = corpus.cases.iter().collect();
    let done = run(&cases, &Fake(fake), Strictness { discriminates }, &|| ());
    let line = |verdict: &Verdict| {
        let lines = verdict.lines().join("; ");
        if lines.is_empty() { verdict.word().to_owned() } else { format!("{} ({lines})", verdict.word()) }
    };
    done.outcomes.iter().map(|outcome| format!("{} {}: {}", outcome.case.id.text, outcome.rulebook, line(&outcome.verdict))).collect()
}

#[test]
fn an_honest_engine_passes_once_for_each_rulebook() {
    let expected = ["draw-poker-0001 foster-draw: pass", "draw-poker-0001 hoffmann-draw: pass", "draw-poker-0002 foster-draw: pass"];
    assert_eq!(verdicts(CASES, honest, true), expected);
}

#[test]
fn every_other_engine_gets_its_own_verdict() {
    let all = [("liar", liar as fn(&CompareAsk) -> Reply), ("refuser", refuser), ("crasher", crasher), ("shrug", shrug)];
    let shown = all.map(|(name, fake)| format!("{name}\n  {}", verdicts(CASES, fake, true).join("\n  ")));
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn an_engine_that_changes_its_mind_is_seen_only_where_it_is_asked_again() {
    // Which question comes second is the scheduler's to choose, so a single one is asked.
    let one = CASES.split("\n- id: draw-poker-0002").next().unwrap().replace("[foster-draw, hoffmann-draw]", "foster-draw");
    assert_eq!(verdicts(&one, fickle, true), ["draw-poker-0001 foster-draw: pass"]);
    assert_ne!(verdicts(&one, fickle, true), ["draw-poker-0001 foster-draw: pass"]);
}

#[test]
fn a_case_must_hang_on_what_it_says() {
    let strict = verdicts(DISCRIMINATING, honest, true);
    assert_eq!(strict[0], "draw-poker-0003 foster-draw: pass");
    insta::assert_snapshot!(strict[1]);
    assert_eq!(verdicts(DISCRIMINATING, honest, false)[1], "draw-poker-0004 foster-draw: pass");
}

#[test]
fn each_reading_is_asked_under_its_own_parameters() {
    let expected = ["draw-poker-0005 foster-draw: pass", "draw-poker-0005 hoffmann-draw: fail (order: expected a = b, got a > b)"];
    assert_eq!(verdicts(READINGS, honest, true), expected);
    // Readings of one book under the same parameters are alternatives.
    assert_eq!(verdicts(READINGS, liar, true)[1], "draw-poker-0005 hoffmann-draw: pass");
}

#[test]
fn kinds_that_an_engine_does_not_know_are_not_asked() {
    assert_eq!(verdicts(OTHER_KINDS, crasher, true), ["nap-0001 hoffmann-nap: unsupported (play)"]);
}

#[test]
fn outcomes_keep_the_order_of_the_corpus() {
    let many: String = (0..200)
        .map(|number| {
            let text = CASES.split("\n- id: draw-poker-0002").next().unwrap();
            text.replace("draw-poker-0001", &format!("draw-poker-{number:04}")).replace("The first name", &format!("Number {number}"))
        })
        .collect();
    let corpus = load(&many);
    let cases: Vec<_> = corpus.cases.iter().collect();
    let ids = |done: &hoyle::conformance::runner::Run<'_>| done.outcomes.iter().map(|outcome| outcome.case.id.text.clone()).collect::<Vec<_>>();
    let done = run(&cases, &Fake(honest), Strictness { discriminates: true }, &|| ());
    let mut sorted = ids(&done);
    sorted.sort();
    assert_eq!(ids(&done), sorted);
}

#[test]
fn filters_pick_by_every_part_of_a_case() {
    let corpus = load(&format!("{CASES}{OTHER_KINDS}"));
    let picked = |pattern: &str| -> Vec<String> {
        let cases = select(&corpus, &[pattern.to_owned()]).unwrap_or_default();
        cases.iter().map(|case| case.id.text.clone()).collect()
    };
    assert_eq!(picked("0002"), ["draw-poker-0002"]);
    assert_eq!(picked("names in"), ["draw-poker-0001"]);
    assert_eq!(picked("hoffmann-draw"), ["draw-poker-0001"]);
    assert_eq!(picked("play"), ["nap-0001"]);
    assert_eq!(picked("foster.joker"), ["draw-poker-0002"]);
    assert_eq!(picked("draw-*"), ["draw-poker-0001", "draw-poker-0002"]);
    assert_eq!(picked("cases.yaml").len(), 3);
    assert_eq!(picked("any-card"), Vec::<String>::new());
}

/// Exit, output and complaints of a command.
fn hoyle(arguments: &[&str], fake: fn() -> Box<dyn Implementation>) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, err: &mut err, terminal: false, colour: false };
    let exit = cli::run([&["hoyle"], arguments].concat(), &mut streams, &World { reference: fake, ..World::default() });
    (exit, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn honest_engine() -> Box<dyn Implementation> {
    Box::new(Fake(honest))
}

/// Writes files and runs `hoyle test` on them; the directory's name is taken out of what is printed.
fn test(files: &[(&str, &str)], more: &[&str], fake: fn() -> Box<dyn Implementation>) -> (Exit, String, String) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let path = dir.path().to_str().unwrap();
    let (exit, out, err) = hoyle(&[&["test"], more, &["--cases", path]].concat(), fake);
    (exit, out.replace(path, "DIR"), err.replace(path, "DIR"))
}

#[test]
fn a_green_run_ends_with_its_numbers_alone() {
    let (exit, out, err) = test(&[("cases.yaml", CASES)], &[], honest_engine);
    assert_eq!((exit, out.as_str(), err.as_str()), (Exit::Good, "3 passed, 0 failed\n", ""));
}

#[test]
fn a_red_run_says_why_it_matters() {
    let (exit, out, err) = test(&[("cases.yaml", CASES)], &[], || Box::new(Fake(liar)));
    assert_eq!((exit, err.as_str()), (Exit::Differs, ""));
    insta::assert_snapshot!(out);
}

#[test]
fn a_crash_is_told_from_a_difference() {
    let (exit, out, _) = test(&[("cases.yaml", CASES)], &["0002"], || Box::new(Fake(crasher)));
    assert_eq!(exit, Exit::Differs);
    insta::assert_snapshot!(out);
}

#[test]
fn skipped_cases_are_told_and_do_not_make_a_run_green() {
    let (exit, out, err) = test(&[("cases.yaml", CASES), ("nap.yaml", OTHER_KINDS)], &[], || Box::new(Fake(shrug)));
    assert_eq!(exit, Exit::Usage);
    insta::assert_snapshot!(format!("{out}{err}"));
    let (exit, out, _) = test(&[("cases.yaml", CASES), ("nap.yaml", OTHER_KINDS)], &[], honest_engine);
    assert_eq!((exit, out.as_str()), (Exit::Good, "1 unsupported: play\n3 passed, 0 failed, 1 skipped\n"));
}

#[test]
fn proposed_cases_are_shown_and_do_not_count() {
    let proposed = CASES.replace("status: accepted", "status: proposed");
    let (exit, out, err) = test(&[("cases.yaml", &proposed)], &[], || Box::new(Fake(liar)));
    assert_eq!(exit, Exit::Usage);
    insta::assert_snapshot!(format!("{out}{err}"));
    let half = CASES.replacen("status: accepted", "status: proposed", 1);
    assert_eq!(test(&[("cases.yaml", &half)], &[], honest_engine).0, Exit::Good);
}

#[test]
fn runs_that_prove_nothing_are_errors() {
    let empty = test(&[("cases.yaml", "# none\n")], &[], honest_engine);
    let none = test(&[], &[], honest_engine);
    let unmatched = test(&[("cases.yaml", CASES)], &["0001", "no-such-case", "x*"], honest_engine);
    let missing = hoyle(&["test", "--cases", "/no/such/directory"], honest_engine);
    assert_eq!([empty.0, none.0, unmatched.0, missing.0], [Exit::Usage, Exit::Usage, Exit::Usage, Exit::Infrastructure]);
    insta::assert_snapshot!([empty.2, none.2, unmatched.2, missing.2].join("----\n"));
}

#[test]
fn a_bad_file_does_not_hide_a_good_one() {
    let bad = CASES
        .replace("foster.rank.order", "foster.rank.ordr")
        .replace("0001", "0011")
        .replace("0002", "0012")
        .replace("status: accepted", "status: acepted");
    let twice = CASES.replace("The first", "Again the first").replace("One card", "Again one card");
    let (exit, out, err) = test(&[("a-bad.yaml", &bad), ("b-good.yaml", CASES), ("c-twice.yaml", &twice)], &[], honest_engine);
    assert_eq!((exit, out.as_str()), (Exit::Usage, "3 passed, 0 failed\n"));
    insta::assert_snapshot!(err);
}

#[test]
fn reports_are_the_same_every_time() {
    let files = [("cases.yaml", CASES), ("nap.yaml", OTHER_KINDS)];
    for format in ["json", "junit"] {
        let (exit, out, _) = test(&files, &["--format", format], || Box::new(Fake(liar)));
        assert_eq!(exit, Exit::Differs);
        // The name of the directory is part of the digest.
        let start = out.find("fnv1a64:").unwrap();
        let out = out.replace(&out[start..start + 24], "DIGEST");
        insta::assert_snapshot!(format!("report-{format}"), out);
    }
}

#[test]
fn reports_go_to_files_and_a_file_that_cannot_be_written_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("report.xml");
    let written = test(&[("cases.yaml", CASES)], &["--format", "junit", "--output", path.to_str().unwrap()], honest_engine);
    assert_eq!((written.0, written.1.as_str()), (Exit::Good, ""));
    assert!(std::fs::read_to_string(&path).unwrap().contains("tests=\"3\" skipped=\"0\" failures=\"0\" errors=\"0\""));
    let (exit, _, err) = test(&[("cases.yaml", CASES)], &["--output", "/no/such/directory/report"], honest_engine);
    assert_eq!(exit, Exit::Infrastructure);
    insta::assert_snapshot!(err);
    if Path::new("/dev/full").exists() {
        assert_eq!(test(&[("cases.yaml", CASES)], &["--output", "/dev/full"], honest_engine).0, Exit::Infrastructure);
    }
}

#[test]
fn misunderstandings_exit_2_and_answers_0() {
    for (arguments, expected) in [
        (&[][..], Exit::Usage),
        (&["tset"], Exit::Usage),
        (&["test", "--format", "xml"], Exit::Usage),
        (&["--help"], Exit::Good),
        (&["test", "--help"], Exit::Good),
        (&["--version"], Exit::Good),
    ] {
        assert_eq!(hoyle(arguments, honest_engine).0, expected, "{arguments:?}");
    }
}
