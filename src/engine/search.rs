//! Whether an item of a record can be done at a stop, and as what. Clause 5.7.

use super::fill::{self, seat_that_acts};
use super::game::{Game, scripts};
use super::state::State;
use super::stops::{Act, What, standing};
use super::trouble::Trouble;
use super::value::{Truth, seats_of};
use super::words::{Given, Words, seat_of};
use super::{alternatives, look, waiting};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::advice::{all_of, did_you_mean};
use crate::rules::table::program::{Domain, Hook, LogSort, NameId, OfferTo, Parameter, SeatId, Step, Type};
use crate::source::Span;
use crate::syntax::record_tree::{self as written, By};

/// What an item comes to at one stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// It cannot be done here.
    Nothing,
    /// It can be done here, and is what the record says it is.
    Fits(Doing),
    /// It can be done here, and is not what the record says it is: regular, or this breach.
    Otherwise(Act, Option<NameId>, Truth),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// With the breach that the record says it is.
    Act(Act, Option<NameId>),
    /// A duty is left undone.
    Undone(Option<SeatId>, NameId),
}

/// Who acts; `None`: the table.
pub(super) fn by(act: &written::Act) -> Option<SeatId> {
    match &act.by.it {
        By::Seat(seat) => seat_of(seat.0),
        By::Table => None,
    }
}

impl Words<'_> {
    /// Reads what is written behind the name of an act, against its parameters there.
    fn readings(&self, act: &written::Act, seated: u8, parameters: &[Parameter], hook: Option<&Hook>) -> Result<Vec<Vec<Given>>, Box<Diagnostic>> {
        let wanted: Vec<(&str, &Type)> = parameters.iter().map(|parameter| (parameter.name.as_str(), &parameter.kind)).collect();
        let acts = hook.and_then(|hook| seat_that_acts(&hook.by));
        let may_leave = |at: usize| {
            parameters.get(at).is_some_and(|parameter| match &parameter.domain {
                Domain::Fixed(_) => true,
                Domain::All | Domain::In(_) | Domain::Range(..) | Domain::Subsets(..) => hook.is_some() && acts == Some(parameter.slot),
            })
        };
        let end = act.arguments.last().map_or(act.act.span, |last| last.span);
        self.read(&wanted, &may_leave, seated, &act.arguments, end)
    }
}

/// Whether an act of that name could be anywhere in the rulebook, with arguments such as these.
///
/// # Errors
/// There is no such act, or nothing that is so called has such arguments; or there is no such breach.
pub(super) fn readable(game: &Game, words: &Words<'_>, act: &written::Act, seated: u8) -> Result<(), Box<Diagnostic>> {
    if let Some(breach) = &act.breach {
        known(words, &breach.it, breach.span, &[LogSort::Breach, LogSort::Act], "breach")?;
    }
    known(words, &act.act.it, act.act.span, &[LogSort::Act, LogSort::Event, LogSort::Right], "act")?;
    let mut first = None;
    let offers =
        scripts(&game.program).flat_map(|code| &code.steps).filter_map(|step| if let Step::Offer(offer) = step { Some(offer) } else { None });
    let parameters = offers.flat_map(|offer| &offer.alternatives).filter(|alternative| words.name(alternative.act) == act.act.it);
    let hooks = game.program.hooks.iter().filter(|hook| words.name(hook.name) == act.act.it);
    let all =
        parameters.map(|alternative| (alternative.parameters.as_slice(), None)).chain(hooks.map(|hook| (hook.parameters.as_slice(), Some(hook))));
    for (parameters, hook) in all {
        match words.readings(act, seated, parameters, hook) {
            Ok(_) => return Ok(()),
            Err(fault) => first = first.or(Some(fault)),
        }
    }
    // A duty that was left undone needs no arguments.
    match first {
        Some(fault) if !(act.breach.is_some() && act.arguments.is_empty()) => Err(fault),
        Some(_) | None => Ok(()),
    }
}

fn known(words: &Words<'_>, name: &str, span: Span, sorts: &[LogSort], what: &str) -> Result<(), Box<Diagnostic>> {
    let of = |sort: &LogSort| sorts.contains(sort);
    if words.program.names.iter().any(|known| known.name == name && of(&known.sort)) {
        return Ok(());
    }
    let fault = Diagnostic::new(Code::UnknownName, format!("the rulebook knows no {what} `{name}`"), span);
    // What is meant first comes first.
    let all = &words.program.names;
    let names = || sorts.iter().flat_map(|sort| all.iter().filter(move |known| known.sort == *sort)).map(|known| known.name.as_str());
    let few: Vec<&str> = names().take(12).collect();
    let help = did_you_mean(name, names()).or_else(|| (!few.is_empty()).then(|| format!("there is {}", all_of(few))));
    Err(Box::new(match help {
        Some(help) => fault.with_help(help),
        None => fault,
    }))
}

/// What an item comes to where the state stands.
///
/// # Errors
/// Trouble in the rulebook while it is worked out.
pub(super) fn sight(game: &Game, state: &State, words: &Words<'_>, act: &written::Act) -> Result<Sight, Trouble> {
    let who = by(act);
    let mark = act.breach.as_ref().map(|breach| breach.it.as_str());
    let mut found = Sight::Nothing;
    for (position, alternative) in alternatives(game, state).iter().enumerate() {
        if words.name(alternative.act) != act.act.it {
            continue;
        }
        let readings = words.readings(act, state.seated(), &alternative.parameters, None).unwrap_or_default();
        let left = alternative.breach.filter(|breach| mark == Some(words.name(*breach)) && alternative.regular.is_none() && !alternative.irregular);
        if let (Some(breach), true) = (left, awaited(game, state, who)?)
            && act.arguments.is_empty()
        {
            return Ok(Sight::Fits(Doing::Undone(who, breach)));
        }
        for given in &readings {
            let Some(arguments) = fill::alternative(game, state, words, position, who, given)? else { continue };
            let (possible, regular, breach) = look(game, state, who, position, &arguments)?;
            if possible == Truth::No {
                continue;
            }
            let done = Act { by: who, what: What::Alternative(position), arguments };
            if let (Some(breach), true) = (left, super::is_duty(game, state)) {
                return Ok(Sight::Fits(Doing::Undone(who, breach)));
            }
            let breach = breach.or(Some(alternative.act)).filter(|_| regular != Truth::Yes);
            let fits = match mark {
                None => regular != Truth::No,
                Some(mark) => breach.is_some_and(|breach| words.name(breach) == mark),
            };
            if fits {
                return Ok(Sight::Fits(Doing::Act(done, breach.filter(|_| mark.is_some()))));
            }
            if found == Sight::Nothing {
                found = Sight::Otherwise(done, breach, regular);
            }
        }
    }
    if found == Sight::Nothing && mark.is_none() { hooks(game, state, words, act) } else { Ok(found) }
}

/// A duty at which this seat is waited for, or the table.
fn awaited(game: &Game, state: &State, who: Option<SeatId>) -> Result<bool, Trouble> {
    let Some((offer, _)) = standing(game, state).filter(|(offer, _)| offer.duty) else { return Ok(false) };
    Ok(match who {
        Some(who) => seats_of(waiting(game, state)?).any(|seat| seat == who),
        None => matches!(offer.to, OfferTo::Nobody),
    })
}

fn hooks(game: &Game, state: &State, words: &Words<'_>, act: &written::Act) -> Result<Sight, Trouble> {
    let who = by(act);
    for (hook, raised) in game.program.hooks.iter().enumerate() {
        if words.name(raised.name) != act.act.it {
            continue;
        }
        for given in words.readings(act, state.seated(), &raised.parameters, Some(raised)).unwrap_or_default() {
            if let Some(arguments) = fill::hook(game, state, words, hook, who, &given)? {
                return Ok(Sight::Fits(Doing::Act(Act { by: who, what: What::Hook(hook), arguments }, None)));
            }
        }
    }
    Ok(Sight::Nothing)
}
