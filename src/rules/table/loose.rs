//! Loose ends of a table: questions that nobody answers, breaches of which nothing comes, offers that depend on what their seat cannot see.

use std::collections::BTreeSet;

use super::kept::each_script;
use super::program::{Code as Steps, Domain, Expr, HookBy, LogSort, Node, Offer, OfferTo, ProcedureId, Program, QuestionId, SeenBy, Step};
use super::walk::{below, everything, of_code, of_parameter, of_query, of_rule};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::selection::{Layer, LayerKind};

/// Warnings about the whole program. A library is held to account only for what is used of it.
pub(super) fn loose_ends(program: &Program, layers: &[Layer<'_>], faults: &mut Vec<Diagnostic>) {
    let of_library = |layer: &str| layers.iter().any(|known| known.name == layer && known.kind == LayerKind::Library);
    if layers.iter().all(|layer| layer.kind == LayerKind::Library) {
        return;
    }
    let reached = reached(program);
    let asked = asked(program, &reached);
    for (id, question) in program.questions.iter().enumerate() {
        let answered = question.otherwise.is_some() || program.rules.iter().any(|rule| rule.questions.contains(&id));
        if !answered && (asked.contains(&id) || !of_library(&question.from.layer)) {
            let message = format!("no rule answers the question `{}`", question.name);
            let fault = Diagnostic::new(Code::Unanswered, message, question.from.span);
            faults.push(fault.with_help(format!("write `rule … on {}`, or say what holds `otherwise`", question.name)));
        }
    }
    for (id, hook) in program.hooks.iter().enumerate() {
        let Some(name) = program.names.get(hook.name) else { continue };
        let answered = hook.body.is_some() || name.kept || program.rules.iter().any(|rule| rule.hooks.contains(&id));
        if !answered && matches!(name.sort, LogSort::Event | LogSort::Right) && !of_library(&hook.from.layer) {
            let message = format!("nothing comes of `{}`", name.name);
            let fault = Diagnostic::new(Code::Unanswered, message, hook.from.span);
            faults.push(fault.with_help(format!("write `rule … on {}`, or ask the log for it: `has {}`", name.name, name.name)));
        }
    }
    for name in program.names.iter().filter(|name| name.sort == LogSort::Breach && !name.kept) {
        let Some(from) = name.from.as_ref().filter(|from| !of_library(&from.layer)) else { continue };
        let message = format!("nothing comes of the breach `{}`: nobody asks the log for it", name.name);
        let help = format!("a rule, a right or a definition can ask `has {} by p`", name.name);
        faults.push(Diagnostic::new(Code::UnreadBreach, message, from.span).with_help(help));
    }
    for (_, procedure) in program.procedures.iter().enumerate().filter(|(id, _)| reached.contains(id)) {
        unseen(program, &procedure.code, faults);
    }
}

/// Procedures that can be open at all: those that play starts with, and whatever a script in force calls.
pub(super) fn reached(program: &Program) -> BTreeSet<ProcedureId> {
    let mut waiting: Vec<ProcedureId> = program.roots.clone();
    each_script(program, &mut |home, code| {
        if home.is_none() {
            waiting.extend(calls(code));
        }
    });
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if found.insert(id)
            && let Some(procedure) = program.procedures.get(id)
        {
            waiting.extend(calls(&procedure.code));
        }
    }
    found
}

pub(super) fn calls(code: &Steps) -> impl Iterator<Item = ProcedureId> {
    code.steps.iter().filter_map(|step| if let Step::Call(id, _) | Step::Phase(id) = step { Some(*id) } else { None })
}

/// Questions that somebody asks.
fn asked(program: &Program, reached: &BTreeSet<ProcedureId>) -> BTreeSet<QuestionId> {
    let mut asked = BTreeSet::new();
    let mut called = BTreeSet::new();
    let mut note = |expr: &Expr| {
        everything(expr, &mut |part| {
            if let Node::Ask(id, _) = &*part.node {
                asked.insert(*id);
            } else if let Node::Call(id, _) = &*part.node {
                called.insert(*id);
            }
        });
    };
    each_script(program, &mut |home, code| {
        if home.is_none_or(|home| reached.contains(&home)) {
            of_code(code, &mut note);
        }
    });
    program.rules.iter().for_each(|rule| of_rule(rule, &mut note));
    for hook in &program.hooks {
        hook.possible.iter().for_each(&mut note);
        if let HookBy::Of(of) = &hook.by {
            note(of);
        }
        hook.parameters.iter().for_each(|parameter| of_parameter(parameter, &mut note));
    }
    program.queries.iter().for_each(|query| of_query(query, &mut note));
    let mut done = BTreeSet::new();
    while let Some(id) = called.pop_first() {
        let Some(definition) = program.definitions.get(id).filter(|_| done.insert(id)) else { continue };
        everything(&definition.value, &mut |part| {
            if let Node::Ask(id, _) = &*part.node {
                asked.insert(*id);
            } else if let Node::Call(id, _) = &*part.node {
                called.insert(*id);
            }
        });
    }
    asked
}

/// Guards and domains that read the faces of pieces which the seat of the offer cannot see.
fn unseen(program: &Program, code: &Steps, faults: &mut Vec<Diagnostic>) {
    for step in &code.steps {
        let Step::Offer(offer) = step else { continue };
        for alternative in &offer.alternatives {
            let domains = alternative.parameters.iter().filter_map(|parameter| match &parameter.domain {
                Domain::In(of) | Domain::Subsets(of, ..) => Some(of),
                Domain::All | Domain::Range(..) | Domain::Fixed(_) => None,
            });
            // All that lies in a place are so many backs: who may choose any of them is told nothing.
            for guard in alternative.when.iter().chain(domains.filter(|of| !is_whole(of))) {
                hidden(program, offer, guard, faults);
            }
        }
    }
}

/// Whether an expression is a place, or the set of all that lies in one.
fn is_whole(expr: &Expr) -> bool {
    if let Node::Those(binder) = &*expr.node {
        return binder.filter.is_none() && is_whole(&binder.of);
    }
    matches!(&*expr.node, Node::Place(..))
}

/// Whoever may count pieces need not see them.
fn hidden(program: &Program, offer: &Offer, expr: &Expr, faults: &mut Vec<Diagnostic>) {
    if matches!(&*expr.node, Node::Count(_) | Node::IsEmpty(_)) {
        return;
    }
    if let Node::Place(id, indices) = &*expr.node
        && let Some(place) = program.places.get(*id)
        && place.seen.when.is_none()
    {
        let seen = match &place.seen.by {
            SeenBy::All | SeenBy::Seats(_) => true,
            SeenBy::Nobody => false,
            // Who is meant by anything but a plain name, nobody can tell before play.
            SeenBy::Owner => match (seat_of(offer), indices.as_slice()) {
                (Some(seat), [index]) => !matches!(&*index.node, Node::Local(slot) if *slot != seat),
                _ => true,
            },
        };
        if !seen && !matches!(offer.to, OfferTo::Nobody) {
            let message = format!("this depends on pieces in `{}`, which whoever chooses cannot see", place.name);
            let fault = Diagnostic::new(Code::UnseenGuard, message, expr.span).with_label(place.from.span, "who sees it is said here");
            faults.push(fault.with_help("what may be chosen would tell him what lies there"));
        }
    }
    below(&expr.node, &mut |part| hidden(program, offer, part, faults));
}

fn seat_of(offer: &Offer) -> Option<super::program::Slot> {
    match &offer.to {
        OfferTo::Each { seat, .. } => Some(*seat),
        OfferTo::Seat(of) => {
            if let Node::Local(slot) = &*of.node {
                Some(*slot)
            } else {
                None
            }
        }
        OfferTo::Nobody => None,
    }
}
