//! What rankings say of hands, some of whose pieces nobody may have seen. Clauses 3.12, 6.7 and 7.12.
//!
//! Where pieces are unknown, every hand that they may make is looked at; what all of them agree on is so. If there are too many, nothing is said.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::completions::{Seen, Walked};
use super::sets::{Combination, Items, set_from};
use super::{Eval, Found};
use crate::engine::trouble::FaultKind;
use crate::engine::value::{Truth, Value};
use crate::ranking::{ClassId, Comparer, Table, Worth};
use crate::rules::table::program::{Binder, Expr, Family, HandNode, Ranks};
use crate::source::Span;

/// A ranking, and how hands compare under the arguments of its parameters; `None`: it orders nothing under these.
type Asked<'e> = (&'e Family, Option<&'e Comparer>);

/// Something that is compared by a hand.
struct Contender {
    value: Value,
    hand: Seen,
    /// Nobody can say whether it takes part.
    perhaps: bool,
}

/// The least and the most that a hand can be.
struct Bounds {
    low: Worth,
    high: Worth,
}

/// The V of `reaches CLASS of V`.
enum Least {
    /// None is asked for.
    Any,
    Number(i64),
    /// Nothing is compared with none, or with what is no key of the class.
    Never,
    Unknown,
}

impl<'e> Eval<'e> {
    /// Never part of a frame around it: expressions lie a thousand deep within one another.
    #[inline(never)]
    pub(super) fn of_hands(&mut self, node: &HandNode, span: Span) -> Found<Value> {
        match node {
            HandNode::Groups { of, attribute, least } => self.groups(of, *attribute, least.as_ref(), span),
            HandNode::Runs { of, attribute, ladder, within, least } => self.runs(of, (*attribute, ladder), *within, least.as_ref(), span),
            HandNode::Keys { of, ranks, most } => self.keys(of, ranks, most.as_ref(), span),
            HandNode::ClassOf { of, ranks } => self.class_of(of, ranks, span),
            HandNode::Reaches { of, family, class, key } => {
                let key = key.as_ref().map(|(key, _)| key);
                let reached = self.reaches(of, *family, class, key)?;
                Ok(if reached == Truth::Unknown { self.unknown(span) } else { reached.into() })
            }
            HandNode::Compared(one, other) => self.compared_keys(one, other, span),
            HandNode::Best { of, ranks, of_one: true, list: _ } => match self.ranking(ranks)? {
                Some((family, combination)) => self.best_pieces(of, family, combination, span),
                None => Ok(self.unknown(span)),
            },
            HandNode::Best { of, ranks, of_one: false, list } => self.best_hands(of, ranks, *list, span),
            HandNode::Extreme { highest, binder, by, ranks } => self.extreme_hands(*highest, binder, by, ranks, span),
        }
    }

    /// What stands where a ranking is wanted; `None`: unknown.
    fn ranking(&mut self, ranks: &Ranks) -> Found<Option<(&'e Family, Combination)>> {
        let (number, arguments) = match ranks {
            Ranks::Named(family, arguments) => (*family, arguments.as_slice()),
            Ranks::Of(of) => {
                let value = self.value(of)?;
                if value == Value::None {
                    return self.fault(FaultKind::Nobody, of.span);
                }
                let Some(number) = value.member() else { return Ok(None) };
                (usize::from(number), &[][..])
            }
        };
        let Some(family) = self.game.program.families.get(number) else { return Ok(None) };
        Ok(self.combination(family, arguments)?.map(|combination| (family, combination)))
    }

    fn asked(&mut self, ranks: &Ranks) -> Found<Option<Asked<'e>>> {
        Ok(self.ranking(ranks)?.map(|(family, combination)| match combination {
            Combination::Number(number) => (family, family.comparer(number)),
            Combination::Never => (family, None),
        }))
    }

    /// The pieces of a hand; `None`: unknown.
    fn hand(&mut self, of: &Expr, family: &Family) -> Found<Option<Seen>> {
        Ok(self.items(of)?.map(|items| Seen::of(&self.game.program, &items, family.kind)))
    }

    fn class_of(&mut self, of: &Expr, ranks: &Ranks, span: Span) -> Found<Value> {
        let Some((family, comparer)) = self.asked(ranks)? else { return Ok(self.unknown(span)) };
        let Some(hand) = self.hand(of, family)? else { return Ok(self.unknown(span)) };
        let Some(comparer) = comparer else { return Ok(Value::None) };
        let table = self.table(comparer, &hand);
        let mut found: Option<Option<ClassId>> = None;
        let walked = self.completions(table, &hand, span, &mut |hand| {
            let class = comparer.class(table, hand);
            *found.get_or_insert(class) == class
        })?;
        Ok(match (walked, found) {
            (Walked::All, Some(class)) => class.and_then(|class| family.classes.get(class)).map_or(Value::None, |class| Value::Member(*class)),
            (Walked::All | Walked::Stopped | Walked::TooMany, _) => self.unknown(span),
        })
    }

    fn keys(&mut self, of: &Expr, ranks: &Ranks, most: Option<&Expr>, span: Span) -> Found<Value> {
        let Some((family, comparer)) = self.asked(ranks)? else { return Ok(self.unknown(span)) };
        let Some(hand) = self.hand(of, family)? else { return Ok(self.unknown(span)) };
        let most = match most {
            Some(expr) => match self.number(expr)? {
                Some(most) => usize::try_from(most).or_else(|_| self.fault(FaultKind::Negative(most), expr.span))?,
                None => return Ok(self.unknown(span)),
            },
            None => usize::MAX,
        };
        let listed = |numbers: Vec<i64>| Value::list(numbers.into_iter().take(most).map(Value::Number).collect());
        let Some(comparer) = comparer else { return Ok(listed(Vec::new())) };
        if hand.unseen > 0 && most <= comparer.known_by_size() {
            return Ok(listed(comparer.values_by_size(hand.size()).unwrap_or_default()));
        }
        let mut found: Option<Vec<i64>> = None;
        let walked = self.completions(None, &hand, span, &mut |hand| {
            let mut keys = comparer.standing(hand).map(|standing| comparer.key_values(&standing)).unwrap_or_default();
            keys.truncate(most);
            match &found {
                Some(found) => *found == keys,
                None => {
                    found = Some(keys);
                    true
                }
            }
        })?;
        Ok(match (walked, found) {
            (Walked::All, Some(keys)) => listed(keys),
            (Walked::All | Walked::Stopped | Walked::TooMany, _) => self.unknown(span),
        })
    }

    /// `compare(a, b)`: the first pair that differs decides, as far as both lists go.
    fn compared_keys(&mut self, one: &Expr, other: &Expr, span: Span) -> Found<Value> {
        let (Some(one), Some(other)) = (self.items(one)?, self.items(other)?) else { return Ok(self.unknown(span)) };
        for (a, b) in one.collect().iter().zip(&other.collect()) {
            let (Some(a), Some(b)) = (a.number(), b.number()) else { return Ok(self.unknown(span)) };
            match a.cmp(&b) {
                Ordering::Less => return Ok(Value::Member(0)),
                Ordering::Greater => return Ok(Value::Member(2)),
                Ordering::Equal => {}
            }
        }
        Ok(Value::Member(1))
    }

    fn reaches(&mut self, of: &Expr, family: usize, class: &Expr, key: Option<&Expr>) -> Found<Truth> {
        let game = self.game;
        let Some(family) = game.program.families.get(family) else { return Ok(Truth::Unknown) };
        let Some(comparer) = family.comparer(0) else { return Ok(Truth::Unknown) };
        let class = self.value(class)?;
        let Some(target) = class.member() else { return Ok(if class == Value::None { Truth::No } else { Truth::Unknown }) };
        let (wanted, height) = (family.in_force(target), family.heights.get(usize::from(target)).copied());
        let least = self.least(comparer, wanted, key)?;
        let Some(hand) = self.hand(of, family)? else { return Ok(Truth::Unknown) };
        let table = self.table(comparer, &hand);
        // Of each strength it is found once whether its key is high enough.
        let mut known: BTreeMap<u32, bool> = BTreeMap::new();
        let mut found: Option<Truth> = None;
        let span = of.span;
        let walked = self.completions(table, &hand, span, &mut |hand| {
            let class = comparer.class(table, hand);
            let holds = if class.is_some() && class == wanted {
                key_reaches(comparer, table, hand, &least, &mut known)
            } else {
                Truth::from(class.and_then(|class| family.height(class)) > height)
            };
            let same = *found.get_or_insert(holds) == holds;
            if !same {
                found = Some(Truth::Unknown);
            }
            same && holds != Truth::Unknown
        })?;
        Ok(if walked == Walked::All { found.unwrap_or(Truth::Unknown) } else { Truth::Unknown })
    }

    /// The first key that is asked for, as the class counts it.
    fn least(&mut self, comparer: &Comparer, class: Option<ClassId>, key: Option<&Expr>) -> Found<Least> {
        let Some(key) = key else { return Ok(Least::Any) };
        let value = self.value(key)?;
        let Some(class) = class else { return Ok(Least::Never) };
        let number = match (value.number(), value.member()) {
            (Some(number), _) => Some(comparer.counted(class, number)),
            (None, Some(member)) => comparer.number_of(class, member),
            (None, None) if value == Value::Unknown => return Ok(Least::Unknown),
            (None, None) => None,
        };
        Ok(number.map_or(Least::Never, Least::Number))
    }

    fn best_hands(&mut self, of: &Expr, ranks: &Ranks, list: bool, span: Span) -> Found<Value> {
        let Some((family, comparer)) = self.asked(ranks)? else { return Ok(self.unknown(span)) };
        let Some(items) = self.items(of)? else { return Ok(self.unknown(span)) };
        let mut all = Vec::new();
        for value in items.collect() {
            let Some(items) = super::sets::as_set(&value) else { return Ok(self.unknown(span)) };
            all.push(Contender { hand: Seen::of(&self.game.program, &items, family.kind), value, perhaps: false });
        }
        let Some(best) = self.winners(comparer, true, &all, span)? else { return Ok(self.unknown(span)) };
        Ok(if list { Value::list(best) } else { set_from(best) })
    }

    fn extreme_hands(&mut self, highest: bool, binder: &Binder, by: &Expr, ranks: &Ranks, span: Span) -> Found<Value> {
        let Some((family, comparer)) = self.asked(ranks)? else { return Ok(self.unknown(span)) };
        let mut all = Some(Vec::new());
        let walked = self.each(binder, &mut |eval, item, perhaps| {
            let hand = eval.hand(by, family)?;
            match (hand, &mut all) {
                (Some(hand), Some(all)) => all.push(Contender { value: item.clone(), hand, perhaps }),
                (None, _) | (_, None) => all = None,
            }
            Ok(true)
        })?;
        let Some(all) = all.filter(|_| walked != Truth::Unknown) else { return Ok(self.unknown(span)) };
        Ok(self.winners(comparer, highest, &all, span)?.map_or_else(|| self.unknown(span), set_from))
    }

    /// Those that nobody surpasses, in their order; `None`: unknown. What is not ranked is neither highest nor lowest.
    fn winners(&mut self, comparer: Option<&'e Comparer>, highest: bool, all: &[Contender], span: Span) -> Found<Option<Vec<Value>>> {
        let (Some(comparer), Some(first)) = (comparer, all.first()) else { return Ok(Some(Vec::new())) };
        let size = first.hand.size();
        let alike = all.iter().all(|contender| contender.hand.size() == size);
        let table = if alike { comparer.table(size, u32::try_from(all.len()).unwrap_or(u32::MAX)) } else { None };
        let mut bounds: Vec<(usize, Bounds)> = Vec::with_capacity(all.len());
        for (at, contender) in all.iter().enumerate() {
            let Some(found) = self.bounds(comparer, table, &contender.hand, span)? else { return Ok(None) };
            match (found.low.is_ranked(), found.high.is_ranked()) {
                (true, _) => bounds.push((at, found)),
                (false, true) => return Ok(None),
                (false, false) => {}
            }
        }
        let better = |one: &Worth, other: &Worth| one.compare(other) == if highest { Ordering::Greater } else { Ordering::Less };
        let mut winners = Vec::new();
        for (at, mine) in &bounds {
            let Some(me) = all.get(*at) else { continue };
            let (worst, most) = if highest { (&mine.low, &mine.high) } else { (&mine.high, &mine.low) };
            let (mut surpassed, mut safe) = (false, !me.perhaps);
            for (other, theirs) in bounds.iter().filter(|(other, _)| other != at) {
                let (their_worst, their_most) = if highest { (&theirs.low, &theirs.high) } else { (&theirs.high, &theirs.low) };
                surpassed |= better(their_worst, most) && all.get(*other).is_some_and(|other| !other.perhaps);
                safe &= !better(their_most, worst);
            }
            match (surpassed, safe) {
                (true, _) => {}
                (false, true) => winners.push(me.value.clone()),
                (false, false) => return Ok(None),
            }
        }
        Ok(Some(winners))
    }

    /// Between what a hand lies; `None`: nobody can say.
    fn bounds(&mut self, comparer: &Comparer, table: Option<&Table>, hand: &Seen, span: Span) -> Found<Option<Bounds>> {
        let mut found: Option<Bounds> = None;
        let walked = self.completions(table, hand, span, &mut |hand| {
            let worth = comparer.worth(table, hand);
            match &mut found {
                None => found = Some(Bounds { low: worth.clone(), high: worth }),
                Some(bounds) => match (worth.compare(&bounds.low), worth.compare(&bounds.high)) {
                    (Ordering::Less, _) => bounds.low = worth,
                    (_, Ordering::Greater) => bounds.high = worth,
                    _ => {}
                },
            }
            true
        })?;
        Ok(found.filter(|_| walked == Walked::All))
    }
}

/// Whether a hand of the class that is asked for has the key that is asked for.
fn key_reaches(comparer: &Comparer, table: Option<&Table>, hand: &[u8], least: &Least, known: &mut BTreeMap<u32, bool>) -> Truth {
    let least = match least {
        Least::Any => return Truth::Yes,
        Least::Never => return Truth::No,
        Least::Unknown => return Truth::Unknown,
        Least::Number(least) => *least,
    };
    let plainly = || {
        let keys = comparer.standing(hand).map(|standing| comparer.key_values(&standing));
        keys.and_then(|keys| keys.first().copied()).is_some_and(|key| key >= least)
    };
    Truth::from(match table {
        Some(table) => *known.entry(table.strength(hand)).or_insert_with(plainly),
        None => plainly(),
    })
}

impl Items<'_> {
    /// Calls `see` for each piece; for what is no piece that anybody knows, with nothing.
    pub(super) fn each_piece(&self, mut see: impl FnMut(Option<u8>)) {
        match self {
            Items::Pile(pieces) => pieces.iter().for_each(|piece| see(Some(*piece))),
            Items::Many(bits, _) => bits.iter().for_each(|piece| see(Some(piece))),
            Items::List(items) => items.iter().for_each(|item| see(item.piece())),
        }
    }
}
