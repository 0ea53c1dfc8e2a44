//! Questions put to the log, and what is open. Clauses 5.13 and 5.14.

use super::super::super::kinds::{KindId, KindSort};
use super::super::super::scope::unknown;
use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Expr, LogMark, NameId, Node, ProcedureId, Query, QueryId, Type};
use super::super::reading::EVENING;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, Argument, ExprKind, LogPattern, LogWord, Name};

impl Compiler<'_> {
    /// `has P since M`, `first P`, `last unsettled P`
    pub(super) fn log(
        &mut self,
        word: LogWord,
        unsettled: bool,
        pattern: &LogPattern,
        since: Option<&tree::LogMark>,
        span: Span,
        locals: &mut Locals,
    ) -> Typed {
        let (query, names) = self.pattern(pattern, unsettled, since, locals)?;
        let (node, kind) = match word {
            LogWord::Has => (Node::Has(query), Type::Truth),
            LogWord::First => (Node::First(query), Type::Entry(names)),
            LogWord::Last => (Node::Last(query), Type::Entry(names)),
        };
        Some((made(node, span), kind))
    }

    /// A query, and the names of what it finds.
    pub(super) fn pattern(
        &mut self,
        pattern: &LogPattern,
        unsettled: bool,
        since: Option<&tree::LogMark>,
        locals: &mut Locals,
    ) -> Option<(QueryId, Vec<NameId>)> {
        let found: Vec<Option<NameId>> = pattern.names.iter().map(|name| self.logged(name)).collect();
        let names: Option<Vec<NameId>> = found.into_iter().collect();
        let arguments = names.as_ref().and_then(|names| self.pattern_arguments(pattern, names, locals));
        let by = match &pattern.by {
            Some(by) => self.expected(&by.seat, &Type::Seat, locals).map(|seat| Some((by.not, seat))),
            None => Some(None),
        };
        let since = match since {
            Some(mark) => self.mark(mark, locals)?,
            None => None,
        };
        let names = names?;
        let query = Query { names: names.clone(), arguments: arguments?, by: by?, unsettled, since };
        Some((self.query(query), names))
    }

    fn logged(&mut self, name: &Name) -> Option<NameId> {
        let found = self.signatures.log_name(&name.it);
        if found.is_none() {
            const WANTED: &str = "an act, an event, a right, a signal or a breach";
            let fault = match self.names.scope.sort(&name.it) {
                Some(_) => self.names.scope.missing(name, &[], WANTED),
                None => unknown(name, WANTED, self.signatures.names.iter().map(|known| known.name.as_str())),
            };
            self.faults.push(fault);
        }
        found
    }

    /// Every name of the pattern must take such arguments; those that are not written are free.
    fn pattern_arguments(&mut self, pattern: &LogPattern, names: &[NameId], locals: &mut Locals) -> Option<Vec<Option<Expr>>> {
        let written = pattern.arguments.as_deref().unwrap_or_default();
        let mut kinds: Vec<Type> = Vec::new();
        for (name, at) in names.iter().zip(&pattern.names) {
            let takes = self.arguments_of(*name);
            if takes.len() < written.len() {
                let (has, count) = (super::super::acts::arguments(takes.len()), super::super::acts::arguments(written.len()));
                let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` has {has}, and {count} stand in the pattern", at.it), at.span);
                self.faults.push(fault.with_help(format!("the seat that acted is found by `{} by p`", at.it)));
                return None;
            }
            for (index, (_, kind)) in takes.iter().take(written.len()).enumerate() {
                match kinds.get(index).cloned() {
                    Some(known) => {
                        let joined = self.joined(&known, kind, at.span)?;
                        kinds.splice(index..=index, [joined]);
                    }
                    None => kinds.push(kind.clone()),
                }
            }
        }
        let read = written.iter().zip(&kinds).map(|(argument, kind)| match argument {
            Argument::Value(value) if matches!(&*value.it, ExprKind::Hole) => Some(None),
            Argument::Value(value) => self.expected(value, &kind.clone().maybe(), locals).map(Some),
            Argument::All => Some(None),
        });
        let read: Vec<Option<Option<Expr>>> = read.collect();
        read.into_iter().collect()
    }

    /// `start of P`; `start of evening` where no procedure has that name is no mark at all.
    fn mark(&mut self, mark: &tree::LogMark, locals: &mut Locals) -> Option<Option<LogMark>> {
        match mark {
            tree::LogMark::Start(name) if name.it == EVENING && self.signatures.procedure(&name.it).is_none() => Some(None),
            tree::LogMark::Start(name) => Some(Some(LogMark::Start(self.procedure(name)?))),
            tree::LogMark::End(name) => Some(Some(LogMark::End(self.procedure(name)?))),
            tree::LogMark::Entry(entry) => Some(Some(LogMark::Entry(self.entry(entry, locals)?))),
        }
    }

    /// A procedure or a phase by its name.
    pub fn procedure(&mut self, name: &Name) -> Option<ProcedureId> {
        let found = self.signatures.procedure(&name.it);
        if found.is_none() {
            let fault = match self.names.scope.sort(&name.it) {
                Some(_) => self.names.scope.missing(name, &[], "a procedure or a phase"),
                None => unknown(name, "a procedure or a phase", self.signatures.procedures.iter().map(|known| known.name.it.as_str())),
            };
            self.faults.push(fault);
        }
        found
    }

    /// `during P, Q`
    pub(super) fn during(&mut self, names: &[Name], span: Span) -> Typed {
        let read: Vec<Option<ProcedureId>> = names.iter().map(|name| self.procedure(name)).collect();
        let procedures = read.into_iter().collect::<Option<Vec<ProcedureId>>>()?;
        Some((made(Node::During(procedures), span), Type::Truth))
    }

    /// The kind whose values are the outcomes of a procedure, in their order.
    pub(super) fn outcomes(&mut self, procedure: ProcedureId) -> Option<KindId> {
        let known = self.signatures.procedures.get(procedure)?;
        let names: Vec<Name> = known.it.outcomes.iter().map(|outcome| Name::new(outcome.clone(), known.name.span)).collect();
        let same = |kind: &super::super::super::kinds::Kind| kind.name.is_empty() && kind.names().eq(names.iter().map(|name| name.it.as_str()));
        if let Some(kind) = self.kinds.kinds.iter().position(same) {
            return Some(kind);
        }
        let name = Name::new(String::new(), known.name.span);
        let mut faults = std::mem::take(&mut self.faults);
        let kind = self.kinds.add_enumeration(&name, KindSort::Plain, &names, &mut faults);
        self.faults = faults;
        Some(kind)
    }
}
