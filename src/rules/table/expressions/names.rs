//! What a name means: a local, a value that is wanted, or something declared. Clauses 2.5 and 2.6.

use super::super::super::advice::{all_of, did_you_mean};
use super::super::super::kinds::{HEADINGS, Kind, KindId, KindSort};
use super::super::super::place::Sort;
use super::super::super::resolve::Names;
use super::super::super::scope::unknown;
use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Literal, Node, Type};
use super::super::signatures::{Meaning, Parameters};
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::ValueId;
use crate::source::Span;
use crate::syntax::tree::{Argument, Expr, ExprKind, Name};

/// Sorts of names that have a value.
const VALUES: &[Sort] = &[
    Sort::Kind,
    Sort::Scale,
    Sort::Parameter,
    Sort::Option,
    Sort::Place,
    Sort::Account,
    Sort::Tally,
    Sort::Role,
    Sort::Fact,
    Sort::Question,
    Sort::Definition,
];

fn wants_account(wanted: Option<&Type>) -> bool {
    wanted.is_some_and(|wanted| *wanted.sure() == Type::Account)
}

impl Compiler<'_> {
    /// An account stands for what it holds, unless an account is wanted. Clause 4.6.
    pub(super) fn counted(&self, found: Typed, wanted: Option<&Type>) -> Typed {
        let (value, kind) = found?;
        if *kind.sure() != Type::Account || wants_account(wanted) {
            return Some((value, kind));
        }
        let span = value.span;
        Some((made(Node::Held(value), span), Type::Number))
    }

    /// Whether an expression says which account, and not only how much lies there.
    pub fn is_account(&mut self, expr: &Expr, locals: &Locals) -> bool {
        if let ExprKind::Name { name, arguments } = &*expr.it {
            if let Some(local) = locals.find(&name.it) {
                return arguments.is_none() && (local.account.is_some() || *local.kind.sure() == Type::Account);
            }
            return match self.signatures.meaning(&name.it) {
                Some(Meaning::Account(_)) => true,
                Some(Meaning::Question(id)) => self.signatures.questions.get(id).is_some_and(|known| *known.it.answer.sure() == Type::Account),
                Some(Meaning::Definition(id)) => *self.definition_type(id, name.span).sure() == Type::Account,
                Some(Meaning::Fact(id)) => self.signatures.facts.get(id).is_some_and(|known| *known.it.kind.sure() == Type::Account),
                Some(Meaning::Role(id)) => self.signatures.roles.get(id).is_some_and(|known| *known.it.kind.sure() == Type::Account),
                Some(Meaning::Place(_) | Meaning::Tally(_) | Meaning::Hook(_) | Meaning::Procedure(_) | Meaning::Ranking(_) | Meaning::Kind(_))
                | None => false,
            };
        }
        if let ExprKind::If { then, otherwise, .. } = &*expr.it {
            return self.is_account(then, locals) && self.is_account(otherwise, locals);
        }
        if let ExprKind::Table { rows, .. } = &*expr.it {
            return !rows.is_empty() && rows.iter().all(|row| self.is_account(&row.value, locals));
        }
        false
    }

    /// `let source = stack(p);` keeps what lies there now, and which account it is: the slot of that, and what goes into it.
    pub fn account_behind(&mut self, value: &Expr, locals: &mut Locals) -> Option<super::super::program::Expr> {
        if !self.is_account(value, locals) {
            return None;
        }
        self.expected(value, &Type::Account, locals)
    }

    /// A name alone.
    pub(super) fn name(&mut self, name: &Name, wanted: Option<&Type>, locals: &mut Locals) -> Typed {
        let typed = |node, kind| Some((made(node, name.span), kind));
        if let Some(local) = locals.find(&name.it) {
            if let Some(account) = local.account.filter(|_| wants_account(wanted)) {
                return typed(Node::Local(account), Type::Account);
            }
            return self.counted(typed(Node::Local(local.slot), local.kind.clone()), wanted);
        }
        if name.it == "it"
            && let Some(kind) = locals.it()
        {
            return typed(Node::It, kind.clone());
        }
        // What is wanted decides before what is declared, so that a branch may be called like a procedure.
        if let Some(found) = wanted.and_then(|wanted| self.wanted_value(name, wanted.sure())) {
            return Some(found);
        }
        if let Some((id, found)) = self.names.parameters.get(&name.it) {
            return typed(Node::Parameter(*id), Type::of_constant((*found)?));
        }
        if let Some((id, kind)) = self.names.options.get(&name.it) {
            return typed(Node::Option(*id), Type::Member(*kind));
        }
        if self.signatures.meaning(&name.it).is_some() {
            let found = self.declared_name(name, None, wanted, name.span, locals);
            return self.counted(found, wanted);
        }
        if self.names.scope.sort(&name.it).is_some() {
            let fault = self.names.scope.missing(name, VALUES, "a value");
            self.faults.push(fault);
            return None;
        }
        self.member(name, wanted, locals)
    }

    /// A member of the kind that is wanted; where a text is, what a `void` can name.
    fn wanted_value(&self, name: &Name, wanted: &Type) -> Typed {
        if let Type::Member(kind) = wanted {
            let value = self.kinds.get(*kind)?.find(&name.it)?;
            return Some((made(Node::Literal(Literal::Member(value)), name.span), wanted.clone()));
        }
        let of_void = self.signatures.procedure(&name.it).is_some() || self.signatures.voids.causes.contains(&name.it);
        (*wanted == Type::Text && of_void).then(|| (made(Node::Literal(Literal::Text(name.it.clone())), name.span), Type::Text))
    }

    /// A name with parentheses.
    pub(super) fn call(&mut self, name: &Name, arguments: &[Argument], wanted: Option<&Type>, span: Span, locals: &mut Locals) -> Typed {
        if locals.find(&name.it).is_some() || self.names.parameters.contains_key(&name.it) || self.names.options.contains_key(&name.it) {
            self.no_arguments(name, Some(arguments))?;
        }
        if self.signatures.meaning(&name.it).is_some() {
            let found = self.declared_name(name, Some(arguments), wanted, span, locals);
            return self.counted(found, wanted);
        }
        if self.names.scope.sort(&name.it).is_some() {
            let fault = self.names.scope.missing(name, VALUES, "a value");
            self.faults.push(fault);
            return None;
        }
        self.built_in(name, arguments, span, locals)
    }

    /// Something that the rulebook declares.
    fn declared_name(&mut self, name: &Name, arguments: Option<&[Argument]>, wanted: Option<&Type>, span: Span, locals: &mut Locals) -> Typed {
        let node = |node, kind| Some((made(node, span), kind));
        match self.signatures.meaning(&name.it)? {
            Meaning::Place(id) => {
                let cells = self.signatures.places.get(id)?.it.cells.clone();
                node(Node::Place(id, self.indices(name, arguments, &cells, locals)?), Type::Piece(0).list())
            }
            Meaning::Account(id) => self.account(id, name, arguments, wanted, span, locals),
            Meaning::Tally(id) => {
                let cells = self.signatures.tallies.get(id)?.it.cells.clone();
                node(Node::Tally(id, self.indices(name, arguments, &cells, locals)?), Type::Number)
            }
            Meaning::Role(id) => {
                self.no_arguments(name, arguments)?;
                node(Node::Role(id), self.signatures.roles.get(id)?.it.kind.clone())
            }
            Meaning::Fact(id) => {
                let (cells, kind) = self.signatures.facts.get(id).map(|fact| (fact.it.cells.clone(), fact.it.kind.clone()))?;
                node(Node::Fact(id, self.indices(name, arguments, &cells, locals)?), kind)
            }
            Meaning::Question(id) => {
                let (parameters, answer) = self.signatures.questions.get(id).map(|known| (known.it.parameters.clone(), known.it.answer.clone()))?;
                node(Node::Ask(id, self.arguments(name, arguments, &parameters, locals)?), answer)
            }
            Meaning::Definition(id) => {
                let parameters = self.signatures.definitions.get(id)?.it.parameters.clone();
                let values = self.arguments(name, arguments, &parameters, locals);
                let answer = self.definition_type(id, name.span);
                node(Node::Call(id, values?), answer)
            }
            Meaning::Kind(kind) => {
                self.no_arguments(name, arguments)?;
                node(Node::Kind(kind), Type::Member(kind).set())
            }
            Meaning::Ranking(_) if wanted.is_some_and(Type::is_broken) => None,
            Meaning::Ranking(id) => {
                if arguments.is_some() {
                    let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` with its parameters is no value", name.it), span);
                    self.faults.push(fault.with_help("only a ranking without parameters is a value; name it where it orders something"));
                    return None;
                }
                self.ranking_name(id, name)
            }
            Meaning::Hook(_) | Meaning::Procedure(_) => {
                let fault = self.names.scope.missing(name, VALUES, "a value");
                self.faults.push(fault);
                None
            }
        }
    }

    fn account(&mut self, id: usize, name: &Name, arguments: Option<&[Argument]>, wanted: Option<&Type>, span: Span, locals: &mut Locals) -> Typed {
        let shape = self.signatures.accounts.get(id)?.it.clone();
        let indices = match arguments {
            None if shape.joint => Vec::new(),
            // `none`: nobody's share.
            Some(arguments) if shape.joint => self.exactly(name, arguments, &[Type::Seat.maybe()], locals)?,
            arguments => self.indices(name, arguments, &shape.cells, locals)?,
        };
        if wants_account(wanted) {
            return Some((made(Node::Cell(id, indices), span), Type::Account));
        }
        Some((made(Node::Account(id, indices), span), Type::Number))
    }

    /// Arguments of a definition, a question, a procedure or a signal: as many as it has parameters, of their types.
    pub fn arguments(
        &mut self,
        name: &Name,
        arguments: Option<&[Argument]>,
        parameters: &Parameters,
        locals: &mut Locals,
    ) -> Option<Vec<super::super::program::Expr>> {
        let kinds: Vec<Type> = parameters.iter().map(|(_, kind)| kind.clone()).collect();
        self.exactly(name, arguments.unwrap_or_default(), &kinds, locals)
    }

    /// A name alone that has a type without help; a bare name of a value has none.
    pub(super) fn stands_alone(&self, expr: &Expr, locals: &Locals) -> bool {
        if let ExprKind::Name { name, arguments: None } = &*expr.it {
            let local = locals.find(&name.it).is_some() || (name.it == "it" && locals.it().is_some());
            return local
                || self.names.parameters.contains_key(&name.it)
                || self.names.options.contains_key(&name.it)
                || self.signatures.meaning(&name.it).is_some_and(|meaning| match meaning {
                    Meaning::Hook(_) | Meaning::Procedure(_) | Meaning::Ranking(_) => false,
                    Meaning::Place(_)
                    | Meaning::Account(_)
                    | Meaning::Tally(_)
                    | Meaning::Role(_)
                    | Meaning::Fact(_)
                    | Meaning::Question(_)
                    | Meaning::Definition(_)
                    | Meaning::Kind(_) => true,
                });
        }
        if let ExprKind::Set(items) | ExprKind::Cycle { of: items, .. } = &*expr.it {
            return items.iter().any(|item| self.stands_alone(item, locals));
        }
        if let ExprKind::List(items) = &*expr.it {
            return items.iter().any(|item| self.stands_alone(&item.from, locals));
        }
        if let ExprKind::If { then, otherwise, .. } = &*expr.it {
            return self.stands_alone(then, locals) || self.stands_alone(otherwise, locals);
        }
        if let ExprKind::Table { rows, .. } = &*expr.it {
            return rows.iter().any(|row| self.stands_alone(&row.value, locals));
        }
        !matches!(&*expr.it, ExprKind::None | ExprKind::Nobody | ExprKind::Text(_))
    }

    /// A bare name that nothing declares: it must be a value.
    fn member(&mut self, name: &Name, wanted: Option<&Type>, locals: &Locals) -> Typed {
        // What was told of already may have been meant to give it a type.
        if wanted.is_some_and(Type::is_broken) {
            return None;
        }
        if let Some(Type::Member(kind)) = wanted.map(Type::sure) {
            let fault = self.no_member(name, *kind, locals);
            self.faults.push(fault);
            return None;
        }
        let of_sort = |anonymous: bool| -> Vec<(KindId, ValueId)> {
            let kinds = self.kinds.kinds.iter().enumerate();
            let of_sort = kinds.filter(|(_, kind)| !kind.sort.is_apart() && kind.name.is_empty() == anonymous);
            of_sort.filter_map(|(id, kind)| Some((id, kind.find(&name.it)?))).collect()
        };
        let mut found = of_sort(false);
        if found.is_empty() {
            found = of_sort(true);
        }
        match found.as_slice() {
            [(kind, value)] => Some((made(Node::Literal(Literal::Member(*value)), name.span), Type::Member(*kind))),
            [] => {
                let fault = self.unknown(name, wanted, locals);
                self.faults.push(fault);
                None
            }
            several => {
                let kinds = several.iter().filter_map(|(kind, _)| self.kinds.get(*kind)).map(|kind| kind.name.as_str());
                let message = format!("`{}` is a value of {}", name.it, all_of(kinds));
                let fault = Diagnostic::new(Code::TypeMismatch, message, name.span);
                self.faults.push(fault.with_help("nothing here says which of them is meant; compare it with something that has a type"));
                None
            }
        }
    }

    fn no_member(&self, name: &Name, kind: KindId, locals: &Locals) -> Diagnostic {
        let Some(of) = self.kinds.get(kind) else { return self.unknown(name, None, locals) };
        if of.sort == KindSort::Branches {
            return Names { kinds: &self.kinds, ..self.names }.no_member(name, kind);
        }
        let wanted = if of.name.starts_with(HEADINGS) { self.describe(&Type::Member(kind)) } else { of.wanted() };
        let near = of.names().chain(locals.names()).chain(self.names.scope.of_sorts(VALUES));
        // If nothing at all is near, the values say what there is.
        match did_you_mean(&name.it, near) {
            Some(advice) => unknown(name, &wanted, []).with_help(advice),
            None => unknown(name, &wanted, of.names()),
        }
    }

    fn unknown(&self, name: &Name, wanted: Option<&Type>, locals: &Locals) -> Diagnostic {
        let what = wanted.filter(|wanted| !wanted.is_broken()).map_or_else(|| "a value".to_owned(), |wanted| self.describe(wanted));
        let members = self.kinds.kinds.iter().filter(|_| wanted.is_none()).flat_map(Kind::names);
        let near = did_you_mean(&name.it, members.chain(locals.names()).chain(self.names.scope.of_sorts(VALUES)));
        let fault = unknown(name, &what, []);
        match near {
            Some(advice) => fault.with_help(advice),
            None => fault,
        }
    }

    pub(super) fn unknown_call(&self, name: &Name, built_in: &[&str], locals: &Locals) -> Diagnostic {
        let callable = [Sort::Definition, Sort::Question, Sort::Place, Sort::Account, Sort::Tally, Sort::Fact];
        let names = self.names.scope.of_sorts(&callable).chain(built_in.iter().copied()).chain(locals.names());
        unknown(name, "something that takes this in parentheses", names)
    }

    /// Exactly these arguments.
    pub(super) fn exactly(
        &mut self,
        name: &Name,
        written: &[Argument],
        kinds: &[Type],
        locals: &mut Locals,
    ) -> Option<Vec<super::super::program::Expr>> {
        if written.len() == kinds.len() {
            return self.values(name, written, kinds, locals);
        }
        let wanted: Vec<String> = kinds.iter().map(|kind| self.describe(kind)).collect();
        let wanted = if wanted.is_empty() { "none".to_owned() } else { wanted.join(" and ") };
        let count = super::super::acts::arguments(written.len());
        self.fault(Code::TypeMismatch, format!("`{}` has {count} here, and wants {wanted}", name.it), name.span);
        None
    }
}
