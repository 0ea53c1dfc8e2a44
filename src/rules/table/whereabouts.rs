//! Where somebody is waited for, and which procedures are open there, as far as calls tell it. Clauses 5.1, 5.6 and 5.14.

use std::collections::{BTreeMap, BTreeSet};

use super::kept::each_script;
use super::loose::{calls, reached};
use super::program::{Answer, Code, HookId, ProcedureId, ProcedureSort, Program, RuleId, Step};

/// A script that waits for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// A procedure or a phase.
    Procedure(ProcedureId),
    /// A rule that makes an offer.
    Rule(RuleId),
    /// The body of a right.
    Right(HookId),
}

/// What is open at a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Whereabouts {
    pub stop: Stop,
    /// Procedures that are open however play came there.
    pub surely: BTreeSet<ProcedureId>,
    /// Procedures that may be open there.
    pub perhaps: BTreeSet<ProcedureId>,
}

impl Whereabouts {
    /// `during P, Q`: yes, no, or nobody can tell.
    pub fn during(&self, procedures: &[ProcedureId]) -> Option<bool> {
        if procedures.iter().any(|procedure| self.surely.contains(procedure)) {
            return Some(true);
        }
        if procedures.iter().any(|procedure| self.perhaps.contains(procedure)) { None } else { Some(false) }
    }
}

/// Every script of the program that waits for somebody and can be reached, in the order of the program.
pub(super) fn whereabouts(program: &Program) -> Vec<Whereabouts> {
    let reached = reached(program);
    let is_open = |id: &ProcedureId| program.procedures.get(*id).is_some_and(|procedure| procedure.sort != ProcedureSort::Action);
    let all: BTreeSet<ProcedureId> = reached.iter().copied().filter(is_open).collect();
    let open = Opening::of(program, &reached);
    let mut found = Vec::new();
    for id in &all {
        if program.procedures.get(*id).is_some_and(|procedure| waits(&procedure.code)) {
            let surely = open.surely.get(id).into_iter().flatten().copied().filter(is_open).collect();
            let perhaps = open.perhaps(*id).map_or_else(|| all.clone(), |above| above.into_iter().filter(is_open).collect());
            found.push(Whereabouts { stop: Stop::Procedure(*id), surely, perhaps });
        }
    }
    let anywhere = |stop: Stop| Whereabouts { stop, surely: BTreeSet::new(), perhaps: all.clone() };
    for (id, rule) in program.rules.iter().enumerate() {
        let stops = match &rule.answer {
            Answer::Does(code) => waits(code),
            Answer::Around { before, after } => before.iter().chain(after).any(waits),
            Answer::Is(_) | Answer::Stands | Answer::Refuse | Answer::Nothing => false,
        };
        found.extend(stops.then(|| anywhere(Stop::Rule(id))));
    }
    let bodies = program.hooks.iter().enumerate().filter(|(_, hook)| hook.body.as_ref().is_some_and(waits));
    found.extend(bodies.map(|(id, _)| anywhere(Stop::Right(id))));
    found
}

/// Whether somebody is waited for in the script itself.
fn waits(code: &Code) -> bool {
    code.steps.iter().any(|step| matches!(step, Step::Offer(_) | Step::Pause))
}

/// Who calls whom.
struct Opening {
    callers: BTreeMap<ProcedureId, BTreeSet<ProcedureId>>,
    /// Called by rules and rights, which run on top of anything.
    anywhere: BTreeSet<ProcedureId>,
    surely: BTreeMap<ProcedureId, BTreeSet<ProcedureId>>,
}

impl Opening {
    fn of(program: &Program, reached: &BTreeSet<ProcedureId>) -> Opening {
        let mut opening = Opening { callers: BTreeMap::new(), anywhere: BTreeSet::new(), surely: BTreeMap::new() };
        each_script(program, &mut |home, code| match home {
            None => opening.anywhere.extend(calls(code)),
            Some(home) if reached.contains(&home) => {
                for called in calls(code) {
                    opening.callers.entry(called).or_default().insert(home);
                }
            }
            Some(_) => {}
        });
        opening.surely = opening.on_every_way(&program.roots, reached);
        opening
    }

    /// For each procedure those that stand on every way to it, itself among them.
    fn on_every_way(&self, roots: &[ProcedureId], reached: &BTreeSet<ProcedureId>) -> BTreeMap<ProcedureId, BTreeSet<ProcedureId>> {
        let begins = |id: &ProcedureId| roots.contains(id) || self.anywhere.contains(id);
        let mut surely: BTreeMap<ProcedureId, BTreeSet<ProcedureId>> =
            reached.iter().map(|id| (*id, if begins(id) { BTreeSet::from([*id]) } else { reached.clone() })).collect();
        loop {
            let mut changed = false;
            for id in reached.iter().filter(|id| !begins(id)) {
                let above = self.callers.get(id).into_iter().flatten().filter_map(|caller| surely.get(caller));
                let common = above.cloned().reduce(|one, other| one.intersection(&other).copied().collect()).unwrap_or_default();
                let new: BTreeSet<ProcedureId> = common.into_iter().chain([*id]).collect();
                changed |= surely.insert(*id, new.clone()) != Some(new);
            }
            if !changed {
                return surely;
            }
        }
    }

    /// All that may be open where a procedure is; nothing if that is anything at all.
    fn perhaps(&self, of: ProcedureId) -> Option<BTreeSet<ProcedureId>> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![of];
        while let Some(id) = waiting.pop() {
            if self.anywhere.contains(&id) {
                return None;
            }
            if found.insert(id) {
                waiting.extend(self.callers.get(&id).into_iter().flatten());
            }
        }
        Some(found)
    }
}
