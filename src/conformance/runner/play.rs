//! Plays, step by step, in the modes that a case asks for.

use std::collections::{BTreeMap, BTreeSet};

use super::super::case::{Case, Facts, Outcome as Expected, Play, Ruling, View};
use super::super::comparator::fact;
use super::super::implementation::{ActAsk, Acted, Data, FEATURES, Implementation, Mode, OpenAsk, Opened, Refused, Shown, Table, Under};
use super::{Strictness, Verdict, depends, lawful, under};
use crate::source::FileId;
use crate::syntax::record;
use crate::syntax::record_tree::{Act, Argument, By, Step, Written};

pub(super) fn play(case: &Case, play: &Play, rulebook: &str, implementation: &dyn Implementation, strict: Strictness) -> Verdict {
    let acts = match read(play) {
        Ok(acts) => acts,
        Err(text) => return Verdict::Error(text),
    };
    let ends: Vec<(BTreeMap<_, _>, Vec<&Facts>)> = match &play.expected {
        Some(expected) => lawful(expected, rulebook),
        None => vec![(BTreeMap::new(), Vec::new())],
    };
    for (params, ends) in &ends {
        let run = Playing { case, play, acts: &acts, ends, implementation };
        let under = under(case, rulebook, params);
        let verdict = run.in_all_modes(&under);
        if verdict != Verdict::Pass {
            return verdict;
        }
        if strict.discriminates {
            let verdict = depends(case, &under, &|other| run.in_all_modes(other));
            if verdict != Verdict::Pass {
                return verdict;
            }
        }
    }
    Verdict::Pass
}

/// Reads the steps of a case.
fn read(play: &Play) -> Result<Vec<Act>, String> {
    let step = |text: &str| match record::step(FileId::default(), text) {
        (Some(Step::Act(act)), _) => Ok(act),
        (Some(Step::Agree(_)), _) => Err(format!("`{text}`: a case agrees on nothing")),
        (None, faults) => Err(format!("`{text}`: {}", faults.first().map_or("it cannot be read", |fault| fault.message.as_str()))),
    };
    play.steps.iter().map(|item| step(&item.act.text)).collect()
}

/// A case under one set of parameters.
struct Playing<'p> {
    case: &'p Case,
    play: &'p Play,
    acts: &'p [Act],
    /// Lawful facts at the end; none: nothing is expected there.
    ends: &'p [&'p Facts],
    implementation: &'p dyn Implementation,
}

/// How far a run came.
enum Came {
    On,
    /// It ends here, as expected.
    Ended,
    Stopped(Verdict),
}

impl Playing<'_> {
    fn in_all_modes(&self, under: &Under) -> Verdict {
        let mut partial = None;
        for mode in self.modes() {
            match self.run(under, mode) {
                Verdict::Pass => {}
                Verdict::Partial(lacks) => partial = partial.or(Some(Verdict::Partial(lacks))),
                verdict @ (Verdict::Fail(_) | Verdict::Unsupported(_) | Verdict::Error(_) | Verdict::NotRun(_)) => return verdict,
            }
        }
        partial.unwrap_or(Verdict::Pass)
    }

    /// Both where a step says what either shows; else that in which marked acts are refused, if one is expected to be.
    fn modes(&self) -> Vec<Mode> {
        let steps = &self.play.steps;
        if steps.iter().any(|step| step.then.prevent.is_some() || step.then.adjudicate.is_some()) {
            return vec![Mode::Prevent, Mode::Adjudicate];
        }
        let refused = steps.iter().zip(self.acts).any(|(step, act)| !step.then.outcome.refused.is_empty() && act.breach.is_some());
        vec![if refused { Mode::Prevent } else { Mode::Adjudicate }]
    }

    fn open_ask(&self, under: &Under, mode: Mode) -> OpenAsk {
        let (procedure, roles) = self.play.start.as_ref().map_or((None, BTreeMap::new()), |start| (start.procedure.clone(), start.roles.clone()));
        OpenAsk {
            under: under.clone(),
            mode,
            seats: self.seats(),
            procedure,
            roles,
            given: self.play.given.clone(),
            orders: self.play.orders.clone(),
            want: self.want(),
        }
    }

    /// Up to the last seat that the case names.
    fn seats(&self) -> u8 {
        let roles = self.play.start.iter().flat_map(|start| start.roles.values());
        let indices = self.play.given.values().filter_map(|data| if let Data::Map(cells) = data { Some(cells.keys()) } else { None }).flatten();
        let named = self.play.orders.iter().flat_map(|order| order.deal.keys()).chain(roles).chain(indices.filter(|index| index.len() == 1));
        let named = named.filter_map(|seat| seat.chars().next());
        let acting = self.acts.iter().filter_map(|act| if let By::Seat(seat) = &act.by.it { Some(seat.0) } else { None });
        let last = named.chain(acting).filter_map(|seat| ('A'..='H').position(|letter| letter == seat)).max();
        last.and_then(|last| u8::try_from(last + 1).ok()).unwrap_or(1)
    }

    /// Every fact that is asked for somewhere.
    fn want(&self) -> Vec<String> {
        let mut all: BTreeSet<&String> = self.ends.iter().flat_map(|end| end.keys()).collect();
        for step in &self.play.steps {
            let then = &step.then;
            let outcomes = std::iter::once(&then.outcome).chain(&then.prevent).chain(&then.adjudicate);
            all.extend(outcomes.flat_map(|outcome| outcome.facts.keys()));
        }
        all.extend(self.case.requires.iter().filter(|name| !FEATURES.contains(&name.as_str())));
        all.into_iter().filter(|name| *name != "ruling").cloned().collect()
    }

    fn run(&self, under: &Under, mode: Mode) -> Verdict {
        let mut verdict = Verdict::NotRun("no table was opened".to_owned());
        self.implementation.open(&self.open_ask(under, mode), &mut |opened| {
            verdict = match opened {
                Opened::Table { table, lacks } => {
                    let required = lacks.iter().find(|lack| self.case.requires.contains(lack));
                    match required {
                        Some(required) => Verdict::Unsupported(required.clone()),
                        None => self.at_table(under, table, &lacks, mode),
                    }
                }
                Opened::Unsupported { feature } => Verdict::Unsupported(feature),
                Opened::Error { text } => Verdict::Error(text),
            };
        });
        verdict
    }

    fn at_table(&self, under: &Under, table: &mut dyn Table, lacks: &[String], mode: Mode) -> Verdict {
        for number in 0..=self.acts.len() {
            for view in self.play.view.iter().filter(|view| usize::try_from(view.after) == Ok(number)) {
                if let Some(verdict) = self.view(under, table, view, mode) {
                    return verdict;
                }
            }
            match self.step(table, number, lacks, mode) {
                Came::On => {}
                Came::Ended => return passed(lacks),
                Came::Stopped(verdict) => return verdict,
            }
        }
        match table.end() {
            _ if self.ends.is_empty() => passed(lacks),
            Acted::Shown(shown) => self.end(&shown, lacks, mode),
            Acted::Unsupported { feature } => Verdict::Unsupported(feature),
            Acted::Error { text } => Verdict::Error(format!("at the end ({}): {text}", word(mode))),
        }
    }

    fn end(&self, shown: &Shown, lacks: &[String], mode: Mode) -> Verdict {
        let mut first = None;
        for end in self.ends {
            let mut lines = differences(end, shown, lacks);
            if lines.is_empty() {
                return passed(lacks);
            }
            lines.iter_mut().for_each(|line| *line = format!("at the end ({}): {line}", word(mode)));
            lines.extend(shown.reasons.iter().map(|reason| format!("  {reason}")));
            first = first.or(Some(Verdict::Fail(lines)));
        }
        first.unwrap_or(Verdict::Pass)
    }

    fn step(&self, table: &mut dyn Table, number: usize, lacks: &[String], mode: Mode) -> Came {
        let (Some(step), Some(act)) = (self.play.steps.get(number), self.acts.get(number)) else { return Came::On };
        let text = step.act.text.as_str();
        let name = format!("step {} `{text}` ({})", number + 1, word(mode));
        let shown = match table.act(&ActAsk { step: number + 1, text, act }) {
            Acted::Shown(shown) => shown,
            Acted::Unsupported { feature } => return Came::Stopped(Verdict::Unsupported(feature)),
            Acted::Error { text } => return Came::Stopped(Verdict::Error(format!("{name}: {text}"))),
        };
        let own = match mode {
            Mode::Prevent => step.then.prevent.as_ref(),
            Mode::Adjudicate => step.then.adjudicate.as_ref(),
        };
        let all = [Some(&step.then.outcome), own];
        let mut lines = Vec::new();
        let refused: Vec<&String> = all.iter().flatten().flat_map(|expected: &&Expected| &expected.refused).collect();
        lines.extend(refusal(&refused, shown.refused.as_ref(), mode));
        for expected in all.into_iter().flatten() {
            lines.extend(expected.ruling.as_ref().and_then(|expected| ruling(expected, shown.ruling.as_ref())));
            lines.extend(differences(&expected.facts, &shown, lacks));
        }
        if !lines.is_empty() {
            lines.iter_mut().for_each(|line| *line = format!("{name}: {line}"));
            lines.extend(shown.reasons.iter().map(|reason| format!("  {reason}")));
            return Came::Stopped(Verdict::Fail(lines));
        }
        let prevented = mode == Mode::Prevent && step.then.prevent.as_ref().is_some_and(|prevent| !prevent.refused.is_empty());
        if prevented { Came::Ended } else { Came::On }
    }

    /// The same play with other cards where the seat may not see them: what it sees must be the same.
    fn view(&self, under: &Under, table: &mut dyn Table, view: &View, mode: Mode) -> Option<Verdict> {
        let Some(seen) = table.view(&view.seat) else { return Some(Verdict::Unsupported("view".to_owned())) };
        let mut ask = self.open_ask(under, mode);
        let mut pool = view.pool.iter();
        // What is done with cards that the seat may not see is done with the other cards.
        let mut acts = self.acts.to_vec();
        for (seat, cards) in &view.vary {
            let Some(order) = ask.orders.first_mut() else { continue };
            for card in cards {
                let other = pool.next();
                // What a seat holds it was dealt, or drew of the rest.
                let hand = order.deal.get_mut(seat).into_iter().chain(&mut order.stock).find(|hand| hand.split_whitespace().any(|word| word == card));
                let (Some(hand), Some(other)) = (hand, other) else {
                    return Some(Verdict::Error(format!("`vary`: {seat} is dealt no {card}, or the pool is too small")));
                };
                let words = hand.split_whitespace().map(|word| if word == card { other.as_str() } else { word });
                *hand = words.collect::<Vec<_>>().join(" ");
                acts.iter_mut().filter(|act| act.by.it.to_string() != view.seat).for_each(|act| exchange(act, card, other));
            }
        }
        let mut verdict = None;
        self.implementation.open(&ask, &mut |opened| {
            verdict = match opened {
                Opened::Table { table, .. } => self.same_view(table, &acts, view, &seen),
                Opened::Unsupported { feature } => Some(Verdict::Unsupported(feature)),
                Opened::Error { text } => Some(Verdict::Error(format!("with other cards: {text}"))),
            };
        });
        verdict
    }

    fn same_view(&self, table: &mut dyn Table, acts: &[Act], view: &View, seen: &str) -> Option<Verdict> {
        let steps = usize::try_from(view.after).unwrap_or(0);
        for (number, (step, act)) in self.play.steps.iter().zip(acts).enumerate().take(steps) {
            match table.act(&ActAsk { step: number + 1, text: &step.act.text, act }) {
                Acted::Shown(_) => {}
                Acted::Unsupported { feature } => return Some(Verdict::Unsupported(feature)),
                Acted::Error { text } => return Some(Verdict::Error(format!("with other cards, step {}: {text}", number + 1))),
            }
        }
        let other = table.view(&view.seat);
        (other.as_deref() != Some(seen)).then(|| {
            let cards: Vec<String> = view.vary.iter().map(|(seat, cards)| format!("{} of {seat}", cards.join(" "))).collect();
            Verdict::Fail(vec![format!("view: after step {} {} sees other things when {} change", view.after, view.seat, cards.join(", "))])
        })
    }
}

/// The same act with another card.
fn exchange(act: &mut Act, card: &str, other: &str) {
    for argument in &mut act.arguments {
        if let Argument::Written(written) = &mut argument.it
            && written.written.to_string() == card
        {
            written.written = Written::Compact(other.to_owned());
        }
    }
}

fn passed(lacks: &[String]) -> Verdict {
    if lacks.is_empty() { Verdict::Pass } else { Verdict::Partial(lacks.to_vec()) }
}

fn word(mode: Mode) -> &'static str {
    match mode {
        Mode::Prevent => "prevent",
        Mode::Adjudicate => "adjudicate",
    }
}

/// Facts that differ; what the engine cannot report is passed over.
fn differences(expected: &Facts, shown: &Shown, lacks: &[String]) -> Vec<String> {
    let facts: &BTreeMap<String, Data> = &shown.facts;
    expected.iter().filter(|(name, _)| !lacks.contains(name)).filter_map(|(name, check)| fact(name, check, facts.get(name))).collect()
}

/// Whether a refusal, or none, is as expected.
fn refusal(expected: &[&String], found: Option<&Refused>, mode: Mode) -> Option<String> {
    let or = |words: &[&String]| words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" or ");
    match (expected, found) {
        ([], None) => None,
        // Who adjudicates lets it be tried; that a rule says no is what comes of it.
        ([], Some(refused)) if refused.by_rule && mode == Mode::Adjudicate => None,
        ([], Some(refused)) => Some(format!("refused ({}): {}", refused.classes.join(", "), refused.text)),
        (expected, None) => Some(format!("refused: expected {}, got it done", or(expected))),
        (expected, Some(refused)) => {
            let same = expected.iter().any(|class| refused.classes.contains(class));
            // Where the engine has none of these classes, that it refuses is all that can be compared.
            let comparable = expected.iter().any(|class| refused.known.contains(class));
            (!same && comparable).then(|| format!("refused: expected {}, got {} ({})", or(expected), refused.classes.join(", "), refused.text))
        }
    }
}

fn ruling(expected: &Ruling, found: Option<&Ruling>) -> Option<String> {
    let found = found?;
    let same = match (expected, found) {
        (Ruling::Unknown { fact }, Ruling::Unknown { fact: found }) => found.is_empty() || fact == found,
        (Ruling::Open { to, among }, Ruling::Open { to: other, among: others }) => {
            to == other && among.iter().collect::<BTreeSet<_>>() == others.iter().collect::<BTreeSet<_>>()
        }
        (expected, found) => expected == found,
    };
    (!same).then(|| format!("ruling: expected {}, got {}", in_words(expected), in_words(found)))
}

fn in_words(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Value => "value".to_owned(),
        Ruling::Silent => "silent".to_owned(),
        Ruling::Conflict => "conflict".to_owned(),
        Ruling::Open { to, among } => format!("open to {to} among {}", among.join(", ")),
        Ruling::Unknown { fact } => format!("unknown {fact}"),
    }
}
