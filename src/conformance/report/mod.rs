//! Tells what came of a run: to people, as JSON, as JUnit.

mod human;
mod json;
mod junit;

use std::io::{self, Write};

use super::case::Case;
use super::corpus::{self, Corpus};
use super::inventory::Inventory;
use super::read::words;
use super::runner::Run;

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

    /// `Foster, Rank of the Hands, para 12: …` for each statement that a case cites.
    fn statements(&self, case: &Case) -> Vec<String> {
        let mut ids: Vec<&str> = corpus::cites(case).into_iter().map(|cite| cite.text.as_str()).collect();
        let mut seen = Vec::new();
        ids.retain(|id| {
            !seen.contains(id) && {
                seen.push(*id);
                true
            }
        });
        let statements = ids.into_iter().filter_map(|id| self.inventory.statement(id));
        statements.map(|statement| format!("{} ({}): {}", statement.id, statement.cited(), statement.says.trim())).collect()
    }
}
