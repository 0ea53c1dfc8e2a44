//! What is at hand while expressions and scripts are compiled, and what comes of it.

use super::super::cite::Citing;
use super::super::kinds::Kinds;
use super::super::pieces::PieceKind;
use super::super::resolve::Names;
use super::super::selection::Layer;
use super::acts::FoundActs;
use super::definitions::Definitions;
use super::program::{Expr, FamilyId, Node, Query, QueryId, Type};
use super::signatures::Signatures;
use super::written::Types;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree;

/// Compiles what is written against the signatures of everything.
#[derive(Debug)]
pub(in crate::rules) struct Compiler<'d> {
    pub names: Names<'d>,
    /// Those of the draft, and enumerations in place behind them.
    pub kinds: Kinds,
    pub pieces: &'d [PieceKind],
    pub citing: Citing<'d>,
    pub signatures: Signatures<'d>,
    pub queries: Vec<Query>,
    /// Rankings of one piece that expressions use, in the order of their first use.
    pub families: Vec<FamilyUse>,
    pub faults: Vec<Diagnostic>,
    /// What is specified and not built: `check` is content, and the table cannot be played.
    pub incomplete: Vec<Diagnostic>,
    pub(super) acts: FoundActs,
    pub(super) definitions: Definitions,
    /// What is wrong with definitions: each is compiled once, by whoever needs it first.
    pub(super) definition_faults: Vec<Diagnostic>,
    /// Types of acts are being found: nothing that is compiled meanwhile is kept.
    pub(super) guessing: bool,
}

/// A ranking that an expression names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rules) struct FamilyUse {
    pub name: String,
    /// Where it is named first.
    pub span: Span,
    /// Position among the rankings of the signatures.
    pub ranking: usize,
}

/// An expression with its type; `None`: the fault has been told.
pub(in crate::rules) type Typed = Option<(Expr, Type)>;

impl<'d> Compiler<'d> {
    /// Reads the signatures of all layers.
    pub fn new(layers: &'d [Layer<'d>], names: Names<'d>, pieces: &'d [PieceKind], citing: Citing<'d>) -> Compiler<'d> {
        let mut kinds = names.kinds.clone();
        let mut faults = Vec::new();
        let signatures = Signatures::read(layers, &names, &mut kinds, pieces, &mut faults);
        let definitions = Definitions::of(signatures.definitions.len());
        Compiler {
            names,
            kinds,
            pieces,
            citing,
            signatures,
            queries: Vec::new(),
            families: Vec::new(),
            faults,
            incomplete: Vec::new(),
            acts: FoundActs::new(),
            definitions,
            definition_faults: Vec::new(),
            guessing: false,
        }
    }

    /// A type as it is written; `None`: the fault has been told.
    pub fn type_of(&mut self, written: &tree::Type) -> Option<Type> {
        let Compiler { names, kinds, pieces, signatures, faults, .. } = self;
        Types { names, kinds, pieces, tallies: &signatures.tally_names, faults }.read(written)
    }

    pub fn describe(&self, kind: &Type) -> String {
        if let Type::Entered(tally) = kind {
            return format!("an entry of `{}`", self.signatures.tally_names.get(*tally).unwrap_or(&""));
        }
        kind.describe(&self.kinds, self.pieces)
    }

    pub(super) fn fault(&mut self, code: Code, message: impl Into<String>, span: Span) {
        self.faults.push(Diagnostic::new(code, message, span));
    }

    /// Keeps a query.
    pub(super) fn query(&mut self, query: Query) -> QueryId {
        if self.guessing {
            return 0;
        }
        self.queries.push(query);
        self.queries.len() - 1
    }

    /// The number of a ranking that an expression uses.
    pub(super) fn family(&mut self, ranking: usize, name: &tree::Name) -> FamilyId {
        if let Some(known) = self.families.iter().position(|family| family.ranking == ranking) {
            return known;
        }
        self.families.push(FamilyUse { name: name.it.clone(), span: name.span, ranking });
        self.families.len() - 1
    }
}

/// An expression at its place.
pub(super) fn made(node: Node, span: Span) -> Expr {
    Expr { node: Box::new(node), span }
}
