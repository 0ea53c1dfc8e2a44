//! Every place of a declaration where something can be changed, in the order in which it is written.
//!
//! Places are numbered. The tree is walked once to list what can be done where, and once more, over a copy, to do it at one number.

use crate::syntax::print;
use crate::syntax::tree::{
    ActParameter, Alternative, Argument, At, Binder, Block, Deed, Destination, Does, Domain, DutyBy, EachOver, Expr, ExprKind, ExtremeOf, KnownTo,
    LogMark, LogPattern, Moved, MovedCount, MovedPart, OfferTo, Parameter, ParameterDomain, Seen, SeenBy, Statement, StatementKind,
};

/// A place.
#[derive(Debug)]
pub(super) enum Site<'s> {
    /// `condition`: it guards a rule, an act, an event or a right, so that without it more happens.
    Expression {
        expr: &'s mut Expr,
        condition: bool,
    },
    Statement(&'s mut Statement),
    /// `several`: it is one of those of an offer or a duty, and others remain without it.
    Alternative {
        alternative: &'s mut At<Alternative>,
        several: bool,
    },
}

/// Longer texts are not told in names.
const TOLD: usize = 60;

/// Walks; `see` is told the number of a place, the place, and what stands around it (empty if that is long, or not asked for).
pub(super) struct Walk<'w> {
    next: usize,
    /// Whether anybody reads what stands around a place.
    told: bool,
    around: String,
    see: &'w mut dyn FnMut(usize, Site<'_>, &str),
}

impl<'w> Walk<'w> {
    pub fn new(told: bool, see: &'w mut dyn FnMut(usize, Site<'_>, &str)) -> Walk<'w> {
        Walk { next: 0, told, around: String::new(), see }
    }

    fn seen(&mut self, site: Site<'_>) {
        (self.see)(self.next, site, &self.around);
        self.next += 1;
    }

    fn around(&mut self, text: impl FnOnce() -> String) -> String {
        let text = if self.told { Some(text()).filter(|text| text.chars().count() <= TOLD) } else { None };
        std::mem::replace(&mut self.around, text.unwrap_or_default())
    }

    /// A value on its own.
    pub fn root(&mut self, expr: &mut Expr) {
        self.whole(expr, false);
    }

    pub fn condition(&mut self, expr: &mut Expr) {
        self.whole(expr, true);
    }

    fn whole(&mut self, expr: &mut Expr, condition: bool) {
        let before = self.around(|| print::expression(expr));
        self.expression(expr, condition);
        self.around = before;
    }

    pub fn roots<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut Expr>) {
        exprs.into_iter().for_each(|expr| self.root(expr));
    }

    fn inner<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut Expr>) {
        exprs.into_iter().for_each(|expr| self.expression(expr, false));
    }

    fn expression(&mut self, expr: &mut Expr, condition: bool) {
        self.seen(Site::Expression { expr, condition });
        match &mut *expr.it {
            ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Truth(_) | ExprKind::None | ExprKind::Nobody | ExprKind::Seats => {}
            ExprKind::Owner | ExprKind::Hole | ExprKind::During(_) => {}
            ExprKind::Name { arguments, .. } => self.arguments(arguments.as_deref_mut()),
            ExprKind::Field { of, .. } | ExprKind::Is { of, .. } | ExprKind::EndOf { of, .. } | ExprKind::Count(of) => self.inner([of]),
            ExprKind::Not(of) | ExprKind::Minus(of) | ExprKind::Only(of) => self.inner([of]),
            ExprKind::If { when, then, otherwise } => self.inner([when, then, otherwise]),
            ExprKind::Binary { left, right, .. } => self.inner([left, right]),
            ExprKind::Chain { first, rest } => self.inner(std::iter::once(first).chain(rest.iter_mut().map(|(_, part)| part))),
            ExprKind::Reaches { of, key, .. } => self.inner(std::iter::once(of).chain(key)),
            ExprKind::Quantified { binder, body, .. } => {
                self.binder(binder);
                self.inner(body);
            }
            ExprKind::Those(binder) => self.binder(binder),
            ExprKind::CountOf { pattern, since } | ExprKind::Log { pattern, since, .. } => self.log(pattern, since.as_mut()),
            ExprKind::Sum { of, binder } => {
                self.inner([of]);
                self.binder(binder);
            }
            ExprKind::Extreme { of: ExtremeOf::Binder { binder, by }, .. } => {
                self.binder(binder);
                self.inner([by]);
            }
            ExprKind::Extreme { of: ExtremeOf::Set(of), .. } => self.inner([of]),
            ExprKind::Best { of, arguments, .. } => {
                self.inner([of]);
                self.arguments(arguments.as_deref_mut());
            }
            ExprKind::Beside { of, among, .. } => self.inner(std::iter::once(of).chain(among)),
            ExprKind::Reckoned { of, entry, .. } => self.inner([of, entry]),
            ExprKind::Cycle { of, at } => self.inner(of.iter_mut().chain([at])),
            ExprKind::Grouped { of, least, .. } => self.inner(std::iter::once(of).chain(least)),
            ExprKind::Set(of) => self.inner(of),
            ExprKind::List(of) => of.iter_mut().for_each(|domain| self.domain(domain)),
            ExprKind::Table { of, rows } => {
                self.inner([of]);
                for row in rows {
                    let keys: Vec<String> = row.keys.iter().map(|key| print::expression(&key.value)).collect();
                    let keys = if keys.is_empty() { "else".to_owned() } else { keys.join(", ") };
                    let before = self.around(|| format!("{keys}: {}", print::expression(&row.value)));
                    self.inner(row.keys.iter_mut().map(|key| &mut key.value).chain([&mut row.value]));
                    self.around = before;
                }
            }
        }
    }

    fn arguments(&mut self, arguments: Option<&mut [Argument]>) {
        for argument in arguments.into_iter().flatten() {
            if let Argument::Value(value) = argument {
                self.expression(value, false);
            }
        }
    }

    fn binder(&mut self, binder: &mut Binder) {
        self.inner(std::iter::once(&mut binder.of).chain(&mut binder.filter));
    }

    fn domain(&mut self, domain: &mut Domain) {
        self.inner(std::iter::once(&mut domain.from).chain(&mut domain.to));
    }

    fn log(&mut self, pattern: &mut LogPattern, since: Option<&mut LogMark>) {
        self.arguments(pattern.arguments.as_deref_mut());
        self.inner(pattern.by.as_mut().map(|by| &mut by.seat));
        if let Some(LogMark::Entry(entry)) = since {
            self.inner([entry]);
        }
    }

    /// `n in 1 to 5`
    pub fn parameters(&mut self, parameters: &mut [Parameter]) {
        for parameter in parameters {
            if let ParameterDomain::In(domain) = &mut parameter.domain {
                self.domain(domain);
            }
        }
    }

    pub fn sight(&mut self, seen: &mut Seen) {
        if let SeenBy::Seats(seats) = &mut seen.by {
            self.root(seats);
        }
        self.roots(&mut seen.when);
    }

    pub fn block(&mut self, block: &mut Block) {
        block.it.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &mut Statement) {
        self.seen(Site::Statement(statement));
        match &mut statement.it {
            StatementKind::Block(block) | StatementKind::Before(block) | StatementKind::After(block) => self.block(block),
            StatementKind::Phase { body, .. } => self.block(body),
            StatementKind::Let { value, .. } | StatementKind::Is(value) | StatementKind::Settle(value) => self.root(value),
            StatementKind::When(when) => self.condition(when),
            StatementKind::If { when, then, otherwise } => {
                self.root(when);
                self.block(then);
                otherwise.iter_mut().for_each(|otherwise| self.statement(otherwise));
            }
            StatementKind::Each { over, filter, until, body, .. } => {
                match over {
                    EachOver::Slice { of, among, .. } => self.roots([of, among]),
                    EachOver::Around { from, .. } => self.root(from),
                    EachOver::Of { domain, .. } => self.domain(domain),
                }
                self.roots(filter.iter_mut().chain(until));
                self.block(body);
            }
            StatementKind::Repeat { times, until, holds, body, after, .. } => {
                let times = times.as_mut().map(|times| &mut times.count);
                self.roots(times.into_iter().chain(until).chain(holds));
                self.block(body);
                self.roots(after);
            }
            StatementKind::Offer { to, alternatives, .. } => {
                let (OfferTo::Seat(of) | OfferTo::Each { of, .. }) = to;
                self.root(of);
                self.alternatives(alternatives);
            }
            StatementKind::Duty { by, alternatives, .. } => {
                self.duty(by);
                self.alternatives(alternatives);
            }
            StatementKind::SingleDuty { by, alternative } => {
                self.duty(by);
                self.alternative(alternative, false);
            }
            StatementKind::Share { amount, among, to, rest, .. } => self.roots([amount, among, to, rest]),
            StatementKind::Close { headings, .. } => self.roots(headings),
            StatementKind::Do { deed, .. } => self.deed(deed),
            StatementKind::Pause(_) | StatementKind::Again => {}
        }
    }

    fn duty(&mut self, by: &mut DutyBy) {
        match by {
            DutyBy::Nobody => {}
            DutyBy::Each { of, .. } => self.root(of),
            DutyBy::Seat { arguments, .. } => self.arguments(arguments.as_deref_mut()),
        }
    }

    fn alternatives(&mut self, alternatives: &mut [At<Alternative>]) {
        let several = alternatives.len() > 1;
        alternatives.iter_mut().for_each(|alternative| self.alternative(alternative, several));
    }

    fn alternative(&mut self, alternative: &mut At<Alternative>, several: bool) {
        self.seen(Site::Alternative { alternative, several });
        let Alternative { parameters, when, heard, regular, does, .. } = &mut alternative.it;
        for parameter in parameters.iter_mut().flatten() {
            match parameter {
                ActParameter::Parameter(parameter) => self.parameters(std::slice::from_mut(parameter)),
                ActParameter::Fixed(value) => self.root(value),
            }
        }
        when.iter_mut().for_each(|when| self.condition(when));
        self.roots(heard);
        regular.iter_mut().for_each(|regular| self.condition(regular));
        match does {
            Does::Block(block) => self.block(block),
            Does::Deed(deed) => self.deed(&mut deed.it),
        }
    }

    fn deed(&mut self, deed: &mut Deed) {
        let before = self.around(|| print::deed(deed));
        match deed {
            Deed::Pay { amount, from, to } => self.inner(amount.iter_mut().chain([from, to])),
            Deed::Move { what, from, to } => {
                match what {
                    Moved::Every { filter, .. } => self.inner(filter),
                    Moved::End { count, of, .. } => {
                        if let MovedCount::Number(count) = count {
                            self.inner([count]);
                        }
                        self.inner([of]);
                    }
                    Moved::These(these) => self.inner(these),
                }
                let (Destination::End(_, to) | Destination::Place(to)) = to;
                self.inner(from.iter_mut().chain([to]));
            }
            Deed::Score { amount, to, under, after } => self.inner([amount, to].into_iter().chain(under).chain(after)),
            Deed::Mark { what, to } | Deed::Show { what, to } => {
                match what {
                    MovedPart::End { count, of, .. } => self.inner(count.iter_mut().chain([of])),
                    MovedPart::These(these) => self.inner([these]),
                }
                if let KnownTo::Seats(seats) = to {
                    self.inner([seats]);
                }
            }
            Deed::Arrange(of) => self.inner([of]),
            Deed::Lift { count, of } => self.inner(count.iter_mut().chain([of])),
            Deed::Announce { arguments, .. } => self.arguments(arguments.as_deref_mut()),
            Deed::Assign { arguments, value, .. } => {
                self.arguments(arguments.as_deref_mut());
                self.inner([value]);
            }
            Deed::Call { arguments, .. } => self.arguments(Some(arguments)),
            Deed::End { .. } | Deed::Void { .. } | Deed::Stands | Deed::Refuse => {}
        }
        self.around = before;
    }
}
