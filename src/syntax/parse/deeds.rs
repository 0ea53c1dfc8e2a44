//! Builds deeds, which pay, move, mark and announce, and the alternatives of offers and duties.

use super::cursor::{Built, Context, Fault, Node, Parts};
use super::declarations::parameter;
use super::expressions::{arguments, expr};
use super::grammar::Rule;
use super::statements::block;
use crate::syntax::tree::{
    ActParameter, Alternative, AssignWord, At, Deed, Destination, Does, Expr, KnownTo, Moved, MovedCount, MovedPart, PlaceEnd, Tags,
};

/// The deed of a rule such as `do_pay`.
pub(super) fn deed(cx: Context, node: Node<'_>) -> Built<Deed> {
    let rule = node.as_rule();
    let mut parts = cx.parts(node)?;
    let p = &mut parts;
    Ok(match rule {
        Rule::do_pay => {
            let amount = if p.mark(Rule::all_mark) { None } else { Some(p.expr()?) };
            Deed::Pay { amount, from: p.expr()?, to: p.expr()? }
        }
        Rule::do_move => {
            Deed::Move { what: p.one(Rule::moved, moved)?, from: p.maybe(Rule::expression, expr)?, to: p.one(Rule::destination, destination)? }
        }
        Rule::do_score => {
            Deed::Score { amount: p.expr()?, to: p.expr()?, under: p.expr_in(Rule::score_under)?, after: p.expr_in(Rule::score_after)? }
        }
        Rule::do_mark => Deed::Mark { what: p.one(Rule::moved_part, moved_part)?, to: p.one(Rule::known_to, known_to)? },
        Rule::do_show => Deed::Show { what: p.one(Rule::moved_part, moved_part)?, to: p.one(Rule::known_to, known_to)? },
        Rule::do_arrange => Deed::Arrange(p.expr()?),
        Rule::do_lift => {
            let count = if p.mark(Rule::some_mark) { None } else { Some(p.expr()?) };
            Deed::Lift { count, of: p.expr()? }
        }
        Rule::do_announce => Deed::Announce { signal: p.name()?, arguments: arguments(p)? },
        Rule::do_end => Deed::End { procedure: p.name()?, outcome: p.maybe_name() },
        Rule::do_void => Deed::Void { procedure: p.name()?, cause: p.name_in(Rule::void_cause)?, again: p.mark(Rule::void_again) },
        Rule::do_answer if p.word == "stands" => Deed::Stands,
        Rule::do_answer => Deed::Refuse,
        Rule::do_assign => assign(p)?,
        Rule::do_call => Deed::Call { name: p.name()?, arguments: arguments(p)?.unwrap_or_default() },
        _ => return Err(Fault::Odd(p.span)),
    })
}

fn assign(p: &mut Parts<'_>) -> Built<Deed> {
    let mut path = p.within(Rule::place_path)?;
    let word = match p.need(Rule::assign_word)?.as_str() {
        ":=" => AssignWord::Becomes,
        "+=" => AssignWord::Add,
        "-=" => AssignWord::Subtract,
        _ => return Err(Fault::Odd(p.span)),
    };
    Ok(Deed::Assign { target: path.name()?, arguments: arguments(&mut path)?, word, value: p.expr()? })
}

fn end_word(p: &mut Parts<'_>) -> Option<PlaceEnd> {
    let word = p.opt(Rule::end_word)?;
    Some(if word.as_str() == "top" { PlaceEnd::Top } else { PlaceEnd::Bottom })
}

fn moved(cx: Context, node: Node<'_>) -> Built<Moved> {
    let mut p = cx.parts(node)?;
    if let Some(mut every) = p.inner(Rule::every_piece)? {
        return Ok(Moved::Every { piece: every.name()?, filter: every.maybe(Rule::expression, expr)? });
    }
    let Some(mut end) = p.inner(Rule::piece_end)? else {
        return Ok(Moved::These(p.exprs()?));
    };
    let which = end_word(&mut end).ok_or(Fault::Odd(end.span))?;
    if end.mark(Rule::some_mark) {
        return Ok(Moved::End { end: which, count: MovedCount::Some, of: end.expr()? });
    }
    let (count, of) = count_and_place(&mut end)?;
    Ok(Moved::End { end: which, count: count.map_or(MovedCount::One, MovedCount::Number), of })
}

/// `2 of stock` or `of stock`: one expression or two.
fn count_and_place(p: &mut Parts<'_>) -> Built<(Option<Expr>, Expr)> {
    let first = p.expr()?;
    Ok(match p.maybe(Rule::expression, expr)? {
        Some(place) => (Some(first), place),
        None => (None, first),
    })
}

fn destination(cx: Context, node: Node<'_>) -> Built<Destination> {
    let mut p = cx.parts(node)?;
    Ok(match end_word(&mut p) {
        Some(end) => Destination::End(end, p.expr()?),
        None => Destination::Place(p.expr()?),
    })
}

fn moved_part(cx: Context, node: Node<'_>) -> Built<MovedPart> {
    let mut p = cx.parts(node)?;
    let Some(mut part) = p.inner(Rule::part_end)? else {
        return Ok(MovedPart::These(p.expr()?));
    };
    let end = end_word(&mut part).ok_or(Fault::Odd(part.span))?;
    let (count, of) = count_and_place(&mut part)?;
    Ok(MovedPart::End { end, count, of })
}

fn known_to(cx: Context, node: Node<'_>) -> Built<KnownTo> {
    let mut p = cx.parts(node)?;
    Ok(match p.maybe(Rule::expression, expr)? {
        Some(seats) => KnownTo::Seats(seats),
        None => KnownTo::All,
    })
}

// ------------------------------------------------------------------------------------------------ alternatives

pub(super) fn alternatives(p: &mut Parts<'_>) -> Built<Vec<At<Alternative>>> {
    p.each(Rule::alternative, |cx, node| {
        let mut p = cx.parts(node)?;
        let irregular = p.mark(Rule::irregular_mark);
        let act = act_name(&mut p)?;
        let parameters = act_parameters(&mut p)?;
        let when = p.expr_in(Rule::alternative_when)?;
        let heard = p.expr_in(Rule::alternative_heard)?;
        let regular = p.expr_in(Rule::alternative_regular)?;
        let breach = p.name_in(Rule::else_breach)?;
        let (does, tags) = does(&mut p)?;
        Ok(At::new(Alternative { irregular, act, parameters, when, heard, regular, breach, does, tags }, p.span))
    })
}

/// `deals-to(p) else misdeal => …` of a duty with one act.
pub(super) fn single_alternative(cx: Context, node: Node<'_>) -> Built<At<Alternative>> {
    let mut p = cx.parts(node)?;
    let act = act_name(&mut p)?;
    let parameters = act_parameters(&mut p)?;
    let breach = p.name_in(Rule::else_breach)?;
    let (does, tags) = does(&mut p)?;
    Ok(At::new(Alternative { irregular: false, act, parameters, when: None, heard: None, regular: None, breach, does, tags }, p.span))
}

fn act_name(p: &mut Parts<'_>) -> Built<crate::syntax::tree::Name> {
    p.within(Rule::act_name)?.name()
}

fn act_parameters(p: &mut Parts<'_>) -> Built<Option<Vec<ActParameter>>> {
    let Some(mut list) = p.inner(Rule::act_parameters)? else {
        return Ok(None);
    };
    list.each(Rule::act_parameter, |cx, node| {
        let mut p = cx.parts(node)?;
        Ok(match p.maybe(Rule::parameter, parameter)? {
            Some(parameter) => ActParameter::Parameter(parameter),
            None => ActParameter::Fixed(p.expr()?),
        })
    })
    .map(Some)
}

/// The tags of a block stand before its `=>`, those of a deed behind it.
fn does(p: &mut Parts<'_>) -> Built<(Does, Tags)> {
    if let Some(mut p) = p.inner(Rule::does_block)? {
        let tags = p.tags()?;
        return Ok((Does::Block(p.one(Rule::block, block)?), tags));
    }
    let mut p = p.within(Rule::does_deed)?;
    let mut action = p.within(Rule::action_statement)?;
    let span = action.span;
    let node = action.any()?;
    let deed = At::new(deed(action.cx, node)?, span);
    Ok((Does::Deed(deed), p.tags()?))
}
