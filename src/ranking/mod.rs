//! Orders of sets of pieces: patterns, classes, tie keys, wild pieces; plain evaluation and the compiled table.

pub mod model;
