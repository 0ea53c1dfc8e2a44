//! Tallies as they stood in the reckoning, and the parts of their entries. Clause 4.7.

use super::super::super::scope::unknown;
use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{EnteredPart, Expr, Index, Node, TallyId, Type};
use super::super::written::no_headings;
use crate::source::Span;
use crate::syntax::tree::{self, Name};

/// What every entry has.
const POINTS: &str = "points";
/// What an entry under a heading has.
const HEAD: &str = "head";

impl Compiler<'_> {
    /// `marks(p) before e`, `marks(p) through e`
    pub(super) fn reckoned(&mut self, of: &tree::Expr, through: bool, entry: &tree::Expr, span: Span, locals: &mut Locals) -> Typed {
        let cell = self.tally_cell(of, locals);
        let Some((tally, indices)) = cell else {
            self.expression(entry, None, locals);
            return None;
        };
        let entry = self.expected(entry, &Type::Entered(tally), locals)?;
        Some((made(Node::TallyAt { tally, indices, through, entry }, span), Type::Number))
    }

    /// `e.points`, `e.head`, and whose they are: `e.seat`, or the name of the kind of which there is one tally for each value.
    pub(super) fn entered_part(&mut self, of: Expr, tally: TallyId, field: &Name, span: Span) -> Typed {
        let (name, shape) = self.signatures.tallies.get(tally).map(|tally| (tally.name.it.clone(), tally.it.clone()))?;
        let part = |part, kind| Some((made(Node::EnteredPart(of, part), span), kind));
        if field.it == POINTS {
            return part(EnteredPart::Points, Type::Number);
        }
        if field.it == HEAD {
            let Some(kind) = shape.headings else {
                self.faults.push(no_headings(&Name::new(name, field.span)));
                return None;
            };
            return part(EnteredPart::Head, Type::Member(kind));
        }
        let named: Vec<(String, Type)> = shape.cells.indices.iter().map(|index| self.index_name(*index)).collect();
        if let Some((at, (_, kind))) = named.iter().enumerate().find(|(_, (name, _))| *name == field.it) {
            return part(EnteredPart::Index(at), kind.clone());
        }
        let head = shape.headings.map(|_| HEAD);
        let known = named.iter().map(|(name, _)| name.as_str()).chain([POINTS]).chain(head);
        let fault = unknown(field, &format!("a part of an entry of `{name}`"), known);
        self.faults.push(fault);
        None
    }

    fn index_name(&self, index: Index) -> (String, Type) {
        match index {
            Index::Seat => ("seat".to_owned(), Type::Seat),
            Index::Kind(kind, _) => (self.kinds.get(kind).map_or_else(String::new, |kind| kind.name.clone()), Type::Member(kind)),
        }
    }
}
