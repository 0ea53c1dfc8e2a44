//! Judges an answer by what was expected, and says in a line what differs.
//!
//! `order` is best first, an inner list a tie whose own order is free; a `set` has any order, a `seq` its own; integers are compared as numbers; a
//! map compares only the keys that the case gives.

use std::collections::BTreeMap;

use super::case::{Answer, Check, Data, Expect, Ruling};
use super::implementation::{Reply, Reported};

/// How a reply stands to an expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Same,
    /// A line for each thing that differs.
    Differs(Vec<String>),
    Unsupported(String),
    Error(String),
}

/// Judges the reply to a comparison of hands.
pub fn judge(expect: &Expect, reply: &Reply) -> Judgement {
    let differences = match (expect, reply) {
        (_, Reply::Unsupported { feature }) => return Judgement::Unsupported(feature.clone()),
        (_, Reply::Error { text }) => return Judgement::Error(text.clone()),
        (Expect::Ruling(Ruling::Value), Reply::Answer(_)) => Vec::new(),
        (Expect::Ruling(_), Reply::Answer(_) | Reply::Refused { .. }) => return Judgement::Unsupported("ruling".to_owned()),
        (Expect::Answer(expected), Reply::Answer(got)) => answer(expected, got),
        (Expect::Answer(expected), Reply::Refused { code, text }) => {
            vec![format!("{}, got refused: {code} ({text})", expected_text(expected))]
        }
        (Expect::Refused(codes), Reply::Answer(got)) => {
            vec![format!("refused: expected {}, got {}", codes.join(" or "), order_text(&got.order))]
        }
        (Expect::Refused(codes), Reply::Refused { code, .. }) if codes.contains(code) => Vec::new(),
        (Expect::Refused(codes), Reply::Refused { code, text }) => vec![format!("refused: expected {}, got {code} ({text})", codes.join(" or "))],
    };
    if differences.is_empty() { Judgement::Same } else { Judgement::Differs(differences) }
}

/// The first thing that was expected, for a question that was turned down.
fn expected_text(expected: &Answer) -> String {
    let classes: Vec<String> = expected.classes.iter().map(|(hand, class)| format!("{hand} {class}")).collect();
    match &expected.order {
        Some(order) => format!("order: expected {}", order_text(order)),
        None if classes.is_empty() => "expected an answer".to_owned(),
        None => format!("classes: expected {}", classes.join(", ")),
    }
}

/// `a > b = c`
pub fn order_text(order: &[Vec<String>]) -> String {
    if order.is_empty() {
        return "no order".to_owned();
    }
    order.iter().map(|tie| tie.join(" = ")).collect::<Vec<_>>().join(" > ")
}

/// A line for each thing that differs: the order, then classes, then meanings.
fn answer(expected: &Answer, got: &Reported) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(order) = expected.order.as_ref().filter(|order| !same_order(order, &got.order)) {
        lines.push(format!("order: expected {}, got {}", order_text(order), order_text(&got.order)));
    }
    for (hand, class) in &expected.classes {
        let found = got.classes.get(hand);
        if found != Some(class) {
            lines.push(format!("class of {hand}: expected {class}, got {}", found.map_or("none", String::as_str)));
        }
    }
    for (hand, meanings) in &expected.meanings {
        for (wild, meaning) in meanings {
            let found = got.as_meanings.get(hand).and_then(|meanings| meanings.get(wild));
            if found != Some(meaning) {
                lines.push(format!("{wild} in {hand}: expected {meaning}, got {}", found.map_or("nothing", String::as_str)));
            }
        }
    }
    lines
}

fn same_order(expected: &[Vec<String>], got: &[Vec<String>]) -> bool {
    let sorted = |order: &[Vec<String>]| -> Vec<Vec<String>> {
        let sort = |tie: &Vec<String>| {
            let mut tie = tie.clone();
            tie.sort();
            tie
        };
        order.iter().map(sort).collect()
    };
    sorted(expected) == sorted(got)
}

/// Judges one fact: `None` if it is as expected, else a line.
pub fn fact(name: &str, expected: &Check, got: Option<&Data>) -> Option<String> {
    match (expected, got) {
        (Check::Map(expected), Some(Data::Map(got))) => expected.iter().find_map(|(key, check)| fact(&format!("{name}.{key}"), check, got.get(key))),
        (expected, Some(got)) if holds(expected, got) => None,
        (expected, got) => Some(format!("{name}: expected {}, got {}", check_text(expected), got.map_or_else(|| "nothing".to_owned(), data_text))),
    }
}

fn holds(expected: &Check, got: &Data) -> bool {
    match (expected, got) {
        (Check::Text(expected), Data::Text(got)) => plain(expected) == plain(got),
        (Check::Number(expected), Data::Number(got)) => expected == got,
        (Check::Seq(expected), Data::List(got)) => {
            expected.len() == got.len() && expected.iter().zip(got).all(|(expected, got)| holds(expected, got))
        }
        (Check::Set(expected), Data::List(got)) => same_set(expected, got),
        (Check::Order(expected), Data::List(got)) => ties(got).is_some_and(|got| same_order(expected, &got)),
        (Check::AnyOf(any), got) => any.iter().any(|expected| holds(expected, got)),
        (Check::Map(expected), Data::Map(got)) => expected.iter().all(|(key, check)| got.get(key).is_some_and(|got| holds(check, got))),
        (Check::Text(_) | Check::Number(_) | Check::Seq(_) | Check::Set(_) | Check::Order(_) | Check::Map(_), _) => false,
    }
}

/// For a seat `nobody` is the same value as `none` (clause 3.8).
fn plain(text: &str) -> &str {
    if text == "nobody" { "none" } else { text }
}

/// Each expected value takes one of those that came. Values of a set are plain, so the first that fits may be taken.
fn same_set(expected: &[Check], got: &[Data]) -> bool {
    let mut left: Vec<&Data> = got.iter().collect();
    for check in expected {
        let Some(at) = left.iter().position(|got| holds(check, got)) else { return false };
        left.swap_remove(at);
    }
    left.is_empty()
}

fn ties(got: &[Data]) -> Option<Vec<Vec<String>>> {
    got.iter().map(|tie| if let Data::List(items) = tie { items.iter().map(text).collect() } else { None }).collect()
}

fn text(data: &Data) -> Option<String> {
    if let Data::Text(text) = data { Some(text.clone()) } else { None }
}

fn check_text(check: &Check) -> String {
    let all = |checks: &[Check], between: &str| checks.iter().map(check_text).collect::<Vec<_>>().join(between);
    match check {
        Check::Text(text) => text.clone(),
        Check::Number(number) => number.to_string(),
        Check::Seq(checks) => format!("[{}]", all(checks, ", ")),
        Check::Set(checks) => format!("{{{}}} in any order", all(checks, ", ")),
        Check::Order(order) => order_text(order),
        Check::AnyOf(checks) => all(checks, " or "),
        Check::Map(map) => format!("{{{}}}", map_text(map, check_text)),
    }
}

fn data_text(data: &Data) -> String {
    match data {
        Data::Text(text) => text.clone(),
        Data::Number(number) => number.to_string(),
        Data::List(items) => format!("[{}]", items.iter().map(data_text).collect::<Vec<_>>().join(", ")),
        Data::Map(map) => format!("{{{}}}", map_text(map, data_text)),
    }
}

fn map_text<V>(map: &BTreeMap<String, V>, text: fn(&V) -> String) -> String {
    map.iter().map(|(key, value)| format!("{key}: {}", text(value))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(text: &str) -> Vec<Vec<String>> {
        text.split('>').map(|tie| tie.split('=').map(|hand| hand.trim().to_owned()).collect()).collect()
    }

    fn data(items: &[&str]) -> Data {
        Data::List(items.iter().map(|item| Data::Text((*item).to_owned())).collect())
    }

    fn checks(items: &[&str]) -> Vec<Check> {
        items.iter().map(|item| Check::Text((*item).to_owned())).collect()
    }

    #[test]
    fn a_tie_has_no_order_of_its_own() {
        assert!(same_order(&order("a > b = c"), &order("a > c = b")));
        assert!(!same_order(&order("a > b = c"), &order("a > b > c")));
        assert!(!same_order(&order("a = b = b"), &order("a = a = b")));
    }

    #[test]
    fn an_order_that_differs_is_told_in_a_line() {
        let expect = Expect::Answer(Answer { order: Some(order("a > b")), ..Answer::default() });
        let reply = Reply::Answer(Reported { order: order("b > a"), ..Reported::default() });
        assert_eq!(judge(&expect, &reply), Judgement::Differs(vec!["order: expected a > b, got b > a".to_owned()]));
    }

    #[test]
    fn sets_sequences_and_maps_are_compared_each_in_its_way() {
        assert_eq!(fact("out", &Check::Set(checks(&["A", "B"])), Some(&data(&["B", "A"]))), None);
        assert_eq!(
            fact("out", &Check::Set(checks(&["A", "A"])), Some(&data(&["A", "B"]))).as_deref(),
            Some("out: expected {A, A} in any order, got [A, B]")
        );
        assert!(fact("turns", &Check::Seq(checks(&["A", "B"])), Some(&data(&["B", "A"]))).is_some());
        let got = Data::Map(BTreeMap::from([("A".to_owned(), Data::Number(3)), ("B".to_owned(), Data::Number(4))]));
        let expected = Check::Map(BTreeMap::from([("A".to_owned(), Check::Number(5))]));
        assert_eq!(fact("stack", &expected, Some(&got)).as_deref(), Some("stack.A: expected 5, got 3"));
        assert_eq!(fact("turn", &Check::AnyOf(checks(&["A", "B"])), None).as_deref(), Some("turn: expected A or B, got nothing"));
    }
}
