//! Builds interfaces and the mappings of a rulebook to one.

use super::cursor::{Built, Context, Fault, Node, Parts};
use super::expressions::{arguments, binder};
use super::grammar::Rule;
use crate::syntax::tree::{
    At, Implements, Interface, InterfaceItem, InterfaceValues, MapTarget, Mapping, MemberChoice, Name, PositionAnswer, PositionItem,
};

pub(super) fn interface(p: &mut Parts<'_>) -> Built<Interface> {
    Ok(Interface { name: p.name()?, title: p.maybe_text(), items: p.each(Rule::interface_item, interface_item)? })
}

fn interface_item(cx: Context, node: Node<'_>) -> Built<At<InterfaceItem>> {
    let mut outer = cx.parts(node)?;
    let inner = outer.any()?;
    let rule = inner.as_rule();
    let mut parts = outer.cx.parts(inner)?;
    let p = &mut parts;
    let item = match rule {
        Rule::interface_param => InterfaceItem::Param { name: p.name()?, values: interface_values(p)?, title: p.maybe_text() },
        Rule::interface_classes => InterfaceItem::Classes(p.names()),
        Rule::interface_compare => InterfaceItem::Compare { name: p.name()?, least: p.number()?, most: p.maybe_number(), piece: p.name()? },
        Rule::interface_shows => InterfaceItem::Shows { name: p.name()?, parameters: p.parameters()?, kind: p.type_name()? },
        Rule::interface_act => InterfaceItem::Act { name: p.name()?, parameters: p.parameters()? },
        Rule::interface_event => InterfaceItem::Event { name: p.name()?, parameters: p.parameters()? },
        Rule::interface_position => InterfaceItem::Position { name: p.name()?, parameters: p.parameters()?, answer: p.type_name()? },
        _ => return Err(Fault::Odd(p.span)),
    };
    Ok(At::new(item, outer.span))
}

fn interface_values(p: &mut Parts<'_>) -> Built<InterfaceValues> {
    if let Some(mut between) = p.inner(Rule::interface_between)? {
        return Ok(InterfaceValues::Between(between.number()?, between.number()?));
    }
    Ok(if p.mark(Rule::set_mark) { InterfaceValues::SetOf(value_words(p)?) } else { InterfaceValues::OneOf(value_words(p)?) })
}

/// A value of an interface's parameter.
fn value_word(p: &mut Parts<'_>) -> Built<Name> {
    p.one(Rule::value_word, |cx, node| Ok(cx.name(&node)))
}

fn value_words(p: &mut Parts<'_>) -> Built<Vec<Name>> {
    p.each(Rule::value_word, |cx, node| Ok(cx.name(&node)))
}

pub(super) fn implements(p: &mut Parts<'_>) -> Built<Implements> {
    Ok(Implements { interface: p.name()?, mappings: p.each(Rule::mapping, mapping)? })
}

fn mapping(cx: Context, node: Node<'_>) -> Built<At<Mapping>> {
    let mut outer = cx.parts(node)?;
    let inner = outer.any()?;
    let rule = inner.as_rule();
    let mut parts = outer.cx.parts(inner)?;
    let p = &mut parts;
    let mapping = match rule {
        Rule::map_param => map_param(p)?,
        Rule::map_class => Mapping::Classes(p.each(Rule::class_pair, class_pair)?),
        Rule::map_compare => {
            let (name, ranking) = p.one(Rule::class_pair, class_pair)?;
            Mapping::Compare(name, ranking)
        }
        Rule::map_shows => Mapping::Shows { name: p.name()?, parameters: p.names_in(Rule::map_parameters)?, value: p.expr()? },
        Rule::map_act => Mapping::Act { name: p.name()?, parameters: p.names_in(Rule::map_parameters)?, target: target(p)? },
        Rule::map_event => Mapping::Event { name: p.name()?, parameters: p.names_in(Rule::map_parameters)?, target: target(p)? },
        Rule::map_position => {
            let (name, parameters) = (p.name()?, p.names_in(Rule::map_parameters)?);
            let items = p.each(Rule::position_item, position_item)?;
            let mut answer = p.within(Rule::position_answer)?;
            let value = answer.expr()?;
            let each = answer.inner(Rule::position_for)?.map(|mut each| each.one(Rule::binder, binder)).transpose()?;
            Mapping::Position { name, parameters, items, answer: At::new(PositionAnswer { value, each }, answer.span) }
        }
        _ => return Err(Fault::Odd(p.span)),
    };
    Ok(At::new(mapping, outer.span))
}

fn map_param(p: &mut Parts<'_>) -> Built<Mapping> {
    let name = p.name()?;
    if let Some(mut to) = p.inner(Rule::map_to_option)? {
        return Ok(Mapping::ParamOption { name, option: to.name()?, values: value_map(&mut to)? });
    }
    if let Some(mut to) = p.inner(Rule::map_to_param)? {
        return Ok(Mapping::ParamParam { name, param: to.name()?, values: value_map(&mut to)? });
    }
    if let Some(mut to) = p.inner(Rule::map_to_choices)? {
        return Ok(Mapping::ParamChoices { name, choices: to.each(Rule::member_choice, member_choice)? });
    }
    Ok(Mapping::ParamFixed { name, value: value_word(&mut p.within(Rule::map_fixed)?)? })
}

fn member_choice(cx: Context, node: Node<'_>) -> Built<MemberChoice> {
    let mut p = cx.parts(node)?;
    Ok(MemberChoice { member: value_word(&mut p)?, option: p.name()?, branch: p.name()?, otherwise: p.name()? })
}

fn value_map(p: &mut Parts<'_>) -> Built<Option<Vec<(Name, Name)>>> {
    let Some(mut map) = p.inner(Rule::value_map)? else {
        return Ok(None);
    };
    map.each(Rule::name_pair, |cx, node| {
        let mut pair = cx.parts(node)?;
        Ok((value_word(&mut pair)?, pair.name()?))
    })
    .map(Some)
}

fn class_pair(cx: Context, node: Node<'_>) -> Built<(Name, Option<Name>)> {
    let mut pair = cx.parts(node)?;
    Ok((pair.name()?, pair.maybe_name()))
}

fn target(p: &mut Parts<'_>) -> Built<MapTarget> {
    let mut target = p.within(Rule::map_target)?;
    let (name, arguments) = (target.name()?, arguments(&mut target)?);
    let by = target.inner(Rule::map_by)?.map(|mut by| by.expr()).transpose()?;
    Ok(MapTarget { name, arguments, by })
}

fn position_item(cx: Context, node: Node<'_>) -> Built<PositionItem> {
    let mut p = cx.parts(node)?;
    let name = match p.opt(Rule::position_seats) {
        Some(seats) => cx.name(&seats),
        None => p.name()?,
    };
    let arguments = arguments(&mut p)?;
    let value = p.opt(Rule::expression).map(|value| super::expressions::expr(cx, value)).transpose()?;
    Ok(PositionItem { name, arguments, value })
}
