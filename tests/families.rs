//! Rankings with parameters: clause 7.1.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

mod ranking_support;

use std::cmp::Ordering;

use hoyle::diagnostic::{Code, render};
use hoyle::ranking::{Class, Domain, Held, KeyWord, OnePieceTable, Pattern, PieceId, Ranking, Reading, Refusal, Term, ValueId, Wild};
use hoyle::rules::{Catalog, Mutation, Rulebook, Selection, elements, mutant};
use proptest::prelude::*;
use ranking_support::{HIGH, RANK, SUIT, key, standard};

const WHIST: &str = r#"
library cards;
kind suit = clubs "c", diamonds "d", hearts "h", spades "s";
scale rank = two "2", three "3", four "4", five "5", six "6", seven "7", eight "8", nine "9", ten "T", jack "J", queen "Q", king "K", ace "A";
piece card has rank, suit;

rulebook whist follows none;
use cards;
pieces one card of each rank, suit;
option top-trump = ordinary { ordinary; ace-of-diamonds; }
ranking in-trick(led: suit, trump: maybe suit) of 1 card by rank {
  class high under top-trump = ace-of-diamonds: top ace and any suit in { diamonds };
  class trumping:  any suit in { trump };
  class following: any suit in { led };
  class neither:   anything;
  high beats trumping beats following beats neither;
  ties otherwise by top;
}
"#;

fn catalog(text: &str) -> Catalog {
    let mut catalog = Catalog::new();
    catalog.add("test.hoyle", text);
    catalog
}

fn load(catalog: &Catalog, selection: &Selection) -> Rulebook {
    match catalog.load(selection) {
        Ok(rulebook) => rulebook,
        Err(faults) => panic!("{}", render::plain(&faults, catalog.sources())),
    }
}

fn piece(rulebook: &Rulebook, text: &str) -> PieceId {
    let at = rulebook.packs[0].deck.pieces.iter().position(|piece| piece.text == text).unwrap();
    PieceId::try_from(at).unwrap()
}

/// The cards sorted, best first; `=` before one that is level with the last.
fn sorted(rulebook: &Rulebook, table: &OnePieceTable, arguments: &[Option<ValueId>], cards: &str) -> String {
    let mut strengths: Vec<(u16, &str)> = cards.split(' ').map(|card| (table.strength(arguments, piece(rulebook, card)), card)).collect();
    strengths.sort_by_key(|(strength, _)| std::cmp::Reverse(*strength));
    let marked = strengths.iter().enumerate().map(|(at, (strength, card))| {
        let level = at > 0 && strengths[at - 1].0 == *strength;
        format!("{}{card}", if level { "=" } else { "" })
    });
    marked.collect::<Vec<_>>().join(" ")
}

const CLUBS: Option<ValueId> = Some(0);
const HEARTS: Option<ValueId> = Some(2);
const SPADES: Option<ValueId> = Some(3);

#[test]
fn a_trump_beats_the_suit_led_and_that_beats_the_rest() {
    let catalog = catalog(WHIST);
    let rulebook = load(&catalog, &Selection::of("whist"));
    assert!(rulebook.rankings.is_empty());
    let family = rulebook.family("in-trick").unwrap();
    let parameters: Vec<(&str, bool, usize)> = family.parameters.iter().map(|p| (p.name.as_str(), p.maybe, p.values.len())).collect();
    assert_eq!(parameters, [("led", false, 4), ("trump", true, 4)]);
    let table = family.one_piece_table().unwrap();
    assert_eq!(table.combinations(), 20);
    assert_eq!(sorted(&rulebook, &table, &[CLUBS, SPADES], "2s As Ac Ah 2c Ad"), "As 2s Ac 2c Ah =Ad");
    assert_eq!(sorted(&rulebook, &table, &[HEARTS, HEARTS], "2s 3h 2h Ac"), "3h 2h Ac 2s");
    // Without trumps nothing is in a suit of trumps.
    assert_eq!(sorted(&rulebook, &table, &[CLUBS, None], "2s As Ac Ah 2c"), "Ac 2c As =Ah 2s");
    // Something is always led; a ranking asked otherwise ranks nothing.
    assert_eq!(table.combination(&[None, None]), None);
    assert_eq!(table.strength(&[None, None], 0), 0);
    assert_eq!(table.strength(&[CLUBS], 0), 0);
    assert_eq!(table.strength(&[CLUBS, Some(4)], 0), 0);
    assert_eq!(table.strength(&[CLUBS, None], 52), 0);
    assert!(table.strength_at(19, 51) > 0);
    assert_eq!(table.strength_at(20, 0), 0);
}

#[test]
fn the_last_parameter_turns_fastest_and_none_comes_last() {
    let domains = [Domain { values: 2, maybe: true }, Domain { values: 3, maybe: false }];
    assert_eq!(Domain::combinations(&domains), 9);
    let all: Vec<Vec<Option<ValueId>>> = (0..9).map(|number| Domain::arguments(&domains, number)).collect();
    assert_eq!((&all[0][..], &all[1][..]), (&[Some(0), Some(0)][..], &[Some(0), Some(1)][..]));
    assert_eq!((&all[3][..], &all[8][..]), (&[Some(1), Some(0)][..], &[None, Some(2)][..]));
    for (number, arguments) in all.iter().enumerate() {
        assert_eq!(Domain::number(&domains, arguments), Some(number));
    }
    assert_eq!(Domain::number(&domains, &[Some(0), None]), None);
    assert_eq!(Domain::combinations(&[Domain { values: 255, maybe: true }; 9]), usize::MAX);
}

#[test]
fn settings_and_houses_work_on_a_ranking_with_parameters() {
    let catalog = catalog(&format!(
        "{WHIST}
house low-table on whist {{ in ranking in-trick {{ replace ties otherwise by top low; drop trumping beats following; following beats trumping beats neither; }} }}"
    ));
    let chosen = Selection { choose: vec![("top-trump".to_owned(), "ace-of-diamonds".to_owned())], ..Selection::of("whist") };
    let rulebook = load(&catalog, &chosen);
    let table = rulebook.family("in-trick").unwrap().one_piece_table().unwrap();
    assert_eq!(sorted(&rulebook, &table, &[CLUBS, SPADES], "As Ac Ad Kd"), "Ad As Ac Kd");
    let rulebook = load(&catalog, &Selection::of("low-table"));
    let table = rulebook.family("in-trick").unwrap().one_piece_table().unwrap();
    assert_eq!(sorted(&rulebook, &table, &[CLUBS, SPADES], "As 2s Ac 2c Ad"), "2c Ac 2s As Ad");
}

#[test]
fn an_instance_is_a_ranking_like_any_other() {
    let catalog = catalog(WHIST);
    let rulebook = load(&catalog, &Selection::of("whist"));
    let family = rulebook.family("in-trick").unwrap();
    let ruled = family.instance(&[CLUBS, SPADES]);
    let names: Vec<&str> = ruled.model.classes.iter().map(|class| class.name.as_str()).collect();
    assert_eq!(names, ["trumping", "following", "neither"]);
    assert_eq!(ruled.path(0, 2).len(), 2);
    let class = |card| ruled.model.stand(&[Held { piece: piece(&rulebook, card), called: None }]).unwrap().class;
    assert_eq!([class("2s"), class("2c"), class("Ad")], [0, 1, 2]);
    assert!(hoyle::rules::check_all(&catalog, None).is_empty(), "{}", render::plain(&hoyle::rules::check_all(&catalog, None), catalog.sources()));
}

#[test]
fn who_asks_without_parameters_is_told_that_they_are_needed() {
    let catalog = catalog(WHIST);
    let rulebook = load(&catalog, &Selection::of("whist"));
    for name in [None, Some("in-trick")] {
        let faults = rulebook.rank(name, &[], true).unwrap_err();
        assert_eq!(faults[0].code, Code::NoRanking);
        assert_eq!(faults[0].message, "`in-trick` orders nothing until its `led` and `trump` are known, at the table");
    }
    assert!(rulebook.rank(Some("in-trik"), &[], true).unwrap_err()[0].message.contains("has no ranking"));
}

#[test]
fn every_line_has_its_mutants() {
    let catalog = catalog(WHIST);
    let found = elements(&catalog, "whist");
    let trumping = found.iter().find(|element| element.what == "`trumping beats following`").unwrap();
    let turned = mutant(&catalog, trumping, &Mutation::Swap).unwrap();
    let rulebook = load(&turned, &Selection::of("whist"));
    let table = rulebook.family("in-trick").unwrap().one_piece_table().unwrap();
    assert!(table.strength(&[CLUBS, SPADES], piece(&rulebook, "2c")) > table.strength(&[CLUBS, SPADES], piece(&rulebook, "As")));
    // Without the edge two classes are in no order, which is no rulebook.
    assert!(mutant(&catalog, trumping, &Mutation::Drop).is_none());
    let class = found.iter().find(|element| element.what == "class `trumping`").unwrap();
    let idle = load(&mutant(&catalog, class, &Mutation::Drop).unwrap(), &Selection::of("whist"));
    let table = idle.family("in-trick").unwrap().one_piece_table().unwrap();
    assert_eq!(sorted(&idle, &table, &[CLUBS, SPADES], "As 2c"), "2c As");
}

/// The codes that checking answers for a ranking with this head and these classes, best first, above everything else.
fn codes(head: &str, classes: &[&str]) -> Vec<Code> {
    let lines: String = classes.iter().enumerate().map(|(at, pattern)| format!("class c{at}: {pattern}; c{at} beats others; ")).collect();
    let edges: String = (1..classes.len()).map(|at| format!("c{} beats c{at}; ", at - 1)).collect();
    let cards = WHIST.split("rulebook").next().unwrap();
    let text = format!(
        "{cards} rulebook r follows none; use cards; pieces one card of each rank, suit;
ranking open-one({head} by rank {{ {lines} {edges} class others: anything; ties otherwise by every rank; }}"
    );
    let catalog = catalog(&text);
    hoyle::rules::check_all(&catalog, None).iter().map(|fault| fault.code).collect()
}

#[test]
fn a_class_never_applies_only_if_it_is_dead_under_all_arguments() {
    let alive = "any rank in { a } and any suit in { b }";
    // 845 ways, of which 64 are judged: all are looked at for a class that is dead in those.
    let many = "a: rank, b: maybe suit, c: rank) of 1 card";
    let seldom =
        "any rank in { a, c } and not any rank in { three, four, five, six, seven, eight, nine, ten, jack, queen, king, ace } and any suit in { b }";
    assert_eq!(codes(many, &[alive, seldom]), []);
    assert_eq!(codes(many, &[alive, "any rank in { c }", "any rank in { c } and any suit in { b }"]), [Code::NeverApplies]);
    // With `none` for b the first class is dead, and alive with everything else.
    assert_eq!(codes("b: maybe suit) of 1 card", &["any suit in { b }"]), []);
    assert_eq!(codes("b: maybe suit) of 1 card", &["any suit in { b }", "not any suit in { b }"]), [Code::NeverApplies]);
    // Hands of two: under few arguments each is looked at, under many nothing is said.
    assert_eq!(codes("a: maybe rank) of 2 card", &["any rank in { a }", "holds { a }"]), [Code::NeverApplies]);
    assert_eq!(codes("a: maybe rank) of 2 card", &["any rank in { a }"]), []);
    assert_eq!(codes("a: maybe rank, b: maybe rank) of 2 card", &["any rank in { a, b }", "holds { a, b }"]), []);
}

// ------------------------------------------------------------------------------------------------ the model

/// A ranking of the pack's hands of this size, with these patterns (best first) above everything else.
fn template(size: u8, patterns: Vec<Pattern<Term>>) -> Ranking<Term> {
    let plain = standard(13, 1);
    let keys = || vec![key(KeyWord::Every(HIGH))];
    let class = |pattern| Class { name: "class".into(), pattern, keys: keys() };
    Ranking {
        name: "open".into(),
        deck: plain.deck,
        scales: plain.scales,
        sizes: size..=size,
        classes: patterns.into_iter().chain([Pattern::Anything]).map(class).collect(),
        readings: Vec::new(),
        named_by_holder: Vec::new(),
    }
}

const OPEN: Term = Term::Parameter(0);

/// The class of a hand, pieces by `(rank, suit)`.
fn class_of(ranking: &Ranking, hand: &[(u8, u8)]) -> usize {
    let held: Vec<Held> = hand.iter().map(|(rank, suit)| Held { piece: 4 * rank + suit, called: None }).collect();
    ranking.stand(&held).unwrap().class
}

#[test]
fn none_fits_no_piece_in_any_pattern() {
    let hand = [(7, 0), (8, 1), (9, 2)];
    let run = |top| Pattern::Run { scale: HIGH, length: 3, step: 1, around: false, top };
    let cases: Vec<(Pattern<Term>, ValueId, [usize; 2])> = vec![
        (run(Some(OPEN)), 9, [0, 1]),
        (run(Some(OPEN)), 8, [1, 1]),
        (Pattern::Top { scale: HIGH, values: vec![OPEN] }, 9, [0, 1]),
        (Pattern::Bottom { scale: HIGH, values: vec![OPEN] }, 7, [0, 1]),
        (Pattern::Holds { attribute: RANK, values: vec![OPEN, Term::Value(8)] }, 7, [0, 1]),
        // Asked for twice is asked for once.
        (Pattern::Holds { attribute: RANK, values: vec![OPEN, Term::Value(8)] }, 8, [0, 1]),
        (Pattern::Values { attribute: RANK, at_least: Some(1), values: vec![OPEN] }, 7, [0, 1]),
        // Of several values `none` leaves the others.
        (Pattern::Values { attribute: RANK, at_least: Some(2), values: vec![OPEN, Term::Value(8), Term::Value(9)] }, 0, [0, 0]),
        (Pattern::Values { attribute: RANK, at_least: None, values: vec![OPEN, Term::Value(8), Term::Value(9)] }, 7, [0, 1]),
        (Pattern::Not(Box::new(Pattern::Holds { attribute: RANK, values: vec![OPEN] })), 7, [1, 0]),
        (Pattern::All(vec![run(None), Pattern::Any(vec![run(Some(OPEN)), Pattern::Natural])]), 3, [0, 0]),
    ];
    for (pattern, value, wanted) in cases {
        let template = template(3, vec![pattern.clone()]);
        let found = [Some(value), None].map(|argument| class_of(&template.fill(&[argument]), &hand));
        assert_eq!(found, wanted, "{pattern:?} with {value}");
    }
}

#[test]
fn a_class_of_runs_keeps_its_run_without_an_argument() {
    let mut template = template(3, vec![Pattern::Run { scale: HIGH, length: 3, step: 1, around: false, top: Some(OPEN) }]);
    template.classes[0].keys = vec![key(KeyWord::TopOfRun)];
    let faults = template.fill(&[None]).faults();
    assert!(!faults.iter().any(|fault| matches!(fault, hoyle::ranking::RankingFault::NoRun { .. })), "{faults:?}");
}

#[test]
fn wild_lines_take_parameters_too() {
    let mut template = template(2, vec![Pattern::Groups { attribute: RANK, sizes: vec![2] }]);
    let wild = Wild::Values { attribute: RANK, values: vec![OPEN] };
    template.readings.push(Reading { wild: wild.clone(), stands_for: None, into: None, may_double: false });
    assert_eq!(class_of(&template.fill(&[Some(3)]), &[(3, 0), (8, 0)]), 0);
    assert_eq!(class_of(&template.fill(&[Some(4)]), &[(3, 0), (8, 0)]), 1);
    assert_eq!(class_of(&template.fill(&[None]), &[(3, 0), (8, 0)]), 1);
    template.readings[0] = Reading { wild: Wild::Blank(52), stands_for: Some((RANK, vec![OPEN])), into: None, may_double: false };
    assert_eq!(class_of(&template.fill(&[Some(8)]), &[(13, 0), (8, 0)]), 0);
    assert_eq!(class_of(&template.fill(&[Some(9)]), &[(13, 0), (8, 0)]), 1);
    assert_eq!(class_of(&template.fill(&[None]), &[(13, 0), (8, 0)]), 1);
    template.readings[0] = Reading { wild: wild.clone(), stands_for: None, into: None, may_double: false };
    template.named_by_holder.push(wild);
    let held = [12, 32].map(|piece| Held { piece, called: None });
    assert_eq!(template.fill(&[Some(3)]).stand(&held), Err(Refusal::NotNamed(0)));
    assert!(template.fill(&[None]).stand(&held).is_ok());
}

#[test]
fn a_piece_that_is_not_ranked_has_no_strength() {
    let mut open = template(1, vec![Pattern::Values { attribute: SUIT, at_least: Some(1), values: vec![OPEN] }]);
    open.classes.pop();
    let table = open.one_piece_table(&[Domain { values: 4, maybe: true }]).unwrap();
    let ranked = |argument| (0..=52).filter(|piece| table.strength(&[argument], *piece) > 0).count();
    assert_eq!((ranked(Some(0)), ranked(None)), (13, 0));
    assert_eq!(table.strength(&[Some(0)], 4 * 12), 13);
    assert!(template(2, vec![]).one_piece_table(&[]).is_none());
    assert!(template(1, vec![]).one_piece_table(&[Domain { values: 17, maybe: false }; 3]).is_none());
    let plain = template(1, vec![]).fill(&[]).one_piece_table().unwrap();
    assert_eq!((plain.combinations(), plain.strength(&[], 51), plain.strength(&[], 52)), (1, 14, 1));
}

fn term() -> impl Strategy<Value = Term> {
    prop_oneof![(0..2_usize).prop_map(Term::Parameter), (0..4_u8).prop_map(Term::Value)]
}

fn open_pattern() -> impl Strategy<Value = Pattern<Term>> {
    let some = || prop::collection::vec(term(), 1..3);
    let leaf = prop_oneof![
        some().prop_map(|values| Pattern::Values { attribute: SUIT, at_least: Some(1), values }),
        some().prop_map(|values| Pattern::Values { attribute: RANK, at_least: None, values }),
        some().prop_map(|values| Pattern::Holds { attribute: SUIT, values }),
        some().prop_map(|values| Pattern::Top { scale: HIGH, values }),
        Just(Pattern::Natural),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2).prop_map(Pattern::All),
            prop::collection::vec(inner.clone(), 2).prop_map(Pattern::Any),
            inner.prop_map(|part| Pattern::Not(Box::new(part))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The table says of every two pieces what the plain evaluation says.
    #[test]
    fn a_table_of_single_pieces_agrees_with_the_plain_way(patterns in prop::collection::vec(open_pattern(), 0..4), low in any::<bool>()) {
        let mut open = template(1, patterns);
        open.classes[0].keys[0].low = low;
        open.readings.push(Reading { wild: Wild::Blank(52), stands_for: Some((SUIT, vec![OPEN])), into: None, may_double: true });
        let domains = [Domain { values: 4, maybe: true }, Domain { values: 2, maybe: false }];
        let table = open.one_piece_table(&domains).unwrap();
        for number in 0..table.combinations() {
            let arguments = Domain::arguments(&domains, number);
            let plain = open.fill(&arguments);
            let standings: Vec<_> = plain.deck.ids().map(|piece| plain.stand(&[Held { piece, called: None }]).unwrap()).collect();
            for (one, standing) in plain.deck.ids().zip(&standings) {
                prop_assert_eq!(table.strength(&arguments, one), table.strength_at(number, one));
                for (other, other_standing) in plain.deck.ids().zip(&standings) {
                    let wanted: Ordering = standing.compare(other_standing).0;
                    prop_assert_eq!(table.strength_at(number, one).cmp(&table.strength_at(number, other)), wanted);
                }
            }
        }
    }
}
