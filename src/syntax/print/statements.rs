//! Prints blocks and statements.

use super::Printer;
use super::expressions::comma_between;
use super::follow::Follow;
use crate::source::Span;
use crate::syntax::tree::{Alternative, At, Block, DutyBy, EachOver, Expr, Name, OfferTo, Statement, StatementKind, Tags, Times};

impl Printer<'_> {
    /// ` { … }`
    pub(super) fn block(&mut self, block: &Block) {
        self.put(" ");
        self.bare_block(block);
    }

    pub(super) fn bare_block(&mut self, block: &Block) {
        self.bare_braces(&block.it, |statement| statement.span, block.span, Self::statement);
    }

    /// `word E;`
    fn simple(&mut self, word: &str, value: &Expr) {
        self.put(word);
        self.expr(value);
        self.put(";");
    }

    fn end(&mut self, tags: &Tags) {
        self.tags(tags);
        self.put(";");
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        self.hanging(|printer| printer.statement_kind(statement));
    }

    fn statement_kind(&mut self, statement: &Statement) {
        match &statement.it {
            StatementKind::Block(block) => self.bare_block(block),
            StatementKind::Let { name, value } => {
                self.name_behind("let ", name);
                self.put(" = ");
                self.expr(value);
                self.put(";");
            }
            StatementKind::When(value) => self.simple("when ", value),
            StatementKind::Is(value) => self.simple("is ", value),
            StatementKind::Settle(value) => self.simple("settle ", value),
            StatementKind::Again => self.put("again;"),
            StatementKind::Before(block) => {
                self.put("before");
                self.block(block);
            }
            StatementKind::After(block) => {
                self.put("after");
                self.block(block);
            }
            StatementKind::If { when, then, otherwise } => self.if_statement(when, then, otherwise.as_deref()),
            StatementKind::Each { over, filter, until, once, tags, body } => {
                self.put("each ");
                self.each_over(over, filter.is_some());
                self.expr_behind("where", filter.as_ref());
                self.expr_behind("until", until.as_ref());
                self.put(if *once { " once" } else { "" });
                self.tags_before_brace(tags);
                self.block(body);
            }
            StatementKind::Repeat { times, until, holds, tags, body, after } => {
                self.repeat(times.as_ref(), until.as_ref(), holds.as_ref());
                self.tags_before_brace(tags);
                self.block(body);
                self.repeat_after(after.as_ref());
            }
            StatementKind::Offer { to, breach, tags, alternatives } => {
                self.put("offer ");
                self.offer_to(to);
                self.else_breach(breach.as_ref());
                self.tags_before_brace(tags);
                self.alternatives(alternatives, statement.span);
            }
            StatementKind::Duty { by, tags, alternatives } => {
                self.duty_by(by);
                self.tags_before_brace(tags);
                self.alternatives(alternatives, statement.span);
            }
            StatementKind::SingleDuty { by, alternative } => {
                self.duty_by(by);
                self.put(" ");
                self.single_duty(alternative);
            }
            StatementKind::Pause(tags) => {
                self.put("pause");
                self.end(tags);
            }
            StatementKind::Phase { name, tags, body } => {
                self.name_behind("phase ", name);
                self.tags_before_brace(tags);
                self.block(body);
            }
            StatementKind::Share { amount, among, to, rest, tags } => self.share([amount, among, to, rest], tags),
            StatementKind::Close { headings, tally, tags } => self.close(headings, tally, tags),
            StatementKind::Do { deed, tags } => {
                self.deed(deed);
                self.end(tags);
            }
        }
    }

    fn if_statement(&mut self, when: &Expr, then: &Block, otherwise: Option<&Statement>) {
        self.put("if ");
        self.expr(when);
        self.block(then);
        let Some(otherwise) = otherwise else { return };
        self.comments_before(otherwise.span);
        self.fill();
        self.put("else ");
        self.statement_kind(otherwise);
    }

    fn each_over(&mut self, over: &EachOver, filtered: bool) {
        let follow = if filtered { Follow::WORDS } else { Follow::NOTHING };
        match over {
            EachOver::Slice { name, of, among } => {
                self.name_behind("slice ", name);
                self.put(" of ");
                self.expr_before(of, Follow::WORDS);
                self.word("among");
                self.expr_before(among, follow);
            }
            EachOver::Around { name, from } => {
                self.name(name);
                self.put(" from ");
                self.expr_before(from, follow);
            }
            EachOver::Of { name, domain } => {
                self.name(name);
                self.put(" in ");
                self.domain(domain, follow);
            }
        }
    }

    fn repeat(&mut self, times: Option<&Times>, until: Option<&Expr>, holds: Option<&Expr>) {
        self.put("repeat");
        if let Some(times) = times {
            self.put(if times.up_to { " up to " } else { " " });
            self.expr(&times.count);
            self.put(" times");
        }
        self.expr_behind("until", until);
        self.expr_behind("while", holds);
    }

    fn repeat_after(&mut self, after: Option<&Expr>) {
        if let Some(after) = after {
            self.comments_before(after.span);
            self.put(" until ");
            self.expr(after);
            self.put(";");
        }
    }

    fn offer_to(&mut self, to: &OfferTo) {
        match to {
            OfferTo::Seat(seat) => self.expr(seat),
            OfferTo::Each { name, of, any_order } => self.each_seat(name, of, *any_order),
        }
    }

    fn each_seat(&mut self, name: &Name, of: &Expr, any_order: bool) {
        self.name_behind("each ", name);
        self.put(" in ");
        self.expr_before(of, if any_order { Follow::COMPARISON } else { Follow::NOTHING });
        self.put(if any_order { " in any order" } else { "" });
    }

    fn duty_by(&mut self, by: &DutyBy) {
        self.put("duty ");
        match by {
            DutyBy::Nobody => self.put("nobody"),
            DutyBy::Each { name, of, any_order } => self.each_seat(name, of, *any_order),
            DutyBy::Seat { name, arguments } => self.call(name, arguments.as_deref()),
        }
    }

    fn share(&mut self, [amount, among, to, rest]: [&Expr; 4], tags: &Tags) {
        self.put("share ");
        self.expr_before(amount, Follow::WORDS);
        self.word("among");
        self.expr(among);
        self.word("to");
        self.expr_before(to, Follow::COMMA);
        self.put(",");
        self.word("rest to");
        self.expr(rest);
        self.end(tags);
    }

    fn close(&mut self, headings: &[Expr], tally: &Name, tags: &Tags) {
        self.put("close ");
        let follow = comma_between(headings.len()) | Follow::WORDS;
        self.list(headings, |printer, heading| printer.expr_before(heading, follow));
        self.put(" of ");
        self.name(tally);
        self.end(tags);
    }

    /// The braces of an offer or of a duty with several acts.
    fn alternatives(&mut self, alternatives: &[At<Alternative>], whole: Span) {
        self.braces(alternatives, whole, Self::alternative);
    }
}
