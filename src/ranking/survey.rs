//! The standing of every hand that a lens can tell apart.

use super::hands::{Symbols, choose, each_hand};
use super::judge::Judge;
use super::lens::{Lens, Slow};
use super::model::Ranking;
use super::resolve::Resolver;
use super::slots::Placement;
use super::spread::Spread;
use super::table::layout_for;

/// More different hands than this do not fit into the slots.
const MOST_HANDS: usize = 64_000;
/// How many sets of random words are tried before giving up: two in three will do, one in three of the largest.
const MOST_SEEDS: u64 = 200;

/// A hand seen through a lens, with its standing twice: as it is when its natural pieces are not all alike, and when they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub symbols: Symbols,
    pub slot: usize,
    /// How many real hands there are of each sort.
    pub mixed_ways: u64,
    pub alike_ways: u64,
    /// 0: there are no such hands, or no class fits them.
    pub mixed: u128,
    pub alike: u128,
}

#[derive(Clone, Debug)]
pub(crate) struct Survey {
    pub lens: Lens,
    pub judge: Judge,
    pub words: Vec<u64>,
    pub placement: Placement,
    pub cases: Vec<Case>,
    /// How many of the cases have no wild piece.
    pub naturals: usize,
}

impl Survey {
    /// Judges all hands of one size.
    pub fn new(ranking: &Ranking, size: u8) -> Result<Survey, Slow> {
        let lens = Lens::new(ranking, size)?;
        if choose(ranking.deck.total() as u64, u64::from(size)) == u64::MAX {
            return Err(Slow::ManyHands);
        }
        let judge = Judge::new(ranking, &lens)?;
        let (words, placement, cases) = place_hands(&lens)?;
        let mut survey = Survey { lens, judge, words, placement, cases, naturals: 0 };
        survey.judge_naturals();
        survey.judge_wild()?;
        Ok(survey)
    }

    /// Whether a symbol stands for a wild piece.
    pub fn is_wild(&self, symbol: usize) -> bool {
        symbol >= self.lens.values
    }

    /// Judges the hands without wild pieces.
    fn judge_naturals(&mut self) {
        let mut spread = Spread::new();
        for case in &mut self.cases {
            if case.symbols.iter().any(|s| s >= self.lens.values) {
                continue;
            }
            self.naturals += 1;
            case.symbols.iter().for_each(|s| spread.add(s));
            for (alike, ways, standing) in [(false, case.mixed_ways, &mut case.mixed), (true, case.alike_ways, &mut case.alike)] {
                if ways > 0 {
                    spread.alike = alike;
                    *standing = self.judge.standing(&spread, u64::MAX);
                }
            }
            case.symbols.iter().for_each(|s| spread.remove(s));
        }
    }

    /// Judges the hands with wild pieces, from the hands that they may stand for.
    fn judge_wild(&mut self) -> Result<(), Slow> {
        if self.naturals == self.cases.len() {
            return Ok(());
        }
        let mut resolved = Vec::new();
        let mut resolver = Resolver::new(self);
        for (at, case) in self.cases.iter().enumerate() {
            if case.symbols.iter().any(|s| self.is_wild(s)) {
                let mixed = if case.mixed_ways > 0 { resolver.best(&case.symbols, false)? } else { 0 };
                let alike = if case.alike_ways > 0 { resolver.best(&case.symbols, true)? } else { 0 };
                resolved.push((at, mixed, alike));
            }
        }
        for (at, mixed, alike) in resolved {
            if let Some(case) = self.cases.get_mut(at) {
                (case.mixed, case.alike) = (mixed, alike);
            }
        }
        Ok(())
    }
}

/// Lists all hands and gives each a slot.
fn place_hands(lens: &Lens) -> Result<(Vec<u64>, Placement, Vec<Case>), Slow> {
    let mut cases = Vec::new();
    let fits = each_hand(lens, &[], &mut |seen| {
        let (mixed_ways, alike_ways) = (seen.mixed, seen.alike);
        cases.push(Case { symbols: *seen.symbols, slot: 0, mixed_ways, alike_ways, mixed: 0, alike: 0 });
        cases.len() <= MOST_HANDS
    });
    if !fits {
        return Err(Slow::ManyHands);
    }
    let layout = layout_for(lens, cases.len()).ok_or(Slow::ManyHands)?;
    // The first suits packs of 4 times 13, with and without a wild blank, at five pieces a hand.
    for seed in 0..MOST_SEEDS {
        let words: Vec<u64> = (0..lens.symbol_count()).map(|s| layout.random_word(seed, s)).collect();
        let sum = |case: &Case| case.symbols.iter().filter_map(|s| words.get(s)).copied().reduce(u64::wrapping_add).unwrap_or(0);
        let sums: Vec<u64> = cases.iter().map(sum).collect();
        if let Some(placement) = Placement::new(layout, &sums) {
            for (case, sum) in cases.iter_mut().zip(&sums) {
                case.slot = placement.slot(*sum);
            }
            return Ok((words, placement, cases));
        }
    }
    Err(Slow::ManyHands)
}
