//! Exact counts.

use super::hands::each_hand;
use super::table::Table;

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
