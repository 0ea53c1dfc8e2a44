//! The two look-ups that end an evaluation, with all sizes known to the compiler.
//!
//! The arrays are as long as the bits that index them can count, so that no bounds check is left; of `strengths` only as much is touched as
//! there are hands.

use super::slots::Placement;

/// Look-ups for one `Layout`.
#[derive(Clone, Debug)]
pub(crate) struct Core<const BUCKET_AT: u32, const PLACE_AT: u32, const BUCKETS: usize, const SLOTS: usize, const BOTH: usize> {
    turns: Box<[u16; BUCKETS]>,
    /// By slot: the strengths of hands that are not alike, then those of hands that are. One array, for the compiler makes a load of a choice
    /// between two.
    strengths: Box<[u16; BOTH]>,
}

impl<const BUCKET_AT: u32, const PLACE_AT: u32, const BUCKETS: usize, const SLOTS: usize, const BOTH: usize>
    Core<BUCKET_AT, PLACE_AT, BUCKETS, SLOTS, BOTH>
{
    /// `None`: the placement is of another layout.
    pub fn new(placement: &Placement, strengths: Vec<u16>) -> Option<Self> {
        if (placement.layout.bucket_at, placement.layout.place_at) != (BUCKET_AT, PLACE_AT) {
            return None;
        }
        Some(Core { turns: boxed(placement.turns.clone())?, strengths: boxed(strengths)? })
    }

    /// The strength of a hand that has this sum.
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a slot is reduced to the number of slots")]
    pub fn strength(&self, sum: u64, full: u64) -> u32 {
        let mut slot = self.slot(sum);
        if sum & full != 0 {
            seldom();
            slot += SLOTS;
        }
        u32::from(self.strengths[slot])
    }

    /// The strengths of hands with this multiset: not alike, and alike.
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "a slot is reduced to the number of slots")]
    pub fn both(&self, sum: u64) -> (u32, u32) {
        let slot = self.slot(sum);
        (u32::from(self.strengths[slot]), u32::from(self.strengths[slot + SLOTS]))
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the bucket and the place are cut out on purpose")]
    #[expect(clippy::indexing_slicing, reason = "the bits from BUCKET_AT up cannot count further than BUCKETS")]
    fn slot(&self, sum: u64) -> usize {
        let turn = self.turns[(sum >> BUCKET_AT) as usize];
        usize::from((sum >> PLACE_AT) as u16 ^ turn) % SLOTS
    }
}

/// Tells the compiler that few hands come this way, so that a branch, which costs nothing when it is not taken, is better than reckoning with
/// the case every time.
#[cold]
#[inline]
fn seldom() {}

fn boxed<const N: usize>(numbers: Vec<u16>) -> Option<Box<[u16; N]>> {
    numbers.into_boxed_slice().try_into().ok()
}
