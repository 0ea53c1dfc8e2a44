//! Which statements of the books the corpus holds the rules to.
//!
//! A statement is *cited* if an element of some rulebook cites it; *tested* if an accepted case cites it that runs; *covered* if dropping, or
//! flipping, an element that cites it makes a case fail that cites it too. Covered is what counts: the other two say what is missing.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::case::{Case, Status};
use super::corpus::{Corpus, cites};
use super::implementation::Implementation;
use super::inventory::{Inventory, Statement};
use super::runner::{Strictness, Verdict, one, run};

/// A part of a rulebook that can be taken out: a rule, a class, an edge, the default of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// `foster-draw`
    pub rulebook: String,
    /// Ids of statements.
    pub cites: Vec<String>,
    /// What was done to the rulebook, in a few words: `without class blaze`.
    pub what: String,
    /// `spec/poker/foster.hoyle:12:3`
    pub place: String,
}

/// What coverage needs to know of the rulebooks.
pub trait Elements: Sync {
    /// Every element of every rulebook that cites something.
    fn citing(&self) -> Vec<Element>;

    /// An implementation of the element's rulebook without it (or with it flipped); `None` if what is left is no rulebook.
    fn without(&self, element: &Element) -> Option<Box<dyn Implementation>>;
}

/// How a statement stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub statement: Statement,
    pub cited: bool,
    pub tested: bool,
    pub covered: bool,
    /// What a covered statement has and this has not; empty if it is covered.
    pub missing: Vec<String>,
}

/// Counts of one section of a book, or of all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Section {
    pub book: String,
    pub heading: String,
    pub statements: usize,
    pub cited: usize,
    pub tested: usize,
    pub covered: usize,
}

impl Section {
    pub fn open(&self) -> usize {
        self.statements - self.covered
    }

    fn add(&mut self, standing: &Standing) {
        self.statements += 1;
        self.cited += usize::from(standing.cited);
        self.tested += usize::from(standing.tested);
        self.covered += usize::from(standing.covered);
    }
}

/// Everything that is known of an element after its mutant ran.
struct Mutant<'e> {
    element: &'e Element,
    /// Statements cited by the element and by a case that its loss makes fail.
    kills: BTreeSet<String>,
    /// There was a case to try, and no mutant to try it on.
    unmade: bool,
}

/// How every statement stands whose id begins with `book`, in the order of the books. `base` answers with all its rules.
pub fn cover(inventory: &Inventory, corpus: &Corpus, base: &dyn Implementation, elements: &dyn Elements, book: &str) -> Vec<Standing> {
    let (mut statements, _) = inventory.statements();
    statements.retain(|statement| statement.id.starts_with(book));
    let wanted: BTreeSet<&str> = statements.iter().map(|statement| statement.id.as_str()).collect();
    let cases: Vec<&Case> = corpus
        .cases
        .iter()
        .filter(|case| case.status == Status::Accepted && cites(case).iter().any(|cite| wanted.contains(cite.text.as_str())))
        .collect();
    let done = run(&cases, base, LENIENT, &|| ());
    let citing = elements.citing();
    let citing: Vec<&Element> = citing.iter().filter(|element| element.cites.iter().any(|cite| wanted.contains(cite.as_str()))).collect();
    let passing: Vec<(&Case, &str)> =
        done.outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Pass).map(|outcome| (outcome.case, outcome.rulebook)).collect();
    let mutants: Vec<Mutant<'_>> = citing.par_iter().map(|element| mutant(element, &passing, elements)).collect();
    let runs = done.outcomes.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Pass | Verdict::Fail(_)));
    let tested: BTreeSet<&str> = runs.flat_map(|outcome| cites(outcome.case)).map(|cite| cite.text.as_str()).collect();
    statements.into_iter().map(|statement| standing(statement, &mutants, &tested)).collect()
}

/// Hand-written expectations kill a mutant; what a case says of other values of its parameters does not.
const LENIENT: Strictness = Strictness { discriminates: false };

/// Runs the cases that share a citation with the element, without the element.
fn mutant<'e>(element: &'e Element, passing: &[(&Case, &str)], elements: &dyn Elements) -> Mutant<'e> {
    let shared = |case: &Case| -> Vec<String> {
        let both = cites(case).into_iter().filter(|cite| element.cites.contains(&cite.text));
        both.map(|cite| cite.text.clone()).collect()
    };
    let tries: Vec<(&Case, Vec<String>)> = passing
        .iter()
        .filter(|(_, book)| *book == element.rulebook)
        .map(|(case, _)| (*case, shared(case)))
        .filter(|(_, shared)| !shared.is_empty())
        .collect();
    let none = Mutant { element, kills: BTreeSet::new(), unmade: false };
    if tries.is_empty() {
        return none;
    }
    let Some(without) = elements.without(element) else { return Mutant { unmade: true, ..none } };
    let who = without.describe();
    // A mutant is a sound rulebook; one that breaks under the edits of a case has failed that case.
    let killed = |case: &Case| matches!(one(case, &element.rulebook, &who, without.as_ref(), LENIENT), Verdict::Fail(_) | Verdict::Error(_));
    let kills = tries.into_iter().filter(|(case, _)| killed(case)).flat_map(|(_, shared)| shared).collect();
    Mutant { kills, ..none }
}

fn standing(statement: Statement, mutants: &[Mutant<'_>], tested: &BTreeSet<&str>) -> Standing {
    let citing: Vec<&Mutant<'_>> = mutants.iter().filter(|mutant| mutant.element.cites.contains(&statement.id)).collect();
    let cited = !citing.is_empty();
    let tested = tested.contains(statement.id.as_str());
    let covered = citing.iter().any(|mutant| mutant.kills.contains(&statement.id));
    let mut missing = Vec::new();
    if !cited {
        missing.push("no element of a rulebook cites it".to_owned());
    }
    if !tested {
        missing.push("no accepted case that runs cites it".to_owned());
    }
    if cited && tested && !covered {
        missing.extend(citing.into_iter().map(survivor));
    }
    Standing { statement, cited, tested, covered, missing }
}

fn survivor(mutant: &Mutant<'_>) -> String {
    let Element { rulebook, what, place, .. } = mutant.element;
    if mutant.unmade {
        format!("{what}, {rulebook} is no rulebook that could be tried ({place})")
    } else {
        format!("no case that cites it fails {what} of {rulebook} ({place})")
    }
}

/// Counts by book and section, in the order of the books.
pub fn sections(standings: &[Standing]) -> Vec<Section> {
    let mut at: BTreeMap<(String, &str), usize> = BTreeMap::new();
    let mut sections: Vec<Section> = Vec::new();
    for standing in standings {
        let (book, heading) = (standing.statement.book(), standing.statement.place.heading.as_str());
        let position = *at.entry((book.clone(), heading)).or_insert(sections.len());
        if position == sections.len() {
            sections.push(Section { book, heading: heading.to_owned(), ..Section::default() });
        }
        if let Some(section) = sections.get_mut(position) {
            section.add(standing);
        }
    }
    sections
}

/// Counts of all together.
pub fn total(standings: &[Standing]) -> Section {
    let mut total = Section { book: "all".to_owned(), ..Section::default() };
    standings.iter().for_each(|standing| total.add(standing));
    total
}
