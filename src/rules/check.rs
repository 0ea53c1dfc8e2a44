//! `hoyle check`: every unit of a catalog, under the settings of clause 8.8.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::catalog::{Catalog, Unit, UnitBody};
use super::citations::{self, Statements};
use super::cite::Citing;
use super::draft::{Draft, draft};
use super::family::RankingFamily;
use super::headers::UnitKind;
use super::load::distinct;
use super::rulebook::{Rulebook, fold};
use super::selection::{LayerKind, Selection, Stack, library_stack, stack};
use super::settings::Overrides;
use super::situations::{self, Variable, leaves_open, situations};
use super::weave::RuledRanking;
use super::{claims, interface, judge};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Every fault of every unit, each once, in the order of the files.
pub fn check_all(catalog: &Catalog, known: Option<&Statements>) -> Vec<Diagnostic> {
    let books = catalog.books();
    let mut checker =
        Checker { catalog, citing: Citing { books: &books }, known, faults: catalog.duplicates(), queue: Vec::new(), used: BTreeSet::new() };
    for (_, parsed) in catalog.parsed() {
        checker.faults.extend(parsed.faults.iter().cloned());
    }
    for (_, parsed) in catalog.parsed() {
        for unit in &parsed.units {
            match &unit.body {
                UnitBody::Rulebook { .. } => checker.selection(&Selection::of(&unit.name.it), Breadth::Situations),
                UnitBody::House { .. } => checker.selection(&Selection::of(&unit.name.it), Breadth::AsItIs),
                // An amendment for any base is checked with the houses that lay it somewhere.
                UnitBody::Amendment { base: Some(base), .. } => {
                    let selection = Selection { with: vec![unit.name.it.clone()], ..Selection::of(&base.it) };
                    checker.selection(&selection, Breadth::Laid);
                }
                UnitBody::Interface { .. } => interface::check_interface(unit, &mut checker.faults),
                UnitBody::Amendment { base: None, .. } | UnitBody::Library => {}
            }
        }
    }
    checker.unused_libraries();
    checker.judge();
    let mut faults = distinct(checker.faults);
    faults.sort_by_key(|fault| fault.labels.first().map(|label| (label.span.file, label.span.start)));
    faults
}

/// One selection, under its own settings and those of clause 8.8 if it is a rulebook.
pub fn check(catalog: &Catalog, selection: &Selection, known: Option<&Statements>) -> Vec<Diagnostic> {
    let books = catalog.books();
    let mut checker = Checker { catalog, citing: Citing { books: &books }, known, faults: Vec::new(), queue: Vec::new(), used: BTreeSet::new() };
    let rulebook = catalog.file_of(UnitKind::Rulebook, &selection.name).is_some();
    checker.selection(selection, if rulebook { Breadth::Situations } else { Breadth::AsItIs });
    checker.judge();
    distinct(checker.faults)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Breadth {
    /// Under its own settings, which somebody chose and which must therefore be complete.
    AsItIs,
    /// Under its own settings, to which a house may have more to say.
    Laid,
    /// Under every setting that a house could choose.
    Situations,
}

struct Checker<'c> {
    catalog: &'c Catalog,
    citing: Citing<'c>,
    known: Option<&'c Statements>,
    faults: Vec<Diagnostic>,
    /// Rankings to be judged, with the situation in which each was met first: most settings leave a ranking as it is.
    queue: Vec<Waiting>,
    /// Libraries that some unit uses.
    used: BTreeSet<String>,
}

/// A ranking, with or without parameters.
#[derive(Clone)]
enum Judged {
    Ranking(RuledRanking),
    Family(RankingFamily),
}

impl Judged {
    /// Whether judging the one tells all about the other.
    fn is_like(&self, other: &Judged) -> bool {
        match (self, other) {
            (Judged::Ranking(one), Judged::Ranking(other)) => one.model == other.model,
            (Judged::Family(one), Judged::Family(other)) => one.template.model == other.template.model && one.parameters == other.parameters,
            (Judged::Ranking(_), Judged::Family(_)) | (Judged::Family(_), Judged::Ranking(_)) => false,
        }
    }

    fn judge(&self) -> Vec<Diagnostic> {
        match self {
            Judged::Ranking(ranking) => judge::judge(ranking),
            Judged::Family(family) => judge::judge_family(family),
        }
    }
}

/// A ranking that waits to be judged.
struct Waiting {
    ranking: Judged,
    /// Where it was met, if not in a rulebook as it stands.
    situation: Option<String>,
    /// Somebody chose these settings, and they are not only what a house could choose.
    chosen: bool,
    /// The name of the house or amendment that made it what it is.
    by: Option<Span>,
}

impl Checker<'_> {
    fn selection(&mut self, selection: &Selection, breadth: Breadth) {
        let before = self.faults.len();
        let edits = super::selection::parse_edits(selection, &mut self.faults);
        let catalog = self.catalog;
        let Some(stack) = stack(catalog, selection, &edits, &mut self.faults) else { return };
        let draft = self.read(&stack);
        if self.faults.get(before..).is_some_and(|found| found.iter().any(Diagnostic::is_error)) {
            return;
        }
        interface::check(catalog, &draft, &mut self.faults);
        let mut found = Vec::new();
        let rulebook = fold(&draft, &Overrides::default(), &mut found);
        if breadth != Breadth::AsItIs && rulebook.as_ref().is_some_and(|rulebook| leaves_open(&draft, &rulebook.values)) {
            found.retain(|fault| fault.code != Code::UnorderedClasses);
        }
        // A fault of a house often stands in the rulebook below it; the house is then the place where it was found.
        let own = (stack.chain.len() > 1 || !selection.with.is_empty()).then(|| format!("`{}`", selection.with.last().unwrap_or(&selection.name)));
        for fault in found {
            let fault = match &own {
                Some(own) if !self.is_own(selection, &fault) => under(fault, own),
                Some(_) | None => fault,
            };
            self.faults.push(fault);
        }
        if let Some(rulebook) = &rulebook {
            let by = self.own_unit(selection).filter(|_| own.is_some()).map(|unit| unit.name.span);
            self.enqueue(rulebook, own.as_deref(), true, by);
            if breadth == Breadth::Situations {
                self.situations(&draft, rulebook, own.as_deref());
                // What is not built yet may depend on anything.
                if draft.table.as_ref().is_none_or(|table| table.incomplete.is_empty()) {
                    self.unused(&draft);
                }
                // A printed figure speaks of the book, not of the houses on it.
                claims::check(&draft, &mut self.faults);
            }
        }
    }

    /// The house or the amendment that is looked at.
    fn own_unit(&self, selection: &Selection) -> Option<&Unit> {
        match selection.with.last() {
            Some(name) => self.catalog.unit(UnitKind::Amendment, name),
            None => self.catalog.unit(UnitKind::House, &selection.name),
        }
    }

    /// Whether a fault stands in the house or the amendment itself.
    fn is_own(&self, selection: &Selection, fault: &Diagnostic) -> bool {
        let Some(whole) = self.own_unit(selection).map(|unit| unit.span) else { return false };
        fault.labels.first().is_some_and(|label| label.span.file == whole.file && whole.start <= label.span.start && label.span.end <= whole.end)
    }

    /// The draft, with what citations say of its layers.
    fn read(&mut self, stack: &Stack<'_>) -> Draft {
        for layer in &stack.layers {
            if layer.kind == LayerKind::Library {
                self.used.insert(layer.name.clone());
            }
            citations::check(layer, &self.citing, self.known, &mut self.faults);
        }
        let draft = draft(stack, &self.citing, &mut self.faults);
        self.faults.extend(draft.table.iter().flat_map(|table| table.incomplete.iter().cloned()));
        draft
    }

    fn situations(&mut self, draft: &Draft, default: &Rulebook, own: Option<&str>) {
        for overrides in situations(draft, &default.values) {
            let mut found = Vec::new();
            let rulebook = fold(draft, &overrides, &mut found);
            let open = overrides.options.iter().any(|(option, branch)| {
                draft.options.get(*option).and_then(|option| option.branches.get(usize::from(*branch))).is_some_and(|branch| branch.open)
            });
            if open {
                found.retain(|fault| fault.code != Code::UnorderedClasses);
            }
            let situation = situations::describe(draft, &overrides);
            let situation = own.map_or(situation.clone(), |own| format!("{own} with {situation}"));
            self.faults.extend(found.into_iter().map(|fault| under(fault, &situation)));
            if let Some(rulebook) = rulebook {
                self.enqueue(&rulebook, Some(&situation), false, None);
            }
        }
    }

    fn enqueue(&mut self, rulebook: &Rulebook, situation: Option<&str>, chosen: bool, by: Option<Span>) {
        let rankings = rulebook.rankings.iter().cloned().map(Judged::Ranking);
        for ranking in rankings.chain(rulebook.families.iter().cloned().map(Judged::Family)) {
            if !self.queue.iter().any(|other| other.ranking.is_like(&ranking)) {
                self.queue.push(Waiting { ranking, situation: situation.map(str::to_owned), chosen, by });
            }
        }
    }

    /// What can be said only of whole rankings: each takes a millisecond or two, so all cores share them.
    fn judge(&mut self) {
        let found: Vec<Vec<Diagnostic>> = self.queue.par_iter().map(|waiting| waiting.ranking.judge()).collect();
        for (found, waiting) in found.into_iter().zip(&self.queue) {
            // Who chooses something slow is told so; a book that offers it is not.
            let found = found.into_iter().filter(|fault| waiting.chosen || fault.code != Code::SlowRanking);
            let placed = found.map(|mut fault| {
                // Its lines may stand in many files; who put them together is told that the whole is slow.
                if let (Code::SlowRanking, Some(by), Some(label)) = (fault.code, waiting.by, fault.labels.first_mut()) {
                    label.span = by;
                }
                fault
            });
            self.faults.extend(placed.map(|fault| match &waiting.situation {
                Some(situation) => under(fault, situation),
                None => fault,
            }));
        }
    }

    /// Branches and parameters that change nothing.
    fn unused(&mut self, draft: &Draft) {
        let (variables, branches) = situations::used(draft);
        for (id, parameter) in draft.parameters.iter().enumerate() {
            if !variables.contains(&Variable::Parameter(id)) {
                let message = format!("nothing depends on the parameter `{}`", parameter.name);
                self.faults.push(
                    Diagnostic::new(Code::UnusedParameter, message, parameter.from.span).with_help("take it out, or write what changes with it"),
                );
            }
        }
        for option in &draft.options {
            let names = |branch: usize| u8::try_from(branch).is_ok_and(|branch| branches.contains(&(option.kind, branch)));
            let name =
                |branch: usize| draft.kinds.get(option.kind).and_then(|kind| kind.members.get(branch)).map_or("", |member| member.name.as_str());
            let default = usize::from(option.default);
            // Where a condition names the default, every other branch differs from it.
            if names(default) {
                continue;
            }
            for (index, branch) in option.branches.iter().enumerate() {
                let name = name(index);
                if index == default || names(index) || branch.open {
                    continue;
                }
                let message = format!("nothing depends on the branch `{name}` of `{}`", option.name);
                let help =
                    format!("write what changes under `{} = {name}`, or take the branch out; `open` says that a house must write it", option.name);
                self.faults
                    .push(Diagnostic::new(Code::UnusedBranch, message, branch.from.span).with_label(option.span, "the option").with_help(help));
            }
        }
    }

    /// Libraries that nobody uses are read on their own.
    fn unused_libraries(&mut self) {
        for name in self.catalog.names(UnitKind::Library) {
            if !self.used.contains(name)
                && let Some(stack) = library_stack(self.catalog, name, &mut self.faults)
            {
                self.read(&stack);
            }
        }
    }
}

/// Says under which settings a fault was found.
fn under(fault: Diagnostic, situation: &str) -> Diagnostic {
    fault.with_help(format!("found under {situation}"))
}
