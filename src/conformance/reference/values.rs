//! Values of a table as plain data, and plain data as values.

use super::super::case::Data;
use crate::engine::{Game, State, Value, Words, letter, members_of, seat_of, seats_of, set_of};
use crate::rules::Card;
use crate::rules::Rulebook;
use crate::rules::table::program::{PieceFace, PieceId, Type};
use crate::source::Span;

/// A value as cases write it: seats are letters, pieces and members of a kind are written the shortest way.
pub(super) fn data(game: &Game, value: &Value, kind: &Type) -> Data {
    let text = |text: &str| Data::Text(text.to_owned());
    match (value, kind) {
        (Value::None, _) => text("none"),
        (value, Type::Maybe(of)) => data(game, value, of),
        (Value::Unknown, _) => text("unknown"),
        (Value::Number(number), _) => Data::Number(*number),
        (Value::Truth(truth), _) => text(if *truth { "yes" } else { "no" }),
        (Value::Seat(seat), _) => Data::Text(letter(*seat).to_string()),
        (Value::Member(member), Type::Member(kind)) => {
            let written = game.program.kinds.get(*kind).and_then(|kind| kind.written.get(usize::from(*member)));
            text(written.map_or("?", String::as_str))
        }
        (Value::Member(member), _) => Data::Number(i64::from(*member)),
        (Value::Piece(piece), _) => text(game.program.pieces.get(usize::from(*piece)).map_or("?", |piece| piece.text.as_str())),
        (Value::Text(words), _) => text(words),
        (Value::Account(holder), _) => Data::Text(crate::engine::account_in_words(&game.program, *holder)),
        (Value::Entry(name, _), _) => text(game.program.names.get(*name).map_or("", |name| name.name.as_str())),
        (Value::Entered(tally, _), _) => text(game.program.tallies.get(*tally).map_or("", |tally| tally.name.as_str())),
        (Value::Pieces(_) | Value::Seats(_) | Value::Members(_) | Value::List(_), _) => {
            let inner = kind.member_or_self();
            Data::List(members_of(value).iter().map(|member| data(game, member, inner)).collect())
        }
    }
}

/// Data as a value of a type.
///
/// # Errors
/// It is none, in words.
pub(super) fn value(rulebook: &Rulebook, words: &Words<'_>, given: &Data, kind: &Type) -> Result<Value, String> {
    let wrong = || Err(format!("`{}` does not fit here", in_words(given)));
    match (kind, given) {
        (Type::Maybe(_), Data::Text(text)) if text == "none" || text == "nobody" => Ok(Value::None),
        (Type::Maybe(of), _) => value(rulebook, words, given, of),
        (Type::Number, Data::Number(number)) => Ok(Value::Number(*number)),
        (Type::Truth, Data::Text(text)) if text == "yes" || text == "no" => Ok(Value::Truth(text == "yes")),
        (Type::Seat, Data::Text(text)) => match (text.len(), text.chars().next().and_then(seat_of)) {
            (1, Some(seat)) => Ok(Value::Seat(seat)),
            _ => wrong(),
        },
        (Type::Member(kind), Data::Text(text)) => words.read_member(*kind, text).map_or_else(wrong, |member| Ok(Value::Member(member))),
        (Type::Piece(kind), Data::Text(text)) => piece(rulebook, words, *kind, text),
        (Type::Set(of), Data::List(items)) => {
            let members: Result<Vec<Value>, String> = items.iter().map(|item| value(rulebook, words, item, of)).collect();
            members.map(set_of)
        }
        (Type::List(of), Data::List(items)) => {
            let members: Result<Vec<Value>, String> = items.iter().map(|item| value(rulebook, words, item, of)).collect();
            members.map(Value::list)
        }
        // Cards in one text, as a hand is written.
        (Type::Set(of) | Type::List(of), Data::Text(text)) if matches!(**of, Type::Piece(_)) => {
            let items = Data::List(text.split_whitespace().map(|word| Data::Text(word.to_owned())).collect());
            value(rulebook, words, &items, kind)
        }
        _ => wrong(),
    }
}

fn piece(rulebook: &Rulebook, words: &Words<'_>, kind: usize, text: &str) -> Result<Value, String> {
    let Some(pack) = rulebook.packs.get(kind) else { return Err("this rulebook has no pieces".to_owned()) };
    match pack.notation.read(&pack.deck, text, Span::default()).map_err(|fault| fault.message.clone())? {
        Card::Unknown => Ok(Value::Unknown),
        Card::Held(held) => {
            let face = PieceFace::from(held.piece);
            let found = words.program.pieces.iter().position(|piece| piece.kind == kind && piece.face == face);
            let found = found.and_then(|piece| PieceId::try_from(piece).ok());
            found.map(Value::Piece).ok_or_else(|| format!("the pack in use holds no `{text}`"))
        }
    }
}

fn in_words(data: &Data) -> String {
    match data {
        Data::Text(text) => text.clone(),
        Data::Number(number) => number.to_string(),
        Data::List(items) => format!("[{}]", items.iter().map(in_words).collect::<Vec<_>>().join(", ")),
        Data::Map(map) => format!("{{{}}}", map.iter().map(|(key, value)| format!("{key}: {}", in_words(value))).collect::<Vec<_>>().join(", ")),
    }
}

/// Every value of a finite type, each with the word for it.
pub(super) fn all_of(game: &Game, state: &State, kind: &Type) -> Vec<(String, Value)> {
    match kind {
        Type::Seat => seats_of(state.seated()).map(|seat| (letter(seat).to_string(), Value::Seat(seat))).collect(),
        Type::Member(kind) => {
            let members = game.program.kinds.get(*kind).map_or(&[][..], |kind| kind.written.as_slice());
            members.iter().zip(0u8..).map(|(word, member)| (word.clone(), Value::Member(member))).collect()
        }
        Type::Number
        | Type::Truth
        | Type::Piece(_)
        | Type::Maybe(_)
        | Type::Set(_)
        | Type::List(_)
        | Type::None
        | Type::Nothing
        | Type::Entry(_)
        | Type::Entered(_)
        | Type::Account
        | Type::Ranking { .. }
        | Type::Text => Vec::new(),
    }
}
