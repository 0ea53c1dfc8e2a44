//! What a selection says, whatever its settings: names resolved, types checked, conditions kept as constants.
//!
//! A draft is made once for a stack of layers; [`super::settle`] folds it under one choice of settings into a [`super::Rulebook`].

use std::collections::BTreeMap;

use super::cite::{Citing, Provenance};
use super::constant::{Constant, Node, OptionId, ParameterId, Type, Value};
use super::kinds::{KindId, KindSort, Kinds};
use super::lines::RankingDraft;
use super::mutants::StandIn;
use super::pieces::{PackLine, PieceKind, pack_lines, piece_kinds};
use super::place::Sort;
use super::resolve::Names;
use super::scope::Scope;
use super::selection::{LayerKind, Stack};
use super::table::assembly::{TableDraft, table};
use super::{class_kinds, given, lines};
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::ValueId;
use crate::source::Span;
use crate::syntax::tree::{Choice, Claim, Declaration, Expr, Implements, InterfaceItem, InterfaceValues, Mapping, Name, TypeKind};

#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub name: String,
    pub title: String,
    pub chain: Vec<String>,
    pub layers: Vec<(String, LayerKind)>,
    pub scope: Scope,
    pub kinds: Kinds,
    pub pieces: Vec<PieceKind>,
    pub pack: Vec<PackLine>,
    pub parameters: Vec<Parameter>,
    pub options: Vec<Options>,
    pub sets: Vec<SetLine>,
    pub chooses: Vec<ChooseLine>,
    pub rankings: Vec<RankingDraft>,
    /// What it says of a table; `None`: nothing.
    pub table: Option<TableDraft>,
    pub claims: Vec<(Claim, Provenance)>,
    pub implements: Vec<Implements>,
    pub outside: Vec<OutsideRange>,
    /// Settings that a mutant overrides.
    pub stand_ins: Vec<StandIn>,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub name: String,
    pub found: Type,
    pub default: Constant,
    /// `1 to limit`
    pub range: Option<(i64, Constant)>,
    pub from: Provenance,
}

/// An option with its branches.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub name: String,
    pub kind: KindId,
    pub default: ValueId,
    pub branches: Vec<BranchDraft>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct BranchDraft {
    pub title: String,
    /// It leaves something to the house that chooses it. Clause 8.9.
    pub open: bool,
    pub from: Provenance,
}

/// A parameter that an interface gives a range.
#[derive(Clone, Debug)]
pub(super) struct OutsideRange {
    pub parameter: ParameterId,
    pub least: i64,
    pub most: i64,
    /// In the interface.
    pub declared: Span,
}

/// `set P = V replaces L;`
#[derive(Clone, Debug)]
pub(super) struct SetLine {
    pub parameter: ParameterId,
    pub value: Constant,
    pub layer: usize,
    pub replaces: Vec<Name>,
    pub from: Provenance,
}

/// `choose O = B replaces L;`
#[derive(Clone, Debug)]
pub(super) struct ChooseLine {
    pub option: OptionId,
    pub branch: ValueId,
    pub layer: usize,
    pub replaces: Vec<Name>,
    pub from: Provenance,
}

impl Draft {
    /// Lays settings on it, above all that it holds already.
    pub fn lay(&mut self, set: &[(String, String)], choose: &[(String, String)], faults: &mut Vec<Diagnostic>) {
        let numbered = self.parameters.iter().enumerate();
        let parameters: ParameterNames = numbered.map(|(id, parameter)| (parameter.name.clone(), (id, Some(parameter.found)))).collect();
        let options: OptionNames = self.options.iter().enumerate().map(|(id, option)| (option.name.clone(), (id, option.kind))).collect();
        let names = Names { scope: &self.scope, kinds: &self.kinds, parameters: &parameters, options: &options, local: None };
        let asked = given::Asked { set, choose, layer: self.layers.len() };
        given::asked(asked, &names, &mut self.sets, &mut self.chooses, faults);
    }
}

/// Reads all layers. Faults are those that stand whatever the settings are; if any is an error, the draft must not be folded.
pub(super) fn draft(stack: &Stack<'_>, citing: &Citing<'_>, faults: &mut Vec<Diagnostic>) -> Draft {
    let first = faults.len();
    let layers = &stack.layers;
    let scope = Scope::of(layers, faults);
    let mut kinds = Kinds::of(layers, &scope, faults);
    class_kinds::add(layers, &mut kinds);
    let (options, option_names) = options(stack, citing, &mut kinds, faults);
    let (parameters, parameter_names) = Parameters::read(stack, citing, &scope, &mut kinds, &option_names, faults);
    let names = Names { scope: &scope, kinds: &kinds, parameters: &parameter_names, options: &option_names, local: None };
    let mut pieces = piece_kinds(layers, &kinds, &names, faults);
    let pack = pack_lines(layers, &kinds, &names, citing, &mut pieces, faults);
    let (mut sets, mut chooses) = settings(stack, citing, &names, faults);
    let asked = given::Asked { set: &stack.set, choose: &stack.choose, layer: layers.len() };
    given::asked(asked, &names, &mut sets, &mut chooses, faults);
    let rankings = lines::rankings(stack, citing, &names, &pieces, faults);
    let mut table = table(layers, names, &pieces, *citing, &stack.interfaces, faults);
    let claims = claims(stack, citing);
    let implements = layers.iter().flat_map(|layer| &layer.declarations).filter_map(|declaration| {
        let Declaration::Implements(implements) = &declaration.it else { return None };
        Some(implements.clone())
    });
    let implements: Vec<Implements> = implements.collect();
    let outside = outside(stack, &implements, &parameter_names);
    wrong_bases(stack, faults.get_mut(first..).unwrap_or(&mut []));
    // Scripts may name enumerations in place, which then are kinds like others.
    if let Some(table) = &mut table {
        kinds = std::mem::take(&mut table.kinds);
    }
    let layers = layers.iter().map(|layer| (layer.name.clone(), layer.kind)).collect();
    let (name, title, chain) = (stack.name.clone(), stack.title.clone(), stack.chain.clone());
    Draft {
        name,
        title,
        chain,
        layers,
        scope,
        kinds,
        pieces,
        pack,
        parameters,
        options,
        sets,
        chooses,
        rankings,
        table,
        claims,
        implements,
        outside,
        stand_ins: stack.stand_ins.clone(),
    }
}

/// Numbers of interfaces that parameters are mapped to: what a case can ask for, the rulebook's settings must keep to. Clause 10.2.
fn outside(stack: &Stack<'_>, implements: &[Implements], names: &ParameterNames) -> Vec<OutsideRange> {
    let mut found = Vec::new();
    for implements in implements {
        let items = stack.interfaces.get(implements.interface.it.as_str()).copied().unwrap_or_default();
        for mapping in &implements.mappings {
            let Mapping::ParamParam { name, param, .. } = &mapping.it else { continue };
            let range = items.iter().find_map(|item| {
                let InterfaceItem::Param { name: declared, values: InterfaceValues::Between(least, most), .. } = &item.it else { return None };
                (declared.it == name.it).then_some((least.it, most.it, declared.span))
            });
            if let (Some((least, most, declared)), Some((parameter, _))) = (range, names.get(&param.it)) {
                found.push(OutsideRange { parameter: *parameter, least, most, declared });
            }
        }
    }
    found
}

/// An amendment without `on` that uses a name which is not there does not fit. Clause 8.4.
fn wrong_bases(stack: &Stack<'_>, faults: &mut [Diagnostic]) {
    for layer in &stack.layers {
        let Some(whole) = layer.any_base else { continue };
        for fault in faults.iter_mut().filter(|fault| fault.code == Code::UnknownName) {
            let inside = |span: Span| span.file == whole.file && span.start >= whole.start && span.end <= whole.end;
            if fault.labels.first().is_some_and(|label| inside(label.span)) {
                fault.code = Code::WrongBase;
                fault.help.push(format!("`{}` can be laid only on a rulebook that declares it; this is `{}`", layer.name, stack.chain.join("`, `")));
            }
        }
    }
}

fn claims(stack: &Stack<'_>, citing: &Citing<'_>) -> Vec<(Claim, Provenance)> {
    let mut claims = Vec::new();
    for layer in &stack.layers {
        for declaration in &layer.declarations {
            if let Declaration::Claim(claim) = &declaration.it {
                let tags = crate::syntax::tree::Tags { cites: vec![claim.statement.clone()], inferred: Vec::new() };
                claims.push((claim.clone(), citing.provenance(layer, declaration.span, &tags)));
            }
        }
    }
    claims
}

type OptionNames = BTreeMap<String, (OptionId, KindId)>;
type ParameterNames = BTreeMap<String, (ParameterId, Option<Type>)>;

fn options(stack: &Stack<'_>, citing: &Citing<'_>, kinds: &mut Kinds, faults: &mut Vec<Diagnostic>) -> (Vec<Options>, OptionNames) {
    let mut options = Vec::new();
    let mut names = OptionNames::new();
    for layer in &stack.layers {
        for declaration in &layer.declarations {
            let Declaration::Choice(choice) = &declaration.it else { continue };
            let branches: Vec<Name> = choice.branches.iter().map(|branch| branch.name.clone()).collect();
            let kind = kinds.add_enumeration(&choice.name, KindSort::Branches, &branches, faults);
            let default = default_branch(choice, kind, kinds, faults);
            let branches = choice.branches.iter().map(|branch| BranchDraft {
                title: branch.title.as_ref().map(|title| title.it.clone()).unwrap_or_default(),
                open: branch.open,
                from: citing.provenance(layer, branch.name.span, &branch.tags),
            });
            // The same name twice is complained about by the scope; the first one counts.
            names.entry(choice.name.it.clone()).or_insert((options.len(), kind));
            options.push(Options { name: choice.name.it.clone(), kind, default, branches: branches.collect(), span: choice.name.span });
        }
    }
    (options, names)
}

fn default_branch(choice: &Choice, kind: KindId, kinds: &Kinds, faults: &mut Vec<Diagnostic>) -> ValueId {
    let found = kinds.get(kind).and_then(|kind| kind.find(&choice.default.it));
    found.unwrap_or_else(|| {
        let fault = Diagnostic::new(
            Code::UnknownBranch,
            format!("the option `{}` has no branch `{}`", choice.name.it, choice.default.it),
            choice.default.span,
        );
        let branches = choice.branches.iter().map(|branch| branch.name.it.as_str());
        faults.push(match super::advice::did_you_mean(&choice.default.it, branches) {
            Some(advice) => fault.with_help(advice),
            None => fault.with_help(format!("add the branch: `{} \"…\";`", choice.default.it)),
        });
        0
    })
}

/// Parameters while their types are being found.
struct Parameters<'p> {
    scope: &'p Scope,
    options: &'p OptionNames,
    names: ParameterNames,
}

/// A parameter as it is written.
struct Waiting<'p> {
    id: ParameterId,
    name: &'p Name,
    value: &'p Expr,
    written: Option<Type>,
    range: Option<(i64, &'p Expr)>,
    from: Provenance,
}

impl<'p> Parameters<'p> {
    fn read(
        stack: &Stack<'p>,
        citing: &Citing<'_>,
        scope: &'p Scope,
        kinds: &mut Kinds,
        options: &'p OptionNames,
        faults: &mut Vec<Diagnostic>,
    ) -> (Vec<Parameter>, ParameterNames) {
        let mut reading = Parameters { scope, options, names: ParameterNames::new() };
        let mut waiting = Vec::new();
        for layer in &stack.layers {
            for declaration in &layer.declarations {
                let Declaration::Param { name, kind, value, tags } = &declaration.it else { continue };
                let (written, range) = match kind {
                    Some(kind) => {
                        let read = written_type(kind, scope, kinds, faults);
                        (read.as_ref().map(|(found, _)| *found), read.and_then(|(_, range)| range))
                    }
                    None => (None, None),
                };
                let id = waiting.len();
                reading.names.entry(name.it.clone()).or_insert((id, written));
                waiting.push(Waiting { id, name, value, written, range, from: citing.provenance(layer, name.span, tags) });
            }
        }
        let mut done = reading.settle(waiting, kinds, faults);
        done.sort_by_key(|(id, _)| *id);
        (done.into_iter().map(|(_, parameter)| parameter).collect(), reading.names)
    }

    /// A parameter that is computed from others waits until they have their types.
    fn settle(&mut self, mut waiting: Vec<Waiting<'p>>, kinds: &Kinds, faults: &mut Vec<Diagnostic>) -> Vec<(ParameterId, Parameter)> {
        let mut done = Vec::new();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut later = Vec::new();
            for parameter in waiting {
                let mut found = Vec::new();
                match self.one(&parameter, kinds, &mut found) {
                    Some(settled) => done.push((parameter.id, settled)),
                    // Nothing is wrong with it, so it lacks the type of another.
                    None if found.is_empty() => later.push(parameter),
                    // INVARIANT: with an error among the faults no draft is folded, so this value is never looked at.
                    None => done.push((parameter.id, placeholder(&parameter))),
                }
                faults.append(&mut found);
            }
            if later.len() == before {
                for parameter in &later {
                    let fault = Diagnostic::new(
                        Code::UseCycle,
                        format!("the parameter `{}` is computed from itself", parameter.name.it),
                        parameter.value.span,
                    );
                    faults.push(fault.with_label(parameter.name.span, "declared here"));
                    done.push((parameter.id, placeholder(parameter)));
                }
                return done;
            }
            waiting = later;
        }
        done
    }

    fn one(&mut self, parameter: &Waiting<'_>, kinds: &Kinds, faults: &mut Vec<Diagnostic>) -> Option<Parameter> {
        let names = Names { scope: self.scope, kinds, parameters: &self.names, options: self.options, local: None };
        let (default, found) = match parameter.written {
            Some(written) => (names.constant(parameter.value, written, faults)?, written),
            None => names.read(parameter.value, None, faults)?,
        };
        let found = match found {
            Type::EmptySet => {
                let fault = Diagnostic::new(Code::TypeMismatch, "nobody can tell what this is a set of", parameter.value.span);
                faults.push(fault.with_help(format!("write `param {}: set of {{ … }} = {{ }};`", parameter.name.it)));
                return None;
            }
            Type::Number | Type::Truth | Type::Member(_) | Type::Set(_) => found,
        };
        let range = match parameter.range {
            Some((least, most)) => Some((least, names.constant(most, Type::Number, faults)?)),
            None => None,
        };
        if let Some(entry) = self.names.get_mut(&parameter.name.it) {
            entry.1.get_or_insert(found);
        }
        Some(Parameter { name: parameter.name.it.clone(), found, default, range, from: parameter.from.clone() })
    }
}

fn placeholder(parameter: &Waiting<'_>) -> Parameter {
    let default = Constant::new(Node::Literal(Value::Truth(false), Type::Truth), parameter.value.span);
    Parameter { name: parameter.name.it.clone(), found: parameter.written.unwrap_or(Type::Truth), default, range: None, from: parameter.from.clone() }
}

type Written<'t> = (Type, Option<(i64, &'t Expr)>);

/// `number`, `truth`, `1 to limit`, a kind, `{ a, b }`, `class of R`, or a set of one of the last three.
fn written_type<'t>(written: &'t crate::syntax::tree::Type, scope: &Scope, kinds: &mut Kinds, faults: &mut Vec<Diagnostic>) -> Option<Written<'t>> {
    match &*written.it {
        TypeKind::Named(name) if name == "number" => Some((Type::Number, None)),
        TypeKind::Named(name) if name == "truth" => Some((Type::Truth, None)),
        TypeKind::Range(least, most) => Some((Type::Number, Some((least.it, most)))),
        TypeKind::Named(_) | TypeKind::Enum(_) | TypeKind::ClassOf(_) => Some((Type::Member(kind_of_type(written, scope, kinds, faults)?), None)),
        TypeKind::Set(of) => Some((Type::Set(kind_of_type(of, scope, kinds, faults)?), None)),
        TypeKind::Maybe(_) | TypeKind::List(_) | TypeKind::RankingOf(_) | TypeKind::EntryOf(_) | TypeKind::HeadingOf(_) | TypeKind::Account => {
            faults.push(no_parameter_type(written.span));
            None
        }
    }
}

fn kind_of_type(written: &crate::syntax::tree::Type, scope: &Scope, kinds: &mut Kinds, faults: &mut Vec<Diagnostic>) -> Option<KindId> {
    match &*written.it {
        TypeKind::Enum(members) => Some(kinds.add_enumeration(&Name::new(String::new(), written.span), KindSort::Plain, members, faults)),
        TypeKind::Named(name) => {
            let found = kinds.kind(name).or_else(|| kinds.order(name).map(|order| order.kind));
            if found.is_none() {
                faults.push(scope.missing(&Name::new(name.clone(), written.span), &[Sort::Kind, Sort::Scale], "a type"));
            }
            found
        }
        TypeKind::ClassOf(name) => {
            let found = class_kinds::find(kinds, &name.it);
            if found.is_none() {
                faults.push(scope.missing(name, &[Sort::Ranking], "a ranking"));
            }
            found
        }
        TypeKind::Maybe(_)
        | TypeKind::Set(_)
        | TypeKind::List(_)
        | TypeKind::RankingOf(_)
        | TypeKind::EntryOf(_)
        | TypeKind::HeadingOf(_)
        | TypeKind::Account
        | TypeKind::Range(..) => {
            faults.push(no_parameter_type(written.span));
            None
        }
    }
}

fn no_parameter_type(span: Span) -> Diagnostic {
    Diagnostic::new(Code::TypeMismatch, "a parameter cannot be of this type", span)
        .with_help("a parameter is a number, `yes` or `no`, a value of a kind or of a list `{ a, b }`, a class of a ranking, or a set of such values")
}

fn settings(stack: &Stack<'_>, citing: &Citing<'_>, names: &Names<'_>, faults: &mut Vec<Diagnostic>) -> (Vec<SetLine>, Vec<ChooseLine>) {
    let (mut sets, mut chooses) = (Vec::new(), Vec::new());
    for (index, layer) in stack.layers.iter().enumerate() {
        for declaration in &layer.declarations {
            if let Declaration::Set { name, value, replaces, tags } = &declaration.it {
                if let Some((parameter, value)) = set_line(name, value, names, faults) {
                    let from = citing.provenance(layer, declaration.span, tags);
                    sets.push(SetLine { parameter, value, layer: index, replaces: replaces.clone(), from });
                }
            } else if let Declaration::Choose { option, branch, replaces, tags } = &declaration.it
                && let Some((option, branch)) = choose_line(option, branch, names, faults)
            {
                let from = citing.provenance(layer, declaration.span, tags);
                chooses.push(ChooseLine { option, branch, layer: index, replaces: replaces.clone(), from });
            }
        }
    }
    (sets, chooses)
}

pub(super) fn set_line(name: &Name, value: &Expr, names: &Names<'_>, faults: &mut Vec<Diagnostic>) -> Option<(ParameterId, Constant)> {
    let Some((id, found)) = names.parameters.get(&name.it) else {
        let fault = names.scope.missing(name, &[Sort::Parameter], "a parameter");
        let is_option = names.options.contains_key(&name.it);
        faults.push(if is_option {
            fault.with_help(format!("write `choose {0} = …;`, on the command line `--choose {0}=…`", name.it))
        } else {
            fault
        });
        return None;
    };
    Some((*id, names.constant(value, (*found)?, faults)?))
}

pub(super) fn choose_line(option: &Name, branch: &Name, names: &Names<'_>, faults: &mut Vec<Diagnostic>) -> Option<(OptionId, ValueId)> {
    let Some((id, kind)) = names.options.get(&option.it) else {
        let fault = names.scope.missing(option, &[Sort::Option], "an option");
        let is_parameter = names.parameters.contains_key(&option.it);
        faults.push(if is_parameter { fault.with_help(format!("write `set {} = …;`", option.it)) } else { fault });
        return None;
    };
    let found = names.kinds.get(*kind).and_then(|kind| kind.find(&branch.it));
    if found.is_none() {
        faults.push(names.no_member(branch, *kind));
    }
    Some((*id, found?))
}
