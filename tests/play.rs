//! Records played: what a reader is told, what stands in the way, and that chance replays to the same end.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

mod cli_support;

use std::fs;

use cli_support::{Ran, hoyle, hoyle_reading, table};
use hoyle::engine::random::{Dice, Manner, play, roles};
use hoyle::engine::replay::replay;
use hoyle::engine::{Game, Mode, Words, opening};
use hoyle::rules::{Catalog, Rulebook, Selection};
use hoyle::syntax::record::record;
use hoyle::syntax::sheet::Sheet;

const WHIST: &str = include_str!("spec/whist-fixture.hoyle");

fn whist() -> Rulebook {
    let mut catalog = Catalog::embedded();
    catalog.add("whist-fixture.hoyle", WHIST);
    catalog.load(&Selection::of("whist-fixture")).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// Plays at random, writes it down, reads that, plays it again: whether both end alike.
fn replays(rulebook: &Rulebook, game: &Game, seats: i64, seed: u64, irregular: u32) -> usize {
    let words = Words::new(rulebook, &game.program);
    let head = format!("seats {seats}\n");
    let (written, _) = record(hoyle::source::FileId(0), &head);
    let (mut setup, _) = opening(&words, &Sheet::of(&written).0).unwrap();
    let mut dice = Dice::new(seed);
    let roles = roles(&words, setup.seats, &mut dice);
    setup.roles = roles.iter().map(|(role, _, value)| (*role, value.clone())).collect();
    let played = play(game, &setup, &mut dice, Manner { irregular, most: 400 }).unwrap();
    let lines = roles.iter().map(|(_, line, _)| line.clone()).chain(played.lines.iter().map(|line| line.in_words(&words)));
    let text = lines.fold(head, |text, line| text + &line + "\n");
    let (written, faults) = record(hoyle::source::FileId(0), &text);
    assert_eq!(faults, [], "seed {seed}:\n{text}");
    let (sheet, faults) = Sheet::of(&written);
    assert_eq!(faults, [], "seed {seed}:\n{text}");
    let again = replay(game, &words, &sheet, Mode::Adjudicate);
    let complaints: Vec<_> = again.faults.iter().filter(|fault| fault.is_error()).collect();
    let stopped = matches!(played.state.stop(), hoyle::engine::Stop::NeedsRuling(_) | hoyle::engine::Stop::Stuck(_));
    assert!(complaints.is_empty() || stopped, "seed {seed}: {complaints:?}\n{text}");
    assert!(stopped || again.steps.last().unwrap().state == played.state, "seed {seed} ends otherwise:\n{text}");
    played.lines.len()
}

#[test]
fn chance_replays_to_the_same_end() {
    let rulebook = whist();
    let game = Game::new(rulebook.table.clone().unwrap());
    for seed in 0..40 {
        replays(&rulebook, &game, 4, seed, 0);
        replays(&rulebook, &game, 4, seed, 30);
    }
}

#[test]
fn chance_at_nap_replays_to_the_same_end() {
    let nap = Catalog::embedded().load(&Selection::of("hoffmann-nap")).unwrap_or_else(|faults| panic!("{faults:?}"));
    let game = Game::new(nap.table.clone().unwrap());
    for seed in 0..10 {
        replays(&nap, &game, 3 + i64::try_from(seed % 3).unwrap(), seed, 0);
        replays(&nap, &game, 4, seed, 15);
    }
}

// ---------------------------------------------------------------------------------------------- the command

/// A directory with the fixture and a record in it.
fn with(record: &str) -> tempfile::TempDir {
    let dir = table();
    fs::write(dir.path().join("whist.hoyle"), WHIST).unwrap();
    fs::write(dir.path().join("a.record"), record).unwrap();
    dir
}

fn run(record: &str, more: &[&str]) -> Ran {
    let dir = with(record);
    hoyle(dir.path(), &[&["play", "whist.hoyle", "a.record"], more].concat())
}

const TRICK: &str = "\
# The first trick, and a revoke in the second.
dealer A
deal B: Kh 4h 2c
deal C: 2h 3c 9s
deal D: Ah 5h 7d
deal A: 3h 8d 6h 2s 3s 4s 5s 6s 7s 8s Ts Js Th
B: play Kh
C: play 2h
D: play Ah
A: play 3h
D: play 7d
A: play 6h ! revoke
B: play 4h
C: play 3c
D: claims-revoke against A
";

#[test]
fn a_trick_and_a_revoke_are_told() {
    let ran = run(TRICK, &[]);
    insta::assert_snapshot!(format!("{}\n--\n{}", ran.out, ran.err));
}

#[test]
fn a_position_is_shown() {
    let ran = run(TRICK, &["--at", "5"]);
    insta::assert_snapshot!(format!("{}\n--\n{}", ran.out, ran.err));
}

#[test]
fn an_irregular_act_is_refused_where_the_mode_prevents_it() {
    let ran = run(TRICK, &["--mode", "prevent"]);
    insta::assert_snapshot!(format!("{}\n--\n{}", ran.out, ran.err));
}

#[test]
fn a_record_may_come_from_elsewhere() {
    let dir = with(TRICK);
    let told = hoyle(dir.path(), &["play", "whist.hoyle", "a.record"]);
    assert_eq!(hoyle_reading(dir.path(), &["play", "whist.hoyle", "-"], TRICK).out, told.out);
    let yaml = "\
start: {dealer: A}
deal: {A: \"3h 8d 6h 2s 3s 4s 5s 6s 7s 8s Ts Js Th\", B: \"Kh 4h 2c\", C: \"2h 3c 9s\", D: \"Ah 5h 7d\"}
steps:
  - {do: \"B: play Kh\"}
  - {do: \"C: play 2h\"}
  - {do: \"D: play Ah\"}
  - {do: \"A: play 3h\"}
  - {do: \"D: play 7d\"}
  - {do: \"A: play 6h ! revoke\"}
  - \"B: play 4h\"
  - \"C: play 3c\"
  - \"D: claims-revoke against A\"
";
    fs::write(dir.path().join("a.yaml"), yaml).unwrap();
    let ran = hoyle(dir.path(), &["play", "whist.hoyle", "a.yaml"]);
    assert_eq!((ran.out, ran.err), (told.out, String::new()));
}

#[test]
fn what_stands_in_the_way_is_told_in_its_place() {
    let start = "dealer A\ndeal B: Kh 4h 2c\n";
    let wrong = [
        ("a syntax", "dealer A\nB play Kh\n"),
        ("an unknown act", "dealer A\nB: plays Kh\n"),
        ("an unknown breach", "dealer A\nB: play Kh ! revok\n"),
        ("an unknown card", "dealer A\nB: play Xh\n"),
        ("a missing card", "dealer A\nB: play\n"),
        ("a seat that nobody has", "dealer A\nE: play Kh\n"),
        ("a dealer that nobody is", "dealer F\nB: play Kh\n"),
        ("too many seats", "seats 5\ndealer A\n"),
        ("an unknown role", "role banker A\n"),
        ("an unknown procedure", "start gaem\n"),
        ("a card twice", "dealer A\ndeal B: Kh Kh\n"),
        ("a card in two hands", "dealer A\ndeal B: Kh\ndeal C: Kh\n"),
        ("an offer in the way", &format!("{start}C: play 2h\n")),
        ("a card of another", &format!("{start}deal C: 2h\nB: play 2h\n")),
        ("an irregular act", &format!("{start}deal C: 2h 3c\nB: play Kh\nC: play 3c\n")),
        ("a regular act marked", "dealer A\ndeal B: Kh 4h 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc\nB: play Kh ! revoke\n"),
        ("a pin to the future", &format!("{start}B: play Kh after 3\n")),
        ("a pin to an earlier stop", &format!("{start}B: play Kh\nC: play 2h after 0\n")),
        ("no dealer", "B: play Kh\n"),
        ("a tally that begins anew", "dealer A\ngiven points north-south = 3\n"),
        ("an unknown holding", "dealer A\ngiven stack A = 3\n"),
        ("an unknown question", "dealer A\nagree trump = hearts\n"),
        ("a wrong answer", "dealer A\nagree trumps = stars\n"),
        ("another rulebook", "rulebook nap\ndealer A\n"),
        ("an order too many", &format!("{start}B: play Kh\ndeck: Ah\n")),
    ];
    let mut told = String::new();
    for (what, record) in wrong {
        let ran = run(record, &[]);
        assert_ne!(ran.err, "", "{what} is not complained of:\n{}", ran.out);
        told += &format!("== {what} ({})\n{}\n", ran.code, ran.err);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn files_that_are_not_there_are_named() {
    let dir = with("dealer A\n");
    for (asked, code, says) in [
        (&["play", "whist.hoyle", "none.record"][..], 3, "`none.record` cannot be read"),
        (&["play", "none.hoyle", "a.record"], 3, "`none.hoyle` cannot be read"),
        (&["play", "hoffmann-draw", "a.record"], 2, "no-table"),
        (&["play", "whist.hoyle", "a.record", "--at", "7"], 2, "none with the number 7"),
        (&["deal", "hoffmann-draw", "--seed", "1"], 2, "no-table"),
        (&["deal", "whist.hoyle", "--seed", "1", "--seats", "5"], 2, "5 cannot sit at this table"),
    ] {
        let ran = hoyle(dir.path(), asked);
        assert_eq!(ran.code, code, "{asked:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{asked:?}:\n{}", ran.err);
    }
}

#[test]
fn a_random_record_is_the_same_for_ever() {
    let dir = with("");
    let dealt = hoyle(dir.path(), &["deal", "whist.hoyle", "--seed", "3", "--irregular", "40", "--most", "30"]);
    insta::assert_snapshot!(dealt.out);
    fs::write(dir.path().join("b.record"), &dealt.out).unwrap();
    let ran = hoyle(dir.path(), &["play", "whist.hoyle", "b.record"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let result = |text: &str, mark: &str| -> Vec<String> {
        let tail: Vec<&str> = text.lines().rev().take_while(|line| !line.is_empty()).collect();
        tail.into_iter().rev().filter_map(|line| line.strip_prefix(mark)).map(str::to_owned).collect()
    };
    let wanted: Vec<String> = dealt.out.lines().filter_map(|line| line.strip_prefix("# ")).skip(1).map(str::to_owned).collect();
    assert_eq!(result(&ran.out, ""), wanted);
}

#[test]
fn no_record_makes_it_panic_or_hang() {
    for text in [
        "\u{0}",
        "deck:",
        "deck: ? ? ?",
        "A: play A A A A A",
        "agree = ",
        "given won A = 1\ndealer A\nB: play ?\nC: play ? ? ?",
        "start one-trick A\nA: play Ah",
    ] {
        let ran = run(text, &[]);
        assert!([0, 2].contains(&ran.code), "{text}: {}", ran.err);
    }
}

// ---------------------------------------------------------------------------------------------- found by trying to break it

/// A rulebook of one procedure, `main`, and a record with two seats.
fn small(declared: &str, main: &str) -> Ran {
    let dir = table();
    let head = "rulebook small follows none;\nuse cards;\nseats 2;\npieces one card of each rank, suit;\nplace pack, at start;\n";
    let book = format!("{head}place hand of seat, seen by all;\nfact n: number = 0 per main;\n{declared}\nprocedure main {{ {main} }}\n");
    fs::write(dir.path().join("small.hoyle"), book).unwrap();
    fs::write(dir.path().join("a.record"), "seats 2\n").unwrap();
    hoyle(dir.path(), &["play", "small.hoyle", "a.record"])
}

#[test]
fn what_runs_away_is_stopped() {
    let ring = "question q(n: number) -> number;\nrule a on q { is q(n + 1) + 1; }";
    let pair = "question q -> number;\nquestion r -> number;\nrule a on q { is r + r; }\nrule b on r { is q + q; }";
    let deep: String = (0..3000).map(|n| format!("def d{n}(x: number) = d{}(x) + 1;\n", n + 1)).collect();
    let deep = deep + "def d3000(x: number) = x;";
    let any: String = ["a", "b", "c", "d", "e"].iter().map(|name| format!("any {name} in hand(first of seats): ")).collect();
    let endless = format!("move pack to hand(first of seats); n := if {any} a = b and a <> b then 1 else 0;");
    let chain: String = (0..3000).map(|n| format!("procedure p{n} {{ p{}(); }}\n", n + 1)).collect();
    let chain = chain + "procedure p3000 { pause; }";
    let cases = [
        (ring, "n := q(0);", "1000 expressions are worked out within one another"),
        (pair, "n := q;", "1000 expressions are worked out within one another"),
        (deep.as_str(), "n := d0(0);", "more than 64 deep"),
        ("", endless.as_str(), "10000000 expressions are worked out"),
        (chain.as_str(), "p0();", "more than 128 procedures"),
    ];
    for (declared, main, says) in cases {
        let ran = small(declared, main);
        assert!(ran.code != 0 && ran.err.contains(says), "{main}: {}", ran.err);
    }
}

#[test]
fn a_question_may_have_many_rules() {
    let rules: String = (0..300).map(|n| format!("rule r{n} on q {{ when count(pack) = {n}; is {n}; }}\n")).collect();
    let ran = small(&format!("question q -> number;\n{rules}rule other on q replaces r52 {{ when count(pack) = 52; is 7; }}"), "n := q;");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("q = 7") && ran.out.contains("r52 gave way to other"), "{}", ran.out);
}

#[test]
fn all_of_a_joint_account_is_every_share() {
    let declared = "account purse of seat, may owe;\naccount pot by seat;";
    let fed = "each p in seats { pay 2 from purse(p) to pot(p); } pay 1 from purse(first of seats) to pot;";
    for (paid, left) in [("pay all from pot", ""), ("pay pot from pot", ""), ("pay all from pot(nobody)", "pot of A: 2\npot of B: 2\n")] {
        let ran = small(declared, &format!("{fed} {paid} to purse(last of seats);"));
        let purses = if left.is_empty() { "purse of A: -3\npurse of B: 3\n" } else { "purse of A: -3\npurse of B: -1\n" };
        assert!(ran.out.ends_with(&format!("play is over\n{purses}{left}")), "{paid}:\n{}{}", ran.out, ran.err);
    }
}

#[test]
fn a_dealt_record_says_under_which_settings() {
    let dir = table();
    let dealt = hoyle(
        dir.path(),
        &["deal", "hoffmann-nap", "--seed", "5", "--seats", "3", "--start", "round", "--choose", "form=purchase", "--set", "price=3"],
    );
    assert!(dealt.out.contains("\nset price = 3\nchoose form = purchase\nseats 3\n"), "{}", dealt.out);
    fs::write(dir.path().join("b.record"), &dealt.out).unwrap();
    let ran = hoyle(dir.path(), &["play", "hoffmann-nap", "b.record"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

const NAP: &str = "seats 4\nstart round\ndealer D\ndeal A: As Ks 4h 3h 2h\ndeal B: Ah Kh 4c 9d 2d\ndeal C: 5c 6c 7c 8h 9h\ndeal D: Kc Qc Jc 8d 7d\n\
    A: call three\nB: call pass\nC: call pass\nD: call pass\nA: play 4h\n";

fn at_nap(more: &str) -> Ran {
    let dir = table();
    fs::write(dir.path().join("a.record"), format!("{NAP}{more}")).unwrap();
    hoyle(dir.path(), &["play", "hoffmann-nap", "a.record"])
}

#[test]
fn a_card_out_of_turn_may_be_a_revoke_as_well() {
    let ran = at_nap("C: play 5c ! out-of-turn\nA: claims-revoke against C\n");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("play is void for revoke"), "{}", ran.out);
    let ran = at_nap("C: play 8h ! out-of-turn\nA: claims-revoke against C\n");
    assert!(ran.out.contains("ruling: silent, claims-revoke C A"), "{}", ran.out);
}

#[test]
fn the_right_number_is_no_wrong_number() {
    assert_eq!(at_nap("C: wrong-number 5\n").code, 2);
    assert_eq!(at_nap("A: wrong-number 4\n").code, 2);
    assert_eq!(at_nap("A: wrong-number 5\n").code, 0);
}
