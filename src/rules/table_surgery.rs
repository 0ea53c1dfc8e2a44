//! Cuts a mutation into the tree of a table.

use super::mutants::{Mutation, Part};
use super::surgery::Cut;
use crate::source::Span;
use crate::syntax::tree::{
    Alternative, At, Block, Declaration, Does, Expr, ExprKind, ScaleOrder, ScaleShift, Seen, SeenBy, Statement, StatementKind,
};

/// Whether the cut was made here.
pub(super) fn operate(declarations: &mut Vec<At<Declaration>>, cut: &Cut<'_>) -> bool {
    let Some(at) = declarations.iter().position(|declaration| declaration.span == cut.line) else { return false };
    let is_line = *cut.part == Part::Table(cut.line);
    if is_line && matches!(declarations.get(at).map(|declaration| &declaration.it), Some(Declaration::VoidRestores { .. })) {
        declarations.remove(at);
        return true;
    }
    let Some(declaration) = declarations.get_mut(at) else { return false };
    if let (Part::Edge(name), Declaration::Adopt { names, .. }) = (cut.part, &mut declaration.it) {
        names.remove(*name);
        if names.is_empty() {
            declarations.remove(at);
        }
        return true;
    }
    let Part::Table(span) = cut.part else { return false };
    if is_line { on_declaration(&mut declaration.it, cut) } else { within(&mut declaration.it, *span) }
}

/// A condition that never holds.
pub(super) fn never(span: Span) -> Expr {
    Expr::new(Box::new(ExprKind::Truth(false)), span)
}

fn on_declaration(declaration: &mut Declaration, cut: &Cut<'_>) -> bool {
    let span = cut.line;
    match (declaration, cut.mutation) {
        // A rule without a line would leave edges hanging; one that never applies keeps them.
        (Declaration::Rule(rule), Mutation::Drop) => rule.body.it.insert(0, At::new(StatementKind::When(never(span)), span)),
        (Declaration::Rule(rule), Mutation::Contradict) => {
            let first =
                rule.body.it.iter_mut().find_map(|statement| if let StatementKind::When(when) = &mut statement.it { Some(when) } else { None });
            let Some(when) = first else { return false };
            *when = Expr::new(Box::new(ExprKind::Not(when.clone())), when.span);
        }
        // What is never reached keeps the names that others use.
        (Declaration::Procedure { body, .. } | Declaration::Action { body, .. }, Mutation::Drop) => {
            let then = body.clone();
            body.it = vec![At::new(StatementKind::If { when: never(span), then, otherwise: None }, span)];
        }
        (Declaration::Seats { most: Some(most), .. }, Mutation::FewerSeats) => most.it -= 1,
        (Declaration::Seats { least, .. }, Mutation::MoreSeats) => least.it += 1,
        (Declaration::Place(place), Mutation::Uncover) => {
            place.seen = match place.seen {
                Some(Seen { by: SeenBy::All, .. }) => None,
                Some(_) | None => Some(Seen { by: SeenBy::All, when: None }),
            };
        }
        (Declaration::Choice(choice), Mutation::Default(branch)) => branch.clone_into(&mut choice.default.it),
        (Declaration::Account(account), Mutation::Drop) => account.may_owe = false,
        (Declaration::Right(right), Mutation::Drop) => right.holds = Some(never(span)),
        (Declaration::Event(event), Mutation::Drop) => event.possible = Some(never(span)),
        (Declaration::Scale(scale), mutation) => match (&mut scale.order, mutation) {
            (ScaleOrder::Members { members, .. }, Mutation::SwapKeys(at)) if at + 1 < members.len() => members.swap(*at, at + 1),
            (ScaleOrder::Derived { shift, .. }, Mutation::Swap) => {
                *shift = if *shift == ScaleShift::Highest { ScaleShift::Lowest } else { ScaleShift::Highest };
            }
            _ => return false,
        },
        _ => return false,
    }
    true
}

/// Puts the statement or the alternative at a place out of reach.
fn within(declaration: &mut Declaration, span: Span) -> bool {
    if let Declaration::Rule(rule) = declaration {
        block(&mut rule.body, span)
    } else if let Declaration::Procedure { body, .. } | Declaration::Action { body, .. } = declaration {
        block(body, span)
    } else if let Declaration::Right(right) = declaration {
        right.body.as_mut().is_some_and(|body| block(body, span))
    } else if let Declaration::Event(event) = declaration {
        event.supposes.as_mut().is_some_and(|body| block(body, span))
    } else {
        false
    }
}

fn block(block: &mut Block, span: Span) -> bool {
    if let Some(found) = block.it.iter_mut().find(|statement| statement.span == span) {
        let then = At::new(vec![found.clone()], span);
        found.it = StatementKind::If { when: never(span), then, otherwise: None };
        return true;
    }
    block.it.iter_mut().any(|inner| statement(inner, span))
}

fn statement(inner: &mut Statement, span: Span) -> bool {
    match &mut inner.it {
        StatementKind::Block(body) | StatementKind::Before(body) | StatementKind::After(body) => block(body, span),
        StatementKind::Each { body, .. } | StatementKind::Repeat { body, .. } | StatementKind::Phase { body, .. } => block(body, span),
        StatementKind::If { then, otherwise, .. } => block(then, span) || otherwise.as_mut().is_some_and(|otherwise| statement(otherwise, span)),
        StatementKind::Offer { alternatives, .. } | StatementKind::Duty { alternatives, .. } => {
            if let Some(found) = alternatives.iter_mut().find(|alternative| alternative.span == span) {
                found.it.when = Some(never(span));
                return true;
            }
            alternatives.iter_mut().any(|inner| alternative(inner, span))
        }
        StatementKind::SingleDuty { alternative: inner, .. } => alternative(inner, span),
        StatementKind::Let { .. }
        | StatementKind::When(_)
        | StatementKind::Is(_)
        | StatementKind::Pause(_)
        | StatementKind::Share { .. }
        | StatementKind::Close { .. }
        | StatementKind::Settle(_)
        | StatementKind::Again
        | StatementKind::Do { .. } => false,
    }
}

fn alternative(inner: &mut At<Alternative>, span: Span) -> bool {
    if let Does::Block(body) = &mut inner.it.does { block(body, span) } else { false }
}
