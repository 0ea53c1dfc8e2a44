//! JUnit's XML: a suite for each file, a test for each case and rulebook.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::Report;
use crate::conformance::case::Status;
use crate::conformance::corpus;
use crate::conformance::runner::{Outcome, Verdict};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let who = &report.run.who;
    let mut whole = quick_junit::Report::new(format!("{} {} on corpus {} {}", who.name, who.version, corpus::VERSION, report.corpus.digest));
    let mut suite: Option<TestSuite> = None;
    for outcome in &report.run.outcomes {
        let (file, line) = report.corpus.place(outcome.case);
        if suite.as_ref().is_none_or(|suite| suite.name.as_str() != file) {
            whole.add_test_suites(suite.take());
            suite = Some(TestSuite::new(file));
        }
        if let Some(suite) = &mut suite {
            suite.add_test_case(one(report, outcome, file, line));
        }
    }
    whole.add_test_suites(suite);
    whole.serialize(&mut *out).map_err(io::Error::other)?;
    writeln!(out)
}

fn one(report: &Report<'_>, outcome: &Outcome<'_>, file: &str, line: usize) -> TestCase {
    let case = outcome.case;
    let mut status = match &outcome.verdict {
        Verdict::Pass => TestCaseStatus::success(),
        Verdict::Fail(_) => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::Error(_) => TestCaseStatus::non_success(NonSuccessKind::Error),
        Verdict::Partial(_) | Verdict::Unsupported(_) | Verdict::NotRun(_) => TestCaseStatus::skipped(),
    };
    let lines = outcome.verdict.lines();
    let mut message = lines.first().map_or_else(String::new, |line| (*line).to_owned());
    if case.status == Status::Proposed {
        // JUnit has no word for a test that does not count, so it is one that was skipped.
        status = TestCaseStatus::skipped();
        message = format!("proposed, not counted: {}", outcome.verdict.word());
    }
    if status != TestCaseStatus::success() {
        status.set_message(message);
        let mut text: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        text.push(format!("why: {}", case.why.text.trim()));
        text.extend(report.statements(outcome));
        text.push(format!("{file}:{line}"));
        status.set_description(text.join("\n"));
    }
    let mut test = TestCase::new(format!("{} with {}", outcome.id(), outcome.rulebook), status);
    test.set_classname(case.interface());
    test
}
