//! What single hands are, what beats what, and how many there are: the definition and the table against figures from outside.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops when something is wrong")]

mod ranking_support;

use std::cmp::Ordering::{self, Equal, Greater, Less};

use hoyle::ranking::*;
use ranking_support::*;

fn class_name(ranking: &Ranking, text: &str) -> String {
    ranking.classes[ranking.stand(&hand(ranking, text)).unwrap().class].name.clone()
}

fn versus(ranking: &Ranking, one: &str, other: &str) -> (Ordering, Decider) {
    let (a, b) = (ranking.stand(&hand(ranking, one)).unwrap(), ranking.stand(&hand(ranking, other)).unwrap());
    if let Ok(table) = ranking.compile() {
        assert_eq!(table.compare(&pieces(ranking, one), &pieces(ranking, other)), a.compare(&b).0, "table on {one} against {other}");
    }
    a.compare(&b)
}

#[test]
fn every_class_has_its_hands() {
    let r = standard(13, 0);
    for (text, class) in [
        ("Th Jh Qh Kh Ah", "royal-flush"),
        ("Ah 2h 3h 4h 5h", "straight-flush"),
        ("9c 9d 9h 9s 2c", "fours"),
        ("9c 9d 9h 2s 2c", "full-hand"),
        ("2h 4h 6h 8h Th", "flush"),
        ("Ac 2d 3h 4s 5c", "straight"),
        ("Tc Jd Qh Ks Ac", "straight"),
        ("9c 9d 9h 2s 3c", "threes"),
        ("9c 9d 2h 2s 3c", "two-pairs"),
        ("9c 9d 2h 4s 3c", "one-pair"),
        ("Qc Kd Ah 2s 3c", "high-card"),
    ] {
        assert_eq!(class_name(&r, text), class, "{text}");
    }
}

#[test]
fn keys_decide_in_their_order() {
    let r = standard(13, 0);
    assert_eq!(versus(&r, "9c 9d 2h 2s 3c", "8c 8d 7h 7s Ac"), (Greater, Decider::Key { key: 0, position: 0 }));
    assert_eq!(versus(&r, "9c 9d 2h 2s 3c", "9h 9s 2d 2c Kc"), (Less, Decider::Key { key: 1, position: 0 }));
    assert_eq!(versus(&r, "9c 9d 2h 4s 3c", "9h 9s 2d 4c 3d"), (Equal, Decider::Level));
    assert_eq!(versus(&r, "Ac 2d 3h 4s 5c", "2c 3d 4h 5s 6c"), (Less, Decider::Key { key: 0, position: 0 }));
    assert_eq!(versus(&r, "Ac Kd 3h 4s 5c", "2c 2d 4h 5s 6c"), (Less, Decider::Class));
    assert_eq!(versus(&r, "2c 2d 2h 3s 3c", "Ac Ad Ah Ks Qc").1, Decider::Class);
    assert_eq!(versus(&r, "Ac Kd Qh 9s 7c", "Ad Kh Qs 9c 8d"), (Less, Decider::Key { key: 0, position: 4 }));
}

#[test]
fn numbers_of_keys_lead_back_to_values() {
    let mut r = standard(13, 1);
    r.classes[9].keys[0].wild_up = true;
    let standing = r.stand(&hand(&r, "9h Jk 8d 7c 4c")).unwrap();
    assert_eq!((standing.class, standing.keys[0][0]), (9, 15));
    assert_eq!(r.value_behind(9, 0, 15), Some((7, true)));
    assert_eq!(r.value_behind(9, 1, -1), None);
}

#[test]
fn house_classes_have_their_hands() {
    let r = eccentric(0);
    for (text, class) in [
        ("Jh Qc Qd Kd Ks", "blaze"),
        ("Ah Qc Qd Kd Ks", "two-pairs"),
        ("2c 3d 4h 5s 7c", "tiger"),
        ("Qs Th 8c 6d 4c", "skip"),
        ("Ad 3c 5h 7s 9d", "skip"),
        ("Qh Kd As 2c 3h", "corner"),
        ("Jh Jd Js Qc Kd", "threes"),
    ] {
        assert_eq!(class_name(&r, text), class, "{text}");
    }
    assert_eq!(versus(&r, "Ad 3c 5h 7s 9d", "2d 4c 6h 8s Td"), (Less, Decider::Key { key: 0, position: 0 }));
}

#[test]
fn the_lowest_hand_wins_where_keys_are_low() {
    let r = lowball();
    assert_eq!(versus(&r, "Ah 2h 3h 4h 5h", "Ac 2d 3h 4s 6c").0, Greater);
    assert_eq!(versus(&r, "Ac Ad 3h 4s 6c", "Kc Qd 3h 4s 6c").0, Less);
    assert_eq!(versus(&r, "Ac Ad 3h 4s 6c", "2c 2d 3h 4s 6h").0, Greater);
}

#[test]
fn a_blank_stands_for_what_is_best_and_says_so() {
    let r = standard(13, 1);
    let standing = r.stand(&hand(&r, "Ah Kh Qh Jk Th")).unwrap();
    assert_eq!((standing.class, &standing.meanings), (1, &vec![(3, pieces(&r, "Jh")[0])]));
    assert_eq!(class_name(&r, "9c 9d 9h 9s Jk"), "fives");
    assert_eq!(class_name(&r, "9c 9d 4h 4s Jk"), "full-hand");
    assert_eq!(class_name(&r, "9c Kd 4h 7s Jk"), "one-pair");
    // It may double: a flush with two aces beats one with ace and king.
    assert_eq!(versus(&r, "Ah 9h 8h 4h Jk", "Ac Kc 8c 4c 2c").0, Greater);
}

#[test]
fn a_blank_that_may_not_double_takes_the_best_that_is_left() {
    let mut r = standard(13, 1);
    r.readings[0].may_double = false;
    assert_eq!(class_name(&r, "9c 9d 9h 9s Jk"), "fours");
    let standing = r.stand(&hand(&r, "Ah 9h 8h 4h Jk")).unwrap();
    assert_eq!(standing.meanings, vec![(4, pieces(&r, "Kh")[0])]);
}

#[test]
fn a_reading_may_serve_some_classes_only() {
    // The bug: an ace, or anything to fill a straight, a flush or a straight flush.
    let mut r = standard(13, 1);
    let straights: Vec<ClassId> =
        (0..r.classes.len()).filter(|c| ["straight", "flush", "straight-flush", "royal-flush"].contains(&&*r.classes[*c].name)).collect();
    r.readings = vec![
        Reading { wild: Wild::Blank(52), stands_for: Some((RANK, vec![12])), into: None, may_double: false },
        Reading { wild: Wild::Blank(52), stands_for: None, into: Some(straights), may_double: false },
    ];
    assert_eq!(class_name(&r, "9c 9d 4h 7s Jk"), "one-pair");
    assert_eq!(class_name(&r, "Ac 9d 4h 7s Jk"), "one-pair");
    assert_eq!(class_name(&r, "5c 6d 7h 9s Jk"), "straight");
    assert_eq!(class_name(&r, "5c 6c 7c Kc Jk"), "flush");
    // Four aces are held and no straight can be made: the bug stands for nothing.
    let standing = r.stand(&hand(&r, "Ac Ad Ah As Jk")).unwrap();
    assert_eq!((r.classes[standing.class].name.as_str(), standing.meanings.len()), ("fours", 0));
    assert_eq!(standing.keys, vec![vec![12], vec![-1]]);
    let table = r.compile().unwrap();
    assert_eq!(table.counts().iter().sum::<u64>(), 2_869_685);
}

#[test]
fn the_holder_names_his_blank_where_he_must() {
    let mut r = standard(13, 1);
    r.named_by_holder = vec![Wild::Blank(52)];
    let mut cards = hand(&r, "9c 9d 4h 4s Jk");
    assert_eq!(r.stand(&cards), Err(Refusal::NotNamed(4)));
    cards[4].called = Some(pieces(&r, "9h")[0]);
    assert_eq!(r.classes[r.stand(&cards).unwrap().class].name, "full-hand");
    cards[4].called = Some(52);
    assert_eq!(r.stand(&cards), Err(Refusal::CalledNotAllowed(4)));
    r.readings[0].may_double = false;
    cards[4].called = Some(pieces(&r, "9c")[0]);
    assert_eq!(r.stand(&cards), Err(Refusal::CalledNotAllowed(4)));
    assert_eq!(r.compile().unwrap_err(), Slow::Named);
}

#[test]
fn impossible_hands_are_refused() {
    let r = standard(13, 0);
    assert_eq!(r.stand(&hand(&r, "9c 9d 4h 4s")), Err(Refusal::WrongSize));
    assert_eq!(r.stand(&hand(&r, "9c 9c 4h 4s 2c")), Err(Refusal::TooManyCopies(pieces(&r, "9c")[0])));
    assert_eq!(r.compile().unwrap().strength(&pieces(&r, "9c 9d 4h 4s")), 0);
}

#[test]
fn a_wild_piece_may_count_just_above_or_below_its_namesake() {
    let mut r = standard(13, 1);
    assert_eq!(versus(&r, "Ac Ad 9h 7s 4s", "Ah Jk 9d 7c 4c"), (Equal, Decider::Level));
    for class in &mut r.classes {
        class.keys.push(Key { word: KeyWord::Wild, wild_up: false, low: true });
    }
    assert_eq!(versus(&r, "Ac Ad 9h 7s 4s", "Ah Jk 9d 7c 4c"), (Greater, Decider::Key { key: 2, position: 0 }));
    for class in &mut r.classes {
        class.keys.iter_mut().for_each(|k| k.wild_up = true);
    }
    assert_eq!(versus(&r, "Ac Ad 9h 7s 4s", "Ah Jk 9d 7c 4c"), (Less, Decider::Key { key: 0, position: 0 }));
}

#[test]
fn deuces_may_be_wild_freely() {
    let mut r = standard(13, 1);
    r.readings.push(Reading { wild: Wild::Values { attribute: RANK, values: vec![0] }, stands_for: None, into: None, may_double: true });
    assert_eq!(class_name(&r, "Th Jh Qh Kh 2c"), "royal-flush");
    assert_eq!(class_name(&r, "Ah Ac Ad 2d 2c"), "fives");
    let table = r.compile().unwrap();
    assert_eq!(table.counts().iter().sum::<u64>(), 2_869_685);
    assert_eq!(versus(&r, "Th Jh Qh Kh 2c", "3h 3d 3c 3s Jk").0, Less);
}

#[test]
fn questions_look_at_the_hand_as_it_stands() {
    let r = standard(13, 1);
    let pair_of_jacks = Pattern::All(vec![Pattern::Class(9), Pattern::Holds { attribute: RANK, values: vec![9] }, groups(&[2])]);
    assert_eq!(r.matches(&pair_of_jacks, &hand(&r, "Jc Jd 4h 7s 2c")), Ok(true));
    assert_eq!(r.matches(&pair_of_jacks, &hand(&r, "Jc Jk 4h 7s 2c")), Ok(true));
    assert_eq!(r.matches(&pair_of_jacks, &hand(&r, "Tc Td 4h 7s 2c")), Ok(false));
    assert_eq!(r.matches(&Pattern::Natural, &hand(&r, "Jc Jk 4h 7s 2c")), Ok(false));
}

#[test]
fn counts_are_those_of_the_books() {
    let table = |r: &Ranking| r.compile().unwrap().counts();
    assert_eq!(table(&standard(13, 0)), [4, 36, 624, 3744, 5108, 10200, 54912, 123_552, 1_098_240, 1_302_540]);
    let with_joker = table(&standard(13, 1));
    assert_eq!(with_joker.iter().sum::<u64>(), 2_869_685);
    assert_eq!(with_joker[0..3], [13, 24, 180]);
    assert_eq!(table(&standard(8, 0)).iter().sum::<u64>(), 201_376);
    assert_eq!(table(&standard(13, 2)).iter().sum::<u64>(), 3_162_510);
    let house = eccentric(0);
    let counts = table(&house);
    let of = |name: &str| counts[house.classes.iter().position(|c| c.name == name).unwrap()];
    // Blaze: 792 hands of court cards, less 12 * 40 of threes or better; skips: six of them by their ranks, each 4^5 hands less the flushes.
    assert_eq!((of("blaze"), of("skip"), of("tiger"), of("corner")), (432, 6 * 1020, 4 * 1020, 3 * 1020));
}

#[test]
fn all_hands_of_the_pack_have_their_class() {
    let r = standard(13, 0);
    let table = r.compile().unwrap();
    let mut counts = [0_u64; 10];
    for a in 0..52_u8 {
        for b in 0..a {
            for c in 0..b {
                for d in 0..c {
                    for e in 0..d {
                        let cards = [a, b, c, d, e];
                        let class = table.class_of(table.strength5(&cards)).unwrap();
                        assert_eq!(class, class_by_hand(cards), "{cards:?}");
                        counts[class] += 1;
                    }
                }
            }
        }
    }
    assert_eq!(counts.to_vec(), table.counts());
}

/// The class from first principles, sharing nothing with the library.
fn class_by_hand(cards: [u8; 5]) -> usize {
    let ranks = cards.map(|c| c / 4);
    let flush = cards.iter().all(|c| c % 4 == cards[0] % 4);
    let set = ranks.iter().fold(0_u32, |set, r| set | 1 << r);
    let equal_pairs = (0..5).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|(i, j)| ranks[*i] == ranks[*j]).count();
    let straight = set == 0b1_0000_0000_1111 || (set.count_ones() == 5 && set >> set.trailing_zeros() == 0b11111);
    let royal = set == 0b1_1111_0000_0000;
    match (flush, straight, equal_pairs) {
        (true, true, _) if royal => 0,
        (true, true, _) => 1,
        (_, _, 6) => 2,
        (_, _, 4) => 3,
        (true, _, _) => 4,
        (_, true, _) => 5,
        (_, _, 3) => 6,
        (_, _, 2) => 7,
        (_, _, 1) => 8,
        _ => 9,
    }
}

#[test]
fn questions_are_counted() {
    let r = standard(13, 0);
    let count = |r: &Ranking, p: &Pattern| r.count(p).unwrap().fitting;
    assert_eq!(r.count(&Pattern::Class(8)), Ok(Counted { fitting: 1_098_240, of: 2_598_960 }));
    let ace_high = Pattern::All(vec![Pattern::Class(9), Pattern::Top { scale: HIGH, values: vec![12] }]);
    assert_eq!(count(&r, &ace_high), 502_860);
    let joker = standard(13, 1);
    assert_eq!(count(&joker, &Pattern::Not(Box::new(Pattern::Natural))), 270_725);
    assert_eq!(count(&joker, &Pattern::Class(0)), 13);
}

#[test]
fn questions_that_no_table_shows_are_counted_all_the_same() {
    let mut r = standard(8, 0);
    r.sizes = 3..=3;
    let one_red = Pattern::Same { attribute: SUIT, at_least: Some(2) };
    // Three suits: 4 * 8^3 hands of 4960.
    assert_eq!(r.count(&one_red), Ok(Counted { fitting: 4960 - 4 * 512, of: 4960 }));
}

#[test]
fn sound_rankings_have_no_faults() {
    assert_eq!(standard(13, 0).faults(), []);
    assert_eq!(standard(13, 1).faults(), []);
    assert_eq!(lowball().faults(), []);
    assert_eq!(eccentric(0).faults(), []);
}

#[test]
fn faults_are_found_with_examples() {
    let mut r = standard(13, 1);
    // A flush may hold a pair when the joker doubles: its groups are then not empty.
    let flush = r.classes.iter().position(|c| c.name == "flush").unwrap();
    r.classes[flush].keys = vec![key(KeyWord::Groups(HIGH)), key(KeyWord::Singles(HIGH))];
    let faults = r.faults();
    let [RankingFault::Ragged { class, hands }] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!(*class, flush);
    let standings: Vec<_> = hands.iter().map(|h| r.stand(&held(h)).unwrap()).collect();
    assert!(standings.iter().all(|s| s.class == flush));
    assert_ne!(standings[0].keys[0].len(), standings[1].keys[0].len());

    let mut r = standard(13, 0);
    r.classes.swap(0, 1);
    assert_eq!(r.faults(), [RankingFault::NeverApplies { class: 1, taken_by: vec![0] }]);

    let mut r = standard(13, 0);
    r.classes[4].keys.clear();
    let faults = r.faults();
    let [RankingFault::Level { class: 4, hands }] = faults.as_slice() else { panic!("{faults:?}") };
    assert!(hands.iter().all(|h| r.stand(&held(h)).unwrap().class == 4));

    let mut r = standard(13, 0);
    r.classes[4].keys.insert(0, key(KeyWord::TopOfRun));
    assert_eq!(r.faults(), [RankingFault::NoRun { class: 4 }]);

    let mut r = standard(13, 0);
    r.classes.pop();
    let faults = r.faults();
    let [RankingFault::NoClass { hand }] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!(r.stand(&held(hand)), Err(Refusal::NoClass));
}

#[test]
fn hands_of_several_sizes_are_checked_and_only_the_largest_are_in_the_table() {
    let mut r = standard(13, 0);
    r.sizes = 1..=5;
    for class in &mut r.classes {
        if class.pattern == same_suit() {
            class.pattern = Pattern::Same { attribute: SUIT, at_least: Some(5) };
        }
        if let Pattern::All(parts) = &mut class.pattern {
            parts[1] = Pattern::Same { attribute: SUIT, at_least: Some(5) };
        }
    }
    let checked = r.check();
    assert!(checked.complete);
    assert_eq!(checked.faults, []);
    assert_eq!(checked.table.unwrap().size(), 5);
    assert_eq!(class_name(&r, "Kc Kd"), "one-pair");
}

#[test]
fn a_ranking_that_no_table_shows_says_why_and_works() {
    let mut r = standard(13, 0);
    r.classes.insert(0, class("hearts", Pattern::Values { attribute: SUIT, at_least: Some(3), values: vec![2] }, vec![]));
    let why = r.compile().unwrap_err();
    assert_eq!(why, Slow::TwoAttributes("suit".into(), "rank".into()));
    assert_eq!(why.to_string(), "it looks at the suit and at the rank of the pieces");
    assert_eq!(class_name(&r, "Ah Kh 2h 3c 4d"), "hearts");
    assert!(!r.check().complete);
}
