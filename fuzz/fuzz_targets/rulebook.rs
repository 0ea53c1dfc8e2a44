//! Any text as a rulebook: an answer, and what could be read is printed so that it reads back.

#![no_main]

use hoyle::diagnostic::render::plain;
use hoyle::source::{FileId, Sources};
use hoyle::syntax::{parse, print};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let file = sources.add("fuzz", text);
    let (tree, faults) = parse::file(file, text);
    plain(&faults, &sources);
    plain(&parse::expression(file, text).1, &sources);
    if faults.is_empty() {
        let printed = print::print(&tree, text);
        assert_eq!(parse::file(FileId(0), &printed), (tree, Vec::new()));
    }
});
