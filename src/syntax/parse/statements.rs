//! Builds blocks and statements.

use super::cursor::{Built, Context, Node, Parts};
use super::deeds::{alternatives, deed, single_alternative};
use super::expressions::{arguments, domain, expr};
use super::grammar::Rule;
use crate::syntax::tree::{At, Block, Deed, DutyBy, EachOver, Expr, Name, OfferTo, Statement, StatementKind, Times};

pub(super) fn block(cx: Context, node: Node<'_>) -> Built<Block> {
    let mut p = cx.parts(node)?;
    Ok(At::new(p.each(Rule::statement, statement)?, p.span))
}

impl Parts<'_> {
    fn block(&mut self) -> Built<Block> {
        self.one(Rule::block, block)
    }
}

fn statement(cx: Context, node: Node<'_>) -> Built<Statement> {
    let mut outer = cx.parts(node)?;
    let inner = outer.any()?;
    built(outer.cx, inner)
}

/// The statement of a rule such as `let_stmt`.
fn built(cx: Context, node: Node<'_>) -> Built<Statement> {
    let rule = node.as_rule();
    if rule == Rule::block {
        let block = block(cx, node)?;
        let span = block.span;
        return Ok(At::new(StatementKind::Block(block), span));
    }
    let mut parts = cx.parts(node)?;
    let p = &mut parts;
    let kind = match rule {
        Rule::let_stmt => StatementKind::Let { name: p.name()?, value: p.expr()? },
        Rule::when_stmt => StatementKind::When(p.expr()?),
        Rule::is_stmt => StatementKind::Is(p.expr()?),
        Rule::answer_stmt => {
            let deed = if p.word == "stands" { Deed::Stands } else { Deed::Refuse };
            StatementKind::Do { deed, tags: p.tags()? }
        }
        Rule::before_stmt => StatementKind::Before(p.block()?),
        Rule::after_stmt => StatementKind::After(p.block()?),
        Rule::if_stmt => if_statement(p)?,
        Rule::each_stmt => each(p)?,
        Rule::repeat_stmt => repeat(p)?,
        Rule::offer_stmt => offer(p)?,
        Rule::duty_stmt => duty(p)?,
        Rule::pause_stmt => StatementKind::Pause(p.tags()?),
        Rule::phase_stmt => StatementKind::Phase { name: p.name()?, tags: p.tags()?, body: p.block()? },
        Rule::share_stmt => StatementKind::Share { amount: p.expr()?, among: p.expr()?, to: p.expr()?, rest: p.expr()?, tags: p.tags()? },
        Rule::close_stmt => close(p)?,
        Rule::settle_stmt => StatementKind::Settle(p.expr()?),
        Rule::again_stmt => StatementKind::Again,
        // All others are a deed and its tags.
        _ => {
            let node = p.any()?;
            StatementKind::Do { deed: deed(p.cx, node)?, tags: p.tags()? }
        }
    };
    Ok(At::new(kind, p.span))
}

fn if_statement(p: &mut Parts<'_>) -> Built<StatementKind> {
    let when = p.expr()?;
    let then = p.block()?;
    let otherwise = match p.take() {
        Some(node) => Some(Box::new(built(p.cx, node)?)),
        None => None,
    };
    Ok(StatementKind::If { when, then, otherwise })
}

fn each(p: &mut Parts<'_>) -> Built<StatementKind> {
    let over = if let Some(mut slice) = p.inner(Rule::each_slice)? {
        EachOver::Slice { name: slice.name()?, of: slice.expr()?, among: slice.expr()? }
    } else if let Some(mut around) = p.inner(Rule::each_around)? {
        EachOver::Around { name: around.name()?, from: around.expr()? }
    } else {
        let mut of = p.within(Rule::each_of)?;
        EachOver::Of { name: of.name()?, domain: of.one(Rule::domain, domain)? }
    };
    Ok(StatementKind::Each {
        over,
        filter: p.expr_in(Rule::each_where)?,
        until: p.expr_in(Rule::each_until)?,
        once: p.mark(Rule::each_once),
        tags: p.tags()?,
        body: p.block()?,
    })
}

fn repeat(p: &mut Parts<'_>) -> Built<StatementKind> {
    let times = match p.inner(Rule::repeat_times)? {
        Some(mut times) => Some(Times { up_to: times.mark(Rule::up_to_mark), count: times.expr()? }),
        None => None,
    };
    Ok(StatementKind::Repeat {
        times,
        until: p.expr_in(Rule::each_until)?,
        holds: p.expr_in(Rule::while_holds)?,
        tags: p.tags()?,
        body: p.block()?,
        after: p.expr_in(Rule::repeat_after)?,
    })
}

fn offer(p: &mut Parts<'_>) -> Built<StatementKind> {
    let mut to = p.within(Rule::offer_to)?;
    let to = match to.inner(Rule::each_offer)? {
        Some(mut each) => {
            let (name, of, any_order) = each_seat(&mut each)?;
            OfferTo::Each { name, of, any_order }
        }
        None => OfferTo::Seat(to.expr()?),
    };
    Ok(StatementKind::Offer { to, breach: p.name_in(Rule::else_breach)?, tags: p.tags()?, alternatives: alternatives(p)? })
}

/// `each p in seats in any order`
fn each_seat(p: &mut Parts<'_>) -> Built<(Name, Expr, bool)> {
    Ok((p.name()?, p.expr()?, p.mark(Rule::any_order)))
}

fn duty(p: &mut Parts<'_>) -> Built<StatementKind> {
    let mut by = p.within(Rule::duty_by)?;
    let by = if let Some(mut each) = by.inner(Rule::each_offer)? {
        let (name, of, any_order) = each_seat(&mut each)?;
        DutyBy::Each { name, of, any_order }
    } else if let Some(mut seat) = by.inner(Rule::call_or_name)? {
        DutyBy::Seat { name: seat.name()?, arguments: arguments(&mut seat)? }
    } else {
        DutyBy::Nobody
    };
    if let Some(mut several) = p.inner(Rule::duty_alternatives)? {
        return Ok(StatementKind::Duty { by, tags: several.tags()?, alternatives: alternatives(&mut several)? });
    }
    let alternative = p.one(Rule::single_duty, single_alternative)?;
    Ok(StatementKind::SingleDuty { by, alternative: Box::new(alternative) })
}

/// The headings are expressions, the tally a name behind them.
fn close(p: &mut Parts<'_>) -> Built<StatementKind> {
    let mut headings = Vec::new();
    while let Some(heading) = p.maybe(Rule::expression, expr)? {
        headings.push(heading);
    }
    Ok(StatementKind::Close { headings, tally: p.name()?, tags: p.tags()? })
}
