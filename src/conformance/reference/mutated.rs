//! Our rulebooks with a mistake in them, for [`mutate`](super::super::mutate).

use std::sync::Arc;

use super::super::mutate::{Books, Made, Mutant, Mutants, Standing};
use super::Reference;
use crate::rules::mutation::{self, Original};
use crate::rules::{Catalog, UnitKind};

/// The rulebooks of this crate, for [`mutate`](super::super::mutate).
pub fn books() -> Box<dyn Books> {
    books_of(Catalog::embedded())
}

/// The rulebooks of a catalog.
pub fn books_of(catalog: Catalog) -> Box<dyn Books> {
    Box::new(Ours { catalog })
}

struct Ours {
    catalog: Catalog,
}

impl Books for Ours {
    fn rulebooks(&self) -> Vec<String> {
        self.catalog.names(UnitKind::Rulebook).into_iter().map(str::to_owned).collect()
    }

    fn mutants(&self, rulebook: &str) -> Box<dyn Mutants> {
        let sources = self.catalog.sources();
        let found = mutation::mutants(&self.catalog, rulebook);
        let told = found.iter().map(|mutant| {
            let (line, _) = sources.line_column(mutant.span.file, mutant.span.start);
            let place = format!("{}:{line}", sources.name(mutant.span.file));
            let (name, cites) = (mutant.name.clone(), mutant.cites.clone());
            Mutant { name, cites, place, inferred: mutant.inferred, thorough: mutant.thorough }
        });
        let told = told.collect();
        Box::new(OfBook { catalog: self.catalog.clone(), original: Original::of(&self.catalog, rulebook).map(Arc::new), told, found })
    }
}

/// The mutants of one rulebook.
struct OfBook {
    catalog: Catalog,
    /// `None`: the rulebook has errors as it is, and so has every mutant.
    original: Option<Arc<Original>>,
    told: Vec<Mutant>,
    found: Vec<mutation::Mutant>,
}

impl Mutants for OfBook {
    fn all(&self) -> &[Mutant] {
        &self.told
    }

    fn made(&self, at: usize) -> Option<Made> {
        let original = Arc::clone(self.original.as_ref()?);
        let mutated = original.mutated(&self.catalog, self.found.get(at)?)?;
        let prepared = Arc::clone(&mutated.prepared);
        let implementation = Box::new(Reference::with_loaded(mutated.catalog, mutated.prepared, mutated.default));
        let standing = move || match original.standing(&prepared) {
            mutation::Standing::Invalid => Standing::Invalid,
            mutation::Standing::Equivalent => Standing::Equivalent,
            mutation::Standing::Sound => Standing::Sound,
        };
        Some(Made { implementation, standing: Box::new(standing) })
    }
}
