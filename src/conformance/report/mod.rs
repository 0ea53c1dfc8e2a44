//! Tells what came of a run: to people, as JSON, as JUnit.

mod human;
mod json;
mod junit;

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::corpus::{self, Corpus};
use super::inventory::Inventory;
use super::read::words;
use super::runner::{Outcome, Run};

words! {
    /// How a report is written.
    pub enum Format {
        Human "human",
        Json "json",
        Junit "junit",
    }
}

/// A run with what is needed to tell of it. Two equal runs give equal reports: there is no time in them.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    pub run: &'r Run<'r>,
    pub corpus: &'r Corpus,
    pub inventory: &'r Inventory,
}

impl Report<'_> {
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Human => human::write(self, out),
            Format::Json => json::write(self, out),
            Format::Junit => junit::write(self, out),
        }
    }

    /// `foster.rank.order (Foster, Rank of the Hands, para 1): …` for each statement that speaks of the outcome.
    fn statements(&self, outcome: &Outcome<'_>) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let ids = corpus::cites_of(outcome.case, outcome.rulebook).into_iter().map(|cite| cite.text.as_str()).filter(|id| seen.insert(*id));
        let statements = ids.filter_map(|id| self.inventory.statement(id));
        statements.map(|statement| format!("{} ({}): {}", statement.id, statement.cited(), statement.says.trim())).collect()
    }
}
