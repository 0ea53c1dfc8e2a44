//! Printed figures, recomputed: clause 7.13.

use std::collections::BTreeMap;

use super::catalog::Catalog;
use super::cite::Provenance;
use super::constant::{OptionId, ParameterId, Type};
use super::draft::Draft;
use super::figure::{Agreement, count_agrees, ratio_agrees};
use super::kinds::KindId;
use super::load::distinct;
use super::pattern::Inside;
use super::place::Sort;
use super::resolve::Names;
use super::rulebook::fold;
use super::scope::unknown;
use super::selection::{LayerKind, Selection};
use super::settings::Overrides;
use super::situations;
use super::weave::RuledRanking;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::Pattern;
use crate::source::Span;
use crate::syntax::tree::{self, Claim, Measure, Name};

/// A printed figure and what it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The claim's line; its citation is the statement that prints the figure.
    pub from: Provenance,
    /// `4164 to 1` is (4164, Some(1)), `624` is (624, None).
    pub printed: (i64, Option<i64>),
    pub exact: Exact,
    pub agreement: Agreement,
    /// How the words were understood.
    pub reading: Option<String>,
    /// Under which settings it was counted, if not the default.
    pub under: String,
}

/// Exact numbers of hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Hands without to hands with.
    Against { without: u64, with: u64 },
    /// Hands with the one to hands with the other.
    Proportion { one: u64, other: u64 },
    /// So many hands, of so many.
    Count { hands: u64, of: u64 },
}

impl Catalog {
    /// Every claim of a selection, recomputed.
    ///
    /// # Errors
    /// What is wrong with the rulebook or with a claim.
    pub fn figures(&self, selection: &Selection) -> Result<Vec<Figure>, Vec<Diagnostic>> {
        let mut faults = Vec::new();
        let Some(draft) = self.draft(selection, &mut faults) else { return Err(distinct(faults)) };
        let mut figures = Vec::new();
        for (claim, from) in &draft.claims {
            if let Some(read) = read(&draft, claim, &mut faults) {
                match read.figure(claim, from) {
                    Ok(figure) => figures.push(figure),
                    Err(fault) => faults.push(*fault),
                }
            }
        }
        if faults.iter().any(Diagnostic::is_error) { Err(distinct(faults)) } else { Ok(figures) }
    }
}

/// Whether every claim can be counted; nothing is counted. A book's figures are of its own rules: what a house makes of those rules need not bear them.
pub(super) fn check(draft: &Draft, faults: &mut Vec<Diagnostic>) {
    let of_top = |layer: &str| draft.chain.len() == 1 || !draft.layers.iter().any(|(name, kind)| name == layer && *kind == LayerKind::Rulebook);
    for (claim, _) in draft.claims.iter().filter(|(_, from)| of_top(&from.layer)) {
        read(draft, claim, faults);
    }
}

/// A claim whose names are resolved.
struct Read {
    ranking: RuledRanking,
    patterns: Vec<Pattern>,
    under: String,
}

fn read(draft: &Draft, claim: &Claim, faults: &mut Vec<Diagnostic>) -> Option<Read> {
    let overrides = overrides(draft, claim, faults)?;
    let mut found = Vec::new();
    let rulebook = fold(draft, &overrides, &mut found);
    if rulebook.is_none() {
        // The default has been complained about elsewhere.
        if overrides != Overrides::default() {
            faults.append(&mut found);
        }
        return None;
    }
    let rulebook = rulebook?;
    let ranking = match &claim.ranking {
        Some(name) => match rulebook.rankings.iter().find(|ranking| ranking.name == name.it) {
            Some(ranking) => ranking,
            None => {
                faults.push(match rulebook.family(&name.it) {
                    Some(family) => family.not_alone().with_label(name.span, ""),
                    None => draft.scope.missing(name, &[Sort::Ranking], "a ranking"),
                });
                return None;
            }
        },
        None => match rulebook.rankings.first() {
            Some(ranking) => ranking,
            None => {
                faults.push(Diagnostic::new(Code::NoRanking, "a figure is counted in a ranking, and there is none", claim.statement.span));
                return None;
            }
        },
    };
    let written: Vec<&tree::Pattern> = match &claim.measure {
        Measure::Against(pattern) | Measure::Count(pattern) => vec![pattern],
        Measure::Proportion(one, other) => vec![one, other],
    };
    if let Some(number) = &claim.figure.1 {
        let is_count = matches!(claim.measure, Measure::Count(_));
        if is_count || number.it <= 0 {
            let message = if is_count { "a number of hands is one number" } else { "a figure is in proportion to at least 1" };
            faults.push(Diagnostic::new(Code::OutOfRange, message, number.span));
            return None;
        }
    }
    let patterns = patterns(draft, ranking, &written, faults)?;
    Some(Read { ranking: ranking.clone(), patterns, under: situations::describe(draft, &overrides) })
}

/// The settings under which a claim's condition holds.
fn overrides(draft: &Draft, claim: &Claim, faults: &mut Vec<Diagnostic>) -> Option<Overrides> {
    let Some(under) = &claim.under else { return Some(Overrides::default()) };
    let condition = with_names(draft, |names| names.condition(under, faults))?;
    let overrides = situations::overrides_for(&condition);
    if overrides == Overrides::default() {
        let fault = Diagnostic::new(Code::NotConstant, "this does not say which settings are meant", under.span);
        faults.push(fault.with_help("write `under OPTION = BRANCH`, `PARAMETER = VALUE` or `VALUE in PARAMETER`, joined by `and`"));
        return None;
    }
    Some(overrides)
}

fn patterns(draft: &Draft, ranking: &RuledRanking, written: &[&tree::Pattern], faults: &mut Vec<Diagnostic>) -> Option<Vec<Pattern>> {
    let ranking_draft = draft.rankings.iter().find(|other| other.name.it == ranking.name)?;
    let piece = draft.pieces.get(ranking.pack)?;
    let mut missing: Vec<Diagnostic> = Vec::new();
    let read = with_names(draft, |names| {
        let inside = Inside {
            names: *names,
            layers: &[],
            piece,
            parameters: &[],
            scales: &ranking_draft.scales,
            by: ranking_draft.by,
            largest: *ranking_draft.sizes.end(),
            ranking: &ranking_draft.name,
        };
        let missing = std::cell::RefCell::new(&mut missing);
        let class = |name: &Name| {
            let found = ranking.model.classes.iter().position(|class| class.name == name.it);
            if found.is_none() {
                let fault = if ranking_draft.class(&name.it).is_some() {
                    Diagnostic::new(Code::UnknownName, format!("the class `{}` is not in use under these settings", name.it), name.span)
                        .with_help("say under which settings the figure is meant: `under …`")
                } else {
                    unknown(name, &format!("a class of `{}`", ranking.name), ranking_draft.declared.iter().map(|declared| declared.name.as_str()))
                };
                missing.borrow_mut().push(fault);
            }
            found
        };
        let read: Vec<Option<Pattern>> = written.iter().map(|pattern| Some(inside.pattern(pattern, Some(&class), faults)?.fill(&[]))).collect();
        read.into_iter().collect::<Option<Vec<Pattern>>>()
    });
    faults.append(&mut missing);
    read
}

impl Read {
    fn figure(&self, claim: &Claim, from: &Provenance) -> Result<Figure, Box<Diagnostic>> {
        let mut counts = Vec::new();
        let mut of = 0;
        for pattern in &self.patterns {
            match self.ranking.model.count(pattern) {
                Ok(counted) => {
                    counts.push(counted.fitting);
                    of = counted.of;
                }
                Err(many) => return Err(Box::new(too_many(many.0, claim.statement.span))),
            }
        }
        let first = counts.first().copied().unwrap_or(0);
        let printed = (claim.figure.0.it, claim.figure.1.as_ref().map(|number| number.it));
        let ratio = (printed.0, printed.1.unwrap_or(1));
        let (exact, agreement) = match claim.measure {
            Measure::Against(_) => (Exact::Against { without: of - first, with: first }, ratio_agrees(ratio, (of - first, first))),
            Measure::Proportion(..) => {
                let other = counts.get(1).copied().unwrap_or(0);
                (Exact::Proportion { one: first, other }, ratio_agrees(ratio, (first, other)))
            }
            Measure::Count(_) => (Exact::Count { hands: first, of }, count_agrees(printed.0, first)),
        };
        let reading = claim.reading.as_ref().map(|text| text.it.clone());
        Ok(Figure { from: from.clone(), printed, exact, agreement, reading, under: self.under.clone() })
    }
}

fn too_many(hands: u64, span: Span) -> Diagnostic {
    let fault = Diagnostic::new(Code::OutOfRange, format!("{hands} hands are too many to be counted one by one"), span);
    fault.with_help("figures are counted at once where a ranking has a table (clause 7.11)")
}

/// Calls `with` with what names mean in a draft.
fn with_names<T>(draft: &Draft, with: impl FnOnce(&Names<'_>) -> T) -> T {
    let parameters: BTreeMap<String, (ParameterId, Option<Type>)> =
        draft.parameters.iter().enumerate().map(|(id, parameter)| (parameter.name.clone(), (id, Some(parameter.found)))).collect();
    let options: BTreeMap<String, (OptionId, KindId)> =
        draft.options.iter().enumerate().map(|(id, option)| (option.name.clone(), (id, option.kind))).collect();
    with(&Names { scope: &draft.scope, kinds: &draft.kinds, parameters: &parameters, options: &options, local: None })
}
