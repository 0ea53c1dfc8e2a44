//! All hands seen through a lens, each with the number of real hands that look like it.

use super::lens::{Lens, MOST_PIECES};

/// A multiset of symbols, rising.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Symbols {
    list: [u8; MOST_PIECES as usize],
    length: u8,
}

impl Symbols {
    pub fn iter(&self) -> impl Iterator<Item = usize> + Clone {
        self.list.iter().take(usize::from(self.length)).map(|s| usize::from(*s))
    }

    fn push(&mut self, symbol: u8, times: u8) {
        let start = usize::from(self.length);
        if let Some(cells) = self.list.get_mut(start..start + usize::from(times)) {
            cells.fill(symbol);
            self.length += times;
        }
    }

    fn pop(&mut self, times: u8) {
        self.length -= times;
    }
}

/// One hand seen through a lens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub symbols: &'a Symbols,
    /// The words of its symbols, added up.
    pub sum: u64,
    /// Real hands whose natural pieces are not all alike.
    pub mixed: u64,
    /// Real hands whose natural pieces are all alike; a hand without natural pieces is one.
    pub alike: u64,
}

/// Visits every hand of the lens's size, always in the same order; stops and says `false` when the visitor does.
pub(crate) fn each_hand(lens: &Lens, words: &[u64], visit: &mut impl FnMut(Seen<'_>) -> bool) -> bool {
    let columns = lens.alike.map_or(0, |_| lens.column_count());
    let mut steps: Vec<Step> = (0..lens.symbol_count()).map(|s| Step::new(lens, words, s, columns)).collect();
    let mut room = 0;
    for step in steps.iter_mut().rev() {
        room += step.copies;
        step.room = room;
    }
    let symbols = Symbols { list: [0; MOST_PIECES as usize], length: 0 };
    let ways = vec![1; (usize::from(lens.size) + 1) * columns];
    let even = steps.iter().all(|s| s.column_picks.chunks(columns.max(1)).all(|picks| picks.windows(2).all(|pair| pair.first() == pair.last())));
    let mut walk = Walk { columns, even, symbols, ways, visit };
    walk.go(&steps, lens.size, 0, Product { all: 1, wild: 1, naturals: 0, each: u64::from(columns > 0) })
}

/// One symbol, ready to be picked from.
struct Step {
    symbol: u8,
    wild: bool,
    word: u64,
    copies: u64,
    /// How many pieces have this symbol or a later one.
    room: u64,
    /// Ways to pick none, one, two … of them.
    picks: Vec<u64>,
    /// The same for each column: those of none first.
    column_picks: Vec<u64>,
}

impl Step {
    fn new(lens: &Lens, words: &[u64], symbol: usize, columns: usize) -> Step {
        let copies = lens.copies(symbol);
        let most = u64::from(lens.size).min(copies);
        let by_column: &[u32] = lens.natural.get(symbol).filter(|_| columns > 0).map_or(&[], Vec::as_slice);
        let column_picks = (0..=most).flat_map(|n| by_column.iter().map(move |held| choose(u64::from(*held), n))).collect();
        Step {
            symbol: u8::try_from(symbol).unwrap_or(u8::MAX),
            wild: symbol >= lens.values,
            word: words.get(symbol).copied().unwrap_or(0),
            copies,
            room: 0,
            picks: (0..=most).map(|n| choose(copies, n)).collect(),
            column_picks,
        }
    }
}

/// What has been multiplied up on the way to a hand.
#[derive(Clone, Copy)]
struct Product {
    /// Ways to pick the natural pieces.
    all: u64,
    /// Ways to pick the wild ones.
    wild: u64,
    naturals: u8,
    /// Ways to pick the natural pieces from one column if the columns are even; otherwise whether there are any, for then `Walk` has them.
    each: u64,
}

struct Walk<'a, V> {
    columns: usize,
    /// All columns hold the same.
    even: bool,
    symbols: Symbols,
    /// Ways to pick the natural pieces from each column alone, by how many there are so far.
    ways: Vec<u64>,
    visit: &'a mut V,
}

impl<V: FnMut(Seen<'_>) -> bool> Walk<'_, V> {
    /// Picks the next symbol, how often it occurs, and the rest after it.
    fn go(&mut self, steps: &[Step], left: u8, sum: u64, product: Product) -> bool {
        let mut rest = steps;
        while let Some((step, later)) = rest.split_first().filter(|(step, _)| step.room >= u64::from(left)) {
            rest = later;
            let mut sum = sum;
            for (times, picked) in (1..=left).zip(step.picks.iter().skip(1)) {
                let mut next = product;
                if step.wild {
                    next.wild *= picked;
                } else {
                    next.all *= picked;
                    next.naturals += times;
                    if next.each > 0 {
                        next.each = self.pick_by_column(step, times, product);
                    }
                }
                sum = sum.wrapping_add(step.word);
                self.symbols.push(step.symbol, times);
                let on = if times == left { self.arrive(sum, next) } else { self.go(later, left - times, sum, next) };
                self.symbols.pop(times);
                if !on {
                    return false;
                }
            }
        }
        true
    }

    /// Brings the columns' ways forward by `times` pieces of one value.
    fn pick_by_column(&mut self, step: &Step, times: u8, product: Product) -> u64 {
        let (columns, times, before) = (self.columns, usize::from(times), usize::from(product.naturals));
        if self.even {
            return product.each * step.column_picks.get(times * columns).copied().unwrap_or(0);
        }
        let rows = self.ways.split_at_mut_checked((before + 1) * columns);
        let rows = rows.and_then(|(low, high)| Some((low.get(before * columns..)?, high.get_mut((times - 1) * columns..times * columns)?)));
        let mut any = 0;
        if let Some(((from, to), picks)) = rows.zip(step.column_picks.get(times * columns..)) {
            for ((to, from), picks) in to.iter_mut().zip(from).zip(picks) {
                *to = from * picks;
                any |= *to;
            }
        }
        u64::from(any > 0)
    }

    #[inline]
    fn arrive(&mut self, sum: u64, product: Product) -> bool {
        let naturals = usize::from(product.naturals);
        let alike = if product.each == 0 {
            0
        } else if naturals == 0 {
            1
        } else if self.even {
            product.each * self.columns as u64
        } else {
            self.ways.get(naturals * self.columns..(naturals + 1) * self.columns).map_or(0, |ways| ways.iter().sum())
        };
        let mixed = product.all - alike;
        (self.visit)(Seen { symbols: &self.symbols, sum, mixed: mixed * product.wild, alike: alike * product.wild })
    }
}

/// In how many ways `some` can be picked from `all`; `u64::MAX` if that is more.
pub(crate) fn choose(all: u64, some: u64) -> u64 {
    if some > all {
        return 0;
    }
    let mut ways: u128 = 1;
    for i in 0..some.min(all - some) {
        ways = ways * u128::from(all - i) / u128::from(i + 1);
        if ways > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    u64::try_from(ways).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn ways_to_pick() {
        assert_eq!(choose(52, 5), 2_598_960);
        assert_eq!(choose(53, 5), 2_869_685);
        assert_eq!(choose(32, 5), 201_376);
        assert_eq!((choose(4, 5), choose(4, 0), choose(0, 0)), (0, 1, 1));
        assert_eq!(choose(200, 100), u64::MAX);
    }
}
