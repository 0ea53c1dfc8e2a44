//! `hoyle cover`: which statements of the books the corpus holds the rules to.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{Exit, Streams, World, faults};
use crate::conformance::corpus::{Corpus, Loaded};
use crate::conformance::cover::{Section, Standing, cover, sections, total};
use crate::conformance::inventory::Inventory;
use crate::conformance::read::suggest;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Sources;

/// Show which statements of the books are cited, tested and covered, by book and section.
#[derive(Debug, Args)]
pub(super) struct Cover {
    /// The beginning of the ids of statements: `foster`, `foster.joker`.
    #[arg(value_name = "BOOK", default_value = "")]
    book: String,
    /// How to report.
    #[arg(long, value_enum, default_value_t = Written::Human)]
    format: Written,
    /// List the statements that are not covered, with what is missing.
    #[arg(long)]
    open: bool,
    /// Read cases from files or directories instead of those built in.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    cases: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Human,
    Json,
}

impl Cover {
    pub(super) fn run(&self, streams: &mut Streams<'_>, world: &World) -> io::Result<Exit> {
        let inventory = Inventory::embedded();
        let Loaded { corpus, faults } =
            if self.cases.is_empty() { Corpus::embedded(&inventory) } else { Corpus::from_paths(&self.cases, &inventory) };
        let broken = faults::write(&faults, &corpus.sources, streams)?;
        let standings = cover(&inventory, &corpus, (world.reference)().as_ref(), (world.elements)().as_ref(), &self.book);
        if standings.is_empty() {
            return faults::write(&[self.unknown(&inventory)], &Sources::default(), streams);
        }
        match self.format {
            Written::Human => self.human(&standings, streams)?,
            Written::Json => self.json(&standings, streams)?,
        }
        Ok(broken)
    }

    fn unknown(&self, inventory: &Inventory) -> Diagnostic {
        let fault = Diagnostic::without_place(Code::UnknownStatement, format!("no statement's id begins with `{}`", self.book));
        let mut books: Vec<&str> = inventory.ids().filter_map(|id| id.split('.').next()).collect();
        books.dedup();
        match suggest(&self.book, books.iter().copied()) {
            Some(near) => fault.with_help(format!("did you mean `{near}`?")),
            None => fault.with_help(format!("the books are {}", crate::conformance::read::list(&books))),
        }
    }

    fn human(&self, standings: &[Standing], streams: &mut Streams<'_>) -> io::Result<()> {
        let mut rows = sections(standings);
        rows.push(total(standings));
        let width = |text: fn(&Section) -> &str| rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
        let (book, heading) = (width(|row| &row.book), width(|row| &row.heading).max("section".len()));
        let out = &mut streams.out;
        writeln!(out, "{:<book$}  {:<heading$}  statements  cited  tested  covered  open", "book", "section")?;
        for row in &rows {
            let Section { statements, cited, tested, covered, .. } = row;
            write!(out, "{:<book$}  {:<heading$}  {statements:>10}  {cited:>5}  ", row.book, row.heading)?;
            writeln!(out, "{tested:>6}  {covered:>7}  {:>4}", row.open())?;
        }
        for standing in standings.iter().filter(|standing| self.open && !standing.covered) {
            let statement = &standing.statement;
            writeln!(out, "\n{} ({}, {}): {}", statement.id, statement.cited(), statement.kind, statement.says.trim())?;
            for missing in &standing.missing {
                writeln!(out, "  {missing}")?;
            }
        }
        Ok(())
    }

    fn json(&self, standings: &[Standing], streams: &mut Streams<'_>) -> io::Result<()> {
        let mut object = json!({
            "book": self.book,
            "sections": sections(standings).iter().map(counts).collect::<Vec<Value>>(),
            "total": counts(&total(standings)),
        });
        if let Some(map) = object.as_object_mut().filter(|_| self.open) {
            let open = standings.iter().filter(|standing| !standing.covered);
            let open = open.map(|standing| {
                let statement = &standing.statement;
                json!({"id": statement.id, "place": statement.cited(), "kind": statement.kind, "missing": standing.missing})
            });
            map.insert("open".to_owned(), open.collect());
        }
        serde_json::to_writer_pretty(&mut *streams.out, &object)?;
        writeln!(streams.out)
    }
}

fn counts(section: &Section) -> Value {
    json!({
        "book": section.book,
        "section": section.heading,
        "statements": section.statements,
        "cited": section.cited,
        "tested": section.tested,
        "covered": section.covered,
        "open": section.open(),
    })
}
