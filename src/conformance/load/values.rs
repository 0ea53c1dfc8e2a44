//! Small values that several kinds share.

use std::collections::BTreeMap;

use super::super::case::{Data, Ruling, Text};
use super::super::read::Reader;
use super::super::yaml::{Node, Value};
use super::is_name;

/// A name in small letters, digits and hyphens.
pub(super) fn name(reader: &mut Reader, node: &Node, what: &str) -> Option<Text> {
    let name = reader.text(node, what)?;
    if is_name(&name.text) {
        return Some(name);
    }
    reader.bad(name.span, format!("`{}` is not a name: small letters, digits and hyphens", name.text));
    None
}

/// How many items a list has; 0 for anything else.
pub(super) fn length(node: &Node) -> usize {
    if let Value::List(items) = &node.value { items.len() } else { 0 }
}

/// `[[a], [b, c]]`
pub(super) fn order(reader: &mut Reader, node: &Node) -> Option<Vec<Vec<Text>>> {
    let items = reader.list(node, "an order")?;
    if items.is_empty() {
        reader.bad(node.span, "the order is empty");
    }
    let mut order = Vec::new();
    for item in items {
        if matches!(item.value, Value::Scalar(_)) {
            reader.wrong(item, "a place in the order", "a list, `[a]`; a list of several is a tie");
            continue;
        }
        let tie = reader.texts(item, "a place in the order");
        if length(item) == 0 && matches!(item.value, Value::List(_)) {
            reader.bad(item.span, "a place in the order is empty");
        }
        order.push(tie);
    }
    Some(order)
}

/// `CODE`, or `{any-of: [CODE, …]}`
pub(super) fn any_of(reader: &mut Reader, node: &Node, what: &str) -> Vec<String> {
    if !matches!(node.value, Value::Map(_)) {
        return name(reader, node, what).map(|code| code.text).into_iter().collect();
    }
    let Some(fields) = reader.fields(node, what, &["any-of"]) else { return Vec::new() };
    let Some(list) = reader.need(&fields, "any-of", what) else { return Vec::new() };
    if length(list) == 0 && matches!(list.value, Value::List(_)) {
        reader.bad(list.span, "`any-of` is empty");
    }
    let items = reader.list(list, "`any-of`").unwrap_or_default();
    items.iter().filter_map(|item| name(reader, item, what)).map(|code| code.text).collect()
}

/// `value`, `silent`, `conflict`, `{open: {to, among}}`, `{unknown: {fact}}`
pub(super) fn ruling(reader: &mut Reader, node: &Node) -> Option<Ruling> {
    if !matches!(node.value, Value::Map(_)) {
        let words = [(Ruling::Value, "value"), (Ruling::Silent, "silent"), (Ruling::Conflict, "conflict")];
        return reader.word(node, "a ruling", &words);
    }
    let fields = reader.fields(node, "a ruling", &["open", "unknown"])?;
    if fields.entries().len() != 1 {
        reader.bad(fields.place, "a ruling is either `open` or `unknown`");
        return None;
    }
    if let Some(node) = fields.get("unknown") {
        let fields = reader.fields(node, "`unknown`", &["fact"])?;
        let fact = reader.need(&fields, "fact", "`unknown`").and_then(|node| reader.text(node, "the fact"))?;
        return Some(Ruling::Unknown { fact: fact.text });
    }
    let node = fields.get("open")?;
    let fields = reader.fields(node, "`open`", &["to", "among"])?;
    let to = reader.need(&fields, "to", "`open`").and_then(|node| reader.text(node, "`to`"));
    let among = reader.need(&fields, "among", "`open`").map_or_else(Vec::new, |node| reader.texts(node, "`among`"));
    Some(Ruling::Open { to: to?.text, among: among.into_iter().map(|text| text.text).collect() })
}

/// A map from names to texts.
pub(super) fn texts_by_name(reader: &mut Reader, node: &Node, what: &str) -> BTreeMap<String, String> {
    let Some(fields) = reader.map(node, what) else { return BTreeMap::new() };
    fields.entries().iter().filter_map(|entry| Some((entry.key.text.clone(), reader.text(&entry.value, what)?.text))).collect()
}

/// A map from names to plain data.
pub(super) fn data_by_name(reader: &mut Reader, node: &Node, what: &str) -> BTreeMap<String, Data> {
    let Some(fields) = reader.map(node, what) else { return BTreeMap::new() };
    fields.entries().iter().filter_map(|entry| Some((entry.key.text.clone(), data(reader, &entry.value)?))).collect()
}

/// Plain data, of any shape.
pub(super) fn data(reader: &mut Reader, node: &Node) -> Option<Data> {
    match &node.value {
        Value::Broken => None,
        Value::Scalar(_) => reader.text_or_integer(node, "a value", Data::Text, Data::Number),
        Value::List(items) => Some(Data::List(items.iter().filter_map(|item| data(reader, item)).collect())),
        Value::Map(_) => Some(Data::Map(data_by_name(reader, node, "a value"))),
    }
}
