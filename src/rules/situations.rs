//! The settings that the checker tries: clause 8.8.

use std::collections::{BTreeMap, BTreeSet};

use super::constant::{Constant, Node, OptionId, ParameterId, Settings, Type, Value, written};
use super::draft::Draft;
use super::lines::DeclaredId;
use super::settings::{Overrides, kind_of};
use super::table::uses::{of_program, of_rules};
use crate::ranking::ValueId;
use crate::syntax::tree::BinaryWord;

/// Something that a house can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variable {
    Option(OptionId),
    Parameter(ParameterId),
}

/// What a setting can be set to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    Branch(OptionId, ValueId),
    Set(ParameterId, Value),
}

/// More situations than this are not tried. Clause 11.3.
const MOST_SITUATIONS: usize = 1_000;

/// Every situation but the default, each once. `base` is what holds without overrides.
pub(super) fn situations(draft: &Draft, base: &Settings) -> Vec<Overrides> {
    let clusters = clusters(draft);
    let numbers = compared_numbers(draft);
    let mentioned: BTreeSet<Variable> = clusters.iter().flatten().copied().collect();
    let mut all: Vec<Vec<Choice>> = Vec::new();
    let options = (0..draft.options.len()).map(Variable::Option);
    let parameters = mentioned.iter().copied().filter(|variable| matches!(variable, Variable::Parameter(_)));
    for variable in options.chain(parameters) {
        all.extend(choices(draft, variable, &numbers).into_iter().map(|choice| vec![choice]));
    }
    all.extend(conditions(draft).map(|when| when.iter().flat_map(wanted).collect()));
    for cluster in &clusters {
        for (index, one) in cluster.iter().enumerate() {
            for other in cluster.iter().skip(index + 1) {
                for a in choices(draft, *one, &numbers) {
                    all.extend(choices(draft, *other, &numbers).into_iter().map(|b| vec![a.clone(), b]));
                }
            }
        }
        if all.len() > MOST_SITUATIONS {
            break;
        }
    }
    let mut seen = BTreeSet::from([Overrides::default()]);
    all.into_iter().map(|choices| normal(choices, base)).filter(|overrides| seen.insert(overrides.clone())).take(MOST_SITUATIONS).collect()
}

/// The situation without what holds anyway.
fn normal(choices: Vec<Choice>, base: &Settings) -> Overrides {
    let mut overrides = Overrides::default();
    for choice in choices {
        match choice {
            Choice::Branch(option, branch) => {
                if base.options.get(option) != Some(&branch) && !overrides.options.iter().any(|(other, _)| *other == option) {
                    overrides.options.push((option, branch));
                }
            }
            Choice::Set(parameter, value) => {
                if base.parameters.get(parameter) != Some(&value) && !overrides.parameters.iter().any(|(other, _)| *other == parameter) {
                    overrides.parameters.push((parameter, value));
                }
            }
        }
    }
    overrides.options.sort_unstable();
    overrides.parameters.sort_unstable();
    overrides
}

/// Everything that lines of rankings and of the pack stand under, and rules.
fn conditions(draft: &Draft) -> impl Iterator<Item = &[Constant]> {
    let pack = draft.pack.iter().map(|line| line.when.as_slice());
    let rules = draft.table.iter().flat_map(|table| &table.under).map(Vec::as_slice);
    draft.rankings.iter().flat_map(|ranking| ranking.conditions()).chain(pack).chain(rules).filter(|when| !when.is_empty())
}

/// Settings that one condition mentions, or that the lines for one class mention.
fn clusters(draft: &Draft) -> BTreeSet<BTreeSet<Variable>> {
    let mut clusters: BTreeSet<BTreeSet<Variable>> = conditions(draft).map(variables).collect();
    for ranking in &draft.rankings {
        let mut of_class: BTreeMap<DeclaredId, BTreeSet<Variable>> = BTreeMap::new();
        let mut note = |class: DeclaredId, when: &[Constant]| of_class.entry(class).or_default().extend(variables(when));
        for line in &ranking.classes {
            note(line.it.0, &line.when);
        }
        for line in &ranking.dropped_classes {
            note(line.it, &line.when);
        }
        for line in ranking.edges.iter().chain(&ranking.dropped_edges) {
            note(line.it.0, &line.when);
            note(line.it.1, &line.when);
        }
        for line in &ranking.ties {
            match line.it.class {
                Some(class) => note(class, &line.when),
                // The general line serves whatever class has none of its own.
                None => {
                    let has_own = |class: &DeclaredId| ranking.ties.iter().any(|other| other.it.class == Some(*class) && !other.replaces);
                    (0..ranking.declared.len()).filter(|class| !has_own(class)).for_each(|class| note(class, &line.when));
                }
            }
        }
        clusters.extend(of_class.into_values());
    }
    if let Some(table) = &draft.table {
        for (uses, under) in of_rules(table).into_iter().zip(&table.under) {
            let of_rule = uses.options.into_iter().map(Variable::Option).chain(uses.parameters.into_iter().map(Variable::Parameter));
            clusters.insert(of_rule.chain(variables(under)).collect());
        }
    }
    // What is in the pack, and what is wild in it, concerns every class.
    let pack = draft.pack.iter().map(|line| line.when.as_slice());
    let wild = draft.rankings.iter().flat_map(|ranking| ranking.readings.iter().map(|line| line.when.as_slice()));
    let everywhere: BTreeSet<Variable> = pack.chain(wild).flat_map(variables).collect();
    let mut clusters: BTreeSet<BTreeSet<Variable>> = clusters.into_iter().map(|cluster| cluster.union(&everywhere).copied().collect()).collect();
    clusters.retain(|cluster| !cluster.is_empty());
    clusters
}

fn variables(when: &[Constant]) -> BTreeSet<Variable> {
    let mut found = BTreeSet::new();
    for condition in when {
        condition.walk(&mut |part| match &*part.node {
            Node::Option(id) => {
                found.insert(Variable::Option(*id));
            }
            Node::Parameter(id) => {
                found.insert(Variable::Parameter(*id));
            }
            Node::Literal(..)
            | Node::Local
            | Node::Set(_)
            | Node::Not(_)
            | Node::Minus(_)
            | Node::Binary(..)
            | Node::Chain(..)
            | Node::If(..)
            | Node::Empty(_)
            | Node::Odd(_)
            | Node::Count(_)
            | Node::Table(..) => {}
        });
    }
    found
}

/// Numbers that stand in conditions: a parameter matters just below, at and just above them.
fn compared_numbers(draft: &Draft) -> BTreeSet<i64> {
    let mut numbers = BTreeSet::new();
    for condition in conditions(draft).flatten() {
        condition.walk(&mut |part| {
            if let Node::Literal(Value::Number(number), _) = &*part.node {
                numbers.extend([number.checked_sub(1), Some(*number), number.checked_add(1)].into_iter().flatten());
            }
        });
    }
    for uses in draft.table.iter().flat_map(of_rules) {
        numbers.extend(uses.numbers.into_iter().flat_map(|number| [number.checked_sub(1), Some(number), number.checked_add(1)]).flatten());
    }
    numbers
}

fn choices(draft: &Draft, variable: Variable, numbers: &BTreeSet<i64>) -> Vec<Choice> {
    let all = |kind: usize| (0..draft.kinds.get(kind).map_or(0, |kind| kind.members.len())).filter_map(|value| ValueId::try_from(value).ok());
    match variable {
        Variable::Option(id) => {
            let kind = draft.options.get(id).map(|option| option.kind);
            kind.into_iter().flat_map(all).map(|branch| Choice::Branch(id, branch)).collect()
        }
        Variable::Parameter(id) => {
            let values: Vec<Value> = match draft.parameters.get(id).map(|parameter| parameter.found) {
                Some(Type::Truth) => vec![Value::Truth(true), Value::Truth(false)],
                Some(Type::Member(kind)) => all(kind).map(Value::Member).collect(),
                // No member, each alone, and all together.
                Some(Type::Set(kind)) => std::iter::once(BTreeSet::new())
                    .chain(all(kind).map(|member| BTreeSet::from([member])))
                    .chain(std::iter::once(all(kind).collect()))
                    .map(Value::Set)
                    .collect(),
                Some(Type::Number) => numbers.iter().map(|number| Value::Number(*number)).collect(),
                Some(Type::EmptySet) | None => Vec::new(),
            };
            values.into_iter().map(|value| Choice::Set(id, value)).collect()
        }
    }
}

/// What must be chosen for a condition to hold, as far as it says so plainly: `o = b and m in p`.
fn wanted(condition: &Constant) -> Vec<Choice> {
    let Node::Binary(word, left, right) = &*condition.node else { return Vec::new() };
    match (word, &*left.node, &*right.node) {
        (BinaryWord::And, _, _) => [wanted(left), wanted(right)].concat(),
        (BinaryWord::Equal, Node::Option(id), Node::Literal(Value::Member(branch), _)) => vec![Choice::Branch(*id, *branch)],
        (BinaryWord::Equal, Node::Parameter(id), Node::Literal(value, _)) => vec![Choice::Set(*id, value.clone())],
        (BinaryWord::In, Node::Literal(Value::Member(member), _), Node::Parameter(id)) => {
            vec![Choice::Set(*id, Value::Set(BTreeSet::from([*member])))]
        }
        _ => Vec::new(),
    }
}

/// The settings that a condition names, as far as it says so plainly.
pub(super) fn overrides_for(condition: &Constant) -> Overrides {
    normal(wanted(condition), &Settings::default())
}

/// `under "o = b", with "m" in "p"`
pub(super) fn describe(draft: &Draft, overrides: &Overrides) -> String {
    let mut parts = Vec::new();
    for (id, branch) in &overrides.options {
        if let Some(option) = draft.options.get(*id) {
            parts.push(format!("`{} = {}`", option.name, draft.kinds.get(option.kind).map_or("", |kind| kind.name_of(*branch))));
        }
    }
    for (id, value) in &overrides.parameters {
        if let Some(parameter) = draft.parameters.get(*id) {
            parts.push(format!("`{} = {}`", parameter.name, written(value, kind_of(parameter.found).and_then(|kind| draft.kinds.get(kind)))));
        }
    }
    parts.join(" and ")
}

/// Whether a branch is chosen that leaves something to the house. Clause 8.9.
pub(super) fn leaves_open(draft: &Draft, settings: &Settings) -> bool {
    draft.options.iter().zip(&settings.options).any(|(option, branch)| option.branches.get(usize::from(*branch)).is_some_and(|branch| branch.open))
}

/// Every setting that something depends on: variables, and the branches that conditions name.
pub(super) fn used(draft: &Draft) -> (BTreeSet<Variable>, BTreeSet<(usize, ValueId)>) {
    let mut variables = BTreeSet::new();
    let mut branches = BTreeSet::new();
    let defaults =
        draft.parameters.iter().flat_map(|parameter| std::iter::once(&parameter.default).chain(parameter.range.iter().map(|(_, most)| most)));
    for constant in conditions(draft).flatten().chain(defaults) {
        constant.walk(&mut |part| match &*part.node {
            Node::Option(id) => drop(variables.insert(Variable::Option(*id))),
            Node::Parameter(id) => drop(variables.insert(Variable::Parameter(*id))),
            Node::Literal(Value::Member(member), Type::Member(kind)) => drop(branches.insert((*kind, *member))),
            Node::Literal(..)
            | Node::Local
            | Node::Set(_)
            | Node::Not(_)
            | Node::Minus(_)
            | Node::Binary(..)
            | Node::Chain(..)
            | Node::If(..)
            | Node::Empty(_)
            | Node::Odd(_)
            | Node::Count(_)
            | Node::Table(..) => {}
        });
    }
    if let Some(table) = &draft.table {
        let uses = of_program(&table.program);
        variables.extend(uses.options.into_iter().map(Variable::Option).chain(uses.parameters.into_iter().map(Variable::Parameter)));
        let kind = |option: OptionId| draft.options.get(option).map(|option| option.kind);
        branches.extend(uses.branches.into_iter().filter_map(|(option, branch)| Some((kind(option)?, branch))));
    }
    (variables, branches)
}
