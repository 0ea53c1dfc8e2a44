//! What a record says before its first act, read against a program: seats, roles, what is held, how the pieces lie. Clause 5.17.

use std::collections::{BTreeMap, VecDeque};

use super::orders::{Order, Orders};
use super::state::Given as Faces;
use super::value::{Value, seats_of};
use super::words::{Given, Words, letter, nobody_sits, seat_of, settled};
use super::{Cell, Setup};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::advice::{all_of, did_you_mean, either};
use crate::rules::table::program::{Cells, Index, Life, PieceFace, PieceId, ProcedureId, SeatId, Type};
use crate::source::Span;
use crate::syntax::record_tree::{self, Act, Argument, By, Hand, Seat, Step};
use crate::syntax::sheet::{Arrangement, Sheet};
use crate::syntax::tree::{At, Name};

/// The orders that a record gives, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    waiting: VecDeque<(Order, Span)>,
    /// The line of the order that was used last.
    used: Option<Span>,
}

impl Queue {
    /// The line of the order that was used last.
    pub fn used(&self) -> Option<Span> {
        self.used
    }

    /// The first line of an order that has not been used.
    pub fn left(&self) -> Option<Span> {
        self.waiting.front().map(|(_, span)| *span)
    }
}

impl Orders for Queue {
    fn next(&mut self, _: &[PieceId]) -> Order {
        self.waiting.pop_front().map_or(Order::Unknown, |(order, span)| {
            self.used = Some(span);
            order
        })
    }
}

/// How a record begins, and its orders.
///
/// # Errors
/// Everything in it that cannot hold, each with its place.
pub fn opening(words: &Words<'_>, sheet: &Sheet) -> Result<(Setup, Queue), Vec<Diagnostic>> {
    let mut opening = Opening { words, faults: Vec::new(), seated: u8::MAX };
    let setup = opening.setup(sheet);
    let mut queue = Queue::default();
    for order in &sheet.orders {
        let read = opening.order(order);
        queue.waiting.push_back((read, order.span));
    }
    let acting = sheet.items.iter().filter_map(|item| match &item.it {
        Step::Act(Act { by: At { it: By::Seat(seat), span }, .. }) => Some(At::new(*seat, *span)),
        Step::Act(_) | Step::Agree(_) => None,
    });
    let first: BTreeMap<Seat, At<Seat>> = acting.collect::<Vec<_>>().into_iter().rev().map(|seat| (seat.it, seat)).collect();
    for seat in first.values().filter(|_| setup.is_some()) {
        opening.seat(seat);
    }
    match setup {
        Some(setup) if opening.faults.is_empty() => Ok((setup, queue)),
        Some(_) | None => Err(opening.faults),
    }
}

struct Opening<'a, 'r> {
    words: &'a Words<'r>,
    faults: Vec<Diagnostic>,
    seated: u8,
}

impl Opening<'_, '_> {
    fn setup(&mut self, sheet: &Sheet) -> Option<Setup> {
        let seats = self.seats(sheet)?;
        self.seated = u8::MAX >> (8 - seats);
        let (procedure, arguments) = self.procedure(sheet)?;
        let mut setup = Setup { seats, procedure, arguments, roles: Vec::new(), held: Vec::new() };
        for (name, seat) in &sheet.roles {
            let seat = self.seat(seat);
            let roles = &self.words.program.roles;
            match roles.iter().position(|role| role.name == name.it) {
                Some(role) => setup.roles.extend(seat.map(|seat| (role, Value::Seat(seat)))),
                None => {
                    let fault = Diagnostic::new(Code::UnknownName, format!("the rulebook has no role `{}`", name.it), name.span);
                    let names = || roles.iter().map(|role| role.name.as_str());
                    let there_is = || (!roles.is_empty()).then(|| format!("there is {}", all_of(names())));
                    self.faults.push(helped(fault, did_you_mean(&name.it, names()).or_else(there_is)));
                }
            }
        }
        for given in &sheet.given {
            if let Some(held) = self.held(given, procedure) {
                setup.held.push(held);
            }
        }
        Some(setup)
    }

    fn seats(&mut self, sheet: &Sheet) -> Option<u8> {
        let Some((least, most, _)) = &self.words.program.seats else {
            let fault = Diagnostic::without_place(Code::NoTable, "the rulebook does not say how many may sit");
            self.faults.push(fault.with_help("add a line such as `seats 4;`"));
            return None;
        };
        let (least, most) = (*least, (*most).min(8));
        let range = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        match &sheet.seats {
            Some(number) => {
                let seats = u8::try_from(number.it).ok().filter(|seats| (least.max(1)..=most).contains(seats));
                if seats.is_none() {
                    let fault = Diagnostic::new(Code::BadRecord, format!("{} cannot sit at this table", number.it), number.span);
                    self.faults.push(fault.with_help(format!("it seats {range}")));
                }
                seats
            }
            None if least == most => Some(least.max(1)),
            None => {
                let fault = Diagnostic::without_place(Code::BadRecord, format!("the record does not say how many sit, and the table seats {range}"));
                self.faults.push(fault.with_help(format!("add a line such as `seats {least}` at its beginning")));
                None
            }
        }
    }

    fn procedure(&mut self, sheet: &Sheet) -> Option<(ProcedureId, super::state::Arguments)> {
        let program = self.words.program;
        let name = |id: &ProcedureId| program.procedures.get(*id).map_or("", |procedure| procedure.name.as_str());
        let Some((wanted, arguments)) = &sheet.start else {
            return match program.roots.as_slice() {
                [root] if program.procedures.get(*root).is_some_and(|root| root.parameters.is_empty()) => Some((*root, Default::default())),
                [] => {
                    self.faults.push(Diagnostic::without_place(Code::NoTable, "the rulebook has no procedure to start with"));
                    None
                }
                roots => {
                    let message = format!("play can start with {}", either(roots.iter().map(name)));
                    let example = roots.first().map_or("", name);
                    let fault = Diagnostic::without_place(Code::BadRecord, message);
                    self.faults.push(fault.with_help(format!("say which at the beginning of the record: `start {example}`")));
                    None
                }
            };
        };
        let Some(procedure) = program.procedures.iter().position(|procedure| procedure.name == wanted.it) else {
            let fault = Diagnostic::new(Code::UnknownName, format!("the rulebook has no procedure `{}`", wanted.it), wanted.span);
            let names = program.procedures.iter().map(|procedure| procedure.name.as_str());
            self.faults.push(helped(fault, did_you_mean(&wanted.it, names)));
            return None;
        };
        let parameters = program.procedures.get(procedure).map_or(&[][..], |procedure| procedure.parameters.as_slice());
        let arguments = self.values(parameters, arguments, wanted)?;
        Some((procedure, arguments))
    }

    /// Reads arguments against types, where no table can be asked yet.
    fn values(&mut self, parameters: &[(String, Type)], written: &[At<Argument>], behind: &Name) -> Option<super::state::Arguments> {
        let wanted: Vec<(&str, &Type)> = parameters.iter().map(|(name, kind)| (name.as_str(), kind)).collect();
        let end = written.last().map_or(behind.span, |last| last.span);
        match self.words.read(&wanted, &|_| false, self.seated, written, end) {
            Ok(readings) => readings.first().and_then(|given: &Vec<Given>| settled(self.words, given)),
            Err(fault) => {
                self.faults.push(*fault);
                None
            }
        }
    }

    fn seat(&mut self, seat: &At<Seat>) -> Option<SeatId> {
        let found = seat_of(seat.it.0).filter(|found| self.seated >> found & 1 == 1);
        if found.is_none() {
            self.faults.push(nobody_sits(&seat.it.to_string(), self.seated, seat.span));
        }
        found
    }

    fn held(&mut self, given: &record_tree::Given, starts: ProcedureId) -> Option<(Cell, Value)> {
        let program = self.words.program;
        let name = given.name.it.as_str();
        let account = program.accounts.iter().find(|account| account.name == name);
        let tally = program.tallies.iter().find(|tally| tally.name == name);
        let fact = program.facts.iter().find(|fact| fact.name == name);
        let life = tally.map(|tally| tally.life).or(fact.map(|fact| fact.life));
        if life == Some(Life::Of(starts)) {
            let message = format!("`{name}` begins anew with the procedure that play starts with");
            let fault = Diagnostic::new(Code::BadRecord, message, given.name.span);
            self.faults.push(fault.with_help("start with a procedure that it outlives: `start PROCEDURE`"));
            return None;
        }
        let (cells, kind): (&Cells, &Type) = match (account, tally, fact) {
            (Some(account), _, _) => (&account.cells, &Type::Number),
            (_, Some(tally), _) => (&tally.cells, &Type::Number),
            (_, _, Some(fact)) => (&fact.cells, &fact.kind),
            (None, None, None) => {
                let message = format!("the rulebook has no account, tally or fact `{name}`");
                let names = program.accounts.iter().map(|of| of.name.as_str());
                let names = names.chain(program.tallies.iter().map(|of| of.name.as_str())).chain(program.facts.iter().map(|of| of.name.as_str()));
                self.faults.push(helped(Diagnostic::new(Code::UnknownName, message, given.name.span), did_you_mean(name, names)));
                return None;
            }
        };
        let joint = account.is_some_and(|account| account.joint);
        let of = |index: &Index| if joint { kind_of(*index).maybe() } else { kind_of(*index) };
        let indices: Vec<(String, Type)> = cells.indices.iter().map(|index| ("of".to_owned(), of(index))).collect();
        // Of a joint account without a seat: nobody's share.
        let nobody = joint && given.index.is_empty();
        let index = if nobody { Default::default() } else { self.values(&indices, &given.index, &given.name)? };
        let value = self.values(&[("value".to_owned(), kind.clone())], &given.value, &given.name)?.into_iter().next()?;
        let offset = cells.indices.iter().zip(&index).fold(0, |offset, (index, value)| offset * index.size() + place(value));
        let nobody = nobody || joint && index.first() == Some(&Value::None);
        let at = if nobody { cells.first + cells.count() } else { cells.first + offset };
        let cell = if account.is_some() {
            Cell::Account(at)
        } else if tally.is_some() {
            Cell::Tally(at)
        } else {
            Cell::Fact(at)
        };
        Some((cell, value))
    }

    fn order(&mut self, order: &Arrangement) -> Order {
        let mut laid = Laid::default();
        if let Some(whole) = &order.whole {
            let pieces = self.cards(whole, &mut laid);
            self.not_too_many(&laid, order.span);
            return Order::Deck(pieces);
        }
        let mut faces = Faces { hands: vec![Vec::new(); 8], rest: Vec::new() };
        for (seat, hand) in &order.hands {
            let seat = self.seat(seat);
            let cards = self.cards(hand, &mut laid);
            if let Some(place) = seat.and_then(|seat| faces.hands.get_mut(usize::from(seat))) {
                *place = cards;
            }
        }
        if let Some(rest) = &order.rest {
            faces.rest = self.cards(rest, &mut laid);
        }
        self.not_too_many(&laid, order.span);
        Order::Hands(faces)
    }

    fn not_too_many(&mut self, laid: &Laid, span: Span) {
        let held = self.words.program.pieces.len();
        if laid.count > held {
            let message = format!("these are {} pieces, and the pack in use holds {held}", laid.count);
            self.faults
                .push(Diagnostic::new(Code::BadRecord, message, span).with_help("leave out what was not there; what nobody saw need not be named"));
        }
    }

    /// The pieces of a hand: each written one is a different one.
    fn cards(&mut self, hand: &Hand, laid: &mut Laid) -> Vec<Option<PieceId>> {
        let mut pieces = Vec::new();
        for card in &hand.cards {
            laid.count += 1;
            let face = match self.words.any_card(&card.it.written.to_string(), card.span) {
                Ok(face) => face,
                Err(fault) => {
                    self.faults.push(*fault);
                    continue;
                }
            };
            let Some((kind, face)) = face else {
                pieces.push(None);
                continue;
            };
            let piece = self.words.copies(kind, face).find(|piece| !laid.used.iter().any(|(_, other, _)| other == piece));
            match piece {
                Some(piece) => {
                    laid.used.push(((kind, face), piece, card.span));
                    pieces.push(Some(piece));
                }
                None => {
                    let copies = self.words.copies(kind, face).count();
                    let message = match copies {
                        0 => format!("the pack in use holds no `{}`", card.it.written),
                        1 => format!("`{}` stands here twice, and the pack holds one", card.it.written),
                        _ => format!("`{}` stands here {} times, and the pack holds {copies}", card.it.written, copies + 1),
                    };
                    let code = if copies == 0 { Code::NotInPack } else { Code::DuplicateCard };
                    let fault = Diagnostic::new(code, message, card.span);
                    let before = laid.used.iter().filter(|(of, _, _)| *of == (kind, face)).map(|(_, _, span)| *span);
                    self.faults.push(before.take(3).fold(fault, |fault, span| fault.with_label(span, "here already")));
                }
            }
        }
        pieces
    }
}

/// What an order has named so far.
#[derive(Debug, Default)]
struct Laid {
    used: Vec<((usize, PieceFace), PieceId, Span)>,
    count: usize,
}

fn helped(fault: Diagnostic, help: Option<String>) -> Diagnostic {
    match help {
        Some(help) => fault.with_help(help),
        None => fault,
    }
}

fn kind_of(index: Index) -> Type {
    match index {
        Index::Seat => Type::Seat,
        Index::Kind(kind, _) => Type::Member(kind),
    }
}

/// Where a seat or a member stands among the cells of its index.
fn place(value: &Value) -> usize {
    value.seat().or_else(|| value.member()).map_or(0, usize::from)
}

/// `A, B and C`
pub(super) fn seats_in_words(mask: u8) -> String {
    let letters: Vec<String> = seats_of(mask).map(|seat| letter(seat).to_string()).collect();
    match letters.split_last() {
        None => "nobody".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
