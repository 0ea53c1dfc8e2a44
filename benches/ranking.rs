//! How fast rankings are compared, counted and compiled, beside `pokers`, which knows one order of hands and has it built in.
//!
//! Both sides start from arrays of card numbers (`4 * rank + suit`) and end with a number that compares. Rounds alternate within one process,
//! and what counts is the median of the rounds' ratios: other work on the machine then hits both sides alike. The process fails if a bar is
//! missed by more than a quarter.
#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a bench prints, and stops when something is wrong"
)]

#[path = "../tests/ranking_support/mod.rs"]
mod ranking_support;

use std::hint::black_box;
use std::time::Instant;

use hoyle::ranking::{PieceId, Ranking, Table, order};
use pokers::{CARDS, Hand};
use ranking_support::{eccentric, lowball, standard};

const ROUNDS: usize = 15;
const HANDS: usize = 1_000_000;
const JOKER: PieceId = 52;
const MARGIN: f64 = 0.75;

/// One line of the report.
struct Line {
    work: &'static str,
    ratio: f64,
    bar: f64,
    goal: f64,
    ours: f64,
    theirs: f64,
}

fn main() {
    let deck = CardTable::new();
    let (natural, wild) = (standard(13, 0), standard(13, 1));
    let (table, wild_table) = (natural.compile().unwrap(), wild.compile().unwrap());
    let (house, low) = (eccentric(0).compile().unwrap(), lowball().compile().unwrap());
    let hands = shuffled_hands(52, 1);
    let wild_hands = shuffled_hands(53, 2);
    let only_wild: Vec<[PieceId; 5]> = wild_hands.iter().copied().filter(|h| h.contains(&JOKER)).collect();

    println!("{} rounds; hands compared: {HANDS}, of which {} have a joker where there is one\n", ROUNDS, only_wild.len());
    let lines = [
        line("compare, against pokers", 0.7, 1.5, || ours(&table, &hands), || deck.all(&hands)),
        line("compare, eccentric classes, against our standard", 0.9, 1.0, || ours(&house, &hands), || ours(&table, &hands)),
        line("compare, lowest wins, against our standard", 0.9, 1.0, || ours(&low, &hands), || ours(&table, &hands)),
        line("compare, a joker in the pack, against pokers", 2.5, 5.0, || ours(&wild_table, &wild_hands), || deck.all_wild(&wild_hands)),
        line("  (only the hands with the joker)", 2.5, 5.0, || ours(&wild_table, &only_wild), || deck.all_wild(&only_wild)),
        line("count the classes of 52, against pokers", 10.0, 30.0, || counts(&table), || deck.count(false)),
        line("count the classes of 53, against pokers", 10.0, 80.0, || counts(&wild_table), || deck.count(true)),
        budget("order, check and compile, 52, within 50 ms", &natural),
        budget("order, check and compile, 53, within 50 ms", &wild),
    ];
    println!("{:<52} {:>9} {:>9} {:>8} {:>7} {:>7}", "work", "ours ms", "other ms", "ratio", "bar", "goal");
    let mut missed = false;
    for line in &lines {
        let short = line.ratio < line.bar * MARGIN;
        missed |= short;
        let mark = if short { "  MISSED" } else { "" };
        println!("{:<52} {:>9.3} {:>9.3} {:>8.2} {:>7.1} {:>7.1}{mark}", line.work, line.ours, line.theirs, line.ratio, line.bar, line.goal);
    }
    if missed {
        std::process::exit(1);
    }
}

/// Rounds of both sides in turn; the ratio is how many times as fast ours is.
fn line(work: &'static str, bar: f64, goal: f64, mut ours: impl FnMut() -> u64, mut theirs: impl FnMut() -> u64) -> Line {
    let mut rounds = Vec::new();
    for _ in 0..=ROUNDS {
        rounds.push((milliseconds(&mut ours), milliseconds(&mut theirs)));
    }
    // The first round warms up.
    rounds.remove(0);
    let ratio = median(rounds.iter().map(|(o, t)| t / o));
    Line { work, ratio, bar, goal, ours: median(rounds.iter().map(|r| r.0)), theirs: median(rounds.iter().map(|r| r.1)) }
}

/// Work with no peer: how often it fits into fifty milliseconds. The classes' order is found first, from a chain of edges.
fn budget(work: &'static str, ranking: &Ranking) -> Line {
    let count = ranking.classes.len();
    let edges: Vec<(usize, usize)> = (1..count).map(|c| (c - 1, c)).collect();
    let mut load = || {
        let sorted = order(black_box(count), &edges, &vec![true; count]).unwrap();
        let checked = black_box(ranking).check();
        assert!(checked.faults.is_empty() && sorted.len() == count);
        u64::from(checked.table.unwrap().best())
    };
    let mut rounds: Vec<f64> = (0..=ROUNDS).map(|_| milliseconds(&mut load)).collect();
    rounds.remove(0);
    let ours = median(rounds.into_iter());
    Line { work, ratio: 50.0 / ours, bar: 1.0, goal: 10.0, ours, theirs: 50.0 }
}

fn milliseconds(work: &mut impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64() * 1000.0
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Sums the strengths, so that every hand must be evaluated.
#[inline(never)]
fn ours(table: &Table, hands: &[[PieceId; 5]]) -> u64 {
    hands.iter().map(|hand| u64::from(table.strength5(hand))).sum()
}

fn counts(table: &Table) -> u64 {
    let counts = table.counts();
    assert_eq!(counts.iter().sum::<u64>(), if counts.len() == 10 { 2_598_960 } else { 2_869_685 });
    counts[0]
}

/// The peer's cards, in a table that one byte cannot leave, which spares it the bounds checks.
struct CardTable(Box<[Hand; 256]>);

impl CardTable {
    fn new() -> CardTable {
        let mut cards = Box::new([Hand::default(); 256]);
        cards[..52].copy_from_slice(&CARDS);
        CardTable(cards)
    }

    #[inline]
    fn card(&self, card: PieceId) -> Hand {
        self.0[usize::from(card)]
    }

    #[inline(never)]
    fn all(&self, hands: &[[PieceId; 5]]) -> u64 {
        let strength = |h: &[PieceId; 5]| {
            let hand = Hand::default() + self.card(h[0]) + self.card(h[1]) + self.card(h[2]) + self.card(h[3]) + self.card(h[4]);
            u64::from(hand.evaluate())
        };
        hands.iter().map(strength).sum()
    }

    #[inline(never)]
    fn all_wild(&self, hands: &[[PieceId; 5]]) -> u64 {
        hands.iter().map(|hand| u64::from(self.wild(hand))).sum()
    }

    /// The best of all cards that the joker may stand for. It cannot say five of a kind: of four alike it makes the best it knows.
    #[inline]
    fn wild(&self, hand: &[PieceId; 5]) -> u16 {
        let mut sum = Hand::default();
        let mut joker = false;
        for card in hand {
            if *card == JOKER {
                joker = true;
            } else {
                sum += self.card(*card);
            }
        }
        if joker { self.substitute(sum) } else { sum.evaluate() }
    }

    fn substitute(&self, four: Hand) -> u16 {
        let mut best = 0;
        for card in CARDS {
            if four.get_mask() & card.get_mask() == 0 {
                best = best.max((four + card).evaluate());
            }
        }
        best
    }

    /// Counts classes by walking through all hands, adding each card as soon as it is known.
    fn count(&self, joker: bool) -> u64 {
        let mut classes = [0_u64; 16];
        for (a, first) in CARDS.iter().enumerate() {
            let one = Hand::default() + *first;
            for (b, second) in CARDS[..a].iter().enumerate() {
                let two = one + *second;
                for (c, third) in CARDS[..b].iter().enumerate() {
                    let three = two + *third;
                    for (d, fourth) in CARDS[..c].iter().enumerate() {
                        let four = three + *fourth;
                        for card in &CARDS[..d] {
                            classes[usize::from((four + *card).evaluate() >> 12)] += 1;
                        }
                        if joker {
                            classes[usize::from(self.substitute(four) >> 12)] += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(classes.iter().sum::<u64>(), if joker { 2_869_685 } else { 2_598_960 });
        classes[1]
    }
}

/// Hands of five different cards, each dealt from a shuffled pack.
fn shuffled_hands(cards: u8, seed: u64) -> Vec<[PieceId; 5]> {
    let mut state = seed;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut pack: Vec<PieceId> = (0..cards).collect();
    (0..HANDS)
        .map(|_| {
            for at in 0..5 {
                let other = at + next(pack.len() - at);
                pack.swap(at, other);
            }
            [pack[0], pack[1], pack[2], pack[3], pack[4]]
        })
        .collect()
}
