//! Whether conditions can hold together, as far as literals and plain contradictions say it. Clause 6.6.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use super::fold::known;
use super::program::{Answer, Comparison, Condition, Definition, Expr, Literal, Node, OrderTable, Program, QueryId, Rule, Slot};
use super::walk::{below_mut, of_query_mut};
use crate::ranking::ValueId;
use crate::source::Span;

/// Something that must hold, or must not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Atom {
    /// What is spoken of, without the places where it was written.
    pub of: String,
    says: Says,
    pub written: Written,
}

/// Where an atom was written, and whether it says that or the opposite: for readers, and no part of what it says.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub span: Span,
    pub so: bool,
}

impl PartialEq for Written {
    fn eq(&self, _: &Written) -> bool {
        true
    }
}

impl Eq for Written {}

impl PartialOrd for Written {
    fn partial_cmp(&self, other: &Written) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Written {
    fn cmp(&self, _: &Written) -> Ordering {
        Ordering::Equal
    }
}

// What atoms say is compared by their texts as well.
impl fmt::Debug for Written {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    Truth(bool),
    /// Compared with a value; the order of a scale is that of the table of orders.
    Compared(Word, Known, Option<usize>),
    Among(bool, Vec<Known>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Word {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    None,
    Number(i64),
    Truth(bool),
    Member(ValueId),
    Seat(u8),
}

/// The conditions of a rule: one of these lists of atoms holds in full.
#[derive(Clone, Debug)]
pub(super) struct Ways(pub Vec<BTreeSet<Atom>>);

/// More ways than this are not told apart.
const MOST_WAYS: usize = 64;

/// How two sets of conditions stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Together {
    Never,
    Surely,
    Perhaps,
}

/// What conditions speak of.
#[derive(Clone, Debug)]
pub(super) struct Reading<'p> {
    pub definitions: &'p [Definition],
    pub orders: &'p [OrderTable],
    /// For each query the first that asks the same.
    same: Vec<QueryId>,
}

impl<'p> Reading<'p> {
    pub fn of(program: &'p Program) -> Reading<'p> {
        let mut reading = Reading { definitions: &program.definitions, orders: &program.orders, same: Vec::new() };
        let mut asked: Vec<String> = Vec::new();
        for query in &program.queries {
            let mut query = query.clone();
            of_query_mut(&mut query, &mut |expr| *expr = reading.plain(expr));
            let text = format!("{query:?}");
            let first = asked.iter().position(|other| *other == text).unwrap_or(asked.len());
            asked.push(text);
            reading.same.push(first);
        }
        reading
    }

    /// An expression without the places where it was written; whatever asks the log the same is the same.
    fn plain(&self, expr: &Expr) -> Expr {
        let mut plain = expr.clone();
        self.strip(&mut plain);
        plain
    }

    fn strip(&self, expr: &mut Expr) {
        expr.span = Span::default();
        if let Node::Has(id) | Node::CountOf(id) | Node::First(id) | Node::Last(id) = &mut *expr.node
            && let Some(first) = self.same.get(*id)
        {
            *id = *first;
        }
        below_mut(&mut expr.node, &mut |part| self.strip(part));
    }

    pub fn text(&self, expr: &Expr) -> String {
        format!("{:?}", self.plain(expr).node)
    }

    fn is_lowest(&self, known: Known, order: Option<usize>) -> bool {
        let Known::Member(member) = known else { return false };
        match order.and_then(|order| self.orders.get(order)) {
            Some(order) => order.heights.get(usize::from(member)) == Some(&0),
            None => member == 0,
        }
    }
}

impl Ways {
    pub fn of(rule: &Rule, reading: &Reading<'_>) -> Ways {
        let mut lets: Vec<(Slot, Expr)> = Vec::new();
        let mut ways = Ways(vec![BTreeSet::new()]);
        for condition in &rule.conditions {
            match condition {
                Condition::Let(slot, value) => lets.push((*slot, substituted(value, &lets))),
                Condition::When(when) => ways = ways.and(&disjunction(&substituted(when, &lets), true, reading, 0)),
            }
        }
        if let Some((of, keys, at)) = row_wanted(rule, &lets, reading) {
            ways = ways.and(&row(&of, keys, at));
        }
        ways
    }

    /// The ways in which a rule does not apply: one of its conditions fails.
    pub fn missing(rule: &Rule, reading: &Reading<'_>) -> Ways {
        let mut lets: Vec<(Slot, Expr)> = Vec::new();
        let mut ways = Vec::new();
        for condition in &rule.conditions {
            match condition {
                Condition::Let(slot, value) => lets.push((*slot, substituted(value, &lets))),
                Condition::When(when) => ways.extend(disjunction(&substituted(when, &lets), false, reading, 0).0),
            }
        }
        if let Some((of, keys, at)) = row_wanted(rule, &lets, reading) {
            ways.extend(row(&of, keys, Written { so: false, ..at }).0);
        }
        Ways(ways)
    }

    /// What asks for nothing.
    pub fn always() -> Ways {
        Ways(vec![BTreeSet::new()])
    }

    /// Whether some way of both leaves no contradiction.
    pub fn can_hold_with(&self, other: &Ways, reading: &Reading<'_>) -> bool {
        let mut pairs = self.0.iter().flat_map(|one| other.0.iter().map(move |more| one.union(more).cloned().collect::<BTreeSet<Atom>>()));
        pairs.any(|both| !contradicts(&both, reading.orders))
    }

    /// What a truth needs in order to hold.
    pub fn of_condition(when: &Expr, reading: &Reading<'_>) -> Ways {
        disjunction(when, true, reading, 0)
    }

    fn and(&self, other: &Ways) -> Ways {
        if self.0.len().saturating_mul(other.0.len()) > MOST_WAYS {
            return self.clone();
        }
        Ways(self.0.iter().flat_map(|one| other.0.iter().map(move |more| one.union(more).cloned().collect())).collect())
    }

    /// Whether they contradict themselves.
    pub fn is_impossible(&self, reading: &Reading<'_>) -> bool {
        self.0.iter().all(|way| contradicts(way, reading.orders))
    }

    /// `droppers` are conditions under which a third rule makes one of the two give way.
    pub fn with(&self, other: &Ways, droppers: &[&Ways], reading: &Reading<'_>) -> Together {
        let pairs = self.0.iter().flat_map(|one| other.0.iter().map(move |more| (one, more)));
        let dropped = |way: &BTreeSet<Atom>| droppers.iter().any(|dropper| dropper.0.iter().any(|when| when.is_subset(way)));
        let possible = |(one, more): &(&BTreeSet<Atom>, &BTreeSet<Atom>)| {
            let both = one.union(more).cloned().collect();
            !contradicts(&both, reading.orders) && !dropped(&both)
        };
        let mut left = pairs.filter(possible).peekable();
        if left.peek().is_none() {
            return Together::Never;
        }
        // What asks nothing more than the other holds wherever that one does.
        if droppers.is_empty() && left.any(|(one, more)| one.is_subset(more) || more.is_subset(one)) { Together::Surely } else { Together::Perhaps }
    }
}

/// A table without `else` is silent where no row fits: what it looks at, and the keys of its rows if all of them are known.
fn row_wanted(rule: &Rule, lets: &[(Slot, Expr)], reading: &Reading<'_>) -> Option<(String, Option<Vec<Known>>, Written)> {
    let Answer::Is(value) = &rule.answer else { return None };
    let Node::Table { of, rows, otherwise: None, .. } = &*value.node else { return None };
    let keys = rows.iter().flat_map(|row| &row.keys).map(|(key, or_up)| self::value(key).filter(|_| !or_up)).collect();
    Some((reading.text(&substituted(of, lets)), keys, Written { span: value.span, so: true }))
}

/// A row fits, or none does.
fn row(of: &str, keys: Option<Vec<Known>>, at: Written) -> Ways {
    match keys {
        None => one(format!("a row for {of}"), Says::Truth(at.so), at),
        Some(keys) => one(of.to_owned(), Says::Among(at.so, keys), at),
    }
}

/// An expression with `let` names written out.
fn substituted(expr: &Expr, lets: &[(Slot, Expr)]) -> Expr {
    fn put(expr: &mut Expr, lets: &[(Slot, Expr)]) {
        if let Node::Local(slot) = &*expr.node
            && let Some((_, value)) = lets.iter().find(|(known, _)| known == slot)
        {
            *expr = value.clone();
            return;
        }
        below_mut(&mut expr.node, &mut |part| put(part, lets));
    }
    let mut made = expr.clone();
    put(&mut made, lets);
    made
}

/// The ways in which a truth can be so (`holds`) or not.
fn disjunction(expr: &Expr, holds: bool, reading: &Reading<'_>, depth: usize) -> Ways {
    let again = |part: &Expr, holds: bool| disjunction(part, holds, reading, depth);
    let at = Written { span: expr.span, so: holds };
    match (&*expr.node, holds) {
        (Node::Not(of), holds) => again(of, !holds),
        (Node::And(all), true) | (Node::Or(all), false) => all.iter().fold(Ways(vec![BTreeSet::new()]), |ways, part| ways.and(&again(part, holds))),
        (Node::Or(all), true) | (Node::And(all), false) => {
            let ways: Vec<BTreeSet<Atom>> = all.iter().flat_map(|part| again(part, holds).0).collect();
            if ways.len() > MOST_WAYS { one(reading.text(expr), Says::Truth(holds), at) } else { Ways(ways) }
        }
        // A definition without arguments is what it says, if that is a condition.
        (Node::Call(id, arguments), holds) if arguments.is_empty() && depth < 8 => match reading.definitions.get(*id) {
            Some(known)
                if matches!(
                    &*known.value.node,
                    Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Compare(..) | Node::IsNone(_) | Node::In(..) | Node::Literal(_)
                ) =>
            {
                disjunction(&known.value, holds, reading, depth + 1)
            }
            Some(_) | None => one(reading.text(expr), Says::Truth(holds), at),
        },
        (Node::Compare(first, rest, order), holds) => compared(first, rest, *order, holds, reading),
        (Node::IsNone(of), holds) => {
            let word = if holds { Word::Equal } else { Word::Unequal };
            one(reading.text(of), Says::Compared(word, Known::None, None), at)
        }
        (Node::In(of, set), holds) => match members(set) {
            Some(members) => one(reading.text(of), Says::Among(holds, members), at),
            None => one(reading.text(expr), Says::Truth(holds), at),
        },
        // Something is so of one of them, or the opposite of all.
        (Node::Every(binder, Some(body)) | Node::Any(binder, Some(body)), holds) => {
            let every = matches!(&*expr.node, Node::Every(..));
            let said = disjunction(body, every, reading, depth);
            let of = format!("{} {} {:?} {said:?}", binder.slot, reading.text(&binder.of), binder.filter.as_ref().map(|filter| reading.text(filter)));
            one(of, Says::Truth(every == holds), at)
        }
        (Node::Literal(Literal::Truth(truth)), holds) => Ways(if *truth == holds { vec![BTreeSet::new()] } else { Vec::new() }),
        _ => one(reading.text(expr), Says::Truth(holds), at),
    }
}

fn one(of: String, says: Says, written: Written) -> Ways {
    Ways(vec![BTreeSet::from([Atom { of, says, written }])])
}

impl Atom {
    /// Something has one of these values.
    pub fn among(of: String, all: Vec<Known>) -> Atom {
        Atom { of, says: Says::Among(true, all), written: Written { span: Span::default(), so: true } }
    }
}

fn members(set: &Expr) -> Option<Vec<Known>> {
    if let Node::Set(all) = &*set.node {
        return all.iter().map(value).collect();
    }
    match known(set)? {
        Literal::Members(all) => Some(all.iter().map(|member| Known::Member(*member)).collect()),
        Literal::Nothing => Some(Vec::new()),
        Literal::None | Literal::Number(_) | Literal::Truth(_) | Literal::Member(_) | Literal::Seat(_) | Literal::Text(_) => None,
    }
}

fn value(expr: &Expr) -> Option<Known> {
    match known(expr)? {
        Literal::None => Some(Known::None),
        Literal::Number(number) => Some(Known::Number(*number)),
        Literal::Truth(truth) => Some(Known::Truth(*truth)),
        Literal::Member(member) => Some(Known::Member(*member)),
        Literal::Seat(seat) => Some(Known::Seat(*seat)),
        Literal::Members(_) | Literal::Nothing | Literal::Text(_) => None,
    }
}

/// A chain holds if each pair does; it fails if one of them does.
fn compared(first: &Expr, rest: &[(Comparison, Expr)], order: Option<usize>, holds: bool, reading: &Reading<'_>) -> Ways {
    let mut ways = if holds { vec![BTreeSet::new()] } else { Vec::new() };
    let mut left = first;
    for (word, right) in rest {
        let atom = pair(left, *word, right, order, holds, reading);
        if holds {
            for way in &mut ways {
                way.insert(atom.clone());
            }
        } else {
            ways.push(BTreeSet::from([atom]));
        }
        left = right;
    }
    Ways(ways)
}

fn pair(left: &Expr, word: Comparison, right: &Expr, order: Option<usize>, holds: bool, reading: &Reading<'_>) -> Atom {
    let word = match word {
        Comparison::Equal => Word::Equal,
        Comparison::Unequal => Word::Unequal,
        Comparison::Less => Word::Less,
        Comparison::AtMost => Word::AtMost,
        Comparison::Greater => Word::Greater,
        Comparison::AtLeast => Word::AtLeast,
    };
    let word = if holds { word } else { opposite(word) };
    let written = Written { span: left.span.to(right.span), so: holds };
    // Above the lowest is whatever is not the lowest.
    let says = |word: Word, value: Known| match word {
        Word::Greater if reading.is_lowest(value, order) => Says::Compared(Word::Unequal, value, None),
        Word::AtMost if reading.is_lowest(value, order) => Says::Compared(Word::Equal, value, None),
        Word::Equal | Word::Unequal => Says::Compared(word, value, None),
        Word::Less | Word::AtMost | Word::Greater | Word::AtLeast => Says::Compared(word, value, order),
    };
    if let Some(value) = value(right) {
        return Atom { of: reading.text(left), says: says(word, value), written };
    }
    if let Some(value) = value(left) {
        return Atom { of: reading.text(right), says: says(turned(word), value), written };
    }
    let (a, b) = (reading.text(left), reading.text(right));
    match word {
        Word::Equal | Word::Unequal => {
            let (low, high) = if a <= b { (a, b) } else { (b, a) };
            Atom { of: format!("{low} is {high}"), says: Says::Truth(word == Word::Equal), written }
        }
        Word::Less => Atom { of: format!("{a} below {b}"), says: Says::Truth(true), written },
        Word::AtLeast => Atom { of: format!("{a} below {b}"), says: Says::Truth(false), written },
        Word::Greater => Atom { of: format!("{b} below {a}"), says: Says::Truth(true), written },
        Word::AtMost => Atom { of: format!("{b} below {a}"), says: Says::Truth(false), written },
    }
}

fn opposite(word: Word) -> Word {
    match word {
        Word::Equal => Word::Unequal,
        Word::Unequal => Word::Equal,
        Word::Less => Word::AtLeast,
        Word::AtMost => Word::Greater,
        Word::Greater => Word::AtMost,
        Word::AtLeast => Word::Less,
    }
}

/// The same with its sides exchanged.
fn turned(word: Word) -> Word {
    match word {
        Word::Equal | Word::Unequal => word,
        Word::Less => Word::Greater,
        Word::AtMost => Word::AtLeast,
        Word::Greater => Word::Less,
        Word::AtLeast => Word::AtMost,
    }
}

/// Whether what is said of one thing leaves no value for it.
pub(super) fn contradicts(way: &BTreeSet<Atom>, orders: &[OrderTable]) -> bool {
    let mut rest: Vec<&Atom> = way.iter().collect();
    while let Some(first) = rest.first().copied() {
        let (of, others): (Vec<&Atom>, Vec<&Atom>) = rest.into_iter().partition(|atom| atom.of == first.of);
        rest = others;
        let truths: BTreeSet<bool> = of.iter().filter_map(|atom| if let Says::Truth(truth) = atom.says { Some(truth) } else { None }).collect();
        if truths.len() > 1 {
            return true;
        }
        let values: Vec<&Says> = of.iter().map(|atom| &atom.says).filter(|says| !matches!(says, Says::Truth(_))).collect();
        if !values.is_empty() && !candidates(&values).into_iter().any(|value| values.iter().all(|says| fits(value, says, orders))) {
            return true;
        }
    }
    false
}

/// Enough values to decide: whatever is named, what lies beside it, and all values of a kind.
fn candidates(values: &[&Says]) -> BTreeSet<Known> {
    let mut found = BTreeSet::from([Known::None]);
    let mut add = |known: Known| match known {
        Known::Number(number) => found.extend([number.saturating_sub(1), number, number.saturating_add(1)].map(Known::Number)),
        Known::Member(_) => found.extend((0..=ValueId::MAX).map(Known::Member)),
        Known::Truth(_) => found.extend([Known::Truth(false), Known::Truth(true)]),
        Known::Seat(_) => found.extend((0..8).map(Known::Seat)),
        Known::None => found.extend([Known::Truth(false), Known::Number(i64::MIN), Known::Member(ValueId::MAX), Known::Seat(u8::MAX)]),
    };
    for says in values {
        match says {
            Says::Compared(_, known, _) => add(*known),
            Says::Among(_, all) => {
                // Somebody may have a value that no list names.
                add(Known::None);
                all.iter().copied().for_each(&mut add);
            }
            Says::Truth(_) => {}
        }
    }
    found
}

fn fits(value: Known, says: &Says, orders: &[OrderTable]) -> bool {
    match says {
        Says::Truth(_) => true,
        Says::Among(among, all) => all.contains(&value) == *among,
        Says::Compared(Word::Equal, known, _) => value == *known,
        Says::Compared(Word::Unequal, known, _) => value != *known,
        Says::Compared(word, known, order) => {
            let height = |known: Known| match known {
                Known::Number(number) => Some(number),
                Known::Member(member) => match order.and_then(|order| orders.get(order)) {
                    Some(order) => order.heights.get(usize::from(member)).copied().map(i64::from),
                    None => Some(i64::from(member)),
                },
                Known::None | Known::Truth(_) | Known::Seat(_) => None,
            };
            let (Some(a), Some(b)) = (height(value), height(*known)) else { return false };
            match word {
                Word::Less => a < b,
                Word::AtMost => a <= b,
                Word::Greater => a > b,
                Word::AtLeast => a >= b,
                Word::Equal => a == b,
                Word::Unequal => a != b,
            }
        }
    }
}
