//! What people write down about cards, and what they get wrong.

use proptest::prelude::*;

use super::*;
use crate::diagnostic::render::plain;
use crate::source::Sources;

fn cards(text: &str) -> Vec<String> {
    let (hand, faults) = hand(FileId(0), text);
    assert_eq!(faults, [], "{text}");
    hand.unwrap().cards.iter().map(|card| format!("{:?}", card.it)).collect()
}

#[test]
fn cards_are_read_in_every_way_of_writing() {
    let ways = ["Ah 10h K♠ Jk ? Jk=Kh", "Ah,10h, K♠ Jk,? Jk = Kh,", " Ah\n10h\tK♠ , Jk ? Jk=Kh "];
    for way in ways {
        assert_eq!(cards(way), cards(ways[0]), "{way}");
    }
    assert_eq!(cards("the ace of hearts, ten of clubs"), cards("ace of hearts ten of clubs"));
    assert_eq!(cards("Jk=king of hearts ?").len(), 2);
    assert_eq!(cards("").len(), 0);
    let (written, _) = hand(FileId(0), "Jk=the king of hearts");
    let called = Some(Written::Phrase("king".to_owned(), "hearts".to_owned()));
    assert_eq!(written.unwrap().cards[0].it, WrittenCard { written: Written::Compact("Jk".to_owned()), called });
}

const RECORD: &str = "\
# A record.
rulebook foster-draw
house rose-lane
with southern
set limit = if a then 20 else (1 + 2) * 3
choose joker = out   # a comment

start one-trick A
dealer A
role banker B
seats 4
given stack A = 12
given won B, north-south = 3
given turned = the ace of hearts
deal A: Ts 6s Ac Kd 5d
deal B:
deck: As, the king of hearts, Jk=Kh, ?
stock: 2c 3c
B: pass
C: bid three
A: raise 5
A: play 5d ! revoke
C: claims-revoke against A
table: exposed Ah B after 12
A: play the ace of hearts ! misdeal after 3
A: discard 5d, 6d 7d
agree who-deals = B
agree pays A, B 3 = 12
";

#[test]
fn every_line_of_a_record_is_read_and_printed() {
    let (tree, faults) = record(FileId(0), RECORD);
    assert_eq!(faults, []);
    let lines = RECORD.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count();
    assert_eq!(tree.lines.len(), lines);
    insta::assert_snapshot!(tree.to_string());
    assert_eq!(record(FileId(0), &tree.to_string()), (tree, vec![]));
}

#[test]
fn a_step_is_one_act_or_agreement() {
    let (read, faults) = step(FileId(0), "A: play 5d ! revoke");
    assert_eq!(faults, []);
    let Some(Step::Act(act)) = read else { panic!("no act") };
    assert_eq!((act.by.it, act.act.it.as_str()), (By::Seat(Seat('A')), "play"));
    assert_eq!(act.breach.map(|breach| breach.it), Some("revoke".to_owned()));
    assert!(step(FileId(0), "rulebook foster").0.is_none());
}

#[test]
fn mistakes_are_told_in_their_place() {
    let text = "\
rulbook foster-draw
rulebook Foster
dealer a
seats four
deal A Ts 6s
a: pass
A pass
A: play 5d !
A: play ace of
A: play 5d after noon
table pass
agree who-deals B
choose joker out
set limit =
set limit = 20 20
deck: Ah = = Kh
seats 99999999999999999999
I: pass
J pass
";
    let mut sources = Sources::default();
    let file = sources.add("table.record", text);
    let (tree, faults) = record(file, text);
    assert_eq!(tree.lines.len(), 1, "only the number of seats can be read");
    insta::assert_snapshot!(plain(&faults, &sources));
}

#[test]
fn hostile_records_are_answered_soon() {
    let begin = std::time::Instant::now();
    for piece in ["Ah ", "?", "the ", "of ", "ace of ", "Jk=", ",", "A: ", "A: x ! ", "set a = (", "set a = - ", "\"", "#", "é", "agree a = ", "9"] {
        let line = piece.repeat(60_000 / piece.len());
        let text = format!("{line}\n").repeat(16);
        record(FileId(0), &text);
        hand(FileId(0), &text);
        step(FileId(0), &text);
    }
    assert_eq!(record(FileId(0), &"x".repeat(10_000_000)).1[0].code, Code::TooLarge);
    let many = "A: play the ace of hearts\n".repeat(10_000);
    assert_eq!(record(FileId(0), &many).1, []);
    assert!(begin.elapsed() < std::time::Duration::from_secs(20), "{:?}", begin.elapsed());
}

fn written_card() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        Just("?".to_owned()),
        "[A-Z2-9a-z♥♠♦♣]{1,3}".prop_filter("a word of the grammar", |word| !["of", "the"].contains(&word.as_str())),
        "[a-z]{4,7} of [a-z]{4,7}",
    ];
    (one.clone(), prop::option::of(one)).prop_map(|(card, called)| match called {
        Some(called) if called != "?" => format!("{card}={called}"),
        Some(_) | None => card,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back(cards in prop::collection::vec(written_card(), 0..8), act in "[a-z]{4,8}(-[a-z]{2,4})?", after in prop::option::of(0_u8..9)) {
        let after = after.map_or(String::new(), |after| format!(" after {after}"));
        let text = format!("deck: {}\nA: {act} {}{after}\n", cards.join(", "), cards.join(" "));
        let (tree, faults) = record(FileId(0), &text);
        prop_assert_eq!(&faults, &[], "{}", text);
        prop_assert_eq!(tree.lines.len(), 2);
        prop_assert_eq!(record(FileId(0), &tree.to_string()), (tree, vec![]));
    }

    #[test]
    fn any_text_gets_an_answer(text in "\\PC{0,120}") {
        let mut sources = Sources::default();
        let file = sources.add("any", text.as_str());
        for faults in [record(file, &text).1, hand(file, &text).1, step(file, &text).1] {
            plain(&faults, &sources);
        }
    }
}
