//! Reads a mapping against its interface: types, names, what is shown.

use super::super::super::advice::did_you_mean;
use super::super::super::kinds::{Kind, KindId, KindSort};
use super::super::compiler::Compiler;
use super::super::locals::Locals;
use super::super::program::{Program, Type};
use super::{Shown, TableMapping};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, At, ExprKind, Implements, InterfaceItem, Mapping, Name, ParameterDomain, TypeKind};

pub(super) struct Mapper<'m, 'd> {
    pub compiler: &'m mut Compiler<'d>,
    pub program: &'m Program,
    pub items: &'m [At<InterfaceItem>],
}

/// Names and types of an item of an interface.
pub(super) type Typed = Vec<(String, Type)>;

impl<'m> Mapper<'m, '_> {
    pub fn read(&mut self, implements: &Implements) -> TableMapping {
        let mut mapping = TableMapping { interface: implements.interface.it.clone(), ..TableMapping::default() };
        let mut seen: Vec<&Name> = Vec::new();
        for item in &implements.mappings {
            let (name, position) = match &item.it {
                Mapping::Shows { name, .. } | Mapping::Act { name, .. } | Mapping::Event { name, .. } => (name, false),
                Mapping::Position { name, .. } => (name, true),
                Mapping::ParamOption { .. }
                | Mapping::ParamParam { .. }
                | Mapping::ParamChoices { .. }
                | Mapping::ParamFixed { .. }
                | Mapping::Classes(_)
                | Mapping::Compare(..) => continue,
            };
            if let Some(first) = seen.iter().find(|first| first.it == name.it && !position) {
                let fault = Diagnostic::new(Code::DuplicateName, format!("`{}` is mapped twice", name.it), name.span);
                self.compiler.faults.push(fault.with_label(first.span, "here first"));
            }
            if !position {
                seen.push(name);
            }
            self.item(&item.it, &mut mapping);
        }
        mapping
    }

    fn item(&mut self, item: &Mapping, mapping: &mut TableMapping) {
        match item {
            Mapping::Shows { name, parameters, value } => mapping.shows.extend(self.shows(name, parameters, value)),
            Mapping::Act { name, parameters, target } | Mapping::Event { name, parameters, target } => {
                mapping.acts.extend(self.act(name, matches!(item, Mapping::Event { .. }), parameters, target));
            }
            Mapping::Position { name, parameters, items, answer } => {
                mapping.positions.extend(self.position(name, parameters, items, &answer.it));
            }
            Mapping::ParamOption { .. }
            | Mapping::ParamParam { .. }
            | Mapping::ParamChoices { .. }
            | Mapping::ParamFixed { .. }
            | Mapping::Classes(_)
            | Mapping::Compare(..) => {}
        }
    }

    fn shows(&mut self, name: &Name, parameters: &[Name], value: &tree::Expr) -> Option<Shown> {
        let (written, kind) = self.find(name, "nothing that the interface shows", |item| {
            let InterfaceItem::Shows { name, parameters, kind } = item else { return None };
            Some((name, (parameters.as_slice(), kind)))
        })?;
        let parameters = self.parameters(name, parameters, written)?;
        let kind = self.type_of(kind, name)?;
        let mut locals = Locals::of(&parameters);
        let source = if let ExprKind::Name { name, .. } = &*value.it { Some(name.it.clone()) } else { None };
        let value = self.compiler.expected(value, &kind, &mut locals)?;
        Some(Shown { name: name.it.clone(), parameters, value, kind, slots: locals.slots(), source })
    }

    /// The item of the interface that a mapping names, or a fault with the names that would have done.
    pub fn find<T>(&mut self, name: &Name, is_no: &str, wanted: impl Fn(&'m InterfaceItem) -> Option<(&'m Name, T)>) -> Option<T> {
        let items = self.items;
        let found = items.iter().filter_map(|item| wanted(&item.it)).find(|(known, _)| known.it == name.it);
        if found.is_none() {
            let fault = Diagnostic::new(Code::UnmappedName, format!("`{}` is {is_no}", name.it), name.span);
            let names = items.iter().filter_map(|item| wanted(&item.it)).map(|(name, _)| name.it.as_str());
            self.compiler.faults.push(match did_you_mean(&name.it, names) {
                Some(advice) => fault.with_help(advice),
                None => fault,
            });
        }
        found.map(|(_, found)| found)
    }

    /// The mapping's names for the parameters of an item, with the interface's types.
    pub fn parameters(&mut self, item: &Name, named: &[Name], written: &[tree::Parameter]) -> Option<Typed> {
        if named.len() != written.len() {
            let (few, many) = (count(named.len()), count(written.len()));
            let message = format!("`{}` takes {many} in the interface, and {few} here", item.it);
            self.compiler.faults.push(Diagnostic::new(Code::TypeMismatch, message, item.span));
            return None;
        }
        let mut all = Typed::new();
        for (name, parameter) in named.iter().zip(written) {
            if all.iter().any(|(known, _)| *known == name.it) {
                let message = format!("`{}` stands twice among the parameters", name.it);
                self.compiler.faults.push(Diagnostic::new(Code::DuplicateName, message, name.span));
            }
            let kind = match &parameter.domain {
                ParameterDomain::Type(kind) => self.type_of(kind, name)?,
                ParameterDomain::In(_) => Type::Number,
            };
            all.push((name.it.clone(), kind));
        }
        Some(all)
    }

    /// A type of the interface as one of the rulebook's. `at` is where the mapping needs it.
    pub fn type_of(&mut self, written: &tree::Type, at: &Name) -> Option<Type> {
        let found = match &*written.it {
            TypeKind::Named(name) => self.named(name),
            TypeKind::Maybe(of) => return self.type_of(of, at).map(Type::maybe),
            TypeKind::Set(of) => return self.type_of(of, at).map(Type::set),
            TypeKind::List(of) => return self.type_of(of, at).map(Type::list),
            TypeKind::Enum(members) => Some(Type::Member(self.enumeration(members, written.span))),
            TypeKind::Range(..) => Some(Type::Number),
            TypeKind::Account | TypeKind::ClassOf(_) | TypeKind::RankingOf(_) | TypeKind::EntryOf(_) | TypeKind::HeadingOf(_) => None,
        };
        if found.is_none() {
            let fault = Diagnostic::new(Code::UnmappedName, "this rulebook has nothing of the type that the interface wants here", at.span);
            self.compiler.faults.push(fault.with_label(written.span, "the type").with_help("leave it out: it is then unsupported"));
        }
        found
    }

    fn named(&self, name: &str) -> Option<Type> {
        match name {
            "number" => return Some(Type::Number),
            "truth" => return Some(Type::Truth),
            "seat" => return Some(Type::Seat),
            _ => {}
        }
        let piece = self.compiler.pieces.iter().position(|piece| piece.name == name).map(Type::Piece);
        let kinds = &self.compiler.kinds;
        piece.or_else(|| kinds.kind(name).or_else(|| kinds.order(name).map(|order| order.kind)).map(Type::Member))
    }

    /// The kind that has all the members and fewest others.
    fn enumeration(&mut self, members: &[Name], span: Span) -> KindId {
        let has_all = |kind: &Kind| !kind.sort.is_apart() && members.iter().all(|member| kind.find(&member.it).is_some());
        let kinds = self.compiler.kinds.kinds.iter().enumerate();
        let best = kinds.filter(|(_, kind)| has_all(kind)).min_by_key(|(_, kind)| (kind.members.len(), kind.name.is_empty())).map(|(id, _)| id);
        best.unwrap_or_else(|| {
            let Compiler { kinds, faults, .. } = &mut *self.compiler;
            kinds.add_enumeration(&Name::new(String::new(), span), KindSort::Plain, members, faults)
        })
    }
}

fn count(number: usize) -> String {
    if number == 1 { "one thing".to_owned() } else { format!("{number} things") }
}
