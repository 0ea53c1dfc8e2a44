//! Prints lists of expressions, calls, and types.

use super::Printer;
use super::expressions::{Level, comma_between};
use super::follow::Follow;
use crate::syntax::tree::{Argument, Domain, Expr, Name, Type, TypeKind};

impl Printer<'_> {
    pub(super) fn exprs(&mut self, values: &[Expr]) {
        let follow = comma_between(values.len());
        self.list(values, |printer, value| printer.expr_before(value, follow));
    }

    pub(super) fn domain(&mut self, domain: &Domain, follow: Follow) {
        match &domain.to {
            Some(to) => {
                self.expr(&domain.from);
                self.put(" to ");
                self.expr_before(to, follow);
            }
            None => self.expr_before(&domain.from, follow),
        }
    }

    pub(super) fn call(&mut self, name: &Name, arguments: Option<&[Argument]>) {
        self.name(name);
        self.arguments(arguments);
    }

    pub(super) fn arguments(&mut self, arguments: Option<&[Argument]>) {
        let Some(arguments) = arguments else { return };
        let follow = comma_between(arguments.len());
        self.in_brackets(arguments, |printer, argument| match argument {
            Argument::All => printer.put("all"),
            Argument::Value(value) => printer.expr_before(value, follow),
        });
    }

    /// `(a, b, c)`
    pub(super) fn in_brackets<T>(&mut self, items: &[T], print: impl FnMut(&mut Self, &T)) {
        self.group(|printer| {
            printer.put("(");
            printer.list(items, print);
            printer.put(")");
        });
    }

    pub(super) fn type_name(&mut self, kind: &Type) {
        self.comments_before(kind.span);
        match &*kind.it {
            TypeKind::Named(name) => self.put(name),
            TypeKind::Account => self.put("account"),
            TypeKind::Maybe(inner) => self.type_behind("maybe ", inner),
            TypeKind::Set(inner) => self.type_behind("set of ", inner),
            TypeKind::List(inner) => self.type_behind("list of ", inner),
            TypeKind::RankingOf(inner) => self.type_behind("ranking of ", inner),
            TypeKind::Enum(names) => {
                self.put("{ ");
                self.names(names);
                self.put(" }");
            }
            TypeKind::ClassOf(name) => self.name_behind("class of ", name),
            TypeKind::EntryOf(name) => self.name_behind("entry of ", name),
            TypeKind::HeadingOf(name) => self.name_behind("heading of ", name),
            TypeKind::Range(from, to) => {
                self.number(from);
                self.put(" to ");
                self.expr_at(to, Level::Sum, Follow::WORDS | Follow::COMMA | Follow::COLON | Follow::COMPARISON);
            }
        }
    }

    fn type_behind(&mut self, word: &str, inner: &Type) {
        self.put(word);
        self.type_name(inner);
    }

    pub(super) fn name_behind(&mut self, word: &str, name: &Name) {
        self.put(word);
        self.name(name);
    }
}
