//! What stands behind a dot, and the functions that the language brings. Clauses 3.5, 4.1, 4.2, 5.10, 5.13 and 7.12.

use super::super::super::scope::unknown;
use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Expr, NameId, Node, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, Argument, ExprKind, Name};

/// Every function of the language: one row each.
const BUILT_IN: &[(&str, BuiltIn)] = &[
    ("mover", BuiltIn::Mover),
    ("seat-number", BuiltIn::SeatNumber),
    ("outcome", BuiltIn::Outcome),
    ("subsets", BuiltIn::Subsets),
    ("keys", BuiltIn::Keys),
    ("class-of", BuiltIn::ClassOf),
    ("compare", BuiltIn::Compare),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum BuiltIn {
    /// `mover(c)`
    Mover,
    /// `seat-number(p)`
    SeatNumber,
    /// `outcome(P)`
    Outcome,
    /// `subsets(S, a, b)`, only behind the `in` of an act
    Subsets,
    /// `keys(h, R, n)`
    Keys,
    /// `class-of(h, R)`
    ClassOf,
    /// `compare(a, b)`
    Compare,
}

impl Compiler<'_> {
    /// `c.suit`; of an entry of the log, what stood there in parentheses.
    pub(super) fn field(&mut self, of: &tree::Expr, field: &Name, span: Span, locals: &mut Locals) -> Typed {
        if self.is_account(of, locals) {
            return self.of_slice(of, field, span, locals);
        }
        let (value, found) = self.expression(of, None, locals)?;
        if found.is_broken() {
            return None;
        }
        if let Type::Piece(piece) = found.sure() {
            return self.attribute(value, *piece, field, span);
        }
        if let Type::Entry(names) = found.sure() {
            return self.argument(value, names, field, span);
        }
        if let Type::Entered(tally) = found.sure() {
            return self.entered_part(value, *tally, field, span);
        }
        let message = format!("{} has no `.{}`", self.describe(&found), field.it);
        let fault = Diagnostic::new(Code::TypeMismatch, message, field.span);
        self.faults.push(fault.with_help(if matches!(found.member(), Some(Type::Piece(_))) {
            "`first of …`, `last of …` or `the only of …` takes one piece of several"
        } else {
            "pieces have attributes, and entries of the log have what stood in parentheses"
        }));
        None
    }

    /// `s.claimants`, `s.main`. Whether it is a slice is found at the table.
    fn of_slice(&mut self, of: &tree::Expr, field: &Name, span: Span, locals: &mut Locals) -> Typed {
        let main = match field.it.as_str() {
            "claimants" => false,
            "main" => true,
            _ => {
                let fault = unknown(field, "what a slice has", ["claimants", "main"]);
                self.faults.push(fault);
                return None;
            }
        };
        let of = self.expected(of, &Type::Account, locals)?;
        Some((made(Node::Slice { of, main }, span), if main { Type::Truth } else { Type::Seat.set() }))
    }

    fn attribute(&mut self, of: Expr, piece: usize, field: &Name, span: Span) -> Typed {
        let attributes = &self.pieces.get(piece)?.attributes;
        if let Some(index) = attributes.iter().position(|attribute| attribute.name == field.it) {
            let kind = attributes.get(index).map(|attribute| attribute.kind)?;
            return Some((made(Node::Attribute(of, index), span), Type::Member(kind)));
        }
        let fault = unknown(field, "an attribute of the piece", attributes.iter().map(|attribute| attribute.name.as_str()));
        self.faults.push(fault);
        None
    }

    fn argument(&mut self, of: Expr, names: &[NameId], field: &Name, span: Span) -> Typed {
        if field.it == "by" {
            return Some((made(Node::By(of), span), Type::Seat));
        }
        let mut positions = Vec::new();
        let mut kind: Option<Type> = None;
        for name in names {
            let arguments = self.arguments_of(*name);
            let Some(position) = arguments.iter().position(|(argument, _)| *argument == field.it) else {
                let logged = self.signatures.names.get(*name).map_or("", |known| known.name.as_str());
                let fault = unknown(field, &format!("an argument of `{logged}`"), arguments.iter().map(|(argument, _)| argument.as_str()));
                self.faults.push(fault);
                return None;
            };
            let found = arguments.get(position).map(|(_, kind)| kind.clone())?;
            kind = Some(match &kind {
                Some(kind) => self.joined(kind, &found, field.span)?,
                None => found,
            });
            positions.push((*name, position));
        }
        self.counted(Some((made(Node::Argument(of, positions), span), kind?)), None)
    }

    pub(super) fn built_in(&mut self, name: &Name, arguments: &[Argument], span: Span, locals: &mut Locals) -> Typed {
        let Some((_, function)) = BUILT_IN.iter().find(|(known, _)| *known == name.it) else {
            let names: Vec<&str> = BUILT_IN.iter().map(|(known, _)| *known).collect();
            let fault = self.unknown_call(name, &names, locals);
            self.faults.push(fault);
            return None;
        };
        match function {
            BuiltIn::Mover => {
                let of = self.one(name, arguments, &Type::Piece(0), locals)?;
                // The table itself moves pieces too: then it is nobody.
                Some((made(Node::Mover(of), span), Type::Seat))
            }
            BuiltIn::SeatNumber => Some((made(Node::SeatNumber(self.one(name, arguments, &Type::Seat, locals)?), span), Type::Number)),
            BuiltIn::Outcome => self.outcome(name, arguments, span),
            BuiltIn::Subsets => {
                let fault = Diagnostic::new(Code::TypeMismatch, "`subsets` stands only behind the `in` of an act", span);
                self.faults.push(fault.with_help("as in `| ACT(s in subsets(hand(p), 1, 5)) => …`"));
                None
            }
            BuiltIn::Keys => self.keys(name, arguments, span, locals),
            BuiltIn::ClassOf => self.class_of(name, arguments, span, locals),
            BuiltIn::Compare => self.compared_keys(name, arguments, span, locals),
        }
    }

    fn one(&mut self, name: &Name, arguments: &[Argument], kind: &Type, locals: &mut Locals) -> Option<Expr> {
        self.exactly(name, arguments, std::slice::from_ref(kind), locals)?.pop()
    }

    /// `outcome(P)`: a value of the kind of all its outcomes, or none.
    fn outcome(&mut self, name: &Name, arguments: &[Argument], span: Span) -> Typed {
        let named = if let [Argument::Value(value)] = arguments { Some(value) } else { None };
        let Some(ExprKind::Name { name: named, arguments: None }) = named.map(|value| &*value.it) else {
            let fault = Diagnostic::new(Code::TypeMismatch, "`outcome` wants the name of a procedure", name.span);
            self.faults.push(fault.with_help("write `outcome(NAME)`"));
            return None;
        };
        let procedure = self.procedure(named)?;
        let kind = self.outcomes(procedure)?;
        Some((made(Node::Outcome(procedure), span), Type::Member(kind).maybe()))
    }
}
