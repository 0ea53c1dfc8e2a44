//! Groups and runs, keys and classes of hands, rankings as values, and hands of which not every card is known. Clauses 3.12, 6.7 and 7.12.
//!
//! Every expectation is worked out by hand. A rank counts as its place from two upwards: two is 1, jack is 10, ace is 13.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on shall stop"
)]

use hoyle::engine::{Game, NoOrders, Outcome, Setup, State, UNSEEN, Value, Words, answer, start};
use hoyle::rules::table::program::Type;
use hoyle::rules::{Catalog, Rulebook, Selection};
use hoyle::source::Span;

struct Asked {
    rulebook: Rulebook,
    game: Game,
    state: State,
}

fn open(choose: &[(&str, &str)], set: &[(&str, &str)]) -> Asked {
    amended(&[], choose, set)
}

fn amended(with: &[&str], choose: &[(&str, &str)], set: &[(&str, &str)]) -> Asked {
    let mut catalog = Catalog::embedded();
    catalog.add("hands.hoyle", include_str!("hands/hands.hoyle"));
    let mut selection = Selection::of("hands");
    let pairs = |all: &[(&str, &str)]| all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    (selection.choose, selection.set) = (pairs(choose), pairs(set));
    selection.with = with.iter().map(|name| (*name).to_owned()).collect();
    let rulebook = catalog.load(&selection).unwrap_or_else(|faults| panic!("{faults:?}"));
    let game = Game::new(rulebook.table.clone().unwrap_or_else(|| panic!("{:?}", rulebook.table_faults)));
    let setup = Setup { seats: 2, procedure: 0, arguments: Vec::new().into(), roles: Vec::new(), held: Vec::new() };
    let state = start(&game, &setup, &mut NoOrders, None);
    Asked { rulebook, game, state }
}

impl Asked {
    /// A hand as it is written; each `?` is another piece that nobody has seen.
    fn hand(&self, text: &str) -> Value {
        let mut unseen = UNSEEN;
        let piece = |word: &str| {
            if word == "?" {
                unseen += 1;
                return unseen;
            }
            let read = self.rulebook.read_card(word, Span::default()).unwrap();
            let hoyle::rules::Card::Held(held) = read else { panic!("{word}") };
            let found = self.game.program.pieces.iter().position(|piece| piece.face == usize::from(held.piece)).unwrap();
            u8::try_from(found).unwrap()
        };
        Value::Pieces(text.split_whitespace().map(piece).collect())
    }

    fn argument(&self, kind: &Type, text: &str) -> Value {
        match kind {
            Type::Number => Value::Number(text.parse().unwrap()),
            Type::Member(kind) => {
                let names = &self.game.program.kinds[*kind].members;
                Value::Member(u8::try_from(names.iter().position(|name| name == text).unwrap()).unwrap())
            }
            _ => self.hand(text),
        }
    }

    /// The answer in words.
    fn ask(&self, question: &str, arguments: &[&str]) -> String {
        let id = self.game.question(question).unwrap();
        let asked = &self.game.program.questions[id];
        assert_eq!(asked.parameters.len(), arguments.len(), "{question}");
        let arguments: Vec<Value> = asked.parameters.iter().zip(arguments).map(|((_, kind), text)| self.argument(kind, text)).collect();
        let ruling = answer(&self.game, &self.state, id, &arguments).unwrap_or_else(|trouble| panic!("{question}: {trouble:?}"));
        match &ruling.outcome {
            Outcome::Value(value) => Words::new(&self.rulebook, &self.game.program).value(value, &asked.answer),
            Outcome::Unknown(_) => "unknown".to_owned(),
            other => panic!("{question}: {other:?}"),
        }
    }
}

/// The twelve cards that Hoffmann's elder hand plays: A K Q J 10 of spades, 9 8 7 of hearts, K Q J of clubs, A of diamonds.
const TWELVE: &str = "As Ks Qs Js Ts 9h 8h 7h Kc Qc Jc Ad";

#[test]
fn groups_are_listed_by_value_and_keep_the_order_of_the_pieces() {
    let table = open(&[], &[]);
    assert_eq!(table.ask("sets-in", &["point", TWELVE]), "[ Jc Qc Kc, Ad, 7h 8h 9h, Ts Js Qs Ks As ]");
    // Three of a rank, from ten up: there are none.
    assert_eq!(table.ask("sets-in", &["quatorze", TWELVE]), "[ ]");
    assert_eq!(table.ask("sets-in", &["quatorze", "Kc Kd Kh Ks Qc Qd Qh 9c 9d 9h Ac Ad"]), "[ Qc Qd Qh, Kc Kd Kh Ks ]");
    assert_eq!(table.ask("all-groups", &["9c Ac 2d 9d"]), "[ 2d, 9c 9d, Ac ]");
    assert_eq!(table.ask("all-groups", &[""]), "[ ]");
}

#[test]
fn runs_are_the_longest_there_are() {
    let table = open(&[], &[]);
    assert_eq!(table.ask("sets-in", &["sequence", TWELVE]), "[ Jc Qc Kc, 7h 8h 9h, Ts Js Qs Ks As ]");
    // Within a suit nothing is broken by another suit, and a gap breaks it.
    assert_eq!(table.ask("sets-in", &["sequence", "7s 8s 9s Js Qs Ks Th 9h 7h"]), "[ 7s 8s 9s, Js Qs Ks ]");
    // Both sevens belong to the run, whose length is three values all the same.
    assert_eq!(table.ask("any-runs", &["7s 7h 8d 9c Kc", "3"]), "[ 7h 7s 8d 9c ]");
    assert_eq!(table.ask("any-runs", &["7s 7h 8d 9c Kc", "4"]), "[ ]");
    assert_eq!(table.ask("any-runs", &["7s Kc", "1"]), "[ 7s, Kc ]");
}

#[test]
fn what_also_stands_lowest_begins_a_run_and_ends_another() {
    let table = open(&[], &[]);
    assert_eq!(table.ask("low-runs", &["Ac 2d 3h Qs Kc"]), "[ 2d 3h Ac, Qs Kc Ac ]");
    // A run that another holds is not the longest: the ace alone in its upper place.
    assert_eq!(table.ask("low-runs", &["Ac 2d 9s"]), "[ 2d Ac ]");
    // In `rank` it stands above the king only.
    assert_eq!(table.ask("any-runs", &["Ac 2d 3h", "2"]), "[ 2d 3h ]");
}

#[test]
fn keys_of_the_three_items() {
    let table = open(&[], &[]);
    // Five cards; ten, ten, ten, ten and eleven.
    assert_eq!(table.ask("keys-of", &["point", "Ts Js Qs Ks As"]), "[ 5, 51 ]");
    assert_eq!(table.ask("keys-of", &["point", "7h 8h 9h"]), "[ 3, 24 ]");
    assert_eq!(table.ask("keys-of", &["sequence", "7h 8h 9h"]), "[ 3, 8 ]");
    assert_eq!(table.ask("keys-of", &["quatorze", "Kc Kd Kh Ks"]), "[ 4, 12 ]");
    assert_eq!(table.ask("first-keys", &["point", "Ts Js Qs Ks As", "1"]), "[ 5 ]");
    assert_eq!(table.ask("first-keys", &["point", "Ts Js Qs Ks As", "9"]), "[ 5, 51 ]");
    assert_eq!(table.ask("first-keys", &["point", "Ts Js Qs Ks As", "0"]), "[ ]");
}

#[test]
fn the_common_part_of_two_lists_is_compared() {
    let table = open(&[], &[]);
    // Both have four cards; 41 pips against 38.
    let (better, worse) = ("Ts Js Qs As", "Th Jh 9h 8h 7h");
    assert_eq!(table.ask("answer-to", &["point", better, worse, "1"]), "below");
    let worse = "Th Jh Qh 8h";
    assert_eq!(table.ask("answer-to", &["point", better, worse, "1"]), "level");
    assert_eq!(table.ask("answer-to", &["point", better, worse, "2"]), "above");
    assert_eq!(table.ask("answer-to", &["point", worse, better, "2"]), "below");
    assert_eq!(table.ask("answer-to", &["point", worse, better, "0"]), "level");
}

#[test]
fn a_question_answers_a_ranking() {
    let table = open(&[], &[]);
    assert_eq!(table.ask("which-order", &["point"]), "by-point");
    assert_eq!(table.ask("same-order", &["point", "point"]), "yes");
    assert_eq!(table.ask("same-order", &["point", "sequence"]), "no");
    // The quint is the best; of the tierces the one to the king beats the one to the nine.
    assert_eq!(table.ask("best-of", &["sequence", TWELVE]), "[ Ts Js Qs Ks As ]");
    assert_eq!(table.ask("best-of", &["sequence", "Jc Qc Kc 7h 8h 9h"]), "[ Jc Qc Kc ]");
    // Two that are level are both the best, in the order of the list.
    assert_eq!(table.ask("best-of", &["sequence", "7c 8c 9c 7h 8h 9h"]), "[ 7c 8c 9c, 7h 8h 9h ]");
    assert_eq!(table.ask("best-of", &["quatorze", TWELVE]), "[ ]");
}

#[test]
fn a_class_is_a_value_in_the_order_of_its_ranking() {
    let table = open(&[], &[]);
    for (hand, class, worth, high) in [
        ("Ks Kd 5c 5h 2s", "two-pairs", "2", "no"),
        ("Ks Kd 5c 4h 2s", "one-pair", "1", "no"),
        ("Ks Qd 5c 4h 2s", "high-card", "0", "no"),
        ("Ks Qs 5s 4s 2s", "flush", "2", "yes"),
        ("Ks Kd Kc Kh 2s", "fours", "2", "yes"),
        ("5s 4d 3c 2h As", "straight", "2", "no"),
    ] {
        assert_eq!(table.ask("class-held", &[hand]), class);
        assert_eq!(table.ask("worth", &[hand]), worth, "{hand}");
        assert_eq!(table.ask("is-high", &[hand]), high, "{hand}");
        assert_eq!(table.ask("not-lower", &[hand]), high, "{hand}");
    }
    // A hand of four cards is not compared: it has no class, no keys, and reaches nothing.
    assert_eq!(table.ask("class-held", &["Ks Kd Kc Kh"]), "none");
    assert_eq!(table.ask("poker-keys", &["Ks Kd Kc Kh"]), "[ ]");
    assert_eq!(table.ask("is-high", &["Ks Kd Kc Kh"]), "no");
}

#[test]
fn an_option_turns_the_order_and_the_keys_round() {
    let table = open(&[("pairs", "above"), ("lowball", "reversed")], &[]);
    // Two pairs stand above the flush, which the high hand is.
    assert_eq!(table.ask("is-high", &["Ks Kd 5c 5h 2s"]), "yes");
    assert_eq!(table.ask("not-lower", &["Ks Kd 5c 5h 2s"]), "yes");
    assert_eq!(table.ask("is-high", &["5s 4d 3c 2h As"]), "no");
    // Among nothing the lower hand wins, so that what it counts is below zero.
    assert_eq!(table.ask("poker-keys", &["9s 7d 5c 4h 2s"]), "[ -8, -6, -4, -3, -1 ]");
    assert_eq!(table.ask("winners", &["9s 7d 5c 4h 2s", "Ts 7h 5d 4c 2c"]), "{ A }");
    assert_eq!(table.ask("low-enough", &["9s 7d 5c 4h 2s"]), "yes");
    assert_eq!(table.ask("low-enough", &["Qs 7d 5c 4h 2s"]), "no");
    let table = open(&[], &[("high-hand", "one-pair"), ("needed", "king")]);
    assert_eq!(table.ask("is-high", &["5s 5d 3c 2h As"]), "yes");
    assert_eq!(table.ask("opens", &["Qs Qd 3c 2h As"]), "no");
    assert_eq!(table.ask("low-enough", &["9s 7d 5c 4h 2s"]), "no");
}

#[test]
fn a_class_that_is_not_in_use_stands_where_the_edges_put_it() {
    let table = open(&[("suited-hands", "not-played")], &[]);
    // Of one suit only: nothing. A straight is below where the flush would be, a full hand above.
    for (hand, high) in [("Ks Qs 5s 4s 2s", "no"), ("5s 4d 3c 2h As", "no"), ("Ks Kd Kc 2h 2s", "yes"), ("Ks Kd Kc Kh 2s", "yes")] {
        assert_eq!(table.ask("is-high", &[hand]), high, "{hand}");
        assert_eq!(table.ask("not-lower", &[hand]), high, "{hand}");
        assert_eq!(table.ask("flushes", &[hand]), high, "{hand}");
    }
}

#[test]
fn an_amendment_changes_what_a_hand_reaches() {
    let wheel = "5s 4d 3c 2h As";
    assert_eq!(open(&[], &[]).ask("class-held", &[wheel]), "straight");
    assert_eq!(amended(&["wheel-is-nothing"], &[], &[]).ask("class-held", &[wheel]), "high-card");
    let table = amended(&["no-straights"], &[], &[("high-hand", "straight")]);
    // Nothing beats a class that is gone with its edges, and nobody has it.
    assert_eq!(table.ask("is-high", &["Ks Kd Kc Kh 2s"]), "no");
    assert_eq!(table.ask("not-lower", &["Ks Kd Kc Kh 2s"]), "no");
    assert_eq!(table.ask("class-held", &["9s 8d 7c 6h 5s"]), "high-card");
}

#[test]
fn keys_of_a_class_are_one_list() {
    let table = open(&[], &[]);
    assert_eq!(table.ask("poker-keys", &["Ks Kd 5c 5h 2s"]), "[ 12, 4, 1 ]");
    assert_eq!(table.ask("poker-keys", &["Ks Qd 5c 4h 2s"]), "[ 12, 11, 4, 3, 1 ]");
    // The wheel: the five is its top.
    assert_eq!(table.ask("poker-keys", &["5s 4d 3c 2h As"]), "[ 4 ]");
}

#[test]
fn hands_are_compared_along_a_ranking() {
    let table = open(&[], &[]);
    assert_eq!(table.ask("winners", &["Ks Kd 5c 5h 2s", "Ac Qd 9s 7h 2d"]), "{ A }");
    assert_eq!(table.ask("winners", &["Ks Kd 5c 5h 2s", "Kc Kh 5d 5s 2d"]), "{ A, B }");
    assert_eq!(table.ask("best-hands", &["Ks Kd 5c 5h 2s", "Kc Kh 5d 5s 3d"]), "[ 3d 5d 5s Kc Kh ]");
    assert_eq!(table.ask("lowest-of", &["Ks Kd 5c 5h 2s", "Kc Kh 5d 5s 3d"]), "[ 2s 5c 5h Kd Ks ]");
    // What is not ranked is neither highest nor lowest.
    assert_eq!(table.ask("winners", &["Ks Kd Kc", "2c 3d 5s 7h 9d"]), "{ B }");
    assert_eq!(table.ask("winners", &["Ks Kd Kc", "2c 3d"]), "[ ]");
}

#[test]
fn a_ranking_with_parameters_ranks_hands() {
    let table = open(&[], &[]);
    assert_eq!(table.ask("suited-keys", &["Ks 9s", "spades"]), "[ 12, 8 ]");
    assert_eq!(table.ask("suited-class", &["Ks 9s", "spades"]), "yes");
    assert_eq!(table.ask("suited-class", &["Ks 9s", "hearts"]), "no");
}

#[test]
fn what_every_hand_reaches_that_it_may_be_is_reached() {
    let table = open(&[], &[]);
    for (hand, opens) in [
        // Whatever the other three are, kings are jacks or better.
        ("Ks Kd ? ? ?", "yes"),
        ("2s 3d ? ? ?", "unknown"),
        ("2s 2d ? ? ?", "unknown"),
        // One card cannot make two pairs, a run, a flush, threes or a pair of jacks of these.
        ("2s 3d 5h 7c ?", "no"),
        ("2s 3d 5h Jc ?", "unknown"),
        // A four makes a run of five, and a four is not seen.
        ("2s 3d 5h 6c ?", "unknown"),
        ("Tc Td ? ? ?", "unknown"),
        ("Ts Td 9h 9c ?", "yes"),
        ("? ? ? ? ?", "unknown"),
    ] {
        assert_eq!(table.ask("opens", &[hand]), opens, "{hand}");
    }
    for (hand, flushes) in [("2s 3d ? ? ?", "unknown"), ("2s 3d 4h ? ?", "no"), ("2s 3s 4s 5s ?", "unknown"), ("2s 2d 2h 2c ?", "yes")] {
        assert_eq!(table.ask("flushes", &[hand]), flushes, "{hand}");
    }
    // Four are not compared, whatever they are.
    assert_eq!(table.ask("opens", &["Ks Kd ? ?"]), "no");
}

#[test]
fn keys_and_classes_of_hands_that_are_partly_unknown() {
    let table = open(&[], &[]);
    assert_eq!(table.ask("class-held", &["2s 2d 2h 2c ?"]), "fours");
    assert_eq!(table.ask("class-held", &["2s 2d 2h 3c ?"]), "unknown");
    assert_eq!(table.ask("poker-keys", &["2s 2d 2h 2c ?"]), "unknown");
    // How many there are is known of every card.
    assert_eq!(table.ask("first-keys", &["point", "7s 8s ? ? ? ? ?", "1"]), "[ 7 ]");
    assert_eq!(table.ask("first-keys", &["point", "7s 8s ? ? ? ? ?", "2"]), "unknown");
    assert_eq!(table.ask("keys-of", &["sequence", "As ?"]), "[ 2, 13 ]");
    assert_eq!(table.ask("keys-of", &["sequence", "Ks ?"]), "unknown");
    assert_eq!(table.ask("winners", &["Ks Kd Kh Kc ?", "As Ad 2h ? ?"]), "unknown");
    assert_eq!(table.ask("winners", &["Ks Kd Kh Kc ?", "As Ad 2h 3c ?"]), "{ A }");
    assert_eq!(table.ask("winners", &["2s 3d 4h 6c ?", "As Ad Ac 3c ?"]), "unknown");
    assert_eq!(table.ask("winners", &["2s 3d 4h 7c ?", "As Ad Ac 3c ?"]), "{ B }");
    assert_eq!(table.ask("sets-in", &["point", "7s ?"]), "unknown");
    // Two cards are no three, whatever they are.
    assert_eq!(table.ask("sets-in", &["sequence", "7s ?"]), "[ ]");
}

#[test]
fn a_table_says_what_plain_evaluation_says() {
    // Enough hands that a table is made on the way: the first are compared plainly.
    let table = open(&[], &[]);
    let fresh = |hand: &str| open(&[], &[]).ask("opens", &[hand]);
    let hands = ["Js Jd 2c 3h 4s", "Ts Td 2c 3h 4s", "Js 9s 8s 4s 2s", "Ks Kd ? ? ?", "As Qd 9h 7c 2s", "Qs Qd 9h 7c 2s"];
    let first: Vec<String> = hands.iter().map(|hand| fresh(hand)).collect();
    assert_eq!(first, ["yes", "no", "yes", "yes", "no", "yes"]);
    for _ in 0..60 {
        let again: Vec<String> = hands.iter().map(|hand| table.ask("opens", &[hand])).collect();
        assert_eq!(again, first);
    }
}
