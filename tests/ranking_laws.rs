//! Laws of orders, on random hands.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test stops when something is wrong")]

mod ranking_support;

use std::cmp::Ordering;
use std::sync::LazyLock;

use hoyle::ranking::*;
use quickcheck::{Arbitrary, Gen, quickcheck};
use ranking_support::*;

struct Ready {
    ranking: Ranking,
    table: Table,
}

fn ready(ranking: Ranking) -> Ready {
    let table = ranking.compile().unwrap();
    Ready { ranking, table }
}

static NATURAL: LazyLock<Ready> = LazyLock::new(|| ready(standard(13, 0)));
static WILD: LazyLock<Ready> = LazyLock::new(|| ready(standard(13, 1)));
static HOUSE: LazyLock<Ready> = LazyLock::new(|| ready(eccentric(1)));

/// Five of 53 cards, the last one the joker.
#[derive(Clone, Debug)]
struct Five([PieceId; 5]);

impl Arbitrary for Five {
    fn arbitrary(g: &mut Gen) -> Five {
        let mut pack: Vec<PieceId> = (0..53).collect();
        let mut five = [0; 5];
        for (i, place) in five.iter_mut().enumerate() {
            // The joker comes often, and so do near ranks, or the interesting classes would hardly be met.
            let near = i > 0 && bool::arbitrary(g);
            let at = if near { usize::arbitrary(g) % 8 } else { usize::arbitrary(g) % pack.len() };
            *place = pack.remove(if i == 0 && u8::arbitrary(g) % 4 == 0 { pack.len() - 1 } else { at });
        }
        Five(five)
    }
}

impl Five {
    fn natural(&self) -> bool {
        !self.0.contains(&52)
    }
}

fn compare(r: &Ready, a: &Five, b: &Five) -> Ordering {
    let standing = |h: &Five| r.ranking.stand(&held(&h.0)).unwrap();
    let plainly = standing(a).compare(&standing(b)).0;
    assert_eq!(plainly, r.table.compare(&a.0, &b.0), "table and definition on {a:?} and {b:?}");
    plainly
}

quickcheck! {
    fn what_beats_is_beaten(a: Five, b: Five) -> bool {
        [&*WILD, &*HOUSE].iter().all(|r| compare(r, &a, &b) == compare(r, &b, &a).reverse())
    }

    fn a_hand_is_level_with_itself(a: Five) -> bool {
        [&*WILD, &*HOUSE].iter().all(|r| compare(r, &a, &a) == Ordering::Equal)
    }

    fn order_is_transitive(a: Five, b: Five, c: Five) -> bool {
        [&*WILD, &*HOUSE].iter().all(|r| {
            let (ab, bc, ac) = (compare(r, &a, &b), compare(r, &b, &c), compare(r, &a, &c));
            if ab == bc || bc == Ordering::Equal { ac == ab } else if ab == Ordering::Equal { ac == bc } else { true }
        })
    }

    fn the_order_of_the_cards_does_not_matter(a: Five, turn: usize) -> bool {
        let mut turned = a.clone();
        turned.0.rotate_left(turn % 5);
        turned.0.swap(0, turn % 4);
        compare(&WILD, &a, &turned) == Ordering::Equal
    }

    fn suits_may_change_places(a: Five, turn: u8) -> bool {
        let moved = Five(a.0.map(|c| if c == 52 { c } else { c / 4 * 4 + (c + turn % 4) % 4 }));
        compare(&HOUSE, &a, &moved) == Ordering::Equal
    }

    fn a_joker_is_never_worse_than_a_card(a: Five, place: usize) -> bool {
        let mut better = a.clone();
        if a.natural() {
            better.0[place % 5] = 52;
        }
        compare(&WILD, &better, &a) != Ordering::Less && compare(&HOUSE, &better, &a) != Ordering::Less
    }

    fn natural_hands_stand_as_without_a_joker_in_the_pack(a: Five, b: Five) -> bool {
        !(a.natural() && b.natural()) || compare(&NATURAL, &a, &b) == compare(&WILD, &a, &b)
    }

    fn classes_in_a_chain_are_ordered_along_it(chain: Vec<usize>) -> bool {
        let mut chain = chain;
        chain.sort_unstable_by_key(|n| n.wrapping_mul(0x9E37_79B9));
        chain.dedup();
        let count = chain.len();
        let rank = |n: &usize| chain.iter().filter(|m| *m < n).count();
        let ids: Vec<usize> = chain.iter().map(rank).collect();
        let edges: Vec<(usize, usize)> = ids.windows(2).map(|w| (w[0], w[1])).collect();
        let mut unique = ids.clone();
        unique.sort_unstable();
        unique.dedup();
        unique.len() < count || order(count, &edges, &vec![true; count]) == Ok(ids)
    }
}
