//! Sets and lists, and walks over them. Clauses 3.9 and 3.12.

use super::scalars::Scalar;
use super::{Eval, Found};
use crate::engine::trouble::FaultKind;
use crate::engine::value::{Bits, Ones, Truth, UNSEEN, Value};
use crate::rules::table::program::{Binder, Comparison, Expr, Family, Literal, Node, PieceId};
use crate::source::Span;
use std::sync::Arc;

use smallvec::SmallVec;

/// The members of a set or list, in its order.
pub(in crate::engine) enum Items<'e> {
    Pile(&'e [PieceId]),
    Many(Bits, Of),
    List(Arc<[Value]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) enum Of {
    Pieces,
    Seats,
    Members,
}

/// A way to fill the parameters of a ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Combination {
    Number(usize),
    /// `none` where it cannot be: nothing is ranked.
    Never,
}

impl Items<'_> {
    pub fn len(&self) -> usize {
        match self {
            Items::Pile(pieces) => pieces.len(),
            Items::Many(bits, _) => bits.count() as usize,
            Items::List(items) => items.len(),
        }
    }

    /// The member at this position.
    pub fn at(&self, position: usize) -> Option<Value> {
        match self {
            Items::Pile(pieces) => pieces.get(position).map(|piece| Value::Piece(*piece)),
            Items::Many(bits, of) => bits.iter().nth(position).map(|item| match of {
                Of::Pieces => Value::Piece(item),
                Of::Seats => Value::Seat(item),
                Of::Members => Value::Member(item),
            }),
            Items::List(items) => items.get(position).cloned(),
        }
    }

    /// Takes the next member out, from the front; `at` is the number taken so far.
    fn next(&mut self, at: usize) -> Option<Value> {
        match self {
            Items::Pile(pieces) => pieces.get(at).map(|piece| Value::Piece(*piece)),
            Items::Many(bits, of) => {
                let item = bits.first()?;
                bits.remove(item);
                Some(match of {
                    Of::Pieces => Value::Piece(item),
                    Of::Seats => Value::Seat(item),
                    Of::Members => Value::Member(item),
                })
            }
            Items::List(items) => items.get(at).cloned(),
        }
    }

    /// What a walk keeps of them: seats as they are, and anything else as a list.
    pub fn walked(self) -> Value {
        match self {
            Items::Many(seats, Of::Seats) => Value::Seats(seats.iter().fold(0, |mask, seat| mask | 1 << (seat & 7))),
            Items::Pile(_) | Items::Many(..) | Items::List(_) => Value::list(self.collect()),
        }
    }

    /// The pieces among them, in their order.
    pub fn pieces(self) -> SmallVec<[PieceId; 16]> {
        match self {
            Items::Pile(pieces) => SmallVec::from_slice(pieces),
            Items::Many(pieces, Of::Pieces) => pieces.iter().collect(),
            Items::Many(..) => SmallVec::new(),
            Items::List(items) => items.iter().filter_map(Value::piece).collect(),
        }
    }

    pub fn collect(mut self) -> Vec<Value> {
        (0..).map_while(|at| self.next(at)).collect()
    }
}

/// The members of a value that is a set or a list.
pub(super) fn as_set(value: &Value) -> Option<Items<'static>> {
    Some(match value {
        Value::Pieces(bits) => Items::Many(*bits, Of::Pieces),
        Value::Seats(mask) => Items::Many(Ones(u64::from(*mask)).collect(), Of::Seats),
        Value::Members(bits) => Items::Many(*bits, Of::Members),
        Value::List(items) => Items::List(Arc::clone(items)),
        Value::Unknown
        | Value::None
        | Value::Number(_)
        | Value::Truth(_)
        | Value::Member(_)
        | Value::Seat(_)
        | Value::Piece(_)
        | Value::Entry(..)
        | Value::Entered(..)
        | Value::Text(_)
        | Value::Account(_) => return None,
    })
}

/// The members of a set or a list; of anything else, none.
pub(in crate::engine) fn members(value: &Value) -> Vec<Value> {
    as_set(value).map_or_else(Vec::new, Items::collect)
}

/// Whether two sets, written differently, have the same members.
pub(super) fn same_items(one: &Items<'_>, other: &Items<'_>) -> bool {
    let values = |items: &Items<'_>| {
        let mut values = match items {
            Items::Pile(pieces) => pieces.iter().map(|piece| Value::Piece(*piece)).collect(),
            Items::Many(bits, of) => Items::Many(*bits, *of).collect(),
            Items::List(items) => items.to_vec(),
        };
        values.sort();
        values
    };
    matches!((one, other), (Items::Many(..), Items::List(_)) | (Items::List(_), Items::Many(..))) && values(one) == values(other)
        || one.len() == 0 && other.len() == 0
}

/// The set of some values: compact where it can be. Members keep the order of their type.
pub(in crate::engine) fn set_from(mut values: Vec<Value>) -> Value {
    if values.is_empty() {
        return Value::List(Arc::from([]));
    }
    if let Some(bits) = values.iter().map(Value::piece).collect::<Option<Bits>>() {
        return Value::Pieces(bits);
    }
    if let Some(mask) = values.iter().map(Value::seat).try_fold(0u8, |mask, seat| Some(mask | 1 << seat?)) {
        return Value::Seats(mask);
    }
    if let Some(bits) = values.iter().map(Value::member).collect::<Option<Bits>>() {
        return Value::Members(bits);
    }
    values.sort();
    values.dedup();
    Value::list(values)
}

impl<'e> Eval<'e> {
    /// The members of what an expression names; `None`: unknown.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not read where it lies is worked out as a value")]
    pub fn items(&mut self, expr: &Expr) -> Found<Option<Items<'e>>> {
        match &*expr.node {
            Node::Place(place, indices) => {
                let Some(declared) = self.game.program.places.get(*place) else { return Ok(None) };
                let state = self.state;
                Ok(self.cell(&declared.cells, indices)?.map(|cell| Items::Pile(state.piles.order(cell))))
            }
            Node::Seats => Ok(Some(Items::Many(Ones(u64::from(self.state.seated)).collect(), Of::Seats))),
            _ => {
                let value = self.value(expr)?;
                Ok(match value {
                    // One piece stands for the set of it.
                    Value::Piece(_) => Some(Items::List(Arc::from([value]))),
                    Value::None => Some(Items::List(Arc::from([]))),
                    _ => as_set(&value),
                })
            }
        }
    }

    /// A set of seats; a single seat is the set of it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a set of seats")]
    pub fn seats(&mut self, expr: &Expr) -> Found<Option<u8>> {
        if let Some(seats) = self.ready_seats(expr) {
            return Ok(Some(seats));
        }
        Ok(match self.value(expr)? {
            Value::Seats(mask) => Some(mask),
            Value::Seat(seat) => Some(1 << seat),
            Value::None => Some(0),
            Value::List(items) => {
                let bit = |value: &Value| if let Value::Seat(seat) = value { 1u8 << seat } else { 0 };
                Some(items.iter().map(bit).fold(0, |mask, bit| mask | bit))
            }
            _ => None,
        })
    }

    /// Visits every member for which the filter holds; `perhaps` tells that nobody can say whether it does. `visit` says whether to go on.
    pub fn each(&mut self, binder: &Binder, visit: &mut dyn FnMut(&mut Self, &Value, bool) -> Found<bool>) -> Found<Truth> {
        let Some(mut items) = self.items(&binder.of)? else { return Ok(Truth::Unknown) };
        let mut at = 0;
        while let Some(item) = items.next(at) {
            at += 1;
            self.set_local(binder.slot, item.clone());
            let holds = match &binder.filter {
                Some(filter) => self.truth(filter)?,
                None => Truth::Yes,
            };
            if holds != Truth::No && !visit(self, &item, holds == Truth::Unknown)? {
                return Ok(Truth::No);
            }
        }
        Ok(Truth::Yes)
    }

    /// `any x in S where C: B`; without B, whether there is one.
    pub(super) fn any(&mut self, binder: &Binder, body: Option<&Expr>, wanted: Truth) -> Found<Truth> {
        if let Some(found) = self.any_with_value(binder, body, wanted)? {
            return Ok(found);
        }
        let mut found = wanted.opposite();
        let walked = self.each(binder, &mut |eval, _, perhaps| {
            let holds = match body {
                Some(body) => eval.truth(body)?,
                None => Truth::Yes,
            };
            if holds == wanted && !perhaps {
                found = wanted;
                return Ok(false);
            }
            if holds != wanted.opposite() {
                found = Truth::Unknown;
            }
            Ok(true)
        })?;
        Ok(if walked == Truth::Unknown { Truth::Unknown } else { found })
    }

    /// `any x in PLACE: x.attribute = V`, without a walk: the pieces that have the value are known beforehand.
    #[expect(clippy::wildcard_enum_match_arm, reason = "whatever else stands there is looked at piece by piece")]
    fn any_with_value(&mut self, binder: &Binder, body: Option<&Expr>, wanted: Truth) -> Found<Option<Truth>> {
        let (Truth::Yes, None, Some(body), Node::Place(place, indices)) = (wanted, &binder.filter, body, &*binder.of.node) else { return Ok(None) };
        let Node::Compare(left, rest, _) = &*body.node else { return Ok(None) };
        let (Node::Attribute(of, attribute), [(Comparison::Equal, right)]) = (&*left.node, rest.as_slice()) else { return Ok(None) };
        let its_own = matches!(&*of.node, Node::Local(slot) if *slot == binder.slot);
        // What stands on the other side must not speak of the piece.
        let fixed = match &*right.node {
            Node::Literal(_) | Node::Role(_) => true,
            Node::Call(_, arguments) | Node::Ask(_, arguments) | Node::Fact(_, arguments) => arguments.is_empty(),
            Node::Local(slot) => *slot != binder.slot,
            _ => false,
        };
        let Some(declared) = self.game.program.places.get(*place).filter(|_| its_own && fixed) else { return Ok(None) };
        let Some(cell) = self.cell(&declared.cells, indices)? else { return Ok(None) };
        let set = self.state.piles.set(cell);
        if set.is_empty() {
            return Ok(Some(Truth::No));
        }
        let Value::Member(value) = self.value(right)? else { return Ok(None) };
        let Some(having) = self.game.with_value(*attribute, value) else { return Ok(None) };
        if !set.and(having).is_empty() {
            return Ok(Some(Truth::Yes));
        }
        // A piece that nobody has seen may have it.
        Ok((!set.has_unseen()).then_some(Truth::No))
    }

    /// `every x in S where C: B`: none of them fails. Without B, whether every member fulfils C.
    pub(super) fn every(&mut self, binder: &Binder, body: Option<&Expr>) -> Found<Truth> {
        if let Some(body) = body {
            return self.any(binder, Some(body), Truth::No);
        }
        let bare = Binder { slot: binder.slot, of: binder.of.clone(), filter: None };
        match &binder.filter {
            Some(filter) => self.any(&bare, Some(filter), Truth::No),
            None => Ok(Truth::Yes),
        }
    }

    pub(super) fn within(&mut self, item: &Expr, set: &Expr) -> Found<Truth> {
        if let (Node::Literal(Literal::Members(among)), Some(Scalar::Member(member))) = (&*set.node, self.scalar(item)) {
            return Ok(Truth::from(among.contains(&member)));
        }
        let wanted = self.value(item)?;
        let Some(items) = self.items(set)? else { return Ok(Truth::Unknown) };
        if wanted == Value::Unknown {
            return Ok(if items.len() == 0 { Truth::No } else { Truth::Unknown });
        }
        let mut found = Truth::No;
        for other in items.collect() {
            match self.same(&wanted, &other) {
                Truth::Yes => return Ok(Truth::Yes),
                Truth::Unknown => found = Truth::Unknown,
                Truth::No => {}
            }
        }
        Ok(found)
    }

    pub(super) fn is_empty(&mut self, of: &Expr) -> Found<Truth> {
        if let Some(seats) = self.ready_seats(of) {
            return Ok(Truth::from(seats == 0));
        }
        if let Node::Those(binder) = &*of.node {
            return Ok(self.any(binder, None, Truth::Yes)?.opposite());
        }
        Ok(self.items(of)?.map_or(Truth::Unknown, |items| Truth::from(items.len() == 0)))
    }

    pub(super) fn count(&mut self, of: &Expr) -> Found<Option<i64>> {
        if let Node::Those(binder) = &*of.node {
            let mut count = Some(0);
            let walked = self.each(binder, &mut |_, _, perhaps| {
                count = count.filter(|_| !perhaps).map(|count| count + 1);
                Ok(true)
            })?;
            return Ok(count.filter(|_| walked != Truth::Unknown));
        }
        Ok(self.items(of)?.and_then(|items| i64::try_from(items.len()).ok()))
    }

    pub(super) fn sum(&mut self, of: &Expr, binder: &Binder, span: Span) -> Found<Option<i64>> {
        let mut sum = Some(0i64);
        let walked = self.each(binder, &mut |eval, _, perhaps| {
            let number = eval.number(of)?.filter(|_| !perhaps);
            sum = match (sum, number) {
                (Some(sum), Some(number)) => match sum.checked_add(number) {
                    Some(sum) => Some(sum),
                    None => return eval.fault(FaultKind::Overflow, span),
                },
                (None, _) | (_, None) => None,
            };
            Ok(true)
        })?;
        Ok(sum.filter(|_| walked != Truth::Unknown))
    }

    pub(super) fn those(&mut self, binder: &Binder) -> Found<Value> {
        let mut found = Some(Vec::new());
        let walked = self.each(binder, &mut |_, item, perhaps| {
            if perhaps {
                found = None;
            } else if let Some(found) = &mut found {
                found.push(item.clone());
            }
            Ok(true)
        })?;
        Ok(found.filter(|_| walked != Truth::Unknown).map_or(Value::Unknown, set_from))
    }

    pub(super) fn extreme(&mut self, highest: bool, binder: &Binder, by: &Expr, order: Option<usize>) -> Found<Value> {
        let mut best: Option<i64> = None;
        let mut found = Some(Vec::new());
        let walked = self.each(binder, &mut |eval, item, perhaps| {
            let value = eval.value(by)?;
            let height = eval.height(&value, order);
            let (Some(height), false, Some(found)) = (height, perhaps, &mut found) else {
                // What has no height is neither highest nor lowest; what is unknown may be.
                if perhaps || value == Value::Unknown {
                    found = None;
                }
                return Ok(true);
            };
            let better = best.is_none_or(|best| if highest { height > best } else { height < best });
            if better {
                found.clear();
            }
            if better || best == Some(height) {
                best = Some(height);
                found.push(item.clone());
            }
            Ok(true)
        })?;
        Ok(found.filter(|_| walked != Truth::Unknown).map_or(Value::Unknown, set_from))
    }

    /// `best of L under R(args)`: all maximal ones.
    pub(super) fn best(&mut self, of: &Expr, family: usize, arguments: &[Expr], span: Span) -> Found<Value> {
        let Some(ranking) = self.game.program.families.get(family) else { return Ok(Value::Unknown) };
        match self.combination(ranking, arguments)? {
            Some(combination) => self.best_pieces(of, ranking, combination, span),
            None => Ok(self.unknown(span)),
        }
    }

    /// Which way of filling its parameters a ranking is asked for; `None`: unknown.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is an argument of a ranking")]
    pub(super) fn combination(&mut self, ranking: &Family, arguments: &[Expr]) -> Found<Option<Combination>> {
        let mut row = 0;
        for (domain, argument) in ranking.domains.iter().zip(arguments) {
            let values = usize::from(domain.values) + usize::from(domain.maybe);
            let at = match self.value(argument)? {
                Value::Member(member) => usize::from(member),
                // None is counted last; where it cannot be, no piece is ranked.
                Value::None if domain.maybe => values - 1,
                Value::None => return Ok(Some(Combination::Never)),
                _ => return Ok(None),
            };
            row = row * values + at;
        }
        Ok(Some(Combination::Number(row)))
    }

    /// The best of some pieces.
    pub(super) fn best_pieces(&mut self, of: &Expr, ranking: &Family, combination: Combination, span: Span) -> Found<Value> {
        let Combination::Number(row) = combination else { return Ok(Value::Pieces(Bits::EMPTY)) };
        let Some(items) = self.items(of)? else { return Ok(Value::Unknown) };
        let pieces = self.game.program.pieces.len();
        let strengths = ranking.strengths(&self.game.program.pieces).get(row * pieces..(row + 1) * pieces).unwrap_or(&[]);
        let (mut best, mut found) = (0, Bits::EMPTY);
        for item in items.collect() {
            let Value::Piece(piece) = item else { continue };
            if piece >= UNSEEN {
                return Ok(self.unknown(span));
            }
            let strength = strengths.get(usize::from(piece)).copied().unwrap_or(0);
            if strength > best {
                (best, found) = (strength, Bits::EMPTY);
            }
            if strength == best {
                found.insert(piece);
            }
        }
        Ok(Value::Pieces(found))
    }

    pub(super) fn only(&mut self, of: &Expr, span: Span) -> Found<Value> {
        let Some(items) = self.items(of)? else { return Ok(self.unknown(span)) };
        match items.len() {
            1 => Ok(items.collect().pop().unwrap_or(Value::Unknown)),
            other => self.fault(FaultKind::NotOne(other), span),
        }
    }

    pub(super) fn end_of(&mut self, of: &Expr, first: bool) -> Found<Value> {
        let Some(items) = self.items(of)? else { return Ok(Value::Unknown) };
        if let Items::Pile(pieces) = &items {
            let end = if first { pieces.first() } else { pieces.last() };
            return end.map_or_else(|| self.fault(FaultKind::Nothing, of.span), |piece| Ok(Value::Piece(*piece)));
        }
        let items = items.collect();
        let end = if first { items.first() } else { items.last() };
        end.cloned().map_or_else(|| self.fault(FaultKind::Nothing, of.span), Ok)
    }

    pub(super) fn set_of(&mut self, items: &[Expr]) -> Found<Value> {
        let mut values = Vec::new();
        for item in items {
            let value = self.value(item)?;
            if value == Value::Unknown {
                return Ok(value);
            }
            values.push(value);
        }
        Ok(set_from(values))
    }

    pub(super) fn list_of(&mut self, items: &[(Expr, Option<Expr>)]) -> Found<Value> {
        let mut values = Vec::new();
        for (from, to) in items {
            let Some(to) = to else {
                values.push(self.value(from)?);
                continue;
            };
            let (Some(from), Some(end)) = (self.number(from)?, self.number(to)?) else { return Ok(Value::Unknown) };
            if end.saturating_sub(from) > super::super::MOST_STEPS {
                return self.fault(FaultKind::Runaway, to.span);
            }
            values.extend((from..=end).map(Value::Number));
        }
        Ok(Value::list(values))
    }

    /// `S together T`, `S without T`
    pub(super) fn join(&mut self, one: &Expr, other: &Expr, together: bool) -> Found<Value> {
        let (Some(one), Some(other)) = (self.items(one)?, self.items(other)?) else { return Ok(Value::Unknown) };
        let (mut values, others) = (one.collect(), other.collect());
        if together {
            values.extend(others);
        } else {
            values.retain(|value| !others.contains(value));
        }
        Ok(set_from(values))
    }

    /// A list with more behind it, or without some of its members. Clause 3.9.
    pub(super) fn lengthen(&mut self, one: &Expr, other: &Expr, together: bool) -> Found<Value> {
        let (Some(one), Some(other)) = (self.items(one)?, self.items(other)?) else { return Ok(Value::Unknown) };
        let (mut values, others): (Vec<Value>, Vec<Value>) = (one.collect(), other.collect());
        if together {
            values.extend(others);
        } else {
            values.retain(|value| !others.contains(value));
        }
        Ok(Value::list(values))
    }
}
