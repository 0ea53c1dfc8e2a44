//! The parts of rulebooks, each of which can be taken away, for [`cover`](super::super::cover).

use super::super::cover::{Element, Elements};
use super::super::implementation::Implementation;
use super::Reference;
use crate::rules::mutants::{self, Mutation};
use crate::rules::{Catalog, UnitKind};

/// The rulebooks of this crate, for [`cover`](super::cover).
pub fn elements() -> Box<dyn Elements> {
    let catalog = Catalog::embedded();
    let rulebooks: Vec<String> = catalog.names(UnitKind::Rulebook).into_iter().map(str::to_owned).collect();
    let mut mutants = Vec::new();
    for rulebook in rulebooks {
        for part in mutants::elements(&catalog, &rulebook) {
            let (line, column) = catalog.sources().line_column(part.span.file, part.span.start);
            let place = format!("{}:{line}:{column}", catalog.sources().name(part.span.file));
            for mutation in &part.mutations {
                let element =
                    Element { rulebook: rulebook.clone(), cites: part.cites.clone(), what: in_words(&part.what, mutation), place: place.clone() };
                mutants.push((element, part.clone(), mutation.clone()));
            }
        }
    }
    Box::new(Parts { catalog, mutants })
}

/// How a rulebook differs from the original: `without class blaze`.
fn in_words(what: &str, mutation: &Mutation) -> String {
    match mutation {
        Mutation::Drop => format!("without {what}"),
        Mutation::Swap => format!("with {what} turned round"),
        Mutation::TurnKey(key) => format!("with key {} of {what} turned round", key + 1),
        Mutation::SwapKeys(key) => format!("with keys {} and {} of {what} exchanged", key + 1, key + 2),
        Mutation::NoDouble => format!("with {what} not doubling"),
        Mutation::PlayAs(other) => format!("with {what} played as {other}"),
        Mutation::Contradict => format!("with the first condition of {what} turned round"),
        Mutation::FewerSeats => format!("with one fewer of {what} at most"),
        Mutation::MoreSeats => format!("with one more of {what} at least"),
        Mutation::Uncover => format!("with {what} seen by others"),
        Mutation::DropKey(key) => format!("without key {} of {what}", key + 1),
        Mutation::Default(branch) => format!("with {what} by default {branch}"),
        Mutation::Slip(_) => format!("with a slip in {what}"),
        Mutation::Ignore => format!("with {what} ignored"),
    }
}

/// Every way to take a part out of a rulebook, or to turn one round.
struct Parts {
    catalog: Catalog,
    mutants: Vec<(Element, mutants::Element, Mutation)>,
}

impl Elements for Parts {
    fn citing(&self) -> Vec<Element> {
        self.mutants.iter().map(|(element, _, _)| element.clone()).collect()
    }

    fn without(&self, element: &Element) -> Option<Box<dyn Implementation>> {
        let (_, part, mutation) = self.mutants.iter().find(|(known, _, _)| known == element)?;
        let catalog = mutants::mutant(&self.catalog, part, mutation)?;
        Some(Box::new(Reference::new(catalog)))
    }
}
