//! What was written. [`parse`] is the only file that knows the parser library; everyone else sees [`tree`].

pub mod tree;
