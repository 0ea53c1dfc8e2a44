//! Exact counts. Clause 7.11.
//!
//! Hands that look alike through a lens are counted together, from the numbers of pieces that may be picked. Only questions that a lens cannot
//! show are put to every hand one by one.

use rayon::prelude::*;

use super::hands::{choose, each_hand};
use super::judge::{Test, test};
use super::model::{Held, Pattern, PieceId, Ranking};
use super::resolve::Resolver;
use super::spread::Spread;
use super::survey::{Case, Survey};
use super::table::Table;

/// More hands than this are not looked at one by one.
const MOST_HANDS: u64 = 20_000_000;

/// How many hands fit, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    pub fitting: u64,
    pub of: u64,
}

/// More ways to read hands than this are not tried one by one: that would be many minutes.
const MOST_READINGS: u64 = 100_000_000;

/// There are too many hands, or ways to read their wild pieces, to count them: so many, or more than can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany(pub u64);

impl Table {
    /// How many hands of the pack are of each class, in the order of the classes.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.class_count()];
        each_hand(&self.lens, &self.symbol_words, &mut |seen| {
            let (mixed, alike) = self.both(seen.sum);
            for (strength, ways) in [(mixed, seen.mixed), (alike, seen.alike)].into_iter().filter(|(_, ways)| *ways > 0) {
                if let Some(count) = self.class_of(strength).and_then(|c| counts.get_mut(c)) {
                    *count += ways;
                }
            }
            true
        });
        counts
    }
}

impl Ranking {
    /// How many hands of the largest size a question fits, each read as it stands best. A hand that is not ranked does not fit.
    ///
    /// # Errors
    /// There are too many hands.
    pub fn count(&self, question: &Pattern) -> Result<Counted, TooMany> {
        let size = *self.sizes.end();
        let of = choose(self.deck.total() as u64, u64::from(size));
        if of == u64::MAX {
            return Err(TooMany(of));
        }
        let seen = Survey::new(self, size).ok().filter(|s| s.lens.shows(self, question));
        let fitting = match seen.and_then(|survey| self.count_seen(&survey, question)) {
            Some(fitting) => fitting,
            None => {
                self.can_be_walked(size, of)?;
                self.count_plainly(question, size)
            }
        };
        Ok(Counted { fitting, of })
    }

    /// How many hands of the largest size are of each class, in the order of the classes.
    ///
    /// # Errors
    /// There are too many hands.
    pub fn count_classes(&self) -> Result<Vec<Counted>, TooMany> {
        let size = *self.sizes.end();
        let of = choose(self.deck.total() as u64, u64::from(size));
        if let Ok(table) = self.compile() {
            return Ok(table.counts().into_iter().map(|fitting| Counted { fitting, of }).collect());
        }
        if Survey::new(self, size).is_ok() {
            return (0..self.classes.len()).map(|class| self.count(&Pattern::Class(class))).collect();
        }
        // Every hand is looked at once, and not once for each class.
        self.can_be_walked(size, of)?;
        let count = |counts: &mut Vec<u64>, hand: &[PieceId]| {
            let class = self.stand(&held(hand)).ok().map(|standing| standing.class);
            if let Some(cell) = class.and_then(|class| counts.get_mut(class)) {
                *cell += 1;
            }
        };
        let add = |one: Vec<u64>, other: Vec<u64>| one.iter().zip(other).map(|(a, b)| a + b).collect();
        let none = || vec![0; self.classes.len()];
        let counts = self.each_plainly(size, none, count).reduce(none, add);
        Ok(counts.into_iter().map(|fitting| Counted { fitting, of }).collect())
    }

    /// Whether every hand can be looked at with every meaning of its wild pieces.
    fn can_be_walked(&self, size: u8, hands: u64) -> Result<(), TooMany> {
        if hands > MOST_HANDS {
            return Err(TooMany(hands));
        }
        let copies = |wild: bool| -> u64 {
            self.deck.ids().filter(|piece| self.is_wild(*piece) == wild).map(|piece| u64::from(self.deck.copies(piece))).sum()
        };
        let (wild, natural) = (copies(true), copies(false));
        let meanings = self.deck.pieces.len() as u64;
        let size = u64::from(size);
        let readings = (0..=size.min(wild)).fold(0_u64, |sum, held| {
            let hands = choose(wild, held).saturating_mul(choose(natural, size - held));
            sum.saturating_add(hands.saturating_mul(meanings.saturating_pow(u32::try_from(held).unwrap_or(u32::MAX))))
        });
        if readings > MOST_READINGS { Err(TooMany(readings)) } else { Ok(()) }
    }

    /// Counts through a lens; `None`: too many hands must be looked at one by one all the same.
    fn count_seen(&self, survey: &Survey, question: &Pattern) -> Option<u64> {
        let test = test(self, &survey.lens, question);
        let mut resolver = Resolver::new(survey);
        let mut fitting = 0;
        for case in &survey.cases {
            for (alike, ways, standing) in [(false, case.mixed_ways, case.mixed), (true, case.alike_ways, case.alike)] {
                let Some(class) = survey.judge.class(standing).filter(|_| ways > 0) else { continue };
                let answer = if case.symbols.iter().any(|s| survey.is_wild(s)) {
                    resolver.answer(&case.symbols, alike, &test).ok()?
                } else {
                    Some(fits_natural(survey, case, alike, class, &test))
                };
                fitting += match answer {
                    Some(true) => ways,
                    Some(false) => 0,
                    None if ways > MOST_HANDS => return None,
                    None => self.count_case(survey, case, alike, question),
                };
            }
        }
        Some(fitting)
    }

    /// Counts the hands of one case one by one.
    fn count_case(&self, survey: &Survey, case: &Case, alike: bool, question: &Pattern) -> u64 {
        let symbols: Vec<usize> = case.symbols.iter().collect();
        let mut count = 0;
        let pack = pack(self);
        let symbol = |p: &PieceId| survey.lens.symbols.get(usize::from(*p)).copied();
        let mut visit = |hand: &[PieceId]| {
            let naturals = || hand.iter().filter(|p| symbol(p).is_some_and(|s| !survey.is_wild(s)));
            let column = |p: &PieceId| survey.lens.columns.get(usize::from(*p));
            let same = naturals().all(|p| column(p) == naturals().next().and_then(column));
            count += u64::from((survey.lens.alike.is_some() && same) == alike && self.fits_plainly(question, hand));
        };
        pick_symbols(&pack, &symbols, &symbol, 0, &mut Vec::new(), &mut visit);
        count
    }

    fn count_plainly(&self, question: &Pattern, size: u8) -> u64 {
        self.each_plainly(size, || 0, |count, hand| *count += u64::from(self.fits_plainly(question, hand))).sum()
    }

    /// Looks at every hand one by one; the first piece divides the work, and each part of it has what `start` makes.
    fn each_plainly<T: Send>(
        &self,
        size: u8,
        start: impl Fn() -> T + Sync + Send,
        visit: impl Fn(&mut T, &[PieceId]) + Sync + Send,
    ) -> impl ParallelIterator<Item = T> {
        let pack = pack(self);
        let rest = usize::from(size).saturating_sub(1);
        (0..pack.len()).into_par_iter().map(move |first| {
            let (mut hand, mut found) = (pack.get(first).copied().into_iter().collect(), start());
            let later = pack.get(first + 1..).unwrap_or(&[]);
            pick_any(later, rest, &mut hand, &mut |hand| visit(&mut found, hand));
            found
        })
    }

    fn fits_plainly(&self, question: &Pattern, hand: &[PieceId]) -> bool {
        self.matches(question, &held(hand)) == Ok(true)
    }
}

/// Pieces that nobody has called anything.
fn held(hand: &[PieceId]) -> Vec<Held> {
    hand.iter().map(|piece| Held { piece: *piece, called: None }).collect()
}

fn fits_natural(survey: &Survey, case: &Case, alike: bool, class: usize, test: &Test) -> bool {
    let mut spread = Spread::new();
    case.symbols.iter().for_each(|s| spread.add(s));
    (spread.alike, spread.class) = (alike, Some(class));
    survey.judge.fits(test, &spread)
}

/// Every piece of the pack, copies one by one.
fn pack(ranking: &Ranking) -> Vec<PieceId> {
    ranking.deck.ids().flat_map(|p| std::iter::repeat_n(p, usize::from(ranking.deck.copies(p)))).collect()
}

/// Visits all ways to add `more` pieces to the hand.
fn pick_any(pack: &[PieceId], more: usize, hand: &mut Vec<PieceId>, visit: &mut impl FnMut(&[PieceId])) {
    if more == 0 {
        return visit(hand);
    }
    let mut rest = pack;
    while let Some((piece, later)) = rest.split_first() {
        rest = later;
        hand.push(*piece);
        pick_any(later, more - 1, hand, visit);
        hand.pop();
    }
}

/// Visits all ways to pick pieces with these symbols, which rise; `from`: the first piece that may be picked for a repeated symbol.
fn pick_symbols(
    pack: &[PieceId],
    symbols: &[usize],
    symbol: &impl Fn(&PieceId) -> Option<usize>,
    from: usize,
    hand: &mut Vec<PieceId>,
    visit: &mut impl FnMut(&[PieceId]),
) {
    let Some((wanted, rest)) = symbols.split_first() else { return visit(hand) };
    for (at, piece) in pack.iter().enumerate().skip(from).filter(|(_, p)| symbol(p) == Some(*wanted)) {
        let next = if rest.first() == Some(wanted) { at + 1 } else { 0 };
        hand.push(*piece);
        pick_symbols(pack, rest, symbol, next, hand, visit);
        hand.pop();
    }
}
