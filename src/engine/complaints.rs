//! What stands in the way of a record, in words. Clauses 5.7, 5.9 and 6.8.

use super::game::Game;
use super::ruling::{Outcome, Ruling};
use super::sheet::seats_in_words;
use super::state::State;
use super::stops::{Act, What};
use super::trouble::{Fault, FaultKind, Trouble, Unruled, Why};
use super::value::{Truth, Value};
use super::words::Words;
use super::{MOST_DEEP, MOST_ENTRIES, MOST_EXPRESSIONS, MOST_FRAMES, MOST_STEPS, Mode, NoOrders, Refused};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::table::program::NameId;
use crate::source::Span;

/// So many choices are named.
const SHOWN: usize = 8;

/// Everything that a complaint can look at.
#[derive(Clone, Copy)]
pub(super) struct Complaining<'a> {
    pub game: &'a Game,
    pub words: &'a Words<'a>,
    pub state: &'a State,
    /// The item of the record that cannot be done; none at its end.
    pub item: Option<(Span, &'a str)>,
}

impl Complaining<'_> {
    /// The main place is in the record; where there is none, in the rulebook.
    fn complaint(&self, code: Code, message: String) -> Diagnostic {
        match self.item {
            Some((span, _)) => Diagnostic::new(code, message, span),
            None => Diagnostic::without_place(code, message),
        }
    }

    fn text(&self) -> String {
        self.item.map_or("the record".to_owned(), |(_, text)| format!("`{text}`"))
    }

    pub fn trouble(&self, trouble: &Trouble) -> Diagnostic {
        match trouble {
            Trouble::Fault(fault) => self.fault(fault),
            Trouble::Unruled(unruled) => self.unruled(unruled),
        }
    }

    pub fn fault(&self, fault: &Fault) -> Diagnostic {
        let (code, what, help) = fault_in_words(&fault.what);
        let within = if fault.within.is_empty() { String::new() } else { format!(", in `{}`", fault.within) };
        let found = at_rulebook(self.complaint(code, format!("play cannot go on{within}: {what}")), fault.span, "here");
        match help {
            Some(help) => found.with_help(help),
            None => found,
        }
    }

    /// Play stops at a question that has no answer.
    pub fn unruled(&self, unruled: &Unruled) -> Diagnostic {
        let program = &self.game.program;
        let Some(question) = program.questions.get(unruled.question) else { return self.complaint(Code::NeedsRuling, String::new()) };
        let types = question.parameters.iter().map(|(_, kind)| kind);
        let with: String = unruled.arguments.iter().zip(types).map(|(value, kind)| format!(" {}", self.words.value(value, kind))).collect();
        let ruling = super::answer(self.game, self.state, unruled.question, &unruled.arguments).ok();
        let rule = |id: &usize| program.rules.get(*id).map_or("", |rule| rule.name.as_str());
        let why = match (unruled.why, &ruling) {
            (Why::Silent, _) => "no rule applies".to_owned(),
            (Why::Unknown, _) => "the record does not say what it hangs on".to_owned(),
            (Why::Conflict, Some(ruling)) => {
                format!("{} differ, and none gives way", crate::rules::advice::all_of(ruling.by.iter().map(rule)))
            }
            (Why::Conflict, None) => "rules differ, and none gives way".to_owned(),
        };
        let mut fault = self.complaint(Code::NeedsRuling, format!("`{}{with}` has no answer: {why}", question.name));
        fault = at_rulebook(fault, unruled.span, "asked here");
        if let Some(ruling) = ruling {
            if let Outcome::Unknown(span) = ruling.outcome {
                fault = at_rulebook(fault, span, "this is not known");
            }
            for missed in ruling.missed.iter().take(SHOWN).filter(|_| unruled.why == Why::Silent) {
                fault = at_rulebook(fault, missed.condition, &format!("`{}` misses this", rule(&missed.rule)));
            }
        }
        fault.with_help(format!("let the record say what the table agreed: `agree {}{with} = …`", question.name))
    }

    /// Somebody must choose before the item is possible.
    pub fn needs_a_move(&self) -> Diagnostic {
        let waiting = super::waiting(self.game, self.state).unwrap_or(0);
        let who = seats_in_words(waiting);
        let own = self.item.is_some_and(|(_, text)| super::seats_of(waiting).any(|seat| text.starts_with(super::letter(seat))));
        let message = match self.item {
            Some(_) if own => format!("{} is not possible here", self.text()),
            Some(_) => format!("{} is not possible here: {who} must choose first", self.text()),
            None => format!("{who} must choose"),
        };
        let choices = self.choices();
        let fault = self.complaint(Code::NeedsAMove, message);
        if choices.is_empty() { fault } else { fault.with_help(format!("there is {choices}")) }
    }

    /// What may be done at the stop, the first few of it.
    fn choices(&self) -> String {
        let choices = super::offers(self.game, self.state).unwrap_or_default();
        let mut regular: Vec<String> = Vec::new();
        for choice in choices.iter().filter(|choice| choice.regular != Truth::No) {
            let words = format!("`{}`", self.act(&choice.act));
            if !regular.contains(&words) {
                regular.push(words);
            }
        }
        let more = regular.len().saturating_sub(SHOWN);
        let shown = regular.into_iter().take(SHOWN).collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{shown} and {more} more") } else { shown }
    }

    fn act(&self, act: &Act) -> String {
        done_in_words(self.game, self.words, self.state, act)
    }

    /// The item is possible, and is not what the record says it is.
    pub fn otherwise(&self, act: &Act, breach: Option<NameId>, regular: Truth, mark: Option<&str>) -> Diagnostic {
        let Some(breach) = breach.filter(|_| regular != Truth::Yes) else {
            let mark = mark.unwrap_or("");
            let fault = self.complaint(Code::NowherePossible, format!("{} is regular here, and not the breach `{mark}`", self.text()));
            return fault.with_help("leave out the mark");
        };
        let name = self.words.name(breach);
        let code = if mark.is_some() { Code::NowherePossible } else { Code::IrregularAct };
        let message = match mark {
            Some(mark) => format!("{} is not the breach `{mark}` here", self.text()),
            None => format!("{} is possible here and not regular", self.text()),
        };
        let mut fault = self.complaint(code, message).saying(format!("this is the breach `{name}`"));
        for ruling in forbidding(self.game, self.state, act) {
            for rule in ruling.by.iter().filter_map(|rule| self.game.program.rules.get(*rule)) {
                fault = at_rulebook(fault, rule.from.span, &format!("`{}` forbids it", rule.name));
            }
            if ruling.by.is_empty()
                && let super::Subject::Question(question) = ruling.subject
                && let Some(question) = self.game.program.questions.get(question)
            {
                fault = at_rulebook(fault, question.from.span, "no rule allows it");
            }
        }
        fault.with_help(format!("if it was done, mark it: `{} ! {name}`", self.act(act)))
    }

    pub fn nowhere(&self, pinned: bool) -> Diagnostic {
        if pinned {
            return self.complaint(Code::NowherePossible, format!("{} is not possible at the stop that it names", self.text()));
        }
        self.complaint(Code::NowherePossible, format!("{} is possible nowhere: play is over", self.text()))
    }
}

/// `A: play 5d`, of an act at the stop of a state.
pub fn done_in_words(game: &Game, words: &Words<'_>, state: &State, act: &Act) -> String {
    words.act(name_of(game, state, act).unwrap_or(usize::MAX), act.by, &act.arguments)
}

/// What the log calls an act at the stop of a state.
pub fn name_of(game: &Game, state: &State, act: &Act) -> Option<NameId> {
    match act.what {
        What::Alternative(position) => super::alternatives(game, state).get(position).map(|alternative| alternative.act),
        What::Hook(hook) => game.program.hooks.get(hook).map(|hook| hook.name),
    }
}

/// The questions that make an act irregular, as they are ruled on.
pub(super) fn forbidding(game: &Game, state: &State, act: &Act) -> Vec<Ruling> {
    let mut same = state.clone();
    match super::act(game, &mut same, act, None, Mode::Prevent, &mut NoOrders, None) {
        Err(Refused::Irregular { rulings, .. }) => {
            let denies = |ruling: &Ruling| match &ruling.outcome {
                Outcome::Value(value) | Outcome::Otherwise(value) | Outcome::Agreed(value) => *value == Value::Truth(false),
                Outcome::Silent | Outcome::Conflict(_) | Outcome::Unknown(_) | Outcome::Refused => true,
                Outcome::Done | Outcome::Stands | Outcome::Open { .. } => false,
            };
            rulings.into_iter().filter(denies).collect()
        }
        Err(Refused::Impossible | Refused::Trouble(_)) | Ok(()) => Vec::new(),
    }
}

/// Adds a place of the rulebook, if there is one; the first place of all is the main one.
fn at_rulebook(fault: Diagnostic, span: Span, text: &str) -> Diagnostic {
    if span == Span::default() { fault } else { fault.with_label(span, text) }
}

fn fault_in_words(what: &FaultKind) -> (Code, String, Option<&'static str>) {
    let impossible = |text: String| (Code::ImpossibleDeed, text, None);
    match what {
        FaultKind::Overflow => impossible("a number does not fit in 64 bits".to_owned()),
        FaultKind::DivisionByZero => impossible("something is divided by zero".to_owned()),
        FaultKind::NotOne(found) => impossible(format!("the only one is wanted, and there are {found}")),
        FaultKind::CannotPay(wanted, held) => impossible(format!("{wanted} should be paid, and {held} lies there")),
        FaultKind::CannotMove(wanted, held) => impossible(format!("{wanted} should be moved, and {held} lies there")),
        FaultKind::Negative(number) => impossible(format!("there cannot be {number} of anything")),
        FaultKind::Nobody => impossible("somebody or something is needed, and there is nobody".to_owned()),
        FaultKind::NoRow => impossible("no row of the table fits".to_owned()),
        FaultKind::Nothing => impossible("there is nothing to take one of".to_owned()),
        FaultKind::NotOpen(procedure) => impossible(format!("no `{procedure}` is open")),
        FaultKind::NobodyToShare => impossible("an account should be shared, and there are no seats among which".to_owned()),
        FaultKind::NoSlice => impossible("a slice is wanted, and this is none, or not any more".to_owned()),
        FaultKind::HeadingClosed(heading) => impossible(format!("the heading `{heading}` is closed")),
        FaultKind::NotLastReckoned => impossible("this is not the entry that was reckoned last, so nothing can come right behind it".to_owned()),
        FaultKind::TooManyEntries(tally) => (Code::Runaway, format!("the tally `{tally}` has more than {MOST_ENTRIES} entries"), None),
        FaultKind::Waits => impossible("somebody would have to choose, and in a position there is nobody to ask".to_owned()),
        FaultKind::Unfit => impossible("the answer cannot stand here".to_owned()),
        FaultKind::Runaway => (Code::Runaway, format!("{} steps were done, and nobody had to choose", MOST_STEPS), None),
        FaultKind::TooDeep => (Code::Runaway, format!("more than {} procedures are open within one another", MOST_FRAMES), None),
        FaultKind::AskedInCircle => {
            let help = "let the rules of a question that asks itself, or leads back to itself, come to an end";
            (Code::Runaway, format!("more than {MOST_DEEP} expressions are worked out within one another"), Some(help))
        }
        FaultKind::Endless => (Code::Runaway, format!("more than {MOST_EXPRESSIONS} expressions are worked out for one"), None),
        FaultKind::Unknown => {
            let help = "let the record say more: who holds a role, how the pieces lie, what is held (`given …`)";
            (Code::UnknownFact, "it hangs on what the record does not say".to_owned(), Some(help))
        }
    }
}
