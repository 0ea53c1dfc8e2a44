//! What a table shows, in the words of its interface.

use std::collections::BTreeMap;

use super::super::case::Data;
use super::values::{all_of, data};
use crate::engine::{Game, NoOrders, State, Stop, Trouble, Value, Why, evaluate, go_on, is_duty, letter, seats_of, waiting};
use crate::rules::table::mapping::{Shown, TableMapping};
use crate::syntax::tree::{At, InterfaceItem};

/// What every table shows: whose choice comes next, and whether play has ended.
const TURN: &str = "turn";
const OVER: &str = "over";

/// Duties and pauses that may stand before the next choice.
const MOST_DEFAULTS: usize = 1_000;

/// How a fact that a case names can be told.
#[derive(Clone, Debug)]
pub(super) enum Fact<'m> {
    Turn,
    Over,
    Shown(&'m Shown),
    /// `trick: {number, won-by}` is `trick-number` and `trick-won-by`.
    Parts(Vec<(String, &'m Shown)>),
}

/// Whether a fact can be told.
pub(super) enum Known<'m> {
    Fact(Fact<'m>),
    /// The interface has it, and the rulebook does not map it.
    Lacking,
    /// The interface has no such thing.
    Unknown,
}

pub(super) fn find<'m>(mapping: &'m TableMapping, items: &[At<InterfaceItem>], name: &str) -> Known<'m> {
    // Where a choice is due nobody knows better than the table itself.
    match name {
        TURN => return Known::Fact(Fact::Turn),
        OVER => return Known::Fact(Fact::Over),
        _ => {}
    }
    if let Some(shown) = mapping.shown(name) {
        return Known::Fact(Fact::Shown(shown));
    }
    let declared = items.iter().filter_map(|item| if let InterfaceItem::Shows { name, .. } = &item.it { Some(name.it.as_str()) } else { None });
    let (mut parts, mut known) = (Vec::new(), false);
    for declared in declared {
        if declared == name {
            return Known::Lacking;
        }
        let Some(part) = declared.strip_prefix(name).and_then(|rest| rest.strip_prefix('-')) else { continue };
        known = true;
        parts.extend(mapping.shown(declared).map(|shown| (part.to_owned(), shown)));
    }
    match (known, parts.is_empty()) {
        (true, false) => Known::Fact(Fact::Parts(parts)),
        (true, true) => Known::Lacking,
        (false, _) => Known::Unknown,
    }
}

/// The fact where a state stands.
pub(super) fn told(game: &Game, state: &State, fact: &Fact<'_>) -> Data {
    match fact {
        Fact::Turn => turn(game, state),
        Fact::Over => Data::Text(if *state.stop() == Stop::Over { "yes" } else { "no" }.to_owned()),
        Fact::Shown(shown) => of(game, state, shown, &mut Vec::new()),
        Fact::Parts(parts) => {
            let parts = parts.iter().map(|(part, shown)| (part.clone(), of(game, state, shown, &mut Vec::new())));
            Data::Map(parts.collect::<BTreeMap<String, Data>>())
        }
    }
}

/// A map for each parameter that is not set yet.
fn of(game: &Game, state: &State, shown: &Shown, set: &mut Vec<Value>) -> Data {
    let Some((_, kind)) = shown.parameters.get(set.len()) else {
        return match evaluate(game, state, &shown.value, shown.slots, set) {
            Ok(value) => data(game, &value, &shown.kind),
            Err(trouble) => Data::Text(in_a_word(&trouble).to_owned()),
        };
    };
    let mut all = BTreeMap::new();
    for (word, value) in all_of(game, state, kind) {
        set.push(value);
        all.insert(word, of(game, state, shown, set));
        set.pop();
    }
    Data::Map(all)
}

/// What an answer is that cannot be had.
pub(super) fn in_a_word(trouble: &Trouble) -> &'static str {
    match trouble {
        Trouble::Fault(_) => "fault",
        Trouble::Unruled(unruled) => match unruled.why {
            Why::Silent => "silent",
            Why::Conflict => "conflict",
            Why::Unknown => "unknown",
        },
    }
}

/// Whose choice comes next, when everything is done that nobody chooses.
fn turn(game: &Game, state: &State) -> Data {
    let none = || Data::Text("none".to_owned());
    let mut ahead = state.clone();
    for _ in 0..MOST_DEFAULTS {
        let by_itself = *ahead.stop() == Stop::Pause || is_duty(game, &ahead);
        if by_itself && go_on(game, &mut ahead, &mut NoOrders, None).is_ok() {
            continue;
        }
        let Ok(mask) = waiting(game, &ahead) else { return none() };
        let seats: Vec<Data> = seats_of(mask).map(|seat| Data::Text(letter(seat).to_string())).collect();
        return match seats.as_slice() {
            [] => none(),
            [one] => one.clone(),
            _ => Data::List(seats),
        };
    }
    none()
}
