//! The body of a comparison.

use std::collections::BTreeMap;

use super::super::case::{Answer, Compare, Expect, Text};
use super::super::read::{Reader, list};
use super::super::yaml::{Node, Value};
use super::values;
use super::{Header, expected};
use crate::diagnostic::{Code, Diagnostic};

pub(super) fn body(reader: &mut Reader, header: &Header<'_>) -> Option<Compare> {
    let hands = reader.need(&header.fields, "hands", "the case").and_then(|node| hands(reader, node));
    let separate = header.fields.get("separate").and_then(|node| reader.truth(node, "`separate`"));
    // `None`: the hands are broken, and complaints about their names would only hide that.
    let names = header.fields.get("hands").and_then(|node| if let Value::Map(entries) = &node.value { Some(entries) } else { None });
    let names: Option<Vec<&str>> = names.map(|entries| entries.iter().map(|entry| entry.key.text.as_str()).collect());
    let expected = expected(reader, header, |reader, node| expect(reader, node, names.as_deref()));
    if header.silent() {
        reader.bad(header.fields.place, "the case expects nothing");
    }
    Some(Compare { hands: hands?, separate: separate.unwrap_or(false), expected: expected? })
}

fn hands(reader: &mut Reader, node: &Node) -> Option<BTreeMap<String, String>> {
    let fields = reader.map(node, "`hands`")?;
    if fields.entries().is_empty() {
        reader.bad(node.span, "`hands` is empty");
    }
    let texts = fields.entries().iter().filter_map(|entry| {
        let cards = reader.text(&entry.value, &format!("the hand `{}`", entry.key.text))?;
        Some((entry.key.text.clone(), cards.text))
    });
    Some(texts.collect())
}

/// `{order, classes, as}`, or `{refused: …}`, or `{ruling: …}`.
fn expect(reader: &mut Reader, node: &Node, hands: Option<&[&str]>) -> Option<Expect> {
    let fields = reader.fields(node, "`expect`", &["order", "classes", "as", "refused", "ruling"])?;
    let alone = fields.entry("refused").or_else(|| fields.entry("ruling"));
    if let Some(entry) = alone.filter(|_| fields.entries().len() > 1) {
        reader.bad(entry.key_span, format!("`{}` stands alone: nothing else can be expected beside it", entry.key.text));
        return None;
    }
    if let Some(node) = fields.get("refused") {
        let codes = values::any_of(reader, node, "`refused`");
        return (!codes.is_empty()).then_some(Expect::Refused(codes));
    }
    if let Some(node) = fields.get("ruling") {
        return values::ruling(reader, node).map(Expect::Ruling);
    }
    if fields.entries().is_empty() {
        reader.bad(node.span, "`expect` is empty");
    }
    let order = fields.get("order").and_then(|node| order(reader, node, hands));
    let classes = fields.get("classes").map_or_else(BTreeMap::new, |node| classes(reader, node, hands));
    let meanings = fields.get("as").map_or_else(BTreeMap::new, |node| meanings(reader, node, hands));
    Some(Expect::Answer(Answer { order, classes, meanings }))
}

/// Every hand of the case stands in it once.
fn order(reader: &mut Reader, node: &Node, hands: Option<&[&str]>) -> Option<Vec<Vec<String>>> {
    let order = values::order(reader, node)?;
    let Some(known) = hands else { return Some(texts(order)) };
    let mut seen: Vec<&Text> = Vec::new();
    for name in order.iter().flatten() {
        known_hand(reader, name, hands);
        if seen.iter().any(|before| before.text == name.text) {
            reader.bad(name.span, format!("the hand `{}` stands twice in the order", name.text));
        }
        seen.push(name);
    }
    let missing: Vec<&str> = known.iter().copied().filter(|hand| !seen.iter().any(|name| name.text == *hand)).collect();
    if !missing.is_empty() && !order.is_empty() && order.len() == values::length(node) {
        let verb = if missing.len() == 1 { "the hand" } else { "the hands" };
        reader.bad(node.span, format!("the order leaves out {verb} {}", list(&missing)));
    }
    Some(texts(order))
}

fn texts(order: Vec<Vec<Text>>) -> Vec<Vec<String>> {
    order.into_iter().map(|tie| tie.into_iter().map(|name| name.text).collect()).collect()
}

fn known_hand(reader: &mut Reader, name: &Text, hands: Option<&[&str]>) {
    if let Some(known) = hands.filter(|known| !known.contains(&name.text.as_str())) {
        let fault = Diagnostic::new(Code::BadCase, format!("the case has no hand `{}`", name.text), name.span);
        reader.push(fault.with_help(format!("its hands are {}", list(known))));
    }
}

/// A class by hand.
fn classes(reader: &mut Reader, node: &Node, hands: Option<&[&str]>) -> BTreeMap<String, String> {
    let Some(fields) = reader.map(node, "`classes`") else { return BTreeMap::new() };
    let mut classes = BTreeMap::new();
    for entry in fields.entries() {
        known_hand(reader, &Text { text: entry.key.text.clone(), span: entry.key_span }, hands);
        if let Some(class) = values::name(reader, &entry.value, "a class") {
            classes.insert(entry.key.text.clone(), class.text);
        }
    }
    classes
}

/// By hand: what each wild piece stands for.
fn meanings(reader: &mut Reader, node: &Node, hands: Option<&[&str]>) -> BTreeMap<String, BTreeMap<String, String>> {
    let Some(fields) = reader.map(node, "`as`") else { return BTreeMap::new() };
    let mut meanings = BTreeMap::new();
    for entry in fields.entries() {
        known_hand(reader, &Text { text: entry.key.text.clone(), span: entry.key_span }, hands);
        if matches!(entry.value.value, Value::Map(_)) {
            meanings.insert(entry.key.text.clone(), values::texts_by_name(reader, &entry.value, "a meaning"));
        } else {
            reader.wrong(&entry.value, "the meanings of a hand", "a map from wild card to card");
        }
    }
    meanings
}
