//! Which rule makes which one give way: `replaces`, `suspends`, `amends`, `yields to`, and what the book leaves undecided. Clauses 6.3 and 6.6.

use super::compiler::Compiler;
use super::program::{Rule, RuleId};
use super::signatures::Meaning;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::place::Sort;
use crate::source::Span;
use crate::syntax::tree::{self, EdgeTarget, EdgeWord, Name};

/// A rule that is in force, or would be under some settings.
#[derive(Debug)]
pub(super) struct RuleDraft<'d> {
    pub rule: Rule,
    pub written: &'d tree::Rule,
    /// Position of its layer.
    pub layer: usize,
}

/// Reads the edges of all rules into the rules.
pub(super) fn edges(drafts: &mut [RuleDraft<'_>], compiler: &mut Compiler<'_>) {
    let mut found: Vec<(EdgeWord, RuleId, RuleId)> = Vec::new();
    for (id, draft) in drafts.iter().enumerate() {
        for edge in &draft.written.edges {
            for target in &edge.targets {
                for other in targets(id, draft, &target.it, target.span, drafts, compiler) {
                    found.push((edge.word, id, other));
                }
            }
        }
    }
    for (word, from, to) in found {
        let (above, below) = if word == EdgeWord::YieldsTo { (to, from) } else { (from, to) };
        let Some(draft) = drafts.get_mut(above) else { continue };
        let list = match word {
            EdgeWord::Replaces | EdgeWord::YieldsTo => &mut draft.rule.replaces,
            EdgeWord::Suspends => &mut draft.rule.suspends,
            EdgeWord::Amends => &mut draft.rule.amends,
        };
        if !list.contains(&below) {
            list.push(below);
        }
    }
}

fn targets(id: RuleId, draft: &RuleDraft<'_>, target: &EdgeTarget, span: Span, drafts: &[RuleDraft<'_>], compiler: &mut Compiler<'_>) -> Vec<RuleId> {
    match target {
        EdgeTarget::Rule(name) => one(id, draft, name, drafts, compiler).into_iter().collect(),
        EdgeTarget::EveryRuleOn(name) => {
            let on = |other: &Rule| match compiler.signatures.meaning(&name.it) {
                Some(Meaning::Question(question)) => other.questions.contains(&question),
                Some(Meaning::Hook(hook)) => other.hooks.contains(&hook),
                Some(_) | None => false,
            };
            if !on(&draft.rule) {
                let known = matches!(compiler.signatures.meaning(&name.it), Some(Meaning::Question(_) | Meaning::Hook(_)));
                let fault = if known {
                    Diagnostic::new(Code::DanglingReplace, format!("this rule is not on `{}`, so that no rule on it can give way", name.it), span)
                } else {
                    let sorts = [Sort::Question, Sort::Event, Sort::Right, Sort::Signal];
                    compiler.names.scope.missing(name, &sorts, "a question, an event, a right or a signal")
                };
                compiler.faults.push(fault);
                return Vec::new();
            }
            // Those of its own layer and of the layers below.
            let below = drafts.iter().enumerate().filter(|(other, rule)| *other != id && rule.layer <= draft.layer && on(&rule.rule));
            let below: Vec<RuleId> = below.map(|(other, _)| other).collect();
            if below.is_empty() {
                let message = format!("there is no other rule on `{}` that could give way", name.it);
                compiler.faults.push(Diagnostic::new(Code::DanglingReplace, message, span));
            }
            below
        }
    }
}

fn one(id: RuleId, draft: &RuleDraft<'_>, name: &Name, drafts: &[RuleDraft<'_>], compiler: &mut Compiler<'_>) -> Option<RuleId> {
    let other = rule_named(name, drafts, compiler)?;
    if other == id {
        let message = format!("the rule `{}` stands above itself", name.it);
        compiler.faults.push(Diagnostic::new(Code::SelfEdge, message, name.span).with_help("take out this edge"));
        return None;
    }
    let target = &drafts.get(other)?.rule;
    let meets = draft.rule.questions.iter().any(|on| target.questions.contains(on)) || draft.rule.hooks.iter().any(|on| target.hooks.contains(on));
    if !meets {
        let message = format!("`{}` and `{}` answer nothing in common, so that neither can give way", draft.rule.name, name.it);
        let fault = Diagnostic::new(Code::DanglingReplace, message, name.span).with_label(target.from.span, "the other rule");
        compiler.faults.push(fault.with_help("an edge joins rules on one question, event, right or signal"));
        return None;
    }
    Some(other)
}

/// A rule in force, by name.
fn rule_named(name: &Name, drafts: &[RuleDraft<'_>], compiler: &mut Compiler<'_>) -> Option<RuleId> {
    let found = drafts.iter().position(|draft| draft.rule.name == name.it);
    if found.is_none() {
        let fault = match compiler.names.scope.sort(&name.it) {
            Some(Sort::Rule) => {
                let message = format!("the stock rule `{}` is not adopted, so that it cannot give way", name.it);
                Diagnostic::new(Code::DanglingReplace, message, name.span)
                    .with_help(format!("write `adopt {} cites …;` if it is meant to hold", name.it))
            }
            Some(_) | None => compiler.names.scope.missing(name, &[Sort::Rule], "a rule"),
        };
        compiler.faults.push(fault);
    }
    found
}

/// `undecided A against B "why";`
pub(super) fn undecided(one: &Name, other: &Name, drafts: &[RuleDraft<'_>], compiler: &mut Compiler<'_>) -> Option<(RuleId, RuleId)> {
    let (one, other) = (rule_named(one, drafts, compiler), rule_named(other, drafts, compiler));
    Some((one?, other?))
}
