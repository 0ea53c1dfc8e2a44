//! Acts of the interface in the rulebook's own words.

use super::super::implementation::ActAsk;
use crate::engine::{Game, State, Value, Words, evaluate, letter};
use crate::rules::table::mapping::{MappedAct, MappedArgument, TableMapping};
use crate::rules::table::program::Type;
use crate::source::Span;
use crate::syntax::record_tree::{Act, Argument, By, Seat, Written, WrittenCard};
use crate::syntax::tree::{At, InterfaceItem, Name};

/// Why an act cannot be put to the rulebook.
pub(super) enum Untranslated {
    Unsupported(String),
    Error(String),
}

pub(super) fn translated(
    game: &Game,
    words: &Words<'_>,
    state: &State,
    (mapping, items): (&TableMapping, &[At<InterfaceItem>]),
    ask: &ActAsk<'_>,
) -> Result<Act, Untranslated> {
    let name = &ask.act.act;
    let Some(mapped) = mapping.act(&name.it) else {
        let known = items.iter().any(|item| {
            let (InterfaceItem::Act { name: known, .. } | InterfaceItem::Event { name: known, .. }) = &item.it else { return false };
            known.it == name.it
        });
        return Err(if known {
            Untranslated::Unsupported(name.it.clone())
        } else {
            Untranslated::Error(format!("the interface `{}` has no act or event `{}`", mapping.interface, name.it))
        });
    };
    let written = parted(mapped, &ask.act.arguments, ask.text)?;
    let mut arguments = Vec::new();
    for argument in &mapped.arguments {
        match argument {
            MappedArgument::Parameter(at) => arguments.extend(written.get(*at).copied().unwrap_or(&[]).iter().cloned()),
            MappedArgument::Value(expr, kind) => {
                let value =
                    evaluate(game, state, expr, 0, &[]).map_err(|_| Untranslated::Error(format!("`{}` cannot be worked out here", name.it)))?;
                arguments.extend(as_written(words, &value, kind, name.span));
            }
        }
    }
    let by = match &mapped.by {
        Some((expr, slots)) => match evaluate(game, state, expr, *slots, &[]) {
            Ok(Value::Seat(seat)) => By::Seat(Seat(letter(seat))),
            Ok(_) | Err(_) => return Err(Untranslated::Error(format!("nobody can be found who did `{}`", name.it))),
        },
        None => ask.act.by.it.clone(),
    };
    let breach = ask.act.breach.as_ref().map(|breach| {
        // What is never in order is marked with its own name.
        let of_act = mapping.act(&breach.it).filter(|act| act.irregular || breach.it == name.it);
        Name::new(of_act.map_or(breach.it.as_str(), |act| act.target.as_str()).to_owned(), breach.span)
    });
    let breach = breach.or_else(|| mapped.irregular.then(|| Name::new(mapped.target.clone(), name.span)));
    Ok(Act { by: At::new(by, ask.act.by.span), act: Name::new(mapped.target.clone(), name.span), arguments, breach, after: None })
}

/// What was written for each parameter: one thing, and for a set or a list whatever is left over.
fn parted<'w>(mapped: &MappedAct, written: &'w [At<Argument>], text: &str) -> Result<Vec<&'w [At<Argument>]>, Untranslated> {
    let is_many = |kind: &Type| matches!(kind, Type::Set(_) | Type::List(_));
    let single = mapped.parameters.iter().filter(|(_, kind)| !is_many(kind)).count();
    let has_many = single < mapped.parameters.len();
    if written.len() < single || (written.len() > single && !has_many) {
        let wanted: Vec<&str> = mapped.parameters.iter().map(|(name, _)| name.as_str()).collect();
        let wanted = if wanted.is_empty() { "nothing".to_owned() } else { wanted.join(", ") };
        return Err(Untranslated::Error(format!("`{text}`: `{}` takes {wanted}", mapped.name)));
    }
    let mut over = written.len() - single;
    let mut rest = written;
    let mut all = Vec::new();
    for (_, kind) in &mapped.parameters {
        let count = if is_many(kind) { std::mem::take(&mut over) } else { 1 };
        let (own, others) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        all.push(own);
        rest = others;
    }
    Ok(all)
}

fn as_written(words: &Words<'_>, value: &Value, kind: &Type, span: Span) -> Vec<At<Argument>> {
    let members = match value {
        Value::Pieces(_) | Value::Seats(_) | Value::Members(_) | Value::List(_) => crate::engine::members_of(value),
        Value::Unknown
        | Value::None
        | Value::Number(_)
        | Value::Truth(_)
        | Value::Member(_)
        | Value::Seat(_)
        | Value::Piece(_)
        | Value::Entry(..)
        | Value::Entered(..)
        | Value::Text(_)
        | Value::Account(_) => vec![value.clone()],
    };
    let kind = kind.member_or_self();
    let argument = |value: &Value| {
        if let Value::Number(number) = value {
            return Argument::Number(*number);
        }
        Argument::Written(WrittenCard { written: Written::Compact(words.value(value, kind)), called: None })
    };
    members.iter().map(|value| At::new(argument(value), span)).collect()
}
