//! Prints diagnostics.
