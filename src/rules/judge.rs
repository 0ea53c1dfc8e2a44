//! What can be said only of a whole ranking: hands are looked at, and examples written as cards. Clauses 7.7, 7.8 and 7.11.

use super::advice::all_of;
use super::weave::RuledRanking;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{ClassId, KeyWord, PieceId, RankingFault};
use crate::source::Span;

/// Faults of a ranking, and whether it is slow.
pub(super) fn judge(ranking: &RuledRanking) -> Vec<Diagnostic> {
    let checked = ranking.model.check();
    // Without a run nothing is compared; that hands are level then is no second mistake.
    let no_run = |class: &ClassId| checked.faults.iter().any(|fault| matches!(fault, RankingFault::NoRun { class: other } if other == class));
    let told = checked.faults.iter().filter(|fault| !matches!(fault, RankingFault::Level { class, .. } if no_run(class)));
    let mut faults: Vec<Diagnostic> = told.map(|fault| describe(ranking, fault)).collect();
    if let Err(reason) = &checked.table {
        let place = ranking.classes.first().map(|from| from.span).unwrap_or_default();
        faults.push(Diagnostic::new(Code::SlowRanking, format!("`{}` is compared and counted slowly, hand by hand: {reason}", ranking.name), place));
    }
    faults
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
