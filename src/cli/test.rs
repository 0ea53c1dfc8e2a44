//! `hoyle test`: the corpus against the reference engine.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use super::{Exit, Streams, World, faults};
use crate::conformance::Implementation;
use crate::conformance::case::{Case, Status};
use crate::conformance::corpus::{Corpus, Loaded};
use crate::conformance::inventory::Inventory;
use crate::conformance::report::{Format, Report};
use crate::conformance::runner::{Run, Strictness, run, verdicts};
use crate::conformance::select::select;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Sources;

/// Run the corpus of cases against the reference engine.
#[derive(Debug, Args)]
pub(super) struct Test {
    /// Part of an id, title, file or rulebook (or a glob on it), a kind, or the beginning of a cited statement's id; several are alternatives.
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// How to report.
    #[arg(long, value_enum, default_value_t = Written::Human)]
    format: Written,
    /// Write the report to a file.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Read cases from files or directories instead of those built in.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    cases: Vec<PathBuf>,
}

/// [`Format`], as clap wants it.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Human,
    Json,
    Junit,
}

impl Test {
    /// Everything from the question to the exit code, a line per stage.
    pub(super) fn run(&self, streams: &mut Streams<'_>, world: &World) -> io::Result<Exit> {
        let inventory = Inventory::embedded();
        let Loaded { corpus, faults } =
            if self.cases.is_empty() { Corpus::embedded(&inventory) } else { Corpus::from_paths(&self.cases, &inventory) };
        let broken = faults::write(&faults, &corpus.sources, streams)?;
        if corpus.cases.is_empty() && broken != Exit::Good {
            return Ok(broken);
        }
        let cases = match select(&corpus, &self.filters) {
            Ok(cases) => cases,
            Err(faults) => return Ok(worse(broken, faults::write(&faults, &corpus.sources, streams)?)),
        };
        let done = ask(&cases, (world.reference)().as_ref(), streams.terminal);
        let report = Report { run: &done, corpus: &corpus, inventory: &inventory };
        let written = self.write(&report, streams)?;
        let proved = vacuous(&done).map_or(Ok(Exit::Good), |fault| faults::write(&[fault], &Sources::default(), streams))?;
        let differs = if done.tally().failed() > 0 { Exit::Differs } else { Exit::Good };
        Ok([broken, written, proved].into_iter().fold(differs, worse))
    }

    fn write(&self, report: &Report<'_>, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let format = match self.format {
            Written::Human => Format::Human,
            Written::Json => Format::Json,
            Written::Junit => Format::Junit,
        };
        let Some(path) = &self.output else {
            return match report.write(format, streams.out) {
                // The reader has seen enough; the verdict stands.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Good),
                written => written.map(|()| Exit::Good),
            };
        };
        let write = || {
            let mut file = BufWriter::new(File::create(path)?);
            report.write(format, &mut file)?;
            file.flush()
        };
        let Err(error) = write() else { return Ok(Exit::Good) };
        let fault = Diagnostic::without_place(Code::CannotWrite, format!("`{}` cannot be written: {error}", path.display()));
        faults::write(&[fault], &Sources::default(), streams)
    }
}

fn ask<'c>(cases: &[&'c Case], implementation: &dyn Implementation, terminal: bool) -> Run<'c> {
    let bar = if terminal { ProgressBar::new(cases.iter().map(|case| verdicts(case) as u64).sum()) } else { ProgressBar::hidden() };
    let run = run(cases, implementation, Strictness { discriminates: true }, &|| bar.inc(1));
    bar.finish_and_clear();
    run
}

/// A green run proves that it ran.
fn vacuous(run: &Run<'_>) -> Option<Diagnostic> {
    let tally = run.tally();
    if tally.pass + tally.failed() > 0 {
        return None;
    }
    let counted = run.outcomes.iter().any(|outcome| outcome.case.status == Status::Accepted);
    let message = if counted { "none of the cases selected could be run" } else { "only proposed cases were selected, and they do not count" };
    Some(Diagnostic::without_place(Code::NoCases, message))
}

/// The graver of two ends.
fn worse(one: Exit, other: Exit) -> Exit {
    let grave = |exit: Exit| match exit {
        Exit::Good => 0,
        Exit::Differs => 1,
        Exit::Usage => 2,
        Exit::Infrastructure => 3,
    };
    if grave(other) > grave(one) { other } else { one }
}
