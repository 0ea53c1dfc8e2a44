//! A perfect hash: every sum of words gets a slot of its own, in tables small enough to stay near the processor.
//!
//! A symbol's word holds two random numbers, one that names a bucket and one that names a place. Their sums over a hand depend on its multiset
//! alone. Each bucket has a number that turns the places of its members so that no slot is taken twice. The rest of a word is for counters.

/// Where a sum holds what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The bucket: all bits from here up.
    pub bucket_at: u32,
    pub place_at: u32,
    /// How many slots there are, by bits.
    pub place_bits: u32,
    pub counters_at: u32,
    pub counter_bits: u32,
    /// Larger hands would let the sums of places run into the counters.
    pub most_pieces: u8,
}

/// For up to 8,192 hands: a place needs no shift, and all that a look-up touches is about 26 kilobytes.
pub(crate) const SMALL: Layout = Layout { bucket_at: 52, place_at: 0, place_bits: 13, counters_at: 16, counter_bits: 36, most_pieces: 8 };
/// For up to 65,536 hands. The counters lie lowest, so that sums of places can only run into the bucket, where they do no harm.
pub(crate) const LARGE: Layout = Layout { bucket_at: 50, place_at: 32, place_bits: 16, counters_at: 0, counter_bits: 32, most_pieces: u8::MAX };

impl Layout {
    pub fn buckets(self) -> usize {
        1 << (64 - self.bucket_at)
    }

    pub fn slots(self) -> usize {
        1 << self.place_bits
    }

    fn bucket(self, sum: u64) -> usize {
        (sum >> self.bucket_at) as usize
    }

    #[expect(clippy::cast_possible_truncation, reason = "the place is cut out on purpose")]
    fn place(self, sum: u64) -> u16 {
        ((sum >> self.place_at) as usize & (self.slots() - 1)) as u16
    }

    /// A random word for a symbol, its counters empty.
    pub fn random_word(self, seed: u64, symbol: usize) -> u64 {
        let mut z = (seed << 20).wrapping_add(symbol as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> self.bucket_at << self.bucket_at) | u64::from(self.place(z)) << self.place_at
    }
}

/// How the sums of all hands find their slots.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    pub layout: Layout,
    /// By bucket.
    pub turns: Vec<u16>,
}

impl Placement {
    /// Places all sums; `None`: two of them cannot be told apart, or the slots are too crowded.
    pub fn new(layout: Layout, sums: &[u64]) -> Option<Placement> {
        let (starts, members) = sort_into_buckets(layout, sums);
        let bucket = |b: usize| members.get(*starts.get(b)?..*starts.get(b + 1)?);
        let mut taken = vec![false; layout.slots()];
        let mut turns = vec![0_u16; layout.buckets()];
        let turnable = 0..=u16::try_from(layout.slots() - 1).ok()?;
        for b in fullest_first(&starts) {
            let places = bucket(b)?;
            if places.iter().enumerate().any(|(i, p)| places.iter().skip(i + 1).any(|q| p == q)) {
                return None;
            }
            let free = |turn: u16| places.iter().all(|p| taken.get(usize::from(p ^ turn)) == Some(&false));
            let turn = turnable.clone().find(|turn| free(*turn))?;
            for place in places {
                *taken.get_mut(usize::from(place ^ turn))? = true;
            }
            *turns.get_mut(b)? = turn;
        }
        Some(Placement { layout, turns })
    }

    /// The slot of a sum; any slot if the sum is not one of those that were placed.
    pub fn slot(&self, sum: u64) -> usize {
        usize::from(self.layout.place(sum) ^ self.turns.get(self.layout.bucket(sum)).copied().unwrap_or(0))
    }
}

/// The places of all sums, bucket by bucket, and where each bucket starts.
fn sort_into_buckets(layout: Layout, sums: &[u64]) -> (Vec<usize>, Vec<u16>) {
    let mut starts = vec![0; layout.buckets() + 1];
    for sum in sums {
        if let Some(next) = starts.get_mut(layout.bucket(*sum) + 1) {
            *next += 1;
        }
    }
    let mut total = 0;
    for start in &mut starts {
        total += *start;
        *start = total;
    }
    let mut filled = starts.clone();
    let mut members = vec![0_u16; sums.len()];
    for sum in sums {
        if let Some(at) = filled.get_mut(layout.bucket(*sum)) {
            if let Some(member) = members.get_mut(*at) {
                *member = layout.place(*sum);
            }
            *at += 1;
        }
    }
    (starts, members)
}

/// The buckets that have members, those with most of them first: they are the hardest to place.
fn fullest_first(starts: &[usize]) -> Vec<usize> {
    let sizes = || starts.windows(2).enumerate().filter_map(|(b, ends)| Some((b, ends.last()? - ends.first()?)));
    let most = sizes().map(|(_, size)| size).max().unwrap_or(0);
    let mut by_size = vec![Vec::new(); most + 1];
    for (b, size) in sizes() {
        if let Some(list) = by_size.get_mut(size) {
            list.push(b);
        }
    }
    by_size.into_iter().skip(1).rev().flatten().collect()
}
