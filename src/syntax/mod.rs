//! What was written. [`parse`] and [`record`] are the only modules that know the parser library; everyone else sees [`tree`] and [`record_tree`].

pub mod parse;
pub mod print;
pub mod record;
pub mod record_tree;
pub mod scan;
pub mod sheet;
pub mod tree;
