//! Rules that answer the same thing together, and rules that never answer. Clause 6.6.

use super::fold::known;
use super::logic::{Reading, Together, Ways};
use super::program::{Answer, LogSort, Program, Rule, RuleId};
use crate::diagnostic::{Code, Diagnostic};

/// Faults of the rules in force.
pub(super) fn overlaps(program: &Program, faults: &mut Vec<Diagnostic>) {
    let reading = Reading::of(program);
    let ways: Vec<Ways> = program.rules.iter().map(|rule| Ways::of(rule, &reading)).collect();
    let impossible: Vec<bool> = ways.iter().map(|ways| ways.is_impossible(&reading)).collect();
    for (rule, _) in program.rules.iter().zip(&impossible).filter(|(_, impossible)| **impossible) {
        let message = format!("the conditions of `{}` contradict one another, so that it never applies", rule.name);
        faults.push(Diagnostic::new(Code::NeverApplies, message, rule.from.span));
    }
    pairs(program, &reading, &ways, &impossible, &mut |first, second, together, collision| match together {
        Together::Never => {}
        Together::Surely => faults.push(told(Code::Overlap, first.1, second.1, "apply together", collision)),
        Together::Perhaps => faults.push(told(Code::MayOverlap, first.1, second.1, "may apply together", collision)),
    });
}

/// Pairs of rules that may apply together, and of which neither gives way.
pub(super) fn perhaps(program: &Program) -> Vec<(RuleId, RuleId)> {
    let reading = Reading::of(program);
    let ways: Vec<Ways> = program.rules.iter().map(|rule| Ways::of(rule, &reading)).collect();
    let impossible: Vec<bool> = ways.iter().map(|ways| ways.is_impossible(&reading)).collect();
    let mut found = Vec::new();
    pairs(program, &reading, &ways, &impossible, &mut |first, second, together, _| {
        if together != Together::Never {
            found.push((first.0, second.0));
        }
    });
    found
}

/// A rule with its number.
type Numbered<'p> = (RuleId, &'p Rule);

/// Every pair that stands in each other's way, and whether both can hold.
fn pairs<'p>(
    program: &'p Program,
    reading: &Reading<'_>,
    ways: &[Ways],
    impossible: &[bool],
    see: &mut dyn FnMut(Numbered<'p>, Numbered<'p>, Together, Collision<'p>),
) {
    let possible = |id: &RuleId| !impossible.get(*id).copied().unwrap_or(true);
    let dropping: Vec<RuleId> = program.rules.iter().enumerate().filter(|(_, rule)| drops(rule).next().is_some()).map(|(id, _)| id).collect();
    for (one, first) in program.rules.iter().enumerate().filter(|(id, _)| possible(id)) {
        for (other, second) in program.rules.iter().enumerate().skip(one + 1).filter(|(id, _)| possible(id)) {
            let Some(collision) = collide(program, (one, first), (other, second)) else { continue };
            let (Some(a), Some(b)) = (ways.get(one), ways.get(other)) else { continue };
            let together = a.with(b, &droppers(program, (one, other), &dropping, ways), reading);
            see((one, first), (other, second), together, collision);
        }
    }
}

/// The rules that a rule makes give way.
fn drops(rule: &Rule) -> impl Iterator<Item = &RuleId> {
    rule.replaces.iter().chain(&rule.suspends)
}

/// Conditions of the rules that make one of two give way.
fn droppers<'w>(program: &Program, (one, other): (RuleId, RuleId), dropping: &[RuleId], ways: &'w [Ways]) -> Vec<&'w Ways> {
    let third = dropping.iter().filter(|id| **id != one && **id != other);
    let these = third.filter(|id| program.rules.get(**id).is_some_and(|rule| drops(rule).any(|target| [one, other].contains(target))));
    these.filter_map(|id| ways.get(*id)).collect()
}

/// How two rules stand in each other's way.
#[derive(Clone, Copy)]
enum Collision<'p> {
    /// Both answer the same.
    Answers,
    /// Both change what this rule says.
    Exceptions(&'p str),
}

fn collide<'p>(program: &'p Program, (one, first): (RuleId, &Rule), (other, second): (RuleId, &Rule)) -> Option<Collision<'p>> {
    let common = first.questions.iter().any(|on| second.questions.contains(on)) || first.hooks.iter().any(|on| second.hooks.contains(on));
    let settled = edges(first).any(|id| id == other) || edges(second).any(|id| id == one);
    let left_open = program.undecided.iter().any(|pair| [(one, other), (other, one)].contains(&(pair.one, pair.other)));
    if !common || settled || left_open || same(&first.answer, &second.answer) {
        return None;
    }
    if let Some(target) = edges(first).find(|id| edges(second).any(|other| other == *id)) {
        return program.rules.get(target).map(|target| Collision::Exceptions(&target.name));
    }
    let answers = |rule: &Rule| rule.amends.is_empty() && !matches!(rule.answer, Answer::Nothing | Answer::Around { .. });
    // Every rule on a signal that applies runs (5.12).
    let signal = |hook: &usize| {
        program
            .hooks
            .get(*hook)
            .and_then(|hook| program.names.get(hook.name))
            .is_some_and(|name| matches!(name.sort, LogSort::Signal | LogSort::Voided))
    };
    let both_run = first.questions.is_empty() && first.hooks.iter().filter(|hook| second.hooks.contains(hook)).all(signal);
    (answers(first) && answers(second) && !both_run).then_some(Collision::Answers)
}

fn edges(rule: &Rule) -> impl Iterator<Item = RuleId> {
    rule.replaces.iter().chain(&rule.suspends).chain(&rule.amends).copied()
}

/// Answers that cannot differ.
fn same(one: &Answer, other: &Answer) -> bool {
    match (one, other) {
        (Answer::Is(one), Answer::Is(other)) => known(one).is_some_and(|one| Some(one) == known(other)),
        (Answer::Stands, Answer::Stands) | (Answer::Refuse, Answer::Refuse) | (Answer::Nothing, Answer::Nothing) => true,
        _ => false,
    }
}

fn told(code: Code, first: &Rule, second: &Rule, how: &str, collision: Collision<'_>) -> Diagnostic {
    let (a, b) = (&first.name, &second.name);
    let (message, help) = match collision {
        Collision::Answers => (
            format!("`{a}` and `{b}` {how}, and neither gives way"),
            format!(
                "write `replaces {a}` or `replaces {b}`, or conditions that exclude each other; `undecided {a} against {b} \"why\";` if the book leaves it open"
            ),
        ),
        Collision::Exceptions(of) => (
            format!("`{a}` and `{b}` {how}, both change `{of}`, and neither gives way"),
            format!("say which of them gives way: `replaces {a}` or `replaces {b}`; `undecided {a} against {b} \"why\";` if the book leaves it open"),
        ),
    };
    Diagnostic::new(code, message, second.from.span).with_label(first.from.span, "the other rule").with_help(help)
}
