//! The lines of a ranking from all layers: what is said, by whom, and under which conditions. Clauses 7.1 to 7.3 and 8.7.

use std::ops::RangeInclusive;

use super::cite::{Citing, Provenance};
use super::constant::Constant;
use super::dangling::dangling;
use super::family::{FamilyParameter, parameters, too_many, unused};
use super::pattern::{Inside, scales_of};
use super::pieces::PieceKind;
use super::place::Sort;
use super::resolve::Names;
use super::scope::unknown;
use super::selection::{Layer, Stack};
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{AttributeId, Key, LARGEST_HAND, Pattern, Scale, ScaleId, Term, ValueId};
use crate::source::Span;
use crate::syntax::tree::{self, At, Declaration, Expr, Name, RankingItem, RankingSize, StandsFor, Tags, TiesScope, WildWhich};

/// Position of a class among all that some line declares, in use or not.
pub type DeclaredId = usize;

/// One line, or one edge of a line that declares several.
#[derive(Clone, Debug)]
pub(super) struct Line<T> {
    pub it: T,
    /// Position of its layer.
    pub layer: usize,
    pub replaces: bool,
    /// All must hold.
    pub when: Vec<Constant>,
    pub from: Provenance,
}

/// A class that some line declares.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub name: String,
}

#[derive(Clone, Debug)]
pub(super) struct Ties {
    /// `None`: `otherwise`.
    pub class: Option<DeclaredId>,
    pub keys: Vec<Key>,
    /// Values that have no points: no piece in use may have one.
    pub holes: Vec<Hole>,
}

/// A value for which a definition that is summed has no row, and what is wrong if a piece has it.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    pub attribute: AttributeId,
    pub value: ValueId,
    pub fault: Box<Diagnostic>,
}

/// A wild piece before the pack is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WildPiece {
    /// A blank, by its position in the kind of piece.
    Blank(usize),
    Values(AttributeId, Vec<Term>),
}

#[derive(Clone, Debug)]
pub(super) struct ReadingDraft {
    pub wild: WildPiece,
    pub stands_for: Option<(AttributeId, Vec<Term>)>,
    pub into: Option<Vec<DeclaredId>>,
    pub may_double: bool,
}

/// What all layers say of one ranking.
#[derive(Clone, Debug)]
pub(super) struct RankingDraft {
    pub name: Name,
    /// What is known only where the ranking is asked. Clause 7.1.
    pub parameters: Vec<FamilyParameter>,
    pub piece: usize,
    pub sizes: RangeInclusive<u8>,
    pub by: Option<ScaleId>,
    pub scales: Vec<Scale>,
    pub declared: Vec<Declared>,
    pub classes: Vec<Line<(DeclaredId, Pattern<Term>)>>,
    pub edges: Vec<Line<(DeclaredId, DeclaredId)>>,
    pub ties: Vec<Line<Ties>>,
    pub readings: Vec<Line<ReadingDraft>>,
    pub named: Vec<Line<WildPiece>>,
    pub dropped_classes: Vec<Line<DeclaredId>>,
    pub dropped_edges: Vec<Line<(DeclaredId, DeclaredId)>>,
}

impl<T> Line<T> {
    /// Whether a `replace` or `drop` meets this line: every line of lower layers, and those of its own layer that replace nothing themselves.
    pub fn is_met_by<U>(&self, edit: &Line<U>) -> bool {
        self.layer < edit.layer || (self.layer == edit.layer && !self.replaces)
    }
}

impl RankingDraft {
    /// A ranking of which no line has been read. `of` is its piece and how many of them make a hand.
    fn empty(name: Name, parameters: Vec<FamilyParameter>, of: (usize, RangeInclusive<u8>), by: Option<ScaleId>, scales: Vec<Scale>) -> RankingDraft {
        let (piece, sizes) = of;
        RankingDraft {
            name,
            parameters,
            piece,
            sizes,
            by,
            scales,
            declared: Vec::new(),
            classes: Vec::new(),
            edges: Vec::new(),
            ties: Vec::new(),
            readings: Vec::new(),
            named: Vec::new(),
            dropped_classes: Vec::new(),
            dropped_edges: Vec::new(),
        }
    }

    pub fn class(&self, name: &str) -> Option<DeclaredId> {
        self.declared.iter().position(|declared| declared.name == name)
    }

    pub fn name_of(&self, class: DeclaredId) -> &str {
        self.declared.get(class).map_or("", |declared| declared.name.as_str())
    }

    /// Everything that stands where some line wants a value.
    pub fn each_value(&self, see: &mut impl FnMut(&Term)) {
        self.classes.iter().for_each(|line| line.it.1.each_value(see));
        let wild = self.readings.iter().map(|line| &line.it.wild).chain(self.named.iter().map(|line| &line.it));
        let wild = wild.filter_map(|wild| if let WildPiece::Values(_, values) = wild { Some(values) } else { None });
        let meanings = self.readings.iter().filter_map(|line| line.it.stands_for.as_ref()).map(|(_, values)| values);
        wild.chain(meanings).flatten().for_each(see);
    }

    /// Everything conditions of this ranking say.
    pub fn conditions(&self) -> impl Iterator<Item = &[Constant]> {
        let classes = self.classes.iter().map(|line| line.when.as_slice());
        let edges = self.edges.iter().map(|line| line.when.as_slice());
        let ties = self.ties.iter().map(|line| line.when.as_slice());
        let readings = self.readings.iter().map(|line| line.when.as_slice());
        let named = self.named.iter().map(|line| line.when.as_slice());
        let dropped = self.dropped_classes.iter().map(|line| line.when.as_slice());
        classes.chain(edges).chain(ties).chain(readings).chain(named).chain(dropped).chain(self.dropped_edges.iter().map(|line| line.when.as_slice()))
    }
}

/// An item with the conditions of the blocks around it.
struct Flat<'i> {
    item: &'i At<RankingItem>,
    layer: usize,
    around: Vec<&'i Expr>,
}

/// Every ranking of the rulebook, with the edits of all layers.
pub(super) fn rankings(
    stack: &Stack<'_>,
    citing: &Citing<'_>,
    names: &Names<'_>,
    pieces: &[PieceKind],
    faults: &mut Vec<Diagnostic>,
) -> Vec<RankingDraft> {
    let mut drafts = Vec::new();
    for (index, layer) in stack.layers.iter().enumerate() {
        for declaration in &layer.declarations {
            if let Declaration::Ranking(ranking) = &declaration.it {
                let mut items = Vec::new();
                flatten(&ranking.items, index, &[], &mut items);
                for (above, edits) in stack.layers.iter().enumerate() {
                    for edit in &edits.declarations {
                        if let Declaration::RankingEdit { ranking: name, items: edited } = &edit.it
                            && name.it == ranking.name.it
                        {
                            flatten(edited, above, &[], &mut items);
                        }
                    }
                }
                drafts.extend(one(ranking, &items, stack, citing, names, pieces, faults));
            } else if let Declaration::RankingEdit { ranking, .. } = &declaration.it
                && names.scope.sort(&ranking.it) != Some(Sort::Ranking)
            {
                faults.push(names.scope.missing(ranking, &[Sort::Ranking], "a ranking"));
            }
        }
    }
    drafts
}

fn flatten<'i>(items: &'i [At<RankingItem>], layer: usize, around: &[&'i Expr], flat: &mut Vec<Flat<'i>>) {
    for item in items {
        if let RankingItem::Under { when, items } = &item.it {
            let mut inner = around.to_vec();
            inner.push(when);
            flatten(items, layer, &inner, flat);
        } else {
            flat.push(Flat { item, layer, around: around.to_vec() });
        }
    }
}

fn one(
    ranking: &tree::Ranking,
    items: &[Flat<'_>],
    stack: &Stack<'_>,
    citing: &Citing<'_>,
    names: &Names<'_>,
    pieces: &[PieceKind],
    faults: &mut Vec<Diagnostic>,
) -> Option<RankingDraft> {
    let Some(index) = pieces.iter().position(|piece| piece.name == ranking.piece.it) else {
        if names.scope.sort(&ranking.piece.it) != Some(Sort::Piece) {
            faults.push(names.scope.missing(&ranking.piece, &[Sort::Piece], "a piece"));
        }
        return None;
    };
    let piece = pieces.get(index)?;
    let sizes = sizes(ranking, faults)?;
    let before = faults.len();
    let parameters = parameters(ranking, piece, names, faults)?;
    let scales = scales_of(piece, names.kinds);
    let by = match &ranking.by {
        Some(name) => Some(own_scale(name, piece, &scales, names, faults)?),
        None => None,
    };
    let mut draft = RankingDraft::empty(ranking.name.clone(), parameters, (index, sizes), by, scales);
    declare(items, &mut draft, faults);
    let (scales, parameters) = (draft.scales.clone(), draft.parameters.clone());
    let inside = Inside {
        names: *names,
        layers: &stack.layers,
        piece,
        parameters: &parameters,
        scales: &scales,
        by,
        largest: *draft.sizes.end(),
        ranking: &ranking.name,
    };
    let mut reader = Reader { inside, layers: &stack.layers, citing: *citing, draft, faults };
    for flat in items {
        reader.item(flat);
    }
    let draft = reader.draft;
    dangling(&draft, faults);
    faults.extend(too_many(&draft));
    // What could not be read may have named a parameter.
    if !faults.get(before..).is_some_and(|found| found.iter().any(Diagnostic::is_error)) {
        faults.extend(unused(&draft));
    }
    Some(draft)
}

/// The scale behind the `by` of a ranking.
fn own_scale(name: &Name, piece: &PieceKind, scales: &[Scale], names: &Names<'_>, faults: &mut Vec<Diagnostic>) -> Option<ScaleId> {
    let found = scales.iter().position(|scale| scale.name == name.it);
    if found.is_none() {
        faults.push(match names.kinds.order(&name.it) {
            Some(_) => Diagnostic::new(Code::WrongKind, format!("`{}` orders nothing that `{}` has", name.it, piece.name), name.span),
            None => names.scope.missing(name, &[Sort::Scale], "a scale"),
        });
    }
    found
}

fn sizes(ranking: &tree::Ranking, faults: &mut Vec<Diagnostic>) -> Option<RangeInclusive<u8>> {
    let RankingSize::Between(least, most) = &ranking.size else { return Some(1..=LARGEST_HAND) };
    let most = most.as_ref().unwrap_or(least);
    let size = |number: &tree::Number| u8::try_from(number.it).ok().filter(|size| (1..=LARGEST_HAND).contains(size));
    match (size(least), size(most)) {
        (Some(low), Some(high)) if low <= high => Some(low..=high),
        (Some(_), Some(_)) => {
            let message = format!("`{} to {}` holds no number", least.it, most.it);
            faults.push(Diagnostic::new(Code::OutOfRange, message, least.span.to(most.span)));
            None
        }
        (None, _) | (_, None) => {
            let message = format!("a hand has 1 to {LARGEST_HAND} pieces");
            faults.push(Diagnostic::new(Code::OutOfRange, message, least.span.to(most.span)));
            None
        }
    }
}

/// More classes than this are not compared. Clause 11.2.
const MOST_CLASSES: usize = 255;

/// Notes every class that some line declares, so that edges may name classes that are declared below them.
fn declare(items: &[Flat<'_>], draft: &mut RankingDraft, faults: &mut Vec<Diagnostic>) {
    for flat in items {
        let RankingItem::Class { name, .. } = &flat.item.it else { continue };
        if draft.class(&name.it).is_some() {
            continue;
        }
        if draft.declared.len() == MOST_CLASSES {
            faults.push(Diagnostic::new(Code::OutOfRange, format!("a ranking has at most {MOST_CLASSES} classes"), name.span));
            return;
        }
        draft.declared.push(Declared { name: name.it.clone() });
    }
}

struct Reader<'r> {
    inside: Inside<'r>,
    layers: &'r [Layer<'r>],
    citing: Citing<'r>,
    draft: RankingDraft,
    faults: &'r mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn item(&mut self, flat: &Flat<'_>) {
        match &flat.item.it {
            // Flattened away.
            RankingItem::Under { .. } => {}
            RankingItem::Class { replaces, name, under, pattern, tags } => {
                let pattern = self.inside.pattern(pattern, None, self.faults);
                let line = self.line(flat, *replaces, under.as_ref(), name.span, tags);
                if let (Some(pattern), Some(line), Some(class)) = (pattern, line, self.draft.class(&name.it)) {
                    self.draft.classes.push(line.map((class, pattern)));
                }
            }
            RankingItem::DropClass { name, tags } => {
                let Some(class) = self.draft.class(&name.it) else {
                    let fault = Diagnostic::new(Code::DanglingReplace, format!("there is no class `{}` to drop", name.it), name.span);
                    let near = super::advice::did_you_mean(&name.it, self.draft.declared.iter().map(|declared| declared.name.as_str()));
                    self.faults.push(match near {
                        Some(advice) => fault.with_help(advice),
                        None => fault,
                    });
                    return;
                };
                if let Some(line) = self.line(flat, true, None, name.span, tags) {
                    self.draft.dropped_classes.push(line.map(class));
                }
            }
            RankingItem::DropEdge { above, below, tags } => {
                let (a, b) = (self.class(above), self.class(below));
                if let (Some(a), Some(b), Some(line)) = (a, b, self.line(flat, true, None, above.span.to(below.span), tags)) {
                    self.draft.dropped_edges.push(line.map((a, b)));
                }
            }
            RankingItem::Beats { classes, under, tags } => self.beats(flat, classes, under.as_ref(), tags),
            RankingItem::Ties { replaces, scope, keys, under, tags } => self.ties(flat, *replaces, scope, keys, under.as_ref(), tags),
            RankingItem::Wild { replaces, which, stands_for, into, may_double, under, tags } => {
                let wild = self.wild(which);
                let stands_for = match stands_for {
                    StandsFor::Anything => Some(None),
                    StandsFor::Values(of) => self.inside.values_of(of, self.faults).map(Some),
                };
                let classes: Vec<Option<DeclaredId>> = into.iter().map(|name| self.class(name)).collect();
                let classes: Option<Vec<DeclaredId>> = classes.into_iter().collect();
                let line = self.line(flat, *replaces, under.as_ref(), flat.item.span, tags);
                if let (Some(wild), Some(stands_for), Some(classes), Some(line)) = (wild, stands_for, classes, line) {
                    let into = (!classes.is_empty()).then_some(classes);
                    self.draft.readings.push(line.map(ReadingDraft { wild, stands_for, into, may_double: *may_double }));
                }
            }
            RankingItem::WildNamed { replaces, which, under, tags } => {
                let wild = self.wild(which);
                let line = self.line(flat, *replaces, under.as_ref(), flat.item.span, tags);
                if let (Some(wild), Some(line)) = (wild, line) {
                    self.draft.named.push(line.map(wild));
                }
            }
        }
    }

    fn beats(&mut self, flat: &Flat<'_>, classes: &[Name], under: Option<&Expr>, tags: &Tags) {
        let found: Vec<Option<DeclaredId>> = classes.iter().map(|name| self.class(name)).collect();
        for ((above, below), (a, b)) in classes.iter().zip(classes.iter().skip(1)).zip(found.iter().zip(found.iter().skip(1))) {
            let span = above.span.to(below.span);
            if above.it == below.it {
                let fault = Diagnostic::new(Code::SelfEdge, format!("`{}` cannot beat itself", above.it), span);
                self.faults.push(fault.with_help("name the other class, or take the line out"));
                continue;
            }
            if let (Some(a), Some(b), Some(line)) = (a, b, self.line(flat, false, under, span, tags)) {
                self.draft.edges.push(line.map((*a, *b)));
            }
        }
    }

    fn ties(&mut self, flat: &Flat<'_>, replaces: bool, scope: &TiesScope, keys: &[At<tree::TieKey>], under: Option<&Expr>, tags: &Tags) {
        let mut holes = Vec::new();
        let read: Vec<Option<Key>> = keys.iter().map(|key| self.inside.key(key, &mut holes, self.faults)).collect();
        let keys: Option<Vec<Key>> = read.into_iter().collect();
        let classes: Vec<(Option<&Name>, Option<DeclaredId>)> = match scope {
            TiesScope::Otherwise => vec![(None, None)],
            TiesScope::In(names) => names.iter().map(|name| (Some(name), self.class(name))).collect(),
        };
        let mut seen: Vec<DeclaredId> = Vec::new();
        for (name, class) in classes {
            if name.is_some() && class.is_none() {
                continue;
            }
            if let (Some(class), Some(name)) = (class, name) {
                if seen.contains(&class) {
                    self.faults.push(Diagnostic::new(Code::DuplicateName, format!("`{}` stands here twice", name.it), name.span));
                    continue;
                }
                seen.push(class);
            }
            let span = name.map_or(flat.item.span, |name| name.span);
            if let (Some(line), Some(keys)) = (self.line(flat, replaces, under, span, tags), &keys) {
                self.draft.ties.push(line.map(Ties { class, keys: keys.clone(), holes: holes.clone() }));
            }
        }
    }

    fn class(&mut self, name: &Name) -> Option<DeclaredId> {
        let found = self.draft.class(&name.it);
        if found.is_none() {
            let names = self.draft.declared.iter().map(|declared| declared.name.as_str());
            self.faults.push(unknown(name, &format!("a class of `{}`", self.draft.name.it), names));
        }
        found
    }

    fn wild(&mut self, which: &WildWhich) -> Option<WildPiece> {
        match which {
            WildWhich::Values(of) => self.inside.values_of(of, self.faults).map(|(attribute, values)| WildPiece::Values(attribute, values)),
            WildWhich::Named(name) => {
                let blanks = &self.inside.piece.blanks;
                let found = blanks.iter().position(|blank| blank.name == name.it);
                if found.is_none() {
                    let fault = unknown(name, "a blank piece", blanks.iter().map(|blank| blank.name.as_str()));
                    let piece = &self.inside.piece.name;
                    self.faults.push(fault.with_help(format!("declare it with `pieces one blank {piece} called {};`", name.it)));
                }
                found.map(WildPiece::Blank)
            }
        }
    }

    /// A line without what it says. `None` if its condition cannot be understood.
    fn line(&mut self, flat: &Flat<'_>, replaces: bool, under: Option<&Expr>, span: Span, tags: &Tags) -> Option<Line<()>> {
        let layer = self.layers.get(flat.layer)?;
        let when: Vec<Option<Constant>> =
            flat.around.iter().copied().chain(under).map(|expr| self.inside.names.condition(expr, self.faults)).collect();
        let when: Vec<Constant> = when.into_iter().collect::<Option<_>>()?;
        Some(Line { it: (), layer: flat.layer, replaces, when, from: self.citing.provenance(layer, span, tags) })
    }
}

impl Line<()> {
    fn map<T>(self, it: T) -> Line<T> {
        Line { it, layer: self.layer, replaces: self.replaces, when: self.when, from: self.from }
    }
}
