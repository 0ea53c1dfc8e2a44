//! The pipeline: from a selection to a rulebook.

use std::collections::BTreeSet;

use super::catalog::Catalog;
use super::cite::Citing;
use super::draft::{Draft, draft};
use super::rulebook::{Rulebook, fold};
use super::selection::{Selection, parse_edits, stack};
use super::settings::Overrides;
use crate::diagnostic::Diagnostic;

impl Catalog {
    /// Everything that a selection says, under the settings that it asks for.
    ///
    /// # Errors
    /// Every fault that was found, if one of them is an error; the last stage that was reached is the last that was looked at.
    pub fn load(&self, selection: &Selection) -> Result<Rulebook, Vec<Diagnostic>> {
        let mut faults = Vec::new();
        let draft = self.draft(selection, &mut faults);
        let rulebook = draft.and_then(|draft| fold(&draft, &Overrides::default(), &mut faults));
        rulebook.ok_or_else(|| distinct(faults))
    }

    /// The draft of a selection; `None` if it has an error.
    pub(super) fn draft(&self, selection: &Selection, faults: &mut Vec<Diagnostic>) -> Option<Draft> {
        let before = faults.len();
        let edits = parse_edits(selection, faults);
        let broken = faults.iter().skip(before).any(Diagnostic::is_error);
        let stack = stack(self, selection, &edits, faults).filter(|_| !broken)?;
        let books = self.books();
        let draft = draft(&stack, &Citing { books: &books }, faults);
        (!faults.iter().skip(before).any(Diagnostic::is_error)).then_some(draft)
    }
}

/// Each fault once: a condition around several lines is read for each of them.
pub(super) fn distinct(faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for fault in faults {
        let place = fault.labels.first().map(|label| label.span);
        if seen.insert((fault.code, place, fault.message.clone())) {
            kept.push(fault);
        }
    }
    kept
}
