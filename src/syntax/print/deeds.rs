//! Prints deeds and alternatives.

use super::Printer;
use super::expressions::{Level, comma_between};
use super::follow::{Follow, leftmost};
use crate::syntax::tree::{
    ActParameter, Alternative, AssignWord, At, Deed, Destination, Does, Expr, ExprKind, KnownTo, Moved, MovedCount, MovedPart, Name, Parameter,
    ParameterDomain, PlaceEnd, SequenceEnd, Tags,
};

impl Printer<'_> {
    pub(super) fn deed(&mut self, deed: &Deed) {
        match deed {
            Deed::Pay { amount, from, to } => {
                self.put("pay ");
                self.all_or(amount.as_ref(), Follow::NOTHING);
                self.expr_behind("from", Some(from));
                self.expr_behind("to", Some(to));
            }
            Deed::Move { what, from, to } => {
                self.put("move ");
                self.moved(what);
                self.expr_behind("from", from.as_ref());
                self.word("to");
                self.destination(to);
            }
            Deed::Score { amount, to, under, after } => {
                self.put("score ");
                self.expr(amount);
                self.expr_behind("to", Some(to));
                self.expr_behind("under", under.as_ref());
                self.expr_behind("after", after.as_ref());
            }
            Deed::Mark { what, to } => {
                self.put("mark ");
                self.moved_part(what);
                self.word("known to");
                self.known_to(to);
            }
            Deed::Show { what, to } => {
                self.put("show ");
                self.moved_part(what);
                self.word("to");
                self.known_to(to);
            }
            Deed::Arrange(what) => {
                self.put("arrange ");
                self.expr(what);
            }
            Deed::Lift { count, of } => {
                self.put("lift ");
                match count {
                    Some(count) => self.expr_before(count, Follow::WORDS),
                    None => self.put("some"),
                }
                self.put(" of ");
                self.expr(of);
            }
            Deed::Announce { signal, arguments } => {
                self.put("announce ");
                self.call(signal, arguments.as_deref());
            }
            Deed::End { procedure, outcome } => {
                self.name_behind("end ", procedure);
                if let Some(outcome) = outcome {
                    self.name_behind(" with ", outcome);
                }
            }
            Deed::Void { procedure, cause, again } => {
                self.name_behind("void ", procedure);
                if let Some(cause) = cause {
                    self.name_behind(" for ", cause);
                }
                self.put(if *again { ", again" } else { "" });
            }
            Deed::Stands => self.put("stands"),
            Deed::Refuse => self.put("refuse"),
            Deed::Assign { target, arguments, word, value } => {
                self.call(target, arguments.as_deref());
                self.word(assign_word(*word));
                self.expr(value);
            }
            Deed::Call { name, arguments } => self.call(name, Some(arguments)),
        }
    }

    fn all_or(&mut self, amount: Option<&Expr>, follow: Follow) {
        match amount {
            Some(amount) => self.expr_before(amount, follow),
            None => self.put("all"),
        }
    }

    /// ` 5 of ` or ` of `
    fn count_of(&mut self, count: Option<&Expr>) {
        if let Some(count) = count {
            self.put(" ");
            self.expr_before(count, Follow::WORDS);
        }
        self.put(" of ");
    }

    fn moved(&mut self, what: &Moved) {
        match what {
            Moved::Every { piece, filter } => {
                self.name_behind("every ", piece);
                self.expr_behind("where", filter.as_ref());
            }
            Moved::End { end, count, of } => {
                self.put(place_end(*end));
                match count {
                    MovedCount::One => self.count_of(None),
                    MovedCount::Some => self.put(" some of "),
                    MovedCount::Number(count) => self.count_of(Some(count)),
                }
                self.expr(of);
            }
            Moved::These(what) => {
                let follow = comma_between(what.len());
                let mut first = true;
                self.list(
                    what,
                    |printer, what| {
                        if std::mem::take(&mut first) { printer.not_an_end(what, follow) } else { printer.expr_before(what, follow) }
                    },
                );
            }
        }
    }

    /// `top of x` here would be an end of a place, and `every x` every piece: as values they need brackets.
    fn not_an_end(&mut self, what: &Expr, follow: Follow) {
        let is_end =
            matches!(leftmost(what), ExprKind::EndOf { end: SequenceEnd::Top | SequenceEnd::Bottom, .. } | ExprKind::Quantified { every: true, .. });
        if is_end { self.bracketed(what) } else { self.expr_before(what, follow) }
    }

    pub(super) fn bracketed(&mut self, what: &Expr) {
        self.comments_before(what.span);
        self.put("(");
        self.expr(what);
        self.put(")");
    }

    fn destination(&mut self, to: &Destination) {
        match to {
            Destination::End(end, of) => {
                self.put(place_end(*end));
                self.put(" of ");
                self.expr(of);
            }
            Destination::Place(place) => self.not_an_end(place, Follow::NOTHING),
        }
    }

    fn moved_part(&mut self, what: &MovedPart) {
        match what {
            MovedPart::End { end, count, of } => {
                self.put(place_end(*end));
                self.count_of(count.as_ref());
                self.expr(of);
            }
            MovedPart::These(what) => self.not_an_end(what, Follow::NOTHING),
        }
    }

    fn known_to(&mut self, to: &KnownTo) {
        match to {
            KnownTo::All => self.put("all"),
            KnownTo::Seats(seats) => self.expr(seats),
        }
    }

    // -------------------------------------------------------------------------------------------- alternatives

    /// `| irregular play(c in hand(p)) when C heard E regular Q else revoke => deed cites …;`
    pub(super) fn alternative(&mut self, alternative: &At<Alternative>) {
        let Alternative { irregular, act, parameters, when, heard, regular, breach, does, tags } = &alternative.it;
        self.hanging(|printer| {
            printer.put(if *irregular { "| irregular " } else { "| " });
            printer.act(act, parameters.as_deref());
            printer.expr_behind("when", when.as_ref());
            printer.expr_behind("heard", heard.as_ref());
            printer.expr_behind("regular", regular.as_ref());
            printer.else_breach(breach.as_ref());
            printer.does(does, tags);
        });
    }

    /// `deals-to(p) else misdeal => deed cites …;`
    pub(super) fn single_duty(&mut self, alternative: &At<Alternative>) {
        let Alternative { act, parameters, breach, does, tags, .. } = &alternative.it;
        self.act(act, parameters.as_deref());
        self.else_breach(breach.as_ref());
        self.does(does, tags);
    }

    fn act(&mut self, act: &Name, parameters: Option<&[ActParameter]>) {
        self.name(act);
        let Some(parameters) = parameters else { return };
        let follow = comma_between(parameters.len());
        self.in_brackets(parameters, |printer, parameter| match parameter {
            ActParameter::Parameter(parameter) => printer.parameter(parameter, follow),
            // A comparison such as `c in hand` would be a parameter.
            ActParameter::Fixed(value) => printer.expr_at(value, Level::Sum, follow),
        });
    }

    pub(super) fn else_breach(&mut self, breach: Option<&Name>) {
        if let Some(breach) = breach {
            self.comments_before(breach.span);
            self.word("else");
            self.name(breach);
        }
    }

    /// ` cites … => { … }` or ` => deed cites …;`
    fn does(&mut self, does: &Does, tags: &Tags) {
        match does {
            Does::Block(block) => {
                self.tags_before_brace(tags);
                self.comments_before(block.span);
                self.word("=>");
                self.bare_block(block);
            }
            Does::Deed(deed) => {
                self.comments_before(deed.span);
                self.word("=>");
                self.deed(&deed.it);
                self.tags(tags);
                self.put(";");
            }
        }
    }

    pub(super) fn parameter(&mut self, parameter: &Parameter, follow: Follow) {
        self.name(&parameter.name);
        match &parameter.domain {
            ParameterDomain::Type(kind) => {
                self.put(": ");
                self.type_name(kind);
            }
            ParameterDomain::In(domain) => {
                self.put(" in ");
                self.domain(domain, follow);
            }
        }
    }
}

fn assign_word(word: AssignWord) -> &'static str {
    match word {
        AssignWord::Becomes => ":=",
        AssignWord::Add => "+=",
        AssignWord::Subtract => "-=",
    }
}

fn place_end(end: PlaceEnd) -> &'static str {
    match end {
        PlaceEnd::Top => "top",
        PlaceEnd::Bottom => "bottom",
    }
}
