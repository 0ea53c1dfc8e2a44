//! For people: what failed and why it matters, then the numbers. The last line is for scripts too.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::Report;
use crate::conformance::case::Status;
use crate::conformance::runner::{Outcome, Tally, Verdict};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (accepted, proposed): (Vec<&Outcome<'_>>, Vec<&Outcome<'_>>) =
        report.run.outcomes.iter().partition(|outcome| outcome.case.status == Status::Accepted);
    for outcome in accepted.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Fail(_) | Verdict::Error(_))) {
        trouble(report, outcome, out)?;
    }
    if !proposed.is_empty() {
        writeln!(out, "proposed, not counted:")?;
        for outcome in &proposed {
            let lines = outcome.verdict.lines().join("; ");
            let lines = if lines.is_empty() { lines } else { format!(": {lines}") };
            writeln!(out, "  {:<11} {} with {}{lines}", outcome.verdict.word(), outcome.id(), outcome.rulebook)?;
        }
        writeln!(out)?;
    }
    skipped(&accepted, out)?;
    closing(report.run.tally(), out)
}

fn trouble(report: &Report<'_>, outcome: &Outcome<'_>, out: &mut dyn Write) -> io::Result<()> {
    let case = outcome.case;
    let (file, line) = report.corpus.place(case);
    let title = case.title.as_ref().map(|title| format!(": {title}")).unwrap_or_default();
    writeln!(out, "{}: {} with {}{title}", outcome.verdict.word(), outcome.id(), outcome.rulebook)?;
    writeln!(out, "  at {file}:{line}")?;
    for line in outcome.verdict.lines() {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "  why: {}", case.why.text.trim())?;
    for statement in report.statements(outcome) {
        writeln!(out, "  {statement}")?;
    }
    writeln!(out)
}

/// What was neither passed nor failed, by reason.
fn skipped(outcomes: &[&Outcome<'_>], out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for outcome in outcomes {
        if matches!(outcome.verdict, Verdict::Unsupported(_) | Verdict::Partial(_) | Verdict::NotRun(_)) {
            *reasons.entry((outcome.verdict.word(), outcome.verdict.lines().join(", "))).or_default() += 1;
        }
    }
    for ((word, reason), count) in reasons {
        writeln!(out, "{count} {word}: {reason}")?;
    }
    Ok(())
}

/// `12 passed, 3 failed`, and `, 2 skipped` if there are any. Errors count as failed.
fn closing(tally: Tally, out: &mut dyn Write) -> io::Result<()> {
    if tally.error > 0 {
        writeln!(out, "{} of those failed are errors of the engine", tally.error)?;
    }
    write!(out, "{} passed, {} failed", tally.pass, tally.failed())?;
    if tally.skipped() > 0 {
        write!(out, ", {} skipped", tally.skipped())?;
    }
    writeln!(out)
}
