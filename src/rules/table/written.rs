//! Types as they are written. Clauses 3.1 to 3.9.

use super::super::class_kinds;
use super::super::kinds::{KindId, KindSort, Kinds, headings_of};
use super::super::pieces::PieceKind;
use super::super::place::Sort;
use super::super::resolve::Names;
use super::program::{TallyId, Type};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, Name, ParameterDomain, TypeKind};

/// Reads types; an enumeration in place becomes a kind without a name, once for each list of members.
#[derive(Debug)]
pub(in crate::rules) struct Types<'r> {
    pub names: &'r Names<'r>,
    pub kinds: &'r mut Kinds,
    pub pieces: &'r [PieceKind],
    /// Names of the tallies by their numbers.
    pub tallies: &'r [&'r str],
    pub faults: &'r mut Vec<Diagnostic>,
}

impl Types<'_> {
    /// `None`: the fault has been told.
    pub fn read(&mut self, written: &tree::Type) -> Option<Type> {
        match &*written.it {
            TypeKind::Named(name) => self.named(&Name::new(name.clone(), written.span)),
            TypeKind::Maybe(of) => Some(self.read(of)?.maybe()),
            TypeKind::Set(of) => Some(self.read(of)?.set()),
            TypeKind::List(of) => Some(self.read(of)?.list()),
            TypeKind::Enum(members) => Some(Type::Member(self.enumeration(members, written.span))),
            TypeKind::Range(..) => Some(Type::Number),
            TypeKind::Account => Some(Type::Account),
            TypeKind::ClassOf(ranking) => self.classes(ranking),
            TypeKind::RankingOf(of) => self.ranking(of),
            TypeKind::EntryOf(name) => self.tally(name).map(Type::Entered),
            TypeKind::HeadingOf(name) => self.headings(name),
        }
    }

    fn named(&mut self, name: &Name) -> Option<Type> {
        match name.it.as_str() {
            "number" => return Some(Type::Number),
            "truth" => return Some(Type::Truth),
            "seat" => return Some(Type::Seat),
            _ => {}
        }
        if let Some(piece) = self.pieces.iter().position(|piece| piece.name == name.it) {
            return Some(Type::Piece(piece));
        }
        let kind = self.kinds.kind(&name.it).or_else(|| self.kinds.order(&name.it).map(|order| order.kind));
        if kind.is_none() && !matches!(self.names.scope.sort(&name.it), Some(Sort::Kind | Sort::Scale | Sort::Piece)) {
            let mut fault = self.names.scope.missing(name, &[Sort::Kind, Sort::Scale, Sort::Piece], "a type");
            if fault.help.is_empty() {
                fault = fault.with_help("a type is `number`, `truth`, `seat`, a kind, a scale, a piece, or `maybe`, `set of` or `list of` one");
            }
            self.faults.push(fault);
        }
        kind.map(Type::Member)
    }

    /// `class of R`
    fn classes(&mut self, ranking: &Name) -> Option<Type> {
        let found = class_kinds::find(self.kinds, &ranking.it);
        if found.is_none() {
            self.faults.push(self.names.scope.missing(ranking, &[Sort::Ranking], "a ranking"));
        }
        found.map(Type::Member)
    }

    /// `ranking of set of P`, and `ranking of P` for what orders single pieces.
    fn ranking(&mut self, of: &tree::Type) -> Option<Type> {
        let found = self.read(of)?;
        let of_one = found.member().is_none();
        if let (Type::Piece(piece), false) = (found.member_or_self(), matches!(found, Type::Maybe(_) | Type::List(_))) {
            return Some(Type::Ranking { piece: *piece, of_one });
        }
        let message = format!("no ranking orders {}", found.describe(self.kinds, self.pieces));
        let fault = Diagnostic::new(Code::TypeMismatch, message, of.span);
        self.faults.push(fault.with_help("a ranking orders sets of pieces, or single pieces: `ranking of set of …`"));
        None
    }

    /// The number of a tally.
    fn tally(&mut self, name: &Name) -> Option<TallyId> {
        let found = self.tallies.iter().position(|tally| *tally == name.it);
        if found.is_none() {
            self.faults.push(self.names.scope.missing(name, &[Sort::Tally], "a tally"));
        }
        found
    }

    /// `heading of marks`: a value of the scale of its headings. Clause 4.7.
    fn headings(&mut self, name: &Name) -> Option<Type> {
        self.tally(name)?;
        let kind = self.kinds.kind(&headings_of(&name.it));
        if kind.is_none() {
            self.faults.push(no_headings(name));
        }
        kind.map(Type::Member)
    }

    pub fn enumeration(&mut self, members: &[Name], span: Span) -> KindId {
        let same = |kind: &super::super::kinds::Kind| {
            kind.name.is_empty() && kind.sort == KindSort::Plain && kind.names().eq(members.iter().map(|member| member.it.as_str()))
        };
        match self.kinds.kinds.iter().position(same) {
            Some(kind) => kind,
            None => self.kinds.add_enumeration(&Name::new(String::new(), span), KindSort::Plain, members, self.faults),
        }
    }

    /// Names and types of what a declaration takes.
    pub fn parameters(&mut self, written: &[tree::Parameter]) -> Vec<(String, Type)> {
        let mut parameters: Vec<(String, Type)> = Vec::new();
        for (index, parameter) in written.iter().enumerate() {
            if let Some(first) = written.iter().take(index).find(|other| other.name.it == parameter.name.it) {
                let fault =
                    Diagnostic::new(Code::DuplicateName, format!("`{}` stands twice among the parameters", parameter.name.it), parameter.name.span);
                self.faults.push(fault.with_label(first.name.span, "here first"));
            }
            let kind = match &parameter.domain {
                ParameterDomain::Type(written) => self.read(written),
                ParameterDomain::In(domain) if domain.to.is_some() => Some(Type::Number),
                ParameterDomain::In(domain) => self.member_of(&domain.from, parameter),
            };
            parameters.push((parameter.name.it.clone(), kind.unwrap_or(Type::BROKEN)));
        }
        parameters
    }

    /// `p in seats`, `r in rank`, `c in pack`: the type that can be told before any expression is read.
    fn member_of(&mut self, of: &tree::Expr, parameter: &tree::Parameter) -> Option<Type> {
        if matches!(&*of.it, tree::ExprKind::Seats) {
            return Some(Type::Seat);
        }
        if let tree::ExprKind::Name { name, .. } = &*of.it {
            let sort = self.names.scope.sort(&name.it);
            if sort == Some(Sort::Place) {
                return Some(Type::Piece(0));
            }
            if matches!(sort, Some(Sort::Kind | Sort::Scale)) {
                return self.named(name);
            }
        }
        let message = format!("nobody can tell what type `{}` is of", parameter.name.it);
        self.faults.push(Diagnostic::new(Code::TypeMismatch, message, of.span).with_help(format!("write its type: `{}: …`", parameter.name.it)));
        None
    }
}

/// A heading is wanted of a tally that has none.
pub(in crate::rules) fn no_headings(tally: &Name) -> Diagnostic {
    let fault = Diagnostic::new(Code::TypeMismatch, format!("the tally `{}` has no headings", tally.it), tally.span);
    fault.with_help(format!("they stand in its declaration: `tally {} … under ONE, OTHER;`", tally.it))
}

/// The answer to what is specified and not built.
pub(in crate::rules) fn not_yet(what: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::NotYet, format!("{what} are specified, and not built yet"), span)
}
