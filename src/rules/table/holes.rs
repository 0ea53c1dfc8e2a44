//! Whether the conditions of some rules leave a case in which none of them applies, as far as literals and plain contradictions say it.
//!
//! A hole that is found may be none: what conditions speak of hangs together in ways that nobody can tell before play. What is found to have no
//! hole has none.

use std::collections::BTreeSet;

use super::logic::{Atom, Known, Reading, Ways, contradicts};
use super::program::{Condition, Definition, EnteredPart, Expr, Literal, Node, Program, Rule, Type};
use super::walk::{below_mut, everything, of_rule};
use super::whereabouts::Whereabouts;
use crate::ranking::ValueId;
use crate::source::Span;

/// Combinations that are tried before nobody can tell.
const MOST_TRIED: usize = 20_000;

/// What conditions leave open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hole {
    /// In every case some rule applies.
    None,
    /// No rule may apply where all this is so; nothing: always.
    When(Vec<Said>),
    /// There are too many combinations to tell.
    Untold,
}

/// A part of a condition, and whether it is so or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    pub span: Span,
    pub so: bool,
}

/// Puts what is known of a stop into a condition: `during P` becomes yes or no where the calls tell it.
pub(super) fn at(expr: &mut Expr, stop: &Whereabouts) {
    if let Node::During(procedures) = &*expr.node
        && let Some(open) = stop.during(procedures)
    {
        *expr.node = Node::Literal(Literal::Truth(open));
    }
    below_mut(&mut expr.node, &mut |part| at(part, stop));
}

/// A rule as it reads at a stop.
pub(super) fn rule_at(rule: &Rule, stop: &Whereabouts) -> Rule {
    let mut rule = rule.clone();
    for condition in &mut rule.conditions {
        let (Condition::Let(_, value) | Condition::When(value)) = condition;
        at(value, stop);
    }
    rule
}

/// Definitions as they read at a stop.
pub(super) fn definitions_at(program: &Program, stop: &Whereabouts) -> Vec<Definition> {
    let mut definitions = program.definitions.clone();
    definitions.iter_mut().for_each(|definition| at(&mut definition.value, stop));
    definitions
}

/// Looks for a case in which none of these rules applies, while the guard holds. `parameters` are the types of the first slots.
pub(super) fn hole(program: &Program, reading: &Reading<'_>, rules: &[Rule], guard: Option<&Expr>, parameters: &[Type]) -> Hole {
    let mut base: BTreeSet<Atom> = BTreeSet::new();
    let mut note = |expr: &Expr| {
        everything(expr, &mut |part| {
            if let Some(all) = values(program, part, parameters) {
                base.insert(Atom::among(reading.text(part), all));
            }
        });
    };
    rules.iter().for_each(|rule| of_rule(rule, &mut note));
    guard.into_iter().for_each(&mut note);
    let misses: Vec<Ways> = rules.iter().map(|rule| Ways::missing(rule, reading)).collect();
    if misses.iter().any(|ways| ways.0.is_empty()) {
        return Hole::None;
    }
    let guards = guard.map_or_else(|| Ways(vec![BTreeSet::new()]), |guard| Ways::of_condition(guard, reading));
    let mut search = Search { reading, misses: &misses, left: MOST_TRIED };
    for guard in &guards.0 {
        let start: BTreeSet<Atom> = base.union(guard).cloned().collect();
        if contradicts(&start, reading.orders) {
            continue;
        }
        match search.from(0, &start, &mut Vec::new()) {
            Some(found) => return Hole::When(said(&found)),
            None if search.left == 0 => return Hole::Untold,
            None => {}
        }
    }
    Hole::None
}

struct Search<'s> {
    reading: &'s Reading<'s>,
    misses: &'s [Ways],
    left: usize,
}

impl Search<'_> {
    /// A way in which every rule from this one on fails, together with what is so already.
    fn from(&mut self, rule: usize, so_far: &BTreeSet<Atom>, chosen: &mut Vec<Atom>) -> Option<Vec<Atom>> {
        let Some(ways) = self.misses.get(rule) else { return Some(chosen.clone()) };
        // What fails already needs nothing more: the shortest case is the best one to tell.
        let mut ways: Vec<&BTreeSet<Atom>> = ways.0.iter().collect();
        ways.sort_by_key(|way| way.iter().filter(|atom| !so_far.contains(atom)).count());
        for way in ways {
            self.left = self.left.checked_sub(1)?;
            let both: BTreeSet<Atom> = so_far.union(way).cloned().collect();
            if contradicts(&both, self.reading.orders) {
                continue;
            }
            let before = chosen.len();
            chosen.extend(way.iter().filter(|atom| !so_far.contains(atom)).cloned());
            if let Some(found) = self.from(rule + 1, &both, chosen) {
                return Some(found);
            }
            chosen.truncate(before);
        }
        None
    }
}

fn said(atoms: &[Atom]) -> Vec<Said> {
    let mut all = Vec::new();
    for atom in atoms {
        let said = Said { span: atom.written.span, so: atom.written.so };
        if !all.contains(&said) {
            all.push(said);
        }
    }
    all
}

/// Every value that something can have, where its type has few and names them.
fn values(program: &Program, expr: &Expr, parameters: &[Type]) -> Option<Vec<Known>> {
    known(program, &kind(program, expr, parameters)?)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is has no type that can be told from it alone, or one with many values")]
fn kind(program: &Program, expr: &Expr, parameters: &[Type]) -> Option<Type> {
    match &*expr.node {
        Node::Local(slot) => parameters.get(usize::from(*slot)).cloned(),
        Node::Fact(id, _) => program.facts.get(*id).map(|fact| fact.kind.clone()),
        Node::Role(id) => program.roles.get(*id).map(|role| role.kind.clone()),
        Node::Call(id, _) => program.definitions.get(*id).map(|definition| definition.answer.clone()),
        Node::Ask(id, _) => program.questions.get(*id).map(|question| question.answer.clone()),
        Node::EnteredPart(of, EnteredPart::Head) => match kind(program, of, parameters)? {
            Type::Entered(tally) => program.tallies.get(tally)?.headings.map(Type::Member),
            _ => None,
        },
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "every other type has more values than can be named")]
fn known(program: &Program, kind: &Type) -> Option<Vec<Known>> {
    match kind {
        Type::Member(kind) => {
            let count = program.kinds.get(*kind)?.members.len();
            Some((0..=ValueId::MAX).take(count).map(Known::Member).collect())
        }
        Type::Truth => Some(vec![Known::Truth(false), Known::Truth(true)]),
        Type::Maybe(of) => known(program, of).map(|all| all.into_iter().chain([Known::None]).collect()),
        _ => None,
    }
}
