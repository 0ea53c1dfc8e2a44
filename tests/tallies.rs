//! Points under headings: when entries are reckoned, in which order, and what their rules see by then. Clause 4.7.
//!
//! Figures are worked out by hand; those with a name come from the inventory of Hoffmann's piquet.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at any surprise")]

use hoyle::engine::replay::{Played, replay};
use hoyle::engine::{Game, Mode, Value, Words};
use hoyle::rules::{Catalog, Selection};
use hoyle::source::FileId;
use hoyle::syntax::record::record;
use hoyle::syntax::sheet::Sheet;

const BOOK: &str = include_str!("tallies/reckoning.hoyle");

/// What stands in a tally for A and B, and a fact.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    marks: [i64; 2],
    total: [i64; 2],
    /// Points of the entries in the order of their reckoning, two digits each.
    said: i64,
    winner: Value,
}

struct Tried {
    game: Game,
    played: Played,
}

fn play(book: &str, name: &str, lines: &str) -> Tried {
    let mut catalog = Catalog::embedded();
    catalog.add("book.hoyle", book);
    let rulebook = catalog.load(&Selection::of(name)).unwrap_or_else(|faults| panic!("{faults:?}"));
    let game = Game::new(rulebook.table.clone().unwrap());
    let (written, faults) = record(FileId(0), &format!("rulebook {name}\n{lines}"));
    assert!(faults.is_empty(), "{faults:?}");
    let (sheet, faults) = Sheet::of(&written);
    assert!(faults.is_empty(), "{faults:?}");
    let played = replay(&game, &Words::new(&rulebook, &game.program), &sheet, Mode::Adjudicate);
    Tried { game, played }
}

impl Tried {
    fn tally(&self, name: &str) -> [i64; 2] {
        let first = self.game.program.tallies.iter().find(|tally| tally.name == name).unwrap().cells.first;
        let state = &self.played.steps.last().unwrap().state;
        [state.tally(first), state.tally(first + 1)]
    }

    fn fact(&self, name: &str) -> &Value {
        let first = self.game.program.facts.iter().find(|fact| fact.name == name).unwrap().cells.first;
        self.played.steps.last().unwrap().state.fact(first)
    }

    fn complaint(&self) -> String {
        self.played.faults.iter().map(|fault| fault.message.clone()).collect()
    }
}

/// A record on `reckoning`, where A is elder.
fn found(head: &str, items: &[&str]) -> Found {
    let lines: String = items.iter().map(|item| format!("A: {item}\n")).collect();
    let tried = play(BOOK, "reckoning", &format!("{head}role elder A\n{lines}"));
    assert!(tried.played.faults.is_empty(), "{}", tried.complaint());
    Found {
        marks: tried.tally("marks"),
        total: tried.tally("total"),
        said: tried.fact("said").number().unwrap(),
        winner: tried.fact("winner").clone(),
    }
}

fn nobody(marks: [i64; 2], total: [i64; 2], said: i64) -> Found {
    Found { marks, total, said, winner: Value::None }
}

#[test]
fn an_entry_waits_for_the_headings_before_its_own() {
    assert_eq!(found("", &["make A 14 in-set"]), nobody([14, 0], [0, 0], 0));
    assert_eq!(found("", &["make A 14 in-set", "shut in-set"]), nobody([14, 0], [0, 0], 0));
    // The first heading that is not closed is reckoned as it is made.
    assert_eq!(found("", &["make A 14 in-set", "shut in-blank", "make B 6 in-point"]), nobody([14, 6], [0, 6], 6));
    // Closing point leaves sequences in front of sets.
    let more = ["make A 14 in-set", "shut in-blank", "make B 6 in-point", "shut-item first-item"];
    assert_eq!(found("", &more), nobody([14, 6], [0, 6], 6));
    assert_eq!(found("", &[&more[..], &["shut-item second-item"]].concat()), nobody([14, 6], [14, 6], 614));
}

#[test]
fn entries_under_one_heading_are_reckoned_as_they_were_made() {
    let made = ["make A 3 in-set", "make B 4 in-sequence", "make A 15 in-sequence", "make B 14 in-set", "shut-hand"];
    assert_eq!(found("", &made), nobody([18, 18], [18, 18], 4_15_03_14));
}

/// `repique-not-barred-by-later-item`: the dealer's three kings were told first, and come last.
#[test]
fn thirty_before_the_opponent_has_anything_by_the_order_of_headings() {
    let made = ["make B 3 in-set", "make A 8 in-point", "make A 18 in-sequence", "make A 4 in-sequence", "shut-hand"];
    assert_eq!(found("", &made), nobody([90, 3], [90, 3], 8_18_04_60_03));
}

/// `repique-barred-by-earlier-item`: the dealer's point was told last, and comes first.
#[test]
fn an_entry_bars_what_comes_behind_it() {
    let made = ["make A 15 in-sequence", "make A 14 in-set", "make A 3 in-set", "make B 6 in-point", "shut-hand"];
    assert_eq!(found("", &made), nobody([32, 6], [32, 6], 6_15_14_03));
    // `repique-barred-by-carte-blanche`, and the same hand without it: `repique-example-94`.
    let hand = ["make A 5 in-point", "make A 15 in-sequence", "make A 14 in-set"];
    let barred = [&hand[..], &["make B 10 in-blank", "shut-hand"]].concat();
    assert_eq!(found("", &barred), nobody([34, 10], [34, 10], 10_05_15_14));
    assert_eq!(found("", &[&hand[..], &["shut-hand"]].concat()), nobody([94, 0], [94, 0], 5_15_14_60));
}

/// `pique-thirty`, `pique-adversary-counts`: 24 in hand and six points of play; then 23 in hand, and the dealer counts one before the seventh.
#[test]
fn points_of_play_are_reckoned_as_they_are_made() {
    let led = |times: usize| vec!["make A 1 in-play"; times];
    let pique = [&["make A 24 in-point", "shut-hand"][..], &led(5)].concat();
    assert_eq!(found("", &pique).total, [29, 0]);
    let pique = [&pique[..], &led(1), &["make B 1 in-play"]].concat();
    assert_eq!(found("", &pique), nobody([60, 1], [60, 1], 24_01_01_01_01_01_01_30_01));
    let none = [&["make A 23 in-point", "shut-hand"][..], &led(6), &["make B 1 in-play"], &led(1)].concat();
    assert_eq!(found("", &none), nobody([30, 1], [30, 1], 23_01_01_01_01_01_01_01_01));
}

/// `play-elder-count-running`: elder says 25 on his lead, whatever the dealer has still to tell.
#[test]
fn a_tally_is_what_was_made_whether_it_was_reckoned_or_not() {
    let made = ["make A 6 in-point", "make A 18 in-sequence", "make A 1 in-play"];
    assert_eq!(found("", &made), nobody([25, 0], [0, 0], 0));
    // `example-b-17`, `example-no-pique`: the dealer's 17 come before the lead.
    let counted = [&made[..], &["make B 14 in-set", "make B 3 in-set", "shut-hand", "make A 1 in-play"]].concat();
    assert_eq!(found("", &counted), nobody([26, 17], [26, 17], 6_18_14_03_01_01));
}

/// `order-of-reckoning`: the deal ends for good in the middle of the reckoning.
#[test]
fn a_rule_may_end_the_game_before_the_rest_is_reckoned() {
    let made = ["make A 3 in-set", "make B 6 in-point", "shut-hand"];
    let ended = Found { marks: [3, 6], total: [97, 100], said: 6, winner: Value::Seat(1) };
    assert_eq!(found("given total A = 97\ngiven total B = 94\n", &made), ended);
}

#[test]
fn a_tally_begins_anew_with_its_procedure() {
    let made = ["make A 5 in-point", "make B 3 in-play", "shut-hand", "finish", "make B 4 in-blank", "make A 2 in-set"];
    assert_eq!(found("", &made), nobody([2, 4], [5, 7], 4));
}

#[test]
fn a_void_brings_nothing_back() {
    let made = ["make A 5 in-point", "shut in-blank", "call-off", "make B 6 in-point"];
    assert_eq!(found("", &made), nobody([5, 6], [5, 6], 5_06));
}

#[test]
fn what_was_held_before_counts_as_reckoned_first() {
    let book = BOOK.replace("per deal under", "per evening under");
    let lines = "role elder A\ngiven marks A = 8\nA: make A 18 in-sequence\nA: make A 4 in-sequence\nA: shut-hand\n";
    let tried = play(&book, "reckoning", lines);
    assert!(tried.played.faults.is_empty(), "{}", tried.complaint());
    assert_eq!((tried.tally("marks"), tried.tally("total")), ([90, 0], [82, 0]));
}

#[test]
fn nothing_comes_under_a_closed_heading() {
    let tried = play(BOOK, "reckoning", "role elder A\nA: shut in-point\nA: make B 6 in-point\n");
    assert_eq!(tried.complaint(), "play cannot go on, in `saying`: the heading `in-point` is closed");
}

#[test]
fn nothing_comes_between_what_was_reckoned_already() {
    let head = "role elder A\nA: make A 5 in-blank\n";
    let behind = play(BOOK, "reckoning", &format!("{head}A: late\n"));
    assert_eq!((behind.complaint().as_str(), behind.tally("marks")), ("", [6, 0]));
    let between = play(BOOK, "reckoning", &format!("{head}A: make B 3 in-blank\nA: late\n"));
    assert_eq!(
        between.complaint(),
        "play cannot go on, in `saying`: this is not the entry that was reckoned last, so nothing can come right behind it"
    );
}

/// Without headings an entry is reckoned at once, and its parts go by what the tally is of.
#[test]
fn a_tally_without_headings_reckons_as_it_is_made() {
    let book = "
rulebook plain follows none;
seats 2;
kind side = ours, theirs;
tally points of side, seat per evening;
signal counted(e: entry of points);
fact told: number = 0 per evening;
rule counts on counted {
  told := told * 100 + e.points + points(ours, e.seat) before e + 10 * (points(e.side, e.seat) through e);
  if e.points = 1 { score 2 to points(e.side, e.seat) after e; score 3 to points(theirs, e.seat); score 4 to points(ours, e.seat) after e; }
}
procedure evening { offer first of seats { | go => score 1 to points(ours, first of seats); } }
";
    let tried = play(book, "plain", "A: go\n");
    assert_eq!(tried.complaint(), "");
    // 1 (before 0, through 1), 2 (1, 3), 4 (3, 7), then theirs: 3 (ours before: 7; theirs through: 3).
    assert_eq!(tried.fact("told"), &Value::Number((((1 + 10) * 100 + 2 + 1 + 30) * 100 + 4 + 3 + 70) * 100 + 3 + 7 + 30));
}

#[test]
fn entries_of_one_life_are_bounded() {
    let book = |times: usize| {
        format!(
            "
rulebook endless follows none;
seats 2;
tally points per evening under early, late;
signal counted(e: entry of points);
procedure evening {{ offer first of seats {{ | go => {{ repeat {times} times {{ score 1 to points under late; }} close early of points; }} }} }}
"
        )
    };
    let within = play(&book(10_000), "endless", "A: go\n");
    assert_eq!((within.complaint().as_str(), within.tally("points").first()), ("", Some(&10_000)));
    let beyond = play(&book(10_001), "endless", "A: go\n");
    assert_eq!(beyond.complaint(), "play cannot go on, in `evening`: the tally `points` has more than 10000 entries");
}
