//! One JSON object.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Report;
use crate::conformance::corpus;
use crate::conformance::runner::{Outcome, Tally};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let who = &report.run.who;
    let object = json!({
        "versions": {"harness": concat!("hoyle ", env!("CARGO_PKG_VERSION")), "corpus": corpus::VERSION, "schema": corpus::SCHEMA},
        "digest": report.corpus.digest,
        "implementation": {"name": who.name, "version": who.version},
        "totals": totals(report.run.tally()),
        "cases": report.run.outcomes.iter().map(|outcome| one(report, outcome)).collect::<Vec<Value>>(),
    });
    serde_json::to_writer_pretty(&mut *out, &object)?;
    writeln!(out)
}

fn totals(tally: Tally) -> Value {
    json!({
        "pass": tally.pass,
        "fail": tally.fail,
        "partial": tally.partial,
        "unsupported": tally.unsupported,
        "error": tally.error,
        "not-run": tally.not_run,
    })
}

fn one(report: &Report<'_>, outcome: &Outcome<'_>) -> Value {
    let case = outcome.case;
    let (file, line) = report.corpus.place(case);
    json!({
        "id": outcome.id(),
        "title": case.title,
        "kind": case.kind().text(),
        "rules": outcome.rulebook,
        "level": case.level.text(),
        "status": case.status.text(),
        "verdict": outcome.verdict.word(),
        "lines": outcome.verdict.lines(),
        "cites": case.cites.iter().map(|cite| cite.text.as_str()).collect::<Vec<&str>>(),
        "file": file,
        "line": line,
    })
}
