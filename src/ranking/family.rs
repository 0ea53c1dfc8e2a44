//! Rankings that leave values open until a position is known, and what they make of single pieces. Clause 7.1.

use std::cmp::Ordering;

use super::model::{Class, Held, Pattern, PieceId, Ranking, Reading, ValueId, Wild};
use super::naive::Standing;

/// What stands where a value is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    Value(ValueId),
    /// The parameter at this position.
    Parameter(usize),
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// How many values its kind has.
    pub values: u8,
    /// It may be `none` as well.
    pub maybe: bool,
}

impl Domain {
    /// How many things it may be.
    #[must_use]
    pub fn size(self) -> usize {
        usize::from(self.values) + usize::from(self.maybe)
    }

    /// In how many ways several parameters can be filled; `usize::MAX` if that is more.
    #[must_use]
    pub fn combinations(domains: &[Domain]) -> usize {
        domains.iter().fold(1, |count, domain| count.saturating_mul(domain.size()))
    }

    /// The way with this number: the last parameter turns fastest, and `none` comes after all values.
    #[must_use]
    pub fn arguments(domains: &[Domain], number: usize) -> Vec<Option<ValueId>> {
        let mut left = number;
        let mut arguments: Vec<Option<ValueId>> = Vec::new();
        for domain in domains.iter().rev() {
            let size = domain.size().max(1);
            arguments.push(ValueId::try_from(left % size).ok().filter(|value| *value < domain.values));
            left /= size;
        }
        arguments.reverse();
        arguments
    }

    /// The number of a way; `None`: the parameters cannot be filled so.
    #[must_use]
    pub fn number(domains: &[Domain], arguments: &[Option<ValueId>]) -> Option<usize> {
        if domains.len() != arguments.len() {
            return None;
        }
        domains.iter().zip(arguments).try_fold(0_usize, |number, (domain, argument)| {
            let digit = match argument {
                Some(value) if *value < domain.values => usize::from(*value),
                None if domain.maybe => usize::from(domain.values),
                Some(_) | None => return None,
            };
            number.checked_mul(domain.size())?.checked_add(digit)
        })
    }
}

impl Term {
    /// The value, once the parameters are known. A parameter without an argument is `none`.
    #[must_use]
    pub fn value(self, arguments: &[Option<ValueId>]) -> Option<ValueId> {
        match self {
            Term::Value(value) => Some(value),
            Term::Parameter(at) => arguments.get(at).copied().flatten(),
        }
    }
}

/// Those that are values, each once.
fn values(terms: &[Term], arguments: &[Option<ValueId>]) -> Vec<ValueId> {
    let mut values = Vec::new();
    for value in terms.iter().filter_map(|term| term.value(arguments)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// A pattern that fits no hand.
fn nothing() -> Pattern {
    Pattern::Any(Vec::new())
}

impl<V> Pattern<V> {
    /// Calls `see` for whatever stands where a value is wanted.
    pub fn each_value(&self, see: &mut impl FnMut(&V)) {
        match self {
            Pattern::Run { top, .. } => top.iter().for_each(see),
            Pattern::Top { values, .. } | Pattern::Bottom { values, .. } | Pattern::Values { values, .. } | Pattern::Holds { values, .. } => {
                values.iter().for_each(see);
            }
            Pattern::Not(_) | Pattern::All(_) | Pattern::Any(_) => self.parts().iter().for_each(|part| part.each_value(see)),
            Pattern::Anything | Pattern::Groups { .. } | Pattern::Same { .. } | Pattern::Natural | Pattern::Class(_) => {}
        }
    }
}

impl Pattern<Term> {
    /// The pattern once the parameters are known; `none` fits no piece.
    #[must_use]
    pub fn fill(&self, arguments: &[Option<ValueId>]) -> Pattern {
        let filled = |parts: &[Pattern<Term>]| parts.iter().map(|part| part.fill(arguments)).collect();
        match self {
            Pattern::Anything => Pattern::Anything,
            Pattern::Not(part) => Pattern::Not(Box::new(part.fill(arguments))),
            Pattern::All(parts) => Pattern::All(filled(parts)),
            Pattern::Any(parts) => Pattern::Any(filled(parts)),
            Pattern::Groups { attribute, sizes } => Pattern::Groups { attribute: *attribute, sizes: sizes.clone() },
            Pattern::Same { attribute, at_least } => Pattern::Same { attribute: *attribute, at_least: *at_least },
            Pattern::Run { scale, length, step, around, top } => {
                let run = |top| Pattern::Run { scale: *scale, length: *length, step: *step, around: *around, top };
                match top.map(|top| top.value(arguments)) {
                    None => run(None),
                    Some(Some(top)) => run(Some(top)),
                    // That a run is asked for can still be seen, for `top of run`.
                    Some(None) => Pattern::All(vec![run(None), nothing()]),
                }
            }
            Pattern::Top { scale, values: of } => Pattern::Top { scale: *scale, values: values(of, arguments) },
            Pattern::Bottom { scale, values: of } => Pattern::Bottom { scale: *scale, values: values(of, arguments) },
            Pattern::Values { attribute, at_least, values: of } => {
                Pattern::Values { attribute: *attribute, at_least: *at_least, values: values(of, arguments) }
            }
            Pattern::Holds { values: of, .. } if of.iter().any(|term| term.value(arguments).is_none()) => nothing(),
            Pattern::Holds { attribute, values: of } => Pattern::Holds { attribute: *attribute, values: values(of, arguments) },
            Pattern::Natural => Pattern::Natural,
            Pattern::Class(class) => Pattern::Class(*class),
        }
    }
}

impl Wild<Term> {
    fn fill(&self, arguments: &[Option<ValueId>]) -> Wild {
        match self {
            Wild::Blank(piece) => Wild::Blank(*piece),
            Wild::Values { attribute, values: of } => Wild::Values { attribute: *attribute, values: values(of, arguments) },
        }
    }
}

impl Ranking<Term> {
    /// The ranking once the parameters are known. A parameter without an argument is `none`, and `none` fits no piece.
    #[must_use]
    pub fn fill(&self, arguments: &[Option<ValueId>]) -> Ranking {
        let class = |class: &Class<Term>| Class { name: class.name.clone(), pattern: class.pattern.fill(arguments), keys: class.keys.clone() };
        let reading = |reading: &Reading<Term>| Reading {
            wild: reading.wild.fill(arguments),
            stands_for: reading.stands_for.as_ref().map(|(attribute, of)| (*attribute, values(of, arguments))),
            into: reading.into.clone(),
            may_double: reading.may_double,
        };
        Ranking {
            name: self.name.clone(),
            deck: self.deck.clone(),
            scales: self.scales.clone(),
            sizes: self.sizes.clone(),
            classes: self.classes.iter().map(class).collect(),
            readings: self.readings.iter().map(reading).collect(),
            named_by_holder: self.named_by_holder.iter().map(|wild| wild.fill(arguments)).collect(),
        }
    }

    /// How single pieces stand to each other, whatever the parameters are; `None`: the ranking compares no single pieces, or there are more than
    /// [`OnePieceTable::MOST`] ways to fill its parameters.
    #[must_use]
    pub fn one_piece_table(&self, domains: &[Domain]) -> Option<OnePieceTable> {
        let combinations = Domain::combinations(domains);
        if !self.sizes.contains(&1) || combinations > OnePieceTable::MOST {
            return None;
        }
        let strengths = (0..combinations).flat_map(|number| self.fill(&Domain::arguments(domains, number)).strengths());
        Some(OnePieceTable { domains: domains.to_vec(), pieces: self.deck.pieces.len(), strengths: strengths.collect() })
    }
}

impl Ranking {
    /// How single pieces stand to each other; `None`: the ranking compares no single pieces.
    #[must_use]
    pub fn one_piece_table(&self) -> Option<OnePieceTable> {
        let strengths = self.sizes.contains(&1).then(|| self.strengths())?;
        Some(OnePieceTable { domains: Vec::new(), pieces: self.deck.pieces.len(), strengths })
    }

    /// The strength of every different piece, in the order of the deck.
    fn strengths(&self) -> Vec<u16> {
        let mut standings: Vec<(usize, Standing)> = Vec::new();
        for (at, piece) in self.deck.ids().enumerate() {
            standings.extend(self.stand(&[Held { piece, called: None }]).ok().map(|standing| (at, standing)));
        }
        standings.sort_by(|(_, one), (_, other)| one.compare(other).0);
        let mut strengths = vec![0; self.deck.pieces.len()];
        let (mut strength, mut before): (u16, Option<&Standing>) = (0, None);
        for (at, standing) in &standings {
            if before.is_none_or(|before| before.compare(standing).0 != Ordering::Equal) {
                strength += 1;
            }
            before = Some(standing);
            if let Some(cell) = strengths.get_mut(*at) {
                *cell = strength;
            }
        }
        strengths
    }
}

/// How single pieces stand to each other under a ranking of one piece, for every way to fill its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnePieceTable {
    domains: Vec<Domain>,
    pieces: usize,
    /// By the way to fill the parameters, then by piece.
    strengths: Vec<u16>,
}

impl OnePieceTable {
    /// No more ways than this to fill the parameters are tabled. Clause 11.2.
    pub const MOST: usize = 4096;

    /// How good a piece is once the parameters are known: the higher the better, equal if level. 0: it is not ranked, because no class fits it,
    /// its holder would have to name it, it is no piece of the deck, or the parameters cannot be filled so.
    #[must_use]
    pub fn strength(&self, arguments: &[Option<ValueId>], piece: PieceId) -> u16 {
        self.combination(arguments).map_or(0, |combination| self.strength_at(combination, piece))
    }

    /// The number of a way to fill the parameters, for [`OnePieceTable::strength_at`]: the last parameter turns fastest, `none` comes after all
    /// values. `None`: they cannot be filled so.
    #[must_use]
    pub fn combination(&self, arguments: &[Option<ValueId>]) -> Option<usize> {
        Domain::number(&self.domains, arguments)
    }

    /// The strength of a piece under the way with this number.
    #[must_use]
    pub fn strength_at(&self, combination: usize, piece: PieceId) -> u16 {
        let piece = usize::from(piece);
        if piece >= self.pieces {
            return 0;
        }
        combination.checked_mul(self.pieces).and_then(|start| self.strengths.get(start + piece)).copied().unwrap_or(0)
    }

    /// How many ways there are to fill the parameters.
    #[must_use]
    pub fn combinations(&self) -> usize {
        Domain::combinations(&self.domains)
    }
}
