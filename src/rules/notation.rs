//! Written cards: `Ah`, `ah`, `A♥`, `10h`, `ace of hearts`, a blank by its name. Clause 3.7.

use std::collections::BTreeSet;

use super::advice::{all_of, either, nearest};
use super::kinds::{Kind, Kinds, Value};
use super::pieces::{Blank, PieceKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{Deck, Held, PieceId, ValueId};
use crate::source::Span;

/// How the pieces of one kind are written, those that are not in use included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notation {
    pub(super) piece: String,
    /// For each attribute its name and its values.
    pub(super) attributes: Vec<(String, Vec<Value>)>,
    pub(super) blanks: Vec<Blank>,
}

/// Texts can be cut into values in many ways; nobody reads a card that needs more steps than this.
const MOST_STEPS: u32 = 10_000;

/// What a written card means before the pack is looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    Values(Vec<ValueId>),
    Blank(String),
}

/// A card of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Card {
    Held(Held),
    /// `?`
    Unknown,
}

impl Notation {
    pub(super) fn of(piece: &PieceKind, kinds: &Kinds) -> Notation {
        let values = |kind: &Kind| kind.members.clone();
        let attributes = piece.attributes.iter().map(|attribute| (attribute.name.clone(), kinds.get(attribute.kind).map(values).unwrap_or_default()));
        Notation { piece: piece.name.clone(), attributes: attributes.collect(), blanks: piece.blanks.clone() }
    }

    /// Reads one card, with what its holder calls it if it is wild: `Jk=Kh`.
    ///
    /// # Errors
    /// `unreadable-card` or `not-in-pack`.
    pub fn read(&self, deck: &Deck, written: &str, span: Span) -> Result<Card, Box<Diagnostic>> {
        let written = written.trim();
        if written == "?" {
            return Ok(Card::Unknown);
        }
        let (card, called) = match written.split_once('=') {
            Some((card, called)) => (card.trim(), Some(called.trim())),
            None => (written, None),
        };
        let piece = self.piece(deck, card, span)?;
        let called = called.map(|called| self.piece(deck, called, span)).transpose()?;
        Ok(Card::Held(Held { piece, called }))
    }

    fn piece(&self, deck: &Deck, written: &str, span: Span) -> Result<PieceId, Box<Diagnostic>> {
        // Telephones write a sign and the wish to see it as a picture.
        let plain = written.replace('\u{fe0f}', "");
        let written = plain.as_str();
        let found = self.readings(written);
        let mut readings = found.iter();
        let (Some(reading), None) = (readings.next(), readings.next()) else {
            return Err(Box::new(if found.is_empty() { self.unreadable(written, span) } else { self.ambiguous(written, &found, span) }));
        };
        let in_pack = deck.pieces.iter().position(|piece| match reading {
            Written::Values(values) => piece.values == *values,
            Written::Blank(name) => piece.values.is_empty() && self.blank(name).is_some_and(|blank| super::pieces::blank_text(blank) == piece.text),
        });
        in_pack.and_then(|index| PieceId::try_from(index).ok()).ok_or_else(|| {
            let message = format!("the pack in use holds no {}", self.words(reading));
            Box::new(Diagnostic::new(Code::NotInPack, message, span))
        })
    }

    fn blank(&self, name: &str) -> Option<&Blank> {
        self.blanks.iter().find(|blank| blank.name == name)
    }

    /// Every different piece that a text can mean.
    fn readings(&self, written: &str) -> BTreeSet<Written> {
        let text = written.to_lowercase();
        let text = text.strip_prefix("the ").map_or(text.as_str(), str::trim);
        let mut found = BTreeSet::new();
        for blank in &self.blanks {
            if blank.name == text || blank.written.iter().any(|way| way.to_lowercase() == text) {
                found.insert(Written::Blank(blank.name.clone()));
            }
        }
        if self.attributes.is_empty() {
            return found;
        }
        self.compact(text, &mut Vec::new(), &mut { MOST_STEPS }, &mut found);
        let words: Vec<&str> = text.split(" of ").map(str::trim).collect();
        if words.len() == self.attributes.len() {
            let values = words.iter().zip(&self.attributes).map(|(word, (_, values))| {
                let word = word.strip_prefix("the ").unwrap_or(word);
                position(values, |value| value.name == word || value.written.iter().any(|way| way.to_lowercase() == word))
            });
            if let Some(values) = values.collect::<Option<Vec<ValueId>>>() {
                found.insert(Written::Values(values));
            }
        }
        found
    }

    /// One text of each attribute's value, one behind the other.
    fn compact(&self, rest: &str, values: &mut Vec<ValueId>, steps: &mut u32, found: &mut BTreeSet<Written>) {
        let Some(left) = steps.checked_sub(1) else { return };
        *steps = left;
        let Some((_, choices)) = self.attributes.get(values.len()) else {
            if rest.is_empty() {
                found.insert(Written::Values(values.clone()));
            }
            return;
        };
        for (index, value) in choices.iter().enumerate() {
            let Ok(index) = ValueId::try_from(index) else { continue };
            for way in &value.written {
                if let Some(rest) = rest.strip_prefix(way.to_lowercase().as_str()) {
                    values.push(index);
                    self.compact(rest, values, steps, found);
                    values.pop();
                }
            }
        }
    }

    fn ambiguous(&self, written: &str, found: &BTreeSet<Written>, span: Span) -> Diagnostic {
        let words: Vec<String> = found.iter().map(|reading| self.words(reading)).collect();
        Diagnostic::new(Code::UnreadableCard, format!("`{written}` can be read in more than one way"), span)
            .with_help(format!("write {}", either(words.iter().map(String::as_str))))
    }

    /// `ace of hearts`
    fn words(&self, reading: &Written) -> String {
        match reading {
            Written::Blank(name) => name.clone(),
            Written::Values(values) => {
                let names = values.iter().zip(&self.attributes).filter_map(|(value, (_, all))| all.get(usize::from(*value)));
                names.map(|value| value.name.as_str()).collect::<Vec<_>>().join(" of ")
            }
        }
    }

    fn unreadable(&self, written: &str, span: Span) -> Diagnostic {
        let fault = Diagnostic::new(Code::UnreadableCard, format!("`{written}` is no {}", self.piece), span);
        match self.advice(written) {
            Some(advice) => fault.with_help(advice),
            None => fault.with_help(format!("a {} is written {}", self.piece, self.example())),
        }
    }

    /// Whether a text is several pieces written without a space: `ahkhqh`.
    fn together(&self, text: &str) -> bool {
        let mut rest = text;
        let mut pieces = 0;
        while !rest.is_empty() {
            for (_, values) in &self.attributes {
                let ways = values.iter().flat_map(|value| &value.written).map(|way| way.to_lowercase());
                let Some(way) = ways.filter(|way| rest.starts_with(way.as_str())).max_by_key(String::len) else { return false };
                rest = rest.get(way.len()..).unwrap_or("").trim_start_matches(['-', '_', '/', '.']);
            }
            pieces += 1;
        }
        pieces > 1
    }

    /// `Ah` or `ace of hearts`
    fn example(&self) -> String {
        let last = || self.attributes.iter().filter_map(|(_, values)| values.last());
        let short: String = last().filter_map(|value| value.written.first()).map(String::as_str).collect();
        let long = last().map(|value| value.name.as_str()).collect::<Vec<_>>().join(" of ");
        if short.is_empty() { format!("`{long}`") } else { format!("`{short}` or `{long}`") }
    }

    /// Which part cannot be read, and what it may have been meant for.
    fn advice(&self, written: &str) -> Option<String> {
        let text = written.to_lowercase();
        if self.together(&text) {
            return Some(format!("put a space between one {} and the next", self.piece));
        }
        let words: Vec<&str> = text.split(" of ").map(str::trim).collect();
        if words.len() == self.attributes.len() && words.len() > 1 {
            for (word, (name, values)) in words.iter().zip(&self.attributes) {
                let known = values.iter().any(|value| value.name == *word || value.written.iter().any(|way| way.to_lowercase() == *word));
                if !known {
                    return Some(no_value(word, name, values, true));
                }
            }
        }
        let names: Vec<&str> = self.blanks.iter().flat_map(|blank| std::iter::once(&blank.name).chain(&blank.written)).map(String::as_str).collect();
        if text.chars().count() > 3 && !nearest(&text, names.iter().copied()).is_empty() {
            return Some(format!("did you mean {}?", either(nearest(&text, names))));
        }
        let [(first_name, first), .., (last_name, last)] = self.attributes.as_slice() else { return None };
        let ways = |values: &[Value]| values.iter().flat_map(|value| value.written.iter().map(|way| way.to_lowercase())).collect::<Vec<String>>();
        if let Some(rest) = ways(last).iter().find_map(|way| text.strip_suffix(way.as_str())).filter(|rest| !rest.is_empty()) {
            return Some(no_value(rest, first_name, first, false));
        }
        let longest = ways(first).into_iter().filter(|way| text.starts_with(way.as_str())).max_by_key(String::len)?;
        let rest = text.strip_prefix(longest.as_str()).filter(|rest| !rest.is_empty())?;
        Some(no_value(rest, last_name, last, false))
    }
}

fn position(values: &[Value], is: impl Fn(&Value) -> bool) -> Option<ValueId> {
    ValueId::try_from(values.iter().position(is)?).ok()
}

fn no_value(word: &str, attribute: &str, values: &[Value], by_name: bool) -> String {
    if by_name {
        let near = nearest(word, values.iter().map(|value| value.name.as_str()));
        if !near.is_empty() {
            return format!("`{word}` is no {attribute}; did you mean {}?", either(near));
        }
        return format!("`{word}` is no {attribute}; there is {}", all_of(values.iter().map(|value| value.name.as_str())));
    }
    let ways = values.iter().filter_map(|value| value.written.first());
    format!("`{word}` is no {attribute}; it is written {}", either(ways.map(String::as_str)))
}

/// So many earlier places of a card are shown.
const SHOWN: usize = 3;
/// More cards that stand twice are not told one by one.
const MOST_DOUBLES: usize = 20;

/// A card that stands more often in the hands than the pack holds it. With `separate`, each hand comes from a pack of its own.
pub(super) fn doubles(deck: &Deck, hands: &[Vec<(Held, Span)>], separate: bool) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut seen: Vec<(PieceId, Span)> = Vec::new();
    for hand in hands {
        if separate {
            seen.clear();
        }
        for (held, span) in hand {
            let before: Vec<Span> = seen.iter().filter(|(piece, _)| *piece == held.piece).map(|(_, span)| *span).collect();
            let copies = usize::from(deck.copies(held.piece));
            seen.push((held.piece, *span));
            if before.len() >= copies && faults.len() < MOST_DOUBLES {
                let text = deck.pieces.get(usize::from(held.piece)).map_or("", |piece| piece.text.as_str());
                let message = match copies {
                    1 => format!("`{text}` stands here twice, and the pack holds one"),
                    _ => format!("`{text}` stands here {} times, and the pack holds {copies}", before.len() + 1),
                };
                let mut fault = Diagnostic::new(Code::DuplicateCard, message, *span);
                for place in before.into_iter().take(SHOWN) {
                    fault = fault.with_label(place, "here already");
                }
                faults.push(fault);
            }
        }
    }
    faults
}
