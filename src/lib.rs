pub mod embedded;
pub mod source;
pub mod diagnostic;
pub mod syntax;
pub mod ranking;
pub mod rules;
pub mod conformance;
pub mod cli;
