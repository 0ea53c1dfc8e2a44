//! Plays and positions, put to our own engine on a game as small as a test can use, and to fakes that lie.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at any surprise, and a fake panics on purpose")]

use std::collections::BTreeMap;

use hoyle::conformance::case::Kind;
use hoyle::conformance::corpus::{Corpus, Loaded};
use hoyle::conformance::implementation::{
    ActAsk, Acted, CompareAsk, Data, Description, Mode, OpenAsk, Opened, ReckonAsk, Reckoned, Refused, Reply, Shown, Table,
};
use hoyle::conformance::inventory::Inventory;
use hoyle::conformance::runner::{Strictness, Verdict, run};
use hoyle::conformance::{Implementation, Reference};
use hoyle::rules::Catalog;

fn tiny() -> Reference {
    let mut catalog = Catalog::new();
    for file in ["spec/lib/cards.hoyle", "tests/tables/tiny.hoyle"] {
        catalog.add(file, std::fs::read_to_string(file).unwrap());
    }
    Reference::new(catalog)
}

const HEAD: &str = "  rules: tiny\n  cites: [hoffmann.nap.follow-suit]\n  level: must\n  derived: by-hand\n  status: accepted\n";
const DEAL: &str = "  start: {dealer: A}\n  deal: {A: \"2h 3h\", B: \"Kh 2c\", C: \"Ah 5d\"}\n";

/// A play of three, with these steps and whatever stands behind them.
fn play(steps: &str, rest: &str) -> String {
    format!("- id: tiny-0001\n  kind: play\n  why: It is tried.\n{HEAD}{DEAL}  steps:\n{steps}{rest}")
}

fn reckon(body: &str) -> String {
    format!("- id: tiny-0002\n  kind: reckon\n  why: It is tried.\n{HEAD}{body}")
}

fn verdicts(text: &str, implementation: &dyn Implementation) -> Vec<(String, Verdict)> {
    let inventory = Inventory::embedded();
    let Loaded { corpus, faults } = Corpus::from_texts(vec![("case.yaml", text)], &inventory);
    assert!(faults.is_empty(), "{faults:?}\n{text}");
    let cases: Vec<_> = corpus.cases.iter().collect();
    let done = run(&cases, implementation, Strictness { discriminates: true }, &|| ());
    done.outcomes.iter().map(|outcome| (outcome.id(), outcome.verdict.clone())).collect()
}

fn verdict(text: &str, implementation: &dyn Implementation) -> Verdict {
    verdicts(text, implementation).into_iter().next().unwrap().1
}

/// The first line of what is wrong.
fn wrong(text: &str) -> String {
    let verdict = verdict(text, &tiny());
    format!("{}: {}", verdict.word(), verdict.lines().first().copied().unwrap_or_default())
}

const ROUND: &str = r#"    - {do: "B: lead Kh", then: {turn: C, pile: {top: "Kh"}, hand: {B: {set: ["2c"]}}}}
    - {do: "C: lead Ah", then: {turn: A, pool: 0}}
    - {do: "A: lead 2h"}
"#;

#[test]
fn a_play_is_followed_to_its_end() {
    assert_eq!(verdict(&play(ROUND, "  expect: {pool: 2, over: \"yes\", turn: nobody}\n"), &tiny()), Verdict::Pass);
    assert_eq!(wrong(&play(ROUND, "  expect: {pool: 3}\n")), "fail: at the end (adjudicate): pool: expected 3, got 2");
    let other = ROUND.replace("turn: A", "turn: B");
    assert_eq!(wrong(&play(&other, "")), "fail: step 2 `C: lead Ah` (adjudicate): turn: expected B, got A");
}

const REVOKE: &str = r#"    - {do: "B: lead Kh"}
    - do: "C: lead 5d ! revoke"
      then:
        prevent: {refused: {any-of: [wrong-card]}, turn: C}
        adjudicate: {turn: A}
    - {do: "A: claims against C", then: {ruling: value}}
    - {do: "A: claims against B", then: {turn: A}}
    - {do: "A: lead 3h"}
"#;

#[test]
fn a_breach_is_prevented_or_adjudicated() {
    assert_eq!(verdict(&play(REVOKE, "  expect: {pool: 2}\n"), &tiny()), Verdict::Pass);
    let other = REVOKE.replace("[wrong-card]", "[follow]");
    assert_eq!(verdict(&play(&other, ""), &tiny()), Verdict::Pass);
    let other = REVOKE.replace("[wrong-card]", "[free]");
    assert!(wrong(&play(&other, "")).starts_with("fail: step 2 `C: lead 5d ! revoke` (prevent): refused: expected free, got"));
    // Without its mark an omission is no offence: it is refused in either mode.
    let unmarked = "    - {do: \"B: lead Kh\"}\n    - {do: \"C: lead 5d\", then: {refused: irregular-act, turn: C}}\n    - {do: \"C: lead Ah\", then: {turn: A}}\n";
    assert_eq!(verdict(&play(unmarked, ""), &tiny()), Verdict::Pass);
    let expected = "    - {do: \"B: lead Kh\", then: {refused: irregular-act}}\n";
    assert_eq!(wrong(&play(expected, "")), "fail: step 1 `B: lead Kh` (adjudicate): refused: expected irregular-act, got it done");
}

#[test]
fn rulings_are_compared() {
    let silent = |ruling: &str| format!("    - {{do: \"B: lead Kh\"}}\n    - {{do: \"C: calls-off\", then: {{ruling: {ruling}, turn: C}}}}\n");
    assert_eq!(verdict(&play(&silent("silent"), ""), &tiny()), Verdict::Pass);
    assert_eq!(wrong(&play(&silent("conflict"), "")), "fail: step 2 `C: calls-off` (adjudicate): ruling: expected conflict, got silent");
}

#[test]
fn a_seat_sees_no_other_hand() {
    let view = |seat: &str, cards: &str| format!("  view: [{{after: 1, seat: {seat}, vary: {{{cards}}}, pool: [\"4s\"]}}]\n");
    assert_eq!(verdict(&play(ROUND, &view("B", "A: [\"3h\"]")), &tiny()), Verdict::Pass);
    assert_eq!(wrong(&play(ROUND, &view("A", "A: [\"3h\"]"))), "fail: view: after step 1 A sees other things when 3h of A change");
    assert!(wrong(&play(ROUND, &view("A", "A: [\"9h\"]"))).starts_with("error: `vary`: A is dealt no 9h"));
}

#[test]
fn what_neither_interface_nor_book_has_is_told_apart() {
    assert_eq!(verdict(&play(ROUND, "  expect: {pool: 2, weather: 1}\n"), &tiny()), Verdict::Partial(vec!["weather".to_owned()]));
    assert_eq!(wrong(&play(ROUND, "  expect: {rain: 1}\n")), "error: the interface `tiny` shows no `rain`");
    assert_eq!(wrong(&play(ROUND, "  expect: {weather: 1}\n  requires: weather\n")), "unsupported: weather");
    assert_eq!(wrong(&play("    - {do: \"B: coughs\", then: {turn: B}}\n", "")), "unsupported: coughs");
    assert_eq!(
        wrong(&play("    - {do: \"B: sings\", then: {turn: B}}\n", "")),
        "error: step 1 `B: sings` (adjudicate): the interface `tiny` has no act or event `sings`"
    );
}

#[test]
fn positions_are_laid_and_asked_row_by_row() {
    let table = r#"  position: due
  params: {price: 3}
  table:
    b-wins: {players: 3, who: B, expect: {due: [3, 0, 3], ruling: value}}
    wrong: {players: 2, who: A, expect: {due: [0, 1]}}
  discriminates: {price: [1]}
"#;
    let all = verdicts(&reckon(table), &tiny());
    assert_eq!(all.first().unwrap(), &("tiny-0002.b-wins".to_owned(), Verdict::Pass));
    assert_eq!(all.get(1).unwrap(), &("tiny-0002.wrong".to_owned(), Verdict::Fail(vec!["due: expected [0, 1], got [0, 3]".to_owned()])));
    // A position may run a procedure on what it lays; a duty in it is done by itself.
    assert_eq!(
        verdict(&reckon("  position: left-over\n  params: {price: 3}\n  given: {who: B}\n  expect: {left-over: [7, 10]}\n"), &tiny()),
        Verdict::Pass
    );
    let cards = "  position: wins\n  given: {cards: [\"Kh\", \"Ac\", \"Ah\"]}\n  expect: {wins: C}\n";
    assert_eq!(verdict(&reckon(cards), &tiny()), Verdict::Pass);
    assert_eq!(wrong(&reckon("  position: due\n  given: {players: 3, whom: A}\n  expect: {due: []}\n")), "error: the position `due` takes no `whom`");
    assert_eq!(wrong(&reckon("  position: duo\n  expect: {duo: []}\n")), "error: the interface `tiny` has no position `duo`");
}

/// Does whatever is asked of it, and shows what it was told to show.
struct Fake(fn(usize) -> Acted);

struct FakeTable<'f>(&'f Fake);

impl Implementation for Fake {
    fn describe(&self) -> Description {
        Description { name: "fake".to_owned(), version: "1".to_owned(), kinds: vec![Kind::Play, Kind::Reckon], features: Vec::new() }
    }

    fn compare(&self, _: &CompareAsk) -> Reply {
        Reply::Unsupported { feature: "compare".to_owned() }
    }

    fn reckon(&self, ask: &ReckonAsk) -> Reckoned {
        Reckoned::Answer { facts: BTreeMap::from([(ask.position.clone(), Data::Number(7))]), reasons: Vec::new() }
    }

    fn open(&self, ask: &OpenAsk, play: &mut dyn FnMut(Opened<'_>)) {
        assert_eq!((ask.seats, ask.mode), (3, Mode::Adjudicate));
        play(Opened::Table { table: &mut FakeTable(self), lacks: Vec::new() });
    }
}

impl Table for FakeTable<'_> {
    fn act(&mut self, ask: &ActAsk<'_>) -> Acted {
        self.0.0(ask.step)
    }

    fn end(&mut self) -> Acted {
        self.0.0(usize::MAX)
    }

    fn view(&mut self, _: &str) -> Option<String> {
        None
    }
}

fn liar(_: usize) -> Acted {
    let facts = [("turn", "D"), ("pool", "many"), ("hand", "none"), ("pile", "low")];
    Acted::Shown(Shown { facts: facts.map(|(name, value)| (name.to_owned(), Data::Text(value.to_owned()))).into(), ..Shown::default() })
}

fn refuser(_: usize) -> Acted {
    let refused = Refused { classes: vec!["no".to_owned()], text: "not today".to_owned(), ..Refused::default() };
    Acted::Shown(Shown { refused: Some(refused), ..Shown::default() })
}

fn crasher(step: usize) -> Acted {
    panic!("step {step} is too much")
}

fn shrug(_: usize) -> Acted {
    Acted::Unsupported { feature: "cards".to_owned() }
}

#[test]
fn fakes_are_found_out() {
    let text = play(ROUND, "");
    let first = |fake: Fake| {
        let verdict = verdict(&text, &fake);
        format!("{}: {}", verdict.word(), verdict.lines().first().copied().unwrap_or_default())
    };
    assert!(first(Fake(liar)).starts_with("fail: step 1 `B: lead Kh` (adjudicate): hand"));
    assert_eq!(first(Fake(refuser)), "fail: step 1 `B: lead Kh` (adjudicate): refused (no): not today");
    assert_eq!(first(Fake(crasher)), "error: the engine panicked: step 1 is too much");
    assert_eq!(first(Fake(shrug)), "unsupported: cards");
    assert_eq!(verdict(&reckon("  position: due\n  expect: {due: 7}\n"), &Fake(liar)), Verdict::Pass);
    assert_eq!(wrong_of(&Fake(liar)), "due: expected 8, got 7");
    let required = play(ROUND, "  requires: view\n");
    assert_eq!(verdict(&required, &Fake(liar)), Verdict::Unsupported("view".to_owned()));
}

fn wrong_of(fake: &Fake) -> String {
    let verdict = verdict(&reckon("  position: due\n  expect: {due: 8}\n"), fake);
    verdict.lines().first().copied().unwrap_or_default().to_owned()
}
