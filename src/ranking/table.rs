//! A ranking compiled: the strength of a hand costs one addition a piece and two look-ups, whatever its classes are.
//!
//! Each piece has a word. Part of it is a random number of the piece's symbol, so that the sum over a hand names its multiset (see `slots`).
//! The rest counts the pieces of each column, in steps of such a size that a counter reaches its top bit just when all pieces of the hand have
//! been counted there; wild pieces count everywhere.

use std::cmp::Ordering;

use super::core::Core;
use super::lens::{Lens, Slow};
use super::model::{ClassId, PieceId, Ranking};
use super::slots::{LARGE, Layout, SMALL};
use super::survey::{Case, Survey};

/// Strengths are stored in sixteen bits.
const MOST_STRENGTHS: usize = u16::MAX as usize;
/// No class has this number: there are at most `MOST_CLASSES`.
const NO_CLASS: u8 = u8::MAX;

#[derive(Clone, Debug)]
enum Cores {
    Small(Core<{ SMALL.bucket_at }, { SMALL.place_at }, 0x1000, 0x2000, 0x4000>),
    Large(Core<{ LARGE.bucket_at }, { LARGE.place_at }, 0x4000, 0x1_0000, 0x2_0000>),
}

/// Compares hands of a ranking's largest size.
///
/// It takes pieces as their holder would read them at best; hands that the pack does not hold get some strength or other.
#[derive(Clone, Debug)]
pub struct Table {
    /// Each piece's word.
    words: Box<[u64; 256]>,
    /// The counters' top bits.
    full: u64,
    cores: Cores,
    /// The class of each strength, in one byte to stay small; strength 0 has none.
    classes: Vec<u8>,
    size: u8,
    class_count: usize,
    pub(crate) lens: Lens,
    pub(crate) symbol_words: Vec<u64>,
}

impl Ranking {
    /// Compiles the ranking's hands of the largest size.
    ///
    /// # Errors
    /// Says why the ranking has no table. It is right all the same, only slower.
    pub fn compile(&self) -> Result<Table, Slow> {
        Table::from_survey(self, &Survey::new(self, *self.sizes.end())?)
    }
}

impl Table {
    pub(crate) fn from_survey(ranking: &Ranking, survey: &Survey) -> Result<Table, Slow> {
        let order = sorted(&survey.cases);
        if order.len() > MOST_STRENGTHS {
            return Err(Slow::ManyHands);
        }
        let layout = survey.placement.layout;
        let mut strengths = vec![0; 2 * layout.slots()];
        let strength = |standing: u128| order.binary_search(&standing).ok().and_then(|at| u16::try_from(at + 1).ok()).unwrap_or(0);
        for case in &survey.cases {
            for (slot, standing) in [(case.slot, case.mixed), (case.slot + layout.slots(), case.alike)] {
                if let Some(cell) = strengths.get_mut(slot).filter(|_| standing > 0) {
                    *cell = strength(standing);
                }
            }
        }
        let class = |standing: u128| survey.judge.class(standing).and_then(|c| u8::try_from(c).ok()).unwrap_or(NO_CLASS);
        let cores = if layout == SMALL {
            Core::new(&survey.placement, strengths).map(Cores::Small)
        } else {
            Core::new(&survey.placement, strengths).map(Cores::Large)
        };
        let (words, full) = words(&survey.lens, layout, &survey.words).ok_or(Slow::HandSize(survey.lens.size))?;
        Ok(Table {
            words,
            full,
            cores: cores.ok_or(Slow::ManyHands)?,
            classes: std::iter::once(NO_CLASS).chain(order.iter().map(|s| class(*s))).collect(),
            size: survey.lens.size,
            class_count: ranking.classes.len(),
            lens: survey.lens.clone(),
            symbol_words: survey.words.clone(),
        })
    }

    /// How many pieces a hand has.
    #[must_use]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// How good a hand is: the higher the better, equal if level; 0 if no class fits it, or if it has another size.
    #[must_use]
    pub fn strength(&self, hand: &[PieceId]) -> u32 {
        if hand.len() != usize::from(self.size) {
            return 0;
        }
        self.look_up(hand.iter().map(|p| self.word(*p)).reduce(u64::wrapping_add).unwrap_or(0))
    }

    /// The same for a hand whose size is known beforehand. It is not looked at whether that is the size of this table's hands.
    #[inline]
    #[must_use]
    pub fn strength_of<const N: usize>(&self, hand: &[PieceId; N]) -> u32 {
        let mut sum: u64 = 0;
        for piece in hand {
            sum = sum.wrapping_add(self.word(*piece));
        }
        self.look_up(sum)
    }

    /// The same for five pieces.
    #[inline]
    #[must_use]
    pub fn strength5(&self, hand: &[PieceId; 5]) -> u32 {
        self.strength_of(hand)
    }

    /// How one hand stands to another: `Greater` if it is better.
    #[must_use]
    pub fn compare(&self, one: &[PieceId], other: &[PieceId]) -> Ordering {
        self.strength(one).cmp(&self.strength(other))
    }

    /// The class of a strength; `None` for 0 and for numbers that are no strength.
    #[must_use]
    pub fn class_of(&self, strength: u32) -> Option<ClassId> {
        self.classes.get(strength as usize).filter(|c| **c != NO_CLASS).map(|c| usize::from(*c))
    }

    /// The greatest strength: there are so many different standings.
    #[must_use]
    pub fn best(&self) -> u32 {
        u32::try_from(self.classes.len()).map_or(0, |n| n.saturating_sub(1))
    }

    pub(crate) fn class_count(&self) -> usize {
        self.class_count
    }

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "one byte cannot be out of bounds of 256 words")]
    fn word(&self, piece: PieceId) -> u64 {
        self.words[usize::from(piece)]
    }

    #[inline]
    fn look_up(&self, sum: u64) -> u32 {
        match &self.cores {
            Cores::Small(core) => core.strength(sum, self.full),
            Cores::Large(core) => core.strength(sum, self.full),
        }
    }

    /// The strengths of the hands with this sum of symbols' words: not alike, and alike.
    #[inline]
    pub(crate) fn both(&self, sum: u64) -> (u32, u32) {
        match &self.cores {
            Cores::Small(core) => core.both(sum),
            Cores::Large(core) => core.both(sum),
        }
    }
}

/// Every different standing, worst first.
fn sorted(cases: &[Case]) -> Vec<u128> {
    let mut order: Vec<u128> = cases.iter().flat_map(|c| [c.mixed, c.alike]).filter(|s| *s > 0).collect();
    order.sort_unstable();
    order.dedup();
    order
}

/// Each piece's word, and the top bits of the counters; `None`: the counters do not fit.
fn words(lens: &Lens, layout: Layout, symbol_words: &[u64]) -> Option<(Box<[u64; 256]>, u64)> {
    let (step, width) = counter(lens.size)?;
    let columns = u32::try_from(counted_columns(lens)).ok()?;
    if columns * width > layout.counter_bits {
        return None;
    }
    let counted = |column: u32| step << (layout.counters_at + column * width);
    let everywhere: u64 = (0..columns).map(counted).sum();
    let mut words = Box::new([0; 256]);
    for ((word, symbol), column) in words.iter_mut().zip(&lens.symbols).zip(&lens.columns) {
        let counters = match (columns, *symbol >= lens.values) {
            (0, _) => 0,
            (_, true) => everywhere,
            (_, false) => counted(u32::try_from(*column).ok()?),
        };
        *word = symbol_words.get(*symbol)? | counters;
    }
    Some((words, (0..columns).map(|c| 1 << (layout.counters_at + (c + 1) * width - 1)).sum()))
}

/// The smallest layout that holds so many hands of this lens.
pub(crate) fn layout_for(lens: &Lens, hands: usize) -> Option<Layout> {
    let (_, width) = counter(lens.size)?;
    let fits = |layout: &Layout| {
        // A little air keeps the search for slots short.
        hands + hands / 64 <= layout.slots()
            && lens.size <= layout.most_pieces
            && counted_columns(lens) * width as usize <= layout.counter_bits as usize
    };
    [SMALL, LARGE].into_iter().find(fits)
}

fn counted_columns(lens: &Lens) -> usize {
    if lens.alike.is_some() { lens.column_count() } else { 0 }
}

/// The step of a counter and its width: its top bit is reached by so many steps, and not by one fewer.
fn counter(size: u8) -> Option<(u64, u32)> {
    let size = u64::from(size);
    let top = (0..32).find(|top| (1_u64 << top).div_ceil(size) * (size - 1) < 1 << top)?;
    Some(((1_u64 << top).div_ceil(size), top + 1))
}
