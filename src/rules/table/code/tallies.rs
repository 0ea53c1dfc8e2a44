//! Entries of a tally and its headings. Clause 4.7.

use super::super::program::{Deed, Expr, Type};
use super::super::signatures::Meaning;
use super::super::written::no_headings;
use super::Script;
use crate::diagnostic::Code;
use crate::rules::place::Sort;
use crate::source::Span;
use crate::syntax::tree::{self, Name, Tags};

impl<'d> Script<'_, 'd> {
    /// `score n to marks(p) under h`, `score n to marks(p) after e`
    pub(super) fn scored(
        &mut self,
        amount: Option<Expr>,
        to: &'d tree::Expr,
        under: Option<&'d tree::Expr>,
        after: Option<&'d tree::Expr>,
    ) -> Option<Deed> {
        let (tally, indices) = self.making.compiler.tally_cell(to, &mut self.locals)?;
        let shape = self.making.compiler.signatures.tallies.get(tally).cloned()?;
        let name = shape.name;
        let under = match (shape.it.headings, under, after) {
            (_, Some(under), Some(_)) => {
                let help = "take out `under …`, or `after …`";
                self.wrong(Code::TypeMismatch, "what is entered behind another comes under the heading of that", under.span, help);
                return None;
            }
            (Some(_), None, None) => {
                let help = format!("write `score … to {}… under HEADING;`", name.it);
                self.wrong(Code::TypeMismatch, format!("the tally `{}` has headings, and this says none", name.it), to.span, &help);
                return None;
            }
            (None, Some(under), None) => {
                let fault = no_headings(&Name::new(name.it.clone(), under.span));
                self.fault(fault);
                return None;
            }
            (Some(kind), Some(under), None) => Some(self.expected(under, &Type::Member(kind))?),
            (_, None, _) => None,
        };
        let after = match after {
            Some(after) => Some(self.expected(after, &Type::Entered(tally))?),
            None => None,
        };
        Some(Deed::Score { amount: amount?, tally, indices, under, after })
    }

    /// `close in-point, in-play of marks;`
    pub(super) fn close(&mut self, headings: &'d [tree::Expr], name: &'d Name, span: Span, tags: &'d Tags) {
        let source = self.source(span, tags);
        let Some(Meaning::Tally(tally)) = self.making.compiler.signatures.meaning(&name.it) else {
            let fault = self.making.compiler.names.scope.missing(name, &[Sort::Tally], "a tally");
            self.fault(fault);
            return;
        };
        let Some(kind) = self.making.compiler.signatures.tallies.get(tally).and_then(|tally| tally.it.headings) else {
            self.fault(no_headings(name));
            return;
        };
        let read: Vec<Option<Expr>> = headings.iter().map(|heading| self.expected(heading, &Type::Member(kind))).collect();
        if let Some(headings) = read.into_iter().collect() {
            self.does(Deed::Close { tally, headings }, span, source);
        }
    }
}
