//! Any text as a record, a hand or an act: an answer, and what could be read is printed so that it reads back.

#![no_main]

use hoyle::diagnostic::render::plain;
use hoyle::source::{FileId, Sources};
use hoyle::syntax::record;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let file = sources.add("fuzz", text);
    plain(&record::hand(file, text).1, &sources);
    plain(&record::step(file, text).1, &sources);
    let (tree, faults) = record::record(file, text);
    plain(&faults, &sources);
    if faults.is_empty() {
        assert_eq!(record::record(FileId(0), &tree.to_string()), (tree, Vec::new()));
    }
});
