//! The numbers by which hands of one class are compared: the definition, read off clause 7.6.

use super::fit::Meant;
use super::model::{AttributeId, Class, ClassId, Key, KeyWord, Pattern, Ranking, ScaleId, ValueId};

impl Ranking {
    /// One list for each key of the class.
    pub(crate) fn keys(&self, class: &Class, hand: &[Meant]) -> Vec<Vec<i64>> {
        class.keys.iter().map(|key| self.key(class, key, hand)).collect()
    }

    /// The value behind a number of a key, and whether it comes from a wild piece (as far as the key tells); `None`: the number is no value's.
    ///
    /// For messages: a standing holds numbers only.
    #[must_use]
    pub fn value_behind(&self, class: ClassId, key: usize, number: i64) -> Option<(ValueId, bool)> {
        let class = self.classes.get(class)?;
        let key = class.keys.get(key)?;
        let scale = match &key.word {
            KeyWord::Groups(scale) | KeyWord::Singles(scale) | KeyWord::Every(scale) | KeyWord::Top(scale) => *scale,
            KeyWord::TopOfRun => {
                let mut runs = Vec::new();
                collect_runs(&class.pattern, &mut runs);
                let Pattern::Run { scale, .. } = runs.first()? else { return None };
                *scale
            }
            KeyWord::Wild | KeyWord::Count | KeyWord::Sum { .. } => return None,
        };
        let (place, wild) = if key.wild_up { (number.div_euclid(2), number.rem_euclid(2) == 1) } else { (number, false) };
        let value = self.scales.get(scale)?.ascending.get(usize::try_from(place).ok()?)?;
        Some((*value, wild))
    }

    fn key(&self, class: &Class, key: &Key, hand: &[Meant]) -> Vec<i64> {
        match &key.word {
            KeyWord::Groups(scale) => {
                let mut groups: Vec<(usize, i64)> = self
                    .counts_on(*scale, hand)
                    .into_iter()
                    .filter(|(_, n)| *n >= 2)
                    .map(|(value, n)| (n, self.number(*scale, key, Some(value), self.any_wild(*scale, hand, value))))
                    .collect();
                groups.sort_unstable_by(|a, b| b.cmp(a));
                groups.into_iter().map(|(_, number)| number).collect()
            }
            KeyWord::Singles(scale) => {
                let counts = self.counts_on(*scale, hand);
                let alone = |m: &&Meant| self.value_on(*scale, **m).is_none_or(|v| counts.contains(&(v, 1)));
                falling(hand.iter().filter(alone).map(|m| self.number_of(*scale, key, *m)).collect())
            }
            KeyWord::Every(scale) => falling(hand.iter().map(|m| self.number_of(*scale, key, *m)).collect()),
            KeyWord::Wild => vec![count(hand.iter().filter(|m| m.wild).count())],
            KeyWord::Count => vec![count(hand.len())],
            KeyWord::Top(scale) => hand.iter().map(|m| self.number_of(*scale, key, *m)).max().into_iter().collect(),
            KeyWord::TopOfRun => {
                let mut runs = Vec::new();
                collect_runs(&class.pattern, &mut runs);
                runs.into_iter().filter_map(|run| self.run_number(run, key, hand)).max().into_iter().collect()
            }
            KeyWord::Sum { attribute, points } => {
                let worth = |m: &Meant| points.get(usize::from(self.value(*attribute, *m)?)).copied();
                vec![hand.iter().filter_map(worth).reduce(i64::saturating_add).unwrap_or(0)]
            }
        }
    }

    fn run_number(&self, run: &Pattern, key: &Key, hand: &[Meant]) -> Option<i64> {
        let Pattern::Run { scale, around, .. } = run else { return None };
        let top = self.top_of_run(run, hand)?;
        let scale_id = *scale;
        let scale = self.scales.get(scale_id)?;
        // The value at the top: in its own place, or in one of the places below the lowest, counted from the lowest down.
        let value = match usize::try_from(top) {
            Ok(place) => scale.ascending.get(place),
            Err(_) if *around => None,
            Err(_) => scale.also_lowest.get(scale.also_lowest.len().checked_sub(usize::try_from(-top).ok()?)?),
        }?;
        Some(shifted(key, top, self.any_wild(scale_id, hand, *value)))
    }

    fn attribute_of(&self, scale: ScaleId) -> Option<AttributeId> {
        self.scales.get(scale).map(|s| s.attribute)
    }

    fn value_on(&self, scale: ScaleId, meant: Meant) -> Option<ValueId> {
        self.value(self.attribute_of(scale)?, meant)
    }

    fn counts_on(&self, scale: ScaleId, hand: &[Meant]) -> Vec<(ValueId, usize)> {
        self.attribute_of(scale).map_or_else(Vec::new, |attribute| self.counts(attribute, hand))
    }

    fn any_wild(&self, scale: ScaleId, hand: &[Meant], value: ValueId) -> bool {
        hand.iter().any(|m| m.wild && self.value_on(scale, *m) == Some(value))
    }

    fn number_of(&self, scale: ScaleId, key: &Key, meant: Meant) -> i64 {
        self.number(scale, key, self.value_on(scale, meant), meant.wild)
    }

    /// The number of a value: its place, or −1 if it has none, so that it is lower than every other.
    fn number(&self, scale: ScaleId, key: &Key, value: Option<ValueId>, wild: bool) -> i64 {
        let place = value.and_then(|v| self.scales.get(scale)?.place(v));
        shifted(key, place.map_or(-1, count), wild)
    }
}

/// With `wild_up` places are doubled, to leave room for a wild piece just above the natural one.
fn shifted(key: &Key, place: i64, wild: bool) -> i64 {
    if key.wild_up { place * 2 + i64::from(wild) } else { place }
}

/// The runs that a pattern asks for; what it forbids is no run of the hand.
pub(crate) fn collect_runs<'p>(pattern: &'p Pattern, runs: &mut Vec<&'p Pattern>) {
    match pattern {
        Pattern::Run { .. } => runs.push(pattern),
        Pattern::All(parts) | Pattern::Any(parts) => parts.iter().for_each(|p| collect_runs(p, runs)),
        Pattern::Not(_)
        | Pattern::Anything
        | Pattern::Groups { .. }
        | Pattern::Same { .. }
        | Pattern::Top { .. }
        | Pattern::Bottom { .. }
        | Pattern::Values { .. }
        | Pattern::Holds { .. }
        | Pattern::Natural
        | Pattern::Class(_) => {}
    }
}

fn falling(mut numbers: Vec<i64>) -> Vec<i64> {
    numbers.sort_unstable_by(|a, b| b.cmp(a));
    numbers
}

fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
