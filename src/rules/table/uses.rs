//! Which parameters and options a table depends on, and on which branches. Clauses 8.2 and 8.8.

use std::collections::BTreeSet;

use super::assembly::TableDraft;
use super::fold::known;
use super::program::{Condition, Definition, Expr, HookBy, Literal, Node, Program, Rule};
use super::walk::{everything, of_code, of_parameter, of_query, of_rule, of_seen};
use crate::ranking::ValueId;
use crate::rules::constant::{OptionId, ParameterId};

/// What something depends on.
#[derive(Clone, Debug, Default)]
pub(in crate::rules) struct Uses {
    pub parameters: BTreeSet<ParameterId>,
    pub options: BTreeSet<OptionId>,
    /// Branches that an option is compared with.
    pub branches: BTreeSet<(OptionId, ValueId)>,
    /// Numbers that a parameter is compared with.
    pub numbers: BTreeSet<i64>,
}

impl Uses {
    /// Notes an expression and the definitions that it calls.
    fn note(&mut self, expr: &Expr, definitions: &[Definition]) {
        let mut seen = BTreeSet::new();
        everything(expr, &mut |part| {
            self.node(&part.node);
            if let Node::Call(id, _) = &*part.node {
                seen.insert(*id);
            }
        });
        // A definition may call another one; each is looked at once.
        let mut done = BTreeSet::new();
        while let Some(id) = seen.pop_first() {
            if done.insert(id)
                && let Some(definition) = definitions.get(id)
            {
                everything(&definition.value, &mut |part| {
                    self.node(&part.node);
                    if let Node::Call(id, _) = &*part.node {
                        seen.insert(*id);
                    }
                });
            }
        }
    }

    fn node(&mut self, node: &Node) {
        if let Node::Parameter(id) = node {
            self.parameters.insert(*id);
        } else if let Node::Option(id) = node {
            self.options.insert(*id);
        } else if let Node::Compare(first, rest, _) = node {
            let all: Vec<&Expr> = std::iter::once(first).chain(rest.iter().map(|(_, next)| next)).collect();
            self.compared(&all);
        } else if let Node::In(item, of) = node {
            let mut all = vec![item];
            if let Node::Set(members) = &*of.node {
                all.extend(members);
            }
            self.compared(&all);
        } else if let Node::Table { of, rows, .. } = node {
            let keys = rows.iter().flat_map(|row| &row.keys).map(|(key, _)| key);
            let all: Vec<&Expr> = std::iter::once(of).chain(keys).collect();
            self.compared(&all);
        }
    }

    fn compared(&mut self, all: &[&Expr]) {
        let literals = || all.iter().filter_map(|expr| known(expr));
        for expr in all {
            if let Node::Option(id) = &*expr.node {
                self.branches.extend(literals().filter_map(|literal| if let Literal::Member(value) = literal { Some((*id, *value)) } else { None }));
            } else if let Node::Parameter(_) = &*expr.node {
                self.numbers.extend(literals().filter_map(|literal| if let Literal::Number(number) = literal { Some(*number) } else { None }));
            }
        }
    }
}

/// What each rule depends on: its conditions decide which other settings must be tried together.
pub(in crate::rules) fn of_rules(draft: &TableDraft) -> Vec<Uses> {
    let of_conditions = |rule: &Rule| {
        let mut uses = Uses::default();
        for condition in &rule.conditions {
            match condition {
                Condition::Let(_, value) | Condition::When(value) => uses.note(value, &draft.program.definitions),
            }
        }
        uses
    };
    draft.program.rules.iter().map(of_conditions).collect()
}

/// What anything at the table depends on.
pub(in crate::rules) fn of_program(program: &Program) -> Uses {
    let mut uses = Uses::default();
    each_expression(program, &mut |expr| uses.note(expr, &[]));
    uses
}

/// Calls `note` for each expression of a program that stands in no other.
pub(super) fn each_expression(program: &Program, mut note: &mut dyn FnMut(&Expr)) {
    program.definitions.iter().for_each(|definition| note(&definition.value));
    program.rules.iter().for_each(|rule| of_rule(rule, &mut note));
    program.procedures.iter().for_each(|procedure| of_code(&procedure.code, &mut note));
    for hook in &program.hooks {
        hook.possible.iter().for_each(&mut note);
        if let HookBy::Of(of) = &hook.by {
            note(of);
        }
        hook.body.iter().for_each(|body| of_code(body, &mut note));
        hook.parameters.iter().for_each(|parameter| of_parameter(parameter, &mut note));
    }
    program.questions.iter().filter_map(|question| question.otherwise.as_ref()).for_each(&mut note);
    program.facts.iter().filter_map(|fact| fact.first.as_ref()).for_each(&mut note);
    program.roles.iter().filter_map(|role| role.first.as_ref()).for_each(&mut note);
    let seen = program.places.iter().map(|place| &place.seen).chain(program.facts.iter().filter_map(|fact| fact.seen.as_ref()));
    seen.for_each(|seen| of_seen(seen, &mut note));
    program.queries.iter().for_each(|query| of_query(query, &mut note));
}
