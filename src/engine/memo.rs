//! What definitions, questions and conditions came to, for as long as nothing changes that they read: parts of the state, and their arguments.
//!
//! It is no part of the position: two states are equal whatever was worked out in them, and a copy begins with nothing.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;

use super::reads::{Part, Reads};
use super::state::Arguments;
use super::value::{Truth, Value};
use crate::rules::table::program::{DefinitionId, QuestionId, RuleId, SeatId};

#[derive(Debug, Default)]
pub(super) struct Memo {
    /// Counts the changes of the state of which nobody says what they change.
    changes: u64,
    /// Counts all changes.
    total: u64,
    /// Counts the changes of each part.
    parts: Vec<u64>,
    /// By number of a condition: when it was worked out, and what it came to.
    conditions: Vec<Option<(u64, Truth)>>,
    definitions: Answers,
    questions: Answers,
    standing: Vec<Standing>,
}

/// What definitions, or questions, came to, by their numbers.
#[derive(Debug, Default)]
struct Answers {
    /// With the arguments that it was asked with last.
    last: Vec<Option<Kept>>,
    /// Of those that are asked of a seat alone.
    of_seats: Vec<Option<Box<OfSeats>>>,
}

/// For each seat when it was worked out, and what it came to.
type OfSeats = [Option<(u64, Value)>; 8];

#[derive(Debug)]
struct Kept {
    stamp: u64,
    arguments: Arguments,
    value: Value,
}

impl Answers {
    fn find(&self, number: usize, arguments: &[Value], stamp: u64) -> Option<&Value> {
        if let [Value::Seat(seat)] = arguments {
            return self.of(number, *seat, stamp);
        }
        let kept = self.last.get(number)?.as_ref()?;
        (kept.stamp == stamp && kept.arguments.as_slice() == arguments).then_some(&kept.value)
    }

    fn of(&self, number: usize, seat: SeatId, stamp: u64) -> Option<&Value> {
        let (kept, value) = self.of_seats.get(number)?.as_ref()?.get(usize::from(seat))?.as_ref()?;
        (*kept == stamp).then_some(value)
    }

    /// Without an argument, or of a seat alone.
    fn ready(&self, number: usize, of: Option<SeatId>, stamp: u64) -> Option<&Value> {
        match of {
            Some(seat) => self.of(number, seat, stamp),
            None => self.find(number, &[], stamp),
        }
    }

    fn keep(&mut self, number: usize, arguments: Arguments, stamp: u64, value: &Value) {
        if let [Value::Seat(seat)] = arguments.as_slice() {
            if self.of_seats.len() <= number {
                self.of_seats.resize_with(number + 1, || None);
            }
            let seats = self.of_seats.get_mut(number).map(|seats| seats.get_or_insert_with(Box::default));
            if let Some(kept) = seats.and_then(|seats| seats.get_mut(usize::from(*seat))) {
                *kept = Some((stamp, value.clone()));
            }
            return;
        }
        if self.last.len() <= number {
            self.last.resize_with(number + 1, || None);
        }
        if let Some(kept) = self.last.get_mut(number) {
            *kept = Some(Kept { stamp, arguments, value: value.clone() });
        }
    }
}

/// A question with its arguments, and the rules that stand on it.
#[derive(Debug)]
struct Standing {
    stamp: u64,
    question: QuestionId,
    arguments: Arguments,
    rules: SmallVec<[RuleId; 2]>,
}

/// So many decisions are remembered at once.
const MOST_STANDING: usize = 8;

impl Memo {
    /// Something changed that an expression may read: whatever was worked out holds no longer.
    pub fn changed(&mut self) {
        self.changes += 1;
        self.total += 1;
    }

    /// Something changed in one part of the state.
    pub fn changed_in(&mut self, part: Option<Part>) {
        let Some(part) = part.map(usize::from) else { return self.changed() };
        if self.parts.len() <= part {
            self.parts.resize(part + 1, 0);
        }
        if let Some(changes) = self.parts.get_mut(part) {
            *changes += 1;
        }
        self.total += 1;
    }

    /// A number that grows whenever something changes that is read.
    pub fn stamp(&self, reads: &Reads) -> u64 {
        match reads {
            Reads::All => self.total,
            Reads::These(parts) => parts.iter().fold(self.changes, |sum, part| sum + self.parts.get(usize::from(*part)).copied().unwrap_or(0)),
        }
    }

    pub fn condition(&self, number: usize, stamp: u64) -> Option<Truth> {
        let (kept, truth) = (*self.conditions.get(number)?)?;
        (kept == stamp).then_some(truth)
    }

    pub fn keep_condition(&mut self, number: usize, stamp: u64, truth: Truth) {
        if self.conditions.len() <= number {
            self.conditions.resize(number + 1, None);
        }
        if let Some(kept) = self.conditions.get_mut(number) {
            *kept = Some((stamp, truth));
        }
    }

    pub fn definition(&self, definition: DefinitionId, arguments: &[Value], stamp: u64) -> Option<&Value> {
        self.definitions.find(definition, arguments, stamp)
    }

    /// What a definition came to without an argument, or of a seat alone.
    pub fn ready_definition(&self, definition: DefinitionId, of: Option<SeatId>, stamp: u64) -> Option<&Value> {
        self.definitions.ready(definition, of, stamp)
    }

    pub fn keep_definition(&mut self, definition: DefinitionId, arguments: Arguments, stamp: u64, value: &Value) {
        self.definitions.keep(definition, arguments, stamp, value);
    }

    pub fn question(&self, question: QuestionId, arguments: &[Value], stamp: u64) -> Option<&Value> {
        self.questions.find(question, arguments, stamp)
    }

    /// What a question came to without an argument, or of a seat alone.
    pub fn ready_question(&self, question: QuestionId, of: Option<SeatId>, stamp: u64) -> Option<&Value> {
        self.questions.ready(question, of, stamp)
    }

    pub fn keep_question(&mut self, question: QuestionId, arguments: Arguments, stamp: u64, value: &Value) {
        self.questions.keep(question, arguments, stamp, value);
    }

    /// The rules that stood on a question whose arguments are the same wherever `reads` has a one.
    pub fn standing(&self, question: QuestionId, arguments: &[Value], reads: u64, stamp: u64) -> Option<SmallVec<[RuleId; 2]>> {
        let read = |at: usize| reads >> at.min(63) & 1 == 1;
        let same = |known: &Standing| known.arguments.iter().zip(arguments).enumerate().all(|(at, (one, other))| !read(at) || one == other);
        let known = self.standing.iter().find(|known| known.question == question && known.stamp == stamp && same(known))?;
        Some(known.rules.clone())
    }

    pub fn keep_standing(&mut self, question: QuestionId, arguments: Arguments, stamp: u64, rules: SmallVec<[RuleId; 2]>) {
        self.standing.retain(|known| known.question != question || known.stamp == stamp);
        if self.standing.len() >= MOST_STANDING {
            self.standing.remove(0);
        }
        self.standing.push(Standing { stamp, question, arguments, rules });
    }
}

impl Clone for Memo {
    fn clone(&self) -> Memo {
        Memo::default()
    }
}

impl PartialEq for Memo {
    fn eq(&self, _: &Memo) -> bool {
        true
    }
}

impl Eq for Memo {}

impl Hash for Memo {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
