//! The pipeline: from a selection to a rulebook.

use std::collections::BTreeSet;

use super::catalog::Catalog;
use super::cite::Citing;
use super::draft::{Draft, draft};
use super::rulebook::{Rulebook, fold};
use super::selection::{Selection, parse_edits, stack};
use super::settings::Overrides;
use crate::diagnostic::Diagnostic;

/// A selection that has been read: settings can be laid on it without reading it again.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) draft: Draft,
}

impl Prepared {
    /// The rulebook under its own settings and these above them: `P = V`, `O = B`.
    ///
    /// # Errors
    /// Every fault that was found, if one of them is an error.
    pub fn rulebook(&self, set: &[(String, String)], choose: &[(String, String)]) -> Result<Rulebook, Vec<Diagnostic>> {
        let mut faults = Vec::new();
        if set.is_empty() && choose.is_empty() {
            return fold(&self.draft, &Overrides::default(), &mut faults).ok_or_else(|| distinct(faults));
        }
        let mut draft = self.draft.clone();
        draft.lay(set, choose, &mut faults);
        let sound = !faults.iter().any(Diagnostic::is_error);
        let rulebook = if sound { fold(&draft, &Overrides::default(), &mut faults) } else { None };
        rulebook.ok_or_else(|| distinct(faults))
    }
}

impl Catalog {
    /// Reads a selection.
    ///
    /// # Errors
    /// Every fault that was found, if one of them is an error.
    pub fn prepare(&self, selection: &Selection) -> Result<Prepared, Vec<Diagnostic>> {
        let mut faults = Vec::new();
        self.draft(selection, &mut faults).map(|draft| Prepared { draft }).ok_or_else(|| distinct(faults))
    }

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
