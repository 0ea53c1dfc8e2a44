//! What is wrong with a table, one mistake a file, as in `diagnostics_rules.rs`: the files of `tests/diagnostics/table/`.

mod diagnostics_support;

use diagnostics_support::{differs, every_mistake};
use hoyle::diagnostic::Code;

/// What the language has and this version does not run is no mistake of these files.
#[test]
fn every_mistake_at_a_table_is_answered_as_its_file_says() {
    every_mistake("tests/diagnostics/table", 40, |name, text| differs(name, text, |found| found.code != Code::NotYet));
}
