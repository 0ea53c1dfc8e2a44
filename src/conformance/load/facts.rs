//! Expected facts, each with its comparator.

use std::collections::BTreeMap;

use super::super::case::{Check, Facts, Outcome, Then};
use super::super::read::{Fields, Reader};
use super::super::yaml::{Entry, Node, Value};
use super::values;

/// A map from facts to expected values.
pub(super) fn facts(reader: &mut Reader, node: &Node, what: &str) -> Option<Facts> {
    let fields = not_empty(reader, node, what)?;
    Some(named(reader, fields.entries(), &[]))
}

/// The entries but those of `others`, as facts.
fn named(reader: &mut Reader, entries: &[Entry], others: &[&str]) -> Facts {
    let facts = entries.iter().filter(|entry| !others.contains(&entry.key.text.as_str()));
    facts.filter_map(|entry| Some((entry.key.text.clone(), check(reader, &entry.value)?))).collect()
}

/// What holds after a step.
pub(super) fn then(reader: &mut Reader, node: &Node) -> Option<Then> {
    let outcome = outcome(reader, node, "`then`", &["prevent", "adjudicate"])?;
    let mut one = |key: &str| node.get(key).and_then(|node| self::outcome(reader, node, &format!("`{key}`"), &[]));
    Some(Then { outcome, prevent: one("prevent"), adjudicate: one("adjudicate") })
}

/// A map that says something.
fn not_empty<'n>(reader: &mut Reader, node: &'n Node, what: &str) -> Option<Fields<'n>> {
    let fields = reader.map(node, what)?;
    if fields.entries().is_empty() {
        reader.bad(node.span, format!("{what} is empty"));
    }
    Some(fields)
}

fn outcome(reader: &mut Reader, node: &Node, what: &str, others: &[&str]) -> Option<Outcome> {
    let fields = not_empty(reader, node, what)?;
    let refused = fields.get("refused").map_or_else(Vec::new, |node| values::any_of(reader, node, "`refused`"));
    let ruling = fields.get("ruling").and_then(|node| values::ruling(reader, node));
    Some(Outcome { refused, ruling, facts: named(reader, fields.entries(), &[others, &["refused", "ruling"]].concat()) })
}

/// One expected value. A map with the one key `set`, `seq`, `order` or `any-of` names its comparator.
fn check(reader: &mut Reader, node: &Node) -> Option<Check> {
    match &node.value {
        Value::Broken => None,
        Value::Scalar(_) => reader.text_or_integer(node, "a value", Check::Text, Check::Number),
        Value::List(_) => Some(Check::Seq(checks(reader, node))),
        Value::Map(entries) => match entries.as_slice() {
            [entry] if entry.key.text == "set" => Some(Check::Set(checks(reader, &entry.value))),
            [entry] if entry.key.text == "seq" => Some(Check::Seq(checks(reader, &entry.value))),
            [entry] if entry.key.text == "any-of" => Some(Check::AnyOf(checks(reader, &entry.value))),
            [entry] if entry.key.text == "order" => {
                let order = values::order(reader, &entry.value)?;
                Some(Check::Order(order.into_iter().map(|tie| tie.into_iter().map(|name| name.text).collect()).collect()))
            }
            entries => {
                not_empty(reader, node, "an expected value")?;
                let keys: BTreeMap<String, Check> = named(reader, entries, &[]);
                Some(Check::Map(keys))
            }
        },
    }
}

fn checks(reader: &mut Reader, node: &Node) -> Vec<Check> {
    let items = reader.list(node, "the values").unwrap_or_default();
    items.iter().filter_map(|item| check(reader, item)).collect()
}
