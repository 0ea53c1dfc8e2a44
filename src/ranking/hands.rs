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

    fn push(&mut self, symbol: usize, times: u8) {
        for _ in 0..times {
            if let (Some(cell), Ok(symbol)) = (self.list.get_mut(usize::from(self.length)), u8::try_from(symbol)) {
                *cell = symbol;
                self.length += 1;
            }
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
    let mut room: Vec<u64> = (0..lens.symbol_count()).map(|s| lens.copies(s)).collect();
    for symbol in (0..room.len().saturating_sub(1)).rev() {
        let after = room.get(symbol + 1).copied().unwrap_or(0);
        if let Some(cell) = room.get_mut(symbol) {
            *cell += after;
        }
    }
    let columns = lens.alike.map_or(0, |_| lens.column_count());
    let symbols = Symbols { list: [0; MOST_PIECES as usize], length: 0 };
    let ways = vec![vec![1; columns]; usize::from(lens.size) + 1];
    let mut walk = Walk { lens, words, room, symbols, ways, visit };
    walk.go(0, lens.size, 0, Product { all: 1, wild: 1, naturals: 0 })
}

/// What has been multiplied up on the way to a hand.
#[derive(Clone, Copy)]
struct Product {
    /// Ways to pick the natural pieces.
    all: u64,
    /// Ways to pick the wild ones.
    wild: u64,
    naturals: u8,
}

struct Walk<'a, V> {
    lens: &'a Lens,
    words: &'a [u64],
    /// How many pieces have this symbol or a later one.
    room: Vec<u64>,
    symbols: Symbols,
    /// Ways to pick the natural pieces from each column alone, by how many there are so far.
    ways: Vec<Vec<u64>>,
    visit: &'a mut V,
}

impl<V: FnMut(Seen<'_>) -> bool> Walk<'_, V> {
    fn go(&mut self, symbol: usize, left: u8, sum: u64, product: Product) -> bool {
        if left == 0 {
            return self.arrive(sum, product);
        }
        if self.room.get(symbol).is_none_or(|room| *room < u64::from(left)) {
            return true;
        }
        let copies = self.lens.copies(symbol);
        let word = self.words.get(symbol).copied().unwrap_or(0);
        let mut sum = sum;
        for times in 0..=left.min(u8::try_from(copies).unwrap_or(u8::MAX)) {
            let picked = choose(copies, u64::from(times));
            let next = if symbol >= self.lens.values {
                Product { wild: product.wild * picked, ..product }
            } else {
                self.pick_by_column(symbol, times, product.naturals);
                Product { all: product.all * picked, naturals: product.naturals + times, ..product }
            };
            self.symbols.push(symbol, times);
            let on = self.go(symbol + 1, left - times, sum, next);
            self.symbols.pop(times);
            if !on {
                return false;
            }
            sum = sum.wrapping_add(word);
        }
        true
    }

    /// Brings the columns' ways forward by `times` pieces of one value.
    fn pick_by_column(&mut self, value: usize, times: u8, before: u8) {
        if times == 0 {
            return;
        }
        let (Some(held), Some((from, to))) = (self.lens.natural.get(value), split(&mut self.ways, usize::from(before), usize::from(times))) else {
            return;
        };
        for ((to, from), held) in to.iter_mut().zip(from).zip(held) {
            *to = *from * choose(u64::from(*held), u64::from(times));
        }
    }

    fn arrive(&mut self, sum: u64, product: Product) -> bool {
        let alike = match (self.lens.alike, product.naturals) {
            (None, _) => 0,
            (Some(_), 0) => 1,
            (Some(_), n) => self.ways.get(usize::from(n)).map_or(0, |ways| ways.iter().sum()),
        };
        let mixed = product.all - alike;
        (self.visit)(Seen { symbols: &self.symbols, sum, mixed: mixed * product.wild, alike: alike * product.wild })
    }
}

/// The rows at `before` and `before + times`.
fn split(ways: &mut [Vec<u64>], before: usize, times: usize) -> Option<(&[u64], &mut Vec<u64>)> {
    let (low, high) = ways.split_at_mut_checked(before + 1)?;
    Some((low.get(before)?, high.get_mut(times - 1)?))
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
