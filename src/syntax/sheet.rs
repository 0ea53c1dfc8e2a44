//! A record in order: what stands before the first act, the orders of the pack, the acts.
//!
//! Whoever plays a record reads it from here, and so does whoever makes one otherwise (a case, a program). Nothing is known of any rulebook.

use super::record_tree::{Argument, Given, Hand, Line, Record, Seat, Step};
use super::tree::{At, Expr, Name, Number};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A whole record, its lines sorted by what they are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    pub rules: Rules,
    /// `seats 4`
    pub seats: Option<Number>,
    /// `start play A`
    pub start: Option<(Name, Vec<At<Argument>>)>,
    /// `dealer A`, `role banker B`
    pub roles: Vec<(Name, At<Seat>)>,
    pub given: Vec<Given>,
    /// Each is used up where an order of the pieces is looked at for the first time.
    pub orders: Vec<Arrangement>,
    /// Acts, events and agreements. The first is number 1.
    pub items: Vec<At<Step>>,
}

/// Which rules a record was played under.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub rulebook: Option<Name>,
    pub house: Option<Name>,
    pub with: Vec<Name>,
    pub set: Vec<(Name, Expr)>,
    pub choose: Vec<(Name, Name)>,
}

/// One order of the pieces: `deck: …`, or `deal A: …`, `deal B: …` and `stock: …`. Clause 5.17.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The whole, from the top.
    pub whole: Option<Hand>,
    /// By seat, in the order in which they reach it.
    pub hands: Vec<(At<Seat>, Hand)>,
    /// What is left when every seat has its own.
    pub rest: Option<Hand>,
    /// Its first line.
    pub span: Span,
}

impl Sheet {
    /// Sorts the lines of a record.
    pub fn of(record: &Record) -> (Sheet, Vec<Diagnostic>) {
        let mut sorting = Sorting::default();
        for line in &record.lines {
            sorting.line(line);
        }
        (sorting.sheet, sorting.faults)
    }
}

#[derive(Debug, Default)]
struct Sorting {
    sheet: Sheet,
    faults: Vec<Diagnostic>,
    /// An order is being given, line by line.
    arranging: bool,
}

impl Sorting {
    fn line(&mut self, line: &At<Line>) {
        let sheet = &mut self.sheet;
        let heading = match &line.it {
            Line::Deal { .. } | Line::Deck(_) | Line::Stock(_) => return self.order(line),
            Line::Step(step) => {
                self.arranging = false;
                sheet.items.push(At::new(step.clone(), line.span));
                return;
            }
            Line::Rulebook(name) => once(&mut sheet.rules.rulebook, name.clone()),
            Line::House(name) => once(&mut sheet.rules.house, name.clone()),
            Line::Seats(number) => once(&mut sheet.seats, number.clone()),
            Line::Start { procedure, arguments } => once(&mut sheet.start, (procedure.clone(), arguments.clone())),
            Line::With(name) => more(&mut sheet.rules.with, name.clone()),
            Line::Set { name, value } => more(&mut sheet.rules.set, (name.clone(), value.clone())),
            Line::Choose { option, branch } => more(&mut sheet.rules.choose, (option.clone(), branch.clone())),
            Line::Given(given) => more(&mut sheet.given, given.clone()),
            Line::Dealer(seat) => {
                let name = line.span;
                Self::role(sheet, Name::new("dealer".to_owned(), name), seat.clone())
            }
            Line::Role { role, seat } => Self::role(sheet, role.clone(), seat.clone()),
        };
        if !heading {
            self.faults.push(Diagnostic::new(Code::BadRecord, "this is said already", line.span).with_help("leave one of the two out"));
        } else if !self.sheet.items.is_empty() {
            let fault = Diagnostic::new(Code::BadRecord, "this must be known before play begins", line.span);
            self.faults.push(fault.with_help("put it above the first act"));
        }
    }

    fn role(sheet: &mut Sheet, role: Name, seat: At<Seat>) -> bool {
        !sheet.roles.iter().any(|(other, _)| other.it == role.it) && more(&mut sheet.roles, (role, seat))
    }

    /// A line that says how the pieces lie: of the order that is being given, or the first of a new one. `stock` is the last line of an order.
    fn order(&mut self, line: &At<Line>) {
        let orders = &mut self.sheet.orders;
        let fits = self.arranging
            && orders.last().is_some_and(|order| {
                let of_hands = if let Line::Deal { seat, .. } = &line.it {
                    order.rest.is_none() && !order.hands.iter().any(|(other, _)| other.it == seat.it)
                } else {
                    matches!(line.it, Line::Stock(_)) && order.rest.is_none()
                };
                order.whole.is_none() && of_hands
            });
        if !fits {
            orders.push(Arrangement { whole: None, hands: Vec::new(), rest: None, span: line.span });
        }
        self.arranging = true;
        let Some(order) = orders.last_mut() else { return };
        if let Line::Deal { seat, cards } = &line.it {
            order.hands.push((seat.clone(), cards.clone()));
        } else if let Line::Deck(cards) = &line.it {
            order.whole = Some(cards.clone());
        } else if let Line::Stock(cards) = &line.it {
            order.rest = Some(cards.clone());
        }
    }
}

/// Whether it is the first of its sort.
fn once<T>(place: &mut Option<T>, value: T) -> bool {
    let first = place.is_none();
    place.get_or_insert(value);
    first
}

fn more<T>(list: &mut Vec<T>, value: T) -> bool {
    list.push(value);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;
    use crate::syntax::record::record;

    fn sheet(text: &str) -> (Sheet, Vec<String>) {
        let (record, faults) = record(FileId(0), text);
        assert_eq!(faults, []);
        let (sheet, faults) = Sheet::of(&record);
        (sheet, faults.into_iter().map(|fault| fault.message).collect())
    }

    #[test]
    fn lines_that_follow_one_another_give_one_order() {
        let (sheet, faults) = sheet("deal A: Ah\ndealer A\ndeal B: Kh\nstock: 2c\ndeal C: 3c\nA: pass\ndeal B: 4c\ndeck: 5c\ndeck: 6c\n");
        let told: Vec<(usize, bool, bool)> =
            sheet.orders.iter().map(|order| (order.hands.len(), order.whole.is_some(), order.rest.is_some())).collect();
        assert_eq!(told, [(2, false, true), (1, false, false), (1, false, false), (0, true, false), (0, true, false)]);
        assert_eq!(faults, Vec::<String>::new());
    }

    #[test]
    fn what_play_begins_with_is_said_once_and_first() {
        let (_, faults) = sheet("seats 4\ndealer A\nrole dealer B\nA: pass\nseats 3\nstart play\n");
        assert_eq!(faults, ["this is said already", "this is said already", "this must be known before play begins"]);
    }
}
