//! A key's numbers packed into bits, so that comparing two hands of one class is comparing two numbers.
//!
//! Each number is stored plus an offset, so that 0 means that the list has ended: a list that is a beginning of another is then the lower one,
//! as lists compare. Where the lower number wins, every field is turned over.

use super::judge::Places;
use super::key::collect_runs;
use super::lens::mask;
use super::model::{Class, Key, KeyWord, Pattern, Ranking, ScaleId};
use super::spread::Spread;

/// No hand has more pieces, so no list has more numbers.
const MOST_NUMBERS: usize = 16;
/// Sums of points stay far from the ends of the integers.
const MOST_POINTS: i64 = 1 << 40;

#[derive(Clone, Debug)]
enum Field {
    Groups(ScaleId),
    Singles(ScaleId),
    Every(ScaleId),
    Wild,
    Count(i64),
    Top(ScaleId),
    /// Every run that the class asks for.
    TopOfRun(Vec<KnownRun>),
    Sum(Vec<i64>),
}

#[derive(Clone, Debug)]
struct KnownRun {
    values: u32,
    top_value: usize,
    top: i64,
}

/// One key: which numbers, and how they are packed.
#[derive(Clone, Debug)]
pub(crate) struct PackedKey {
    field: Field,
    /// How many numbers there can be.
    entries: u32,
    /// Bits of each number.
    bits: u32,
    /// Added to each number.
    offset: i64,
    wild_up: bool,
    low: bool,
}

/// A list of numbers under way.
struct Numbers {
    list: [i64; MOST_NUMBERS],
    length: usize,
}

impl Numbers {
    fn push(&mut self, number: i64) {
        if let Some(cell) = self.list.get_mut(self.length) {
            *cell = number;
            self.length += 1;
        }
    }

    fn filled(&mut self) -> &mut [i64] {
        self.list.get_mut(..self.length).unwrap_or_default()
    }
}

impl PackedKey {
    /// `None`: its numbers are too large to pack.
    pub fn new(ranking: &Ranking, size: u8, class: &Class, key: &Key) -> Option<PackedKey> {
        let pieces = u32::from(size);
        let long = |scale: &ScaleId| ranking.scales.get(*scale).and_then(|s| i64::try_from(s.ascending.len()).ok());
        let (field, entries, least, most) = match &key.word {
            KeyWord::Groups(scale) => (Field::Groups(*scale), pieces / 2, -1, long(scale)? - 1),
            KeyWord::Singles(scale) => (Field::Singles(*scale), pieces, -1, long(scale)? - 1),
            KeyWord::Every(scale) => (Field::Every(*scale), pieces, -1, long(scale)? - 1),
            KeyWord::Top(scale) => (Field::Top(*scale), 1, -1, long(scale)? - 1),
            KeyWord::Wild => (Field::Wild, 1, 0, i64::from(size)),
            KeyWord::Count => (Field::Count(i64::from(size)), 1, 0, i64::from(size)),
            KeyWord::TopOfRun => {
                let runs = known_runs(ranking, &class.pattern);
                let (least, most) = (runs.iter().map(|r| r.top).min().unwrap_or(0), runs.iter().map(|r| r.top).max().unwrap_or(0));
                (Field::TopOfRun(runs), 1, least, most)
            }
            KeyWord::Sum { points, .. } => {
                if points.iter().any(|p| !(-MOST_POINTS..MOST_POINTS).contains(p)) {
                    return None;
                }
                let (least, most) = (points.iter().min().copied()?.min(0), points.iter().max().copied()?.max(0));
                (Field::Sum(points.clone()), 1, least * i64::from(size), most * i64::from(size))
            }
        };
        let shifts = key.wild_up && !matches!(key.word, KeyWord::Wild | KeyWord::Count | KeyWord::Sum { .. });
        let (least, most) = if shifts { (least * 2, most * 2 + 1) } else { (least, most) };
        let bits = 64 - u64::try_from(most - least + 1).ok()?.leading_zeros();
        Some(PackedKey { field, entries, bits, offset: 1 - least, wild_up: shifts, low: key.low })
    }

    /// How many bits the key takes.
    pub fn width(&self) -> u32 {
        self.entries * self.bits
    }

    /// How many numbers the key has in a standing that ends with it.
    pub fn length(&self, standing: u128) -> u64 {
        let ended = if self.low { self.full() } else { 0 };
        let at = |i: u32| standing.checked_shr(i * self.bits).map_or(0, |s| s & u128::from(self.full()));
        (0..self.entries).filter(|i| at(*i) != u128::from(ended)).count() as u64
    }

    fn full(&self) -> u64 {
        (1 << self.bits) - 1
    }

    /// Packs the key of a hand below what is packed already.
    pub fn append(&self, above: u128, scales: &[Places], spread: &Spread) -> u128 {
        let mut numbers = Numbers { list: [0; MOST_NUMBERS], length: 0 };
        self.collect(scales, spread, &mut numbers);
        let list = numbers.filled();
        let turn = if self.low { self.full() } else { 0 };
        let mut packed = above;
        for number in list.iter().take(self.entries as usize) {
            packed = (packed << self.bits) | u128::from((number + self.offset).unsigned_abs() ^ turn);
        }
        for _ in list.len()..self.entries as usize {
            packed = (packed << self.bits) | u128::from(turn);
        }
        packed
    }

    fn collect(&self, scales: &[Places], spread: &Spread, numbers: &mut Numbers) {
        match &self.field {
            Field::Groups(scale) => self.groups(scales.get(*scale), spread, numbers),
            Field::Singles(scale) => {
                let Some(places) = scales.get(*scale) else { return };
                for value in places.held(spread).filter(|v| spread.count(*v) == 1) {
                    numbers.push(self.number(places, value, spread.wild_count(value) > 0));
                }
                self.add_nothings(spread, numbers);
                places.settle(numbers.filled());
            }
            Field::Every(scale) => {
                let Some(places) = scales.get(*scale) else { return };
                for value in places.held(spread) {
                    let wild = spread.wild_count(value);
                    (0..wild).for_each(|_| numbers.push(self.number(places, value, true)));
                    (wild..spread.count(value)).for_each(|_| numbers.push(self.number(places, value, false)));
                }
                self.add_nothings(spread, numbers);
                places.settle(numbers.filled());
            }
            Field::Top(scale) => {
                let Some(places) = scales.get(*scale) else { return };
                let values = places.held(spread).map(|v| self.number(places, v, spread.wild_count(v) > 0));
                let nothing = (spread.nothings > 0).then(|| self.nothing());
                values.chain(nothing).max().into_iter().for_each(|n| numbers.push(n));
            }
            Field::Wild => numbers.push(i64::from(spread.wilds)),
            Field::Count(size) => numbers.push(*size),
            Field::TopOfRun(runs) => {
                let found = runs.iter().filter(|run| spread.present & run.values == run.values);
                let tops = found.map(|run| self.shifted(run.top, spread.wild_count(run.top_value) > 0));
                tops.max().into_iter().for_each(|n| numbers.push(n));
            }
            Field::Sum(points) => {
                numbers.push(points.iter().enumerate().map(|(value, p)| p * i64::from(spread.count(value))).sum());
            }
        }
    }

    /// Larger groups first, then higher numbers.
    fn groups(&self, places: Option<&Places>, spread: &Spread, numbers: &mut Numbers) {
        let Some(places) = places else { return };
        let mut left = spread.groups();
        let mut sizes: u8 = 2;
        let mut largest = 0;
        while left != 0 {
            if left & 15 != 0 {
                largest = sizes;
            }
            left >>= 4;
            sizes += 1;
        }
        for size in (2..=largest).rev().filter(|s| spread.groups() >> (4 * (s - 2)) & 15 != 0) {
            let start = numbers.length;
            for value in places.held(spread).filter(|v| spread.count(*v) == size) {
                numbers.push(self.number(places, value, spread.wild_count(value) > 0));
            }
            places.settle(numbers.filled().get_mut(start..).unwrap_or_default());
        }
    }

    fn add_nothings(&self, spread: &Spread, numbers: &mut Numbers) {
        (0..spread.nothings).for_each(|_| numbers.push(self.nothing()));
    }

    /// A blank that stands for nothing is lower than every value, and counts as wild.
    fn nothing(&self) -> i64 {
        self.shifted(-1, true)
    }

    fn number(&self, places: &Places, value: usize, wild: bool) -> i64 {
        self.shifted(places.place.get(value).copied().unwrap_or(-1), wild)
    }

    fn shifted(&self, place: i64, wild: bool) -> i64 {
        if self.wild_up { place * 2 + i64::from(wild) } else { place }
    }
}

impl Places {
    /// The values of a hand, highest first.
    fn held(&self, spread: &Spread) -> impl Iterator<Item = usize> {
        let present = spread.present;
        self.falling.iter().copied().filter(move |v| present >> v & 1 == 1)
    }

    /// Values without a place may have been listed out of order.
    fn settle(&self, numbers: &mut [i64]) {
        if self.length < i64::try_from(self.falling.len()).unwrap_or(0) {
            numbers.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
}

fn known_runs(ranking: &Ranking, pattern: &Pattern) -> Vec<KnownRun> {
    let mut asked = Vec::new();
    collect_runs(pattern, &mut asked);
    let mut known = Vec::new();
    for run in asked {
        let Pattern::Run { scale, length, step, around, top } = run else { continue };
        let Some(scale) = ranking.scales.get(*scale) else { continue };
        for possible in scale.possible_runs(*length, *step, *around, *top) {
            let top_value = possible.values.last().copied().map_or(0, usize::from);
            known.push(KnownRun { values: mask(&possible.values), top_value, top: possible.top });
        }
    }
    known
}
