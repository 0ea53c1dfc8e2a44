//! Orders of sets of pieces: patterns, classes, tie keys, wild pieces; plain evaluation and the compiled table.
//!
//! Reading order: [`model`] says what a ranking is; `order` closes the `beats` edges; `naive` (with `fit` and `key`) compares hands in the
//! plainest way and is what every other file here is tested against; `lens`, `judge`, `survey` see a hand as a multiset of values, so that all
//! hands can be judged in a few thousand steps; `table` is the result, `count` and `check` are questions put to it. `comparer` is what a table
//! asks; `family` is rankings that leave values open until a position is known.

pub mod model;
pub mod order;
mod fit;
mod key;
pub mod naive;
mod lens;
mod spread;
mod packed;
mod judge;
mod hands;
mod slots;
mod core;
mod survey;
mod resolve;
pub mod table;
pub mod count;
pub mod check;
mod single;
pub mod comparer;
pub mod family;

pub use check::{Checked, RankingFault};
pub use comparer::{Comparer, FirstKey, Worth};
pub use count::{Counted, TooMany};
pub use family::{Domain, OnePieceTable, Term};
pub use lens::Slow;
pub use model::*;
pub use naive::{Decider, Refusal, Standing};
pub use order::{OrderFault, order};
pub use table::Table;
