//! Whether conditions can hold together, as far as literals and plain contradictions say it. Clause 6.6.

use std::collections::BTreeSet;

use super::fold::known;
use super::program::{Comparison, Condition, Definition, Expr, Literal, Node, OrderTable, Rule, Slot};
use super::walk::below_mut;
use crate::ranking::ValueId;
use crate::source::Span;

/// Something that must hold, or must not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Atom {
    /// What is spoken of, without the places where it was written.
    of: String,
    says: Says,
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
enum Known {
    None,
    Number(i64),
    Truth(bool),
    Member(ValueId),
    Seat(u8),
}

/// The conditions of a rule: one of these lists of atoms holds in full.
#[derive(Clone, Debug)]
pub(super) struct Ways(Vec<BTreeSet<Atom>>);

/// More ways than this are not told apart.
const MOST_WAYS: usize = 64;

/// How two sets of conditions stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Together {
    Never,
    Surely,
    Perhaps,
}

impl Ways {
    pub fn of(rule: &Rule, definitions: &[Definition]) -> Ways {
        let mut lets: Vec<(Slot, Expr)> = Vec::new();
        let mut ways = Ways(vec![BTreeSet::new()]);
        for condition in &rule.conditions {
            match condition {
                Condition::Let(slot, value) => lets.push((*slot, substituted(value, &lets))),
                Condition::When(when) => ways = ways.and(&disjunction(&substituted(when, &lets), true, definitions, 0)),
            }
        }
        ways
    }

    fn and(&self, other: &Ways) -> Ways {
        if self.0.len().saturating_mul(other.0.len()) > MOST_WAYS {
            return self.clone();
        }
        Ways(self.0.iter().flat_map(|one| other.0.iter().map(move |more| one.union(more).cloned().collect())).collect())
    }

    /// Whether they contradict themselves.
    pub fn is_impossible(&self, orders: &[OrderTable]) -> bool {
        self.0.iter().all(|way| contradicts(way, orders))
    }

    pub fn with(&self, other: &Ways, orders: &[OrderTable]) -> Together {
        let pairs = self.0.iter().flat_map(|one| other.0.iter().map(move |more| (one, more)));
        if pairs.clone().all(|(one, more)| contradicts(&one.union(more).cloned().collect(), orders)) {
            return Together::Never;
        }
        // What asks nothing more than the other holds wherever that one does.
        let mut possible = pairs.filter(|(one, more)| !contradicts(&one.union(more).cloned().collect(), orders));
        if possible.any(|(one, more)| one.is_subset(more) || more.is_subset(one)) { Together::Surely } else { Together::Perhaps }
    }
}

fn plain(expr: &Expr) -> Expr {
    let mut plain = expr.clone();
    fn strip(expr: &mut Expr) {
        expr.span = Span::default();
        below_mut(&mut expr.node, &mut strip);
    }
    strip(&mut plain);
    plain
}

fn text(expr: &Expr) -> String {
    format!("{:?}", plain(expr).node)
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
fn disjunction(expr: &Expr, holds: bool, definitions: &[Definition], depth: usize) -> Ways {
    let again = |part: &Expr, holds: bool| disjunction(part, holds, definitions, depth);
    match (&*expr.node, holds) {
        (Node::Not(of), holds) => again(of, !holds),
        (Node::And(all), true) | (Node::Or(all), false) => all.iter().fold(Ways(vec![BTreeSet::new()]), |ways, part| ways.and(&again(part, holds))),
        (Node::Or(all), true) | (Node::And(all), false) => {
            let ways: Vec<BTreeSet<Atom>> = all.iter().flat_map(|part| again(part, holds).0).collect();
            if ways.len() > MOST_WAYS { one(text(expr), Says::Truth(holds)) } else { Ways(ways) }
        }
        // A definition without arguments is what it says, if that is a condition.
        (Node::Call(id, arguments), holds) if arguments.is_empty() && depth < 8 => match definitions.get(*id) {
            Some(known)
                if matches!(&*known.value.node, Node::And(_) | Node::Or(_) | Node::Not(_) | Node::Compare(..) | Node::IsNone(_) | Node::In(..)) =>
            {
                disjunction(&known.value, holds, definitions, depth + 1)
            }
            Some(_) | None => one(text(expr), Says::Truth(holds)),
        },
        (Node::Compare(first, rest, order), holds) => compared(first, rest, *order, holds),
        (Node::IsNone(of), holds) => {
            let word = if holds { Word::Equal } else { Word::Unequal };
            one(text(of), Says::Compared(word, Known::None, None))
        }
        (Node::In(of, set), holds) => match members(set) {
            Some(members) => one(text(of), Says::Among(holds, members)),
            None => one(text(expr), Says::Truth(holds)),
        },
        (Node::Literal(Literal::Truth(truth)), holds) => Ways(if *truth == holds { vec![BTreeSet::new()] } else { Vec::new() }),
        _ => one(text(expr), Says::Truth(holds)),
    }
}

fn one(of: String, says: Says) -> Ways {
    Ways(vec![BTreeSet::from([Atom { of, says }])])
}

fn members(set: &Expr) -> Option<Vec<Known>> {
    match &*set.node {
        Node::Set(all) => all.iter().map(value).collect(),
        Node::Literal(Literal::Members(all)) => Some(all.iter().map(|member| Known::Member(*member)).collect()),
        Node::Literal(Literal::Nothing) => Some(Vec::new()),
        _ => None,
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
fn compared(first: &Expr, rest: &[(Comparison, Expr)], order: Option<usize>, holds: bool) -> Ways {
    let mut ways = if holds { vec![BTreeSet::new()] } else { Vec::new() };
    let mut left = first;
    for (word, right) in rest {
        let atom = pair(left, *word, right, order, holds);
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

fn pair(left: &Expr, word: Comparison, right: &Expr, order: Option<usize>, holds: bool) -> Atom {
    let word = match word {
        Comparison::Equal => Word::Equal,
        Comparison::Unequal => Word::Unequal,
        Comparison::Less => Word::Less,
        Comparison::AtMost => Word::AtMost,
        Comparison::Greater => Word::Greater,
        Comparison::AtLeast => Word::AtLeast,
    };
    let word = if holds { word } else { opposite(word) };
    if let Some(value) = value(right) {
        return Atom { of: text(left), says: Says::Compared(word, value, order) };
    }
    if let Some(value) = value(left) {
        return Atom { of: text(right), says: Says::Compared(turned(word), value, order) };
    }
    let (a, b) = (text(left), text(right));
    match word {
        Word::Equal | Word::Unequal => {
            let (low, high) = if a <= b { (a, b) } else { (b, a) };
            Atom { of: format!("{low} is {high}"), says: Says::Truth(word == Word::Equal) }
        }
        Word::Less => Atom { of: format!("{a} below {b}"), says: Says::Truth(true) },
        Word::AtLeast => Atom { of: format!("{a} below {b}"), says: Says::Truth(false) },
        Word::Greater => Atom { of: format!("{b} below {a}"), says: Says::Truth(true) },
        Word::AtMost => Atom { of: format!("{b} below {a}"), says: Says::Truth(false) },
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
fn contradicts(way: &BTreeSet<Atom>, orders: &[OrderTable]) -> bool {
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
