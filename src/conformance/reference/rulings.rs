//! What the rules made of a step: for `ruling:` expectations, and in words for reports.

use super::super::case::Ruling as Expected;
use crate::engine::replay::Step;
use crate::engine::{Game, Note, Outcome, Ruling, Stop, Subject, Why, Words, left_open, letter, seats_of, waiting};
use crate::rules::Provenance;

/// The ruling of a step; `target` is the act, right or event that was done.
pub(super) fn ruling(game: &Game, step: &Step, target: &str) -> Expected {
    match step.state.stop() {
        Stop::NeedsRuling(unruled) => return of_why(game, unruled.why, unruled.question),
        Stop::Stuck(_) => return Expected::Unknown { fact: String::new() },
        Stop::Offer | Stop::Pause | Stop::Over => {}
    }
    let notes = step.done.iter().flat_map(|done| &done.notes);
    let mut rulings = notes.filter_map(|note| if let Note::Ruling(ruling) = note { Some(ruling) } else { None });
    let of_target = rulings.find(|ruling| match ruling.subject {
        Subject::Hook(hook) => hook_name(game, hook) == target,
        Subject::Question(_) => false,
    });
    match of_target.map(|ruling| &ruling.outcome) {
        Some(Outcome::Silent) => Expected::Silent,
        Some(Outcome::Conflict(_)) => Expected::Conflict,
        Some(Outcome::Unknown(_)) => Expected::Unknown { fact: String::new() },
        Some(Outcome::Open { .. }) => open(game, step),
        Some(Outcome::Done | Outcome::Stands) if left_open(&step.state) => open(game, step),
        Some(Outcome::Value(_) | Outcome::Otherwise(_) | Outcome::Agreed(_) | Outcome::Done | Outcome::Stands | Outcome::Refused) | None => {
            Expected::Value
        }
    }
}

/// Why a question has no answer, as a ruling.
pub(super) fn of_why(game: &Game, why: Why, question: usize) -> Expected {
    match why {
        Why::Silent => Expected::Silent,
        Why::Conflict => Expected::Conflict,
        Why::Unknown => {
            let fact = game.program.questions.get(question).map_or("", |question| question.name.as_str());
            Expected::Unknown { fact: fact.to_owned() }
        }
    }
}

fn open(game: &Game, step: &Step) -> Expected {
    let to =
        waiting(game, &step.state).ok().and_then(|mask| seats_of(mask).next()).map_or_else(|| "nobody".to_owned(), |seat| letter(seat).to_string());
    let names = crate::engine::alternatives(game, &step.state).iter().filter_map(|alternative| game.program.names.get(alternative.act));
    Expected::Open { to, among: names.map(|name| name.name.clone()).collect() }
}

pub(super) fn hook_name(game: &Game, hook: usize) -> &str {
    game.program.hooks.get(hook).and_then(|hook| game.program.names.get(hook.name)).map_or("", |name| name.name.as_str())
}

/// Whether a rule refused what was done, and which.
pub(super) fn refused_by_rule<'s>(game: &Game, step: &'s Step, target: &str) -> Option<&'s Ruling> {
    let notes = step.done.iter().flat_map(|done| &done.notes);
    let mut rulings = notes.filter_map(|note| if let Note::Ruling(ruling) = note { Some(ruling) } else { None });
    rulings.find(|ruling| ruling.outcome == Outcome::Refused && matches!(ruling.subject, Subject::Hook(hook) if hook_name(game, hook) == target))
}

/// Names of everything that speaks in a ruling: the question or the event, and its rules.
pub(super) fn names(game: &Game, ruling: &Ruling) -> Vec<String> {
    let subject = match ruling.subject {
        Subject::Question(question) => game.program.questions.get(question).map_or("", |question| question.name.as_str()),
        Subject::Hook(hook) => hook_name(game, hook),
    };
    let rules = ruling.by.iter().filter_map(|rule| game.program.rules.get(*rule)).map(|rule| rule.name.as_str());
    std::iter::once(subject).chain(rules).map(str::to_owned).collect()
}

/// The rulings of a step, a line each, the last ones if there are many.
pub(super) fn reasons(game: &Game, words: &Words<'_>, rulings: &[&Ruling]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for ruling in rulings {
        let line = line(game, words, ruling);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let first = lines.len().saturating_sub(MOST_REASONS);
    lines.split_off(first)
}

const MOST_REASONS: usize = 8;

fn line(game: &Game, words: &Words<'_>, ruling: &Ruling) -> String {
    let (name, kinds, answer) = match ruling.subject {
        Subject::Question(question) => {
            let question = game.program.questions.get(question);
            let kinds = question.map_or(&[][..], |question| question.parameters.as_slice());
            (question.map_or("", |question| question.name.as_str()), kinds, question.map(|question| &question.answer))
        }
        Subject::Hook(hook) => {
            let name = game.program.hooks.get(hook).and_then(|hook| game.program.names.get(hook.name));
            (hook_name(game, hook), name.map_or(&[][..], |name| name.arguments.as_slice()), None)
        }
    };
    let given = ruling.arguments.iter().zip(kinds).map(|(value, (_, kind))| words.value(value, kind));
    let given: Vec<String> = given.collect();
    let call = if given.is_empty() { name.to_owned() } else { format!("{name}({})", given.join(", ")) };
    let outcome = match (&ruling.outcome, answer) {
        (Outcome::Value(value) | Outcome::Otherwise(value) | Outcome::Agreed(value), Some(kind)) => words.value(value, kind),
        (Outcome::Value(_) | Outcome::Otherwise(_) | Outcome::Agreed(_), None) => "answered".to_owned(),
        (Outcome::Done, _) => "ruled".to_owned(),
        (Outcome::Stands, _) => "stands".to_owned(),
        (Outcome::Refused, _) => "refused".to_owned(),
        (Outcome::Silent, _) => "silent".to_owned(),
        (Outcome::Conflict(_), _) => "conflict".to_owned(),
        (Outcome::Open { .. }, _) => "open".to_owned(),
        (Outcome::Unknown(_), _) => "unknown".to_owned(),
    };
    let rules = ruling.by.iter().filter_map(|rule| game.program.rules.get(*rule)).map(|rule| format!("{}{}", rule.name, cited(&rule.from)));
    let rules: Vec<String> = rules.collect();
    if rules.is_empty() { format!("{call}: {outcome}") } else { format!("{call}: {outcome}, by {}", rules.join(" and ")) }
}

fn cited(from: &Provenance) -> String {
    let ids: Vec<&str> = from.cites.iter().map(|citation| citation.id.as_str()).collect();
    if ids.is_empty() { String::new() } else { format!(" ({})", ids.join(", ")) }
}
