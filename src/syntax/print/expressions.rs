//! Prints expressions and types, with brackets where reading them back would otherwise give another tree.
//!
//! Two things make brackets needed. A part may bind looser than its place allows (`(a + b) * c`): that is its [`Level`]. And a part may go on
//! to the right for as long as it can (`first of trick`, `any x in S`): then it must not stand before something that it would swallow. What
//! follows a part is handed down as [`Follow`].

use super::Printer;
use super::follow::Follow;
use super::layout::Op;
use crate::source::Span;
use crate::syntax::scan::{Token, tokens};
use crate::syntax::tree::{
    Argument, BinaryWord, Binder, Expr, ExprKind, ExtremeOf, IsWhat, LogBy, LogMark, LogPattern, LogWord, Name, SequenceEnd, TableRow,
};

/// How closely an expression binds: the rules of the grammar from the loosest to the closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Any,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Minus,
    Tail,
    Primary,
}

fn level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::If { .. } => Level::Any,
        ExprKind::Binary { word, .. } => match word {
            BinaryWord::Or => Level::Or,
            BinaryWord::And => Level::And,
            BinaryWord::Equal | BinaryWord::Unequal | BinaryWord::Less | BinaryWord::AtMost | BinaryWord::Greater | BinaryWord::AtLeast => {
                Level::Comparison
            }
            BinaryWord::In | BinaryWord::NotIn => Level::Comparison,
            BinaryWord::Add | BinaryWord::Subtract | BinaryWord::Without | BinaryWord::Together => Level::Sum,
            BinaryWord::Multiply | BinaryWord::Divide | BinaryWord::Mod => Level::Product,
        },
        ExprKind::Not(_) => Level::Not,
        ExprKind::Chain { .. } | ExprKind::Is { .. } | ExprKind::Reaches { .. } => Level::Comparison,
        ExprKind::Minus(_) => Level::Minus,
        ExprKind::Field { .. } | ExprKind::Reckoned { .. } => Level::Tail,
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Truth(_) | ExprKind::None | ExprKind::Nobody | ExprKind::Seats => Level::Primary,
        ExprKind::Owner | ExprKind::Hole | ExprKind::Name { .. } | ExprKind::Quantified { .. } | ExprKind::Those(_) => Level::Primary,
        ExprKind::Count(_) | ExprKind::CountOf { .. } | ExprKind::Sum { .. } | ExprKind::Extreme { .. } | ExprKind::Best { .. } => Level::Primary,
        ExprKind::Only(_) | ExprKind::Log { .. } | ExprKind::During(_) | ExprKind::EndOf { .. } | ExprKind::Beside { .. } => Level::Primary,
        ExprKind::Cycle { .. } | ExprKind::Grouped { .. } | ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Table { .. } => Level::Primary,
    }
}

fn binary_word(word: BinaryWord) -> &'static str {
    match word {
        BinaryWord::Or => "or",
        BinaryWord::And => "and",
        BinaryWord::Equal => "=",
        BinaryWord::Unequal => "<>",
        BinaryWord::Less => "<",
        BinaryWord::AtMost => "<=",
        BinaryWord::Greater => ">",
        BinaryWord::AtLeast => ">=",
        BinaryWord::In => "in",
        BinaryWord::NotIn => "not in",
        BinaryWord::Add => "+",
        BinaryWord::Subtract => "-",
        BinaryWord::Without => "without",
        BinaryWord::Together => "together",
        BinaryWord::Multiply => "*",
        BinaryWord::Divide => "/",
        BinaryWord::Mod => "mod",
    }
}

impl Printer<'_> {
    /// An expression behind which nothing stands that could belong to it.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_at(expr, Level::Any, Follow::NOTHING);
    }

    /// An expression before something that it must not swallow.
    pub(super) fn expr_before(&mut self, expr: &Expr, follow: Follow) {
        self.expr_at(expr, Level::Any, follow);
    }

    pub(super) fn expr_at(&mut self, expr: &Expr, least: Level, follow: Follow) {
        if level(&expr.it) < least || follow.would_be_swallowed_by(&expr.it) {
            self.comments_before(expr.span);
            self.put("(");
            self.kind(expr, Follow::NOTHING);
            self.put(")");
        } else {
            self.kind(expr, follow);
        }
    }

    /// ` word E` if there is an expression.
    pub(super) fn expr_behind(&mut self, word: &str, expr: Option<&Expr>) {
        if let Some(expr) = expr {
            self.comments_before(expr.span);
            self.word(word);
            self.expr(expr);
        }
    }

    fn kind(&mut self, expr: &Expr, follow: Follow) {
        match &*expr.it {
            ExprKind::Number(number) => self.leaf(&number.to_string(), expr.span),
            ExprKind::Text(text) => self.leaf(&format!("\"{text}\""), expr.span),
            ExprKind::Truth(true) => self.leaf("yes", expr.span),
            ExprKind::Truth(false) => self.leaf("no", expr.span),
            ExprKind::None => self.leaf("none", expr.span),
            ExprKind::Nobody => self.leaf("nobody", expr.span),
            ExprKind::Seats => self.leaf("seats", expr.span),
            ExprKind::Owner => self.leaf("owner", expr.span),
            ExprKind::Hole => self.leaf("_", expr.span),
            ExprKind::Name { name, arguments } => self.call(name, arguments.as_deref()),
            ExprKind::Field { of, field } => self.field(of, field),
            ExprKind::Reckoned { of, through, entry } => self.reckoned(of, *through, entry, follow),
            ExprKind::If { when, then, otherwise } => self.if_then(expr, [when, then, otherwise], follow),
            ExprKind::Binary { word, .. } => self.binary(expr, *word, follow),
            ExprKind::Chain { first, rest } => self.comparisons(first, rest, follow),
            ExprKind::Not(inner) => self.behind(expr, "not ", inner, Level::Comparison, follow),
            ExprKind::Minus(inner) => self.behind(expr, "-", inner, Level::Minus, follow),
            ExprKind::Is { of, not, what } => self.is(of, *not, *what),
            ExprKind::Reaches { of, class, key } => self.reaches(of, class, key.as_ref(), follow),
            ExprKind::Quantified { every, binder, body } => self.quantified(expr, *every, binder, body.as_ref(), follow),
            ExprKind::Those(binder) => {
                self.leaf("those ", expr.span);
                self.binder(binder, follow);
            }
            ExprKind::Count(of) => {
                self.leaf("count(", expr.span);
                self.expr(of);
                self.put(")");
            }
            ExprKind::CountOf { pattern, since } => {
                self.leaf("count of ", expr.span);
                self.log(pattern, since.as_ref(), follow);
            }
            ExprKind::Sum { of, binder } => self.sum(expr, of, binder, follow),
            ExprKind::Extreme { highest, of, along } => self.extreme(expr, *highest, of, along.as_ref(), follow),
            ExprKind::Best { of, ranking, arguments } => self.best(expr, of, ranking, arguments.as_deref()),
            ExprKind::Only(of) => self.behind(expr, "the only of ", of, Level::Sum, follow),
            ExprKind::Log { word, unsettled, pattern, since } => {
                self.leaf(log_word(*word), expr.span);
                self.put(if *unsettled { " unsettled " } else { " " });
                self.log(pattern, since.as_ref(), follow);
            }
            ExprKind::During(phases) => {
                self.leaf("during ", expr.span);
                self.names(phases);
            }
            ExprKind::EndOf { end, of } => self.behind(expr, sequence_end(*end), of, Level::Sum, follow),
            ExprKind::Beside { left, of, among } => self.beside(expr, *left, of, among.as_ref(), follow),
            ExprKind::Cycle { of, at } => self.cycle(expr, of, at, follow),
            ExprKind::Grouped { runs, of, by, within, least } => {
                self.leaf(if *runs { "run of " } else { "groups of " }, expr.span);
                self.grouped(of, by, within.as_ref(), least.as_ref(), follow);
            }
            ExprKind::Set(values) => self.set(expr, values),
            ExprKind::List(items) => {
                self.leaf("[", expr.span);
                let follow = comma_between(items.len());
                self.list(items, |printer, item| printer.domain(item, follow));
                self.put("]");
            }
            ExprKind::Table { of, rows } => self.table(expr, of, rows),
        }
    }

    /// A word and what it applies to.
    fn behind(&mut self, expr: &Expr, word: &str, inner: &Expr, least: Level, follow: Follow) {
        self.leaf(word, expr.span);
        self.expr_at(inner, least, follow);
    }

    fn field(&mut self, of: &Expr, field: &Name) {
        self.expr_at(of, Level::Tail, Follow::ARITHMETIC);
        self.comments_before(field.span);
        self.put(".");
        self.name(field);
    }

    fn reckoned(&mut self, of: &Expr, through: bool, entry: &Expr, follow: Follow) {
        self.expr_at(of, Level::Tail, Follow::ARITHMETIC);
        self.comments_before(entry.span);
        self.word(if through { "through" } else { "before" });
        self.expr_at(entry, Level::Primary, follow);
    }

    fn if_then(&mut self, expr: &Expr, [when, then, otherwise]: [&Expr; 3], follow: Follow) {
        self.group(|printer| {
            printer.leaf("if ", expr.span);
            printer.expr(when);
            printer.comments_before(then.span);
            printer.ops.push(Op::Line);
            printer.put("then ");
            printer.expr(then);
            printer.comments_before(otherwise.span);
            printer.ops.push(Op::Line);
            printer.put("else ");
            printer.expr_before(otherwise, follow);
        });
    }

    /// `a and b and c` is one list, although the tree nests it.
    fn binary(&mut self, expr: &Expr, word: BinaryWord, follow: Follow) {
        let here = level(&expr.it);
        let (after, closer, separator) = match here {
            Level::Or => (Follow::LOGIC, Level::And, Op::Line),
            Level::And => (Follow::LOGIC, Level::Not, Op::Line),
            Level::Sum => (Follow::ARITHMETIC, Level::Product, Op::Fill),
            Level::Product => (Follow::ARITHMETIC, Level::Minus, Op::Fill),
            // A comparison stands alone: beside another one it would be a chain.
            Level::Any | Level::Not | Level::Comparison | Level::Minus | Level::Tail | Level::Primary => (Follow::COMPARISON, Level::Sum, Op::Fill),
        };
        let mut rest: Vec<(BinaryWord, &Expr)> = Vec::new();
        let mut first = expr;
        while let ExprKind::Binary { word, left, right } = &*first.it {
            let is_first = !rest.is_empty();
            if level(&first.it) != here || (is_first && here == Level::Comparison) {
                break;
            }
            rest.push((*word, right));
            first = left;
        }
        debug_assert!(rest.first().is_none_or(|(last, _)| *last == word));
        self.group(|printer| {
            printer.expr_at(first, closer, after);
            let mut rest = rest.into_iter().rev().peekable();
            while let Some((word, right)) = rest.next() {
                printer.comments_before(right.span);
                printer.ops.push(separator.clone());
                printer.put(binary_word(word));
                printer.put(" ");
                printer.expr_at(right, closer, if rest.peek().is_some() { after } else { follow });
            }
        });
    }

    fn comparisons(&mut self, first: &Expr, rest: &[(BinaryWord, Expr)], follow: Follow) {
        self.expr_at(first, Level::Sum, Follow::COMPARISON);
        for (index, (word, right)) in rest.iter().enumerate() {
            self.comments_before(right.span);
            self.word(binary_word(*word));
            self.expr_at(right, Level::Sum, if index + 1 < rest.len() { Follow::COMPARISON } else { follow });
        }
    }

    fn is(&mut self, of: &Expr, not: bool, what: IsWhat) {
        self.expr_at(of, Level::Sum, Follow::COMPARISON);
        self.put(if not { " is not " } else { " is " });
        self.put(is_what(what));
    }

    fn reaches(&mut self, of: &Expr, class: &Name, key: Option<&Expr>, follow: Follow) {
        self.expr_at(of, Level::Sum, Follow::COMPARISON);
        self.comments_before(class.span);
        self.word("reaches");
        self.name(class);
        if let Some(key) = key {
            self.put(" of ");
            self.expr_at(key, Level::Sum, follow);
        }
    }

    fn quantified(&mut self, expr: &Expr, every: bool, binder: &Binder, body: Option<&Expr>, follow: Follow) {
        self.leaf(if every { "every " } else { "any " }, expr.span);
        self.binder(binder, if body.is_some() { Follow::COLON } else { follow });
        if let Some(body) = body {
            self.put(":");
            self.fill();
            self.expr_at(body, Level::Or, follow);
        }
    }

    pub(super) fn binder(&mut self, binder: &Binder, follow: Follow) {
        self.name(&binder.name);
        self.put(" in ");
        self.expr_at(&binder.of, Level::Sum, if binder.filter.is_some() { Follow::WORDS } else { follow });
        if let Some(filter) = &binder.filter {
            self.comments_before(filter.span);
            self.word("where");
            self.expr_at(filter, Level::Or, follow);
        }
    }

    fn sum(&mut self, expr: &Expr, of: &Expr, binder: &Binder, follow: Follow) {
        self.behind(expr, "sum of ", of, Level::Sum, Follow::WORDS);
        self.comments_before(binder.name.span);
        self.word("for");
        self.binder(binder, follow);
    }

    fn extreme(&mut self, expr: &Expr, highest: bool, of: &ExtremeOf, along: Option<&Name>, follow: Follow) {
        self.leaf(if highest { "highest " } else { "lowest " }, expr.span);
        let last = if along.is_some() { Follow::WORDS } else { follow };
        match of {
            ExtremeOf::Binder { binder, by } => {
                self.binder(binder, Follow::WORDS);
                self.comments_before(by.span);
                self.word("by");
                self.expr_at(by, Level::Sum, last);
            }
            ExtremeOf::Set(of) => self.expr_at(of, Level::Sum, last),
        }
        if let Some(along) = along {
            self.word("along");
            self.name(along);
        }
    }

    fn best(&mut self, expr: &Expr, of: &Expr, ranking: &Name, arguments: Option<&[Argument]>) {
        self.behind(expr, "best of ", of, Level::Sum, Follow::WORDS);
        self.comments_before(ranking.span);
        self.word("under");
        self.call(ranking, arguments);
    }

    fn log(&mut self, pattern: &LogPattern, since: Option<&LogMark>, follow: Follow) {
        if let [name] = pattern.names.as_slice() {
            self.name(name);
        } else {
            self.put("(");
            for (index, name) in pattern.names.iter().enumerate() {
                self.put(if index > 0 { " | " } else { "" });
                self.name(name);
            }
            self.put(")");
        }
        self.arguments(pattern.arguments.as_deref());
        if let Some(LogBy { not, seat }) = &pattern.by {
            self.comments_before(seat.span);
            self.word(if *not { "by not" } else { "by" });
            self.expr_at(seat, Level::Sum, if since.is_some() { Follow::WORDS } else { follow });
        }
        if let Some(since) = since {
            self.word("since");
            match since {
                LogMark::Start(name) => {
                    self.put("start of ");
                    self.name(name);
                }
                LogMark::End(name) => {
                    self.put("end of ");
                    self.name(name);
                }
                LogMark::Entry(query) => self.kind(query, follow),
            }
        }
    }

    fn beside(&mut self, expr: &Expr, left: bool, of: &Expr, among: Option<&Expr>, follow: Follow) {
        let of_follow = if among.is_some() { Follow::WORDS } else { follow };
        self.behind(expr, if left { "left of " } else { "right of " }, of, Level::Sum, of_follow);
        if let Some(among) = among {
            self.comments_before(among.span);
            self.word("among");
            self.expr_at(among, Level::Sum, follow);
        }
    }

    fn cycle(&mut self, expr: &Expr, of: &[Expr], at: &Expr, follow: Follow) {
        self.leaf("cycle(", expr.span);
        self.exprs(of);
        self.put(") at ");
        self.expr_at(at, Level::Sum, follow);
    }

    fn grouped(&mut self, of: &Expr, by: &Name, within: Option<&Name>, least: Option<&Expr>, follow: Follow) {
        self.expr_at(of, Level::Sum, Follow::WORDS);
        self.word("by");
        self.name(by);
        if let Some(within) = within {
            self.word("within");
            self.name(within);
        }
        if let Some(least) = least {
            self.word("at least");
            self.expr_at(least, Level::Sum, follow);
        }
    }

    fn set(&mut self, expr: &Expr, values: &[Expr]) {
        self.leaf("{ ", expr.span);
        self.exprs(values);
        self.put(if values.is_empty() { "}" } else { " }" });
    }

    fn table(&mut self, expr: &Expr, of: &Expr, rows: &[TableRow]) {
        self.behind(expr, "table ", of, Level::Or, Follow::NOTHING);
        self.put(" ");
        let text = self.text;
        let span = |row: &TableRow| row_span(text, expr.span, row);
        self.bare_braces(rows, span, expr.span, |printer, row| {
            if row.keys.is_empty() {
                printer.put("else");
            }
            let comma = comma_between(row.keys.len());
            printer.list(&row.keys, |printer, key| {
                let follow = if key.or_up { Follow::LOGIC } else { Follow::COLON | comma };
                printer.expr_at(&key.value, Level::Sum, follow);
                printer.put(if key.or_up { " or up" } else { "" });
            });
            printer.put(": ");
            printer.expr(&row.value);
            printer.put(";");
        });
    }
}

/// What follows each of so many things in a list.
pub(super) fn comma_between(count: usize) -> Follow {
    if count > 1 { Follow::COMMA } else { Follow::NOTHING }
}

/// A row has no span of its own: it goes from its first key, or its `else`, to its value.
fn row_span(text: &str, table: Span, row: &TableRow) -> Span {
    if let Some(key) = row.keys.first() {
        return key.value.span.to(row.value.span);
    }
    let before = |token: &Token| token.end <= row.value.span.start as usize;
    let words = tokens(text, table.start as usize).take_while(before).filter(|token| token.text(text) == "else");
    match words.last() {
        Some(word) => Span::new(table.file, word.start, word.end).to(row.value.span),
        None => row.value.span,
    }
}

fn is_what(what: IsWhat) -> &'static str {
    match what {
        IsWhat::Known => "known",
        IsWhat::Empty => "empty",
        IsWhat::None => "none",
        IsWhat::Nobody => "nobody",
        IsWhat::Even => "even",
        IsWhat::Odd => "odd",
    }
}

fn log_word(word: LogWord) -> &'static str {
    match word {
        LogWord::Has => "has",
        LogWord::First => "first",
        LogWord::Last => "last",
    }
}

fn sequence_end(end: SequenceEnd) -> &'static str {
    match end {
        SequenceEnd::First => "first of ",
        SequenceEnd::Last => "last of ",
        SequenceEnd::Top => "top of ",
        SequenceEnd::Bottom => "bottom of ",
    }
}
