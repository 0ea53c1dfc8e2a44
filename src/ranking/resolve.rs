//! What wild pieces stand for, seen through a lens: every meaning is tried, as the definition says, but on values instead of pieces.

use std::collections::HashMap;

use super::hands::Symbols;
use super::judge::Test;
use super::lens::{Kind, Lens, Sight, Slow};
use super::spread::Spread;
use super::survey::Survey;

/// So many meanings may be weighed in all before a ranking is given up.
const MOST_MEANINGS: u64 = 3_000_000;

/// One wild piece and the value it is given; `None`: it stands for nothing.
#[derive(Clone, Copy, Debug)]
struct Given {
    kind: usize,
    value: Option<usize>,
}

/// Looks for the best meaning of the wild pieces of one hand after another.
pub(crate) struct Resolver<'a> {
    survey: &'a Survey,
    /// The case at each slot.
    at_slot: Vec<u32>,
    /// Standings of hands that no natural hand shows, such as doubles.
    known: HashMap<(u128, bool, u8), u128>,
    weighed: u64,
    spread: Spread,
    sum: u64,
    given: Vec<Given>,
    /// The natural pieces of the hand are all alike.
    naturals_alike: bool,
    best: Best,
    /// Keep all meanings that are as good as the best.
    all: bool,
    /// Those others.
    equals: Vec<Best>,
}

/// The best meaning so far, as it was judged, and what it was.
#[derive(Clone, Debug, Default)]
struct Best {
    standing: u128,
    allowed: u64,
    alike: bool,
    given: Vec<Given>,
}

impl<'a> Resolver<'a> {
    pub fn new(survey: &'a Survey) -> Resolver<'a> {
        let mut at_slot = vec![u32::MAX; survey.placement.layout.slots()];
        for (at, case) in survey.cases.iter().enumerate() {
            if let Some(cell) = at_slot.get_mut(case.slot) {
                *cell = u32::try_from(at).unwrap_or(u32::MAX);
            }
        }
        Resolver {
            survey,
            at_slot,
            known: HashMap::new(),
            weighed: 0,
            spread: Spread::new(),
            sum: 0,
            given: Vec::new(),
            naturals_alike: false,
            best: Best::default(),
            all: false,
            equals: Vec::new(),
        }
    }

    /// The best standing of a hand with wild pieces.
    pub fn best(&mut self, symbols: &Symbols, alike: bool) -> Result<u128, Slow> {
        let values = self.lens().values;
        let wild: Vec<usize> = symbols.iter().filter(|s| *s >= values).map(|s| s - values).collect();
        self.naturals_alike = alike;
        self.best = Best::default();
        self.equals.clear();
        symbols.iter().filter(|s| *s < values).for_each(|s| self.add(s));
        let blanks = wild.iter().filter(|k| self.kind(**k).is_some_and(|kind| kind.blank)).count();
        let mut searched = Ok(());
        // As few blanks as possible stand for nothing.
        for nothings in 0..=blanks {
            searched = self.give(&wild, nothings);
            if searched.is_err() || self.best.standing > 0 {
                break;
            }
        }
        let standing = self.as_wild(&wild);
        symbols.iter().filter(|s| *s < values).for_each(|s| self.remove(s));
        searched.map(|()| standing)
    }

    /// What a question says of a hand with wild pieces, read as it stands best; `None`: it hangs on which of several equal readings is taken.
    pub fn answer(&mut self, symbols: &Symbols, alike: bool, question: &Test) -> Result<Option<bool>, Slow> {
        self.all = true;
        let judge = &self.survey.judge;
        let class = judge.class(self.best(symbols, alike)?);
        let mut answers = Vec::new();
        let mut spread = Spread::new();
        symbols.iter().filter(|s| *s < self.lens().values).for_each(|s| spread.add(s));
        spread.class = class;
        for best in std::iter::once(&self.best).chain(&self.equals) {
            let values = || best.given.iter().filter_map(|g| g.value);
            values().for_each(|v| spread.add(v));
            spread.nothings = u8::try_from(best.given.len() - values().count()).unwrap_or(0);
            spread.wilds = u8::try_from(best.given.len()).unwrap_or(u8::MAX);
            spread.alike = best.alike;
            answers.push(class.is_some() && judge.fits(question, &spread));
            values().for_each(|v| spread.remove(v));
        }
        let first = answers.first().copied();
        Ok(first.filter(|f| answers.iter().all(|a| a == f)))
    }

    fn lens(&self) -> &'a Lens {
        &self.survey.lens
    }

    fn kind(&self, kind: usize) -> Option<&'a Kind> {
        self.survey.lens.kinds.get(kind)
    }

    fn add(&mut self, value: usize) {
        self.spread.add(value);
        self.sum = self.sum.wrapping_add(self.survey.words.get(value).copied().unwrap_or(0));
    }

    fn remove(&mut self, value: usize) {
        self.spread.remove(value);
        self.sum = self.sum.wrapping_sub(self.survey.words.get(value).copied().unwrap_or(0));
    }

    /// Gives the remaining wild pieces every meaning; pieces of one kind get rising ones, for it is the same which of them means what.
    fn give(&mut self, wild: &[usize], nothings: usize) -> Result<(), Slow> {
        let Some((kind, rest)) = wild.split_first() else {
            return if nothings == 0 { self.weigh() } else { Ok(()) };
        };
        let last = self.given.last().filter(|g| g.kind == *kind).copied();
        let start = match last {
            Some(Given { value: None, .. }) => self.lens().values,
            Some(Given { value: Some(value), .. }) => value,
            None => 0,
        };
        let reach = self.kind(*kind).map_or(0, |k| k.meanings.iter().map(|m| m.values).reduce(|a, b| a | b).unwrap_or(0));
        let lens = self.lens();
        for value in (start..lens.values).filter(|v| reach >> v & 1 == 1 && lens.whole_copies(*v) > 0) {
            self.given.push(Given { kind: *kind, value: Some(value) });
            self.add(value);
            let on = self.give(rest, nothings);
            self.remove(value);
            self.given.pop();
            on?;
        }
        if nothings > 0 && self.kind(*kind).is_some_and(|k| k.blank) {
            self.given.push(Given { kind: *kind, value: None });
            self.spread.nothings += 1;
            let on = self.give(rest, nothings - 1);
            self.spread.nothings -= 1;
            self.given.pop();
            on?;
        }
        Ok(())
    }

    /// Judges one meaning, with all pieces alike if that can be, and not alike if that can be.
    fn weigh(&mut self) -> Result<(), Slow> {
        self.weighed += 1;
        if self.weighed > MOST_MEANINGS {
            return Err(Slow::ManyMeanings);
        }
        let lens = self.lens();
        let (looks, nothing) = (lens.alike.is_some(), self.spread.nothings > 0);
        if looks && self.naturals_alike && !nothing {
            let allowed = self.allowed_alike();
            self.judge(true, allowed);
        }
        // To be unlike the naturals that are all alike, a wild piece needs another column, and another piece to be unlike to.
        if !looks || !self.naturals_alike || nothing || (lens.column_count() > 1 && lens.size > 1) {
            let allowed = self.allowed_mixed()?;
            self.judge(false, allowed);
        }
        Ok(())
    }

    fn judge(&mut self, alike: bool, allowed: u64) {
        if allowed == 0 {
            return;
        }
        let standing = self.standing(alike, allowed);
        if standing > self.best.standing {
            self.best = Best { standing, allowed, alike, given: self.given.clone() };
            self.equals.clear();
        } else if standing > 0 && standing == self.best.standing && self.all {
            self.equals.push(Best { standing, allowed, alike, given: self.given.clone() });
        }
    }

    /// The standing of the hand with the meanings given. Unless the ranking sees which pieces are wild, they are judged as if they were natural.
    fn standing(&mut self, alike: bool, allowed: u64) -> u128 {
        if self.survey.judge.sight == Sight::Pieces {
            let given = std::mem::take(&mut self.given);
            let standing = self.judged_as_wild(&given, alike, allowed);
            self.given = given;
            return standing;
        }
        let judge = &self.survey.judge;
        let seen = self.natural(alike).unwrap_or_else(|| {
            let spread = &mut self.spread;
            spread.alike = alike;
            *self.known.entry((spread.code, alike, spread.nothings)).or_insert_with(|| judge.standing(spread, u64::MAX))
        });
        if judge.class(seen).is_none_or(|class| allowed >> class & 1 == 1) {
            return seen;
        }
        self.spread.alike = alike;
        judge.standing(&self.spread, allowed)
    }

    /// The standing of the natural hand that looks like this one, if there is such a hand.
    fn natural(&self, alike: bool) -> Option<u128> {
        let held = |given: &Given| given.value.is_some_and(|v| u64::from(self.spread.count(v)) <= self.lens().copies(v));
        if !self.given.iter().all(held) {
            return None;
        }
        let at = *self.at_slot.get(self.survey.placement.slot(self.sum))?;
        let case = self.survey.cases.get(at as usize)?;
        let standing = if alike { case.alike } else { case.mixed };
        Some(standing).filter(|s| *s > 0)
    }

    /// The best meaning's standing with its wild pieces seen as wild.
    fn as_wild(&mut self, wild: &[usize]) -> u128 {
        if self.best.standing == 0 || self.survey.judge.sight != Sight::Number || wild.is_empty() {
            return self.best.standing;
        }
        let best = self.best.clone();
        for value in best.given.iter().filter_map(|g| g.value) {
            self.spread.add(value);
        }
        let nothings = best.given.iter().filter(|g| g.value.is_none()).count();
        self.spread.nothings = u8::try_from(nothings).unwrap_or(0);
        let standing = self.judged_as_wild(&best.given, best.alike, best.allowed);
        self.spread.nothings = 0;
        for value in best.given.iter().filter_map(|g| g.value) {
            self.spread.remove(value);
        }
        standing
    }

    /// Judges the spread, in which the given meanings stand already, with the wild pieces marked.
    fn judged_as_wild(&mut self, given: &[Given], alike: bool, allowed: u64) -> u128 {
        for value in given.iter().filter_map(|g| g.value) {
            self.spread.mark(value, true);
        }
        self.spread.wilds = u8::try_from(given.len()).unwrap_or(u8::MAX);
        self.spread.alike = alike;
        let standing = self.survey.judge.standing(&self.spread, allowed);
        self.spread.wilds = 0;
        for value in given.iter().filter_map(|g| g.value) {
            self.spread.mark(value, false);
        }
        standing
    }

    /// Classes that all wild pieces may make when each stands for a piece of the naturals' own column.
    fn allowed_alike(&self) -> u64 {
        let lens = self.lens();
        let one_column = |value: usize| lens.whole.get(value).and_then(|row| row.first()).copied().unwrap_or(0);
        let allowed = self.given.iter().map(|g| self.allowed(*g, |value| u32::from(self.spread.count(value)) <= one_column(value)));
        allowed.reduce(|a, b| a & b).unwrap_or(u64::MAX)
    }

    /// The same when they stand for pieces of several columns, chosen so that as few as possible double a held piece.
    fn allowed_mixed(&self) -> Result<u64, Slow> {
        let mut allowed = u64::MAX;
        for given in &self.given {
            let over = given.value.is_some_and(|v| u32::from(self.spread.count(v)) > self.lens().whole_copies(v));
            if over && self.given.len() > 1 && self.doubles_differ(given.value) {
                return Err(Slow::MixedDoubles);
            }
            allowed &= self.allowed(*given, |_| !over);
        }
        Ok(allowed)
    }

    /// Classes that one wild piece may make; `free`: there is a piece of the value that nobody holds.
    fn allowed(&self, given: Given, free: impl Fn(usize) -> bool) -> u64 {
        let (Some(value), Some(kind)) = (given.value, self.kind(given.kind)) else { return u64::MAX };
        let meanings = kind.meanings.iter().filter(|m| m.values >> value & 1 == 1 && (m.may_double || free(value)));
        meanings.map(|m| m.classes).reduce(|a, b| a | b).unwrap_or(0)
    }

    /// Whether of the wild pieces that stand for this value some may double and some may not.
    fn doubles_differ(&self, value: Option<usize>) -> bool {
        let Some(value) = value else { return false };
        let kinds = self.given.iter().filter(|g| g.value == Some(value)).filter_map(|g| self.kind(g.kind));
        let mut doubles = kinds.flat_map(|k| &k.meanings).filter(|m| m.values >> value & 1 == 1).map(|m| m.may_double);
        let first = doubles.next();
        doubles.any(|d| Some(d) != first)
    }
}
