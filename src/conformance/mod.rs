//! The corpus of cases, and what runs it.
//!
//! A case ([`case`]) puts a question to a rulebook in the words of its game's interface and says what the book answers, citing statements of the
//! [`inventory`]. Anything that answers is an [`Implementation`]: our engine and a foreign one alike. The [`runner`] asks, the [`comparator`]
//! judges, [`report`] tells, [`cover`] says which statements the corpus holds the rules to,
//! and [`mutate`] which mistakes in the rules nobody would notice. The schema of a case file is the project's public
//! contract: `conformance/README.md` in words, `conformance/schema/case.schema.json` for machines.

pub mod yaml;
pub mod read;
pub mod case;
pub mod load;
pub mod record;
pub mod inventory;
pub mod corpus;
pub mod implementation;
pub mod comparator;
pub mod select;
pub mod runner;
pub mod report;
pub mod cover;
pub mod mutate;

mod reference;

pub use implementation::Implementation;
pub use reference::{Reference, books, books_of, elements, reference};
