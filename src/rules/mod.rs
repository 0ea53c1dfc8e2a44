//! What a rulebook means.
//!
//! The pipeline, in reading order: a [`Catalog`] knows every unit by name; a [`Selection`] becomes a stack of layers; a draft resolves names, types
//! and conditions, whatever the settings are; folding it under settings gives a [`Rulebook`], in which nothing is unresolved. The checker folds one
//! draft under many settings. This module knows no game: every word of a game comes from the files that it reads.

mod headers;
mod place;
pub mod catalog;
pub mod selection;
mod scope;
pub mod kinds;
pub mod constant;
mod resolve;
pub mod cite;
pub mod pieces;
pub mod notation;
pub mod family;
mod pattern;
pub mod lines;
mod dangling;
mod given;
mod draft;
pub mod settings;
pub mod weave;
mod class_kinds;
pub mod rulebook;
mod words;
pub mod interface;
pub mod rank;
pub mod table;
mod load;
mod scripts;
mod citations;
mod situations;
mod judge;
pub mod figure;
pub mod claims;
pub mod check;
mod surgery;
mod table_surgery;
mod tree_walk;
mod operators;
mod table_mutants;
pub mod mutants;
pub mod mutation;
pub mod advice;

pub use catalog::Catalog;
pub use check::{check, check_all};
pub use citations::Statements;
pub use cite::{Citation, Mark, Provenance};
pub use claims::{Exact, Figure};
pub use family::{FamilyParameter, RankingFamily};
pub use figure::Agreement;
pub use headers::UnitKind;
pub use interface::{Given, Mapped, Unsupported};
pub use load::Prepared;
pub use mutants::{Element, Mutation, elements, mutant};
pub use notation::Card;
pub use rank::{Between, Hand, Ranked, RankedHand, Why};
pub use rulebook::{Pack, Rulebook};
pub use selection::{Edits, LayerKind, Selection};
pub use settings::Setting;
pub use weave::{BeatsEdge, RuledRanking};
