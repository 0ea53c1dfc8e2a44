//! Tables: from declarations of parts 4 to 6 of the specification to the program that the engine runs.

pub mod program;
pub mod walk;
mod fold;
