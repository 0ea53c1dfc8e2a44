//! Values by case: `if` and `table`. Clause 3.11.

use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Expr, Node, Row, Type};
use crate::source::Span;
use crate::syntax::tree;

impl Compiler<'_> {
    pub(super) fn choice(&mut self, when: &tree::Expr, ways: [&tree::Expr; 2], span: Span, wanted: Option<&Type>, locals: &mut Locals) -> Typed {
        let when = self.condition(when, locals);
        let (values, kind) = self.alike(&ways, wanted, locals)?;
        let mut values = values.into_iter();
        Some((made(Node::If(when?, values.next()?, values.next()?), span), kind))
    }

    /// Values that stand for one another: one that has a type of its own gives it to the others.
    pub(super) fn alike(&mut self, written: &[&tree::Expr], wanted: Option<&Type>, locals: &mut Locals) -> Option<(Vec<Expr>, Type)> {
        let first = written.iter().position(|expr| self.stands_alone(expr, locals)).unwrap_or(0);
        let known = self.expression(written.get(first).copied()?, wanted, locals);
        let mut common = known.as_ref().map(|(_, kind)| kind.clone());
        let known_sound = known.is_some();
        let mut known = Some(known);
        let mut values: Vec<Option<(Expr, Type)>> = Vec::new();
        for (index, expr) in written.iter().enumerate() {
            if index == first {
                values.push(known.take().flatten());
                continue;
            }
            // Beside one that is wrong or not built nothing can be said of a bare name.
            let told = if known_sound { common.as_ref().filter(|kind| **kind != Type::None) } else { Some(&Type::BROKEN) };
            let read = self.expression(expr, wanted.or(told), locals);
            if let (Some((_, kind)), Some(so_far)) = (&read, &common) {
                common = Some(self.joined(so_far, kind, expr.span)?);
            }
            values.push(read);
        }
        let common = common?;
        let values = values.into_iter().collect::<Option<Vec<_>>>()?;
        let fitted: Option<Vec<Expr>> = values.into_iter().map(|(value, kind)| self.fit(value, &kind, &common, locals)).collect();
        Some((fitted?, common))
    }

    pub(super) fn table(&mut self, of: &tree::Expr, rows: &[tree::TableRow], span: Span, wanted: Option<&Type>, locals: &mut Locals) -> Typed {
        let (of, looked_up) = self.expression(of, None, locals)?;
        let mut order = None;
        let mut keys = Vec::new();
        for row in rows {
            let mut of_row = Some(Vec::new());
            for key in &row.keys {
                if key.or_up {
                    order = self.order(&looked_up, key.value.span)?;
                }
                let read = self.expected(&key.value, &looked_up, locals);
                of_row = of_row.zip(read).map(|(mut all, value)| {
                    all.push((value, key.or_up));
                    all
                });
            }
            keys.push(of_row);
        }
        let written: Vec<&tree::Expr> = rows.iter().map(|row| &row.value).collect();
        let (values, kind) = self.alike(&written, wanted, locals)?;
        let (mut made_rows, mut otherwise) = (Vec::new(), None);
        for (keys, value) in keys.into_iter().zip(values) {
            let keys: Vec<(Expr, bool)> = keys?;
            if keys.is_empty() { otherwise = Some(value) } else { made_rows.push(Row { keys, value }) }
        }
        Some((made(Node::Table { of, rows: made_rows, otherwise, order }, span), kind))
    }
}
