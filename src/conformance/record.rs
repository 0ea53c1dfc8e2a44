//! A record in a YAML file: a case of kind play, or a map with the same keys. It is turned into the lines of a record.

use super::load;
use super::read::Reader;
use super::yaml::{self, Node, Value};
use crate::conformance::case::{Body, CardOrder, Case, ParamValue, Play};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::FileId;

/// What a file of a record, or a case of kind play, says of the play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub start: Vec<String>,
    pub orders: Vec<String>,
    pub steps: Vec<String>,
}

/// Finds a case of a file by its id; without one the file is a record itself, or holds one case of kind play.
///
/// # Errors
/// There is none, or the file cannot be understood.
pub fn find(file: FileId, text: &str, id: Option<&str>) -> Result<Lines, Vec<Diagnostic>> {
    let mut faults = Vec::new();
    if id.is_none()
        && let Ok(Some(root)) = yaml::read(file, text, 0, &mut faults)
        && matches!(root.value, Value::Map(_))
    {
        return bare(&root, faults);
    }
    let (cases, faults) = load::file(file, text);
    let plays: Vec<(&str, Lines)> = (cases.iter())
        .filter_map(|case| match &case.body {
            Body::Play(play) => Some((case.id.text.as_str(), with_seats(case, of_case(play)))),
            Body::Compare(_) | Body::Reckon(_) => None,
        })
        .collect();
    let found = match id {
        Some(id) => plays.iter().find(|(other, _)| *other == id),
        None => plays.first().filter(|_| plays.len() == 1),
    };
    match found {
        Some((_, lines)) => Ok(lines.clone()),
        None if !faults.is_empty() => Err(faults),
        None => {
            let names: Vec<&str> = plays.iter().map(|(id, _)| *id).collect();
            let message = match id {
                Some(id) => format!("the file has no case `{id}` of kind play"),
                None => format!("the file has {} cases of kind play", plays.len()),
            };
            let fault = Diagnostic::without_place(Code::UnknownName, message);
            let shown: Vec<&str> = names.into_iter().take(8).collect();
            let help = format!("name one behind the file: `FILE:ID`; there is {}", crate::rules::advice::all_of(shown.iter().copied()));
            Err(vec![if shown.is_empty() { fault } else { fault.with_help(help) }])
        }
    }
}

/// A case's play as the lines of a record. What it is given in words of its interface is not of the record.
pub fn of_case(play: &Play) -> Lines {
    let mut lines = Lines::default();
    if let Some(start) = &play.start {
        lines.start.extend(start.procedure.iter().map(|procedure| format!("start {procedure}")));
        lines.start.extend(start.roles.iter().map(|(role, seat)| role_line(role, seat)));
    }
    lines.orders.extend(play.orders.iter().flat_map(CardOrder::lines));
    lines.steps.extend(play.steps.iter().map(|step| step.act.text.clone()));
    lines
}

/// Interfaces say by a parameter how many sit.
fn with_seats(case: &Case, mut lines: Lines) -> Lines {
    if let Some(ParamValue::Number(seats)) = ["players", "seats"].iter().find_map(|name| case.params.get(*name)) {
        lines.start.push(format!("seats {seats}"));
    }
    lines
}

fn role_line(role: &str, seat: &str) -> String {
    format!("role {role} {seat}")
}

/// The text of a record.
pub fn in_words(lines: &Lines) -> String {
    let all = lines.start.iter().chain(&lines.orders).chain(&lines.steps);
    // A line of a record is a line: what a scalar breaks over several is one.
    all.map(|line| format!("{}\n", line.split_whitespace().collect::<Vec<_>>().join(" "))).collect()
}

/// A map with the keys of a play.
fn bare(root: &Node, faults: Vec<Diagnostic>) -> Result<Lines, Vec<Diagnostic>> {
    let mut reader = Reader { faults };
    let mut lines = Lines::default();
    let fields = reader.fields(root, "a record", &["rulebook", "seats", "start", "deal", "deck", "stock", "steps"]);
    let Some(fields) = fields else { return Err(reader.faults) };
    for key in ["rulebook", "seats"] {
        if let Some(value) = fields.get(key).and_then(|node| scalar(&mut reader, node, key)) {
            lines.start.push(format!("{key} {value}"));
        }
    }
    match fields.get("start") {
        Some(Node { value: Value::Map(entries), .. }) => {
            for entry in entries {
                let Some(value) = scalar(&mut reader, &entry.value, &entry.key.text) else { continue };
                let role = entry.key.text.as_str();
                lines.start.push(if role == "procedure" { format!("start {value}") } else { role_line(role, &value) });
            }
        }
        Some(node) => lines.start.extend(scalar(&mut reader, node, "start").map(|procedure| format!("start {procedure}"))),
        None => {}
    }
    if let Some(cards) = fields.get("deck").and_then(|node| scalar(&mut reader, node, "deck")) {
        lines.orders.push(format!("deck: {cards}"));
    }
    if let Some(hands) = fields.get("deal").and_then(|node| reader.map(node, "`deal`")) {
        for entry in hands.entries() {
            lines.orders.extend(scalar(&mut reader, &entry.value, "deal").map(|cards| format!("deal {}: {cards}", entry.key.text)));
        }
    }
    if let Some(cards) = fields.get("stock").and_then(|node| scalar(&mut reader, node, "stock")) {
        lines.orders.push(format!("stock: {cards}"));
    }
    for step in fields.get("steps").and_then(|node| reader.list(node, "`steps`")).unwrap_or_default() {
        let act = step.get("do").unwrap_or(step);
        lines.steps.extend(scalar(&mut reader, act, "steps"));
    }
    if reader.faults.iter().any(Diagnostic::is_error) { Err(reader.faults) } else { Ok(lines) }
}

fn scalar(reader: &mut Reader, node: &Node, key: &str) -> Option<String> {
    if let Value::Scalar(scalar) = &node.value {
        return Some(scalar.text.clone());
    }
    reader.bad(node.span, format!("`{key}` is one line of text"));
    None
}
