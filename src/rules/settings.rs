//! Settings in force: defaults, what each layer sets or chooses, and where two of them disagree. Clauses 8.1, 8.5 and 8.6.

use super::cite::Provenance;
use super::constant::{Constant, Node, OptionId, ParameterId, Settings, Type, Value, fold, written};
use super::draft::{Draft, Options};
use super::given::is_nowhere;
use super::kinds::{Kind, KindId};
use super::mutants::StandIn;
use super::selection::LayerKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::ValueId;
use crate::syntax::tree::Name;

/// A parameter or an option, its value, and who gave it that value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    pub is_option: bool,
    /// In the words of the language.
    pub value: String,
    /// What the branch says of itself.
    pub title: String,
    /// Whether the rulebook's own default holds.
    pub is_default: bool,
    /// The branch or the parameter as the rulebook declares it.
    pub declared: Provenance,
    /// The `set` or `choose` line, if one holds. What was asked for beside the files has no line.
    pub set_by: Option<Provenance>,
}

/// Settings that override every layer: a situation that the checker tries.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Overrides {
    pub parameters: Vec<(ParameterId, Value)>,
    pub options: Vec<(OptionId, ValueId)>,
}

/// The settings, or nothing if a value cannot be worked out.
pub(super) fn settle(draft: &Draft, overrides: &Overrides, faults: &mut Vec<Diagnostic>) -> Option<(Settings, Vec<Setting>)> {
    let mut working = Working { draft, values: vec![None; draft.parameters.len()], winners: Vec::new(), options: Vec::new(), open: Vec::new() };
    let mut chosen_by = Vec::new();
    for (id, option) in draft.options.iter().enumerate() {
        let lines: Vec<Bid<'_>> =
            draft.chooses.iter().filter(|line| line.option == id).map(|line| Bid { layer: line.layer, replaces: &line.replaces }).collect();
        let standing = standing(draft, &lines, &option.name, faults);
        let line_of = |bid: &usize| draft.chooses.iter().filter(|line| line.option == id).nth(*bid);
        let winner = standing.last().and_then(line_of);
        if let (Some(first), Some(last)) = (standing.iter().filter_map(line_of).find(|line| Some(line.branch) != winner.map(|w| w.branch)), winner) {
            let kind = draft.kinds.get(option.kind);
            let name = |branch: ValueId| kind.map_or("", |kind| kind.name_of(branch)).to_owned();
            let line = format!("choose {} = {} replaces {};", option.name, name(last.branch), layer_name(draft, first.layer));
            faults.push(overlap(&option.name, &first.from, &last.from, &name(first.branch), &name(last.branch), &line));
        }
        let forced = overrides.options.iter().find(|(option, _)| *option == id).map(|(_, branch)| *branch);
        let branch = forced.or(winner.map(|line| line.branch)).unwrap_or(option.default);
        working.options.push(played_as(draft, option, branch));
        chosen_by.push(winner.filter(|_| forced.is_none()).map(|line| line.from.clone()));
    }
    let mut set_by = Vec::new();
    let mut rivals: Vec<(ParameterId, Vec<usize>)> = Vec::new();
    for (id, parameter) in draft.parameters.iter().enumerate() {
        let lines: Vec<usize> = (0..draft.sets.len()).filter(|line| draft.sets.get(*line).is_some_and(|line| line.parameter == id)).collect();
        let bids: Vec<Bid<'_>> =
            lines.iter().filter_map(|line| draft.sets.get(*line)).map(|line| Bid { layer: line.layer, replaces: &line.replaces }).collect();
        let standing: Vec<usize> = standing(draft, &bids, &parameter.name, faults).iter().filter_map(|bid| lines.get(*bid).copied()).collect();
        let winner = standing.last().and_then(|line| draft.sets.get(*line));
        let forced = overrides.parameters.iter().find(|(parameter, _)| *parameter == id).map(|(_, value)| value.clone());
        set_by.push(winner.filter(|_| forced.is_none()).map(|line| line.from.clone()));
        let ignored = draft.stand_ins.contains(&StandIn::Parameter(parameter.name.clone()));
        working.winners.push(match forced.filter(|_| !ignored) {
            Some(value) => Constant::new(Node::Literal(value, parameter.found), parameter.default.span),
            None => winner.filter(|_| !ignored).map_or(&parameter.default, |line| &line.value).clone(),
        });
        if standing.len() > 1 {
            rivals.push((id, standing));
        }
    }
    for id in 0..draft.parameters.len() {
        working.value(id, faults)?;
    }
    let settings = Settings { parameters: working.values.into_iter().collect::<Option<_>>()?, options: working.options };
    disagreements(draft, &settings, &rivals, faults);
    ranges(draft, &settings, &set_by, faults);
    let described = describe(draft, &settings, set_by, chosen_by);
    Some((settings, described))
}

/// The branch, or the one that a mutant plays in its place.
fn played_as(draft: &Draft, option: &Options, branch: ValueId) -> ValueId {
    let Some(kind) = draft.kinds.get(option.kind) else { return branch };
    let other = draft.stand_ins.iter().find_map(|stand_in| match stand_in {
        StandIn::Branch { option: name, branch: from, plays_as } if *name == option.name && kind.name_of(branch) == from => kind.find(plays_as),
        StandIn::Branch { .. } | StandIn::Parameter(_) => None,
    });
    other.unwrap_or(branch)
}

/// A line that sets or chooses.
struct Bid<'d> {
    layer: usize,
    replaces: &'d [Name],
}

/// Positions of the lines that nobody above replaces.
fn standing(draft: &Draft, bids: &[Bid<'_>], name: &str, faults: &mut Vec<Diagnostic>) -> Vec<usize> {
    let mut standing: Vec<usize> = Vec::new();
    let layer_of = |bid: &usize| bids.get(*bid).map_or(0, |bid| bid.layer);
    for (index, bid) in bids.iter().enumerate() {
        if is_asked(draft, bid.layer) {
            standing.retain(|other| layer_of(other) == bid.layer);
        }
        for replaced in bid.replaces {
            let before = standing.len();
            standing.retain(|other| layer_name(draft, layer_of(other)) != replaced.it);
            if standing.len() == before {
                faults.push(not_set_there(draft, replaced, name));
            }
        }
        standing.push(index);
    }
    standing
}

fn is_asked(draft: &Draft, layer: usize) -> bool {
    draft.layers.get(layer).is_none_or(|(_, kind)| *kind == LayerKind::Asked)
}

fn layer_name(draft: &Draft, layer: usize) -> &str {
    draft.layers.get(layer).map_or("", |(name, _)| name.as_str())
}

fn not_set_there(draft: &Draft, replaced: &Name, name: &str) -> Diagnostic {
    let message = format!("`{}` says nothing of `{name}` that could be replaced", replaced.it);
    let fault = Diagnostic::new(Code::DanglingReplace, message, replaced.span);
    if draft.layers.iter().any(|(layer, _)| *layer == replaced.it) {
        return fault.with_help("take out `replaces`");
    }
    let layers = draft.layers.iter().filter(|(_, kind)| *kind != LayerKind::Library).map(|(layer, _)| layer.as_str());
    fault.with_help(format!("the layers are {}", super::advice::all_of(layers)))
}

fn overlap(name: &str, first: &Provenance, last: &Provenance, one: &str, other: &str, line: &str) -> Diagnostic {
    let message = format!("two layers disagree on `{name}`: `{one}` in `{}`, `{other}` in `{}`", first.layer, last.layer);
    let message = if is_nowhere(first.span) { format!("`{name}` is asked to be `{one}` and to be `{other}`") } else { message };
    let fault =
        if is_nowhere(last.span) { Diagnostic::without_place(Code::Overlap, message) } else { Diagnostic::new(Code::Overlap, message, last.span) };
    if is_nowhere(first.span) {
        return fault.with_help("ask for one of them only");
    }
    let fault = fault.with_label(first.span, format!("`{}` has `{one}`", first.layer));
    if first.layer == last.layer {
        fault.with_help("take out one of them")
    } else {
        fault.with_help(format!("if the upper one is meant, write `{line}`"))
    }
}

/// Values of parameters while they are worked out.
struct Working<'d> {
    draft: &'d Draft,
    values: Vec<Option<Value>>,
    winners: Vec<Constant>,
    options: Vec<ValueId>,
    open: Vec<ParameterId>,
}

impl Working<'_> {
    /// Works a parameter out, after those that it is computed from.
    fn value(&mut self, id: ParameterId, faults: &mut Vec<Diagnostic>) -> Option<()> {
        if self.values.get(id).is_some_and(Option::is_some) {
            return Some(());
        }
        let constant = self.winners.get(id)?.clone();
        if self.open.contains(&id) {
            let name = self.draft.parameters.get(id).map_or("", |parameter| parameter.name.as_str());
            faults.push(Diagnostic::new(Code::UseCycle, format!("the parameter `{name}` is computed from itself"), constant.span));
            return None;
        }
        self.open.push(id);
        let mut needed = Vec::new();
        constant.walk(&mut |part| {
            if let Node::Parameter(other) = &*part.node {
                needed.push(*other);
            }
        });
        for other in needed {
            self.value(other, faults)?;
        }
        self.open.pop();
        // INVARIANT: everything the constant looks at has its value by now.
        let parameters = self.values.iter().map(|value| value.clone().unwrap_or(Value::Truth(false))).collect();
        match fold(&constant, &Settings { parameters, options: self.options.clone() }, None) {
            Ok(value) => {
                *self.values.get_mut(id)? = Some(value);
                Some(())
            }
            Err(fault) => {
                faults.push(*fault);
                None
            }
        }
    }
}

fn disagreements(draft: &Draft, settings: &Settings, rivals: &[(ParameterId, Vec<usize>)], faults: &mut Vec<Diagnostic>) {
    for (id, standing) in rivals {
        let Some(parameter) = draft.parameters.get(*id) else { continue };
        let Some(last) = standing.last().and_then(|line| draft.sets.get(*line)) else { continue };
        let Ok(value) = fold(&last.value, settings, None) else { continue };
        for line in standing.iter().filter_map(|line| draft.sets.get(*line)) {
            let Ok(other) = fold(&line.value, settings, None) else { continue };
            if other != value {
                let kind = kind_of(parameter.found).and_then(|kind| draft.kinds.get(kind));
                let (one, two) = (written(&other, kind), written(&value, kind));
                let advice = format!("set {} = {two} replaces {};", parameter.name, layer_name(draft, line.layer));
                faults.push(overlap(&parameter.name, &line.from, &last.from, &one, &two, &advice));
                break;
            }
        }
    }
}

/// Every number lies in the range of its parameter, and in that of the interface's parameter to which it is mapped.
fn ranges(draft: &Draft, settings: &Settings, set_by: &[Option<Provenance>], faults: &mut Vec<Diagnostic>) {
    let own = draft.parameters.iter().enumerate().filter_map(|(id, parameter)| {
        let (least, most) = parameter.range.as_ref()?;
        let Ok(Value::Number(most)) = fold(most, settings, None) else { return None };
        Some((id, *least, most, parameter.from.span))
    });
    let outside = draft.outside.iter().map(|range| (range.parameter, range.least, range.most, range.declared));
    for (id, least, most, declared) in own.chain(outside) {
        let (Some(parameter), Some(Value::Number(value))) = (draft.parameters.get(id), settings.parameters.get(id)) else { continue };
        if (least..=most).contains(value) {
            continue;
        }
        let message = format!("`{}` is {value}, and may be {least} to {most}", parameter.name);
        let fault = match set_by.get(id).and_then(Option::as_ref) {
            Some(from) if is_nowhere(from.span) => Diagnostic::without_place(Code::OutOfRange, message),
            Some(from) => Diagnostic::new(Code::OutOfRange, message, from.span),
            None => Diagnostic::new(Code::OutOfRange, message, parameter.default.span),
        };
        faults.push(fault.with_label(declared, "declared here"));
    }
}

pub(super) fn kind_of(found: Type) -> Option<KindId> {
    match found {
        Type::Member(kind) | Type::Set(kind) => Some(kind),
        Type::Number | Type::Truth | Type::EmptySet => None,
    }
}

fn describe(draft: &Draft, settings: &Settings, set_by: Vec<Option<Provenance>>, chosen_by: Vec<Option<Provenance>>) -> Vec<Setting> {
    let mut all = Vec::new();
    for ((option, branch), from) in draft.options.iter().zip(&settings.options).zip(chosen_by) {
        let kind: Option<&Kind> = draft.kinds.get(option.kind);
        let Some(declared) = option.branches.get(usize::from(*branch)) else { continue };
        all.push(Setting {
            name: option.name.clone(),
            is_option: true,
            value: kind.map_or("", |kind| kind.name_of(*branch)).to_owned(),
            title: declared.title.clone(),
            is_default: *branch == option.default,
            declared: declared.from.clone(),
            set_by: from,
        });
    }
    for ((parameter, value), from) in draft.parameters.iter().zip(&settings.parameters).zip(set_by) {
        let kind = kind_of(parameter.found).and_then(|kind| draft.kinds.get(kind));
        all.push(Setting {
            name: parameter.name.clone(),
            is_option: false,
            value: written(value, kind),
            title: String::new(),
            is_default: from.is_none(),
            declared: parameter.from.clone(),
            set_by: from,
        });
    }
    all
}
