//! Any text: reading it must end, with a tree or with diagnostics that can be drawn; a tree that was read without error survives the formatter;
//! and checking it beside the built-in library must end as well.

#![no_main]

use hoyle::diagnostic::{Diagnostic, render};
use hoyle::rules::{Catalog, check_all};
use hoyle::source::Sources;
use hoyle::syntax::{parse, print};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let file = sources.add("fuzz", text);
    let (tree, faults) = parse::file(file, text);
    let _ = render::plain(&faults, &sources);
    if faults.iter().any(Diagnostic::is_error) {
        return;
    }
    let printed = print::print(&tree, text);
    let (again, faults) = parse::file(file, &printed);
    assert!(!faults.iter().any(Diagnostic::is_error), "the formatter wrote what cannot be read:\n{printed}");
    assert_eq!(tree, again, "the formatter changed the meaning");
    assert_eq!(print::print(&again, &printed), printed, "formatting twice is not formatting once");

    let mut catalog = Catalog::new();
    catalog.add("fuzz", text);
    let faults = check_all(&catalog, None);
    let _ = render::json(&faults, catalog.sources());
});
