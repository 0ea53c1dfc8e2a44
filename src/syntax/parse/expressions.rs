//! Builds expressions and types.

use super::cursor::{Built, Context, Fault, Node, Parts};
use super::grammar::Rule;
use crate::source::Span;
use crate::syntax::tree::{
    Argument, At, BinaryWord, Binder, Domain, Expr, ExprKind, ExtremeOf, IsWhat, LogBy, LogMark, LogPattern, LogWord, Name, SequenceEnd, TableKey,
    TableRow, Type, TypeKind,
};

impl Parts<'_> {
    /// The next part, an expression.
    pub fn expr(&mut self) -> Built<Expr> {
        let node = self.any()?;
        expr(self.cx, node)
    }

    /// The expression inside the next part if that is of this rule.
    pub fn expr_in(&mut self, rule: Rule) -> Built<Option<Expr>> {
        self.inner(rule)?.map(|mut parts| parts.expr()).transpose()
    }

    /// Every following part, each an expression.
    pub fn exprs(&mut self) -> Built<Vec<Expr>> {
        let mut built = Vec::new();
        while let Some(node) = self.take() {
            built.push(expr(self.cx, node)?);
        }
        Ok(built)
    }

    pub fn type_name(&mut self) -> Built<Type> {
        self.one(Rule::type_name, type_name)
    }

    pub fn maybe_type(&mut self) -> Built<Option<Type>> {
        self.maybe(Rule::type_name, type_name)
    }
}

fn at(kind: ExprKind, span: Span) -> Expr {
    At::new(Box::new(kind), span)
}

/// An expression, or any of the narrower rules that one is made of.
pub(super) fn expr(cx: Context, node: Node<'_>) -> Built<Expr> {
    match node.as_rule() {
        Rule::expression | Rule::primary => expr_inside(cx, node),
        Rule::or_expression => tests(cx, node),
        Rule::additive => operands(cx, node),
        Rule::if_expression => if_expression(cx, node),
        Rule::number => Ok(at(ExprKind::Number(cx.number(&node).it), cx.span(&node))),
        Rule::text => Ok(at(ExprKind::Text(cx.text(&node).it), cx.span(&node))),
        Rule::truth => Ok(at(ExprKind::Truth(node.as_str() == "yes"), cx.span(&node))),
        Rule::nothing => Ok(at(if node.as_str() == "none" { ExprKind::None } else { ExprKind::Nobody }, cx.span(&node))),
        Rule::all_seats => Ok(at(ExprKind::Seats, cx.span(&node))),
        Rule::the_owner => Ok(at(ExprKind::Owner, cx.span(&node))),
        Rule::hole => Ok(at(ExprKind::Hole, cx.span(&node))),
        rule => compound(cx, rule, node),
    }
}

/// The one part of a wrapper. A bracketed expression keeps the place of what stands inside.
fn expr_inside(cx: Context, node: Node<'_>) -> Built<Expr> {
    let mut parts = cx.parts_below(node, 0)?;
    let inner = parts.any()?;
    if inner.as_rule() == Rule::expression {
        // In brackets: they count, or a tower of them would cost nothing.
        return expr(Context { depth: cx.depth + 1, ..cx }, inner);
    }
    expr(cx, inner)
}

/// Two operands and the word between them.
fn binary(word: BinaryWord, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    at(ExprKind::Binary { word, left, right }, span)
}

/// Folds a flat list to the left, `tight` words first: `a - b * c - d` is `(a - (b * c)) - d`.
struct Fold {
    loose: Option<(Expr, BinaryWord)>,
    tight: Expr,
}

impl Fold {
    fn push(self, word: BinaryWord, is_tight: bool, right: Expr) -> Fold {
        if is_tight {
            return Fold { loose: self.loose, tight: binary(word, self.tight, right) };
        }
        Fold { loose: Some((self.finish(), word)), tight: right }
    }

    fn finish(self) -> Expr {
        match self.loose {
            Some((left, word)) => binary(word, left, self.tight),
            None => self.tight,
        }
    }
}

/// `a and not b or c`
fn tests(cx: Context, node: Node<'_>) -> Built<Expr> {
    let length = node.clone().into_inner().len();
    // The first test ends up below as many nodes as there are words and tails.
    let mut parts = cx.parts_below(node, length - 1)?;
    let mut fold = Fold { loose: None, tight: test(&mut parts)? };
    while let Some(word) = parts.opt(Rule::join_word) {
        let right = test(&mut parts)?;
        fold = match word.as_str() {
            "and" => fold.push(BinaryWord::And, true, right),
            _ => fold.push(BinaryWord::Or, false, right),
        };
    }
    Ok(fold.finish())
}

/// `not a < b`: an operand, what it is compared with, and perhaps `not` before all of it.
fn test(parts: &mut Parts<'_>) -> Built<Expr> {
    let not = parts.opt(Rule::not_mark).map(|node| parts.cx.span(&node));
    let tested = comparison(parts)?;
    Ok(match not {
        Some(start) => {
            let span = start.to(tested.span);
            at(ExprKind::Not(tested), span)
        }
        None => tested,
    })
}

/// `-a.b * c + d`
fn operands(cx: Context, node: Node<'_>) -> Built<Expr> {
    let whole = cx.span(&node);
    let length = node.clone().into_inner().len();
    let mut parts = cx.parts_below(node, length.saturating_sub(1))?;
    let mut fold = Fold { loose: None, tight: operand(&mut parts)? };
    while let Some(word) = parts.opt(Rule::arithmetic_word) {
        let (word, is_tight) = arithmetic(word.as_str(), whole)?;
        fold = fold.push(word, is_tight, operand(&mut parts)?);
    }
    Ok(fold.finish())
}

fn arithmetic(word: &str, span: Span) -> Built<(BinaryWord, bool)> {
    Ok(match word {
        "+" => (BinaryWord::Add, false),
        "-" => (BinaryWord::Subtract, false),
        "without" => (BinaryWord::Without, false),
        "together" => (BinaryWord::Together, false),
        "*" => (BinaryWord::Multiply, true),
        "/" => (BinaryWord::Divide, true),
        "mod" => (BinaryWord::Mod, true),
        _ => return Err(Fault::Odd(span)),
    })
}

/// `-last deal.n`: signs, a primary, and fields or places in the reckoning behind it.
fn operand(parts: &mut Parts<'_>) -> Built<Expr> {
    let mut starts = Vec::new();
    while let Some(sign) = parts.opt(Rule::minus) {
        starts.push(parts.cx.span(&sign));
    }
    let mut built = parts.expr()?;
    loop {
        if let Some(mut field) = parts.inner(Rule::field)? {
            let span = built.span.to(field.span);
            built = at(ExprKind::Field { of: built, field: field.name()? }, span);
        } else if let Some(mut mark) = parts.inner(Rule::reckoned_at)? {
            let span = built.span.to(mark.span);
            built = at(ExprKind::Reckoned { of: built, through: mark.word == "through", entry: mark.expr()? }, span);
        } else {
            break;
        }
    }
    for start in starts.into_iter().rev() {
        let span = start.to(built.span);
        built = at(ExprKind::Minus(built), span);
    }
    Ok(built)
}

/// Neighbouring comparisons make one chain: `a < b <= c` is `a < b` and `b <= c`. Any other test takes all that stands to its left.
fn comparison(parts: &mut Parts<'_>) -> Built<Expr> {
    let mut first = parts.expr()?;
    let mut compared = Vec::new();
    while let Some(tail) = parts.opt(Rule::comparison_tail) {
        let span = first.span.to(parts.cx.span(&tail));
        let mut tail = parts.cx.parts_below(tail, 0)?;
        let test = tail.any()?;
        if test.as_rule() == Rule::compare_word {
            compared.push((compare_word(test.as_str(), tail.span)?, tail.expr()?));
        } else {
            first = other_test(tail.cx, joined(first, compared), test, span)?;
            compared = Vec::new();
        }
    }
    Ok(joined(first, compared))
}

fn joined(first: Expr, mut compared: Vec<(BinaryWord, Expr)>) -> Expr {
    let span = compared.last().map_or(first.span, |(_, last)| first.span.to(last.span));
    if compared.len() > 1 {
        return at(ExprKind::Chain { first, rest: compared }, span);
    }
    match compared.pop() {
        Some((word, right)) => at(ExprKind::Binary { word, left: first, right }, span),
        None => first,
    }
}

fn other_test(cx: Context, left: Expr, test: Node<'_>, span: Span) -> Built<Expr> {
    let rule = test.as_rule();
    let text = test.as_str();
    let mut parts = cx.parts_below(test, 0)?;
    let kind = match rule {
        Rule::in_test => {
            let word = if parts.mark(Rule::not_mark) { BinaryWord::NotIn } else { BinaryWord::In };
            ExprKind::Binary { word, left, right: parts.expr()? }
        }
        Rule::is_test => {
            let last = text.rsplit(|mark: char| !mark.is_ascii_lowercase()).next().unwrap_or("");
            ExprKind::Is { of: left, not: parts.mark(Rule::not_mark), what: is_what(last, span)? }
        }
        Rule::reaches_test => ExprKind::Reaches { of: left, class: parts.name()?, key: parts.maybe(Rule::additive, expr)? },
        _ => return Err(Fault::Odd(span)),
    };
    Ok(at(kind, span))
}

fn compare_word(word: &str, span: Span) -> Built<BinaryWord> {
    Ok(match word {
        "=" => BinaryWord::Equal,
        "<>" => BinaryWord::Unequal,
        "<" => BinaryWord::Less,
        "<=" => BinaryWord::AtMost,
        ">" => BinaryWord::Greater,
        ">=" => BinaryWord::AtLeast,
        _ => return Err(Fault::Odd(span)),
    })
}

fn is_what(word: &str, span: Span) -> Built<IsWhat> {
    Ok(match word {
        "known" => IsWhat::Known,
        "empty" => IsWhat::Empty,
        "none" => IsWhat::None,
        "nobody" => IsWhat::Nobody,
        "even" => IsWhat::Even,
        "odd" => IsWhat::Odd,
        _ => return Err(Fault::Odd(span)),
    })
}

fn if_expression(cx: Context, node: Node<'_>) -> Built<Expr> {
    let mut parts = cx.parts(node)?;
    let kind = ExprKind::If { when: parts.expr()?, then: parts.expr()?, otherwise: parts.expr()? };
    Ok(at(kind, parts.span))
}

/// The things that begin with a word of their own, and names.
fn compound(cx: Context, rule: Rule, node: Node<'_>) -> Built<Expr> {
    let mut parts = cx.parts(node)?;
    let span = parts.span;
    let kind = match rule {
        Rule::call_or_name => ExprKind::Name { name: parts.name()?, arguments: arguments(&mut parts)? },
        Rule::quantified => {
            let binder = parts.one(Rule::binder, binder)?;
            ExprKind::Quantified { every: parts.word == "every", binder, body: parts.maybe(Rule::or_expression, expr)? }
        }
        Rule::those_expression => ExprKind::Those(parts.one(Rule::binder, binder)?),
        Rule::aggregate => aggregate(&mut parts)?,
        Rule::extreme => extreme(&mut parts)?,
        Rule::best_expression => {
            let of = parts.expr()?;
            let mut under = parts.within(Rule::call_or_name)?;
            ExprKind::Best { of, ranking: under.name()?, arguments: arguments(&mut under)? }
        }
        Rule::only_expression => ExprKind::Only(parts.expr()?),
        Rule::log_query => log_query(&mut parts)?,
        Rule::during_test => ExprKind::During(parts.names()),
        Rule::ends_of => ExprKind::EndOf { end: sequence_end(parts.word, span)?, of: parts.expr()? },
        Rule::cycle_expression => {
            let mut of = parts.exprs()?;
            let at = of.pop().ok_or(Fault::Odd(span))?;
            ExprKind::Cycle { of, at }
        }
        Rule::beside => ExprKind::Beside { left: parts.word == "left", of: parts.expr()?, among: parts.maybe(Rule::additive, expr)? },
        Rule::group_expression => group(&mut parts)?,
        Rule::set_literal => ExprKind::Set(parts.exprs()?),
        Rule::list_literal => ExprKind::List(parts.each(Rule::span_item, domain)?),
        Rule::table_expression => ExprKind::Table { of: parts.expr()?, rows: parts.each(Rule::table_row, table_row)? },
        _ => return Err(Fault::Odd(span)),
    };
    Ok(at(kind, span))
}

fn sequence_end(word: &str, span: Span) -> Built<SequenceEnd> {
    Ok(match word {
        "first" => SequenceEnd::First,
        "last" => SequenceEnd::Last,
        "top" => SequenceEnd::Top,
        "bottom" => SequenceEnd::Bottom,
        _ => return Err(Fault::Odd(span)),
    })
}

/// The bracketed arguments that follow, if any do.
pub(super) fn arguments(parts: &mut Parts<'_>) -> Built<Option<Vec<Argument>>> {
    let Some(mut list) = parts.inner(Rule::arguments)? else {
        return Ok(None);
    };
    list.each(Rule::argument, |cx, node| {
        Ok(match cx.parts(node)?.take() {
            Some(value) => Argument::Value(expr(cx, value)?),
            None => Argument::All,
        })
    })
    .map(Some)
}

pub(super) fn binder(cx: Context, node: Node<'_>) -> Built<Binder> {
    let mut parts = cx.parts(node)?;
    Ok(Binder { name: parts.name()?, of: parts.expr()?, filter: parts.maybe(Rule::or_expression, expr)? })
}

pub(super) fn domain(cx: Context, node: Node<'_>) -> Built<Domain> {
    let mut parts = cx.parts(node)?;
    Ok(Domain { from: parts.expr()?, to: parts.maybe(Rule::expression, expr)? })
}

fn aggregate(parts: &mut Parts<'_>) -> Built<ExprKind> {
    if let Some(of) = parts.maybe(Rule::expression, expr)? {
        return Ok(ExprKind::Count(of));
    }
    if let Some(pattern) = parts.maybe(Rule::log_pattern, log_pattern)? {
        return Ok(ExprKind::CountOf { pattern, since: parts.maybe(Rule::log_window, log_window)? });
    }
    Ok(ExprKind::Sum { of: parts.expr()?, binder: parts.one(Rule::binder, binder)? })
}

fn extreme(parts: &mut Parts<'_>) -> Built<ExprKind> {
    let highest = parts.word == "highest";
    let mut of = parts.within(Rule::extreme_of)?;
    let what = match of.maybe(Rule::binder, binder)? {
        Some(binder) => ExtremeOf::Binder { binder, by: of.expr()? },
        None => ExtremeOf::Set(of.expr()?),
    };
    Ok(ExprKind::Extreme { highest, of: what, along: of.name_in(Rule::by_scale)? })
}

fn log_query(parts: &mut Parts<'_>) -> Built<ExprKind> {
    let word = match parts.word {
        "has" => LogWord::Has,
        "first" => LogWord::First,
        _ => LogWord::Last,
    };
    Ok(ExprKind::Log {
        word,
        unsettled: parts.mark(Rule::unsettled_mark),
        pattern: parts.one(Rule::log_pattern, log_pattern)?,
        since: parts.maybe(Rule::log_window, log_window)?,
    })
}

fn log_pattern(cx: Context, node: Node<'_>) -> Built<LogPattern> {
    let mut parts = cx.parts(node)?;
    let names = parts.names();
    let arguments = arguments(&mut parts)?;
    let by = parts.maybe(Rule::log_by, |cx, node| {
        let mut parts = cx.parts(node)?;
        Ok(LogBy { not: parts.mark(Rule::not_mark), seat: parts.expr()? })
    })?;
    Ok(LogPattern { names, arguments, by })
}

fn log_window(cx: Context, node: Node<'_>) -> Built<LogMark> {
    let mut mark = cx.parts(node)?.within(Rule::log_mark)?;
    if let Some(query) = mark.maybe(Rule::log_query, expr)? {
        return Ok(LogMark::Entry(query));
    }
    let name = mark.name()?;
    Ok(if mark.word == "start" { LogMark::Start(name) } else { LogMark::End(name) })
}

fn group(parts: &mut Parts<'_>) -> Built<ExprKind> {
    let runs = parts.word == "run";
    let of = parts.expr()?;
    let mut names = parts.names().into_iter();
    let by: Name = names.next().ok_or(Fault::Odd(parts.span))?;
    Ok(ExprKind::Grouped { runs, of, by, within: names.next(), least: parts.maybe(Rule::additive, expr)? })
}

fn table_row(cx: Context, node: Node<'_>) -> Built<TableRow> {
    let mut parts = cx.parts(node)?;
    let keys = parts.each(Rule::table_key, |cx, node| {
        let mut key = cx.parts(node)?;
        Ok(TableKey { value: key.expr()?, or_up: key.mark(Rule::or_up_mark) })
    })?;
    Ok(TableRow { keys, value: parts.expr()? })
}

// ------------------------------------------------------------------------------------------------ types

pub(super) fn type_name(cx: Context, node: Node<'_>) -> Built<Type> {
    let mut parts = cx.parts(node)?;
    let span = parts.span;
    let inner = parts.any()?;
    let rule = inner.as_rule();
    let mut parts = parts.cx.parts_below(inner, 0)?;
    let kind = match rule {
        Rule::maybe_type => TypeKind::Maybe(parts.type_name()?),
        Rule::set_type => TypeKind::Set(parts.type_name()?),
        Rule::list_type => TypeKind::List(parts.type_name()?),
        Rule::enum_type => TypeKind::Enum(parts.names()),
        Rule::class_type => TypeKind::ClassOf(parts.name()?),
        Rule::ranking_type => TypeKind::RankingOf(parts.type_name()?),
        Rule::tally_type if parts.word == "entry" => TypeKind::EntryOf(parts.name()?),
        Rule::tally_type => TypeKind::HeadingOf(parts.name()?),
        Rule::account_type => TypeKind::Account,
        Rule::range_type => TypeKind::Range(parts.number()?, parts.expr()?),
        Rule::plain_type => TypeKind::Named(parts.name()?.it),
        _ => return Err(Fault::Odd(span)),
    };
    Ok(At::new(Box::new(kind), span))
}
