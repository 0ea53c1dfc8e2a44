//! What can be said only of a whole ranking: hands are looked at, and examples written as cards. Clauses 7.7, 7.8 and 7.11.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::advice::all_of;
use super::family::RankingFamily;
use super::weave::RuledRanking;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{Checked, ClassId, Domain, KeyWord, PieceId, RankingFault, ValueId};
use crate::source::Span;

/// Faults of a ranking, and whether it is slow.
pub(super) fn judge(ranking: &RuledRanking) -> Vec<Diagnostic> {
    let checked = ranking.model.check();
    told(&checked).map(|fault| describe(ranking, fault)).chain(slow(ranking, &checked)).collect()
}

/// What is worth saying.
fn told(checked: &Checked) -> impl Iterator<Item = &RankingFault> {
    // Without a run nothing is compared; that hands are level then is no second mistake.
    let no_run = |class: &ClassId| checked.faults.iter().any(|fault| matches!(fault, RankingFault::NoRun { class: other } if other == class));
    checked.faults.iter().filter(move |fault| !matches!(fault, RankingFault::Level { class, .. } if no_run(class)))
}

fn slow(ranking: &RuledRanking, checked: &Checked) -> Option<Diagnostic> {
    // What is of any size is meant to be compared hand by hand.
    let reason = checked.table.as_ref().err().filter(|_| !ranking.model.is_of_any())?;
    let place = ranking.classes.first().map(|from| from.span).unwrap_or_default();
    Some(Diagnostic::new(Code::SlowRanking, format!("`{}` is compared and counted slowly, hand by hand: {reason}", ranking.name), place))
}

/// So many ways to fill the parameters of a ranking are judged; of more, as many that lie evenly among them.
const MOST_JUDGED: usize = 64;

/// Faults of a ranking with parameters, each once, with the first arguments under which it was found. Clause 7.1.
pub(super) fn judge_family(family: &RankingFamily) -> Vec<Diagnostic> {
    let domains = family.domains();
    let combinations = Domain::combinations(&domains);
    let judged = combinations.min(MOST_JUDGED);
    let numbers = (0..judged).into_par_iter().map(|at| if judged == combinations { at } else { spread(at, judged, combinations) });
    let all: Vec<Judged> = numbers
        .map(|number| {
            let arguments = Domain::arguments(&domains, number);
            let ranking = family.instance(&arguments);
            let checked = ranking.model.check();
            Judged { arguments, ranking, checked }
        })
        .collect();
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for one in &all {
        for fault in told(&one.checked) {
            if !kind_of(fault).is_some_and(|kind| seen.insert(kind)) {
                continue;
            }
            let said = describe(&one.ranking, fault);
            // Only hands that serve as examples hang on the arguments.
            let always = matches!(fault, RankingFault::NoRun { .. });
            faults.push(if always { said } else { said.with_help(format!("found with {}", family.describe(&one.arguments))) });
        }
    }
    faults.extend(never(family, &all, combinations));
    // Single pieces are tabled, however slow the plain way would be.
    if family.template.model.sizes != (1..=1) {
        faults.extend(all.iter().find_map(|one| slow(&one.ranking, &one.checked)));
    }
    faults
}

/// A ranking with its parameters filled, and what judging it has shown.
struct Judged {
    arguments: Vec<Option<ValueId>>,
    ranking: RuledRanking,
    checked: Checked,
}

/// The number at a place among `judged` that lie evenly among all, the first and the last of all among them.
fn spread(at: usize, judged: usize, combinations: usize) -> usize {
    let (last, at, steps) = ((combinations - 1) as u128, at as u128, (judged - 1).max(1) as u128);
    usize::try_from(last * at / steps).unwrap_or(0)
}

/// What a fault is of and which class it concerns, so that each is said once; `None`: of a class that is dead here.
fn kind_of(fault: &RankingFault) -> Option<(u8, ClassId)> {
    match fault {
        RankingFault::Ragged { class, .. } => Some((0, *class)),
        RankingFault::Level { class, .. } => Some((1, *class)),
        RankingFault::NoRun { class } => Some((2, *class)),
        RankingFault::NoClass { .. } => Some((3, 0)),
        RankingFault::NeverApplies { .. } => None,
    }
}

/// Classes that no hand has whatever the arguments are.
fn never(family: &RankingFamily, judged: &[Judged], combinations: usize) -> Vec<Diagnostic> {
    let Some(first) = judged.first() else { return Vec::new() };
    let mut dead = dead(&first.checked);
    judged.iter().for_each(|one| keep_dead(&mut dead, &one.checked));
    if judged.len() < combinations {
        // Single pieces are soon looked at under all arguments; of larger hands nothing is said then.
        if family.template.model.sizes != (1..=1) {
            return Vec::new();
        }
        let domains = family.domains();
        for number in 0..combinations {
            if dead.is_empty() {
                break;
            }
            keep_dead(&mut dead, &family.template.model.fill(&Domain::arguments(&domains, number)).check());
        }
    }
    let fault = |(class, takers): (ClassId, BTreeSet<ClassId>)| RankingFault::NeverApplies { class, taken_by: takers.into_iter().collect() };
    dead.into_iter().map(|dead| describe(&first.ranking, &fault(dead))).collect()
}

/// Classes that no hand has, with those that have the hands that fit them.
type Dead = Vec<(ClassId, BTreeSet<ClassId>)>;

fn dead(checked: &Checked) -> Dead {
    let dead = |fault: &RankingFault| match fault {
        RankingFault::NeverApplies { class, taken_by } => Some((*class, taken_by.iter().copied().collect())),
        RankingFault::Ragged { .. } | RankingFault::Level { .. } | RankingFault::NoRun { .. } | RankingFault::NoClass { .. } => None,
    };
    checked.faults.iter().filter_map(dead).collect()
}

/// Keeps those that are dead here as well.
fn keep_dead(all: &mut Dead, checked: &Checked) {
    let here = dead(checked);
    all.retain_mut(|(class, takers)| match here.iter().find(|(other, _)| other == class) {
        Some((_, more)) => {
            takers.extend(more);
            true
        }
        None => false,
    });
}

fn describe(ranking: &RuledRanking, fault: &RankingFault) -> Diagnostic {
    let name = |class: &ClassId| ranking.model.classes.get(*class).map_or("", |class| class.name.as_str());
    let class_place = |class: &ClassId| ranking.classes.get(*class).map(|from| from.span).unwrap_or_default();
    match fault {
        RankingFault::Ragged { class, hands: [one, other] } => {
            let fault =
                Diagnostic::new(Code::RaggedKeys, format!("the keys of `{}` do not fit all its hands", name(class)), ties_place(ranking, *class));
            class_label(ranking, *class, fault)
                .with_help(format!("`{}` and `{}` give lists of different length", hand(ranking, one), hand(ranking, other)))
                .with_help(format!("keys that see every piece always fit: `ties in {} by every {}`", name(class), attribute(ranking)))
        }
        RankingFault::NeverApplies { class, taken_by } if taken_by.is_empty() => {
            Diagnostic::new(Code::NeverApplies, format!("no hand of the pack is ever `{}`", name(class)), class_place(class))
        }
        RankingFault::NeverApplies { class, taken_by } => {
            let better = all_of(taken_by.iter().map(name));
            let fault = Diagnostic::new(
                Code::NeverApplies,
                format!("every hand that fits `{}` is {better}, which is higher", name(class)),
                class_place(class),
            );
            taken_by.iter().fold(fault, |fault, other| fault.with_label(class_place(other), format!("`{}`", name(other))))
        }
        RankingFault::Level { class, hands: [one, other] } => {
            let has_keys = ranking.model.classes.get(*class).is_some_and(|class| !class.keys.is_empty());
            let message = if has_keys {
                format!("the keys of `{}` leave different hands level", name(class))
            } else {
                format!("`{}` has no keys, so all its hands are level", name(class))
            };
            let fault = class_label(ranking, *class, Diagnostic::new(Code::MissingTies, message, ties_place(ranking, *class)));
            fault
                .with_help(format!("`{}` and `{}` are level", hand(ranking, one), hand(ranking, other)))
                .with_help(format!("write `ties in {} by …;`, or `by count` if they are meant to be level", name(class)))
        }
        RankingFault::NoRun { class } => {
            let fault = Diagnostic::new(
                Code::NoRunInClass,
                format!("`top of run` is asked of `{}`, which is no run", name(class)),
                ties_place(ranking, *class),
            );
            class_label(ranking, *class, fault).with_help("compare it by `top` or `every …`")
        }
        RankingFault::NoClass { hand: example } => {
            let place = ranking.classes.last().map(|from| from.span).unwrap_or_default();
            let fault = Diagnostic::new(Code::NoClass, format!("no class of `{}` fits `{}`", ranking.name, hand(ranking, example)), place);
            fault.with_help("a class `anything` below all others takes what is left")
        }
    }
}

/// The line that gives a class its keys, else the class.
fn ties_place(ranking: &RuledRanking, class: ClassId) -> Span {
    let ties = ranking.ties.get(class).and_then(Option::as_ref);
    ties.or_else(|| ranking.classes.get(class)).map(|from| from.span).unwrap_or_default()
}

/// Shows the class, unless it is the main place already.
fn class_label(ranking: &RuledRanking, class: ClassId, fault: Diagnostic) -> Diagnostic {
    let name = ranking.model.classes.get(class).map_or("", |class| class.name.as_str());
    match (ranking.ties.get(class), ranking.classes.get(class)) {
        (Some(Some(_)), Some(from)) => fault.with_label(from.span, format!("`{name}`")),
        (Some(None) | None, _) | (_, None) => fault,
    }
}

fn hand(ranking: &RuledRanking, pieces: &[PieceId]) -> String {
    let text = |piece: &PieceId| ranking.model.deck.pieces.get(usize::from(*piece)).map_or("", |piece| piece.text.as_str());
    pieces.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// The attribute that the ranking's keys look at.
fn attribute(ranking: &RuledRanking) -> &str {
    let scale = ranking.model.classes.iter().flat_map(|class| &class.keys).find_map(|key| match key.word {
        KeyWord::Groups(scale) | KeyWord::Singles(scale) | KeyWord::Every(scale) | KeyWord::Top(scale) => Some(scale),
        KeyWord::Wild | KeyWord::Count | KeyWord::TopOfRun | KeyWord::Sum { .. } => None,
    });
    let attribute = scale.and_then(|scale| ranking.model.scales.get(scale)).map(|scale| scale.attribute);
    attribute.and_then(|attribute| ranking.model.deck.attributes.get(attribute)).map_or("…", |attribute| attribute.name.as_str())
}
