//! What was written. [`parse`] is the only module that knows the parser library; everyone else sees [`tree`].

pub mod parse;
pub mod print;
pub mod scan;
pub mod tree;
