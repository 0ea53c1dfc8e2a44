//! Pieces and packs: which pieces there are, and which of them are in use. Clauses 3.5 and 3.6.

use super::cite::{Citing, Provenance};
use super::constant::{Constant, Settings, all_hold};
use super::kinds::{KindId, Kinds};
use super::place::Sort;
use super::resolve::Names;
use super::scope::unknown;
use super::selection::Layer;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{Attribute, Deck, Piece, ValueId};
use crate::source::Span;
use crate::syntax::tree::{AttributeRange, Declaration, Member, Name, Pieces, PiecesWhich};

/// A kind of piece, whatever of it is in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceKind {
    pub name: String,
    pub attributes: Vec<PieceAttribute>,
    pub blanks: Vec<Blank>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceAttribute {
    /// As the piece calls it: a kind or a scale.
    pub name: String,
    pub kind: KindId,
    /// Position of its order among the scales, if it has one.
    pub order: Option<usize>,
}

/// A piece without attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blank {
    pub name: String,
    pub written: Vec<String>,
    pub span: Span,
}

/// A `pieces` line.
#[derive(Clone, Debug)]
pub(super) struct PackLine {
    pub piece: usize,
    pub copies: u8,
    pub which: Which,
    pub when: Vec<Constant>,
    pub from: Provenance,
}

#[derive(Clone, Debug)]
pub(super) enum Which {
    /// Values of each attribute of the piece, piece by piece, in the order of the line.
    Each(Vec<Vec<ValueId>>),
    Blank(usize),
}

/// Limits of clause 11.2.
const MOST_PIECES: usize = 254;
const MOST_COPIES: i64 = 255;
const MOST_ATTRIBUTES: usize = 32;

/// Every kind of piece. Blanks are added by the lines of the pack.
pub(super) fn piece_kinds(layers: &[Layer<'_>], kinds: &Kinds, names: &Names<'_>, faults: &mut Vec<Diagnostic>) -> Vec<PieceKind> {
    let mut pieces: Vec<PieceKind> = Vec::new();
    for declaration in layers.iter().flat_map(|layer| &layer.declarations) {
        let Declaration::Piece { name, attributes, .. } = &declaration.it else { continue };
        let mut piece = PieceKind { name: name.it.clone(), attributes: Vec::new(), blanks: Vec::new() };
        for attribute in attributes {
            if piece.attributes.iter().any(|other| other.name == attribute.it) {
                faults.push(Diagnostic::new(Code::DuplicateName, format!("`{}` stands twice among the attributes", attribute.it), attribute.span));
            } else if piece.attributes.len() == MOST_ATTRIBUTES {
                faults.push(Diagnostic::new(Code::OutOfRange, format!("more than {MOST_ATTRIBUTES} attributes"), attribute.span));
            } else {
                piece.attributes.extend(piece_attribute(attribute, kinds, names, faults));
            }
        }
        pieces.push(piece);
    }
    pieces
}

fn piece_attribute(name: &Name, kinds: &Kinds, names: &Names<'_>, faults: &mut Vec<Diagnostic>) -> Option<PieceAttribute> {
    let order = kinds.orders.iter().position(|order| order.name == name.it);
    let kind = kinds.kind(&name.it).or_else(|| order.and_then(|order| kinds.orders.get(order)).map(|order| order.kind));
    if kind.is_none() && !matches!(names.scope.sort(&name.it), Some(Sort::Kind | Sort::Scale)) {
        faults.push(names.scope.missing(name, &[Sort::Kind, Sort::Scale], "a kind or a scale"));
    }
    Some(PieceAttribute { name: name.it.clone(), kind: kind?, order })
}

/// Every `pieces` line of all layers.
pub(super) fn pack_lines(
    layers: &[Layer<'_>],
    kinds: &Kinds,
    names: &Names<'_>,
    citing: &Citing<'_>,
    pieces: &mut [PieceKind],
    faults: &mut Vec<Diagnostic>,
) -> Vec<PackLine> {
    let mut lines = Vec::new();
    for layer in layers {
        for declaration in &layer.declarations {
            let Declaration::Pieces(line) = &declaration.it else { continue };
            let from = citing.provenance(layer, declaration.span, &line.tags);
            lines.extend(pack_line(line, kinds, names, pieces, from, faults));
        }
    }
    lines
}

fn pack_line(
    line: &Pieces,
    kinds: &Kinds,
    names: &Names<'_>,
    pieces: &mut [PieceKind],
    from: Provenance,
    faults: &mut Vec<Diagnostic>,
) -> Option<PackLine> {
    let when = match &line.under {
        Some(under) => names.condition(under, faults).map(|condition| vec![condition]),
        None => Some(Vec::new()),
    };
    let copies = u8::try_from(line.count.it).ok();
    if copies.is_none() {
        faults.push(Diagnostic::new(Code::OutOfRange, format!("a pack holds 0 to {MOST_COPIES} copies of a piece"), line.count.span));
    }
    let Some(index) = pieces.iter().position(|piece| piece.name == line.piece.it) else {
        if names.scope.sort(&line.piece.it) != Some(Sort::Piece) {
            faults.push(names.scope.missing(&line.piece, &[Sort::Piece], "a piece"));
        }
        return None;
    };
    let piece = pieces.get_mut(index)?;
    let which = match &line.which {
        PiecesWhich::Each(ranges) => Which::Each(combinations(piece, ranges, &line.piece, kinds, faults)?),
        PiecesWhich::Blank(member) => Which::Blank(blank(piece, member)),
    };
    Some(PackLine { piece: index, copies: copies?, which, when: when?, from })
}

/// A blank may stand in several lines: it is the same blank, and its ways to be written add up.
fn blank(piece: &mut PieceKind, member: &Member) -> usize {
    let index = piece.blanks.iter().position(|blank| blank.name == member.name.it).unwrap_or_else(|| {
        piece.blanks.push(Blank { name: member.name.it.clone(), written: Vec::new(), span: member.name.span });
        piece.blanks.len() - 1
    });
    if let Some(blank) = piece.blanks.get_mut(index) {
        for text in &member.written {
            if !blank.written.contains(&text.it) {
                blank.written.push(text.it.clone());
            }
        }
    }
    index
}

/// One piece for each combination of values; the first attribute of the line turns slowest.
fn combinations(piece: &PieceKind, ranges: &[AttributeRange], at: &Name, kinds: &Kinds, faults: &mut Vec<Diagnostic>) -> Option<Vec<Vec<ValueId>>> {
    // Attribute (its position in the piece) and the values that it takes.
    let mut columns: Vec<(usize, Vec<ValueId>)> = Vec::new();
    for range in ranges {
        let Some(attribute) = piece.attributes.iter().position(|attribute| attribute.name == range.attribute.it) else {
            faults.push(unknown(&range.attribute, &format!("an attribute of `{}`", piece.name), piece.attributes.iter().map(|a| a.name.as_str())));
            return None;
        };
        if columns.iter().any(|(other, _)| *other == attribute) {
            faults.push(Diagnostic::new(Code::DuplicateName, format!("`{}` stands twice", range.attribute.it), range.attribute.span));
            return None;
        }
        columns.push((attribute, values_of(piece.attributes.get(attribute)?, range, kinds, faults)?));
    }
    let missing: Vec<&str> = (0..piece.attributes.len())
        .filter(|index| !columns.iter().any(|(column, _)| column == index))
        .filter_map(|index| piece.attributes.get(index).map(|attribute| attribute.name.as_str()))
        .collect();
    if !missing.is_empty() {
        let message = format!("every `{}` has {}, which this line does not name", piece.name, super::advice::all_of(missing.iter().copied()));
        faults.push(Diagnostic::new(Code::WrongKind, message, at.span).with_help(format!("add it: `of each …, {}`", missing.join(", "))));
        return None;
    }
    let total = columns.iter().fold(1_usize, |total, (_, values)| total.saturating_mul(values.len()));
    if total > MOST_PIECES {
        faults.push(Diagnostic::new(Code::OutOfRange, format!("these are {total} different pieces, and a pack has at most {MOST_PIECES}"), at.span));
        return None;
    }
    let mut made = vec![vec![0; piece.attributes.len()]];
    for (attribute, values) in columns {
        let with = |made: &Vec<ValueId>, value: &ValueId| {
            let mut more = made.clone();
            if let Some(slot) = more.get_mut(attribute) {
                *slot = *value;
            }
            more
        };
        made = made.iter().flat_map(|start| values.iter().map(move |value| with(start, value))).collect();
    }
    Some(made)
}

fn values_of(attribute: &PieceAttribute, range: &AttributeRange, kinds: &Kinds, faults: &mut Vec<Diagnostic>) -> Option<Vec<ValueId>> {
    let kind = kinds.get(attribute.kind)?;
    let Some((from, to)) = &range.range else {
        return Some((0..kind.members.len()).filter_map(|index| ValueId::try_from(index).ok()).collect());
    };
    let Some(order) = attribute.order.and_then(|order| kinds.orders.get(order)) else {
        let message = format!("the values of `{}` have no order", attribute.name);
        faults.push(Diagnostic::new(Code::WrongKind, message, range.attribute.span).with_help("only a scale has values from one to another"));
        return None;
    };
    let mut place = |name: &Name| {
        let found = kind.find(&name.it).and_then(|value| order.ascending.iter().position(|other| *other == value));
        if found.is_none() {
            faults.push(unknown(name, &format!("a value of `{}`", attribute.name), kind.names()));
        }
        found
    };
    let (first, last) = (place(from), place(to));
    let (first, last) = (first?, last?);
    if first > last {
        let message = format!("`{}` stands above `{}`", from.it, to.it);
        faults.push(Diagnostic::new(Code::OutOfRange, message, from.span.to(to.span)).with_help(format!("write `from {} to {}`", to.it, from.it)));
        return None;
    }
    Some(order.ascending.get(first..=last)?.to_vec())
}

/// The pack in use under settings, and for each line in use nothing more: pieces in the order of their declaration.
pub(super) fn deck(index: usize, piece: &PieceKind, lines: &[PackLine], kinds: &Kinds, settings: &Settings, faults: &mut Vec<Diagnostic>) -> Deck {
    let attributes = piece.attributes.iter().map(|attribute| {
        let values = kinds.get(attribute.kind).map(|kind| kind.names().map(str::to_owned).collect()).unwrap_or_default();
        Attribute { name: attribute.name.clone(), values }
    });
    let mut deck = Deck { attributes: attributes.collect(), pieces: Vec::new() };
    // For each piece of the deck the line that put it there.
    let mut origin: Vec<&PackLine> = Vec::new();
    for line in lines.iter().filter(|line| line.piece == index && line.copies > 0) {
        if !all_hold(&line.when, settings, faults) {
            continue;
        }
        let new: Vec<Piece> = match &line.which {
            Which::Each(all) => {
                all.iter().map(|values| Piece { text: text(piece, values, kinds), values: values.clone(), copies: line.copies }).collect()
            }
            Which::Blank(blank) => {
                piece.blanks.get(*blank).map(|blank| Piece { text: blank_text(blank), values: Vec::new(), copies: line.copies }).into_iter().collect()
            }
        };
        let mut clash = None;
        for added in new {
            match deck.pieces.iter().position(|other| other.values == added.values && other.text == added.text) {
                None if deck.pieces.len() == MOST_PIECES => {
                    faults.push(Diagnostic::new(Code::OutOfRange, format!("a pack has at most {MOST_PIECES} different pieces"), line.from.span));
                    return deck;
                }
                None => {
                    deck.pieces.push(added);
                    origin.push(line);
                }
                Some(at) => {
                    let first = origin.get(at).copied().unwrap_or(line);
                    if line.copies == 1 && first.copies == 1 {
                        clash.get_or_insert((first, added.text.clone()));
                    }
                    if let Some(other) = deck.pieces.get_mut(at) {
                        other.copies = other.copies.checked_add(added.copies).unwrap_or_else(|| {
                            faults.push(Diagnostic::new(
                                Code::OutOfRange,
                                format!("more than {MOST_COPIES} copies of `{}`", added.text),
                                line.from.span,
                            ));
                            u8::MAX
                        });
                    }
                }
            }
        }
        if let Some((first, text)) = clash {
            faults.push(
                Diagnostic::new(Code::Overlap, format!("two lines put one `{text}` each into the pack"), line.from.span)
                    .with_label(first.from.span, "the other line")
                    .with_help(format!("if the pack holds each piece twice, write `pieces 2 {} of each …;`", piece.name)),
            );
        }
    }
    deck
}

/// `Ah`: the first text of each value. Where a value has none, names, as in `ace of hearts`.
fn text(piece: &PieceKind, values: &[ValueId], kinds: &Kinds) -> String {
    let members = || piece.attributes.iter().zip(values).filter_map(|(attribute, value)| kinds.get(attribute.kind)?.members.get(usize::from(*value)));
    if members().all(|member| !member.written.is_empty()) {
        members().filter_map(|member| member.written.first()).map(String::as_str).collect()
    } else {
        members().map(|member| member.name.as_str()).collect::<Vec<_>>().join(" of ")
    }
}

pub(super) fn blank_text(blank: &Blank) -> String {
    blank.written.first().unwrap_or(&blank.name).clone()
}
