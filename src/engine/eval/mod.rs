//! Expressions at a table. Clauses 3.10 to 3.13 and 6.7.
//!
//! Evaluation changes nothing but the locals above the frame in which it runs. What the record does not give is [`Value::Unknown`], and stays
//! so through everything that depends on it.

mod accounts;
mod completions;
mod decide;
mod groups;
mod hands;
mod log;
mod numbers;
mod scalars;
mod sets;

pub(super) use decide::{Details, Standing, Verdict};
use scalars::Scalar;
pub(super) use sets::{Items, members, set_from};

use super::game::Game;
use super::memo::Memo;
use super::ruling::Ruling;
use super::state::{Arguments, State};
use super::trouble::{Fault, FaultKind, Trouble};
use super::value::{Truth, UNSEEN, Value};
use super::{MOST_DEEP, MOST_EXPRESSIONS};
use crate::rules::table::program::{Cells, Comparison, DefinitionId, Expr, Index, Node, PieceId, SeatId, Slot};
use crate::source::Span;

pub(super) type Found<T> = Result<T, Trouble>;

/// An evaluation in a frame.
#[derive(Debug)]
pub(super) struct Eval<'e> {
    pub game: &'e Game,
    pub state: &'e State,
    pub locals: &'e mut Vec<Value>,
    /// The first local of the frame.
    pub base: usize,
    /// The first thing that was needed and is not in the record.
    pub missing: Option<Span>,
    /// The answer that an amendment changes.
    pub it: Value,
    /// Where every ruling is noted, if somebody wants to know.
    pub notes: Option<Vec<Ruling>>,
    /// What was worked out before, since the state changed last.
    pub memo: &'e mut Memo,
    /// Expressions that are being worked out within one another.
    deep: usize,
    /// Expressions that may still be worked out.
    pub left: u32,
}

impl<'e> Eval<'e> {
    pub fn new(game: &'e Game, state: &'e State, locals: &'e mut Vec<Value>, memo: &'e mut Memo, base: usize) -> Eval<'e> {
        Eval { game, state, locals, base, missing: None, it: Value::None, notes: None, memo, deep: 0, left: MOST_EXPRESSIONS }
    }

    pub fn fault<T>(&self, what: FaultKind, span: Span) -> Found<T> {
        Err(Trouble::Fault(Box::new(Fault { what, span, within: String::new() })))
    }

    pub fn local(&self, slot: Slot) -> &Value {
        self.locals.get(self.base + usize::from(slot)).unwrap_or(&Value::Unknown)
    }

    pub fn set_local(&mut self, slot: Slot, value: Value) {
        let at = self.base + usize::from(slot);
        // First values and an `otherwise` have binders and no frame that was made for them.
        if at >= self.locals.len() {
            self.locals.resize(at + 1, Value::Unknown);
        }
        if let Some(local) = self.locals.get_mut(at) {
            *local = value;
        }
    }

    pub(super) fn unknown(&mut self, span: Span) -> Value {
        self.missing.get_or_insert(span);
        Value::Unknown
    }

    /// Counts an expression that is begun.
    fn begin(&mut self, expr: &Expr) -> Found<()> {
        if self.deep >= MOST_DEEP {
            return self.fault(FaultKind::AskedInCircle, expr.span);
        }
        let Some(left) = self.left.checked_sub(1) else { return self.fault(FaultKind::Endless, expr.span) };
        self.left = left;
        self.deep += 1;
        Ok(())
    }

    /// Whether a condition holds.
    pub fn truth(&mut self, expr: &Expr) -> Found<Truth> {
        if let Node::Compare(first, rest, order) = &*expr.node
            && let Some(holds) = self.ready_comparison(first, rest, *order)
        {
            return Ok(holds);
        }
        self.begin(expr)?;
        let truth = self.condition(expr);
        self.deep -= 1;
        truth
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is no condition by its form is worked out as a value")]
    fn condition(&mut self, expr: &Expr) -> Found<Truth> {
        match &*expr.node {
            Node::And(parts) => {
                let mut all = Truth::Yes;
                for part in parts {
                    match self.truth(part)? {
                        Truth::No => return Ok(Truth::No),
                        Truth::Unknown => all = Truth::Unknown,
                        Truth::Yes => {}
                    }
                }
                Ok(all)
            }
            Node::Or(parts) => {
                let mut any = Truth::No;
                for part in parts {
                    match self.truth(part)? {
                        Truth::Yes => return Ok(Truth::Yes),
                        Truth::Unknown => any = Truth::Unknown,
                        Truth::No => {}
                    }
                }
                Ok(any)
            }
            Node::Not(of) => Ok(self.truth(of)?.opposite()),
            Node::Compare(first, rest, order) => self.compare(first, rest, *order),
            Node::Any(binder, body) => self.any(binder, body.as_ref(), Truth::Yes),
            Node::Every(binder, body) => self.every(binder, body.as_ref()),
            Node::In(item, set) => self.within(item, set),
            Node::IsEmpty(of) => self.is_empty(of),
            Node::IsNone(of) => {
                let value = self.value(of)?;
                Ok(if value == Value::Unknown { Truth::Unknown } else { Truth::from(value == Value::None) })
            }
            Node::IsKnown(of) => {
                let before = self.missing;
                let known = self.value(of)? != Value::Unknown;
                self.missing = before;
                Ok(Truth::from(known))
            }
            Node::IsOdd(of) => Ok(self.number(of)?.map_or(Truth::Unknown, |number| Truth::from(number.rem_euclid(2) == 1))),
            Node::During(procedures) => Ok(Truth::from(procedures.iter().any(|procedure| self.state.mark(*procedure).open > 0))),
            Node::Has(query) => Ok(Truth::from(self.find(*query, false)?.is_some())),
            Node::Kept(number, bare) => self.remembered(*number, bare),
            _ => Ok(self.value(expr)?.truth()),
        }
    }

    /// A condition that speaks of the state alone.
    fn remembered(&mut self, number: usize, bare: &Expr) -> Found<Truth> {
        // Which rulings were read, and what is missing, is to be said each time.
        let Some(reads) = self.game.conditions.get(number).filter(|_| self.notes.is_none()) else { return self.truth(bare) };
        let stamp = self.memo.stamp(reads);
        if let Some(truth) = self.memo.condition(number, stamp) {
            return Ok(truth);
        }
        let truth = self.truth(bare)?;
        if truth != Truth::Unknown {
            self.memo.keep_condition(number, stamp, truth);
        }
        Ok(truth)
    }

    /// What an expression comes to.
    pub fn value(&mut self, expr: &Expr) -> Found<Value> {
        if let Some(ready) = self.scalar(expr) {
            return Ok(ready.into());
        }
        self.begin(expr)?;
        let value = self.worked_out(expr);
        self.deep -= 1;
        value
    }

    fn worked_out(&mut self, expr: &Expr) -> Found<Value> {
        let span = expr.span;
        match &*expr.node {
            Node::Literal(literal) => Ok(Value::from(literal)),
            // INVARIANT: folding leaves neither.
            Node::Parameter(_) | Node::Option(_) => Ok(Value::Unknown),
            Node::Local(slot) => {
                let value = self.local(*slot).clone();
                Ok(if value == Value::Unknown { self.unknown(span) } else { value })
            }
            Node::Seats => Ok(Value::Seats(self.state.seated)),
            Node::Role(role) => {
                Ok(self.state.roles.get(*role).filter(|held| **held != Value::Unknown).cloned().unwrap_or_else(|| self.unknown(span)))
            }
            Node::Fact(fact, indices) => {
                let Some(declared) = self.game.program.facts.get(*fact) else { return Ok(Value::Unknown) };
                let Some(cell) = self.cell(&declared.cells, indices)? else { return Ok(self.unknown(span)) };
                let value = self.state.facts.get(cell).cloned().unwrap_or(Value::Unknown);
                Ok(if value == Value::Unknown { self.unknown(span) } else { value })
            }
            Node::Place(place, indices) => {
                let Some(declared) = self.game.program.places.get(*place) else { return Ok(Value::Unknown) };
                let Some(cell) = self.cell(&declared.cells, indices)? else { return Ok(self.unknown(span)) };
                Ok(Value::list(self.state.piles.order(cell).iter().map(|piece| Value::Piece(*piece)).collect()))
            }
            Node::Account(account, indices) => self.held(*account, indices, span),
            Node::Cell(account, indices) => Ok(self.holder(*account, indices)?.map_or_else(|| self.unknown(span), Value::Account)),
            Node::Held(of) => {
                let of = self.value(of)?.holder();
                Ok(self.counted(of, span))
            }
            Node::Slice { of, main } => self.of_slice(of, *main, span),
            Node::Ends { of, count, bottom } => self.ends(of, count, *bottom),
            Node::Tally(tally, indices) => {
                let Some(declared) = self.game.program.tallies.get(*tally) else { return Ok(Value::Unknown) };
                let Some(cell) = self.cell(&declared.cells, indices)? else { return Ok(self.unknown(span)) };
                Ok(Value::Number(self.state.tallies.get(cell).copied().unwrap_or(0)))
            }
            Node::TallyAt { tally, indices, through, entry } => self.tally_at(*tally, indices, *through, entry),
            Node::EnteredPart(of, part) => self.entered_part(of, *part),
            Node::Call(definition, arguments) => self.defined(*definition, arguments),
            Node::Ask(question, arguments) => self.ask(*question, arguments, span),
            Node::Attribute(of, attribute) => {
                let of = self.value(of)?;
                Ok(match of.piece() {
                    Some(piece) => self.attribute(piece, *attribute, span),
                    None => self.nothing_of(&of, span),
                })
            }
            Node::Argument(of, places) => {
                let of = self.value(of)?;
                let argument = of.entry().and_then(|(name, serial)| {
                    let at = places.iter().find(|(of_name, _)| *of_name == name).map(|(_, at)| *at)?;
                    self.state.entry(name, serial)?.arguments.get(at).cloned()
                });
                Ok(argument.unwrap_or_else(|| self.nothing_of(&of, span)))
            }
            Node::By(of) => {
                let of = self.value(of)?;
                let by = of.entry().map(|(name, serial)| self.state.entry(name, serial).and_then(|entry| entry.by));
                Ok(by.map_or_else(|| self.nothing_of(&of, span), |by| by.map_or(Value::None, Value::Seat)))
            }
            Node::Mover(of) => {
                let of = self.value(of)?;
                let mover = of.piece().map(|piece| self.state.piles.mover(piece).map_or(Value::None, Value::Seat));
                Ok(mover.unwrap_or_else(|| self.nothing_of(&of, span)))
            }
            Node::SeatNumber(of) => Ok(self.seat(of)?.map_or(Value::Unknown, |seat| Value::Number(i64::from(seat) + 1))),
            Node::Left { right, of, among } => self.beside(*right, of, among.as_ref()),
            Node::If(when, then, otherwise) => match self.truth(when)? {
                Truth::Yes => self.value(then),
                Truth::No => self.value(otherwise),
                Truth::Unknown => {
                    let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                    Ok(if then == otherwise { then } else { self.unknown(when.span) })
                }
            },
            Node::And(_)
            | Node::Or(_)
            | Node::Not(_)
            | Node::Compare(..)
            | Node::Any(..)
            | Node::Every(..)
            | Node::In(..)
            | Node::IsEmpty(_)
            | Node::IsNone(_)
            | Node::IsKnown(_)
            | Node::IsOdd(_)
            | Node::During(_)
            | Node::Has(_)
            | Node::Kept(..) => Ok(self.truth(expr)?.into()),
            Node::Minus(_) | Node::Arithmetic(..) | Node::Count(_) | Node::Sum { .. } | Node::CountOf(_) => {
                Ok(self.number(expr)?.map_or(Value::Unknown, Value::Number))
            }
            Node::Set(items) => self.set_of(items),
            Node::List(items) => self.list_of(items),
            Node::Kind(kind) => {
                let count = self.game.program.kinds.get(*kind).map_or(0, |kind| kind.members.len());
                Ok(Value::Members((0..=u8::MAX).take(count).collect()))
            }
            Node::Together(one, other) => self.join(one, other, true),
            Node::Without(one, other) => self.join(one, other, false),
            Node::Lengthened { left, right, together } => self.lengthen(left, right, *together),
            Node::Those(binder) => self.those(binder),
            Node::Extreme { highest, binder, by, order } => self.extreme(*highest, binder, by, *order),
            Node::Best { of, family, arguments } => self.best(of, *family, arguments, span),
            Node::Hand(node) => self.of_hands(node, span),
            Node::Only(of) => self.only(of, span),
            Node::FirstOf(of) => self.end_of(of, true),
            Node::LastOf(of) => self.end_of(of, false),
            Node::Cycle(items, at) => {
                let Some(at) = self.number(at)? else { return Ok(Value::Unknown) };
                let length = i64::try_from(items.len()).unwrap_or(1).max(1);
                let place = usize::try_from(at.rem_euclid(length)).unwrap_or(0);
                items.get(place).map_or(Ok(Value::Unknown), |item| self.value(item))
            }
            Node::First(query) => Ok(self.find(*query, true)?.map_or(Value::None, |(name, serial)| Value::Entry(name, serial))),
            Node::Last(query) => Ok(self.find(*query, false)?.map_or(Value::None, |(name, serial)| Value::Entry(name, serial))),
            Node::Outcome(procedure) => Ok(self.outcome(*procedure)),
            Node::Table { of, rows, otherwise, order } => {
                let of = self.value(of)?;
                if of == Value::Unknown {
                    return Ok(Value::Unknown);
                }
                for row in rows {
                    for (key, or_up) in &row.keys {
                        let key = self.value(key)?;
                        if self.same(&of, &key) == Truth::Yes || (*or_up && self.ordered(&of, Comparison::Greater, &key, *order) == Truth::Yes) {
                            return self.value(&row.value);
                        }
                    }
                }
                match otherwise {
                    Some(otherwise) => self.value(otherwise),
                    None => self.fault(FaultKind::NoRow, span),
                }
            }
            Node::It => Ok(self.it.clone()),
        }
    }

    /// What a definition comes to. It reads its arguments and the state only, so that once is enough as long as both are the same.
    fn defined(&mut self, definition: DefinitionId, arguments: &[Expr]) -> Found<Value> {
        let Some(called) = self.game.program.definitions.get(definition) else { return Ok(Value::Unknown) };
        let given = self.given(arguments)?;
        // Which rulings were read, and what is missing, is to be said each time.
        let reads = self.game.reads.definitions.get(definition).filter(|_| self.notes.is_none());
        let stamp = reads.map(|reads| self.memo.stamp(reads));
        if let Some(value) = stamp.and_then(|stamp| self.memo.definition(definition, &given, stamp)) {
            return Ok(value.clone());
        }
        let base = self.enter(&given, called.slots);
        let value = self.value(&called.value);
        self.leave(base);
        if let (Ok(value), Some(stamp)) = (&value, stamp)
            && *value != Value::Unknown
        {
            self.memo.keep_definition(definition, given, stamp, value);
        }
        value
    }

    /// The values of arguments.
    fn given(&mut self, arguments: &[Expr]) -> Found<Arguments> {
        let mut given = Arguments::new();
        for argument in arguments {
            given.push(self.value(argument)?);
        }
        Ok(given)
    }

    /// A seat; `None` if it is unknown or nobody.
    pub fn seat(&mut self, expr: &Expr) -> Found<Option<SeatId>> {
        if let Some(ready) = self.scalar(expr) {
            return Ok(if let Scalar::Seat(seat) = ready { Some(seat) } else { None });
        }
        Ok(self.value(expr)?.seat())
    }

    /// What a part of nothing is: nothing; of anything else that has no such part, unknown.
    pub(super) fn nothing_of(&mut self, of: &Value, span: Span) -> Value {
        if *of == Value::None { Value::None } else { self.unknown(span) }
    }

    pub fn attribute(&mut self, piece: PieceId, attribute: usize, span: Span) -> Value {
        if piece >= UNSEEN {
            return self.unknown(span);
        }
        let value = self.game.program.pieces.get(usize::from(piece)).and_then(|piece| piece.values.get(attribute));
        // A blank has no attributes.
        value.map_or(Value::None, |value| Value::Member(*value))
    }

    /// Opens a frame for a definition or a question; [`Eval::leave`] closes it.
    fn enter(&mut self, arguments: &[Value], slots: Slot) -> usize {
        let start = self.locals.len();
        self.locals.extend(arguments.iter().cloned());
        let wanted = start + usize::from(slots);
        if self.locals.len() < wanted {
            self.locals.resize(wanted, Value::Unknown);
        }
        std::mem::replace(&mut self.base, start)
    }

    pub fn leave(&mut self, base: usize) {
        self.locals.truncate(self.base);
        self.base = base;
    }

    /// Position of a cell; `None`: an index is unknown. Nobody has no cell.
    pub fn cell(&mut self, cells: &Cells, indices: &[Expr]) -> Found<Option<usize>> {
        if let Some(cell) = self.ready_cell(cells, indices) {
            return Ok(Some(cell));
        }
        let mut offset = 0;
        for (index, expr) in cells.indices.iter().zip(indices) {
            let at = match (index, self.value(expr)?) {
                (Index::Seat, Value::Seat(at)) | (Index::Kind(..), Value::Member(at)) => usize::from(at),
                (Index::Seat | Index::Kind(..), value) => {
                    return if value == Value::None { self.fault(FaultKind::Nobody, expr.span) } else { Ok(None) };
                }
            };
            offset = offset * index.size() + at;
        }
        Ok(Some(cells.first + offset))
    }

    fn held(&mut self, account: usize, indices: &[Expr], span: Span) -> Found<Value> {
        let holder = self.holder(account, indices)?;
        Ok(self.counted(holder, span))
    }

    fn beside(&mut self, right: bool, of: &Expr, among: Option<&Expr>) -> Found<Value> {
        let among = match among {
            None => self.state.seated,
            Some(among) => match self.seats(among)? {
                Some(seats) => seats,
                None => return Ok(Value::Unknown),
            },
        };
        let from = self.value(of)?;
        if from == Value::None {
            return self.fault(FaultKind::Nobody, of.span);
        }
        Ok(from.seat().map_or(Value::Unknown, |seat| next_seat(seat, among, right).map_or(Value::None, Value::Seat)))
    }

    fn outcome(&self, procedure: usize) -> Value {
        let frames = self.state.frames.iter().rev();
        let closed = frames.flat_map(|frame| frame.closed.iter().rev()).find(|closed| closed.procedure == procedure);
        // The outcomes of a procedure are a kind without a name, in their order.
        closed.map_or(Value::None, |closed| u8::try_from(closed.outcome).map_or(Value::Unknown, Value::Member))
    }
}

/// The next of some seats to the left (or the right), the seat itself last; nobody if there are none.
pub(super) fn next_seat(from: SeatId, among: u8, right: bool) -> Option<SeatId> {
    (1..=8).map(|away| if right { (from + 8 - away) % 8 } else { (from + away) % 8 }).find(|seat| among >> seat & 1 == 1)
}
