//! What is asked for, and the layers that make it up. Clauses 8.4 to 8.6.

use std::collections::BTreeSet;

use super::catalog::{Catalog, Unit, UnitBody};
use super::headers::UnitKind;
use super::mutants::StandIn;
use super::place::misplaced;
use super::table::mapping::Interfaces;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};
use crate::syntax::parse;
use crate::syntax::tree::{At, Declaration, Follows, Name, Tags};

/// A rulebook or a house, and what the command line, a case or a program adds to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// A rulebook or a house.
    pub name: String,
    /// Amendments to lay on it, in this order.
    pub with: Vec<String>,
    /// Edits in the language, each text a layer.
    pub edits: Vec<Edits>,
    /// `P = V`, in the words of the language.
    pub set: Vec<(String, String)>,
    /// `O = B`
    pub choose: Vec<(String, String)>,
}

impl Selection {
    pub fn of(name: impl Into<String>) -> Selection {
        Selection { name: name.into(), ..Selection::default() }
    }
}

/// A text that holds edits, as they would stand in a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edits {
    /// What answers and messages call this layer.
    pub layer: String,
    /// Where diagnostics say that it stands.
    pub file: FileId,
    pub text: String,
}

/// What a layer is; it decides the mark of its elements and what it may override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerKind {
    Library,
    Rulebook,
    Amendment,
    House,
    /// What was asked for beside the files: it overrides every setting below it.
    Asked,
}

/// One layer: declarations, and who speaks.
#[derive(Clone, Debug)]
pub(super) struct Layer<'c> {
    pub name: String,
    pub kind: LayerKind,
    /// The prefix of short statement ids; empty where there is none.
    pub prefix: String,
    /// All of an amendment that can be laid on any rulebook that has the names it uses.
    pub any_base: Option<Span>,
    /// What the layer says of all its elements.
    pub tags: Option<&'c Tags>,
    pub declarations: Vec<&'c At<Declaration>>,
}

/// Every layer of a selection, lowest first.
#[derive(Clone, Debug)]
pub(super) struct Stack<'c> {
    pub name: String,
    pub title: String,
    /// The rulebook at the bottom and the houses between, lowest first; the selected unit last.
    pub chain: Vec<String>,
    pub layers: Vec<Layer<'c>>,
    pub set: Vec<(String, String)>,
    pub choose: Vec<(String, String)>,
    /// All that there are.
    pub interfaces: Interfaces<'c>,
    /// Settings that a mutant overrides.
    pub stand_ins: Vec<StandIn>,
}

/// Those whose files are sound: of any other nobody knows what it lacks.
fn interfaces(catalog: &Catalog) -> Interfaces<'_> {
    let units = catalog.names(UnitKind::Interface).into_iter().filter_map(|name| catalog.unit(UnitKind::Interface, name));
    let sound = units.filter(|unit| !catalog.faults_of_file(unit.span.file).iter().any(Diagnostic::is_error));
    let items = sound.filter_map(|unit| match &unit.body {
        UnitBody::Interface { items } => Some((unit.name.it.as_str(), items.as_slice())),
        UnitBody::Library | UnitBody::Rulebook { .. } | UnitBody::House { .. } | UnitBody::Amendment { .. } => None,
    });
    items.collect()
}

/// Inline edits, parsed: the stack borrows them.
pub(super) fn parse_edits(selection: &Selection, faults: &mut Vec<Diagnostic>) -> Vec<Vec<At<Declaration>>> {
    let mut parsed = Vec::new();
    for edits in &selection.edits {
        let (declarations, mut found) = parse::edits(edits.file, &edits.text);
        faults.append(&mut found);
        faults.extend(declarations.iter().filter_map(|edit| misplaced(&edit.it, edit.span, UnitKind::House)));
        parsed.push(declarations);
    }
    parsed
}

/// The layers of a selection. `None` if a unit is missing, or a file that is needed cannot be read.
pub(super) fn stack<'c>(
    catalog: &'c Catalog,
    selection: &Selection,
    edits: &'c [Vec<At<Declaration>>],
    faults: &mut Vec<Diagnostic>,
) -> Option<Stack<'c>> {
    let mut building = Building { catalog, files: BTreeSet::new(), chain: Vec::new(), laid: Vec::new(), faults: Vec::new() };
    let selected = building.selected(&selection.name, None);
    if let Some(unit) = selected {
        building.lay(unit);
    }
    for name in &selection.with {
        building.amendment(name, None);
    }
    let files = building.files.clone();
    let laid = std::mem::take(&mut building.laid);
    let mut layers = building.libraries(&laid, edits);
    let prefix = laid.iter().find_map(|unit| prefix(unit)).unwrap_or_default();
    layers.extend(laid.iter().map(|unit| layer(unit, &prefix)));
    let chain = std::mem::take(&mut building.chain);
    let found = std::mem::take(&mut building.faults);
    let mut broken: Vec<Diagnostic> = building.files.union(&files).flat_map(|file| catalog.faults_of_file(*file)).cloned().collect();
    let unreadable = broken.iter().any(Diagnostic::is_error) || found.iter().any(Diagnostic::is_error);
    faults.append(&mut broken);
    faults.extend(found);
    if unreadable {
        return None;
    }
    for (inline, declarations) in selection.edits.iter().zip(edits) {
        let kind = LayerKind::Asked;
        let declarations = declarations.iter().collect();
        layers.push(Layer { name: inline.layer.clone(), kind, prefix: prefix.clone(), any_base: None, tags: None, declarations });
    }
    let unit = selected?;
    let title = unit.title.as_ref().map(|title| title.it.clone()).unwrap_or_default();
    let (set, choose) = (selection.set.clone(), selection.choose.clone());
    let (name, interfaces, stand_ins) = (unit.name.it.clone(), interfaces(catalog), catalog.stand_ins.clone());
    Some(Stack { name, title, chain, layers, set, choose, interfaces, stand_ins })
}

/// A library on its own, with those that it uses.
pub(super) fn library_stack<'c>(catalog: &'c Catalog, name: &str, faults: &mut Vec<Diagnostic>) -> Option<Stack<'c>> {
    let unit = catalog.unit(UnitKind::Library, name)?;
    let mut building = Building { catalog, files: BTreeSet::new(), chain: Vec::new(), laid: Vec::new(), faults: Vec::new() };
    let layers = building.libraries(&[unit], &[]);
    let broken = !building.faults.is_empty() || building.files.iter().any(|file| catalog.faults_of_file(*file).iter().any(Diagnostic::is_error));
    faults.append(&mut building.faults);
    let layers = layers.into_iter().chain([layer(unit, "")]).collect();
    let stack = Stack {
        name: name.to_owned(),
        title: String::new(),
        chain: vec![name.to_owned()],
        layers,
        set: Vec::new(),
        choose: Vec::new(),
        interfaces: Interfaces::new(),
        stand_ins: Vec::new(),
    };
    (!broken && !catalog.faults_of_file(unit.span.file).iter().any(Diagnostic::is_error)).then_some(stack)
}

struct Building<'c> {
    catalog: &'c Catalog,
    /// Files whose faults stand in the way.
    files: BTreeSet<FileId>,
    chain: Vec<String>,
    laid: Vec<&'c Unit>,
    faults: Vec<Diagnostic>,
}

impl<'c> Building<'c> {
    fn unit(&mut self, kind: UnitKind, name: &str) -> Option<&'c Unit> {
        self.files.extend(self.catalog.file_of(kind, name));
        self.catalog.unit(kind, name)
    }

    /// A rulebook or a house.
    fn selected(&mut self, name: &str, span: Option<Span>) -> Option<&'c Unit> {
        let found = self.unit(UnitKind::Rulebook, name).or_else(|| self.unit(UnitKind::House, name));
        if found.is_none() && self.catalog.file_of(UnitKind::Rulebook, name).or(self.catalog.file_of(UnitKind::House, name)).is_none() {
            self.faults.push(self.catalog.unknown(UnitKind::Rulebook, name, span));
        }
        found
    }

    /// The rulebook at the bottom, then each house with its amendments.
    fn lay(&mut self, unit: &'c Unit) {
        let mut houses = Vec::new();
        let mut at = unit;
        while let UnitBody::House { base, .. } = &at.body {
            if let Some(start) = houses.iter().position(|house: &&Unit| house.name.it == at.name.it) {
                self.faults.extend(houses_in_a_ring(houses.get(start..).unwrap_or(&[])));
                return;
            }
            houses.push(at);
            let Some(below) = self.selected(&base.it, Some(base.span)) else { return };
            at = below;
        }
        self.chain.push(at.name.it.clone());
        self.laid.push(at);
        for house in houses.into_iter().rev() {
            if let UnitBody::House { with, .. } = &house.body {
                for name in with {
                    self.amendment(&name.it, Some(name.span));
                }
            }
            self.chain.push(house.name.it.clone());
            self.laid.push(house);
        }
    }

    /// An amendment that is laid already is not laid twice.
    fn amendment(&mut self, name: &str, span: Option<Span>) {
        if self.laid.iter().any(|unit| unit.kind() == UnitKind::Amendment && unit.name.it == name) {
            return;
        }
        let Some(unit) = self.unit(UnitKind::Amendment, name) else {
            if self.catalog.file_of(UnitKind::Amendment, name).is_none() {
                self.faults.push(self.catalog.unknown(UnitKind::Amendment, name, span));
            }
            return;
        };
        if let UnitBody::Amendment { base: Some(base), .. } = &unit.body
            && !self.chain.contains(&base.it)
            && !self.chain.is_empty()
        {
            let message = format!("the amendment `{name}` is made for `{}`, and is laid on `{}`", base.it, self.chain.join("`, `"));
            let fault = match span {
                Some(span) => Diagnostic::new(Code::WrongBase, message, span).with_label(base.span, "what it is made for"),
                None => Diagnostic::new(Code::WrongBase, message, base.span),
            };
            self.faults.push(fault.with_help("an amendment without `on` can be laid on every rulebook that has the names it uses"));
            return;
        }
        self.laid.push(unit);
    }

    /// The libraries that the layers use, each once, before whoever uses it.
    fn libraries(&mut self, laid: &[&'c Unit], edits: &'c [Vec<At<Declaration>>]) -> Vec<Layer<'c>> {
        let mut done = Vec::new();
        for unit in laid {
            self.uses(unit.declarations.iter(), &mut Vec::new(), &mut done);
        }
        for declarations in edits {
            self.uses(declarations.iter(), &mut Vec::new(), &mut done);
        }
        done.iter().map(|unit| layer(unit, "")).collect()
    }

    fn uses(&mut self, declarations: impl Iterator<Item = &'c At<Declaration>>, path: &mut Vec<&'c Name>, done: &mut Vec<&'c Unit>) {
        for declaration in declarations {
            let Declaration::Use(names) = &declaration.it else { continue };
            for name in names {
                if path.iter().any(|above| above.it == name.it) {
                    self.faults.push(circle(path, name));
                    continue;
                }
                if done.iter().any(|unit| unit.name.it == name.it) {
                    continue;
                }
                let Some(unit) = self.unit(UnitKind::Library, &name.it) else {
                    if self.catalog.file_of(UnitKind::Library, &name.it).is_none() {
                        self.faults.push(self.catalog.unknown(UnitKind::Library, &name.it, Some(name.span)));
                    }
                    continue;
                };
                path.push(name);
                self.uses(unit.declarations.iter(), path, done);
                path.pop();
                if !done.iter().any(|other| other.name.it == unit.name.it) {
                    done.push(unit);
                }
            }
        }
    }
}

/// Houses that stand on one another. The ring is told from its first name on, whichever house was asked for, so that it is told once.
fn houses_in_a_ring(houses: &[&Unit]) -> Option<Diagnostic> {
    let first = houses.iter().min_by_key(|house| &house.name.it)?;
    let UnitBody::House { base, .. } = &first.body else { return None };
    let mut fault = Diagnostic::new(Code::UseCycle, format!("the house `{}` stands on itself", first.name.it), base.span);
    for other in houses.iter().filter(|house| house.name.it != first.name.it) {
        if let UnitBody::House { base, .. } = &other.body {
            fault = fault.with_label(base.span, format!("`{}` stands on `{}`", other.name.it, base.it));
        }
    }
    Some(fault.with_help("let the lowest of these houses stand on a rulebook"))
}

/// Libraries that use one another, told from the first name on as well.
fn circle(path: &[&Name], name: &Name) -> Diagnostic {
    // The name closes the ring that begins behind its first use.
    let mut ring: Vec<&Name> = path.iter().skip_while(|above| above.it != name.it).skip(1).copied().chain([name]).collect();
    let first = (0..ring.len()).min_by_key(|index| ring.get(*index).map(|name| &name.it)).unwrap_or(0);
    ring.rotate_left(first);
    let name = ring.first().copied().unwrap_or(name);
    let way: Vec<String> = ring.iter().skip(1).map(|above| format!("`{}`", above.it)).collect();
    let message =
        if way.is_empty() { format!("`{}` uses itself", name.it) } else { format!("`{}` uses itself by way of {}", name.it, way.join(" and ")) };
    let mut fault = Diagnostic::new(Code::UseCycle, message, name.span);
    for above in ring.iter().skip(1) {
        fault = fault.with_label(above.span, format!("`{}` is used", above.it));
    }
    fault.with_help("take out one of these; what both need can stand in a third library")
}

/// The prefix of the statement ids of a rulebook.
fn prefix(unit: &Unit) -> Option<String> {
    match &unit.body {
        UnitBody::Rulebook { follows: Some(Follows::Book(book)) } => Some(book.it.clone()),
        UnitBody::Rulebook { follows: Some(Follows::Nothing) | None }
        | UnitBody::Library
        | UnitBody::House { .. }
        | UnitBody::Amendment { .. }
        | UnitBody::Interface { .. } => None,
    }
}

fn layer<'c>(unit: &'c Unit, below: &str) -> Layer<'c> {
    let (kind, any_base, tags) = match &unit.body {
        UnitBody::Library | UnitBody::Interface { .. } => (LayerKind::Library, None, None),
        UnitBody::Rulebook { .. } => (LayerKind::Rulebook, None, None),
        UnitBody::House { tags, .. } => (LayerKind::House, None, Some(tags)),
        UnitBody::Amendment { base, tags } => (LayerKind::Amendment, base.is_none().then_some(unit.span), Some(tags)),
    };
    let prefix = prefix(unit).unwrap_or_else(|| below.to_owned());
    Layer { name: unit.name.it.clone(), kind, prefix, any_base, tags, declarations: unit.declarations.iter().collect() }
}
