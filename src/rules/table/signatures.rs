//! Everything that parts 4 to 6 give a name: what it takes and what it answers, before any expression is read.

use std::collections::BTreeMap;

use super::super::kinds::KindId;
use super::super::selection::Layer;
use super::program::{Cells, Life, LogSort, NameId, ProcedureId, ProcedureSort, Type};
use super::sites::{Site, Voids};
use crate::source::Span;
use crate::syntax::tree::{self, Block, Expr, Name, Tags};

/// A declaration, and who speaks.
#[derive(Clone, Debug)]
pub(in crate::rules) struct Declared<'d, T> {
    pub name: &'d Name,
    pub layer: &'d Layer<'d>,
    /// The whole declaration.
    pub span: Span,
    pub tags: &'d Tags,
    pub it: T,
}

/// Names and types of what something takes. A type that could not be read is [`Type::BROKEN`].
pub(in crate::rules) type Parameters = Vec<(String, Type)>;

#[derive(Clone, Debug)]
pub(in crate::rules) struct PlaceShape<'d> {
    pub cells: Cells,
    pub at_start: bool,
    /// What the uppermost layer that speaks of it says.
    pub seen: Option<&'d tree::Seen>,
}

#[derive(Clone, Debug)]
pub(in crate::rules) struct AccountShape {
    pub cells: Cells,
    pub joint: bool,
    pub may_owe: bool,
}

#[derive(Clone, Debug)]
pub(in crate::rules) struct TallyShape {
    pub cells: Cells,
    pub life: Life,
    /// The scale of its headings.
    pub headings: Option<KindId>,
}

#[derive(Clone, Debug)]
pub(in crate::rules) struct RoleShape<'d> {
    pub kind: Type,
    pub first: Option<&'d Expr>,
}

#[derive(Clone, Debug)]
pub(in crate::rules) struct FactShape<'d> {
    pub cells: Cells,
    pub kind: Type,
    pub first: Option<&'d Expr>,
    pub life: Life,
    pub seen: Option<&'d tree::Seen>,
}

#[derive(Clone, Debug)]
pub(in crate::rules) struct QuestionShape<'d> {
    pub parameters: Parameters,
    pub answer: Type,
    pub otherwise: Option<&'d Expr>,
}

/// An event, a right or a signal.
#[derive(Clone, Debug)]
pub(in crate::rules) struct HookShape<'d> {
    pub log: NameId,
    pub parameters: Parameters,
    pub written: HookWritten<'d>,
}

impl HookShape<'_> {
    /// Of the signal that is raised for the entries of a tally: which one.
    pub fn reckons(&self) -> Option<usize> {
        match (self.written, self.parameters.as_slice()) {
            (HookWritten::Signal(_), [(_, Type::Entered(tally))]) => Some(*tally),
            (HookWritten::Signal(_) | HookWritten::Event(_) | HookWritten::Right(_) | HookWritten::Voided, _) => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(in crate::rules) enum HookWritten<'d> {
    Event(&'d tree::Event),
    Right(&'d tree::Right),
    Signal(&'d [tree::Parameter]),
    /// `voided(what, cause)`, which the language brings. Clause 5.10.
    Voided,
}

#[derive(Clone, Debug)]
pub(in crate::rules) struct DefinitionShape<'d> {
    pub parameters: Parameters,
    pub value: &'d Expr,
}

/// A procedure, an action, or a phase found inside one.
#[derive(Clone, Debug)]
pub(in crate::rules) struct ProcedureShape<'d> {
    pub sort: ProcedureSort,
    pub parameters: Parameters,
    pub body: &'d Block,
    /// `ended`, `voided`, then what each `end P with O` names.
    pub outcomes: Vec<String>,
}

/// A ranking, as expressions see it.
#[derive(Clone, Debug)]
pub(in crate::rules) struct RankingShape {
    pub parameters: Parameters,
    /// Whether it orders single pieces.
    pub of_one: bool,
    pub piece: usize,
}

/// Something that can stand in the log.
#[derive(Clone, Debug)]
pub(in crate::rules) struct LogShape<'d> {
    pub name: String,
    pub sort: LogSort,
    pub span: Option<Span>,
    /// Who declares it; acts are offered, and their alternatives say where they come from.
    pub from: Option<Source<'d>>,
    pub takes: Takes<'d>,
}

/// A layer, a place in it, and tags.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Source<'d> {
    pub layer: &'d Layer<'d>,
    pub span: Span,
    pub tags: &'d Tags,
}

/// The arguments of a log entry.
#[derive(Clone, Debug)]
pub(in crate::rules) enum Takes<'d> {
    Declared(Parameters),
    /// Every alternative that offers the act: types are found when they are asked for.
    Offered(Vec<Site<'d>>),
}

/// What a name of the rulebook's space means at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Meaning {
    Place(usize),
    Account(usize),
    Tally(usize),
    Role(usize),
    Fact(usize),
    Question(usize),
    Hook(usize),
    Definition(usize),
    /// A procedure or an action.
    Procedure(ProcedureId),
    Ranking(usize),
    /// A kind or a scale; the order is that of a scale.
    Kind(KindId),
}

#[derive(Clone, Debug, Default)]
pub(in crate::rules) struct Signatures<'d> {
    pub places: Vec<Declared<'d, PlaceShape<'d>>>,
    pub accounts: Vec<Declared<'d, AccountShape>>,
    pub tallies: Vec<Declared<'d, TallyShape>>,
    pub roles: Vec<Declared<'d, RoleShape<'d>>>,
    pub facts: Vec<Declared<'d, FactShape<'d>>>,
    pub questions: Vec<Declared<'d, QuestionShape<'d>>>,
    pub hooks: Vec<Declared<'d, HookShape<'d>>>,
    pub definitions: Vec<Declared<'d, DefinitionShape<'d>>>,
    pub procedures: Vec<Declared<'d, ProcedureShape<'d>>>,
    pub rankings: Vec<Declared<'d, RankingShape>>,
    pub names: Vec<LogShape<'d>>,
    /// Names of all tallies by their numbers: types speak of tallies before these can be read.
    pub tally_names: Vec<&'d str>,
    pub meanings: BTreeMap<&'d str, Meaning>,
    pub voids: Voids,
}

impl Signatures<'_> {
    pub fn meaning(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).copied()
    }

    /// A procedure, an action or a phase.
    pub fn procedure(&self, name: &str) -> Option<ProcedureId> {
        self.procedures.iter().position(|procedure| procedure.name.it == name)
    }

    /// The signal that is raised for each entry of a tally: the one that takes nothing but such an entry. Clause 4.7.
    pub fn reckoned(&self, tally: usize) -> Option<usize> {
        self.hooks.iter().position(|hook| hook.it.reckons() == Some(tally))
    }

    /// Whatever stands in the log under this name.
    pub fn log_name(&self, name: &str) -> Option<NameId> {
        self.names.iter().position(|known| known.name == name)
    }
}
