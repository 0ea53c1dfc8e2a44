//! One ranking under settings: which lines are in use, which give way, and the order that the edges make. Clauses 7.3, 7.6, 8.7.

use super::advice::all_of;
use super::cite::Provenance;
use super::constant::{Settings, all_hold};
use super::lines::{DeclaredId, Line, RankingDraft, ReadingDraft, Ties, WildPiece};
use super::pieces::{PieceKind, blank_text};
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{Class, ClassId, Deck, OrderFault, Pattern, PieceId, Ranking, Reading, Term, ValueId, Wild, order};
use crate::source::Span;

/// A ranking in force: the model, and for each part of it where it comes from.
///
/// `V` is what stands where a value is asked for: a value, or a [`Term`] in a ranking with parameters.
#[derive(Clone, Debug)]
pub struct RuledRanking<V = ValueId> {
    pub name: String,
    /// Position of its pack in the rulebook.
    pub pack: usize,
    pub model: Ranking<V>,
    /// For each class of the model, in its order.
    pub classes: Vec<Provenance>,
    /// For each class of the model: its `ties` line, and where each key is written.
    pub ties: Vec<Option<Provenance>>,
    /// For each reading of the model.
    pub readings: Vec<Provenance>,
    /// For each wild piece that its holder must name.
    pub named: Vec<Provenance>,
    /// Every edge in force.
    pub edges: Vec<BeatsEdge>,
}

/// `above beats below`. Either may be a class that is not in use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeatsEdge {
    pub above: String,
    pub below: String,
    pub from: Provenance,
}

impl BeatsEdge {
    fn of(draft: &RankingDraft, line: &Line<(DeclaredId, DeclaredId)>) -> BeatsEdge {
        BeatsEdge { above: draft.name_of(line.it.0).to_owned(), below: draft.name_of(line.it.1).to_owned(), from: line.from.clone() }
    }
}

impl RuledRanking<Term> {
    /// The ranking once its parameters are known. The order of its classes does not hang on them.
    pub fn fill(&self, arguments: &[Option<ValueId>]) -> RuledRanking {
        RuledRanking {
            name: self.name.clone(),
            pack: self.pack,
            model: self.model.fill(arguments),
            classes: self.classes.clone(),
            ties: self.ties.clone(),
            readings: self.readings.clone(),
            named: self.named.clone(),
            edges: self.edges.clone(),
        }
    }
}

impl<V> RuledRanking<V> {
    /// Whether edges lead from one class down to another. Either may be one that is not in use.
    pub(super) fn leads(&self, above: &str, below: &str) -> bool {
        let mut reached = vec![above];
        let mut next = 0;
        while let Some(at) = reached.get(next).copied() {
            next += 1;
            for edge in self.edges.iter().filter(|edge| edge.above == at) {
                if edge.below == below {
                    return true;
                }
                if !reached.contains(&edge.below.as_str()) {
                    reached.push(&edge.below);
                }
            }
        }
        false
    }

    /// The fewest edges that lead from one class down to another; empty if none do.
    pub fn path(&self, above: ClassId, below: ClassId) -> Vec<&BeatsEdge> {
        let name = |class: ClassId| self.model.classes.get(class).map_or("", |class| class.name.as_str());
        let (start, end) = (name(above), name(below));
        let mut paths: Vec<(&str, Vec<&BeatsEdge>)> = vec![(start, Vec::new())];
        let mut seen = vec![start];
        let mut next = 0;
        while let Some((at, path)) = paths.get(next).cloned() {
            next += 1;
            for edge in self.edges.iter().filter(|edge| edge.above == at) {
                let mut longer = path.clone();
                longer.push(edge);
                if edge.below == end {
                    return longer;
                }
                if !seen.contains(&edge.below.as_str()) {
                    seen.push(edge.below.as_str());
                    paths.push((edge.below.as_str(), longer));
                }
            }
        }
        Vec::new()
    }
}

/// Folds a ranking. `None` if its classes are in no order or two lines say different things; the faults say why.
pub(super) fn weave(
    draft: &RankingDraft,
    piece: &PieceKind,
    deck: &Deck,
    settings: &Settings,
    faults: &mut Vec<Diagnostic>,
) -> Option<RuledRanking<Term>> {
    let before = faults.len();
    let mut weaving = Weaving { draft, deck, settings, faults };
    let classes = weaving.classes();
    let edges = weaving.edges();
    let sorted = weaving.sorted(&classes, &edges);
    let mut model_classes = Vec::new();
    let mut provenance = Vec::new();
    let mut ties = Vec::new();
    for class in classes.iter().map(|line| line.it.0).filter(|class| !sorted.contains(class)) {
        // Without an order there is no model, but two keys for one class are to be found all the same.
        weaving.keys(class);
    }
    for class in &sorted {
        let Some(line) = classes.iter().find(|line| line.it.0 == *class) else { continue };
        let keys = weaving.keys(*class);
        if let Some(line) = keys {
            weaving.holes(&line.it);
        }
        model_classes.push(Class {
            name: draft.name_of(*class).to_owned(),
            pattern: line.it.1.clone(),
            keys: keys.map(|line| line.it.keys.clone()).unwrap_or_default(),
        });
        provenance.push(line.from.clone());
        ties.push(keys.map(|line| line.from.clone()));
    }
    let readings = weaving.readings(piece, deck, &sorted);
    let named = weaving.named(piece, deck);
    if faults.get(before..).is_some_and(|found| found.iter().any(Diagnostic::is_error)) {
        return None;
    }
    let model = Ranking {
        name: draft.name.it.clone(),
        deck: deck.clone(),
        scales: draft.scales.clone(),
        sizes: draft.sizes.clone(),
        classes: model_classes,
        readings: readings.iter().map(|(reading, _)| reading.clone()).collect(),
        named_by_holder: named.iter().map(|(wild, _)| wild.clone()).collect(),
    };
    Some(RuledRanking {
        name: draft.name.it.clone(),
        pack: draft.piece,
        model,
        classes: provenance,
        ties,
        readings: readings.into_iter().map(|(_, from)| from).collect(),
        named: named.into_iter().map(|(_, from)| from).collect(),
        edges: edges.iter().map(|line| BeatsEdge::of(draft, line)).collect(),
    })
}

struct Weaving<'d, 'f> {
    draft: &'d RankingDraft,
    deck: &'d Deck,
    settings: &'d Settings,
    faults: &'f mut Vec<Diagnostic>,
}

impl<'d> Weaving<'d, '_> {
    fn in_use<T>(&mut self, lines: &'d [Line<T>]) -> Vec<&'d Line<T>> {
        lines.iter().filter(|line| all_hold(&line.when, self.settings, self.faults)).collect()
    }

    /// One line for each class in use.
    fn classes(&mut self) -> Vec<&'d ClassLine> {
        let mut lines = self.in_use(&self.draft.classes);
        for drop in self.in_use(&self.draft.dropped_classes) {
            lines.retain(|line| line.it.0 != drop.it || !line.is_met_by(drop));
        }
        let all = lines.clone();
        lines.retain(|line| !all.iter().any(|other| other.replaces && other.it.0 == line.it.0 && line.is_met_by(other)));
        let mut kept: Vec<&'d ClassLine> = Vec::new();
        for line in lines {
            match kept.iter().find(|other| other.it.0 == line.it.0) {
                None => kept.push(line),
                Some(first) => {
                    let name = self.draft.name_of(line.it.0);
                    let message = format!("two lines say what `{name}` is");
                    self.faults.push(two_lines(message, first, line, &format!("replace class {name}: …;")));
                }
            }
        }
        kept
    }

    fn edges(&mut self) -> Vec<&'d Line<(DeclaredId, DeclaredId)>> {
        let mut lines = self.in_use(&self.draft.edges);
        for drop in self.in_use(&self.draft.dropped_edges) {
            lines.retain(|line| line.it != drop.it || !line.is_met_by(drop));
        }
        for drop in self.in_use(&self.draft.dropped_classes) {
            lines.retain(|line| (line.it.0 != drop.it && line.it.1 != drop.it) || !line.is_met_by(drop));
        }
        lines
    }

    /// The classes in use, best first; none if they are in no order.
    fn sorted(&mut self, classes: &[&ClassLine], edges: &[&Edge]) -> Vec<DeclaredId> {
        let pairs: Vec<(DeclaredId, DeclaredId)> = edges.iter().map(|edge| edge.it).collect();
        let in_use: Vec<bool> = (0..self.draft.declared.len()).map(|class| classes.iter().any(|line| line.it.0 == class)).collect();
        order(self.draft.declared.len(), &pairs, &in_use).unwrap_or_else(|found| {
            disorder(self.draft, classes, edges, &found, self.faults);
            Vec::new()
        })
    }

    /// The `ties` line of a class: its own, or the one for all others.
    fn keys(&mut self, class: DeclaredId) -> Option<&'d Line<Ties>> {
        let all = self.in_use(&self.draft.ties);
        let own = |line: &&&Line<Ties>| line.it.class == Some(class);
        let general = |line: &&&Line<Ties>| line.it.class.is_none();
        let lines: Vec<&'d Line<Ties>> =
            if all.iter().any(|line| own(&line)) { all.iter().filter(own).copied().collect() } else { all.iter().filter(general).copied().collect() };
        let mut standing: Vec<&'d Line<Ties>> = Vec::new();
        for line in &lines {
            if !lines.iter().any(|other| other.replaces && line.is_met_by(other)) {
                standing.push(line);
            }
        }
        let (first, rest) = standing.split_first()?;
        for other in rest {
            let (what, scope) = match other.it.class {
                Some(class) => (format!("`{}`", self.draft.name_of(class)), format!("in {}", self.draft.name_of(class))),
                None => ("classes without keys of their own".to_owned(), "otherwise".to_owned()),
            };
            self.faults.push(two_lines(format!("two lines give keys for {what}"), first, other, &format!("replace ties {scope} by …;")));
        }
        Some(first)
    }

    /// Pieces for which a sum has no points.
    fn holes(&mut self, ties: &Ties) {
        for hole in &ties.holes {
            let has = |piece: PieceId| self.deck.copies(piece) > 0 && self.deck.value(piece, hole.attribute) == Some(hole.value);
            if self.deck.ids().any(has) && !self.faults.contains(&hole.fault) {
                self.faults.push(Diagnostic::clone(&hole.fault));
            }
        }
    }

    fn readings(&mut self, piece: &PieceKind, deck: &Deck, sorted: &[DeclaredId]) -> Vec<(Reading<Term>, Provenance)> {
        let mut readings = Vec::new();
        let lines = self.in_use(&self.draft.readings);
        let gives_way =
            |line: &Line<ReadingDraft>| lines.iter().any(|other| other.replaces && other.it.wild == line.it.wild && line.is_met_by(other));
        for line in lines.iter().filter(|line| !gives_way(line)) {
            let ReadingDraft { wild, stands_for, into, may_double } = &line.it;
            let Some(wild) = wild_piece(wild, piece, deck) else { continue };
            let into: Option<Vec<ClassId>> =
                into.as_ref().map(|classes| classes.iter().filter_map(|class| sorted.iter().position(|other| other == class)).collect());
            // A reading for classes that are all not in use reads nothing.
            if into.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            readings.push((Reading { wild, stands_for: stands_for.clone(), into, may_double: *may_double }, line.from.clone()));
        }
        readings
    }

    fn named(&mut self, piece: &PieceKind, deck: &Deck) -> Vec<(Wild<Term>, Provenance)> {
        let lines = self.in_use(&self.draft.named);
        lines.into_iter().filter_map(|line| Some((wild_piece(&line.it, piece, deck)?, line.from.clone()))).collect()
    }
}

/// A blank that is not in the pack is not wild.
fn wild_piece(wild: &WildPiece, piece: &PieceKind, deck: &Deck) -> Option<Wild<Term>> {
    match wild {
        WildPiece::Values(attribute, values) => Some(Wild::Values { attribute: *attribute, values: values.clone() }),
        WildPiece::Blank(blank) => {
            let text = blank_text(piece.blanks.get(*blank)?);
            let found = deck.pieces.iter().position(|piece| piece.values.is_empty() && piece.text == text)?;
            Some(Wild::Blank(PieceId::try_from(found).ok()?))
        }
    }
}

/// Two lines for one thing. A line of another layer may be meant to replace the first.
fn two_lines<T>(message: String, first: &Line<T>, second: &Line<T>, replace: &str) -> Diagnostic {
    let fault = Diagnostic::new(Code::Overlap, message, second.from.span).with_label(first.from.span, "the other line");
    if first.layer == second.layer {
        fault.with_help(format!(
            "put each under a condition that excludes the other, or write `{replace}` where this one takes the place of the other"
        ))
    } else {
        fault.with_help(format!("if this line takes the place of the one in `{}`, write `{replace}`", first.from.layer))
    }
}

type Edge = Line<(DeclaredId, DeclaredId)>;
type ClassLine = Line<(DeclaredId, Pattern<Term>)>;

fn disorder(draft: &RankingDraft, classes: &[&ClassLine], edges: &[&Edge], found: &[OrderFault], faults: &mut Vec<Diagnostic>) {
    let mut circle = false;
    let mut pairs: Vec<&OrderFault> = Vec::new();
    for fault in found {
        match fault {
            OrderFault::Cycle(way) => {
                circle = true;
                faults.push(cyclic(draft, way.iter().filter_map(|edge| edges.get(*edge)).copied()));
            }
            OrderFault::Unordered { .. } => pairs.push(fault),
        }
    }
    // In a circle nothing is ordered; the pairs would only hide it.
    if circle {
        return;
    }
    let place = |class: DeclaredId| classes.iter().find(|line| line.it.0 == class).map(|line| line.from.span);
    let mut alone: Vec<(DeclaredId, Vec<DeclaredId>)> = Vec::new();
    while let Some((class, others)) = most_alone(&pairs) {
        pairs.retain(|pair| !matches!(pair, OrderFault::Unordered { first, second, .. } if *first == class || *second == class));
        alone.push((class, others));
    }
    for (class, others) in &alone {
        let settled: Vec<bool> =
            (0..draft.declared.len()).map(|other| others.contains(&other) && !alone.iter().any(|(lone, _)| *lone == other)).collect();
        let all: Vec<(DeclaredId, DeclaredId)> = edges.iter().map(|edge| edge.it).collect();
        let chain = order(draft.declared.len(), &all, &settled).unwrap_or_default();
        faults.push(stands_alone(draft, *class, others, &chain, place(*class).unwrap_or_default()));
    }
    for pair in pairs {
        let OrderFault::Unordered { first, second, above_both, below_both } = pair else { continue };
        let (a, b) = (draft.name_of(*first), draft.name_of(*second));
        let mut fault = Diagnostic::new(
            Code::UnorderedClasses,
            format!("no edge says which of `{a}` and `{b}` is the better"),
            place(*second).unwrap_or_default(),
        );
        if let Some(span) = place(*first) {
            fault = fault.with_label(span, format!("`{a}`"));
        }
        fault = fault.with_help(format!("write `{a} beats {b};` or `{b} beats {a};`"));
        let known = |classes: &[DeclaredId]| all_of(classes.iter().map(|class| draft.name_of(*class)));
        let said = match (above_both.is_empty(), below_both.is_empty()) {
            (true, true) => None,
            (false, true) => Some(format!("all that is known: {} beats both", known(above_both))),
            (true, false) => Some(format!("all that is known: both beat {}", known(below_both))),
            (false, false) => Some(format!("all that is known: {} beats both, and both beat {}", known(above_both), known(below_both))),
        };
        if let Some(said) = said {
            fault = fault.with_help(said);
        }
        faults.push(fault);
    }
}

/// The fault of a class that many others are not ordered with. `chain` is those of them that stand in an order, best first.
fn stands_alone(draft: &RankingDraft, class: DeclaredId, others: &[DeclaredId], chain: &[DeclaredId], place: Span) -> Diagnostic {
    let name = draft.name_of(class);
    let message = format!("no edge says how `{name}` stands to {}", all_of(others.iter().map(|other| draft.name_of(*other))));
    let fault = Diagnostic::new(Code::UnorderedClasses, message, place);
    match chain {
        [top, .., bottom] => {
            let (top, bottom) = (draft.name_of(*top), draft.name_of(*bottom));
            fault.with_help(format!(
                "write where it stands: `{name} beats {top};`, or `{bottom} beats {name};`, or `… beats {name} beats …;` with two neighbours of {}",
                all_of(chain.iter().map(|other| draft.name_of(*other)))
            ))
        }
        [] | [_] => fault.with_help(format!("write where it stands: `… beats {name} beats …;`")),
    }
}

/// A class that stands alone among three or more others is one gap, not three.
fn most_alone(pairs: &[&OrderFault]) -> Option<(DeclaredId, Vec<DeclaredId>)> {
    let mut partners: std::collections::BTreeMap<DeclaredId, Vec<DeclaredId>> = std::collections::BTreeMap::new();
    for pair in pairs {
        if let OrderFault::Unordered { first, second, .. } = pair {
            partners.entry(*first).or_default().push(*second);
            partners.entry(*second).or_default().push(*first);
        }
    }
    partners.into_iter().max_by_key(|(class, others)| (others.len(), std::cmp::Reverse(*class))).filter(|(_, others)| others.len() >= 3)
}

fn cyclic<'e>(draft: &RankingDraft, way: impl Iterator<Item = &'e Edge>) -> Diagnostic {
    let way: Vec<&Edge> = way.collect();
    let names: Vec<&str> = way.iter().map(|edge| draft.name_of(edge.it.0)).collect();
    let first = names.first().copied().unwrap_or_default();
    let message = format!("`{first}` beats itself by way of {}", all_of(names.iter().skip(1).copied()));
    // The edge of the highest layer came last: it closed the circle.
    let mut sorted = way.clone();
    sorted.sort_by_key(|edge| std::cmp::Reverse((edge.layer, edge.from.span.start)));
    let says = |edge: &Edge| format!("`{}` beats `{}`", draft.name_of(edge.it.0), draft.name_of(edge.it.1));
    let Some(closing) = sorted.first() else { return Diagnostic::without_place(Code::CyclicClasses, message) };
    let mut fault = Diagnostic::new(Code::CyclicClasses, message, closing.from.span).saying(says(closing));
    for edge in sorted.iter().skip(1) {
        fault = fault.with_label(edge.from.span, says(edge));
    }
    match sorted.iter().find(|edge| edge.layer < closing.layer) {
        Some(lower) => fault.with_help(format!(
            "if that edge of `{}` no longer holds, write `drop {} beats {};`",
            lower.from.layer,
            draft.name_of(lower.it.0),
            draft.name_of(lower.it.1)
        )),
        None => fault.with_help("take out the edge that does not hold"),
    }
}
