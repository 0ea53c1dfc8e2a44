//! How a hand stands, in the plainest way: every meaning of every wild piece is tried. Clauses 7.3, 7.9 and 7.10.
//!
//! This is the definition. The table is faster and must agree with it.

use std::cmp::Ordering;

use super::fit::Meant;
use super::model::{ClassId, Held, Pattern, PieceId, Ranking, Reading};

/// How a hand stands: its class, the numbers that decide within the class, and what its wild pieces stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub class: ClassId,
    /// One list for each key of the class.
    pub keys: Vec<Vec<i64>>,
    /// Which keys the lower number wins.
    pub low: Vec<bool>,
    /// Each piece that counts as wild, by its position in the hand, and what it stands for. A blank that stands for nothing is left out.
    pub meanings: Vec<(usize, PieceId)>,
}

/// What decided between two hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    Class,
    /// The key with this number, at this position in its list.
    Key {
        key: usize,
        position: usize,
    },
    /// Nothing: the hands are level.
    Level,
}

/// Why a hand is not ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    WrongSize,
    /// More of this piece than the pack holds.
    TooManyCopies(PieceId),
    /// The holder must say what the piece at this position stands for.
    NotNamed(usize),
    /// The piece at this position may not stand for what its holder says.
    CalledNotAllowed(usize),
    /// No class fits.
    NoClass,
}

impl Standing {
    /// How this hand stands to another: `Greater` if this one is better.
    #[must_use]
    pub fn compare(&self, other: &Standing) -> (Ordering, Decider) {
        if self.class != other.class {
            return (other.class.cmp(&self.class), Decider::Class);
        }
        for (key, (mine, theirs)) in self.keys.iter().zip(&other.keys).enumerate() {
            let decided = mine.cmp(theirs);
            if decided != Ordering::Equal {
                let position = mine.iter().zip(theirs).take_while(|(a, b)| a == b).count();
                let low = self.low.get(key) == Some(&true);
                return (if low { decided.reverse() } else { decided }, Decider::Key { key, position });
            }
        }
        (Ordering::Equal, Decider::Level)
    }
}

/// How one piece of a hand may be read.
#[derive(Clone, Debug)]
struct Reach {
    /// As itself, not wild.
    itself: bool,
    /// What it may stand for, in deck order.
    meanings: Vec<PieceId>,
    /// It may stand for nothing.
    nothing: bool,
}

impl Ranking {
    /// How a hand stands.
    ///
    /// # Errors
    /// Says why the hand is not ranked.
    pub fn stand(&self, hand: &[Held]) -> Result<Standing, Refusal> {
        self.best_reading(hand).map(|(standing, _)| standing)
    }

    /// Whether a pattern fits a hand, its wild pieces standing for what makes the hand best; `Class` asks for the hand's class.
    ///
    /// # Errors
    /// Says why the hand is not ranked.
    pub fn matches(&self, pattern: &Pattern, hand: &[Held]) -> Result<bool, Refusal> {
        self.best_reading(hand).map(|(standing, meant)| self.fits(pattern, &meant, Some(standing.class)))
    }

    /// The best standing, and the hand as it is read for it.
    ///
    /// Readings are tried in the order of the deck, whatever the order of the hand: which of several equal ones is taken must not hang on how
    /// the holder sorts his pieces.
    fn best_reading(&self, hand: &[Held]) -> Result<(Standing, Vec<Meant>), Refusal> {
        let mut sorted: Vec<(Held, usize, Reach)> = self.reaches(hand)?.into_iter().zip(hand).enumerate().map(|(i, (r, h))| (*h, i, r)).collect();
        sorted.sort_by_key(|(held, position, _)| (*held, *position));
        let pieces: Vec<Held> = sorted.iter().map(|(held, _, _)| *held).collect();
        // As few blanks as possible stand for nothing.
        for nothings in 0..=sorted.iter().filter(|(_, _, r)| r.nothing).count() {
            let mut search = Search { ranking: self, hand: &pieces, best: None };
            search.extend(&sorted, nothings, 0, &mut Vec::new());
            if let Some((mut standing, meant)) = search.best {
                for (position, _) in &mut standing.meanings {
                    *position = sorted.get(*position).map_or(*position, |(_, original, _)| *original);
                }
                standing.meanings.sort_unstable();
                return Ok((standing, meant));
            }
        }
        let called = hand.iter().position(|h| h.called.is_some() && self.is_wild(h.piece));
        Err(called.map_or(Refusal::NoClass, Refusal::CalledNotAllowed))
    }

    /// How each piece may be read, the others apart.
    fn reaches(&self, hand: &[Held]) -> Result<Vec<Reach>, Refusal> {
        if !u8::try_from(hand.len()).is_ok_and(|size| self.sizes.contains(&size)) {
            return Err(Refusal::WrongSize);
        }
        for held in hand {
            if hand.iter().filter(|h| h.piece == held.piece).count() > usize::from(self.deck.copies(held.piece)) {
                return Err(Refusal::TooManyCopies(held.piece));
            }
        }
        if let Some(silent) = hand.iter().position(|h| h.called.is_none() && self.must_be_named(h.piece)) {
            return Err(Refusal::NotNamed(silent));
        }
        hand.iter().enumerate().map(|(position, held)| self.reach(position, *held)).collect()
    }

    fn reach(&self, position: usize, held: Held) -> Result<Reach, Refusal> {
        let blank = self.deck.is_blank(held.piece);
        let may_mean = |p: PieceId| p != held.piece && self.readings_of(held.piece).any(|r| r.reaches(&self.deck, p));
        match held.called {
            None => {
                let meanings = self.deck.ids().filter(|p| may_mean(*p)).collect();
                Ok(Reach { itself: !blank, meanings, nothing: blank })
            }
            Some(called) if called == held.piece && !blank => Ok(Reach { itself: true, meanings: Vec::new(), nothing: false }),
            Some(called) if may_mean(called) => Ok(Reach { itself: false, meanings: vec![called], nothing: false }),
            Some(_) => Err(Refusal::CalledNotAllowed(position)),
        }
    }

    fn readings_of(&self, piece: PieceId) -> impl Iterator<Item = &Reading> {
        self.readings.iter().filter(move |r| r.wild.names(&self.deck, piece))
    }

    /// The best class, among those that the wild pieces may make, for a hand as it is read; `None`: there is none, or the reading is not allowed.
    fn class_of_reading(&self, hand: &[Held], meant: &[Meant]) -> Option<ClassId> {
        let makers: Vec<Vec<&Reading>> = hand
            .iter()
            .zip(meant)
            .enumerate()
            .filter_map(|(position, (held, m))| Some(self.readings_used(position, *held, m.piece.filter(|_| m.wild)?, meant)))
            .collect();
        self.classes
            .iter()
            .enumerate()
            .position(|(id, class)| makers.iter().all(|rs| rs.iter().any(|r| r.makes(id))) && self.fits(&class.pattern, meant, None))
    }

    /// The readings that let the piece at a position stand for `meaning`, the rest of the hand being read as it is.
    fn readings_used(&self, position: usize, held: Held, meaning: PieceId, meant: &[Meant]) -> Vec<&Reading> {
        let others = meant.iter().enumerate().filter(|(i, m)| *i != position && m.piece == Some(meaning)).count();
        let all_held = others >= usize::from(self.deck.copies(meaning));
        self.readings_of(held.piece).filter(|r| r.reaches(&self.deck, meaning) && (r.may_double || !all_held)).collect()
    }
}

/// All readings of a hand, one after the other; the first of the best is kept.
struct Search<'a> {
    ranking: &'a Ranking,
    hand: &'a [Held],
    best: Option<(Standing, Vec<Meant>)>,
}

impl Search<'_> {
    /// Extends a reading of the first pieces by every reading of the next, with exactly `nothings` more blanks standing for nothing. Of pieces
    /// that are the same, the later one takes its readings from where the earlier one stands (`from`) on: it is the same which of them means what.
    fn extend(&mut self, rest: &[(Held, usize, Reach)], nothings: usize, from: usize, meant: &mut Vec<Meant>) {
        let Some(((held, _, reach), later)) = rest.split_first() else {
            if nothings == 0 {
                self.weigh(meant);
            }
            return;
        };
        let itself = reach.itself.then_some(Meant { piece: Some(held.piece), wild: false });
        let meanings = reach.meanings.iter().map(|p| Meant { piece: Some(*p), wild: true });
        let nothing = (reach.nothing && nothings > 0).then_some(Meant { piece: None, wild: true });
        for (at, next) in itself.into_iter().chain(meanings).chain(nothing).enumerate().skip(from) {
            let same = later.first().is_some_and(|(next, _, _)| next == held);
            meant.push(next);
            self.extend(later, nothings - usize::from(next.piece.is_none()), if same { at } else { 0 }, meant);
            meant.pop();
        }
    }

    fn weigh(&mut self, meant: &[Meant]) {
        let Some(class_id) = self.ranking.class_of_reading(self.hand, meant) else { return };
        let Some(class) = self.ranking.classes.get(class_id) else { return };
        if self.best.as_ref().is_some_and(|(best, _)| best.class < class_id) {
            return;
        }
        let standing = Standing {
            class: class_id,
            keys: self.ranking.keys(class, meant),
            low: class.keys.iter().map(|k| k.low).collect(),
            meanings: meant.iter().enumerate().filter(|(_, m)| m.wild).filter_map(|(i, m)| Some((i, m.piece?))).collect(),
        };
        if self.best.as_ref().is_none_or(|(best, _)| standing.compare(best).0 == Ordering::Greater) {
            self.best = Some((standing, meant.to_vec()));
        }
    }
}
