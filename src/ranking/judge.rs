//! Judges a hand seen through a lens: the classes' patterns in a form that costs some dozens of nanoseconds.
//!
//! A standing is one number: the class on top, then the keys' numbers from first to last, so that the greater number is the better hand.

use super::lens::{Lens, MOST_VALUES, Sight, Slow, mask, sees_wild};
use super::model::{ClassId, Pattern, Ranking, Scale, ScaleId};
use super::packed::PackedKey;
use super::spread::Spread;

/// Bits of a standing below the class.
pub(crate) const KEY_BITS: u32 = 120;

/// A pattern over spreads.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Always,
    Never,
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
    /// The groups have these sizes, as in `Spread::groups`.
    Groups(u64),
    /// All pieces are alike in the attribute that is not looked at.
    Alike,
    /// Some value occurs at least so often.
    Often(u8),
    /// The values of one of these runs occur.
    Run(Vec<u32>),
    Top(ScaleId, u32),
    Bottom(ScaleId, u32),
    AtLeast(u8, u32),
    Holds(u32),
    Natural,
    /// The hand is of this class: in questions only.
    Class(ClassId),
}

/// A scale, ready for use.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Each value's place; −1: none.
    pub place: [i64; MOST_VALUES],
    /// Values, highest first; those without a place stand last.
    pub falling: Vec<usize>,
    /// Values that have a place.
    pub placed: u32,
    /// How many places there are.
    pub length: i64,
}

#[derive(Clone, Debug)]
struct Rule {
    test: Test,
    keys: Vec<PackedKey>,
}

/// All classes of a ranking, ready to judge spreads.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    rules: Vec<Rule>,
    pub scales: Vec<Places>,
    pub sight: Sight,
}

impl Judge {
    pub fn new(ranking: &Ranking, lens: &Lens) -> Result<Judge, Slow> {
        let scales = ranking.scales.iter().map(|s| Places::new(s, lens.values)).collect();
        let mut judge = Judge { rules: Vec::new(), scales, sight: sees_wild(ranking) };
        for class in &ranking.classes {
            let keys = class.keys.iter().map(|k| PackedKey::new(ranking, lens.size, class, k)).collect::<Option<Vec<_>>>();
            match keys {
                Some(keys) if keys.iter().map(PackedKey::width).sum::<u32>() <= KEY_BITS => {
                    judge.rules.push(Rule { test: test(ranking, lens, &class.pattern), keys });
                }
                Some(_) | None => return Err(Slow::LongTies(class.name.clone())),
            }
        }
        Ok(judge)
    }

    /// The best standing among the allowed classes (a bit each); 0: none fits.
    pub fn standing(&self, spread: &Spread, allowed: u64) -> u128 {
        let fitting = self.rules.iter().enumerate().find(|(id, rule)| allowed >> id & 1 == 1 && self.fits(&rule.test, spread));
        let Some((id, rule)) = fitting else { return 0 };
        let mut keys: u128 = 0;
        for key in &rule.keys {
            keys = key.append(keys, &self.scales, spread);
        }
        (((self.rules.len() - id) as u128) << KEY_BITS) | keys
    }

    /// The class of a standing.
    pub fn class(&self, standing: u128) -> Option<ClassId> {
        let rank = usize::try_from(standing >> KEY_BITS).ok().filter(|r| *r > 0)?;
        self.rules.len().checked_sub(rank)
    }

    /// Every class whose pattern fits, a bit each.
    pub fn fitting(&self, spread: &Spread) -> u64 {
        self.rules.iter().enumerate().filter(|(_, rule)| self.fits(&rule.test, spread)).map(|(id, _)| 1_u64 << id).sum()
    }

    /// Whether two standings of one class differ in how many numbers a key has before they differ in a number itself.
    pub fn ragged(&self, one: u128, other: u128) -> bool {
        let Some(rule) = self.class(one).and_then(|c| self.rules.get(c)) else { return false };
        let mut below: u32 = rule.keys.iter().map(PackedKey::width).sum();
        for key in &rule.keys {
            below -= key.width();
            let (a, b) = (one >> below, other >> below);
            if a != b {
                return key.length(a) != key.length(b);
            }
        }
        false
    }

    pub fn fits(&self, test: &Test, spread: &Spread) -> bool {
        match test {
            Test::Always => true,
            Test::Never => false,
            Test::Not(part) => !self.fits(part, spread),
            Test::All(parts) => parts.iter().all(|p| self.fits(p, spread)),
            Test::Any(parts) => parts.iter().any(|p| self.fits(p, spread)),
            Test::Groups(groups) => spread.groups() == *groups,
            Test::Alike => spread.alike,
            Test::Often(times) => spread.has_often(*times),
            Test::Run(runs) => runs.iter().any(|run| spread.present & run == *run),
            Test::Top(scale, values) => self.scales.get(*scale).and_then(|s| s.highest(spread.present)).is_some_and(|v| values >> v & 1 == 1),
            Test::Bottom(scale, values) => {
                let scale = self.scales.get(*scale).filter(|s| spread.nothings == 0 && spread.present & !s.placed == 0);
                scale.and_then(|s| s.lowest(spread.present)).is_some_and(|v| values >> v & 1 == 1)
            }
            Test::AtLeast(times, values) => spread.count_among(*values) >= *times,
            Test::Holds(values) => spread.present & values == *values,
            Test::Natural => spread.wilds == 0,
            Test::Class(class) => spread.class == Some(*class),
        }
    }
}

impl Places {
    fn new(scale: &Scale, values: usize) -> Places {
        let mut place = [-1; MOST_VALUES];
        for (at, value) in scale.ascending.iter().enumerate().rev() {
            if let Some(cell) = place.get_mut(usize::from(*value)) {
                *cell = i64::try_from(at).unwrap_or(-1);
            }
        }
        let mut falling: Vec<usize> = (0..values).collect();
        falling.sort_by_key(|v| std::cmp::Reverse(place.get(*v).copied()));
        Places { place, falling, placed: mask(&scale.ascending), length: i64::try_from(scale.ascending.len()).unwrap_or(i64::MAX) }
    }

    fn highest(&self, present: u32) -> Option<usize> {
        self.falling.iter().copied().find(|v| present & self.placed & (1 << v) != 0)
    }

    fn lowest(&self, present: u32) -> Option<usize> {
        self.falling.iter().copied().rev().find(|v| present & self.placed & (1 << v) != 0)
    }
}

/// The pattern in terms of spreads. `Lens` has made sure that it looks at one attribute only.
pub(crate) fn test(ranking: &Ranking, lens: &Lens, pattern: &Pattern) -> Test {
    let tests = |parts: &[Pattern]| parts.iter().map(|p| test(ranking, lens, p)).collect();
    match pattern {
        Pattern::Anything => Test::Always,
        Pattern::Not(part) => Test::Not(Box::new(test(ranking, lens, part))),
        Pattern::All(parts) => Test::All(tests(parts)),
        Pattern::Any(parts) => Test::Any(tests(parts)),
        Pattern::Groups { sizes, .. } => groups(lens.size, sizes),
        Pattern::Same { attribute, at_least } => match at_least.unwrap_or(lens.size) {
            0 => Test::Always,
            n if n > lens.size => Test::Never,
            n if n > 1 && *attribute != lens.attribute => Test::Alike,
            n => Test::Often(n),
        },
        Pattern::Run { scale, length, step, around, top } => {
            let scale = ranking.scales.get(*scale);
            Test::Run(scale.map_or_else(Vec::new, |s| s.possible_runs(*length, *step, *around, *top).iter().map(|r| mask(&r.values)).collect()))
        }
        Pattern::Top { scale, values } => Test::Top(*scale, mask(values)),
        Pattern::Bottom { scale, values } => Test::Bottom(*scale, mask(values)),
        Pattern::Values { at_least, values, .. } => Test::AtLeast(at_least.unwrap_or(lens.size), mask(values)),
        Pattern::Holds { values, .. } if values.iter().any(|v| usize::from(*v) >= lens.values) => Test::Never,
        Pattern::Holds { values, .. } => Test::Holds(mask(values)),
        Pattern::Natural => Test::Natural,
        Pattern::Class(class) => Test::Class(*class),
    }
}

fn groups(size: u8, sizes: &[u8]) -> Test {
    let total: u32 = sizes.iter().map(|s| u32::from(*s)).sum();
    if total > u32::from(size) || sizes.iter().any(|s| *s < 2) {
        return Test::Never;
    }
    Test::Groups(sizes.iter().map(|s| 1_u64 << (4 * (s - 2))).sum())
}
