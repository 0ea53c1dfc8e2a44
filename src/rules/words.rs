//! Keys in words: `kings and fours, then queen`.

use crate::ranking::{AttributeId, ClassId, Held, Key, KeyWord, Pattern, Ranking, ScaleId, Standing};

/// What a key is called in the language.
pub(super) fn key_name(model: &Ranking, key: &Key) -> String {
    match &key.word {
        KeyWord::Groups(_) => "groups".to_owned(),
        KeyWord::Singles(_) => "singles".to_owned(),
        KeyWord::Every(scale) => format!("every {}", attribute_name(model, attribute_of(model, *scale))),
        KeyWord::Wild => "wild".to_owned(),
        KeyWord::Count => "count".to_owned(),
        KeyWord::Top(_) => "top".to_owned(),
        KeyWord::TopOfRun => "top of run".to_owned(),
        KeyWord::Sum { attribute, .. } => format!("sum over {}", attribute_name(model, Some(*attribute))),
    }
}

/// All that the keys of a hand see.
pub(super) fn describe_key(model: &Ranking, cards: &[Held], standing: &Standing) -> String {
    let Some(class) = model.classes.get(standing.class) else { return String::new() };
    let mut parts = Vec::new();
    for (index, (key, numbers)) in class.keys.iter().zip(&standing.keys).enumerate() {
        let value = |number: &i64| describe_value(model, standing.class, index, Some(*number));
        let words = match &key.word {
            KeyWord::Groups(scale) => numbers
                .iter()
                .map(|number| many(&value(number), group_size(model, *scale, key, cards, standing, *number)))
                .collect::<Vec<_>>()
                .join(" and "),
            KeyWord::Singles(_) | KeyWord::Every(_) => numbers.iter().map(value).collect::<Vec<_>>().join(", "),
            // Said only where there is something to say.
            KeyWord::Wild => numbers.iter().filter(|number| **number > 0).map(value).collect::<Vec<_>>().join(", "),
            KeyWord::Top(_) | KeyWord::TopOfRun => numbers.iter().map(|number| format!("up to {}", value(number))).collect::<Vec<_>>().join(", "),
            KeyWord::Count | KeyWord::Sum { .. } => numbers.iter().map(value).collect::<Vec<_>>().join(", "),
        };
        if !words.is_empty() {
            parts.push(words);
        }
    }
    parts.join(", then ")
}

/// One number of a key.
pub(super) fn describe_value(model: &Ranking, class: ClassId, key: usize, number: Option<i64>) -> String {
    let Some(number) = number else { return "nothing".to_owned() };
    let Some(class) = model.classes.get(class) else { return String::new() };
    let Some(key) = class.keys.get(key) else { return String::new() };
    match &key.word {
        KeyWord::Groups(scale) | KeyWord::Singles(scale) | KeyWord::Every(scale) | KeyWord::Top(scale) => value_name(model, *scale, key, number),
        KeyWord::TopOfRun => match run_scale(&class.pattern) {
            Some(scale) => value_name(model, scale, key, number),
            None => number.to_string(),
        },
        KeyWord::Wild if number == 1 => "one wild".to_owned(),
        KeyWord::Wild => format!("{number} wild"),
        KeyWord::Count => format!("{number} cards"),
        KeyWord::Sum { .. } => format!("{number} points"),
    }
}

/// The value at a place of a scale. Below the lowest stand those that are also lowest; a piece without a value is below them all.
fn value_name(model: &Ranking, scale: ScaleId, key: &Key, number: i64) -> String {
    let place = if key.wild_up { number.div_euclid(2) } else { number };
    let wild = key.wild_up && number.rem_euclid(2) == 1;
    let Some(scale) = model.scales.get(scale) else { return number.to_string() };
    let low = |place: i64| scale.also_lowest.get(scale.also_lowest.len().checked_sub(usize::try_from(-place).ok()?)?);
    let value = usize::try_from(place).map_or_else(|_| low(place), |place| scale.ascending.get(place));
    let name = value.and_then(|value| model.deck.attributes.get(scale.attribute)?.values.get(usize::from(*value)));
    match name {
        Some(name) if wild => format!("wild {name}"),
        Some(name) => name.clone(),
        None => "no value".to_owned(),
    }
}

/// How many pieces of the hand have the value, wild ones as what they stand for.
fn group_size(model: &Ranking, scale: ScaleId, key: &Key, cards: &[Held], standing: &Standing, number: i64) -> usize {
    let place = if key.wild_up { number.div_euclid(2) } else { number };
    let Some(scale) = model.scales.get(scale) else { return 0 };
    let Some(value) = usize::try_from(place).ok().and_then(|place| scale.ascending.get(place)) else { return 0 };
    let meant = |(position, held): (usize, &Held)| {
        let meaning = standing.meanings.iter().find(|(at, _)| *at == position).map(|(_, meaning)| *meaning);
        model.deck.value(meaning.unwrap_or(held.piece), scale.attribute)
    };
    cards.iter().enumerate().filter(|card| meant(*card) == Some(*value)).count()
}

/// `kings`, `three kings`: two are said by the plural alone.
fn many(name: &str, count: usize) -> String {
    let plural = if name.ends_with(['x', 's']) { format!("{name}es") } else { format!("{name}s") };
    match count {
        3 => format!("three {plural}"),
        4 => format!("four {plural}"),
        5 => format!("five {plural}"),
        0..=2 => plural,
        _ => format!("{count} {plural}"),
    }
}

fn run_scale(pattern: &Pattern) -> Option<ScaleId> {
    if let Pattern::Run { scale, .. } = pattern {
        return Some(*scale);
    }
    if matches!(pattern, Pattern::Not(_)) {
        return None;
    }
    pattern.parts().iter().find_map(run_scale)
}

fn attribute_of(model: &Ranking, scale: ScaleId) -> Option<AttributeId> {
    model.scales.get(scale).map(|scale| scale.attribute)
}

fn attribute_name(model: &Ranking, attribute: Option<AttributeId>) -> &str {
    attribute.and_then(|attribute| model.deck.attributes.get(attribute)).map_or("", |attribute| attribute.name.as_str())
}
