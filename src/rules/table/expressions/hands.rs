//! Groups and runs of pieces. Clause 3.12.

use super::super::super::place::Sort;
use super::super::super::scope::unknown;
use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Expr, HandNode, Node, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, Name};

/// `groups of S by attr at least n`, `run of S by scale within attr at least n`
#[derive(Clone, Copy, Debug)]
pub(super) struct Grouped<'e> {
    pub of: &'e tree::Expr,
    pub by: &'e Name,
    pub within: Option<&'e Name>,
    pub least: Option<&'e tree::Expr>,
}

impl Compiler<'_> {
    pub(super) fn groups(&mut self, written: Grouped<'_>, span: Span, locals: &mut Locals) -> Typed {
        let of = self.hand(written.of, None, locals);
        let least = self.least(written.least, locals);
        let (of, piece) = of?;
        if let Some(within) = written.within {
            let fault = Diagnostic::new(Code::TypeMismatch, "only runs are asked for within something", within.span);
            self.faults.push(fault.with_help(format!("write `groups of … by {}`", written.by.it)));
            return None;
        }
        let attribute = self.attribute_of(piece, written.by)?;
        Some((made(Node::Hand(HandNode::Groups { of, attribute, least: least? }), span), Type::Piece(piece).set().list()))
    }

    pub(super) fn runs(&mut self, written: Grouped<'_>, span: Span, locals: &mut Locals) -> Typed {
        let of = self.hand(written.of, None, locals);
        let least = self.least(written.least, locals);
        let (of, piece) = of?;
        let (attribute, ladder) = self.ladder(piece, written.by)?;
        let within = match written.within {
            Some(within) => Some(self.attribute_of(piece, within)?),
            None => None,
        };
        Some((made(Node::Hand(HandNode::Runs { of, attribute, ladder, within, least: least? }), span), Type::Piece(piece).set().list()))
    }

    fn least(&mut self, least: Option<&tree::Expr>, locals: &mut Locals) -> Option<Option<Expr>> {
        match least {
            Some(least) => self.expected(least, &Type::Number, locals).map(Some),
            None => Some(None),
        }
    }

    /// A set or a list of pieces, or a place; of the kind of piece that is wanted, if one is.
    pub(super) fn hand(&mut self, of: &tree::Expr, wanted: Option<usize>, locals: &mut Locals) -> Option<(Expr, usize)> {
        let (value, found) = self.expression(of, wanted.map(|piece| Type::Piece(piece).set()).as_ref(), locals)?;
        if found == Type::Nothing {
            return Some((value, wanted.unwrap_or(0)));
        }
        if let Some(Type::Piece(piece)) = found.member().map(Type::sure)
            && wanted.is_none_or(|wanted| wanted == *piece)
        {
            return Some((value, *piece));
        }
        if !found.is_broken() && !found.member().is_some_and(Type::is_broken) {
            let fault = match wanted {
                Some(piece) => self.mismatch(of.span, &found, &Type::Piece(piece).set()),
                None => Diagnostic::new(Code::TypeMismatch, format!("{} stands where pieces are wanted", self.describe(&found)), of.span),
            };
            self.faults.push(fault);
        }
        None
    }

    /// An attribute of a kind of piece.
    fn attribute_of(&mut self, piece: usize, name: &Name) -> Option<usize> {
        let attributes = &self.pieces.get(piece)?.attributes;
        let found = attributes.iter().position(|attribute| attribute.name == name.it);
        if found.is_none() {
            let fault = unknown(name, "an attribute of the piece", attributes.iter().map(|attribute| attribute.name.as_str()));
            self.faults.push(fault);
        }
        found
    }

    /// The attribute that a scale orders, and its values from the lowest up: those that also stand lowest in front.
    fn ladder(&mut self, piece: usize, name: &Name) -> Option<(usize, Vec<u8>)> {
        let attributes = &self.pieces.get(piece)?.attributes;
        let Some(order) = self.kinds.order(&name.it) else {
            let unordered = attributes.iter().any(|attribute| attribute.name == name.it);
            let fault = if unordered {
                Diagnostic::new(Code::TypeMismatch, format!("the values of `{}` have no order", name.it), name.span)
                    .with_help("a run goes along a scale")
            } else {
                self.names.scope.missing(name, &[Sort::Scale], "a scale")
            };
            self.faults.push(fault);
            return None;
        };
        let Some(attribute) = attributes.iter().position(|attribute| attribute.kind == order.kind) else {
            let message = format!("`{}` orders nothing that these pieces have", name.it);
            self.faults.push(Diagnostic::new(Code::TypeMismatch, message, name.span));
            return None;
        };
        Some((attribute, order.also_lowest.iter().chain(&order.ascending).copied().collect()))
    }
}
