//! Positions of an interface, worked out by the rulebook's own rules.

use std::collections::BTreeMap;

use super::super::case::{Data, Ruling};
use super::super::implementation::{ReckonAsk, Reckoned};
use super::facts::in_a_word;
use super::rulings::of_why;
use super::values::{data, value};
use super::{Book, Reference};
use crate::engine::{Trouble, Words, reckon as worked_out};
use crate::syntax::tree::InterfaceItem;

pub(super) fn reckon(reference: &Reference, book: &Book, ask: &ReckonAsk) -> Reckoned {
    let (Some(game), Some(mapping)) = (&book.game, book.rulebook.table_mapping(&ask.under.game)) else {
        return Reckoned::Unsupported { feature: format!("a table of {}", ask.under.rules) };
    };
    let declared = reference.interface(&ask.under.game).iter().find_map(|item| {
        let InterfaceItem::Position { name, parameters, .. } = &item.it else { return None };
        (name.it == ask.position).then_some(parameters)
    });
    let Some(declared) = declared else {
        return Reckoned::Error { text: format!("the interface `{}` has no position `{}`", ask.under.game, ask.position) };
    };
    let Some(position) = mapping.position(&ask.position) else { return Reckoned::Unsupported { feature: ask.position.clone() } };
    if let Some(name) = ask.given.keys().find(|name| !declared.iter().any(|parameter| parameter.name.it == **name)) {
        return Reckoned::Error { text: format!("the position `{}` takes no `{name}`", ask.position) };
    }
    let words = Words::new(&book.rulebook, &game.program);
    let mut given = Vec::new();
    // The mapping has names of its own for the parameters, in the interface's order.
    for (parameter, (_, kind)) in declared.iter().zip(&position.parameters) {
        let Some(data) = ask.given.get(&parameter.name.it) else {
            return Reckoned::Error { text: format!("the position `{}` wants `{}`", ask.position, parameter.name.it) };
        };
        match value(&book.rulebook, &words, data, kind) {
            Ok(value) => given.push(value),
            Err(text) => return Reckoned::Error { text: format!("`{}`: {text}", parameter.name.it) },
        }
    }
    let ruling = |word: &str| ("ruling".to_owned(), Data::Text(word.to_owned()));
    match worked_out(&game.program, position, &given) {
        Ok(value) => {
            let answer = (ask.position.clone(), data(game, &value, &position.kind));
            Reckoned::Answer { facts: BTreeMap::from([answer, ruling("value")]), reasons: Vec::new() }
        }
        Err(Trouble::Fault(fault)) => Reckoned::Error { text: format!("{:?} in `{}`", fault.what, fault.within) },
        Err(trouble @ Trouble::Unruled(_)) => {
            let reasons = match &trouble {
                Trouble::Unruled(unruled) => {
                    let name = game.program.questions.get(unruled.question).map_or("", |question| question.name.as_str());
                    let word = word_of(&of_why(game, unruled.why, unruled.question));
                    vec![format!("{name}: {word}")]
                }
                Trouble::Fault(_) => Vec::new(),
            };
            Reckoned::Answer { facts: BTreeMap::from([ruling(in_a_word(&trouble))]), reasons }
        }
    }
}

/// A ruling in a word.
pub(super) fn word_of(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Value => "value",
        Ruling::Silent => "silent",
        Ruling::Conflict => "conflict",
        Ruling::Open { .. } => "open",
        Ruling::Unknown { .. } => "unknown",
    }
}
