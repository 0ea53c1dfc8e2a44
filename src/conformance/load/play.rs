//! The bodies of a play and of a reckoning.

use std::collections::BTreeMap;

use super::super::case::{CardOrder, Play, Reckon, Row, Start, Step, Text, Then, View};
use super::super::read::{Fields, Reader};
use super::super::yaml::{Entry, Node, Value};
use super::{Header, expected, facts, values};

pub(super) fn play(reader: &mut Reader, header: &Header<'_>) -> Option<Play> {
    let fields = &header.fields;
    let start = fields.get("start").and_then(|node| start(reader, node));
    let given = fields.get("given").map_or_else(BTreeMap::new, |node| values::data_by_name(reader, node, "`given`"));
    let mut orders = vec![order(reader, fields)];
    let further = fields.get("redeals").and_then(|node| reader.list(node, "`redeals`")).unwrap_or_default();
    for node in further {
        if let Some(fields) = reader.fields(node, "a redeal", &["deal", "deck", "stock"]) {
            if fields.entries().is_empty() {
                reader.bad(node.span, "a redeal says how the cards lie: `{deal: {A: \"…\"}}`");
            }
            orders.push(order(reader, &fields));
        }
    }
    let steps = reader.need(fields, "steps", "the case");
    let items = steps.and_then(|node| reader.list(node, "`steps`")).unwrap_or_default();
    let steps: Vec<Step> = items.iter().filter_map(|item| step(reader, item)).collect();
    let view = fields.get("view").and_then(|node| reader.list(node, "`view`")).unwrap_or_default();
    let view: Vec<View> = view.iter().filter_map(|item| self::view(reader, item)).collect();
    let expected = expected(reader, header, |reader, node| facts::facts(reader, node, "`expect`"));
    let checks = items.iter().any(|item| item.get("then").is_some()) || !view.is_empty();
    if !checks && header.silent() && fields.get("steps").is_some() {
        reader.bad(fields.place, "the case expects nothing: no step has a `then`");
    }
    // Redeals are of further shuffles: where the case says nothing of the first, nobody has seen its cards.
    let again = orders.len() > 1;
    if let Some(first) = orders.first_mut().filter(|first| again && **first == CardOrder::default()) {
        first.stock = Some("?".to_owned());
    }
    Some(Play { start, given, orders, steps, view, expected })
}

/// How the cards lie after a shuffle.
fn order(reader: &mut Reader, fields: &Fields<'_>) -> CardOrder {
    let deal = fields.get("deal").map_or_else(BTreeMap::new, |node| by_seat(reader, node));
    let deck = fields.get("deck").and_then(|node| reader.text(node, "`deck`")).map(|cards| cards.text);
    let stock = fields.get("stock").and_then(|node| reader.text(node, "`stock`")).map(|cards| cards.text);
    if let (Some(entry), true) = (fields.entry("deck"), fields.get("deal").is_some() || fields.get("stock").is_some()) {
        reader.bad(entry.key_span, "`deck` gives the whole order, so `deal` and `stock` cannot stand beside it");
    }
    CardOrder { deal, deck, stock }
}

fn start(reader: &mut Reader, node: &Node) -> Option<Start> {
    if !matches!(node.value, Value::Map(_)) {
        let procedure = values::name(reader, node, "`start`")?;
        return Some(Start { procedure: Some(procedure.text), roles: BTreeMap::new() });
    }
    let mut roles = values::texts_by_name(reader, node, "`start`");
    let procedure = roles.remove("procedure");
    Some(Start { procedure, roles })
}

/// Seats are the letters A to H.
fn is_seat(text: &str) -> bool {
    matches!(text.as_bytes(), [b'A'..=b'H'])
}

fn seat_key(reader: &mut Reader, entry: &Entry) {
    if !is_seat(&entry.key.text) && !entry.key.text.is_empty() {
        reader.bad(entry.key_span, format!("`{}` is not a seat: `A` to `H`", entry.key.text));
    }
}

fn by_seat(reader: &mut Reader, node: &Node) -> BTreeMap<String, String> {
    let Some(fields) = reader.map(node, "`deal`") else { return BTreeMap::new() };
    let mut hands = BTreeMap::new();
    for entry in fields.entries() {
        seat_key(reader, entry);
        if let Some(cards) = reader.text(&entry.value, "a hand") {
            hands.insert(entry.key.text.clone(), cards.text);
        }
    }
    hands
}

fn step(reader: &mut Reader, node: &Node) -> Option<Step> {
    let fields = reader.fields(node, "a step", &["do", "then"])?;
    let act = reader.need(&fields, "do", "a step").and_then(|node| reader.text(node, "`do`"));
    let then = fields.get("then").map_or_else(|| Some(Then::default()), |node| facts::then(reader, node));
    let act = act?;
    let by = act.text.split_once(": ").map(|(by, rest)| (is_seat(by) || super::is_name(by)) && !rest.trim().is_empty());
    if by != Some(true) {
        reader.bad(act.span, format!("`{}` does not say who acts: `A: pass`", act.text));
    }
    Some(Step { act, then: then? })
}

fn view(reader: &mut Reader, node: &Node) -> Option<View> {
    let fields = reader.fields(node, "a view", &["after", "seat", "vary", "pool"])?;
    let after = reader.need(&fields, "after", "a view").and_then(|node| reader.integer(node, "`after`"));
    let seat = reader.need(&fields, "seat", "a view").and_then(|node| reader.text(node, "`seat`"));
    let pool = reader.need(&fields, "pool", "a view").map_or_else(Vec::new, |node| reader.texts(node, "`pool`"));
    let vary = reader.need(&fields, "vary", "a view").map_or_else(BTreeMap::new, |node| vary(reader, node));
    let seat = seat?;
    if !is_seat(&seat.text) {
        reader.bad(seat.span, format!("`{}` is not a seat: `A` to `H`", seat.text));
    }
    Some(View { after: after?, seat: seat.text, vary, pool: texts(pool) })
}

fn vary(reader: &mut Reader, node: &Node) -> BTreeMap<String, Vec<String>> {
    let Some(fields) = reader.map(node, "`vary`") else { return BTreeMap::new() };
    let mut all = BTreeMap::new();
    for entry in fields.entries() {
        seat_key(reader, entry);
        all.insert(entry.key.text.clone(), texts(reader.texts(&entry.value, "`vary`")));
    }
    all
}

fn texts(texts: Vec<Text>) -> Vec<String> {
    texts.into_iter().map(|text| text.text).collect()
}

pub(super) fn reckon(reader: &mut Reader, header: &Header<'_>) -> Option<Reckon> {
    let fields = &header.fields;
    let position = reader.need(fields, "position", "the case").and_then(|node| values::name(reader, node, "`position`"));
    let given = fields.get("given").map_or_else(BTreeMap::new, |node| values::data_by_name(reader, node, "`given`"));
    let table = fields.get("table").map_or_else(Vec::new, |node| table(reader, node));
    let expected = expected(reader, header, |reader, node| facts::facts(reader, node, "`expect`"));
    let beside = fields.entry("expect").or_else(|| fields.entry("readings"));
    match (fields.get("table"), beside) {
        (None, None) if header.silent() => reader.bad(fields.place, "the case expects nothing"),
        (Some(_), Some(entry)) => reader.bad(entry.key_span, "every row of `table` has its own `expect`"),
        (None, _) | (_, None) => {}
    }
    Some(Reckon { position: position?.text, given, table, expected })
}

fn table(reader: &mut Reader, node: &Node) -> Vec<Row> {
    let Some(fields) = reader.map(node, "`table`") else { return Vec::new() };
    if fields.entries().is_empty() {
        reader.bad(node.span, "`table` is empty");
    }
    fields.entries().iter().filter_map(|entry| row(reader, entry)).collect()
}

fn row(reader: &mut Reader, entry: &Entry) -> Option<Row> {
    if !super::is_name(&entry.key.text) {
        reader.bad(entry.key_span, format!("`{}` is not a name: small letters, digits and hyphens", entry.key.text));
    }
    let what = format!("the row `{}`", entry.key.text);
    let fields = reader.map(&entry.value, &what)?;
    let expect = reader.need(&fields, "expect", &what).and_then(|node| facts::facts(reader, node, "`expect`"));
    let mut given = BTreeMap::new();
    for entry in fields.entries().iter().filter(|entry| entry.key.text != "expect") {
        if let Some(value) = values::data(reader, &entry.value) {
            given.insert(entry.key.text.clone(), value);
        }
    }
    Some(Row { key: Text { text: entry.key.text.clone(), span: entry.key_span }, given, expect: expect? })
}
