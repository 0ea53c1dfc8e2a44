//! The one space of names of a rulebook: clauses 2.5 and 2.6.

use std::collections::BTreeMap;

use super::advice::did_you_mean;
use super::place::{Sort, describe};
use super::selection::Layer;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::Name;

/// Every name that some layer declares.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    names: BTreeMap<String, (Sort, Span)>,
}

impl Scope {
    /// Collects the names of all layers; the same name twice is a fault.
    pub fn of(layers: &[Layer<'_>], faults: &mut Vec<Diagnostic>) -> Scope {
        let mut scope = Scope::default();
        for layer in layers {
            for declaration in &layer.declarations {
                let Some((name, sort)) = describe(&declaration.it).name else { continue };
                match scope.names.get(&name.it) {
                    None => {
                        scope.names.insert(name.it.clone(), (sort, name.span));
                    }
                    Some((first, place)) => faults.push(
                        Diagnostic::new(Code::DuplicateName, format!("`{}` is declared twice", name.it), name.span)
                            .with_label(*place, format!("{} of that name", first.word())),
                    ),
                }
            }
        }
        scope
    }

    pub fn sort(&self, name: &str) -> Option<Sort> {
        self.names.get(name).map(|(sort, _)| *sort)
    }

    pub fn span(&self, name: &str) -> Option<Span> {
        self.names.get(name).map(|(_, span)| *span)
    }

    /// Names of one of these sorts.
    pub fn of_sorts<'s>(&'s self, sorts: &'s [Sort]) -> impl Iterator<Item = &'s str> {
        self.names.iter().filter(|(_, (sort, _))| sorts.contains(sort)).map(|(name, _)| name.as_str())
    }

    /// The fault of a name that is not of any wanted sort: unknown, or another kind of thing.
    pub fn missing(&self, name: &Name, sorts: &[Sort], wanted: &str) -> Diagnostic {
        match self.names.get(&name.it) {
            Some((sort, place)) => {
                Diagnostic::new(Code::WrongKind, format!("`{}` is {}, and {wanted} is wanted here", name.it, sort.word()), name.span)
                    .with_label(*place, "declared here")
            }
            None => unknown(name, wanted, self.of_sorts(sorts)),
        }
    }
}

/// The fault of a name that nothing declares, with what is near, or with all there is if that is not much.
pub(super) fn unknown<'n>(name: &Name, wanted: &str, among: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    let names: Vec<&str> = among.into_iter().collect();
    let fault = Diagnostic::new(Code::UnknownName, format!("`{}` is not declared, and {wanted} is wanted here", name.it), name.span);
    match did_you_mean(&name.it, names.iter().copied()) {
        Some(advice) => fault.with_help(advice),
        None if !names.is_empty() && names.len() <= 16 => fault.with_help(format!("there is {}", super::advice::all_of(names))),
        None => fault,
    }
}
