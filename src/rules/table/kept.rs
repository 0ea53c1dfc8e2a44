//! Which entries of the log are kept, and how long. Clause 5.16.

use std::collections::BTreeSet;

use super::program::{Answer, Code, Deed, Expr, Life, LogMark, Node, ProcedureId, Program, Query, QueryId, Step};

/// Notes for every name whether some query reads it, and from when on.
pub(super) fn note(program: &mut Program) {
    let unsafe_windows = unsafe_windows(program);
    let mut windows: Vec<Option<Life>> = vec![None; program.names.len()];
    for query in &program.queries {
        let window = match window(query, &program.queries) {
            Life::Of(procedure) if !unsafe_windows.contains(&procedure) => Life::Of(procedure),
            Life::Of(_) | Life::Evening => Life::Evening,
        };
        for name in &query.names {
            if let Some(known) = windows.get_mut(*name) {
                *known = Some(match *known {
                    None => window,
                    Some(other) if other == window => window,
                    Some(_) => Life::Evening,
                });
            }
        }
    }
    for (name, window) in program.names.iter_mut().zip(windows) {
        name.kept = window.is_some();
        name.kept_per = window.unwrap_or(Life::Evening);
    }
}

/// From when on a query can find something.
fn window(query: &Query, all: &[Query]) -> Life {
    match &query.since {
        None | Some(LogMark::End(_)) => Life::Evening,
        Some(LogMark::Start(procedure)) => Life::Of(*procedure),
        // Behind an entry that was itself looked for in a window.
        Some(LogMark::Entry(entry)) => found_by(entry).and_then(|id| all.get(id)).map_or(Life::Evening, |inner| window(inner, all)),
    }
}

fn found_by(entry: &Expr) -> Option<QueryId> {
    if let Node::First(id) | Node::Last(id) = &*entry.node { Some(*id) } else { None }
}

/// Procedures of which an older instance can become the newest again, because the newest can be voided for good: what lies before its start
/// may still be asked for.
fn unsafe_windows(program: &Program) -> BTreeSet<ProcedureId> {
    let mut found = BTreeSet::new();
    let mut inside = Vec::new();
    each_script(program, &mut |_, code| {
        for step in &code.steps {
            if let Step::Deed(Deed::Void { procedure, again, .. }) = step {
                if !again {
                    found.insert(*procedure);
                }
                inside.push(*procedure);
            }
        }
    });
    // Whatever runs inside a voided procedure is voided with it, and not called anew at once.
    while let Some(outer) = inside.pop() {
        let Some(procedure) = program.procedures.get(outer) else { continue };
        for step in &procedure.code.steps {
            if let Step::Call(inner, _) | Step::Phase(inner) = step
                && found.insert(*inner)
            {
                inside.push(*inner);
            }
        }
    }
    found
}

/// Every script: of procedures with their numbers, of rights, events and rules without one.
pub(super) fn each_script(program: &Program, see: &mut dyn FnMut(Option<ProcedureId>, &Code)) {
    program.procedures.iter().enumerate().for_each(|(id, procedure)| see(Some(id), &procedure.code));
    program.hooks.iter().filter_map(|hook| hook.body.as_ref()).for_each(|body| see(None, body));
    for rule in &program.rules {
        match &rule.answer {
            Answer::Does(code) => see(None, code),
            Answer::Around { before, after } => before.iter().chain(after).for_each(|code| see(None, code)),
            Answer::Is(_) | Answer::Stands | Answer::Refuse | Answer::Nothing => {}
        }
    }
}
