//! Whether a pattern fits a hand whose wild pieces have been given their meaning: the definition, read off clause 7.4.

use super::model::{AttributeId, ClassId, Pattern, PieceId, Ranking, Scale, ScaleId, ValueId};

/// One piece of a hand as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meant {
    /// `None`: a blank that stands for nothing.
    pub piece: Option<PieceId>,
    /// It counts as wild.
    pub wild: bool,
}

/// One set of values that makes a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PossibleRun {
    pub values: Vec<ValueId>,
    /// Where its top stands on the scale; negative: in one of the places below the lowest.
    pub top: i64,
}

impl Ranking {
    /// Whether the pattern fits. `class`: the hand's class if it is known, for questions.
    pub(crate) fn fits(&self, pattern: &Pattern, hand: &[Meant], class: Option<ClassId>) -> bool {
        match pattern {
            Pattern::Anything => true,
            Pattern::Not(part) => !self.fits(part, hand, class),
            Pattern::All(parts) => parts.iter().all(|p| self.fits(p, hand, class)),
            Pattern::Any(parts) => parts.iter().any(|p| self.fits(p, hand, class)),
            Pattern::Groups { attribute, sizes } => {
                let mut wanted: Vec<usize> = sizes.iter().map(|s| usize::from(*s)).collect();
                wanted.sort_unstable_by(|a, b| b.cmp(a));
                wanted == self.group_sizes(*attribute, hand)
            }
            Pattern::Same { attribute, at_least } => {
                let most = self.counts(*attribute, hand).into_iter().map(|(_, n)| n).max().unwrap_or(0);
                most >= at_least.map_or(hand.len(), usize::from)
            }
            Pattern::Run { .. } => self.top_of_run(pattern, hand).is_some(),
            Pattern::Top { scale, values } => {
                let places = self.places(*scale, hand);
                self.scale_values_at(*scale, places.iter().flatten().max()).is_some_and(|v| values.contains(&v))
            }
            Pattern::Bottom { scale, values } => {
                // A piece without a place on the scale is lower than all others, and none of the values asked for.
                let places = self.places(*scale, hand);
                let lowest = if places.contains(&None) { None } else { places.iter().flatten().min() };
                self.scale_values_at(*scale, lowest).is_some_and(|v| values.contains(&v))
            }
            Pattern::Values { attribute, at_least, values } => {
                let fitting = hand.iter().filter(|m| self.value(*attribute, **m).is_some_and(|v| values.contains(&v))).count();
                fitting >= at_least.map_or(hand.len(), usize::from)
            }
            Pattern::Holds { attribute, values } => values.iter().all(|v| hand.iter().any(|m| self.value(*attribute, *m) == Some(*v))),
            Pattern::Natural => hand.iter().all(|m| !m.wild),
            Pattern::Class(asked) => class == Some(*asked),
        }
    }

    pub(crate) fn value(&self, attribute: AttributeId, meant: Meant) -> Option<ValueId> {
        self.deck.value(meant.piece?, attribute)
    }

    /// How many pieces have each value that occurs.
    pub(crate) fn counts(&self, attribute: AttributeId, hand: &[Meant]) -> Vec<(ValueId, usize)> {
        let mut counts: Vec<(ValueId, usize)> = Vec::new();
        for value in hand.iter().filter_map(|m| self.value(attribute, *m)) {
            match counts.iter_mut().find(|(v, _)| *v == value) {
                Some((_, n)) => *n += 1,
                None => counts.push((value, 1)),
            }
        }
        counts
    }

    fn group_sizes(&self, attribute: AttributeId, hand: &[Meant]) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.counts(attribute, hand).into_iter().map(|(_, n)| n).filter(|n| *n >= 2).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }

    /// Each piece's place on the scale.
    fn places(&self, scale: ScaleId, hand: &[Meant]) -> Vec<Option<usize>> {
        let Some(scale) = self.scales.get(scale) else { return vec![None; hand.len()] };
        hand.iter().map(|m| scale.place(self.value(scale.attribute, *m)?)).collect()
    }

    fn scale_values_at(&self, scale: ScaleId, place: Option<&usize>) -> Option<ValueId> {
        self.scales.get(scale)?.ascending.get(*place?).copied()
    }

    /// Where the top of the highest run stands that a pattern of kind `Run` finds in the hand; `None`: it finds none, or is of another kind.
    pub(crate) fn top_of_run(&self, pattern: &Pattern, hand: &[Meant]) -> Option<i64> {
        let Pattern::Run { scale, length, step, around, top } = pattern else { return None };
        let scale = self.scales.get(*scale)?;
        let held: Vec<ValueId> = self.counts(scale.attribute, hand).into_iter().map(|(v, _)| v).collect();
        let runs = scale.possible_runs(*length, *step, *around, *top);
        runs.iter().find(|run| run.values.iter().all(|v| held.contains(v))).map(|run| run.top)
    }
}

impl Scale {
    /// Every run of this length and step, highest top first.
    pub(crate) fn possible_runs(&self, length: u8, step: u8, around: bool, top: Option<ValueId>) -> Vec<PossibleRun> {
        // In a ring every value has a neighbour below already, so the extra places below the lowest say nothing.
        let extra: &[ValueId] = if around { &[] } else { &self.also_lowest };
        let ladder: Vec<ValueId> = extra.iter().chain(&self.ascending).copied().collect();
        let (length, step) = (usize::from(length), usize::from(step));
        if length == 0 {
            return Vec::new();
        }
        let mut runs = Vec::new();
        for start in 0..ladder.len() {
            let end = start + (length - 1) * step;
            let last = if around { end % ladder.len() } else { end };
            let values: Vec<ValueId> = (0..length)
                .map(|i| start + i * step)
                .filter_map(|place| ladder.get(if around { place % ladder.len() } else { place }).copied())
                .collect();
            let different = values.iter().enumerate().all(|(i, v)| !values.iter().skip(i + 1).any(|w| w == v));
            if values.len() < length || !different {
                continue;
            }
            let place = i64::try_from(last).unwrap_or(i64::MAX) - i64::try_from(extra.len()).unwrap_or(0);
            // A value in its low place is not the top that was asked for.
            if top.is_none_or(|asked| place >= 0 && values.last() == Some(&asked)) {
                runs.push(PossibleRun { values, top: place });
            }
        }
        runs.sort_by_key(|run| std::cmp::Reverse(run.top));
        runs
    }
}
