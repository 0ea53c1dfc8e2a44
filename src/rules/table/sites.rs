//! What is found inside scripts, anywhere nested: phases, acts, outcomes, and what is voided.

use std::collections::{BTreeMap, BTreeSet};

use super::program::Type;
use crate::source::Span;
use crate::syntax::tree::{ActParameter, Alternative, At, Block, Deed, Does, Domain, DutyBy, EachOver, Expr, Name, OfferTo, Parameter};
use crate::syntax::tree::{Statement, StatementKind, Tags};

/// What `void P for CAUSE` names: procedures and causes.
#[derive(Clone, Debug, Default)]
pub(in crate::rules) struct Voids {
    pub procedures: BTreeSet<String>,
    pub causes: BTreeSet<String>,
}

/// An alternative that offers an act, and what names mean there.
#[derive(Clone, Debug)]
pub(in crate::rules) struct Site<'d> {
    pub act: &'d Name,
    pub parameters: &'d [ActParameter],
    /// From the outside in.
    pub scope: Vec<Binding<'d>>,
}

/// A name in the scope of an alternative.
#[derive(Clone, Debug)]
pub(in crate::rules) struct Binding<'d> {
    pub name: &'d str,
    pub bound: Bound<'d>,
}

#[derive(Clone, Debug)]
pub(in crate::rules) enum Bound<'d> {
    Typed(Type),
    /// `let n = E;`
    Let(&'d Expr),
    /// `each x in D`
    Walk(&'d Domain),
    /// `c in hand(p)`, in an act
    Parameter(&'d Parameter),
}

/// A phase where it was found.
#[derive(Clone, Debug)]
pub(in crate::rules) struct Phase<'d> {
    pub name: &'d Name,
    pub tags: &'d Tags,
    pub body: &'d Block,
    pub span: Span,
}

/// Walks scripts and keeps what it finds.
#[derive(Clone, Debug, Default)]
pub(in crate::rules) struct Walk<'d> {
    pub phases: Vec<Phase<'d>>,
    pub sites: Vec<Site<'d>>,
    /// `end P with O`: outcomes by the name of the procedure.
    pub outcomes: BTreeMap<&'d str, Vec<&'d Name>>,
    pub voids: Voids,
    scope: Vec<Binding<'d>>,
}

impl<'d> Walk<'d> {
    /// A whole script, whose parameters have these types.
    pub fn script(&mut self, parameters: impl IntoIterator<Item = (&'d str, Type)>, body: &'d Block) {
        self.scope = parameters.into_iter().map(|(name, kind)| Binding { name, bound: Bound::Typed(kind) }).collect();
        self.block(body);
        self.scope.clear();
    }

    fn block(&mut self, block: &'d Block) {
        let depth = self.scope.len();
        for statement in &block.it {
            self.statement(statement);
        }
        self.scope.truncate(depth);
    }

    fn statement(&mut self, statement: &'d Statement) {
        let depth = self.scope.len();
        match &statement.it {
            StatementKind::Block(block) | StatementKind::Before(block) | StatementKind::After(block) => self.block(block),
            // It lasts to the end of the block.
            StatementKind::Let { name, value } => return self.bind(name, Bound::Let(value)),
            StatementKind::If { when: _, then, otherwise } => {
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::Each { over, body, .. } => {
                self.each(over);
                self.block(body);
            }
            StatementKind::Repeat { body, .. } => self.block(body),
            StatementKind::Offer { to, alternatives, .. } => {
                if let OfferTo::Each { name, .. } = to {
                    self.bind(name, Bound::Typed(Type::Seat));
                }
                self.alternatives(alternatives);
            }
            StatementKind::Duty { by, alternatives, .. } => {
                self.duty(by);
                self.alternatives(alternatives);
            }
            StatementKind::SingleDuty { by, alternative } => {
                self.duty(by);
                self.alternative(&alternative.it);
            }
            StatementKind::Phase { name, tags, body } => {
                self.phases.push(Phase { name, tags, body, span: statement.span });
                self.block(body);
            }
            StatementKind::Do { deed, .. } => self.deed(deed),
            StatementKind::When(_)
            | StatementKind::Is(_)
            | StatementKind::Pause(_)
            | StatementKind::Share { .. }
            | StatementKind::Close { .. }
            | StatementKind::Settle(_)
            | StatementKind::Again => {}
        }
        self.scope.truncate(depth);
    }

    fn bind(&mut self, name: &'d Name, bound: Bound<'d>) {
        self.scope.push(Binding { name: &name.it, bound });
    }

    fn each(&mut self, over: &'d EachOver) {
        match over {
            EachOver::Slice { name, .. } => self.bind(name, Bound::Typed(Type::Account)),
            EachOver::Around { name, .. } => self.bind(name, Bound::Typed(Type::Seat)),
            EachOver::Of { name, domain } => self.bind(name, Bound::Walk(domain)),
        }
    }

    fn duty(&mut self, by: &'d DutyBy) {
        match by {
            DutyBy::Each { name, .. } => self.bind(name, Bound::Typed(Type::Seat)),
            DutyBy::Nobody | DutyBy::Seat { .. } => {}
        }
    }

    fn alternatives(&mut self, alternatives: &'d [At<Alternative>]) {
        for alternative in alternatives {
            self.alternative(&alternative.it);
        }
    }

    fn alternative(&mut self, alternative: &'d Alternative) {
        let depth = self.scope.len();
        let parameters = alternative.parameters.as_deref().unwrap_or_default();
        self.sites.push(Site { act: &alternative.act, parameters, scope: self.scope.clone() });
        for parameter in parameters {
            if let ActParameter::Parameter(parameter) = parameter {
                self.bind(&parameter.name, Bound::Parameter(parameter));
            }
        }
        match &alternative.does {
            Does::Block(block) => self.block(block),
            Does::Deed(deed) => self.deed(&deed.it),
        }
        self.scope.truncate(depth);
    }

    fn deed(&mut self, deed: &'d Deed) {
        match deed {
            Deed::End { procedure, outcome: Some(outcome) } => self.outcomes.entry(&procedure.it).or_default().push(outcome),
            Deed::Void { procedure, cause, .. } => {
                self.voids.procedures.insert(procedure.it.clone());
                self.voids.causes.extend(cause.as_ref().map(|cause| cause.it.clone()));
            }
            Deed::End { outcome: None, .. }
            | Deed::Pay { .. }
            | Deed::Move { .. }
            | Deed::Score { .. }
            | Deed::Mark { .. }
            | Deed::Show { .. }
            | Deed::Arrange(_)
            | Deed::Lift { .. }
            | Deed::Announce { .. }
            | Deed::Stands
            | Deed::Refuse
            | Deed::Assign { .. }
            | Deed::Call { .. } => {}
        }
    }
}
