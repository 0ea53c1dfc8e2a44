//! Elements of a rulebook and how each can be taken away or turned round. Clause 9.3: a statement is covered when such a mutant makes a case fail.

use super::catalog::{Catalog, Parsed};
use super::cite::Citing;
use super::operators::Change;
use super::rulebook::fold;
use super::selection::{Layer, LayerKind, Selection, stack};
use super::settings::Overrides;
use super::situations::situations;
use super::surgery::{Cut, operate};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{At, Choice, Declaration, RankingItem, Tags, TieKey, TiesScope, WildWhich};

/// One element: a class line, one edge, the keys of one class, a wild line, a line of the pack, a branch, a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// `flush beats straight`
    pub what: String,
    pub span: Span,
    /// Full ids.
    pub cites: Vec<String>,
    /// It is marked `inferred`.
    pub inferred: bool,
    /// What can be done to it.
    pub mutations: Vec<Mutation>,
    rulebook: String,
    /// Where the line that holds it stands.
    line: Span,
    /// Which part of the line it is.
    part: Part,
}

/// Which element of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    /// The edge behind the class at this position.
    Edge(usize),
    /// The keys of the class at this position of the scope.
    TiesOf(usize),
    Branch {
        option: String,
        branch: String,
    },
    Parameter(String),
    /// Of a table: the declaration, the statement or the alternative at this place.
    Table(Span),
    /// Of a rule: the target at this position of the edge at that position.
    RuleEdge {
        edge: usize,
        target: usize,
    },
    /// The place of this number within the declaration.
    Site(usize),
}

/// One way to make a rulebook wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// The element is not there; a class is one that no hand has.
    Drop,
    /// The two classes of an edge change places.
    Swap,
    /// The key at this position goes the other way.
    TurnKey(usize),
    /// The key at this position and the next change places.
    SwapKeys(usize),
    /// Wild pieces may no longer double.
    NoDouble,
    /// Whoever chooses the branch gets this one.
    PlayAs(String),
    /// Whatever the parameter is set to, it keeps its first value.
    Ignore,
    /// The first condition of a rule is turned round.
    Contradict,
    /// One seat fewer may be taken at most, or one more must be at least.
    FewerSeats,
    MoreSeats,
    /// All see into a place, or nobody if all do.
    Uncover,
    /// The key at this position is not there.
    DropKey(usize),
    /// An option has this branch where nobody chooses.
    Default(String),
    /// A small mistake within a declaration.
    Slip(Change),
}

/// A setting that a mutant overrides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StandIn {
    Branch { option: String, branch: String, plays_as: String },
    Parameter(String),
}

/// Every element of a rulebook or a house, in all its layers but libraries.
pub fn elements(catalog: &Catalog, rulebook: &str) -> Vec<Element> {
    let mut faults = Vec::new();
    let Some(stack) = stack(catalog, &Selection::of(rulebook), &[], &mut faults) else { return Vec::new() };
    let books = catalog.books();
    let mut finder = Finder { citing: Citing { books: &books }, rulebook, found: Vec::new() };
    for layer in stack.layers.iter().filter(|layer| layer.kind != LayerKind::Library) {
        for declaration in &layer.declarations {
            finder.declaration(layer, declaration);
        }
    }
    finder.found
}

impl Element {
    pub(super) fn new(what: String, span: Span, cites: Vec<String>, rulebook: &str, (line, part): (Span, Part)) -> Element {
        Element { what, span, cites, inferred: false, mutations: Vec::new(), rulebook: rulebook.to_owned(), line, part }
    }

    /// Where the line that holds it stands.
    pub(super) fn line(&self) -> Span {
        self.line
    }

    /// It is no statement within something else.
    pub(super) fn is_whole(&self) -> bool {
        !matches!(self.part, Part::Table(span) if span != self.line)
    }
}

/// The catalog with one element mutated; `None` if the rulebook would not pass the check then.
pub fn mutant(catalog: &Catalog, element: &Element, mutation: &Mutation) -> Option<Catalog> {
    let mutated = operated(catalog, element, mutation)?;
    // A table need only load and play: what it comes to is for the cases.
    let is_table = matches!(element.part, Part::Table(_)) || (matches!(element.part, Part::Edge(_)) && element.what.starts_with("adopt "));
    let sound = if is_table { mutated.load(&Selection::of(&element.rulebook)).is_ok() } else { passes(&mutated, &element.rulebook) };
    sound.then_some(mutated)
}

/// The catalog with one element mutated, whatever is left of the rulebook; `None` if there is nothing of the kind to mutate.
pub(super) fn operated(catalog: &Catalog, element: &Element, mutation: &Mutation) -> Option<Catalog> {
    Some(match (&element.part, mutation) {
        (Part::Branch { option, branch }, Mutation::PlayAs(other)) => {
            catalog.with_stand_in(StandIn::Branch { option: option.clone(), branch: branch.clone(), plays_as: other.clone() })
        }
        (Part::Parameter(name), Mutation::Ignore) => catalog.with_stand_in(StandIn::Parameter(name.clone())),
        (part, mutation) => {
            let cut = Cut { line: element.line, part, mutation };
            let mut done = false;
            let mutated = catalog.patched(element.line.file, |parsed: &mut Parsed| {
                done = parsed.units.iter_mut().any(|unit| operate(&mut unit.declarations, &cut));
            });
            if !done {
                return None;
            }
            mutated
        }
    })
}

/// Whether a mutant is a rulebook at all: in order under every situation of clause 8.8, and sound in its default.
fn passes(catalog: &Catalog, rulebook: &str) -> bool {
    let mut faults = Vec::new();
    let Some(draft) = catalog.draft(&Selection::of(rulebook), &mut faults) else { return false };
    let Some(default) = fold(&draft, &Overrides::default(), &mut faults) else { return false };
    let in_order = |overrides: &Overrides| {
        let mut found = Vec::new();
        fold(&draft, overrides, &mut found).is_some()
            || overrides.options.iter().any(|(option, branch)| {
                draft.options.get(*option).and_then(|option| option.branches.get(usize::from(*branch))).is_some_and(|branch| branch.open)
            })
    };
    situations(&draft, &default.values).iter().all(in_order) && !default.faults().iter().any(Diagnostic::is_error)
}

pub(super) struct Finder<'f> {
    citing: Citing<'f>,
    rulebook: &'f str,
    found: Vec<Element>,
}

impl<'f> Finder<'f> {
    /// The elements of one declaration.
    pub(super) fn of(citing: Citing<'f>, rulebook: &'f str, layer: &Layer<'_>, declaration: &At<Declaration>) -> Vec<Element> {
        let mut finder = Finder { citing, rulebook, found: Vec::new() };
        finder.declaration(layer, declaration);
        finder.found
    }
}

impl Finder<'_> {
    pub(super) fn add(&mut self, layer: &Layer<'_>, tags: &Tags, what: String, span: Span, (line, part): (Span, Part), mutations: Vec<Mutation>) {
        let from = self.citing.provenance(layer, span, tags);
        let cites = from.cites.into_iter().map(|citation| citation.id).collect();
        let inferred = !from.inferred.is_empty();
        self.found.push(Element { what, span, cites, inferred, mutations, rulebook: self.rulebook.to_owned(), line, part });
    }

    fn declaration(&mut self, layer: &Layer<'_>, declaration: &At<Declaration>) {
        let span = declaration.span;
        if let Declaration::Pieces(pieces) = &declaration.it {
            self.add(layer, &pieces.tags, format!("pieces of `{}`", pieces.piece.it), span, (span, Part::Whole), vec![Mutation::Drop]);
        } else if let Declaration::Choice(choice) = &declaration.it {
            self.branches(layer, choice, span);
        } else if let Declaration::Param { name, tags, .. } = &declaration.it {
            self.add(layer, tags, format!("parameter `{}`", name.it), name.span, (span, Part::Parameter(name.it.clone())), vec![Mutation::Ignore]);
        } else if let Declaration::Ranking(ranking) = &declaration.it {
            ranking.items.iter().for_each(|item| self.item(layer, item));
        } else if let Declaration::RankingEdit { items, .. } = &declaration.it {
            items.iter().for_each(|item| self.item(layer, item));
        } else {
            self.table(layer, declaration);
        }
    }

    fn branches(&mut self, layer: &Layer<'_>, choice: &Choice, line: Span) {
        for branch in &choice.branches {
            let is_default = branch.name.it == choice.default.it;
            // Whoever plays the default would notice any other branch; whoever plays another would notice the default.
            let others = choice.branches.iter().filter(|other| other.name.it != branch.name.it && (is_default || other.name.it == choice.default.it));
            // An open branch is no rulebook without a house.
            let mutations = others.filter(|other| !other.open).map(|other| Mutation::PlayAs(other.name.it.clone())).collect();
            let part = Part::Branch { option: choice.name.it.clone(), branch: branch.name.it.clone() };
            self.add(layer, &branch.tags, format!("branch `{}` of `{}`", branch.name.it, choice.name.it), branch.name.span, (line, part), mutations);
        }
    }

    fn item(&mut self, layer: &Layer<'_>, item: &At<RankingItem>) {
        let line = item.span;
        match &item.it {
            RankingItem::Under { items, .. } => items.iter().for_each(|inner| self.item(layer, inner)),
            RankingItem::Class { name, tags, .. } => {
                self.add(layer, tags, format!("class `{}`", name.it), name.span, (line, Part::Whole), vec![Mutation::Drop])
            }
            RankingItem::DropClass { name, tags } => {
                self.add(layer, tags, format!("drop class `{}`", name.it), name.span, (line, Part::Whole), vec![Mutation::Drop])
            }
            RankingItem::DropEdge { above, below, tags } => {
                let what = format!("drop `{} beats {}`", above.it, below.it);
                self.add(layer, tags, what, above.span.to(below.span), (line, Part::Whole), vec![Mutation::Drop]);
            }
            RankingItem::Beats { classes, tags, .. } => {
                for (index, (above, below)) in classes.iter().zip(classes.iter().skip(1)).enumerate() {
                    let what = format!("`{} beats {}`", above.it, below.it);
                    self.add(layer, tags, what, above.span.to(below.span), (line, Part::Edge(index)), vec![Mutation::Drop, Mutation::Swap]);
                }
            }
            RankingItem::Ties { scope: TiesScope::Otherwise, keys, tags, .. } => {
                self.add(layer, tags, "ties otherwise".to_owned(), line, (line, Part::Whole), key_mutations(keys));
            }
            RankingItem::Ties { scope: TiesScope::In(classes), keys, tags, .. } => {
                for (index, class) in classes.iter().enumerate() {
                    self.add(layer, tags, format!("ties in `{}`", class.it), class.span, (line, Part::TiesOf(index)), key_mutations(keys));
                }
            }
            RankingItem::Wild { which, may_double, tags, .. } => {
                let mut mutations = vec![Mutation::Drop];
                if *may_double {
                    mutations.push(Mutation::NoDouble);
                }
                self.add(layer, tags, format!("wild {}", wild_name(which)), line, (line, Part::Whole), mutations);
            }
            RankingItem::WildNamed { which, tags, .. } => {
                self.add(layer, tags, format!("wild {} named by holder", wild_name(which)), line, (line, Part::Whole), vec![Mutation::Drop]);
            }
        }
    }
}

fn key_mutations(keys: &[At<TieKey>]) -> Vec<Mutation> {
    let turned = (0..keys.len()).map(Mutation::TurnKey);
    let swapped = (1..keys.len()).map(|index| Mutation::SwapKeys(index - 1));
    std::iter::once(Mutation::Drop).chain(turned).chain(swapped).collect()
}

fn wild_name(which: &WildWhich) -> String {
    match which {
        WildWhich::Named(name) => format!("`{}`", name.it),
        WildWhich::Values(of) => format!("`{} in …`", of.attribute.it),
    }
}
