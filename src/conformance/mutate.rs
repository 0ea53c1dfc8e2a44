//! How much of a rulebook the hand-written expectations hold in place: the share of small mistakes in it that make a case fail.
//!
//! A mutant that is no rulebook, or comes to the same as the original, says nothing and is left out. Of the others, one that every case lets pass
//! has *survived*: somebody could make that mistake and nobody would notice. `conformance/equivalent-mutants.yaml` lists survivors that a person
//! has judged to make no difference that play could show.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::case::{Case, Status, Text};
use super::corpus::{Corpus, cites};
use super::implementation::Implementation;
use super::read::Reader;
use super::runner::{Strictness, Verdict, one, run};
use super::yaml;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};

/// A rulebook with one mistake in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What was done; no other mutant of the rulebook has this name.
    pub name: String,
    /// Ids of the statements that the changed element cites.
    pub cites: Vec<String>,
    /// `spec/poker/foster.hoyle:12`
    pub place: String,
    /// What it changes is the rulebook's own, not its book's: no expectation taken from the book can tell.
    pub inferred: bool,
    /// It stands outside the score of a rulebook, and counts for the thorough one.
    pub thorough: bool,
}

/// What is known of a mutant without a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The checker finds an error in it.
    Invalid,
    /// It comes to the same as the original under every setting.
    Equivalent,
    Sound,
}

/// A mutant that can be asked.
pub struct Made {
    pub implementation: Box<dyn Implementation>,
    /// Takes longer than most cases: asked of those only that survived, or failed with an error.
    pub standing: Box<dyn Fn() -> Standing>,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Made").finish_non_exhaustive()
    }
}

/// The mutants of one rulebook.
pub trait Mutants: Sync {
    fn all(&self) -> &[Mutant];

    /// The mutant at this position; `None` if what is left is no rulebook.
    fn made(&self, at: usize) -> Option<Made>;
}

/// Rulebooks that can be mutated.
pub trait Books: Sync {
    /// In alphabetical order.
    fn rulebooks(&self) -> Vec<String>;

    fn mutants(&self, rulebook: &str) -> Box<dyn Mutants>;
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    Killed,
    Survived,
    Invalid,
    /// It comes to the same as the original.
    Equivalent,
    /// It survived, and somebody has judged why nothing could kill it.
    Judged(String),
}

/// A mutant and its fate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    pub mutant: Mutant,
    pub fate: Fate,
}

/// One rulebook and its mutants, in the order of its text: those of its score, or those of the thorough one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    pub rulebook: String,
    pub thorough: bool,
    /// Accepted cases of the rulebook that pass.
    pub cases: usize,
    /// Accepted cases of the rulebook that do not pass as it is: they kill nothing.
    pub failing: usize,
    pub tried: Vec<Tried>,
}

impl Scored {
    /// Of what the book says.
    pub fn killed(&self) -> usize {
        self.count(|tried| tried.fate == Fate::Killed && !tried.mutant.inferred)
    }

    /// Of what the book says.
    pub fn survived(&self) -> usize {
        self.count(|tried| tried.fate == Fate::Survived && !tried.mutant.inferred)
    }

    /// Survivors of what is inferred.
    pub fn inferred(&self) -> usize {
        self.count(|tried| tried.fate == Fate::Survived && tried.mutant.inferred)
    }

    pub fn invalid(&self) -> usize {
        self.count(|tried| tried.fate == Fate::Invalid)
    }

    /// Those that come to the same, and those that somebody has judged.
    pub fn equivalent(&self) -> usize {
        self.count(|tried| matches!(tried.fate, Fate::Equivalent | Fate::Judged(_)))
    }

    fn count(&self, wanted: impl Fn(&Tried) -> bool) -> usize {
        self.tried.iter().filter(|tried| wanted(tried)).count()
    }

    /// Killed of what the book says and that could be, in tenths of a percent, rounded down: 1000 only if none survived. `None`: there were none.
    pub fn score(&self) -> Option<usize> {
        let all = self.killed() + self.survived();
        (self.killed() * 1000).checked_div(all)
    }
}

/// A survivor that somebody has judged, `equivalent-mutants.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub rulebook: Text,
    /// The name of the mutant.
    pub mutant: Text,
    /// Why no case could tell it from the original.
    pub reason: String,
}

/// Every judgement of a file, and the file with its faults.
pub fn judgements(name: &str, text: &str) -> (Vec<Judgement>, Sources, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file: FileId = sources.add(name, text);
    let mut reader = Reader::default();
    let mut found = Vec::new();
    for item in yaml::items(file, text, "judgements", &mut reader.faults) {
        let what = "a judgement";
        let Some(fields) = reader.fields(&item, what, &["rulebook", "mutant", "reason"]) else { continue };
        let mut need = |key: &str| reader.need(&fields, key, what).and_then(|node| reader.text(node, &format!("`{key}`")));
        if let (Some(rulebook), Some(mutant), Some(reason)) = (need("rulebook"), need("mutant"), need("reason")) {
            found.push(Judgement { rulebook, mutant, reason: reason.text });
        }
    }
    (found, sources, reader.faults)
}

/// Hand-written expectations kill; what a case says of other values of its parameters does not.
const LENIENT: Strictness = Strictness { discriminates: false };

/// The cases of one rulebook that pass, and how many mutants each of them has killed so far.
struct Cases<'c> {
    rulebook: &'c str,
    cases: Vec<(&'c Case, BTreeSet<&'c str>, AtomicUsize)>,
    /// How many do not pass.
    failing: usize,
}

impl<'c> Cases<'c> {
    fn of(rulebook: &'c str, corpus: &'c Corpus, base: &dyn Implementation) -> Cases<'c> {
        let speaks = |case: &&Case| case.status == Status::Accepted && case.rules.iter().any(|book| book.text == rulebook);
        let wanted: Vec<&Case> = corpus.cases.iter().filter(speaks).collect();
        let failed: BTreeSet<&str> = run(&wanted, base, LENIENT, &|| ())
            .outcomes
            .iter()
            .filter(|outcome| outcome.rulebook == rulebook && outcome.verdict != Verdict::Pass)
            .map(|outcome| outcome.case.id.text.as_str())
            .collect();
        let passing = wanted.into_iter().filter(|case| !failed.contains(case.id.text.as_str()));
        let cited = |case: &'c Case| cites(case).into_iter().map(|cite| cite.text.as_str()).collect();
        let failing = failed.len();
        Cases { rulebook, failing, cases: passing.map(|case| (case, cited(case), AtomicUsize::new(0))).collect() }
    }

    /// What the first case says that a mutant does not pass. Whether there is one does not depend on the order, how soon it is found does:
    /// cases that cite what the mutant cites come first, then those that have killed most.
    fn killer(&self, mutant: &Mutant, implementation: &dyn Implementation) -> Option<Verdict> {
        let mut order: Vec<_> = self.cases.iter().collect();
        order.sort_by_cached_key(|(_, cited, kills)| {
            let shared = mutant.cites.iter().any(|cite| cited.contains(cite.as_str()));
            (!shared, usize::MAX - kills.load(Ordering::Relaxed))
        });
        let who = implementation.describe();
        order.into_iter().find_map(|(case, _, kills)| {
            let verdict = one(case, self.rulebook, &who, implementation, LENIENT);
            (verdict != Verdict::Pass).then(|| {
                kills.fetch_add(1, Ordering::Relaxed);
                verdict
            })
        })
    }
}

/// What is to be tried of a rulebook.
#[derive(Debug)]
pub struct Plan<'p> {
    pub rulebook: &'p str,
    /// Which of the two scores they are for.
    pub thorough: bool,
    /// Positions among its mutants.
    pub wanted: Vec<usize>,
}

/// Tries the mutants of a plan on the cases of its rulebook. `base` answers without a mistake; `done` is called after each mutant.
pub fn score(
    plan: &Plan<'_>,
    mutants: &dyn Mutants,
    corpus: &Corpus,
    base: &dyn Implementation,
    judged: &[Judgement],
    done: &(dyn Fn() + Sync),
) -> Scored {
    let cases = Cases::of(plan.rulebook, corpus, base);
    let reasons: BTreeMap<&str, &str> = judged
        .iter()
        .filter(|judgement| judgement.rulebook.text == plan.rulebook)
        .map(|judgement| (judgement.mutant.text.as_str(), judgement.reason.as_str()))
        .collect();
    let tries = plan.wanted.par_iter().filter_map(|&at| {
        let mutant = mutants.all().get(at)?;
        let fate = match fate(&cases, mutant, mutants.made(at)) {
            Fate::Survived => reasons.get(mutant.name.as_str()).map_or(Fate::Survived, |reason| Fate::Judged((*reason).to_owned())),
            fate @ (Fate::Killed | Fate::Invalid | Fate::Equivalent | Fate::Judged(_)) => fate,
        };
        done();
        Some(Tried { mutant: mutant.clone(), fate })
    });
    let (rulebook, tried) = (plan.rulebook.to_owned(), tries.collect());
    Scored { rulebook, thorough: plan.thorough, cases: cases.cases.len(), failing: cases.failing, tried }
}

fn fate(cases: &Cases<'_>, mutant: &Mutant, made: Option<Made>) -> Fate {
    let Some(Made { implementation, standing }) = made else { return Fate::Invalid };
    match cases.killer(mutant, implementation.as_ref()) {
        // Where it fails with an error, it may be no rulebook under the settings of the case.
        Some(Verdict::Error(_)) if standing() == Standing::Invalid => Fate::Invalid,
        Some(_) => Fate::Killed,
        None => match standing() {
            Standing::Invalid => Fate::Invalid,
            Standing::Equivalent => Fate::Equivalent,
            Standing::Sound => Fate::Survived,
        },
    }
}
