//! Interfaces: what cases and foreign programs say, in a rulebook's own names. Part 10.

use std::collections::BTreeMap;

use super::advice::did_you_mean;
use super::catalog::{Catalog, Unit, UnitBody};
use super::constant::Type;
use super::draft::Draft;
use super::headers::UnitKind;
use super::kinds::{Kind, KindSort};
use super::place::Sort;
use super::rulebook::Rulebook;
use super::settings::kind_of;
use super::table::mapping::TableMapping;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{Implements, InterfaceItem, InterfaceValues, Mapping, MemberChoice, Name};

/// The value of an interface's parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    One(String),
    Many(Vec<String>),
    Number(i64),
}

/// Settings in the rulebook's own names, to be put into a [`super::Selection`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapped {
    pub set: Vec<(String, String)>,
    pub choose: Vec<(String, String)>,
}

/// What the rulebook has no name for. Clause 10.4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// `eccentric: corner`
    pub feature: String,
}

impl Rulebook {
    /// Parameters of an interface as settings of this rulebook.
    ///
    /// # Errors
    /// The first value that the rulebook does not have.
    pub fn map_params(&self, interface: &str, params: &BTreeMap<String, Given>) -> Result<Mapped, Unsupported> {
        let mut mapped = Mapped::default();
        for (name, given) in params {
            let found = self.mappings(interface).find(|mapping| param_name(mapping).is_some_and(|param| param.it == *name));
            self.map_param(name, given, found, &mut mapped)?;
        }
        Ok(mapped)
    }

    /// How it speaks of a table.
    pub fn table_mapping(&self, interface: &str) -> Option<&TableMapping> {
        self.table_mappings.iter().find(|mapping| mapping.interface == interface)
    }

    /// What the interface calls a class of this rulebook.
    pub fn interface_class(&self, interface: &str, class: &str) -> Option<&str> {
        self.mappings(interface).find_map(|mapping| {
            let Mapping::Classes(pairs) = mapping else { return None };
            pairs.iter().find(|(outer, inner)| inner.as_ref().unwrap_or(outer).it == class).map(|(outer, _)| outer.it.as_str())
        })
    }

    /// Every class of the interface that the rulebook maps.
    pub fn mapped_classes(&self, interface: &str) -> Vec<String> {
        let pairs = self.mappings(interface).filter_map(|mapping| if let Mapping::Classes(pairs) = mapping { Some(pairs) } else { None });
        pairs.flatten().map(|(outer, _)| outer.it.clone()).collect()
    }

    /// The ranking behind what the interface compares: `hands`.
    pub fn interface_ranking(&self, interface: &str, compared: &str) -> Option<&str> {
        self.mappings(interface).find_map(|mapping| {
            let Mapping::Compare(outer, inner) = mapping else { return None };
            (outer.it == compared).then_some(inner.as_ref().unwrap_or(outer).it.as_str())
        })
    }

    /// Whether the rulebook says anything to an interface.
    pub fn implements(&self, interface: &str) -> bool {
        self.implements.iter().any(|implements| implements.interface.it == interface)
    }

    fn mappings(&self, interface: &str) -> impl Iterator<Item = &Mapping> {
        self.implements
            .iter()
            .filter(move |implements| implements.interface.it == interface)
            .flat_map(|implements| &implements.mappings)
            .map(|mapping| &mapping.it)
    }

    fn map_param(&self, name: &str, given: &Given, mapping: Option<&Mapping>, mapped: &mut Mapped) -> Result<(), Unsupported> {
        let unsupported = |value: &str| Err(Unsupported { feature: format!("{name}: {value}") });
        let words: Vec<String> = match given {
            Given::One(word) => vec![word.clone()],
            Given::Many(words) => words.clone(),
            Given::Number(number) => vec![number.to_string()],
        };
        match mapping {
            Some(Mapping::ParamFixed { value, .. }) => match words.iter().find(|word| **word != value.it) {
                Some(other) => unsupported(other),
                None => Ok(()),
            },
            Some(Mapping::ParamOption { option, values, .. }) => {
                let branches = self.kinds.iter().find(|kind| kind.sort == KindSort::Branches && kind.name == option.it);
                for word in &words {
                    let branch = renamed(word, values.as_deref());
                    if branches.and_then(|kind| kind.find(branch)).is_none() {
                        return unsupported(word);
                    }
                    mapped.choose.push((option.it.clone(), branch.to_owned()));
                }
                Ok(())
            }
            Some(Mapping::ParamParam { param, values, .. }) => {
                let known = self.members_of(&param.it);
                let inner: Vec<&str> = words.iter().map(|word| renamed(word, values.as_deref())).collect();
                if let (Some(kind), false) = (known, matches!(given, Given::Number(_)))
                    && let Some((word, _)) = words.iter().zip(&inner).find(|(_, inner)| kind.find(inner).is_none())
                {
                    return unsupported(word);
                }
                let value = match given {
                    Given::Many(_) => format!("{{ {} }}", inner.join(", ")),
                    Given::One(_) | Given::Number(_) => inner.join(", "),
                };
                mapped.set.push((param.it.clone(), value));
                Ok(())
            }
            Some(Mapping::ParamChoices { choices, .. }) => {
                if let Some(word) = words.iter().find(|word| !choices.iter().any(|choice| choice.member.it == **word)) {
                    return unsupported(word);
                }
                for MemberChoice { member, option, branch, otherwise } in choices {
                    let chosen = if words.contains(&member.it) { branch } else { otherwise };
                    mapped.choose.push((option.it.clone(), chosen.it.clone()));
                }
                Ok(())
            }
            // A book without the parameter has none of its members either.
            None if words.is_empty() => Ok(()),
            None
            | Some(
                Mapping::Classes(_)
                | Mapping::Compare(..)
                | Mapping::Shows { .. }
                | Mapping::Act { .. }
                | Mapping::Event { .. }
                | Mapping::Position { .. },
            ) => unsupported(&words.join(", ")),
        }
    }

    /// The kind of a parameter's values, or of its members.
    fn members_of(&self, parameter: &str) -> Option<&Kind> {
        let (_, kind) = self.parameter_kinds.iter().find(|(name, _)| name == parameter)?;
        kind.and_then(|kind| self.kinds.get(kind))
    }
}

fn renamed<'n>(word: &'n str, values: Option<&'n [(Name, Name)]>) -> &'n str {
    values.unwrap_or(&[]).iter().find(|(outer, _)| outer.it == word).map_or(word, |(_, inner)| inner.it.as_str())
}

fn param_name(mapping: &Mapping) -> Option<&Name> {
    match mapping {
        Mapping::ParamOption { name, .. }
        | Mapping::ParamParam { name, .. }
        | Mapping::ParamChoices { name, .. }
        | Mapping::ParamFixed { name, .. } => Some(name),
        Mapping::Classes(_)
        | Mapping::Compare(..)
        | Mapping::Shows { .. }
        | Mapping::Act { .. }
        | Mapping::Event { .. }
        | Mapping::Position { .. } => None,
    }
}

/// Names stand once in an interface. Clause 10.1.
pub(super) fn check_interface(unit: &Unit, faults: &mut Vec<Diagnostic>) {
    let UnitBody::Interface { items } = &unit.body else { return };
    let mut params: Vec<&Name> = Vec::new();
    let mut classes: Vec<&Name> = Vec::new();
    for item in items {
        match &item.it {
            InterfaceItem::Param { name, values, .. } => {
                once(name, &mut params, faults);
                match values {
                    InterfaceValues::OneOf(words) | InterfaceValues::SetOf(words) => {
                        let mut seen = Vec::new();
                        words.iter().for_each(|word| once(word, &mut seen, faults));
                    }
                    InterfaceValues::Between(least, most) if least.it > most.it => {
                        faults.push(Diagnostic::new(
                            Code::OutOfRange,
                            format!("`{} to {}` holds no number", least.it, most.it),
                            least.span.to(most.span),
                        ));
                    }
                    InterfaceValues::Between(..) => {}
                }
            }
            InterfaceItem::Classes(names) => names.iter().for_each(|name| once(name, &mut classes, faults)),
            InterfaceItem::Compare { .. }
            | InterfaceItem::Shows { .. }
            | InterfaceItem::Act { .. }
            | InterfaceItem::Event { .. }
            | InterfaceItem::Position { .. } => {}
        }
    }
}

fn once<'n>(name: &'n Name, seen: &mut Vec<&'n Name>, faults: &mut Vec<Diagnostic>) {
    if let Some(first) = seen.iter().find(|other| other.it == name.it) {
        let fault = Diagnostic::new(Code::DuplicateName, format!("`{}` stands here twice", name.it), name.span);
        faults.push(fault.with_label(first.span, "here first"));
    }
    seen.push(name);
}

/// Every mapping names something on both sides, and fits. Clauses 10.3 and 10.4.
pub(super) fn check(catalog: &Catalog, draft: &Draft, faults: &mut Vec<Diagnostic>) {
    for implements in &draft.implements {
        // What is wrong in its file is said there, and nothing more: what is missing for that reason is no fault of the rulebook.
        let broken = catalog.file_of(UnitKind::Interface, &implements.interface.it).map_or(&[][..], |file| catalog.faults_of_file(file));
        if broken.iter().any(Diagnostic::is_error) {
            faults.extend_from_slice(broken);
            continue;
        }
        let Some(unit) = catalog.unit(UnitKind::Interface, &implements.interface.it) else {
            faults.push(catalog.unknown(UnitKind::Interface, &implements.interface.it, Some(implements.interface.span)));
            continue;
        };
        let mut checking = Checking { draft, unit, faults };
        checking.mappings(implements);
    }
}

struct Checking<'c> {
    draft: &'c Draft,
    unit: &'c Unit,
    faults: &'c mut Vec<Diagnostic>,
}

impl<'c> Checking<'c> {
    fn items(&self) -> impl Iterator<Item = &'c InterfaceItem> + use<'c> {
        let items: &'c [_] = match &self.unit.body {
            UnitBody::Interface { items } => items,
            UnitBody::Library | UnitBody::Rulebook { .. } | UnitBody::House { .. } | UnitBody::Amendment { .. } => &[],
        };
        items.iter().map(|item| &item.it)
    }

    fn unmapped<'n>(&mut self, name: &Name, wanted: &str, among: impl Iterator<Item = &'n str>) {
        let fault = Diagnostic::new(Code::UnmappedName, format!("`{}` is no {wanted}", name.it), name.span);
        self.faults.push(match did_you_mean(&name.it, among) {
            Some(advice) => fault.with_help(advice),
            None => fault,
        });
    }

    fn mappings(&mut self, implements: &Implements) {
        let mut seen: Vec<&Name> = Vec::new();
        for mapping in &implements.mappings {
            if let Some(name) = param_name(&mapping.it) {
                if let Some(first) = seen.iter().find(|other| other.it == name.it) {
                    let fault = Diagnostic::new(Code::DuplicateName, format!("`{}` is mapped twice", name.it), name.span);
                    self.faults.push(fault.with_label(first.span, "here first"));
                }
                seen.push(name);
                self.param(name, &mapping.it);
                continue;
            }
            match &mapping.it {
                Mapping::Classes(pairs) => pairs.iter().for_each(|(outer, inner)| self.class(outer, inner.as_ref().unwrap_or(outer))),
                Mapping::Compare(outer, inner) => {
                    let compared: Vec<&str> = self
                        .items()
                        .filter_map(|item| if let InterfaceItem::Compare { name, .. } = item { Some(name.it.as_str()) } else { None })
                        .collect();
                    if !compared.contains(&outer.it.as_str()) {
                        self.unmapped(outer, &format!("ranking of the interface `{}`", self.unit.name.it), compared.into_iter());
                    }
                    let inner = inner.as_ref().unwrap_or(outer);
                    let draft = self.draft;
                    if draft.scope.sort(&inner.it) != Some(Sort::Ranking) {
                        self.unmapped(inner, "ranking of this rulebook", draft.scope.of_sorts(&[Sort::Ranking]));
                    }
                }
                // Mappings of what part 5 declares are checked with part 5.
                Mapping::Shows { .. } | Mapping::Act { .. } | Mapping::Event { .. } | Mapping::Position { .. } => {}
                Mapping::ParamOption { .. } | Mapping::ParamParam { .. } | Mapping::ParamChoices { .. } | Mapping::ParamFixed { .. } => {}
            }
        }
    }

    fn class(&mut self, outer: &Name, inner: &Name) {
        let classes: Vec<&str> = self
            .items()
            .filter_map(|item| if let InterfaceItem::Classes(names) = item { Some(names) } else { None })
            .flatten()
            .map(|name| name.it.as_str())
            .collect();
        if !classes.contains(&outer.it.as_str()) {
            self.unmapped(outer, &format!("class of the interface `{}`", self.unit.name.it), classes.into_iter());
        }
        let draft = self.draft;
        let own = || draft.rankings.iter().flat_map(|ranking| &ranking.declared).map(|declared| declared.name.as_str());
        // A class of refusal: whatever refuses.
        let refuses = matches!(draft.scope.sort(&inner.it), Some(Sort::Breach | Sort::Question | Sort::Rule | Sort::Right | Sort::Event))
            || draft.table.as_ref().is_some_and(|table| table.program.names.iter().any(|name| name.name == inner.it));
        if !refuses && !own().any(|name| name == inner.it) {
            self.unmapped(inner, "class of this rulebook", own());
        }
    }

    fn param(&mut self, name: &Name, mapping: &Mapping) {
        let params: Vec<(&Name, &InterfaceValues)> =
            self.items().filter_map(|item| if let InterfaceItem::Param { name, values, .. } = item { Some((name, values)) } else { None }).collect();
        let Some((declared, values)) = params.iter().find(|(param, _)| param.it == name.it) else {
            self.unmapped(name, &format!("parameter of the interface `{}`", self.unit.name.it), params.iter().map(|(param, _)| param.it.as_str()));
            return;
        };
        let (shape, words) = match values {
            InterfaceValues::OneOf(words) => (Shape::One, words.as_slice()),
            InterfaceValues::SetOf(words) => (Shape::Set, words.as_slice()),
            InterfaceValues::Between(..) => (Shape::Number, [].as_slice()),
        };
        let mapped = Outer { name, declared, shape, words: words.iter().map(|word| word.it.as_str()).collect() };
        match mapping {
            Mapping::ParamFixed { value, .. } => {
                if shape != Shape::Number {
                    self.word(&mapped, value);
                }
            }
            Mapping::ParamOption { option, .. } if shape != Shape::One => self.faults.push(mapped.unfit(option, "an option")),
            Mapping::ParamOption { option, values, .. } => {
                if let Some(kind) = self.option(option) {
                    self.pairs(&mapped, values.as_deref().unwrap_or(&[]), kind);
                }
            }
            Mapping::ParamParam { param, values, .. } => self.on_parameter(&mapped, param, values.as_deref().unwrap_or(&[])),
            Mapping::ParamChoices { .. } if shape != Shape::Set => self.faults.push(mapped.unfit(name, "a choice for each member")),
            Mapping::ParamChoices { choices, .. } => choices.iter().for_each(|choice| self.choice(&mapped, choice)),
            Mapping::Classes(_)
            | Mapping::Compare(..)
            | Mapping::Shows { .. }
            | Mapping::Act { .. }
            | Mapping::Event { .. }
            | Mapping::Position { .. } => {}
        }
    }

    /// A value of the interface's parameter.
    fn word(&mut self, mapped: &Outer<'_>, word: &Name) {
        if !mapped.words.contains(&word.it.as_str()) {
            self.unmapped(word, &format!("value of `{}`", mapped.name.it), mapped.words.iter().copied());
        }
    }

    fn on_parameter(&mut self, mapped: &Outer<'_>, param: &Name, values: &[(Name, Name)]) {
        let draft = self.draft;
        let Some(parameter) = draft.parameters.iter().find(|parameter| parameter.name == param.it) else {
            self.unmapped(param, "parameter of this rulebook", draft.scope.of_sorts(&[Sort::Parameter]));
            return;
        };
        let shape = match parameter.found {
            Type::Number => Some(Shape::Number),
            Type::Set(_) => Some(Shape::Set),
            Type::Member(_) => Some(Shape::One),
            Type::Truth | Type::EmptySet => None,
        };
        if shape != Some(mapped.shape) {
            let what = format!("{}, as `{}` is", parameter.found.describe(&draft.kinds.kinds), param.it);
            self.faults.push(mapped.unfit(param, &what));
        } else if let Some(kind) = kind_of(parameter.found).and_then(|kind| draft.kinds.get(kind)) {
            self.pairs(mapped, values, kind);
        }
    }

    fn choice(&mut self, mapped: &Outer<'_>, choice: &MemberChoice) {
        self.word(mapped, &choice.member);
        let Some(kind) = self.option(&choice.option) else { return };
        for branch in [&choice.branch, &choice.otherwise] {
            if kind.find(&branch.it).is_none() {
                self.unmapped(branch, &format!("branch of `{}`", choice.option.it), kind.names());
            }
        }
    }

    /// The branches of an option.
    fn option(&mut self, name: &Name) -> Option<&'c Kind> {
        let draft = self.draft;
        let found = draft.options.iter().find(|option| option.name == name.it).and_then(|option| draft.kinds.get(option.kind));
        if found.is_none() {
            self.unmapped(name, "option of this rulebook", draft.scope.of_sorts(&[Sort::Option]));
        }
        found
    }

    fn pairs(&mut self, mapped: &Outer<'_>, pairs: &[(Name, Name)], kind: &'c Kind) {
        for (outer, inner) in pairs {
            self.word(mapped, outer);
            if kind.find(&inner.it).is_none() {
                let what = if kind.sort == KindSort::Branches { format!("branch of `{}`", kind.name) } else { "value of the parameter".to_owned() };
                self.unmapped(inner, &what, kind.names());
            }
        }
        if !mapped.words.iter().any(|word| kind.find(renamed(word, Some(pairs))).is_some()) {
            let message = format!("none of the values of `{}` is mapped", mapped.name.it);
            let help = format!("map them: `{{ {}: … }}`", mapped.words.first().copied().unwrap_or_default());
            self.faults.push(Diagnostic::new(Code::UnmappedName, message, mapped.name.span).with_help(help));
        }
    }
}

/// What an interface's parameter takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    One,
    Set,
    Number,
}

/// An interface's parameter, where it is mapped and where it is declared.
struct Outer<'o> {
    name: &'o Name,
    declared: &'o Name,
    shape: Shape,
    words: Vec<&'o str>,
}

impl Outer<'_> {
    fn unfit(&self, at: &Name, what: &str) -> Diagnostic {
        let wanted = match self.shape {
            Shape::Number => "a number",
            Shape::Set => "a set",
            Shape::One => "one value of several",
        };
        Diagnostic::new(Code::TypeMismatch, format!("`{}` is {wanted}, and cannot be mapped to {what}", self.name.it), at.span)
            .with_label(self.declared.span, "declared here")
    }
}
