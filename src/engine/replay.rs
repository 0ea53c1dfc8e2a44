//! A whole record, item by item. Clauses 5.3, 5.7, 5.17 and 5.18.
//!
//! [`replay`] plays everything; [`Replay`] is the same for whoever wants to look in between. Each [`Step`] says what was done by default, what the
//! item did, all that happened, and how the table stood then.

use super::complaints::{Complaining, forbidding, name_of};
use super::game::Game;
use super::ruling::{Outcome, Ruling};
use super::search::{Doing, Sight, readable, sight};
use super::sheet::{Queue, opening, seats_in_words};
use super::state::{Arguments, State, Stop};
use super::stops::{Act, Choice};
use super::trace::Note;
use super::trouble::{Trouble, Unruled};
use super::value::{Truth, Value};
use super::words::{Words, settled};
use super::{Mode, Refused, Setup};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::advice::did_you_mean;
use crate::rules::table::program::{NameId, QuestionId, SeatId, Type};
use crate::source::Span;
use crate::syntax::record_tree::{self as written, Agreement};
use crate::syntax::sheet::Sheet;
use crate::syntax::tree::At;

/// Duties and pauses done by default for one item, before a rulebook is stopped as a runaway.
pub(super) const MOST_DEFAULTS: usize = 10_000;

/// What a record came to.
#[derive(Clone, Debug)]
pub struct Played {
    /// The opening; one for each item, in the order in which they were done; the end, if it was reached.
    pub steps: Vec<Step>,
    /// Errors, at the first of which the record is left, and warnings.
    pub faults: Vec<Diagnostic>,
}

/// What one item of a record did.
#[derive(Clone, Debug)]
pub struct Step {
    pub what: Item,
    /// Duties and pauses on the way to it, and play from the opening.
    pub before: Vec<Done>,
    /// The item itself. Nothing at the opening, at the end, and where it was refused.
    pub done: Option<Done>,
    pub refused: Option<Refusal>,
    /// How the table stands behind it.
    pub state: State,
}

/// What a step is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Play begins, and goes on to the first stop.
    Opening,
    /// An item of the record by its number, from 1.
    Number(usize, Span),
    /// The record has ended: what nobody has to choose was done.
    End,
}

/// Something that was done, and everything that happened until the next stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    pub deed: Deed,
    pub by_default: bool,
    pub notes: Vec<Note>,
    /// Of an irregular act: the questions that forbid it, as they were ruled on.
    pub forbidden: Vec<Ruling>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Play began.
    Began,
    /// An act, an event or a right.
    Act { name: NameId, by: Option<SeatId>, arguments: Arguments },
    /// A duty was left undone; the breach.
    Undone { breach: NameId, by: Option<SeatId> },
    /// A pause was passed.
    Paused,
    /// `agree Q = V`
    Agreed { question: QuestionId, arguments: Vec<Value>, value: Value },
}

/// An irregular act in mode *prevent*. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub name: NameId,
    pub by: Option<SeatId>,
    pub arguments: Arguments,
    /// What it would have been.
    pub breach: Option<NameId>,
    pub rulings: Vec<Ruling>,
    /// The record marks it.
    pub expected: bool,
}

/// Who may do what next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Seats that are waited for, as a mask; nobody at a pause, at the end, and at the table's own duty.
    pub waiting: u8,
    /// The stop is a duty, which is done by default.
    pub duty: bool,
    pub choices: Vec<Choice>,
    pub rights: Vec<Choice>,
    pub events: Vec<Choice>,
}

/// Who may do what where a state stands.
///
/// # Errors
/// Trouble in the rulebook while it is worked out.
pub fn standing(game: &Game, state: &State) -> Result<Standing, Trouble> {
    Ok(Standing {
        waiting: super::waiting(game, state)?,
        duty: super::is_duty(game, state),
        choices: super::offers(game, state)?,
        rights: super::rights(game, state)?,
        events: super::events(game, state)?,
    })
}

/// Plays a record to its end.
pub fn replay(game: &Game, words: &Words<'_>, sheet: &Sheet, mode: Mode) -> Played {
    let (setup, queue) = match opening(words, sheet) {
        Ok(opened) => opened,
        Err(faults) => return Played { steps: Vec::new(), faults },
    };
    let order = match in_order(sheet) {
        Ok(order) => order,
        Err(fault) => return Played { steps: Vec::new(), faults: vec![fault] },
    };
    let (mut replay, first) = Replay::open(game, *words, &setup, queue, mode);
    let mut played = Played { steps: vec![first], faults: Vec::new() };
    for (number, pinned) in order {
        let Some(item) = number.checked_sub(1).and_then(|at| sheet.items.get(at)) else { continue };
        match replay.item(number, item, pinned) {
            Ok(step) => played.steps.push(step),
            Err(fault) => {
                played.faults.push(*fault);
                return played;
            }
        }
    }
    match replay.end() {
        Ok(step) => played.steps.push(step),
        Err(fault) => played.faults.push(*fault),
    }
    if let Some(span) = replay.queue.left() {
        let fault = Diagnostic::new(Code::UnusedOrder, "nothing was arranged for which this order could serve", span);
        played.faults.push(fault);
    }
    if let (Some(span), Some(seats)) = (replay.queue.used(), replay.state.given_to()) {
        let message = format!("{} came to fewer pieces than this order gives", seats_in_words(seats));
        let help = "leave out what nobody received, or play on to where somebody does";
        played.faults.push(Diagnostic::new(Code::UnusedOrder, message, span).with_help(help));
    }
    played
}

/// Numbers of the items in the order in which they are done, and whether each is pinned to the stop behind the one before it. Clause 5.7.
pub(super) fn in_order(sheet: &Sheet) -> Result<Vec<(usize, bool)>, Diagnostic> {
    let mut order: Vec<(usize, bool)> = Vec::new();
    for (at, item) in sheet.items.iter().enumerate() {
        let number = at + 1;
        let after = match &item.it {
            written::Step::Act(act) => act.after.as_ref(),
            written::Step::Agree(_) => None,
        };
        let Some(after) = after else {
            order.push((number, false));
            continue;
        };
        let behind = usize::try_from(after.it).ok().filter(|behind| *behind < number);
        let Some(behind) = behind else {
            let message = format!("this is item {number}, which cannot stand behind item {}", after.it);
            return Err(Diagnostic::new(Code::BadRecord, message, after.span).with_help("items are counted from 1, in the order of the record"));
        };
        // Behind that item, and behind those that are pinned there already.
        let from = order.iter().position(|(other, _)| *other == behind).map_or(0, |at| at + 1);
        let pinned = order.iter().skip(from).take_while(|(other, pinned)| *pinned && *other > behind).count();
        order.insert(from + pinned, (number, true));
    }
    Ok(order)
}

/// A record being played.
#[derive(Clone, Debug)]
pub struct Replay<'g> {
    game: &'g Game,
    words: Words<'g>,
    mode: Mode,
    state: State,
    queue: Queue,
}

impl<'g> Replay<'g> {
    /// Opens a table and goes on to the first stop.
    pub fn open(game: &'g Game, words: Words<'g>, setup: &Setup, mut queue: Queue, mode: Mode) -> (Replay<'g>, Step) {
        let mut notes = Vec::new();
        let state = super::start(game, setup, &mut queue, Some(&mut notes));
        let done = Done { deed: Deed::Began, by_default: true, notes, forbidden: Vec::new() };
        let step = Step { what: Item::Opening, before: vec![done], done: None, refused: None, state: state.clone() };
        (Replay { game, words, mode, state, queue }, step)
    }

    /// How the table stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Does an item at the earliest stop where it is possible and what the record says it is.
    ///
    /// # Errors
    /// There is none: what stands in the way.
    pub fn item(&mut self, number: usize, item: &At<written::Step>, pinned: bool) -> Result<Step, Box<Diagnostic>> {
        let what = Item::Number(number, item.span);
        match &item.it {
            written::Step::Agree(agreement) => {
                let done = self.agree(agreement)?;
                Ok(Step { what, before: Vec::new(), done: Some(done), refused: None, state: self.state.clone() })
            }
            written::Step::Act(act) => {
                readable(self.game, &self.words, act, self.state.seated())?;
                let text = item.it.to_string();
                self.act(what, (item.span, &text), act, pinned)
            }
        }
    }

    fn complaining<'a>(&'a self, item: Option<(Span, &'a str)>) -> Complaining<'a> {
        Complaining { game: self.game, words: &self.words, state: &self.state, item }
    }

    fn act(&mut self, what: Item, item: (Span, &str), act: &written::Act, pinned: bool) -> Result<Step, Box<Diagnostic>> {
        let mut before = Vec::new();
        // Where it was first possible, and not what the record says it is.
        let mut near = None;
        loop {
            self.is_on(Some(item))?;
            if self.state.stop == Stop::Over {
                return Err(Box::new(near.unwrap_or_else(|| self.complaining(Some(item)).nowhere(pinned))));
            }
            match sight(self.game, &self.state, &self.words, act).map_err(|trouble| Box::new(self.complaining(Some(item)).trouble(&trouble)))? {
                Sight::Fits(doing) => return self.take(what, item, doing, act.breach.is_some(), before),
                Sight::Otherwise(done, breach, regular) => {
                    if self.mode == Mode::Prevent && act.breach.is_none() && regular == Truth::No && !super::is_duty(self.game, &self.state) {
                        return self.take(what, item, Doing::Act(done, breach), false, before);
                    }
                    let mark = act.breach.as_ref().map(|breach| breach.it.as_str());
                    near.get_or_insert_with(|| self.complaining(Some(item)).otherwise(&done, breach, regular, mark));
                }
                Sight::Nothing => {}
            }
            if pinned {
                return Err(Box::new(near.unwrap_or_else(|| self.complaining(Some(item)).nowhere(pinned))));
            }
            match self.by_default(Some(item), before.len())? {
                Some(done) => before.push(done),
                None => return Err(Box::new(near.unwrap_or_else(|| self.complaining(Some(item)).needs_a_move()))),
            }
        }
    }

    /// Does what was found, or has it refused.
    fn take(&mut self, what: Item, item: (Span, &str), doing: Doing, expected: bool, before: Vec<Done>) -> Result<Step, Box<Diagnostic>> {
        let mut notes = Vec::new();
        let (deed, forbidden) = match doing {
            // To leave a duty undone is a breach like others.
            Doing::Undone(by, breach) if self.mode == Mode::Prevent => {
                let refusal = Refusal { name: breach, by, arguments: Arguments::new(), breach: Some(breach), rulings: Vec::new(), expected };
                return Ok(Step { what, before, done: None, refused: Some(refusal), state: self.state.clone() });
            }
            Doing::Undone(by, breach) => {
                if super::leave_undone(self.game, &mut self.state, by, breach, &mut self.queue, Some(&mut notes)).is_err() {
                    return Err(Box::new(self.complaining(Some(item)).nowhere(true)));
                }
                (Deed::Undone { breach, by }, Vec::new())
            }
            Doing::Act(act, breach) => {
                let Some(name) = name_of(self.game, &self.state, &act) else { return Err(Box::new(self.complaining(Some(item)).nowhere(true))) };
                let forbidden = if breach.is_some() { forbidding(self.game, &self.state, &act) } else { Vec::new() };
                let Act { by, arguments, .. } = act.clone();
                match super::act(self.game, &mut self.state, &act, breach, self.mode, &mut self.queue, Some(&mut notes)) {
                    Ok(()) => (Deed::Act { name, by, arguments }, forbidden),
                    Err(Refused::Irregular { breach, .. }) => {
                        let refusal = Refusal { name, by, arguments, breach, rulings: forbidden, expected };
                        return Ok(Step { what, before, done: None, refused: Some(refusal), state: self.state.clone() });
                    }
                    Err(Refused::Impossible) => return Err(Box::new(self.complaining(Some(item)).nowhere(true))),
                    Err(Refused::Trouble(trouble)) => return Err(Box::new(self.complaining(Some(item)).trouble(&trouble))),
                }
            }
        };
        let done = Done { deed, by_default: false, notes, forbidden };
        Ok(Step { what, before, done: Some(done), refused: None, state: self.state.clone() })
    }

    /// Play can go on from here, or is over.
    fn is_on(&self, item: Option<(Span, &str)>) -> Result<(), Box<Diagnostic>> {
        match &self.state.stop {
            Stop::Offer | Stop::Pause | Stop::Over => Ok(()),
            Stop::NeedsRuling(unruled) => Err(Box::new(self.complaining(item).unruled(unruled))),
            Stop::Stuck(fault) => Err(Box::new(self.complaining(item).fault(fault))),
        }
    }

    /// Passes a pause or does a duty; nothing where somebody must choose.
    fn by_default(&mut self, item: Option<(Span, &str)>, done: usize) -> Result<Option<Done>, Box<Diagnostic>> {
        if done >= MOST_DEFAULTS {
            let message = format!("{MOST_DEFAULTS} duties were done, and nobody had to choose");
            let fault =
                item.map_or_else(|| Diagnostic::without_place(Code::Runaway, &message), |(span, _)| Diagnostic::new(Code::Runaway, &message, span));
            return Err(Box::new(fault));
        }
        let mut notes = Vec::new();
        let deed = match &self.state.stop {
            Stop::Over | Stop::NeedsRuling(_) | Stop::Stuck(_) => return Ok(None),
            Stop::Pause => {
                let _ = super::go_on(self.game, &mut self.state, &mut self.queue, Some(&mut notes));
                Deed::Paused
            }
            Stop::Offer => {
                let complain = |trouble: &Trouble| Box::new(self.complaining(item).trouble(trouble));
                let Some(choice) = super::default(self.game, &self.state).map_err(|trouble| complain(&trouble))? else { return Ok(None) };
                let Some(name) = name_of(self.game, &self.state, &choice.act) else { return Ok(None) };
                let done = super::act(self.game, &mut self.state, &choice.act, None, Mode::Adjudicate, &mut self.queue, Some(&mut notes));
                match done {
                    Ok(()) => Deed::Act { name, by: choice.act.by, arguments: choice.act.arguments },
                    Err(Refused::Trouble(trouble)) => return Err(Box::new(self.complaining(item).trouble(&trouble))),
                    Err(Refused::Impossible | Refused::Irregular { .. }) => return Ok(None),
                }
            }
        };
        Ok(Some(Done { deed, by_default: true, notes, forbidden: Vec::new() }))
    }

    /// The record has ended: duties and pauses up to the first offer. Clause 5.18.
    ///
    /// # Errors
    /// Play cannot go on.
    pub fn end(&mut self) -> Result<Step, Box<Diagnostic>> {
        let mut before = Vec::new();
        loop {
            self.is_on(None)?;
            match self.by_default(None, before.len())? {
                Some(done) => before.push(done),
                None => return Ok(Step { what: Item::End, before, done: None, refused: None, state: self.state.clone() }),
            }
        }
    }

    /// The question at which play stands still for want of an answer.
    pub fn unruled(&self) -> Option<&Unruled> {
        match &self.state.stop {
            Stop::NeedsRuling(unruled) => Some(unruled),
            Stop::Offer | Stop::Pause | Stop::Over | Stop::Stuck(_) => None,
        }
    }

    /// An agreement counts where the book has no answer (6.8); where it has one, the record is told so.
    fn open_to(&self, question: QuestionId, arguments: &[Value], agreement: &Agreement) -> Result<(), Box<Diagnostic>> {
        let Some(asked) = self.game.program.questions.get(question) else { return Ok(()) };
        let awaited = self.unruled().is_some_and(|unruled| unruled.question == question);
        if awaited || arguments.len() != asked.parameters.len() {
            return Ok(());
        }
        let Ok(ruling) = super::answer(self.game, &self.state, question, arguments) else { return Ok(()) };
        let (Outcome::Value(value) | Outcome::Otherwise(value)) = &ruling.outcome else { return Ok(()) };
        let rules: Vec<&crate::rules::table::program::Rule> = ruling.by.iter().filter_map(|rule| self.game.program.rules.get(*rule)).collect();
        let names = crate::rules::advice::all_of(rules.iter().map(|rule| rule.name.as_str()));
        let by = if rules.is_empty() { "its `otherwise`".to_owned() } else { names };
        let value = self.words.value(value, &asked.answer);
        let message = format!("`{}` has an answer here, {value}, by {by}: nothing can be agreed on it", asked.name);
        let fault = Diagnostic::new(Code::BadRecord, message, agreement.question.span);
        let fault = rules.first().into_iter().fold(fault, |fault, rule| fault.with_label(rule.from.span, "answered here"));
        Err(Box::new(fault.with_help("take the line out, or let it stand where play waits for that answer")))
    }

    fn agree(&mut self, agreement: &Agreement) -> Result<Done, Box<Diagnostic>> {
        let program = &self.game.program;
        let name = &agreement.question;
        let Some(question) = self.game.question(&name.it) else {
            let fault = Diagnostic::new(Code::UnknownName, format!("the rulebook has no question `{}`", name.it), name.span);
            let near = did_you_mean(&name.it, program.questions.iter().map(|question| question.name.as_str()));
            return Err(Box::new(match near {
                Some(near) => fault.with_help(near),
                None => fault,
            }));
        };
        let Some(asked) = program.questions.get(question) else { return Err(Box::new(Diagnostic::new(Code::UnknownName, "no question", name.span))) };
        let read = |wanted: &[(&str, &Type)], given: &[At<written::Argument>]| {
            let end = given.last().map_or(name.span, |last| last.span);
            let readings = self.words.read(wanted, &|_| false, self.state.seated(), given, end)?;
            Ok::<Vec<Value>, Box<Diagnostic>>(readings.first().and_then(|given| settled(&self.words, given)).unwrap_or_default().to_vec())
        };
        let parameters: Vec<(&str, &Type)> = asked.parameters.iter().map(|(name, kind)| (name.as_str(), kind)).collect();
        let arguments = if agreement.arguments.is_empty() { Vec::new() } else { read(&parameters, &agreement.arguments)? };
        let value = read(&[("the answer", &asked.answer)], &agreement.value)?.into_iter().next().unwrap_or(Value::Unknown);
        self.open_to(question, &arguments, agreement)?;
        let mut notes = Vec::new();
        super::agree(self.game, &mut self.state, question, arguments.clone(), value.clone(), &mut self.queue, Some(&mut notes));
        Ok(Done { deed: Deed::Agreed { question, arguments, value }, by_default: false, notes, forbidden: Vec::new() })
    }
}
