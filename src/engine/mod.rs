//! A table in play: pure functions over one flat state.
//!
//! In reading order: [`Value`]s; a [`State`]; a [`Game`], which is a program made ready; expressions and the one surviving answer (`eval`);
//! scripts step by step (`machine`), what their statements do (`deeds`), events and their rules (`hooks`); what can be done at a stop (`stops`)
//! and its doing (`apply`). [`start`] opens a table, [`offers`] and [`rights`] say who may do what, [`apply`] does it, [`view`] is what a seat
//! may know, [`answer`] rules on a question. The engine knows no game, no clock, no chance: the order of the pieces comes in through [`Orders`].

mod value;
mod trouble;
mod state;
mod reads;
mod game;
mod memo;
mod ruling;
mod trace;
mod eval;
mod machine;
mod hooks;
mod deeds;
mod tallies;
mod orders;
mod stops;
mod accounts;
mod apply;
mod view;
mod position;
pub mod forward;
mod words;
mod counters;
mod fill;
mod sheet;
mod search;
mod complaints;
pub mod replay;
pub mod happened;
pub mod random;

pub use apply::{Refused, act, default, go_on, leave_undone};
pub use complaints::{done_in_words, name_of};
pub use counters::account_in_words;
pub use game::Game;
pub use orders::{NoOrders, Order, Orders};
pub use position::{evaluate, left_open, members_of, reckon, set_of};
pub use ruling::{GaveWay, Missed, Outcome, Ruling, Subject};
pub use sheet::{Queue, opening};
pub use state::{Arguments, Entry, Given, Piles, State, Stop};
pub use stops::{Act, Choice, What};
pub use trace::Note;
pub use trouble::{Fault, FaultKind, Trouble, Unruled, Why};
pub use value::{Bits, Truth, UNSEEN, Value, seats_of};
pub use view::{View, view};
pub use words::{Words, letter, seat_of};

use crate::rules::table::program::{LogSort, OfferTo, ProcedureId, Program, QuestionId, RoleId, SeatId};
use eval::Details;
use machine::Machine;

/// Steps between two stops, before a rulebook is stopped as a runaway. Clause 11.3.
pub const MOST_STEPS: i64 = 1_000_000;
/// Procedures open within one another. Clause 11.3.
pub const MOST_FRAMES: usize = 128;
/// Entries of a tally in one of its lives. Clause 11.3.
pub const MOST_ENTRIES: usize = 10_000;
/// Expressions worked out within one another, through definitions and questions as well: rules may ask in a circle. Clause 11.3.
pub const MOST_DEEP: usize = 1_000;
/// Expressions worked out between two stops, and for one thing that is asked at a stop. Clause 11.3.
pub const MOST_EXPRESSIONS: u32 = 10_000_000;

/// What happens with an act that is possible and not regular. Clause 5.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// It is refused.
    Prevent,
    /// It stands, and its breach is logged.
    #[default]
    Adjudicate,
}

/// How a table is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// How many sit; from A to the left.
    pub seats: u8,
    /// The procedure that play starts with.
    pub procedure: ProcedureId,
    pub arguments: Arguments,
    /// Who holds which role.
    pub roles: Vec<(RoleId, Value)>,
    /// What accounts, tallies and facts hold, besides their first values.
    pub held: Vec<(Cell, Value)>,
}

/// One cell of an account, a tally or a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    Account(usize),
    Tally(usize),
    Fact(usize),
}

/// An empty table: nothing was done, and no procedure is open.
fn blank(program: &Program, seats: u8) -> State {
    let accounts = program.accounts.iter().map(|account| account.cells.count() + usize::from(account.joint)).sum();
    State {
        seated: u8::MAX.checked_shr(8 - u32::from(seats.clamp(1, 8))).unwrap_or(u8::MAX),
        piles: Piles::new(program),
        accounts: vec![0; accounts],
        cuts: Vec::new(),
        slices: 0,
        tallies: vec![0; program.tallies.iter().map(|tally| tally.cells.count()).sum()],
        ledgers: tallies::ledgers(program),
        roles: vec![Value::Unknown; program.roles.len()],
        facts: vec![Value::Unknown; program.facts.iter().map(|fact| fact.cells.count()).sum()],
        log: vec![Vec::new(); program.names.len()],
        serial: 0,
        marks: vec![state::Mark::default(); program.procedures.len()],
        frames: Vec::new(),
        locals: Vec::new(),
        stop: Stop::Over,
        actor: None,
        agreed: Vec::new(),
        arranged: None,
        given: Given::default(),
        memo: memo::Memo::default(),
    }
}

/// Opens a table and runs to the first stop.
pub fn start(game: &Game, setup: &Setup, orders: &mut dyn Orders, notes: Option<&mut Vec<Note>>) -> State {
    let program = &game.program;
    let mut state = blank(program, setup.seats);
    // Until somebody arranges it, the order of the pack is the world's, too.
    state.arranged = program.places.iter().find(|place| place.at_start).map(|place| place.cells.first);
    Machine::run(game, &mut state, orders, notes, |machine| {
        for (role, declared) in program.roles.iter().enumerate() {
            let given = setup.roles.iter().find(|(of, _)| *of == role).map(|(_, value)| value.clone());
            let value = match (given, &declared.first) {
                (Some(value), _) => value,
                (None, Some(first)) => machine.value(0, first)?,
                (None, None) => Value::Unknown,
            };
            if let Some(held) = machine.state.roles.get_mut(role) {
                *held = value;
            }
        }
        for fact in 0..program.facts.len() {
            machine.reset_fact(fact)?;
        }
        for (cell, value) in &setup.held {
            machine.state.hold(*cell, value);
        }
        machine.call(setup.procedure, setup.arguments.clone())
    });
    state
}

/// What can be done at the stop: the possible acts of the offer or the duty, each with its regularity.
///
/// # Errors
/// Trouble in the rulebook while the acts are worked out.
pub fn offers(game: &Game, state: &State) -> Result<Vec<Choice>, Trouble> {
    let mut found = Vec::new();
    offers_into(game, state, &mut found)?;
    Ok(found)
}

/// The same, into a list that is emptied first.
///
/// # Errors
/// As [`offers`].
pub fn offers_into(game: &Game, state: &State, found: &mut Vec<Choice>) -> Result<(), Trouble> {
    found.clear();
    match stops::standing(game, state) {
        Some((offer, _)) => apply::looking(game, state, |eval| eval.choices(offer, found)),
        None => Ok(()),
    }
}

/// The rights that are open, for every combination of their arguments.
///
/// # Errors
/// As [`offers`].
pub fn rights(game: &Game, state: &State) -> Result<Vec<Choice>, Trouble> {
    raised(game, state, LogSort::Right)
}

/// The events that may be reported.
///
/// # Errors
/// As [`offers`].
pub fn events(game: &Game, state: &State) -> Result<Vec<Choice>, Trouble> {
    raised(game, state, LogSort::Event)
}

fn raised(game: &Game, state: &State, sort: LogSort) -> Result<Vec<Choice>, Trouble> {
    let mut found = Vec::new();
    if !matches!(state.stop, Stop::Offer | Stop::Pause) {
        return Ok(found);
    }
    for (hook, declared) in game.program.hooks.iter().enumerate() {
        if game.program.names.get(declared.name).is_some_and(|name| name.sort == sort) {
            apply::looking(game, state, |eval| eval.hook_choices(hook, &mut found))?;
        }
    }
    Ok(found)
}

/// Does an act: the state behind it.
///
/// # Errors
/// See [`act`].
pub fn apply(game: &Game, state: &State, done: &Act, mode: Mode, orders: &mut dyn Orders) -> Result<State, Refused> {
    let mut next = state.clone();
    act(game, &mut next, done, None, mode, orders, None)?;
    Ok(next)
}

/// Whether the stop is a duty, which is done by default.
pub fn is_duty(game: &Game, state: &State) -> bool {
    stops::standing(game, state).is_some_and(|(offer, _)| offer.duty)
}

/// The seats that are waited for; nobody for the table's own duty.
///
/// # Errors
/// As [`offers`].
pub fn waiting(game: &Game, state: &State) -> Result<u8, Trouble> {
    let Some((offer, _)) = stops::standing(game, state) else { return Ok(0) };
    if matches!(offer.to, OfferTo::Nobody) {
        return Ok(0);
    }
    let mut mask = 0;
    apply::looking(game, state, |eval| {
        eval.turns(offer, &mut |_, by| {
            mask |= by.map_or(0, |by: SeatId| 1 << by);
            Ok(true)
        })
    })?;
    Ok(mask)
}

/// Looks closely at an act that a record wants to do here: whether it is possible and regular, and which breach it would be.
///
/// # Errors
/// As [`offers`].
pub fn look(game: &Game, state: &State, by: Option<SeatId>, position: usize, arguments: &[Value]) -> Result<(Truth, Truth, Option<usize>), Trouble> {
    let Some((offer, _)) = stops::standing(game, state) else { return Ok((Truth::No, Truth::No, None)) };
    let Some(alternative) = offer.alternatives.get(position) else { return Ok((Truth::No, Truth::No, None)) };
    let looked = apply::looking(game, state, |eval| eval.look(offer, alternative, by, arguments))?;
    Ok((looked.possible, looked.regular, looked.breach))
}

/// The alternatives of the stop.
pub fn alternatives<'g>(game: &'g Game, state: &State) -> &'g [crate::rules::table::program::Alternative] {
    stops::standing(game, state).map_or(&[], |(offer, _)| offer.alternatives.as_slice())
}

/// Rules on a question as the table stands.
///
/// # Errors
/// The rulebook asks for something impossible while it is worked out.
pub fn answer(game: &Game, state: &State, question: QuestionId, arguments: &[Value]) -> Result<Ruling, Trouble> {
    apply::looking(game, state, |eval| {
        let Some(decision) = game.questions.get(question) else {
            return Ok(Ruling {
                subject: Subject::Question(question),
                arguments: Vec::new(),
                outcome: Outcome::Silent,
                by: Vec::new(),
                gave_way: Vec::new(),
                missed: Vec::new(),
            });
        };
        eval.base = eval.locals.len();
        eval.locals.extend(arguments.iter().cloned());
        let mut details = Details::default();
        let verdict = eval.decide(decision, arguments.len(), false, Some(&mut details))?;
        eval.ruling_of(Subject::Question(question), arguments.to_vec(), &verdict, details)
    })
}

/// The table agrees on an answer where the book has none, and play goes on. Clause 6.8. Without arguments it holds whatever they are.
pub fn agree(
    game: &Game,
    state: &mut State,
    question: QuestionId,
    arguments: Vec<Value>,
    value: Value,
    orders: &mut dyn Orders,
    notes: Option<&mut Vec<Note>>,
) {
    state.agreed.push((question, arguments, value));
    state.memo.changed();
    if matches!(state.stop, Stop::NeedsRuling(_)) {
        Machine::run(game, state, orders, notes, |_| Ok(()));
    }
}
