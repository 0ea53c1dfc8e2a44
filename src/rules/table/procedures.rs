//! Procedures, phases and actions as a whole: who calls whom, where play starts, what can be ended where. Clauses 5.1, 5.10 and 5.15.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Call, Home, Making};
use super::locals::Locals;
use super::program::{Code as Steps, Deed, Life, Procedure, ProcedureId, ProcedureSort, Restores, Step};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::cite::Provenance;
use crate::rules::place::Sort;
use crate::rules::selection::LayerKind;
use crate::source::Span;
use crate::syntax::tree::Name;

impl<'d> Making<'d> {
    /// Every procedure and action; the scripts of phases are met on the way.
    pub fn procedures(&mut self) -> Vec<Procedure> {
        let declared = self.compiler.signatures.procedures.clone();
        let mut made = Vec::new();
        for (id, procedure) in declared.iter().enumerate() {
            let home = match procedure.it.sort {
                ProcedureSort::Procedure => Some(Home::Procedure(id)),
                ProcedureSort::Action => Some(Home::Action(id)),
                ProcedureSort::Phase => None,
            };
            let mut locals = Locals::of(&procedure.it.parameters);
            let code = home.map(|home| self.script(procedure.layer, home, &mut locals, &[], &procedure.it.body.it)).unwrap_or_default();
            let lives = |life: &Life| *life == Life::Of(id);
            let facts = self.compiler.signatures.facts.iter().enumerate().filter(|(_, fact)| lives(&fact.it.life)).map(|(id, _)| id);
            let tallies = self.compiler.signatures.tallies.iter().enumerate().filter(|(_, tally)| lives(&tally.it.life)).map(|(id, _)| id);
            made.push(Procedure {
                name: procedure.name.it.clone(),
                sort: procedure.it.sort,
                parameters: procedure.it.parameters.clone(),
                code,
                restores: Restores::default(),
                outcomes: procedure.it.outcomes.clone(),
                facts: facts.collect(),
                tallies: tallies.collect(),
                from: self.cite(procedure.layer, procedure.span, procedure.tags),
            });
        }
        made
    }

    /// `void P restores places, accounts;`
    pub fn restores(&mut self, name: &Name, what: &[Name], from: Provenance, procedures: &mut [Procedure]) {
        let Some(procedure) = self.compiler.signatures.procedure(&name.it).and_then(|id| procedures.get_mut(id)) else {
            self.compiler.faults.push(self.compiler.names.scope.missing(name, &[Sort::Procedure], "a procedure or a phase"));
            return;
        };
        for what in what {
            match what.it.as_str() {
                "places" => procedure.restores.places = true,
                "accounts" => procedure.restores.accounts = true,
                _ => self.compiler.faults.push(crate::rules::scope::unknown(what, "`places` or `accounts`", ["places", "accounts"])),
            }
        }
        procedure.restores.from = Some(from);
    }

    /// Where play can start: what no other script calls. A library's procedures count only if there is nothing else.
    pub fn roots(&self) -> Vec<ProcedureId> {
        let declared = self.compiler.signatures.procedures.iter().enumerate();
        let called = |id: ProcedureId| self.calls.iter().any(|call| call.to == id && call.by != Some(id));
        let (own, of_libraries): (Vec<_>, Vec<_>) = declared
            .filter(|(id, procedure)| procedure.it.sort == ProcedureSort::Procedure && !called(*id))
            .partition(|(_, procedure)| procedure.layer.kind != LayerKind::Library);
        let roots = if own.is_empty() { of_libraries } else { own };
        roots.into_iter().map(|(id, _)| id).collect()
    }

    /// Procedures that call themselves, each ring once.
    pub fn rings(&mut self) {
        let count = self.compiler.signatures.procedures.len();
        let calls = going_on(count, &self.calls);
        let mut told: BTreeSet<ProcedureId> = BTreeSet::new();
        for start in 0..count {
            if told.contains(&start) {
                continue;
            }
            if let Some(ring) = ring(start, &calls) {
                told.extend(ring.iter().filter_map(|call| call.by));
                let fault = self.circle(&ring);
                self.compiler.faults.push(fault);
            }
        }
    }

    fn circle(&self, ring: &[Call]) -> Diagnostic {
        let name = |id: ProcedureId| self.compiler.signatures.procedures.get(id).map_or("", |known| known.name.it.as_str());
        let (first, way): (&str, Vec<&str>) = match ring {
            [] => ("", Vec::new()),
            [first, ..] => (first.by.map_or("", name), ring.iter().take(ring.len() - 1).map(|call| name(call.to)).collect()),
        };
        let message = if way.is_empty() {
            format!("`{first}` calls itself")
        } else {
            format!("`{first}` calls itself by way of {}", crate::rules::advice::all_of(way))
        };
        let mut fault = Diagnostic::new(Code::UseCycle, message, ring.first().map(|call| call.span).unwrap_or_default());
        for call in ring.iter().skip(1) {
            fault = fault.with_label(call.span, format!("`{}` is called here", name(call.to)));
        }
        fault.with_help("what is done again and again stands in a `repeat`")
    }

    /// What cannot be open where a script ends or voids it. What rules call may be called anywhere, so of that nothing is said.
    pub fn never_open(&mut self, procedures: &[Procedure]) {
        let closes = |step: &Step| matches!(step, Step::Deed(Deed::End { .. } | Deed::Void { .. }));
        for (id, procedure) in procedures.iter().enumerate().filter(|(_, procedure)| procedure.code.steps.iter().any(closes)) {
            let Some(around) = self.around_of(id) else { continue };
            for (step, span) in procedure.code.steps.iter().zip(&procedure.code.spans) {
                let (target, word, open) = if let Step::Deed(Deed::End { procedure, .. }) = step {
                    (*procedure, "end", around.contains(procedure))
                } else if let Step::Deed(Deed::Void { procedure, .. }) = step {
                    // The last one that was closed can be voided too, while who called it is open.
                    let called = self.calls.iter().any(|call| call.to == *procedure && call.by.is_some_and(|by| around.contains(&by)));
                    (*procedure, "void", called || around.contains(procedure))
                } else {
                    continue;
                };
                if !open {
                    let name = procedures.get(target).map_or("", |known| known.name.as_str());
                    let message = format!("`{name}` is never open where `{}` runs", procedure.name);
                    let help = format!("`{word}` closes what is open: {}", self.names_of(&around));
                    self.compiler.faults.push(Diagnostic::new(Code::NeverOpen, message, *span).with_help(help));
                }
            }
        }
    }

    fn names_of(&self, around: &BTreeSet<ProcedureId>) -> String {
        let name = |id: &ProcedureId| self.compiler.signatures.procedures.get(*id).map(|known| known.name.it.as_str());
        crate::rules::advice::all_of(around.iter().filter_map(name))
    }

    /// A procedure and all that can have called it; nothing if a rule or a right may have.
    fn around_of(&self, id: ProcedureId) -> Option<BTreeSet<ProcedureId>> {
        let mut around = BTreeSet::from([id]);
        let mut waiting = vec![id];
        while let Some(inner) = waiting.pop() {
            for call in self.calls.iter().filter(|call| call.to == inner) {
                let by = call.by?;
                if around.insert(by) {
                    waiting.push(by);
                }
            }
        }
        Some(around)
    }

    /// The scripts of phases, put where they belong.
    pub fn place_phases(&mut self, procedures: &mut [Procedure]) {
        for (id, code) in std::mem::take(&mut self.phases) {
            if let Some(phase) = procedures.get_mut(id) {
                let code: Steps = code;
                phase.code = code;
            }
        }
    }
}

/// The calls of which rings can be made: those from procedures that lead on and on.
fn going_on(count: usize, calls: &[Call]) -> Vec<Vec<Call>> {
    let mut on: Vec<Vec<Call>> = vec![Vec::new(); count];
    let mut callers: Vec<Vec<ProcedureId>> = vec![Vec::new(); count];
    for call in calls {
        let Some(by) = call.by else { continue };
        if let (Some(on), Some(callers)) = (on.get_mut(by), callers.get_mut(call.to)) {
            on.push(*call);
            callers.push(by);
        }
    }
    let mut left: Vec<usize> = on.iter().map(Vec::len).collect();
    let mut ended: Vec<ProcedureId> = left.iter().enumerate().filter(|(_, left)| **left == 0).map(|(id, _)| id).collect();
    while let Some(end) = ended.pop() {
        for by in callers.get(end).into_iter().flatten() {
            let Some(left) = left.get_mut(*by) else { continue };
            *left -= 1;
            if *left == 0 {
                ended.push(*by);
            }
        }
    }
    for (on, left) in on.iter_mut().zip(left) {
        if left == 0 {
            on.clear();
        }
    }
    on
}

/// The calls of a ring that leads back to a procedure, shortest first met.
fn ring(start: ProcedureId, calls: &[Vec<Call>]) -> Option<Vec<Call>> {
    let mut reached: BTreeMap<ProcedureId, Call> = BTreeMap::new();
    let mut next: std::collections::VecDeque<ProcedureId> = std::collections::VecDeque::from([start]);
    while let Some(at) = next.pop_front() {
        for call in calls.get(at).into_iter().flatten() {
            if call.to == start {
                let mut ring = vec![*call];
                while let Some(before) = ring.last().and_then(|call| call.by).filter(|by| *by != start).and_then(|by| reached.get(&by)) {
                    ring.push(*before);
                }
                ring.reverse();
                return Some(ring);
            }
            if let std::collections::btree_map::Entry::Vacant(new) = reached.entry(call.to) {
                new.insert(*call);
                next.push_back(call.to);
            }
        }
    }
    None
}

/// Where something was written that `adopt` names.
pub(super) type Adopted = Vec<(String, Provenance, Span)>;
