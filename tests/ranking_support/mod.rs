//! Packs and rankings that tests and benches share.
#![allow(dead_code, reason = "each test uses its own part")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops when something is wrong")]

use hoyle::ranking::*;

pub const RANK: AttributeId = 0;
pub const SUIT: AttributeId = 1;
/// The scale on which an ace is high, and may stand below the two.
pub const HIGH: ScaleId = 0;
/// The scale on which an ace is low.
pub const LOW: ScaleId = 1;

/// `ranks` times four suits, the highest `ranks` of thirteen; piece `4 * rank + suit`. Then so many jokers.
pub fn pack(ranks: u8, jokers: u8) -> Deck {
    let letters: Vec<char> = "23456789TJQKA".chars().skip(13 - usize::from(ranks)).collect();
    let suits = ['c', 'd', 'h', 's'];
    let mut pieces = Vec::new();
    for rank in 0..ranks {
        for suit in 0..4 {
            let text = format!("{}{}", letters[usize::from(rank)], suits[usize::from(suit)]);
            pieces.push(Piece { text, values: vec![rank, suit], copies: 1 });
        }
    }
    if jokers > 0 {
        pieces.push(Piece { text: "Jk".into(), values: vec![], copies: jokers });
    }
    let names = |of: &[char]| of.iter().map(char::to_string).collect();
    Deck {
        attributes: vec![Attribute { name: "rank".into(), values: names(&letters) }, Attribute { name: "suit".into(), values: names(&suits) }],
        pieces,
    }
}

pub fn key(word: KeyWord) -> Key {
    Key { word, wild_up: false, low: false }
}

pub fn run() -> Pattern {
    Pattern::Run { scale: HIGH, length: 5, step: 1, around: false, top: None }
}

pub fn same_suit() -> Pattern {
    Pattern::Same { attribute: SUIT, at_least: None }
}

pub fn groups(sizes: &[u8]) -> Pattern {
    Pattern::Groups { attribute: RANK, sizes: sizes.to_vec() }
}

pub fn class(name: &str, pattern: Pattern, keys: Vec<Key>) -> Class {
    Class { name: name.into(), pattern, keys }
}

/// The ten classes of the usual order, royal flush apart, best first.
pub fn standard(ranks: u8, jokers: u8) -> Ranking {
    let by_groups = || vec![key(KeyWord::Groups(HIGH)), key(KeyWord::Singles(HIGH))];
    let by_ranks = || vec![key(KeyWord::Every(HIGH))];
    let by_top = || vec![key(KeyWord::TopOfRun)];
    let royal = Pattern::Run { scale: HIGH, length: 5, step: 1, around: false, top: Some(ranks - 1) };
    let mut classes = vec![
        class("royal-flush", Pattern::All(vec![royal, same_suit()]), by_top()),
        class("straight-flush", Pattern::All(vec![run(), same_suit()]), by_top()),
        class("fours", groups(&[4]), by_groups()),
        class("full-hand", groups(&[3, 2]), by_groups()),
        class("flush", same_suit(), by_ranks()),
        class("straight", run(), by_top()),
        class("threes", groups(&[3]), by_groups()),
        class("two-pairs", groups(&[2, 2]), by_groups()),
        class("one-pair", groups(&[2]), by_groups()),
        class("high-card", Pattern::Anything, by_ranks()),
    ];
    let deck = pack(ranks, jokers);
    let mut readings = Vec::new();
    if jokers > 0 {
        classes.insert(0, class("fives", groups(&[5]), by_groups()));
        let blank = u8::try_from(deck.pieces.len() - 1).unwrap();
        readings.push(Reading { wild: Wild::Blank(blank), stands_for: None, into: None, may_double: true });
    }
    let ascending: Vec<u8> = (0..ranks).collect();
    let ace = ranks - 1;
    let low = [ace].into_iter().chain(0..ace).collect();
    Ranking {
        name: "standard".into(),
        deck,
        scales: vec![
            Scale { name: "high".into(), attribute: RANK, ascending, also_lowest: vec![ace] },
            Scale { name: "low".into(), attribute: RANK, ascending: low, also_lowest: vec![] },
        ],
        sizes: 5..=5,
        classes,
        readings,
        named_by_holder: vec![],
    }
}

/// The standard classes and the four eccentric ones in their customary places.
pub fn eccentric(jokers: u8) -> Ranking {
    let mut ranking = standard(13, jokers);
    let not_flush = || Pattern::Not(Box::new(same_suit()));
    let every = || vec![key(KeyWord::Every(HIGH))];
    let skip = Pattern::Run { scale: HIGH, length: 5, step: 2, around: false, top: None };
    let corner = Pattern::Run { scale: HIGH, length: 5, step: 1, around: true, top: None };
    let mut insert = |before: &str, class: Class| {
        let at = ranking.classes.iter().position(|c| c.name == before).unwrap();
        ranking.classes.insert(at, class);
    };
    let tiger = [groups(&[]), Pattern::Top { scale: HIGH, values: vec![5] }, Pattern::Bottom { scale: HIGH, values: vec![0] }, not_flush()];
    insert("straight", class("tiger", Pattern::All(tiger.to_vec()), every()));
    insert("threes", class("corner", Pattern::All(vec![corner, Pattern::Not(Box::new(run())), not_flush()]), every()));
    insert("two-pairs", class("skip", Pattern::All(vec![skip, not_flush()]), vec![key(KeyWord::TopOfRun)]));
    insert("two-pairs", class("blaze", Pattern::Values { attribute: RANK, at_least: None, values: vec![9, 10, 11] }, every()));
    ranking
}

/// The lowest hand wins; aces are low, and neither runs nor suits count.
pub fn lowball() -> Ranking {
    let mut ranking = standard(13, 0);
    let low = |word| Key { word, wild_up: false, low: true };
    let keys = || vec![low(KeyWord::Groups(LOW)), low(KeyWord::Singles(LOW))];
    ranking.classes = vec![
        class("no-pair", groups(&[]), vec![low(KeyWord::Every(LOW))]),
        class("one-pair", groups(&[2]), keys()),
        class("two-pairs", groups(&[2, 2]), keys()),
        class("threes", groups(&[3]), keys()),
        class("full-hand", groups(&[3, 2]), keys()),
        class("fours", groups(&[4]), keys()),
    ];
    ranking
}

/// A hand from its letters, `Ah Kd Jk`.
pub fn hand(ranking: &Ranking, text: &str) -> Vec<Held> {
    pieces(ranking, text).into_iter().map(|piece| Held { piece, called: None }).collect()
}

pub fn pieces(ranking: &Ranking, text: &str) -> Vec<PieceId> {
    let id = |word: &str| ranking.deck.pieces.iter().position(|p| p.text == word).unwrap_or_else(|| panic!("no {word}"));
    text.split_whitespace().map(|word| u8::try_from(id(word)).unwrap()).collect()
}

pub fn held(pieces: &[PieceId]) -> Vec<Held> {
    pieces.iter().map(|piece| Held { piece: *piece, called: None }).collect()
}

/// Every piece of the pack, copies one by one.
pub fn all_pieces(deck: &Deck) -> Vec<PieceId> {
    deck.ids().flat_map(|p| std::iter::repeat_n(p, usize::from(deck.copies(p)))).collect()
}
