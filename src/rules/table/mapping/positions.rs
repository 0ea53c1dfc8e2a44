//! Positions: what is laid on the table, and what is asked. Clause 10.10.

use super::super::compiler::made;
use super::super::locals::Locals;
use super::super::program::{Cells, Expr, Index, Literal, Node, Slot, Type};
use super::super::signatures::Meaning;
use super::super::walk::below_mut;
use super::read::{Mapper, Typed};
use super::{Laid, LaidCells, LaidIndex, Line, Position};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::place::Sort;
use crate::syntax::tree::{self, Argument, ExprKind, InterfaceItem, Name, PositionAnswer, PositionItem};

/// Sorts of names that a position can lay or answer.
const LAID: &[Sort] = &[Sort::Role, Sort::Fact, Sort::Account, Sort::Tally, Sort::Place, Sort::Question, Sort::Definition];

/// A line, and the value that it lays.
type Item<'t> = (&'t PositionItem, &'t tree::Expr);

impl Mapper<'_, '_> {
    pub fn position(&mut self, name: &Name, parameters: &[Name], items: &[PositionItem], answer: &PositionAnswer) -> Option<Position> {
        let (written, kind) = self.find(name, "no position of the interface", |item| {
            let InterfaceItem::Position { name, parameters, answer } = item else { return None };
            Some((name, (parameters.as_slice(), answer)))
        })?;
        let parameters = self.parameters(name, parameters, written)?;
        let kind = self.type_of(kind, name)?;
        let mut seats = None;
        let mut lines = Vec::new();
        for item in items {
            let Some(value) = &item.value else {
                lines.push(self.run(item)?);
                continue;
            };
            if item.name.it == "seats" {
                let (value, slots, _) = self.value(&[], &parameters, value, &Type::Number)?;
                seats = Some((value, slots));
            } else {
                lines.push(self.line(item, value, &parameters)?);
            }
        }
        let (answer, each, slots) = self.answer(answer, &parameters, &kind)?;
        Some(Position { name: name.it.clone(), parameters, seats, lines, answer, each, kind, slots })
    }

    #[expect(clippy::type_complexity, reason = "the three parts of an answer")]
    fn answer(&mut self, answer: &PositionAnswer, parameters: &Typed, kind: &Type) -> Option<(Expr, Option<(Slot, Expr, Option<Expr>)>, Slot)> {
        let Some(binder) = &answer.each else {
            let (value, slots, _) = self.value(&[], parameters, &answer.value, kind)?;
            return Some((value, None, slots));
        };
        let Some(member) = kind.member().cloned() else {
            let message = format!("the interface wants {} here, and `for` makes a list", self.compiler.describe(kind));
            self.compiler.faults.push(Diagnostic::new(Code::TypeMismatch, message, binder.name.span));
            return None;
        };
        let (mut locals, first) = self.frame(&[], parameters);
        let (mut of, item) = self.compiler.collection(&binder.of, &mut locals)?;
        let slot = locals.declare(&binder.name.it, item);
        let mut filter = match &binder.filter {
            Some(filter) => Some(self.compiler.condition(filter, &mut locals)?),
            None => None,
        };
        let mut value = self.compiler.expected(&answer.value, &member, &mut locals)?;
        for expr in [&mut of, &mut value].into_iter().chain(&mut filter) {
            self.as_facts(expr, first, parameters.len());
        }
        Some((value, Some((slot, of, filter)), locals.slots()))
    }

    /// A frame with own variables in front and the parameters of the position behind them, and where these begin.
    fn frame(&self, own: &[(String, Type)], parameters: &Typed) -> (Locals, Slot) {
        let mut locals = Locals::of(own);
        let first = locals.slots();
        for (name, kind) in parameters {
            if own.iter().any(|(known, _)| known == name) {
                locals.fresh();
            } else {
                locals.declare(name, kind.clone());
            }
        }
        (locals, first)
    }

    /// An expression over own variables and the parameters of the position.
    fn value(&mut self, own: &[(String, Type)], parameters: &Typed, value: &tree::Expr, wanted: &Type) -> Option<(Expr, Slot, Slot)> {
        let (mut locals, first) = self.frame(own, parameters);
        let mut value = self.compiler.expected(value, wanted, &mut locals)?;
        self.as_facts(&mut value, first, parameters.len());
        Some((value, locals.slots(), first))
    }

    /// The parameters of a position become facts, so that definitions and questions that it answers can read them from frames of their own.
    fn as_facts(&self, expr: &mut Expr, first: Slot, count: usize) {
        below_mut(&mut expr.node, &mut |part| self.as_facts(part, first, count));
        if let Node::Local(slot) = &*expr.node
            && let Some(at) = slot.checked_sub(first).map(usize::from).filter(|at| *at < count)
        {
            *expr.node = Node::Fact(self.program.facts.len() + at, Vec::new());
        }
    }

    fn line(&mut self, item: &PositionItem, written: &tree::Expr, parameters: &Typed) -> Option<Line> {
        let signatures = &self.compiler.signatures;
        let family = |cells: &Cells, kind: Type, laid: fn(usize, LaidCells) -> Laid, id: usize| Some((cells.clone(), kind, laid, id));
        let found = match signatures.meaning(&item.name.it) {
            Some(Meaning::Role(id)) => {
                let kind = signatures.roles.get(id)?.it.kind.clone();
                let (value, slots, _) = self.value(&[], parameters, written, &kind)?;
                return Some(Line { what: Laid::Role(id), value, slots });
            }
            Some(Meaning::Question(id)) => {
                let shape = &signatures.questions.get(id)?.it;
                let (takes, kind) = (shape.parameters.clone(), shape.answer.clone());
                return self.answered((item, written), parameters, &takes, &kind, Laid::Question(id));
            }
            Some(Meaning::Definition(id)) => {
                let takes = signatures.definitions.get(id)?.it.parameters.clone();
                let kind = self.compiler.definition_type(id, item.name.span);
                return self.answered((item, written), parameters, &takes, &kind, Laid::Definition(id));
            }
            Some(Meaning::Fact(id)) => signatures.facts.get(id).and_then(|fact| family(&fact.it.cells, fact.it.kind.clone(), Laid::Fact, id)),
            Some(Meaning::Account(id)) => {
                let shape = &signatures.accounts.get(id)?.it;
                let by_seat = if shape.joint { Cells { first: shape.cells.first, indices: vec![Index::Seat] } } else { shape.cells.clone() };
                family(&by_seat, Type::Number, Laid::Account, id)
            }
            Some(Meaning::Tally(id)) => signatures.tallies.get(id).and_then(|tally| family(&tally.it.cells, Type::Number, Laid::Tally, id)),
            Some(Meaning::Place(id)) => signatures.places.get(id).and_then(|place| family(&place.it.cells, Type::Piece(0).list(), Laid::Place, id)),
            Some(Meaning::Hook(_) | Meaning::Procedure(_) | Meaning::Ranking(_) | Meaning::Kind(_)) | None => None,
        };
        let Some((cells, kind, laid, id)) = found else {
            let missing = self.compiler.names.scope.missing(&item.name, LAID, "anything that can be laid on a table");
            self.compiler.faults.push(missing);
            return None;
        };
        self.family((item, written), parameters, &cells, &kind, &|cells| laid(id, cells))
    }

    /// `divide();`: a procedure without parameters.
    fn run(&mut self, item: &PositionItem) -> Option<Line> {
        let Some(Meaning::Procedure(id)) = self.compiler.signatures.meaning(&item.name.it) else {
            let missing = self.compiler.names.scope.missing(&item.name, &[Sort::Procedure], "a procedure");
            self.compiler.faults.push(missing.with_help("`NAME = VALUE;` lays something on the table; without a value, a procedure is run"));
            return None;
        };
        if !self.compiler.signatures.procedures.get(id)?.it.parameters.is_empty() || item.arguments.as_ref().is_none_or(|given| !given.is_empty()) {
            let message = format!("a position runs a procedure without parameters, `{}();`", item.name.it);
            self.compiler.faults.push(Diagnostic::new(Code::TypeMismatch, message, item.name.span));
            return None;
        }
        Some(Line { what: Laid::Run(id), value: made(Node::Literal(Literal::Truth(true)), item.name.span), slots: 0 })
    }

    /// A question or a definition that is answered by a value.
    fn answered(&mut self, (item, written): Item<'_>, parameters: &Typed, takes: &Typed, kind: &Type, what: Laid) -> Option<Line> {
        let given = item.arguments.as_deref().unwrap_or(&[]);
        let names: Option<Vec<String>> = given.iter().map(|argument| plain_name(argument).map(|name| name.it.clone())).collect();
        let Some(names) = names.filter(|names| names.len() == takes.len()) else {
            let message = format!("`{}` takes {} here: new names for its parameters", item.name.it, takes.len());
            self.compiler.faults.push(Diagnostic::new(Code::TypeMismatch, message, item.name.span));
            return None;
        };
        let own: Typed = names.into_iter().zip(takes.iter().map(|(_, kind)| kind.clone())).collect();
        let (value, slots, _) = self.value(&own, parameters, written, kind)?;
        Some(Line { what, value, slots })
    }

    /// A fact, an account, a tally or a place with its indices.
    fn family(
        &mut self,
        (item, written): Item<'_>,
        parameters: &Typed,
        cells: &Cells,
        kind: &Type,
        laid: &dyn Fn(LaidCells) -> Laid,
    ) -> Option<Line> {
        let Some(arguments) = &item.arguments else {
            let (what, wanted) = match (cells.indices.as_slice(), kind) {
                ([], _) => (LaidCells::One, kind.clone()),
                // Each cell gets its piece.
                (_, Type::List(of)) => (LaidCells::ByList, Type::List(of.clone())),
                (_, kind) => (LaidCells::ByList, kind.clone().list()),
            };
            let (value, slots, _) = self.value(&[], parameters, written, &wanted)?;
            return Some(Line { what: laid(what), value, slots });
        };
        if arguments.len() != cells.indices.len() {
            let message = format!("`{}` has {} in parentheses", item.name.it, cells.indices.len());
            self.compiler.faults.push(Diagnostic::new(Code::TypeMismatch, message, item.name.span));
            return None;
        }
        let types = cells.indices.iter().map(|index| match index {
            Index::Seat => Type::Seat,
            Index::Kind(kind, _) => Type::Member(*kind),
        });
        let mut own = Typed::new();
        for (argument, kind) in arguments.iter().zip(types.clone()) {
            if let Some(name) = self.new_name(argument, parameters) {
                own.push((name.it.clone(), kind));
            }
        }
        let mut at = Vec::new();
        let mut next: Slot = 0;
        for (argument, kind) in arguments.iter().zip(types) {
            if self.new_name(argument, parameters).is_some() {
                at.push(LaidIndex::Each(next));
                next += 1;
                continue;
            }
            let Argument::Value(value) = argument else { return None };
            at.push(LaidIndex::Value(self.value(&[], parameters, value, &kind)?.0));
        }
        let (value, slots, _) = self.value(&own, parameters, written, kind)?;
        Some(Line { what: laid(LaidCells::At(at)), value, slots })
    }

    /// A name that means nothing yet.
    fn new_name<'a>(&self, argument: &'a Argument, parameters: &Typed) -> Option<&'a Name> {
        let name = plain_name(argument)?;
        let known = parameters.iter().any(|(known, _)| *known == name.it)
            || self.compiler.signatures.meaning(&name.it).is_some()
            || self.compiler.kinds.kinds.iter().any(|kind| kind.find(&name.it).is_some());
        (!known).then_some(name)
    }
}

fn plain_name(argument: &Argument) -> Option<&Name> {
    let Argument::Value(value) = argument else { return None };
    if let ExprKind::Name { name, arguments: None } = &*value.it { Some(name) } else { None }
}
