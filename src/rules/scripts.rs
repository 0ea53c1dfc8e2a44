//! What the statements inside scripts cite. Clauses 2.7 and 9.2.

use crate::source::Span;
use crate::syntax::tree::{Block, Declaration, Does, Statement, StatementKind, Tags};

/// Calls `see` for the tags of every statement and every alternative of a declaration's script.
pub(super) fn statement_tags<'d>(declaration: &'d Declaration, see: &mut dyn FnMut(&'d Tags, Span)) {
    if let Declaration::Procedure { body, .. } | Declaration::Action { body, .. } = declaration {
        block(body, see);
    } else if let Declaration::Rule(rule) = declaration {
        block(&rule.body, see);
    } else if let Declaration::Right(right) = declaration {
        right.body.iter().for_each(|body| block(body, see));
    } else if let Declaration::Event(event) = declaration {
        event.supposes.iter().for_each(|body| block(body, see));
    }
}

fn block<'d>(body: &'d Block, see: &mut dyn FnMut(&'d Tags, Span)) {
    body.it.iter().for_each(|inner| statement(inner, see));
}

fn statement<'d>(of: &'d Statement, see: &mut dyn FnMut(&'d Tags, Span)) {
    let span = of.span;
    match &of.it {
        StatementKind::Block(body) | StatementKind::Before(body) | StatementKind::After(body) => block(body, see),
        StatementKind::If { when: _, then, otherwise } => {
            block(then, see);
            otherwise.iter().for_each(|otherwise| statement(otherwise, see));
        }
        StatementKind::Each { tags, body, .. } | StatementKind::Repeat { tags, body, .. } | StatementKind::Phase { tags, body, .. } => {
            see(tags, span);
            block(body, see);
        }
        StatementKind::Offer { tags, alternatives, .. } | StatementKind::Duty { tags, alternatives, .. } => {
            see(tags, span);
            for alternative in alternatives {
                see(&alternative.it.tags, alternative.span);
                does(&alternative.it.does, see);
            }
        }
        StatementKind::SingleDuty { by: _, alternative } => {
            see(&alternative.it.tags, alternative.span);
            does(&alternative.it.does, see);
        }
        StatementKind::Pause(tags) | StatementKind::Share { tags, .. } | StatementKind::Close { tags, .. } | StatementKind::Do { tags, .. } => {
            see(tags, span);
        }
        StatementKind::Let { .. } | StatementKind::When(_) | StatementKind::Is(_) | StatementKind::Settle(_) | StatementKind::Again => {}
    }
}

fn does<'d>(does: &'d Does, see: &mut dyn FnMut(&'d Tags, Span)) {
    match does {
        Does::Block(body) => block(body, see),
        Does::Deed(_) => {}
    }
}
