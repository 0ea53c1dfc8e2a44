//! A hand as a lens shows it: how often each value occurs.

use super::lens::MOST_VALUES;

/// A hand whose wild pieces have been given their meaning, seen by values.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    counts: [u8; MOST_VALUES],
    wild: [u8; MOST_VALUES],
    /// Values that occur, a bit each.
    pub present: u32,
    /// How many values occur once, twice …: four bits each, from bit 4 up.
    shape: u64,
    /// The counts in one number, four bits each.
    pub code: u128,
    /// Blanks that stand for nothing.
    pub nothings: u8,
    /// Pieces that count as wild.
    pub wilds: u8,
    /// All pieces are alike.
    pub alike: bool,
    /// The hand's class, when a question is put that may name it.
    pub class: Option<usize>,
}

impl Spread {
    pub fn new() -> Spread {
        Spread { counts: [0; MOST_VALUES], wild: [0; MOST_VALUES], present: 0, shape: 0, code: 0, nothings: 0, wilds: 0, alike: false, class: None }
    }

    pub fn count(&self, value: usize) -> u8 {
        self.counts.get(value).copied().unwrap_or(0)
    }

    pub fn wild_count(&self, value: usize) -> u8 {
        self.wild.get(value).copied().unwrap_or(0)
    }

    /// The sizes of the groups: how many of two, of three …, four bits each.
    pub fn groups(&self) -> u64 {
        self.shape >> 8
    }

    /// Whether some value occurs at least so often.
    pub fn has_often(&self, times: u8) -> bool {
        self.shape.checked_shr(4 * u32::from(times)).is_some_and(|more| more != 0)
    }

    /// How many pieces have one of these values.
    pub fn count_among(&self, values: u32) -> u8 {
        let (mut left, mut count) = (self.present & values, 0);
        while left != 0 {
            count += self.count(left.trailing_zeros() as usize);
            left &= left - 1;
        }
        count
    }

    pub fn add(&mut self, value: usize) {
        let Some(count) = self.counts.get_mut(value) else { return };
        if *count > 0 {
            self.shape -= 1 << (4 * *count);
        }
        *count += 1;
        self.shape += 1 << (4 * *count);
        self.present |= 1 << value;
        self.code += 1 << (4 * value);
    }

    pub fn remove(&mut self, value: usize) {
        let Some(count) = self.counts.get_mut(value).filter(|n| **n > 0) else { return };
        self.shape -= 1 << (4 * *count);
        *count -= 1;
        if *count > 0 {
            self.shape += 1 << (4 * *count);
        } else {
            self.present &= !(1 << value);
        }
        self.code -= 1 << (4 * value);
    }

    /// One piece more, or less, of those with this value counts as wild.
    pub fn mark(&mut self, value: usize, more: bool) {
        if let Some(wild) = self.wild.get_mut(value) {
            *wild = if more { *wild + 1 } else { wild.saturating_sub(1) };
        }
    }
}
