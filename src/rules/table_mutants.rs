//! Elements of a table that can be taken away or turned round: rules, `adopt` lines, statements of scripts, seats, places, rights. Clause 9.3.

use super::mutants::{Finder, Mutation, Part};
use super::selection::Layer;
use crate::syntax::tree::{Alternative, At, Block, Declaration, Does, ScaleOrder, ScaleShift, Statement, StatementKind, Tags};

impl Finder<'_> {
    /// What a declaration says of a table.
    pub(super) fn table(&mut self, layer: &Layer<'_>, declaration: &At<Declaration>) {
        let span = declaration.span;
        let whole = || (span, Part::Table(span));
        let drop = || vec![Mutation::Drop];
        match &declaration.it {
            Declaration::Rule(rule) => {
                let mut mutations = drop();
                if rule.body.it.iter().any(|statement| matches!(statement.it, StatementKind::When(_))) {
                    mutations.push(Mutation::Contradict);
                }
                self.add(layer, &rule.tags, format!("rule `{}`", rule.name.it), rule.name.span, whole(), mutations);
                self.block(layer, span, &rule.body);
            }
            Declaration::Adopt { names, tags } => {
                for (at, name) in names.iter().enumerate() {
                    self.add(layer, tags, format!("adopt `{}`", name.it), name.span, (span, Part::Edge(at)), drop());
                }
            }
            Declaration::Procedure { name, tags, body, .. } => {
                self.add(layer, tags, format!("procedure `{}`", name.it), name.span, whole(), drop());
                self.block(layer, span, body);
            }
            Declaration::Action { name, tags, body, .. } => {
                self.add(layer, tags, format!("action `{}`", name.it), name.span, whole(), drop());
                self.block(layer, span, body);
            }
            Declaration::Seats { least, most, tags } => {
                let mutations =
                    if most.as_ref().is_some_and(|most| most.it > least.it) { vec![Mutation::FewerSeats, Mutation::MoreSeats] } else { Vec::new() };
                self.add(layer, tags, "seats".to_owned(), span, whole(), mutations);
            }
            Declaration::Place(place) => {
                self.add(layer, &place.tags, format!("place `{}`", place.name.it), place.name.span, whole(), vec![Mutation::Uncover]);
            }
            Declaration::Account(account) => {
                let mutations = if account.may_owe { drop() } else { Vec::new() };
                self.add(layer, &account.tags, format!("`may owe` of `{}`", account.name.it), account.name.span, whole(), mutations);
            }
            Declaration::Right(right) => {
                self.add(layer, &right.tags, format!("right `{}`", right.name.it), right.name.span, whole(), drop());
                right.body.iter().for_each(|body| self.block(layer, span, body));
            }
            Declaration::Event(event) => {
                self.add(layer, &event.tags, format!("event `{}`", event.name.it), event.name.span, whole(), drop());
                event.supposes.iter().for_each(|body| self.block(layer, span, body));
            }
            Declaration::VoidRestores { procedure, tags, .. } => {
                self.add(layer, tags, format!("what a void of `{}` restores", procedure.it), procedure.span, whole(), drop());
            }
            Declaration::Scale(scale) => {
                let mutations = match &scale.order {
                    ScaleOrder::Members { members, .. } => (1..members.len()).map(|at| Mutation::SwapKeys(at - 1)).collect(),
                    ScaleOrder::Derived { shift: ScaleShift::AlsoLowest, .. } => Vec::new(),
                    ScaleOrder::Derived { .. } => vec![Mutation::Swap],
                };
                self.add(layer, &scale.tags, format!("scale `{}`", scale.name.it), scale.name.span, whole(), mutations);
            }
            // Whatever else there is, is no table's, or nothing can be done to it that leaves a rulebook.
            Declaration::Library { .. }
            | Declaration::Rulebook { .. }
            | Declaration::House(_)
            | Declaration::Amendment(_)
            | Declaration::Interface(_)
            | Declaration::Implements(_)
            | Declaration::Use(_)
            | Declaration::Kind(_)
            | Declaration::Piece { .. }
            | Declaration::Pieces(_)
            | Declaration::Param { .. }
            | Declaration::Choice(_)
            | Declaration::Tally(_)
            | Declaration::Role { .. }
            | Declaration::Fact(_)
            | Declaration::Question { .. }
            | Declaration::Signal { .. }
            | Declaration::Breach { .. }
            | Declaration::Def { .. }
            | Declaration::Remark { .. }
            | Declaration::Advise { .. }
            | Declaration::Claim(_)
            | Declaration::Undecided { .. }
            | Declaration::Ranking(_)
            | Declaration::Set { .. }
            | Declaration::Choose { .. }
            | Declaration::RankingEdit { .. } => {}
        }
    }

    fn block(&mut self, layer: &Layer<'_>, line: crate::source::Span, block: &Block) {
        for statement in &block.it {
            self.statement(layer, line, statement);
        }
    }

    fn statement(&mut self, layer: &Layer<'_>, line: crate::source::Span, statement: &Statement) {
        if let Some(tags) = tags_of(&statement.it).filter(|tags| !tags.cites.is_empty()) {
            let (what, span) = (kind_of(&statement.it), statement.span);
            self.add(layer, tags, what.to_owned(), span, (line, Part::Table(span)), vec![Mutation::Drop]);
        }
        match &statement.it {
            StatementKind::Block(block) | StatementKind::Before(block) | StatementKind::After(block) => self.block(layer, line, block),
            StatementKind::Each { body, .. } | StatementKind::Repeat { body, .. } | StatementKind::Phase { body, .. } => {
                self.block(layer, line, body);
            }
            StatementKind::If { then, otherwise, .. } => {
                self.block(layer, line, then);
                otherwise.iter().for_each(|otherwise| self.statement(layer, line, otherwise));
            }
            StatementKind::Offer { alternatives, .. } | StatementKind::Duty { alternatives, .. } => {
                alternatives.iter().for_each(|alternative| self.alternative(layer, line, alternative, true));
            }
            StatementKind::SingleDuty { alternative, .. } => self.alternative(layer, line, alternative, false),
            StatementKind::Let { .. }
            | StatementKind::When(_)
            | StatementKind::Is(_)
            | StatementKind::Pause(_)
            | StatementKind::Share { .. }
            | StatementKind::Close { .. }
            | StatementKind::Settle(_)
            | StatementKind::Again
            | StatementKind::Do { .. } => {}
        }
    }

    fn alternative(&mut self, layer: &Layer<'_>, line: crate::source::Span, alternative: &At<Alternative>, several: bool) {
        if !alternative.it.tags.cites.is_empty() && several {
            let (what, span) = (format!("`| {}`", alternative.it.act.it), alternative.span);
            self.add(layer, &alternative.it.tags, what, span, (line, Part::Table(span)), vec![Mutation::Drop]);
        }
        if let Does::Block(block) = &alternative.it.does {
            self.block(layer, line, block);
        }
    }
}

/// What a statement cites.
pub(super) fn tags_of(kind: &StatementKind) -> Option<&Tags> {
    match kind {
        StatementKind::Each { tags, .. }
        | StatementKind::Repeat { tags, .. }
        | StatementKind::Offer { tags, .. }
        | StatementKind::Duty { tags, .. }
        | StatementKind::Pause(tags)
        | StatementKind::Phase { tags, .. }
        | StatementKind::Share { tags, .. }
        | StatementKind::Close { tags, .. }
        | StatementKind::Do { tags, .. } => Some(tags),
        StatementKind::SingleDuty { alternative, .. } => Some(&alternative.it.tags),
        StatementKind::Block(_)
        | StatementKind::Let { .. }
        | StatementKind::When(_)
        | StatementKind::Is(_)
        | StatementKind::Before(_)
        | StatementKind::After(_)
        | StatementKind::If { .. }
        | StatementKind::Settle(_)
        | StatementKind::Again => None,
    }
}

/// What a statement is called.
fn kind_of(kind: &StatementKind) -> &'static str {
    match kind {
        StatementKind::Each { .. } | StatementKind::Repeat { .. } => "a loop",
        StatementKind::Offer { .. } => "an offer",
        StatementKind::Duty { .. } | StatementKind::SingleDuty { .. } => "a duty",
        StatementKind::Pause(_) => "a pause",
        StatementKind::Phase { .. } => "a phase",
        StatementKind::Block(_)
        | StatementKind::Let { .. }
        | StatementKind::When(_)
        | StatementKind::Is(_)
        | StatementKind::Before(_)
        | StatementKind::After(_)
        | StatementKind::If { .. }
        | StatementKind::Share { .. }
        | StatementKind::Close { .. }
        | StatementKind::Settle(_)
        | StatementKind::Again
        | StatementKind::Do { .. } => "a statement",
    }
}
