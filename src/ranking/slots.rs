//! A perfect hash: every sum of words gets a slot of its own, in tables small enough to stay near the processor.
//!
//! The upper half of a sum is a random number that depends on the multiset alone: 16 bits name a bucket, 16 bits a place within the slots. Each
//! bucket has a number that turns the places of its members so that none is taken twice.

/// Where the bucket stands in a sum, and where the place.
const BUCKET_AT: u32 = 48;
const PLACE_AT: u32 = 32;
/// Most slots that a place can name.
const MOST_SLOTS: usize = 1 << 16;

#[derive(Clone, Debug)]
pub(crate) struct Slots {
    turns: Vec<u16>,
    bucket_mask: u16,
    slot_mask: u16,
}

/// A random upper half for the word of a symbol.
pub(crate) fn random_word(seed: u64, symbol: usize) -> u64 {
    let mut z = seed.wrapping_mul(1 << 20).wrapping_add(symbol as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ (z >> 31)) >> PLACE_AT << PLACE_AT
}

impl Slots {
    /// How many slots there are.
    pub fn count(&self) -> usize {
        usize::from(self.slot_mask) + 1
    }

    /// The slot of a sum; any slot if the sum is not one of those that were placed.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "sixteen bits are cut out on purpose")]
    pub fn slot(&self, sum: u64) -> usize {
        let bucket = (sum >> BUCKET_AT) as u16 & self.bucket_mask;
        let place = (sum >> PLACE_AT) as u16 & self.slot_mask;
        usize::from(place ^ self.turns.get(usize::from(bucket)).copied().unwrap_or(0))
    }

    /// Places all sums; `None`: two of them cannot be told apart, or the slots are too crowded.
    #[expect(clippy::cast_possible_truncation, reason = "sixteen bits are cut out on purpose")]
    pub fn place(sums: &[u64]) -> Option<Slots> {
        // A little air keeps the search short.
        let slots = (sums.len() + sums.len() / 64).next_power_of_two().max(16);
        let crowded = sums.len() > slots * 4 / 5;
        let buckets = if crowded { slots / 2 } else { slots / 4 };
        if slots > MOST_SLOTS {
            return None;
        }
        let masks = Slots { turns: Vec::new(), bucket_mask: (buckets - 1) as u16, slot_mask: (slots - 1) as u16 };
        let (starts, members) = masks.sort_into_buckets(sums, buckets);
        let bucket = |b: usize| members.get(usize::from(*starts.get(b)?)..usize::from(*starts.get(b + 1)?));
        let mut order: Vec<u16> = (0..buckets as u16).collect();
        order.sort_by_key(|b| std::cmp::Reverse(bucket(usize::from(*b)).map_or(0, <[u16]>::len)));
        let mut taken = vec![false; slots];
        let mut turns = vec![0_u16; buckets];
        for b in order {
            let places = bucket(usize::from(b))?;
            if places.is_empty() {
                break;
            }
            if places.iter().enumerate().any(|(i, p)| places.iter().skip(i + 1).any(|q| p == q)) {
                return None;
            }
            let free = |turn: u16| places.iter().all(|p| taken.get(usize::from(p ^ turn)) == Some(&false));
            let turn = (0..=masks.slot_mask).find(|turn| free(*turn))?;
            for place in places {
                *taken.get_mut(usize::from(place ^ turn))? = true;
            }
            *turns.get_mut(usize::from(b))? = turn;
        }
        Some(Slots { turns, ..masks })
    }

    /// The places of all sums, bucket by bucket, and where each bucket starts.
    #[expect(clippy::cast_possible_truncation, reason = "sixteen bits are cut out on purpose")]
    fn sort_into_buckets(&self, sums: &[u64], buckets: usize) -> (Vec<u16>, Vec<u16>) {
        let bucket = |sum: u64| usize::from((sum >> BUCKET_AT) as u16 & self.bucket_mask);
        let mut starts = vec![0_u16; buckets + 1];
        for sum in sums {
            if let Some(next) = starts.get_mut(bucket(*sum) + 1) {
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
            if let Some(at) = filled.get_mut(bucket(*sum)) {
                if let Some(member) = members.get_mut(usize::from(*at)) {
                    *member = (sum >> PLACE_AT) as u16 & self.slot_mask;
                }
                *at += 1;
            }
        }
        (starts, members)
    }
}
