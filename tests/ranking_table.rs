//! The compiled table agrees with the definition, for rankings and packs that nobody has thought of.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops when something is wrong")]

mod ranking_support;

use std::cmp::Ordering;

use hoyle::ranking::*;
use proptest::prelude::*;
use ranking_support::*;

fn subset(values: u8) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::btree_set(0..values, 0..=usize::from(values)).prop_map(|set| set.into_iter().collect())
}

fn scale(values: u8) -> impl Strategy<Value = Scale> {
    let order = Just((0..values).collect::<Vec<u8>>()).prop_shuffle();
    (order, prop::bool::weighted(0.6), 0..3_usize, 0..2_usize).prop_map(move |(order, tidy, low, missing)| {
        let mut ascending = if tidy { (0..values).collect() } else { order };
        let also_lowest = ascending.iter().rev().take(low).rev().copied().collect();
        if !tidy && ascending.len() > missing {
            ascending.truncate(ascending.len() - missing);
        }
        Scale { name: "scale".into(), attribute: 0, ascending, also_lowest }
    })
}

fn pattern(values: u8, size: u8) -> impl Strategy<Value = Pattern> {
    let leaf = prop_oneof![
        1 => Just(Pattern::Anything),
        4 => prop::collection::vec(2..=size.max(2), 0..3).prop_map(|sizes| Pattern::Groups { attribute: 0, sizes }),
        4 => Just(Pattern::Same { attribute: 1, at_least: None }),
        1 => (0..=size + 1).prop_map(|n| Pattern::Same { attribute: 0, at_least: Some(n) }),
        1 => Just(Pattern::Same { attribute: 0, at_least: None }),
        1 => Just(Pattern::Same { attribute: 1, at_least: Some(size) }),
        4 => (0..2_usize, 1..=size, 0..3_u8, any::<bool>(), prop::option::weighted(0.3, 0..values)).prop_map(
            |(scale, length, step, around, top)| Pattern::Run { scale, length, step, around, top }
        ),
        1 => (0..2_usize, subset(values)).prop_map(|(scale, values)| Pattern::Top { scale, values }),
        1 => (0..2_usize, subset(values)).prop_map(|(scale, values)| Pattern::Bottom { scale, values }),
        1 => (prop::option::of(0..=size), subset(values)).prop_map(|(at_least, values)| Pattern::Values { attribute: 0, at_least, values }),
        1 => prop::collection::vec(0..values, 0..3).prop_map(|values| Pattern::Holds { attribute: 0, values }),
        1 => Just(Pattern::Natural),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|p| Pattern::Not(Box::new(p))),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Pattern::All),
            prop::collection::vec(inner, 1..3).prop_map(Pattern::Any),
        ]
    })
}

fn any_key(values: u8) -> impl Strategy<Value = Key> {
    let word = prop_oneof![
        4 => (0..2_usize).prop_map(KeyWord::Groups),
        4 => (0..2_usize).prop_map(KeyWord::Singles),
        4 => (0..2_usize).prop_map(KeyWord::Every),
        1 => Just(KeyWord::Wild),
        1 => Just(KeyWord::Count),
        2 => (0..2_usize).prop_map(KeyWord::Top),
        4 => Just(KeyWord::TopOfRun),
        1 => prop::collection::vec(-20..20_i64, usize::from(values)).prop_map(|points| KeyWord::Sum { attribute: 0, points }),
    ];
    (word, prop::bool::weighted(0.15), prop::bool::weighted(0.25)).prop_map(|(word, wild_up, low)| Key { word, wild_up, low })
}

fn any_class(values: u8, size: u8) -> impl Strategy<Value = Class> {
    (pattern(values, size), prop::collection::vec(any_key(values), 0..3)).prop_map(|(pattern, keys)| Class { name: "class".into(), pattern, keys })
}

/// The wild value if it is no blank, what it stands for, the classes it may make, whether it may double.
type RandomReading = (Option<u8>, Option<Vec<u8>>, Option<Vec<usize>>, bool);

/// How the pack is wild: which of its pieces, and how each may be read.
#[derive(Clone, Debug)]
struct Wildness {
    blanks: Vec<u8>,
    readings: Vec<RandomReading>,
    /// All readings may double, or none: what the table wants of wild values.
    double: Option<bool>,
}

fn wildness(values: u8) -> impl Strategy<Value = Wildness> {
    let reading = (
        prop::option::weighted(0.4, 0..values),
        prop::option::weighted(0.3, subset(values)),
        prop::option::weighted(0.3, prop::collection::vec(0..4_usize, 0..4)),
        any::<bool>(),
    );
    (prop::collection::vec(1..3_u8, 0..3), prop::collection::vec(reading, 0..4), prop::option::weighted(0.7, any::<bool>()))
        .prop_map(|(blanks, readings, double)| Wildness { blanks, readings, double })
}

fn ranking() -> impl Strategy<Value = Ranking> {
    (2..=6_u8, 1..=3_u8, 1..=2_u8, 1..=5_u8).prop_flat_map(|(values, columns, copies, size)| {
        let classes = prop::collection::vec(any_class(values, size), 1..5);
        let scales = [scale(values), scale(values)];
        let missing = prop::collection::vec(0..40_usize, 0..2);
        let closed = prop::bool::weighted(0.8);
        (classes, scales, missing, wildness(values), closed, prop::bool::weighted(0.7)).prop_map(
            move |(mut classes, scales, missing, wildness, closed, whole)| {
                let mut pieces = Vec::new();
                for value in 0..values {
                    for column in 0..columns {
                        pieces.push(Piece { text: String::new(), values: vec![value, column], copies });
                    }
                }
                if !whole {
                    missing.iter().for_each(|at| drop(pieces.remove(at % pieces.len())));
                }
                let first_blank = u8::try_from(pieces.len()).unwrap();
                pieces.extend(wildness.blanks.iter().map(|n| Piece { text: String::new(), values: vec![], copies: *n }));
                let blank_kinds = u8::try_from(wildness.blanks.len()).unwrap();
                let readings = wildness.readings.iter().enumerate().filter_map(|(i, (value, stands_for, into, double))| {
                    let wild = match value {
                        Some(value) => Wild::Values { attribute: 0, values: vec![*value] },
                        None if blank_kinds > 0 => Wild::Blank(first_blank + u8::try_from(i).unwrap() % blank_kinds),
                        None => return None,
                    };
                    // Wild values are seldom free by chance.
                    let free = value.is_some() && i % 2 == 0;
                    Some(Reading {
                        wild,
                        stands_for: stands_for.clone().filter(|_| !free).map(|values| (0, values)),
                        into: into.clone().filter(|_| !free),
                        may_double: wildness.double.unwrap_or(*double),
                    })
                });
                let readings = readings.collect();
                if closed {
                    classes.push(Class {
                        name: "any".into(),
                        pattern: Pattern::Anything,
                        keys: vec![Key { word: KeyWord::Every(0), wild_up: false, low: false }],
                    });
                }
                let attribute = |name: &str, n: u8| Attribute { name: name.into(), values: (0..n).map(|v| v.to_string()).collect() };
                Ranking {
                    name: "random".into(),
                    deck: Deck { attributes: vec![attribute("value", values), attribute("column", columns)], pieces },
                    scales: scales.to_vec(),
                    sizes: 1..=size,
                    classes,
                    readings,
                    named_by_holder: vec![],
                }
            },
        )
    })
}

/// Some hands of the largest size: every one if there are few, else a spread of them, with and without the last pieces, which are blanks.
fn some_hands(ranking: &Ranking, seed: u64, most: usize) -> Vec<Vec<PieceId>> {
    let pack = all_pieces(&ranking.deck);
    let size = usize::from(*ranking.sizes.end());
    let mut state = seed;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut hands = Vec::new();
    for round in 0..most {
        let mut left = pack.clone();
        let mut hand = Vec::new();
        while hand.len() < size && !left.is_empty() {
            let late = round % 3 == 0 && hand.len() < 2;
            let at = if late { left.len() - 1 - next(left.len().min(3)) } else { next(left.len()) };
            hand.push(left.remove(at));
        }
        if hand.len() == size {
            hands.push(hand);
        }
    }
    hands
}

fn agree(ranking: &Ranking, hands: &[Vec<PieceId>]) -> Result<bool, TestCaseError> {
    let Ok(table) = ranking.compile() else { return Ok(false) };
    let strengths: Vec<u32> = hands.iter().map(|h| table.strength(h)).collect();
    let standings: Vec<_> = hands.iter().map(|h| ranking.stand(&held(h))).collect();
    for ((hand, strength), standing) in hands.iter().zip(&strengths).zip(&standings) {
        let class = standing.as_ref().ok().map(|s| s.class);
        prop_assert_eq!(table.class_of(*strength), class, "class of {:?}: {:?}", hand, standing);
    }
    for (i, one) in standings.iter().enumerate() {
        for (j, other) in standings.iter().enumerate().skip(i + 1) {
            if let (Ok(one), Ok(other)) = (one, other) {
                let table_says = strengths[i].cmp(&strengths[j]);
                prop_assert_eq!(one.compare(other).0, table_says, "{:?} {:?} against {:?} {:?}", &hands[i], one, &hands[j], other);
            }
        }
    }
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn a_table_ranks_as_the_definition_does(ranking in ranking(), seed in any::<u64>()) {
        let hands = some_hands(&ranking, seed, 40);
        prop_assume!(!hands.is_empty());
        prop_assume!(agree(&ranking, &hands)?);
    }
}

#[test]
fn lists_of_places_and_packed_numbers_agree_on_the_rankings_of_the_books() {
    for ranking in [standard(13, 0), standard(13, 1), standard(8, 0), eccentric(1), lowball(), standard(13, 2)] {
        assert!(agree(&ranking, &some_hands(&ranking, 7, 60)).unwrap());
    }
}

#[test]
fn larger_hands_have_larger_tables() {
    let mut ranking = standard(13, 0);
    ranking.sizes = 7..=7;
    assert!(agree(&ranking, &some_hands(&ranking, 3, 300)).unwrap());
    assert_eq!(ranking.compile().unwrap().counts().iter().sum::<u64>(), 133_784_560);
    ranking.sizes = 9..=9;
    assert_eq!(ranking.compile().unwrap_err(), Slow::ManyHands);
    let mut ranking = standard(5, 0);
    ranking.sizes = 12..=12;
    assert!(agree(&ranking, &some_hands(&ranking, 3, 100)).unwrap());
}

#[test]
fn comparing_is_a_question_of_strength() {
    let ranking = standard(13, 1);
    let table = ranking.compile().unwrap();
    let (one, other) = (pieces(&ranking, "Ah Ad Ac As Jk"), pieces(&ranking, "Th Jh Qh Kh Jk"));
    assert_eq!(table.compare(&one, &other), Ordering::Greater);
    assert_eq!(table.strength(&one), table.best());
}

/// Every hand of the pack, by positions, copies apart.
fn every_hand(pack: &[PieceId], size: usize) -> Vec<Vec<PieceId>> {
    if size == 0 {
        return vec![vec![]];
    }
    let mut hands = Vec::new();
    for (i, piece) in pack.iter().enumerate() {
        for mut rest in every_hand(&pack[i + 1..], size - 1) {
            rest.push(*piece);
            hands.push(rest);
        }
    }
    hands
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn counts_are_those_of_all_hands_one_by_one(ranking in ranking(), asked in pattern(2, 2), class in 0..3_usize) {
        let pack = all_pieces(&ranking.deck);
        prop_assume!(pack.len() <= 14);
        let hands = every_hand(&pack, usize::from(*ranking.sizes.end()));
        if let Ok(table) = ranking.compile() {
            let mut plain = vec![0; ranking.classes.len()];
            for hand in &hands {
                if let Ok(standing) = ranking.stand(&held(hand)) {
                    plain[standing.class] += 1;
                }
            }
            prop_assert_eq!(table.counts(), plain);
        }
        let question = Pattern::Any(vec![asked, Pattern::Class(class)]);
        let fitting = hands.iter().filter(|h| ranking.matches(&question, &held(h)) == Ok(true)).count();
        prop_assert_eq!(ranking.count(&question).unwrap(), Counted { fitting: fitting as u64, of: hands.len() as u64 });
    }

    #[test]
    fn faults_have_examples_that_show_them(ranking in ranking()) {
        for fault in ranking.faults() {
            let stand = |hand: &[PieceId]| ranking.stand(&held(hand));
            match fault {
                RankingFault::Ragged { class, hands } => {
                    let [one, other] = hands.each_ref().map(|h| stand(h).unwrap());
                    prop_assert_eq!((one.class, other.class), (class, class));
                    let differ = one.keys.iter().zip(&other.keys).find(|(a, b)| a != b);
                    prop_assert!(differ.is_some_and(|(a, b)| a.len() != b.len()));
                }
                RankingFault::Level { class, hands } => {
                    let [one, other] = hands.each_ref().map(|h| stand(h).unwrap());
                    prop_assert_eq!((one.class, one.compare(&other)), (class, (Ordering::Equal, Decider::Level)));
                    let values = |h: &[PieceId]| {
                        let mut values: Vec<_> = h.iter().map(|p| ranking.deck.value(*p, 0)).collect();
                        values.sort_unstable();
                        values
                    };
                    let columns = ranking.compile().is_ok_and(|_| values(&hands[0]) == values(&hands[1]));
                    // Where only the second attribute is looked at, that is the one in which they differ.
                    prop_assert!(!columns || hands[0] != hands[1]);
                }
                RankingFault::NoClass { hand } => prop_assert_eq!(stand(&hand), Err(Refusal::NoClass)),
                RankingFault::NeverApplies { class, .. } => {
                    let hands = some_hands(&ranking, 1, 40);
                    prop_assert!(hands.iter().all(|h| stand(h).map(|s| s.class) != Ok(class)));
                }
                RankingFault::NoRun { .. } => {}
            }
        }
    }
}
