//! Puts cases to an implementation.

mod play;
mod reckon;

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::case::{Body, Case, Compare, Expect, Expected, Params, Row, Status};
use super::comparator::{Judgement, judge, order_text};
use super::implementation::{CompareAsk, Description, FEATURES, Implementation, Reply, Under};

/// What came of a case with one rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    /// A line for each difference, the first difference first.
    Fail(Vec<String>),
    /// What could be checked passed; these facts the engine does not report. Never `Pass`.
    Partial(Vec<String>),
    /// The engine, or the rulebook, has no such thing.
    Unsupported(String),
    /// The engine failed or panicked.
    Error(String),
    /// The run ended before.
    NotRun(String),
}

impl Verdict {
    /// The word that reports use.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail(_) => "fail",
            Verdict::Partial(_) => "partial",
            Verdict::Unsupported(_) => "unsupported",
            Verdict::Error(_) => "error",
            Verdict::NotRun(_) => "not-run",
        }
    }

    /// What there is to say about it.
    pub fn lines(&self) -> Vec<&str> {
        match self {
            Verdict::Pass => Vec::new(),
            Verdict::Fail(lines) | Verdict::Partial(lines) => lines.iter().map(String::as_str).collect(),
            Verdict::Unsupported(text) | Verdict::Error(text) | Verdict::NotRun(text) => vec![text],
        }
    }
}

/// One case with one rulebook.
#[derive(Clone, Debug)]
pub struct Outcome<'c> {
    pub case: &'c Case,
    pub rulebook: &'c str,
    /// Of a case with a table, the row.
    pub row: Option<&'c Row>,
    pub verdict: Verdict,
}

impl Outcome<'_> {
    /// The id of the case, and of a row with its key: `nap-0fsa.made`.
    pub fn id(&self) -> String {
        match self.row {
            Some(row) => format!("{}.{}", self.case.id.text, row.key.text),
            None => self.case.id.text.clone(),
        }
    }
}

/// How many outcomes have each verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    pub pass: usize,
    pub fail: usize,
    pub partial: usize,
    pub unsupported: usize,
    pub error: usize,
    pub not_run: usize,
}

impl Tally {
    pub fn of<'o>(outcomes: impl IntoIterator<Item = &'o Outcome<'o>>) -> Tally {
        let mut tally = Tally::default();
        for outcome in outcomes {
            *match outcome.verdict {
                Verdict::Pass => &mut tally.pass,
                Verdict::Fail(_) => &mut tally.fail,
                Verdict::Partial(_) => &mut tally.partial,
                Verdict::Unsupported(_) => &mut tally.unsupported,
                Verdict::Error(_) => &mut tally.error,
                Verdict::NotRun(_) => &mut tally.not_run,
            } += 1;
        }
        tally
    }

    /// Differences and failures of the engine: what a green run has none of.
    pub fn failed(&self) -> usize {
        self.fail + self.error
    }

    /// Neither passed nor failed.
    pub fn skipped(&self) -> usize {
        self.partial + self.unsupported + self.not_run
    }
}

/// All outcomes of a run, in the order of the corpus.
#[derive(Clone, Debug)]
pub struct Run<'c> {
    pub who: Description,
    pub outcomes: Vec<Outcome<'c>>,
}

impl Run<'_> {
    /// Of accepted cases: only they count.
    pub fn tally(&self) -> Tally {
        Tally::of(self.outcomes.iter().filter(|outcome| outcome.case.status == Status::Accepted))
    }
}

/// How strictly to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strictness {
    /// Hold the cases themselves to `discriminates`: for the reference only, since another engine need not know the other values.
    pub discriminates: bool,
}

/// Asks in parallel; the outcomes are in the order of `cases` whatever is ready first. `done` is called after each.
pub fn run<'c>(cases: &[&'c Case], implementation: &dyn Implementation, strict: Strictness, done: &(dyn Fn() + Sync)) -> Run<'c> {
    let who = implementation.describe();
    let units: Vec<Unit<'c>> = cases.iter().flat_map(|case| units(case)).collect();
    let ask = |&(case, rulebook, row): &Unit<'c>| {
        let verdict = row_or_all(case, rulebook, row, &who, implementation, strict);
        done();
        Outcome { case, rulebook, row, verdict }
    };
    let outcomes = units.par_iter().map(ask).collect();
    Run { who, outcomes }
}

/// What gets a verdict of its own: a case with one of its rulebooks, row by row if it has a table.
type Unit<'c> = (&'c Case, &'c str, Option<&'c Row>);

/// How many verdicts a case gets.
pub fn verdicts(case: &Case) -> usize {
    units(case).len()
}

fn units(case: &Case) -> Vec<Unit<'_>> {
    let books = case.rules.iter().map(|book| book.text.as_str());
    let rows = match &case.body {
        Body::Reckon(reckon) => reckon.table.as_slice(),
        Body::Compare(_) | Body::Play(_) => &[],
    };
    if rows.is_empty() {
        return books.map(|book| (case, book, None)).collect();
    }
    books.flat_map(|book| rows.iter().map(move |row| (case, book, Some(row)))).collect()
}

/// One case with one rulebook; of a table the first row that does not pass.
pub fn one(case: &Case, rulebook: &str, who: &Description, implementation: &dyn Implementation, strict: Strictness) -> Verdict {
    row_or_all(case, rulebook, None, who, implementation, strict)
}

fn row_or_all(case: &Case, rulebook: &str, row: Option<&Row>, who: &Description, implementation: &dyn Implementation, strict: Strictness) -> Verdict {
    if !who.kinds.contains(&case.kind()) {
        return Verdict::Unsupported(case.kind().text().to_owned());
    }
    let known = |feature: &&String| FEATURES.contains(&feature.as_str());
    if let Some(feature) = case.requires.iter().filter(known).find(|feature| !who.features.contains(feature)) {
        return Verdict::Unsupported(feature.clone());
    }
    let asking = || match &case.body {
        Body::Compare(compare) => self::compare(case, compare, rulebook, implementation, strict),
        Body::Play(play) => play::play(case, play, rulebook, implementation, strict),
        Body::Reckon(reckon) => reckon::reckon(case, reckon, row, rulebook, implementation, strict),
    };
    // An implementation that panics has failed at this case, not at the run.
    catch_unwind(AssertUnwindSafe(asking)).unwrap_or_else(|payload| Verdict::Error(panicked(payload.as_ref())))
}

/// Under which rules a case is put.
fn under(case: &Case, rulebook: &str, params: &Params) -> Under {
    let mut all = case.params.clone();
    all.extend(params.clone());
    let (game, rules) = (case.interface().to_owned(), rulebook.to_owned());
    Under { game, rules, with: case.with.clone(), house: case.house.clone(), params: all }
}

/// What a case asks of one of its rulebooks.
pub fn question(case: &Case, compare: &Compare, rulebook: &str) -> CompareAsk {
    CompareAsk {
        game: case.interface().to_owned(),
        rules: rulebook.to_owned(),
        with: case.with.clone(),
        house: case.house.clone(),
        params: case.params.clone(),
        hands: compare.hands.clone(),
        separate: compare.separate,
    }
}

fn compare(case: &Case, compare: &Compare, rulebook: &str, implementation: &dyn Implementation, strict: Strictness) -> Verdict {
    let asked = question(case, compare, rulebook);
    for (params, lawful) in lawful(&compare.expected, rulebook) {
        let mut asked = asked.clone();
        asked.params.extend(params.clone());
        let verdict = meets(&lawful, &ask(implementation, &asked));
        if verdict != Verdict::Pass {
            return verdict;
        }
        if !strict.discriminates {
            continue;
        }
        let verdict = discriminates(case, &asked, &lawful, implementation);
        if verdict != Verdict::Pass {
            return verdict;
        }
    }
    Verdict::Pass
}

/// The lawful answers under each set of parameters: readings that differ in nothing else are alternatives.
fn lawful<'e, E>(expected: &'e Expected<E>, rulebook: &str) -> Vec<(Params, Vec<&'e E>)> {
    match expected {
        Expected::One(expect) => vec![(Params::new(), vec![expect])],
        Expected::Readings(readings) => {
            let mut all: Vec<(Params, Vec<&'e E>)> = Vec::new();
            for reading in readings.iter().filter(|reading| reading.rules.iter().any(|book| book == rulebook)) {
                match all.iter_mut().find(|(params, _)| *params == reading.params) {
                    Some((_, expects)) => expects.push(&reading.expect),
                    None => all.push((reading.params.clone(), vec![&reading.expect])),
                }
            }
            all
        }
    }
}

/// Under each of the values listed the verdict must be another: else the case does not depend on what it says it depends on.
fn depends(case: &Case, under: &Under, ask: &dyn Fn(&Under) -> Verdict) -> Verdict {
    for (name, values) in &case.discriminates {
        for value in values {
            let mut other = under.clone();
            other.params.insert(name.clone(), value.clone());
            let line = match ask(&other) {
                Verdict::Pass => format!("discriminates: with {name} = {value} everything is the same"),
                Verdict::Unsupported(feature) => format!("discriminates: {name} = {value} shows nothing, it is unsupported ({feature})"),
                Verdict::Error(text) => return Verdict::Error(format!("with {name} = {value}: {text}")),
                Verdict::Fail(_) | Verdict::Partial(_) | Verdict::NotRun(_) => continue,
            };
            return Verdict::Fail(vec![line]);
        }
    }
    Verdict::Pass
}

/// The reply is one of the lawful answers; otherwise what the first of them has to say.
fn meets(lawful: &[&Expect], reply: &Reply) -> Verdict {
    let mut first = None;
    for expect in lawful {
        match judge(expect, reply) {
            Judgement::Same => return Verdict::Pass,
            Judgement::Differs(lines) => first = first.or(Some(Verdict::Fail(lines))),
            Judgement::Unsupported(feature) => return Verdict::Unsupported(feature),
            Judgement::Error(text) => return Verdict::Error(text),
        }
    }
    first.unwrap_or_else(|| Verdict::NotRun("no reading speaks of this rulebook".to_owned()))
}

/// Under each of the values listed the answer must be another: else the case does not depend on what it says it depends on.
fn discriminates(case: &Case, asked: &CompareAsk, lawful: &[&Expect], implementation: &dyn Implementation) -> Verdict {
    for (name, values) in &case.discriminates {
        for value in values {
            let mut other = asked.clone();
            other.params.insert(name.clone(), value.clone());
            let reply = ask(implementation, &other);
            let line = match meets(lawful, &reply) {
                Verdict::Pass => format!("discriminates: with {name} = {value} the answer is the same, {}", reply_text(&reply)),
                Verdict::Unsupported(feature) => format!("discriminates: {name} = {value} shows nothing, it is unsupported ({feature})"),
                Verdict::Error(text) => return Verdict::Error(format!("with {name} = {value}: {text}")),
                Verdict::Fail(_) | Verdict::Partial(_) | Verdict::NotRun(_) => continue,
            };
            return Verdict::Fail(vec![line]);
        }
    }
    Verdict::Pass
}

fn reply_text(reply: &Reply) -> String {
    match reply {
        Reply::Answer(got) => order_text(&got.order),
        Reply::Refused { code, .. } => format!("refused: {code}"),
        Reply::Unsupported { feature } => format!("unsupported: {feature}"),
        Reply::Error { text } => text.clone(),
    }
}

/// An implementation that panics has failed at this question.
fn ask(implementation: &dyn Implementation, asked: &CompareAsk) -> Reply {
    catch_unwind(AssertUnwindSafe(|| implementation.compare(asked))).unwrap_or_else(|payload| Reply::Error { text: panicked(payload.as_ref()) })
}

fn panicked(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| payload.downcast_ref::<String>().cloned());
    format!("the engine panicked: {}", text.unwrap_or_else(|| "without a message".to_owned()))
}
