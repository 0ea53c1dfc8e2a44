//! What happened at a table, told to people: `hoyle play` and `hoyle deal`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Write};

use super::rank::{WIDTH, sources};
use crate::conformance::inventory::Inventory;
use crate::engine::happened::{Happened, Logged};
use crate::engine::replay::{Deed, Done, Refusal, Step, standing};
use crate::engine::{Choice, Game, Outcome, Ruling, State, Stop, Subject, Truth, Value, Words, done_in_words, letter, seats_of};
use crate::rules::advice::all_of;
use crate::rules::table::program::{LogSort, RuleId, Type};
use crate::source::Sources;

/// Tells of one table.
pub(super) struct Teller<'a> {
    pub game: &'a Game,
    pub words: Words<'a>,
    pub sources: &'a Sources,
    pub inventory: Inventory,
    /// Rules whose sentences were told: once is enough.
    pub told: RefCell<BTreeSet<RuleId>>,
}

/// So many rulings of one step are told.
const MOST_RULINGS: usize = 20;
/// So many choices of one act are named.
const MOST_CHOICES: usize = 13;

impl Teller<'_> {
    /// One item of a record and everything that it did, `number` in front.
    pub fn step(&self, number: Option<usize>, step: &Step, out: &mut dyn Write) -> io::Result<()> {
        self.defaults(&step.before, out)?;
        let Some(number) = number else { return Ok(()) };
        if let Some(refusal) = &step.refused {
            return self.refusal(number, refusal, out);
        }
        let Some(done) = &step.done else { return Ok(()) };
        writeln!(out, "{number:>4}. {}", self.deed(&done.deed))?;
        let happened = Happened::of(&self.words, std::iter::once(done));
        for breach in &happened.breaches {
            writeln!(out, "      breach: {}", self.logged(breach))?;
        }
        for ruling in &done.forbidden {
            self.ruling(ruling, out)?;
        }
        self.events(&happened, out)?;
        // The act's own piece is named by the act.
        let own = happened.moves.iter().filter(|moved| moved.pieces.len() > 1);
        self.each(own.map(|moved| format!("{} to {}: {}", self.place(moved.from), self.place(moved.to), self.words.pieces(&moved.pieces))), out)?;
        self.rulings(&happened, out)
    }

    /// What nobody chose, folded.
    fn defaults(&self, before: &[Done], out: &mut dyn Write) -> io::Result<()> {
        let mut acts: Vec<(String, usize)> = Vec::new();
        for done in before {
            if let Deed::Act { name, by, .. } = &done.deed {
                let act = self.words.act(*name, *by, &[]);
                match acts.iter_mut().find(|(other, _)| *other == act) {
                    Some((_, count)) => *count += 1,
                    None => acts.push((act, 1)),
                }
            }
        }
        let happened = Happened::of(&self.words, before);
        let told = |(act, count): (String, usize)| if count > 1 { format!("{act} ({count} times)") } else { act };
        let acts: Vec<String> = acts.into_iter().map(told).collect();
        let moves = happened.moves.iter().map(|moved| format!("{} from {} to {}", moved.pieces.len(), self.place(moved.from), self.place(moved.to)));
        let moves = moves.collect::<Vec<_>>().join(", ");
        if !acts.is_empty() || !moves.is_empty() {
            let colon = if acts.is_empty() || moves.is_empty() { "" } else { ": " };
            let line = format!("by default: {}{colon}{moves}", acts.join(", "));
            let options = textwrap::Options::new(WIDTH).initial_indent("      ").subsequent_indent("        ").break_words(false);
            writeln!(out, "{}", textwrap::fill(&line, options))?;
        }
        self.events(&happened, out)?;
        self.rulings(&happened, out)
    }

    fn events(&self, happened: &Happened, out: &mut dyn Write) -> io::Result<()> {
        let seats = |mask: u8| seats_of(mask).map(|seat| letter(seat).to_string()).collect::<Vec<_>>().join(", ");
        self.each(happened.shown.iter().map(|(pieces, to)| format!("{} is shown to {}", self.words.pieces(pieces), seats(*to))), out)?;
        self.each(
            happened.payments.iter().map(|paid| format!("{} pays {} to {}", self.account(paid.from), paid.amount, self.account(paid.to))),
            out,
        )?;
        self.each(happened.scores.iter().filter(|(points, _)| *points != 0).map(|(points, cell)| format!("{}: {points:+}", self.tally(*cell))), out)?;
        let procedure = |id: usize| self.game.program.procedures.get(id).map_or("", |procedure| procedure.name.as_str());
        self.each(
            happened.voided.iter().map(|(id, cause)| {
                let cause = cause.as_ref().map(|cause| format!(" for {cause}")).unwrap_or_default();
                format!("{} is void{cause}", procedure(*id))
            }),
            out,
        )
    }

    fn each(&self, lines: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
        for line in lines {
            writeln!(out, "      {line}")?;
        }
        Ok(())
    }

    fn refusal(&self, number: usize, refusal: &Refusal, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{number:>4}. {}", self.words.act(refusal.name, refusal.by, &refusal.arguments))?;
        let breach = refusal.breach.map(|breach| format!(": it would be {}", self.words.name(breach))).unwrap_or_default();
        writeln!(out, "      refused{breach}")?;
        refusal.rulings.iter().try_for_each(|ruling| self.ruling(ruling, out))
    }

    fn deed(&self, deed: &Deed) -> String {
        match deed {
            Deed::Began => "play begins".to_owned(),
            Deed::Paused => "a pause".to_owned(),
            Deed::Act { name, by, arguments } => self.words.act(*name, *by, arguments),
            Deed::Undone { breach, by } => format!("{} (left undone)", self.words.act(*breach, *by, &[])),
            Deed::Agreed { question, arguments, value } => match self.game.program.questions.get(*question) {
                Some(asked) => {
                    let types = asked.parameters.iter().map(|(_, kind)| kind);
                    let with: String = arguments.iter().zip(types).map(|(value, kind)| format!(" {}", self.words.value(value, kind))).collect();
                    format!("agree {}{with} = {}", asked.name, self.words.value(value, &asked.answer))
                }
                None => "agree".to_owned(),
            },
        }
    }

    fn logged(&self, logged: &Logged) -> String {
        let by = logged.by.map(|by| format!(" by {}", letter(by))).unwrap_or_default();
        format!("{}{}{by}", self.words.name(logged.name), self.words.arguments(logged.name, &logged.arguments))
    }

    /// Each ruling once, and none where a question fell to what it says for itself.
    fn rulings(&self, happened: &Happened, out: &mut dyn Write) -> io::Result<()> {
        let mut told: Vec<&Ruling> = Vec::new();
        for ruling in &happened.rulings {
            let plain = matches!(ruling.outcome, Outcome::Otherwise(_));
            let nothing = matches!(ruling.outcome, Outcome::Silent) && (ruling.missed.is_empty() || self.is_signal(ruling.subject));
            if !plain && !nothing && !told.contains(&ruling) {
                told.push(ruling);
            }
        }
        told.iter().take(MOST_RULINGS).try_for_each(|ruling| self.ruling(ruling, out))?;
        if told.len() > MOST_RULINGS {
            writeln!(out, "      and {} more rulings", told.len() - MOST_RULINGS)?;
        }
        Ok(())
    }

    /// A signal that no rule takes up is nothing that a reader waits for.
    fn is_signal(&self, subject: Subject) -> bool {
        let Subject::Hook(hook) = subject else { return false };
        let name = self.game.program.hooks.get(hook).and_then(|hook| self.game.program.names.get(hook.name));
        name.is_some_and(|name| matches!(name.sort, LogSort::Signal | LogSort::Voided))
    }

    /// `ruling: value, takes-trick = B`, and every rule with its sentences.
    pub fn ruling(&self, ruling: &Ruling, out: &mut dyn Write) -> io::Result<()> {
        let (name, types, answer) = self.subject(ruling.subject);
        let with: String = ruling.arguments.iter().zip(&types).map(|(value, kind)| format!(" {}", self.words.value(value, kind))).collect();
        let value = |value: &Value| self.words.value(value, answer.unwrap_or(&Type::Text));
        let (word, rest) = match &ruling.outcome {
            Outcome::Value(is) => ("value", format!(" = {}", value(is))),
            Outcome::Otherwise(is) => ("value", format!(" = {}, for no rule applies", value(is))),
            Outcome::Agreed(is) => ("value", format!(" = {}, as the table agreed", value(is))),
            Outcome::Done => ("value", String::new()),
            Outcome::Stands => ("value", " stands".to_owned()),
            Outcome::Refused => ("value", " is refused".to_owned()),
            Outcome::Silent => ("silent", String::new()),
            Outcome::Conflict(_) => ("conflict", String::new()),
            Outcome::Open { to, among } => {
                let to = to.map(|to| format!(" to {}", letter(to))).unwrap_or_default();
                ("open", format!("{to} among {}", all_of(among.iter().map(|name| self.words.name(*name)))))
            }
            Outcome::Unknown(span) => ("unknown", format!(": {}", self.sources.snippet(*span))),
        };
        writeln!(out, "      ruling: {word}, {name}{with}{rest}")?;
        for rule in &ruling.by {
            self.rule(*rule, out)?;
        }
        for gave in &ruling.gave_way {
            writeln!(out, "        {} gave way to {}", self.rule_name(gave.rule), self.rule_name(gave.to))?;
        }
        if matches!(ruling.outcome, Outcome::Silent) {
            for missed in &ruling.missed {
                writeln!(out, "        nearest: {} misses `{}`", self.rule_name(missed.rule), one_line(self.sources.snippet(missed.condition)))?;
            }
        }
        Ok(())
    }

    fn subject(&self, subject: Subject) -> (&str, Vec<Type>, Option<&Type>) {
        match subject {
            Subject::Question(question) => match self.game.program.questions.get(question) {
                Some(asked) => (asked.name.as_str(), asked.parameters.iter().map(|(_, kind)| kind.clone()).collect(), Some(&asked.answer)),
                None => ("", Vec::new(), None),
            },
            Subject::Hook(hook) => match self.game.program.hooks.get(hook) {
                Some(hook) => (self.words.name(hook.name), hook.parameters.iter().map(|parameter| parameter.kind.clone()).collect(), None),
                None => ("", Vec::new(), None),
            },
        }
    }

    fn rule_name(&self, rule: RuleId) -> &str {
        self.game.program.rules.get(rule).map_or("", |rule| rule.name.as_str())
    }

    fn rule(&self, rule: RuleId, out: &mut dyn Write) -> io::Result<()> {
        let first = self.told.borrow_mut().insert(rule);
        let Some(rule) = self.game.program.rules.get(rule) else { return Ok(()) };
        if !first {
            return writeln!(out, "        by {} [{}]", rule.name, rule.from.mark.word());
        }
        writeln!(out, "        by {}", rule.name)?;
        for line in sources(&rule.from, &self.inventory) {
            let options = textwrap::Options::new(WIDTH).initial_indent("          ").subsequent_indent("            ").break_words(false);
            writeln!(out, "{}", textwrap::fill(&line, options))?;
        }
        Ok(())
    }

    /// Who may do what next, and what everybody has.
    pub fn standing(&self, state: &State, out: &mut dyn Write) -> io::Result<()> {
        match state.stop() {
            Stop::Over => writeln!(out, "play is over")?,
            Stop::Pause => writeln!(out, "next: a pause")?,
            Stop::NeedsRuling(_) | Stop::Stuck(_) => writeln!(out, "play cannot go on")?,
            Stop::Offer => {
                let Ok(standing) = standing(self.game, state) else { return writeln!(out, "play cannot go on") };
                self.choices("next", state, &standing.choices, out)?;
                self.rights(state, &standing.rights, out)?;
            }
        }
        for (name, value) in self.counters(state) {
            writeln!(out, "{name}: {value}")?;
        }
        Ok(())
    }

    /// `next: A play Ah, Kh` for each seat and act.
    fn choices(&self, label: &str, state: &State, choices: &[Choice], out: &mut dyn Write) -> io::Result<()> {
        let mut lines: Vec<(String, Vec<String>)> = Vec::new();
        for choice in choices.iter().filter(|choice| choice.regular != Truth::No) {
            let whole = done_in_words(self.game, &self.words, state, &choice.act);
            let name = crate::engine::name_of(self.game, state, &choice.act).map_or("", |name| self.words.name(name));
            let by = choice.act.by.map_or("table".to_owned(), |by| letter(by).to_string());
            let head = format!("{by}: {name}");
            let rest = whole.strip_prefix(&head).unwrap_or("").trim().to_owned();
            match lines.iter_mut().find(|(other, _)| *other == head) {
                Some((_, all)) => {
                    if !all.contains(&rest) {
                        all.push(rest);
                    }
                }
                None => lines.push((head, vec![rest])),
            }
        }
        for (head, all) in lines {
            let more = all.len().saturating_sub(MOST_CHOICES);
            let shown = all.into_iter().take(MOST_CHOICES).filter(|rest| !rest.is_empty()).collect::<Vec<_>>().join(", ");
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let blank = if shown.is_empty() { "" } else { " " };
            writeln!(out, "{label}: {head}{blank}{shown}{more}")?;
        }
        Ok(())
    }

    /// `a right of A, B: claims-revoke A, B`: seats that may do the same stand together.
    fn rights(&self, state: &State, rights: &[Choice], out: &mut dyn Write) -> io::Result<()> {
        let mut by_seat: Vec<(String, String, Vec<String>)> = Vec::new();
        for right in rights {
            let whole = done_in_words(self.game, &self.words, state, &right.act);
            let name = crate::engine::name_of(self.game, state, &right.act).map_or("", |name| self.words.name(name));
            let (by, what) = whole.split_once(": ").unwrap_or(("table", &whole));
            let rest = what.strip_prefix(name).unwrap_or("").trim().to_owned();
            match by_seat.iter_mut().find(|(seat, other, _)| seat == by && other == name) {
                Some((_, _, all)) => all.push(rest),
                None => by_seat.push((by.to_owned(), name.to_owned(), vec![rest])),
            }
        }
        let mut lines: Vec<(Vec<String>, String)> = Vec::new();
        for (by, name, all) in by_seat {
            let line = format!("{name} {}", all.join(", "));
            match lines.iter_mut().find(|(_, other)| *other == line) {
                Some((seats, _)) => seats.push(by),
                None => lines.push((vec![by], line)),
            }
        }
        for (seats, line) in lines {
            writeln!(out, "a right of {}: {}", all_of(seats.iter().map(String::as_str)).replace('`', ""), line.trim_end())?;
        }
        Ok(())
    }

    /// Accounts and tallies that are not empty, by name.
    pub fn counters(&self, state: &State) -> Vec<(String, i64)> {
        let program = &self.game.program;
        let accounts = program.accounts.iter().flat_map(|account| {
            let cells = account.cells.count() + usize::from(account.joint);
            (0..cells).map(move |at| account.cells.first + at)
        });
        let accounts = accounts.map(|cell| (self.account(cell), state.account(cell)));
        let tallies = program.tallies.iter().flat_map(|tally| (0..tally.cells.count()).map(move |at| tally.cells.first + at));
        let tallies = tallies.map(|cell| (self.tally(cell), state.tally(cell)));
        accounts.chain(tallies).filter(|(_, held)| *held != 0).collect()
    }

    pub fn place(&self, cell: usize) -> String {
        let of = self.game.program.places.iter().find(|of| (of.cells.first..of.cells.first + of.cells.count()).contains(&cell));
        of.map_or_else(String::new, |of| self.words.cell(&of.name, &of.cells.indices, cell - of.cells.first))
    }

    fn account(&self, cell: usize) -> String {
        let mut accounts = self.game.program.accounts.iter();
        let of = accounts.find(|of| (of.cells.first..of.cells.first + of.cells.count() + usize::from(of.joint)).contains(&cell));
        of.map_or_else(String::new, |of| {
            let at = cell - of.cells.first;
            // Of a joint account the last cell is nobody's.
            if of.joint && at == of.cells.count() { of.name.clone() } else { self.words.cell(&of.name, &of.cells.indices, at) }
        })
    }

    fn tally(&self, cell: usize) -> String {
        let of = self.game.program.tallies.iter().find(|of| (of.cells.first..of.cells.first + of.cells.count()).contains(&cell));
        of.map_or_else(String::new, |of| self.words.cell(&of.name, &of.cells.indices, cell - of.cells.first))
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Teller<'_> {
    /// A ruling for programs.
    pub fn ruling_object(&self, ruling: &Ruling) -> serde_json::Value {
        let (name, types, answer) = self.subject(ruling.subject);
        let with: Vec<String> = ruling.arguments.iter().zip(&types).map(|(value, kind)| self.words.value(value, kind)).collect();
        let (word, value) = match &ruling.outcome {
            Outcome::Value(is) | Outcome::Otherwise(is) | Outcome::Agreed(is) => ("value", Some(self.words.value(is, answer.unwrap_or(&Type::Text)))),
            Outcome::Done => ("value", None),
            Outcome::Stands => ("value", Some("stands".to_owned())),
            Outcome::Refused => ("value", Some("refused".to_owned())),
            Outcome::Silent => ("silent", None),
            Outcome::Conflict(_) => ("conflict", None),
            Outcome::Open { .. } => ("open", None),
            Outcome::Unknown(_) => ("unknown", None),
        };
        let rule = |id: &RuleId| {
            let from = self.game.program.rules.get(*id).map(|rule| &rule.from);
            let cites: Vec<&str> = from.iter().flat_map(|from| &from.cites).map(|citation| citation.id.as_str()).collect();
            serde_json::json!({"rule": self.rule_name(*id), "mark": from.map(|from| from.mark.word()), "cites": cites})
        };
        let gave_way: Vec<&str> = ruling.gave_way.iter().map(|gave| self.rule_name(gave.rule)).collect();
        let by: Vec<serde_json::Value> = ruling.by.iter().map(rule).collect();
        serde_json::json!({"on": name, "with": with, "ruling": word, "value": value, "by": by, "gave-way": gave_way})
    }
}
