//! From a draft to the program that runs, under settings in force. Clauses 3.14, 6.3 and 6.4.

use super::assembly::TableDraft;
use super::fold::{Folding, known, truth};
use super::order::order;
use super::overlaps::overlaps;
use super::program::{Answer, Code as Steps, Condition, Hook, MOST_PIECES, Node, PieceFace, Program, Rule, RuleId, TablePiece};
use super::reached::reached;
use super::program::{HookBy, Literal, Undecided};
use super::walk::{of_parameter_mut, of_query_mut, of_seen_mut};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::advice::all_of;
use crate::rules::constant::{Settings, all_hold};
use crate::rules::rulebook::{Pack, Used};

/// The program under these settings.
pub(in crate::rules) fn settled(draft: &TableDraft, settings: &Settings, packs: &[Pack], used: &Used, faults: &mut Vec<Diagnostic>) -> Program {
    let mut program = draft.program.clone();
    let mut orders = std::mem::take(&mut program.orders);
    for (name, heights) in &used.heights {
        if let Some(order) = orders.iter_mut().find(|order| order.name == *name) {
            order.heights.clone_from(heights);
        }
    }
    let folding = Folding { settings, orders: &orders };
    definitions(&mut program, folding);
    let constants = constants(&program);
    let folding = Whole { folding, constants: &constants };
    let in_force: Vec<bool> = draft.under.iter().map(|under| all_hold(under, settings, faults)).collect();
    rules(&mut program, &in_force, folding);
    for procedure in &mut program.procedures {
        folding.code(&mut procedure.code);
    }
    for hook in &mut program.hooks {
        folding.hook(hook);
    }
    for question in &mut program.questions {
        if let Some(otherwise) = &mut question.otherwise {
            folding.expression(otherwise);
        }
    }
    let first =
        program.facts.iter_mut().filter_map(|fact| fact.first.as_mut()).chain(program.roles.iter_mut().filter_map(|role| role.first.as_mut()));
    first.for_each(|first| folding.expression(first));
    let seen = program.places.iter_mut().map(|place| &mut place.seen).chain(program.facts.iter_mut().filter_map(|fact| fact.seen.as_mut()));
    seen.for_each(|seen| of_seen_mut(seen, &mut |expr| folding.expression(expr)));
    for query in &mut program.queries {
        of_query_mut(query, &mut |expr| folding.expression(expr));
    }
    program.orders = orders;
    program.pieces = pieces(&program, packs, faults);
    // INVARIANT: where a ranking could not be woven there is an error, and no program is used.
    program.families = draft.families.iter().filter_map(|family| used.families.get(&family.ranking)).cloned().collect();
    if program.families.len() == draft.families.len() {
        reached(&program, faults);
    }
    ordered(&mut program, faults);
    overlaps(&program, faults);
    program
}

/// Every piece in use, each copy for itself.
fn pieces(program: &Program, packs: &[Pack], faults: &mut Vec<Diagnostic>) -> Vec<TablePiece> {
    let mut all = Vec::new();
    for (kind, pack) in packs.iter().enumerate() {
        for (face, piece) in pack.deck.pieces.iter().enumerate() {
            let face: PieceFace = face;
            for _ in 0..piece.copies {
                all.push(TablePiece { kind, face, text: piece.text.clone(), values: piece.values.clone() });
            }
        }
    }
    if all.len() > MOST_PIECES
        && let Some((_, _, from)) = &program.seats
    {
        let message = format!("there are {} pieces, and at most {MOST_PIECES} can lie on one table", all.len());
        faults.push(Diagnostic::new(Code::OutOfRange, message, from.span));
    }
    all
}

/// Definitions may call one another; what turns out constant in one makes another constant.
fn definitions(program: &mut Program, folding: Folding<'_>) {
    loop {
        let before = constants(program);
        let whole = Whole { folding, constants: &before };
        for definition in &mut program.definitions {
            whole.expression(&mut definition.value);
        }
        let after = constants(program);
        if after.iter().filter(|value| value.is_some()).count() == before.iter().filter(|value| value.is_some()).count() {
            return;
        }
    }
}

/// For each definition its value, if that is settled before play.
fn constants(program: &Program) -> Vec<Option<Literal>> {
    program.definitions.iter().map(|definition| known(&definition.value).cloned()).collect()
}

/// Folds expressions, definitions among them.
#[derive(Clone, Copy)]
struct Whole<'f> {
    folding: Folding<'f>,
    constants: &'f [Option<Literal>],
}

impl Whole<'_> {
    fn expression(self, expr: &mut super::program::Expr) {
        self.called(expr);
        self.folding.expression(expr);
    }

    /// A definition that is constant is its value.
    fn called(self, expr: &mut super::program::Expr) {
        super::walk::below_mut(&mut expr.node, &mut |part| self.called(part));
        if let Node::Call(id, _) = &*expr.node
            && let Some(Some(literal)) = self.constants.get(*id)
        {
            *expr.node = Node::Literal(literal.clone());
        }
    }

    fn code(self, code: &mut Steps) {
        for step in &mut code.steps {
            super::walk::of_step_mut(step, &mut |expr| self.called(expr));
            self.folding.step(step);
        }
    }

    fn hook(self, hook: &mut Hook) {
        if let HookBy::Of(of) = &mut hook.by {
            self.expression(of);
        }
        if let Some(possible) = &mut hook.possible {
            self.expression(possible);
        }
        if let Some(body) = &mut hook.body {
            self.code(body);
        }
        for parameter in &mut hook.parameters {
            of_parameter_mut(parameter, &mut |expr| self.expression(expr));
        }
    }

    fn rule(self, rule: &mut Rule) {
        for condition in &mut rule.conditions {
            match condition {
                Condition::Let(_, value) | Condition::When(value) => self.expression(value),
            }
        }
        match &mut rule.answer {
            Answer::Is(value) => self.expression(value),
            Answer::Does(code) => self.code(code),
            Answer::Around { before, after } => before.iter_mut().chain(after).for_each(|code| self.code(code)),
            Answer::Stands | Answer::Refuse | Answer::Nothing => {}
        }
    }
}

/// Drops rules that a setting shuts out, or whose conditions it makes impossible, and numbers the rest anew.
fn rules(program: &mut Program, in_force: &[bool], folding: Whole<'_>) {
    let mut numbers: Vec<Option<RuleId>> = Vec::new();
    let mut kept: Vec<Rule> = Vec::new();
    for (mut rule, in_force) in std::mem::take(&mut program.rules).into_iter().zip(in_force) {
        folding.rule(&mut rule);
        let impossible = rule.conditions.iter().any(|condition| matches!(condition, Condition::When(when) if truth(when) == Some(false)));
        if !in_force || impossible {
            numbers.push(None);
            continue;
        }
        rule.conditions.retain(|condition| !matches!(condition, Condition::When(when) if truth(when) == Some(true)));
        numbers.push(Some(kept.len()));
        kept.push(rule);
    }
    let new = |old: &RuleId| numbers.get(*old).copied().flatten();
    for rule in &mut kept {
        for list in [&mut rule.replaces, &mut rule.suspends, &mut rule.amends] {
            *list = list.iter().filter_map(new).collect();
        }
    }
    program.undecided = std::mem::take(&mut program.undecided)
        .into_iter()
        .filter_map(|pair| Some(Undecided { one: new(&pair.one)?, other: new(&pair.other)?, ..pair }))
        .collect();
    program.rules = kept;
}

/// Sorts rules under their questions and hooks.
fn ordered(program: &mut Program, faults: &mut Vec<Diagnostic>) {
    match order(&program.rules) {
        Ok(ordered) => {
            for id in ordered {
                let Some(rule) = program.rules.get(id) else { continue };
                for question in &rule.questions {
                    if let Some(question) = program.questions.get_mut(*question) {
                        question.rules.push(id);
                    }
                }
                for hook in &rule.hooks {
                    if let Some(hook) = program.hooks.get_mut(*hook) {
                        hook.rules.push(id);
                    }
                }
            }
        }
        Err(ring) => {
            let rules: Vec<&Rule> = ring.iter().filter_map(|id| program.rules.get(*id)).collect();
            let names = || rules.iter().map(|rule| rule.name.as_str());
            let Some(first) = rules.first() else { return };
            let message = format!("`{}` gives way to itself, by way of {}", first.name, all_of(names().skip(1)));
            let mut fault = Diagnostic::new(Code::CyclicRules, message, first.from.span);
            for rule in rules.iter().skip(1) {
                fault = fault.with_label(rule.from.span, format!("`{}`", rule.name));
            }
            faults.push(fault.with_help("take out the edge that does not hold, or put the rules under conditions that exclude one another"));
        }
    }
}
