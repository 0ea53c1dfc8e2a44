//! A table of our own engine at which a case is played.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::case::{CardOrder, Data, Ruling as Expected};
use super::super::implementation::{ActAsk, Acted, OpenAsk, Opened, Refused, Shown, Table};
use super::acts::{Untranslated, translated};
use super::facts::{Fact, Known, find, told};
use super::reckon::word_of;
use super::rulings::{names, of_why, reasons, refused_by_rule, ruling};
use super::{Book, Reference};
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::replay::{Refusal, Replay, Step};
use crate::engine::{Game, Note, Outcome, Ruling, Stop, Words, opening, seat_of, view};
use crate::rules::Rulebook;
use crate::rules::table::mapping::TableMapping;
use crate::rules::table::program::Node;
use crate::source::FileId;
use crate::syntax::record::record;
use crate::syntax::record_tree::{By, Step as Item};
use crate::syntax::sheet::Sheet;
use crate::syntax::tree::{At, InterfaceItem};

pub(super) fn open(reference: &Reference, book: &Book, ask: &OpenAsk, play: &mut dyn FnMut(Opened<'_>)) {
    let (Some(game), Some(mapping)) = (&book.game, book.rulebook.table_mapping(&ask.under.game)) else {
        return play(Opened::Unsupported { feature: format!("a table of {}", ask.under.rules) });
    };
    let items = reference.interface(&ask.under.game);
    let (mut facts, mut lacks) = (Vec::new(), Vec::new());
    for name in &ask.want {
        match find(mapping, items, name) {
            Known::Fact(fact) => facts.push((name.clone(), fact)),
            Known::Lacking => lacks.push(name.clone()),
            Known::Unknown => return play(Opened::Error { text: format!("the interface `{}` shows no `{name}`", ask.under.game) }),
        }
    }
    let words = Words::new(&book.rulebook, &game.program);
    let (sheet, mut faults) = match written(mapping, ask) {
        Ok(text) => {
            let (record, mut faults) = record(FileId::default(), &text);
            let (sheet, mut more) = Sheet::of(&record);
            faults.append(&mut more);
            (sheet, faults)
        }
        Err(text) => return play(Opened::Error { text }),
    };
    let opened = opening(&words, &sheet);
    faults.retain(Diagnostic::is_error);
    let (setup, queue) = match opened {
        Ok(opened) if faults.is_empty() => opened,
        Ok(_) => return play(Opened::Error { text: in_words(&faults) }),
        Err(found) => return play(Opened::Error { text: in_words(&found) }),
    };
    let (replay, first) = Replay::open(game, words, &setup, queue, ask.mode);
    let held = (first.state.counters(), first.state.pieces());
    let mut table = Playing { book: &book.rulebook, game, mapping, interface: &ask.under.game, items, words, replay, facts, held };
    play(Opened::Table { table: &mut table, lacks });
}

/// The arrangements of a case as the head of a record.
fn written(mapping: &TableMapping, ask: &OpenAsk) -> Result<String, String> {
    let mut text = format!("seats {}\n", ask.seats);
    let mut line = |line: std::fmt::Arguments<'_>| {
        let _ = writeln!(text, "{line}");
    };
    if let Some(procedure) = &ask.procedure {
        line(format_args!("start {procedure}"));
    }
    for (role, seat) in &ask.roles {
        match role.as_str() {
            "dealer" => line(format_args!("dealer {seat}")),
            _ => line(format_args!("role {role} {seat}")),
        }
    }
    for (name, data) in &ask.given {
        let inner = held_by(mapping, name);
        match data {
            Data::Map(map) => {
                for (index, value) in map {
                    line(format_args!("given {inner} {index} = {}", plain(value, name)?));
                }
            }
            Data::Text(_) | Data::Number(_) | Data::List(_) => line(format_args!("given {inner} = {}", plain(data, name)?)),
        }
    }
    for order in ask.orders.iter().flat_map(CardOrder::lines) {
        line(format_args!("{order}"));
    }
    Ok(text)
}

fn plain(data: &Data, name: &str) -> Result<String, String> {
    match data {
        Data::Text(text) => Ok(text.clone()),
        Data::Number(number) => Ok(number.to_string()),
        Data::List(items) => items.iter().map(|item| plain(item, name)).collect::<Result<Vec<_>, _>>().map(|words| words.join(" ")),
        Data::Map(_) => Err(format!("`{name}` cannot be given so")),
    }
}

/// What a shown thing is, if it is nothing but an account, a tally, a fact or a role: then a case can give it.
fn held_by<'m>(mapping: &'m TableMapping, name: &'m str) -> &'m str {
    let shown = mapping.shown(name);
    match shown.map(|shown| (&*shown.value.node, shown)) {
        Some((Node::Fact(..) | Node::Account(..) | Node::Tally(..) | Node::Role(_), shown)) => shown.source.as_deref().unwrap_or(name),
        Some(_) | None => name,
    }
}

fn in_words(faults: &[Diagnostic]) -> String {
    faults.iter().map(|fault| format!("{}: {}", fault.code.text(), fault.message)).collect::<Vec<_>>().join("; ")
}

struct Playing<'t> {
    book: &'t Rulebook,
    game: &'t Game,
    mapping: &'t TableMapping,
    interface: &'t str,
    items: &'t [At<InterfaceItem>],
    words: Words<'t>,
    replay: Replay<'t>,
    facts: Vec<(String, Fact<'t>)>,
    /// All counters and all pieces, as play began.
    held: (i64, usize),
}

impl Playing<'_> {
    fn shown(&self, refused: Option<Refused>, ruling: Option<Expected>, reasons: Vec<String>) -> Acted {
        let state = self.replay.state();
        let held = (state.counters(), state.pieces());
        if held != self.held {
            let text = format!("counters and cards are conserved: there were {} and {}, and now {} and {}", self.held.0, self.held.1, held.0, held.1);
            return Acted::Error { text };
        }
        if let Stop::Stuck(fault) = state.stop() {
            return Acted::Error { text: format!("{:?} in `{}`", fault.what, fault.within) };
        }
        let mut facts: BTreeMap<String, Data> = self.facts.iter().map(|(name, fact)| (name.clone(), told(self.game, state, fact))).collect();
        if let Some(ruling) = &ruling {
            facts.insert("ruling".to_owned(), Data::Text(word_of(ruling).to_owned()));
        }
        Acted::Shown(Shown { facts, refused, ruling, reasons })
    }

    fn of_step(&self, step: &Step, target: &str) -> Acted {
        if let Some(refusal) = &step.refused {
            return self.refusal(refusal);
        }
        let notes = step.before.iter().chain(&step.done).flat_map(|done| &done.notes);
        let forbidden = step.done.iter().flat_map(|done| &done.forbidden);
        let rulings: Vec<&Ruling> =
            notes.filter_map(|note| if let Note::Ruling(ruling) = note { Some(ruling) } else { None }).chain(forbidden).collect();
        let reasons = reasons(self.game, &self.words, &rulings);
        let refused = refused_by_rule(self.game, step, target).map(|ruling| {
            let classes = self.classes(names(self.game, ruling));
            Refused { classes, text: "a rule refuses it".to_owned(), by_rule: true, known: self.known() }
        });
        self.shown(refused, Some(ruling(self.game, step, target)), reasons)
    }

    /// An irregular act that the mode prevents.
    fn refusal(&self, refusal: &Refusal) -> Acted {
        let name = |id: usize| self.game.program.names.get(id).map(|name| name.name.clone());
        let forbidding = refusal.rulings.iter().flat_map(|ruling| names(self.game, ruling));
        let found = name(refusal.name).into_iter().chain(refusal.breach.and_then(name)).chain(forbidding).collect();
        let silent = refusal.rulings.iter().any(|ruling| ruling.outcome == Outcome::Silent);
        let all: Vec<&Ruling> = refusal.rulings.iter().collect();
        let reasons = reasons(self.game, &self.words, &all);
        let text = reasons.first().cloned().unwrap_or_else(|| "it is not in order".to_owned());
        let refused = Refused { classes: self.classes(found), text, by_rule: false, known: self.known() };
        self.shown(Some(refused), Some(if silent { Expected::Silent } else { Expected::Value }), reasons)
    }

    /// What cannot be done where play stands.
    fn impossible(&self, fault: &Diagnostic) -> Acted {
        if let Stop::NeedsRuling(unruled) = self.replay.state().stop() {
            let ruling = of_why(self.game, unruled.why, unruled.question);
            return self.shown(None, Some(ruling), vec![fault.message.clone()]);
        }
        if !matches!(fault.code, Code::IrregularAct | Code::NeedsAMove | Code::NowherePossible) {
            return Acted::Error { text: format!("{}: {}", fault.code.text(), fault.message) };
        }
        let classes = self.classes(vec![fault.code.text().to_owned()]);
        let refused = Refused { classes, text: fault.message.clone(), by_rule: false, known: self.known() };
        self.shown(Some(refused), None, fault.help.clone())
    }

    /// With what the interface calls them.
    fn classes(&self, mut names: Vec<String>) -> Vec<String> {
        let mapped: Vec<String> = names.iter().filter_map(|name| self.book.interface_class(self.interface, name)).map(str::to_owned).collect();
        names.extend(mapped);
        names
    }

    /// Everything by which this rulebook can call a refusal.
    fn known(&self) -> Vec<String> {
        let classes = self.book.mapped_classes(self.interface).into_iter();
        let program = &self.game.program;
        let names = program.names.iter().map(|name| name.name.clone()).chain(program.rules.iter().map(|rule| rule.name.clone()));
        let codes = [Code::IrregularAct, Code::NeedsAMove, Code::NowherePossible].map(|code| code.text().to_owned());
        classes.chain(names).chain(codes).collect()
    }
}

impl Table for Playing<'_> {
    fn act(&mut self, ask: &ActAsk<'_>) -> Acted {
        let act = match translated(self.game, &self.words, self.replay.state(), (self.mapping, self.items), ask) {
            Ok(act) => act,
            Err(Untranslated::Unsupported(feature)) => return Acted::Unsupported { feature },
            Err(Untranslated::Error(text)) => return Acted::Error { text },
        };
        if let By::Seat(seat) = &act.by.it
            && seat_of(seat.0).is_none_or(|seat| self.replay.state().seated() >> seat & 1 == 0)
        {
            return Acted::Error { text: format!("nobody sits at `{}`", seat.0) };
        }
        let target = act.act.it.clone();
        let span = act.act.span;
        // What is refused changes nothing, not even what was passed over on the way to it.
        let before = self.replay.clone();
        match self.replay.item(ask.step, &At::new(Item::Act(act), span), false) {
            Ok(step) => self.of_step(&step, &target),
            Err(fault) if matches!(self.replay.state().stop(), Stop::NeedsRuling(_)) => self.impossible(&fault),
            Err(fault) => {
                // It is shown where somebody else must choose first; past the end of play there is nothing to be shown.
                if fault.code == Code::NowherePossible {
                    self.replay = before.clone();
                }
                let acted = self.impossible(&fault);
                self.replay = before;
                acted
            }
        }
    }

    fn end(&mut self) -> Acted {
        match self.replay.end() {
            Ok(step) => {
                let rulings = step.before.iter().flat_map(|done| &done.notes);
                let rulings: Vec<&Ruling> = rulings.filter_map(|note| if let Note::Ruling(ruling) = note { Some(ruling) } else { None }).collect();
                let reasons = reasons(self.game, &self.words, &rulings);
                self.shown(None, Some(Expected::Value), reasons)
            }
            Err(fault) => self.impossible(&fault),
        }
    }

    fn view(&mut self, seat: &str) -> Option<String> {
        let seat = seat_of(seat.chars().next()?)?;
        view(self.game, self.replay.state(), seat).ok().map(|view| format!("{view:?}"))
    }
}
