//! Positions, row by row.

use std::collections::BTreeMap;

use super::super::case::{Case, Facts, Reckon, Row};
use super::super::comparator::fact;
use super::super::implementation::{Data, Implementation, ReckonAsk, Reckoned, Under};
use super::{Strictness, Verdict, depends, lawful, under};

/// One row of a case; without a row the whole case.
pub(super) fn reckon(
    case: &Case,
    reckon: &Reckon,
    row: Option<&Row>,
    rulebook: &str,
    implementation: &dyn Implementation,
    strict: Strictness,
) -> Verdict {
    let mut questions: Vec<(Under, BTreeMap<String, Data>, Vec<&Facts>)> = Vec::new();
    let rows = row.map_or(reckon.table.as_slice(), std::slice::from_ref);
    for row in rows {
        let mut given = reckon.given.clone();
        given.extend(row.given.clone());
        questions.push((under(case, rulebook, &BTreeMap::new()), given, vec![&row.expect]));
    }
    for (params, expects) in reckon.expected.iter().flat_map(|expected| lawful(expected, rulebook)) {
        questions.push((under(case, rulebook, &params), reckon.given.clone(), expects));
    }
    for (under, given, expects) in &questions {
        let ask = |under: &Under| {
            let ask = ReckonAsk { under: under.clone(), position: reckon.position.clone(), given: given.clone() };
            judged(&implementation.reckon(&ask), expects)
        };
        let verdict = ask(under);
        if verdict != Verdict::Pass {
            return verdict;
        }
    }
    if !strict.discriminates {
        return Verdict::Pass;
    }
    // A table depends on a parameter if one of its rows does.
    let table = |under: &Under| {
        let all = all_rows(reckon, rulebook);
        let verdicts = all.iter().map(|(given, expects)| {
            let ask = ReckonAsk { under: under.clone(), position: reckon.position.clone(), given: given.clone() };
            judged(&implementation.reckon(&ask), expects)
        });
        verdicts.into_iter().find(|verdict| *verdict != Verdict::Pass).unwrap_or(Verdict::Pass)
    };
    questions.first().map_or(Verdict::Pass, |(under, _, _)| depends(case, under, &table))
}

fn all_rows<'r>(reckon: &'r Reckon, rulebook: &str) -> Vec<(BTreeMap<String, Data>, Vec<&'r Facts>)> {
    let rows = reckon.table.iter().map(|row| {
        let mut given = reckon.given.clone();
        given.extend(row.given.clone());
        (given, vec![&row.expect])
    });
    let alone = reckon.expected.iter().flat_map(|expected| lawful(expected, rulebook)).map(|(_, expects)| (reckon.given.clone(), expects));
    rows.chain(alone).collect()
}

fn judged(reply: &Reckoned, expects: &[&Facts]) -> Verdict {
    let (facts, reasons) = match reply {
        Reckoned::Answer { facts, reasons } => (facts, reasons),
        Reckoned::Unsupported { feature } => return Verdict::Unsupported(feature.clone()),
        Reckoned::Error { text } => return Verdict::Error(text.clone()),
    };
    let mut first = None;
    for expect in expects {
        let mut lines: Vec<String> = expect.iter().filter_map(|(name, check)| fact(name, check, facts.get(name))).collect();
        if lines.is_empty() {
            return Verdict::Pass;
        }
        lines.extend(reasons.iter().cloned());
        first = first.or(Some(Verdict::Fail(lines)));
    }
    first.unwrap_or_else(|| Verdict::NotRun("no reading speaks of this rulebook".to_owned()))
}
