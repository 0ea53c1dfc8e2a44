//! Tables: from declarations of parts 4 to 6 of the specification to the program that the engine runs.
//!
//! First the [`signatures`] of everything that has a name, then expressions and scripts against them.

pub mod program;
mod types;
mod locals;
mod signatures;
mod sites;
mod written;
mod reading;
mod compiler;
mod definitions;
mod acts;
mod domains;
mod declarations;
mod expressions;
mod code;
pub mod walk;
mod fold;
mod reached;
mod order;
mod rules;
mod edges;
mod hooks;
mod procedures;
mod kept;
pub mod mapping;
mod logic;
mod overlaps;
mod loose;
mod whereabouts;
mod holes;
pub mod gaps;
pub(in crate::rules) mod uses;
pub(in crate::rules) mod assembly;
pub(in crate::rules) mod settled;

#[cfg(test)]
mod tests;
