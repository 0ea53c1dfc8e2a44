//! Every hand that pieces which nobody has seen may make. Clause 6.7.

use smallvec::SmallVec;

use super::sets::Items;
use super::{Eval, Found};
use crate::engine::trouble::FaultKind;
use crate::engine::value::{Bits, UNSEEN};
use crate::ranking::{Comparer, PieceId as Face, Table};
use crate::rules::table::program::{PieceFace, Program};
use crate::source::Span;

/// More hands than this are not looked at, by a table and plainly. Clause 11.3.
const MOST_BY_TABLE: u64 = 25_000;
const MOST_PLAINLY: u64 = 2_500;
/// Looking at so many hands counts as one expression.
const HANDS_AN_EXPRESSION: u64 = 8;

/// A hand as far as it is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Positions in the deck of the kind of piece.
    faces: SmallVec<[Face; 16]>,
    pieces: Bits,
    kind: usize,
    /// How many pieces nobody has seen.
    pub unseen: usize,
}

/// How a walk over hands ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// All were looked at.
    All,
    /// Whoever looked had seen enough.
    Stopped,
    /// None was looked at, because there are too many.
    TooMany,
}

impl Seen {
    /// `kind`: the kind of its pieces.
    pub fn of(program: &Program, items: &Items<'_>, kind: usize) -> Seen {
        let mut seen = Seen { kind, ..Seen::default() };
        items.each_piece(|piece| {
            let known = piece.filter(|piece| *piece < UNSEEN).and_then(|piece| Some((piece, program.pieces.get(usize::from(piece))?)));
            match known.and_then(|(piece, of)| Some((piece, Face::try_from(of.face).ok()?))) {
                Some((piece, face)) => {
                    seen.pieces.insert(piece);
                    seen.faces.push(face);
                }
                None => seen.unseen += 1,
            }
        });
        seen
    }

    pub fn size(&self) -> usize {
        self.faces.len() + self.unseen
    }
}

impl Eval<'_> {
    /// The table by which a hand is compared, if there is one.
    pub(super) fn table<'c>(&self, comparer: &'c Comparer, hand: &Seen) -> Option<&'c Table> {
        let more = if hand.unseen == 0 { 1 } else { ways(&self.free(hand), hand.unseen) };
        // For hands that are not going to be looked at none is made.
        if more > MOST_BY_TABLE { None } else { comparer.table(hand.size(), u32::try_from(more).unwrap_or(u32::MAX)) }
    }

    /// Looks at every hand that a hand may be, until `see` says that it is enough.
    pub(super) fn completions(&mut self, table: Option<&Table>, hand: &Seen, span: Span, see: &mut dyn FnMut(&[Face]) -> bool) -> Found<Walked> {
        if hand.unseen == 0 {
            return Ok(if see(&hand.faces) { Walked::All } else { Walked::Stopped });
        }
        let free = self.free(hand);
        let count = ways(&free, hand.unseen);
        // That there is none means that some piece lies where nobody thought it does; then nothing can be said.
        if count == 0 || count > if table.is_some() { MOST_BY_TABLE } else { MOST_PLAINLY } {
            return Ok(Walked::TooMany);
        }
        let cost = u32::try_from(count / HANDS_AN_EXPRESSION).unwrap_or(u32::MAX);
        let Some(left) = self.left.checked_sub(cost) else { return self.fault(FaultKind::Endless, span) };
        self.left = left;
        let mut faces = hand.faces.clone();
        Ok(if extend(&free, hand.unseen, &mut faces, see) { Walked::All } else { Walked::Stopped })
    }

    /// The faces that unseen pieces may have, each with the number of pieces that lie nowhere known.
    fn free(&self, hand: &Seen) -> SmallVec<[(Face, u8); 64]> {
        let mut free: SmallVec<[(Face, u8); 64]> = SmallVec::new();
        let mut last: Option<PieceFace> = None;
        // Where all pieces lie at the start, or where they were arranged and nobody has looked since, no piece is known to lie.
        let start = self.game.program.places.iter().find(|place| place.at_start).map(|place| place.cells.first);
        let lies = |piece: u8| self.state.piles.at(piece).is_some_and(|cell| Some(cell) != start && Some(cell) != self.state.arranged);
        for (piece, id) in self.game.program.pieces.iter().zip(0u8..) {
            if piece.kind != hand.kind || hand.pieces.has(id) || lies(id) {
                continue;
            }
            let Ok(face) = Face::try_from(piece.face) else { continue };
            match free.last_mut().filter(|_| last == Some(piece.face)) {
                Some((_, copies)) => *copies += 1,
                None => free.push((face, 1)),
            }
            last = Some(piece.face);
        }
        free
    }
}

/// In how many ways so many pieces can be taken, copies of one face being the same.
fn ways(free: &[(Face, u8)], unseen: usize) -> u64 {
    let mut ways: SmallVec<[u64; 16]> = SmallVec::from_elem(0, unseen + 1);
    if let Some(nothing) = ways.first_mut() {
        *nothing = 1;
    }
    for (_, copies) in free {
        for taken in (1..=unseen).rev() {
            let more: u64 =
                (1..=usize::from(*copies).min(taken)).filter_map(|of_it| ways.get(taken - of_it)).fold(0, |sum, way| sum.saturating_add(*way));
            if let Some(cell) = ways.get_mut(taken) {
                *cell = cell.saturating_add(more);
            }
        }
    }
    ways.last().copied().unwrap_or(0)
}

/// Puts every choice of `unseen` pieces behind a hand; whether all were looked at.
fn extend(free: &[(Face, u8)], unseen: usize, hand: &mut SmallVec<[Face; 16]>, see: &mut dyn FnMut(&[Face]) -> bool) -> bool {
    if unseen == 0 {
        return see(hand);
    }
    let mut rest = free;
    while let Some(((face, copies), later)) = rest.split_first() {
        rest = later;
        let before = hand.len();
        // First so many of this face, then others only.
        for taken in 1..=usize::from(*copies).min(unseen) {
            hand.push(*face);
            if !extend(later, unseen - taken, hand, see) {
                return false;
            }
        }
        hand.truncate(before);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_hands_are_looked_at_as_are_counted() {
        let free = [(3, 1), (5, 2), (8, 1), (9, 3)];
        for unseen in 0..=7 {
            let mut seen = Vec::new();
            extend(&free, unseen, &mut SmallVec::new(), &mut |hand| {
                seen.push(hand.to_vec());
                true
            });
            assert_eq!(seen.len() as u64, ways(&free, unseen), "{unseen}");
            seen.dedup();
            assert_eq!(seen.len() as u64, ways(&free, unseen), "{unseen}");
        }
        // Two of four faces, or one of the two faces of which there are several, twice.
        assert_eq!(ways(&free, 2), 8);
        assert_eq!(ways(&free, 8), 0);
    }
}
